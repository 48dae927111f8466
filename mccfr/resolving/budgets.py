"""How much a position may cost, iterations, evaluations or seconds, and when its solution is good enough.

An evaluation is what an ending or a leaf pays. It is counted once for a public state that is evaluated for all hands,
or once for each pair of hands: a paper may mean either [Davis, Schmid, Bowling 2019, section 7].
"""

import re
from typing import Any, NamedTuple

from mccfr.amounts import AmountError, read_count, read_seconds
from mccfr.errors import quoted
from mccfr.resolving.gadgets import ResolvingError

FORMS = "'1000 iterations', '10k evaluations', '10k evaluations per history' or '2s'"
LEAST_TIME = 1e-6  # seconds
_COUNTED = re.compile(r"\s*(\S+)\s+(iterations?|evaluations?(?:\s+per\s+(?:public\s+state|history))?)\s*", re.I)


class Budget(NamedTuple):
    """How much a position may cost: one of the first three, or at a table a target and at most so many iterations.

    Attributes:
        iterations: Iterations of the method.
        evaluations: Endings and leaves evaluated; not at a table.
        seconds: Seconds of wall time.
        by_history: Whether evaluations are counted for each pair of hands.
        target: Exploitability of the game with its gadget that is good enough, as a share of the pot; at a table only.
    """

    iterations: int | None = None
    evaluations: int | None = None
    seconds: float | None = None
    by_history: bool = False
    target: str | None = None

    def left(self, spent: float) -> float | None:
        """Seconds that are left for iterations, of which there is at least one; None if time does not decide."""
        return None if self.seconds is None else max(self.seconds - spent, LEAST_TIME)

    def __str__(self) -> str:
        if self.target is not None:
            return f"{self.target} of the pot"
        if self.iterations is not None:
            return f"{self.iterations} iterations"
        if self.evaluations is not None:
            return f"{self.evaluations} evaluations{' per history' if self.by_history else ''}"
        return f"{self.seconds:g}s"


def read_budget(given: Any) -> Budget:
    """A budget as people write it; a whole number means iterations."""
    if isinstance(given, Budget):
        found = given
    elif isinstance(given, int) and not isinstance(given, bool):
        found = Budget(iterations=given)
    elif isinstance(given, str):
        found = _read(given)
    else:
        raise ResolvingError(f"{quoted(given)} is no budget: write {FORMS}")
    if found.target is not None:
        raise ResolvingError(
            f"a target of {quoted(found.target)} is for positions of hold'em at a table: write {FORMS}"
        )
    amounts = [each for each in found[:3] if each is not None]
    if len(amounts) != 1 or not 0 < amounts[0] < float("inf"):
        raise ResolvingError(
            f"a budget of {found if len(amounts) == 1 else quoted(given)} solves nothing: write {FORMS}"
        )
    return found


def _read(text: str) -> Budget:
    counted = _COUNTED.fullmatch(text)
    try:
        if counted is None:
            if text.strip().replace(".", "").isdigit():
                raise ResolvingError(f"{quoted(text)} is no budget: write {FORMS}")
            return Budget(seconds=read_seconds(text))
        count, unit = read_count(counted[1]), " ".join(counted[2].lower().split())
    except AmountError as error:
        raise ResolvingError(f"budget: {error}") from None
    if unit.startswith("iteration"):
        return Budget(iterations=count)
    return Budget(evaluations=count, by_history=unit.endswith("history"))
