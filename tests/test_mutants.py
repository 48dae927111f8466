"""Bugs that the field has really had, planted one at a time into the package: the naive twin notices each.

All are tried in one interpreted process, which is this file run as a program.
"""

import functools
import importlib
from typing import NamedTuple

import naive
import numpy as np
import pytest
from conftest import flat, unflat
from naive_kuhn import Kuhn
from planting import catching, one_each, try_bugs
from random_games import random_game, random_strategy


class Mutant(NamedTuple):
    """Replace the first `old` of a file by `new`."""

    file: str
    old: str
    new: str


pytestmark = pytest.mark.slow
RENEWAL = """        if not simultaneous:
            descend(first, table, plan0)
        ascend(actor, second, table, plan1, plan0, gain1)
        if simultaneous:
"""
LEARNING = """    remember(table, table.current, o, o, k, actor.importance * w)
    absorb(actor.minimiser, rounded, o, k, gain, s, value, 1.0, actor.scales)
"""
MUTANTS = {
    "RM+ is not clipped": Mutant(
        "minimisers:renew(RMPlus)",
        "return max(old + r, 0.0), max(old + r, 0.0)",
        "return old + r, max(old + r, 0.0)",
    ),
    "regret has the wrong sign": Mutant(
        "minimisers:renew(RM)",
        "return old + r, max(old + r, 0.0)",
        "return old - r, max(old - r, 0.0)",
    ),
    "regret without the mean": Mutant("minimisers:renew_each", "w * (v[g + a] - value)", "w * v[g + a]"),
    "RM keeps positive regrets only": Mutant(
        "minimisers:renew(RM)", "return old + r, max(old + r, 0.0)", "return max(old + r, 0.0), max(old + r, 0.0)"
    ),
    "no regret plays nothing instead of everything": Mutant("minimisers:match(otherwise)", "= 1.0 / f64(k)", "= 0.0"),
    "DCFR discounts by t instead of t - 1": Mutant(
        "minimisers:pace(Discounted)",
        "discount(t - 1.0, minimiser.alpha), discount(t - 1.0,",
        "discount(t, minimiser.alpha), discount(t,",
    ),
    "DCFR (after) discounts by t - 1 instead of t": Mutant(
        "minimisers:pace(DiscountedAfter)",
        "discount(t, minimiser.alpha), discount(t,",
        "discount(t - 1.0, minimiser.alpha), discount(t - 1.0,",
    ),
    "DCFR fades negative regrets like positive ones": Mutant(
        "minimisers:renew(Discounted, Scheduled)", "(scales[0] if old > 0.0 else scales[1])", "scales[0]"
    ),
    "DCFR (after) swaps alpha and beta": Mutant(
        "minimisers:renew(DiscountedAfter)", "scales[0] if old + r > 0.0", "scales[0] if old + r < 0.0"
    ),
    "DCFR fades the new regret too": Mutant(
        "minimisers:renew(Discounted, Scheduled)",
        "kept = old * (scales[0] if old > 0.0 else scales[1]) + r",
        "kept = (old + r) * (scales[0] if old > 0.0 else scales[1])",
    ),
    "prediction is dropped": Mutant(
        "minimisers:renew(PredictiveRMPlus)",
        "return kept, max(kept + r, 0.0)",
        "return kept, kept",
    ),
    "prediction is kept in the regrets": Mutant(
        "minimisers:renew(PredictiveRMPlus)",
        "return kept, max(kept + r, 0.0)",
        "return max(kept + r, 0.0), max(kept + r, 0.0)",
    ),
    "skip is off by one": Mutant(
        "averaging:importance(Average, OwnAverage, OptimisticAverage)", "t > averaging.skip", "t >= averaging.skip"
    ),
    "weights begin at 0": Mutant(
        "averaging:importance(Average, OwnAverage, OptimisticAverage)",
        "power_of(t, averaging.power)",
        "power_of(t - 1.0, averaging.power)",
    ),
    "weights are ignored": Mutant(
        "averaging:importance(Average, OwnAverage, OptimisticAverage)", "power_of(t, averaging.power)", "1.0"
    ),
    "the last strategy instead of the average": Mutant(
        "averaging:remember(otherwise)", "table.average[o + a] +=", "table.average[o + a] ="
    ),
    "average of the new instead of the old strategy": Mutant(
        "sequence_form:answer(Learn)", LEARNING, "".join(reversed(LEARNING.splitlines(keepends=True)))
    ),
    "average without the own reach": Mutant(
        "sequence_form:answer(Learn)", "actor.importance * w)", "actor.importance)"
    ),
    "regrets weighted by the own reach": Mutant(
        "sequence_form:answer(Learn)", "gain, s, value, 1.0,", "gain, s, value, w,"
    ),
    "alternating player 1 sees the old strategy": Mutant(
        "sequence_form:sweep", RENEWAL, "        ascend(actor, second, table, plan1, plan0, gain1)\n        if True:\n"
    ),
    "simultaneous player 1 sees the new strategy": Mutant(
        "sequence_form:sweep", RENEWAL, RENEWAL.replace("if not simultaneous", "if True")
    ),
    "player 1's plan is never renewed": Mutant("sequence_form:sweep", "        descend(second, table, plan1)\n", ""),
    "gains are not zeroed": Mutant("sequence_form:ascend", "    gain[:] = 0.0\n", ""),
    "only the last infoset below a sequence counts": Mutant(
        "sequence_form:ascend", "gain[before] +=", "gain[before] ="
    ),
    "terminals overwrite the infosets below": Mutant("sequence_form:ascend", "gain[x] += payoff", "gain[x] = payoff"),
    "the other player's plan is ignored": Mutant(
        "sequence_form:ending",
        "even += side.worth[z] * against[u64(side.other[z])]\n        odd",
        "even += side.worth[z]\n        odd",
    ),
    "the last of an odd number of terminals is lost": Mutant(
        "sequence_form:ending", "    if z < end:\n", "    if z > end:\n"
    ),
    "terminals before the first own move are lost": Mutant(
        "sequence_form:ascend", "gain[U0] + payoff(side, against, U0)", "gain[U0]"
    ),
    "a plan forgets the moves before": Mutant(
        "sequence_form:follow_current", "plan[x] = before * table", "plan[x] = table"
    ),
    "best response takes the worst": Mutant(
        "sequence_form:answer(BestReply)", "gain[s + a] > gain[s + best]", "gain[s + a] < gain[s + best]"
    ),
    "best response takes the last of equals": Mutant(
        "sequence_form:answer(BestReply)", "gain[s + a] > gain[s + best]", "gain[s + a] >= gain[s + best]"
    ),
    "best response answers the mean": Mutant(
        "sequence_form:answer(BestReply)", "return gain[s + best]", "return mean(table, o, k, gain, s) / 2.0"
    ),
}

METHODS = {
    "cfr+skip(2)": {"skip": 2},
    "cfr+simultaneous": {"simultaneous": True},
    "cfr_plus": {"minimiser": naive.rm_plus, "power": 1},
    "dcfr": {"minimiser": naive.discounted(1.5, 0), "power": 2},
    "dcfr(order=after)": {"minimiser": naive.discounted(1.5, 0, "after"), "power": 2},
    "pcfr_plus": {"minimiser": naive.predictive_rm_plus, "power": 2},
}
GAMES = {"kuhn": Kuhn(), "random": random_game(49, 5, most=60)}  # some terminals before a first own move
ITERATIONS = 5


def naive_answers():
    """What the naive twin says: solutions by (game, method), best responses by (game, player)."""
    answers = {}
    for name, game in GAMES.items():
        for method, options in METHODS.items():
            answers[name, method] = naive.cfr(game, ITERATIONS, **options)
        for player in (0, 1):
            answers[name, player] = naive.best_response(game, random_strategy(game, 3), player)
    return answers


def differences(answers):
    """Every comparison with the naive twin that fails, by the package that is importable right now."""
    mccfr = importlib.import_module("mccfr")
    wrong = []
    for name, game in GAMES.items():
        tree = mccfr.compile(game)
        for method in METHODS:
            solver, twin = mccfr.solve(tree, method, iterations=ITERATIONS), answers[name, method]
            ours = np.concatenate((solver.state["regret"], solver.state["current"], solver.state["average"]))
            theirs = np.concatenate([flat(tree.infosets, table) for table in (twin.regrets, twin.current, twin.sums)])
            if not np.allclose(ours, theirs, rtol=1e-12, atol=1e-12):
                wrong.append(f"{method} on {name}")
        given = {k: dict(zip(mccfr.uniform(tree)[k], v)) for k, v in random_strategy(game, 3).items()}
        strategy = importlib.import_module("mccfr.strategy.strategy").strategy_from(tree, given)
        for player in (0, 1):
            value, pure = answers[name, player]
            response = mccfr.best_response(strategy, player)
            played = {k: v for k, v in unflat(tree.infosets, response.strategy.probabilities).items() if k[0] == player}
            if abs(response.value - value) > 1e-12 or played != pure:
                wrong.append(f"best response of player {player} in {name}")
    return wrong


caught = catching(__file__, one_each(MUTANTS))


def test_the_package_as_it_is_agrees_with_the_naive_twin(caught):
    assert caught[None] == []


@pytest.mark.parametrize("bug", MUTANTS)
def test_the_naive_twin_notices(caught, bug):
    assert caught[bug]


if __name__ == "__main__":
    look = functools.partial(differences, naive_answers())
    try_bugs(look)
