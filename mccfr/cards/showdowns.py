"""Counting who wins: every hole hand against every other over all boards, exactly.

Two boards that differ only by an exchange of suits have the same showdowns with suits exchanged. So one board of each
kind is looked at (134,459 of 2,598,960), all hands are ranked on it and compared with all others, and the counts are
averaged over the 24 permutations of the suits afterwards.
"""

import concurrent.futures
import itertools
import math
import os
import threading
from collections import Counter
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from mccfr.cards.deck import HANDS, PERMUTED_HANDS, disjoint
from mccfr.cards.evaluator import rank_hands_into, table
from mccfr.kernel.hand_strengths import add_wins

SUIT_SIZES = ((5,), (4, 1), (3, 2), (3, 1, 1), (2, 2, 1), (2, 1, 1, 1))  # how five cards spread over suits
CHUNK = 256  # boards whose ranks stay in the processor's cache together; a multiple of STRIDE
UNBEATEN = np.int16(32767)

Boards = npt.NDArray[np.uint8]
Progress = Callable[[float], None]


def board_kinds() -> dict[int, Boards]:
    """One board of each kind [boards, 5], by how many boards are of that kind."""
    found: dict[int, list[list[int]]] = {}
    for sizes in SUIT_SIZES:
        groups = [
            itertools.combinations_with_replacement(list(itertools.combinations(range(13), size)), sizes.count(size))
            for size in sorted(set(sizes), reverse=True)
        ]
        for choice in itertools.product(*groups):
            suits = list(itertools.chain(*choice))
            alike = [*Counter(suits).values(), 4 - len(suits)]  # exchanging these suits leaves the board as it is
            copies = 24 // math.prod(map(math.factorial, alike))
            found.setdefault(copies, []).append([4 * rank + s for s, ranks in enumerate(suits) for rank in ranks])
    return {copies: np.array(boards, np.uint8) for copies, boards in found.items()}


def _add_boards(boards: Boards, copies: int, wins: npt.NDArray[np.int32]) -> None:
    """Add the wins on these boards. A hand that a board blocks neither beats nor is beaten."""
    attack = np.full((CHUNK, HANDS), -1, np.int16)
    for board, ranks in zip(boards, attack):
        rank_hands_into(board, ranks)
    defend = np.where(attack < 0, UNBEATEN, attack)
    add_wins(attack, defend, np.int32(copies), np.empty(HANDS, np.int16), wins)


def count_wins(progress: Progress = lambda share: None, threads: int | None = None) -> npt.NDArray[np.int32]:
    """[1326, 1326] on how many of the 1,712,304 boards the first hand beats the second; 0 where they share a card.

    `progress` is told the share done so far, in the calling thread. About five seconds on two cores.
    """
    table(7)  # made here once, not by every thread
    chunks = [
        (boards[j : j + CHUNK], copies)
        for copies, boards in board_kinds().items()
        for j in range(0, len(boards), CHUNK)
    ]
    local, sums = threading.local(), []

    def work(chunk: tuple[Boards, int]) -> None:
        if not hasattr(local, "wins"):
            local.wins = np.zeros((HANDS, HANDS), np.int32)
            sums.append(local.wins)
        _add_boards(*chunk, local.wins)

    with concurrent.futures.ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        try:
            for done, _ in enumerate(pool.map(work, chunks), start=1):
                progress(done / len(chunks))
        except BaseException:  # an interrupt need not wait for the other chunks
            pool.shutdown(cancel_futures=True)
            raise
    return _over_suits(np.sum(sums, axis=0))


def _over_suits(wins: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """The mean over all permutations of the suits: from one board of each kind, weighted, to all boards.

    Hands that share a card are both alive on a board, but never both dealt.
    """
    total = np.zeros((HANDS, HANDS), np.int64)
    for permuted in PERMUTED_HANDS:
        total += wins[np.ix_(permuted, permuted)]
    return np.where(disjoint(), total // len(PERMUTED_HANDS), 0).astype(np.int32)
