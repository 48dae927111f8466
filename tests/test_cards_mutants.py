"""Mistakes in the index of hands, their order, blockers and equities, planted into the package.

This file is also the program that tries them.
"""

import equity_examples
import index_examples
import pytest
from planting import catching, one_each, try_bugs

pytestmark = pytest.mark.slow
INDEX_BUGS = {
    "suits are not sorted": ("hand_index:sort_keys", "keys[U0], keys[U1], keys[U2], keys[U3] = a, b, c, d", "pass"),
    "the middle suits are not sorted": ("hand_index:sort_keys", "b, c = max(b, c), min(b, c)\n", "\n"),
    "ranks that are used are counted": ("hand_index:make_keys", "colex[without(these, used)]", "colex[these]"),
    "rounds are counted as if no rank were used": (
        "hand_index:make_keys",
        "left -= count\n        keys[s]",
        "left -= U0\n        keys[s]",
    ),
    "suits alike are a sequence, not a multiset": (
        "hand_index:number_keys",
        "multichoose(keys[j + k] & SETS, alike - k)",
        "keys[j + k]",
    ),
    "two suits alike are chosen without repetition": (
        "hand_index:multichoose",
        "return n * (n + U1) // U2",
        "return n * (n - U1) // U2",
    ),
    "copies forget that suits are alike": ("hand_index:count_copies", "ways //= alike", "ways //= U1"),
    "suits with the same code are copies": (
        "hand_index:count_copies",
        "alike < tables.suits and keys[j + alike] == keys[j]",
        "alike < tables.suits and keys[j + alike] >> CODE == keys[j] >> CODE",
    ),
    "used ranks are dealt again": ("hand_index:lay_cards", "used |= added", "used |= U0"),
    "suits have sets with a rank twice": ("cards/isomorphism:_suit_sets", "left -= min(count, left)", "left -= 0"),
}
EQUITY_BUGS = {
    "the upper digit is not sorted": (
        "hand_values:order_live",
        "digit = LOW_DIGITS + (u64(",
        "digit = LOW_DIGITS + U0 * (u64(",
    ),
    "the lower digit has six bits": (
        "hand_values:LOW_BITS",
        "LOW_MASK = u64(7), u64(127)",
        "LOW_MASK = u64(7), u64(63)",
    ),
    "blocked hands take part": ("hand_values:rank_live", "if bits & held:", "if False:"),
    "weaker hands with a card of one's own are beaten": (
        "hand_values:sweep",
        "below - room.below[low] - room.below[high]",
        "below - room.below[low]",
    ),
    "one's own hand is taken out twice": ("hand_values:sweep", "room.equal[high] + own", "room.equal[high]"),
    "the hands that can be met lack one's own": ("hand_values:sweep", "room.live[high] + own", "room.live[high]"),
    "equals of one strength stay for the next": ("hand_values:sweep", "room.equal, -1.0)", "room.equal, 0.0)"),
    "no hands are equal": ("hand_values:end_of_equals", "while end < live and", "while False and"),
    "squares are not divided by the weight": ("hand_values:add_hand", "** 2 / dealt", "** 2"),
    "ties are lost": ("hand_values:add_hand", "(win + 0.5 * tie) ** 2", "win**2"),
    "boards of a kind count once": (
        "cards/hand_value:sum_boards",
        "kinds.copies.astype(np.float64)",
        "np.ones(len(kinds.cards))",
    ),
    "hands of a class are not averaged": (
        "cards/hand_value:sum_boards",
        "_over_classes(each, scene.deck) for",
        "each for",
    ),
    "all boards are of one kind": ("cards/hand_value:sum_boards", "if scene.board or not alike:", "if scene.board:"),
    "hand strength is that of the showdown": (
        "cards/hand_value:hand_values",
        "strength = _strength_now(weights, scene)",
        "strength = mean",
    ),
    "boards to come may repeat a card": (
        "cards/boards:completions",
        "if card not in board]",
        "if card not in board[:1]]",
    ),
    "hands meet their own range": (
        "cards/range_equity:_against_each_other",
        "sum_chosen(weights[::-1]",
        "sum_chosen(weights",
    ),
    "the board takes no hands out of combos": ("cards/range_equity:equity", "(live[0].combos,", "(first.combos,"),
}
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
    try_bugs([all_wrong, *looks])
