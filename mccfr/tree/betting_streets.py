"""A betting tree street by street: what the betting of one street can come to, from its first node on."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.flat_tree import FOLD_BY_0, SHOWDOWN, BettingTree


class StreetPart(NamedTuple):
    """What the betting of one street can come to from its first node on."""

    decisions: list[int]  # parents before children
    folds: list[int]
    showdowns: list[int]
    later: list[int]  # first nodes of the next street

    @property
    def nodes(self) -> int:
        """All of them."""
        return sum(map(len, self))


def who_folds(betting: BettingTree, folds: list[int]) -> npt.NDArray[np.int64]:
    """[folds] the player who has folded."""
    return FOLD_BY_0 - betting.kind[folds].astype(np.int64)


def street_parts(betting: BettingTree) -> dict[int, StreetPart]:
    """For the first node of every street: what the betting can come to."""
    parts: dict[int, StreetPart] = {}
    starts = [0]
    while starts:
        start = starts.pop()
        parts[start] = part = StreetPart([], [], [], [])
        pending = [start]
        while pending:
            node = pending.pop()
            kind = int(betting.kind[node])
            if betting.street[node] > betting.street[start]:
                part.later.append(node)
            elif kind >= 0:
                part.decisions.append(node)
                pending += betting.children(node)
            else:
                (part.showdowns if kind == SHOWDOWN else part.folds).append(node)
        starts += part.later
    return parts
