"""A strategy in the hand: looked up, shown, tabulated, compared, built."""

import html.parser
from fractions import Fraction

import numpy as np
import pytest
from conftest import unflat
from random_games import Node, TreeGame, random_game

import mccfr
from mccfr.errors import StrategyError
from mccfr.games.base import CHANCE, TERMINAL
from mccfr.strategy.strategy import Origin, Strategy, normalised, strategy_from

THIRD = 1 / 3


@pytest.fixture(scope="module")
def kuhn():
    return mccfr.compile("kuhn")


@pytest.fixture(scope="module")
def solved(kuhn):
    return mccfr.solve(kuhn, "cfr_plus", iterations=1000, seed=5).strategy()


@pytest.fixture
def shared():
    """A game in which both players have infosets of the same label."""
    game = next(
        game for game in map(random_game, range(100)) if {""} <= set(labels_of(game, 0)) & set(labels_of(game, 1))
    )
    return mccfr.uniform(game)


def labels_of(game, player):
    infosets = mccfr.compile(game).infosets
    return [infosets.labels[j] for j in infosets.of(player)]


# Looking up -----------------------------------------------------------------------------------------------------------


def test_kuhn_1950_by_label(solved):
    assert solved["K:cb"] == pytest.approx({"fold": 0.0, "call": 1.0}, abs=1e-3)
    assert solved["Q:"] == pytest.approx({"check": 1.0, "bet": 0.0}, abs=1e-3)
    assert solved["Q:b"]["call"] == pytest.approx(1 / 3, abs=0.01)
    assert solved[1, "J:c"]["bet"] == pytest.approx(1 / 3, abs=0.01)
    assert 3 * solved["J:"]["bet"] == pytest.approx(solved["K:"]["bet"], abs=0.03)


def test_iteration_length_and_membership(solved, kuhn):
    assert list(solved) == list(kuhn.infosets.labels)
    assert len(solved) == 12
    assert "K:cb" in solved
    assert (0, "K:cb") in solved
    assert (1, "K:cb") not in solved
    assert "K:xx" not in solved
    assert 3 not in solved
    assert all(sum(solved[label].values()) == pytest.approx(1) for label in solved)


def test_a_label_of_two_players_needs_the_player(shared):
    with pytest.raises(StrategyError, match=r"^infoset '' exists for several players: ask for \(player, ''\)$"):
        shared[""]
    assert shared[0, ""] != {}
    assert set(shared[1, ""]) <= {"a", "b", "c"}
    assert "0|" in shared.to_dict()
    assert shared.to_dict()["1|"] == shared[1, ""]


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("K:cbb", "no infoset 'K:cbb'; did you mean K:cb or "),
        ("k:CB", r"no infoset 'k:CB'; did you mean K:cb"),
        ("zzzzzz", "no infoset 'zzzzzz'; known: J:, J:b, J:c, J:cb, K:, "),
        ((2, "K:"), "no player 2: the players are 0 to 1"),
        ((-1, "K:"), "no player -1: the players are 0 to 1"),
        ((1, "K:"), "no infoset 'K:' of player 1; did you mean K:c or K:b"),
        (7, r"an infoset is looked up by its label or by \(player, label\), not by 7"),
        (("K:", 0), r"an infoset is looked up by its label or by \(player, label\), not by \('K:', 0\)"),
    ],
)
def test_unknown_infosets(solved, label, message):
    with pytest.raises(StrategyError, match=f"^{message}") as error:
        solved[label]
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400


def test_repr_says_where_it_comes_from(solved, kuhn):
    assert repr(solved) == "<Strategy for kuhn by cfr_plus, 1,000 iterations: 12 infosets>"
    assert repr(strategy_from(kuhn, {"K:": {"bet": 1.0}})).endswith("12 infosets, 11 of them unvisited (uniform)>")
    assert (solved.origin.game, solved.origin.method, solved.origin.seed) == ("kuhn", "cfr_plus", 5)
    assert solved.origin.iterations == 1000


# Showing --------------------------------------------------------------------------------------------------------------


def rows(text):
    return [line for line in text.splitlines() if line.startswith("│")]


def test_show_prints_a_row_for_every_infoset(solved, capsys):
    solved.show()
    text = capsys.readouterr().out
    assert "kuhn · cfr_plus, 1,000 iterations · 12 infosets" in text
    assert len(rows(text)) == 12
    (king,) = [row for row in rows(text) if " K:cb " in row]
    assert "fold 0.000" in king
    assert "call 1.000 ████████████" in king
    assert king.split("│")[1].strip() == "0"


def test_show_one_infoset_one_player_and_a_few(solved, capsys):
    solved.show("Q:b")
    assert [row.split("│")[2].strip() for row in rows(capsys.readouterr().out)] == ["Q:b"]
    solved.show(player=1)
    assert {row.split("│")[1].strip() for row in rows(capsys.readouterr().out)} == {"1"}
    solved.show(limit=5)
    text = capsys.readouterr().out
    assert len(rows(text)) == 5
    assert "... 7 more; look one up by its label, or raise the limit" in text


def test_show_marks_what_was_never_visited(kuhn, capsys):
    strategy_from(kuhn, {"K:": {"bet": 1.0}}).show()
    text = capsys.readouterr().out
    assert text.count("unvisited") == 12  # eleven rows and the title
    assert "11 unvisited (uniform)" in text


@pytest.mark.parametrize("player", [2, -1])
def test_show_of_a_player_that_does_not_exist(solved, player):
    with pytest.raises(StrategyError, match=rf"^no player {player}: the players are 0 to 1$"):
        solved.show(player=player)


class Cells(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.words = [], []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data.strip())


def test_html_is_well_formed_and_escaped(solved):
    cells = Cells()
    cells.feed(solved._repr_html_())
    assert cells.open == []
    assert {"K:cb", "call", "1.000"} <= set(cells.words)
    assert solved._repr_html_().count("<tr>") == 13
    dangerous = mccfr.uniform('matrix([[1, 2]], rows=["<script>"], columns=["a&b", "c"])')._repr_html_()
    assert "<script>" not in dangerous
    assert "&lt;script&gt;" in dangerous
    assert "a&amp;b" in dangerous


def test_html_of_a_large_strategy_is_cut():
    text = mccfr.uniform("leduc(suits=False)")._repr_html_()
    assert text.count("<code>") == 60
    assert "... 228 more infosets" in text


# Tables ---------------------------------------------------------------------------------------------------------------


def test_frame(solved, kuhn):
    frame = solved.to_frame()
    assert list(frame.columns) == ["player", "infoset", "action", "probability", "visited"]
    assert len(frame) == kuhn.infosets.entries
    assert np.array_equal(frame["probability"], solved.probabilities)
    row = frame[(frame["infoset"] == "K:cb") & (frame["action"] == "call")].iloc[0]
    assert (row["player"], row["probability"], row["visited"]) == (0, solved["K:cb"]["call"], True)
    assert frame.groupby(["player", "infoset"])["probability"].sum().to_numpy() == pytest.approx(np.ones(12))


def test_dict(solved):
    assert solved.to_dict() == {label: solved[label] for label in solved}


# Comparing ------------------------------------------------------------------------------------------------------------


def test_total_variation(kuhn):
    one = strategy_from(kuhn, {"K:": {"bet": 1.0}, "Q:": {"check": 0.75, "bet": 0.25}})
    other = strategy_from(kuhn, {"K:": {"check": 1.0}, "Q:": {"check": 0.25, "bet": 0.75}})
    comparison = one.compare(other)
    assert comparison.largest == 1.0
    assert comparison.mean == pytest.approx(1.5 / 12)
    assert comparison.worst(2) == [("K:", 1.0), ("Q:", 0.5)]
    assert str(comparison).splitlines() == [
        "12 infosets: mean distance 0.125000, largest 1.000000",
        "  1.000000  K:",
        "  0.500000  Q:",
    ]
    assert one.compare(one).largest == 0.0


@pytest.mark.parametrize("other", ["rps", "leduc(suits=False)", "goofspiel(3)"])
def test_strategies_of_different_games_are_not_compared(kuhn, other):
    with pytest.raises(StrategyError, match=r"^cannot compare a strategy of kuhn with one of "):
        mccfr.uniform(kuhn).compare(mccfr.uniform(other))


def test_actions_in_another_order_are_not_compared():
    one = mccfr.uniform('matrix([[1, 2]], columns=["a", "b"])')
    other = mccfr.uniform('matrix([[2, 1]], columns=["b", "a"])')
    with pytest.raises(StrategyError, match="their infosets differ"):
        one.compare(other)


def test_actions_that_other_infosets_have_are_not_compared():
    def game(last):
        labels = {"x": ("a", "b"), "y": ("a", "c"), "z": last}
        ends = [Node(TERMINAL, payoff=(0.0, 0.0))] * 6
        below = [Node(0, menu, (4 + 2 * j, 5 + 2 * j), infoset=name) for j, (name, menu) in enumerate(labels.items())]
        return TreeGame(2, [Node(CHANCE, ("1", "2", "3"), (1, 2, 3), (0.5, 0.25, 0.25)), *below, *ends], "game")

    one, other = mccfr.uniform(game(("a", "b"))), mccfr.uniform(game(("a", "c")))
    with pytest.raises(StrategyError, match="their infosets differ"):
        one.compare(other)


# Building -------------------------------------------------------------------------------------------------------------


def test_strategy_from_labels(kuhn):
    strategy = strategy_from(
        kuhn, {"K:": {"bet": 1.0}, (1, "Q:b"): {"fold": Fraction(2, 3), "call": np.float64(1 / 3)}}
    )
    assert strategy["K:"] == {"check": 0.0, "bet": 1.0}
    assert strategy[1, "Q:b"] == pytest.approx({"fold": 2 / 3, "call": 1 / 3})
    assert strategy["J:"] == {"check": 0.5, "bet": 0.5}
    assert strategy.unvisited == 10


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"K:x": {"bet": 1.0}}, "no infoset 'K:x'; did you mean K:"),
        ({(2, "K:"): {"bet": 1.0}}, "no player 2: the players are 0 to 1"),
        ({7: {"bet": 1.0}}, r"an infoset is looked up by its label or by \(player, label\), not by 7"),
        ({"K:": {"bets": 1.0}}, "infoset 'K:' has no action 'bets'; did you mean bet?"),
        ({"K:": {"bet": 1.5}}, "infoset 'K:': probability 1.5 of 'bet' is not from 0 to 1"),
        ({"K:": {"bet": -0.5, "check": 1.5}}, "infoset 'K:': probability -0.5 of 'bet' is not from 0 to 1"),
        ({"K:": {"bet": float("nan")}}, "infoset 'K:': probability nan of 'bet' is not from 0 to 1"),
        ({"K:": {"bet": "1"}}, "infoset 'K:': probability '1' of 'bet' is not from 0 to 1"),
        ({"K:": {"bet": 0.5}}, "infoset 'K:': probabilities sum to 0.5, expected 1"),
        ({"K:": {}}, "infoset 'K:': probabilities sum to 0, expected 1"),
        ({"K:": [0.5, 0.5]}, r"infoset 'K:': expected probabilities by action, got \[0.5, 0.5\]"),
    ],
    ids=str,
)
def test_strategies_that_cannot_be(kuhn, given, message):
    with pytest.raises(StrategyError, match=f"^{message}"):
        strategy_from(kuhn, given)


@pytest.mark.parametrize("probabilities", [np.ones(3), np.ones((24, 1)), np.ones(25)], ids=lambda p: str(p.shape))
def test_probabilities_must_fit_the_game(kuhn, probabilities):
    with pytest.raises(StrategyError, match=r"^a strategy of kuhn has 24 probabilities, got"):
        Strategy(kuhn.infosets, probabilities, Origin("kuhn"))


def test_weights_become_probabilities(kuhn):
    weights = np.zeros(kuhn.infosets.entries)
    weights[:2] = 3.0, 1.0
    probabilities, visited = normalised(kuhn.infosets, weights)
    assert list(unflat(kuhn.infosets, probabilities).values())[:2] == [[0.75, 0.25], [0.5, 0.5]]
    assert visited.tolist() == [True] + [False] * 11
