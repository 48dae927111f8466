"""Mistakes in local best response, planted into the package: a deck of eight cards notices each.

This file is also the program that tries them.
"""

import lbr_examples
import pytest
from planting import catching, one_each, try_bugs

BUGS = {
    "it forgets that its own cards are not the other's": (
        "playing/lbr:LocalBestResponse.range_at",
        "(*spot.own, *spot.board)).any",
        "spot.board).any",
    ),
    "it forgets that the board is not the other's": (
        "playing/lbr:LocalBestResponse.range_at",
        "(*spot.own, *spot.board)).any",
        "spot.own).any",
    ),
    "its own moves are taken for the other's": (
        "playing/lbr:LocalBestResponse.after",
        "own=s.mover != spot.seat",
        "own=True",
    ),
    "the range forgets what the other did": (
        "playing/lbr:LocalBestResponse.after",
        "own=s.mover != spot.seat",
        "own=False",
    ),
    "chances are not divided by what is left of the range": (
        "playing/lbr:LocalBestResponse.wins",
        "spot.own, spot.board)) / total if total",
        "spot.own, spot.board)) / float((weight > 0.0).sum()) if total",
    ),
    "folding hands stay in the range": (
        "playing/lbr:LocalBestResponse.weigh_raise",
        "weight * (1.0 - folds)",
        "weight",
    ),
    "hands that fold call": (
        "playing/lbr:LocalBestResponse.weigh_raise",
        "self.wins(spot, stays), pot",
        "self.wins(spot, weight), pot",
    ),
    "folds are counted by hands, not by weight": (
        "playing/lbr:LocalBestResponse.weigh_raise",
        "fp = 1.0 - float(stays.sum()) / float(weight.sum())",
        "fp = 0.0 if folds is None else float(folds.mean())",
    ),
    "folds are those to the move before": (
        "playing/lbr:LocalBestResponse.weigh_raise",
        "self.policy.odds(after.belief, after.state, spot.hands)",
        "self.policy.odds(spot.belief, self.table.play(s, self.table.nearest(s, 0)), spot.hands)",
    ),
    "the pot is what the other has put in": (
        "playing/lbr:LocalBestResponse.weigh",
        "pot, asked = sum(s.stakes),",
        "pot, asked = s.stakes[1 - spot.seat],",
    ),
    "the pot lacks the big blind": (
        "playing/lbr:LocalBestResponse.weigh",
        "pot, asked = sum(s.stakes),",
        "pot, asked = sum(s.stakes) - 2,",
    ),
    "a call costs the whole bet": (
        "playing/lbr:LocalBestResponse.weigh",
        "s.stakes[1 - spot.seat] - s.stakes[spot.seat]",
        "s.stakes[1 - spot.seat] - s.opened",
    ),
    "a raise costs no more than its call": (
        "playing/lbr:value_of_raise",
        "(1.0 - wp) * (asked + beyond)",
        "(1.0 - wp) * asked",
    ),
    "a raise is measured from the start of the street": (
        "playing/lbr:LocalBestResponse.weigh_raise",
        "s.opened + move.amount - s.stakes[1 - spot.seat]",
        "move.amount",
    ),
    "a raise that is called wins the pot alone": ("playing/lbr:value_of_raise", "wp * (pot + beyond)", "wp * pot"),
    "of equal moves the last is made": (
        "playing/lbr:LocalBestResponse.best",
        "each.value > found.value + EQUAL",
        "each.value > found.value - EQUAL",
    ),
    "it never folds": (
        "playing/lbr:LocalBestResponse.weigh",
        "if passive[0].kind == FOLDS else []",
        "if False else []",
    ),
    "it folds for free": (
        "playing/lbr:LocalBestResponse.weigh",
        "kind == FOLDS else []",
        "kind == FOLDS else [Weighed(FOLD, 99.0)]",
    ),
    "the worst move is the best": (
        "playing/lbr:LocalBestResponse.best",
        "each.value > found.value + EQUAL",
        "each.value < found.value - EQUAL",
    ),
    "ties are wins": ("one_against_all:add_wins_of_one", "twice[h] += 1\n", "twice[h] += 2\n"),
    "ties are losses": ("one_against_all:add_wins_of_one", "twice[h] += 1\n", "twice[h] += 0\n"),
    "boards may hold the own cards": (
        "playing/showdown_chances:run_outs",
        "remaining(table, (*own, *board))",
        "remaining(table, board)",
    ),
    "boards are counted as if one hand were known": (
        "playing/showdown_chances:showdown_chances",
        "- 2 * HOLE_CARDS - len(board)",
        "- HOLE_CARDS - len(board)",
    ),
    "the showdown is on the board as it lies": (
        "playing/showdown_chances:run_outs",
        "missing = sum(table.deals) - len(board)",
        "missing = min(1, sum(table.deals) - len(board))",
    ),
    "cards come as if the other held none": ("playing/lbr_value:Everything.boards", "- HOLE_CARDS, count)", ", count)"),
    "cards of the other come too": ("playing/lbr_value:Everything.boards", "weight[~met].sum()", "weight.sum()"),
    "answers are not weighted by the range": (
        "playing/lbr_value:answers_of",
        "float(weight @ p) / float(weight.sum())",
        "float(p.mean())",
    ),
    "a fold of its own wins": (
        "playing/lbr_value:payoff",
        "-stake if s.folded == spot.seat",
        "stake if s.folded == spot.seat",
    ),
    "a showdown pays the whole pot": ("playing/lbr_value:payoff", "stake * (2.0 * ", "2.0 * stake * (2.0 * "),
    "one drawn answer stands for all": (
        "playing/lbr_value:OneDrawn.answers",
        "yield sum(shares), self.dice",
        "yield 1.0, self.dice",
    ),
    "answers are drawn evenly": (
        "playing/lbr_value:OneDrawn.answers",
        "self.dice.choices(going_on, shares)",
        "self.dice.choices(going_on)",
    ),
    "boards are drawn for any hand of the other": (
        "playing/lbr_value:OneDrawn.boards",
        "choices(held, weight[held].tolist())",
        "choices(held)",
    ),
    "boards are drawn as if the other held none": (
        "playing/lbr_value:OneDrawn.boards",
        "*spot.board, *theirs)).tolist()",
        "*spot.board)).tolist()",
    ),
    "it chooses a street too early": (
        "playing/lbr_settings:SETTINGS",
        "(CALLS_ONLY, CALLS_ONLY, POT_OR_ALL_IN)",
        "(CALLS_ONLY, POT_OR_ALL_IN)",
    ),
    "a tenth of the pot is one of what the other put in": (
        "playing/lbr_settings:grid_of_sizes",
        "SMALLEST * 2 * theirs",
        "SMALLEST * theirs",
    ),
    "the agent takes the other's moves for its own": (
        "playing/lbr_agent:LbrAgent.spot",
        "1 - seen.seat)",
        "seen.seat)",
    ),
    "the agent keeps an old board": (
        "playing/lbr_agent:LbrAgent.spot",
        "if self._hands.board != seen.board:",
        "if not self._hands.board:",
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
    try_bugs(lbr_examples.wrong)
