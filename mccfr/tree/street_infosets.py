"""The infosets of hold'em with every card, worked out when asked for: a board, a betting node, a hand.

Player 0's come first; each player's go by board, node and hand. The label of an infoset is hand:line, the line as in
`mccfr.betting.lines` with the cards that were dealt where a street begins: `AsKh:kb59c/3d:k`. A board that
differs from one of the tree by an exchange of suits has no infosets of its own; its labels are found all the same.
"""

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from mccfr.cards.ranges import deck_of
from mccfr.errors import BettingError, MccfrError, StrategyError, quoted
from mccfr.kernel.street_rows import normalise_street_rows
from mccfr.tree.dealt_infosets import WRITTEN_UP_TO, Names
from mccfr.tree.gate_rows import FOLLOW, GATE, STOP, GateRows
from mccfr.tree.infosets import Infosets
from mccfr.tree.street_boards import Exchange

if TYPE_CHECKING:
    from mccfr.tree.street_tree import StreetTree

AT_GATE = -1  # in place of a node


class StreetInfosets(Infosets):
    """Infosets of a street tree."""

    tree: "StreetTree"

    def __init__(self, tree: "StreetTree") -> None:
        self.__dict__["tree"] = tree

    def __len__(self) -> int:
        return self.first[2]

    @property
    def written(self) -> bool:
        """Whether there are few enough to be written out."""
        return len(self) <= WRITTEN_UP_TO

    @property
    def kept_in_files(self) -> bool:
        """Never: the game's string says it all, and compiling it is as fast as reading names."""
        return False

    @functools.cached_property
    def decisions(self) -> list[list[npt.NDArray[np.int64]]]:
        """Of every street, each player's nodes."""
        laid = self.tree.laid
        found = []
        for street in range(laid.streets):
            nodes = laid.nodes_of(street)
            kind = laid.kind[nodes.start : nodes.stop]
            found.append([np.flatnonzero(kind == p) + nodes.start for p in (0, 1)])
        return found

    @functools.cached_property
    def _begin(self) -> list[npt.NDArray[np.int64]]:
        """Of each player, the number of a board's first infoset, counted from the player's first."""
        street = self.tree.boards.street
        nodes = np.array([[len(mine) for mine in both] for both in self.decisions])
        sizes = np.diff(self.tree.boards.boards.start.astype(np.int64)).reshape(-1, 2)
        return [np.concatenate(([0], np.cumsum(sizes[:, p] * nodes[street, p]))) for p in (0, 1)]

    @functools.cached_property
    def first(self) -> tuple[int, ...]:
        middle = self.gate.rows_of(0) + int(self._begin[0][-1])
        return 0, middle, middle + self.gate.rows_of(1) + int(self._begin[1][-1])

    @property
    def gate(self) -> GateRows:
        """The rows at the gate, if there is one: the first of their owner."""
        return self.tree.gate_rows

    @functools.cached_property
    def entries(self) -> int:
        """Number of infoset-action pairs."""
        boards, actions = self.tree.boards.boards, self.tree.laid.entries
        sizes = np.diff(boards.start.astype(np.int64)).reshape(-1, 2)
        return int((sizes * actions[self.tree.boards.street]).sum()) + self.gate.size

    @property
    def widest(self) -> int:
        return max(int(self.tree.laid.arity.max(initial=0)), self.gate.actions)

    def place(self, infoset: int) -> tuple[int, int, int, int]:
        """The owner, the board, the node (AT_GATE there), and the place of the hand in its list."""
        if not 0 <= infoset < len(self):
            raise IndexError(f"no infoset {infoset}: there are {len(self):,}")
        player = self.owner(infoset)
        within = infoset - self.first[player] - self.gate.rows_of(player)
        if within < 0:
            return player, 0, AT_GATE, within + self.gate.rows
        board = int(np.searchsorted(self._begin[player], within, side="right")) - 1
        hands = len(self.tree.boards.members[2 * board + player])
        decision, hand = divmod(within - int(self._begin[player][board]), hands)
        node = self.decisions[int(self.tree.boards.street[board])][player][decision]
        return player, board, int(node), hand

    def number(self, player: int, board: int, node: int, hand: int) -> int:
        """The infoset of a hand, by its place, at a node on a board."""
        nodes = self.decisions[int(self.tree.boards.street[board])][player]
        hands = len(self.tree.boards.members[2 * board + player])
        decision = int(np.searchsorted(nodes, node))
        begin = self.gate.rows_of(player) + int(self._begin[player][board])
        return self.first[player] + begin + decision * hands + hand

    def entry(self, infoset: int) -> int:
        if infoset == len(self):
            return self.entries
        player, board, node, hand = self.place(infoset)
        if node == AT_GATE:
            return self.gate.first + hand * self.gate.actions
        laid, hands = self.tree.laid, len(self.tree.boards.members[2 * board + player])
        base = int(self.tree.boards.boards.base[4 * board + 2 * player])
        return base + int(laid.entry[node]) * hands + hand * int(laid.arity[node])

    def actions(self, infoset: int) -> tuple[str, ...]:
        return self.node_actions(self.place(infoset)[2])

    def node_actions(self, node: int) -> tuple[str, ...]:
        """The actions of a decision."""
        if node == AT_GATE:
            return tuple(map(self._hand_at_gate, range(self.gate.actions))) if self.gate.chooses else (STOP, FOLLOW)
        return tuple(move.text for move in self.tree.betting.moves(int(self.tree.laid.origin[node])))

    def name(self, infoset: int) -> str:
        """The label of one infoset."""
        player, board, node, hand = self.place(infoset)
        if node == AT_GATE:
            return GATE if self.gate.chooses else f"{self._hand_at_gate(hand)}:{GATE}"
        deck = deck_of(self.tree.rules.ranks, self.tree.rules.suits)
        held = int(self.tree.boards.members[2 * board + player][hand])
        return f"{deck.hand_name(held)}:{self.tree.line(node, board)}"

    def find(self, label: str, player: int | None = None) -> int:
        if player is not None and player not in (0, 1):
            raise StrategyError(f"no player {player}: the players are 0 to 1")
        hand, colon, line = label.partition(":")
        if self.gate.rows and GATE in (line, label):
            return self._find_at_gate(label, hand, player)
        if not colon:
            raise StrategyError(f"no infoset {quoted(label)}; write hand:line, as in {self.name(0)!r}")
        try:
            node, board, turned = self._locate(line)
            held = self._held(hand)
        except MccfrError as error:
            raise StrategyError(f"no infoset {quoted(label)}: {error}") from None
        mover = int(self.tree.laid.kind[node])
        if mover > 1 or player not in (None, mover):
            whose = "nobody moves there" if mover > 1 else f"player {mover} moves there"
            raise StrategyError(
                f"no infoset {quoted(label)}{'' if player is None else f' of player {player}'}: {whose}"
            )
        back = np.argsort(turned.hands)
        members = self.tree.boards.members[2 * board + mover]
        place = np.flatnonzero(members == back[held])
        if not len(place):
            raise StrategyError(f"no infoset {quoted(label)}: player {mover} cannot hold {hand} there")
        return self.number(mover, board, node, int(place[0]))

    def _hand_at_gate(self, place: int) -> str:
        deck = deck_of(self.tree.rules.ranks, self.tree.rules.suits)
        return deck.hand_name(int(self.tree.boards.members[self.gate.owner][place]))

    def _find_at_gate(self, label: str, hand: str, player: int | None) -> int:
        owner, chooses = self.gate.owner, self.gate.chooses
        if player not in (None, owner):
            raise StrategyError(f"no infoset {quoted(label)} of player {player}: player {owner} moves there")
        if chooses != (label == GATE):
            right = GATE if chooses else self.name(self.first[owner])
            raise StrategyError(f"no infoset {quoted(label)}; write {right!r}")
        try:
            held = np.flatnonzero(self.tree.boards.members[owner] == (0 if chooses else self._held(hand)))
        except MccfrError as error:
            raise StrategyError(f"no infoset {quoted(label)}: {error}") from None
        if not chooses and not len(held):
            raise StrategyError(f"no infoset {quoted(label)}: player {owner} cannot hold {hand} there")
        return self.first[owner] + (0 if chooses else int(held[0]))

    @functools.cached_property
    def _locate(self) -> Callable[[str], tuple[int, int, Exchange]]:
        """Where lines lead; many labels have the same."""
        return functools.lru_cache(1024)(self.tree.locate)

    def _held(self, text: str) -> int:
        deck = deck_of(self.tree.rules.ranks, self.tree.rules.suits)
        if len(text) != 4:
            raise BettingError(f"{quoted(text)} is not a hand: expected two cards, as in AsKh")
        one, other = sorted((deck.card(text[:2]), deck.card(text[2:])))
        if one == other:
            raise BettingError(f"{quoted(text)} has the same card twice")
        return other * (other - 1) // 2 + one

    def uniform(self, dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
        nothing = np.zeros(self.entries, dtype)
        self._normalise(nothing, nothing, np.zeros(0, bool))
        return nothing

    def normalised(self, weights: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
        found, visited = np.empty_like(weights), np.zeros(len(self), bool)
        self._normalise(weights, found, visited)
        return found, visited

    def _normalise(self, weights: npt.NDArray[Any], target: npt.NDArray[Any], visited: npt.NDArray[np.bool_]) -> None:
        begin = [self.first[p] + self.gate.rows_of(p) for p in (0, 1)]
        number = np.array(begin, np.uint64)
        normalise_street_rows(self.tree.laid.lines, self.tree.boards.boards, weights, target, visited, number)
        if self.gate.rows:
            target[self.gate.span], met = self.gate.normalise(weights)
            if len(visited):
                visited[self.first[self.gate.owner] : begin[self.gate.owner]] = met

    def fits(self, other: Infosets) -> bool:
        if self is other:
            return True
        if isinstance(other, StreetInfosets):
            return self.tree.fingerprint == other.tree.fingerprint
        return self.written and len(self) == len(other) and super().fits(other)

    @functools.cached_property
    def labels(self) -> Sequence[str]:
        return [self.name(j) for j in range(len(self))] if self.written else Names(self)

    @functools.cached_property
    def _menus(self) -> tuple[list[tuple[str, ...]], npt.NDArray[np.int32]]:
        numbers: dict[tuple[str, ...], int] = {}
        menu: list[npt.NDArray[np.int32]] = []
        for player in (0, 1):
            if player == self.gate.owner:
                number = numbers.setdefault(self.node_actions(AT_GATE), len(numbers))
                menu.append(np.full(self.gate.rows, number, np.int32))
            for board, street in enumerate(self.tree.boards.street.tolist()):
                hands = len(self.tree.boards.members[2 * board + player])
                for node in self.decisions[street][player].tolist():
                    number = numbers.setdefault(self.node_actions(node), len(numbers))
                    menu.append(np.full(hands, number, np.int32))
        return list(numbers), np.concatenate(menu) if menu else np.zeros(0, np.int32)

    @property
    def menus(self) -> Sequence[tuple[str, ...]]:
        return self._menus[0]

    @property
    def menu(self) -> npt.NDArray[np.int32]:
        return self._menus[1]

    @functools.cached_property
    def row(self) -> npt.NDArray[np.int64]:
        arity = [len(menu) for menu in self.menus]
        return np.concatenate(([0], np.cumsum(np.array(arity)[self.menu], dtype=np.int64)))

    @functools.cached_property
    def parent(self) -> npt.NDArray[np.int64]:
        """The owner's entry before each infoset: the same hand at its decision before, and the action taken there."""
        found = []
        for player in (0, 1):
            found.append(np.full(self.gate.rows_of(player), -1, np.int64))
            for board, street in enumerate(self.tree.boards.street.tolist()):
                found += [self._entries_before(player, board, node) for node in self.decisions[street][player].tolist()]
        return np.concatenate(found) if found else np.zeros(0, np.int64)

    def _entries_before(self, player: int, board: int, node: int) -> npt.NDArray[np.int64]:
        """For all hands at a node on a board: their owner's last entry, -1 if there is none."""
        laid, boards = self.tree.laid, self.tree.boards
        hands = boards.members[2 * board + player]
        before, action = self._decision_before(player, node)
        if before < 0:
            return self._gate_entries(player, hands)
        while before < laid.nodes_of(int(boards.street[board])).start:
            board = boards.listed[board].parent
        there = boards.members[2 * board + player]
        order = np.argsort(there)
        place = order[np.searchsorted(there, hands, sorter=order)]
        base = int(boards.boards.base[4 * board + 2 * player]) + int(laid.entry[before]) * len(there)
        return np.asarray(base + place * int(laid.arity[before]) + action)

    def _gate_entries(self, player: int, hands: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Which entries of the gate lead to these hands: `follow`, or the hand; -1 if the gate is not the player's."""
        if player != self.gate.owner:
            return np.full(len(hands), -1, np.int64)
        there = self.tree.boards.members[player]
        order = np.argsort(there)
        place = order[np.searchsorted(there, hands, sorter=order)]
        return np.asarray(self.gate.first + (place if self.gate.chooses else 2 * place + 1))

    def _decision_before(self, player: int, node: int) -> tuple[int, int]:
        """The player's last decision before a node and the action taken there, (-1, 0) if there is none."""
        betting, laid = self.tree.betting, self.tree.laid
        at = int(laid.origin[node])
        while at > 0:
            above = int(betting.parent[at])
            if int(betting.kind[above]) == player:
                mine = self.decisions[int(betting.street[above]) - int(betting.street[0])][player]
                return int(mine[laid.origin[mine] == above][0]), at - int(betting.first_child[above])
            at = above
        return -1, 0
