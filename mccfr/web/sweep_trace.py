"""An iteration of a full-width method as plain data.

The sweep itself runs on the sequence form and never looks at a node, so this account is worked out beside it, from the
definitions and the strategies before the iteration: the same numbers, up to rounding.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.auditing.truth import histories_under
from mccfr.kernel.layout import CHANCE
from mccfr.solvers.engines import Engine
from mccfr.web.explain import Narrator
from mccfr.web.scene import Scene
from mccfr.web.trace import Event, place, ways

Floats = npt.NDArray[np.float64]
NOTE = (
    "A full-width sweep works on sequences, not on nodes. These numbers are computed from the definitions, with the "
    "strategies at the start of the iteration."
)


def trace_sweep(scene: Scene, engine: Engine, before: dict[str, Any], narrator: Narrator) -> dict[str, Any]:
    """An account of the iteration that has just been done."""
    infosets = scene.tree.infosets
    middle = int(infosets.row[infosets.first[1]])
    old, new = before["current"], engine.current()
    met = [old, old if engine.changes_at_end else np.concatenate((new[:middle], old[middle:]))]
    regrets = before["regret"], engine.regrets()
    walks = [_Account(scene, i, met[i], regrets, new, narrator).walk for i in (0, 1)]
    return {"iteration": int(engine.clock[0]), "walks": walks, "note": NOTE, "updated": set(range(len(infosets)))}


class _Account:
    """Every node once, depth first, for one player."""

    def __init__(
        self, scene: Scene, i: int, met: Floats, regrets: tuple[Floats, Floats], new: Floats, narrator: Narrator
    ) -> None:
        self.scene, self.i, self.narrator = scene, i, narrator
        self.law, self.reach, worth = histories_under(scene.tree.written, met)
        self.worth = worth if i == 0 else [-x for x in worth]
        self.regrets, self.new = regrets, new
        self.walk: dict[str, Any] = {"walker": i, "value": self.worth[0], "deal": [], "events": []}
        self._visit(0)

    def _visit(self, h: int) -> None:
        weight = self.reach[h][1 - self.i] * self.reach[h][2]
        k = int(self.scene.arity[h])
        if not k:
            self._add("arrive", h, {"weight": weight, "value": self.worth[h]})
            return
        player = self.scene.kind[h] < CHANCE
        there = ways(self.scene, h)
        self._add("arrive", h, {"weight": weight, **there, **({"strategy": self.law[h]} if player else {})})
        how = ["enumerated" if k > 1 else "forced"] * k
        chosen = {**there, "chosen": list(range(k)), "q": [1.0] * k, "how": how}
        self._add("choose", h, {**chosen, "law": self.law[h]})
        first, so_far = self.scene.child(h), 0.0
        for a in range(k):
            self._visit(first + a)
            value = self.worth[first + a]
            so_far += self.law[h][a] * value
            counts = value if self.scene.kind[h] == self.i else so_far
            facts = {"child": first + a, "action_index": a, "returned": value, "baseline": None}
            self._add("back", h, {**facts, "q": 1.0, "corrected": counts})
        if self.scene.kind[h] == self.i:
            self._update(h, first, k, weight, how)

    def _update(self, h: int, first: int, k: int, weight: float, how: list[str]) -> None:
        infoset = self.scene.infoset(h)
        assert infoset is not None
        o = int(self.scene.tree.infosets.row[infoset])
        values = self.worth[first : first + k]
        event: Event = {
            "actions": self.scene.actions(h),
            "how": how,
            "q": [1.0] * k,
            "values": values,
            "value": self.worth[h],
            "weight": weight,
            "strategy": self.law[h],
            "baseline": [None] * k,
            "returned": values,
            "increment": [weight * (x - self.worth[h]) for x in values],
            "regret_before": self.regrets[0][o : o + k].tolist(),
            "regret_after": self.regrets[1][o : o + k].tolist(),
            "strategy_after": self.new[o : o + k].tolist(),
        }
        self._add("update", h, event)

    def _add(self, what: str, h: int, facts: Event) -> None:
        events = self.walk["events"]
        event = {"n": len(events), "what": what, **place(self.scene, h), **facts}
        event["sentence"] = self.narrator.sentence(event, self.i)
        events.append(event)
