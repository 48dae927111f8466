"""The decision at a gate among the infosets of hold'em with every card: its rows, labels and table entries.

See `mccfr.kernel.gates`. `StopOrFollow` has a row for each hand of its owner, labelled `AsKd:gate`, with the actions
`stop` and `follow`; `ChooseHand` has one row, `gate`, whose actions are the hands. They come before everything else of
the owner, in infosets and in tables alike, since a player's infosets are in an order that has parents before children.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.kernel.street_layout import ChooseHand, Open, StopOrFollow

AnyGate = Open | StopOrFollow | ChooseHand
GATE = "gate"
GATE_VECTORS = 3  # what two actions of a gate are worth, and the gate; or the hands that can be chosen, and the gate
STOP, FOLLOW = "stop", "follow"


class GateRows(NamedTuple):
    """Where the rows of a gate are: as many as its decision has hands to tell apart, none if there is no gate."""

    owner: int = -1
    first: int = 0  # table entry
    rows: int = 0
    actions: int = 0
    chooses: bool = False  # the hand

    @property
    def size(self) -> int:
        """Table entries."""
        return self.rows * self.actions

    @property
    def lanes(self) -> int:
        """Lanes of packed tables: one for each action, over all rows."""
        return self.actions if self.rows else 0

    @property
    def span(self) -> slice:
        """All its table entries."""
        return slice(self.first, self.first + self.size)

    def rows_of(self, player: int) -> int:
        """How many of a player's infosets are at the gate."""
        return self.rows if player == self.owner else 0

    def lanes_to_rows(self, lanes: npt.NDArray[Any], rows: npt.NDArray[Any]) -> None:
        """[action][hand] as [hand][action]."""
        rows[self.span] = lanes[self.span].reshape(self.actions, self.rows).T.reshape(-1)

    def rows_to_lanes(self, rows: npt.NDArray[Any], lanes: npt.NDArray[Any]) -> None:
        """[hand][action] as [action][hand]."""
        lanes[self.span] = rows[self.span].reshape(self.rows, self.actions).T.reshape(-1)

    def unpack(self, lanes: npt.NDArray[Any], unit: npt.NDArray[np.float32], lane: int, rows: npt.NDArray[Any]) -> None:
        """Packed lanes, of which the first has the number `lane`, as rows."""
        units = unit[lane : lane + self.lanes]
        rows[self.span] = (lanes[self.span].reshape(self.lanes, -1) * units[:, None]).T.reshape(-1) if self.rows else 0

    def load(self, weights: npt.NDArray[Any], lanes: npt.NDArray[Any], leaders: npt.NDArray[np.int64]) -> None:
        """Weights in rows as a strategy in lanes. Hands that share a strategy have the first's."""
        if self.rows:
            table = self.normalise(weights)[0].reshape(self.rows, self.actions)
            lanes[self.span] = (table if self.chooses else table[leaders]).T.reshape(-1)

    def normalise(self, weights: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
        """Weights as probabilities, row by row, even where all are 0; and which rows have any."""
        table = weights[self.span].reshape(self.rows, self.actions)
        total = table.sum(axis=1, keepdims=True)
        some = total > 0
        found = np.where(some, table / np.where(some, total, 1), 1 / self.actions)
        return found.reshape(-1), some[:, 0]


def rows_of_gate(gate: AnyGate) -> GateRows:
    """Where the rows of a gate are."""
    if isinstance(gate, StopOrFollow):
        return GateRows(int(gate.owner), int(gate.first), len(gate.pays), 2)
    if isinstance(gate, ChooseHand):
        return GateRows(int(gate.owner), int(gate.first), 1, len(gate.pays), True)
    return GateRows()


def in_precision(gate: AnyGate, kind: npt.DTypeLike, rounding: float) -> AnyGate:
    """A gate for tables of some precision, in which this share of the largest sum is rounding."""
    if isinstance(gate, Open):
        return gate
    gate = gate._replace(tie=rounding * gate.tie)
    return type(gate)(*(np.asarray(x, kind) if isinstance(x, np.ndarray) else x for x in gate))


def gate_memory(gate: AnyGate, weights: npt.NDArray[Any], stride: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """The owner's reach before a gate, and room for those after it: three vectors, or none if there is no gate.

    weights: how often the owner's hands are dealt. A hand that is chosen is chosen once: the first number is 1.
    """
    if isinstance(gate, Open):
        return np.zeros(0, dtype)
    found = np.zeros(GATE_VECTORS * stride, dtype)
    if isinstance(gate, StopOrFollow):
        found[: len(weights)] = weights
    else:
        found[0] = 1
    return found
