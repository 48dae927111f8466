"""Strategies made from a strategy: purified, with small probabilities cut off, and Lin's seven variants.

[Lin 2024] section 8 describes its variants in words; the numbers are ours:

    aggressive        fold x 0.5, a raise of s pots x (1 + s)
    tight             fold x 2, a raise of s pots / (1 + s)
    random            every move alike
    calling           a check or call has at least 0.7
    tight_aggressive  tight where the row wins less than half of its showdowns, aggressive elsewhere
    deterministic     the likeliest move
    initial           the rules of thumb that training may begin with

each normalised afterwards. `cut(0.02)` removes probabilities below 2 % and `purified` all but the largest, by which
strategies of small abstractions often get stronger [Ganzfried 2012].
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import CALLS, CHECKS, FOLDS
from mccfr.errors import StrategyError, nearest, quoted
from mccfr.playing.translation import raises_of
from mccfr.strategy.strategy import Origin, Strategy
from mccfr.tree.bucket_tree import BucketTree
from mccfr.tree.showdown_rates import showdown_counts, win_rates

Floats = npt.NDArray[np.float64]
Change = Callable[[BucketTree, int, Floats], Floats]  # of the [rows, moves] of a node

FOLDS_LESS, FOLDS_MORE, CALLS_AT_LEAST, STRONG_ROW = 0.5, 2.0, 0.7, 0.5


def purified(strategy: Strategy) -> Strategy:
    """Only the likeliest move everywhere, of equal ones the first."""
    return changed(strategy, "purified", lambda tree, node, p: likeliest(p))


def cut(strategy: Strategy, below: float = 0.02) -> Strategy:
    """Without moves less likely than `below`; the likeliest move stays."""
    if not 0.0 <= below < 1.0:
        raise StrategyError(f"cut({below}): expected a probability from 0 to less than 1, as in cut(0.02)")
    return changed(strategy, f"cut({below:g})", lambda tree, node, p: np.where(p < below, 0.0, p) + tiny(p))


def variant(name: str, strategy: Strategy) -> Strategy:
    """One of Lin's seven variants of a strategy."""
    if name not in VARIANTS:
        raise StrategyError(f"no variant {quoted(name)}; {nearest(name, VARIANTS)}")
    return changed(strategy, f"variant({name})", VARIANTS[name])


def changed(strategy: Strategy, what: str, change: Change) -> Strategy:
    """A strategy whose probabilities are changed node by node, and then normalised."""
    tree = strategy.tree.buckets
    if tree is None:
        raise StrategyError(f"{what} is for hold'em through buckets, not for {strategy.game}")
    found = np.zeros(len(strategy.probabilities), np.float32)
    for node, (old, new) in tree.infosets.each_part(strategy.probabilities, found):
        weights = change(tree, node, old.astype(np.float64))
        new[:] = weights / weights.sum(axis=1, keepdims=True)
    origin = Origin(strategy.game, f"{what} of {strategy.origin.method}", iterations=strategy.origin.iterations)
    return Strategy(tree.infosets, found, origin, tree=tree)  # type: ignore[arg-type]


def likeliest(p: Floats) -> Floats:
    """1 for the largest of each row, the first of equal ones."""
    return (np.arange(p.shape[1]) == p.argmax(axis=1)[:, None]).astype(np.float64)


def tiny(p: Floats) -> Floats:
    """What keeps a row from vanishing: its largest probability stays, whatever is cut."""
    return np.where(likeliest(p) > 0.0, 1e-30, 0.0)


def sizes_of_raises(tree: BucketTree, node: int) -> Floats:
    """[moves] bets and raises in pots, 0 for other moves."""
    found = np.zeros(int(tree.betting.arity[node]))
    numbers, shares = raises_of(tree.betting, node)
    found[numbers] = [float(share) for share in shares]
    return found


def kinds_of(tree: BucketTree, node: int) -> npt.NDArray[np.int8]:
    """[moves] the kinds of moves of a node."""
    kinds: npt.NDArray[np.int8] = tree.betting.move_kind[list(tree.betting.children(node))]
    return kinds


def aggressive(tree: BucketTree, node: int, p: Floats) -> Floats:
    """Folds half as often; a raise of s pots counts 1 + s times as much."""
    return p * (1.0 + sizes_of_raises(tree, node)) * np.where(kinds_of(tree, node) == FOLDS, FOLDS_LESS, 1.0) + tiny(p)


def tight(tree: BucketTree, node: int, p: Floats) -> Floats:
    """Folds twice as often; a raise of s pots counts 1 / (1 + s) times as much."""
    return p / (1.0 + sizes_of_raises(tree, node)) * np.where(kinds_of(tree, node) == FOLDS, FOLDS_MORE, 1.0) + tiny(p)


def uniformly(tree: BucketTree, node: int, p: Floats) -> Floats:
    """Every move alike."""
    return np.ones_like(p)


def calling(tree: BucketTree, node: int, p: Floats) -> Floats:
    """A check or call has at least 0.7; the others share the rest as before."""
    passive = np.isin(kinds_of(tree, node), (CHECKS, CALLS))
    called = p[:, passive].sum(axis=1, keepdims=True)
    share = np.maximum(called, CALLS_AT_LEAST)
    others = np.where(called < 1.0, (1.0 - share) / np.where(called < 1.0, 1.0 - called, 1.0), 0.0)
    return np.where(passive, share, p * others)


def tight_aggressive(tree: BucketTree, node: int, p: Floats) -> Floats:
    """Tight with weak rows and aggressive with strong ones."""
    rates = rates_of_rows(tree)[int(tree.betting.street[node])]
    return np.where((rates < STRONG_ROW)[:, None], tight(tree, node, p), aggressive(tree, node, p))


def initial(tree: BucketTree, node: int, p: Floats) -> Floats:
    """The rules of thumb of `prior`, by the win rate of a row."""
    from mccfr.betting.rules_of_thumb import prior_weights

    rates = rates_of_rows(tree)[int(tree.betting.street[node])]
    return np.asarray(prior_weights(rates, tree.betting.moves(node)))


def rates_of_rows(tree: BucketTree) -> list[Floats]:
    """For each street [rows] how often a row wins at the showdown, ties half."""
    kept: list[Floats] | None = tree.__dict__.get("rates_of_rows")
    if kept is None:
        kept = [np.asarray(win_rates(counts)) for counts in showdown_counts(tree.fit, tree.cards)]
        tree.__dict__["rates_of_rows"] = kept
    return kept


VARIANTS: dict[str, Change] = {
    "aggressive": aggressive,
    "tight": tight,
    "random": uniformly,
    "calling": calling,
    "tight_aggressive": tight_aggressive,
    "deterministic": lambda tree, node, p: likeliest(p),
    "initial": initial,
}
