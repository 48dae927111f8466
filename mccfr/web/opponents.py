"""The agents that pages may play against: those of the command line, and those that come with the package.

Each is loaded once for all pages. A page chooses among their names and never names a file.
"""

import functools
import random
import threading
from typing import NamedTuple

from mccfr.playing.agent import Agent, AgentError
from mccfr.playing.agents import make_agent, own_table
from mccfr.playing.played_hand import deal_cards, play_hand
from mccfr.playing.policy import Policy
from mccfr.playing.policy_agent import PolicyAgent
from mccfr.playing.simple_policies import AlwaysCall
from mccfr.playing.table import Table
from mccfr.web.hand_review import agents_range

HUMAN = "human"
SHIPPED = ("blueprint:nolimit", "blueprint:limit")


class Opponent(NamedTuple):
    """An agent that pages may play against: at which table, with which strategy if it has one."""

    name: str
    table: Table
    policy: Policy | None

    def agent(self) -> Agent:
        """An agent for one game; all games share its strategy."""
        return make_agent(self.name, self.table) if self.policy is None else PolicyAgent(self.policy)


class Opponents:
    """Agents by name."""

    def __init__(self, named: tuple[str, ...] = ()) -> None:
        """Nothing is loaded before it is asked for."""
        self.names = tuple(dict.fromkeys((*named, *SHIPPED)))
        self._known: dict[str, Opponent] = {}
        self._lock = threading.Lock()

    def at_hand(self, name: str) -> bool:
        """Whether an agent is loaded, or will never be."""
        return name in self._known or name not in self.names

    def find(self, name: str) -> Opponent:
        """An agent by its name, loaded the first time."""
        if name not in self.names:
            raise AgentError(f"no agent {name!r} here: expected one of {', '.join(self.names)}")
        with self._lock:
            if name not in self._known:
                self._known[name] = load_opponent(name)
            return self._known[name]


def load_opponent(name: str) -> Opponent:
    """An agent at its own table, or at that of blueprint:nolimit if it plays at any; ready to move at once."""
    agent, table = seated(name)
    policy = agent.policy if isinstance(agent, PolicyAgent) else None
    if policy is None:
        agent.close()
    else:
        _play_through(policy)
    return Opponent(name, table, policy)


def seated(name: str) -> tuple[Agent, Table]:
    """An agent by its name, and the table at which it plays here."""
    if name.strip() == HUMAN:
        raise AgentError(f"{HUMAN} is you: name the agent that you want to play against, such as {SHIPPED[0]}")
    try:
        agent = make_agent(name)
    except AgentError:  # it may be one that has to be told at which table
        agent = make_agent(name, usual_table())
    return agent, own_table(agent) or usual_table()


@functools.cache
def usual_table() -> Table:
    """The table of agents that have none of their own."""
    found = own_table(make_agent(SHIPPED[0]))
    assert found is not None
    return found


def _play_through(policy: Policy) -> None:
    """A hand to its end, so that all that must be compiled is compiled before anybody waits for a move."""
    dice = random.Random(0)
    agents = PolicyAgent(policy), PolicyAgent(AlwaysCall(policy.table))
    record = play_hand(policy.table, agents, deal_cards(policy.table, dice), (dice, dice))
    agents_range(policy, record, 0)
