"""Clusters of points in whole numbers: first centres far apart, then points and centres in turns until little changes.

Centres are what is best for the points of a cluster. Under the earth mover's distance, which is the sum of absolute
differences of cumulative histograms, that is the median of every number, and under squared distances the mean, both in
whole numbers: so the total of all distances never grows from one round to the next. What differs from k-means is the
median: means leave the total distance of flop and turn hands 3 to 13 % larger, and it may even grow.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.buckets.hand_features import Points, Told, share_out, untold
from mccfr.kernel.clustering import Centres, EarthMovers, SquaredLength, choose_apart, nearest_of_all
from mccfr.kernel.dice import Dice

Metric = EarthMovers | SquaredLength
Labels = npt.NDArray[np.int64]
ROUNDS = 40  # at most
ENOUGH = 1000  # a round that gains less than one part of so many is the last
CHUNK = 4096  # points that a thread looks at together


class Clusters(NamedTuple):
    """Points in clusters."""

    centres: Points  # [clusters, width] in order of their sums: the weakest first
    labels: Labels  # [points] which is nearest
    totals: list[int]  # the sum of all distances, round by round


def cluster(metric: Metric, points: Points, count: int, dice: Dice, workers: int = 1, told: Told = untold) -> Clusters:
    """So many clusters of points."""
    centres = in_order_of_strength(first_centres(metric, points, count, dice))
    labels, totals = np.zeros(len(points), np.int64), list[int]()
    for number in range(1, ROUNDS + 1):
        labels, distances = nearest_centres(metric, centres, points, workers, labels)
        totals.append(int(distances.sum(dtype=np.int64)))
        told(number / ROUNDS)
        if number > 1 and (totals[-2] - totals[-1]) * ENOUGH <= totals[-2]:
            break
        centres = in_order_of_strength(middles(metric, points, labels, centres))
    return Clusters(centres, labels, totals)


def first_centres(metric: Metric, points: Points, count: int, dice: Dice) -> Points:
    """Points that are far apart to begin with."""
    near, chosen = np.empty(len(points), np.uint32), np.empty(count, np.int64)
    choose_apart(metric, points.reshape(-1), points.sum(axis=1, dtype=np.int64), dice, near, chosen)
    return points[chosen]


def in_order_of_strength(centres: Points) -> Points:
    """Centres by their sums, and equal sums by their numbers from the first on."""
    return centres[np.lexsort((*centres.T[::-1], centres.sum(axis=1, dtype=np.int64)))]


def kernel_centres(centres: Points) -> Centres:
    """As the loops want them."""
    return Centres(np.ascontiguousarray(centres).reshape(-1), centres.sum(axis=1, dtype=np.int64))


def nearest_centres(
    metric: Metric, centres: Points, points: Points, workers: int = 1, guesses: Labels | None = None
) -> tuple[Labels, npt.NDArray[np.uint32]]:
    """The nearest centre of each point, the first of equally near ones, and its distance. Guesses save time."""
    labels = np.zeros(len(points), np.int64) if guesses is None else guesses.copy()
    distances, flat = np.empty(len(points), np.uint32), np.ascontiguousarray(points).reshape(-1)
    given, width = kernel_centres(centres), points.shape[1]

    def search(first: int) -> None:
        part = slice(first, first + CHUNK)
        here = flat[first * width : (first + CHUNK) * width]
        nearest_of_all(metric, given, here, labels[part], distances[part])

    share_out(search, range(0, len(points), CHUNK), workers, untold)
    return labels, distances


def middles(metric: Metric, points: Points, labels: Labels, before: Points) -> Points:
    """The best centre of each cluster; a cluster without points keeps the centre it had."""
    middle = medians if isinstance(metric, EarthMovers) else means
    sizes = np.bincount(labels, minlength=len(before))
    found = middle(points, labels, sizes)
    return np.where(sizes[:, None] > 0, found, before)


def medians(points: Points, labels: Labels, sizes: Labels) -> Points:
    """The median of every number over the points of each cluster; of two, the lower."""
    at = np.clip(np.cumsum(sizes) - sizes + (sizes - 1) // 2, 0, len(points) - 1)
    cluster_bits = labels.astype(np.uint32) << np.uint32(16)  # so that one sort puts the points of each in order
    return np.stack([np.sort(cluster_bits | column)[at].astype(np.uint16) for column in points.T], axis=1)


def means(points: Points, labels: Labels, sizes: Labels) -> Points:
    """The mean of every number over the points of each cluster, rounded."""
    some = np.maximum(sizes, 1)
    sums = [np.bincount(labels, points[:, j], len(sizes)).astype(np.int64) for j in range(points.shape[1])]
    return np.stack([((2 * total + some) // (2 * some)).astype(np.uint16) for total in sums], axis=1)
