"""How a written-out tree lies in memory, and the integer types kernels index with.

A node is four 32-bit words (16 bytes), its children lie side by side, and blocks of children follow depth first:

    word       decision                chance                     terminal
    0 CHILD    first child             first child                payoff of player 0, a float64 over words 0 and 1
    1 ROW      first table entry       first entry of its odds    (or, with more than two players, a row of payoffs)
    2 INFOSET  number of the infoset   0                          0
    3 KIND     kind | arity << 8       kind | arity << 8          TERMINAL

Indices are uint64 inside kernels: no test for negative ones (1.2 to 2 times faster).
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.kernel.witness import Silent

u64, f64 = np.uint64, np.float64
U0, U1, U2, U3, U6, U8, U32 = (u64(j) for j in (0, 1, 2, 3, 6, 8, 32))
BYTE, LAST_BITS = u64(255), u64(63)

CHILD, ROW, INFOSET, KIND = 0, 1, 2, 3
HANDS = 2  # in a public tree: the number of the list of hands that the mover may hold
CHANCE, FAIR, TERMINAL = u64(253), u64(254), u64(255)  # smaller kinds are players; FAIR: every outcome equally likely
MAX_PLAYERS = 250
MAX_ARITY = 2**24 - 1


class Table(NamedTuple):
    """One entry per infoset and action. `current` is kept up to date by whoever changes `regret`."""

    current: npt.NDArray[np.float64]
    regret: npt.NDArray[np.float64]
    average: npt.NDArray[np.float64]


class LeanTable(NamedTuple):
    """A table without `current`: the strategy is worked out from the regrets whenever a walk comes by."""

    regret: npt.NDArray[Any]  # float32, or float64
    average: npt.NDArray[np.float64]


class Rounded(NamedTuple):
    """A table and how far sums in one of its rows are rounded: see `mccfr.tree.ties`."""

    current: npt.NDArray[np.float64]
    regret: npt.NDArray[np.float64]
    average: npt.NDArray[np.float64]
    tie: float


class Near(NamedTuple):
    """Of a tree that stays in the processor's cache."""


class Far(NamedTuple):
    """Of a tree that does not: walks look ahead."""


class FarRows(NamedTuple):
    """Of a small tree whose tables do not: walks look ahead to rows."""


class FlatTree(NamedTuple):
    """A written-out tree for a walk."""

    nodes: npt.NDArray[np.uint32]  # [4 nodes]
    reals: npt.NDArray[np.float64]  # the same memory: the payoff of terminal h is reals[2 h]
    odds: npt.NDArray[np.float64]
    memory: Near | Far = Near()

    def __reduce__(self) -> tuple[Any, ...]:
        """Sent to another process, the memory is sent once."""
        return _flat_tree, (self.nodes, self.odds, self.memory)


def _flat_tree(nodes: npt.NDArray[np.uint32], odds: npt.NDArray[np.float64], memory: Near | Far) -> FlatTree:
    return FlatTree(nodes, nodes.view(np.float64), odds, memory)


class Work(NamedTuple):
    """What one walker needs while walking."""

    frame: npt.NDArray[np.uint64]  # [8 depth]
    real: npt.NDArray[np.float64]  # [stride depth]
    spare: npt.NDArray[np.float64]  # [arity] for rollouts
    touched: npt.NDArray[np.uint64]  # [1] nodes touched so far
    dice: Any  # where random numbers come from
    stride: np.uint64  # reals of a frame
    arity: np.uint64  # the most actions of a node
    held: npt.NDArray[np.uint64]  # what the tree keeps of the hands that were dealt
    luck: Any  # where events of chance come from: see `mccfr.kernel.dealing`
    witness: Any = Silent()  # who is told what the walk does


class Side(NamedTuple):
    """One player's half of the sequence form. Sequence 0 is empty; infosets are ordered parents first.

    Infoset j owns the sequences row[j] .. row[j+1]-1, one per action, and follows the sequence parent[j].
    Sequence s ends the game against sequence other[z] of the other player, for worth[z] (chance times utility of this
    player), for z in start[s] .. start[s+1]-1. Entry of sequence s > 0 in the tables: base + s - 1.
    Regrets of infoset j that sum to no more than tie[j] are 0.
    """

    base: np.int64
    row: npt.NDArray[np.uint32]
    parent: npt.NDArray[np.uint32]
    start: npt.NDArray[np.uint32]
    other: npt.NDArray[np.uint32]
    worth: npt.NDArray[np.float64]
    tie: npt.NDArray[np.float64]
