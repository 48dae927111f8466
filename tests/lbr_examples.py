"""Local best response on a deck of eight cards, beside its naive twin; for tests, and for programs that look for bugs.

The other player is `whimsical`: what it does with a hand depends on all cards and moves by a hash, and some moves it
never makes. The package is imported where it is used.
"""

import functools
import itertools
import random

from naive_lbr import Naive

NO_LIMIT = "holdem(nolimit(stack=6, blinds='1 2', bet='a'), ranks=4, suits=2, board={board!r})"
LIMIT = "holdem(limit(cap='1 2', bets='2 3'), ranks=4, suits=2, board={board!r})"
SETTINGS = {  # setting: game, and hands of its own that are tried
    "fold_call": (NO_LIMIT.format(board="3"), ((0, 1), (3, 4))),
    "pot": (NO_LIMIT.format(board="1 2"), ((0, 7),)),
    "grid": (NO_LIMIT.format(board="1 2"), ((3, 6),)),
    "flop_grid": (NO_LIMIT.format(board="2 1"), ((1, 4),)),
    "limit": (LIMIT.format(board="3"), ((0, 3), (5, 6))),
}
CLOSE = 1e-9


def table_of(game):
    """The table of a game."""
    from mccfr.playing.table import table_of

    return table_of(game)


def whimsical(table):
    """A policy whose probabilities come from a hash of everything that it may know."""
    import numpy as np

    from mccfr.playing.simple_policies import SimplePolicy

    class Whimsical(SimplePolicy):
        name = "whimsical"

        def odds(self, belief, s, hands):
            moves = offered(table, s)
            rows = np.array([self.weights(cards, s, len(moves)) for cards in hands.cards(s.street).tolist()])
            return {move: rows[:, j] for j, move in enumerate(moves)}

        def weights(self, cards, s, count):
            return whims(f"{sorted(cards[:2])} {sorted(cards[2:])} {s.line}", count)

    return Whimsical(table)


@functools.cache
def whims(seed, count):
    """Probabilities of so many moves, some of them 0."""
    dice = random.Random(seed)
    found = [dice.choice((0.0, dice.random(), dice.random())) for _ in range(count)]
    return [each / sum(found) for each in found] if any(found) else [1.0 / count] * count


def offered(table, s):
    """Fold, call, the smallest raise and all-in."""
    legal = table.legal(s)
    return [*legal.moves, *(table.raise_to(s, amount) for amount in sorted(set(legal.bounds or ())))]


def response(setting, policy):
    """Local best response in a setting."""
    from mccfr.playing.lbr import LocalBestResponse
    from mccfr.playing.lbr_settings import make_setting

    return LocalBestResponse(policy, make_setting(setting, policy.table))


def exact_value(lbr, seat, hands):
    """What local best response wins with these hands, over all deals."""
    from mccfr.playing.lbr_value import Everything, value_at

    return sum(float(value_at(lbr, lbr.begin(seat, own), Everything()).sum()) for own in hands) / len(hands)


def wrong_values(setting):
    """Seats in which local best response and its twin win different amounts."""
    game, hands = SETTINGS[setting]
    policy = whimsical(table_of(game))
    lbr = response(setting, policy)
    wrong = []
    for seat in (0, 1):
        naive = Naive(policy, setting)
        if abs(naive.value(seat, hands) - exact_value(lbr, seat, hands)) > CLOSE:
            wrong.append(f"{setting}, seat {seat}: value")
        wrong += [f"{setting}, seat {seat}: decision"] if wrong_decisions(lbr, naive) else []
    return wrong


def wrong_decisions(lbr, naive):
    """Decisions of the twin that local best response, as an agent, makes otherwise or values otherwise."""
    from mccfr.playing.lbr_agent import LbrAgent
    from mccfr.playing.seen import Seen

    agent, wrong = LbrAgent(lbr), []
    for (own, board, moves, seat), (move, value) in naive.decisions.items():
        seen = Seen(lbr.table, seat, own[::-1], board, naive.state(moves), moves)
        found = lbr.best(agent.spot(seen))
        if found.move != move or abs(found.value - value) > CLOSE or agent.move(seen) != move:
            wrong.append((own, board, moves, seat))
    return wrong


class AllDice:
    """Dice that fall in every way, one after another: `ways` gives each way's probability while it is followed."""

    def __init__(self):
        self.script, self.place, self.share = [], 0, 1.0

    def ways(self):
        """Begin anew until every way was followed; afterwards `share` is the probability of the way."""
        while True:
            self.place, self.share = 0, 1.0
            yield
            while self.script and self.script[-1][0] + 1 == self.script[-1][1]:
                self.script.pop()
            if not self.script:
                return
            self.script[-1][0] += 1

    def fall(self, outcomes, weights):
        if self.place == len(self.script):
            self.script.append([0, len(outcomes)])
        chosen = self.script[self.place][0]
        self.place += 1
        self.share *= weights[chosen] / sum(weights)
        return outcomes[chosen]

    def choices(self, outcomes, weights=None):
        return [self.fall(outcomes, weights or [1.0] * len(outcomes))]

    def sample(self, cards, count):
        ways = list(itertools.combinations(cards, count))
        return self.fall(ways, [1.0] * len(ways))


def wrong_draws():
    """Seats in which estimates, over all ways in which dice fall, have another mean than all deals."""
    from mccfr.playing.lbr_value import drawn_value

    lbr = response("limit", whimsical(table_of(LIMIT.format(board="3"))))
    wrong = []
    for seat in (0, 1):
        dice, mean, total = AllDice(), 0.0, 0.0
        for _ in dice.ways():
            value = float(drawn_value(lbr, seat, (0, 3), dice).sum())
            mean, total = mean + dice.share * value, total + dice.share
        exact = exact_value(lbr, seat, [(0, 3)])
        wrong += [f"draws, seat {seat}"] if abs(mean - exact) > CLOSE or abs(total - 1.0) > CLOSE else []
    return wrong


def wrong_sizes():
    """Raises of the grid that differ from the twin's."""
    from mccfr.playing.lbr_settings import grid_of_sizes

    table = table_of("holdem(nolimit(stack=4000, bet='a'))")
    s = table.at("r100c/kk/b60")[0]
    expected = Naive(whimsical(table), "grid").sizes(s)
    return [] if [move.amount for move in grid_of_sizes(table, s)] == expected else ["sizes of the grid"]


def wrong():
    """Everything that comes out wrong; the first thing is enough."""
    looks = [(wrong_sizes,), (wrong_values, "limit"), (wrong_draws,), *((wrong_values, each) for each in SETTINGS)]
    return next((found for look, *given in looks if (found := attempt(look, *given))), [])


def attempt(look, *given):
    """What a look finds; an error is found too."""
    try:
        return look(*given)
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]
