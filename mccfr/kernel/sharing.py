"""Tables that several workers use at once, and what each of them keeps to itself.

Shared: every worker reads and writes one table without asking. Lost updates are rare and harmless; what is not harmless
is a row that changes between being drawn from and being divided by, so a walk plays from a snapshot in its own frame.
Guarded: the same behind a lock for every row. [Lin 2024]
Draft: nobody writes to the table; a worker notes what it would add, row by row, and the notes are merged in an order
that does not depend on who wrote them. [Li et al. 2020, Double Neural CFR, 3.2]
"""

from typing import Any, NamedTuple

from numba import types
from numba.extending import intrinsic

from mccfr.kernel.averaging import remember
from mccfr.kernel.dispatch import VERB, entry, inlined, verb
from mccfr.kernel.inner_functions import compile_inside
from mccfr.kernel.layout import U0, U1, f64, u64
from mccfr.kernel.minimisers import absorb, match, pace, propose, settle
from mccfr.kernel.play import from_regrets, kept, recommended, recommended_before, strategy

LISTED, REGRETS = 1, 2  # marks of a row in a draft: is on the list; has regrets, not only an average
ARITY_AT, FLAG_AT = u64(38), u64(63)  # a noted row is one word: first entry | arity << 38 | has regrets << 63
ROW_MASK, ARITY_MASK = (U1 << ARITY_AT) - U1, (U1 << (FLAG_AT - ARITY_AT)) - U1
PAGE = u64(9)  # rows are shared out by pages of 2^9 entries, so that two workers seldom write to one cache line


class Snapshot(NamedTuple):
    """The current strategy as it was on entry, kept in the frame: for tables that others are writing to."""


class GuardedTable(NamedTuple):
    """A table with a lock for every row, at its first entry."""

    current: Any
    regret: Any
    average: Any
    locks: Any  # uint8[entries]


class GuardedLeanTable(NamedTuple):
    """The same of a table without `current`."""

    regret: Any
    average: Any
    locks: Any  # uint8[entries]


class Draft(NamedTuple):
    """A frozen table, and what one worker would add to it."""

    current: Any
    regret: Any
    average: Any
    gained: Any  # float64[entries] regrets, zero outside listed rows
    added: Any  # float64[entries] averages, zero outside listed rows
    rows: Any  # uint64[infosets] the listed rows, in the order they were met
    count: Any  # uint64[2] how many rows, and how many entries they have
    marks: Any  # uint8[entries]


class LeanDraft(NamedTuple):
    """The same over a table without `current`."""

    regret: Any
    average: Any
    gained: Any
    added: Any
    rows: Any
    count: Any
    marks: Any


class Noted(NamedTuple):
    """Regrets are noted in the draft; no strategy changes."""


@verb
def take(table, o):
    """Before row o is read or changed."""


@verb
def release(table, o):
    """After."""


take.otherwise(lambda table, o: None)
release.otherwise(lambda table, o: None)


@intrinsic
def _exchange(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    """Put a value into array[index] and say what was there, in one step that no other worker can interrupt."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        return builder.atomic_rmw("xchg", builder.gep(data, [args[1]]), args[2], "seq_cst")

    return types.uint8(array, index, types.uint8), generate


def exchange(array, index, value):
    """Swap a lock's value; interpreted there is one worker only."""
    before = array[index]
    array[index] = value
    return before


compile_inside(exchange, lambda *types: lambda array, index, value: _exchange(array, index, value), VERB)  # type: ignore[call-arg]


@take.register(GuardedTable, GuardedLeanTable)
def _(table, o):
    while exchange(table.locks, o, 1) != 0:  # a plain look would be made once only: compilers trust memory
        pass


@release.register(GuardedTable, GuardedLeanTable)
def _(table, o):
    exchange(table.locks, o, 0)


@strategy.register(Snapshot)
def _(play, table, o, k, real, g, t):
    take(table, o)
    p, s = recommended(table, o, k, real, g)
    total = 0.0
    for a in range(k):
        real[g + a] = p[s + a]
        total += real[g + a]
    release(table, o)
    if not abs(total - 1.0) < 1e-9:  # caught while another worker was changing it
        for a in range(k):
            real[g + a] = real[g + a] / total if total > 0.0 else 1.0 / f64(k)
    return real, g


recommended.register(GuardedLeanTable, LeanDraft)(from_regrets)
recommended_before.register(GuardedLeanTable, LeanDraft)(lambda table, o, real, g: (real, g))
propose.register(GuardedLeanTable)(lambda table, x, weight: None)
match.register(GuardedLeanTable)(lambda table, o, k, total: None)
kept.register(Snapshot)(lambda play, table, o, real, g: (real, g))


@remember.register(GuardedTable, GuardedLeanTable)
def _(table, p, s, o, k, w):
    take(table, o)
    for a in range(k):
        table.average[o + a] += w * p[s + a]
    release(table, o)


@inlined
def list_row(draft, o, k, marks):
    """Put row o on the list, if it is not yet."""
    if draft.marks[o] == 0:
        draft.rows[draft.count[U0]] = o | (k << ARITY_AT)
        draft.count[U0] += U1
        draft.count[U1] += k
    draft.marks[o] |= marks


@remember.register(Draft, LeanDraft)
def _(table, p, s, o, k, w):
    list_row(table, o, k, LISTED)
    for a in range(k):
        table.added[o + a] += w * p[s + a]


@absorb.register(Noted)
def _(minimiser, table, o, k, v, g, value, w, scales):
    list_row(table, o, k, LISTED | REGRETS)
    for a in range(k):
        table.gained[o + a] += w * (v[g + a] - value)


@entry
def collect(draft, rows, values):
    """Move the notes out, one word per row and its regrets and averages side by side; the draft is blank again."""
    at = U0
    for j in range(draft.count[U0]):
        word = draft.rows[j]
        o = word & ROW_MASK
        k = (word >> ARITY_AT) & ARITY_MASK
        if draft.marks[o] & REGRETS:
            word |= U1 << FLAG_AT
        rows[j] = word
        for a in range(k):
            values[at + a] = draft.gained[o + a]
            values[at + k + a] = draft.added[o + a]
            draft.gained[o + a] = 0.0
            draft.added[o + a] = 0.0
        draft.marks[o] = 0
        at += k + k
    draft.count[U0] = U0
    draft.count[U1] = U0


@entry
def merge(rows, values, part, parts, minimiser, table):
    """Add one worker's notes to the table, as far as they are on this part's pages. The minimiser defers."""
    at = U0
    for j in range(len(rows)):
        o = rows[j] & ROW_MASK
        k = (rows[j] >> ARITY_AT) & ARITY_MASK
        if (o >> PAGE) % parts == part:
            for a in range(k):
                table.average[o + a] += values[at + k + a]
            if rows[j] >> FLAG_AT:
                absorb(minimiser, table, o, k, values, at, 0.0, 1.0, (1.0, 1.0))
        at += k + k


@entry
def close_batch(t, minimiser, table):
    """All notes are merged: the strategy changes."""
    settle(minimiser, table, t, pace(minimiser, t))
