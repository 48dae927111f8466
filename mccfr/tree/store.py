"""Trees on disk: saved by hand, or kept in a cache folder and found again by a hash of the rules that made them."""

import contextlib
import dataclasses
import hashlib
import inspect
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mccfr.games
from mccfr.errors import FileError, MccfrError, TreeError
from mccfr.files import container
from mccfr.files.cache import cache_folder
from mccfr.games.base import Game, game_text
from mccfr.tree import budget, build, enumerate, history_tree, infosets
from mccfr.tree.history_tree import HistoryTree
from mccfr.tree.infosets import Infosets
from mccfr.tree.tree import Tree

FORMAT, VERSION = "mccfr-tree", 1
VALUE_FORMAT = "mccfr-value"
CACHE_LIMIT = 8 * 2**30  # bytes kept in the cache folder; the trees used longest ago go first


def save_tree(saved: Tree, path: str | os.PathLike[str]) -> None:
    """Write a compiled tree to a file; only trees that took long to write out are worth it."""
    if not isinstance(saved, HistoryTree):
        raise TreeError(f"{saved.game} is not written out: compiling it again is as quick as reading it")
    infosets = saved.infosets
    header = {
        "format_version": VERSION,
        "game": saved.game,
        "players": saved.players,
        "first": list(infosets.first),
        "constant": saved.constant,
        "fingerprint": saved.fingerprint,
    }
    members: dict[str, Any] = {
        "nodes": saved.nodes,
        "odds": saved.odds,
        "payoffs": saved.payoffs,
        "row": infosets.row,
        "parent": infosets.parent,
        "menu": infosets.menu,
        "labels": list(infosets.labels),
        "menus": [list(menu) for menu in infosets.menus],
    }
    container.save(path, FORMAT, header, members)


def load_tree(path: str | os.PathLike[str]) -> HistoryTree:
    """Read a compiled tree; refuses a file whose contents are not those it was saved with."""
    header, members = container.load(path, FORMAT, "a compiled tree")
    if header.get("format_version") != VERSION:
        raise FileError(
            f"{path} has tree format {header.get('format_version')}, expected {VERSION}: compile the game again"
        )
    try:
        infosets = Infosets(
            tuple(header["first"]),
            members["row"],
            members["parent"],
            members["labels"],
            [tuple(menu) for menu in members["menus"]],
            members["menu"],
        )
        found = HistoryTree(
            header["game"],
            header["players"],
            members["nodes"],
            members["odds"],
            members["payoffs"],
            infosets,
            header["constant"],
        )
        sound = found.fingerprint == header["fingerprint"]
    except (KeyError, TypeError) as error:
        raise FileError(f"{path} is not a compiled tree: {error} is missing or malformed") from None
    if not sound:
        raise FileError(f"{path} is damaged: its contents do not match its fingerprint")
    return found


def cached(game: Game, compile_game: Callable[[], Tree], folder: Path | None = None) -> Tree:
    """The tree of this game from the cache folder if it is there, else compiled and put there.

    A cache that cannot be read or written never stands in the way: the tree is then simply compiled.
    """
    folder, name = folder or cache_folder(), rules_hash(game)
    if folder is None or name is None:
        return compile_game()
    path = folder / f"{name}.tree"
    if path.exists():
        with contextlib.suppress(MccfrError, OSError):
            found = load_tree(path)
            path.touch()
            return found
    made = compile_game()
    with contextlib.suppress(MccfrError, OSError):
        folder.mkdir(parents=True, exist_ok=True)
        save_tree(made, path)
        _forget_oldest(folder)
    return made


def cached_bracket(game: Game, find: Callable[[], tuple[float, float]]) -> tuple[float, float]:
    """What the value of a game lies between, from the cache folder if it is there, else found and put there."""
    folder, name = cache_folder(), rules_hash(game)
    path = folder / f"{name}.value" if folder and name else None
    if path and path.exists():
        with contextlib.suppress(MccfrError, OSError, KeyError, TypeError, ValueError):
            header, _ = container.load(path, VALUE_FORMAT, "the value of a game")
            return float(header["low"]), float(header["high"])
    low, high = find()
    if path:
        with contextlib.suppress(MccfrError, OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            container.save(path, VALUE_FORMAT, {"game": game_text(game), "low": low, "high": high}, {})
    return low, high


def rules_hash(game: Game) -> str | None:
    """A hash of everything a tree depends on: the game's string and values, the source of its rules, our compiler.

    None if the values cannot be written down (a function, say): such a game is not recognised again.
    """
    content = hashlib.sha256(f"{FORMAT} {VERSION} {type(game).__qualname__} {game_text(game)} ".encode())
    try:
        content.update(pickle.dumps(_values(game)))  # text would not do: NumPy abbreviates it
    except Exception:
        return None
    for source in sorted(_rule_files(game)):
        content.update(source.read_bytes())
    for module in (budget, build, enumerate, history_tree, infosets):
        content.update(inspect.getsource(module).encode())
    return content.hexdigest()[:32]


def _values(game: Game) -> Any:
    """What tells two games of one class apart; of a dataclass its fields, not what it remembers between calls."""
    if dataclasses.is_dataclass(game):
        return [(field.name, getattr(game, field.name)) for field in dataclasses.fields(game)]
    return sorted(vars(game).items()) if hasattr(game, "__dict__") else game


def _rule_files(game: Game) -> set[Path]:
    """The file of the game's class and of its bases; for a built-in game the whole folder of rule books."""
    files = {Path(inspect.getfile(c)) for c in type(game).__mro__ if c.__module__ not in ("builtins", "typing", "abc")}
    home = Path(mccfr.games.__file__).parent
    return files | set(home.glob("*.py")) if any(home in f.parents for f in files) else files


def _forget_oldest(folder: Path) -> None:
    trees = sorted(folder.glob("*.tree"), key=lambda path: path.stat().st_mtime)
    total = sum(path.stat().st_size for path in trees)
    for path in trees[:-1]:
        if total <= CACHE_LIMIT:
            return
        total -= path.stat().st_size
        path.unlink(missing_ok=True)
