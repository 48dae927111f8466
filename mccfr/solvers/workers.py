"""How the work is shared out: how many workers, and in which of the parallel modes."""

import dataclasses
from typing import NamedTuple

from mccfr.amounts import whole_count
from mccfr.errors import MethodError, TreeError, nearest, quoted
from mccfr.kernel.averaging import OptimisticAverage
from mccfr.kernel.estimators import GeneralProbe, PageRule, Plain, Probe, Static
from mccfr.kernel.samplers import CountedOutcome, follows_all_others
from mccfr.machine import processors
from mccfr.solvers.method import Method, word_of
from mccfr.tree.budget import memory_limit, size_text
from mccfr.tree.tree import Tree

MODES = ("replicas", "batch", "shared", "locked")
SMALL_TABLE = 2**16  # entries: up to here a table stays in each core's own cache, and replicas scale best
SMALLEST_BATCH, LARGEST_BATCH = 16, 128  # iterations from one strategy, unless the method says how many
ENTRIES_PER_WALK = 1024  # larger tables take larger batches: an entry is then seldom met twice in one


class Team(NamedTuple):
    """So many workers in a mode ("" for one worker), and why."""

    workers: int
    mode: str
    reason: str


def choose_team(tree: Tree, method: Method, workers: int, mode: str) -> Team:
    """Check what was asked for, and decide what was left open."""
    try:
        workers = whole_count("workers", workers)
    except MethodError:
        raise MethodError(
            f"workers must be a whole number from 1 (or 0 for all cores), got {quoted(workers)}"
        ) from None
    if mode not in ("auto", *MODES):
        raise MethodError(f"unknown parallel mode {quoted(mode)}; {nearest(str(mode), ('auto', *MODES))}")
    count = workers or processors()
    if tree.public is not None and tree.public.in_branches and not method.samples and mode == "auto":
        return Team(count, "", "workers share the branches of a public tree" if count > 1 else "")
    if tree.streets is not None and not method.samples and mode == "auto":
        return Team(count, "", "workers share the boards" if count > 1 else "")
    if not method.samples:
        if mode != "auto":
            raise MethodError(
                f"{mode} divides walks among workers, but {method} makes none: start with a sampler such as external"
            )
        return Team(1, "", f"{method} runs on one core" if count > 1 else "")
    reason = ""
    if mode == "auto":
        if count == 1:
            return Team(1, "", "")
        mode, reason = ("replicas", f"{method} shares no tables") if method.public else _usual_mode(tree, method)
    _check(tree, method, count, mode)
    return Team(count, mode, reason)


def _usual_mode(tree: Tree, method: Method) -> tuple[str, str]:
    entries = tree.infosets.entries
    if isinstance(method.sampler, CountedOutcome):
        return "replicas", f"{method} draws by counts, which workers cannot share"
    if method.batch > 1:
        return "batch", f"{method} freezes its strategy for batches"
    if entries <= SMALL_TABLE or follows_all_others(method.sampler):
        return "replicas", f"{entries:,} table entries: so few that workers would collide in a shared table"
    return "shared", f"{entries:,} table entries: so many that workers seldom collide in a shared table"


def in_batches(method: Method, tree: Tree) -> Method:
    """The method with a batch size: its own, or one that suits the game and does not depend on the workers."""
    size = min(max(tree.infosets.entries // ENTRIES_PER_WALK, SMALLEST_BATCH), LARGEST_BATCH)
    return method if method.batch > 1 else dataclasses.replace(method, batch=size)


def _check(tree: Tree, method: Method, workers: int, mode: str) -> None:
    if method.public and mode != "replicas":
        raise MethodError(f"{mode} divides walks with one pair of hands, but {method} uses many: use replicas")
    if mode in ("shared", "locked") and (method.batch > 1 or follows_all_others(method.sampler)):
        raise MethodError(f"{mode} changes strategies all the time, but {method} freezes them: use batch or replicas")
    if mode == "batch" and not isinstance(method.estimator, Plain | Probe | GeneralProbe | PageRule | Static):
        word = word_of(method.estimator)
        raise MethodError(f"batch freezes what is learned, but {word} learns during walks: use replicas or shared")
    if mode == "batch" and isinstance(method.averaging, OptimisticAverage):
        raise MethodError("batch freezes what is learned, but optimistic averages change: use replicas or shared")
    if mode != "replicas" and isinstance(method.sampler, CountedOutcome):
        raise MethodError(
            f"{mode}: workers draw at once, but counts must stand still during a draw of {method}: use replicas"
        )
    bytes_of_entry = {"replicas": 24, "batch": 25}.get(mode, 0) + 8 * isinstance(method.sampler, CountedOutcome)
    private = bytes_of_entry * tree.infosets.entries * workers
    if private > memory_limit(None):
        raise TreeError(
            f"{mode} with {workers} workers would need about {size_text(private)} for private tables; the limit is "
            f"{size_text(memory_limit(None))}: use fewer workers or shared"
        )
