"""Boards laid out for sweeps: those that can follow one another, without those that only exchange suits.

An exchange of suits may be used where it leaves the game as it is: the board at the start, both ranges and everything
that is locked. On a board, what is left are the exchanges that keep each street's cards together. Boards that such an
exchange turns into each other are laid out once, with an image for each.
"""

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.kernel.street_layout import HAND_WORDS, LEADER, Boards

NOWHERE = 65535  # no place in a list of hands

Numbers = npt.NDArray[np.int64]
Places = npt.NDArray[np.uint16]
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
    street: Numbers  # [boards]
    follow: Numbers  # [boards, 2] the first board that follows, and the one after the last
    deck: "HandDeck"

    def find(self, dealt: Sequence[Cards]) -> tuple[int, Exchange]:
        """The board that stands for these cards, dealt street by street, and what makes these cards of it."""
        at, turned = 0, self.listed[0].images[0]
        for cards in dealt:
            first, end = self.follow[at].tolist()
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

    def leaders(self, player: int) -> Numbers:
        """For each hand on the first board the place of the one whose strategy it shares; none for no player."""
        start, end = self.boards.start[player : player + 2].tolist() if player >= 0 else (0, 0)
        return np.asarray(self.boards.hands.reshape(-1, int(HAND_WORDS))[start:end, int(LEADER)], np.int64)


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
    return boards_after(deck, [Board(board, 0, -1, (nothing,), _keeping(board, keeps))], deals, most)


def boards_after(deck: HandDeck, found: list[Board], deals: Sequence[int], most: int) -> list[Board] | int:
    """Some boards, of which the last is alone on its street, and all that can follow it."""
    begin, found = len(found) - 1, list(found)
    for street in range(found[-1].street + 1, len(deals) + 1):
        end = len(found)
        for parent in range(begin, end):
            found += _following(deck, found[parent], parent, street, deals[street - 1])
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
    lists = _HandLists(deck)
    follow = np.zeros((len(listed), 2), np.int64)
    for b, board in enumerate(listed):
        strength = strengths(board.cards) if board.street == len(entries) - 1 else None
        free = ~deck.blocked(board.cards)
        lists.add(board, [_ordered(np.flatnonzero(mine & free), strength) for mine in held], strength)
        if board.parent >= 0:
            follow[board.parent, 0] = follow[board.parent, 0] or b
            follow[board.parent, 1] = b + 1
    streets = np.array([board.street for board in listed])
    return LaidBoards(lists.for_kernel(streets, entries, follow), listed, lists.members, streets, follow, deck)


class _HandLists:
    """What the kernel is told about hands, board by board and player by player."""

    def __init__(self, deck: HandDeck) -> None:
        self.deck = deck
        self.members: list[Numbers] = []
        self.weaker: list[Places] = []
        self.upto: list[Places] = []
        self.twin: list[Places] = []
        self.leader: list[Places] = []
        self.up: list[Places] = []
        self.uneven: list[bool] = []
        self.images = [0]

    def add(self, board: Board, both: list[Numbers], strength: npt.NDArray[np.int16] | None) -> None:
        """The hands of both players on a board; their strengths on the last street."""
        self.members += both
        leaders = [_leaders(mine, board.keeps, self.deck) for mine in both]
        self.leader += [leader.astype(np.uint16) for leader in leaders]
        self.uneven.append(any((leader != np.arange(len(leader))).any() for leader in leaders))
        for mine, other in (both, both[::-1]):
            self.twin.append(_places(other, self.deck)[mine].astype(np.uint16))
            ranks = np.zeros(len(self.deck.cards), np.int16) if strength is None else strength
            self.weaker.append(np.searchsorted(ranks[other], ranks[mine], "left").astype(np.uint16))
            self.upto.append(np.searchsorted(ranks[other], ranks[mine], "right").astype(np.uint16))
        if board.parent >= 0:
            above = [_places(self.members[2 * board.parent + p], self.deck) for p in (0, 1)]
            self.up += [above[p][one.hands[both[p]]].astype(np.uint16) for one in board.images for p in (0, 1)]
        self.images.append(self.images[-1] + (len(board.images) if board.parent >= 0 else 0))

    def for_kernel(self, streets: Numbers, entries: Numbers, follow: Numbers) -> Boards:
        sizes = np.array([len(mine) for mine in self.members])
        held, images = np.concatenate(self.members), np.array(self.images)
        words = [cards[held].astype(np.uint16) for cards in (self.deck.low, self.deck.high)]
        words += [np.concatenate(lists) for lists in (self.weaker, self.upto, self.twin, self.leader)]
        facts = (streets, np.array(self.uneven), follow[:, 0], follow[:, 1], images[:-1], images[1:])
        return Boards(
            np.column_stack(facts).astype(np.uint32).reshape(-1), _starts(self.members),
            np.column_stack(words).reshape(-1), _bases(sizes, entries[streets]),
            np.repeat(np.arange(len(streets)), np.diff(images)).astype(np.uint32), _starts(self.up), _joined(self.up),
        )  # fmt: skip


def _joined(lists: list[Places]) -> Places:
    return np.concatenate(lists) if lists else np.zeros(0, np.uint16)


def _starts(lists: Sequence[npt.NDArray[Any]]) -> npt.NDArray[np.uint32]:
    return np.cumsum([0, *map(len, lists)]).astype(np.uint32)


def _bases(sizes: Numbers, entries: Numbers) -> npt.NDArray[np.uint64]:
    """[4 boards] First table entries and first lanes: player 0's boards come first, then player 1's."""
    found = [_first_of(counts) for counts in (sizes.reshape(-1, 2) * entries, entries)]
    return np.stack(found, axis=2).reshape(-1).astype(np.uint64)


def _first_of(counts: Numbers) -> Numbers:
    """[boards, 2] Where each begins, if all of one player come first."""
    ends = np.cumsum(counts.T.reshape(-1))
    return np.asarray((ends - counts.T.reshape(-1)).reshape(2, -1).T)


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
