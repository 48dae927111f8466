"""Values of the parts of a game in parts: exact by linear programming, and of large parts a bracket by a dealt solve.

A large part (Bluff with two dice against one) is solved in vector form. What player 0 can guarantee and what player 1
cannot prevent bracket its value; the middle is taken, and the bracket kept on disk beside compiled trees.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from mccfr.evaluate.exact import Evaluator
from mccfr.games.base import game_text
from mccfr.games.bluff_values import known_value
from mccfr.games.dealt import DealtForm
from mccfr.solvers.full_width_words import dcfr
from mccfr.tree.store import cached_bracket

if TYPE_CHECKING:
    from mccfr.tree.dealt_tree import DealtTree

EXACT_UP_TO = 1_000_000  # nodes of the written-out game: seconds by linear programming
PART_ITERATIONS = 500  # a minute or so for Bluff(2,1), to a bracket below 0.001


class Bracket(NamedTuple):
    """The value of a game to player 0 lies between these."""

    low: float
    high: float


def settle(game: Any, compile_game: Any) -> Any:
    """Give a game in parts the values of its parts, unless it has been given them.

    Rounded to 12 digits, so that the tree is the same on every machine.
    """
    if not hasattr(game, "subgames") or not game.subgames() or game.values:
        return game
    values = {key: round(part_value(part, compile_game), 12) for key, part in game.subgames().items()}
    return game.with_values(values)


def part_value(part: Any, compile_game: Any) -> float:
    """The value of a part: exact, as shipped, as found before, or the middle of a bracket found now."""
    if not hasattr(part, "dealt") or part.nodes() <= EXACT_UP_TO:
        from mccfr.solvers.lp import solve_lp  # and with it much of SciPy

        tree = compile_game(part).written
        return Evaluator(tree).value(solve_lp(tree))
    known = known_value(game_text(part))
    return sum(_kept(part, compile_game)) / 2 if known is None else known


def _kept(part: Any, compile_game: Any) -> tuple[float, float]:
    """The bracket from the cache folder, else found and put there."""
    whole = settle(part, compile_game)
    return cached_bracket(whole, lambda: bracket(compile_game(DealtForm(whole)), PART_ITERATIONS))


def bracket(tree: "DealtTree", iterations: int, workers: int = 1) -> Bracket:
    """What both players can guarantee after so many iterations of `dcfr`."""
    from mccfr.evaluate.vector_values import VectorEvaluator
    from mccfr.solvers.vector_engine import VectorEngine

    engine = VectorEngine(tree, dcfr(), workers)
    engine.run(iterations)
    first, second = VectorEvaluator(tree, workers).best_values(engine.weights())
    return Bracket(-second, first)
