"""Dealing cards to a walk over a betting tree: hole cards, the board, rows of tables, the showdown, all at its start.

After that a walk only does arithmetic on a small tree and waits for rows of large tables.
"""

from typing import Any, NamedTuple

from mccfr.kernel.bucket_rows import CARDS, KEPT, SEVEN, WINNER, see_all
from mccfr.kernel.dealing import deal, edge_into, place, row, searched, worth
from mccfr.kernel.dice import below
from mccfr.kernel.dispatch import entry, inlined, outlined, verb
from mccfr.kernel.estimators import BucketInfoset
from mccfr.kernel.hand_strengths import NO_CARDS, look_up
from mccfr.kernel.layout import BYTE, U0, U1, U2, U8, u64

U4, OUTCOMES = u64(4), u64(3)


class DealtCards(NamedTuple):
    """A deck, and how cards are seen."""

    look: Any  # rows by cards: a policy of `mccfr.kernel.bucket_rows`
    strength: Any  # uint32[...] for as many cards as a hand and the whole board have
    word: Any  # uint64[cards of the deck] by which strengths are looked up
    bit: Any  # uint64[cards of the deck]
    streets: Any  # uint64
    board: Any  # uint64 cards of the whole board


class ListedDeals(NamedTuple):
    """Every way in which cards can be seen, instead of a deck: for audits of small games."""

    words: Any  # uint64[ways, 9] as a walk holds them
    rising: Any  # float64[ways] how likely one of the ways up to this is


class DealtAhead(NamedTuple):
    """What players see of cards that were dealt before any walk began: for a GPU, where dealing is a kernel of its own.

    Which deal is next is said in the first of the words that are there for cards.
    """

    words: Any  # uint32[deals, 9] as a walk holds them


class BucketWalkTree(NamedTuple):
    """A betting tree whose cards are dealt at the start of a walk: see `mccfr.tree.bucket_tree`."""

    nodes: Any  # uint32[4 nodes]
    stakes: Any  # float64[...] what endings pay
    signs: Any  # float64[9] by whom they are won: at a showdown 0 + winner, after a fold by player p 3 (1 + p) + winner
    odds: Any  # float64[0] there are no chance nodes
    cards: Any  # DealtCards, ListedDeals or DealtAhead
    memory: Any  # Rows, or Near where tables stay in the processor's cache


@inlined
def draw_card(held, dealt, cards, dice):
    """One of the cards that are left; held[0 : dealt], sorted, are those that are not."""
    card = below(dice, cards - dealt)
    at = U0
    while at < dealt and held[at] <= card:
        card += U1
        at += U1
    for j in range(dealt - at):
        held[dealt - j] = held[dealt - j - U1]
    held[at] = card
    return card


@inlined
def draw_cards(cards, held, dice):
    """Hole cards of both players and the board. What has been dealt is kept in order where rows will be."""
    deck = u64(cards.word.shape[0])
    for j in range(U4):
        held[CARDS + SEVEN * (j >> U1) + (j & U1)] = draw_card(held, j, deck, dice)
    for j in range(cards.board):
        card = draw_card(held, U4 + j, deck, dice)
        held[CARDS + U2 + j] = card
        held[CARDS + SEVEN + U2 + j] = card


@inlined
def strength_of(cards, held, p):
    """How strong player p's cards are with the whole board."""
    total, bits, first = NO_CARDS, U0, CARDS + SEVEN * p
    for j in range(cards.board + U2):
        total += cards.word[held[first + j]]
        bits |= cards.bit[held[first + j]]
    return look_up(cards.strength, total, bits)


@outlined
def look_at_cards(cards, held):
    """Rows and winner of the cards that were dealt."""
    mine, other = strength_of(cards, held, U0), strength_of(cards, held, U1)
    held[WINNER] = U2 if mine > other else U1 if mine == other else U0
    see_all(cards.look, cards.streets, held, U0)
    see_all(cards.look, cards.streets, held, U1)


@verb
def deal_to(cards, held, dice):
    """Deal: rows of both players and the winner."""


@deal_to.register(DealtCards)
def _(cards, held, dice):
    draw_cards(cards, held, dice)
    look_at_cards(cards, held)


@deal_to.register(ListedDeals)
def _(cards, held, dice):
    way = searched(cards.rising, U0, u64(len(cards.rising)), dice)
    for word in range(WINNER + U1):
        held[word] = cards.words[way, word]


@deal_to.register(DealtAhead)
def _(cards, held, dice):
    j = held[CARDS]
    for word in range(WINNER + U1):
        held[word] = u64(cards.words[j, word])


@deal.register(BucketWalkTree)
def _(tree, i, held, dice):  # both walks of an iteration take the same cards: dealing is a fifth of the work
    if i != U0 and held[KEPT] != U0:
        held[KEPT] = U0
    else:
        deal_to(tree.cards, held, dice)
        held[KEPT] = U1 - i


@row.register(BucketWalkTree)
def _(tree, h, m, held):
    where = u64(tree.nodes[(h << U2) + U2])
    return u64(tree.nodes[(h << U2) + U1]) + held[((m & BYTE) << U2) + (where & BYTE)] * (where >> U8)


@worth.register(BucketWalkTree)
def _(tree, h, held):
    return tree.stakes[u64(tree.nodes[(h << U2) + U1])] * tree.signs[u64(tree.nodes[h << U2]) + held[WINNER]]


@edge_into.register(BucketInfoset)
def _(estimator, i, tree, h, held):
    return ((estimator.first[h] + held[(i << U2) + (u64(tree.nodes[(h << U2) + U2]) & BYTE)]) << U1) + i


place.register(BucketWalkTree)(lambda tree, h, held: h * OUTCOMES + held[WINNER])


@entry
def deal_many(cards, held, dice, out):
    """out[j]: rows of both players and the winner of deal j, nine words; for tables of a whole abstract game."""
    for j in range(u64(out.shape[0])):
        draw_cards(cards, held, dice)
        look_at_cards(cards, held)
        for word in range(WINNER + U1):
            out[j, word] = held[word]


@entry
def look_at_deals(cards, dealt, held, out):
    """The same for cards that are given: those of player 0, of player 1, then the board."""
    for j in range(u64(out.shape[0])):
        for p in range(U2):
            held[CARDS + SEVEN * p] = dealt[j, p + p]
            held[CARDS + SEVEN * p + U1] = dealt[j, p + p + U1]
            for c in range(cards.board):
                held[CARDS + SEVEN * p + U2 + c] = dealt[j, U4 + c]
        look_at_cards(cards, held)
        for word in range(WINNER + U1):
            out[j, word] = held[word]
