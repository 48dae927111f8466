"""From cards to a number and back, up to an exchange of suits: the loops behind `mccfr.cards.isomorphism`.

Of every suit a key is made: which cards of it were dealt in which round. Keys in falling order are the same whichever
way suits are exchanged. [Waugh 2013] Nothing here takes a policy or calls another file.
"""

from typing import Any, NamedTuple

import numpy as np

from mccfr.kernel.dispatch import inlined, standalone

u64 = np.uint64
U0, U1, U2, U3, U4 = (u64(j) for j in range(5))
SUITS = 4  # the most there can be; a deck with fewer has empty ones beside them, which change no number
CODE = u64(32)  # a key: the code of a suit, how many of its cards each round has, above the number of its sets
SETS = u64(0xFFFFFFFF)
MOST_RANKS = 13


class IndexTables(NamedTuple):
    """What `mccfr.cards.isomorphism` works out once for a deck and its rounds."""

    start: Any  # int64[rounds + 1] where the cards of a round begin
    suit_of: Any  # uint8[cards]
    rank_of: Any  # uint8[cards]
    base: Any  # uint64[rounds] what a card adds to the code of its suit
    colex: Any  # uint32[2^13] the number of a set of ranks among those of its size
    choose: Any  # uint64[14, 14] binomial coefficients
    popcount: Any  # uint8[2^13]
    config_of: Any  # int32[codes^3] by the three largest codes
    offset: Any  # uint64[configs + 1] the first index of each
    codes: Any  # uint64[configs, 4] falling
    size: Any  # uint64[codes] how many sets a suit can have
    ranks: Any  # uint64
    suits: Any  # uint64


@inlined
def without(cards, used):
    """A set of ranks as bits, counted among the ranks that are not used."""
    while used:
        bit = used & (~used + U1)
        used ^= bit
        below = bit - U1
        cards = (cards & below) | (cards >> U1 & ~below)
        used >>= U1
    return cards


@inlined
def multichoose(n, m):
    """In how many ways m can be taken of n kinds, m <= 4."""
    if m == U1:
        return n
    if m == U2:
        return n * (n + U1) // U2
    if m == U3:
        return n * (n + U1) * (n + U2) // u64(6)
    return n * (n + U1) * (n + U2) * (n + U3) // u64(24)


@inlined
def sort_keys(keys):
    """The four keys, the largest first."""
    a, b, c, d = keys[U0], keys[U1], keys[U2], keys[U3]
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    keys[U0], keys[U1], keys[U2], keys[U3] = a, b, c, d


@inlined
def make_keys(tables, cards, first, sets, keys):
    """keys: one of each suit, the largest first, of the cards from cards[first] on."""
    for s in range(u64(SUITS)):
        keys[s] = U0
    rounds = u64(tables.base.shape[0])
    for r in range(rounds):
        for s in range(u64(SUITS)):
            sets[r * U4 + s] = U0
        for j in range(u64(tables.start[r]), u64(tables.start[r + U1])):
            card = u64(cards[first + j])
            sets[r * U4 + u64(tables.suit_of[card])] |= U1 << u64(tables.rank_of[card])
    for s in range(u64(SUITS)):
        used, left, number, times, code = U0, tables.ranks, U0, U1, U0
        for r in range(rounds):
            these = sets[r * U4 + s]
            if these:
                count = u64(tables.popcount[these])
                number += times * u64(tables.colex[without(these, used)])
                times *= tables.choose[left, count]
                code += tables.base[r] * count
                used |= these
                left -= count
        keys[s] = code << CODE | number
    sort_keys(keys)


@inlined
def number_keys(tables, keys):
    """The index of four keys in falling order: suits with the same code are a multiset of their sets."""
    kinds = u64(tables.size.shape[0])
    config = u64(tables.config_of[((keys[U0] >> CODE) * kinds + (keys[U1] >> CODE)) * kinds + (keys[U2] >> CODE)])
    index, times, j = tables.offset[config], U1, U0
    while j < U4 and keys[j] >> CODE:
        code, alike = keys[j] >> CODE, U1
        while j + alike < U4 and keys[j + alike] >> CODE == code:
            alike += U1
        for k in range(alike):
            index += times * multichoose(keys[j + k] & SETS, alike - k)
        times *= multichoose(tables.size[code], alike)
        j += alike
    return index


@standalone
def index_hands(tables, cards, sets, keys, out):
    """out[j]: the index of hand j; cards: those of all hands, one after the other."""
    width = u64(tables.start[-1])
    for row in range(u64(out.shape[0])):
        make_keys(tables, cards, row * width, sets, keys)
        out[row] = number_keys(tables, keys)


@standalone
def count_copies(tables, cards, sets, keys, out):
    """out[j]: how many deals an exchange of suits makes of hand j; cards: those of all hands, one after the other."""
    width = u64(tables.start[-1])
    for row in range(u64(out.shape[0])):
        make_keys(tables, cards, row * width, sets, keys)
        ways, j = U1, U0
        for k in range(U2, tables.suits + U1):
            ways *= k
        while j < tables.suits:
            alike = U1
            while j + alike < tables.suits and keys[j + alike] == keys[j]:
                alike += U1
                ways //= alike
            j += alike
        out[row] = ways


@inlined
def find_config(tables, index):
    """Which configuration of suits an index belongs to."""
    low, high = U0, u64(tables.offset.shape[0]) - U1
    while low + U1 < high:
        middle = (low + high) >> U1
        if tables.offset[middle] <= index:
            low = middle
        else:
            high = middle
    return low


@inlined
def largest_kind(rest, alike, kinds):
    """The largest n < kinds with multichoose(n, alike) <= rest."""
    low, high = U0, kinds
    while low + U1 < high:
        middle = (low + high) >> U1
        if multichoose(middle, alike) <= rest:
            low = middle
        else:
            high = middle
    return low


@inlined
def find_keys(tables, index, keys):
    """The keys that `number_keys` gives this index."""
    config = find_config(tables, index)
    rest, j = index - tables.offset[config], U0
    while j < U4:
        code, alike = tables.codes[config, j], U1
        while j + alike < U4 and tables.codes[config, j + alike] == code:
            alike += U1
        kinds = tables.size[code]
        ways = multichoose(kinds, alike)
        inside = rest % ways
        rest //= ways
        for k in range(alike):
            number = largest_kind(inside, alike - k, kinds)
            inside -= multichoose(number, alike - k)
            keys[j + k] = code << CODE | number
        j += alike


@inlined
def lay_cards(tables, keys, filled, cards, row):
    """Cards with these keys: the suit with the largest key is suit 0."""
    rounds = u64(tables.base.shape[0])
    for r in range(rounds):
        filled[r] = u64(tables.start[r])
    for s in range(tables.suits):
        code, number, used, left = keys[s] >> CODE, keys[s] & SETS, U0, tables.ranks
        for r in range(rounds):
            count = code // tables.base[r]
            code -= count * tables.base[r]
            ways = tables.choose[left, count]
            inside = number % ways
            number //= ways
            added, candidate = U0, left
            for k in range(count):
                wanted = count - k
                candidate -= U1
                while tables.choose[candidate, wanted] > inside:
                    candidate -= U1
                inside -= tables.choose[candidate, wanted]
                rank = nth_free(used, candidate)
                added |= U1 << rank
                cards[row, filled[r]] = rank * tables.suits + s
                filled[r] += U1
            used |= added
            left -= count


@inlined
def nth_free(used, n):
    """The rank that is number n among those not used."""
    rank = U0
    while True:
        if not used >> rank & U1:
            if n == U0:
                return rank
            n -= U1
        rank += U1


@standalone
def unindex_hands(tables, indices, keys, filled, cards):
    """cards[j]: cards whose index is indices[j]."""
    for row in range(u64(indices.shape[0])):
        find_keys(tables, u64(indices[row]), keys)
        lay_cards(tables, keys, filled, cards, row)
