"""The one string form of games and methods: `name`, `name(1, 2, key=value)`, and sums of those.

Values are Python literals; a bare word stands for itself, so `bluff(1, 1, rounds=one)` needs no quotes in a shell.
A value may be a call itself: `vector(own=robust, other=counts(was(both)))`.
"""

import ast
import dataclasses
import inspect
import keyword
import re
import warnings
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

from mccfr.errors import QUOTED, MccfrError, quoted, shortened

_WORDS = {"true": True, "false": False, "inf": float("inf"), "-inf": float("-inf")}
_LONGEST = 1_000_000  # characters
_BEYOND_PYTHON = (SyntaxError, ValueError, TypeError, OverflowError, MemoryError, RecursionError)


class GrammarError(MccfrError, ValueError):
    """A string that is not of the form `name(value, key=value)`."""


class Call(NamedTuple):
    """One `name(args, keys)`."""

    name: str
    args: tuple[Any, ...] = ()
    keys: dict[str, Any] = {}  # noqa: RUF012  a NamedTuple default; never mutated

    def __repr__(self) -> str:
        return str(self)

    def __hash__(self) -> int:  # games are hashed by their parameters; equal calls may give keys in another order
        return hash((self.name, len(self.args), frozenset(self.keys)))

    def __str__(self) -> str:
        inside = [_value_text(a) for a in self.args] + [f"{k}={_value_text(v)}" for k, v in self.keys.items()]
        return f"{self.name}({', '.join(inside)})" if inside else self.name


@dataclasses.dataclass(frozen=True)
class Named:
    """Base of what game strings name: parameters are dataclass fields; `str` gives the string that rebuilds it."""

    name: ClassVar[str]

    def __str__(self) -> str:
        return str(self.as_call())

    def as_call(self) -> Call:
        """The call that rebuilds it, without the parameters that are as usual."""
        given = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.init and f.repr}
        plain = {f.name: f.default for f in dataclasses.fields(self)}
        told = {k: v.as_call() if isinstance(v, Named) else v for k, v in given.items() if v != plain[k]}
        return Call(self.name, (), told)


def parse_sum(text: str) -> list[Call]:
    """`a(1)+b+c(k=2)` as a list of calls, in order."""
    return _read(text, _terms)


def parse_call(text: str) -> Call:
    """`name(1, key=2)` as a call."""
    return _read(text, _call)


def plain_word(name: str) -> str:
    """A name as it would be written here: in small letters, `_` for spaces, commas and hyphens, no apostrophes."""
    return re.sub(r"[\s,_-]+", "_", re.sub("['\u2019]", "", name.strip())).lower()


def misfit(call: Call, make: Callable[..., Any], *before: Any) -> str:
    """Why `make` cannot be given the values of a call (after those before), and what it takes; nothing if it can."""
    signature = inspect.signature(make)
    try:
        signature.bind(*before, *call.args, **call.keys)
    except TypeError as error:
        takes = ", ".join(map(_parameter_text, [*signature.parameters.values()][len(before) :]))
        return f"{shortened(str(call), 2 * QUOTED)}: {error}; {call.name} takes ({takes})"
    return ""


def _read(text: str, understand: Callable[[ast.expr, str], Any]) -> Any:
    """What a string means, or why Python's own parser cannot tell: it is no expression, too deep, too long."""
    if len(text) > _LONGEST:
        raise GrammarError(
            f"cannot read {quoted(text)}: it has {len(text):,} characters, at most {_LONGEST:,} are read"
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of backslashes in texts, and of numbers that run into words
            expression = ast.parse(text.strip(), mode="eval").body
        return understand(expression, text)
    except GrammarError:
        raise
    except _BEYOND_PYTHON as error:
        place = f" at character {error.offset}" if isinstance(error, SyntaxError) and error.offset else ""
        raise GrammarError(f"cannot read {quoted(text)}{place}: expected name or name(value, key=value)") from None


def _terms(expression: ast.expr, text: str) -> list[Call]:
    terms: list[ast.expr] = []
    while isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.Add):
        terms.append(expression.right)
        expression = expression.left
    return [_call(term, text) for term in [expression, *reversed(terms)]]


def _call(node: ast.expr, text: str) -> Call:
    if isinstance(node, ast.Name):
        return Call(node.id)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and all(k.arg for k in node.keywords):
        keys = {k.arg: _value(k.value, text) for k in node.keywords if k.arg}
        if len(keys) < len(node.keywords):
            raise GrammarError(f"cannot read {quoted(text)}: a parameter is given twice")
        return Call(node.func.id, tuple(_value(a, text) for a in node.args), keys)
    here = quoted(ast.unparse(node))
    raise GrammarError(f"cannot read {here} in {quoted(text)}: expected name or name(value, key=value)")


def _value(node: ast.expr, text: str) -> Any:
    if isinstance(node, ast.Call):
        return _call(node, text)
    if isinstance(node, ast.Name):
        return _WORDS.get(node.id, node.id)
    if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Name) and ast.unparse(node) in _WORDS:
        return _WORDS[ast.unparse(node)]
    try:
        value = ast.literal_eval(node)
        str(value)  # a whole number with too many digits cannot be written again
        return value
    except _BEYOND_PYTHON:
        here = quoted(ast.unparse(node))
        raise GrammarError(
            f"cannot read the value {here} in {quoted(text)}: use a number, a word, a list or a call"
        ) from None


def _value_text(value: Any) -> str:
    if isinstance(value, Call):
        if not value.name.isidentifier():  # a class of the user's own file, `PATH.py:Class`
            return repr(str(value))
        return str(value) if value.args or value.keys else f"{value.name}()"  # without () it would be a word
    if isinstance(value, str) and value.isascii() and value.isidentifier():
        return repr(value) if value in _WORDS or keyword.iskeyword(value) else value
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value)


def _parameter_text(parameter: inspect.Parameter) -> str:
    return parameter.name if parameter.default is parameter.empty else f"{parameter.name}={parameter.default}"
