"""Mistakes in wins, ties, blockers, squares, cuts, recall and indices of buckets, planted into copies of the package.

This file is also the program that tries the copies.
"""

import bucket_examples
import equity_examples
import pytest
from planting import catching, one_each, try_copies

pytestmark = pytest.mark.slow  # ten seconds; test_betting_mutants.py plants bugs in the quick suite

SCORES, ROWS = "hand_squares", "bucket_rows"
SQUARES, COUNTING, CUTS, PERCENTILES = (
    f"buckets/{name}" for name in ("hand_squares", "counting", "cuts", "percentiles")
)
BUGS = {
    "wins count once": (SCORES, "room.score[h] += end", "room.score[h] = end"),
    "ties are lost": (SCORES, "room.score[h] += end - room", "room.score[h] += first - room"),
    "ties are wins": (SCORES, "room.score[h] = first - room", "room.score[h] = end - room"),
    "one's own hand is taken out twice": (SCORES, "room.passed[hands.high[h]] + U1", "room.passed[hands.high[h]]"),
    "weaker hands with the second card are beaten": (
        SCORES,
        "room.score[h] = first - room.passed[hands.low[h]] - room.passed[hands.high[h]]",
        "room.score[h] = first - room.passed[hands.low[h]]",
    ),
    "only first cards are passed": (SCORES, "room.passed[hands.high[h]] += 1", "pass"),
    "cards passed on one board stay for the next": (SCORES, "room.passed[:] = 0\n", "\n"),
    "scores are not squared": (SCORES, "(score * score if squared else score)", "score"),
    "scores of the last street are squared": (SQUARES, "ones, not last, index", "ones, True, index"),
    "a hand is worth a square on the river": (SQUARES, "np.uint64), not last, room)", "np.uint64), True, room)"),
    "values of one board stay for the next": (SCORES, "room.sums[:] = 0\n        add_scores", "add_scores"),
    "a hand may share its second card with the board": (SCORES, " or board[c] == hands.high[h]:", ":"),
    "a hand is indexed without its second card": (SCORES, "held[CARDS + U1] = hands.high[h]", "pass"),
    "a board is indexed by its first card": (SCORES, "U2 + c] = board[c]", "U2 + c] = board[U0]"),
    "boards of a kind count once before the flop": (
        SQUARES,
        "times = kinds.copies.astype(np.uint64)",
        "times = np.ones(len(kinds.copies), np.uint64)",
    ),
    "hands of a class are added up": (SQUARES, "return total // np.bincount", "return total * np.bincount"),
    "classes of hole hands count once": (COUNTING, "np.bincount(which, copies)", "np.bincount(which)"),
    "boards of a kind count once on the way": (SCORES, "room.held) >> shift] += times[k]", "room.held) >> shift] += 1"),
    "boards of a kind count once at the end": (SCORES, ">> shift] += times[k, row]", ">> shift] += 1"),
    "rows are those of the first street": (SCORES, "= room.held[street - U1]", "= room.held[U0]"),
    "values are those of the street before": (SCORES, "if street == U1:", "if street <= U2:"),
    "boards of a kind count once on the last street": (
        COUNTING,
        "copies[done : done + len(boards), None]",
        "np.ones((len(boards), 1), np.int64)",
    ),
    "a cut belongs to the bucket below it": (CUTS, "(cuts[row] <= values", "(cuts[row] < values"),
    "a cut belongs to the bucket below it in walks": (ROWS, "cut[first + j] <= value", "cut[first + j] < value"),
    "earlier streets are forgotten": (CUTS, "return row * (cuts.shape[1] + 1) + above", "return above"),
    "earlier streets are forgotten in walks": (ROWS, "return row * (width + U1) + above", "return above"),
    "cuts are those of the first row": (CUTS, "above = (cuts[row] <=", "above = (cuts[0 * row] <="),
    "cuts of walks are those of the first row": (ROWS, "first, above = row * width, U0", "first, above = U0, U0"),
    "buckets take their part of all, not of what is left": (CUTS, "int(below[-1]) - taken,", "int(below[-1]),"),
    "buckets always end above their part": (CUTS, "return at - 1\n", "return at\n"),
    "later buckets may be left without values": (CUTS, "last = values - later if", "last = values - 1 if"),
    "values that are not met are cut": (CUTS, "there = np.flatnonzero(found)", "there = np.arange(len(found))"),
    "equal values are two": (
        COUNTING,
        "np.unique(values, return_inverse=True)",
        "np.sort(values), np.argsort(np.argsort(values))",
    ),
    "the last street sees one card less": (PERCENTILES, "2 + cards.board(later)]", "1 + cards.board(later)]"),
}  # fmt: skip


caught = catching(__file__, one_each(BUGS), equity_examples.without_cache)


def test_the_package_as_it_is_has_all_examples_right(caught):
    assert caught[None] == []


@pytest.mark.parametrize("bug", BUGS)
def test_examples_notice(caught, bug):
    assert caught[bug]


if __name__ == "__main__":
    try_copies(bucket_examples.wrong)
