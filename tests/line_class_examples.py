"""Classes of betting lines, by count and by a slow classifier that reads lines as text.

What the tests look at, and what finds planted bugs.
"""

import importlib
import re

MOVE = re.compile(r"[fkc]|[bra]\d+|/")
RULES = {  # a structure, its parameters, and where it is plain how many classes each street has
    "limit": ("Limit", {"streets": 2}, (8, 4 * 10)),  # who raised before the flop, times ten lines
    "limit, one bet": ("Limit", {"cap": 1}, (4, 3 * 4, 6 * 4, 10 * 4)),
    "two streets, one size": ("NoLimit", {"stack": 12, "bet": "100%", "raise_": "100%", "streets": 2}, ()),
    "the same moves, other menus": (
        "NoLimit",
        {"stack": 14, "bet": "50%,100%", "raise_": "50%,100%", "streets": 2},
        (),
    ),
    "three sizes": ("NoLimit", {"stack": 20, "bet": "50%,100%,a", "raise_": "100%,a", "streets": 3}, ()),
}


def betting(name):
    structures = importlib.import_module("mccfr.betting.structures")
    kind, parameters, _ = RULES[name]
    return getattr(structures, kind)(**parameters)


def slow_class(rules, line):
    """Street, mover, moves of the street by place, how often each raised earlier, and the menu, from a line's text."""
    streets, raised, prefix = [[]], [set(), set()], ""
    for text in MOVE.findall(line):
        if text == "/":
            streets.append([])
        else:
            state = rules.at(prefix)
            offered = [move.text for move in rules.moves(state)]
            sized = [move for move in offered if move[0] in "bra"]
            streets[-1].append((text[0], sized.index(text) if text in sized else None))
            if text in sized:
                raised[state.mover].add(state.street)
        prefix += text
    state = rules.at(line)
    earlier = [len({street for street in some if street < state.street}) for some in raised]
    mover = state.mover
    menu = "".join(move.text[0] for move in rules.moves(state))
    return state.street, mover, tuple(streets[-1]), earlier[mover], earlier[1 - mover], menu


def partition(keys):
    """Which places have the same key."""
    found = {}
    for place, key in enumerate(keys):
        found.setdefault(key, []).append(place)
    return sorted(map(tuple, found.values()))


def wrong():
    """Rules whose classes the package that is importable right now has wrong."""
    lines = importlib.import_module("mccfr.betting.line_classes")
    build_tree = importlib.import_module("mccfr.betting.flat_tree").build_tree
    found = []
    for name, (_, _, counts) in RULES.items():
        rules = betting(name)
        tree = build_tree(rules)
        numbers = lines.forgetful_classes(tree).tolist()
        nodes = [node for node in range(len(tree.kind)) if tree.kind[node] >= 0]
        slow = [slow_class(rules, tree.line(node)) for node in nodes]
        if partition([(tree.kind[node], numbers[node]) for node in nodes]) != partition(slow):
            found.append(name)
        every = lines.all_line_classes(rules)
        if counts and tuple(sum(c.street == street for c in every) for street in range(rules.streets)) != counts:
            found.append(f"{name}: counts")
    return found
