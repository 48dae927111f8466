"""Mistakes in re-solving at the table, planted into copies of the package: decks of eight cards notice each.

This file is also the program that tries the copies.
"""

import pytest
import table_examples
from planting import catching, one_each, try_copies

VALUES, NODES, BELOW = "resolving/blueprint_values", "resolving/node_values", "resolving/blueprint_betting"
SOLVED, POLICY, BETTING = "resolving/position_solving", "resolving/table_policy", "resolving/position_betting"
WORTH = "evaluate/street_counterfactuals"

BUGS = {
    "the range is that of the other player": (
        VALUES,
        "floored(found.ranges[player]",
        "floored(found.ranges[1 - player]",
    ),
    "both ranges are those of one seat": (
        VALUES,
        "believe(blueprint, hands, moves, seat)",
        "believe(blueprint, hands, moves, player)",
    ),
    "the alternatives are those of the player": (VALUES, "lanes, 1 - player, 0, 0", "lanes, player, 0, 0"),
    "rivers are played by the rows of the turn": (
        VALUES,
        "blueprint.tree, street + listed.street)",
        "blueprint.tree, street)",
    ),
    "reach is not that beside a hand": (WORTH, "(self._against(player, node, board), value)", "(0 * value + 1, value)"),
    "reach is not normalised by the deal": (
        WORTH,
        "player, best)[0][: len(hands)] / self.chances[street]",
        "player, best)[0][: len(hands)] / self.chances[0]",
    ),
    "values are not divided by the pairs": (WORTH, "rules.deals) / tree.pairs", "rules.deals)"),
    "suits are not exchanged back": (
        NODES,
        "turned.hands[tree.boards.members[2 * board + p]]",
        "tree.boards.members[2 * board + p]",
    ),
    "the reach is that of one player for both": (NODES, "reach[p, held[p]] = mine", "reach[:, held[p]] = mine"),
    "chips are those of the blueprint's tree": (BELOW, "s.stakes[0] / float(whole.stakes[node, 0])", "1.0"),
    "the own range is not updated": (SOLVED, "before.ranges * share", "before.ranges"),
    "the range after a move is that of its solution alone": (SOLVED, "before.ranges * share", "share"),
    "values after a move are those of the player": (
        SOLVED,
        "before.opponent, node, number",
        "before.player, node, number",
    ),
    "values after a move are those before it": (
        SOLVED,
        "node = self._laid(self._node(moves), int(bool(new)))",
        "node = 0",
    ),
    "solutions of both seats are one": (POLICY, "key = s.mover, board,", "key = 0, board,"),
    "solutions of all boards are one": (POLICY, "key = s.mover, board,", "key = s.mover, board[:1],"),
    "the bet that was made is not in the tree": (BETTING, "if beside else offered", "if False else offered"),
    "the position of the turn serves the river": (
        POLICY,
        "if decision.street < self.first:",
        "if decision.street <= self.first:",
    ),
}


caught = catching(__file__, one_each(BUGS))


@pytest.mark.slow
def test_the_package_as_it_is_is_right(caught):
    assert caught[None] == []


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_a_small_deck_notices(caught, bug):
    assert caught[bug]


if __name__ == "__main__":
    try_copies(table_examples.wrong)
