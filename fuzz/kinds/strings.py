"""Method strings and game strings: made by the grammar from the words that the package knows, and mutated."""

import inspect
import random
from pathlib import Path
from typing import Any

import numpy as np

import mccfr
from fuzz.judge import Found, watched
from fuzz.shrink import Case
from fuzz.values import GAMES, LABELS, NUMBERS, pick
from mccfr.games.base import game_text
from mccfr.games.registry import NAMED
from mccfr.solvers.method import PARTS, RECIPES, Method

RUN_ONE_IN = 100  # accepted methods are run for a few iterations
COMPILE_ONE_IN = 100  # accepted games are compiled, in little memory
MEMORY = "500KB"
VALUES = (
    "call",
    "uniform",
    "both",
    "own",
    "other",
    "ends",
    "before",
    "after",
    "nothing",
    "values",
    "walk",
    "one",
    "all",
)
CALLS = (
    "counts",
    "was",
    "wcs",
    "rcs",
    "mcs",
    "mas",
    "by_regret",
    "robust",
    "epsilon_greedy",
    "uniform",
    "all",
    "limit",
)
SIGNS = (*"()[]{},=+-*/.:'\"\\ \n\t0123456789_éλ\u202e\x00😀", "**", "lambda: 0", "if", "None", "__import__")


class Kind:
    """Strings that name methods and games."""

    def set_up(self, folder: Path) -> None:
        Method.parse("cfr")  # fills the dictionaries
        self.folder = folder
        self.recipes, self.parts, self.games = tuple(RECIPES), tuple(PARTS), tuple(NAMED)
        self.keys = {word: _parameters(make) for word, make in {**RECIPES, **PARTS, **NAMED}.items()}
        self.tree = mccfr.compile("kuhn")

    def weight(self, case: Case) -> int:
        return 1

    def about(self, case: Case) -> str:
        return f"the {case['what']} {case['text'][:60]!r}"

    # ---- drawing

    def draw(self, dice: random.Random) -> Case:
        """A string, and whether it is to name a method or a game."""
        what = pick(dice, ("method", "method", "game"))
        text = self._method(dice) if what == "method" else self._game(dice)
        for _ in range(pick(dice, (0, 0, 0, 1, 2))):
            text = mutated(text, dice)
        return {"what": what, "text": text, "luck": dice.randrange(10**6)}

    def _method(self, dice: random.Random) -> str:
        recipe = pick(dice, self.recipes if dice.random() < 0.97 else self.parts)
        parts = [self._call(dice, pick(dice, self.parts)) for _ in range(pick(dice, (0, 0, 1, 1, 2, 3, 6)))]
        return pick(dice, ("+", "+", "+", " + ")).join([self._call(dice, recipe), *parts])

    def _game(self, dice: random.Random) -> str:
        luck = dice.random()
        if luck < 0.15:
            return pick(dice, GAMES)
        text = self._call(dice, pick(dice, self.games))
        return f"dealt:{text}" if luck < 0.3 else text

    def _call(self, dice: random.Random, word: str) -> str:
        if dice.random() < 0.35:
            return word
        known = self.keys.get(word, ())
        count = pick(dice, (0, 1, 1, 2, 3, len(known)))
        values = [self._value(dice, 0) for _ in range(count)]
        if known and dice.random() < 0.4:
            values = [f"{pick(dice, known)}={value}" for value in values]
        return f"{word}({', '.join(values)})"

    def _value(self, dice: random.Random, depth: int) -> str:
        luck = dice.random()
        if luck < 0.35:
            return pick(dice, ("1", "2", "3", "4", "0.5", "0.1", "0", "true", "false", "True", "10", "1.0"))
        if luck < 0.55:
            return pick(dice, NUMBERS)
        if luck < 0.75:
            return pick(dice, VALUES)
        if luck < 0.8:
            return repr(pick(dice, LABELS))
        if luck < 0.82:
            return "9" * pick(dice, (20, 320, 5000))
        if luck < 0.84:
            return pick(
                dice, ("(" * 50 + ")" * 50, "[" * 150 + "]" * 150, "-" * 200 + "1", "was(" * 90 + ")" * 90, "x" * 400)
            )
        if depth > 3:
            return "1"
        inside = ", ".join(self._value(dice, depth + 1) for _ in range(pick(dice, (0, 1, 1, 2, 3))))
        if luck < 0.9:
            return f"[{inside}]"
        if luck < 0.93:
            return f"({inside},)" if inside else "()"
        return f"{pick(dice, (*CALLS, *self.recipes))}({inside})"

    # ---- running

    def run(self, case: Case) -> None:
        """Read it; what is accepted survives being written, and can be used."""
        if case["what"] == "method":
            self._run_method(case["text"], case.get("luck", 0))
        else:
            with watched.free():  # the user may name files
                self._run_game(case["text"], case.get("luck", 0))

    def _run_method(self, text: str, luck: int) -> None:
        method = Method.parse(text)
        again = Method.parse(str(method))
        if again != method or str(again) != str(method):
            raise Found("a method does not survive being written", f"{method} becomes {again}")
        repr(method), hash(method)
        if not _fits(tuple(vars(method).values())):
            raise Found("a number that no kernel takes", str(method)[:200])
        if luck % RUN_ONE_IN == 0:
            self._solve(method)

    def _solve(self, method: Method) -> None:
        """A few iterations on Kuhn: tables stay finite."""
        rollouts = getattr(method.estimator, "rollouts", 0) * getattr(method.estimator, "terminals", 1)
        if method.batch > 10 or rollouts > 100:
            return  # long because it was asked to be
        with watched.guarded():
            solver = mccfr.Solver("dealt:kuhn" if method.public else self.tree, method, seed=1)
            solver.run(3)
            exploitability = solver.exploitability()
        for name, array in solver.engine.arrays.items():
            if array.dtype.kind == "f" and not np.isfinite(array).all():
                raise Found("not finite", f"{name} after 3 iterations of {method}")
        if not -1e-9 <= exploitability <= 10:
            raise Found("not sane", f"exploitability {exploitability} of {method}")

    def _run_game(self, text: str, luck: int) -> None:
        if "/dev/" in text or "openspiel" in text:
            return
        game: Any = mccfr.game(text)
        written = game_text(game)
        again = mccfr.game(written)
        if game_text(again) != written or again != game:
            raise Found("a game does not survive being written", f"{written} becomes {game_text(again)}")
        repr(game), hash(game)
        if luck % COMPILE_ONE_IN == 0 and "nlph" not in text and "bluff" not in text:
            tree = mccfr.compile(game, MEMORY)
            repr(tree)


def _fits(value: Any) -> bool:
    """Whether whole numbers fit into 64 bits, which compiled kernels take; interpreted ones would not notice."""
    if isinstance(value, tuple):
        return all(map(_fits, value))
    return not isinstance(value, int) or abs(value) < 2**63


def _parameters(make: Any) -> tuple[str, ...]:
    return tuple(name for name in inspect.signature(make).parameters if name != "method")


def mutated(text: str, dice: random.Random) -> str:
    """A text with one small change."""
    at = dice.randrange(len(text) + 1)
    kind = pick(dice, ("in", "in", "out", "replace", "twice", "cut"))
    if kind == "in":
        return text[:at] + pick(dice, SIGNS) + text[at:]
    if kind == "out":
        return text[:at] + text[at + 1 + dice.randrange(3) :]
    if kind == "replace":
        return text[:at] + pick(dice, SIGNS) + text[at + 1 :]
    if kind == "twice":
        return text[:at] + text
    return text[:at]
