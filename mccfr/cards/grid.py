"""A number for each of the 169 classes of hole hands, as the 13 x 13 grid: in the terminal and as a picture.

Aces first; pairs on the diagonal, suited hands to the upper right of it, offsuit hands to the lower left.
"""

import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from mccfr.cards.deck import CLASS_NAMES, CLASSES, RANKS, SIDE, CardError
from mccfr.errors import FileError, MissingExtra
from mccfr.files.container import atomic

if TYPE_CHECKING:
    from rich.table import Table

SHADES = ((32, 48, 79), (42, 157, 143), (244, 226, 133))  # lowest, middle, highest: red, green, blue
LEGEND = "upper right: suited, lower left: offsuit"
FORMATS: dict[str, dict[str, None]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}

Values = Sequence[float] | npt.NDArray[np.float64]


def grid_table(
    values: Values, title: str, spec: str = ".2f", low: float | None = None, high: float | None = None
) -> "Table":
    """The grid for the terminal. `spec` formats a number; shades go from `low` to `high`, else from least to most.

    Numbers that are not finite leave their cell empty.
    """
    from rich.table import Table
    from rich.text import Text

    numbers = _checked(values)
    table = Table(
        title=title, title_justify="left", title_style="bold", caption=LEGEND, box=None, padding=0, header_style="dim"
    )
    texts = [f" {x:{spec}} " if math.isfinite(x) else "" for x in numbers]
    width = max(3, *map(len, texts))
    cells = [Text(text.rjust(width), _style(s)) for text, s in zip(texts, _shares(numbers, low, high))]
    table.add_column("")
    for rank in reversed(RANKS):
        table.add_column(rank, justify="center")
    for row, rank in enumerate(reversed(RANKS)):
        table.add_row(Text(f"{rank} ", "dim"), *cells[SIDE * row : SIDE * (row + 1)])
    return table


def draw_grid(
    axes: Any, values: Values, title: str, spec: str = ".2f", low: float | None = None, high: float | None = None
) -> None:
    """The grid on the axes of a matplotlib figure, with the name of each class above its number."""
    numbers = _checked(values)
    shares = _shares(numbers, low, high)
    colours = np.array([_colour(s) if math.isfinite(s) else (255, 255, 255) for s in shares], np.uint8)
    axes.imshow(colours.reshape(SIDE, SIDE, 3), interpolation="nearest")
    for number, (name, x, share) in enumerate(zip(CLASS_NAMES, numbers, shares)):
        row, column = divmod(number, SIDE)
        ink = "white" if math.isfinite(share) and _dark(share) else "black"
        place: dict[str, Any] = {"ha": "center", "color": ink, "size": 7}
        axes.text(column, row - 0.04, name, va="bottom", weight="bold", **place)
        axes.text(column, row + 0.04, f"{x:{spec}}" if math.isfinite(x) else "", va="top", **place)
    axes.set(xticks=np.arange(SIDE + 1) - 0.5, yticks=np.arange(SIDE + 1) - 0.5, xticklabels=[], yticklabels=[])
    axes.grid(color="white", linewidth=0.8)
    axes.tick_params(length=0)
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(LEGEND, fontsize=8)


def save_grid(
    path: str | os.PathLike[str],
    values: Values,
    title: str,
    spec: str = ".2f",
    low: float | None = None,
    high: float | None = None,
) -> None:
    """The grid as a picture, .png, .svg or .pdf."""
    save_sheet(path, lambda sheet: draw_grid(sheet.subplots(), values, title, spec, low, high))


def save_sheet(path: str | os.PathLike[str], draw: Callable[[Any], None], rows: int = 1, columns: int = 1) -> None:
    """A picture with room for so many grids, which `draw` puts on the figure it is given."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("matplotlib", "plot", f"{path}") from None
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise FileError(f"cannot draw {path}: expected a name that ends in {', '.join(FORMATS)}")
    sheet = Figure(figsize=(6.5 * columns, 6.9 * rows), dpi=110, layout="constrained")
    draw(sheet)
    with atomic(path) as stream:
        sheet.savefig(stream, format=suffix[1:], metadata=FORMATS[suffix])


def _checked(values: Values) -> npt.NDArray[np.float64]:
    numbers = np.asarray(values, np.float64)
    if numbers.shape != (CLASSES,):
        raise CardError(f"expected a number for each of the {CLASSES} classes, not an array of shape {numbers.shape}")
    return numbers


def _shares(numbers: npt.NDArray[np.float64], low: float | None, high: float | None) -> npt.NDArray[np.float64]:
    """Where each number lies between low (0) and high (1)."""
    finite = numbers[np.isfinite(numbers)]
    bottom = low if low is not None else finite.min(initial=math.inf)
    top = high if high is not None else finite.max(initial=-math.inf)
    if not bottom < top:
        return np.where(np.isfinite(numbers), 0.5, math.nan)
    return np.where(np.isfinite(numbers), ((numbers - bottom) / (top - bottom)).clip(0, 1), math.nan)


def _colour(share: float) -> tuple[int, ...]:
    """Red, green and blue, 0 to 255, on the way from the first to the last of SHADES."""
    step = min(int(2 * share), 1)
    part = 2 * share - step
    return tuple(round(a + part * (b - a)) for a, b in zip(SHADES[step], SHADES[step + 1]))


def _dark(share: float) -> bool:
    red, green, blue = _colour(share)
    return 0.3 * red + 0.59 * green + 0.11 * blue < 128


def _style(share: float) -> str:
    if not math.isfinite(share):
        return ""
    red, green, blue = _colour(share)
    return f"{'white' if _dark(share) else 'black'} on rgb({red},{green},{blue})"
