"""Verbs whose body is chosen by the type of a policy, in plain Python and under Numba alike.

A *policy* is a NamedTuple; a *verb* is a function with one body per policy class. Compiled, the choice is made by the
type checker, so a method pays only for the bodies it uses; interpreted (NUMBA_DISABLE_JIT=1) it is a dictionary look-up
and the very same text runs.

Machine code is kept on disk under one key: a hash of all files of this folder, whichever of them are loaded, and of the
files of other people's policies where a call is given such policies. So every command finds what another has compiled.
"""

import contextlib
import dis
import functools
import hashlib
import sys
import threading
import types
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit, typeof, types as nb_types
from numba.core.dispatcher import Dispatcher
from numba.core.types import unliteral
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin

from mccfr.kernel.compile_once import SharedCache
from mccfr.kernel.inner_functions import compile_inside
from mccfr.kernel.quick_start import import_blas

import_blas()
LEAN: dict[str, Any] = {"error_model": "numpy", "nogil": True, "_nrt": False}  # nothing is allocated inside
VERB: dict[str, Any] = {**LEAN, "forceinline": True}  # inlining: 1.4 to 1.7 times the speed

HOME = Path(__file__).parent
Source = tuple[str, str]  # the name of a module, by which its classes are known on disk, and its file
_BODIES: dict[type, set[Source]] = {}  # other people's modules, by the policy class they have bodies for
_FOR_ALL: set[Source] = set()  # those that change what our own classes do
_HELPERS: set[Source] = set()  # those with inlined functions
_here = threading.local()  # .uncompiled: how many blocks of `uncompiled` this thread is in


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
            _depend(body, policies)
            return body

        return take

    def otherwise(self, body: Callable[..., Any]) -> Callable[..., Any]:
        """What every other policy class answers."""
        self.usual = body
        _depend(body, ())
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
        return _constant(made.body(getattr(policy, "instance_class", None)))

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
    return _helper(function, VERB)


def outlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """A helper that compiled callers share: for long ones that do much each time, so that they are compiled once."""
    return _helper(function, LEAN)


def _helper(function: Callable[..., Any], options: dict[str, Any]) -> Callable[..., Any]:
    if not _ours(source := _source(function)):
        _HELPERS.add(source)
    compile_inside(function, lambda *args: function, options)
    return function


def entry(function: Callable[..., Any]) -> Any:
    """Compile a function, keep it on disk, and find it again in the next process, for as long as its key is the same.

    The key is part of the name under which Numba keeps it: an index that mentions a user's class can be read only where
    that class is known, so the files of other keys are never even opened. `.interpreted` is the function uncompiled.
    """

    @functools.cache
    def compiled(key: str) -> Any:
        copy = types.FunctionType(function.__code__, function.__globals__, function.__name__)
        copy.__module__, copy.__qualname__ = function.__module__, f"{function.__name__}_{key}"
        return kept_on_disk(copy)

    home = _source(function)

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        if getattr(_here, "uncompiled", 0):
            return function(*args)
        kernel = compiled(key_for(args, home))
        try:
            return kernel(*args)
        except BaseException:
            if isinstance(kernel, Dispatcher):
                kernel._cache.give_up()  # type: ignore[attr-defined]
            raise

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
    """Compile a function that takes no policies and calls nothing outside its file, by which Numba finds it again."""
    return kept_on_disk(function)


def kept_on_disk(function: Callable[..., Any]) -> Any:
    """Compile a function; its machine code is found again by other processes, and waited for while one compiles it."""
    made = njit(cache=True, **LEAN)(function)
    if isinstance(made, Dispatcher):  # and not the function itself, as when nothing is compiled
        made._cache = SharedCache(function)  # type: ignore[attr-defined]
    return made


def key_for(args: Iterable[Any], *homes: Source) -> str:
    """The key of machine code for these arguments, of functions from these modules."""
    if not _BODIES and not _FOR_ALL and all(map(_ours, homes)):  # nobody has added anything: 10 us a call saved
        return _hash(())
    policies = {policy for policy in _classes(args) if not _is_ours(policy)}
    foreign = _FOR_ALL.union({home for home in homes if not _ours(home)}, *map(_sources_of, policies))
    return _hash(tuple(sorted(foreign)))


def _classes(values: Iterable[Any]) -> Iterator[type]:
    """The classes of all NamedTuples among these values and inside them."""
    for value in values:
        if isinstance(value, tuple):
            if type(value) is not tuple:
                yield type(value)
            yield from _classes(value)


@functools.cache
def _hash(foreign: tuple[Source, ...]) -> str:
    content = hashlib.sha256()
    ours = [(file.name, str(file)) for file in sorted(HOME.glob("*.py"))]
    for module, file in (*ours, *foreign):
        content.update(module.encode())
        content.update(Path(file).read_bytes() if Path(file).is_file() else file.encode())
    return content.hexdigest()[:16]


def _source(function: Callable[..., Any]) -> Source:
    """Module and file of a function; of one that was typed into a notebook or at a prompt, a hash of its code."""
    file = f"typed {_typed(function, set())}" if _is_typed(function) else function.__code__.co_filename
    return function.__module__, file


def _is_typed(function: Callable[..., Any]) -> bool:
    return not Path(function.__code__.co_filename).is_file()


def _typed(function: Callable[..., Any], seen: set[int]) -> str:
    """A hash of code without a file, and of the numbers and functions without a file that it names.

    Numba freezes global numbers into machine code, so code that names another number must not be found again.
    """
    seen.add(id(function))
    content = hashlib.sha256(repr(_listing(function.__code__)).encode())
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, bool | int | float | np.number):
            content.update(f"{name}={value!r}".encode())
        elif isinstance(value, types.FunctionType) and id(value) not in seen and _is_typed(value):
            content.update(_typed(value, seen).encode())
    return content.hexdigest()[:16]


def _listing(code: types.CodeType) -> tuple[Any, ...]:
    """What code does, the same in every process."""
    constants = [_listing(x) if isinstance(x, types.CodeType) else x for x in code.co_consts]
    return code.co_code, constants, code.co_names, code.co_varnames


@functools.cache
def _ours(source: Source) -> bool:
    return Path(source[1]).parent == HOME


def _is_ours(policy: type) -> bool:
    return policy.__module__.startswith(f"{__package__}.")


def _depend(body: Callable[..., Any], policies: tuple[type, ...]) -> None:
    """Somebody registers a body: if it is not ours, machine code for these classes (none: for all) depends on it."""
    if _ours(source := _source(body)):
        return
    for policy in policies:
        _BODIES.setdefault(policy, set()).add(source)
    if not policies or any(map(_is_ours, policies)):
        _FOR_ALL.add(source)


def _sources_of(policy: type) -> set[Source]:
    """Other people's modules that a policy class depends on: its own, those of its bodies, of helpers they import."""
    own = policy.__module__, str(getattr(sys.modules.get(policy.__module__), "__file__", "") or "typed")
    known = _HELPERS.union(*_BODIES.values())
    found, waiting = set[Source](), {own, *_BODIES.get(policy, ())}
    while waiting:
        found |= waiting
        waiting = {source for source in _imports(waiting) if source in known and source not in found}
    return found


def _imports(sources: set[Source]) -> Iterator[Source]:
    """The modules of everything that is named in these modules."""
    for module in [sys.modules[name] for name, _ in sources if name in sys.modules]:
        for value in vars(module).values():
            home = value if isinstance(value, types.ModuleType) else sys.modules.get(getattr(value, "__module__", ""))
            yield str(getattr(home, "__name__", "")), str(getattr(home, "__file__", ""))
