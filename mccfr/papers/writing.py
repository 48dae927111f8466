"""Running a figure and writing what it came to: data.csv, claims.csv, plot.png and README.md in its folder."""

import csv
import os
import platform
import subprocess
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import mccfr
from mccfr.errors import FileError, MissingExtra
from mccfr.jobs import plot_style
from mccfr.jobs.runner import Watch
from mccfr.papers.figure import Claim, Done, Figure, Report, Scale
from mccfr.papers.kept_jobs import KEPT, do_stages

DATA, CLAIMS, PLOT, README = "data.csv", "claims.csv", "plot.png", "README.md"


class Findings(NamedTuple):
    """What a figure came to, and where it is written.

    Attributes:
        folder: The folder with data.csv, claims.csv, plot.png and README.md.
        jobs: How many runs the figure takes.
        seconds: Seconds of all runs together, whenever they were done.
        claims: What the paper says, what was found, and a verdict on each.
    """

    folder: Path
    jobs: int
    seconds: float  # of all jobs together, whenever they were run
    claims: Sequence[Claim]


def run_figure(
    figure: Figure, scale: Scale, folder: Path, workers: int, fresh: bool, command: str, watch: Watch
) -> Findings:
    """Run the jobs that are not done yet, then write everything. Without matplotlib all but the plot is written."""
    _make(folder)
    if fresh:
        for path in figure.kept(scale):
            path.unlink(missing_ok=True)
    done = do_stages([*figure.first(scale), figure.jobs(scale)], folder, workers, fresh, watch)
    report = figure.report(scale, done)
    _write_csv(folder / DATA, report.columns, report.rows)
    _write_csv(folder / CLAIMS, Claim._fields, report.claims)
    missing = _plot(figure, folder)
    (folder / README).write_text(_readme(figure, scale, report, command, done, missing is None))
    if missing is not None:
        raise missing
    return Findings(folder, len(done), sum(job.seconds for job in done), report.claims)


def redraw_figure(figure: Figure, folder: Path) -> Path:
    """Draw the plot of a folder again, from its data.csv and nothing else."""
    if not (folder / DATA).is_file():
        raise FileError(f"no {folder / DATA} to draw from: run mccfr paper {figure.name}, or name its folder by --out")
    missing = _plot(figure, folder)
    if missing is not None:
        raise missing
    return folder / PLOT


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"cannot make the folder {folder}: {error.strerror}; give another with --out") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise FileError(f"cannot write in the folder {folder}: no permission; give another with --out")


def _write_csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def _plot(figure: Figure, folder: Path) -> MissingExtra | None:
    """Draw the plot, or say what is missing for it."""
    path = folder / PLOT
    try:
        from matplotlib.figure import Figure as Sheet
    except ImportError:
        path.unlink(missing_ok=True)  # an older plot would not be of these data
        return MissingExtra("matplotlib", "plot", f"{path} (everything else is written)")
    sheet = Sheet(figsize=(6.5, 4.6), dpi=plot_style.DPI, layout="constrained")
    axes = sheet.subplots()
    with (folder / DATA).open(newline="") as file:
        rows = list(csv.DictReader(file))
    try:
        figure.draw(rows, axes)
    except (KeyError, ValueError, IndexError):
        raise FileError(f"{folder / DATA} does not hold the data of {figure.name}") from None
    plot_style.tidy(axes)
    handles, names = axes.get_legend_handles_labels()
    columns = 3 if len(names) > 8 else 2
    plot_style.add_legend(sheet, handles, names, columns)
    sheet.set_figheight(4.1 + 0.2 * -(-len(names) // columns))  # room for the legend's lines
    sheet.suptitle(figure.title, fontsize=plot_style.TITLE)
    plot_style.save_small(sheet, path)
    return None


def _readme(figure: Figure, scale: Scale, report: Report, command: str, done: list[Done], plotted: bool) -> str:
    amounts = ", ".join(
        f"{name} {value if isinstance(value, str) else ' '.join(value) if isinstance(value, tuple) else f'{value:,}'}"
        for name, value in scale._asdict().items()
        if value and name != "time"
    )
    parts = [
        f"# {figure.name}: {figure.title}",
        f"{figure.source}. Made by `{command}` ({amounts}).",
        *([f"![{figure.title}]({PLOT})"] if plotted else []),
        _table(report.claims),
        figure.remarks,
        f"Intervals are 95 %. [{DATA}]({DATA}) has the numbers of the plot, [{CLAIMS}]({CLAIMS}) the table; {KEPT} "
        "keeps every finished run, so the same command runs only what is missing.",
        f"{len(done)} runs, {sum(job.seconds for job in done):,.0f} s in all, on {machine()}; {versions()}.",
    ]
    return "\n\n".join(parts) + "\n"


def _table(claims: Sequence[Claim]) -> str:
    lines = ["| id | claim | paper | ours | verdict |", "|---|---|---|---|---|"]
    return "\n".join(lines + [f"| {' | '.join(claim)} |" for claim in claims])


def machine() -> str:
    """The processor, by the name the system has for it."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{models[0] if models else platform.machine()}, {os.cpu_count()} processors"


def versions() -> str:
    packages = [f"{name} {version(name)}" for name in ("numpy", "numba", "scipy")]
    return ", ".join([f"mccfr {mccfr.__version__} ({_commit()})", f"Python {platform.python_version()}", *packages])


def _commit() -> str:
    command = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        return f"commit {subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()}"
    except (OSError, subprocess.CalledProcessError):
        return "not a git checkout"
