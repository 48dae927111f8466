"""Ranges of hole hands as people write them: `QQ+,AKs,A5s-A2s,AKo:0.25,AsKh`.

| term | hands |
|---|---|
| `QQ`, `AKs`, `AKo`, `AK` | a pair; suited; offsuit; both. Either card may come first |
| `AsKh` | one hand |
| `QQ+` | this pair and all higher ones |
| `A5s+`, `KT+` | the lower card rises up to just below the higher one: A5s to AKs; KT, KJ and KQ |
| `T9s+` | neighbours rise together: T9s, JTs, QJs, KQs, AKs |
| `55-22`, `A5s-A2s` | from one to the other, ends included, in either order: pairs; the lower card |
| `T9s-65s` | both cards, at the same distance: T9s, 98s, 87s, 76s, 65s |
| `all`, `random`, `any two`, `any` | every hand |

A term may end in a weight between 0 and 1, `AKo:0.25`; without one it is 1. Commas separate terms. Upper and
lower case mean the same, and spaces may stand around commas, `-`, `+` and `:`. Later terms override earlier ones, so a
weight of 0 takes hands out again: `QQ+,AsAh:0`. (In postflop-solver the first of two terms wins; ranges that name no
hand twice mean the same in both.)

Smaller decks have the lowest ranks and the first suits of cdhs, and number cards suits * rank + suit, as in
`mccfr.cards.isomorphism`; hands are numbered as in `mccfr.cards.deck`.
"""

import dataclasses
import functools
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from mccfr.cards.deck import RANKS, SUITS, CardError, hand_of
from mccfr.errors import quoted, terms

Floats = npt.NDArray[np.float64]
Hands = npt.NDArray[np.int64]

EVERY = ("all", "random", "any two", "any")
FORMS = "QQ, QQ+, 55-22, AKs, A5s+, A5s-A2s, AKo, AK, AsKh or all"
_CLASS = re.compile(r"([2-9tjqka])([2-9tjqka])([so]?)")
_HAND = re.compile(r"[2-9tjqka][cdhs][2-9tjqka][cdhs]")
_WEIGHT = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?")


class Deck:
    """The hands of a deck, by class. A class is (high rank, low rank, kind): kind "" for pairs, "s" or "o"."""

    def __init__(self, ranks: int, suits: int) -> None:
        if ranks not in range(1, len(RANKS) + 1) or suits not in range(1, len(SUITS) + 1) or ranks * suits < 2:
            raise CardError(f"a deck has 1 to 13 ranks, 1 to 4 suits and two cards at least, not {ranks} and {suits}")
        self.ranks, self.suits, self.cards = ranks, suits, ranks * suits
        self.hands = self.cards * (self.cards - 1) // 2
        self.hand_cards = np.array([(low, high) for high in range(self.cards) for low in range(high)])
        found: dict[tuple[int, int, str], list[int]] = {}
        for low, high in self.hand_cards.tolist():
            kind = "" if high // suits == low // suits else "s" if high % suits == low % suits else "o"
            found.setdefault((high // suits, low // suits, kind), []).append(hand_of(low, high))
        self.classes = {key: np.array(hands) for key, hands in found.items()}

    def card(self, text: str) -> int:
        """The number of a card, "2c" for 0."""
        if len(text) != 2 or text[0].upper() not in RANKS[: self.ranks] or text[1].lower() not in SUITS[: self.suits]:
            one = f"a rank of {RANKS[: self.ranks]} and a suit of {SUITS[: self.suits]}"
            raise CardError(f"{quoted(text)} is not a card of this deck: expected {one}")
        return self.suits * RANKS.index(text[0].upper()) + SUITS.index(text[1].lower())

    def read_cards(self, text: str) -> tuple[int, ...]:
        """The numbers of several cards, which must differ: "Qs Jh 2h" or "QsJh2h"."""
        if not isinstance(text, str):
            raise CardError(f"expected cards such as 'Qs Jh 2h', got {quoted(text)}")
        letters = "".join(text.split())
        found = tuple(self.card(letters[j : j + 2]) for j in range(0, len(letters), 2))
        for j, card in enumerate(found):
            if card in found[:j]:
                raise CardError(f"{self.card_name(card)} is there twice")
        return found

    def card_name(self, number: int) -> str:
        """A card as text."""
        return RANKS[number // self.suits] + SUITS[number % self.suits]

    def hand_name(self, number: int) -> str:
        """A hand as text, higher card first."""
        low, high = self.hand_cards[number].tolist()
        return self.card_name(high) + self.card_name(low)

    def of(self, high: int, low: int, kind: str) -> Hands:
        """The hands of one class; kind "" of different ranks is suited and offsuit together. May be empty."""
        kinds = ("s", "o") if high != low and not kind else (kind,)
        return np.concatenate([self.classes.get((high, low, each), np.empty(0, np.int64)) for each in kinds])


@functools.cache
def deck_of(ranks: int, suits: int) -> Deck:
    """The hands of a deck, made once."""
    return Deck(ranks, suits)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Range:
    """How often a player has each hole hand: a weight from 0 to 1 for every hand. Never changes.

    `str` is canonical: equal ranges have equal text, and parsing it gives exactly the same weights.

    Example:
        >>> r = Range.parse("qq+, AKs, A5s-A2s, AKo:0.25")
        >>> str(r), r.combos
        ('QQ+,AKs,A5s-A2s,AKo:0.25', 41.0)
    """

    weights: Floats  # [hands], 1326 of them with 52 cards
    ranks: int = 13
    suits: int = 4

    def __post_init__(self) -> None:
        deck = deck_of(self.ranks, self.suits)
        try:
            weights = np.array(self.weights, np.float64) + 0.0  # a copy; -0.0 becomes 0.0
        except (TypeError, ValueError):
            raise CardError(f"the weights of a range must be numbers, got {quoted(self.weights)}") from None
        if weights.shape != (deck.hands,):
            raise CardError(f"a range has {deck.hands} weights, not an array of shape {weights.shape}")
        wrong = np.flatnonzero(~((weights >= 0) & (weights <= 1)))
        if len(wrong):
            name = deck.hand_name(int(wrong[0]))
            raise CardError(f"the weight of {name} is {weights[wrong[0]]}, expected a number from 0 to 1")
        weights.flags.writeable = False
        object.__setattr__(self, "weights", weights)

    @classmethod
    def parse(cls, text: str, ranks: int = 13, suits: int = 4) -> "Range":
        """The range that a text says; an empty text is an empty range."""
        return cls(_parse(text, deck_of(ranks, suits)), ranks, suits)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        return ",".join(_terms(self))

    def __repr__(self) -> str:
        smaller = "" if (self.ranks, self.suits) == (13, 4) else f", ranks={self.ranks}, suits={self.suits}"
        return f"Range.parse({str(self)!r}{smaller})"

    @property
    def combos(self) -> float:
        """The sum of all weights."""
        return float(self.weights.sum())

    @property
    def hands(self) -> int:
        """How many hands have a weight."""
        return int(np.count_nonzero(self.weights))

    def without(self, cards: str | Iterable[int]) -> "Range":
        """The range when these cards are seen elsewhere, on the board for example: hands with any of them have 0."""
        deck = deck_of(self.ranks, self.suits)
        if isinstance(cards, str):
            letters = "".join(cards.split())
            cards = [deck.card(letters[j : j + 2]) for j in range(0, len(letters), 2)]
        seen = np.zeros(deck.cards, bool)
        for card in cards:
            if card not in range(deck.cards):
                raise CardError(f"expected cards from 0 to {deck.cards - 1}, got {quoted(card)}")
            seen[card] = True
        return Range(np.where(seen[deck.hand_cards].any(axis=1), 0.0, self.weights), self.ranks, self.suits)

    def by_class(self) -> Floats | None:
        """[169] the weight of each class in the order of the 13 x 13 grid; None if hands of a class differ in weight.

        In a smaller deck the grid has a row for each rank, highest first; classes without hands have 0.
        """
        grid = np.zeros(self.ranks**2)
        for (high, low, kind), hands in deck_of(self.ranks, self.suits).classes.items():
            found = self.weights[hands]
            if (found != found[0]).any():
                return None
            row, column = self.ranks - 1 - high, self.ranks - 1 - low
            grid[self.ranks * column + row if kind == "o" else self.ranks * row + column] = found[0]
        return grid

    def _key(self) -> tuple[int, int, bytes]:
        return self.ranks, self.suits, self.weights.tobytes()


def _parse(text: str, deck: Deck) -> Floats:
    if not isinstance(text, str):
        raise CardError(f"a range must be a text such as 'QQ+,AKs', got {quoted(text)}")
    weights = np.zeros(deck.hands)
    for term, at in terms(text) if text.strip() else ():
        place = f"range {quoted(text)}: {quoted(term, 30)} at character {at}"
        hands, colon, weight = (part.strip() for part in term.partition(":"))
        weights[_hands(hands.lower(), deck, place)] = _weight(weight, place) if colon else 1.0
    return weights


def _weight(text: str, place: str) -> float:
    value = float(text) if _WEIGHT.fullmatch(text.lower()) else -1.0
    if not 0 <= value <= 1:
        raise CardError(f"{place} has the weight {quoted(text, 30)}, expected a number from 0 to 1, as in AKo:0.25")
    return value


def _hands(term: str, deck: Deck, place: str) -> Hands:
    """The hands of a term without its weight."""
    if " ".join(term.split()) in EVERY:
        return np.arange(deck.hands)
    ends = [end.strip() for end in term.removesuffix("+").split("-")]
    if _HAND.fullmatch(term):
        return _one_hand(term, deck, place)
    found = [_CLASS.fullmatch(end) for end in ends]
    if len(found) > 2 or None in found or (len(found) == 2 and term.endswith("+")):
        raise CardError(f"{place} is no range of hands: write {FORMS}")
    classes = [_class(end, deck, place) for end in ends]
    steps = _rising(*classes[0], deck) if term.endswith("+") else _between(classes[0], classes[-1], place)
    hands = np.concatenate([deck.of(*step) for step in steps])
    if not len(hands):
        raise CardError(f"{place} has no hands in a deck of {deck.suits} suit{'s' * (deck.suits > 1)}")
    return hands


def _one_hand(term: str, deck: Deck, place: str) -> Hands:
    try:
        one, other = deck.card(term[:2]), deck.card(term[2:])
    except CardError as error:
        raise CardError(f"{place}: {error}") from None
    if one == other:
        raise CardError(f"{place} has the same card twice")
    return np.array([hand_of(one, other)])


def _class(term: str, deck: Deck, place: str) -> tuple[int, int, str]:
    """High rank, low rank and kind of a class: "" is a pair, or suited and offsuit together."""
    for rank in term[:2]:
        if rank.upper() not in RANKS[: deck.ranks]:
            raise CardError(f"{place}: this deck has no {rank.upper()}, its ranks are {RANKS[: deck.ranks]}")
    low, high = sorted(RANKS.index(rank.upper()) for rank in term[:2])
    if high == low and term[2:]:
        raise CardError(f"{place}: a pair takes no {term[2:]!r}, write {term[:2].upper()}")
    return high, low, term[2:]


def _rising(high: int, low: int, kind: str, deck: Deck) -> list[tuple[int, int, str]]:
    """The classes of `QQ+`, `T9s+`, `A5s+`."""
    gap = high - low
    if gap <= 1:
        return [(rank, rank - gap, kind) for rank in range(high, deck.ranks)]
    return [(high, rank, kind) for rank in range(low, high)]


def _between(one: tuple[int, int, str], other: tuple[int, int, str], place: str) -> list[tuple[int, int, str]]:
    """The classes from one to another: of the same high card, or at the same distance."""
    (low_high, low_low, kind), (high_high, high_low, other_kind) = sorted((one, other), key=lambda c: (c[0], c[1]))
    if kind != other_kind:
        raise CardError(f"{place} goes from one kind to another: write both ends with s, with o, or without")
    if low_high == high_high and (low_low == low_high) == (high_low == high_high):
        return [(low_high, low, kind) for low in range(low_low, high_low + 1)]
    gap = low_high - low_low
    if gap != high_high - high_low:
        raise CardError(f"{place} has no order: write 55-22, A5s-A2s (same high card) or T9s-65s (same distance)")
    return [(high, high - gap, kind) for high in range(low_high, high_high + 1)]


def _terms(r: Range) -> Iterator[str]:
    """The canonical terms: classes by their most common weight, in runs; then the hands that differ from it."""
    deck = deck_of(r.ranks, r.suits)
    if (r.weights == r.weights[0]).all():
        yield from [f"all{_suffix(r.weights[0])}"] if r.weights[0] else []
        return
    usual = {key: _most_common(r.weights[hands]) for key, hands in deck.classes.items()}
    pairs = [(rank, rank, usual.get((rank, rank, ""), 0.0)) for rank in reversed(range(deck.ranks))]
    yield from _runs(pairs, "", deck)
    for high in reversed(range(1, deck.ranks)):
        suited = [usual.get((high, low, "s"), 0.0) for low in reversed(range(high))]
        offsuit = [usual.get((high, low, "o"), 0.0) for low in reversed(range(high))]
        both = [s if s == o else 0.0 for s, o in zip(suited, offsuit)]
        lows = list(reversed(range(high)))
        for kind, weights in (("", both), ("s", suited), ("o", offsuit)):
            rest = [0.0 if kind and b else w for w, b in zip(weights, both)]
            yield from _runs([(high, low, w) for low, w in zip(lows, rest)], kind, deck)
    for key in sorted(deck.classes, reverse=True):
        for hand in sorted(deck.classes[key].tolist(), reverse=True):
            if r.weights[hand] != usual[key]:
                yield deck.hand_name(hand) + _suffix(r.weights[hand])


def _runs(classes: Sequence[tuple[int, int, float]], kind: str, deck: Deck) -> Iterator[str]:
    """Neighbouring classes of one weight as `QQ+`, `55-22` or `TT`; classes fall, those of weight 0 are left out."""
    for weight, run in itertools.groupby(classes, key=lambda c: c[2]):
        if not weight:
            continue
        members = list(run)
        names = [RANKS[high] + RANKS[low] + kind for high, low, _ in members]
        high, low, _ = members[0]
        top = high == deck.ranks - 1 if high == low else low == high - 1
        if len(names) == 1:
            yield names[0] + _suffix(weight)
        elif top:
            yield f"{names[-1]}+{_suffix(weight)}"
        else:
            yield f"{names[0]}-{names[-1]}{_suffix(weight)}"


def _most_common(weights: Floats) -> float:
    """The weight that most hands of a class have; of several, 0 if it is one of them, else the largest."""
    values, counts = np.unique(weights, return_counts=True)
    best = values[counts == counts.max()]
    return float(best[0] if best[0] == 0 else best[-1])


def _suffix(weight: float) -> str:
    return "" if weight == 1 else ":0" if weight == 0 else f":{float(weight)!r}"
