"""Strategies with buckets in the real game, measured again without anything of `mccfr.evaluate.real_game`.

The twin gives every infoset of the dealt form of the game with every card, found by its label, the probabilities of its
row, which is found by the cards in the same label. The package is imported where it is used: programs that look for
planted bugs import it many times.
"""

import dataclasses
import functools
import itertools
from typing import ClassVar

import numpy as np
import street_trees

LIMIT = "limit(cap=1, bets='2 3', blinds='1 2')"
GAMES = {
    "one card a street": ("limit(cap='1 0 0 1', bets=2)", {"ranks": 4, "suits": 2, "board": "1 1 1"}),
    "two cards, then one": ("limit(cap='1 0 1', bets=2)", {"ranks": 3, "suits": 3, "board": "2 1"}),
    "one street more": (LIMIT, {"ranks": 4, "suits": 2, "board": "3"}),
    "all-in before the flop": ("nolimit(stack=5, bet='a', raise_='a')", {"ranks": 3, "suits": 3, "board": "1 2"}),
}
LARGER = {"three chunks of hands": ("limit(cap='0 1', bets=2)", {"ranks": 4, "suits": 3, "board": "3"})}


def hands_alike():
    """A bucketing whose rows depend on the street, on which card came last, and on suits that agree."""
    from mccfr.buckets.bucketing import Bucketing

    @dataclasses.dataclass(frozen=True)
    class HandsAlike(Bucketing):
        name: ClassVar[str] = "hands_alike"
        remembers_order: ClassVar[bool] = True

        def rows(self, cards):
            return (3, 12, 24, 36)[: cards.streets]

        def assign(self, fit, street, hands):
            return np.array([row_of(fit.cards, street, [int(card) for card in hand]) for hand in hands])

    return HandsAlike()


def row_of(cards, street, hand):
    """Plainly: a pair, suited or neither; then what the first and the last cards of the board are beside the hand."""
    rank, suit = [card // cards.suits for card in hand], [card % cards.suits for card in hand]
    if not street:
        return 2 if rank[0] == rank[1] else int(suit[0] == suit[1])
    first, last = 2 + cards.deals[0], 2 + cards.board(street - 1)
    high, newest = max(rank[:2]), max(rank[last:])
    seen = 0 if newest < high else 1 if newest == high else 2
    seen += 3 * bool(set(rank[2:first]) & set(rank[:2])) + 6 * bool(set(suit[last:]) & set(suit[:2]))
    return seen + 12 * (street - 1)


def bucket_tree(name, buckets=None):
    """A game with buckets as a tree."""
    import mccfr
    from mccfr.games.holdem import Holdem

    betting, deck = {**GAMES, **LARGER}[name]
    call = mccfr.game(f"holdem({betting}, ranks={deck['ranks']}, suits={deck['suits']}, board='{deck['board']}')")
    return mccfr.compile(Holdem(call.betting, buckets or hands_alike(), **deck))


def random_strategy(tree, seed=1):
    """Rows drawn at random; a third of the moves are never made."""
    dice, entries = np.random.default_rng(seed), tree.infosets.entries
    weights = dice.exponential(size=entries) * (dice.random(entries) < 2 / 3)
    return street_trees.strategy_of(tree, tree.infosets.normalised(weights)[0])


def real_form(tree):
    """The game with every card as a dealt game."""
    import mccfr

    return mccfr.compile(dataclasses.replace(tree.given, buckets=None)).laid_out


def real_profile(strategy, dealt):
    """What every infoset of the dealt form plays: the row of the cards in its label."""
    from mccfr.cards.ranges import deck_of

    infosets, rules = strategy.infosets, strategy.tree.fit.cards
    deck = deck_of(rules.ranks, rules.suits)

    @functools.cache
    def decision(line):
        """The betting node of a line without cards."""
        return infosets.betting.find(line)

    @functools.cache
    def row(hand, *dealt):
        cards = [deck.card(card) for text in (hand, *dealt) for card in street_trees.pairs_of(text)]
        return int(strategy.tree.fit.rows_of(len(dealt), [cards])[0])

    found = []
    for j, label in enumerate(dealt.infosets.labels):
        hand, _, line = label.partition(":")
        moves, boards = "/".join(street_trees.DEAL.split(line)[::2]), street_trees.DEAL.findall(line)
        here = infosets.number(decision(moves), row(hand, *boards))
        assert infosets.actions(here) == dealt.infosets.actions(j)
        begin = infosets.entry(here)
        found.append(strategy.probabilities[begin : begin + len(infosets.actions(here))])
    return np.concatenate(found)


@functools.cache
def expected(name, buckets=None):
    """The best responses to the drawn strategy, by the dealt form; worked out once, before anything is planted."""
    tree = bucket_tree(name, buckets)
    dealt = real_form(tree)
    return street_trees.measured(dealt, real_profile(random_strategy(tree), dealt))[1:]


# ---- a sample of flops, plainly


def preflop_value(laid, values, player, node=0, choices=None):
    """[hands] What a player gets from a node on, choosing the best, or as given."""
    from mccfr.kernel.street_layout import CHILD, NODE_WORDS

    if laid.kind[node] > 1:
        return values[node]
    first = int(laid.lines.nodes[node * int(NODE_WORDS) + int(CHILD)])
    below = [preflop_value(laid, values, player, first + a, choices) for a in range(int(laid.arity[node]))]
    if laid.kind[node] != player:
        return sum(below)
    if choices is not None:
        return np.array([below[a][h] for h, a in enumerate(choices[node])])
    return np.maximum.reduce(below)


def every_pure_choice_value(laid, values, player):
    """What the best of all pure ways to play every hand before the flop gets, by trying all."""
    nodes = [node for node in range(len(values)) if laid.kind[node] == player]
    best = np.full(values.shape[1], -np.inf)
    for moves in itertools.product(*(range(int(laid.arity[node])) for node in nodes)):
        choices = {node: np.full(values.shape[1], move) for node, move in zip(nodes, moves)}
        best = np.maximum(best, preflop_value(laid, values, player, 0, choices))
    return best


def flop_values(strategy):
    """The flops of a game: trees, and what is known of each kind."""
    from mccfr.evaluate import real_flops, real_game
    from mccfr.tree.flop_trees import FlopTrees

    buckets = real_game.seen_through_buckets(strategy)
    trees = FlopTrees(real_game.without_buckets(buckets))
    kinds = list(range(len(trees.copies)))
    source = real_flops.SweptFlops(strategy, buckets, trees, 1)
    return trees, np.concatenate([values for _, values in source.values(kinds)])


def add_up(laid, values):
    """[nodes, hands] What lines are worth by all flops together; folds are worth the same with each."""
    total = values[0].copy()
    deals = laid.kind[: len(total)] == 4
    total[deals] = values[:, deals].sum(axis=0)
    return total


def sampled(strategy, seed, flops):
    """The estimate from a sample, worked out again: halves, copies, choices, mean and interval."""
    from mccfr.evaluate import real_flops

    trees, seen = flop_values(strategy)
    copies, laid = trees.copies, trees.plan.laid
    drawn = real_flops.draw_flops(copies, flops, np.random.default_rng(seed))
    deals = laid.kind[: seen.shape[2]] == 4
    got = [[weighted(seen[kind, player], deals, copies, kind) for kind in drawn] for player in (0, 1)]
    return np.transpose([by_halves(laid, got[player], player) for player in (0, 1)])


def by_halves(laid, values, player):
    """What each flop gives to the choices that are best in the other half of the flops."""
    middle, found = len(values) // 2, []
    for j, mine in enumerate(values):
        others = values[middle:] if j < middle else values[:middle]
        choices = best_choices(laid, sum(others) / len(others), player)
        found.append(preflop_value(laid, mine, player, 0, choices).sum())
    return found


def weighted(values, deals, copies, kind):
    return np.where(deals[:, None], values * copies.sum() / copies[kind], values)


def best_choices(laid, values, player):
    """By node, the move of every hand that is best from there on."""
    from mccfr.kernel.street_layout import CHILD, NODE_WORDS

    found = {}
    for node in range(len(values)):
        if laid.kind[node] == player:
            first = int(laid.lines.nodes[node * int(NODE_WORDS) + int(CHILD)])
            below = [preflop_value(laid, values, player, first + a) for a in range(int(laid.arity[node]))]
            found[node] = np.argmax(below, axis=0)
    return found
