"""Where an array begins, worked out once: for the inner loops of kernels on a GPU.

The compiler adds the beginning of a part of an array to each of its indices, since it likes short-lived numbers; on a
GPU, which has no 64-bit integers, that makes four instructions of one for every number that is loaded. A move that the
compiler cannot see through keeps the address in a register.
"""

from typing import Any

from llvmlite import ir
from numba.cuda.extending import intrinsic

GLOBAL = 1  # address space of everything that a kernel is given


@intrinsic
def known_address(typing_context: Any, array: Any) -> Any:
    """The same array, in global memory, with an address that is not put together anew at each index."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        part = context.make_array(signature.args[0])(context, builder, args[0])
        element, word = part.data.type.pointee, ir.IntType(64)
        place = builder.addrspacecast(part.data, ir.PointerType(element, GLOBAL))
        move = ir.InlineAsm(ir.FunctionType(word, [word]), "mov.u64 $0, $1;", "=l,l")
        moved = builder.call(move, [builder.ptrtoint(place, word)])
        near = builder.inttoptr(moved, ir.PointerType(element, GLOBAL))
        part.data = builder.addrspacecast(near, part.data.type)
        return part._getvalue()

    return array(array), generate
