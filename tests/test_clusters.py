"""Clusters of hands against plain twins, other packages and brute force; and bugs planted into the package.

This file is also the program that tries them.
"""

import statistics
import sys

import cluster_examples as examples
import numpy as np
import pytest
from planting import catching, one_each, try_bugs

SMALL = (4, 3, (2, 1))  # ranks, suits, cards dealt
TWENTY = (5, 4, (1, 1, 1))

BUGS = {
    "ties are not counted": ("hand_features:count_board", "u64(left(tally.equal, hands, h, U0) + 1)", "U0"),
    "ties are wins": (
        "hand_features:count_board",
        "+ u64(left(tally.equal, hands, h, U0) + 1)",
        "+ U2 * u64(left(tally.equal, hands, h, U0) + 1)",
    ),
    "a hand ties with itself": (
        "hand_features:count_board",
        "tally.equal, hands, h, U0) + 1)",
        "tally.equal, hands, h, U0) + 2)",
    ),
    "the higher card blocks nothing": ("hand_features:left", " - counts[u64(hands.high[h]) * GROUPS + at]", ""),
    "equals stay equals": (
        "hand_features:count_board",
        "move_hand(hands, u64(room.order[j]), U0, tally.equal, -1)",
        "pass",
    ),
    "boards count once": ("hand_features:count_board", "u64(bin_of[halves])] += times", "u64(bin_of[halves])] += 1"),
    "shares are cut off": ("hand_features:reached", "above * SCALE + total // U2", "above * SCALE"),
    "shares are of weaker hands": ("hand_features:reached", "histogram[first + WIDTH - b]", "histogram[first + b]"),
    "a hand blocks itself twice": (
        "hand_features:equity_against",
        "tally.live, hands, h, at) + own)",
        "tally.live, hands, h, at))",
    ),
    "nobody left is a loss": ("hand_features:equity_against", "return SCALE // U2", "return U0"),
    "equities are cut off": ("hand_features:equity_against", "halves * SCALE + dealt", "halves * SCALE"),
    "classes are not added up": (
        "buckets/hand_features:Describer.hole_hands",
        "counts[hands].sum(axis=0)",
        "counts[hands]",
    ),
    "bins are a little too wide": (
        "buckets/hand_features:_bins",
        "(most + 1) * BINS // most",
        "(most + 1) * BINS // (most + 2)",
    ),
    "hole cards keep their suits": (
        "buckets/hand_features:by_board",
        "].sort(axis=1)",
        "].sort(axis=1); same[:, :2] = hands[:, :2]",
    ),
    "the last of equally near centres above": ("clustering:nearest", "(apart == best and up < found)", "apart == best"),
    "a guess wins": ("clustering:nearest", "if apart <= best:", "if apart < best:"),
    "squares are pruned as if they were lengths": (
        "clustering:least(SquaredLength)",
        "u64(difference) // metric.width",
        "u64(difference)",
    ),
    "the search ends early": (
        "clustering:nearest",
        "own - centres.sums[down - U1]) <= best",
        "own - centres.sums[down - U1]) < best",
    ),
    "a chosen point is chosen again": ("clustering:point_at", "while total <= wanted and", "while total < wanted and"),
    "distances keep growing": (
        "clustering:come_nearer",
        "            if apart < near[i]:",
        "            if apart > near[i]:",
    ),
    "a row is that of another hand": (
        "clustering:place_rows",
        "features, h * metric.width, guess)",
        "features, U0, guess)",
    ),
    "boards are those of another number": ("clustering:place_rows", "+ c] = board[c]", "+ c] = board[U0] + c"),
    "the upper median": ("buckets/kmeans:medians", "(sizes - 1) // 2", "sizes // 2"),
    "means are cut off": ("buckets/kmeans:means", "(2 * total + some) // (2 * some)", "total // some"),
    "empty clusters move": ("buckets/kmeans:middles", "sizes[:, None] > 0", "sizes[:, None] >= 0"),
}
ROW_BUGS = {
    "a row is that of another hand",
    "boards are those of another number",
}


caught = catching(__file__, one_each(BUGS))


@pytest.mark.slow
def test_the_package_as_it_is_has_no_faults(caught):
    assert caught[None] == []


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_examples_notice(caught, bug):
    assert caught[bug]


def look_for(bug):
    """What to look at: only what a bug can change, since nothing is compiled here."""
    if bug in ROW_BUGS:
        look, given = examples.wrong_rows, ((3, 3, (1, 2)), 4)
    elif BUGS[bug][0].startswith(("clustering:", "buckets/kmeans:")):
        look, given = examples.wrong_clusters, ()
    else:
        look, given = examples.wrong_points, (SMALL, 3)

    def see():
        examples.share_tables()
        try:
            return look(*given)
        except IndexError as error:  # compiled, it would have read something else
            return [str(error)]

    return see


def everything():
    """All that any bug is looked for with."""
    examples.share_tables()
    return [*examples.wrong_clusters(), *examples.wrong_points(SMALL, 3), *examples.wrong_rows((3, 3, (1, 2)), 4)]


if __name__ == "__main__":
    try_bugs([everything, *map(look_for, BUGS)])
    sys.exit()

from mccfr.buckets import clusters  # noqa: E402
from mccfr.buckets.bucketing import CardRules, Fit  # noqa: E402
from mccfr.buckets.clusters import EarthMover, group_hole_hands, metric_of  # noqa: E402
from mccfr.buckets.hand_features import Describer  # noqa: E402
from mccfr.buckets.kmeans import cluster, first_centres, in_order_of_strength, middles, nearest_centres  # noqa: E402
from mccfr.cards.boards import BoardKinds  # noqa: E402
from mccfr.cards.deck import CardError, card_name, hand  # noqa: E402
from mccfr.errors import GameError  # noqa: E402
from mccfr.kernel.bucket_rows import HELD, rows_of_hands  # noqa: E402
from mccfr.kernel.clustering import UNKNOWN, EarthMovers, deal_hands  # noqa: E402
from mccfr.kernel.dice import seeded  # noqa: E402
from mccfr.kernel.hand_features import SCALE, WIDTH  # noqa: E402


def fitted(k, deck, workers=1, sample=3000):
    rules, emd = CardRules(*deck), EarthMover(k, sample=sample)
    return Fit(emd, rules, emd.fit(rules, workers))


@pytest.mark.parametrize("deck", [*examples.DECKS, (5, 2, (3,)), (2, 4, (1, 1, 1))])
def test_hands_are_described_as_plain_counting_does(deck):
    assert examples.wrong_points(deck, 2) == []


@pytest.mark.parametrize("street", [2, 3])
def test_hands_of_the_whole_deck_are_described_with_strengths_of_phevaluator(street):
    evaluate = pytest.importorskip("phevaluator").evaluate_cards
    rules = CardRules()
    describer = Describer(rules, examples.random_groups(rules))
    hands = examples.random_hands(rules, street, 1 if street == 2 else 5, 1)
    known: dict[tuple[int, ...], int] = {}

    def strength(cards):
        key = tuple(sorted(cards))
        if key not in known:
            known[key] = -evaluate(*map(card_name, key))
        return known[key]

    assert describer.given(street, hands).tolist() == examples.plain_points(describer, street, hands, strength)


@pytest.mark.parametrize("seed", range(5))
def test_nearest_first_and_middle_centres_as_brute_force_has_them(seed):
    assert examples.wrong_clusters(seed) == []


@pytest.mark.parametrize("street", [1, 2])
def test_the_distance_is_that_of_scipy(street):
    from scipy.stats import wasserstein_distance

    rules = CardRules(*TWENTY)
    points = Describer(rules).given(street, examples.random_hands(rules, street, 20, 2)).astype(np.int64)
    values = np.arange(int(WIDTH) + 1)
    weights = -np.diff(points, axis=1, prepend=int(SCALE), append=0)
    _, apart = nearest_centres(EarthMovers(WIDTH), points[:1].astype(np.uint16), points.astype(np.uint16))
    for weight, distance in zip(weights, apart.tolist()):
        assert wasserstein_distance(values, values, weights[0], weight) * int(SCALE) == pytest.approx(distance)


def test_clusters_get_better_every_round_and_are_better_than_chance():
    rules = CardRules(*TWENTY)
    for street in (2, 3):
        metric, describer = metric_of(rules, street), Describer(rules, group_hole_hands(rules, 8))
        points = describer.given(street, examples.random_hands(rules, street, 3000, 4))
        found = cluster(metric, points, 30, seeded(1))
        assert found.totals == sorted(found.totals, reverse=True)
        at_random = cluster_by_chance(metric, points, 30)
        assert found.totals[-1] < 0.7 * at_random
        assert found.totals[-1] < found.totals[0]


def cluster_by_chance(metric, points, count):
    """The total distance to the middles of clusters that were drawn."""
    labels = np.random.default_rng(1).integers(0, count, len(points))
    centres = middles(metric, points, labels, points[:count])
    return int(nearest_centres(metric, centres, points)[1].sum())


def test_first_centres_are_drawn_by_distance():
    points = np.array([[0], [0], [0], [10], [40]], np.uint16)
    drawn = [
        tuple(first_centres(EarthMovers(np.uint64(1)), points, 2, seeded(seed)).ravel().tolist())
        for seed in range(4000)
    ]
    assert drawn.count((0, 40)) / 4000 == pytest.approx(0.6 * 40 / 50, abs=0.03)
    assert drawn.count((10, 40)) / 4000 == pytest.approx(0.2 * 30 / 60, abs=0.02)


def test_deals_have_different_cards_and_all_are_equally_likely():
    deals = np.empty((30_000, 3), np.uint8)
    deal_hands(np.uint64(6), seeded(2), deals)
    _, counts = np.unique(deals, axis=0, return_counts=True)
    assert len(counts) == 6 * 5 * 4
    assert ((counts - 250) ** 2 / 250).sum() < 180  # chi-square with 119 degrees of freedom: 1 in 4000


@pytest.mark.parametrize(("k", "deck"), [(20, TWENTY), ("7 12", (5, 4, (3, 1, 1))), (3, (4, 2, (1, 1, 1)))])
def test_tables_have_the_rows_that_cards_are_assigned(k, deck):
    fit = fitted(k, deck)
    tables = fit.bucketing.tables(fit)
    for street in range(fit.cards.streets):
        index = fit.cards.seen(street)
        numbers = np.random.default_rng(street).integers(0, index.size, 400)
        hands = examples.moved(index.unindex(numbers), fit.cards.suits)
        assert fit.rows_of(street, hands).tolist() == tables.row[street][numbers].tolist()
        assert tables.row[street].max() < fit.rows[street]


@pytest.mark.parametrize("deck", [TWENTY, SMALL])
def test_walks_look_up_the_same_rows_on_all_streets(deck):
    fit = fitted(9, deck)
    streets = fit.cards.streets
    hands = examples.random_hands(fit.cards, streets - 1, 100, 9)
    out = np.zeros((100, streets), np.uint64)
    rows_of_hands(fit.bucketing.tables(fit), np.uint64(streets), hands, np.zeros(HELD, np.uint64), out)
    for street in range(streets):
        seen = hands[:, : 2 + fit.cards.board(street)]
        assert out[:, street].tolist() == fit.rows_of(street, seen).tolist()


@pytest.mark.parametrize("street", [1, 2])
def test_rows_of_boards_of_the_whole_deck_are_those_that_cards_are_assigned(street, monkeypatch):
    rules, emd = CardRules(), EarthMover(40)
    boards = examples.random_hands(rules, street, 2, 8)[: 3 - street, 2:]
    describer = Describer(rules)
    centres = in_order_of_strength(np.unique(describer.board(street, boards[0])[::40], axis=0))
    fit = Fit(emd, rules, {f"centres{street}": centres})
    monkeypatch.setattr(clusters, "board_kinds", lambda *given: BoardKinds(boards, np.ones(len(boards))))
    rows = clusters._rows_of_street(fit, describer, street, 2, lambda share: None)
    index = rules.seen(street)
    numbers = np.flatnonzero(rows != UNKNOWN)
    hands = np.array([[*hole, *boards[0]] for hole in ([0, 51], [17, 30], [44, 45], [3, 4])], np.uint8)
    hands = hands[[len(set(hand)) == hands.shape[1] for hand in hands.tolist()]]
    assert set(index.index(hands)) <= set(numbers)
    assert fit.rows_of(street, examples.moved(hands, 4)).tolist() == rows[index.index(hands)].tolist()
    assert len(set(rows[numbers].tolist())) > 10


def test_fits_and_tables_are_the_same_for_any_number_of_workers():
    one, again, two = (fitted(15, TWENTY, workers) for workers in (1, 1, 2))
    assert one.checksum == again.checksum == two.checksum
    for a, b in zip(one.bucketing.tables(one, 1).row, two.bucketing.tables(two, 2).row):
        assert (a == b).all()


def test_nearest_centres_are_the_same_for_any_number_of_workers():
    rng = np.random.default_rng(5)
    points = rng.integers(0, 2000, (20_000, 8)).astype(np.uint16)
    metric = metric_of(CardRules(), 3)
    assert (
        nearest_centres(metric, points[:50], points, 1)[0] == nearest_centres(metric, points[:50], points, 3)[0]
    ).all()


@pytest.mark.parametrize("deck", [(4, 2, (1, 1, 1)), (2, 4, (3,)), (5, 2, (1, 1, 1))])
def test_more_rows_than_hands_give_each_hand_its_own(deck):
    fit = fitted(5000, deck)
    tables = fit.bucketing.tables(fit)
    assert fit.arrays == {}
    for street, rows in enumerate(fit.rows):
        index = fit.cards.seen(street)
        assert rows == index.size
        assert sorted(tables.row[street].tolist()) == list(range(rows))
        numbers = np.arange(rows)
        assert (fit.rows_of(street, index.unindex(numbers)) == tables.row[street]).all()


def test_rows_are_counted_by_street():
    rules = CardRules()
    assert EarthMover(9000).rows(rules) == (169, 9000, 9000, 9000)
    assert EarthMover("169 1000 2000 500").rows(rules) == (169, 1000, 2000, 500)
    assert EarthMover("10 300").rows(rules) == (10, 300, 300, 300)
    assert EarthMover("1000 300").rows(rules) == (169, 300, 300, 300)
    assert EarthMover(9000).rows(CardRules(*TWENTY)) == (25, 255, 1665, 7760)


def test_rows_rise_with_mean_strength():
    fit = fitted(20, TWENTY)
    for street in (1, 2, 3):
        sums = fit.arrays[f"centres{street}"].sum(axis=1)
        assert (np.diff(sums.astype(int)) >= 0).all()
    best, worst = [16, 17, 18, 0, 4], [0, 1, 4, 8, 15]  # three sixes; a pair of twos
    assert fit.rows_of(3, [best])[0] > fit.rows_of(3, [worst])[0]


@pytest.mark.slow
def test_groups_of_hole_hands_keep_classes_together_in_order():
    groups = group_hole_hands(CardRules(), 8)
    for name in ("AA", "AKs", "32o"):
        ranks = [(a, b) for a in "cdhs" for b in "cdhs" if (a == b) == name.endswith("s") and (name != "AA" or a < b)]
        assert len({int(groups[hand(f"{name[0]}{a}{name[1]}{b}")]) for a, b in ranks}) == 1
    assert groups[hand("AcAd")] == 7
    assert groups[hand("3c2d")] == 0
    assert len(set(groups.tolist())) == 8


def test_labels_name_classes_and_count_clusters():
    rules, emd = CardRules(), EarthMover(200)
    names = {emd.label(rules, 0, row) for row in range(169)}
    assert len(names) == 169
    assert {"AA", "AKs", "T9o", "32s"} <= names
    assert emd.label(rules, 2, 123) == "123"
    assert EarthMover("10 200").label(rules, 0, 9) == "9"


def test_the_string_rebuilds_it():
    assert str(EarthMover()) == "emd"
    assert str(EarthMover(50)) == "emd(k=50)"
    assert str(EarthMover(" 169  1000 ")) == "emd(k='169 1000')"
    assert EarthMover("70") == EarthMover(70)


@pytest.mark.parametrize("k", [0, -1, 65_537, True, 2.5, "", "1 2 3 4 5", "ten", "10 0", None, "9" * 40])
def test_wrong_numbers_of_rows_are_refused_in_one_line(k):
    with pytest.raises(
        GameError, match=r"^emd: k must be a whole number from 1 to 65,536, or one for each street .*got"
    ):
        EarthMover(k)


@pytest.mark.parametrize("sample", [0, "many", True, 10**9])
def test_wrong_samples_are_refused_in_one_line(sample):
    with pytest.raises(GameError, match=r"^emd: sample must be a whole number from 1 to 100,000,000, got"):
        EarthMover(10, sample)


@pytest.mark.parametrize("deck", [(13, 4, ()), (13, 4, (1, 1)), (2, 3, (1, 1, 1)), (13, 4, (3, 1, 1, 1))])
def test_decks_without_a_showdown_are_refused(deck):
    with pytest.raises(GameError, match="emd: expected up to four streets"):
        EarthMover(10).rows(CardRules(*deck))


def test_cards_that_are_none_are_refused():
    fit = fitted(5, SMALL)
    with pytest.raises(CardError, match="twice"):
        fit.rows_of(1, [[0, 0, 1, 2]])
    with pytest.raises(CardError, match="expected 4 cards a row"):
        fit.rows_of(1, [[0, 1, 2]])


def test_progress_is_told_by_street_and_ends_at_one():
    told: dict[str, list[float]] = {}
    emd, rules = EarthMover(15, sample=2000), CardRules(*TWENTY)
    fit = Fit(emd, rules, emd.fit(rules, 2, lambda what, share: told.setdefault(what, []).append(share)))
    emd.tables(fit, 2, lambda what, share: told.setdefault(what, []).append(share))
    assert {what.partition(",")[0] for what in told} == {"clusters", "rows"}
    for shares in told.values():
        assert shares == sorted(shares)
        assert shares[-1] <= 1
    assert told["rows, river"][-1] == 1


def test_medians_are_those_of_statistics():
    rng = np.random.default_rng(6)
    points, labels = rng.integers(0, 9, (50, 3)).astype(np.uint16), rng.integers(0, 4, 50)
    found = middles(EarthMovers(np.uint64(3)), points, labels, points[:4])
    for c in range(4):
        for j in range(3):
            assert found[c, j] == statistics.median_low(points[labels == c, j].tolist())
