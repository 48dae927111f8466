"""Classes of hands, by example and by a slow classifier that goes through sets of five cards.

What the tests look at, and what finds planted bugs.
"""

import functools
import importlib
import itertools
import random
from collections import Counter

RANKS, SUITS = "23456789TJQKA", "cdhs"

EXAMPLES = {  # hole cards and board: the label
    # ---- made hands
    "7c2d Ks9d4h": "high-card|dry",
    "Qc5d KsJd3h": "high-card|dry",
    "Ac2d Ks9d4h": "ace-high|dry",
    "Ac2d KsKdKh": "ace-high|twice-paired",  # the kings are the board's
    "Qc2d KsKdKh": "high-card|twice-paired",
    "Ac4d Ks9s4h": "bottom-pair|dry",
    "4c4d Ks9d5h": "bottom-pair|dry",
    "Ac9d Ks9h4h": "middle-pair|dry",
    "TcTd Ks9h4h": "middle-pair|dry",
    "QcQd Ks9h4h2c": "middle-pair|dry",
    "4c2d Ks9d4h2h": "two-pair|dry",
    "Kc4d Ks9h5h": "top-pair-weak|dry",
    "KcTd Ks7h2h": "top-pair-weak|dry",  # A, Q and J would be better
    "KcJd Ks7h2h": "top-pair-good|dry",
    "KcQd Ks7h2h": "top-pair-good|dry",
    "AcTc Ts5s2h": "top-pair-good|dry",  # both of the paper's
    "AcJc Js5s2h": "top-pair-good|dry",
    "Tc9c Ts5s2h": "top-pair-weak|dry",
    "AcQd As7h2h": "top-pair-good|dry",
    "AcJd As7h2h": "top-pair-good|dry",
    "AcTd As7h2h": "top-pair-weak|dry",
    "AcAd Ks9h4h": "overpair|dry",
    "AcAd KsKh9h": "overpair|paired",  # two pair by the rules of the game, but one of them is the board's
    "7c5d KsKh7h": "bottom-pair|paired",
    "Kc9d Ks9h4h": "two-pair|dry",
    "KcKd Ks9h4h": "set|dry",
    "Kc4d KsKh9h": "trips|paired",
    "QcTd KsJh9h": "straight|3-close",
    "Ac2d 3s4h5h": "straight|3-close",
    "2c7d 3s4h5d6h": "straight|4-close",
    "2c2d 3s4h5d6h7c": "bottom-pair|4-close",  # the straight is the board's, and the deuce does not lengthen it
    "8c2d 3s4h5d6h7c": "straight|4-close",
    "Ah2h Kh9h4h": "flush|3-suited",
    "Ah2c Kh9h5h3h": "flush|4-suited",
    "Ac2c Kh9h7h4h2h": "bottom-pair|4-suited",  # the flush is the board's
    "Ah2c Kh9h7h4h3h": "flush|4-suited-3-close",
    "KcKd KsJhJc": "full-house-or-better|paired",
    "KcJd KsKhJc": "full-house-or-better|paired",
    "KcKd KsKh9c": "full-house-or-better|paired",
    "Kc2d KsKhKd": "full-house-or-better|twice-paired",
    "7c7d KsKhKd": "full-house-or-better|twice-paired",
    "AcQd KsKhKd7c7h": "ace-high|twice-paired",
    "AhTh KhQhJh": "full-house-or-better|3-suited-3-close",
    "Ah2h 3h4h5h": "full-house-or-better|3-suited-3-close",
    "2h9h 3h4h5h6h7h": "flush|4-suited-4-close",  # the straight flush is the board's
    "8h9c 3h4h5h6h7h": "full-house-or-better|4-suited-4-close",
    # ---- boards
    "Ac2d 9s9d8s8d": "ace-high|twice-paired",
    "Ac2d 9s9d9h": "ace-high|twice-paired",
    "Ac2d 9s7d5h": "ace-high|3-close",
    "Ac2d Qs9d8h": "ace-high|3-close",
    "Kc7d As2d3h": "high-card|3-close",  # the ace is low as well
    "Ac2d Qs9d8hTc": "ace-high|4-close",
    "Kc2d QsJs9s8s": "high-card|4-suited-4-close|gutshot",
    "Ac2d Ks9s5s": "ace-high|3-suited",
    "Kc2d QsJsTs": "high-card|3-suited-3-close|open-ended",
    # ---- draws
    "9c8c 7h6s2d": "high-card|dry|open-ended",
    "9c8c 7h5s2d": "high-card|dry|gutshot",
    "Ac3c 4h5sKd": "ace-high|dry|gutshot",
    "AcKc Qh9sTd8h": "ace-high|4-close|gutshot",
    "9c7c Jh8s5d": "high-card|dry|open-ended",  # two gutshots
    "Ah2h Kh9h5c": "ace-high|dry|flush-draw",
    "Ah2c Kh9h5h": "ace-high|3-suited|flush-draw",
    "Ac2c Kh9h5h4h": "ace-high|4-suited|gutshot",  # the flush draw is the board's
    "Ac7c Kh9h5h2h": "ace-high|4-suited",
    "9h8h 7h6h2d": "high-card|dry|flush-and-straight-draw",
    "9h8h 7h5h2d": "high-card|dry|flush-and-straight-draw",
    "9h8h 7h6h5d": "straight|3-close|flush-draw",  # what is made is no draw
    "9h8h 7h6h2d2c3s": "high-card|paired-3-close",  # nothing comes after the river
    "KcKd KsQh9hTc": "set|4-close",
    "Kc4d 9s8d7h6c": "high-card|4-close",  # a five or a ten would make a straight of the board's
    "5c4d 9s8d7h6c": "straight|4-close",
}
SMALL = {  # (ranks, suits): hole cards and board
    (6, 4): {
        "7c6d 5s4d3h": "straight|3-close",
        "7c2d 5s4d3h": "ace-high|3-close|gutshot",  # 2345 and a 6; there is no ace
        "6c4d 6s5d2h": "top-pair-good|3-close|gutshot",  # 7 and 5 would be better
        "6c2d 6s5d3h": "top-pair-weak|3-close|gutshot",
    },
    (5, 2): {"6c2d 6d5d3d": "top-pair-weak|3-suited-3-close|flush-and-straight-draw"},
}
DECKS = ((13, 4), (9, 4), (6, 3), (5, 2))


def cards_of(text, suits=4):
    """The numbers of cards in a deck of so many suits."""
    letters = text.replace(" ", "")
    return [suits * RANKS.index(letters[j]) + SUITS.index(letters[j + 1]) for j in range(0, len(letters), 2)]


# ---- the slow classifier: a card is (rank, suit)


def in_a_row(ranks):
    """Whether these are five ranks in a row, or A2345."""
    found = sorted(set(ranks))
    return len(found) == 5 and (found[4] - found[0] == 4 or found == [0, 1, 2, 3, 12])


def fives(hole, board):
    """Every set of five cards with a hole card in it."""
    return [five for five in itertools.combinations(hole + board, 5) if set(five) & set(hole)]


def full_house_or_better(hole, board):
    if any(sorted(Counter(rank for rank, _ in five).values()) == [2, 3] for five in fives(hole, board)):
        return True
    for suit in {suit for _, suit in hole}:
        if straight(*([card for card in some if card[1] == suit] for some in (hole, board))):
            return True
    ranks = Counter(rank for rank, _ in hole + board)
    return any(ranks[rank] == 4 for rank, _ in hole)


def straight(hole, board):
    on_board = {rank for rank, _ in board}
    new = {card for card in hole if card[0] not in on_board}
    mine = [top(five) for five in fives(hole, board) if top(five) and set(five) & new]
    return max(mine, default=0) > max(map(top, itertools.combinations(board, 5)), default=0)


def top(five):
    """The highest rank of a straight, counted from 1, or 0 of other cards."""
    ranks = sorted(rank for rank, _ in five)
    return 0 if not in_a_row(ranks) else 4 if ranks[0] == 0 and ranks[4] == 12 else ranks[4] + 1


def flush(hole, board):
    return any(len({suit for _, suit in five}) == 1 for five in fives(hole, board))


def pairs(hole, board, ranks):
    on_board = [rank for rank, _ in board]
    one, other = (rank for rank, _ in hole)
    if one == other:
        if one in on_board:
            return "set"
        return "overpair" if one > max(on_board) else "middle-pair" if one > min(on_board) else "bottom-pair"
    if 2 in (on_board.count(one), on_board.count(other)):
        return "trips"
    if one in on_board and other in on_board:
        return "two-pair"
    if one not in on_board and other not in on_board:
        return "ace-high" if ranks - 1 in (one, other) else "high-card"
    pair, kicker = (one, other) if one in on_board else (other, one)
    if pair == max(on_board):
        better = [rank for rank in range(ranks) if rank > kicker and rank != pair]
        return "top-pair-good" if len(better) <= 2 else "top-pair-weak"
    return "bottom-pair" if pair == min(on_board) else "middle-pair"


def look(board):
    ranks, suits = [rank for rank, _ in board], Counter(suit for _, suit in board)
    paired = sum(n - 1 for n in Counter(ranks).values())
    windows = [set(range(low, low + 5)) for low in range(9)] + [{12, 0, 1, 2, 3}]
    close = max(len(window & set(ranks)) for window in windows)
    words = [("", "paired", "twice-paired")[min(paired, 2)]]
    words.append({3: "3-suited", 4: "4-suited", 5: "4-suited"}.get(max(suits.values()), ""))
    words.append({3: "3-close", 4: "4-close", 5: "4-close"}.get(close, ""))
    return "-".join(filter(None, words)) or "dry"


def draws(hole, board, ranks, made):
    if made in ("flush", "full-house-or-better"):
        return ""
    count = Counter(suit for _, suit in hole + board)
    to_flush = any(count[suit] == 4 for _, suit in hole)
    missing = set(range(ranks)) - {rank for rank, _ in hole + board}
    outs = [] if made == "straight" else [rank for rank in missing if straight(hole, [*board, (rank, "any")])]
    if to_flush:
        return "flush-and-straight-draw" if outs else "flush-draw"
    return ("", "gutshot")[len(outs)] if len(outs) < 2 else "open-ended"


def slow_label(cards, ranks, suits, last):
    """The label of two hole cards and a board."""
    hole, board = ([divmod(card, suits) for card in some] for some in (cards[:2], cards[2:]))
    if full_house_or_better(hole, board):
        made = "full-house-or-better"
    elif flush(hole, board):
        made = "flush"
    else:
        made = "straight" if straight(hole, board) else pairs(hole, board, ranks)
    draw = "" if last else draws(hole, board, ranks, made)
    return "|".join(filter(None, (made, look(board), draw)))


@functools.cache
def kept_label(cards, ranks, suits, last):
    """The same, found once for all planted bugs."""
    return slow_label(list(cards), ranks, suits, last)


def dealt(ranks, suits, street, count, seed):
    """Random hands on a street of hold'em."""
    draw = random.Random(seed)
    return [draw.sample(range(ranks * suits), 2 + (0, 3, 4, 5)[street]) for _ in range(count)]


def fit_for(ranks=13, suits=4):
    bucketing = importlib.import_module("mccfr.buckets.bucketing")
    classes = importlib.import_module("mccfr.buckets.hand_classes").HandClasses()
    return bucketing.Fit(classes, bucketing.CardRules(ranks, suits), {})


def labels(fit, street, hands):
    return [fit.label(street, int(row)) for row in fit.rows_of(street, hands)]


def wrong(count=1):
    """Examples and random hands that the package that is importable right now has wrong."""
    found = []
    for (ranks, suits), examples in {(13, 4): EXAMPLES, **SMALL}.items():
        fit = fit_for(ranks, suits)
        for text, right in examples.items():
            hand = cards_of(text, suits)
            if labels(fit, len(hand) - 4, [hand]) != [right]:
                found.append(text)
    for ranks, suits in DECKS:
        fit = fit_for(ranks, suits)
        for street in (1, 2, 3):
            hands = dealt(ranks, suits, street, count, 7)
            right = [kept_label(tuple(hand), ranks, suits, street == 3) for hand in hands]
            found += [str(hand) for hand, a, b in zip(hands, labels(fit, street, hands), right) if a != b]
    return found
