"""Best responses with every card on a GPU: `python3 benchmarks/real_best_response.py`, in three parts.

a  correct: small decks against the processor, flop by flop (float32 against float64: relative to the largest value)
b  fast: some flops of the full deck, in proportion to their boards what that makes for all 1,755; by stage, and for
   several shapes of launches
c  with --all: the whole game, for the blueprint, for always-fold (750 mbb/g), always-call and uniform

Without a GPU, NUMBA_ENABLE_CUDASIM=1 with --only a --small tries the program itself. Buckets of the blueprint need
their tables: on a fresh machine they take some minutes of the processor first (MCCFR_CACHE says where they are kept);
--strategy uniform:'holdem(limit, ehs2(10))' or another one can be measured instead.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import real_examples
import response_examples as examples

import mccfr
from mccfr.cards.isomorphism import HandIndex
from mccfr.evaluate.flop_boards import boards_of_flops
from mccfr.evaluate.response_machines import Graphics, Launch, Processor
from mccfr.kernel.cuda_target import simulated

SHAPES = (  # the best first, with the seconds that all of limit hold'em would take on an H200
    Launch(16, 10, 128),  # 423: three blocks on a multiprocessor; ten workers have work on a chunk of hands
    Launch(16, 16, 80),  # 514: more workers for the sums by card, fewer registers
    Launch(16, 12, 112),  # 568
    Launch(8, 12, 112),  # 658: five smaller blocks
)


def shapes_of(text):
    """Shapes of launches, such as 16x14x96,8x14x0: lanes, workers and registers (0: no cap)."""
    numbers = [[int(number) for number in each.split("x")] for each in text.split(",")]
    return tuple(Launch(lanes, workers, registers or None) for lanes, workers, registers in numbers)


def say(text):
    """A line, at once."""
    print(text, flush=True)


def correct(small):
    """Part a."""
    say("a  largest error of a flop's values, relative to the largest value; GPU float32, processor float64")
    games = [examples.game_of(*each) for each in examples.GAMES][: 1 if small else None]
    trees = [(name, real_examples.bucket_tree(name)) for name in list(real_examples.GAMES)[2:3] if small]
    trees = trees or [(name, real_examples.bucket_tree(name)) for name in real_examples.GAMES]
    for name, tree in [*trees, *((game, mccfr.compile(game)) for game in games if not small)]:
        strategy = real_examples.random_strategy(tree)
        launch = Launch(2, 2, None, 2) if simulated() else None
        made = examples.responses(strategy, Graphics(launch))
        kinds = list(range(len(made.trees.copies)))[: 4 if small else None]
        want = examples.values(examples.responses(strategy, Processor()), kinds)
        began = time.perf_counter()
        got = examples.values(made, kinds)
        error = np.abs(got - want).max() / np.abs(want).max()
        say(f"   {error:.1e}  {'ok' if error < 1e-5 else 'WRONG'}  {time.perf_counter() - began:6.2f} s  {name}")


def board_count(made, kinds):
    """Boards of the last street of some flops."""
    flops = made.trees.flops[kinds]
    return sum(len(boards_of_flops(made.exchanges, flop[None], made.cards.deals)[-1].cards) for flop in flops)


def fast(strategy, flops, shapes):
    """Part b."""
    cards = strategy.tree.fit.cards
    boards = HandIndex(cards.deals, cards.ranks, cards.suits).size
    say(f"b  {strategy.game}: {boards:,} boards")
    for launch in shapes:
        began = time.perf_counter()
        try:
            made = examples.responses(strategy, Graphics(launch))
            kinds = np.linspace(0, len(made.trees.copies) - 1, flops).astype(int).tolist()
            lanes = int(made.groups[0].lanes)
            if launch == shapes[0]:
                say(f"   {made.line_count()} lines to the last street, {made.need() / 2**30:.2f} GiB, {made.sizes[-1]}")
            examples.values(made, kinds[:2])  # compiles
            shape = f"lanes {lanes} workers {launch.workers} registers {launch.registers}"
            memory = f"{made.sizes[-1].fast(lanes) * 4 / 1024:.0f} KiB of fast memory a block"
            say(f"   {shape}: {memory}, laid out and compiled in {time.perf_counter() - began:.1f} s")
            here = board_count(made, kinds)
            began = time.perf_counter()
            examples.values(made, kinds)
            took = time.perf_counter() - began
            made.timed = True
            examples.values(made, kinds)
            stages = ", ".join(f"{stage} {seconds:.3f}" for stage, seconds in made.seconds.items())
            rate = here * made.line_count() / took
            say(f"      {len(kinds)} flops, {here:,} boards in {took:.3f} s: {rate / 1e6:.2f} M river subtrees/s, "
                f"all {boards * took / here:.0f} s; by stage, one after the other: {stages}")  # fmt: skip
        except Exception as error:
            say(f"      failed: {type(error).__name__}: {str(error)[:200]}")


def whole(subjects):
    """Part c."""
    say("c  the whole game")
    for name, strategy in subjects:
        began, told = time.perf_counter(), [0.0]

        def watch(done, of, began=began, told=told):
            now = time.perf_counter()
            if now - told[0] > 20 or done == of:
                told[0] = now
                say(f"      {done:,} of {of:,} flops, {now - began:.0f} s")

        found = mccfr.real_exploitability(strategy, device="gpu", watch=watch, tell=lambda text: say(f"      {text}"))
        say(f"   {name}: {found.mbb:.3f} mbb/g, best responses {found.best_response[0]:.6f} and "
            f"{found.best_response[1]:.6f} chips, {time.perf_counter() - began:.1f} s on {found.device}")  # fmt: skip


def main():
    """All parts, or those that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices="abc", help="one part")
    parser.add_argument("--all", action="store_true", help="part c too")
    parser.add_argument("--small", action="store_true", help="of part a one game; of part b one shape of launch")
    parser.add_argument("--flops", type=int, default=20, help="of part b")
    parser.add_argument("--shapes", type=shapes_of, help="of part b: LANESxWORKERSxREGISTERS, with commas between")
    parser.add_argument("--strategy", default="blueprint:limit")
    parser.add_argument("--simple", action="store_true", help="of part c only always-fold, always-call and uniform")
    given = parser.parse_args()
    if given.only in (None, "a"):
        correct(given.small)
    if given.only == "a":
        return
    say(f"   reading {given.strategy}")
    kind, _, game = given.strategy.partition(":")
    strategy = mccfr.uniform(game) if kind == "uniform" else mccfr.load(given.strategy)
    if given.only in (None, "b"):
        fast(strategy, given.flops, given.shapes or SHAPES[: 1 if given.small else None])
    if given.all or given.only == "c":
        simple = [(f"always-{move}", examples.always(strategy.tree, move[0])) for move in ("fold", "call")]
        simple.append(("uniform", mccfr.uniform(strategy.tree)))
        whole(([] if given.simple else [(given.strategy, strategy)]) + simple)


if __name__ == "__main__":
    main()
