"""Measuring and exporting whatever holds a strategy: a Strategy, a Solver, a Run, a strategy file or a run folder."""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from mccfr.errors import StrategyError, nearest, one_line, quoted
from mccfr.evaluate import exact
from mccfr.evaluate.exact import BestResponse
from mccfr.games.registry import NAMED, outside, spelled
from mccfr.runs.run import Run
from mccfr.solvers.prepare import load
from mccfr.solvers.solver import Solver
from mccfr.strategy import csv_json
from mccfr.strategy.strategy import Strategy

AnyStrategy = Strategy | Solver | Run | str | os.PathLike[str]
Function = TypeVar("Function", bound=Callable[..., Any])
TAKEN = "a Strategy, a Solver, a Run, a .mccfr file or a run folder"


def strategy_of(given: AnyStrategy, what: str = "strategy") -> Strategy:
    """The strategy that somebody means."""
    if isinstance(given, Strategy):
        return given
    if isinstance(given, Solver | Run):
        return given.strategy()
    if isinstance(given, str | os.PathLike):
        return _read(Path(given), what)
    raise StrategyError(f"{what} must be {TAKEN}, got {quoted(given)}")


def _read(path: Path, what: str) -> Strategy:
    is_folder = is_file = False
    with contextlib.suppress(OSError, ValueError):  # of a name that no file can have
        is_folder, is_file = path.is_dir(), path.exists()
    if is_folder:
        return Run(path).strategy()
    if is_file:
        return load(path)
    name = spelled(str(path))
    if not outside(name):  # a game of ours
        text = repr(name)
        raise StrategyError(f"{what} must be a strategy, and {text} is a game: take mccfr.solve({text})")
    near = nearest(name, NAMED)
    told = f"; {near}" if near.startswith("did") else ""
    raise StrategyError(f"cannot read {one_line(str(path), 80)}: no such file; {what} must be {TAKEN}{told}")


def _explained_by(function: Callable[..., Any]) -> Callable[[Function], Function]:
    """Give a function here the docstring of the one that does the work."""

    def explain(here: Function) -> Function:
        here.__doc__ = function.__doc__
        return here

    return explain


@_explained_by(exact.exploitability)
def exploitability(strategy: AnyStrategy) -> float:
    return exact.exploitability(strategy_of(strategy))


@_explained_by(exact.nash_conv)
def nash_conv(strategy: AnyStrategy) -> float:
    return exact.nash_conv(strategy_of(strategy))


@_explained_by(exact.expected_value)
def expected_value(strategy: AnyStrategy, opponent: AnyStrategy | None = None) -> float:
    other = None if opponent is None else strategy_of(opponent, "opponent")
    return exact.expected_value(strategy_of(strategy), other)


@_explained_by(exact.best_response)
def best_response(strategy: AnyStrategy, player: int) -> BestResponse:
    return exact.best_response(strategy_of(strategy), player)


@_explained_by(csv_json.export_csv)
def export_csv(strategy: AnyStrategy, path: str | os.PathLike[str]) -> None:
    csv_json.export_csv(strategy_of(strategy), path)


@_explained_by(csv_json.export_json)
def export_json(strategy: AnyStrategy, path: str | os.PathLike[str]) -> None:
    csv_json.export_json(strategy_of(strategy), path)
