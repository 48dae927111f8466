"""Giving the parts of a method the tables they need on one tree."""

import functools
import os
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import MethodError, StrategyError
from mccfr.kernel import estimators, samplers
from mccfr.kernel.averaging import OptimisticAverage, importance, where
from mccfr.kernel.estimators import History, Infoset, Predictive, Static
from mccfr.kernel.minimisers import Deferred, Discounted, LazilyDiscounted, absorb
from mccfr.kernel.play import kept, strategy
from mccfr.kernel.rewards import felt
from mccfr.kernel.samplers import EACH, SOME, CountedOutcome, Listed, PackedList, draws, follows_all_others
from mccfr.kernel.walk import Parts
from mccfr.solvers.inclusion import inclusion_table, packed_blocks, packed_list
from mccfr.solvers.method import Method
from mccfr.strategy.strategy import Strategy, normalised, uniform_probabilities
from mccfr.tree.infosets import Infosets
from mccfr.tree.tree import Tree

Floats = npt.NDArray[np.float64]
MOST_DRAWN = 64  # actions, for samplers that draw a set of them


@functools.singledispatch
def bind(policy: Any, tree: Any) -> Any:
    """The policy with its tables made for this tree; a policy of your own may have a method `bind(tree)`."""
    return policy.bind(tree) if hasattr(policy, "bind") else policy


@bind.register
def _(policy: History, tree: Tree) -> History:
    _require_histories(policy, tree)
    size = tree.histories
    return policy._replace(table=np.zeros(size), visits=np.zeros(size if policy.rate == 0.0 else 1))


@bind.register
def _(policy: Predictive, tree: Tree) -> Predictive:
    _require_histories(policy, tree)
    return policy._replace(table=np.zeros(tree.histories))


def _require_histories(policy: Any, tree: Tree) -> None:
    """Refuse baselines of histories where a tree keeps none apart."""
    if tree.buckets is not None:
        tree.history_values(np.zeros(0))


@bind.register
def _(policy: Infoset, tree: Tree) -> Any:
    return tree.infoset_baseline(policy)


@bind.register
def _(policy: Static, tree: Tree) -> Static:
    if tree.buckets is not None and policy.strategy == "call":
        return policy._replace(strategy=0, table=tree.buckets.calling_values)
    return policy._replace(strategy=0, table=tree.history_values(static_strategy(policy.strategy, tree)))


@bind.register
def _(policy: OptimisticAverage, tree: Tree) -> OptimisticAverage:
    return policy._replace(last=np.zeros(tree.infosets.entries))


@bind.register
def _(policy: Discounted, tree: Tree) -> LazilyDiscounted:
    return LazilyDiscounted(policy.alpha, policy.beta, np.zeros(tree.infosets.entries), np.zeros(2))


@bind.register
def _(policy: CountedOutcome, tree: Tree) -> CountedOutcome:
    if not 0.0 <= policy.alpha <= 1.0:
        raise MethodError(f"CountedOutcome: alpha must be from 0 to 1, got {policy.alpha}")
    return policy._replace(counts=np.zeros(tree.infosets.entries))


@bind.register
def _(policy: Listed, tree: Tree) -> Listed | PackedList:
    if tree.public is not None and not tree.infosets.written:
        return PackedList(policy.p, packed_list(tree.public, policy.always))
    if tree.buckets is not None:
        return PackedList(policy.p, packed_blocks(tree.buckets.infosets, policy.always))
    return policy._replace(always="", rho=inclusion_table(tree.infosets, policy.p, policy.always))


VERBS = {
    "sampler": (samplers.draws, samplers.law),
    "estimator": (
        estimators.corrects,
        estimators.edge,
        estimators.guess,
        estimators.learn,
        estimators.seen,
        estimators.unseen,
    ),
    "minimiser": (absorb,),
    "averaging": (where, importance),
    "play": (strategy, kept),
    "reward": (felt,),
}  # what a part must answer; other verbs have usual answers


def check_answers(method: Method) -> None:
    """Refuse a part that leaves a question of the walk unanswered."""
    for role, verbs in VERBS.items():
        policy = getattr(method, role)
        missing = [verb.__name__ for verb in verbs if verb.body(type(policy)) is None]
        if missing:
            raise MethodError(
                f"the {role} {type(policy).__name__} does not answer {', '.join(missing)}: register a body for it"
            )


def bind_method(method: Method, tree: Tree) -> Parts:
    """All parts of a method, ready for the kernel."""
    check_answers(method)
    drawn = method.sampler if method.pruning is None else method.pruning
    if draws(drawn) in (EACH, SOME) and tree.infosets.widest > MOST_DRAWN:
        raise MethodError(f"{method}: draws sets of at most {MOST_DRAWN} actions, {tree.game} has more at an infoset")
    minimiser = bind(method.minimiser, tree)
    if method.batch > 1 or follows_all_others(method.sampler):  # such a walk may meet an infoset twice
        minimiser = deferred(minimiser, method.batch, tree.infosets)
    sampler, estimator, averaging = (bind(part, tree) for part in (drawn, method.estimator, method.averaging))
    return Parts(sampler, estimator, minimiser, averaging, method.play, method.reward)


def deferred(minimiser: Any, batch: int, infosets: Infosets) -> Deferred:
    """A minimiser whose strategy stands still for so many iterations, with its tables."""
    entries = infosets.entries
    waiting = np.zeros(2 * max(len(infosets), 1), dtype=np.uint64)
    return Deferred(minimiser, batch, np.zeros(entries), waiting, np.zeros(1, np.uint64), np.zeros(entries, np.uint8))


def static_strategy(given: Any, tree: Tree, said: str = "static({})") -> Floats:
    """The strategy a baseline speaks for: `call`, `uniform`, a file or a Strategy of this game.

    said: how a method names one, for errors.
    """
    word = said.partition("(")[0]
    if isinstance(given, str) and given == "uniform":
        return uniform_probabilities(tree.infosets)
    if isinstance(given, str) and given == "call":
        return calling_strategy(tree, said)
    if isinstance(given, str | os.PathLike):
        from mccfr.solvers.prepare import load

        given = load(given, game=tree)
    if not isinstance(given, Strategy):
        raise MethodError(f"{word}: strategy must be call, uniform, a strategy file or a Strategy, got {given!r}")
    if not given.infosets.fits(tree.infosets):
        raise StrategyError(
            f"{word}: a strategy of {given.game} cannot be a baseline for {tree.game}: its infosets differ"
        )
    return given.probabilities


def calling_strategy(tree: Tree, said: str = "static({})") -> Floats:
    """Always check or call; refused where neither exists. [Davis, Schmid, Bowling 2019, 5]"""
    return _preferring(tree, lambda actions: [a.lower() in ("check", "call") for a in actions], said)


def _preferring(tree: Tree, wanted: Any, said: str) -> Floats:
    infosets = tree.infosets
    per_menu = [wanted(menu) for menu in infosets.menus]
    weights = np.array([float(wish) for m in infosets.menu for wish in per_menu[m]])
    probabilities, found = normalised(infosets, weights)
    if not found.all():
        label = infosets.labels[int(np.flatnonzero(~found)[0])]
        told = f"infoset {label!r} of {tree.game} has neither check nor call; try {said.format('uniform')}"
        raise MethodError(f"{said.format('call')}: {told}")
    return probabilities
