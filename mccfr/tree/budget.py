"""How large a tree may become: known, guarded or estimated before memory is spent."""

import math
import os
import random
import re
import time
from collections.abc import Callable

from mccfr.errors import GameError, TreeError
from mccfr.games.base import CHANCE, TERMINAL, Game, listed

BUILT_NODE_BYTES = 76  # 16 that stay and what building takes at its peak: Goofspiel(7), 47.5 M nodes, peaks at 3.4 GB
STATE_BYTES = 400  # per node of a level being walked in Python
HOPELESS = 20
LOOK_AHEAD_FROM = 5_000  # nodes: from here on a few playouts are cheap
LOOK_AHEAD_SECONDS = 1.0  # of this thread: what else the machine does changes nothing that is said
SMALL_TABLES = 2**26  # entries: up to here tables are float64, beyond float32
BEYOND_COUNTING = 10**15
LARGEST = 1e300  # number of nodes in an estimate: infinity means that a game does not end
SMALLEST_LIMIT = 1024  # bytes: a smaller number is meant in other units
DEEPEST = 10_000  # moves: longer games are taken for endless
ENDLESS = f"no end after {DEEPEST:,} moves: too deep to write out, or step() never reaches a terminal"

_UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


def memory_limit(given: str | float | None = None) -> int:
    """Bytes that compiling may use: as given ("8GB"), else MCCFR_MEMORY_LIMIT, else half of the machine's memory."""
    value = given if given is not None else os.environ.get("MCCFR_MEMORY_LIMIT")
    if value is None:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    match = re.fullmatch(r"\s*([0-9.]+)\s*([kmgt]?)i?b?\s*", str(value).lower())
    try:
        size = float(match[1]) * _UNITS[match[2]] if match else float(value)
        if not 0 < size < math.inf:
            raise ValueError
        if isinstance(value, str) and match and not match[2] and size < SMALLEST_LIMIT:  # bytes are not meant
            raise ValueError
        return int(size)
    except (TypeError, ValueError):
        raise TreeError(f"memory limit {value!r} is not a size: write it like 8GB or 500MB") from None


def size_text(count: float) -> str:
    """A number of bytes for people."""
    if count >= 2**30 * BEYOND_COUNTING:
        return f"{_power_of_ten(int(count) >> 30)} GB"
    return f"{count / 2**30:,.1f} GB" if count >= 2**30 else f"{count / 2**20:,.1f} MB"


def count_text(count: int) -> str:
    """A number of nodes for people: 123,456, or about 1e150; floats end at 1e308, games need not."""
    return f"{count:,}" if count < BEYOND_COUNTING else f"about {_power_of_ten(count)}"


def _power_of_ten(count: int) -> str:
    return f"1e{math.floor(math.log10(count) + 0.5)}"


def entry_bytes(entries: int) -> int:
    """Bytes of one entry in one table of so many."""
    return 8 if entries <= SMALL_TABLES else 4


class MoreInfosets(TreeError):
    """The game has more infosets than whoever asked for its tree can use."""


class Budget:
    """A memory limit, held against a tree's size: known from a formula, estimated, or growing level by level.

    infosets: more than so many make the tree useless, so that walking on is a waste of time.
    """

    def __init__(
        self, game: str, limit: int, watch: Callable[[int], None] | None = None, infosets: int | None = None
    ) -> None:
        self.game, self.limit, self.watch, self.infosets = game, limit, watch, infosets
        self.total = 0
        self.looked_ahead = False

    def check_known(self, nodes: int) -> None:
        """Refuse a game that says how many nodes it has."""
        self._check(f"{count_text(nodes)} nodes", nodes * BUILT_NODE_BYTES)

    def check_estimate(self, nodes: float) -> None:
        """Refuse a game whose estimated size is hopeless: playouts can be far off, so by a wide margin only."""
        self.looked_ahead = True
        if math.isinf(nodes):
            raise GameError(f"{self.game}, in a random playout: {ENDLESS}")
        if nodes * BUILT_NODE_BYTES > HOPELESS * self.limit:
            self._check(f"about {nodes:.1e} nodes (estimated from random playouts)", nodes * BUILT_NODE_BYTES)

    def crowded(self, game: Game, width: int) -> int:
        """A level has already `width` nodes: refuse it, or say up to how many it may go on."""
        self.look_ahead(game, width)
        self._check(f"at least {self.total + width:,} nodes", self._need(width))
        return self.room()

    def charge(self, width: int) -> None:
        """A level of `width` nodes is about to be walked in Python."""
        self.total += width
        self._check(f"at least {self.total:,} nodes", self._need(width) - width * BUILT_NODE_BYTES)
        if self.watch is not None:
            self.watch(self.total)

    def check_infosets(self, met: int) -> None:
        """Refuse a game of which so many infosets have been met."""
        if self.infosets is not None and met > self.infosets:
            raise MoreInfosets(f"{self.game} has at least {met:,} infosets, more than {self.infosets:,}")

    def room(self) -> int:
        """How many nodes the next level may have before it must be looked at."""
        if not self.looked_ahead:
            return LOOK_AHEAD_FROM
        return int((self.limit - self.total * BUILT_NODE_BYTES) / (BUILT_NODE_BYTES + STATE_BYTES))

    def look_ahead(self, game: Game, more: int = 0) -> None:
        """Once the tree has some size, with `more` nodes to come, estimate how far it goes: is this hopeless?"""
        if self.total + more > LOOK_AHEAD_FROM and not self.looked_ahead:
            self.check_estimate(estimate_nodes(game))

    def _need(self, width: int) -> int:
        return (self.total + width) * BUILT_NODE_BYTES + width * STATE_BYTES

    def _check(self, size: str, need: float) -> None:
        require(need, self.limit, f"{self.game} has {size} and would need about {size_text(need)} to write out")


def require(need: float, limit: int, what: str) -> None:
    """Refuse what needs more memory than may be taken; `what` says for what."""
    if need > limit:
        raise TreeError(
            f"{what}; the limit is {size_text(limit)} (raise it with memory_limit=, --memory-limit or "
            "MCCFR_MEMORY_LIMIT)"
        )


def estimate_nodes(game: Game, probes: int = 200, seed: int = 0) -> float:
    """Number of nodes from random playouts: each gives 1 + k1 + k1 k2 + ..., whose mean is exact. [Knuth 1975]

    Infinity if a playout does not end, 0 if the rules break in one: whoever walks there can say where.
    """
    dice = random.Random(seed)
    deadline = time.thread_time() + LOOK_AHEAD_SECONDS
    sizes: list[float] = []
    try:
        while len(sizes) < probes and (not sizes or time.thread_time() < deadline):
            sizes.append(_playout(game, dice, deadline))
        return sum(sizes) / len(sizes)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return 0.0


def _playout(game: Game, dice: random.Random, deadline: float) -> float:
    """The size of the tree as one playout sees it; of a playout that takes too long, as far as it came."""
    state, size, total = game.root(), 1.0, 1.0
    for _ in range(DEEPEST):
        if time.thread_time() > deadline and (size == 1.0 or size > BEYOND_COUNTING):
            return total
        mover = game.player(state)
        if mover == TERMINAL:
            return total
        moves = (
            [a for a, _ in listed("chances", game.chances(state))]
            if mover == CHANCE
            else listed("actions", game.actions(state))
        )
        size = min(size * len(moves), LARGEST)
        total += size
        state = game.step(state, dice.choice(moves))
    return math.inf
