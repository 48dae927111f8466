"""Mean and variance of what walks add, by meeting every outcome of the random choices."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.auditing.bench import Bench
from mccfr.auditing.dice import EveryOutcome

Floats = npt.NDArray[np.float64]
MOST_OUTCOMES = 10_000  # of one player's walk: some seconds
GLANCE = 500  # outcomes after which it is plain whether there are far too many


class TooManyOutcomes(Exception):
    """There are more outcomes than one cares to meet."""


class Moments(NamedTuple):
    """Of the increments of one iteration: a walk for each player."""

    mean: Floats
    variance: Floats
    nodes: float  # touched on average
    samples: int  # outcomes met, or iterations made


def enumerate_outcomes(bench: Bench, most: float = MOST_OUTCOMES) -> Moments:
    """Exact moments; both players' walks begin in the same state, so their outcomes need not be paired."""
    one, other = (_one_player(bench, i, most) for i in (0, 1))
    mean, variance = one.mean + other.mean, one.variance + other.variance
    return Moments(mean, variance, one.nodes + other.nodes, one.samples + other.samples)


def outcomes(bench: Bench, i: int) -> Iterator[tuple[float, Floats]]:
    """Every outcome of player i's walk: its probability, and its increments."""
    dice = EveryOutcome()
    with np.errstate(over="ignore"):
        while True:
            increments = bench.walk(i, dice)
            yield dice.probability, increments
            if not dice.turn():
                return


def _one_player(bench: Bench, i: int, most: float) -> Moments:
    count, seen, nodes = 0, 0.0, 0.0
    mean, square = np.zeros_like(bench.truth), np.zeros_like(bench.truth)
    bench.touched()
    for p, increments in outcomes(bench, i):
        mean += p * increments
        square += p * increments**2
        nodes += p * bench.touched()
        count, seen = count + 1, seen + p
        if count > most or (count == GLANCE and count > 2 * most * seen):
            raise TooManyOutcomes
    assert abs(seen - 1.0) < 1e-9, "the outcomes met are not all there are"
    return Moments(mean, square - mean**2, nodes, count)
