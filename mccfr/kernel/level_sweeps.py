"""Full sweeps on the sequence form by many threads: `sequence_form`, one level of infosets after another.

What is done at an infoset, and for a sum of terminals, is the text of `sequence_form` and `minimisers`. New is who does
it and when: a crowd of threads shares out each step, thread `first` doing number first, first + step, ..., and all wait
for each other before the next. On a CPU the crowd is one thread that waits for nobody, and the tables are those of
`sequence_form.sweep` bit for bit wherever no sequence has more than LONGEST terminals.

Weights of iterations are worked out beforehand, on the CPU: once instead of by every thread, and with the powers of the
CPU's library, from which those of a GPU may differ in the last digit.
"""

from typing import NamedTuple

import numpy as np

from mccfr.kernel.averaging import fade, importance
from mccfr.kernel.dispatch import entry, inlined, verb
from mccfr.kernel.layout import U0, U1, u64
from mccfr.kernel.levels import LANES
from mccfr.kernel.minimisers import pace
from mccfr.kernel.sequence_form import BestValue, Learn, answer_at, ending, follow_current, follow_weights

WEIGHTS = 4  # numbers about an iteration: two scales of regrets, its importance, and by what older averages fade
U_LANES, LANE_BITS, LANE = u64(LANES), u64(LANES.bit_length() - 1), u64(LANES - 1)


class Alone(NamedTuple):
    """One thread that does everything."""

    first: np.uint64 = U0
    step: np.uint64 = U1


@verb
def wait(crowd):
    """Until all threads of the crowd have come here, and everybody sees what the others wrote."""


wait.register(Alone)(lambda crowd: None)


@inlined
def add_endings(crowd, side, against, sums):
    """Add up all terminals of one player, against the other player's plan."""
    for q in range(crowd.first, u64(len(side.piece)), crowd.step):
        z = u64(side.begin[q >> LANE_BITS]) + (q & LANE)
        sums[u64(side.piece[q])] = ending(side, against, z, z + u64(side.terms[q]) * U_LANES, U_LANES)


@inlined
def gathered(side, work, x):
    """The counterfactual value of sequence x: infosets right after it, then terminals."""
    value = ended = 0.0
    for f in range(u64(side.below[x]), u64(side.below[x + U1])):
        value += work.value[u64(side.after[f])]
    for p in range(u64(side.part[x]), u64(side.part[x + U1])):
        ended += work.sums[p]
    return value + ended


@inlined
def answer_level(crowd, actor, side, table, work, level):
    """The values of all infosets of a level, those below being known."""
    for i in range(u64(side.first[level]) + crowd.first, u64(side.first[level + U1]), crowd.step):
        j = u64(side.order[i])
        s, end = u64(side.row[j]), u64(side.row[j + U1])
        for x in range(s, end):
            work.gain[x] = gathered(side, work, x)
        work.value[j] = answer_at(actor, side, table, work.plan, work.gain, j, s, end)


@inlined
def ascend_levels(crowd, actor, side, table, work, against):
    """`sequence_form.ascend`: bottom up, the other player following the plan `against`."""
    add_endings(crowd, side, against, work.sums)
    wait(crowd)
    levels = u64(len(side.first)) - U1
    for up in range(levels):
        answer_level(crowd, actor, side, table, work, levels - U1 - up)
        wait(crowd)


@inlined
def descend_levels(crowd, side, table, plan):
    """`sequence_form.descend`: top down, the plan of the current strategy."""
    for level in range(u64(len(side.first)) - U1):
        for i in range(u64(side.first[level]) + crowd.first, u64(side.first[level + U1]), crowd.step):
            follow_current(side, table, plan, u64(side.order[i]))
        wait(crowd)


@inlined
def descend_weights_by_levels(crowd, side, weights, plan):
    """`sequence_form.descend_weights`: top down, the plan of weights that need not sum to 1."""
    for level in range(u64(len(side.first)) - U1):
        for i in range(u64(side.first[level]) + crowd.first, u64(side.first[level + U1]), crowd.step):
            follow_weights(side, weights, plan, u64(side.order[i]))
        wait(crowd)


@inlined
def fade_part(crowd, factor, table):
    """`averaging.fade_all`; the next `wait` is soon enough, for nobody looks at averages before."""
    if factor != 1.0:
        for x in range(crowd.first, u64(len(table.average)), crowd.step):
            table.average[x] *= factor


@inlined
def sweep_levels(crowd, n, weights, minimiser, simultaneous, first, second, table, work0, work1):
    """`sequence_form.sweep`: n iterations, whose weights are given."""
    for i in range(u64(n)):
        at = u64(WEIGHTS) * i
        actor = Learn(minimiser, (weights[at], weights[at + U1]), weights[at + u64(2)])
        fade_part(crowd, weights[at + u64(3)], table)
        ascend_levels(crowd, actor, first, table, work0, work1.plan)
        if not simultaneous:
            descend_levels(crowd, first, table, work0.plan)
        ascend_levels(crowd, actor, second, table, work1, work0.plan)
        if simultaneous:
            descend_levels(crowd, first, table, work0.plan)
        descend_levels(crowd, second, table, work1.plan)


@inlined
def best_values_by_levels(crowd, first, second, weights, table, work0, work1, values):
    """`sequence_form.both_best_values`: what each player can get against the other's normalised weights."""
    descend_weights_by_levels(crowd, first, weights, work0.plan)
    descend_weights_by_levels(crowd, second, weights, work1.plan)
    ascend_levels(crowd, BestValue(), first, table, work0, work1.plan)
    ascend_levels(crowd, BestValue(), second, table, work1, work0.plan)
    if crowd.first == U0:
        values[U0] = gathered(first, work0, U0)
        values[U1] = gathered(second, work1, U0)


@inlined
def realise_by_levels(crowd, first, second, table, work0, work1):
    """`sequence_form.realise`, for both players."""
    descend_levels(crowd, first, table, work0.plan)
    descend_levels(crowd, second, table, work1.plan)


@entry
def weigh_iterations(done, minimiser, averaging, weights):
    """The weights of the iterations after the first `done`, WEIGHTS numbers for each."""
    for i in range(len(weights) // WEIGHTS):
        t = done + i + 1.0
        scales = pace(minimiser, t)
        weights[WEIGHTS * i], weights[WEIGHTS * i + 1] = scales[0], scales[1]
        weights[WEIGHTS * i + 2], weights[WEIGHTS * i + 3] = importance(averaging, t), fade(averaging, t)


@entry
def sweep_alone(n, weights, minimiser, simultaneous, first, second, table, work0, work1):
    """`sweep_levels` by one thread."""
    sweep_levels(Alone(U0, U1), n, weights, minimiser, simultaneous, first, second, table, work0, work1)


@entry
def best_values_alone(first, second, weights, table, work0, work1, values):
    """`best_values_by_levels` by one thread."""
    best_values_by_levels(Alone(U0, U1), first, second, weights, table, work0, work1, values)


@entry
def realise_alone(first, second, table, work0, work1):
    """`realise_by_levels` by one thread."""
    realise_by_levels(Alone(U0, U1), first, second, table, work0, work1)
