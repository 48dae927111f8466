"""Tables of a solution handed on to the position below it, so that it need not begin from nothing.

Regrets and averages of the infosets that both look-aheads have are copied, times K / K' for the other scale of
payoffs; iterations go on being counted, so that new ones weigh in linear averages as they would have. Where the gate
or the depth has added infosets, these begin with nothing. What the guarantee of a gadget rests on, the error of the
solver, is still measured; regrets that were collected against other ranges are a start like any other.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from mccfr.kernel.layout import Table
from mccfr.resolving.position_rules import Inside, PositionRules
from mccfr.resolving.public_places import decision_at, kind_of
from mccfr.tree.dealt_tree import DealtTree

if TYPE_CHECKING:
    from mccfr.resolving.solution import Solution


def hand_on(before: "Solution", tree: DealtTree, engine: Any) -> None:
    """Let an engine of the tree of a position go on where the solution above it ended."""
    if before.table is None or not isinstance(engine.table, Table):
        return
    rules = tree.infosets.rules
    assert isinstance(rules, PositionRules)
    above = rules.position.place.line[len(before.position.place.line) :]
    scale = before.position.weight / rules.position.weight
    for player in (0, 1):
        for node, s, _ in tree.infosets.decisions_of(player):
            old = before.node_of((*above, *s.line)) if isinstance(s, Inside) and not rules.is_leaf(s) else None
            if old is not None and kind_of(before.tree, old) == player:
                _copy(before, old, tree, node, engine.table, scale)
    engine.table.current[:] = tree.infosets.normalised(np.maximum(engine.table.regret, 0.0))[0]
    engine.clock[0] = before.clock


def _copy(before: "Solution", old: int, tree: DealtTree, node: int, table: Table, scale: float) -> None:
    """The rows of one decision; both trees list the same hands there."""
    source, target = decision_at(before.tree, old), decision_at(tree, node)
    assert before.table is not None
    target.rows(table.regret)[:] = scale * source.rows(before.table.regret)
    target.rows(table.average)[:] = scale * source.rows(before.table.average)
