"""Locks: what a player does at a node of a spot, given and not learned.

A lock is a table: the line that leads to the node, and for its moves how often they are played.

    {"line": "k", "b59": "QQ+,AK:0.5", "k": "rest"}
    {"line": "kk/", "board": "7d", "k": 0.4, "b135": 0.6}

A number is the frequency of a move for all hands. A range says it hand by hand: hands outside it never make the move.
`rest` is what is left. Moves that are not named are never played. `b59` may also be written `bet 59`. `board` are the
cards that have come to the board of the spot, in their order; without it a lock holds for all of them, except for those
that have a lock of their own.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mccfr.betting.lines import OVER, Betting, Move, State
from mccfr.cards.deck import CardError
from mccfr.cards.ranges import Deck, Range, deck_of
from mccfr.errors import BettingError, nearest, quoted
from mccfr.games.parameters import ParameterError
from mccfr.games.streets import Floats, Lock

REST = "rest"
EXAMPLE = "{'line': 'k', 'k': 0.4, 'b59': 'rest'}"
NEARLY = 1e-9  # sums that differ by less are equal

Table = dict[str, Any]


class Locked(NamedTuple):
    """A lock as it is written canonically, and as trees use it."""

    table: Table
    lock: Lock


class LockReader:
    """Reads the locks of one spot."""

    def __init__(
        self, game: str, betting: Betting, deals: Sequence[int], board: Sequence[int], ranges: Sequence[Range]
    ) -> None:
        self.game, self.betting, self.deals, self.board, self.ranges = game, betting, deals, board, ranges
        self.deck: Deck = deck_of(ranges[0].ranks, ranges[0].suits)

    def read_all(self, given: Any) -> list[Locked]:
        """All locks, those for all cards before those for certain ones."""
        tables = [given] if isinstance(given, Mapping) else given
        if type(tables) not in (list, tuple):
            raise ParameterError(
                self.game, ("lock",), f"lock must be a list of tables such as {EXAMPLE}, got {quoted(given)}"
            )
        found: dict[tuple[str, Any], Locked] = {}
        for j, table in enumerate(tables):
            read = self.read(j, table)
            key = read.lock.line, read.lock.cards
            if key in found:
                raise self._wrong(j, "line", f"{quoted(table['line'])} is locked already")
            found[key] = read
        return sorted(found.values(), key=lambda one: one.lock.cards is not None)

    def read(self, number: int, table: Any) -> Locked:
        """The lock of a table."""
        if not isinstance(table, Mapping) or not isinstance(table.get("line"), str):
            raise self._wrong(number, None, f"expected a table with a line, such as {EXAMPLE}, got {quoted(table)}")
        s = self._node(number, table["line"])
        cards = self._cards(number, s, table.get("board"))
        offered = self.betting.moves(s)
        table = {{move.label: move.text for move in offered}.get(key, key): value for key, value in table.items()}
        moves = {move.text: move for move in offered}
        for key in table:
            if key not in ("line", "board") and key not in moves:
                raise self._wrong(number, key, f"{self._no_move(key, s, moves)}")
        given = {move: self._frequency(number, move, table[move]) for move in moves if move in table}
        strategy = self._strategy(number, s, cards, list(moves), given)
        where: Table = {"line": s.line}
        if cards is not None:
            where["board"] = " ".join(map(self.deck.card_name, cards))
        return Locked({**where, **{move: text for move, (text, _) in given.items()}}, Lock(s.line, cards, strategy))

    def _node(self, number: int, line: str) -> State:
        try:
            s = self.betting.at(line)
        except BettingError as error:
            raise self._wrong(number, "line", str(error)) from None
        if s.mover == OVER:
            raise self._wrong(number, "line", f"line {quoted(line)} is the end of the hand: nobody moves there")
        return s

    def _no_move(self, key: Any, s: State, moves: Mapping[str, Move]) -> str:
        here = f"after line {quoted(s.line)}" if s.line else "at the start"
        return f"{quoted(key)} is not offered {here}; {nearest(str(key), ('line', 'board', *moves))}"

    def _cards(self, number: int, s: State, text: Any) -> tuple[int, ...] | None:
        """The cards that have come to the board, if the lock names them."""
        if text is None:
            return None
        count = sum(self.deals[: s.street - self.betting.root().street])
        try:
            cards = self.deck.read_cards(text)
        except CardError as error:
            raise self._wrong(number, "board", f"board: {error}") from None
        if len(cards) != count:
            problem = f"board has {len(cards)} cards, but {count} have come to the board after line {quoted(s.line)}"
            raise self._wrong(number, "board", problem)
        if shared := set(cards) & set(self.board):
            name = self.deck.card_name(min(shared))
            raise self._wrong(number, "board", f"board has {name}, which is on the board of the spot already")
        return cards or None

    def _frequency(self, number: int, move: str, value: Any) -> tuple[Any, Floats | None]:
        """What is said of a move: canonical, and [hands] how often each hand plays it; None for what is left."""
        if isinstance(value, str) and value.strip().lower() == REST:
            return REST, None
        hands = self.deck.hands
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
            return value, np.full(hands, float(value))
        if not isinstance(value, str):
            what = f"{move} must be a frequency from 0 to 1, a range or 'rest', got {quoted(value)}"
            raise self._wrong(number, move, what)
        try:
            found = Range.parse(value, self.deck.ranks, self.deck.suits)
        except CardError as error:
            raise self._wrong(number, move, f"{move}: {error}") from None
        return str(found), found.weights

    def _strategy(
        self,
        number: int,
        s: State,
        cards: tuple[int, ...] | None,
        moves: list[str],
        given: Mapping[str, tuple[Any, Floats | None]],
    ) -> Floats:
        """[hands, moves] rows that sum to 1; hands that cannot be held play all moves alike."""
        rest = [move for move, (_, weights) in given.items() if weights is None]
        if len(rest) > 1:
            raise self._wrong(number, rest[1], f"only one move can be 'rest', got {' and '.join(rest)}")
        strategy = np.zeros((self.deck.hands, len(moves)))
        for move, (_, weights) in given.items():
            if weights is not None:
                strategy[:, moves.index(move)] = weights
        held = self.ranges[s.mover].without((*self.board, *(cards or ()))).weights > 0
        sums = strategy.sum(axis=1)
        wrong = sums > 1 + NEARLY if rest else np.abs(sums - 1) > NEARLY
        if (wrong & held).any():
            raise self._wrong(number, "line", self._bad_sum(int(np.flatnonzero(wrong & held)[-1]), sums, rest))
        if rest:
            strategy[:, moves.index(rest[0])] = (1 - sums).clip(0)
        strategy[wrong] = 1 / len(moves)
        return strategy / strategy.sum(axis=1, keepdims=True)

    def _bad_sum(self, hand: int, sums: Floats, rest: Sequence[str]) -> str:
        total = f"{float(sums[hand]):.10g}"
        name = self.deck.hand_name(hand)
        if rest:
            return f"the moves of {name} sum to {total}, which leaves nothing for {rest[0]}; expected at most 1"
        return f"the moves of {name} sum to {total}, expected 1 (one move may be 'rest')"

    def _wrong(self, number: int, key: Any, problem: str) -> ParameterError:
        place = ("lock", number) if key is None else ("lock", number, str(key))
        return ParameterError(self.game, place, f"lock {number + 1}: {problem}")
