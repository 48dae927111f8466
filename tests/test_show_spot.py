"""`mccfr show` of spots: every option, as text, CSV and JSON, and that it agrees with the library."""

import csv
import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

import mccfr
from mccfr.cli.main import cli

SCHEMA = json.loads((Path(__file__).parent.parent / "docs" / "json-schema.json").read_text())
TURN = {"board": "Qs Jh 2h 8c", "pot": 180, "stack": 910, "bet": "100%,a", "raise_": "a"}
GAME = mccfr.spot(**TURN, oop="QQ+,AKs", ip="JJ-99,AQs")


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    path = tmp_path_factory.mktemp("spots") / "turn.mccfr"
    mccfr.solve(GAME, iterations=30).strategy().save(path)
    return path


def run(*args):
    return CliRunner(env={"COLUMNS": "120"}).invoke(cli, [str(a) for a in args])


def shown(*args):
    said = run("show", *args)
    assert said.exit_code == 0, said.output
    return said.stdout


def document(*args):
    found = json.loads(shown(*args, "--json"))
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    return found


def test_the_start_of_a_spot(solved):
    text = shown(solved).splitlines()
    assert text[0].startswith("spot             Qs Jh 2h 8c, pot 180, by dcfr")
    assert text[1].startswith("exploitability   ")
    assert text[1].endswith("% of the pot (NashConv / 2)")
    assert text[2] == "line             (the start): out of position to move"
    view = mccfr.view(solved)
    assert text[3].startswith(f"out of position  {view.combos(0):.2f} combos, EV {view.mean_ev(0):.3f}, equity ")
    actions = ", ".join(
        f"{name} {100 * p:.2f} %" for name, p in zip(("check", "bet 180", "all-in 910"), view.frequencies().values())
    )
    assert text[5] == f"actions          {actions}"
    row = next(line for line in text if line.startswith("A "))
    assert row.split()[1:3] == ["6", "4"]  # AA, AKs
    assert text[-1] == "k check, 1 bet 180, 2 all-in 910; upper right: suited, lower left: offsuit"
    other = shown(solved, "--player", "1")
    assert "in position: combos, and EV" in other


def test_hands_one_by_one(solved):
    text = shown(solved, "--line", "b180", "--hand", "JJ,AQs", "--limit", "2").splitlines()
    assert text[7] == "in position"
    assert text[8].split() == ["hand", "weight", "equity", "EV", "fold", "EV", "call", "EV", "all-in", "910", "EV"]
    row = mccfr.view(solved, "b180").hands(1, "AhQh")[0]
    cells = text[9].split()
    assert cells[0] == "AhQh"
    assert [float(cells[j]) for j in (2, 4)] == pytest.approx([100 * row.equity, row.ev], abs=0.005)
    assert text[-1] == "... 4 more: raise --limit, or write them all with --csv FILE"
    assert "out of position\nhand" in shown(solved, "--line", "b180", "--hand", "KK")  # whom only that player can hold


def test_run_outs(solved):
    text = shown(solved, "--line", "kk/", "--runouts").splitlines()
    rows = mccfr.runouts(solved, "kk")
    assert len(rows) == 48
    table = [line.split() for line in text[7:-1]]
    assert [cells[0] for cells in table] == [row.cards for row in rows]
    assert [float(cells[3]) for cells in table] == pytest.approx([row.ev[0] for row in rows], abs=0.0006)


def test_ranges(solved):
    text = shown(solved, "--line", "b180c/", "--range").splitlines()
    view = mccfr.view(solved, "b180c/")
    for player, line in enumerate(text):
        name, _, written = line.partition(": ")
        assert name == ("out of position", "in position")[player]
        both = {"oop": "all", "ip": "all", ("oop", "ip")[player]: written}
        read = mccfr.spot(**TURN, **both).ranges[player].weights
        assert read == pytest.approx(view.reach[player], abs=0.00005 + 1e-12)
    assert len(shown(solved, "--range", "-p", "1").splitlines()) == 1


def test_csv(solved, tmp_path):
    file = tmp_path / "a.csv"
    assert shown(solved, "--line", "k", "--csv", file) == f"wrote {file}\n"
    rows = list(csv.DictReader(file.open()))
    view = mccfr.view(solved, "k")
    assert list(rows[0]) == [
        *("player", "hand", "reach", "weight", "equity", "ev", "k", "b180", "a910", "ev k", "ev b180", "ev a910")
    ]
    assert len(rows) == sum(len(view.hands(player)) for player in (0, 1))
    assert [float(row["ev"]) for row in rows] == pytest.approx(
        [row.ev for player in (0, 1) for row in view.hands(player)], rel=1e-8
    )
    assert rows[0]["k"] == ""
    assert rows[-1]["k"] != ""
    shown(solved, "--line", "kk", "--runouts", "--csv", file)
    rows = list(csv.DictReader(file.open()))
    assert len(rows) == 48
    assert rows[0]["cards"] == "As"
    said = run("show", solved, "--csv", tmp_path / "nowhere" / "a.csv")
    assert said.exit_code == 2
    assert "there is no folder" in said.stderr


def test_json(solved):
    found = document(solved, "--line", "kk/", "--runouts")
    assert (found["line"], found["mover"], found["pot"], len(found["runouts"])) == ("kk/", None, 180, 48)
    assert sum(player["ev"] for player in found["players"]) == pytest.approx(180)
    found = document(solved, "--line", "b180", "--hand", "JsJd")
    assert [row["hand"] for row in found["hands"]] == ["JsJd"]
    assert sum(found["hands"][0]["frequency"].values()) == pytest.approx(1)
    assert len(document(solved)["hands"]) == 37


def test_grids_and_single_infosets(solved, tmp_path):
    text = shown(solved, "--grid", "", "--action", "bet 180")
    assert text.startswith("bet 180 at the beginning, %")
    assert json.loads(shown(solved, "--grid", "k", "--json"))["grid"].keys() == {"k", "b180", "a910"}
    assert "JsJd:kk/3c:k" in shown(solved, "JsJd:kk/3c:k")
    picture = tmp_path / "a.svg"
    assert shown(solved, "--grid", "", "--picture", picture) == f"wrote {picture}\n"
    assert picture.stat().st_size > 1000


def test_a_smaller_deck_has_a_smaller_grid():
    game = "spot(board='2c 3d 4c 5d', pot=10, stack=20, oop=all, ip=all, bet=a, raise_=a, ranks=5, suits=2)"
    text = shown(f"uniform:{game}").splitlines()
    assert text[8].split() == ["6", "5", "4", "3", "2"]


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (("--hand", "22"), "no player can hold '22' after ''"),
        (("--hand", "JJ", "-p", "0"), "player 0 cannot hold 'JJ' after ''"),
        (("--hand", "Jx"), "range 'Jx': 'Jx' at character 1 is no range of hands"),
        (("--line", "b7"), "line 'b7': 'b7' at character 1 is not offered"),
        (("--line", "kk/Qs:"), "line 'kk/Qs:': expected 1 new cards in 'Qs'"),
        (("--runouts",), "no cards are dealt after '': give a line that ends a street, as in kk/"),
        (("--grid", "kk/"), "nobody moves after 'kk/'"),
        (("--grid", "", "--action", "b7"), "line '' has no action 'b7'"),
    ],
)
def test_what_cannot_be_shown(args, error, solved):
    said = run("show", solved, *args)
    assert said.exit_code == 2
    assert said.stdout == ""
    assert said.stderr.startswith(f"mccfr: error: {error}")
    assert said.stderr.count("\n") == 1


def test_other_games_have_no_nodes_to_show():
    said = run("show", "uniform:kuhn", "--line", "cb")
    assert said.exit_code == 2
    assert "are for spots of hold'em: kuhn has none" in said.stderr
    assert "K:cb" in shown("uniform:kuhn", "K:cb")


def test_games_and_check_tell_sizes(tmp_path):
    said = run("games", "spot")
    assert said.exit_code == 0
    assert "parameters  board, pot, stack, oop, ip, bet, raise_, donk_, add_allin=0" in said.stdout
    assert "needs parameters: mccfr solve 'spot(" in said.stdout
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(run("games", "spot", "--json").stdout))
    sizes = "3,237 public nodes on 49 boards, up to 19 hands a player"
    assert sizes in run("games", GAME).stdout
    said = run("check", GAME)
    assert said.exit_code == 0
    assert sizes in said.stdout
    assert "MB to solve" in said.stdout
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(run("check", GAME, "--json").stdout))


def test_a_spot_is_exported_or_refused_with_its_size(solved, tmp_path, monkeypatch):
    said = run("export", solved, tmp_path / "a.csv")
    assert said.exit_code == 0
    with (tmp_path / "a.csv").open() as file:
        first = next(iter(csv.DictReader(file)))
    strategy = mccfr.load(solved)
    assert strategy[first["infoset"]][first["action"]] == float(first["probability"])
    from mccfr.tree import street_infosets

    monkeypatch.setattr(street_infosets, "WRITTEN_UP_TO", 100)
    said = run("export", solved, tmp_path / "b.csv")
    assert said.exit_code == 2
    assert f"has {len(strategy):,} infosets, too many to be exported" in said.stderr
