"""Tables of values, which all `ehs2` of a deck share: made once, then kept in the cache folder."""

from mccfr.buckets.bucketing import CardRules, Watch, no_watch
from mccfr.buckets.hand_squares import Values, first_values, later_values


def value_table(cards: CardRules, street: int, workers: int = 1, watch: Watch = no_watch) -> Values:
    """[hands by `cards.seen(street)`] the values of a street."""
    return later_values(cards, street, workers, watch) if street else first_values(cards, workers, watch)
