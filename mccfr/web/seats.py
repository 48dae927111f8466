"""The games of all pages, which are bounded, and what a page at a table may say.

A page keeps the token of its game, so that it finds the game again after it was reloaded or had gone to sleep.
"""

import threading
import time
from collections.abc import Callable
from typing import Any

from mccfr.playing.table import TableError
from mccfr.web.messages import Act, Deal, History, Review, Sit
from mccfr.web.opponents import Opponents
from mccfr.web.stock import SharedError
from mccfr.web.table_game import Game

MOST_GAMES = 300  # more than pages, so that there is always one that nobody plays
FORGOTTEN = 3600.0  # seconds after which a game is given up if nobody has played on


class Games:
    """The games of all pages, by token."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with none."""
        self._clock, self._lock = clock, threading.Lock()
        self._games: dict[str, Game] = {}
        self._used: dict[str, float] = {}
        self._holders: dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self._games)

    def take(self, token: str | None, agent: str, holder: Any) -> Game | None:
        """The game with a token, which its new holder takes over from whoever had it; None if it is not kept."""
        with self._lock:
            self._forget_old()
            game = self._games.get(token or "")
            if game is None or game.opponent.name != agent:
                return None
            self._holders[game.token], self._used[game.token] = holder, self._clock()
            return game

    def add(self, game: Game, holder: Any) -> None:
        """Keep a new game; one that nobody plays makes room for it."""
        with self._lock:
            self._forget_old()
            if len(self._games) >= MOST_GAMES:
                idle = [token for token in self._games if self._holders.get(token) is None]
                if not idle:
                    raise SharedError(f"{MOST_GAMES} games are being played: try again when a page has gone")
                self._drop(min(idle, key=lambda token: self._used[token]))
            self._games[game.token], self._used[game.token] = game, self._clock()
            self._holders[game.token] = holder

    def is_held(self, token: str, holder: Any) -> bool:
        """Whether a page still plays a game; if so, it has played just now."""
        with self._lock:
            held = token in self._games and self._holders.get(token) is holder
            if held:
                self._used[token] = self._clock()
            return held

    def leave(self, token: str, holder: Any, drop: bool = False) -> None:
        """A page has gone, and may come back; or it plays another game now, and this one is over."""
        with self._lock:
            if self._holders.get(token) is holder:
                self._holders[token] = None
                if drop:
                    self._drop(token)

    def _forget_old(self) -> None:
        now = self._clock()
        for token in [one for one, used in self._used.items() if now - used > FORGOTTEN]:
            self._drop(token)

    def _drop(self, token: str) -> None:
        game = self._games.pop(token)
        self._used.pop(token)
        self._holders.pop(token, None)
        game.agent.close()


class Seat:
    """One page at a table: what it says, and what it is answered."""

    def __init__(self, opponents: Opponents, games: Games) -> None:
        """Sit nowhere yet."""
        self.opponents, self.games = opponents, games
        self.game: Game | None = None

    def quick(self, message: Any) -> bool:
        """Whether a message is answered within a fraction of a second."""
        return not isinstance(message, Sit) or self.opponents.at_hand(message.agent)

    def answer(self, message: Sit | Deal | Act | Review | History) -> dict[str, Any]:
        """Do what a page says."""
        game = self._sit(message) if isinstance(message, Sit) else self._own_game()
        with game.lock:
            match message:
                case Deal():
                    game.deal()
                case Act():
                    game.act(message.hand, message.line, message.move)
                case Review():
                    return game.review()
                case History():
                    return game.history()
            return game.view()

    def _own_game(self) -> Game:
        if self.game is None:
            raise TableError("nobody sits at the table: send a sit message first")
        if not self.games.is_held(self.game.token, self):
            raise TableError("this game goes on in another page, or nobody has played it for an hour: reload the page")
        return self.game

    def _sit(self, wish: Sit) -> Game:
        """The game that the page had, if it is kept and against the same agent; otherwise a new one."""
        opponent = self.opponents.find(wish.agent)
        game = self.games.take(wish.game, wish.agent, self)
        if game is None:
            game = Game(opponent)
            self.games.add(game, self)
        if self.game is not None and self.game is not game:
            self.games.leave(self.game.token, self, drop=True)
        self.game = game
        return game

    def leave(self) -> None:
        """The page has gone; its game is kept for a while."""
        if self.game is not None:
            self.games.leave(self.game.token, self)
