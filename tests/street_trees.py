"""Small games that street trees lay out, and strategies that all forms of a game share.

Exchanges of suits are found here from text alone: every permutation is tried on the board and on both ranges. What is
drawn for an infoset depends only on its label up to such an exchange, so a street tree and the dealt form of the same
game can be given the same strategy without anything of either. The package is imported where it is used: programs that
look for planted bugs import it many times.
"""

import functools
import itertools
import re

import numpy as np
from street_examples import SPOTS, TEN

SUITS = "cdhs"
DEAL = re.compile(r"/([^/:]*):")
SHORT = {**TEN, "ranks": 3, "suits": 4, "oop": "all", "ip": "all", "bet": "50%", "raise_": "a"}
SUITED = {**SHORT, "ranks": 4, "board": "2c 3c 4c 5c", "oop": "55,4d3d,4h3h,4s3s", "ip": "44,33:0.5,5d3d,5h3h,5s3s"}
ALIKE = {  # exchanges of suits leave these as they are
    "turn of two suits": {**TEN, "board": "2c 3d 4c 5d", "oop": "all", "ip": "all"},
    "turn of one suit": SUITED,
    "turn of one suit, two of the others alike": {**SUITED, "ip": "55,4d3d,4d2d:0.5"},
    "turn of one suit, locked by suit": {**SUITED, "lock": {"line": "", "k": "5h5d,4d3d", "b5": "rest"}},
    "flop of two suits": {**SHORT, "board": "2c 3c 4d", "oop": "44,4s3s,4h3h", "ip": "44,33:0.5,3s2s,3h2h", "bet": "a"},
    "flop with a pair": {**SHORT, "suits": 3, "board": "2c 2d 3h"},
    "flop with a pair, locked": {
        **SHORT,
        "suits": 3,
        "board": "2c 2d 3h",
        "lock": {"line": "k", "k": 0.25, "b5": 0.75},
    },
}
ALIKE["flop, locked after certain cards"] = {
    **{**SHORT, "suits": 3, "board": "2c 3d 4h", "ip": "33,44,2d2h", "bet": "a"},
    "lock": [{"line": "kk/kk/", "board": "2d 3h", "k": 0.125, "a20": 0.875}],
}
WHOLE = {
    "no-limit, one card a street": "holdem(nolimit(stack=6, bet='100%', raise_='a'), ranks=4, suits=2, board='1 1 1')",
    "no-limit, a flop of two": "holdem(nolimit(stack=6, bet='100%', raise_='a'), ranks=4, suits=2, board='1 2')",
    "no-limit, three suits": "holdem(nolimit(stack=6, bet='100%', raise_='a'), ranks=3, suits=3, board='1 2')",
    "limit": "holdem(limit(cap='1 2', bets='2 4'), ranks=4, suits=2, board=3)",
}


@functools.cache
def street_game(name):
    """A game by its name here or in `street_examples`."""
    import mccfr

    if name in WHOLE:
        return mccfr.game(WHOLE[name])
    return mccfr.spot(**(ALIKE[name] if name in ALIKE else SPOTS[name][0]))


@functools.cache
def street_tree(name):
    import mccfr

    return mccfr.compile(street_game(name))


@functools.cache
def written_tree(name):
    from mccfr.tree.compile import compile_tree

    return compile_tree(street_game(name))


# ---- exchanges of suits


def exchanges(game):
    """The permutations of suits that leave the board, both ranges and all locks as they are."""
    from mccfr.cards.ranges import deck_of

    streets = game.streets()
    deck = deck_of(streets.ranks, streets.suits)
    names = [frozenset(pairs_of(deck.hand_name(hand))) for hand in range(deck.hands)]
    held = [dict(zip(names, weights.tolist())) for weights in streets.ranges]
    board = {deck.card_name(card) for card in streets.board}
    locks = [dict(zip(names, map(tuple, lock.strategy.tolist()))) for lock in streets.locks]
    found = []
    for suits in itertools.permutations(SUITS[: streets.suits]):
        turn = dict(zip(SUITS, suits))
        if {turned(card, turn) for card in board} == board and all(
            law[hand] == law[frozenset(turned(card, turn) for card in hand)] for law in (*held, *locks) for hand in law
        ):
            found.append(turn)
    assert all(lock.cards is None for lock in streets.locks) or len(found) == 1, "a lock for certain cards"
    return found


def turned(card, turn):
    return card[0] + turn[card[1]]


def pairs_of(text):
    """`AsKh` as cards."""
    return [text[j : j + 2] for j in range(0, len(text), 2)]


def canonical(label, turns):
    """The least of all labels that exchanges make of one, cards of a street in any order."""
    hand, _, line = label.partition(":")
    cards = [pairs_of(hand), *(pairs_of(text) for text in DEAL.findall(line))]
    moves = tuple(DEAL.split(line)[::2])
    return min(tuple(tuple(sorted(turned(card, turn) for card in street)) for street in cards) for turn in turns), moves


# ---- strategies


class Rows:
    """A row for every infoset up to exchanges of suits, drawn when it is first asked for. One in four is pure."""

    def __init__(self, game, seed):
        self.turns, self.dice, self.known = exchanges(game), np.random.default_rng(seed), {}

    def row(self, label, arity):
        key = canonical(label, self.turns)
        if key not in self.known:
            row = self.dice.exponential(size=arity)
            row = np.eye(arity)[self.dice.integers(arity)] if self.dice.random() < 0.25 else row / row.sum()
            self.known[key] = row
        return self.known[key]

    def profile(self, tree):
        infosets = tree.infosets
        return np.concatenate([self.row(label, len(infosets.actions(j))) for j, label in enumerate(infosets.labels)])


@functools.cache
def drawn(name):
    """The same drawn strategy of a street tree and of its dealt form."""
    rows, tree = Rows(street_game(name), 1), street_tree(name)
    return rows.profile(tree), rows.profile(tree.laid_out)


@functools.cache
def places(name):
    """For every table entry of the dealt form the one of the street tree: every label there is looked up here."""
    street, infosets, found = street_tree(name).infosets, street_tree(name).laid_out.infosets, []
    for j, label in enumerate(infosets.labels):
        here = street.find(label, infosets.owner(j))
        assert street.actions(here) == infosets.actions(j)
        found.append(street.entry(here) + np.arange(len(infosets.actions(j))))
    return np.concatenate(found)


def strategy_of(tree, probabilities):
    from mccfr.strategy.strategy import Origin, Strategy

    return Strategy(tree.infosets, probabilities, Origin(tree.game, "drawn"), tree=tree)


def measured(tree, probabilities, workers=0):
    """Expected value and both best response values."""
    from mccfr.evaluate.exact import evaluator_for

    judge = evaluator_for(tree, workers)
    value = judge.value(probabilities)
    judge.load(probabilities)
    return np.array([value, judge.best_response(0), judge.best_response(1)])
