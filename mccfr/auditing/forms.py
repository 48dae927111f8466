"""The walks an audit drives, and whom they are for."""

from typing import Any, cast

import numpy as np

from mccfr.errors import MethodError
from mccfr.games.dealt import DEALT
from mccfr.kernel.iterations import turns
from mccfr.solvers.choose_engine import engine_for
from mccfr.solvers.engines import SampledEngine
from mccfr.solvers.fit import SAMPLERS
from mccfr.solvers.method import RECIPES, Method, PublicChance
from mccfr.tree.tree import Tree

BOTH = 2  # after players 0 and 1


def sampling_engine(tree: Tree, method: Method, seed: int) -> SampledEngine:
    """The engine that would solve by this method; refuses one that draws nothing."""
    if isinstance(method.sampler, PublicChance):
        raise MethodError(
            f"audit: {method} draws boards, which audits do not enumerate; that it is right on average is shown by "
            "tests/test_street_sweeps.py"
        )
    if tree.public is None and method.public:
        raise MethodError(f"audit: {method} walks a public tree; use {DEALT}{tree.game}")
    if not method.samples:
        words = SAMPLERS if tree.public is None else ", ".join(word for word in RECIPES if is_public(word))
        raise MethodError(f"audit: {method} samples nothing; start with a sampler ({words})")
    return cast(SampledEngine, engine_for(tree, method, seed))


def is_public(word: str) -> bool:
    """Whether a word begins a method for public trees."""
    try:
        method = Method.parse(word)
        return method.public and not isinstance(method.sampler, PublicChance)
    except MethodError:  # it needs parameters
        return False


def turns_of(parts: Any) -> tuple[int, ...]:
    """Whom the walks of one iteration are for."""
    return (BOTH,) if turns(parts) == 1 else (0, 1)


def number_of(turn: int) -> np.uint64:
    """The number of a walk in its iteration: one for both is the first."""
    return np.uint64(0 if turn == BOTH else turn)
