"""Which engine does the iterations of a method on a tree: the only place that chooses."""

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mccfr.errors import MethodError
from mccfr.games.dealt import DEALT
from mccfr.solvers.engines import Engine, LPEngine, SweepEngine, WalkEngine
from mccfr.solvers.method import LinearProgramme, Method, PublicChance, PublicOutcome
from mccfr.solvers.workers import Team
from mccfr.tree.tree import Tree

if TYPE_CHECKING:
    from mccfr.tree.dealt_tree import DealtTree

ALONE = Team(1, "", "")


def engine_for(
    tree: Tree,
    method: Method,
    seed: int,
    team: Team = ALONE,
    crew: Callable[[Any], Any] | None = None,
    device: str = "cpu",
) -> Engine:
    """An engine with empty tables, on the CPU or the GPU. Batches may be done elsewhere, by a crew."""
    if device == "gpu":
        return _on_gpu(tree, method, seed)
    if method.tables != "auto" and tree.streets is None and tree.buckets is None:
        raise MethodError(f"{method}: {method.tables} is for the tables of spots and hold'em, not of {tree.game}")
    if isinstance(method.sampler, PublicChance):
        return _some_boards(tree, method, seed, team)
    if method.public and tree.public is None:
        raise MethodError(f"{method} walks a public tree: solve the dealt form, {DEALT}{tree.game}")
    if not method.samples:
        return _full_width(tree, method, team)
    one: Callable[..., Engine] = functools.partial(WalkEngine, tree, method, seed)
    if tree.public is not None and method.public:
        one = functools.partial(public_engine, tree.public, method, seed)
    if not team.mode:
        return one()
    from mccfr.solvers.parallel import BatchEngine, ReplicaEngine, SharedEngine

    if team.mode == "replicas":
        return ReplicaEngine(one, team.workers)
    if team.mode == "batch":
        return BatchEngine(tree, method, seed, team.workers, crew)
    return SharedEngine(tree, method, seed, team.workers, team.mode == "locked")


def _on_gpu(tree: Tree, method: Method, seed: int) -> Engine:
    from mccfr.solvers.device_engine import DeviceWalkEngine, sweeps_whole_tree
    from mccfr.solvers.gpu_sweep_engine import GpuSweepEngine

    if sweeps_whole_tree(tree, method):
        return GpuSweepEngine(tree.written, method)
    return DeviceWalkEngine(tree, method, seed)


def _full_width(tree: Tree, method: Method, team: Team) -> Engine:
    if tree.streets is not None:
        from mccfr.solvers.street_engine import StreetEngine

        return StreetEngine(tree.streets, method, team.workers, 0)
    if tree.public is not None:
        from mccfr.solvers.vector_engine import VectorEngine

        return VectorEngine(tree.public, method, team.workers)
    return LPEngine(tree.written) if isinstance(method.sampler, LinearProgramme) else SweepEngine(tree.written, method)


def _some_boards(tree: Tree, method: Method, seed: int, team: Team) -> Engine:
    """Public chance sampling, by one worker or by replicas."""
    if tree.streets is None:
        raise MethodError(f"{method} deals boards, and {tree.game} has none: it is for spots and hold'em")
    from mccfr.solvers.parallel import ReplicaEngine
    from mccfr.solvers.street_engine import StreetEngine

    one = functools.partial(StreetEngine, tree.streets, method, 1, seed)
    return ReplicaEngine(one, team.workers) if team.mode else one()


def public_engine(tree: "DealtTree", method: Method, seed: int, *keys: int) -> Engine:
    """Public outcome sampling, or sampling in vector form; keys: which of several workers it is for."""
    sampler = method.sampler
    if isinstance(sampler, PublicOutcome):
        from mccfr.solvers.public_outcome import PublicOutcomeEngine

        both = not sampler.alternating
        return PublicOutcomeEngine(tree, method, seed, *keys, simultaneous=both, start=sampler.start)
    from mccfr.solvers.vector_sampling import vector_engine

    return vector_engine(tree, method, seed, *keys)
