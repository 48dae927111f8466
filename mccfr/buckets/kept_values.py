"""Tables of values, which all `ehs2` of a deck share: made once, then kept in the cache folder."""

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

    deck = f"{cards.ranks}x{cards.suits}-{'.'.join(map(str, cards.deals))}"
    name, key = f"values-{deck}-{STREET_NAMES[street]}.mccfr", f"hand squares {EDITION}, {cards}, street {street}"
    kinds = {"value": (value_type(cards, street), (cards.seen(street).size,))}
    return kept_arrays(kept_file(name), key, kinds, make, lambda arrays: "")["value"]
