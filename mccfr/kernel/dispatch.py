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
from numba.extending import overload

LEAN: dict[str, Any] = {"error_model": "numpy", "nogil": True, "_nrt": False}  # nothing is allocated inside
VERB: dict[str, Any] = {**LEAN, "forceinline": True}  # inlining is worth 1.4 to 1.7 times in speed

_SOURCES: set[str] = {__file__}


class Verb:
    """A function whose body depends on the class of its first argument."""

    def __init__(self, stub: Callable[..., Any]) -> None:
        functools.update_wrapper(self, stub)
        self.bodies: dict[type, Callable[..., Any]] = {}

    def __call__(self, *args: Any) -> Any:
        return self.bodies[type(args[0])](*args)

    def register(self, *policies: type) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Give these policy classes the decorated body."""

        def take(body: Callable[..., Any]) -> Callable[..., Any]:
            self.bodies.update((policy, body) for policy in policies)
            watch(body)
            return body

        return take


def verb(stub: Callable[..., Any]) -> Any:
    """Declare a verb; the stub's docstring says what it answers, its bodies come from `register`."""
    made = Verb(stub)

    @functools.wraps(stub)
    def call(*args: Any) -> Any:
        return made(*args)

    def choose(*args: Any) -> Callable[..., Any] | None:  # Numba hands over types; a NamedTuple's knows its class
        return made.bodies.get(getattr(args[0], "instance_class", None))  # type: ignore[arg-type]

    call.register = made.register  # type: ignore[attr-defined]
    overload(call, strict=False, jit_options=VERB)(choose)  # type: ignore[arg-type]
    return call


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a helper so that it vanishes into its caller."""
    watch(function)
    return njit(**VERB)(function)


def watch(function: Callable[..., Any]) -> None:
    """Let machine code depend on the file of this function: Numba's disk cache alone watches one file only."""
    _SOURCES.add(function.__code__.co_filename)


def entry(make: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate `make(digest) -> function`: the function is compiled, kept on disk, and found again by the next process.

    The function must mention `digest`: closure cells are part of Numba's cache key, so an edited policy recompiles.
    """
    watch(make)

    @functools.cache
    def compiled(digest: str) -> Callable[..., Any]:
        return njit(cache=True, **LEAN)(make(digest))

    @functools.wraps(make)
    def call(*args: Any) -> Any:
        return compiled(_digest(len(_SOURCES)))(*args)

    return call


@functools.cache
def _digest(count: int) -> str:  # the set of files only grows, so its size says whether it is still the same
    content = b"".join(Path(f).read_bytes() for f in sorted(_SOURCES) if Path(f).exists())
    return hashlib.sha256(content).hexdigest()[:16]
