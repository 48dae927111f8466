"""The one string form of games and methods: `name`, `name(1, 2, key=value)`, and sums of those.

Values are Python literals; a bare word stands for itself, so `bluff(1, 1, rounds=one)` needs no quotes in a shell.
A value may be a call itself: `vector(own=robust, other=counts(was(both)))`.
"""

import ast
import inspect
import keyword
from collections.abc import Callable
from typing import Any, NamedTuple

from mccfr.errors import MccfrError

_WORDS = {"true": True, "false": False, "inf": float("inf"), "-inf": float("-inf")}


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


def parse_sum(text: str) -> list[Call]:
    """`a(1)+b+c(k=2)` as a list of calls, in order."""
    expression = _parse(text)
    terms: list[ast.expr] = []
    while isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.Add):
        terms.append(expression.right)
        expression = expression.left
    return [_call(term, text) for term in [expression, *reversed(terms)]]


def parse_call(text: str) -> Call:
    """`name(1, key=2)` as a call."""
    return _call(_parse(text), text)


def misfit(call: Call, make: Callable[..., Any], *before: Any) -> str:
    """Why `make` cannot be given the values of a call (after those before), and what it takes; nothing if it can."""
    signature = inspect.signature(make)
    try:
        signature.bind(*before, *call.args, **call.keys)
    except TypeError as error:
        takes = ", ".join(map(_parameter_text, [*signature.parameters.values()][len(before) :]))
        return f"{call}: {error}; {call.name} takes ({takes})"
    return ""


def _parse(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        place = f" at character {error.offset}" if isinstance(error, SyntaxError) and error.offset else ""
        raise GrammarError(f"cannot read {text!r}{place}: expected name or name(value, key=value)") from None


def _call(node: ast.expr, text: str) -> Call:
    if isinstance(node, ast.Name):
        return Call(node.id)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and all(k.arg for k in node.keywords):
        keys = {k.arg: _value(k.value, text) for k in node.keywords if k.arg}
        if len(keys) < len(node.keywords):
            raise GrammarError(f"cannot read {text!r}: a parameter is given twice")
        return Call(node.func.id, tuple(_value(a, text) for a in node.args), keys)
    raise GrammarError(f"cannot read {ast.unparse(node)!r} in {text!r}: expected name or name(value, key=value)")


def _value(node: ast.expr, text: str) -> Any:
    if isinstance(node, ast.Call):
        return _call(node, text)
    word = ast.unparse(node)
    if word in _WORDS:
        return _WORDS[word]
    if isinstance(node, ast.Name):
        return node.id
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise GrammarError(
            f"cannot read the value {ast.unparse(node)!r} in {text!r}: use a number, a word, a list or a call"
        ) from None


def _value_text(value: Any) -> str:
    if isinstance(value, Call):
        return str(value) if value.args or value.keys else f"{value.name}()"  # without () it would be a word
    if isinstance(value, str) and value.isascii() and value.isidentifier():
        return repr(value) if value in _WORDS or keyword.iskeyword(value) else value
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value)


def _parameter_text(parameter: inspect.Parameter) -> str:
    return parameter.name if parameter.default is parameter.empty else f"{parameter.name}={parameter.default}"
