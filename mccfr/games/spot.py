"""Spots: a board, a pot, two ranges and the bet sizes from there on."""

import dataclasses
import re
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from mccfr.betting.menus import POSITIONS, Table
from mccfr.betting.structures import SpotBetting
from mccfr.cards.deck import CardError
from mccfr.cards.ranges import Deck, Range, deck_of
from mccfr.errors import BettingError, GameError, nearest, quoted
from mccfr.games.locks import Locked, LockReader
from mccfr.games.parameters import ParameterError, require_whole
from mccfr.games.street_rules import StreetRules
from mccfr.games.streets import Streets

BOARDS = {3: "flop", 4: "turn", 5: "river"}
FULL_BOARD = 5
SIZES = ("bet", "raise_", "donk_")  # parameters that SpotBetting takes as they are, and writes canonically
NUMBERS = ("pot", "stack", "add_allin", "force_allin", "merge", "cap", "min_bet")
TABLES = ("flop", "turn", "river")
_FIRST_WORD = re.compile(r"[\w.]+")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Spot(StreetRules):
    """Hold'em from a board on: two ranges, a pot that is there already, equal stacks and the bet sizes offered.

    Player 0 is out of position and moves first on every street. Payoffs are chips won beyond half of the pot, so the EV
    out of position is pot / 2 + `expected_value`. Ranges are written `QQ+,AKs,A5s-A2s,AKo:0.25` or `all`, sizes `33%`
    (of the pot), `2.5x` (the bet faced), `100c` (chips) and `a` (all-in). Tables override sizes: flop, turn and river
    by street, inside them oop and ip by player, and bets={'oop': {...}, 'ip': {...}} by player on all streets. `lock`
    fixes strategies at nodes. An infoset is hand:line, with the cards that have come in it: `AsKh:kb59c/7d:k`.
    """

    name: ClassVar[str] = "spot"

    board: str
    pot: int
    stack: int
    oop: str
    ip: str
    bet: str
    raise_: str
    donk_: str | None = None
    add_allin: float = 0
    force_allin: float = 0
    merge: float = 0
    cap: str | int | None = None
    min_bet: int = 1
    flop: Table | None = dataclasses.field(default=None, hash=False)
    turn: Table | None = dataclasses.field(default=None, hash=False)
    river: Table | None = dataclasses.field(default=None, hash=False)
    bets: Table | None = dataclasses.field(default=None, hash=False)
    ranks: int = 13
    suits: int = 4
    lock: Any = dataclasses.field(default=(), hash=False)

    def __post_init__(self) -> None:
        require_whole(self.name, "ranks", self.ranks, 1, 13)
        require_whole(self.name, "suits", self.suits, 1, 4)
        self._set("board", " ".join(map(self._deck.card_name, self.board_cards)))
        for position in POSITIONS:
            self._set(position, str(self._read_range(position)))
        self._require_deals()
        betting = self.betting
        for key in (*SIZES, *NUMBERS, *TABLES):
            self._set(key, getattr(betting, key))
        tables = {position: table for position in POSITIONS if (table := getattr(betting, position))}
        self._set("bets", tables or None)
        self._set("lock", tuple(locked.table for locked in self._locks))

    def streets(self) -> Streets:
        """The cards and the betting, for trees."""
        weights = [held.weights for held in self.ranges]
        return Streets(
            self.ranks,
            self.suits,
            self.board_cards,
            self._board_deals,
            (weights[0], weights[1]),
            self.betting,
            tuple(locked.lock for locked in self._locks),
        )

    @cached_property
    def board_cards(self) -> tuple[int, ...]:
        """The cards of the board, by number."""
        try:
            found = self._deck.read_cards(self.board)
        except CardError as error:
            if not isinstance(self.board, str):
                raise self._wrong("board", f"must be cards such as 'Qs Jh 2h', got {quoted(self.board)}") from None
            raise self._wrong("board", f"{quoted(self.board)}: {error}") from None
        if len(found) not in BOARDS:
            raise self._wrong("board", f"must have 3, 4 or 5 cards, got {len(found)}: {quoted(self.board)}")
        if self._deck.cards < FULL_BOARD + 4:
            needed = f"two hands and five cards of the board need {FULL_BOARD + 4}"
            raise ParameterError(self.name, ("ranks",), f"ranks x suits are {self._deck.cards} cards, but {needed}")
        return found

    @cached_property
    def ranges(self) -> tuple[Range, Range]:
        """Both ranges, without hands that share a card with the board."""
        first, second = (self._read_range(position).without(self.board_cards) for position in POSITIONS)
        return first, second

    @cached_property
    def betting(self) -> SpotBetting:
        """The pot, the stacks and the sizes."""
        given = {key: getattr(self, key) for key in (*SIZES, *NUMBERS, *TABLES)}
        by_position = {} if self.bets is None else self.bets
        if not isinstance(by_position, dict) or set(by_position) - set(POSITIONS):
            shape = "must be tables for oop and ip such as {'oop': {'bet': '33%'}}"
            raise self._wrong("bets", f"{shape}, got {quoted(self.bets)}")
        try:
            return SpotBetting(street=BOARDS[len(self.board_cards)], **given, **by_position)
        except BettingError as error:
            raise self._betting_error(str(error)) from None

    @cached_property
    def _deck(self) -> Deck:
        return deck_of(self.ranks, self.suits)

    @cached_property
    def _board_deals(self) -> tuple[int, ...]:
        return (1,) * (FULL_BOARD - len(self.board_cards))

    @cached_property
    def _locks(self) -> list[Locked]:
        reader = LockReader(self.name, self.betting, self._board_deals, self.board_cards, self.ranges)
        return reader.read_all(self.lock)

    def _read_range(self, position: str) -> Range:
        given = getattr(self, position)
        if isinstance(given, Range):
            given = str(given) if (given.ranks, given.suits) == (self.ranks, self.suits) else given
        if not isinstance(given, str):
            raise self._wrong(position, f"must be a range such as 'QQ+,AKs' or all, got {quoted(given)}")
        try:
            return Range.parse(given, self.ranks, self.suits)
        except CardError as error:
            raise ParameterError(self.name, (position,), f"{position}: {error}") from None

    def _require_deals(self) -> None:
        """Refuse ranges from which two hands cannot be dealt."""
        for position, held in zip(POSITIONS, self.ranges):
            if not self._read_range(position).hands:
                raise self._wrong(position, "is an empty range: write hands such as 'QQ+,AKs', or all")
            if not held.hands:
                given = quoted(getattr(self, position))
                raise self._wrong(position, f"has no hand left: the board {self.board} blocks all of {given}")
        if not _can_meet(*self.ranges):
            raise self._wrong("ip", "has no hand left: every hand of oop shares a card with every hand of ip")

    def _betting_error(self, told: str) -> ParameterError:
        """What SpotBetting refused, with the name that the parameter has here."""
        problem = told.removeprefix(f"{SpotBetting.name}: ")
        found = _FIRST_WORD.match(problem)
        words = found.group().rstrip(".").split(".") if found else []
        if words and words[0] in POSITIONS:
            words, problem = ["bets", *words], f"bets.{problem}"
        return ParameterError(self.name, tuple(words), problem)

    def _wrong(self, parameter: str, problem: str) -> ParameterError:
        return ParameterError(self.name, (parameter,), f"{parameter} {problem}")

    def _set(self, name: str, value: Any) -> None:
        """Give a parameter its canonical form."""
        object.__setattr__(self, name, value)


def _can_meet(one: Range, other: Range) -> bool:
    """Whether some hand of one range shares no card with some hand of the other."""
    cards = deck_of(one.ranks, one.suits).hand_cards
    theirs = cards[other.weights > 0]
    return any(not np.isin(theirs, mine).any(axis=1).all() for mine in cards[one.weights > 0])


def spot(
    board: str,
    *,
    pot: int,
    stack: int,
    oop: str | Range,
    ip: str | Range,
    bet: str,
    raise_: str,
    **others: Any,
) -> Spot:
    """Make the game of a spot: a board, a pot, two ranges and the bet sizes from there on.

    Args:
        board: Three, four or five cards, as in `"Qs Jh 2h"`.
        pot: The chips in the pot.
        stack: The chips that each player has left; with unequal stacks the smaller.
        oop: The range of the player out of position, `"QQ+,AKs,A5s-A2s,AKo:0.25"` or `"all"`.
        ip: The range of the player in position.
        bet: The sizes of bets, `"33%,75%,a"`; an empty text offers none.
        raise_: The sizes of raises, `"2.5x,a"`.
        **others: `donk_`, `add_allin`, `force_allin`, `merge`, `cap`, `min_bet`, the tables `flop`, `turn`, `river` and
            `bets`, the deck as `ranks` and `suits`, and `lock`. docs/spots.md explains each.

    Returns:
        The game. Player 0 is out of position; payoffs are chips won beyond half of the pot.

    Raises:
        GameError: If something is wrong; the line names the parameter and what would be right.

    Examples:
        >>> import mccfr
        >>> river = mccfr.spot(
        ...     "Qs Jh 2h 8c 3d", pot=100, stack=200, oop="qq,AhKh", ip="JJ,KQs", bet="50%,a", raise_="a"
        ... )
        >>> print(river)
        spot(board='Qs Jh 2h 8c 3d', pot=100, stack=200, oop='QQ,AhKh', ip='JJ,KQs', bet='50%,a', raise_=a)
        >>> mccfr.game(str(river)) == river
        True
    """
    parameters = [field.name for field in dataclasses.fields(Spot)]
    if unknown := [name for name in others if name not in parameters]:
        raise GameError(f"a spot has no {quoted(unknown[0])}; {nearest(unknown[0], parameters)}")
    return Spot(board=board, pot=pot, stack=stack, oop=oop, ip=ip, bet=bet, raise_=raise_, **others)  # type: ignore[arg-type]
