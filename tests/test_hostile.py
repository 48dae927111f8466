"""Inputs that mean no good: each ends in one short line and exit code 2, or works; none hangs or fills the memory."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from coin_games import HIDDEN_COIN

import mccfr
from mccfr.cli.main import cli
from mccfr.errors import LINE, GameError, MccfrError, TreeError, printable, quoted, shortened, told
from mccfr.games import efg, efg_reader
from mccfr.games.efg import read_efg
from mccfr.grammar import parse_sum
from mccfr.tree import contract
from mccfr.tree.budget import Budget, count_text, size_text

HOME = Path(mccfr.__file__).parent.parent
LARGE = "9" * 320
SOUND = f"import decimal, fractions, itertools\n{HIDDEN_COIN}"
METHODS = {
    "root": 'root(self): return ""',
    "actions": 'actions(self, s): return ("l", "r")',
    "chances": 'chances(self, s): return (("h", 0.5), ("t", 0.5))',
    "infoset": 'infoset(self, s): return s if len(s) == 1 else "reply"',
    "payoff": 'payoff(self, s): return (1, -1) if s[0] == "h" else (-1, 1)',
}


def run(*args):
    return CliRunner().invoke(cli, [str(a) for a in args])


def the_line(result):
    """The one line of an error: short, printable, without a traceback."""
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    line, *more = result.stderr.splitlines()
    assert more == []
    line = line.removeprefix("mccfr: error: ")
    assert len(line) <= LINE
    assert line.isprintable()
    return line


# Strings --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"kuhn({LARGE})", "too many positional arguments; kuhn takes (suits=1)"),
        (f"kuhn(suits={LARGE})", "kuhn: suits must be a whole number from 1 to 4, got 999"),
        (f"goofspiel({LARGE})", "goofspiel: n must be a whole number from 2 to 10, got 999"),
        (f"goofspiel(0x{'f' * 5000})", "cannot read"),
        (f"leduc(shift={LARGE})", "leduc: shift must be a finite number, got 999"),
        (f"leduc(shift={LARGE}.5)", "leduc: shift must be a finite number, got inf"),
        ("matrix([[1e999]])", "matrix: payoffs[0][0] must be a finite number, got inf"),
        (f"matrix([[-{LARGE}]])", "matrix: payoffs[0][0] must be a finite number, got -999"),
        (f"matrix({[1] * 9000})", "matrix: payoffs must be rows of equal length"),
        ("leduc(shift={[1]: 2})", "cannot read the value '{[1]: 2}'"),
        ("leduc(shift='\\d')", "leduc: shift must be a finite number"),
        ("f(" * 5000 + ")" * 5000, "at character"),
        ("leduc(shift=" + "1+" * 30000 + "1)", "cannot read"),
        ("leduc(shift=" + "-" * 3000 + "1)", "cannot read"),
        ("k" * 1_000_001, "it has 1,000,001 characters, at most 1,000,000 are read"),
        ("dealt:" * 10_000 + "kuhn", "is dealt twice: write dealt:GAME"),
        ("kuhn\0", r"cannot read 'kuhn\x00'"),
        ("kuhn('\ud800')", r"cannot read"),
        ("\ud800.py", r"cannot read \ud800.py: no such file"),
        ("\0.efg", r"cannot read \x00.efg"),
        ("n" * 5000 + ".py", "File name too long"),
        ("n" * 5000 + ".efg", "File name too long"),
        ("\x1b[31mkuhn", r"cannot read '\x1b[31mkuhn'"),
        ("efg:/dev/zero", "cannot read /dev/zero: it is not a regular file"),
    ],
    ids=lambda text: ascii(text[:20]),
)
def test_game_strings(text, message):
    assert message in the_line(run("games", text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("vector([1])", "vector: sampling must be one of external, robust, average, outcome, weighted, got [1]"),
        ("vector(own=[1])", "vector: own takes a policy"),
        ("semi_vector(was(lp(call)))", "was: ranges must be own, other or both, got lp(call)"),
        ("semi_vector({})", "semi_vector: own takes a policy"),
        (f"outcome({LARGE})", "outcome"),
        ("outcome(1e999)", "outcome: epsilon must be a number from 0 to 1, got inf"),
        ("external+" + "rm+" * 30_000 + "rm", "cannot read"),
        ("a" * 900_000, "unknown method 'aaa"),
        ("f(" * 150 + ")" * 150, "unknown method 'f'"),
        ("\ud800", "cannot read"),
        ("été\0", "cannot read"),
    ],
    ids=lambda text: ascii(text[:20]),
)
def test_method_strings(text, message):
    assert message in the_line(run("solve", "kuhn", "--method", text))


def test_what_a_word_did_not_expect_is_one_line(monkeypatch):
    monkeypatch.setitem(mccfr.solvers.method.RECIPES, "cfr", lambda: {}["what"])
    with pytest.raises(MccfrError, match=r"^method cfr cannot be made: KeyError: 'what'$"):
        mccfr.Method.parse("cfr")


def test_parsing_warns_nobody(recwarn):
    with pytest.raises(MccfrError):
        parse_sum("a(1if 1else 2)+b('\\d')")
    assert not recwarn.list


# What errors quote ----------------------------------------------------------------------------------------------------


class Unspeakable:
    def __repr__(self):
        raise SystemExit(3)

    __str__ = __repr__


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "'plain'"),
        ([1, 2], "[1, 2]"),
        (Unspeakable(), "<Unspeakable, which cannot be shown: SystemExit>"),
        (1 << 20_000, "<int of 20,001 bits, which cannot be shown: ValueError>"),
        ("\ud800\n\x1b", r"'\ud800\n\x1b'"),
    ],
    ids=range(5),
)
def test_quoted(value, text):
    assert quoted(value) == text


def test_long_texts_keep_their_beginning_and_end():
    text = "begin" + "x" * 10**6 + "end"
    for short in (shortened(text), quoted(text), told(ValueError(text)), str(GameError(text))):
        assert len(short) <= LINE
        assert "begin" in short
        assert "end" in short
        assert "…" in short
    assert shortened("x" * LINE) == "x" * LINE


def test_lines_of_errors_are_printable():
    assert str(GameError("one\ntwo\x1b[31m\ud800\u2028")) == "one\ntwo\\x1b[31m\\ud800\\u2028"
    assert printable("é漢") == "é漢"
    assert told(ValueError("a\n b")) == "ValueError: a b"
    assert told(KeyboardInterrupt()) == "KeyboardInterrupt"


# Games of the user's --------------------------------------------------------------------------------------------------


def coin(method, answer, head=""):
    """The sound game with another answer of a method."""
    signature = METHODS[method].partition(":")[0]
    assert METHODS[method] in SOUND
    return head + SOUND.replace(METHODS[method], f"{signature}: {answer}")


def word(method, body):
    return f"class W(str):\n    __hash__ = str.__hash__\n    def {method}(self, *a): {body}\n"


NO = "raise RuntimeError('no')"
ENDLESS = """
class Coin:
    players = 2
    def root(self): return ()
    def player(self, s): return len(s) % 2
    def actions(self, s): return (0, 1, 2)
    def chances(self, s): return ()
    def step(self, s, a): return (*s, a)
    def infoset(self, s): return s
    def payoff(self, s): return (0, 0)
"""
REFUSED = {
    "payoff 10**400": (coin("payoff", "return (10**400, -10**400)"), "after h, l, l: payoff(s) gives (1000"),
    "payoff complex": (coin("payoff", "return (1j, -1j)"), "payoff(s) gives (1j, (-0-1j)), expected finite numbers"),
    "payoff nan": (coin("payoff", "return (float('nan'), 0)"), "payoff(s) gives (nan, 0), expected finite numbers"),
    "payoff text": (coin("payoff", "return ('1', '-1')"), "payoff(s) gives ('1', '-1'), expected finite numbers"),
    "payoff none": (coin("payoff", "return None"), "payoff(s) gives None, expected 2 numbers, one for each player"),
    "generator": (coin("actions", "return (a for a in 'lr')"), "after h: actions(s) gives <generator"),
    "endless actions": (coin("actions", "return itertools.count()"), "actions(s) gives count(0), expected a list"),
    "billion actions": (coin("actions", "return range(10**9)"), "1,000,000,000 actions: a node has at most 4,194,304"),
    "unhashable actions": (coin("actions", "return [[1], [2]]"), "after h: step(s, [1]) raised TypeError"),
    "equal actions": (coin("actions", "return ['l', 'l']"), "actions(s) repeats a label: ['l', 'l']"),
    "surrogates": (
        coin("actions", "return ['l', '\\ud800']"),
        r"after h: actions(s) gives '\ud800', which no file can",
    ),
    "surrogate infoset": (coin("infoset", "return s + '\\udfff'"), r"infoset(s) gives 'h\udfff', which no file can"),
    "endless chances": (
        coin("chances", "return itertools.repeat(('h', 0.0))"),
        "chances(s) gives repeat(('h', 0.0)), expected",
    ),
    "str of actions": (coin("actions", "return (W('l'), W('r'))", word("__str__", NO)), "RuntimeError: no"),
    "eq of infosets": (coin("infoset", "return W(s[:1])", word("__eq__", NO)), "RuntimeError: no"),
    "hash of infosets": (coin("infoset", "return W(s[:1])", word("__hash__", NO)), "is not hashable: use tuples"),
    "hash and repr": (
        coin("infoset", "return W(s)", word("__hash__", NO) + f"    def __repr__(self): {NO}\n"),
        "infoset <W, which cannot be shown: RuntimeError> is not hashable",
    ),
    "len of actions": (coin("actions", "return W('lr')", word("__len__", NO)), "RuntimeError: no"),
    "wrong len": (coin("actions", "return W('lr')", word("__len__", "return -5")), "ValueError: __len__()"),
    "SystemExit": (coin("payoff", "raise SystemExit(3)"), "after h, l, l: payoff(s) raised SystemExit: 3"),
    "BaseException": (coin("root", "raise BaseException('x')"), "root() raised BaseException: x"),
    "MemoryError": (coin("chances", "raise MemoryError"), "at the root: chances(s) raised MemoryError"),
    "RecursionError": (coin("infoset", "return self.infoset(s)"), "infoset(s) raised RecursionError"),
    "many lines": (coin("payoff", "raise ValueError('a\\nb' * 9000)"), "payoff(s) raised ValueError: a ba b"),
    "players": (SOUND.replace("players = 2", "players = property(lambda self: 1 / 0)"), "Coin: ZeroDivisionError"),
    "import": ("import sys; sys.exit(7)\n" + SOUND, "coin.py cannot be imported: SystemExit: 7"),
    "nul": ("\0", "coin.py cannot be imported: "),
    "init": (SOUND + "    def __init__(self): raise SystemExit\n", "Coin cannot be made: SystemExit"),
    "nodes": (
        SOUND + "    def nodes(self): return 10**400\n    def levels(self): pass\n    def describe(self, p, c): pass\n",
        "Coin has about 1e400 nodes and would need about 1e393 GB to write out",
    ),
    "endless": (ENDLESS, "Coin, in a random playout: no end after 10,000 moves"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_games_that_misbehave(tmp_path, monkeypatch, fault):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(contract, "MOST_LISTED", 1)  # time
    text, message = REFUSED[fault]
    Path("coin.py").write_text(text)
    name = "coin.py:Coin"
    assert message in the_line(run("check", name))
    if fault not in ("payoff text", "endless"):  # which NumPy takes for numbers; which takes time
        assert the_line(run("solve", name, "--method", "cfr", "-n", "1")).startswith(("coin.py", "Coin"))


ALLOWED = {
    "decimals": coin("payoff", "return (decimal.Decimal(1), -1)"),
    "fractions": coin("payoff", "return (fractions.Fraction(1, 3), fractions.Fraction(-1, 3))"),
    "sets": coin("actions", "return {'l': 1, 'r': 2}.keys()"),
    "str of the game": SOUND + f"    def __str__(self): {NO}\n    def __repr__(self): return 5\n",
    "bool of the game": SOUND + f"    def __bool__(self): {NO}\n    def __len__(self): {NO}\n    __eq__ = __bool__\n",
    "unpicklable": coin("root", "return W('')", word("__reduce__", NO)),
    "prints": coin("actions", "print('hello'); return ('l', 'r')"),
    "accents": coin("actions", "return ('é', '漢')").replace("s[0]", "s[0]"),
}


@pytest.mark.parametrize("game", ALLOWED)
def test_games_that_may(tmp_path, monkeypatch, game):
    monkeypatch.chdir(tmp_path)
    Path("coin.py").write_text(ALLOWED[game], encoding="utf-8")
    result = run("check", "coin.py:Coin", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["nodes"] == 15  # and nothing else: what games print goes to stderr
    assert run("games", "coin.py:Coin").exit_code == 0


def test_an_endless_game_is_not_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("mccfr.games.efg_writer._DEEPEST", 50)
    Path("coin.py").write_text(ENDLESS)
    assert the_line(run("export", "coin.py", "coin.efg")) == "Coin: no end after 50 moves"
    assert not Path("coin.efg").exists()


def test_an_error_in_a_users_file_is_theirs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("coin.py").write_text(SOUND + "    def __getattr__(self, name): raise KeyError(name)\n")
    assert "coin.py, line" in the_line(run("games", "coin.py"))


def test_a_level_is_refused_while_it_grows():
    """The estimate may be far off, here because the rules break where it looks: what counts is memory."""

    class Wide:
        players, built = 1, 0

        def root(self):
            return 0

        def player(self, s):
            return 0 if s < 2 else 1 // 0

        def actions(self, s):
            return range(1000)

        def chances(self, s):
            return ()

        def step(self, s, a):
            Wide.built += 1
            return s + 1

        def infoset(self, s):
            return s

        def payoff(self, s):
            return (0,)

    with pytest.raises(TreeError, match="at least"):
        mccfr.compile(Wide(), memory_limit="5MB")
    assert Wide.built < 20_000


# Sizes, races ---------------------------------------------------------------------------------------------------------


def test_sizes_that_nobody_can_read():
    assert count_text(123_456) == "123,456"
    assert count_text(10**150) == "about 1e150"
    assert size_text(10**5000) == "1e4991 GB"
    with pytest.raises(TreeError, match=r"^big has about 1e150 nodes and would need about 1e143 GB to write out; the"):
        Budget("big", 10**9).check_known(10**150)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("race", "goofspiel(10)"), "goofspiel(n=10) has 24,627,439,657,911 nodes"),
        (("race", "coin.py"), "imperfect recall"),
        (("race", "kuhn", "--methods", "vector"), "walks a public tree: solve the dealt form, dealt:kuhn"),
        (("audit", "coin.py"), "imperfect recall"),
        (("audit", "kuhn", "--method", "vector([1])"), "vector: sampling must be"),
        (("evaluate", "uniform:coin.py"), "imperfect recall"),
        (("solve", "coin.py", "--out", "coin.mccfr"), "imperfect recall"),
        (("sweep", "nowhere.toml"), "nowhere.toml"),
        (("compare", "nowhere", "there"), "nowhere"),
        (("paper", "nothing"), "nothing"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, tuple) else "",
)
def test_refused_games_and_methods(tmp_path, monkeypatch, args, message):
    monkeypatch.chdir(tmp_path)
    Path("coin.py").write_text(SOUND.replace("(-1, 0, 1, -2)", "(-1, 0, 0, -2)"))
    assert message in the_line(run(*args))
    assert [path.name for path in tmp_path.iterdir()] in (["coin.py"], ["__pycache__", "coin.py"])


# Gambit files ---------------------------------------------------------------------------------------------------------

HEAD = 'EFG 2 R "x" { "a" "b" }\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + 'p "' + "a" * 10**7, 'line 2: a text starts here and never ends; expected a closing "'),
        (HEAD + 'p "' + '\\"' * 10**6, "line 2: a text starts here and never ends"),
        (HEAD + 't "" 1 "" { 1/0 -1 }', "line 2: expected a payoff or }, found 1/0"),
        (HEAD + 't "" 1 "" { ' + "9" * 10**6 + " 1 }", "line 2: expected a payoff or }, found 999"),
        (HEAD + 't "" 1 "" { 1e999 1 }', "line 2: expected a payoff or }, found 1e999"),
        (HEAD + 'p "" 1 1 "" { ' + '"" ' * 200 + "} 0", "of which at most 100 are read"),
        (HEAD + 'p "" 1 1 "" { "a" } 0\n' + 'p "" 1 1 0\n' * 200, "more than 100 nodes, which is the limit"),
        (HEAD + "\0", "expected a node (c, p or t) for the root"),
        (
            HEAD + "".join(f'p "" 1 {j} "" {{ "a" }} {j} "" {{ 1/{7**300 + j} 0 }}\n' for j in range(1, 40)),
            "the payoffs on this path have no short sum; round them",
        ),
    ],
    ids=range(9),
)
def test_gambit_files(monkeypatch, text, message):
    monkeypatch.setattr(efg_reader, "MOST_NODES", 100)
    monkeypatch.setattr(efg_reader, "MOST_LISTED", 100)
    with pytest.raises(MccfrError) as error:
        read_efg(text)
    assert message in str(error.value)
    assert len(str(error.value)) <= LINE


def test_files_that_never_end(tmp_path, monkeypatch):
    fifo, large = tmp_path / "fifo.efg", tmp_path / "large.efg"
    os.mkfifo(fifo)
    monkeypatch.setattr(efg, "LARGEST", 1000)
    large.write_text(HEAD + " " * 1000)
    assert the_line(run("check", fifo)).endswith("it is not a regular file")
    assert the_line(run("check", large)).endswith("it has 1,024 bytes, at most 1,000 are read")


# Where there is nobody to tell ----------------------------------------------------------------------------------------


def shell(line, folder, **environment):
    """A shell command with `mccfr` in it: exit code, stdout, stderr."""
    done = subprocess.run(
        ["bash", "-c", line.replace("mccfr", f"{sys.executable} -m mccfr")],
        capture_output=True, cwd=folder, check=False, timeout=60,
        env={**os.environ, "PYTHONPATH": str(HOME), **environment},
    )  # fmt: skip
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_closed_and_full_streams(tmp_path):
    assert shell("mccfr games <&- >&- 2>&-", tmp_path) == (0, "", "")
    full = (2, "", "mccfr: error: cannot read or write: No space left on device\n")
    assert shell("mccfr games > /dev/full", tmp_path) == full
    assert shell("mccfr games --json > /dev/full", tmp_path) == full
    assert shell("mccfr games nothing --json > /dev/full 2> /dev/full", tmp_path) == (2, "", "")


def test_a_terminal_that_knows_ascii_only(tmp_path):
    (tmp_path / "coin.py").write_text(ALLOWED["accents"], encoding="utf-8")
    ascii_only = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "COLUMNS": "²", "HOME": "/nowhere"}
    code, out, err = shell("mccfr show uniform:coin.py --json && mccfr show uniform:coin.py", tmp_path, **ascii_only)
    assert (code, err) == (0, "")
    document, end = json.JSONDecoder().raw_decode(out)
    assert document["infosets"][0]["actions"] == {"é": 0.5, "漢": 0.5}
    assert out.isascii()
    assert "\\xe9 0.500 ###" in out[end:]


@pytest.mark.slow
def test_without_assertions_a_foreign_game_is_refused_too(tmp_path):
    code = (
        "import mccfr\n"
        "mccfr.uniform('kuhn').save('kuhn.mccfr')\n"
        "try: mccfr.load('kuhn.mccfr', 'rps')\n"
        "except mccfr.errors.StrategyError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-O", "-c", code],
        capture_output=True, text=True, cwd=tmp_path, check=True, env={**os.environ, "PYTHONPATH": str(HOME)},
    )  # fmt: skip
    assert done.stdout == "kuhn.mccfr was made for kuhn, not for rps: 12 and 2 infosets\n"


@pytest.mark.parametrize("columns", ["0", "1", "abc", "²", "9" * 30])
def test_widths_that_no_terminal_has(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("LINES", columns)
    result = run("games")
    assert result.exit_code == 0
    assert "goofspiel" in result.stdout
