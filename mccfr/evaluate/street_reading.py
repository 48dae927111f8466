"""Reading a solution of hold'em with every card: one node at a time, and the cards that can come next.

A sweep for each player that looks at the node says what it is worth to every own hand (`mccfr.kernel.street_actors`).
Only what lies below the node's board needs to be swept: on the way there, every board is given one that follows.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.cards.boards import board_name
from mccfr.cards.hand_value import hand_values
from mccfr.cards.ranges import Range
from mccfr.errors import StrategyError, quoted
from mccfr.evaluate.node_view import NodeView, Runout
from mccfr.evaluate.street_sweeps import StreetSweeps
from mccfr.evaluate.street_values import StreetEvaluator
from mccfr.kernel.layout import u64
from mccfr.kernel.street_actors import FOLLOW_STRATEGY, Judging
from mccfr.kernel.street_layout import BOARD_WORDS, CHILD, DEAL, FOLLOW, FOLLOW_END, NODE_WORDS, Boards
from mccfr.strategy.strategy import Strategy
from mccfr.tree.street_boards import Exchange, compose, deal_chances
from mccfr.tree.street_lines import FIRST_NODES, SEGMENT
from mccfr.tree.street_tree import StreetTree

Floats = npt.NDArray[np.float64]


class Looked(NamedTuple):
    """What was seen of a segment of betting nodes on one board."""

    first: int  # node of the segment
    value: list[Floats]  # of each player, [nodes, hands] what a node is worth, but for the own reach
    reach: Floats  # [nodes, 2, hands]


class StreetReader:
    """Reads one strategy of a street tree."""

    def __init__(self, strategy: Strategy) -> None:
        tree = strategy.tree.streets
        if tree is None:
            raise StrategyError(f"{strategy.game} has no boards and ranges to look at: view takes spots and hold'em")
        self.tree: StreetTree = tree
        self.evaluator = StreetEvaluator(tree, 1)
        self.evaluator.load(strategy.probabilities)
        rules = tree.rules
        self.chances = deal_chances(rules.ranks * rules.suits, len(rules.board), rules.deals) / tree.pairs

    def view(self, line: str = "") -> NodeView:
        """Everything about the node that a line leads to."""
        return self._view(line, *self.tree.locate(line, dealing=True))

    def _view(self, line: str, node: int, board: int, turned: Exchange) -> NodeView:
        segment = self.tree.laid.segment_of(node)
        return self._describe(line, node, board, turned, self._look(board, segment))

    def _look(self, board: int, segment: int) -> Looked:
        """Sweep what lies below a board, once for each player, with an eye on one segment of it."""
        stride, starts = self.tree.largest_infoset, self.tree.laid.lines.segments[FIRST_NODES::SEGMENT]
        first, nodes = int(starts[segment]), int(starts[segment + 1]) - int(starts[segment])
        reach, values = np.zeros((nodes, 2, stride)), []
        for player in (0, 1):
            value = np.zeros(nodes * stride)
            actor = Judging(FOLLOW_STRATEGY, u64(board), u64(segment), value, reach.reshape(-1))
            sweeps = self._sweeps(board)
            sweeps.sweep(actor, player, self.evaluator.table())
            values.append(value.reshape(nodes, stride))
        return Looked(first, values, reach)

    def _sweeps(self, board: int) -> StreetSweeps:
        sweeps = self.evaluator.sweeps
        sweeps.boards = only_towards(self.tree, board)
        return sweeps

    def _describe(self, line: str, node: int, board: int, turned: Exchange, seen: Looked) -> NodeView:
        tree, deck, at = self.tree, self.tree.boards.deck, node - seen.first
        listed = tree.boards.listed[board]
        cards = tuple(turned.cards[list(listed.cards)].tolist())
        held = [turned.hands[tree.boards.members[2 * board + p]] for p in (0, 1)]
        reach, value = np.zeros((2, len(deck.cards))), np.full((2, len(deck.cards)), np.nan)
        for p in (0, 1):
            reach[p, held[p]] = seen.reach[at, p, : len(held[p])].clip(0, 1)
            value[p, held[p]] = seen.value[p][at, : len(held[p])]
        equity, beside = self._against(reach, cards)
        stakes = self._stakes(node)
        with np.errstate(invalid="ignore", divide="ignore"):
            mass = np.where(beside > 0, beside, np.nan) * self.chances[listed.street]
            ev = value / mass + stakes[:, None]
        mover, actions = self._mover(node)
        frequency, action_ev = np.full((2, len(actions), len(deck.cards)), np.nan)
        if mover is not None:
            mine, child = held[mover], int(tree.laid.lines.nodes[node * int(NODE_WORDS) + int(CHILD)]) - seen.first
            frequency[:, mine] = self._strategy(node, board, mover)
            below = seen.value[mover][child : child + len(actions), : len(mine)]
            action_ev[:, mine] = below / mass[mover, mine] + stakes[mover]
        equity[~np.isfinite(ev)] = np.nan
        return NodeView(
            tree.game, line, board_name(cards, deck.suits), float(stakes.sum()), mover, actions, deck.ranks, deck.suits,
            reach, reach * np.nan_to_num(beside), ev, equity, frequency, action_ev,
        )  # fmt: skip

    def _against(self, reach: Floats, cards: tuple[int, ...]) -> tuple[Floats, Floats]:
        """[2, hands] equity against the other's range, and the weight of the hands of it that each hand can meet."""
        rules = self.tree.rules
        equity, beside = np.full((2, *reach.shape), np.nan)
        showdown = len(rules.board) + sum(rules.deals)
        for p in (0, 1):
            if reach[1 - p].any():
                found = hand_values(Range(reach[1 - p], rules.ranks, rules.suits), cards, showdown)
                equity[p], beside[p] = found.equity, found.weight
        return equity, beside

    def _stakes(self, node: int) -> Floats:
        """[2] What each player has put in so far, with half of what was there at the start."""
        betting = self.tree.betting
        return betting.betting.dead / 2 + betting.stakes[int(self.tree.laid.origin[node])].astype(np.float64)

    def _mover(self, node: int) -> tuple[int | None, tuple[str, ...]]:
        kind = int(self.tree.laid.kind[node])
        return (kind, self.tree.infosets.node_actions(node)) if kind in (0, 1) else (None, ())

    def _strategy(self, node: int, board: int, mover: int) -> Floats:
        """[actions, hands] of a node on a board."""
        laid, hands = self.tree.laid, len(self.tree.boards.members[2 * board + mover])
        start = int(self.tree.boards.boards.base[4 * board + 2 * mover]) + int(laid.entry[node]) * hands
        count = int(laid.arity[node])
        return np.asarray(self.evaluator.lanes[start : start + count * hands]).reshape(count, hands)

    def runouts(self, line: str) -> list[Runout]:
        """What happens after every card that can come next; boards that are alike are looked at once."""
        node, board, turned = self.tree.locate(line, dealing=True)
        root = self._dealt_to(line, node)
        segment, street = self.tree.laid.segment_of(root), int(self.tree.boards.street[board])
        before = float(self._view(line, node, board, turned).weight[0].sum()) * self.chances[street]
        found = {}
        for below in range(*self.tree.boards.follow[board].tolist()):
            seen, listed = self._look(below, segment), self.tree.boards.listed[below]
            new = list(listed.cards[len(self.tree.boards.listed[board].cards) :])
            for image in listed.images:
                exchange = compose(turned, image)
                cards = tuple(sorted(exchange.cards[new].tolist(), reverse=True))
                view = self._describe(line, root, below, exchange, seen)
                met = float(view.weight[0].sum()) * self.chances[street + 1]
                found[cards] = _runout(board_name(cards, view.suits), met / before if before > 0 else np.nan, view)
        return [found[cards] for cards in sorted(found, reverse=True)]

    def _dealt_to(self, line: str, node: int) -> int:
        """The node of the next street to which cards lead."""
        if int(self.tree.laid.kind[node]) != int(DEAL):
            raise StrategyError(f"no cards are dealt after {quoted(line)}: give a line that ends a street, as in kk/")
        before, after = self.tree.laid.lines.links.reshape(-1, 2).T
        return int(after[np.flatnonzero(before == node)[0]])


def only_towards(tree: StreetTree, board: int) -> Boards:
    """The boards for a sweep that goes to one of them and to all that follow it, but to no others."""
    boards = tree.boards.boards
    words = boards.boards.copy().reshape(-1, int(BOARD_WORDS))
    above = tree.boards.listed[board].parent
    while above >= 0:
        words[above, [int(FOLLOW), int(FOLLOW_END)]] = board, board + 1
        board, above = above, tree.boards.listed[above].parent
    return boards._replace(boards=words.reshape(-1))


def _runout(cards: str, chance: float, view: NodeView) -> Runout:
    numbers = [(of_player(0), of_player(1)) for of_player in (view.mean_ev, view.mean_equity, view.combos)]
    return Runout(cards, float(chance), view.mover, view.frequencies(), *numbers)
