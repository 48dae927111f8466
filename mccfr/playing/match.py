"""Matches: duplicate deals between two agents, with intervals.

Every deal is played twice with seats exchanged, so luck with the cards cancels; the unit of all statistics is the
pair. Cards and agents have dice of their own. Deals come in blocks, each with seeds of its own, so the result does not
depend on the number of workers.
"""

import dataclasses
import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.jobs.process_pool import ProcessPool
from mccfr.jobs.runner import Pool, ThisProcess
from mccfr.machine import processors
from mccfr.playing.agent import Agent, AgentError
from mccfr.playing.agents import make_agent, own_table
from mccfr.playing.bulk import deal_to_many, play_deals
from mccfr.playing.estimates import CHIPS, ESTIMATES, estimate_values
from mccfr.playing.match_report import MatchReport, Tally
from mccfr.playing.played_hand import HandRecord, play_hand
from mccfr.playing.policy import Policy
from mccfr.playing.table import Table, table_of

Floats = npt.NDArray[np.float64]
BLOCK = 2**14  # deals of a block between policies
WATCHED_BLOCK = 2**10  # where a match may end after any block
SLOW_BLOCK = 2**6  # with AIVAT, or agents that are asked hand by hand
CARDS, FIRST, SECOND = range(3)  # streams of dice


@dataclasses.dataclass(frozen=True)
class Block:
    """So many deals of a match, as a job."""

    agents: tuple[Any, Any]  # strings, or objects
    table: Table
    seed: int
    number: int
    deals: int
    hands: int  # of the whole match, by which agents decide what to prepare
    estimates: tuple[str, ...]
    keep: bool = False

    workers = 1

    def do(self) -> Tally:
        """Play them."""
        agents = [_kept_agent(agent, self.table, self.seed, self.hands) for agent in self.agents]
        return play_block(self, agents)


_KEPT: dict[tuple[str, Table, int], Agent] = {}


def _kept_agent(given: Any, table: Table, seed: int, hands: int) -> Agent:
    """An agent, made once in a process for all blocks of a match."""
    if not isinstance(given, str):
        return make_agent(given, table, seed)
    key = given, table, seed
    if key not in _KEPT:
        agent = make_agent(given, table, seed)
        policy = policy_of(agent)
        if policy is not None:
            policy.prepare(hands)
        _KEPT[key] = agent
    return _KEPT[key]


def policy_of(agent: Agent) -> Policy | None:
    """The policy of an agent whose probabilities are known."""
    policy = getattr(agent, "policy", None)
    return policy if isinstance(policy, Policy) else None


class _Game(NamedTuple):
    """One seating of a block: who is the big blind, and what came of it."""

    records: list[HandRecord]
    payoff: Floats  # [deals] of the big blind
    street: npt.NDArray[np.int64]  # [deals] on which betting ended


def play_block(block: Block, agents: Sequence[Agent]) -> Tally:
    """Both seatings of every deal of a block."""
    began = time.perf_counter()
    cards = deal_to_many(block.table, block.deals, dice_of(block, CARDS))
    policies = [policy_of(agent) for agent in agents]
    records = block.keep or block.estimates != (CHIPS,)
    if all(policy is not None for policy in policies):
        games = [_in_bulk(block, policies, cards, swapped, records) for swapped in (False, True)]
    else:
        games = [_one_by_one(block, agents, cards, swapped) for swapped in (False, True)]
    values = [
        estimate_values(block.estimates, game.payoff, game.records, seats)
        for game, seats in zip(games, (policies, policies[::-1]))
    ]
    return Tally(
        pairs={name: 0.5 * (values[0][name] - values[1][name]) for name in block.estimates},
        seats=(values[0][block.estimates[-1]], -values[1][block.estimates[-1]]),
        chips=np.concatenate((games[0].payoff, -games[1].payoff)),
        streets=np.concatenate((games[0].street, games[1].street)),
        records=[record for game in games for record in game.records] if block.keep else [],
        seconds=time.perf_counter() - began,
    )


def dice_of(block: Block, stream: int, swapped: bool = False) -> np.random.Generator:
    """Dice for the cards of a block, or for an agent in one seating of it."""
    return np.random.default_rng([block.seed, block.number, stream, int(swapped)])


def _in_bulk(block: Block, policies: Sequence[Any], cards: Any, swapped: bool, records: bool) -> _Game:
    seated = policies[::-1] if swapped else policies
    streams = (SECOND, FIRST) if swapped else (FIRST, SECOND)
    played = play_deals(block.table, seated, cards, [dice_of(block, stream, swapped) for stream in streams])
    names = seated[0].name, seated[1].name
    kept = played.records(names, 2 * block.number * block.deals) if records else []
    return _Game(kept, played.payoff, played.street_of_end())


def _one_by_one(block: Block, agents: Sequence[Agent], cards: Any, swapped: bool) -> _Game:
    seated = agents[::-1] if swapped else agents
    streams = (SECOND, FIRST) if swapped else (FIRST, SECOND)
    records = []
    for number, dealt in enumerate(cards.tolist()):
        dice = [random.Random(f"{block.seed} {block.number} {number} {stream} {swapped}") for stream in streams]
        records.append(play_hand(block.table, seated, dealt, dice, number))
    payoff = np.array([record.chips[0] for record in records])
    return _Game(records, payoff, np.array([record.state.street for record in records]))


Watch = Callable[[MatchReport], bool]  # after each block; True ends the match


def play_match(
    one: Any,
    other: Any,
    hands: int,
    seed: int = 0,
    table: Any = None,
    workers: int = 1,
    estimates: Sequence[str] = (CHIPS,),
    until: bool = False,
    keep: bool = False,
    watch: Watch = lambda report: False,
) -> MatchReport:
    """Play a match; see `mccfr.match`."""
    rules = common_table((one, other), table)
    for name in estimates:
        if name not in ESTIMATES:
            raise AgentError(f"no estimate {name!r}: expected {', '.join(ESTIMATES)}")
    agents = tuple(given if isinstance(given, str) else make_agent(given, rules, seed) for given in (one, other))
    report = MatchReport.begin(tuple(map(_name, agents)), rules, seed, tuple(estimates))
    blocks = list(_blocks((agents[0], agents[1]), rules, seed, hands, tuple(estimates), keep, until))
    pool: Pool = ThisProcess() if workers == 1 or len(blocks) == 1 else ProcessPool(workers or processors())
    for tally in _in_order(pool, blocks):
        report = report.plus(tally)
        if watch(report) or (until and report.decided):
            break
    return report


def _name(agent: Any) -> str:
    return agent if isinstance(agent, str) else str(agent.name)


def _blocks(
    agents: tuple[Any, Any], table: Table, seed: int, hands: int, estimates: tuple[str, ...], keep: bool, until: bool
) -> Iterator[Block]:
    """The jobs of a match of so many hands."""
    pairs = max(hands // 2, 2)
    quick = estimates == (CHIPS,) and all(_plays_in_bulk(agent) for agent in agents)
    size = SLOW_BLOCK if not quick else WATCHED_BLOCK if until else BLOCK
    for number, begin in enumerate(range(0, pairs, size)):
        yield Block(agents, table, seed, number, min(size, pairs - begin), hands, estimates, keep)


def _plays_in_bulk(agent: Any) -> bool:
    """Whether an agent is a policy, as far as its name tells."""
    if not isinstance(agent, str):
        return policy_of(agent) is not None
    return agent.partition("(")[0] not in ("human", "acpc", "lbr")


def _in_order(pool: Pool, blocks: Sequence[Block]) -> Iterator[Tally]:
    """What blocks come to, in their order, whichever ends first."""
    waiting: dict[int, Tally] = {}
    due = 0
    news = pool.run(blocks)
    try:
        for item in news:
            if isinstance(item, Block):
                continue
            if item.error:
                raise AgentError(item.error)
            waiting[item.job.number] = item.result
            while due in waiting:
                yield waiting.pop(due)
                due += 1
    finally:
        news.close()


def common_table(agents: Sequence[Any], table: Any = None) -> Table:
    """The table of a match: the one that is given, or that of the agents that have one."""
    if table is not None:
        return table if isinstance(table, Table) else table_of(table)
    for given in agents:
        with_table = _table_of_agent(given)
        if with_table is not None:
            return with_table
    raise AgentError("these agents play at any table: say at which, as in --game 'holdem(limit)'")


def _table_of_agent(given: Any) -> Table | None:
    try:
        return own_table(make_agent(given))
    except AgentError as error:
        if "at any table" in str(error):
            return None
        raise
