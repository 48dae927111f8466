"""Vector walks of large public trees shared by several threads: see `mccfr.kernel.vector_split`."""

import heapq
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from mccfr.kernel import layout
from mccfr.kernel.vector import PublicTree, VectorWork
from mccfr.kernel.vector_split import Branch, Crown, Scout, scout_trunk, walk_branch, walk_crown
from mccfr.tree.dealt_tree import DealtTree

BRANCHES_PER_WORKER = 16  # so that the last ones do not keep the others waiting


def branches_for(tree: DealtTree, public: PublicTree, workers: int) -> "Branches | None":
    """A large tree in branches for several workers."""
    if workers < 2 or not tree.in_branches:
        return None
    return Branches(public, [tree.vector_work() for _ in range(workers)])


class Branches:
    """A public tree cut into branches, and threads to walk them. What they compute does not depend on their number."""

    def __init__(self, tree: PublicTree, works: list[VectorWork]) -> None:
        self.tree, self.works = tree, works
        self.roots, self.order = cut_tree(tree.nodes, BRANCHES_PER_WORKER * len(works))
        room = len(self.roots) * int(works[0].hands)
        self.buffers = np.zeros(room), np.zeros(room), np.zeros(room)  # reaches of the other, own reaches, values
        self.met = np.zeros(1, np.uint64)
        self.pool = ThreadPoolExecutor(len(works))

    def walk(self, actor: Any, player: int, t: float, table: Any) -> float:
        """One walk for `actor`; returns the value of the game to the player."""
        i, (reach, own, out) = np.uint64(player), self.buffers
        scout_trunk(Scout(self.roots, self.met, reach, own), i, self.tree, table, self.works[0])
        queue = iter(self.order.tolist())  # taking the next one is atomic

        def work_off(work: VectorWork) -> None:
            for number in queue:
                branch = Branch(np.uint64(number), self.roots, reach, own)
                walk_branch(actor, branch, i, t, self.tree, table, work, out)

        list(self.pool.map(work_off, self.works))
        crown = Crown(self.roots, self.met, out)
        return float(walk_crown(actor, crown, i, t, self.tree, table, self.works[0]))


def cut_tree(nodes: Any, wanted: int) -> tuple[Any, Any]:
    """Roots of at least so many branches in the order of a walk, and their numbers, the largest first.

    What is below a node lies in one piece, from its children to those of the next sibling that has some.
    """
    heap = [(-(len(nodes) // 4 - 1), 0)]  # nodes below, and the node
    while heap and len(heap) < wanted:
        below, h = heapq.heappop(heap)
        child, arity = int(nodes[4 * h]), int(nodes[4 * h + layout.KIND]) >> 8
        inner = [c for c in range(child, child + arity) if int(nodes[4 * c + layout.KIND]) & 255 != layout.TERMINAL]
        begins = [int(nodes[4 * c]) for c in inner] + [child - below]
        for c, begin, end in zip(inner, begins, begins[1:]):
            heapq.heappush(heap, (begin - end, c))
    found = sorted(heap, key=lambda branch: int(nodes[4 * branch[1]]))
    sizes = np.array([-below for below, _ in found])
    return np.array([h for _, h in found], np.uint64), np.argsort(-sizes, kind="stable")
