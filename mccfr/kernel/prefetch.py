"""Asking for memory before it is needed: on trees larger than the processor's cache, waiting is most of the work."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from mccfr.kernel.dealing import row
from mccfr.kernel.dispatch import VERB, inlined, verb
from mccfr.kernel.layout import BYTE, TERMINAL, U2, U3, U8, Far, Near, u64


@intrinsic
def _prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        address = builder.bitcast(builder.gep(data, [args[1]]), ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [address.type, ir.IntType(32), ir.IntType(32), ir.IntType(32)])
        function = builder.module.declare_intrinsic("llvm.prefetch", [address.type], kind)
        read, keep, data_cache = (ir.Constant(ir.IntType(32), value) for value in (0, 3, 1))
        builder.call(function, [address, read, keep, data_cache])
        return context.get_dummy_value()

    return types.void(array, index), generate


def prefetch(array, index):
    """Ask for array[index]; nothing happens when interpreted."""


@overload(prefetch, strict=False, jit_options=VERB)  # type: ignore[arg-type]
def _(array, index):
    return lambda array, index: _prefetch(array, index)


@verb
def looks_ahead(memory):
    """Whether the tree is too large for the cache, so that looking ahead pays."""


looks_ahead.register(Near)(lambda memory: False)
looks_ahead.register(Far)(lambda memory: True)


@inlined
def look_ahead(tree, table, h, held):
    """Ask for what a visit of node h will read: its strategy, its average, its children."""
    o = row(tree, h, u64(tree.nodes[(h << U2) + U3]), held)
    child = u64(tree.nodes[h << U2])
    prefetch(table.current, o)
    prefetch(table.average, o)
    prefetch(tree.nodes, child << U2)
    prefetch(tree.nodes, (child << U2) + u64(16))


@inlined
def look_further(tree, table, h, held):
    """Node h has been looked ahead to: now ask for what lies below each of its children."""
    child = u64(tree.nodes[h << U2])
    for a in range(u64(tree.nodes[(h << U2) + U3]) >> U8):
        m = u64(tree.nodes[((child + a) << U2) + U3])
        if m & BYTE == TERMINAL:
            return
        prefetch(tree.nodes, u64(tree.nodes[(child + a) << U2]) << U2)
        prefetch(table.current, row(tree, child + a, m, held))
