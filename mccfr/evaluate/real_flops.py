"""Real-game best responses flop by flop: exact below every flop, and before it as good as the flops that are taken.

Below a flop, a best response with every card is exact: all turns and rivers, all hands, the other player's reach by its
rows. What is left before the flop is a small tree whose lines end in a fold or in a flop. Of each such line v_f(h) is
what hand h gets by all flops of kind f together, so with all kinds

    v(h) = sum over f of v_f(h)

and the choices before the flop follow from v: this is the exact best response. [Johanson et al. 2011]

A sample draws kinds f with probability q_f, in proportion to their copies; v_f / q_f then has the mean v. The deck is
cut into as many strata of equal probability as half of the sample has flops, and both halves draw one flop from each.
The choices before the flop that look best in one half are valued in the other, and the other way round. So what is
estimated is the value of strategies that were fixed before, and no best response is worth less: the mean is a lower
bound. The interval is Student's over flops as if they were drawn independently, which strata can only make too wide.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mccfr.evaluate.board_rows import row_table
from mccfr.evaluate.kept_flops import KeptFlops, fingerprint
from mccfr.evaluate.street_sweeps import StreetSweeps
from mccfr.kernel.street_actors import BEST_VALUE, Judging
from mccfr.kernel.street_layout import CHILD, DEAL, NODE_WORDS
from mccfr.strategy.strategy import Strategy
from mccfr.tree.bucket_tree import BucketTree
from mccfr.tree.flop_trees import FlopTrees
from mccfr.tree.street_lines import LaidLines

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Watch = Callable[[int, int], None]  # told how many flops are done, and of how many
CONFIDENCE = 0.95
FEWEST_FLOPS = 4  # two halves of two


class FlopEstimate(NamedTuple):
    """What both players get by a best response, and by how much exploitability may be off; 0 with all flops."""

    best_response: tuple[float, float]
    margin: float
    flops: int


class FlopSource(Protocol):
    """Who computes what flops are worth: some at a time, with their kinds."""

    precision: str

    def values(self, kinds: list[int]) -> Iterator[tuple[list[int], Floats]]:
        """[kinds, players, nodes before the flop, hands] What a best response gets by the flops of each kind."""


def respond_by_flops(
    strategy: Strategy,
    trees: FlopTrees,
    source: FlopSource,
    flops: int,
    seed: int,
    watch: Watch,
    keep: str | os.PathLike[str] | None = None,
) -> FlopEstimate:
    """Best responses by so many flops, or by one of each kind if there are no more. keep: a file for what is done."""
    copies, laid = trees.copies, trees.plan.laid
    everything = flops >= len(copies)
    drawn = np.arange(len(copies)) if everything else draw_flops(copies, flops, np.random.default_rng(seed))
    kinds, which = np.unique(drawn, return_inverse=True)
    shape = (2, len(laid.nodes_of(0)), len(trees.plan.deck.cards))
    mark = fingerprint(strategy, kinds.tolist(), source.precision) if keep is not None else ""
    kept = KeptFlops(keep, mark, kinds.tolist(), shape, each=not everything)
    gather(source, kept, laid, watch)
    if everything:
        best = [respond(laid, kept.values[0, player], player)[0].sum() for player in (0, 1)]
        return FlopEstimate((float(best[0]), float(best[1])), 0.0, len(copies))
    weighted = kept.values[which]
    weighted[:, :, laid.kind[: shape[1]] == DEAL] *= (copies.sum() / copies[drawn])[:, None, None, None]
    found = np.stack([valued_by_halves(laid, weighted[:, player], player) for player in (0, 1)])
    mean = found.mean(axis=1)
    return FlopEstimate((float(mean[0]), float(mean[1])), half_width(found.mean(axis=0)), flops)


def gather(source: FlopSource, kept: KeptFlops, laid: LaidLines, watch: Watch) -> None:
    """Have all flops computed that are not done; whatever happens, those that are done are kept."""
    deals = laid.kind[: kept.values.shape[2]] == DEAL
    try:
        for kinds, values in source.values(kept.left):
            if not kept.each and kept.done.any():  # folds are worth the same with each flop: counted with the first
                values[:, :, ~deals] = 0.0
            elif not kept.each:
                values[1:, :, ~deals] = 0.0
            kept.add(kinds, values)
            watch(int(kept.done.sum()), len(kept.done))
    finally:
        kept.save()


def draw_flops(copies: Ints, flops: int, dice: np.random.Generator) -> Ints:
    """[flops] Kinds, in two halves: of each half one from every stratum, in proportion to their copies."""
    strata = flops // 2
    points = (np.tile(np.arange(strata), 2) + dice.random(2 * strata)) / strata
    return np.minimum(np.searchsorted(np.cumsum(copies), points * copies.sum(), side="right"), len(copies) - 1)


class SweptFlops:
    """Flops by the sweeps of street trees, on several threads."""

    def __init__(self, strategy: Strategy, buckets: BucketTree, trees: FlopTrees, workers: int) -> None:
        self.strategy, self.buckets, self.trees, self.workers = strategy, buckets, trees, workers
        self.precision = "swept"

    def values(self, kinds: list[int]) -> Iterator[tuple[list[int], Floats]]:
        """One flop at a time."""
        with ThreadPoolExecutor(max(1, self.workers), "mccfr") as pool:
            try:
                found = pool.map(lambda kind: values_of_flop(self.strategy, self.buckets, self.trees, kind), kinds)
                for kind, values in zip(kinds, found):
                    yield [kind], values[None]
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def values_of_flop(strategy: Strategy, buckets: BucketTree, trees: FlopTrees, kind: int) -> Floats:
    """[players, nodes before the flop, hands] What a best response gets by the flops of one kind.

    In float64 for small decks; in float32 for a full one, whose sweeps wait for memory.
    """
    tree = trees.tree(kind)
    precision = tree.precision()
    table = row_table(strategy, buckets, tree, precision)
    sweeps = StreetSweeps(tree, precision)
    nodes, hands = len(tree.laid.nodes_of(0)), tree.largest_infoset
    found, reach = np.zeros((2, nodes, hands)), np.zeros(2 * nodes * hands)
    for player in (0, 1):
        looking = Judging(BEST_VALUE, np.uint64(0), np.uint64(0), found[player].reshape(-1), reach)
        sweeps.sweep(looking, player, table)
    return found


def respond(laid: LaidLines, values: Floats, player: int, choices: Ints | None = None) -> tuple[Floats, Ints]:
    """[hands] what a player gets, and [nodes, hands] its choices: the best, unless they are given."""
    values, chosen = values.copy(), np.zeros(values.shape, np.int64)
    for node in reversed(range(len(values))):
        if laid.kind[node] > 1:
            continue
        first = int(laid.lines.nodes[node * int(NODE_WORDS) + int(CHILD)])
        below = values[first : first + int(laid.arity[node])]
        if laid.kind[node] != player:
            values[node] = below.sum(axis=0)
            continue
        chosen[node] = below.argmax(axis=0) if choices is None else choices[node]
        values[node] = np.take_along_axis(below, chosen[node][None], axis=0)[0]
    return values[0], chosen


def valued_by_halves(laid: LaidLines, values: Floats, player: int) -> Floats:
    """[flops] What choices made with the other half of the flops get by each flop."""
    middle = len(values) // 2
    halves, found = (values[:middle], values[middle:]), []
    for mine, other in (halves, halves[::-1]):
        choices = respond(laid, other.mean(axis=0), player)[1]
        found += [respond(laid, value, player, choices)[0].sum() for value in mine]
    return np.array(found)


def half_width(values: Floats) -> float:
    """Half of Student's interval for the mean."""
    from scipy.special import stdtrit

    deviation = float(values.std(ddof=1)) / np.sqrt(len(values))
    return float(stdtrit(len(values) - 1, (1 + CONFIDENCE) / 2) * deviation)
