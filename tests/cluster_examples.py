"""What clusters of hands must be, worked out slowly and plainly: what the tests look at, and what finds planted bugs.

Strengths are those of the rules in `mccfr.cards.strengths` through `rank_deck`, or of phevaluator where a test asks.
"""

import importlib
import itertools
from fractions import Fraction

import numpy as np

DECKS = [(3, 4, (1, 1, 1)), (4, 3, (2, 1))]  # ranks, suits, cards dealt: all can be written down


TABLES = {}  # of the evaluator, made once for all copies of the package: interpreted that takes seconds


def share_tables():
    """Let the package look strengths up in tables that were made before."""
    evaluator = importlib.import_module("mccfr.cards.evaluator")
    make = evaluator.table

    def table(size):
        if size not in TABLES:
            TABLES[size] = make(size)
        return TABLES[size]

    evaluator.table = table


def half_up(x):
    """The nearest whole number."""
    return (2 * x.numerator + x.denominator) // (2 * x.denominator)


def our_strength(cards, ranks, suits):
    """The strength of a hand and a board by the evaluator that has tests of its own."""
    evaluator = importlib.import_module("mccfr.cards.evaluator")
    of_whole_deck = [4 * (card // suits) + card % suits for card in cards]
    return evaluator.strength(of_whole_deck)


def beaten(hand, board, deck, strength, against=None):
    """Wins plus half of the ties of a hand among all hands of the other player (of a group), and how many they are."""
    own, points, dealt = strength((*hand, *board)), Fraction(0), 0
    rest = [card for card in range(deck) if card not in hand and card not in board]
    for low, high in itertools.combinations(rest, 2):
        if against is None or against[high * (high - 1) // 2 + low]:
            theirs = strength((low, high, *board))
            points += 1 if own > theirs else Fraction(1, 2) if own == theirs else 0
            dealt += 1
    return points, dealt


def histogram(hand, board, size, deck, strength, bins):
    """How many of the boards that can follow give a hand a strength of each bin."""
    counts = [0] * bins
    rest = [card for card in range(deck) if card not in hand and card not in board]
    for more in itertools.combinations(rest, size - len(board)):
        points, dealt = beaten(hand, (*board, *more), deck, strength)
        counts[min(int(points / dealt * bins), bins - 1)] += 1
    return counts


def reached(counts, scale):
    """Which share of all reaches the lower end of each bin but the first."""
    return [half_up(Fraction(sum(counts[b:]) * scale, sum(counts))) for b in range(1, len(counts))]


def equities(hand, board, groups, deck, strength, scale, how_many):
    """Equities against groups of hole hands; one half where a group has no hand left."""
    found = []
    for group in range(how_many):
        points, dealt = beaten(hand, board, deck, strength, groups == group)
        found.append(half_up(points * scale / dealt) if dealt else scale // 2)
    return found


def nearest(metric, centres, point):
    """The first of the nearest centres."""
    apart = np.abs(centres.astype(np.int64) - point.astype(np.int64))
    total = (apart if metric == "EarthMovers" else apart**2).sum(axis=1)
    return int(total.argmin()), int(total.min())


def plain_middles(metric, points, labels, before):
    """The lower median, or the rounded mean, of every number over the points of each cluster."""
    found = []
    for cluster, old in enumerate(before):
        members = np.sort(points[labels == cluster].astype(np.int64), axis=0)
        if not len(members):
            found.append(old.tolist())
        elif metric == "EarthMovers":
            found.append(members[(len(members) - 1) // 2].tolist())
        else:
            found.append([half_up(Fraction(int(column.sum()), len(members))) for column in members.T])
    return found


def plain_points(describer, street, hands, strength):
    """What describes hands, worked out plainly."""
    kernel = importlib.import_module("mccfr.kernel.hand_features")
    deck, scale, found = describer.deck.cards, int(kernel.SCALE), []
    for hand, board in [(cards[:2], cards[2:]) for cards in map(tuple, hands.tolist())]:
        if street == describer.last:
            found.append(equities(hand, board, describer.groups, deck, strength, scale, int(kernel.GROUPS)))
        else:
            counts = histogram(hand, board, describer.showdown, deck, strength, int(kernel.WIDTH) + 1)
            found.append(reached(counts, scale))
    return found


def random_hands(rules, street, count, seed):
    """Cards dealt at random."""
    rng = np.random.default_rng(seed)
    cards = rules.ranks * rules.suits
    return np.array([rng.permutation(cards)[: 2 + rules.board(street)] for _ in range(count)], np.uint8)


def random_groups(rules):
    """A group for each hole hand, the same for all hands of a class; the last of eight groups has none."""
    deck = importlib.import_module("mccfr.cards.ranges").deck_of(rules.ranks, rules.suits)
    groups, rng = np.zeros(deck.hands, np.uint8), np.random.default_rng(1)
    for hands in deck.classes.values():
        groups[hands] = rng.integers(0, 7)
    return groups


def wrong_points(deck, count=4):
    """Streets whose hands are not described as they should be."""
    buckets = importlib.import_module("mccfr.buckets.hand_features")
    rules = importlib.import_module("mccfr.buckets.bucketing").CardRules(*deck)
    describer, found = buckets.Describer(rules, random_groups(rules)), []
    for street in range(rules.streets):
        hands = random_hands(rules, street, count * (4 if street == describer.last else 1), street)
        plain = plain_points(describer, street, hands, lambda cards: our_strength(cards, rules.ranks, rules.suits))
        if describer.given(street, hands, 1).tolist() != plain:
            found.append(f"hands of street {street} are described wrongly")
    return found


def metrics(width):
    """Both, by name."""
    kernel = importlib.import_module("mccfr.kernel.clustering")
    return {name: getattr(kernel, name)(np.uint64(width)) for name in ("EarthMovers", "SquaredLength")}


def wrong_clusters(seed=1):
    """What is wrong with nearest centres, first centres or middles of random points, in words."""
    kmeans = importlib.import_module("mccfr.buckets.kmeans")
    seeded = importlib.import_module("mccfr.kernel.dice").seeded
    rng, found = np.random.default_rng(seed), []
    points = rng.integers(0, 5, (60, 4)).astype(np.uint16)  # few numbers: many are equally near
    centres = kmeans.in_order_of_strength(rng.integers(0, 5, (12, 4)).astype(np.uint16))
    for name, metric in metrics(4).items():
        plain = [nearest(name, centres, point) for point in points]
        for guesses in (None, rng.integers(0, 12, 60)):
            labels, apart = kmeans.nearest_centres(metric, centres, points, 1, guesses)
            if list(zip(labels.tolist(), apart.tolist())) != plain:
                found.append(f"{name}: a nearest centre is wrong")
        labels = np.array([label for label, _ in plain])
        if kmeans.middles(metric, points, labels, centres).tolist() != plain_middles(name, points, labels, centres):
            found.append(f"{name}: a middle is wrong")
        different = np.unique(points, axis=0)
        first = kmeans.first_centres(metric, points, len(different), seeded(seed))
        if len(np.unique(first, axis=0)) < len(different):
            found.append(f"{name}: a first centre was taken twice")
    return found


def wrong_rows(deck, k=5):
    """Streets whose tables are not what is assigned to their hands with suits exchanged and boards reordered."""
    bucketing = importlib.import_module("mccfr.buckets.bucketing")
    clusters = importlib.import_module("mccfr.buckets.clusters")
    rules, emd = bucketing.CardRules(*deck), clusters.EarthMover(k, sample=30)
    fit = bucketing.Fit(emd, rules, emd.fit(rules))
    tables, found = emd.tables(fit), []
    for street in range(rules.streets):
        index = rules.seen(street)
        numbers = np.unique(np.linspace(0, index.size - 1, 60).astype(int))
        rows = fit.rows_of(street, moved(index.unindex(numbers), rules.suits))
        if rows.tolist() != tables.row[street][numbers].tolist():
            found.append(f"rows of street {street} differ")
        if not 0 <= rows.min() <= rows.max() < fit.rows[street]:
            found.append(f"a row of street {street} does not exist")
    return found


def moved(hands, suits, seed=3):
    """Each hand with its suits exchanged and its board in another order, at random."""
    rng, out = np.random.default_rng(seed), []
    for hand in hands.astype(int):
        other = hand // suits * suits + rng.permutation(suits)[hand % suits]
        out.append([*rng.permutation(other[:2]), *rng.permutation(other[2:])])
    return np.array(out, np.uint8)


def faults():
    """Everything that is wrong."""
    return [*wrong_points(DECKS[0]), *wrong_points(DECKS[1], 2), *wrong_clusters(), *wrong_rows(DECKS[1])]
