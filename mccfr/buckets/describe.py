"""What is in a row: how likely it is, which hands it holds, and how they fare at the showdown. Found by dealing."""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.buckets.bucketing import CardRules, Fit
from mccfr.buckets.hand_squares import STREET_NAMES, most_value, values_of
from mccfr.cards.boards import board_name
from mccfr.cards.deck import RANKS
from mccfr.cards.evaluator import category, evaluate
from mccfr.cards.strengths import SIZES
from mccfr.errors import BucketError, quoted
from mccfr.kernel.bucket_rows import HELD, rows_of_hands

Deals = npt.NDArray[np.uint8]
DEALS = 4_000_000  # of which a row of 10,000 has 400
CHUNK = 100_000
CLOSER = 2000  # deals of the row that are looked at more closely
BINS = 10  # of the histogram
LISTED, EXAMPLES = 8, 4
MOST_LABELS = 1_000_000


class RowReport(NamedTuple):
    """What is in a row."""

    street: str
    label: str
    row: int
    probability: float  # of all deals, estimated
    deals: int  # so many were dealt
    found: int  # so many of them are in the row
    classes: list[tuple[str, float]]  # the likeliest classes of hole cards, and their share of the row
    made: list[tuple[str, float]]  # what they make with the board, if it has three cards
    examples: list[str]
    histogram: list[float]  # shares of the row by hand strength at the showdown, in ten steps from 0 to 1
    strength: float  # the mean of that, which is the equity against a random hand


def find_row(fit: Fit, text: str) -> tuple[int, int]:
    """Street and row of `STREET:LABEL`, as `turn:3.7.2`; the street also as a number from 1."""
    street_text, colon, label = (part.strip() for part in text.partition(":"))
    names = STREET_NAMES[: fit.cards.streets]
    numbers = {name: street for street, name in enumerate(names)} | {str(n + 1): n for n in range(len(names))}
    if not colon or street_text.lower() not in numbers:
        raise BucketError(f"a row is named STREET:LABEL with a street of {', '.join(names)}, got {quoted(text)}")
    street = numbers[street_text.lower()]
    for row in range(min(fit.rows[street], MOST_LABELS)):
        if fit.label(street, row) == label:
            return street, row
    first, last = fit.label(street, 0), fit.label(street, fit.rows[street] - 1)
    raise BucketError(
        f"the {names[street]} has no row {quoted(label)}: its {fit.rows[street]:,} rows are {first} to {last}"
    )


def describe_row(fit: Fit, look: Any, street: int, row: int, deals: int = DEALS, seed: int = 1) -> RowReport:
    """Deal at random and look at what falls into the row. look: the tables of the fit."""
    dice = np.random.default_rng(seed)
    found = [_in_row(fit, look, street, row, random_deals(fit.cards, CHUNK, dice)) for _ in range(-(-deals // CHUNK))]
    those, dealt = np.concatenate(found), CHUNK * len(found)
    some = those[:CLOSER]
    seen = some[:, : 2 + fit.cards.board(street)]
    strength = values_of(fit.cards, fit.cards.streets - 1, some) / most_value(fit.cards, fit.cards.streets - 1)
    shares = np.histogram(strength, BINS, (0.0, 1.0))[0] / max(len(some), 1)
    return RowReport(
        STREET_NAMES[street], fit.label(street, row), row, len(those) / dealt, dealt, len(those),
        _shares(_class_name(hand, fit.cards) for hand in those[:, :2]), _made(seen, fit.cards),
        [_deal_name(deal, fit.cards) for deal in seen[:EXAMPLES]], shares.tolist(),
        float(strength.mean()) if len(some) else 0.0,
    )  # fmt: skip


def random_deals(cards: CardRules, count: int, dice: np.random.Generator) -> Deals:
    """[count, cards] hole cards and a whole board; deals with a card twice are dealt again."""
    width, deck = 2 + cards.board(cards.streets - 1), cards.ranks * cards.suits
    out, filled = np.empty((count, width), np.uint8), 0
    while filled < count:
        drawn = dice.integers(0, deck, (count, width), np.uint8)
        ordered = np.sort(drawn, axis=1)
        right = drawn[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)][: count - filled]
        out[filled : filled + len(right)] = right
        filled += len(right)
    return out


def rows_of_deals(fit: Fit, look: Any, deals: Deals) -> npt.NDArray[np.int64]:
    """[n, streets] the rows of deals on all streets, looked up as walks do."""
    out = np.empty((len(deals), fit.cards.streets), np.int64)
    rows_of_hands(look, np.uint64(fit.cards.streets), deals, np.zeros(HELD, np.uint64), out)
    return out


def _in_row(fit: Fit, look: Any, street: int, row: int, deals: Deals) -> Deals:
    return deals[rows_of_deals(fit, look, deals)[:, street] == row]


def _shares(names: Any) -> list[tuple[str, float]]:
    """The most frequent names, and their shares."""
    counted = Counter(names)
    return [(name, count / counted.total()) for name, count in counted.most_common(LISTED)]


def _class_name(hand: npt.NDArray[np.uint8], cards: CardRules) -> str:
    low, high = sorted(int(card) // cards.suits for card in hand)
    if low == high:
        return RANKS[high] * 2
    return f"{RANKS[high]}{RANKS[low]}{'s' if hand[0] % cards.suits == hand[1] % cards.suits else 'o'}"


def _deal_name(deal: npt.NDArray[np.uint8], cards: CardRules) -> str:
    hole, board = (board_name(map(int, part), cards.suits) for part in (sorted(deal[:2])[::-1], deal[2:]))
    return f"{hole} on {board}" if board else hole


def _made(seen: Deals, cards: CardRules) -> list[tuple[str, float]]:
    """What five or more cards make."""
    if seen.shape[1] not in SIZES or not len(seen):
        return []
    of_whole_deck = 4 * (seen.astype(np.int64) // cards.suits) + seen % cards.suits
    return _shares(category(int(strength)) for strength in evaluate(of_whole_deck))
