"""Functions that only compiled callers call: compiled without machine code of their own.

A kernel is one entry and some dozens of functions inside it. Numba would optimise each of them, together with all that
it calls itself, and translate it into machine code that nobody ever runs: what is run is the entry's, into which they
vanish. Here they stay as they were lowered until the entry is optimised, once and as a whole. Kernels then take half to
three quarters of the time to compile, are as fast as before, and compute the same bits.

On a GPU numba-cuda compiles them, in its own way.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.target_extension import current_target
from numba.core.typed_passes import NativeLowering
from numba.core.typing.templates import infer, infer_global, make_overload_template


class InnerLibrary(JITCodeLibrary):
    """What a function was lowered to, with all that it calls, neither optimised nor translated."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(NativeLowering):
    """Lower a function, and let compiled callers find it."""

    _name = "inner_lowering"

    def run_pass(self, state: Any) -> bool:
        """Numba's own lowering with a library that goes no further."""
        state.library = InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        state.flags.no_compile = True
        super().run_pass(state)
        made = state["cr"]._replace(cfunc=[].append)  # by which it is known: Numba wants a built-in, each time another
        state.targetctx.insert_user_function(made.cfunc, made.fndesc, [state.library])
        state["cr"] = made
        return True


class InnerCompiler(CompilerBase):
    """Numba's usual passes but for the lowering."""

    def define_pipelines(self) -> list[Any]:
        """The one list of passes."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(InnerLowering if each is NativeLowering else each, why) for each, why in passes.passes]
        passes.finalize()
        return [passes]


class Options(Mapping[str, Any]):
    """Options of a function as whoever compiles now knows them: `InnerCompiler` is for CPUs."""

    def __init__(self, options: dict[str, Any]) -> None:
        self._everywhere = {"nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, **options}

    def _now(self) -> dict[str, Any]:
        return {**self._everywhere, "pipeline_class": InnerCompiler} if current_target() == "cpu" else self._everywhere

    def __getitem__(self, name: str) -> Any:
        return self._now()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._now())

    def __len__(self) -> int:
        return len(self._now())


Choice = Callable[..., Callable[..., Any] | None]
INSIDE: dict[Any, tuple[Choice | None, dict[str, Any]]] = {}  # what can be called, who chooses its body, and options
_TEMPLATES: list[Any] = []


def compile_inside(function: Any, choose: Choice | None, options: dict[str, Any]) -> None:
    """Let compiled callers call `function`, or the body that `choose` answers with when it is handed their types."""
    template = make_overload_template(
        function, choose or (lambda *args: function), Options(options), strict=False, inline="never"
    )
    template._get_impl = _implementation
    INSIDE[function] = choose, options
    _TEMPLATES.append(template)
    infer(template)
    infer_global(function, types.Function(template))


def _implementation(template: Any, args: Any, kws: Any) -> Any:
    """Numba's own `_get_impl`, without the caller's flags, which change nothing in what is compiled.

    Hashing all flags at every look-up took a tenth of the time that kernels take to compile.
    """
    key = template.context, tuple(args), tuple(kws.items())
    if key not in template._impl_cache:
        template._build_impl(key, args, kws)
    return template._impl_cache[key]


def forget_choices() -> None:
    """Ask for bodies again whatever was compiled before."""
    for template in _TEMPLATES:
        template._impl_cache.clear()
