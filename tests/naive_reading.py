"""What a view of a node must show, slowly and obviously: every history of a small game, one by one."""

import collections
import itertools

from naive_spots import best

MOVES = "fkcbra"


class Seen:
    """One history that comes to a node: how likely chance and each player make it, and what it is worth."""

    def __init__(self, state, chance, own, value, equity):
        self.state, self.chance, self.own, self.value, self.equity = state, chance, own, value, equity


def histories(game, strategy):
    """By line, every history that comes there."""
    found = collections.defaultdict(list)
    _go(game, strategy, game.root(), "", 1.0, (1.0, 1.0), found)
    return found


def _go(game, strategy, s, line, chance, own, found):
    """What player 0 gets on average from a state on."""
    player = game.player(s)
    if player == -2:
        value = game.payoff(s)[0]
    else:
        law = game.chances(s) if player == -1 else list(strategy[game.infoset(s)].items())
        value = 0.0
        for action, p in law:
            t = game.step(s, action)
            if len(s.hands) < 2 or t.cards != s.cards:
                text = line if len(s.hands) < 2 else f"{line}/{action}:"
                value += p * _go(game, strategy, t, text, chance * p, own, found)
            else:
                mover = s.betting.mover
                mine = tuple(x * p if j == mover else x for j, x in enumerate(own))
                value += p * _go(game, strategy, t, line + action, chance, mine, found)
    if len(s.hands) == 2:
        found[line].append(Seen(s, chance, own, value, _equity(game, s)))
    return value


def _equity(game, s):
    """Player 0's share of the pot over all boards that can follow."""
    streets, deck = game.streets(), game._deals.deck
    cards = [{deck.card_name(c) for c in deck.hand_cards[hand].tolist()} for hand in s.hands]
    board = {deck.card_name(c) for c in (*streets.board, *s.cards)}
    left = [name for c in range(deck.cards) if (name := deck.card_name(c)) not in board | cards[0] | cards[1]]
    missing = sum(streets.deals) - len(s.cards)
    shares = []
    for more in itertools.combinations(left, missing):
        mine, theirs = (best(frozenset(board | hand | set(more))) for hand in cards)
        shares.append(1.0 if mine > theirs else 0.5 if mine == theirs else 0.0)
    return sum(shares) / len(shares)


def expected(game, seen, player, hand):
    """Reach, weight, EV and equity of a hand at a node with these histories; EV and equity None if it meets no hand."""
    streets = game.streets()
    mine = [one for one in seen if one.state.hands[player] == hand]
    if not mine:
        return None
    against = [one.chance * one.own[1 - player] for one in mine]
    reach = streets.ranges[player][hand] * mine[0].own[player]
    total = sum(against)
    if total <= 1e-13:
        return reach, 0.0, None, None
    sign = 1 if player == 0 else -1
    stakes = streets.betting.dead / 2 + mine[0].state.betting.stakes[player]
    ev = sum(w * sign * one.value for w, one in zip(against, mine)) / total + stakes
    share = sum(w * (one.equity if player == 0 else 1 - one.equity) for w, one in zip(against, mine)) / total
    return reach, total * mine[0].own[player], ev, share
