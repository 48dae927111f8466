"""The walks an audit drives, and whom they are for."""

from typing import Any, cast

import numpy as np

from mccfr.errors import MethodError
from mccfr.games.dealt import DEALT
from mccfr.kernel.dispatch import entry
from mccfr.kernel.iterations import take_turn, turns
from mccfr.solvers.engines import WalkEngine
from mccfr.solvers.fit import SAMPLERS
from mccfr.solvers.method import RECIPES, Method
from mccfr.solvers.vector_engine import dealt_engine
from mccfr.tree.dealt_tree import DealtTree
from mccfr.tree.tree import Tree

BOTH = 2  # after players 0 and 1


@entry
def record_walks(digest):  # type: ignore[no-untyped-def]
    def kernel(n, i, t, step, weight, parts, tree, table, work):  # type: ignore[no-untyped-def]
        """n walks for turn i at times t, t + step, ...; returns the sum of their estimates of the game's value."""
        digest  # noqa: B018  part of the disk cache's key
        total = 0.0
        for _ in range(n):
            total += take_turn(parts, i, t, weight, (1.0, 1.0), tree, table, work)
            t += step
        return total

    return kernel


def sampling_engine(tree: Tree | DealtTree, method: Method, seed: int) -> WalkEngine:
    """The engine that would solve by this method; refuses one that draws nothing."""
    if isinstance(tree, Tree) and method.public:
        raise MethodError(f"audit: {method} walks a public tree; take {DEALT}{tree.game}")
    if not method.samples:
        words = SAMPLERS if isinstance(tree, Tree) else ", ".join(word for word in RECIPES if is_public(word))
        raise MethodError(f"audit: {method} samples nothing; begin with a sampler ({words})")
    if isinstance(tree, DealtTree) and method.public:
        return cast(WalkEngine, dealt_engine(tree, method, seed))
    return WalkEngine(tree, method, seed)


def is_public(word: str) -> bool:
    """Whether a word begins a method for public trees."""
    try:
        return Method.parse(word).public
    except MethodError:  # it needs parameters
        return False


def turns_of(parts: Any) -> tuple[int, ...]:
    """Whom the walks of one iteration are for."""
    return (BOTH,) if turns(parts) == 1 else (0, 1)


def number_of(turn: int) -> np.uint64:
    """The number of a walk in its iteration: one for both is the first."""
    return np.uint64(0 if turn == BOTH else turn)
