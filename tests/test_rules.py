"""The rules of the built-in games: by example, and node by node against OpenSpiel."""

import pytest
from playthrough import children

from mccfr.errors import GameError
from mccfr.games.base import CHANCE, TERMINAL
from mccfr.games.bluff import Bluff
from mccfr.games.generic_poker import GenericPoker
from mccfr.games.goofspiel import Goofspiel
from mccfr.games.kuhn import Kuhn
from mccfr.games.leduc import Leduc
from mccfr.games.matrix import Matrix, RockPaperScissors


def after(game, *moves):
    state = game.root()
    for move in moves:
        known = [a for a, _ in game.chances(state)] if game.player(state) == CHANCE else game.actions(state)
        assert move in known
        state = game.step(state, move)
    return state


def payoff(game, *moves):
    state = after(game, *moves)
    assert game.player(state) == TERMINAL
    player0, player1 = game.payoff(state)
    assert player0 + player1 == 0
    return player0


def uniform_value(game, state=None):
    """What player 0 gets when both choose at random."""
    state = game.root() if state is None else state
    player = game.player(state)
    if player == TERMINAL:
        return game.payoff(state)[0]
    below = [uniform_value(game, child) for child in children(game, state)]
    if player == CHANCE:
        return sum(value * chance for value, (_, chance) in zip(below, game.chances(state)))
    return sum(below) / len(below)


# Rules by example


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("K Q check check", 1),
        ("J Q check check", -1),
        ("J K bet fold", 1),
        ("K J check bet fold", -1),
        ("Q J check bet call", 2),
        ("Q K bet call", -2),
    ],
)
def test_kuhn_payoffs(moves, expected):
    assert payoff(Kuhn(), *moves.split()) == expected


def test_kuhn_infosets():
    game = Kuhn()
    states = [after(game, "K", "J"), after(game, "J", "K", "check"), after(game, "J", "K", "bet")]
    states.append(after(game, "K", "J", "check", "bet"))
    assert [game.infoset(s) for s in states] == ["K:", "K:c", "K:b", "K:cb"]
    assert [game.actions(s) for s in states] == [("check", "bet")] * 2 + [("fold", "call")] * 2


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("Kc Ks check check", 0),
        ("Js Jc bet call", 0),
        ("Qc Qs check bet call", 0),
        ("Qc Qs check bet fold", -1),
        ("Qc Qs bet fold", 1),
        ("Kc Qs check check", 1),
        ("Js Qs bet call", -2),
        ("Ks Jc check bet call", 2),
    ],
)
def test_kuhn_payoffs_with_suits(moves, expected):
    """Ranks decide, whatever the suits; equal ranks share the pot."""
    assert payoff(Kuhn(suits=2), *moves.split()) == expected


def test_kuhn_with_suits_deals_without_replacement():
    game = Kuhn(suits=2)
    assert game.chances(game.root()) == tuple((card, 1 / 6) for card in ("Jc", "Js", "Qc", "Qs", "Kc", "Ks"))
    assert game.chances(after(game, "Qc")) == tuple((card, 1 / 5) for card in ("Jc", "Js", "Qs", "Kc", "Ks"))
    assert game.infoset(after(game, "Qc", "Qs", "check")) == "Qs:c"


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("K Q check check j check check", 1),  # higher rank, antes only
        ("J K bet call j check check", 3),  # the pair beats the higher card
        ("K J bet call j bet call", -7),
        ("K k check bet call q bet raise call", 0),  # equal ranks split
        ("J K check bet raise fold", 3),  # player 1 leaves the ante and the bet
        ("K Q bet fold", 1),
        ("Q J check check k check bet fold", -1),
        ("K J bet raise call Q bet raise call", 13),  # the most there is to win
        ("J K bet raise call Q bet raise call", -13),
    ],
)
def test_leduc_payoffs(moves, expected):
    assert payoff(Leduc(), *moves.split()) == expected
    assert payoff(Leduc(shift=100), *moves.split()) == 100 + expected
    by_rank = [move.upper() if len(move) == 1 else move for move in moves.split()]
    assert payoff(Leduc(suits=False, shift=-2.5), *by_rank) == expected - 2.5


def test_leduc_infosets_and_actions():
    game = Leduc()
    state = after(game, "K", "J", "check", "bet", "call", "q", "bet")
    assert (game.player(state), game.infoset(state)) == (1, "J:crc/q:r")
    assert game.actions(state) == ("fold", "call", "raise")
    assert game.actions(game.step(state, "raise")) == ("fold", "call")  # two bets are the cap
    assert game.infoset(after(game, "K", "J")) == "K:"
    assert game.actions(after(game, "K", "J", "check", "check", "j")) == ("check", "bet")
    assert game.infoset(after(game, "K", "J", "check", "check", "j")) == "K:cc/j:"


def test_leduc_ranks_are_dealt_by_their_number():
    game = Leduc(suits=False)
    assert game.chances(after(game, "J")) == (("J", 1 / 5), ("Q", 2 / 5), ("K", 2 / 5))
    assert game.chances(after(game, "J", "J", "check", "check")) == (("Q", 1 / 2), ("K", 1 / 2))


@pytest.mark.parametrize("suits", [True, False])
def test_leduc_uniform_value_of_openspiel(suits):
    assert uniform_value(Leduc(suits=suits)) == pytest.approx(-0.078125, abs=1e-12)
    assert uniform_value(Leduc(suits=suits, shift=100)) == pytest.approx(100 - 0.078125, abs=1e-10)


def test_generic_poker_cap_counts_the_opening_bet():
    game = GenericPoker(6, 4, 4, 1)
    line = ["1a", "6d", "bet", "raise", "raise"]
    assert game.actions(after(game, *line)) == ("fold", "call", "raise")
    assert game.actions(after(game, *line, "raise")) == ("fold", "call")
    assert payoff(game, *line, "raise", "call", "1b", "bet", "raise", "raise", "raise", "call") == 1 + 4 * 2 + 4 * 4


def test_generic_poker_bet_sizes():
    game = GenericPoker(3, 2, 2, 3)
    assert game.actions(after(game, "1a", "2a")) == ("check", "bet 2", "bet 4", "bet 6")
    state = after(game, "1a", "2a", "check", "bet 4")
    assert game.actions(state) == ("fold", "call", "raise 2", "raise 4", "raise 6")
    assert game.infoset(state) == "1a:cr4"
    state = after(game, "1a", "2a", "bet 4", "raise 2", "call", "3b", "bet 12")
    assert game.infoset(state) == "2a:r4r2c/3b:r12"
    assert game.payoff(game.step(state, "fold"))[0] == 1 + 4 + 2
    assert game.payoff(game.step(state, "call"))[0] == -(1 + 4 + 2 + 12)


def test_generic_poker_ranks_lose_nothing():
    by_card, by_rank = GenericPoker(3, 3, 1, 2), GenericPoker(3, 3, 1, 2, suits=False)
    assert uniform_value(by_card) == pytest.approx(uniform_value(by_rank), abs=1e-12)
    assert abs(uniform_value(by_card)) > 0.01


def test_goofspiel_prizes_descend_and_ties_take_none():
    game = Goofspiel(n=3)
    # Round 1 (3 points) tied; round 2 (2 points) to the higher bid; the last card for 1 point cannot turn it.
    assert payoff(game, "1", "1", "3", "2") == 1
    assert payoff(game, "3", "3", "1", "2") == -1
    # 3 points against 2 + 1: a draw.
    assert payoff(game, "3", "1", "1", "2") == 0
    assert payoff(game, "2", "2", "1", "1") == 0  # everything tied, the last round too
    assert payoff(Goofspiel(n=3, collapse=False), "3", "1", "1", "2", "2", "3") == 0


def test_goofspiel_infosets_hide_the_bid():
    game = Goofspiel(n=5)
    state = after(game, "5", "2", "3", "4")
    assert (game.player(state), game.infoset(state)) == (0, "0:5w3l")
    assert game.infoset(after(game, "5", "2", "3")) == "1:2l"
    assert game.infoset(after(game, "5", "2", "1")) == "1:2l"
    assert game.infoset(after(game, "4", "4")) == "0:4t"
    assert game.actions(state) == ("1", "2", "4")
    assert game.infoset(after(Goofspiel(n=10), "10", "9")) == "0:10w"


@pytest.mark.parametrize("n", [3, 4])
def test_goofspiel_without_the_forced_round_is_the_same_game(n):
    """Every play of the short form, finished with the cards left, pays what the short form says."""
    short, full = Goofspiel(n=n), Goofspiel(n=n, collapse=False)
    pairs = [(short.root(), full.root())]
    while pairs:
        a, b = pairs.pop()
        if short.player(a) == TERMINAL:
            (b,) = children(full, b)
            (b,) = children(full, b)
            assert short.payoff(a) == full.payoff(b)
        else:
            assert short.infoset(a) == full.infoset(b)
            pairs += [(short.step(a, move), full.step(b, move)) for move in short.actions(a)]


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("5 5 2-5 liar", 1),  # true: the caller loses
        ("5 4 2-5 liar", -1),
        ("5 6 2-5 liar", 1),  # a six counts for every face
        ("6 6 2-1 liar", 1),
        ("5 6 2-6 liar", -1),  # but a bid on sixes counts only sixes
        ("6 6 2-6 liar", 1),
        ("3 4 1-5 2-3 liar", 1),  # player 0 calls a false bid
        ("3 3 1-5 2-3 liar", -1),
        ("3 4 1-3 1-4 liar", -1),
    ],
)
def test_bluff_calls(moves, expected):
    assert payoff(Bluff(rounds="one"), *moves.split()) == payoff(Bluff(), *moves.split()) == expected


def test_bluff_bids_rise():
    game = Bluff(rounds="one")
    opening = game.actions(after(game, "3", "4"))
    assert (opening[0], opening[-1], len(opening)) == ("1-1", "2-6", 12)
    state = after(game, "3", "4", "1-5", "2-3")
    assert (game.player(state), game.infoset(state)) == (0, "3:1-5,2-3")
    assert game.actions(state) == ("2-4", "2-5", "2-6", "liar")
    assert game.actions(after(game, "3", "4", "2-6")) == ("liar",)


def test_bluff_hands_of_two_dice():
    chances = dict(Bluff(2, 1, rounds="one").chances(Bluff(2, 1).root()))
    assert len(chances) == 21
    assert (chances["11"], chances["36"]) == (1 / 36, 2 / 36)
    assert sum(chances.values()) == pytest.approx(1, abs=1e-12)
    three = dict(Bluff(3, 1).chances(Bluff(3, 1).root()))
    assert (three["123"], three["112"]) == (6 / 216, 3 / 216)


def test_bluff_round_pays_the_smaller_game():
    game = Bluff(2, 1, faces=3)
    assert set(game.subgames()) == {"1-1"}
    assert game.subgames()["1-1"] == Bluff(1, 1, faces=3)
    game = game.with_values({"1-1": 0.25})
    assert payoff(game, "11", "2", "2-2", "liar") == 0.25  # player 0 lost a die and opens
    assert payoff(game, "11", "2", "2-1", "liar") == 1  # player 1 has no dice left
    winner_opens = Bluff(2, 1, opener="winner", faces=3).with_values({"1-1": 0.25})
    assert payoff(winner_opens, "11", "2", "2-2", "liar") == -0.25


def test_bluff_subgames_are_seen_from_their_opener():
    assert set(Bluff(2, 2).subgames()) == {"1-2"}  # whoever lost a die opens
    assert set(Bluff(2, 2, opener="winner").subgames()) == {"2-1"}
    assert set(Bluff(3, 2).subgames()) == {"2-2", "1-3"}
    assert set(Bluff(2, 2, opener="alternate").subgames()) == {"2-1", "1-2"}
    assert set(Bluff(2, 3, opener="alternate").subgames()) == {"3-1", "2-2"}  # player 1's turn to open
    assert Bluff(2, 2, rounds="one").subgames() == Bluff(2, 2, rounds="literal").subgames() == {}
    game = Bluff(2, 2, faces=2).with_values({"1-2": 0.5})
    assert payoff(game, "11", "11", "1-2", "liar") == 0.5
    assert payoff(game, "12", "11", "1-2", "liar") == -0.5


def test_bluff_round_without_values():
    with pytest.raises(GameError, match=r"bluff\(dice0=2\): payoff needs the value of the smaller game 1-1"):
        payoff(Bluff(2, 1), "11", "2", "3-2", "liar")


def decomposed(game):
    return game.with_values({key: uniform_value(decomposed(smaller)) for key, smaller in game.subgames().items()})


@pytest.mark.parametrize("opener", ["loser", "winner", "alternate"])
@pytest.mark.parametrize("dice", [(2, 1), (1, 2)])
def test_bluff_in_parts_is_the_literal_game(dice, opener):
    """The uniform strategy does not look at earlier rounds, so both forms must give it the same value."""
    parts = decomposed(Bluff(*dice, opener=opener, faces=2))
    literal = Bluff(*dice, rounds="literal", opener=opener, faces=2)
    assert uniform_value(parts) == pytest.approx(uniform_value(literal), abs=1e-12)


def test_bluff_literal_remembers_earlier_rounds():
    game = Bluff(2, 1, rounds="literal", faces=3)
    state = after(game, "12", "3", "1-1", "2-2", "3-3", "liar")
    assert (game.player(state), game.chances(state)) == (CHANCE, Bluff(faces=3).chances(Bluff(faces=3).root()))
    state = after(game, "12", "3", "1-1", "2-2", "3-3", "liar", "2", "1")
    assert (game.player(state), game.infoset(state)) == (0, "12:1-1,2-2,3-3=1/2:")
    assert len(game.actions(state)) == 6  # two dice are left
    assert game.infoset(game.step(state, "1-1")) == "3:1-1,2-2,3-3=1/1:1-1"


@pytest.mark.parametrize(("opener", "after_loss_of_0", "after_loss_of_1"), [("loser", 0, 1), ("winner", 1, 0)])
def test_bluff_opener_of_the_next_round(opener, after_loss_of_0, after_loss_of_1):
    game = Bluff(2, 2, rounds="literal", opener=opener, faces=2)
    assert game.player(after(game, "11", "11", "1-2", "liar", "1", "11")) == after_loss_of_0
    assert game.player(after(game, "12", "11", "1-2", "liar", "11", "1")) == after_loss_of_1


def test_bluff_openers_alternate():
    game = Bluff(2, 2, rounds="literal", opener="alternate", faces=2)
    for first in (["11", "11", "1-2", "liar", "1", "11"], ["12", "11", "1-2", "liar", "11", "1"]):
        assert game.player(after(game, *first)) == 1
    twice = [*first, "1-1", "liar", "1", "1"]  # player 1 opened with a true bid, and player 0 called it
    assert game.player(after(game, *twice)) == 0


def test_bluff_literal_has_perfect_recall():
    """What a player saw and did before an infoset is the same at all its nodes, and no two players share a label."""
    game = Bluff(2, 1, rounds="literal", opener="alternate", faces=2)
    stack, past, owner = [(game.root(), ((), ()))], {}, {}
    while stack:
        state, seen = stack.pop()
        player = game.player(state)
        if player == TERMINAL:
            continue
        if player == CHANCE:
            stack += [(child, seen) for child in children(game, state)]
            continue
        label = game.infoset(state)
        assert owner.setdefault(label, player) == player
        assert past.setdefault(label, seen[player]) == seen[player]
        for move in game.actions(state):
            own = (*seen[player], (label, move))
            stack.append((game.step(state, move), (own, seen[1]) if player == 0 else (seen[0], own)))


def test_rock_paper_scissors():
    game = RockPaperScissors()
    assert game.actions(game.root()) == ("rock", "paper", "scissors")
    assert payoff(game, "rock", "scissors") == payoff(game, "paper", "rock") == payoff(game, "scissors", "paper") == 1
    assert payoff(game, "rock", "paper") == -1
    assert payoff(game, "paper", "paper") == 0


def test_matrix():
    game = Matrix([[1, 2], [3, 4]])
    assert game == Matrix(((1, 2), (3, 4)))
    assert hash(game) == hash(Matrix(((1, 2), (3, 4))))
    assert payoff(game, "r1", "c0") == 3
    assert game.infoset(game.root()) == "row"
    assert game.infoset(after(game, "r0")) == game.infoset(after(game, "r1")) == "column"
    assert payoff(Matrix([[5, -1]], rows=["only"], columns=["a", "b"]), "only", "b") == -1


# Against OpenSpiel


GOOF4 = "goofspiel(imp_info=true,num_cards=4,points_order=descending,returns_type=win_loss)"
SAME_AS = {
    "kuhn_poker": Kuhn(),
    "leduc_poker": Leduc(),
    "leduc_poker(suit_isomorphism=true)": Leduc(suits=False),
    "liars_dice(numdice=1)": Bluff(rounds="one"),
    f"turn_based_simultaneous_game(game={GOOF4})": Goofspiel(n=4),
}


@pytest.mark.slow_cases("liars_dice*")
@pytest.mark.parametrize("name", SAME_AS)
def test_openspiel_node_by_node(name):
    """Same movers, numbers of actions, chances and payoffs in the same order, and nodes together in one infoset there
    are together here.
    """
    pyspiel = pytest.importorskip("pyspiel")
    assert_node_by_node(SAME_AS[name], pyspiel.load_game(name))


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_kuhn_with_suits_is_a_universal_poker_node_by_node(suits):
    pyspiel = pytest.importorskip("pyspiel")
    text = {"betting": "limit", "blind": "1 1", "firstPlayer": "1", "raiseSize": "1", "maxRaises": "1"}
    numbers = {"numPlayers": 2, "numRounds": 1, "numSuits": suits, "numRanks": 3, "numHoleCards": 1}
    board = {"numBoardCards": "0", "stack": "10 10"}
    assert_node_by_node(Kuhn(suits=suits), pyspiel.load_game("universal_poker", {**text, **numbers, **board}))


def assert_node_by_node(game, other_game):
    theirs, ours = {}, {}
    stack = [(game.root(), other_game.new_initial_state())]
    while stack:
        state, other = stack.pop()
        player = game.player(state)
        if player == TERMINAL:
            assert other.is_terminal()
            assert list(game.payoff(state)) == other.returns()
            continue
        assert other.current_player() == player
        if player == CHANCE:
            moves, odds = zip(*other.chance_outcomes())
            assert [chance for _, chance in game.chances(state)] == pytest.approx(odds, abs=1e-12)
        else:
            moves = other.legal_actions()
            here, there = (player, game.infoset(state)), (player, other.information_state_string())
            assert ours.setdefault(there, here) == here
            assert theirs.setdefault(here, there) == there
        below = children(game, state)
        assert len(below) == len(moves)
        stack += [(child, other.child(move)) for child, move in zip(below, moves)]
