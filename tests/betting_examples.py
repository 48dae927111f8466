"""Betting worked out by hand, and trees of another solver: what the tests look at, and what finds planted bugs.

`wrong()` compares all of it with the package that is imported at that moment.
"""

import importlib
from pathlib import Path

from range_examples import comes_to

SPOTS = Path(__file__).parent / "data" / "spots"
BOARDS = {3: "flop", 4: "turn", 5: "river"}

# sizes; pot after calling, bet faced, chips the other has left, bets so far, streets left; legal minimum;
# add, force, merge; what comes of them
AMOUNTS = {
    "shares of the pot": ("33%,75%", (180, 0, 910, 0, 1), 1, (), [59, 135]),
    "half a chip is rounded up": ("25%", (10, 0, 99, 0, 1), 1, (), [3]),
    "half a chip is rounded up where a float falls short": ("115%", (50, 0, 99, 0, 1), 1, (), [58]),
    "less than half a chip is rounded down": ("24%", (10, 0, 99, 0, 1), 1, (), [2]),
    "a raise by a share of the pot after calling": ("50%", (298, 59, 851, 1, 1), 118, (), [59 + 149]),
    "times the bet faced": ("2.5x,3x", (298, 59, 851, 1, 1), 118, (), [148, 177]),
    "a bet in chips": ("100c", (180, 0, 910, 0, 1), 1, (), [100]),
    "a raise by chips": ("100c", (298, 59, 851, 1, 1), 118, (), [159]),
    "too small a raise becomes the smallest": ("1.1x", (298, 59, 851, 1, 1), 118, (), [118]),
    "nothing is the smallest bet": ("0%", (180, 0, 910, 0, 1), 10, (), [10]),
    "too large a bet is all-in": ("600%", (180, 0, 910, 0, 1), 1, (), [910]),
    "all-in for less than a raise": ("2x", (200, 60, 40, 1, 1), 120, (), [100]),
    "equal amounts become one": ("50%,50c,51c", (100, 0, 500, 0, 1), 1, (), [50, 51]),
    "too small sizes become one": ("1%,2%,3%", (100, 0, 500, 0, 1), 4, (), [4]),
    "big blinds": ("8bb,2.5bb", (30, 0, 999, 0, 1, 10), 10, (), [25, 80]),
    "a raise to big blinds": ("4bb,8bb", (40, 20, 980, 1, 1, 10), 30, (), [40, 80]),
    "half a big blind is rounded up": ("2.5bb", (6, 3, 97, 1, 1, 3), 6, (), [8]),
    "big blinds below the smallest raise": ("3bb", (40, 20, 980, 1, 1, 10), 40, (), [40]),
    "no raise to what is faced": ("2bb,1bb,4bb", (40, 20, 980, 1, 1, 10), 30, (), [40]),
    "big blinds beyond the stack": ("8bb", (40, 20, 30, 1, 1, 10), 30, (), [50]),
    "all-in": ("a", (100, 50, 450, 1, 1), 100, (), [500]),
    "forced: 25 left, a pot of 250": ("75%", (100, 0, 100, 0, 1), 1, (0, "0.1", 0), [100]),
    "forced: 0.098 of 250 is 24.5, so 25": ("75%", (100, 0, 100, 0, 1), 1, (0, "0.098", 0), [100]),
    "not forced: 0.0979 of 250 is less than 24.5": ("75%", (100, 0, 100, 0, 1), 1, (0, "0.0979", 0), [75]),
    "forced raise: 20 left, a pot of 800": ("50%", (400, 100, 220, 1, 1), 200, (0, "0.025", 0), [320]),
    "not forced raise": ("50%", (400, 100, 220, 1, 1), 200, (0, "0.024", 0), [300]),
    "added: 1.5 times the pot": ("50%", (100, 0, 150, 0, 1), 1, ("1.5", 0, 0), [50, 150]),
    "not added": ("50%", (100, 0, 150, 0, 1), 1, ("1.49", 0, 0), [50]),
    "added to a raise: above the bet faced": ("", (300, 100, 150, 1, 1), 200, ("0.5", 0, 0), [250]),
    "not added to a raise": ("", (300, 100, 151, 1, 1), 200, ("0.5", 0, 0), []),
    "added to no sizes": ("", (100, 0, 150, 0, 1), 1, ("1.5", 0, 0), [150]),
    "merged: 140/133": ("33%,40%,75%", (100, 0, 999, 0, 1), 1, (0, 0, "0.1"), [40, 75]),
    "merged: exactly 1.1": ("10%,21%", (100, 0, 999, 0, 1), 1, (0, 0, "0.1"), [21]),
    "not merged: just above 1.1": ("9%,21%", (100, 0, 999, 0, 1), 1, (0, 0, "0.1"), [9, 21]),
    "merged with all-in": ("75%,a", (100, 0, 80, 0, 1), 1, (0, 0, "0.1"), [80]),
    "merged raises are counted above the bet faced": ("9%,21%", (100, 50, 999, 1, 1), 55, (0, 0, "0.1"), [59, 71]),
    "two geometric bets": ("2e", (100, 0, 400, 0, 1), 1, (), [100]),
    "the second of two": ("1e", (300, 0, 300, 0, 1), 1, (), [300]),
    "three geometric bets": ("3e", (100, 0, 1300, 0, 1), 1, (), [100]),
    "as many as streets are left": ("e", (100, 0, 1300, 0, 3), 1, (), [100]),
    "geometric, but at most": ("3e80%", (100, 0, 1300, 0, 1), 1, (), [80]),
    "a geometric raise": ("2e", (100, 20, 400, 1, 1), 40, (), [120]),
    "every further raise takes a street away": ("2e", (100, 20, 400, 2, 1), 40, (), [420]),
}

NOLIMIT = "stack=100, blinds='1 2', bet='50%', raise_='100%,a'"
LATER = "stack=200, bet='50%,100%,200%', increasing=True"
# betting; line; the moves that are offered then
OFFERS = {
    "the small blind begins": (f"nolimit({NOLIMIT})", "", "Fold, Call, Raise(6), AllIn(100)"),
    "a call of the big blind leaves it a raise": (f"nolimit({NOLIMIT})", "c", "Check, Raise(6), AllIn(100)"),
    "a check after it ends the street": (f"nolimit({NOLIMIT})", "ck/", "Check, Bet(2)"),
    "antes count for the pot": (f"nolimit({NOLIMIT}, ante=1)", "", "Fold, Call, Raise(8), AllIn(99)"),
    "the smallest raise is the last one": (
        "nolimit(stack=100, bet='', raise_='1c,10c')", "r12", "Fold, Call, Raise(22)"),
    "the smallest bet is the big blind": (
        "nolimit(stack=100, blinds='5 10', bet='1c', raise_='')", "ck/", "Check, Bet(10)"),
    "no raise beyond the cap": (f"nolimit({NOLIMIT}, cap='2 1')", "r6r18", "Fold, Call"),
    "a raise below the cap": (f"nolimit({NOLIMIT}, cap='2 1')", "r6", "Fold, Call, Raise(18), AllIn(100)"),
    "the last cap holds on": (f"nolimit({NOLIMIT}, cap='2 1')", "ck/kk/b2", "Fold, Call"),
    "a dealer who is player 0": (f"nolimit({NOLIMIT}, dealer=0)", "", "Fold, Call, Raise(6), AllIn(100)"),
    "a big blind that is all-in": ("nolimit(stack=2, bet='a', raise_='a')", "", "Fold, Call"),
    "a call of it ends the hand": ("nolimit(stack=2, bet='a', raise_='a')", "c", ""),
    "after a call of all-in nobody moves": (f"nolimit({NOLIMIT})", "a100c", ""),
    "limit bets": ("limit", "ck/", "Check, Bet(2)"),
    "limit raises": ("limit", "r4", "Fold, Call, Raise(6)"),
    "three raises before the flop": ("limit", "r4r6r8", "Fold, Call"),
    "a bet and three raises later": ("limit", "ck/b2r4r6", "Fold, Call, Raise(8)"),
    "and no more": ("limit", "ck/b2r4r6r8", "Fold, Call"),
    "larger bets from the turn on": ("limit", "ck/kk/b4", "Fold, Call, Raise(8)"),
    "a donk bet by who called": (f"nolimit({NOLIMIT}, donk_='25%')", "r6c/", "Check, Bet(3)"),
    "no donk bet by who did not": (f"nolimit({NOLIMIT}, donk_='25%')", "cr6c/", "Check, Bet(6)"),
    "no donk bet after a check": (f"nolimit({NOLIMIT}, donk_='25%')", "r6c/k", "Check, Bet(6)"),
    "no donk bet after checks": (f"nolimit({NOLIMIT}, donk_='25%')", "r6c/kk/", "Check, Bet(6)"),
    "raises have the sizes of bets": ("nolimit(stack=200, bet='50%,100%,a')", "",
        "Fold, Call, Raise(4), Raise(6), AllIn(200)"),
    "raises have the sizes of bets on every street": ("nolimit(stack=200, bet='50%,100%,a')", "ck/b2",
        "Fold, Call, Raise(6), Raise(10), AllIn(198)"),
    "raises have the sizes of the bets of a street": ("nolimit(stack=200, bet='50%', flop={'bet': '100%'})", "ck/b4",
        "Fold, Call, Raise(16)"),
    "raises of a street may be others": ("nolimit(stack=200, bet='50%', flop={'raise_': '100%'})", "ck/b2",
        "Fold, Call, Raise(10)"),
    "big blinds have the chips of the big blind": ("nolimit(stack=200, blinds='2 5', bet='', raise_='2bb,3bb')", "",
        "Fold, Call, Raise(10), Raise(15)"),
    "antes are no part of big blinds": ("nolimit(stack=200, blinds='2 5', ante=1, bet='', raise_='3bb')", "",
        "Fold, Call, Raise(15)"),
    "later sizes answer": (f"nolimit({LATER})", "ck/b2", "Fold, Call, Raise(10), Raise(18)"),
    "later sizes than the last one answer": (f"nolimit({LATER})", "ck/b2r10", "Fold, Call, Raise(58)"),
    "no size is later than the last": (f"nolimit({LATER})", "ck/b8", "Fold, Call"),
    "a new street begins the list anew": (f"nolimit({LATER})", "ck/b8c/", "Check, Bet(10), Bet(20), Bet(40)"),
    "a size beyond the stack is all-in": (f"nolimit({LATER})", "ck/b8c/b40", "Fold, Call, AllIn(190)"),
    "a bet of two sizes counts as the later": (f"nolimit({LATER.replace('50%', '20%,50%')})", "ck/b2",
        "Fold, Call, Raise(10), Raise(18)"),
    "a table of a street": (f"nolimit({NOLIMIT}, flop={{'bet': '100%'}})", "ck/", "Check, Bet(4)"),
    "other streets are as they were": (f"nolimit({NOLIMIT}, flop={{'bet': '100%'}})", "ck/kk/", "Check, Bet(2)"),
    "a table of a player": (f"nolimit({NOLIMIT}, ip={{'bet': '100%'}})", "ck/k", "Check, Bet(4)"),
    "the other player is as before": (f"nolimit({NOLIMIT}, ip={{'bet': '100%'}})", "ck/", "Check, Bet(2)"),
    "the player on a street counts most": (
        f"nolimit({NOLIMIT}, flop={{'bet': '25%', 'oop': {{'bet': '75%'}}}}, oop={{'bet': '100%'}})", "ck/",
        "Check, Bet(3)"),
    "a street counts more than a player": (
        f"nolimit({NOLIMIT}, flop={{'bet': '75%'}}, oop={{'bet': '100%'}})", "ck/", "Check, Bet(3)"),
}  # fmt: skip

# betting; line; who folded or who wins the showdown; what player 0 gains
PAYOFFS = {
    "a fold of the small blind": (f"nolimit({NOLIMIT})", "f", -1, 1),
    "a fold loses what was put in": (f"nolimit({NOLIMIT})", "r6r18f", -1, 6),
    "a showdown": (f"nolimit({NOLIMIT})", "ck/kk/kk/kk", 1, -2),
    "antes are lost too": (f"nolimit({NOLIMIT}, ante=3)", "f", -1, 4),
    "a tie": (f"nolimit({NOLIMIT})", "ck/kk/kk/kk", -1, 0),
    "half of the pot of a spot": ("spot_betting(street=river, pot=5, stack=9, bet=a, raise_='')", "a9f", -1, 2.5),
    "half of it and the stake": ("spot_betting(street=river, pot=5, stack=9, bet=a, raise_='')", "a9c", 1, -11.5),
}

# betting; decisions, folds and showdowns by street
COUNTS = {
    "ms3f1t1r1h5": (
        "nolimit(stack=162, blinds='1 2', bet='100%', raise_='100%', cap=1)",
        ((4, 12, 36, 108), (3, 6, 18, 54), (0, 0, 0, 81))),
    "limit hold'em": ("limit", ((8, 70, 630, 5670), (7, 8 * 7, 8 * 63, 8 * 567), (0, 0, 0, 9 * 567))),
    "no-limit preflop hold'em": (
        "nolimit(stack=20000, blinds='50 100', bet='', raise_='100%,a', streets=1)", ((20,), (19,), (19,))),
    "later sizes only": (
        "nolimit(stack=10000000, blinds='50 100', bet='100%,200%', preflop={'raise_': '2bb,4bb'}, increasing=True)",
        ((8, 8 * 7, 8 * 7**2, 8 * 7**3), (7, 6 * 7, 6 * 7**2, 6 * 7**3), (0, 0, 0, 7**4))),
    "push or fold": ("nolimit(stack=20, bet='', raise_=a, cap=1, streets=1)", ((4,), (3,), (3,))),
}  # fmt: skip


# betting with few lines, many of them to the same chips: counted line by line
COUNTED = {
    "caps count bets": "nolimit(stack=90, blinds='5 10', bet='10c', raise_='10c,20c', cap=4, streets=2)",
    "geometric raises count bets": "nolimit(stack=70, blinds='5 10', bet='10c', raise_='10c,20c,3e', streets=2)",
    "donk bets differ": "nolimit(stack=60, blinds='5 10', bet='10c', raise_='10c,20c', donk_='20c,30c', cap=2)",
    "later sizes by line": "nolimit(stack=60, blinds='5 10', bet='10c,20c,30c', increasing=True, streets=3)",
    "nothing matters": "nolimit(stack=50, blinds='5 10', bet='10c', raise_='10c,20c', streets=3)",
}


def betting(text):
    """The betting that a string names."""
    structures = importlib.import_module("mccfr.betting.structures")
    grammar = importlib.import_module("mccfr.grammar")
    call = grammar.parse_call(text)
    kinds = {kind.name: kind for kind in (structures.Limit, structures.NoLimit, structures.SpotBetting)}
    return kinds[call.name](*call.args, **call.keys)


def spot(name):
    """The betting of a spot's file."""
    structures = importlib.import_module("mccfr.betting.structures")
    said = dict(row.split("=", 1) for row in (SPOTS / f"{name}.spot").read_text().splitlines())
    return structures.SpotBetting(
        street=BOARDS[len(said["board"].split())],
        pot=int(said["pot"]),
        stack=int(said["stack"]),
        bet=said["bet"],
        raise_=said["raise"],
        add_allin=float(said["add_allin"]),
        force_allin=float(said["force_allin"]),
        merge=float(said["merge"]),
    )


def reference_rows(name):
    """The tree of a spot as the other solver wrote it."""
    return (SPOTS / f"{name}.tree").read_text().splitlines()


def amounts_of(text, facing, least, thresholds):
    """What comes of sizes."""
    sizes = importlib.import_module("mccfr.betting.sizes")
    shares = sizes.Thresholds(*map(sizes.Fraction, thresholds))
    return sizes.amounts(sizes.parse_sizes(text, facing[1] > 0), sizes.Facing(*facing), least, shares)


def offered(text, line):
    """The moves after a line."""
    rules = betting(text)
    return ", ".join(map(str, rules.moves(rules.at(line))))


def gained(text, line, winner):
    """What player 0 gains at the end of a line."""
    rules = betting(text)
    return rules.payoffs(rules.at(line), winner)[0]


def every_line(rules, s=None):
    """How many nodes there are, line by line."""
    s = rules.root() if s is None else s
    return 1 + sum(every_line(rules, rules.play(s, move)) for move in rules.moves(s))


def counted_twice(text):
    """The nodes of a tree that are counted, and those that there are."""
    sizes = importlib.import_module("mccfr.betting.tree_size")
    return sizes.tree_size(betting(text)).nodes - every_line(betting(text))


def wrong():
    """The names of all examples that come out wrong."""
    flat_tree = importlib.import_module("mccfr.betting.flat_tree")
    counting = importlib.import_module("mccfr.betting.tree_size")
    checks = {
        **{name: (amounts_of, given, right) for name, (*given, right) in AMOUNTS.items()},
        **{name: (offered, given, right) for name, (*given, right) in OFFERS.items()},
        **{name: (gained, given, right) for name, (*given, right) in PAYOFFS.items()},
        **{
            name: (lambda text: tuple(counting.tree_size(betting(text))), [text], right)
            for name, (text, right) in COUNTS.items()
        },
        **{name: (counted_twice, [text], 0) for name, text in COUNTED.items()},
        **{
            name: (lambda name: list(flat_tree.build_tree(spot(name)).rows()), [name], reference_rows(name))
            for name in ("river_std", "turn_pa")
        },
    }
    return [name for name, (look, given, right) in checks.items() if comes_to(look, *given) != right]
