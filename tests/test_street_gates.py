"""Positions behind gates: against the same games written out, against linear programmes, and identities of gadgets."""

import contextlib
import hashlib
import itertools

import numpy as np
import pytest
from gate_twins import KINDS, PAIRS, POSITIONS, alternatives_of, make_pair, pair, position, same_profile
from street_trees import measured, strategy_of, street_tree

import mccfr
from mccfr.errors import MccfrError, StrategyError, TreeError
from mccfr.evaluate.street_values import StreetEvaluator
from mccfr.kernel import street_actors
from mccfr.kernel.dispatch import uncompiled
from mccfr.tree.street_gates import gated

pytestmark = pytest.mark.slow
LEARNED = [(name, kind) for name, kind in PAIRS if "locked" not in name]
UNLOCKED = sorted({name for name, _ in LEARNED})
COMPILED_LATER = itertools.product(["turn, locked"], KINDS, ["dcfr", "pcfr_plus+float32", "dcfr_restarts+int16"])
UNGATED = {  # tables after five iterations of kernels that knew no gates
    ("locked by range", "cfr"): "e25e4b84e6531109",
    ("locked by range", "cfr+float32"): "c7989365bcb3a393",
    ("turn of one suit", "cfr"): "80a8a0641fc39833",
    ("turn of one suit", "cfr+float32"): "ff1e76d7372473aa",
    ("turn of one suit", "cfr+int16"): "da9c48ad6606e061",
    ("locked on a river", "cfr"): "0e6a2adad950573b",
}


def kernels(name):
    """Where something is locked nothing is compiled: kernels of their own take longer to compile than to interpret."""
    return uncompiled() if "locked" in name else contextlib.nullcontext()


def bits(solver):
    return {name: (array.dtype, array.tobytes()) for name, array in solver.engine.arrays.items()}


# ---- the same games written out


@pytest.mark.slow_cases("river-resolve-2", "river-resolve-3", "*maxmargin*", "river, the opponent first*")
@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize(("name", "kind"), PAIRS)
def test_random_strategies_have_the_values_of_the_written_game(name, kind, seed):
    """Expected value and both best responses, also where strategies are locked or hands share one."""
    street, written, _ = make_pair(name, kind, seed)
    ours, theirs = same_profile(street, written, seed)
    with kernels(name):
        assert measured(street, ours, 1) == pytest.approx(measured(written, theirs), abs=1e-9)


@pytest.mark.slow_cases("*maxmargin*")
@pytest.mark.parametrize(
    "method", ["cfr_plus", *(pytest.param(each, marks=pytest.mark.slow) for each in ("dcfr", "pcfr_plus"))]
)
@pytest.mark.parametrize(
    ("name", "kind"), [("river", "resolve"), ("turn", "maxmargin"), ("turn of one suit", "resolve")]
)
def test_iterations_are_those_of_the_written_game(name, kind, method):
    """Exploitability and value of the average after a few: the gate learns like every other decision."""
    street, written, _ = pair(name, kind)
    numbers = []
    for tree in (street, written):
        with uncompiled():
            solver = mccfr.Solver(tree, method)
            solver.engine.run(3)
        value, current = mccfr.expected_value(solver.strategy()), mccfr.expected_value(solver.current())
        numbers.append([solver.exploitability(), value, current])
    assert numbers[0] == pytest.approx(numbers[1], abs=1e-9)


@pytest.mark.slow_cases("river-resolve", "*maxmargin*")
@pytest.mark.parametrize(("name", "kind"), LEARNED)
def test_solutions_have_the_value_of_the_linear_programme(name, kind):
    street, written, _ = pair(name, kind)
    exact = mccfr.solve(written, "lp")
    found = mccfr.Solver(street, "cfr_plus").run(3000)
    value = mccfr.expected_value(exact.strategy())
    assert found.exploitability() < 2e-3
    assert mccfr.expected_value(found.strategy()) == pytest.approx(value, abs=4e-3)
    low, high = (
        -measured(street, found.strategy().probabilities)[2],
        measured(street, found.strategy().probabilities)[1],
    )
    assert low - 1e-9 <= value <= high + 1e-9


@pytest.mark.slow_cases("*maxmargin*")
@pytest.mark.parametrize(("name", "kind"), PAIRS)
def test_best_replies_at_the_gate_are_worth_what_is_said(name, kind):
    street, written, _ = pair(name, kind)
    profile, _ = same_profile(street, written, 5)
    judge = StreetEvaluator(street, 1)
    for player, sign in ((0, 1), (1, -1)):
        with kernels(name):
            judge.load(profile)
            value = judge.best_response(player)
            assert StreetEvaluator(street, 1).value(judge.reply) * sign == pytest.approx(value, abs=1e-9)


# ---- identities


def solved(name, kind="unsafe"):
    """A position with the opponent's range 1 everywhere, solved; its tree, its opponent, alternatives by best reply."""
    _, rules = position(name)
    tree, opponent = mccfr.compile(rules), POSITIONS[name][1]
    solver = mccfr.Solver(tree, "cfr_plus").run(4000)
    judge = StreetEvaluator(tree, 1)
    judge.load(solver.strategy().probabilities)
    judge.best_response(opponent)
    hands = len(tree.boards.members[opponent])
    return tree, opponent, solver, judge.sweeps.works[0].value[:hands] / weights_against(tree, opponent)


def weights_against(tree, opponent):
    """w(j), pair by pair."""
    deck, other = tree.boards.deck.cards, 1 - opponent
    found = [
        sum(tree.rules.ranges[other][h] for h in tree.boards.members[other] if not set(deck[h]) & set(deck[j]))
        for j in tree.boards.members[opponent]
    ]
    return np.array(found) / tree.pairs


@pytest.mark.slow_cases("river", "river, the opponent first")
@pytest.mark.parametrize("name", UNLOCKED)
def test_at_equilibrium_nobody_gains_by_the_gate(name):
    """`resolve` is then worth sum w(j) alt(j) to the opponent, and the least margin of `maxmargin` is 0."""
    tree, opponent, solver, worth = solved(name)
    error = 2 * solver.exploitability() + 1e-3
    sign = 1 if opponent == 0 else -1
    for kind, right in (("resolve", weights_against(tree, opponent) @ worth), ("maxmargin", 0.0)):
        found = mccfr.Solver(gated(tree, opponent, kind, worth), "cfr_plus").run(2000)
        assert sign * mccfr.expected_value(found.strategy()) == pytest.approx(right, abs=error + 2e-3)


@pytest.mark.parametrize("name", UNLOCKED)
def test_who_is_never_paid_for_stopping_follows(name):
    """With worthless alternatives `resolve` is the game in which the opponent's range is 1 everywhere."""
    tree, rules = position(name)
    opponent = POSITIONS[name][1]
    behind, plain = (
        gated(tree, opponent, "resolve", np.full(len(tree.boards.members[opponent]), -1e6)),
        mccfr.compile(rules),
    )
    rows = np.random.default_rng(1).exponential(size=behind.infosets.entries)
    rows[behind.gate_rows.span] = np.tile([0.0, 1.0], behind.gate_rows.rows)
    inside = np.delete(rows, np.r_[behind.gate_rows.span])
    assert measured(behind, rows) == pytest.approx(measured(plain, inside), abs=1e-9)
    found = mccfr.Solver(behind, "cfr_plus").run(300).strategy()
    assert found.probabilities[behind.gate_rows.span].reshape(-1, 2)[:, 1].min() > 0.99


def test_unsafe_is_the_position_itself():
    tree, _ = position("river")
    assert gated(tree, 1, "unsafe") is tree


# ---- exchanges of suits


@pytest.mark.slow_cases("*maxmargin*")
@pytest.mark.parametrize("kind", KINDS)
def test_exchanges_that_change_alternatives_are_not_used(kind):
    """A river and a turn with alternatives that tell suits apart have every board and hand for itself."""
    tree, _ = position("turn of one suit")
    hands = len(tree.boards.members[0])
    by_suit = gated(tree, 0, kind, np.arange(hands))
    assert len(by_suit.boards.listed[0].keeps) == 1 < len(tree.boards.listed[0].keeps)
    assert len(by_suit.boards.listed) > len(tree.boards.listed)
    assert (by_suit.boards.members[0] == tree.boards.members[0]).all()
    alike, _ = alternatives_of(tree, 0, 1)
    near = gated(tree, 0, kind, alike + np.random.default_rng(1).normal(size=hands) * 1e-13)
    assert len(near.boards.listed) == len(tree.boards.listed)


@pytest.mark.slow_cases("*maxmargin*")
@pytest.mark.parametrize("kind", KINDS)
def test_with_and_without_exchanges_it_is_the_same_game(kind, monkeypatch):
    """The same random strategy, and the same solution."""
    street, written, _ = pair("turn of one suit", kind)
    from mccfr.tree import street_gates

    monkeypatch.setattr(street_gates, "ALIKE", 0.0)
    tree, _ = position("turn of one suit")
    worth, _ = alternatives_of(tree, 0, 1)
    alone = gated(tree, 0, kind, worth + 1e-13 * np.arange(len(worth)))
    assert len(alone.boards.listed) > len(street.boards.listed)
    ours, _ = same_profile(street, written, 4)
    profile = np.zeros(alone.infosets.entries)
    for j, label in enumerate(alone.infosets.labels):
        here = street.infosets.find(label, alone.infosets.owner(j))
        arity = len(alone.infosets.actions(j))
        at, to = street.infosets.entry(here), alone.infosets.entry(j)
        profile[to : to + arity] = ours[at : at + arity]
    assert measured(alone, profile) == pytest.approx(measured(street, ours), abs=1e-9)
    found = [mccfr.Solver(one, "cfr_plus").run(20) for one in (alone, street)]
    assert found[0].exploitability() == pytest.approx(found[1].exploitability(), abs=1e-9)


# ---- bits


@pytest.mark.parametrize(("name", "method"), UNGATED)
def test_without_a_gate_tables_are_what_they_were(name, method):
    solver = mccfr.Solver(street_tree(name), method)
    with uncompiled():
        solver.engine.run(5)
    content = hashlib.sha256(
        b"".join(solver.engine.arrays[part].tobytes() for part in ("current", "regret", "average"))
    )
    assert content.hexdigest()[:16] == UNGATED[name, method]


@pytest.mark.slow_cases("*maxmargin*")
@pytest.mark.parametrize(
    ("name", "kind", "method"),
    [
        ("turn of one suit", "resolve", "cfr_plus"),
        ("turn of one suit", "maxmargin", "cfr_plus"),
        *(pytest.param(*case, marks=pytest.mark.slow) for case in COMPILED_LATER),
    ],
)
def test_compiled_and_interpreted_with_any_number_of_workers(name, kind, method):
    street, _, _ = pair(name, kind)
    alone = mccfr.Solver(street, method, workers=1).run(4)
    interpreted, two = mccfr.Solver(street, method), mccfr.Solver(street, method, workers=2).run(4)
    with uncompiled():
        interpreted.engine.run(4)
    assert bits(alone) == bits(two) == bits(interpreted)
    numbers = [measured(street, alone.strategy().probabilities, workers).tobytes() for workers in (1, 2)]
    assert numbers[0] == numbers[1]


@pytest.mark.slow_cases("*maxmargin*")
@pytest.mark.parametrize("method", ["cfr_plus", "dcfr+int16"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_state_taken_over_goes_on_bit_for_bit(kind, method):
    street, _, _ = pair("river, the opponent first", kind)
    through, first, second = (mccfr.Solver(street, method) for _ in range(3))
    with uncompiled():
        through.engine.run(5)
        first.engine.run(2)
        second.restore({name: np.copy(x) if isinstance(x, np.ndarray) else x for name, x in first.state.items()})
        second.engine.run(3)
    assert bits(second) == bits(through)


@pytest.mark.slow
@pytest.mark.parametrize(("tables", "error"), [("float32", 1e-5), ("int16", 0.02)])
@pytest.mark.parametrize("kind", KINDS)
def test_smaller_numbers_come_to_about_the_same(kind, tables, error):
    street, _, _ = pair("river", kind)
    found = []
    for kept in ("float64", tables):
        solver = mccfr.Solver(street, f"cfr_plus+{kept}")
        with uncompiled():
            solver.engine.run(40)
        assert solver.engine.arrays["average"].dtype == (np.uint16 if kept == "int16" else kept)
        found.append(solver.exploitability())
    assert found[1] == pytest.approx(found[0], abs=error)


# ---- infosets


@pytest.mark.slow_cases("*maxmargin*")
@pytest.mark.parametrize(("name", "kind"), PAIRS)
def test_infosets_of_the_gate_belong_to_the_tree(name, kind):
    street, written, _ = pair(name, kind)
    infosets, opponent = street.infosets, POSITIONS[name][1]
    assert infosets.row.tolist() == [infosets.entry(j) for j in range(len(infosets) + 1)]
    assert [infosets.find(label, infosets.owner(j)) for j, label in enumerate(infosets.labels)] == [
        *range(len(infosets))
    ]
    strategy, first = strategy_of(street, infosets.uniform()), infosets.first[opponent]
    label = infosets.labels[first]
    assert label == "gate" if kind == "maxmargin" else label.endswith(":gate")
    assert sum(strategy[label].values()) == pytest.approx(1)
    assert tuple(strategy[label]) == (("stop", "follow") if kind == "resolve" else infosets.actions(first))
    for j in range(len(written.infosets) if "suit" not in name and "locked" not in name else 0):
        here = infosets.find(written.infosets.labels[j], written.infosets.owner(j))
        before, there = int(infosets.parent[here]), int(written.infosets.parent[j])
        assert told(infosets, before)[1:] == told(written.infosets, there)[1:]


def told(infosets, entry):
    """An entry as label and action."""
    at = int(np.searchsorted(infosets.row, entry, side="right")) - 1
    return (infosets.labels[at], infosets.actions(at)[entry - infosets.row[at]]) if entry >= 0 else (None, None)


def test_a_gate_changes_the_fingerprint():
    tree, _ = position("river")
    zeros = np.zeros(10)
    found = {tree.fingerprint}
    for kind, worth in itertools.product(KINDS, (zeros, zeros + 1)):
        found.add(gated(tree, 1, kind, worth).fingerprint)
    assert len(found) == 5


# ---- refused


@pytest.mark.slow_cases("*reach*")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"gadget": "resolved"}, "'resolved' is no gadget: expected one of unsafe, resolve, maxmargin, reach"),
        ({"opponent": 2}, "no player 2: the opponent is 0 or 1"),
        ({"alternatives": None}, "alternatives have the shape (): expected one for each of 10 hands"),
        ({"alternatives": [0.0]}, "alternatives have the shape (1,): expected one for each of 10 hands"),
        ({"alternatives": ["a"] * 10}, "alternatives must be numbers, one for each of 10 hands"),
        ({"alternatives": [0.0] * 9 + [np.inf]}, "the alternative of hand 9 is inf: expected a finite number of chips"),
    ],
)
def test_wrong_gates_are_refused(change, said):
    given = {"opponent": 1, "gadget": "resolve", "alternatives": np.zeros(10), **change}
    with pytest.raises(TreeError) as caught:
        gated(position("river")[0], **given)
    assert str(caught.value) == said


def test_a_strategy_that_could_not_be_read_again_is_not_saved(tmp_path):
    street, _, _ = pair("river", "resolve")
    with pytest.raises(StrategyError, match="behind resolve has no name by which it could be read again"):
        strategy_of(street, street.infosets.uniform()).save(tmp_path / "a.mccfr")
    assert not list(tmp_path.iterdir())


def test_public_chance_sampling_is_right_on_average_at_a_gate(monkeypatch):
    """Over all cards that may be drawn, what the gate learns in a sweep is what a full sweep teaches it."""
    street, _, _ = pair("turn", "resolve")
    count = sum(len(board.images) for board in street.boards.listed[1:])

    def swept(method, draw):
        monkeypatch.setattr(street_actors, "below", lambda dice, k: np.uint64(draw))
        engine = mccfr.Solver(street, method).engine
        with uncompiled():
            engine.sweeps.sweep(engine.actor, street.gate_rows.owner, engine.table)
        return engine.regrets()[street.gate_rows.span]

    found = [swept("public_chance(1)", draw) for draw in range(count)]
    assert np.mean(found, axis=0) == pytest.approx(swept("cfr", 0), abs=1e-12)
    assert np.std(found, axis=0).max() > 1e-3


def test_a_second_gate_and_walks_are_refused():
    street, _, _ = pair("river", "resolve")
    with pytest.raises(TreeError, match="has a gate already"):
        gated(street, 1, "resolve", np.zeros(10))
    with pytest.raises(MccfrError, match="takes full-width methods"):
        mccfr.solve(street, "external", iterations=10)


@pytest.mark.slow_cases("*maxmargin*")
@pytest.mark.parametrize(
    ("kind", "label"),
    [("resolve", "gate"), ("resolve", "2c2d:gate"), ("maxmargin", "6d5c:gate"), ("resolve", "6d:gate")],
)
def test_labels_that_are_not_there(kind, label):
    with pytest.raises(StrategyError, match=f"no infoset '{label}'"):
        strategy_of(pair("river", kind)[0], pair("river", kind)[0].infosets.uniform())[label]
