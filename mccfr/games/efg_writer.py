"""Any game as an .efg file, version 2, that Gambit and OpenSpiel read as well as we do.

OpenSpiel's reader wants each description in full every time, spaces around braces and no payoffs at inner nodes; Gambit
wants probabilities that sum to exactly 1. Labels are kept as they are, though OpenSpiel knows no quotes inside them and
Gambit 16.7 only single spaces and printable ASCII.
"""

import functools
import math
import os
from collections.abc import Hashable, Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

from mccfr.amounts import whole_count
from mccfr.errors import FileError, GameError, TreeError, quoted
from mccfr.games.base import CHANCE, TERMINAL, Game, blaming, game_text, listed
from mccfr.games.labels import distinct

_SIMPLE = 10**6  # the largest denominator that is written as a fraction
_DEEPEST = 10_000  # moves: as deep as a tree is compiled
_NO_MORE = object()
_INT32 = 2**31  # what OpenSpiel reads on either side of a slash


def write_efg(game: "str | Game", path: str | Path, nodes: int = 1_000_000) -> None:
    """Write the whole tree of a game to a Gambit .efg file, version 2.

    Gambit, OpenSpiel and `mccfr.read_efg` can read it. The file appears complete or not at all.

    Args:
        game: The game, or the string that names it.
        path: The file to write.
        nodes: Refuse games with more nodes than this.

    Raises:
        TreeError: If the game has more nodes.
        GameError: If the game breaks its contract, or has payoffs that are not finite.
        FileError: If the file cannot be written.

    Examples:
        >>> import mccfr
        >>> mccfr.write_efg(mccfr.game("kuhn"), "kuhn.efg")
        >>> mccfr.compile("kuhn.efg")
        <HistoryTree of efg:kuhn.efg: 58 nodes, 12 infosets>
    """
    from mccfr.games.registry import as_game  # which knows this file

    rules, nodes = as_game(game), whole_count("write_efg: nodes", nodes, 1, error=GameError)
    if not hasattr(rules, "root"):
        raise GameError(f"write_efg takes the rules of a game, got {quoted(game)}: give the game, or its string")
    with blaming(rules):
        text = ("\n".join(_Writer(rules, nodes).lines()) + "\n").encode()
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise FileError(f"cannot write {path}: {error.strerror or error}") from None


class _Writer:
    """Numbers infosets and outcomes in order of appearance; equal payoffs share an outcome."""

    def __init__(self, game: Game, nodes: int) -> None:
        self.game = game
        self.limit = nodes
        self.infosets: list[dict[Hashable, tuple[Sequence[Hashable], str]]] = [{} for _ in range(game.players)]
        self.outcomes: dict[tuple[float, ...], str] = {}
        self.chances = 0

    def lines(self) -> Iterator[str]:
        names = _braces(_quoted(f"Player {i + 1}") for i in range(self.game.players))
        yield f"EFG 2 R {_quoted(game_text(self.game))} {names}"
        waiting, nodes = [iter([self.game.root()])], 0
        while waiting:
            s = next(waiting[-1], _NO_MORE)
            if s is _NO_MORE:
                waiting.pop()
                continue
            nodes += 1
            if nodes > self.limit:
                raise TreeError(
                    f"{game_text(self.game)} has more than {self.limit} nodes; to write it, raise the limit with nodes="
                )
            if len(waiting) > _DEEPEST:
                raise GameError(f"{game_text(self.game)}: no end after {_DEEPEST:,} moves")
            line, moves = self.node(s)
            yield line
            waiting.append(self.after(s, moves))

    def after(self, s: Hashable, moves: Sequence[Hashable]) -> Iterator[Hashable]:
        """The states after s, one at a time: an endless game with a thousand actions must not be kept."""
        for a in moves:
            yield self.game.step(s, a)

    def node(self, s: Hashable) -> tuple[str, Sequence[Hashable]]:
        """The line of a node, and its actions or chance outcomes."""
        player = self.game.player(s)
        if player == TERMINAL:
            return self.terminal(tuple(float(x) for x in self.game.payoff(s))), ()
        if player == CHANCE:
            outcomes = listed("chances", self.game.chances(s))
            moves = [a for a, _ in outcomes]
            return self.chance(moves, [float(p) for _, p in outcomes]), moves
        return self.decision(player, self.game.infoset(s), listed("actions", self.game.actions(s)))

    def terminal(self, payoffs: tuple[float, ...]) -> str:
        if payoffs not in self.outcomes:
            number = len(self.outcomes) + 1
            self.outcomes[payoffs] = f't "" {number} "" {_braces(map(_number, payoffs))}'
        return self.outcomes[payoffs]

    def chance(self, moves: Sequence[Hashable], odds: Sequence[float]) -> str:
        self.chances += 1
        pairs = (f"{label} {p}" for label, p in zip(_action_labels(moves), _probabilities(odds)))
        return f'c "" {self.chances} "" {_braces(pairs)} 0'

    def decision(self, player: int, infoset: Hashable, actions: Sequence[Hashable]) -> tuple[str, Sequence[Hashable]]:
        known = self.infosets[player]
        if infoset not in known:
            label = f"{len(known) + 1} {_quoted(str(infoset))}"
            known[infoset] = (actions, f'p "" {player + 1} {label} {_braces(_action_labels(actions))} 0')
        first, line = known[infoset]
        if list(first) != list(actions):
            found = f"{quoted(list(first))} at one node, {quoted(list(actions))} at another"
            raise GameError(f"actions: infoset {quoted(infoset)} of player {player} has {found}; they must be the same")
        return line, actions


def _action_labels(actions: Sequence[Hashable]) -> Iterator[str]:
    return map(_quoted, distinct([str(a) for a in actions], range(1, len(actions) + 1)))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _braces(items: Iterator[str]) -> str:
    return f"{{ {' '.join(items)} }}"


def _simple(x: float) -> Fraction | None:
    """The fraction with a small denominator that is this float, if there is one."""
    if not math.isfinite(x):
        raise GameError(f"an .efg file cannot hold the number {x}; payoffs and probabilities must be finite")
    fraction = Fraction(x).limit_denominator(_SIMPLE)
    small = fraction.denominator == 1 or abs(fraction.numerator) < _INT32
    return fraction if small and float(fraction) == x else None


@functools.lru_cache(maxsize=100_000)
def _number(x: float) -> str:
    """A text that reads back as this float, without an exponent: Gambit refuses 1e+20."""
    fraction = _simple(x)
    return format(Decimal(repr(x)), "f") if fraction is None else str(fraction)


def _probabilities(odds: Sequence[float]) -> list[str]:
    """Texts that read back as these floats and, where rounding allows, sum to exactly 1."""
    simple = [_simple(p) for p in odds]
    if None not in simple and sum(p for p in simple if p is not None) == 1:
        return [str(p) for p in simple]
    with localcontext(prec=1100):  # sums of floats are exact
        decimals = [Decimal(repr(p)) for p in odds]
        missing = 1 - sum(decimals)
        for k in sorted(range(len(odds)), key=odds.__getitem__, reverse=True):
            if missing and odds[k]:
                old, decimals[k] = decimals[k], _towards(decimals[k] + missing, odds[k])
                missing -= decimals[k] - old
        return [format(p, "f") for p in decimals]


def _towards(wanted: Decimal, x: float) -> Decimal:
    """The decimal nearest to the wanted one that still reads as the float x, so less than half a step from it."""
    room = Decimal(math.ulp(math.nextafter(x, 0))) * Decimal("0.49")
    return min(max(wanted, Decimal(x) - room), Decimal(x) + room)
