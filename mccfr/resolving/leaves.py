"""What a look-ahead is worth where its depth ends: functions of a public state and both ranges.

    solve(cfr_plus, 100)    the rest of the game is solved with the ranges that players come with, each time anew, and
                            valued by the average strategy [Davis, Schmid, Bowling 2019, section 7]
    blueprint               a stored strategy goes on; the ranges do not matter
    several                 the opponent chooses how it goes on: as in the blueprint, or with more folds, calls or
                            raises [Brown, Sandholm, Amos 2018]

Your own is a class with `worth`; docs/resolving.md has one.
"""

import abc
import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.errors import MccfrError, nearest, quoted
from mccfr.grammar import Call, GrammarError, Named, misfit, parse_call
from mccfr.resolving.gadgets import ResolvingError
from mccfr.solvers.method import FullWidth, Method
from mccfr.strategy.strategy import Strategy

if TYPE_CHECKING:
    from mccfr.resolving.position import Position
    from mccfr.resolving.subgames import Subgame

Floats = npt.NDArray[np.float64]
Ranges = tuple[Floats, Floats]
MOST_SUBGAMES = 10_000  # kept for one kind of leaves
FACTOR = 10.0  # by which a biased continuation plays its actions more often
KINDS_OF_ACTIONS = {
    "fold": ("fold", "f"),
    "call": ("call", "check", "c", "k"),
    "raise": ("bet", "raise", "b", "r", "a"),
}


class Leaf(NamedTuple):
    """A public state at which a look-ahead ends.

    Attributes:
        position: The position that is being solved.
        line: All that has happened, from the start of the game.
        state: The public state, as the rules of the game have it.
        chance: [hands 0, hands 1] The probability of each pair of hands and of the public events so far.
    """

    position: "Position"
    line: tuple[str, ...]
    state: Any
    chance: Floats


class Leaves(abc.ABC):
    """What leaves are worth; the base of all kinds.

    Attributes:
        by_ranges: Whether the worth depends on ranges, so that it is asked for again and again.
        choices: What the opponent may choose at a leaf; nothing if a leaf has one worth.
    """

    by_ranges: bool = True
    choices: Sequence[str] = ()

    @abc.abstractmethod
    def worth(self, leaf: Leaf, ranges: Ranges | None, choice: str = "") -> Floats:
        """What each pair of hands is worth at a leaf.

        Args:
            leaf: The leaf.
            ranges: With which probability each hand of player 0 and of player 1 comes there; None if `by_ranges` is
                false.
            choice: Which of `choices` the opponent took.

        Returns:
            [hands 0, hands 1] The expected payoff of player 0, in chips.
        """


@dataclasses.dataclass(frozen=True)
class Solve(Named, Leaves):
    """The rest of the game is solved with these ranges, from nothing, and valued by the average strategy."""

    name: ClassVar[str] = "solve"

    method: Any = "cfr_plus"
    iterations: int = 100

    def __post_init__(self) -> None:
        if isinstance(self.iterations, bool) or not isinstance(self.iterations, int) or self.iterations < 1:
            raise ResolvingError(f"solve: iterations must be a whole number from 1, not {quoted(self.iterations)}")
        sampler = self.parsed.sampler
        if not isinstance(sampler, FullWidth) or sampler.simultaneous:
            raise ResolvingError(
                f"solve: {self.method} does not sweep: take cfr, cfr_plus, dcfr or another full-width one"
            )

    @functools.cached_property
    def parsed(self) -> Method:
        """The method."""
        try:
            return Method.parse(str(self.method))
        except MccfrError as error:
            raise ResolvingError(f"solve: {error}") from None

    @functools.cached_property
    def _subgames(self) -> "dict[tuple[int, tuple[str, ...]], Subgame]":
        return {}

    def worth(self, leaf: Leaf, ranges: Ranges | None, choice: str = "") -> Floats:
        from mccfr.resolving.subgames import Subgame

        key = id(leaf.position.tree), leaf.line
        if key not in self._subgames:
            if len(self._subgames) >= MOST_SUBGAMES:
                self._subgames.clear()
            self._subgames[key] = Subgame(leaf.position.tree, leaf.line)
        assert ranges is not None
        return self._subgames[key].solved(self.parsed, self.iterations, ranges)


class Continued(Leaves):
    """A stored strategy goes on: `blueprint`."""

    by_ranges = False

    def __init__(self, strategy: Strategy) -> None:
        """Take a strategy of the whole game."""
        self.strategy = strategy

    def __str__(self) -> str:
        return "blueprint"

    @functools.cached_property
    def _profiles(self) -> dict[tuple[str, int], Any]:
        return {}

    def _profile(self, choice: str, opponent: int, tree: Any) -> Any:
        from mccfr.resolving.public_values import PublicValues

        if (choice, opponent) not in self._profiles:
            if not self.strategy.infosets.fits(tree.infosets):
                raise ResolvingError(f"leaves: a strategy of {self.strategy.game} cannot go on in {tree.game}")
            self._profiles[choice, opponent] = PublicValues(tree, self._probabilities(choice, opponent, tree))
        return self._profiles[choice, opponent]

    def _probabilities(self, choice: str, opponent: int, tree: Any) -> Floats:
        return self.strategy.probabilities

    def worth(self, leaf: Leaf, ranges: Ranges | None, choice: str = "") -> Floats:
        from mccfr.resolving.public_places import place_of

        tree = leaf.position.tree
        pairs = self._profile(choice, leaf.position.opponent, tree).pairs(place_of(tree, leaf.line).node)
        return np.divide(pairs, leaf.chance, out=np.zeros_like(pairs), where=leaf.chance > 0.0)


class Several(Continued):
    """The opponent chooses among continuations of a stored strategy. [Brown, Sandholm, Amos 2018]

    Continuations are the strategy itself, and with one kind of action played `factor` times as often: folding, checking
    and calling, betting and raising, as the labels of actions say.
    """

    def __init__(self, strategy: Strategy, factor: float = FACTOR) -> None:
        """Take a strategy of the whole game."""
        super().__init__(strategy)
        if isinstance(factor, bool) or not isinstance(factor, int | float) or not 1.0 < factor < float("inf"):
            raise ResolvingError(f"several: factor must be a number above 1, not {quoted(factor)}")
        self.factor = float(factor)
        self.choices = ("as it is", *(f"more {kind}s" for kind in KINDS_OF_ACTIONS))

    def __str__(self) -> str:
        return "several" if self.factor == FACTOR else f"several({self.factor:g})"

    def _probabilities(self, choice: str, opponent: int, tree: Any) -> Floats:
        given = self.strategy.probabilities
        if choice == self.choices[0]:
            return given
        wanted = KINDS_OF_ACTIONS[choice.removeprefix("more ").removesuffix("s")]
        infosets = tree.infosets
        per_menu = [[self.factor if _kind(a) in wanted else 1.0 for a in menu] for menu in infosets.menus]
        factors = np.array([each for number in infosets.menu for each in per_menu[number]])
        begin, end = (infosets.entry(infosets.first[p]) for p in (opponent, opponent + 1))
        weights = given.copy()
        weights[begin:end] *= factors[begin:end]
        return np.asarray(infosets.normalised(weights)[0])


def _kind(label: str) -> str:
    """The word of an action without its chips."""
    return label.lower().rstrip("0123456789.%x ")


WORDS = ("solve", "blueprint", "several")


def read_leaves(given: "Leaves | str | None", blueprint: Strategy | None = None) -> Leaves | None:
    """Leaves by a word, or themselves: anything with `worth`."""
    if given is None or isinstance(given, Leaves):
        return given
    if not isinstance(given, str):
        if not callable(getattr(given, "worth", None)):
            raise ResolvingError(
                f"{quoted(given)} has no worth(leaf, ranges): derive it from mccfr.resolving.leaves.Leaves"
            )
        return given
    call = _call(given)
    takes: dict[str, Callable[..., Any]] = {"solve": Solve, "blueprint": _no_values, "several": _factor}
    problem = misfit(call, takes[call.name])
    if problem:
        raise ResolvingError(f"leaves: {problem}")
    if call.name == "solve":
        return Solve(*call.args, **call.keys)
    if blueprint is None:
        raise ResolvingError(f"leaves: {call.name} needs a strategy to go on with: give blueprint=")
    return Continued(blueprint) if call.name == "blueprint" else Several(blueprint, *call.args, **call.keys)


def _no_values() -> None:
    """What `blueprint` takes."""


def _factor(factor: float = FACTOR) -> None:
    """What `several` takes."""


def _call(text: str) -> Call:
    try:
        call = parse_call(text)
    except GrammarError:
        raise ResolvingError(f"{quoted(text)} names no leaves: expected {', '.join(WORDS)}") from None
    if call.name not in WORDS:
        raise ResolvingError(f"{quoted(text)} names no leaves; {nearest(call.name, WORDS)}")
    return call
