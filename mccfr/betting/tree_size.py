"""How large a betting tree is, known before it is built: counted if it has few different states, else estimated.

Many lines lead to the same chips, mover and bets, and have the same subtree below them, which is counted once.
"""

import random
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from mccfr.betting.lines import NOBODY, OVER, Betting, Move, State
from mccfr.errors import BettingError

MOST_MOVES = 250_000  # of different states are explored to count a tree: about three seconds
FEW_MOVES = 30_000  # are explored before an estimate is made of a tree that is to be built
KEPT, KEPT_LATER = 500, 20  # states of a depth that an estimate follows, at first and after so many moves
MANY_MOVES = 200_000
FAR_BEYOND = 20  # an estimate that exceeds a limit so many times is believed
ADVICE = "offer fewer sizes or set a cap"

Below = tuple[list[Move], list[State]]  # what is offered in a state, and the states after it
Counts = tuple[int, ...]  # decisions, folds and showdowns by street


class TreeSize(NamedTuple):
    """How many nodes a betting tree has, by street from preflop on."""

    decisions: tuple[int, ...]
    folds: tuple[int, ...]
    showdowns: tuple[int, ...]

    @property
    def terminals(self) -> int:
        """All ends."""
        return sum(self.folds) + sum(self.showdowns)

    @property
    def nodes(self) -> int:
        """All nodes."""
        return sum(self.decisions) + self.terminals


class Explored(NamedTuple):
    """What follows each state of a betting tree in which somebody moves, and how many nodes there are."""

    below: dict[State, Below]
    size: TreeSize


class _GaveUp(Exception):
    """There are too many states, of about so many nodes."""

    def __init__(self, nodes: float) -> None:
        super().__init__()
        self.nodes = nodes


def tree_size(betting: Betting) -> TreeSize:
    """How many nodes a betting tree has, without building it: 647 million (`limit(cap=60)`) take two seconds.

    A tree of too many different states is refused, with an estimate of its nodes.
    """
    return explore(betting, 0).size


def explore(betting: Betting, limit: int) -> Explored:
    """What follows each state, whatever line led to it, and the size of the tree.

    Gives up on trees with too many different states; if there is a limit, as soon as it is sure to be exceeded or an
    estimate is far beyond it.
    """
    try:
        return _explore(betting, limit)
    except _GaveUp as found:
        about = f"this betting tree has about {roughly(found.nodes)} nodes"
        why = f"at most {limit:,} are built" if limit else "too many to count them exactly"
        raise BettingError(f"{about}, {why}: {ADVICE}") from None


def _explore(betting: Betting, limit: int) -> Explored:
    root, streets = betting.merged(betting.root()), betting.streets
    below: dict[State, Below] = {}
    counted: dict[State, Counts] = {}
    pending, moves, largest, about = [root], 0, 0, 0.0
    while pending:
        s = pending[-1]
        if s in counted:
            pending.pop()
        elif s not in below:
            below[s] = _, after = _below(betting, s)
            pending += [child for child in after if child.mover != OVER and child not in counted]
            moves += len(after)
            if moves > (FEW_MOVES if limit else MOST_MOVES):
                about = about or estimated_nodes(betting)
                if about > FAR_BEYOND * limit or moves > limit or (moves > MOST_MOVES and largest > limit):
                    raise _GaveUp(about)
        else:
            pending.pop()
            counted[s] = _sum(s, below[s][1], counted, streets)
            largest = max(largest, sum(counted[s]))
    whole = counted[root]
    return Explored(below, TreeSize(whole[:streets], whole[streets : 2 * streets], whole[2 * streets :]))


def _below(betting: Betting, s: State) -> Below:
    offered = betting.moves(s)
    return offered, [betting.merged(betting.play(s, move)) for move in offered]


def _sum(s: State, after: Iterable[State], counted: dict[State, Counts], streets: int) -> Counts:
    """The nodes of a subtree: the state itself, the ends right after it, and the subtrees of the others."""
    own = [0] * (3 * streets)
    own[s.street] = 1
    for child in after:
        if child.mover == OVER:
            own[child.street + streets * (1 if child.folded != NOBODY else 2)] += 1
    return tuple(map(sum, zip(own, *(counted[child] for child in after if child.mover != OVER))))


def estimated_nodes(betting: Betting, seed: int = 0) -> float:
    """About how many nodes a betting tree has: right on average, exact if no depth has more states than are kept.

    Random lines, each weighted by how unlikely it was, estimate a tree [Knuth 1975]. What differs: all lines are
    followed at once, depth by depth, those to one state together, and chance decides only where a depth has too many.
    """
    dice = random.Random(seed)
    lines: dict[State, float] = {betting.merged(betting.root()): 1}
    nodes, moves = 1.0, 0
    while lines:
        after = defaultdict[State, float](float)
        for s, count in lines.items():
            children = _below(betting, s)[1]
            nodes += count * len(children)
            moves += len(children)
            for child in children:
                if child.mover != OVER:
                    after[child] += count
        lines = _kept(after, KEPT if moves < MANY_MOVES else KEPT_LATER, dice)
    return nodes


def _kept(lines: dict[State, float], most: int, dice: random.Random) -> dict[State, float]:
    """At most so many states, chosen half by their lines and half evenly, so that rare long lines are met too.

    Evenly spaced places, the first at random, choose them (systematic sampling); each choice divides the lines of its
    state by how often that state is chosen on average, so that sums over states are right on average.
    """
    if len(lines) <= most:
        return lines
    total, place, passed = sum(lines.values()), dice.random(), 0.0
    found = defaultdict[State, float](float)
    for s, count in lines.items():
        expected = most * (count / total + 1 / len(lines)) / 2
        passed += expected
        while place < passed:
            found[s] += count / expected
            place += 1
    return found


def roughly(number: float) -> str:
    """A number with two digits: 310,000 or 4.2e+10."""
    rounded = float(f"{number:.1e}")
    return f"{int(rounded):,}" if rounded < 1e9 else f"{rounded:.1e}"
