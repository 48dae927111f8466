"""Mistakes in wins, ties, blockers, squares, cuts, recall and indices of buckets, planted into the package.

This file is also the program that tries them.
"""

import bucket_examples
import equity_examples
import pytest
from planting import catching, one_each, try_bugs

pytestmark = pytest.mark.slow  # ten seconds; test_betting_mutants.py plants bugs in the quick suite

SQUARES, COUNTING, CUTS, PERCENTILES = (
    f"buckets/{name}" for name in ("hand_squares", "counting", "cuts", "percentiles")
)
BUGS = {
    "wins count once": ("hand_squares:score_hands", "room.score[h] += end", "room.score[h] = end"),
    "ties are lost": ("hand_squares:score_hands", "room.score[h] += end - room", "room.score[h] += first - room"),
    "ties are wins": ("hand_squares:score_hands", "room.score[h] = first - room", "room.score[h] = end - room"),
    "one's own hand is taken out twice": (
        "hand_squares:score_hands",
        "room.passed[hands.high[h]] + U1",
        "room.passed[hands.high[h]]",
    ),
    "weaker hands with the second card are beaten": (
        "hand_squares:score_hands",
        "room.score[h] = first - room.passed[hands.low[h]] - room.passed[hands.high[h]]",
        "room.score[h] = first - room.passed[hands.low[h]]",
    ),
    "only first cards are passed": ("hand_squares:add_passed", "room.passed[hands.high[h]] += 1", "pass"),
    "cards passed on one board stay for the next": ("hand_squares:score_hands", "room.passed[:] = 0\n", "\n"),
    "scores are not squared": ("hand_squares:add_scores", "(score * score if squared else score)", "score"),
    "scores of the last street are squared": (
        "buckets/hand_squares:later_values",
        "ones, not last, index",
        "ones, True, index",
    ),
    "a hand is worth a square on the river": (
        "buckets/hand_squares:values_of",
        "np.uint64), not last, room)",
        "np.uint64), True, room)",
    ),
    "values of one board stay for the next": (
        "hand_squares:fill_values",
        "room.sums[:] = 0\n        add_scores",
        "add_scores",
    ),
    "a hand may share its second card with the board": ("hand_squares:is_live", " or board[c] == hands.high[h]:", ":"),
    "a hand is indexed without its second card": ("hand_squares:hold", "held[CARDS + U1] = hands.high[h]", "pass"),
    "a board is indexed by its first card": ("hand_squares:hold", "U2 + c] = board[c]", "U2 + c] = board[U0]"),
    "boards of a kind count once before the flop": (
        "buckets/hand_squares:first_values",
        "times = kinds.copies.astype(np.uint64)",
        "times = np.ones(len(kinds.copies), np.uint64)",
    ),
    "hands of a class are added up": (
        "buckets/hand_squares:first_values",
        "return total // np.bincount",
        "return total * np.bincount",
    ),
    "classes of hole hands count once": (
        "buckets/counting:count_first",
        "np.bincount(which, copies)",
        "np.bincount(which)",
    ),
    "boards of a kind count once on the way": (
        "hand_squares:count_values",
        "room.held) >> shift] += times[k]",
        "room.held) >> shift] += 1",
    ),
    "boards of a kind count once at the end": (
        "hand_squares:count_scores",
        ">> shift] += times[k, row]",
        ">> shift] += 1",
    ),
    "rows are those of the first street": ("hand_squares:fill_rows", "= room.held[street - U1]", "= room.held[U0]"),
    "values are those of the street before": ("hand_squares:value_on", "if street == U1:", "if street <= U2:"),
    "boards of a kind count once on the last street": (
        "buckets/counting:_followed",
        "copies[done : done + len(boards), None]",
        "np.ones((len(boards), 1), np.int64)",
    ),
    "a cut belongs to the bucket below it": ("buckets/cuts:digits_of", "(cuts[row] <= values", "(cuts[row] < values"),
    "a cut belongs to the bucket below it in walks": (
        "bucket_rows:nested",
        "cut[first + j] <= value",
        "cut[first + j] < value",
    ),
    "earlier streets are forgotten": (
        "buckets/cuts:digits_of",
        "return row * (cuts.shape[1] + 1) + above",
        "return above",
    ),
    "earlier streets are forgotten in walks": (
        "bucket_rows:nested",
        "return row * (width + U1) + above",
        "return above",
    ),
    "cuts are those of the first row": ("buckets/cuts:digits_of", "above = (cuts[row] <=", "above = (cuts[0 * row] <="),
    "cuts of walks are those of the first row": (
        "bucket_rows:nested",
        "first, above = row * width, U0",
        "first, above = U0, U0",
    ),
    "buckets take their part of all, not of what is left": (
        "buckets/cuts:boundaries",
        "int(below[-1]) - taken,",
        "int(below[-1]),",
    ),
    "buckets always end above their part": ("buckets/cuts:nearest_boundary", "return at - 1\n", "return at\n"),
    "later buckets may be left without values": (
        "buckets/cuts:boundaries",
        "last = values - later if",
        "last = values - 1 if",
    ),
    "values that are not met are cut": (
        "buckets/cuts:cut_points",
        "there = np.flatnonzero(found)",
        "there = np.arange(len(found))",
    ),
    "equal values are two": (
        "buckets/counting:count_first",
        "np.unique(values, return_inverse=True)",
        "np.sort(values), np.argsort(np.argsort(values))",
    ),
    "the last street sees one card less": (
        "buckets/percentiles:Percentiles.assign",
        "2 + cards.board(later)]",
        "1 + cards.board(later)]",
    ),
}


caught = catching(__file__, one_each(BUGS), equity_examples.without_cache)


def test_the_package_as_it_is_has_all_examples_right(caught):
    assert caught[None] == []


@pytest.mark.parametrize("bug", BUGS)
def test_examples_notice(caught, bug):
    assert caught[bug]


if __name__ == "__main__":
    try_bugs(bucket_examples.wrong)
