"""`mccfr.agent`, `mccfr.table` and `mccfr.match`: what the commands do, without printing."""

from typing import Any

from mccfr.amounts import whole_count
from mccfr.playing.agent import Agent, AgentError
from mccfr.playing.agents import make_agent
from mccfr.playing.estimates import AIVAT, CHIPS, EQUITY
from mccfr.playing.exact_match import ExactMatch, exact_match
from mccfr.playing.match import play_match
from mccfr.playing.match_report import MatchReport
from mccfr.playing.table import Table, table_of

MOST_SEED = 2**63 - 1


def table(game: Any) -> Table:
    """Make the table at which a game of hold'em is played: its blinds, stacks and deck, with every legal bet.

    Args:
        game: Whole hold'em, as a string such as `"holdem(limit)"` or as `mccfr.game` makes it. A menu of bet sizes and
            buckets are no part of the table.

    Returns:
        The table; agents take it.

    Raises:
        TableError: If the game is not whole hold'em.

    Examples:
        >>> import mccfr
        >>> mccfr.table("holdem(nolimit(stack=200, bet='a'))")
        <Table: nolimit, blinds 1 2, stacks of 200, 52 cards>
    """
    return game if isinstance(game, Table) else table_of(game)


def agent(name: Any, table: Any = None, seed: int = 0) -> Agent:
    """Make an agent: something that answers "your move".

    Args:
        name: A string such as `"blueprint:nolimit"`, a strategy file, a run folder, `"always_call"` or
            `"variant(tight, 'blueprint:nolimit')"`; or a `Strategy`; or any object with a method `move(seen)`.
        table: Where it plays, as `mccfr.table` makes it, or the game; by default the table of its strategy.
        seed: For agents with dice of their own.

    Returns:
        The agent; `mccfr.match` takes it, and `agent.odds(seen)` of one that plays a strategy gives probabilities.

    Raises:
        AgentError: If there is no such agent, or it cannot play at this table.

    Examples:
        >>> import mccfr
        >>> mccfr.agent("always_call", "holdem(limit)").name
        'always_call'
    """
    place = None if table is None else table if isinstance(table, Table) else table_of(table)
    return make_agent(name, place, whole_count("seed", seed, 0, MOST_SEED, error=AgentError))


def match(
    one: Any,
    other: Any,
    hands: int = 100_000,
    seed: int = 0,
    table: Any = None,
    workers: int = 1,
    equity: bool = False,
    aivat: bool = False,
    until: bool = False,
) -> MatchReport | ExactMatch:
    """Play two agents against each other, every deal twice with seats exchanged.

    Args:
        one: The agent whose winnings are told: whatever `mccfr.agent` takes.
        other: The other one.
        hands: Hands to play, two for each deal.
        seed: Of the cards and of both agents.
        table: The table, for agents that play at any: a game, or what `mccfr.table` makes.
        workers: Processes; 0 for one on every core. The result does not depend on it.
        equity: Also count all-ins by what they were worth before the last cards.
        aivat: Also take luck out by AIVAT, which is slower and needs far fewer hands.
        until: Stop as soon as an interval that holds at any time excludes 0.

    Returns:
        Winnings of the first agent with 95 % intervals, by seat and by street. For two strategies of one small game,
            the exact value.

    Raises:
        AgentError: If there is no such agent, or the two cannot play at one table.

    Examples:
        >>> import mccfr
        >>> found = mccfr.match("always_call", "always_fold", hands=2000, table="holdem(limit)")
        >>> found.won().low > 0
        True
    """
    exact = exact_match(one, other)
    if exact is not None:
        return exact
    count = whole_count("hands", hands, 4, error=AgentError)
    dice = whole_count("seed", seed, 0, MOST_SEED, error=AgentError)
    processes = whole_count("workers", workers, 0, error=AgentError)
    wanted = [CHIPS, *[EQUITY] * bool(equity), *[AIVAT] * bool(aivat)]
    return play_match(one, other, count, dice, table, processes, wanted, until=bool(until))
