"""Agents by name: `blueprint:nolimit`, a file, a run folder, `always_call`, `variant(tight, 'blueprint:nolimit')`.

`blueprint:nolimit+resolve(river)` is another way to write `resolve('blueprint:nolimit', river)`.
"""

import dataclasses
import importlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mccfr.errors import nearest, quoted
from mccfr.grammar import Call, GrammarError, misfit, parse_call
from mccfr.playing.agent import Agent, AgentError, as_agent
from mccfr.playing.policy import Policy, StrategyPolicy
from mccfr.playing.policy_agent import PolicyAgent
from mccfr.playing.simple_policies import SIMPLE
from mccfr.playing.table import Table, table_of
from mccfr.playing.transforms import cut, purified, variant
from mccfr.strategy.strategy import Strategy

Make = Callable[..., Agent]  # of a table (or None), a seed, and the values of the call
_RESOLVING = re.compile(r"(.+?)\+\s*(resolve\b.*)", re.DOTALL)


@dataclasses.dataclass(frozen=True)
class AgentKind:
    """A word that makes agents: what it means, and how it is made."""

    about: str
    make: Make | str  # or where it is, "module:function": of rooms that this one must not import

    @property
    def maker(self) -> Make:
        """The function that makes the agent, imported where it is only named."""
        if not isinstance(self.make, str):
            return self.make
        module, _, function = self.make.partition(":")
        found: Make = getattr(importlib.import_module(module), function)
        return found


def make_agent(given: Any, table: Table | None = None, seed: int = 0) -> Agent:
    """The agent that a string names or an object is, at a table; without one, at that of its strategy."""
    if isinstance(given, Policy):
        return PolicyAgent(given)
    if isinstance(given, Strategy):
        return PolicyAgent(StrategyPolicy(given, table))
    if not isinstance(given, str):
        return as_agent(given)
    text = given.strip()
    if is_strategy_text(text):
        return PolicyAgent(StrategyPolicy(read_strategy(text), table, name=text))
    call = _call_of(text)
    kind = KINDS.get(call.name)
    if kind is None:
        known = (*KINDS, "blueprint:nolimit", "blueprint:limit")
        raise AgentError(f"no agent {quoted(text)}; {nearest(call.name, known)}")
    make = kind.maker
    problem = misfit(call, make, table, seed)
    if problem:
        raise AgentError(problem)
    return make(table, seed, *call.args, **call.keys)


def table_named(given: Any) -> Table | None:
    """The table of the strategy that an agent plays or names, as in `purified('blueprint:limit')`, or None."""
    if isinstance(given, str):
        text = given.strip()
        if is_strategy_text(text):
            return StrategyPolicy(read_strategy(text), name=text).table
        call = _call_of(text)
        inner = (*call.args, *call.keys.values())
        return next((found for each in inner if (found := _inside(each)) is not None), None)
    if isinstance(given, Strategy):
        return StrategyPolicy(given).table
    policy = given if isinstance(given, Policy) else getattr(given, "policy", None)
    return policy.table if isinstance(policy, Policy) and policy.at_own_table else None


def own_table(agent: Agent) -> Table | None:
    """The table of an agent that plays at one only."""
    policy = getattr(agent, "policy", None)
    return policy.table if isinstance(policy, Policy) and policy.at_own_table else None


def table_for(given: Any) -> Table:
    """A table from a game, its string or an ACPC definition, `gamedef:FILE`; or the table itself."""
    return given if isinstance(given, Table) else table_of(given)


def _inside(value: Any) -> Table | None:
    """The table of a value inside a call."""
    if isinstance(value, Call):
        return table_named(str(value)) if value.args else None
    return table_named(value) if isinstance(value, str | Strategy) and (value in KINDS or _names(value)) else None


def _names(value: Any) -> bool:
    """Whether a value names a strategy or has one inside."""
    return not isinstance(value, str) or is_strategy_text(value) or "(" in value


def is_strategy_text(text: str) -> bool:
    """Whether a string names a strategy: a blueprint, a file or a run folder."""
    if is_resolving_text(text):
        return False
    return text.startswith(("blueprint:", "uniform:")) or text.endswith(".mccfr") or os.path.exists(text)  # noqa: PTH110


def is_resolving_text(text: str) -> bool:
    """Whether a string is that of an agent which re-solves: a strategy, `+`, and `resolve` with what it is told."""
    return _RESOLVING.fullmatch(text.strip()) is not None


def read_strategy(text: str) -> Strategy:
    """A strategy by its file, run folder or name."""
    import mccfr

    if text.startswith("uniform:"):
        return mccfr.uniform(text.removeprefix("uniform:"))
    return mccfr.Run(text).strategy() if Path(text).is_dir() else mccfr.load(text)


def known_strategy(agent: Agent) -> Strategy:
    """The strategy that an agent plays, for words that change strategies."""
    policy = getattr(agent, "policy", None)
    if not isinstance(policy, StrategyPolicy):
        raise AgentError(f"{agent.name} plays no strategy that could be changed: expected 'blueprint:nolimit' or so")
    return policy.strategy


def known_policy(given: Any, table: Table | None = None) -> Policy:
    """The policy that an agent follows, for those who must know what every hand would do."""
    if isinstance(given, Policy):
        return given
    agent = make_agent(given, table)
    policy = getattr(agent, "policy", None)
    if not isinstance(policy, Policy):
        raise AgentError(f"nobody knows what {agent.name} does with each hand: expected 'blueprint:nolimit' or so")
    return policy


def _call_of(text: str) -> Call:
    found = _RESOLVING.fullmatch(text)
    try:
        if found is None:
            return parse_call(text)
        call = parse_call(found[2])
        return Call(call.name, (found[1].strip(), *call.args), call.keys)
    except GrammarError:
        raise AgentError(
            f"no agent {quoted(text)}: expected a strategy (blueprint:nolimit, FILE.mccfr, a run folder) or one of "
            f"{', '.join(KINDS)}"
        ) from None


def _simple(name: str) -> Make:
    def make(table: Table | None, seed: int) -> Agent:
        if table is None:
            raise AgentError(f"{name} plays at any table: say at which, as in --game 'holdem(limit)'")
        return PolicyAgent(SIMPLE[name](table))

    return make


def _changed(name: str, change: Callable[..., Strategy]) -> Make:
    def made(strategy: Any, table: Table | None, seed: int, text: str, *values: Any) -> Agent:
        inner = strategy if isinstance(strategy, Strategy) else known_strategy(make_agent(strategy, table, seed))
        return PolicyAgent(StrategyPolicy(change(inner, *values), table, name=text))

    if name == "variant":
        return lambda table, seed, kind, strategy: made(
            strategy, table, seed, f"variant({kind}, {strategy!r})", str(kind)
        )
    if name == "cut":
        return lambda table, seed, below, strategy: made(strategy, table, seed, f"cut({below}, {strategy!r})", below)
    return lambda table, seed, strategy: made(strategy, table, seed, f"{name}({strategy!r})")


def _lbr(table: Table | None, seed: int, setting: Any, opponent: Any) -> Agent:
    from mccfr.playing.lbr import LocalBestResponse
    from mccfr.playing.lbr_agent import LbrAgent
    from mccfr.playing.lbr_settings import make_setting

    policy = known_policy(opponent, table)
    return LbrAgent(LocalBestResponse(policy, make_setting(setting, policy.table)))


def _human(table: Table | None, seed: int) -> Agent:
    from mccfr.playing.human import Human

    return Human()


KINDS: dict[str, AgentKind] = {
    **{name: AgentKind((policy.__doc__ or "").splitlines()[0], _simple(name)) for name, policy in SIMPLE.items()},
    "human": AgentKind("A person, who is asked for each move.", _human),
    "purified": AgentKind("The likeliest move of a strategy.", _changed("purified", purified)),
    "cut": AgentKind("A strategy without its rare moves.", _changed("cut", cut)),
    "lbr": AgentKind("Local best response to a player whose strategy it knows.", _lbr),
    "variant": AgentKind(
        "A variant of a strategy, as Lin 2024 has them.", _changed("variant", lambda s, v: variant(v, s))
    ),
    "resolve": AgentKind(
        "A strategy that solves the river, or turn and river, again at the table.",
        "mccfr.resolving.resolve_words:resolve_agent",
    ),
    "acpc": AgentKind("A program that speaks ACPC and connects to this port.", "mccfr.protocols.acpc_agent:acpc_agent"),
}
