"""Strategies at a table: exact probabilities on and off the tree, ranges, transforms, and play in bulk."""

import itertools
import random

import numpy as np
import pytest

import mccfr
from mccfr.betting.lines import OVER
from mccfr.playing import bulk
from mccfr.playing.agent import AgentError
from mccfr.playing.agents import make_agent
from mccfr.playing.many_hands import BoardHands, DealtHands, share_beaten, strength_on
from mccfr.playing.policy import StrategyPolicy, believe, range_after
from mccfr.playing.policy_agent import PolicyAgent
from mccfr.playing.seen import Seen
from mccfr.playing.table import Table, without_menu
from mccfr.playing.transforms import VARIANTS, cut, purified, variant
from mccfr.playing.translation import follow, real_move

SMALL = "holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)"
SIZED = "holdem(nolimit(stack=20, bet='50%,100%', raise_='100%,a', cap=2), exact, ranks=4, suits=2, board='3')"
COARSE = "holdem(nolimit(stack=20, bet='100%', raise_='a', cap=1), exact, ranks=4, suits=2, board='3')"


def random_strategy(game, seed, zeros=0.2):
    """Any probabilities, with zeros among them."""
    tree = mccfr.compile(game)
    dice = np.random.default_rng(seed)
    weights = dice.random(tree.infosets.entries) ** 3 * (dice.random(tree.infosets.entries) >= zeros)
    found, _ = tree.infosets.normalised(weights)
    return mccfr.Strategy(tree.infosets, found, mccfr.uniform(game).origin, tree=tree)


def value_by_lines(table, policies):
    """What the big blind wins, over all deals and all lines, by both policies' odds."""
    deck = range(table.ranks * table.suits)
    deals = []
    for one in itertools.combinations(deck, 2):
        rest = [card for card in deck if card not in one]
        for other in itertools.combinations(rest, 2):
            left = [card for card in rest if card not in other]
            deals += [(*one, *other, *board) for board in itertools.combinations(left, sum(table.deals))]
    cards = np.array(deals, np.uint8)
    hands = [DealtHands(table, bulk.seat_cards(cards, seat)) for seat in (0, 1)]

    def below(s, beliefs, weight):
        if s.mover == OVER:
            return float((weight * bulk.settled(table, s, cards)).sum())
        total, mover = 0.0, s.mover
        odds = policies[mover].odds(beliefs[mover], s, hands[mover])
        assert np.allclose(sum(odds.values()), 1.0)
        for move, p in odds.items():
            after = [policies[seat].after(beliefs[seat], s, move, hands[seat], seat == mover) for seat in (0, 1)]
            if p.any():
                total += below(table.play(s, move), after, weight * p)
        return total

    start = [policy.begin(len(cards)) for policy in policies]
    return below(table.start, start, np.full(len(cards), 1.0 / len(cards)))


@pytest.mark.parametrize("game", [SMALL, SIZED])
def test_odds_are_the_strategy_and_their_value_is_the_games(game):
    one, other = random_strategy(game, 1), random_strategy(game, 2)
    policies = StrategyPolicy(one), StrategyPolicy(other)
    assert value_by_lines(policies[0].table, policies) == pytest.approx(mccfr.expected_value(one, other), abs=1e-12)


def test_a_table_in_other_chips_scales_the_value():
    one, other = random_strategy(SIZED, 1), random_strategy(SIZED, 2)
    large = mccfr.table("holdem(nolimit(stack=1000, blinds='50 100', bet='a'), ranks=4, suits=2, board='3')")
    policies = StrategyPolicy(one, large), StrategyPolicy(other, large)
    assert value_by_lines(large, policies) == pytest.approx(50 * mccfr.expected_value(one, other), rel=1e-12)


def path_law(policy, table, hands, moves, seat):
    """P(move | own moves so far) of the last decision, one node kept in mind: every way of taking bets, weighed."""
    tree, ways = policy.tree.betting, [(0, 1.0)]
    s = table.start
    for move in moves:
        after = []
        for node, weight in ways:
            if s.mover != seat:
                after += [(child, weight * p) for child, p in follow(tree, node, s, move)]
            else:
                p = policy.tree.infosets.at_node(policy.probabilities, node)[hands.rows(policy.tree, s.street)[0]]
                for j, child in enumerate(tree.children(node)):
                    if real_move(tree, node, child, s, table, policy.scale) == move:
                        after.append((child, weight * p[j]))
        ways, s = after, table.play(s, move)
    total = sum(weight for _, weight in ways)
    found = {}
    for node, weight in ways:
        p = policy.tree.infosets.at_node(policy.probabilities, node)[hands.rows(policy.tree, s.street)[0]]
        for j, child in enumerate(tree.children(node)):
            move = real_move(tree, node, child, s, table, policy.scale)
            found[move] = found.get(move, 0.0) + weight / total * p[j]
    return found


@pytest.mark.parametrize(("line", "seat"), [("r5", 0), ("r6c/b4", 1), ("r5c/kb3", 0), ("cr5", 1)])
def test_off_tree_odds_have_the_law_of_keeping_one_node_in_mind(line, seat):
    policy = StrategyPolicy(random_strategy(SIZED, 5, zeros=0.0))
    table = policy.table
    s, moves = table.at(line)
    cards = np.array([[0, 3, 1, 4, 6]], np.uint8)[:, : 2 + table.board_size(s.street)]
    hands = DealtHands(table, cards)
    found = policy.odds(believe(policy, hands, moves, seat), s, hands)
    expected = path_law(policy, table, hands, moves, seat)
    assert {move for move, p in found.items() if p[0]} == {move for move, p in expected.items() if p}
    for move, p in expected.items():
        assert found[move][0] == pytest.approx(p, abs=1e-12)


def test_two_trees_meet_at_one_table():
    """A strategy with other sizes: everything both do is legal, and payoffs stay zero-sum and bounded."""
    policies = StrategyPolicy(random_strategy(SIZED, 1)), StrategyPolicy(random_strategy(COARSE, 2))
    table = policies[0].table
    forth = value_by_lines(table, policies)
    assert abs(forth) < 20
    dealt = bulk.deal_to_many(table, 4000, np.random.default_rng(1))
    played = bulk.play_deals(table, policies, dealt, [np.random.default_rng(j) for j in (2, 3)])
    error = played.payoff.std() / len(dealt) ** 0.5
    assert abs(played.payoff.mean() - forth) < 4 * error
    for record in played.records(("one", "other")):
        assert record.chips[0] == played.payoff[record.number]


def test_ranges_are_the_probability_of_the_moves():
    strategy = random_strategy(SIZED, 4)
    policy = StrategyPolicy(strategy)
    _s, moves = policy.table.at("r6c/b6")
    board = (0, 3, 6)
    found = range_after(policy, board, moves, 1)
    for hand, (low, high) in enumerate(policy.table.deck.hand_cards.tolist()):
        if {low, high} & set(board):
            assert found[hand] == 0.0
            continue
        name = policy.table.deck.hand_name(hand)
        assert found[hand] == pytest.approx(strategy.at("", name)["r6"], abs=1e-12)


def test_one_hand_is_asked_as_all_hands_are():
    policy = StrategyPolicy(random_strategy(SIZED, 4))
    agent, table = PolicyAgent(policy), policy.table
    s, moves = table.at("r6c/k")
    board = (0, 3, 6)
    hands = BoardHands(table, board)
    together = policy.odds(believe(policy, hands, moves, 1), s, hands)
    for hand, hole in enumerate(table.deck.hand_cards.tolist()):
        if set(hole) & set(board):
            continue
        alone = agent.odds(Seen(table, 1, tuple(hole), board, s, moves))
        for move, p in together.items():
            assert alone.get(move, 0.0) == pytest.approx(p[hand], abs=1e-15)


def test_play_hand_by_hand_has_the_law_of_play_in_bulk():
    one, other = StrategyPolicy(random_strategy(SIZED, 1)), StrategyPolicy(random_strategy(SIZED, 2))

    class Unknown:  # not seen to be a policy, so it is asked hand by hand
        name = "unknown"

        def __init__(self, policy):
            self.agent = PolicyAgent(policy)

        def start(self, seen, dice):
            self.agent.start(seen, dice)

        def move(self, seen):
            return self.agent.move(seen)

    expected = 0.5 * (
        mccfr.expected_value(one.strategy, other.strategy) - mccfr.expected_value(other.strategy, one.strategy)
    )
    slow = mccfr.match(Unknown(one), PolicyAgent(other), hands=3000, table=one.table, seed=3)
    fast = mccfr.match(PolicyAgent(one), PolicyAgent(other), hands=40_000, table=one.table, seed=3)
    for found in (slow, fast):
        assert abs(found.won().mean - expected) < 4 * found.won().error


def test_beyond_the_tree_it_checks_or_calls_with_hands_that_beat_enough():
    policy = StrategyPolicy(random_strategy(COARSE, 2))
    table = policy.table
    s, moves = table.at("r6r14")  # this tree has one raise only
    hands = BoardHands(table, ())
    odds = policy.odds(believe(policy, hands, moves, 1), s, hands)
    assert {move.kind for move in odds} == {0, 2}
    strong, weak = odds[table.legal(s).moves[1]], hands.strength(0)
    assert set(strong.tolist()) == {0.0, 1.0}
    assert weak[strong == 1.0].min() > weak[strong == 0.0].max()


def test_other_tables_are_refused_in_a_line():
    strategy = random_strategy(SIZED, 1)
    for game in ("holdem(nolimit(stack=40, bet='a'), ranks=4, suits=2, board='3')", "holdem(limit)"):
        with pytest.raises(AgentError, match=r"is for <Table: nolimit.* which is not <Table"):
            StrategyPolicy(strategy, mccfr.table(game), "mine")
    with pytest.raises(AgentError, match="cannot sit at a table"):
        make_agent(mccfr.uniform("leduc"))


def test_strength_counts_the_hands_that_are_beaten():
    table = mccfr.table("holdem(limit)")
    board = tuple(table.deck.read_cards("2h 7d 9c Ts 3d"))
    all_hands = strength_on(table, board)
    assert all_hands.max() < 1.0
    for hand in (5, 300, 1000, 1325):
        low, high = table.deck.hand_cards[hand].tolist()
        if not {low, high} & set(board):
            assert share_beaten(table, (low, high, *board)) == pytest.approx(all_hands[hand], abs=1e-12)
    assert strength_on(table, ())[-1] == pytest.approx(0.8520, abs=1e-3)  # aces against any hand


# ---- strategies made from strategies


@pytest.mark.slow
def test_variants_change_probabilities_as_they_say():
    strategy = random_strategy(SIZED, 7)
    tree = strategy.tree.buckets
    changed = {name: variant(name, strategy) for name in VARIANTS}
    kinds = {}
    for node, parts in tree.infosets.each_part(strategy.probabilities, *[c.probabilities for c in changed.values()]):
        old, *new = parts
        found = dict(zip(changed, new))
        for p in new:
            assert np.allclose(p.sum(axis=1), 1.0, atol=1e-6)
        moves = tree.betting.moves(node)
        if moves[0].kind == 0:
            mixed = (old > 0).all(axis=1)
            assert (found["tight"][mixed, 0] > old[mixed, 0] - 1e-6).all()
            assert (found["aggressive"][mixed, 0] < old[mixed, 0] + 1e-6).all()
            kinds["fold"] = True
        passive = [j for j, move in enumerate(moves) if move.kind in (1, 2)]
        assert (found["calling"][:, passive].sum(axis=1) > 0.7 - 1e-6).all()
        assert np.allclose(found["random"], 1.0 / len(moves))
        assert ((found["deterministic"] == 1.0).sum(axis=1) == 1).all()
        assert (found["deterministic"].argmax(axis=1) == old.argmax(axis=1)).all()
    assert kinds


def test_aggressive_and_tight_numbers():
    """fold x 0.5 and a raise of s pots x (1 + s); fold x 2 and / (1 + s); normalised."""
    strategy = random_strategy(SIZED, 7)
    tree = strategy.tree.buckets
    node = tree.betting.find("r6c/b6")  # fold, call, raise of the pot, all-in
    moves = tree.betting.moves(node)
    old = tree.infosets.at_node(strategy.probabilities, node)
    sizes = np.array([0.0 if move.kind < 3 else (6 + move.amount - 12) / 24 for move in moves])
    for name, fold, power in (("aggressive", 0.5, 1), ("tight", 2.0, -1)):
        weights = old * (1 + sizes) ** power * np.where([move.kind == 0 for move in moves], fold, 1.0)
        expected = weights / weights.sum(axis=1, keepdims=True)
        found = tree.infosets.at_node(variant(name, strategy).probabilities, node)
        assert np.allclose(found, expected, atol=1e-6)


@pytest.mark.slow
def test_tight_aggressive_goes_by_the_win_rate_of_the_row():
    strategy = random_strategy(SIZED, 7)
    tree = strategy.tree.buckets
    mixed, tight, aggressive = (variant(name, strategy) for name in ("tight_aggressive", "tight", "aggressive"))
    seen = set()
    for node, (m, t, a) in tree.infosets.each_part(mixed.probabilities, tight.probabilities, aggressive.probabilities):
        if tree.betting.street[node] == 0:
            for row in range(len(m)):
                is_tight, is_aggressive = np.allclose(m[row], t[row]), np.allclose(m[row], a[row])
                assert is_tight or is_aggressive
                seen |= {"tight"} if is_tight and not is_aggressive else set()
                seen |= {"aggressive"} if is_aggressive and not is_tight else set()
    assert seen == {"tight", "aggressive"}


def test_cut_and_purified():
    strategy = random_strategy(SIZED, 7)
    tree = strategy.tree.buckets
    few, one = cut(strategy, 0.2), purified(strategy)
    for _, (old, p, q) in tree.infosets.each_part(strategy.probabilities, few.probabilities, one.probabilities):
        assert (p[(old < 0.2) & (old < old.max(axis=1, keepdims=True))] < 1e-6).all()
        kept = np.where(old >= 0.2, old, 0.0)
        right = kept.sum(axis=1) > 0
        assert np.allclose(p[right], kept[right] / kept[right].sum(axis=1, keepdims=True), atol=1e-6)
        assert ((q == 1.0).sum(axis=1) == 1).all()


# ---- names


@pytest.mark.parametrize(("name", "told"), [
    ("alwys_call", "did you mean always_call"), ("always_call(3)", "always_call takes ()"),
    ("variant(tigt, 'blueprint:nolimit')", "did you mean tight"), ("cut(2, 'blueprint:nolimit')", "cut(2)"),
    ("missing.mccfr", "cannot read missing.mccfr"), ("blueprint:nolimt", "did you mean nolimit"),
    ("always_fold + always_call", "expected a strategy"), ("", "expected a strategy"),
    ("purified('always_call')", "no strategy that could be changed"),
])  # fmt: skip
def test_wrong_names_are_told_in_a_line(name, told):
    with pytest.raises(mccfr.MccfrError, match=r"^[^\n]*$") as error:
        mccfr.agent(name, "holdem(nolimit(stack=200, bet='a'))")
    assert told in str(error.value)


def test_the_shipped_blueprint_plays_a_hand_from_its_name():
    table = mccfr.table("holdem(nolimit(stack=10000, blinds='50 100', bet='a'))")
    agent = mccfr.agent("blueprint:nolimit", table)
    s, moves = table.at("r250")
    odds = agent.odds(Seen(table, 0, tuple(table.deck.read_cards("As Ah")), (), s, moves))
    assert odds.get(table.legal(s).moves[0], 0.0) == 0.0
    assert sum(odds.values()) == pytest.approx(1.0)
    assert max(odds, key=odds.get).amount >= 500


def test_all_moves_are_drawn_from_the_given_dice():
    policy = StrategyPolicy(random_strategy(SIZED, 4))
    table, agent = policy.table, PolicyAgent(policy)
    s, moves = table.at("c")
    seen = Seen(table, 0, (0, 3), (), s, moves)
    drawn = []
    for _ in range(2):
        agent.start(seen, random.Random(11))
        drawn.append([agent.move(seen) for _ in range(20)])
    assert drawn[0] == drawn[1]
    odds = agent.odds(seen)
    agent.start(seen, random.Random(5))
    count = sum(agent.move(seen) == max(odds, key=odds.get) for _ in range(2000))
    assert abs(count / 2000 - max(odds.values())) < 4 * 0.5 / 2000**0.5


def test_a_table_without_a_menu_keeps_the_rules():
    rules = mccfr.game(SIZED).betting
    assert Table(without_menu(rules)).betting.stack == 20
