"""Walking the rules of a plain game breadth first, one level at a time, and holding it to its contract."""

import contextlib
import dataclasses
import gc
import itertools
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import GameError, MccfrError, quoted, told
from mccfr.games.base import CHANCE, METHODS, TERMINAL, Game, Level, game_text, listed
from mccfr.tree.budget import DEEPEST, ENDLESS, Budget

ODDS_TOLERANCE = 1e-9
SUM_TOLERANCE = 1e-9  # of the largest payoff
LARGEST = 1e306  # payoff: values and NashConv, which are sums of a few, stay finite
LOOKED_AT_TWICE = 100  # nodes of a level
NO_TEXT = "which no file can store: half of a surrogate pair is not a character"


@dataclasses.dataclass
class Found:
    """The infosets met so far, by player in order of first appearance, each with its action labels."""

    codes: list[dict[Hashable, tuple[int, tuple[Any, ...]]]]

    def labels(self, player: int) -> list[str]:
        return [str(key) for key in self.codes[player]]

    def menus(self, player: int) -> list[tuple[str, ...]]:
        return [tuple(map(str, menu)) for _, menu in self.codes[player].values()]


class Enumeration:
    """One walk through a game's rules; `levels` yields its levels and fills `found`."""

    def __init__(self, game: Game, budget: Budget) -> None:
        self.game, self.budget = game, budget
        self.found = Found([{} for _ in range(game.players)])
        self.constant: float | None = None  # what the two players' payoffs sum to
        self.largest = 0.0  # payoff, in size
        self.oddest: tuple[float, int, _Broken] | None = None  # how far the worst sum is from it, its depth, its fault
        self.arities: list[Sequence[int]] = []  # by level: how to find the way back from a node to the root

    def levels(self) -> Iterator[Level]:
        """Breadth first; infoset codes are numbers in order of first appearance."""
        states = [self._root()]
        while states:
            self.budget.charge(len(states))
            self.budget.look_ahead(self.game)
            if len(self.arities) > DEEPEST:
                raise GameError(f"{game_text(self.game)}, {self.place(DEEPEST, 0)}: {ENDLESS}")
            with _no_garbage_collection():
                level, states = self._expand(states)
            self.budget.check_infosets(sum(map(len, self.found.codes)))
            yield level
        if self.oddest is not None and self.oddest[0] > SUM_TOLERANCE * self.largest:
            self.arities = self.arities[: self.oddest[1] + 1]
            raise self._blame(self.oddest[2], 0)

    def _root(self) -> Any:
        try:
            return self.game.root()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise GameError(f"{game_text(self.game)}: root() raised {told(error)}") from error

    def _expand(self, states: list[Any]) -> tuple[Level, list[Any]]:
        """One level, and the states of the next. This loop sees every node: it is kept flat for speed."""
        game, codes = self.game, self.found.codes
        player, actions, infoset, step = game.player, game.actions, game.infoset, game.step
        movers: list[int] = []
        arity: list[int] = []
        numbers: list[int] = []
        payoffs: list[Sequence[float]] = []
        odds: list[float] = []
        below: list[Any] = []
        room = self.budget.room()
        self.arities.append(arity)
        try:
            for s in states:
                if len(below) > room:
                    room = self.budget.crowded(game, len(below))
                mover = player(s)
                movers.append(mover)
                if mover >= 0:
                    menu, key = actions(s), infoset(s)
                    known = codes[mover].get(key)
                    if known is None:
                        known = codes[mover][key] = (len(codes[mover]), self._new_menu(menu))
                    if menu is not known[1] and (len(menu) != len(known[1]) or tuple(menu) != known[1]):
                        other = f"another state of the same infoset {quoted(known[1])}"
                        raise _Broken(f"actions() gives {quoted(list(menu))}, but {other}")
                    numbers.append(known[0])
                    below += [step(s, a) for a in known[1]]
                    arity.append(len(known[1]))
                elif mover == TERMINAL:
                    payoffs.append(game.payoff(s))
                    arity.append(0)
                elif mover == CHANCE:
                    outcomes = self._listed("chances", game.chances(s))
                    self._check_odds(outcomes)
                    odds += [p for _, p in outcomes]
                    below += [step(s, a) for a, _ in outcomes]
                    arity.append(len(outcomes))
                else:
                    raise _Broken("")
            if len(states) <= LOOKED_AT_TWICE:
                self._check_unchanged(states, movers)
            return self._level(movers, arity, numbers, payoffs, odds), below
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a game may raise anything, SystemExit too
            at = len(arity)  # a node's arity is noted last, when all went well with it
            if len(movers) > at and movers[at] not in range(TERMINAL, game.players):
                what = f"player() gives {quoted(movers[at])}, expected 0 to {game.players - 1}, CHANCE or TERMINAL"
                raise self._blame(_Broken(what), at) from error
            raise self._blame(error, min(at, len(states) - 1)) from error

    def _check_unchanged(self, states: list[Any], movers: list[int]) -> None:
        """`step` must return new states; on the first levels, a look at the old ones again shows if it changed them."""
        for j, (s, mover) in enumerate(zip(states, movers)):
            if self.game.player(s) != mover or (mover >= 0 and self.game.infoset(s) not in self.found.codes[mover]):
                raise _Broken("step() changed the state it was given: it must return a new one", j)

    def _new_menu(self, menu: Sequence[Any]) -> tuple[Any, ...]:
        taken = self._listed("actions", menu)
        labels = [str(a) for a in taken]
        if not labels:
            raise _Broken("actions() is empty at a state where a player moves")
        if len(set(labels)) < len(labels):
            raise _Broken(f"actions() repeats a label: {quoted(labels)}")
        return taken

    def _listed(self, method: str, given: Any) -> tuple[Any, ...]:
        try:
            return listed(method, given)
        except GameError as error:
            raise _Broken(str(error)) from None

    def _check_odds(self, outcomes: Sequence[tuple[Hashable, float]]) -> None:
        if not outcomes:
            raise _Broken("chances() is empty at a chance state")
        total = 0.0
        for a, p in outcomes:
            if not 0.0 <= p <= 1.0 + ODDS_TOLERANCE:
                raise _Broken(f"chances() gives {quoted(a)} the probability {quoted(p)}: expected a number from 0 to 1")
            total += p
        if abs(total - 1.0) > ODDS_TOLERANCE:
            raise _Broken(f"chances() sum to {total!r}, expected 1")

    def _level(
        self, movers: list[int], arity: list[int], numbers: list[int], payoffs: list[Any], odds: list[float]
    ) -> Level:
        return Level(
            np.array(movers, dtype=np.int8),
            np.array(arity, dtype=np.int32),
            np.array(numbers, dtype=np.int64),
            self._paid(payoffs, movers) if payoffs else np.empty((0, self.game.players)),
            np.array(odds, dtype=np.float64),
        )

    def _paid(self, payoffs: list[Any], movers: list[int]) -> npt.NDArray[np.float64]:
        """Payoffs as an array [terminals, players]: the right number of them, finite, and of constant sum if two."""

        def broken(j: int, message: str) -> _Broken:
            return _Broken(message, int(np.flatnonzero(np.array(movers) == TERMINAL)[j]))

        players = self.game.players
        try:
            table = np.array(payoffs, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            table = np.empty(0)
        if table.shape != (len(payoffs), players):
            j = next((j for j, paid in enumerate(payoffs) if not _numbers(paid, players)), 0)
            raise broken(j, f"payoff() gives {quoted(payoffs[j])}, expected {players} numbers, one for each player")
        for j in np.flatnonzero(~np.isfinite(table).all(axis=1)).tolist():
            raise broken(j, f"payoff() gives {quoted(payoffs[j])}, expected finite numbers")
        for j in np.flatnonzero((np.abs(table) > LARGEST).any(axis=1)).tolist():
            raise broken(j, f"payoff() gives {quoted(payoffs[j])}, expected numbers from {-LARGEST:g} to {LARGEST:g}")
        if players == 2:
            sums = table.sum(axis=1)
            self.constant = float(sums[0]) if self.constant is None else self.constant
            self.largest = max(self.largest, float(np.abs(table).max()))
            self._compare_sums(payoffs, np.abs(sums - self.constant), sums, broken)
        return table

    def _compare_sums(
        self, payoffs: list[Any], off: npt.NDArray[np.float64], sums: npt.NDArray[np.float64], broken: Any
    ) -> None:
        """A sum that is off by much is refused at once, one by little when the largest payoff of all is known."""
        if not self.oddest or off.max() > self.oddest[0]:
            j = int(off.argmax())
            fault = broken(
                j,
                f"payoffs {quoted(list(payoffs[j]))} sum to {sums[j]:g}, but elsewhere to {self.constant:g}: "
                "expected a zero-sum (or constant-sum) game",
            )
            self.oddest = float(off[j]), len(self.arities) - 1, fault
            if off[j] > SUM_TOLERANCE * max(1.0, self.largest):
                raise fault

    def _blame(self, error: BaseException, j: int) -> MccfrError:
        """Any error met at node j of the last level, as one line that says where."""
        if isinstance(error, MccfrError) and not isinstance(error, _Broken):
            return error
        node = error.node if isinstance(error, _Broken) and error.node is not None else j
        what = str(error) if isinstance(error, _Broken) else told(error)
        return GameError(f"{game_text(self.game)}, {self.place(len(self.arities) - 1, node)}: {what}")

    def place(self, depth: int, j: int) -> str:
        """'after bet, call' for node j of a level: the way there from the root, in the game's own words."""
        steps: list[int] = []
        for d in range(depth - 1, -1, -1):
            ends = np.cumsum(self.arities[d])
            parent = int(np.searchsorted(ends, j, side="right"))
            steps.append(j - (int(ends[parent - 1]) if parent else 0))
            j = parent
        try:
            return describe_path(self.game, steps[::-1])
        except KeyboardInterrupt:
            raise
        except BaseException:  # the way there is not the same a second time
            return f"after {depth:,} moves"


class _Broken(GameError):
    """A breach of the contract at a node of the level (by default the one being looked at); who knows adds the way."""

    def __init__(self, message: str, node: int | None = None) -> None:
        super().__init__(message)
        self.node = node


def _numbers(paid: Any, players: int) -> bool:
    try:
        return len([float(x) for x in itertools.islice(paid, players + 1)]) == players
    except (TypeError, ValueError, OverflowError):
        return False


@contextlib.contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Millions of new states set the collector off again and again, for nothing: 1.7 times slower."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def describe_path(game: Game, steps: Sequence[int]) -> str:
    """The labels along a path of child numbers from the root."""
    words, state = [], game.root()
    for index in steps:
        mover = game.player(state)
        moves = [a for a, _ in game.chances(state)] if mover == CHANCE else list(game.actions(state))
        words.append(str(moves[index]))
        state = game.step(state, moves[index])
    return spelled(words)


def unwritable(labels: Sequence[str]) -> str | None:
    """A label that UTF-8 cannot write, if there is one."""
    try:
        "".join(labels).encode()
        return None
    except UnicodeEncodeError:
        return next(label for label in labels if any("\ud800" <= c <= "\udfff" for c in label))


def spelled(words: Sequence[str]) -> str:
    """'after bet, call', abbreviated in the middle when the way is long."""
    if len(words) > 40:
        words = [*words[:20], f"... ({len(words) - 25:,} more) ...", *words[-5:]]
    return f"after {', '.join(words)}" if words else "at the root"


def check_contract(game: Any) -> None:
    """Refuse what is not a game at all: a class, an object without the seven methods, a wrong number of players."""
    if isinstance(game, type):
        raise GameError(f"{game.__qualname__} is a class: pass a game, {game.__qualname__}()")
    missing = [f"{name}()" for name in METHODS if not callable(getattr(game, name, None))]
    if missing:
        raise GameError(f"{game_text(game)} lacks {', '.join(missing)}: a game has {', '.join(METHODS)}")
    players = getattr(game, "players", None)
    if not isinstance(players, int) or isinstance(players, bool) or not 1 <= players <= 250:
        raise GameError(f"{game_text(game)}: players is {quoted(players)}, expected a whole number from 1 to 250")
