"""Compiled code. Knows arrays only: no game, file, name or string.

All of it is loaded together, so that every process sees the same sources and finds the same machine code again.
"""

from mccfr.kernel import (  # noqa: F401
    averaging,
    dice,
    dispatch,
    estimators,
    histories,
    layout,
    minimisers,
    play,
    prefetch,
    samplers,
    sequence_form,
    walk,
    witness,
)
