"""What the page offers in its menus."""

from typing import Any

import mccfr
from mccfr.auditing.exhibits import EXHIBITS
from mccfr.solvers.method import Method
from mccfr.web.admit import Given
from mccfr.web.explain import about_method
from mccfr.web.glossary import glossary
from mccfr.web.messages import Open
from mccfr.web.opponents import Opponents

GAMES = {
    "kuhn": "Kuhn poker: 3 cards, 12 infosets",
    "leduc": "Leduc hold'em: 6 cards, 936 infosets",
    "goofspiel(3)": "Goofspiel with 3 cards",
    "goofspiel(4)": "Goofspiel with 4 cards",
    "bluff(1, 1, faces=3)": "Liar's dice, one die each, 3 faces",
    "rps": "Rock, paper, scissors",
    "dealt:kuhn(suits=2)": "Kuhn poker with two suits, as public states with hands",
    "dealt:leduc": "Leduc hold'em as public states with hands",
    "nlph": "No-limit preflop hold'em, 169 classes of hands",
}
AGENTS = {
    "blueprint:nolimit": "No-limit hold'em: the strategy that comes with the package",
    "blueprint:limit": "Limit hold'em: the strategy that comes with the package",
}
METHODS = (
    *(
        "external",
        "outcome",
        "outcome+history",
        "outcome+infoset",
        "outcome+predictive",
        "robust(1)",
        "robust(1)+probe",
    ),
    *("average_strategy", "chance", "cfr", "cfr_plus", "dcfr", "lcfr", "pcfr_plus", "external+page_rule"),
)


def about(given: Given) -> dict[str, Any]:
    """Version, games, methods, which of these are wrong on purpose, and what words mean."""
    games = {**{text: text for text in given.games}, **GAMES}
    return {
        "version": mccfr.__version__,
        "games": [{"name": name, "title": title} for name, title in games.items()],
        "methods": [_method(text) for text in dict.fromkeys((*given.methods, *METHODS))],
        "exhibits": list(EXHIBITS),
        "agents": [{"name": name, "title": AGENTS.get(name, name)} for name in Opponents(given.agents).names],
        "glossary": glossary(),
    }


def offered(wish: Open, given: Given) -> bool:
    """Whether all that a page wishes to open is in its menus, or was named on the command line."""
    methods = {*given.methods, *METHODS, None}
    return wish.game in {*given.games, *GAMES} and wish.method in methods and wish.other in methods


def _method(text: str) -> dict[str, str]:
    known = about_method(Method.parse(text))
    return {"text": text, "title": known["title"], "about": known["about"]}
