"""Best responses inside an abstraction, slow and obvious: deals one by one, and no matrices.

A deal is a likelihood and words: the rows of player 0 on streets 0 to 3, those of player 1, and who wins (0 if player 1
does, 1 for a tie, 2 if player 0 does). Nothing is asked of the package but the betting tree and the table entries of a
decision. What a player may know is told by the deals that are left: whenever a street begins they are split by the
player's new row, so this twin has no idea of which rows follow which.
"""

from collections import defaultdict
from itertools import combinations

SHOWDOWN, FOLD_BY_0 = -1, -2


def payoff(tree, node, words, player):
    """What a player gets at an end."""
    betting = tree.betting
    stake = betting.betting.dead / 2 + min(betting.stakes[node])
    if betting.kind[node] == SHOWDOWN:
        for_player_0 = stake * (words[8] - 1)
    else:
        for_player_0 = -stake if betting.kind[node] == FOLD_BY_0 else stake
    return for_player_0 if player == 0 else -for_player_0


def law(tree, strategy, node, words):
    """The probabilities of the moves of whoever moves."""
    mover, street = tree.betting.kind[node], tree.betting.street[node]
    return tree.infosets.at_node(strategy, node)[words[4 * mover + street]]


def value(tree, strategy, deals, player, node=0):
    """What a player gets when both follow the strategy, times the likelihood of the deals."""
    children = list(tree.betting.children(node)) if tree.betting.kind[node] >= 0 else []
    if not children:
        return sum(p * payoff(tree, node, words, player) for p, words in deals)
    total = 0.0
    for a, child in enumerate(children):
        total += value(tree, strategy, [(p * law(tree, strategy, node, w)[a], w) for p, w in deals], player, child)
    return total


def best(tree, strategy, deals, player, node=0, street=-1):
    """What a player gets by a best response, times the likelihood of the deals; they look alike to it so far."""
    betting = tree.betting
    if betting.kind[node] < 0:
        return sum(p * payoff(tree, node, words, player) for p, words in deals)
    if betting.street[node] > street:
        seen = defaultdict(list)
        for p, words in deals:
            seen[words[4 * player + betting.street[node]]].append((p, words))
        return sum(best(tree, strategy, alike, player, node, betting.street[node]) for alike in seen.values())
    moves = list(enumerate(betting.children(node)))
    if betting.kind[node] == player:
        return max(best(tree, strategy, deals, player, child, street) for _, child in moves)
    return sum(
        best(tree, strategy, [(p * law(tree, strategy, node, w)[a], w) for p, w in deals], player, child, street)
        for a, child in moves
    )


def strength(cards, suits):
    """The best five of some cards, as something that compares. A card is rank * suits + suit."""
    return max(strength_of_five(five, suits) for five in combinations(cards, 5))


def strength_of_five(five, suits):
    ranks = sorted((card // suits for card in five), reverse=True)
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    flush = len({card % suits for card in five}) == 1
    straight = len(groups) == 5 and ranks[0] - ranks[4] == 4
    shape = tuple(count for count, _ in groups)
    order = {(1,) * 5: 0, (2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}[shape]
    category = 8 if straight and flush else max(order, 5 if flush else 4 if straight else 0)
    return category, [rank for _, rank in groups]


def every_deal(tree):
    """All deals of a small deck by the cards themselves: rows by the bucketing, winners by the rules above."""
    rules = tree.fit.cards
    hands, found = defaultdict(list), []
    deck = range(rules.ranks * rules.suits)
    for mine in combinations(deck, 2):
        for other in combinations([c for c in deck if c not in mine], 2):
            left = [c for c in deck if c not in mine + other]
            found += [(mine, other, board) for board in boards(left, rules.deals)]
    for mine, _, board in found:
        for s in range(rules.streets):
            hands[s].append((*mine, *board[: rules.board(s)]))
    row = {}
    for s, listed in hands.items():
        row.update(zip(((s, hand) for hand in listed), tree.fit.rows_of(s, listed).tolist()))
    return [(1 / len(found), words_of(rules, row, *deal)) for deal in found]


def boards(left, counts):
    if not counts:
        yield ()
        return
    for cards in combinations(left, counts[0]):
        for rest in boards([c for c in left if c not in cards], counts[1:]):
            yield (*cards, *rest)


def words_of(rules, row, mine, other, board):
    words = [0] * 9
    for player, hand in enumerate((mine, other)):
        for s in range(rules.streets):
            words[4 * player + s] = row[s, (*hand, *board[: rules.board(s)])]
    strengths = [strength((*hand, *board), rules.suits) for hand in (mine, other)]
    words[8] = 1 + (strengths[0] > strengths[1]) - (strengths[0] < strengths[1])
    return tuple(words)
