"""Exact best responses with every card to opponents who do not look at theirs, by another way: a check of --real.

python benchmarks/blind_opponents.py                       limit hold'em on the full deck: fold, call, uniform
python benchmarks/blind_opponents.py --ranks 4 --suits 3 --flop 2

Whoever plays without looking tells nothing by moving, so the other hand is always any hand that is left, and what a
hand is worth on a street depends on the line only through the chips in the pot. There are a few pots in place of 567
lines:

    river   a hand that beats w and loses to l of n hands has the edge (w - l) / n; the betting is solved for every edge
    turn    the mean over the rivers that can come, for each pot, then the betting; the flop likewise
    preflop the mean over flops for each of the hand classes, then the betting

Nothing of the package takes part but the strength of seven cards. Flops that differ by an exchange of suits are done
once; turns and rivers are all dealt.
"""

import argparse
import functools
import itertools
import math
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from mccfr.cards.evaluator import deck_hands
from mccfr.kernel.hand_strengths import look_up

Floats = npt.NDArray[np.float64]
Values = Callable[[int, int], Floats]  # of a street and the chips that each player has put in, what the street is worth
Tell = Callable[[int, int], None]  # how many flops are done, and of how many
BLINDS, BETS, CAPS = (1, 2), (2, 2, 4, 4), (4, 4, 4, 4)  # of the caps, the big blind is one bet
DEALER, BLIND = 0, 1


class Deck(NamedTuple):
    """A deck, and how many cards the flop has; turn and river have one."""

    ranks: int = 13
    suits: int = 4
    flop: int = 3

    @property
    def cards(self) -> int:
        return self.ranks * self.suits


# ---- betting, written out once more


def moves(paid: tuple[int, int], bets: int, cap: int, mover: int) -> list[str]:
    """What a player may do."""
    behind = paid[mover] < paid[1 - mover]
    return (["fold", "call"] if behind else ["check"]) + ["raise"] * (bets < cap)


def likely(opponent: str, menu: list[str]) -> list[float]:
    """How likely the opponent makes each move."""
    if opponent == "uniform":
        return [1.0 / len(menu)] * len(menu)
    wanted = next(move for move in (opponent, "check", "call") if move in menu)
    return [float(move == wanted) for move in menu]


def worth(
    opponent: str, me: int, street: int, paid: tuple[int, int], mover: int, bets: int, acted: bool, after: Values
) -> Floats:
    """What a best response of `me` gets from here on, for all hands at once. acted: whether a check ends the street."""
    menu = moves(paid, bets, CAPS[street], mover)
    found = []
    for move in menu:
        put = list(paid)
        if move == "fold":
            found.append(np.asarray(paid[mover] * (1.0 if mover != me else -1.0)))
            continue
        if move in ("call", "check"):
            put[mover] = paid[1 - mover]
            ends = acted or (move == "call" and not (street == 0 and paid == BLINDS))
        else:
            put[mover], ends = paid[1 - mover] + BETS[street], False
        there = put[0], put[1]
        if ends:
            found.append(after(street, there[0]))
        else:
            more = bets + (move == "raise")
            found.append(worth(opponent, me, street, there, 1 - mover, more, True, after))
    if mover != me:
        return functools.reduce(np.add, [p * x for p, x in zip(likely(opponent, menu), found)])
    return functools.reduce(np.maximum, found)


def pots(street: int) -> list[int]:
    """What each player may have put in when a street begins."""
    found = {BLINDS[1] + BETS[0] * k for k in range(CAPS[0])}
    for before in range(1, street):
        found = {pot + BETS[before] * k for pot in found for k in range(CAPS[before] + 1)}
    return sorted(found)


def street_worth(opponent: str, me: int, street: int, pot: int, after: Values) -> Floats:
    """What a street is worth when it begins with so many chips of each player; the big blind moves first."""
    return worth(opponent, me, street, (pot, pot), BLIND, 0, False, after)


# ---- cards


@numba.njit(nogil=True)
def edges(table, words, bits, low, high, board, strength, order, below, same, out):
    """out[h]: how many hands h beats less how many beat it on a board, of those that share no card with it."""
    total, on_board = np.uint64(0x3333_0000_0000), np.uint64(0)
    for card in board:
        total += words[card]
        on_board |= bits[card]
    count = 0
    for h in range(len(low)):
        held = bits[low[h]] | bits[high[h]]
        strength[h] = -1
        if not held & on_board:
            strength[h] = look_up(table, total + words[low[h]] + words[high[h]], on_board | held)
            order[count] = h
            count += 1
    ranked = order[:count][np.argsort(strength[order[:count]])]
    below[:] = 0
    with_card = np.zeros(len(words), np.int64)
    for h in ranked:
        with_card[low[h]] += 1
        with_card[high[h]] += 1
    begin = 0
    while begin < count:
        end = begin
        while end < count and strength[ranked[end]] == strength[ranked[begin]]:
            same[low[ranked[end]]] += 1
            same[high[ranked[end]]] += 1
            end += 1
        for k in range(begin, end):
            h, a, b = ranked[k], low[ranked[k]], high[ranked[k]]
            everybody = begin - (count - end)
            blocked = 2 * (below[a] + below[b]) + same[a] + same[b] - with_card[a] - with_card[b]
            out[h] = everybody - blocked
        for k in range(begin, end):
            for card in (low[ranked[k]], high[ranked[k]]):
                below[card] += 1
                same[card] -= 1
        begin = end


@numba.njit(nogil=True)
def all_edges(table, words, bits, low, high, flop, rest, out):
    """out[pair of cards, hand] on all boards that a flop can come to."""
    board = np.zeros(len(flop) + 2, np.int64)
    board[: len(flop)] = flop
    strength, order = np.zeros(len(low), np.int64), np.zeros(len(low), np.int64)
    below, same = np.zeros(len(words), np.int64), np.zeros(len(words), np.int64)
    pair = 0
    for j in range(len(rest)):
        for k in range(j):
            board[len(flop)], board[len(flop) + 1] = rest[j], rest[k]
            edges(table, words, bits, low, high, board, strength, order, below, same, out[pair])
            pair += 1


@numba.njit(nogil=True)
def mean_over_rivers(edge, j, rest, low, high, most, solved, out):
    """out[hand, pot]: the mean, over the cards that can come after turn card j, of what the river is worth."""
    out[:] = 0.0
    for k in range(len(rest)):
        if k == j:
            continue
        pair = j * (j - 1) // 2 + k if k < j else k * (k - 1) // 2 + j
        for h in range(len(low)):
            if low[h] != rest[k] and high[h] != rest[k]:
                out[h] += solved[edge[pair, h] + most]
    out /= len(rest) - 3.0  # without the turn card and the hand's two


class Cards:
    """The boards that a flop can come to, with the edge of every hand on each."""

    def __init__(self, deck: Deck) -> None:
        self.deck, self.hands = deck, deck_hands(deck.flop + 2, deck.ranks, deck.suits)
        self.low, self.high = (np.asarray(x, np.int64) for x in (self.hands.low, self.hands.high))
        self.most = math.comb(deck.cards - deck.flop - 4, 2)  # hands that the opponent may have on the river

    def see(self, flop: tuple[int, ...]) -> None:
        """Look at another flop."""
        self.rest = np.array([card for card in range(self.deck.cards) if card not in flop])
        self.edge = np.zeros((math.comb(len(self.rest), 2), len(self.low)), np.int64)
        words = self.hands.word, self.hands.bit
        all_edges(self.hands.table, *words, self.low, self.high, np.array(flop), self.rest, self.edge)


class Response:
    """What every hand is worth against an opponent when a flop lies there, for each pot with which the flop begins."""

    def __init__(self, cards: Cards, opponent: str, me: int) -> None:
        self.cards, self.opponent, self.me = cards, opponent, me
        self.pots = [pots(street) for street in range(4)]
        edge = np.arange(-cards.most, cards.most + 1) / cards.most
        showdown: Values = lambda street, pot: pot * edge  # noqa: E731
        self.solved = np.stack([street_worth(opponent, me, 3, pot, showdown) + 0 * edge for pot in self.pots[3]], 1)

    def worth(self) -> Floats:
        """[pots, hands]; nothing of hands that share a card with the flop is meant."""
        cards, hands = self.cards, len(self.cards.low)
        turns, rivers = np.zeros((len(self.pots[2]), hands)), np.zeros((hands, len(self.pots[3])))
        for j, card in enumerate(cards.rest):
            mean_over_rivers(cards.edge, j, cards.rest, cards.low, cards.high, cards.most, self.solved, rivers)
            by_pot = dict(zip(self.pots[3], np.ascontiguousarray(rivers.T)))
            there = (cards.low != card) & (cards.high != card)
            for k, pot in enumerate(self.pots[2]):
                worth = street_worth(self.opponent, self.me, 2, pot, lambda street, pot: by_pot[pot])  # noqa: B023
                turns[k] += np.where(there, worth, 0.0)
        turns /= len(cards.rest) - 2.0
        later = dict(zip(self.pots[2], turns))
        worths = [street_worth(self.opponent, self.me, 1, pot, lambda street, pot: later[pot]) for pot in self.pots[1]]
        return np.stack([each + 0 * turns[0] for each in worths])

    def before(self, flops: Floats, size: npt.NDArray[np.int64]) -> float:
        """What the hand is worth before the flop, of which flops are worth so much: [pots, classes]."""
        by_pot = dict(zip(self.pots[1], flops))
        found = worth(self.opponent, self.me, 0, BLINDS, DEALER, 1, False, lambda street, pot: by_pot[pot])
        return float(size @ (found + 0 * flops[0]) / size.sum())


def kinds_of_flops(deck: Deck) -> dict[tuple[int, ...], int]:
    """One flop of each kind, and how many there are."""
    found: dict[tuple[int, ...], int] = {}
    exchanges = list(itertools.permutations(range(deck.suits)))
    for flop in itertools.combinations(range(deck.cards), deck.flop):
        least = min(
            tuple(sorted(card // deck.suits * deck.suits + suits[card % deck.suits] for card in flop))
            for suits in exchanges
        )
        found[least] = found.get(least, 0) + 1
    return found


def best_responses(
    deck: Deck, opponents: Sequence[str], tell: Tell = lambda done, of: None
) -> list[tuple[float, float]]:
    """What best responses with every card get from each opponent, in chips, as dealer and as big blind."""
    cards, kinds = Cards(deck), kinds_of_flops(deck)
    responses = [Response(cards, opponent, me) for opponent in opponents for me in (DEALER, BLIND)]
    classes, where = np.unique([_class_of(deck, a, b) for a, b in zip(cards.low, cards.high)], return_inverse=True)
    sums = np.zeros((len(responses), len(pots(1)), len(classes)))
    for done, (flop, copies) in enumerate(kinds.items(), 1):
        free = ~(np.isin(cards.low, flop) | np.isin(cards.high, flop))
        cards.see(flop)
        for r, response in enumerate(responses):
            for k, values in enumerate(response.worth()):
                sums[r, k] += copies * np.bincount(where[free], values[free], len(classes))
        tell(done, len(kinds))
    size = np.bincount(where)
    sums /= size * math.comb(deck.cards - 2, deck.flop)
    found = [response.before(flops, size) for response, flops in zip(responses, sums)]
    return list(zip(found[::2], found[1::2]))


def _class_of(deck: Deck, low: int, high: int) -> int:
    """Both ranks, and whether the suits are the same."""
    one, other = sorted((low // deck.suits, high // deck.suits))
    return (one * deck.ranks + other) * 2 + (low % deck.suits == high % deck.suits)


def main() -> None:
    """All opponents, both seats."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("opponents", nargs="*", default=["fold", "call", "uniform"])
    parser.add_argument("--ranks", type=int, default=13)
    parser.add_argument("--suits", type=int, default=4)
    parser.add_argument("--flop", type=int, default=3)
    given = parser.parse_args()
    began = time.process_time()

    def tell(done: int, of: int) -> None:
        if done % 50 == 0:
            print(f"   {done:,} of {of:,} flops, {time.process_time() - began:.0f} CPU s", flush=True)

    found = best_responses(Deck(given.ranks, given.suits, given.flop), given.opponents, tell)
    for opponent, (dealer, blind) in zip(given.opponents, found):
        mbb = 1000 * (dealer + blind) / 2 / BLINDS[1]
        print(f"{opponent}: {dealer:.6f} chips as dealer, {blind:.6f} as big blind, {mbb:.4f} mbb/g", flush=True)
    print(f"{time.process_time() - began:.0f} CPU s")


if __name__ == "__main__":
    main()
