"""Tables of values, which all `ehs2` of a deck share: made once, then kept in the cache folder."""

from pathlib import Path

from mccfr.buckets.bucketing import CardRules, Watch, no_watch
from mccfr.buckets.hand_squares import STREET_NAMES, Values, check_rules, first_values, later_values, value_type
from mccfr.buckets.kept import kept_arrays, kept_file

EDITION = 1  # raise this when values change


def value_table(cards: CardRules, street: int, workers: int = 0, watch: Watch = no_watch) -> Values:
    """[hands by `cards.seen(street)`] the values of a street."""
    check_rules(cards)

    def make() -> dict[str, Values]:
        table = later_values(cards, street, workers, watch) if street else first_values(cards, workers, watch)
        return {"value": table}

    key = f"hand squares {EDITION}, {cards}, street {street}"
    kinds = {"value": (value_type(cards, street), (cards.seen(street).size,))}
    return kept_arrays(_file(cards, street), key, kinds, make, lambda arrays: "")["value"]


def values_kept(cards: CardRules) -> bool:
    """Whether the tables of all streets lie in the cache folder, so that they need not be made."""
    files = [_file(cards, street) for street in range(cards.streets)]
    return all(path is not None and path.exists() for path in files)


def _file(cards: CardRules, street: int) -> Path | None:
    """Where the table of a street is kept; None if nothing is kept."""
    deck = f"{cards.ranks}x{cards.suits}-{'.'.join(map(str, cards.deals))}"
    return kept_file(f"values-{deck}-{STREET_NAMES[street]}.mccfr")
