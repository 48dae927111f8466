"""Walks of hold'em through buckets, again in plain Python: a pack of cards, lines of betting, tables as dictionaries.

The twin draws cards out of a list, plays on by the rules of betting without any tree, finds the better hand by looking
at all sets of five cards, and knows a decision by who moves, its line and what the player sees. What it has in common
with the package are the stream of random numbers and the betting rules, both tested elsewhere. The package is imported
where it is used: programs that look for planted bugs import it many times.
"""

import itertools
import re
from collections import Counter, defaultdict
from typing import NamedTuple

import numpy as np
from naive_spots import best, deck_of
from real_examples import hands_alike, row_of

MASK, OVER, NOBODY = 2**64 - 1, -1, -1
NO_LIMIT = "nolimit(stack=6, bet='100%', raise_='a')"


class Example(NamedTuple):
    """A game: its betting, its buckets and its deck."""

    betting: str
    buckets: str
    ranks: int
    suits: int
    board: str


EXAMPLES = {
    "exact": Example("limit(cap=1, bets='2 4')", "exact", 3, 3, "3"),
    "exact, order of the board": Example("limit(cap='1 0 1 1', bets=2)", "exact", 4, 2, "1 1 1"),
    "exact, all-ins": Example(NO_LIMIT, "exact", 4, 2, "1 2"),
    "percentiles": Example("limit(cap='0 1 1 1', bets='2 2 4')", "ehs2('3 2')", 4, 2, "1 1 1"),
    "rows by hand": Example(NO_LIMIT, "alike", 4, 2, "2 1"),
    "forgetful rows by hand": Example("limit(cap='1 1', bets=2)", "forgetful", 4, 2, "2 1"),
    "forgetful": Example("limit(cap='1 1', bets='2 4')", "lin", 4, 3, "3 1"),
}
METHODS = {
    "external": {},
    "outcome": {"epsilon": 0.6},
    "external+static(call)": {"baseline": "call"},
    "outcome+static(call)": {"epsilon": 0.6, "baseline": "call"},
    "outcome+infoset": {"epsilon": 0.6, "baseline": "infoset"},
}


def compiled(name):
    """An example as a tree."""
    import mccfr
    from mccfr.games.holdem import Holdem

    e = EXAMPLES[name]
    betting = mccfr.game(f"holdem({e.betting}, ranks={e.ranks}, suits={e.suits}, board='{e.board}')").betting
    own = {"alike": hands_alike, "forgetful": forgetful_alike}
    buckets = own[e.buckets]() if e.buckets in own else e.buckets
    return mccfr.compile(Holdem(betting, buckets, e.ranks, e.suits, e.board))


def forgetful_alike():
    """The same rows for somebody who forgets how earlier streets were bet."""
    kind = type(hands_alike())
    return type(kind.__name__, (kind,), {"shares_lines": True})()


class PlainDice:
    """xoshiro256** in whole numbers of Python."""

    def __init__(self, state):
        self.state = [int(word) for word in state]

    def bits(self):
        s = self.state
        out = _rotated(s[1] * 5 & MASK, 7) * 9 & MASK
        t = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = _rotated(s[3], 45)
        return out

    def below(self, k):
        return (self.bits() >> 32) * k >> 32

    def choose(self, law):
        """A place in a law, and its probability."""
        u, total = (self.bits() >> 11) / 2**53, 0.0
        for a, q in enumerate(law):
            total += q
            if u < total or a == len(law) - 1:
                return a, q
        raise AssertionError


def _rotated(x, k):
    return (x << k | x >> (64 - k)) & MASK


class Deal(NamedTuple):
    """Cards by number: two hands, and what came before each later street."""

    hands: tuple
    dealt: tuple

    def seen(self, player, street):
        """A player's cards on a street: hole cards, then the board as it came."""
        return (self.hands[player], *self.dealt[:street])


class Twin:
    """Walks of one method, with tables as dictionaries."""

    def __init__(self, tree, dice, epsilon=None, baseline=None, precision=np.float64):
        self.betting, self.fit, self.cards = tree.given.betting, tree.fit, tree.fit.cards
        self.dice, self.epsilon, self.baseline, self.precision = PlainDice(dice), epsilon, baseline, precision
        self.names = deck_of(self.cards.ranks, self.cards.suits)
        self.regret, self.average = {}, {}
        self.learned, self.visits = defaultdict(float), defaultdict(int)
        self.labels = defaultdict(set)  # with real cards, of every decision met
        self.rows = {}

    # ---- cards

    def deal(self):
        """Card after card out of a pack in order."""
        pack = list(range(len(self.names)))
        drawn = [pack.pop(self.dice.below(len(pack))) for _ in range(4 + sum(self.cards.deals))]
        ends = itertools.accumulate((4, *self.cards.deals))
        dealt = tuple(tuple(drawn[a:b]) for a, b in itertools.pairwise(ends))
        return Deal((tuple(drawn[:2]), tuple(drawn[2:4])), dealt)

    def row(self, seen):
        """What a player sees, as somebody does who sees through these buckets."""
        if seen not in self.rows:
            self.rows[seen] = self._row(seen)
        return self.rows[seen]

    def _row(self, seen):
        name, flat = self.fit.bucketing.name, [card for cards in seen for card in cards]
        if name == "exact":
            return alike(seen, self.cards.suits)
        if name == "hands_alike":
            return row_of(self.cards, len(seen) - 1, flat)
        return int(self.fit.rows_of(len(seen) - 1, [flat])[0])

    def result(self, deal):
        """1 if player 0 has the better hand, -1 if player 1 has, 0 for a tie."""
        board = [card for cards in deal.dealt for card in cards]
        mine, other = (best(frozenset(self.names[card] for card in (*hand, *board))) for hand in deal.hands)
        return (mine > other) - (mine < other)

    # ---- betting

    def pays(self, s, deal):
        """What an end pays player 0: the smaller stake changes hands."""
        sign = self.result(deal) if s.folded == NOBODY else -1 if s.folded == 0 else 1
        return sign * (self.betting.dead / 2 + min(s.stakes))

    def called_down(self, s, deal):
        """What player 0 gets if both check and call from here on."""
        while s.mover != OVER:
            s = self.betting.play(s, next(move for move in self.betting.moves(s) if move.text in "kc"))
        return self.pays(s, deal)

    def decision(self, s, deal):
        """How a player knows a decision; its label with real cards is kept."""
        seen = deal.seen(s.mover, s.street)
        line = without_streets(self.betting, s) if self.fit.bucketing.shares_lines else s.line
        key = s.mover, s.street, line, self.row(seen)
        self.labels[key].add(self.label(s, seen))
        return key

    def label(self, s, seen):
        hand, *dealt = ("".join(self.names[card] for card in cards) for cards in seen)
        first, *later = s.line.split("/")
        return f"{hand}:{first}" + "".join(f"/{cards}:{moves}" for cards, moves in zip(dealt, later))

    # ---- walks

    def iterate(self, n):
        """Iterations: the cards of player 0's walk are those of player 1's."""
        for _ in range(n):
            deal = self.deal()
            for i in (0, 1):
                self.walk(i, self.betting.root(), deal, 1.0)
        return self

    def walk(self, i, s, deal, w):
        if s.mover == OVER:
            return self.pays(s, deal) * (1 if i == 0 else -1)
        after = [self.betting.play(s, move) for move in self.betting.moves(s)]
        key = self.decision(s, deal)
        regret = self.regret.setdefault(key, [0.0] * len(after))
        average = self.average.setdefault(key, [0.0] * len(after))
        p = matched(regret)
        if s.mover != i:
            average[:] = [old + w * chance for old, chance in zip(average, p)]
            a, _ = self.dice.choose(p)
            y = self.walk(i, after[a], deal, w)
            guesses = [self.guess(i, x, deal) for x in after]
            self.learn(i, after[a], deal, y)
            return added(chance * b for chance, b in zip(p, guesses)) + (y - guesses[a])
        values = self.own_values(i, after, deal, w, p)
        value = added(chance * v for chance, v in zip(p, values))
        regret[:] = [float(self.precision(old + w * (v - value))) for old, v in zip(regret, values)]
        return value

    def own_values(self, i, after, deal, w, p):
        """What the walker takes its moves to be worth, after visiting all of them or one."""
        if self.epsilon is None:
            chosen = [(a, 1.0) for a in range(len(after))]
        else:
            chosen = [self.dice.choose([self.epsilon / len(p) + (1 - self.epsilon) * x for x in p])]
        seen = {}
        for a, q in chosen:
            y = self.walk(i, after[a], deal, w / q)
            b = self.guess(i, after[a], deal)
            seen[a] = b + (y - b) / q
            self.learn(i, after[a], deal, y)
        return [seen[a] if a in seen else self.guess(i, x, deal) for a, x in enumerate(after)]

    # ---- baselines

    def guess(self, i, s, deal):
        if self.baseline == "call":
            return self.called_down(s, deal) * (1 if i == 0 else -1)
        return self.learned[self.edge(i, s, deal)] if self.baseline == "infoset" else 0.0

    def learn(self, i, s, deal, y):
        if self.baseline == "infoset":
            edge = self.edge(i, s, deal)
            self.visits[edge] += 1
            self.learned[edge] += (y - self.learned[edge]) / self.visits[edge]

    def edge(self, i, s, deal):
        return i, s.line, self.row(deal.seen(i, s.street))


def alike(seen, suits):
    """The same for hands that differ by an exchange of suits: the least of all exchanges."""
    return min(
        tuple(tuple(sorted((card // suits, change[card % suits]) for card in cards)) for cards in seen)
        for change in itertools.permutations(range(suits))
    )


def matched(regret):
    """Regret matching."""
    positive = [max(r, 0.0) for r in regret]
    total = added(positive)
    return [r * (1 / total) for r in positive] if total > 0 else [1 / len(regret)] * len(regret)


def added(numbers):
    """A sum from left to right; `sum` would round more cleverly than the walk does."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def without_streets(betting, s):
    """What somebody knows of a line who forgets earlier streets but for who raised on how many of them."""
    raised, at, now, by = [0, 0], betting.root(), [], set()
    for text in re.findall(r"[fkc]|[bra]\d+", s.line):
        offered = [move.text for move in betting.moves(at)]
        sized = [move for move in offered if move[0] in "bra"]
        now.append((text[0], sized.index(text) if text in sized else None))
        by |= {at.mover} if text in sized else set()
        street, at = at.street, betting.play(at, betting.moves(at)[offered.index(text)])
        if at.street > street:
            raised = [count + (player in by) for player, count in enumerate(raised)]
            now, by = [], set()
    return tuple(now), raised[s.mover], raised[1 - s.mover], tuple(move.kind for move in betting.moves(s))


# ---- comparing


def differences(tree, method="external", n=30, seed=1):
    """What of the walk is not as the twin has it."""
    import mccfr
    from mccfr.kernel.iterations import run_walks

    engine = mccfr.Solver(tree, f"{method}+float64", seed=seed).engine
    twin = Twin(tree, engine.work.dice.state, **METHODS[method]).iterate(n)
    with np.errstate(over="ignore"):
        run_walks.interpreted(n, engine.clock, engine.parts, engine.tree, engine.table, engine.work)
    return twin_differences(twin, tree, engine)


def twin_differences(twin, tree, engine, tolerance=1e-9):
    """Which of the arrays of an engine are not those of a twin."""
    found = []
    for what in ("regret", "average"):
        expected, clashes = laid_out(twin, tree.infosets, getattr(twin, what))
        off = np.abs(getattr(engine.table, what) - expected).max()
        found += [f"{what} {off:.3g}"] * (not off <= tolerance) + clashes
    if twin.baseline == "infoset":
        expected, actual = sorted(twin.learned.values()), np.sort(engine.parts.estimator.table)
        actual = actual[actual != 0.0]
        expected = [x for x in expected if x]
        found += ["baselines"] * (len(expected) != len(actual) or not np.allclose(expected, actual, atol=tolerance))
    return found


def laid_out(twin, infosets, tables):
    """A dictionary of the twin as an array, by the labels of its decisions; and labels that are not found as one."""
    expected, clashes = np.zeros(infosets.entries), []
    taken = set()
    for key, values in tables.items():
        numbers = {infosets.find(label, key[0]) for label in twin.labels[key]}
        here = infosets.entry(min(numbers))
        if len(numbers) > 1 or here in taken:
            clashes.append(f"{min(twin.labels[key])} has {len(numbers)} rows")
        taken.add(here)
        expected[here : here + len(values)] = values
    return expected, clashes


def calling_faults(tree):
    """Where calling values are not what calling down pays."""
    found, values = [], tree.calling_values.reshape(-1, 3)
    for result in (-1, 0, 1):
        twin = Twin(tree, [1, 2, 3, 4])
        twin.result = lambda deal, result=result: result
        for h in range(len(tree)):
            line = tree.betting.line(h)
            if values[h, 1 + result] != twin.called_down(tree.given.betting.at(line), None):
                found.append(f"{line} {result}")
    return found


def every_deal(rules, sizes, taken=()):
    """Every way to see so many cards at a time."""
    if not sizes:
        yield ()
        return
    left = [card for card in range(rules.ranks * rules.suits) if card not in taken]
    for chosen in itertools.combinations(left, sizes[0]):
        for rest in every_deal(rules, sizes[1:], (*taken, *chosen)):
            yield (chosen, *rest)


def deals_of(tree):
    """How many deals come to the same rows of both players and the same showdown, counted by the twin."""
    twin, rules, found = Twin(tree, [1, 2, 3, 4]), tree.fit.cards, Counter()
    for mine, theirs, *board in every_deal(rules, (2, 2, *rules.deals)):
        deal = Deal((mine, theirs), tuple(board))
        rows = tuple(twin.row(deal.seen(player, street)) for player in (0, 1) for street in range(rules.streets))
        found[*rows, 1 + twin.result(deal)] += 1
    return found


def told(words, tree):
    """Of the words of a deal those that say something: rows of the streets that there are, and who wins."""
    streets = tree.fit.cards.streets
    return (*words[:streets], *words[4 : 4 + streets], words[8])
