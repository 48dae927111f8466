"""Names of games as people say them, and what to say where there is no such game."""

import re
from collections.abc import Container

from mccfr.grammar import plain_word

SPOKEN = {  # by the name we write; OpenSpiel's names are for games with the same rules
    "kuhn": ("kuhn_poker", "kuhns_poker"),
    "leduc": ("leduc_poker", "leduc_holdem", "leduc_hold_em"),
    "gp": ("generic_poker",),
    "goofspiel": ("gops",),
    "bluff": ("liars_dice", "liar_dice"),
    "rps": ("rock_paper_scissors", "roshambo", "rochambeau"),
    "matrix": ("matrix_game", "normal_form"),
    "nlph": ("preflop_holdem", "no_limit_preflop_holdem", "nolimit_preflop_holdem"),
}
ALIASES = {spoken: name for name, many in SPOKEN.items() for spoken in many}
_PENNIES = "matching pennies is matrix([[1,-1],[-1,1]])"
_HOLDEM = (
    "a spot of hold'em is spot(...), whole hands are holdem(BETTING), preflop only is nlph; smaller poker games are "
    "kuhn, leduc and gp"
)
HINTS = {  # what people look for, by words in the name
    r"hold_?em|texas|nlhe|hunl|poker|omaha": _HOLDEM,
    r"penn(y|ies)": _PENNIES,
    r"dice|dudo|perudo": "liar's dice is bluff(1,1)",
    r"matrix|bimatrix|prisoner": "a matrix game is matrix([[2,-1],[-1,1]])",
}
_NAME = re.compile(r"(?P<name>[^()\[\]{}:./\\]{1,60}?)\s*(?P<values>\(.*)?", re.DOTALL)


def as_written(text: str, known: Container[str]) -> str:
    """A game string with its name as we write it, if it is one of ours: `Leduc Poker` is `leduc`."""
    found = _NAME.fullmatch(text.strip())
    if found is None or found["name"] in known:
        return text
    word = plain_word(found["name"])
    name = ALIASES.get(word, word)
    return f"{name}{found['values'] or ''}" if name in known else text


def hint(name: str) -> str:
    """What somebody who asks for this game may be looking for; nothing if we cannot tell."""
    word = plain_word(name[:100])
    return next((words for pattern, words in HINTS.items() if re.search(pattern, word)), "")
