"""Matches of games that are small enough to know the result: expected values in both seats, without playing."""

from typing import Any, NamedTuple

from mccfr.playing.agents import is_strategy_text, read_strategy
from mccfr.strategy.strategy import Strategy


class ExactMatch(NamedTuple):
    """What the first strategy wins on average, in chips a game."""

    names: tuple[str, str]
    game: str
    as_first: float  # as player 0
    as_second: float  # as player 1

    @property
    def mean(self) -> float:
        """The mean of both seats."""
        return 0.5 * (self.as_first + self.as_second)


def exact_match(one: Any, other: Any) -> ExactMatch | None:
    """The exact result of a match between strategies of one small game; None where it has to be played."""
    import mccfr

    first, second = _strategy(one), _strategy(other)
    if first is None or second is None:
        return None
    if not (_small(first) and _small(second)) or first.tree.fingerprint != second.tree.fingerprint:
        return None
    names = (_name(one, first), _name(other, second))
    forth, back = mccfr.expected_value(first, second), mccfr.expected_value(second, first)
    return ExactMatch(names, first.game, forth, first.tree.constant - back)


def _strategy(given: Any) -> Strategy | None:
    if isinstance(given, Strategy):
        return given
    return read_strategy(given) if isinstance(given, str) and is_strategy_text(given.strip()) else None


def _name(given: Any, strategy: Strategy) -> str:
    return given if isinstance(given, str) else strategy.origin.method or strategy.game


def _small(strategy: Strategy) -> bool:
    tree = strategy.tree.buckets
    return tree is None or tree.quickly_measured
