"""The settings of local best response: which moves it weighs on which street.

The published table [Lisy and Bowling 2017] has four: `fold_call`, `pot`, `grid` and `flop_grid`. For limit there is
`limit`, with the one raise that its rules allow.

The grid is ours, since the paper only says "56 bets": 56 amounts beyond a call, from a tenth of the pot (as it is after
that call) to all-in, each the same multiple of the one before, rounded to chips; those that are below the smallest
legal bet become that, and equal ones are counted once.
"""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from mccfr.betting.lines import Move, State
from mccfr.betting.structures import Limit
from mccfr.errors import MccfrError, nearest, quoted
from mccfr.playing.simple_policies import pot_raise
from mccfr.playing.table import Table

GRID = 56  # sizes
SMALLEST = 0.1  # of the pot

Raises = Callable[[Table, State], list[Move]]


class LbrError(MccfrError, ValueError):
    """A setting of local best response that does not exist or does not fit, or an opponent that cannot be known."""


def no_raises(table: Table, s: State) -> list[Move]:
    """None: only fold and call are weighed."""
    return []


def pot_and_all_in(table: Table, s: State) -> list[Move]:
    """A raise of the pot, and all-in."""
    bounds = table.legal(s).bounds
    return [] if bounds is None else sorted({pot_raise(table, s), table.raise_to(s, bounds[1])}, key=_amount)


def grid_of_sizes(table: Table, s: State) -> list[Move]:
    """Up to 56 raises from a tenth of the pot to all-in."""
    bounds = table.legal(s).bounds
    if bounds is None:
        return []
    theirs = s.stakes[1 - s.mover]
    level, most = theirs - s.opened, bounds[1]
    beyond = np.geomspace(min(SMALLEST * 2 * theirs, most - level), most - level, GRID)
    amounts = {min(max(level + round(float(x)), bounds[0]), most) for x in beyond}
    return [table.raise_to(s, amount) for amount in sorted(amounts | {most})]


def every_raise(table: Table, s: State) -> list[Move]:
    """The one raise that limit allows."""
    bounds = table.legal(s).bounds
    return [] if bounds is None else [table.raise_to(s, bounds[1])]


def _amount(move: Move) -> int:
    return move.amount


@dataclasses.dataclass(frozen=True)
class StreetRule:
    """What is weighed on a street. Without `folds` a player checks and calls, whatever it costs."""

    folds: bool
    raises: Raises

    @property
    def chooses(self) -> bool:
        """Whether there is anything to weigh."""
        return self.folds or self.raises is not no_raises


CALLS_ONLY = StreetRule(folds=False, raises=no_raises)
FOLD_OR_CALL = StreetRule(folds=True, raises=no_raises)
POT_OR_ALL_IN = StreetRule(folds=True, raises=pot_and_all_in)
WHOLE_GRID = StreetRule(folds=True, raises=grid_of_sizes)
LIMIT_RAISE = StreetRule(folds=True, raises=every_raise)


@dataclasses.dataclass(frozen=True)
class LbrSetting:
    """One setting of local best response.

    Attributes:
        name: How it is written.
        about: What it weighs, in words.
        streets: The rule of each street; the last holds for all later ones.
    """

    name: str
    about: str
    streets: tuple[StreetRule, ...]

    def __str__(self) -> str:
        return self.name

    def rule(self, street: int) -> StreetRule:
        """What is weighed on a street."""
        return self.streets[min(street, len(self.streets) - 1)]


SETTINGS = {
    setting.name: setting
    for setting in (
        LbrSetting("fold_call", "fold and call on all streets", (FOLD_OR_CALL,)),
        LbrSetting(
            "pot",
            "check and call on two streets, then fold, call, pot and all-in",
            (CALLS_ONLY, CALLS_ONLY, POT_OR_ALL_IN),
        ),
        LbrSetting("grid", f"check and call on two streets, then {GRID} sizes", (CALLS_ONLY, CALLS_ONLY, WHOLE_GRID)),
        LbrSetting(
            "flop_grid",
            f"check and call before the flop, {GRID} sizes on the flop, then fold and call",
            (CALLS_ONLY, WHOLE_GRID, FOLD_OR_CALL),
        ),
        LbrSetting("limit", "fold, call and raise on all streets of limit", (LIMIT_RAISE,)),
    )
}
FOR_LIMIT = ("fold_call", "limit")
PUBLISHED = ("fold_call", "pot", "grid", "flop_grid")  # in the order of the published table


def setting_names(table: Table) -> tuple[str, ...]:
    """The settings that make sense at a table."""
    return FOR_LIMIT if isinstance(table.betting, Limit) else PUBLISHED


def make_setting(given: Any, table: Table) -> LbrSetting:
    """A setting by its name, or as it is; refused where it does not fit the table."""
    known = setting_names(table)
    if isinstance(given, LbrSetting) and given.name not in SETTINGS:
        return given  # one of the user's own
    name = str(given)
    if name not in SETTINGS:
        raise LbrError(f"no setting {quoted(given)} of local best response; {nearest(name, known)}")
    if name not in known:
        raise LbrError(f"setting {name} is not for {table.betting.name}: expected one of {', '.join(known)}")
    return SETTINGS[name]
