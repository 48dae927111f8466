"""Several workers: what is promised of each mode, and what is refused."""

import threading

import numpy as np
import pytest

import mccfr
from mccfr.errors import MethodError, TreeError
from mccfr.kernel.iterations import run_walks
from mccfr.kernel.layout import Table
from mccfr.kernel.play import strategy
from mccfr.kernel.sharing import Snapshot, collect, release, take
from mccfr.solvers.parallel import BatchEngine, blocks_of
from mccfr.solvers.workers import MODES, choose_team

METHODS = [
    *("external", "robust(1)+probe", "external+discounted(1.5,0)", "outcome+floor(0.1,1000)"),
    *(  # other kernels, the same merging
        pytest.param(method, marks=pytest.mark.slow)
        for method in ("outcome", "average_strategy", "external+rm_plus+linear", "outcome+own_average")
    ),
    pytest.param("outcome+static(call)", marks=pytest.mark.slow),
]


def state(solver):
    return {name: value for name, value in solver.state.items() if name != "seconds"}


def assert_same(a, b):
    assert a.keys() == b.keys()
    for name in a:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


def run(method="external", workers=1, parallel="auto", iterations=300, game="leduc", seed=5):
    return mccfr.solve(game, method, iterations=iterations, seed=seed, workers=workers, parallel=parallel)


@pytest.mark.slow_cases(
    "robust*",
    "outcome+floor*",
    "external+discounted*",
    "average_strategy",
    "outcome+own_average",
    "outcome+static(call)",
    "external+rm_plus+linear",
)
@pytest.mark.parametrize("method", METHODS)
def test_batches_do_not_depend_on_the_number_of_workers(method):
    one, two, five = (run(f"{method}+batch(50)", workers, "batch") for workers in (1, 2, 5))
    assert one.iterations == 300
    assert_same(state(one), state(two))
    assert_same(state(one), state(five))
    assert np.abs(one.state["regret"]).max() > 0


def test_batches_differ_from_seed_to_seed_and_from_block_to_block():
    one, other = run(workers=2, parallel="batch"), run(workers=2, parallel="batch", seed=6)
    assert not np.array_equal(one.state["regret"], other.state["regret"])
    engine = one.engine
    first, second = (engine.crew.walkers[0].walk(block) for block in list(blocks_of(0, 64))[:2])
    assert not np.array_equal(first.values, second.values[: len(first.values)])


def test_a_batch_of_one_block_is_the_mean_of_its_walks():
    """What Deferred does for one worker, with the same dice."""
    tree = mccfr.compile("kuhn")
    engine = BatchEngine(tree, mccfr.Method.parse("external+batch(8)"), 3, 1)
    twin = mccfr.Solver(tree, "external+batch(8)").engine
    for block in blocks_of(0, 8):
        dice = engine.crew.walkers[0].work._replace(dice=mccfr.kernel.dice.seeded(3, block.batch, block.number)).dice
        twin.work.dice.state[:] = dice.state
        twin.run(block.iterations)
    engine.run(8)
    for name in ("regret", "current", "average"):
        np.testing.assert_allclose(getattr(engine.table, name), getattr(twin.table, name), atol=1e-12)


def test_whole_batches_are_run():
    solver = run("external+batch(50)", 2, "batch", iterations=120)
    assert solver.iterations == 150
    solver.run(10)
    assert solver.iterations == 200


@pytest.mark.parametrize("mode", ["replicas", "batch"])
def test_reproducible_modes_do_not_depend_on_pieces(mode):
    whole = run("external+batch(10)", 3, mode, iterations=200)
    pieces = run("external+batch(10)", 3, mode, iterations=70)
    pieces.run(130)
    assert whole.reproducible
    assert_same(state(whole), state(pieces))


@pytest.mark.slow_cases("?-locked", "?-shared")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("workers", [1, 3])
def test_a_state_restored_goes_on_as_it_was(mode, workers):
    first = run(workers=workers, parallel=mode)
    saved = {name: np.array(value) for name, value in first.state.items()}
    saved |= {name: first.state[name] for name in ("iterations", "seconds", "seed")}
    second = mccfr.Solver("leduc", "external", 5, workers=workers, parallel=mode)
    second.restore(saved)
    assert_same(state(first), state(second))
    if first.reproducible:
        assert_same(state(first.run(100)), state(second.run(100)))


QUICK = {("external", "locked"), ("external", "shared"), ("outcome+predictive", "shared")}  # others: other kernels


@pytest.mark.slow_cases("outcome+predictive*", "average_strategy*", "outcome+floor*", "external-locked")
@pytest.mark.parametrize(
    ("method", "mode"),
    [
        pytest.param(method, mode, marks=[pytest.mark.slow] * (mode != "replicas" and (method, mode) not in QUICK))
        for method in ("external", "outcome+predictive", "outcome+floor(0.1,1000)", "average_strategy")
        for mode in ("replicas", "shared", "locked")
    ],
)
def test_one_worker_in_any_mode_is_the_plain_walk(method, mode):
    plain, one = run(method), run(method, 1, mode)
    prefix = "replica0." if mode == "replicas" else ""
    for name in ("regret", "current", "average", "dice", "touched"):
        np.testing.assert_array_equal(plain.state[name], one.state[prefix + name], err_msg=name)


def test_replicas_are_independent_and_their_averages_are_summed():
    solver = run(workers=3, parallel="replicas", iterations=100)
    replicas = solver.engine.replicas
    assert [int(replica.clock[0]) for replica in replicas] == [34, 33, 33]
    assert not np.array_equal(replicas[0].table.regret, replicas[1].table.regret)
    np.testing.assert_array_equal(solver.engine.weights(), sum(replica.table.average for replica in replicas))
    assert_same(replicas[0].arrays, run(iterations=34).engine.arrays)


@pytest.mark.slow_cases("batch*")
@pytest.mark.parametrize(("mode", "bar"), [("replicas", 0.07), ("batch", 0.07), ("shared", 0.06), ("locked", 0.065)])
def test_modes_converge(mode, bar):
    """Leduc, 200,000 iterations by 2 workers. Bars: mean + 4 sd of 20 seeds (means 0.056, 0.051, 0.048, 0.051)."""
    assert run("external", 2, mode, iterations=200_000).exploitability() < bar


@pytest.mark.parametrize("mode", ["shared", "locked"])
def test_workers_on_one_table_lose_next_to_nothing(mode):
    """Every iteration adds about one to the averages at the root: lost updates would be missing there."""
    solver = run("external", 4, mode, iterations=100_000)
    assert solver.iterations == 100_000
    root = solver.tree.infosets
    opening = [j for j in range(len(root)) if root.labels[j].endswith(":")][:6]
    mass = sum(solver.state["average"][root.row[j] : root.row[j + 1]].sum() for j in opening)
    assert mass == pytest.approx(100_000, rel=0.02)
    assert not solver.reproducible


def test_walks_on_a_shared_table_play_from_their_own_snapshot():
    """A row that another worker is changing does not sum to 1; what is drawn from and divided by does."""
    table = Table(np.array([0.9, 0.9, 0.0, 0.0]), np.zeros(4), np.zeros(4))
    frame = np.zeros(2)
    u = np.uint64
    p, s = strategy(Snapshot(), table, u(0), u(2), frame, u(0), 1.0)
    assert (p is frame, s) == (True, 0)
    np.testing.assert_array_equal(frame, [0.5, 0.5])
    table.current[:2] = 0.3, 0.7
    np.testing.assert_array_equal(frame, [0.5, 0.5])
    strategy(Snapshot(), table, u(2), u(2), frame, u(0), 1.0)
    np.testing.assert_array_equal(frame, [0.5, 0.5])
    strategy(Snapshot(), table, u(0), u(2), frame, u(0), 1.0)
    np.testing.assert_array_equal(frame, [0.3, 0.7])


def test_a_lock_keeps_a_second_worker_out():
    solver = mccfr.Solver("kuhn", "external", 1, workers=1, parallel="locked")
    solver.run(1)
    take(solver.engine.table, np.uint64(0))
    assert solver.engine.table.locks[0] == 1
    other = threading.Thread(target=solver.run, args=(1000,), daemon=True)
    other.start()
    other.join(0.5)
    assert other.is_alive()
    release(solver.engine.table, np.uint64(0))
    other.join(20)
    assert not other.is_alive()
    assert not solver.engine.table.locks.any()


def test_a_draft_leaves_the_table_alone_and_is_blank_after_collecting():
    engine = BatchEngine(mccfr.compile("leduc"), mccfr.Method.parse("external+batch(8)"), 3, 1)
    walker = engine.crew.walkers[0]
    before = [array.copy() for array in engine.table]
    notes = walker.walk(next(iter(blocks_of(0, 64))))
    for array, copy in zip(engine.table, before):
        np.testing.assert_array_equal(array, copy)
    assert np.abs(notes.values).sum() > 0
    for name in ("gained", "added", "marks", "count"):
        assert not getattr(walker.draft, name).any(), name


def test_compiled_notes_equal_interpreted_ones():
    engine = BatchEngine(mccfr.compile("kuhn"), mccfr.Method.parse("external+batch(8)"), 3, 1)
    walker, block = engine.crew.walkers[0], next(iter(blocks_of(0, 64)))
    compiled = walker.walk(block)
    work = walker.work._replace(dice=mccfr.kernel.dice.seeded(3, block.batch, block.number))
    rows, values = np.empty_like(compiled.rows), np.empty_like(compiled.values)
    with np.errstate(over="ignore"):
        run_walks.interpreted(block.iterations, np.zeros(2), walker.parts, walker.tree, walker.draft, work)
        collect.interpreted(walker.draft, rows, values)
    np.testing.assert_array_equal(rows, compiled.rows)
    np.testing.assert_array_equal(values, compiled.values)


@pytest.mark.parametrize(
    ("method", "workers", "mode", "message"),
    [
        ("external", -1, "auto", "workers must be a whole number from 1"),
        ("external", True, "auto", "workers must be a whole number from 1"),
        ("external", 2, "shraed", "unknown parallel mode 'shraed'; did you mean shared?"),
        ("cfr_plus", 2, "shared", "shared divides walks among workers, but cfr_plus makes none"),
        ("external+batch(8)", 2, "shared", "freezes them: use batch or replicas"),
        ("chance", 2, "locked", "freezes them: use batch or replicas"),
        ("outcome+history", 2, "batch", "history learns during walks: use replicas or shared"),
        ("outcome+optimistic", 2, "batch", "optimistic averages change"),
        (
            "outcome(explore=counts)",
            2,
            "shared",
            "but counts must stand still during a draw of outcome(explore=counts)",
        ),
        (
            "outcome(explore=counts)+batch(8)",
            2,
            "batch",
            "but counts must stand still during a draw of outcome(explore=counts)",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(method, workers, mode, message):
    with pytest.raises(MethodError) as error:
        mccfr.Solver("kuhn", method, workers=workers, parallel=mode)
    assert message in str(error.value)


def test_tables_that_would_not_fit_are_refused(monkeypatch):
    monkeypatch.setenv("MCCFR_MEMORY_LIMIT", "1MB")
    tree = mccfr.compile("leduc", "1GB")
    with pytest.raises(TreeError, match=r"replicas with 64 workers would need about 3\.2 MB"):
        mccfr.Solver(tree, "external", workers=64, parallel="replicas")


def test_auto_chooses_by_the_size_of_the_table():
    """docs/runs.md has the measurements."""
    leduc = mccfr.compile("leduc")
    method = mccfr.Method.parse
    assert choose_team(leduc, method("external"), 2, "auto").mode == "replicas"
    assert choose_team(leduc, method("external+batch(9)"), 2, "auto").mode == "batch"
    assert choose_team(leduc, method("external"), 1, "auto").mode == ""
    assert choose_team(leduc, method("cfr"), 2, "auto") == (1, "", "cfr runs on one core")
    assert choose_team(leduc, method("external"), 0, "auto").workers >= 1
    large = mccfr.compile("goofspiel(n=6)")
    assert choose_team(large, method("external"), 2, "auto").mode == "shared"
    for counting in ("outcome(explore=counts)", "outcome(explore=counts)+batch(8)"):
        assert choose_team(large, method(counting), 2, "auto").mode == "replicas"
