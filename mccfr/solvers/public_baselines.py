"""The tables of baselines on a public tree: a number for every edge and pair of hands, or for every edge and hand."""

from typing import Any

import numpy as np

from mccfr.kernel.estimators import History, Infoset, Plain, Predictive
from mccfr.kernel.pair_baselines import HandBaseline
from mccfr.solvers.bind import static_strategy
from mccfr.tree.dealt_tree import DealtTree


def bound_baseline(estimator: Any, tree: DealtTree) -> Any:
    """The estimator with its tables for this tree."""
    pairs = len(tree.hands[0]) * len(tree.hands[1])
    if isinstance(estimator, Plain):
        return estimator
    numbers = 2 * max(map(len, tree.hands)) if isinstance(estimator, Infoset) else pairs
    tree.require(8 * numbers * len(tree), f"baselines of {len(tree):,} public nodes x {numbers:,} numbers")
    if isinstance(estimator, Infoset):
        key, law = tree.chance_reach
        table = np.zeros(2 * len(tree) * max(map(len, tree.hands)))
        return HandBaseline(estimator.rate, table, np.zeros(2 * len(tree)), law.reshape(-1), key)
    if isinstance(estimator, History):
        return estimator._replace(table=np.zeros(len(tree) * pairs), visits=np.zeros(len(tree)))
    if isinstance(estimator, Predictive):
        return estimator._replace(table=np.zeros(len(tree) * pairs))
    probabilities = static_strategy(estimator.strategy, tree)
    return estimator._replace(strategy=0, table=tree.pair_values(probabilities))
