"""Cards: the deck, the evaluator against every known count and a slow twin, exact equities, the hand grid."""

import io
import itertools
import math
import random
import sys
import time
from collections import Counter

import numpy as np
import pytest
from click.testing import CliRunner
from rich.console import Console

import mccfr
from mccfr.cards import deck, equity, evaluator, grid, ranges, showdowns, strengths
from mccfr.cards.deck import CardError
from mccfr.cli.main import cli
from mccfr.errors import FileError, MissingExtra

# ---------------------------------------------------------------------------------------------------------------- deck


def test_cards_and_hands_have_their_numbers():
    assert [deck.card(text) for text in ("2c", "2s", "3c", "As")] == [0, 3, 4, 51]
    assert [deck.card_name(deck.card(text)) for text in ("Td", "7h")] == ["Td", "7h"]
    assert deck.cards("as Kd") == [51, 45]
    assert [deck.hand(text) for text in ("2c2d", "2d2c", "AhAs", "AsKs")] == [0, 0, 1325, 51 * 50 // 2 + 47]
    for number, (low, high) in enumerate(deck.HAND_CARDS):
        assert low < high
        assert deck.hand_of(high, low) == deck.hand(deck.hand_name(number)) == number
    assert len(deck.HAND_CARDS) == math.comb(52, 2) == deck.HANDS


def test_classes_fill_the_grid():
    assert [deck.CLASS_NAMES[j] for j in (0, 1, 12, 13, 14, 156, 168)] == ["AA", "AKs", "A2s", "AKo", "KK", "A2o", "22"]
    assert [deck.hand_class(name) for name in deck.CLASS_NAMES] == list(range(169))
    assert deck.hand_class("2As") == deck.hand_class("A2s")
    assert Counter(deck.CLASS_SIZES.tolist()) == {6: 13, 4: 78, 12: 78}
    for name, size in zip(deck.CLASS_NAMES, deck.CLASS_SIZES):
        assert size == {"s": 4, "o": 12}.get(name[2:], 6)
    assert deck.CLASS_NAMES[deck.CLASS_OF_HAND[deck.hand("7d2c")]] == "72o"
    assert deck.CLASS_NAMES[deck.CLASS_OF_HAND[deck.hand("9h8h")]] == "98s"


def test_exchanging_suits_keeps_classes_and_moves_cards():
    assert (deck.CLASS_OF_HAND[deck.PERMUTED_HANDS] == deck.CLASS_OF_HAND).all()
    assert (np.sort(deck.PERMUTED_HANDS, axis=1) == np.arange(deck.HANDS)).all()
    for suits, moved in zip(deck.SUIT_PERMUTATIONS, deck.PERMUTED_HANDS):
        s, d = deck.SUITS[suits[3]], deck.SUITS[suits[1]]
        assert moved[deck.hand("As7d")] == deck.hand(f"A{s}7{d}")
    pairs = deck.disjoint()
    assert pairs.sum() == 1326 * 1225
    assert not pairs[deck.hand("AsKs"), deck.hand("AsQd")]
    assert pairs[deck.hand("AsKs"), deck.hand("AdKd")]


@pytest.mark.parametrize(
    ("call", "text", "said"),
    [
        (deck.card, "1s", "'1s' is not a card"),
        (deck.card, "A", "as in 'As'"),
        (deck.cards, "AsKsAs", "the same card twice"),
        (deck.hand, "AsKsQs", "expected two cards"),
        (deck.hand_class, "AK", "say 's' for suited or 'o' for offsuit"),
        (deck.hand_class, "AAs", "a pair takes no letter"),
        (deck.hand_class, "A1s", "expected one like"),
        (deck.hand_class, "", "expected one like"),
    ],
)
def test_texts_that_are_no_cards_are_refused(call, text, said):
    with pytest.raises(CardError, match=said) as caught:
        call(text)
    assert "\n" not in str(caught.value)


# ----------------------------------------------------------------------------------------------------------- evaluator

# Published counts (Wikipedia, "Poker probability"; B. Alspach, "6-Card Poker Hands"), straight flushes with royal ones.
FREQUENCIES = {
    5: (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40),
    6: (6612900, 9730740, 2532816, 732160, 361620, 205792, 165984, 14664, 1844),
    7: (23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584),
}
DISTINCT = {5: 7462, 6: 6075, 7: 4824}  # strengths that so many cards can have as their best


@pytest.mark.parametrize("size", [5, 6, 7])
def test_all_hands_of_a_size_have_the_published_frequencies(size):
    counts = evaluator.count_strengths(size)
    assert counts.sum() == math.comb(52, size)
    assert (counts > 0).sum() == DISTINCT[size]
    assert evaluator.count_categories(size) == dict(zip(strengths.CATEGORIES, FREQUENCIES[size]))


def test_there_are_7462_strengths():
    assert np.bincount(strengths.all_strengths().category).tolist() == [1277, 2860, 858, 858, 10, 1277, 156, 156, 10]


def test_sums_of_keys_never_coincide():
    """So a sum names its ranks; seven cards imply fewer, since the same two could be added to both."""
    ranks = strengths.all_strengths().ranks
    sums = ranks[ranks.sum(axis=1) == 7] @ np.array(evaluator.KEYS)
    assert len(sums) == len(np.unique(sums)) == 49205
    assert sums.max() < 2**32


def slow_value(five):
    """Five cards by the rule book: category, then ranks by how many there are and how high."""
    ranks = Counter(card // 4 for card in five)
    order = sorted(ranks, key=lambda rank: (ranks[rank], rank), reverse=True)
    shape = sorted(ranks.values(), reverse=True)
    straight = len(ranks) == 5 and max(ranks) - min(ranks) == 4
    if sorted(ranks) == [0, 1, 2, 3, 12]:
        straight, order = True, [3, 2, 1, 0, -1]
    flush = len({card % 4 for card in five}) == 1
    if straight and flush:
        return 8, order
    if shape in ([4, 1], [3, 2]):
        return (7 if shape == [4, 1] else 6), order
    if flush or straight:
        return (5 if flush else 4), order
    return {(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(tuple(shape), 0), order


def slow_best(cards):
    return max(slow_value(five) for five in itertools.combinations(cards, 5))


@pytest.mark.parametrize(("size", "hands"), [(5, 8000), (6, 2500), (7, 1500)])
def test_strengths_order_hands_as_the_rule_book_does(size, hands):
    dice = random.Random(size)
    drawn = [dice.sample(range(52), size) for _ in range(hands)]
    drawn += [dice.sample(range(0, 52, 4), size) for _ in range(hands // 10)]  # flushes
    drawn += [dice.sample(range(16), size) for _ in range(hands // 10)]  # low ranks: straights, full houses, quads
    slow, fast = [slow_best(cards) for cards in drawn], evaluator.evaluate(drawn)
    assert [strengths.CATEGORIES[category] for category, _ in slow] == [evaluator.category(s) for s in fast]
    order = sorted(range(len(drawn)), key=lambda j: slow[j])
    for one, other in itertools.pairwise(order):
        assert (slow[one] < slow[other]) == (fast[one] < fast[other])
        assert (slow[one] == slow[other]) == (fast[one] == fast[other])


@pytest.mark.parametrize("hands", [20_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_an_independent_evaluator_agrees_on_random_hands(hands):
    """phevaluator numbers the strengths of five to seven cards from 1, the best, to 7462: ours, turned round."""
    theirs = pytest.importorskip("phevaluator").evaluate_cards
    for size in (5, 6, 7):
        count = hands if size == 7 else hands // 10
        drawn = np.random.default_rng(size).random((count, 52), np.float32).argpartition(size, axis=1)[:, :size]
        expected = [strengths.STRENGTHS - theirs(*cards) for cards in drawn.tolist()]
        assert (evaluator.evaluate(drawn) == expected).all()


def test_known_hands_come_in_their_order():
    rising = [
        "7s5d4h3c2s",
        "AsKdQhJc9s",
        "2s2d5h4c3s",
        "AsAdKhQcJs",
        "3s3d2h2c4s",
        "AsAdKhKcQs",
        "2s2d2h4c3s",
        "5s4d3h2cAs",
        "6s5d4h3c2s",
        "AsKdQhJcTs",
        "7s5s4s3s2s",
        "2s2d2h3c3s",
        "AsAdAhKcKs",
        "2s2d2h2c3s",
        "AsAdAhAcKs",
        "5s4s3s2sAs",
        "AsKsQsJsTs",
    ]
    found = [evaluator.strength(deck.cards(text)) for text in rising]
    assert found == sorted(set(found))
    assert (found[0], found[-1]) == (0, 7461)
    assert evaluator.strength(deck.cards("AsKdQhJcTs2s2d")) == evaluator.strength(deck.cards("AcKcQhJcTs9s"))
    assert evaluator.category(evaluator.strength(deck.cards("2s2d3h3c4s4dAh"))) == "two pair"


@pytest.mark.parametrize("size", [3, 4, 5])
def test_all_hands_are_ranked_on_a_board(size):
    board = random.Random(size).sample(range(52), size)
    ranked = evaluator.rank_hands(board)
    blocked = np.isin(deck.HAND_CARDS, board).any(axis=1)
    assert (~blocked).sum() == math.comb(52 - size, 2)
    assert (ranked[blocked] == -1).all()
    live = np.flatnonzero(~blocked)
    assert (ranked[live] == evaluator.evaluate([[*board, *deck.HAND_CARDS[h]] for h in live])).all()


@pytest.mark.parametrize(
    ("ranks", "suits", "board"), [(13, 4, 5), (13, 4, 3), (5, 4, 3), (6, 3, 4), (9, 4, 5), (7, 1, 3), (4, 2, 3)]
)
def test_hands_of_smaller_decks_are_ranked_as_the_rule_book_says(ranks, suits, board):
    """Every hand of the deck, and the order of every pair of them."""
    chosen = random.Random(100 * ranks + suits).sample(range(ranks * suits), board)
    ranked = evaluator.rank_deck(chosen, ranks, suits)
    assert ranked.dtype == np.int16
    if (ranks, suits) == (13, 4):
        assert (ranked == evaluator.rank_hands(chosen)).all()
    names, live, slow = ranges.deck_of(ranks, suits).hand_cards.tolist(), [], []
    for number, hole in enumerate(names):
        assert (ranked[number] == -1) == bool(set(hole) & set(chosen))
        if ranked[number] >= 0:
            live.append(int(ranked[number]))
            slow.append(slow_best([4 * (c // suits) + c % suits for c in (*hole, *chosen)]))
    assert len(live) == math.comb(ranks * suits - board, 2)
    order = sorted(range(len(live)), key=lambda j: slow[j])
    for one, other in itertools.pairwise(order):
        assert (slow[one] < slow[other]) == (live[one] < live[other])
        assert (slow[one] == slow[other]) == (live[one] == live[other])


def test_a_smaller_deck_has_the_strengths_of_the_whole_one():
    """2 to 6 in four suits: the cards are the first twenty, so hands and strengths are the first of the whole deck."""
    board = deck.cards("2c 4d 6h")
    assert (evaluator.rank_deck(board, 5, 4) == evaluator.rank_hands(board)[: math.comb(20, 2)]).all()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: evaluator.rank_deck([0, 1], 5, 4), "three to five different cards, 0 to 19, not"),
        (lambda: evaluator.rank_deck([0, 1, 20], 5, 4), "0 to 19"),
        (lambda: evaluator.rank_deck([0, 1, 1], 5, 4), "different"),
        (lambda: evaluator.rank_deck([0, 1, 2], 14, 4), "1 to 13 ranks, 1 to 4 suits"),
        (lambda: evaluator.strength(deck.cards("AsKs")), "five to seven cards"),
        (lambda: evaluator.strength([1, 2, 3, 4, 52]), "0 to 51, not 1 to 52"),
        (lambda: evaluator.strength([0, 5, 9, 5, 12, 40]), "3d is twice"),
        (lambda: evaluator.rank_hands([1, 2]), "three to five different cards"),
        (lambda: evaluator.rank_hands([1, 2, 2]), "three to five different cards"),
        (lambda: evaluator.count_strengths(4), "five to seven"),
    ],
)
def test_sets_that_cannot_be_evaluated_are_refused(call, said):
    with pytest.raises(CardError, match=said):
        call()


# -------------------------------------------------------------------------------------------------------------- equity

# P(win) + P(tie) / 2 of a class against another, in percent: QQ against 87s from PokerStove (pokerstrategy.com, thread
# 3979), the others to three decimals from public engines that enumerate all boards.
PUBLISHED = {
    ("AA", "KK"): 81.946,
    ("AKs", "22"): 49.893,
    ("AKo", "22"): 47.351,
    ("AKo", "QQ"): 43.242,
    ("AKs", "QQ"): 46.049,
    ("72o", "AA"): 11.800,
    ("JTs", "AA"): 21.160,
    ("AA", "AKs"): 87.859,
    ("QQ", "87s"): 78.2594,
}
# The same against an unknown hand: jazbo.com, "Heads-up Hold'em", from its count of the 47,008 distinct match-ups.
UNKNOWN = {
    **{"AA": 0.8520371, "KK": 0.8239568, "QQ": 0.7992516, "JJ": 0.7746947, "TT": 0.7501178, "99": 0.7205725},
    **{"88": 0.6916304, "AKs": 0.6704463, "77": 0.6623602, "A4s": 0.5903364, "A7o": 0.5884120, "K8s": 0.5831235},
    **{"A3s": 0.5822032, "QJo": 0.5813469, "K9o": 0.5781192, "A5o": 0.5769653, "A6o": 0.5768245, "Q9s": 0.5766432},
    **{"K5o": 0.5331397, "J9o": 0.5325120, "K2s": 0.5321173, "Q5s": 0.5276941, "T8s": 0.5233437, "Q4s": 0.5185530},
    **{"96s": 0.4742829, "J2s": 0.4737815, "T5s": 0.4721626, "86s": 0.4624327, "85o": 0.4142753, "64s": 0.4133332},
}
# Hands on all boards: (wins, losses, ties); how often aces and kings have 0, 1 and 2 suits in common is 6, 24 and 6.
ACES_KINGS = {"KhKs": (1388072, 317694, 6538), "KdKh": (1399204, 305177, 7923), "KcKd": (1410336, 292660, 9308)}


@pytest.fixture(scope="module")
def classes():
    return equity.class_equities()


@pytest.fixture(scope="module")
def all_boards():
    """[1712304, 5] every choice of five of 48 things."""
    numbers = itertools.chain.from_iterable(itertools.combinations(range(48), 5))
    return np.fromiter(numbers, np.int64, 5 * equity.BOARDS).reshape(-1, 5)


def brute_force(one, other, all_boards):
    """Wins, losses and ties of two hands, board by board."""
    dealt = deck.cards(one + other)
    boards = np.delete(np.arange(52), dealt)[all_boards]
    ours, theirs = (
        evaluator.evaluate(np.concatenate([np.broadcast_to(h, (len(boards), 2)), boards], axis=1))
        for h in (dealt[:2], dealt[2:])
    )
    return int((ours > theirs).sum()), int((ours < theirs).sum()), int((ours == theirs).sum())


def test_classes_match_published_equities(classes):
    share = classes.win + classes.tie / 2
    for (one, other), percent in PUBLISHED.items():
        found = 100 * share[deck.hand_class(one), deck.hand_class(other)]
        assert found == pytest.approx(percent, abs=6e-5 if percent == 78.2594 else 6e-4)
    against = {name: classes.against_all[deck.hand_class(name)] for name in UNKNOWN}
    assert against == pytest.approx(UNKNOWN, abs=6e-8)
    assert 100 * classes.against_all[deck.hand_class("22")] == pytest.approx(50.3340, abs=6e-5)  # PokerStove's FAQ


def test_totals_are_exact(classes):
    """Every pair and every board has one winner or none; pairs are counted from both sides alike."""
    assert classes.pairs.sum() == 1326 * 1225
    assert (classes.pairs.sum(axis=1) == deck.CLASS_SIZES * 1225).all()
    assert (classes.pairs == classes.pairs.T).all()
    pairs = {names: classes.pairs[tuple(map(deck.hand_class, names))] for names in PUBLISHED}
    assert (pairs["AA", "KK"], pairs["AKo", "22"], pairs["AA", "AKs"], pairs["QQ", "87s"]) == (36, 72, 12, 24)
    assert classes.pairs[0, 0] == 6
    assert (classes.ties > 0).all()
    assert (classes.ties == classes.ties.T).all()
    assert (classes.edge == -classes.edge.T).all()
    assert classes.win + classes.win.T + classes.tie == pytest.approx(1)
    assert classes.deal.sum() == pytest.approx(1)
    assert (classes.deal * classes.edge).sum() == pytest.approx(0, abs=1e-15)
    assert 2 * classes.against_all @ deck.CLASS_SIZES == pytest.approx(1326)


@pytest.mark.slow
def test_aces_against_kings_by_brute_force(classes, all_boards):
    """Three match-ups on all 1,712,304 boards each, and their sum in the shipped table."""
    found = {kings: brute_force("AcAd", kings, all_boards) for kings in ACES_KINGS}
    assert found == ACES_KINGS
    aces, kings = deck.hand_class("AA"), deck.hand_class("KK")
    wins, losses, ties = (sum(n * x for n, x in zip((6, 24, 6), counts)) for counts in zip(*found.values()))
    assert (classes.wins[aces, kings], classes.wins[kings, aces], classes.ties[aces, kings]) == (wins, losses, ties)


def test_kinds_of_boards():
    kinds = showdowns.board_kinds()
    assert {copies: len(boards) for copies, boards in kinds.items()} == {4: 2301, 12: 48503, 24: 83655}
    assert sum(copies * len(boards) for copies, boards in kinds.items()) == math.comb(52, 5)
    seen = set()
    for copies, boards in kinds.items():
        for board in boards[:: len(boards) // 50].tolist():
            images = {frozenset(c // 4 * 4 + suits[c % 4] for c in board) for suits in deck.SUIT_PERMUTATIONS}
            assert len(images) == copies
            assert not images & seen
            seen |= images


def test_wins_on_some_boards_by_comparing_every_pair():
    boards, wins = showdowns.board_kinds()[12][1000:48000:15000], np.zeros((1326, 1326), np.int32)
    showdowns._add_boards(boards, 12, wins)
    expected = np.zeros_like(wins)
    for board in boards.tolist():
        ranked = evaluator.rank_hands(board)
        live = ranked >= 0
        expected += 12 * ((ranked[:, None] > ranked) & live[:, None] & live)
    assert (wins == expected).all()


@pytest.mark.slow
def test_the_table_of_all_hands(classes, all_boards, tmp_path, monkeypatch):
    """Counted from nothing: exact totals, known match-ups, the shipped table is its sum, and it is found again."""
    monkeypatch.setenv("MCCFR_CACHE", str(tmp_path))
    shares = []
    hands = equity.hand_equities(shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert (hands.pairs == deck.disjoint()).all()
    assert (hands.wins[hands.pairs == 0] == 0).all()
    assert (hands.ties[hands.pairs == 1] > 0).all()
    assert (hands.wins == hands.wins[np.ix_(deck.PERMUTED_HANDS[9], deck.PERMUTED_HANDS[9])]).all()
    for one, other in [("AsKs", "QhQd"), ("7d2c", "AdAh"), ("JsTs", "2h2d"), ("9h8h", "AhKd")]:
        i, j = deck.hand(one), deck.hand(other)
        assert (hands.wins[i, j], hands.wins[j, i], hands.ties[i, j]) == brute_force(one, other, all_boards)
    aces = deck.hand("AsAc")
    for other, win, tie in [("KsQc", 0.8765, 0.0049), ("7d6d", 0.7681, 0.0032)]:  # Wikipedia, "Poker probability"
        assert hands.win[aces, deck.hand(other)] == pytest.approx(win, abs=6e-5)
        assert hands.tie[aces, deck.hand(other)] == pytest.approx(tie, abs=6e-5)
    assert all((a == b).all() for a, b in zip(equity.by_class(hands), classes))
    monkeypatch.setattr(equity, "count_equities", lambda progress: pytest.fail("counted again"))
    assert (equity.hand_equities().wins == hands.wins).all()

    written = tmp_path / "written.equity"
    monkeypatch.setattr(equity, "count_equities", lambda: hands)
    monkeypatch.setattr(equity, "SHIPPED", written)
    monkeypatch.setattr(sys, "argv", ["equity", "--write"])
    with pytest.raises(SystemExit, match="0"):
        equity.main()
    assert (equity.load(written, 169).wins == classes.wins).all()


def test_an_interrupt_stops_the_count(monkeypatch):
    calls = []

    def stop(share):
        raise KeyboardInterrupt

    monkeypatch.setattr(showdowns, "_add_boards", lambda *args: calls.append(time.sleep(0.005)))
    with pytest.raises(KeyboardInterrupt):
        showdowns.count_wins(stop, threads=2)
    assert 0 < len(calls) < 100  # of 527


def test_there_are_47008_match_ups():
    least = np.full((1326, 1326), 1326**2)
    for moved in deck.PERMUTED_HANDS:
        pair = moved[:, None] * 1326 + moved
        least = np.minimum(least, np.minimum(pair, pair.T))
    assert len(np.unique(least[deck.disjoint()])) == 47008


def test_a_sample_played_by_the_rule_book(classes):
    """AKo against JTs with random suits and boards, evaluated by the slow twin."""
    dice, games, won = random.Random(7), 3000, 0.0
    ours, theirs = (
        [h for h in range(1326) if deck.CLASS_OF_HAND[h] == c] for c in map(deck.hand_class, ("AKo", "JTs"))
    )
    for _ in range(games):
        dealt = [*deck.HAND_CARDS[dice.choice(ours)], *deck.HAND_CARDS[dice.choice(theirs)]]
        board = dice.sample([c for c in range(52) if c not in dealt], 5)
        one, other = slow_best([*dealt[:2], *board]), slow_best([*dealt[2:], *board])
        won += (one > other) + (one == other) / 2
    share = (classes.win + classes.tie / 2)[deck.hand_class("AKo"), deck.hand_class("JTs")]
    assert abs(won / games - share) < 4 * math.sqrt(share * (1 - share) / games)


def test_another_table_is_refused(classes, tmp_path):
    path = tmp_path / "some.equity"
    wins = classes.wins.copy()
    wins[0, 1] += 1
    equity.save(path, equity.Equities(wins, classes.pairs))
    with pytest.raises(FileError, match=r"some.equity is damaged: its numbers do not have the checksum \w{16}\.\.\.$"):
        equity.load(path, 169)
    equity.save(path, classes)
    assert (equity.load(path, 169).wins == classes.wins).all()
    with pytest.raises(FileError, match="version 1 for 169 hands, expected version 1 for 1326 hands"):
        equity.load(path, 1326)
    equity.save(path, equity.Equities(classes.wins, classes.pairs[:5]))
    with pytest.raises(FileError, match=r"pairs.npy has the shape \(5, 169\), expected \(169, 169\)"):
        equity.load(path, 169)
    path.write_bytes(equity.SHIPPED.read_bytes()[:-1000])
    with pytest.raises(FileError, match="is not a table of equities, or is damaged or cut short"):
        equity.load(path, 169)


def test_a_damaged_or_forbidden_cache_does_not_stand_in_the_way(classes, tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(equity, "count_equities", lambda progress: made.append(1) or classes)
    (tmp_path / equity.CACHED).write_text("nonsense")
    monkeypatch.setenv("MCCFR_CACHE", str(tmp_path))
    assert equity.hand_equities() is classes
    assert (tmp_path / equity.CACHED).read_bytes()[:2] == b"PK"
    (tmp_path / "file").touch()
    for folder in (str(tmp_path / "file"), "off"):
        monkeypatch.setenv("MCCFR_CACHE", folder)
        assert equity.hand_equities() is classes
    assert len(made) == 3


def test_the_shipped_table_is_small_and_cannot_be_changed(classes):
    assert equity.SHIPPED.stat().st_size < 300_000
    with pytest.raises(ValueError, match="read-only"):
        classes.wins[0, 0] = 1


# ---------------------------------------------------------------------------------------------------------------- grid


def lines(table, width=100):
    out = io.StringIO()
    Console(width=width, color_system=None, file=out).print(table)
    return out.getvalue().splitlines()


def test_the_grid_in_the_terminal_has_suited_hands_in_the_upper_right():
    values = np.arange(169.0)
    values[168] = np.nan
    found = lines(grid.grid_table(values, "Numbers", ".0f"), width=80)
    assert found[0].strip() == "Numbers"
    assert found[1].split() == list("AKQJT98765432")
    rows = [line.split() for line in found[2:15]]
    assert rows[0] == ["A", *map(str, range(13))]
    assert rows[1][:3] == ["K", str(deck.hand_class("AKo")), str(deck.hand_class("KK"))]
    assert rows[0][2] == str(deck.hand_class("AKs"))
    assert rows[12] == ["2", *map(str, range(156, 168))]


def test_shades_go_from_low_to_high():
    values = np.linspace(0, 1, 169)
    cells = [cell for column in list(grid.grid_table(values, "t").columns)[1:] for cell in column.cells]
    styles = {cell.plain.strip(): cell.style for cell in cells}
    assert styles["0.00"] == "white on rgb(32,48,79)"
    assert styles["1.00"] == "black on rgb(244,226,133)"
    narrow = next(iter(list(grid.grid_table(values, "t", low=0.9, high=1.0).columns)[-1].cells))
    assert narrow.style == "white on rgb(32,48,79)"
    above = list(grid.grid_table(values, "t", low=0.0, high=0.1).columns)[-1].cells
    assert {cell.style for cell in list(above)[1:]} == {"black on rgb(244,226,133)"}
    same = list(grid.grid_table(np.ones(169), "t").columns)[1].cells
    assert {cell.style for cell in same} == {"white on rgb(42,157,143)"}


@pytest.mark.slow
def test_the_grid_as_a_picture(tmp_path):
    figure = pytest.importorskip("matplotlib.figure").Figure()
    axes = figure.subplots()
    values = np.linspace(0, 1, 169)
    values[5] = np.inf
    grid.draw_grid(axes, values, "Title", ".3f")
    texts = {text.get_text(): text.get_position() for text in axes.texts if text.get_weight() == "bold"}
    assert {name: (round(x), round(y)) for name, (x, y) in texts.items()} == {
        name: (number % 13, number // 13) for number, name in enumerate(deck.CLASS_NAMES)
    }
    assert (round(texts["AKs"][0]), round(texts["AKs"][1])) == (1, 0)
    assert axes.get_title() == "Title"
    for suffix, magic in {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}.items():
        grid.save_grid(tmp_path / f"grid{suffix}", values, "Title")
        assert (tmp_path / f"grid{suffix}").read_bytes().startswith(magic)


def test_grids_that_cannot_be_drawn(tmp_path, monkeypatch):
    with pytest.raises(CardError, match=r"each of the 169 classes, not an array of shape \(13, 13\)"):
        grid.grid_table(np.zeros((13, 13)), "t")
    with pytest.raises(FileError, match=r"expected a name that ends in \.png, \.svg, \.pdf"):
        grid.save_grid(tmp_path / "grid.doc", np.zeros(169), "t")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"pip install 'mccfr\[plot\]'"):
        grid.save_grid(tmp_path / "grid.png", np.zeros(169), "t")


@pytest.mark.slow
def test_a_holdem_strategy_as_grids(tmp_path):
    """The upper right is suited; 1326 hands and 169 classes tell the same; wrong lines and actions are told."""
    strategy = mccfr.solve("nlph", "dcfr", iterations=200).strategy()
    found = strategy.grids("r")
    assert list(found) == ["fold", "call", "raise", "all-in"]
    assert found["fold"][deck.hand_class("72o")] == strategy["72o:r"]["fold"] > 0.99
    assert found["fold"][deck.hand_class("AA")] == strategy["AA:r"]["fold"] < 0.01
    np.testing.assert_allclose(sum(found.values()), 1.0)
    hands = mccfr.uniform("nlph(classes=False)").grids()
    np.testing.assert_allclose(hands["raise"], 0.25)
    strategy.save(tmp_path / "s.mccfr")

    def told(*words):
        return CliRunner().invoke(cli, ["show", str(tmp_path / "s.mccfr"), *map(str, words)])

    assert "fold after r, %" in told("--grid", "r").stdout
    assert told("--grid", "r", "--action", "fold").stdout.count("suited") == 1
    assert told("--grid", "", "--picture", tmp_path / "g.svg").exit_code == 0
    assert "AKs" in (tmp_path / "g.svg").read_text()
    for words, message in (
        (("--grid", "x"), "no player moves after the line 'x'"),
        (("--grid", "", "--action", "bet"), "no action 'bet'"),
        (("--action", "bet"), "go with --grid"),
        (("AA:", "--grid", ""), "not both"),
    ):
        refused = told(*words)
        assert refused.exit_code == 2
        assert message in refused.stderr
        assert refused.stdout == ""
