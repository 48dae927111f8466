"""Equities by the definitions, pair by pair and board by board: what the tests compare with, and what finds bugs.

Shares with the package only the numbering of cards and hands.
"""

import contextlib
import importlib
import itertools
import os
from collections import Counter
from pathlib import Path

import numpy as np

EXAMPLES = [  # ranks, suits, cards at the showdown, board, two ranges
    (4, 3, 3, "", "55+,43s:0.5,5d4h,32:0.25", "all"),
    (3, 3, 3, "", "all", "4c3d,33:0.5,4h2h"),
    (4, 3, 3, "3c", "5c4c,5d4d:0.5,2h2d,3h3d", "44,33,5h4h:0.1,5c2c"),
    (4, 3, 4, "3c 2d 5h", "all", "55,4h3h:0.7,22"),
    (4, 3, 3, "4c 2d 3h", "all:0.3", "54,53:0.9,42s"),
    (6, 2, 5, "2c 3c 5d 7d", "all", "76,66,54s:0.5"),
]


def slow_value(five):
    """Five cards (rank, suit) by the rule book: category, then ranks by how many there are and how high."""
    ranks = Counter(rank for rank, _ in five)
    order = sorted(ranks, key=lambda rank: (ranks[rank], rank), reverse=True)
    shape = sorted(ranks.values(), reverse=True)
    straight = len(ranks) == 5 and max(ranks) - min(ranks) == 4
    if sorted(ranks) == [0, 1, 2, 3, 12]:
        straight, order = True, [3, 2, 1, 0, -1]
    flush = len({suit for _, suit in five}) == 1
    if straight and flush:
        return 8, order
    if shape in ([4, 1], [3, 2]):
        return (7 if shape == [4, 1] else 6), order
    if flush or straight:
        return (5 if flush else 4), order
    return {(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(tuple(shape), 0), order


def naive(weights, board, showdown, ranks, suits):
    """{hand: (HS, E[HS], E[HS^2], P(win), P(tie), weight)} of every hand against a range of these weights."""
    cards = range(ranks * suits)
    hands = [(low, high) for high in cards for low in range(high)]
    chances, after = {}, [card for card in cards if card not in board]
    for more in itertools.combinations(after, showdown - len(board)):
        for hand, chance in on_one_board(hands, weights, (*board, *more), suits).items():
            chances.setdefault(hand, []).append(chance)
    now = on_one_board(hands, weights, board, suits) if len(board) >= 3 else {}
    found = {}
    for hand, parts in chances.items():
        dealt = sum(weight for _, _, weight in parts)
        if dealt:
            mean = sum(win + tie / 2 for win, tie, _ in parts) / dealt
            square = sum((win + tie / 2) ** 2 / weight for win, tie, weight in parts if weight) / dealt
            win, tie = (sum(part[j] for part in parts) / dealt for j in (0, 1))
            beside = sum(w for w, other in zip(weights, hands) if not {*other} & {*hands[hand], *board})
            strength = (now[hand][0] + now[hand][1] / 2) / now[hand][2] if hand in now else None
            found[hand] = (strength, mean, square, win, tie, beside)
    return found


def on_one_board(hands, weights, board, suits):
    """{hand: weights of what it beats, what it splits with, and what it can meet} on one board."""
    live = [number for number, hand in enumerate(hands) if not {*hand} & {*board}]
    value = {}
    for number in live:
        held = [(card // suits, card % suits) for card in (*hands[number], *board)]
        value[number] = max(slow_value(five) for five in itertools.combinations(held, 5))
    found = {}
    for one in live:
        others = [other for other in live if weights[other] and not {*hands[one]} & {*hands[other]}]
        win = sum(weights[other] for other in others if value[one] > value[other])
        tie = sum(weights[other] for other in others if value[one] == value[other])
        found[one] = (win, tie, sum(weights[other] for other in others))
    return found


def parsed(text, ranks, suits):
    return importlib.import_module("mccfr.cards.ranges").Range.parse(text, ranks, suits)


def board_of(text, ranks, suits):
    return importlib.import_module("mccfr.cards.boards").parse_board(text, range(6), ranks, suits)


def close(one, other):
    return abs(one - other) < 1e-9


def value_faults(ranks, suits, showdown, board, text):
    """Hands whose HS, E[HS], E[HS^2] or weight are not those of the definitions."""
    module = importlib.import_module("mccfr.cards.hand_value")
    given = parsed(text, ranks, suits)
    found = module.hand_values(given, board, showdown)
    expected = naive(given.without(board).weights.tolist(), board_of(board, ranks, suits), showdown, ranks, suits)
    wrong = []
    for hand in range(len(given.weights)):
        got = [float(values[hand]) for values in found]
        if hand not in expected:
            wrong += [hand] * (got[1] == got[1])  # what cannot be dealt has NaN
            continue
        strength, mean, square, _, _, beside = expected[hand]
        same_now = got[0] != got[0] if strength is None else close(got[0], strength)
        if not (same_now and close(got[1], mean) and close(got[2], square) and close(got[3], beside)):
            wrong.append(hand)
    return wrong


def equity_faults(ranks, suits, showdown, board, texts):
    """What is wrong with the equity of two ranges: of hands, and of the whole."""
    module = importlib.import_module("mccfr.cards.range_equity")
    ranges = [parsed(text, ranks, suits) for text in texts]
    found = module.equity(*ranges, board, showdown)
    held = [each.without(board).weights.tolist() for each in ranges]
    wrong = []
    for player in (0, 1):
        expected = naive(held[1 - player], board_of(board, ranks, suits), showdown, ranks, suits)
        total, won = 0.0, 0.0
        for hand, (_, _, _, win, tie, beside) in expected.items():
            weight = held[player][hand] * beside
            total, won = total + weight, won + weight * (win + tie / 2)
            got = found.win_by_hand[player, hand], found.tie_by_hand[player, hand]
            if weight and not (close(got[0], win) and close(got[1], tie)):
                wrong.append((player, hand))
        share = found.share(player)
        if not (close(share.equity, won / total) and close(share.weight, total)):
            wrong.append((player, "all"))
        if not close(found.combos[player], sum(held[player])):
            wrong.append((player, "combos"))
    return wrong


def order_faults(board, ranks, suits):
    """What is wrong with strengths and order of the hands of a deck on a board."""
    evaluator = importlib.import_module("mccfr.cards.evaluator")
    found = evaluator.order_deck(board, ranks, suits)
    strength = evaluator.rank_deck(board, ranks, suits)
    right = sorted((int(value), hand) for hand, value in enumerate(strength) if value >= 0)
    same = [hand for _, hand in right] == found.order.tolist() and (found.strength == strength).all()
    return [] if same else ["order"]


TABLES = (
    "CARD_TABLES"  # a folder with the evaluator's tables, for interpreted programs: they need a minute to make them
)


def save_tables(folder):
    """Write the evaluator's tables for `use_tables`."""
    for size in (5, 6, 7):
        np.save(Path(folder) / f"{size}.npy", importlib.import_module("mccfr.cards.evaluator").table(size))
    os.environ[TABLES] = str(folder)


@contextlib.contextmanager
def with_tables(tmp_path_factory):
    """A block in which planted bugs find the evaluator's tables."""
    save_tables(tmp_path_factory.mktemp("tables"))
    yield


@contextlib.contextmanager
def without_cache(tmp_path_factory):
    """The same, where nothing is kept either: what the package keeps with one bug is not for another."""
    os.environ["MCCFR_CACHE"], before = "off", os.environ["MCCFR_CACHE"]
    try:
        with with_tables(tmp_path_factory):
            yield
    finally:
        os.environ["MCCFR_CACHE"] = before


def use_tables():
    """Let the evaluator take its tables from the folder, if there is one."""
    if folder := os.environ.get(TABLES):
        importlib.import_module("mccfr.cards.evaluator").table = lambda size: np.load(Path(folder) / f"{size}.npy")


def wrong():
    """The first example that comes out wrong, or raises, if one does."""
    use_tables()
    looks = [(order_faults, board, 7, 3) for board in ([0, 5, 9], [1, 2, 3, 20], [18, 19, 20, 12, 0])]
    for ranks, suits, showdown, board, one, other in reversed(EXAMPLES):
        looks.append((equity_faults, ranks, suits, showdown, board, (one, other)))
        looks.append((value_faults, ranks, suits, showdown, board, other))
    for look, *given in looks:
        try:
            if faults := look(*given):
                return [repr((look.__name__, *given, faults[:3]))]
        except Exception as error:  # a planted bug may raise anything
            return [repr(error)]
    return []
