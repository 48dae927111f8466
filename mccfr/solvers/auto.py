"""Which method an expert would take, and why."""

import numpy as np

from mccfr.kernel import layout
from mccfr.solvers.full_width_words import dcfr, lp, sapcfr_plus
from mccfr.solvers.method import Method
from mccfr.tree.history_tree import HistoryTree
from mccfr.tree.tree import Tree

LP_UP_TO = 50_000  # payoffs in the sequence form: about a second by linear programming


def choose_method(tree: Tree) -> tuple[Method, str]:
    """A method for this tree and the reason, in one sentence. docs/choosing-a-method.md has the measurements."""
    if tree.streets is not None:
        return dcfr(1.5, 0, 3), "full sweeps are used for hold'em with every card"
    if tree.public is not None:
        return dcfr(), "full sweeps are used for public trees"
    payoffs = len(tree.written.sequence_form.first.worth)
    if payoffs <= LP_UP_TO:
        return lp(), f"{payoffs:,} payoffs: a linear programme is exact and takes about a second"
    many = f"{payoffs:,} payoffs: too many for a quick linear programme, few enough for full sweeps"
    if _has_chance(tree.written):
        return dcfr(), many
    return sapcfr_plus(), f"{many}; without chance, forecasts of regrets come true"


def _has_chance(tree: HistoryTree) -> bool:
    kinds = tree.nodes[3::4] & 255
    return bool(np.any((kinds == int(layout.CHANCE)) | (kinds == int(layout.FAIR))))
