"""Bugs of sampled methods that the field has really had, planted into the kernel: the audit notices each.

Each is looked for where it must show, and where it is known to do no harm nothing may be found. All are tried in
one interpreted process, which is this file run as a program.
"""

import functools
import importlib
from typing import NamedTuple

import pytest
from planting import catching, try_bugs
from random_games import random_game

KUHN, UNEVEN = "kuhn", "uneven"  # the second has uneven chance, three actions and hidden moves

ON_POLICY = "    elif kind < CHANCE:\n        a = choose(p, s, k, work.dice)\n"
AVERAGING = "        remember(table, p, s, o, k, weight * w)\n"
VISIT = "    own_visit(averaging, table, p, s, o, k, weight, reach, t)\n"
OWN_INSTEAD = "    if where(averaging) == OTHERS:\n        remember(table, p, s, o, k, weight * w)\n"
DIVIDED = "        w /= q\n        if every:\n            look_ahead"
SEEN_PLAIN, SEEN_PROBE = (
    f"seen.register({name})(lambda estimator, y, q, b: y" for name in ("Plain, PageRule", "Probe")
)
SEEN = "real[g + VALUES + a] = seen("
NATURE = "return below(dice, k) if kind == FAIR else choose(odds, o, k, dice)"
OFF_POLICY = "ratio = probability_of(tree, kind, o, k, p, s, a) * inverse"
CORRECTED = "lambda estimator, y, q, b: b + (y - b) / q"
NOTED = "            note_laws(sampler, total, table, p, s, o, k, real, laws_of(g, work))\n"
COUNTS, EVERYBODY = "outcome(explore=counts)", "outcome(explore=counts, others=True)"
LAST_LAW = "        q = law(sampler, n, table, p[s + a], o + a)\n        total += q\n"
UNSEEN = "lambda estimator, b, h, i, t, method, tree, table, work: b\n"


class Mutant(NamedTuple):
    """Replace the first text by the second in each (file, text, text); shown by some audits, hidden from others."""

    changes: tuple[tuple[str, str, str], ...]
    shows: tuple[str, ...]
    hides: tuple[str, ...] = ()
    game: str = KUHN


MUTANTS = {
    "the opponent's reach is counted twice": Mutant(
        (("walk_steps:through", ON_POLICY, f"{ON_POLICY}        w *= p[s + a]\n"),),
        ("external", "robust(1)+probe", "outcome+history", "average_strategy(0.1, 10, 1.5)+predictive"),
        ("chance", "uniform", "everything"),  # which draw nobody on policy
    ),
    "a law that does not sum to 1": Mutant(
        (("samplers:law(Outcome)", "n + (1.0 - sampler.epsilon) * sigma", "n + sigma"),),
        ("outcome", "outcome+probe", "outcome+infoset"),
        ("robust(1)", "outcome(0)"),
    ),
    "rare actions are drawn more often than is said": Mutant(
        (("counting:rare_probability", "rarity(policy, beta, x) / total", "rarity(policy, beta, x) / (0.8 * total)"),),
        (COUNTS, f"{COUNTS}+probe", f"{EVERYBODY}+history", f"{COUNTS}+infoset"),
        ("outcome", "uniform+history"),
    ),
    "a draw is counted before its probability is read": Mutant(
        (
            (
                "samplers:single",
                LAST_LAW,
                f"{LAST_LAW}    tally(sampler, o + a)\n    q = law(sampler, n, table, p[s + a], o + a)\n",
            ),
        ),
        (COUNTS, f"{EVERYBODY}+history"),
        ("outcome", "uniform+history"),
    ),
    "who explores at the other player's infosets is not weighed for it": Mutant(
        (("walk_steps:through", OFF_POLICY, f"{OFF_POLICY} if draws_others_uniformly(sampler) else 1.0"),),
        (EVERYBODY, f"{EVERYBODY}+history", f"{EVERYBODY}+probe"),
        (COUNTS, "uniform", "uniform+history"),
    ),
    "the average of the wrong player": Mutant(
        (("walk_steps:through", AVERAGING, "        pass\n"), ("walk_steps:choose_own", VISIT, VISIT + OWN_INSTEAD)),
        ("external", "outcome+history", "uniform"),
        ("external+own_average",),
    ),
    "the average forgets the weight": Mutant(
        (("walk_steps", AVERAGING, AVERAGING.replace("weight * w", "weight")),),
        ("outcome", "robust(1)+probe", "chance", "uniform"),
        ("external", "outcome+own_average"),
    ),
    "a baseline is taken away with the wrong sign": Mutant(
        (("walk_steps:back_at_others", "y - guess(estimator, i, e)", "y + guess(estimator, i, e)"),),
        ("external+history", "outcome+static(uniform)", "uniform+infoset"),
        ("external", "outcome+probe", "everything"),
    ),
    "player 1 reads player 0's baseline": Mutant(
        (
            (
                "estimators:guess(Static, History, Predictive)",
                "estimator.table[e] if i == U0 else -estimator.table[e]",
                "estimator.table[e]",
            ),
        ),
        (),
        ("external+history", "outcome+static(uniform)", "uniform+predictive"),  # any baseline will do for the mean
    ),
    "a seen action's baseline is not added": Mutant(
        (("estimators", CORRECTED, CORRECTED.replace("b + (y", "(y")),),
        ("external+history", "outcome+static(uniform)", "robust(1)+predictive"),
        ("external", "outcome"),
    ),
    "an unseen action's baseline is not added": Mutant(
        (("estimators", UNSEEN, UNSEEN.replace(": b", ": 0.0")),),
        ("outcome+history", "robust(1)+infoset", "average_strategy(0.1, 10, 1.5)+predictive"),
        ("external+history", "outcome", "outcome+probe"),
    ),
    "a baseline is learned from what it should predict": Mutant(
        (("walk_steps:next_own", SEEN, f"learn(estimator, i, e, back.y, back.ahead)\n        {SEEN}"),),
        ("outcome+history(0.5)", "robust(1)+infoset(0.5)", "uniform+predictive"),
        ("external+history(0.5)", "outcome+static(uniform)", "outcome"),
    ),
    "a probed value is divided by its inclusion probability": Mutant(
        (("estimators:seen(Probe)", f"{SEEN_PROBE})", f"{SEEN_PROBE} / q)"),),
        ("robust(1)+probe", "outcome+probe", "average_strategy(0.1, 10, 1.5)+probe"),
        ("external+probe", "robust(1)"),
    ),
    "an unseen action is worth nothing to probing": Mutant(
        (("rollouts:unseen(Probe)", "return total / f64(estimator.rollouts)", "return 0.0"),),
        ("robust(1)+probe", "uniform+probe(2)"),
        ("external+probe", "robust(1)"),
    ),
    "a share of probes is not made up for": Mutant(
        (("walk_steps:update", "x = seen(estimator, x, f64(real[laws_of(g, work) + j]), 0.0)", "x *= 1.0"),),
        ("robust(1)+probe(share=0.5)", "outcome+probe(share=0.5)"),
        ("robust(1)+probe(epsilon=0.5)", "robust(1)+probe", "external+probe(share=0.5)"),
    ),
    "a visit is not made up for": Mutant(
        (("estimators:seen(GeneralProbe)", "(1.0 - q) * (1.0 - estimator.share)", "q * (1.0 - estimator.share)"),),
        ("outcome+probe(share=0.5)", "include(0.9, always=bet)+probe(share=0.5)"),
        ("robust(1)+probe(share=0.5)", "outcome+probe(terminals=2)"),  # of one half, the other is one half
    ),
    "an action that was not drawn is taken to be as likely as the one that was": Mutant(
        (("walk_steps:choose_own", NOTED, "            real[laws_of(g, work) : laws_of(g, work) + k] = q\n"),),
        ("outcome+probe(share=0.5)",),
        ("robust(1)+probe(share=0.5)", "opponent_on_policy+probe(share=0.5)", "outcome+probe(epsilon=0.5)"),
    ),
    "a probe off policy is not weighted": Mutant(
        (("rollouts:rollout", "weight *= ratio_of(estimator, f64(p[s + a]), k)", "weight *= 1.0"),),
        ("robust(1)+probe(epsilon=0.5)", "outcome+probe(epsilon=1)"),
        ("robust(1)+probe(share=0.5)", "robust(1)+probe"),
    ),
    "only the last decision of a probe is weighted": Mutant(
        (("rollouts:rollout", "weight *= ratio_of(", "weight = ratio_of("),),
        ("robust(1)+probe(epsilon=0.5)",),
        ("robust(1)+probe(terminals=2)", "robust(1)+probe"),
    ),
    "all terminals of a probe are in the first part": Mutant(
        (("rollouts:unseen(GeneralProbe)", "f64(part), parts, h", "0.0, parts, h"),),
        ("robust(1)+probe(terminals=2)", "outcome+probe(epsilon=0.5, terminals=3)"),
        ("robust(1)+probe(2)", "robust(1)+probe(epsilon=0.5)"),
    ),
    "a rollout stays in its part after the first decision": Mutant(
        (("rollouts:rollout", "            part, parts = 0.0, 1.0\n", ""),),
        ("robust(1)+probe(terminals=2)", "outcome+probe(epsilon=0.5, terminals=3)"),
        ("robust(1)+probe(2)", "robust(1)+probe(epsilon=0.5)"),
    ),
    "terminals are summed": Mutant(
        (("rollouts:unseen(GeneralProbe)", "(f64(estimator.rollouts) * parts)", "f64(estimator.rollouts)"),),
        ("robust(1)+probe(terminals=2)",),
        ("robust(1)+probe(2, epsilon=0.5)",),
    ),
    "regrets weighted by the own reach": Mutant(
        (("walk_steps", DIVIDED, DIVIDED.replace("w /= q", "w *= p[s + a] / q")),),
        ("external", "outcome", "robust(1)+probe", "chance", "everything"),
    ),
    "a value is not divided": Mutant(
        (("estimators:seen(Plain, PageRule)", f"{SEEN_PLAIN} / q)", f"{SEEN_PLAIN})"),),
        ("outcome", "robust(1)", "uniform"),
        ("external", "outcome+history"),
    ),
    "a weight is not divided": Mutant(
        (("walk_steps", DIVIDED, DIVIDED.replace("w /= q", "pass")),),
        ("outcome", "robust(1)+probe", "uniform+history"),
        ("external", "chance"),
    ),
    "only the first of several actions is divided": Mutant(
        (("walk_steps:next_own", "            w /= q\n", ""),),
        ("robust(2)", "average_strategy(0.1, 10, 1.5)+history", "include(0.5, always=c)+probe"),
        ("external", "robust(1)", "outcome+history"),
        UNEVEN,
    ),
    "the weight is not restored between two actions": Mutant(
        (("walk_steps:next_own", "        w = f64(real[g + WEIGHT])\n", "        pass\n"),),
        ("robust(2)", "average_strategy(0.1, 10, 1.5)+history", "chance", "everything"),
        ("external",),
        UNEVEN,
    ),
    "the ratio of an action off policy is dropped": Mutant(
        (("walk_steps:through", OFF_POLICY, "ratio = 1.0"),),
        ("uniform", "uniform+probe", "uniform+history"),
        ("outcome", "opponent_on_policy"),
    ),
    "the ratio of chance is dropped": Mutant(
        (("walk_steps:through", OFF_POLICY, f"{OFF_POLICY} if kind < CHANCE else 1.0"),),
        ("uniform", "uniform+probe", "uniform+predictive"),
        ("outcome", "opponent_on_policy"),
        UNEVEN,
    ),
    "chance is taken to be fair": Mutant(
        (("dealing:nature", NATURE, "return below(dice, k)"),),
        ("external", "outcome+history", "chance"),
        ("uniform", "everything"),
        UNEVEN,
    ),
    "own averages forget how likely they were": Mutant(
        (
            (
                "walk_steps:choose_own",
                "reach *= p[s + a] / q if where(averaging) == OWN else p[s + a]",
                "reach *= p[s + a]",
            ),
        ),
        ("outcome+own_average", "robust(1)+own_average"),
        ("external+own_average", "outcome"),
    ),
    "own averages forget the opponent's choices": Mutant(
        (("walk_steps:through", "reach *= inverse if off else 1.0 / p[s + a]", "reach *= 1.0"),),
        ("external+own_average", "uniform+own_average"),
        ("chance+own_average", "external"),
    ),
}


def untouched(mutants):
    """The package as it is, with all methods that any bug is looked for in: nothing may be found."""
    methods = {game: {} for game in dict.fromkeys(mutant.game for mutant in mutants.values())}
    for mutant in mutants.values():
        methods[mutant.game] |= dict.fromkeys((*mutant.shows, *mutant.hides))
    return {game: Mutant((), (), tuple(names), game) for game, names in methods.items()}


SOUND = untouched(MUTANTS)
NOTICED, HARMLESS = 1e-3, 1e-12


def deviations(mutant):
    """{method: largest difference between a mean and what it must be}, by the package that is importable right now."""
    mccfr = importlib.import_module("mccfr")
    auditing = importlib.import_module("mccfr.auditing.auditor")
    recorders = importlib.import_module("mccfr.kernel.recorded_walks")
    tree = mccfr.compile(random_game(57, 6, most=60) if mutant.game == UNEVEN else mutant.game)
    recorder = recorders.Restless() if mutant.game.startswith("dealt:") else recorders.Recorder()
    found = {}
    for method in (*mutant.shows, *mutant.hides):
        bench = auditing.Bench(tree, mccfr.Method.parse(method), seed=1, warm_up=0, pure=False, recorder=recorder)
        found[method] = float(abs(auditing.enumerate_outcomes(bench).mean - bench.truth).max())
    return found


def try_all(mutants):
    """Print what the audit finds with each bug."""
    try_bugs([functools.partial(deviations, mutant) for mutant in mutants.values()])


def changes_of(mutants):
    """What to plant, by bug."""
    return {name: mutant.changes for name, mutant in mutants.items()}


found = catching(__file__, changes_of({**SOUND, **MUTANTS}))


@pytest.mark.parametrize("game", SOUND)
def test_the_package_as_it_is_passes(found, game):
    assert {method: d for method, d in found[game].items() if not d < HARMLESS} == {}


@pytest.mark.parametrize("bug", MUTANTS)
def test_the_audit_notices(found, bug):
    assert {method for method, d in found[bug].items() if not d < NOTICED} == set(MUTANTS[bug].shows)


@pytest.mark.parametrize("bug", MUTANTS)
def test_the_audit_finds_nothing_where_a_bug_does_no_harm(found, bug):
    assert {method for method, d in found[bug].items() if d < HARMLESS} == set(MUTANTS[bug].hides)


if __name__ == "__main__":
    try_all({**SOUND, **MUTANTS})
