"""Sweeps over street trees: the same bits compiled and interpreted, by any number of workers, and after a pause."""

import itertools
import re

import numpy as np
import pytest
from street_trees import Rows, exchanges, street_game, street_tree, written_tree

import mccfr
from mccfr.evaluate.street_values import StreetEvaluator
from mccfr.kernel import columns, street_actors
from mccfr.kernel.dispatch import entry, uncompiled
from mccfr.tree import street_lines

GAMES = ["locked by range", "turn", "locked on a river", "turn of one suit"]
WHOLE = "no-limit, one card a street"
SLOW = [pytest.param(method, marks=pytest.mark.slow) for method in ("cfr", "cfr_plus", "dcfr_restarts")]


def bits(solver):
    return {name: (array.dtype, array.tobytes()) for name, array in solver.engine.arrays.items()}


# ---- compiled and interpreted


@pytest.mark.slow_cases("locked by range*", "locked on a river-dcfr+float32", "*float32*", "locked*")
@pytest.mark.parametrize(
    ("name", "method"),
    [
        *itertools.product(GAMES, ["dcfr+float64", "dcfr+float32"]),
        pytest.param("turn of one suit", "dcfr+int16", marks=pytest.mark.slow),
        pytest.param("turn", "public_chance(2)", marks=pytest.mark.slow),
        pytest.param("turn of one suit", "public_chance(2)", marks=pytest.mark.slow),
    ],
)
def test_compiled_sweeps_are_interpreted_ones(name, method, monkeypatch):
    """Tables after three iterations, bit for bit: the last street in segments, with and without locks."""
    monkeypatch.setattr(street_lines, "SEGMENT_NODES", 4)
    tree = mccfr.compile(street_game(name))
    compiled, interpreted = mccfr.Solver(tree, method).run(3), mccfr.Solver(tree, method)
    with uncompiled():
        interpreted.engine.run(3)
    assert bits(compiled) == bits(interpreted)
    assert np.count_nonzero(compiled.engine.arrays["regret"]) > 30


@pytest.mark.slow_cases("locked*")
@pytest.mark.parametrize("name", GAMES)
def test_compiled_evaluation_is_interpreted_evaluation(name):
    tree = street_tree(name)
    profile = Rows(tree.given, 1).profile(tree)

    def numbers():
        judge = StreetEvaluator(tree, workers=1)
        value = judge.value(profile)
        answers = [(judge.best_response(player), judge.reply.tobytes()) for player in (0, 1)]
        return value, answers, judge.best_values(profile)

    compiled = numbers()
    with uncompiled():
        assert numbers() == compiled


@entry
def use_columns(target, source, places):
    """Every operation on rows, once each."""
    t, a, b, c = places
    columns.add_row(target, t, source, a)
    columns.take_rest(target, t + columns.COLUMNS, source, a, b, c)
    columns.put_rest(target, t + columns.u64(2) * columns.COLUMNS, source, a, b, c)
    columns.add_rest(target, t + columns.u64(3) * columns.COLUMNS, source, a, b, c)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_rows_of_columns_compiled_are_rows_number_by_number(dtype):
    """Also where rows do not begin at multiples of their width; numbers beside them stay as they are."""
    width, dice = columns.WIDTH, np.random.default_rng(1)
    target, source = dice.normal(size=6 * width).astype(dtype), dice.normal(size=9 * width).astype(dtype)
    places = tuple(np.uint64(place) for place in (5, 0, 3 * width + 7, 5 * width + 1))
    there, plain = target.copy(), target.copy()
    use_columns(there, source, places)
    use_columns.interpreted(plain, source, places)
    rows = [source[int(place) : int(place) + width] for place in places[1:]]
    row = [slice(5 + j * width, 5 + (j + 1) * width) for j in range(4)]
    right = target.copy()
    right[row[0]] += rows[0]
    right[row[1]] = target[row[1]] - (rows[0] - rows[1] - rows[2])
    right[row[2]] = rows[0] - rows[1] - rows[2]
    right[row[3]] = rows[0] - rows[1] - rows[2] + target[row[3]]
    assert there.tobytes() == plain.tobytes() == right.tobytes()


# ---- workers


@pytest.mark.slow_cases("locked*")
@pytest.mark.parametrize("method", ["dcfr", *SLOW])
@pytest.mark.parametrize("name", ["turn", "turn of one suit", "locked on a river", WHOLE])
def test_any_number_of_workers_gives_the_same_bits(name, method):
    tree = street_tree(name)
    alone = mccfr.Solver(tree, method, workers=1).run(7)
    for workers in (2, 3):
        assert bits(mccfr.Solver(tree, method, workers=workers).run(7)) == bits(alone)


@pytest.mark.slow_cases("locked*")
@pytest.mark.parametrize("name", ["turn", "locked on a river", "turn of one suit", WHOLE])
def test_any_number_of_workers_evaluates_to_the_same_bits(name):
    tree = street_tree(name)
    profile = Rows(tree.given, 2).profile(tree)

    def numbers(workers):
        judge = StreetEvaluator(tree, workers)
        assert judge.sweeps.workers == workers
        value = judge.value(profile)
        return value, judge.best_values(profile), [(judge.best_response(p), judge.reply.tobytes()) for p in (0, 1)]

    assert numbers(1) == numbers(2) == numbers(3)


def test_a_river_has_work_for_one():
    assert StreetEvaluator(street_tree("river"), 3).sweeps.workers == 1


# ---- pauses


@pytest.mark.slow_cases("dcfr+float32")
@pytest.mark.parametrize("method", ["dcfr", *SLOW, "dcfr+float32", pytest.param("dcfr+int16", marks=pytest.mark.slow)])
def test_a_state_taken_over_goes_on_bit_for_bit(method):
    """Whoever goes on: one worker or two. With tables of every precision."""
    tree = mccfr.compile(street_game("turn of one suit"))
    through = mccfr.Solver(tree, method).run(12)
    first = mccfr.Solver(tree, method).run(5)
    second = mccfr.Solver(tree, method, workers=2)
    second.restore({name: np.copy(x) if isinstance(x, np.ndarray) else x for name, x in first.state.items()})
    assert bits(second.run(7)) == bits(through)


# ---- public chance sampling


@pytest.mark.parametrize("boards", [1, 2])
@pytest.mark.parametrize("name", ["turn", "turn of one suit"])
def test_public_chance_sampling_is_right_on_average(name, boards, monkeypatch):
    """Over all draws: exact before the draw, and after it what a sweep adds times how often the board is drawn."""
    tree = street_tree(name)
    images = [max(1, len(board.images)) for board in tree.boards.listed]
    count = sum(images[1:])
    share = np.repeat([1.0, *(copies * boards / count for copies in images[1:])], 2)
    for player in (0, 1):
        found = [swept(tree, f"public_chance({boards})", player, monkeypatch, draw) for draw in range(count)]
        full = swept(tree, "cfr", player, monkeypatch)
        assert np.mean(found, axis=0) == pytest.approx(full * np.concatenate(by_entry(tree, share)), abs=1e-12)
        assert np.std(found, axis=0).max() > 1e-3


def swept(tree, method, player, monkeypatch, draw=0):
    """The regrets of one sweep for a player, all draws being this one."""
    monkeypatch.setattr(street_actors, "below", lambda dice, k: np.uint64(draw))
    engine = mccfr.Solver(tree, method).engine
    with uncompiled():
        engine.sweeps.sweep(engine.actor, player, engine.table)
    return engine.regrets()


def by_entry(tree, share):
    """A number for every list of hands as one for every table entry: player 0's boards first."""
    sizes = np.diff(tree.boards.boards.start.astype(int)).reshape(-1, 2) * tree.laid.entries[tree.boards.street]
    return [np.repeat(share[player::2], sizes[:, player]) for player in (0, 1)]


# ---- hands that share a strategy


@pytest.mark.parametrize("name", ["turn of one suit", "flop with a pair", WHOLE])
def test_hands_that_share_a_strategy_play_alike_to_the_last_bit(name):
    tree = street_tree(name)
    assert len(exchanges(tree.given)) > 1
    current, rows = mccfr.Solver(tree, "dcfr").run(40).current(), {}
    grouped = Rows(tree.given, 3)
    for j, label in enumerate(tree.infosets.labels):
        row = list(current.at(j).values())
        grouped.row(label, len(row))
        assert rows.setdefault(id(grouped.row(label, len(row))), row) == row
    assert len(rows) < len(tree.infosets)


# ---- precision


@pytest.mark.slow
def test_single_precision_changes_little_on_small_games():
    """What float32 tables come to after 200 iterations, measured in float64, against float64 tables."""
    double, single = (mccfr.Solver(street_tree("turn"), f"dcfr+{tables}").run(200) for tables in ("float64", "float32"))
    assert single.engine.arrays["average"].dtype == np.float32
    assert single.exploitability() <= double.exploitability() + 1e-5 * street_tree("turn").pot


def test_written_trees_have_fewer_infosets_where_nobody_can_hold_a_hand():
    """A street tree carries hands that meet no hand of the other on some board; they are worth nothing."""
    assert len(street_tree("turn").infosets) > len(written_tree("turn").infosets)
    extra = set(street_tree("turn").infosets.labels) - set(written_tree("turn").infosets.labels)
    solver = mccfr.Solver(street_tree("turn"), "dcfr").run(5)
    for label in sorted(extra)[:50]:
        row = list(solver.current()[label].values())
        assert row == pytest.approx([1 / len(row)] * len(row), abs=1e-12)


# ---- infosets


@pytest.mark.parametrize("name", ["turn", "flop", "turn of one suit", "flop with a pair", WHOLE])
def test_what_a_player_did_last_is_in_its_label(name):
    """The entry before an infoset is of the same hand, on the way to it, and the player's last there."""
    infosets = street_tree(name).infosets
    assert infosets.row.tolist() == [infosets.entry(j) for j in range(len(infosets) + 1)]
    for j, before in enumerate(infosets.parent.tolist()):
        hand, _, line = infosets.labels[j].partition(":")
        if before >= 0:
            above = int(np.searchsorted(infosets.row, before, side="right")) - 1
            assert infosets.owner(above) == infosets.owner(j)
            way = infosets.labels[above] + infosets.actions(above)[before - infosets.row[above]]
            assert infosets.labels[j].startswith(way)
            between = line[len(way) - len(hand) - 1 :]
        else:
            between = line
        moves = re.findall(r"[a-z][0-9]*", re.sub(r"/[^:]*:", "", between))
        assert len(moves) <= 2  # the other's: a call that ends a street, and the first move of the next


def test_the_same_is_before_in_the_written_tree():
    ours, theirs = street_tree("turn").infosets, written_tree("turn").infosets
    for j, label in enumerate(theirs.labels):
        found = ours.parent[ours.find(label, theirs.owner(j))]
        assert told(ours, int(found)) == told(theirs, int(theirs.parent[j]))


def told(infosets, entry):
    """An entry as label and action."""
    at = int(np.searchsorted(infosets.row, entry, side="right")) - 1
    return (infosets.labels[at], infosets.actions(at)[entry - infosets.row[at]]) if entry >= 0 else None


@pytest.mark.slow
def test_a_saved_strategy_is_read_again(tmp_path):
    """With everything that is needed to evaluate it: the file names the game."""
    for name in ("turn of one suit", "locked on a river", WHOLE):
        strategy = mccfr.solve(street_tree(name), "dcfr", iterations=5).strategy()
        strategy.save(tmp_path / "a.mccfr")
        again = mccfr.load(tmp_path / "a.mccfr")
        assert (again.probabilities == strategy.probabilities).all()
        assert mccfr.exploitability(again) == mccfr.exploitability(strategy)
