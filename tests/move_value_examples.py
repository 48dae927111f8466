"""What moves are worth, slowly and obviously: one hand, one board and one line at a time, from the rules of chance."""

import itertools

from mccfr.betting.lines import NOBODY, OVER
from mccfr.playing.played_hand import better_hand
from mccfr.playing.policy_agent import PolicyAgent
from mccfr.playing.seen import Seen

LIMIT = "holdem(betting=limit(cap=1, bets=2), buckets=exact, ranks=4, suits=2, board=3)"
NO_LIMIT = "holdem(betting=nolimit(stack=8, bet='100%', cap=2, streets=2), buckets=exact, ranks=4, suits=2, board=3)"


def value(seen, move, own, other):
    """Chips that the player wins from here on, on average over hands of the other, boards and later moves."""
    table, cards = seen.table, range(seen.table.ranks * seen.table.suits)
    rest = [card for card in cards if card not in (*seen.hole, *seen.board)]
    total = weight = 0.0
    for hand in itertools.combinations(rest, 2):
        reach = probability(other, seen, hand)
        left = [card for card in rest if card not in hand]
        boards = [(*seen.board, *more) for more in itertools.combinations(left, sum(table.deals) - len(seen.board))]
        for board in boards:
            holes = (seen.hole, hand) if seen.seat == 0 else (hand, seen.hole)
            policies = (own, other) if seen.seat == 0 else (other, own)
            s = table.play(seen.state, move)
            won = on_average(table, s, (*seen.moves, move), holes, board, policies)[seen.seat]
            total += reach * (won + seen.state.stakes[seen.seat])
            weight += reach
    return total / weight


def probability(policy, seen, hand):
    """P(moves that the other player has made | its hand)."""
    agent, p, s = PolicyAgent(policy), 1.0, seen.table.start
    for number, move in enumerate(seen.moves):
        if s.mover != seen.seat:
            board = seen.board[: seen.table.board_size(s.street)]
            p *= agent.odds(Seen(seen.table, s.mover, hand, board, s, seen.moves[:number])).get(move, 0.0)
        s = seen.table.play(s, move)
    return p


def on_average(table, s, moves, holes, board, policies):
    """What both win, over all later moves."""
    if s.mover == OVER:
        return table.betting.payoffs(s, NOBODY if s.folded != NOBODY else better_hand(table, holes, board))
    seen = Seen(table, s.mover, holes[s.mover], board[: table.board_size(s.street)], s, moves)
    found = [0.0, 0.0]
    for move, p in PolicyAgent(policies[s.mover]).odds(seen).items():
        won = on_average(table, table.play(s, move), (*moves, move), holes, board, policies)
        found = [found[0] + p * won[0], found[1] + p * won[1]]
    return found
