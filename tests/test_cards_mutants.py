"""Mistakes in the index of hands, their order, blockers and equities, planted into copies of the package.

This file is also the program that tries the copies.
"""

import equity_examples
import index_examples
import pytest
from planting import catching, one_each, try_copies

INDEX, ISOMORPHISM, BOARDS = "hand_index", "cards/isomorphism", "cards/boards"
ORDER, VALUES, EQUITY = "hand_values", "cards/hand_value", "cards/range_equity"

pytestmark = pytest.mark.slow
INDEX_BUGS = {
    "suits are not sorted": (INDEX, "keys[U0], keys[U1], keys[U2], keys[U3] = a, b, c, d", "pass"),
    "the middle suits are not sorted": (INDEX, "b, c = max(b, c), min(b, c)\n", "\n"),
    "ranks that are used are counted": (INDEX, "colex[without(these, used)]", "colex[these]"),
    "rounds are counted as if no rank were used": (
        INDEX,
        "left -= count\n        keys[s]",
        "left -= U0\n        keys[s]",
    ),
    "suits alike are a sequence, not a multiset": (INDEX, "multichoose(keys[j + k] & SETS, alike - k)", "keys[j + k]"),
    "two suits alike are chosen without repetition": (INDEX, "return n * (n + U1) // U2", "return n * (n - U1) // U2"),
    "copies forget that suits are alike": (INDEX, "ways //= alike", "ways //= U1"),
    "suits with the same code are copies": (
        INDEX,
        "alike < tables.suits and keys[j + alike] == keys[j]",
        "alike < tables.suits and keys[j + alike] >> CODE == keys[j] >> CODE",
    ),
    "used ranks are dealt again": (INDEX, "used |= added", "used |= U0"),
    "suits have sets with a rank twice": (ISOMORPHISM, "left -= min(count, left)", "left -= 0"),
}
EQUITY_BUGS = {
    "the upper digit is not sorted": (ORDER, "digit = LOW_DIGITS + (u64(", "digit = LOW_DIGITS + U0 * (u64("),
    "the lower digit has six bits": (ORDER, "LOW_MASK = u64(7), u64(127)", "LOW_MASK = u64(7), u64(63)"),
    "blocked hands take part": (ORDER, "if bits & held:", "if False:"),
    "weaker hands with a card of one's own are beaten": (
        ORDER,
        "below - room.below[low] - room.below[high]",
        "below - room.below[low]",
    ),
    "one's own hand is taken out twice": (ORDER, "room.equal[high] + own", "room.equal[high]"),
    "the hands that can be met lack one's own": (ORDER, "room.live[high] + own", "room.live[high]"),
    "equals of one strength stay for the next": (ORDER, "room.equal, -1.0)", "room.equal, 0.0)"),
    "no hands are equal": (ORDER, "while end < live and", "while False and"),
    "squares are not divided by the weight": (ORDER, "** 2 / dealt", "** 2"),
    "ties are lost": (ORDER, "(win + 0.5 * tie) ** 2", "win**2"),
    "boards of a kind count once": (VALUES, "kinds.copies.astype(np.float64)", "np.ones(len(kinds.cards))"),
    "hands of a class are not averaged": (VALUES, "_over_classes(each, scene.deck) for", "each for"),
    "all boards are of one kind": (VALUES, "if scene.board or not alike:", "if scene.board:"),
    "hand strength is that of the showdown": (
        VALUES,
        "strength = _strength_now(weights, scene)",
        "strength = mean",
    ),
    "boards to come may repeat a card": (BOARDS, "if card not in board]", "if card not in board[:1]]"),
    "hands meet their own range": (EQUITY, "sum_chosen(weights[::-1]", "sum_chosen(weights"),
    "the board takes no hands out of combos": (EQUITY, "(live[0].combos,", "(first.combos,"),
}  # fmt: skip
BUGS = {**INDEX_BUGS, **EQUITY_BUGS}


caught = catching(__file__, one_each(BUGS), equity_examples.with_tables)


def test_the_package_as_it_is_has_all_examples_right(caught):
    assert caught[None] == []


@pytest.mark.parametrize("bug", BUGS)
def test_examples_notice(caught, bug):
    assert caught[bug]


def all_wrong():
    """All examples that come out wrong."""
    return index_examples.wrong() + equity_examples.wrong()


if __name__ == "__main__":
    looks = [index_examples.wrong] * len(INDEX_BUGS) + [equity_examples.wrong] * len(EQUITY_BUGS)
    try_copies([all_wrong, *looks])
