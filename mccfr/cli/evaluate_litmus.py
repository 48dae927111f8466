"""`mccfr evaluate --litmus`: what any sensible strategy does, checked with a few hands."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from mccfr.cli.output import print_json, print_lines

if TYPE_CHECKING:
    from mccfr import Strategy
    from mccfr.playing.litmus import Finding

SHIPPED = "shipped"
Function = Callable[..., Any]


def litmus_options(function: Function) -> Function:
    """The option of litmus checks."""
    return click.option(
        "--litmus",
        metavar="[FILE]",
        is_flag=False,
        flag_value=SHIPPED,
        help="Litmus checks of hold'em with buckets: those of the package, or of a .toml file of yours.",
    )(function)


def litmus_findings(name: str, strategy: "Strategy", file: str = SHIPPED) -> "list[Finding]":
    """Try the checks of a file on a strategy."""
    from mccfr.playing.litmus import run_litmus
    from mccfr.playing.litmus_file import read_checks
    from mccfr.playing.policy import StrategyPolicy

    checks = read_checks() if file == SHIPPED else read_checks(file)
    return run_litmus(StrategyPolicy(strategy, name=name), checks)


def tell_litmus(name: str, strategy: "Strategy", file: str, as_json: bool) -> None:
    """Try litmus checks, and print what was found."""
    found = litmus_findings(name, strategy, file)
    if as_json:
        told = [each.to_dict() for each in found]
        print_json({"command": "evaluate", "strategy": name, "game": strategy.game, "litmus": told})
    else:
        print_lines(litmus_lines(found))


def litmus_lines(found: "Sequence[Finding]") -> Iterator[tuple[str, str]]:
    """How many checks hold, and each of them with its numbers."""
    yield "litmus", litmus_summary(found)
    for each in found:
        yield "  holds" if each.passed else "  FAILS", f"{each.check.name} ({each.numbers})"
        if not each.passed and each.check.diagnosis:
            yield "", each.check.diagnosis


def litmus_summary(found: "Sequence[Finding]") -> str:
    """How many checks hold, in words."""
    if not found:
        return "no check is about this table: they are for the whole deck"
    passed = sum(each.passed for each in found)
    return f"all {passed} checks hold" if passed == len(found) else f"{passed} of {len(found)} checks hold"
