"""Writes the table "Li et al. under each reading" of docs/papers.md: python docs/generate_readings.py.

Its numbers and verdicts are those of papers/li2020-fig*-{readings,visits,hands}, which `mccfr paper NAME --full` fills.
It stands between `<!-- readings -->` and `<!-- end -->`; the text around it is written by hand.
"""

import csv
import re
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from mccfr.papers import curves
from mccfr.papers.figure import PARTLY, REPRODUCED
from mccfr.papers.li_readings import KEPT, OTHERS, OWN, SAME, VISITED

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "papers.md"
BLOCK = re.compile(r"(<!-- readings -->\n).*?(<!-- end -->)", re.DOTALL)
READINGS = {OTHERS: "readings", OWN: "readings", VISITED: "visits"}  # and which kind of figure has them
HEAD = "| claim | measured | others | own | as visited | before |\n|---|---|---|---|---|---|\n"
INTERVAL = re.compile(r"[\d.e+]+ \[[^]]+\]")
LEVEL = r"iterations to [\d.e+]+ chips \([^)]+\): "
EARLY = "exploitability up to 5,000 iterations"
NEVER, UNTRIED = "never", "not tried"


class Row(NamedTuple):
    """A claim of a figure, as the page has it."""

    claim: str  # what is claimed; nothing if it is that of the row before
    measured: str
    figure: int
    pattern: str  # the claim in claims.csv, but for its reading
    suffix: str = ""  # of the reading: laws that skip nothing, or ranges of the same hand


class Looked(NamedTuple):
    """Iterations to where the mean curve of the semi-vector form ends: that form's over those of the vector form."""

    measured: str
    semi: str
    vector: str


SAMPLED, SWEPT = ("semi-vector: robust", "average, counts"), ("semi-vector: external", "external, by range")
LAW, HAND = f", {KEPT}", f", {SAME}"
TABLE: list[Row | Looked] = [
    Row("L2 vector form needs 100 to 1000 times fewer iterations than semi-vector", "iterations, robust over average "
        "sampling", 2, LEVEL + " over ".join(SAMPLED)),
    Row("", "the same, all own actions by range", 2, LEVEL + " over ".join(SWEPT)),
    Row("", "the same, 1326 hands, best level", 2, "iterations to the best level for it, .*: semi-vector: external, "
        "1326 hands over external, by range, 1326 hands"),
    Looked("robust over average sampling, where the mean semi-vector curve ends; no verdict", *SAMPLED),
    Looked("the same, all own actions by range", *SWEPT),
    Row("", "exploitability of vector over semi-vector", 3, "vector over semi-vector form, exploitability"),
    Row("L3 exploration is slower up to 5,000 iterations", "counts over none, average sampling", 2,
        f"average sampling, counts over none: {EARLY}"),
    Row("", "the same, robust sampling", 2, f"robust sampling, counts over none: {EARLY}"),
    Row("L3 and better later", "counts over none, average sampling", 2,
        "average sampling, counts over none: exploitability at the end"),
    Row("", "epsilon over none, average sampling", 2,
        "average sampling, epsilon over none: exploitability at the end"),
    Row("", "counts over none, robust sampling", 2,
        "robust sampling, counts over none: exploitability at the end"),
    Row("", "epsilon over none, robust sampling", 2,
        "robust sampling, epsilon over none: exploitability at the end"),
    Row("L4 average before robust sampling", "average over robust", 2,
        "average over robust sampling, exploitability"),
    Row("L4 robust before outcome sampling", "robust over outcome", 2,
        "robust over outcome sampling, exploitability"),
    Row("L5 laws weighted by ranges beat uniform ones", "own range, robust sampling", 3,
        "robust sampling, weighted by own over uniform: exploitability"),
    Row("", "own range, outcome sampling", 3, "outcome sampling, weighted by own over uniform: exploitability"),
    Row("", "own range, average sampling", 3, "average sampling, weighted by own over uniform: exploitability"),
    Row("", "the other's range, robust sampling", 3,
        "robust sampling, weighted by other over uniform: exploitability"),
    Row("", "that of the same hand, robust sampling", 3,
        "robust sampling, weighted by other over uniform: exploitability", HAND),
    Row("", "that of the same hand, outcome sampling", 3,
        "outcome sampling, weighted by other over uniform: exploitability", HAND),
    Row("", "both, of the same hand, average sampling", 3,
        "average sampling, weighted by both over uniform: exploitability", HAND),
    Row("L5 the three weightings are alike", "worst over best, robust sampling", 3,
        "robust sampling, worst over best of the three ranges: exploitability"),
    Row("", "the same, of the same hand", 3,
        "robust sampling, worst over best of the three ranges: exploitability", HAND),
    Row("L6 skipping 10,000 iterations", "average sampling, at 100,000", 4,
        "exploitability with the first 10,000 iterations skipped, and without skipping"),
    Row("", "the same, the law keeps them", 4,
        "exploitability with the first 10,000 iterations skipped, and without skipping", LAW),
    Row("L6 skipping 10,000 at the end", "the law keeps them", 4,
        "skip 10,000 over as it is: exploitability", LAW),
    Row("", "the same, of the same hand", 4, "skip 10,000 over as it is: exploitability", LAW + HAND),
    Row("L6 skipping 1,000", "the law keeps them", 4, "skip 1,000 over as it is: exploitability", LAW),
    Row("L6 skipping 10,000", "all own actions", 4, "external, skip 10,000 over external: exploitability"),
    Row("L7 weights t", "w = 1 over none", 4, "w = 1 over as it is: exploitability"),
    Row("", "the same, of the same hand", 4, "w = 1 over as it is: exploitability", HAND),
    Row("L7 weights t^2", "w = 2 over none", 4, "w = 2 over as it is: exploitability"),
    Row("", "the same, of the same hand", 4, "w = 2 over as it is: exploitability", HAND),
    Row("L7 t before t^2", "w = 1 over w = 2", 4, "w = 1 over w = 2: exploitability"),
    Row("", "the same, of the same hand", 4, "w = 1 over w = 2: exploitability", HAND),
    Row("L8 semi-vector before value form", "iterations, robust", 2,
        LEVEL + "value: robust over semi-vector: robust"),
    Row("", "iterations, external", 2, LEVEL + "value: external over semi-vector: external"),
]  # fmt: skip


def table() -> str:
    """The whole table."""
    return HEAD + "".join(f"| {' | '.join(_cells(row))} |\n" for row in TABLE).replace("|  |", "| |")


def _cells(row: Row | Looked) -> list[str]:
    if isinstance(row, Looked):
        return ["", row.measured, *(looked(row, reading) for reading in READINGS), UNTRIED]
    return [row.claim, row.measured, *(judged(row, reading) for reading in READINGS), before(row)]


def judged(row: Row, reading: str) -> str:
    """The ratio of a claim under a reading: bold if the verdict is *reproduced*."""
    kind = "hands" if SAME in row.suffix else READINGS[reading]
    wanted = rf"{row.pattern} \[{re.escape(reading + row.suffix)}\]"
    claim = _claim(f"li2020-fig{row.figure}-{kind}", wanted)
    [interval] = INTERVAL.findall(claim["ours"])
    return {REPRODUCED: f"**{interval}**", PARTLY: f"{interval}, partly"}.get(claim["verdict"], interval)


def before(row: Row) -> str:
    """The verdict with fewer seeds and the first reading, which has claims without a suffix only."""
    if row.suffix:
        return UNTRIED
    return _claim(f"li2020-fig{row.figure}", row.pattern)["verdict"].removesuffix(" reproduced")


def _claim(figure: str, pattern: str) -> dict[str, str]:
    found = [claim for claim in _read(figure, "claims") if re.fullmatch(pattern, claim["claim"])]
    if len(found) != 1:
        raise ValueError(f"{figure} has {len(found)} claims {pattern!r}: there should be one")
    return found[0]


def looked(row: Looked, reading: str) -> str:
    """How many times sooner the mean curve of the vector form is at the level of the last point of the other one."""
    semi, vector = (_mean_curve(f"{name} [{reading}]", READINGS[reading]) for name in (row.semi, row.vector))
    level = float(semi[-1, curves.EXPLOITABILITY])
    slow, fast = (curves.reached([curve], level, curves.ITERATIONS)[0] for curve in (semi, vector))
    return f"{slow / fast:.3g}" if np.isfinite(fast) else NEVER


def _mean_curve(name: str, kind: str) -> np.ndarray:
    rows = [row for row in _read(f"li2020-fig2-{kind}", "data") if row["curve"] == name]
    return np.array(
        [[float(row[word]) for word in ("iterations", "nodes", "seconds", "exploitability")] for row in rows]
    )


def _read(figure: str, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((ROOT / "papers" / figure / f"{name}.csv").read_text().splitlines()))


def page(text: str) -> str:
    """The page with the table that the folders give."""
    return BLOCK.sub(lambda found: f"{found[1]}\n{table()}\n{found[2]}", text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
