"""Mistakes in re-solving at the table, planted into the package: decks of eight cards notice each.

This file is also the program that tries them.
"""

import pytest
import table_examples
from planting import catching, one_each, try_bugs

BUGS = {
    "the range is that of the other player": (
        "resolving/blueprint_values:blueprint_values",
        "floored(found.ranges[player]",
        "floored(found.ranges[1 - player]",
    ),
    "both ranges are those of one seat": (
        "resolving/blueprint_values:followed",
        "believe(blueprint, hands, moves, seat)",
        "believe(blueprint, hands, moves, player)",
    ),
    "the alternatives are those of the player": (
        "resolving/blueprint_values:blueprint_values",
        "lanes, 1 - player, 0, 0",
        "lanes, player, 0, 0",
    ),
    "rivers are played by the rows of the turn": (
        "resolving/blueprint_values:blueprint_lanes",
        "blueprint.tree, street + listed.street)",
        "blueprint.tree, street)",
    ),
    "reach is not that beside a hand": (
        "evaluate/street_counterfactuals:StreetCounterfactuals.values",
        "(self._against(player, node, board), value)",
        "(0 * value + 1, value)",
    ),
    "reach is not normalised by the deal": (
        "evaluate/street_counterfactuals:StreetCounterfactuals.values",
        "player, best)[0][: len(hands)] / self.chances[street]",
        "player, best)[0][: len(hands)] / self.chances[0]",
    ),
    "values are not divided by the pairs": (
        "evaluate/street_counterfactuals:StreetCounterfactuals.__init__",
        "rules.deals) / tree.pairs",
        "rules.deals)",
    ),
    "suits are not exchanged back": (
        "resolving/node_values:arrive",
        "turned.hands[tree.boards.members[2 * board + p]]",
        "tree.boards.members[2 * board + p]",
    ),
    "the reach is that of one player for both": (
        "resolving/node_values:arrive",
        "reach[p, held[p]] = mine",
        "reach[:, held[p]] = mine",
    ),
    "chips are those of the blueprint's tree": (
        "resolving/blueprint_betting:betting_below",
        "s.stakes[0] / float(whole.stakes[node, 0])",
        "1.0",
    ),
    "the own range is not updated": (
        "resolving/position_solving:SolvedPosition.after",
        "before.ranges * share",
        "before.ranges",
    ),
    "the range after a move is that of its solution alone": (
        "resolving/position_solving:SolvedPosition.after",
        "before.ranges * share",
        "share",
    ),
    "values after a move are those of the player": (
        "resolving/position_solving:SolvedPosition.after",
        "before.opponent, node, number",
        "before.player, node, number",
    ),
    "values after a move are those before it": (
        "resolving/position_solving:SolvedPosition.after",
        "node = self._laid(self._node(moves), int(bool(new)))",
        "node = 0",
    ),
    "solutions of both seats are one": (
        "resolving/table_policy:ResolvingPolicy.solution",
        "key = s.mover, board,",
        "key = 0, board,",
    ),
    "solutions of all boards are one": (
        "resolving/table_policy:ResolvingPolicy.solution",
        "key = s.mover, board,",
        "key = s.mover, board[:1],",
    ),
    "the bet that was made is not in the tree": (
        "resolving/position_betting:PositionBetting.amounts",
        "if beside else offered",
        "if False else offered",
    ),
    "the position of the turn serves the river": (
        "resolving/table_policy:ResolvingPolicy._position",
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
    try_bugs(table_examples.wrong)
