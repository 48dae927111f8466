"""Hold'em on tiny decks, policies that look at every card, and AIVAT of their hands: by the package and by its twin."""

import functools
import hashlib
import itertools
import random

import naive_aivat
import numpy as np


def fraction(*what):
    """A number between 0 and 1 that depends on what is given, and on nothing else."""
    return int.from_bytes(hashlib.blake2b(repr(what).encode(), digest_size=6).digest(), "big") / 2**48


LIMIT = "holdem(limit(cap=1, bets=2), ranks=4, suits=2, board='3')"
NO_LIMIT = "holdem(nolimit(stack=4, blinds='1 2', bet='100%,a'), ranks=4, suits=2, board='3 1')"
SEVEN_CARDS = "holdem(nolimit(stack=7, blinds='1 2', bet='50%,100%,a'), ranks=7, suits=1, board='3')"


def erratic_class():
    """The class is made here so that it belongs to whichever copy of the package is looked at."""
    from mccfr.playing.policy import Policy

    class Erratic(Policy):
        """Its probabilities differ for every hand, board and line; some hands never make some moves."""

        def __init__(self, table, betting, seed):
            self.table, self.betting, self.seed = table, betting, seed
            self.name = f"erratic({seed})"
            self._known = {}

        def odds(self, belief, s, hands):
            moves = self.betting.moves(s)
            cards = hands.cards(s.street).tolist()
            found = np.array([self.law(tuple(sorted(row[:2])), tuple(row[2:]), s, moves) for row in cards])
            return {move: found[:, j] for j, move in enumerate(moves)}

        def law(self, hole, board, s, moves):
            key = hole, board, s.line
            if key not in self._known:
                weights = [fraction(self.seed, key, move) for move in moves]
                if hole[0] == 0 and len(moves) > 1:
                    weights[-1] = 0.0
                elif hole[1] == self.table.deck.cards - 1 and len(moves) > 1:
                    weights[0] = 0.0
                self._known[key] = [weight / sum(weights) for weight in weights]
            return self._known[key]

    return Erratic


@functools.cache
def setting(text):
    """A game, its table, and a policy for each seat."""
    import mccfr
    from mccfr.playing.table import table_of

    game, erratic = mccfr.game(text), erratic_class()
    table = table_of(game)
    return game, table, (erratic(table, game.betting, 1), erratic(table, game.betting, 2))


def law_of(game, policies):
    """What both policies do at a state of the written-out game."""

    def law(state):
        s = state.betting
        hole = tuple(game._deals.deck.hand_cards[state.hands[s.mover]].tolist())
        moves = game._betting.moves(s)
        laws = policies[s.mover].law(hole, state.cards, s, moves)
        return {move.text: p for move, p in zip(moves, laws) if p > 0.0}

    return law


def record_of(game, table, h):
    """A history of the written-out game as a record."""
    from mccfr.playing.played_hand import HandRecord

    holes = tuple(tuple(game._deals.deck.hand_cards[hand].tolist()) for hand in h.state.hands)
    return HandRecord(table, holes, h.state.cards, table.at(h.state.betting.line)[1])


class PlainValues:
    """Any a and b, by the line."""

    def worth(self, table, s):
        from mccfr.playing.aivat import Worth

        return Worth(2 * fraction("a", s.line) - 1, 3 * fraction("b", s.line))


def naive_value(game, worth):
    """The value function for the twin: edges by going through all boards, unfinished deals by their mean."""
    size = sum(game._streets.deals)
    cards_of = [set(pair) for pair in game._deals.deck.hand_cards.tolist()]

    @functools.cache
    def edge(one, other, board):
        left = [c for c in range(game._deals.deck.cards) if c not in cards_of[one] | cards_of[other] | set(board)]
        found = [
            (winner == 0) - (winner == 1)
            for rest in itertools.combinations(left, size - len(board))
            for winner in [game._deals.winner((one, other), (*board, *rest))]
        ]
        return sum(found) / len(found)

    @functools.cache
    def before_the_deal(hands):
        others = [h for h in range(len(cards_of)) if not any(cards_of[h] & cards_of[each] for each in hands)]
        return sum(dealt((*hands, h), (), game._betting.root()) for h in others) / len(others)

    def dealt(hands, cards, s):
        if len(hands) < 2:
            return before_the_deal(hands)
        a, b = worth(s)
        return a + b * edge(*hands, cards)

    return lambda h: dealt(*h.state)


KNOWN = {"both": (0, 1), "big blind": (0,), "dealer": (1,), "nobody": ()}


def twins(game, law, known, value):
    """The twin's estimates that ours is the mean of: one for the hands of each known seat."""
    hidden = [(seat,) for seat in known] or [()]
    return [naive_aivat.Aivat(game, law, known, each, value) for each in hidden]


def differences(text, known, sample=60, seed=5):
    """The largest difference between ours and the twin on some hands of a game."""
    from mccfr.playing.aivat import Aivat

    game, table, policies = setting(text)
    law = law_of(game, policies)
    ours = Aivat(table, PlainValues())
    theirs = twins(game, law, KNOWN[known], naive_value(game, ours.worth))
    given = tuple(policies[seat] if seat in KNOWN[known] else None for seat in (0, 1))
    ends = random.Random(seed).sample(naive_aivat.terminals(game, law), sample)
    return max(
        abs(ours.estimate(record_of(game, table, z), given) - np.mean([twin.estimate(z) for twin in theirs]))
        for z in ends
    )


def random_strategy(text, seed):
    """Any strategy of a game through buckets, some of its probabilities 0."""
    import mccfr
    from mccfr.strategy.strategy import Origin, Strategy

    tree, dice = mccfr.compile(text), np.random.default_rng(seed)
    found = np.zeros(tree.infosets.entries)
    for _, (part,) in tree.infosets.each_part(found):
        weights = dice.random(part.shape) * (dice.random(part.shape) < 0.8) + 1e-3
        part[:] = weights / weights.sum(axis=1, keepdims=True)
    return Strategy(tree.infosets, found, Origin(tree.game, "random"), tree=tree)


def every_deal(table, boards=None):
    """All deals of a deck with their probability: two hands, then a board whose streets are in rising order."""
    cards = range(table.deck.cards)
    deals = [
        (*one, *other, *board)
        for one in itertools.combinations(cards, 2)
        for other in itertools.combinations(set(cards) - set(one), 2)
        for board in boards_of(table.deals, set(cards) - set(one) - set(other))
    ]
    return [(1.0 / len(deals), deal) for deal in deals]


def boards_of(deals, left):
    """Boards, the cards of each street in rising order."""
    if not deals:
        yield ()
        return
    for first in itertools.combinations(sorted(left), deals[0]):
        for rest in boards_of(deals[1:], left - set(first)):
            yield (*first, *rest)


class Lines:
    """All lines that two policies play with given cards."""

    def __init__(self, table, policies):
        self.table, self.policies = table, policies
        self._laws = {}

    def law(self, board, s, moves):
        """{move: [hands] probability} of the mover's policy."""
        from mccfr.playing.many_hands import BoardHands
        from mccfr.playing.policy import believe

        key = board, s.line
        if key not in self._laws:
            policy, hands = self.policies[s.mover], BoardHands(self.table, board)
            self._laws[key] = policy.odds(believe(policy, hands, moves, s.mover), s, hands)
        return self._laws[key]

    def of(self, deal):
        """(probability, record) of every line of a deal."""
        yield from self._from(deal, self.table.start, (), 1.0)

    def _from(self, deal, s, moves, p):
        from mccfr.betting.lines import NOBODY, OVER
        from mccfr.cards.deck import hand_of
        from mccfr.playing.played_hand import HandRecord

        came = deal[4 : 4 + self.table.board_size(s.street)]
        holes = deal[:2], deal[2:4]
        if s.mover == OVER:
            yield p, HandRecord(self.table, holes, came if s.folded != NOBODY else deal[4:], moves)
            return
        hand = hand_of(*holes[s.mover])
        for move, odds in self.law(came, s, moves).items():
            if odds[hand] > 0.0:
                yield from self._from(deal, self.table.play(s, move), (*moves, move), p * float(odds[hand]))


def policy_means(table, policies, values=None, deals=None, whom=("both", "big blind")):
    """Means of the chips won, of all-in equity and of AIVAT over all deals and lines between two policies."""
    from mccfr.playing.aivat import CALL_DOWN, Aivat
    from mccfr.playing.all_in import all_in_equity

    ours, lines = Aivat(table, values or CALL_DOWN), Lines(table, policies)
    found = dict.fromkeys(("chips", "all-in", *whom), 0.0)
    for chance, deal in deals or every_deal(table):
        for p, record in lines.of(deal):
            found["chips"] += chance * p * record.chips[0]
            found["all-in"] += chance * p * all_in_equity(record)
            for known in whom:
                given = tuple(policies[seat] if seat in KNOWN[known] else None for seat in (0, 1))
                found[known] += chance * p * ours.estimate(record, given)
    return found


def views_by_kind(table):
    """One of each kind of hand with a board, with their number: an exchange of suits makes one kind of several."""
    orders, found = list(itertools.permutations(range(table.suits))), {}
    ends = [0, 2, *(2 + end for end in itertools.accumulate(table.deals))]
    for hand in itertools.combinations(range(table.deck.cards), 2):
        for board in boards_of(table.deals, set(range(table.deck.cards)) - set(hand)):
            kind = min(exchanged((*hand, *board), order, table.suits, ends) for order in orders)
            found[kind] = found.get(kind, 0) + 1
    return found


def exchanged(cards, order, suits, ends):
    """Cards with other suits, those of each hand and street in rising order."""
    moved = [card // suits * suits + order[card % suits] for card in cards]
    return tuple(card for begin, end in itertools.pairwise(ends) for card in sorted(moved[begin:end]))


def mean_of_side(table, policies, seat):
    """The mean over all deals and lines of the estimate over one seat's hands, both policies known; and of its chips.

    The estimate depends on the other seat's hand, the board and the line only, so all hands of the seat are taken
    together, and any of them that may have played the line stands in the record.
    """
    from mccfr.playing.aivat import Aivat
    from mccfr.playing.all_in import apart

    ours, lines = Aivat(table), Lines(table, policies)
    kinds = views_by_kind(table)
    mean = total = 0.0
    for (*other, one, two, three), copies in kinds.items():
        hand, board = hand_number(other), (one, two, three)
        possible = apart(table, board, [hand])[0].astype(float)
        for reach, record in lines_of_side(lines, board, hand, seat, possible):
            weight = copies * reach.sum()
            own = table.deck.hand_cards[int(reach.argmax())].tolist()
            holes = (tuple(own), tuple(other)) if seat == 0 else (tuple(other), tuple(own))
            played = record._replace(holes=holes)
            mean += weight * ours._side(played, ours._events(played, policies), seat, imaginary=True)
            total += weight
    return mean / total


def hand_number(pair):
    from mccfr.cards.deck import hand_of

    return hand_of(*pair)


def lines_of_side(lines, board, hand, seat, reach, s=None, moves=()):
    """([hands of the seat] probability, record) of every line with a real hand of the other seat."""
    from mccfr.betting.lines import NOBODY, OVER
    from mccfr.playing.played_hand import HandRecord

    table, s = lines.table, s or lines.table.start
    came = board[: table.board_size(s.street)]
    if s.mover == OVER:
        yield reach, HandRecord(table, ((), ()), came if s.folded != NOBODY else board, moves)
        return
    for move, odds in lines.law(came, s, moves).items():
        after = reach * (odds if s.mover == seat else odds[hand])
        if after.any():
            yield from lines_of_side(lines, board, hand, seat, after, table.play(s, move), (*moves, move))
