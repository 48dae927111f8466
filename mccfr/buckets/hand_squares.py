"""What a hand is worth, as a whole number: its score on the river, and before that the sum of squared scores.

A score is 2 wins + ties against all hands that share no card with the hand or the board, 0 to 1980 with 52 cards; HS is
score / 1980. On earlier streets a value is the sum of squared scores over all boards that can follow and miss the hand,
so it orders hands of a street exactly as E[HS^2] does. [Zinkevich et al. 2007] What differs here: nothing is divided,
so a value that is worked out for one hand and one that is found in a table are the same number on every machine.

Tables go board by board: one board of each kind, all that can follow it, and all hands at once.
"""

import functools
import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from mccfr.buckets.bucketing import CardRules, Cards, Watch, no_watch
from mccfr.buckets.crew import crew_size, share_out
from mccfr.cards.boards import board_kinds, completions
from mccfr.cards.deck import CardError
from mccfr.cards.evaluator import deck_hands, make_room
from mccfr.cards.ranges import deck_of
from mccfr.cards.strengths import SIZES
from mccfr.kernel.bucket_rows import HELD
from mccfr.kernel.hand_squares import ScoreRoom, fill_values, sum_scores
from mccfr.kernel.hand_values import Hands

Values = npt.NDArray[np.unsignedinteger]
Weights = npt.NDArray[np.uint64]
BOARDS = 2048  # whole boards in a piece of work: some 25 ms
STREET_NAMES = ("preflop", "flop", "turn", "river")


def check_rules(cards: CardRules) -> None:
    """Refuse a deck and a board with which there is no showdown."""
    whole, deck = cards.board(cards.streets - 1), cards.ranks * cards.suits
    if whole + 2 not in SIZES or min(cards.deals) < 1 or cards.streets > len(STREET_NAMES):
        raise CardError(f"a board has three to five cards at the showdown, dealt on one to three streets, not {cards}")
    if deck < whole + 4:
        raise CardError(f"a deck of {deck} cards is too small for two hands and a board of {whole} cards")


def most_value(cards: CardRules, street: int) -> int:
    """No value of a street is larger: that of a hand which beats all others on all boards."""
    deck, whole = cards.ranks * cards.suits, cards.board(cards.streets - 1)
    score = 2 * math.comb(deck - whole - 2, 2)
    missing = whole - cards.board(street)
    return score**2 * math.comb(deck - 2 - cards.board(street), missing) if missing else score


def value_type(cards: CardRules, street: int) -> np.dtype[np.unsignedinteger]:
    """The type of a street's values: the same for most decks, so that kernels are compiled for few types."""
    if street == cards.streets - 1:
        return np.dtype(np.uint16)
    return np.dtype(np.uint32 if street and most_value(cards, street) < 2**32 else np.uint64)


def make_score_room(cards: CardRules) -> ScoreRoom:
    """Arrays for the kernels to work in; every thread needs its own."""
    hands, deck = math.comb(cards.ranks * cards.suits, 2), cards.ranks * cards.suits
    return ScoreRoom(
        make_room(hands, deck), np.zeros(deck, np.int64), np.zeros(hands, np.int64), np.zeros(hands, np.uint64),
        np.zeros(hands, np.int64), np.zeros(HELD, np.uint64),
    )  # fmt: skip


def hands_at_showdown(cards: CardRules) -> Hands:
    """All hole hands of the deck, and how their strength with a whole board is found."""
    return deck_hands(cards.board(cards.streets - 1), cards.ranks, cards.suits)


def boards_after(cards: CardRules, boards: Cards) -> Iterator[npt.NDArray[np.uint8]]:
    """[k, n, cards of the whole board] all that can follow each of some boards, a few of these at a time."""
    whole = cards.board(cards.streets - 1)
    step = boards_at_once(cards, boards.shape[1])
    for j in range(0, len(boards), step):
        yield np.stack([completions(one.tolist(), whole, cards.ranks, cards.suits) for one in boards[j : j + step]])


def boards_at_once(cards: CardRules, size: int) -> int:
    """How many boards of so many cards are followed up in one piece of work."""
    left = cards.ranks * cards.suits - size
    return max(1, BOARDS // math.comb(left, cards.board(cards.streets - 1) - size))


def first_values(cards: CardRules, workers: int = 1, watch: Watch = no_watch) -> Values:
    """[classes of hole hands] values before the flop: one board of each kind, counted as often as there are such.

    Hands of a class are alike, so the sum over a class, divided by its size, is that of each of its hands, exactly.
    """
    check_rules(cards)
    kinds = board_kinds((cards.board(cards.streets - 1),), cards.ranks, cards.suits)
    hands, rooms = hands_at_showdown(cards), [make_score_room(cards) for _ in range(crew_size(workers))]
    times = kinds.copies.astype(np.uint64)

    def work(room: ScoreRoom, first: int) -> None:
        piece = slice(first, first + BOARDS)
        sum_scores(hands, kinds.cards[piece], times[piece], True, room)

    pieces = range(0, len(times), BOARDS)
    share_out("values before the flop", pieces, len(pieces), work, rooms, watch)
    sums = sum(room.sums for room in rooms)
    classes = cards.seen(0).index(deck_of(cards.ranks, cards.suits).hand_cards)
    total = np.zeros(cards.seen(0).size, np.uint64)
    np.add.at(total, classes, sums)
    return total // np.bincount(classes, minlength=len(total)).astype(np.uint64)


def later_values(cards: CardRules, street: int, workers: int = 1, watch: Watch = no_watch) -> Values:
    """[hands by `cards.seen(street)`] values on a street after the first."""
    check_rules(cards)
    size, index = cards.board(street), cards.seen(street)
    table = np.zeros(index.size, value_type(cards, street))
    kinds = board_kinds((size,), cards.ranks, cards.suits).cards
    hands, last = hands_at_showdown(cards), street == cards.streets - 1
    ones = np.ones(math.comb(cards.ranks * cards.suits, cards.board(cards.streets - 1) - size), np.uint64)

    def work(room: ScoreRoom, boards: npt.NDArray[np.uint8]) -> None:
        fill_values(hands, boards, np.uint64(size), ones, not last, index.tables, room, table)

    rooms = [make_score_room(cards) for _ in range(crew_size(workers))]
    pieces = -(-len(kinds) // boards_at_once(cards, size))
    share_out(f"values on the {STREET_NAMES[street]}", boards_after(cards, kinds), pieces, work, rooms, watch)
    return table


def values_of(cards: CardRules, street: int, hands: Cards) -> Weights:
    """[n] the values of hands [n, 2 + cards of the board] on a street after the first, worked out board by board."""
    last = street == cards.streets - 1
    given = np.concatenate([np.sort(hands[:, :2], axis=1), np.sort(hands[:, 2:], axis=1)], axis=1)
    boards, which = np.unique(given[:, 2:], axis=0, return_inverse=True)
    numbers = _hand_numbers(cards.ranks, cards.suits)[given[:, 0], given[:, 1]]
    out, room, all_hands = np.empty(len(hands), np.uint64), make_score_room(cards), hands_at_showdown(cards)
    order = np.argsort(which.reshape(-1), kind="stable")
    ends = np.cumsum(np.bincount(which.reshape(-1), minlength=len(boards)))
    for board, some in zip(boards, np.split(order, ends[:-1])):
        whole = completions(board.tolist(), cards.board(cards.streets - 1), cards.ranks, cards.suits)
        room.sums[:] = 0
        sum_scores(all_hands, whole, np.ones(len(whole), np.uint64), not last, room)
        out[some] = room.sums[numbers[some]]
    return out


@functools.cache
def _hand_numbers(ranks: int, suits: int) -> npt.NDArray[np.int64]:
    """[card, card] the number of a hole hand."""
    cards = deck_of(ranks, suits).hand_cards
    out = np.zeros((ranks * suits, ranks * suits), np.int64)
    out[cards[:, 0], cards[:, 1]] = out[cards[:, 1], cards[:, 0]] = np.arange(len(cards))
    return out
