"""A dealt game as flat arrays: the public tree, the hands, and a matrix for every way it can end.

A node is four 32-bit words, as in a written-out tree:

    word     decision                   public chance     terminal
    0        first child                first child       number of its matrix
    1        first table entry          where its law is  number of its stake
    2        which hands are possible   0                 0
    3        player | arity << 8        CHANCE | arity    TERMINAL

The j-th possible hand at a decision owns the entries row + j arity .. row + (j + 1) arity - 1. The law of a public
event given hands h0, h1 is the arity numbers from laws[where + (h0 hands + h1) arity] on, `hands` being player 1's.
"""

import dataclasses
import functools
import hashlib
from collections.abc import Hashable
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import GameError
from mccfr.games.base import CHANCE, TERMINAL, game_text
from mccfr.games.dealt import DealtForm, DealtRules, dealt_rules
from mccfr.kernel import layout
from mccfr.tree.rankings import Ranked, rank_endings
from mccfr.tree.tree import Infosets

Floats = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class DealtTree:
    """A public tree with hands."""

    game: str
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    deal: Floats  # [hands 0, hands 1]
    nodes: npt.NDArray[np.uint32]  # [4 * public nodes]
    matrices: Floats  # [matrices, hands 0, hands 1] for player 0
    stakes: Floats
    laws: Floats  # of public events, given both hands
    members: npt.NDArray[np.uint32]  # possible hands, list after list
    start: npt.NDArray[np.uint32]  # [lists + 1] where each list begins
    infosets: Infosets
    depth: int
    ranked: Ranked | None = None  # the endings by strength, where rules offer it
    players: int = 2
    constant: float = 0.0

    def __len__(self) -> int:
        return len(self.nodes) // 4

    def __repr__(self) -> str:
        sizes = " x ".join(str(len(hands)) for hands in self.hands)
        return f"<DealtTree of {self.game}: {len(self):,} public nodes, {sizes} hands, {len(self.infosets):,} infosets>"

    @functools.cached_property
    def counts(self) -> dict[str, int]:
        """Sizes by the names of written-out trees; nodes are public ones, the largest infoset is in hands."""
        kind = self.nodes[layout.KIND :: 4] & 255
        terminals = int(np.count_nonzero(kind == int(layout.TERMINAL)))
        chance = int(np.count_nonzero(kind == int(layout.CHANCE)))
        meets = self.deal > 0.0
        return {
            "nodes": len(self),
            "terminals": terminals,
            "chance": chance,
            "decision": len(self) - terminals - chance,
            "infosets": len(self.infosets),
            "infoset_actions": self.infosets.entries,
            "largest_infoset": int(max(meets.sum(axis=0).max(), meets.sum(axis=1).max())),
        }

    @functools.cached_property
    def index(self) -> npt.NDArray[np.uint32]:
        """[lists, hands] The place of a hand in each list of possible hands, 0 where it is not in it."""
        found = np.zeros((len(self.start) - 1, max(map(len, self.hands))), np.uint32)
        for j, (begin, end) in enumerate(pairwise(self.start.tolist())):
            found[j, self.members[begin:end]] = np.arange(end - begin)
        return found

    @functools.cached_property
    def chances(self) -> tuple[npt.NDArray[np.uint32], Floats]:
        """[nodes] and [kinds, hands 0, hands 1] What chance contributes to a pair of hands at every node: which kind.

        The probability of the pair and, given it, of all public events so far.
        """
        key = np.zeros(len(self), np.uint32)
        numbers, found = {self.deal.tobytes(): 0}, [self.deal]
        eventful = bool(np.any(self.nodes[layout.KIND :: 4] & 255 == layout.CHANCE))
        for h, (child, row, _, kind) in enumerate(self.nodes.reshape(-1, 4).tolist() if eventful else ()):
            k = kind >> 8
            if kind & 255 == layout.CHANCE:
                law = self.laws[row : row + self.deal.size * k].reshape(*self.deal.shape, k)
                for a in range(k):
                    after = found[key[h]] * law[:, :, a]
                    key[child + a] = numbers.setdefault(after.tobytes(), len(numbers))
                    found += [after] if len(found) < len(numbers) else []
            elif kind & 255 != layout.TERMINAL:
                key[child : child + k] = key[h]
        return key, np.array(found)

    @functools.cached_property
    def payoffs(self) -> Floats:
        """[matrices, hands 0, hands 1] What a stake of 1 pays player 0: the matrices without what chance contributes.

        0 for pairs of hands that cannot come there.
        """
        if not len(self.laws):
            return np.divide(self.matrices, self.deal, out=np.zeros_like(self.matrices), where=self.deal > 0.0)
        found = np.zeros_like(self.matrices)
        key, chances = self.chances
        ends = np.flatnonzero(self.nodes[layout.KIND :: 4] & 255 == layout.TERMINAL)
        for matrix, first in zip(*np.unique(self.nodes[4 * ends], return_index=True)):
            chance = chances[key[ends[first]]]
            np.divide(self.matrices[matrix], chance, out=found[matrix], where=chance > 0.0)
        return found

    @functools.cached_property
    def fingerprint(self) -> str:
        """A hash of everything that makes two games the same."""
        content = hashlib.sha256(repr((self.hands, self.infosets.first)).encode())
        for array in (self.nodes, self.deal, self.matrices, self.stakes, self.laws, self.members, self.infosets.row):
            content.update(np.ascontiguousarray(array).view(np.uint8).data)
        content.update("\x00".join(self.infosets.labels).encode())
        return content.hexdigest()


def deal_out(game: Any) -> DealtTree:
    """Compile the dealt form of a game."""
    if isinstance(game, DealtForm):
        return dataclasses.replace(deal_out(game.game), game=str(game))
    return _Builder(game, dealt_rules(game)).tree()


class _Builder:
    """Goes through the public tree once; children lie side by side, blocks of children follow depth first."""

    def __init__(self, game: Any, rules: DealtRules) -> None:
        self.game, self.rules = game_text(game), rules
        self.nodes: list[list[int]] = [[0, 0, 0, 0]]
        self.matrices: dict[Hashable, int] = {}
        self.arrays: list[Floats] = []
        self.stakes: dict[float, int] = {}
        self.laws: dict[bytes, int] = {}
        self.odds: list[Floats] = []
        self.lists: dict[bytes, int] = {}
        self.members: list[npt.NDArray[np.int64]] = []
        self.decisions: list[list[tuple[int, Any, Any]]] = [[], []]  # node, state, (own node before, action) or None
        self.depth = 0
        self._all = [np.arange(len(rules.hands(p))) for p in (0, 1)]
        self._walk()

    def _walk(self) -> None:
        stack: list[tuple[int, Any, int, tuple[Any, Any]]] = [(0, self.rules.root(), 0, (None, None))]
        while stack:
            number, s, depth, before = stack.pop()
            self.depth = max(self.depth, depth)
            mover = self.rules.player(s)
            if mover == TERMINAL:
                self.nodes[number] = [*self._ending(s), 0, int(layout.TERMINAL)]
                continue
            actions = list(self.rules.actions(s))
            child, kind = len(self.nodes), int(layout.CHANCE) if mover == CHANCE else mover
            self.nodes[number] = [child, 0, 0, kind | len(actions) << 8]
            self.nodes += [[0, 0, 0, 0] for _ in actions]
            if mover == CHANCE:
                self.nodes[number][1] = self._law(s)
            else:
                self.nodes[number][2] = self._possible(s, mover)
                self.decisions[mover].append((number, s, before[mover]))
            for a in reversed(range(len(actions))):
                last = list(before)
                if mover != CHANCE:
                    last[mover] = (number, a)
                stack.append((child + a, self.rules.step(s, actions[a]), depth + 1, (last[0], last[1])))

    def _ending(self, s: Any) -> tuple[int, int]:
        key, stake = self.rules.ending(s)
        if key not in self.matrices:
            self.matrices[key] = len(self.arrays)
            self.arrays.append(self.rules.matrix(key))
        return self.matrices[key], self.stakes.setdefault(stake, len(self.stakes))

    def _law(self, s: Any) -> int:
        """Where the law of a public event is; equal ones are kept once."""
        law = np.ascontiguousarray(self.rules.law(s), np.float64)
        key = law.tobytes()
        if key not in self.laws:
            self.laws[key] = sum(map(len, self.odds))
            self.odds.append(law.reshape(-1))
        return self.laws[key]

    def _possible(self, s: Any, player: int) -> int:
        mask = self.rules.possible(s, player)
        hands = self._all[player] if mask is None else np.flatnonzero(mask)
        key = hands.tobytes()
        if key not in self.lists:
            self.lists[key] = len(self.members)
            self.members.append(hands)
        return self.lists[key]

    def tree(self) -> DealtTree:
        infosets = self._infosets()
        start = np.cumsum([0, *map(len, self.members)])
        return DealtTree(
            self.game,
            (tuple(self.rules.hands(0)), tuple(self.rules.hands(1))),
            self.rules.deal(),
            np.array(self.nodes, np.uint32).reshape(-1),
            np.array(self.arrays),
            np.array(list(self.stakes), float),
            np.concatenate(self.odds) if self.odds else np.zeros(0),
            np.concatenate(self.members).astype(np.uint32),
            start.astype(np.uint32),
            infosets,
            self.depth,
            rank_endings(self.game, self.rules, dict(zip(self.matrices, self.arrays))),
        )

    def _infosets(self) -> Infosets:
        """Rows and labels, player 0's first; a decision's infosets follow each other by hand."""
        labels: list[str] = []
        arity: list[int] = []
        parents: list[int] = []
        menus: dict[tuple[str, ...], int] = {}
        menu: list[int] = []
        first, entry = [0], 0
        place: dict[int, tuple[int, dict[int, int], int]] = {}  # of a decision: first entry, index of a hand, arity
        for player in (0, 1):
            for number, s, before in self.decisions[player]:
                hands = self.members[self.nodes[number][2]].tolist()
                actions = tuple(self.rules.actions(s))
                k = len(actions)
                self.nodes[number][1] = entry
                place[number] = entry, {hand: j for j, hand in enumerate(hands)}, k
                for hand in hands:
                    labels.append(self.rules.label(s, player, hand))
                    arity.append(k)
                    menu.append(menus.setdefault(actions, len(menus)))
                    parents.append(-1 if before is None else self._entry(place[before[0]], hand, before[1]))
                entry += k * len(hands)
            first.append(len(labels))
        if entry >= 2**32:
            raise GameError(f"{self.game} has {entry:,} table entries; at most 2^32 are possible")
        row = np.concatenate(([0], np.cumsum(arity))).astype(np.int64)
        return Infosets(tuple(first), row, np.array(parents, np.int64), labels, list(menus), np.array(menu, np.int32))

    @staticmethod
    def _entry(place: tuple[int, dict[int, int], int], hand: int, action: int) -> int:
        entry, index, k = place
        return entry + index[hand] * k + action
