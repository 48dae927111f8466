"""Fits and tables, made when asked for."""

from typing import Any

from mccfr.buckets.bucketing import Bucketing, CardRules, Fit


def fitted(bucketing: Bucketing, cards: CardRules) -> Fit:
    """A bucketing fitted to a deck."""
    return Fit(bucketing, cards, bucketing.fit(cards))


def look_up(fit: Fit) -> Any:
    """What walks look rows up in."""
    return fit.bucketing.tables(fit)
