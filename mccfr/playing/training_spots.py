"""Situations of a chosen kind, to train with: `river`, `3bet`, `flop:Ah7d2c`, `facing_bet; hands:QQ+,AK`.

Many hands are dealt and played by a strategy against itself, until the player is to move in such a situation for the
first time. So situations come as often as they do when the strategy plays. Hands are dealt to few boards at a time,
since looking at a board costs more than many hands on it; the situations found are given out in random order.
"""

import dataclasses
import random
from collections.abc import Callable, Iterator

import numpy as np

from mccfr.betting.lines import OVER, Move, State
from mccfr.cards.boards import parse_board
from mccfr.cards.deck import CardError
from mccfr.cards.ranges import Range
from mccfr.errors import nearest, quoted
from mccfr.playing.agent import AgentError
from mccfr.playing.draw_moves import belief_of_some, move_groups
from mccfr.playing.hands_on_boards import Boards, HandsOnBoards
from mccfr.playing.many_hands import Ints
from mccfr.playing.policy import Belief, Policy
from mccfr.playing.seen import Seen
from mccfr.playing.table import Table

BOARDS_A_BATCH, HANDS_A_BATCH = 16, 2000
BATCHES = 16  # until a kind of situation counts as out of reach

Test = Callable[[Seen], bool]
LAST_STREET = {"preflop": 0, "3bet": 0, "flop": 1, "turn": 2}  # of kinds that do not come later


def _faces_all_in(seen: Seen) -> bool:
    most = seen.table.betting.most
    return seen.asked > 0 and seen.state.stakes[1 - seen.seat] == most


KINDS_OF_SPOTS: dict[str, tuple[str, Test]] = {
    "preflop": ("before the flop", lambda seen: seen.state.street == 0),
    "3bet": (
        "before the flop, after a raise and a re-raise",
        lambda seen: seen.state.street == 0 and seen.state.bets == 2,
    ),
    "flop": ("on the flop", lambda seen: seen.state.street == 1),
    "turn": ("on the turn", lambda seen: seen.state.street == 2),
    "river": ("on the river", lambda seen: seen.state.street == 3),
    "facing_bet": ("after the flop, facing a bet", lambda seen: seen.state.street > 0 and seen.asked > 0),
    "all_in": ("facing an all-in", _faces_all_in),
}
FORMS = f"{', '.join(KINDS_OF_SPOTS)}, flop:Ah7d2c, hands:QQ+,AK, or several with ; between them"


@dataclasses.dataclass(frozen=True)
class SpotKind:
    """Which situations are wanted.

    Attributes:
        text: As it was written.
        tests: What must be true of a situation.
        board: Cards that the board begins with.
        hands: Hands of the player, by number; all if None.
        last: The last street on which such a situation can come.
    """

    text: str
    tests: tuple[Test, ...] = ()
    board: tuple[int, ...] = ()
    hands: tuple[int, ...] | None = None
    last: int = 3

    def over(self, s: State) -> bool:
        """Whether no such situation can come any more."""
        return s.street > self.last

    def fits(self, seen: Seen) -> bool:
        """Whether a situation is of this kind."""
        return len(seen.board) >= len(self.board) and all(test(seen) for test in self.tests)


def read_kind(text: str, table: Table) -> SpotKind:
    """The kind of situations that a text describes."""
    found = SpotKind(text)
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        word, colon, value = part.partition(":")
        name = word.strip().lower()
        if not colon and name in KINDS_OF_SPOTS:
            last = min(found.last, LAST_STREET.get(name, found.last))
            found = dataclasses.replace(found, tests=(*found.tests, KINDS_OF_SPOTS[name][1]), last=last)
        elif colon and name in ("flop", "turn", "river", "board"):
            found = dataclasses.replace(found, board=_board(part, value, table))
        elif colon and name == "hands":
            found = dataclasses.replace(found, hands=_hands(part, value, table))
        else:
            known = {*KINDS_OF_SPOTS, "flop:", "hands:"}
            raise AgentError(f"no kind of spots {quoted(part)}: {nearest(name, known)} (expected {FORMS})")
    if not (found.tests or found.board or found.hands):
        raise AgentError(f"no kind of spots {quoted(text)}: expected {FORMS}")
    return found


def _board(part: str, value: str, table: Table) -> tuple[int, ...]:
    sizes = [table.board_size(street) for street in range(1, table.streets)]
    try:
        return parse_board(value, sizes, table.ranks, table.suits)
    except CardError as error:
        raise AgentError(f"spots {quoted(part)}: {error}") from None


def _hands(part: str, value: str, table: Table) -> tuple[int, ...]:
    try:
        weights = Range.parse(value, table.ranks, table.suits).weights
    except CardError as error:
        raise AgentError(f"spots {quoted(part)}: {error}") from None
    found = tuple(np.flatnonzero(weights).tolist())
    if not found:
        raise AgentError(f"spots {quoted(part)}: no hands; expected a range such as hands:QQ+,AK")
    return found


class SpotDealer:
    """Deals situations of a kind, in which both have played by a policy so far."""

    def __init__(self, policy: Policy, kind: SpotKind, dice: random.Random) -> None:
        """Remember what to deal, and the dice to deal it with."""
        self.policy, self.kind, self.dice = policy, kind, dice
        self._found: tuple[list[Seen], list[Seen]] = ([], [])

    def deal(self, seat: int) -> Seen:
        """A situation in which the player of a seat is to move.

        Args:
            seat: The player.

        Returns:
            What the player sees.

        Raises:
            AgentError: If no such situation came in 32,000 hands.
        """
        waiting = self._found[seat]
        for _ in range(BATCHES):
            if waiting:
                return waiting.pop()
            waiting += spots_of_a_batch(self.policy, self.kind, seat, self.dice)
            self.dice.shuffle(waiting)
            del waiting[BOARDS_A_BATCH:]  # so that boards change
        raise AgentError(
            f"spots {quoted(self.kind.text)}: none came in {BATCHES * HANDS_A_BATCH:,} hands for seat {seat} "
            f"(0 big blind, 1 dealer); expected a kind that {self.policy.name} plays more often"
        )


def spots_of_a_batch(policy: Policy, kind: SpotKind, seat: int, dice: random.Random) -> list[Seen]:
    """The first situations of a kind in many hands."""
    boards = Boards(policy.table, _boards_with(policy.table, kind, dice))
    board, mine, theirs = _hands_on(boards, kind, dice)
    hands = HandsOnBoards(boards, board, mine), HandsOnBoards(boards, board, theirs)
    play = _SelfPlay(policy, kind, seat, hands if seat == 0 else hands[::-1], dice)
    everybody = np.arange(len(board))
    beliefs = policy.begin(len(board)), policy.begin(len(board))
    return list(play.spots(policy.table.start, (), everybody, beliefs))


def _boards_with(table: Table, kind: SpotKind, dice: random.Random) -> list[tuple[int, ...]]:
    """Whole boards that begin as the kind wants it."""
    rest = [card for card in range(table.ranks * table.suits) if card not in kind.board]
    missing = sum(table.deals) - len(kind.board)
    return [(*kind.board, *dice.sample(rest, missing)) for _ in range(BOARDS_A_BATCH)]


def _hands_on(boards: Boards, kind: SpotKind, dice: random.Random) -> tuple[Ints, Ints, Ints]:
    """[n] numbers of boards, of the player's hands and of the other's: all that fit together are equally likely."""
    hand_cards = boards.table.deck.hand_cards
    held = np.arange(len(hand_cards)) if kind.hands is None else np.array(kind.hands)
    possible = [held[~np.isin(hand_cards[held], board).any(axis=1)] for board in boards.cards]
    counts = [len(some) for some in possible]
    found = np.empty((3, HANDS_A_BATCH if any(counts) else 0), np.int64)
    for place in range(found.shape[1]):
        number = dice.choices(range(len(counts)), counts)[0]
        mine = dice.choice(possible[number])
        taken = {*boards.cards[number].tolist(), *hand_cards[mine].tolist()}
        theirs = dice.randrange(len(hand_cards))
        while not taken.isdisjoint(hand_cards[theirs].tolist()):
            theirs = dice.randrange(len(hand_cards))
        found[:, place] = number, mine, theirs
    return found[0], found[1], found[2]


class _SelfPlay:
    """Hands that a policy plays against itself, up to the situations that are wanted."""

    def __init__(
        self, policy: Policy, kind: SpotKind, seat: int, hands: tuple[HandsOnBoards, ...], dice: random.Random
    ) -> None:
        """Take the hands of both seats."""
        self.policy, self.kind, self.seat, self.hands = policy, kind, seat, hands
        self.dice = np.random.default_rng(dice.getrandbits(64))

    def spots(self, s: State, moves: tuple[Move, ...], some: Ints, beliefs: tuple[Belief, Belief]) -> Iterator[Seen]:
        """Situations that come from here on."""
        if not len(some) or s.mover == OVER or self.kind.over(s):
            return
        if s.mover == self.seat and self.kind.fits(self._seen(s, moves, int(some[0]))):
            yield from (self._seen(s, moves, each) for each in some.tolist())
            return
        odds = self.policy.odds(beliefs[s.mover], s, self.hands[s.mover].some(some))
        for move, part in move_groups(odds, self.dice):
            one, other = (
                self.policy.after(
                    belief_of_some(beliefs[p], part), s, move, self.hands[p].some(some[part]), s.mover == p
                )
                for p in (0, 1)
            )
            after = self.policy.table.play(s, move)
            yield from self.spots(after, (*moves, move), some[part], (one, other))

    def _seen(self, s: State, moves: tuple[Move, ...], number: int) -> Seen:
        cards = self.hands[self.seat].some(np.array([number])).cards(s.street)[0].tolist()
        return Seen(self.policy.table, self.seat, tuple(cards[:2]), tuple(cards[2:]), s, moves)
