"""How fast games become trees, and how much memory that takes.

python benchmarks/compile.py            the plain rules, nodes per second
python benchmarks/compile.py --large    also Goofspiel(7), GP(13,4,4,1) and Bluff(2,1): minutes, up to 5 GB
"""

import argparse
import resource
import subprocess
import sys
import time

import mccfr
from mccfr.games.base import game_text

PLAIN = ["leduc", "gp(4,3,4,1)", "gp(6,4,4,1)", "bluff(1,1,rounds=one)", "goofspiel(n=5)", "openspiel:leduc_poker"]
LARGE = ["goofspiel(n=7)", "gp(13,4,4,1)", "bluff(2,1,rounds=one)"]


class Plain:
    """A game reduced to its seven methods, so that no vectorised shortcut is taken."""

    def __init__(self, game: mccfr.Game) -> None:
        self.name = game_text(game)
        self.players = game.players
        for method in ("root", "player", "actions", "chances", "step", "infoset", "payoff"):
            setattr(self, method, getattr(game, method))

    def __str__(self) -> str:
        return self.name


def measure(text: str, plain: bool, rounds: int = 3) -> None:
    game = mccfr.game(text)
    best, tree = float("inf"), None
    for _ in range(rounds):
        began = time.perf_counter()
        tree = mccfr.compile(Plain(game) if plain else game, memory_limit="20GB", cache=False)
        best = min(best, time.perf_counter() - began)
    assert tree is not None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    rate = len(tree) / best / 1e6
    print(f"{text:28} {len(tree):>12,} {len(tree.infosets):>10,} {best:>9.2f} {rate:>10.2f} {peak:>9.2f}", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--large", action="store_true", help="also the large games")
    options.add_argument("--one", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.one:
        measure(given.one, plain=False, rounds=1)
        return
    mccfr.compile("kuhn")  # kernels are compiled before anything is timed
    print(f"{'game':28} {'nodes':>12} {'infosets':>10} {'seconds':>9} {'M nodes/s':>10} {'peak, GB':>9}")
    for text in PLAIN:
        measure(text, plain=True)
    for text in LARGE if given.large else []:  # each in a process of its own: a peak never comes down again
        subprocess.run([sys.executable, __file__, "--one", text], check=True)


if __name__ == "__main__":
    main()
