"""Methods: an algorithm as a typed value composed of parts, and the string that writes it.

cfr_plus                    a recipe: full-width sweeps, RM+, linear averaging
dcfr(1.5, 0, 2)             a recipe with parameters
cfr+rm_plus+quadratic       a recipe and the parts to change in it
"""

import dataclasses
import inspect
import math
from collections.abc import Callable
from typing import Any, NamedTuple

from mccfr.errors import MethodError, nearest
from mccfr.grammar import Call, GrammarError, parse_sum
from mccfr.kernel.averaging import Average
from mccfr.kernel.minimisers import RM, Discounted, DiscountedAfter, PredictiveRMPlus, RMPlus

Minimiser = RM | RMPlus | Discounted | DiscountedAfter | PredictiveRMPlus


class LinearProgramme(NamedTuple):
    """Solve the game exactly as a linear programme. [Koller, Megiddo, von Stengel 1996]"""


class FullWidth(NamedTuple):
    """Visit everything in every iteration, on the sequence form. [Zinkevich et al. 2007]

    `simultaneous`: both players answer the last strategies; otherwise player 1 answers player 0's new one.
    """

    simultaneous: bool = False


@dataclasses.dataclass(frozen=True, eq=False)
class Method:
    """Which algorithm. Methods that are written the same are equal; `str` gives the string that rebuilds one."""

    sampler: LinearProgramme | FullWidth = FullWidth()
    minimiser: Minimiser = RM()
    averaging: Average = Average()

    def __str__(self) -> str:
        if isinstance(self.sampler, LinearProgramme):
            return "lp"
        words, described = _nearest_recipe(self)
        words += _averaging_words(self.averaging, described.averaging)
        words += ["simultaneous"] if self.sampler.simultaneous else []
        return "+".join(words)

    def __eq__(self, other: object) -> bool:  # by string: NamedTuples of different types can be equal as tuples
        return str(self) == str(other) if isinstance(other, Method) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    @classmethod
    def parse(cls, text: "str | Method") -> "Method":
        """The method a string stands for."""
        if isinstance(text, Method):
            return text
        if not isinstance(text, str):
            raise MethodError(f"a method is a string or a Method, not {text!r}")
        try:
            head, *parts = parse_sum(text)
        except GrammarError as error:
            raise MethodError(f"method: {error}") from None
        if head.name in PARTS:
            raise MethodError(f"method {text!r} must begin with a recipe ({', '.join(RECIPES)}), not with {head.name}")
        method = _apply(RECIPES, head, "method")
        for part in parts:
            if part.name in RECIPES:
                raise MethodError(f"method {text!r} has two recipes: {head.name} and {part.name}")
            if isinstance(method.sampler, LinearProgramme):
                raise MethodError(f"method {text!r}: lp takes no parts, it is exact")
            method = _apply(PARTS, part, "method part", method)
        return method


def _apply(words: dict[str, Callable[..., Method]], call: Call, noun: str, *before: Method) -> Method:
    if call.name not in words:
        raise MethodError(f"unknown {noun} {call.name!r}; {nearest(call.name, [*RECIPES, *PARTS])}")
    build = words[call.name]
    signature = inspect.signature(build)
    try:
        signature.bind(*before, *call.args, **call.keys)
    except TypeError as error:
        takes = ", ".join(str(p) for p in list(signature.parameters.values())[len(before) :])
        raise MethodError(f"{call}: {error}; {call.name} takes ({_plain(takes)})") from None
    return build(*before, *call.args, **call.keys)


def _plain(parameters: str) -> str:
    return parameters.replace(": float", "").replace(": int", "").replace(": str", "").replace(" = ", "=")


def _number(part: str, name: str, value: Any, low: float = -math.inf, high: float = math.inf) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value) or not low <= value <= high:
        bounds = f" from {low:g} to {high:g}" if low > -math.inf or high < math.inf else ""
        raise MethodError(f"{part}: {name} must be a number{bounds}, got {value!r}")
    return float(value)


def lp() -> Method:
    """Exact, by linear programming; the right choice while the game is small."""
    return Method(LinearProgramme())


def cfr() -> Method:
    """Counterfactual regret minimisation, alternating, uniform average. [Zinkevich et al. 2007]"""
    return Method()


def cfr_plus() -> Method:
    """CFR+: regret matching+ and linear averaging. [Tammelin 2014]"""
    return Method(minimiser=RMPlus(), averaging=Average(1.0))


def lcfr() -> Method:
    """Linear CFR: iteration t counts t, in regrets and in the average. [Brown and Sandholm 2019]"""
    return dcfr(1.0, 1.0, 1.0)


def dcfr(alpha: float = 1.5, beta: float = 0.0, gamma: float = 2.0, order: str = "before") -> Method:
    """Discounted CFR; order `after` scales after adding, as OpenSpiel does. [Brown and Sandholm 2019]"""
    return Method(minimiser=_discounted("dcfr", alpha, beta, order), averaging=_average("dcfr", "gamma", gamma))


def pcfr_plus() -> Method:
    """Predictive CFR+ with quadratic averaging. [Farina, Kroer, Sandholm 2021]"""
    return Method(minimiser=PredictiveRMPlus(), averaging=Average(2.0))


def _discounted(part: str, alpha: float, beta: float, order: str) -> Discounted | DiscountedAfter:
    if order not in ("before", "after"):
        raise MethodError(f"{part}: order must be before or after, got {order!r}")
    made = Discounted if order == "before" else DiscountedAfter
    return made(_number(part, "alpha", alpha), _number(part, "beta", beta))


def _average(part: str, name: str, power: float, skip: int = 0) -> Average:
    if isinstance(skip, bool) or not isinstance(skip, int) or skip < 0:
        raise MethodError(f"{part}: skip must be a whole number from 0, got {skip!r}")
    return Average(_number(part, name, power, 0.0, 20.0), skip)


def _with_minimiser(minimiser: Minimiser, what: str) -> Callable[[Method], Method]:
    def part(method: Method) -> Method:
        return dataclasses.replace(method, minimiser=minimiser)

    part.__doc__ = what
    return part


def _with_power(power: float, what: str) -> Callable[[Method], Method]:
    def part(method: Method) -> Method:
        return dataclasses.replace(method, averaging=method.averaging._replace(power=power))

    part.__doc__ = what
    return part


def discounted(method: Method, alpha: float = 1.5, beta: float = 0.0, order: str = "before") -> Method:
    """Discounted regrets: positive ones by t^alpha, negative ones by t^beta."""
    return dataclasses.replace(method, minimiser=_discounted("discounted", alpha, beta, order))


def power(method: Method, weight: float) -> Method:
    """Iteration t counts t^weight in the average."""
    return dataclasses.replace(method, averaging=_average("power", "weight", weight, method.averaging.skip))


def skip(method: Method, iterations: int) -> Method:
    """Leave the first iterations out of the average. [Li et al. 2020]"""
    return dataclasses.replace(method, averaging=_average("skip", "weight", method.averaging.power, iterations))


def simultaneous(method: Method) -> Method:
    """Both players answer the strategies of the last iteration."""
    return dataclasses.replace(method, sampler=FullWidth(True))


def alternating(method: Method) -> Method:
    """Player 1 answers player 0's new strategy (the default)."""
    return dataclasses.replace(method, sampler=FullWidth(False))


RECIPES: dict[str, Callable[..., Method]] = {f.__name__: f for f in (lp, cfr, cfr_plus, lcfr, dcfr, pcfr_plus)}

PARTS: dict[str, Callable[..., Method]] = {
    "rm": _with_minimiser(RM(), "Regret matching."),
    "rm_plus": _with_minimiser(RMPlus(), "Regret matching+: regrets never fall below 0."),
    "prm_plus": _with_minimiser(PredictiveRMPlus(), "Predictive regret matching+."),
    "discounted": discounted,
    "constant": _with_power(0.0, "Every iteration counts the same in the average."),
    "linear": _with_power(1.0, "Iteration t counts t in the average."),
    "quadratic": _with_power(2.0, "Iteration t counts t^2 in the average."),
    "power": power,
    "skip": skip,
    "simultaneous": simultaneous,
    "alternating": alternating,
}


def _nearest_recipe(method: Method) -> tuple[list[str], Method]:
    """The recipe with this minimiser, to write the rest as changes of. Every minimiser has one."""
    m = method.minimiser
    if isinstance(m, Discounted | DiscountedAfter):
        if type(m) is Discounted and m == (1.0, 1.0) and method.averaging.power == 1.0:
            return ["lcfr"], lcfr()
        keys = {"order": "after"} if isinstance(m, DiscountedAfter) else {}
        gamma = method.averaging.power
        return [str(Call("dcfr", (m.alpha, m.beta, gamma), keys))], Method(minimiser=m, averaging=Average(gamma))
    name = {RM: "cfr", RMPlus: "cfr_plus", PredictiveRMPlus: "pcfr_plus"}[type(m)]
    return [name], RECIPES[name]()


def _averaging_words(averaging: Average, described: Average) -> list[str]:
    names = {0.0: "constant", 1.0: "linear", 2.0: "quadratic"}
    words = []
    if averaging.power != described.power:
        words.append(names.get(averaging.power) or str(Call("power", (averaging.power,))))
    return words + ([str(Call("skip", (averaging.skip,)))] if averaging.skip else [])
