"""A fifth of a second off the start of every process: BLAS for Numba without the rest of scipy.linalg.

Numba looks for `scipy.linalg.cython_blas` when it is first asked to compile or to load machine code, and so imports all
of that package, which our kernels have no use for. The one extension module is imported ahead here, by its path.
Whoever imports scipy.linalg later gets it whole; where anything is not as expected, Numba does as it always does.
"""

import contextlib
import importlib
import importlib.util
import sys
from types import ModuleType

PACKAGE, WANTED = "scipy.linalg", "scipy.linalg.cython_blas"


def import_blas() -> None:
    """Import the extension, with an empty package standing in for its own meanwhile."""
    if PACKAGE in sys.modules:
        return
    with contextlib.suppress(Exception):
        found = importlib.util.find_spec(PACKAGE)  # imports scipy, which is small
        assert found is not None
        stand_in = ModuleType(PACKAGE)
        stand_in.__path__ = list(found.submodule_search_locations or ())
        sys.modules[PACKAGE] = stand_in
        try:
            importlib.import_module(WANTED)
        finally:
            del sys.modules[PACKAGE]
            sys.modules["scipy"].__dict__.pop("linalg", None)
