"""A strategy of hold'em re-solved on a street: every position of it, for both players, and put together again.

For each player i, every position of the street is put behind a gadget (`mccfr.resolving.gadgets`) with i's range and
what the position was worth to each hand of the opponent, and solved with every card; i's part of the solutions replaces
i's strategy on that street and on later ones. The result is a strategy of the whole game with every card, so its
exploitability is exact.

What reaching a position was worth can be taken from three places:

    best        a best response to the strategy so far: counterfactual best response values. With these the gadgets that
                are safe do not raise exploitability, but for the error of the solver, and `bound` says how much that is
    profile     the values of the strategy itself, which an opponent may exceed: no guarantee
    zero_sum    best response values of both players, lowered by the same number of chips a hand so that they sum to 0,
                as slumbot2019 does (github.com/ericgjackson/slumbot2019, src/subgame_utils.cpp): no guarantee either
"""

import time
from datetime import UTC, datetime
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.errors import MethodError, StrategyError, quoted
from mccfr.evaluate.board_rows import row_table
from mccfr.evaluate.real_game import refuse_many_boards, without_buckets
from mccfr.evaluate.street_values import StreetEvaluator
from mccfr.kernel.averaging import Average
from mccfr.kernel.position_gates import Gate
from mccfr.kernel.street_actors import BEST_VALUE, FOLLOW_STRATEGY
from mccfr.kernel.street_layout import Open
from mccfr.kernel.street_rows import bucket_lanes, strategy_lanes, to_rows
from mccfr.resolving.gadgets import Gadget, ResolvingError, read_gadget
from mccfr.resolving.street_positions import StreetPositions
from mccfr.resolving.trunk import Trunk
from mccfr.solvers.method import FullWidth, Method
from mccfr.solvers.street_engine import StreetEngine
from mccfr.strategy.strategy import Origin, Strategy
from mccfr.tree.bucket_tree import BucketTree
from mccfr.tree.street_build import lay_out_streets
from mccfr.tree.street_tree import StreetTree
from mccfr.version import __version__

BEST, PROFILE, ZERO_SUM = "best", "profile", "zero_sum"
VALUES = (BEST, PROFILE, ZERO_SUM)
STREETS = ("preflop", "flop", "turn", "river")
Floats = npt.NDArray[np.float64]


class Resolved(NamedTuple):
    """A strategy that was re-solved on a street.

    Attributes:
        strategy: The strategy, of the whole game with every card.
        positions: How many positions were solved, each for both players.
        before: What best responses of both players got against the strategy before, in chips.
        after: What they get now.
        error: At most so much more each gets by what the solver left undone; counted from best response values, so with
            others it may be large.
        seconds: How long it took.

    Examples:
        >>> import mccfr
        >>> from mccfr.resolving.resolve_street import resolve_street
        >>> game = "holdem(limit(cap=1, bets=2), ehs2(2), ranks=4, suits=2, board='1 1 1')"
        >>> found = resolve_street(mccfr.uniform(game), "river", "resolve", iterations=50)
        >>> found.exploitability(after=False) > found.exploitability(), found.exploitability() <= found.bound
        (True, True)
    """

    strategy: Strategy
    positions: int
    before: tuple[float, float]
    after: tuple[float, float]
    error: tuple[float, float]
    seconds: float

    def exploitability(self, after: bool = True) -> float:
        """Compute NashConv / 2, in chips.

        Args:
            after: Whether that of the new strategy is wanted, or that of the one before.

        Returns:
            What a best response wins on average over both seats.
        """
        return sum(self.after if after else self.before) / 2

    @property
    def bound(self) -> float:
        """The exploitability that cannot be exceeded: the one before, and what the solver left undone."""
        return (sum(self.before) + sum(self.error)) / 2


class StreetResolver:
    """A strategy of hold'em, to be re-solved on a street by different gadgets.

    Args:
        blueprint: A strategy of hold'em, with buckets or with every card.
        workers: How many threads solve positions.

    Attributes:
        tree: The game with every card.
        lanes: What every hand plays on every board.

    Raises:
        ResolvingError: If it is no strategy of hold'em.
    """

    def __init__(self, blueprint: Strategy, workers: int = 1) -> None:
        self.origin, self.workers = blueprint.origin, workers
        self.tree, self.lanes = every_card(blueprint)
        self.evaluator = StreetEvaluator(self.tree, workers)
        self.before = self.evaluator.best_values(self._rows(self.lanes))
        self.table = self.evaluator.table()._replace(current=self.lanes)
        self._streets: dict[int, StreetPositions] = {}
        self._worth: dict[tuple[int, int, int], Floats] = {}

    def resolve(
        self,
        street: str | int,
        gadget: Gadget | str = "resolve",
        values: str = BEST,
        method: str | Method = "cfr_plus",
        iterations: int = 200,
    ) -> Resolved:
        """Solve every position of a street again; see `resolve_street`.

        Args:
            street: Its name or number, after the first: `river`, `turn`, 3.
            gadget: The gadget, by name.
            values: What reaching a position was worth to the opponent: best, profile or zero_sum.
            method: A full-width method with a plain average.
            iterations: Of each position, for each player.

        Returns:
            The new strategy, with its exploitability and that before.

        Raises:
            ResolvingError: If the street, the gadget, the values or the iterations make no sense.
            MethodError: If the method does not fit.
        """
        kind, number = read_gadget(gadget), self._street(street)
        if values not in VALUES:
            raise ResolvingError(f"values {quoted(values)}: expected one of {', '.join(VALUES)}")
        if type(iterations) is not int or iterations < 1:
            raise ResolvingError(f"iterations must be a whole number from 1, got {quoted(iterations)}")
        began, positions = time.perf_counter(), self._positions(number)
        chosen = fitting(method)
        rows = self._rows(self.lanes)
        solved = None
        for player in (0, 1):
            if kind.safe or solved is None:
                paid = self.alternatives(positions, kind, values, 1 - player) if kind.safe else None
                gate = positions.gate(1 - player, paid, kind.chooses_hand, self.tree.precision(chosen.tables))
                solved = self._solve(positions, gate, chosen, iterations)
            self._replace(rows, solved, number, player)
        after = self.evaluator.best_values(rows)
        lanes = np.empty_like(rows)
        strategy_lanes(self.evaluator.sweeps.lines, self.tree.boards.boards, rows, lanes)
        error = self._error(positions, kind, 1, lanes), self._error(positions, kind, 0, lanes)
        method_text = f"{self.origin.method}, street {number + 1} re-solved by {kind} ({values}), {chosen}"
        strategy = self._strategy(rows, method_text, iterations)
        count = positions.size[0].size
        return Resolved(strategy, count, self.before, after, error, time.perf_counter() - began)

    # ---- parts

    def _street(self, given: str | int) -> int:
        count = self.tree.laid.streets
        names = STREETS[-count:] if self.tree.rules.board else STREETS[:count]
        number = names.index(given) if given in names else given
        if type(number) is not int or not 1 <= number < count:
            known = f"{', '.join(names[1:])} (or 1 to {count - 1})" if count > 1 else "a game of several streets"
            raise ResolvingError(f"street {quoted(given)} cannot be re-solved: expected {known}")
        return number

    def _positions(self, street: int) -> StreetPositions:
        if street not in self._streets:
            self._streets[street] = StreetPositions(Trunk(self.tree, self.table, street))
        return self._streets[street]

    def worth(self, positions: StreetPositions, way: int, player: int) -> Floats:
        """[boards, roots, stride] what the positions were worth to a player, who follows the blueprint or responds."""
        asked = positions.trunk.street, way, player
        if asked not in self._worth:
            self._worth[asked] = positions.worth(way, player, self.table, self.workers)
        return self._worth[asked]

    def alternatives(self, positions: StreetPositions, kind: Gadget, values: str, opponent: int) -> Floats:
        """[boards, roots, stride] what the gadget pays each hand of the opponent, or asks of it."""
        way = int(FOLLOW_STRATEGY if values == PROFILE else BEST_VALUE)
        found = self.worth(positions, way, opponent)
        if values == ZERO_SUM:
            other = self.worth(positions, way, 1 - opponent)
            found = found - zero_sum_shift(positions, opponent, found, other)[:, :, None] * positions.weight[opponent]
        if kind.counts_gifts:
            trunk = positions.trunk
            gift = positions.from_hands(trunk.gifts(opponent, way), opponent)
            found = found + trunk.chances[trunk.street] * positions.weight[opponent] * gift
        return found

    def _solve(self, positions: StreetPositions, gate: Gate, method: Method, iterations: int) -> Floats:
        """The average strategies of all positions, as weights in rows."""
        engine = StreetEngine(self.tree, method, 1, 0)
        ranges = positions.ranges(self.tree.precision(method.tables))
        positions.sweep(iterations, engine.actor, gate, (0, 2), engine.table, ranges, engine.sweeps, self.workers)
        return np.asarray(engine.weights(), np.float64)

    def _replace(self, rows: Floats, solved: Floats, street: int, player: int) -> None:
        """A player's rows on a street and later become those that were solved, where something was."""
        laid, boards = self.tree.laid, self.tree.boards
        for board in np.flatnonzero(boards.street >= street).tolist():
            begin = int(boards.boards.base[4 * board + 2 * player])
            end = begin + len(boards.members[2 * board + player]) * int(laid.entries[boards.street[board], player])
            self._replace_board(rows[begin:end], solved[begin:end], board, player)

    def _replace_board(self, rows: Floats, solved: Floats, board: int, player: int) -> None:
        laid, boards = self.tree.laid, self.tree.boards
        hands = len(boards.members[2 * board + player])
        for node in laid.nodes_of(int(boards.street[board])):
            if laid.kind[node] == player:
                arity, begin = int(laid.arity[node]), int(laid.entry[node]) * hands
                some, shape = slice(begin, begin + arity * hands), (hands, arity)
                new = solved[some].reshape(shape)
                total = new.sum(axis=1, keepdims=True)
                np.divide(new, total, out=rows[some].reshape(shape), where=total > 0)

    def _error(self, positions: StreetPositions, kind: Gadget, player: int, lanes: Floats) -> float:
        """At most so much more the best response of the other player gets than against the blueprint.

        What a position is worth above alt(j) counts; with gifts, above alt(j) + gift(j), since a gift is made good by
        nothing but the action that lost it: see `Trunk.rise`.
        """
        opponent = 1 - player
        now = positions.worth(int(BEST_VALUE), opponent, self.table._replace(current=lanes), self.workers)
        more = np.maximum(now - self.alternatives(positions, kind, BEST, opponent), 0.0)
        more *= positions.size[player][:, :, None]
        return positions.trunk.rise(opponent, positions.by_hand(more, opponent))

    def _rows(self, lanes: Floats) -> Floats:
        rows = np.empty_like(lanes)
        to_rows(self.tree.laid.lines, self.tree.boards.boards, lanes, rows)
        return rows

    def _strategy(self, rows: Floats, method: str, iterations: int) -> Strategy:
        created = datetime.now(UTC).isoformat(timespec="seconds")
        origin = Origin(self.tree.game, method, self.origin.seed, iterations, __version__, created)
        return Strategy(self.tree.infosets, rows, origin, tree=self.tree)


def resolve_street(
    blueprint: Strategy,
    street: str | int,
    gadget: Gadget | str = "resolve",
    values: str = BEST,
    method: str | Method = "cfr_plus",
    iterations: int = 200,
    workers: int = 1,
) -> Resolved:
    """Solve every position of a street of hold'em again, for both players, and put the strategy together.

    Args:
        blueprint: A strategy of hold'em, with buckets or with every card.
        street: Its name or number, after the first: `river`, `turn`, 3. A position contains all later streets.
        gadget: unsafe, resolve, maxmargin or reach.
        values: What reaching a position was worth to the opponent: best, profile or zero_sum.
        method: A full-width method with a plain average.
        iterations: Of each position, for each player.
        workers: How many threads solve positions.

    Returns:
        The new strategy, of the game with every card, with its exploitability and that before.

    Raises:
        ResolvingError: If there is nothing to re-solve, or not like that.
        MethodError: If the method does not fit.

    Examples:
        >>> import mccfr
        >>> game = "holdem(limit(cap=1, bets=2), ranks=4, suits=2, board='1 1 1')"
        >>> found = resolve_street(mccfr.uniform(game), "turn", "maxmargin", iterations=50)
        >>> found.positions
        252
    """
    return StreetResolver(blueprint, workers).resolve(street, gadget, values, method, iterations)


def every_card(blueprint: Strategy) -> tuple[StreetTree, Floats]:
    """The game of a strategy with every card, and what every hand plays there, in lanes."""
    tree = blueprint.tree
    if isinstance(tree, BucketTree):
        _refuse_many_boards(tree)
        real = lay_out_streets(without_buckets(tree), tree.limit or None)
        rows, lanes = np.zeros((2, real.infosets.entries))
        bucket_lanes(real.laid.lines, real.boards.boards, row_table(blueprint, tree, real), lanes)
        to_rows(real.laid.lines, real.boards.boards, lanes, rows)
    elif isinstance(tree, StreetTree):
        if not isinstance(tree.gate, Open):
            raise ResolvingError(f"{blueprint.game} is behind a gadget already: give the strategy of a whole game")
        real, rows = tree, np.ascontiguousarray(blueprint.probabilities, np.float64)
        lanes = np.zeros(real.infosets.entries)
    else:
        raise ResolvingError(
            f"{blueprint.game} has no streets to re-solve: expected a strategy of hold'em or of a spot"
        )
    strategy_lanes(real.laid.lines, real.boards.boards, rows, lanes)  # divided by their sums, which may be rounded
    return real, lanes


def _refuse_many_boards(tree: BucketTree) -> None:
    try:
        refuse_many_boards(tree)
    except StrategyError as error:
        problem = str(error).partition(", too many")[0]
        raise ResolvingError(f"{problem}: too many to solve all positions of a street, choose a smaller deck") from None


def fitting(given: str | Method) -> Method:
    """A method that can solve positions: full width, alternating, with an average in which nothing fades."""
    method = Method.parse(given) if isinstance(given, str) else given
    if not isinstance(method.sampler, FullWidth) or type(method.averaging) is not Average:
        raise MethodError(f"{method} cannot solve positions: expected a full-width method such as cfr_plus or dcfr")
    return method


def zero_sum_shift(positions: StreetPositions, player: int, mine: Any, other: Any) -> Floats:
    """[boards, roots] half of what both players' best responses win together, for each pair of hands that can be."""
    total = (positions.reach[player] * mine).sum(axis=2) + (positions.reach[1 - player] * other).sum(axis=2)
    pairs = (positions.reach[player] * positions.weight[player]).sum(axis=2)
    return np.asarray(np.divide(total / 2, pairs, out=np.zeros_like(total), where=pairs > 0))
