"""Strategy files: self-contained, free of code, tied to their game by a fingerprint. See docs/formats.md."""

import dataclasses
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from mccfr.errors import FileError, StrategyError
from mccfr.files import container
from mccfr.strategy.strategy import Origin, Strategy
from mccfr.tree.infosets import Infosets
from mccfr.tree.tree import Tree

FORMAT, VERSION = "mccfr-strategy", 1


def save_strategy(strategy: Strategy, path: str | os.PathLike[str]) -> None:
    """Write a strategy with its infosets, labels and origin; of a large dealt game without names, which it knows."""
    infosets = strategy.infosets
    header = {
        "format_version": VERSION,
        **dataclasses.asdict(strategy.origin),
        "fingerprint": strategy.tree.fingerprint,
        **({} if infosets.written else {"named": False}),
    }
    members: dict[str, Any] = {"probabilities": strategy.probabilities, "visited": strategy.visited}
    if infosets.written:
        members |= _names(infosets)
    container.save(path, FORMAT, header, members)


def _names(infosets: Infosets) -> dict[str, Any]:
    return {
        "first": np.array(infosets.first, dtype=np.int64),
        "row": infosets.row,
        "parent": infosets.parent,
        "menu": infosets.menu,
        "labels": list(infosets.labels),
        "menus": [list(menu) for menu in infosets.menus],
    }


def load_strategy(path: str | os.PathLike[str], compile_game: Callable[[str], Tree]) -> Strategy:
    """Read a strategy. Its tree comes from `compile_game` when needed, and must be the one it was made for."""
    header, members = container.load(path, FORMAT, "a strategy file")
    if header.get("format_version") != VERSION:
        raise FileError(f"{path} has strategy format {header.get('format_version')!r}, this version reads {VERSION}")
    try:
        origin = Origin(**{field.name: header[field.name] for field in dataclasses.fields(Origin)})
        tree = None if header.get("named", True) else compile_game(origin.game)  # large dealt games know their infosets
        infosets = _infosets(members) if tree is None else tree.infosets
        strategy = Strategy(infosets, members["probabilities"], origin, members["visited"])
        _check(strategy)
        fingerprint = str(header["fingerprint"])
    except (KeyError, AttributeError, TypeError, ValueError, IndexError) as error:
        raise FileError(f"{path} is not a complete strategy file: {type(error).__name__} {error}") from None
    strategy._tree = lambda: _matching(strategy, tree or compile_game(origin.game), fingerprint, path)
    if tree is not None:
        _ = strategy.tree  # looked at now: another version of the game is refused on loading
    return strategy


def _infosets(members: dict[str, Any]) -> Infosets:
    return Infosets(
        tuple(members["first"].tolist()),
        members["row"],
        members["parent"],
        members["labels"],
        [tuple(menu) for menu in members["menus"]],
        members["menu"],
    )


def _matching(strategy: Strategy, tree: Tree, fingerprint: str, path: str | os.PathLike[str]) -> Tree:
    """The tree, if it is the one the strategy was made for."""
    if tree.fingerprint == fingerprint:
        return tree
    a, b = len(strategy.infosets), len(tree.infosets)
    how = f"{a:,} and {b:,} infosets" if a != b else "the infosets or actions have other names"
    how = "the chances or payoffs differ" if strategy.infosets.fits(tree.infosets) else how
    same = f"another version of {tree.game}" if tree.game == strategy.game else f"{strategy.game}, not for {tree.game}"
    raise StrategyError(f"{path} was made for {same}: {how}")


def _check(strategy: Strategy) -> None:
    """Refuse numbers that cannot be a strategy."""
    infosets, p = strategy.infosets, strategy.probabilities
    if not infosets.written:  # their rows are sums to 1 again when looked at or evaluated
        if strategy.visited.shape != (len(infosets),) or not (p.min() >= 0 and p.max() <= 1.0 + 1e-6):
            raise ValueError("its arrays do not fit its game")
        return
    if (
        infosets.row.shape != (len(infosets) + 1,)
        or p.shape != (infosets.entries,)
        or len(infosets.menu) != len(infosets)
    ):
        raise ValueError("its arrays do not fit together")
    if infosets.first[-1] != len(infosets) or strategy.visited.shape != (len(infosets),):
        raise ValueError("its arrays do not fit together")
    if len(infosets) and not np.array_equal([len(infosets.actions(j)) for j in range(len(infosets))], infosets.arity):
        raise ValueError("its actions do not fit its infosets")
    if not (np.isfinite(p).all() and (p >= 0).all()):
        raise ValueError("it has probabilities that are negative or not finite")
    if len(infosets) and np.abs(np.add.reduceat(p, infosets.row[:-1]) - 1.0).max() > 1e-6:
        raise ValueError("it has probabilities that do not sum to 1")
