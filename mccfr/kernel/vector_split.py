"""A vector walk in parts, so that several workers can share it: a trunk at the root, and branches below it.

Given both players' reaches at its root, a branch needs nothing from other branches, and no two touch the same table
entries. So one walk over the trunk notes the reaches where it is cut (`Scout`), workers walk the branches, and another
walk over the trunk takes their values for those of endings (`Crown`): the arithmetic of one walk, in the same order.
"""

from typing import Any, NamedTuple

from mccfr.kernel.dispatch import entry, inlined
from mccfr.kernel.layout import U0, U1
from mccfr.kernel.public_laws import fill
from mccfr.kernel.public_samplers import begin, sweep_fully
from mccfr.kernel.sequence_form import BestValue
from mccfr.kernel.vector import copy, cut, origin, vector_walk


class Scout(NamedTuple):
    """Notes the reaches where the trunk ends; nothing comes back from there."""

    roots: Any  # uint64[branches] nodes in the order in which a walk meets them
    met: Any  # uint64[1] how many have been met
    reach: Any  # float64[branches * hands]
    own: Any


class Crown(NamedTuple):
    """Takes what came back from the branches."""

    roots: Any
    met: Any
    out: Any  # float64[branches * hands]


class Branch(NamedTuple):
    """Begins at the root of one branch."""

    number: Any  # uint64
    roots: Any
    reach: Any
    own: Any


sweep_fully(Scout, Crown, Branch)
origin.register(Branch)(lambda sampling: sampling.roots[sampling.number])


@begin.register(Scout, Crown)
def _(sampling, i, work):
    fill(work.reach, U0, work.hands, 1.0)
    sampling.met[U0] = U0


@begin.register(Branch)
def _(sampling, i, work):
    copy(sampling.reach, sampling.number * work.hands, work.reach, U0, work.hands)
    copy(sampling.own, sampling.number * work.hands, work.own, U0, work.hands)


@inlined
def meets(sampling, h):
    """Whether the trunk ends at h; roots come in the order in which they are met."""
    return sampling.met[U0] < len(sampling.roots) and sampling.roots[sampling.met[U0]] == h


@cut.register(Scout)
def _(sampling, h, d, work):
    if not meets(sampling, h):
        return False
    at = sampling.met[U0] * work.hands
    copy(work.reach, d * work.hands, sampling.reach, at, work.hands)
    copy(work.own, d * work.hands, sampling.own, at, work.hands)
    fill(work.out, U0, work.hands, 0.0)
    sampling.met[U0] += U1
    return True


@cut.register(Crown)
def _(sampling, h, d, work):
    if not meets(sampling, h):
        return False
    copy(sampling.out, sampling.met[U0] * work.hands, work.out, U0, work.hands)
    sampling.met[U0] += U1
    return True


@entry
def scout_trunk(scout, i, tree, table, work):
    """Note the reaches of all branches; nothing is learned, and no node counts as touched."""
    touched = work.touched[U0]
    vector_walk(BestValue(), scout, i, 0.0, tree, table, work)
    work.touched[U0] = touched


@entry
def walk_branch(actor, branch, i, t, tree, table, work, out):
    """One branch; its values go to its place in `out`."""
    vector_walk(actor, branch, i, t, tree, table, work)
    copy(work.out, U0, out, branch.number * work.hands, work.hands)


@entry
def walk_crown(actor, crown, i, t, tree, table, work):
    """The trunk, its branches being done; returns the value of the game to player i."""
    return vector_walk(actor, crown, i, t, tree, table, work)
