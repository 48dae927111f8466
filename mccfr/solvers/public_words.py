"""The words of methods that sample public trees: recipes, and the laws and policies they take as values.

A policy is a word, or a word of a word: `robust(2)`, `was(both)`, `counts(mas)`, `epsilon_greedy(wcs(both), 0.1)`.
"""

import dataclasses
import os
from collections.abc import Callable
from typing import Any

import mccfr.solvers.words  # noqa: F401  those words are listed first
from mccfr.errors import MethodError, nearest, quoted
from mccfr.grammar import Call, misfit
from mccfr.kernel.one_hand import GivenHand, OneHand
from mccfr.kernel.public_laws import (
    MAS,
    MCS,
    RCS,
    WAS,
    WCS,
    ByRegret,
    EpsilonGreedy,
    Explored,
    WASByAverage,
    lay,
    ranged_by_average,
)
from mccfr.kernel.samplers import Everything, Robust, Uniform
from mccfr.solvers.counts_word import checked_counts, told_counts
from mccfr.solvers.method import WRITERS, Method, PublicChance, PublicOutcome, VectorSampling, part, recipe
from mccfr.solvers.word_values import number, truth, whole

STARTS = ("nothing", "values", "walk")  # with the uniform strategy; any other start names a strategy
RANGES = {"own": (True, False), "other": (False, True), "both": (True, True)}
LI_METHODS = {  # [Li et al. 2020, 4.1]; where a draw could miss what matters, it explores
    "external": VectorSampling(Everything(), MCS()),
    "robust": VectorSampling(Robust(1), MCS()),
    "average": VectorSampling(Robust(1), Explored(MAS())),
    "outcome": VectorSampling(Explored(MCS()), MCS()),
    "weighted": VectorSampling(Robust(1), WCS()),
}
NO_PARAMETERS = {"all": Everything, "uniform": Uniform, "mcs": MCS, "mas": MAS, "by_regret": ByRegret}


# ---- policies


def _robust(k: int = 1) -> Robust:
    return Robust(whole("robust", "k", k, 1))


def _rcs(marginal: bool = True) -> RCS:
    return RCS(truth("rcs", "marginal", marginal))


def _wcs(ranges: str = "own", same_hand: bool = False) -> WCS:
    return WCS(*_ranges("wcs", ranges, same_hand))


def _was(ranges: str = "own", by: str = "current", same_hand: bool = False) -> WAS | WASByAverage:
    if not isinstance(by, str) or by not in ("current", "average"):
        raise MethodError(f"was: by must be current or average, got {by!r}")
    return (WASByAverage if by == "average" else WAS)(*_ranges("was", ranges, same_hand))


def _counts(
    law: Any, gamma: float = 0.5, new_first: bool = False, alpha: float | None = None, beta: float | None = None
) -> Explored:
    return Explored(public_law("counts", law), **checked_counts(gamma, new_first, alpha, beta))


def _epsilon_greedy(law: Any, epsilon: float = 0.0) -> EpsilonGreedy:
    inside = public_law("epsilon_greedy", law)
    return EpsilonGreedy(inside, number("epsilon_greedy", "epsilon", epsilon, 0.0, 1.0))


POLICIES: dict[str, Callable[..., Any]] = {
    **NO_PARAMETERS, "robust": _robust, "rcs": _rcs, "wcs": _wcs, "was": _was,
    "counts": _counts, "epsilon_greedy": _epsilon_greedy,
}  # fmt: skip


def _ranges(word: str, ranges: Any, same_hand: Any) -> tuple[bool, bool, bool]:
    if not isinstance(ranges, str) or ranges not in RANGES:
        raise MethodError(f"{word}: ranges must be own, other or both, got {ranges!r}")
    same = truth(word, "same_hand", same_hand)
    if same and ranges == "own":
        raise MethodError(f"{word}: same_hand is about the other player's range: take {word}(other) or {word}(both)")
    return (*RANGES[ranges], same)


def policy(word: str, value: Any) -> Any:
    """The policy a value stands for: a word, a call, or a policy already."""
    if not isinstance(value, str | Call):
        if elects(value) or lay.body(type(value)) is not None:
            return value
        raise MethodError(f"{word} takes a policy ({', '.join(POLICIES)}), got {value!r}")
    call = Call(value) if isinstance(value, str) else value
    if call.name not in POLICIES:
        raise MethodError(f"{word}: unknown policy {call.name!r}; {nearest(call.name, POLICIES)}")
    build = POLICIES[call.name]
    if problem := misfit(call, build):
        raise MethodError(f"{word}: {problem}")
    return build(*call.args, **call.keys)


def elects(value: Any) -> bool:
    """Whether a policy follows a set of actions rather than draw one from a law."""
    return isinstance(value, Everything | Robust)


def public_law(word: str, value: Any) -> Any:
    """A policy that draws one action from a law."""
    made = policy(word, value)
    if elects(made):
        raise MethodError(f"{word}: {tell(made)} is not a law for drawing an action at a public node")
    return made


def tell(made: Any) -> Any:
    """The word or call that makes a policy; a policy of your own as it is."""
    if isinstance(made, Robust):
        return Call("robust", (made.k,)) if made.k > 1 else "robust"
    if isinstance(made, RCS):
        return "rcs" if made.marginal else Call("rcs", (False,))
    if isinstance(made, WCS | WAS | WASByAverage):
        ranges = next(r for r, both in RANGES.items() if both == (made.own, made.other))
        by: dict[str, Any] = {"by": "average"} if isinstance(made, WASByAverage) else {}
        same = {"same_hand": True} if made.same_hand else {}
        return Call("wcs" if isinstance(made, WCS) else "was", (ranges,), by | same)
    if isinstance(made, EpsilonGreedy):
        return Call("epsilon_greedy", (tell(made.inside), *([made.epsilon] if made.epsilon else [])))
    if isinstance(made, Explored):
        return Call("counts", (tell(made.inside),), told_counts(made))
    return next((word for word, kind in NO_PARAMETERS.items() if type(made) is kind), made)


def covers(made: Any, own: bool) -> bool:
    """Whether a policy draws whatever matters: any own action; of the other player's, what some hand might play."""
    if isinstance(made, Everything | Robust | Uniform | Explored | EpsilonGreedy | OneHand):
        return True
    if own or not isinstance(made, MCS | WCS | RCS):
        return False
    return made.marginal if isinstance(made, RCS) else not (isinstance(made, WCS) and made.other)


def _refuse_bias(word: str, role: str, made: Any, own: bool, exhibit: bool) -> None:
    if not exhibit and not covers(made, own):
        raise MethodError(
            f"{word}: {role}={tell(made)} never draws some actions that matter, so it is biased: use "
            f"{role}=counts({tell(made)}) or epsilon_greedy({tell(made)}, 0.1), or exhibit=True to see it fail"
        )


# ---- recipes


@recipe(VectorSampling)
def vector(
    sampling: str = "", own: Any = None, other: Any = None, chance: Any = "uniform", exhibit: bool = False
) -> Method:
    """Sampling of a dealt game in vector form, all hands of both players at once. [Li et al. 2020]

    sampling: external (all own actions), robust, average, outcome (as the paper names them) or weighted; or in its
    place own= and other=, each all, robust(k), uniform, or a law: rcs, mcs, wcs(own|other|both), mas,
    was(own|other|both), by_regret, and these explored as counts(law) or epsilon_greedy(law, epsilon).
    exhibit=True allows laws that are biased because they do not explore. Takes the baselines infoset and static.
    """
    if sampling and (own is not None or other is not None):
        raise MethodError(f"vector: sampling={quoted(sampling)} already sets own and other: give either it or them")
    if not isinstance(sampling, str) or (sampling or "external") not in LI_METHODS:
        raise MethodError(f"vector: sampling must be one of {', '.join(LI_METHODS)}, got {sampling!r}")
    named = LI_METHODS[sampling or "external"]
    made = VectorSampling(
        named.own if own is None else policy("vector: own", own),
        named.other if other is None else policy("vector: other", other),
        policy("vector: chance", chance),
        truth("vector", "exhibit", exhibit),
    )
    if not isinstance(made.chance, Everything | Robust | Uniform):
        raise MethodError(f"vector: chance must be uniform, robust(k) or all, got {tell(made.chance)}")
    _refuse_bias("vector", "own", made.own, True, exhibit)
    _refuse_bias("vector", "other", made.other, False, exhibit)
    return Method(made)


@recipe()
def semi_vector(own: Any = "all", exhibit: bool = False) -> Method:
    """Semi-vector form: one hand of the other player, on policy, against all hands of the walker. [Li et al. 2020]

    own: all, robust(k), outcome, which stands for counts(mcs), or any policy of `vector`.
    """
    made = policy("semi_vector: own", Call("counts", ("mcs",)) if own == "outcome" else own)
    _refuse_bias("semi_vector", "own", made, True, truth("semi_vector", "exhibit", exhibit))
    return Method(VectorSampling(made, OneHand(), GivenHand(), exhibit))


@recipe(PublicOutcome)
def public_outcome(
    epsilon: float = 1.0, alternating: bool = False, start: Any = "nothing", law: Any = None, exhibit: bool = False
) -> Method:
    """Public outcome sampling of a dealt game: one line of public events, all hands at once.

    Actions are drawn uniformly with probability epsilon, else from the mean of all hands' strategies; or by a law of
    `vector` that explores, as counts(was(both)) or epsilon_greedy(by_regret, 0.5).
    alternating: a line for each player instead of one for both. start: the strategy that is played first and whose
    exact values the baselines begin with: `uniform` (or `values`), `call` (check or call), a strategy file or a
    Strategy; or `walk`, a full iteration before that. Predictive baselines are then exact at once.
    [Davis, Schmid, Bowling 2019, 6]
    """
    word = "public_outcome"
    start = _start(word, start)
    if law is not None and epsilon != 1.0:
        raise MethodError(f"{word}: epsilon goes with the mean strategy: write law=epsilon_greedy({law}, {epsilon})")
    share = number(word, "epsilon", epsilon, 0.0, 1.0)
    mean = MCS() if share == 0.0 else Uniform() if share == 1.0 else EpsilonGreedy(MCS(), share)
    made = mean if law is None else public_law(f"{word}: law", law)
    if ranged_by_average(made):
        raise MethodError(f"{word}: was(by=average) is for vector and semi-vector forms: leave by=average out")
    _refuse_bias(word, "law", made, True, truth(word, "exhibit", exhibit))
    return Method(PublicOutcome(made, truth(word, "alternating", alternating), start, exhibit))


def _start(word: str, start: Any) -> Any:
    """Where public outcome sampling starts from. `values` are those of the uniform strategy."""
    if start is None or start == "" or isinstance(start, bool | int | float | list | tuple | dict | Call):
        raise MethodError(
            f"{word}: start must be nothing, uniform, call, walk, a strategy file or a Strategy, got {quoted(start)}"
        )
    start = os.fspath(start) if isinstance(start, os.PathLike) else start
    return "values" if isinstance(start, str) and start == "uniform" else start


# ---- writing


def _vector_call(made: VectorSampling) -> Call:
    exhibit = {"exhibit": True} if made.exhibit else {}
    if isinstance(made.other, OneHand):
        return Call("semi_vector", (), {"own": tell(made.own), **exhibit})
    chance = {} if isinstance(made.chance, Uniform) else {"chance": tell(made.chance)}
    own, other = tell(made.own), tell(made.other)
    for name, known in LI_METHODS.items():
        if (own, other) == (tell(known.own), tell(known.other)):
            return Call("vector", (), {"sampling": name, **chance, **exhibit})
    return Call("vector", (), {"own": own, "other": other, **chance, **exhibit})


def _public_call(made: PublicOutcome) -> Call:
    keys: dict[str, Any] = {"law": tell(made.law)}
    if isinstance(made.law, EpsilonGreedy) and isinstance(made.law.inside, MCS) and made.law.epsilon:
        keys = {"epsilon": made.law.epsilon}
    keys = {} if isinstance(made.law, Uniform) else keys
    for name, usual in (("alternating", False), ("start", "nothing"), ("exhibit", False)):
        keys |= {name: value} if not isinstance(value := getattr(made, name), type(usual)) or value != usual else {}
    return Call("public_outcome", (), keys)


WRITERS[VectorSampling] = _vector_call
WRITERS[PublicOutcome] = _public_call


@recipe(PublicChance)
def public_chance(boards: int = 1) -> Method:
    """Public chance sampling for spots and hold'em: so many boards at every deal, all hands and actions.

    [Johanson et al. 2012]
    """
    return Method(PublicChance(whole("public_chance", "boards", boards, 1)))


@part()
def float64(method: Method) -> Method:
    """Tables of a spot in float64: 24 bytes an entry."""
    return dataclasses.replace(method, tables="float64")


@part()
def float32(method: Method) -> Method:
    """Tables of a spot in float32: 12 bytes an entry, and faster."""
    return dataclasses.replace(method, tables="float32")


@part()
def int16(method: Method) -> Method:
    """Tables of a spot packed into 16 bits: 6 bytes an entry, for spots that would not fit otherwise."""
    return dataclasses.replace(method, tables="int16")
