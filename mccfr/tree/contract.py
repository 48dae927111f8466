"""`check_game`: holds a game to its contract and tells its author everything that is wrong with it, and where."""

import dataclasses
import math
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple

from mccfr.errors import GameError
from mccfr.games.base import CHANCE, TERMINAL, Game, game_text
from mccfr.games.dealt import DealtForm
from mccfr.tree.budget import DEEPEST, ENDLESS, estimate_nodes
from mccfr.tree.enumerate import LARGEST, ODDS_TOLERANCE, SUM_TOLERANCE, check_contract, spelled

ROUNDING = 1e-12  # a sum of payoffs, as a share of the largest, that is 0 but for rounding


@dataclasses.dataclass(frozen=True)
class GameReport:
    """What `check_game` saw of a game without faults."""

    game: str
    players: int
    nodes: int
    terminals: int
    infosets: int
    depth: int
    complete: bool  # whether every node was visited
    constant: float | None  # what two players' payoffs sum to; None for any other number of players
    notes: tuple[str, ...]  # allowed, but perhaps not meant

    def __str__(self) -> str:
        seen = "" if self.complete else " (of more)"
        text = (
            f"{self.game}: no faults in {self.nodes:,} nodes{seen}: {_players(self.players)}, "
            f"{self.infosets:,} infosets, {self.terminals:,} terminals, depth {self.depth}"
        )
        return "\n".join([text, *(f"note: {note}" for note in self.notes)])


def check_game(game: Game, most: int = 200_000) -> GameReport:
    """Visit up to `most` nodes, breadth first, calling every method; a GameError has one line per kind of fault."""
    if isinstance(game, DealtForm):
        game = game.game
    check_contract(game)
    inspection = _Inspection(game, most)
    inspection.run()
    off, fault = inspection.oddest
    if off > SUM_TOLERANCE * inspection.largest:
        inspection.faults.setdefault("sum", fault)
    if inspection.faults:
        raise GameError("\n".join(f"{game_text(game)}, {fault}" for fault in inspection.faults.values()))
    return inspection.report()


def _players(count: int) -> str:
    return f"{count} player" if count == 1 else f"{count} players"


class _Place(NamedTuple):
    """A node on the way: its state, how it was reached, and what each player has done and seen before."""

    state: Any
    before: "_Place | None"
    label: str
    pasts: tuple[int, ...]
    depth: int

    def __str__(self) -> str:
        words, place = [], self
        while place.before is not None:
            words.append(place.label)
            place = place.before
        return spelled(words[::-1])


class _Fault(Exception):
    """Stops the inspection of one node."""


class _Inspection:
    def __init__(self, game: Game, most: int) -> None:
        self.game, self.most = game, most
        self.faults: dict[str, str] = {}  # by kind: the first of each
        self.notes: dict[str, str] = {}
        self.infosets: dict[tuple[int, Hashable], tuple[tuple[Any, ...], int, _Place]] = {}
        self.labels: dict[tuple[int, str], Hashable] = {}
        self.pasts: dict[Any, int] = {}
        self.nodes = self.terminals = self.depth = 0
        self.constant: float | None = None
        self.largest = 0.0  # payoff, in size
        self.oddest = (0.0, "")  # how far the worst sum of payoffs is from the constant, and its fault
        self.complete = True

    def run(self) -> None:
        """Breadth first over the tree; below a broken node nothing is visited."""
        try:
            level = [_Place(self.game.root(), None, "", (0,) * self.game.players, 0)]
        except Exception as error:
            self.faults["root"] = f"at the root: root() raised {type(error).__name__}: {error}"
            return
        while level:
            below: list[_Place] = []
            for place in level:
                if self.nodes >= self.most:
                    self._look_ahead()
                    return
                self.nodes += 1
                self.depth = max(self.depth, place.depth)
                try:
                    below += self._visit(place)
                except _Fault:
                    continue
            level = below

    def _look_ahead(self) -> None:
        """What will not be visited is at least played through at random."""
        self.complete = False
        nodes = estimate_nodes(self.game)
        if math.isinf(nodes):
            self.faults["endless"] = f"in a random playout: {ENDLESS}"
        elif nodes > self.nodes:
            self.notes["size"] = f"about {nodes:.1e} nodes in all (estimated from random playouts)"

    def report(self) -> GameReport:
        notes, players = tuple(self.notes.values()), self.game.players
        if players != 2:
            notes += (f"{_players(players)}: it compiles, but methods and evaluation take two-player games only",)
        elif abs(self.constant or 0.0) > ROUNDING * self.largest:
            notes += (f"payoffs sum to {self.constant:g}: compiling takes half of it from each player",)
        return GameReport(
            game_text(self.game), players, self.nodes, self.terminals, len(self.infosets), self.depth,
            self.complete, (self.constant or 0.0) if players == 2 else None, notes,
        )  # fmt: skip

    def _fault(self, place: _Place, kind: str, message: str) -> _Fault:
        self.faults.setdefault(kind, f"{place}: {message}")
        return _Fault(message)

    def _call(self, place: _Place, method: str, *args: Any) -> Any:
        try:
            return getattr(self.game, method)(place.state, *args)
        except Exception as error:
            shown = ", ".join(["s", *map(repr, args)])
            raise self._fault(place, method, f"{method}({shown}) raised {type(error).__name__}: {error}") from None

    def _visit(self, place: _Place) -> Iterator[_Place]:
        self._hashable(place, "state", place.state)
        if place.depth > DEEPEST:
            raise self._fault(place, "endless", ENDLESS)
        mover = self._call(place, "player")
        if not isinstance(mover, int) or isinstance(mover, bool) or not TERMINAL <= mover < self.game.players:
            raise self._fault(
                place, "player", f"player(s) gives {mover!r}, expected 0 to {self.game.players - 1}, CHANCE or TERMINAL"
            )
        if mover == TERMINAL:
            self._terminal(place)
            return iter(())
        return iter(self._chance(place) if mover == CHANCE else self._decision(place, mover))

    def _hashable(self, place: _Place, what: str, value: Any) -> None:
        try:
            hash(value)
        except TypeError:
            raise self._fault(
                place, f"{what} hash", f"{what} {value!r} is not hashable: use tuples or strings"
            ) from None

    def _terminal(self, place: _Place) -> None:
        self.terminals += 1
        paid = self._call(place, "payoff")
        players = self.game.players
        if not hasattr(paid, "__len__") or len(paid) != players:
            raise self._fault(
                place, "payoff", f"payoff(s) gives {paid!r}, expected {players} numbers, one for each player"
            )
        if not all(isinstance(x, int | float) or hasattr(x, "__float__") for x in paid) or not all(
            map(math.isfinite, paid)
        ):
            raise self._fault(place, "payoff", f"payoff(s) gives {paid!r}, expected finite numbers")
        if max(map(abs, paid)) > LARGEST:
            raise self._fault(
                place, "payoff", f"payoff(s) gives {paid!r}, expected numbers from {-LARGEST:g} to {LARGEST:g}"
            )
        if players == 2:
            self._sum(place, paid)

    def _sum(self, place: _Place, paid: Sequence[float]) -> None:
        """A sum that is off by much is a fault at once, one by little when the largest payoff of all is known."""
        total = math.fsum(paid)
        self.constant = total if self.constant is None else self.constant
        self.largest = max(self.largest, *map(abs, paid))
        off = abs(total - self.constant)
        if off > self.oddest[0]:
            what = f"payoffs {list(paid)} sum to {total:g}, but elsewhere to {self.constant:g}: expected zero-sum"
            self.oddest = off, f"{place}: {what}"
            if off > SUM_TOLERANCE * max(1.0, self.largest):
                self._fault(place, "sum", what)

    def _chance(self, place: _Place) -> list[_Place]:
        outcomes = self._call(place, "chances")
        try:
            pairs = [(a, float(p)) for a, p in outcomes]
        except (TypeError, ValueError):
            raise self._fault(
                place, "chances", f"chances(s) gives {outcomes!r}, expected (outcome, probability) pairs"
            ) from None
        total = math.fsum(p for _, p in pairs)
        if not pairs or not all(0 <= p <= 1 + ODDS_TOLERANCE for _, p in pairs) or abs(total - 1) > ODDS_TOLERANCE:
            raise self._fault(place, "chances", f"chances(s) gives {pairs}, which sum to {total:g}: expected 1")
        if any(p == 0 for _, p in pairs):
            self.notes.setdefault("zero", f"{place}: chances(s) lists an outcome of probability 0")
        return self._children(place, [a for a, _ in pairs], place.pasts, None)

    def _decision(self, place: _Place, mover: int) -> list[_Place]:
        actions = self._call(place, "actions")
        if not hasattr(actions, "__len__") or not hasattr(actions, "__iter__") or not len(actions):
            raise self._fault(place, "actions", f"actions(s) gives {actions!r}, expected a list of at least one action")
        menu = tuple(actions)
        if len(set(map(str, menu))) < len(menu):
            raise self._fault(place, "actions", f"actions(s) repeats a label: {list(menu)}")
        key = self._call(place, "infoset")
        self._hashable(place, "infoset", key)
        self._infoset(place, mover, key, menu)
        return self._children(place, list(menu), place.pasts, (mover, key))

    def _infoset(self, place: _Place, mover: int, key: Hashable, menu: tuple[Any, ...]) -> None:
        if self._call(place, "infoset") != key:
            raise self._fault(place, "infoset", f"infoset(s) gives {key!r} once and something else the next time")
        if self.labels.setdefault((mover, str(key)), key) != key:
            self._fault(place, "label", f"infosets {key!r} and {self.labels[mover, str(key)]!r} are both written {key}")
        known = self.infosets.setdefault((mover, key), (menu, place.pasts[mover], place))
        if known[0] != menu:
            raise self._fault(
                place, "menu", f"infoset {key!r} has the actions {list(menu)} here and {list(known[0])} {known[2]}"
            )
        if known[1] != place.pasts[mover]:
            self._fault(
                place, "recall", f"infoset {key!r} also occurs {known[2]}, where player {mover} had seen or done "
                "something else before: imperfect recall",
            )  # fmt: skip

    def _children(
        self, place: _Place, moves: list[Any], pasts: tuple[int, ...], own: tuple[int, Hashable] | None
    ) -> list[_Place]:
        children = []
        for move in moves:
            after = pasts
            if own is not None:
                known = self.pasts.setdefault((pasts[own[0]], own[1], str(move)), len(self.pasts) + 1)
                after = (*pasts[: own[0]], known, *pasts[own[0] + 1 :])
            children.append(_Place(self._call(place, "step", move), place, str(move), after, place.depth + 1))
        mover = CHANCE if own is None else own[0]
        if self._call(place, "player") != mover or (own is not None and self._call(place, "infoset") != own[1]):
            raise self._fault(place, "pure", "step(s, a) changed s itself: it must return a new state")
        return children
