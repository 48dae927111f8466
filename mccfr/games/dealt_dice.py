"""One round of Bluff as a dealt game: a public state is the bids so far."""

from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import GameError
from mccfr.games.base import TERMINAL
from mccfr.games.bluff_dice import LIAR, bids, hands, menus, support
from mccfr.games.bluff_public import bluff_public_tree
from mccfr.games.dealt import PublicArrays

if TYPE_CHECKING:
    from mccfr.games.bluff import Bluff

Floats = npt.NDArray[np.float64]
State = tuple[int, ...]  # the bids, by number; at the end -1 for liar


class DealtBluff:
    """Hands are sorted rolls. Player 0 opens."""

    def __init__(self, game: "Bluff") -> None:
        dice = (game.dice0, game.dice1)
        if game.rounds == "literal":
            raise GameError(f"{game}: later rounds deal again; use rounds=one or rounds=all")
        self.game, self.faces, self.dice = game, game.faces, dice
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

    def public_tree(self) -> PublicArrays:
        """All bid sequences at once."""
        return bluff_public_tree(len(self.names), (0, int(self.dice[0] != self.dice[1])))

    def locate(self, label: str, player: int) -> list[tuple[Sequence[str], int]]:
        """The bids and the hand of a label such as `24:1-5,2-3`, if there is such an infoset."""
        roll, _, said = label.partition(":")
        path = said.split(",") if said else []
        numbers = [self.game._order.get(bid, -1) for bid in path]
        rolls = [hand for hand, _ in self.rolls[player]]
        rising = all(a < b for a, b in pairwise([-1, *numbers]))
        if roll not in rolls or not rising or len(path) % 2 != player or ":" not in label:
            return []
        return [(path, rolls.index(roll))]

    def menu_numbers(self, nodes: npt.NDArray[np.uint32]) -> tuple[Sequence[tuple[str, ...]], npt.NDArray[np.uint8]]:
        """The different lists of actions, and which each public node has: the fewer, the higher the last bid."""
        arity = nodes[3::4] >> 8
        numbers = (len(self.names) + 1 - arity).astype(np.uint8)
        numbers[0] = 0
        return [tuple(menu) for menu in self.menus], numbers
