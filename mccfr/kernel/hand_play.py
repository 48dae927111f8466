"""Hands played out between two strategies of a betting tree with buckets, each deal twice with seats exchanged."""

from mccfr.kernel.dealing import deal, row, worth
from mccfr.kernel.dice import choose
from mccfr.kernel.dispatch import entry, inlined
from mccfr.kernel.layout import BYTE, TERMINAL, U0, U2, U3, U8, u64


@inlined
def play_hand(tree, first, second, held, dice):
    """What player 0 gets when `first` plays its seat and `second` the other, with the cards that are held."""
    h = U0
    m = u64(tree.nodes[U3])
    while m & BYTE != TERMINAL:
        o = row(tree, h, m, held)
        p = first if m & BYTE == U0 else second
        h = u64(tree.nodes[h << U2]) + choose(p, o, m >> U8, dice)
        m = u64(tree.nodes[(h << U2) + U3])
    return worth(tree, h, held)


@entry
def play_pairs(tree, one, other, held, dice, out):
    """out[j]: what `one` gets against `other` on average over both seats of deal j."""
    for j in range(u64(len(out))):
        deal(tree, U0, held, dice)
        as_first = play_hand(tree, one, other, held, dice)
        out[j] = 0.5 * (as_first - play_hand(tree, other, one, held, dice))
