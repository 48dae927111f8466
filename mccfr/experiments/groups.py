"""Run folders found on disk, their curves, and groups of them that differ only in the seed."""

import glob
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mccfr.errors import FileError, one_line
from mccfr.jobs.statistics import Floats, logs
from mccfr.runs.run import Run

CONFIG = "run.json"
AXES = {"walks": "walks", "nodes": "touched", "seconds": "seconds"}  # what to plot or compare against, by column


class Curve(NamedTuple):
    """What a run measured: exploitability against walks, nodes and seconds."""

    folder: Path
    game: str
    method: str
    seed: int
    columns: dict[str, Floats]

    def span(self, axis: str) -> tuple[float, float]:
        """From the first measurement to the last."""
        xs = self.columns[AXES[axis]]
        return float(xs[0]), float(xs[-1])

    def at(self, x: float | Floats, axis: str) -> Floats:
        """Exploitability at so many walks, nodes or seconds: interpolated in logarithms."""
        xs = logs(self.columns[AXES[axis]])
        return np.asarray(np.exp(np.interp(np.log(x), xs, logs(self.columns["exploitability"]))))


def find_runs(texts: Sequence[str]) -> list[Run]:
    """The runs that paths and patterns name. A folder that is no run stands for all the runs below it."""
    folders: dict[Path, None] = {}
    for text in texts:
        found = [Path(name) for name in sorted(glob.glob(text))] or [Path(text)]  # noqa: PTH207  may be absolute
        inside = [run for folder in found for run in _runs_below(folder)]
        if not inside:
            raise FileError(_nothing(text, found[0]))
        folders |= dict.fromkeys(inside)
    return [Run(folder) for folder in folders]


def _runs_below(folder: Path) -> list[Path]:
    try:
        if (folder / CONFIG).is_file():
            return [folder]
        return sorted(config.parent for config in folder.rglob(CONFIG))
    except (OSError, ValueError):  # a name that no folder can have
        return []


def _nothing(text: str, first: Path) -> str:
    try:
        there = first.exists()
    except (OSError, ValueError):  # a name that no folder can have
        there = False
    if not there:
        return f"cannot read {one_line(text)}: no such folder"
    return f"{text} is not a run folder, and there is none below it: it has no {CONFIG}"


def curve(run: Run) -> Curve:
    """The measurements of a run."""
    metrics = {name: np.asarray(column, dtype=np.float64) for name, column in run.metrics().items()}
    if not len(metrics["exploitability"]):
        raise FileError(f"{run.folder} has no measurements yet")
    found, given = run.record.resolved, run.config
    method = found["method"] if given.method == "auto" else given.method
    return Curve(run.folder, found["game"], method, given.seed, metrics)


def grouped(curves: Sequence[Curve], by: str) -> dict[str, list[Curve]]:
    """Curves by game, method or folder; what is needed to tell the groups apart is in their names."""
    several = len({found.game for found in curves}) > 1
    mixed = mixed_games(curves)
    groups: dict[str, list[Curve]] = {}
    for found in curves:
        both = f"{found.game}, {found.method}"
        method, game = both if several else found.method, both if found.game in mixed else found.game
        groups.setdefault({"method": method, "game": game, "folder": str(found.folder)}[by], []).append(found)
    return groups


def mixed_games(curves: Sequence[Curve]) -> set[str]:
    """The games with runs of several methods: a mean over methods would be of nothing, so each gets its own group."""
    pairs = {(found.game, found.method) for found in curves}
    return {game for game, _ in pairs if sum(other == game for other, _ in pairs) > 1}


def shared_end(curves: Sequence[Curve], axis: str) -> float:
    """The most walks, nodes or seconds that all of them reached, after all have been measured once."""
    spans = [found.span(axis) for found in curves]
    start, end = max(first for first, _ in spans), min(last for _, last in spans)
    if end < start:
        raise FileError(
            f"{curves[0].folder} and others have no {axis} in common: one run ends before another is first measured"
        )
    return end
