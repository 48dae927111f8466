"""`mccfr show` of a spot: one node with its grid, its hands one by one, ranges, and the cards that can come."""

import contextlib
import csv
import io
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

import mccfr
from mccfr.cli.output import console, exploitability_text, print_json, print_lines
from mccfr.cli.sources import require_writable
from mccfr.errors import FileError, StrategyError

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from mccfr import HandView, NodeView, Runout, Strategy

GAMES = ("spot", "holdem")
SEATS = ("out of position", "in position")
COLOURS = {"f": "blue", "k": "green", "c": "green", "b": "red", "r": "red", "a": "magenta"}
RANKS = "23456789TJQKA"
QUICK = 2**24  # table entries: up to here exploitability is measured at once
DIGITS = 4  # of a weight in a range
CELL = 6  # columns


class Wanted(NamedTuple):
    """What somebody wants to see of a spot."""

    line: str
    hand: str | None
    runouts: bool
    ranges: bool
    csv: str | None
    player: int | None
    limit: int


def is_spot(strategy: "Strategy") -> bool:
    """Whether a strategy is of hold'em with boards and ranges."""
    return strategy.game.partition("(")[0] in GAMES and strategy.tree.streets is not None


def show_spot(name: str, strategy: "Strategy", wanted: Wanted, as_json: bool) -> None:
    """Print or write what is wanted."""
    if wanted.csv is not None:
        require_writable(wanted.csv)
    view = mccfr.view(strategy, wanted.line)
    rows = mccfr.runouts(strategy, wanted.line) if wanted.runouts else None
    if wanted.csv is not None:
        _write_csv(wanted.csv, view, rows, wanted)
    if as_json:
        print_json(_document(name, strategy, view, rows, wanted))
    elif wanted.csv is not None:
        click.echo(f"wrote {wanted.csv}")
    else:
        _print(strategy, view, rows, wanted)


# ---- for people


def _print(strategy: "Strategy", view: "NodeView", rows: "list[Runout] | None", wanted: Wanted) -> None:
    if wanted.ranges:
        for player in _players(wanted):
            click.echo(f"{SEATS[player]}: {view.range_text(player, DIGITS) or 'no hands'}")
        return
    chosen = _holder(view, wanted) if wanted.hand is not None and rows is None else None
    print_lines(_heading(strategy, view))
    click.echo()
    if rows is not None:
        console().print(_runout_table(rows))
        whose = "" if rows[0].mover is None else f"; frequencies are of the player {SEATS[rows[0].mover]}"
        click.echo(f"oop: out of position, ip: in position{whose}")
    elif chosen is not None:
        _print_hands(view, wanted, chosen)
    else:
        player = _whose(view, wanted)
        what = "the most frequent action in %" if view.mover == player else "EV"
        click.echo(f"{SEATS[player]}: combos, and {what}")
        console().print(_grid(view, player))
        click.echo(_legend(view, player))


def _heading(strategy: "Strategy", view: "NodeView") -> Iterator[tuple[str, str]]:
    origin = strategy.origin
    made = f"{origin.method}{f', {origin.iterations:,} iterations' if origin.iterations > 1 else ''}"
    yield strategy.game.partition("(")[0], f"{view.board}, pot {view.pot:g}, by {made}"
    if strategy.tree.infosets.entries <= QUICK:
        yield "exploitability", exploitability_text(mccfr.exploitability(strategy), strategy.tree.pot)
    moves = "nobody moves" if view.mover is None else f"{SEATS[view.mover]} to move"
    yield "line", f"{view.line or '(the start)'}: {moves}"
    for player in (0, 1):
        numbers = f"EV {_fixed(view.mean_ev(player))}, equity {_percent(view.mean_equity(player))}"
        yield SEATS[player], f"{view.combos(player):.2f} combos, {numbers}"
    if view.actions:
        yield "actions", ", ".join(f"{view.spoken(a)} {_percent(p)}" for a, p in view.frequencies().items())


def _whose(view: "NodeView", wanted: Wanted) -> int:
    """The player whose hands are shown: as asked, else who moves."""
    return wanted.player if wanted.player is not None else view.mover or 0


def _players(wanted: Wanted) -> Sequence[int]:
    return (0, 1) if wanted.player is None else (wanted.player,)


def _marks(actions: Sequence[str]) -> dict[str, str]:
    """A character for each action: its letter, or a digit if several have that letter."""
    sized = [action for action in actions if len(action) > 1]
    return {action: str(sized.index(action) + 1) if action in sized else action for action in actions}


def _grid(view: "NodeView", player: int) -> "Table":
    """Pairs on the diagonal, suited hands to the upper right. Combos above; below the usual action, or the EV."""
    from rich.table import Table

    table = Table(box=None, padding=0, header_style="dim")
    ranks, classes = RANKS[: view.ranks][::-1], view.classes(player)
    table.add_column("", width=2)
    for rank in ranks:
        table.add_column(rank.rjust(CELL - 2), width=CELL)
    for row, one in enumerate(ranks):
        names = [_class_name(one, other, row, column) for column, other in enumerate(ranks)]
        table.add_row(one, *(_cell(classes.get(name), _marks(view.actions)) for name in names))
    return table


def _class_name(row_rank: str, column_rank: str, row: int, column: int) -> str:
    if row == column:
        return row_rank + column_rank
    return f"{row_rank}{column_rank}s" if row < column else f"{column_rank}{row_rank}o"


def _cell(found: Any, marks: dict[str, str]) -> "Text":
    from rich.text import Text

    if found is None:
        return Text("   .")
    combos = f"{found.combos:.3g}" if found.combos >= 0.005 else "0"
    often = {action: p for action, p in found.frequency.items() if math.isfinite(p)}
    if not often:
        return Text(f"{combos:>4}\n{found.ev:>4.0f}" if math.isfinite(found.ev) else f"{combos:>4}")
    usual = max(often, key=lambda action: often[action])
    return Text(f"{combos:>4}\n{marks[usual]} {100 * often[usual]:.0f}", COLOURS.get(usual[:1], ""))


def _legend(view: "NodeView", player: int) -> str:
    if view.mover is None:
        return "upper right: suited, lower left: offsuit"
    marks = ", ".join(f"{mark} {view.spoken(action)}" for action, mark in _marks(view.actions).items())
    places = "upper right: suited, lower left: offsuit"
    return f"{marks}; {places}" if view.mover == player else places


def _holder(view: "NodeView", wanted: Wanted) -> int:
    """Whose hands were asked for: the mover's, or the other player's if only that one can hold them."""
    first = _whose(view, wanted)
    for player in (first,) if wanted.player is not None else (first, 1 - first):
        with contextlib.suppress(StrategyError):
            view.hands(player, wanted.hand or "all")
            return player
    who = f"player {first} cannot" if wanted.player is not None else "no player can"
    raise StrategyError(f"{who} hold {wanted.hand!r} after {view.line!r}")


def _print_hands(view: "NodeView", wanted: Wanted, player: int) -> None:
    rows = view.hands(player, wanted.hand or "all")
    click.echo(SEATS[player])
    console().print(_hand_table(view, rows[: wanted.limit], player))
    if len(rows) > wanted.limit:
        click.echo(f"... {len(rows) - wanted.limit:,} more: raise --limit, or write them all with --csv FILE")


def _hand_table(view: "NodeView", rows: "Sequence[HandView]", player: int) -> "Table":
    table = _table("hand", "weight", "equity", "EV")
    for action in view.actions if view.mover == player else ():
        table.add_column(view.spoken(action), justify="right")
        table.add_column("EV", justify="right", style="dim")
    for row in rows:
        cells = [row.hand, f"{row.reach:.4f}", _percent(row.equity), _fixed(row.ev)]
        for action, p in row.frequency.items():
            cells += [_percent(p), _fixed(row.action_ev[action])]
        table.add_row(*cells)
    return table


def _runout_table(rows: "Sequence[Runout]") -> "Table":
    actions = list(rows[0].frequency)
    table = _table("card", "chance", "EV oop", "EV ip", "equity oop", *map(mccfr.NodeView.spoken, actions))
    for row in rows:
        numbers = [_percent(row.chance), *map(_fixed, row.ev), _percent(row.equity[0])]
        table.add_row(row.cards, *numbers, *map(_percent, row.frequency.values()))
    return table


def _table(*columns: str) -> "Table":
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in columns:
        table.add_column(column, justify="left" if column == columns[0] else "right")
    return table


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %" if math.isfinite(share) else "-"


def _fixed(chips: float) -> str:
    return f"{round(chips, 3) + 0.0:.3f}" if math.isfinite(chips) else "-"


# ---- for programs


def _document(
    name: str, strategy: "Strategy", view: "NodeView", rows: "list[Runout] | None", wanted: Wanted
) -> dict[str, Any]:
    return {
        "command": "show",
        "strategy": name,
        "game": strategy.game,
        "method": strategy.origin.method,
        "iterations": strategy.origin.iterations,
        "line": view.line,
        "board": view.board,
        "pot": view.pot,
        "mover": view.mover,
        "actions": list(view.actions),
        "frequencies": _plain(view.frequencies()),
        "players": [
            {
                "player": player,
                "combos": view.combos(player),
                "ev": _number(view.mean_ev(player)),
                "equity": _number(view.mean_equity(player)),
                "range": view.range_text(player, DIGITS),
            }
            for player in (0, 1)
        ],
        "hands": [_plain(row._asdict()) for row in _hands(view, wanted)],
        "runouts": None if rows is None else [_plain(row._asdict()) for row in rows],
        "csv": wanted.csv,
    }


def _hands(view: "NodeView", wanted: Wanted) -> "Iterator[HandView]":
    """All hands of both players, or those that were asked for."""
    players = _players(wanted) if wanted.hand is None else (_holder(view, wanted),)
    for player in players:
        if view.held(player).any():
            yield from view.hands(player, wanted.hand or "all")


def _plain(value: Any) -> Any:
    """Without NaN, which is not JSON."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return _number(value) if isinstance(value, float) else value


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _write_csv(path: str, view: "NodeView", rows: "list[Runout] | None", wanted: Wanted) -> None:
    """Written at once, from a table that is complete."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(_hand_rows(view, wanted) if rows is None else _runout_rows(rows))
    try:
        Path(path).write_text(text.getvalue(), encoding="utf-8", newline="\n")
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror or error}") from None


def _hand_rows(view: "NodeView", wanted: Wanted) -> Iterator[list[Any]]:
    yield ["player", "hand", "reach", "weight", "equity", "ev", *view.actions, *(f"ev {a}" for a in view.actions)]
    for row in _hands(view, wanted):
        numbers = (row.reach, row.weight, row.equity, row.ev, *row.frequency.values(), *row.action_ev.values())
        cells = ["" if math.isnan(x) else f"{x:.9g}" for x in numbers]
        yield [row.player, row.hand, *cells, *[""] * (4 + 2 * len(view.actions) - len(cells))]


def _runout_rows(rows: "Sequence[Runout]") -> Iterator[list[Any]]:
    pairs = [f"{what}_{player}" for what in ("ev", "equity", "combos") for player in (0, 1)]
    yield ["cards", "chance", *pairs, *rows[0].frequency]
    for row in rows:
        numbers = (row.chance, *row.ev, *row.equity, *row.combos, *row.frequency.values())
        yield [row.cards, *("" if math.isnan(x) else f"{x:.9g}" for x in numbers)]
