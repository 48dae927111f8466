"""Bots trained for so much CPU time: kept in the cache folder, so that figures about the same bots train them once."""

import contextlib
import functools
import hashlib
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import mccfr
from mccfr.errors import FileError, MethodError
from mccfr.files.cache import cache_folder
from mccfr.papers.figure import Job
from mccfr.strategy.file import load_strategy, save_strategy
from mccfr.strategy.strategy import Strategy
from mccfr.tree.showdown_rates import showdown_counts

PIECE = 5.0  # seconds of training between two looks at the clock


class Bot(NamedTuple):
    """What is trained, how, and for how many CPU seconds of one thread."""

    game: str
    method: str
    seed: int
    seconds: float

    @property
    def path(self) -> Path:
        """Where it is kept."""
        folder = cache_folder()
        if folder is None:
            raise MethodError("trained bots are kept in the cache folder: set MCCFR_CACHE to one, instead of off")
        name = hashlib.sha256(repr(tuple(self)).encode()).hexdigest()[:32]
        return folder / "bots" / f"{name}.mccfr"

    @property
    def job(self) -> Job:
        """Its training."""
        return Job(train_bot, self._asdict())


def train_bot(game: str, method: str, seed: int, seconds: float) -> dict[str, Any]:
    """Train a bot with one thread and keep it, unless it is kept already. Compilation and tables are not counted."""
    bot = Bot(game, method, seed, seconds)
    with contextlib.suppress(FileError):  # none yet, or damaged: it is trained again
        return {"iterations": _read(bot).origin.iterations}
    tree = tree_of(game)
    mccfr.Solver(tree, method, seed).run(1)
    solver, spent = mccfr.Solver(tree, method, seed), 0.0
    while spent < seconds:
        began = time.process_time()
        solver.run(seconds=min(PIECE, seconds - spent))
        spent += time.process_time() - began
    bot.path.parent.mkdir(parents=True, exist_ok=True)
    save_strategy(_half_as_large(solver.strategy()), bot.path)
    return {"iterations": solver.iterations}


def prepare_cards(game: str) -> dict[str, Any]:
    """Make the large tables of a game and count its showdowns: with all threads, once, before many processes ask."""
    tree = tree_of(game).buckets
    assert tree is not None
    showdown_counts(tree.fit, tree.cards)
    return {"rows": list(tree.fit.rows)}


@functools.lru_cache(maxsize=3)  # a match loads two
def load_bot(bot: Bot) -> Strategy:
    """A bot; trained here and now if it is not kept any more."""
    train_bot(**bot._asdict())
    return _read(bot)


@functools.lru_cache(maxsize=2)
def tree_of(game: str) -> mccfr.Tree:
    """The tree of a game, compiled once in a process."""
    return mccfr.compile(game)


def big_blind(game: str) -> int:
    """Chips of the big blind of a game of hold'em."""
    return int(mccfr.game(game).betting.smallest)  # type: ignore[attr-defined]


def _read(bot: Bot) -> Strategy:
    if not bot.path.is_file():
        raise FileError(f"no {bot.path}")
    return load_strategy(bot.path, lambda name, most: tree_of(bot.game))


def _half_as_large(strategy: Strategy) -> Strategy:
    """The same in float32, which is all that hands are played with."""
    p = strategy.probabilities.astype(np.float32)
    return Strategy(strategy.infosets, p, strategy.origin, strategy.visited, strategy.tree)  # type: ignore[arg-type]
