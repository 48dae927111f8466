"""Mistakes at gates, in their tables and in what re-solving reads, planted into the package.

What every gadget game is worth is computed once from its histories, by the package as it is. This file is also the
program that tries them.
"""

import functools

import gate_twins
import numpy as np
import pytest
import street_examples
import street_trees
from planting import catching, one_each, try_bugs

FIRST, RIVER, SUITED = "river, the opponent first", "river", "turn of one suit"
STOP, CHOOSE = "resolve", "maxmargin"
BUGS = {
    "stopping pays the wrong player": (
        (RIVER, STOP),
        "gates:leave(StopOrFollow)",
        "total -= work.reach[at + stride + h] * gate.pays[h]",
        "total += work.reach[at + stride + h] * gate.pays[h]",
    ),
    "stopping pays nothing to the other player": (
        (RIVER, STOP),
        "gates:leave(StopOrFollow)",
        "total -= work.reach[at + stride + h] * gate.pays[h]",
        "total -= 0.0",
    ),
    "alternatives are not weighted by reach": (
        (RIVER, STOP),
        "tree/street_gates:put_gate",
        "against * worth)",
        "worth + 0.0)",
    ),
    "the walker's own gate is ignored": (
        (RIVER, STOP),
        "gates:leave(StopOrFollow)",
        "decide(actor, gate, table, n, U2, stride, to, work)",
        "to = stop + stride",
    ),
    "the gate is passed whatever was decided": (
        (FIRST, STOP),
        "gates:enter(StopOrFollow)",
        "work.reach[to + h] = work.reach[at + U2 * stride + h]",
        "work.reach[to + h] = work.reach[at + h]",
    ),
    "stop and follow are exchanged": (
        (FIRST, STOP),
        "gates:enter(StopOrFollow)",
        "work.reach[at + U2 * stride + h]",
        "work.reach[at + stride + h]",
    ),
    "the average of the gate is not weighted": (
        (RIVER, CHOOSE),
        "gates:decide",
        "work.scalar[ROUNDING] = gate.tie[U0]",
        "work.scalar[ROUNDING] = gate.tie[U0]; work.scalar[0] = 1.0",
    ),
    "the gate remembers nothing": ((RIVER, CHOOSE), "tree/gate_rows:gate_memory", "found[0] = 1", "found[0] = 0"),
    "a chosen hand has the reach of a dealt one": (
        (RIVER, CHOOSE),
        "gates:reach_if_chosen",
        "return chosen / against",
        "return chosen",
    ),
    "hands are chosen by what they meet": (
        (RIVER, CHOOSE),
        "gates:worth_if_chosen",
        "return (worth - pays) / against",
        "return worth - pays",
    ),
    "hands are free": (
        (RIVER, CHOOSE),
        "gates:worth_if_chosen",
        "return (worth - pays) / against",
        "return worth / against",
    ),
    "prices are paid to nobody": (
        (FIRST, CHOOSE),
        "gates:leave(ChooseHand)",
        "total += work.reach[at + h] * gate.pays[h]",
        "total += 0.0",
    ),
    "exchanged hands share a probability as it comes": (
        (SUITED, CHOOSE),
        "gates:enter(ChooseHand)",
        "* gate.alike[h]",
        "* 1.0",
    ),
    "exchanged hands stop as they like": (
        (SUITED, STOP),
        "tree/gate_rows:GateRows.load",
        "(table if self.chooses else table[leaders])",
        "(table)",
    ),
    "exchanges need not keep alternatives": (
        (SUITED, "by suit"),
        "tree/street_gates:keep_alike",
        "if (np.abs(by_hand[one.hands] - by_hand) <= near).all()",
        "",
    ),
    "the opponent keeps its range": (
        (RIVER, STOP),
        "tree/street_gates:deal_evenly",
        "ranges[opponent][tree.boards.members[opponent]] = 1.0",
        "ranges = list(tree.rules.ranges)",
    ),
    "tables of the second player begin where they did": (
        (FIRST, STOP),
        "tree/street_gates:put_gate",
        "shifted[:, opponent:] +=",
        "shifted[:, opponent : opponent + 1] +=",
    ),
    "the owner's reach is not that of its strategy": (
        (FIRST, STOP),
        "gates:enter(StopOrFollow)",
        "if gate.owner == skipped:\n        return\n    n, stride, at",
        "if gate.owner != skipped:\n        return\n    n, stride, at",
    ),
}
CASES = sorted({case for case, *_ in BUGS.values()})
EXPECTED = {}  # of every case, once


caught = catching(__file__, one_each({bug: change for bug, (_, *change) in BUGS.items()}))


@pytest.mark.slow
def test_the_package_as_it_is_has_everything_right(caught):
    assert caught[None] == []


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_a_game_notices(caught, bug):
    assert caught[bug]


# ---- the program


def looks():
    """The first is at the package as it is, and at all cases."""
    return [functools.partial(look, cases) for cases in (CASES, *([case] for case, *_ in BUGS.values()))]


def look(cases):
    """What comes out wrong."""
    street_examples.rank_plainly()
    found = []
    for case in cases:
        try:
            found += [f"{case}: {what}" for what, right in checks(*case) if not right]
        except Exception as error:  # a planted bug may break anything
            found.append(f"{case}: {type(error).__name__}: {error}")
    return found


def checks(name, kind):
    """What the numbers of a case are compared with, one after the other."""
    import mccfr

    street, written = gated_pair(name, kind)
    if (name, kind) not in EXPECTED:
        ours, theirs = gate_twins.same_profile(street, written, 1)
        EXPECTED[name, kind] = spoiled(street, ours), street_trees.measured(written, theirs), learned(written, mccfr)
    ours, values, numbers = EXPECTED[name, kind]
    yield "values", np.allclose(street_trees.measured(street, ours, 1), values, rtol=0, atol=1e-9)
    yield "learning", np.allclose(learned(street, mccfr), numbers, rtol=0, atol=1e-9)


def gated_pair(name, kind):
    """The street tree and, the first time, the game written out; `by suit`: alternatives that tell suits apart."""
    from mccfr.tree.compile import compile_tree
    from mccfr.tree.street_gates import gated

    tree, rules = gate_twins.position(name)
    opponent, by_suit = gate_twins.POSITIONS[name][1], kind == "by suit"
    drawn, named = gate_twins.alternatives_of(tree, opponent, 1)
    if by_suit:
        drawn = np.linspace(-2, 3, len(drawn))
        named = dict(zip(named, drawn.tolist()))
    kind = STOP if by_suit else kind
    street = gated(tree, opponent, kind, drawn)
    known = (name, "by suit" if by_suit else kind) in EXPECTED
    return street, None if known else compile_tree(gate_twins.BehindGate(rules, opponent, kind, named))


def spoiled(street, profile):
    """Rows of hands that follow another, which must not count; hands that are chosen keep their sum."""
    profile, gate = profile.copy(), street.gate_rows
    alike = street.boards.leaders(gate.owner)
    rows = profile[gate.span].reshape(gate.rows, gate.actions)
    follows = np.flatnonzero(alike != np.arange(len(alike)))
    if gate.chooses:
        for place in follows:
            rows[0, alike[place]] += rows[0, place]
            rows[0, place] = 0.0
    else:
        rows[follows] = 1.0, 0.0
    profile[gate.span] = rows.reshape(-1)
    return profile


def learned(tree, mccfr):
    """Numbers after three iterations."""
    solver = mccfr.Solver(tree, "cfr_plus").run(3)
    return [solver.exploitability(), mccfr.expected_value(solver.strategy()), mccfr.expected_value(solver.current())]


if __name__ == "__main__":
    try_bugs(looks())
