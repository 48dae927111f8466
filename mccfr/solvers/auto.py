"""Which method an expert would take, and why."""

from mccfr.solvers.method import Method, lp, pcfr_plus
from mccfr.tree.tree import Tree

LP_UP_TO = 30_000  # payoffs in the sequence form


def choose_method(tree: Tree) -> tuple[Method, str]:
    """A method for this tree and the reason, in one sentence."""
    terminals = len(tree.sequence_form.first.worth)
    if terminals <= LP_UP_TO:
        return lp(), f"{terminals:,} payoffs: a linear programme is exact and takes about a second"
    return pcfr_plus(), f"{terminals:,} payoffs: too many for a quick linear programme, few enough to sweep in full"
