"""What a player of hold'em wants to know of one node: ranges, equity, EV and frequencies, hand by hand and in all.

The EV of a hand is what it gets out of the pot in the end less what it still puts in from the node on, as postflop
solvers count it; both players' EVs sum to the pot at the node. A range as a whole counts each hand as often as it meets
a hand of the other range, so that blockers matter.
"""

import dataclasses
import math
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.cards.deck import CLASS_OF_HAND, CLASSES, RANKS
from mccfr.cards.grid import draw_grid, grid_table, save_sheet
from mccfr.cards.ranges import Deck, Range, deck_of
from mccfr.errors import StrategyError, nearest, quoted

if TYPE_CHECKING:
    from rich.table import Table

Floats = npt.NDArray[np.float64]
WORDS = {"f": "fold", "k": "check", "c": "call", "b": "bet", "r": "raise", "a": "all-in"}


class HandView(NamedTuple):
    """One hand of a player at a node. The two dicts are empty if the other player moves, or nobody.

    Attributes:
        hand: The hand, as in `AsKh`.
        player: Who holds it.
        reach: How often the player comes here with it: its weight in the range times the probabilities of the line.
        weight: The reach times the hands of the other player that it can meet, each counted with its own reach.
        equity: Its share of the pot if no more bets were made, over all cards to come; NaN if it meets no hand.
        ev: Its EV in chips; NaN if it meets no hand.
        frequency: How often it takes each action.
        action_ev: The EV of each action, in chips.

    Examples:
        >>> import mccfr
        >>> river = mccfr.spot(board="Qs Jh 2h 8c 3d", pot=100, stack=100, oop="QQ,AA", ip="JJ", bet="a", raise_="a")
        >>> row = mccfr.view(mccfr.uniform(river), "a100").hands(1, "JsJd")[0]
        >>> row.frequency, f"{row.action_ev['c']:.2f}", f"{row.equity:.4f}"
        ({'f': 0.5, 'c': 0.5}, '100.00', '0.6667')
    """

    hand: str
    player: int
    reach: float
    weight: float
    equity: float
    ev: float
    frequency: dict[str, float]
    action_ev: dict[str, float]


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class NodeView:
    """One node of a hold'em strategy: who holds what there, what it is worth, and how often each action is taken.

    `mccfr.view` makes it. Arrays go by the number of a hand in the deck; hands that a player cannot hold have a reach
    of 0, and NaN elsewhere.

    Attributes:
        game: The string that names the game.
        line: The line that leads to the node.
        board: The cards on the board.
        pot: The chips in the pot.
        mover: The player who moves, or None where cards are dealt or the hand is over.
        actions: The actions of the mover, as in lines: `k`, `b59`.
        ranks: Ranks of the deck.
        suits: Suits of the deck.
        reach: Both players' ranges: for each hand its weight at the start times the probabilities of the line.
        weight: The reach times the hands of the other player that a hand can meet; both players' sums are equal.
        ev: The EV of every hand of both players, in chips.
        equity: The equity of every hand of both players against the other's range.
        frequency: For each action, how often every hand of the mover takes it.
        action_ev: For each action, its EV for every hand of the mover.

    Examples:
        >>> import mccfr
        >>> river = mccfr.spot(board="Qs Jh 2h 8c 3d", pot=100, stack=100, oop="QQ,AA", ip="JJ", bet="a", raise_="a")
        >>> view = mccfr.view(mccfr.uniform(river))
        >>> view
        <NodeView after '' on Qs Jh 2h 8c 3d: pot 100, player 0 moves>
        >>> view.combos(0), f"{view.mean_ev(0) + view.mean_ev(1):.6f}"
        (9.0, '100.000000')
    """

    game: str
    line: str
    board: str
    pot: float
    mover: int | None
    actions: tuple[str, ...]
    ranks: int
    suits: int
    reach: Floats
    weight: Floats
    ev: Floats
    equity: Floats
    frequency: Floats
    action_ev: Floats

    def __repr__(self) -> str:
        moves = f", player {self.mover} moves" if self.mover is not None else ""
        return f"<NodeView after {self.line!r} on {self.board}: pot {self.pot:g}{moves}>"

    @staticmethod
    def spoken(action: str) -> str:
        """Write an action in words.

        Args:
            action: An action as in lines, such as `b59`.

        Returns:
            The words, such as `bet 59`.
        """
        return f"{WORDS.get(action[:1], action[:1])} {action[1:]}".strip()

    @property
    def deck(self) -> Deck:
        """The deck, which names hands."""
        return deck_of(self.ranks, self.suits)

    def combos(self, player: int) -> float:
        """Count the hands of a player, each with its reach.

        Args:
            player: 0 or 1.

        Returns:
            The sum of the reaches.
        """
        return float(self.reach[_seat(player)].sum())

    def mean_ev(self, player: int) -> float:
        """Average the EV over a player's range.

        Args:
            player: 0 or 1.

        Returns:
            The EV in chips; NaN if the line is never played.
        """
        return self._mean(_seat(player), self.ev[player])

    def mean_equity(self, player: int) -> float:
        """Average the equity over a player's range.

        Args:
            player: 0 or 1.

        Returns:
            The equity from 0 to 1; NaN if the line is never played.
        """
        return self._mean(_seat(player), self.equity[player])

    def frequencies(self) -> dict[str, float]:
        """Average the mover's strategy over his range.

        Returns:
            How often each action is taken; NaN if the line is never played, and nothing where nobody moves.
        """
        if self.mover is None:
            return {}
        return {action: self._mean(self.mover, self.frequency[a]) for a, action in enumerate(self.actions)}

    def _mean(self, player: int, values: Floats, hands: Any = slice(None)) -> float:
        weight, of_hands = self.weight[player][hands], values[hands]
        met = weight > 0
        total = float(weight[met].sum())
        return float(weight[met] @ of_hands[met]) / total if total > 0 else math.nan

    def range(self, player: int, digits: int | None = None) -> Range:
        """Give the hands with which a player comes here.

        Args:
            player: 0 or 1.
            digits: Round weights to so many digits after the point, for shorter texts; by default they are exact.

        Returns:
            The range; `str` of it can be given to a spot again.
        """
        weights = self.reach[_seat(player)]
        return Range(weights if digits is None else weights.round(digits), self.ranks, self.suits)

    def range_text(self, player: int, digits: int = 4) -> str:
        """Write the range of a player for people.

        Args:
            player: 0 or 1.
            digits: Digits of a weight after the point.

        Returns:
            The range on this board: hands that the board blocks are written like most of their class, which is shorter
                and means the same there.
        """
        weights = self.reach[_seat(player)].round(digits)
        seen = np.zeros(self.deck.cards, bool)
        seen[list(self.deck.read_cards(self.board))] = True
        blocked = seen[self.deck.hand_cards].any(axis=1)
        for hands in self.deck.classes.values():
            free = hands[~blocked[hands]]
            values, counts = np.unique(weights[free], return_counts=True)
            if len(free):
                weights[hands[blocked[hands]]] = values[counts.argmax()]
        return str(Range(weights, self.ranks, self.suits))

    def hands(self, player: int, chosen: str = "all") -> list[HandView]:
        """List the hands of a player.

        Args:
            player: 0 or 1.
            chosen: Only these, written as a range: `"AsKh"`, `"AKs"`, `"QQ+,AK"`.

        Returns:
            A row for each hand that the player can hold here, the highest cards first.

        Raises:
            StrategyError: If the player can hold none of them.
        """
        wanted = Range.parse(chosen, self.ranks, self.suits).weights > 0
        held = np.flatnonzero(wanted & self.held(player))[::-1]
        if not len(held):
            raise StrategyError(f"player {player} cannot hold {quoted(chosen)} after {quoted(self.line)}")
        return [self._row(player, hand) for hand in held.tolist()]

    def held(self, player: int) -> npt.NDArray[np.bool_]:
        """Say which hands a player has here, or could have had on another line.

        Args:
            player: 0 or 1.

        Returns:
            True or False for each hand of the deck.
        """
        return np.asarray((self.reach[_seat(player)] > 0) | np.isfinite(self.ev[player]))

    def _row(self, player: int, hand: int) -> HandView:
        name, mine = self.deck.hand_name(hand), self.mover == player
        reach, weight, equity, ev = (float(x[player, hand]) for x in (self.reach, self.weight, self.equity, self.ev))
        often, worth = (dict(zip(self.actions, x[:, hand].tolist())) for x in (self.frequency, self.action_ev))
        return HandView(name, player, reach, weight, equity, ev, often if mine else {}, worth if mine else {})

    def classes(self, player: int) -> "dict[str, ClassView]":
        """Average over the classes of hands, as a grid shows them.

        Args:
            player: 0 or 1.

        Returns:
            For the name of each class that the player comes here with: combos, EV, equity and frequencies.
        """
        return dict(self._classes(_seat(player)))

    def _classes(self, player: int) -> "Iterator[tuple[str, ClassView]]":
        for (high, low, kind), hands in sorted(self.deck.classes.items(), reverse=True):
            combos = float(self.reach[player, hands].sum())
            if combos > 0:
                ev, equity = (self._mean(player, each[player], hands) for each in (self.ev, self.equity))
                mine = self.frequency if self.mover == player else self.frequency[:0]
                often = {action: self._mean(player, row, hands) for action, row in zip(self.actions, mine)}
                yield RANKS[high] + RANKS[low] + kind, ClassView(combos, equity, ev, often)

    def grids(self) -> dict[str, Floats]:
        """Average the mover's strategy over the 169 classes of hole hands.

        Returns:
            For every action, an array of 169 numbers with how often each class takes it; NaN where there are no hands.

        Raises:
            StrategyError: If nobody moves here, or the deck is not that of hold'em.
        """
        if (self.ranks, self.suits) != (13, 4):
            raise StrategyError(f"grids are for 13 ranks and 4 suits, this deck has {self.ranks} and {self.suits}")
        if self.mover is None:
            raise StrategyError(f"nobody moves after {quoted(self.line)}")
        weight = self.weight[self.mover]
        total = np.bincount(CLASS_OF_HAND, weight, CLASSES)
        with np.errstate(invalid="ignore"):
            rows = [np.bincount(CLASS_OF_HAND, weight * np.nan_to_num(p), CLASSES) / total for p in self.frequency]
        return dict(zip(self.actions, rows))

    def grid_tables(self, action: str | None = None) -> "list[Table]":
        """Make tables for the terminal of the grids, one for each action, in percent.

        Args:
            action: Make the table of this action only.

        Returns:
            Tables that rich's `print` shows.

        Raises:
            StrategyError: If there are no grids here, or no such action.
        """
        return [grid_table(100 * p, self._title(name), ".0f", 0.0, 100.0) for name, p in self._chosen(action).items()]

    def save_grid(self, path: str | os.PathLike[str], action: str | None = None) -> None:
        """Draw the grids as a picture.

        Args:
            path: The file to write; it ends in .png, .svg or .pdf.
            action: Draw the grid of this action only.

        Raises:
            StrategyError: If there are no grids here, or no such action.
            MissingExtra: If matplotlib is not installed.
            FileError: If the file cannot be written.
        """
        found = self._chosen(action)
        columns = min(len(found), 2)
        rows = -(-len(found) // columns)

        def draw(sheet: Any) -> None:
            places = np.ravel(sheet.subplots(rows, columns))
            for axes, (name, p) in zip(places, found.items()):
                draw_grid(axes, 100 * p, self._title(name), ".0f", 0.0, 100.0)
            for axes in places[len(found) :]:
                axes.set_axis_off()

        save_sheet(path, draw, rows, columns)

    def _chosen(self, action: str | None) -> dict[str, Floats]:
        found = self.grids()
        if action is None:
            return found
        by_word = {self.spoken(each): each for each in found}
        name = by_word.get(action, action)
        if name not in found:
            raise StrategyError(f"line {self.line!r} has no action {action!r}; {nearest(action, found)}")
        return {name: found[name]}

    def _title(self, action: str) -> str:
        return f"{self.spoken(action)} {f'after {self.line}' if self.line else 'at the beginning'}, %"


class ClassView(NamedTuple):
    """A class of hands of a player at a node, such as AKs.

    Attributes:
        combos: Its hands, each counted with its reach.
        equity: Its mean equity.
        ev: Its mean EV in chips.
        frequency: How often it takes each action; empty if the other player moves, or nobody.
    """

    combos: float
    equity: float
    ev: float
    frequency: dict[str, float]


class Runout(NamedTuple):
    """What happens when certain cards come.

    Attributes:
        cards: The cards that come.
        chance: How likely they are, given both ranges.
        mover: Who moves next; None after an all-in.
        frequency: How often the next player takes each action.
        ev: Both players' EVs in chips.
        equity: Both players' equities.
        combos: Both players' hands, counted with their reaches.

    Examples:
        >>> import mccfr
        >>> turn = mccfr.spot(board="Qs Jh 2h 8c", pot=100, stack=100, oop="QQ", ip="JJ", bet="a", raise_="a")
        >>> row = mccfr.runouts(mccfr.uniform(turn), "kk/")[-1]
        >>> row.cards, row.mover, row.frequency
        ('2c', 0, {'k': 0.5, 'a100': 0.5})
    """

    cards: str
    chance: float
    mover: int | None
    frequency: dict[str, float]
    ev: tuple[float, float]
    equity: tuple[float, float]
    combos: tuple[float, float]


def _seat(player: int) -> int:
    if player not in (0, 1):
        raise StrategyError(f"no player {player!r}: the players are 0 and 1")
    return player
