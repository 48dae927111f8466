"""What the compiler refuses, each time in one line that names the node or infoset and says what would be right."""

import math
import re

import pytest
from random_games import Node, TreeGame, differing_actions_game, imperfect_recall_game

import mccfr
from mccfr.errors import GameError, MccfrError, TreeError
from mccfr.games.base import CHANCE, TERMINAL
from mccfr.games.kuhn import Kuhn
from mccfr.tree.budget import memory_limit


class Odd(Kuhn):
    """Kuhn poker with one method changed by the test."""

    def __str__(self):
        return "odd"


def odd(**methods):
    """Kuhn poker in which methods answer `change(game, s, plain answer)`."""

    def wrap(name, change):
        return lambda self, *args: change(self, *args, getattr(Kuhn, name)(self, *args))

    return type("Odd", (Odd,), {name: wrap(name, change) for name, change in methods.items()})()


def at(place, value):
    """Answer `value` at one state (its cards and its line of betting), and what is right elsewhere."""
    return lambda game, s, plain: value if s == place else plain


def raises(place, error):
    def change(game, s, *rest):
        if s == place:
            raise error
        return rest[-1]

    return change


OPEN = ("check", "bet")
REFUSED = {
    "actions differ in number": (
        odd(actions=at(("KQ", "c"), ("check",))),
        "odd, after K, Q, check: actions() gives ['check'], but another state of the same infoset ('check', 'bet')",
    ),
    "actions differ in order": (
        odd(actions=at(("KQ", ""), ("bet", "check"))),
        "odd, after K, Q: actions() gives ['bet', 'check'], but another state of the same infoset ('check', 'bet')",
    ),
    "no actions": (
        odd(actions=at(("JQ", ""), ())),
        "odd, after J, Q: actions() is empty at a state where a player moves",
    ),
    "repeated labels": (
        odd(actions=at(("JQ", ""), ("bet", "bet"))),
        "odd, after J, Q: actions() repeats a label: ['bet', 'bet']",
    ),
    "probabilities do not sum to 1": (
        odd(chances=at(("K", ""), (("J", 0.5), ("Q", 0.25)))),
        "odd, after K: chances() sum to 0.75, expected 1",
    ),
    "a negative probability": (
        odd(chances=at(("K", ""), (("J", 1.5), ("Q", -0.5)))),
        "odd, after K: chances() gives 'J' the probability 1.5: expected a number from 0 to 1",
    ),
    "a probability that is no number": (
        odd(chances=at(("K", ""), (("J", math.nan), ("Q", 0.5)))),
        "odd, after K: chances() gives 'J' the probability nan: expected a number from 0 to 1",
    ),
    "no chances": (odd(chances=at(("", ""), ())), "odd, at the root: chances() is empty at a chance state"),
    "payoffs are not zero-sum": (
        odd(payoff=at(("KJ", "cc"), (1.0, 1.0))),
        "odd, after K, J, check, check: payoffs [1.0, 1.0] sum to 2, but elsewhere to 0: "
        "expected a zero-sum (or constant-sum) game",
    ),
    "one payoff": (
        odd(payoff=at(("KJ", "bf"), (1.0,))),
        "odd, after K, J, bet, fold: payoff() gives (1.0,), expected 2 numbers, one for each player",
    ),
    "three payoffs": (
        odd(payoff=at(("KJ", "bf"), (1.0, -1.0, 0.0))),
        "odd, after K, J, bet, fold: payoff() gives (1.0, -1.0, 0.0), expected 2 numbers, one for each player",
    ),
    "a number instead of payoffs": (
        odd(payoff=at(("KJ", "bf"), 1.0)),
        "odd, after K, J, bet, fold: payoff() gives 1.0, expected 2 numbers, one for each player",
    ),
    "payoffs that are no numbers": (
        odd(payoff=at(("KJ", "bf"), ("one", "two"))),
        "odd, after K, J, bet, fold: payoff() gives ('one', 'two'), expected 2 numbers, one for each player",
    ),
    "an infinite payoff": (
        odd(payoff=at(("KJ", "bf"), (math.inf, -math.inf))),
        "odd, after K, J, bet, fold: payoff() gives (inf, -inf), expected finite numbers",
    ),
    "a payoff that is nan": (
        odd(payoff=at(("KJ", "bf"), (math.nan, math.nan))),
        "odd, after K, J, bet, fold: payoff() gives (nan, nan), expected finite numbers",
    ),
    "too large a player": (
        odd(player=at(("QJ", "c"), 2)),
        "odd, after Q, J, check: player() gives 2, expected 0 to 1, CHANCE or TERMINAL",
    ),
    "too small a player": (
        odd(player=at(("QJ", "c"), -3)),
        "odd, after Q, J, check: player() gives -3, expected 0 to 1, CHANCE or TERMINAL",
    ),
    "nobody": (
        odd(player=at(("QJ", "c"), None)),
        "odd, after Q, J, check: player() gives None, expected 0 to 1, CHANCE or TERMINAL",
    ),
    "player() raises": (
        odd(player=raises(("QJ", "c"), KeyError("card"))),
        "odd, after Q, J, check: KeyError: 'card'",
    ),
    "actions() raises": (
        odd(actions=raises(("QJ", "c"), RuntimeError("no"))),
        "odd, after Q, J, check: RuntimeError: no",
    ),
    "infoset() raises": (
        odd(infoset=raises(("QJ", "c"), RuntimeError("no"))),
        "odd, after Q, J, check: RuntimeError: no",
    ),
    "step() raises": (odd(step=raises(("QJ", "c"), RuntimeError("no"))), "odd, after Q, J, check: RuntimeError: no"),
    "chances() raises": (odd(chances=raises(("Q", ""), RuntimeError("no"))), "odd, after Q: RuntimeError: no"),
    "payoff() raises": (
        odd(payoff=raises(("QJ", "cc"), RuntimeError("no"))),
        "odd, after Q, J, check, check: RuntimeError: no",
    ),
    "an unhashable infoset": (
        odd(infoset=at(("QJ", "c"), ["Q"])),
        "odd, after Q, J, check: TypeError: unhashable type: 'list'",
    ),
    "two infosets of one text": (
        odd(infoset=lambda game, s, plain: 1 if s == ("QJ", "") else "1" if s == ("QK", "") else plain),
        "odd: two infosets of player 0 are both written '1': infoset() must give keys that differ as text",
    ),
    "one infoset of two pasts": (
        odd(infoset=lambda game, s, plain: "again" if s[1] == "cb" or s == ("JQ", "") else plain),
        "odd, after J, Q, check, bet: actions() gives ['fold', 'call'], but another state of the same infoset "
        "('check', 'bet')",
    ),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_broken_games(fault):
    game, message = REFUSED[fault]
    with pytest.raises(GameError) as error:
        mccfr.compile(game)
    assert str(error.value) == message


def test_kuhn_is_not_broken_by_a_harmless_change():
    assert mccfr.compile(odd(payoff=lambda game, s, plain: plain)).fingerprint == mccfr.compile("kuhn").fingerprint


def test_root_raises():
    class Rootless(Odd):
        def root(self):
            raise RuntimeError("nothing to begin with")

    with pytest.raises(GameError, match=r"^odd: root\(\) raised RuntimeError: nothing to begin with$"):
        mccfr.compile(Rootless())


@pytest.mark.parametrize("players", [0, 251, 2.0, "2", True, None])
def test_numbers_of_players(players):
    game = TreeGame(players, [Node(TERMINAL, payoff=(0.0, 0.0))])
    with pytest.raises(GameError, match=rf"players is {players!r}, expected a whole number from 1 to 250"):
        mccfr.compile(game)


# Recall ---------------------------------------------------------------------------------------------------------------


def test_imperfect_recall_names_node_and_infoset():
    """Player 0 forgets its first action."""
    nodes = [
        Node(0, ("left", "right"), (1, 2), infoset="first"),
        Node(0, ("up", "down"), (3, 4), infoset="later"),
        Node(0, ("up", "down"), (5, 6), infoset="later"),
        *(Node(TERMINAL, payoff=(p, -p)) for p in (1.0, 2.0, 3.0, 4.0)),
    ]
    with pytest.raises(
        TreeError, match=r"after right: the mover of infoset 'later' .*: imperfect recall is not supported$"
    ):
        mccfr.compile(TreeGame(2, nodes))


@pytest.mark.parametrize("seed", range(15))
def test_random_games_with_imperfect_recall(seed):
    with pytest.raises(TreeError, match=r"(after|at the root).* the mover of infoset '.*: imperfect recall"):
        mccfr.compile(imperfect_recall_game(seed))


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("count_too", [False, True])
def test_random_games_with_differing_actions(seed, count_too):
    game = differing_actions_game(seed, count_too)
    with pytest.raises(
        GameError, match=r"(after|at the root).*: actions\(\) gives \[.*\], but another state of the same"
    ):
        mccfr.compile(game)


# Size -----------------------------------------------------------------------------------------------------------------


class Wide:
    """Each of two players in turn picks one of `width` actions, `depth` times; the walk counts what is built."""

    players = 2

    def __init__(self, width, depth):
        self.width, self.depth, self.built = width, depth, 0

    def __str__(self):
        return f"wide({self.width}, {self.depth})"

    def root(self):
        return ()

    def player(self, s):
        return len(s) % 2 if len(s) < self.depth else TERMINAL

    def actions(self, s):
        return tuple(range(self.width))

    def chances(self, s):
        return ()

    def step(self, s, a):
        self.built += 1
        return (*s, a)

    def infoset(self, s):
        return s

    def payoff(self, s):
        return (0.0, 0.0)


def test_a_plain_game_is_refused_while_it_grows():
    game = Wide(10, 4)  # 11,111 nodes
    with pytest.raises(
        TreeError, match=r"^wide\(10, 4\) has at least 1,111 nodes and would need about 0\.\d MB"
    ) as error:
        mccfr.compile(game, memory_limit="300KB")
    assert "the limit is 0.3 MB (raise it with memory_limit=, --memory-limit or MCCFR_MEMORY_LIMIT)" in str(error.value)
    assert game.built <= 1111
    assert len(mccfr.compile(game, memory_limit="6MB")) == 11_111


def test_a_hopeless_plain_game_is_refused_by_an_estimate():
    game = Wide(10, 12)
    with pytest.raises(
        TreeError, match=r"^wide\(10, 12\) has about 1\.1e\+12 nodes \(estimated from random playouts\)"
    ):
        mccfr.compile(game, memory_limit="1GB")
    assert game.built < 150_000


def test_a_vectorised_game_is_refused_before_anything_is_built(monkeypatch):
    from mccfr.games.goofspiel import Goofspiel

    monkeypatch.setattr(Goofspiel, "levels", lambda self: pytest.fail("levels() was asked for"))
    with pytest.raises(
        TreeError, match=r"^goofspiel\(n=8\) has [\d,]+ nodes and would need about [\d.,]+ GB to write out"
    ):
        mccfr.compile("goofspiel(8)", memory_limit="1GB")


def test_limits_from_the_environment(monkeypatch):
    monkeypatch.setenv("MCCFR_MEMORY_LIMIT", "1KB")
    with pytest.raises(TreeError, match=r"kuhn has at least \d+ nodes .* the limit is 0\.0 MB"):
        mccfr.compile("kuhn")
    assert len(mccfr.compile("kuhn", memory_limit="1MB")) == 58


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("8GB", 8 * 2**30),
        ("8 gib", 8 * 2**30),
        ("1.5m", 3 * 2**19),
        ("500 MB", 500 * 2**20),
        ("7kB", 7 * 2**10),
        ("1t", 2**40),
        ("4096", 4096),
        (2**20, 2**20),
        (1e6, 10**6),
    ],
)
def test_sizes(text, size):
    assert memory_limit(text) == size


@pytest.mark.parametrize(
    "text", ["", "much", "8 GB or so", "1.2.3GB", "GB", "-1GB", "nan", "inf", float("inf"), -5, 0, [], "8XB"]
)
def test_sizes_that_are_none(text):
    with pytest.raises(
        TreeError, match=rf"^memory limit {re.escape(repr(text))} is not a size: write it like 8GB or 500MB$"
    ):
        memory_limit(text)


def test_no_limit_given_is_half_of_the_memory(monkeypatch):
    monkeypatch.delenv("MCCFR_MEMORY_LIMIT", raising=False)
    assert 2**28 < memory_limit() < 2**45


# Endless games --------------------------------------------------------------------------------------------------------


class Endless(Wide):
    """Nobody ever wins."""

    def __init__(self, width):
        super().__init__(width, math.inf)

    def step(self, s, a):
        return s

    def player(self, s):
        return 0

    def infoset(self, s):
        return "again"


def test_an_endless_line_that_playouts_do_not_find():
    class Patient(Endless):
        def player(self, s):
            return TERMINAL if s == "quit" else 0

        def actions(self, s):
            return ("on", "quit")

        def step(self, s, a):
            return a

    with pytest.raises(GameError, match=r"after on, .* \(9,975 more\) .*: no end after 10,000 moves") as error:
        mccfr.compile(Patient(2))
    assert len(str(error.value)) < 300


@pytest.mark.parametrize("width", [1, 2])
def test_a_game_without_end(width):
    with pytest.raises(GameError, match=r"in a random playout: no end after 10,000 moves"):
        mccfr.compile(Endless(width))


def test_rules_that_break_below_the_look_ahead_are_named_by_the_walk():
    class Fragile(Wide):
        def actions(self, s):
            return () if s == (9, 9, 9, 9) else super().actions(s)

    with pytest.raises(GameError, match=r"after 9, 9, 9, 9: actions\(\) is empty"):
        mccfr.compile(Fragile(10, 5))


@pytest.mark.parametrize(
    "game", [5, None, object(), "no poker", "nonsense", "kuhn(3)", "kuhn(suits=5)", "", "leduc(suits=2)"]
)
def test_what_is_no_game(game):
    with pytest.raises(MccfrError) as error:
        mccfr.compile(game)
    assert "\n" not in str(error.value)


def test_chance_is_not_a_player():
    assert mccfr.compile(TreeGame(2, [Node(CHANCE, ("a",), (1,), (1.0,)), Node(TERMINAL, payoff=(0.0, 0.0))]))
