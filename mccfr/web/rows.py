"""Rows of the tables while an iteration is told: before it, and after every step that changes one of them.

A page that looks at a step shows the rows as they were then: the last one told up to that step, otherwise the one from
before the iteration.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.tree.infosets import Infosets

Floats = npt.NDArray[np.float64]
Row = dict[str, Any]


def key_of(infosets: Infosets, j: int) -> str:
    """An infoset's name on the page: player and label."""
    return f"{infosets.owner(j)}:{infosets.labels[j]}"


def row_of(infosets: Infosets, j: int, regret: Floats, current: Floats, weights: Floats, visits: int | None) -> Row:
    """One infoset's numbers, as its card has them."""
    entries = slice(int(infosets.row[j]), int(infosets.row[j + 1]))
    return {
        "key": key_of(infosets, j),
        "regret": regret[entries].tolist(),
        "current": current[entries].tolist(),
        "average": share_of(weights[entries]).tolist(),
        "visits": visits,
    }


def share_of(weights: Floats) -> Floats:
    """Weights divided by their sum, uniform where that is 0: bit for bit a row of `Infosets.normalised`."""
    total = np.add.reduceat(weights, [0])[0]
    return weights / total if total > 0 else np.full(len(weights), 1.0 / len(weights))


class TableRows:
    """The rows of a walk's table, with what they were before the walk."""

    def __init__(self, infosets: Infosets, table: Any, visits: Any) -> None:
        self.infosets, self.table, self.visits = infosets, table, visits
        self._old = (table.regret.copy(), table.current.copy(), table.average.copy(), visits.rows.copy())
        self.before: dict[str, Row] = {}
        self._last: dict[int, Row] = {}

    def now(self, j: int) -> Row:
        """The row as it stands, noted as the last one told."""
        found = self._read_now(j)
        if j not in self._last:
            self.before[found["key"]] = self._read(j, *self._old)
        self._last[j] = found
        return found

    def untold(self) -> list[int]:
        """Infosets whose rows have changed since they were last told: at the end of an iteration, without a step."""
        regret, current, average, _ = self._old
        changed = (self.table.regret != regret) | (self.table.current != current) | (self.table.average != average)
        touched = np.flatnonzero(np.logical_or.reduceat(changed, self.infosets.row[:-1])).tolist()
        return [j for j in touched if self._last.get(j) != self._read_now(j)]

    def _read_now(self, j: int) -> Row:
        return self._read(j, self.table.regret, self.table.current, self.table.average, self.visits.rows)

    def _read(self, j: int, regret: Floats, current: Floats, average: Floats, visits: Any) -> Row:
        return row_of(self.infosets, j, regret, current, average, int(visits[int(self.infosets.row[j])]))


def row_at(trace: dict[str, Any], key: str, step: int) -> Row | None:
    """An infoset's row after a step of a told iteration; None if the iteration does not change it."""
    found: Row | None = trace["before"].get(key)
    for event in steps_of(trace)[: step + 1]:
        for row in event.get("rows", ()):
            if row["key"] == key:
                found = row
    return found


def steps_of(trace: dict[str, Any]) -> list[dict[str, Any]]:
    """All steps of an iteration, one walk after the other."""
    return [event for walk in trace["walks"] for event in walk["events"]]
