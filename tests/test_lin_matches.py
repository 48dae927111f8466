"""Matches between the bots of Lin 2024: play against exact values, intervals over bots, verdicts, kept trainings."""

import json
from pathlib import Path

import numpy as np
import pytest

import mccfr
from mccfr.evaluate.sampled_play import simple_strategy
from mccfr.jobs import statistics
from mccfr.jobs.statistics import Interval
from mccfr.papers import kept_jobs, lin_bots, lin_lbr, lin_rewards, lin_variants, trained_bots
from mccfr.papers.duplicate_play import at_table, crossed_mean, pair_profits
from mccfr.papers.figure import Done, Figure, Job, Report, Scale
from mccfr.papers.lin_bots import LINS, OURS, REWARDS
from mccfr.papers.trained_bots import Bot
from mccfr.papers.writing import run_figure
from mccfr.playing.transforms import VARIANTS
from mccfr.solvers import engines

SMALL = "holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)"
BIG_BLIND = 2


@pytest.fixture(scope="module")
def strategies():
    tree = mccfr.compile(SMALL)
    return simple_strategy(tree, "call"), mccfr.uniform(tree)


# ---- hands


def exact_profit(one, other):
    return 0.5 * (mccfr.expected_value(one, other) - mccfr.expected_value(other, one)) / BIG_BLIND


@pytest.mark.slow_cases("pair_profits")
@pytest.mark.parametrize("played", [pair_profits, at_table])
def test_profits_are_right_on_average(played, strategies):
    one, other = strategies
    found, exact = played(one, other, 20_000, 1), exact_profit(one, other)
    error = found.std(ddof=1) / np.sqrt(len(found))
    assert abs(exact) > 8 * error  # a sign or a seat that is wrong would be seen
    assert found.mean() == pytest.approx(exact, abs=4 * error)


def test_profits_are_those_of_play_out(strategies):
    one, other = strategies
    told = mccfr.play_out(one, other, hands=2000, seed=5)
    assert pair_profits(one, other, 1000, 5).mean() * BIG_BLIND == pytest.approx(told.mean, abs=1e-12)


# ---- intervals over bots


def made_up_matches(dice, n, spread):
    """mu = 0: strengths of bots, and what a pair of bots has of its own."""
    return dice.normal(size=(n, 1)) + dice.normal(size=(1, n)) + spread * dice.normal(size=(n, n))


@pytest.mark.parametrize("spread", [0.0, 1.0])
def test_intervals_over_bots_cover_and_those_over_matches_do_not(spread):
    dice = np.random.default_rng(17)
    drawn = [made_up_matches(dice, 5, spread) for _ in range(2000)]

    def coverage(interval):
        return np.mean([found.low <= 0.0 <= found.high for found in map(interval, drawn)])

    assert coverage(crossed_mean) > 0.94
    assert coverage(lambda values: statistics.mean(values.ravel())) < 0.8


def test_an_interval_over_bots_by_hand():
    found = crossed_mean(np.array([[1.0, 2.0], [3.0, 4.0]]))
    half = 12.706 * np.sqrt(2.0 / 2 + 0.5 / 2)  # row means 1.5 and 3.5, column means 2 and 3; t with one degree
    assert tuple(found) == pytest.approx((2.5, 2.5 - half, 2.5 + half), rel=1e-4)


def test_one_seed_has_no_interval():
    with pytest.raises(mccfr.MccfrError, match="two seeds or more"):
        crossed_mean(np.zeros((1, 3)))
    for figure in (lin_rewards.FIGURE, lin_variants.FIGURE, lin_lbr.FIGURE):
        with pytest.raises(mccfr.MccfrError, match="run two seeds or more, not 1"):
            figure.first(figure.quick._replace(seeds=1))


# ---- who plays whom


def test_bots_share_no_seed_and_figures_share_bots():
    scale = lin_rewards.FIGURE.quick
    trained = [Bot(**job.arguments) for job in lin_rewards.FIGURE.first(scale)[1]]
    assert len({bot.seed for bot in trained}) == len(trained) == 4 * scale.seeds
    assert {bot.method.rpartition("+")[2] for bot in trained} == {f"reward({y}, unit=100)" for y in REWARDS}
    for figure in (lin_variants.FIGURE, lin_lbr.FIGURE):
        bots = lin_bots.bots_of(figure.quick)
        assert set(bots[LINS]) < set(trained)
        assert {bot.seconds for bot in bots[OURS]} == {scale.seconds}


def test_every_pair_of_rewards_meets_once():
    jobs = [job for job in lin_rewards.FIGURE.jobs(lin_rewards.FIGURE.quick) if "one" in job.arguments]
    pairs = {lin_rewards._rewards_of(Done(job.arguments, {})) for job in jobs}
    assert len(pairs) == 6
    assert {frozenset(pair) for pair in pairs} == {frozenset((a, b)) for a in REWARDS for b in REWARDS if a < b}


# ---- verdicts


def reward_results(profits, noise=0.001):
    """Finished jobs in which strengths differ by these profits."""
    scale = Scale("", 5, 1000, (lin_bots.LIN_GAME, "leduc"), 1000, 1.0)
    dice = np.random.default_rng(3)
    done = []
    for job in lin_rewards.FIGURE.jobs(scale):
        if "one" in job.arguments:
            mean = profits[lin_rewards._rewards_of(Done(job.arguments, {}))]
            done.append(Done(job.arguments, {"profits": list(mean + noise * dice.normal(size=5))}))
        else:
            felt = [[0.0, -0.1, 0.1, 0.0], [0.1, 0.0, 0.1, 0.1], [-0.1, -0.1, 0.0, 0.0], [0.0, -0.1, 0.0, 0.0]]
            noisy = (np.array(felt) + noise * dice.normal(size=(4, 4))).tolist()
            done.append(Done(job.arguments, {"profits": noisy, "exploitability": [0.1, 0.05, 0.2, 0.1 + noise]}))
    return scale, done


@pytest.mark.parametrize(
    ("times", "noise", "verdicts"),
    [
        (1.0, 0.001, ["reproduced"] * 8),
        (0.2, 0.001, ["partly"] * 6 + ["reproduced"] * 2),
        (-1.0, 0.001, ["not reproduced"] * 8),
        (1.0, 3.0, ["not reproduced"] * 6),
    ],
)
def test_claims_about_rewards(times, noise, verdicts):
    scale, done = reward_results({pair: times * value for pair, value in lin_rewards.PUBLISHED.items()}, noise)
    report = lin_rewards.FIGURE.report(scale, done)
    assert [claim.verdict for claim in report.claims[: len(verdicts)]] == verdicts
    if noise < 1.0:
        exact = {claim.claim.partition(": ")[2][:22]: claim.verdict for claim in report.claims[8:]}
        assert exact == {
            "y2 against y1, units a": "reproduced",
            "exploitability with y2": "reproduced",
            "exploitability with y3": "not reproduced",
            "exploitability with y4": "not reproduced",
        }
        matrix = {(row[1], row[2]): float(row[4]) for row in report.rows if row[0] == "hold'em"}
        assert all(matrix[b, a] == pytest.approx(-value) for (a, b), value in matrix.items())


def variant_results(rates, spread):
    scale = Scale("", 4, games=(lin_bots.LIN_GAME, lin_bots.OUR_GAME), samples=1000, seconds=1.0)
    done = []
    for number, job in enumerate(lin_variants.FIGURE.jobs(scale)):
        if "name" in job.arguments:
            rate = rates.get(job.arguments["name"], 0.5) + spread * ((number // len(VARIANTS)) % 4 - 1.5)
            curve = [[hands, rate, rate - 0.01, rate + 0.01] for hands in (500, 1000)]
            done.append(Done(job.arguments, {"curve": curve}))
        else:
            done.append(Done(job.arguments, {"profits": [-1.0, -1.1, -0.9, -1.0 - number / 1000]}))
    return scale, done


def test_claims_about_variants():
    report = lin_variants.FIGURE.report(*variant_results(lin_variants.PUBLISHED, 0.001))
    assert [claim.verdict for claim in report.claims[:9]] == ["reproduced"] * 9
    assert {claim.verdict for claim in report.claims[9:]} == {"no claim"}
    assert report.claims[-1].ours.startswith("-1")
    profit = {row[:4]: float(row[4]) for row in report.rows}
    assert profit[LINS, "mean", "random", 1000] == pytest.approx(4000.0)


def test_claims_about_variants_that_are_not_beaten():
    rates = {**lin_variants.PUBLISHED, "random": -1.0, "tight": 0.0}
    claims = lin_variants.FIGURE.report(*variant_results(rates, 0.2)).claims
    verdicts = {claim.claim: claim.verdict for claim in claims}
    assert verdicts["Lin's bot against its random variant, big blinds a hand"] == "not reproduced"
    assert verdicts["Lin's bot against its tight variant, big blinds a hand"] == "not reproduced"
    assert verdicts["Lin's bot against its tight aggressive variant, big blinds a hand"] == "partly"  # two and a half
    assert verdicts["order of variants, the easiest first"] == "not reproduced"
    assert verdicts["all bots are profitable against virtually all variants"] == "not reproduced"


@pytest.mark.parametrize(("mbb", "verdict"), [(700.0, "not reproduced"), (-700.0, "no claim"), (20.0, "no claim")])
def test_claims_about_local_best_response(mbb, verdict):
    scale = Scale("", 4, games=(lin_bots.LIN_GAME, lin_bots.OUR_GAME), samples=1000, seconds=1.0)
    done = [
        Done(job.arguments, {"mbb": list(Interval(mbb + 10 * (number // 4), 0.0, 1.0)), "hands": 1000})
        for number, job in enumerate(lin_lbr.FIGURE.jobs(scale))
    ]
    claims = lin_lbr.FIGURE.report(scale, done).claims
    assert [claim.verdict for claim in claims] == [verdict if mbb != 20.0 else claims[0].verdict] * 4 + ["no claim"] * 4
    assert "Slumbot 2016: 4,020" in claims[1].ours


# ---- trainings


@pytest.mark.filterwarnings("ignore:overflow")  # of interpreted dice
def test_a_trained_bot_is_kept_and_not_trained_again(tmp_path, monkeypatch):
    monkeypatch.setenv("MCCFR_CACHE", str(tmp_path))
    monkeypatch.setattr(engines, "run_walks", engines.run_walks.interpreted)
    bot = Bot("kuhn", "external", 3, 0.01)
    first = trained_bots.train_bot(*bot)
    assert first["iterations"] > 0
    kept = trained_bots.load_bot(bot).probabilities
    assert kept.dtype == np.float32
    with monkeypatch.context() as broken:
        broken.setattr(mccfr, "Solver", None)
        assert trained_bots.train_bot(*bot) == first
    bot.path.write_bytes(bot.path.read_bytes()[:1000])
    assert trained_bots.train_bot(*bot)["iterations"] > 0  # damaged: trained again
    assert bot._replace(seed=4).path != bot.path != bot._replace(seconds=0.02).path
    monkeypatch.setenv("MCCFR_CACHE", "off")
    with pytest.raises(mccfr.MccfrError, match="set MCCFR_CACHE to one, instead of off"):
        trained_bots.train_bot(*bot)


def append(name, log):
    """A job that writes down when it was done."""
    with Path(log).open("a") as file:
        file.write(name)
    return {"name": name}


def test_stages_follow_each_other_and_are_kept(tmp_path):
    log = tmp_path / "log"
    stages = [[Job(append, {"name": name, "log": str(log)}) for name in names] for names in ("ab", "c", "de")]
    seen = []
    for fresh, expected in ((False, "abcde"), (False, "abcde"), (True, "abcdeabcde")):
        done = kept_jobs.do_stages(stages, tmp_path, 1, fresh, lambda *news: seen.append(news[:2]))
        assert [job.result["name"] for job in done] == list("abcde")
        assert log.read_text() == expected
    assert {total for _, total in seen} == {5}
    lines = (tmp_path / kept_jobs.KEPT).read_text().splitlines()
    assert [json.loads(line)["result"]["name"] for line in lines] == list("abcde")


def test_fresh_forgets_what_stages_have_left(tmp_path):
    left, log = tmp_path / "left", tmp_path / "log"
    figure = Figure(
        "x", "x", "x", Scale("", 1), Scale("", 1), lambda scale: [Job(append, {"name": "a", "log": str(log)})],
        lambda scale, done: Report(("x",), [(1,)], []), "", lambda rows, axes: axes.plot([1, 2], label="x"),
        kept=lambda scale: [left],
    )  # fmt: skip
    for fresh in (False, True):
        left.write_text("bot")
        run_figure(figure, figure.quick, tmp_path / "out", 1, fresh, "x", lambda *news: None)
        assert left.exists() is not fresh


# ---- planted bugs


@pytest.mark.parametrize("bug", ["only rows", "hands are the unit"])
def test_planted_bugs_in_intervals_are_caught(bug):
    def only_rows(values):
        return statistics.mean(values.mean(axis=1))

    wrong = only_rows if bug == "only rows" else lambda values: statistics.mean(values.ravel())
    dice = np.random.default_rng(17)
    drawn = [dice.normal(size=(5, 1)) + 3.0 * dice.normal(size=(1, 5)) for _ in range(500)]
    assert np.mean([found.low <= 0.0 <= found.high for found in map(wrong, drawn)]) < 0.8
