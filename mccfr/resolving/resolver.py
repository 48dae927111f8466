"""Continual re-solving: a player that solves the position in front of it, move after move.

It keeps its own range and what each hand of the opponent is worth. At each of its decisions the public state becomes a
position behind a gadget, is solved as far as the depth goes, and the average strategy is played; the solution says
which range it then has, and what the opponent's hands are worth at every public state below. [Burch et al. 2014;
Moravcik et al. 2017] With public outcome sampling inside it is Monte Carlo continual re-solving. [Sustr, Kovarik, Lisy
2019]

Differences: values of the opponent are those of the average profile of the look-ahead, worked out exactly, not running
means of sampled values; only at leaves that change are they means over iterations (`mccfr.resolving.leaf_means`). The
first decision has no gadget, and both players' first positions come from one solution of the start.
"""

import hashlib
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import quoted
from mccfr.games.base import CHANCE, TERMINAL, Game
from mccfr.games.dealt import DealtForm
from mccfr.games.registry import as_game
from mccfr.resolving.budgets import Budget, read_budget
from mccfr.resolving.gadgets import Gadget, ResolvingError, Unsafe, read_gadget
from mccfr.resolving.leaves import Leaves, read_leaves
from mccfr.resolving.position import VALUES, Position, make_position, position_from
from mccfr.resolving.public_places import Place, actions_at, decision_at, mover_at, start_of, step, told
from mccfr.resolving.public_values import PublicValues
from mccfr.resolving.solution import Solution, solve_position
from mccfr.solvers.method import Method
from mccfr.solvers.prepare import compile as compile_game
from mccfr.strategy.strategy import Origin, Strategy
from mccfr.tree.dealt_tree import DealtTree
from mccfr.tree.tree import Tree
from mccfr.version import __version__

Floats = npt.NDArray[np.float64]
TABLES = ("reset", "kept")


class Resolver:
    """A player that re-solves every position that it comes to.

    Args:
        game: A game with hands: a string such as `"leduc"`, a `Game` with a dealt form, or a `DealtTree`.
        method: By which method positions are solved: full-width such as `"cfr_plus"`, sampled such as
            `"public_outcome+history(rate=0.5)+rm_plus+linear"`, or `"lp"`.
        depth: How many actions a look-ahead has; None looks to the end of the game. Public cards are not counted.
        gadget: What the opponent may do before a position: `"resolve"`, `"maxmargin"`, `"reach"` or `"unsafe"`.
        leaves: What look-aheads are worth where they end: `"solve(cfr_plus, 100)"`, `"blueprint"`, `"several"`, or an
            object with `worth`.
        budget: What each position may cost: `"1000 iterations"`, `"10k evaluations"`, `"2s"`; a number means
            iterations.
        blueprint: A strategy of the game. Its ranges and values are those of the first position, in place of a
            solution of the start; and some leaves go on with it.
        values: What the opponent's hands are worth in a solution: the `"best"` that they can do against it, or the
            `"average"`, as both play; with hands that the opponent would not have brought there, an average strategy
            may do anything, and then the second understates them.
        tables: Whether a position begins with nothing, `"reset"`, or with the regrets and averages that the solution
            above it has for the same infosets, `"kept"`.
        seed: Seed of sampled methods and of the actions that are drawn. A position's own seed follows from it and from
            the line, so a position has the same solution whenever it is come to.

    Attributes:
        tree: The game's public tree.
        solution: The last position that was solved; None before the first.
        place: Where the game stands.

    Raises:
        ResolvingError: If a word is unknown or the game has no hands.

    Examples:
        >>> import mccfr
        >>> player = mccfr.Resolver("kuhn", "cfr_plus", budget="2000 iterations", seed=1)
        >>> player.start(seat=1, hand="K")
        >>> player.observe("bet")
        >>> player.act()
        'call'
        >>> print(f"{mccfr.exploitability(player.strategy()):.4f}")
        0.0002
    """

    def __init__(
        self,
        game: "str | Game | Tree",
        method: str | Method = "cfr_plus",
        depth: int | None = None,
        gadget: Gadget | str = "resolve",
        leaves: Leaves | str | None = None,
        budget: Budget | str | int = "1000 iterations",
        blueprint: Strategy | None = None,
        values: str = "best",
        tables: str = "reset",
        seed: int = 0,
    ) -> None:
        self.method, self.gadget, self.budget = Method.parse(method), read_gadget(gadget), read_budget(budget)
        self.tree = dealt_tree(game)
        self.depth, self.values, self.seed = depth, values, seed
        if values not in VALUES:
            raise ResolvingError(f"values of the opponent are {' or '.join(VALUES)}, not {quoted(values)}")
        if tables not in TABLES:
            raise ResolvingError(
                f"tables are {' or '.join(TABLES)} from one position to the next, not {quoted(tables)}"
            )
        self.tables = tables
        self.blueprint = None if blueprint is None else _of_this_game(blueprint, self.tree)
        self.leaves = read_leaves(leaves, self.blueprint)
        self._known = None if self.blueprint is None else PublicValues(self.tree, self.blueprint.probabilities)
        self._first: Solution | None = None
        self.start()

    # ---- a game

    def start(self, seat: int = 0, hand: str | None = None) -> None:
        """Begin a game.

        Args:
            seat: Which player this is, 0 or 1.
            hand: The player's own hand, for `act`; without one it can be asked for what all hands do.

        Raises:
            ResolvingError: If there is no such player or hand.
        """
        if seat not in (0, 1) or isinstance(seat, bool):
            raise ResolvingError(f"no player {quoted(seat)}: the players are 0 and 1")
        if hand is not None and hand not in self.tree.hands[seat]:
            some = ", ".join(self.tree.hands[seat][:8])
            raise ResolvingError(
                f"{self.tree.game}: player {seat} is dealt no {quoted(hand)}: hands are {some} and so on"
            )
        self.seat, self.hand = seat, hand
        self.place: Place = start_of(self.tree)
        self.solution: Solution | None = None
        self._dice = random.Random(f"{self.seed} actions")

    def mover(self, place: Place) -> int:
        """Who is to move at a place.

        Args:
            place: The place, as `mccfr.resolving.public_places.place_of` finds it.

        Returns:
            0 or 1.

        Raises:
            ResolvingError: If the game is over there, or a card is to come.
        """
        mover = mover_at(self.tree, place)
        if mover == TERMINAL:
            raise ResolvingError(f"{self.tree.game}: {told(place.line)} is over, so there is nothing to solve")
        if mover == CHANCE:
            raise ResolvingError(f"{self.tree.game}: a card is to come after {told(place.line)}: add it to the line")
        return mover

    def observe(self, event: str) -> None:
        """Take note of what happened: an action of either player, or a public card.

        Args:
            event: Its label.

        Raises:
            ResolvingError: If it cannot happen now.
        """
        after = step(self.tree, self.place, event)
        if mover_at(self.tree, self.place) == self.seat:
            self.solve()
        self.place = after

    def solve(self) -> Solution:
        """Solve the position in front of the player, unless that has been done.

        Returns:
            The solution, with the position, the strategy of both players and everybody's values.

        Raises:
            ResolvingError: If the player is not to move.
        """
        if mover_at(self.tree, self.place) != self.seat:
            raise ResolvingError(f"{self.tree.game}: player {self.seat} is not to move after {told(self.place.line)}")
        if self.solution is None or self.solution.position.place.line != self.place.line:
            self.solution = self.solve_at(self.place, self.seat, self.solution)
        return self.solution

    def odds(self) -> dict[str, dict[str, float]]:
        """What the player does now with each hand.

        Returns:
            By hand, the probability of each action.
        """
        rows, actions = self.solve().odds(), actions_at(self.tree, self.place)
        return {
            hand: dict(zip(actions, row.tolist())) for hand, row in zip(self.tree.hands[self.seat], rows) if row.any()
        }

    def act(self) -> str:
        """Solve the position, draw an action for the player's hand, and take note of it.

        Returns:
            The action.

        Raises:
            ResolvingError: If the player is not to move, has no hand, or cannot hold it here.
        """
        if self.hand is None:
            raise ResolvingError("this player has no hand: begin with start(seat, hand)")
        odds = self.odds()
        if self.hand not in odds:
            raise ResolvingError(f"{self.tree.game}: {self.hand} cannot be held after {told(self.place.line)}")
        action = self._dice.choices(list(odds[self.hand]), list(odds[self.hand].values()))[0]
        self.observe(action)
        return action

    @property
    def range(self) -> dict[str, float]:
        """With which probability each hand of the player has come here."""
        if self.solution is None:
            return dict.fromkeys(self.tree.hands[self.seat], 1.0)
        node = self.solution.node_of(self.place.line[len(self.solution.position.place.line) :])
        old = self.solution.position.range
        here = old if node is None else old * self.solution.values.reach(self.seat)[node]
        return dict(zip(self.tree.hands[self.seat], here.tolist()))

    @property
    def opponent_values(self) -> dict[str, float]:
        """What each hand of the opponent is worth to it where the game stands, in chips, as far as the player knows."""
        position = self.position_at(self.place, self.seat, self.solution)
        return dict(zip(self.tree.hands[1 - self.seat], position.alternatives.tolist()))

    # ---- positions

    def first(self) -> Solution:
        """Solve the start of the game without a gadget, once for both players.

        Returns:
            The solution.
        """
        if self._first is None:
            ones = [np.ones(len(hands)) for hands in self.tree.hands]
            start = make_position(
                self.tree, start_of(self.tree), 0, ones[0], np.zeros(len(ones[1])), ones[1], Unsafe(), self.depth,
                self.leaves,
            )  # fmt: skip
            self._first = self._solved(start)
        return self._first

    def position_at(self, place: Place, seat: int, before: Solution | None) -> Position:
        """Make the position of a player at a place.

        Args:
            place: The place.
            seat: The player.
            before: The player's last solution on the way; None if there was none.

        Returns:
            The position, with the range and the values that follow from that solution, or from the blueprint.
        """
        if before is None and self._known is not None:
            values = "best" if self.gadget.safe else self.values
            return position_from(self._known, place, seat, self.gadget, values, self.depth, self.leaves)
        last = self.first() if before is None else before
        if last.position.seat != seat:
            last = last.seen_by(seat)
        return last.below(place, self.gadget, self.values, self.depth, self.leaves)

    def solve_at(self, place: Place, seat: int, before: Solution | None) -> Solution:
        """Solve a player's position at a place; the start of the game needs no gadget.

        Args:
            place: The place.
            seat: The player.
            before: The player's last solution on the way; None if there was none.

        Returns:
            The solution.
        """
        if not place.line and before is None and self._known is None:
            return self.first()
        position = self.position_at(place, seat, before)
        above = before if before is not None or self._known is not None else self.first()
        return self._solved(position, above if self.tables == "kept" else None)

    def _solved(self, position: Position, above: Solution | None = None) -> Solution:
        words = f"{self.seed} {position.seat} {' '.join(position.place.line)}"
        seed = int.from_bytes(hashlib.sha256(words.encode()).digest()[:7])
        return solve_position(position, self.method, self.budget, seed, above)

    # ---- everything

    def strategy(self, watch: Callable[[int, int], Any] | None = None) -> Strategy:
        """Re-solve every decision of both players, as if each came up in play, and put the strategy together.

        Args:
            watch: Told after each position how many were solved and how many there are.

        Returns:
            A strategy of the whole game. Where a player's own strategy never leads it plays uniformly.
        """
        table = self.tree.infosets.uniform()
        self.bounds = [0.0, 0.0]  # of each player: by how much the other's best response may have grown
        self.costs = {"positions": 0, "evaluations": 0, "evaluated_pairs": 0, "iterations": 0}
        kinds = self.tree.nodes[3::4] & 255
        every = int(np.count_nonzero(kinds <= 1))
        waiting: list[tuple[int, Place, Solution | None]] = [(p, start_of(self.tree), None) for p in (1, 0)]
        while waiting:
            seat, place, last = waiting.pop()
            mover = mover_at(self.tree, place)
            if mover == TERMINAL:
                continue
            if mover == seat:
                found = self._solve_if_reached(place, seat, last)
                if found is None:
                    continue
                last = found
                self._note(found, seat, place, table)
                if watch is not None:
                    watch(self.costs["positions"], every)
            waiting += [(seat, step(self.tree, place, a), last) for a in actions_at(self.tree, place)]
        origin = Origin(self.tree.game, f"re-solving by {self.method}", seed=self.seed, version=__version__)
        return Strategy(self.tree.infosets, table, origin, tree=self.tree)

    def _solve_if_reached(self, place: Place, seat: int, last: Solution | None) -> Solution | None:
        """The solution at a place; None where the player's own range is empty, or a card cannot come."""
        if last is not None:
            node = last.node_of(place.line[len(last.position.place.line) :])
            mine = last.position.range if node is None else last.position.range * last.values.reach(seat)[node]
            held = mine @ place.chance if seat == 0 else place.chance @ mine
            if not held.any():
                return None
        return self.solve_at(place, seat, last)

    def _note(self, found: Solution, seat: int, place: Place, table: Floats) -> None:
        """Keep what was found at a decision."""
        decision = decision_at(self.tree, place.node)
        decision.rows(table)[:] = found.odds()[decision.members]
        self.costs["positions"] += 1
        self.costs["evaluations"] += found.evaluations
        self.costs["evaluated_pairs"] += found.evaluated_pairs
        self.costs["iterations"] += found.iterations
        if found.position.gadget.safe:
            self.bounds[seat] += found.bound


def dealt_tree(game: "str | Game | Tree") -> DealtTree:
    """The public tree of a game with hands."""
    given = as_game(game) if not isinstance(game, Tree) else game
    tree = given if isinstance(given, Tree) else None
    if tree is None:
        if hasattr(given, "streets") or getattr(given, "buckets", None) is not None:
            raise ResolvingError(
                f"{quoted(str(given))} is hold'em with boards: its positions are re-solved by agents such as "
                "'blueprint:nolimit+resolve(river)'"
            )
        plain: Any = given if getattr(given, "dealt_only", False) else DealtForm(given)
        tree = compile_game(plain)
    if tree.public is None:
        raise ResolvingError(f"{tree.game} has no public states: re-solving takes a game with a dealt form")
    return tree.public


def _of_this_game(blueprint: Strategy, tree: DealtTree) -> Strategy:
    """A blueprint on the tree; refuses one of another game."""
    if not isinstance(blueprint, Strategy):
        raise ResolvingError(f"blueprint must be a Strategy of {tree.game}, not {quoted(blueprint)}")
    if not blueprint.infosets.fits(tree.infosets):
        raise ResolvingError(f"a blueprint of {blueprint.game} does not fit {tree.game}: their infosets differ")
    return blueprint
