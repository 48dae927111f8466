"""Methods: an algorithm as a typed value composed of parts, and the string that writes it.

- `cfr_plus`: a recipe (full-width sweeps, RM+, linear averaging); `dcfr(1.5, 0, 2)`: one with parameters;
- `outcome(epsilon=0.6)+predictive+rm_plus+linear`: a sampler as the recipe, and the parts to change in it.

The words themselves are in `words.py`; `recipe` and `part` add more of them, also from a user's own file.
"""

import dataclasses
import difflib
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from mccfr.errors import QUOTED, MccfrError, MethodError, nearest, quoted, shortened, told
from mccfr.grammar import Call, GrammarError, misfit, parse_sum, plain_word
from mccfr.kernel.averaging import Average, OptimisticAverage, OwnAverage, RestartedAverage, ScheduledAverage
from mccfr.kernel.estimators import Plain
from mccfr.kernel.minimisers import RM
from mccfr.kernel.play import AsLearned
from mccfr.kernel.pruning import Prune
from mccfr.kernel.public_laws import MCS
from mccfr.kernel.rewards import AsPaid
from mccfr.kernel.samplers import Everything, Uniform
from mccfr.solvers.method_names import ALIASES, as_written

Word = TypeVar("Word", bound=Callable[..., "Method"])


class LinearProgramme(NamedTuple):
    """Solve the game exactly as a linear programme. [Koller, Megiddo, von Stengel 1996]"""


class FullWidth(NamedTuple):
    """Visit everything in every iteration, on the sequence form. [Zinkevich et al. 2007]

    `simultaneous`: both players answer the last strategies; otherwise player 1 answers player 0's new one.
    """

    simultaneous: bool = False


class PublicOutcome(NamedTuple):
    """Public outcome sampling: one line of public events, all hands at once. [Davis, Schmid, Bowling 2019, 6]"""

    law: Any = Uniform()  # a public law, of `kernel.public_samplers`
    alternating: bool = False
    start: Any = "nothing"  # or values, walk, call, a strategy file, a Strategy
    exhibit: bool = False


class VectorSampling(NamedTuple):
    """Sampling in vector form, or in semi-vector form if the other player has OneHand. [Li et al. 2020]"""

    own: Any = Everything()
    other: Any = MCS()
    chance: Any = Uniform()
    exhibit: bool = False


class PublicChance(NamedTuple):
    """Public chance sampling of hold'em with every card: some boards, all hands and actions. [Johanson et al. 2012]"""

    boards: int = 1


@dataclasses.dataclass(frozen=True, eq=False)
class Method:
    """An algorithm, put together from parts: a sampler, a minimiser, an averaging scheme and an estimator.

    `Method.parse` reads one from a string, and `str` writes it as the string that rebuilds it. Methods that are
    written the same are equal.

    Attributes:
        sampler: Which part of the tree an iteration visits: a policy of `mccfr.samplers`, or by default all of it.
        minimiser: How regrets become a strategy: a policy of `mccfr.minimisers`, by default regret matching.
        averaging: How much each iteration counts in the average strategy: a policy of `mccfr.averaging`, by
            default all the same.
        estimator: What an action is taken to be worth under sampling: a policy of `mccfr.estimators`, by default
            plain importance sampling.
        play: The strategy that is played during a walk: as learned, or with a floor under every probability.
        reward: What a player feels at an ending: its payoff as paid, or one in which losses count more.
        pruning: Which of its own actions external sampling leaves out for being hopeless; by default none.
        prior: How much a first strategy by rules of thumb counts in the regrets; 0 begins with even strategies.
        batch: Iterations on a frozen strategy before their mean regrets update it.
        common: Whether one public card serves all lines of a walk, so that actions are compared under the same
            luck.
        tables: How the tables of a spot or of hold'em are kept: float64, float32, int16, or auto for what suits
            their size.

    Raises:
        MethodError: If the parts do not fit together; the message says what would fit.

    Examples:
        >>> import mccfr
        >>> method = mccfr.Method(mccfr.samplers.Outcome(0.6), mccfr.minimisers.RMPlus())
        >>> print(method)
        outcome(epsilon=0.6)+rm_plus
        >>> method == mccfr.Method.parse("outcome(0.6)+rm_plus")
        True
    """

    sampler: Any = FullWidth()
    minimiser: Any = RM()
    averaging: Average | OwnAverage | OptimisticAverage | RestartedAverage | ScheduledAverage = Average()
    estimator: Any = Plain()
    play: Any = AsLearned()
    reward: Any = AsPaid()
    pruning: Prune | None = None
    prior: float = 0.0
    batch: int = 1
    common: bool = False
    tables: str = "auto"

    def __post_init__(self) -> None:
        from mccfr.solvers.fit import check_fit

        check_fit(self)

    @property
    def samples(self) -> bool:
        """Whether the method walks the tree at random, rather than visiting all of it or solving it exactly."""
        return not isinstance(self.sampler, LinearProgramme | FullWidth)

    @property
    def public(self) -> bool:
        """Whether the method samples a public tree, which only dealt games have."""
        return isinstance(self.sampler, PublicOutcome | VectorSampling | PublicChance)

    def __str__(self) -> str:
        import mccfr.solvers.public_words
        import mccfr.solvers.words  # noqa: F401  both say what policies are called
        from mccfr.solvers.write_method import write

        return write(self)

    def __repr__(self) -> str:
        return f"Method.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:  # by string: NamedTuples of different types can be equal as tuples
        return str(self) == str(other) if isinstance(other, Method) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    @classmethod
    def parse(cls, text: "str | Method") -> "Method":
        """Read a method from its string.

        A string begins with a recipe (`cfr_plus`, `external`, `outcome(epsilon=0.6)`); parts that change it follow,
        each after a `+`. docs/sampling.md lists all words.

        Args:
            text: The string. A `Method` is returned as it is.

        Returns:
            The method that the string stands for.

        Raises:
            MethodError: If a word or a parameter is unknown, or the parts do not fit together.

        Examples:
            >>> import mccfr
            >>> mccfr.Method.parse("external+rm_plus").minimiser
            RMPlus()
            >>> print(mccfr.Method.parse("cfr+rm_plus+linear"))
            cfr_plus
        """
        import mccfr.solvers.public_words
        import mccfr.solvers.words  # noqa: F401  both fill the dictionaries below

        if isinstance(text, Method):
            return text
        if not isinstance(text, str):
            raise MethodError(f"a method is a string or a Method, not {quoted(text)}")
        try:
            head, *parts = parse_sum(as_written(text, {**RECIPES, **PARTS}))
        except GrammarError as error:
            raise MethodError(f"method: {error}") from None
        if head.name in PARTS:
            raise MethodError(
                f"method {quoted(text)} must start with a recipe (lp, cfr_plus, dcfr, external, outcome, ...; mccfr "
                f"methods lists all), not with {head.name}"
            )
        method = _apply(RECIPES, head, "method")
        for call in parts:
            if call.name in RECIPES:
                raise MethodError(f"method {quoted(text)} has two recipes: {head.name} and {call.name}")
            if isinstance(method.sampler, LinearProgramme):
                raise MethodError(f"method {quoted(text)}: lp is exact and takes no parts")
            method = _apply(PARTS, call, "method part", method)
        return method

    @classmethod
    def spelled(cls, text: "str | Method") -> str:
        """Write a method string in the package's own words.

        Args:
            text: A method string in any spelling, such as `"CFR+"`, or a method.

        Returns:
            The same method in canonical words: `"CFR+"` is `"cfr_plus"`, and `"Auto"` is `"auto"`.

        Raises:
            MethodError: If the string is not a method.

        Examples:
            >>> import mccfr
            >>> mccfr.Method.spelled("External Sampling + RM+")
            'external+rm_plus'
        """
        if isinstance(text, str) and plain_word(text[:100]) == AUTO:
            return AUTO
        method = cls.parse(text)
        return str(method) if isinstance(text, Method) else as_written(text.strip(), {**RECIPES, **PARTS})


AUTO = "auto"  # no method, but the word for one that is chosen
RECIPES: dict[str, Callable[..., Method]] = {}
PARTS: dict[str, Callable[..., Method]] = {}
WORDS: dict[type, str] = {}  # what a policy is called
WRITERS: dict[type, Callable[[Any], Call]] = {}  # how a policy is written whose fields are not its parameters


def word_of(policy: Any) -> str:
    """What a policy is called in method strings."""
    import mccfr.solvers.public_words
    import mccfr.solvers.words  # noqa: F401  both fill the dictionary

    return WORDS.get(type(policy), type(policy).__name__.lower())


def recipe(*policies: type) -> Callable[[Word], Word]:
    """Register a word that begins a method string.

    Used as a decorator, on a function that takes the word's parameters and returns a `Method`. The function's name
    becomes the word and its docstring the help.

    Args:
        *policies: Sampler classes that are written with this word, their fields as its parameters.

    Returns:
        A decorator that registers a function and returns it unchanged.

    Raises:
        MethodError: When a function is decorated whose name is already a word of another module.

    Examples:
        >>> import mccfr
        >>> @mccfr.recipe()
        ... def external_plus():
        ...     'External sampling with regret matching+.'
        ...     return mccfr.Method(mccfr.samplers.External(), mccfr.minimisers.RMPlus())
        >>> mccfr.Method.parse("external_plus+linear")
        Method.parse('external+rm_plus+linear')
    """

    def add(function: Word) -> Word:
        _refuse_known(function)
        RECIPES[function.__name__] = function
        WORDS.update((policy, function.__name__) for policy in policies)
        return function

    return add


def part(*policies: type) -> Callable[[Word], Word]:
    """Register a word that changes a method, to be added to method strings after a `+`.

    Used as a decorator, on a function that takes a `Method` and the word's parameters and returns another `Method`.
    The function's name becomes the word and its docstring the help.

    Args:
        *policies: Policy classes that are written with this word, their fields as its parameters.

    Returns:
        A decorator that registers a function and returns it unchanged.

    Raises:
        MethodError: When a function is decorated whose name is already a word of another module.

    Examples:
        >>> import dataclasses
        >>> import mccfr
        >>> @mccfr.part()
        ... def cubic(method):
        ...     'Iteration t counts t^3 in the average.'
        ...     return dataclasses.replace(method, averaging=mccfr.averaging.Average(3.0))
        >>> mccfr.Method.parse("cfr_plus+cubic")
        Method.parse('cfr_plus+power(3)')
    """

    def add(function: Word) -> Word:
        _refuse_known(function)
        PARTS[function.__name__] = function
        WORDS.update((policy, function.__name__) for policy in policies)
        return function

    return add


def _refuse_known(function: Callable[..., Method]) -> None:
    known = {**RECIPES, **PARTS}.get(function.__name__)
    if known is not None and known.__module__ != function.__module__:
        raise MethodError(
            f"the word {function.__name__!r} is already defined (by {known.__module__}): choose another name"
        )


def _nearest_word(name: str) -> str:
    """'did you mean ...?', also for what people call our words."""
    words = [*RECIPES, *PARTS]
    told = nearest(name, words)
    if told.startswith("known"):
        spoken = difflib.get_close_matches(name.lower(), ALIASES, n=1, cutoff=0.75)
        told = f"did you mean {ALIASES[spoken[0]]}?" if spoken else f"{told}; mccfr methods explains them"
    return told


def _apply(words: dict[str, Callable[..., Method]], call: Call, noun: str, *before: Method) -> Method:
    if call.name not in words:
        raise MethodError(f"unknown {noun} {quoted(call.name)}; {_nearest_word(call.name)}")
    build = words[call.name]
    if problem := misfit(call, build, *before):
        raise MethodError(problem)
    try:
        return build(*before, *call.args, **call.keys)
    except (MccfrError, KeyboardInterrupt):
        raise
    except BaseException as error:  # values of a type that a word did not think of, and words of a user's own file
        raise MethodError(f"{noun} {shortened(str(call), 2 * QUOTED)} cannot be made: {told(error)}") from error
