"""A position: a public state of a game with hands, to be solved again as a game of its own.

    range               with which probability each hand of the player in `seat`, who re-solves, has come here
    alternatives        alt(j): what the opponent gets on average with hand j when the game comes here
    opponent_range      for `unsafe` only: the other gadgets do not trust it

Payoffs are chips as in the game, given that everybody but the opponent leads here; times `weight` they are what this
part contributes to the whole game.
"""

import dataclasses
import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from mccfr.errors import quoted
from mccfr.games.base import CHANCE, TERMINAL
from mccfr.resolving.gadgets import Gadget, ResolvingError, Unsafe, read_gadget
from mccfr.resolving.public_places import Place, mover_at, place_of, start_of, step, told
from mccfr.resolving.public_values import PublicValues, others_reach
from mccfr.strategy.strategy import Strategy
from mccfr.tree.dealt_tree import DealtTree

if TYPE_CHECKING:
    from mccfr.resolving.leaves import Leaves

Floats = npt.NDArray[np.float64]
VALUES = ("best", "average")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Position:
    """A public state to be solved again: a game like any other, for `mccfr.solve` and all the rest.

    `mccfr.position` makes one from a strategy. Players keep their numbers and infosets their labels; what the opponent
    chooses before the position is the infoset `HAND:gate`, or `:gate` if it chooses its hand.

    Attributes:
        tree: The game in which it lies.
        place: The public state.
        seat: Who re-solves, 0 or 1.
        range: [hands of that player] With which probability each comes here.
        alternatives: [hands of the opponent] alt(j), in chips.
        opponent_range: [hands of the opponent] The same for the opponent; counts for `unsafe` only.
        gadget: What the opponent may do before the position.
        depth: After how many actions the game ends in leaves; None plays it to its end.
        leaves: What such leaves are worth.
        players: Always 2.

    Examples:
        >>> import mccfr
        >>> strategy = mccfr.solve("kuhn", "cfr_plus", iterations=2000).strategy()
        >>> position = mccfr.position(strategy, "bet", gadget="resolve")
        >>> position
        <Position of dealt:kuhn after 'bet' for player 1 behind resolve>
        >>> solved = mccfr.solve(position, "cfr_plus", iterations=2000)
        >>> {action: round(p, 2) for action, p in solved.strategy()["K:b"].items()}
        {'fold': 0.0, 'call': 1.0}
    """

    players: ClassVar[int] = 2

    tree: DealtTree
    place: Place
    seat: int
    range: Floats
    alternatives: Floats
    opponent_range: Floats
    gadget: Gadget
    depth: int | None = None
    leaves: "Leaves | None" = None

    def __post_init__(self) -> None:
        _check(self)

    @property
    def opponent(self) -> int:
        """The other player."""
        return 1 - self.seat

    @functools.cached_property
    def ranges(self) -> tuple[Floats, Floats]:
        """With which weights hands are dealt, player 0's first: the opponent's own range counts for `unsafe` only."""
        theirs = self.opponent_range if isinstance(self.gadget, Unsafe) else np.ones(len(self.opponent_range))
        return (self.range, theirs) if self.seat == 0 else (theirs, self.range)

    @functools.cached_property
    def weight(self) -> float:
        """K, the sum of chance and ranges over all pairs of hands: how likely the rest of the game leads here."""
        return float(self.ranges[0] @ self.place.chance @ self.ranges[1])

    @functools.cached_property
    def others(self) -> Floats:
        """[hands of the opponent] w(j): chance and the player's range."""
        return others_reach(self.place.chance, self.range, self.opponent)

    def __str__(self) -> str:
        return f"position of {self.tree.game} after {told(self.place.line)} for player {self.seat} behind {self.gadget}"

    def __repr__(self) -> str:
        return f"<P{str(self)[1:]}>"

    def without_gadget(self) -> "Position":
        """Take the gadget off; on the tree of what is left values are worked out.

        Returns:
            The same position with the opponent's hands dealt as chance has them.
        """
        return make_position(
            self.tree, self.place, self.seat, self.range, self.alternatives, np.ones(len(self.opponent_range)),
            Unsafe(), self.depth, self.leaves,
        )  # fmt: skip


def position(
    strategy: "Strategy | str",
    line: str | Sequence[str],
    gadget: Gadget | str = "resolve",
    player: int | None = None,
    values: str = "best",
    depth: int | None = None,
    leaves: "Leaves | str | None" = None,
) -> Position:
    """Make a game of a public state, with the ranges and values that a strategy has there.

    Args:
        strategy: A strategy of a game with a dealt form, such as Leduc, or its file.
        line: What has happened: labels of actions and public cards, with spaces, commas or slashes between them.
        gadget: What the opponent may do before the position: `"resolve"`, `"maxmargin"`, `"reach"`, or `"unsafe"` for
            nothing.
        player: Who re-solves; by default whoever is to move.
        values: What the opponent has as an alternative: the `"best"` it can do against the strategy from here on, which
            makes gadgets safe, or the `"average"`, what the strategy itself gives it.
        depth: After how many actions the game ends in leaves; None plays it to its end.
        leaves: What leaves are worth: `"solve(cfr_plus, 100)"`; `"blueprint"` or `"several"` to go on with the
            strategy; or an object with `worth`.

    Returns:
        The position: a game.

    Raises:
        ResolvingError: If the line does not exist or is over, if no hands can be dealt, or a word is unknown.

    Examples:
        >>> import mccfr
        >>> strategy = mccfr.uniform("leduc")
        >>> position = mccfr.position(strategy, "check bet", gadget="maxmargin")
        >>> print(f"{position.weight:.2f}")
        0.50
        >>> mccfr.position(strategy, "check fold")
        Traceback (most recent call last):
        ...
        mccfr.resolving.gadgets.ResolvingError: dealt:leduc: 'fold' cannot happen after 'check'; known: bet, check
    """
    from mccfr.resolving.dealt_strategies import public_form
    from mccfr.resolving.leaves import read_leaves

    given, tree = public_form(strategy)
    at = place_of(tree, line)
    mover = mover_at(tree, at)
    if mover == TERMINAL:
        raise ResolvingError(f"{tree.game}: {told(at.line)} is over, so there is nothing to solve")
    if player is None and mover == CHANCE:
        raise ResolvingError(f"{tree.game}: nobody moves after {told(at.line)}: say which player re-solves, 0 or 1")
    found = read_leaves(leaves, given)
    values_there = PublicValues(tree, given.probabilities)
    return position_from(values_there, at, mover if player is None else player, gadget, values, depth, found)


def position_from(
    found: PublicValues,
    at: Place,
    seat: int,
    gadget: Gadget | str = "resolve",
    values: str = "best",
    depth: int | None = None,
    leaves: "Leaves | None" = None,
) -> Position:
    """A position with the ranges and values that a strategy has there."""
    if seat not in (0, 1) or isinstance(seat, bool):
        raise ResolvingError(f"no player {quoted(seat)}: the players are 0 and 1")
    if values not in VALUES:
        raise ResolvingError(f"values of the opponent are {' or '.join(VALUES)}, not {quoted(values)}")
    gadget, opponent = read_gadget(gadget), 1 - seat
    mine, theirs = found.reach(seat)[at.node], found.reach(opponent)[at.node]
    worth = found.best(opponent, at.node) if values == "best" else found.value(opponent, at.node)
    alternatives = conditional(worth, others_reach(at.chance, mine, opponent))
    if gadget.counts_gifts:
        alternatives = alternatives + gifts(found, at, opponent)
    return make_position(found.tree, at, seat, mine, alternatives, theirs, gadget, depth, leaves)


def make_position(
    tree: DealtTree,
    place: Place,
    seat: int,
    mine: Floats,
    alternatives: Floats,
    theirs: Floats,
    gadget: Gadget,
    depth: int | None,
    leaves: "Leaves | None",
) -> Position:
    """A position in the form that its gadget needs."""
    from mccfr.resolving.chosen_hand import ChosenHandPosition
    from mccfr.resolving.position_rules import DealtPosition

    kind: type[Position] = ChosenHandPosition if gadget.chooses_hand else DealtPosition
    return kind(tree, place, seat, mine, alternatives, theirs, gadget, depth, leaves)


def conditional(values: Floats, others: Floats) -> Floats:
    """Counterfactual values divided by everybody else's reach; 0 where nobody else comes."""
    return np.divide(values, others, out=np.zeros_like(values), where=others > 0.0)


def gifts(found: PublicValues, at: Place, opponent: int) -> Floats:
    """[hands] What the opponent gave away on the way here with each hand. [Brown and Sandholm 2017]

    At each of its decisions, the value of its best action less that of the action taken, given that the game came
    there. Every position below gets the whole of it, as a value given that the game comes there; together they weigh
    at most what that decision does, so that it is spent once.
    """
    total = np.zeros(len(found.tree.hands[opponent]))
    before = start_of(found.tree)
    for action in at.line:
        after = step(found.tree, before, action)
        if mover_at(found.tree, before) == opponent:
            given = found.best(opponent, before.node) - found.best(opponent, after.node)
            others = others_reach(before.chance, found.reach(1 - opponent)[before.node], opponent)
            total += conditional(np.maximum(given, 0.0), others)
        before = after
    return total


def _check(found: Position) -> None:
    """Refuse ranges and values that cannot be."""
    name = f"{found.tree.game} after {told(found.place.line)}"
    hands = [len(each) for each in found.tree.hands]
    sizes = {"range": hands[found.seat], "alternatives": hands[found.opponent], "opponent_range": hands[found.opponent]}
    for what, size in sizes.items():
        numbers = getattr(found, what)
        if np.shape(numbers) != (size,) or not np.all(np.isfinite(numbers)):
            raise ResolvingError(f"{name}: {what} must be {size} finite numbers, one for each hand")
        if what != "alternatives" and np.any(numbers < 0.0):
            raise ResolvingError(f"{name}: {what} has probabilities below 0")
    depth = found.depth
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 1):
        raise ResolvingError(f"{name}: depth must be a whole number from 1, or None, not {quoted(depth)}")
    if depth is not None and found.leaves is None:
        raise ResolvingError(f"{name}: with a depth, say what leaves are worth: leaves='solve(cfr_plus, 100)' or so")
    if not found.weight > 0.0:
        raise ResolvingError(
            f"{name}: no hands can be dealt: a range is empty, or all its hands are blocked by those of the other"
        )
