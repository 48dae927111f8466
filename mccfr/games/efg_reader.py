"""The grammar of .efg files: a header, then nodes in prefix order that describe infosets and outcomes at first use."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple, TypeVar

from mccfr.errors import GameError, TreeError
from mccfr.games.base import CHANCE
from mccfr.games.efg_tokens import END, MARK, TEXT, Tokens, one_line

_TOLERANCE = Fraction(1, 10**9)  # decimals need not sum to 1 exactly
MOST_NODES = 2_000_000  # a gigabyte of Python objects
MOST_LISTED = 100_000  # players, actions or payoffs in a list
_MOST_BITS = 2**13  # of a sum of payoffs along a path, which is exact: numbers that were made to grow take for ever

T = TypeVar("T")
Payoffs = tuple[Fraction, ...]


class ReadInfoset(NamedTuple):
    """An infoset as the file describes it, and where."""

    label: str
    actions: tuple[str, ...]
    odds: tuple[Fraction, ...]  # of chance
    start: int


@dataclass(slots=True)
class ReadNode:
    """A node as read; at inner nodes `total` is what the outcomes so far pay."""

    infoset: tuple[int, int] | None  # player and number
    start: int
    total: Payoffs
    branches: int = 0
    children: list[int] = field(default_factory=list)

    @property
    def payoff(self) -> tuple[float, ...]:
        return tuple(float(x) for x in self.total)


class Reader:
    """Reads one file into `title`, `names`, `comment`, `infosets` and `nodes`."""

    def __init__(self, name: str, text: str) -> None:
        self.tokens = Tokens(name, text)
        self.infosets: dict[tuple[int, int], ReadInfoset] = {}
        self.nodes: list[ReadNode] = []
        self._outcomes: dict[int, tuple[Payoffs, int]] = {}

    def read(self) -> None:
        self._header()
        self._tree()
        if self.tokens.kind != END:
            raise self.tokens.fail("the end of the file, since every branch has its node")

    def _header(self) -> None:
        tokens = self.tokens
        for allowed in (("EFG",), ("2",), ("R", "D")):
            if tokens.value not in allowed:
                raise tokens.fail(f'{" or ".join(allowed)} in the header, EFG 2 R "title" {{ "Player 1" "Player 2" }}')
            tokens.word(allowed[0])
        self.title = tokens.text("the title in quotes")
        self.names = self._list("the player names", lambda: tokens.text("a player's name in quotes or }"))
        self.comment = tokens.text("a comment") if tokens.kind == TEXT else ""

    def _tree(self) -> None:
        """Prefix order: each node goes to the deepest node that still lacks a branch."""
        waiting: list[ReadNode] = []
        while waiting or not self.nodes:
            node = self._node(waiting[-1] if waiting else None)
            if waiting:
                waiting[-1].children.append(len(self.nodes))
            self.nodes.append(node)
            if len(self.nodes) > MOST_NODES:
                raise TreeError(f"{self.tokens.place()}: more than {MOST_NODES:,} nodes, which is the limit")
            waiting.append(node)
            while waiting and len(waiting[-1].children) == waiting[-1].branches:
                waiting.pop()

    def _node(self, parent: ReadNode | None) -> ReadNode:
        tokens, start = self.tokens, self.tokens.start
        if tokens.value not in ("c", "p", "t"):
            raise tokens.fail(f"a node (c, p or t) for {self._branch(parent)}")
        kind = tokens.word("c, p or t")
        tokens.text("the node's name in quotes")
        before = parent.total if parent else (Fraction(0),) * len(self.names)
        if kind == "t":
            return ReadNode(None, start, self._after_outcome(before))
        player = CHANCE if kind == "c" else self._player()
        key = (player, tokens.whole("an infoset number"))
        branches = len(self._infoset(key, start).actions)
        return ReadNode(key, start, self._after_outcome(before), branches)

    def _branch(self, parent: ReadNode | None) -> str:
        if parent is None:
            return "the root"
        branch = f"branch {len(parent.children) + 1} of {parent.branches}"
        return f"{branch} of the node in line {self.tokens.line(parent.start)}"

    def _player(self) -> int:
        start = self.tokens.start
        player = self.tokens.whole("a player number")
        if not 1 <= player <= len(self.names):
            place = self.tokens.place(start)
            raise GameError(f"{place}: there is no player {player}; the header names {len(self.names)}")
        return player - 1

    def _infoset(self, key: tuple[int, int], start: int) -> ReadInfoset:
        """The infoset, described here or earlier; both must agree."""
        known = self.infosets.get(key)
        if self._described():
            new = self._description(key[0], start)
            if known and (known.actions, known.odds) != (new.actions, new.odds):
                raise self._contradiction(start, _name(key), _actions_text(known), known.start, _actions_text(new))
            known = self.infosets.setdefault(key, new)
        if known is None:
            raise self.tokens.fail(f"the label and actions of {_name(key)}, which is new")
        return known

    def _description(self, player: int, start: int) -> ReadInfoset:
        tokens = self.tokens
        label = tokens.text("a label") if tokens.kind == TEXT else ""
        if player != CHANCE:
            actions = self._list("the action list", lambda: tokens.text("an action label in quotes or }"))
            return ReadInfoset(label, actions, (), start)
        pairs = self._list("the outcome list", self._chance_outcome)
        odds = tuple(p for _, p in pairs)
        total = sum(odds, Fraction(0))
        if min(odds) < 0 or abs(total - 1) > _TOLERANCE:
            what = "are not" if min(odds) < 0 else f"sum to {float(total):.10g}"
            raise GameError(
                f"{tokens.place(start)}: chance probabilities must be at least 0 and sum to 1, these {what}"
            )
        return ReadInfoset(label, tuple(action for action, _ in pairs), odds, start)

    def _chance_outcome(self) -> tuple[str, Fraction]:
        action = self.tokens.text("an outcome label in quotes or }")
        return action, self.tokens.number(f'the probability of "{action}"')

    def _after_outcome(self, before: Payoffs) -> Payoffs:
        """What the path pays once the node's outcome is added; outcome 0 adds nothing."""
        tokens, start = self.tokens, self.tokens.start
        number = tokens.whole("an outcome number, or 0 for none")
        described = self._described()
        if number == 0:
            if described:
                raise tokens.fail("nothing more of outcome 0, which means none")
            return before
        if described:
            self._outcome(number, start)
        if number not in self._outcomes:
            raise tokens.fail(f"the payoffs of outcome {number}, which is new")
        after = tuple(x + y for x, y in zip(before, self._outcomes[number][0]))
        if any(x.denominator.bit_length() > _MOST_BITS for x in after):
            raise GameError(f"{tokens.place(start)}: the payoffs on this path have no short sum; round them")
        return after

    def _outcome(self, number: int, start: int) -> None:
        tokens = self.tokens
        if tokens.kind == TEXT:
            tokens.text("a label")
        payoffs = self._list("the payoffs", lambda: tokens.number("a payoff or }"))
        if len(payoffs) != len(self.names):
            raise GameError(
                f"{tokens.place(start)}: outcome {number} has {len(payoffs)} payoffs for {len(self.names)} players"
            )
        known, where = self._outcomes.setdefault(number, (payoffs, start))
        if known != payoffs:
            raise self._contradiction(start, f"outcome {number}", _numbers_text(known), where, _numbers_text(payoffs))

    def _described(self) -> bool:
        return self.tokens.kind == TEXT or (self.tokens.kind == MARK and self.tokens.value == "{")

    def _contradiction(self, start: int, what: str, known: str, where: int, found: str) -> GameError:
        message = f"{self.tokens.place(start)}: {what} is {known} in line {self.tokens.line(where)}, but {found} here"
        return GameError(one_line(message))

    def _list(self, what: str, item: Callable[[], T]) -> tuple[T, ...]:
        """Items in braces, at least one, each with or without a comma after it."""
        tokens = self.tokens
        tokens.mark("{", f"{{ before {what}")
        items: list[T] = []
        while not items or not tokens.skip("}"):
            items.append(item())
            tokens.skip(",")
            if len(items) > MOST_LISTED:
                raise tokens.fail(f"}} after {what}, of which at most {MOST_LISTED:,} are read")
        return tuple(items)


def _name(key: tuple[int, int]) -> str:
    return f"infoset {key[1]} of {'chance' if key[0] == CHANCE else f'player {key[0] + 1}'}"


def _actions_text(infoset: ReadInfoset) -> str:
    odds = [f" {p}" for p in infoset.odds] or [""] * len(infoset.actions)
    return "{ " + " ".join(f'"{action}"{p}' for action, p in zip(infoset.actions, odds)) + " }"


def _numbers_text(payoffs: Payoffs) -> str:
    return "{ " + " ".join(map(str, payoffs)) + " }"
