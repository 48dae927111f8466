"""What a game is: seven methods in plain Python, and nothing else.

A class with these methods is a game; it needs no base class and no registration. Built-in games are frozen dataclasses
derived from `RuleBook`, and parameters with parameters of their own from `Named`: that gives them their string form.
Large games may also answer `levels()`, which describes the tree one depth at a time as arrays, so that compiling does
not visit every node in Python.
"""

import contextlib
import dataclasses
import itertools
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from mccfr.errors import GameError, MccfrError, printable, quoted, told
from mccfr.grammar import Call

CHANCE = -1
TERMINAL = -2
MOST_ACTIONS = 2**22  # of a node; in a tree their number has 24 bits
METHODS = ("root", "player", "actions", "chances", "step", "infoset", "payoff")


@runtime_checkable
class Game(Protocol):
    """The rules of a game. States are any hashable values; `step` returns a new one and never changes its argument."""

    @property
    def players(self) -> int:
        """How many players there are; a plain attribute will do."""

    def root(self) -> Hashable:
        """The state before anything has happened."""

    def player(self, s: Any) -> int:
        """Who moves at s: 0, 1, ..., CHANCE or TERMINAL."""

    def actions(self, s: Any) -> Sequence[Hashable]:
        """Labels of the mover's legal actions, the same for every state of an infoset; their order is their index."""

    def chances(self, s: Any) -> Sequence[tuple[Hashable, float]]:
        """What chance may do at s, with probabilities that sum to 1."""

    def step(self, s: Any, a: Any) -> Hashable:
        """The state after action (or chance outcome) a."""

    def infoset(self, s: Any) -> Hashable:
        """Everything the mover at s knows, and nothing more."""

    def payoff(self, s: Any) -> Sequence[float]:
        """What each player gets at the terminal s."""


class Level(NamedTuple):
    """All nodes at one depth, in order. In the next level, node j's children come right before those of node j + 1."""

    player: npt.NDArray[np.int8]  # [n] 0, 1, ..., CHANCE or TERMINAL
    arity: npt.NDArray[np.int32]  # [n] number of children; 0 at terminals
    infoset: npt.NDArray[np.int64]  # [decision nodes] a code; equal codes of one player mean one infoset
    payoff: npt.NDArray[np.float64]  # [terminals] what player 0 gets, or [terminals, players] what each gets
    odds: npt.NDArray[np.float64]  # [children of chance nodes] their probabilities, in order


@runtime_checkable
class VectorGame(Game, Protocol):
    """A game that can also write itself out one depth at a time, as arrays. Always two players and zero-sum."""

    def nodes(self) -> int:
        """How many nodes the tree has, known without building it."""

    def levels(self) -> Iterator[Level] | None:
        """The levels, root first; None if these parameters have no shortcut and the plain rules must be walked.

        A code of one level never means an infoset of another.
        """

    def describe(self, player: int, code: int) -> tuple[str, tuple[str, ...]]:
        """Label and action labels of the infoset with this code; the same as `infoset` and `actions` would give."""


@dataclasses.dataclass(frozen=True)
class Named:
    """Base of what game strings name: parameters are dataclass fields; `str` gives the string that rebuilds it."""

    name: ClassVar[str]

    def __str__(self) -> str:
        return str(self.as_call())

    def as_call(self) -> Call:
        """The call that rebuilds it, without the parameters that are as usual."""
        given = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.init and f.repr}
        plain = {f.name: f.default for f in dataclasses.fields(self)}
        told = {k: v.as_call() if isinstance(v, Named) else v for k, v in given.items() if v != plain[k]}
        return Call(self.name, (), told)


@dataclasses.dataclass(frozen=True)
class RuleBook(Named):
    """Base of the built-in games."""

    players: ClassVar[int] = 2


def listed(method: str, given: Any) -> tuple[Any, ...]:
    """What `actions` or `chances` of a game give, written out; not if it has no end, or one too far away."""
    if not hasattr(given, "__len__") or not hasattr(given, "__iter__"):
        what = "a list of at least one action" if method == "actions" else "(outcome, probability) pairs"
        raise GameError(f"{method}() gives {quoted(given)}, expected {what}")
    if len(given) > MOST_ACTIONS:
        raise GameError(f"{method}() gives a list of {len(given):,}: a node has at most {MOST_ACTIONS:,} actions")
    found = tuple(itertools.islice(given, len(given) + 1))
    if len(found) != len(given):
        raise GameError(f"{method}() gives a list of {len(given):,} by its len(), but has another number of items")
    return found


def game_text(game: Any) -> str:
    """The string that names a game: what its `str` or `repr` says if its class defines one, else the class's name."""
    plain = type(game).__str__ is object.__str__ and type(game).__repr__ is object.__repr__
    try:
        return type(game).__qualname__ if plain else printable(str(game))
    except KeyboardInterrupt:
        raise
    except BaseException:  # its own `str` raises
        return type(game).__qualname__


@contextlib.contextmanager
def blaming(game: Any) -> Iterator[None]:
    """Inside the block, what a game of the user's raises where nobody expects it is told in one line.

    What a built-in game raises is a bug of ours and stays one.
    """
    try:
        yield
    except (MccfrError, KeyboardInterrupt):
        raise
    except BaseException as error:
        if type(game).__module__.startswith("mccfr."):
            raise
        raise GameError(f"{game_text(game)}: {told(error)}") from error
