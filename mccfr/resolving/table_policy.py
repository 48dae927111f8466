"""A blueprint that re-solves the turn and the river at the table, as a policy: an agent like the others.

On early streets it plays the blueprint. Where re-solving begins, both ranges follow by Bayes from all moves, with every
card, and the opponent's alternatives are what the blueprint gives it (`mccfr.resolving.blueprint_values`). A position
starts where the street does, or after the player's own last move on it; its tree has the bets of a menu and what the
opponent has really bet there, so the player's answer is always at a node of the tree. After each own move the ranges
and the opponent's values come from the solution before: continual re-solving [Moravcik et al. 2017].

What differs from DeepStack: there is no depth limit and no learned value, since positions reach to the showdown; the
first position comes from a blueprint; and one solution serves all bets of the opponent that the menu offers.

Everything depends on the board and the line alone, not on the player's hand, so odds are exact probabilities for all
hands at once, and solutions can be kept for the next question about the same line.
"""

import threading
from collections import OrderedDict
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import Move, State
from mccfr.playing.many_hands import ManyHands
from mccfr.playing.policy import Belief, Odds, Policy, StrategyPolicy, Thought
from mccfr.resolving.blueprint_values import first_position
from mccfr.resolving.position_betting import Made, PositionBetting
from mccfr.resolving.position_solving import HowToSolve, SolvedPosition
from mccfr.resolving.position_tree import BoardPosition

KEPT_BYTES = 2**28  # of solutions
Key = tuple[int, tuple[int, ...], str, Made]  # player, board, line to the start, bets beside the menu


class Start(NamedTuple):
    """Where the position of a decision starts."""

    states: list[State]  # all up to the start
    before: tuple[Move, ...]  # the moves that led there
    since: tuple[Move, ...]  # and those to the decision

    @property
    def state(self) -> State:
        """Where betting stands at the start."""
        return self.states[-1]


class ResolvingPolicy(Policy):
    """Plays a blueprint, and from a street on what it solves at the table."""

    quick = False
    at_own_table = True

    def __init__(self, blueprint: StrategyPolicy, first: int, how: HowToSolve, name: str = "") -> None:
        """`first` is the street from which on positions are re-solved."""
        self.blueprint, self.first, self.how = blueprint, first, how
        self.table = blueprint.table
        self.name = name or f"{blueprint.name}+resolve"
        self.solved = 0  # positions so far
        self._forget()

    def _forget(self) -> None:
        """Keep no solutions. Several threads may ask at once."""
        self._kept: OrderedDict[Key, SolvedPosition] = OrderedDict()
        self._lock = threading.RLock()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_kept", "_lock")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._forget()

    # ---- what every policy answers

    def begin(self, count: int) -> Belief:
        return self.blueprint.begin(count)

    def odds(self, belief: Belief, s: State, hands: ManyHands) -> Odds:
        if s.street < self.first:
            return self.blueprint.odds(belief, s, hands)
        cards = hands.cards(s.street).astype(np.int64)
        boards, which = np.unique(cards[:, 2:], axis=0, return_inverse=True)
        held = hand_numbers(cards[:, :2])
        found: Odds = {}
        for number, board in enumerate(boards.tolist()):
            here = np.flatnonzero(which.reshape(-1) == number)
            for move, p in self.odds_on(tuple(board), s).items():
                found.setdefault(move, np.zeros(hands.count))[here] = p[held[here]]
        return found

    def after(self, belief: Belief, s: State, move: Move, hands: ManyHands, own: bool) -> Belief:
        if s.street < self.first:
            return self.blueprint.after(belief, s, move, hands, own)
        reach = self.reach(belief)
        if own:
            made = self.odds(belief, s, hands).get(move)
            reach = reach * (0.0 if made is None else made)
        return [Thought(0, reach)]

    def prepare(self, hands: int) -> None:
        self.blueprint.prepare(hands)

    # ---- positions

    def odds_on(self, board: tuple[int, ...], s: State) -> Odds:
        """For each move in a state of a street that is re-solved, [hands of the deck] its probability."""
        return self.solution(board, s).odds(self.start_of(s).since)

    def solution(self, board: tuple[int, ...], s: State, then: tuple[Move, ...] = ()) -> SolvedPosition:
        """The solved position from which a decision is answered; its tree has the moves that were made `then`, too."""
        start = self.start_of(s)
        made = PositionBetting(self.table, start.state, self.how.sizes).beside_menu((*start.since, *then))
        key = s.mover, board, start.state.line, made
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                began = self.how.clock()
                position = self._position(board, start, s.mover)
                found = SolvedPosition(self.table, position, made, self.how, began)
                self.solved += 1
                self._keep(key, found)
            self._kept.move_to_end(key)
            return found

    def start_of(self, s: State) -> Start:
        """Where the position of a decision starts: after the mover's own last move on the street, or with it."""
        moves = self.table.at(s.line)[1]
        states = [self.table.start]
        for move in moves:
            states.append(self.table.betting.play(states[-1], move))
        at = len(moves)
        while states[at - 1].mover != s.mover and states[at - 1].street == s.street:
            at -= 1
        return Start(states[: at + 1], moves[:at], moves[at:])

    def _position(self, board: tuple[int, ...], start: Start, player: int) -> BoardPosition:
        """The position at a start: from the blueprint, or from the solution of the player's decision before."""
        own = [number for number, state in enumerate(start.states[:-1]) if state.mover == player]
        last = own[-1] if own else 0
        decision, moves = start.states[last], start.before[last:]
        if decision.street < self.first:
            return first_position(self.blueprint, board, start.state, start.before, player, self.how.best)
        solved = self.solution(board[: self.table.board_size(decision.street)], decision, moves)
        return solved.after((*self.start_of(decision).since, *moves), start.state, board)

    def _keep(self, key: Key, found: SolvedPosition) -> None:
        """Keep a solution, and let the oldest go where they take too much memory."""
        self._kept[key] = found
        while len(self._kept) > 1 and sum(each.size for each in self._kept.values()) > KEPT_BYTES:
            self._kept.popitem(last=False)


def hand_numbers(hole: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """[n] numbers of hands of two cards each."""
    low, high = hole.min(axis=1), hole.max(axis=1)
    return np.asarray(high * (high - 1) // 2 + low)
