"""The way to CUDA: the package that compiles our kernels for GPUs, imported when somebody first asks for one.

The texts that run there are those of this folder: a verb has the same bodies on both sides. With NUMBA_ENABLE_CUDASIM=1
the package interprets kernels, thread by thread, on machines without a GPU.
"""

import functools
import os
from typing import Any

import numpy as np


@functools.cache
def cuda() -> Any:
    """`numba.cuda`, from the package numba-cuda."""
    import numba_cuda  # noqa: F401  the older copy inside Numba is no longer kept

    if not hasattr(np, "row_stack"):  # numba-cuda 0.30 asks for it, NumPy 2.5 no longer has it
        np.row_stack = np.vstack
    from numba import cuda as found

    return found


def simulated() -> bool:
    """Whether kernels are interpreted instead of compiled."""
    return os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")
