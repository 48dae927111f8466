"""`check_game`: checks whether a class is a game, and tells its author everything that is wrong with it, and where."""

import dataclasses
import itertools
import math
import time
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple

from mccfr.amounts import whole_count
from mccfr.errors import QUOTED, TOLD, GameError, quoted, shortened, told
from mccfr.games.base import CHANCE, MOST_ACTIONS, TERMINAL, Game, blaming, game_text
from mccfr.games.dealt import DealtForm
from mccfr.games.registry import as_game
from mccfr.games.street_rules import StreetRules
from mccfr.tree.budget import DEEPEST, ENDLESS, estimate_nodes
from mccfr.tree.dealt_contract import checked_tree
from mccfr.tree.enumerate import (
    LARGEST,
    NO_TEXT,
    ODDS_TOLERANCE,
    SUM_TOLERANCE,
    check_contract,
    spelled,
    unwritable,
)
from mccfr.tree.street_build import lay_out_streets
from mccfr.tree.tree import Tree

ROUNDING = 1e-12  # a sum of payoffs, as a share of the largest, that is 0 but for rounding
MOST_LISTED = 10  # actions, per node that may be visited: listing them takes time too
MOST_BROKEN = 2_000  # nodes with faults: more of them tell nothing new
MOST_STEPS = 2  # the same of actions tried; there are then more nodes than may be visited
SECONDS = 60.0


@dataclasses.dataclass(frozen=True)
class GameReport:
    """What `check_game` saw of a game without faults. `print` shows it in a line or two.

    Attributes:
        game: The string that names the game.
        players: How many players there are.
        nodes: Nodes visited.
        terminals: Terminal nodes among them.
        infosets: Infosets met.
        depth: The most moves before a node visited.
        complete: Whether every node was visited.
        constant: What the payoffs of two players sum to; None for any other number of players.
        notes: What is allowed, but perhaps not meant.
    """

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


def check_game(game: "str | Game | type", most: int = 100_000) -> GameReport:
    """Check a game of your own against the contract of `Game`.

    Nodes are visited breadth first, for about a minute at most, and the methods are called at each of them.

    Args:
        game: The game, its class, or the string that names it.
        most: The most nodes to visit.

    Returns:
        What was seen: sizes, whether every node was visited, and notes on what is allowed but perhaps not meant.

    Raises:
        GameError: If the game breaks the contract; the message has one line for each kind of fault, naming the method
            and the node.

    Examples:
        >>> import mccfr
        >>> print(mccfr.check_game(mccfr.game("kuhn")))
        kuhn: no faults in 58 nodes: 2 players, 12 infosets, 30 terminals, depth 5
    """
    rules, most = as_game(game), whole_count("check_game: most", most, 1, error=GameError)
    if isinstance(rules, Tree):
        raise GameError(f"check_game takes the rules of a game, got the tree of {rules.game}, which is checked already")
    if isinstance(rules, DealtForm):
        rules = rules.game
    with blaming(rules):
        if getattr(rules, "dealt_only", False):
            return _dealt_report(rules)
        check_contract(rules)
        if isinstance(rules, StreetRules) and rules.nodes() > most:
            return _street_report(rules)
        inspection = _Inspection(rules, most)
        inspection.run()
        off, fault = inspection.oddest
        if off > SUM_TOLERANCE * inspection.largest:
            inspection.faults.setdefault("sum", fault)
        if inspection.faults:
            name = shortened(game_text(rules), QUOTED)
            raise GameError("\n".join(f"{name}, {fault}" for fault in inspection.faults.values()))
        return inspection.report()


def _dealt_report(game: Any) -> GameReport:
    """The report on a game that has no states with hands in them, but a public tree."""
    tree = checked_tree(game)
    counts, note = tree.counts, "only the dealt form exists: nodes are public nodes, whatever the hands"
    return GameReport(
        tree.game, tree.players, len(tree), counts["terminals"], counts["infosets"], tree.depth, True, 0.0, (note,)
    )


def _street_report(game: StreetRules) -> GameReport:
    """The report on hold'em with every card, whose rules are ours: its histories are too many to visit."""
    tree = lay_out_streets(game)
    counts, note = tree.counts, "nodes are public nodes, whatever the hands"
    return GameReport(
        tree.game, tree.players, len(tree), counts["terminals"], counts["infosets"], tree.depth, True, 0.0, (note,)
    )


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
        self.listed = self.steps = self.broken = 0
        self.deadline = time.monotonic() + SECONDS
        self.constant: float | None = None
        self.largest = 0.0  # payoff, in size
        self.oddest = (0.0, "")  # how far the worst sum of payoffs is from the constant, and its fault
        self.complete = True

    def run(self) -> None:
        """Breadth first over the tree; below a broken node nothing is visited."""
        try:
            level = [_Place(self.game.root(), None, "", (0,) * self.game.players, 0)]
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.faults["root"] = f"at the root: root() raised {told(error)}"
            return
        while level:
            below: list[_Place] = []
            for place in level:
                if self._tired():
                    self._look_ahead()
                    return
                self.nodes += 1
                self.depth = max(self.depth, place.depth)
                try:
                    below += self._visit(place)
                except (_Fault, KeyboardInterrupt) as error:
                    if not isinstance(error, _Fault):
                        raise
                except BaseException as error:  # what its labels, keys and payoffs raise when they are looked at
                    self._fault(place, "other", f"looking at what its methods give raised {told(error)}")
            level = below

    def _tired(self) -> bool:
        much = self.nodes >= self.most or self.listed >= MOST_LISTED * self.most
        return much or self.broken >= MOST_BROKEN or time.monotonic() > self.deadline

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
            notes += (f"payoffs sum to {self.constant:g}: compiling subtracts half of it from each player",)
        return GameReport(
            game_text(self.game), players, self.nodes, self.terminals, len(self.infosets), self.depth,
            self.complete, (self.constant or 0.0) if players == 2 else None, notes,
        )  # fmt: skip

    def _fault(self, place: _Place, kind: str, message: str) -> _Fault:
        self.broken += 1
        if kind not in self.faults:
            self.faults[kind] = f"{shortened(str(place), TOLD)}: {message}"
        return _Fault(message)

    def _call(self, place: _Place, method: str, *args: Any) -> Any:
        try:
            return getattr(self.game, method)(place.state, *args)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            shown = ", ".join(["s", *map(quoted, args)])
            raise self._fault(place, method, f"{method}({shown}) raised {told(error)}") from None

    def _visit(self, place: _Place) -> Iterator[_Place]:
        self._hashable(place, "state", place.state)
        if place.depth > DEEPEST:
            raise self._fault(place, "endless", ENDLESS)
        mover = self._call(place, "player")
        if not isinstance(mover, int) or isinstance(mover, bool) or not TERMINAL <= mover < self.game.players:
            raise self._fault(
                place,
                "player",
                f"player(s) gives {quoted(mover)}, expected 0 to {self.game.players - 1}, CHANCE or TERMINAL",
            )
        if mover == TERMINAL:
            self._terminal(place)
            return iter(())
        return iter(self._chance(place) if mover == CHANCE else self._decision(place, mover))

    def _hashable(self, place: _Place, what: str, value: Any) -> None:
        try:
            hash(value)
        except KeyboardInterrupt:
            raise
        except BaseException:
            raise self._fault(
                place, f"{what} hash", f"{what} {quoted(value)} is not hashable: use tuples or strings"
            ) from None

    def _terminal(self, place: _Place) -> None:
        self.terminals += 1
        paid = self._call(place, "payoff")
        players = self.game.players
        if not hasattr(paid, "__len__") or len(paid) != players:
            raise self._fault(
                place, "payoff", f"payoff(s) gives {quoted(paid)}, expected {players} numbers, one for each player"
            )
        numbers = _finite(paid, players)
        if numbers is None:
            raise self._fault(place, "payoff", f"payoff(s) gives {quoted(paid)}, expected finite numbers")
        if max(map(abs, numbers)) > LARGEST:
            raise self._fault(
                place, "payoff", f"payoff(s) gives {quoted(paid)}, expected numbers from {-LARGEST:g} to {LARGEST:g}"
            )
        if players == 2:
            self._sum(place, numbers, quoted(list(paid)))

    def _sum(self, place: _Place, paid: Sequence[float], shown: str) -> None:
        """A sum that is off by much is a fault at once, one by little when the largest payoff of all is known."""
        total = math.fsum(paid)
        self.constant = total if self.constant is None else self.constant
        self.largest = max(self.largest, *map(abs, paid))
        off = abs(total - self.constant)
        if off > self.oddest[0]:
            what = f"payoffs {shown} sum to {total:g}, but elsewhere to {self.constant:g}: expected zero-sum"
            self.oddest = off, f"{place}: {what}"
            if off > SUM_TOLERANCE * max(1.0, self.largest):
                self._fault(place, "sum", what)

    def _chance(self, place: _Place) -> list[_Place]:
        outcomes = self._call(place, "chances")
        try:
            pairs = [(a, float(p)) for a, p in itertools.islice(outcomes, min(len(outcomes), MOST_ACTIONS) + 1)]
        except (TypeError, ValueError, OverflowError):
            raise self._fault(
                place, "chances", f"chances(s) gives {quoted(outcomes)}, expected (outcome, probability) pairs"
            ) from None
        self.listed += len(pairs)
        total = math.fsum(p for _, p in pairs)
        if not pairs or not all(0 <= p <= 1 + ODDS_TOLERANCE for _, p in pairs) or abs(total - 1) > ODDS_TOLERANCE:
            raise self._fault(place, "chances", f"chances(s) gives {quoted(pairs)}, which sum to {total:g}: expected 1")
        if any(p == 0 for _, p in pairs):
            self.notes.setdefault("zero", f"{place}: chances(s) lists an outcome of probability 0")
        return self._children(place, [a for a, _ in pairs], place.pasts, None)

    def _decision(self, place: _Place, mover: int) -> list[_Place]:
        actions = self._call(place, "actions")
        if not hasattr(actions, "__len__") or not hasattr(actions, "__iter__") or not len(actions):
            raise self._fault(
                place, "actions", f"actions(s) gives {quoted(actions)}, expected a list of at least one action"
            )
        if len(actions) > MOST_ACTIONS:
            raise self._fault(
                place, "actions", f"actions(s) gives {len(actions):,} actions: a node has at most {MOST_ACTIONS:,}"
            )
        menu = tuple(itertools.islice(actions, len(actions) + 1))
        self.listed += len(menu)
        labels = [str(a) for a in menu]
        if len(set(labels)) < len(menu):
            raise self._fault(place, "actions", f"actions(s) repeats a label: {quoted(list(menu))}")
        if (label := unwritable(labels)) is not None:
            raise self._fault(place, "actions", f"actions(s) gives {quoted(label)}, {NO_TEXT}")
        key = self._call(place, "infoset")
        self._hashable(place, "infoset", key)
        self._infoset(place, mover, key, menu)
        return self._children(place, list(menu), place.pasts, (mover, key))

    def _infoset(self, place: _Place, mover: int, key: Hashable, menu: tuple[Any, ...]) -> None:
        if self._call(place, "infoset") != key:
            raise self._fault(
                place, "infoset", f"infoset(s) gives {quoted(key)} the first time and something else the second"
            )
        label = str(key)
        if unwritable([label]) is not None:
            raise self._fault(place, "infoset", f"infoset(s) gives {quoted(label)}, {NO_TEXT}")
        if (other := self.labels.setdefault((mover, label), key)) != key:
            self._fault(
                place,
                "label",
                f"infosets {quoted(key)} and {quoted(other)} are both written {shortened(label, QUOTED)}",
            )
        known = self.infosets.setdefault((mover, key), (menu, place.pasts[mover], place))
        if known[0] != menu:
            raise self._fault(
                place,
                "menu",
                f"infoset {quoted(key)} has the actions {quoted(list(menu))} here and "
                f"{quoted(list(known[0]))} {known[2]}",
            )
        if known[1] != place.pasts[mover]:
            self._fault(
                place, "recall", f"infoset {quoted(key)} also occurs {known[2]}, where player {mover} had seen or done "
                "something else before: imperfect recall",
            )  # fmt: skip

    def _children(
        self, place: _Place, moves: list[Any], pasts: tuple[int, ...], own: tuple[int, Hashable] | None
    ) -> list[_Place]:
        children: list[_Place] = []
        for move in moves:
            if self.steps >= MOST_STEPS * self.most and children:
                break  # it will not be visited, and the first has been tried
            self.steps += 1
            after = pasts
            if own is not None:
                known = self.pasts.setdefault((pasts[own[0]], own[1], str(move)), len(self.pasts) + 1)
                after = (*pasts[: own[0]], known, *pasts[own[0] + 1 :])
            children.append(_Place(self._call(place, "step", move), place, str(move), after, place.depth + 1))
        mover = CHANCE if own is None else own[0]
        if self._call(place, "player") != mover or (own is not None and self._call(place, "infoset") != own[1]):
            raise self._fault(place, "pure", "step(s, a) changed s itself: it must return a new state")
        return children


def _finite(paid: Any, players: int) -> list[float] | None:
    """The payoffs as floats; None if they are not numbers, or one is too large or not finite."""
    try:
        numbers = [float(x) for x in itertools.islice(paid, players + 1) if not isinstance(x, str | bytes)]
    except (TypeError, ValueError, OverflowError):
        return None
    return numbers if len(numbers) == players and all(map(math.isfinite, numbers)) else None
