"""What hands are worth against a range on any board: hand strength, its mean and its mean square. All exact.

Hand strength HS is P(win) + P(tie) / 2 of a hand against a range on a board as it lies; E[HS] and E[HS^2] are its mean
and its mean square over the boards that can follow at the showdown. [Zinkevich et al. 2007] What differs here: the
other hand is of any range, and boards are weighted as they are dealt. A board that leaves the opponent fewer hands of
his range is less likely, so E[HS] is the equity.

Every board that can follow is looked at: one on the river, 48 from the turn, 1176 from the flop, each in about 20 us.
Before the flop there are 2,598,960, which takes a minute; against a range that treats suits alike one board of each of
the 134,459 kinds is enough, which takes three seconds.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.cards.boards import board_kinds, board_name, completions, parse_board
from mccfr.cards.deck import CardError
from mccfr.cards.evaluator import deck_hands, make_room
from mccfr.cards.ranges import Deck, Range, deck_of
from mccfr.cards.strengths import SIZES
from mccfr.errors import quoted
from mccfr.kernel.hand_values import Sums, add_values

Floats = npt.NDArray[np.float64]
Board = str | Iterable[int]
CHUNK = 4096  # boards between two chances to stop: a tenth of a second
BITS = 40  # of a weight: the sum of 1326 has at most 51, and floats have 53


class HandValues(NamedTuple):
    """What every hand of a deck is worth against a range; NaN for hands that cannot be dealt beside the board."""

    strength: Floats  # [hands] HS on the board as it lies; NaN on boards of fewer than three cards
    equity: Floats  # [hands] E[HS] at the showdown: P(win) + P(tie) / 2
    squared: Floats  # [hands] E[HS^2]
    weight: Floats  # [hands] how many hands of the range can be dealt beside it, counted with their weights


class Scene(NamedTuple):
    """A board, the deck it is of, and how many cards it will have at the showdown."""

    board: tuple[int, ...]
    deck: Deck
    showdown: int

    def __str__(self) -> str:
        return f"board {quoted(board_name(self.board, self.deck.suits))}"

    @property
    def ways(self) -> int:
        """How many boards can follow when two hands are known."""
        return math.comb(self.deck.cards - len(self.board) - 4, self.showdown - len(self.board))


def hand_values(against: Range | str = "all", board: Board = "", showdown: int = 5) -> HandValues:
    """HS, E[HS] and E[HS^2] of every hand of a deck against a range on a board of none, three, four or five cards.

    In games with smaller decks a showdown may need fewer cards; then the board may have any number up to that.

    Example:
        >>> from mccfr.cards.deck import hand
        >>> found = hand_values("all", "Qs Jh 2h")
        >>> [round(float(values[hand("AhKh")]), 4) for values in found]
        [0.5962, 0.7626, 0.6456, 1081.0]
    """
    given = as_range(against)
    scene = set_scene(given, board, showdown)
    weights = exact_weights(live_part(given, scene, against).weights)[None, :]
    later = sum_boards(weights, scene, alike=given.by_class() is not None)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean, squared = (later.win + later.tie / 2) / later.all, later.squared / later.all
    strength = _strength_now(weights, scene)
    return HandValues(strength[0], mean[0], squared[0], later.all[0] / scene.ways)


def as_range(given: Range | str) -> Range:
    """A range, or the one that a text says."""
    return given if isinstance(given, Range) else Range.parse(given)


def set_scene(of: Range, board: Board, showdown: int) -> Scene:
    """The board that a text or numbers say, of the deck of a range."""
    if showdown + 2 not in SIZES:
        raise CardError(f"a board has three to five cards at the showdown, not {quoted(showdown)}")
    if of.ranks * of.suits < showdown + 4:
        raise CardError(
            f"a deck of {of.ranks * of.suits} cards is too small for two hands and {showdown} cards of a board"
        )
    sizes = (0, 3, 4, 5) if showdown == 5 else tuple(range(showdown + 1))
    return Scene(parse_board(board, sizes, of.ranks, of.suits), deck_of(of.ranks, of.suits), showdown)


def live_part(given: Range, scene: Scene, said: Range | str) -> Range:
    """A range, which the user said so, without the hands that a board blocks; refused if nothing is left."""
    if not given.hands:
        raise CardError(f"range {quoted(str(said))} has no hands: expected at least one, such as 'AKs'")
    left = given.without(scene.board)
    if not left.hands:
        raise CardError(f"range {quoted(str(said))} has no hand left: {scene} has a card of each")
    return left


def exact_weights(weights: Floats) -> Floats:
    """Weights with 40 bits below the largest, so that sums and differences of them have no rounding at all.

    That changes none by more than a trillionth of the largest; one that is smaller than that counts as 0.
    """
    _, exponent = np.frexp(weights.max(initial=0.0))
    unit = math.ldexp(1.0, int(exponent) - BITS)
    return np.round(weights / unit) * unit


def sum_boards(weights: Floats, scene: Scene, alike: bool) -> Sums:
    """[ranges, hands] what all boards that can follow say of every hand against ranges of these weights.

    alike: whether all ranges treat suits alike; then boards of a kind need not all be looked at before the flop.
    """
    everybody = np.arange(weights.shape[1])
    if scene.board or not alike:
        boards = completions(scene.board, scene.showdown, scene.deck.ranks, scene.deck.suits)
        return sum_chosen(weights, boards, np.ones(len(boards)), scene.deck, everybody)
    kinds = board_kinds((scene.showdown,), scene.deck.ranks, scene.deck.suits)
    sums = sum_chosen(weights, kinds.cards, kinds.copies.astype(np.float64), scene.deck, everybody)
    return Sums(*(_over_classes(each, scene.deck) for each in sums))


def sum_chosen(
    weights: Floats, boards: npt.NDArray[np.uint8], times: Floats, deck: Deck, chosen: npt.NDArray[np.int64]
) -> Sums:
    """[ranges, hands] what boards, each counted so many times, say of chosen hands; other hands have no weight.

    Hands that were not chosen have 0.
    """
    hands = deck_hands(boards.shape[1], deck.ranks, deck.suits)
    hands = hands._replace(low=hands.low[chosen], high=hands.high[chosen])
    found = Sums(*(np.zeros((len(weights), len(chosen))) for _ in Sums._fields))
    held, room = np.ascontiguousarray(weights[:, chosen]), make_room(len(chosen), deck.cards)
    for j in range(0, len(boards), CHUNK):
        add_values(hands, boards[j : j + CHUNK], times[j : j + CHUNK], held, room, found)
    out = Sums(*(np.zeros((len(weights), deck.hands)) for _ in Sums._fields))
    for all_hands, of_chosen in zip(out, found):
        all_hands[:, chosen] = of_chosen
    return out


def _over_classes(sums: Floats, deck: Deck) -> Floats:
    """From one board of each kind to all boards: hands of a class are alike, so each has the mean of its class."""
    out = np.empty_like(sums)
    for hands in deck.classes.values():
        out[:, hands] = sums[:, hands].mean(axis=1, keepdims=True)
    return out


def _strength_now(weights: Floats, scene: Scene) -> Floats:
    """[ranges, hands] HS on the board as it lies."""
    if len(scene.board) + 2 not in SIZES:
        return np.full_like(weights, np.nan)
    board = np.array([scene.board], np.uint8)
    now = sum_chosen(weights, board, np.ones(1), scene.deck, np.arange(scene.deck.hands))
    with np.errstate(invalid="ignore", divide="ignore"):
        return (now.win + now.tie / 2) / now.all
