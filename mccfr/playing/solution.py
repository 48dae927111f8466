"""Which strategy counts as the solution at a table: the opponent's own, or a blueprint that fits."""

from mccfr.playing.agent import Agent, AgentError
from mccfr.playing.agents import read_strategy
from mccfr.playing.policy import Policy, StrategyPolicy
from mccfr.playing.table import Table

BLUEPRINTS = ("blueprint:nolimit", "blueprint:limit")


def solution_for(table: Table, agent: Agent | None = None) -> Policy | None:
    """The strategy that an agent plays, otherwise a blueprint for this table; None if there is none."""
    policy = getattr(agent, "policy", None)
    policy = getattr(policy, "blueprint", policy)  # of one that re-solves, since judging asks about many boards
    if isinstance(policy, StrategyPolicy):
        return policy
    for name in BLUEPRINTS:
        if table_kind(name) == table.betting.name:
            try:
                return StrategyPolicy(read_strategy(name), table, name)
            except AgentError:  # other stacks, or another deck
                continue
    return None


def table_kind(name: str) -> str:
    """The betting that a blueprint is for, by its name."""
    return name.removeprefix("blueprint:")
