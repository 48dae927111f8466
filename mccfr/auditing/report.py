"""What an audit found: a row for each method, printed as a table."""

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.notebook import html_table

HEADS = ("method", "how", "unbiased", "deviation", "variance", "nodes", "variance x nodes")


@dataclasses.dataclass(frozen=True)
class AuditRow:
    """What an audit found about one method. Means and variances are those of what one iteration adds.

    Attributes:
        method: The method.
        exact: Whether all outcomes were enumerated; otherwise a z-test was made.
        samples: Outcomes enumerated, or iterations of the z-test.
        biased: What is biased, out of regrets, averages and values; empty if nothing is.
        deviation: The largest difference between a mean and what it must be.
        where: Whose mean that is; in a z-test, the one with the largest |z|.
        z: The largest |z| of a z-test.
        tested: How many means were compared.
        untested: How many means a z-test could not compare, because there were too few visits.
        variance: The variance of a regret, averaged over all infosets and actions.
        fourth: The fourth central moment of a regret, averaged likewise; None after a z-test.
        nodes: Nodes touched per iteration.
        exhibit: Whether the method is meant to be biased.
        variances: The variance of each regret, in table order.
    """

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
        """Variance times nodes: what a fixed accuracy costs. Lower is better."""
        return self.variance * self.nodes

    def to_dict(self) -> dict[str, Any]:
        """Convert the row for JSON, which has no infinite numbers: an infinite z becomes null.

        Returns:
            Every attribute except `variances`, with `unbiased` and `cost`.
        """
        kept = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.name != "variances"}
        z = self.z if self.z is not None and np.isfinite(self.z) else None
        return {**kept, "biased": list(self.biased), "z": z, "unbiased": self.unbiased, "cost": self.cost}

    def cells(self) -> tuple[str, ...]:
        """Format the row as text.

        Returns:
            The cells of the table, in the order of `HEADS`.
        """
        how = f"{self.samples:,} outcomes" if self.exact else f"{self.samples:,} iterations"
        off = f"{self.deviation:.1e}" if self.exact else f"|z| {self.z:.1f} of {self.tested:,}"
        skipped = f" ({self.untested:,} untested)" if self.untested else ""
        answer = ("yes" if self.unbiased else f"NO: {', '.join(self.biased)}") + " (exhibit)" * self.exhibit
        at = "" if self.unbiased else f" at {self.where}"
        numbers = f"{self.variance:.4g}", f"{self.nodes:.1f}", f"{self.cost:.4g}"
        return self.method, how, answer, off + skipped + at, *numbers


@dataclasses.dataclass(frozen=True)
class AuditReport:
    """What an audit found, with a row for each method. `print` shows it as a table.

    Attributes:
        game: The string that names the game.
        seed: The seed of the audit.
        rows: A row for each method, in the order in which they were audited.

    Examples:
        >>> import mccfr
        >>> print(mccfr.audit("kuhn", "external"))
        method    how          unbiased  deviation  variance  nodes  variance x nodes
        external  30 outcomes  yes       ...      0.1783   14.3             2.543
    """

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
        """Convert the report for JSON.

        Returns:
            The game, the seed and the rows.
        """
        return {"game": self.game, "seed": self.seed, "rows": [row.to_dict() for row in self.rows]}
