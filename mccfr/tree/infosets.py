"""The infosets of a tree: which table entries are whose, and what people call them."""

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import StrategyError, nearest


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Infosets:
    """All infosets: player 0's first, then player 1's; each player's in an order that has parents before children.

    Infoset I owns the table entries row[I] .. row[I+1]-1, one per action.
    """

    first: tuple[int, ...]  # number of each player's first infoset, and at the end the number of infosets
    row: npt.NDArray[np.int64]  # [infosets + 1]
    parent: npt.NDArray[np.int64]  # [infosets] the owner's entry played last before, -1 for none
    labels: Sequence[str]  # what people type, unique for each player
    menus: Sequence[tuple[str, ...]]  # the different lists of action labels
    menu: npt.NDArray[np.int32]  # [infosets] which of the menus

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def entries(self) -> int:
        """Number of infoset-action pairs: the length of every table."""
        return int(self.row[-1])

    @functools.cached_property
    def arity(self) -> npt.NDArray[np.int64]:
        """Number of actions of each infoset."""
        return np.diff(self.row)

    @property
    def kept_in_files(self) -> bool:
        """Whether strategy files have names and rows; if not, the game is compiled to read them."""
        return self.written

    @property
    def written(self) -> bool:
        """Whether names and rows are there, rather than worked out one at a time."""
        return True

    @property
    def widest(self) -> int:
        """The most actions of an infoset, 0 if there are none."""
        return int(self.arity.max(initial=0))

    def entry(self, infoset: int) -> int:
        """The first table entry of an infoset; of the one after the last, the number of entries."""
        return int(self.row[infoset])

    def uniform(self, dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
        """1 / number of actions, for every entry."""
        return np.repeat((1.0 / self.arity).astype(dtype), self.arity)

    def normalised(self, weights: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
        """Weights of each infoset divided by their sum, uniform where that is 0; and which infosets had weight."""
        if not len(self):
            return weights.copy(), np.zeros(0, dtype=bool)
        total = np.add.reduceat(weights, self.row[:-1])
        visited = total > 0
        share = weights / np.repeat(np.where(visited, total, 1.0), self.arity)
        return np.where(np.repeat(visited, self.arity), share, self.uniform()), visited

    def owner(self, infoset: int) -> int:
        """The player who moves there."""
        return next(p for p in range(len(self.first) - 1) if infoset < self.first[p + 1])

    def actions(self, infoset: int) -> tuple[str, ...]:
        """Labels of its actions, in table order."""
        return self.menus[self.menu[infoset]]

    def of(self, player: int) -> range:
        """Numbers of this player's infosets."""
        return range(self.first[player], self.first[player + 1])

    def fits(self, other: "Infosets") -> bool:
        """Whether both are the same infosets with the same actions, in the same order."""
        if self.first != other.first or list(self.labels) != list(other.labels):
            return False
        if list(self.menus) == list(other.menus):
            return np.array_equal(self.menu, other.menu)
        return all(self.actions(j) == other.actions(j) for j in range(len(self)))

    @functools.cached_property
    def _numbers(self) -> list[dict[str, int]]:
        return [{self.labels[j]: j for j in self.of(p)} for p in range(len(self.first) - 1)]

    def find(self, label: str, player: int | None = None) -> int:
        """Number of the infoset with this label; the player is needed only where two players share the label."""
        if player is not None and not 0 <= player < len(self._numbers):
            raise StrategyError(f"no player {player}: the players are 0 to {len(self._numbers) - 1}")
        found = [names[label] for p, names in enumerate(self._numbers) if player in (None, p) and label in names]
        if len(found) == 1:
            return found[0]
        if found:
            raise StrategyError(f"infoset {label!r} exists for several players: ask for (player, {label!r})")
        among = self.labels if player is None else [self.labels[j] for j in self.of(player)]
        hint = nearest(label, among) if len(among) <= 20_000 else "`mccfr show` lists them"
        whose = "" if player is None else f" of player {player}"
        raise StrategyError(f"no infoset {label!r}{whose}; {hint[:300]}")
