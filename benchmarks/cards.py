"""How fast cards are evaluated, hands numbered and put in order, and equities computed.

python benchmarks/cards.py            one core for hands, all cores for the table of match-ups

The C library hand-isomorphism [Waugh 2013] takes 87 ns for the index of a river hand, measured on a machine like the
one this was written on. It is printed beside both ways to number a river: as 2 + 5 cards, and street by street.
"""

import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from mccfr.cards import equity, evaluator, hand_value, range_equity, showdowns
from mccfr.cards.deck import CARDS
from mccfr.cards.isomorphism import HandIndex
from mccfr.kernel import hand_index, hand_values

DEALS = 1_000_000
LIBRARY = 87.0  # ns, river index of the C library


def best(action: Callable[[], Any], rounds: int = 5) -> float:
    """Seconds of the fastest round; a first one, not timed, compiles."""
    action()
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        action()
        times.append(time.perf_counter() - began)
    return min(times)


def make_table() -> None:
    evaluator.strengths.cache_clear()
    evaluator.table.cache_clear()
    evaluator.table(7)


def rank_boards(boards: showdowns.Boards, out: np.ndarray) -> None:
    for board in boards:
        evaluator.rank_hands_into(board, out)


def random_sets() -> np.ndarray:
    """[deals, 7] cards, no card twice."""
    dice = np.random.default_rng(1)
    return dice.random((DEALS, CARDS), np.float32).argpartition(7, axis=1)[:, :7].astype(np.uint8)


def print_index(deals: np.ndarray) -> None:
    """Nanoseconds a hand, from cards to number and back, without the checks of the Python side."""
    for rounds in [(2, 3), (2, 4), (2, 5), (2, 3, 1), (2, 3, 1, 1)]:
        index, cards = HandIndex(rounds), np.ascontiguousarray(deals[:, : sum(rounds)])
        numbers, room = np.empty(DEALS, np.int64), index._room()
        there = best(partial(hand_index.index_hands, index.tables, cards.reshape(-1), *room, numbers)) / DEALS * 1e9
        back = best(partial(index.unindex, numbers), rounds=3) / DEALS * 1e9
        river = f"; {LIBRARY / there:.2f} times the speed of the C library ({LIBRARY:.0f} ns)"
        compared = river if sum(rounds) == 7 else ""
        print(f"index {rounds!s:22}{there:8.0f} ns there, {back:.0f} ns back{compared}")


def print_boards() -> None:
    """Microseconds a board of five cards, 1081 hands each: ranked, ordered, and summed up against a range."""
    boards = np.ascontiguousarray(showdowns.board_kinds()[24][::83][:1000])
    ranks, room = np.empty(1326, np.int16), evaluator.make_room(1326, CARDS)
    hands, times, weights = evaluator.deck_hands(5), np.ones(len(boards)), np.ones((1, 1326))
    sums = hand_values.Sums(*(np.zeros((1, 1326)) for _ in hand_values.Sums._fields))
    per_board = 1e6 / len(boards)
    ranked = best(lambda: rank_boards(boards, ranks)) * per_board
    print(f"strengths of all hands      {ranked:8.2f} us a board, a Python call each")
    ordered = best(lambda: hand_values.order_hands(hands, boards, room)) * per_board
    print(f"strengths and order         {ordered:8.2f} us a board, {ordered / 1081 * 1e3:.1f} ns a hand (goal: 15 us)")
    valued = best(lambda: hand_values.add_values(hands, boards, times, weights, room, sums)) * per_board
    print(f"and wins, ties against all  {valued:8.2f} us a board")


def print_equities() -> None:
    """Milliseconds of a whole call, every hand against every hand."""
    for board in ("Qs Jh 2h 8c 3d", "Qs Jh 2h 8c", "Qs Jh 2h"):
        both = best(partial(range_equity.equity, "all", "all", board), rounds=3) * 1e3
        values = best(partial(hand_value.hand_values, "all", board), rounds=3) * 1e3
        print(f"all v all on {board:15}{both:8.1f} ms, HS, E[HS] and E[HS^2] {values:.1f} ms")
    print(f"AKs v QQ+ before the flop   {best(lambda: range_equity.equity('AKs', 'QQ+')) * 1e3:8.1f} ms")
    print(f"AsKs v QdQh before the flop {best(lambda: range_equity.equity('AsKs', 'QdQh'), rounds=2) * 1e3:8.0f} ms")
    print(f"E[HS^2] before the flop     {best(lambda: hand_value.hand_values('all'), rounds=1):8.1f} s")


def main() -> None:
    seven = 133_784_560
    print(f"table for seven cards       {best(make_table):8.2f} s, {evaluator.table(7).nbytes / 1024:,.0f} KB")
    print(f"all sets of seven cards     {seven / best(lambda: evaluator.count_strengths(7)) / 1e6:8.0f} M/s")
    deals, out = random_sets(), np.empty(DEALS, np.int64)
    rate = DEALS / best(lambda: evaluator.evaluate_into(deals, out)) / 1e6
    print(f"random sets of seven cards  {rate:8.0f} M/s")
    print_index(deals)
    print_boards()
    print_equities()
    alone = best(lambda: showdowns.count_wins(threads=1), rounds=1)
    together = best(showdowns.count_wins, rounds=3)
    print(f"all match-ups, all boards   {alone:8.1f} s on one thread, {together:.1f} s on {os.cpu_count()}")
    print(f"table of classes, loaded    {best(lambda: equity.load(equity.SHIPPED, 169)) * 1e3:8.1f} ms")


if __name__ == "__main__":
    main()
