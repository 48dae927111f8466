"""Boards laid out for sweeps: those that can follow one another, without those that only exchange suits.

An exchange of suits may be used where it leaves the game as it is: the board at the start, both ranges and everything
that is locked. On a board, what is left are the exchanges that keep each street's cards together. Boards that such an
exchange turns into each other are laid out once, with an image for each.
"""

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.kernel.streets import Boards

NOWHERE = 65535  # no place in a list of hands

Numbers = npt.NDArray[np.int64]
Cards = tuple[int, ...]


class Exchange(NamedTuple):
    """A permutation of suits: what it makes of every card and of every hand."""

    cards: Numbers
    hands: Numbers


class Board(NamedTuple):
    """A board among those that are laid out."""

    cards: Cards  # all of them, in the order in which they came
    street: int
    parent: int  # the board before, -1 for the first
    images: tuple[Exchange, ...]  # what makes it each of the boards it stands for; the first leaves it as it is
    keeps: tuple[Exchange, ...]  # what leaves it as it is, and all boards before it


class LaidBoards(NamedTuple):
    """All boards for the kernel, and the hands of each."""

    boards: Boards
    listed: list[Board]
    members: list[Numbers]  # by 2 board + player: numbers of hands in the deck
    deck: "HandDeck"

    def find(self, dealt: Sequence[Cards]) -> tuple[int, Exchange]:
        """The board that stands for these cards, dealt street by street, and what makes these cards of it."""
        at, turned = 0, self.listed[0].images[0]
        for cards in dealt:
            first, end = self.boards.follow[2 * at : 2 * at + 2].tolist()
            back = _inverse(turned)
            wanted = frozenset(int(back.cards[card]) for card in cards)
            for b in range(first, end):
                new = self.listed[b].cards[len(self.listed[at].cards) :]
                for image in self.listed[b].images:
                    if frozenset(image.cards[list(new)].tolist()) == wanted:
                        at, turned = b, compose(turned, image)
                        break
                else:
                    continue
                break
            else:
                raise KeyError(cards)
        return at, turned


class HandDeck:
    """The hands of a deck by number: high card (high card - 1) / 2 + low card."""

    def __init__(self, ranks: int, suits: int) -> None:
        self.ranks, self.suits, self.count = ranks, suits, ranks * suits
        self.cards = np.array([(low, high) for high in range(self.count) for low in range(high)])
        self.low, self.high = self.cards.T

    def number(self, one: Numbers, other: Numbers) -> Numbers:
        """The hands of two cards each."""
        low, high = np.minimum(one, other), np.maximum(one, other)
        return np.asarray(high * (high - 1) // 2 + low)

    def exchanges(self) -> Iterator[Exchange]:
        """All permutations of suits; the first changes nothing."""
        cards = np.arange(self.count)
        for suits in itertools.permutations(range(self.suits)):
            moved = cards // self.suits * self.suits + np.array(suits)[cards % self.suits]
            yield Exchange(moved, self.number(moved[self.low], moved[self.high]))

    def blocked(self, cards: Cards) -> npt.NDArray[np.bool_]:
        """[hands] Which hands have one of these cards."""
        seen = np.zeros(self.count, bool)
        seen[list(cards)] = True
        return np.asarray(seen[self.low] | seen[self.high])


@functools.cache
def hand_deck(ranks: int, suits: int) -> HandDeck:
    """The hands of a deck, made once."""
    return HandDeck(ranks, suits)


def compose(after: Exchange, before: Exchange) -> Exchange:
    """First the one, then the other."""
    return Exchange(after.cards[before.cards], after.hands[before.hands])


def _inverse(one: Exchange) -> Exchange:
    return Exchange(np.argsort(one.cards), np.argsort(one.hands))


def list_boards(
    deck: HandDeck, board: Cards, deals: Sequence[int], keeps: tuple[Exchange, ...], most: int
) -> list[Board] | int:
    """All boards, street after street, those that follow a board side by side; or how many, if more than `most`."""
    nothing = next(deck.exchanges())
    found = [Board(board, 0, -1, (nothing,), _keeping(board, keeps))]
    begin = 0
    for street, count in enumerate(deals, start=1):
        end = len(found)
        for parent in range(begin, end):
            found += _following(deck, found[parent], parent, street, count)
            if len(found) > most:
                share = (len(found) - end) / (parent + 1 - begin)
                return int(share * (end - begin))
        begin = end
    return found


def _following(deck: HandDeck, before: Board, parent: int, street: int, count: int) -> Iterator[Board]:
    """The boards after one, each with what makes it those that it stands for."""
    left = [card for card in range(deck.count) if card not in before.cards]
    seen: set[Cards] = set()
    for new in itertools.combinations(left, count):
        if new in seen:
            continue
        images: dict[Cards, Exchange] = {}
        for exchange in before.keeps:
            images.setdefault(tuple(sorted(exchange.cards[list(new)].tolist())), exchange)
        seen.update(images)
        yield Board((*before.cards, *new), street, parent, tuple(images.values()), _keeping(new, before.keeps))


def _keeping(cards: Cards, keeps: tuple[Exchange, ...]) -> tuple[Exchange, ...]:
    return tuple(one for one in keeps if set(one.cards[list(cards)].tolist()) == set(cards))


def deal_chances(deck_cards: int, board: int, deals: Sequence[int]) -> npt.NDArray[np.float64]:
    """[streets] How likely the boards of a street are, given two hands of two cards."""
    found, left = [1.0], deck_cards - board - 4
    for count in deals:
        found.append(found[-1] / math.comb(left, count))
        left -= count
    return np.array(found)


def lay_boards(
    deck: HandDeck,
    listed: list[Board],
    held: tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]],
    entries: Numbers,
    strengths: Callable[[Cards], npt.NDArray[np.int16]],
) -> LaidBoards:
    """Lay boards out. held: which hands a player may hold; entries: [streets, 2] table entries of a hand."""
    last = len(entries) - 1
    lists: dict[str, list[npt.NDArray[np.integer]]] = {name: [] for name in ("weaker", "upto", "twin", "leader", "up")}
    members: list[Numbers] = []
    image, follow = [0], np.zeros((len(listed), 2), np.int64)
    uneven = np.zeros(len(listed), np.uint8)
    for b, board in enumerate(listed):
        free = ~deck.blocked(board.cards)
        strength = strengths(board.cards) if board.street == last else None
        both = [_ordered(np.flatnonzero(held[p] & free), strength) for p in (0, 1)]
        members += both
        leaders = [_leaders(mine, board.keeps, deck) for mine in both]
        uneven[b] = any((leader != np.arange(len(leader))).any() for leader in leaders)
        lists["leader"] += leaders
        for p in (0, 1):
            mine, other = both[p], both[1 - p]
            lists["twin"].append(_places(other, deck)[mine])
            compared = strength is not None
            for name, side in (("weaker", "left"), ("upto", "right")):
                place = np.searchsorted(strength[other], strength[mine], side) if compared else np.zeros(len(mine))  # type: ignore[index, call-overload]
                lists[name].append(place)
        if board.parent >= 0:
            above = [_places(members[2 * board.parent + p], deck) for p in (0, 1)]
            lists["up"] += [above[p][one.hands[both[p]]] for one in board.images for p in (0, 1)]
            follow[board.parent, 0] = follow[board.parent, 0] or b
            follow[board.parent, 1] = b + 1
        image.append(image[-1] + (len(board.images) if board.parent >= 0 else 0))
    sizes = np.array([len(mine) for mine in members])
    streets = np.array([board.street for board in listed])
    return LaidBoards(_for_kernel(deck, members, sizes, lists, uneven, _bases(sizes, entries[streets]), follow, image), listed, members, deck)  # fmt: skip


def _for_kernel(
    deck: HandDeck,
    members: list[Numbers],
    sizes: Numbers,
    lists: dict[str, list[npt.NDArray[np.integer]]],
    uneven: npt.NDArray[np.uint8],
    base: Numbers,
    follow: Numbers,
    image: list[int],
) -> Boards:
    hands = np.concatenate(members)
    up_sizes = [len(up) for up in lists["up"]]
    joined = {name: np.concatenate(arrays).astype(np.uint16) if arrays else np.zeros(0, np.uint16) for name, arrays in lists.items()}  # fmt: skip
    return Boards(
        np.cumsum([0, *sizes]).astype(np.uint32), deck.low[hands].astype(np.uint8), deck.high[hands].astype(np.uint8),
        joined["weaker"], joined["upto"], joined["twin"], joined["leader"], uneven, base.astype(np.uint64),
        follow.reshape(-1).astype(np.uint32), np.array(image, np.uint32), np.cumsum([0, *up_sizes]).astype(np.uint32),
        joined["up"],
    )  # fmt: skip


def _bases(sizes: Numbers, entries: Numbers) -> Numbers:
    """[2 boards] First table entries: player 0's boards come first, then player 1's."""
    counts = sizes.reshape(-1, 2) * entries
    ends = np.cumsum(counts.T.reshape(-1))
    return np.asarray((ends - counts.T.reshape(-1)).reshape(2, -1).T.reshape(-1))


def _ordered(hands: Numbers, strength: npt.NDArray[np.int16] | None) -> Numbers:
    return hands if strength is None else hands[np.argsort(strength[hands], kind="stable")]


def _places(hands: Numbers, deck: HandDeck) -> Numbers:
    """[hands of the deck] The place of each hand in a list."""
    found = np.full(len(deck.cards), NOWHERE)
    found[hands] = np.arange(len(hands))
    return found


def _leaders(hands: Numbers, keeps: tuple[Exchange, ...], deck: HandDeck) -> Numbers:
    """For each hand of a list the first place of those that exchanges turn it into."""
    if len(keeps) == 1:
        return np.arange(len(hands))
    places = _places(hands, deck)
    return np.asarray(np.min([places[one.hands[hands]] for one in keeps], axis=0))
