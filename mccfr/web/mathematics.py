"""The last update of one infoset, written as formulas with its numbers, beside what it is on average and in truth."""

from typing import Any

import numpy as np

from mccfr.auditing.truth import histories_under
from mccfr.kernel.estimators import weighs_opponent_again
from mccfr.kernel.minimisers import (
    AsymmetricRMPlus,
    Discounted,
    DiscountedAfter,
    PredictiveDiscounted,
    PredictiveRMPlus,
    RMPlus,
    Scheduled,
    Weighted,
)
from mccfr.kernel.samplers import ALL, draws
from mccfr.web.explain import ESTIMATORS, MINIMISERS, words
from mccfr.web.frozen import EXACT_NODES, bench_for, enumerated, met_by, true_regrets
from mccfr.web.lane import Lane
from mccfr.web.rows import row_at, steps_of

Event = dict[str, Any]


def mathematics(lane: Lane, player: int, label: str, step: int | None = None) -> dict[str, Any]:
    """All about the last told iteration's update of an infoset; up to a step of it, or all of it."""
    infosets = lane.scene.tree.infosets
    j = infosets.find(label, player)
    row = slice(int(infosets.row[j]), int(infosets.row[j + 1]))
    told = lane.trace is not None and lane.before is not None
    visits = _visits(lane, player, label, step)
    before, after = _rows(lane, row, f"{player}:{label}", step if told else None)
    actions = list(infosets.actions(j))
    waits = step is not None and not visits  # what has not happened yet is not told
    return {
        "type": "mathematics",
        "player": player,
        "label": label,
        "reads": lane.scene.reading(j),
        "iteration": lane.iterations,
        "step": step,
        "actions": actions,
        "before": before,
        "after": after,
        "visits": visits,
        "true": _truth(lane, player, j, row) if told and not waits else None,
        "expected_sampled": _expected(lane, player, row) if told and not waits else None,
        "steps": _steps(lane, actions, before, after, visits, waits and _comes(lane, player, label)),
    }


def _rows(lane: Lane, row: slice, key: str, step: int | None) -> tuple[Event, Event]:
    """Regrets and strategies before the told iteration, and after it or after a step of it."""
    regrets, current = lane.engine.regrets(), lane.engine.current()
    old = lane.before if lane.trace is not None and lane.before is not None else {"regret": regrets, "current": current}
    before = {"regret": old["regret"][row].tolist(), "current": old["current"][row].tolist()}
    then = None if step is None or not lane.trace or not lane.trace["walks"] else row_at(lane.trace, key, step)
    if then is not None:
        return before, {name: then[name] for name in ("regret", "current", "average")}
    now = {"regret": regrets[row], "current": current[row], "average": lane.average()[row]}
    return before, {name: array.tolist() for name, array in now.items()}


def _visits(lane: Lane, player: int, label: str, step: int | None = None) -> list[Event]:
    """The updates of the infoset in the told iteration, up to a step: one for each history that was updated."""
    steps = steps_of(lane.trace)[: None if step is None else step + 1] if lane.trace else []
    return [visit for event in steps if _updates(event, player, label) for visit in _histories(event)]


def _updates(event: Event, player: int, label: str) -> bool:
    return bool(event["what"] == "update" and event["player"] == player and event["infoset"] == label)


def _comes(lane: Lane, player: int, label: str) -> bool:
    """Whether the told iteration updates the infoset at all."""
    return lane.trace is not None and any(_updates(event, player, label) for event in steps_of(lane.trace))


def _histories(event: Event) -> list[Event]:
    """An update by histories: a walk's has one, a sweep's all of the infoset."""
    names = ("node", "weight", "strategy", "values", "value", "q", "how", "baseline", "returned", "increment")
    if "histories" not in event:
        return [{name: event[name] for name in names}]
    same = {name: event[name] for name in ("strategy", "q", "how", "baseline")}
    return [{**same, **_of_history(one)} for one in event["histories"]]


def _of_history(one: Event) -> Event:
    increment = [one["weight"] * (x - one["value"]) for x in one["values"]]
    return {name: one[name] for name in ("node", "weight", "values", "value")} | {
        "returned": one["values"],
        "increment": increment,
    }


def _truth(lane: Lane, player: int, j: int, row: slice) -> dict[str, Any] | None:
    """Exact counterfactual values: sums over the infoset's histories of pi_-i(h) u_i(ha)."""
    met = met_by(lane, player)
    regret = true_regrets(lane, met)
    if regret is None:
        return None
    scene, sign = lane.scene, 1 - 2 * player
    _, reach, worth = histories_under(scene.tree.written, met)
    values, value = [0.0] * (row.stop - row.start), 0.0
    for h in np.flatnonzero(scene.kind == player).tolist():
        if scene.infoset(h) == j:
            others = reach[h][1 - player] * reach[h][2]
            value += others * sign * worth[h]
            for a in range(len(values)):
                values[a] += others * sign * worth[scene.child(h) + a]
    return {"values": values, "value": value, "regret": regret[row].tolist()}


def _expected(lane: Lane, player: int, row: slice) -> list[float] | None:
    """The exact mean of what the walk may add, over all its outcomes; kept, for it is asked again and again."""
    if lane.engine.full_width or not lane.scene.walks or len(lane.scene.tree) > EXACT_NODES:
        return None
    if player not in lane.expected:
        assert lane.before is not None
        found = enumerated(bench_for(lane, met_by(lane, player), lane.before), player)
        lane.expected[player] = None if found is None else found.mean
    mean = lane.expected[player]
    return None if mean is None else mean[row].tolist()


def _steps(
    lane: Lane, actions: list[str], before: Event, after: Event, visits: list[Event], comes: bool
) -> list[dict[str, str]]:
    """Values, regrets, strategy: three formulas with numbers, and where sampling differs."""
    if not visits:
        why = (
            "At this step the infoset has not been updated yet. Step on to see its update."
            if comes
            else "The iteration shown did not visit this infoset, so nothing changed."
            if lane.trace
            else "Step once to see an update."
        )
        return [
            {"title": title, "formula": "", "note": why}
            for title in ("Action values", "Regret update", "Regret matching")
        ]
    return [
        {"title": "Action values", "formula": _value_lines(actions, visits), "note": _value_note(lane)},
        {
            "title": "Regret update",
            "formula": _regret_lines(lane, actions, before, after, visits),
            "note": "Regret grows for actions that would have done better than the strategy. " + _weight_note(lane),
        },
        {
            "title": "Regret matching",
            "formula": _strategy_lines(lane, actions, after),
            "note": words(MINIMISERS, lane.method.minimiser).what,
        },
    ]


def _value_lines(actions: list[str], visits: list[Event]) -> str:
    lines = []
    for visit in visits:
        mix = " + ".join(f"{_n(p)} × {_b(v)}" for p, v in zip(visit["strategy"], visit["values"]))
        where = f"history {visit['node']}: " if len(visits) > 1 else ""
        values = ", ".join(f"v({a}) = {_n(v)}" for a, v in zip(actions, visit["values"]))
        lines += [f"{where}{values}", f"value = {mix} = {_n(visit['value'])}"]
    return "\n".join(lines)


def _regret_lines(lane: Lane, actions: list[str], before: Event, after: Event, visits: list[Event]) -> str:
    lines = []
    for k, action in enumerate(actions):
        terms = " + ".join(f"{_n(v['weight'])} × ({_n(v['values'][k])} − {_b(v['value'])})" for v in visits)
        lines.append(f"r({action}) = {terms} = {_n(sum(v['increment'][k] for v in visits))}")
    rule = _rule(lane)
    for k, action in enumerate(actions):
        r = sum(v["increment"][k] for v in visits)
        old, new = before["regret"][k], after["regret"][k]
        lines.append(f"R({action}) = {rule.format(old=_n(old), r=_b(r))} = {_n(new)}")
    return "\n".join(lines)


def _rule(lane: Lane) -> str:
    """How an old regret and a new one become one."""
    method = lane.method
    if method.batch > 1:
        return f"{{old}}, and {{r}} waits for the end of the batch of {method.batch},"
    if isinstance(method.minimiser, RMPlus | PredictiveRMPlus | AsymmetricRMPlus):
        return "max({old} + {r}, 0)"
    if isinstance(method.minimiser, PredictiveDiscounted):
        return "max(discount × {old} + {r}, 0)"
    if isinstance(method.minimiser, Discounted | Scheduled):
        return "discount × {old} + {r}"
    if isinstance(method.minimiser, DiscountedAfter):
        return "discount × ({old} + {r})"
    if isinstance(method.minimiser, Weighted):
        return f"{{old}} + t^{method.minimiser.power:g} × {{r}}"
    return "{old} + {r}"


def _strategy_lines(lane: Lane, actions: list[str], after: Event) -> str:
    if forecast := _forecast(lane.method.minimiser):
        return "\n".join(f"σ({a}) ∝ max({forecast}, 0): {_n(p)}" for a, p in zip(actions, after["current"]))
    positive = [max(r, 0.0) for r in after["regret"]]
    if sum(positive) <= 0.0:
        return "\n".join(f"σ({a}) = 1 / {len(actions)} = {_n(p)}" for a, p in zip(actions, after["current"]))
    total = " + ".join(_n(r) for r in positive)
    return "\n".join(f"σ({a}) = {_n(r)} / ({total}) = {_n(p)}" for a, r, p in zip(actions, positive, after["current"]))


def _forecast(minimiser: Any) -> str:
    """What the regrets are expected to be next, of minimisers that play by that."""
    if isinstance(minimiser, AsymmetricRMPlus):
        return f"R + r / {_n(1.0 + minimiser.asymmetry)}"
    return {PredictiveRMPlus: "R + r", PredictiveDiscounted: "discount × R + r"}.get(type(minimiser), "")


def _value_note(lane: Lane) -> str:
    method = lane.method
    if not method.samples:
        return "Exact values under the strategies of the other player and chance, one line for each history."
    if weighs_opponent_again(method.estimator):
        return words(ESTIMATORS, method.estimator).what
    if method.public or draws(method.sampler) == ALL:
        return (
            "These values come from one drawn line of the opponent and of chance. Full CFR takes the mean over all of "
            "them. They are right on average, with noise."
        )
    return words(ESTIMATORS, method.estimator).what


def _weight_note(lane: Lane) -> str:
    if not lane.method.samples:
        return "The weight is the probability that chance and the other player lead to this history."
    if weighs_opponent_again(lane.method.estimator):
        return (
            "The weight includes the drawn opponent's probability, although the draw has already accounted for it. "
            "That is the mistake: the mean over all outcomes is not the true regret."
        )
    return (
        "The weight corrects for how likely the walk was to come here. Full CFR would use the probability that chance "
        "and the other player lead here."
    )


def _n(value: float) -> str:
    """A number in a formula, with a true minus."""
    return f"{value or 0.0:.6g}".replace("-", "−")  # and never −0


def _b(value: float) -> str:
    """A number as it stands after an operator."""
    return f"({_n(value)})" if value < 0 else _n(value)
