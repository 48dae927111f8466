"""Spots and whole hold'em once more, slowly and obviously: what uniform play is worth, deal by deal.

Cards are text here, hands are sets of it, and the best five of all cards are found by looking at all. Only the betting
is taken from the package: `test_betting.py` compares that with trees of another program.
"""

import functools
import itertools
from collections import Counter
from typing import Any, NamedTuple

RANKS = "23456789TJQKA"


class Setting(NamedTuple):
    """A game by what is on the table."""

    deck: list[str]
    board: list[str]
    deals: tuple[int, ...]
    ranges: tuple[dict[frozenset[str], float], dict[frozenset[str], float]]
    betting: Any
    locks: dict[tuple[str, tuple[str, ...] | None], dict[frozenset[str], dict[str, float]]] = {}  # noqa: RUF012


def deck_of(ranks, suits):
    return [rank + suit for rank in RANKS[:ranks] for suit in "cdhs"[:suits]]


def every_hand(deck, weight=1.0):
    return {frozenset(pair): weight for pair in itertools.combinations(deck, 2)}


def hands(text):
    """`AhKh QdQc:0.5` as hands with weights."""
    found = {}
    for word in text.split():
        cards, _, weight = word.partition(":")
        found[frozenset((cards[:2], cards[2:]))] = float(weight or 1)
    return found


def five(cards):
    """How good five cards are, to be compared."""
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    counts = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    shape = [count for count, _ in counts]
    flush = len({card[1] for card in cards}) == 1
    straight = ranks[0] if len(set(ranks)) == 5 and ranks[0] - ranks[4] == 4 else None
    if ranks == [12, 3, 2, 1, 0]:
        straight = 3
    if straight is not None:
        return (8 if flush else 4), (straight,)
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
    kind = 5 if flush else kinds[tuple(shape)]
    return kind, tuple(rank for _, rank in counts)


@functools.cache
def best(cards):
    """How good the best five of a set of cards are."""
    return max(five(chosen) for chosen in itertools.combinations(sorted(cards), 5))


def uniform_value(setting):
    """What player 0 gains when everybody plays every move alike, where nothing is locked."""
    total = weights = 0.0
    for mine, w0 in setting.ranges[0].items():
        for theirs, w1 in setting.ranges[1].items():
            if not mine & theirs and not (mine | theirs) & set(setting.board) and w0 * w1 > 0:
                total += w0 * w1 * value(setting, (mine, theirs), (), setting.betting.root(), 0)
                weights += w0 * w1
    return total / weights


def value(setting, held, came, s, streets):
    """From a state on, when these cards have come in so many streets."""
    betting = setting.betting
    showdown = s.mover == -1 and s.folded == -1
    if streets < (len(setting.deals) if showdown else s.street - betting.root().street):
        left = [card for card in setting.deck if card not in {*setting.board, *came, *held[0], *held[1]}]
        sets = list(itertools.combinations(left, setting.deals[streets]))
        return sum(value(setting, held, (*came, *cards), s, streets + 1) for cards in sets) / len(sets)
    if s.mover == -1:
        if not showdown:
            return betting.payoffs(s)[0]
        mine, theirs = (best(frozenset((*hand, *setting.board, *came))) for hand in held)
        return betting.payoffs(s, -1 if mine == theirs else int(theirs > mine))[0]
    moves = betting.moves(s)
    locked = setting.locks.get((s.line, came), setting.locks.get((s.line, None)))
    law = locked[held[s.mover]] if locked else {move.text: 1 / len(moves) for move in moves}
    below = [(law.get(move.text, 0.0), move) for move in moves]
    return sum(p * value(setting, held, came, betting.play(s, move), streets) for p, move in below if p)
