"""Nodes of hold'em strategies as the page gets them: against the library's views, every history of small spots, another
solver's numbers, and themselves."""

import json
import math

import httpx
import numpy as np
import pytest
from naive_reading import histories
from test_reading import GAMES, differences, drawn, oracle
from test_web import start

import mccfr
from mccfr.cards.deck import CLASS_NAMES
from mccfr.cards.range_equity import equity
from mccfr.web import preflop_reader
from mccfr.web.atlas import Atlas
from mccfr.web.bucket_reader import BucketReader
from mccfr.web.node_differences import difference_page
from mccfr.web.node_lines import steps_of
from mccfr.web.preflop_reader import PreflopReader
from mccfr.web.range_nodes import Book, hands_page, node_page
from mccfr.web.runs_view import find_sources, game_title, list_sources
from mccfr.web.spot_reader import SpotReader

TURN = {"board": "Qs Jh 2h 8c", "pot": 180, "stack": 910, "bet": "100%,a", "raise_": "a"}
RANGES = {"oop": "QQ+,AKs,KQs:0.5", "ip": "JJ-TT,AQs,KQs"}
SMALL_DECK = "holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)"


@pytest.fixture(scope="module")
def turn():
    return mccfr.solve(mccfr.spot(**TURN, **RANGES), "dcfr", iterations=30).strategy()


@pytest.fixture(scope="module")
def nlph():
    return mccfr.solve("nlph", "cfr_plus", iterations=20).strategy()


@pytest.fixture(scope="module")
def asked(tmp_path_factory, turn, nlph):
    """Asks a server that was given a spot, nlph, a blueprint, a strategy of Kuhn poker and runs."""
    folder = tmp_path_factory.mktemp("spots")
    for name, strategy in (("turn", turn), ("nlph", nlph), ("kuhn", mccfr.uniform("kuhn"))):
        strategy.save(folder / f"{name}.mccfr")
    mccfr.train(folder / "runs" / "spot", mccfr.spot(**TURN, **RANGES), "dcfr", iterations=10)
    files = (folder / "turn.mccfr", folder / "nlph.mccfr", "blueprint:limit", folder / "kuhn.mccfr", folder / "runs")
    port = start(sources=find_sources(tuple(map(str, files))))
    return lambda path, **words: httpx.get(f"http://127.0.0.1:{port}{path}", params=words)


def same(one, other):
    """Equal numbers; nothing is as good as NaN."""
    return one == other or (one is None and not math.isfinite(other))


# ---- spots


@pytest.mark.parametrize("line", ["", "k", "b180", "kk/", "kk/3d:", "kk/3d:b180", "b180c/As:k", "a910c", "a910f"])
def test_a_node_is_what_the_library_sees(asked, turn, line):
    found, view = asked("/api/strategies/0/node", line=line).json(), mccfr.view(turn, line)
    assert (found["line"], found["pot"], found["mover"]) == (line, view.pot, view.mover)
    assert " ".join(found["board"]) == view.board
    assert {each["action"]: each["frequency"] for each in found["choices"]} == view.frequencies()
    for player, told in enumerate(found["players"]):
        assert told["combos"] == view.combos(player)
        assert same(told["ev"], view.mean_ev(player))
        assert same(told["equity"], view.mean_equity(player))
    classes = view.classes(found["player"])
    assert [cell["hand"] for cell in found["cells"]] == list(classes)
    for cell in found["cells"]:
        mine = classes[cell["hand"]]
        assert cell["combos"] == mine.combos
        assert same(cell["ev"], mine.ev)
        assert same(cell["equity"], mine.equity)
        assert cell["frequency"] == list(mine.frequency.values())
        assert CLASS_NAMES[13 * cell["row"] + cell["column"]] == cell["hand"]


def test_single_hands_are_what_the_library_sees(asked, turn):
    found = asked("/api/strategies/0/hands", line="b180", hand="JJ,KQs").json()
    rows = mccfr.view(turn, "b180").hands(1, "JJ,KQs")
    assert [row["hand"] for row in found["rows"]] == [row.hand for row in rows]
    for told, row in zip(found["rows"], rows, strict=True):
        assert (told["reach"], told["weight"], told["equity"], told["ev"]) == (
            row.reach, row.weight, row.equity, row.ev,
        )  # fmt: skip
        assert told["frequency"] == list(row.frequency.values())
        assert told["action_ev"] == list(row.action_ev.values())
    assert {row["made"] for row in found["rows"] if row["hand"][0] == "J"} == {"three of a kind"}


@pytest.mark.parametrize("name", ["turn", "alike suits"])
def test_small_spots_are_read_exactly(name):
    strategy = drawn(GAMES[name])
    differences(SpotReader(strategy), GAMES[name], histories(GAMES[name], strategy))


def test_numbers_of_another_solver():
    game, hands = oracle("river_std")
    book = Book(mccfr.solve(game, iterations=300).strategy())
    found = {row["hand"]: row for row in hands_page(book, "", None, "all", "")["rows"]}
    assert found.keys() == {row["hand"] for row in hands}
    for row in hands:
        assert found[row["hand"]]["equity"] == pytest.approx(float(row["equity"]), abs=1.01e-6)
        assert found[row["hand"]]["weight"] == pytest.approx(float(row["weight"]), abs=1e-6)
        assert found[row["hand"]]["ev"] == pytest.approx(float(row["ev"]), abs=4)  # one equilibrium of several
    assert node_page(book, "", None, "", "")["players"][0]["ev"] == pytest.approx(98.670, abs=0.05)


def test_runouts_and_exploitability_are_the_librarys(asked, turn):
    found = asked("/api/strategies/0/runouts", line="kk/").json()
    for told, row in zip(found["rows"], mccfr.runouts(turn, "kk/"), strict=True):
        assert (told["cards"], told["chance"], tuple(told["ev"])) == (row.cards, row.chance, row.ev)
        assert told["frequency"] == list(row.frequency.values())
    loses = asked("/api/strategies/0/exploitability").json()
    assert loses["exploitability"] == mccfr.exploitability(turn)
    assert loses["of_pot"] == loses["exploitability"] / 180
    assert asked("/api/strategies/2/exploitability").json()["exploitability"] is None
    assert "spots only" in asked("/api/strategies/2/runouts", line="ck/").json()["refused"]


def test_cards_that_are_alike_are_one_kind():
    flop = mccfr.spot("Qs Js 2h", pot=10, stack=10, oop="QQ,AKs", ip="JJ,TT", bet="a", raise_="a")
    book = Book(mccfr.solve(flop, iterations=5).strategy())
    kinds = node_page(book, "kk/", None, "", "")["kinds"]
    cards = [card for kind in kinds for card in kind]
    assert len(cards) == len(set(cards)) == 49
    assert len(kinds) < 49
    assert not {"Qs", "Js", "2h"} & set(cards)
    for kind in [each for each in kinds if len(each) > 1][:3]:
        evs = [node_page(book, f"kk/{card}:", None, "", "")["players"][0]["ev"] for card in kind]
        assert evs == pytest.approx([evs[0]] * len(evs), abs=1e-9)


# ---- buckets, and hands before the flop


def test_buckets_of_a_small_deck_hand_by_hand():
    strategy = mccfr.solve(SMALL_DECK, "external", iterations=3000, seed=1).strategy()
    reader = BucketReader(strategy)
    line = "ck/3c3d4c:b2"
    view = reader.view(line)
    board = {"3c", "3d", "4c"}
    for hand in range(reader.deck.hands):
        name = reader.deck.hand_name(hand)
        if {name[:2], name[2:]} & board:
            assert view.reach[:, hand].tolist() == [0.0, 0.0]
            continue
        assert view.reach[1, hand] == pytest.approx(strategy[f"{name}:"]["c"], abs=1e-9)
        mine = strategy[f"{name}:c"]["k"] * strategy[f"{name}:ck/3c3d4c:"]["b2"]
        assert view.reach[0, hand] == pytest.approx(mine, abs=1e-9)
        assert view.frequency[:, hand] == pytest.approx(list(strategy[f"{name}:{line}"].values()), abs=1e-9)
    against = equity(view.range(0), view.range(1), "3c 3d 4c", 3)
    assert view.mean_equity(0) == pytest.approx(against.equity, abs=1e-9)
    assert np.nansum(view.weight, axis=1) == pytest.approx(np.nansum(against.weight_by_hand, axis=1))


@pytest.mark.parametrize("line", ["", "r4"])
def test_a_blueprint_has_the_grid_of_the_library(asked, line):
    found = asked("/api/strategies/2/node", line=line).json()
    grids = mccfr.load("blueprint:limit").grids(line)
    assert [each["action"] for each in found["choices"]] == list(grids)
    for cell in found["cells"]:
        number = CLASS_NAMES.index(cell["hand"])
        assert cell["frequency"] == pytest.approx([p[number] for p in grids.values()], abs=1e-6)
    assert all(cell["ev"] is None for cell in found["cells"])
    assert "buckets" in found["why_no_ev"]
    after = asked("/api/strategies/2/node", line=found["choices"][1]["line"]).json()
    told, mover = found["choices"][1]["frequency"], found["mover"]
    assert after["players"][mover]["combos"] == pytest.approx(told * found["players"][mover]["combos"], rel=0.01)


def test_a_blueprint_asks_for_three_cards_of_the_flop(asked):
    before = asked("/api/strategies/2/node", line="ck").json()
    assert (before["line"], before["cards"], len(before["kinds"])) == ("ck/", 3, 52)
    flop = asked("/api/strategies/2/node", line="ck/2hJhQs").json()
    assert (flop["line"], flop["board"], flop["cards"]) == ("ck/2hJhQs:", ["2h", "Jh", "Qs"], 0)


def test_hands_before_the_flop_are_worth_what_the_game_says(nlph):
    reader, value = PreflopReader(nlph), mccfr.expected_value(nlph)
    view = reader.view("")
    assert view.mean_ev(0) - 50 == pytest.approx(value, abs=1e-9)
    assert view.mean_ev(1) - 100 == pytest.approx(-value, abs=1e-9)
    for line in ("", "r", "rr", "c"):
        view = reader.view(line)
        mixed = (view.frequency * view.action_ev).sum(axis=0)
        assert mixed == pytest.approx(view.ev[view.mover], abs=1e-8)
        assert view.mean_ev(0) + view.mean_ev(1) == pytest.approx(view.pot, abs=1e-9)
    folded = reader.view("f")
    assert (folded.mean_ev(0), folded.mean_ev(1)) == pytest.approx((0, 150), abs=1e-9)
    played = list(nlph["AKs:r"].values())
    assert reader.view("r").classes(1)["AKs"].frequency == pytest.approx(dict(zip("fcra", played)), abs=1e-12)


# ---- lines, filters, differences


@pytest.mark.parametrize("number", [0, 1, 2])
def test_every_choice_can_be_followed(asked, number):
    lines, seen = [""], 0
    while lines and seen < 12:
        found = asked(f"/api/strategies/{number}/node", line=lines.pop(0)).json()
        seen += 1
        assert found["steps"] == [step._asdict() for step in steps_of(found["line"])]
        if found["mover"] is not None and found["choices"][0]["frequency"] is not None:
            assert sum(each["frequency"] for each in found["choices"]) == pytest.approx(1, abs=1e-6)
        lines += [each["line"] for each in found["choices"]]
        if found["cards"]:
            lines.append(found["line"] + "".join(kind[0] for kind in found["kinds"][: found["cards"]]) + ":")
    assert seen == 12


def test_filters_leave_some_hands(turn):
    book = Book(turn)
    whole, pairs = node_page(book, "", None, "", ""), node_page(book, "", None, "QQ+", "")
    assert {cell["hand"] for cell in pairs["cells"]} == {"QQ", "KK", "AA"}
    assert pairs["players"][0]["combos"] == sum(c["combos"] for c in whole["cells"] if c["hand"] in ("QQ", "KK", "AA"))
    assert pairs["players"][1] == whole["players"][1]
    rows = hands_page(book, "", None, "QQ+", "")["rows"]
    mean = sum(row["weight"] * row["ev"] for row in rows) / sum(row["weight"] for row in rows)
    assert pairs["players"][0]["ev"] == pytest.approx(mean, abs=1e-9)
    sets = node_page(book, "", None, "", "three of a kind")
    assert [cell["hand"] for cell in sets["cells"]] == ["QQ"]
    assert [row["hand"] for row in hands_page(book, "", None, "all", "three of a kind")["rows"]] == [
        "QhQd", "QhQc", "QdQc",
    ]  # fmt: skip


def test_lines_that_are_never_played_have_no_numbers(asked):
    assert "after 'rrrr' there is f, c, a" in asked("/api/strategies/1/node", line="rrrrr").json()["refused"]
    pure = mccfr.from_dict("nlph", {f"{name}:": {"fold": 1.0} for name in CLASS_NAMES})
    book = Book(pure)
    node = node_page(book, "r", None, "", "")
    assert [each["frequency"] for each in node["choices"]] == [None] * 4
    assert node["players"][0] == {"combos": 0.0, "ev": None, "equity": None}
    assert difference_page(book, "r", None, book, "c", None, "")["totals"] == [None] * 4
    json.dumps(node, allow_nan=False)


def test_large_trees_before_the_flop_have_no_evs(monkeypatch, nlph):
    monkeypatch.setattr(preflop_reader, "MOST_NODES", 10)
    reader = PreflopReader(nlph)
    assert "58 nodes" in reader.why_no_ev
    assert np.isnan(reader.view("r").ev).all()


def test_differences_are_differences(turn):
    book, other = Book(turn), Book(mccfr.uniform(mccfr.spot(**TURN, **RANGES)))
    alone = difference_page(book, "", None, book, "", None, "")
    assert all(cell["moved"] == 0 and cell["ev"] == 0 for cell in alone["cells"])
    found = difference_page(book, "b180", None, other, "b180", None, "")
    one, two = (mccfr.view(each.strategy, "b180") for each in (book, other))
    assert found["columns"] == list(one.actions)
    for cell in found["cells"]:
        a, b = one.classes(1)[cell["hand"]], two.classes(1)[cell["hand"]]
        assert cell["frequency"] == [b.frequency[x] - a.frequency[x] for x in one.actions]
        assert cell["moved"] == pytest.approx(sum(map(abs, cell["frequency"])) / 2)
        assert cell["ev"] == b.ev - a.ev
    kinds = difference_page(book, "", 0, book, "kb180", 0, "")
    assert kinds["columns"] == ["fold", "check or call", "bet or raise", "all-in"]
    before, after = (mccfr.view(turn, line).frequencies() for line in ("", "kb180"))
    assert kinds["totals"][1] == pytest.approx(after["c"] - before["k"])
    with pytest.raises(mccfr.MccfrError, match="different decks"):
        difference_page(book, "", None, Book(drawn(GAMES["turn"])), "", None, "")


@pytest.mark.parametrize(
    ("path", "words", "said"),
    [
        ("0/node", {"line": "x"}, "neither a move nor a card"),
        ("0/node", {"line": "b17"}, "b17"),
        ("0/node", {"line": "kk/Qs:"}, "new cards"),
        ("0/node", {"line": "kk/3d:kk/4d:"}, ""),
        ("0/node", {"line": "k" * 301}, "300"),
        ("0/node", {"filter": "ZZ"}, "ZZ"),
        ("0/node", {"made": "royal"}, "made hand"),
        ("0/node", {"player": 2}, "player"),
        ("0/hands", {"hand": "72o"}, "cannot hold"),
        ("0/hands", {}, "hand"),
        ("1/node", {"line": "rx"}, "no line"),
        ("1/node", {"made": "pair"}, "three cards"),
        ("2/node", {"line": "ck/2h2h3s:"}, "twice"),
        ("3/node", {}, "has no grid"),
        ("0/difference", {"other": 99}, "no strategy 99"),
        ("99/node", {}, "no strategy 99"),
    ],
)
def test_wrong_questions_get_one_line(asked, path, words, said):
    answer = asked(f"/api/strategies/{path}", **words)
    told = answer.json()["message" if answer.status_code == 422 else "refused"]
    assert said in told
    assert "\n" not in told


# ---- larger games


@pytest.mark.parametrize(
    ("game", "rows", "columns"),
    [
        ("leduc", ("J", "j", "Q", "q", "K", "k"), ("", "cr", "rr")),
        ("leduc(suits=False)", ("J", "Q", "K"), ("", "cr", "rr")),
        ("gp", ("1a", "1b", "2a", "2b", "3a", "3b"), ("", "cr", "rr")),
        ("goofspiel(4)", ("0",), ("",)),
        ("bluff(1,1,rounds=one)", ("1", "2", "3", "4", "5", "6"), ("",)),
        ("nlph", tuple("AKQJT98765432"), tuple("AKQJT98765432")),
    ],
)
def test_groups_hold_every_infoset_once(game, rows, columns):
    infosets = mccfr.compile(game).infosets
    groups = Atlas(infosets).groups
    cells = [cell for group in groups for cell in group.cells]
    assert sorted(j for j, _, _ in cells) == list(range(len(infosets)))
    assert (groups[0].rows, groups[0].columns) == (rows, columns)
    assert len({group.title for group in groups}) == len(groups)
    for group in groups:
        assert 0 < len(group.cells) <= 200
        assert len({(row, column) for _, row, column in group.cells}) == len(group.cells)
        assert len({infosets.owner(j) for j, _, _ in group.cells}) == 1


def test_cells_of_a_group_are_where_their_labels_say():
    infosets = mccfr.compile("leduc").infosets
    group = next(group for group in Atlas(infosets).groups if group.title == "player 1 · public card q")
    for j, row, column in group.cells:
        before, after = group.columns[column].split("/")
        assert infosets.labels[j] == f"{group.rows[row]}:{before}/q:{after}"
    nlph = mccfr.compile("nlph").infosets
    first = Atlas(nlph).groups[0]
    assert {(row, column): nlph.labels[j] for j, row, column in first.cells}[0, 1] == "AKs:"
    assert {(row, column): nlph.labels[j] for j, row, column in first.cells}[1, 0] == "AKo:"


def test_small_games_have_cards_and_searches_have_one_grid():
    assert Atlas(mccfr.compile("kuhn").infosets).groups == []
    infosets = mccfr.compile("leduc").infosets
    found = Atlas(infosets).matching("K:cc/Q", None)
    wanted = [j for j, label in enumerate(infosets.labels) if "k:cc/q" in label.lower()]
    assert [j for j, _, _ in found.cells] == wanted
    assert len({(row, column) for _, row, column in found.cells}) == len(wanted)
    assert len(Atlas(infosets).matching("c", None).cells) <= 200


# ---- runs


def test_runs_say_how_good_they_are_and_how_old(asked):
    (run,) = asked("/api/runs").json()["runs"]
    assert (run["title"], run["status"], run["iterations"]) == ("spot Qs Jh 2h 8c, pot 180, stack 910", "done", 10)
    assert run["of_pot"] == pytest.approx(run["exploitability"] / 180)
    assert 0 <= run["age"] < 600


def test_a_run_that_goes_on_shows_its_newest_checkpoint(tmp_path):
    seen = []

    def look(kind, **facts):
        if kind == "checkpointed" and not seen:
            sources = find_sources((str(tmp_path),))
            listed = list_sources(sources)
            seen.append((listed["runs"][0], listed["strategies"][0], sources.book(0).strategy.origin.iterations))

    run = mccfr.train(
        tmp_path / "one", mccfr.spot(**TURN, **RANGES), "dcfr", iterations=200, checkpoint_every=0.001, on_event=look
    )
    told, strategy, iterations = seen[0]
    assert told["status"] == "running"
    assert strategy["live"]
    assert 0 < strategy["iterations"] <= 200
    assert strategy["iterations"] == iterations
    sources = find_sources((str(tmp_path),))
    done = list_sources(sources)["strategies"][0]
    assert (done["live"], done["iterations"]) == (False, 200)
    assert done["version"] != strategy["version"]
    view, mine = sources.book(0).view("k"), mccfr.view(run, "k")
    assert view.frequencies() == mine.frequencies()
    (tmp_path / "one" / "strategy.mccfr").unlink()
    assert find_sources((str(tmp_path),)).book(0).strategy.origin.iterations == 200


def test_a_run_without_a_strategy_is_only_a_run(tmp_path):
    mccfr.train(tmp_path / "one", "kuhn", "cfr", iterations=5)
    for path in (tmp_path / "one" / "checkpoints").iterdir():
        path.unlink()
    (tmp_path / "one" / "strategy.mccfr").unlink()
    sources = find_sources((str(tmp_path),))
    assert list_sources(sources)["strategies"] == []
    with pytest.raises(mccfr.MccfrError, match="no strategy yet"):
        sources.book(0)


def test_titles_are_short():
    assert game_title("kuhn") == "kuhn"
    assert game_title(mccfr.load("blueprint:nolimit").game) == "no-limit hold'em stack 200, buckets emd"
