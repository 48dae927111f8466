"""Matches: duplicate deals between two agents, with intervals.

Every deal is played twice with seats exchanged, so luck with the cards cancels; the unit of all statistics is the
pair. Cards and agents have dice of their own. Deals come in blocks, each with seeds of its own, so the result does not
depend on the number of workers.
"""

import dataclasses
import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.jobs.process_pool import ProcessPool
from mccfr.jobs.runner import Pool, ThisProcess
from mccfr.machine import processors
from mccfr.playing.agent import Agent, AgentError
from mccfr.playing.agents import make_agent, table_named
from mccfr.playing.bulk import deal_to_many, play_deals
from mccfr.playing.estimates import AIVAT, CHIPS, ESTIMATES, Seating, estimated
from mccfr.playing.match_report import MatchReport, Tally
from mccfr.playing.played_hand import play_hand
from mccfr.playing.policy import Policy
from mccfr.playing.table import Table, table_of

Floats = npt.NDArray[np.float64]
BLOCK = 2**14  # deals of a block between policies
WATCHED_BLOCK = 2**10  # where a match may end after any block
SLOW_BLOCK = 2**7  # with AIVAT, or agents that are asked hand by hand or take long for a move
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
        agents = [kept_agent(agent, self.table, self.seed) for agent in self.agents]
        prepare(agents, self.hands)
        return play_block(self, agents)


_KEPT: dict[tuple[str, Table, int], Agent] = {}


def kept_agent(given: Any, table: Table, seed: int) -> Agent:
    """An agent, made once in a process for all blocks of a match."""
    if not isinstance(given, str):
        return make_agent(given, table, seed)
    key = given, table, seed
    if key not in _KEPT:
        _KEPT[key] = make_agent(given, table, seed)
    return _KEPT[key]


def prepare(agents: Sequence[Agent], hands: int) -> None:
    """Let agents load or make what they need for so many hands."""
    for policy in map(policy_of, agents):
        if policy is not None:
            policy.prepare(hands)


def policy_of(agent: Agent) -> Policy | None:
    """The policy of an agent whose probabilities are known."""
    policy = getattr(agent, "policy", None)
    return policy if isinstance(policy, Policy) else None


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
    values = {name: estimated(name, block.table, games) for name in block.estimates}
    best = values[block.estimates[-1]]
    return Tally(
        pairs={name: 0.5 * (forth - back) for name, (forth, back) in values.items()},
        seats=(best[0], -best[1]),
        chips=np.concatenate((games[0].payoff, -games[1].payoff)),
        streets=np.concatenate((games[0].street, games[1].street)),
        records=[record for game in games for record in game.records] if block.keep else [],
        seconds=time.perf_counter() - began,
    )


def dice_of(block: Block, stream: int, swapped: bool = False) -> np.random.Generator:
    """Dice for the cards of a block, or for an agent in one seating of it."""
    return np.random.default_rng([block.seed, block.number, stream, int(swapped)])


def _in_bulk(block: Block, policies: Sequence[Any], cards: Any, swapped: bool, records: bool) -> Seating:
    seated = policies[::-1] if swapped else policies
    streams = (SECOND, FIRST) if swapped else (FIRST, SECOND)
    played = play_deals(block.table, seated, cards, [dice_of(block, stream, swapped) for stream in streams])
    names = seated[0].name, seated[1].name
    kept = played.records(names, 2 * block.number * block.deals) if records else []
    return Seating(kept, played.payoff, played.street_of_end(), seated)


def _one_by_one(block: Block, agents: Sequence[Agent], cards: Any, swapped: bool) -> Seating:
    seated = agents[::-1] if swapped else agents
    streams = (SECOND, FIRST) if swapped else (FIRST, SECOND)
    records = []
    for number, dealt in enumerate(cards.tolist()):
        dice = [random.Random(f"{block.seed} {block.number} {number} {stream} {swapped}") for stream in streams]
        records.append(play_hand(block.table, seated, dealt, dice, number))
    payoff = np.array([record.chips[0] for record in records])
    streets = np.array([record.state.street for record in records])
    return Seating(records, payoff, streets, [policy_of(agent) for agent in seated])


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
    agents = tuple(_for_blocks(given, rules, seed) for given in (one, other))
    prepare([kept_agent(agent, rules, seed) for agent in agents], hands)  # once, before several processes need it
    report = MatchReport.begin(tuple(map(_name, agents)), rules, seed, tuple(estimates))
    blocks = list(_blocks((agents[0], agents[1]), rules, seed, hands, tuple(estimates), keep, until))
    pool: Pool = ThisProcess() if workers == 1 or len(blocks) == 1 else ProcessPool(workers or processors())
    for tally in _in_order(pool, blocks):
        report = report.plus(tally)
        if watch(report) or (until and report.decided):
            break
    return report


def _for_blocks(given: Any, table: Table, seed: int) -> Any:
    """What blocks are told of an agent: its name if any process can make it from that, otherwise the agent itself."""
    if isinstance(given, str) and policy_of(kept_agent(given, table, seed)) is not None:
        return given
    return kept_agent(given, table, seed)


def _name(agent: Any) -> str:
    return agent if isinstance(agent, str) else str(agent.name)


def _blocks(
    agents: tuple[Any, Any], table: Table, seed: int, hands: int, estimates: tuple[str, ...], keep: bool, until: bool
) -> Iterator[Block]:
    """The jobs of a match of so many hands."""
    pairs = max(hands // 2, 2)
    policies = [policy_of(kept_agent(agent, table, seed)) for agent in agents]
    quick = AIVAT not in estimates and all(policy is not None and policy.quick for policy in policies)
    size = SLOW_BLOCK if not quick else WATCHED_BLOCK if until else BLOCK
    for number, begin in enumerate(range(0, pairs, size)):
        yield Block(agents, table, seed, number, min(size, pairs - begin), hands, estimates, keep)


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
        found = table_named(given)
        if found is not None:
            return found
    raise AgentError("these agents play at any table: say at which, as in --game 'holdem(limit)'")
