"""Any game of OpenSpiel [Lanctot et al. 2019] whose tree can be written out, by its OpenSpiel name.

Simultaneous moves become turns that the others do not see. Infosets are OpenSpiel's information state strings, so
whether the game has perfect recall is up to OpenSpiel (its `_ir` games do not).
"""

import contextlib
import functools
import os
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from mccfr.errors import GameError, MissingExtra, nearest
from mccfr.games.base import CHANCE, TERMINAL
from mccfr.games.labels import distinct


class Position:
    """A pyspiel state and its moves by label. Hashed by identity: equal states of different walks do not meet."""

    __slots__ = ("_moves", "state")

    def __init__(self, state: Any) -> None:
        self.state = state
        self._moves: dict[str, int] | None = None

    @property
    def moves(self) -> dict[str, int]:
        """Label to action number, in OpenSpiel's order; kept, since OpenSpiel spells every label anew when asked."""
        if self._moves is None:
            numbers = self.state.legal_actions()
            mover = self.state.current_player()
            labels = [self.state.action_to_string(mover, number) for number in numbers]
            self._moves = dict(zip(labels, numbers))
            if len(self._moves) < len(numbers):
                self._moves = dict(zip(distinct(labels, numbers), numbers))
        return self._moves


@dataclass(frozen=True)
class OpenSpielGame:
    """`openspiel:text`, where text is what `pyspiel.load_game` takes: `leduc_poker(suit_isomorphism=True)`."""

    text: str

    def __str__(self) -> str:
        return f"openspiel:{self.text}"

    @property
    def players(self) -> int:
        return int(pyspiel_game(self.text).num_players())

    def root(self) -> Position:
        return Position(pyspiel_game(self.text).new_initial_state())

    def player(self, s: Position) -> int:
        mover = s.state.current_player()
        return mover if mover >= CHANCE else TERMINAL  # OpenSpiel: chance -1, terminal -4

    def actions(self, s: Position) -> Sequence[str]:
        return tuple(s.moves)

    def action_ids(self, s: Position) -> Sequence[int]:
        """OpenSpiel's numbers of `actions(s)`, in the same order."""
        return tuple(s.moves.values())

    def chances(self, s: Position) -> Sequence[tuple[str, float]]:
        odds = dict(s.state.chance_outcomes())
        return [(label, odds[number]) for label, number in s.moves.items()]

    def step(self, s: Position, a: str) -> Position:
        try:
            return Position(s.state.child(s.moves[a]))
        except KeyError:
            raise GameError(f"{self}: no action {a!r} after {s.state.history_str()!r}; {nearest(a, s.moves)}") from None

    def infoset(self, s: Position) -> str:
        return s.state.information_state_string()

    def payoff(self, s: Position) -> Sequence[float]:
        return s.state.returns()


def _pyspiel() -> ModuleType:
    try:
        import pyspiel
    except ImportError:
        raise MissingExtra("open_spiel", "openspiel", "an openspiel: game") from None
    return pyspiel


@functools.cache
def pyspiel_game(text: str) -> Any:
    """The pyspiel.Game, taking turns, or a GameError that says why there is none."""
    pyspiel = _pyspiel()
    name = text.partition("(")[0].strip()
    if name not in pyspiel.registered_names():
        raise GameError(f"openspiel:{text}: OpenSpiel has no game {name!r}; {_near_names(name, pyspiel)}")
    try:
        with _silenced_stderr():
            game = pyspiel.load_game(re.sub(r",\s+", ",", text.strip()))
            _refuse_unwritable(text, game.get_type(), pyspiel.GameType)
            if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
                game = pyspiel.convert_to_turn_based(game)
            Position(game.new_initial_state()).moves  # noqa: B018  some bad parameters only show here
    except (RuntimeError, LookupError, ValueError, MemoryError) as error:  # C++ exceptions, as pybind11 maps them
        if isinstance(error, GameError):
            raise
        raise GameError(f"openspiel:{text}: OpenSpiel refuses it: {_one_line(error)}") from None
    return game


def _near_names(name: str, pyspiel: ModuleType) -> str:
    hint = nearest(name, pyspiel.registered_names())
    return hint if hint.startswith("did you mean") else "pyspiel.registered_names() lists them"


def _refuse_unwritable(text: str, kind: Any, GameType: Any) -> None:
    """Only turns or simultaneous moves, listed chance outcomes and information state strings make a tree."""
    if kind.dynamics == GameType.Dynamics.MEAN_FIELD:
        raise GameError(f"openspiel:{text}: a mean field game has no tree; use a sequential or simultaneous game")
    if kind.chance_mode == GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise GameError(f"openspiel:{text}: its chance outcomes can only be sampled; use a game that lists them")
    if not kind.provides_information_state_string:
        raise GameError(f"openspiel:{text}: it has no information_state_string, so its infosets are unknown")


def _one_line(error: Exception) -> str:
    """OpenSpiel's message without its source line and without its list of all games."""
    message = re.sub(r"^/\S+:\d+ ", "", str(error)).partition(" Available games are")[0]
    return textwrap.shorten(message, 200)


@contextlib.contextmanager
def _silenced_stderr() -> Iterator[None]:
    """OpenSpiel's C++ writes each error to file descriptor 2 before raising it."""
    kept = os.dup(2)
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
