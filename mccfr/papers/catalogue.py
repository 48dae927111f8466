"""All figures by name, and the function that runs one."""

import os
from pathlib import Path

from mccfr.amounts import amount, whole_count
from mccfr.errors import MethodError, nearest, quoted
from mccfr.jobs.runner import Watch, nobody
from mccfr.machine import processors
from mccfr.papers import (
    davis_ablation,
    davis_ablation_variance,
    davis_beyond,
    davis_leduc,
    davis_public,
    davis_rates,
    davis_resolving,
    davis_resolving_beyond,
    davis_sizes,
    davis_theorem3,
    davis_time,
    davis_variance,
    gibson_bound,
    gibson_holdem,
    gibson_probing,
    gibson_theorems,
    gibson_variance,
    kuhn_page,
    kuhn_page_race,
    kuhn_page_race_large,
    li_beyond,
    li_exploration,
    li_hybrid,
    li_ranges,
    li_readings,
    lin_floor,
    lin_lbr,
    lin_prior,
    lin_rewards,
    lin_size,
    lin_threads,
    lin_variants,
    resolving_ms3,
)
from mccfr.papers.figure import Figure, Scale
from mccfr.papers.writing import Findings, redraw_figure, run_figure

FIGURES = {
    figure.name: figure
    for figure in (
        gibson_variance.FIGURE,
        gibson_probing.FIGURE_3A,
        gibson_probing.FIGURE_3B,
        gibson_holdem.FIGURE_3C,
        gibson_bound.FIGURE,
        gibson_theorems.FIGURE,
        davis_sizes.FIGURE,
        davis_leduc.FIGURE_1A,
        davis_leduc.FIGURE_1B,
        davis_leduc.FIGURE_1C,
        davis_public.FIGURE_2,
        davis_variance.FIGURE,
        davis_public.FIGURE_4A,
        davis_public.FIGURE_4B,
        davis_resolving.FIGURE,
        davis_theorem3.FIGURE,
        davis_time.FIGURE,
        davis_rates.FIGURE,
        davis_ablation.FIGURE,
        davis_ablation_variance.FIGURE,
        davis_beyond.FIGURE,
        davis_resolving_beyond.FIGURE,
        li_exploration.FIGURE,
        li_ranges.FIGURE,
        li_hybrid.FIGURE,
        *li_readings.FIGURES,
        li_beyond.FIGURE,
        lin_threads.FIGURE,
        lin_floor.FIGURE,
        lin_size.FIGURE,
        lin_prior.FIGURE,
        lin_rewards.FIGURE,
        lin_variants.FIGURE,
        lin_lbr.FIGURE,
        kuhn_page.FIGURE,
        kuhn_page_race.FIGURE,
        kuhn_page_race_large.FIGURE,
        resolving_ms3.FIGURE,
    )
}


def find_figure(name: str) -> Figure:
    """The figure of this name."""
    if not isinstance(name, str) or name not in FIGURES:
        near = nearest(str(name), FIGURES)
        told = near if near.startswith("did") else "mccfr paper lists them"
        raise MethodError(f"no figure {quoted(name)}: {told}")
    return FIGURES[name]


def paper(
    name: str,
    full: bool = False,
    seeds: int | None = None,
    hours: float | None = None,
    out: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    fresh: bool = False,
    watch: Watch | None = None,
    command: str = "",
    iterations: int | None = None,
) -> Findings:
    """Run a figure of a paper again, and judge the paper's claims by what comes out.

    The folder gets data.csv, plot.png, claims.csv and a README.md. Runs are done in processes of their own, so a script
    calls this below `if __name__ == "__main__":`.

    Args:
        name: The name of the figure; `mccfr paper` lists them.
        full: Whether to run as much as the paper did, rather than a quick version of it.
        seeds: Runs of each method; by default as many as the quick or full version takes.
        hours: CPU hours of each timed run; by default as many as the quick or full version takes.
        out: The folder to write to; by default `papers/NAME`. Finished runs are kept in it and not done again.
        workers: How many processes to use; by default one per processor.
        fresh: Whether to do finished runs again.
        watch: Called with the number of finished runs, the number of all runs, and those under way.
        command: What the README.md says it was made by; by default this call.
        iterations: Iterations of each run; by default as many as the quick or full version takes.

    Returns:
        The claims with their verdicts, and where everything is written.

    Raises:
        MethodError: If there is no such figure, or `hours` or `iterations` are given for one that does not count them.
        FileError: If the folder cannot be made or written.
        MissingExtra: If matplotlib is not installed; everything except the plot is written by then.

    Examples:
        >>> import mccfr
        >>> findings = mccfr.paper("davis2019-table1", workers=1)
        >>> claim = findings.claims[1]
        >>> claim.claim, claim.paper, claim.ours, claim.verdict
        ('infosets of leduc', '936', '936', 'reproduced')
    """
    seeds = None if seeds is None else whole_count("seeds", seeds, 1)
    workers = None if workers is None else whole_count("workers", workers, 1)
    hours = None if hours is None else amount("hours", hours)
    iterations = None if iterations is None else whole_count("iterations", iterations, 1)
    figure = find_figure(name)
    typed = command or f"mccfr.paper({name!r}{', full=True' if full else ''})"
    scale = _scale(figure, full, seeds, hours, iterations)
    folder, processes = Path(out or f"papers/{name}"), workers or processors()
    return run_figure(figure, scale, folder, processes, fresh, typed, watch or nobody)


def redraw(name: str, out: str | os.PathLike[str] | None = None) -> Path:
    """Draw the plot of a figure again from the data.csv in its folder; nothing is run. Returns the picture's path."""
    return redraw_figure(find_figure(name), Path(out or f"papers/{name}"))


def _scale(figure: Figure, full: bool, seeds: int | None, hours: float | None, iterations: int | None = None) -> Scale:
    scale = figure.full if full else figure.quick
    if hours is not None and not scale.seconds:
        raise MethodError(f"{figure.name} counts iterations, not time: leave hours out")
    if iterations is not None and not scale.iterations:
        raise MethodError(f"{figure.name} does not run for a number of iterations: leave iterations out")
    return scale._replace(
        seeds=seeds or scale.seeds,
        iterations=iterations or scale.iterations,
        seconds=hours * 3600 if hours else scale.seconds,
    )
