"""How every figure of curves looks, those of `mccfr plot`, `mccfr race` and `mccfr paper` alike.

Nothing here imports Matplotlib: sheets and panels are handed in.
"""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# Okabe and Ito's colours, told apart by people who see few of them; the line styles help where they repeat.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
GREY = "#8C8C8C"
STYLES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
WIDTH = 1.7  # of a line
BAND: dict[str, Any] = {"alpha": 0.18, "linewidth": 0}
DPI = 130
TITLE = 11  # points
SMALL = 9
PANEL = 4.0  # inches, the width of one of several
FEW = 256  # colours of a file; curves have no more


def line(number: int) -> dict[str, Any]:
    """Colour, style and width of the n-th line of a panel."""
    style = STYLES[(number + number // len(COLOURS)) % len(STYLES)]
    return {"color": COLOURS[number % len(COLOURS)], "linestyle": style, "linewidth": WIDTH}


def tidy(panel: Any) -> None:
    """A faint grid, and no frame above and on the right."""
    panel.grid(True, which="major", alpha=0.25, linewidth=0.6)
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)


def panels(first: Any, titles: Sequence[str]) -> list[Any]:
    """Panels side by side where there was one, with axes of the same length; what the first is given stays."""
    sheet = first.figure
    sheet.set_figwidth(PANEL * len(titles))
    grid = sheet.add_gridspec(1, len(titles))
    first.set_subplotspec(grid[0])
    all_of_them = [first, *(sheet.add_subplot(place) for place in list(grid)[1:])]
    for panel, title in zip(all_of_them, titles, strict=True):
        panel.set_title(title, fontsize=SMALL)
        tidy(panel)
    return all_of_them


def add_legend(sheet: Any, handles: Sequence[Any], names: Sequence[str], columns: int, note: str | None = None) -> None:
    """What the lines are, below all panels, where it hides nothing."""
    place = {"loc": "outside lower center", "ncols": columns, "frameon": False}
    sheet.legend(handles, names, title=note, title_fontsize=SMALL, fontsize=SMALL, **place)


def save_small(sheet: Any, path: Path, colours: int = FEW) -> None:
    """A PNG file with few colours: a third of the size, and the same to the eye."""
    from PIL import Image  # comes with Matplotlib

    drawn = io.BytesIO()
    sheet.savefig(drawn, format="png")
    Image.open(drawn).convert("RGB").quantize(colours, dither=Image.Dither.NONE).save(path, "PNG", optimize=True)
