"""The forms of walks an audit drives: what one walk is, and whom it is for. Everything else is the same for all."""

from typing import Any, NamedTuple, cast

from mccfr.errors import MethodError
from mccfr.games.dealt import DEALT
from mccfr.kernel.dispatch import entry, verb
from mccfr.kernel.layout import U1, U2, U3
from mccfr.kernel.public_outcome import public_walk
from mccfr.kernel.vector import LearnSampled, vector_walk
from mccfr.kernel.walk import walk
from mccfr.solvers.engines import WalkEngine
from mccfr.solvers.fit import SAMPLERS
from mccfr.solvers.method import RECIPES, Method
from mccfr.solvers.public_outcome import PublicOutcomeEngine
from mccfr.solvers.vector import dealt_engine
from mccfr.solvers.vector_sampling import SampledVectorEngine
from mccfr.tree.dealt import DealtTree
from mccfr.tree.tree import Tree

BOTH = 2  # after players 0 and 1


class ValueForm(NamedTuple):
    """Single histories, with one pair of hands."""


class VectorForm(NamedTuple):
    """All hands of both players, or all of one against a hand of the other."""


class PublicForm(NamedTuple):
    """One line of public events, all pairs of hands on it."""


@verb
def once(form, turn, t, weight, method, tree, table, work):  # type: ignore[no-untyped-def]
    """One walk for player 0, 1 or BOTH, whose averages count `weight`; the game's value to that player (BOTH: to 0)."""


@once.register(ValueForm)
def _(form, turn, t, weight, method, tree, table, work):  # type: ignore[no-untyped-def]
    return walk(turn, t, weight, (1.0, 1.0), method, tree, table, work)


@once.register(VectorForm)
def _(form, turn, t, weight, method, tree, table, work):  # type: ignore[no-untyped-def]
    actor = LearnSampled(method.minimiser, (1.0, 1.0), weight)
    return vector_walk(actor, method.sampling, turn, t, tree, table, work)


@once.register(PublicForm)
def _(form, turn, t, weight, method, tree, table, work):  # type: ignore[no-untyped-def]
    who = U3 if turn == U2 else U1 << turn
    value = public_walk(who, t, weight, (1.0, 1.0), method, tree, table, work)
    return -value if turn == U1 else value


@entry
def record_walks(digest):  # type: ignore[no-untyped-def]
    def kernel(n, form, turn, t, step, weight, method, tree, table, work):  # type: ignore[no-untyped-def]
        """n walks at times t, t + step, ...; returns the sum of their estimates of the game's value."""
        digest  # noqa: B018  part of the disk cache's key
        total = 0.0
        for _ in range(n):
            total += once(form, turn, t, weight, method, tree, table, work)
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


def form_of(engine: Any) -> tuple[ValueForm | VectorForm | PublicForm, tuple[int, ...]]:
    """How an engine walks, and the walks that make one iteration."""
    if isinstance(engine, PublicOutcomeEngine):
        return PublicForm(), (BOTH,) if engine.simultaneous else (0, 1)
    return VectorForm() if isinstance(engine, SampledVectorEngine) else ValueForm(), (0, 1)
