"""Mean and variance of what walks add, from many batches of compiled walks: for games too large to enumerate.

Every entry gets a z-score, and the largest of thousands is held to Student's t with Bonferroni's correction. Weights
1/q have heavy tails, under which that bar is sometimes crossed by chance; so a finding counts only if a second, four
times larger test makes it again at the same entry with the same sign. A true bias then shows twice as clearly.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from mccfr.auditing.bench import Bench
from mccfr.auditing.enumeration import Moments

Floats = npt.NDArray[np.float64]
BATCHES = 200
LEVEL = 1e-3  # chance that a sound method needs the second test
SEEN_IN = 30  # batches that must have met an entry before its z-score means anything
ROUNDING = 1e-9


class Scores(NamedTuple):
    """A test of all entries at once."""

    moments: Moments
    z: Floats  # nan where there were too few visits to tell
    bar: float

    @property
    def findings(self) -> npt.NDArray[np.bool_]:
        """Entries that are not what they should be, if one test could tell."""
        return np.abs(np.nan_to_num(self.z)) > self.bar


def score_batches(bench: Bench, iterations: int) -> tuple[Scores, npt.NDArray[np.bool_]]:
    """Scores of the last test made, and which entries are biased."""
    truth = bench.truth
    scores = _scores(bench, truth, iterations)
    found = scores.findings
    if found.any():
        sign = np.sign(scores.z)
        scores = _scores(bench, truth, 4 * iterations)
        found &= scores.findings & (np.sign(scores.z) == sign)
    return scores, found


def _scores(bench: Bench, truth: Floats, iterations: int) -> Scores:
    n = max(1, iterations // BATCHES)
    bench.touched()
    batches = np.array([sum(bench.batch(turn, n) for turn in bench.turns) for _ in range(BATCHES)])
    mean, variance = batches.mean(0), batches.var(0, ddof=1)
    moments = Moments(mean, variance * n, bench.touched() / (n * BATCHES), n * BATCHES)
    error = np.sqrt(variance / BATCHES)
    little = ROUNDING * np.maximum(bench.units, np.abs(truth))
    steady, off = error <= little, np.abs(mean - truth) > little
    z = np.where(steady, np.where(off, np.inf, 0.0), (mean - truth) / np.where(steady, 1.0, error))
    z[(np.count_nonzero(batches, axis=0) < SEEN_IN) & (truth != 0.0)] = np.nan
    tested = max(1, int(np.count_nonzero(~np.isnan(z))))
    return Scores(moments, z, float(stdtrit(BATCHES - 1, 1.0 - LEVEL / (2 * tested))))
