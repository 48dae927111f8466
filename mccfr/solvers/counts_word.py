"""The parameters of `counts`, which explores rare actions: read and written the same in public laws and in walks.

`counts(law)` is a policy of vector forms and of public outcome sampling. `outcome(explore=counts)` has it in walks with
one pair of hands, where the law is the player's strategy. [Li et al. 2020, eq. 8 and 9]
"""

from typing import Any

from mccfr.errors import MethodError
from mccfr.grammar import Call, misfit
from mccfr.kernel.samplers import CountedOutcome
from mccfr.solvers.word_values import number, truth

MOST_BETA = 1e6
USUAL = {"gamma": 0.5, "new_first": False, "alpha": 0.0, "beta": -1.0}  # as policies keep them


def checked_counts(gamma: float, new_first: bool, alpha: float | None, beta: float | None) -> dict[str, Any]:
    """The fields of a policy that explores so; alpha and beta change with t where they are not given."""
    return {
        "gamma": number("counts", "gamma", gamma, 0.0, 10.0),
        "new_first": truth("counts", "new_first", new_first),
        "alpha": USUAL["alpha"] if alpha is None else _share("counts", "alpha", alpha),
        "beta": USUAL["beta"] if beta is None else number("counts", "beta", beta, 0.0, MOST_BETA),
    }


def _share(word: str, name: str, value: Any) -> float:
    """A probability that is not 0: the law would no longer explore."""
    share = number(word, name, value, 0.0, 1.0)
    if share == 0.0:
        raise MethodError(f"{word}: {name} must be above 0, or nothing is explored; leave it out for 1 / ln(t + 10)")
    return share


def told_counts(made: Any) -> dict[str, Any]:
    """The parameters that say how a policy explores, without those that are as usual."""
    return {name: getattr(made, name) for name, value in USUAL.items() if getattr(made, name) != value}


def _of_strategy(
    gamma: float = 0.5, new_first: bool = False, alpha: float | None = None, beta: float | None = None
) -> CountedOutcome:
    return CountedOutcome(**checked_counts(gamma, new_first, alpha, beta))


def counted_outcome(explore: Any, others: bool) -> CountedOutcome:
    """The sampler that `explore=counts(...)` stands for."""
    call = Call(explore) if isinstance(explore, str) else explore
    if not isinstance(call, Call) or call.name != "counts":
        raise MethodError(f"outcome: explore must be counts or counts(alpha=..., beta=...), got {explore}")
    if call.args:
        raise MethodError(
            f"outcome: explore={call}: in walks with one pair of hands the law is the player's strategy, and the "
            "parameters are given by name: counts(gamma=, new_first=, alpha=, beta=)"
        )
    if problem := misfit(call, _of_strategy):
        raise MethodError(f"outcome: explore: {problem}")
    return _of_strategy(**call.keys)._replace(others=truth("outcome", "others", others))


def outcome_call(made: CountedOutcome) -> Call:
    """How the sampler is written."""
    keys, others = told_counts(made), {"others": True} if made.others else {}
    return Call("outcome", (), {"explore": Call("counts", (), keys) if keys else "counts", **others})
