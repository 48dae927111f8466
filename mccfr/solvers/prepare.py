"""From whatever names a game to its tree: strings, classes, decomposed games, and trees kept from last time."""

import functools
import os
from collections.abc import Callable, Mapping
from typing import Any

from mccfr.errors import FileError, StrategyError, as_path, one_line
from mccfr.evaluate.exact import Evaluator
from mccfr.games.base import Game, VectorGame
from mccfr.games.registry import as_game, outside, received_game
from mccfr.solvers import part_values
from mccfr.strategy.file import load_strategy
from mccfr.strategy.openspiel_policy import from_policy
from mccfr.strategy.strategy import Strategy, strategy_from, uniform_strategy
from mccfr.tree.compile import compile_tree, tree_of
from mccfr.tree.store import cached
from mccfr.tree.tree import Tree

CACHE_FROM_NODES = 1_000_000  # trees of built-in games from this size are kept on disk


def compile(
    game: "str | Game | Tree",
    memory_limit: str | float | None = None,
    cache: bool | None = None,
    watch: Callable[[int], None] | None = None,
) -> Tree:
    """The tree of a game given as a string, a Game or a Tree.

    memory_limit: refuse a tree that needs more ("8GB"). cache: keep the compiled tree on disk and find it again by the
    hash of its rules; by default only large built-in games. watch: told now and then how many nodes have been met.
    A game in parts (Bluff) has its smaller games solved first.
    """

    def write(rules: Any) -> Tree:
        kept = cache
        if kept is None:
            kept = isinstance(rules, VectorGame) and (rules.nodes() or 0) >= CACHE_FROM_NODES
        make = functools.partial(compile_tree, rules, memory_limit, watch)
        return cached(rules, make) if kept else make()

    given = as_game(game)
    return tree_of(given, memory_limit, functools.partial(settle, memory_limit=memory_limit), write)


def settle(game: Any, memory_limit: str | float | None = None) -> Game:
    """Give a game in parts the values of its parts, unless it has been given them: see `part_values`."""
    settled: Game = part_values.settle(game, functools.partial(compile, memory_limit=memory_limit))
    return settled


def game_value(game: Game, memory_limit: str | float | None = None) -> float:
    """Value of a game for player 0, by linear programming."""
    from mccfr.solvers.lp import solve_lp  # and with it much of SciPy

    tree = compile(game, memory_limit).written
    return Evaluator(tree).value(solve_lp(tree))


def uniform(game: "str | Game | Tree") -> Strategy:
    """The strategy that plays every action equally often."""
    return uniform_strategy(compile(game))


def load(path: str | os.PathLike[str], game: "str | Game | Tree | None" = None) -> Strategy:
    """Read a strategy from a file. Nothing in the file is executed, and no other file is run or read because of it.

    Its game is compiled from the string it records, when first needed, and must be the same game still; give `game` for
    one that does not come with the package (a class, a Python file, an .efg file).
    """
    path = as_path(path, "a strategy file")
    if os.path.isdir(path):  # noqa: PTH112  which never raises
        raise FileError(f"cannot read {path}: it is a folder; of a run, mccfr.Run({str(path)!r}).strategy() reads it")
    if game is None:
        return load_strategy(path, lambda text: compile(_received(text, path)))
    tree = compile(game)
    strategy = load_strategy(path, lambda text: tree)
    _ = strategy.tree  # looked at now: a wrong game is refused on loading
    return strategy


def _received(text: str, path: str | os.PathLike[str]) -> Game:
    if why := outside(text):
        raise StrategyError(f"{path} is for the game {one_line(text)}, which is {why}: load it with game= (or --game)")
    return received_game(text)


def from_dict(game: "str | Game | Tree", given: Mapping[Any, Mapping[str, float]]) -> Strategy:
    """A strategy from {label or (player, label): {action: probability}}; infosets not given play uniformly."""
    return strategy_from(compile(game), given)


def from_openspiel(policy: Any, game: "str | Game | Tree | None" = None) -> Strategy:
    """A strategy from an OpenSpiel policy; `game` is the game of ours to put it on, by default the policy's own."""
    if game is None and not hasattr(policy, "game"):
        raise StrategyError("this policy does not know its game: give the game with game=, as openspiel:leduc_poker")
    return from_policy(policy, compile(f"openspiel:{policy.game}" if game is None else game))


compile_game = compile  # the same by a name that hides no function of Python's own
