"""Which method an expert would take, and why."""

from mccfr.solvers.full_width_words import dcfr, lp
from mccfr.solvers.method import Method
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
    return dcfr(), f"{payoffs:,} payoffs: too many for a quick linear programme, few enough for full sweeps"
