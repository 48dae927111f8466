"""Iterations on a position whose leaves depend on ranges: the engines of vector sweeps and of public lines, asked anew.

A leaf is an ending whose matrix is written before it is used: by a sweep for every leaf, once for each player; by a
line for the leaf it comes to. Everything else is as for any other tree.
"""

import dataclasses
import functools
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import MethodError
from mccfr.kernel import layout
from mccfr.kernel.averaging import fade, fade_averages, importance
from mccfr.kernel.estimators import Static
from mccfr.kernel.minimisers import pace
from mccfr.kernel.public_line import LineForBoth, PastGate, walk_lines
from mccfr.kernel.sequence_form import Learn
from mccfr.kernel.vector import vector_respond
from mccfr.resolving.leaf_means import LeafMeans
from mccfr.resolving.leaves import Ranges
from mccfr.resolving.position_rules import GATE, STOPPED, Inside, PositionRules
from mccfr.resolving.public_places import decision_at, place_of
from mccfr.resolving.public_values import PublicValues, reaches
from mccfr.solvers.bind import static_strategy
from mccfr.solvers.method import FullWidth, Method, PublicOutcome
from mccfr.solvers.public_outcome import PublicOutcomeEngine
from mccfr.solvers.vector_engine import VectorEngine
from mccfr.strategy.strategy import Origin, Strategy
from mccfr.tree.dealt_tree import DealtTree

Floats = npt.NDArray[np.float64]


class Endings:
    """The endings of a position's tree: how many evaluations each is, and what leaves among them are worth."""

    def __init__(self, tree: DealtTree) -> None:
        rules = tree.infosets.rules
        assert isinstance(rules, PositionRules)
        self.tree, self.rules, self.leaves = tree, rules, rules.position.leaves
        ends = np.flatnonzero(tree.nodes[layout.KIND :: 4] & 255 == layout.TERMINAL).tolist()
        states = tree.infosets.states
        self.paid = {n: states[n] for n in ends if states[n] != STOPPED}
        changing = self.leaves is not None and self.leaves.by_ranges
        self.changing: dict[int, Inside] = {
            n: s for n, s in self.paid.items() if changing and isinstance(s, Inside) and rules.is_leaf(s)
        }
        hands = len(tree.hands[0]), len(tree.hands[1])
        self.means = {n: LeafMeans(hands) for n in self.changing}
        self.evaluated = self.evaluated_pairs = 0
        self._views: list[Any] = []

    @functools.cached_property
    def pairs(self) -> dict[int, int]:
        """Of each ending how many pairs of hands can come there."""
        key, chances = self.tree.chance_reach
        counts = np.count_nonzero(chances, axis=(1, 2))
        return {n: int(counts[key[n]]) for n in self.paid}

    @functools.cached_property
    def pairs_at(self) -> npt.NDArray[np.int64]:
        """[nodes] The same, 0 at what is no ending."""
        found = np.zeros(len(self.tree), np.int64)
        found[list(self.pairs)] = list(self.pairs.values())
        return found

    def serve(self, view: Any) -> None:
        """Keep the matrices of a kernel's view up to date as well."""
        self._views.append(view.pays)

    def write(self, node: int, ranges: Ranges, weight: float = 0.0, players: Iterable[int] = (0, 1)) -> None:
        """Ask what a leaf is worth with these ranges, and write it where endings are looked up.

        With a weight it counts in the means for the values of these players.
        """
        s = self.changing[node]
        assert self.leaves is not None
        dealt = tuple(own * at for own, at in zip(self.rules.position.ranges, ranges))
        worth = self.leaves.worth(self.rules.leaf(s), (dealt[0], dealt[1]))
        self._put(node, self._paid(s, worth))
        if weight:
            for player in players:
                self.means[node].note(player, worth, ranges, weight)

    def _paid(self, s: Inside, worth: Floats) -> Floats:
        """[hands 0, hands 1] The worth of a leaf as endings have it: times chance and share."""
        return np.asarray(s.chance * worth * self.rules.share)

    def _put(self, node: int, matrix: Floats) -> None:
        number = int(self.tree.nodes[4 * node])
        self.tree.matrices[number] = matrix
        for pays in self._views:
            pays.first[number] = matrix.T
            pays.second[number] = -matrix

    def write_all(self, probabilities: Floats, weight: float = 0.0, players: Iterable[int] = (0, 1)) -> None:
        """All leaves, with the ranges of a strategy."""
        if self.changing:
            first, second = reaches(self.tree, probabilities)
            for node in self.changing:
                self.write(node, (first[node], second[node]), weight, players)

    def fade(self, factor: float) -> None:
        """Let all evaluations so far count less in the means."""
        for means in self.means.values():
            means.fade(factor)

    def mean_trees(self, probabilities: Floats, onto: "Endings") -> tuple[DealtTree, DealtTree]:
        """For the values of each player, a tree with leaves as they were on average: this one, or with other ranges.

        Leaves that were never evaluated are, with the ranges of the average strategy.
        """
        first, second = reaches(self.tree, probabilities)
        for node, means in self.means.items():
            if not (means.known(0) and means.known(1)):
                self.write(node, (first[node], second[node]), 1.0)
        found = [dataclasses.replace(onto.tree, matrices=onto.tree.matrices.copy()) for _ in (0, 1)]
        for player, tree in enumerate(found):
            for node, s in self.changing.items():
                tree.matrices[int(tree.nodes[4 * node])] = onto._paid(s, self.means[node].mean(player))
        return found[0], found[1]

    def write_values(self, strategy: Floats) -> None:
        """All leaves, with what they are worth when both players follow a strategy of the whole game."""
        whole = self.rules.position.tree
        values = PublicValues(whole, strategy)
        for node, s in self.changing.items():
            at = place_of(whole, (*self.rules.position.place.line, *s.line))
            self._put(node, values.pairs(at.node) * self.rules.share)

    def count(self, visits: npt.NDArray[np.int64]) -> None:
        """[nodes] So often each of these endings was evaluated."""
        self.evaluated += int(visits.sum())
        self.evaluated_pairs += int(visits @ self.pairs_at)

    def once(self, nodes: Iterable[int]) -> npt.NDArray[np.int64]:
        """[nodes] Each of these endings once."""
        visits = np.zeros(len(self.tree), np.int64)
        visits[list(nodes)] = 1
        return visits


class LeafSweeps(VectorEngine):
    """Full-width iterations; leaves are asked anew before each player's sweep."""

    def __init__(self, tree: DealtTree, method: Method) -> None:
        super().__init__(tree, method)
        self.tree = tree.public_view(pairs=True)
        self.endings = Endings(tree)
        self.endings.serve(self.tree)

    def run(self, n: int) -> None:
        m, every = self.method, self.endings.once(self.endings.paid)
        for _ in range(n):
            t = float(self.clock[0]) + 1.0
            weight, less = importance(m.averaging, t), fade(m.averaging, t)
            actor = Learn(m.minimiser, pace(m.minimiser, t), weight)
            if less != 1.0:
                fade_averages(m.averaging, self.table, t)
                self.endings.fade(less)
            for player in (0, 1):
                self.endings.write_all(self.table.current, weight, (1 - player,))  # whose average grows now
                self.endings.count(every)
                vector_respond(actor, np.uint64(player), self.tree, self.table, self.work)
            self.clock[0] = t


class LeafLines(PublicOutcomeEngine):
    """Public outcome sampling; the leaf that a line comes to is asked, and the gate is always passed."""

    def __init__(self, tree: DealtTree, method: Method, seed: int) -> None:
        sampler = method.sampler
        assert isinstance(sampler, PublicOutcome)
        self.endings = Endings(tree)
        if not isinstance(sampler.start, str) or sampler.start not in ("nothing", "values"):
            raise MethodError(f"{method}: positions start with nothing or values")
        if isinstance(method.estimator, Static):
            method = self._with_static(tree, method)
        if sampler.start == "values":
            self.endings.write_all(tree.infosets.uniform())
            self.endings.count(self.endings.once(self.endings.changing))
        super().__init__(tree, method, seed, simultaneous=not sampler.alternating, start=sampler.start)
        self.endings.serve(self.tree)
        self._visits = np.zeros(len(tree), np.int64)  # of each node as an ending
        self._asked = np.zeros(len(tree), np.bool_)
        self._asked[list(self.endings.changing)] = True
        if tree.infosets.rules.root() == GATE:
            self.parts = self.parts._replace(sampler=PastGate(self.parts.sampler))

    @functools.cached_property
    def _alike(self) -> bool:
        """Whether no leaf changes and all endings are as many evaluations."""
        return not self.endings.changing and len(set(self.endings.pairs.values())) == 1

    def _with_static(self, tree: DealtTree, method: Method) -> Method:
        """The baseline's strategy is one of the whole game; here it goes on below leaves as well."""
        position = self.endings.rules.position
        whole = static_strategy(method.estimator.strategy, position.tree)
        self.endings.write_values(whole)
        here = carried_over(position.tree, tree, whole)
        given = Strategy(tree.infosets, here, Origin(tree.game))
        return dataclasses.replace(method, estimator=method.estimator._replace(strategy=given))

    @property
    def lines(self) -> int:
        """Of an iteration: one for both players, or one for each."""
        return 1 if isinstance(self.parts, LineForBoth) else 2

    def run(self, n: int) -> None:
        if not n or self._alike:  # all lines at once
            super().run(n)
            self.endings.evaluated += n * self.lines
            self.endings.evaluated_pairs += n * self.lines * next(iter(self.endings.pairs.values()))
            return
        self._reach_ahead(int(self.clock[0]) + n)
        if self.lines == 1:
            self._lines(n, 3)
            self.clock[0] += n
        else:
            for _ in range(n):
                self._lines(1, 1)
                self._lines(1, 2)
                self.clock[0] += 1.0

    def _lines(self, n: int, who: int) -> None:
        """So many lines from which one player learns, or both; compiled code returns for every leaf."""
        node = length = np.uint64(0)
        t, left = float(self.clock[0]) + 1.0, n
        while left:
            node, length, done = walk_lines(
                np.uint64(left), t, np.uint64(who), np.uint64(node), np.uint64(length), self._asked, self._visits,
                self.clock, self.parts, self.tree, self.table, self.work,
            )  # fmt: skip
            t, left = t + int(done), left - int(done)
            if length:
                self._ask(int(node), int(length), t, who)
        self.endings.count(self._visits)
        self._visits[:] = 0

    def _ask(self, node: int, length: int, t: float, who: int) -> None:
        """What the leaf is worth that a line of this length has come to; it counts as much as the line in averages."""
        hands = int(self.work.hands)
        drawn, weight = self.work.real[2 * (length - 1) : 2 * length]  # of the last event: its probability, and 1 / q
        counts = importance(self.parts.averaging, t) * float(weight / drawn)
        both = self.work.reach[2 * length * hands : 2 * (length + 1) * hands]
        first, second = int(self.work.first), int(self.work.second)
        players = [1 - learner for learner in (0, 1) if who >> learner & 1]
        self.endings.write(node, (both[:first], both[hands : hands + second]), counts, players)


def carried_over(whole: DealtTree, part: DealtTree, probabilities: Floats) -> Floats:
    """A strategy of the whole game on the tree of a position; even where the position has choices of its own."""
    rules = part.infosets.rules
    assert isinstance(rules, PositionRules)
    found = part.infosets.uniform()
    for player in (0, 1):
        for node, s, _ in part.infosets.decisions_of(player):
            if isinstance(s, Inside) and not rules.is_leaf(s):
                at = place_of(whole, (*rules.position.place.line, *s.line))
                decision_at(part, node).rows(found)[:] = decision_at(whole, at.node).rows(probabilities)
    return found


def position_engine(tree: DealtTree, method: Method, seed: int) -> LeafSweeps | LeafLines:
    """The engine of a method on a position with leaves that change, or for budgets in evaluations."""
    if isinstance(method.sampler, FullWidth):
        return LeafSweeps(tree, method)
    if isinstance(method.sampler, PublicOutcome):
        return LeafLines(tree, method, seed)
    raise MethodError(
        f"{method}: leaves that depend on ranges and budgets in evaluations take cfr, cfr_plus and other full-width "
        "methods, and public_outcome"
    )
