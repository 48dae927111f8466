"""What all pages of a server share and could use up, and how much there is: memory, and kinds of kernels."""

import contextlib
import threading
import weakref
from collections.abc import Iterator
from typing import Any

from mccfr.errors import MccfrError
from mccfr.solvers.method import Method
from mccfr.tree.budget import size_text
from mccfr.tree.tree import Tree
from mccfr.web.scene import Scene

MEMORY = 400 * 2**20  # bytes that the games and tables of all pages may take
LITTLE = 2**20  # bytes that a page is always given
NODE_BYTES, INFOSET_BYTES = 150, 500  # of a game: its tree, and its labels
NODE_COUNTS, ENTRY_TABLES = 24, 100  # bytes of a method at work: for each node, for each entry of its tables
MOST_KERNELS = 60  # kinds of methods that are compiled: some megabytes each, which stay
SCENES: "weakref.WeakSet[Scene]" = weakref.WeakSet()  # games in use, or kept for the next page


class SharedError(MccfrError, RuntimeError):
    """Pages together ask for more than there is."""


def scene_bytes(tree: Tree) -> int:
    """About what a game takes."""
    return NODE_BYTES * len(tree) + INFOSET_BYTES * len(tree.infosets)


def lane_bytes(tree: Tree) -> int:
    """About what one method at work on it takes."""
    return NODE_COUNTS * len(tree) + ENTRY_TABLES * tree.infosets.entries


def kernel_of(method: Method, tree: Tree) -> Any:
    """What decides which kernel does a method's iterations: the kinds of its parts and of the tree."""
    parts = method.sampler, method.minimiser, method.averaging, method.estimator, method.play, method.reward
    return type(tree), method.batch > 1, method.common, method.pruning is None, _kinds(parts)


def _kinds(value: Any) -> Any:
    inside = tuple(_kinds(part) for part in value) if isinstance(value, tuple) else ()
    return type(value), *inside


class Stock:
    """Who holds how much, and what has been compiled."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()  # bytes of tables, by session
        self._kernels: set[Any] = set()

    def hold(self, holder: Any, scene: Scene, lanes: int) -> None:
        """Note that somebody is about to have so many methods at work on a game, or refuse."""
        need = lanes * lane_bytes(scene.tree)
        with self._lock:
            others = sum(held for one, held in self._held.items() if one is not holder)
            taken = others + sum(scene_bytes(one.tree) for one in SCENES)
            if need > LITTLE and taken + need > MEMORY:
                raise SharedError(
                    f"{scene.tree.game} needs {size_text(need)} here, and all pages together use {size_text(taken)} of "
                    f"{size_text(MEMORY)}: close some of them, or open a smaller game"
                )
            self._held[holder] = need

    def release(self, holder: Any) -> None:
        """Somebody has gone."""
        with self._lock:
            self._held.pop(holder, None)

    def compiled(self, kernels: set[Any]) -> bool:
        """Whether these kinds of kernels have been made."""
        return kernels <= self._kernels

    @contextlib.contextmanager
    def compiling(self, kernels: set[Any]) -> Iterator[None]:
        """While kinds of kernels are made that may not have been made before; refuses too many."""
        self.require_room(kernels)
        yield
        with self._lock:
            self._kernels |= kernels

    def require_room(self, kernels: set[Any]) -> None:
        """Refuse kinds of kernels that would be too many."""
        with self._lock:
            if not kernels <= self._kernels and len(self._kernels | kernels) > MOST_KERNELS:
                raise SharedError(
                    f"pages have asked for {MOST_KERNELS} kinds of methods, which all stay in memory: choose one that "
                    "was used before, or restart mccfr watch"
                )
