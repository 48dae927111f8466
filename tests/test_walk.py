"""The walk: compiled equals interpreted bit for bit for every part, and the identities that hold number by number."""

import numpy as np
import pytest

import mccfr
from mccfr.errors import MccfrError
from mccfr.kernel.iterations import run_walks
from mccfr.kernel.recorded_walks import Recorder
from mccfr.solvers import engines
from mccfr.solvers.method import PARTS, RECIPES, Method

# Every sampler, estimator, minimiser, averaging, play and batch at least once; a kernel takes seconds to compile.
METHODS = [  # most have the kernels of `mccfr bench`: a kernel takes seconds to compile
    "external",
    "external+common",
    "external+page_rule+rm+constant+plain",
    "outcome(epsilon=0.6)+predictive+rm_plus+linear",
    "outcome(epsilon=0.4)+history(rate=0.1)+floor(start=0.1, until=15)",
    "outcome(explore=counts(alpha=0.3, beta=2))",
    "outcome(explore=counts(new_first=True), others=True)",  # the same kernel
    "robust(k=2)+discounted(alpha=1.5, beta=0.5)+batch(3)+quadratic+skip(3)",
    "average_strategy(epsilon=0.1, beta=10, tau=1.5)+own_average",
    "include(p=0.5, always=ends)+probe(rollouts=2)+power(1.5)",
    "outcome(epsilon=0.6)+probe(rollouts=2, share=0.6, epsilon=0.3, terminals=2)",
    "uniform+infoset(rate=0.5)+prm_plus",
    "external+saprm_plus",
    "opponent_on_policy+static(strategy=call)+weighted(power=1)",
    "chance+optimistic",
    "everything+rm_plus",
]


def assert_same(one, other):
    assert one.keys() == other.keys()
    for name, value in one.items():
        if name != "seconds":
            np.testing.assert_array_equal(value, other[name], err_msg=name)


@pytest.mark.slow_cases(
    "include*",
    "external+common-*",
    "external+page_rule*",
    "outcome(explore=counts(alpha*",
    "external+saprm*",
    "chance+optimistic*",
    "everything*",
)
@pytest.mark.parametrize("game", ["kuhn", "leduc"])
@pytest.mark.parametrize("method", METHODS)
def test_compiled_is_interpreted_bit_for_bit(game, method):
    iterations = 20 if "everything" not in method or game == "kuhn" else 2
    compiled = mccfr.solve(game, method, iterations=iterations, seed=5)
    interpreted = mccfr.Solver(game, method, seed=5)
    engine = interpreted.engine
    engine._reach_ahead(iterations)
    with np.errstate(over="ignore"):
        run_walks.interpreted(iterations, engine.clock, engine.parts, engine.tree, engine.table, engine.work)
    assert_same(compiled.state, interpreted.state)


TRAINING = {"reward", "prune", "prior"}  # compared in test_training_options.py


def test_every_part_is_among_them():
    used = {word for method in METHODS for word in PARTS if word in method.replace("(", "+").split("+")}
    full_width = {"simultaneous", "alternating", "pdrm_plus", "scheduled", "restarts", "scheduled_average"}
    assert used == set(PARTS) - full_width - {"float64", "float32", "int16"} - TRAINING
    heads = {method.replace("(", "+").split("+")[0] for method in METHODS}
    recipes = {name: Method.parse(name) for name in RECIPES}
    assert heads == {name for name, method in recipes.items() if method.samples and not method.public}


def test_a_fast_method_takes_few_calls(monkeypatch):
    """Measured on the way or not: a call costs as much as a hundred iterations."""
    calls = []
    monkeypatch.setattr(engines, "run_walks", lambda *args: calls.append(args[0]) or run_walks(*args))
    mccfr.solve("leduc", "external", iterations=100_000)
    alone = len(calls)
    mccfr.solve("leduc", "external", iterations=100_000, watch=lambda progress: None)
    assert sum(calls) == 200_000
    assert alone <= 24
    assert len(calls) - alone <= 96


@pytest.mark.slow_cases("chance*")
@pytest.mark.parametrize("method", ["external", "outcome+predictive+rm_plus+linear", "chance+discounted+batch(4)"])
def test_the_chunks_of_a_run_do_not_matter(method):
    whole = mccfr.solve("leduc", method, iterations=100, seed=7)
    parts = mccfr.Solver("leduc", method, seed=7)
    for n in (1, 7, 60, 0, 32):
        parts.run(n)
    assert_same(whole.state, parts.state)
    assert whole.iterations == parts.iterations == 100


def test_seeds_decide():
    one, same, other = (mccfr.solve("leduc", "external", iterations=50, seed=s).state["regret"] for s in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_probing_with_everything_visited_is_external_sampling():
    assert_same(
        mccfr.solve("leduc", "external", iterations=50, seed=3).state,
        mccfr.solve("leduc", "external+probe", iterations=50, seed=3).state,
    )


def test_a_walk_that_samples_nothing_is_cfr():
    for game in ("kuhn", "goofspiel(3)"):
        walked = mccfr.solve(game, "everything", iterations=10).state
        swept = mccfr.solve(game, "cfr+simultaneous", iterations=10).state
        np.testing.assert_allclose(walked["regret"], swept["regret"], atol=1e-12)


def test_lazy_discounting_is_eager_discounting():
    """Nothing is missed when everything is visited, and then it must be what sweeps do."""
    walked = mccfr.solve("kuhn", "everything+discounted(1.5, 0.5)", iterations=30).state["regret"]
    swept = mccfr.solve("kuhn", "cfr+discounted(1.5, 0.5)+simultaneous", iterations=30).state["regret"]
    np.testing.assert_allclose(walked, swept, atol=1e-10)


@pytest.mark.slow
def test_shifted_payoffs_do_not_matter_to_the_always_call_baseline():
    """Davis, Schmid, Bowling 2019, section 5: walk by walk from a common state, to rounding."""
    plain = mccfr.solve("leduc", "outcome+static(call)+rm_plus+linear", iterations=200, seed=1).state
    shifted = mccfr.solve("leduc(shift=100)", "outcome+static(call)+rm_plus+linear", iterations=200, seed=1).state
    np.testing.assert_allclose(plain["regret"], shifted["regret"], atol=1e-9)


def test_the_predictive_baseline_removes_the_variance_under_a_frozen_strategy():
    """Once the tree is covered, the root's estimate is its value: the sharpest test of the bottom-up order."""
    solver = mccfr.Solver("kuhn", "outcome+predictive", seed=1)
    engine = solver.engine
    engine.parts = engine.parts._replace(minimiser=Recorder())  # notes regrets down and changes no strategy
    values = []
    with np.errstate(over="ignore"):
        for _ in range(400):
            engine.clock[1] = 0.0
            run_walks.interpreted(1, engine.clock, engine.parts, engine.tree, engine.table, engine.work)
            values.append(engine.clock[1])
    assert np.std(values[:50]) > 0.1
    assert values[-100:] == pytest.approx([0.125] * 100, abs=1e-9)


@pytest.mark.slow_cases("outcome*", "robust*")
@pytest.mark.parametrize(
    ("method", "bar"), [("external", 0.09), ("outcome+history+rm_plus+linear", 0.205), ("robust(2)+probe", 0.10)]
)
def test_sampled_methods_converge_on_leduc(method, bar):
    """Uniform play has 2.37. Seeds 1 to 20 gave 0.0735 (sd 0.0062), 0.1667 (0.0093) and 0.0754 (0.0065)."""
    assert mccfr.solve("leduc", method, iterations=100_000, seed=11).exploitability() < bar


WRONG = {
    "outcome(epsilon=1.5)": "outcome: epsilon must be a number from 0 to 1, got 1.5",
    "outcome(-0.1)": "outcome: epsilon must be a number from 0 to 1, got -0.1",
    "robust(k=0)": "robust: k must be a whole number from 1, got 0",
    "robust(1.5)": "robust: k must be a whole number from 1, got 1.5",
    "external+probe(0)": "probe: rollouts must be a whole number from 1, got 0",
    "external+history(rate=2)": "history: rate must be a number from 0 to 1, got 2",
    "everything+history": "a baseline corrects sampled values, but everything samples nothing",
    "cfr+history": "history corrects for what sampling leaves out, but full-width methods leave nothing out",
    "outcome+predictive+batch(8)": "predictive needs strategies that change within a walk, but batch freezes them",
    "chance+predictive": "predictive needs strategies that change within a walk, but a sampler that opens all actions",
    "external+simultaneous": "simultaneous is for full-width methods",
    "external+discounted(order=after)": "order=after is for full-width methods",
    "external+batch(0)": "batch: size must be a whole number from 1, got 0",
    "include(p=0)": "include: p must be a number from 1e-09 to 1, got 0",
    "cfr+floor": "a floor is for sampling",
    "cfr+batch(2)": "batch is for sampled methods",
}


@pytest.mark.parametrize("method", WRONG)
def test_parts_that_do_not_fit_are_refused_before_any_work(method):
    with pytest.raises(MccfrError) as error:
        mccfr.Solver("goofspiel(n=10)", method)  # far too large to compile: the method is looked at first
    assert str(error.value).startswith(WRONG[method])
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("game", "method", "message"),
    [
        (
            "goofspiel(3)",
            "outcome+static(call)",
            "static(call): infoset '0:' of goofspiel(n=3) has neither check nor call",
        ),
        ("kuhn", 'outcome+static("nowhere.mccfr")', "cannot read nowhere.mccfr: no such file"),
        ("kuhn", "include(always=foldd)", "include: no action is called 'foldd' in this game"),
    ],
)
def test_parts_that_do_not_fit_the_game_are_refused(game, method, message):
    with pytest.raises(MccfrError) as error:
        mccfr.Solver(game, method)
    assert str(error.value).startswith(message)


def test_a_static_baseline_of_another_game_is_refused(tmp_path):
    from mccfr.kernel.estimators import Static
    from mccfr.kernel.samplers import Outcome

    with pytest.raises(MccfrError, match="a strategy of leduc cannot be a baseline for kuhn: its infosets differ"):
        mccfr.Solver("kuhn", Method(Outcome(), estimator=Static(mccfr.uniform("leduc"))))


def test_three_players_are_refused():
    with pytest.raises(MccfrError, match="has 3 players: walks take two-player games only"):
        mccfr.Solver("openspiel:kuhn_poker(players=3)", "external")
