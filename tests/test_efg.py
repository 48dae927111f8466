"""Reading .efg files, against the grammar in the Gambit manual and against Gambit itself."""

import re
from pathlib import Path

import naive
import pytest
from hypothesis import given, settings, strategies as st

from mccfr.errors import FileError, GameError, MccfrError
from mccfr.games.base import Game
from mccfr.games.efg import read_efg

DATA = Path(__file__).parent / "data"


# What the manual allows -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def feature_game():
    return read_efg(DATA / "every_feature.efg")


def after(game: Game, *actions: str):
    s = game.root()
    for a in actions:
        s = game.step(s, a)
    return s


def test_manual_header(feature_game):
    assert feature_game.title == 'Every "feature"'
    assert feature_game.names == ("Ann", "Bob", "Cas")
    assert feature_game.comment == "A comment\non two lines"
    assert feature_game.players == 3
    assert str(feature_game) == f"efg:{DATA / 'every_feature.efg'}"
    assert feature_game == read_efg(DATA / "every_feature.efg")
    assert hash(feature_game) == hash(read_efg(DATA / "every_feature.efg"))
    assert repr(feature_game).count("Node") == 0


def test_manual_numbers_are_exact(feature_game):
    assert feature_game.chances(0) == (("high", 1 / 3), ("low", 2 / 3))
    assert feature_game.chances(after(feature_game, "high", "go", "#1")) == (("x", 0.1), ("y", 0.9))


def test_manual_outcomes_add_up_along_the_path(feature_game):
    """ante (-1 -1 2), toll (1/4 -1/10 -3/20) and the terminal outcome, added as fractions: no rounding on the way."""
    assert feature_game.payoff(after(feature_game, "high", "stay")) == (-0.5, -0.5, 1.0)
    assert feature_game.payoff(after(feature_game, "high", "go", "#1", "x")) == (-0.75, -1.1, 1.85)
    assert feature_game.payoff(after(feature_game, "high", "go", "#1", "y")) == (-0.25, -0.6, 0.85)
    assert feature_game.payoff(after(feature_game, "high", "go", "#2", "a")) == (2.25, -1.1, -1.15)
    assert feature_game.payoff(after(feature_game, "low", "go", "#2", "b")) == (-1.0, -1.0, 2.0)


def test_manual_descriptions_may_be_given_once(feature_game):
    low, high = after(feature_game, "low"), after(feature_game, "high")
    assert feature_game.infoset(low) == feature_game.infoset(high) == 'Ann\'s "turn"'
    assert feature_game.actions(low) == ("stay", "go")
    assert feature_game.payoff(after(feature_game, "low", "stay")) == (2.0, -1.0, -1.0)
    assert feature_game.chances(after(feature_game, "low", "go", "#1")) == (("x", 0.1), ("y", 0.9))


def test_manual_labels_need_not_be_unique(feature_game):
    """Equal infoset labels of a player become player.number, equal action labels get their place."""
    assert feature_game.infoset(after(feature_game, "high", "go", "#2")) == "3.1"
    assert feature_game.infoset(after(feature_game, "low", "go", "#2")) == "3.2"
    assert feature_game.infoset(after(feature_game, "low", "go")) == ""
    assert feature_game.actions(after(feature_game, "low", "go")) == ("#1", "#2")


def test_numbered_labels_do_not_collide_with_given_ones():
    """The third infoset is called like the number of the first, the action like the number of an earlier one."""
    game = read_efg(
        'EFG 2 R "" { "A" }\np "" 1 1 "x" { "a" "a" "a#1" } 0\nt "" 0\nt "" 0\n'
        'p "" 1 2 "x" { "a" "b" } 0\nt "" 0\np "" 1 3 "1.1" { "a" } 0\nt "" 0'
    )
    assert game.actions(0) == ("a#1", "a#2", "a#1#3")
    assert [game.infoset(s) for s in (0, 3, 5)] == ["1.1", "1.2", "1.3"]


def test_everything_on_one_line_with_tight_braces():
    game = read_efg('EFG 2 R"t"{"A""B"}p""1 1"i"{"a""b"}0 t""1""{1,-1}t""2""{-1,1}')
    assert [game.payoff(s) for s in (1, 2)] == [(1.0, -1.0), (-1.0, 1.0)]
    assert str(game) == "efg:text"


def test_byte_order_mark_and_windows_line_ends(tmp_path):
    path = tmp_path / "windows.efg"
    path.write_bytes("\ufeff".encode() + (DATA / "myerson.efg").read_bytes().replace(b"\n", b"\r\n"))
    assert read_efg(path).tree == read_efg(DATA / "myerson.efg").tree


def test_myerson_card_game_value():
    """Myerson (1991), section 2.1: the value for player 1 is 1/3; he bluffs 1/3 of the time, player 2 meets 2/3."""
    game = read_efg(DATA / "myerson.efg")
    strategy = {(0, "red"): [1, 0], (0, "black"): [1 / 3, 2 / 3], (1, "raised"): [2 / 3, 1 / 3]}
    assert naive.expected_value(game, strategy) == pytest.approx(1 / 3)
    assert naive.exploitability(game, strategy) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", ["three_players", "myerson"])
def test_gambit_agrees_on_what_we_read(name):
    """Node counts and uniform play in files that we did not write, inner outcomes and three players included."""
    gambit = pytest.importorskip("pygambit")
    theirs = gambit.read_efg(DATA / f"{name}.efg")
    ours = read_efg(DATA / f"{name}.efg")
    uniform = theirs.mixed_behavior_profile()
    assert len(theirs.nodes) == len(ours.tree)
    values = naive.expected_values(ours, naive.uniform(ours))
    assert [uniform.payoff(p) for p in theirs.players] == pytest.approx(values, rel=1e-9)
    assert max(map(abs, values)) > 0.1


# What it does not allow -----------------------------------------------------------------------------------------------

HEAD = 'EFG 2 R "t" { "A" "B" }\n'
WON, LOST = 't "" 1 "" { 1 -1 }\n', 't "" 2 "" { -1 1 }\n'
MOVE = 'p "" 1 1 "i" { "a" "b" } 0\n'

MALFORMED = {
    "empty": ("\n", 'line 2: expected EFG in the header, EFG 2 R "title" { "Player 1" "Player 2" }, found the end'),
    "other format": ('NFG 1 R "t"\n', "line 1: expected EFG in the header"),
    "version": ('EFG 1 R "t" { "A" }\n', "line 1: expected 2 in the header"),
    "number type": ('EFG 2 Q "t" { "A" }\n', "line 1: expected R or D in the header"),
    "title": ('EFG 2 R { "A" }\n', "line 1: expected the title in quotes, found {"),
    "no players": ('EFG 2 R "t" { }\n', "line 1: expected a player's name in quotes or }, found }"),
    "no nodes": (HEAD, "line 2: expected a node (c, p or t) for the root, found the end of the file"),
    "node letter": (HEAD + 'x "" 1\n', "line 2: expected a node (c, p or t) for the root, found x"),
    "node name": (HEAD + "t 1\n", "line 2: expected the node's name in quotes, found 1"),
    "action list": (HEAD + 'p "" 1 1 "i" 3\n', "line 2: expected { before the action list, found 3"),
    "no actions": (HEAD + 'p "" 1 1 "i" { } 0\n', "line 2: expected an action label in quotes or }, found }"),
    "open list": (HEAD + 'p "" 1 1 "i" { "a"\n', "line 3: expected an action label in quotes or }, found the end"),
    "open quote": (HEAD + 'p "" 1 1 "i { \n', 'line 2: a text starts here and never ends; expected a closing "'),
    "truncated": (
        HEAD + MOVE + WON,
        "line 4: expected a node (c, p or t) for branch 2 of 2 of the node in line 2, found the end",
    ),
    "too many": (
        HEAD + MOVE + WON + LOST + WON,
        "line 5: expected the end of the file, since every branch has its node, found t",
    ),
    "garbage": (HEAD + WON + "}", "line 3: expected the end of the file, since every branch has its node, found }"),
    "payoff word": (HEAD + 't "" 1 "" { 1 one }', "line 2: expected a payoff or }, found one"),
    "zero divisor": (HEAD + 't "" 1 "" { 1 1/0 }', "line 2: expected a payoff or }, found 1/0"),
    "not a number": (HEAD + 't "" 1 "" { 1 nan }', "line 2: expected a payoff or }, found nan"),
    "huge": (HEAD + 't "" 1 "" { 1 1e999 }', "line 2: expected a payoff or }, found 1e999"),
    "endless": (HEAD + 't "" 1 "" { 1 1e999999999 }', "line 2: expected a payoff or }, found 1e999999999"),
    "outcome number": (HEAD + 't "" -1', "line 2: expected an outcome number, or 0 for none, found -1"),
    "outcome 0": (
        HEAD + 't "" 0 "" { 1 -1 }',
        'line 2: expected nothing more of outcome 0, which means none, found ""',
    ),
    "new outcome": (HEAD + 't "" 5', "line 2: expected the payoffs of outcome 5, which is new, found the end"),
    "new infoset": (
        HEAD + 'p "" 2 4 0',
        "line 2: expected the label and actions of infoset 4 of player 2, which is new, found 0",
    ),
    "new chance": (
        HEAD + 'c "" 1 0',
        "line 2: expected the label and actions of infoset 1 of chance, which is new, found 0",
    ),
    "probability": (HEAD + 'c "" 1 "" { "a" "b" } 0', 'line 2: expected the probability of "a", found "b"'),
    "label over lines": (HEAD + 'c "" 1 "" { "a\nb" } 0', 'line 3: expected the probability of "a b", found }'),
}

CONTRADICTORY = {
    "one payoff": (HEAD + 't "" 1 "" { 1 }', "line 2: outcome 1 has 1 payoffs for 2 players"),
    "three payoffs": (HEAD + 't "" 1 "" { 1, 2, 3 }', "line 2: outcome 1 has 3 payoffs for 2 players"),
    "player 3": (HEAD + 'p "" 3 1 "" { "a" } 0', "line 2: there is no player 3; the header names 2"),
    "player 0": (HEAD + 'p "" 0 1 "" { "a" } 0', "line 2: there is no player 0; the header names 2"),
    "odds": (
        HEAD + 'c "" 1 "" { "a" 1/2 "b" 0.4 } 0',
        "line 2: chance probabilities must be at least 0 and sum to 1, these sum to 0.9",
    ),
    "negative odds": (
        HEAD + 'c "" 1 "" { "a" 3/2 "b" -1/2 } 0',
        "line 2: chance probabilities must be at least 0 and sum to 1, these are not",
    ),
    "fewer actions": (
        HEAD + MOVE + 'p "" 1 1 "i" { "a" } 0\n',
        'line 3: infoset 1 of player 1 is { "a" "b" } in line 2, but { "a" } here',
    ),
    "other actions": (
        HEAD + MOVE + 'p "" 1 1 "i" { "b" "a" } 0\n',
        'line 3: infoset 1 of player 1 is { "a" "b" } in line 2, but { "b" "a" } here',
    ),
    "other odds": (
        HEAD + 'c "" 1 "" { "a" 1/2 "b" 1/2 } 0\nc "" 1 "" { "a" 1/3 "b" 2/3 } 0\n',
        'line 3: infoset 1 of chance is { "a" 1/2 "b" 1/2 } in line 2, but { "a" 1/3 "b" 2/3 } here',
    ),
    "other payoffs": (
        HEAD + MOVE + WON + 't "" 1 "" { 1 0.5 }',
        "line 4: outcome 1 is { 1 -1 } in line 3, but { 1 1/2 } here",
    ),
}


@pytest.mark.parametrize("case", [*MALFORMED, *CONTRADICTORY])
def test_bad_file_is_refused_in_one_line(case, tmp_path):
    kind = FileError if case in MALFORMED else GameError
    text, message = MALFORMED.get(case) or CONTRADICTORY[case]
    path = tmp_path / "bad.efg"
    path.write_text(text)
    with pytest.raises(kind) as caught:
        read_efg(path)
    assert str(caught.value).startswith(f"{path}, {message}")
    assert "\n" not in str(caught.value)


def complaint(text: str) -> str:
    try:
        read_efg(text)
    except MccfrError as error:
        return str(error)
    return ""


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_damaged_file_is_refused_or_read(data):
    """Whatever is cut out of a good file, the answer is a game or one of our one-line errors."""
    text = (DATA / "every_feature.efg").read_text()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    filling = data.draw(st.sampled_from(["", '"', "{", "}", "0", "1/0", "c", "\\", "-7"]))
    assert re.fullmatch(r"|text, line \d+: .+", complaint("\n" + text[:start] + filling + text[end:]))


def test_unreadable_files(tmp_path):
    with pytest.raises(FileError, match=r"^cannot read .*nowhere\.efg: No such file or directory$"):
        read_efg(tmp_path / "nowhere.efg")
    with pytest.raises(FileError, match=r"^cannot read .*: Is a directory$"):
        read_efg(str(tmp_path))
    (tmp_path / "latin.efg").write_bytes(b'EFG 2 R "\xe9t\xe9" { "A" }')
    with pytest.raises(FileError, match="byte 9 is not UTF-8"):
        read_efg(tmp_path / "latin.efg")


def test_steps_that_the_file_does_not_have():
    game = read_efg(DATA / "myerson.efg")
    with pytest.raises(GameError, match=r"node 0 has no action 'green'; it has red, black"):
        game.step(0, "green")
    with pytest.raises(GameError, match="node 3 is terminal"):
        game.actions(3)
