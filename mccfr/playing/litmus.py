"""Litmus checks: what any sensible strategy does with a few hands, as plain data.

A check says nothing about how strong a strategy is; one that fails says that something is wrong with it, and where to
look. `mccfr/playing/litmus.toml` has those that come with the package, and says how to write others.
"""

import dataclasses
import itertools
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mccfr.betting.lines import BETS, CALLS, CHECKS, FOLDS, OVER, Move, State
from mccfr.betting.structures import Limit
from mccfr.cards.deck import HANDS, CardError
from mccfr.cards.ranges import Range
from mccfr.errors import MccfrError, quoted
from mccfr.playing.many_hands import DealtHands
from mccfr.playing.policy import Policy, believe
from mccfr.playing.simple_policies import pot_raise
from mccfr.playing.table import Table

KINDS_OF_CHECK = ("single", "pair", "monotonic")
ACTIONS = {
    "fold": (FOLDS,),
    "call": (CHECKS, CALLS),
    "raise": tuple(range(BETS, BETS + 3)),
    "stay": tuple(range(CHECKS, BETS + 3)),
}
BETTINGS = ("any", "limit", "nolimit")
STEP = re.compile(r"[fkcra/]")
WHOLE_BOARD = 5
LONGEST_LINE = 60


class LitmusError(MccfrError, ValueError):
    """A litmus check that cannot be tried."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Check:
    """One litmus check.

    Attributes:
        name: What should hold.
        kind: single, pair or monotonic.
        hands: Ranges as text: one, two, or several from weak to strong.
        line: The moves before.
        board: The cards on the table.
        action: fold, call, raise or stay.
        at_least: Of single checks, the least probability.
        at_most: Of single checks, the largest probability.
        tolerance: Of the others, by how much they may fail.
        betting: limit, nolimit or any.
        diagnosis: What a failure may mean.
    """

    name: str
    kind: str
    hands: tuple[str, ...]
    line: str
    action: str
    board: str = ""
    at_least: float = 0.0
    at_most: float = 1.0
    tolerance: float = 0.0
    betting: str = "any"
    diagnosis: str = ""

    def fits(self, table: Table) -> bool:
        """Whether it is about such a table: the whole deck, and this kind of betting."""
        kind = "limit" if isinstance(table.betting, Limit) else "nolimit"
        whole = table.deck.hands == HANDS and sum(table.deals) == WHOLE_BOARD
        return whole and self.betting in ("any", kind)


class Finding(NamedTuple):
    """What a check found.

    Attributes:
        check: The check.
        probabilities: Of the action, for each of its hands.
        passed: Whether it holds.
    """

    check: Check
    probabilities: tuple[float, ...]
    passed: bool

    @property
    def numbers(self) -> str:
        """The probabilities in words."""
        parts = [f"{hand} {p:.1%}" for hand, p in zip(self.check.hands, self.probabilities)]
        return f"{self.check.action}: {', '.join(parts)}"

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values for JSON."""
        check = self.check
        return {
            **{"name": check.name, "kind": check.kind, "passed": self.passed, "action": check.action},
            **{"line": check.line, "board": check.board, "diagnosis": check.diagnosis},
            "probabilities": dict(zip(check.hands, self.probabilities)),
        }


def run_litmus(policy: Policy, checks: Sequence[Check]) -> list[Finding]:
    """Try the checks that are about the table of a policy."""
    return [find(policy, check) for check in checks if check.fits(policy.table)]


def find(policy: Policy, check: Check) -> Finding:
    """Try one check."""
    s, moves = follow_line(policy.table, check)
    board = policy.table.deck.read_cards(check.board)
    if len(board) != policy.table.board_size(s.street):
        needed = policy.table.board_size(s.street)
        raise LitmusError(f"check {quoted(check.name)}: line {quoted(check.line)} needs a board of {needed} cards")
    found = tuple(probability(policy, check, hand, board, (s, moves)) for hand in check.hands)
    return Finding(check, found, holds(check, found))


def holds(check: Check, found: Sequence[float]) -> bool:
    """Whether probabilities are as a check wants them."""
    if check.kind == "single":
        return check.at_least <= found[0] <= check.at_most
    rising = found[::-1] if check.kind == "pair" else found  # a pair names the better hand first
    return all(better >= worse - check.tolerance for worse, better in itertools.pairwise(rising))


def probability(
    policy: Policy, check: Check, text: str, board: tuple[int, ...], at: tuple[State, tuple[Move, ...]]
) -> float:
    """How likely hands of a range act as a check says, on average."""
    s, moves = at
    try:
        numbers = np.flatnonzero(Range.parse(text).without(board).weights)
    except CardError as error:
        raise LitmusError(f"check {quoted(check.name)}: {error}") from None
    if not len(numbers):
        raise LitmusError(f"check {quoted(check.name)}: no hand of {quoted(text)} is left beside {quoted(check.board)}")
    hole = policy.table.deck.hand_cards[numbers].astype(np.uint8)
    dealt = np.concatenate((hole, np.tile(np.array(board, np.uint8), (len(hole), 1))), axis=1)
    hands = DealtHands(policy.table, np.ascontiguousarray(dealt))
    odds = policy.odds(believe(policy, hands, moves, s.mover), s, hands)
    acts = sum(float(p.sum()) for move, p in odds.items() if move.kind in ACTIONS[check.action])
    return acts / sum(float(p.sum()) for p in odds.values())


def follow_line(table: Table, check: Check) -> tuple[State, tuple[Move, ...]]:
    """The state after a line of a check, and its moves."""
    s, moves = table.start, list[Move]()
    for letter in check.line.replace("/", ""):
        if s.mover == OVER:
            raise LitmusError(f"check {quoted(check.name)}: line {quoted(check.line)} goes on after the hand is over")
        move = _move(table, s, letter)
        if move is None or table.problem(s, move):
            legal = table.legal(s)
            place = f"line {quoted(check.line)}, move {len(moves) + 1}"
            raise LitmusError(f"check {quoted(check.name)}: {place}: cannot {quoted(letter)} now: expected {legal}")
        s = table.play(s, move)
        moves.append(move)
    if s.mover == OVER:
        raise LitmusError(f"check {quoted(check.name)}: nobody is to move after line {quoted(check.line)}")
    return s, tuple(moves)


def _move(table: Table, s: State, letter: str) -> Move | None:
    """The move that a letter means."""
    bounds = table.legal(s).bounds
    if letter in "fkc":
        return Move("fkc".index(letter))
    if bounds is None:
        return None
    return pot_raise(table, s) if letter == "r" else table.raise_to(s, bounds[1])
