"""Mistakes in local best response, planted into copies of the package: a deck of eight cards notices each.

This file is also the program that tries the copies.
"""

import lbr_examples
import pytest
from planting import catching, one_each, try_copies

LBR, VALUE, SETTINGS = "playing/lbr", "playing/lbr_value", "playing/lbr_settings"
CHANCES, AGENT, KERNEL = "playing/showdown_chances", "playing/lbr_agent", "one_against_all"

BUGS = {
    "it forgets that its own cards are not the other's": (LBR, "(*spot.own, *spot.board)).any", "spot.board).any"),
    "it forgets that the board is not the other's": (LBR, "(*spot.own, *spot.board)).any", "spot.own).any"),
    "its own moves are taken for the other's": (LBR, "own=s.mover != spot.seat", "own=True"),
    "the range forgets what the other did": (LBR, "own=s.mover != spot.seat", "own=False"),
    "chances are not divided by what is left of the range": (
        LBR,
        "spot.own, spot.board)) / total if total",
        "spot.own, spot.board)) / float((weight > 0.0).sum()) if total",
    ),
    "folding hands stay in the range": (LBR, "weight * (1.0 - folds)", "weight"),
    "hands that fold call": (LBR, "self.wins(spot, stays), pot", "self.wins(spot, weight), pot"),
    "folds are counted by hands, not by weight": (
        LBR,
        "fp = 1.0 - float(stays.sum()) / float(weight.sum())",
        "fp = 0.0 if folds is None else float(folds.mean())",
    ),
    "folds are those to the move before": (
        LBR,
        "self.policy.odds(after.belief, after.state, spot.hands)",
        "self.policy.odds(spot.belief, self.table.play(s, self.table.nearest(s, 0)), spot.hands)",
    ),
    "the pot is what the other has put in": (
        LBR,
        "pot, asked = sum(s.stakes),",
        "pot, asked = s.stakes[1 - spot.seat],",
    ),
    "the pot lacks the big blind": (LBR, "pot, asked = sum(s.stakes),", "pot, asked = sum(s.stakes) - 2,"),
    "a call costs the whole bet": (
        LBR,
        "s.stakes[1 - spot.seat] - s.stakes[spot.seat]",
        "s.stakes[1 - spot.seat] - s.opened",
    ),
    "a raise costs no more than its call": (LBR, "(1.0 - wp) * (asked + beyond)", "(1.0 - wp) * asked"),
    "a raise is measured from the start of the street": (
        LBR,
        "s.opened + move.amount - s.stakes[1 - spot.seat]",
        "move.amount",
    ),
    "a raise that is called wins the pot alone": (LBR, "wp * (pot + beyond)", "wp * pot"),
    "of equal moves the last is made": (LBR, "each.value > found.value + EQUAL", "each.value > found.value - EQUAL"),
    "it never folds": (LBR, "if passive[0].kind == FOLDS else []", "if False else []"),
    "it folds for free": (LBR, "kind == FOLDS else []", "kind == FOLDS else [Weighed(FOLD, 99.0)]"),
    "the worst move is the best": (LBR, "each.value > found.value + EQUAL", "each.value < found.value - EQUAL"),
    "ties are wins": (KERNEL, "twice[h] += 1\n", "twice[h] += 2\n"),
    "ties are losses": (KERNEL, "twice[h] += 1\n", "twice[h] += 0\n"),
    "boards may hold the own cards": (CHANCES, "remaining(table, (*own, *board))", "remaining(table, board)"),
    "boards are counted as if one hand were known": (
        CHANCES,
        "- 2 * HOLE_CARDS - len(board)",
        "- HOLE_CARDS - len(board)",
    ),
    "the showdown is on the board as it lies": (
        CHANCES,
        "missing = sum(table.deals) - len(board)",
        "missing = min(1, sum(table.deals) - len(board))",
    ),
    "cards come as if the other held none": (VALUE, "- HOLE_CARDS, count)", ", count)"),
    "cards of the other come too": (VALUE, "weight[~met].sum()", "weight.sum()"),
    "answers are not weighted by the range": (VALUE, "float(weight @ p) / float(weight.sum())", "float(p.mean())"),
    "a fold of its own wins": (VALUE, "-stake if s.folded == spot.seat", "stake if s.folded == spot.seat"),
    "a showdown pays the whole pot": (VALUE, "stake * (2.0 * ", "2.0 * stake * (2.0 * "),
    "one drawn answer stands for all": (VALUE, "yield sum(shares), self.dice", "yield 1.0, self.dice"),
    "answers are drawn evenly": (VALUE, "self.dice.choices(going_on, shares)", "self.dice.choices(going_on)"),
    "boards are drawn for any hand of the other": (VALUE, "choices(held, weight[held].tolist())", "choices(held)"),
    "boards are drawn as if the other held none": (VALUE, "*spot.board, *theirs)).tolist()", "*spot.board)).tolist()"),
    "it chooses a street too early": (
        SETTINGS,
        "(CALLS_ONLY, CALLS_ONLY, POT_OR_ALL_IN)",
        "(CALLS_ONLY, POT_OR_ALL_IN)",
    ),
    "a tenth of the pot is one of what the other put in": (SETTINGS, "SMALLEST * 2 * theirs", "SMALLEST * theirs"),
    "the agent takes the other's moves for its own": (AGENT, "1 - seen.seat)", "seen.seat)"),
    "the agent keeps an old board": (AGENT, "if self._hands.board != seen.board:", "if not self._hands.board:"),
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
    try_copies(lbr_examples.wrong)
