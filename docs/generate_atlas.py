"""Writes the measured tables of docs/choosing-a-method.md and its figures: python docs/generate_atlas.py.

All of it comes from docs/data/atlas.parquet, which `python tools/atlas.py` measures. A table stands between
`<!-- atlas: NAME -->` and `<!-- end -->`; the text around is written by hand and has no measured numbers.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from mccfr.jobs import plot_style
from mccfr.jobs.statistics import Interval, geometric_mean
from mccfr.papers import atlas_findings as findings
from mccfr.papers.atlas_data import AGAIN, LONG, SHORT, Atlas, Curves, read_atlas
from mccfr.papers.atlas_findings import SURPRISES, Standing, of_game, standings
from mccfr.papers.atlas_games import DEALT, EXACT, GAMES, PUBLIC, PUBLIC_NODES, SWEEPS, WALKS, WRITTEN, AtlasGame, Entry
from mccfr.papers.atlas_runs import KEEP, MOST, SOLVED, auto_choice
from mccfr.papers.curves import NODES, SECONDS, at

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "docs" / "data" / "atlas.parquet"
PAGE = ROOT / "docs" / "choosing-a-method.md"
FIGURES = {SECONDS: ROOT / "docs" / "images" / "atlas-time.png", NODES: ROOT / "docs" / "images" / "atlas-nodes.png"}
BLOCK = re.compile(r"(<!-- atlas: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
DEEPEST = SOLVED / 100  # exploitability that figures show: what lies deeper is rounding
FIRST = 0.001  # seconds at which the grid of times begins
SHOWN = 6  # methods in a table of means over games
DRAWN = 2  # methods of each family in a panel
COLOURS = dict(zip((SWEEPS, WALKS, PUBLIC), plot_style.COLOURS))


def measured(atlas: Atlas) -> list[AtlasGame]:
    """The games that the file has."""
    there = {entry.game for entry in atlas.curves[LONG]}
    return [game for game in GAMES if game.name in there]


def answer(atlas: Atlas) -> str:
    """Who is ahead at the end of the long runs, of all methods and of each kind of sampling."""
    heads = (
        "game",
        "kind",
        "best",
        "exploitability",
        "next, times behind",
        "best walk",
        "best public sampling",
        "`lp`",
    )
    return _table(heads, [_answer_row(atlas, game) for game in measured(atlas)])


def _answer_row(atlas: Atlas, game: AtlasGame) -> list[str]:
    curves = of_game(atlas.curves[LONG], game.name)
    places = standings(_iterative(curves), SECONDS, atlas.long_seconds())
    walk, public = (next((p for p in places if p.entry.family == family), None) for family in (WALKS, PUBLIC))
    exact = [runs[0][-1, SECONDS] for entry, runs in curves.items() if entry.family == EXACT]
    return [
        f"`{game.name}`",
        game.kind,
        _name(game, places[0].entry),
        _number(places[0].exploitability),
        _behind(game, _next(places)),
        _behind(game, walk),
        _behind(game, public),
        f"{exact[0]:.2g} s" if exact else "",
    ]


def nodes(atlas: Atlas) -> str:
    """Who is ahead at equal nodes, among methods that count the same nodes."""
    heads = ("game", "nodes", "", "best", "exploitability", "next, times behind", "best sweep", "best sampled")
    rows = []
    for game in measured(atlas):
        curves = _iterative(of_game(atlas.curves[LONG], game.name))
        for unit in dict.fromkeys(entry.unit for entry in curves):
            rows += _nodes_row(game, findings.in_unit(curves, unit), unit)
    return _table(heads, rows)


def _nodes_row(game: AtlasGame, curves: Curves, unit: str) -> list[list[str]]:
    """One row, or none where there is nothing to compare."""
    if len(curves) < 2:
        return []
    x = findings.common_nodes(curves)
    places = standings(curves, NODES, x)
    sweep = next((p for p in places if p.entry.family == SWEEPS), None)
    sampled = next((p for p in places if p.entry.family != SWEEPS), None)
    cells = [_name(game, places[0].entry), _number(places[0].exploitability), _behind(game, _next(places))]
    return [[f"`{game.name}`", f"{x:.1g}", unit, *cells, _behind(game, sweep), _behind(game, sampled)]]


def early(atlas: Atlas) -> str:
    """Until when sampling is ahead of sweeping, on the games where it ever is."""
    rows, times = list[list[str]](), findings.grid(FIRST, atlas.long_seconds())
    for game in measured(atlas):
        curves = _iterative(of_game(atlas.curves[LONG], game.name))
        if until := findings.sampled_until(curves, times):
            [who] = [place.entry for x, place in findings.best_by_time(curves, times) if x == until]
            rows.append([f"`{game.name}`", f"{until:.2g} s", _name(game, who)])
    nowhere = f"On none of these games, at any time from {FIRST:g} s on.\n"
    return _table(("game", "sampling is ahead until", "with"), rows) if rows else nowhere


def overall(atlas: Atlas) -> str:
    """Methods over all games, family by family."""
    rows = []
    for family, form in ((SWEEPS, WRITTEN), (WALKS, WRITTEN), (PUBLIC, DEALT)):
        games = {
            g.name: form if form in g.forms else DEALT for g in measured(atlas) if form in g.forms or family == SWEEPS
        }
        for place in findings.overall(atlas, family, SECONDS, games)[:SHOWN]:
            worst = f"{place.worst:.3g} (`{place.worst_game}`)"
            rows.append([family, f"`{place.method}`", str(place.games), f"{place.mean:.3g}", worst])
    return _table(("family", "method", "games", "times behind, mean", "at worst"), rows)


def auto(atlas: Atlas) -> str:
    """What `auto` takes on each form, beside the best that was measured."""
    rows = []
    for game in measured(atlas):
        for form, text in game.forms.items():
            entry = Entry(game.name, form, auto_choice(text))
            rows.append([f"`{text}`", f"`{entry.method}`", f"{findings.auto_behind(atlas, entry):.3g}"])
    return _table(("game", "`auto` takes", "times behind the best"), rows)


def surprises(atlas: Atlas) -> str:
    """What one would not have guessed, with both sets of seeds."""
    rows = []
    for surprise in SURPRISES:
        first, second = findings.checked(atlas, surprise)
        told = "confirmed" if findings.confirmed(atlas, surprise) else "not confirmed"
        rows.append([surprise.text, str(first), str(second or "not run"), told])
    return _table(("", "ratio, first seeds", "ratio, second seeds", ""), rows)


def size(atlas: Atlas) -> str:
    """How much was run."""
    lines = []
    for name, what in ((SHORT, "short runs of every method"), (LONG, "long runs"), (AGAIN, "runs of the surprises")):
        stage, runs = atlas.stages[name], sum(map(len, atlas.curves.get(name, {}).values()))
        seeds = f"{stage.first_seed} to {stage.first_seed + stage.seeds - 1}"
        lines.append(f"- {runs:,} {what}, {stage.seconds:g} CPU seconds each, seeds {seeds}")
    rule = f"- a method stays in the race within a factor of {KEEP:g} of the best of its family, and {MOST} at most"
    missing = ", ".join(f"`{game.name}`" for game in GAMES if game not in measured(atlas))
    lines += [f"{rule} by time and {MOST} by nodes", *([f"- not measured yet: {missing}"] if missing else [])]
    return "\n".join([*lines, f"- {atlas.made}"]) + "\n"


TABLES: dict[str, Callable[[Atlas], str]] = {
    function.__name__: function for function in (answer, nodes, early, overall, auto, surprises, size)
}


def page(text: str, atlas: Atlas) -> str:
    """The page with the tables that the data give."""
    return BLOCK.sub(lambda found: f"{found[1]}\n{TABLES[found[2]](atlas)}\n{found[3]}", text)


def draw(atlas: Atlas, axis: int, path: Path) -> None:
    """A panel for each game: the best methods of each family, with 95 % bands over seeds."""
    from matplotlib.figure import Figure

    sheet = Figure(figsize=(11, 13), dpi=80, layout="constrained")
    panels = list(sheet.subplots(3, 3).flat)
    for panel in panels[len(measured(atlas)) :]:
        panel.set_axis_off()
    for panel, game in zip(panels, measured(atlas)):
        curves = _iterative(of_game(atlas.curves[LONG], game.name))
        if axis == NODES:  # in the unit that most methods of the game count
            unit = next(iter(curves)).unit if game.written else PUBLIC_NODES
            curves = findings.in_unit(curves, unit)
        _panel(panel, curves, axis, atlas.long_seconds() if axis == SECONDS else findings.common_nodes(curves), game)
        panel.set_title(game.name + (f" ({unit})" if axis == NODES else ""), fontsize=plot_style.SMALL)
    sheet.supxlabel("CPU seconds" if axis == SECONDS else "nodes touched", fontsize=plot_style.SMALL)
    sheet.supylabel("exploitability, in the game's payoffs", fontsize=plot_style.SMALL)
    plot_style.save_small(sheet, path, 96)


def _panel(panel: Any, curves: Curves, axis: int, end: float, game: AtlasGame) -> None:
    counts = dict.fromkeys(COLOURS, 0)
    for place in standings(curves, axis, end):
        family = place.entry.family
        if counts[family] < DRAWN:
            style = {"color": COLOURS[family], "linestyle": plot_style.STYLES[counts[family]], "linewidth": 1.4}
            _line(panel, curves[place.entry], axis, end, _name(game, place.entry).replace("`", ""), style)
            counts[family] += 1
    panel.set(xscale="log", yscale="log")
    panel.set_ylim(bottom=max(panel.get_ylim()[0], DEEPEST))
    panel.tick_params(which="both", labelsize=7)
    plot_style.tidy(panel)
    panel.legend(fontsize=6.5, frameon=False, loc="upper left", bbox_to_anchor=(0, -0.11), borderaxespad=0)


def _line(panel: Any, runs: list[Any], axis: int, end: float, label: str, style: dict[str, Any]) -> None:
    first = max(max(run[0, axis] for run in runs), FIRST if axis == SECONDS else 1.0)
    xs = np.geomspace(first, max(end, first), 30)
    means, low, high = np.array([geometric_mean(at(runs, x, axis)) for x in xs]).T
    panel.plot(xs, means, label=label, **style)
    panel.fill_between(xs, low, high, color=style["color"], **plot_style.BAND)


def _iterative(curves: Curves) -> Curves:
    return {entry: runs for entry, runs in curves.items() if entry.family != EXACT}


def _name(game: AtlasGame, entry: Entry) -> str:
    """The method, and the form where a game has two."""
    return f"`{entry.method}`" + (", dealt" if entry.form == DEALT and game.written else "")


def _behind(game: AtlasGame, place: Standing | None) -> str:
    return f"{_name(game, place.entry)}: {_number(place.behind)}" if place else ""


def _next(places: list[Standing]) -> Standing | None:
    """The best of the other methods; the same one on another form is no other."""
    return next((place for place in places if place.entry.method != places[0].entry.method), None)


def _number(found: Interval) -> str:
    """Two digits, and the interval where there is one."""
    return f"{found.mean:.2g} [{found.low:.2g}, {found.high:.2g}]" if found.low < found.high else f"{found.mean:.2g}"


def _table(heads: tuple[str, ...], rows: list[list[str]]) -> str:
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows]) + "\n"


def main() -> None:
    """Write the page and the figures again."""
    atlas = read_atlas(DATA)
    PAGE.write_text(page(PAGE.read_text(), atlas))
    for axis, path in FIGURES.items():
        draw(atlas, axis, path)


if __name__ == "__main__":
    main()
