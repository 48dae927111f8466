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
    """Where a strategy comes from; saved with it.

    Attributes:
        game: The string that names the game.
        method: The method that made it.
        seed: The seed of the method, or None.
        iterations: Iterations done.
        version: The version of mccfr.
        created: When it was made, as an ISO 8601 time.
    """

    game: str
    method: str = ""
    seed: int | None = None
    iterations: int = 0
    version: str = ""
    created: str = ""


class Strategy:
    """What both players do: a probability for every action in every infoset.

    `strategy["K:cb"]` is a dict of actions and probabilities; where two players share a label, write
    `strategy[1, label]`. `len`, `in` and iteration go over the labels. Infosets that were never reached play
    uniformly; `unvisited` counts them.

    Most strategies come from `Solver.strategy`, `mccfr.load`, `mccfr.uniform` or `mccfr.from_dict`; the constructor
    is for code that has the arrays.

    Args:
        infosets: The infosets of the game, as in `tree.infosets`.
        probabilities: A probability for every table entry, in the order of the infosets.
        origin: Where the strategy comes from.
        visited: Which infosets something is known about; by default all.
        tree: The game's tree, or a function that makes it when it is first needed.

    Attributes:
        infosets: The infosets of the game.
        probabilities: A probability for every table entry, in the order of the infosets.
        origin: Game, method, seed, iterations, version and time.
        visited: Which infosets something is known about; the others play uniformly.

    Raises:
        StrategyError: If the number of probabilities is not that of the game.

    Examples:
        >>> import mccfr
        >>> strategy = mccfr.solve("kuhn", "lp").strategy()
        >>> strategy
        <Strategy for kuhn by lp: 12 infosets>
        >>> {action: round(p, 4) for action, p in strategy["Q:b"].items()}
        {'fold': 0.6667, 'call': 0.3333}
        >>> "Q:b" in strategy, "A:b" in strategy
        (True, False)
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
        """The game's tree. For a strategy from a file it is compiled when first asked for."""
        if callable(self._tree):
            self._tree = self._tree()
        if self._tree is None:
            raise StrategyError(f"this strategy of {self.origin.game} was loaded without its game: load it with game=")
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

    def at(self, infoset: int | str, hand: str | None = None) -> dict[str, float]:
        """Look an infoset up by its number, or by a line of betting and a hand.

        Args:
            infoset: The number of the infoset, in the order of the labels; or, with a hand, the line that leads to it,
                such as `"kb59c/3d:k"`, and `""` for the start. Cards that came stand between `/` and `:`.
            hand: The hand of the player who moves there, as in `"AsKh"`: what labels have before the colon.

        Returns:
            Its actions and their probabilities.

        Raises:
            StrategyError: If there is no such line, nobody moves there, or the mover cannot hold this hand.

        Examples:
            >>> import mccfr
            >>> mccfr.uniform("kuhn").at(0)
            {'check': 0.5, 'bet': 0.5}
            >>> river = mccfr.spot(board="Qs Jh 2h 8c 3d", pot=100, stack=100, oop="QQ", ip="JJ", bet="a", raise_="a")
            >>> mccfr.uniform(river).at("k", "JsJd")
            {'k': 0.5, 'a100': 0.5}
        """
        if hand is not None or isinstance(infoset, str):
            infoset = self._find(_label(infoset, hand))
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
        """Print the strategy, or one infoset of it, as a table.

        Args:
            infoset: The label of one infoset, or `(player, label)`; by default all infosets are printed.
            limit: The most infosets to print.
            player: Print the infosets of this player only.

        Raises:
            StrategyError: If there is no such infoset or player.

        Examples:
            >>> import mccfr
            >>> mccfr.uniform("kuhn").show("K:b")
            kuhn · uniform · 12 infosets...
        """
        from mccfr.strategy.display import print_strategy

        limit = whole_count("limit", limit, 1, error=StrategyError)
        print_strategy(self, None if infoset is None else self._find(infoset), limit, player)

    def grids(self, line: str = "") -> "dict[str, Floats]":
        """Average a hold'em strategy over the 169 classes of hole hands.

        Args:
            line: The line of betting, as in the labels after the colon; empty for the first decision.

        Returns:
            For every action on this line, an array of 169 numbers with how often each class of hands takes it.

        Raises:
            StrategyError: If the game is not hold'em, or nobody moves on this line.
        """
        from mccfr.strategy.range_grid import grids

        return grids(self, line)

    def show_grid(self, line: str = "", action: str | None = None) -> None:
        """Print a hold'em strategy on a line of betting as 13 x 13 grids, one for each action.

        Args:
            line: The line of betting, as in the labels after the colon; empty for the first decision.
            action: Print the grid of this action only.

        Raises:
            StrategyError: If the game is not hold'em, or there is no such line or action.
        """
        from mccfr.strategy.display import print_grids

        print_grids(self, line, action)

    def save_grid(self, path: str | os.PathLike[str], line: str = "", action: str | None = None) -> None:
        """Draw the grids of `show_grid` as a picture.

        Args:
            path: The file to write; it ends in .png, .svg or .pdf.
            line: The line of betting, as in the labels after the colon; empty for the first decision.
            action: Draw the grid of this action only.

        Raises:
            StrategyError: If the game is not hold'em, or there is no such line or action.
            MissingExtra: If matplotlib is not installed.
            FileError: If the file cannot be written.
        """
        from mccfr.strategy.range_grid import save_picture

        save_picture(self, path, line, action)

    def _repr_html_(self) -> str:
        from mccfr.strategy.display import html

        return html(self)

    def to_frame(self) -> "pd.DataFrame":
        """Convert the strategy to a pandas DataFrame.

        Returns:
            One row per infoset and action, with the columns player, infoset, action, probability and visited.

        Raises:
            MissingExtra: If pandas is not installed.
            StrategyError: If the game has too many infosets to name them all.

        Examples:
            >>> import mccfr
            >>> mccfr.uniform("kuhn").to_frame().head(2)
               player infoset action  probability  visited
            0       0      J:  check          0.5     True
            1       0      J:    bet          0.5     True
        """
        from mccfr.strategy.display import frame

        return frame(self)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Convert the strategy to a dict; `mccfr.from_dict` is the way back where no labels are shared.

        Returns:
            Label -> action -> probability. If any two players share a label, every label gets its player in front, as
                in `0|label`.

        Raises:
            StrategyError: If the game has too many infosets to name them all.

        Examples:
            >>> import mccfr
            >>> mccfr.uniform("kuhn").to_dict()["K:b"]
            {'fold': 0.5, 'call': 0.5}
        """
        require_names(self, "put in a dict")
        shared = len(set(self.infosets.labels)) < len(self)
        prefix = (lambda j: f"{self.infosets.owner(j)}|") if shared else (lambda j: "")
        return {prefix(j) + label: self.at(j) for j, label in enumerate(self.infosets.labels)}

    def compare(self, other: "Strategy") -> "Comparison":
        """Compare two strategies of one game.

        Args:
            other: The strategy to compare with.

        Returns:
            The total variation distance of every infoset, with their mean and the largest.

        Raises:
            StrategyError: If the infosets differ, or are too many to name them all.

        Examples:
            >>> import mccfr
            >>> found = mccfr.solve("kuhn", "lp").strategy().compare(mccfr.uniform("kuhn"))
            >>> print(f"{found.largest:.3f}")
            0.500
        """
        from mccfr.strategy.distances import compare

        if not isinstance(other, Strategy):
            raise StrategyError(f"compare takes another Strategy, got {quoted(other)}")
        return compare(self, other)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the strategy to a file that `mccfr.load` reads. docs/formats.md describes it.

        Args:
            path: The file to write; by convention it ends in .mccfr.

        Raises:
            FileError: If the file cannot be written.

        Examples:
            >>> import mccfr
            >>> mccfr.uniform("kuhn").save("uniform.mccfr")
            >>> mccfr.load("uniform.mccfr")
            <Strategy for kuhn by uniform: 12 infosets>
        """
        from mccfr.strategy.file import save_strategy

        suffix = as_path(path, "a strategy file").suffix.lower()
        if suffix in (".csv", ".json"):
            export = f"mccfr.export_{suffix[1:]}(strategy, path)"
            raise FileError(
                f"a strategy is saved as .mccfr, not as {suffix}: use {export}, or save to {Path(path).stem}.mccfr"
            )
        save_strategy(self, path)

    def moved_to(self, tree: Tree) -> "Strategy":
        """Put this strategy on another game with the same infosets, such as a version with shifted payoffs.

        Args:
            tree: The tree of the other game.

        Returns:
            A strategy of the other game with the same probabilities.

        Raises:
            StrategyError: If the infosets differ.

        Examples:
            >>> import mccfr
            >>> shifted = mccfr.compile("leduc(shift=100)")
            >>> mccfr.uniform("leduc").moved_to(shifted).game
            'leduc(shift=100)'
        """
        if not isinstance(tree, Tree):
            raise StrategyError(f"moved_to takes a tree, as mccfr.compile('leduc') makes one, got {quoted(tree)}")
        if not self.infosets.fits(tree.infosets):
            raise StrategyError(f"a strategy of {self.game} cannot be moved to {tree.game}: their infosets differ")
        origin = dataclasses.replace(self.origin, game=tree.game)
        return Strategy(tree.infosets, self.probabilities, origin, self.visited, tree)

    def to_openspiel(self, game: Any = None) -> Any:
        """Convert the strategy to an OpenSpiel policy.

        Args:
            game: The OpenSpiel game, by name or as a pyspiel game. By default the one that is the same as this game.

        Returns:
            An `open_spiel.python.policy.TabularPolicy` with the same probabilities.

        Raises:
            MissingExtra: If OpenSpiel is not installed.
            StrategyError: If no such game is known, or it differs from this one.

        Examples:
            >>> import mccfr
            >>> policy = mccfr.uniform("kuhn").to_openspiel()
            >>> len(policy.state_lookup)
            12
        """
        from mccfr.strategy.openspiel_policy import to_tabular_policy

        return to_tabular_policy(self, game)


def _label(line: object, hand: object) -> str:
    """The label of a hand after a line."""
    if not isinstance(line, str) or not isinstance(hand, str):
        raise StrategyError(f"at takes a number, or a line and a hand as in ('k', 'AsKh'), got {line!r} and {hand!r}")
    return f"{hand}:{line}"


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
