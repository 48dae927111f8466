"""Checkpoints: the same bits again, damage noticed wherever it is, and little time lost."""

import json
import random
import threading
import time
import zipfile

import numpy as np
import pytest

import mccfr
from mccfr.errors import FileError
from mccfr.files import container
from mccfr.runs import checkpoints
from mccfr.runs.checkpoints import FORMAT, Checkpoints, Writer

COLUMNS = {"iterations": np.array([1, 2]), "exploitability": np.array([0.5, 0.25])}


def small_state():
    return {"iterations": 7, "seconds": 1.5, "seed": 3, "regret": np.array([1.0, -2.0]), "clock": np.array([7.0])}


@pytest.fixture
def kept(tmp_path):
    return Checkpoints(tmp_path, {"game": "coin", "fingerprint": "f00d"}, keep=2)


def assert_same(found, expected):
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert np.asarray(found[name]).tobytes() == np.asarray(value).tobytes()
        assert np.asarray(found[name]).dtype == np.asarray(value).dtype


# Files ----------------------------------------------------------------------------------------------------------------


def test_read_is_written(kept):
    path = kept.write(small_state(), COLUMNS)
    assert path.name == "000000000000007.ckpt"
    state, columns = kept.read(path, small_state())
    assert_same(state, small_state())
    assert_same(columns, COLUMNS)


def test_the_documented_format(kept):
    """By others' code alone: a ZIP of header.json and .npy files."""
    with zipfile.ZipFile(kept.write(small_state(), COLUMNS)) as archive:
        header = json.loads(archive.read("header.json"))
        assert archive.testzip() is None
        assert np.array_equal(np.load(archive.open("regret.npy")), [1.0, -2.0])
        assert np.array_equal(np.load(archive.open("metrics.iterations.npy")), [1, 2])
    assert header == {
        "format": "mccfr-checkpoint", "schema": 1, "game": "coin", "fingerprint": "f00d",
        "iterations": 7, "seconds": 1.5, "seed": 3,
        "arrays": ["regret", "clock", "metrics.iterations", "metrics.exploitability"],
    }  # fmt: skip


def test_large_arrays_are_read_into_the_memory_they_are_for(kept, monkeypatch):
    monkeypatch.setattr(container, "PIECE", 1000)
    state = {**small_state(), "regret": np.random.default_rng(1).random(3000), "other": np.arange(2500, dtype=np.int32)}
    path = kept.write(state, COLUMNS)
    mine = {**state, "regret": np.zeros(3000), "other": np.zeros(2500, np.int32)}
    found, _ = kept.read(path, mine)
    assert found["regret"] is mine["regret"]
    assert_same(found, state)
    for other in (np.zeros(7, np.int32), np.zeros(2500)):
        with pytest.raises(FileError, match=r"other\.npy (has the shape \(2500,\)|is an array of '<i4'), expected "):
            kept.read(path, {**mine, "other": other})


@pytest.mark.parametrize("shape", [(0,), (), (3, 5), (2000,)])
@pytest.mark.parametrize("dtype", [np.float64, np.uint8, np.bool_, np.uint64, np.float32])
def test_arrays_of_all_kinds(tmp_path, monkeypatch, shape, dtype):
    monkeypatch.setattr(container, "PIECE", 64)
    array = np.asarray(np.random.default_rng(1).random(shape) * 9).astype(dtype)
    for large in (0, 2**30):
        container.save(tmp_path / "x", "kind", {}, {"a": array, "list": [1, "é"]}, large)
        _, found = container.load(tmp_path / "x", "kind", "a file")
        assert np.array_equal(found["a"].reshape(array.shape), array)
        assert found["a"].dtype == dtype
        assert found["list"] == [1, "é"]


def test_containers_larger_than_a_thread_is_worth(tmp_path):
    arrays = {f"a{j}": np.random.default_rng(j).random(600_000) for j in range(5)}
    container.save(tmp_path / "x", "kind", {}, arrays, large=0)
    _, found = container.load(tmp_path / "x", "kind", "a file", {"a1": np.zeros(600_000)})
    assert_same(found, arrays)
    content = bytearray((tmp_path / "x").read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(FileError, match=r"damaged or cut short \(a2\.npy does not match its checksum\)"):
        container.load(tmp_path / "x", "kind", "a file")


def outcome(kept, path, content):
    """None if a changed file is read as if nothing had happened, else what is said about it."""
    path.write_bytes(content)
    try:
        state, columns = kept.read(path, {**small_state(), "regret": np.zeros(2), "clock": np.zeros(1)})
    except FileError as error:
        return str(error)
    assert_same(state, small_state())
    assert_same(columns, COLUMNS)
    return None


@pytest.mark.parametrize("piece", [2**20, 16], ids=["by the standard library", "straight into memory"])
def test_every_damaged_byte_is_noticed_or_harmless(kept, monkeypatch, piece):
    monkeypatch.setattr(container, "PIECE", piece)
    path, draw = kept.write(small_state(), COLUMNS), random.Random(1)
    content = path.read_bytes()
    said = []
    for place in range(len(content)):
        bad = bytearray(content)
        bad[place] ^= 1 << draw.randrange(8)
        said.append(outcome(kept, path, bytes(bad)))
    refused = [message for message in said if message is not None]
    assert all(str(path) in message and "\n" not in message for message in refused)
    assert len(refused) > 0.7 * len(content)


@pytest.mark.slow
@pytest.mark.parametrize("piece", [2**20, 16])
def test_every_flipped_bit_is_noticed_or_harmless(kept, monkeypatch, piece):
    monkeypatch.setattr(container, "PIECE", piece)
    path = kept.write(small_state(), COLUMNS)
    content = path.read_bytes()
    for place in range(8 * len(content)):
        bad = bytearray(content)
        bad[place // 8] ^= 1 << place % 8
        outcome(kept, path, bytes(bad))


@pytest.mark.parametrize("piece", [2**20, 16])
def test_every_length_too_short_is_noticed(kept, monkeypatch, piece):
    monkeypatch.setattr(container, "PIECE", piece)
    path = kept.write(small_state(), COLUMNS)
    content = path.read_bytes()
    for length in range(len(content)):
        assert outcome(kept, path, content[:length]) is not None


def test_only_the_newest_are_kept(kept):
    for iterations in (5, 100, 20, 3):
        kept.write({**small_state(), "iterations": iterations}, COLUMNS)
    assert [path.name[-8:] for path in kept.paths()] == ["100.ckpt", "020.ckpt"]


def test_a_failed_write_keeps_the_old_ones(kept, monkeypatch):
    for iterations in (1, 2):
        kept.write({**small_state(), "iterations": iterations}, COLUMNS)
    monkeypatch.setattr(container.os, "fsync", full_disk)
    with pytest.raises(FileError, match="No space left on device"):
        kept.write({**small_state(), "iterations": 3}, COLUMNS)
    assert [int(path.stem) for path in kept.paths()] == [2, 1]
    assert len(list(kept.folder.iterdir())) == 2


def full_disk(*_):
    raise OSError(28, "No space left on device")


# Beside the training --------------------------------------------------------------------------------------------------


def written(writer):
    """What became of the checkpoint under way."""
    while (found := writer.collect(wait=True)) is None:
        writer.begin(small_state(), COLUMNS)
    return found


def test_training_goes_on_while_a_checkpoint_is_written(kept, monkeypatch):
    state, going_on = {**small_state(), "regret": np.zeros(100_000)}, threading.Event()
    pieces = container._pieces
    monkeypatch.setattr(container, "_pieces", lambda array: going_on.wait(10) and pieces(array))
    writer = Writer(kept, every=0.0)
    writer.begin(state, COLUMNS)  # takes memory
    assert writer.collect(wait=True) is None
    writer.begin(state, COLUMNS)
    state["regret"] += 1.0
    assert not writer.due  # while one is being written
    assert writer.collect() is None
    going_on.set()
    assert writer.collect(wait=True).error == ""
    found, _ = kept.read(kept.paths()[0], {**small_state(), "regret": np.ones(100_000)})
    assert not found["regret"].any()


def test_without_memory_for_a_copy_it_is_written_at_once(kept, monkeypatch):
    monkeypatch.setattr(checkpoints, "available_memory", lambda: 0)
    writer = Writer(kept, every=0.0)
    writer.begin(small_state(), COLUMNS)
    assert writer.collect().path == kept.paths()[0]
    state, _ = kept.read(kept.paths()[0], small_state())
    assert_same(state, small_state())


def test_a_failure_is_reported_and_the_next_one_may_succeed(kept, monkeypatch):
    writer = Writer(kept, every=0.0)
    with monkeypatch.context() as broken:
        broken.setattr(container.os, "fsync", full_disk)
        assert "No space left on device" in written(writer).error
    assert kept.paths() == []
    assert written(writer).error == ""
    assert len(kept.paths()) == 1


@pytest.mark.parametrize("room", [0, 2**40], ids=["here", "beside"])
def test_slow_checkpoints_come_more_rarely(kept, monkeypatch, room):
    """The time they take, waiting and working, stays within its share of the time between them."""

    def busy(state, columns):
        until = time.thread_time() + 0.05
        while time.thread_time() < until:
            pass
        return kept.folder

    monkeypatch.setattr(kept, "write", busy)
    monkeypatch.setattr(checkpoints, "available_memory", lambda: room)
    writer, began = Writer(kept, every=0.01), time.perf_counter()
    found = written(writer)
    assert found.cost >= 0.05
    assert writer._next - began >= 0.05 / 0.02
    assert not writer.due


# Recovery -------------------------------------------------------------------------------------------------------------


def with_checkpoints(folder, game="kuhn", seed=0):
    """A run with checkpoints at iterations 100, 200 and 300."""
    for iterations in (100, 200, 300):
        run = mccfr.train(folder, game, "external", iterations=iterations, seed=seed)
    return run


def cut(path):
    path.write_bytes(path.read_bytes()[:-100])


def flip(path):
    content = bytearray(path.read_bytes())
    content[content.index(b"regret.npy") + 200] ^= 16
    path.write_bytes(content)


def older_schema(path):
    header, members = container.load(path, FORMAT, "a checkpoint")
    header = {name: value for name, value in header.items() if name != "format"}
    container.save(path, FORMAT, {**header, "schema": 0}, members)


def of_another_game(path):
    other = with_checkpoints(path.parent.parent.parent / "other", "leduc")
    path.write_bytes(other.checkpoints()[0].read_bytes())


def of_another_seed(path):
    other = with_checkpoints(path.parent.parent.parent / "other", seed=9)
    path.write_bytes(other.checkpoints()[0].read_bytes())


DAMAGE = {
    cut: "damaged or cut short",
    flip: r"regret.npy",
    older_schema: "has schema 0, this version of mccfr reads 1",
    of_another_game: "is of another run: its game is 'leduc', not 'kuhn'",
    of_another_seed: "this state is of seed 9, not 0",
}


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__)
def test_a_bad_checkpoint_costs_only_the_work_since_the_one_before(tmp_path, damage):
    run, events = with_checkpoints(tmp_path / "run"), []
    damage(run.checkpoints()[0])
    run.train(iterations=400, on_event=lambda kind, **facts: events.append((kind, facts)))
    assert [kind for kind, _ in events if kind != "measured"] == ["resumed", "warning", "checkpointed", "finished"]
    assert events[0][1]["iterations"] == 200
    assert DAMAGE[damage].replace("\\", "") in events[1][1]["message"]
    assert events[1][1]["message"].endswith("continuing from 000000000000200.ckpt instead")
    damaged = run.folder / "checkpoints" / "000000000000300.damaged"
    assert damaged.exists()
    plain = mccfr.Solver("kuhn", "external").run(400)
    assert np.array_equal(run.strategy().probabilities, plain.strategy().probabilities)
    assert_like(run, plain)
    assert [int(path.stem) for path in run.checkpoints()] == [400, 200, 100]


def assert_like(run, solver):
    state, _ = Checkpoints(run.folder / "checkpoints", {}).read(run.checkpoints()[0], solver.state)
    twin = mccfr.Solver(solver.tree, solver.method, solver.seed, None, solver.workers, solver.parallel or "auto")
    twin.run(solver.iterations)
    assert_same({**state, "seconds": 0}, {**twin.state, "seconds": 0})


def test_reading_changes_nothing(tmp_path):
    run = with_checkpoints(tmp_path / "run")
    cut(run.checkpoints()[0])
    (run.folder / "strategy.mccfr").unlink()
    assert run.strategy().origin.iterations == 200
    assert len(run.checkpoints()) == 3


@pytest.mark.parametrize("damage", [cut, older_schema], ids=lambda damage: damage.__name__)
def test_no_good_checkpoint_is_an_error_and_not_a_new_beginning(tmp_path, damage):
    run = with_checkpoints(tmp_path / "run")
    for path in run.checkpoints():
        damage(path)
    for _ in range(2):  # nor the second time
        with pytest.raises(FileError, match=r"^no checkpoint in .* can be read; the newest: .*300\.ckpt"):
            run.train(iterations=400)
    assert len(run.checkpoints()) == 3
    assert run.strategy().origin.iterations == 300  # the final strategy is still there
    (run.folder / "strategy.mccfr").unlink()
    with pytest.raises(FileError, match=r"no checkpoint in .* can be read"):
        run.strategy()


def test_a_checkpoint_deleted_while_it_is_read(tmp_path, monkeypatch):
    """By a run that goes on: the one that took its place is read."""
    run = with_checkpoints(tmp_path / "run")
    (run.folder / "strategy.mccfr").unlink()
    paths, listed = Checkpoints.paths, []

    def stale(self):
        listed.append(paths(self))
        return [self.folder / "000000000000050.ckpt"] if len(listed) == 2 else listed[-1]

    monkeypatch.setattr(Checkpoints, "paths", stale)
    assert run.strategy().origin.iterations == 300
