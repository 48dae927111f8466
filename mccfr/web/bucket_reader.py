"""A node of a strategy through buckets, hand by hand: both ranges, frequencies and equities. No EVs.

A hand plays what its row plays, so ranges and frequencies are exact for the cards that are on the board. The EV of a
hand would need every later street with every card, which takes minutes of hold'em with 52 cards; it is left out.
"""

import functools
import math

import numpy as np
import numpy.typing as npt

from mccfr.cards.boards import board_name
from mccfr.cards.range_equity import equity
from mccfr.cards.ranges import Range, deck_of
from mccfr.errors import StrategyError, quoted
from mccfr.evaluate.node_view import NodeView
from mccfr.strategy.strategy import Strategy
from mccfr.tree.bucket_infosets import BucketInfosets
from mccfr.web.node_lines import Place, dealt_in, place_in, without_cards

Floats = npt.NDArray[np.float64]


class BucketReader:
    """Reads one strategy of hold'em through buckets."""

    seats = ("big blind", "dealer")
    why_no_ev: str | None = (
        "EVs are not computed for strategies through buckets: they would need every later street card by card."
    )

    def __init__(self, strategy: Strategy) -> None:
        if not isinstance(strategy.infosets, BucketInfosets):
            raise StrategyError(f"{strategy.game} has no buckets")
        self.strategy, self.infosets = strategy, strategy.infosets
        self.rules = self.infosets.fit.cards
        self.deck = deck_of(self.rules.ranks, self.rules.suits)
        streets = self.infosets.betting.betting.streets
        self.deals = [self.rules.board(j + 1) - self.rules.board(j) for j in range(streets - 1)]
        self.rows = functools.lru_cache(64)(self._rows)

    def place(self, line: str) -> Place:
        """Where a line leads."""
        return place_in(self.infosets.betting, self.deals, line)

    def kinds_of_cards(self, line: str) -> list[list[str]]:
        """Nothing is known to be alike: every card that is left is a kind of its own."""
        seen = self._board(line)
        return [[self.deck.card_name(card)] for card in reversed(range(self.deck.cards)) if card not in seen]

    def view(self, line: str) -> NodeView:
        """The node that a line leads to, with NaN for every EV."""
        place, board, betting = self.place(line), self._board(line), self.infosets.betting
        moves = without_cards(place.line)
        node = betting.find(moves.rstrip("/") if "a" in moves else moves)
        reach = self._reach(node, board)
        mover = int(betting.kind[node]) if place.choices else None
        actions = tuple(choice.action for choice in place.choices)
        frequency = np.full((len(actions), self.deck.hands), np.nan)
        if mover is not None:
            frequency[:] = self._played(node, board)
        nothing, (equities, weight) = np.full((2, self.deck.hands), np.nan), self._against(reach, board)
        pot = float(betting.betting.dead + betting.stakes[node].sum())
        return NodeView(
            self.strategy.game, place.line, board_name(board, self.deck.suits), pot, mover, actions, self.deck.ranks,
            self.deck.suits, reach, weight, nothing, equities, frequency, np.full_like(frequency, np.nan),
        )  # fmt: skip

    def _board(self, line: str) -> tuple[int, ...]:
        dealt = dealt_in(line)
        board = self.deck.read_cards("".join(dealt))
        for cards, count in zip(dealt, self.deals):
            if len(cards) != 2 * count:
                raise StrategyError(f"line {quoted(line)}: expected {count} cards in {cards!r}")
        return board

    def _reach(self, node: int, board: tuple[int, ...]) -> Floats:
        """[2, hands] the probability of each player's moves so far; 0 for hands that share a card with the board."""
        betting = self.infosets.betting
        reach = np.repeat(self._free(board)[None, :].astype(np.float64), 2, axis=0)
        while node > 0:
            above = int(betting.parent[node])
            move = node - int(betting.first_child[above])
            reach[int(betting.kind[above])] *= np.nan_to_num(self._played(above, board)[move])
            node = above
        return reach

    def _played(self, node: int, board: tuple[int, ...]) -> Floats:
        """[moves, hands] what hands do at a decision; NaN for hands that its board leaves out."""
        street = int(self.infosets.betting.street[node])
        rows = self.rows(street, board[: self.rules.board(street)])
        table = self.infosets.at_node(self.strategy.probabilities, node).astype(np.float64)
        total = table.sum(axis=1, keepdims=True)
        law = np.where(total > 0, table / np.where(total > 0, total, 1.0), 1.0 / table.shape[1])
        return np.where(rows >= 0, law[np.maximum(rows, 0)].T, np.nan)

    def _rows(self, street: int, board: tuple[int, ...]) -> npt.NDArray[np.int64]:
        """[hands] the row of each hand, or -1."""
        hands, free = self.deck.hand_cards.astype(np.uint8), self._free(board)
        seen = np.concatenate((hands[free], np.tile(np.array(board, np.uint8), (int(free.sum()), 1))), axis=1)
        found = np.full(len(hands), -1, np.int64)
        found[free] = self.infosets.fit.rows_of(street, seen)
        return found

    def _free(self, board: tuple[int, ...]) -> npt.NDArray[np.bool_]:
        return np.asarray(~np.isin(self.deck.hand_cards, board).any(axis=1))

    def _against(self, reach: Floats, board: tuple[int, ...]) -> tuple[Floats, Floats]:
        """[2, hands] equity against the other's range, and the weight of a hand: see `ranges_against`."""
        showdown = self.rules.board(len(self.deals))
        return ranges_against(reach, board, self.deck.ranks, self.deck.suits, showdown)


def ranges_against(
    reach: Floats, board: tuple[int, ...], ranks: int, suits: int, showdown: int
) -> tuple[Floats, Floats]:
    """[2, hands] the equity of every hand against the other range, and its reach times the hands it can meet.

    Before the flop only ranges that treat suits alike have equities here: others would need a table of all hands,
    which takes a minute to count.
    """
    mine, theirs = (Range(each.clip(0, 1), ranks, suits) for each in reach)
    weight = reach * np.array([_beside(each, ranks, suits) for each in reach[::-1]])
    alike = mine.by_class() is not None and theirs.by_class() is not None
    if not (weight > 0).any() or not (board or alike):
        return np.full(reach.shape, math.nan), weight
    found = equity(mine, theirs, board, showdown)
    return found.win_by_hand + found.tie_by_hand / 2, weight


def _beside(weights: Floats, ranks: int, suits: int) -> Floats:
    """[hands] the weight of the hands that share no card with each hand."""
    deck = deck_of(ranks, suits)
    by_card = np.bincount(deck.hand_cards.ravel(), np.repeat(weights, 2), deck.cards)
    return np.asarray((weights.sum() - by_card[deck.hand_cards].sum(axis=1) + weights).clip(0))
