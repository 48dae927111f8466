"""The semi-vector form: one drawn hand against all. That its mean is right is tested in test_vector_sampling.py."""

import functools

import numpy as np
import pytest

import mccfr
from mccfr.auditing.every_outcome import EveryOutcome
from mccfr.kernel.iterations import run_walks
from mccfr.kernel.layout import CHANCE, KIND
from mccfr.kernel.recorded_walks import Recorder
from mccfr.kernel.vector import LearnSampled, vector_walk
from mccfr.solvers.choose_engine import engine_for
from mccfr.tree.dealt_tree import deal_out

dealt = functools.cache(lambda game: deal_out(mccfr.game(game)))


def engine(method, game="leduc", seed=1):
    return engine_for(dealt(game), mccfr.Method.parse(method), seed)


def walks(made, i, times=None):
    """Every outcome of a walk for player i: its probability, its hand and what it added to averages."""
    dice = EveryOutcome()
    work, actor = made.work._replace(dice=dice), LearnSampled(Recorder(), (1.0, 1.0), 1.0)
    going = True
    while going:
        made.table.average[:] = 0.0
        with np.errstate(over="ignore"):
            vector_walk(actor, made.parts.sampling, np.uint64(i), 1.0, made.tree, made.table, work)
        yield dice.probability, work.drawn.tolist(), made.table.average.copy(), work
        going = dice.turn()


@pytest.mark.parametrize("i", [0, 1])
def test_hands_come_as_they_are_dealt_and_only_they_are_remembered(i):
    tree = dealt("gp(types=3, copies=2, raises=1)")
    made = engine("semi_vector(robust)", "gp(types=3, copies=2, raises=1)")
    infosets, found = tree.infosets, np.zeros(len(tree.hands[1 - i]))
    for p, (hand, holder), added, work in walks(made, i):
        assert holder == 1 - i
        found[hand] += p
        touched = [j for j in range(len(infosets)) if added[infosets.row[j] : infosets.row[j + 1]].any()]
        assert touched
        assert {infosets.owner(j) for j in touched} == {1 - i}
        assert {infosets.labels[j].split(":")[0] for j in touched} == {tree.hands[1 - i][hand]}
        reach = work.reach.reshape(-1, int(work.hands))
        assert np.flatnonzero(reach.any(axis=0)).tolist() == [hand]
    np.testing.assert_allclose(found, tree.deal.sum(axis=i), atol=1e-12)


def test_events_come_as_the_hand_has_to_expect_them():
    """In Leduc the own card never comes, the other five are equally likely."""
    tree = dealt("leduc")
    chance = engine("semi_vector").parts.sampling.chance
    for h in np.flatnonzero(tree.nodes[KIND::4] & 255 == CHANCE):
        law = chance.event_probability[chance.key[h] :][: 2 * 36].reshape(2, 6, 6)
        np.testing.assert_allclose(law, np.broadcast_to((1.0 - np.eye(6)) / 5.0, (2, 6, 6)), atol=1e-15)
    np.testing.assert_allclose(tree.hand_probabilities, 1 / 6, atol=1e-15)


@pytest.mark.slow_cases("all*", "robust*")
@pytest.mark.parametrize(
    ("own", "goal"), [("all", 0.17), ("robust", 0.8), pytest.param("outcome", 0.8, marks=pytest.mark.slow)]
)
def test_it_learns(own, goal):
    solver = mccfr.solve("dealt:leduc", f"semi_vector({own})", iterations=100_000, seed=1)
    assert solver.exploitability() < goal


@pytest.mark.slow
def test_it_learns_where_hands_are_not_equally_likely():
    solver = mccfr.Solver("dealt:leduc(suits=False)", "semi_vector", seed=1)
    assert solver.run(100_000).exploitability() < 0.17


@pytest.mark.slow_cases("semi_vector(robust)+weighted*")
@pytest.mark.parametrize(
    "method",
    [
        pytest.param("semi_vector(all)+rm_plus+linear+batch(4)", marks=pytest.mark.slow),
        "semi_vector(robust)+weighted(power=2)+quadratic+skip(100)",
        pytest.param(
            "vector(own=robust(2), other=counts(was(both)))+discounted+linear+batch(4)", marks=pytest.mark.slow
        ),
    ],
)
def test_any_minimiser_average_and_batch_fits(method):
    tree = dealt("kuhn")
    solver = mccfr.Solver(tree, method, seed=2)
    assert mccfr.Method.parse(str(solver.method)) == solver.method
    assert solver.run(20_000).exploitability() < 0.08
    if "skip" in method:
        early = mccfr.Solver(tree, method, seed=2).run(100)
        assert not early.state["average"].any()
        assert early.state["regret"].any()


@pytest.mark.slow_cases("outcome", "all")
@pytest.mark.parametrize("own", ["all", "outcome"])
def test_compiled_is_interpreted_bit_for_bit(own):
    one, other = (engine(f"semi_vector({own})", seed=5) for _ in range(2))
    one.run(20)
    with np.errstate(over="ignore"):
        run_walks.interpreted(20, other.clock, other.parts, other.tree, other.table, other.work)
    assert one.arrays.keys() == other.arrays.keys()
    for name, value in one.arrays.items():
        np.testing.assert_array_equal(value, other.arrays[name], err_msg=name)


@pytest.mark.slow
def test_a_run_goes_on_from_its_arrays():
    straight, first, second = (engine("semi_vector(outcome)", seed=seed) for seed in (1, 1, 2))
    straight.run(100)
    first.run(40)
    for name, array in first.arrays.items():
        second.arrays[name][:] = array
    second.run(60)
    for name, array in straight.arrays.items():
        np.testing.assert_array_equal(array, second.arrays[name], err_msg=name)
    assert not any("odds" in name or "key" in name for name in straight.arrays)


@pytest.mark.slow
def test_solvers_take_it():
    solver = mccfr.Solver("nlph", "semi_vector(robust)", seed=3).run(50)
    assert solver.touched > 100
    assert np.count_nonzero(solver.state["average"]) > 0
