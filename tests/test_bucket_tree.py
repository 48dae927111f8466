"""The tree of hold'em through buckets: its size, where entries lie, what infosets are called, what is refused."""

import functools

import numpy as np
import pytest
from bucket_walk_examples import EXAMPLES, PlainDice, Twin, alike, calling_faults, compiled, every_deal, without_streets
from naive_spots import deck_of

import mccfr
from mccfr.betting.flat_tree import build_tree, tree_size
from mccfr.betting.rules_of_thumb import WIN_RATES, prior_weights
from mccfr.buckets.bucketing import CardRules, Fit
from mccfr.buckets.registry import make_bucketing
from mccfr.errors import BettingError, MethodError, StrategyError, TreeError
from mccfr.kernel.layout import FarRows, LeanTable, Near
from mccfr.tree import bucket_build, bucket_tree, showdown_rates
from mccfr.tree.bucket_infosets import BucketInfosets

INFOSETS = {2: 96_056, 3: 476_934, 5: 3_624_290, 8: 23_551_424, 10: 57_337_080}  # [Gibson et al. 2012], table 1 for ten

tree_of = functools.cache(compiled)


@functools.cache
def limit_tree():
    """The betting of limit hold'em."""
    return build_tree(mccfr.game("holdem(limit)").betting)


def unfitted(buckets, cards=None):
    """A fit that knows its rows and nothing else, for sizes: fitting takes minutes."""
    return Fit(make_bucketing(buckets), cards or CardRules(), {})


# ---- how large


def test_limit_has_as_many_decisions_as_the_literature_says():
    assert tree_size(mccfr.game("holdem(limit)").betting).decisions == (8, 70, 630, 5670)
    assert limit_tree().size.decisions == (8, 70, 630, 5670)


@pytest.mark.parametrize("buckets", INFOSETS)
def test_infosets_of_limit(buckets):
    betting = limit_tree()
    found = BucketInfosets(betting, unfitted(f"ehs2({buckets})"), *bucket_build.blocks_of(betting, False))
    assert len(found) == INFOSETS[buckets]
    assert len(found) == sum(nodes * buckets ** (1 + street) for street, nodes in enumerate((8, 70, 630, 5670)))
    moves = [int(betting.arity[(betting.kind >= 0) & (betting.street == s)].sum()) for s in range(4)]
    assert found.entries == sum(count * buckets ** (1 + s) for s, count in enumerate(moves))
    dealer_first = found.first[1], len(found) - found.first[1]  # the dealer decides more often before the flop
    assert sum(dealer_first) == INFOSETS[buckets]


def test_ten_buckets_are_compiled_without_tables(monkeypatch):
    """57 million infosets in megabytes; names are found in both directions."""
    monkeypatch.setattr(bucket_build, "fitted", lambda buckets, cards: unfitted(buckets, cards))
    tree = mccfr.compile("holdem(limit, ehs2(10))", memory_limit="64GB")
    assert tree.counts["infosets"] == 57_337_080
    assert tree.counts["memory"] == 12 * tree.infosets.entries
    assert tree.table_bytes("float64") == 16 * tree.infosets.entries
    assert isinstance(tree.infosets.labels, mccfr.tree.dealt_infosets.Names)
    for j in np.random.default_rng(1).integers(0, 57_337_080, 200).tolist():
        assert tree.infosets.find(tree.infosets.name(j)) == j
    assert tree.infosets.name(tree.infosets.find("9.0.3:r4c/kk/b4")) == "9.0.3:r4c/kk/b4"


def nodes_and_rows(tree):
    """Decisions, and the rows of their streets."""
    nodes = np.flatnonzero(tree.betting.kind >= 0).tolist()
    return [(h, tree.fit.rows[int(tree.betting.street[h])]) for h in nodes]


@pytest.mark.parametrize("name", [name for name in EXAMPLES if "forgetful" not in name])
def test_every_decision_has_an_infoset_for_each_row(name):
    tree = tree_of(name)
    assert len(tree.infosets) == sum(rows for _, rows in nodes_and_rows(tree))


@pytest.mark.parametrize("name", ["exact", "exact, order of the board", "exact, all-ins"])
def test_exact_rows_are_all_hands_up_to_an_exchange_of_suits(name):
    rules = tree_of(name).fit.cards
    for street in range(rules.streets):
        sizes = (2, *rules.deals[:street])
        assert tree_of(name).fit.rows[street] == len({alike(x, rules.suits) for x in every_deal(rules, sizes)})


@pytest.mark.parametrize("buckets", ["emd(3)", "emd('4 3 2')"])
def test_infosets_with_clusters(monkeypatch, buckets):
    monkeypatch.setattr(bucket_build, "fitted", lambda buckets, cards: unfitted(buckets, cards))
    tree = mccfr.compile(f"holdem(limit(cap=1), {buckets}, ranks=5, suits=2, board='1 1 1')")
    rows = {"emd(3)": (25, 3, 3, 3), "emd('4 3 2')": (4, 3, 2, 2)}[buckets]  # one number is for later streets
    assert tree.fit.rows == rows
    assert len(tree.infosets) == sum(rows[int(tree.betting.street[h])] for h, _ in nodes_and_rows(tree))


@pytest.mark.parametrize("name", ["forgetful", "forgetful rows by hand"])
def test_forgetful_decisions_share_rows(name):
    """As many infosets as classes of lines have rows, and the same entries for all lines of a class."""
    tree = tree_of(name)
    classes = {}
    for h, rows in nodes_and_rows(tree):
        s = tree.given.betting.at(tree.betting.line(h))
        classes.setdefault((s.mover, s.street, without_streets(tree.given.betting, s)), []).append((h, rows))
    assert len(tree.infosets) == sum(members[0][1] for members in classes.values())
    assert max(map(len, classes.values())) > 1
    entries = {tuple({int(tree.infosets.node_entry[h]) for h, _ in members}) for members in classes.values()}
    assert all(len(shared) == 1 for shared in entries)
    assert len(entries) == len(classes)
    for (h, rows), *others in classes.values():
        for other, _ in others:
            line, alike_line = tree.betting.line(h), tree.betting.line(other)
            label = tree.fit.label(int(tree.betting.street[h]), rows - 1)
            assert tree.infosets.find(f"{label}:{line}") == tree.infosets.find(f"{label}:{alike_line}")


# ---- where entries lie


@pytest.mark.parametrize("name", EXAMPLES)
def test_rows_of_decisions_fill_the_table_and_do_not_overlap(name):
    tree = tree_of(name)
    infosets = tree.infosets
    owner = np.full(infosets.entries, -1)
    for h, rows in nodes_and_rows(tree):
        k, first, stride = int(tree.betting.arity[h]), int(infosets.node_entry[h]), int(infosets.node_stride[h])
        leader = int(infosets.leader_of[h])
        for row in {0, rows // 2, rows - 1} if rows > 50 else range(rows):
            here = slice(first + row * stride, first + row * stride + k)
            assert set(owner[here].tolist()) <= {-1, leader}
            owner[here] = leader
            number = infosets.number(h, row)
            assert infosets._place(number) == (leader, row)
            assert infosets.entry(number) == here.start == infosets.row[number]
            assert infosets.actions(number) == infosets.menus[infosets.menu[number]]
            assert infosets.owner(number) == int(tree.betting.kind[h])
    if max(tree.fit.rows) <= 50:
        assert (owner >= 0).all()
    assert infosets.row[-1] == infosets.entry(len(infosets)) == infosets.entries


@pytest.mark.parametrize("name", ["percentiles", "forgetful"])
def test_tables_by_decision(name):
    infosets = tree_of(name).infosets
    dice = np.random.default_rng(1)
    weights = dice.exponential(size=infosets.entries) * (dice.random(infosets.entries) < 0.3)
    found, visited = infosets.normalised(weights)
    for j in dice.integers(0, len(infosets), 300).tolist():
        mine = weights[infosets.row[j] : infosets.row[j + 1]]
        expected = mine / mine.sum() if mine.any() else np.full(len(mine), 1 / len(mine))
        assert found[infosets.row[j] : infosets.row[j + 1]] == pytest.approx(expected, abs=1e-15)
        assert visited[j] == mine.any()
        assert infosets.uniform()[infosets.row[j]] == 1 / len(mine)


def test_tables_are_told_apart_by_their_buckets_and_their_menus():
    base = "holdem(limit(cap=1, bets={bets}), exact, ranks=3, suits=3, board=3)"
    one, same, menu = (mccfr.compile(base.format(bets=bets)) for bets in ("2", "2", "'2 3'"))
    assert one.infosets.fits(same.infosets)
    assert not one.infosets.fits(menu.infosets)
    assert len({one.fingerprint, same.fingerprint, menu.fingerprint}) == 2
    other = Fit(one.fit.bucketing, one.fit.cards, {"x": np.zeros(1)})
    changed = BucketInfosets(one.betting, other, *bucket_build.blocks_of(one.betting, False))
    assert not one.infosets.fits(changed)
    tree = bucket_tree.BucketTree(one.game, one.given, one.betting, other, one.nodes, one.stakes, changed)
    assert tree.fingerprint != one.fingerprint


def test_tables_that_stay_in_the_cache_are_not_looked_ahead_to(monkeypatch):
    tree = tree_of("exact")
    assert tree.walk_view().memory == Near()
    monkeypatch.setattr(bucket_tree, "NEAR_ENTRIES", 10)
    assert tree.walk_view().memory == FarRows()


@pytest.mark.parametrize(("word", "kind"), [("auto", np.float32), ("float32", np.float32), ("float64", np.float64)])
def test_tables_have_the_precision_asked_for(word, kind):
    table = tree_of("exact").tables(word)
    assert isinstance(table, LeanTable)
    assert (table.regret.dtype, table.average.dtype) == (kind, np.float64)
    method = "external" if word == "auto" else f"external+{word}"
    assert mccfr.Solver(tree_of("exact"), method).engine.table.regret.dtype == kind


# ---- names


@pytest.mark.parametrize("name", EXAMPLES)
def test_labels_are_found_again(name):
    infosets = tree_of(name).infosets
    step = max(1, len(infosets) // 500)
    for j in range(0, len(infosets), step):
        assert infosets.find(infosets.labels[j]) == j
        assert infosets.find(infosets.labels[j], infosets.owner(j)) == j


@pytest.mark.parametrize("name", EXAMPLES)
def test_real_cards_are_found_by_their_row(name):
    tree = tree_of(name)
    twin = Twin(tree, [1, 2, 3, 4]).iterate(5)
    for key, labels in twin.labels.items():
        for label in labels:
            street, cards = key[1], [twin.names.index(c) for c in _cards(label)]
            row = int(tree.fit.rows_of(street, [cards])[0])
            line = "/".join(part.partition(":")[2] if n else part for n, part in enumerate(_line(label)))
            assert tree.infosets.find(label) == tree.infosets.find(f"{tree.fit.label(street, row)}:{line}", key[0])


def _line(label):
    return label.partition(":")[2].split("/")


def _cards(label):
    texts = [label.partition(":")[0], *(part.partition(":")[0] for part in _line(label)[1:])]
    return [text[j : j + 2] for text in texts for j in range(0, len(text), 2)]


def test_ways_to_write_cards():
    find = tree_of("exact").infosets.find
    here = find("2c3d:r4c/2h3h4h:k")
    for same in ("3d2c:r4c/2h3h4h:k", "2C 3D:r4c/ 2h 3h 4h :k", "2d3c:r4c/2h4h3h:k", "2h3c:r4c/2d3d4d:k"):
        assert find(same) == here
    assert find("2c3d:r4c/2h3h4h") == find("2c3d:r4c/2h3h4h:") == find("2h3c:r4c/4d3d2d:") != here
    assert find("2c3d:r4c/2h3h4d:k") != here


@pytest.mark.parametrize(
    ("label", "line"),
    [
        ("2c3d", "no infoset '2c3d': write ROW:LINE or HAND:LINE, as in '0:c'"),
        ("", "no infoset '': write ROW:LINE or HAND:LINE, as in '0:c'"),
        ("9:", "no infoset '9:': there is no row '9', one is '4'"),
        ("-1:", "no infoset '-1:': there is no row '-1', one is '4'"),
        ("٣:", "no infoset '٣:': there is no row '٣', one is '4'"),
        ("0:f", "no infoset '0:f': nobody moves after 'f'"),
        ("0:r4c/kk", "no infoset '0:r4c/kk': nobody moves after 'r4c/kk'"),
        ("0:r5", "'r5' at character 1 is not offered, expected one of f (Fold), c (Call), r4 (Raise(4))"),
        ("2c2c:", "no infoset '2c2c:': expected a hand of the deck, and between / and : the board (none there)"),
        ("AcKd:", "expected a hand of the deck, and between / and : the board (none there)"),
        ("2c3s:", "expected a hand of the deck, and between / and : the board (none there)"),
        ("2c3d:r4c/", "expected a hand of the deck, and between / and : the board (3 different cards there)"),
        ("2c3d:r4c/2h3h:", "the board (3 different cards there)"),
        ("2c3d:r4c/2h3h3d:", "the board (3 different cards there)"),
        ("2c3d:r4c/2h3h4h4d:k", "the board (3 different cards there)"),
    ],
)
def test_wrong_labels(label, line):
    with pytest.raises(StrategyError) as told:
        tree_of("exact").infosets.find(label)
    assert line in str(told.value)
    assert "\n" not in str(told.value)


def test_labels_of_the_other_player():
    with pytest.raises(StrategyError, match="'2c3d:r4' of player 1: player 0 moves there"):
        tree_of("exact").infosets.find("2c3d:r4", 1)


def test_there_is_no_infoset_beyond_the_last():
    infosets = tree_of("exact").infosets
    for beyond in (-1, len(infosets)):
        with pytest.raises(IndexError, match=r"there are 2,736"):
            infosets.name(beyond)


# ---- what is too large


def never(*_):
    raise AssertionError("made although it is refused")


def test_a_game_that_is_too_large_is_refused_before_anything_is_made(monkeypatch):
    for made in ("build_tree", "fitted"):
        monkeypatch.setattr(bucket_build, made, never)
    with pytest.raises(TreeError) as told:
        mccfr.compile("holdem(limit, ehs2(10))", memory_limit="100MB")
    assert str(told.value) == (
        "holdem(betting=limit(), buckets=ehs2()): 57,337,080 infosets with 16,584 betting nodes would need "
        "at least 1.3 GB; the limit is 100.0 MB (raise it with memory_limit=, --memory-limit or MCCFR_MEMORY_LIMIT)"
    )


def test_a_menu_with_too_many_sizes_is_refused_before_anything_is_made(monkeypatch):
    for made in ("build_tree", "fitted"):
        monkeypatch.setattr(bucket_build, made, never)
    line = r"^[^\n]*: [\d,]+ infosets with [\d,]+ betting nodes would need at least [^\n]* the limit is 1\.0 MB[^\n]*$"
    with pytest.raises(TreeError, match=line):
        mccfr.compile("holdem(nolimit(stack=200, bet='50%,100%,a', raise_=a), emd(2000))", memory_limit="1MB")


@pytest.mark.slow
def test_a_tree_that_cannot_be_counted_is_refused(monkeypatch):
    for made in ("build_tree", "fitted"):
        monkeypatch.setattr(bucket_build, made, never)
    menu = "bet='10%,20%,30%,50%,100%,200%,a', raise_='50%,100%,a'"
    with pytest.raises(BettingError, match=r"about [\d,]+ nodes, too many to count them exactly: offer fewer sizes"):
        mccfr.compile(f"holdem(nolimit(stack=9000, {menu}), emd(200))")


def test_tables_that_are_too_large_are_refused_before_they_are_made(monkeypatch):
    monkeypatch.setattr(bucket_build, "fitted", lambda buckets, cards: unfitted(buckets, cards))
    tree = mccfr.compile("holdem(limit, ehs2(10))", memory_limit="1.8GB")
    with pytest.raises(TreeError, match=r"the tables of [\d,]+ entries.*the limit is 1\.8 GB"):
        tree.tables("float64")


def test_decks_whose_deals_are_too_many_are_not_listed(monkeypatch):
    assert tree_of("exact").quickly_measured
    monkeypatch.setattr(bucket_tree, "MOST_DEALS", 7559)
    tree = compiled("exact")
    with pytest.raises(TreeError, match=r"7,560 ways to deal, at most 7,559 are listed: take fewer ranks or suits"):
        next(tree.deals())
    assert not tree.quickly_measured


# ---- first regrets and baselines


@pytest.mark.parametrize("name", EXAMPLES)
def test_calling_values_are_what_calling_down_pays(name):
    assert calling_faults(tree_of(name)) == []


@pytest.fixture
def few_deals(monkeypatch):
    """So many that rates are right to 0.02."""
    monkeypatch.setattr(showdown_rates, "DEALS", 250_000)


@pytest.mark.slow
@pytest.mark.usefixtures("few_deals")
def test_first_regrets_go_by_the_win_rate_of_each_row():
    """Counted here over all deals; rows near the border of two rules may fall on either side of it."""
    tree, kappa = tree_of("percentiles"), 5.0
    regrets = tree.prior(kappa)
    sure = 0
    for street, rates in enumerate(exact_win_rates(tree)):
        clear = [row for row, rate in rates.items() if min(abs(rate - border) for border in WIN_RATES) > 0.02]
        sure += len(clear)
        for h in np.flatnonzero((tree.betting.kind >= 0) & (tree.betting.street == street)).tolist():
            part = tree.infosets.at_node(regrets, h)
            for row in clear:
                assert part[row] == pytest.approx(kappa * prior_weights(rates[row], tree.betting.moves(h))[0])
    assert sure > 25
    engine = mccfr.Solver(tree, f"external+prior({kappa})").engine
    assert engine.table.regret == pytest.approx(regrets, rel=1e-6)
    assert not engine.table.average.any()
    assert engine.current() == pytest.approx(tree.infosets.normalised(regrets)[0], abs=1e-6)


def exact_win_rates(tree):
    """By street: the win rate of each row, a tie being half a win."""
    seen = [{} for _ in tree.fit.rows]
    for chance, words in tree.deals():
        for street, rates in enumerate(seen):
            for player, result in ((0, words[8]), (1, 2 - words[8])):
                sums = rates.setdefault(words[4 * player + street], [0.0, 0.0])
                sums[0] += chance
                sums[1] += chance * result / 2
    return [{row: won / total for row, (total, won) in rates.items()} for rates in seen]


@pytest.mark.usefixtures("few_deals")
def test_showdowns_are_counted_for_both_players():
    tree = tree_of("percentiles")
    for counts, rates in zip(showdown_rates.showdown_counts(tree.fit, tree.cards), exact_win_rates(tree)):
        found = showdown_rates.win_rates(counts)
        assert counts.sum() == 2 * showdown_rates.DEALS
        assert found[list(rates)] == pytest.approx(list(rates.values()), abs=0.02)


def test_infoset_baselines_have_a_number_for_each_node_row_and_player():
    tree = tree_of("rows by hand")
    rows = [tree.fit.rows[street] for street in tree.betting.street.tolist()]
    parts = mccfr.Solver(tree, "outcome+infoset").engine.parts
    assert len(parts.estimator.table) == len(parts.estimator.visits) == 2 * sum(rows)
    assert parts.estimator.first.tolist() == [sum(rows[:h]) for h in range(len(rows))]
    assert len(mccfr.Solver(tree, "outcome+infoset(0.1)").engine.parts.estimator.visits) == 1


# ---- what does not fit


@pytest.mark.parametrize(
    ("method", "line"),
    [
        ("outcome+history", "keeps nothing for single histories: take infoset or static(call)"),
        ("outcome+predictive", "keeps nothing for single histories: take infoset or static(call)"),
        ("outcome+static(uniform)", "keeps nothing for single histories: take infoset or static(call)"),
        ("external+predictive_rm_plus", "no room for forecasts: take rm or rm_plus"),
        ("external+int16", "take float32 or float64"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_would(method, line):
    with pytest.raises(MethodError) as told:
        mccfr.Solver(tree_of("exact"), method)
    assert line in str(told.value)
    assert "\n" not in str(told.value)


def test_dice_of_the_twin_are_those_of_the_walk():
    from mccfr.kernel.dice import below, seeded, uniform

    ours, plain = seeded(7), PlainDice(seeded(7).state)
    with np.errstate(over="ignore"):
        for k in range(2, 50):
            assert int(below(ours, np.uint64(k))) == plain.below(k)
            u = float(uniform(ours))
            law = [u, 1.0 - u]
            plain_u = plain.choose(law)
            assert plain_u == (1, 1.0 - u)  # u itself belongs to the next place
    assert deck_of(3, 2) == ["2c", "2d", "3c", "3d", "4c", "4d"]
