"""The boards of some flops, street by street, without those that only exchange suits: in arrays, for kernels.

The same boards as `mccfr.tree.street_boards` lists, which takes half a millisecond for each. Here the boards after one
are found together: every exchange of suits that is left turns every set of new cards into another, and of the sets
that are turned into each other the one with the smallest number stands for all.
"""

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]


class Exchanges(NamedTuple):
    """All exchanges of suits of a deck."""

    cards: Bytes  # [exchanges, cards] what becomes of each card; the first changes nothing


class StreetBoards(NamedTuple):
    """Boards of one street, those that follow a board side by side."""

    cards: Bytes  # [boards, cards]
    parent: Ints  # [boards]
    follow: Ints  # [boards before + 1]
    image: Ints  # [boards + 1] where the images of a board begin
    exchanged: Bytes  # [images] which exchange makes it


class _Some(NamedTuple):
    """The boards that follow one."""

    new: Bytes  # [boards, new cards]
    images: list[Ints]  # of each board, the exchanges that make the boards it stands for
    kept: list[Ints]  # of each board, the exchanges that leave it as it is


def exchanges_of(ranks: int, suits: int) -> Exchanges:
    """All exchanges of suits."""
    cards = np.arange(ranks * suits)
    turned = [cards // suits * suits + np.array(order)[cards % suits] for order in itertools.permutations(range(suits))]
    return Exchanges(np.array(turned, np.uint8))


def boards_of_flops(exchanges: Exchanges, flops: Bytes, deals: Sequence[int]) -> list[StreetBoards]:
    """All boards of these flops; a list for each street after the first.

    A flop has as images all flops of its kind. Each follows an empty board of its own, so that values stay apart.
    """
    count = exchanges.cards.shape[1]
    first = [_images(exchanges, np.arange(len(exchanges.cards)), flop[None], count) for flop in flops]
    image = np.concatenate(([0], np.cumsum([len(each.images[0]) for each in first])))
    found = [
        StreetBoards(
            flops, np.arange(len(flops)), np.arange(len(flops) + 1), image,
            np.concatenate([each.images[0] for each in first]).astype(np.uint8),
        )
    ]  # fmt: skip
    kept = [each.kept[0] for each in first]
    for new in deals[1:]:
        boards, kept = _street_after(exchanges, found[-1].cards, kept, new, count)
        found.append(boards)
    return found


def _street_after(
    exchanges: Exchanges, before: Bytes, kept: list[Ints], new: int, count: int
) -> tuple[StreetBoards, list[Ints]]:
    """The boards of the next street, and what leaves each as it is."""
    parts = [_following(exchanges, board, kept[t], new, count) for t, board in enumerate(before)]
    sizes = np.array([len(part.new) for part in parts])
    parent = np.repeat(np.arange(len(before)), sizes)
    images = [image for part in parts for image in part.images]
    boards = StreetBoards(
        np.hstack((before[parent], np.concatenate([part.new for part in parts]))),
        parent,
        np.concatenate(([0], np.cumsum(sizes))),
        np.concatenate(([0], np.cumsum([len(image) for image in images]))),
        np.concatenate(images).astype(np.uint8),
    )
    return boards, [each for part in parts for each in part.kept]


def _following(exchanges: Exchanges, board: Bytes, kept: Ints, new: int, count: int) -> _Some:
    """The boards after one; kept: the exchanges that leave it as it is."""
    left = np.setdiff1d(np.arange(count), board)
    if new == 1:
        sets = left[:, None]
    else:
        chosen = itertools.chain.from_iterable(itertools.combinations(left.tolist(), new))
        sets = np.fromiter(chosen, np.int64, math.comb(len(left), new) * new).reshape(-1, new)
    return _images(exchanges, kept, sets.astype(np.uint8), count)


def _images(exchanges: Exchanges, kept: Ints, sets: Bytes, count: int) -> _Some:
    """Of sets of cards that exchanges turn into each other the first, with its images."""
    if len(kept) == 1:
        nothing = kept[:1]
        return _Some(sets, [nothing] * len(sets), [nothing] * len(sets))
    codes = _codes(exchanges.cards[kept][:, sets], count)  # [exchanges, sets]
    first = codes[0] == codes.min(axis=0) if len(sets) > 1 else np.array([True])
    images, keeps = [], []
    for column in codes[:, first].T:
        images.append(kept[np.unique(column, return_index=True)[1]])
        keeps.append(kept[column == column[0]])
    return _Some(sets[first], images, keeps)


def _codes(cards: Bytes, count: int) -> Ints:
    """A number for each set of cards, the last axis, whatever their order."""
    ordered = np.sort(cards.astype(np.int64), axis=-1)
    found = np.zeros(ordered.shape[:-1], np.int64)
    for k in range(ordered.shape[-1]):
        found = found * count + ordered[..., k]
    return found
