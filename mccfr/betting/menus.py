"""Which sizes are offered: by street, by player, and for bets, raises and donk bets.

A menu has sizes for all streets and players, and tables that override some of them:

    {"turn": {"bet": "50%", "oop": {"bet": "33%"}}, "ip": {"raise_": "3x"}}

What is said of a player on a street counts most, then what is said of the street, then of the player, then the rest.
Where nothing is said of raises they have the sizes of bets.
A donk bet is the first bet of a street by a player who called the last bet of the street before. Where nothing is said
of donk bets they are like other bets.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from mccfr.betting.sizes import Size, parse_sizes, sizes_text
from mccfr.errors import BettingError, nearest, quoted

STREETS = ("preflop", "flop", "turn", "river")
POSITIONS = ("oop", "ip")  # out of position, in position
KINDS = ("bet", "raise_", "donk_")

Sizes = tuple[Size, ...]
Table = dict[str, Any]  # of sizes as text, and of tables


class Offer(NamedTuple):
    """The sizes of one player on one street."""

    bet: Sizes
    raise_: Sizes
    donk_: Sizes


class Menu(NamedTuple):
    """Sizes for every street (0 is preflop) and position (0 is out of position)."""

    offers: tuple[tuple[Offer, Offer], ...]

    def at(self, street: int, position: int) -> Offer:
        """The sizes of a position on a street."""
        return self.offers[street][position]


def make_menu(default: Mapping[str, str | None], tables: Mapping[str, Table | None]) -> Menu:
    """The menu of sizes for all (`bet`, `raise_`, `donk_`) and tables by street and position that override them."""
    given = {name: table for name, table in tables.items() if table}

    def offer(street: str, position: str) -> Offer:
        by_street = given.get(street, {})
        layers = [by_street.get(position, {}), by_street, given.get(position, {}), default]
        said = [next((layer[kind] for layer in layers if layer.get(kind) is not None), None) for kind in KINDS]
        bet, raise_, donk = (_sizes(kind, text) for kind, text in zip(KINDS, said))
        return Offer(bet, bet if said[1] is None else raise_, bet if said[2] is None else donk)

    return Menu(tuple((offer(street, "oop"), offer(street, "ip")) for street in STREETS))


def canonical_sizes(kind: str, text: Any) -> str:
    """Sizes of a kind written canonically."""
    return sizes_text(parse_sizes(text, kind == "raise_", kind))


def canonical_table(name: str, table: Any) -> Table | None:
    """A table that overrides sizes, checked and written canonically; one that says nothing is None."""
    if table is None:
        return None
    keys = (*KINDS, *POSITIONS) if name in STREETS else KINDS
    if not isinstance(table, Mapping):
        raise BettingError(f"{name} must be a table such as {{'bet': '33%'}}, got {quoted(table)}")
    for key in table:
        if key not in keys:
            raise BettingError(f"{name} has no {quoted(key)}: {nearest(str(key), keys)}")
    made: Table = {}
    for key in keys:
        if table.get(key) is not None:
            inner = key in POSITIONS
            value = canonical_table(f"{name}.{key}", table[key]) if inner else _canonical_in(name, key, table[key])
            if value is not None:
                made[key] = value
    return made or None


def _canonical_in(name: str, kind: str, text: Any) -> str:
    return sizes_text(parse_sizes(text, kind == "raise_", f"{name}.{kind}"))


def _sizes(kind: str, text: str | None) -> Sizes:
    return parse_sizes(text or "", kind == "raise_", kind)
