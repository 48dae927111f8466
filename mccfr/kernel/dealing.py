"""What a walk asks of a tree, written out or dealt, and where public events come from.

A written-out tree says at each node which table entries are the mover's and what an ending pays. A dealt tree knows no
hands: they are drawn once, when a walk begins, and then it answers for these.
"""

from typing import Any, NamedTuple

from mccfr.kernel.dice import below, choose, uniform
from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.estimators import edge
from mccfr.kernel.layout import CHANCE, FAIR, U0, U1, U2, U8, FlatTree, u64


class DealtWalkTree(NamedTuple):
    """A dealt game for walks with one pair of hands: see `mccfr.tree.dealt_tree`."""

    nodes: Any  # uint32[4 nodes]
    pays: Any  # float64[matrices * pairs] to player 0, for a stake of 1
    stakes: Any
    odds: Any  # float64 laws of public events, given both hands
    places: Any  # uint32[lists * hands] the place of a hand among the possible ones
    hand: Any  # float64[hands 0] how likely player 0 has one of the hands up to this
    reply: Any  # float64[pairs] the same of player 1, given player 0's hand
    hands: Any  # uint64 of the player who has more
    second: Any  # uint64 of player 1
    pairs: Any  # uint64
    memory: Any  # Near or Far


class Fresh(NamedTuple):
    """Every chance node of a walk draws for itself."""


class Common(NamedTuple):
    """Common random numbers: the n-th event of chance is the same on all lines of a walk, where its law is the same.

    Actions are then compared under the same public card, which takes noise out of their difference and no mean away.
    """

    event: Any  # uint64[stages] what happened
    law: Any  # uint64[stages] 0 if nothing yet, else 1 + where its law is
    arity: Any  # uint64[stages]
    count: Any  # uint64[1] events before the node that the walk came back to


@verb
def deal(tree, i, held, dice):
    """A walk begins, for player i: draw the hands."""


@verb
def row(tree, h, m, held):
    """First table entry of node h, of kind and arity m; of a chance node, where its law begins."""


@verb
def worth(tree, h, held):
    """What ending h pays player 0."""


@verb
def place(tree, h, held):
    """Number of the history that node h stands for: where its baselines are kept."""


@verb
def edge_into(estimator, i, tree, h, held):
    """Where player i keeps the baseline of the edge into node h."""


@verb
def shares(luck):
    """Whether lines of one walk share the events of chance."""


@verb
def forget(luck):
    """A walk begins."""


@verb
def come_back(luck, n):
    """The walk is back at a node before which n events of chance have happened."""


@verb
def events_before(luck):
    """How many events of chance there were before the node that the walk came back to."""


@verb
def event(luck, n, kind, o, k, odds, dice):
    """An outcome of chance by its own law, n events having happened before."""


deal.otherwise(lambda tree, i, held, dice: None)
row.register(FlatTree)(lambda tree, h, m, held: u64(tree.nodes[(h << U2) + U1]))
worth.register(FlatTree)(lambda tree, h, held: tree.reals[h << U1])
edge_into.otherwise(lambda estimator, i, tree, h, held: edge(estimator, i, place(tree, h, held)))
place.otherwise(lambda tree, h, held: h)
place.register(DealtWalkTree)(lambda tree, h, held: h * tree.pairs + held[U2])


@inlined
def searched(rising, o, n, dice):
    """The first of n numbers from rising[o] on that is greater than a random one; the last if rounding leaves none."""
    u = uniform(dice)
    low, high = U0, n - U1
    while low < high:
        middle = (low + high) >> U1
        if u < rising[o + middle]:
            high = middle
        else:
            low = middle + U1
    return low


@deal.register(DealtWalkTree)
def _(tree, i, held, dice):  # held: both hands, and the number of the pair
    held[U0] = searched(tree.hand, U0, u64(len(tree.hand)), dice)
    held[U1] = searched(tree.reply, held[U0] * tree.second, tree.second, dice)
    held[U2] = held[U0] * tree.second + held[U1]


@row.register(DealtWalkTree)
def _(tree, h, m, held):
    kind = m & u64(255)
    o = u64(tree.nodes[(h << U2) + U1])
    if kind < CHANCE:
        return o + u64(tree.places[u64(tree.nodes[(h << U2) + U2]) * tree.hands + held[kind]]) * (m >> U8)
    return o + held[U2] * (m >> U8) if kind == CHANCE else o


@worth.register(DealtWalkTree)
def _(tree, h, held):
    stake = tree.stakes[u64(tree.nodes[(h << U2) + U1])]
    return stake * tree.pays[u64(tree.nodes[h << U2]) * tree.pairs + held[U2]]


@inlined
def nature(kind, o, k, odds, dice):
    """An outcome of chance by its own law."""
    return below(dice, k) if kind == FAIR else choose(odds, o, k, dice)


shares.register(Fresh)(lambda luck: False)
shares.register(Common)(lambda luck: True)
forget.register(Fresh)(lambda luck: None)
come_back.register(Fresh)(lambda luck, n: None)
events_before.register(Fresh)(lambda luck: U0)
events_before.register(Common)(lambda luck: luck.count[U0])
event.register(Fresh)(lambda luck, n, kind, o, k, odds, dice: nature(kind, o, k, odds, dice))


@come_back.register(Common)
def _(luck, n):
    luck.count[U0] = n


@forget.register(Common)
def _(luck):
    for n in range(len(luck.law)):
        luck.law[n] = U0


@event.register(Common)
def _(luck, n, kind, o, k, odds, dice):
    law = U1 if kind == FAIR else o + U2
    if luck.law[n] != law or luck.arity[n] != k:
        luck.event[n] = nature(kind, o, k, odds, dice)
        luck.law[n], luck.arity[n] = law, k
    return luck.event[n]
