"""A node of a dealt game's public tree as the page shows it: the vector of hands there, and what a walk touches of it.

A history is a pair of hands at a public node, an infoset is one hand of the player who moves there, and the node itself
is all of them at once. Li et al. (2020, figure 1) explain by this how walks in value form, in semi-vector form and in
vector form differ: in how many of the hands one walk carries.
"""

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import TreeError
from mccfr.kernel import layout
from mccfr.tree.dealt_tree import DealtTree
from mccfr.web.lane import Lane
from mccfr.web.messages import Public
from mccfr.web.scene import MOST_HANDS, Scene
from mccfr.web.walk_forms import Pairs, example_deal, form_of, forms, held, touched_pairs

WHOLE = 40  # public nodes of a tree that is listed whole; of a larger one, those on the way to a node

Floats = npt.NDArray[np.float64]


def public_node(lane: Lane, wish: Public) -> dict[str, Any]:
    """A public node: where it is, its hands with their ranges and strategies, and what each form of walk touches."""
    tree = lane.scene.tree
    if not isinstance(tree, DealtTree) or not lane.scene.vectors:
        raise TreeError(f"public trees are shown of dealt games with up to {MOST_HANDS} hands, such as dealt:kuhn")
    if wish.node >= len(tree):
        raise TreeError(f"{tree.game} has {len(tree):,} public nodes: there is no node {wish.node}")
    pair = example_deal(tree, wish.deal)
    touched = touched_pairs(possible_pairs(tree, wish.node), pair, wish.walker)
    return {
        "type": "public",
        "iteration": lane.iterations,
        "node": wish.node,
        "deal": wish.deal,
        "walker": wish.walker,
        "counts": counts(tree),
        "nodes": [about_node(lane.scene, tree, h) for h in listed_nodes(lane.scene, wish.node)],
        "forms": forms(tree, pair, wish.walker, touched, int(lane.scene.kind[wish.node])),
        "form": form_of(lane.method),
        "vectors": vectors(lane, tree, wish.node, touched),
    }


def possible_pairs(tree: DealtTree, h: int) -> Pairs:
    """The pairs of hands with which chance can lead to a node: its histories."""
    key, chances = tree.chance_reach
    return np.asarray(chances[key[h]] > 0.0)


def counts(tree: DealtTree) -> dict[str, int]:
    """How many histories, infosets and public nodes there are; the deal itself is not counted."""
    key, chances = tree.chance_reach
    each = np.count_nonzero(chances, axis=(1, 2))
    return {
        "histories": int(each[key].sum()),
        "infosets": len(tree.infosets),
        "nodes": len(tree),
        "decisions": sum(map(len, tree.infosets.decisions)),
    }


def listed_nodes(scene: Scene, h: int) -> list[int]:
    """Nodes to list, each before those under it: all of a small tree, else those on the way and what may follow."""
    shown = set(range(len(scene.tree))) if len(scene.tree) <= WHOLE else {0}
    for at in path_to(scene, h):
        shown.update(range(scene.child(at), scene.child(at) + int(scene.arity[at])))
    order, stack = [], [0]
    while stack:
        at = stack.pop()
        order.append(at)
        below = range(scene.child(at), scene.child(at) + int(scene.arity[at])) if scene.arity[at] else range(0)
        stack += [child for child in reversed(below) if child in shown]
    return order


def path_to(scene: Scene, h: int) -> list[int]:
    """The nodes from the root to h, both included."""
    found = [h]
    while found[-1] > 0:
        found.append(int(scene.parent[found[-1]]))
    return found[::-1]


def about_node(scene: Scene, tree: DealtTree, h: int) -> dict[str, Any]:
    """A line of the list: how it is reached, who moves, and how many histories and infosets it stands for."""
    before = int(scene.parent[h])
    return {
        "id": h,
        "depth": scene.depth(h),
        "action": None if before < 0 else actions_at(tree, before)[h - scene.child(before)],
        "line": line_to(scene, tree, h),
        "kind": scene.kind_name(h),
        "histories": int(np.count_nonzero(possible_pairs(tree, h))),
        "infosets": len(hands_at(tree, h)) if scene.kind[h] < 2 else 0,
    }


def line_to(scene: Scene, tree: DealtTree, h: int) -> str:
    """What everybody has seen on the way to a node."""
    path = path_to(scene, h)
    return ", ".join(actions_at(tree, at)[after - scene.child(at)] for at, after in pairwise(path))


def actions_at(tree: DealtTree, h: int) -> list[str]:
    """What may follow a public node."""
    return [str(action) for action in tree.infosets.rules.actions(tree.infosets.state(h))]


def hands_at(tree: DealtTree, h: int) -> npt.NDArray[np.int64]:
    """The hands that the player who moves at a decision may hold."""
    which = int(tree.nodes[4 * h + layout.HANDS])
    return tree.members[tree.start[which] : tree.start[which + 1]].astype(np.int64)


def in_order(tree: DealtTree, player: int, possible: npt.NDArray[np.bool_]) -> list[int]:
    """The possible hands of a player, in the order of player 0's where both have the same ones."""
    place = {hand: number for number, hand in enumerate(tree.hands[0])}
    mine = tree.hands[player]
    return sorted(np.flatnonzero(possible).tolist(), key=lambda hand: place.get(mine[hand], len(place) + hand))


def rows_at(tree: DealtTree, h: int, table: Floats) -> Floats:
    """[possible hands, actions] A decision's part of a table."""
    row, kind = int(tree.nodes[4 * h + layout.ROW]), int(tree.nodes[4 * h + layout.KIND])
    arity = kind >> 8
    return table[row : row + len(hands_at(tree, h)) * arity].reshape(-1, arity)


def ranges_at(scene: Scene, tree: DealtTree, h: int, strategy: Floats) -> tuple[Floats, Floats]:
    """Both players' ranges at a node: with each hand, how likely its player's own actions lead there.

    That is 0 for hands that public events exclude. What chance contributes, the deal, is not in it.
    """
    pairs = possible_pairs(tree, h)
    reach = held(pairs, 0).astype(float), held(pairs, 1).astype(float)
    path = path_to(scene, h)
    for at, following in pairwise(path):
        player = int(scene.kind[at])
        if player < 2:
            taken = np.zeros(len(tree.hands[player]))
            taken[hands_at(tree, at)] = rows_at(tree, at, strategy)[:, following - scene.child(at)]
            reach[player][:] *= taken
    return reach


def vectors(lane: Lane, tree: DealtTree, h: int, touched: dict[str, Pairs]) -> list[dict[str, Any]]:
    """Both players' hands at a node, first those of the player who moves, which also have a strategy each."""
    scene = lane.scene
    strategies = {"current": lane.engine.current(), "average": lane.average()}
    ranges = {name: ranges_at(scene, tree, h, strategy) for name, strategy in strategies.items()}
    mover = int(scene.kind[h]) if scene.kind[h] < 2 else None
    found = []
    for player in (1, 0) if mover == 1 else (0, 1):
        met = {form: held(pairs, player) for form, pairs in touched.items()}
        rows = {
            hand: {
                "hand": tree.hands[player][hand],
                "range": {name: float(both[player][hand]) for name, both in ranges.items()},
                "touched": [form for form, hands in met.items() if hands[hand]],
            }
            for hand in in_order(tree, player, held(possible_pairs(tree, h), player))
        }
        if player == mover:
            _add_play(lane, tree, h, rows, strategies)
        actions = actions_at(tree, h) if player == mover else []
        found.append({"player": player, "moves": player == mover, "actions": actions, "hands": list(rows.values())})
    return found


def _add_play(
    lane: Lane, tree: DealtTree, h: int, rows: dict[int, dict[str, Any]], strategies: dict[str, Floats]
) -> None:
    """Name the infosets of the player who moves, and add their strategies."""
    state, player = tree.infosets.state(h), int(lane.scene.kind[h])
    play = {name: rows_at(tree, h, strategy) for name, strategy in strategies.items()}
    for place, hand in enumerate(hands_at(tree, h).tolist()):
        if hand in rows:
            rows[hand]["label"] = tree.infosets.rules.label(state, player, hand)
            rows[hand].update({name: table[place].tolist() for name, table in play.items()})
