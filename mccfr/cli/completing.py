"""What a shell offers after a tab: games, methods and their parts, strategies, run folders.

A tab must be answered at once and must run nobody's program: words of methods are read from the source files, ours and
those given with --use, without importing or running them.
"""

import ast
import contextlib
import os
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, split_arg_string

import mccfr
from mccfr.cli.games import SOURCES
from mccfr.cli.sources import STRATEGY_SUFFIX, UNIFORM, is_run

SHELLS = ("bash", "zsh", "fish")
SCHEMES = ("dealt:", "openspiel:")
_WORD_FILES = ("full_width_words.py", "words.py", "public_words.py", "training_words.py")
_GAME_METHODS = {"root", "player", "step", "payoff"}
_MOST = 200  # files of a folder that are looked at

Items = list[CompletionItem[str]]


class GameText(click.ParamType):
    """A game string."""

    name = "game"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
        """Built-in names, classes in the user's file, else files."""
        found = _matching(_games(incomplete), incomplete)
        found = _games("dealt:") if found == ["dealt:"] else found  # bash would put a space after a single one
        return _items(found) or [CompletionItem(incomplete, type="file")]


class MethodText(click.ParamType):
    """A method string; with `several`, a list of them with commas."""

    name = "method"

    def __init__(self, several: bool = False) -> None:
        self.several = several

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The method in the words we write."""
        on_tab = ctx is not None and ctx.resilient_parsing  # then nothing may take time
        return value if on_tab or self.several else mccfr.Method.spelled(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
        """Recipes, and after a + parts."""
        before, current = _split(incomplete, ",") if self.several else ("", incomplete)
        recipes, parts = method_words(ctx.find_root().params.get("files") or ())
        head, last = _split(current, "+")
        known = parts if head else {"auto": "Choose a method that suits the game.", **recipes}
        return [
            CompletionItem(f"{before}{head}{word}", help=help_text)
            for word, help_text in known.items()
            if word.startswith(last)
        ]


class WordText(click.ParamType):
    """A single word of method strings."""

    name = "word"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
        """All of them."""
        recipes, parts = method_words(ctx.find_root().params.get("files") or ())
        return [CompletionItem(w, help=h) for w, h in {**recipes, **parts}.items() if w.startswith(incomplete)]


class StrategyText(click.ParamType):
    """A strategy file, a run folder, or uniform:GAME."""

    name = "strategy"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
        """Strategies here; else any file, which may be in a folder that leads to one."""
        if incomplete.startswith(UNIFORM):
            game = incomplete.removeprefix(UNIFORM)
            return _items(f"{UNIFORM}{name}" for name in _matching(_games(game), game))
        found = [*_strategies(incomplete), *_runs(incomplete), *_matching([UNIFORM], incomplete)]
        found = [f"{UNIFORM}{name}" for name in SOURCES] if found == [UNIFORM] else found
        return _items(found) if found else [CompletionItem(incomplete, type="file")]


class RunText(click.ParamType):
    """A run folder."""

    name = "folder"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
        """Run folders here and in runs/; else any folder."""
        return _items(_runs(incomplete)) or [CompletionItem(incomplete, type="dir")]


class Bash(BashComplete):
    """Bash takes a colon for the end of a word: words are put together again, and only what follows is offered."""

    _before = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before, and the one that is being typed."""
        words = split_arg_string(os.environ["COMP_WORDS"])
        current = int(os.environ["COMP_CWORD"])
        given = [*words[: current + 1], *[""] * (current + 1 - len(words))]
        joined: list[str] = []
        for word in given[1:]:
            if joined and (word == ":" or joined[-1].endswith(":")):
                joined[-1] += word
            else:
                joined.append(word)
        *args, incomplete = joined or [""]
        self._before = incomplete[: incomplete.rfind(":") + 1] if ":" in given else ""
        return args, incomplete

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """Type and value."""
        return f"{item.type},{str(item.value).removeprefix(self._before)}"


add_completion_class(Bash)


def method_words(files: Iterable[str] = ()) -> tuple[dict[str, str], dict[str, str]]:
    """Recipes and parts with the first line of their docstrings, ours and those of users' files."""
    recipes: dict[str, str] = {}
    parts: dict[str, str] = {}
    ours = [Path(mccfr.__file__).parent / "solvers" / name for name in _WORD_FILES]
    for function in _functions([*ours, *map(Path, files)]):
        help_text = (ast.get_docstring(function) or "").partition("\n")[0]
        for decorator in function.decorator_list:
            made = decorator.func if isinstance(decorator, ast.Call) else decorator
            kind = made.attr if isinstance(made, ast.Attribute) else getattr(made, "id", "")
            if kind in ("recipe", "part"):
                (recipes if kind == "recipe" else parts)[function.name] = help_text
    return recipes, parts


def _functions(files: Iterable[Path]) -> Iterator[ast.FunctionDef]:
    for file in files:
        yield from (node for node in _body(file) if isinstance(node, ast.FunctionDef))


def _body(file: Path) -> list[ast.stmt]:
    """What a Python file says, if it can be read."""
    with contextlib.suppress(OSError, SyntaxError, ValueError):
        return ast.parse(file.read_text(encoding="utf-8")).body
    return []


def _games(incomplete: str) -> list[str]:
    scheme, colon, _ = incomplete.rpartition(":")
    if colon and scheme.endswith(".py"):
        classes = [node for node in _body(Path(scheme)) if isinstance(node, ast.ClassDef)]
        return [f"{scheme}:{node.name}" for node in classes if _GAME_METHODS & _methods(node)]
    if incomplete.startswith("dealt:"):
        return [f"dealt:{name}" for name in SOURCES]
    return [*SOURCES, *SCHEMES]


def _methods(node: ast.ClassDef) -> set[str]:
    return {inner.name for inner in node.body if isinstance(inner, ast.FunctionDef)}


def _split(text: str, mark: str) -> tuple[str, str]:
    """A text before and after its last mark outside of parentheses; the mark is part of what is before."""
    depth, last = 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if letter == mark and depth == 0:
            last = at + 1
    return text[:last], text[last:]


def _here(incomplete: str) -> Iterator[Path]:
    """Files and folders beside what is being typed."""
    folder = Path(os.path.dirname(incomplete) or ".")  # noqa: PTH120  "runs/" is a folder with nothing typed in it
    with contextlib.suppress(OSError):
        found = sorted(folder.iterdir())[:_MOST]
        yield from (path for path in found if shlex.quote(path.name) == path.name)  # the shell quotes better than we do


def _strategies(incomplete: str) -> list[str]:
    return _matching((str(path) for path in _here(incomplete) if path.suffix == STRATEGY_SUFFIX), incomplete)


def _runs(incomplete: str) -> list[str]:
    places = [*_here(incomplete), *([] if incomplete else _here("runs/"))]
    return _matching((str(path) for path in places if path.is_dir() and is_run(path)), incomplete)


def _matching(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _items(values: Iterable[str]) -> Items:
    return [CompletionItem(value) for value in values]
