"""Mistakes in preflop hold'em planted into the package: examples worked out by hand notice each.

This file is also the program that tries them.
"""

import nlph_examples
import pytest
from planting import catching, one_each, try_bugs

pytestmark = pytest.mark.slow  # half a minute each


BUGS = {
    "limping is always allowed": (
        "games/dealt_nlph:PreflopBetting.moves",
        "return found if self.limp or not limping else",
        "return found or",
    ),
    "without limping nothing can be called": (
        "games/dealt_nlph:PreflopBetting.moves",
        "if self.limp or not limping else",
        "if self.limp else",
    ),
    "an all-in big blind cannot be called": (
        "games/dealt_nlph:PreflopBetting.moves",
        " and max(s.stakes) != self.most",
        "",
    ),
    "the big blind moves first": ("games/dealt_nlph:PreflopBetting.dealer", "dealer: int = 0", "dealer: int = 1"),
    "a flop follows": ("games/dealt_nlph:PreflopBetting.streets", "streets: int = 1", "streets: int = 2"),
    "a fold wins": (
        "games/dealt_nlph:DealtNlph.ending",
        "-stake if chips.folded == 0 else stake",
        "stake if chips.folded == 0 else -stake",
    ),
    "a fold is a showdown": ("games/dealt_nlph:DealtNlph.ending", 'return "fold", ', 'return "showdown", '),
    "one raise has its amount too": ("games/dealt_nlph:action_menu", "move in moves) > 1", "move in moves) > 0"),
    "several raises have no amounts": ("games/dealt_nlph:action_menu", "move in moves) > 1", "move in moves) > 9"),
    "all-in counts as a size": (
        "games/dealt_nlph:action_menu",
        "sum(move.kind == RAISES for",
        "sum(move.kind >= RAISES for",
    ),
    "the sizes of the blinds are exchanged": (
        "games/nlph:Nlph.betting",
        "ip=None if self.sb is None",
        "oop=None if self.sb is None",
    ),
    "antes are forgotten": ("games/nlph:Nlph.betting", "ante=self.ante,", "ante=0,"),
    "the cap is forgotten": ("games/nlph:Nlph.betting", "cap=self.cap,", "cap=None,"),
    "limp is forgotten": ("games/nlph:Nlph.betting", "limp=self.limp,", "limp=True,"),
    "thresholds are exchanged": ("games/nlph:Nlph.betting", "add_allin=self.add_allin,", "add_allin=self.force_allin,"),
    "close sizes stay": ("games/nlph:Nlph.betting", "merge=self.merge,", "merge=0,"),
    "no sizes are the usual ones": (
        "games/nlph:Nlph.betting",
        "oop=None if self.bb is None",
        "oop=None if not self.bb",
    ),
}


caught = catching(__file__, one_each(BUGS))


def test_the_package_as_it_is_has_all_examples_right(caught):
    assert caught[None] == []


@pytest.mark.parametrize("bug", BUGS)
def test_examples_notice(caught, bug):
    assert caught[bug]


if __name__ == "__main__":
    try_bugs(nlph_examples.wrong)
