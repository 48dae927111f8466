"""Verbs whose body is chosen by the type of a policy, in plain Python and under Numba alike.

A *policy* is a NamedTuple; a *verb* is a function with one body per policy class. Compiled, the choice is made by the
type checker, so a method pays only for the bodies it uses; interpreted (NUMBA_DISABLE_JIT=1) it is a dictionary look-up
and the very same text runs.

Machine code is kept on disk (`mccfr/kernel/compile_once.py`), so every process finds what another has compiled.
"""

import contextlib
import dis
import functools
import threading
import types
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numba import njit, typeof, types as nb_types
from numba.core.dispatcher import Dispatcher
from numba.core.types import unliteral
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin

from mccfr.kernel.compile_once import KeptCode
from mccfr.kernel.inner_functions import compile_inside, forget_choices
from mccfr.kernel.quick_start import import_blas

import_blas()
LEAN: dict[str, Any] = {"error_model": "numpy", "nogil": True, "_nrt": False}  # nothing is allocated inside
VERB: dict[str, Any] = {**LEAN, "forceinline": True}  # inlining: 1.4 to 1.7 times the speed

_era = [0]  # counts how often a body was exchanged after compiled code had taken it
_here = threading.local()  # .uncompiled: how many blocks of `uncompiled` this thread is in


class Verb:
    """A function whose body depends on the class of its first argument."""

    def __init__(self, stub: Callable[..., Any]) -> None:
        functools.update_wrapper(self, stub)
        self.bodies: dict[type, Callable[..., Any]] = {}
        self.usual: Callable[..., Any] | None = None
        self.compiled_for: set[type] = set()

    def __call__(self, *args: Any) -> Any:
        body = self.body(type(args[0]))
        if body is None:
            raise TypeError(f"{self.__name__} has no body for {type(args[0]).__name__}")  # type: ignore[attr-defined]
        return body(*args)

    def body(self, policy: type | None) -> Callable[..., Any] | None:
        """What this policy class answers, if anything."""
        return self.bodies.get(policy, self.usual) if policy is not None else None

    def compiled_body(self, policy: type | None) -> Callable[..., Any] | None:
        """What this policy class answers, for the compiler or for code that is found on disk."""
        if policy is not None:
            self.compiled_for.add(policy)
        return self.body(policy)

    def register(self, *policies: type) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Give these policy classes the decorated body."""

        def take(body: Callable[..., Any]) -> Callable[..., Any]:
            self._exchange(self.compiled_for.intersection(policies))
            self.bodies.update((policy, body) for policy in policies)
            return body

        return take

    def otherwise(self, body: Callable[..., Any]) -> Callable[..., Any]:
        """What every other policy class answers."""
        self._exchange(self.compiled_for.difference(self.bodies))
        self.usual = body
        return body

    def _exchange(self, taken: set[type]) -> None:
        """Compile anew from now on if compiled code has taken what these classes answered so far."""
        if taken:
            self.compiled_for.clear()
            _era[0] += 1
            forget_choices()


def verb(stub: Callable[..., Any]) -> Any:
    """Declare a verb; the stub's docstring says what it answers, its bodies come from `register` and `otherwise`."""
    made = Verb(stub)

    @functools.wraps(stub)
    def call(*args: Any) -> Any:
        return made(*args)

    def choose(*args: Any) -> Callable[..., Any] | None:  # Numba hands over types; a NamedTuple's knows its class
        return made.compiled_body(getattr(args[0], "instance_class", None))

    call.register, call.otherwise, call.body = made.register, made.otherwise, made.body  # type: ignore[attr-defined]
    call.compiled_body = made.compiled_body  # type: ignore[attr-defined]
    _answer_constants(call, made)
    compile_inside(call, choose, VERB)
    return call


NOT_CONSTANT = object()


def _constant(body: Callable[..., Any] | None) -> Any:
    """What a body answers whatever it is asked, if that is a plain constant: `lambda sampler: True`."""
    if body is None:
        return NOT_CONSTANT
    steps = [step for step in dis.get_instructions(body) if step.opname not in ("RESUME", "NOP")]
    match [step.opname for step in steps]:
        case ["RETURN_CONST"] | ["LOAD_CONST", "RETURN_VALUE"]:
            value = steps[0].argval
        case ["LOAD_GLOBAL", "RETURN_VALUE"]:
            value = body.__globals__.get(steps[0].argval, NOT_CONSTANT)
        case _:
            return NOT_CONSTANT
    return value if value is None or isinstance(value, bool | int | float | np.uint64) else NOT_CONSTANT


def _answer_constants(call: Callable[..., Any], made: Verb) -> None:
    """Let the compiler put in constant answers itself: compiling a function for each took a third of all its time."""

    def answer_to(policy: Any) -> Any:
        return _constant(made.compiled_body(getattr(policy, "instance_class", None)))

    class Constant(AbstractTemplate):
        key = call

        def generic(self, args: Any, kws: Any) -> Any:
            value = answer_to(args[0])
            return None if value is NOT_CONSTANT else signature(unliteral(typeof(value)), *args)

    infer_global(call, nb_types.Function(Constant))

    @lower_builtin(call, nb_types.VarArg(nb_types.Any))
    def _(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        value = answer_to(sig.args[0])
        return context.get_dummy_value() if value is None else context.get_constant(sig.return_type, value)


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """A helper that vanishes into compiled callers, and stays plain Python when called from Python."""
    compile_inside(function, None, VERB)
    return function


def outlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """A helper that compiled callers share: for long ones that do much each time, so that they are compiled once."""
    compile_inside(function, None, LEAN)
    return function


def entry(function: Callable[..., Any]) -> Any:
    """Compile a function with all that it calls. `.interpreted` is the function uncompiled."""

    @functools.cache
    def compiled(era: int) -> Any:
        if not era:
            return kept_on_disk(function)
        name = f"{function.__name__}_{uuid.uuid4().hex}"  # the linker would take code of the same name for the same
        copy = types.FunctionType(function.__code__, function.__globals__, name)
        copy.__module__, copy.__qualname__ = function.__module__, name
        return kept_on_disk(function, copy)

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        if getattr(_here, "uncompiled", 0):
            return function(*args)
        return compiled(_era[0])(*args)

    call.interpreted = function  # type: ignore[attr-defined]
    return call


@contextlib.contextmanager
def uncompiled() -> Iterator[None]:
    """Inside the block this thread runs entries as plain Python: slow, but at once, and with the same results.

    For a game of some thousand nodes that takes milliseconds, where compiling takes seconds.
    """
    _here.uncompiled = getattr(_here, "uncompiled", 0) + 1
    try:
        with np.errstate(over="ignore"):  # dice multiply modulo 2^64
            yield
    finally:
        _here.uncompiled -= 1


def standalone(function: Callable[..., Any]) -> Any:
    """Compile a function that takes no policies and can be called by compiled code too."""
    return kept_on_disk(function)


def kept_on_disk(function: Callable[..., Any], copy: Callable[..., Any] | None = None) -> Any:
    """Compile a function, or a copy of it; its machine code is found again by other processes."""
    made = njit(**LEAN)(copy or function)
    if isinstance(made, Dispatcher):  # and not the function itself, as when nothing is compiled
        cache = made._cache = KeptCode(function, LEAN)  # type: ignore[attr-defined]
        made.compile = functools.partial(cache.compile_with, made.compile)  # type: ignore[method-assign]
    return made
