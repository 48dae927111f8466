"""`compile`: a game in, a tree out; or one line that says why not."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import GameError, quoted
from mccfr.games.base import Game, Level, VectorGame, blaming, game_text
from mccfr.games.dealt import DealtForm
from mccfr.games.streets import StreetGame
from mccfr.tree.budget import Budget, memory_limit
from mccfr.tree.build import build_nodes, numbered
from mccfr.tree.enumerate import NO_TEXT, Enumeration, check_contract, describe_path, unwritable
from mccfr.tree.history_tree import HistoryTree
from mccfr.tree.infosets import Infosets
from mccfr.tree.recall import parents
from mccfr.tree.tree import Tree


def tree_of(
    game: Any,
    limit: str | float | None,
    settle: Callable[[Any], Any],
    write: Callable[[Any], Tree],
) -> Tree:
    """The tree of a game in the form it asks for: a tree is one already, a game may only be dealt, others are written.

    settle: gives a game in parts the values of its parts; write: writes a settled game out.
    """
    if isinstance(game, Tree):
        return game
    with blaming(game.game if isinstance(game, DealtForm) else game):
        if getattr(game, "buckets", None) is not None:
            from mccfr.tree.bucket_build import tree_through_buckets  # and with it the kernels of cards

            return tree_through_buckets(game, limit)
        if isinstance(game, StreetGame):
            from mccfr.tree.street_build import lay_out_streets  # and with it the kernels of boards

            return lay_out_streets(game, limit)
        if getattr(game, "dealt_only", False):
            from mccfr.tree.dealt_tree import deal_out  # and with it the kernels of public trees

            return deal_out(game, limit, settle)
        return write(settle(game))


def compile_tree(
    game: Game,
    limit: str | float | None = None,
    watch: Callable[[int], None] | None = None,
    most_infosets: int | None = None,
) -> HistoryTree:
    """Write a game out as flat arrays.

    Refuses, naming the node or infoset: a broken contract, payoffs that are not constant-sum, imperfect recall, and a
    tree that would need more memory than `limit` or has more infosets than are wanted (before it is built). `watch` is
    told how many nodes have been met.
    """
    check_contract(game)
    budget = Budget(game_text(game), memory_limit(limit), watch, most_infosets)
    if isinstance(game, VectorGame):
        budget.check_known(game.nodes())
        levels = game.levels()
        if levels is not None:
            return _assemble(game, *_vectorised(game, levels, budget))
    return _assemble(game, *_plain(game, budget))


_Parts = tuple[list[Level], list[list[str]], list[list[tuple[str, ...]]], float]


def _plain(game: Game, budget: Budget) -> _Parts:
    enumeration = Enumeration(game, budget)
    levels = list(enumeration.levels())
    found = enumeration.found
    players = range(game.players)
    return levels, [found.labels(p) for p in players], [found.menus(p) for p in players], enumeration.constant or 0.0


def _vectorised(game: VectorGame, coded: Iterator[Level], budget: Budget) -> _Parts:
    levels, codes = numbered(coded, game.players, budget.check_infosets)
    described = [[game.describe(p, code) for code in codes[p]] for p in range(game.players)]
    return levels, [[d[0] for d in mine] for mine in described], [[d[1] for d in mine] for mine in described], 0.0


def _assemble(
    game: Game, levels: list[Level], labels: list[list[str]], menus: list[list[tuple[str, ...]]], constant: float
) -> HistoryTree:
    _check_labels(game, labels)
    _check_menus(game, menus)
    text, names = game_text(game), [label for mine in labels for label in mine]
    first = tuple(np.cumsum([0, *map(len, labels)]).tolist())
    all_menus = [menu for mine in menus for menu in mine]
    row = np.concatenate(([0], np.cumsum([len(menu) for menu in all_menus], dtype=np.int64)))
    nodes = build_nodes(levels, row, first, constant)
    distinct = {menu: j for j, menu in enumerate(dict.fromkeys(all_menus))}
    infosets = Infosets(
        first,
        row,
        parents(text, nodes.nodes, names, game.players, lambda h: describe_path(game, path_to(nodes.nodes, h))),
        names,
        list(distinct),
        np.array([distinct[menu] for menu in all_menus], dtype=np.int32),
    )
    return HistoryTree(text, game.players, nodes.nodes, nodes.odds, nodes.payoffs, infosets, constant)


def _check_labels(game: Game, labels: list[list[str]]) -> None:
    for player, mine in enumerate(labels):
        if len(set(mine)) < len(mine):
            seen: set[str] = set()
            twice = next(label for label in mine if label in seen or seen.add(label))  # type: ignore[func-returns-value]
            raise GameError(
                f"{game_text(game)}: two infosets of player {player} are both written {quoted(twice)}: "
                "infoset() must give keys that differ as text"
            )
        if (label := unwritable(mine)) is not None:
            raise GameError(f"{game_text(game)}: infoset() gives {quoted(label)}, {NO_TEXT}")


def _check_menus(game: Game, menus: list[list[tuple[str, ...]]]) -> None:
    for menu in {menu for mine in menus for menu in mine}:
        if (label := unwritable(menu)) is not None:
            raise GameError(f"{game_text(game)}: actions() gives {quoted(label)}, {NO_TEXT}")


def path_to(nodes: npt.NDArray[np.uint32], h: int) -> list[int]:
    """Child numbers from the root to node h."""
    steps: list[int] = []
    kind, first = nodes[3::4], nodes[0::4]
    inner = np.flatnonzero((kind & 255) != 255)
    order = inner[np.argsort(first[inner])]
    while h:
        parent = int(order[np.searchsorted(first[order], h, side="right") - 1])
        steps.append(h - int(first[parent]))
        h = parent
    return steps[::-1]
