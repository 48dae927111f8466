"""Mistakes in betting, game definitions and range strings, planted into the package: examples notice each.

This file is also the program that tries them.
"""

import betting_examples
import gamedef_examples
import pytest
import range_examples
from planting import catching, one_each, try_bugs

BUGS = {
    "half chips are rounded down": (
        "betting/sizes:half_up",
        "(2 * numerator + denominator)",
        "(2 * numerator + denominator - 1)",
    ),
    "the pot of a raise is that before calling": (
        "betting/structures:_Sized.facing",
        "self.dead + 2 * theirs,",
        "self.dead + sum(s.stakes),",
    ),
    "the pot forgets what was there": ("betting/structures:_Sized.facing", "Facing(self.dead + ", "Facing("),
    "a raise by the pot is not above the bet faced": (
        "betting/sizes:Size.amount",
        "facing.level + half_up(facing.pot",
        "half_up(facing.pot",
    ),
    "chips are raised to, not by": ("betting/sizes:Size.amount", "facing.level + number.numerator", "number.numerator"),
    "a size below the minimum stays": (
        "betting/sizes:amounts",
        "max(size.amount(facing), least)",
        "size.amount(facing)",
    ),
    "a raise beyond the stack": ("betting/sizes:amounts", "most if most <= amount", "most if left and most <= amount"),
    "all-in is forced by the pot before a call": (
        "betting/sizes:amounts",
        "pot + 2 * (amount - level)",
        "pot + (amount - level)",
    ),
    "all-in is not forced at the threshold": (
        "betting/sizes:amounts",
        "most if most <= amount + left",
        "most if most < amount + left",
    ),
    "all-in is added by its whole amount": (
        "betting/sizes:amounts",
        "if most <= level + half_up(",
        "if most <= half_up(",
    ),
    "all-in is not added at the threshold": (
        "betting/sizes:amounts",
        "if most <= level + half_up(",
        "if most < level + half_up(",
    ),
    "sizes are not merged at the threshold": (
        "betting/sizes:_merged",
        "kept[-1] > (1 + merge)",
        "kept[-1] >= (1 + merge)",
    ),
    "sizes are merged by what was raised to": (
        "betting/sizes:amounts",
        "_merged(rising, pot - level,",
        "_merged(rising, pot,",
    ),
    "sizes are merged from the smallest up": (
        "betting/sizes:_merged",
        "for amount in reversed(rising)",
        "for amount in rising",
    ),
    "geometric raises keep their streets": ("betting/sizes:Size._geometric", "- max(facing.bets, 1) + 1, 1)", ", 1)"),
    "a geometric size has no most": ("betting/sizes:Size._geometric", "share = min(share, ", "share = max(share, "),
    "big blinds are raised by, not to": (
        "betting/sizes:Size.amount",
        "return half_up(facing.blind",
        "return facing.level + half_up(facing.blind",
    ),
    "big blinds below the bet faced are offered": (
        "betting/sizes:amounts",
        "filter(lambda size: size.applies(facing), sizes)",
        "sizes",
    ),
    "big blinds count the small one": (
        "betting/structures:_Sized.facing",
        "self.streets - s.street, self.smallest",
        "self.streets - s.street, self.posted[0]",
    ),
    "raises are not the bets": ("betting/menus:make_menu", "bet if said[1] is None else raise_", "raise_"),
    "raises are always the bets": ("betting/menus:make_menu", "bet if said[1] is None else raise_", "bet"),
    "a raise may repeat its size": ("betting/structures:NoLimit.sizes", "size.place > least", "size.place >= least"),
    "any size answers": ("betting/structures:NoLimit.sizes", "if s.sized is None:", "if True:"),
    "sizes beyond the stack are left out": (
        "betting/structures:NoLimit.sizes",
        " or size.amount(facing) >= facing.most]",
        "]",
    ),
    "of equal amounts the first size counts": (
        "betting/structures:NoLimit._size_of",
        "max(reached)[2]",
        "min(reached)[2]",
    ),
    "the order of sizes is kept over streets": (
        "betting/lines:Betting.opening",
        "self.smallest, 0, donk, NOBODY, line)",
        "self.smallest, 0, donk, NOBODY, line, Size('%', 100))",
    ),
    "different bets are one state": (
        "betting/structures:_Sized.merged",
        "s.bets if self._counts_bets else min(s.bets, 1)",
        "min(s.bets, 1)",
    ),
    "donk bets are forgotten": ("betting/structures:_Sized.merged", "s.donk and self._asks_for_donk,", "False,"),
    "shares of a tree are counted twice": (
        "betting/tree_size:_sum",
        "if child.mover != OVER)))",
        "if child.mover != OVER), own))",
    ),
    "folds are showdowns": ("betting/tree_size:_sum", "(1 if child.folded != NOBODY else 2)", "2"),
    "the smallest raise is always the big blind": (
        "betting/lines:Betting.play",
        "step = max(s.step, mine - theirs)",
        "step = s.step",
    ),
    "the smallest raise is that of the street before": (
        "betting/lines:Betting.opening",
        "stakes[0], self.smallest, 0,",
        "stakes[0], stakes[0], 0,",
    ),
    "the smallest bet is one chip": ("betting/structures:_WholeHand.smallest", "return self.posted[1]", "return 1"),
    "a call of the big blind ends the street": (
        "betting/lines:Betting.play",
        "if s.bets == 0 and theirs != self.most:",
        "if False:",
    ),
    "a big blind that is all-in moves": (
        "betting/lines:Betting.play",
        "if s.bets == 0 and theirs != self.most:",
        "if s.bets == 0:",
    ),
    "the dealer moves last before the flop": (
        "betting/lines:Betting.first",
        "self.dealer if street == 0 else",
        "1 - self.dealer if street == 0 else",
    ),
    "the dealer moves first after the flop": (
        "betting/lines:Betting.first",
        "if street == 0 else 1 - self.dealer",
        "if street == 0 else self.dealer",
    ),
    "betting goes on after all-in": ("betting/lines:Betting._street_ends", " or stakes[0] == self.most:", ":"),
    "every first bet of a street is a donk bet": (
        "betting/lines:Betting.play",
        "(theirs, theirs), mover != self.dealer, line)",
        "(theirs, theirs), True, line)",
    ),
    "checks lead to donk bets": (
        "betting/lines:Betting.play",
        "self._street_ends(s, s.stakes, False, line)",
        "self._street_ends(s, s.stakes, True, line)",
    ),
    "a fold loses what the other put in": (
        "betting/lines:Betting.stake",
        "self.dead / 2 + min(s.stakes)",
        "self.dead / 2 + max(s.stakes)",
    ),
    "the pot of a spot is won whole": ("betting/lines:Betting.stake", "self.dead / 2 + min", "self.dead + min"),
    "the cap is one too high": ("betting/structures:_Sized.amounts", "s.bets >= _of(", "s.bets > _of("),
    "the cap of limit is one too high": ("betting/structures:Limit.amounts", "if s.bets < cap", "if s.bets <= cap"),
    "the cap is that of the first street": (
        "betting/structures:_of",
        "values[min(number, len(values) - 1)]",
        "values[0]",
    ),
    "bets of limit grow a street late": (
        "betting/structures:Limit.by_street",
        "(_of(sizes, street),",
        "(_of(sizes, max(street - 1, 0)),",
    ),
    "antes are the blinds' own": (
        "betting/structures:_WholeHand.root",
        "State(0, self.dealer, stakes, self.ante,",
        "State(0, self.dealer, stakes, 0,",
    ),
    "sizes of the players are exchanged": (
        "betting/structures:_Sized.sizes",
        "int(s.mover == self.dealer)",
        "int(s.mover != self.dealer)",
    ),
    "a street counts less than a player": (
        "betting/menus:make_menu",
        "by_street, given.get(position, {}), default",
        "given.get(position, {}), by_street, default",
    ),
    "blinds of a definition are exchanged": (
        "games/gamedef:gamedef_text",
        "[big, small] if reverse",
        "[small, big] if reverse",
    ),
    "blinds are read in the wrong order": (
        "games/gamedef:_blinds",
        "posted[dealer], posted[1 - dealer]",
        "posted[1 - dealer], posted[dealer]",
    ),
    "the dealer moves first in every round": (
        "games/gamedef:_first_players",
        "[2 - dealer] * (rounds - 1)",
        "[dealer + 1] * (rounds - 1)",
    ),
    "players are counted from 0": (
        "games/gamedef:_first_players",
        "[dealer + 1] + [2 - dealer]",
        "[dealer] + [1 - dealer]",
    ),
    "the larger stack counts": ("games/gamedef:_nolimit", "stack, big = min(d", "stack, big = max(d"),
    "a stack is not held to the blind": ("games/gamedef:_nolimit", "if not big <= stack <=", "if not 1 <= stack <="),
    "raises of no-limit are not read": ("games/gamedef:_nolimit", "_text(caps) if caps else None", "None"),
    "raises of no-limit are not written": ("games/gamedef:_nolimit_rows", "[] if caps is None else", "[] if True else"),
    "255 raises are a cap": ("games/gamedef:_caps", "min(caps) < MOST_RAISES", "min(caps) <= MOST_RAISES"),
    "limit without a cap has the usual one": ("games/gamedef:_limit", "[MOST_RAISES] * d.one", "[4] * d.one"),
    "ranks and suits are exchanged": (
        "games/gamedef:read_gamedef",
        'ranks=d.one("numRanks"), suits=d.one("numSuits")',
        'ranks=d.one("numSuits"), suits=d.one("numRanks")',
    ),
    "suits are written as ranks": (
        "games/gamedef:gamedef_text",
        '"numRanks": [found.ranks]',
        '"numRanks": [found.suits]',
    ),
    "limit stacks are not looked at": ("games/gamedef:_limit", 'if "stack" in d and', "if False and"),
    "limit stacks must be larger by one": (
        "games/gamedef:_limit",
        'min(d.all("stack")) < most',
        'min(d.all("stack")) <= most',
    ),
    "the usual bets are always meant": (
        "games/gamedef:_limit",
        "if found.by_street == usual.by_street",
        "if found.streets == 4",
    ),
    "a first board is overlooked": ("games/gamedef:_board", "if first or 0 in later", "if 0 in later"),
    "the second hand is not counted": ("games/gamedef:_board", "HOLE_CARDS + total\n", "total\n"),
    "three hole cards pass": (
        "games/gamedef:_board",
        'if d.one("numHoleCards") != HOLE_CARDS',
        'if d.one("numHoleCards") < HOLE_CARDS',
    ),
    "keys have one case": (
        "games/gamedef_text:_Reader.entry",
        "if not found or word.lower() not in KEYS",
        "if not found or word != KEYS.get(word.lower(), ('',))[0]",
    ),
    "comments are read": ("games/gamedef_text:_Reader.take", 'line.partition("#")[0].split()', "line.split()"),
    "the end may be missing": (
        "games/gamedef_text:parse",
        "    else:\n        begun",
        "    if not rows:\n        begun",
    ),
    "a key given twice is overlooked": (
        "games/gamedef_text:_Reader.place",
        "if known in self.lines:",
        "if known in KINDS and known in self.lines:",
    ),
    "too few numbers pass": ("games/gamedef_text:check_counts", ")) != needed[per]", ")) > needed[per]"),
    "too many numbers pass": ("games/gamedef_text:check_counts", ")) != needed[per]", ")) < needed[per]"),
    "lines are counted from 0": ("games/gamedef_text:parse", "enumerate(rows, 1)", "enumerate(rows)"),
    "no-limit is limit": ("games/gamedef_text:parse", '"nolimit" not in reader.lines', "True"),
    "limit needs stacks": (
        "games/gamedef_text:REQUIRED",
        'True: KEYS.keys() - {"stack", "maxraises"}',
        'True: KEYS.keys() - {"maxraises"}',
    ),
    "no-limit needs no stacks": (
        "games/gamedef_text:REQUIRED",
        'False: KEYS.keys() - {"raisesize", "maxraises"}',
        'False: KEYS.keys() - {"raisesize", "maxraises", "stack"}',
    ),
    "numbers may be too large": (
        "games/gamedef_text:_Reader.number",
        "not key.least <= int(text) <= key.most",
        "not key.least <= int(text)",
    ),
    "numbers may be too small": (
        "games/gamedef_text:_Reader.number",
        "not key.least <= int(text) <= key.most",
        "not int(text) <= key.most",
    ),
    "earlier terms of a range win": (
        "cards/ranges:_parse",
        "terms(text) if text.strip()",
        "terms(text)[::-1] if text.strip()",
    ),
    "neighbours do not rise": ("cards/ranges:_rising", "if gap <= 1:", "if gap < 1:"),
    "a range lacks its end": ("cards/ranges:_between", "range(low_low, high_low + 1)", "range(low_low, high_low)"),
    "a higher card reaches itself": (
        "cards/ranges:_rising",
        "for rank in range(low, high)]",
        "for rank in range(low, high + 1)]",
    ),
    "suited and offsuit are exchanged": (
        "cards/ranges:Deck.__init__",
        'else "s" if high % suits == low % suits else "o"',
        'else "o" if high % suits == low % suits else "s"',
    ),
    "a seen card takes out hands with two of them": (
        "cards/ranges:Range.without",
        "seen[deck.hand_cards].any(axis=1)",
        "seen[deck.hand_cards].all(axis=1)",
    ),
    "classes are written with weights of single hands": (
        "cards/ranges:_terms",
        "if r.weights[hand] != usual[key]:",
        "if False:",
    ),
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
    try_bugs([all_wrong, *(of_room[file.partition("/")[0]] for file, _, _ in BUGS.values())])
