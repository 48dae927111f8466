"""`check_game`: every way to break the contract is found, named and placed, several of them at once."""

import dataclasses
import math
from collections.abc import Hashable

import naive
import pytest
from hypothesis import given, settings
from random_games import (
    Node,
    TreeGame,
    differing_actions_game,
    games,
    imperfect_recall_game,
    random_game,
)

import mccfr
from mccfr.errors import GameError
from mccfr.games.base import CHANCE, TERMINAL
from mccfr.games.kuhn import Kuhn


class Penny:
    """Matching pennies with a coin flip before: a sound game for the tests to break."""

    players = 2

    def root(self) -> Hashable:
        return ""

    def player(self, s):
        return {0: CHANCE, 1: 0, 2: 1}.get(len(s), TERMINAL)

    def actions(self, s):
        return ("heads", "tails")

    def chances(self, s):
        return (("sun", 0.5), ("rain", 0.5))

    def step(self, s, a):
        return s + a[0]

    def infoset(self, s):
        return s if len(s) == 1 else s[0] + "?"

    def payoff(self, s):
        return (1.0, -1.0) if s[1] == s[2] else (-1.0, 1.0)


def broken(method, change):
    """A Penny whose `method` answers change(s, plain answer)."""

    def body(self, s, *args):
        return change(s, getattr(Penny, method)(self, s, *args))

    return type("Penny", (Penny,), {method: body})()


def at(state, value):
    return lambda s, plain: value if s == state else plain


def failing(state):
    def change(s, plain):
        if s == state:
            raise RuntimeError("out of coins")
        return plain

    return change


FAULTS = {
    "player 2": (
        broken("player", at("sh", 2)),
        "after sun, heads: player(s) gives 2, expected 0 to 1, CHANCE or TERMINAL",
    ),
    "player None": (broken("player", at("sh", None)), "after sun, heads: player(s) gives None, expected 0 to 1"),
    "player True": (broken("player", at("sh", True)), "after sun, heads: player(s) gives True, expected 0 to 1"),
    "no actions": (broken("actions", at("r", [])), "after rain: actions(s) gives [], expected a list of at least one"),
    "actions None": (
        broken("actions", at("r", None)),
        "after rain: actions(s) gives None, expected a list of at least one",
    ),
    "repeated actions": (broken("actions", at("r", ["a", "a"])), "after rain: actions(s) repeats a label: ['a', 'a']"),
    "labels of one text": (broken("actions", at("r", [1, "1"])), "after rain: actions(s) repeats a label: [1, '1']"),
    "differing actions": (
        broken("actions", at("st", ("tails", "heads"))),
        "after sun, tails: infoset 's?' has the actions ['tails', 'heads'] here and ['heads', 'tails'] after sun",
    ),
    "odds below 1": (
        broken("chances", at("", (("sun", 0.5), ("rain", 0.4)))),
        "at the root: chances(s) gives [('sun', 0.5), ('rain', 0.4)], which sum to 0.9: expected 1",
    ),
    "negative odds": (
        broken("chances", at("", (("sun", 1.5), ("rain", -0.5)))),
        "at the root: chances(s) gives [('sun', 1.5)",
    ),
    "odds that are no numbers": (
        broken("chances", at("", (("sun", "half"),))),
        "at the root: chances(s) gives (('sun', 'half'),), expected",
    ),
    "outcomes without odds": (
        broken("chances", at("", ("sun", "rain", "fog"))),
        "at the root: chances(s) gives ('sun', 'rain', 'fog'), expected",
    ),
    "no chances": (broken("chances", at("", ())), "at the root: chances(s) gives []"),
    "one payoff": (
        broken("payoff", at("shh", (1.0,))),
        "after sun, heads, heads: payoff(s) gives (1.0,), expected 2 numbers",
    ),
    "a bare payoff": (
        broken("payoff", at("shh", 1.0)),
        "after sun, heads, heads: payoff(s) gives 1.0, expected 2 numbers",
    ),
    "an infinite payoff": (
        broken("payoff", at("shh", (math.inf, -math.inf))),
        "after sun, heads, heads: payoff(s) gives (inf, -inf), expected finite numbers",
    ),
    "a payoff in words": (
        broken("payoff", at("shh", ("one", "two"))),
        "after sun, heads, heads: payoff(s) gives ('one', 'two'), expected finite",
    ),
    "not zero-sum": (
        broken("payoff", at("rtt", (1.0, 2.0))),
        "after rain, tails, tails: payoffs [1.0, 2.0] sum to 3, but elsewhere to 0: expected zero-sum",
    ),
    "an unhashable infoset": (
        broken("infoset", at("r", ["r"])),
        "after rain: infoset ['r'] is not hashable: use tuples or strings",
    ),
    "player() raises": (
        broken("player", failing("sh")),
        "after sun, heads: player(s) raised RuntimeError: out of coins",
    ),
    "actions() raises": (
        broken("actions", failing("sh")),
        "after sun, heads: actions(s) raised RuntimeError: out of coins",
    ),
    "chances() raises": (broken("chances", failing("")), "at the root: chances(s) raised RuntimeError: out of coins"),
    "infoset() raises": (
        broken("infoset", failing("sh")),
        "after sun, heads: infoset(s) raised RuntimeError: out of coins",
    ),
    "step() raises": (
        broken("step", failing("sh")),
        "after sun, heads: step(s, 'heads') raised RuntimeError: out of coins",
    ),
    "payoff() raises": (
        broken("payoff", failing("shh")),
        "after sun, heads, heads: payoff(s) raised RuntimeError: out of coins",
    ),
    "two infosets of one text": (
        broken("infoset", lambda s, plain: {"s": 1, "r": "1"}.get(s, plain)),
        "after rain: infosets '1' and 1 are both written 1",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults(fault):
    game, message = FAULTS[fault]
    with pytest.raises(GameError) as error:
        mccfr.check_game(game)
    lines = str(error.value).splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(f"Penny, {message}")


def test_a_sound_game():
    report = mccfr.check_game(Penny())
    assert str(report) == "Penny: no faults in 15 nodes: 2 players, 4 infosets, 8 terminals, depth 3"
    assert report.complete
    assert report.notes == ()


@pytest.mark.parametrize(
    "text", ["kuhn", "leduc(suits=False)", "goofspiel(3)", "bluff(1, 1, rounds=one, faces=3)", "rps"]
)
def test_built_in_games_are_sound(text):
    game = mccfr.game(text)
    report, counts = mccfr.check_game(game), naive.counts(game)
    assert (report.nodes, report.terminals, report.depth) == (counts.nodes, counts.terminals, counts.depth)
    assert report.infosets == sum(counts.infosets)
    assert (report.complete, report.constant, report.notes) == (True, 0.0, ())


@settings(max_examples=60)
@given(games(totals=(0.0, 2.0), most=200))
def test_random_games_are_sound(game):
    report, counts = mccfr.check_game(game), naive.counts(game)
    assert (report.nodes, report.infosets) == (counts.nodes, sum(counts.infosets))


def test_several_faults_are_reported_together():
    @dataclasses.dataclass
    class Mess(Penny):
        def chances(self, s):
            return (("sun", 0.5), ("rain", 0.25), ("fog", 0.25))

        def actions(self, s):
            return () if s == "f" else super().actions(s)

        def player(self, s):
            return 7 if s == "rt" else super().player(s)

        def payoff(self, s):
            return (1.0, 1.0) if s == "stt" else (1.0,) if s == "rhh" else super().payoff(s)

    with pytest.raises(GameError) as error:
        mccfr.check_game(Mess())
    lines = str(error.value).splitlines()
    assert [line.partition(", ")[2].partition(":")[0] for line in lines] == [
        "after fog",
        "after rain, tails",
        "after sun, tails, tails",
        "after rain, heads, heads",
    ]
    assert len(lines) == len(set(lines)) == 4


def test_one_line_for_each_kind_of_fault():
    game = broken("payoff", lambda s, plain: (1.0,))  # at all eight terminals
    with pytest.raises(GameError) as error:
        mccfr.check_game(game)
    assert str(error.value).count("\n") == 0


@pytest.mark.parametrize("seed", range(10))
def test_random_games_with_imperfect_recall(seed):
    with pytest.raises(GameError, match=r"also occurs .*, where player [01] had seen or done something else before"):
        mccfr.check_game(imperfect_recall_game(seed))


@pytest.mark.parametrize("seed", range(10))
def test_random_games_with_differing_actions(seed):
    with pytest.raises(GameError, match=r"infoset '.*' has the actions \[.*\] here and \["):
        mccfr.check_game(differing_actions_game(seed))


# Notes ----------------------------------------------------------------------------------------------------------------


def test_a_note_on_outcomes_that_cannot_happen():
    report = mccfr.check_game(broken("chances", at("", (("sun", 1.0), ("rain", 0.0)))))
    assert report.notes == ("at the root: chances(s) lists an outcome of probability 0",)
    assert str(report).endswith("\nnote: at the root: chances(s) lists an outcome of probability 0")


def test_a_note_on_constant_sums():
    report = mccfr.check_game(broken("payoff", lambda s, plain: (plain[0] + 3, plain[1])))
    assert report.constant == 3.0
    assert report.notes == ("payoffs sum to 3: compiling subtracts half of it from each player",)


def test_three_players_may_sum_to_anything():
    nodes = [
        Node(2, ("a", "b"), (1, 2), infoset="x"),
        *(Node(TERMINAL, payoff=p) for p in ((1.0, 2.0, 3.0), (0.0, 0.0, 0.0))),
    ]
    assert mccfr.check_game(TreeGame(3, nodes)).players == 3


# What is not a game at all --------------------------------------------------------------------------------------------


def test_a_class_instead_of_a_game():
    assert mccfr.check_game(Penny) == mccfr.check_game(Penny())

    class Asking(Penny):
        def __init__(self, stake):
            self.stake = stake

    with pytest.raises(GameError, match="missing a required argument: 'stake'"):
        mccfr.check_game(Asking)


def test_missing_methods():
    class Half:
        players = 2

        def root(self):
            return 0

        def player(self, s):
            return TERMINAL

        payoff = None

    with pytest.raises(
        GameError, match=r"Half lacks actions\(\), chances\(\), step\(\), infoset\(\), payoff\(\): a game has root,"
    ):
        mccfr.check_game(Half())


@pytest.mark.parametrize("players", [0, None, 2.0, True])
def test_numbers_of_players(players):
    game = Penny()
    game.players = players
    with pytest.raises(GameError, match=rf"^Penny: players is {players!r}, expected a whole number from 1 to 250$"):
        mccfr.check_game(game)


def test_root_raises():
    class Rootless(Penny):
        def root(self):
            raise OSError("no table")

    with pytest.raises(GameError, match=r"at the root: root\(\) raised OSError: no table"):
        mccfr.check_game(Rootless())


# States ---------------------------------------------------------------------------------------------------------------


class Board:
    """A state that can be changed, which the contract forbids."""

    def __init__(self, text):
        self.text = text

    def __len__(self):
        return len(self.text)

    def __getitem__(self, place):
        return self.text[place]


class Changing(Penny):
    """A game whose step changes the state it is given, when `where` says so."""

    def __init__(self, where):
        self.where = where

    def root(self):
        return Board("")

    def step(self, s, a):
        if not self.where(s):
            return Board(s.text + a[0])
        s.text += a[0]
        return s

    def infoset(self, s):
        return s.text[:1] if len(s) == 1 else s.text[0] + "?"


@pytest.mark.parametrize(
    "where", [lambda s: len(s) == 1, lambda s: True, lambda s: len(s) == 0], ids=["players", "all", "chance"]
)
def test_a_step_that_changes_its_argument(where):
    with pytest.raises(GameError, match=r"step\(s, a\) changed s itself: it must return a new state"):
        mccfr.check_game(Changing(where))
    assert mccfr.check_game(Changing(lambda s: False)).nodes == 15


def test_unhashable_states():
    class Listed(Penny):
        def root(self):
            return []

        def player(self, s):
            return {0: CHANCE, 1: 0, 2: 1}.get(len(s), TERMINAL)

        def step(self, s, a):
            return [*s, a[0]]

    with pytest.raises(GameError, match=r"at the root: state \[\] is not hashable: use tuples or strings"):
        mccfr.check_game(Listed())


def test_an_infoset_that_differs_from_call_to_call():
    class Dice(Penny):
        calls = 0

        def infoset(self, s):
            self.calls += 1
            return self.calls

    with pytest.raises(GameError, match=r"infoset\(s\) gives 1 the first time and something else the second"):
        mccfr.check_game(Dice())


# Size -----------------------------------------------------------------------------------------------------------------


class Circle(Penny):
    """Nothing ever ends."""

    def __init__(self, width):
        self.width = width

    def root(self):
        return 0

    def player(self, s):
        return CHANCE

    def chances(self, s):
        return [(str(j), 1 / self.width) for j in range(self.width)]

    def step(self, s, a):
        return s + 1


def test_an_endless_line():
    with pytest.raises(GameError, match=r"after 0, .* more\) .*: no end after 10,000 moves") as error:
        mccfr.check_game(Circle(1))
    assert len(str(error.value)) < 400


def test_an_endless_tree():
    with pytest.raises(GameError, match=r"in a random playout: no end after 10,000 moves"):
        mccfr.check_game(Circle(2), most=1000)


def test_a_large_game_is_seen_in_part():
    report = mccfr.check_game(mccfr.game("goofspiel(6)"), most=500)
    assert (report.nodes, report.complete) == (500, False)
    assert "no faults in 500 nodes (of more)" in str(report)
    (note,) = report.notes
    assert note.endswith("nodes in all (estimated from random playouts)")
    assert 3e5 < float(note.split()[1]) < 3e6  # goofspiel(6) has 969,523
    assert mccfr.check_game(Kuhn(), most=58).complete


def test_faults_in_the_part_that_is_seen():
    nodes = list(random_game(11).nodes)
    assert len(nodes) > 50
    with pytest.raises(GameError, match=r"player\(s\) gives 9"):
        mccfr.check_game(TreeGame(2, [dataclasses.replace(nodes[0], player=9), *nodes[1:]]), most=5)
