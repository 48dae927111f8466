"""No-limit preflop hold'em worked out by hand: what the tests look at, and what finds planted bugs.

`wrong()` compares all of it with the package that is imported at that moment.
"""

import importlib
import re

from range_examples import comes_to

SHORT = "stack=20, blinds='1 2'"
PUSH = f"nlph({SHORT}, raise_=a, limp=False)"
MOVE = re.compile(r"\D\d*")

# game; line; the actions that are offered then
OFFERS = {
    "the small blind of the paper": ("nlph", "", "fold, call, raise, all-in"),
    "the big blind after a limp": ("nlph", "c", "check, raise, all-in"),
    "a raise beyond the stack is all-in": ("nlph", "rrrr", "fold, call, all-in"),
    "after all-in": ("nlph", "a", "fold, call"),
    "push or fold": (PUSH, "", "fold, all-in"),
    "the answer to a push": (PUSH, "a", "fold, call"),
    "pushing is not all there is": (f"nlph({SHORT}, raise_=a)", "", "fold, call, all-in"),
    "no limp, but a raise": (f"nlph({SHORT}, raise_='2x,a', limp=False)", "", "fold, raise, all-in"),
    "the big blind calls without limps": (
        f"nlph({SHORT}, raise_='2x,a', limp=False)", "r", "fold, call, raise, all-in"
    ),
    "a big blind that is all-in is called": ("nlph(stack=2, blinds='1 2', limp=False)", "", "fold, call"),
    "an ante that leaves the big blind all-in": ("nlph(stack=3, blinds='1 2', ante=1, limp=False)", "", "fold, call"),
    "several raises have amounts": (f"nlph({SHORT}, raise_='2x,2.5x,a')", "", "fold, call, raise 4, raise 5, all-in"),
    "a single one has none": (f"nlph({SHORT}, raise_='2x,2.5x,a')", "r4r8", "fold, call, raise, all-in"),
    "three times and once the stack": (f"nlph({SHORT}, raise_='2x,10x')", "", "fold, call, raise, all-in"),
    "the small blind has its own sizes": (f"nlph({SHORT}, sb='3x,4x', bb='')", "", "fold, call, raise 6, raise 8"),
    "the big blind has none": (f"nlph({SHORT}, sb='3x,4x', bb='')", "r6", "fold, call"),
    "the big blind has other ones": (f"nlph({SHORT}, sb=a, bb='2x')", "c", "check, raise"),
    "the small blind again": (f"nlph({SHORT}, sb=a, bb='2x')", "cr", "fold, call, all-in"),
    "a cap": (f"nlph({SHORT}, raise_='2x,a', cap=1)", "r", "fold, call"),
    "all-in is forced": (f"nlph({SHORT}, raise_='7x', force_allin=0.3)", "", "fold, call, all-in"),
    "all-in is added": (f"nlph({SHORT}, raise_='2x', add_allin=5)", "", "fold, call, raise, all-in"),
    "close sizes are one": (f"nlph({SHORT}, raise_='2x,2.5x', merge=0.2)", "", "fold, call, raise"),
    "equal blinds": ("nlph(stack=20, blinds='2 2', raise_=a)", "", "check, all-in"),
    "an ante is no part of the bet faced": (
        f"nlph({SHORT}, ante=3, raise_='2x,3x')", "", "fold, call, raise 4, raise 6"
    ),
    "an ante is part of the pot": (
        "nlph(stack=99, blinds='1 2', ante=1, raise_='50%,100%')", "", "fold, call, raise 5, raise 8"
    ),
}  # fmt: skip

# game; line; how it ends and what player 0, the small blind, gains, times the worth of its hand at a showdown
PAYOFFS = {
    "the small blind is folded": ("nlph", "f", ("fold", -50)),
    "a raise by the pot to 300 is folded to": ("nlph", "rf", ("fold", 100)),
    "a limp and a check": ("nlph", "cc", ("showdown", 100)),
    "a limp, a raise and a fold": ("nlph", "crf", ("fold", -100)),
    "300, 900, 2700, 8100 called": ("nlph", "rrrrc", ("showdown", 8100)),
    "all chips": ("nlph", "ac", ("showdown", 20_000)),
    "a push wins the big blind": (PUSH, "af", ("fold", 2)),
    "a fold before a push": (PUSH, "f", ("fold", -1)),
    "a called push": (PUSH, "ac", ("showdown", 20)),
    "small blind and ante": (f"nlph({SHORT}, ante=1)", "f", ("fold", -2)),
    "big blind and ante": (f"nlph({SHORT}, ante=1)", "af", ("fold", 3)),
    "the ante is part of the stack": (f"nlph({SHORT}, ante=1)", "ac", ("showdown", 20)),
    "a limp with an ante": (f"nlph({SHORT}, ante=1)", "cc", ("showdown", 3)),
    "a raise to 4 with an ante of 3": (f"nlph({SHORT}, ante=3, raise_='2x,3x')", "r4c", ("showdown", 7)),
    "a raise to 8 with an ante of 1": ("nlph(stack=99, blinds='1 2', ante=1)", "rc", ("showdown", 9)),
    "a reraise that is folded to": (f"nlph({SHORT}, raise_='2x,2.5x,a')", "r5r13f", ("fold", -5)),
    "the big blind folds to a third raise": (f"nlph({SHORT}, raise_='2x,2.5x,a')", "r4r8rf", ("fold", 8)),
}


def package():
    """The package that is imported at this moment."""
    return importlib.import_module("mccfr")


def state_after(rules, line):
    """The state of dealt rules after a line, move by move: actions are known by what they add to it."""
    s, so_far = rules.root(), ""
    for move in MOVE.findall(line):
        so_far += move
        (s,) = [
            after
            for after in (rules.step(s, a) for a in rules.actions(s))
            if rules.label(after, 0, 0) == f"AA:{so_far}"
        ]
    return s


def offered(text, line):
    rules = package().game(text).dealt()
    return ", ".join(rules.actions(state_after(rules, line)))


def paid(text, line):
    rules = package().game(text).dealt()
    s = state_after(rules, line)
    return rules.ending(s) if rules.player(s) == package().TERMINAL else "goes on"


def wrong():
    """The names of all examples that come out wrong."""
    tables = ((offered, OFFERS), (paid, PAYOFFS))
    return [
        name for look, table in tables for name, (*given, right) in table.items() if comes_to(look, *given) != right
    ]
