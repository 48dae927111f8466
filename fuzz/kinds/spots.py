"""Spots and whole hold'em: as parameters, as strings and as TOML files, with strange values, and mutated.

What is accepted must survive being written, and small ones are solved a little: a street tree must find uniform play
worth what the dealt form finds.
"""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import street_examples

import mccfr
from fuzz.judge import Found, watched
from fuzz.kinds.strings import mutated
from fuzz.shrink import Case
from fuzz.values import LABELS, NUMBERS, pick
from mccfr.games.base import game_text
from mccfr.tree import street_build

SOLVE_ONE_IN = 2  # accepted ones that are small
MEMORY = "500KB"
SMALL_DECK, FEW = 12, 3000  # cards, and public nodes
TOLERANCE = 1e-9
SOUND = (  # decks, and boards and ranges that they have
    ((13, 4), ("Qs Jh 2h 8c 3d", "Qs Jh 2h 8c", "QsJh2h"), ("all", "QQ+,AKs", "22+", "A5s-A2s:0.5", "AsAh,KK:0.25")),
    ((3, 3), ("2c 3c 4c", "2c 2d 3h", "2c 3d 4h 4c", "2d 2c 3c 3d 4d"), ("all", "33,44", "44,4d3h:0.5", "2h2d,43s")),
    (
        (5, 2),
        ("2c 3d 4c 5d", "2c 3d 4c 5d 6c", "2c 2d 3c"),
        ("all", "66,6c5c,4d3c:0.5", "65s,64", "66:0.25,5d4c:0.001"),
    ),
    ((3, 4), ("2c 3c 4d 2d", "2c 2d 3h 3s 4c", "2c 3c 4c 4d"), ("all", "44,33:0.5", "4s3s,4h3h", "22+:0.1")),
)
DECKS = (*(deck for deck, _, _ in SOUND), (4, 3), (9, 1), (2, 4), (13, 0), (14, 4))
BOARDS = (
    *("2c 2c 3d", "", "Qs", "2c 3d", "2c 3d 4h 4c 3c 2d", "xx yy zz", "2c,3d,4c", "2C 3D 4C", "10s 2c 3d", "A♠ K♠ Q♠"),
    *("2c 3c 4c", "Qs Jh 2h 8c", "2c 3d 4c 5d"),
)
RANGES = (
    *("AA:0", "", "all:0.5", "22-55", "AsAh", "2c2d", "4c4d,3c3d", "KQo+", "AKx", "AA:-1", "AA:nan", "AA:2", "QQ++"),
    *("all,AA:0", "2c2c", "44:0.25,33:0.001", "22:0.333333333333333333333", "4c3d" * 40),
)
SIZES = (
    *("50%", "33%,75%,a", "a", "", "100%", "2.5x,a", "100c", "2e", "3e200%", "1c,2c,3c,4c,5c,6c,7c,8c", "0%", "1e9%"),
    *("-5%", "50", "75%%", "a,a,a", "x", "0x", "1e400%", "999999999999c", ",", "50 %", "0.0001%"),
)
LINES = ("", "k", "kk", "kk/", "b5", "kb5", "b5c/", "kk/kk/", "kk/k", "f", "a20", "zz", "k" * 50, "/", "kk//")
MOVES = ("k", "b5", "a20", "f", "c", "r20", "b90", "board", "zz", "")
LAWS = (0.5, 1, 0, 0.25, "rest", "all", "44", "44:0.5", "66,6c5c", 2, -1, None, True, "x", [], {}, float("nan"))
STRANGE = (*LABELS, None, True, -1, 0, 1e400, float("nan"), 10**30, [], {}, [[1]], {"a": {"b": 1}}, "1", 2.5, 1e-300)
BETTING = (
    "limit",
    "limit()",
    "nolimit(stack=6, bet='100%', raise_=a)",
    "limit(cap=1, bets='2 4')",
    "nolimit(stack=20)",
)


class Kind:
    """Spots and whole hands."""

    def set_up(self, folder: Path) -> None:
        self.folder = folder
        street_build.rank_deck = _strengths  # type: ignore[attr-defined]  # the evaluator is slow where nothing is compiled
        _use_slow_strengths()

    def weight(self, case: Case) -> int:
        return 1

    def about(self, case: Case) -> str:
        return f"a spot as {case['form']}: {str(case.get('text', case.get('keys')))[:60]!r}"

    # ---- drawing

    def draw(self, dice: random.Random) -> Case:
        """Parameters, or a text made of them."""
        luck = dice.randrange(10**6)
        if dice.random() < 0.2:
            return {"form": "string", "text": self._changed(dice, _whole(dice)), "luck": luck}
        keys = _keys(dice)
        form = pick(dice, ("call", "string", "file"))
        if form == "call":  # Python itself says what is missing
            keys = {
                "board": "2c 3d 4c",
                "pot": 10,
                "stack": 20,
                "oop": "all",
                "ip": "all",
                "bet": "a",
                "raise_": "a",
            } | keys
            return {"form": form, "keys": keys, "luck": luck}
        text = (
            _toml(keys) if form == "file" else f"spot({', '.join(f'{key}={value!r}' for key, value in keys.items())})"
        )
        return {"form": form, "text": self._changed(dice, text), "luck": luck}

    def _changed(self, dice: random.Random, text: str) -> str:
        for _ in range(pick(dice, (0, 0, 0, 1, 2))):
            text = mutated(text, dice)
        return text

    # ---- running

    def run(self, case: Case) -> None:
        """Make it, write it, and solve it a little."""
        game = self._made(case)
        text = game_text(game)
        with watched.free():
            again = mccfr.game(text)
        if again != game or game_text(again) != text:
            raise Found(
                "a game of streets does not survive being written", f"{text[:200]} becomes {game_text(again)[:200]}"
            )
        repr(game), hash(game)
        if case.get("luck", 0) % SOLVE_ONE_IN == 0 and hasattr(game, "streets"):
            self._solve(game)

    def _made(self, case: Case) -> Any:
        if case["form"] == "call":
            return mccfr.spot(**case["keys"])
        with watched.free():  # the user may name files
            if case["form"] == "string":
                return mccfr.game(case["text"])
            path = self.folder / "drawn.toml"
            path.write_text(case["text"], encoding="utf-8", errors="surrogatepass", newline="")
            return mccfr.game(str(path))

    def _solve(self, game: Any) -> None:
        streets = game.streets()
        if streets.ranks * streets.suits > SMALL_DECK:
            return
        tree = mccfr.compile(game, MEMORY)
        repr(tree), tree.fingerprint, tree.counts
        if len(tree) * tree.largest_infoset > FEW:
            return
        solver = mccfr.Solver(tree, "cfr_plus").run(2)
        for name, array in solver.engine.arrays.items():
            if array.dtype.kind == "f" and not np.isfinite(array).all():
                raise Found("not finite", f"{name} of {game}"[:300])
        scale = max(1.0, tree.largest_payoff)
        if not -TOLERANCE * scale <= solver.exploitability() <= 2 * scale:
            raise Found("not sane", f"exploitability {solver.exploitability()} of {game}"[:300])
        ours, theirs = (mccfr.expected_value(mccfr.uniform(form)) for form in (tree, tree.laid_out))
        if abs(ours - theirs) > TOLERANCE * scale:
            raise Found("another value", f"{ours} in place of {theirs}: {game}"[:300])


def _keys(dice: random.Random) -> dict[str, Any]:
    """The parameters of a spot, some of them strange or missing."""
    (ranks, suits), boards, ranges = pick(dice, SOUND)
    bets = ("a",) if dice.random() < 0.5 else SIZES[: 12 if dice.random() < 0.9 else None]
    keys = {
        "board": pick(dice, boards), "pot": pick(dice, (10, 180, 1)), "stack": pick(dice, (20, 910, 1, 3)),
        "oop": pick(dice, ranges), "ip": pick(dice, ranges), "bet": pick(dice, bets), "raise_": pick(dice, SIZES[:6]),
    }  # fmt: skip
    if (ranks, suits) != (13, 4):
        keys |= {"ranks": ranks, "suits": suits}
    if dice.random() < 0.25:
        keys |= {pick(dice, ("oop", "ip")): pick(dice, RANGES), "board": pick(dice, (keys["board"], *BOARDS))}
    if dice.random() < 0.05:
        keys["ranks"], keys["suits"] = pick(dice, DECKS)
    others = {
        "donk_": lambda: pick(dice, SIZES), "add_allin": lambda: pick(dice, (0, 1.5, 0.1)),
        "force_allin": lambda: pick(dice, (0.15, 1, 0)), "merge": lambda: pick(dice, (0.1, 0, 5)),
        "cap": lambda: pick(dice, (0, 1, 2, "1 2", "1 2 3 4", "")), "min_bet": lambda: pick(dice, (1, 5, 0, 10**10)),
        "turn": lambda: {"bet": pick(dice, SIZES), pick(dice, ("oop", "ip", "opp")): {"raise_": pick(dice, SIZES)}},
        "bets": lambda: {pick(dice, ("oop", "ip")): {"bet": pick(dice, SIZES)}}, "lock": lambda: _locks(dice),
    }  # fmt: skip
    for key in dice.sample(sorted(others), pick(dice, (0, 0, 1, 1, 2, 4))):
        keys[key] = others[key]()
    if dice.random() < 0.15:
        keys[pick(dice, (*keys, "colour", "raise"))] = pick(dice, STRANGE)
    if dice.random() < 0.05:
        del keys[pick(dice, tuple(keys))]
    return keys


def _locks(dice: random.Random) -> Any:
    locks = []
    for _ in range(pick(dice, (1, 1, 2))):
        lock = {"line": pick(dice, LINES[: 5 if dice.random() < 0.7 else None])}
        lock |= {pick(dice, MOVES[: 3 if dice.random() < 0.8 else None]): pick(dice, LAWS) for _ in range(2)}
        if dice.random() < 0.3:
            lock["board"] = pick(dice, ("4d", "2h", "4d 2h", "", "2c", "xx"))
        locks.append(lock)
    return locks[0] if len(locks) == 1 and dice.random() < 0.3 else locks


def _whole(dice: random.Random) -> str:
    ranks, suits = pick(dice, DECKS)
    board = pick(dice, ("'3 1 1'", "3", "'1 1 1'", "'1 2'", "5", "'6'", "''", "0", "'1 1 1 1 1'", pick(dice, NUMBERS)))
    extra = pick(dice, ("", "", f", cap={pick(dice, NUMBERS)}", f", {pick(dice, NUMBERS)}"))
    return f"holdem({pick(dice, BETTING)}, ranks={ranks}, suits={suits}, board={board}{extra})"


def _toml(keys: dict[str, Any]) -> str:
    """The parameters as TOML, or nearly: what it cannot write comes out as Python writes it."""
    return "".join(f"{key} = {_toml_value(value)}\n" for key, value in keys.items())


def _toml_value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml_value(inside)}" for key, inside in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    return json.dumps(value) if isinstance(value, str | bool) else repr(value)


def _strengths(board: Any, ranks: int = 13, suits: int = 4) -> Any:
    return street_examples.strengths_of(tuple(sorted(board)), ranks, suits)


def _use_slow_strengths() -> None:
    from mccfr.games import street_deals

    street_deals.deck_strengths = street_examples.strengths_of
