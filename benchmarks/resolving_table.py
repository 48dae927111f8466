"""Re-solving at the table: how long decisions take, how good solutions are, and what it is worth on a tiny deck.

python benchmarks/resolving_table.py                      rivers that blueprint:nolimit comes to in self-play
python benchmarks/resolving_table.py --street turn -n 5   turns
python benchmarks/resolving_table.py --small              exact results on a deck of eight cards, for each gadget
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

import mccfr
from mccfr.evaluate.street_values import StreetEvaluator
from mccfr.playing.agents import make_agent
from mccfr.playing.bulk import deal_to_many, play_deals
from mccfr.resolving.resolve_words import resolve_agent

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
SMALL = "holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)"
DEALS = 3000


def decisions(policy, count, seed):
    """First decisions on the street that is re-solved, from hands of the blueprint against itself."""
    table, blueprint = policy.table, policy.blueprint
    cards = deal_to_many(table, DEALS, np.random.default_rng(seed))
    played = play_deals(table, (blueprint, blueprint), cards, [np.random.default_rng([seed, j]) for j in (0, 1)])
    found = []
    for record in played.records(("one", "other")):
        s = table.start
        for move in record.moves:
            if s.street == policy.first and s.mover == len(found) % 2:
                found.append((record.board[: table.board_size(s.street)], s))
                break
            s = table.play(s, move)
        if len(found) == count:
            return found
    return found


def measured(policy, board, s):
    """Seconds of a decision, also of processors, and exploitability of its gadget game in percent of the pot."""
    began, used = time.perf_counter(), time.process_time()
    policy.odds_on(board, s)
    seconds, used = time.perf_counter() - began, time.process_time() - used
    found = policy.solution(board, s)
    evaluator = StreetEvaluator(found.tree, 0)
    off = evaluator.nash_conv(found.solved.strategy().probabilities) / 2
    return seconds, used, found.solved.seconds, 100 * off / sum(found.position.state.stakes)


def time_decisions(agent, count, seed):
    """Print what decisions take."""
    policy = make_agent(agent).policy
    policy.prepare(10**6)
    spots = decisions(policy, count + 1, seed)
    measured(policy, *spots.pop())  # compiles
    found = np.array([measured(policy, board, s) for board, s in spots])
    print(f"{agent}, {len(found)} decisions")
    names = ("whole decision", "s"), ("processors", "s"), ("iterations alone", "s"), ("gadget game", "% of the pot")
    for (name, unit), column in zip(names, found.T):
        print(f"  {name}: median {np.median(column):.3f} {unit}, worst {column.max():.3f} {unit}")


def small_deck(iterations):
    """Print exact results on a deck of eight cards."""
    import naive_table

    strategy = mccfr.solve(SMALL, "external", iterations=3000, seed=1).strategy()
    blueprint = make_agent(strategy).policy
    print(f"blueprint: exploitability {naive_table.exploitability(blueprint):.3f} chips a hand")
    for gadget in ("unsafe", "resolve", "maxmargin"):
        for values in ("profile", "best"):
            agent = resolve_agent(None, 0, strategy, gadget=gadget, iterations=iterations, values=values).policy
            off, won = naive_table.exploitability(agent), naive_table.match(agent, blueprint)
            print(
                f"{gadget}, values={values}: exploitability {off:.3f}, wins {won:+.3f} from the blueprint", flush=True
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--street", default="river")
    parser.add_argument("--options", default="", help="of resolve, as in 'gadget=maxmargin'")
    parser.add_argument("-n", type=int, default=50)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--small", action="store_true")
    given = parser.parse_args()
    if given.small:
        small_deck(300)
    else:
        others = f", {given.options}" if given.options else ""
        time_decisions(f"blueprint:nolimit+resolve({given.street}{others})", given.n, given.seed)
