"""Rewards, pruning and first strategies: formulas, numbers worked out by hand, audits by enumeration, and refusals."""

import numpy as np
import pytest

import mccfr
from mccfr.auditing.auditor import enumerate_outcomes
from mccfr.auditing.bench import Bench
from mccfr.auditing.truth import exact_values, felt_values
from mccfr.betting.lines import ALL_IN, BETS, CALL, CHECK, FOLD, RAISES, Move
from mccfr.betting.rules_of_thumb import CHANCES, prior_weights
from mccfr.errors import BettingError
from mccfr.kernel import layout
from mccfr.kernel.rewards import AsPaid, LargeLoss, PowerLoss, ScaledLoss, felt
from mccfr.solvers import engines, parallel
from mccfr.tree.history_tree import HistoryTree

SHAPES = {"y1": AsPaid(), "y2": ScaledLoss(), "y3": PowerLoss(), "y4": LargeLoss()}


@pytest.fixture
def interpreted(monkeypatch):
    """Walks as plain Python: a few are done before they would be compiled."""
    plain = engines.run_walks.interpreted
    for room in (engines, parallel):
        monkeypatch.setattr(room, "run_walks", plain)
    with np.errstate(over="ignore"):
        yield


# ------------------------------------------------------------------------------------------------------------- rewards


@pytest.mark.parametrize(
    ("shape", "u", "right"),
    [
        *(("y1", u, u) for u in (-100.0, -1.0, 0.0, 3.0)),
        *((shape, u, u) for shape in ("y2", "y3", "y4") for u in (0.0, 0.5, 100.0)),  # wins are as they are
        ("y2", -10.0, -15.0),  # the example of the paper
        ("y2", -100.0, -150.0),
        ("y3", -100.0, -157.8),
        ("y4", -100.0, -152.8),
        ("y3", -1.0, -5.35),
        ("y3", -1e-12, -5.0),  # a jump
        ("y4", -1.0, -1.0),
        ("y4", -26.0, -26.0),  # not worse than u up to 26.6
        ("y4", -28.0, -0.35 * 28.0**1.32),
    ],
)
def test_what_is_felt(shape, u, right):
    assert felt(SHAPES[shape], u) == pytest.approx(right, abs=0.05 if abs(right) > 152 else 1e-9)


@pytest.mark.parametrize("shape", ["y2", "y3", "y4"])
def test_a_unit_is_so_many_chips(shape):
    for u in (-50.0, -3.0, 2.0):
        assert felt(type(SHAPES[shape])(100.0), 100.0 * u) == pytest.approx(100.0 * felt(SHAPES[shape], u))


def test_y4_leaves_u_where_the_paper_says():
    assert pytest.approx((26.6, 26.7), rel=2e-3) == (0.35 * 26.6**1.32, 0.35 * 26.7**1.32)
    assert felt(LargeLoss(), -26.5) == -26.5
    assert felt(LargeLoss(), -26.8) < -26.8


def entry(tree, label, action):
    infosets = tree.infosets
    j = infosets.labels.index(label)
    return int(infosets.row[j]) + infosets.actions(j).index(action)


def test_regrets_that_are_felt_by_hand(interpreted):
    """Kuhn under y2, everybody even, with the queen: against J and K, checking is worth 5/8 and -15/8, betting 3/2, -1.

    Facing a bet with it, calling is worth 2 and -3, folding -3/2.
    """
    tree = mccfr.compile("kuhn")
    found = felt_values(tree, mccfr.uniform("kuhn").probabilities, ScaledLoss())
    assert found.regret[entry(tree, "Q:", "bet")] == pytest.approx((7 / 8 + 7 / 8) / 2 / 6)
    assert found.regret[entry(tree, "Q:b", "call")] == pytest.approx((7 / 2 - 3 / 2) / 2 / 2 / 6)
    walked = mccfr.Solver(tree, "everything+reward(y2)").run(1).state["regret"]
    assert walked[entry(tree, "Q:", "bet")] == pytest.approx((7 / 8 + 7 / 8) / 2 / 6)


def test_what_is_felt_as_paid_is_the_truth():
    tree = mccfr.compile("kuhn")
    played = tree.infosets.uniform()
    for one, other in zip(felt_values(tree, played, AsPaid()), exact_values(tree, played)):
        np.testing.assert_allclose(one, other, atol=1e-15)


def test_players_feel_more_loss_together_than_there_is():
    tree = mccfr.compile("kuhn")
    value = felt_values(tree, tree.infosets.uniform(), ScaledLoss()).value
    assert value.sum() < -0.1


FELT = [
    "external+reward(y2)",
    "outcome+reward(y3)",
    "robust(1)+probe(2)+reward(y3)",
    "uniform+infoset+reward(y4, unit=0.01)",
    "outcome+static(uniform)+reward(y2)",
    "average_strategy(0.1, 10, 1.5)+reward(y3)",
    "chance+reward(y2)",
    "everything+reward(y4, unit=0.01)",
]


@pytest.mark.parametrize("game", ["kuhn", "dealt:kuhn"])
def test_audits_of_rewards(game):
    for row in mccfr.audit(game, FELT, exact=True).rows:
        assert row.unbiased, row.method


def test_y4_below_27_units_is_the_payoff(interpreted):
    plain, gentle = (mccfr.Solver("kuhn", f"external{rest}").run(50).state for rest in ("", "+reward(y4)"))
    np.testing.assert_array_equal(plain["regret"], gentle["regret"])


# ------------------------------------------------------------------------------------------------------------- pruning


def expected_share(bench, below, chance):
    """Of every entry whose infoset no own action leads to: how much of its regret increments remains on average."""
    tree, infosets = bench.tree, bench.tree.infosets
    ends = np.zeros(infosets.entries, bool)
    kinds = tree.nodes[layout.KIND :: 4]
    for h in np.flatnonzero(kinds & 255 < 2):
        child, row, arity = int(tree.nodes[4 * h]), int(tree.nodes[4 * h + 1]), int(kinds[h] >> 8)
        ends[row : row + arity] |= (kinds[child : child + arity] & 255) == int(layout.TERMINAL)
    hopeless = (bench.table.current == 0) & (bench.table.regret < below) & ~ends
    first = np.repeat(np.asarray(infosets.parent) < 0, infosets.arity)
    return np.where(hopeless, 1 - chance, 1.0), first


@pytest.mark.parametrize("chance", [0.0, 0.25, 0.95])
def test_a_hopeless_regret_changes_by_a_share_and_values_stay_exact(chance):
    bench = Bench(mccfr.compile("kuhn"), mccfr.Method.parse(f"external+prune(-0.3, {chance})"), seed=3)
    bench.rewind()
    share, first = expected_share(bench, -0.3, chance)
    found, regrets = enumerate_outcomes(bench).mean, slice(0, bench.entries)
    assert (share[first] < 1).any() == (chance > 0)
    np.testing.assert_allclose(found[regrets][first], (share * bench.truth[regrets])[first], atol=1e-12)
    np.testing.assert_allclose(found[-2:], bench.truth[-2:], atol=1e-12)


def test_the_audit_says_that_pruning_is_biased():
    biased, harmless, floored = mccfr.audit(
        "kuhn", ["external+prune(-0.3)", "external+prune(-0.3, chance=0)", "external+prune(-0.3)+floor"], exact=True
    ).rows
    assert biased.biased == ("regrets", "averages")
    assert harmless.unbiased
    assert floored.unbiased  # where everything is played, nothing is pruned


def test_walks_get_shorter(interpreted):
    plain, pruned = (mccfr.Solver("leduc", m).run(300) for m in ("external", "external+prune(-1)"))
    assert pruned.touched < 0.9 * plain.touched


@pytest.mark.filterwarnings("ignore:overflow")  # of dice, in threads that are interpreted
@pytest.mark.parametrize("mode", ["replicas", "batch", "shared", "locked"])
def test_options_work_with_every_way_to_share_walks(mode, interpreted):
    solver = mccfr.Solver("kuhn", "external+prune(-1)+reward(y3)", workers=2, parallel=mode).run(60)
    assert solver.iterations >= 60
    assert np.isfinite(solver.exploitability())


# -------------------------------------------------------------------------------------------------------------- priors


def shares(rates, *moves):
    return prior_weights(rates, moves)


SMALL_BET, BIG_BET, SHOVE = Move(BETS, 3), Move(BETS, 6), Move(ALL_IN, 100)
SMALL_RAISE, BIG_RAISE = Move(RAISES, 6), Move(RAISES, 12)


@pytest.mark.parametrize(
    ("rate", "row"), [(0.0, 0), (0.199, 0), (0.2, 1), (0.39, 1), (0.4, 2), (0.6, 3), (0.799, 3), (0.8, 4), (1.0, 4)]
)
def test_rows_of_the_table_by_win_rate(rate, row):
    np.testing.assert_allclose(shares(rate, FOLD, CALL, SMALL_RAISE, SHOVE), [CHANCES[row]])


def test_moves_share_what_their_kind_has():
    (found,) = shares(0.5, FOLD, CALL, SMALL_RAISE, BIG_RAISE, SHOVE)
    np.testing.assert_allclose(found, [0.3, 0.45, 0.2, 0.025, 0.025])


def test_kinds_that_are_not_offered_leave_theirs_to_the_others():
    np.testing.assert_allclose(shares(0.1, CHECK, SMALL_BET, BIG_BET), [np.array([0.85, 0.04, 0.01]) / 0.9])
    np.testing.assert_allclose(shares(0.9, FOLD, CALL), [[0.02 / 0.32, 0.3 / 0.32]])
    np.testing.assert_allclose(shares(0.9, CHECK), [[1.0]])
    np.testing.assert_allclose(shares(0.1, FOLD, CALL, SHOVE), [np.array([0.85, 0.1, 0.01]) / 0.96])  # all-in is rare


def test_many_rates_at_once():
    assert np.array_equal(CHANCES.sum(axis=1).round(12), np.ones(5))
    rates = np.linspace(0, 1, 21)
    found = shares(rates, FOLD, CALL, SMALL_RAISE, SHOVE)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert (np.diff(found[:, 0]) <= 0).all()  # stronger hands fold less
    assert (np.diff(found[:, 2:].sum(axis=1)) >= 0).all()  # and raise more


def test_wrong_rates_and_menus_are_refused():
    with pytest.raises(BettingError, match=r"a win rate is a number from 0 to 1, not 1.5"):
        shares([0.5, 1.5], FOLD, CALL)
    with pytest.raises(BettingError, match="not nan"):
        shares(np.nan, FOLD, CALL)
    with pytest.raises(BettingError, match="at least one move"):
        shares(0.5)


@pytest.fixture
def first_strategy(monkeypatch):
    """Kuhn with a first strategy: every first action with 3/4."""

    def prior(tree, kappa):
        regrets = np.zeros(tree.infosets.entries)
        regrets[::2], regrets[1::2] = 0.75 * kappa, 0.25 * kappa
        return regrets

    monkeypatch.setattr(HistoryTree, "prior", prior)


@pytest.mark.parametrize(("workers", "mode"), [(1, "auto"), (2, "replicas"), (2, "shared"), (2, "batch")])
def test_training_begins_with_the_first_strategy(first_strategy, interpreted, workers, mode):
    engine = mccfr.Solver("kuhn", "external+prior(4)", workers=workers, parallel=mode).engine
    assert set(engine.regrets()) == {3.0, 1.0}
    assert set(engine.current()) == {0.75, 0.25}
    assert not engine.weights().any()


def test_a_first_strategy_is_played_and_fades(first_strategy, interpreted):
    solver = mccfr.Solver("kuhn", "everything+prior(1)").run(1)
    played = solver.strategy().probabilities.reshape(-1, 2)
    assert played[:6] == pytest.approx(np.tile([0.75, 0.25], (6, 1)))  # met by player 1, before player 0 changes it
    assert mccfr.solve("kuhn", "external+prior(1)", iterations=3000).exploitability() < 0.05


def test_other_trees_have_no_first_strategy():
    for game in ("kuhn", "dealt:leduc"):
        with pytest.raises(mccfr.MccfrError) as error:
            mccfr.Solver(game, "external+prior")
        assert str(error.value).endswith("prior goes by the win rate of cards, so it is for hold'em through buckets")


# --------------------------------------------------------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("external+reward", "external+reward(y2)"),
        ("external+reward(y1)", "external"),
        ("external+reward(y3, 100)", "external+reward(y3, unit=100)"),
        ("outcome+reward(y4)+floor", "outcome(epsilon=0.6)+floor(start=0.01, until=40000)+reward(y4)"),
        ("external+reward(y2)+reward(y1)", "external"),
        ("external+prune", "external+prune(below=-300, chance=0.95)"),
        ("external+prior", "external+prior(1)"),
        ("external+prior(0)", "external"),
        (
            "external+prior(2)+prune(-5, 0.5)+reward(y3)+batch(4)",
            "external+reward(y3)+prune(below=-5, chance=0.5)+prior(2)+batch(4)",
        ),
    ],
)
def test_strings(text, written):
    method = mccfr.Method.parse(text)
    assert str(method) == written
    assert mccfr.Method.parse(written) == method


WALKS = "start with a sampler (external, outcome, robust, average_strategy, include, ...)"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("cfr+reward(y2)", WALKS),
        ("vector+reward(y2)", WALKS),
        ("public_outcome+reward(y2)", WALKS),
        ("external+history+reward(y2)", "use infoset, static, probe or plain"),
        ("external+reward(y2)+predictive", "use infoset, static, probe or plain"),
        ("external+reward(y5)", "reward: 'y5' is no shape; known: y1, y2, y3, y4"),
        ("external+reward(2)", "reward: 2 is no shape; did you mean y2?"),
        ("external+reward(y2, 0)", "reward: unit must be a number from 1e-09 to 1e+300, got 0"),
        ("outcome+prune", "prune leaves out some of all own actions, so it takes a sampler that visits all: external"),
        ("cfr+prune", "prune leaves out some of all own actions, so it takes a sampler that visits all: external"),
        ("external+prune+rm_plus", "use rm, weighted or discounted"),
        ("external+discounted(1.5, -inf)+prune", "use rm, weighted or discounted"),
        ("external+prune(1)", "prune: below must be 0 or a number less than 0, got 1"),
        ("external+prune(-1, 1)", "prune: chance must be a number from 0 and less than 1, got 1"),
        ("external+prior(-1)", "prior: kappa must be a number from 0 to 1e+300, got -1"),
        ("cfr+prior", WALKS),
        ("semi_vector+prior", WALKS),
    ],
)
def test_what_does_not_fit_is_refused(text, problem):
    with pytest.raises(mccfr.MccfrError) as error:
        mccfr.Method.parse(text)
    assert str(error.value).endswith(problem)


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("pruning", -300.0, "Method: pruning must be mccfr.kernel.pruning.Prune(...) or None, got -300.0"),
        ("prior", "1", "Method: prior must be a number from 0, got '1'"),
        ("prior", float("nan"), "Method: prior must be a number from 0, got nan"),
    ],
)
def test_fields_that_are_wrong(field, value, problem):
    with pytest.raises(mccfr.MccfrError) as error:
        mccfr.Method(mccfr.samplers.External(), **{field: value})
    assert str(error.value) == problem
