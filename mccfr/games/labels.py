"""Action labels from other people's games, which need not be unique there but are here."""

from collections import Counter
from collections.abc import Sequence


def distinct(labels: Sequence[str], marks: Sequence[int]) -> tuple[str, ...]:
    """The labels, with `#mark` after those that occur twice; the marks must differ."""
    times = Counter(labels)
    named = tuple(a if times[a] == 1 else f"{a}#{mark}" for a, mark in zip(labels, marks))
    if len(set(named)) == len(named):
        return named
    return tuple(f"{a}#{mark}" for a, mark in zip(labels, marks))
