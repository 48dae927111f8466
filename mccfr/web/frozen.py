"""A lane's estimates while its strategy stands still: what they are on average, how much they vary, what is true."""

import time
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.auditing.bench import Bench
from mccfr.auditing.enumeration import outcomes
from mccfr.auditing.truth import exact_values
from mccfr.errors import MethodError, TreeError
from mccfr.web.admit import rollouts_of
from mccfr.web.lane import Lane

MOST_OUTCOMES = 3000  # that are met one by one while a page waits: about a second
MOST_ROLLOUTS = 10  # of an action not taken: more have more outcomes than that
LONG = 2.0  # seconds: the most that outcomes are enumerated, or walks are made, for a player
SMALL = 1000  # nodes of a game whose outcomes may be few enough
EXACT_NODES = 20_000  # nodes of a game whose true values are worked out in Python

Floats = npt.NDArray[np.float64]


class Estimates(NamedTuple):
    """Of one player's walk: regrets of all entries (its own mean something), at the end the root's value to it."""

    mean: Floats
    variance: Floats
    truth: Floats
    samples: int
    exact: bool


def met_by(lane: Lane, i: int) -> Floats:
    """The strategy that player i's part of the told iteration was played against, and with.

    Player 1's walk comes second and meets player 0's new strategy, unless that changes at the iteration's end only.
    """
    assert lane.before is not None
    old: Floats = lane.before["current"]
    if i == 0 or lane.engine.changes_at_end:
        return old
    infosets = lane.scene.tree.infosets
    middle = int(infosets.row[infosets.first[1]])
    return np.concatenate((lane.engine.current()[:middle], old[middle:]))


def bench_for(lane: Lane, current: Floats, state: dict[str, Any]) -> Bench:
    """The lane's method with its averages and baselines, and this strategy."""
    bench = Bench(lane.scene.tree, lane.method, lane.seed, 0)
    bench.take(current, state, float(state["iterations"]) + 1.0)
    return bench


def true_regrets(lane: Lane, current: Floats) -> Floats | None:
    """Exact counterfactual regrets under a strategy, if the game is small enough."""
    if not lane.scene.walks or len(lane.scene.tree) > EXACT_NODES:
        return None
    return exact_values(lane.scene.tree.written, current).regret


def enumerated(bench: Bench, i: int) -> Estimates | None:
    """Exact moments over all outcomes of player i's walk; none if there are too many."""
    if len(bench.tree) > SMALL or rollouts_of(bench.method) > MOST_ROLLOUTS:
        return None
    size, end = bench.entries + 1, time.monotonic() + LONG
    mean, square, count = np.zeros(size), np.zeros(size), 0
    for p, increments in outcomes(bench, i):
        found = _of_player(increments, i, bench.entries)
        mean += p * found
        square += p * found**2
        count += 1
        if count > MOST_OUTCOMES or time.monotonic() > end:
            return None
    return Estimates(mean, square - mean**2, _of_player(bench.truth, i, bench.entries), count, True)


def sampled(bench: Bench, i: int, walks: int) -> Estimates:
    """Moments over some walks, compiled: two at least, and no more than there is time for."""
    truth, end = _of_player(bench.truth, i, bench.entries), time.monotonic() + LONG
    mean, squares, made = np.zeros_like(truth), np.zeros_like(truth), 0
    while made < 2 or (made < walks and time.monotonic() < end):
        found = _of_player(bench.batch(i, 1), i, bench.entries)
        made += 1
        off = found - mean
        mean += off / made
        squares += off * (found - mean)
    return Estimates(mean, squares / (made - 1), truth, made, False)


def _of_player(increments: Floats, i: int, entries: int) -> Floats:
    """Regrets, and the root value of player i."""
    return np.append(increments[:entries], increments[2 * entries + i])


def noise(lane: Lane, walks: int, chosen: tuple[int, str] | None) -> dict[str, Any]:
    """Mean and variance of root values, and of an infoset's regrets, beside what is true."""
    infosets = lane.scene.tree.infosets
    state = lane.solver.state
    if not lane.scene.walks or len(lane.scene.tree) > EXACT_NODES:
        raise TreeError(f"the variance of estimates is shown for written-out games of up to {EXACT_NODES:,} nodes")
    if lane.engine.full_width:
        raise MethodError(f"{lane.method} draws no random numbers: its values are exact and do not vary")
    bench = bench_for(lane, lane.engine.current(), state)
    both = [enumerated(bench, i) or sampled(bench, i, walks) for i in (0, 1)]
    root = [
        {"player": i, "mean": float(e.mean[-1]), "variance": float(e.variance[-1]), "true": float(e.truth[-1])}
        for i, e in enumerate(both)
    ]
    found: dict[str, Any] | None = None
    if chosen is not None:
        j = infosets.find(chosen[1], chosen[0])
        row, of = slice(int(infosets.row[j]), int(infosets.row[j + 1])), both[chosen[0]]
        numbers = {"mean": of.mean[row].tolist(), "variance": of.variance[row].tolist(), "true": of.truth[row].tolist()}
        found = {"player": chosen[0], "label": chosen[1], "actions": list(infosets.actions(j)), **numbers}
    exact = all(e.exact for e in both)
    made = min(e.samples for e in both)
    how = f"all {sum(e.samples for e in both):,} outcomes of the dice" if exact else f"{made:,} walks for each player"
    note = f"Computed over {how}, with the strategy of iteration {lane.iterations:,} frozen."
    told = {"iteration": lane.iterations, "walks": walks if exact else made, "exact": exact, "note": note}
    return {"type": "noise", **told, "root": root, "infoset": found}
