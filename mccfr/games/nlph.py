"""No-limit preflop hold'em, NLPH (Li et al. 2020): one betting round, then all five cards."""

import dataclasses
from collections.abc import Hashable, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from mccfr.cards.deck import CLASS_NAMES, HANDS, hand_name
from mccfr.cards.equity import Equities, class_equities, hand_equities
from mccfr.errors import GameError
from mccfr.games.base import TERMINAL, RuleBook
from mccfr.games.parameters import require_flag

STACK, BLINDS = 20_000, (50, 100)
LETTERS = {"fold": "f", "check": "c", "call": "c", "raise": "r", "all-in": "a"}

Floats = npt.NDArray[np.float64]
State = tuple[str, tuple[int, int], int]  # the line; what each player has put in; who moves, TERMINAL at the end


@dataclasses.dataclass(frozen=True)
class Nlph(RuleBook):
    """No-limit hold'em before the flop, with 20,000 chips and blinds of 50 and 100: fold, call, raise the pot, all-in.

    Payoffs are in chips. Player 0 has the small blind and moves first. A raise is by the pot as it is after calling; a
    raise that exceeds the stack is not offered. Betting that ends without a fold pays the stake times P(win) - P(lose)
    over all boards, so the board is never dealt. `classes=True` plays the 169 classes of hands (AA, AKs, AKo, ...),
    which loses nothing, since suits do not matter before the flop; `classes=False` plays the 1326 hands. Only the dealt
    form exists. An infoset is hand:line, with f, c, r and a (all-in): `AKs:rr`.
    """

    name: ClassVar[str] = "nlph"
    dealt_only: ClassVar[bool] = True

    classes: bool = True

    def __post_init__(self) -> None:
        require_flag(self.name, "classes", self.classes)

    def dealt(self) -> "DealtNlph":
        """The game by public states and hands."""
        return DealtNlph(self.classes)


class DealtNlph:
    """Lines of betting, and what hole hands are worth against each other."""

    def __init__(self, classes: bool) -> None:
        self.names = CLASS_NAMES if classes else tuple(hand_name(number) for number in range(HANDS))
        self.table: Equities = class_equities() if classes else hand_equities()

    def hands(self, player: int) -> Sequence[str]:
        return self.names

    def deal(self) -> Floats:
        return self.table.deal

    def root(self) -> State:
        return "", BLINDS, 0

    def player(self, s: State) -> int:
        return s[2]

    def actions(self, s: State) -> Sequence[str]:
        _, put_in, mover = s
        mine, theirs = put_in[mover], put_in[1 - mover]
        found = ["fold", "call"] if mine < theirs else ["check"]
        if theirs < STACK:
            found += ["raise"] if 3 * theirs < STACK else []
            found.append("all-in")
        return found

    def step(self, s: State, a: str) -> State:
        line, put_in, mover = s
        theirs = put_in[1 - mover]
        level = {"raise": 3 * theirs, "all-in": STACK, "fold": put_in[mover]}.get(a, theirs)
        after = (level, theirs) if mover == 0 else (theirs, level)
        over = a in ("fold", "check") or (a == "call" and line != "")  # a call of the small blind is a limp
        return line + LETTERS[a], after, TERMINAL if over else 1 - mover

    def law(self, s: State) -> Floats:
        raise GameError("nlph: nothing public is left to chance")

    def possible(self, s: State, player: int) -> npt.NDArray[np.bool_] | None:
        return None

    def ending(self, s: State) -> tuple[Hashable, float]:
        """A fold pays what the folder had put in, a showdown the stake that both have put in."""
        line, put_in, _ = s
        if not line.endswith("f"):
            return "showdown", float(put_in[0])
        folder = (len(line) - 1) % 2
        return "fold", float(-put_in[0] if folder == 0 else put_in[1])

    def matrix(self, key: Any) -> Floats:
        return self.table.deal * (self.table.edge if key == "showdown" else 1.0)

    def label(self, s: State, player: int, hand: int) -> str:
        return f"{self.names[hand]}:{s[0]}"
