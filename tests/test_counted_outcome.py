"""Outcome sampling that explores by counts: a slow twin, the same words in both forms, and what it refuses."""

import numpy as np
import pytest
from conftest import flat
from naive_kuhn import Kuhn
from naive_outcome import Exploration, Walker, explored

import mccfr
from mccfr.auditing.bench import Bench
from mccfr.auditing.enumeration import enumerate_outcomes
from mccfr.errors import MethodError
from mccfr.kernel.dice import below, choose, seeded
from mccfr.kernel.iterations import run_walks, take_turn
from mccfr.kernel.samplers import at_iteration, law, scale
from mccfr.solvers.choose_engine import engine_for
from mccfr.solvers.device_engine import without_gpu_form

EXPLORATIONS = {
    "counts": Exploration(),
    "counts(alpha=0.3)": Exploration(alpha=0.3),
    "counts(beta=2)": Exploration(beta=2.0),
    "counts(alpha=1, beta=5, gamma=1)": Exploration(1.0, False, 1.0, 5.0),
    "counts(alpha=0.3, beta=0)": Exploration(alpha=0.3, beta=0.0),
    "counts(new_first=True)": Exploration(new_first=True),
    "counts(new_first=True, gamma=2, alpha=0.5, beta=9)": Exploration(2.0, True, 0.5, 9.0),
}


def engine(method, game="kuhn", seed=1):
    return engine_for(mccfr.compile(game), mccfr.Method.parse(method), seed)


def interpreted(made, n):
    with np.errstate(over="ignore"):
        run_walks.interpreted(n, made.clock, made.parts, made.tree, made.table, made.work)


# the law --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", EXPLORATIONS)
@pytest.mark.parametrize("drawn", [(3.0, 8.0), (0.0, 8.0), (0.0, 0.0)])
def test_the_same_words_are_the_same_law_in_both_forms(words, drawn):
    """Against equations 8 and 9 as they are written, for a strategy that is uniform."""
    t, expected = 7.0, explored([0.5, 0.5], drawn, 7.0, EXPLORATIONS[words])
    made = engine(f"outcome(explore={words})")
    sampler = at_iteration(made.parts.sampler, t)
    sampler.counts[:2] = drawn
    n = scale(sampler, made.table, np.uint64(0), np.uint64(2))
    assert [law(sampler, n, made.table, 0.5, x) for x in (0, 1)] == pytest.approx(expected, rel=1e-14)

    inside = words.replace("counts", "counts(uniform").replace("(uniform(", "(uniform, ")
    public = engine(f"vector(own=robust, other={inside}{')' * inside.endswith('uniform')})", "dealt:kuhn")
    child = int(public.tree.nodes[0])
    public.parts.sampling.other.counts[child : child + 2] = drawn
    with np.errstate(over="ignore"):
        take_turn(public.parts, np.uint64(1), t, 1.0, (1.0, 1.0), public.tree, public.table, public.work)
    assert public.work.laws[:2] == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("others", [False, True])
@pytest.mark.parametrize("words", EXPLORATIONS)
def test_walks_are_those_of_the_slow_twin(words, others):
    """Dice by dice: the same draws, regrets, averages and counts."""
    made, dice = engine(f"outcome(explore={words}, others={others})", Kuhn(), seed=3), seeded(3)
    twin = Walker(
        Kuhn(),
        EXPLORATIONS[words]._replace(others=others),
        lambda odds: int(choose(np.array(odds), 0, len(odds), dice)),
        lambda odds: int(below(dice, np.uint64(len(odds)))),
    )
    interpreted(made, 60)
    with np.errstate(over="ignore"):
        for t in range(1, 61):
            twin.iterate(t)
    infosets = mccfr.compile(Kuhn()).infosets
    assert dice.state.tolist() == made.work.dice.state.tolist()
    np.testing.assert_array_equal(made.parts.sampler.counts, flat(infosets, twin.drawn))
    np.testing.assert_allclose(made.table.regret, flat(infosets, twin.regrets), atol=1e-10)
    np.testing.assert_allclose(made.table.average, flat(infosets, twin.sums), atol=1e-10)


def test_what_is_never_drawn_is_missed_only_where_new_actions_come_first():
    """As its docstring says, `new_first` is biased at first where a strategy is pure; the other reading is not."""

    def off(words, pure):
        method = mccfr.Method.parse(f"outcome(explore={words})")
        bench = Bench(mccfr.compile("kuhn"), method, seed=1, warm_up=0, pure=pure)
        return np.abs(enumerate_outcomes(bench).mean - bench.truth).max()

    assert off("counts", True) < 1e-12
    assert off("counts(new_first=True)", False) < 1e-12
    assert off("counts(new_first=True)", True) > 1e-3


def test_averages_at_own_nodes_are_right_where_an_opponent_plays_purely():
    """Unlike those of samplers that draw the opponent on policy."""
    for others in (True, False):
        method = mccfr.Method.parse(f"outcome(explore=counts, others={others})+own_average")
        bench = Bench(mccfr.compile("kuhn"), method, seed=1, warm_up=0, pure=True)
        assert (np.abs(enumerate_outcomes(bench).mean - bench.truth).max() < 1e-12) == others


@pytest.mark.parametrize("game", ["dealt:kuhn", "dealt:gp(2,2,1,1)"])
@pytest.mark.parametrize("method", ["outcome(explore=counts, others=True)", "outcome(explore=counts)+infoset"])
def test_dealt_games_are_walked_by_the_same_law(game, method):
    bench = Bench(mccfr.compile(game), mccfr.Method.parse(method), seed=1, warm_up=0)
    assert np.abs(enumerate_outcomes(bench).mean - bench.truth).max() < 1e-11


# runs -----------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_run_goes_on_with_its_counts():
    straight, first, second = (engine("outcome(explore=counts, others=True)", "leduc", seed) for seed in (1, 1, 2))
    straight.run(100)
    first.run(40)
    for name, array in first.arrays.items():
        second.arrays[name][:] = array
    second.refresh()
    second.run(60)
    assert "sampler.counts" in first.arrays
    for name, array in straight.arrays.items():
        np.testing.assert_array_equal(array, second.arrays[name], err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["outcome(explore=counts)", "outcome(explore=counts, others=True)"])
def test_it_learns(method):
    """Uniform play has 0.458. Seeds 1 to 10 gave at most 0.0146 and 0.0080."""
    assert mccfr.solve("kuhn", method, iterations=200_000, seed=1).exploitability() < 0.03


# words ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", EXPLORATIONS)
def test_methods_are_written_as_they_are_read(words):
    for others in ("", ", others=True"):
        method = mccfr.Method.parse(f"outcome(explore={words}{others})")
        assert mccfr.Method.parse(str(method)) == method
        assert str(mccfr.Method(method.sampler)) == str(method)
    assert str(mccfr.Method.parse("outcome(explore=counts)")) == "outcome(explore=counts)"


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("outcome(0.3, explore=counts)", "explore=counts takes the place of epsilon"),
        ("outcome(others=True)", "others=True goes with explore=counts"),
        ("outcome(explore=counts, others=1)", "others must be true or false, got 1"),
        ("outcome(explore=mcs)", r"explore must be counts or counts\(alpha=..., beta=...\), got mcs"),
        ("outcome(explore=0.3)", "explore must be counts or counts"),
        ("outcome(explore=counts(mcs))", "the law is the player's strategy"),
        ("outcome(explore=counts(alpha=0))", "alpha must be above 0"),
        ("outcome(explore=counts(alpha=2))", "alpha must be a number from 0 to 1"),
        ("outcome(explore=counts(beta=-1))", "beta must be a number from 0"),
        ("outcome(explore=counts(gamma=inf))", "gamma must be a number from 0 to 10"),
        ("outcome(explore=counts(new_first=2))", "new_first must be true or false"),
        ("outcome(explore=counts(epsilon=2))", "counts takes .gamma=0.5, new_first=False, alpha=None, beta=None"),
    ],
)
def test_what_makes_no_sense_is_refused(method, message):
    with pytest.raises(MethodError, match=message) as error:
        mccfr.Method.parse(method)
    assert "\n" not in str(error.value)


def test_a_share_beyond_1_is_refused_in_python_too():
    with pytest.raises(MethodError, match="alpha must be from 0 to 1"):
        mccfr.Solver("kuhn", mccfr.Method(mccfr.samplers.CountedOutcome(alpha=1.5)))


def test_a_gpu_has_no_counts():
    assert "counts of draws" in without_gpu_form(mccfr.compile("kuhn"), mccfr.Method.parse("outcome(explore=counts)"))
