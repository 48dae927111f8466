"""Dealt games: the sizes of the papers, and that they are the written-out games in another form."""

import json

import naive
import numpy as np
import pytest
from click.testing import CliRunner
from conftest import flat as flat_table

import mccfr
from mccfr.cli.main import cli
from mccfr.errors import GameError, MethodError
from mccfr.games.kuhn import Kuhn
from mccfr.games.leduc import Leduc
from mccfr.kernel import layout
from mccfr.kernel.averaging import importance
from mccfr.tree.dealt_tree import deal_out

BOTH = [
    "kuhn",
    "kuhn(suits=2)",
    "leduc",
    "leduc(suits=False)",
    "leduc(shift=100)",
    "gp(2,2,1,2)",
    "bluff(1,1,rounds=one,faces=3)",
]
METHODS = [
    "cfr",
    "cfr_plus",
    "dcfr",
    "lcfr",
    "pcfr_plus",
    "pdcfr_plus",
    "sapcfr_plus",
    "hs_dcfr(30, 5)",
    "dcfr_restarts",
]


def places(one, other):
    """For every entry of one list of infosets the entry of the other with the same player, label and action."""
    found = np.empty(one.entries, np.int64)
    for player in (0, 1):
        number = {other.labels[j]: j for j in other.of(player)}
        for j in one.of(player):
            k = number[one.labels[j]]
            assert one.actions(j) == other.actions(k)
            found[one.row[j] : one.row[j + 1]] = np.arange(other.row[k], other.row[k + 1])
    return found


@pytest.mark.parametrize(
    ("game", "infosets", "largest", "terminals"),
    [
        ("dealt:kuhn", 12, 2, 5),
        ("dealt:kuhn(suits=2)", 24, 5, 5),
        ("dealt:leduc", 936, 5, 274),
        ("dealt:leduc(suits=False)", 288, 3, 139),
        ("dealt:gp(6,4,4,1)", 49_920, 23, 3_680),
        ("dealt:gp(13,4,4,1)", 239_200, 51, 7_964),
        ("dealt:bluff(1,1,rounds=one)", 24_576, 6, 4_095),
        ("nlph", 3_380, 169, 38),
    ],
)
def test_sizes_are_those_of_the_papers(game, infosets, largest, terminals):
    """Davis, Schmid and Bowling 2019, table 1; Gibson et al. 2012; Li et al. 2020."""
    counts = mccfr.compile(game).counts
    assert (counts["infosets"], counts["terminals"]) == (infosets, terminals)
    assert counts["largest_infoset"] == largest


@pytest.mark.slow_cases("leduc", "leduc(shift=100)")
@pytest.mark.parametrize("game", BOTH)
def test_a_strategy_is_worth_the_same_in_both_forms(game):
    flat, dealt = mccfr.compile(game), mccfr.compile(f"dealt:{game}")
    assert len(flat.infosets) == len(dealt.infosets)
    dice = np.random.default_rng(5)
    weights = dice.exponential(size=flat.infosets.entries)
    weights[flat.infosets.row[3]] = 0.0
    here = places(dealt.infosets, flat.infosets)
    one = mccfr.evaluate.exact.Evaluator(flat)
    other = mccfr.evaluate.exact.evaluator_for(dealt)
    assert other.nash_conv(weights[here]) == pytest.approx(one.nash_conv(weights), rel=1e-12)
    totals = np.add.reduceat(weights, flat.infosets.row[:-1])
    p = weights / np.repeat(totals, flat.infosets.arity)
    assert other.value(p[here]) == pytest.approx(one.value(p), abs=1e-12)
    one.load(p)
    other.load(p[here])
    for player in (0, 1):
        assert other.best_response(player) == pytest.approx(one.best_response(player), abs=1e-12)


@pytest.mark.slow_cases(
    "leduc-hs_dcfr*", "leduc-pdcfr_plus", "leduc-pcfr_plus", "leduc-sapcfr_plus", "leduc-dcfr_restarts", "leduc-cfr"
)
@pytest.mark.parametrize(
    ("game", "method"),
    [*(("leduc", method) for method in METHODS), ("kuhn", "cfr_plus"), ("bluff(1,1,rounds=one,faces=3)", "cfr_plus")],
)
def test_iterations_are_those_of_the_sequence_form(game, method):
    """To rounding, which grows with the iterations."""
    flat = mccfr.solve(game, method, iterations=8)
    dealt = mccfr.solve(f"dealt:{game}", method, iterations=8)
    here = places(dealt.tree.infosets, flat.tree.infosets)
    for name in ("regret", "average", "current"):
        np.testing.assert_allclose(dealt.state[name], flat.state[name][here], atol=1e-11, err_msg=name)
    assert np.abs(flat.state["regret"]).max() > 0


NAIVE = {
    "dcfr_plus": {"minimiser": naive.discounted(1.5, float("-inf")), "power": 4},
    "pdcfr_plus": {"minimiser": naive.predictive_discounted(2.3), "power": 5},
    "sapcfr_plus": {"minimiser": naive.asymmetric_rm_plus(2), "power": 2},
    "hs_dcfr(30, 4)": {"minimiser": naive.scheduled(4), "fade": naive.fading_by(30, 4)},
    "dcfr_restarts(1.5, 0, 3, 2)": {"minimiser": naive.discounted(1.5, 0), "fade": naive.restarting(3, 2)},
}


@pytest.mark.slow_cases("hs_dcfr*", "dcfr_restarts*", "pdcfr_plus*", "sapcfr_plus*")
@pytest.mark.parametrize("game", [Kuhn(), Leduc(suits=False)], ids=str)
@pytest.mark.parametrize("method", NAIVE)
def test_dealt_iterations_are_those_of_the_naive_twin(game, method):
    """Six of them, so that schedules end and averages restart after 1, 2 and 4."""
    twin = naive.cfr(game, 6, **NAIVE[method])
    solver = mccfr.solve(f"dealt:{game}", method, iterations=6)
    infosets = solver.tree.infosets
    scale = importance(solver.method.averaging, 6.0) if "restarts" in method else 1.0
    pairs = {"regret": twin.regrets, "current": twin.current}
    for name, table in pairs.items():
        np.testing.assert_allclose(solver.state[name], flat_table(infosets, table), rtol=1e-12, atol=1e-12)
    sums = flat_table(infosets, twin.sums)
    np.testing.assert_allclose(solver.state["average"] / scale, sums, atol=1e-12 * sums.max())


class PlainLeduc(Leduc):
    """Leduc as a user would write it: with public and private, and no dealt form of its own."""

    dealt = property()

    def public(self, s):
        return s[0], s[1][2:]

    def private(self, s, i):
        return s[1][i]


def test_a_users_game_with_public_and_private_is_dealt_alike():
    own, found = deal_out(Leduc()), deal_out(PlainLeduc())
    assert [sorted(hands) for hands in found.hands] == [sorted(hands) for hands in own.hands]
    assert found.counts == own.counts
    one, other = (mccfr.Solver(tree, "cfr_plus").run(8) for tree in (own, found))
    here = places(found.infosets, own.infosets)
    np.testing.assert_allclose(other.state["average"], one.state["average"][here], atol=1e-11)


def test_known_values():
    for game, value in (
        ("dealt:kuhn", -1 / 18),
        ("dealt:kuhn(suits=2)", -19 / 465),
        ("dealt:leduc", -0.0856064240780),
        ("dealt:bluff(1,1)", -0.0271317829),
    ):
        strategy = mccfr.solve(game, "dcfr", iterations=500).strategy()
        gap = mccfr.exploitability(strategy)
        assert gap < 1e-3
        assert mccfr.expected_value(strategy) == pytest.approx(value, abs=2 * gap)


def test_nlph_is_solved_and_makes_sense():
    """Its value: our own, bracketed by best responses; a pair of aces is never folded, 72o mostly."""
    strategy = mccfr.solve("nlph", "dcfr", iterations=1000).strategy()
    low, high = -mccfr.best_response(strategy, 1).value, mccfr.best_response(strategy, 0).value
    assert low <= mccfr.expected_value(strategy) <= high
    assert high - low < 0.1  # chips, of a big blind of 100
    assert low < -5.19 < high
    assert strategy["AA:"]["fold"] < 1e-6
    assert strategy["72o:"]["fold"] > 0.9
    assert list(strategy["72o:"]) == ["fold", "call", "raise", "all-in"]
    assert list(strategy["AKs:c"]) == ["check", "raise", "all-in"]
    assert list(strategy["AKs:rrrr"]) == ["fold", "call", "all-in"]


def test_files_and_runs_of_dealt_games(tmp_path):
    run = mccfr.train(tmp_path / "a", "dealt:leduc", "cfr_plus", iterations=30)
    again = mccfr.train(tmp_path / "a", "dealt:leduc", "cfr_plus", iterations=60)
    whole = mccfr.solve("dealt:leduc", "cfr_plus", iterations=60).strategy()
    np.testing.assert_array_equal(again.strategy().probabilities, whole.probabilities)
    assert mccfr.exploitability(mccfr.load(tmp_path / "a" / "strategy.mccfr")) == mccfr.exploitability(whole)
    assert run.config.game == "dealt:leduc"


@pytest.mark.parametrize(
    ("game", "method", "error", "message"),
    [
        ("dealt:goofspiel(n=3)", "cfr", GameError, "goofspiel(n=3) has no dealt form: it needs public(s)"),
        ("dealt:bluff(rounds=literal)", "cfr", GameError, "use rounds=one or rounds=all"),
        ("dealt:leduc", "cfr+simultaneous", MethodError, "needs a written-out tree; dealt ones take cfr, cfr_plus"),
        ("dealt:leduc", "lp", MethodError, "lp needs a written-out tree"),
        ("dealt:lecud", "cfr", GameError, "unknown game 'lecud'; did you mean leduc?"),
        ("leduc", "public_outcome", MethodError, "walks a public tree: solve the dealt form, dealt:leduc"),
        ("leduc", "vector(robust)", MethodError, "walks a public tree: solve the dealt form, dealt:leduc"),
        ("dealt:leduc", "vector(extrenal)", MethodError, "sampling must be one of external, robust, average, outcome"),
        ("dealt:leduc", "public_outcome(2)", MethodError, "epsilon must be a number from 0 to 1, got 2"),
        (
            "dealt:leduc",
            "public_outcome(start=1)",
            MethodError,
            "start must be nothing, uniform, call, walk, a strategy",
        ),
        ("dealt:leduc", "public_outcome+probe", MethodError, "takes plain, static, history, infoset or predictive"),
        (
            "dealt:leduc",
            "vector+history",
            MethodError,
            "history: vector and semi-vector forms take plain, static or infoset",
        ),
        ("dealt:leduc", "vector+floor", MethodError, "does not support a floor"),
        ("nlph(classes=3)", "cfr", GameError, "nlph: classes must be"),
    ],
)
def test_what_cannot_be_dealt_is_refused(game, method, error, message):
    with pytest.raises(error) as refused:
        mccfr.Solver(game, method)
    assert message in str(refused.value)


SAMPLED = {  # bars after 100,000 iterations on Leduc: mean + 4 sd of 6 seeds; the uniform strategy has 2.37
    "vector(external)": 0.065,
    "vector(robust)": 0.45,
    "vector(weighted)": 0.3,
    "public_outcome+rm_plus+linear": 0.42,
    "public_outcome+history+rm_plus+linear": 0.037,
    "public_outcome(0.6)+predictive+rm_plus+linear": 0.0085,
    "public_outcome(start=values)+predictive+prm_plus+quadratic": 0.03,
}


SLOWER = ("vector(external)", "vector(weighted)", "public_outcome(start=values)+predictive+prm_plus+quadratic")


@pytest.mark.slow_cases("public_outcome+history*", "public_outcome+rm_plus+linear", "public_outcome*", "vector(robust)")
@pytest.mark.parametrize("method", [pytest.param(m, marks=[pytest.mark.slow] * (m in SLOWER)) for m in SAMPLED])
def test_sampled_methods_learn_and_are_resumed(method):
    solver = mccfr.Solver("dealt:leduc", method, seed=1)
    assert mccfr.Method.parse(str(solver.method)) == solver.method
    solver.run(40_000)
    other = mccfr.Solver("dealt:leduc", method, seed=1)
    other.restore({name: np.copy(v) if isinstance(v, np.ndarray) else v for name, v in solver.state.items()})
    solver.run(60_000)
    other.run(60_000)
    np.testing.assert_array_equal(solver.state["average"], other.state["average"])
    assert solver.exploitability() < SAMPLED[method]


@pytest.mark.slow
def test_commands_take_dealt_games(tmp_path):
    def told(*words):
        return CliRunner().invoke(cli, [str(word) for word in words])

    file = tmp_path / "nlph.mccfr"
    assert "nlph: 58 nodes, 3,380 infosets" in told("solve", "nlph", "-n", 20, "--out", file).stdout
    assert "AKs:" in told("show", file, "AKs:").stdout
    assert "for player 0" in told("evaluate", file).stdout
    assert told("export", file, tmp_path / "nlph.csv").exit_code == 0
    assert "20,000 chips and blinds of 50 and 100" in told("games", "nlph").stdout
    assert "465 nodes, 936 infosets" in told("games", "dealt:leduc").stdout
    assert told("check", "dealt:leduc").exit_code == 0
    solved = told("solve", "dealt:leduc", "-m", "public_outcome+predictive", "-n", 100, "--json", "--workers", 2)
    assert json.loads(solved.stdout)["reason"].endswith("shares no tables")
    refused = told("audit", "leduc", "-m", "public_outcome")
    assert (refused.exit_code, len(refused.stderr.splitlines())) == (2, 1)
    assert "dealt:leduc" in refused.stderr


@pytest.mark.slow
def test_classes_lose_nothing():
    """The strategy of the 169 classes, played by the 1326 hands, is exactly as good."""
    from mccfr.cards.deck import CLASS_OF_HAND

    classes = mccfr.solve("nlph", "dcfr", iterations=200)
    hands = mccfr.compile("nlph(classes=False)")
    p, row = classes.strategy().probabilities, classes.tree.infosets.row
    lifted = np.empty(hands.infosets.entries)
    for j in range(len(hands.infosets)):
        node, hand = divmod(j, 1326)
        same = node * 169 + CLASS_OF_HAND[hand]
        lifted[hands.infosets.row[j] : hands.infosets.row[j + 1]] = p[row[same] : row[same + 1]]
    there = mccfr.evaluate.exact.evaluator_for(hands).nash_conv(lifted) / 2
    assert there == pytest.approx(classes.exploitability(), rel=1e-9)


def test_what_chance_contributes():
    """In Leduc a public card leaves 5 x 4 pairs, each with 1/30 x 1/4; without suits cards have unlike chances."""
    tree = mccfr.compile("dealt:leduc")
    key, chances = tree.chance_reach
    assert len(chances) == 7
    assert np.array_equal(chances[key[0]], tree.deal)
    words = tree.nodes.reshape(-1, 4).tolist()
    for h in np.flatnonzero(tree.nodes[3::4] & 255 == int(layout.CHANCE)):
        for card in range(6):
            expected = tree.deal / 4.0
            expected[card, :] = expected[:, card] = 0.0
            np.testing.assert_allclose(chances[key[words[h][0] + card]], expected, rtol=1e-15)
    ranks = mccfr.compile("dealt:leduc(suits=False)").chance_reach[1]
    assert ranks[1:].sum(axis=0) == pytest.approx(ranks[0])
    assert ranks[1][0, 1] == pytest.approx(2 / 15 * 1 / 4)  # J against Q, then the other J
    assert ranks[1][1, 2] == pytest.approx(2 / 15 * 2 / 4)
    assert ranks[1][0, 0] == 0.0
