"""How often the cards of a row win, tie and lose at the showdown: counted over random deals, and kept. [Lin 2024, 7]"""

import numpy as np
import numpy.typing as npt

from mccfr.buckets.bucketing import Arrays, Fit
from mccfr.buckets.kept import kept_arrays, kept_file
from mccfr.kernel.bucket_rows import HELD
from mccfr.kernel.card_dealing import DealtCards, deal_many
from mccfr.kernel.dice import seeded

DEALS, PIECE, SEED = 4_000_000, 250_000, 2024
LOSS, TIE, WIN = range(3)


def showdown_counts(fit: Fit, cards: DealtCards) -> list[npt.NDArray[np.int64]]:
    """[rows, 3] of each street: how many deals lost, tied and won, of DEALS deals with both players counted."""
    streets = range(fit.cards.streets)
    kinds = {f"street{s}": (np.int64, (fit.rows[s], 3)) for s in streets}
    path = kept_file(f"showdowns-{fit.checksum[:32]}.mccfr")

    def wrong(arrays: Arrays) -> str:
        return "" if all(int(array.sum()) == 2 * DEALS for array in arrays.values()) else "deals are missing"

    found = kept_arrays(path, f"{fit.checksum} {DEALS}", kinds, lambda: _count(fit, cards), wrong)
    return [found[f"street{s}"] for s in streets]


def win_rates(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """P(win) + P(tie) / 2 of each row; 1/2 where nothing is known."""
    total = counts.sum(axis=1)
    return np.where(total > 0, (counts[:, WIN] + counts[:, TIE] / 2) / np.maximum(total, 1), 0.5)


def _count(fit: Fit, cards: DealtCards) -> Arrays:
    found = [np.zeros((rows, 3), np.int64) for rows in fit.rows]
    out, held = np.zeros((PIECE, 9), np.uint64), np.zeros(HELD, np.uint64)
    for piece in range(DEALS // PIECE):
        deal_many(cards, held, seeded(SEED, piece), out)
        winner = out[:, 8].astype(np.int64)
        for street, counts in enumerate(found):
            for player, result in ((0, winner), (1, 2 - winner)):
                rows = out[:, 4 * player + street].astype(np.int64)
                counts += np.bincount(3 * rows + result, minlength=counts.size).reshape(counts.shape)
    return {f"street{s}": counts for s, counts in enumerate(found)}
