"""Hands as text in the protocol of the Annual Computer Poker Competition, version 2.0.0, both ways.

A player is told `MATCHSTATE:position:hand:betting:cards` and answers with the same text, a colon and an action:

    MATCHSTATE:0:7:cr:Kd6s|:c

Betting is f, c and r, one letter a move, with `/` after every round; c is a check as well as a call. In no-limit `r`
has a number, all chips that the player has then put in over the whole hand, where our own moves count those of the
street. An all-in that is called leaves empty rounds, `r20000c///`. Cards are those of position 0, `|`, those of
position 1, then the board with `/` before every round; cards that are not shown are left out. Position 0 is our seat 0,
the big blind.

The server's source (project_acpc_server, dealer.c and game.c) is the authority for all of this.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from mccfr.betting.lines import BETS, FOLD, FOLDS, NOBODY, OVER, Move, State
from mccfr.betting.structures import Limit
from mccfr.cards.deck import CardError
from mccfr.errors import MccfrError, quoted
from mccfr.games.holdem import HOLE_CARDS
from mccfr.playing.seen import Seen
from mccfr.playing.table import Table

VERSION = "VERSION:2.0.0"
LONGEST = 4096  # bytes of a line, its end included
COMMENTS = ("#", ";")
_ACTION = re.compile(r"([fc])|r([0-9]{0,9})(?![0-9])")
_STATE = re.compile(r"MATCHSTATE:([0-9]):([0-9]{1,10}):([^:]*):([^:]*)")
_FORM = "MATCHSTATE:position:hand:betting:cards"
Holes = tuple[tuple[int, ...], tuple[int, ...]]


class AcpcError(MccfrError, ValueError):
    """A message, log or peer that does not keep to the ACPC protocol."""


class Betting(NamedTuple):
    """Betting as text, and what it stands for."""

    text: str
    state: State
    moves: tuple[Move, ...]


class MatchState(NamedTuple):
    """What a server tells one player.

    Attributes:
        position: The player who is told: 0 is the big blind.
        number: Number of the hand.
        betting: All betting so far.
        holes: The cards of both positions, empty where they are not shown.
        board: The cards on the table.
    """

    position: int
    number: int
    betting: Betting
    holes: Holes
    board: tuple[int, ...]

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.betting.state.mover == OVER

    def seen(self, table: Table) -> Seen:
        """The same as an agent sees it."""
        hole, betting = self.holes[self.position], self.betting
        return Seen(table, self.position, hole, self.board, betting.state, betting.moves)


def is_limit(table: Table) -> bool:
    """Whether raises have no number."""
    return isinstance(table.betting, Limit)


def is_comment(line: str) -> bool:
    """Whether a line says nothing: it is empty, or begins with # or ;."""
    return not line or line.startswith(COMMENTS)


# Betting


def action_text(table: Table, s: State, move: Move) -> str:
    """A move made in state s: f, c, r, or r and all chips of the hand."""
    if move.kind == FOLDS:
        return "f"
    if move.kind < BETS:
        return "c"
    return "r" if is_limit(table) else f"r{s.opened + move.amount}"


def street_shown(table: Table, s: State) -> int:
    """The street whose board lies on the table: at a showdown the last, though nobody may have bet on it."""
    return table.streets - 1 if s.mover == OVER and s.folded == NOBODY else s.street


def added_text(table: Table, s: State, move: Move, after: State) -> str:
    """What a move from state s adds to the betting: its action, and a `/` for every round that ends."""
    return action_text(table, s, move) + "/" * (street_shown(table, after) - s.street)


def betting_text(table: Table, moves: Sequence[Move]) -> str:
    """All betting of a hand as text."""
    return played(table, moves).text


def played(table: Table, moves: Sequence[Move]) -> Betting:
    """The betting of these moves, which must be legal."""
    s, text = table.start, ""
    for move in moves:
        after = table.play(s, move)
        text += added_text(table, s, move, after)
        s = after
    return Betting(text, s, tuple(moves))


def read_betting(table: Table, text: str, known: Betting | None = None) -> Betting:
    """What a text of betting stands for. `known` may be betting that this one goes on from; it saves time only."""
    found = known if known is not None and _continues(known.text, text) else Betting("", table.start, ())
    _, s, moves = found
    place = len(found.text)
    while place < len(text):
        step = _ACTION.match(text, place)
        if step is None or s.mover == OVER:
            raise AcpcError(f"betting {quoted(text)}, character {place + 1}: expected {_expected(table, s)}")
        move = read_action(table, s, step.group(), f"betting {quoted(text)}, character {place + 1}")
        after = table.play(s, move)
        added = added_text(table, s, move, after)
        ends = added[added.index("/") :] if "/" in added else ""
        place = step.end()
        if text[place : place + len(ends)] != ends:
            rounds = "a round has ended" if len(ends) == 1 else "the hand has ended before its last rounds"
            raise AcpcError(f"betting {quoted(text)}, character {place + 1}: expected {ends!r}, since {rounds}")
        s, moves, place = after, (*moves, move), place + len(ends)
    return Betting(text, s, moves)


def _continues(known: str, text: str) -> bool:
    """Whether betting goes on from known betting, which does not end within a number."""
    return text.startswith(known) and not text[len(known) : len(known) + 1].isdigit()


def read_action(table: Table, s: State, text: str, where: str) -> Move:
    """The move that an action is in state s; refuses what the rules forbid."""
    legal = table.legal(s)
    if text == "c":
        return legal.moves[-1]
    if text == "f":
        if FOLD not in legal.moves:
            raise AcpcError(f"{where}: nobody may fold where checking is free")
        return FOLD
    if legal.bounds is None:
        raise AcpcError(f"{where}: nobody may raise here, expected {_expected(table, s)}")
    if is_limit(table):
        if text != "r":
            raise AcpcError(f"{where}: a raise of limit has no number, got {text}: is the game no-limit?")
        return table.raise_to(s, legal.bounds[0])
    low, high = (s.opened + chips for chips in legal.bounds)
    if text == "r":
        raise AcpcError(f"{where}: a raise of no-limit has a number, as in r{low}: is the game limit?")
    if not low <= int(text[1:]) <= high:
        raise AcpcError(f"{where}: {text} is not legal at {table!r}, expected r{low} to r{high}")
    return table.raise_to(s, int(text[1:]) - s.opened)


def _expected(table: Table, s: State) -> str:
    if s.mover == OVER:
        return "nothing: the hand is over"
    words = ["f" if move == FOLD else "c" for move in table.legal(s).moves]
    raises = "r" if is_limit(table) else "r and a number"
    return " or ".join(words + ([raises] if table.legal(s).bounds else []))


# Cards


def cards_text(table: Table, holes: Holes, board: Sequence[int]) -> str:
    """Hole cards and board, `Kd6s|/8hAd5d/9h`; hole cards that are not shown are empty."""
    name = table.deck.card_name
    text = "|".join("".join(map(name, hole)) for hole in holes)
    came = 0
    for size in table.deals:
        if came < len(board):
            text += "/" + "".join(map(name, board[came : came + size]))
            came += size
    return text


def read_cards(table: Table, text: str, street: int) -> tuple[Holes, tuple[int, ...]]:
    """Hole cards, which may be missing, and the board of a street, which may not."""
    shown, *rounds = text.split("/")
    hands = shown.split("|")
    if len(hands) != 2:
        raise AcpcError(f"cards {quoted(text)}: expected the hands of two players with '|' between, as in Kd6s|")
    if [len(each) for each in rounds] != [2 * size for size in table.deals[:street]]:
        sizes = ", ".join(map(str, table.deals[:street])) or "no"
        raise AcpcError(f"cards {quoted(text)}: expected {sizes} cards of the board after this betting, each after '/'")
    if any(len(hand) not in (0, 2 * HOLE_CARDS) for hand in hands):
        raise AcpcError(
            f"cards {quoted(text)}: expected {HOLE_CARDS} cards in a hand, or none where they are not shown"
        )
    try:
        one, other = (table.deck.read_cards(hand) for hand in hands)
        board = table.deck.read_cards("".join(rounds))
        table.deck.read_cards("".join((*hands, *rounds)))  # no card twice
    except CardError as error:
        raise AcpcError(f"cards {quoted(text)}: {error}") from None
    return (one, other), board


# States


def state_text(position: int, number: int, betting: str, cards: str) -> str:
    """The line by which a server tells a player where a hand stands."""
    return f"MATCHSTATE:{position}:{number}:{betting}:{cards}"


def read_state(table: Table, line: str, known: Betting | None = None) -> MatchState:
    """What such a line says, checked completely."""
    found = _STATE.fullmatch(line)
    if found is None:
        raise AcpcError(f"expected {_FORM}, got {quoted(line)}")
    position, number = int(found[1]), int(found[2])
    if position not in (0, 1):
        raise AcpcError(f"{quoted(line)}: position {position} is not one of two players: expected 0 or 1")
    betting = read_betting(table, found[3], known)
    holes, board = read_cards(table, found[4], street_shown(table, betting.state))
    state = MatchState(position, number, betting, holes, board)
    if not holes[position]:
        raise AcpcError(f"{quoted(line)}: the cards of position {position}, whom it tells, are missing")
    if state.over and betting.state.folded == NOBODY and not all(holes):
        raise AcpcError(f"{quoted(line)}: a showdown shows both hands")
    return state
