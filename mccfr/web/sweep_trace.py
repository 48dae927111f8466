"""An iteration of a full-width method as plain data: a step for each infoset, in a pass for each player.

The sweep itself runs on the sequence form and never looks at a node, so this account is worked out beside it, from the
definitions and the strategies before the iteration: the same numbers, up to rounding. Rows of the tables are the
engine's own.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.auditing.truth import histories_under
from mccfr.solvers.engines import Engine
from mccfr.web.rows import Row, row_of
from mccfr.web.scene import Scene
from mccfr.web.trace import Event, place

Floats = npt.NDArray[np.float64]
NOTE = (
    "A full-width sweep works on sequences, not on nodes. These numbers are computed from the definitions, with the "
    "strategies at the start of the iteration."
)


def trace_sweep(scene: Scene, engine: Engine, before: dict[str, Any]) -> dict[str, Any]:
    """An account of the iteration that has just been done."""
    infosets = scene.tree.infosets
    middle = int(infosets.row[infosets.first[1]])
    old, new = before["current"], engine.current()
    met = [old, old if engine.changes_at_end else np.concatenate((new[:middle], old[middle:]))]
    t = int(engine.clock[0])
    rows_before = _rows(scene, before["regret"], old, before["average"], t - 1)
    rows_after = _rows(scene, engine.regrets(), new, engine.weights(), t)
    walks = [_Pass(scene, i, met[i], (rows_before, rows_after)).walk for i in (0, 1)]
    return {
        "iteration": t,
        "walks": walks,
        "note": NOTE,
        "before": {row["key"]: row for row in rows_before},
        "readings": {},
        "updated": set(range(len(infosets))),
    }


def _rows(scene: Scene, regret: Floats, current: Floats, average: Floats, visits: int) -> list[Row]:
    infosets = scene.tree.infosets
    return [row_of(infosets, j, regret, current, average, visits) for j in range(len(infosets))]


class _Pass:
    """One player's infosets, those at the end of the game first."""

    def __init__(self, scene: Scene, i: int, met: Floats, rows: tuple[list[Row], list[Row]]) -> None:
        self.scene, self.i, self.rows = scene, i, rows
        self.law, self.reach, worth = histories_under(scene.tree.written, met)
        self.worth = worth if i == 0 else [-x for x in worth]
        self.walk: dict[str, Any] = {"walker": i, "value": self.worth[0], "deal": [], "events": []}
        self._begin()
        histories = self._histories()
        for j in sorted(histories, key=lambda j: (-scene.depth(histories[j][0]), scene.order.index(j))):
            self._update(j, histories[j])

    def _histories(self) -> dict[int, list[int]]:
        """The player's infosets with their histories."""
        found: dict[int, list[int]] = {}
        for h in np.flatnonzero(self.scene.kind == self.i).tolist():
            j = self.scene.infoset(h)
            assert j is not None
            found.setdefault(j, []).append(h)
        return found

    def _begin(self) -> None:
        words = (
            f"The sweep for player {self.i} begins. From the end of the game back to its start, it works out what "
            f"every history is worth under the current strategies; the whole game is worth {self.worth[0]:.4g} to "
            f"player {self.i}. Then it updates one infoset after the other."
        )
        self._add("arrive", 0, {"weight": 1.0, "sentence": words})

    def _update(self, j: int, histories: list[int]) -> None:
        """Everything about one infoset: sums over its histories, weighted by what the others contribute."""
        told = [self._history(h) for h in histories]
        actions = self.scene.actions(histories[0])
        k = len(actions)
        values = [sum(one["weight"] * one["values"][a] for one in told) for a in range(k)]
        value = sum(one["weight"] * one["value"] for one in told)
        before, after = self.rows[0][j], self.rows[1][j]
        facts: Event = {
            "actions": actions,
            "how": ["enumerated" if k > 1 else "forced"] * k,
            "q": [1.0] * k,
            "values": values,
            "value": value,
            "strategy": self.law[histories[0]],
            "baseline": [None] * k,
            "increment": [sum(one["weight"] * (one["values"][a] - one["value"]) for one in told) for a in range(k)],
            "regret_before": before["regret"],
            "regret_after": after["regret"],
            "strategy_after": after["current"],
            "histories": told,
            "around": self._around(histories, k),
            "rows": [after],
        }
        facts["sentence"] = self._words(j, facts)
        self._add("update", histories[0], facts)

    def _history(self, h: int) -> Event:
        first, k = self.scene.child(h), int(self.scene.arity[h])
        return {
            "node": h,
            "first": first,
            "weight": self.reach[h][1 - self.i] * self.reach[h][2],
            "values": self.worth[first : first + k],
            "value": self.worth[h],
        }

    def _around(self, histories: list[int], k: int) -> list[int]:
        """What is drawn large: the histories, the way to them, and what follows."""
        found: set[int] = set()
        for h in histories:
            found.update(range(self.scene.child(h), self.scene.child(h) + k))
            while h >= 0:
                found.add(h)
                h = int(self.scene.parent[h])
        return sorted(found)

    def _words(self, j: int, facts: Event) -> str:
        best = max(range(len(facts["values"])), key=lambda a: facts["values"][a])
        many = len(facts["histories"])
        where = f"These are {many} histories that it cannot tell apart" if many > 1 else "This is one history"
        return (
            f"{self.scene.reading(j)}. {where}, weighted by how likely chance and the other player make it. Here "
            f"{facts['actions'][best]} is worth most, {facts['values'][best] or 0.0:.4g}, and the current strategy "
            f"{facts['value'] or 0.0:.4g}. The differences go into the regrets, and the next strategy follows them."
        )

    def _add(self, what: str, h: int, facts: Event) -> None:
        events = self.walk["events"]
        events.append({"n": len(events), "what": what, **place(self.scene, h), **facts})
