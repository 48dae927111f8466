"""What leaves were worth on average while a position was solved.

The average strategy of a look-ahead does not come with one strategy below its leaves: iteration t had its own, and both
players' ranges at the leaf with it. What hand j of player p gets at a leaf against the average strategy is therefore

    sum_t w_t sum_h chance(h, j) reach^t(h) u^t(h, j),    reach^t and h being those of the other player

with w_t the weight of iteration t in the other player's average: the average counterfactual value, as [Moravcik et al.
2017] keep it for the opponent. Divided by the other player's average reach it is a matrix like that of any ending,

    mean_p(h, j) = sum_t w_t reach^t(h) u^t(h, j) / sum_t w_t reach^t(h)

one for each player p. To solve the rest again with the average ranges would not do: among the strategies that are best
with these ranges it may take one that hands outside them beat, and that the look-ahead never allowed for.
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class LeafMeans:
    """Running means of one leaf: for each player, weighted by the reach of the other."""

    def __init__(self, hands: tuple[int, int]) -> None:
        """Nothing has been noted."""
        self.weight = np.zeros(2)
        self.plain = np.zeros((2, *hands))
        self.reach = np.zeros(hands[1]), np.zeros(hands[0])  # of the player whose values are not meant
        self.worth = np.zeros((2, *hands))

    def note(self, player: int, worth: Floats, reaches: tuple[Floats, Floats], weight: float) -> None:
        """An evaluation of the leaf that counts for the values of a player."""
        other = reaches[1 - player]
        self.weight[player] += weight
        self.plain[player] += weight * worth
        self.reach[player][:] += weight * other
        self.worth[player] += weight * worth * (other[None, :] if player == 0 else other[:, None])

    def fade(self, factor: float) -> None:
        """Let everything so far count less."""
        for each in (self.weight, self.plain, *self.reach, self.worth):
            each *= factor

    def known(self, player: int) -> bool:
        """Whether the leaf was evaluated for the values of this player."""
        return bool(self.weight[player] > 0.0)

    def mean(self, player: int) -> Floats:
        """[hands 0, hands 1] mean_p; for hands with which the other player never came, the plain mean."""
        reach = self.reach[player]
        below = np.broadcast_to(reach[None, :] if player == 0 else reach[:, None], self.plain[player].shape)
        return np.divide(self.worth[player], below, out=self.plain[player] / self.weight[player], where=below > 0.0)
