"""Mistakes in solving positions of hold'em again, planted into copies of the package: twins notice each.

This file is also the program that tries the copies.
"""

import sys
from pathlib import Path

import pytest
import street_resolving_examples
from planting import hunt, look_at_all

GATES, SWEEPS, TRUNK, POSITIONS = "position_gates", "position_sweeps", "resolving/trunk", "resolving/street_positions"

pytestmark = pytest.mark.slow  # a few seconds for each bug, since nothing is compiled

# Not among them: hands met as often as they are chosen, without dividing by w(j). Against other probabilities of the
# opponent the player's best strategy is then the same, so nothing comes out wrong.
BUGS = {
    "the gate of the wrong player learns": (GATES, "    if i == gate.opponent:", "    if i != gate.opponent:"),
    "stopping pays nothing": (GATES, "stop, follow = gate.paid[x + h]", "stop, follow = 0.0 * gate.paid[x + h]"),
    "margins are not divided by the weight of a hand": (GATES, "margin = gate.scale[x + h] * (", "margin = ("),
    "what a hand was worth is forgotten": (
        GATES,
        "work.value[to + h] - gate.paid[x + h])\n            kept",
        "work.value[to + h])\n            kept",
    ),
    "the opponent's own range comes through the gate": (
        GATES,
        "gate.kind == OPEN or p != gate.opponent",
        "gate.kind != OPEN or p != gate.opponent",
    ),
    "every board has the ranges of the first": (SWEEPS, "(row * (end - first) + j - first)", "(j - first)"),
    "a hand blocks its own cards twice": (TRUNK, "- by_card[..., deck.high] + weights", "- by_card[..., deck.high]"),
    "weights are those of the own range": (POSITIONS, "self.weight[1 - p][row, :,", "self.weight[p][row, :,"),
    "gifts are not divided by reach": (TRUNK, "np.divide(lost, weight[m], ", "np.divide(lost, 1.0 + 0.0 * weight[m], "),
    "gifts of the other player": (
        TRUNK,
        "laid.kind[node] == opponent:\n                lost",
        "laid.kind[node] != opponent:\n                lost",
    ),
}
CHANGES = {bug: (change,) for bug, change in BUGS.items()}


@pytest.fixture(scope="module")
def caught(tmp_path_factory):
    """What came out wrong, by bug; None is the package as it is."""
    return hunt(__file__, {None: (), **CHANGES}, tmp_path_factory)


def test_the_package_as_it_is_has_everything_right(caught):
    assert caught[None] == []


@pytest.mark.parametrize("bug", CHANGES)
def test_examples_notice(caught, bug):
    assert caught[bug]


def look():
    """What comes out wrong."""
    return street_resolving_examples.wrong()


if __name__ == "__main__":
    look_at_all([look] * (1 + len(CHANGES)), Path(sys.argv[1]))
