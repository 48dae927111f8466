"""All positions of a street of hold'em with every card, laid out for the kernel: ranges, and what they were worth.

A position is a root of betting on a board. Its vectors lie side by side, [board][root][hand], with the hands of a board
in the order in which sweeps have them. Ranges are scaled so that a hand of each player counts 1 on average, since
positions are games of their own, and those that are seldom reached are to be solved as well as the others.

What reaching a position was worth to the opponent's hand j is kept as sweeps count it, c w(j) alt(j), where c is the
same for all hands and positions of a street; so nothing is divided where w(j) is 0.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.evaluate.street_sweeps import StreetSweeps
from mccfr.evaluate.street_values import judging
from mccfr.kernel.position_gates import CHOOSE_HAND, OPEN, STOP_OR_FOLLOW, Gate, Ranges
from mccfr.kernel.position_sweeps import sweep_positions
from mccfr.resolving.trunk import Trunk, met

Floats = npt.NDArray[np.float64]
LEAST_WEIGHT = 1e-9  # of that of all hands: a hand that meets less is not chosen
TABLES = "pays", "against", "regret", "current"  # of a gate, in the precision of sweeps
_NO_HANDS = np.zeros(0, np.uint16)
NO_GATE = Gate(OPEN, np.uint64(2), np.zeros(0), np.zeros(0), _NO_HANDS, _NO_HANDS, np.zeros(0), np.zeros(0))


class StreetPositions:
    """The positions of a street after the first, under the strategy of a trunk.

    Attributes:
        reach: Of each player, [boards, roots, stride] its range, scaled.
        weight: Of each player, [boards, roots, stride] w(j): the scaled weight of the hands that hand j can meet.
        size: Of each player, [boards, roots] by what its range was divided; 0 where it never comes.
    """

    def __init__(self, trunk: Trunk) -> None:
        self.trunk, tree = trunk, trunk.tree
        self.tree = tree
        self.boards = np.flatnonzero(tree.boards.street == trunk.street)
        shape = len(self.boards), len(trunk.exits), tree.largest_infoset
        self.reach = np.zeros(shape), np.zeros(shape)
        self.weight = np.zeros(shape), np.zeros(shape)
        self.size = np.zeros(shape[:2]), np.zeros(shape[:2])
        for row, (board, ranges) in enumerate(trunk.ranges()):
            for p in (0, 1):
                self._put(row, board, p, ranges[:, p])

    def _put(self, row: int, board: int, p: int, ranges: Floats) -> None:
        """ranges: [roots, hands] of a player on a board."""
        mine, theirs = (self.tree.boards.members[2 * board + q] for q in (p, 1 - p))
        size = ranges.sum(axis=1) / max(len(mine), 1)
        scaled = np.divide(ranges, size[:, None], out=np.zeros_like(ranges), where=size[:, None] > 0)
        self.size[p][row] = size
        self.reach[p][row, :, : len(mine)] = scaled[:, mine]
        self.weight[1 - p][row, :, : len(theirs)] = met(self.trunk.deck, scaled)[:, theirs]

    def by_hand(self, values: Floats, player: int) -> dict[int, Floats]:
        """By board, [roots, hands of the deck] what is laid out here, [boards, roots, stride]."""
        found = {}
        for row, board in enumerate(self.boards.tolist()):
            mine = self.tree.boards.members[2 * board + player]
            found[board] = np.zeros((values.shape[1], len(self.trunk.deck.cards)))
            found[board][:, mine] = values[row, :, : len(mine)]
        return found

    def from_hands(self, by_board: dict[int, Floats], player: int) -> Floats:
        """The reverse of `by_hand`."""
        found = np.zeros_like(self.reach[0])
        for row, board in enumerate(self.boards.tolist()):
            mine = self.tree.boards.members[2 * board + player]
            found[row, :, : len(mine)] = by_board[board][:, mine]
        return found

    def gate(self, opponent: int, paid: Floats | None, chooses_hand: bool, kind: npt.DTypeLike) -> Gate:
        """The gate of a gadget before every position, which has learned nothing yet; none if nothing is paid."""
        if paid is None:
            found = NO_GATE
        elif chooses_hand:
            found = self._choosing_gate(opponent, paid)
        else:
            found = self._stopping_gate(opponent, paid)
        floats = {name: getattr(found, name).reshape(-1).astype(kind) for name in TABLES}
        return found._replace(**floats, hand=found.hand.reshape(-1), count=found.count.reshape(-1))

    def _stopping_gate(self, opponent: int, paid: Floats) -> Gate:
        """Before the first iteration every hand follows."""
        lanes = np.zeros((*paid.shape[:2], 2 * paid.shape[2]))
        for row, board in enumerate(self.boards.tolist()):
            hands = len(self.tree.boards.members[2 * board + opponent])
            lanes[row, :, hands : 2 * hands] = 1.0
        return NO_GATE._replace(
            kind=STOP_OR_FOLLOW, opponent=np.uint64(opponent), pays=paid, regret=np.zeros_like(lanes), current=lanes
        )

    def _choosing_gate(self, opponent: int, paid: Floats) -> Gate:
        """Before the first iteration hands are chosen as often as others meet them."""
        weight = self.weight[opponent]
        total = weight.sum(axis=2, keepdims=True)
        can = weight > LEAST_WEIGHT * total
        hand = np.argsort(~can, axis=2, kind="stable")  # those that can be chosen come first
        against = np.divide(weight, total, out=np.ones_like(weight), where=can)
        pays, against, current = (
            np.take_along_axis(each, hand, axis=2) for each in (paid, against, np.where(can, against, 0.0))
        )
        places = hand.astype(np.uint16), can.sum(axis=2).astype(np.uint16)
        return Gate(CHOOSE_HAND, np.uint64(opponent), pays, against, *places, np.zeros_like(pays), current)

    def ranges(self, kind: npt.DTypeLike) -> Ranges:
        """For the kernel."""
        reach = [reach.reshape(-1).astype(kind) for reach in self.reach]
        return Ranges((reach[0], reach[1]), (np.zeros_like(reach[0]), np.zeros_like(reach[1])))

    def worth(self, way: int, player: int, table: Any, workers: int = 1) -> Floats:
        """[boards, roots, stride] what positions are worth to a player against the scaled ranges, by a table."""
        sweeps, ranges = StreetSweeps(self.tree, np.float64, 1), self.ranges(np.float64)
        self.sweep(1, judging(np.uint64(way)), NO_GATE, (player, player + 1), table, ranges, sweeps, workers)
        return ranges.value[player].reshape(self.reach[0].shape)

    def sweep(
        self,
        iterations: int,
        actor: Any,
        gate: Gate,
        players: tuple[int, int],
        table: Any,
        ranges: Ranges,
        sweeps: StreetSweeps,
        workers: int = 1,
    ) -> None:
        """Iterations of all positions; boards are shared out to workers, since none knows of another."""
        street, first = np.uint64(self.trunk.street), np.uint64(self.boards[0])
        who = np.uint64(players[0]), np.uint64(players[1])
        cuts = np.linspace(self.boards[0], self.boards[-1] + 1, workers + 1).astype(np.uint64)

        def go(j: int) -> None:
            work, some = self.tree.street_work(sweeps.lines.worth.dtype), (cuts[j], cuts[j + 1])
            sweep_positions(
                iterations, actor, gate, who, street, some, first, sweeps.lines, self.tree.boards.boards, table, ranges,
                work, sweeps.kept,
            )  # fmt: skip

        if workers == 1:
            go(0)
            return
        with ThreadPoolExecutor(workers, "mccfr") as pool:
            for future in [pool.submit(go, j) for j in range(workers)]:
                future.result()
