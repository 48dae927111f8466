"""From whatever names a game to its tree: strings, classes, decomposed games, and trees kept from last time."""

import functools
import os
from collections.abc import Callable, Mapping
from typing import Any

from mccfr.blueprints import PREFIX, blueprint_file
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
    """Compile a game into its tree, the form that methods work on.

    A game in parts (Bluff) has its smaller games solved first.

    Args:
        game: A game string such as `"leduc"`, a `Game`, or a `Tree`, which is returned as it is.
        memory_limit: The most memory that compiling may take, as bytes or as `"8GB"`. By default the environment
            variable `MCCFR_MEMORY_LIMIT`, or else half of the machine's memory.
        cache: Whether to keep the tree on disk and find it again by a hash of the game's rules. By default only
            built-in games from a million nodes are kept.
        watch: Called now and then with the number of nodes met so far.

    Returns:
        A `HistoryTree`, which has a node for every history, a `DealtTree` for games that are
            dealt, or a `StreetTree` for spots and whole hold'em.

    Raises:
        GameError: If the string names no game, or the rules contradict themselves; the message says where.
        TreeError: If the tree would need more memory than allowed, or a player forgets what it did before.
        FileError: If the string names a file that cannot be read.

    Examples:
        >>> import mccfr
        >>> mccfr.compile("kuhn")
        <HistoryTree of kuhn: 58 nodes, 12 infosets>
        >>> mccfr.compile("dealt:kuhn")
        <DealtTree of dealt:kuhn: 9 public nodes, 3 x 3 hands, 12 infosets>
    """

    return _compiled(game, memory_limit, cache, watch)


def _compiled(
    game: "str | Game | Tree",
    memory_limit: str | float | None = None,
    cache: bool | None = None,
    watch: Callable[[int], None] | None = None,
    most_infosets: int | None = None,
) -> Tree:
    """`compile`, for those too who can use a written-out tree of so many infosets only."""

    def write(rules: Any) -> Tree:
        kept = cache
        if kept is None:
            kept = isinstance(rules, VectorGame) and (rules.nodes() or 0) >= CACHE_FROM_NODES
        make = functools.partial(compile_tree, rules, memory_limit, watch, most_infosets)
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
    """Make the strategy that plays every action equally often.

    Args:
        game: A game string, a `Game`, or a `Tree`.

    Returns:
        The uniform strategy of this game.

    Raises:
        GameError: If the game string or the game itself is wrong.
        TreeError: If the game needs more memory than allowed.

    Examples:
        >>> import mccfr
        >>> print(f"{mccfr.exploitability(mccfr.uniform('leduc')):.6f}")
        2.373611
    """
    return uniform_strategy(compile(game))


def load(path: str | os.PathLike[str], game: "str | Game | Tree | None" = None) -> Strategy:
    """Read a strategy from a file that `Strategy.save` wrote.

    Nothing in the file is executed, and no other file is run or read because of it. The game is compiled from the
    string in the file when it is first needed, and must still be the same game.

    Args:
        path: The file; or `"blueprint:limit"` and `"blueprint:nolimit"` for the strategies of hold'em that come with
            the package.
        game: The strategy's game. Needed only if the game does not come with the package: a class, a Python file
            or an .efg file.

    Returns:
        The strategy.

    Raises:
        FileError: If the file cannot be read, or is not a strategy file.
        StrategyError: If the strategy was made for another game. Without `game`, this shows when the tree is first
            needed.

    Examples:
        >>> import mccfr
        >>> mccfr.solve("kuhn", "lp").strategy().save("kuhn.mccfr")
        >>> mccfr.load("kuhn.mccfr")
        <Strategy for kuhn by lp: 12 infosets>
    """
    if isinstance(path, str) and path.startswith(PREFIX):
        path = blueprint_file(path)
    path = as_path(path, "a strategy file")
    if os.path.isdir(path):  # noqa: PTH112  which never raises
        raise FileError(f"cannot read {path}: it is a folder; of a run, mccfr.Run({str(path)!r}).strategy() reads it")
    if game is None:
        return load_strategy(path, lambda text, most: _compiled(_received(text, path), most_infosets=most))
    tree = compile(game)
    strategy = load_strategy(path, lambda text, most: tree)
    _ = strategy.tree  # looked at now: a wrong game is refused on loading
    return strategy


def _received(text: str, path: str | os.PathLike[str]) -> Game:
    if why := outside(text):
        raise StrategyError(f"{path} is for the game {one_line(text)}, which is {why}: load it with game= (or --game)")
    return received_game(text)


def from_dict(game: "str | Game | Tree", given: Mapping[Any, Mapping[str, float]]) -> Strategy:
    """Make a strategy from probabilities written down by hand.

    Args:
        game: A game string, a `Game`, or a `Tree`.
        given: For every infoset, its actions and their probabilities, which must sum to 1. An infoset is given by
            its label, or by `(player, label)` where two players share the label. Actions left out have
            probability 0; infosets left out play uniformly.

    Returns:
        The strategy.

    Raises:
        StrategyError: If there is no such infoset or action, or probabilities do not sum to 1.

    Examples:
        >>> import mccfr
        >>> strategy = mccfr.from_dict("kuhn", {"K:": {"bet": 1.0}, "J:": {"check": 0.7, "bet": 0.3}})
        >>> strategy["K:"]
        {'check': 0.0, 'bet': 1.0}
        >>> strategy
        <Strategy for kuhn by given: 12 infosets, 10 of them unvisited (uniform)>
    """
    return strategy_from(compile(game), given)


def from_openspiel(policy: Any, game: "str | Game | Tree | None" = None) -> Strategy:
    """Make a strategy from an OpenSpiel policy.

    Args:
        policy: Any OpenSpiel policy with `action_probabilities`. Infosets it knows nothing about play uniformly.
        game: The game to put the strategy on: a game string, a `Game` or a `Tree`. By default the policy's own
            game, as `openspiel:NAME`.

    Returns:
        A strategy with the same probabilities.

    Raises:
        StrategyError: If the policy's game is unknown, or differs from `game`.
        MissingExtra: If OpenSpiel is not installed.

    Examples:
        >>> import mccfr
        >>> from open_spiel.python.policy import UniformRandomPolicy
        >>> import pyspiel
        >>> policy = UniformRandomPolicy(pyspiel.load_game("kuhn_poker"))
        >>> mccfr.from_openspiel(policy, "kuhn")
        <Strategy for kuhn by openspiel policy: 12 infosets>
    """
    if game is None and not hasattr(policy, "game"):
        raise StrategyError("this policy does not know its game: give the game with game=, as openspiel:leduc_poker")
    return from_policy(policy, compile(f"openspiel:{policy.game}" if game is None else game))


compile_game = compile  # the same by a name that hides no function of Python's own
"""The same function as `compile`, by a name that does not hide Python's own `compile`."""
