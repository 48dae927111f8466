"""Positions behind gadgets against plain enumeration: reaches, values, what each is worth and guarantees."""

import dataclasses
import re

import numpy as np
import pytest
from random_dealt import RandomDealtGame

import mccfr
from mccfr.games.base import CHANCE, TERMINAL
from mccfr.resolving.budgets import Budget, read_budget
from mccfr.resolving.gadgets import GADGETS, ResolvingError, read_gadget
from mccfr.resolving.position import gifts, position_from
from mccfr.resolving.public_places import place_of
from mccfr.resolving.public_values import PublicValues
from mccfr.resolving.solution import solve_position
from mccfr.strategy.strategy import Origin, Strategy

ONCE = Budget(iterations=1)  # a linear programme has one iteration
SEEDS = range(8)


def noisy(tree, seed, share=1.0, base=None):
    """A random strategy, or another one mixed with it; some actions are never played."""
    dice = np.random.default_rng(seed)
    weights = dice.gamma(0.5, size=tree.infosets.entries) * (dice.random(tree.infosets.entries) > 0.1)
    random = tree.infosets.normalised(weights)[0]
    mixed = random if base is None else share * random + (1 - share) * base
    return Strategy(tree.infosets, mixed, Origin(tree.game, "noise"), tree=tree)


class Plain:
    """The definitions, pair by pair and history by history."""

    def __init__(self, strategy):
        self.strategy, self.rules = strategy, strategy.tree.infosets.rules

    def sigma(self, s, player, hand, a):
        return self.strategy[player, self.rules.label(s, player, hand)][a]

    def reach(self, line, player, hand):
        found, s = 1.0, self.rules.root()
        for a in line:
            if self.rules.player(s) == player:
                found *= self.sigma(s, player, hand, a)
            s = self.rules.step(s, a)
        return found

    def value(self, s, pair):
        """u_0 of a pair of hands from s on."""
        player = self.rules.player(s)
        if player == TERMINAL:
            return self.rules.payoff(s)[pair]
        total = 0.0
        for j, a in enumerate(self.rules.actions(s)):
            p = self.rules.law(s)[pair][j] if player == CHANCE else self.sigma(s, player, pair[player], a)
            total += p * self.value(self.rules.step(s, a), pair) if p else 0.0
        return total

    def best(self, s, player, hand, weights):
        """What a hand gets by a best response from s on; weights[g]: chance and reach of the other's hands."""
        mover = self.rules.player(s)
        if mover == TERMINAL:
            sign = 1.0 if player == 0 else -1.0
            return sum(w * sign * self.rules.payoff(s)[self.pair(player, hand, g)] for g, w in enumerate(weights))
        found = []
        for j, a in enumerate(self.rules.actions(s)):
            below = list(weights)
            for g in range(len(weights)):
                if mover == CHANCE:
                    below[g] *= self.rules.law(s)[self.pair(player, hand, g)][j]
                elif mover != player:
                    below[g] *= self.sigma(s, mover, g, a)
            found.append(self.best(self.rules.step(s, a), player, hand, below))
        return max(found) if mover == player else sum(found)

    @staticmethod
    def pair(player, hand, g):
        return (hand, g) if player == 0 else (g, hand)


def decisions(tree):
    """Lines to all public decisions but the first, with who moves."""
    found, waiting = [], [()]
    while waiting:
        line = waiting.pop()
        place = place_of(tree, line)
        mover = tree.infosets.rules.player(place.state)
        if mover in (0, 1) and line:
            found.append((line, mover))
        if mover != TERMINAL:
            waiting += [(*line, a) for a in tree.infosets.rules.actions(place.state)]
    return sorted(found)


def some_positions(seed, gadget, values="best", count=3):
    tree = mccfr.compile(RandomDealtGame(seed))
    strategy = noisy(tree, seed)
    for line, mover in decisions(tree)[:: max(1, len(decisions(tree)) // count)]:
        try:
            yield strategy, mccfr.position(strategy, line, gadget, player=mover, values=values)
        except ResolvingError as error:
            if "no hands can be dealt" not in str(error):
                raise


def lp_value(position):
    """The value of a position to player 0, exactly."""
    tree = mccfr.compile(position)
    return mccfr.expected_value(mccfr.solve(tree.written, "lp").strategy())


@pytest.mark.parametrize("seed", SEEDS)
def test_reaches_and_values_as_enumerated(seed):
    tree = mccfr.compile(RandomDealtGame(seed))
    strategy = noisy(tree, seed)
    plain, found = Plain(strategy), PublicValues(tree, strategy.probabilities)
    for line, _ in decisions(tree)[::3]:
        place = place_of(tree, line)
        chance = plain.rules.chance_to(line)
        np.testing.assert_allclose(place.chance, chance, rtol=1e-12)
        for player in (0, 1):
            others = range(len(tree.hands[1 - player]))
            for hand in range(len(tree.hands[player])):
                weights = [chance[plain.pair(player, hand, g)] * plain.reach(line, 1 - player, g) for g in others]
                sign = 1.0 if player == 0 else -1.0
                value = sum(
                    w * sign * plain.value(place.state, plain.pair(player, hand, g)) for g, w in enumerate(weights) if w
                )
                assert found.reach(player)[place.node][hand] == pytest.approx(plain.reach(line, player, hand))
                assert found.value(player, place.node)[hand] == pytest.approx(value, abs=1e-12)
                best = plain.best(place.state, player, hand, weights)
                assert found.best(player, place.node)[hand] == pytest.approx(best, abs=1e-12)


class PlainGadget:
    """A position behind `resolve` as a game of histories, written down from its definition."""

    players = 2

    def __init__(self, position, plain):
        self.at, self.plain, self.rules = position, plain, plain.rules

    def root(self):
        return "deal"

    def player(self, s):
        if s == "deal":
            return CHANCE
        if s[0] in ("stop", "gate"):
            return TERMINAL if s[0] == "stop" else self.at.opponent
        return self.rules.player(s[2])

    def chances(self, s):
        if s == "deal":
            odds = {}
            for h in range(len(self.at.tree.hands[0])):
                for g in range(len(self.at.tree.hands[1])):
                    mine = (h, g)[self.at.seat]
                    reach = self.plain.reach(self.at.place.line, self.at.seat, mine)
                    odds[h, g] = self.rules.chance_to(self.at.place.line)[h, g] * reach
            total = sum(odds.values())
            return [(pair, p / total) for pair, p in odds.items() if p]
        law = self.rules.law(s[2])[s[1]]
        return list(zip(self.rules.actions(s[2]), law.tolist()))

    def actions(self, s):
        return ["stop", "follow"] if s[0] == "gate" else self.rules.actions(s[2])

    def step(self, s, a):
        if s == "deal":
            return ("gate", a)
        if s[0] == "gate":
            return ("stop", s[1]) if a == "stop" else ("in", s[1], self.at.place.state)
        return ("in", s[1], self.rules.step(s[2], a))

    def infoset(self, s):
        hand = s[1][self.player(s)]
        return f"{hand} gate" if s[0] == "gate" else f"{hand} {s[2]}"

    def payoff(self, s):
        if s[0] == "stop":
            paid = self.at.alternatives[s[1][self.at.opponent]]
            paid = paid if self.at.opponent == 0 else -paid
        else:
            paid = self.rules.payoff(s[2])[s[1]]
        return float(paid), -float(paid)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("values", ["best", "average"])
def test_resolve_is_the_game_of_its_definition(seed, values):
    for strategy, position in some_positions(seed, "resolve", values):
        twin = mccfr.compile(PlainGadget(position, Plain(strategy)))
        value = mccfr.expected_value(mccfr.solve(twin, "lp").strategy())
        assert lp_value(position) == pytest.approx(value, abs=1e-9)
        even = mccfr.expected_value(mccfr.uniform(mccfr.compile(position)))
        assert even == pytest.approx(mccfr.expected_value(mccfr.uniform(twin)), abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_behind_resolve_the_opponent_has_what_it_had(seed):
    """It may stop with every hand, and against the strategy so far it has no better choice."""
    for _, position in some_positions(seed, "resolve"):
        had = float(position.others @ position.alternatives) / position.weight
        assert lp_value(position) == pytest.approx(had if position.opponent == 0 else -had, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_unsafe_is_the_game_given_that_it_comes_there(seed):
    for strategy, position in some_positions(seed, "unsafe"):
        tree, plain = mccfr.compile(position), Plain(strategy)
        here = mccfr.from_dict(tree, {label: strategy[label] for label in tree.infosets.labels})
        total = weight = 0.0
        for h in range(len(tree.hands[0])):
            for g in range(len(tree.hands[1])):
                w = plain.rules.chance_to(position.place.line)[h, g]
                w *= plain.reach(position.place.line, 0, h) * plain.reach(position.place.line, 1, g)
                total += w * plain.value(position.place.state, (h, g)) if w else 0.0
                weight += w
        assert position.weight == pytest.approx(weight)
        assert mccfr.expected_value(here) == pytest.approx(total / weight, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_margin_is_the_least_and_the_largest_there_is(seed):
    """What `maxmargin` is worth is the least margin of its solution, and no other solution has a larger one."""
    for strategy, position in some_positions(seed, "maxmargin"):
        solved = solve_position(position, "lp", ONCE)
        worth = lp_value(position)
        margin = worth if position.seat == 0 else -worth
        assert solved.margins.min() == pytest.approx(margin, abs=1e-9)
        assert margin >= -1e-9
        line, seat = position.place.line, position.seat
        for other in ("resolve", "unsafe"):
            rival = solve_position(mccfr.position(strategy, line, other, player=seat), "lp", ONCE)
            assert rival.margins.min() <= margin + 1e-9
        gifted = mccfr.position(strategy, line, "reach", player=seat)
        given = gifts(PublicValues(position.tree, strategy.probabilities), position.place, position.opponent)
        np.testing.assert_allclose(gifted.alternatives - position.alternatives, given)
        assert np.all(given >= 0.0)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("gadget", ["resolve", "maxmargin", "reach"])
def test_safe_gadgets_keep_the_best_response(seed, gadget):
    """All positions that begin after one action, or deeper ones on the way, for both players at once."""
    tree = mccfr.compile(RandomDealtGame(seed))
    strategy = noisy(tree, seed)
    first = [line for line, _ in decisions(tree) if len(line) == 2]
    if not first:
        pytest.skip("this game is over after two events")
    refined = mccfr.refine(strategy, first, gadget, "lp", 1)
    for player in (0, 1):
        before = mccfr.best_response(strategy, 1 - player).value
        after = mccfr.best_response(refined.strategy, 1 - player).value
        assert after <= before + refined.bounds[player] + 1e-9
        assert refined.bounds[player] <= 1e-8


def test_gifts_by_hand():
    """Kuhn: who always bets gives away, with each hand, what checking would have been worth more."""
    tree = mccfr.compile("dealt:kuhn")
    table = {label: {"check": 0.0, "bet": 1.0} for label in ("J:", "Q:", "K:")}
    table |= {label: {"fold": 0.5, "call": 0.5} for label in ("J:cb", "Q:cb", "K:cb", "J:b", "Q:b", "K:b")}
    table |= {label: {"check": 1.0, "bet": 0.0} for label in ("J:c", "Q:c", "K:c")}
    strategy = mccfr.from_dict(tree, table)
    found = PublicValues(tree, strategy.probabilities)
    given = gifts(found, place_of(tree, "bet"), 0)
    # Checking is followed by a check: J -1, Q 0, K 1. Betting: half of all hands fold (1), half call (+-2).
    # J: 1/2 - 2/2 = -0.5; Q: 1/2 + 0 = 0.5; K: 1/2 + 2/2 = 1.5: only betting J could be a gift, and it is none.
    np.testing.assert_allclose(given, [0.0, 0.0, 0.0])
    folds = dict(table) | {label: {"check": 0.0, "bet": 1.0} for label in ("J:c", "Q:c", "K:c")}
    folds |= {label: {"fold": 1.0, "call": 0.0} for label in ("J:b", "Q:b")} | {"K:b": {"fold": 0.0, "call": 1.0}}
    found = PublicValues(tree, mccfr.from_dict(tree, folds).probabilities)
    given = gifts(found, place_of(tree, "check bet"), 1)
    np.testing.assert_allclose(given[2], 0.0)  # nothing is better with a king than to bet


@pytest.mark.slow_cases("leduc")
@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_unsafe_gives_an_equilibrium_away(game):
    """The example of docs/resolving.md: ranges that an opponent chose because of what would follow are no deal."""
    strategy = mccfr.solve(f"dealt:{game}", "cfr_plus", iterations=3000).strategy()
    before = ("check check", "check bet call", "check bet raise call", "bet call", "bet raise call")
    lines = ["check", "bet"] if game == "kuhn" else [f"{each} {card}" for each in before for card in "JjQqKk"]
    at_first = mccfr.exploitability(strategy)
    unsafe = mccfr.refine(strategy, lines, "unsafe", "lp", 1)
    assert mccfr.exploitability(unsafe.strategy) > at_first + 0.005
    assert sum(unsafe.bounds) > 0.01
    for gadget in ("resolve", "maxmargin", "reach"):
        safe = mccfr.refine(strategy, lines, gadget, "lp", 1)
        assert mccfr.exploitability(safe.strategy) <= at_first + 1e-9
        assert max(safe.bounds) < 1e-9


@pytest.mark.slow
def test_solvers_of_all_kinds_take_a_position():
    strategy = mccfr.uniform("dealt:leduc")
    position = mccfr.position(strategy, "check bet")
    had = -float(position.others @ position.alternatives) / position.weight
    for method, iterations, within in (
        ("cfr", 2000, 0.05), ("dcfr", 500, 0.02), ("external", 20_000, 0.3), ("outcome", 50_000, 0.8),
        ("public_outcome+history(rate=0.5)+rm_plus+linear", 20_000, 0.3), ("vector", 2000, 0.5),
    ):  # fmt: skip
        solver = mccfr.solve(position, method, iterations=iterations, seed=1)
        assert solver.exploitability() < within
        if within < 0.1:
            assert mccfr.expected_value(solver.strategy()) == pytest.approx(had, abs=2 * within)
    margin = mccfr.solve(mccfr.position(strategy, "check bet", "maxmargin"), "cfr_plus", iterations=500)
    assert margin.exploitability() < 0.05
    assert "J:gate" in mccfr.compile(position).infosets.labels
    (row,) = mccfr.audit(position, "external").rows
    assert row.unbiased


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda s: mccfr.position(s, "check fold"), "'fold' cannot happen after 'check'; known: bet, check"),
        (lambda s: mccfr.position(s, "bet fold"), "'bet fold' is over, so there is nothing to solve"),
        (lambda s: mccfr.position(s, "bet fold check"), "'bet fold' is over: nothing can follow it, so not 'check'"),
        (lambda s: mccfr.position(s, "check check"), "nobody moves after 'check check': say which player"),
        (lambda s: mccfr.position(s, "check", "safe"), "'safe' is no gadget; did you mean unsafe?"),
        (lambda s: mccfr.position(s, "check", 3), "3 is no gadget: expected one of unsafe, resolve, maxmargin, reach"),
        (lambda s: mccfr.position(s, "check", player=2), "no player 2: the players are 0 and 1"),
        (lambda s: mccfr.position(s, "check", values="worst"), "are best or average, not 'worst'"),
        (lambda s: mccfr.position(s, "check", depth=0, leaves="solve"), "depth must be a whole number from 1"),
        (lambda s: mccfr.position(s, "check", depth=3), "with a depth, say what leaves are worth"),
        (lambda s: mccfr.position(s, "check", depth=3, leaves="guess"), "'guess' names no leaves; known"),
        (lambda s: mccfr.position(s, "check", depth=3, leaves="solve(lp)"), "lp does not sweep: take cfr"),
        (lambda s: mccfr.position(s, "check", depth=3, leaves="solve(cfr, 0)"), "iterations must be a whole number"),
        (lambda s: mccfr.Resolver("leduc", depth=3, leaves="blueprint"), "needs a strategy to go on with"),
        (lambda s: mccfr.position(s, "check", depth=3, leaves="several(0.5)"), "factor must be a number above 1"),
        (lambda s: mccfr.position(s, "check", depth=3, leaves="several(2, 3)"), "several takes (factor=10.0)"),
        (lambda s: mccfr.position(s, "check", depth=3, leaves=7), "7 has no worth(leaf, ranges)"),
        (lambda s: mccfr.refine(s, ["check", "check bet"]), "'check bet' is 'check' or lies below it"),
        (lambda s: mccfr.position(mccfr.uniform("goofspiel(3)"), "1"), "has no dealt form: it needs public(s)"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(make, words):
    with pytest.raises(ResolvingError, match=re.escape(words)) as caught:
        make(mccfr.uniform("dealt:leduc"))
    assert "\n" not in str(caught.value)


def test_ranges_that_cannot_be():
    tree = mccfr.compile("dealt:leduc")
    found = PublicValues(tree, tree.infosets.uniform())
    good = position_from(found, place_of(tree, "bet"), 1)
    blocked = np.zeros(6)
    blocked[2] = 1.0  # both can only hold the one card
    unsafe = position_from(found, place_of(tree, "bet"), 1, "unsafe")
    for change, words in (
        ({"range": np.zeros(6)}, "no hands can be dealt"),
        ({"range": np.full(6, np.nan)}, "range must be 6 finite numbers"),
        ({"range": np.ones(5)}, "range must be 6 finite numbers"),
        ({"range": -np.ones(6)}, "range has probabilities below 0"),
        ({"alternatives": np.full(6, np.inf)}, "alternatives must be 6 finite numbers"),
    ):
        with pytest.raises(ResolvingError, match=words):
            dataclasses.replace(good, **change)
    with pytest.raises(ResolvingError, match="all its hands are blocked"):
        dataclasses.replace(unsafe, range=blocked, opponent_range=blocked)


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("1000 iterations", Budget(iterations=1000)),
        ("10k evaluations", Budget(evaluations=10_000)),
        ("10k evaluations per history", Budget(evaluations=10_000, by_history=True)),
        ("0.5s", Budget(seconds=0.5)),
        (7, Budget(iterations=7)),
    ],
)
def test_budgets_as_people_write_them(text, budget):
    assert read_budget(text) == budget
    assert read_budget(str(budget)) == budget


@pytest.mark.parametrize("text", ["0 iterations", "0s", 0, "0 evaluations", "ten", "100", "", None, -3, True, "5 eggs"])
def test_budgets_of_nothing(text):
    with pytest.raises(ResolvingError) as caught:
        read_budget(text)
    assert "\n" not in str(caught.value)


def test_a_target_is_for_positions_at_a_table():
    with pytest.raises(ResolvingError, match="is for positions of hold'em at a table: write '1000"):
        read_budget(Budget(100, target="0.5%"))
    assert str(Budget(100, target="0.5%")) == "0.5% of the pot"


def test_gadgets_by_name():
    for name in GADGETS:
        assert str(read_gadget(name)) == name
        assert read_gadget(read_gadget(name)) == read_gadget(name)
