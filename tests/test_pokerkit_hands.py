"""Random hands in pokerkit, an independent engine: the same legal moves, and the same payoffs with its cards."""

import random

import pytest

from mccfr.betting.lines import ALL_IN, BETS, CALL, CHECK, FOLD, NOBODY, OVER, RAISES, Move
from mccfr.betting.structures import Limit, NoLimit
from mccfr.cards.deck import card
from mccfr.cards.evaluator import strength

BOARD = (0, 3, 1, 1)
ENOUGH = 10**6  # chips that limit betting never uses up
SIZES = (
    "0%",
    "25%",
    "33%",
    "50%",
    "75%",
    "100%",
    "150%",
    "200%",
    "2bb",
    "3bb",
    "5bb",
    "9bb",
    "1c",
    "7c",
    "e",
    "2e",
    "a",
)
RAISES_TOO = (*SIZES, "2x", "2.5x", "4x")


@pytest.fixture(scope="module")
def pokerkit():
    return pytest.importorskip("pokerkit")


def random_blinds(dice):
    """Small blind, big blind and ante. With equal blinds pokerkit lets the other player begin: it knows no dealer."""
    small = dice.randint(1, 9)
    return small, dice.choice([small + 1, 2 * small, 3 * small]), dice.choice([0, 0, 0, 1, 2, 7])


def random_limit(dice):
    """Limit betting with any blinds, antes, bets and caps; a cap of 0 is no number of raises that pokerkit knows."""
    small, big, ante = random_blinds(dice)
    bets = " ".join(str(dice.randint(1, 20)) for _ in BOARD) if dice.random() < 0.7 else f"{big} {big} {2 * big}"
    caps = " ".join(str(dice.randint(1, 6)) for _ in BOARD) if dice.random() < 0.7 else "3 4"
    return Limit(bets=bets, cap=caps, blinds=f"{small} {big}", ante=ante)


def random_nolimit(dice):
    """No-limit betting with any blinds, antes and stacks, and any menu: few sizes or many, tables, caps, Lin's rule."""
    small, big, ante = random_blinds(dice)
    stack = ante + big + dice.choice([0, dice.randint(1, 9), dice.randint(1, 40), dice.randint(1, 900)])
    given = {"stack": stack, "blinds": f"{small} {big}", "ante": ante}
    if dice.random() < 0.2:
        shares = ",".join(f"{dice.randint(1, 250)}%" for _ in range(4))
        return NoLimit(**given, bet=shares, preflop={"raise_": "2bb,3bb,6bb,12bb"}, increasing=True)
    given |= {"bet": random_menu(dice, SIZES), "raise_": dice.choice([None, random_menu(dice, RAISES_TOO)])}
    given |= {"cap": dice.choice([None, None, 1, "2 3"]), "donk_": dice.choice([None, random_menu(dice, SIZES)])}
    given |= {name: dice.choice([0, 0, 0.1, 0.5, 1.5]) for name in ("add_allin", "force_allin", "merge")}
    given |= {"turn": dice.choice([None, {"bet": random_menu(dice, SIZES), "ip": {"raise_": "3x,a"}}])}
    return NoLimit(**given)


def random_menu(dice, sizes):
    return ",".join(dice.sample(sizes, dice.randint(0, 4)))


def start_there(pokerkit, rules):
    """A hand in pokerkit, which deals all cards itself. Its first player has the big blind, as ours."""
    limit = isinstance(rules, Limit)
    by_street = rules.by_street if limit else [(rules.smallest, None)] * len(BOARD)
    streets = tuple(
        pokerkit.Street(
            number > 0, (False,) * 2 if number == 0 else (), cards, False, pokerkit.Opening.POSITION, size, most
        )
        for number, (cards, (size, most)) in enumerate(zip(BOARD, by_street))
    )
    structure = pokerkit.BettingStructure.FIXED_LIMIT if limit else pokerkit.BettingStructure.NO_LIMIT
    automatic = tuple(step for step in pokerkit.Automation if "SELECTION" not in step.name)
    stacks = (ENOUGH if limit else rules.stack,) * 2
    deck, hands = pokerkit.Deck.STANDARD, (pokerkit.StandardHighHand,)
    return pokerkit.State(
        automatic, deck, hands, streets, structure, False, rules.ante, tuple(rules.posted), 0, stacks, 2
    )


def play_hand(pokerkit, rules, dice):
    """One hand in both programs; how many moves it had, and whether it came to a showdown."""
    s, there = rules.root(), start_there(pokerkit, rules)
    hands, moves = [numbers(cards) for cards in there.hole_cards], 0
    while s.mover != OVER:
        compare_moves(rules, s, there)
        move = choose(rules, s, dice)
        play_there(there, move)
        s, moves = rules.play(s, move), moves + 1
    assert not there.status
    assert there.payoffs == list(rules.payoffs(s, winner_of(hands, there, s)))
    return moves, s.folded == NOBODY


def numbers(cards):
    return [card(f"{c.rank.value}{c.suit.value}") for c in cards]


def winner_of(hands, there, s):
    """Who wins a showdown with pokerkit's cards by our evaluator; pokerkit pays by its own."""
    if s.folded != NOBODY:
        return NOBODY
    board = [c for cards in there.board_cards for c in numbers(cards)]
    assert len(board) == 5
    first, second = (strength([*hand, *board]) for hand in hands)
    return NOBODY if first == second else int(second > first)


def compare_moves(rules, s, there):
    """Who moves where, what a call costs, and from how much to how much can be bet or raised."""
    assert (there.actor_index, there.street_index) == (s.mover, s.street)
    assert there.checking_or_calling_amount == abs(s.stakes[0] - s.stakes[1])
    offered = rules.moves(s)
    assert (FOLD in offered) == there.can_fold()
    assert (CALL in offered) == (there.checking_or_calling_amount > 0) == (CHECK not in offered)
    low, high = there.min_completion_betting_or_raising_to_amount, there.max_completion_betting_or_raising_to_amount
    assert rules.bounds(s) == (None if low is None else (low, high))
    amounts = [move.amount for move in offered if move.kind >= BETS]
    assert all(there.can_complete_bet_or_raise_to(amount) for amount in amounts)
    assert amounts == ([low] if low else []) or isinstance(rules, NoLimit)
    for move in offered:
        assert (move.kind == ALL_IN) == (move.amount == high and isinstance(rules, NoLimit) and move.amount > 0)


def choose(rules, s, dice):
    """A move that is offered, or now and then one between the sizes of a menu; few folds, so that hands last."""
    bounds = rules.bounds(s)
    if isinstance(rules, NoLimit) and bounds and dice.random() < 0.15:
        low, high = bounds
        amount = dice.choice([low, high, dice.randint(low, high), min(high, low + dice.randint(0, 9))])
        return Move(ALL_IN if amount == high else RAISES if max(s.stakes) > s.opened else BETS, amount)
    return dice.choice([move for move in rules.moves(s) if move != FOLD or dice.random() < 0.2])


def play_there(there, move):
    if move.kind >= BETS:
        there.complete_bet_or_raise_to(move.amount)
    elif move == FOLD:
        there.fold()
    else:
        there.check_or_call()


def compare(pokerkit, make, hands, seed):
    """So many random hands, each by rules of its own; says how many were compared."""
    dice = random.Random(seed)
    random.seed(seed)  # pokerkit shuffles with it
    played = [play_hand(pokerkit, make(dice), dice) for _ in range(hands)]
    moves, showdowns = (sum(column) for column in zip(*played))
    print(f"{len(played):,} hands of {make.__name__} compared with pokerkit: {moves:,} moves, {showdowns:,} showdowns")
    assert len(played) == hands
    assert moves > 3 * hands
    assert showdowns > hands / 4


@pytest.mark.parametrize("make", [random_limit, random_nolimit])
def test_moves_and_payoffs_are_those_of_pokerkit(pokerkit, make):
    compare(pokerkit, make, 200, seed=0)


@pytest.mark.slow
@pytest.mark.parametrize("make", [random_limit, random_nolimit])
def test_moves_and_payoffs_of_ten_thousand_hands(pokerkit, make):
    compare(pokerkit, make, 10_000, seed=1)
