"""Strategies that come with the package: `blueprint:limit`, `blueprint:nolimit` and `blueprint:nolimit200`.

They are for heads-up hold'em with 52 cards, seen through clusters. Each is a file beside this one, and the fit of its
buckets is in mccfr/buckets/fits, so that it can be shown and played at once; tools/train_blueprint.py makes them.
"""

from pathlib import Path
from typing import NamedTuple

from mccfr.errors import StrategyError, nearest, quoted

FOLDER = Path(__file__).parent
PREFIX = "blueprint:"


class Blueprint(NamedTuple):
    """What a strategy of ours is for, and how it is made."""

    game: str
    method: str
    about: str


TRAINING = "external+weighted(power=1)+linear"
BLUEPRINTS = {
    "limit": Blueprint("holdem(limit, emd(500))", TRAINING, "limit hold'em, blinds 1 and 2, bets 2 and 4"),
    "nolimit": Blueprint(
        "holdem(nolimit(stack=200, blinds='1 2', bet='50%,100%,a', raise_='100%,a', cap=3), emd(500))",
        TRAINING,
        "no-limit hold'em, 100 big blinds, bets of half the pot and the pot, raises of the pot and all-in",
    ),
    "nolimit200": Blueprint(
        "holdem(nolimit(stack=400, blinds='1 2', bet='50%,100%,a', raise_='100%,a', cap='4 3'), emd(500))",
        TRAINING,
        "no-limit hold'em, 200 big blinds, as ACPC and Slumbot play it",
    ),
}


def blueprint_file(text: str) -> Path:
    """The file of a strategy of ours, `blueprint:limit`."""
    name = text.removeprefix(PREFIX).strip()
    if name not in BLUEPRINTS:
        raise StrategyError(f"no blueprint {quoted(name)}; {nearest(name, BLUEPRINTS)}")
    return FOLDER / f"{name}.mccfr"
