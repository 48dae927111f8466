"""Random numbers that belong to us: xoshiro256** [Blackman and Vigna 2018], its state an argument.

The same seed gives the same stream on every machine and in every version; a change of the stream is a breaking change.
Dice are a policy like the others: the audit puts in dice that try every outcome instead.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.kernel.dispatch import inlined, verb
from mccfr.kernel.layout import U0, U1, U2, U3, U32, f64, u64


class Dice(NamedTuple):
    """xoshiro256**."""

    state: npt.NDArray[np.uint64]  # [4]


@verb
def uniform(dice):
    """A number from [0, 1)."""


@verb
def below(dice, k):
    """One of 0 .. k-1, each equally likely."""


@inlined
def rotate(x, k):
    return (x << k) | (x >> (u64(64) - k))


@inlined
def bits(state):
    """The next 64 random bits."""
    out = rotate(state[U1] * u64(5), u64(7)) * u64(9)
    t = state[U1] << u64(17)
    state[U2] ^= state[U0]
    state[U3] ^= state[U1]
    state[U1] ^= state[U2]
    state[U0] ^= state[U3]
    state[U2] ^= t
    state[U3] = rotate(state[U3], u64(45))
    return out


@uniform.register(Dice)
def _(dice):  # in steps of 2^-53
    return f64(bits(dice.state) >> u64(11)) * (1.0 / 9007199254740992.0)


@below.register(Dice)
def _(dice, k):  # for k up to 2^32; off by at most k 2^-32
    return ((bits(dice.state) >> U32) * k) >> U32


@inlined
def choose(p, o, k, dice):
    """An index drawn from the law p[o : o+k]."""
    u = uniform(dice)
    a = U0
    total = p[o]
    while u >= total and a < k - U1:
        a += U1
        total += p[o + a]
    return a


def seeded(seed: int, *keys: int) -> Dice:
    """Dice from a seed, by splitmix64 as their authors advise; keys (a worker, a block) give dice of their own."""
    x = seed
    for key in keys:
        x = _mixed((x + (key + 1) * 0xD1342543DE82EF95) % 2**64)
    out = []
    for _ in range(4):
        x = (x + 0x9E3779B97F4A7C15) % 2**64
        out.append(_mixed(x))
    return Dice(np.array(out, np.uint64))


def _mixed(x: int) -> int:
    z = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31
