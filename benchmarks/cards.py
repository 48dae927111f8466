"""How fast cards are evaluated and match-ups counted.

python benchmarks/cards.py            one core for hands, all cores for the table of match-ups
"""

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from mccfr.cards import equity, evaluator, showdowns
from mccfr.cards.deck import CARDS

DEALS = 1_000_000


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


def main() -> None:
    seven = 133_784_560
    print(f"table for seven cards       {best(make_table):8.2f} s, {evaluator.table(7).nbytes / 1024:,.0f} KB")
    print(f"all sets of seven cards     {seven / best(lambda: evaluator.count_strengths(7)) / 1e6:8.0f} M/s")
    deals, out = random_sets(), np.empty(DEALS, np.int64)
    rate = DEALS / best(lambda: evaluator.evaluate_into(deals, out)) / 1e6
    print(f"random sets of seven cards  {rate:8.0f} M/s")
    boards, ranks = showdowns.board_kinds()[24][:1000], np.empty(1326, np.int16)
    print(f"all hands on one board      {best(lambda: rank_boards(boards, ranks)) * 1e3:8.2f} us")
    alone = best(lambda: showdowns.count_wins(threads=1), rounds=1)
    together = best(showdowns.count_wins, rounds=3)
    print(f"all match-ups, all boards   {alone:8.1f} s on one thread, {together:.1f} s on {os.cpu_count()}")
    print(f"table of classes, loaded    {best(lambda: equity.load(equity.SHIPPED, 169)) * 1e3:8.1f} ms")


if __name__ == "__main__":
    main()
