"""What an agent is: anything that answers "your move". Four methods, of which only one is needed.

    start(seen, dice)      a hand begins; `dice` is a random.Random for this hand and seat alone
    see(seen)              somebody has moved, or cards have come
    move(seen) -> Move     your move
    end(seen, result)      the hand is over

Agents throw only the dice they are given, so that a match with a seed can be repeated.
"""

import random
from typing import Any, Protocol, runtime_checkable

from mccfr.betting.lines import Move
from mccfr.errors import MccfrError, quoted
from mccfr.playing.seen import Result, Seen


class AgentError(MccfrError, ValueError):
    """An agent that does not exist, cannot play at a table, or made an illegal move."""


@runtime_checkable
class Mover(Protocol):
    """The least that an agent can do."""

    def move(self, seen: Seen) -> Move:
        """Return the move of the player who sees this."""
        ...


class Agent:
    """An agent that remembers nothing; derive from it, or write a class with the same methods.

    Attributes:
        name: What it is called in reports.

    Examples:
        >>> import mccfr
        >>> class Caller(mccfr.Agent):
        ...     def move(self, seen):
        ...         return seen.legal.moves[-1]  # check, or call
    """

    name = "agent"

    def start(self, seen: Seen, dice: random.Random) -> None:
        """Take note that a hand begins.

        Args:
            seen: The hand as this player sees it, before the first move.
            dice: What to throw in this hand, and nothing else.
        """
        self.dice = dice

    def see(self, seen: Seen) -> None:
        """Take note of a move or of cards.

        Args:
            seen: The hand as this player sees it now.
        """

    def move(self, seen: Seen) -> Move:
        """Choose a move.

        Args:
            seen: The hand as this player sees it, who is to move.

        Returns:
            One of `seen.legal.moves`, or `seen.table.raise_to(seen.state, chips)`.
        """
        raise NotImplementedError

    def end(self, seen: Seen, result: Result) -> None:
        """Take note of how a hand ended.

        Args:
            seen: The hand as this player sees it after the last move.
            result: What it won, and the cards that were shown.
        """

    def close(self) -> None:
        """Let go of connections and files; nothing is played afterwards."""


class Plain(Agent):
    """Any object with a `move` method, with the other methods where it has them."""

    def __init__(self, inner: Any) -> None:
        """Wrap an object."""
        self.inner = inner
        self.name = str(getattr(inner, "name", type(inner).__name__))

    def start(self, seen: Seen, dice: random.Random) -> None:
        self._tell("start", seen, dice)

    def see(self, seen: Seen) -> None:
        self._tell("see", seen)

    def move(self, seen: Seen) -> Move:
        found: Move = self.inner.move(seen)
        return found

    def end(self, seen: Seen, result: Result) -> None:
        self._tell("end", seen, result)

    def close(self) -> None:
        self._tell("close")

    def _tell(self, what: str, *given: Any) -> None:
        method = getattr(self.inner, what, None)
        if method is not None:
            method(*given)


def as_agent(given: Any) -> Agent:
    """An object as an agent."""
    if isinstance(given, Agent):
        return given
    if not isinstance(given, Mover) or isinstance(given, type):
        raise AgentError(f"an agent is an object with a method move(seen), got {quoted(given)}")
    return Plain(given)


def checked_move(agent: Agent, seen: Seen) -> Move:
    """The agent's move, or an error that says what was wrong with it."""
    move = agent.move(seen)
    if not isinstance(move, Move):
        raise AgentError(f"{agent.name} must return a Move, such as seen.legal.moves[0], got {quoted(move)}")
    problem = seen.table.problem(seen.state, move)
    if problem:
        raise AgentError(f"{agent.name} made an illegal move after {seen.state.line!r}: {problem}")
    return move


def chosen(odds: dict[Move, float], dice: random.Random) -> Move:
    """A move drawn by its probability."""
    left = dice.random() * sum(odds.values())
    for move, probability in odds.items():
        left -= probability
        if left < 0:
            return move
    return max(odds, key=lambda move: odds[move])
