"""Pruning: own actions whose regret is far below 0 are seldom visited. [Brown and Sandholm 2019, Superhuman AI]

The walk is that of external sampling. An action that is played is always visited, so the value of a node stays exact.
One that is not visited keeps its regret as it is. What differs from the paper: there one coin decides for a whole
iteration, here one for every such action whenever it is met; actions of the last street are pruned too.
"""

from typing import NamedTuple

from mccfr.kernel.dispatch import inlined
from mccfr.kernel.layout import BYTE, TERMINAL, U0, U1, U2, U3, u64
from mccfr.kernel.samplers import EACH, divisor, draws, law, skips


class Prune(NamedTuple):
    """**Biased**: own actions that are not played and have a regret below a bound are mostly skipped.

    On average such a regret then changes by 1 - chance of what it should, and the other player's average strategy
    behind such an action is fed less often. In return walks are shorter. Actions that end the game are never skipped.

    Attributes:
        below: The bound, in the game's payoffs added up over iterations; less than 0.
        chance: How likely such an action is skipped, from 0 to less than 1.
    """

    below: float = -300.0
    chance: float = 0.95


draws.register(Prune)(lambda sampler: EACH)
skips.register(Prune)(lambda sampler: True)
divisor.register(Prune)(lambda sampler, q: 1.0)


@law.register(Prune)
def _(sampler, n, table, sigma, x):
    return 1.0 - sampler.chance if sigma == 0.0 and table.regret[x] < sampler.below else 1.0


@inlined
def keep_regrets(values, g, mask, k, value):
    """Let actions that were not visited count what the node does: their regrets then change by 0."""
    for a in range(k):
        if (mask >> u64(a)) & U1 == U0:
            values[g + a] = value


@inlined
def endings(tree, c, k):
    """Bit mask of the children, from c on, at which the game ends."""
    mask = U0
    for a in range(k):
        ends = u64(tree.nodes[((c + a) << U2) + U3]) & BYTE == TERMINAL
        mask |= (U1 if ends else U0) << u64(a)
    return mask
