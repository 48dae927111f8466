"""What is read from a solved spot: against every history of small spots, another solver's numbers, and itself."""

import csv
import math
import subprocess
import sys
import types
from pathlib import Path

import naive_reading
import numpy as np
import pytest
import street_examples
from naive_reading import histories

import mccfr
from mccfr.errors import MccfrError, StrategyError
from mccfr.evaluate import street_reading
from mccfr.evaluate.street_reading import StreetReader
from mccfr.strategy.strategy import Origin, Strategy

DATA = Path(__file__).parent / "data" / "spots"
TWELVE = {"pot": 10, "stack": 20, "bet": "50%,a", "raise_": "a", "ranks": 4, "suits": 3}
GAMES = {
    "river": mccfr.spot(**street_examples.RIVER, oop="QQ,AhKh:0.5,KhKd", ip="JJ,KQs:0.25"),
    "locked": mccfr.spot(**street_examples.SPOTS["locked by range"][0]),
    "turn": mccfr.spot(**street_examples.SPOTS["turn"][0]),
    "flop": mccfr.spot(**street_examples.SPOTS["flop"][0]),
    "alike suits": mccfr.spot(**TWELVE, board="2c 3c 4c 5c", oop="55,54s", ip="44,53s,43o:0.5"),
}


def drawn(game, seed=1):
    """A strategy of random numbers, some of them 0, the same for hands that differ by suits that do not matter."""
    tree = mccfr.compile(game)
    dice = np.random.default_rng(seed)
    weights = dice.random(tree.infosets.entries) * (dice.random(tree.infosets.entries) < 0.8)
    evaluator = StreetReader(mccfr.uniform(tree)).evaluator
    evaluator.load(weights)
    rows = np.empty_like(weights)
    from mccfr.kernel.street_rows import to_rows

    to_rows(evaluator.sweeps.lines, tree.boards.boards, tree.lock_lanes(evaluator.lanes), rows)
    return Strategy(tree.infosets, rows, Origin(tree.game, "drawn"), tree=tree)


@pytest.fixture(scope="module")
def told():
    """By name: the game, a strategy and all histories by line."""
    found = {}
    for name, game in GAMES.items():
        strategy = drawn(game)
        found[name] = game, strategy, histories(game, strategy)
    return found


def differences(reader, game, seen, most=40):
    """Where views differ from the histories, over some lines of the game."""
    lines = sorted(seen)
    for line in lines[:: max(1, len(lines) // most)]:
        view = reader.view(line)
        total = sum(one.chance * one.own[0] * one.own[1] for one in seen[line])
        for player in (0, 1):
            if total > 0:
                assert view.weight[player].sum() == pytest.approx(view.weight[0].sum(), rel=1e-9)
            for hand in range(len(view.reach[0])):
                wanted = naive_reading.expected(game, seen[line], player, hand)
                if wanted is None:
                    continue
                reach, weight, ev, equity = wanted
                assert view.reach[player, hand] == pytest.approx(reach, abs=1e-12), (line, player, hand)
                if ev is None:
                    assert math.isnan(view.ev[player, hand])
                    continue
                assert view.ev[player, hand] == pytest.approx(ev, abs=1e-7), (line, player, hand)
                assert view.equity[player, hand] == pytest.approx(equity, abs=1e-9), (line, player, hand)
                if total > 0:
                    share = view.weight[player, hand] / view.weight[player].sum()
                    assert share == pytest.approx(weight / total, abs=1e-9), (line, player, hand)


@pytest.mark.slow_cases("*locked*", "river")
@pytest.mark.parametrize("name", GAMES)
def test_views_show_what_every_history_together_says(name, told):
    game, strategy, seen = told[name]
    differences(StreetReader(strategy), game, seen)


@pytest.mark.slow_cases("*locked*")
@pytest.mark.parametrize("name", GAMES)
def test_evs_sum_to_the_pot_and_actions_to_the_ev(name, told):
    game, strategy, seen = told[name]
    reader = StreetReader(strategy)
    for line in sorted(seen)[:: max(1, len(seen) // 25)]:
        view = reader.view(line)
        stakes = seen[line][0].state.betting.stakes
        assert view.pot == game.streets().betting.dead + sum(stakes)
        if view.weight[0].sum() > 0:
            assert view.mean_ev(0) + view.mean_ev(1) == pytest.approx(view.pot, abs=1e-8)
            assert view.mean_equity(0) + view.mean_equity(1) == pytest.approx(1, abs=1e-9)
        if view.mover is not None:
            mixed = (view.frequency * view.action_ev).sum(axis=0)
            known = np.isfinite(view.ev[view.mover])
            assert mixed[known] == pytest.approx(view.ev[view.mover][known], abs=1e-8)
            if view.actions[0] == "f":
                assert view.action_ev[0][known] == pytest.approx(0, abs=1e-8)
    root = reader.view()
    assert root.mean_ev(0) == pytest.approx(root.pot / 2 + mccfr.expected_value(strategy), abs=1e-9)


def test_the_board_that_comes_is_the_one_asked_for(told):
    _game, strategy, _ = told["alike suits"]
    assert len(strategy.tree.boards.listed) < 1 + 8  # some rivers stand for others
    first, second = mccfr.view(strategy, "kk/5d"), mccfr.view(strategy, "kk/5h:")
    assert (first.board, second.board) == ("2c 3c 4c 5c 5d", "2c 3c 4c 5c 5h")
    mine = {row.hand: row for row in first.hands(0)}
    other = {row.hand: row for row in second.hands(0)}
    swapped = str.maketrans("dh", "hd")
    for hand, row in mine.items():
        same = hand.translate(swapped)
        same = same if same in other else same[2:] + same[:2]
        assert other[same].ev == pytest.approx(row.ev, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(
    ("name", "line"), [("turn", "kk/"), ("turn", "b5c"), ("flop", "ka20c/"), ("alike suits", "kk")]
)
def test_run_outs_are_the_views_of_every_card(name, line, told):
    game, strategy, _ = told[name]
    strategy = mccfr.uniform(game) if "a20" in line else strategy  # the other one never plays that
    before, rows = mccfr.view(strategy, line), mccfr.runouts(strategy, line)
    seen = len(before.board.split())
    assert len({row.cards for row in rows}) == len(rows) == before.ranks * before.suits - seen
    assert sum(row.chance for row in rows) == pytest.approx(1, abs=1e-12)
    for player in (0, 1):
        met = [row for row in rows if row.chance > 0]
        assert sum(row.chance * row.ev[player] for row in met) == pytest.approx(before.mean_ev(player), abs=1e-8)
        assert sum(row.chance * row.equity[player] for row in met) == pytest.approx(before.mean_equity(player))
    for row in rows:
        after = mccfr.view(strategy, f"{line.rstrip('/')}/{row.cards}:")
        assert row.ev == pytest.approx((after.mean_ev(0), after.mean_ev(1)), abs=1e-9, nan_ok=True)
        assert row.frequency == pytest.approx(after.frequencies(), abs=1e-12, nan_ok=True)
        assert row.mover == after.mover


# ---- mistakes that must be noticed

BUGS = {
    "chances of cards do not count": ("self.chances[listed.street]", "self.chances[0]"),
    "stakes of the other player": ("value / mass + stakes[:, None]", "value / mass + stakes[::-1, None]"),
    "the own range in place of the other's": ("Range(reach[1 - p],", "Range(reach[p],"),
    "hands are not exchanged": ("turned.hands[tree.boards", "next(deck.exchanges()).hands[tree.boards"),
    "the first action for all": ("[child : child + len(actions), :", "[[child] * len(actions), :"),
    "images in the wrong order": ("compose(turned, image)", "compose(turned, listed.images[0])"),
}


@pytest.mark.parametrize("bug", BUGS)
def test_planted_bugs_are_noticed(bug, told):
    before, after = BUGS[bug]
    source = Path(street_reading.__file__).read_text()
    assert source.count(before) == 1
    module = types.ModuleType("planted")
    exec(compile(source.replace(before, after), "planted", "exec"), module.__dict__)

    def look():
        for name in ("turn", "alike suits"):
            game, strategy, seen = told[name]
            reader = module.StreetReader(strategy)
            differences(reader, game, seen)
            view = reader.view()
            mixed = (view.frequency * view.action_ev).sum(axis=0)
            assert np.nan_to_num(mixed) == pytest.approx(np.nan_to_num(view.ev[0]), abs=1e-8)
            assert sum(row.chance for row in reader.runouts("kk/")) == pytest.approx(1)

    with pytest.raises((AssertionError, KeyError, IndexError)):
        look()


# ---- another solver's numbers


def oracle(name):
    with (DATA / f"{name}.spot").open() as lines:
        given = dict(line.rstrip("\n").split("=", 1) for line in lines if "=" in line)
    with (DATA / f"{name}.hands.csv").open() as rows:
        hands = list(csv.DictReader(rows))
    keys = {"board": given["board"], "oop": given["oop"], "ip": given["ip"], "bet": given["bet"]}
    numbers = {key: float(given[key]) for key in ("add_allin", "force_allin", "merge")}
    pot, stack = int(given["pot"]), int(given["stack"])
    return mccfr.spot(**keys, **numbers, pot=pot, stack=stack, raise_=given["raise"]), hands


@pytest.mark.parametrize(("name", "equity"), [("river_std", 0.546958), ("turn_pa", 0.551242)])
def test_equities_are_those_of_another_solver(name, equity):
    game, hands = oracle(name)
    view = mccfr.view(mccfr.uniform(game))
    mine = {row.hand: row for row in view.hands(0)}
    assert mine.keys() == {row["hand"] for row in hands}
    for row in hands:
        assert mine[row["hand"]].equity == pytest.approx(float(row["equity"]), abs=1.01e-6)
        assert mine[row["hand"]].weight == pytest.approx(float(row["weight"]), abs=1e-6)
    assert view.mean_equity(0) == pytest.approx(equity, abs=1e-6)
    assert view.mean_equity(1) == pytest.approx(1 - equity, abs=1e-6)


@pytest.mark.slow
def test_evs_are_those_of_another_solver():
    game, hands = oracle("river_std")
    strategy = mccfr.solve(game, iterations=400).strategy()
    view = mccfr.view(strategy)
    assert view.mean_ev(0) == pytest.approx(98.670, abs=0.05)
    assert view.mean_ev(0) + view.mean_ev(1) == pytest.approx(180, abs=1e-9)
    mine = {row.hand: row for row in view.hands(0)}
    gaps = np.array([mine[row["hand"]].ev - float(row["ev"]) for row in hands])
    weights = np.array([float(row["weight"]) for row in hands])
    assert np.abs(gaps).max() < 4  # one equilibrium of several
    assert abs(weights @ gaps) / weights.sum() < 0.05
    often = {name: sum(float(row[name]) * w for row, w in zip(hands, weights)) / weights.sum() for name in ("Check",)}
    assert view.frequencies()["k"] == pytest.approx(often["Check"], abs=0.05)


@pytest.mark.slow
def test_evs_of_a_turn_are_those_of_another_solver():
    game, hands = oracle("turn_pa")
    solver = mccfr.solve(game, target="0.05%", iterations=3000)
    assert solver.reached
    view = mccfr.view(solver)
    assert view.mean_ev(0) == pytest.approx(97.328, abs=0.05)
    mine = {row.hand: row.ev for row in view.hands(0)}
    weights = np.array([float(row["weight"]) for row in hands])
    gaps = np.array([mine[row["hand"]] - float(row["ev"]) for row in hands])
    assert np.abs(gaps).max() < 5
    assert abs(weights @ gaps) / weights.sum() < 0.1


# ---- ranges, hands, classes


def test_a_range_after_a_line_is_a_range_again(told):
    _game, strategy, _ = told["river"]
    view = mccfr.view(strategy, "kb50")
    assert (view.range(0).weights == view.reach[0]).all()
    again = mccfr.spot(**street_examples.RIVER, oop=view.range(0), ip=str(view.range(1)))
    assert again.ranges[1] == view.range(1)
    short = view.range_text(1, 2)
    read = mccfr.spot(**street_examples.RIVER, oop="all", ip=short).ranges[1]
    assert read.weights == pytest.approx(view.reach[1], abs=0.005 + 1e-12)


def test_hands_and_classes_and_grids():
    game, _ = oracle("river_std")
    view = mccfr.view(mccfr.uniform(game))
    assert [row.hand for row in view.hands(0, "AKs")] == ["AsKs", "AhKh", "AdKd", "AcKc"]
    row = view.hands(0, "KcAc")[0]
    assert (row.hand, row.player, row.reach) == ("AcKc", 0, 1.0)
    assert row.frequency == dict.fromkeys(view.actions, 0.25)
    assert view.hands(1, "AKo")[0].frequency == {}
    classes = view.classes(0)
    assert classes["AKs"].combos == 4
    assert classes["QQ"].combos == 3
    assert sum(each.combos for each in classes.values()) == pytest.approx(view.combos(0))
    grids = view.grids()
    assert grids["k"][1] == pytest.approx(0.25)  # AKs
    assert math.isnan(grids["k"][-1])  # 22, which nobody out of position has
    with pytest.raises(StrategyError, match=r"of a spot, mccfr.view\(strategy, line\).grids\(\) has the grids$"):
        mccfr.uniform(game).grids()
    with pytest.raises(StrategyError, match=r"^player 0 cannot hold '22' after ''$"):
        view.hands(0, "22")
    with pytest.raises(StrategyError, match="no player 2"):
        view.combos(2)


def test_a_line_that_is_never_played_is_shown_without_numbers():
    game = GAMES["river"]
    tree = mccfr.compile(game)
    never = {label: {"k": 1.0} for label in tree.infosets.labels if label.endswith(":")}
    view = mccfr.view(mccfr.from_dict(game, never), "b50")
    assert view.combos(0) == 0
    assert math.isnan(view.mean_ev(1))
    assert math.isnan(view.frequencies()["f"])
    assert str(view.range(0)) == ""
    assert np.isfinite(view.ev[0][view.held(0)]).all()  # what his hands would get, though he never has them


# ---- strategy.at


def test_looking_up_a_line_and_a_hand(told):
    _game, strategy, _ = told["turn"]
    label = next(label for label in strategy.infosets.labels if "/" in label)
    hand, _, line = label.partition(":")
    assert strategy.at(line, hand) == strategy[label]
    assert strategy.at(line, hand[2:] + hand[:2]) == strategy[label]
    assert strategy.at(0) == strategy[strategy.infosets.labels[0]]
    assert mccfr.uniform("kuhn").at("cb", "K") == {"fold": 0.5, "call": 0.5}


@pytest.mark.parametrize(
    ("line", "hand", "error"),
    [
        ("k", "AsKh", "no infoset 'AsKh:k': player 1 cannot hold AsKh there"),
        ("b7", "JsJd", "no infoset 'JsJd:b7': line 'b7': 'b7' at character 1 is not offered"),
        ("kk", "JsJd", "no infoset 'JsJd:kk': nobody moves there"),
        ("k", "Jx", "no infoset 'Jx:k': 'Jx' is not a hand: expected two cards, as in AsKh"),
        ("k", "JsJs", "no infoset 'JsJs:k': 'JsJs' has the same card twice"),
        ("k", None, "at takes a number, or a line and a hand as in"),
        (3, "JsJd", "at takes a number, or a line and a hand as in"),
    ],
)
def test_what_cannot_be_looked_up_is_told_in_one_line(line, hand, error):
    with pytest.raises(StrategyError) as told:
        mccfr.uniform(GAMES["river"]).at(line, hand)
    assert str(told.value).startswith(error)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("kk/6d6d:", "line 'kk/6d6d:': expected 1 new cards in '6d6d'"),
        ("kk/2c:", "line 'kk/2c:': expected 1 new cards in '2c'"),
        ("kk/kk", "line 'kk/kk': the street ends here, so cards must follow, as in kk/3d:"),
        ("q", "line 'q': 'q' at character 1 is not offered"),
        (5, "a line is text such as 'kb59c/3d:k', got 5"),
    ],
)
def test_a_line_that_leads_nowhere_is_told(line, error):
    with pytest.raises(MccfrError) as told:
        mccfr.view(mccfr.uniform(GAMES["turn"]), line)
    assert str(told.value).startswith(error)


def test_games_and_lines_without_boards_and_cards():
    with pytest.raises(StrategyError, match=r"^kuhn has no boards and ranges to look at"):
        mccfr.view(mccfr.uniform("kuhn"))
    with pytest.raises(
        StrategyError, match=r"^no cards are dealt after 'k': give a line that ends a street, as in kk/$"
    ):
        mccfr.runouts(mccfr.uniform(GAMES["turn"]), "k")
    with pytest.raises(StrategyError, match=r"^no cards are dealt after 'kk'"):
        mccfr.runouts(mccfr.uniform(GAMES["river"]), "kk")


def test_a_strategy_of_the_dealt_form_is_read_too():
    solver = mccfr.solve(GAMES["river"], "external", iterations=200)
    assert solver.tree.streets is None
    view, strategy = mccfr.view(solver), solver.strategy()
    for row in view.hands(0):
        assert row.frequency == pytest.approx(strategy.at("", row.hand))
    assert view.mean_ev(0) == pytest.approx(50 + mccfr.expected_value(strategy), abs=1e-9)
    alike = mccfr.solve(GAMES["alike suits"], "external", iterations=10)
    with pytest.raises(StrategyError, match=r"^this strategy may play hands differently"):
        mccfr.view(alike)


# ---- files


@pytest.mark.slow
def test_a_solved_spot_opens_in_another_process(tmp_path):
    game = GAMES["alike suits"]
    strategy = mccfr.solve(game, iterations=50).strategy()
    strategy.save(tmp_path / "a.mccfr")
    told = mccfr.exploitability(strategy), strategy.at("k", "4d4h")
    program = (
        "import mccfr; s = mccfr.load('a.mccfr'); print((mccfr.exploitability(s), s.at('k', '4d4h')));print(s.game)"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True,
        env={"PYTHONPATH": str(Path(mccfr.__file__).parent.parent), "PATH": ""}, check=True,
    )  # fmt: skip
    assert found.stdout == f"{told}\n{game}\n"
