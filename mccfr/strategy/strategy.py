"""A strategy: what to do in every infoset."""

import dataclasses
import os
from collections.abc import Callable, Iterator, Mapping
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from mccfr.amounts import whole_count
from mccfr.errors import FileError, StrategyError, as_path, nearest, quoted
from mccfr.tree.infosets import Infosets
from mccfr.tree.tree import Tree

if TYPE_CHECKING:
    import pandas as pd

    from mccfr.strategy.distances import Comparison

Floats = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Origin:
    """Where a strategy comes from; saved with it."""

    game: str
    method: str = ""
    seed: int | None = None
    iterations: int = 0
    version: str = ""
    created: str = ""


class Strategy:
    """Probabilities of every action in every infoset, for both players.

    `strategy["K:cb"]` gives {"fold": 0.0, "call": 1.0}; where two players share a label, ask for `strategy[1, label]`.
    Infosets that were never reached play uniformly; `unvisited` counts them.
    """

    def __init__(
        self,
        infosets: Infosets,
        probabilities: Floats,
        origin: Origin,
        visited: npt.NDArray[np.bool_] | None = None,
        tree: Tree | Callable[[], Tree] | None = None,
    ) -> None:
        if np.shape(probabilities) != (infosets.entries,):
            raise StrategyError(
                f"a strategy of {origin.game} has {infosets.entries:,} probabilities, got {np.shape(probabilities)}"
            )
        self.infosets, self.probabilities, self.origin = infosets, probabilities, origin
        self.visited = np.ones(len(infosets), dtype=bool) if visited is None else visited
        self._tree = tree

    @property
    def tree(self) -> Tree:
        """The game's tree; compiled when first asked for, if the strategy came from a file."""
        if callable(self._tree):
            self._tree = self._tree()
        if self._tree is None:
            raise StrategyError(f"this strategy of {self.origin.game} came without its game: load it with game=")
        return self._tree

    @property
    def game(self) -> str:
        """The string that names the game."""
        return self.origin.game

    @property
    def unvisited(self) -> int:
        """How many infosets play uniformly because nothing is known about them."""
        return int(np.count_nonzero(~self.visited))

    def __len__(self) -> int:
        return len(self.infosets)

    def __iter__(self) -> Iterator[str]:
        return iter(self.infosets.labels)

    def __contains__(self, label: object) -> bool:
        try:
            self._find(label)
        except StrategyError:
            return False
        return True

    def __getitem__(self, label: str | tuple[int, str]) -> dict[str, float]:
        return self.at(self._find(label))

    def at(self, infoset: int) -> dict[str, float]:
        """Action probabilities of the infoset with this number."""
        actions, begin = self.infosets.actions(infoset), self.infosets.entry(infoset)
        return dict(zip(actions, self.probabilities[begin : begin + len(actions)].tolist()))

    def _find(self, label: object) -> int:
        return find_infoset(self.infosets, label)

    def __repr__(self) -> str:
        count = f", {self.origin.iterations:,} iterations" if self.origin.iterations > 1 else ""
        made = f" by {self.origin.method}{count}" if self.origin.method else ""
        note = f", {self.unvisited:,} of them unvisited (uniform)" if self.unvisited else ""
        return f"<Strategy for {self.game}{made}: {len(self):,} infosets{note}>"

    def show(self, infoset: str | tuple[int, str] | None = None, limit: int = 40, player: int | None = None) -> None:
        """Print the strategy, or one infoset of it, as a table."""
        from mccfr.strategy.display import print_strategy

        limit = whole_count("limit", limit, 1, error=StrategyError)
        print_strategy(self, None if infoset is None else self._find(infoset), limit, player)

    def grids(self, line: str = "") -> "dict[str, Floats]":
        """[169] Of a hold'em strategy on a line of betting: how often each class of hands takes each action."""
        from mccfr.strategy.range_grid import grids

        return grids(self, line)

    def show_grid(self, line: str = "", action: str | None = None) -> None:
        """Print a hold'em strategy on a line of betting as 13 x 13 grids, one for each action."""
        from mccfr.strategy.display import print_grids

        print_grids(self, line, action)

    def save_grid(self, path: str | os.PathLike[str], line: str = "", action: str | None = None) -> None:
        """Draw the same as a picture, .png, .svg or .pdf."""
        from mccfr.strategy.range_grid import save_picture

        save_picture(self, path, line, action)

    def _repr_html_(self) -> str:
        from mccfr.strategy.display import html

        return html(self)

    def to_frame(self) -> "pd.DataFrame":
        """One row per infoset and action, as a pandas DataFrame."""
        from mccfr.strategy.display import frame

        return frame(self)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Label -> action -> probability; labels that two players share get the player in front, as `0|label`."""
        require_names(self, "put in a dict")
        shared = len(set(self.infosets.labels)) < len(self)
        prefix = (lambda j: f"{self.infosets.owner(j)}|") if shared else (lambda j: "")
        return {prefix(j) + label: self.at(j) for j, label in enumerate(self.infosets.labels)}

    def compare(self, other: "Strategy") -> "Comparison":
        """Where and how much two strategies of one game differ."""
        from mccfr.strategy.distances import compare

        if not isinstance(other, Strategy):
            raise StrategyError(f"compare takes another Strategy, got {quoted(other)}")
        return compare(self, other)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the strategy to a file that `mccfr.load` reads; docs/formats.md describes it."""
        from mccfr.strategy.file import save_strategy

        suffix = as_path(path, "a strategy file").suffix.lower()
        if suffix in (".csv", ".json"):
            export = f"mccfr.export_{suffix[1:]}(strategy, path)"
            raise FileError(
                f"a strategy is saved as .mccfr, not as {suffix}: use {export}, or save to {Path(path).stem}.mccfr"
            )
        save_strategy(self, path)

    def moved_to(self, tree: Tree) -> "Strategy":
        """This strategy on another game with the same infosets, such as the shifted one."""
        if not isinstance(tree, Tree):
            raise StrategyError(f"moved_to takes a tree, as mccfr.compile('leduc') makes one, got {quoted(tree)}")
        if not self.infosets.fits(tree.infosets):
            raise StrategyError(f"a strategy of {self.game} cannot be moved to {tree.game}: their infosets differ")
        origin = dataclasses.replace(self.origin, game=tree.game)
        return Strategy(tree.infosets, self.probabilities, origin, self.visited, tree)

    def to_openspiel(self, game: Any = None) -> Any:
        """This strategy as an OpenSpiel TabularPolicy, of `game` (a name or a pyspiel game) if given."""
        from mccfr.strategy.openspiel_policy import to_tabular_policy

        return to_tabular_policy(self, game)


def require_names(strategy: Strategy, what: str) -> None:
    """Refuse what would need every name of a game that has too many."""
    if not strategy.infosets.written:
        raise StrategyError(
            f"{strategy.game} has {len(strategy):,} infosets, too many to be {what}: ask for single ones by label"
        )


def find_infoset(infosets: Infosets, label: object) -> int:
    """Number of the infoset with this label or (player, label)."""
    if isinstance(label, str):
        return infosets.find(label)
    if isinstance(label, tuple) and len(label) == 2 and isinstance(label[0], int) and isinstance(label[1], str):
        return infosets.find(label[1], label[0])
    raise StrategyError(f"an infoset is looked up by its label or by (player, label), not by {label!r}")


def uniform_strategy(tree: Tree) -> Strategy:
    """Every action equally likely everywhere."""
    return Strategy(tree.infosets, uniform_probabilities(tree.infosets), Origin(tree.game, "uniform"), tree=tree)


def uniform_probabilities(infosets: Infosets) -> Floats:
    """1 / number of actions, for every entry."""
    return infosets.uniform()


def normalised(infosets: Infosets, weights: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Weights of each infoset divided by their sum, uniform where that is 0; and which infosets had weight."""
    return infosets.normalised(weights)


def strategy_from(tree: Tree, given: Mapping[Any, Mapping[str, float]], origin: Origin | None = None) -> Strategy:
    """A strategy from {label or (player, label): {action: probability}}; infosets not given play uniformly."""
    if not isinstance(given, Mapping):
        raise StrategyError(f"a strategy is given as {{infoset: {{action: probability}}}}, got {quoted(given)}")
    weights = np.zeros(tree.infosets.entries)
    for label, choice in given.items():
        number = find_infoset(tree.infosets, label)
        if not isinstance(choice, Mapping):
            raise StrategyError(f"infoset {label!r}: expected probabilities by action, got {choice!r}")
        actions = tree.infosets.actions(number)
        for action, probability in choice.items():
            if action not in actions:
                raise StrategyError(f"infoset {label!r} has no action {action!r}; {nearest(str(action), actions)}")
            if not isinstance(probability, Real) or not 0 <= probability <= 1:
                raise StrategyError(f"infoset {label!r}: probability {probability!r} of {action!r} is not from 0 to 1")
            weights[tree.infosets.entry(number) + actions.index(action)] = probability
        total = sum(choice.values())
        if abs(total - 1.0) > 1e-6:
            raise StrategyError(f"infoset {label!r}: probabilities sum to {total:g}, expected 1")
    probabilities, visited = normalised(tree.infosets, weights)
    return Strategy(tree.infosets, probabilities, origin or Origin(tree.game, "given"), visited, tree)
