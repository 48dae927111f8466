""".efg texts: valid ones in every style, which must come out as the game they were made from, and damaged ones."""

import random
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import naive
from random_games import TreeGame, random_game

import mccfr
from fuzz.judge import Found
from fuzz.shrink import Case
from fuzz.values import LABELS, NUMBERS, pick
from mccfr.games.base import CHANCE, TERMINAL

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}]|[^\s{}"]+|\s+')
NUMBERED = re.compile(r"[0-9]+\.[0-9]+")
WORDS = (
    *(
        "EFG",
        "2",
        "R",
        "D",
        "c",
        "p",
        "t",
        "{",
        "}",
        ",",
        '"',
        '""',
        '"x"',
        "0",
        "1",
        "2",
        "3",
        "-1",
        "1/2",
        "1/0",
        "0/1",
    ),
    *(
        "1e999",
        "1e-999",
        "1" * 400,
        "1" * 5000,
        "1/" + "3" * 400,
        "0.1",
        "nan",
        "inf",
        "\x00",
        "\ufeff",
        "é",
        '"\\',
        "\\",
    ),
    *("99999999999999999999", "1e300", "-1e300", "1e+5", ".", "-", "+", "/", "1/-2"),
)
PLAIN = tuple(label for label in LABELS if label.isprintable() and len(label) < 80)


class Kind:
    """Texts of Gambit's format."""

    def set_up(self, folder: Path) -> None:
        self.path = folder / "f.efg"

    def weight(self, case: Case) -> int:
        return 1

    def about(self, case: Case) -> str:
        return "a valid text" if "game" in case else "a damaged text"

    def draw(self, dice: random.Random) -> Case:
        """A quarter is valid."""
        seed, style = dice.randrange(10**9), dice.randrange(10**9)
        if dice.random() < 0.001:
            return {
                "text": f"EFG 2 R {pick(dice, WORDS)} ",
                "more": pick(dice, ('"', "{ ", "1", "\n", '"a" ', "\\")),
                "times": 10**7,
            }
        if dice.random() < 0.25:
            return {"game": seed, "style": style}
        return {"text": _damaged_text(text_of(small_game(seed), random.Random(style)), dice)}

    def run(self, case: Case) -> None:
        """Read, compile, evaluate, write and read again."""
        if "game" in case:
            self._valid(case["game"], case["style"])
            return
        text = case["text"] + case.get("more", "") * case.get("times", 0)
        self.path.write_bytes(text.encode("utf-8", "surrogatepass"))
        game = mccfr.game(f"efg:{self.path}")
        tree = mccfr.compile(game)
        self._written_again(game, tree)

    def _valid(self, seed: int, style: int) -> None:
        rules = small_game(seed)
        self.path.write_bytes(text_of(rules, random.Random(style)).encode())
        try:
            game = mccfr.read_efg(self.path)
            tree = mccfr.compile(game)
        except mccfr.MccfrError as error:
            raise Found("a valid text is refused", str(error)) from None
        true = naive.expected_value(rules, naive.uniform(rules))
        ours = mccfr.expected_value(mccfr.uniform(tree))
        if abs(true - ours) > 1e-9:
            raise Found("another value", f"{ours} in place of {true}")
        if len(tree) != len(rules.nodes):
            raise Found("another size", f"{len(tree)} nodes in place of {len(rules.nodes)}")
        self._written_again(game, tree)

    def _written_again(self, game: Any, tree: Any) -> None:
        if game.players == 2:
            exploitability = mccfr.exploitability(mccfr.uniform(tree))
            if not -1e-6 <= exploitability < float("inf") and abs(tree.reals).max() < 1e100:
                raise Found("not sane", f"exploitability {exploitability}")
        again = self.path.with_name("again.efg")
        mccfr.write_efg(game, again)
        try:
            second = mccfr.compile(mccfr.read_efg(again))
        except mccfr.MccfrError as error:
            raise Found("what was written is refused", str(error)) from None
        if not _same(tree, second):
            raise Found("written and read again, another game", f"{len(second)} and {len(tree)} nodes")


def _same(tree: Any, second: Any) -> bool:
    """Whether two trees are the same; infosets without a name of their own are numbered, and may be numbered anew."""
    if any(NUMBERED.fullmatch(label) for label in tree.infosets.labels):
        pairs = [(tree.nodes, second.nodes), (tree.odds, second.odds), (tree.infosets.row, second.infosets.row)]
        return all(one.tobytes() == other.tobytes() for one, other in pairs)
    return bool(tree.fingerprint == second.fingerprint)


def small_game(seed: int) -> TreeGame:
    """A random game of a few dozen nodes."""
    return random_game(seed, depth=1 + seed % 4, most=80, total=(0.0, 0.0, 1.0, -2.5)[seed % 4])


def text_of(game: TreeGame, dice: random.Random) -> str:
    """A game as an .efg text, in a style of its own: descriptions once or always, decimals or fractions, any labels."""
    writer = _Writer(game, dice)
    writer.node(0)
    gap = pick(dice, (" ", "\n", "  ", "\t", " \r\n "))
    names = " ".join(_quoted(f"player {j}") for j in range(game.players))
    title = _quoted(pick(dice, PLAIN))
    comment = _quoted(pick(dice, PLAIN)) if dice.random() < 0.5 else ""
    return f"EFG 2 R {title} {{ {names} }} {comment}\n" + "\n".join(gap.join(words) for words in writer.lines) + "\n"


class _Writer:
    def __init__(self, game: TreeGame, dice: random.Random) -> None:
        self.game, self.dice = game, dice
        self.lines: list[list[str]] = []
        self.numbers: dict[Any, int] = {}
        self.outcomes: dict[Any, int] = {}
        self.brief = dice.random() < 0.5
        self.commas = dice.random() < 0.3
        self.exact = dice.random() < 0.5

    def node(self, s: int) -> None:
        node = self.game.nodes[s]
        if node.player == TERMINAL:
            self.lines.append(["t", _quoted(self._name()), *self._outcome(node.payoff)])
            return
        if node.player == CHANCE:
            self.numbers[s] = number = len(self.numbers) + 1
            pairs = [f"{_quoted(a)} {self._odds(p)}" for a, p in zip(node.labels, node.odds)]
            self.lines.append(["c", _quoted(self._name()), str(number), '""', "{", *pairs, "}", "0"])
        else:
            key = (node.player, node.infoset)
            known = key in self.numbers
            number = self.numbers.setdefault(key, len(self.numbers) + 1)
            words = ["p", _quoted(self._name()), str(node.player + 1), str(number)]
            if not (known and self.brief):
                words += [_quoted(node.infoset), "{", *map(_quoted, node.labels), "}"]
            self.lines.append([*words, "0"])
        for child in node.children:
            self.node(child)

    def _outcome(self, payoff: tuple[float, ...]) -> list[str]:
        known = payoff in self.outcomes
        number = str(self.outcomes.setdefault(payoff, len(self.outcomes) + 1))
        if known and self.brief:
            return [number]
        numbers = [self._number(x) for x in payoff]
        return [number, '""', "{", (", " if self.commas else " ").join(numbers), "}"]

    def _number(self, x: float) -> str:
        return str(Fraction(x)) if self.exact else repr(x)

    def _odds(self, p: float) -> str:
        return str(Fraction(p).limit_denominator(1000)) if self.exact else repr(p)

    def _name(self) -> str:
        return "" if self.dice.random() < 0.8 else pick(self.dice, PLAIN)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _damaged_text(text: str, dice: random.Random) -> str:
    """Words changed, left out, doubled, exchanged; labels and numbers made strange; sometimes cut short."""
    words = TOKEN.findall(text)
    for _ in range(pick(dice, (1, 1, 2, 3, 5))):
        at = dice.randrange(len(words))
        kind = pick(dice, ("word", "word", "label", "number", "out", "twice", "swap", "cut", "copy"))
        if kind == "word":
            words[at] = pick(dice, WORDS)
        elif kind == "label":
            words[at] = _quoted(pick(dice, LABELS))
        elif kind == "number":
            words[at] = pick(dice, NUMBERS)
        elif kind == "out":
            del words[at]
        elif kind == "twice":
            words.insert(at, words[at])
        elif kind == "swap":
            other = dice.randrange(len(words))
            words[at], words[other] = words[other], words[at]
        elif kind == "cut":
            words = words[: at + 1]
        else:
            words[at] = words[dice.randrange(len(words))]
        if not words:
            words = [" "]
    return "".join(words)
