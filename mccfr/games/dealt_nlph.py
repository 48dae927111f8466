"""No-limit preflop hold'em as a dealt game: a public state is a line of betting, and no board is ever dealt."""

import dataclasses
import functools
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import ALL_IN, CALL, CALLS, CHECKS, FOLDS, NOBODY, OVER, RAISES, Move, State as Chips
from mccfr.betting.structures import NoLimit
from mccfr.cards.deck import CLASS_NAMES, HANDS, hand_name
from mccfr.cards.equity import Equities, class_equities, hand_equities
from mccfr.errors import GameError
from mccfr.games.base import TERMINAL

WORDS = {FOLDS: ("fold", "f"), CHECKS: ("check", "c"), CALLS: ("call", "c"), ALL_IN: ("all-in", "a")}
RECENT = 64  # states whose menus are kept: a state is asked for its actions, and then for each of them

Floats = npt.NDArray[np.float64]
State = tuple[str, Chips]  # the line as labels have it; the chips, whose own line is left empty
Menu = dict[str, tuple[str, Move]]  # by the name of an action: what it adds to the line, and the move


@dataclasses.dataclass(frozen=True, kw_only=True)
class PreflopBetting(NoLimit):
    """One street of no-limit betting whose small blind, player 0, may be forbidden to limp.

    A limp is a call of the big blind alone. A big blind that is all-in may always be called.
    """

    limp: bool = True
    bet: str = ""  # with blinds in, every bet is a raise
    streets: int = 1
    dealer: int = 0

    def moves(self, s: Chips) -> list[Move]:
        found = super().moves(s)
        limping = s.bets == 0 and max(s.stakes) != self.most
        return found if self.limp or not limping else [move for move in found if move != CALL]


class DealtNlph:
    """Lines of betting, and what hole hands are worth against each other."""

    def __init__(self, betting: PreflopBetting, classes: bool) -> None:
        self.betting = betting
        self.names = CLASS_NAMES if classes else tuple(hand_name(number) for number in range(HANDS))
        self.table: Equities = class_equities() if classes else hand_equities()
        self._menu = functools.lru_cache(RECENT)(functools.partial(action_menu, betting))

    def hands(self, player: int) -> Sequence[str]:
        return self.names

    def deal(self) -> Floats:
        return self.table.deal

    def root(self) -> State:
        return "", self.betting.root()

    def player(self, s: State) -> int:
        return TERMINAL if s[1].mover == OVER else s[1].mover

    def actions(self, s: State) -> Sequence[str]:
        return list(self._menu(s[1]))

    def step(self, s: State, a: str) -> State:
        line, chips = s
        letters, move = self._menu(chips)[a]
        return line + letters, self.betting.play(chips, move)._replace(line="")

    def law(self, s: State) -> Floats:
        raise GameError("nlph: nothing public is left to chance")

    def possible(self, s: State, player: int) -> npt.NDArray[np.bool_] | None:
        return None

    def ending(self, s: State) -> tuple[Hashable, float]:
        """A fold pays what the folder had put in, a showdown the stake that both have put in."""
        chips = s[1]
        stake = self.betting.stake(chips)
        if chips.folded == NOBODY:
            return "showdown", stake
        return "fold", -stake if chips.folded == 0 else stake

    def matrix(self, key: Any) -> Floats:
        return self.table.deal * (self.table.edge if key == "showdown" else 1.0)

    def label(self, s: State, player: int, hand: int) -> str:
        return f"{self.names[hand]}:{s[0]}"


def action_menu(betting: PreflopBetting, chips: Chips) -> Menu:
    """The actions of a state in order. A raise has its amount in its name only where several are offered."""
    moves = betting.moves(chips)
    several = sum(move.kind == RAISES for move in moves) > 1

    def words(move: Move) -> tuple[str, str]:
        if move.kind != RAISES:
            return WORDS[move.kind]
        return (f"raise {move.amount}", f"r{move.amount}") if several else ("raise", "r")

    return {name: (letters, move) for move in moves for name, letters in [words(move)]}
