"""Strategy files: self-contained, free of code, tied to their game by a fingerprint. See docs/formats.md."""

import dataclasses
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from mccfr.errors import FileError, MccfrError, StrategyError, one_line, quoted
from mccfr.files import container
from mccfr.files.bounded import is_count
from mccfr.strategy.strategy import Origin, Strategy
from mccfr.tree.budget import MoreInfosets
from mccfr.tree.infosets import Infosets
from mccfr.tree.received import read_infosets
from mccfr.tree.tree import Tree

FORMAT, VERSION = "mccfr-strategy", 1
LEVELS = 255  # steps of probabilities in compact files


def save_strategy(strategy: Strategy, path: str | os.PathLike[str], compact: bool = False) -> None:
    """Write a strategy with its infosets, labels and origin; names that the game itself knows are left out.

    compact: probabilities in steps of 1/255, which take an eighth of the room.
    """
    infosets, streets = strategy.infosets, strategy.tree.streets
    if streets is not None and streets.gate_rows.rows:
        raise StrategyError(f"{streets.game} has no name by which it could be read again: it cannot be saved")
    header = {
        "format_version": VERSION,
        **dataclasses.asdict(strategy.origin),
        "fingerprint": strategy.tree.fingerprint,
        **({} if infosets.kept_in_files else {"named": False}),
        **buckets_of(strategy.tree),
    }
    members: dict[str, Any] = {"visited": strategy.visited}
    if compact:
        members["levels"] = np.rint(strategy.probabilities * LEVELS).astype(np.uint8)
    else:
        members["probabilities"] = strategy.probabilities
    if infosets.kept_in_files:
        members |= _names(infosets)
    container.save(path, FORMAT, header, members)


def buckets_of(tree: Tree) -> dict[str, str]:
    """What a file records of the bucketing of its game, if there is one: its checksum."""
    return {} if tree.buckets is None else {"buckets": tree.buckets.fit.checksum}


def require_buckets(tree: Tree, recorded: Any, path: str | os.PathLike[str]) -> None:
    """Refuse a tree whose bucketing is not the one that a file records."""
    if tree.buckets is not None and recorded != (found := tree.buckets.fit.checksum):
        told = f"checksum {quoted(recorded[:16])}" if isinstance(recorded, str) else "no checksum"
        name = tree.buckets.fit.bucketing
        raise StrategyError(
            f"{path} has {told} of its buckets, but those of {name} have {found[:16]!r}: rows would differ"
        )


def _names(infosets: Infosets) -> dict[str, Any]:
    return {
        "first": np.array(infosets.first, dtype=np.int64),
        "row": infosets.row,
        "parent": infosets.parent,
        "menu": infosets.menu,
        "labels": list(infosets.labels),
        "menus": [list(menu) for menu in infosets.menus],
    }


def load_strategy(path: str | os.PathLike[str], compile_game: Callable[[str, int | None], Tree]) -> Strategy:
    """Read a strategy. Its tree comes from `compile_game` when needed, and must be the one it was made for.

    compile_game: is given a game and the number of infosets that a tree may have before it is certainly another one:
    a small file must not make its reader write out a large game.
    """
    with container.opened(path, FORMAT, "a strategy file") as file:
        header = file.header
        if not is_count(header.get("format_version"), VERSION, VERSION):
            told = quoted(header.get("format_version"))
            raise FileError(f"{path} has strategy format {told}, this version reads {VERSION}")
        try:
            origin, fingerprint = _origin(header)
            tree = (
                None if header.get("named", True) else compile_game(origin.game, None)
            )  # large dealt games know theirs
            if tree is not None:
                require_buckets(tree, header.get("buckets"), path)
            infosets = read_infosets(file) if tree is None else tree.infosets
            strategy = Strategy(infosets, _probabilities(file, infosets), origin, _visited(file, infosets))
            _check(strategy)
        except MccfrError:
            raise
        except (KeyError, AttributeError, TypeError, ValueError, IndexError, OverflowError) as error:
            why = f"{type(error).__name__} {' '.join(str(error).split())[:150]}"
            raise FileError(f"{path} is not a complete strategy file: {why}") from None

    def matching() -> Tree:
        try:
            found = tree or compile_game(origin.game, len(strategy.infosets))
        except MoreInfosets as error:
            other = f"another version of {one_line(origin.game)}"
            raise StrategyError(f"{path} was made for {other}: {len(strategy.infosets):,} infosets; {error}") from None
        return _matching(strategy, found, fingerprint, path)

    strategy._tree = matching
    if tree is not None:
        _ = strategy.tree  # looked at now: another version of the game is refused on loading
    return strategy


def _origin(header: dict[str, Any]) -> tuple[Origin, str]:
    """Where the strategy says it comes from, and its game's fingerprint."""
    origin, fingerprint = Origin(**{field.name: header[field.name] for field in dataclasses.fields(Origin)}), ""
    for name in ("game", "method", "version", "created", "fingerprint"):
        fingerprint = header[name]
        if not isinstance(fingerprint, str) or not _is_text(fingerprint):
            raise ValueError(f"its {name} is {quoted(fingerprint)}, expected text")
    if origin.seed is not None and not is_count(origin.seed):
        raise ValueError(f"its seed is {quoted(origin.seed)}, expected a whole number from 0")
    if not is_count(origin.iterations):
        raise ValueError(f"its iterations are {quoted(origin.iterations)}, expected a whole number from 0")
    if not isinstance(header.get("named", True), bool):
        raise ValueError(f"its named is {quoted(header['named'])}, expected true or false")
    return origin, fingerprint


def _is_text(text: str) -> bool:
    """Whether it can be written anywhere: half a surrogate cannot."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _probabilities(file: container.Container, infosets: Infosets) -> Any:
    if "levels.npy" in file.names:
        levels = file.array("levels", (np.uint8,), (infosets.entries,))
        return infosets.normalised(levels.astype(np.float32))[0]
    return file.array("probabilities", (np.float64, np.float32), (infosets.entries,))


def _visited(file: container.Container, infosets: Infosets) -> Any:
    return file.array("visited", (np.bool_,), (len(infosets),))


def _matching(strategy: Strategy, tree: Tree, fingerprint: str, path: str | os.PathLike[str]) -> Tree:
    """The tree, if it is the one the strategy was made for."""
    if tree.fingerprint == fingerprint:
        return tree
    a, b = len(strategy.infosets), len(tree.infosets)
    how = f"{a:,} and {b:,} infosets" if a != b else "the infosets or actions have other names"
    how = "the chances or payoffs differ" if strategy.infosets.fits(tree.infosets) else how
    mine, other = one_line(strategy.game), one_line(tree.game)
    same = f"another version of {other}" if tree.game == strategy.game else f"{mine}, not for {other}"
    raise StrategyError(f"{path} was made for {same}: {how}")


def _check(strategy: Strategy) -> None:
    """Refuse numbers that cannot be a strategy."""
    infosets, p = strategy.infosets, strategy.probabilities
    if not infosets.written:  # their rows are sums to 1 again when looked at or evaluated
        if len(p) and not (p.min() >= 0 and p.max() <= 1.0 + 1e-6):
            raise ValueError("it has probabilities that are negative, above 1 or not finite")
        return
    if not (np.isfinite(p).all() and (p >= 0).all()):
        raise ValueError("it has probabilities that are negative or not finite")
    if len(infosets) and np.abs(np.add.reduceat(p, infosets.row[:-1]) - 1.0).max() > 1e-6:
        raise ValueError("it has probabilities that do not sum to 1")
