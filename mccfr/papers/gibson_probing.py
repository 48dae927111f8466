"""Gibson et al. 2012, figures 3a and 3b: probing converges faster in Goofspiel(7), and hardly so in Bluff(2,2)."""

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.jobs import statistics
from mccfr.jobs.statistics import Floats, Interval
from mccfr.papers import curves
from mccfr.papers.curves import NODES, SECONDS, Runs
from mccfr.papers.figure import (
    NO_CLAIM,
    NOT,
    PARTLY,
    REPRODUCED,
    Claim,
    Done,
    Figure,
    Job,
    Report,
    Rows,
    Scale,
    seeded_jobs,
)
from mccfr.papers.gibson_variance import ESTIMATORS as GOOFSPIEL_SCHEME

UNLIMITED = 10**12
RESAMPLES = 1000
BLUFF_SCHEME = {"MCCFR": "include(0.5,always=bluff)", "probing": "include(0.5,always=bluff)+probe"}


class Published(NamedTuple):
    """What the paper says of one game, and by which methods it is done here."""

    claim: str
    improvement: float  # of probing on MCCFR at the end
    significant: bool
    methods: dict[str, str]
    points: dict[str, int]  # when exploitability is measured


GOOFSPIEL = Published("G2", 0.31, True, GOOFSPIEL_SCHEME, {"per_decade": 16})
BLUFF = Published("G3", 0.10, False, BLUFF_SCHEME, {"start": 100_000, "per_decade": 8})  # seconds for each point


def _jobs(published: Published, scale: Scale) -> list[Job]:
    limits = {"iterations": scale.iterations or UNLIMITED, "seconds": scale.seconds, **published.points}
    variants = [{"game": scale.games[0], "method": method, **limits} for method in published.methods.values()]
    return seeded_jobs(curves.converge, scale.seeds, variants)


def _report(published: Published, scale: Scale, done: list[Done]) -> Report:
    names = {method: name for name, method in published.methods.items()}
    found = curves.gather(done, lambda arguments: names[arguments["method"]])
    return Report(curves.COLUMNS, curves.rows(found), claims(published, scale.games[0], found))


def _draw(rows: Rows, axes: Any) -> None:
    """Means at equal iterations, over the seconds that these took on average."""
    curves.draw(rows, axes, "seconds", "CPU seconds")


def claims(published: Published, game: str, found: dict[str, Runs]) -> list[Claim]:
    """What the paper says of a game, beside what runs of both methods on it say."""
    where = f"in {game}"
    final = f"final exploitability {where}: improvement of probing on MCCFR"
    time, nodes = _improvement(found, SECONDS), _improvement(found, NODES)
    said = f"{published.improvement:.0%}, {'' if published.significant else 'not '}significant"
    made = [
        Claim(published.claim, f"{final}, equal time", said, _percent(time), _verdict(published, time)),
        Claim(published.claim, f"{final}, equal nodes touched", "not given", _percent(nodes), _sign(published, nodes)),
    ]
    if not published.significant:
        return made
    halved = _time_fraction(found)
    verdict = REPRODUCED if halved.high < 0.7 else PARTLY if halved.high < 1.0 else NOT
    text = f"time in which probing reaches MCCFR's last level {where}, of MCCFR's time"
    return [*made, Claim(published.claim, text, "nearly half", str(halved), verdict)]


def _improvement(found: dict[str, Runs], column: int) -> Interval:
    """1 - probing / MCCFR where the first run ends, paired by seed."""
    end = min(run[-1, column] for runs in found.values() for run in runs)
    ratio = statistics.ratio(curves.at(found["probing"], end, column), curves.at(found["MCCFR"], end, column))
    return Interval(1 - ratio.mean, 1 - ratio.high, 1 - ratio.low)


def _time_fraction(found: dict[str, Runs]) -> Interval:
    """Of MCCFR's time, what probing needs to its last level; by mean curves, the interval by resampling the runs."""
    end = min(run[-1, SECONDS] for runs in found.values() for run in runs)
    times = np.geomspace(end / 100, end, 200)
    logs = {name: np.log([curves.at(runs, t, SECONDS) for t in times]) for name, runs in found.items()}
    draws = np.random.default_rng(0).integers(len(found["MCCFR"]), size=(RESAMPLES, len(found["MCCFR"])))
    shares = [_first_share(logs, draw, times) for draw in draws]
    whole = _first_share(logs, np.arange(len(found["MCCFR"])), times)
    return Interval(whole, *(float(q) for q in np.quantile(shares, (0.025, 0.975), method="nearest")))


def _first_share(logs: dict[str, Floats], seeds: npt.NDArray[np.int64], times: Floats) -> float:
    """Of all the time, how much the mean of probing needs to where the mean of MCCFR ends; infinite if never."""
    level = logs["MCCFR"][-1, seeds].mean()
    there = np.flatnonzero(logs["probing"][:, seeds].mean(axis=1) <= level)
    return float(times[there[0]] / times[-1]) if len(there) else np.inf


def _percent(interval: Interval) -> str:
    return f"{interval.mean:.1%} [{interval.low:.1%}, {interval.high:.1%}]"


def _sign(published: Published, gain: Interval) -> str:
    """Whether it is there at all; of what the paper does not claim, nothing is said."""
    return NO_CLAIM if not published.significant else REPRODUCED if gain.low > 0 else NOT


def _verdict(published: Published, gain: Interval) -> str:
    """As large as published, or at least there; where it was not significant, neither is it here or it is as large."""
    if not published.significant:
        alike = gain.low <= 0 <= gain.high or gain.low <= published.improvement <= gain.high
        return REPRODUCED if alike else PARTLY if gain.low > 0 else NOT
    return NOT if gain.low <= 0 else REPRODUCED if gain.high >= published.improvement else PARTLY


FIGURE_3A = Figure(
    "gibson2012-fig3a",
    "MCCFR and probing over time, Goofspiel",
    "Gibson et al. 2012, figure 3a",
    Scale("2 minutes", 20, games=("goofspiel(n=5)",), seconds=2),
    Scale("7 minutes on 10 cores with 20 GB; --hours for longer", 5, games=("goofspiel(n=7)",), seconds=300),
    functools.partial(_jobs, GOOFSPIEL),
    functools.partial(_report, GOOFSPIEL),
    "Both methods always sample the lowest and the highest bid and each other bid with probability 1/2, and average "
    "strategies at the opponent's nodes. Time is the CPU time of one thread, without compilation and evaluation. "
    "The paper ran for 10 hours on a machine it does not describe. At quick scale the game is Goofspiel(5), where "
    "the published percentages need not hold.",
    _draw,
)
FIGURE_3B = Figure(
    "gibson2012-fig3b",
    "MCCFR and probing over time, Bluff",
    "Gibson et al. 2012, figure 3b",
    Scale("2 minutes", 20, games=("dealt:bluff(1,1)",), seconds=2),
    Scale("9 minutes on 10 cores with 150 GB; --hours for longer", 5, games=("dealt:bluff(2,2)",), seconds=200),
    functools.partial(_jobs, BLUFF),
    functools.partial(_report, BLUFF),
    "The following are always sampled: calling the bluff, 1-5, 2-5, 1-6, 2-6, and bids up to four on faces that the "
    "player holds. Every other bid is sampled with probability 1/2, which the paper does not give. The game is the "
    "first round, which pays the values of the smaller games at its ends. The loser of a round opens the next, and "
    "walks draw the dice once. Time is the CPU time of one thread, without compilation and evaluation. At quick "
    "scale the game is Bluff(1,1).",
    _draw,
)
