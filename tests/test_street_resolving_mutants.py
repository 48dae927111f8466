"""Mistakes in solving positions of hold'em again, planted into the package: twins notice each.

This file is also the program that tries them.
"""

import pytest
import street_resolving_examples
from planting import catching, one_each, try_bugs

pytestmark = pytest.mark.slow  # a few seconds for each bug, since nothing is compiled

# Not among them: hands met as often as they are chosen, without dividing by w(j). Against other probabilities of the
# opponent the player's best strategy is then the same, so nothing comes out wrong.
BUGS = {
    "the gate of the wrong player learns": (
        "position_gates:take_back(Learning)",
        "    if i == gate.opponent:",
        "    if i != gate.opponent:",
    ),
    "stopping pays nothing": (
        "gates:offer_stopping",
        "work.value[stop + h] = pays[x + h]",
        "work.value[stop + h] = 0.0",
    ),
    "margins are not divided by the weight of a hand": (
        "gates:worth_if_chosen",
        "return (worth - pays) / against",
        "return worth - pays",
    ),
    "what a hand was worth is forgotten": (
        "gates:worth_if_chosen",
        "return (worth - pays) / against",
        "return worth / against",
    ),
    "the opponent's own range comes through the gate": (
        "position_gates:admit",
        "gate.kind == OPEN or p != gate.opponent",
        "gate.kind != OPEN or p != gate.opponent",
    ),
    "hands that stop come to the position": (
        "position_gates:admit",
        "gate.current[U2 * x + n + h]",
        "gate.current[U2 * x + h]",
    ),
    "all positions have the gate of the first": (
        "position_gates:admit",
        "gate.current[U2 * x + n + h]",
        "gate.current[n + h]",
    ),
    "all positions learn at the gate of the first": (
        "position_gates:take_back(Learning)",
        "gate, U2 * x, n, U2,",
        "gate, U0, n, U2,",
    ),
    "hands are chosen before the first position for all": (
        "position_gates:take_back(Learning)",
        "actor, gate, x, U1,",
        "actor, gate, U0, U1,",
    ),
    "stopping pays what it does before the first position": (
        "position_gates:take_back(Learning)",
        "gate.pays, x, n",
        "gate.pays, U0, n",
    ),
    "hands that meet nothing can be chosen": (
        "resolving/street_positions:StreetPositions._choosing_gate",
        "can = weight > LEAST_WEIGHT * total",
        "can = weight >= 0.0",
    ),
    "another hand is met than was chosen": (
        "position_gates:admit",
        "work.reach[at + u64(gate.hand[j])]",
        "work.reach[at + j - x]",
    ),
    "another hand's worth counts": (
        "position_gates:offer_hands",
        "work.value[to + u64(gate.hand[x + j])]",
        "work.value[to + j]",
    ),
    "all roots are those of the first segment": (
        "position_sweeps:sweep_positions",
        "sweep_from(top, b, g,",
        "sweep_from(top, b, u64(lines.street[top]),",
    ),
    "every board has the ranges of the first": (
        "position_sweeps:place_of_root",
        "(row * (end - first) + j - first)",
        "(j - first)",
    ),
    "a hand blocks its own cards twice": (
        "resolving/trunk:met",
        "- by_card[..., deck.high] + weights",
        "- by_card[..., deck.high]",
    ),
    "weights are those of the own range": (
        "resolving/street_positions:StreetPositions._put",
        "self.weight[1 - p][row, :,",
        "self.weight[p][row, :,",
    ),
    "gifts are not divided by reach": (
        "resolving/trunk:Trunk._gifts_on",
        "np.divide(lost, weight[m], ",
        "np.divide(lost, 1.0 + 0.0 * weight[m], ",
    ),
    "gifts of the other player": (
        "resolving/trunk:Trunk._gifts_on",
        "laid.kind[node] == opponent:\n                lost",
        "laid.kind[node] != opponent:\n                lost",
    ),
}


caught = catching(__file__, one_each(BUGS))


def test_the_package_as_it_is_has_everything_right(caught):
    assert caught[None] == []


@pytest.mark.parametrize("bug", BUGS)
def test_examples_notice(caught, bug):
    assert caught[bug]


if __name__ == "__main__":
    try_bugs(street_resolving_examples.wrong)
