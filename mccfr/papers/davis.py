"""What the figures of Davis, Schmid, Bowling 2019 share: outcome sampling on Leduc with five baselines."""

from mccfr.papers import curves
from mccfr.papers.curves import Runs
from mccfr.papers.figure import NOT, PARTLY, REPRODUCED, Claim

SOURCE = "Davis, Schmid, Bowling 2019"
BASELINES = {"none": "plain", "always call": "static", "infoset": "infoset", "history": "history",
             "predictive": "predictive"}  # fmt: skip
LEARNED = ("infoset", "history", "predictive")
UNIFORM, ON_POLICY = "uniform", "opponent_on_policy"


def method(sampler: str, baseline: str, rest: str = "rm_plus+linear") -> str:
    """The method string of one curve."""
    return f"{sampler}+{baseline}+{rest}"


def is_below(id: str, curves_found: dict[str, Runs], one: str, other: str, text: str) -> Claim:
    """The claim that `one` has a lower exploitability than `other`, judged by the ratio and its interval.

    Reproduced: below 1 at the end. Partly: not there, but for ten times as many iterations as when that began; the
    figures do not say where they end.
    """
    end = float(curves.shared(curves_found[one] + curves_found[other])[-1])
    ratio = curves.compared(curves_found, one, other, end)
    stretch = curves.below_between(curves_found, one, other)
    ours = f"{ratio} at {end:,.0f}" + (f"; below 1 from {stretch[0]:,.0f} to {stretch[1]:,.0f}" if stretch else "")
    partly = stretch is not None and stretch[1] >= 10 * stretch[0]
    return Claim(id, text, "below 1", ours, REPRODUCED if ratio.high < 1.0 else PARTLY if partly else NOT)
