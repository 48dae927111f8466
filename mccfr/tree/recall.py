"""Perfect recall: what a player did last before each of its infosets."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from mccfr.errors import TreeError
from mccfr.kernel.histories import trace_recall

NEVER = 0xFFFFFFFF  # an infoset that no node belongs to


def parents(
    game: str,
    nodes: npt.NDArray[np.uint32],
    labels: Sequence[str],
    players: int,
    path: Callable[[int], str] | None = None,
) -> npt.NDArray[np.int64]:
    """The mover's last entry before each infoset, -1 for none; refuses games in which its nodes differ in it.

    path: describes how a node is reached, for the refusal.
    """
    last = np.zeros(len(nodes) // 4 * players, dtype=np.uint32)
    parent = np.full(len(labels), NEVER, dtype=np.uint32)
    bad = int(trace_recall(nodes, np.uint64(players), last, parent))
    if bad:
        where = f"{game}, {path(bad)}" if path else game
        raise TreeError(
            f"{where}: the mover of infoset {labels[nodes[4 * bad + 2]]!r} acted differently before than at another "
            "node of the same infoset: imperfect recall is not supported"
        )
    return np.where(parent == NEVER, 0, parent).astype(np.int64) - 1
