"""Compiled trees against a naive walk of the game, and everything that is done with a tree: sizes, files, the cache."""

import dataclasses
import io
import os
import random
import zipfile

import naive
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_games import Node, TreeGame, games, random_game

import mccfr
from mccfr.betting.structures import Limit
from mccfr.errors import FileError, TreeError
from mccfr.games.base import CHANCE, TERMINAL
from mccfr.games.bluff import Bluff
from mccfr.games.generic_poker import GenericPoker
from mccfr.games.goofspiel import Goofspiel
from mccfr.games.holdem import Holdem
from mccfr.games.kuhn import Kuhn
from mccfr.games.leduc import Leduc
from mccfr.games.matrix import Matrix, RockPaperScissors
from mccfr.games.openspiel import OpenSpielGame
from mccfr.games.registry import BUILT_IN
from mccfr.games.spot import spot
from mccfr.games.streets import StreetGame
from mccfr.kernel import layout
from mccfr.tree.store import rules_hash

BUILT_IN_GAMES = [
    Kuhn(),
    Kuhn(suits=2),
    Leduc(),
    Leduc(suits=False, shift=100),
    GenericPoker(types=3, copies=1, raises=2, sizes=2),
    Goofspiel(n=4),
    Goofspiel(n=3, collapse=False),
    Bluff(1, 1, rounds="one", faces=3),
    Bluff(2, 1, faces=2).with_values({"1-1": 0.125}),
    Bluff(2, 1, rounds="literal", faces=2),
    RockPaperScissors(),
    Matrix([[1, -2, 0.5], [0, 3.5, 2]]),
    spot(
        **{"board": "2c 3d 4c 5d", "pot": 10, "stack": 20, "oop": "66,5c4d", "ip": "all", "bet": "a", "raise_": ""},
        **{"ranks": 5, "suits": 2, "lock": {"line": "k", "a20": "66,6d5c:0.5", "k": "rest"}},
    ),
    Holdem(Limit(cap=0), ranks=7, suits=1, board="3"),
]
RANDOM = games(depth=6, totals=(0.0, 3.0), most=200)


class Plain:
    """The seven methods of a game and nothing else, so that compiling has to walk."""

    def __init__(self, game):
        self.players, self.text = game.players, str(game)
        for name in ("root", "player", "actions", "chances", "step", "infoset", "payoff"):
            setattr(self, name, getattr(game, name))

    def __str__(self):
        return self.text


def words(tree, h):
    """CHILD, ROW, INFOSET, kind and arity of node h."""
    child, row, infoset, meta = (int(word) for word in tree.nodes[4 * h : 4 * h + 4])
    return child, row, infoset, meta & 255, meta >> 8


def law(tree, row, kind, arity):
    return [1 / arity] * arity if kind == int(layout.FAIR) else tree.odds[row : row + arity].tolist()


def walk_beside(tree, game, h, state, met):
    """Compare the subtree of node h with the game's from `state` on; returns how many nodes it has."""
    child, row, infoset, kind, arity = words(tree, h)
    who = game.player(state)
    if who == TERMINAL:
        assert kind == int(layout.TERMINAL)
        assert tree.reals[2 * h] == game.payoff(state)[0] - tree.constant / 2
        return 1
    if who == CHANCE:
        moves = [a for a, _ in game.chances(state)]
        assert kind in (int(layout.CHANCE), int(layout.FAIR))
        assert law(tree, row, kind, arity) == pytest.approx([p for _, p in game.chances(state)], abs=1e-15)
    else:
        moves = list(game.actions(state))
        assert kind == who == tree.infosets.owner(infoset)
        assert tree.infosets.labels[infoset] == str(game.infoset(state))
        assert tree.infosets.actions(infoset) == tuple(map(str, moves))
        assert row == tree.infosets.row[infoset]
        met[infoset] = met.get(infoset, 0) + 1
    assert arity == len(moves)
    end = child + arity  # the blocks of the children's children follow here, depth first
    for j, move in enumerate(moves):
        if (words(tree, child + j)[4]) > 0:
            assert words(tree, child + j)[0] == end
        end += walk_beside(tree, game, child + j, game.step(state, move), met) - 1
    return 1 + end - child


def assert_written_out(tree, game):
    met = {}
    assert walk_beside(tree, game, 0, game.root(), met) == len(tree)
    assert sorted(met) == list(range(len(tree.infosets)))
    counts = naive.counts(game)
    assert tree.counts == {
        "nodes": counts.nodes,
        "terminals": counts.terminals,
        "chance": counts.chance,
        "decision": counts.decision,
        "infosets": sum(counts.infosets),
        "infoset_actions": sum(counts.infoset_actions),
        "largest_infoset": counts.largest_infoset,
    }
    assert tree.infosets.first == tuple(np.cumsum([0, *counts.infosets]))


@pytest.mark.parametrize("game", BUILT_IN_GAMES, ids=str)
def test_built_in_games_as_a_naive_walk(game):
    assert_written_out(mccfr.compile(Plain(game) if isinstance(game, StreetGame) else game), game)


def test_every_built_in_game_is_walked():
    assert {type(game) for game in BUILT_IN_GAMES} == set(BUILT_IN.values())


@settings(max_examples=150)
@given(RANDOM)
def test_random_games_as_a_naive_walk(game):
    assert_written_out(mccfr.compile(game), game)


@settings(max_examples=60)
@given(RANDOM)
def test_parents_come_first_and_are_what_the_mover_did_last(game):
    infosets = mccfr.compile(game).infosets
    for (player, label), members in naive.infosets(game).items():
        number = infosets.find(label, player)
        before = naive.own_moves(members[0], player)
        if not before:
            assert infosets.parent[number] == -1
        else:
            last = infosets.find(before[-1][0], player)
            assert last < number
            assert infosets.parent[number] == infosets.row[last] + before[-1][1]


def test_a_node_takes_16_bytes():
    tree = mccfr.compile("leduc")
    assert tree.nodes.dtype == np.uint32
    assert tree.nodes.nbytes == 16 * 9457
    assert tree.reals.base is not None
    assert tree.reals.nbytes == tree.nodes.nbytes


def test_a_game_that_is_over_at_once():
    tree = mccfr.compile(TreeGame(2, [Node(TERMINAL, payoff=(4.0, -4.0))]))
    assert len(tree) == 1
    strategy = mccfr.solve(tree, "cfr", iterations=3).strategy()
    assert len(strategy) == 0
    assert mccfr.expected_value(strategy) == 4.0
    assert mccfr.exploitability(strategy) == 0.0


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.sampled_from([-3.0, 1.0, 10.0]))
def test_constant_sums_are_halved_and_recorded(seed, total):
    tree = mccfr.compile(random_game(seed, 4, total=total))
    assert tree.constant == pytest.approx(total)
    assert_written_out(tree, random_game(seed, 4, total=total))


def test_three_players():
    tree = mccfr.compile("openspiel:kuhn_poker(players=3)")
    game = OpenSpielGame("kuhn_poker(players=3)")
    assert (tree.players, len(tree.infosets.first)) == (3, 4)
    assert tree.payoffs.shape == (tree.counts["terminals"], 3)
    stack = [(0, game.root())]
    while stack:
        h, state = stack.pop()
        child, row, infoset, kind, arity = words(tree, h)
        who = game.player(state)
        if who == TERMINAL:
            assert tree.payoffs[row].tolist() == list(game.payoff(state))
            continue
        moves = [a for a, _ in game.chances(state)] if who == CHANCE else game.actions(state)
        if who >= 0:
            assert kind == who == tree.infosets.owner(infoset)
        assert arity == len(moves)
        stack += [(child + j, game.step(state, move)) for j, move in enumerate(moves)]
    with pytest.raises(TreeError, match=r"kuhn_poker\(players=3\) has 3 players: .* two-player games only"):
        tree.sequence_form  # noqa: B018


# Vectorised and plain -------------------------------------------------------------------------------------------------


def assert_identical(one, other):
    for name in ("nodes", "odds", "payoffs"):
        assert np.array_equal(getattr(one, name), getattr(other, name))
        assert getattr(one, name).dtype == getattr(other, name).dtype
    for name in ("row", "parent", "menu"):
        assert np.array_equal(getattr(one.infosets, name), getattr(other.infosets, name))
    assert one.infosets.first == other.infosets.first
    assert list(one.infosets.labels) == list(other.infosets.labels)
    assert list(one.infosets.menus) == list(other.infosets.menus)
    assert (one.game, one.players, one.constant) == (other.game, other.players, other.constant)
    assert one.fingerprint == other.fingerprint


VECTORISED = [
    *(Goofspiel(n=n) for n in (2, 3, 4, 5)),
    Goofspiel(n=4, collapse=False),
    Bluff(1, 1, rounds="one", faces=4),
    Bluff(2, 1, rounds="one", faces=3),
    Bluff(1, 2, faces=2).with_values({"1-1": 0.25}),
    Bluff(2, 2, opener="winner", faces=2).with_values({"2-1": 0.25}),
]


@pytest.mark.parametrize("game", VECTORISED, ids=str)
def test_levels_and_rules_give_identical_trees(game):
    assert game.levels() is not None
    tree = mccfr.compile(game)
    assert_identical(tree, mccfr.compile(Plain(game)))
    assert len(tree) == game.nodes()


# Fingerprints ---------------------------------------------------------------------------------------------------------


def small(payoff=1.0, label="x", action="a", odds=0.25, infoset="x"):
    """Chance deals one of two cards, which player 0 sees or not; player 0 moves, and the game is over."""
    ends = [Node(TERMINAL, payoff=(p, -p)) for p in (payoff, -1.0, 2.0, 0.0)]
    first = Node(0, (action, "b"), (3, 4), infoset=label)
    second = Node(0, (action, "b"), (5, 6), infoset=infoset)
    return TreeGame(2, [Node(CHANCE, ("l", "r"), (1, 2), (odds, 1 - odds)), first, second, *ends])


@pytest.mark.parametrize(
    "change",
    [
        {"payoff": 1.5},
        {"label": "y", "infoset": "y"},
        {"action": "c"},
        {"odds": 0.375},
        {"infoset": "y"},
        {"odds": 0.5},
    ],
    ids=str,
)
def test_fingerprints_tell_games_apart(change):
    assert mccfr.compile(small()).fingerprint == mccfr.compile(small()).fingerprint
    assert mccfr.compile(small(**change)).fingerprint != mccfr.compile(small()).fingerprint


def test_fingerprints_stay_the_same_in_another_process():
    assert mccfr.compile("kuhn").fingerprint == KUHN_FINGERPRINT  # a change of it makes all strategy files foreign


KUHN_FINGERPRINT = "6b50804726f933cf65ca82995b039272ecd0461d855ee52875eb6315ac737203"


# Files ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["kuhn", "leduc(suits=False)", "goofspiel(4)", "openspiel:kuhn_poker(players=3)"])
def test_saved_trees_are_the_same_when_loaded(tmp_path, text):
    tree = mccfr.compile(text)
    mccfr.save_tree(tree, tmp_path / "saved.tree")
    assert_identical(mccfr.load_tree(tmp_path / "saved.tree"), tree)


@settings(max_examples=30)
@given(RANDOM)
def test_saved_random_trees(tmp_path_factory, game):
    path = tmp_path_factory.mktemp("trees") / "saved.tree"
    mccfr.save_tree(mccfr.compile(game), path)
    assert_identical(mccfr.load_tree(path), mccfr.compile(game))


def damaged(content, draw):
    """The bytes cut short, or with one bit flipped."""
    place = draw.randrange(len(content))
    if draw.random() < 0.3:
        return content[:place]
    return content[:place] + bytes([content[place] ^ 1 << draw.randrange(8)]) + content[place + 1 :]


def test_damaged_trees_are_refused_or_whole(tmp_path):
    tree, path, draw = mccfr.compile("kuhn"), tmp_path / "kuhn.tree", random.Random(1)
    mccfr.save_tree(tree, path)
    content, refusals = path.read_bytes(), []
    for _ in range(600):
        path.write_bytes(damaged(content, draw))
        try:
            assert_identical(mccfr.load_tree(path), tree)
        except FileError as error:
            refusals.append(str(error))
    assert all(str(path) in message and "\n" not in message for message in refusals)
    assert len(refusals) > 300


def rewritten(path, **changes):
    """The container with other members or header entries."""
    import json

    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    header = json.loads(members["header.json"])
    for name, value in changes.items():
        if isinstance(value, np.ndarray):
            stream = io.BytesIO()
            np.save(stream, value)
            members[f"{name}.npy"] = stream.getvalue()
        elif value is None:
            header.pop(name, None)
            members.pop(f"{name}.npy", None)
        else:
            header[name] = value
    members["header.json"] = json.dumps(header).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "mccfr-strategy"}, "is not a compiled tree: its format is 'mccfr-strategy', expected 'mccfr-tree'"),
        ({"format_version": 99}, "has tree format 99, expected 2: compile the game again"),
        ({"odds": np.ones(3)}, "its contents do not match its fingerprint"),
        ({"fingerprint": "0"}, "its contents do not match its fingerprint"),
        ({"nodes": None}, "is not a compiled tree"),
        ({"fingerprint": None}, "is not a compiled tree"),
        ({"first": None}, "is not a compiled tree"),
    ],
    ids=str,
)
def test_trees_that_are_not_what_they_say(tmp_path, changes, message):
    path = tmp_path / "kuhn.tree"
    mccfr.save_tree(mccfr.compile("kuhn"), path)
    rewritten(path, **changes)
    with pytest.raises(FileError, match=message):
        mccfr.load_tree(path)


def test_a_strategy_is_no_tree(tmp_path):
    mccfr.uniform("kuhn").save(tmp_path / "kuhn.mccfr")
    with pytest.raises(FileError, match="is not a compiled tree"):
        mccfr.load_tree(tmp_path / "kuhn.mccfr")


# The cache ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MCCFR_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def compilations(monkeypatch):
    """Names of the games that were really compiled."""
    from mccfr.solvers import prepare

    done, compile_tree = [], prepare.compile_tree

    def counted(game, *rest):
        done.append(str(game))
        return compile_tree(game, *rest)

    monkeypatch.setattr(prepare, "compile_tree", counted)
    return done


def test_the_cache_finds_a_tree_again(cache, compilations):
    first = mccfr.compile("leduc(suits=False)", cache=True)
    second = mccfr.compile("leduc(suits=False)", cache=True)
    assert compilations == ["leduc(suits=False)"]
    assert_identical(first, second)
    assert [path.suffix for path in cache.iterdir()] == [".tree"]


def test_the_cache_is_not_fooled_by_another_parameter(cache, compilations):
    plain = mccfr.compile("leduc(suits=False)", cache=True)
    shifted = mccfr.compile("leduc(suits=False, shift=1)", cache=True)
    assert len(compilations) == 2
    assert plain.fingerprint != shifted.fingerprint


def test_values_that_cannot_be_written_down_are_never_taken_for_others(cache, compilations):
    for paid in (1.0, 2.0):
        game = Payoffs([paid])
        game.hidden = lambda paid=paid: paid
        assert mccfr.compile(game, cache=True).reals[2] == paid
    assert len(compilations) == 2


def test_the_cache_finds_a_game_that_was_played_before(cache, compilations):
    game = Goofspiel(n=3)
    mccfr.compile(game, cache=True)
    naive.counts(game)  # fills whatever the rule book remembers between calls
    mccfr.compile(game, cache=True)
    assert len(compilations) == 1


class Payoffs:
    """A game whose payoffs live in an array, which NumPy abbreviates when it is printed."""

    players = 2

    def __init__(self, paid):
        self.paid = np.asarray(paid, dtype=float)

    root = lambda self: -1  # noqa: E731
    player = lambda self, s: 0 if s < 0 else TERMINAL  # noqa: E731
    actions = lambda self, s: [str(j) for j in range(len(self.paid))]  # noqa: E731
    chances = lambda self, s: []  # noqa: E731
    step = lambda self, s, a: int(a)  # noqa: E731
    infoset = lambda self, s: "root"  # noqa: E731
    payoff = lambda self, s: (self.paid[s], -self.paid[s])  # noqa: E731


@pytest.mark.parametrize("place", [0, 1000])
@pytest.mark.parametrize("by", [1.0, 1e-12])
def test_the_cache_is_not_fooled_by_abbreviated_arrays(cache, place, by):
    paid = np.zeros(2000)
    before = mccfr.compile(Payoffs(paid), cache=True)
    paid[place] += by
    after = mccfr.compile(Payoffs(paid), cache=True)
    assert after.reals[::2][1 + place] == by
    assert before.fingerprint != after.fingerprint


RULES = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Coin:
    stake: float = 1.0
    players = 2
    def root(self): return ""
    def player(self, s): return len(s) if len(s) < 2 else -2
    def actions(self, s): return ("H", "T")
    def chances(self, s): return ()
    def step(self, s, a): return s + a
    def infoset(self, s): return "first" if not s else "second"
    def payoff(self, s): return (self.stake, -self.stake) if s in ("HH", "TT") else (-self.stake, self.stake)
"""


def test_the_cache_is_not_fooled_by_edited_rules(cache, compilations, tmp_path):
    file = tmp_path / "coin.py"
    file.write_text(RULES)
    before = mccfr.compile(f"{file}:Coin()", cache=True)
    mccfr.compile(f"{file}:Coin()", cache=True)
    assert len(compilations) == 1
    other = mccfr.compile(f"{file}:Coin(2.0)", cache=True)
    file.write_text(RULES.replace('("HH", "TT")', '("HH",)'))
    edited = mccfr.compile(f"{file}:Coin()", cache=True)
    assert len(compilations) == 3
    assert len({before.fingerprint, other.fingerprint, edited.fingerprint}) == 3


def test_a_broken_cache_never_stands_in_the_way(cache, compilations):
    mccfr.compile("kuhn", cache=True)
    (kept,) = cache.iterdir()
    kept.write_bytes(b"not a tree")
    assert len(mccfr.compile("kuhn", cache=True)) == 58
    assert len(compilations) == 2
    assert len(mccfr.load_tree(kept)) == 58  # and it is mended


def test_the_cache_can_be_switched_off_or_missing(tmp_path, monkeypatch, compilations):
    monkeypatch.setenv("MCCFR_CACHE", "off")
    mccfr.compile("kuhn", cache=True)
    file = tmp_path / "file"
    file.write_text("in the way")
    monkeypatch.setenv("MCCFR_CACHE", str(file / "cache"))
    mccfr.compile("kuhn", cache=True)
    assert compilations == ["kuhn", "kuhn"]


def test_the_cache_forgets_what_was_used_longest_ago(cache, monkeypatch):
    from mccfr.tree import store

    mccfr.compile("kuhn", cache=True)
    (oldest,) = cache.iterdir()
    os.utime(oldest, (1, 1))
    mccfr.compile("rps", cache=True)
    monkeypatch.setattr(store, "CACHE_LIMIT", oldest.stat().st_size)
    mccfr.compile("leduc(suits=False)", cache=True)
    assert not oldest.exists()
    assert len(list(cache.iterdir())) == 1


def test_small_games_are_not_cached_unasked(cache):
    mccfr.compile("leduc(suits=False)")
    assert not cache.exists()


def test_rules_hashes_know_parameters_and_hidden_values():
    games = [Kuhn(), Kuhn(suits=2), Leduc(), Leduc(suits=False), Bluff(2, 1), Bluff(2, 1).with_values({"1-1": 0.1})]
    games.append(dataclasses.replace(games[-1], values=(("1-1", 0.2),)))
    assert len({rules_hash(game) for game in games}) == len(games)
    assert rules_hash(Kuhn()) == rules_hash(Kuhn())


def test_a_tree_is_compiled_once():
    tree = mccfr.compile("kuhn")
    assert mccfr.compile(tree) is tree
    assert repr(tree) == "<HistoryTree of kuhn: 58 nodes, 12 infosets>"
