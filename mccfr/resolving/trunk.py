"""What lies before the positions of a street: ranges, gifts, and what a rise in positions comes to at the start.

The trunk of hold'em with every card is the betting on the boards of all earlier streets. There are few of them, so
everything is read board by board: the kernel sweeps once for each question, with an eye on one board
(`mccfr.kernel.street_actors.Judging`), and what follows is arithmetic on vectors over the hands of the deck.

Letters: i the player who re-solves, o the opponent, b a board, m a betting node, j a hand of the opponent.
"""

import functools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.evaluate.street_reading import only_towards
from mccfr.evaluate.street_sweeps import StreetSweeps
from mccfr.kernel.layout import u64
from mccfr.kernel.street_actors import FOLLOW_STRATEGY, Judging
from mccfr.kernel.street_layout import CHILD, NODE_WORDS, StreetTable
from mccfr.tree.street_boards import HandDeck, deal_chances
from mccfr.tree.street_lines import FIRST_NODES, SEGMENT
from mccfr.tree.street_tree import StreetTree

Floats = npt.NDArray[np.float64]


class Seen(NamedTuple):
    """What was seen of a board: vectors over the hands of the deck for each betting node of its street."""

    reach: Floats  # [nodes, 2, hands]
    value: Floats  # [nodes, hands] to the player who was swept, without its own reach


def met(deck: HandDeck, weights: Floats) -> Floats:
    """[..., hands] w(j): the weights [..., hands] of all hands that share no card with hand j, summed."""
    has = np.zeros((len(deck.cards), deck.count))
    has[np.arange(len(has))[:, None], deck.cards] = 1.0
    by_card = weights @ has
    total = weights.sum(axis=-1, keepdims=True)
    return np.maximum(total - by_card[..., deck.low] - by_card[..., deck.high] + weights, 0.0)


class Trunk:
    """The streets before some positions, under one strategy in lanes."""

    def __init__(self, tree: StreetTree, table: StreetTable, street: int) -> None:
        self.tree, self.table, self.street = tree, table, street
        self.deck = tree.boards.deck
        self.sweeps = StreetSweeps(tree, np.float64, 1)
        rules = tree.rules
        self.chances = deal_chances(rules.ranks * rules.suits, len(rules.board), rules.deals) / tree.pairs
        self.children = tree.laid.lines.nodes[int(CHILD) :: int(NODE_WORDS)].astype(np.int64)
        self.links = tree.laid.lines.links.reshape(-1, 2).astype(np.int64)
        self.seen: dict[tuple[int, int, int], Seen] = {}

    @property
    def before(self) -> npt.NDArray[np.int64]:
        """The boards of all streets before."""
        return np.flatnonzero(self.tree.boards.street < self.street)

    @functools.cached_property
    def exits(self) -> npt.NDArray[np.int64]:
        """[roots] the nodes of the street before at which the cards of the positions are dealt."""
        return self._linked(self.street)[:, 0]

    def _linked(self, street: int) -> npt.NDArray[np.int64]:
        """[roots, 2] of a street after the first: where its cards are dealt, and the root to which they lead."""
        nodes = self.tree.laid.nodes_of(street)
        return self.links[(self.links[:, 1] >= nodes.start) & (self.links[:, 1] < nodes.stop)]

    def _roots(self, street: int) -> npt.NDArray[np.int64]:
        """[roots] of a street, by their places in it."""
        return self._linked(street)[:, 1] - self._first(street) if street else np.zeros(1, np.int64)

    def look(self, board: int, player: int, way: int) -> Seen:
        """Sweep what lies below a board for a player, who follows the strategy or responds; each question once."""
        asked = board, player, way
        if asked not in self.seen:
            self.seen[asked] = self._look(*asked)
        return self.seen[asked]

    def _look(self, board: int, player: int, way: int) -> Seen:
        tree, stride = self.tree, self.tree.largest_infoset
        segment = int(tree.laid.lines.street[int(tree.boards.street[board])])
        starts = tree.laid.lines.segments[FIRST_NODES::SEGMENT]
        nodes = int(starts[segment + 1]) - int(starts[segment])
        value, reach = np.zeros(nodes * stride), np.zeros((nodes, 2, stride))
        self.sweeps.boards = only_towards(tree, board)
        actor = Judging(np.uint64(way), u64(board), u64(segment), value, reach.reshape(-1))
        self.sweeps.sweep(actor, player, self.table)
        found = Seen(np.zeros((nodes, 2, len(self.deck.cards))), np.zeros((nodes, len(self.deck.cards))))
        for p in (0, 1):
            mine = tree.boards.members[2 * board + p]
            found.reach[:, p, mine] = reach[:, p, : len(mine)]
        mine = tree.boards.members[2 * board + player]
        found.value[:, mine] = value.reshape(nodes, stride)[:, : len(mine)]
        return found

    def ranges(self) -> Iterator[tuple[int, Floats]]:
        """Every board of the street, with [roots, 2, hands] the ranges of both players there."""
        follow = int(FOLLOW_STRATEGY)
        for board in np.flatnonzero(self.tree.boards.street == self.street).tolist():
            above = self.tree.boards.listed[board].parent
            found = self.look(above, 0, follow).reach[self.exits - self._first(self.street - 1)]
            yield board, found * ~self.deck.blocked(self.tree.boards.listed[board].cards)

    def _first(self, street: int) -> int:
        return self.tree.laid.nodes_of(street).start

    # ---- gifts

    def gifts(self, opponent: int, way: int) -> dict[int, Floats]:
        """By board of the street, [roots, hands]: what the opponent gave away on the way, in chips.

        At each of its decisions, the value of its best action less that of the action taken, given that the game comes
        to this decision. [Brown and Sandholm 2017, 4.1]
        """
        given: dict[int, Floats] = {}
        for board in range(len(self.tree.boards.listed)):
            street = int(self.tree.boards.street[board])
            if street <= self.street:
                begin = self._gifts_at_roots(board, street, given)
                given[board] = begin if street == self.street else self._gifts_on(board, opponent, way, begin)
        return {board: found for board, found in given.items() if self.tree.boards.street[board] == self.street}

    def _gifts_at_roots(self, board: int, street: int, given: dict[int, Floats]) -> Floats:
        """[roots of the street, hands] what was given away before the board came."""
        if street == 0:
            return np.zeros((1, len(self.deck.cards)))
        exits = self._linked(street)[:, 0] - self._first(street - 1)
        return given[self.tree.boards.listed[board].parent][exits]

    def _gifts_on(self, board: int, opponent: int, way: int, begin: Floats) -> Floats:
        """[nodes, hands] from what was given away at the roots of a street, parents first."""
        laid, street = self.tree.laid, int(self.tree.boards.street[board])
        nodes, seen = laid.nodes_of(street), self.look(board, opponent, way)
        found = np.zeros((len(nodes), len(self.deck.cards)))
        found[self._roots(street)] = begin
        weight = self.chances[street] * met(self.deck, seen.reach[:, 1 - opponent])
        for m, node in enumerate(nodes):
            if laid.kind[node] > 1:
                continue
            child = int(self.children[node]) - nodes.start
            below = slice(child, child + int(laid.arity[node]))
            found[below] = found[m]
            if laid.kind[node] == opponent:
                lost = seen.value[below].max(axis=0) - seen.value[below]
                found[below] += np.divide(lost, weight[m], out=np.zeros_like(lost), where=weight[m] > 0)
        return found

    # ---- bounds

    def rise(self, opponent: int, by_board: dict[int, Floats]) -> float:
        """At most so much more the opponent's best response gets, if positions are worth so much more to its hands.

        by_board: [roots, hands] of each board of the street, at least 0, in the units of sweeps. At decisions of the
        opponent the largest rise counts, elsewhere they add up.
        """
        rises, boards = dict(by_board), self.tree.boards
        for board in reversed(self.before.tolist()):
            street = int(boards.street[board])
            nodes = self.tree.laid.nodes_of(street)
            found = np.zeros((len(nodes), len(self.deck.cards)))
            exits = self._linked(street + 1)[:, 0] - nodes.start
            for after in range(*boards.follow[board].tolist()):
                mine = boards.members[2 * after + opponent]
                for image in boards.listed[after].images:
                    found[np.ix_(exits, image.hands[mine])] += rises[after][:, mine]
            for m in reversed(range(len(nodes))):
                self._raise_node(found, m, nodes, opponent)
            rises[board] = found[self._roots(street)]
        weights = self.tree.rules.ranges[opponent]
        return float((weights * rises[0][0]).sum())

    def _raise_node(self, found: Floats, m: int, nodes: range, opponent: int) -> None:
        laid, node = self.tree.laid, nodes.start + m
        if laid.kind[node] > 1:
            return
        below = int(self.children[node]) - nodes.start
        values = found[below : below + int(laid.arity[node])]
        found[m] = values.max(axis=0) if laid.kind[node] == opponent else values.sum(axis=0)
