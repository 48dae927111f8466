"""Pictures of convergence: exploitability against walks, nodes and seconds, with bands over seeds."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mccfr.errors import FileError, MissingExtra
from mccfr.experiments.groups import AXES, Curve
from mccfr.files.container import atomic
from mccfr.jobs import plot_style
from mccfr.jobs.statistics import ZERO, Floats, logs

FORMATS = (".png", ".svg", ".pdf")
LABELS = {
    "walks": "walks or sweeps, one for each player and iteration",
    "nodes": "nodes touched",
    "seconds": "seconds of solving",
}
POINTS = 200  # of a curve


def draw(groups: dict[str, list[Curve]], path: Path, axes: Sequence[str] = tuple(AXES), title: str = "") -> None:
    """One panel for each axis, one line for each group: the geometric mean, and a band from lowest to highest run."""
    require_drawing(path)
    from matplotlib.figure import Figure

    sheet = Figure(
        figsize=(5.2 * len(axes) + (1.3 if len(axes) == 1 else 0), 4.6), dpi=plot_style.DPI, layout="constrained"
    )
    panels = sheet.subplots(1, len(axes), sharey=True, squeeze=False)[0]
    for panel, axis in zip(panels, axes):
        for number, curves in enumerate(groups.values()):
            _draw_group(panel, curves, axis, number)
        panel.set(xscale="log", yscale="log", xlabel=LABELS[axis])
        plot_style.tidy(panel)
    panels[0].set_ylabel("exploitability, in the game's payoffs")
    _add_legend(sheet, panels, groups)
    sheet.suptitle(title, fontsize=plot_style.TITLE)
    with atomic(path) as stream:
        sheet.savefig(stream, format=path.suffix[1:].lower())


def require_drawing(path: Path) -> None:
    """Refuse a file name that does not say what kind of picture it is, or to draw without Matplotlib."""
    if path.suffix.lower() not in FORMATS:
        raise FileError(f"cannot draw {path}: a picture ends in {', '.join(FORMATS)}")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise MissingExtra("matplotlib", "plot", f"drawing {path}") from None


def _draw_group(panel: Any, curves: Sequence[Curve], axis: str, number: int) -> None:
    style = plot_style.line(number)
    xs, values = _on_one_axis(curves, axis)
    if len(xs) == 1:  # a linear programme is one point
        panel.plot(xs, np.exp(logs(values).mean(axis=0)), "*", color=style["color"], markersize=11)
        return
    panel.plot(xs, np.exp(logs(values).mean(axis=0)), **style)
    if len(curves) > 1:
        panel.fill_between(xs, values.min(axis=0), values.max(axis=0), color=style["color"], **plot_style.BAND)


def _on_one_axis(curves: Sequence[Curve], axis: str) -> tuple[Floats, Floats]:
    """Points that all curves have, evenly on a logarithmic scale, and [curve, point] exploitabilities there."""
    spans = [found.span(axis) for found in curves]
    start, end = max(max(first for first, _ in spans), ZERO), min(last for _, last in spans)
    xs = np.geomspace(start, end, POINTS) if end > start else np.array([max(end, ZERO)])
    return xs, np.array([found.at(xs, axis) for found in curves])


def _add_legend(sheet: Any, panels: Sequence[Any], groups: dict[str, list[Curve]]) -> None:
    names = [f"{name} ({len(curves)} runs)" if len(curves) > 1 else name for name, curves in groups.items()]
    banded = any(len(curves) > 1 for curves in groups.values())
    note = "line: geometric mean; band: lowest to highest run" if banded else None
    plot_style.add_legend(sheet, panels[0].get_lines(), names, 3 if len(panels) > 1 else 2, note)
