"""The levels of any two-player zero-sum game by walking its plain rules: slow, for games without a shortcut."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mccfr.games.base import CHANCE, TERMINAL, Game, Level


class WalkedLevels:
    """Writes out a game, and remembers its infosets: codes number them in order of appearance."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.infosets: list[tuple[Any, tuple[Any, ...]]] = []  # label and actions of each code
        self._codes: dict[tuple[int, Any], int] = {}

    def levels(self) -> Iterator[Level]:
        """The levels in order."""
        states: list[Any] = [self.game.root()]
        while states:
            level, states = self._level(states)
            yield level

    def _level(self, states: list[Any]) -> tuple[Level, list[Any]]:
        """The level of these states, and the states below it."""
        game = self.game
        players = [game.player(s) for s in states]
        arity, codes, payoffs, odds, below = [], [], [], [], []
        for s, player in zip(states, players):
            actions: tuple[Any, ...] = ()
            if player == TERMINAL:
                payoffs.append(game.payoff(s)[0])
            elif player == CHANCE:
                chances = game.chances(s)
                actions = tuple(outcome for outcome, _ in chances)
                odds += [chance for _, chance in chances]
            else:
                actions = tuple(game.actions(s))
                codes.append(self._code(player, game.infoset(s), actions))
            arity.append(len(actions))
            below += [game.step(s, a) for a in actions]
        level = Level(
            np.array(players, np.int8),
            np.array(arity, np.int32),
            np.array(codes, np.int64),
            np.array(payoffs, np.float64),
            np.array(odds, np.float64),
        )
        return level, below

    def _code(self, player: int, label: Any, actions: tuple[Any, ...]) -> int:
        code = self._codes.setdefault((player, label), len(self.infosets))
        if code == len(self.infosets):
            self.infosets.append((label, actions))
        return code
