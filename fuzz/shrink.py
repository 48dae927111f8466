"""Smaller cases with the same fault: lists lose elements and texts lose pieces, for as long as that helps."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

Case = dict[str, Any]
SECONDS = 2.0  # for small ones
PARTS = ("ops", "faults", "messages", "requests", "text", "source")  # of a case, that it can do with less of


def shrunk(case: Case, still_fails: Callable[[Case], bool], attempts: int = 200, lists_only: bool = False) -> Case:
    """The smallest case found greedily; with `lists_only` in few large steps."""
    until = time.monotonic() + SECONDS
    progress = True
    while progress:
        progress = False
        for smaller in _reductions(case, lists_only):
            attempts -= 1
            if attempts < 0 or (time.monotonic() > until and not lists_only):
                return case
            if still_fails(smaller):
                case, progress = smaller, True
                break
    return case


def size(case: Case) -> int:
    """How large a case is, as text."""
    return len(json.dumps(case))


def _reductions(case: Case, lists_only: bool) -> Iterator[Case]:
    for key, value in case.items():
        if key in PARTS and not (lists_only and isinstance(value, str)):
            yield from ({**case, key: less} for less in _less(value))


def _less(value: list[Any] | str) -> Iterator[Any]:
    """Without large pieces first, then without small ones; then with smaller texts inside."""
    length = piece = len(value)
    while piece := piece // 2:
        for start in range(0, length, piece):
            yield value[:start] + value[start + piece :]
    if length == 1 and isinstance(value, list):
        yield []
    if isinstance(value, list):
        for j, element in enumerate(value):
            if isinstance(element, str) and len(element) > 8:
                yield from ([*value[:j], less, *value[j + 1 :]] for less in _less(element))
