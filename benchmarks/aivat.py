"""How many hands AIVAT, all-in equity and duplicate deals save in real no-limit hold'em, and how fast AIVAT is.

    python benchmarks/aivat.py                       1,000 pairs against each opponent
    python benchmarks/aivat.py --pairs 300 --opponents always_call,random

Every deal is played twice with seats exchanged, by blueprint:nolimit and an opponent. The factor of an estimate is the
variance of the chips won in a hand over that of the estimate; with duplicate deals, it is that of the mean of two
independent hands over that of a pair. As many times fewer hands give an interval of the same width. "One known" takes
the opponent for a stranger whose cards are seen after the hand. Fitted values come from 50,000 hands of the blueprint
against itself, dealt from another seed.
"""

import argparse
import random
import time
from typing import Any

import numpy as np

from mccfr.playing.agents import make_agent
from mccfr.playing.aivat import CALL_DOWN, Aivat
from mccfr.playing.all_in import all_in_equity
from mccfr.playing.fitted_values import fit_values
from mccfr.playing.played_hand import HandRecord, deal_cards, play_hand

OURS = "blueprint:nolimit"
OPPONENTS = f"{OURS},variant(tight; '{OURS}'),always_call,random"
FIT_HANDS, FIT_SEED = 50_000, 987_654_321


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=1_000)
    parser.add_argument("--opponents", default=OPPONENTS, help="agents, with ; inside parentheses")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    bot = make_agent(OURS)
    bot.policy.prepare(10**6)  # type: ignore[attr-defined]
    table = bot.policy.table  # type: ignore[attr-defined]
    began = time.process_time()
    fitted = fit_values((bot.policy,) * 2, FIT_HANDS, FIT_SEED)  # type: ignore[attr-defined]
    print(f"{FIT_HANDS:,} hands for values in {time.process_time() - began:.1f} CPU s, {len(fitted.lines):,} lines")
    for name in given.opponents.split(","):
        other = make_agent(name.replace(";", ","), table)
        report(name.replace(";", ","), table, bot, other, fitted, given.pairs, given.seed)


def report(name: str, table: Any, bot: Any, other: Any, fitted: Any, pairs: int, seed: int) -> None:
    records = played(table, bot, other, pairs, seed)
    known = [((bot.policy, other.policy), (other.policy, bot.policy))[k % 2] for k in range(len(records))]
    alone = [((bot.policy, None), (None, bot.policy))[k % 2] for k in range(len(records))]
    won, _ = valued(records, lambda record, _: record.chips[0], known)
    print(f"\n{OURS} v {name}: {len(records):,} hands, standard deviation {won.std():.2f} chips (a big blind is 2)")
    print("| estimate | mean, chips a hand | +- | factor, hands | factor, pairs | hands a second |")
    print("|---|--:|--:|--:|--:|--:|")
    rows = {
        "chips won": (lambda record, _: record.chips[0], known),
        "all-in equity": (lambda record, _: all_in_equity(record), known),
        "AIVAT, one known, call down": (Aivat(table, CALL_DOWN).estimate, alone),
        "AIVAT, one known, fitted": (Aivat(table, fitted).estimate, alone),
        "AIVAT, both known, call down": (Aivat(table, CALL_DOWN).estimate, known),
        "AIVAT, both known, fitted": (Aivat(table, fitted).estimate, known),
    }
    for label, (estimate, policies) in rows.items():
        values, seconds = valued(records, estimate, policies)
        paired = values.reshape(-1, 2).mean(axis=1)
        hands, both = won.var() / values.var(), won.var() / 2 / paired.var()
        error = 1.96 * paired.std() / len(paired) ** 0.5
        rate = f"{len(records) / seconds:,.0f}" if seconds > 0.05 else ""
        print(f"| {label} | {values.mean():.3f} | {error:.3f} | {hands:.1f} | {both:.1f} | {rate} |", flush=True)


def played(table: Any, bot: Any, other: Any, pairs: int, seed: int) -> list[HandRecord]:
    """Pairs of hands with the same cards, our bot as the big blind and then as the dealer."""
    found = []
    for number in range(pairs):
        cards = deal_cards(table, random.Random(f"{seed} {number} cards"))
        for k, agents in enumerate(((bot, other), (other, bot))):
            dice = [random.Random(f"{seed} {number} {k} {seat}") for seat in (0, 1)]
            found.append(play_hand(table, agents, cards, dice, 2 * number + k))
    return found


def valued(records: list[HandRecord], estimate: Any, policies: Any) -> tuple[Any, float]:
    """What our bot got by an estimate, and how many CPU seconds that took."""
    began = time.process_time()
    found = [(-1) ** k * estimate(record, given) for k, (record, given) in enumerate(zip(records, policies))]
    return np.array(found), time.process_time() - began


if __name__ == "__main__":
    main()
