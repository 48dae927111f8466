"""Witnesses: what a walk tells about itself, to whoever attends.

`Silent` hears nothing and costs nothing: its answers vanish when compiled. `Visits` counts, compiled. `Told` passes
everything on to a Python object, for the same text interpreted. A witness changes no number.
Children stand for edges: c is the node that an action leads to.
"""

from typing import Any, NamedTuple

from mccfr.kernel.dispatch import verb


class Silent(NamedTuple):
    """Nobody attends."""


class Visits(NamedTuple):
    """Counts the visits of every node and of every row of the tables by the player who owns it."""

    nodes: Any  # uint64[nodes]
    rows: Any  # uint64[entries] at a row's first entry


class Told(NamedTuple):
    """Somebody with a method for each of the verbs below. Only where the walk is interpreted."""

    listener: Any


@verb
def arrives(witness, i, h, kind, o, k, w, reach, p, s):
    """Walker i is at node h with weight w; where a player moves, by the strategy p[s : s+k] of entries o .. o+k-1."""


@verb
def ends(witness, i, h, w, value):
    """Walker i is at the terminal h, worth `value` to it."""


@verb
def remembers(witness, table, o, k, weight, w, reach):
    """The strategy just met has been added to the average of entries o .. o+k-1."""


@verb
def picks(witness, h, mask, q, laws, g):
    """At the walker's node h the actions in the mask are drawn: one with probability q, or each by laws[g : g+k]."""


@verb
def follows(witness, c, w):
    """An action that is not the walker's leads to c, with weight w from there."""


@verb
def passes(witness, c, y, b, value):
    """Back at somebody else's node from c with y; baseline b; the node is worth `value` so far."""


@verb
def returns(witness, c, y, q, b, x):
    """Back at the walker's node from c with y; drawn with probability q, baseline b, it counts as x."""


@verb
def strolls(witness, h):
    """A rollout is at h."""


@verb
def supposes(witness, c, b, x):
    """The walker did not go to c: baseline b, it counts as x."""


@verb
def updates(witness, c, table, o, k, v, g, value, w):
    """Regrets of the node whose first child is c are about to take in the values v[g : g+k]."""


@verb
def updated(witness, table, o, k):
    """They have."""


arrives.register(Silent)(lambda witness, i, h, kind, o, k, w, reach, p, s: None)
ends.register(Silent)(lambda witness, i, h, w, value: None)
remembers.register(Silent, Visits)(lambda witness, table, o, k, weight, w, reach: None)
picks.register(Silent, Visits)(lambda witness, h, mask, q, laws, g: None)
follows.register(Silent, Visits)(lambda witness, c, w: None)
passes.register(Silent, Visits)(lambda witness, c, y, b, value: None)
returns.register(Silent, Visits)(lambda witness, c, y, q, b, x: None)
strolls.register(Silent, Visits)(lambda witness, h: None)
supposes.register(Silent, Visits)(lambda witness, c, b, x: None)
updates.register(Silent, Visits)(lambda witness, c, table, o, k, v, g, value, w: None)
updated.register(Silent, Visits)(lambda witness, table, o, k: None)


@arrives.register(Visits)
def _(witness, i, h, kind, o, k, w, reach, p, s):
    witness.nodes[h] += 1
    if kind == i:
        witness.rows[o] += 1


@ends.register(Visits)
def _(witness, i, h, w, value):
    witness.nodes[h] += 1


def _tell(name):
    return lambda witness, *facts: getattr(witness.listener, name)(*facts)


for told in (arrives, ends, remembers, picks, follows, passes, returns, strolls, supposes, updates, updated):
    told.register(Told)(_tell(told.__name__))
