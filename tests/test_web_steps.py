"""What a page is told about a step is what the tables held at that step; rules and labels in words."""

import numpy as np
import pytest

import mccfr
from mccfr.games.label_words import how_to_read, label_in_words
from mccfr.games.registry import NAMED
from mccfr.games.rules_in_words import WRITERS, rules_in_words
from mccfr.solvers.method import Method
from mccfr.web.admit import scene_of
from mccfr.web.lane import Lane
from mccfr.web.mathematics import mathematics
from mccfr.web.messages import MessageError, read_message
from mccfr.web.rows import row_at, steps_of
from mccfr.web.trace import Listener

WALKS = (
    "external",
    "outcome+history",
    "external+own_average",
    "robust(1)+probe",
    "external+batch(2)",
    "chance+rm_plus",
)
SWEEPS = ("cfr", "cfr_plus", "dcfr", "cfr+simultaneous", "pcfr_plus")


def told(method, iterations=8, game="kuhn", seed=1):
    """A lane whose last iteration was told."""
    lane = Lane(scene_of(game), Method.parse(method), seed)
    lane.advance(iterations - 1)
    lane.tell()
    return lane


class Stopped(Exception):
    """In the middle of an iteration."""


def stopped_at(method, iterations, step, monkeypatch):
    """A lane whose walk was cut off right after a step had been told: what its tables hold then."""
    write, count = Listener._add, 0

    def add(listener, *facts):
        nonlocal count
        event = write(listener, *facts)
        count += 1
        if count == step + 1:
            raise Stopped
        return event

    lane = Lane(scene_of("kuhn"), Method.parse(method), 1)
    lane.advance(iterations - 1)
    with monkeypatch.context() as patch:
        patch.setattr(Listener, "_add", add)
        with pytest.raises(Stopped):
            lane.tell()
    return lane


def shown(lane, step):
    """Every row as the page shows it at a step."""
    infosets, table = lane.scene.tree.infosets, {}
    for j in range(len(infosets)):
        key = f"{infosets.owner(j)}:{infosets.labels[j]}"
        table[key] = row_at(lane.trace, key, step) or lane.card(j, lane.average())
    return table


@pytest.mark.parametrize("method", WALKS)
def test_rows_at_a_step_are_those_of_a_walk_stopped_there(method, uncompiled, monkeypatch):
    whole = told(method)
    steps = steps_of(whole.trace)
    for step in {0, 3, len(steps) // 4, len(steps) // 2, len(steps) - 3, len(steps) - 1}:
        if steps[step]["what"] == "settle":  # told when the walks are over
            continue
        cut = stopped_at(method, 8, step, monkeypatch)
        average = cut.average()
        for j, (key, row) in enumerate(shown(whole, step).items()):
            card = cut.card(j, average)
            for name in ("regret", "current", "average", "visits"):
                assert row[name] == card[name], (method, step, key, name)


@pytest.mark.parametrize("method", WALKS + SWEEPS)
def test_the_last_step_leaves_the_tables_of_the_iteration(method, uncompiled):
    lane = told(method)
    last = shown(lane, len(steps_of(lane.trace)) - 1)
    average = lane.average()
    for j, row in enumerate(last.values()):
        card = lane.card(j, average)
        assert all(row[name] == card[name] for name in ("regret", "current", "average", "visits")), (method, card)
    solver = mccfr.Solver("kuhn", method, 1).run(8)
    assert [x for row in last.values() for x in row["regret"]] == solver.state["regret"].tolist()


def test_changes_that_wait_for_the_end_are_a_step_of_their_own(uncompiled):
    *walks, end = steps_of(told("external+batch(2)", 8).trace)
    assert end["what"] == "settle"
    assert all(
        row["regret"] == step["regret_before"] for step in walks if step["what"] == "update" for row in step["rows"]
    )
    assert "settle" not in {step["what"] for step in steps_of(told("external+batch(2)", 7).trace)}


def test_figures_of_a_told_iteration_begin_with_the_last_one(uncompiled):
    lane, before = told("external", 8), mccfr.Solver("kuhn", "external", 1).run(7)
    assert lane.trace["earlier"]["exploitability"] == mccfr.exploitability(before.strategy())
    assert lane.trace["earlier"]["touched"] == before.touched


@pytest.mark.parametrize("method", SWEEPS)
def test_a_sweep_has_a_step_for_each_infoset(method):
    lane = told(method, 5)
    before, after = (mccfr.Solver("kuhn", method, 1).run(n) for n in (4, 5))
    infosets = lane.scene.tree.infosets
    steps = steps_of(lane.trace)
    updates = [step for step in steps if step["what"] == "update"]
    assert len(steps) == 2 + len(infosets)
    assert sorted(infosets.find(step["infoset"], step["player"]) for step in updates) == list(range(len(infosets)))
    for step in updates:
        j = infosets.find(step["infoset"], step["player"])
        row = slice(int(infosets.row[j]), int(infosets.row[j + 1]))
        assert step["regret_before"] == before.state["regret"][row].tolist()
        assert step["regret_after"] == after.state["regret"][row].tolist()
        assert step["strategy_after"] == after.state["current"][row].tolist()
        assert step["rows"][0]["average"] == after.strategy().probabilities[row].tolist()
        mixed = sum(p * v for p, v in zip(step["strategy"], step["values"]))
        assert step["value"] == pytest.approx(mixed, abs=1e-12)
        assert step["increment"] == pytest.approx([v - step["value"] for v in step["values"]], abs=1e-12)
    if method in ("cfr", "cfr+simultaneous"):
        step = updates[3]
        assert np.add(step["regret_before"], step["increment"]) == pytest.approx(step["regret_after"], abs=1e-12)


def test_mathematics_of_a_step_knows_nothing_later(uncompiled):
    lane = told("external", 30)
    steps = steps_of(lane.trace)
    at = next(n for n, step in enumerate(steps) if step["what"] == "update")
    player, label = steps[at]["player"], steps[at]["infoset"]
    early, then = (mathematics(lane, player, label, step) for step in (at - 1, at))
    assert early["visits"] == []
    assert early["after"]["regret"] == early["before"]["regret"] == steps[at]["regret_before"]
    assert early["true"] is early["expected_sampled"] is None
    assert "has not been updated yet" in early["steps"][0]["note"]
    assert then["visits"][0]["increment"] == steps[at]["increment"]
    assert then["after"]["regret"] == steps[at]["regret_after"]
    assert then["true"] is not None


def test_mathematics_of_a_sweep_has_every_history():
    found = mathematics(told("cfr", 5), 0, "Q:cb", None)
    assert len(found["visits"]) == 2
    assert "history" in found["steps"][0]["formula"]
    assert sum(v["increment"][0] for v in found["visits"]) == pytest.approx(found["true"]["regret"][0], abs=1e-12)


# ---- rules and labels


def test_every_built_in_game_has_rules_in_words():
    assert set(WRITERS) == set(NAMED)


@pytest.mark.parametrize(
    ("game", "says"),
    [
        ("kuhn", "jack, a queen and a king"),
        ("kuhn(suits=2)", "a deck of 6: jacks, queens and kings of 2 suits"),
        ("dealt:kuhn(suits=2)", "king over queen over jack; equal ranks share it."),
        ("leduc", "two jacks"),
        ("gp(4,2,2,2)", "2 or 4 chips"),
        ("goofspiel(3)", "numbered 1 to 3"),
        ("bluff(1, 1, faces=3)", "The face 3 is wild"),
        ("bluff(1, 2, rounds=one)", "The loser of the round pays 1"),
        ("rps", "rock"),
        ("matrix([[2,-1],[-1,1]])", "one of 2 rows"),
        ("nlph", "blinds of 50 and 100"),
        ("dealt:leduc", "two jacks"),
        ('spot(board="Qs Jh 2h 8c 3d", pot=100, stack=200, oop="QQ", ip="JJ", bet="50%", raise_=a)', "100 chips"),
        ("holdem(limit(cap=1), ranks=4, suits=2, board=3)", "2 rounds of betting"),
    ],
)
def test_rules_are_two_to_six_sentences(game, says):
    text = rules_in_words(mccfr.game(game))
    assert says in text
    assert 2 <= text.count(". ") + 1 <= 6


@pytest.mark.parametrize(
    ("game", "player", "label", "words"),
    [
        ("kuhn", 0, "Q:cb", "Player 0 holds the queen; the line so far: check, bet"),
        ("kuhn", 1, "K:c", "Player 1 holds the king; the line so far: check"),
        ("kuhn", 0, "J:", "Player 0 holds the jack; nobody has moved yet"),
        ("kuhn(suits=2)", 0, "Qs:cb", "Player 0 holds the queen of spades; the line so far: check, bet"),
        ("dealt:kuhn(suits=4)", 1, "Kd:c", "Player 1 holds the king of diamonds; the line so far: check"),
        (
            "leduc(suits=False)",
            0,
            "K:crc/Q:cr",
            "Player 0 holds the king; the first round: check, bet, call; the public card is the queen; the second "
            "round so far: check, bet",
        ),
        ("leduc", 1, "q:r", "Player 1 holds the queen of the second suit; the line so far: bet"),
        (
            "gp(4,2,2,2)",
            0,
            "2b:r4r2c/4a:",
            "Player 0 holds a card of rank 2 (copy b); the first round: bet 4, raise 2, call; the public card is a "
            "card of rank 4 (copy a); nobody has moved in the second round",
        ),
        ("goofspiel(4)", 1, "1:4w2t", "Player 1 has bid 4 (won), 2 (tied)"),
        ("goofspiel(4)", 0, "0:", "Player 0 has not bid yet"),
        ("bluff(1,1,faces=3)", 1, "2:1-3,2-1", "Player 1 has rolled 2; the bids so far: 1 × face 3, 2 × face 1"),
        ("bluff(2,1)", 0, "26:", "Player 0 has rolled 2, 6; nothing has been said yet"),
        (
            "bluff(2,1,rounds=literal)",
            0,
            "24:1-5,2-3=1/3:1-2",
            "Player 0 has rolled 3; 1 earlier round; the bids so far: 1 × face 2",
        ),
        ("nlph", 0, "AKs:crc", "Player 0 holds AKs; the line so far: call, raise, call"),
        ("rps", 0, "row", "Player 0 chooses, without seeing the other's choice"),
    ],
)
def test_labels_are_read_aloud(game, player, label, words):
    assert label_in_words(mccfr.game(game), player, label) == words
    assert "label" in how_to_read(mccfr.game(game)) or "infoset" in how_to_read(mccfr.game(game))


def test_a_game_of_ones_own_has_plain_words():
    class Own:
        name = "mine"

    assert rules_in_words(Own()) == ""
    assert label_in_words(Own(), 1, "x|y") == "Player 1 moves, and “x|y” stands for all it knows here"


@pytest.mark.parametrize(
    "game",
    ["kuhn", "dealt:kuhn(suits=2)", "leduc", "goofspiel(3)", "bluff(1, 1, faces=3)", "rps", "dealt:leduc", "nlph"],
)
def test_every_label_of_the_menus_can_be_read(game):
    scene = scene_of(game)
    for j in range(0, len(scene.tree.infosets), 7):
        assert "stands for" not in scene.reading(j)


def test_cards_of_kuhn_stand_in_the_order_of_their_ranks():
    scene = scene_of("kuhn")
    labels = [scene.tree.infosets.labels[j] for j in scene.order]
    assert labels == [f"{card}:{line}" for line in ("", "cb", "c", "b") for card in "JQK"]
    assert [node["action"] for node in scene.opened_at_once["tree"] if node["parent"] == 0] == ["J", "Q", "K"]


@pytest.mark.parametrize("step", ["-1", "1.5", '"last"', "1000000000001"])
def test_a_step_is_a_count(step):
    with pytest.raises(MessageError, match=r"^message: (infoset\.)?step: "):
        read_message(f'{{"type": "infoset", "player": 0, "label": "Q:", "step": {step}}}')


def test_a_step_beyond_the_end_is_the_end(uncompiled):
    lane = told("external", 8)
    player, label = 0, lane.scene.tree.infosets.labels[min(lane.updated)]
    end, beyond = (mathematics(lane, player, label, step) for step in (None, 10**12))
    assert beyond["after"] == end["after"]
    assert beyond["visits"] == end["visits"]
