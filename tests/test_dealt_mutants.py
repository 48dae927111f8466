"""Bugs of sampling on public trees, planted into the kernel: the audit notices each.

As in `test_walk_mutants`, with a minimiser that changes strategies as soon as it may: this file is also the program
that tries them.
"""

import pytest
from planting import catching
from test_walk_mutants import HARMLESS, NOTICED, Mutant, changes_of, try_all, untouched

KUHN, CARDS = "dealt:kuhn", "dealt:gp(2,2,1,1)"  # the second has a public card
CHANCE = "a, q = below(work.dice, k), 1.0 / f64(k)"
REMEMBER = "        remember(table, table.current, row, row, k, weight * w * work.reach[reach + m])\n"
ABSORB = "        absorb(minimiser, table, row, k, work.row, U0, value, w, scales)\n"
CORRECTION = "            work.value[view * pairs + p] = seen(estimator, y, q, prior(estimator, e, h0, h1, work))\n"
NOTE = "            update_pair(estimator, e * pairs + p, y, work.ahead[p], rate)\n"
RATIO = "reach[here + hand] * (probability(table, o + j * k, k, a) * share)"
OTHERS = "            if other != a:\n"
AT_CHANCE = "            if corrects(estimator):\n                add_others("

EXPECT = "    expect(estimator, i, e, work.reach, here if own else here + work.hands, tree, work)\n"
LEARN = "    learn_hands(estimator, i, e, tree, work)\n"

MUTANTS = {
    "the ratio of each hand is forgotten": Mutant(
        (("vector:pass_on", RATIO, "reach[here + hand]"),),
        ("vector(robust)", "vector(external)", "vector(own=robust, other=uniform)"),
        ("semi_vector", "public_outcome"),  # a hand that was drawn plays its own strategy: its ratio is 1
        KUHN,
    ),
    "a hand's strategy is not divided by the public law": Mutant(
        (("vector:enter", "k, 1.0 / q, work.reach", "k, 1.0, work.reach"),),
        ("vector(robust)", "vector(external)", "semi_vector"),
        ("vector(own=robust, other=all)",),
        KUHN,
    ),
    "own values are not divided": Mutant(
        (("vector:gather", "= work.out[x] / q", "= work.out[x]"),),
        ("vector(robust)", "vector(outcome)", "semi_vector(robust)"),
        ("vector(external)", "semi_vector"),
        KUHN,
    ),
    "the weight of own draws is forgotten": Mutant(
        (("public_samplers:carry(Sampling)", "work.weight[d] / q if own else work.weight[d]", "work.weight[d]"),),
        ("vector(robust)", "vector(outcome)", "semi_vector(robust)"),
        ("vector(external)", "semi_vector"),
        KUHN,
    ),
    "averages forget the weight of own draws": Mutant(
        (("vector:attend(LearnSampled)", "actor.importance * work.weight[d]", "actor.importance"),),
        ("vector(robust)", "vector(average)", "semi_vector(robust)"),
        ("vector(external)", "semi_vector"),
        KUHN,
    ),
    "own averages of hands forget what was drawn": Mutant(
        (("public_samplers:extend_line(Sampling)", "work.line[d] / odds", "work.line[d]"),),
        ("vector(robust)+own_average", "semi_vector+own_average"),
        ("vector(own=all, other=all)+own_average", "vector(robust)"),
        KUHN,
    ),
    "own averages divide by the law of one hand's events": Mutant(
        (
            (
                "public_samplers:extend_line(Sampling)",
                "event_odds(sampling.chance, q, h, a, tree, work) if kind == CHANCE else q",
                "q",
            ),
        ),
        ("semi_vector+own_average",),
        ("vector(robust)+own_average", "semi_vector"),
        CARDS,
    ),
    "own averages count the other player's reach": Mutant(
        (("vector:attend(LearnSampled)", "work.line[d], work.own,", "work.line[d], work.reach,"),),
        ("vector(robust)+own_average",),
        ("vector(robust)",),
        KUHN,
    ),
    "the hand that was drawn counts as if it were certain": Mutant(
        (("one_hand:seat(OneHand)", "= 1.0 / policy.hand_probability[holder * work.hands + g]", "= 1.0"),),
        ("semi_vector", "semi_vector(robust)"),
        ("vector(robust)",),
        KUHN,
    ),
    "a public card is not divided by its probability": Mutant(
        (("vector:enter", "share = 1.0 if kind == i else q", "share = 1.0"),),
        ("vector(robust)", "semi_vector(robust)"),
        ("public_outcome",),
        CARDS,
    ),
    "a public card is weighed by the law of a single history": Mutant(
        (("vector:enter", "share = 1.0 if kind == i else q", "share = 1.0 if kind == i else 1.0 / (f64(k) - 2.0)"),),
        ("vector(robust)", "semi_vector(robust)"),
        ("public_outcome",),
        CARDS,
    ),
    "a public card is drawn by the law of a single history": Mutant(
        (("public_line:follow", CHANCE, "a, q = below(work.dice, k - U2), 1.0 / (f64(k) - 2.0)"),),
        ("public_outcome", "public_outcome(0.5)+history", "public_outcome+predictive"),
        ("vector(robust)",),
        CARDS,
    ),
    "a public card of a line is weighed by the law of a single history": Mutant(
        (("public_line:follow", CHANCE, "a, q = below(work.dice, k), 1.0 / (f64(k) - 2.0)"),),
        ("public_outcome", "public_outcome+infoset", "public_outcome(alternating=True)+history"),
        ("vector(robust)",),
        CARDS,
    ),
    "the average has the updated strategy": Mutant(
        (("public_line:improve", REMEMBER + ABSORB, ABSORB + REMEMBER),),
        ("public_outcome", "public_outcome(alternating=True)+history"),
        ("vector(robust)",),
        KUHN,
    ),
    "values have the updated strategy": Mutant(
        (
            (
                "public_line:improve",
                "        value = 0.0\n",
                f"{ABSORB.replace(' w,', ' 0.0,').replace('value', '0.0')}        value = 0.0\n",
            ),
        ),
        ("public_outcome", "public_outcome+predictive"),
        ("vector(robust)",),
        KUHN,
    ),
    "regrets forget how likely the line was": Mutant(
        (("public_line", ABSORB, ABSORB.replace(" w,", " 1.0,")),),
        ("public_outcome", "public_outcome(0.5)+predictive"),
        ("vector(robust)",),
        KUHN,
    ),
    "averages forget how likely the line was": Mutant(
        (("public_line", REMEMBER, REMEMBER.replace("weight * w *", "weight *")),),
        ("public_outcome", "public_outcome(0.5)+predictive"),
        ("vector(robust)",),
        KUHN,
    ),
    "averages by the other player's reach": Mutant(
        (
            (
                "public_line:improve",
                "reach = ((d << U1) + mover) * work.hands\n    for",
                "reach = ((d << U1) + U1 - mover) * work.hands\n    for",
            ),
        ),
        ("public_outcome", "public_outcome+infoset"),
        ("vector(robust)",),
        KUHN,
    ),
    "player 1 minds player 0's gains": Mutant(
        (("public_line:improve", "work.row[a] = v if mover == U0 else -v", "work.row[a] = v"),),
        ("public_outcome", "public_outcome(alternating=True)+static(uniform)"),
        ("vector(robust)",),
        KUHN,
    ),
    "the baselines of other actions are left out": Mutant(
        (("public_line:mix", OTHERS, "            if other == k:\n"),),
        ("public_outcome+static(uniform)", "public_outcome+history", "public_outcome+infoset"),
        ("public_outcome",),
        KUHN,
    ),
    "the baselines of other cards are left out": Mutant(
        (("public_line", AT_CHANCE, AT_CHANCE.replace("corrects(estimator)", "False")),),
        ("public_outcome+history", "public_outcome+infoset", "public_outcome+predictive"),
        ("public_outcome",),
        CARDS,
    ),
    "a baseline of hands is not taken away": Mutant(
        (("pair_baselines:seen(HandBaseline)", "b + (y - b) / q", "b + y / q"),),
        ("public_outcome+infoset", "public_outcome(alternating=True)+infoset(0.5)"),
        ("public_outcome+history", "public_outcome"),
        KUHN,
    ),
    "a baseline is learned from what it should predict": Mutant(
        (("public_line:correct", CORRECTION + NOTE, NOTE + CORRECTION),),
        ("public_outcome+history(0.5)", "public_outcome+predictive"),
        ("public_outcome+static(uniform)", "public_outcome+infoset", "public_outcome"),
        KUHN,
    ),
    "a pair reads the baseline of another": Mutant(
        (
            (
                "pair_baselines:prior(otherwise)",
                "(e * work.first + h0) * work.second + h1)",
                "(e * work.first + h0) * work.second)",
            ),
        ),
        ("public_outcome+history",),  # which has just been learned
        ("public_outcome+static(uniform)", "public_outcome+infoset"),  # any fixed baseline will do for the mean
        KUHN,
    ),
    "what was expected of a drawn action is not taken away": Mutant(
        (("vector_baselines:correct(Static, HandBaseline)", "work.out[x] - work.expected[x]", "work.out[x]"),),
        ("vector(robust)+infoset", "vector(external)+static(uniform)", "semi_vector+infoset"),
        ("vector(robust)", "vector(own=robust, other=all)+infoset"),
        KUHN,
    ),
    "a followed own action forgets what was expected": Mutant(
        (
            (
                "vector_baselines:correct(Static, HandBaseline)",
                "seen(estimator, work.out[x], q, work.values[at])",
                "seen(estimator, work.out[x], q, 0.0)",
            ),
        ),
        ("vector(robust)+infoset", "vector(own=robust, other=all)+static(uniform)", "semi_vector(robust)+infoset"),
        ("vector(robust)", "vector(external)+infoset"),
        KUHN,
    ),
    "vectors learn a baseline from what it should predict": Mutant(
        (("vector_baselines:correct(Static, HandBaseline)", EXPECT, EXPECT + LEARN + EXPECT),),
        ("vector(robust)+infoset(0.5)", "vector(external)+infoset(0.5)", "semi_vector+infoset(0.5)"),
        ("vector(own=robust, other=all)+infoset(0.5)", "vector(robust)+static(uniform)"),  # own ones are read before
        KUHN,
    ),
    "what others may do is weighed as if they had not chosen": Mutant(
        (("vector:suppose(Static, HandBaseline)", "below if kind == U1 - i else here", "here"),),
        ("vector(robust)+infoset", "vector(external)+static(uniform)", "semi_vector+infoset"),
        ("vector(own=robust, other=all)+infoset", "vector(robust)"),
        KUHN,
    ),
    "an expected public event is not divided by its probability": Mutant(
        (("vector_baselines:correct(Static, HandBaseline)", "here if own else here + work.hands", "here"),),
        ("vector(own=all, other=all)+infoset", "vector(robust)+static(uniform)"),
        ("vector(own=robust(2), other=all, chance=all)+infoset", "vector(robust)"),  # which follows everything here
        CARDS,
    ),
}
SOUND = untouched(MUTANTS)


found = catching(__file__, changes_of({**SOUND, **MUTANTS}))


@pytest.mark.slow
@pytest.mark.parametrize("game", SOUND)
def test_the_package_as_it_is_passes(found, game):
    assert {method: d for method, d in found[game].items() if not d < HARMLESS} == {}


@pytest.mark.slow
@pytest.mark.parametrize("bug", MUTANTS)
def test_the_audit_notices(found, bug):
    assert {method for method, d in found[bug].items() if not d < NOTICED} == set(MUTANTS[bug].shows)


@pytest.mark.slow
@pytest.mark.parametrize("bug", MUTANTS)
def test_the_audit_finds_nothing_where_a_bug_does_no_harm(found, bug):
    assert {method for method, d in found[bug].items() if d < HARMLESS} == set(MUTANTS[bug].hides)


if __name__ == "__main__":
    try_all({**SOUND, **MUTANTS})
