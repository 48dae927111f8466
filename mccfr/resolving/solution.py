"""A position that has been solved: what its player does with every hand, and what everybody's hands are worth now."""

import copy
import functools
import math
import time
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from mccfr.errors import MethodError
from mccfr.games.base import CHANCE, TERMINAL
from mccfr.kernel.layout import Table
from mccfr.resolving.budgets import Budget, read_budget
from mccfr.resolving.gadgets import Gadget, ResolvingError, Unsafe
from mccfr.resolving.kept_tables import hand_on
from mccfr.resolving.leaf_engines import Endings, LeafLines, LeafSweeps, position_engine
from mccfr.resolving.leaves import Leaves
from mccfr.resolving.position import Position, conditional, make_position
from mccfr.resolving.position_rules import DealtPosition
from mccfr.resolving.public_places import Place, actions_at, decision_at, mover_at, step, told
from mccfr.resolving.public_values import PublicValues, others_reach
from mccfr.solvers.choose_engine import engine_for
from mccfr.solvers.method import LinearProgramme, Method, PublicOutcome
from mccfr.solvers.prepare import compile as compile_game
from mccfr.strategy.strategy import Origin, Strategy
from mccfr.tree.dealt_tree import DealtTree, deal_out

Floats = npt.NDArray[np.float64]
FIRST_PIECE = 16  # iterations before the first look at the clock


class Solution:
    """What was found for a position.

    Attributes:
        position: The position.
        tree: Its tree, with its gate if hands are dealt behind one.
        probabilities: The average strategy on that tree, of both players.
        iterations: How many iterations there were.
        evaluations: How many public endings and leaves were evaluated; 0 if nobody counted.
        evaluated_pairs: The same for each pair of hands.
        seconds: How long that took.
    """

    def __init__(self, position: Position, tree: DealtTree, probabilities: Floats, endings: Endings | None) -> None:
        """Keep the average strategy, and what leaves were worth on average."""
        self.position, self.tree, self.probabilities = position, tree, probabilities
        self.iterations = self.evaluations = self.evaluated_pairs = 0
        self.seconds = self.clock = 0.0  # the latter counts iterations of kept tables, too
        self.table: Table | None = None  # regrets and averages, where they can be handed on
        if endings is not None:
            self.evaluations, self.evaluated_pairs = endings.evaluated, endings.evaluated_pairs
        self._endings = endings
        self.gated = isinstance(position, DealtPosition) and not isinstance(position.gadget, Unsafe)
        self.root = 2 if self.gated else 0  # behind the gate and its other end

    @functools.cached_property
    def values(self) -> PublicValues:
        """Reaches and values on the tree, whose endings have `share` in them.

        Also for hands that the opponent is not dealt, since it could have brought them.
        """
        position, tree = self.position, self.tree
        if isinstance(position.gadget, Unsafe) and np.any(position.opponent_range != 1.0):
            tree = deal_out(position.without_gadget())
        ends = self._endings
        if ends is None or not ends.changing:
            return PublicValues(tree, self.probabilities)
        trees = ends.mean_trees(self.probabilities, ends if tree is self.tree else Endings(tree))
        return PublicValues(tree, self.probabilities, trees)

    @functools.cached_property
    def share(self) -> Floats:
        """[hands 0, hands 1] With which weight each pair comes to the position, if the opponent brings every hand."""
        ones = np.ones(len(self.position.opponent_range))
        pair = (self.position.range, ones) if self.position.seat == 0 else (ones, self.position.range)
        share = np.outer(*pair)
        return share / float(np.sum(share * self.position.place.chance))

    def seen_by(self, seat: int) -> "Solution":
        """The same solution from the other seat; only of a position in which both ranges are dealt."""
        old = self.position
        turned = make_position(
            old.tree, old.place, seat, old.ranges[seat], np.zeros(len(old.ranges[1 - seat])), old.ranges[1 - seat],
            Unsafe(), old.depth, old.leaves,
        )  # fmt: skip
        found = copy.copy(self)
        found.position = turned
        return found

    def strategy(self) -> Strategy:
        """The average strategy, as that of any game."""
        return Strategy(self.tree.infosets, self.probabilities, Origin(str(self.position)), tree=self.tree)

    @property
    def actions(self) -> tuple[str, ...]:
        """What the player to move can do."""
        return actions_at(self.position.tree, self.position.place)

    def odds(self) -> Floats:
        """[hands, actions] What the player to move does with each hand; 0 for hands that it cannot hold."""
        place = self.position.place
        if mover_at(self.position.tree, place) in (CHANCE, TERMINAL):
            raise ResolvingError(f"nobody moves after {told(place.line)}")
        decision = decision_at(self.tree, self.root)
        found = np.zeros((len(self.tree.hands[mover_at(self.position.tree, place)]), decision.arity))
        found[decision.members] = decision.rows(self.probabilities)
        return found

    def node_of(self, line: Sequence[str]) -> int | None:
        """The node of the tree that a line from the position leads to; None where the look-ahead ended before."""
        node, at = self.root, self.position.place
        for action in line:
            if int(self.tree.nodes[4 * node + 3]) >> 8 == 0:  # an ending or a leaf
                return None
            actions = actions_at(self.position.tree, at)
            if action not in actions:
                step(self.position.tree, at, action)  # says what is wrong
            node = int(self.tree.nodes[4 * node]) + actions.index(action)
            at = step(self.position.tree, at, action)
        return node

    def below(self, place: Place, gadget: Gadget, values: str, depth: int | None, leaves: Leaves | None) -> Position:
        """The position of the same player at a place further down, with what this solution says about it."""
        old = self.position
        line = place.line[len(old.place.line) :]
        node = self.node_of(line)
        if node is None:
            raise ResolvingError(
                f"{old.tree.game}: a look-ahead of {old.depth} actions from {told(old.place.line)} ends before "
                f"{told(place.line)}: take a depth of {1 + sum(1 for _ in line)} or more"
            )
        seat, opponent = old.seat, old.opponent
        mine, theirs = self.values.reach(seat)[node], self.values.reach(opponent)[node]
        worth = self.values.value(opponent, node) if values == "average" else self.values.best(opponent, node)
        alternatives = conditional(worth, others_reach(place.chance * self.share, mine, opponent))
        if gadget.counts_gifts:
            alternatives += self._gifts(line)
        came = old.ranges[opponent] * theirs
        if not others_reach(place.chance, came, seat) @ (old.range * mine) > 0.0:
            came = np.ones(len(came))  # the opponent should never be here, so nothing is known about its hands
        return make_position(old.tree, place, seat, old.range * mine, alternatives, came, gadget, depth, leaves)

    def _gifts(self, line: Sequence[str]) -> Floats:
        """[hands of the opponent] What it gave away between this position and a line below, and by coming here at all.

        As `mccfr.resolving.position.gifts`; what hands were allowed to win here and do not is theirs to win later.
        """
        old, opponent = self.position, self.position.opponent
        allowed = self.margins if old.place.line else np.zeros(len(old.alternatives))
        total = np.where(np.isfinite(allowed), np.maximum(allowed, 0.0), 0.0)
        before, node = old.place, self.root
        for count, action in enumerate(line):
            after, below = step(old.tree, before, action), self.node_of(line[: count + 1])
            if mover_at(old.tree, before) == opponent and below is not None:
                given = self.values.best(opponent, node) - self.values.best(opponent, below)
                others = others_reach(before.chance * self.share, self.values.reach(old.seat)[node], opponent)
                total += conditional(np.maximum(given, 0.0), others)
            before, node = after, node if below is None else below
        return total

    @functools.cached_property
    def margins(self) -> Floats:
        """[hands of the opponent] alt(j) less the best that hand j can get now: what the player has gained on it."""
        position = self.position
        best = self.values.best(position.opponent, self.root)
        others = others_reach(position.place.chance * self.share, np.ones(len(position.range)), position.opponent)
        return np.where(others > 0.0, position.alternatives - conditional(best, others), math.inf)

    @property
    def bound(self) -> float:
        """By how much the opponent's best response to the whole strategy can have grown, in chips of the whole game.

        sum_j w(j) max(0, -margin(j)): hands for which this position is worth more than before, as if the opponent came
        here with all of them.
        """
        return float(np.sum(self.position.others * np.maximum(-self.margins, 0.0)))


def solve_position(
    position: Position, method: Method | str, budget: Budget, seed: int = 0, before: Solution | None = None
) -> Solution:
    """Solve a position by any method that takes its form; with a solution above it, going on from its tables."""
    method, budget = Method.parse(method), read_budget(budget)
    began = time.perf_counter()
    if not isinstance(position, DealtPosition):
        found = _solve_written(position, method, budget, seed)
    elif isinstance(method.sampler, LinearProgramme):
        tree = deal_out(position)
        _refuse_changing(position, f"{method} solves a game once")
        found = Solution(position, tree, _run(engine_for(tree.written, method, seed), tree.written, budget)[0], None)
    else:
        found = _solve_dealt(position, method, budget, seed, before)
    found.seconds = time.perf_counter() - began
    return found


def _solve_dealt(
    position: DealtPosition, method: Method, budget: Budget, seed: int, before: Solution | None
) -> Solution:
    tree = deal_out(position)
    changing = position.leaves is not None and position.leaves.by_ranges
    if changing or budget.evaluations is not None or isinstance(method.sampler, PublicOutcome):
        engine: Any = position_engine(tree, method, seed)
    else:
        engine = engine_for(tree, method, seed)
    if before is not None:
        hand_on(before, tree, engine)
    started = int(engine.clock[0])
    weights, iterations = _run(engine, tree, budget)
    found = Solution(position, tree, weights, getattr(engine, "endings", None))
    found.iterations, found.clock = iterations - started, float(iterations)
    found.table = engine.table if isinstance(getattr(engine, "table", None), Table) else None
    return found


def _solve_written(position: Position, method: Method, budget: Budget, seed: int) -> Solution:
    """A position whose opponent chooses its hand, solved as histories; told on the tree of hands that are dealt."""
    _refuse_changing(position, f"{position.gadget} has no public tree")
    if budget.evaluations is not None:
        raise ResolvingError(f"{position.gadget} is solved as histories: give a budget in iterations or seconds")
    if method.public:
        raise MethodError(f"{method} walks a public tree, and {position.gadget} has none: take the gadget resolve")
    tree = compile_game(cast(Any, position))
    weights, iterations = _run(engine_for(tree, method, seed), tree, budget)
    dealt = deal_out(position.without_gadget())
    probabilities = dealt.infosets.uniform()
    numbers = {(tree.infosets.owner(j), label): j for j, label in enumerate(tree.infosets.labels)}
    rules = dealt.infosets.rules
    for player in (0, 1):
        for node, s, hands in dealt.infosets.decisions_of(player):
            rows = decision_at(dealt, node).rows(probabilities)
            for row, hand in zip(rows, hands.tolist()):
                j = numbers.get((player, rules.label(s, player, hand)))
                if j is not None:  # a hand that can be held
                    row[:] = weights[tree.infosets.entry(j) : tree.infosets.entry(j) + len(row)]
    found = Solution(position, dealt, probabilities, None)
    found.iterations = iterations
    return found


def _refuse_changing(position: Position, why: str) -> None:
    if position.leaves is not None and position.leaves.by_ranges:
        raise ResolvingError(f"leaves that depend on ranges cannot be used here: {why}")


def _run(engine: Any, tree: Any, budget: Budget) -> tuple[Floats, int]:
    """Spend a budget; the average strategy and the iterations."""
    if budget.iterations is not None:
        engine.run(budget.iterations)
    elif budget.seconds is not None:
        _run_for(engine, budget.seconds)
    else:
        _run_evaluations(engine, budget)
    return np.asarray(tree.infosets.normalised(engine.weights())[0], np.float64), int(engine.clock[0])


def _run_for(engine: Any, seconds: float) -> None:
    """Iterations until the time is over; a piece that would not fit is made smaller."""
    engine.run(0)  # compiles
    began, piece = time.perf_counter(), FIRST_PIECE
    while True:
        before = time.perf_counter()
        engine.run(piece)
        now = time.perf_counter()
        left = seconds - (now - began)
        rate = piece / max(now - before, 1e-9)
        piece = min(2 * piece, int(left * rate))
        if piece < 1:
            return


def _run_evaluations(engine: "LeafSweeps | LeafLines", budget: Budget) -> None:
    """Iterations while evaluations are left; at least one."""
    endings = engine.endings
    counts = endings.pairs if budget.by_history else dict.fromkeys(endings.paid, 1)
    most = 2 * sum(counts.values()) if isinstance(engine, LeafSweeps) else engine.lines * max(counts.values())
    assert budget.evaluations is not None
    while True:
        used = endings.evaluated_pairs if budget.by_history else endings.evaluated
        left = (budget.evaluations - used) // most
        if left < 1 and used:
            return
        engine.run(max(left, 1))
