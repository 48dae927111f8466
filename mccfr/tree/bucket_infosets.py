"""The infosets of a betting tree with buckets, worked out when asked for: limit hold'em with ten has 57 million.

A decision is an infoset for each row of its street. A label is row:line, such as `3.7:r4c/k`; where real cards are
given instead, `AsKh:r4c/2hJhQs:k`, their row is looked up.
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
from mccfr.errors import BettingError, MccfrError, StrategyError, quoted
from mccfr.tree.dealt_infosets import WRITTEN_UP_TO, Names
from mccfr.tree.infosets import Infosets

Ints = npt.NDArray[np.int64]
_CARD = "[2-9TJQKA][cdhs]"
_HAND = re.compile(rf"\s*({_CARD})\s*({_CARD})\s*", re.I)
_DEALT = re.compile(r"/([^/:]*):")
_LAST_DEALT = re.compile(rf"/((?:\s*{_CARD})+)\s*$", re.I)  # without the colon that follows cards


class BucketInfosets(Infosets):
    """Infosets of a betting tree: blocks of entries, one for each decision, or for each class of decisions."""

    def __init__(self, betting: BettingTree, fit: Fit, block_of: Ints) -> None:
        """block_of: [nodes] the block of a decision, -1 at ends; blocks are numbered by owner, then by first node."""
        decisions = np.flatnonzero(block_of >= 0)
        _, at = np.unique(block_of[decisions], return_index=True)
        leaders = decisions[at]
        rows = np.array(fit.rows, np.int64)[betting.street[leaders]]
        self.__dict__.update(betting=betting, fit=fit, block_of=block_of, leaders=leaders)
        self.__dict__.update(block_rows=rows, block_arity=betting.arity[leaders].astype(np.int64))

    betting: BettingTree
    fit: Fit
    block_of: Ints
    leaders: Ints  # [blocks] the first decision of each
    block_rows: Ints  # [blocks]
    block_arity: Ints  # [blocks]

    @functools.cached_property
    def begin(self) -> Ints:
        """[blocks + 1] the number of the first infoset of each block."""
        return np.concatenate(([0], np.cumsum(self.block_rows)))

    @functools.cached_property
    def block_entry(self) -> Ints:
        """[blocks + 1] the first table entry of each block."""
        return np.concatenate(([0], np.cumsum(self.block_rows * self.block_arity)))

    def __len__(self) -> int:
        return int(self.begin[-1])

    @functools.cached_property
    def first(self) -> tuple[int, ...]:
        mine = int(np.count_nonzero(self.betting.kind[self.leaders] == 0))
        return 0, int(self.begin[mine]), len(self)

    @property
    def entries(self) -> int:
        """Number of infoset-action pairs."""
        return int(self.block_entry[-1])

    @property
    def widest(self) -> int:
        return int(self.block_arity.max(initial=0))

    @property
    def written(self) -> bool:
        """Whether there are few enough to be written out."""
        return len(self) <= WRITTEN_UP_TO

    @property
    def kept_in_files(self) -> bool:
        """Never: names need the bucketing, which a strategy needs anyway."""
        return False

    def _place(self, infoset: int) -> tuple[int, int]:
        """Block and row of an infoset."""
        if not 0 <= infoset < len(self):
            raise IndexError(f"no infoset {infoset}: there are {len(self):,}")
        block = int(np.searchsorted(self.begin, infoset, side="right")) - 1
        return block, infoset - int(self.begin[block])

    def entry(self, infoset: int) -> int:
        if infoset == len(self):
            return self.entries
        block, row = self._place(infoset)
        return int(self.block_entry[block]) + row * int(self.block_arity[block])

    def street(self, block: int) -> int:
        """On which street a block's decisions are."""
        return int(self.betting.street[self.leaders[block]])

    def name(self, infoset: int) -> str:
        """The label of one infoset."""
        block, row = self._place(infoset)
        return f"{self.fit.label(self.street(block), row)}:{self.betting.line(int(self.leaders[block]))}"

    def actions(self, infoset: int) -> tuple[str, ...]:
        return self.block_menus[self._place(infoset)[0]]

    @functools.cached_property
    def block_menus(self) -> list[tuple[str, ...]]:
        """The moves of each block, as in lines."""
        return [tuple(move.text for move in self.betting.moves(int(node))) for node in self.leaders]

    # ---- blocks of a table

    def blocks(self, table: npt.NDArray[Any]) -> Iterator[npt.NDArray[Any]]:
        """[rows, moves] the part of a table that each block owns, as views."""
        for begin, rows, arity in zip(self.block_entry.tolist(), self.block_rows.tolist(), self.block_arity.tolist()):
            yield table[begin : begin + rows * arity].reshape(rows, arity)

    def at_node(self, table: npt.NDArray[Any], node: int) -> npt.NDArray[Any]:
        """[rows, moves] the part of a table that a decision owns, as a view."""
        block = int(self.block_of[node])
        begin, rows, arity = (int(each[block]) for each in (self.block_entry, self.block_rows, self.block_arity))
        return table[begin : begin + rows * arity].reshape(rows, arity)

    def uniform(self, dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
        out = np.empty(self.entries, dtype)
        for block in self.blocks(out):
            block[:] = 1.0 / block.shape[1]
        return out

    def normalised(self, weights: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
        found, visited = np.empty_like(weights), np.zeros(len(self), bool)
        for old, new, begin in zip(self.blocks(weights), self.blocks(found), self.begin.tolist()):
            total = old.sum(axis=1, dtype=np.float64)
            here = total > 0
            visited[begin : begin + len(total)] = here
            new[:] = np.where(here[:, None], old / np.where(here, total, 1.0)[:, None], 1.0 / old.shape[1])
        return found, visited

    # ---- names

    def fits(self, other: Infosets) -> bool:
        if self is other or not isinstance(other, BucketInfosets):
            return self is other
        same = np.array_equal(self.block_of, other.block_of) and self.block_menus == other.block_menus
        return same and self.fit.checksum == other.fit.checksum

    def find(self, label: str, player: int | None = None) -> int:
        head, colon, line = label.partition(":")
        if not colon:
            raise StrategyError(f"no infoset {quoted(label)}: write ROW:LINE or HAND:LINE, as in {self.name(0)!r}")
        hand = _HAND.fullmatch(head)
        bare, board = _without_cards(line)
        node = self._decision(bare, label)
        if player is not None and int(self.betting.kind[node]) != player:
            raise StrategyError(f"no infoset {quoted(label)} of player {player}: player {1 - player} moves there")
        block, street = int(self.block_of[node]), int(self.betting.street[node])
        row = self._row_of_hand(street, hand.groups(), board, label) if hand else self._row_called(street, head, label)
        return int(self.begin[block]) + row

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
        menu = [numbers.setdefault(each, len(numbers)) for each in self.block_menus]
        return list(numbers), np.array(menu, np.int32)

    @property
    def menus(self) -> Sequence[tuple[str, ...]]:
        return self._menus[0]

    @functools.cached_property
    def menu(self) -> npt.NDArray[np.int32]:
        return np.repeat(self._menus[1], self.block_rows)

    @functools.cached_property
    def row(self) -> Ints:
        return np.concatenate(([0], np.cumsum(np.repeat(self.block_arity, self.block_rows))))


def _without_cards(line: str) -> tuple[str, str]:
    """A line without the cards between / and :, and these cards."""
    line = _LAST_DEALT.sub(r"/\1:", line)
    return _DEALT.sub("/", line), " ".join(_DEALT.findall(line))
