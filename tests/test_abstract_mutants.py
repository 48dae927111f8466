"""Mistakes in the table of an abstract game and in its best responses, planted: examples notice each.

This file is also the program that tries them.
"""

import abstract_examples
import pytest
from planting import catching, one_each, try_bugs

pytestmark = pytest.mark.slow  # ten seconds; test_betting_mutants.py plants bugs in the quick suite


BUGS = {
    "the winner stays when the seats are exchanged": (
        "deal_counts:count_deals",
        "other, mine, -sign",
        "other, mine, sign",
    ),
    "ties are wins": (
        "deal_counts:count_deals",
        "deals[j, WINNER] == U2 else -times",
        "deals[j, WINNER] >= U1 else -times",
    ),
    "a deal counts once, whatever it weighs": (
        "deal_counts:count_deals",
        "counts[at, 0] += times[j]",
        "counts[at, 0] += 1",
    ),
    "pairs share a cell": ("deal_counts:cell", "(U2 * rows - low - U1)", "(U2 * rows - low)"),
    "the rows before are those of the other player": (
        "deal_counts:count_deals",
        "remember(before, other, s, deals[j, U4 + s])",
        "remember(before, mine, s, deals[j, U4 + s])",
    ),
    "what is never dealt is a row": (
        "tree/abstract_table:_refinement",
        "np.where(before[:, street] == UNKNOWN, 0,",
        "np.where(False, 0,",
    ),
    "the diagonal counts once": (
        "tree/abstract_table:_unfolded",
        "corner + mirrored * corner.T",
        "corner + mirrored * np.triu(corner, 1).T",
    ),
    "the lower half has the signs of the upper": (
        "tree/abstract_table:_unfolded",
        "out[last:, first:last] = mirrored *",
        "out[last:, first:last] = 1 *",
    ),
    "a corner has the signs of the upper half": (
        "tree/abstract_table:_unfolded",
        "corner + mirrored * corner.T",
        "corner + corner.T",
    ),
    "rows are taken to be in order": (
        "tree/abstract_table:Refinement.gather",
        "given if self.sorted else",
        "given if True else",
    ),
    "rows before are one off": (
        "tree/abstract_table:Refinement.spread",
        "return given[..., self.parent]",
        "return given[..., self.parent[::-1]]",
    ),
    "sums of earlier streets have players exchanged": (
        "tree/abstract_table:_summed",
        "finer.gather(np.concatenate(strips).T).T",
        "finer.gather(np.concatenate(strips).T)",
    ),
    "whoever folds wins": (
        "evaluate/abstract_values:_Sweep._endings",
        "== self.player, -1.0, 1.0)",
        "== self.player, 1.0, -1.0)",
    ),
    "folds are paid by who would have won": (
        "evaluate/abstract_values:_Sweep._endings",
        "_products(folds, reaches, weight,",
        "_products(folds, reaches, sign,",
    ),
    "all-ins are paid as if both won": (
        "evaluate/abstract_values:_Sweep._endings",
        "_products(showdowns, reaches, sign,",
        "_products(showdowns, reaches, weight,",
    ),
    "signs are those of the other": (
        "evaluate/abstract_values:_products",
        "reach @ matrix.T * scale",
        "reach @ matrix * scale",
    ),
    "the other player's reach stays": (
        "evaluate/abstract_values:_Sweep._go_down",
        "(child, reach * law[:, a])",
        "(child, reach)",
    ),
    "the worst reply": (
        "evaluate/abstract_values:_Sweep._come_up",
        "worth[:, j, j].argmax(axis=0)",
        "worth[:, j, j].argmin(axis=0)",
    ),
    "a reply is chosen in the first table always": (
        "evaluate/abstract_values:_Sweep._come_up",
        "worth[:, j, j].argmax",
        "worth[:, 0, 0].argmax",
    ),
    "a reply is chosen by what another table pays": (
        "evaluate/abstract_values:_Sweep._come_up",
        "worth[:, j, j].argmax",
        "worth[:, j, 0].argmax",
    ),
    "own strategies are replies": (
        "evaluate/abstract_values:_Sweep._come_up",
        'np.einsum("atr,ra->tr", worth[:, -1], self._law(node))',
        "out[0]",
    ),
    "what has no weight is not played": ("evaluate/abstract_values:_Sweep._law", "1.0 / weights.shape[1])", "0.0)"),
    "batches are one line short": (
        "evaluate/abstract_values:_Sweep._batches",
        "yield slice(begin, j)",
        "yield slice(begin, j - 1)",
    ),
}
IN_BATCHES = {"batches are one line short": 40}  # numbers at a time, so that there is more than one batch


caught = catching(__file__, one_each(BUGS))


def test_the_package_as_it_is_has_all_examples_right(caught):
    assert caught[None] == []


@pytest.mark.parametrize("bug", BUGS)
def test_examples_notice(caught, bug):
    assert caught[bug]


if __name__ == "__main__":
    looks = [lambda bug=bug: abstract_examples.wrong(IN_BATCHES.get(bug)) for bug in BUGS]
    try_bugs([lambda: abstract_examples.wrong() + abstract_examples.wrong(40), *looks])
