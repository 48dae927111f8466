"""The infosets of a dealt game, worked out from its public nodes when asked for.

A decision of the public tree is an infoset for each possible hand. Decisions are numbered by node, player 0's first, so
an infoset is a decision and a hand in its list, and the arrays and names that written-out trees keep need not be kept:
Bluff(2,2) has 352 million infosets. What needs all of them at once (`labels` as a list, `row`, `parent`, `menu`) is for
small games.
"""

import functools
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, overload

import numpy as np
import numpy.typing as npt

from mccfr.errors import StrategyError
from mccfr.games.dealt import DealtRules
from mccfr.kernel import layout
from mccfr.kernel.public_rows import normalise_rows
from mccfr.tree.infosets import Infosets

Words = npt.NDArray[np.uint32]
WRITTEN_UP_TO = 1_000_000  # infosets: names are kept once asked for; of larger games they are made one at a time


class DealtInfosets(Infosets):
    """Infosets of a public tree: see `mccfr.tree.dealt_tree` for its arrays."""

    def __init__(self, rules: DealtRules, nodes: Words, members: Words, start: Words) -> None:
        self.__dict__.update(rules=rules, nodes=nodes, members=members, start=start)
        kind = nodes[layout.KIND :: 4] & 255
        self.__dict__["decisions"] = [np.flatnonzero(kind == p).astype(np.uint32) for p in (0, 1)]

    rules: DealtRules
    nodes: Words
    members: Words
    start: Words
    decisions: list[Words]  # of each player: its public nodes

    def __len__(self) -> int:
        return self.first[2]

    @property
    def written(self) -> bool:
        """Whether there are few enough to be written out."""
        return len(self) <= WRITTEN_UP_TO

    @functools.cached_property
    def _begin(self) -> list[npt.NDArray[np.int64]]:
        """Of each player, the number of a decision's first infoset, counted from the player's first."""
        sizes = np.diff(self.start.astype(np.int64))
        lists = [self.nodes[layout.HANDS :: 4][mine] for mine in self.decisions]
        return [np.concatenate(([0], np.cumsum(sizes[mine]))) for mine in lists]

    @functools.cached_property
    def first(self) -> tuple[int, ...]:
        middle = int(self._begin[0][-1])
        return 0, middle, middle + int(self._begin[1][-1])

    @functools.cached_property
    def entries(self) -> int:
        """Number of infoset-action pairs."""
        return int(sum(np.sum(self._counts(p)) for p in (0, 1)))

    def _counts(self, player: int) -> npt.NDArray[np.int64]:
        """Table entries of each decision."""
        return np.diff(self._begin[player]) * (self.nodes[layout.KIND :: 4][self.decisions[player]] >> 8)

    def entry(self, infoset: int) -> int:
        if infoset == len(self):
            return self.entries
        _, h, place = self._place(infoset)
        return int(self.nodes[4 * h + layout.ROW]) + place * (int(self.nodes[4 * h + layout.KIND]) >> 8)

    @property
    def widest(self) -> int:
        kinds = self.nodes[layout.KIND :: 4]
        return int((kinds[kinds & 255 < int(layout.CHANCE)] >> 8).max(initial=0))

    def _place(self, infoset: int) -> tuple[int, int, int]:
        """The owner, the public node, and the place of the hand in its list."""
        if not 0 <= infoset < len(self):
            raise IndexError(f"no infoset {infoset}: there are {len(self):,}")
        player = self.owner(infoset)
        begin = self._begin[player]
        within = infoset - self.first[player]
        decision = int(np.searchsorted(begin, within, side="right")) - 1
        return player, int(self.decisions[player][decision]), within - int(begin[decision])

    def _hand(self, h: int, place: int) -> int:
        return int(self.members[int(self.start[self.nodes[4 * h + layout.HANDS]]) + place])

    def state(self, h: int) -> Any:
        """The public state of a node: its path, found from where blocks of children begin, played again."""
        s, at = self.rules.root(), 0
        while at != h:
            child, arity = int(self.nodes[4 * at]), int(self.nodes[4 * at + layout.KIND]) >> 8
            if child <= h < child + arity:
                a = h - child
            else:
                a = max(j for j in range(arity) if self._above(child + j, h))
            s, at = self.rules.step(s, self.rules.actions(s)[a]), child + a
        return s

    def _above(self, node: int, h: int) -> bool:
        """Whether the node's children begin at h or before; below the last such sibling h is found."""
        return int(self.nodes[4 * node + layout.KIND]) & 255 != layout.TERMINAL and int(self.nodes[4 * node]) <= h

    def name(self, infoset: int) -> str:
        """The label of one infoset."""
        player, h, place = self._place(infoset)
        return self.rules.label(self.state(h), player, self._hand(h, place))

    def actions(self, infoset: int) -> tuple[str, ...]:
        if self.written:
            return super().actions(infoset)
        return tuple(self.rules.actions(self.state(self._place(infoset)[1])))

    def uniform(self, dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
        nothing = np.zeros(self.entries, dtype)
        self._normalise(nothing, nothing, np.zeros(0, bool))
        return nothing

    def normalised(self, weights: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
        found, visited = np.empty_like(weights), np.zeros(len(self), bool)
        self._normalise(weights, found, visited)
        return found, visited

    def _normalise(self, weights: npt.NDArray[Any], target: npt.NDArray[Any], visited: npt.NDArray[np.bool_]) -> None:
        number = 0
        for player, mine in enumerate(self.decisions):
            normalise_rows(self.nodes, mine, self.start, weights, target, visited, np.uint64(number))
            number = self.first[player + 1]

    def fits(self, other: Infosets) -> bool:
        if self is other or self.written or not isinstance(other, DealtInfosets):
            return self is other or (len(self) == len(other) and super().fits(other))
        same = all(np.array_equal(getattr(self, name), getattr(other, name)) for name in ("nodes", "members", "start"))
        return same and all(self.rules.hands(p) == other.rules.hands(p) for p in (0, 1))

    def find(self, label: str, player: int | None = None) -> int:
        """Large games say themselves where a label is: by their rules' `locate(label)`, the actions and the hand."""
        if self.written or not hasattr(self.rules, "locate"):
            return super().find(label, player)
        found = [
            self._number(p, *place) for p in (0, 1) if player in (None, p) for place in self.rules.locate(label, p)
        ]
        if not found:
            whose = "" if player is None else f" of player {player}"
            raise StrategyError(f"no infoset {label!r}{whose}; one that exists is {self.name(self.first[1])!r}")
        if len(found) > 1:
            raise StrategyError(f"infoset {label!r} exists for several players: ask for (player, {label!r})")
        return found[0]

    def _number(self, player: int, path: Sequence[str], hand: int) -> int:
        """The infoset of a hand after these actions."""
        s, h = self.rules.root(), 0
        for action in path:
            h = int(self.nodes[4 * h]) + list(self.rules.actions(s)).index(action)
            s = self.rules.step(s, action)
        begin = int(self.start[self.nodes[4 * h + layout.HANDS]])
        end = int(self.start[self.nodes[4 * h + layout.HANDS] + 1])
        decision = int(np.searchsorted(self.decisions[player], h))
        place = int(np.searchsorted(self.members[begin:end], hand))
        return self.first[player] + int(self._begin[player][decision]) + place

    @functools.cached_property
    def labels(self) -> Sequence[str]:
        if not self.written:
            return Names(self)
        return [
            self.rules.label(s, player, int(hand))
            for player in (0, 1)
            for _, s, hands in self.decisions_of(player)
            for hand in hands
        ]

    def decisions_of(self, player: int) -> Iterator[tuple[int, Any, Words]]:
        """A player's decisions in order: node, state and possible hands."""
        for h in self.decisions[player].tolist():
            which = int(self.nodes[4 * h + layout.HANDS])
            yield h, self.states[h], self.members[self.start[which] : self.start[which + 1]]

    @functools.cached_property
    def states(self) -> list[Any]:
        """The public state of every node, parents first."""
        states: list[Any] = [None] * (len(self.nodes) // 4)
        states[0] = self.rules.root()
        for h, (child, kind) in enumerate(zip(self.nodes[0::4].tolist(), self.nodes[layout.KIND :: 4].tolist())):
            if kind & 255 != int(layout.TERMINAL):
                for a, action in enumerate(self.rules.actions(states[h])):
                    states[child + a] = self.rules.step(states[h], action)
        return states

    @functools.cached_property
    def _menus(self) -> tuple[list[tuple[str, ...]], npt.NDArray[np.int32]]:
        numbers: dict[tuple[str, ...], int] = {}
        menu: list[npt.NDArray[np.int32]] = []
        for player in (0, 1):
            for _, s, hands in self.decisions_of(player):
                number = numbers.setdefault(tuple(self.rules.actions(s)), len(numbers))
                menu.append(np.full(len(hands), number, np.int32))
        return list(numbers), np.concatenate(menu) if menu else np.zeros(0, np.int32)

    @property
    def menus(self) -> Sequence[tuple[str, ...]]:
        return self._menus[0]

    @property
    def menu(self) -> npt.NDArray[np.int32]:
        return self._menus[1]

    @functools.cached_property
    def row(self) -> npt.NDArray[np.int64]:
        arity = [
            np.repeat(self.nodes[layout.KIND :: 4][mine] >> 8, np.diff(begin))
            for mine, begin in zip(self.decisions, self._begin)
        ]
        return np.concatenate(([0], np.cumsum(np.concatenate(arity), dtype=np.int64)))

    @functools.cached_property
    def parent(self) -> npt.NDArray[np.int64]:
        """The owner's entry before each infoset: the same hand at its decision before, and the action taken there."""
        before = self._decisions_before()
        found: list[int] = []
        for player in (0, 1):
            for h, _, hands in self.decisions_of(player):
                found += [self._entry_of(*before[h][player], int(hand)) for hand in hands]
        return np.array(found, np.int64)

    def _decisions_before(self) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """For every node each player's last decision before it and the action taken, (-1, 0) if there is none."""
        before = [((-1, 0), (-1, 0))] * (len(self.nodes) // 4)
        for h, (child, _, _, kind) in enumerate(self.nodes.reshape(-1, 4).tolist()):
            for a in range(kind >> 8):
                both = before[h]
                before[child + a] = (((h, a), both[1]), (both[0], (h, a)), both)[min(kind & 255, 2)]
        return before

    def _entry_of(self, h: int, action: int, hand: int) -> int:
        if h < 0:
            return -1
        _, row, which, kind = self.nodes[4 * h : 4 * h + 4].tolist()
        place = int(np.searchsorted(self.members[self.start[which] : self.start[which + 1]], hand))
        return row + place * (kind >> 8) + action


class Nameable(Protocol):
    """Infosets with names that are made one at a time."""

    def __len__(self) -> int: ...

    def name(self, infoset: int) -> str:
        """The label of one infoset."""


class Names(Sequence[str]):
    """Labels made one at a time."""

    def __init__(self, infosets: Nameable) -> None:
        self.infosets = infosets

    def __len__(self) -> int:
        return len(self.infosets)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self.infosets.name(j) for j in range(len(self))[at]]
        return self.infosets.name(range(len(self))[at])
