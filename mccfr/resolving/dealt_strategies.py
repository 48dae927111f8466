"""Strategies of games that were written out, on the public tree of the same game."""

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from mccfr.errors import GameError, quoted
from mccfr.games.dealt import DealtForm
from mccfr.games.registry import as_game
from mccfr.resolving.gadgets import ResolvingError
from mccfr.solvers.prepare import compile as compile_game
from mccfr.strategy.strategy import Strategy
from mccfr.tree.dealt_tree import DealtTree

if TYPE_CHECKING:
    from mccfr.games.base import Game


def public_form(given: Any) -> tuple[Strategy, DealtTree]:
    """A strategy, or the file of one, on a public tree, and the tree; refuses games without hands."""
    import mccfr

    strategy = mccfr.load(given) if isinstance(given, str | os.PathLike) else given
    if not isinstance(strategy, Strategy):
        raise ResolvingError(f"{quoted(given)} is no strategy: give one, as solver.strategy() or mccfr.load make it")
    tree = strategy.tree.public
    if tree is not None:
        return strategy, tree
    if strategy.tree.streets is not None or strategy.tree.buckets is not None:
        raise ResolvingError(
            f"{strategy.game} is hold'em with boards: its positions are re-solved by agents such as "
            "'blueprint:nolimit+resolve(river)'"
        )
    tree = _public_tree(strategy)
    entries = {(tree.infosets.owner(j), label): tree.infosets.entry(j) for j, label in enumerate(tree.infosets.labels)}
    found = np.empty(tree.infosets.entries)
    if len(strategy.infosets) != len(entries):
        raise ResolvingError(f"{strategy.game} and its dealt form have different infosets")
    for j, label in enumerate(strategy.infosets.labels):
        at = entries.get((strategy.infosets.owner(j), label))
        if at is None:
            raise ResolvingError(f"{strategy.game}: its dealt form has no infoset {label!r}")
        row = list(strategy.at(j).values())
        found[at : at + len(row)] = row
    return Strategy(tree.infosets, found, strategy.origin, tree=tree), tree


def _public_tree(strategy: Strategy) -> DealtTree:
    given: Game = as_game(strategy.game)
    try:
        tree = compile_game(DealtForm(given)).public  # type: ignore[arg-type]
    except GameError as error:
        raise ResolvingError(str(error)) from None
    assert tree is not None
    return tree
