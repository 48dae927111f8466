"""A line of betting as the page walks along it: its steps, the moves that follow, and the cards that come next."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from mccfr.betting.flat_tree import SHOWDOWN, BettingTree
from mccfr.errors import StrategyError, quoted
from mccfr.evaluate.node_view import NodeView

_DEAL = re.compile(r"/((?:\s*[2-9TJQKA][cdhs])*)\s*:?", re.IGNORECASE)
_STEP = re.compile(r"/(?P<cards>(?:[2-9TJQKA][cdhs])*):?|(?P<move>[fkcbra]\d*)", re.IGNORECASE)
_LAST_CARDS = re.compile(r"/(?:[2-9TJQKA][cdhs])+$", re.IGNORECASE)


class Step(NamedTuple):
    """One step of a line: a move or cards, in words, and the line up to and with it."""

    text: str
    line: str


class Choice(NamedTuple):
    """A move that can be made at a node, and the line after it."""

    action: str  # as in views
    text: str  # in words
    kind: str  # fold, pass (check or call), bet (or raise) or all-in: what colours go by
    line: str
    over: bool  # whether the hand ends with it


class Place(NamedTuple):
    """Where a line leads."""

    line: str  # as it is written where cards must follow: with / at its end
    steps: list[Step]
    choices: list[Choice]
    cards: int  # that come now; 0 where a player moves or the hand is over
    over: str | None  # how the hand has ended: "fold" or "showdown"


def kind_of(action: str) -> str:
    """What kind of move an action is."""
    letter = action[:1]
    return {"f": "fold", "k": "pass", "c": "pass", "a": "all-in"}.get(letter, "bet")


def steps_of(line: str) -> list[Step]:
    """A line cut into moves and cards."""
    found, end = [], 0
    for match in _STEP.finditer(line):
        if match.start() != end:
            break
        end = match.end()
        text = match["cards"] if match["move"] is None else NodeView.spoken(match["move"])
        if text:
            found.append(Step(text, line[:end]))
    if end != len(line):
        raise StrategyError(f"line {quoted(line)}: {quoted(line[end:])} is neither a move nor a card, as in kk/3d:b59")
    return found


def without_cards(line: str) -> str:
    """The moves of a line, with / between streets."""
    return _DEAL.sub("/", line)


def dealt_in(line: str) -> list[str]:
    """The cards of each deal in a line."""
    return ["".join(text.split()) for text in _DEAL.findall(line) if text.strip()]


def place_in(betting: BettingTree, deals: Sequence[int], line: str) -> Place:
    """Where a line leads in a betting tree after whose streets so many cards come."""
    steps = steps_of(line)
    moves = without_cards(line)
    node = betting.find(moves.rstrip("/") if "a" in moves else moves)
    kind, parent = int(betting.kind[node]), int(betting.parent[node])
    later = parent >= 0 and betting.street[node] > betting.street[parent]
    line = _completed(line, kind >= 0 and later)
    missing = int(betting.street[node]) - int(betting.street[0]) - len(dealt_in(line)) if kind >= 0 else 0
    if missing < 0 or missing > 1:
        raise StrategyError(f"line {quoted(line)} has {len(dealt_in(line))} deals: write them as in kk/3d:k")
    if missing:
        return Place(line, steps, [], deals[len(dealt_in(line))], None)
    over = None if kind >= 0 else "showdown" if kind == SHOWDOWN else "fold"
    return Place(line, steps, _choices(betting, node, line), 0, over)


def _completed(line: str, street_ends: bool) -> str:
    """A line with / where a street has just ended, and with : after its last cards."""
    last = line[-1:]
    if _LAST_CARDS.search(line):
        return f"{line}:"
    return f"{line}/" if street_ends and last not in "/:" else line


def _choices(betting: BettingTree, node: int, line: str) -> list[Choice]:
    found = []
    for child in betting.children(node):
        text, later = betting.move(child).text, betting.street[child] > betting.street[node]
        over = bool(betting.kind[child] < 0)
        found.append(
            Choice(text, NodeView.spoken(text), kind_of(text), f"{line}{text}{'/' if later and not over else ''}", over)
        )
    return found
