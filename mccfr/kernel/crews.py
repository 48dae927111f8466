"""Who does the work of a loop: one processor alone, or a block of threads on a GPU.

A text that runs on both writes `for j in range(first(crew), n, step(crew))`, and `wait(crew)` where what others have
written is read next. Betting lines lie side by side in memory: a thread has one of them, its `lane`, and shares the
rest of the work with the threads that have the same lane. So threads that run together read side by side, and every
one of them does what a processor alone would do, in the same order; there is nothing to scan or to reduce.

The bodies of `wait` and `begin_here` for a block of threads are in `cuda_response`, which is imported where there is a
GPU.
"""

from typing import Any, NamedTuple

from mccfr.kernel.dispatch import verb
from mccfr.kernel.layout import U0, U1


class Alone(NamedTuple):
    """One processor, at one lane."""

    lane: Any  # uint64


class Block(NamedTuple):
    """One of so many threads with the same lane."""

    lane: Any  # uint64
    number: Any  # uint64
    of: Any  # uint64


@verb
def first(crew):
    """The first piece of work of whoever asks."""


@verb
def step(crew):
    """From one piece of work to the next."""


@verb
def wait(crew):
    """Wait until everybody has come to this line."""


@verb
def begin_here(crew, one, other):
    """The same two parts of arrays, with the places where they begin worked out once: a GPU adds 64-bit numbers slowly,
    and its compiler would add the beginning to every index. Two: an array alone cannot be returned."""


first.register(Alone)(lambda crew: U0)
step.register(Alone)(lambda crew: U1)
wait.register(Alone)(lambda crew: None)
begin_here.register(Alone)(lambda crew, one, other: (one, other))
first.register(Block)(lambda crew: crew.number)
step.register(Block)(lambda crew: crew.of)
