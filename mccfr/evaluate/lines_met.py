"""What a strategy leaves out, and best responses need not compute: lines it never plays, and sequences that are alike.

A trained strategy leaves out little. Simple ones, such as always-call and uniform, leave out nearly everything: one
never raises, and of the other all sequences of moves on a street have the same reach up to a factor.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mccfr.evaluate.line_shapes import POP, SOURCES, Step, Steps
from mccfr.kernel.street_layout import CHILD, DEAL, NODE_WORDS, SHOWDOWN
from mccfr.tree.street_lines import LaidLines

Floats = npt.NDArray[np.floating[Any]]
Met = npt.NDArray[np.bool_]  # [players, nodes]
SAME = 1e-12  # how far numbers between 0 and 1 may be apart
SHOWN, DEALT = SOURCES[int(SHOWDOWN)], SOURCES[int(DEAL)]


class MoveRows(Protocol):
    """A strategy by rows."""

    def move(self, node: int, move: int, street: int) -> Floats:
        """[rows] How likely a move is."""


def nodes_met(laid: LaidLines, strategy: MoveRows) -> Met:
    """Which nodes each player's own moves can lead to with some row, street by street."""
    found = np.zeros((2, len(laid.kind)), np.bool_)
    found[:, 0] = True
    roots = dict(laid.lines.links.reshape(-1, 2).astype(int).tolist())
    children = laid.lines.nodes.reshape(-1, int(NODE_WORDS))[:, int(CHILD)].astype(int)
    for street in range(laid.streets):
        for node in laid.nodes_of(street):  # what comes after a node has a larger number
            if node in roots:
                found[:, roots[node]] = found[:, node]
            for move in range(int(laid.arity[node])):
                below, player = int(children[node]) + move, int(laid.kind[node])
                found[:, below] = found[:, node]
                found[player, below] &= bool(strategy.move(node, move, street).any())
    return found


class Merged(NamedTuple):
    """Steps with as few sequences as possible, their weights, and what the endings of each step count times."""

    steps: Steps
    weights: Floats  # [sequences, rows, lanes]
    times: list[Floats]  # [steps][lanes]


def merge_alike(steps: Steps, weights: Floats) -> Merged:
    """One sequence for all whose weights, [sequences, rows, lanes], are multiples of each other in every lane."""
    peak = weights.max(axis=1, initial=0.0)
    shape = np.divide(weights, peak[:, None], out=np.zeros_like(weights), where=peak[:, None] > 0)
    chosen: list[int] = []
    stands = np.zeros(len(weights), int)  # of each sequence, which of the chosen ones stands for it
    for s in np.argsort(-(peak > 0).sum(axis=1), kind="stable").tolist():
        alike = (at for at, other in enumerate(chosen) if _multiple(shape[s], shape[other], peak[s] > 0))
        stands[s] = next(alike, len(chosen))
        if stands[s] == len(chosen):
            chosen.append(s)
    factor = np.divide(peak, peak[np.array(chosen, int)][stands], out=np.zeros_like(peak), where=peak > 0)
    return _with_chosen(steps, weights, chosen, stands.tolist(), factor)


def _multiple(one: Floats, other: Floats, lanes: Met) -> bool:
    """Whether two shapes, [rows, lanes], are the same in some lanes; most are told apart by the first rows."""
    few = slice(0, 8)
    if np.abs(one[few] - other[few])[:, lanes].max(initial=0.0) > SAME:
        return False
    return bool(np.abs(one - other)[:, lanes].max(initial=0.0) <= SAME)


def _with_chosen(steps: Steps, weights: Floats, chosen: list[int], stands: list[int], factor: Floats) -> Merged:
    """The same steps with chosen sequences only."""
    shows, folds = (list(dict.fromkeys(stands[s] for s in met)) for met in (steps.shows, steps.folds))
    found: list[Step] = []
    times: list[Floats] = []
    for step in steps.steps:
        number, counts = 0, np.ones(weights.shape[2])
        if step.source not in (POP, DEALT):
            old, new = (steps.shows, shows) if step.source == SHOWN else (steps.folds, folds)
            sequence = old[step.number]
            number, counts = new.index(stands[sequence]), factor[sequence]
        found.append(Step(step.move, step.source, number, step.node))
        times.append(counts)
    kept = [steps.sequences[s] for s in chosen]
    return Merged(Steps(kept, shows, folds, found, steps.deepest), weights[chosen], times)
