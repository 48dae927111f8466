"""Walks in value form, in semi-vector form and in vector form: which hands of a public node one walk touches.

Li et al. (2020, figure 1) tell the forms apart by the hands that a walk carries: one of each player, all of its own
against one of the other, or all of both.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.kernel.one_hand import OneHand
from mccfr.solvers.method import Method, VectorSampling
from mccfr.tree.dealt_tree import DealtTree

Pairs = npt.NDArray[np.bool_]  # [hands of player 0, hands of player 1]


def form_of(method: Method) -> str:
    """The form of a method's walks: sweeps carry all hands as vector forms do."""
    if isinstance(method.sampler, VectorSampling) and isinstance(method.sampler.other, OneHand):
        return "semi_vector"
    return "vector" if method.public or not method.samples else "value"


def held(pairs: Pairs, player: int) -> npt.NDArray[np.bool_]:
    """[hands] Which hands of a player occur in pairs."""
    return np.asarray(pairs.any(axis=1 - player))


def example_deal(tree: DealtTree, number: int) -> tuple[int, int]:
    """A pair of hands, drawn as chance deals it; the same for the same number."""
    drawn = np.random.default_rng(number).choice(tree.deal.size, p=tree.deal.reshape(-1) / tree.deal.sum())
    first, second = divmod(int(drawn), tree.deal.shape[1])
    return first, second


def touched_pairs(pairs: Pairs, pair: tuple[int, int], walker: int) -> dict[str, Pairs]:
    """Of the histories of a node, those that one walk goes through: one pair, one hand against many, or all."""
    one, many = np.zeros_like(pairs), np.zeros_like(pairs)
    one[pair] = True
    if walker == 0:
        many[:, pair[1]] = True
    else:
        many[pair[0], :] = True
    return {"value": pairs & one, "semi_vector": pairs & many, "vector": pairs}


def forms(
    tree: DealtTree, pair: tuple[int, int], walker: int, touched: dict[str, Pairs], kind: int
) -> list[dict[str, Any]]:
    """The three forms: what they deal, and how many infosets and histories of a node one walk touches."""
    mine, theirs = tree.hands[walker][pair[walker]], tree.hands[1 - walker][pair[1 - walker]]
    said = {
        "value": (
            "value form",
            f"{mine} against {theirs}",
            "Both players are dealt one hand. Every node on the way is one infoset of one history, and an ending pays "
            "one number.",
        ),
        "semi_vector": (
            "semi-vector form",
            f"all hands against {theirs}",
            f"Player {1 - walker} is dealt {theirs}. Player {walker}, who walks, carries every hand that can meet it: "
            f"a vector of infosets at the nodes of player {walker}, one infoset at those of player {1 - walker}.",
        ),
        "vector": (
            "vector form",
            "all hands against all",
            "No hand is dealt: both players carry all of theirs along the public tree, and an ending pays a vector. "
            "Where an action is drawn, it is one for all hands, by a law that mixes their strategies.",
        ),
    }
    return [
        {
            "key": key,
            "name": name,
            "hands": hands,
            "says": says,
            "histories": int(np.count_nonzero(touched[key])),
            "infosets": int(np.count_nonzero(held(touched[key], kind))) if kind < 2 else 0,
        }
        for key, (name, hands, says) in said.items()
    ]
