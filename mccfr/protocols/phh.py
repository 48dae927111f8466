"""A hand history in PHH: from its fields to a hand, with every card and every move checked.

[Kim 2023] defines PHH: TOML with the rules (`variant`, `antes`, `blinds_or_straddles`, ...) and a list of `actions`.

    d dh p1 AsKs    p1 is dealt two cards; ???? where they are not known
    d db 2c3c4c     cards for the board
    p2 cbr 6        a bet or raise to 6 on this street
    p2 cc, p2 f     a check or call, a fold
    p1 sm AsKs      shows these; `sm` alone gives the hand up, `sm -` shows what was dealt

We read heads-up hold'em, no-limit (NT) and limit (FT). Heads-up, p1 is the big blind although blinds are listed small
one first. Of unequal stacks the smaller counts, and a bet of more is a bet of that: the rest can be neither won nor
lost. Amounts in parts of a unit become whole chips.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from mccfr.betting.lines import ALL_IN, CALL, CHECK, FOLD, NOBODY, OVER, Move, State
from mccfr.betting.structures import Limit, NoLimit
from mccfr.errors import BettingError, MccfrError, nearest, quoted
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.table import Table
from mccfr.protocols.shown_cards import card_text, read_cards, require_different

MOST_CHIPS = 10**9 - 1
MOST_ACTIONS, LONGEST_ACTION, LONGEST_NAME = 400, 2000, 200
VARIANTS = ("NT", "FT")
STREET_NAMES = ("flop", "turn", "river")
HEADS_UP_CAP, WIDER_CAP = "3 4", "4"  # bets and raises a street of limit, where nothing is said of them
CAP = "_cap"  # our own field
FIELDS = (
    *("variant", "antes", "blinds_or_straddles", "min_bet", "small_bet", "big_bet", "starting_stacks", "actions"),
    *("players", "hand", "finishing_stacks", CAP),
)
NUMBER = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")
NAMES = ("big blind", "dealer")


class HistoryError(MccfrError, ValueError):
    """A hand history that is wrong: the message names the file, the hand and the action."""


class ReadHand(NamedTuple):
    """A hand that was read.

    Attributes:
        hand: The hand; cards that the history does not tell are left out.
        chips: What each seat won, without rake; None where the history does not tell who won the showdown.
    """

    hand: HandRecord
    chips: tuple[float, float] | None


def read_hand(fields: Mapping[str, Any], scale: int = 1, number: int = 0) -> ReadHand:
    """A hand from the fields of PHH. A unit of the history is `scale` chips."""
    table, stacks = read_table(fields, scale)
    actions = _list(fields, "actions", str, MOST_ACTIONS)
    told = _Telling(table, scale)
    for place, action in enumerate(actions, 1):
        try:
            told.follow(action)
        except MccfrError as error:
            raise HistoryError(f"action {place}, {quoted(action, 40)}: {error}") from None
    told.require_end()
    _require_stacks(table, told.s, stacks)
    hand = HandRecord(table, told.hands, tuple(told.board), tuple(told.moves), _names(fields), _number(fields, number))
    return ReadHand(hand, _result(hand, told.given_up, stacks, fields, scale))


def read_table(fields: Mapping[str, Any], scale: int = 1) -> tuple[Table, tuple[int, ...]]:
    """The rules that the fields tell, and the stacks of both seats."""
    variant = fields.get("variant")
    if variant not in VARIANTS:
        near = nearest(str(variant)[:20], VARIANTS)
        raise HistoryError(f"variant {quoted(variant)} is not hold'em that we play (NT no-limit, FT limit); {near}")
    given = _list(fields, "starting_stacks", int | Decimal, 20)
    if len(given) != 2:
        raise HistoryError(f"{len(given)} players: expected a hand between two, heads-up")
    stacks = tuple(MOST_CHIPS if value == Decimal("inf") else chips(value, scale, "a stack") for value in given)
    ante, small, big = _forced(fields, scale)
    blinds = f"{small} {big}"
    try:
        if variant == "FT":
            bets = [chips(_needed(fields, name), scale, name) for name in ("small_bet", "big_bet")]
            sizes = f"{bets[0]} {bets[0]} {bets[1]}"
            return Table(Limit(bets=sizes, blinds=blinds, ante=ante, cap=_cap(fields))), stacks
        least = chips(_needed(fields, "min_bet"), scale, "min_bet")
        if least != big:
            raise HistoryError(f"min_bet is {least}, expected the big blind, {big}")
        cap = fields.get(CAP)
        return Table(NoLimit(stack=min(stacks), blinds=blinds, ante=ante, bet="a", cap=cap)), stacks
    except BettingError as error:
        raise HistoryError(str(error)) from None


def chips(value: Any, scale: int, what: str) -> int:
    """An amount in whole chips."""
    if type(value) is int:
        found = Decimal(value) if 0 <= value <= MOST_CHIPS else Decimal(-1)
    elif type(value) is Decimal and value.is_finite() and 0 <= value <= MOST_CHIPS:
        found = value
    else:
        found = Decimal(-1)
    whole = found * scale
    if not 0 <= whole <= MOST_CHIPS or whole != int(whole):
        raise HistoryError(f"{what} must be a number of chips from 0 to {MOST_CHIPS:,}, got {quoted(value)}")
    return int(whole)


def _forced(fields: Mapping[str, Any], scale: int) -> tuple[int, int, int]:
    """Ante, small and big blind."""
    antes, blinds = (
        [chips(value, scale, name) for value in _list(fields, name, int | Decimal, 20)]
        for name in ("antes", "blinds_or_straddles")
    )
    if len(antes) != 2 or antes[0] != antes[1]:
        raise HistoryError(f"antes {antes}: expected the same for two players, as in [0, 0]")
    if len(blinds) != 2 or not 0 < blinds[0] <= blinds[1]:
        raise HistoryError(f"blinds_or_straddles {blinds}: expected the small and the big blind, as in [1, 2]")
    return antes[0], blinds[0], blinds[1]


def _needed(fields: Mapping[str, Any], name: str) -> Any:
    if name not in fields:
        raise HistoryError(f"{name} is missing")
    return fields[name]


def _list(fields: Mapping[str, Any], name: str, kind: Any, most: int) -> list[Any]:
    found = _needed(fields, name)
    if not isinstance(found, list) or len(found) > most or not all(isinstance(each, kind) for each in found):
        what = "texts" if kind is str else "numbers"
        raise HistoryError(f"{name} must be a list of at most {most} {what}, got {quoted(found, 60)}")
    return found


def _cap(fields: Mapping[str, Any]) -> Any:
    """The most raises of limit: our own field, else what heads-up limit has; or 4 everywhere, if there were 4."""
    if CAP in fields:
        return fields[CAP]
    raises = 0
    for action in fields["actions"] if isinstance(fields.get("actions"), list) else ():
        if str(action).startswith("d db"):
            break
        raises += " cbr" in str(action).partition("#")[0]
    return WIDER_CAP if raises > 3 else HEADS_UP_CAP


def _names(fields: Mapping[str, Any]) -> tuple[str, str]:
    given = fields.get("players", list(NAMES))
    if not isinstance(given, list) or len(given) != 2:
        raise HistoryError(f"players must be the names of two, got {quoted(given)}")
    if not all(isinstance(name, str) and len(name) <= LONGEST_NAME for name in given):
        raise HistoryError(f"players must be names of at most {LONGEST_NAME} characters, got {quoted(given)}")
    return given[0], given[1]


def _number(fields: Mapping[str, Any], otherwise: int) -> int:
    """The number of the hand, if it has one; PHH also allows names."""
    given = str(fields.get("hand", ""))[:30]
    return int(given) if re.fullmatch(r"[0-9]{1,18}", given) else otherwise


def _require_stacks(table: Table, s: State, stacks: tuple[int, ...]) -> None:
    """Refuse limit in which a stack is used up: our limit has none."""
    if isinstance(table.betting, Limit) and max(s.stakes) >= min(stacks):
        raise HistoryError(f"a limit hand with a stack of {min(stacks)} that is used up: expected deeper stacks")


def _result(
    hand: HandRecord, given_up: set[int], stacks: tuple[int, ...], fields: Mapping[str, Any], scale: int
) -> tuple[float, float] | None:
    """What each seat won, by the fold, the cards, who gave up, or the finishing stacks: what is told must agree."""
    s = hand.state
    finished = _finished(fields, scale)
    told = None if finished is None else (float(finished[0] - stacks[0]), float(finished[1] - stacks[1]))
    if s.folded == NOBODY and not all(hand.holes):
        won = [hand.table.betting.payoffs(s, winner) for winner in (0, 1, NOBODY)]
        if len(given_up) == 1:
            return won[0 if 1 in given_up else 1]
        return told if told in won else None
    if s.folded == NOBODY and given_up and hand.winner not in {0, 1} - given_up:
        raise HistoryError("a player gives up the better hand: its result is not that of the cards")
    found = hand.chips
    if told is not None and sum(told) == 0 and told != found:
        raise HistoryError(f"finishing_stacks tell {told[0]:+g} for p1, but cards and moves {found[0]:+g}")
    return found


def _finished(fields: Mapping[str, Any], scale: int) -> list[int] | None:
    if "finishing_stacks" not in fields:
        return None
    given = _list(fields, "finishing_stacks", int | Decimal, 20)
    if len(given) != 2:
        raise HistoryError(f"finishing_stacks must be two, got {quoted(given)}")
    return [MOST_CHIPS if value == Decimal("inf") else chips(value, scale, "a finishing stack") for value in given]


def _seat(player: str) -> int:
    if player not in ("p1", "p2"):
        raise HistoryError(f"{quoted(player)} is no player: expected p1 or p2")
    return int(player[1]) - 1


class _Telling:
    """A hand as its actions tell it, one after the other."""

    def __init__(self, table: Table, scale: int) -> None:
        self.table, self.scale, self.s = table, scale, table.start
        self.moves: list[Move] = []
        self.board: list[int] = []
        self.dealt: tuple[list[int], list[int]] = [], []
        self.hidden = [0, 0]  # cards that were dealt unseen
        self.shown: dict[int, tuple[int, ...]] = {}
        self.given_up: set[int] = set()

    @property
    def hands(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """What is known of both hands."""
        one, other = (self.shown.get(seat) or tuple(self.dealt[seat]) for seat in (0, 1))
        return one, other

    def follow(self, action: str) -> None:
        """One action; what follows # is a comment."""
        if len(action) > LONGEST_ACTION:
            raise HistoryError(f"it has {len(action):,} characters, expected at most {LONGEST_ACTION:,}")
        match action.partition("#")[0].split():
            case []:
                return
            case ["d", "dh", player, cards]:
                self._deal_hole(_seat(player), cards)
            case ["d", "db", cards]:
                self._deal_board(cards)
            case [player, "f"]:
                self._move(_seat(player), FOLD)
            case [player, "cc"]:
                self._move(_seat(player), CALL if CALL in self.table.legal(self.s).moves else CHECK)
            case [player, "cbr", amount]:
                self._raise(_seat(player), amount)
            case [player, "sm", *cards] if len(cards) < 2:
                self._show(_seat(player), cards)
            case _:
                raise HistoryError("expected d dh PLAYER CARDS, d db CARDS, or PLAYER f, cc, cbr AMOUNT or sm CARDS")

    def _deal_hole(self, seat: int, text: str) -> None:
        if self.moves or self.board:
            raise HistoryError("hands are dealt before the first move")
        unseen = text.count("??")
        if text != "??" * unseen:
            self.dealt[seat].extend(read_cards(self.table, text, "the hand"))
            unseen = 0
        self.hidden[seat] += unseen
        if (count := len(self.dealt[seat]) + self.hidden[seat]) > 2:
            raise HistoryError(f"p{seat + 1} has {count} cards, expected 2")
        self._require_different()

    def _deal_board(self, text: str) -> None:
        self.board += read_cards(self.table, text, "the board")
        most = self._board_size()
        if len(self.board) > most:
            raise HistoryError(f"the board has {len(self.board)} cards now, expected at most {most}")
        self._require_different()

    def _board_size(self) -> int:
        showdown = self.s.mover == OVER and self.s.folded == NOBODY
        return self.table.board_size(self.table.streets - 1 if showdown else self.s.street)

    def _raise(self, seat: int, text: str) -> None:
        if not NUMBER.fullmatch(text):
            raise HistoryError(f"{quoted(text)} is no amount")
        amount, bounds = chips(Decimal(text), self.scale, "a bet"), self.table.legal(self.s).bounds
        if bounds is not None and self.table.betting.most is not None:
            amount = min(amount, bounds[1])
        self._move(seat, self.table.raise_to(self.s, amount) if self.s.mover != OVER else Move(ALL_IN, amount))

    def _move(self, seat: int, move: Move) -> None:
        if self.s.mover == OVER:
            raise HistoryError("the hand is over")
        if seat != self.s.mover:
            raise HistoryError(f"it is the turn of p{self.s.mover + 1}")
        if len(self.board) < self._board_size():
            raise HistoryError(f"the {STREET_NAMES[self.s.street - 1]} has not come yet")
        self.s = self.table.play(self.s, move)
        self.moves.append(move)

    def _show(self, seat: int, cards: list[str]) -> None:
        if self.s.mover != OVER:
            raise HistoryError("hands are shown when betting is over")
        if not cards:
            self.given_up.add(seat)
            return
        self.given_up.discard(seat)
        if cards[0] == "-" or "??" in cards[0]:
            return
        shown = read_cards(self.table, cards[0], "the hand")
        known = set(self.dealt[seat])
        if len(shown) != 2 or not known <= set(shown):
            held = card_text(self.table, self.dealt[seat]) or "two cards"
            raise HistoryError(f"p{seat + 1} holds {held}, which it must show")
        self.shown[seat] = tuple(self.dealt[seat]) if len(known) == 2 else shown
        self._require_different()

    def _require_different(self) -> None:
        one, other = self.hands
        require_different(self.table, (*one, *other, *self.board), "hands and board")

    def require_end(self) -> None:
        """Refuse a hand that is not over, or lacks cards."""
        if self.s.mover != OVER:
            raise HistoryError(f"the hand is not over: p{self.s.mover + 1} is to move after {self.s.line!r}")
        if len(self.board) < self._board_size():
            raise HistoryError(f"the board has {len(self.board)} cards, expected {self._board_size()}")
        for seat, hand in enumerate(self.hands):
            if len(hand) == 1:
                raise HistoryError(f"one card of p{seat + 1} is not known: expected both, or ????")
