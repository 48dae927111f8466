"""Mistakes in the table of an abstract game and in its best responses, planted into copies: examples notice each.

This file is also the program that tries the copies.
"""

import abstract_examples
import pytest
from planting import catching, one_each, try_copies

pytestmark = pytest.mark.slow  # ten seconds; test_betting_mutants.py plants bugs in the quick suite

COUNTS, TABLE, VALUES = "deal_counts", "tree/abstract_table", "evaluate/abstract_values"

BUGS = {
    "the winner stays when the seats are exchanged": (COUNTS, "other, mine, -sign", "other, mine, sign"),
    "ties are wins": (COUNTS, "deals[j, WINNER] == U2 else -times", "deals[j, WINNER] >= U1 else -times"),
    "a deal counts once, whatever it weighs": (COUNTS, "counts[at, 0] += times[j]", "counts[at, 0] += 1"),
    "pairs share a cell": (COUNTS, "(U2 * rows - low - U1)", "(U2 * rows - low)"),
    "the rows before are those of the other player": (
        COUNTS,
        "remember(before, other, s, deals[j, U4 + s])",
        "remember(before, mine, s, deals[j, U4 + s])",
    ),
    "what is never dealt is a row": (TABLE, "np.where(before[:, street] == UNKNOWN, 0,", "np.where(False, 0,"),
    "the diagonal counts once": (TABLE, "corner + mirrored * corner.T", "corner + mirrored * np.triu(corner, 1).T"),
    "the lower half has the signs of the upper": (
        TABLE,
        "out[last:, first:last] = mirrored *",
        "out[last:, first:last] = 1 *",
    ),
    "a corner has the signs of the upper half": (TABLE, "corner + mirrored * corner.T", "corner + corner.T"),
    "rows are taken to be in order": (TABLE, "given if self.sorted else", "given if True else"),
    "rows before are one off": (TABLE, "return given[..., self.parent]", "return given[..., self.parent[::-1]]"),
    "sums of earlier streets have players exchanged": (
        TABLE,
        "finer.gather(np.concatenate(strips).T).T",
        "finer.gather(np.concatenate(strips).T)",
    ),
    "whoever folds wins": (VALUES, "== self.player, -1.0, 1.0)", "== self.player, 1.0, -1.0)"),
    "folds are paid by who would have won": (
        VALUES,
        "_products(folds, reaches, weight,",
        "_products(folds, reaches, sign,",
    ),
    "all-ins are paid as if both won": (
        VALUES,
        "_products(showdowns, reaches, sign,",
        "_products(showdowns, reaches, weight,",
    ),
    "signs are those of the other": (VALUES, "reach @ matrix.T * scale", "reach @ matrix * scale"),
    "the other player's reach stays": (VALUES, "(child, reach * law[:, a])", "(child, reach)"),
    "the worst reply": (VALUES, "worth[:, j, j].argmax(axis=0)", "worth[:, j, j].argmin(axis=0)"),
    "a reply is chosen in the first table always": (VALUES, "worth[:, j, j].argmax", "worth[:, 0, 0].argmax"),
    "a reply is chosen by what another table pays": (VALUES, "worth[:, j, j].argmax", "worth[:, j, 0].argmax"),
    "own strategies are replies": (VALUES, 'np.einsum("atr,ra->tr", worth[:, -1], self._law(node))', "out[0]"),
    "what has no weight is not played": (VALUES, "1.0 / weights.shape[1])", "0.0)"),
    "batches are one line short": (VALUES, "yield slice(begin, j)", "yield slice(begin, j - 1)"),
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
    try_copies([lambda: abstract_examples.wrong() + abstract_examples.wrong(40), *looks])
