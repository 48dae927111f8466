"""Whatever a user gets wrong is told in one line on stderr, with exit code 2 and no traceback."""

import json
import zipfile

import pytest
from click.testing import CliRunner
from coin_games import HIDDEN_COIN

import mccfr
from mccfr.cli.main import cli

SOUND = HIDDEN_COIN  # every broken game below changes one method of it
BROKEN_GAMES = {
    "missing method": (
        '    def infoset(self, s): return s if len(s) == 1 else "reply"\n',
        "",
        "Coin lacks infoset(): a game has root, player, actions, chances, step, infoset, payoff",
    ),
    "differing actions": (
        'return ("l", "r")',
        'return ("l",) if s == "tl" else ("l", "r")',
        "Coin, after t, l: infoset 'reply' has the actions ['l'] here and ['l', 'r'] after h, l",
    ),
    "probabilities": (
        '("t", 0.5)',
        '("t", 0.4)',
        "Coin, at the root: chances(s) gives [('h', 0.5), ('t', 0.4)], which sum to 0.9: expected 1",
    ),
    "payoffs": (
        "else (-1, 1)",
        "else (-1, 2)",
        "Coin, after t, l, l: payoffs [-1, 2] sum to 1, but elsewhere to 0: expected zero-sum",
    ),
    "imperfect recall": (
        "return (-1, 0, 1, -2)[len(s)]",
        "return (-1, 0, 0, -2)[len(s)]",
        "Coin, after h, r: infoset 'reply' also occurs after h, l, where player 0 had seen or done something else "
        "before: imperfect recall",
    ),
}


def mccfr_command(*args):
    return CliRunner().invoke(cli, [str(a) for a in args])


def the_line(result):
    """The one line of an error, without its prefix."""
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    line, *more = result.stderr.splitlines()
    assert more == []
    assert line.startswith("mccfr: error: ")
    return line.removeprefix("mccfr: error: ")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty current folder, so that messages name short paths."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            ("solve", "ludec"),
            "unknown game 'ludec'; did you mean leduc? (or openspiel:NAME, PATH.efg, PATH.py:Class)",
        ),
        (
            ("solve", "leduc(suits=False"),
            "game: cannot read 'leduc(suits=False' at character 6: expected name or name(value, key=value)",
        ),
        (
            ("solve", "leduc(suit=False)"),
            "leduc(suit=False): got an unexpected keyword argument 'suit'; leduc takes "
            "(suits=True, shift=0)",
        ),
        (("solve", "kuhn(suits=0)"), "kuhn: suits must be a whole number from 1 to 4, got 0"),
        (("games", "dealt:kuhn(suits=5)"), "kuhn: suits must be a whole number from 1 to 4, got 5"),
        (("solve", "kuhn(suits=x)"), "kuhn: suits must be a whole number from 1 to 4, got 'x'"),
        (("solve", "kuhn(2)"), "kuhn(2): too many positional arguments; kuhn takes (suits=1)"),
        (("solve", "kuhn(suit=2)"), "kuhn(suit=2): got an unexpected keyword argument 'suit'; kuhn takes (suits=1)"),
        (("solve", "goofspiel(n=99)"), "goofspiel: n must be a whole number from 2 to 10, got 99"),
        (
            ("solve", "kuhn", "--method", "external+"),
            "method 'external+': there is no 'external+'; a part follows a +, as in external+predictive",
        ),
        (("solve", "kuhn", "--method", "lp+linear"), "method 'lp+linear': lp is exact and takes no parts"),
        (
            ("solve", "kuhn", "--target", "-1"),
            "target must be an exploitability from 0, got -1.0; or a percentage of the pot, as in 0.5%",
        ),
        (("solve", "kuhn", "--memory-limit", "much"), "memory limit 'much' is not a size: write it like 8GB or 500MB"),
        (
            ("solve", "kuhn", "--out", "nowhere/kuhn.mccfr"),
            "cannot write nowhere/kuhn.mccfr: there is no folder nowhere; make it first",
        ),
        (
            ("solve", "kuhn", "--method", "cfr", "--out", "runs/a"),
            "the run runs/a needs a limit: give --iterations, --seconds or --target (see mccfr solve --help)",
        ),
        (
            ("solve", "kuhn", "--workers", "some"),
            "Invalid value for '--workers': 'some' is neither a number of workers nor all. (see mccfr solve --help)",
        ),
        (
            ("solve", "kuhn", "--tensorboard", "--out", "kuhn.mccfr"),
            "--tensorboard needs a run folder: --out runs/NAME (see mccfr solve --help)",
        ),
        (
            ("solve", "kuhn", "--checkpoint-every", "5"),
            "--checkpoint-every needs a run folder: --out runs/NAME (see mccfr solve --help)",
        ),
        (("solve", "kuhn", "--ray"), "--ray needs a run folder: --out runs/NAME (see mccfr solve --help)"),
        (("resume", "runs/a"), "runs/a is not a run folder: it has no run.json"),
        (("watch-run", "runs/a"), "runs/a is not a run folder: it has no run.json"),
        (("show", "."), ". is not a run folder: it has no run.json"),
        (("runs",), "there is no folder runs here: name the folder to look in, as in mccfr runs FOLDER"),
        (("runs", "nowhere"), "cannot look for runs in nowhere: no such folder"),
        (("check", "nowhere.py"), "cannot read nowhere.py: no such file"),
        (
            ("evaluate", "kuhn"),
            "kuhn is a game, not a strategy: mccfr solve kuhn --out kuhn.mccfr makes one, "
            "uniform:kuhn is the uniform one",
        ),
        (("show", "uniform:rps", "colum"), "no infoset 'colum'; did you mean column?"),
        (("show", "uniform:rps", "paper"), "no infoset 'paper'; known: column, row"),
        (
            ("export", "kuhn", "kuhn.txt"),
            "cannot tell the format of kuhn.txt: end it in .csv, .json, .efg, .game or give --format",
        ),
        (
            ("export", "kuhn.mccfr", "kuhn.efg"),
            "kuhn.mccfr is a strategy, but .efg files hold games: export it as .csv or .json, or name its game",
        ),
        (
            ("solve", "kuhn", "cfr_plus"),
            "Got unexpected extra argument (cfr_plus): a method is given with --method, a game with its values in one, "
            "as 'goofspiel(n=5)' (see mccfr solve --help)",
        ),
        (
            ("solve", "kuhn", "--time", "5"),
            "No such option '--time'. Did you mean '--seconds'? (see mccfr solve --help)",
        ),
        (("train", "kuhn"), "no command 'train'; did you mean solve? (see mccfr --help)"),
        (("solve", "kuhn", "--memory-limit", "8"), "memory limit '8' is not a size: write it like 8GB or 500MB"),
        (("slove", "kuhn"), "no command 'slove'; did you mean solve or resolve or serve? (see mccfr --help)"),
        (("solve",), "Missing argument 'GAME'. (see mccfr solve --help)"),
        (
            ("solve", "kuhn", "--iterations", "0"),
            "Invalid value for '-n' / '--iterations': 0 is out of range: give a whole number from 1. "
            "(see mccfr solve --help)",
        ),
    ],
)  # fmt: skip
def test_what_is_typed_wrong(folder, args, message):
    assert the_line(mccfr_command(*args)) == message
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("fault", BROKEN_GAMES)
def test_broken_games(folder, fault):
    before, after, message = BROKEN_GAMES[fault]
    assert before in SOUND
    (folder / "coin.py").write_text(SOUND.replace(before, after))
    assert the_line(mccfr_command("check", "coin.py")) == message


def test_the_sound_game_has_no_fault(folder):
    (folder / "coin.py").write_text(SOUND)
    result = mccfr_command("check", "coin.py")
    assert result.exit_code == 0
    assert result.stdout.startswith("Coin: no faults in 15 nodes")


def test_every_fault_has_its_line(folder):
    text = SOUND.replace("else (-1, 1)", "else (-1, 2)").replace(
        'return ("l", "r")', 'return ("l",) if s == "tl" else ("l", "r")'
    )
    (folder / "coin.py").write_text(text)
    result = mccfr_command("check", "coin.py", "--json")
    lines = result.stderr.splitlines()
    assert result.exit_code == 2
    assert len(lines) == 2
    assert json.loads(result.stdout) == {
        "error": {"type": "GameError", "messages": [line.removeprefix("mccfr: error: ") for line in lines]}
    }


def test_truncated_efg(folder):
    assert mccfr_command("export", "kuhn", "kuhn.efg").exit_code == 0
    text = (folder / "kuhn.efg").read_text()
    (folder / "kuhn.efg").write_text(text[: text.index("\n", len(text) // 2)] + "\n")
    message = (
        "kuhn.efg, line 30: expected a node (c, p or t) for branch 1 of 2 of the node in line 29, "
        "found the end of the file"
    )
    assert the_line(mccfr_command("solve", "kuhn.efg")) == message


def test_malformed_efg(folder):
    (folder / "bad.efg").write_text('EFG 2 R "bad" { "one" "two" }\np "" 1 1 "" { "a" "b" } 0\nt "" 1 "" { 1 -1 }\nx\n')
    message = "bad.efg, line 4: expected a node (c, p or t) for branch 2 of 2 of the node in line 2, found x"
    assert the_line(mccfr_command("check", "bad.efg")) == message


def test_truncated_strategy(folder):
    mccfr.uniform("kuhn").save("kuhn.mccfr")
    whole = (folder / "kuhn.mccfr").read_bytes()
    (folder / "kuhn.mccfr").write_bytes(whole[: len(whole) // 2])
    message = "kuhn.mccfr is not a strategy file, or is damaged or cut short (File is not a zip file)"
    assert the_line(mccfr_command("evaluate", "kuhn.mccfr")) == message


def test_foreign_zip(folder):
    with zipfile.ZipFile("foreign.mccfr", "w") as archive:
        archive.writestr("hello.txt", "hello")
    message = (
        "foreign.mccfr is not a strategy file, or is damaged or cut short "
        "(\"There is no item named 'header.json' in the archive\")"
    )
    assert the_line(mccfr_command("show", "foreign.mccfr")) == message


def test_strategy_of_another_game(folder):
    mccfr.uniform("kuhn").save("kuhn.mccfr")
    message = "kuhn.mccfr was made for kuhn, not for rps: 12 and 2 infosets"
    assert the_line(mccfr_command("evaluate", "kuhn.mccfr", "--game", "rps")) == message


def test_strategies_of_different_games_do_not_meet(folder):
    message = "a strategy of kuhn cannot play one of rps"
    assert the_line(mccfr_command("evaluate", "uniform:kuhn", "--against", "uniform:rps")) == message


def test_strategy_of_a_program_is_not_run(folder):
    (folder / "coin.py").write_text(SOUND)
    assert mccfr_command("solve", "coin.py", "--out", "coin.mccfr").exit_code == 0
    message = "coin.mccfr is for the game Coin, which is a program of yours: load it with game= (or --game)"
    assert the_line(mccfr_command("evaluate", "coin.mccfr")) == message
    assert mccfr_command("evaluate", "coin.mccfr", "--game", "coin.py").exit_code == 0


def test_errors_in_json(folder):
    result = mccfr_command("solve", "ludec", "--json")
    assert json.loads(result.stdout)["error"] == {"type": "GameError", "messages": [the_line(result)]}
    result = mccfr_command("solve", "--json")
    assert json.loads(result.stdout)["error"] == {"type": "UsageError", "messages": [the_line(result)]}


def test_debug_shows_the_traceback(folder, monkeypatch):
    monkeypatch.setenv("MCCFR_DEBUG", "1")
    result = mccfr_command("solve", "ludec")
    assert result.exit_code == 2
    assert "Traceback" in result.stderr
    assert result.stderr.splitlines()[-1].startswith("mccfr: error: unknown game 'ludec'")
