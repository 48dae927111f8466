"""Writing .efg files: they read back the same, and OpenSpiel and Gambit read them too."""

import math
import stat
from dataclasses import dataclass

import naive
import pyspiel
import pytest
import random_games
from hypothesis import given, settings, strategies as st

from mccfr.errors import FileError, GameError, TreeError
from mccfr.games.base import CHANCE, TERMINAL, Game
from mccfr.games.efg import read_efg, write_efg
from mccfr.games.kuhn import Kuhn
from mccfr.games.leduc import Leduc


def written_out(game: Game) -> list[tuple]:
    """Everything there is to know about a game, node by node in prefix order."""
    nodes, waiting = [], [game.root()]
    while waiting:
        s = waiting.pop()
        player = game.player(s)
        if player == TERMINAL:
            nodes.append((player, tuple(game.payoff(s))))
        elif player == CHANCE:
            nodes.append((player, tuple(game.chances(s))))
            waiting.extend(game.step(s, a) for a, _ in reversed(game.chances(s)))
        else:
            nodes.append((player, game.infoset(s), tuple(game.actions(s))))
            waiting.extend(game.step(s, a) for a in reversed(game.actions(s)))
    return nodes


def test_kuhn_as_written(tmp_path):
    write_efg(Kuhn(), tmp_path / "kuhn.efg")
    lines = (tmp_path / "kuhn.efg").read_text().splitlines()
    assert lines[:5] == [
        'EFG 2 R "kuhn" { "Player 1" "Player 2" }',
        'c "" 1 "" { "J" 1/3 "Q" 1/3 "K" 1/3 } 0',
        'c "" 2 "" { "Q" 1/2 "K" 1/2 } 0',
        'p "" 1 1 "J:" { "check" "bet" } 0',
        'p "" 2 1 "Q:c" { "check" "bet" } 0',
    ]
    assert len(lines) == 59


@pytest.mark.parametrize("game", [Kuhn(), Leduc(), Leduc(suits=False)], ids=str)
def test_built_in_games_read_back_the_same(game, tmp_path):
    write_efg(game, tmp_path / "game.efg")
    assert written_out(read_efg(tmp_path / "game.efg")) == written_out(game)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 3).flatmap(lambda n: random_games.games(players=n)))
def test_random_games_read_back_the_same(tmp_path_factory, game):
    path = tmp_path_factory.mktemp("efg") / "game.efg"
    write_efg(game, path)
    back = read_efg(path)
    assert written_out(back) == written_out(game)
    write_efg(back, path)
    assert written_out(read_efg(path)) == written_out(game)


@dataclass(frozen=True)
class Lottery:
    """One chance node and one decision, to write awkward numbers and labels."""

    odds: tuple[float, ...]
    labels: tuple[str, ...] = ("a", "b")
    infoset_label: str = "i"
    stake: float = 1.0
    players: int = 2

    def root(self):
        return ()

    def player(self, s):
        return (CHANCE, 0, TERMINAL)[len(s)]

    def chances(self, s):
        return [(f"card {k}", p) for k, p in enumerate(self.odds)]

    def actions(self, s):
        return self.labels

    def step(self, s, a):
        return (*s, a)

    def infoset(self, s):
        return self.infoset_label

    def payoff(self, s):
        return (self.stake, -self.stake)


@given(
    st.lists(st.floats(1e-9, 1), min_size=1, max_size=6),
    st.lists(st.text(), min_size=1, max_size=4, unique=True),
    st.text(),
    st.floats(-1e300, 1e300),
)
def test_any_float_and_any_label_reads_back_the_same(tmp_path_factory, weights, labels, infoset, stake):
    game = Lottery(tuple(w / math.fsum(weights) for w in weights), tuple(labels), infoset, stake)
    path = tmp_path_factory.mktemp("efg") / "game.efg"
    write_efg(game, path)
    assert written_out(read_efg(path)) == written_out(game)


def test_deep_trees_do_not_overflow(tmp_path):
    @dataclass(frozen=True)
    class Countdown:
        players = 1

        def root(self):
            return 9_000

        def player(self, s):
            return 0 if s else TERMINAL

        def actions(self, s):
            return ("on",)

        def step(self, s, a):
            return s - 1

        def infoset(self, s):
            return s

        def payoff(self, s):
            return (1.0,)

    write_efg(Countdown(), tmp_path / "deep.efg")
    assert len(read_efg(tmp_path / "deep.efg").tree) == 9_001


def test_writing_is_refused_in_one_line_and_leaves_nothing(tmp_path):
    with pytest.raises(TreeError, match=r"^kuhn has more than 57 nodes; to write it, raise the limit with nodes=$"):
        write_efg(Kuhn(), tmp_path / "kuhn.efg", nodes=57)
    with pytest.raises(GameError, match="cannot hold the number inf"):
        write_efg(Lottery((1.0,), stake=math.inf), tmp_path / "kuhn.efg")
    with pytest.raises(FileError, match=r"^cannot write .*kuhn\.efg: No such file or directory$"):
        write_efg(Kuhn(), tmp_path / "nowhere" / "kuhn.efg")
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileError, match=r"^cannot write .*folder: Is a directory$"):
        write_efg(Kuhn(), tmp_path / "folder")
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


def test_a_failed_write_keeps_the_old_file(tmp_path, monkeypatch):
    write_efg(Kuhn(), tmp_path / "game.efg", nodes=58)
    before = (tmp_path / "game.efg").read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(FileError, match="No space left"):
        write_efg(Leduc(), tmp_path / "game.efg")
    assert [p.name for p in tmp_path.iterdir()] == ["game.efg"]
    assert (tmp_path / "game.efg").read_bytes() == before


def test_written_file_has_ordinary_permissions(tmp_path):
    (tmp_path / "plain").write_text("")
    write_efg(Kuhn(), tmp_path / "kuhn.efg")
    assert stat.S_IMODE((tmp_path / "kuhn.efg").stat().st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)


# Other people's readers -----------------------------------------------------------------------------------------------

UNEVEN = tuple(w / (math.pi + math.e) for w in (1, math.pi - 1, math.e))  # decimals that sum to 1 only after care
GAMES = [
    Kuhn(),
    Leduc(suits=False),
    Lottery((0.1, 0.2, 0.7)),
    Lottery(UNEVEN),
    Lottery((0.123456789, 0.876543211), stake=1e21 / 3),
]


def openspiel_uniform(state) -> tuple[int, list[float]]:
    """Nodes and expected payoffs under uniform play below a pyspiel state."""
    if state.is_terminal():
        return 1, state.returns()
    moves = state.legal_actions()
    odds = dict(state.chance_outcomes()) if state.is_chance_node() else dict.fromkeys(moves, 1 / len(moves))
    below = [(odds[a], *openspiel_uniform(state.child(a))) for a in moves]
    values = [math.fsum(p * v[i] for p, _, v in below) for i in range(state.num_players())]
    return 1 + sum(n for _, n, _ in below), values


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_openspiel_reads_what_we_write(game, tmp_path):
    write_efg(game, tmp_path / "game.efg")
    theirs = pyspiel.load_efg_game((tmp_path / "game.efg").read_text())
    nodes, values = openspiel_uniform(theirs.new_initial_state())
    assert nodes == len(written_out(game))
    assert values == pytest.approx(naive.expected_values(game, naive.uniform(game)), rel=1e-12)
    assert theirs.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_gambit_reads_what_we_write(game, tmp_path):
    gambit = pytest.importorskip("pygambit")
    write_efg(game, tmp_path / "game.efg")
    theirs = gambit.read_efg(tmp_path / "game.efg")
    uniform = theirs.mixed_behavior_profile()
    assert len(theirs.nodes) == len(written_out(game))
    assert [len(p.infosets) for p in theirs.players] == list(naive.counts(game).infosets)
    values = naive.expected_values(game, naive.uniform(game))
    assert [uniform.payoff(p) for p in theirs.players] == pytest.approx(values, rel=1e-9)
