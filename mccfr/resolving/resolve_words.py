"""The agent `blueprint:nolimit+resolve(river)` by its words: what re-solving may be told, and what is refused.

street       river or turn: from which street on positions are re-solved; on tables with fewer streets the last one
             is the river
gadget       resolve, maxmargin or unsafe: see `mccfr.resolving.gadgets`
bets         the sizes of the trees, 'pot, a' or as in spots: '50%, 100%, a'
target       the share of the pot that may be won from each solution, in the game with its gadget
iterations   instead: so many of each solution
seconds      instead: as many iterations as fit into so much time
values       what the opponent's alternatives are: profile, what the strategy so far gives it, or best, what a best
             response to it gets
"""

from typing import Any

from mccfr.amounts import read_target
from mccfr.betting.sizes import Size, parse_sizes
from mccfr.errors import MccfrError, nearest, quoted
from mccfr.playing.agent import Agent, AgentError
from mccfr.playing.agents import make_agent
from mccfr.playing.policy import StrategyPolicy
from mccfr.playing.policy_agent import PolicyAgent
from mccfr.playing.table import Table
from mccfr.resolving.budgets import Budget
from mccfr.resolving.gadgets import Gadget, ResolvingError, read_gadget
from mccfr.resolving.position_solving import HowToSolve
from mccfr.resolving.table_policy import ResolvingPolicy
from mccfr.strategy.strategy import Strategy

STREETS = {"river": 1, "turn": 2}  # counted from the end
VALUES = ("profile", "best")
BETS, GADGET, TARGET = "pot, a", "resolve", "0.5%"
MOST_ITERATIONS, MOST_SECONDS = 1_000_000, 3600.0
MOST_PERCENT = 100.0
ENOUGH = 2000  # iterations, where a target is not reached before


def resolve_agent(
    table: Table | None,
    seed: int,
    strategy: Any,
    street: str = "river",
    gadget: str = GADGET,
    bets: str = BETS,
    target: str | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    values: str = "profile",
) -> Agent:
    """An agent that plays a strategy, and from a street on what it solves at the table."""
    blueprint = blueprint_of(strategy, table, seed)
    how = HowToSolve(
        table_gadget(gadget),
        read_bets(bets),
        table_budget(target, iterations, seconds),
        _one_of("values", values, VALUES) > 0,
    )
    first = street_number(street, blueprint.table)
    told = {"gadget": how.gadget.name, "bets": bets, "target": target, "iterations": iterations, "seconds": seconds}
    told["values"] = values
    usual = {"gadget": GADGET, "bets": BETS, "values": "profile"}
    given = [f", {name}={value!r}" for name, value in told.items() if value != usual.get(name)]
    return PolicyAgent(ResolvingPolicy(blueprint, first, how, f"{blueprint.name}+resolve({street}{''.join(given)})"))


def blueprint_of(given: Any, table: Table | None, seed: int) -> StrategyPolicy:
    """The strategy of hold'em through buckets that an agent plays."""
    policy = getattr(make_agent(given, table, seed), "policy", None)
    if not isinstance(policy, StrategyPolicy):
        what = given.game if isinstance(given, Strategy) else given
        raise AgentError(
            f"{quoted(what)} is no strategy to re-solve from: expected blueprint:nolimit, FILE.mccfr or so, "
            "as in blueprint:nolimit+resolve(river)"
        )
    return policy


def street_number(street: Any, table: Table) -> int:
    """The street from which on positions are re-solved, by its name."""
    if street not in STREETS:
        raise ResolvingError(
            f"resolve({street}): positions of the river or the turn are re-solved; write river or turn"
        )
    first = table.streets - STREETS[street]
    if first < 1:
        raise ResolvingError(f"resolve({street}): {table!r} has no street before its {street}, expected river")
    return first


def table_gadget(given: Any) -> Gadget:
    """A gadget for positions at a table."""
    gadget = read_gadget(given)
    if gadget.counts_gifts:
        raise ResolvingError(
            f"gadget {gadget.name} needs what the opponent gave away on earlier streets, which is not known at the "
            "table: expected resolve, maxmargin or unsafe"
        )
    return gadget


def read_bets(given: Any) -> tuple[Size, ...]:
    """The sizes of bets and raises; `pot` is 100%."""
    if not isinstance(given, str):
        raise ResolvingError(f"bets must be sizes such as 'pot, a' or '50%, 100%, a', got {quoted(given)}")
    terms = [term.strip() for term in given.split(",")]
    return parse_sizes(",".join("100%" if term.lower() == "pot" else term for term in terms), False, "bets")


def table_budget(target: Any, iterations: Any, seconds: Any) -> Budget:
    """To a share of the pot, so many iterations, or as many as fit into a time."""
    if sum(each is not None for each in (target, iterations, seconds)) > 1:
        raise ResolvingError("resolve takes one of target, iterations and seconds")
    if seconds is not None:
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= MOST_SECONDS:
            raise ResolvingError(
                f"seconds must be more than 0 and at most {MOST_SECONDS:g}, as in seconds=0.5, got {quoted(seconds)}"
            )
        return Budget(seconds=float(seconds))
    if iterations is None:
        return Budget(ENOUGH, target=_share(TARGET if target is None else target))
    if isinstance(iterations, bool) or not isinstance(iterations, int) or not 1 <= iterations <= MOST_ITERATIONS:
        raise ResolvingError(
            f"iterations must be a whole number from 1 to {MOST_ITERATIONS:,}, got {quoted(iterations)}"
        )
    return Budget(iterations=iterations)


def _share(given: Any) -> str:
    """A percentage of the pot, above 0."""
    try:
        found = read_target(given)
    except MccfrError:
        found = ""
    if not isinstance(found, str) or not 0.0 < float(found.rstrip("% ")) <= MOST_PERCENT:
        raise ResolvingError(f"target must be a percentage of the pot such as '0.5%', got {quoted(given)}")
    return found


def _one_of(name: str, given: Any, known: tuple[str, ...]) -> int:
    if given not in known:
        raise ResolvingError(f"{name} is {quoted(given)}; {nearest(str(given), known)}")
    return known.index(given)
