"""An iteration as plain data: what the production walk did, told by itself while it ran interpreted."""

from typing import Any

import numpy as np

from mccfr.kernel.averaging import OTHERS, OWN, where
from mccfr.kernel.estimators import GeneralProbe, Probe, corrects
from mccfr.kernel.layout import CHANCE, TERMINAL
from mccfr.kernel.samplers import (
    ALL,
    ONE,
    draws,
    draws_others_uniformly,
    follows_all_chance,
    follows_all_others,
    law,
    scale,
)
from mccfr.kernel.walk import Parts, in_iteration
from mccfr.kernel.walk_steps import off_policy
from mccfr.kernel.witness import Told, Visits
from mccfr.solvers.engines import Engine
from mccfr.web.narrator import Narrator
from mccfr.web.rows import TableRows
from mccfr.web.scene import Scene

MOST_EVENTS = 6000  # of an iteration that is told
MOST_STROLLED = 20_000  # nodes of rollouts, which are many in one event

Event = dict[str, Any]


class TooLong(Exception):
    """More happened than a page can show; the iteration was left in the middle."""


def trace_walks(scene: Scene, engine: Engine, visits: Visits, narrator: Narrator) -> dict[str, Any]:
    """The next iteration of an engine and everything it did. Raises TooLong half-way, with the arrays half changed."""
    listeners: list[Listener] = []

    def listen(parts: Parts, table: Any) -> Told:
        listeners.append(Listener(scene, in_iteration(parts, engine.clock[0] + 1.0), table, visits, narrator))
        return Told(listeners[0])

    engine.run_told(listen)
    (listener,) = listeners
    listener.settles()
    return {
        "iteration": int(engine.clock[0]),
        "walks": listener.walks,
        "before": listener.rows.before,
        "readings": listener.readings,
        "updated": listener.updated_infosets,
    }


class Listener:
    """Writes down what a walk tells; see `mccfr.kernel.witness` for when each method is called."""

    def __init__(self, scene: Scene, parts: Parts, table: Any, visits: Visits, narrator: Narrator) -> None:
        self.scene, self.parts, self.table, self.visits, self.narrator = scene, parts, table, visits, narrator
        self.mode = draws(parts.sampler)
        self.corrected = corrects(parts.estimator)
        self.rows = TableRows(scene.tree.infosets, table, visits)
        self.readings: dict[str, str] = {}  # player:label of every infoset that was met: what it says
        self.walks: list[dict[str, Any]] = []
        self.updated_infosets: set[int] = set()
        self.walker = 0
        self._strategies: dict[int, tuple[int, list[float]]] = {}  # node: first entry and strategy, as met
        self._choices: dict[int, Event] = {}  # node: what was drawn there
        self._backs: dict[int, dict[int, Event]] = {}  # node: action: what came back
        self._stroll: list[int] = []
        self._count = self._strolled = 0

    # ---- on the way down

    def arrives(self, i: Any, h: Any, kind: Any, o: Any, k: Any, w: Any, reach: Any, p: Any, s: Any) -> None:
        """At a node with actions."""
        h, o, k, s = int(h), int(o), int(k), int(s)
        self._begin(int(i), h)
        self.visits.nodes[h] += np.uint64(1)
        event: Event = {"weight": float(w), **ways(self.scene, h)}
        if kind < CHANCE:
            event["strategy"] = [float(x) for x in p[s : s + k]]
            self._strategies[h] = o, event["strategy"]
            if kind == i:
                self.visits.rows[o] += np.uint64(1)
                event["rows"] = [self._row(h)]
                if where(self.parts.averaging) != OTHERS:
                    event["reach"] = float(reach)
        self._add("arrive", h, event)
        self._backs[h] = {}
        self._at = h

    def ends(self, i: Any, h: Any, w: Any, value: Any) -> None:
        """At a terminal."""
        h = int(h)
        self._begin(int(i), h)
        self.visits.nodes[h] += np.uint64(1)
        self._add("arrive", h, {"weight": float(w), "value": float(value)})
        self.walks[-1]["deal"] = self.walks[-1]["deal"] or self.scene.deal(h)
        self._climb(h, float(value))

    def remembers(self, table: Any, o: Any, k: Any, weight: Any, w: Any, reach: Any) -> None:
        """The average has grown."""
        place = where(self.parts.averaging)
        amount = float(weight * w) if place == OTHERS else float(weight * reach) if place == OWN else None
        o, k = int(o), int(k)
        after = table.average[o : o + k].tolist()
        facts = {"amount": amount, "strategy": self._strategies[self._at][1], "average_after": after}
        self._add("remember", self._at, {**facts, "rows": [self._row(self._at)]})

    def picks(self, h: Any, mask: Any, q: Any, laws: Any, g: Any) -> None:
        """The walker's actions are drawn."""
        h, g = int(h), int(g)
        k = int(self.scene.arity[h])
        o, strategy = self._strategies[h]
        chosen = [a for a in range(k) if self.mode == ALL or int(mask) >> a & 1]
        if self.mode == ALL:
            odds = [1.0] * k
        elif self.mode == ONE:  # the engine works out no more than it needs: the others by the same law
            odds = self._law(o, strategy)
            odds[chosen[0]] = float(q)
        else:
            odds = [float(x) for x in laws[g : g + k]]
        self._choose(h, chosen, odds, self._own_words(chosen, odds))

    def _law(self, o: int, strategy: list[float]) -> list[float]:
        """By what probabilities the sampler draws one of the actions from entry o on."""
        sampler, whole = self.parts.sampler, scale(self.parts.sampler, self.table, o, len(strategy))
        return [float(law(sampler, whole, self.table, p, o + a)) for a, p in enumerate(strategy)]

    def _own_words(self, chosen: list[int], odds: list[float]) -> list[str]:
        """How each of the walker's actions is treated."""
        left = "probed" if isinstance(self.parts.estimator, Probe | GeneralProbe) else "skipped"
        if self.mode == ALL:
            return ["enumerated" if len(odds) > 1 else "forced"] * len(odds)
        return [("forced" if q == 1.0 else "sampled") if a in chosen else left for a, q in enumerate(odds)]

    def follows(self, c: Any, w: Any) -> None:
        """Somebody else's action, or chance's, is followed."""
        c = int(c)
        h = int(self.scene.parent[c])
        a, k = c - self.scene.child(h), int(self.scene.arity[h])
        chance = self.scene.kind[h] >= CHANCE
        if self._opened(h):
            if a == 0:
                self._choose(h, list(range(k)), [1.0] * k, ["enumerated" if k > 1 else "forced"] * k)
            return
        own_law = self.scene.law(h) if chance else self._strategies[h][1]
        odds = own_law
        if self._off_policy(h):
            odds = [1.0 / k] * k if draws_others_uniformly(self.parts.sampler) else self._law(*self._strategies[h])
        how = ["forced" if k == 1 else "sampled" if j == a else "skipped" for j in range(k)]
        self._choose(h, [a], odds, how, {"weight_after": float(w), "law": own_law})

    def _off_policy(self, h: int) -> bool:
        return bool(off_policy(self.parts.sampler, self.scene.kind[h]))

    def _framed(self, h: int) -> bool:
        """Whether a walk comes back to a node that is not the walker's."""
        return self.corrected or self._off_policy(h) or self._opened(h)

    def _choose(self, h: int, chosen: list[int], q: list[float], how: list[str], more: Event | None = None) -> None:
        event = {**ways(self.scene, h), "chosen": chosen, "q": q, "how": how, **(more or {})}
        self._choices[h] = self._add("choose", h, event)

    # ---- on the way up

    def passes(self, c: Any, y: Any, b: Any, value: Any) -> None:
        """Back at somebody else's node."""
        c = int(c)
        h = int(self.scene.parent[c])
        self._back(c, {"returned": float(y), "baseline": self._baseline(b), "corrected": float(value)})
        if not self._opened(h) or c - self.scene.child(h) == self.scene.arity[h] - 1:
            self._climb(h, float(value))

    def returns(self, c: Any, y: Any, q: Any, b: Any, x: Any) -> None:
        """Back at the walker's node."""
        facts = {"returned": float(y), "q": float(q), "baseline": self._baseline(b), "corrected": float(x)}
        self._back(int(c), facts)

    def strolls(self, h: Any) -> None:
        """A rollout goes on."""
        self._strolled += 1
        if self._strolled > MOST_STROLLED:
            raise TooLong
        self._stroll.append(int(h))

    def supposes(self, c: Any, b: Any, x: Any) -> None:
        """An action was not taken: what does it count as?"""
        c = int(c)
        h = int(self.scene.parent[c])
        a = c - self.scene.child(h)
        self._backs[h][a] = {"baseline": self._baseline(b), "corrected": float(x)}
        if self._stroll:
            path, self._stroll = self._stroll, []
            self._add("probe", h, {"child": c, "action_index": a, "path": path, "value": float(x)})
        elif isinstance(self.parts.estimator, GeneralProbe):  # a coin decided against it, after all had been told
            self._choices[h]["how"][a] = "skipped"

    def updates(self, c: Any, table: Any, o: Any, k: Any, v: Any, g: Any, value: Any, w: Any) -> None:
        """Regrets are about to change."""
        h = int(self.scene.parent[int(c)])
        o, k, g = int(o), int(k), int(g)
        values = v[g : g + k]
        backs = [self._backs[h].get(a, {}) for a in range(k)]
        self._update: Event = {
            "actions": self.scene.actions(h),
            "how": self._choices[h]["how"],
            "q": self._choices[h]["q"],
            "values": [float(x) for x in values],
            "value": float(value),
            "weight": float(w),
            "strategy": self._strategies[h][1],
            "baseline": [back.get("baseline") for back in backs],
            "returned": [back.get("returned") for back in backs],
            "increment": [float(w * (x - value)) for x in values],
            "regret_before": table.regret[o : o + k].tolist(),
        }
        self._update_node = h

    def updated(self, table: Any, o: Any, k: Any) -> None:
        """Regrets have changed."""
        h, o, k = self._update_node, int(o), int(k)
        self._update["regret_after"] = table.regret[o : o + k].tolist()
        self._update["strategy_after"] = table.current[o : o + k].tolist()
        infoset = self.scene.infoset(h)
        assert infoset is not None
        self.updated_infosets.add(infoset)
        self._update["rows"] = [self._row(h)]
        self._add("update", h, self._update)
        self._climb(h, self._update["value"])

    def settles(self) -> None:
        """The iteration is over; what had waited for its end has changed."""
        changed = self.rows.untold()
        if changed:
            words = (
                "Both walks are over. The collected changes are added to the regrets, and the strategy follows them."
            )
            self._add("settle", 0, {"sentence": words, "rows": [self.rows.now(j) for j in changed]})

    # ---- writing

    def _row(self, h: int) -> Event:
        """The row of a player's node as it stands."""
        infoset = self.scene.infoset(h)
        assert infoset is not None
        return self.rows.now(infoset)

    def _begin(self, i: int, h: int) -> None:
        if h == 0:
            self.walker = i
            self.walks.append({"walker": i, "value": None, "deal": [], "events": []})

    def _opened(self, h: int) -> bool:
        """Whether everything that is not the walker's is followed at h."""
        sampler = self.parts.sampler
        return bool(follows_all_chance(sampler) if self.scene.kind[h] >= CHANCE else follows_all_others(sampler))

    def _climb(self, h: int, value: float) -> None:
        """A node's value is known: it goes up through nodes that sampling leaves nothing to do at."""
        before = int(self.scene.parent[h])
        while before >= 0 and self.scene.kind[before] != self.walker and not self._framed(before):
            facts = {"returned": value, "baseline": None, "corrected": value, "through": True}
            self._back(h, facts)
            h, before = before, int(self.scene.parent[before])
        if before < 0:
            self.walks[-1]["value"] = value

    def _back(self, c: int, facts: Event) -> None:
        h = int(self.scene.parent[c])
        a = c - self.scene.child(h)
        self._backs[h][a] = facts
        self._add("back", h, {"child": c, "action_index": a, **facts})

    def _baseline(self, b: Any) -> float | None:
        return float(b) if corrects(self.parts.estimator) else None

    def _add(self, what: str, h: int, facts: Event) -> Event:
        self._count += 1
        if self._count > MOST_EVENTS:
            raise TooLong
        events = self.walks[-1]["events"]
        event = {"n": len(events), "what": what, **place(self.scene, h), **facts}
        if "sentence" not in event:
            event["sentence"] = self.narrator.sentence(event, self.walker)
        infoset = self.scene.infoset(h)
        if infoset is not None and not self.scene.drawn:  # of a tree that is drawn whole, the page has them all
            self.readings[f"{event['player']}:{event['infoset']}"] = self.scene.reading(infoset)
        events.append(event)
        return event


def ways(scene: Scene, h: int) -> Event:
    """Where one can go from a node."""
    first, actions = scene.child(h), scene.actions(h)
    return {"actions": actions, "children": list(range(first, first + len(actions)))}


def place(scene: Scene, h: int) -> Event:
    """Which node an event is about."""
    before, kind = int(scene.parent[h]), int(scene.kind[h])
    return {
        "node": h,
        "parent": None if before < 0 else before,
        "action": scene.edge(h),
        "kind": scene.kind_name(h),
        "player": kind if kind < int(CHANCE) else None,
        "infoset": scene.label(h),
        "depth": scene.depth(h),
        "terminal": kind == int(TERMINAL),
    }
