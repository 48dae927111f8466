"""Public nodes as the page shows them: ranges and strategies by hand, and which hands each form of walk touches."""

import itertools

import numpy as np
import pytest

import mccfr
from mccfr.errors import TreeError
from mccfr.kernel.dispatch import uncompiled
from mccfr.web import public_nodes
from mccfr.web.admit import scene_of
from mccfr.web.lane import Lane
from mccfr.web.messages import Public
from mccfr.web.public_nodes import public_node, rows_at
from mccfr.web.walk_forms import form_of

KUHN = "dealt:kuhn(suits=2)"
CARDS = ("Jc", "Js", "Qc", "Qs", "Kc", "Ks")
FORMS = {"external": "value", "semi_vector": "semi_vector", "vector(external)": "vector"}


@pytest.fixture(scope="module")
def lane():
    """Six cards, and a strategy that differs from hand to hand; nothing is compiled."""
    return learned(KUHN, 7)


def learned(game, seed):
    """A lane whose average and current strategies are random."""
    with uncompiled():
        found = Lane(scene_of(game), mccfr.Method.parse("external"), seed)
    dice = np.random.default_rng(seed)
    entries = found.scene.tree.infosets.entries
    found.engine.table.average[:] = dice.exponential(size=entries)
    found.engine.table.current[:] = mccfr.strategy.strategy.normalised(
        found.scene.tree.infosets, dice.exponential(size=entries)
    )[0]
    return found


def at(lane, line, **facts):
    """The public node after a line of moves."""
    found = public_node(lane, Public(type="public", **facts))
    for move in line:
        here = next(i for i, node in enumerate(found["nodes"]) if node["id"] == found["node"])
        below = found["nodes"][here]["depth"] + 1
        child = next(node for node in found["nodes"][here + 1 :] if node["depth"] == below and node["action"] == move)
        found = public_node(lane, Public(type="public", node=child["id"], **facts))
    return found


def play(lane, name, player, label):
    """An infoset's row of the current or average strategy, by its label."""
    infosets = lane.scene.tree.infosets
    table = lane.average() if name == "average" else lane.engine.current()
    j = next(j for j in infosets.of(player) if infosets.labels[j] == label)
    return dict(zip(infosets.actions(j), table[infosets.row[j] : infosets.row[j + 1]]))


def assert_kuhn_is_right(lane):
    """The node after check and bet, from labels alone: player 0 has checked, player 1 has bet and waits."""
    mover, other = at(lane, ("check", "bet"))["vectors"]
    assert (mover["player"], mover["actions"], other["player"]) == (0, ["fold", "call"], 1)
    assert [row["hand"] for row in mover["hands"]] == [row["hand"] for row in other["hands"]] == list(CARDS)
    for name, card in itertools.product(("current", "average"), range(6)):
        mine, theirs, hand = mover["hands"][card], other["hands"][card], CARDS[card]
        assert mine["label"] == f"{hand}:cb"
        assert mine[name] == list(play(lane, name, 0, f"{hand}:cb").values())
        assert mine["range"][name] == play(lane, name, 0, f"{hand}:")["check"]
        assert theirs["range"][name] == play(lane, name, 1, f"{hand}:c")["bet"]


def test_hands_have_their_ranges_and_strategies(lane):
    assert_kuhn_is_right(lane)


def test_a_wrong_row_is_noticed(lane, monkeypatch):
    """Planted: the rows of a node in the wrong order."""
    monkeypatch.setattr(public_nodes, "rows_at", lambda tree, h, table: rows_at(tree, h, table)[::-1])
    with pytest.raises(AssertionError):
        assert_kuhn_is_right(lane)


def test_a_wrong_range_is_noticed(lane, monkeypatch):
    """Planted: ranges that end one move too early."""
    right = public_nodes.ranges_at
    before = lambda scene, tree, h, strategy: right(scene, tree, max(int(scene.parent[h]), 0), strategy)  # noqa: E731
    monkeypatch.setattr(public_nodes, "ranges_at", before)
    with pytest.raises(AssertionError):
        assert_kuhn_is_right(lane)


def test_public_cards_take_hands_away():
    """Leduc after check, check and the queen of the first suit: nobody holds it, and ranges are of round one."""
    lane = learned("dealt:leduc", 3)
    found = at(lane, ("check", "check", "Q"))
    mover, other = found["vectors"]
    assert [row["hand"] for row in mover["hands"]] == ["J", "j", "q", "K", "k"]
    for mine, theirs in zip(mover["hands"], other["hands"]):
        hand = mine["hand"]
        assert mine["range"]["average"] == play(lane, "average", 0, f"{hand}:")["check"]
        assert theirs["range"]["current"] == play(lane, "current", 1, f"{hand}:c")["check"]
        assert mine["current"] == list(play(lane, "current", 0, f"{hand}:cc/Q:").values())
    here = next(node for node in found["nodes"] if node["id"] == found["node"])
    assert (here["line"], here["histories"], here["infosets"]) == ("check, check, Q", 20, 5)


@pytest.mark.parametrize(
    ("game", "sizes"),
    [("dealt:kuhn", (54, 12, 9, 4)), (KUHN, (270, 24, 9, 4)), ("dealt:leduc", (9450, 936, 465, 186))],
)
def test_histories_infosets_and_public_nodes(game, sizes):
    """Davis, Schmid and Bowling (2019, table 1) count 9450 and 936; Kuhn has nine nodes for each of 6 or 30 deals."""
    assert tuple(public_nodes.counts(scene_of(game).tree).values()) == sizes


@pytest.mark.parametrize(("walker", "line"), [(0, ()), (1, ()), (0, ("check",)), (1, ("check", "bet"))])
def test_what_a_walk_touches(lane, walker, line):
    """Pair by pair: one, those with the other player's card, or all thirty."""
    found = at(lane, line, walker=walker, deal=5)
    value = next(form for form in found["forms"] if form["key"] == "value")
    mine, theirs = value["hands"].split(" against ")
    cards = (mine, theirs) if walker == 0 else (theirs, mine)
    pairs = list(itertools.permutations(CARDS, 2))
    expected = {
        "value": [pair for pair in pairs if pair == cards],
        "semi_vector": [pair for pair in pairs if pair[1 - walker] == theirs],
        "vector": pairs,
    }
    for form in found["forms"]:
        touched = expected[form["key"]]
        assert form["histories"] == len(touched)
        for vector in found["vectors"]:
            player = vector["player"]
            hands = [row["hand"] for row in vector["hands"] if form["key"] in row["touched"]]
            assert set(hands) == {pair[player] for pair in touched}
            assert not vector["moves"] or form["infosets"] == len(hands)


@pytest.mark.parametrize("method", FORMS)
def test_walks_update_the_infosets_that_the_page_says(method):
    """Player 0's first walk changes regrets at its own first node and averages at player 1's, for as many hands."""
    tree = scene_of(KUHN).tree
    assert form_of(mccfr.Method.parse(method)) == FORMS[method]
    regrets, averages, told = [], [], {}
    for seed in range(6):
        with uncompiled():
            walked = Lane(scene_of(KUHN), mccfr.Method.parse(method), seed)
            walked.advance(1)
            regrets.append(np.count_nonzero(rows_at(tree, 0, walked.engine.regrets()).any(axis=1)))
            averages.append(np.count_nonzero(rows_at(tree, 1, walked.engine.weights()).any(axis=1)))
            told = {h: public_node(walked, Public(type="public", node=h)) for h in (0, 1)}
    said = [next(form["infosets"] for form in told[h]["forms"] if form["key"] == FORMS[method]) for h in (0, 1)]
    assert [max(regrets), max(averages)] == said


def test_forms_of_other_methods():
    told = {
        text: form_of(mccfr.Method.parse(text)) for text in ("cfr", "public_outcome", "outcome", "semi_vector(robust)")
    }
    assert told == {
        "cfr": "vector",
        "public_outcome": "vector",
        "outcome": "value",
        "semi_vector(robust)": "semi_vector",
    }


def test_what_cannot_be_shown(lane):
    with uncompiled():
        flat = Lane(scene_of("kuhn"), mccfr.Method.parse("external"), 1)
    with pytest.raises(
        TreeError, match="public trees are shown of dealt games with up to 200 hands, such as dealt:kuhn"
    ):
        public_node(flat, Public(type="public"))
    with pytest.raises(TreeError, match=r"dealt:kuhn\(suits=2\) has 9 public nodes: there is no node 9"):
        public_node(lane, Public(type="public", node=9))
