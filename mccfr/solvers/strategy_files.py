"""The strategy files that a method reads: a page, and a run from elsewhere, may not name just any."""

from mccfr.kernel.estimators import Static
from mccfr.solvers.method import Method, PublicOutcome
from mccfr.solvers.public_words import STARTS

WORDS = {"static": ("call", "uniform"), "start": (*STARTS, "call")}  # what is no file there


def strategy_files(method: Method) -> list[str]:
    """Of its static baseline and of its start; strategies that are at hand are no files."""
    named = {
        "static": method.estimator.strategy if isinstance(method.estimator, Static) else None,
        "start": method.sampler.start if isinstance(method.sampler, PublicOutcome) else None,
    }
    return [given for role, given in named.items() if isinstance(given, str) and given not in WORDS[role]]
