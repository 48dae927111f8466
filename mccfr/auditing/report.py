"""What an audit found: a row for each method, printed as a table."""

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.notebook import html_table

HEADS = ("method", "how", "unbiased", "deviation", "variance", "nodes", "variance x nodes")


@dataclasses.dataclass(frozen=True)
class AuditRow:
    """What was found about one method; means and variances are of what one iteration adds."""

    method: str
    exact: bool  # by enumeration, or else by z-test
    samples: int  # outcomes met, or iterations made
    biased: tuple[str, ...]  # which are: regrets, averages, values
    deviation: float  # the largest difference between a mean and what it must be
    where: str  # whose mean that is; of a z-test, whose |z| is the largest
    z: float | None  # the largest |z| of a z-test
    tested: int  # means compared
    untested: int  # means that a z-test could not compare: too few visits
    variance: float  # of a regret, mean over all infoset-actions
    fourth: float | None  # moment of a regret about its mean, mean over all; enumeration tells
    nodes: float  # touched per iteration
    exhibit: bool  # whether it is meant to be biased
    variances: npt.NDArray[np.float64] = dataclasses.field(repr=False, compare=False)  # of each regret, in table order

    @property
    def unbiased(self) -> bool:
        """Whether every mean is what it must be."""
        return not self.biased

    @property
    def cost(self) -> float:
        """Variance times nodes: what a fixed accuracy costs. The smaller the better."""
        return self.variance * self.nodes

    def to_dict(self) -> dict[str, Any]:
        """For JSON, which has no infinite numbers: an infinite z is null."""
        kept = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.name != "variances"}
        z = self.z if self.z is not None and np.isfinite(self.z) else None
        return {**kept, "biased": list(self.biased), "z": z, "unbiased": self.unbiased, "cost": self.cost}

    def cells(self) -> tuple[str, ...]:
        """As text, in the order of HEADS."""
        how = f"{self.samples:,} outcomes" if self.exact else f"{self.samples:,} iterations"
        off = f"{self.deviation:.1e}" if self.exact else f"|z| {self.z:.1f} of {self.tested:,}"
        skipped = f" ({self.untested:,} untested)" if self.untested else ""
        answer = ("yes" if self.unbiased else f"NO: {', '.join(self.biased)}") + " (exhibit)" * self.exhibit
        at = "" if self.unbiased else f" at {self.where}"
        numbers = f"{self.variance:.4g}", f"{self.nodes:.1f}", f"{self.cost:.4g}"
        return self.method, how, answer, off + skipped + at, *numbers


@dataclasses.dataclass(frozen=True)
class AuditReport:
    """The rows of an audit."""

    game: str
    seed: int
    rows: tuple[AuditRow, ...]

    def __str__(self) -> str:
        lines = [HEADS, *(row.cells() for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines)]
        last = len(HEADS) - 3  # the last three are numbers
        return "\n".join(
            "  ".join(f"{cell:{'>' if j >= last else '<'}{width}}" for j, (cell, width) in enumerate(zip(line, widths)))
            for line in lines
        )

    def _repr_html_(self) -> str:
        """For notebooks."""
        return html_table(f"Audit of {self.game}, seed {self.seed}", HEADS, [row.cells() for row in self.rows])

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"game": self.game, "seed": self.seed, "rows": [row.to_dict() for row in self.rows]}
