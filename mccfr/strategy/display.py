"""A strategy for the eye: a table in the terminal, in a notebook, in pandas."""

import html as markup
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mccfr.errors import MissingExtra, StrategyError
from mccfr.strategy.strategy import Strategy, require_names

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table

BAR = 12  # characters of a full bar
NOTEBOOK_ROWS = 60


def rows_of(strategy: Strategy, player: int | None = None) -> range:
    """Numbers of the infosets to show."""
    players = len(strategy.infosets.first) - 1
    if player is not None and player not in range(players):
        raise StrategyError(f"no player {player!r}: the players are 0 to {players - 1}")
    return range(len(strategy)) if player is None else strategy.infosets.of(player)


def summary(strategy: Strategy) -> str:
    """One line on where the strategy comes from."""
    origin = strategy.origin
    parts = [origin.game]
    if origin.method:
        parts.append(origin.method + (f", {origin.iterations:,} iterations" if origin.iterations > 1 else ""))
    parts.append(f"{len(strategy):,} infosets")
    if strategy.unvisited:
        parts.append(f"{strategy.unvisited:,} unvisited (uniform)")
    return " · ".join(parts)


def rich_table(strategy: Strategy, rows: Sequence[int]) -> "Table":
    """The chosen infosets as a table for the terminal."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=summary(strategy), title_justify="left", title_style="bold", header_style="dim")
    table.add_column("player", justify="right")
    table.add_column("infoset", overflow="fold", ratio=1)
    table.add_column("strategy", ratio=2)
    unicode = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().startswith("utf")
    block = "█" if unicode else "#"
    for j in rows:
        cells = Text()
        for action, p in strategy.at(j).items():
            cells.append(f"{action} ")
            cells.append(f"{p:.3f} ", style="bold")
            cells.append(block * round(BAR * p) + " ", style="cyan")
        if not strategy.visited[j]:
            cells.append("unvisited", style="dim")
        label = strategy.infosets.labels[j].replace("\n", "⏎")
        table.add_row(str(strategy.infosets.owner(j)), label, cells)
    return table


def print_strategy(strategy: Strategy, infoset: int | None, limit: int, player: int | None = None) -> None:
    """Print all infosets up to the limit, or one."""
    from rich.console import Console

    rows = rows_of(strategy, player) if infoset is None else range(infoset, infoset + 1)
    console = Console()
    console.print(rich_table(strategy, rows[:limit]))
    if len(rows) > limit:
        console.print(f"... {len(rows) - limit:,} more; look one up by its label, or raise the limit", style="dim")


def print_grids(strategy: Strategy, line: str, action: str | None) -> None:
    """Print a hold'em strategy on a line of betting as 13 x 13 grids."""
    from rich.console import Console

    from mccfr.strategy.range_grid import tables

    found = tables(strategy, line, action)
    Console().print(summary(strategy), *found, sep="\n")


def html(strategy: Strategy) -> str:
    """The strategy as an HTML table for notebooks."""
    head = "<tr><th>player</th><th style='text-align:left'>infoset</th><th style='text-align:left'>strategy</th></tr>"
    body = []
    for j in rows_of(strategy)[:NOTEBOOK_ROWS]:
        cells = "".join(
            f"<span style='margin-right:1em'>{markup.escape(action)} <b>{p:.3f}</b> <span style='display:inline-block;"
            f"height:.7em;width:{p * 5:.2f}em;background:#2a9d8f'></span></span>"
            for action, p in strategy.at(j).items()
        )
        label = markup.escape(strategy.infosets.labels[j])
        body.append(
            f"<tr><td>{strategy.infosets.owner(j)}</td><td style='text-align:left'><code>{label}</code></td>"
            f"<td style='text-align:left'>{cells}</td></tr>"
        )
    more = len(strategy) - NOTEBOOK_ROWS
    foot = f"<tr><td colspan=3>... {more:,} more infosets</td></tr>" if more > 0 else ""
    title = markup.escape(summary(strategy))
    return f"<table><caption style='text-align:left'>{title}</caption>{head}{''.join(body)}{foot}</table>"


def frame(strategy: Strategy) -> "pd.DataFrame":
    """One row per infoset and action: player, infoset, action, probability, visited."""
    try:
        import pandas as pd
    except ImportError:
        raise MissingExtra("pandas", "pandas", "to_frame()") from None
    require_names(strategy, "put in a frame")
    infosets = strategy.infosets
    repeat = infosets.arity
    owner = [infosets.owner(j) for j in range(len(infosets))]
    columns = pd.DataFrame({"player": owner, "infoset": list(infosets.labels), "visited": strategy.visited})
    out = columns.loc[columns.index.repeat(repeat)].reset_index(drop=True)
    out.insert(2, "action", [action for j in range(len(infosets)) for action in infosets.actions(j)])
    out.insert(3, "probability", strategy.probabilities)
    return out
