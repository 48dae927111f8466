"""Generic poker as a dealt game: a public state is a line of play and the public card."""

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from mccfr.games.base import CHANCE
from mccfr.games.dealt import Ranking

if TYPE_CHECKING:
    from mccfr.games.generic_poker import GenericPoker

Floats = npt.NDArray[np.float64]
State = tuple[str, int]  # the line; the public card's number, -1 before there is one


class DealtPoker:
    """Hands are cards (or, without suits, ranks with as many copies)."""

    def __init__(self, game: "GenericPoker") -> None:
        self.game = game
        self.cards = list(game._deck)
        self.copies = np.array([game._deck[card] for card in self.cards], float)
        self.ranks = np.array([game._ranks[card] for card in self.cards])

    def hands(self, player: int) -> Sequence[str]:
        return self.cards

    def deal(self) -> Floats:
        left = self.copies[None, :] - np.eye(len(self.cards))
        total = self.copies.sum()
        return np.asarray(self.copies[:, None] * left / (total * (total - 1)))

    def root(self) -> State:
        return ":", -1

    def player(self, s: State) -> int:
        return self.game._spots[s[0]].player

    def actions(self, s: State) -> Sequence[str]:
        return self.cards if self.player(s) == CHANCE else self.game._spots[s[0]].actions

    def step(self, s: State, a: str) -> State:
        spot = self.game._spots[s[0]]
        return (spot.dealt, self.cards.index(a)) if spot.player == CHANCE else (spot.following[a], s[1])

    def law(self, s: State) -> Floats:
        return np.stack([self._law(card) * np.ones((len(self.cards),) * 2) for card in range(len(self.cards))], axis=2)

    def possible(self, s: State, player: int) -> npt.NDArray[np.bool_] | None:
        """All hands but the public card, if it has no copies."""
        if s[1] < 0 or self.copies[s[1]] > 1:
            return None
        return np.arange(len(self.cards)) != s[1]

    def ending(self, s: State) -> tuple[Hashable, float]:
        """Folding pays a constant; a showdown its stake, by who is ahead. The shift is paid in any case."""
        behind, level, ahead = self.game._spots[s[0]].stakes
        folded = behind == ahead
        if self.game.shift:
            return (s[1], level if folded else ahead, folded), 1.0
        return (s[1], 1.0, folded), float(level if folded else ahead)

    def matrix(self, key: Any) -> Floats:
        board, stake, folded = key
        pays = np.ones((len(self.cards),) * 2) if folded else self._ahead(board)
        return self.deal() * self._law(board) * (pays * stake + self.game.shift)

    def _law(self, board: int) -> Any:
        """Probability of the public card, given both hands."""
        if board < 0:
            return 1.0
        one = np.arange(len(self.cards)) == board
        return (self.copies[board] - one[:, None] - one[None, :]).clip(0) / (self.copies.sum() - 2)

    def _ahead(self, board: int) -> Floats:
        strength = self._strength(board)
        return np.sign(np.subtract.outer(strength, strength)).astype(float)

    def _strength(self, board: int) -> npt.NDArray[np.int64]:
        return np.asarray(self.ranks + len(self.cards) * (self.ranks == self.ranks[board]))

    def hole_cards(self) -> npt.NDArray[np.int64] | None:
        """A hand is a card; ranks with copies are not cards."""
        return None if self.copies.max() > 1 else np.arange(len(self.cards))[:, None]

    def ranking(self, key: Any) -> Ranking:
        board, stake, folded = key
        n = len(self.cards)
        chance = 1 / (n * (n - 1)) / (1 if board < 0 else n - 2)
        strength = self._strength(board)
        if board >= 0:
            strength[board] = -1
        level, edge = (stake, 0.0) if folded else (0.0, stake)
        return Ranking(chance * (level + self.game.shift), chance * edge, strength)

    def label(self, s: State, player: int, hand: int) -> str:
        spot = self.game._spots[s[0]]
        label = self.cards[hand] + spot.before
        return label + self.cards[s[1]] + spot.after if spot.after else label
