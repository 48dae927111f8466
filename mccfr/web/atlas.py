"""The infosets of a larger game as small grids: a row for each hand, a column for each line, a grid for each group.

Labels are read as hand:line, as most games write them. Groups go by player and public cards where there are any, and
otherwise by the length of the history. A line of hold'em before the flop is the 13 x 13 grid. Where everything before
the colon is the same, as in Goofspiel, the last move is the column and what came before it is the row. A group with too
many lines is divided.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from mccfr.cards.deck import CLASS_NAMES, RANKS, SIDE
from mccfr.tree.infosets import Infosets

FEW = 60  # infosets of a game that needs no grids: its cards fit on the page
MOST_CELLS = 180  # of a grid, which fit into one frame
_DEALT = re.compile(r"/([^/:]*):")
_MOVES = re.compile(r"\d*\D")


class Read(NamedTuple):
    """A label, taken apart."""

    hand: str
    line: str  # without public cards
    public: str  # cards, in the order in which they came
    length: int  # moves


class Group(NamedTuple):
    """A grid: its infosets, each with its row and column."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[int, int, int], ...]  # infoset, row, column


def read_label(label: str) -> Read:
    """Hand, line, public cards and length of a label; one without a colon is a hand without a line."""
    hand, _, line = label.partition(":")
    bare = _DEALT.sub("/", line)
    return Read(hand, bare, " ".join(_DEALT.findall(line)), len(moves_of(bare)))


def moves_of(line: str) -> list[str]:
    """The moves of a line: between commas, or a letter each with the number before it."""
    if "," in line or "-" in line:
        return [move for move in line.split(",") if move]
    return [move for move in _MOVES.findall(line) if move != "/"]


class Atlas:
    """All grids of a game."""

    def __init__(self, infosets: Infosets) -> None:
        self.infosets = infosets
        self.groups: list[Group] = [] if len(infosets) <= FEW else list(self._all_groups())

    def _all_groups(self) -> Iterable[Group]:
        for player in range(2):
            read = {j: read_label(self.infosets.labels[j]) for j in self.infosets.of(player)}
            dealt = any(each.public for each in read.values())
            found: dict[Any, list[int]] = {}
            for j, each in read.items():
                key = (len(each.public), each.public) if dealt else (each.length, "")
                found.setdefault(key, []).append(j)
            for key in sorted(found, key=lambda key: key[0]):  # otherwise in the order of the game
                yield from _divided(_title(player, key, dealt), found[key], read)

    def matching(self, wanted: str, player: int | None) -> Group:
        """The first infosets whose labels contain a text, as one grid."""
        among = range(len(self.infosets)) if player is None else self.infosets.of(player)
        needle = wanted.lower()
        found = [j for j in among if needle in self.infosets.labels[j].lower()]
        read = {j: read_label(self.infosets.labels[j]) for j in found[:MOST_CELLS]}
        return _grid(f"{len(found):,} infosets with {wanted!r}", list(read), read, public=True)


def _title(player: int, key: tuple[int, str], dealt: bool) -> str:
    length, public = key
    if dealt:
        return f"player {player} · {f'public card {public}' if public else 'before the public card'}"
    moves = "first move" if not length else f"after {length} move{'s' * (length > 1)}"
    return f"player {player} · {moves}"


def _divided(title: str, numbers: Sequence[int], read: dict[int, Read]) -> Iterable[Group]:
    """One grid, or several with some of the lines each."""
    whole = _grid(title, numbers, read)
    wide = max(1, MOST_CELLS // max(1, len(whole.rows)))
    if len(whole.columns) <= wide and len(numbers) <= MOST_CELLS:
        yield _by_ranks(whole)
        return
    for begin in range(0, len(whole.columns), wide):
        columns = whole.columns[begin : begin + wide]
        cells = [(j, row, column) for j, row, column in whole.cells if begin <= column < begin + wide]
        name = f"after {columns[0]}" if len(columns) == 1 else f"{columns[0] or 'first'} to {columns[-1]}"
        kept = sorted({row for _, row, _ in cells})[:MOST_CELLS]
        at = {row: k for k, row in enumerate(kept)}
        placed = tuple((j, at[row], column - begin) for j, row, column in cells if row in at)
        yield _by_ranks(Group(f"{title} · {name}", tuple(whole.rows[row] for row in kept), columns, placed))


def _by_ranks(group: Group) -> Group:
    """One line of all 169 classes of hold'em, as the grid that players know; other groups stay as they are."""
    if len(group.columns) > 1 or set(group.rows) != set(CLASS_NAMES):
        return group
    ranks = tuple(reversed(RANKS))
    cells = tuple((j, *divmod(CLASS_NAMES.index(group.rows[row]), SIDE)) for j, row, _ in group.cells)
    return Group(f"{group.title} (suited hands above the diagonal)", ranks, ranks, cells)


def _grid(title: str, numbers: Sequence[int], read: dict[int, Read], public: bool = False) -> Group:
    """Infosets by row and column: hands as they first come, lines that are shorter on the last street first."""
    alone = len({read[j].hand for j in numbers}) <= 1 < len(numbers)
    places = {j: _place(read[j], alone, public) for j in numbers}
    rows = {row: k for k, row in enumerate(dict.fromkeys(row for row, _ in places.values()))}
    lines = sorted(dict.fromkeys(column for _, column in places.values()), key=_order)
    columns = {column: k for k, column in enumerate(lines)}
    cells = tuple((j, rows[row], columns[column]) for j, (row, column) in places.items())
    return Group(title, tuple(rows), tuple(columns), cells)


def _order(line: str) -> tuple[int, int]:
    """Lines with fewer moves since the last cards come first, and of those the shorter ones."""
    return len(moves_of(line.rpartition("/")[2])), len(moves_of(line))


def _place(each: Read, alone: bool, public: bool) -> tuple[str, str]:
    """Row and column of an infoset."""
    if alone:
        last = (moves_of(each.line) or [""])[-1]
        return each.line[: len(each.line) - len(last)].rstrip(","), last
    return each.hand, f"{each.line} {each.public}".strip() if public else each.line
