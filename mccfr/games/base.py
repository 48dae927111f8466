"""What a game is: seven methods in plain Python, and nothing else.

A class with the methods of `Game` is a game; it needs no base class and no registration. `CHANCE` and `TERMINAL` are
what `player` answers where nobody moves. Built-in games are frozen dataclasses derived from `RuleBook`, and parameters
with parameters of their own from `mccfr.grammar.Named`: that gives them their string form. Large games may also answer
`levels()`, which describes the tree one depth at a time as arrays, so that compiling does not visit every node in
Python.
"""

import contextlib
import dataclasses
import itertools
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from mccfr.errors import GameError, MccfrError, printable, quoted, told
from mccfr.grammar import Named

CHANCE = -1
"""What `Game.player` answers at a state where chance moves."""
TERMINAL = -2
"""What `Game.player` answers at a state where the game is over."""
MOST_ACTIONS = 2**22  # of a node; in a tree their number has 24 bits
METHODS = ("root", "player", "actions", "chances", "step", "infoset", "payoff")


@runtime_checkable
class Game(Protocol):
    """The rules of a game. Any class with these seven methods and `players` is a game.

    States are hashable values of any type; `step` returns a new one and never changes its argument. `mccfr.check_game`
    says whether a class of your own keeps the contract, and docs/your-own-game.md builds one step by step.

    Examples:
        >>> import mccfr
        >>> kuhn = mccfr.game("kuhn")
        >>> isinstance(kuhn, mccfr.Game)
        True
        >>> state = kuhn.root()
        >>> kuhn.player(state) == mccfr.CHANCE
        True
        >>> kuhn.chances(state)[0]
        ('J', 0.3333333333333333)
    """

    @property
    def players(self) -> int:
        """How many players there are. A plain attribute will do."""

    def root(self) -> Hashable:
        """Return the state before anything has happened.

        Returns:
            The first state.
        """

    def player(self, s: Any) -> int:
        """Say who moves at a state.

        Args:
            s: A state.

        Returns:
            A player (0, 1, ...), `CHANCE`, or `TERMINAL` if the game is over.
        """

    def actions(self, s: Any) -> Sequence[Hashable]:
        """List the legal actions of the player who moves at a state.

        Args:
            s: A state at which a player moves.

        Returns:
            Labels of the actions, the same for every state of an infoset. Their order is their index.
        """

    def chances(self, s: Any) -> Sequence[tuple[Hashable, float]]:
        """List what chance may do at a state.

        Args:
            s: A state at which chance moves.

        Returns:
            Every outcome with its probability; the probabilities sum to 1.
        """

    def step(self, s: Any, a: Any) -> Hashable:
        """Move on from a state.

        Args:
            s: A state that is not terminal. It must not be changed.
            a: One of its actions or chance outcomes.

        Returns:
            The state after the move.
        """

    def infoset(self, s: Any) -> Hashable:
        """Tell what the player who moves at a state knows.

        Args:
            s: A state at which a player moves.

        Returns:
            A key that is equal for two states if, and only if, the player cannot tell them apart.
        """

    def payoff(self, s: Any) -> Sequence[float]:
        """Return what the players get at the end.

        Args:
            s: A terminal state.

        Returns:
            A payoff for each player.
        """


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
