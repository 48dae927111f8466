"""Bugs in the newer full-width methods, planted as in `test_mutants`: the naive twin notices each."""

import functools
import importlib

import naive
import numpy as np
import pytest
from conftest import flat
from planting import catching, one_each, try_bugs
from test_mutants import Mutant

from mccfr.games.kuhn import Kuhn

pytestmark = pytest.mark.slow  # half a minute each

MUTANTS = {
    "PDCFR+ discounts by t instead of t - 1": Mutant(
        "minimisers:pace(PredictiveDiscounted)",
        "discount(t - 1.0, minimiser.alpha), discount(t, ",
        "discount(t, minimiser.alpha), discount(t, ",
    ),
    "PDCFR+ forecasts with the discount before": Mutant(
        "minimisers:pace(PredictiveDiscounted)", "discount(t, minimiser.alpha)", "discount(t - 1.0, minimiser.alpha)"
    ),
    "PDCFR+ forecasts without a discount": Mutant(
        "minimisers:renew(PredictiveDiscounted)", "max(scales[1] * kept + r, 0.0)", "max(kept + r, 0.0)"
    ),
    "PDCFR+ forecasts nothing": Mutant(
        "minimisers:renew(PredictiveDiscounted)", "max(scales[1] * kept + r, 0.0)", "kept"
    ),
    "PDCFR+ is not clipped": Mutant(
        "minimisers:renew(PredictiveDiscounted)", "max(scales[0] * old + r, 0.0)", "scales[0] * old + r"
    ),
    "SAPCFR+ trusts its forecast wholly": Mutant(
        "minimisers:renew(AsymmetricRMPlus)", "max(kept + scales[0] * r, 0.0)", "max(kept + r, 0.0)"
    ),
    "SAPCFR+ divides its forecast by the asymmetry": Mutant(
        "minimisers:pace(AsymmetricRMPlus)", "1.0 / (1.0 + minimiser.asymmetry)", "1.0 / minimiser.asymmetry"
    ),
    "schedules of regrets never end": Mutant(
        "minimisers:pace(Scheduled)", "min((t - 1.0) / minimiser.iterations, 1.0)", "(t - 1.0) / minimiser.iterations"
    ),
    "schedules of regrets are one ahead": Mutant(
        "minimisers:pace(Scheduled)", "min((t - 1.0) / minimiser.iterations, 1.0)", "min(t / minimiser.iterations, 1.0)"
    ),
    "a schedule swaps alpha and beta": Mutant(
        "minimisers:pace(Scheduled)",
        "1.0 + 3.0 * x), discount(t - 1.0, -1.0 - 2.0 * x)",
        "-1.0 - 2.0 * x), discount(t - 1.0, 1.0 + 3.0 * x)",
    ),
    "schedules of averages never end": Mutant(
        "averaging:fade(ScheduledAverage)",
        "min((t - 1.0) / averaging.iterations, 1.0)",
        "(t - 1.0) / averaging.iterations",
    ),
    "scheduled averages fade by t / (t + 1)": Mutant(
        "averaging:fade(ScheduledAverage)", "((t - 1.0) / t) **", "(t / (t + 1.0)) **"
    ),
    "averages never fade": Mutant("sequence_form:sweep", "        fade_all(averaging, table, t)\n", ""),
    "averages fade for each player": Mutant(
        "sequence_form:sweep",
        "        ascend(actor, second,",
        "        fade_all(averaging, table, t)\n        ascend(actor, second,",
    ),
    "dealt averages never fade": Mutant("vector:vector_sweep", "        fade_all(averaging, table, t)\n", ""),
    "averages restart one late": Mutant(
        "averaging:fade(RestartedAverage)", "== t - 1.0 else 1.0", "== t - 2.0 else 1.0"
    ),
    "averages restart without forgetting": Mutant(
        "averaging:fade(RestartedAverage)", "return 0.0 if last_restart", "return 1.0 if last_restart"
    ),
    "powers go on counting after a restart": Mutant(
        "averaging:importance(RestartedAverage)", "(t - last_restart(averaging.base, t)) **", "t **"
    ),
    "a restart too many: at twice the base": Mutant("averaging:last_restart", "restart *= base", "restart += base"),
}
METHODS = {
    "pdcfr_plus": {"minimiser": naive.predictive_discounted(2.3), "power": 5},
    "sapcfr_plus": {"minimiser": naive.asymmetric_rm_plus(2), "power": 2},
    "hs_dcfr(30, 3)": {"minimiser": naive.scheduled(3), "fade": naive.fading_by(30, 3)},
    "cfr_plus+restarts(2)": {"minimiser": naive.rm_plus, "fade": naive.restarting(1, 2)},
}
ITERATIONS = 5  # the average has restarted after four of them, so that the last one counts 1


def differences(answers):
    """Every comparison with the naive twin that fails, by the package that is importable right now."""
    mccfr = importlib.import_module("mccfr")
    wrong = []
    for tree in (mccfr.compile("kuhn"), mccfr.compile("dealt:kuhn")):
        for method, twin in answers.items():
            state = mccfr.solve(tree, method, iterations=ITERATIONS).state
            ours = np.concatenate((state["regret"], state["current"], state["average"]))
            theirs = np.concatenate([flat(tree.infosets, table) for table in (twin.regrets, twin.current, twin.sums)])
            if not np.allclose(ours, theirs, rtol=1e-12, atol=1e-12):
                wrong.append(f"{method} on {tree}")
    return wrong


caught = catching(__file__, one_each(MUTANTS))


def test_the_package_as_it_is_agrees_with_the_naive_twin(caught):
    assert caught[None] == []


@pytest.mark.parametrize("bug", MUTANTS)
def test_the_naive_twin_notices(caught, bug):
    assert caught[bug]


if __name__ == "__main__":
    twins = {method: naive.cfr(Kuhn(), ITERATIONS, **options) for method, options in METHODS.items()}
    try_bugs(functools.partial(differences, twins))
