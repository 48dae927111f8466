"""The infosets of a betting tree with buckets, worked out when asked for: limit hold'em with ten has 57 million.

A decision is an infoset for each row of its street. A label is row:line, such as `3.7:r4c/k`; where real cards are
given instead, `AsKh:r4c/2hJhQs:k`, their row is looked up.

Table entries are in blocks: one for each player and each way to come to a street. A block has a stretch for each row,
with the entries of all the player's decisions on that street. A walk that comes to a street with its cards then finds
everything it needs there side by side, in one or two lines of the processor's cache: 2.5 times the speed of a block for
each decision (limit hold'em, ten buckets).
"""

import functools
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.betting.flat_tree import BettingTree
from mccfr.buckets.bucketing import Fit
from mccfr.cards.boards import parse_board
from mccfr.cards.ranges import deck_of
from mccfr.errors import BettingError, MccfrError, StrategyError, quoted
from mccfr.tree.dealt_infosets import WRITTEN_UP_TO, Names
from mccfr.tree.infosets import Infosets

Ints = npt.NDArray[np.int64]
_CARD = "[2-9TJQKA][cdhs]"
_HAND = re.compile(rf"\s*({_CARD})\s*({_CARD})\s*", re.I)
_DEALT = re.compile(r"/([^/:]*):")
_LAST_DEALT = re.compile(rf"/((?:\s*{_CARD})+)\s*$", re.I)  # without the colon that follows cards


class BucketInfosets(Infosets):
    """Infosets of a betting tree in blocks of table entries: see the module."""

    def __init__(self, betting: BettingTree, fit: Fit, block_of: Ints, leader_of: Ints) -> None:
        """[nodes] the block of a decision, numbered by owner, and the first of the decisions that share its entries."""
        self.__dict__.update(betting=betting, fit=fit, block_of=block_of, leader_of=leader_of)
        order = np.flatnonzero((block_of >= 0) & (leader_of == np.arange(len(leader_of))))
        order = order[np.argsort(block_of[order], kind="stable")]
        blocks = block_of[order]
        start = np.flatnonzero(np.diff(blocks, prepend=-1))
        arity = betting.arity[order].astype(np.int64)
        before = np.cumsum(arity) - arity
        ends = np.append(start[1:], len(order))
        stride = np.add.reduceat(arity, start)
        rows = np.array(fit.rows, np.int64)[betting.street[order[start]]]
        self.__dict__.update(leaders=order, start=np.append(start, len(order)), block_rows=rows, block_stride=stride)
        place, offset = (np.zeros(len(block_of), np.int64) for _ in range(2))
        place[order] = np.arange(len(order)) - np.repeat(start, ends - start)
        offset[order] = before - np.repeat(before[start], ends - start)
        self.__dict__.update(place=place[leader_of], offset=offset[leader_of])

    betting: BettingTree
    fit: Fit
    block_of: Ints  # [nodes] -1 at ends
    leader_of: Ints  # [nodes] the first decision with the same entries, the node itself at ends
    leaders: Ints  # decisions that have entries of their own, block by block
    start: Ints  # [blocks + 1] where those of a block begin
    block_rows: Ints  # [blocks]
    block_stride: Ints  # [blocks] entries of a row
    place: Ints  # [nodes] number of a decision in its block
    offset: Ints  # [nodes] its first entry in a row

    @functools.cached_property
    def block_begin(self) -> Ints:
        """[blocks + 1] the number of the first infoset of each block."""
        return np.concatenate(([0], np.cumsum(self.block_rows * np.diff(self.start))))

    @functools.cached_property
    def block_entry(self) -> Ints:
        """[blocks + 1] the first table entry of each block."""
        return np.concatenate(([0], np.cumsum(self.block_rows * self.block_stride)))

    @property
    def node_entry(self) -> Ints:
        """[nodes] the table entry of a decision's first move in row 0."""
        return np.where(self.block_of >= 0, self.block_entry[self.block_of] + self.offset, 0)

    @property
    def node_stride(self) -> Ints:
        """[nodes] how many entries later the same is for the next row."""
        return np.where(self.block_of >= 0, self.block_stride[self.block_of], 0)

    def __len__(self) -> int:
        return int(self.block_begin[-1])

    @functools.cached_property
    def first(self) -> tuple[int, ...]:
        mine = int(np.count_nonzero(self.betting.kind[self.leaders[self.start[:-1]]] == 0))
        return 0, int(self.block_begin[mine]), len(self)

    @property
    def entries(self) -> int:
        """Number of infoset-action pairs."""
        return int(self.block_entry[-1])

    @property
    def widest(self) -> int:
        return int(self.betting.arity.max(initial=0))

    @property
    def written(self) -> bool:
        """Whether there are few enough to be written out."""
        return len(self) <= WRITTEN_UP_TO

    @property
    def kept_in_files(self) -> bool:
        """Never: names need the bucketing, which a strategy needs anyway."""
        return False

    def _place(self, infoset: int) -> tuple[int, int]:
        """Decision and row of an infoset."""
        if not 0 <= infoset < len(self):
            raise IndexError(f"no infoset {infoset}: there are {len(self):,}")
        block = int(np.searchsorted(self.block_begin, infoset, side="right")) - 1
        first, end = int(self.start[block]), int(self.start[block + 1])
        row, place = divmod(infoset - int(self.block_begin[block]), end - first)
        return int(self.leaders[first + place]), row

    def number(self, node: int, row: int) -> int:
        """The infoset of a row at a decision."""
        block = int(self.block_of[node])
        width = int(self.start[block + 1] - self.start[block])
        return int(self.block_begin[block]) + row * width + int(self.place[node])

    def entry(self, infoset: int) -> int:
        if infoset == len(self):
            return self.entries
        node, row = self._place(infoset)
        block = int(self.block_of[node])
        return int(self.block_entry[block] + row * self.block_stride[block] + self.offset[node])

    def name(self, infoset: int) -> str:
        """The label of one infoset."""
        node, row = self._place(infoset)
        return f"{self.fit.label(int(self.betting.street[node]), row)}:{self.betting.line(node)}"

    def actions(self, infoset: int) -> tuple[str, ...]:
        return self.menu_at(self._place(infoset)[0])

    def menu_at(self, node: int) -> tuple[str, ...]:
        """The moves of a decision, as in lines."""
        return tuple(move.text for move in self.betting.moves(node))

    # ---- blocks of a table

    def at_node(self, table: npt.NDArray[Any], node: int) -> npt.NDArray[Any]:
        """[rows, moves] the part of a table that a decision owns, as a view."""
        block, offset = int(self.block_of[node]), int(self.offset[node])
        begin, rows, stride = (int(each[block]) for each in (self.block_entry, self.block_rows, self.block_stride))
        whole = table[begin : begin + rows * stride].reshape(rows, stride)
        return whole[:, offset : offset + int(self.betting.arity[node])]

    def each_part(self, *tables: npt.NDArray[Any]) -> Iterator[tuple[int, tuple[npt.NDArray[Any], ...]]]:
        """Every decision that has entries of its own, with its part of each table."""
        for node in self.leaders.tolist():
            yield node, tuple(self.at_node(table, node) for table in tables)

    def uniform(self, dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
        out = np.empty(self.entries, dtype)
        for _, (part,) in self.each_part(out):
            part[:] = 1.0 / part.shape[1]
        return out

    def normalised(self, weights: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
        found, visited = np.empty_like(weights), np.zeros(len(self), bool)
        for node, (old, new) in self.each_part(weights, found):
            total = old.sum(axis=1, dtype=np.float64)
            here = total > 0
            block = int(self.block_of[node])
            begin, width = int(self.block_begin[block]), int(self.start[block + 1] - self.start[block])
            visited[begin + int(self.place[node]) : int(self.block_begin[block + 1]) : width] = here
            new[:] = np.where(here[:, None], old / np.where(here, total, 1.0)[:, None], 1.0 / old.shape[1])
        return found, visited

    # ---- names

    def fits(self, other: Infosets) -> bool:
        if self is other or not isinstance(other, BucketInfosets):
            return self is other
        same = all(np.array_equal(getattr(self, name), getattr(other, name)) for name in ("block_of", "leader_of"))
        menus = same and all(self.menu_at(h) == other.menu_at(h) for h in self.leaders.tolist())
        return menus and self.fit.checksum == other.fit.checksum

    def find(self, label: str, player: int | None = None) -> int:
        head, colon, line = label.partition(":")
        if not colon:
            raise StrategyError(f"no infoset {quoted(label)}: write ROW:LINE or HAND:LINE, as in {self.name(0)!r}")
        hand = _HAND.fullmatch(head)
        bare, board = _without_cards(line)
        node = self._decision(bare, label)
        if player is not None and int(self.betting.kind[node]) != player:
            raise StrategyError(f"no infoset {quoted(label)} of player {player}: player {1 - player} moves there")
        street = int(self.betting.street[node])
        row = self._row_of_hand(street, hand.groups(), board, label) if hand else self._row_called(street, head, label)
        return self.number(int(self.leader_of[node]), row)

    def _decision(self, line: str, label: str) -> int:
        try:
            node = self.betting.find(line)
        except BettingError as error:
            raise StrategyError(f"no infoset {quoted(label)}: {error}") from None
        if self.betting.kind[node] < 0:
            raise StrategyError(f"no infoset {quoted(label)}: nobody moves after {quoted(line)}")
        return node

    def _row_of_hand(self, street: int, hand: Sequence[str], board: str, label: str) -> int:
        rules = self.fit.cards
        try:
            cards = parse_board(f"{hand[0]} {hand[1]} {board}", (2 + rules.board(street),), rules.ranks, rules.suits)
        except MccfrError:
            need = f"{rules.board(street)} different cards" if street else "none"
            where = f"a hand of the deck, and between / and : the board ({need} there)"
            raise StrategyError(f"no infoset {quoted(label)}: expected {where}") from None
        return int(self.fit.rows_of(street, [cards])[0])

    def rows_at(self, line: str) -> tuple[int, Ints]:
        """The decision after a line with its cards, `r4c/2hJhQs:k`, and [hands of the deck] the row of each hand.

        Hands that share a card with the board have -1.
        """
        bare, board = _without_cards(line)
        node = self._decision(bare, line)
        rules, street = self.fit.cards, int(self.betting.street[node])
        try:
            cards = parse_board(board, (rules.board(street),), rules.ranks, rules.suits)
        except MccfrError as error:
            raise StrategyError(f"line {quoted(line)}: {error}") from None
        hands = deck_of(rules.ranks, rules.suits).hand_cards.astype(np.uint8)
        free = ~np.isin(hands, cards).any(axis=1)
        seen = np.concatenate((hands[free], np.tile(np.array(cards, np.uint8), (int(free.sum()), 1))), axis=1)
        found = np.full(len(hands), -1, np.int64)
        found[free] = self.fit.rows_of(street, seen)
        return node, found

    def _row_called(self, street: int, name: str, label: str) -> int:
        rows = self.fit.rows[street]
        if name.isascii() and name.isdecimal() and self.fit.label(street, 0) == "0" and int(name) < rows:
            return int(name)
        found = self._row_names(street).get(name)
        if found is None:
            example = self.fit.label(street, rows // 2)
            raise StrategyError(f"no infoset {quoted(label)}: there is no row {quoted(name)}, one is {example!r}")
        return found

    @functools.cache  # noqa: B019  lives as long as its tree
    def _row_names(self, street: int) -> dict[str, int]:
        return {self.fit.label(street, row): row for row in range(self.fit.rows[street])}

    @functools.cached_property
    def labels(self) -> Sequence[str]:
        return [self.name(j) for j in range(len(self))] if self.written else Names(self)

    @functools.cached_property
    def _menus(self) -> tuple[list[tuple[str, ...]], npt.NDArray[np.int32]]:
        numbers: dict[tuple[str, ...], int] = {}
        menu = [numbers.setdefault(self.menu_at(h), len(numbers)) for h in self.leaders.tolist()]
        return list(numbers), np.array(menu, np.int32)

    @property
    def menus(self) -> Sequence[tuple[str, ...]]:
        return self._menus[0]

    @functools.cached_property
    def menu(self) -> npt.NDArray[np.int32]:
        return self._by_infoset(self._menus[1])

    @functools.cached_property
    def row(self) -> Ints:
        arity = self._by_infoset(self.betting.arity[self.leaders].astype(np.int64))
        return np.concatenate(([0], np.cumsum(arity)))

    def _by_infoset(self, of_leaders: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """[infosets] from a number for each decision with entries of its own."""
        blocks = [of_leaders[a:b] for a, b in zip(self.start[:-1].tolist(), self.start[1:].tolist())]
        return np.concatenate([np.tile(each, rows) for each, rows in zip(blocks, self.block_rows.tolist())])


def _without_cards(line: str) -> tuple[str, str]:
    """A line without the cards between / and :, and these cards."""
    line = _LAST_DEALT.sub(r"/\1:", line)
    return _DEALT.sub("/", line), " ".join(_DEALT.findall(line))
