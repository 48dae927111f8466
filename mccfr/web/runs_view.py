"""Run folders and strategies for the page: those named on the command line, by number; a page never names a file."""

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import mccfr
from mccfr.cards.deck import CLASS_NAMES, CLASS_OF_HAND, CLASS_SIZES, SIDE, hand_name
from mccfr.errors import FileError, MccfrError
from mccfr.runs.metrics import COLUMNS
from mccfr.runs.run import Run
from mccfr.strategy.strategy import Strategy

RUN_FILES = ("run.json", "status.json")  # a folder with one of these is, or was, a run
MOST_ROWS = 2000  # measurements that are sent
MOST_RUNS = 500
STRATEGY = "strategy.mccfr"
MOVE = re.compile(r"(\D)(\d*)")  # of a line of betting


class Sources(NamedTuple):
    """What may be looked at."""

    runs: tuple[Path, ...] = ()
    strategies: tuple[Path, ...] = ()

    def run(self, number: int) -> Run:
        """A run by its number."""
        return Run(_pick(self.runs, number, "run"))

    def strategy(self, number: int) -> Strategy:
        """A strategy by its number, read anew when its file has changed."""
        path = _pick(self.strategies, number, "strategy")
        try:
            changed = path.stat().st_mtime_ns
        except OSError as error:
            raise FileError(f"cannot read {path}: {error.strerror}") from None
        return _load(path, changed)


NONE = Sources()


def find_sources(paths: tuple[str, ...]) -> Sources:
    """The runs and strategies that a command line names: folders with runs in them, and strategy files."""
    runs = [run for path in paths if Path(path).is_dir() for run in _runs_below(Path(path))]
    files = [Path(path) for path in paths if not Path(path).is_dir()]
    for file in files:
        mccfr.load(file)  # a file that is no strategy is refused before anything is served
    return Sources(tuple(runs[:MOST_RUNS]), (*files, *(run / STRATEGY for run in runs if (run / STRATEGY).is_file())))


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


@functools.lru_cache(maxsize=4)
def _load(path: Path, changed: int) -> Strategy:
    return mccfr.load(path)


def list_sources(sources: Sources) -> dict[str, Any]:
    """All runs and strategies, a broken one with what is wrong."""
    return {
        "runs": [_guarded(number, path, _run_line, sources) for number, path in enumerate(sources.runs)],
        "strategies": [
            _guarded(number, path, _strategy_line, sources) for number, path in enumerate(sources.strategies)
        ],
    }


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
    status, resolved = run.status, run.record.resolved
    return {
        "game": run.config.game,
        "method": resolved["method"],
        "seed": run.config.seed,
        "status": status.state,
        "iterations": int(status.iterations),
        "seconds": float(status.seconds),
        "touched": int(status.touched),
        "rate": float(status.rate),
        "left": status.left,
        "exploitability": status.exploitability,
        "note": status.note or None,
    }


def _strategy_line(sources: Sources, number: int) -> dict[str, Any]:
    strategy = sources.strategy(number)
    return {
        "game": strategy.game,
        "method": strategy.origin.method,
        "iterations": strategy.origin.iterations,
        "infosets": len(strategy),
        "unvisited": strategy.unvisited,
        "grid": bool(grid_lines(strategy)),
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
    return {"total": len(chosen), "offset": offset, "items": items}


# ---- the 13 x 13 grid


def grid_lines(strategy: Strategy) -> dict[str, int]:
    """Lines of betting before which all hole hands may move, and who moves: labels are hand:line there."""
    return _lines(strategy) if strategy.game.partition("(")[0] in ("nlph", "dealt:nlph") else {}


def _lines(strategy: Strategy) -> dict[str, int]:
    found: dict[str, int] = {}
    for player in (0, 1):
        for j in strategy.infosets.of(player):
            found.setdefault(strategy.infosets.labels[j].partition(":")[2], player)
    return found


def grid_view(sources: Sources, number: int, wanted: str) -> dict[str, Any]:
    """What all hole hands do after a line of betting."""
    strategy = sources.strategy(number)
    lines = grid_lines(strategy)
    if not lines:
        raise FileError(f"a strategy of {strategy.game} has no grid: only games with two hole cards have one")
    if wanted not in lines:
        raise FileError(
            f"no line {wanted!r} in {strategy.game}; lines: {', '.join(repr(line) for line in sorted(lines))}"
        )
    hands = list(_hands(strategy, wanted, lines[wanted]))
    infoset = strategy.infosets.find(f"{hands[0][0]}:{wanted}", lines[wanted])
    return {
        "lines": [{"line": line, "title": _title(line), "player": player} for line, player in sorted(lines.items())],
        "line": wanted,
        "player": lines[wanted],
        "actions": list(strategy.infosets.actions(infoset)),
        "cells": [_cell(c, [h for h in hands if h[1] == c]) for c in sorted({c for _, c, _ in hands})],
    }


def _hands(strategy: Strategy, line: str, player: int) -> Iterator[tuple[str, int, list[float]]]:
    """Every hand after a line: its name, its class, its probabilities."""
    classes = {name: number for number, name in enumerate(CLASS_NAMES)}
    classes |= {hand_name(hand): int(number) for hand, number in enumerate(CLASS_OF_HAND)}
    for j in strategy.infosets.of(player):
        name, _, after = strategy.infosets.labels[j].partition(":")
        if after == line:
            yield name, classes[name], list(strategy.at(j).values())


def _cell(number: int, hands: list[tuple[str, int, list[float]]]) -> dict[str, Any]:
    name = CLASS_NAMES[number]
    row, column = divmod(number, SIDE)
    alone = len(hands) == 1 and hands[0][0] == name
    return {
        "hand": name,
        "row": row,
        "column": column,
        "probabilities": np.mean([p for _, _, p in hands], axis=0).tolist(),
        "weight": int(CLASS_SIZES[number]),
        "combos": None if alone else [{"hand": h, "probabilities": p} for h, _, p in hands],
    }


def _title(line: str) -> str:
    """A line of betting in words: `r250c` is a raise to 250 and a call."""
    words = {"f": "fold", "c": "call", "r": "raise", "a": "all-in"}
    moves = [f"{words.get(letter, letter)} {amount}".strip() for letter, amount in MOVE.findall(line)]
    return "the first move" if not line else "after " + ", ".join(moves)
