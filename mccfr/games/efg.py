"""Games in Gambit's .efg files, version 2 [Savani and Turocy, Gambit manual, "The extensive game file format"].

Like Gambit, and unlike OpenSpiel's own reader, this takes payoffs at inner nodes, descriptions given only once, and
quotes inside labels. Stricter than Gambit: nothing may follow the tree.
"""

import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from mccfr.errors import FileError, GameError, as_path, printable
from mccfr.games.base import TERMINAL
from mccfr.games.efg_reader import Reader, ReadInfoset
from mccfr.games.efg_writer import write_efg
from mccfr.games.labels import distinct

LARGEST = 2**27  # bytes of a file; its text takes up to four times as many

__all__ = ["EfgGame", "Infoset", "Node", "read_efg", "write_efg"]


class Infoset(NamedTuple):
    """Nodes that their mover cannot tell apart; for chance, nodes with the same outcomes."""

    player: int
    label: str
    actions: tuple[str, ...]
    odds: tuple[float, ...] = ()  # of chance


class Node(NamedTuple):
    """One node: its infoset (None at terminals), its children by position in the file, and payoffs (of terminals)."""

    infoset: Infoset | None
    children: tuple[int, ...] = ()
    payoff: tuple[float, ...] = ()


@dataclass(frozen=True)
class EfgGame:
    """`efg:path`. A state is the position of its node in the file."""

    path: str
    title: str = field(hash=False)
    names: tuple[str, ...] = field(hash=False)
    comment: str = field(hash=False)
    tree: tuple[Node, ...] = field(hash=False, repr=False)

    def __str__(self) -> str:
        return f"efg:{self.path}"

    @property
    def players(self) -> int:
        return len(self.names)

    def root(self) -> int:
        return 0

    def player(self, s: int) -> int:
        infoset = self.tree[s].infoset
        return TERMINAL if infoset is None else infoset.player

    def actions(self, s: int) -> tuple[str, ...]:
        return self._infoset(s).actions

    def chances(self, s: int) -> Sequence[tuple[str, float]]:
        infoset = self._infoset(s)
        return tuple(zip(infoset.actions, infoset.odds))

    def step(self, s: int, a: Any) -> int:
        actions = self._infoset(s).actions
        if a not in actions:
            raise GameError(f"{self}: node {s} has no action {a!r}; it has {', '.join(actions)}")
        return self.tree[s].children[actions.index(a)]

    def infoset(self, s: int) -> str:
        return self._infoset(s).label

    def payoff(self, s: int) -> tuple[float, ...]:
        return self.tree[s].payoff

    def _infoset(self, s: int) -> Infoset:
        infoset = self.tree[s].infoset
        if infoset is None:
            raise GameError(f"{self}: node {s} is terminal; nobody moves there")
        return infoset


def read_efg(source: str | Path) -> EfgGame:
    """Read a game from a Gambit .efg file, version 2.

    Args:
        source: The path of the file, or its text: a string that begins with `EFG` or has more than one line.

    Returns:
        The game; a state is the position of its node in the file.

    Raises:
        FileError: If the file cannot be read, is too large, or is not UTF-8.
        GameError: If the text is not a game; the message says where.

    Examples:
        >>> import mccfr
        >>> text = '''EFG 2 R "matching pennies" { "first" "second" }
        ... p "" 1 1 "" { "heads" "tails" } 0
        ... p "" 2 1 "" { "heads" "tails" } 0
        ... t "" 1 "" { 1 -1 }
        ... t "" 2 "" { -1 1 }
        ... p "" 2 1 "" { "heads" "tails" } 0
        ... t "" 2 "" { -1 1 }
        ... t "" 1 "" { 1 -1 }
        ... '''
        >>> pennies = mccfr.read_efg(text)
        >>> pennies.title
        'matching pennies'
        >>> mccfr.compile(pennies)
        <HistoryTree of efg:text: 7 nodes, 2 infosets>
    """
    if isinstance(source, str) and (source.lstrip().startswith("EFG ") or "\n" in source):
        name, text = "text", source
    else:
        path = as_path(source, "an .efg file")
        name, text = str(path), _text_of(path)
    reader = Reader(name, text)
    reader.read()
    infosets = _labelled(reader.infosets)
    tree = tuple(
        Node(None, payoff=node.payoff) if node.infoset is None else Node(infosets[node.infoset], tuple(node.children))
        for node in reader.nodes
    )
    return EfgGame(name, reader.title, reader.names, reader.comment, tree)


def _text_of(path: Path) -> str:
    """The text of a file; not of devices and pipes, which may never end."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
            raise FileError(f"cannot read {printable(str(path))}: it is not a regular file")
        if found.st_size > LARGEST:
            size = f"{found.st_size:,} bytes, at most {LARGEST:,} are read"
            raise FileError(f"cannot read {printable(str(path))}: it has {size}")
        return path.read_bytes().decode("utf-8-sig")
    except FileError:
        raise
    except UnicodeDecodeError as error:
        raise FileError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8 text") from None
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read {printable(str(path))}: {getattr(error, 'strerror', None) or error}") from None


def _labelled(read: dict[tuple[int, int], ReadInfoset]) -> dict[tuple[int, int], Infoset]:
    """Infosets keep their label if no other of the player has it, else they are called player.number."""
    owners: dict[tuple[int, str], list[int]] = {}
    for (player, number), infoset in read.items():
        owners.setdefault((player, infoset.label), []).append(number)
    numbered = {f"{player + 1}.{number}": (player, number) for player, number in read}
    infosets = {}
    for key, infoset in read.items():
        alone = len(owners[key[0], infoset.label]) == 1 and numbered.get(infoset.label, key) == key
        label = infoset.label if alone else f"{key[0] + 1}.{key[1]}"
        actions = distinct(infoset.actions, range(1, len(infoset.actions) + 1))
        infosets[key] = Infoset(key[0], label, actions, tuple(float(p) for p in infoset.odds))
    return infosets
