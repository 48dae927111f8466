"""Lines of betting between two players: who moves, what is legal, when a street and a hand end.

A line is text, as in `kb59r148c/`: k check, b bet, c call, r raise, a all-in, f fold, `/` between streets. Amounts are
what the player has put in on this street in all. Player 0 is out of position and moves first on every street but the
first of a whole hand, which the dealer begins.
"""

import abc
import re
from typing import NamedTuple

from mccfr.betting.sizes import Size
from mccfr.errors import BettingError, quoted, shortened

FOLDS, CHECKS, CALLS, BETS, RAISES, ALL_IN = range(6)  # kinds of moves, in the order in which they are offered
NAMES, LETTERS = ("Fold", "Check", "Call", "Bet", "Raise", "AllIn"), "fkcbra"
OVER, NOBODY = -1, -1
_STEP = re.compile(r"([fkc])|([bra])(\d+)|(/)")


class Move(NamedTuple):
    """A fold, check or call, or an amount that is put in on this street in all."""

    kind: int
    amount: int = 0

    def __str__(self) -> str:
        return f"{NAMES[self.kind]}({self.amount})" if self.kind >= BETS else NAMES[self.kind]

    @property
    def text(self) -> str:
        """The move in a line: `k`, `b59`."""
        return f"{LETTERS[self.kind]}{self.amount}" if self.kind >= BETS else LETTERS[self.kind]

    @property
    def label(self) -> str:
        """The move in words: `check`, `bet 59`, `all-in 910`."""
        word = "all-in" if self.kind == ALL_IN else NAMES[self.kind].lower()
        return f"{word} {self.amount}" if self.kind >= BETS else word


FOLD, CHECK, CALL = Move(FOLDS), Move(CHECKS), Move(CALLS)


class State(NamedTuple):
    """Where betting stands. A player's bet on this street is the stake less `opened`."""

    street: int  # 0 preflop, 3 river
    mover: int  # 0, 1 or OVER
    stakes: tuple[int, int]  # what each has put in since the start: antes and blinds too, the pot of a spot not
    opened: int  # what each had put in when this street began; of the first street, the ante
    step: int  # by how much a bet or raise must at least exceed the bet faced
    bets: int  # bets and raises on this street; blinds are none
    donk: bool  # whether a bet now is a donk bet
    folded: int  # who has folded, or NOBODY
    line: str  # all moves so far
    sized: Size | None = None  # the size of the last bet of this street, where later ones depend on it


class Betting(abc.ABC):
    """The rules that limit, no-limit and spots share. What may be bet is for each of them to say."""

    dealer: int  # who moves first on the first street of a whole hand, and last on all others
    streets: int  # of a whole hand

    @property
    @abc.abstractmethod
    def most(self) -> int | None:
        """What a player can put in at most, or None if stacks do not matter."""

    @property
    @abc.abstractmethod
    def smallest(self) -> int:
        """The smallest bet, and the smallest raise of it."""

    @property
    def dead(self) -> int:
        """Chips in the pot at the start that are nobody's stake."""
        return 0

    def merged(self, s: State) -> State:
        """A state that the same moves and chips follow, the same for as many lines as possible."""
        return s._replace(line="")

    @abc.abstractmethod
    def root(self) -> State:
        """The state before the first move."""

    @abc.abstractmethod
    def amounts(self, s: State) -> list[int]:
        """What the mover may bet or raise to on this street, rising."""

    def bounds(self, s: State) -> tuple[int, int] | None:
        """The least and the most that could be bet or raised to by the rules alone, or None where nothing can be."""
        if s.mover == OVER or self.most is None or s.stakes[1 - s.mover] >= self.most:
            return None
        theirs = s.stakes[1 - s.mover]
        all_in = self.most - s.opened
        return min(theirs - s.opened + s.step, all_in), all_in

    def moves(self, s: State) -> list[Move]:
        """The moves that are offered, in order: fold, check, call, bets and raises from small to large, all-in."""
        if s.mover == OVER:
            return []
        theirs = s.stakes[1 - s.mover]
        found = [FOLD, CALL] if s.stakes[s.mover] < theirs else [CHECK]
        kind = RAISES if theirs > s.opened else BETS
        all_in = None if self.most is None else self.most - s.opened
        found += [Move(ALL_IN if amount == all_in else kind, amount) for amount in self.amounts(s)]
        return found

    def play(self, s: State, move: Move) -> State:
        """The state after a move. It must be legal; it need not be one that is offered."""
        kind, amount = move
        mover, line = s.mover, s.line + move.text
        if kind == FOLDS:
            return s._replace(mover=OVER, folded=mover, donk=False, line=line)
        if kind == CHECKS:
            if mover == self.first(s.street):
                return s._replace(mover=1 - mover, donk=False, line=line)
            return self._street_ends(s, s.stakes, False, line)
        theirs = s.stakes[1 - mover]
        if kind == CALLS:
            if s.bets == 0 and theirs != self.most:  # a call of the big blind alone: that player may still raise
                return s._replace(mover=1 - mover, stakes=(theirs, theirs), donk=False, line=line)
            return self._street_ends(s, (theirs, theirs), mover != self.dealer, line)
        mine = s.opened + amount
        stakes = (mine, theirs) if mover == 0 else (theirs, mine)
        step = max(s.step, mine - theirs)
        return State(s.street, 1 - mover, stakes, s.opened, step, s.bets + 1, False, NOBODY, line)

    def _street_ends(self, s: State, stakes: tuple[int, int], donk: bool, line: str) -> State:
        """After the last move of a street: the next street, or a showdown."""
        if s.street == self.streets - 1 or stakes[0] == self.most:
            return State(s.street, OVER, stakes, s.opened, s.step, s.bets, False, NOBODY, line)
        return self.opening(s.street + 1, stakes, donk, line + "/")

    def opening(self, street: int, stakes: tuple[int, int], donk: bool = False, line: str = "") -> State:
        """A street before its first move."""
        return State(street, self.first(street), stakes, stakes[0], self.smallest, 0, donk, NOBODY, line)

    def first(self, street: int) -> int:
        """Who moves first on a street."""
        return self.dealer if street == 0 else 1 - self.dealer

    def at(self, line: str) -> State:
        """The state after a line; every move of it must be offered."""
        s, place = self.root(), 0
        while place < len(line):
            found = _STEP.match(line, place)
            text = found.group() if found else line[place]
            if text == "/" and s.line == line[: place + 1]:
                place += 1
                continue
            move = next((move for move in self.moves(s) if move.text == text), None)
            if move is None or s.line != line[:place]:
                raise BettingError(self._no_such_move(s, line, place, text))
            s, place = self.play(s, move), place + len(text)
        return s

    def _no_such_move(self, s: State, line: str, place: int, text: str) -> str:
        here = f"line {quoted(line)}: {quoted(text, 20)} at character {place + 1}"
        if s.mover == OVER:
            return f"{here} comes after the end of the hand"
        if s.line != line[:place]:
            return f"{here}: expected '/', since a street has ended"
        offered = ", ".join(f"{move.text} ({move})" for move in self.moves(s))
        return f"{here} is not offered, expected one of {shortened(offered, 120)}"

    def stake(self, s: State) -> float:
        """At an end, what the winner gains and the loser loses: half of the dead pot and the smaller stake."""
        return self.dead / 2 + min(s.stakes)

    def payoffs(self, s: State, winner: int = NOBODY) -> tuple[float, float]:
        """What both gain at an end. After a fold the other wins; a showdown has a winner, or NOBODY for a tie."""
        winner = winner if s.folded == NOBODY else 1 - s.folded
        stake = 0.0 if winner == NOBODY else self.stake(s)
        return (-stake, stake) if winner == 1 else (stake, -stake)
