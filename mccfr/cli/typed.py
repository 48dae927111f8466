"""Numbers as people type them on the command line: `-n 10k`, `--seconds 1h30m`."""

import contextlib
from typing import Any

import click

from mccfr.amounts import MOST, AmountError, read_count, read_seconds, read_target


class Count(click.ParamType):
    """A whole number: 1000, 1_000, 1,000, 10k, 2.5M, 1G, 4e6."""

    name = "count"

    def __init__(self, least: int = 1, most: int = MOST) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number, within its bounds."""
        if isinstance(value, int):
            return value
        try:
            count = read_count(value)
        except AmountError as error:
            self.fail(f"{error}.", param, ctx)
        if not self.least <= count <= self.most:
            upper = "" if self.most == MOST else f" to {self.most:,}"
            self.fail(f"{count:,} is out of range: give a whole number from {self.least:,}{upper}.", param, ctx)
        return count


class Seconds(click.ParamType):
    """A time: 90, 90s, 2min, 1.5h, 1h30m. Zero is none, unless `least` says how short it may be."""

    name = "time"

    def __init__(self, least: float = 0.0) -> None:
        self.least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The time in seconds."""
        if isinstance(value, int | float):
            return float(value)
        try:
            seconds = read_seconds(value)
        except AmountError as error:
            self.fail(f"{error}.", param, ctx)
        if seconds < self.least or seconds == 0:
            bound = f"at least {self.least:g} s" if self.least else "more than 0 s"
            self.fail(f"{seconds:g} s is too short: give {bound}.", param, ctx)
        return seconds


class Target(click.ParamType):
    """An exploitability from 0, in payoffs, or a percentage of the pot: 0.01, 0.5%."""

    name = "target"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float | str:
        """A number in payoffs, or text such as 0.5%."""
        with contextlib.suppress(ValueError):
            return float(value)  # negative ones are refused with other limits
        try:
            return read_target(value)
        except AmountError:
            self.fail(f"{value!r} is neither a number, as 0.01, nor a percentage of the pot, as 0.5%.", param, ctx)


SEED = Count(0)


class Workers(click.ParamType):
    """A number of workers; 0 or `all` for one on every core."""

    name = "workers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number, from 0."""
        text = "0" if str(value).strip().lower() == "all" else str(value)
        try:
            return read_count(text)
        except AmountError:
            self.fail(f"{value!r} is neither a number of workers nor all.", param, ctx)
