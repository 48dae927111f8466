"""Random hands at random tables."""

import random

from mccfr.betting.structures import Limit, NoLimit
from mccfr.playing.agents import make_agent
from mccfr.playing.played_hand import deal_cards, play_hand
from mccfr.playing.table import Table


def random_table(dice, limit):
    """Limit or no-limit with any blinds, antes, bets and stacks. Never equal blinds: pokerkit knows no dealer."""
    small = dice.randint(1, 9)
    big, ante = dice.choice([small + 1, 2 * small, 3 * small]), dice.choice([0, 0, 0, 1, 2, 7])
    blinds = f"{small} {big}"
    if limit:
        bet = dice.randint(1, 20)
        cap = dice.choice(["3 4", "3 4", "4", "2 3"])
        return Table(Limit(bets=f"{bet} {bet} {dice.randint(1, 40)}", blinds=blinds, ante=ante, cap=cap))
    stack = ante + big + dice.choice([0, dice.randint(1, 9), dice.randint(1, 40), dice.randint(1, 900)])
    return Table(NoLimit(stack=stack, blinds=blinds, ante=ante, bet="a"))


def callers_board(table, dice):
    """Cards with which both seats tie: a royal flush on the board."""
    royal = [table.deck.card(name) for name in ("As", "Ks", "Qs", "Js", "Ts")]
    rest = dice.sample([card for card in range(52) if card not in royal], 4)
    return (*rest, *royal)


def random_hands(seed, count, limit, tables=50):
    """Hands of random moves; one in twenty is a tie if it comes to a showdown."""
    dice, hands = random.Random(seed), []
    for number in range(count):
        if number % max(1, count // tables) == 0:
            table = random_table(dice, limit)
            players = make_agent("random", table), make_agent(dice.choice(["random", "always_call"]), table)
        cards = callers_board(table, dice) if number % 20 == 0 else deal_cards(table, dice)
        hands.append(play_hand(table, dice.sample(players, 2), cards, (dice, dice), number))
    return hands
