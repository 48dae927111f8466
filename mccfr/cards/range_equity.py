"""What ranges are worth against each other on any board, exactly: wins, ties and equity, also by hand and by class.

After the flop every board that can follow is looked at (`mccfr.cards.hand_value`): a flop takes 30 ms or less. Before
it, ranges that treat suits alike are answered by the table of classes, in milliseconds. Others need the table of all
hands (`mccfr.cards.equity`), which takes seconds to count once and is then kept; for a few hands all boards are looked
at instead, in a second or two.
"""

import dataclasses
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.cards.boards import board_name, completions
from mccfr.cards.deck import CARDS, CLASS_OF_HAND, CLASS_SIZES, HANDS, RANKS, CardError
from mccfr.cards.equity import BOARDS, class_equities, hand_equities
from mccfr.cards.hand_value import (
    Board,
    Floats,
    Scene,
    as_range,
    exact_weights,
    live_part,
    set_scene,
    sum_boards,
    sum_chosen,
)
from mccfr.cards.ranges import Deck, Range, deck_of
from mccfr.errors import quoted

FEW = 12  # hands for which all boards before the flop are looked at sooner than the table of all hands is counted


class Share(NamedTuple):
    """What a hand, a class or a range wins.

    Attributes:
        weight: The pairs of hands, one of each player, that this is the mean of, counted with their weights.
        equity: The share of the pot that it wins on average: `win` and half of `tie`.
        win: The probability that it wins.
        tie: The probability that the pot is split.
    """

    weight: float
    equity: float
    win: float
    tie: float


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Equity:
    """What two ranges are worth against each other, as `equity` finds it.

    Attributes:
        ranges: Both ranges, as they were given.
        board: The numbers of the cards on the board.
        combos: How many hands of both ranges share no card with the board, counted with their weights.
        win_by_hand: For both players, the probability that each hand wins; NaN for hands that cannot be dealt.
        tie_by_hand: The same for a split pot.
        weight_by_hand: For both players and each hand, its weight times that of all hands of the other player that can
            be dealt beside it: how often it is dealt, but for a common factor.

    Examples:
        >>> import mccfr
        >>> found = mccfr.equity("AKs", "QQ+", "Qs Jh 2h")
        >>> print(found)
        AKs v QQ+ on Qs Jh 2h: 26.06 %
        >>> f"{found.share(1).equity:.4f}", found.share().weight
        ('0.7394', 36.0)
        >>> {name: round(share.equity, 4) for name, share in found.by_class(1).items()}
        {'AA': 0.7532, 'KK': 0.6511, 'QQ': 0.8138}
    """

    ranges: tuple[Range, Range]
    board: tuple[int, ...]
    combos: tuple[float, float]
    win_by_hand: Floats
    tie_by_hand: Floats
    weight_by_hand: Floats

    def __str__(self) -> str:
        one, other = (quoted(str(r))[1:-1] for r in self.ranges)
        return f"{one} v {other}{_on(self.board, self._deck)}: {100 * self.equity:.2f} %"

    def __repr__(self) -> str:
        return f"<Equity {self}>"

    @property
    def equity(self) -> float:
        """The share of the pot that the first range wins on average, from 0 to 1."""
        return self.share().equity

    @property
    def win(self) -> float:
        """The probability that the first range wins."""
        return self.share().win

    @property
    def tie(self) -> float:
        """The probability that the pot is split."""
        return self.share().tie

    def share(self, player: int = 0) -> Share:
        """What a player's whole range wins.

        Args:
            player: 0 for the first range, 1 for the second.

        Returns:
            Its share, over all pairs of hands that can be dealt together.
        """
        return self._share(player, np.arange(len(self.win_by_hand[player])))

    def by_hand(self, player: int = 0) -> dict[str, Share]:
        """What each hand of a player wins.

        Args:
            player: 0 for the first range, 1 for the second.

        Returns:
            A share for the name of each hand that can be dealt, the highest cards first.
        """
        held = np.flatnonzero(self.weight_by_hand[player])[::-1]
        return {self._deck.hand_name(hand): self._share(player, np.array([hand])) for hand in held.tolist()}

    def by_class(self, player: int = 0) -> dict[str, Share]:
        """What each class of hands of a player wins.

        Args:
            player: 0 for the first range, 1 for the second.

        Returns:
            A share for the name of each class that can be dealt: pairs first, then by rank.
        """
        classes = sorted(self._deck.classes.items(), key=lambda item: (item[0][2] != "", -item[0][0], -item[0][1]))
        shares = {RANKS[high] + RANKS[low] + kind: self._share(player, hands) for (high, low, kind), hands in classes}
        return {name: share for name, share in shares.items() if share.weight}

    @property
    def _deck(self) -> Deck:
        return deck_of(self.ranges[0].ranks, self.ranges[0].suits)

    def _share(self, player: int, hands: npt.NDArray[np.int64]) -> Share:
        """The mean over these hands, by how often they are dealt."""
        weight = self.weight_by_hand[player, hands]
        dealt, total = weight > 0, float(weight.sum())
        win, tie = (
            float(weight[dealt] @ of_hand[player, hands][dealt]) / max(total, 1e-300)
            for of_hand in (self.win_by_hand, self.tie_by_hand)
        )
        return Share(total, win + tie / 2, win, tie)


def equity(one: Range | str, other: Range | str = "all", board: Board = "", showdown: int = 5) -> Equity:
    """Find what a hand or range is worth against another on a board, exactly.

    Both players hold hands as often as their ranges say, among the pairs of hands that share no card with each other
    or the board, and all cards to come are equally likely.

    Args:
        one: A hand or a range, such as `"AsKs"` or `"QQ+,AKs:0.5"`, or a `Range`, also of a smaller deck.
        other: What it meets, in the same form.
        board: The cards on the board, such as `"Qs Jh 2h"`: none, three, four or five.
        showdown: How many cards the board will have at the showdown; fewer than 5 in some games with smaller decks.

    Returns:
        The equity of both ranges, also by hand and by class.

    Raises:
        MccfrError: A card or a term of a range is misspelt, the board has a card twice or a wrong number of cards, or
            no hands of the two ranges can be dealt together on it.

    Examples:
        >>> import mccfr
        >>> found = mccfr.equity("AA", "KK")
        >>> f"{found.equity:.5f}, wins {found.win:.5f}, ties {found.tie:.5f}"
        '0.81946, wins 0.81715, ties 0.00463'
        >>> mccfr.equity("AsKs", "QQ+", "As Qh 2d")
        Traceback (most recent call last):
        ...
        mccfr.cards.deck.CardError: range 'AsKs' has no hand left: board 'As Qh 2d' has a card of each
    """
    first, second = as_range(one), as_range(other)
    if (first.ranks, first.suits) != (second.ranks, second.suits):
        decks = " and ".join(f"{each.ranks} ranks and {each.suits} suits" for each in (first, second))
        raise CardError(f"the ranges are of different decks, with {decks}")
    scene = set_scene(first, board, showdown)
    live = live_part(first, scene, one), live_part(second, scene, other)
    weights = np.array([exact_weights(each.weights) for each in live])
    beside = np.array([_beside(each, scene.deck) for each in weights[::-1]])
    pairs = weights * beside
    if not pairs.any():
        text = f"{quoted(str(one), 40)} and {quoted(str(other), 40)}"
        raise CardError(f"ranges {text} cannot meet{_on(scene.board, scene.deck)}: all hands of both share a card")
    with np.errstate(invalid="ignore", divide="ignore"):
        win, tie = (np.where(pairs > 0, each / beside, np.nan) for each in _against_each_other(weights, scene))
    return Equity((first, second), scene.board, (live[0].combos, live[1].combos), win, tie, pairs)


def _beside(weights: Floats, deck: Deck) -> Floats:
    """[hands] the weight of the hands that share no card with each hand."""
    by_card = np.bincount(deck.hand_cards.ravel(), np.repeat(weights, 2), deck.cards)
    return weights.sum() - by_card[deck.hand_cards].sum(axis=1) + weights


def _against_each_other(weights: Floats, scene: Scene) -> tuple[Floats, ...]:
    """[2, hands] the weight of the hands of the other range that each hand beats and splits with, on the mean board."""
    alike = all(Range(each, scene.deck.ranks, scene.deck.suits).by_class() is not None for each in weights)
    held = np.flatnonzero(weights.any(axis=0))
    whole = not scene.board and scene.showdown == 5 and scene.deck.cards == CARDS
    if whole and (alike or len(held) > FEW):
        return _from_table(weights, alike)
    if not scene.board and alike:
        sums = sum_boards(weights[::-1], scene, alike)
    else:
        boards = completions(scene.board, scene.showdown, scene.deck.ranks, scene.deck.suits)
        sums = sum_chosen(weights[::-1], boards, np.ones(len(boards)), scene.deck, held)
    return sums.win / scene.ways, sums.tie / scene.ways


def _from_table(weights: Floats, alike: bool) -> tuple[Floats, ...]:
    """The same before the flop, with the whole deck: from the table of classes, or of hands."""
    if alike:
        first = np.unique(CLASS_OF_HAND, return_index=True)[1]
        table, against, of_hand, size = class_equities(), weights[::-1][:, first], CLASS_OF_HAND, CLASS_SIZES
    else:
        table, against, of_hand, size = hand_equities(), weights[::-1], np.arange(HANDS), np.ones(HANDS, np.int64)
    return tuple((against @ each.T / (size * BOARDS))[:, of_hand] for each in (table.wins, table.ties))


def _on(board: tuple[int, ...], deck: Deck) -> str:
    return f" on {board_name(board, deck.suits)}" if board else ""
