"""A strategy with some of its positions solved again, and by how much that can have made it more exploitable."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from mccfr.errors import quoted
from mccfr.games.base import TERMINAL
from mccfr.resolving.budgets import Budget, read_budget
from mccfr.resolving.dealt_strategies import public_form
from mccfr.resolving.gadgets import Gadget, ResolvingError, read_gadget
from mccfr.resolving.position import position_from
from mccfr.resolving.public_places import Place, actions_at, decision_at, mover_at, place_of, step, told
from mccfr.resolving.public_values import PublicValues
from mccfr.resolving.solution import Solution, solve_position
from mccfr.solvers.method import Method
from mccfr.strategy.strategy import Origin, Strategy


class Refined(NamedTuple):
    """A strategy after some of its positions were solved again.

    Attributes:
        strategy: The new strategy.
        bounds: For each player, by how much the other's best response can have grown, in chips; 0 but for the error of
            the solver if the gadget is safe and values are best responses.
    """

    strategy: Strategy
    bounds: tuple[float, float]


def refine(
    strategy: "Strategy | str",
    lines: Iterable[str | Sequence[str]],
    gadget: Gadget | str = "resolve",
    method: Method | str = "cfr_plus",
    budget: Budget | str | int = "1000 iterations",
    values: str = "best",
    seed: int = 0,
    watch: Callable[[int], Any] | None = None,
) -> Refined:
    """Solve positions of a strategy again, for each player, and put the solutions in its place.

    Args:
        strategy: A strategy of a game with a dealt form, such as Leduc, or its file.
        lines: Where the positions are; none may lie below another, or their bounds would not add up.
        gadget: What the opponent may do before each.
        method: By which method they are solved.
        budget: What each may cost.
        values: The opponent's alternatives: `"best"` or `"average"`.
        seed: Seed of sampled methods.
        watch: Told how many positions were solved.

    Returns:
        The new strategy and the bounds.

    Raises:
        ResolvingError: If a line does not exist, is over, or lies below another.

    Examples:
        >>> import mccfr
        >>> strategy = mccfr.solve("kuhn", "lp").strategy()
        >>> refined = mccfr.refine(strategy, ["check", "bet"], "resolve", "lp", 1)
        >>> mccfr.exploitability(refined.strategy) < 1e-9, max(refined.bounds) < 1e-9
        (True, True)
    """
    given, tree = public_form(strategy)
    if isinstance(lines, str) or not isinstance(lines, Iterable):
        raise ResolvingError(f"{quoted(lines)} is no list of lines: write ['check', 'bet'] or so")
    places = [place_of(tree, line) for line in lines]
    _refuse_overlaps(places)
    found, new = PublicValues(tree, given.probabilities), given.probabilities.copy()
    bounds = [0.0, 0.0]
    for number, place in enumerate(places):
        for seat in (0, 1):
            try:
                position = position_from(found, place, seat, gadget, values)
            except ResolvingError:
                if mover_at(tree, place) == TERMINAL or not _is_empty(found, place, seat):
                    raise
                continue  # the player never comes here
            solution = solve_position(position, method, read_budget(budget), seed + 2 * number + seat)
            _put(solution, place, seat, new)
            bounds[seat] += solution.bound
        if watch is not None:
            watch(number + 1)
    origin = Origin(given.game, f"{given.origin.method}, then {read_gadget(gadget)} by {method}", seed)
    return Refined(Strategy(tree.infosets, new, origin, tree=tree), (bounds[0], bounds[1]))


def _is_empty(found: PublicValues, place: Place, seat: int) -> bool:
    mine = found.reach(seat)[place.node]
    return not (mine @ place.chance if seat == 0 else place.chance @ mine).any()


def _refuse_overlaps(places: list[Place]) -> None:
    lines = sorted(place.line for place in places)
    for above, below in itertools.pairwise(lines):
        if below[: len(above)] == above:
            raise ResolvingError(f"{told(below)} is {told(above)} or lies below it: re-solve one of them")


def _put(solution: Solution, root: Place, seat: int, table: Any) -> None:
    """Write a player's part of a solution into the table of the whole game."""
    tree = solution.position.tree
    waiting = [(root, solution.root)]
    while waiting:
        place, node = waiting.pop()
        mover = mover_at(tree, place)
        if mover == TERMINAL:
            continue
        if mover == seat:
            decision_at(tree, place.node).rows(table)[:] = decision_at(solution.tree, node).rows(solution.probabilities)
        child = int(solution.tree.nodes[4 * node])
        waiting += [(step(tree, place, a), child + j) for j, a in enumerate(actions_at(tree, place))]
