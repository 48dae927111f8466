"""The part of a blueprint's betting tree below one of its nodes, with the chips that are really on the table."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.flat_tree import NO_NODE, SHOWDOWN, BettingTree
from mccfr.betting.lines import CHECKS, State
from mccfr.playing.table import Table
from mccfr.resolving.position_betting import PositionBetting

Ints = npt.NDArray[np.int64]


class BettingBelow(NamedTuple):
    """A betting tree and the node of the blueprint that each of its nodes stands for."""

    tree: BettingTree
    nodes: Ints


def betting_below(whole: BettingTree, node: int, table: Table, s: State) -> BettingBelow:
    """What a tree has below a node at which a street begins, where betting really stands in state s.

    Stakes are those of the tree times one factor, that between what has really been put in and what the node has, in
    whole chips. It is the unit of chips where every bet was in the tree; after other bets pots have the size they
    really have, no stake exceeds the stacks, and an all-in is one.
    """
    nodes = _listed_below(whole, node)
    place = np.full(int(nodes.max()) + 1, NO_NODE)
    place[nodes] = np.arange(len(nodes))
    first, parent = whole.first_child[nodes], whole.parent[nodes]
    factor = s.stakes[0] / float(whole.stakes[node, 0])
    stakes = np.rint(whole.stakes[nodes] * factor).astype(np.int64)
    most = table.betting.most
    if most is not None:
        all_in = whole.stakes[nodes] == whole.betting.most
        stakes = np.where(all_in, most, np.minimum(stakes, most))
    return BettingBelow(
        BettingTree(
            PositionBetting(table, s, ()),
            whole.kind[nodes],
            whole.street[nodes],
            np.where(first == NO_NODE, NO_NODE, place[first]),
            whole.arity[nodes],
            np.where(np.arange(len(nodes)) == 0, NO_NODE, place[parent]),
            whole.move_kind[nodes],
            whole.move_amount[nodes],
            stakes,
        ),
        nodes,
    )


def checked_down(table: Table, s: State) -> BettingTree:
    """Both check to the end: what is left of a blueprint where its tree has no node."""
    streets = np.repeat(np.arange(s.street, table.streets), 2)
    count, first = len(streets), table.betting.first(s.street)
    kind = np.array([*([first, 1 - first] * (count // 2)), SHOWDOWN], np.int8)
    numbers = np.arange(count + 1)
    return BettingTree(
        PositionBetting(table, s, ()), kind, np.array([*streets, streets[-1]], np.int8),
        np.where(numbers < count, numbers + 1, NO_NODE), (numbers < count).astype(np.int64), numbers - 1,
        np.full(count + 1, CHECKS, np.int8), np.zeros(count + 1, np.int64), np.tile(s.stakes, (count + 1, 1)),
    )  # fmt: skip


def _listed_below(whole: BettingTree, node: int) -> Ints:
    """A node and all below it, in the order of a betting tree."""
    found = [node]
    for each in found:
        found += whole.children(each)
    return np.array(found)
