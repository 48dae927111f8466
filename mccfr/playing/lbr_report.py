"""What local best response wins against a policy, with an interval: `mccfr.local_best_response`.

Every hand has dice of its own, by its number, so the result does not depend on how many processes share the work. Two
hands make a pair: both seats of one deal, local best response once with the one hand and once with the other.
"""

import dataclasses
import functools
import itertools
import math
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.jobs.process_pool import ProcessPool
from mccfr.jobs.runner import Pool, ThisProcess, run_jobs
from mccfr.jobs.statistics import Interval, mean, point
from mccfr.playing.agents import known_policy
from mccfr.playing.lbr import LocalBestResponse
from mccfr.playing.lbr_settings import LbrError, LbrSetting, make_setting
from mccfr.playing.lbr_value import drawn_value, exact_value
from mccfr.playing.policy import Policy
from mccfr.playing.table import Table

Floats = npt.NDArray[np.float64]
MILLI = 1000.0
PIECE = 50  # pairs after which progress is told
MOST_HANDS = 10**9
MOST_DEALS = 20_000  # hands times boards up to which all deals are gone through: some minutes
Watch = Callable[[int, int], None]


class LbrReport(NamedTuple):
    """What local best response wins: a lower bound on exploitability, in thousandths of a big blind a hand (mbb/g).

    Attributes:
        opponent: Who was played against.
        setting: What local best response weighed.
        mbb: The mean over both seats, with its 95 % interval by Student's t over pairs of hands.
        by_seat: The same for local best response as the big blind, and as the dealer.
        by_street: How much of the mean comes from hands that ended on each street.
        hands: How many hands were played; 0 if all deals were gone through and everything is exact.

    Examples:
        >>> from mccfr.playing.lbr_report import local_best_response
        >>> game = "holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)"
        >>> found = local_best_response(f"uniform:{game}", "fold_call", hands=None)
        >>> print(found)
        at least 210.7 mbb/g
    """

    opponent: str
    setting: str
    mbb: Interval
    by_seat: tuple[Interval, Interval]
    by_street: tuple[float, ...]
    hands: int

    def __str__(self) -> str:
        """The lower bound and, where hands were drawn, the interval of its estimate."""
        if not self.hands:
            return f"at least {self.mbb.mean:.1f} mbb/g"
        return f"at least {self.mbb.mean:.0f} mbb/g, 95 % interval {self.mbb.low:.0f} to {self.mbb.high:.0f}"

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values for JSON."""
        return {
            **{"setting": self.setting, "hands": self.hands or "all", **self.mbb.to_dict()},
            "by_seat": [each.to_dict() for each in self.by_seat],
            "by_street": list(self.by_street),
        }


def local_best_response(
    opponent: Any,
    setting: Any = "fold_call",
    hands: int | None = 2000,
    seed: int = 0,
    workers: int = 1,
    table: Table | None = None,
    watch: Watch = lambda done, of: None,
) -> LbrReport:
    """Play local best response against a known strategy, and report what it wins.

    It is a lower bound on what a best response wins, and so on exploitability; a small or negative value says nothing.

    Args:
        opponent: A policy, a strategy, or a string such as `blueprint:nolimit` or `always_fold`.
        setting: What is weighed: `fold_call`, `pot`, `grid` or `flop_grid`; `limit` for limit.
        hands: How many hands to play, half of them in each seat; None goes through all deals of a small deck.
        seed: Seed of the dice.
        workers: Processes that share the hands. The result does not depend on it.
        table: The table, for opponents that can play at any.
        watch: Told how many pairs of hands are done, and of how many.

    Returns:
        The mean in mbb/g with its interval, by seat and by street.

    Raises:
        LbrError: The setting does not fit the table, or there are too few hands, or too many deals for all.
        AgentError: The opponent is not known, or plays no strategy that could be known.

    Examples:
        >>> from mccfr.playing.lbr_report import local_best_response
        >>> game = "holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)"
        >>> local_best_response(f"uniform:{game}", "limit", hands=100, seed=1).hands
        100
    """
    policy = known_policy(opponent, table)
    chosen = make_setting(setting, policy.table)
    if hands is None:
        return _exact(policy, chosen)
    pairs = _checked_hands(hands) // 2
    policy.prepare(hands)
    shared = opponent if isinstance(opponent, str) else policy
    won = _play(Shared(shared, table, chosen, seed), policy, pairs, workers, watch)
    return report_of(policy, chosen, won)


@dataclasses.dataclass(frozen=True)
class Shared:
    """What all pieces of the work have in common."""

    opponent: Any  # a string, so that a process makes it once; or a policy
    table: Table | None
    setting: LbrSetting
    seed: int


@dataclasses.dataclass(frozen=True)
class SomePairs:
    """Pairs of hands with these numbers, as a job."""

    shared: Shared = dataclasses.field(compare=False)  # policies that come back from a process are other objects
    first: int
    end: int
    workers: int = 1

    def do(self) -> Floats:
        """[pairs, seats, streets] chips."""
        shared = self.shared
        if isinstance(shared.opponent, str):
            policy = _made_once(shared.opponent, shared.table)
        else:
            policy = shared.opponent
        return play_pairs(LocalBestResponse(policy, shared.setting), shared.seed, self.first, self.end)


@functools.lru_cache(maxsize=1)
def _made_once(opponent: str, table: Table | None) -> Policy:
    policy = known_policy(opponent, table)
    policy.prepare(MOST_HANDS)
    return policy


def play_pairs(lbr: LocalBestResponse, seed: int, first: int, end: int) -> Floats:
    """[pairs, seats, streets] what local best response wins in pairs of hands with these numbers, in chips."""
    return np.array([play_pair(lbr, seed, number) for number in range(first, end)])


def play_pair(lbr: LocalBestResponse, seed: int, number: int) -> Floats:
    """[seats, streets] what local best response wins with one hand as the big blind, and with another as the dealer."""
    dice = random.Random(f"local best response {seed} {number}")
    cards = dice.sample(range(lbr.table.deck.cards), 4)
    return np.array([drawn_value(lbr, seat, (cards[2 * seat], cards[2 * seat + 1]), dice) for seat in (0, 1)])


def _play(shared: Shared, policy: Policy, pairs: int, workers: int, watch: Watch) -> Floats:
    """[pairs, seats, streets] all pairs, by as many processes as are wanted."""
    alone = workers <= 1
    size = PIECE if alone or isinstance(shared.opponent, str) else math.ceil(pairs / workers)
    here = dataclasses.replace(shared, opponent=policy) if alone else shared
    jobs = [SomePairs(here, first, min(first + size, pairs)) for first in range(0, pairs, size)]
    pool: Pool = ThisProcess() if alone else ProcessPool(workers, patient=False)
    ends = [0, *itertools.accumulate(job.end - job.first for job in jobs)]
    outcomes = run_jobs(jobs, {}, pool, lambda done, of, running: watch(ends[done], pairs))
    failed = next((outcome.error for outcome in outcomes if outcome.error), None)
    if failed:
        raise LbrError(f"local best response stopped: {failed}")
    return np.concatenate([outcome.result for outcome in outcomes])


def report_of(policy: Policy, setting: LbrSetting, won: Floats) -> LbrReport:
    """A report of what was won in pairs of hands: [pairs, seats, streets] chips."""
    mbb = won * (MILLI / policy.table.big_blind)
    by_hand = mbb.sum(axis=2)
    seats = mean(by_hand[:, 0]), mean(by_hand[:, 1])
    by_street = tuple(mbb.mean(axis=(0, 1)).tolist())
    return LbrReport(policy.name, setting.name, mean(by_hand.mean(axis=1)), seats, by_street, 2 * len(won))


def _exact(policy: Policy, setting: LbrSetting) -> LbrReport:
    """What local best response wins over all deals."""
    table = policy.table
    if not small_deck(table):
        count = hands_with_boards(table)
        raise LbrError(f"{table!r} has {count:,} hands with boards, too many to go through all: say how many hands")
    lbr = LocalBestResponse(policy, setting)
    mbb = np.array([exact_value(lbr, seat) for seat in (0, 1)]) * (MILLI / table.big_blind)
    seats = mbb.sum(axis=1)
    return LbrReport(
        policy.name, setting.name, point(float(seats.mean())), (point(float(seats[0])), point(float(seats[1]))),
        tuple(mbb.mean(axis=0).tolist()), 0,
    )  # fmt: skip


def hands_with_boards(table: Table) -> int:
    """How many hands of one player with boards there are."""
    return table.deck.hands * math.comb(table.deck.cards - 2, sum(table.deals))


def small_deck(table: Table) -> bool:
    """Whether all deals can be gone through."""
    return hands_with_boards(table) <= MOST_DEALS


def _checked_hands(hands: Any) -> int:
    if isinstance(hands, bool) or not isinstance(hands, int) or not 4 <= hands <= MOST_HANDS:
        raise LbrError(f"hands must be a whole number from 4 to {MOST_HANDS:,}, half of them in each seat, got {hands}")
    return hands
