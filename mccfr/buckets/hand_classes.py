"""`lin`: classes of hands made by hand, in the way of [Lin 2024, 5].

Before the flop the 169 kinds of hole cards. Later a row is what the hole cards make, how the board looks and, before
the last street, what may still come. The paper names these parts, but the diagram that defines them has not survived:
**the concrete classes are ours.** Its fourth part, who raised on earlier streets, belongs to betting:
`mccfr.betting.line_classes`.

A made hand counts only what a hole card takes part in: three kings on the board are part of the board's look, and a
player without a king has no trips.

| | made hand | |
|---|---|---|
| 0 | high card | none of what follows |
| 1 | ace high | the same with a hole card of the deck's highest rank |
| 2 | bottom pair | with the board's lowest rank, or a pocket pair below the whole board |
| 3 | middle pair | with a rank between, or a pocket pair between the board's ranks |
| 4 | top pair, weak kicker | with the board's highest rank |
| 5 | top pair, good kicker | the same, and at most two kickers would be better: A, K or Q beside a ten |
| 6 | overpair | a pocket pair above the whole board |
| 7 | two pair | both hole cards have their pair on the board |
| 8 | trips | one hole card, two on the board |
| 9 | set | a pocket pair, one on the board |
| 10 | straight | the highest there is has a rank that the board lacks |
| 11 | flush | with a hole card |
| 12 | full house or better | with a hole card that is part of a pair or more, or of a straight flush |

The look of a board: cards that pair others (none, one, more) x the longest suit (up to two cards, three, four or more)
x the most ranks within five in a row (up to two, three, four or more). Draws: none; gutshot (one rank would make a
straight); open-ended (two or more would); flush draw (four of a suit); both. Draws count with a hole card in them, and
beyond what is made already. Smaller decks have the same rules; without an ace there is no straight that ends in a five.
"""

import dataclasses
from typing import ClassVar

import numpy as np

from mccfr.buckets.bucketing import HOLE_CARDS, Bucketing, CardRules, Cards, Fit, Rows
from mccfr.cards.deck import RANKS, CardError
from mccfr.kernel import hand_classes as kernel

MADE = (
    *("high-card", "ace-high", "bottom-pair", "middle-pair", "top-pair-weak", "top-pair-good", "overpair"),
    *("two-pair", "trips", "set", "straight", "flush", "full-house-or-better"),
)
PAIRED = ("", "paired", "twice-paired")
SUITED = ("", "3-suited", "4-suited")
CLOSE = ("", "3-close", "4-close")
DRAWS = ("", "gutshot", "open-ended", "flush-draw", "flush-and-straight-draw")
DRY = "dry"  # a board with nothing special about it
TEXTURES = len(PAIRED) * len(SUITED) * len(CLOSE)


@dataclasses.dataclass(frozen=True)
class HandClasses(Bucketing):
    """Made hand x look of the board x draws, and 169 classes before the flop. It forgets the streets before.

    Rows are numbered as a product, so that some, such as a flush on a board of two suits, never occur.
    """

    name: ClassVar[str] = "lin"
    shares_lines: ClassVar[bool] = True  # betting nodes share rows: `mccfr.betting.line_classes`

    def rows(self, cards: CardRules) -> tuple[int, ...]:
        later = (len(MADE) * TEXTURES * (1 if last(cards, s) else len(DRAWS)) for s in range(1, cards.streets))
        return cards.seen(0).size, *later

    def assign(self, fit: Fit, street: int, hands: Cards) -> Rows:
        if street == 0:
            return fit.cards.seen(0).index(hands)
        check_cards(fit.cards, street, hands)
        out = np.empty(len(hands), np.int64)
        kernel.classify(hands, fit.cards.ranks, fit.cards.suits, last(fit.cards, street), out)
        return out

    def label(self, cards: CardRules, street: int, row: int) -> str:
        if street == 0:
            return hole_name(cards, row)
        rest, draw = (row, 0) if last(cards, street) else divmod(row, len(DRAWS))
        made, look = divmod(rest, TEXTURES)
        return "|".join(word for word in (MADE[made], look_name(look), DRAWS[draw]) if word)


def check_cards(cards: CardRules, street: int, hands: Cards) -> None:
    """Refuse rows that are not two hole cards and the board of a street, from this deck."""
    width, deck = HOLE_CARDS + cards.board(street), cards.ranks * cards.suits
    if hands.ndim != 2 or hands.shape[1] != width:
        raise CardError(f"expected rows of {width} cards on street {street} of {cards}, not the shape {hands.shape}")
    if hands.size and hands.max() >= deck:
        raise CardError(f"expected card numbers 0 to {deck - 1}, not {hands.max()}")


def last(cards: CardRules, street: int) -> bool:
    """Whether no card comes after this street."""
    return street == cards.streets - 1


def look_name(look: int) -> str:
    """What people call the look of a board: `dry`, `paired-3-suited`."""
    rest, close = divmod(look, len(CLOSE))
    paired, suited = divmod(rest, len(SUITED))
    return "-".join(word for word in (PAIRED[paired], SUITED[suited], CLOSE[close]) if word) or DRY


def hole_name(cards: CardRules, row: int) -> str:
    """What people call a kind of hole cards: `AKs`, `72o`, `TT`."""
    low, high = sorted(cards.seen(0).unindex([row])[0].tolist())
    ranks = [card // cards.suits for card in (high, low)]
    kind = "" if ranks[0] == ranks[1] else "s" if high % cards.suits == low % cards.suits else "o"
    return "".join(RANKS[rank] for rank in ranks) + kind
