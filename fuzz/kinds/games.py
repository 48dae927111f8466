"""Games of the user's own: random ones, which must be solved right, and ones whose methods misbehave."""

import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import naive
import numpy as np
from random_games import random_game

import mccfr
from fuzz.judge import Found, refuse_lines
from fuzz.shrink import Case
from fuzz.values import pick
from mccfr.errors import MccfrError
from mccfr.games.base import METHODS

TOLERANCE = 1e-9


class Hostile:
    """A value whose every method may raise."""

    def __init__(self, *methods: str) -> None:
        self.methods = methods

    def _may(self, method: str) -> None:
        if method in self.methods:
            raise ValueError(f"{method} of a hostile value")

    def __repr__(self) -> str:
        self._may("repr")
        return "hostile"

    def __str__(self) -> str:
        self._may("str")
        return "hostile"

    def __hash__(self) -> int:
        self._may("hash")
        return 1

    def __eq__(self, other: object) -> bool:
        self._may("eq")
        return self is other

    def __len__(self) -> int:
        self._may("len")
        return 2

    def __iter__(self) -> Any:
        self._may("iter")
        return iter(("a", "b"))

    def __float__(self) -> float:
        self._may("float")
        return 1.0

    def __bool__(self) -> bool:
        self._may("bool")
        return True


def _raise(error: BaseException) -> Callable[[Any], Any]:
    def fail(_: Any) -> Any:
        raise error

    return fail


def _deep(_: Any) -> Any:
    value: Any = ()
    for _ in range(2000):
        value = (value,)
    return value


def _pair(value: Any) -> Callable[[Any], Any]:
    """In place of both payoffs, or of a probability, or as it is."""
    return lambda right: [value] * len(right) if isinstance(right, tuple | list) else value


FAULTS: dict[str, Callable[[Any], Any]] = {
    "raises ValueError": _raise(ValueError("a\nb")),
    "raises KeyError": _raise(KeyError("x")),
    "raises long": _raise(ValueError("x" * 2000)),
    "raises surrogate": _raise(ValueError("\ud800")),
    "raises RecursionError": _raise(RecursionError()),
    "raises MemoryError": _raise(MemoryError()),
    "raises StopIteration": _raise(StopIteration()),
    "raises SystemExit": _raise(SystemExit(3)),
    "raises GeneratorExit": _raise(GeneratorExit()),
    "raises AssertionError": _raise(AssertionError()),
    "raises unprintable": _raise(ValueError(Hostile("str", "repr"))),
    "None": lambda _: None,
    "nan": _pair(float("nan")),
    "inf": _pair(float("inf")),
    "huge": _pair(10**400),
    "large": _pair(1e308),
    "opposite large": lambda right: [1e308, -1e308] if isinstance(right, tuple) else 1e308,
    "tiny": _pair(5e-324),
    "minus": lambda right: (
        [-x for x in right] if isinstance(right, tuple | list) and right and isinstance(right[0], float) else -1
    ),
    "complex": _pair(1j),
    "fraction": _pair(Fraction(1, 3)),
    "numpy": lambda right: np.array(right) if isinstance(right, tuple | list) else np.int64(0),
    "array": lambda _: np.zeros((2, 2)),
    "true": _pair(True),
    "text": lambda _: "text",
    "empty text": lambda _: "",
    "bytes": lambda _: b"ab",
    "surrogate": lambda right: tuple("\ud800" + str(x) for x in right) if isinstance(right, tuple | list) else "\ud800",
    "line ends": lambda right: tuple(f"{x}\n" for x in right) if isinstance(right, tuple | list) else "a\nb",
    "control": lambda right: tuple(f"{x}\x00\x1b" for x in right) if isinstance(right, tuple | list) else "a\x00",
    "very long": lambda right: tuple(str(x) * 5000 for x in right) if isinstance(right, tuple | list) else "a" * 5000,
    "list": lambda right: list(right) if isinstance(right, tuple | list) else [right],
    "nested": lambda right: [[right]],
    "deep": _deep,
    "dict": lambda _: {"a": 1},
    "set": lambda _: {1},
    "generator": lambda right: iter(right if isinstance(right, tuple | list) else (right,)),
    "endless generator": lambda _: iter(int, 1),
    "object": lambda _: object(),
    "lambda": lambda _: lambda: 0,
    "type": lambda _: int,
    "shorter": lambda right: right[:-1] if isinstance(right, tuple | list | str) else right,
    "longer": lambda right: (*right, *right) if isinstance(right, tuple | list) else right,
    "large number": lambda _: 10**30,
    "other player": lambda right: 1 - right if isinstance(right, int) else right,
    "player 7": lambda _: 7,
    "terminal": lambda _: -2,
    "chance": lambda _: -1,
    "thousand": lambda _: tuple(range(1000)),
    "thousand chances": lambda _: [(j, 0.001) for j in range(1000)],
    "wrong odds": lambda right: [(a, 0.4) for a in "abc"],
    "negative odds": lambda right: [("a", -1.0), ("b", 2.0)],
    "nan odds": lambda right: [("a", float("nan")), ("b", 1.0)],
    "root again": lambda _: 0,
    "no such state": lambda _: -5,
    "hostile repr": lambda _: Hostile("repr", "str"),
    "hostile hash": lambda _: Hostile("hash"),
    "hostile eq": lambda _: Hostile("eq"),
    "hostile len": lambda _: Hostile("len"),
    "hostile iter": lambda _: Hostile("iter"),
    "hostile float": lambda _: [Hostile("float"), Hostile("float")],
    "hostile bool": lambda _: Hostile("bool"),
    "hostile elements": lambda _: (Hostile("hash"), Hostile("repr", "str")),
}
NAMES = ("plain", "raises", "surrogate", "long", "lines", "None", "empty", "exit")
PLAYERS = (0, -1, 1, 3, 17, 10**9, 2.0, "2", None, True, float("nan"), "raises")


class Misbehaving:
    """A game that answers as another does, except where a fault says otherwise."""

    def __init__(self, inner: Any, faults: list[list[Any]], name: str, players: Any) -> None:
        self.inner, self.name, self._players = inner, name, players
        self.faults: dict[str, list[Any]] = {fault[0]: fault for fault in faults}
        self.calls = 0

    @property
    def players(self) -> Any:
        if self._players == "raises":
            raise KeyError("players")
        return self._players

    def __str__(self) -> Any:
        if self.name == "raises":
            raise ValueError("no name")
        if self.name == "exit":
            raise SystemExit(4)
        return {"surrogate": "\ud800", "long": "x" * 5000, "lines": "a\nb", "None": None, "empty": ""}.get(
            self.name, "game"
        )

    def answer(self, method: str, *args: Any) -> Any:
        """What the game says; a fault strikes at a node, everywhere, or at every other call."""
        fault = self.faults.get(method)
        if fault is None:
            return getattr(self.inner, method)(*args)
        self.calls += 1
        _, what, where = fault
        strikes = where == "always" or (where == "sometimes" and self.calls % 2 == 0) or (args and args[0] == where)
        try:
            right = getattr(self.inner, method)(*args)
        except Exception:
            right = ()
        return FAULTS[what](right) if strikes else right


for _method in METHODS:
    setattr(Misbehaving, _method, lambda self, *args, _m=_method: self.answer(_m, *args))


class Endless:
    """A game without an end, of so many actions."""

    players = 2

    def __init__(self, actions: int, memory: bool, chance: bool) -> None:
        self.menu, self.memory, self.chance = tuple(range(actions)), memory, chance

    def root(self) -> Any:
        return (0, 0)

    def player(self, s: Any) -> int:
        return -1 if self.chance else s[0] % 2

    def actions(self, s: Any) -> Any:
        return self.menu

    def chances(self, s: Any) -> Any:
        return [(a, 1 / len(self.menu)) for a in self.menu]

    def step(self, s: Any, a: Any) -> Any:
        return (s[0] + 1, (s[1] * 1000 + a) % 2**61) if self.memory else (s[0] + 1, a)

    def infoset(self, s: Any) -> Any:
        return s

    def payoff(self, s: Any) -> Any:
        return (0.0, 0.0)


SOURCES = (
    *("", "x = 1", "class A: pass", "raise SystemExit(3)", "raise KeyboardInterrupt", "import nosuch", "def", "\x00"),
    *("while True: pass", "class A:\n    players = 2\n    def root(self): return 0", "raise ValueError('a\\nb' * 300)"),
    *("raise BaseException('x')", "class A:\n    root = 1\nclass B:\n    root = 2", "import sys; sys.modules.clear()"),
    *(
        "class A:\n    def __init__(self): raise SystemExit\n    def root(self): return 0",
        "é = '\ud800'",
        "x = " + "(" * 300,
    ),
    *("class A:\n    def __init__(self, n): pass\n    root = property(lambda s: 1/0)", "print('hello'); raise OSError"),
    *("from dataclasses import dataclass\n@dataclass\nclass A:\n    x: int\n    def root(self): return 0",),
)
SAFE_SOURCES = tuple(s for s in SOURCES if "while" not in s and "modules" not in s and "KeyboardInterrupt" not in s)


class Kind:
    """Games."""

    def set_up(self, folder: Path) -> None:
        self.folder = folder

    def weight(self, case: Case) -> int:
        return 1

    def about(self, case: Case) -> str:
        return next(
            (word for word in ("source", "endless") if word in case),
            "a game with faults" if case.get("faults") else "a game",
        )

    def draw(self, dice: random.Random) -> Case:
        """Half are as they should be."""
        luck = dice.random()
        if luck < 0.02:
            return {"source": pick(dice, SAFE_SOURCES), "call": pick(dice, ("", ":A", ":A(1)", ":B", ":A(", ":nosuch"))}
        if luck < 0.022:
            return {
                "endless": pick(dice, (1, 2, 10, 1000)),
                "memory": dice.random() < 0.5,
                "chance": dice.random() < 0.3,
            }
        case: Case = {"seed": dice.randrange(10**9), "depth": dice.randrange(1, 6)}
        if luck < 0.5:
            return case
        faults = []
        for _ in range(pick(dice, (0, 1, 1, 1, 2))):
            where = pick(dice, ("always", "sometimes", 0, 1, 2, 3, 5, 8))
            faults.append([pick(dice, METHODS), pick(dice, tuple(FAULTS)), where])
        return {
            **case, "faults": faults, "name": pick(dice, (*("plain",) * 8, *NAMES)),
            "players": pick(dice, (*(2,) * 20, *PLAYERS)),
        }  # fmt: skip

    def run(self, case: Case) -> None:
        """Check, compile, solve a little, compare."""
        if "source" in case:
            path = self.folder / f"g{abs(hash(case['source'])) % 10**6}.py"
            path.write_bytes(case["source"].encode("utf-8", "surrogatepass"))
            game = mccfr.game(f"{path}{case['call']}")
            self._check_and_compile(game)
        elif "endless" in case:
            self._check_and_compile(Endless(case["endless"], case["memory"], case["chance"]))
        elif "faults" in case:
            inner = random_game(case["seed"], case["depth"], most=60)
            self._misbehaving(lambda: Misbehaving(inner, case["faults"], case["name"], case["players"]))
        else:
            self._right(random_game(case["seed"], case["depth"], most=60, total=float(case["seed"] % 3)))

    def _right(self, rules: Any) -> None:
        try:
            report = mccfr.check_game(rules)
            tree = mccfr.compile(rules)
        except MccfrError as error:
            raise Found("a good game is refused", str(error)) from None
        if report.nodes != len(rules.nodes) or len(tree) != len(rules.nodes):
            raise Found("another size", f"{report.nodes} and {len(tree)} nodes in place of {len(rules.nodes)}")
        uniform = naive.uniform(rules)
        strategy = mccfr.uniform(tree)
        pairs = [(naive.expected_value(rules, uniform), mccfr.expected_value(strategy), "value")]
        pairs += [
            (naive.best_response(rules, uniform, p)[0], mccfr.best_response(strategy, p).value, f"response {p}")
            for p in (0, 1)
        ]
        for true, ours, what in pairs:
            if abs(true - ours) > TOLERANCE:
                raise Found(f"another {what}", f"{ours} in place of {true}")
        for method, n in (("external", 3), ("cfr_plus", 2)):
            self._sane(mccfr.Solver(tree, method, seed=1).run(n))

    def _sane(self, solver: Any) -> None:
        for name, array in solver.engine.arrays.items():
            if array.dtype.kind == "f" and not np.isfinite(array).all():
                raise Found("not finite", f"{name} of {solver.method}")
        exploitability = solver.exploitability()
        if not -TOLERANCE * _scale(solver.tree) <= exploitability < float("inf"):
            raise Found("not sane", f"exploitability {exploitability} by {solver.method}")

    def _check_and_compile(self, game: Any) -> None:
        self._check(game)
        mccfr.compile(game, "100MB")

    def _check(self, game: Any) -> None:
        """A report has a line for each problem."""
        try:
            mccfr.check_game(game)
        except MccfrError as error:
            refuse_lines(str(error))
            text = str(error).splitlines()[0] if str(error) else ""
            raise type(error)(text) from None

    def _misbehaving(self, make: Callable[[], Any]) -> None:
        """Checking and compiling, each with a fresh game; what compiles although it misbehaves must be usable."""
        refused = None
        try:
            self._check(make())
        except MccfrError as error:
            refused = error
        tree = mccfr.compile(make(), "100MB")
        if tree.players == 2:
            self._sane(mccfr.Solver(tree, "external", seed=1).run(2))
        repr(tree), tree.fingerprint
        if refused is not None:
            raise refused


def _scale(tree: Any) -> float:
    terminal = (tree.nodes[3::4] & 255) == 255
    return max(1.0, float(np.abs(tree.reals[::2][terminal]).max(initial=0.0)))
