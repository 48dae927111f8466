"""What all commands share: one JSON document, aligned lines for people, numbers written one way."""

import contextlib
import io
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TextIO

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem
    from rich.console import Console

OK, BROKEN_PIPE, MISSED, BAD_INPUT, INTERRUPTED = 0, 1, 1, 2, 130  # exit codes
ROUNDING = 1e-14
PIPE_WIDTH = 120  # columns when stdout is not a terminal
NARROWEST, WIDEST = 20, 10_000  # columns

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
log_option = click.option(
    "--log-json", is_flag=True, help="Write every event and measurement to stderr, one JSON object per line."
)
ray_option = click.option(
    "--ray",
    metavar="[ADDRESS]",
    is_flag=False,
    flag_value="local",
    help="Compute the batches on a Ray cluster, or on this machine if no address is given. Needs a run folder.",
)


def device_option(default: str | None) -> Any:
    """Where iterations are made."""
    told = "[default: as before]" if default is None else "[default: cpu]"
    help_text = f"Where to compute: cpu, gpu (NVIDIA), or auto for the GPU where there is one and it pays. {told}"
    return click.option("--device", type=click.Choice(("cpu", "gpu", "auto")), default=default, help=help_text)


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem[str]]":
    """What a tab offers where a game is to be typed."""
    from mccfr.cli.completing import GameText  # which knows the games of ours

    return GameText().shell_complete(ctx, param, incomplete)


game_option = click.option(
    "--game",
    metavar="GAME",
    shell_complete=complete_game,
    help="The game of a strategy file or run, if it is your own program (mygame.py:Class).",
)


def print_json(document: Mapping[str, Any]) -> None:
    """The one document of a command; never NaN, which is not JSON; values of a user's own types as text."""
    stream = _kept_for_documents[-1] if _kept_for_documents else sys.stdout
    unicode = (getattr(stream, "encoding", None) or "ascii").lower().startswith("utf")
    text = json.dumps(document, ensure_ascii=not unicode, allow_nan=False, indent=2, default=str)
    click.echo(text, file=stream)
    stream.flush()


_kept_for_documents: list[TextIO] = []


@contextlib.contextmanager
def kept_for_documents(wanted: bool) -> Iterator[None]:
    """Inside the block, if wanted, stdout is for `print_json` only: what games of the user's print goes to stderr."""
    if not wanted:
        yield
        return
    _kept_for_documents.append(sys.stdout)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        _kept_for_documents.pop()


def make_printable() -> None:
    """What the encoding of stdout lacks is printed as an escape; a width that no terminal has is another."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    for name in ("COLUMNS", "LINES"):
        given = os.environ.get(name, str(NARROWEST))
        if not (given.isascii() and given.isdigit()):
            del os.environ[name]
        elif not NARROWEST <= int(given[:9]) <= WIDEST:
            os.environ[name] = str(min(max(int(given[:9]), NARROWEST), WIDEST))


def print_lines(lines: Iterable[tuple[str, str]]) -> None:
    """Names and what they are, aligned."""
    for line in aligned(lines):
        click.echo(line)


def aligned(lines: Iterable[tuple[str, str]]) -> list[str]:
    """Names and what they are, as lines of two columns."""
    lines = list(lines)
    width = max(len(name) for name, _ in lines)
    return [f"{name:<{width}}  {text}" for name, text in lines]


def console() -> "Console":
    """Stdout for tables: as wide as the terminal, or wide enough for a pipe."""
    from rich.console import Console

    known = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(width=None if known else PIPE_WIDTH, highlight=False)


def number(value: float, largest: float = 1.0) -> str:
    """A measured number: six digits; what is 0 but for rounding, beside the game's largest payoff, is 0."""
    return f"{value:.6g}" if abs(value) > ROUNDING * largest else "0"


def exploitability_text(value: float | None, pot: float | None = None, largest: float = 1.0) -> str:
    """A measured exploitability; in a game with a pot also as a percentage of it."""
    if value is None:
        return "not measured, since it takes minutes: mccfr evaluate says how"
    if not pot:
        return f"{number(value, largest)} (NashConv / 2, in the game's payoffs)"
    return f"{number(value, largest)} chips, {100 * value / pot:.3g} % of the pot (NashConv / 2)"


def memory_text(count: int) -> str:
    """A number of bytes for people."""
    return f"{count / 2**30:,.1f} GB" if count >= 2**30 else f"{max(count / 2**20, 0.1):,.1f} MB"


def short(count: float) -> str:
    """A count in a few characters: 950, 12.3k, 4.56M."""
    for size, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= 0.9995 * size:
            return f"{count / size:#.3g}".rstrip(".") + letter
    return f"{count:.0f}" if count >= 10 or count == int(count) else f"{count:.2g}"


def duration(seconds: float) -> str:
    """A time as people say it: 8 s, 2 min 5 s, 3 h 20 min, 4 days."""
    whole = max(0, int(seconds + 0.5))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 48 * 3600:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 86400} days"


def sizes_text(counts: Mapping[str, int]) -> str:
    """The sizes of a tree in a few words."""
    if "boards" in counts:
        boards = f"{counts['boards']:,} board{'s' * (counts['boards'] > 1)}"
        return (
            f"{counts['nodes']:,} public nodes on {boards}, up to {counts['largest_infoset']:,} hands a player, "
            f"{counts['infosets']:,} infosets, {counts['infoset_actions']:,} infoset-actions"
            + (f", {memory_text(counts['memory'])} to solve" if "memory" in counts else "")
        )
    return (
        f"{counts['nodes']:,} nodes, {counts['infosets']:,} infosets, "
        f"{counts['infoset_actions']:,} infoset-actions, {counts['terminals']:,} terminals"
    )
