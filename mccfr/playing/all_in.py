"""Edges: what one hand wins of another if both stay in to the end, exactly; and hands valued by them.

edge(i, j | board) = P(i wins) - P(j wins) over all boards that can follow, which are equally likely. Given both hands
it is a martingale: its mean over the cards that come next is what it was before. That is what makes all-in equity and
AIVAT (`mccfr.playing.aivat`) cheap: no card that did not come has to be looked at.
"""

import functools
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import NOBODY, OVER
from mccfr.cards.deck import hand_of
from mccfr.cards.equity import hand_equities
from mccfr.cards.evaluator import deck_hands
from mccfr.cards.ranges import Deck
from mccfr.errors import quoted
from mccfr.kernel.showdown_edges import edges_against, edges_of_deals
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.table import Table, TableError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
WHOLE_DECK, HOLE_CARDS_OF_BOTH = 52, 4


def all_in_equity(record: HandRecord) -> float:
    """What the big blind won in a hand, an all-in before the last street by its expectation.

    A fold, and a showdown after betting on the last street, count as they were. The mean is that of the chips won, with
    less luck in it.

    Args:
        record: A hand whose cards are all known, but for those of a hand that was folded.

    Returns:
        Chips for seat 0.

    Raises:
        TableError: If the hand is not over, or cards are missing, twice there or not of this deck.

    Examples:
        >>> from mccfr.playing.all_in import all_in_equity
        >>> from mccfr.playing.played_hand import HandRecord
        >>> from mccfr.playing.table import table_of
        >>> table = table_of("holdem(nolimit(stack=200, bet='a'))")
        >>> aces, kings = (48, 49), (44, 45)
        >>> record = HandRecord(table, (aces, kings), (0, 5, 10, 15, 20), table.at("ck/a198c")[1])
        >>> round(all_in_equity(record), 2), record.chips[0]
        (164.85, 200.0)
    """
    s = record.state
    if s.mover != OVER or s.folded != NOBODY or s.street == record.table.streets - 1:
        return record.chips[0]
    cards = checked_cards(record)
    board = cards[4 : 4 + record.table.board_size(s.street)]
    edge = all_in_edges(record.table, np.array([cards[:4]]), np.array([board], np.int64).reshape(1, -1))
    return record.table.betting.stake(s) * float(edge[0])


def all_in_edges(table: Table, holes: npt.ArrayLike, boards: npt.ArrayLike) -> Floats:
    """The edge of the big blind's hand over the dealer's in many deals, over all boards that can follow.

    Args:
        table: The rules, of which the deck and the size of the board count.
        holes: [n, 4] the cards of the big blind and then of the dealer; nothing is checked.
        boards: [n, k] the cards that lie on the board, k the same for all.

    Returns:
        [n] P(the big blind wins) - P(the dealer wins).
    """
    held, lying = np.asarray(holes, np.uint8), np.asarray(boards, np.uint8)
    known = lying.shape[1]
    if known == 0 and table.deck.cards == WHOLE_DECK:
        return np.asarray(whole_deck_edges()[numbers_of(held[:, :2]), numbers_of(held[:, 2:])])
    size = sum(table.deals)
    missing = size - known
    wins = np.empty(len(held), np.int64)
    dealt = np.ascontiguousarray(np.concatenate((held, lying), axis=1))
    rest, chosen = np.empty(table.deck.cards, np.int64), np.empty(max(missing, 1), np.int64)
    edges_of_deals(deck_hands(size, table.ranks, table.suits), dealt, missing, rest, chosen, wins)
    return wins / boards_to_come(table, known)


def edges_on(table: Table, board: Sequence[int], hands: Sequence[int]) -> Floats:
    """[given hands, hands of the deck] the edge of every hand over each of these; 0 where they cannot meet."""
    if not board:
        return np.stack([edges_before_the_flop(table, hand) for hand in hands])
    return _enumerated(table, tuple(board), hands)


def boards_to_come(table: Table, known: int) -> int:
    """How many boards can follow so many cards when two hands are held."""
    return math.comb(table.deck.cards - HOLE_CARDS_OF_BOTH - known, sum(table.deals) - known)


@functools.lru_cache(maxsize=4096)
def edges_before_the_flop(table: Table, hand: int) -> Floats:
    """[hands of the deck] the edge of every hand over this one before any card has come."""
    if table.deck.cards == WHOLE_DECK and sum(table.deals) == 5:
        return np.ascontiguousarray(whole_deck_edges()[:, hand])
    return _enumerated(table, (), [hand])[0]


@functools.cache
def whole_deck_edges() -> Floats:
    """[1326, 1326] the edge of the row's hand over the column's, with a board of five."""
    return hand_equities().edge


def _enumerated(table: Table, board: tuple[int, ...], hands: Sequence[int]) -> Floats:
    """`edges_on` by going through all boards."""
    deck, size = table.deck, sum(table.deals)
    rest = np.array([card for card in range(deck.cards) if card not in board], np.int64)
    wins = np.zeros((len(hands), deck.hands), np.int32)
    room, those = np.empty(deck.hands, np.int16), np.array(hands, np.int64)
    ranked = deck_hands(size, table.ranks, table.suits)
    edges_against(ranked, np.array(board, np.int64), rest, np.arange(size - len(board)), those, room, wins)
    found = wins / boards_to_come(table, len(board))
    found[~apart(table, board, hands)] = 0.0
    return found


def apart(table: Table, board: Sequence[int], hands: Sequence[int]) -> npt.NDArray[np.bool_]:
    """[given hands, hands of the deck] whether a hand shares no card with each of these, nor with the board."""
    holds = holders(table.deck)
    cards = table.deck.hand_cards[list(hands)]
    shared = holds[cards[:, 0]] | holds[cards[:, 1]] | holds[list(board)].any(axis=0)
    return np.asarray(~shared)


@functools.lru_cache(maxsize=16)
def holders(deck: Deck) -> npt.NDArray[np.bool_]:
    """[cards, hands of the deck] whether a hand holds a card."""
    return np.stack([(deck.hand_cards == card).any(axis=1) for card in range(deck.cards)])


def numbers_of(holes: npt.NDArray[np.uint8]) -> Ints:
    """[n] the numbers of hands [n, 2]."""
    low, high = holes.min(axis=1).astype(np.int64), holes.max(axis=1).astype(np.int64)
    return high * (high - 1) // 2 + low


def hands_of(record: HandRecord) -> tuple[int, int]:
    """The numbers of both hands."""
    one, other = (hand_of(*hole) for hole in record.holes)
    return one, other


def checked_cards(record: HandRecord) -> tuple[int, ...]:
    """All cards of a hand, both holes and as much of the board as its betting needs; all different, of this deck."""
    table, s = record.table, record.state
    here = f"hand {record.number}"
    if s.mover != OVER:
        raise TableError(f"{here} is not over: player {s.mover} is to move after {s.line!r}")
    for seat, hole in enumerate(record.holes):
        if len(hole) != 2:
            raise TableError(f"{here}: expected two cards of {record.names[seat]}, got {quoted(hole)}")
    cards = (*record.holes[0], *record.holes[1], *record.board)
    if len(record.board) < table.board_size(s.street):
        raise TableError(f"{here}: expected {table.board_size(s.street)} cards of the board, got {len(record.board)}")
    for place, card in enumerate(cards):
        if card not in range(table.deck.cards):
            raise TableError(f"{here}: expected cards from 0 to {table.deck.cards - 1}, got {quoted(card)}")
        if card in cards[:place]:
            raise TableError(f"{here}: {table.deck.card_name(card)} is dealt twice")
    return cards
