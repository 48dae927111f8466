"""Mistakes in preflop hold'em planted into copies of the package: examples worked out by hand notice each.

This file is also the program that tries the copies.
"""

import nlph_examples
import pytest
from planting import catching, one_each, try_copies

pytestmark = pytest.mark.slow  # half a minute each

GAME, DEALT = "games/nlph", "games/dealt_nlph"

BUGS = {
    "limping is always allowed": (DEALT, "return found if self.limp or not limping else", "return found or"),
    "without limping nothing can be called": (DEALT, "if self.limp or not limping else", "if self.limp else"),
    "an all-in big blind cannot be called": (DEALT, " and max(s.stakes) != self.most", ""),
    "the big blind moves first": (DEALT, "dealer: int = 0", "dealer: int = 1"),
    "a flop follows": (DEALT, "streets: int = 1", "streets: int = 2"),
    "a fold wins": (DEALT, "-stake if chips.folded == 0 else stake", "stake if chips.folded == 0 else -stake"),
    "a fold is a showdown": (DEALT, 'return "fold", ', 'return "showdown", '),
    "one raise has its amount too": (DEALT, "move in moves) > 1", "move in moves) > 0"),
    "several raises have no amounts": (DEALT, "move in moves) > 1", "move in moves) > 9"),
    "all-in counts as a size": (DEALT, "sum(move.kind == RAISES for", "sum(move.kind >= RAISES for"),
    "the sizes of the blinds are exchanged": (GAME, "ip=None if self.sb is None", "oop=None if self.sb is None"),
    "antes are forgotten": (GAME, "ante=self.ante,", "ante=0,"),
    "the cap is forgotten": (GAME, "cap=self.cap,", "cap=None,"),
    "limp is forgotten": (GAME, "limp=self.limp,", "limp=True,"),
    "thresholds are exchanged": (GAME, "add_allin=self.add_allin,", "add_allin=self.force_allin,"),
    "close sizes stay": (GAME, "merge=self.merge,", "merge=0,"),
    "no sizes are the usual ones": (GAME, "oop=None if self.bb is None", "oop=None if not self.bb"),
}


caught = catching(__file__, one_each(BUGS))


def test_the_package_as_it_is_has_all_examples_right(caught):
    assert caught[None] == []


@pytest.mark.parametrize("bug", BUGS)
def test_examples_notice(caught, bug):
    assert caught[bug]


if __name__ == "__main__":
    try_copies(nlph_examples.wrong)
