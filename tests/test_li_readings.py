"""Other readings of Li et al. 2020: averages at the walker's own nodes, and what laws of averages know."""

import functools
import math
import re
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from docs_programs import program

import mccfr
from mccfr.auditing.bench import Bench
from mccfr.auditing.enumeration import enumerate_outcomes
from mccfr.errors import MethodError
from mccfr.jobs.statistics import ratio
from mccfr.kernel.iterations import run_walks, take_turn
from mccfr.kernel.layout import CHANCE, TERMINAL
from mccfr.kernel.recorded_walks import Restless
from mccfr.papers.catalogue import FIGURES
from mccfr.papers.figure import Done, Scale
from mccfr.solvers import engines
from mccfr.solvers.choose_engine import engine_for

CARDS, RANKS = "dealt:gp(2,2,1,1)", "dealt:gp(2,2,1,1,suits=False)"  # a public card; as ranks, events are uneven
FORMS = (
    "vector(external)", "vector(robust)", "vector(average)", "vector(outcome)",
    "vector(own=robust(2), other=all)", "semi_vector(all)", "semi_vector(robust)",
)  # fmt: skip

generate = program("generate_readings")
compiled = functools.cache(mccfr.compile)


def deviation(method, game="dealt:kuhn", pure=False, **options):
    """How far the means of what an iteration adds are from the definitions, over all outcomes: regrets, averages."""
    bench = Bench(compiled(game), mccfr.Method.parse(method), **{"seed": 1, "warm_up": 0, "pure": pure, **options})
    off, n = np.abs(enumerate_outcomes(bench).mean - bench.truth), bench.entries
    return off[:n].max(), off[n : 2 * n].max()


def engine(method, game="dealt:leduc", seed=1):
    return engine_for(compiled(game), mccfr.Method.parse(method), seed)


def interpreted(made, n):
    """The next n iterations from the source as it is written."""
    with np.errstate(over="ignore"):
        run_walks.interpreted(n, made.clock, made.parts, made.tree, made.table, made.work)


def assert_same(one, other):
    assert one.keys() == other.keys()
    for name, value in one.items():
        np.testing.assert_array_equal(value, other[name], err_msg=name)


def assert_compiled_as_written(method, game="dealt:leduc", n=10):
    one, other = (engine(method, game, seed=5) for _ in range(2))
    one.run(n)
    interpreted(other, n)
    assert_same(one.arrays, other.arrays)


def assert_goes_on(method, game="dealt:leduc", stop=40, n=100):
    """A run that is stopped and continued elsewhere ends as one that never was."""
    straight, first, second = (engine(method, game, seed) for seed in (1, 1, 2))
    straight.run(n)
    first.run(stop)
    for name, array in first.arrays.items():
        second.arrays[name][:] = array
    second.refresh()
    second.run(n - stop)
    assert_same(straight.arrays, second.arrays)
    np.testing.assert_array_equal(straight.weights(), second.weights())


# averages at own nodes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", FORMS)
def test_own_averages_are_right_where_everything_is_possible(method):
    assert max(deviation(f"{method}+own_average")) < 1e-12
    assert max(deviation(f"{method}+own_average", recorder=Restless())) < 1e-12


@pytest.mark.parametrize("game", [CARDS, RANKS])
@pytest.mark.parametrize("method", ["vector(robust)", "vector(own=robust, chance=robust(2))", "semi_vector(robust)"])
def test_own_averages_are_right_with_public_cards(method, game):
    assert max(deviation(f"{method}+own_average", game)) < 1e-11


def test_own_averages_miss_what_an_opponent_on_policy_never_plays():
    regrets, averages = deviation("semi_vector(robust)+own_average", pure=True)
    assert regrets < 1e-12
    assert averages > 1e-3
    assert max(deviation("vector(own=robust, other=uniform)+own_average", pure=True)) < 1e-12


def test_own_averages_leave_regrets_and_draws_alone():
    """A law of current strategies does not read averages, so only the average can differ."""
    one, other = (engine(method, "dealt:kuhn") for method in ("vector(robust)", "vector(robust)+own_average"))
    for made in (one, other):
        interpreted(made, 30)
    np.testing.assert_array_equal(one.table.regret, other.table.regret)
    assert one.work.dice.state.tolist() == other.work.dice.state.tolist()
    assert not np.array_equal(one.weights(), other.weights())


def test_following_everything_gives_the_average_of_a_sweep():
    sampled = engine("vector(own=all, other=all, chance=all)+own_average", "dealt:kuhn")
    sweep = mccfr.Solver(compiled("dealt:kuhn"), "cfr").run(20)
    interpreted(sampled, 20)
    np.testing.assert_allclose(sampled.weights(), sweep.engine.weights(), rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    "method", ["semi_vector(robust)+own_average(others=False)", "vector(average)+own_average+linear"]
)
def test_own_averages_are_compiled_as_written_and_go_on(method):
    assert_compiled_as_written(method)
    assert_goes_on(method)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["vector(robust)", "vector(average)", "semi_vector(all)"])
def test_own_averages_learn(method):
    assert mccfr.solve("dealt:kuhn", f"{method}+own_average", iterations=50_000, seed=1).exploitability() < 0.05


def odds_of_coming(method, current, player):
    """{entry: how likely the other player's draws, uniform, by the mean or by one hand, are to come to that row}."""
    tree, found = compiled("dealt:kuhn"), {}
    alone = tree.hand_probabilities[1 - player] if "semi" in method else np.ones(1)
    todo = [(0, alone)]
    while todo:
        h, odds = todo.pop()
        child, o, which, kind = tree.nodes[4 * h : 4 * h + 4].tolist()
        mover, k = kind & 255, kind >> 8
        if mover == TERMINAL:
            continue
        rows = current[o : o + 3 * k].reshape(3, k)  # every hand may be held at every node
        assert tree.members[tree.start[which] : tree.start[which + 1]].tolist() == [0, 1, 2]
        if mover == player:
            found |= dict.fromkeys(range(o, o + 3 * k), odds.sum())
        law = np.full(k, 1 / k) if "uniform" in method else rows.mean(axis=0)
        for a in range(k):
            drawn = 1.0 if mover == player else rows[:, a] if "semi" in method else law[a]
            todo.append((child + a, odds * drawn))
    return found


@pytest.mark.parametrize("method", ["semi_vector(robust)", "vector(robust)", "vector(own=all, other=uniform)"])
def test_averages_as_visited_count_how_likely_the_other_player_came_along(method):
    """All hands alike; where the other player follows everything, they are those of `own_average`."""
    bench = Bench(compiled("dealt:kuhn"), mccfr.Method.parse(f"{method}+own_average(others=False)"), 1, 0, pure=False)
    mean, n = enumerate_outcomes(bench).mean, bench.entries
    met = odds_of_coming(method, bench.table.current, 0) | odds_of_coming(method, bench.table.current, 1)
    assert sorted(met) == list(range(n))
    assert len({round(x, 12) for x in met.values()}) > 1
    np.testing.assert_allclose(mean[n : 2 * n], bench.truth[n : 2 * n] * [met[x] for x in range(n)], rtol=1e-12)
    np.testing.assert_allclose(mean[:n], bench.truth[:n], atol=1e-12)


def test_averages_as_visited_are_right_where_the_other_player_does_everything():
    assert max(deviation("vector(own=robust(2), other=all)+own_average(others=False)", pure=True)) < 1e-12
    assert max(deviation("vector(own=robust, other=all, chance=robust)+own_average(others=False)", CARDS)) < 1e-11


def test_optimistic_averages_are_refused():
    with pytest.raises(MethodError, match="take own_average"):
        engine("vector(robust)+optimistic")


# what laws of averages know -------------------------------------------------------------------------------------------


@pytest.fixture
def as_written(monkeypatch):
    """Walks as plain Python: a few iterations are done before their kernels would be compiled."""
    monkeypatch.setattr(engines, "run_walks", engines.run_walks.interpreted)
    with np.errstate(over="ignore"):
        yield


def test_a_law_that_keeps_its_averages_draws_as_if_nothing_were_skipped(as_written):
    """Only the reported average differs: by what there was after the iterations that it skips."""
    plain, kept, skipped = (
        engine(f"vector(average)+linear{words}", "dealt:kuhn") for words in ("", "+skip(15, law=False)", "+skip(15)")
    )
    for made in (plain, kept, skipped):
        made.run(15)
    early = plain.weights().copy()
    assert early.any()
    assert not kept.weights().any()
    for made in (plain, kept, skipped):
        made.run(15)
    np.testing.assert_array_equal(plain.table.regret, kept.table.regret)
    assert plain.work.dice.state.tolist() == kept.work.dice.state.tolist()
    np.testing.assert_array_equal(kept.weights(), plain.weights() - early)
    assert kept.weights().any()
    assert not np.array_equal(skipped.table.regret, kept.table.regret)


def test_skipping_in_one_run_or_in_many(as_written):
    method = "vector(average)+linear+skip(15, law=False)"
    once, twice = (engine(method, "dealt:kuhn") for _ in range(2))
    once.run(40)
    for n in (10, 0, 5, 0, 1, 24):
        twice.run(n)
    assert_same(once.arrays, twice.arrays)
    np.testing.assert_array_equal(once.weights(), twice.weights())
    assert_goes_on(method, "dealt:kuhn", stop=10, n=40)
    assert_goes_on(method, "dealt:kuhn", stop=20, n=40)


def test_a_solver_reports_the_average_that_skips(as_written):
    solver = mccfr.Solver(compiled("dealt:kuhn"), "vector(average)+linear+skip(15, law=False)", seed=1).run(15)
    assert solver.exploitability() == pytest.approx(mccfr.exploitability(mccfr.uniform("dealt:kuhn")))
    again = mccfr.Solver(compiled("dealt:kuhn"), str(solver.method), seed=1).run(30)
    probabilities, _ = again.tree.infosets.normalised(again.state["average"] - again.state["early"])
    np.testing.assert_allclose(again.strategy().probabilities, probabilities, rtol=1e-12)


@pytest.mark.parametrize(("alpha", "beta"), [(None, None), (0.3, None), (None, 2.0), (0.3, 0.0), (1.0, 5.0)])
def test_counts_explore_by_equations_8_and_9(alpha, beta):
    """(1 - alpha) q(a) + alpha (1 + beta / sqrt(C(a))) / sum of these, C counted from 1."""
    t = 7.0
    words = "".join(f", {name}={x}" for name, x in (("alpha", alpha), ("beta", beta)) if x is not None)
    made = engine(f"vector(own=robust, other=counts(uniform{words}))", "dealt:kuhn")
    policy, tree = made.parts.sampling.other, compiled("dealt:kuhn")
    child = int(tree.nodes[0])
    policy.counts[child : child + 2] = 3.0, 8.0
    with np.errstate(over="ignore"):
        take_turn(made.parts, np.uint64(1), t, 1.0, (1.0, 1.0), made.tree, made.table, made.work)
    alpha = 1.0 / math.log(t + 10.0) if alpha is None else alpha
    beta = math.log(t + 10.0) if beta is None else beta
    rare = 1.0 + beta / np.sqrt([4.0, 9.0])
    np.testing.assert_allclose(made.work.laws[:2], (1.0 - alpha) * 0.5 + alpha * rare / rare.sum(), rtol=1e-14)


@pytest.mark.parametrize("by", ["average", "current"])
@pytest.mark.parametrize("inside", ["own", "other", "both", "other, same_hand=True", "both, same_hand=True"])
@pytest.mark.parametrize("walker", [0, 1])
@pytest.mark.parametrize("game", ["dealt:leduc", "dealt:kuhn"])
def test_laws_weighed_by_reaches(game, inside, walker, by):
    """Along the line of one walk, against products of strategies and plain sums over hands."""
    ranges, _, same_hand = inside.partition(", ")
    tree = compiled(game)
    law = f"epsilon_greedy(was({inside}, by={by}), 0.4)"
    made, draw = engine(f"vector(own={law}, other={law})", game), np.random.default_rng(2)
    interpreted(made, 40)
    made.table.average[:] = draw.uniform(0.0, 2.0, len(made.table.average))
    average, current = made.table.average.copy(), made.table.current.copy()
    differs = False
    for _ in range(20):
        made.table.average[:], made.table.current[:] = average, current
        with np.errstate(over="ignore"):
            take_turn(made.parts, np.uint64(walker), 5.0, 1.0, (1.0, 1.0), made.tree, made.table, made.work)
        reach, h, d = [np.ones(tree.most_hands) for _ in range(2)], 0, 0
        while (at := tree.nodes[4 * h : 4 * h + 4].tolist())[3] & 255 != TERMINAL:
            child, o, which, (mover, k) = at[0], at[1], at[2], (at[3] & 255, at[3] >> 8)
            a = int(made.work.frame[2 * d + 1])
            if mover != CHANCE:
                hands = tree.members[tree.start[which] : tree.start[which + 1]]
                rows = average[o : o + k * len(hands)].reshape(-1, k)
                rows = rows / rows.sum(axis=1, keepdims=True)
                deal = tree.deal if mover == 0 else tree.deal.T
                weights = reach[mover][hands] if ranges != "other" else np.ones(len(hands))
                dealt = deal.sum(axis=1)[hands]
                places = [tree.hands[1 - mover].index(tree.hands[mover][hand]) for hand in hands]
                met = dealt * reach[1 - mover][places] if same_hand else (deal @ reach[1 - mover])[hands]
                weights = weights * (met if ranges != "own" else dealt)
                if not weights.sum() > 0.0:  # nobody comes here: the mean of current strategies
                    weights, rows = dealt, current[o : o + k * len(hands)].reshape(-1, k)
                expected = 0.6 * (weights @ rows) / weights.sum() + 0.4 / k
                found = made.work.laws[d * int(made.work.width) :][:k]
                np.testing.assert_allclose(found, expected, rtol=1e-12)
                differs |= d > 1 and not np.allclose(found, 0.6 * rows.mean(axis=0) + 0.4 / k, rtol=1e-3)
                learned = made.table.average if by == "average" else current  # with what this walk has just added
                played, after = np.zeros(tree.most_hands), learned[o : o + k * len(hands)].reshape(-1, k)
                played[hands] = after[:, a] / after.sum(axis=1)
                reach[mover] = reach[mover] * played
            h, d = child + a, d + 1
    assert differs


@pytest.mark.parametrize("game", ["dealt:kuhn", CARDS])
@pytest.mark.parametrize(
    "law",
    [
        "counts(was(both, by=average), alpha=0.2, beta=3)",
        "counts(was(by=average))",
        "epsilon_greedy(wcs(both, same_hand=True), 0.1)",
    ],
)
def test_other_laws_of_averages_are_right_on_average(law, game):
    assert max(deviation(f"vector(own=robust, other={law})", game, pure=True)) < 1e-11
    assert max(deviation(f"semi_vector(own={law})", game, pure=True)) < 1e-11


def test_the_same_hand_is_found_by_its_name():
    """Whatever the order; of two ranges, only hands that both have are the same."""
    river = mccfr.Solver(str(Path(__file__).parent.parent / "examples" / "river.toml"), "semi_vector(all)").tree
    for tree in (compiled("dealt:kuhn"), compiled("dealt:leduc"), river):
        for player, hands in enumerate(tree.hands):
            others = (*tree.hands[1 - player], *["none"] * tree.most_hands)
            met = [others[min(place, len(others) - 1)] for place in tree.same_hands[player].tolist()]
            assert [hand for hand, other in zip(hands, met) if other != "none"] == [h for h in hands if h in others]
            assert all(other in (hand, "none") for hand, other in zip(hands, met))
    assert not np.array_equal(tree.same_hands, np.arange(tree.most_hands)[None].repeat(2, axis=0))


def test_a_law_that_does_not_explore_is_still_refused():
    with pytest.raises(MethodError, match=r"use other=counts\(was\(own, by=average\)\)"):
        mccfr.Method.parse("vector(own=robust, other=was(by=average))")


ALL_AT_ONCE = (
    "vector(own=robust, other=counts(was(both, by=average, same_hand=True), alpha=0.2, beta=3))"
    "+own_average+skip(5, law=False)"
)


@pytest.mark.slow
def test_all_options_are_compiled_as_written_and_go_on():
    one, other = (engine(ALL_AT_ONCE, "dealt:kuhn", seed=5) for _ in range(2))
    one.run(20)
    interpreted(other, 5)
    other.early[:] = other.table.average
    interpreted(other, 15)
    assert_same(one.arrays, other.arrays)
    assert_goes_on(ALL_AT_ONCE, "dealt:kuhn", stop=10, n=40)


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("external+skip(5, law=False)", "skip: law=False is for vector"),
        ("average_strategy+skip(5, law=False)", "skip: law=False is for vector"),
        ("cfr+skip(5, law=False)", "skip: law=False is for vector"),
        ("hs_dcfr+skip(5, law=False)", "skip: law=False is for vector"),
        ("vector(robust)+skip(5, law=False)", "skip: law=False is for vector"),
        ("vector(average)+skip(5, law=1)", "law must be true or false"),
        ("vector(average)+skip(5, law=False)+optimistic", "does not go with skip"),
        ("vector(average)+own_average(others=0)", "others must be true or false"),
        ("vector(own=robust, other=counts(mas, alpha=0))", "alpha must be above 0"),
        ("vector(own=robust, other=counts(mas, alpha=2))", "alpha must be a number from 0 to 1"),
        ("vector(own=robust, other=counts(mas, beta=-1))", "beta must be a number from 0"),
        ("vector(own=robust, other=counts(was(by=last)))", "by must be current or average"),
        ("vector(own=robust, other=counts(wcs(both, same_hand=1)))", "same_hand must be true or false"),
        ("vector(own=robust, other=counts(wcs(own, same_hand=True)))", r"take wcs\(other\) or wcs\(both\)"),
        ("vector(own=robust, other=wcs(both, same_hand=True))", r"use other=counts\(wcs\(both, same_hand=True\)\)"),
        ("public_outcome(law=counts(was(by=average)))", "leave by=average out"),
    ],
)
def test_what_makes_no_sense_is_refused(method, message):
    with pytest.raises(MethodError, match=message):
        mccfr.Method.parse(method)


@pytest.mark.parametrize(
    "method",
    [
        ALL_AT_ONCE,
        "semi_vector(own=counts(mas, new_first=True, alpha=0.5))+linear+skip(7, law=False)",
        "vector(own=robust, other=counts(was(own), beta=0))",
        "vector(own=counts(wcs(other, same_hand=True)), other=counts(was(both, by=average, same_hand=True)))",
        "semi_vector(all)+linear+skip(7)+own_average(others=False)",
    ],
)
def test_methods_are_written_as_they_are_read(method):
    assert mccfr.Method.parse(str(mccfr.Method.parse(method))) == mccfr.Method.parse(method)


# figures under each reading -------------------------------------------------------------------------------------------


def judged(name, worth, apart=1.001):
    """The claims of a figure, had every method come to what `worth` says; seeds are apart by that factor."""
    scale = Scale("", 3, 100, ("dealt:kuhn",))
    jobs = FIGURES[name].jobs(scale)
    done = [
        Done(j.arguments, {"points": [[100, 100, 1.0, worth(j.arguments["method"]) * spread(j, apart)]]}) for j in jobs
    ]
    assert len({job.key for job in jobs}) == len(jobs)
    return FIGURES[name].report(scale, done)


def spread(job, apart):
    """What sets a seed apart, the other way round for methods that skip, so that pairing does not cancel it."""
    return apart ** (job.arguments["seed"] * (-1 if "skip" in job.arguments["method"] else 1))


@pytest.mark.parametrize(
    ("skipping", "apart", "verdict"),
    [(0.94, 1.01, "reproduced"), (1.3, 1.01, "partly"), (0.94, 3.0, "not reproduced"), (1.5, 1.01, "not reproduced")],
)
def test_skipping_is_reproduced_only_if_it_helps_beyond_the_noise(skipping, apart, verdict):
    """An interval that contains the paper's ratio and 1 as well shows nothing."""
    report = judged("li2020-fig4-readings", lambda m: skipping if "skip(10000)" in m else 1.42, apart)
    assert report.claims[0].verdict == verdict


def test_skipping_is_judged_under_each_reading():
    """As if skipping 10,000 helped as in the paper where the law keeps its averages, and harmed where not."""
    report = judged(
        "li2020-fig4-readings", lambda m: 0.94 if "skip(10000, law=False)" in m else 2.0 if "skip(10000)" in m else 1.42
    )
    first = report.claims[:4]
    assert {claim.id for claim in first} == {"L6"}
    assert [claim.claim.partition(" [")[2] for claim in first] == [
        "at the other player's nodes]",
        "at own nodes]",
        "at the other player's nodes, the law skips nothing]",
        "at own nodes, the law skips nothing]",
    ]
    assert [claim.verdict for claim in first] == ["not reproduced", "not reproduced", "reproduced", "reproduced"]
    assert {c.id for c in report.claims if "the law skips nothing" in c.claim} == {"L6"}
    curves = {row[0] for row in report.rows}
    assert "skip 10,000 [at own nodes, the law skips nothing]" in curves
    assert "as it is [at own nodes, the law skips nothing]" not in curves  # the run of `at own nodes` stands for it


def test_ranges_are_judged_under_both_readings():
    """As if the actor's range helped only where averages grow at own nodes."""
    report = judged("li2020-fig3-readings", lambda m: 1.0 if "(own)" in m and "own_average" in m else 2.0)
    verdicts = {claim.claim: claim.verdict for claim in report.claims}
    text = "robust sampling, weighted by own over uniform: exploitability"
    assert verdicts[f"{text} [at own nodes]"] == "reproduced"
    assert verdicts[f"{text} [at the other player's nodes]"] == "not reproduced"


def test_what_the_paper_lacks_is_compared_without_a_verdict():
    """As if a baseline or ranges of average strategies halved exploitability, and counts doubled it."""
    halved = ("infoset", "by=average")
    report = judged("li2020-beyond", lambda m: 0.5 if any(w in m for w in halved) else 2.0 if "explore=" in m else 1.0)
    assert {claim.verdict for claim in report.claims} == {"no claim"}
    ours = {claim.claim: claim.ours for claim in report.claims if "iterations" in claim.claim}
    end = ": exploitability at equal iterations"
    assert ours[f"average, infoset over average{end}"].startswith("0.5")
    assert ours[f"average, static over average{end}"].startswith("1")
    assert ours[f"ranges, average over ranges, current{end}"].startswith("0.5")
    assert ours[f"value, counts over value, epsilon 0.6{end}"].startswith("2")


@pytest.mark.parametrize("name", ["li2020-fig2", "li2020-fig3", "li2020-fig4"])
def test_the_first_reading_has_the_runs_of_the_figure(name):
    scale = FIGURES[name].quick._replace(seeds=1)
    alone, both = ({job.key for job in FIGURES[figure].jobs(scale)} for figure in (name, f"{name}-readings"))
    assert alone < both
    assert all("own_average" in key or "law=False" in key for key in both - alone)


@pytest.mark.parametrize("name", ["li2020-fig2", "li2020-fig3", "li2020-fig4"])
def test_the_third_reading_judges_what_the_others_do(name):
    """As often, with methods that differ in their averages only, in one panel."""
    from matplotlib.figure import Figure as Sheet

    both, third = (judged(f"{name}-{kind}", lambda m: 1.0) for kind in ("readings", "visits"))
    told = [[c.claim.partition(" [")[0] for c in report.claims] for report in (both, third)]
    assert sorted(told[0]) == sorted(2 * told[1])
    scale = FIGURES[name].quick._replace(seeds=1)
    old, new = ({job.key for job in FIGURES[f"{name}-{kind}"].jobs(scale)} for kind in ("readings", "visits"))
    assert {key.replace("own_average(others=False)", "own_average") for key in new} < old
    axes = Sheet().subplots()
    FIGURES[f"{name}-visits"].draw([dict(zip(third.columns, map(str, row))) for row in third.rows], axes)
    assert len(axes.figure.axes) == 1
    assert axes.get_lines()


@pytest.mark.parametrize("name", ["li2020-fig2-readings", "li2020-fig4-readings"])
def test_each_reading_of_averages_has_a_panel(name):
    """A line of the plot has the last exploitability of its own reading; laws that skip nothing keep its colour."""
    from matplotlib.figure import Figure as Sheet

    report = judged(name, lambda m: 1.0 + ("own_average" in m) + 2 * ("law=False" in m))
    rows = [dict(zip(report.columns, map(str, row))) for row in report.rows]
    axes = Sheet().subplots()
    FIGURES[name].draw(rows, axes)
    others, own = axes.figure.axes
    assert (others.get_title(), own.get_title()) == ("averages at the other player's nodes", "averages at own nodes")
    assert others.get_ylim() == own.get_ylim()
    for panel, least in ((others, 1.0), (own, 2.0)):
        lines = {line.get_label(): line for line in panel.get_lines()}
        ends = {label: float(line.get_ydata()[-1]) for label, line in lines.items()}
        kept = {label: end for label, end in ends.items() if label.endswith("the law skips nothing")}
        assert ends == pytest.approx({label: least + 2 * (label in kept) for label in ends}, rel=0.01)
        for label in kept:
            assert lines[label].get_color() == lines[label.removesuffix(", the law skips nothing")].get_color()
    assert len(kept) == (3 if "fig4" in name else 0)


PAPERS = Path(__file__).parent.parent / "papers"
RATIO = re.compile(r"([\d.]+) \[([\d.]+), ([\d.]+)\]")
CLAIMED = re.compile(r"(NUMBER) \[(NUMBER), (NUMBER)\]".replace("NUMBER", r"-?[\d.]+(?:e[+-]\d+)?"))
COLUMNS = ("at the other player's nodes", "at own nodes", "at own nodes, as they are visited")


def test_ranges_of_the_same_hand_are_judged_for_every_average():
    """As if only those helped: they weigh what `other` and `both` weigh elsewhere, in three panels."""
    from matplotlib.figure import Figure as Sheet

    report = judged("li2020-fig3-hands", lambda m: 1.0 if "same_hand" in m or "(own)" in m else 2.0)
    verdicts = {claim.claim: claim.verdict for claim in report.claims}
    for nodes in COLUMNS:
        for text in (
            "weighted by other over uniform: exploitability",
            "worst over best of the three ranges: exploitability",
        ):
            assert verdicts[f"robust sampling, {text} [{nodes}, ranges of the same hand]"] == "reproduced"
    assert len(verdicts) == 3 * 14
    scale = FIGURES["li2020-fig3"].quick._replace(seeds=1)
    three = {job.key for kind in ("readings", "visits") for job in FIGURES[f"li2020-fig3-{kind}"].jobs(scale)}
    same = {job.key for job in FIGURES["li2020-fig3-hands"].jobs(scale)}
    assert {key.replace(", same_hand=True", "") for key in same} == three
    axes = Sheet().subplots()
    FIGURES["li2020-fig3-hands"].draw([dict(zip(report.columns, map(str, row))) for row in report.rows], axes)
    assert [panel.get_title() for panel in axes.figure.axes] == [f"averages {nodes}" for nodes in COLUMNS]


def reads(written, number):
    """Whether a number with as many digits as `written` is that."""
    digits = len(written.partition(".")[2])
    return abs(float(written) - number) <= 0.5001 * 10**-digits


def test_the_page_has_the_table_of_the_folders():
    """`python docs/generate_readings.py` writes it again."""
    page = generate.PAGE.read_text()
    assert generate.page(page) == page
    assert generate.page(page.replace("0.774 [0.568, 1.05]", "0.775 [0.568, 1.05]")) == page


def test_a_row_of_the_table_is_one_claim():
    """Neither of none nor of several; and none of them stands twice."""
    rows = [row for row in generate.TABLE if isinstance(row, generate.Row)]
    for pattern in ("exploitability", "average sampling, .*: exploitability at the end"):
        with pytest.raises(ValueError, match="there should be one"):
            generate.judged(rows[0]._replace(pattern=pattern), "at own nodes")
    assert len({(row.figure, row.pattern, row.suffix) for row in rows}) == len(rows) == 35


def test_where_one_looks_is_read_off_mean_curves(monkeypatch):
    """A curve that falls as 1 / iterations, and one that is four times as high, and then no longer falls."""
    at = [10, 100, 1000]
    heights = {"fast": [1 / x for x in at], "slow": [0.4, 0.04, 0.04], "high": [1.0, 1.0, 1.0]}
    data = [
        {"curve": f"{name} [at own nodes]", "iterations": x, "nodes": x, "seconds": x, "exploitability": height}
        for name, curve in heights.items()
        for x, height in zip(at, curve)
    ]
    monkeypatch.setattr(generate, "_read", lambda *folder: data)
    assert generate.looked(generate.Looked("", "slow", "fast"), "at own nodes") == "4"
    assert generate.looked(generate.Looked("", "slow", "high"), "at own nodes") == "never"


def test_the_factors_of_the_text_are_those_of_the_table():
    """Where one looks, rounded: 8 and 13 with one own action, 132 or never with all."""
    sampled, swept = (row for row in generate.TABLE if isinstance(row, generate.Looked))
    _, own, visited = generate.READINGS
    told = [generate.looked(row, reading) for row in (sampled, swept) for reading in (own, visited)]
    page = " ".join(generate.PAGE.read_text().split())
    assert told[3] == generate.NEVER
    words = [f"{float(x):.0f}" for x in told[:3]]
    assert "there {} (own) and {} times sooner (as visited) with one own action".format(*words) in page
    assert f"with all own actions by range {words[2]} times sooner (own) or never (as visited)" in page


BOTH, SAME_HAND = "counts(was(both)))", "counts(was(both, same_hand=True)))"
ONCE, TWICE = "weighted(power=1)+linear", "weighted(power=2)+quadratic"
SECOND = [  # file, method, method it is compared with, what the page says
    ("fig2-visits/second-seeds", "counts(mas))", "mas, exhibit=True)", "0.31 [0.25, 0.40]"),
    ("fig2-visits/second-seeds", "counts(mcs))", "mcs)", "0.21 [0.16, 0.28]"),
    ("fig2-visits/second-seeds", "counts(mas))", "counts(mcs))", "0.37 [0.29, 0.47]"),
    ("fig2-visits/second-seeds", BOTH, "semi_vector(own=robust)", "0.081 [0.059, 0.113]"),
    ("fig4-visits/second-seeds", f"{BOTH}+skip(10000, law=False)", BOTH, "0.84 [0.80, 0.89]"),
    ("fig4-visits/second-seeds", f"{BOTH}+{ONCE}", BOTH, "0.65 [0.51, 0.84]"),
    ("fig4-visits/second-seeds", f"{BOTH}+{TWICE}", BOTH, "0.70 [0.57, 0.87]"),
    ("fig4-visits/second-seeds", f"{BOTH}+{ONCE}", f"{BOTH}+{TWICE}",
     "0.93 [0.71, 1.21]"),
    *(
        ("fig4-hands/million", f"{law}+{one}", f"{law}+{other}" if other else law, told)
        for law, several in ((BOTH, ("0.50 [0.38, 0.65]", "0.63 [0.50, 0.80]", "0.79 [0.60, 1.05]")),
                             (SAME_HAND, ("0.56 [0.44, 0.71]", "0.66 [0.49, 0.90]", "0.84 [0.68, 1.04]")))
        for (one, other), told in zip(((ONCE, ""), (TWICE, ""), (ONCE, TWICE)), several, strict=True)
    ),
    *(
        ("fig3-hands/million", f"counts({one}))", f"counts({other}))", told)
        for one, other, told in (
            ("wcs(own)", "mcs", "0.203 [0.157, 0.262]"),
            ("wcs(both)", "mcs", "0.209 [0.153, 0.286]"),
            ("wcs(other)", "mcs", "0.99 [0.75, 1.32]"),
            ("wcs(other, same_hand=True)", "mcs", "0.38 [0.25, 0.57]"),
            ("wcs(other, same_hand=True)", "wcs(own)", "1.87 [1.36, 2.58]"),
            ("wcs(other)", "wcs(own)", "4.89 [4.05, 5.91]"),
        )
    ),
]  # fmt: skip


def kept_runs(name):
    """{method: exploitability by seed} of a file of second seeds, without the word that all of its methods have."""
    table = pq.read_table(PAPERS / f"li2020-{name}.parquet").to_pylist()
    found = {}
    for run in sorted(table, key=lambda run: run["seed"]):
        method = run["method"].removesuffix("+own_average(others=False)").removeprefix("vector(own=robust, other=")
        found.setdefault(method, []).append(run["exploitability"])
    return found


@pytest.mark.parametrize(("name", "one", "other", "told"), SECOND)
def test_second_seeds_have_the_ratios_of_the_page(name, one, other, told):
    page = " ".join((Path(__file__).parent.parent / "docs" / "papers.md").read_text().split())
    runs = kept_runs(name)
    assert all(map(reads, RATIO.fullmatch(told).groups(), ratio(runs[one], runs[other])[:3]))
    assert told in page


def test_every_other_interval_of_the_page_is_that_of_a_claim():
    """Of any folder in papers/, rounded: a page written by hand has the digits that were measured."""
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", generate.BLOCK.sub("", generate.PAGE.read_text()))
    page = " ".join(text.split())
    told = [found for found in RATIO.findall(page) if f"{found[0]} [{found[1]}, {found[2]}]" not in str(SECOND)]
    claims = " ".join(path.read_text() for path in sorted(PAPERS.glob("*/claims.csv")))
    known = [[*map(float, found)] for found in CLAIMED.findall(claims)]
    known += [[-mean, -high, -low] for mean, low, high in known]  # what one loses the other wins
    assert [one for one in told if not any(all(map(reads, one, each)) for each in known)] == []
    assert len(told) >= 15


def test_a_million_iterations_are_told_as_they_were():
    """Of all pairs of runs with different seeds: how often the one that skips is a third ahead, and behind."""
    page = " ".join((Path(__file__).parent.parent / "docs" / "papers.md").read_text().split())
    runs = kept_runs("fig4-hands/million")
    one, other = np.array(runs[f"{SAME_HAND}+skip(10000, law=False)"]), np.array(runs[SAME_HAND])
    pairs = (one[:, None] / other[None])[~np.eye(len(one), dtype=bool)]
    ahead, behind = (100.0 * np.mean(pairs <= 0.94 / 1.42), 100.0 * np.mean(pairs > 1.0))
    assert f"ahead by a third or more in {ahead:.0f} % of all pairs, and behind in {behind:.0f} %" in page
    assert f"end between {other.min():.2f} and {other.max():.2f} chips" in page
    means = [np.exp(np.log(values).mean()) for values in (other, one)]
    assert "ends there at {:.2f} chips, and at {:.2f} if 10,000".format(*means) in page
    weighted = [np.exp(np.log(runs[f"{BOTH}+{weights}"]).mean()) for weights in (ONCE, TWICE)]
    assert "At {:.2f} and {:.2f} chips, both are ahead of skipping".format(*weighted) in page
    assert max(weighted) < np.exp(np.log(runs[f"{BOTH}+skip(10000, law=False)"]).mean())
