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

import numpy as np

import mccfr.games
from mccfr.errors import FileError, MccfrError, TreeError, quoted
from mccfr.files import container
from mccfr.files.bounded import is_count, is_finite
from mccfr.files.cache import cache_folder, make_room
from mccfr.games.base import Game, game_text
from mccfr.kernel import layout
from mccfr.tree import budget, build, enumerate, history_tree, infosets
from mccfr.tree.history_tree import HistoryTree
from mccfr.tree.received import check_nodes, read_infosets, require_recall
from mccfr.tree.tree import Tree

FORMAT, VERSION = "mccfr-tree", 2
VALUE_FORMAT = "mccfr-value"
REALS = (np.float64,)
CACHE_LIMIT = 8 * 2**30  # bytes kept in the cache folder; the trees used longest ago go first


def save_tree(saved: Tree, path: str | os.PathLike[str], made_from: str = "") -> None:
    """Write a compiled tree to a file, which `mccfr.load_tree` reads.

    This is worth it for trees that took long to compile. `mccfr.compile` keeps large ones in a cache by itself.

    Args:
        saved: The tree.
        path: The file to write.
        made_from: A hash of the rules that the tree was made from, if it is to be checked on loading.

    Raises:
        TreeError: If the tree is not a `HistoryTree`: other kinds compile as quickly as they load.
        FileError: If the file cannot be written.

    Examples:
        >>> import mccfr
        >>> mccfr.save_tree(mccfr.compile("kuhn"), "kuhn.tree")
        >>> mccfr.load_tree("kuhn.tree")
        <HistoryTree of kuhn: 58 nodes, 12 infosets>
    """
    if not isinstance(saved, Tree):
        raise TreeError(f"save_tree takes a tree, as mccfr.compile('leduc') makes one, got {quoted(saved)}")
    if not isinstance(saved, HistoryTree):
        raise TreeError(f"{saved.game} is not written out: compiling it again is as fast as reading it")
    infosets = saved.infosets
    header = {
        "format_version": VERSION,
        "game": saved.game,
        "players": saved.players,
        "first": list(infosets.first),
        "constant": saved.constant,
        "fingerprint": saved.fingerprint,
        "made_from": made_from,
        "content": _content(saved, made_from),
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


def load_tree(path: str | os.PathLike[str], made_from: str | None = None) -> HistoryTree:
    """Read a compiled tree from a file that `mccfr.save_tree` wrote.

    All of it is checked: a file that is damaged, or whose contents are not a sound tree, is refused.

    Args:
        path: The file.
        made_from: The hash of the rules that the tree must have been made from; by default any.

    Returns:
        The tree.

    Raises:
        FileError: If the file cannot be read, is damaged, is not a compiled tree, or was made from other rules.
        TreeError: If a player of the game forgets what it did before.

    Examples:
        >>> import mccfr
        >>> tree = mccfr.compile("kuhn")
        >>> mccfr.save_tree(tree, "saved.tree")
        >>> mccfr.load_tree("saved.tree").fingerprint == tree.fingerprint
        True
    """
    with container.opened(path, FORMAT, "a compiled tree") as file:
        header = file.header
        if not is_count(header.get("format_version"), VERSION, VERSION):
            told = quoted(header.get("format_version"))
            raise FileError(f"{path} has tree format {told}, expected {VERSION}: compile the game again")
        if made_from is not None and header.get("made_from") != made_from:
            raise FileError(f"{path} is the tree of different rules")
        try:
            found = _read(file)
            sound = found.fingerprint == header["fingerprint"]
            sound = sound and _content(found, header["made_from"]) == header["content"]
        except MccfrError:
            raise
        except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
            why = " ".join(str(error).split())[:150] + (" is missing" if isinstance(error, KeyError) else "")
            raise FileError(f"{path} is not a compiled tree: {why}") from None
        if not sound:
            raise FileError(f"{path} is damaged: its contents do not match its fingerprint")
    return found


def _read(file: container.Container) -> HistoryTree:
    """The tree in a file, every number of it checked: kernels trust what they are given."""
    header = file.header
    game, players, constant = header["game"], header["players"], header["constant"]
    if not isinstance(game, str) or not is_count(players, 1, layout.MAX_PLAYERS) or not is_finite(constant):
        raise ValueError("its game, players or constant are not what they should be")
    infosets = read_infosets(file)
    if len(infosets.first) != players + 1:
        raise ValueError("its number of players does not fit its infosets")
    many, any_length = (None, players), (None,)
    wanted = {"nodes": ((np.uint32,), any_length), "odds": (REALS, any_length), "payoffs": (REALS, many)}
    arrays = file.arrays(wanted, {})
    nodes = arrays["nodes"]
    if not len(nodes) or len(nodes) % 4:
        raise ValueError("its nodes are not a tree: they have four words each")
    check_nodes(nodes, arrays["odds"], arrays["payoffs"], players, infosets)
    require_recall(game, nodes, players, infosets)
    return HistoryTree(game, players, nodes, arrays["odds"], arrays["payoffs"], infosets, float(constant))


def _content(tree: HistoryTree, made_from: str) -> str:
    """A hash of all that a tree file says, and of what the tree was made from."""
    facts = (tree.game, tree.players, tree.infosets.first, float(tree.constant), tree.fingerprint, made_from)
    content = hashlib.sha256(repr(facts).encode())
    content.update(np.ascontiguousarray(tree.infosets.parent).data)
    return content.hexdigest()


def cached(game: Game, compile_game: Callable[[], Tree], folder: Path | None = None) -> Tree:
    """The tree of this game from the cache folder if it is there, else compiled and put there.

    A cache that cannot be read or written, or that holds something else under this name, never stands in the way: the
    tree is then simply compiled.
    """
    folder, name = folder or cache_folder(), rules_hash(game)
    if folder is None or name is None:
        return compile_game()
    path = folder / f"{name}.tree"
    if path.exists():
        with contextlib.suppress(MccfrError, OSError):
            found = load_tree(path, name)
            if found.game == game_text(game):
                path.touch()
                return found
    made = compile_game()
    with contextlib.suppress(MccfrError, OSError):
        folder.mkdir(parents=True, exist_ok=True)
        save_tree(made, path, name)
        make_room(folder, "*.tree", CACHE_LIMIT)
    return made


def cached_bracket(game: Game, find: Callable[[], tuple[float, float]]) -> tuple[float, float]:
    """What the value of a game lies between, from the cache folder if it is there, else found and put there."""
    folder, name = cache_folder(), rules_hash(game)
    path = folder / f"{name}.value" if folder and name else None
    if path and path.exists():
        with contextlib.suppress(MccfrError, OSError), container.opened(path, VALUE_FORMAT, "the value") as file:
            found: tuple[Any, Any] = (file.header.get("low"), file.header.get("high"))
            if file.header.get("made_from") == name and all(map(is_finite, found)) and found[0] <= found[1]:
                return float(found[0]), float(found[1])
    low, high = find()
    if path:
        with contextlib.suppress(MccfrError, OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            header = {"game": game_text(game), "made_from": name, "low": low, "high": high}
            container.save(path, VALUE_FORMAT, header, {})
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
