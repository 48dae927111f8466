"""Strategy files: the same bits again, readable by anybody, and never half a file or a wrong number."""

import errno
import io
import json
import os
import random
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from coin_games import MATCHING_COINS
from hypothesis import given, settings
from random_games import games

import mccfr
from mccfr.errors import FileError, MccfrError, StrategyError
from mccfr.strategy.strategy import strategy_from
from mccfr.tree.budget import Budget

GAME = (
    'from pathlib import Path\nPath({mark!r}).write_text("this file was run")\n\n'
    + MATCHING_COINS
    + "    def __str__(self): return {name!r}\n"
)


@pytest.fixture(scope="module")
def strategy():
    return mccfr.solve("leduc(suits=False)", "cfr_plus+skip(2)", iterations=20, seed=9).strategy()


@pytest.fixture
def saved(strategy, tmp_path):
    strategy.save(tmp_path / "leduc.mccfr")
    return tmp_path / "leduc.mccfr"


def assert_same(loaded, strategy):
    assert loaded.probabilities.tobytes() == strategy.probabilities.tobytes()
    assert loaded.visited.tobytes() == strategy.visited.tobytes()
    assert loaded.origin == strategy.origin
    assert loaded.to_dict() == strategy.to_dict()
    for name in ("row", "parent", "menu"):
        assert np.array_equal(getattr(loaded.infosets, name), getattr(strategy.infosets, name))
    assert loaded.infosets.first == strategy.infosets.first


# Round trips ----------------------------------------------------------------------------------------------------------


def test_loaded_is_saved_bit_for_bit(strategy, saved):
    loaded = mccfr.load(saved)
    assert_same(loaded, strategy)
    assert mccfr.exploitability(loaded) == mccfr.exploitability(strategy)


def test_partial_strategies_stay_partial(tmp_path):
    strategy = strategy_from(mccfr.compile("kuhn"), {"K:": {"bet": 1.0}})
    strategy.save(tmp_path / "partial.mccfr")
    assert_same(mccfr.load(tmp_path / "partial.mccfr"), strategy)
    assert mccfr.load(tmp_path / "partial.mccfr").unvisited == 11


@settings(max_examples=25)
@given(games(depth=5, totals=(0.0, 2.0), most=100))
def test_strategies_of_random_games(tmp_path_factory, game):
    path = tmp_path_factory.mktemp("random") / "s.mccfr"
    strategy = mccfr.solve(game, "pcfr_plus", iterations=5).strategy()
    strategy.save(path)
    loaded = mccfr.load(path, game=game)
    assert_same(loaded, strategy)
    assert mccfr.expected_value(loaded) == mccfr.expected_value(strategy)


def test_a_game_is_compiled_only_when_it_is_needed(saved, monkeypatch):
    from mccfr.solvers import prepare

    monkeypatch.setattr(prepare, "compile_tree", lambda *args: pytest.fail("compiled"))
    assert mccfr.load(saved)["K:"]
    assert len(mccfr.load(saved)) == 288


def test_the_same_strategy_is_the_same_file(strategy, saved, tmp_path):
    strategy.save(tmp_path / "again.mccfr")
    first, second = zipfile.ZipFile(saved), zipfile.ZipFile(tmp_path / "again.mccfr")
    assert [i.CRC for i in first.infolist()] == [i.CRC for i in second.infolist()]


# The format -----------------------------------------------------------------------------------------------------------


def test_the_documented_format(strategy, saved):
    """docs/formats.md: a ZIP of header.json, .json lists and .npy arrays, read here by others' code alone."""
    with zipfile.ZipFile(saved) as archive:
        assert archive.testzip() is None
        header = json.loads(archive.read("header.json"))
        arrays = {
            name: np.load(io.BytesIO(archive.read(name)), allow_pickle=False)
            for name in archive.namelist()
            if name.endswith(".npy")
        }
        labels, menus = (json.loads(archive.read(name)) for name in ("labels.json", "menus.json"))
    assert header == {
        "format": "mccfr-strategy",
        "format_version": 1,
        "game": "leduc(suits=False)",
        "method": "cfr_plus+skip(2)",
        "seed": 9,
        "iterations": 20,
        "version": strategy.origin.version,
        "created": strategy.origin.created,
        "fingerprint": mccfr.compile("leduc(suits=False)").fingerprint,
    }
    assert {"probabilities.npy", "visited.npy", "first.npy", "row.npy", "parent.npy", "menu.npy"} == set(arrays)
    number = labels.index("K:cr")
    actions = menus[arrays["menu.npy"][number]]
    begin, end = arrays["row.npy"][number : number + 2]
    assert dict(zip(actions, arrays["probabilities.npy"][begin:end].tolist())) == strategy["K:cr"]


# Damage ---------------------------------------------------------------------------------------------------------------


def load_damaged(path, content, strategy):
    """Exactly what was saved, or a refusal in one line that names the file."""
    path.write_bytes(content)
    try:
        loaded = mccfr.load(path)
    except (FileError, StrategyError) as error:
        return str(error)
    assert_same(loaded, strategy)
    return None


def test_files_cut_short(strategy, saved, tmp_path):
    content, draw = saved.read_bytes(), random.Random(1)
    lengths = {0, 1, 4, len(content) - 1, len(content) - 22, *(draw.randrange(len(content)) for _ in range(300))}
    for length in lengths:
        message = load_damaged(tmp_path / "cut.mccfr", content[:length], strategy)
        assert message is not None
        assert message.startswith(f"{tmp_path / 'cut.mccfr'} is not a strategy file, or is damaged or cut short")
        assert "\n" not in message


def test_files_with_a_flipped_bit(strategy, saved, tmp_path):
    content, draw = saved.read_bytes(), random.Random(2)
    directory = content.rindex(b"PK\x01\x02header.json"[:4], 0, content.index(b"PK\x01\x02") + 4)
    places = [draw.randrange(len(content)) for _ in range(400)]
    places += [draw.randrange(directory, len(content)) for _ in range(800)]  # the ZIP's own bookkeeping
    messages = []
    for place in places:
        bad = bytearray(content)
        bad[place] ^= 1 << draw.randrange(8)
        messages.append(load_damaged(tmp_path / "flipped.mccfr", bytes(bad), strategy))
    refused = [message for message in messages if message]
    assert all(str(tmp_path / "flipped.mccfr") in message and "\n" not in message for message in refused)
    assert len(refused) > len(messages) / 3


def rewrite(path, header=None, drop=(), **members):
    """The file with other entries in its header and other members."""
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist() if name not in drop}
    content["header.json"] = json.dumps({**json.loads(content["header.json"]), **(header or {})}).encode()
    for name, value in members.items():
        if isinstance(value, np.ndarray):
            stream = io.BytesIO()
            np.save(stream, value)
            content[f"{name}.npy"] = stream.getvalue()
        else:
            content[f"{name}.json"] = json.dumps(value).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)


ENTRIES = 672
FOREIGN = {
    "another format": (
        {"header": {"format": "other"}},
        "is not a strategy file: its format is 'other', expected 'mccfr-strategy'",
    ),
    "a later version": ({"header": {"format_version": 2}}, "has strategy format 2, this version reads 1"),
    "no probabilities": ({"drop": ["probabilities.npy"]}, "is not a complete strategy file: KeyError 'probabilities'"),
    "no labels": ({"drop": ["labels.json"]}, "is not a complete strategy file: KeyError 'labels'"),
    "too few probabilities": ({"probabilities": np.ones(3)}, "is not a complete strategy file"),
    "negative probabilities": ({"probabilities": np.tile([1.5, -0.5], ENTRIES // 2)}, "negative or not finite"),
    "nan": ({"probabilities": np.full(ENTRIES, np.nan)}, "negative or not finite"),
    "no distribution": ({"probabilities": np.full(ENTRIES, 0.1)}, "do not sum to 1"),
    "text for numbers": ({"probabilities": np.full(ENTRIES, "x")}, "is not a complete strategy file"),
    "menus of other lengths": ({"menus": [["a"]] * 9}, "its actions do not fit its infosets"),
    "labels missing": ({"labels": ["K:"]}, "its arrays do not fit together"),
    "a list for an array": ({"drop": ["row.npy"], "row": [0, 1]}, "is not a complete strategy file"),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_foreign_content(saved, kind):
    changes, message = FOREIGN[kind]
    rewrite(saved, **changes)
    with pytest.raises(FileError, match=message) as error:
        mccfr.load(saved)
    assert str(error.value).startswith(str(saved))
    assert "\n" not in str(error.value)


def test_foreign_zips_and_no_zips(tmp_path):
    path = tmp_path / "foreign.mccfr"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("hello.txt", "hello")
    with pytest.raises(FileError, match="is not a strategy file"):
        mccfr.load(path)
    path.write_text("player,infoset,action\n")
    with pytest.raises(
        FileError, match=r"is not a strategy file, or is damaged or cut short \(File is not a zip file\)"
    ):
        mccfr.load(path)
    with pytest.raises(FileError, match=r"^cannot read .*nothing.mccfr: no such file$"):
        mccfr.load(tmp_path / "nothing.mccfr")
    with pytest.raises(FileError, match=r"^cannot read .*: it is a folder; of a run, "):
        mccfr.load(tmp_path)


def test_pickles_are_not_loaded(saved, tmp_path):
    """An array of objects would be a program."""

    class Bomb:
        def __reduce__(self):
            return Path(tmp_path / "boom").write_text, ("boom",)

    stream = io.BytesIO()
    np.save(stream, np.array([Bomb()], dtype=object), allow_pickle=True)
    with zipfile.ZipFile(saved) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(saved, "w") as archive:
        for name, data in {**content, "probabilities.npy": stream.getvalue()}.items():
            archive.writestr(name, data)
    with pytest.raises(FileError):
        mccfr.load(saved)
    assert not (tmp_path / "boom").exists()


# Other games ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", ["kuhn", "leduc", "goofspiel(3)"])
def test_another_game_is_refused(saved, other):
    with pytest.raises(StrategyError, match=r"was made for leduc\(suits=False\), not for .*: 288 and \d+ infosets"):
        mccfr.load(saved, game=other)


def test_actions_in_another_order_are_refused(tmp_path):
    mccfr.uniform('matrix([[1, 2]], columns=["a", "b"])').save(tmp_path / "m.mccfr")
    with pytest.raises(StrategyError, match=r"was made for matrix.*: the infosets or actions have other names"):
        mccfr.load(tmp_path / "m.mccfr", game='matrix([[2, 1]], columns=["b", "a"])')


def test_a_strategy_can_be_put_on_a_game_of_the_same_infosets(saved, tmp_path):
    moved = mccfr.load(saved).moved_to(mccfr.compile("leduc(suits=False, shift=10)"))
    assert moved.game == "leduc(suits=False, shift=10)"
    assert mccfr.expected_value(moved) == pytest.approx(mccfr.expected_value(mccfr.load(saved)) + 10)
    moved.save(tmp_path / "moved.mccfr")
    assert mccfr.exploitability(mccfr.load(tmp_path / "moved.mccfr")) == pytest.approx(mccfr.exploitability(moved))


def test_a_strategy_cannot_be_put_on_a_game_of_other_infosets(strategy):
    with pytest.raises(StrategyError, match=r"cannot be moved to kuhn: their infosets differ"):
        strategy.moved_to(mccfr.compile("kuhn"))


def test_changed_rules_are_noticed(saved):
    rewrite(saved, header={"game": "leduc(suits=False, shift=1)"})
    loaded = mccfr.load(saved)
    with pytest.raises(StrategyError, match=r"was made for another version of .*: the chances or payoffs differ"):
        mccfr.exploitability(loaded)


@pytest.mark.parametrize("large", ["gp(13,4,4,1)", "goofspiel(7)"])  # one written in Python, one known by levels
def test_a_small_file_does_not_make_its_reader_write_out_a_large_game(saved, monkeypatch, large):
    """As soon as a tree has more infosets than the file, it is another game; 32 and 47 million nodes are never met."""
    met = []
    charge, check = Budget.charge, Budget.check_infosets
    monkeypatch.setattr(Budget, "charge", lambda budget, width: met.append(width) or charge(budget, width))
    monkeypatch.setattr(Budget, "check_infosets", lambda budget, width: met.append(width) or check(budget, width))
    rewrite(saved, header={"game": large})
    loaded = mccfr.load(saved)
    with pytest.raises(StrategyError, match=r"was made for another version of .*: 288 infosets; .* more than 288$"):
        mccfr.exploitability(loaded)
    assert 288 < max(met) < 1_000_000


def test_a_game_that_differs_in_payoffs_only_is_refused(saved):
    with pytest.raises(StrategyError, match=r"not for leduc\(suits=False, shift=10\): the chances or payoffs differ"):
        mccfr.load(saved, game="leduc(suits=False, shift=10)")


def test_a_file_never_runs_a_program(tmp_path, strategy):
    """A strategy of a game in a .py file names that file; loading and evaluating must not run it."""
    mark, file, path = tmp_path / "mark", tmp_path / "coin.py", tmp_path / "coin.mccfr"
    file.write_text(GAME.format(mark=str(mark), name=f"{file}:Coin()"))
    mccfr.uniform(f"{file}:Coin()").save(path)
    mark.unlink()
    loaded = mccfr.load(path)
    assert loaded["first"] == {"H": 0.5, "T": 0.5}
    with pytest.raises(
        StrategyError, match=r"coin\.mccfr is for the game .*, which is a program of yours: load it with game="
    ):
        mccfr.exploitability(loaded)
    assert not mark.exists()
    assert mccfr.exploitability(mccfr.load(path, game=f"{file}:Coin()")) == 0.0
    assert mark.exists()


@pytest.mark.parametrize("form", ["{}", "{}:Coin", "efg:x;{}:Coin()", " {}:Coin()", "kuhn.py/../{}:Coin()"])
def test_no_name_of_a_game_runs_a_program(tmp_path, saved, form):
    mark, file = tmp_path / "mark", tmp_path / "coin.py"
    file.write_text(GAME.format(mark=str(mark), name="coin"))
    rewrite(saved, header={"game": form.format(file)})
    with pytest.raises(MccfrError):
        mccfr.exploitability(mccfr.load(saved))
    assert not mark.exists()


# Writing --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "failure", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt(), ValueError()]
)
def test_a_failed_save_leaves_the_old_file(strategy, saved, monkeypatch, failure):
    before, written = saved.read_bytes(), []

    def fail(stream, array, **options):
        written.append(stream)
        if len(written) == 3:
            raise failure
        stream.write(b"half of an array")

    monkeypatch.setattr(np.lib.format, "write_array", fail)
    expected = FileError if isinstance(failure, OSError) else type(failure)
    with pytest.raises(expected) as error:
        mccfr.uniform("leduc(suits=False)").save(saved)
    assert len(written) == 3
    if isinstance(failure, OSError):
        assert str(error.value) == f"cannot write {saved}: No space left on device"
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


def test_saving_replaces_and_leaves_nothing_behind(strategy, saved):
    mccfr.uniform("kuhn").save(saved)
    assert mccfr.load(saved).game == "kuhn"
    assert list(saved.parent.iterdir()) == [saved]


def test_folders_that_cannot_be_written_to(strategy, tmp_path):
    with pytest.raises(FileError, match=r"^cannot write .*x.mccfr: No such file or directory: "):
        strategy.save(tmp_path / "nowhere" / "x.mccfr")
    (tmp_path / "taken").mkdir()
    with pytest.raises(FileError, match=r"^cannot write .*taken: Is a directory"):
        strategy.save(tmp_path / "taken")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


@pytest.mark.skipif(os.geteuid() == 0 or sys.platform == "win32", reason="root may write anywhere")
def test_a_read_only_folder(strategy, tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(FileError, match="Permission denied"):
        strategy.save(tmp_path / "x.mccfr")


def test_permissions_are_those_of_any_new_file(saved, tmp_path):
    (tmp_path / "plain").write_text("")
    assert saved.stat().st_mode == (tmp_path / "plain").stat().st_mode
