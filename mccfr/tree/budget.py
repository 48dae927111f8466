"""How large a tree may become: known, guarded or estimated before memory is spent."""

import os
import random
import re

from mccfr.errors import TreeError
from mccfr.games.base import CHANCE, TERMINAL, Game

NODE_BYTES = 16
BUILD_BYTES = 80  # per node while a level is being turned into nodes
STATE_BYTES = 400  # per node of the widest level, as Python objects

_UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


def memory_limit(given: str | float | None = None) -> int:
    """Bytes that compiling may use: as given ("8GB"), else MCCFR_MEMORY_LIMIT, else half of the machine's memory."""
    value = given if given is not None else os.environ.get("MCCFR_MEMORY_LIMIT")
    if value is None:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    match = re.fullmatch(r"\s*([0-9.]+)\s*([kmgt]?)i?b?\s*", str(value).lower())
    try:
        return int(float(match[1]) * _UNITS[match[2]]) if match else int(float(value))
    except ValueError:
        raise TreeError(f"memory limit {value!r} is not a size: write it like 8GB or 500MB") from None


class Budget:
    """Counts nodes against a memory limit and refuses the level that would break it, before it is built."""

    def __init__(self, game: str, limit: int, bytes_per_frontier_node: int = STATE_BYTES) -> None:
        self.game, self.limit, self.per_frontier = game, limit, bytes_per_frontier_node
        self.total = 0
        self.estimated: float | None = None

    def charge(self, width: int) -> None:
        """A level of `width` nodes is about to be built."""
        self.total += width
        self.check(self.total, width, "at least ")

    def check(self, nodes: int, width: int, how: str = "", said: float | None = None) -> None:
        """Refuse a tree of so many nodes, the widest level given; `said` is the number to tell, if it is another."""
        need = nodes * NODE_BYTES + width * (self.per_frontier + BUILD_BYTES)
        if need > self.limit:
            raise TreeError(
                f"{self.game} has {how}{said or nodes:,.0f} nodes and would need {'over' if said else 'about'} "
                f"{need / 2**30:.1f} GB to write out; "
                f"the limit is {self.limit / 2**30:.1f} GB (memory_limit=, --memory-limit or MCCFR_MEMORY_LIMIT)"
            )


def estimate_nodes(game: Game, probes: int = 200, seed: int = 0) -> float:
    """Number of nodes from random playouts: each gives 1 + k1 + k1 k2 + ..., whose mean is exact. [Knuth 1975]"""
    dice = random.Random(seed)
    total = 0.0
    for _ in range(probes):
        state, size = game.root(), 1.0
        total += size
        while (mover := game.player(state)) != TERMINAL:
            moves = [a for a, _ in game.chances(state)] if mover == CHANCE else list(game.actions(state))
            size *= len(moves)
            total += size
            state = game.step(state, dice.choice(moves))
    return total / probes
