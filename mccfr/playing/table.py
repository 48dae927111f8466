"""The rules at a table: blinds, stacks, a deck, and every bet that the rules allow, not only those of a menu.

Player 0 is the big blind, player 1 deals and has the small blind, as in all of our hold'em; ACPC numbers its positions
the same way.
"""

import dataclasses
import functools
import re
from typing import Any, NamedTuple

from mccfr.betting.lines import (
    ALL_IN,
    BETS,
    CALL,
    CALLS,
    CHECK,
    CHECKS,
    FOLD,
    FOLDS,
    LETTERS,
    OVER,
    RAISES,
    Move,
    State,
)
from mccfr.betting.structures import Limit, NoLimit
from mccfr.cards.ranges import Deck, deck_of
from mccfr.errors import BettingError, MccfrError, quoted
from mccfr.games.holdem import HOLE_CARDS, Holdem

STEP = re.compile(r"([fkc]|[bra](?=\d))(\d{0,9})")


class TableError(MccfrError, ValueError):
    """A table that cannot be played at, or a move that its rules forbid."""


class Legal(NamedTuple):
    """What a player may do now."""

    moves: tuple[Move, ...]  # of fold, check and call
    bounds: tuple[int, int] | None  # the least and the most that may be bet or raised to on this street

    def __str__(self) -> str:
        words = [move.label for move in self.moves]
        if self.bounds is not None:
            low, high = self.bounds
            words.append(f"{low} chips" if low == high else f"{low} to {high} chips")
        return ", ".join(words)


@dataclasses.dataclass(frozen=True)
class Table:
    """A game of hold'em as it is played: its betting without a menu, and its cards.

    Attributes:
        betting: The blinds, and the sizes of limit or the stacks of no-limit.
        ranks: How many ranks the deck has, the lowest ones.
        suits: How many suits it has.
        deals: How many cards of the board come before each later street.

    Examples:
        >>> import mccfr
        >>> mccfr.table("holdem(limit)")
        <Table: limit, blinds 1 2, bets 2 2 4, 52 cards>
    """

    betting: Limit | NoLimit
    ranks: int = 13
    suits: int = 4
    deals: tuple[int, ...] = (3, 1, 1)

    def __repr__(self) -> str:
        rules = self.betting
        sizes = f"bets {rules.bets}" if isinstance(rules, Limit) else f"stacks of {rules.stack}"
        return f"<Table: {rules.name}, blinds {rules.blinds}, {sizes}, {self.ranks * self.suits} cards>"

    @property
    def big_blind(self) -> int:
        """The big blind, in chips."""
        return self.betting.smallest

    @property
    def streets(self) -> int:
        """How many rounds of betting there are."""
        return self.betting.streets

    @functools.cached_property
    def deck(self) -> Deck:
        """The deck, whose hands and cards have numbers."""
        return deck_of(self.ranks, self.suits)

    def board_size(self, street: int) -> int:
        """How many cards lie on the table on a street."""
        return sum(self.deals[:street])

    @property
    def cards_dealt(self) -> int:
        """Cards of both hands and the whole board."""
        return 2 * HOLE_CARDS + sum(self.deals)

    @functools.cached_property
    def start(self) -> State:
        """The state of betting before the first move."""
        return self.betting.root()

    def legal(self, s: State) -> Legal:
        """What the player who moves may do; nothing at an end."""
        if s.mover == OVER:
            return Legal((), None)
        theirs = s.stakes[1 - s.mover]
        free = s.stakes[s.mover] >= theirs
        return Legal((CHECK,) if free else (FOLD, CALL), self.betting.bounds(s) if self._may_raise(s) else None)

    def _may_raise(self, s: State) -> bool:
        if isinstance(self.betting, Limit) or self.betting.caps is None:
            return True
        return s.bets < self.betting.caps[min(s.street, len(self.betting.caps) - 1)]

    def raise_to(self, s: State, amount: int) -> Move:
        """The bet, raise or all-in that puts in so many chips on this street in all."""
        kind = RAISES if s.stakes[1 - s.mover] > s.opened else BETS
        most = self.betting.most
        return Move(ALL_IN if most is not None and s.opened + amount == most else kind, amount)

    def nearest(self, s: State, amount: int) -> Move:
        """A bet or raise to this amount, or to the nearest that is legal; a call or check where none is."""
        legal = self.legal(s)
        if legal.bounds is None:
            return legal.moves[-1]
        return self.raise_to(s, min(max(amount, legal.bounds[0]), legal.bounds[1]))

    def problem(self, s: State, move: Move) -> str:
        """Why a move is against the rules, or nothing."""
        legal = self.legal(s)
        if move.kind in (FOLDS, CHECKS, CALLS):
            return "" if move in legal.moves else f"cannot {move.label} now: expected {legal}"
        if legal.bounds is None or not legal.bounds[0] <= move.amount <= legal.bounds[1]:
            return f"cannot {move.label} now: expected {legal}"
        return "" if move == self.raise_to(s, move.amount) else f"{move.label} is {self.raise_to(s, move.amount).label}"

    def play(self, s: State, move: Move) -> State:
        """The state after a move, which must be legal."""
        problem = self.problem(s, move)
        if problem:
            raise TableError(f"after {s.line!r}: {problem}" if s.line else problem)
        return self.betting.play(s, move)

    def at(self, line: str) -> tuple[State, tuple[Move, ...]]:
        """The state after a line of betting, such as `r6c/kb10`, and its moves. Any legal amounts will do."""
        s, moves, place = self.start, list[Move](), 0
        while place < len(line):
            if line[place] == "/" and s.line.endswith("/") and (not place or line[place - 1] != "/"):
                place += 1
                continue
            found = STEP.match(line, place)
            if found is None or s.mover == OVER:
                expected = "nothing: the hand is over" if s.mover == OVER else "f, k, c, bN, rN or aN"
                raise TableError(f"line {quoted(line)}, character {place + 1}: expected {expected}")
            kind, amount = LETTERS.index(found[1]), int(found[2] or 0)
            move = self.raise_to(s, amount) if kind >= BETS else Move(kind)
            s = self.play(s, move)
            moves.append(move)
            place = found.end()
        return s, tuple(moves)


def table_of(game: Any) -> Table:
    """The table at which a game of hold'em is played: `mccfr.table`."""
    import mccfr

    rules = game if isinstance(game, Holdem) else mccfr.game(game)
    if not isinstance(rules, Holdem):
        raise TableError(f"{rules} is not whole hold'em: expected holdem(limit), holdem(nolimit(stack=200)) or so")
    return Table(without_menu(rules.betting), rules.ranks, rules.suits, rules.card_rules.deals)


def without_menu(betting: Limit | NoLimit, cap: Any = None) -> Limit | NoLimit:
    """Betting by the rules alone: what a strategy may choose from is no part of them."""
    if isinstance(betting, Limit):
        return betting
    kept = {name: getattr(betting, name) for name in ("stack", "blinds", "ante", "streets", "dealer")}
    try:
        return NoLimit(**kept, bet="a", cap=cap)
    except BettingError as error:
        raise TableError(f"no table: {error}") from None
