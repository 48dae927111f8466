"""Matrix games: both players choose at once, and a table says what player 0 wins."""

import dataclasses
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

from mccfr.errors import GameError, quoted
from mccfr.games.base import TERMINAL, RuleBook
from mccfr.games.parameters import require_number

State = tuple[str, ...]  # the actions chosen so far


@dataclasses.dataclass(frozen=True)
class Matrix(RuleBook):
    """Player 0 picks a row, player 1 picks a column without seeing it, and player 0 wins payoffs[row][column].

    The game is zero-sum. The infosets are `row` and `column`; the actions are called r0, r1, ... and c0, c1, ... unless
    you give names.
    """

    name: ClassVar[str] = "matrix"

    payoffs: Sequence[Sequence[float]]
    rows: Sequence[str] | None = None
    columns: Sequence[str] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "payoffs", self._as_table(self.payoffs))
        object.__setattr__(self, "rows", self._as_names("rows", self.rows, len(self.payoffs)))
        object.__setattr__(self, "columns", self._as_names("columns", self.columns, len(self.payoffs[0])))

    def root(self) -> State:
        return ()

    def player(self, s: State) -> int:
        return (0, 1, TERMINAL)[len(s)]

    def actions(self, s: State) -> tuple[str, ...]:
        return self._labels[len(s)]

    def chances(self, s: State) -> tuple[tuple[str, float], ...]:
        return ()

    def step(self, s: State, a: str) -> State:
        return (*s, a)

    def infoset(self, s: State) -> str:
        return "column" if s else "row"

    def payoff(self, s: State) -> tuple[float, float]:
        rows, columns = self._positions
        player0 = self.payoffs[rows[s[0]]][columns[s[1]]]
        return (player0, -player0)

    @cached_property
    def _labels(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        rows = self.rows or [f"r{row}" for row in range(len(self.payoffs))]
        columns = self.columns or [f"c{column}" for column in range(len(self.payoffs[0]))]
        return tuple(rows), tuple(columns)

    @cached_property
    def _positions(self) -> tuple[dict[str, int], dict[str, int]]:
        rows, columns = self._labels
        return {row: j for j, row in enumerate(rows)}, {column: j for j, column in enumerate(columns)}

    def _as_table(self, payoffs: Any) -> tuple[tuple[float, ...], ...]:
        shape = f"{self.name}: payoffs must be rows of equal length such as [[1, -1], [-1, 1]]"
        if not isinstance(payoffs, list | tuple) or not all(isinstance(row, list | tuple) for row in payoffs):
            raise GameError(f"{shape}, got {quoted(payoffs)}")
        lengths = sorted({len(row) for row in payoffs})
        if len(lengths) != 1 or lengths == [0]:
            raise GameError(f"{shape}, got {f'rows of {quoted(lengths)} entries' if lengths else 'no rows'}")
        for r, row in enumerate(payoffs):
            for c, value in enumerate(row):
                require_number(self.name, f"payoffs[{r}][{c}]", value)
        return tuple(map(tuple, payoffs))

    def _as_names(self, parameter: str, names: Any, count: int) -> tuple[str, ...] | None:
        if names is None:
            return None
        sound = isinstance(names, list | tuple) and all(isinstance(name, str) and name for name in names)
        if not sound or len(set(names)) != len(names) or len(names) != count:
            raise GameError(f"{self.name}: {parameter} must be {count} different names, got {quoted(names)}")
        return tuple(names)


@dataclasses.dataclass(frozen=True)
class RockPaperScissors(Matrix):
    """Rock beats scissors, scissors beat paper, paper beats rock. The winner gets 1. The value is 0."""

    name: ClassVar[str] = "rps"

    payoffs: Sequence[Sequence[float]] = dataclasses.field(
        default=((0, -1, 1), (1, 0, -1), (-1, 1, 0)), init=False, repr=False
    )
    rows: Sequence[str] | None = dataclasses.field(default=("rock", "paper", "scissors"), init=False, repr=False)
    columns: Sequence[str] | None = dataclasses.field(default=("rock", "paper", "scissors"), init=False, repr=False)
