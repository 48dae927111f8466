"""Files from strangers: whatever is in them, one line, exit code 2, nothing run, nothing else read, little memory."""

import io
import json
import os
import shutil
import struct
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from coin_games import MATCHING_COINS

import mccfr
from mccfr.cli.main import cli
from mccfr.errors import FileError, GameError, MccfrError, StrategyError
from mccfr.games.registry import game_file, make_game, outside, received_game
from mccfr.runs import seal

MARK = "from pathlib import Path\nPath({!r}).write_text('this file was run')\n"
DEEP = "[" * 100_000 + "]" * 100_000
N, ENTRIES = 12, 24  # infosets of kuhn, and their entries


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A strategy, a tree and a run, all sound."""
    folder = tmp_path_factory.mktemp("sound")
    mccfr.uniform("kuhn").save(folder / "kuhn.mccfr")
    mccfr.save_tree(mccfr.compile("kuhn"), folder / "kuhn.tree")
    mccfr.train(folder / "run", "kuhn", "external", iterations=40)
    return folder


@pytest.fixture
def here(made, tmp_path, monkeypatch):
    """Copies of them to damage, in the current folder."""
    shutil.copytree(made, tmp_path / "w")
    monkeypatch.chdir(tmp_path / "w")
    return tmp_path / "w"


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def claiming(shape, descr="'<f8'", order="False"):
    """The head of an array that says so of itself, and eight bytes."""
    head = f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + bytes(8)


def rewrite(path, header=None, drop=(), **members):
    """A container with other entries in its header and other members, and checksums that are right."""
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist() if name not in drop}
    if isinstance(header, dict):
        header = json.dumps({**json.loads(content["header.json"]), **header})
    if header is not None:
        content["header.json"] = header.encode()
    for name, value in members.items():
        data = npy(value) if isinstance(value, np.ndarray) else value
        suffix = "json" if name in ("labels", "menus") else "npy"
        content[f"{name}.{suffix}"] = data if isinstance(data, bytes) else json.dumps(data).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)


def call(*args):
    """A command in this process: its exit code and what it says on stderr."""
    result = CliRunner().invoke(cli, [str(arg) for arg in args])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stderr


def refused(*args):
    """The one line by which a command refuses its input."""
    code, err = call(*args)
    assert (code, err.count("\n")) == (2, 1), (code, err)
    assert err.startswith("mccfr: error: ")
    assert len(err) < 400
    return err


# Games that files name ------------------------------------------------------------------------------------------------

FOREIGN_GAMES = [
    "kuhn(1).py:Evil", "kuhn.py", "evil.py", "evil.py:Evil", "./evil.py:Evil", "EVIL.PY", "link.py",
    "../w/evil.py:Evil",
    "C:\\evil.py:Evil", "dealt:evil.py:Evil", "dealt: kuhn(1).py:Evil", "kuhn(x='.py')", "kuhn(x='.efg", "leduc(1).efg",
    "efg:/dev/zero", " efg:/dev/zero", "/dev/zero.efg", "efg:kuhn", "dealt:efg:/dev/zero", "dealt:" * 5000 + "kuhn",
    "openspiel:efg_game(filename=/dev/zero)", "openspiel:misere(game=efg_game(filename=x))",
    "openspiel:bargaining(instances_file=x)", "openspiel:kuhn_poker(players=99999999)", "file:///etc/passwd", "",
    "matrix([[" + "-" * 5000 + "1]])", "(" * 5000, "kuhn" * 1000, "Evil", "a\nb.py",
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(FOREIGN_GAMES)))
def test_a_file_leads_to_no_other_file(here, monkeypatch, number):
    text, args = FOREIGN_GAMES[number], LOOKING[number % 4]
    mark = here / "mark"
    for name in ("kuhn(1).py", "kuhn.py", "evil.py", "EVIL.PY", "kuhn(x='.py", "C:\\evil.py"):
        (here / name).write_text(MARK.format(str(mark)))
    (here / "link.py").symlink_to(here / "evil.py")
    monkeypatch.setattr("mccfr.games.registry.read_efg", lambda path: pytest.fail(f"read {path}"))
    rewrite("kuhn.mccfr", header={"game": text})
    refused("evaluate", "kuhn.mccfr")
    assert call("show", "kuhn.mccfr")[0] == 0  # needs no game
    record = json.loads(Path("run/run.json").read_text())
    record["given"]["game"] = record["resolved"]["game"] = text
    Path("run/run.json").write_text(json.dumps(record))
    Path("run/strategy.mccfr").unlink()
    refused(*args)
    refused("resume", "run", "-n", 50)
    assert call("runs", ".")[0] == call("watch-run", "run", "--once")[0] == 0
    assert not mark.exists()


@pytest.mark.parametrize(
    "text",
    ["kuhn", " leduc(shift=100)", "holdem(limit, exact, ranks=4, suits=2, board=3)",
     "dealt:kuhn", "matrix([[1, 2], [3, 4]])", "openspiel:kuhn_poker(players=2)",
     "openspiel:goofspiel(num_cards=4,points_order=descending)"],
)  # fmt: skip
def test_games_that_a_file_may_name(text):
    assert not outside(text)
    assert str(received_game(text)) == str(make_game(text))


def test_the_line_says_how_to_name_the_game(here):
    rewrite("kuhn.mccfr", header={"game": "efg:kuhn.efg"})
    assert "kuhn.mccfr is for the game efg:kuhn.efg, which is a file of yours: load it with game= (or --game)" in (
        refused("evaluate", "kuhn.mccfr")
    )
    assert call("export", "kuhn", "kuhn.efg")[0] == 0
    assert call("evaluate", "kuhn.mccfr", "--game", "kuhn.efg")[0] == 0
    with pytest.raises(GameError, match="is a program of yours: it is built only if you name it yourself"):
        received_game("evil.py")


OWN_BUCKETS = """
import dataclasses
import numpy as np
from mccfr.buckets.bucketing import Bucketing

@dataclasses.dataclass(frozen=True)
class One(Bucketing):
    rows_of_a_street: int = 1

    def rows(self, cards):
        return (self.rows_of_a_street,) * cards.streets

    def assign(self, fit, street, hands):
        return np.zeros(len(hands), np.int64)
"""
SMALL_HOLDEM = "holdem(limit(cap=1, bets=2), {}, ranks=4, suits=2, board=3)"


@pytest.mark.parametrize("buckets", ["'one.py:One'", "buckets='one.py'", "'one\\x2epy:One'"])
def test_buckets_of_a_program_are_for_those_who_name_it(here, buckets):
    """A string of a received file must not run it, however its ending is written."""
    mark = here / "mark"
    Path("one.py").write_text(MARK.format(str(mark)) + OWN_BUCKETS)
    text = SMALL_HOLDEM.format(buckets)
    assert outside(text) == outside(f"dealt:{text}") == "a game with buckets of a program of yours"
    with pytest.raises(GameError, match="with buckets of a program of yours: it is built only if you name it yourself"):
        received_game(text)
    assert not mark.exists()
    game = make_game(text)
    assert mark.exists()
    assert game_file(text) == game_file(str(game)) == Path("one.py")
    assert str(make_game(str(game))) == str(game)


def test_a_strategy_does_not_lead_to_the_program_of_its_buckets(here):
    mark, text = here / "mark", SMALL_HOLDEM.format("'one.py:One'")
    Path("one.py").write_text(OWN_BUCKETS)
    mccfr.solve(text, "external", iterations=10).strategy().save("one.mccfr")
    Path("one.py").write_text(MARK.format(str(mark)) + OWN_BUCKETS)
    assert "which is a game with buckets of a program of yours: load it with game= (or --game)" in (
        refused("show", "one.mccfr")
    )
    assert not mark.exists()
    assert mccfr.load("one.mccfr", game=text).tree.game == str(make_game(text))


def test_programs_are_used_again_only_in_runs_of_ones_own(here, monkeypatch, tmp_path):
    """What is trusted: a folder begun with the key in this user's cache folder, and the same path to the program."""
    Path("coin.py").write_text(MATCHING_COINS)
    mccfr.train("own", "coin.py:Coin", "cfr", iterations=10)
    assert call("resume", "own", "-n", 20, "-q")[0] == 0
    mark = here / "mark"
    (here / "elsewhere").mkdir()
    (here / "elsewhere" / "coin.py").write_text(MARK.format(str(mark)) + MATCHING_COINS)
    shutil.copytree("own", "elsewhere/own")
    with monkeypatch.context() as there:
        there.chdir(here / "elsewhere")  # the same record beside another program of this name
        assert "you did not start this run on this machine" in refused("resume", "own", "-n", 30)
        assert not mark.exists()
        assert call("resume", "own", "-n", 30, "--game", "coin.py:Coin", "-q")[0] == 0
        assert mark.exists()
        mark.unlink()
    monkeypatch.setenv("MCCFR_CACHE", str(tmp_path / "another user"))
    line = refused("resume", "own", "-n", 40)
    assert "own names the game coin.py:Coin, but you did not start this run on this machine: name it yourself" in line
    assert call("resume", "own", "-n", 40, "--game", "coin.py:Coin", "-q")[0] == 0
    assert call("resume", "own", "-n", 50, "-q")[0] == 0  # now it is ours


@pytest.mark.parametrize("change", ["use", "method", "game"])
def test_what_a_record_smuggles_in_is_never_sealed(here, change):
    """Going on with a received folder by naming a game says nothing about other files that its record names."""
    mark, record = here / "mark", json.loads(Path("run/run.json").read_text())
    (here / "evil.py").write_text(MARK.format(str(mark)))
    given = record["given"]
    if change == "use":
        given["use"] = [str(here / "evil.py")]
    elif change == "method":
        given["method"] = record["resolved"]["method"] = "outcome+static('/dev/zero')"
    else:
        given["game"] = str(here / "evil.py")
    Path("run/run.json").write_text(json.dumps(record))
    assert "you did not start this run" in refused("resume", "run", "-n", 50)
    if change != "method":
        mccfr.train("run", "kuhn", "external", iterations=50)
        held = mccfr.Run("run").record.given
        assert (held.game, held.use) == ("kuhn", ())
    else:
        Path("run/strategy.mccfr").unlink()
        assert "which looking does not read" in refused("evaluate", "run")
    assert not mark.exists()


def test_a_key_that_cannot_be_kept_seals_nothing(monkeypatch, tmp_path):
    config = mccfr.Run(mccfr.train(tmp_path / "a", "kuhn", "cfr", iterations=1).folder).config
    assert seal.seal_of(config) == ""  # names no files
    monkeypatch.setenv("MCCFR_CACHE", "off")
    (tmp_path / "coin.py").write_text(MATCHING_COINS)
    run = mccfr.train(tmp_path / "b", f"{tmp_path / 'coin.py'}:Coin", "cfr", iterations=1)
    assert run.record.seal == ""
    assert not seal.is_sealed(run.record)
    with pytest.raises(StrategyError, match="name it yourself"):
        mccfr.Run(run.folder).train(iterations=2)


# Strategy files -------------------------------------------------------------------------------------------------------

HALF = np.full(ENTRIES, 0.5)
STRATEGIES = {
    **{f"game {value!r:.10}": {"header": {"game": value}} for value in ([], {}, None, 7, True, "\ud800")},
    **{f"iterations {value!r:.10}": {"header": {"iterations": value}}
       for value in ("1", -1, 1.5, True, None, [1], 10**30, float("nan"), float("inf"))},
    **{f"seed {value!r:.10}": {"header": {"seed": value}} for value in ("1", -1, 1.5, True, [], 10**30)},
    **{name: {"header": {name: []}} for name in ("method", "version", "created", "fingerprint")},
    "named": {"header": {"named": 0}},
    "a deep header": {"header": DEEP},
    "a header that is a list": {"header": "[]"},
    "a long format": {"header": {"format": "x" * 100_000}},
    "a deep format": {"header": '{"format": ' + "[" * 500 + "]" * 500 + "}"},
    "a deep version": {"header": {"format_version": ["x" * 1000] * 1000}},
    "a header of 5 MB": {"header": " " * 5_000_000},
    "visited as numbers": {"visited": np.ones(N)},
    "visited too short": {"visited": np.ones(3, bool)},
    "complex": {"probabilities": HALF.astype(complex)},
    "half precision": {"probabilities": HALF.astype(np.float16)},
    "another byte order": {"probabilities": HALF.astype(">f8")},
    "objects": {"probabilities": claiming("(1,)", "'|O'")},
    "structured": {"probabilities": claiming("(1,)", "[('a', '<f8')]")},
    "dates": {"probabilities": claiming("(1,)", "'<M8[s]'")},
    "negative lengths": {"probabilities": claiming("(-1,)")},
    "huge lengths": {"probabilities": claiming("(9999999999999999999999,)")},
    "lengths that wrap around": {"probabilities": claiming("(4294967296, 4294967296)")},
    "a nested shape": {"probabilities": claiming("((1,),)")},
    "a program for a header": {"probabilities": claiming("__import__('os')")},
    "a header without end": {"probabilities": b"\x93NUMPY\x01\x00\xff\xff{'descr': "},
    "no header": {"probabilities": b""},
    "Fortran's order": {"probabilities": claiming("(1, 1)", order="True")},
    "two axes": {"probabilities": HALF.reshape(2, -1)},
    "infinite": {"probabilities": np.full(ENTRIES, np.inf)},
    "parents as uint64": {"parent": np.zeros(N, np.uint64)},
    "parents after children": {"parent": np.full(N, ENTRIES - 1)},
    "parents of the other player": {"parent": np.array([-1] * 11 + [0])},
    "rows that go back": {"row": np.arange(N + 1)[::-1].copy()},
    "rows without actions": {"row": np.zeros(N + 1, np.int64)},
    "rows beyond everything": {"row": np.append(np.arange(0, ENTRIES, 2), 2**62)},
    "rows as floats": {"row": np.arange(0, ENTRIES + 1, 2.0)},
    "menus that there are not": {"menu": np.full(N, 99, np.int32)},
    "negative menus": {"menu": np.full(N, -1, np.int32)},
    "too many players": {"first": np.arange(300)},
    "players out of order": {"first": np.array([0, 20, N])},
    "no players": {"first": np.array([], np.int64)},
    "labels that are numbers": {"labels": list(range(N))},
    "labels that are one": {"labels": "x" * N},
    "labels twice": {"labels": ["a"] * N},
    "half a surrogate": {"labels": ["\ud800", *map(str, range(N - 1))]},
    "deep labels": {"labels": DEEP.encode()},
    "labels as a dict": {"labels": {str(j): j for j in range(N)}},
    "menus that are strings": {"menus": ["ab", "cd"]},
    "menus of numbers": {"menus": [[1, 2]] * 9},
    "nan for a label": {"labels": b"[NaN]"},
}  # fmt: skip


def in_turn(kinds, commands):
    """Each kind of damage with one of the commands that read such a file: all of them come up."""
    return [(kind, commands[j % len(commands)]) for j, kind in enumerate(kinds)]


READING = [
    ("evaluate", "kuhn.mccfr"),
    ("show", "kuhn.mccfr"),
    ("export", "kuhn.mccfr", "a.csv"),
    ("evaluate", "uniform:kuhn", "--against", "kuhn.mccfr"),
    ("watch", "kuhn.mccfr", "--no-browser"),
]


@pytest.mark.parametrize(("kind", "args"), in_turn(STRATEGIES, READING))
def test_strategies_with_valid_checksums_around_nonsense(here, kind, args):
    rewrite("kuhn.mccfr", **STRATEGIES[kind])
    assert refused(*args).startswith("mccfr: error: kuhn.mccfr ")


def test_members_that_nobody_asked_for_are_not_read(here):
    with zipfile.ZipFile("kuhn.mccfr", "a") as archive:
        archive.writestr("other.json", DEEP)
        archive.writestr("nothing.npy", b"not an array")
    assert call("evaluate", "kuhn.mccfr")[0] == 0


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_to_pack_are_refused(here, packing):
    """They inflate more, and LZMA may ask for gigabytes first."""
    with zipfile.ZipFile("kuhn.mccfr") as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile("kuhn.mccfr", "w", packing) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    assert "is compressed in an unknown way" in refused("show", "kuhn.mccfr")


def bomb(path, name, size, claimed=None):
    """A member of so many zeros, written without having them; its directory may claim another size."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = packer.compress(bytes(2**20)) + packer.flush(zlib.Z_FULL_FLUSH)  # the same whatever came before
    packed = piece * (size >> 20) + packer.flush()
    local = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 8, 0, 0, 0, len(packed), claimed or size, len(name), 0)
    entry = struct.pack(
        "<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 8, 0, 0, 0, len(packed), claimed or size, len(name), 0, 0, 0, 0, 0, 0
    )
    with zipfile.ZipFile(path) as archive:
        rest = {n: archive.read(n) for n in archive.namelist() if n != name}
    stream = io.BytesIO()
    stream.write(local + name.encode() + packed)
    with zipfile.ZipFile(stream, "a") as archive:
        for other, data in rest.items():
            archive.writestr(other, data)
    content = stream.getvalue()
    end = content.rindex(b"PK\x05\x06")
    count, length, begin = struct.unpack("<H2L", content[end + 10 : end + 20])
    directory = content[begin : begin + length] + entry + name.encode()
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count + 1, count + 1, len(directory), begin, 0)
    Path(path).write_bytes(content[:begin] + directory + tail)


BOMBS = ["header.json", "labels.json", "menus.json", "first.npy", "row.npy", "probabilities.npy", "visited.npy"]
LIMITED = """
import resource, sys, traceback
import mccfr, mccfr.evaluate.exact, mccfr.solvers.prepare
before = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (before + 2**29, before + 2**29))
for path in sys.argv[1:]:
    try:
        mccfr.load(path)
        print("loaded")
    except mccfr.MccfrError as error:
        print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited as on Linux")
def test_archives_that_would_fill_the_memory(here):
    """3 GB each, also where the directory claims less: 512 MB are enough to refuse them all."""
    paths = []
    for name in BOMBS:
        for claimed in (None, 2**20):
            paths.append(f"{name}-{claimed}.mccfr")
            shutil.copy("kuhn.mccfr", paths[-1])
            bomb(paths[-1], name, 3 * 2**30, claimed)
    shutil.copy("kuhn.mccfr", "unasked.mccfr")
    bomb("unasked.mccfr", "unasked.npy", 3 * 2**30)
    ended = subprocess.run(
        [sys.executable, "-c", LIMITED, *paths, "unasked.mccfr"], capture_output=True, text=True, timeout=60,
        env={**os.environ, "PYTHONPATH": str(Path(mccfr.__file__).parent.parent)}, check=False,
    )  # fmt: skip
    lines = ended.stdout.splitlines()
    assert ended.stderr == ""
    assert len(lines) == len(paths) + 1
    assert all(line.startswith(path) for path, line in zip(paths, lines)), lines
    assert lines[-1] == "loaded"


@pytest.mark.parametrize("name", ["kuhn.mccfr", "run/run.json", "run/checkpoints/000000000000040.ckpt"])
def test_pipes_and_devices_are_not_read(here, name):
    Path("run/strategy.mccfr").unlink()
    for replace in (os.mkfifo, lambda path: Path(path).symlink_to("/dev/zero")):
        Path(name).unlink()
        replace(name)
        assert "it is a pipe or a device, not a file" in refused("show", "run" if "run" in name else name)


# Trees and the cache --------------------------------------------------------------------------------------------------


def words(change):
    """The nodes of kuhn with one thing changed."""
    nodes = mccfr.compile("kuhn").nodes.reshape(-1, 4).copy()
    change(nodes)
    return nodes.reshape(-1)


def put(node, word, value):
    return words(lambda nodes: nodes.__setitem__((node, word), value))


DECISION = int(np.flatnonzero((mccfr.compile("kuhn").nodes[3::4] & 255) < 250)[0])
END = int(np.flatnonzero((mccfr.compile("kuhn").nodes[3::4] & 255) == 255)[0])
TREES = {
    "parents as uint64": {"parent": np.zeros(N, np.uint64)},
    "another parent": {"parent": np.full(N, -1)},
    "another constant": {"header": {"constant": 5.0}},
    "an infinite constant": {"header": '{"format": "mccfr-tree", "format_version": 2, "constant": 1e999}'},
    "another game": {"header": {"game": "leduc"}},
    "a list for a game": {"header": {"game": ["kuhn"]}},
    "three players": {"header": {"players": 3}},
    "true players": {"header": {"players": True}},
    "first as text": {"header": {"first": "012"}},
    "first out of order": {"header": {"first": [0, 13, 12]}},
    "other rules": {"header": {"made_from": "0"}},
    "nodes as int32": {"nodes": np.zeros(8, np.int32)},
    "no nodes": {"nodes": np.zeros(0, np.uint32)},
    "half a node": {"nodes": np.zeros(6, np.uint32)},
    "children before parents": {"nodes": put(DECISION, 0, 0)},
    "children beyond the end": {"nodes": put(DECISION, 0, 2**32 - 1)},
    "children of two": {"nodes": put(DECISION, 0, 1 + DECISION)},
    "infosets that there are not": {"nodes": put(DECISION, 2, 99)},
    "rows that there are not": {"nodes": put(DECISION, 1, 2**31)},
    "players that there are not": {"nodes": put(DECISION, 3, 7 | 2 << 8)},
    "too many actions": {"nodes": put(DECISION, 3, 2**32 - 256)},
    "laws that there are not": {"nodes": put(0, 3, 253 | 6 << 8)},
    "an infinite payoff": {"nodes": words(lambda nodes: nodes.view(np.float64).__setitem__((END, 0), np.inf))},
    "payoffs of many": {"payoffs": np.ones((2, 2))},
    "chances that are not": {"odds": np.array([np.nan])},
}  # fmt: skip


@pytest.mark.parametrize("kind", TREES)
def test_trees_with_valid_checksums_around_nonsense(here, kind, monkeypatch):
    rewrite("kuhn.tree", **TREES[kind])
    with pytest.raises(FileError, match=r"^kuhn\.tree ") as error:
        mccfr.load_tree("kuhn.tree")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("kind", [kind for kind, changes in TREES.items() if "nodes" in changes or "odds" in changes])
def test_trees_are_checked_also_where_their_hashes_are_right(here, kind, monkeypatch):
    """Whoever writes a file can write its hashes: what a kernel sees rests on the numbers alone."""
    rewrite("kuhn.tree", **TREES[kind])
    monkeypatch.setattr("mccfr.tree.store._content", lambda *_: "x")
    monkeypatch.setattr("mccfr.tree.store.HistoryTree.fingerprint", "x")
    rewrite("kuhn.tree", header={"fingerprint": "x", "content": "x"})
    with pytest.raises(FileError, match=r"its (nodes|chances|payoffs)|it has payoffs|nodes\.npy"):
        mccfr.load_tree("kuhn.tree")


def test_laws_of_chance_are_checked_also_where_hashes_are_right(tmp_path, monkeypatch):
    tree, path = mccfr.compile("leduc(suits=False)"), tmp_path / "leduc.tree"
    monkeypatch.setattr("mccfr.tree.store._content", lambda *_: "x")
    monkeypatch.setattr("mccfr.tree.store.HistoryTree.fingerprint", "x")
    for odds, why in ((1.1 * tree.odds, "do not sum to 1"), (tree.odds[:-1], "missing"), (-tree.odds, "negative")):
        mccfr.save_tree(tree, path)
        assert len(mccfr.load_tree(path)) == len(tree)
        rewrite(path, odds=odds)
        with pytest.raises(FileError, match=f"its chances .*{why}"):
            mccfr.load_tree(path)


def test_another_tree_under_the_name_of_a_cached_one_is_made_again(tmp_path, monkeypatch):
    monkeypatch.setenv("MCCFR_CACHE", str(tmp_path))
    kuhn = mccfr.compile("kuhn", cache=True)
    (kept,) = tmp_path.glob("*.tree")
    sound = kept.read_bytes()
    mccfr.save_tree(mccfr.compile("leduc(suits=False)"), kept)
    assert mccfr.compile("kuhn", cache=True).fingerprint == kuhn.fingerprint
    assert kept.stat().st_size == len(sound)
    for changes in TREES.values():
        kept.write_bytes(sound)
        rewrite(kept, **changes)
        again = mccfr.compile("kuhn", cache=True)
        assert (again.fingerprint, again.constant) == (kuhn.fingerprint, 0.0)
    for content in (b"", b"x" * 1000, sound[: len(sound) // 2]):
        kept.write_bytes(content)
        assert mccfr.compile("kuhn", cache=True).fingerprint == kuhn.fingerprint


# Run folders ----------------------------------------------------------------------------------------------------------


def record_with(**changes):
    """run.json with other values at paths such as given.seed."""

    def damage():
        path = Path("run/run.json")
        record = json.loads(path.read_text())
        for place, value in changes.items():
            *outer, last = place.split("__")
            table = record
            for step in outer:
                table = table[step]
            table[last] = value
        path.write_text(json.dumps(record))

    return damage


def content(name, text):
    return lambda: Path("run", name).write_text(text)


RECORDS = {
    **{f"{place} {value!r:.12}": record_with(**{place: value}) for place, values in {
        "given": [None, [], "x", 3],
        "given__game": [[], 5, None, True, "\ud800"],
        "given__method": [{}, 5],
        "given__seed": ["1", -1, 1.5, True, 10**30],
        "given__iterations": ["40", -4, True, float("nan"), float("inf")],
        "given__seconds": ["1", float("nan")],
        "given__workers": [0.5, "2", 10**9, True],
        "given__keep": [0, "3"],
        "given__use": ["ab", [1], {}, 5],
        "given__tensorboard": ["yes", 1],
        "given__memory_limit": [[], True],
        "resolved": [None, [], "game method workers parallel"],
        "resolved__game": [[], 5],
        "resolved__workers": ["2", 10**9, -1],
        "resolved__parallel": [[], 5],
        "sizes": [None, [], {}],
        "sizes__nodes": ["58", -1],
        "versions": [None, ["numba"]],
        "versions__numba": [5],
        "created": [5, "2026-01-01", "2026-01-01T00:00:00"],
        "fingerprint": [5, None],
        "schema": [[[]] * 1000, True],
        "format": ["x" * 100_000],
        "seal": [5],
    }.items() for value in values},
    "deep": content("run.json", DEEP),
    "deep inside": content("run.json", f'{{"format": "mccfr-run", "schema": 1, "given": {DEEP}}}'),
    "5 MB": content("run.json", '"' + "x" * 5_000_000 + '"'),
    "not text": lambda: Path("run/run.json").write_bytes(b"\xff\xfe\x00"),
    "a huge number": content("run.json", "9" * 10_000),
}  # fmt: skip


LOOKING = [
    ("resume", "run", "-n", 50),
    ("evaluate", "run"),
    ("show", "run"),
    ("export", "run", "a.json"),
    ("watch-run", "run", "--once"),
    ("compare", "run", "run"),
    ("plot", "run"),
]


@pytest.mark.parametrize(("kind", "args"), in_turn(RECORDS, LOOKING))
def test_records_that_are_nonsense(here, kind, args):
    RECORDS[kind]()
    line = refused(*args)
    assert line.startswith("mccfr: error: run/run.json ") or kind == "5 MB"
    assert call("runs", ".") == (0, "")


STATUSES = {
    "deep": DEEP,
    "nan": '{"state": "done", "iterations": NaN}',
    "infinite": '{"state": "done", "iterations": 40, "seconds": 1e999}',
    "negative": '{"state": "done", "iterations": -1}',
    "true": '{"state": "done", "iterations": true}',
    "text": '{"state": "done", "iterations": "many"}',
    "a state that there is not": '{"state": "odd"}',
    "no time zone": '{"state": "done", "updated": "2026-01-01"}',
    "a list for a note": '{"state": "done", "note": []}',
    "a list for exploitability": '{"state": "done", "exploitability": [1]}',
    "left": '{"state": "done", "left": "soon"}',
    "not JSON": "{",
}


@pytest.mark.parametrize("kind", STATUSES)
def test_a_status_that_is_nonsense(here, kind):
    Path("run/status.json").write_text(STATUSES[kind])
    for args in (("watch-run", "run", "--once"), ("watch-run", "run", "--json")):
        assert "run/status.json is damaged: delete it" in call(*args)[1]
        assert call(*args)[0] == 2
    assert call("runs", ".", "--json") == (0, "")
    assert call("evaluate", "run")[0] == 0
    assert call("resume", "run", "-n", 50, "-q") == (0, "")  # training writes another
    assert mccfr.Run("run").status.iterations == 50


EVENTS = [
    DEEP, "[]", "5", "null", "NaN", "{}", '{"event": "started"}', '{"time": 5, "event": "started"}',
    '{"time": "never", "event": "started"}', '{"time": "0001-01-01T00:00:00+23:59", "event": "started"}',
    '{"time": "2026-01-01T00:00:00+00:00", "event": []}',
    '{"time": "2026-01-01T00:00:00+00:00", "event": "odd", "iterations": "many", "exploitability": [1]}',
    '{"time": "2026-01-01T00:00:00+00:00", "event": "odd", "message": {"a": ["\\u001b[2J\\n"]}}', '"' + "x" * 10**6,
]  # fmt: skip


def test_odd_lines_among_events_are_left_out(here):
    sound = len(mccfr.Run("run").events())
    with Path("run/events.jsonl").open("a") as file:
        file.write("\n".join(EVENTS))
    assert len(mccfr.Run("run").events()) == sound + 2
    result = CliRunner().invoke(cli, ["watch-run", "run", "--once"])
    assert (result.exit_code, result.stderr) == (0, "")
    assert "\x1b" not in result.stdout
    assert call("watch-run", "run", "--json") == (0, "")
    assert call("resume", "run", "-n", 50, "-q") == (0, "")
    Path("run/events.jsonl").unlink()
    Path("run/events.jsonl").symlink_to("/dev/zero")
    assert "pipe or a device" in refused("watch-run", "run", "--once")


def test_links_in_a_folder_are_not_written_through(here):
    """A received folder could otherwise have other files emptied or added to."""
    for name in ("events.jsonl", "lock"):
        Path("mine").write_text("mine\n")
        Path("run", name).unlink()
        Path("run", name).symlink_to(here / "mine")
        call("resume", "run", "-n", 50 if name == "events.jsonl" else 60, "-q")
        assert Path("mine").read_text() == "mine\n"


def parquet(**columns):
    def damage():
        import pyarrow
        import pyarrow.parquet

        rows = len(next(iter(columns.values())))
        sound = {
            name: np.arange(
                1, rows + 1, dtype=np.float64 if name in ("seconds", "wall", "exploitability") else np.int64
            )
            for name in ("iterations", "walks", "touched", "seconds", "wall", "exploitability")
        }
        pyarrow.parquet.write_table(pyarrow.table({**sound, **columns}), "run/metrics.parquet")

    return damage


METRICS = {
    "text": parquet(exploitability=["a", "b"]),
    "numbers as text": parquet(iterations=["1", "2"]),
    "nothing": parquet(exploitability=[0.5, None]),
    "nan": parquet(exploitability=[0.5, np.nan]),
    "infinite": parquet(exploitability=[0.5, np.inf]),
    "floats for counts": parquet(iterations=[1.0, 2.5]),
    "backwards": parquet(iterations=[2, 1]),
    "negative": parquet(touched=[-1, 1]),
    "lists": parquet(seconds=[[1.0], [2.0]]),
    "a million rows too many": parquet(walks=np.zeros(1_000_001, np.int64)),
    "no parquet": content("metrics.parquet", "PAR1 and so on PAR1"),
    "empty": content("metrics.parquet", ""),
}


@pytest.mark.parametrize("kind", METRICS)
def test_measurements_that_are_nonsense(here, kind):
    METRICS[kind]()
    shutil.copytree("run", "other")
    lines = {refused(*args) for args in (
        ("watch-run", "run", "--once"), ("compare", "run", "other"), ("plot", "run", "-o", "a.png"),
    )}  # fmt: skip
    assert lines.pop().startswith("mccfr: error: run/metrics.parquet ")
    assert not lines
    assert call("resume", "run", "-n", 50, "-q")[0] == 0  # checkpoints have them too


CHECKPOINT = "run/checkpoints/000000000000040.ckpt"


def table(**arrays):
    return lambda: rewrite(CHECKPOINT, **arrays)


CHECKPOINTS = {
    **{f"{name} {value!r:.10}": table(header={name: value}) for name, values in {
        "iterations": ["40", -1, 40.0, True, None, 10**30, 39], "seconds": ["1", -1.0, True, float("nan"), 10**400],
        "seed": ["0", 1, [], False], "game": [[], "leduc"], "arrays": [5, [1], "x"], "schema": [[], True],
    }.items() for value in values if not (name == "seed" and value is False)},
    "infinite clock": table(clock=np.array([np.inf, 0.0])),
    "another clock": table(clock=np.array([41.0, 0.0])),
    "regrets that are not": table(regret=np.full(ENTRIES, np.nan)),
    "complex regrets": table(regret=np.zeros(ENTRIES, complex)),
    "regrets of another game": table(regret=np.zeros(7)),
    "negative averages": table(average=np.full(ENTRIES, -1.0)),
    "dice that never change": table(dice=np.zeros(4, np.uint64)),
    "nodes beyond counting": table(touched=np.array([2**64 - 1], np.uint64)),
    "measurements as text": table(**{"metrics.exploitability": np.array(["a"] * 17)}),
    "measurements that are not": table(**{"metrics.exploitability": np.full(17, np.nan)}),
    "one column longer": table(**{"metrics.walks": np.arange(500)}),
    "deep": table(header=DEEP),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "args"), in_turn(CHECKPOINTS, LOOKING[:4]))
def test_checkpoints_that_are_nonsense(here, kind, args):
    CHECKPOINTS[kind]()
    Path("run/strategy.mccfr").unlink()
    assert "no checkpoint in run/checkpoints can be read; the newest: " in refused(*args)


@pytest.mark.slow
def test_rows_that_wait_are_looked_at(tmp_path):
    """Kernels write where these lists say."""
    solver = mccfr.Solver("kuhn", "external+batch(8)", seed=1)
    solver.run(3)
    state = {name: np.array(value) if isinstance(value, np.ndarray) else value for name, value in solver.state.items()}
    waiting = next(name for name in state if name.endswith("waiting"))
    role = waiting.removesuffix("waiting")
    assert state[f"{role}count"][0] > 0
    mccfr.Solver("kuhn", "external+batch(8)", seed=1).restore(state)
    for name, value in (("waiting", 2**40), ("waiting", 1), ("count", 2**40), ("count", 0), ("marked", 1)):
        damaged = {**state, f"{role}{name}": state[f"{role}{name}"].copy()}
        damaged[f"{role}{name}"][...] = value
        with pytest.raises(MccfrError, match=r"rows in .*waiting that do not exist"):
            mccfr.Solver("kuhn", "external+batch(8)", seed=1).restore(damaged)


# Sweep files ----------------------------------------------------------------------------------------------------------

SWEEPS = {
    "deep.toml": "games = " + DEEP,
    "deep.yaml": "games: " + "[" * 500,
    "laughs.yaml": "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{b}: &{b} [{', '.join(['*' + a] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi")) + "games: *i\n",
    "keys.yaml": "{[1, 2]: 3}",
    "date.yaml": "games: 2026-99-99",
    "types.toml": "games = 5\nmethods = {a = 1}\nseeds = true\niterations = nan\n",
    "long.toml": f"games = ['{'x' * 5_000_000}']\n",
}  # fmt: skip


@pytest.mark.parametrize("name", SWEEPS)
def test_sweep_files_that_are_nonsense(here, name):
    Path(name).write_text(SWEEPS[name])
    code, err = call("sweep", name)
    assert code == 2
    assert all(line.startswith(f"mccfr: error: {name}") or name in line for line in err.splitlines()), err[:500]
    assert all(len(line) < 400 for line in err.splitlines())
