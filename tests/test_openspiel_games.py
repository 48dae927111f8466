"""OpenSpiel's games as ours: sizes from walks of its own trees, values and best responses from its own algorithms."""

import json
import sys
from pathlib import Path
from typing import NamedTuple

import naive
import pyspiel
import pytest

from mccfr.errors import GameError, MissingExtra
from mccfr.games.base import CHANCE, TERMINAL
from mccfr.games.openspiel import OpenSpielGame

ORACLES = json.loads((Path(__file__).parent / "data" / "oracles.json").read_text())
GOOFSPIEL = "goofspiel(imp_info=True,num_cards=4,points_order=descending,returns_type=win_loss)"
SMALL_BATTLESHIP = (
    "battleship(board_width=2,board_height=2,ship_sizes=[1],ship_values=[1],num_shots=2,"
    "allow_repeated_shots=False,loss_multiplier=1.0)"
)

# Two players, zero-sum, perfect recall: nodes, terminals and infosets counted on the trees of OpenSpiel 2.0.2.
SIZES = {
    "matrix_mp": (7, 4, 2),
    "matrix_rps": (13, 9, 2),
    "coordinated_mp": (15, 8, 3),
    "misere(game=kuhn_poker())": (58, 30, 12),
    "clobber(rows=2,columns=3)": (106, 46, 60),
    "nim(pile_sizes=1;2;2)": (150, 60, 90),
    "goofspiel(imp_info=True,num_cards=3)": (418, 216, 90),
    "dark_hex(num_cols=2,num_rows=2)": (441, 216, 134),
    "dark_hex(num_cols=2,num_rows=2,gameversion=adh)": (471, 234, 94),
    "blotto(coins=5,fields=3)": (463, 441, 2),
    "oshi_zumo(coins=2,size=1,horizon=4)": (463, 207, 180),
    "hex(num_cols=3,num_rows=2)": (1021, 520, 501),
    "liars_dice(dice_sides=3)": (1147, 567, 192),
    SMALL_BATTLESHIP: (1573, 1072, 162),
    "leduc_poker(suit_isomorphism=True)": (1939, 1116, 288),
    "connect_four(rows=3,columns=3,x_in_row=3)": (3278, 1310, 1968),
}


class Walk(NamedTuple):
    """What one visit to every node sees."""

    nodes: int
    terminals: int
    chance: int
    actions: dict[tuple[int, str], tuple]  # (player, infoset) -> labels and OpenSpiel's numbers


def walk(game: OpenSpielGame) -> Walk:
    nodes = terminals = chance = 0
    actions: dict[tuple[int, str], tuple] = {}
    waiting = [game.root()]
    while waiting:
        s = waiting.pop()
        nodes += 1
        player = game.player(s)
        if player == TERMINAL:
            terminals += 1
            continue
        if player == CHANCE:
            chance += 1
            moves = [a for a, _ in game.chances(s)]
            assert sum(p for _, p in game.chances(s)) == pytest.approx(1)
        else:
            moves = game.actions(s)
            here = (tuple(moves), tuple(game.action_ids(s)))
            assert actions.setdefault((player, game.infoset(s)), here) == here
        assert len(set(moves)) == len(moves)
        waiting.extend(game.step(s, a) for a in moves)
    return Walk(nodes, terminals, chance, actions)


def turn_based(text: str) -> pyspiel.Game:
    game = pyspiel.load_game(text)
    simultaneous = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    return pyspiel.convert_to_turn_based(game) if simultaneous else game


@pytest.mark.parametrize(
    ("text", "oracle"),
    [
        ("kuhn_poker", "kuhn"),
        ("leduc_poker", "leduc"),
        ("leduc_poker(suit_isomorphism=True)", "leduc_iso"),
        ("liars_dice", "liars_dice"),
        (GOOFSPIEL, "goof4"),
    ],
)
def test_sizes_of_oracles(text, oracle):
    counts = ORACLES[oracle]["counts"]
    seen = walk(OpenSpielGame(text))
    infosets = [[labels for (who, _), (labels, _) in seen.actions.items() if who == i] for i in (0, 1)]
    assert (seen.nodes, seen.terminals, seen.chance) == tuple(
        counts[k] for k in ("histories_total", "terminal", "chance")
    )
    assert [len(own) for own in infosets] == [counts["infosets_p0"], counts["infosets_p1"]]
    assert [sum(map(len, own)) for own in infosets] == [counts["info_actions_p0"], counts["info_actions_p1"]]


@pytest.mark.parametrize(
    ("text", "oracle"),
    [("kuhn_poker", "kuhn"), ("leduc_poker(suit_isomorphism=True)", "leduc_iso"), (GOOFSPIEL, "goof4")],
)
def test_uniform_play_of_oracles(text, oracle):
    game, known = OpenSpielGame(text), ORACLES[oracle]["uniform"]
    uniform = naive.uniform(game)
    assert naive.expected_value(game, uniform) == pytest.approx(known["value_p0"], abs=1e-12)
    assert naive.exploitability(game, uniform) == pytest.approx(known["exploitability"], abs=1e-12)


@pytest.mark.slow_cases("connect_four*")
@pytest.mark.parametrize("text", SIZES)
def test_openspiel_sizes_recall_and_nash_conv(text):
    """Same tree, nobody forgets, and OpenSpiel's best responses against uniform play win what ours do."""
    game = OpenSpielGame(text)
    seen = walk(game)
    assert (seen.nodes, seen.terminals, len(seen.actions)) == SIZES[text]
    assert naive.has_perfect_recall(game)
    theirs = turn_based(text)
    nash_conv = pyspiel.nash_conv(theirs, pyspiel.UniformRandomPolicy(theirs))
    assert 2 * naive.exploitability(game, naive.uniform(game)) == pytest.approx(nash_conv, abs=1e-9)


@pytest.mark.parametrize("text", ["kuhn_poker(players=3)", "matching_pennies_3p"])
def test_three_players(text):
    game = OpenSpielGame(text)
    assert game.players == 3
    assert {player for player, _ in walk(game).actions} == {0, 1, 2}
    theirs = turn_based(text)
    state = theirs.new_initial_state()
    returns = pyspiel.expected_returns(state, pyspiel.UniformRandomPolicy(theirs), -1, True)
    assert naive.expected_values(game, naive.uniform(game)) == pytest.approx(list(returns), abs=1e-12)


def test_imperfect_recall_stays_visible():
    assert not naive.has_perfect_recall(OpenSpielGame("liars_dice_ir(dice_sides=3)"))


def test_kuhn_playthrough():
    """Player 0 gets the jack, player 1 the king; pass, bet, pass."""
    game = OpenSpielGame("kuhn_poker")
    s = game.root()
    assert game.player(s) == CHANCE
    assert game.chances(s) == [("Deal:0", 1 / 3), ("Deal:1", 1 / 3), ("Deal:2", 1 / 3)]
    s = game.step(game.step(s, "Deal:0"), "Deal:2")
    assert (game.player(s), game.infoset(s), game.actions(s), game.action_ids(s)) == (0, "0", ("Pass", "Bet"), (0, 1))
    s = game.step(s, "Pass")
    assert (game.player(s), game.infoset(s)) == (1, "2p")
    end = game.step(game.step(s, "Bet"), "Pass")
    assert game.player(end) == TERMINAL
    assert list(game.payoff(end)) == [-1, 1]
    assert game.player(s) == 1  # stepping on does not change a state
    assert hash(s) == hash(s)


def test_simultaneous_moves_are_hidden():
    game = OpenSpielGame("matrix_mp")
    heads, tails = (game.step(game.root(), a) for a in game.actions(game.root()))
    assert game.player(heads) == 1
    assert game.infoset(heads) == game.infoset(tails)


def test_text_form_and_spaces():
    game = OpenSpielGame("goofspiel(imp_info=True, num_cards=3)")
    assert str(game) == "openspiel:goofspiel(imp_info=True, num_cards=3)"
    assert walk(game).nodes == SIZES["goofspiel(imp_info=True,num_cards=3)"][0]
    assert game == OpenSpielGame("goofspiel(imp_info=True, num_cards=3)")
    assert len({game, OpenSpielGame(game.text)}) == 1


REFUSED = {
    "kuhn_pokr": "openspiel:kuhn_pokr: OpenSpiel has no game 'kuhn_pokr'; did you mean kuhn_poker",
    "qqq": "openspiel:qqq: OpenSpiel has no game 'qqq'; pyspiel.registered_names() lists them",
    "": "openspiel:: OpenSpiel has no game ''",
    "misere(game=qqq())": "openspiel:misere(game=qqq()): OpenSpiel refuses it: Unknown game 'qqq'.",
    "kuhn_poker(": "openspiel:kuhn_poker(: OpenSpiel refuses it: Missing closing bracket ')'.",
    "kuhn_poker(cards=4)": "openspiel:kuhn_poker(cards=4): OpenSpiel refuses it: Unknown parameter 'cards'.",
    "kuhn_poker(players=x)": "openspiel:kuhn_poker(players=x): OpenSpiel refuses it: Wrong type for parameter players",
    "kuhn_poker(players=99)": "openspiel:kuhn_poker(players=99): OpenSpiel refuses it: num_players_ <=",
    "nfg_game": "openspiel:nfg_game: OpenSpiel refuses it: ",
    "liars_dice(numdice=-3)": "openspiel:liars_dice(numdice=-3): OpenSpiel refuses it: ",
    "tarok": "openspiel:tarok: its chance outcomes can only be sampled; use a game that lists them",
    "mfg_garnet": "openspiel:mfg_garnet: a mean field game has no tree; use a sequential or simultaneous game",
    "pig": "openspiel:pig: it has no information_state_string, so its infosets are unknown",
}


@pytest.mark.parametrize("text", REFUSED)
@pytest.mark.parametrize("ask", ["root", "players"])
def test_refused_in_one_line_and_silently(text, ask, capfd):
    with pytest.raises(GameError) as caught:
        OpenSpielGame(text).root() if ask == "root" else OpenSpielGame(text).players
    assert str(caught.value).startswith(REFUSED[text])
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_stderr_is_given_back(capfd):
    OpenSpielGame("kuhn_poker(players=4)").root()
    print("still heard", file=sys.stderr)
    assert capfd.readouterr().err == "still heard\n"


def test_unknown_action():
    game = OpenSpielGame("kuhn_poker")
    with pytest.raises(GameError, match=r"openspiel:kuhn_poker: no action 'Deal:7' after ''; did you mean Deal:"):
        game.step(game.root(), "Deal:7")


def test_missing_openspiel(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingExtra, match=r"an openspiel: game needs open_spiel, which is not installed"):
        OpenSpielGame("a game that was never loaded").root()
