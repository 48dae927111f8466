"""Spots and whole hold'em in all their forms: written out, dealt, by linear programme, deal by deal, OpenSpiel's."""

import itertools

import naive_spots
import numpy as np
import pyspiel
import pytest
import street_examples
from naive_spots import uniform_value

import mccfr
from mccfr.errors import TreeError
from mccfr.games.base import METHODS
from mccfr.games.registry import make_game
from mccfr.games.street_deals import deck_strengths
from mccfr.tree.compile import compile_tree
from mccfr.tree.dealt_tree import deal_out

EXAMPLES = {name: (game, setting) for name, game, setting in street_examples.pairs()}
SMALL = [name for name in EXAMPLES if name in street_examples.SPOTS]
HULHE = "holdem(limit)"


class Seen:
    """A game with what everybody has seen and what each player holds: its dealt form can be found by going through."""

    players = 2

    def __init__(self, game):
        self.game = game
        for method in METHODS:
            setattr(self, method, getattr(game, method))

    def __str__(self):
        return str(self.game)

    def public(self, s):
        return (s.cards, s.betting) if len(s.hands) == 2 else None

    def private(self, s, player):
        return s.hands[player] if len(s.hands) == 2 else None


def written(game):
    return compile_tree(game)


def by_label(strategy):
    return {label: strategy[label] for label in strategy.tree.infosets.labels}


# ---- all forms are one game


@pytest.mark.slow_cases("*locked*", "no-limit*")
@pytest.mark.parametrize("name", EXAMPLES)
def test_uniform_play_is_worth_what_it_is_deal_by_deal(name):
    game, setting = EXAMPLES[name]
    expected = uniform_value(setting)
    for tree in (written(game), deal_out(make_game(f"dealt:{game}"))):
        assert mccfr.expected_value(mccfr.uniform(tree)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow_cases("*locked*")
@pytest.mark.parametrize("name", SMALL)
def test_written_out_dealt_and_gathered_are_solved_alike(name):
    game, _ = EXAMPLES[name]
    trees = [written(game), deal_out(make_game(f"dealt:{game}"))]
    if not any(lock.line == "" for lock in game.streets().locks):  # which would be taken for a part of the deal
        trees.append(deal_out(Seen(game)))
    found = [mccfr.solve(tree, "cfr_plus", iterations=50).strategy() for tree in trees]
    first = by_label(found[0])
    for strategy in found[1:]:
        assert mccfr.exploitability(strategy) == pytest.approx(mccfr.exploitability(found[0]), abs=1e-9)
        assert mccfr.expected_value(strategy) == pytest.approx(mccfr.expected_value(found[0]), abs=1e-9)
        other = by_label(strategy)
        assert first.keys() == other.keys()
        for label in first:
            assert other[label] == pytest.approx(first[label], abs=1e-9)


@pytest.mark.slow_cases("*locked*")
@pytest.mark.parametrize("name", EXAMPLES)
def test_sizes_are_known_before_anything_is_built(name):
    game, _ = EXAMPLES[name]
    tree, dealt = written(game), deal_out(make_game(f"dealt:{game}"))
    nodes, entries = game.dealt().size()
    if game.streets().locks or game.streets().ranges[1].sum() < 20:  # hands of a range block cards, locks lines
        assert len(tree) <= game.nodes()
        assert len(dealt) <= nodes
        assert dealt.infosets.entries <= entries
    else:
        assert (len(tree), len(dealt)) == (game.nodes(), nodes)


@pytest.mark.slow_cases("*locked*")
@pytest.mark.parametrize("name", ["river", "locked by range", "turn", "flop"])
def test_the_linear_programme_agrees_with_the_dealt_form(name):
    game, _ = EXAMPLES[name]
    value = mccfr.expected_value(mccfr.solve(written(game), "lp").strategy())
    strategy = mccfr.solve(f"dealt:{game}", "cfr_plus", iterations=2000).strategy()
    gap = mccfr.exploitability(strategy)
    assert gap < 0.02
    assert mccfr.expected_value(strategy) == pytest.approx(value, abs=2 * gap)
    against = mccfr.best_response(strategy, 0).value, -mccfr.best_response(strategy, 1).value
    assert against[1] - 1e-9 <= value <= against[0] + 1e-9


def test_hands_are_ranked_where_all_are_alike():
    ten = {**street_examples.TEN, "board": "2c 3d 4c 5d"}
    assert deal_out(make_game(f"dealt:{mccfr.spot(**ten, oop='all', ip='all')}")).ranked is not None
    assert deal_out(make_game(f"dealt:{mccfr.spot(**ten, oop='all', ip='all:0.5')}")).ranked is not None
    assert deal_out(make_game(f"dealt:{mccfr.spot(**ten, oop='all', ip='66,5c4d')}")).ranked is None
    assert deal_out(make_game(f"dealt:{mccfr.spot(**ten, oop='66,5c4d:0.5', ip='66,5c4d')}")).ranked is None
    lock = {"line": "k", "k": 1}
    assert deal_out(make_game(f"dealt:{mccfr.spot(**ten, oop='all', ip='all', lock=lock)}")).ranked is None


def test_hands_that_can_never_be_dealt_are_not_carried():
    game = mccfr.spot(**{**street_examples.RIVER, "oop": "AsAh,KhKd,QsQh", "ip": "AsKs,AhKh"})
    assert game.dealt().hands(0) == ["KhKd"]  # aces always share a card with the other, queens with the board
    assert game.dealt().hands(1) == ["AsKs"]


@pytest.mark.slow_cases("*locked*", "no-limit, with all-ins*")
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_tree_of_boards_is_solved_alike(name):
    """It carries hands that nobody meets, and of boards that differ in suits only one."""
    game, _ = EXAMPLES[name]
    boards, plain = mccfr.compile(game), written(game)
    first, other = (mccfr.solve(tree, "cfr_plus", iterations=20).strategy() for tree in (boards, plain))
    for measure in (mccfr.exploitability, mccfr.expected_value):
        assert measure(first) == pytest.approx(measure(other), abs=1e-9)
    known = set(plain.infosets.labels)
    common = [label for label in boards.infosets.labels if label in known]
    assert len(common) > len(known) / 3
    assert boards.infosets.labels[0] in known or game.streets().locks
    for label in common:
        assert first[label] == pytest.approx(other[label], abs=1e-9)


# ---- another program


def universal_poker(betting, ranks, suits, board, rest):
    rounds = 1 + len(board.split())
    first = " ".join(["2", *["1"] * (rounds - 1)])
    return (
        f"openspiel:universal_poker(betting={betting},numPlayers=2,numRounds={rounds},blind=2 1,firstPlayer={first},"
        f"numSuits={suits},numRanks={ranks},numHoleCards=2,numBoardCards=0 {board},{rest})"
    )


@pytest.mark.slow_cases("no-limit*", "limit")
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (
            "holdem(limit(cap='1 2', bets='2 4'), ranks=7, suits=1, board=3)",
            universal_poker("limit", 7, 1, "3", "raiseSize=2 4,maxRaises=1 2"),
        ),
        (
            "holdem(nolimit(stack=12, bet='100%,a', raise_='100%,a'), ranks=7, suits=1, board=3)",
            universal_poker("nolimit", 7, 1, "3", "stack=12 12,bettingAbstraction=fcpa"),
        ),
    ],
    ids=["limit", "no-limit"],
)
def test_whole_hands_are_those_of_openspiel(ours, theirs):
    """It deals cards one after the other, so it has more nodes, but as many infosets."""
    mine, other = written(make_game(ours)), mccfr.compile(theirs)
    for count in ("infosets", "infoset_actions"):
        assert mine.counts[count] == other.counts[count]
    for measure in (mccfr.exploitability, mccfr.expected_value):
        assert measure(mccfr.uniform(mine)) == pytest.approx(measure(mccfr.uniform(other)), abs=1e-9)
    values = [mccfr.expected_value(mccfr.solve(tree, "lp").strategy()) for tree in (mine, other)]
    assert values[0] == pytest.approx(values[1], abs=1e-9)


class OneBoard:
    """One betting round of OpenSpiel's poker with a given board: chance deals whole hands, the rest is OpenSpiel's."""

    players = 2

    def __init__(self, game, board, cards):
        self.spiel, self.board = game, board
        left = [card for card in range(cards) if card not in board]
        pairs = list(itertools.combinations(left, 2))
        self.deals = [(one, other) for one in pairs for other in pairs if not set(one) & set(other)]

    def root(self):
        return ()

    def state(self, s):
        state = self.spiel.new_initial_state()
        hands, moves = self.deals[s[0]], s[1:]
        for action in (*hands[0], *hands[1], *self.board, *moves):
            state.apply_action(action)
        return state

    def player(self, s):
        if not s:
            return mccfr.CHANCE
        state = self.state(s)
        return mccfr.TERMINAL if state.is_terminal() else state.current_player()

    def actions(self, s):
        return self.state(s).legal_actions()

    def chances(self, s):
        return [(deal, 1 / len(self.deals)) for deal in range(len(self.deals))]

    def step(self, s, a):
        return (*s, a)

    def infoset(self, s):
        return f"{self.deals[s[0]][self.state(s).current_player()]} {s[1:]}"

    def payoff(self, s):
        return self.state(s).returns()


def test_a_river_is_that_of_openspiel():
    """A pot of 10 is two blinds of 5, and chips won beyond half of it are what OpenSpiel counts."""
    board = "2c 3d 4c 5d 6c"
    sizes = {"bet": "100%,a", "raise_": "100%,a", "min_bet": 5}
    ours = written(mccfr.spot(board=board, pot=10, stack=60, oop="all", ip="all", ranks=5, suits=2, **sizes))
    text = {"betting": "nolimit", "blind": "5 5", "firstPlayer": "1", "numBoardCards": "5", "stack": "65 65"}
    numbers = {"numPlayers": 2, "numRounds": 1, "numSuits": 2, "numRanks": 5, "numHoleCards": 2}
    game = pyspiel.load_game("universal_poker", {**text, **numbers, "bettingAbstraction": "fcpa"})
    cards = naive_spots.deck_of(5, 2)
    theirs = mccfr.compile(OneBoard(game, [cards.index(card) for card in board.split()], 10))
    assert ours.counts["infosets"] == theirs.counts["infosets"]
    for measure in (mccfr.exploitability, mccfr.expected_value):
        assert measure(mccfr.uniform(ours)) == pytest.approx(measure(mccfr.uniform(theirs)), abs=1e-9)
    values = [mccfr.expected_value(mccfr.solve(tree, "lp").strategy()) for tree in (ours, theirs)]
    assert values[0] == pytest.approx(values[1], abs=1e-9)


# ---- showdowns


@pytest.mark.parametrize(("ranks", "suits"), [(5, 4), (6, 2), (13, 1), (4, 3)])
def test_strengths_of_smaller_decks(ranks, suits):
    deck = naive_spots.deck_of(ranks, suits)
    rng = np.random.default_rng(ranks)
    for size in (3, 4, 5):
        board = tuple(int(card) for card in np.sort(rng.choice(len(deck), size, replace=False)))
        ours, slow = deck_strengths(board, ranks, suits), street_examples.strengths_of(board, ranks, suits)
        assert ((ours < 0) == (slow < 0)).all()
        assert (np.sign(np.subtract.outer(ours, ours)) == np.sign(np.subtract.outer(slow, slow))).all()


# ---- sampled methods

TURN = {**street_examples.TEN, "board": "2c 3d 4c 5d", "oop": "66,6c5c", "ip": "6d5c,4d3c:0.5,4d2d", "bet": "a"}
LOCKED = {**TURN, "lock": {"line": "k", "k": "6d5c", "a20": "rest"}}


@pytest.mark.slow_cases("*locked*")
@pytest.mark.parametrize("parameters", [TURN, LOCKED], ids=["free", "locked"])
def test_sampled_methods_are_unbiased(parameters):
    game = mccfr.spot(**parameters)
    vector = ["vector(robust)", "vector(own=robust, chance=robust(2))", "semi_vector(robust)", "public_outcome(0.5)"]
    for form, methods in ((written(game), ["external", "outcome"]), (deal_out(make_game(f"dealt:{game}")), vector)):
        report = mccfr.audit(form, methods, warm_up=0, iterations=20_000)
        assert [row.method for row in report.rows if not row.unbiased] == []


# ---- what is too large


def test_what_is_too_large_is_refused_before_it_is_built():
    big = "spot(board='Qs Jh 2h', pot=180, stack=910, oop=all, ip=all, bet='33%,75%', raise_='2.5x,a')"
    with pytest.raises(TreeError, match=r"nodes and would need about .* to write out"):
        written(make_game(big))
    with pytest.raises(TreeError) as told:
        make_game(f"dealt:{big}").dealt()
    assert str(told.value) == (
        f"dealt:{make_game(big)}: 1176 x 1176 hands and 2,402 boards would need about 173.3 GB of matrices, at most "
        "1 GB are made: solve it without dealt:"
    )
    with pytest.raises(TreeError, match="at most 1 GB are made"):
        make_game(f"dealt:{HULHE}").dealt()
