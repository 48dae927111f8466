"""Verbs whose body is chosen by the type of a policy, in plain Python and under Numba alike.

A *policy* is a NamedTuple; a *verb* is a function with one body per policy class. Compiled, the choice is made by the
type checker, so a method pays only for the bodies it uses; interpreted (NUMBA_DISABLE_JIT=1) it is a dictionary look-up
and the very same text runs.
"""

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import njit
from numba.extending import overload, register_jitable

LEAN: dict[str, Any] = {"error_model": "numpy", "nogil": True, "_nrt": False}  # nothing is allocated inside
VERB: dict[str, Any] = {**LEAN, "forceinline": True}  # inlining is worth 1.4 to 1.7 times in speed

_SOURCES: set[tuple[str, str]] = {(__name__, __file__)}  # modules and files whose text machine code depends on


class Verb:
    """A function whose body depends on the class of its first argument."""

    def __init__(self, stub: Callable[..., Any]) -> None:
        functools.update_wrapper(self, stub)
        self.bodies: dict[type, Callable[..., Any]] = {}
        self.usual: Callable[..., Any] | None = None

    def __call__(self, *args: Any) -> Any:
        body = self.body(type(args[0]))
        if body is None:
            raise TypeError(f"{self.__name__} has no body for {type(args[0]).__name__}")  # type: ignore[attr-defined]
        return body(*args)

    def body(self, policy: type | None) -> Callable[..., Any] | None:
        """What this policy class answers, if anything."""
        return self.bodies.get(policy, self.usual) if policy is not None else None

    def register(self, *policies: type) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Give these policy classes the decorated body."""

        def take(body: Callable[..., Any]) -> Callable[..., Any]:
            self.bodies.update((policy, body) for policy in policies)
            watch(body)
            return body

        return take

    def otherwise(self, body: Callable[..., Any]) -> Callable[..., Any]:
        """What every other policy class answers."""
        self.usual = body
        watch(body)
        return body


def verb(stub: Callable[..., Any]) -> Any:
    """Declare a verb; the stub's docstring says what it answers, its bodies come from `register` and `otherwise`."""
    made = Verb(stub)

    @functools.wraps(stub)
    def call(*args: Any) -> Any:
        return made(*args)

    def choose(*args: Any) -> Callable[..., Any] | None:  # Numba hands over types; a NamedTuple's knows its class
        return made.body(getattr(args[0], "instance_class", None))

    call.register, call.otherwise, call.body = made.register, made.otherwise, made.body  # type: ignore[attr-defined]
    overload(call, strict=False, jit_options=VERB)(choose)  # type: ignore[arg-type]
    return call


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """A helper that vanishes into compiled callers, and stays plain Python when called from Python."""
    watch(function)
    return register_jitable(**VERB)(function)


def watch(function: Callable[..., Any]) -> None:
    """Let machine code depend on the file of this function: Numba's disk cache alone watches one file only."""
    _SOURCES.add((function.__module__, function.__code__.co_filename))


def entry(make: Callable[..., Any]) -> Any:
    """Decorate `make(digest) -> function`: the function is compiled, kept on disk, and found again by the next process.

    The function must mention `digest`: closure cells are part of Numba's cache key, so an edited policy recompiles.
    Its name has the digest too: an index that mentions a user's class can be read only where that class is known.
    `.interpreted` is the very same function uncompiled.
    """
    watch(make)

    @functools.cache
    def compiled(digest: str) -> Callable[..., Any]:
        function = make(digest)
        function.__qualname__ = f"{make.__name__}_{digest}"  # so that the files of other sources are never even opened
        return njit(cache=True, **LEAN)(function)

    @functools.wraps(make)
    def call(*args: Any) -> Any:
        return compiled(_digest(len(_SOURCES)))(*args)

    call.interpreted = make("interpreted")  # type: ignore[attr-defined]
    return call


@functools.cache
def _digest(count: int) -> str:  # the set of files only grows, so its size says whether it is still the same
    content = hashlib.sha256()
    for module, file in sorted(_SOURCES):
        content.update(module.encode())
        content.update(Path(file).read_bytes() if Path(file).exists() else b"")
    return content.hexdigest()[:16]
