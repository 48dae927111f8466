"""Mean, variance and fourth moment of what walks add, by meeting every outcome of the random choices."""

import functools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.auditing.bench import Bench
from mccfr.auditing.every_outcome import EveryOutcome

Floats = npt.NDArray[np.float64]
MOST_OUTCOMES = 10_000  # of one player's walk: some seconds
GLANCE = 500  # outcomes after which it is plain whether there are far too many


class TooManyOutcomes(Exception):
    """There are more outcomes than one cares to meet."""


class Moments(NamedTuple):
    """Of the increments of one iteration: a walk for each player, or one for both."""

    mean: Floats
    variance: Floats
    nodes: float  # touched on average
    samples: int  # outcomes met, or iterations made
    fourth: Floats | None = None  # about the mean; batches do not tell


def enumerate_outcomes(bench: Bench, most: float = MOST_OUTCOMES) -> Moments:
    """Exact moments; all walks of an iteration begin in the same state, so their outcomes need not be paired."""
    return functools.reduce(_together, (_one_walk(bench, turn, most) for turn in bench.turns))


def _together(one: Moments, other: Moments) -> Moments:
    """Of the sum of independent increments."""
    assert one.fourth is not None
    assert other.fourth is not None
    fourth = one.fourth + other.fourth + 6.0 * one.variance * other.variance
    mean, variance = one.mean + other.mean, one.variance + other.variance
    return Moments(mean, variance, one.nodes + other.nodes, one.samples + other.samples, fourth)


def outcomes(bench: Bench, turn: int) -> Iterator[tuple[float, Floats]]:
    """Every outcome of a walk: its probability, and its increments."""
    dice = EveryOutcome()
    with np.errstate(over="ignore"):
        while True:
            increments = bench.walk(turn, dice)
            yield dice.probability, increments
            if not dice.turn():
                return


def _one_walk(bench: Bench, turn: int, most: float) -> Moments:
    count, seen, nodes = 0, 0.0, 0.0
    mean, square, cube, fourth = (np.zeros_like(bench.truth) for _ in range(4))
    bench.touched()
    for p, increments in outcomes(bench, turn):
        mean += p * increments
        square += p * increments**2
        cube += p * increments**3
        fourth += p * increments**4
        nodes += p * bench.touched()
        count, seen = count + 1, seen + p
        if count > most or (count == GLANCE and count > 2 * most * seen):
            raise TooManyOutcomes
    assert abs(seen - 1.0) < 1e-9, "the outcomes met are not all there are"
    about = fourth - 4.0 * mean * cube + 6.0 * mean**2 * square - 3.0 * mean**4
    return Moments(mean, square - mean**2, nodes, count, about)
