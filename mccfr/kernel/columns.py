"""Endings of one board, sixteen at a time: a column for each, so that one instruction serves all of them.

A block of columns is an array of WIDTH numbers per hand (or per card); these functions add and combine rows
of such blocks. Compiled, a row is one vector of the processor; the compiler does not find that by itself, because the
blocks could overlap for all it knows. Interpreted, the same is done number by number.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from mccfr.kernel.dispatch import VERB
from mccfr.kernel.inner_functions import compile_inside
from mccfr.kernel.layout import u64

WIDTH = 16  # endings at a time
COLUMNS = u64(WIDTH)


def _row(context: Any, builder: Any, array_type: Any, array: Any, at: Any) -> tuple[Any, int]:
    """Where a row begins, as a vector, and what it is aligned to."""
    data = context.make_array(array_type)(context, builder, array).data
    number = context.get_data_type(array_type.dtype)
    vector = ir.VectorType(number, WIDTH).as_pointer()
    return builder.bitcast(builder.gep(data, [at]), vector), context.get_abi_sizeof(number)


def _combine(combine: Callable[[Any, list[Any]], Any], sources: int) -> Any:
    """An instruction: target row = combine(target row, source rows)."""

    def make(typingctx: Any, target: Any, t: Any, source: Any, places: Any) -> Any:
        del typingctx, t

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            into, align = _row(context, builder, signature.args[0], args[0], args[1])
            rows = [into]
            for j in range(sources):
                at = builder.extract_value(args[3], j)
                rows.append(_row(context, builder, signature.args[2], args[2], at)[0])
            value = combine(builder, [builder.load(row, align=align) for row in rows])
            builder.store(value, into, align=align)
            return context.get_dummy_value()

        return types.void(target, types.uint64, source, places), generate

    return intrinsic(make)


_add = _combine(lambda builder, rows: builder.fadd(rows[0], rows[1]), 1)
_put_rest = _combine(lambda builder, rows: builder.fsub(builder.fsub(rows[1], rows[2]), rows[3]), 3)
_add_rest = _combine(
    lambda builder, rows: builder.fadd(builder.fsub(builder.fsub(rows[1], rows[2]), rows[3]), rows[0]), 3
)

_take_rest = _combine(
    lambda builder, rows: builder.fsub(rows[0], builder.fsub(builder.fsub(rows[1], rows[2]), rows[3])), 3
)


def add_row(target, t, source, s):
    """target row += source row."""
    for x in range(COLUMNS):
        target[t + x] += source[s + x]


def put_rest(target, t, sums, total, low, high):
    """target row = total without the sums of two cards."""
    for x in range(COLUMNS):
        target[t + x] = sums[total + x] - sums[low + x] - sums[high + x]


def add_rest(target, t, sums, total, low, high):
    """target row += total without the sums of two cards."""
    for x in range(COLUMNS):
        target[t + x] = sums[total + x] - sums[low + x] - sums[high + x] + target[t + x]


def take_rest(target, t, sums, total, low, high):
    """target row -= total without the sums of two cards."""
    for x in range(COLUMNS):
        target[t + x] -= sums[total + x] - sums[low + x] - sums[high + x]


compile_inside(add_row, lambda *types: lambda target, t, source, s: _add(target, t, source, (s,)), VERB)
compile_inside(
    put_rest,
    lambda *types: lambda target, t, sums, total, low, high: _put_rest(target, t, sums, (total, low, high)),
    VERB,
)
compile_inside(
    add_rest,
    lambda *types: lambda target, t, sums, total, low, high: _add_rest(target, t, sums, (total, low, high)),
    VERB,
)
compile_inside(
    take_rest,
    lambda *types: lambda target, t, sums, total, low, high: _take_rest(target, t, sums, (total, low, high)),
    VERB,
)
