"""What each gadget makes of a good strategy and of a bad one: positions solved again exactly, and what they cost after.

The figure of the page about re-solving. Every number is an exploitability of the whole strategy, computed on request.
"""

from collections.abc import Callable
from typing import Any

import mccfr
from mccfr.strategy.strategy import Strategy
from mccfr.web.measure import Interrupted

GADGETS = ("unsafe", "resolve", "maxmargin", "reach")
POSITIONS = {
    "kuhn": ("check", "bet"),
    "leduc": tuple(
        f"{line} {card}"
        for line in ("check check", "check bet call", "check bet raise call", "bet call", "bet raise call")
        for card in "JjQqKk"
    ),
}
ITERATIONS = 2000  # of CFR+: close to an equilibrium in both games
WHERE = {"kuhn": "after player 0's check and after its bet", "leduc": "all 30 that follow the public card"}


def gadget_rows(game: str, stopped: Callable[[], bool], tell: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """The table, row by row; `tell` hears of every number."""
    rows: list[dict[str, Any]] = []
    for words, strategy in _strategies(game):
        row: dict[str, Any] = {"strategy": words, "before": mccfr.exploitability(strategy), "after": {}}
        rows.append(row)
        for gadget in GADGETS:
            row["after"][gadget] = refined(strategy, game, gadget, stopped)
            tell(_answer(game, rows, False))
    return _answer(game, rows, True)


def refined(strategy: Strategy, game: str, gadget: str, stopped: Callable[[], bool]) -> float:
    """Exploitability after the game's positions were solved again by linear programmes."""

    def watch(_: int) -> None:
        if stopped():
            raise Interrupted("the figure was stopped")

    watch(0)
    return mccfr.exploitability(mccfr.refine(strategy, POSITIONS[game], gadget, "lp", 1, watch=watch).strategy)


def _strategies(game: str) -> list[tuple[str, Strategy]]:
    dealt = f"dealt:{game}"
    good = mccfr.solve(dealt, "cfr_plus", iterations=ITERATIONS).strategy()
    return [(f"CFR+, {ITERATIONS:,} iterations", good), ("uniform play", mccfr.uniform(mccfr.compile(dealt)))]


def _answer(game: str, rows: list[dict[str, Any]], done: bool) -> dict[str, Any]:
    note = f"Positions solved again: {WHERE[game]}. Exploitability of the whole strategy in chips per game, exact."
    told = [{**row, "after": dict(row["after"])} for row in rows]
    return {"type": "gadgets", "game": game, "done": done, "gadgets": list(GADGETS), "rows": told, "note": note}
