"""Walks on a GPU: the walk of `mccfr.kernel.walk`, many threads at once, over one table in the GPU's memory.

The text of the walk, its samplers, estimators, averages and dice are those of the CPU. Two things differ. Nobody owns
the table, so what is added to it is added atomically; a walk plays from a copy of a row in its own frame, as with
several workers on a CPU (`mccfr.kernel.sharing`). And frames lie in each thread's local memory, so their size is part
of the kernel. What others add during a walk is seen at once, so no two runs are alike unless there is one thread:
that one makes the walks of the CPU, draw by draw.

This file is imported where a GPU is asked for, and nowhere else.
"""

import functools
from typing import Any, NamedTuple

import numpy as np

from mccfr.kernel.averaging import remember
from mccfr.kernel.bucket_rows import CARDS, HELD, WINNER
from mccfr.kernel.card_dealing import draw_cards, look_at_cards
from mccfr.kernel.cuda_target import cuda as load_cuda
from mccfr.kernel.dealing import Fresh
from mccfr.kernel.dice import Dice
from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.iterations import iterate
from mccfr.kernel.layout import U0, U1, Work, f64, u64
from mccfr.kernel.minimisers import RM, RMPlus, Weighted, absorb, match, pace, propose
from mccfr.kernel.play import from_regrets, recommended, recommended_before
from mccfr.kernel.witness import Silent

cuda = load_cuda()


class DeviceTable(NamedTuple):
    """A table that all threads of a GPU read and add to, without `current`."""

    regret: Any  # float32, or float64
    average: Any  # float64: sums of float32 stop growing at 2^24 times what is added


class Concurrent(NamedTuple):
    """A minimiser whose regrets are changed by many threads at once.

    The three that a GPU has add to a regret, and RM+ then lifts it to 0; so an addition that nobody can interrupt is
    enough. Between the two steps of RM+ others may add as well; alone, a thread does what the CPU does.
    """

    inside: Any


@verb
def gain(minimiser, r, scales):
    """What a minimiser adds to a regret for the sampled regret r."""


@verb
def clips(minimiser):
    """Whether regrets never fall below 0."""


gain.register(RM, RMPlus)(lambda minimiser, r, scales: r)
gain.register(Weighted)(lambda minimiser, r, scales: scales[0] * r)
clips.register(RM, Weighted)(lambda minimiser: False)
clips.register(RMPlus)(lambda minimiser: True)
pace.register(Concurrent)(lambda minimiser, t: pace(minimiser.inside, t))
recommended.register(DeviceTable)(from_regrets)
recommended_before.register(DeviceTable)(lambda table, o, real, g: (real, g))
propose.register(DeviceTable)(lambda table, x, weight: None)
match.register(DeviceTable)(lambda table, o, k, total: None)


@absorb.register(Concurrent)
def _(minimiser, table, o, k, v, g, value, w, scales):
    for a in range(k):
        r = table.regret.dtype.type(gain(minimiser.inside, w * (v[g + a] - value), scales))
        before = cuda.atomic.add(table.regret, o + a, r)
        if clips(minimiser.inside) and before + r < 0.0:
            cuda.atomic.max(table.regret, o + a, table.regret.dtype.type(0.0))


@remember.register(DeviceTable)
def _(table, p, s, o, k, w):
    for a in range(k):
        cuda.atomic.add(table.average, o + a, w * p[s + a])


@inlined
def mixed(x):
    """A word whose every bit depends on all bits of x: the last steps of splitmix64."""
    x = (x ^ (x >> u64(30))) * u64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> u64(27))) * u64(0x94D049BB133111EB)
    return x ^ (x >> u64(31))


@inlined
def dice_of(thread, threads, dice, state):
    """Dice of one thread, from those of the run; a single thread takes these themselves."""
    for j in range(u64(4)):
        state[j] = dice[j]
        if threads > U1:
            key = dice[j] + (thread + U1) * u64(0xD1342543DE82EF95)
            state[j] = mixed(key + (j + U1) * u64(0x9E3779B97F4A7C15))


@functools.cache
def walks_kernel(depth: int, arity: int, held: int, wide: bool, ahead: bool, **options: Any) -> Any:
    """The kernel for trees of this depth.

    wide: frames of 64-bit numbers, as on the CPU, instead of 32-bit ones; ahead: cards have been dealt before.
    """
    stride = 3 + 3 * arity
    words, reals, slots = 8 * depth, stride * depth, max(held, 1)
    word, real_number = (np.uint64, np.float64) if wide else (np.uint32, np.float32)
    frame_stride, most_actions = u64(stride), u64(arity)

    def make_walks(n, done, parts, tree, table, dice, totals, count, players):
        """Iterations done + 1 .. done + n, shared out among all threads.

        totals[0] gathers player 0's root estimates, count[0] the nodes touched.
        """
        thread, threads = u64(cuda.grid(1)), u64(cuda.gridsize(1))
        frame = cuda.local.array(words, word)
        real = cuda.local.array(reals, real_number)
        spare = cuda.local.array(arity, real_number)
        touched = cuda.local.array(1, np.uint64)
        state = cuda.local.array(4, np.uint64)
        holds = cuda.local.array(slots, np.uint64)
        dice_of(thread, threads, dice, state)
        touched[U0] = U0
        work = Work(frame, real, spare, touched, Dice(state), frame_stride, most_actions, holds, Fresh(), Silent())
        total, j = totals[U0] if threads == U1 else 0.0, thread  # alone, add up in the order of the CPU
        while j < n:
            if ahead:
                holds[CARDS] = j
            total += iterate(parts, done + f64(j + U1), tree, table, work, players)
            j += threads
        cuda.atomic.add(count, 0, touched[U0])
        if threads > U1:
            cuda.atomic.add(totals, 0, total)
        else:
            totals[U0] = total
            for j in range(u64(4)):
                dice[j] = state[j]

    return cuda.jit(make_walks, **options)


@functools.cache
def dealing_kernel() -> Any:
    """The kernel that deals cards for walks to come."""

    def deal_ahead(n, cards, dice, words):
        """words[j]: what both players see of deal j, for j < n."""
        thread, threads = u64(cuda.grid(1)), u64(cuda.gridsize(1))
        state = cuda.local.array(4, np.uint64)
        holds = cuda.local.array(HELD, np.uint64)
        dice_of(thread + threads, threads + threads, dice, state)  # not the dice of the walks
        j = thread
        while j < n:
            draw_cards(cards, holds, Dice(state))
            look_at_cards(cards, holds)
            for word in range(WINNER + U1):
                words[j, word] = holds[word]
            j += threads

    return cuda.jit(deal_ahead)
