"""Asking for memory before it is needed: on trees larger than the processor's cache, waiting is most of the work."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from mccfr.kernel.dealing import row
from mccfr.kernel.dispatch import VERB, verb
from mccfr.kernel.inner_functions import compile_inside
from mccfr.kernel.layout import BYTE, CHANCE, TERMINAL, U2, U3, U8, Far, FarRows, Near, u64


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


compile_inside(prefetch, lambda *types: lambda array, index: _prefetch(array, index), VERB)  # type: ignore[call-arg]


@verb
def look_ahead(memory, tree, table, o, c, k, held):
    """The k children from c on will be visited: ask for what that will read: strategies, averages, their children."""


@verb
def look_further(memory, tree, table, h, held):
    """Node h has been looked ahead to: ask for what lies below each of its children."""


look_ahead.register(Near)(lambda memory, tree, table, o, c, k, held: None)
look_further.register(Near)(lambda memory, tree, table, h, held: None)


@look_ahead.register(Far)
def _(memory, tree, table, o, c, k, held):
    prefetch(table.regret, o)
    for j in range(k):
        h = c + j
        first = row(tree, h, u64(tree.nodes[(h << U2) + U3]), held)
        child = u64(tree.nodes[h << U2])
        prefetch(table.current, first)
        prefetch(table.average, first)
        prefetch(tree.nodes, child << U2)
        prefetch(tree.nodes, (child << U2) + u64(16))


@look_further.register(Far)
def _(memory, tree, table, h, held):
    child = u64(tree.nodes[h << U2])
    for a in range(u64(tree.nodes[(h << U2) + U3]) >> U8):
        m = u64(tree.nodes[((child + a) << U2) + U3])
        if m & BYTE == TERMINAL:
            return
        prefetch(tree.nodes, u64(tree.nodes[(child + a) << U2]) << U2)
        prefetch(table.current, row(tree, child + a, m, held))


@look_ahead.register(FarRows)
def _(memory, tree, table, o, c, k, held):
    for j in range(k):
        h = c + j
        m = u64(tree.nodes[(h << U2) + U3])
        if m & BYTE < CHANCE:
            first = row(tree, h, m, held)
            prefetch(table.regret, first)
            prefetch(table.average, first)


@look_further.register(FarRows)
def _(memory, tree, table, h, held):
    m = u64(tree.nodes[(h << U2) + U3])
    if m & BYTE < CHANCE:
        child = u64(tree.nodes[h << U2])
        for a in range(m >> U8):
            n = u64(tree.nodes[((child + a) << U2) + U3])
            if n & BYTE < CHANCE:
                prefetch(table.regret, row(tree, child + a, n, held))
