"""Positions behind a gadget, written out as rule books: every deal is a history, and the gadget is a few more moves.

Nothing of street trees is in it: the rules of spots, state by state, are wrapped, and the sequence form evaluates them.
Positions are given twice, with the opponent's range as it is and with 1 for every hand of it.
"""

import functools
import itertools

import numpy as np

CHANCE, TERMINAL = -1, -2
FIVE = {"pot": 10, "stack": 15, "bet": "50%", "raise_": "a", "ranks": 5, "suits": 2}
SUITED = {"pot": 10, "stack": 15, "bet": "a", "raise_": "a", "ranks": 4, "suits": 4, "board": "2c 3c 4c 5c"}
POSITIONS = {  # parameters, the opponent, its range and the same with 1 everywhere
    "river": ({**FIVE, "board": "2c 3d 4c 5d 6c", "oop": "all,6d5c:0.25"}, 1, "all,3c2d:0.5,5c4d:0.125", "all"),
    "river, the opponent first": (
        {**FIVE, "board": "2c 3d 4c 5d 6c", "ip": "all,6d5c:0.25,4d2d:0.5"},
        0,
        "66,55,33:0.5,6d2d",
        "66,55,33,6d2d",
    ),
    "turn": (
        {**FIVE, "bet": "a", "board": "2c 3d 4c 5d", "ip": "all,66:0.5,4d3c:0.25"},
        0,
        "66,55:0.5,44,6c3c,5c3c:0.25,6d2d,4d2d",
        "66,55,44,6c3c,5c3c,6d2d,4d2d",
    ),
    "turn, locked": (
        {
            **{**FIVE, "bet": "a", "board": "2c 3d 4c 5d", "oop": "all,6c5c:0.5"},
            "lock": [
                {"line": "", "k": "66,55,6c3c,5c2d", "a15": "rest"},
                {"line": "kk/", "board": "6d", "k": 0.5, "a15": 0.5},
            ],
        },
        1,
        "66,55,44:0.5,6d3c,3c2d,6c2d",
        "66,55,44,6d3c,3c2d,6c2d",
    ),
    "turn of one suit": ({**SUITED, "ip": "44,33:0.5,5d3d,5h3h,5s3s"}, 0, "55,4d3d,4h3h,4s3s", "55,4d3d,4h3h,4s3s"),
}
KINDS = ("resolve", "maxmargin")
PAIRS = list(itertools.product(POSITIONS, KINDS))


class BehindGate:
    """A position behind a gadget. States: what has been decided at the gate, and a state of the position."""

    players = 2

    def __init__(self, game, opponent, kind, alternatives):
        self.game, self.opponent, self.kind, self.worth = game, opponent, kind, alternatives
        self.deals = {}  # by the opponent's hand: states after both hands, with their weights
        root = game.root()
        for first, chance in game.chances(root):
            after = game.step(root, first)
            for second, other in game.chances(after):
                hand = (first, second)[opponent]
                self.deals.setdefault(hand, []).append(((first, second), game.step(after, second), chance * other))
        assert set(self.deals) == set(alternatives)

    def root(self):
        return ("start", None, None)

    def player(self, s):
        stage, _, inside = s
        if stage == "start":
            return CHANCE if self.kind == "resolve" else self.opponent
        if stage in ("chosen", "gate"):
            return CHANCE if stage == "chosen" else self.opponent
        return TERMINAL if stage == "stop" else self.game.player(inside)

    def actions(self, s):
        if s[0] == "start":
            return tuple(self.deals)
        return ("stop", "follow") if s[0] == "gate" else self.game.actions(s[2])

    def chances(self, s):
        if s[0] == "start":
            return [(deal, p) for deals in self.deals.values() for deal, _, p in deals]
        if s[0] == "chosen":
            total = sum(p for _, _, p in self.deals[s[1]])
            return [(deal, p / total) for deal, _, p in self.deals[s[1]]]
        return self.game.chances(s[2])

    def step(self, s, a):
        stage, hand, inside = s
        if stage == "start" and self.kind != "resolve":
            return ("chosen", a, None)
        if stage in ("start", "chosen"):
            after = next(state for deal, state, _ in self.deals[a[self.opponent]] if deal == a)
            return ("gate" if stage == "start" else "play", a[self.opponent], after)
        return (a, hand, inside) if stage == "gate" else ("play", hand, self.game.step(inside, a))

    def infoset(self, s):
        if s[0] in ("start", "gate"):
            return "gate" if s[0] == "start" else f"{s[1]}:gate"
        return self.game.infoset(s[2])

    def payoff(self, s):
        sign = 1 if self.opponent == 0 else -1
        if s[0] == "stop":
            return (sign * self.worth[s[1]], -sign * self.worth[s[1]])
        less = sign * self.worth[s[1]] if self.kind != "resolve" else 0.0
        first, second = self.game.payoff(s[2])
        return (first - less, second + less)


def position(name):
    """The tree of a position, and the rules of the same with the opponent's range 1 for every hand."""
    import mccfr

    parameters, opponent, own, ones = POSITIONS[name]
    seat = ("oop", "ip")[opponent]
    return mccfr.compile(mccfr.spot(**{**parameters, seat: own})), mccfr.spot(**{**parameters, seat: ones})


def alternatives_of(tree, opponent, seed):
    """Chips for each of the opponent's hands, in the tree's order and by name; alike where the tree exchanges hands."""
    from mccfr.cards.ranges import deck_of

    members = tree.boards.members[opponent]
    drawn = np.random.default_rng(seed).normal(scale=3, size=len(members))[tree.boards.leaders(opponent)]
    deck = deck_of(tree.rules.ranks, tree.rules.suits)
    return drawn, {deck.hand_name(int(hand)): float(x) for hand, x in zip(members, drawn)}


@functools.cache
def pair(name, kind, seed=1):
    """The gated street tree, and the same game written out."""
    return make_pair(name, kind, seed)


def make_pair(name, kind, seed):
    import mccfr
    from mccfr.tree.compile import compile_tree
    from mccfr.tree.street_gates import gated

    tree, rules = position(name)
    opponent = POSITIONS[name][1]
    drawn, named = alternatives_of(tree, opponent, seed)
    return gated(tree, opponent, kind, drawn), compile_tree(BehindGate(rules, opponent, kind, named)), mccfr


def same_profile(street, written, seed):
    """A random strategy of both; hands that the tree exchanges play alike, and are chosen as often."""
    dice = np.random.default_rng(seed)
    profile = dice.exponential(size=street.infosets.entries) * (dice.random(street.infosets.entries) < 0.8)
    profile = as_played(street, street.infosets.normalised(profile)[0])
    theirs = []
    for j, label in enumerate(written.infosets.labels):
        here = street.infosets.find(label, written.infosets.owner(j))
        row = dict(zip(street.infosets.actions(here), profile[street.infosets.entry(here) :]))
        theirs += [row[action] for action in written.infosets.actions(j)]
    return profile, np.array(theirs)


def as_played(street, profile):
    """Rows of hands that follow another become those of the other; hands that are chosen share their probabilities."""
    infosets, boards, profile = street.infosets, street.boards.boards, profile.copy()
    for j in range(len(infosets)):
        player, board, node, hand = infosets.place(j)
        if node < 0 and infosets.gate.chooses:
            alike, span = street.boards.leaders(player), infosets.gate.span
            profile[span] = (np.bincount(alike, profile[span]) / np.maximum(np.bincount(alike), 1))[alike]
            continue
        leader = int(boards.hands[6 * (int(boards.start[2 * board + player]) + hand) + 5])
        if leader != hand:
            to, arity = infosets.entry(j), len(infosets.actions(j))
            at = infosets.entry(j - hand + leader)
            profile[to : to + arity] = profile[at : at + arity]
    return profile
