"""Run folders and strategies for the page: those named on the command line, by number; a page never names a file."""

import contextlib
import functools
import re
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import mccfr
from mccfr.errors import FileError, MccfrError
from mccfr.runs.checkpoints import Checkpoints
from mccfr.runs.metrics import COLUMNS
from mccfr.runs.run import Run
from mccfr.strategy.strategy import Strategy
from mccfr.web.range_nodes import Book, has_grid

RUN_FILES = ("run.json", "status.json")  # a folder with one of these is, or was, a run
MOST_ROWS = 2000  # measurements that are sent
MOST_RUNS = 500
MOST_OPEN = 4  # strategies that are held in memory
STRATEGY, CHECKPOINTS = "strategy.mccfr", "checkpoints"  # in a run folder
GAME_FACTS = re.compile(r"\b(betting|board|pot|stack|buckets)=(?:'([^']*)'|(\w+))")
SHIPPED = "blueprint:"  # before the name of a strategy that comes with the package

Version = tuple[int, str]  # when a strategy file was written, and the newest checkpoint beside it


class Sources(NamedTuple):
    """What may be looked at."""

    runs: tuple[Path, ...] = ()
    strategies: tuple[Path, ...] = ()  # files, blueprints by name, and for every run the file that it will end with

    def run(self, number: int) -> Run:
        """A run by its number."""
        return Run(_pick(self.runs, number, "run"))

    def version(self, number: int) -> Version:
        """What changes when a strategy does: a run that goes on writes checkpoints."""
        path = _pick(self.strategies, number, "strategy")
        if str(path).startswith(SHIPPED):
            return 0, ""
        newest = next(iter(self._checkpoints(path)), None)
        try:
            return path.stat().st_mtime_ns, newest.name if newest else ""
        except OSError as error:
            if newest is not None:
                return 0, newest.name
            if path.parent in self.runs:
                raise FileError("it has no strategy yet: no checkpoint has been written") from None
            raise FileError(f"cannot read {path}: {error.strerror}") from None

    def _checkpoints(self, path: Path) -> list[Path]:
        """Of the run that ends with this file, from the newest on."""
        if path.parent not in self.runs:
            return []
        with contextlib.suppress(OSError):
            return Checkpoints(path.parent / CHECKPOINTS, {}).paths()
        return []

    def strategy(self, number: int) -> Strategy:
        """A strategy by its number, read anew when it has changed."""
        return _load(self.strategies[number], self.version(number))

    def book(self, number: int) -> Book:
        """A strategy of hold'em, opened for looking at nodes."""
        version = self.version(number)
        with _OPENING:
            return _open(self.strategies[number], version)


NONE = Sources()
_OPENING = threading.Lock()  # a large file is not to be opened twice at a time


def find_sources(paths: tuple[str, ...]) -> Sources:
    """What a command line names: folders with runs in them, strategy files, and blueprints by name."""
    runs = [run for path in paths if Path(path).is_dir() for run in _runs_below(Path(path))][:MOST_RUNS]
    files = tuple(Path(path) for path in paths if not Path(path).is_dir())
    sources = Sources(tuple(runs), (*files, *(run / STRATEGY for run in runs)))
    for number in range(len(files)):
        _described(files[number], sources.version(number))  # no strategy is refused before anything is served
    return sources


def warm_up(sources: Sources) -> None:
    """Look at the first node of the first strategy of hold'em, so that the first page need not wait for that."""
    for number, path in enumerate(sources.strategies):
        with contextlib.suppress(MccfrError):
            if path.parent not in sources.runs and has_grid(sources.strategy(number).game):
                sources.book(number).view("")
                return


def _runs_below(folder: Path) -> list[Path]:
    found = {file.parent for name in RUN_FILES for file in folder.rglob(name)}
    if not found:
        raise FileError(
            f"{folder} contains no run: give a folder made by mccfr solve --out, or one that contains such folders"
        )
    return sorted(found)


def _pick(among: tuple[Path, ...], number: int, what: str) -> Path:
    if not 0 <= number < len(among):
        raise FileError(f"there is no {what} {number}: {len(among)} are open")
    return among[number]


@functools.lru_cache(maxsize=MOST_OPEN)
def _load(path: Path, version: Version) -> Strategy:
    """A file; or of a run that has come further than its file, the newest checkpoint."""
    if not version[1] or (version[0] and not _goes_on(path.parent)):
        return mccfr.load(str(path))
    return Run(path.parent).strategy()


def _goes_on(folder: Path) -> bool:
    """Whether a run has checkpoints that its strategy file may not know of."""
    with contextlib.suppress(MccfrError):
        return Run(folder).status.state != "done"
    return False


@functools.lru_cache(maxsize=MOST_OPEN)
def _open(path: Path, version: Version) -> Book:
    return Book(_load(path, version))


def list_sources(sources: Sources) -> dict[str, Any]:
    """All runs and strategies, a broken one with what is wrong. Runs that have no strategy yet are only runs."""
    strategies = [_guarded(number, path, _strategy_line, sources) for number, path in enumerate(sources.strategies)]
    return {
        "runs": [_guarded(number, path, _run_line, sources) for number, path in enumerate(sources.runs)],
        "strategies": [line for line in strategies if "error" not in line or not _is_of_run(sources, line["id"])],
    }


def _is_of_run(sources: Sources, number: int) -> bool:
    path = sources.strategies[number]
    return path.parent in sources.runs and not path.is_file()


def _guarded(number: int, path: Path, line: Any, sources: Sources) -> dict[str, Any]:
    named = {"id": number, "name": str(path.parent.name + "/" + path.name if path.name == STRATEGY else path)}
    try:
        return {**named, **line(sources, number)}
    except (MccfrError, KeyError, TypeError, ValueError, OSError) as error:
        return {**named, "error": _one_line(error)}


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) if isinstance(error, MccfrError) else f"damaged: {type(error).__name__}"


def _run_line(sources: Sources, number: int) -> dict[str, Any]:
    run = sources.run(number)
    status, record = run.status, run.record
    found, pot = status.exploitability, record.pot
    return {
        "game": run.config.game,
        "title": game_title(run.config.game),
        "method": record.resolved["method"],
        "seed": run.config.seed,
        "status": status.state,
        "iterations": int(status.iterations),
        "seconds": float(status.seconds),
        "touched": int(status.touched),
        "rate": float(status.rate),
        "left": status.left,
        "exploitability": found,
        "of_pot": found / pot if found is not None and pot else None,
        "age": _age(status.updated),
        "note": status.note or None,
    }


def game_title(game: str) -> str:
    """A game in a few words: of a spot the board, the pot and the stack, of hold'em the betting and the buckets."""
    name = game.removeprefix("dealt:").partition("(")[0]
    if name not in ("spot", "holdem"):
        return game
    found = {key: plain or quoted for key, quoted, plain in GAME_FACTS.findall(game)}
    kind = {"limit": "limit hold'em", "nolimit": "no-limit hold'em"}.get(found.pop("betting", ""), name)
    words = [f"{key} {value}" if key != "board" or name == "holdem" else value for key, value in found.items()]
    return f"{kind} {', '.join(words)}".strip()


def _age(updated: str) -> float | None:
    """Seconds since a run last told how it is doing."""
    if not updated:
        return None
    return max(0.0, (datetime.now(UTC) - datetime.fromisoformat(updated)).total_seconds())


def _strategy_line(sources: Sources, number: int) -> dict[str, Any]:
    version = sources.version(number)
    path = sources.strategies[number]
    run = sources.runs.index(path.parent) if path.parent in sources.runs else None
    return {**_described(path, version), "version": "/".join(map(str, version)), "run": run}


@functools.lru_cache(maxsize=2 * MOST_RUNS)
def _described(path: Path, version: Version) -> dict[str, Any]:
    """What is said of a strategy in the list; told of a run that goes on without reading its tables."""
    if version[1] and _goes_on(path.parent):
        record = Run(path.parent).record
        game, method, infosets = record.resolved["game"], record.resolved["method"], record.sizes.get("infosets")
        return _line(game, method, int(Path(version[1]).stem), infosets, None) | {"live": True}
    strategy = _load(path, version)
    origin = strategy.origin
    return _line(strategy.game, origin.method, origin.iterations, len(strategy), strategy.unvisited)


def _line(game: str, method: str, iterations: int, infosets: int | None, unvisited: int | None) -> dict[str, Any]:
    return {
        "game": game,
        "title": game_title(game),
        "live": False,
        "method": method,
        "iterations": iterations,
        "infosets": infosets,
        "unvisited": unvisited,
        "grid": has_grid(game),
    }


def run_view(sources: Sources, number: int) -> dict[str, Any]:
    """One run with its measurements, at most MOST_ROWS of them."""
    run = sources.run(number)
    line = _guarded(number, sources.runs[number], _run_line, sources)
    columns = run.metrics()
    count = len(columns["iterations"])
    kept = np.unique(np.linspace(0, count - 1, min(count, MOST_ROWS)).astype(int)) if count else np.zeros(0, int)
    rows = [list(row) for row in zip(*(columns[name][kept].tolist() for name in COLUMNS))]
    limits = {
        "iterations": run.config.iterations,
        "seconds": run.config.seconds,
        "target": run.config.goal(run.record.pot),
    }
    return {**line, "limits": limits, "columns": list(COLUMNS), "rows": rows}


def strategy_view(
    sources: Sources, number: int, wanted: str, player: int | None, offset: int, limit: int
) -> dict[str, Any]:
    """A page of a strategy's table."""
    strategy = sources.strategy(number)
    infosets, needle = strategy.infosets, wanted.lower()
    if needle and not infosets.written:
        raise FileError(f"{len(infosets):,} infosets are too many to search: look at them as a grid")
    among = range(len(infosets)) if player is None else infosets.of(player)
    chosen = [j for j in among if needle in infosets.labels[j].lower()] if needle else among
    items = [
        {
            "player": infosets.owner(j),
            "label": infosets.labels[j],
            "actions": list(infosets.actions(j)),
            "probabilities": list(strategy.at(j).values()),
            "visited": bool(strategy.visited[j]),
        }
        for j in chosen[offset : offset + limit]
    ]
    return {"total": len(chosen), "offset": offset, "searchable": infosets.written, "items": items}
