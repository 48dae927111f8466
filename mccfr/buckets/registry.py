"""From strings to bucketings."""

from mccfr.buckets.bucketing import Bucketing
from mccfr.buckets.canonical import Exact

NAMED: dict[str, type[Bucketing]] = {"exact": Exact}


def make_bucketing(given):
    """A bucketing."""
    return given if isinstance(given, Bucketing) else NAMED[getattr(given, "name", given)]()
