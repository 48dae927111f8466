"""What machine code depends on, as a key: wherever keys are equal, compiling would make the same code.

All that a compiled function can read is found without compiling it. From the function one comes to whatever it names:
other functions, numbers, classes. Verbs (`mccfr/kernel/dispatch.py`) choose bodies by the class of a policy, so the
bodies of every reachable verb for every reachable class are followed too, wherever they were registered. Classes are
reachable through the types of arguments and because some reachable function names them. That is a little more than the
compiler uses, never less: a test compares the two.

Functions are known by their byte code, constants and defaults, so neither comments nor docstrings nor line numbers
count, and numbers by their value, whatever module computes them. Of Python's own modules and those of Numba, llvmlite
and NumPy, versions are enough. Where anything else is met there is no key, and the code is not kept.
"""

import enum
import functools
import hashlib
import importlib.machinery
import inspect
import platform
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import types as nb_types
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

from mccfr.kernel.inner_functions import INSIDE

BY_VERSION = {*sys.stdlib_module_names, "numba", "llvmlite", "numpy", "numba_cuda"}
MACHINERY = ("mccfr.kernel.dispatch", "mccfr.kernel.inner_functions")  # how everything is compiled
OPTIONS = (  # of Numba, set by whoever runs it, that change what is compiled
    *("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE", "ENABLE_AVX", "DISABLE_INTEL_SVML", "DEBUG"),
    *("DEBUG_NRT", "DEBUGINFO_DEFAULT", "EXTEND_VARIABLE_LIFETIMES", "ENABLE_PROFILING", "NRT_STATS"),
    *("LLVM_REFPRUNE_PASS", "LLVM_REFPRUNE_FLAGS", "PARFOR_MAX_TUPLE_SIZE", "JIT_COVERAGE"),
)


class Untraceable(Exception):
    """Something whose meaning may change without our noticing."""


def code_key(function: Callable[..., Any], arguments: Iterable[Any], options: Any, target: Any) -> str | None:
    """The key of a function compiled for arguments of these Numba types; None if it must not be kept.

    options: of `numba.njit`; target: what the machine's code generator says of itself.
    """
    try:
        trace = Trace()
        asked = [trace.describe_type(each) for each in arguments]
        lines = trace.everything_from(function)
    except Untraceable:
        return None
    head = [*_compilers(), repr(target), repr(sorted(options.items())), f"{_name(function)}({', '.join(asked)})"]
    return hashlib.sha256("\n".join([*head, *lines]).encode()).hexdigest()[:32]


class Trace:
    """What can be reached from a function and the types of its arguments."""

    def __init__(self) -> None:
        self.classes: dict[type, str] = {}
        self.functions: dict[Any, str] = {}
        self.verbs: dict[Any, str] = {}
        self._waiting: list[Any] = []

    def everything_from(self, function: Callable[..., Any]) -> list[str]:
        """A line for each function, class and chosen body, in an order of their own."""
        self._follow(function)
        chosen: dict[tuple[Any, type], str] = {}
        while self._waiting:
            while self._waiting:
                self._look_into(self._waiting.pop())
            for call in list(self.verbs):
                for kind in list(self.classes):
                    if (call, kind) not in chosen and (body := call.compiled_body(kind)) is not None:
                        chosen[call, kind] = f"{self.verbs[call]} of {_name(kind)}: {self._follow(body)}"
        return sorted({*self.classes.values(), *self.functions.values(), *chosen.values()})

    def describe_type(self, kind: Any) -> str:
        """A type of Numba in full; a NamedTuple is known by its class."""
        if isinstance(kind, nb_types.BaseTuple):
            made = getattr(kind, "instance_class", tuple)
            self._take_class(made)
            within: Any = kind
            return f"{_name(made)}({', '.join(map(self.describe_type, within))})"
        if isinstance(kind, nb_types.Number | nb_types.Boolean | nb_types.Array | nb_types.NoneType):
            return str(kind)
        raise Untraceable(str(kind))

    def _follow(self, function: Any) -> str:
        """Look into a function later; returns how it is known."""
        if function not in self.functions:
            self.functions[function] = ""
            self._waiting.append(function)
        return f"{_name(function)} {_own_code(function)}"

    def _look_into(self, function: Any) -> None:
        named = [f"{name} = {self._describe(value)}" for name, value in _named_by(function)]
        self.functions[function] = "\n".join([f"{_name(function)} {_own_code(function)}", *named])

    def _take_class(self, kind: type) -> None:
        if kind not in self.classes:
            self.classes[kind] = ""  # its defaults may be of the same class
            fields = getattr(kind, "_fields", ())
            defaults = {name: self._describe(x) for name, x in getattr(kind, "_field_defaults", {}).items()}
            self.classes[kind] = f"{_name(kind)} {fields} {defaults}"

    def _describe(self, value: Any) -> str:
        """What a function that names this value can know of it."""
        if value is None or isinstance(value, bool | int | float | complex | str | bytes | np.generic):
            return f"{type(value).__name__} {value!r}"
        if isinstance(value, tuple):
            if type(value) is not tuple:
                self._take_class(type(value))
            return f"{_name(type(value))} ({', '.join(self._describe(x) for x in value)})"
        if isinstance(value, np.ndarray) and not value.dtype.hasobject:
            return f"{value.dtype} {value.shape} {hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}"
        if isinstance(value, Dispatcher):
            return f"{sorted(value.targetoptions.items())!r} {self._follow(value.py_func)}"
        if isinstance(value, _Intrinsic):
            return f"intrinsic {self._follow(value._defn)}"
        if isinstance(value, types.FunctionType) and not _by_version(value):
            return self._describe_function(value)
        if isinstance(value, types.ModuleType) and not _by_version(value):
            return f"module {value.__name__}"  # what is named of it is named by `_named_by`
        if isinstance(value, type) and not _by_version(value):
            return self._describe_class(value)
        if _by_version(value) or (_by_version(type(value)) and not isinstance(value, list | dict | set | bytearray)):
            return f"{type(value).__qualname__} {getattr(value, '__module__', '')}.{_word(value)}"
        raise Untraceable(repr(value))

    def _describe_function(self, function: Any) -> str:
        choose, options = INSIDE.get(function, (None, {}))
        how = repr(sorted(options.items()))
        if hasattr(function, "compiled_body"):
            return self.verbs.setdefault(function, f"verb {_name(function)} {how}")
        return f"{how} {self._follow(choose or function)}"  # what is compiled, if it is not the function itself

    def _describe_class(self, kind: type) -> str:
        if issubclass(kind, enum.Enum):
            return f"{_name(kind)} {[(each.name, each.value) for each in kind]}"
        if not issubclass(kind, tuple | Exception):
            raise Untraceable(_name(kind))
        self._take_class(kind)
        return _name(kind)


@functools.cache
def _compilers() -> tuple[str, ...]:
    """Versions and options of all that takes part, and the code of our own machinery."""
    chosen = {name: repr(getattr(numba.config, name, None)) for name in OPTIONS}
    versions = sys.version, platform.machine(), numba.__version__, llvmlite.__version__, np.__version__
    ours = [_hash(repr(_listing(_code_of_module(name)))) for name in MACHINERY]
    return *versions, repr(chosen), *ours


def _code_of_module(name: str) -> types.CodeType:
    loader = sys.modules[name].__loader__
    assert isinstance(loader, importlib.machinery.SourceFileLoader)
    code = loader.get_code(name)
    assert code is not None
    return code


def _named_by(function: Any) -> Iterator[tuple[str, Any]]:
    """What a function's code can find by name: globals, attributes of our modules, cells, defaults."""
    names = list(dict.fromkeys(_names(function.__code__)))
    for name in names:
        if name in function.__globals__:
            value = function.__globals__[name]
            yield name, value
            if isinstance(value, types.ModuleType) and not _by_version(value):
                yield from ((f"{name}.{each}", getattr(value, each)) for each in names if hasattr(value, each))
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        yield name, cell.cell_contents
    for number, value in enumerate(function.__defaults__ or ()):
        yield f"default {number}", value
    yield from (function.__kwdefaults__ or {}).items()


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from _names(each)


@functools.cache
def _own_code(function: Any) -> str:
    return _hash(repr(_listing(function.__code__)))


def _listing(code: types.CodeType) -> tuple[Any, ...]:
    """What code does, the same in every process; a docstring, which is the first constant, is left out."""
    constants = [_constant(x) for x in code.co_consts]
    if constants and _has_docstring(code):
        constants[0] = _constant(None)
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    return (
        *(code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars),
        *(counts, code.co_exceptiontable),
    )


def _constant(value: Any) -> Any:
    if isinstance(value, types.CodeType):
        return _listing(value)
    return sorted(map(repr, value)) if isinstance(value, frozenset) else (type(value).__name__, repr(value))


def _has_docstring(code: types.CodeType) -> bool:
    if sys.version_info >= (3, 14):
        return bool(code.co_flags & inspect.CO_HAS_DOCSTRING)
    function = code.co_flags & inspect.CO_OPTIMIZED and not code.co_name.startswith("<")
    return bool(function) and isinstance(code.co_consts[0], str)  # its docstring or None come first


def _by_version(value: Any) -> bool:
    name = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
    return isinstance(name, str) and name.partition(".")[0] in BY_VERSION


def _word(value: Any) -> str:
    return str(getattr(value, "__qualname__", None) or value)


def _name(value: Any) -> str:
    return f"{value.__module__}.{value.__qualname__}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
