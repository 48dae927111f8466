"""Endings of card games as orders of strength: what `mccfr.kernel.endings` needs in place of matrices."""

from collections.abc import Hashable, Mapping, Sequence
from typing import cast

import numpy as np
import numpy.typing as npt

from mccfr.errors import GameError
from mccfr.games.dealt import DealtRules, RankedRules, Ranking
from mccfr.kernel.endings import OneCard, TwoCards

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Ranked = OneCard | TwoCards


def rank_endings(game: str, rules: DealtRules, matrices: Mapping[Hashable, Floats]) -> Ranked | None:
    """The endings by strength, in the order of these matrices by keys; None if the rules do not offer it."""
    cards = rules.hole_cards() if hasattr(rules, "hole_cards") else None
    if cards is None:
        return None
    rankings = [cast(RankedRules, rules).ranking(key) for key in matrices]
    for (key, matrix), ranking in zip(matrices.items(), rankings):
        if not np.allclose(matrix_of(cards, ranking), matrix, rtol=1e-9, atol=1e-12 * np.abs(matrix).max()):
            raise GameError(f"{game}: ranking({key!r}) does not pay what matrix({key!r}) does")
    return ranked_endings(cards, rankings)


def ranked_endings(cards: npt.ArrayLike, rankings: Sequence[Ranking]) -> Ranked:
    """From the cards of the hands [hands, 1 or 2], and for every ending its ranking. Equal boards are kept once."""
    held = np.asarray(cards, np.int64)
    boards: dict[bytes, int] = {}
    board: list[int] = []
    alive: list[int] = []
    order, tiers = [], []
    for ranking in rankings:
        strength = np.asarray(ranking.strength, np.int64)
        board.append(boards.setdefault(strength.tobytes(), len(boards)))
        if board[-1] == len(alive):
            alive.append(int((strength >= 0).sum()))
            order.append(_order(held, strength))
            tiers.append(_tiers(strength[order[-1]]))
    worth = [np.array([float(getattr(ranking, name)) for ranking in rankings]) for name in ("level", "edge")]
    lists = [np.array(found, np.uint32) for found in (board, alive, order, *zip(*tiers))]
    if held.shape[1] == 1:
        return OneCard(*worth, *lists)
    return TwoCards(*worth, *lists, *(held[lists[2], side].astype(np.uint32) for side in (0, 1)))


def card_count(ranked: Ranked | None) -> int:
    """How many sums by cards an ending keeps."""
    return 1 + int(max(ranked.low.max(), ranked.high.max())) if isinstance(ranked, TwoCards) else 0


def _order(held: Ints, strength: Ints) -> Ints:
    """Hands that can be held, the weakest first, then the others.

    Of those that tie, hands whose cards have the same sum follow each other. They share no card, so that no addition to
    a card's sum waits for the one before it: a third of the time of a showdown.
    """
    sums = held.sum(axis=1) % (held.max() + 1)
    return np.lexsort((sums, np.where(strength < 0, np.iinfo(np.int64).max, strength)))


def _tiers(ordered: Ints) -> tuple[Ints, Ints]:
    """For every place of the order where those of the same strength begin and end."""
    ends = np.flatnonzero(np.append(np.diff(ordered) != 0, True)) + 1
    sizes = np.diff(ends, prepend=0)
    return np.repeat(ends - sizes, sizes), np.repeat(ends, sizes)


def matrix_of(cards: npt.ArrayLike, ranking: Ranking) -> Floats:
    """[hands, hands] The same ending as a matrix for player 0."""
    strength = np.asarray(ranking.strength, np.int64)
    held = np.asarray(cards, np.int64)
    apart = ~(held[:, None, :, None] == held[None, :, None, :]).any(axis=(2, 3))
    meet = apart & (strength >= 0)[:, None] & (strength >= 0)[None, :]
    return np.asarray(meet * (ranking.level + ranking.edge * np.sign(np.subtract.outer(strength, strength))))
