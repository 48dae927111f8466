"""`mccfr.audit`: is every estimate right on average, how much does it vary, and what does it cost?"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mccfr.auditing.bench import Bench
from mccfr.auditing.enumeration import MOST_OUTCOMES, Moments, TooManyOutcomes, enumerate_outcomes
from mccfr.auditing.exhibits import DEALT_EXHIBITS, EXHIBITS
from mccfr.auditing.report import AuditReport, AuditRow
from mccfr.auditing.sampled import score_batches
from mccfr.errors import MethodError, TreeError, quoted
from mccfr.kernel.estimators import Plain, weighs_opponent_again
from mccfr.solvers.method import PARTS, RECIPES, Method
from mccfr.solvers.prepare import compile as compile_game
from mccfr.solvers.public_words import LI_METHODS
from mccfr.solvers.word_values import whole

if TYPE_CHECKING:
    from mccfr.games.base import Game
    from mccfr.tree.tree import Tree

Floats = npt.NDArray[np.float64]
TOLERANCE = 1e-9  # of exact means, in the bench's units: rounding stays below 1e-12
ITERATIONS = 400_000  # of a z-test
UNSOUND = ("mas", "was(own)", "was(both)", "wcs(other)", "wcs(both)", "by_regret")  # laws that need to explore
TELLING = {  # parameters that say more than the defaults in a short audit, or fit more games
    "average_strategy": "average_strategy(0.1, 10, 1.5)",
    "static": "static(uniform)",
}


def audit(
    game: "str | Game | Tree",
    methods: str | Method | Iterable[str | Method] | None = None,
    seed: int = 0,
    exact: bool | None = None,
    iterations: int = ITERATIONS,
    warm_up: int | None = None,
    pure: bool = True,
    watch: Callable[[str], None] | None = None,
) -> AuditReport:
    """Audit methods on a game: whether they are unbiased, how much they vary and what their accuracy costs.

    A random strategy is frozen. What one iteration adds to every regret and every average, and its estimate of the
    game's value, are then compared with exact numbers: over all outcomes of the random choices where these can be
    enumerated, and otherwise by a z-test.

    Args:
        game: A game string, a `Game`, or a `Tree`, with two players.
        methods: A method or several. By default every sampler with every estimator, and some exhibits that are
            meant to be biased.
        seed: Seed of the frozen strategy and of the walks.
        exact: True insists on enumeration, False on a z-test. By default outcomes are enumerated where they are few
            enough.
        iterations: How many iterations a z-test takes.
        warm_up: Iterations beforehand, in which baselines and averages are learned. By default 300, or 100,000 if the
            game has more than 1000 nodes. 0 fills them with random numbers.
        pure: Whether some infosets of the frozen strategy play a single action only.
        watch: Called with the name of each method before it is audited.

    Returns:
        A report with a row for each method; printing it shows a table.

    Raises:
        MethodError: If a method or another argument is wrong, or `exact=True` and there are too many outcomes.
        TreeError: If the game does not have two players.

    Examples:
        >>> import mccfr
        >>> report = mccfr.audit("kuhn", ["external", "external+page_rule"])
        >>> for row in report.rows:
        ...     print(row.method, row.unbiased, row.biased)
        external True ()
        external+page_rule False ('regrets', 'averages')
    """
    if methods is not None and not isinstance(methods, str | Method | Iterable):
        raise MethodError(f"audit takes a method, several of them or None, got {quoted(methods)}")
    given = [methods] if isinstance(methods, str | Method) else None if methods is None else list(methods)
    for method in given or ():
        Method.parse(method)  # a typo costs no time
    seed, iterations = whole("audit", "seed", seed, 0), whole("audit", "iterations", iterations, 1)
    warm_up = None if warm_up is None else whole("audit", "warm_up", warm_up, 0)
    tree = compile_game(game)
    if tree.players != 2:
        raise TreeError(f"{tree.game} has {tree.players} players: walks take two-player games only")
    rows = []
    for method in (all_methods() if tree.public is None else dealt_methods()) if given is None else given:
        if watch is not None:
            watch(Method.spelled(method))
        rows.append(
            _row(Method.spelled(method), Bench(tree, Method.parse(method), seed, warm_up, pure), exact, iterations)
        )
    return AuditReport(tree.game, seed, tuple(rows))


def all_methods() -> list[str]:
    """Every sampler with every estimator, own averages with every sampler, and the exhibits."""
    samplers, pairs = _samplers(), [sampler + estimator for sampler in _samplers() for estimator in _estimators()]
    return [*filter(_sampled, pairs), *(f"{sampler}+own_average" for sampler in samplers), *EXHIBITS]


def dealt_methods() -> list[str]:
    """Of a dealt game: samplers of single hands, vector forms, public outcome sampling with baselines, the exhibits."""
    lines = ("public_outcome", "public_outcome(0.5)", "public_outcome(alternating=True)")
    baselines = ("", "+static(uniform)", "+history", "+infoset", "+predictive")
    return [
        *_samplers(),
        *(f"outcome{estimator}" for estimator in _estimators() if estimator),
        *(f"vector({name})" for name in LI_METHODS),
        *(f"vector(own=robust, other={law})" for law in ("rcs", *(f"counts({law})" for law in UNSOUND[1:]))),
        *(f"semi_vector({own})" for own in ("all", "robust", "outcome")),
        *(line + baseline for line in lines for baseline in baselines),
        *(f"public_outcome(start={start})+predictive" for start in ("values", "walk", "call")),
        *(f"public_outcome(law=counts({law}))+predictive" for law in UNSOUND),
        *EXHIBITS,
        *DEALT_EXHIBITS,
    ]


def _samplers() -> list[str]:
    return [TELLING.get(word, word) for word in RECIPES if _sampled(word)]


def _estimators() -> list[str]:
    """As they are added to a sampler; the plain one first."""
    words = [word for word in PARTS if _sampled(f"external+{word}") and _estimates(word)]
    return ["", *(f"+{TELLING.get(word, word)}" for word in words)]


def _sampled(method: str) -> bool:
    """Whether it is a method, and one that samples written-out trees."""
    try:
        parsed = Method.parse(method)
        return parsed.samples and not parsed.public
    except MethodError:
        return False


def _estimates(part: str) -> bool:
    estimator = Method.parse(f"external+{part}").estimator
    return type(estimator) is not Plain and not weighs_opponent_again(estimator)


def _row(name: str, bench: Bench, exact: bool | None, iterations: int) -> AuditRow:
    if exact is not False:
        try:
            return _enumerated(name, bench)
        except TooManyOutcomes:
            if exact:
                raise MethodError(
                    f"audit: {name} has more than {MOST_OUTCOMES:,} outcomes on {bench.tree.game}; use --sampled"
                ) from None
    return _scored(name, bench, iterations)


def _enumerated(name: str, bench: Bench) -> AuditRow:
    moments = enumerate_outcomes(bench)
    off = np.abs(moments.mean - bench.truth)
    wrong = ~(off <= TOLERANCE * np.maximum(bench.units, np.abs(bench.truth)))  # nan is wrong too
    assert moments.fourth is not None
    return _found(name, bench, moments, wrong, off, off, fourth=float(moments.fourth[: bench.entries].mean()))


def _scored(name: str, bench: Bench, iterations: int) -> AuditRow:
    scores, wrong = score_batches(bench, iterations)
    off = np.where(np.isnan(scores.z), np.nan, np.abs(scores.moments.mean - bench.truth))
    return _found(name, bench, scores.moments, wrong, off, np.abs(scores.z), z=float(np.nanmax(np.abs(scores.z))))


def _found(
    name: str,
    bench: Bench,
    moments: Moments,
    wrong: npt.NDArray[np.bool_],
    off: Floats,
    badness: Floats,
    z: float | None = None,
    fourth: float | None = None,
) -> AuditRow:
    """off: how far means are from what they must be; badness: by which the worst is chosen, nan where untested."""
    variances, untested = moments.variance[: bench.entries], int(np.isnan(off).sum()) if fourth is None else 0
    worst = int(np.argmax(np.where(wrong == wrong.any(), np.nan_to_num(badness, nan=-1.0), -1.0)))
    return AuditRow(
        name, fourth is not None, moments.samples, _which(wrong, bench.entries), float(np.nanmax(off)),
        bench.place(worst), z, len(off) - untested, untested, float(variances.mean()), fourth, moments.nodes,
        name in EXHIBITS or getattr(bench.method.sampler, "exhibit", False), variances,
    )  # fmt: skip


def _which(wrong: npt.NDArray[np.bool_], entries: int) -> tuple[str, ...]:
    parts = {"regrets": wrong[:entries], "averages": wrong[entries : 2 * entries], "values": wrong[2 * entries :]}
    return tuple(name for name, part in parts.items() if part.any())
