"""Mistakes in betting, game definitions and range strings, planted into copies of the package: examples notice each.

This file is also the program that tries the copies.
"""

import betting_examples
import gamedef_examples
import pytest
import range_examples
from planting import catching, one_each, try_copies

SIZES, LINES, RULES = "betting/sizes", "betting/lines", "betting/structures"
MENUS, TREES, RANGES = "betting/menus", "betting/tree_size", "cards/ranges"

GAMEDEF, TEXT = "games/gamedef", "games/gamedef_text"

BUGS = {
    "half chips are rounded down": (SIZES, "(2 * numerator + denominator)", "(2 * numerator + denominator - 1)"),
    "the pot of a raise is that before calling": (RULES, "self.dead + 2 * theirs,", "self.dead + sum(s.stakes),"),
    "the pot forgets what was there": (RULES, "Facing(self.dead + ", "Facing("),
    "a raise by the pot is not above the bet faced": (SIZES, "facing.level + half_up(facing.pot", "half_up(facing.pot"),
    "chips are raised to, not by": (SIZES, "facing.level + number.numerator", "number.numerator"),
    "a size below the minimum stays": (SIZES, "max(size.amount(facing), least)", "size.amount(facing)"),
    "a raise beyond the stack": (SIZES, "most if most <= amount", "most if left and most <= amount"),
    "all-in is forced by the pot before a call": (SIZES, "pot + 2 * (amount - level)", "pot + (amount - level)"),
    "all-in is not forced at the threshold": (SIZES, "most if most <= amount + left", "most if most < amount + left"),
    "all-in is added by its whole amount": (SIZES, "if most <= level + half_up(", "if most <= half_up("),
    "all-in is not added at the threshold": (SIZES, "if most <= level + half_up(", "if most < level + half_up("),
    "sizes are not merged at the threshold": (SIZES, "kept[-1] > (1 + merge)", "kept[-1] >= (1 + merge)"),
    "sizes are merged by what was raised to": (SIZES, "_merged(rising, pot - level,", "_merged(rising, pot,"),
    "sizes are merged from the smallest up": (SIZES, "for amount in reversed(rising)", "for amount in rising"),
    "geometric raises keep their streets": (SIZES, "- max(facing.bets, 1) + 1, 1)", ", 1)"),
    "a geometric size has no most": (SIZES, "share = min(share, ", "share = max(share, "),
    "big blinds are raised by, not to": (
        SIZES,
        "return half_up(facing.blind",
        "return facing.level + half_up(facing.blind",
    ),
    "big blinds below the bet faced are offered": (SIZES, "filter(lambda size: size.applies(facing), sizes)", "sizes"),
    "big blinds count the small one": (
        RULES,
        "self.streets - s.street, self.smallest",
        "self.streets - s.street, self.posted[0]",
    ),
    "raises are not the bets": (MENUS, "bet if said[1] is None else raise_", "raise_"),
    "raises are always the bets": (MENUS, "bet if said[1] is None else raise_", "bet"),
    "a raise may repeat its size": (RULES, "size.place > least", "size.place >= least"),
    "any size answers": (RULES, "if s.sized is None:", "if True:"),
    "sizes beyond the stack are left out": (RULES, " or size.amount(facing) >= facing.most]", "]"),
    "of equal amounts the first size counts": (RULES, "max(reached)[2]", "min(reached)[2]"),
    "the order of sizes is kept over streets": (
        LINES,
        "self.smallest, 0, donk, NOBODY, line)",
        "self.smallest, 0, donk, NOBODY, line, Size('%', 100))",
    ),
    "different bets are one state": (RULES, "s.bets if self._counts_bets else min(s.bets, 1)", "min(s.bets, 1)"),
    "donk bets are forgotten": (RULES, "s.donk and self._asks_for_donk,", "False,"),
    "shares of a tree are counted twice": (TREES, "if child.mover != OVER)))", "if child.mover != OVER), own))"),
    "folds are showdowns": (TREES, "(1 if child.folded != NOBODY else 2)", "2"),
    "the smallest raise is always the big blind": (LINES, "step = max(s.step, mine - theirs)", "step = s.step"),
    "the smallest raise is that of the street before": (
        LINES,
        "stakes[0], self.smallest, 0,",
        "stakes[0], stakes[0], 0,",
    ),
    "the smallest bet is one chip": (RULES, "return self.posted[1]", "return 1"),
    "a call of the big blind ends the street": (LINES, "if s.bets == 0 and theirs != self.most:", "if False:"),
    "a big blind that is all-in moves": (LINES, "if s.bets == 0 and theirs != self.most:", "if s.bets == 0:"),
    "the dealer moves last before the flop": (
        LINES,
        "self.dealer if street == 0 else",
        "1 - self.dealer if street == 0 else",
    ),
    "the dealer moves first after the flop": (
        LINES,
        "if street == 0 else 1 - self.dealer",
        "if street == 0 else self.dealer",
    ),
    "betting goes on after all-in": (LINES, " or stakes[0] == self.most:", ":"),
    "every first bet of a street is a donk bet": (
        LINES,
        "(theirs, theirs), mover != self.dealer, line)",
        "(theirs, theirs), True, line)",
    ),
    "checks lead to donk bets": (
        LINES,
        "self._street_ends(s, s.stakes, False, line)",
        "self._street_ends(s, s.stakes, True, line)",
    ),
    "a fold loses what the other put in": (LINES, "self.dead / 2 + min(s.stakes)", "self.dead / 2 + max(s.stakes)"),
    "the pot of a spot is won whole": (LINES, "self.dead / 2 + min", "self.dead + min"),
    "the cap is one too high": (RULES, "s.bets >= _of(", "s.bets > _of("),
    "the cap of limit is one too high": (RULES, "if s.bets < cap", "if s.bets <= cap"),
    "the cap is that of the first street": (RULES, "values[min(number, len(values) - 1)]", "values[0]"),
    "bets of limit grow a street late": (RULES, "(_of(sizes, street),", "(_of(sizes, max(street - 1, 0)),"),
    "antes are the blinds' own": (
        RULES,
        "State(0, self.dealer, stakes, self.ante,",
        "State(0, self.dealer, stakes, 0,",
    ),
    "sizes of the players are exchanged": (RULES, "int(s.mover == self.dealer)", "int(s.mover != self.dealer)"),
    "a street counts less than a player": (
        MENUS,
        "by_street, given.get(position, {}), default",
        "given.get(position, {}), by_street, default",
    ),
    "blinds of a definition are exchanged": (GAMEDEF, "[big, small] if reverse", "[small, big] if reverse"),
    "blinds are read in the wrong order": (
        GAMEDEF,
        "posted[dealer], posted[1 - dealer]",
        "posted[1 - dealer], posted[dealer]",
    ),
    "the dealer moves first in every round": (GAMEDEF, "[2 - dealer] * (rounds - 1)", "[dealer + 1] * (rounds - 1)"),
    "players are counted from 0": (GAMEDEF, "[dealer + 1] + [2 - dealer]", "[dealer] + [1 - dealer]"),
    "the larger stack counts": (GAMEDEF, "stack, big = min(d", "stack, big = max(d"),
    "a stack is not held to the blind": (GAMEDEF, "if not big <= stack <=", "if not 1 <= stack <="),
    "raises of no-limit are not read": (GAMEDEF, "_text(caps) if caps else None", "None"),
    "raises of no-limit are not written": (GAMEDEF, "[] if caps is None else", "[] if True else"),
    "255 raises are a cap": (GAMEDEF, "min(caps) < MOST_RAISES", "min(caps) <= MOST_RAISES"),
    "limit without a cap has the usual one": (GAMEDEF, "[MOST_RAISES] * d.one", "[4] * d.one"),
    "ranks and suits are exchanged": (
        GAMEDEF,
        'ranks=d.one("numRanks"), suits=d.one("numSuits")',
        'ranks=d.one("numSuits"), suits=d.one("numRanks")',
    ),
    "suits are written as ranks": (GAMEDEF, '"numRanks": [found.ranks]', '"numRanks": [found.suits]'),
    "limit stacks are not looked at": (GAMEDEF, 'if "stack" in d and', "if False and"),
    "limit stacks must be larger by one": (GAMEDEF, 'min(d.all("stack")) < most', 'min(d.all("stack")) <= most'),
    "the usual bets are always meant": (GAMEDEF, "if found.by_street == usual.by_street", "if found.streets == 4"),
    "a first board is overlooked": (GAMEDEF, "if first or 0 in later", "if 0 in later"),
    "the second hand is not counted": (GAMEDEF, "HOLE_CARDS + total\n", "total\n"),
    "three hole cards pass": (
        GAMEDEF,
        'if d.one("numHoleCards") != HOLE_CARDS',
        'if d.one("numHoleCards") < HOLE_CARDS',
    ),
    "keys have one case": (
        TEXT,
        "if not found or word.lower() not in KEYS",
        "if not found or word != KEYS.get(word.lower(), ('',))[0]",
    ),
    "comments are read": (TEXT, 'line.partition("#")[0].split()', "line.split()"),
    "the end may be missing": (TEXT, "    else:\n        begun", "    if not rows:\n        begun"),
    "a key given twice is overlooked": (TEXT, "if known in self.lines:", "if known in KINDS and known in self.lines:"),
    "too few numbers pass": (TEXT, ")) != needed[per]", ")) > needed[per]"),
    "too many numbers pass": (TEXT, ")) != needed[per]", ")) < needed[per]"),
    "lines are counted from 0": (TEXT, "enumerate(rows, 1)", "enumerate(rows)"),
    "no-limit is limit": (TEXT, '"nolimit" not in reader.lines', "True"),
    "limit needs stacks": (TEXT, 'True: KEYS.keys() - {"stack", "maxraises"}', 'True: KEYS.keys() - {"maxraises"}'),
    "no-limit needs no stacks": (
        TEXT,
        'False: KEYS.keys() - {"raisesize", "maxraises"}',
        'False: KEYS.keys() - {"raisesize", "maxraises", "stack"}',
    ),
    "numbers may be too large": (TEXT, "not key.least <= int(text) <= key.most", "not key.least <= int(text)"),
    "numbers may be too small": (TEXT, "not key.least <= int(text) <= key.most", "not int(text) <= key.most"),
    "earlier terms of a range win": (
        RANGES,
        "terms(text) if text.strip()",
        "terms(text)[::-1] if text.strip()",
    ),
    "neighbours do not rise": (RANGES, "if gap <= 1:", "if gap < 1:"),
    "a range lacks its end": (RANGES, "range(low_low, high_low + 1)", "range(low_low, high_low)"),
    "a higher card reaches itself": (RANGES, "for rank in range(low, high)]", "for rank in range(low, high + 1)]"),
    "suited and offsuit are exchanged": (
        RANGES,
        'else "s" if high % suits == low % suits else "o"',
        'else "o" if high % suits == low % suits else "s"',
    ),
    "a seen card takes out hands with two of them": (
        RANGES,
        "seen[deck.hand_cards].any(axis=1)",
        "seen[deck.hand_cards].all(axis=1)",
    ),
    "classes are written with weights of single hands": (RANGES, "if r.weights[hand] != usual[key]:", "if False:"),
}


caught = catching(__file__, one_each(BUGS))


def test_the_package_as_it_is_has_all_examples_right(caught):
    assert caught[None] == []


@pytest.mark.parametrize("bug", BUGS)
def test_examples_notice(caught, bug):
    assert caught[bug]


def all_wrong():
    """All examples that come out wrong."""
    return betting_examples.wrong() + gamedef_examples.wrong() + range_examples.wrong()


if __name__ == "__main__":
    of_room = {"betting": betting_examples.wrong, "games": gamedef_examples.wrong, "cards": range_examples.wrong}
    try_copies([all_wrong, *(of_room[file.partition("/")[0]] for file, _, _ in BUGS.values())])
