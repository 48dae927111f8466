"""A hold'em strategy as 13 x 13 grids: how often each class of hands takes an action on a line of betting."""

import os
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from mccfr.cards.deck import CLASS_NAMES, CLASS_OF_HAND, CLASS_SIZES, CLASSES, HANDS, hand_name
from mccfr.cards.grid import draw_grid, grid_table, save_sheet
from mccfr.errors import StrategyError, nearest
from mccfr.strategy.strategy import Strategy
from mccfr.tree.bucket_infosets import BucketInfosets
from mccfr.tree.street_infosets import StreetInfosets

if TYPE_CHECKING:
    from rich.table import Table

Floats = npt.NDArray[np.float64]


def grids(strategy: Strategy, line: str = "") -> dict[str, Floats]:
    """[169] for every action on this line of betting: its probability, the mean over a class of hands."""
    infosets = strategy.infosets
    if isinstance(infosets, BucketInfosets):
        return _through_buckets(strategy, infosets, line)
    by_class = f"{CLASS_NAMES[0]}:{line}" in strategy
    names = CLASS_NAMES if by_class else [hand_name(number) for number in range(HANDS)]
    if f"{names[0]}:{line}" not in strategy:
        raise StrategyError(f"{strategy.game}: {_why_not(strategy, line)}")
    numbers = [infosets.find(f"{name}:{line}") for name in names]
    actions = infosets.actions(numbers[0])
    rows = np.array([list(strategy.at(number).values()) for number in numbers])
    if not by_class:
        rows = np.array([np.bincount(CLASS_OF_HAND, column, CLASSES) / CLASS_SIZES for column in rows.T]).T
    return {action: rows[:, a] for a, action in enumerate(actions)}


def _through_buckets(strategy: Strategy, infosets: BucketInfosets, line: str) -> dict[str, Floats]:
    """What hands play by their rows on the board of a line; classes that the board leaves no hand of have NaN."""
    node, rows = infosets.rows_at(line)
    if len(rows) != HANDS:
        raise StrategyError(f"{strategy.game}: grids are for the 1326 hands of a whole deck")
    free = rows >= 0
    played = infosets.at_node(strategy.probabilities, node)[rows[free]].astype(np.float64)
    with np.errstate(invalid="ignore"):
        counts = np.bincount(CLASS_OF_HAND[free], minlength=CLASSES)
        columns = [np.bincount(CLASS_OF_HAND[free], column, CLASSES) / counts for column in played.T]
    return dict(zip(infosets.menu_at(node), columns))


def _why_not(strategy: Strategy, line: str) -> str:
    if isinstance(strategy.infosets, StreetInfosets):
        return "of a spot, mccfr.view(strategy, line).grids() has the grids"
    first = strategy.infosets.labels[0].partition(":")[0]
    if first not in (CLASS_NAMES[0], hand_name(0)):
        return "grids are for the hole hands of hold'em, as in nlph"
    lines = [label.partition(":")[2] for label in strategy.infosets.labels if label.startswith(f"{first}:")]
    return f"no player moves after the line {line!r}; {nearest(line, [x or '(the beginning)' for x in lines])}"


def _chosen(strategy: Strategy, line: str, action: str | None) -> dict[str, Floats]:
    found = grids(strategy, line)
    if action is None:
        return found
    if action not in found:
        raise StrategyError(f"line {line!r} has no action {action!r}; {nearest(action, found)}")
    return {action: found[action]}


def _title(line: str, action: str) -> str:
    return f"{action} at the beginning" if not line else f"{action} after {line}"


def tables(strategy: Strategy, line: str = "", action: str | None = None) -> "list[Table]":
    """A grid in percent for the terminal, for every action or one."""
    found = _chosen(strategy, line, action)
    return [grid_table(100 * p, f"{_title(line, a)}, %", ".0f", 0.0, 100.0) for a, p in found.items()]


def save_picture(strategy: Strategy, path: str | os.PathLike[str], line: str = "", action: str | None = None) -> None:
    """All grids as one picture, .png, .svg or .pdf."""
    found = _chosen(strategy, line, action)
    columns = min(len(found), 2)
    rows = -(-len(found) // columns)

    def draw(sheet: Any) -> None:
        places = np.ravel(sheet.subplots(rows, columns))
        for axes, (name, p) in zip(places, found.items()):
            draw_grid(axes, 100 * p, f"{_title(line, name)}, %", ".0f", 0.0, 100.0)
        for axes in places[len(found) :]:
            axes.set_axis_off()

    save_sheet(path, draw, rows, columns)
