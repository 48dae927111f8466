"""One round of Bluff as a dealt game: a public state is the bids so far."""

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import GameError
from mccfr.games.base import TERMINAL
from mccfr.games.dice import LIAR, bids, hands, menus, support

if TYPE_CHECKING:
    from mccfr.games.bluff import Bluff

MOST_BIDS = 18  # 2^19 public nodes, and for every decision an infoset of each hand, with its name
Floats = npt.NDArray[np.float64]
State = tuple[int, ...]  # the bids, by number; at the end -1 for liar


class DealtBluff:
    """Hands are sorted rolls. Player 0 opens."""

    def __init__(self, game: "Bluff") -> None:
        dice = (game.dice0, game.dice1)
        if game.rounds == "literal":
            raise GameError(f"{game}: rounds that follow each other deal anew; take rounds=one or rounds=all")
        if sum(dice) * game.faces > MOST_BIDS:
            count = 2 ** (sum(dice) * game.faces + 1)
            raise GameError(
                f"{game} has {count:,} public nodes: dealt forms of at most {2 ** (MOST_BIDS + 1):,} are built"
            )
        self.game, self.faces = game, game.faces
        self.rolls = [hands(number, game.faces) for number in dice]
        self.names = bids(sum(dice), game.faces)
        self.menus = menus(sum(dice), game.faces)
        counts = [np.array([support(hand, game.faces) for hand, _ in roll]) for roll in self.rolls]
        self.counts = counts[0][:, None, :] + counts[1][None, :, :]

    def hands(self, player: int) -> Sequence[str]:
        return [hand for hand, _ in self.rolls[player]]

    def deal(self) -> Floats:
        first, second = ([p for _, p in roll] for roll in self.rolls)
        return np.multiply.outer(first, second)

    def root(self) -> State:
        return ()

    def player(self, s: State) -> int:
        return TERMINAL if s and s[-1] < 0 else len(s) % 2

    def actions(self, s: State) -> Sequence[str]:
        return self.menus[s[-1] + 1 if s else 0]

    def step(self, s: State, a: str) -> State:
        return (*s, -1) if a == LIAR else (*s, self.game._order[a])

    def law(self, s: State) -> Floats:
        raise GameError(f"{self.game}: nothing public is left to chance")

    def possible(self, s: State, player: int) -> npt.NDArray[np.bool_] | None:
        return None

    def ending(self, s: State) -> tuple[Hashable, float]:
        """By the last bid and who doubted it."""
        return (s[-2], (len(s) - 1) % 2), 1.0

    def matrix(self, key: Any) -> Floats:
        """The last bidder loses when the dice do not bear out the bid, otherwise the caller does."""
        bid, caller = key
        quantity, face = divmod(bid, self.faces)
        borne_out = self.counts[:, :, face] > quantity
        lost = [self.game._payoffs[player][0] for player in (0, 1)]
        return self.deal() * np.where(borne_out, lost[caller], lost[1 - caller])

    def label(self, s: State, player: int, hand: int) -> str:
        return f"{self.rolls[player][hand][0]}:{','.join(self.names[bid] for bid in s)}"
