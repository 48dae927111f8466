"""Mistakes in hand classes, line classes, rewards and pruning, planted into the package and noticed.

This file is also the program that tries them.
"""

import functools
import importlib

import hand_class_examples
import line_class_examples
import pytest
from planting import catching, try_bugs
from test_walk_mutants import HARMLESS, KUHN, NOTICED, Mutant, changes_of, deviations, untouched

pytestmark = pytest.mark.slow  # half a minute
SIGNED = "                if i != U0:\n                    value = -value\n"
FELT = "                value = felt(method.reward, value)\n"

HANDS = {
    "the ace is never low": ("hand_classes:window", "if j > U0 else WHEEL", "if j > U0 else FIVE_RANKS"),
    "a straight of the board counts": ("hand_classes:has_straight", "found = own & window(j) != U0", "found = True"),
    "a low straight counts": (
        "hand_classes:has_straight",
        "found = own & window(j) != U0",
        "found = found or own & window(j) != U0",
    ),
    "a flush of the board counts": (
        "hand_classes:made_hand",
        "max(digit(every.suits, hole.high_suit), digit(every.suits, hole.low_suit)) >= U5",
        "max(digit(every.suits, U0), digit(every.suits, U1), digit(every.suits, U2), digit(every.suits, U3)) >= U5",
    ),
    "a full house of the board counts": ("hand_classes:has_full_house", " and max(high, low) > U1", ""),
    "two pairs are a full house": (
        "hand_classes:has_full_house",
        "at_least(every.ranks, U3) > U0 and",
        "at_least(every.ranks, U2) > U0 and",
    ),
    "four of a kind is trips": ("hand_classes:has_full_house", "full or max(high, low) == U4", "full"),
    "a straight flush is a flush": ("hand_classes:has_full_house", " or straight_flush\n", "\n"),
    "a set is a pair": ("hand_classes:pairs_of", "SET if high == U3 else", "SET if high == U4 else"),
    "trips take both cards": ("hand_classes:pairs_of", "max(high, low) == U3", "min(high, low) == U3"),
    "two pair takes one card": ("hand_classes:pairs_of", "if high == U2 and low == U2", "if high == U2 or low == U2"),
    "the kicker is the pair": (
        "hand_classes:pairs_of",
        "one_pair(hole, hole.high, hole.low,",
        "one_pair(hole, hole.high, hole.high,",
    ),
    "the pair's own rank is a better kicker": ("hand_classes:one_pair", " - u64(pair > kicker)", ""),
    "one better kicker at most": ("hand_classes:BETTER_KICKERS", "BETTER_KICKERS = 2", "BETTER_KICKERS = 1"),
    "bottom and middle pair are exchanged": (
        "hand_classes:one_pair",
        "BOTTOM_PAIR if there & (bit - U1) == U0 else MIDDLE_PAIR",
        "MIDDLE_PAIR if there & (bit - U1) == U0 else BOTTOM_PAIR",
    ),
    "a pocket pair between is an underpair": (
        "hand_classes:pocket_pair",
        "MIDDLE_PAIR if there & (bit - U1) != U0",
        "MIDDLE_PAIR if there == U0",
    ),
    "an overpair is anywhere": ("hand_classes:pocket_pair", "OVERPAIR if there < bit", "OVERPAIR if there > bit"),
    "every king is an ace": ("hand_classes:pairs_of", "hole.high == ranks - U1", "hole.high == ranks - U2"),
    "trips on the board are one pair": ("hand_classes:texture", "min(paired, U2)", "min(paired, U1)"),
    "suits of boards are not counted": (
        "hand_classes:texture",
        "min(max(longest, U2), U4)",
        "min(max(longest, U2), U3)",
    ),
    "ranks of boards are not counted": ("hand_classes:texture", "min(max(close, U2), U4)", "min(max(close, U2), U3)"),
    "hole cards are part of the board": ("hand_classes:classify", "cards, j, 2, cards", "cards, j, 1, cards"),
    "a draw of the board counts": (
        "hand_classes:straight_outs",
        "own, outs = there & ~set_of(board.ranks)",
        "own, outs = there",
    ),
    "two gutshots are one": ("hand_classes:draw", "OPEN_ENDED if outs > U1", "OPEN_ENDED if outs > U2"),
    "a flush draw is three cards": ("hand_classes:draw", "hole.low_suit)) == U4", "hole.low_suit)) == U3"),
    "a made straight draws on": ("hand_classes:draw", "if made < STRAIGHT else U0", "if made <= STRAIGHT else U0"),
    "there are draws on the river": ("hand_classes:classify", "row if last else", "row if not last else"),
}
LINE_BUGS = {
    "a call counts as a raise": (
        "betting/line_classes:_Memory.after",
        "raises = step[0] >= BETS",
        "raises = step[0] >= 2",
    ),
    "both players have raised": ("betting/line_classes:_Memory.after", "(raises and player == mover)", "raises"),
    "on how many streets is forgotten": (
        "betting/line_classes:_Memory.after",
        "n + before for n, before",
        "max(n, before) for n, before",
    ),
    "the current street counts as an earlier one": (
        "betting/line_classes:_Memory.after",
        "(*self.moves, step), self.raised, now)",
        "(*self.moves, step), now, now)",
    ),
    "earlier moves are kept": (
        "betting/line_classes:_Memory.after",
        "return _Memory((), tuple(",
        "return _Memory(self.moves, tuple(",
    ),
    "sizes are not told apart": (
        "betting/line_classes:steps_of",
        "(move.kind, place if move.kind >= BETS else -1)",
        "(move.kind, -1)",
    ),
    "only the mover's raises are known": (
        "betting/line_classes:_Memory.line_class",
        "self.raised[mover], self.raised[1 - mover]",
        "self.raised[mover], 0",
    ),
    "the menu is forgotten": (
        "betting/line_classes:_Memory.line_class",
        "tuple(move.kind for move in offered))",
        "())",
    ),
    "players share numbers": (
        "betting/line_classes:forgetful_classes",
        "numbers[c.mover].setdefault(c, len(numbers[c.mover]))",
        "numbers[0].setdefault(c, 0)",
    ),
}
WALKS = {
    "a reward is not felt": Mutant(
        (("walk:walk", FELT, ""),), ("external+reward(y2)", "outcome+reward(y3)", "chance+reward(y2)"), ("external",)
    ),
    "player 1 feels what player 0 does": Mutant(
        (("walk:walk", SIGNED + FELT, FELT + SIGNED),),
        ("external+reward(y2)", "outcome+infoset+reward(y3)"),
        ("external", "outcome+infoset"),
    ),
    "rollouts feel nothing": Mutant(
        (("rollouts:rollout", "felt(method.reward, y if i == U0 else -y)", "y if i == U0 else -y"),),
        ("robust(1)+probe+reward(y2)",),
        ("robust(1)+probe", "external+reward(y2)"),
    ),
    "a win is felt too": Mutant(
        (("rewards:felt(ScaledLoss)", "1.5 * value if value < 0.0 else value", "1.5 * value"),),
        (),  # the audit takes the formula from there: test_training_options has its numbers
        ("external+reward(y2)",),
    ),
}
PRUNING = {
    "a skipped regret falls": (("walk_steps:update", "keep_regrets(real, v, mask, k, value)", "pass"),),
    "a rare visit is divided": (("pruning:divisor(Prune)", "lambda sampler, q: 1.0", "lambda sampler, q: q"),),
    "what is played is pruned": (("pruning:law(Prune)", "sigma == 0.0 and table", "table"),),
    "high regrets are pruned": (
        ("pruning:law(Prune)", "table.regret[x] < sampler.below", "table.regret[x] >= sampler.below"),
    ),
    "the share is the other one": (("pruning:law(Prune)", "1.0 - sampler.chance", "sampler.chance"),),
    "endings are pruned": (("walk_steps:choose_own", "mask |= endings(tree, c, k)", "pass"),),
}
SOUND = untouched(WALKS)
BUGS = {
    "all examples": (),
    **{bug: (change,) for bug, change in HANDS.items()},
    **{bug: (change,) for bug, change in LINE_BUGS.items()},
    **changes_of({**SOUND, **WALKS}),
    **PRUNING,
}


def wrong_pruning():
    """Whether regrets under pruning have another mean than they should, by the package that is importable right now."""
    options = importlib.reload(importlib.import_module("test_training_options"))
    try:
        options.test_a_hopeless_regret_changes_by_a_share_and_values_stay_exact(0.25)
    except AssertionError as error:
        return [str(error)]
    return []


def all_wrong():
    return hand_class_examples.wrong() + line_class_examples.wrong() + wrong_pruning()


def guarded(look):
    """What a look finds, or the error that it ends in."""
    try:
        return look()
    except (IndexError, KeyError, ValueError) as error:
        return [repr(error)]


LOOKS = [
    all_wrong,
    *[functools.partial(guarded, hand_class_examples.wrong)] * len(HANDS),
    *[functools.partial(guarded, line_class_examples.wrong)] * len(LINE_BUGS),
    *(functools.partial(deviations, mutant) for mutant in {**SOUND, **WALKS}.values()),
    *[wrong_pruning] * len(PRUNING),
]


found = catching(__file__, BUGS)


def test_the_package_as_it_is_has_nothing_wrong(found):
    assert found["all examples"] == []
    assert {method: d for method, d in found[KUHN].items() if not d < HARMLESS} == {}


@pytest.mark.parametrize("bug", [*HANDS, *LINE_BUGS, *PRUNING])
def test_examples_notice(found, bug):
    assert found[bug]


@pytest.mark.parametrize("bug", WALKS)
def test_the_audit_notices(found, bug):
    assert {method for method, d in found[bug].items() if not d < NOTICED} == set(WALKS[bug].shows)
    assert {method for method, d in found[bug].items() if d < HARMLESS} == set(WALKS[bug].hides)


if __name__ == "__main__":
    try_bugs(LOOKS)
