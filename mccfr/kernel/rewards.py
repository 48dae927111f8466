"""Rewards: what a walker feels at an ending, given what it is paid. Losses may count more than wins. [Lin 2024, 6.3]

Both players feel their own payoff, so with anything but `AsPaid` the game that is learned is not zero-sum: what one of
them feels is not what the other loses. u is the payoff in units, usually big blinds; wins are felt as they are.
"""

from typing import NamedTuple

from mccfr.kernel.dispatch import verb


class AsPaid(NamedTuple):
    """y1: the payoff itself."""


class ScaledLoss(NamedTuple):
    """y2: a loss counts half as much again, 1.5 u for u < 0. [Lin 2024, 6.3]"""

    unit: float = 1.0


class PowerLoss(NamedTuple):
    """y3: -0.35 (-u)^1.32 - 5 for u < 0. It jumps by 5 units at 0. [Lin 2024, 6.3]"""

    unit: float = 1.0


class LargeLoss(NamedTuple):
    """y4: min(-0.35 (-u)^1.32, u) for u < 0. Only losses above 26.6 units differ from u. [Lin 2024, 6.3]"""

    unit: float = 1.0


@verb
def felt(reward, value):
    """What the payoff `value` is to the player who gets it, both in chips."""


felt.register(AsPaid)(lambda reward, value: value)
felt.register(ScaledLoss)(lambda reward, value: 1.5 * value if value < 0.0 else value)


@felt.register(PowerLoss)
def _(reward, value):
    return reward.unit * (-0.35 * (-value / reward.unit) ** 1.32 - 5.0) if value < 0.0 else value


@felt.register(LargeLoss)
def _(reward, value):
    return min(reward.unit * -0.35 * (-value / reward.unit) ** 1.32, value) if value < 0.0 else value
