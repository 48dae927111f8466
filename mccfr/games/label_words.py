"""Labels of infosets read aloud: `Q:cb` is "Player 0 holds the queen; the line so far: check, bet"."""

import re
from collections.abc import Callable
from typing import Any

CARDS = {"J": "the jack", "Q": "the queen", "K": "the king"}
SUITS = {"c": "clubs", "s": "spades", "h": "hearts", "d": "diamonds"}
MOVES = {"f": "fold", "a": "all-in"}
OUTCOMES = {"w": "won", "l": "lost", "t": "tied"}
BET = re.compile(r"([a-z])(\d*)")
ROUND = re.compile(r"(\d+)([wlt])")
BLUFF = re.compile(r"^(?:.*/)?([1-9]+):([^=/]*)$")


def label_in_words(rules: Any, player: int, label: str) -> str:
    """What a player knows at an infoset, as a sentence without a full stop."""
    inner = getattr(rules, "game", rules)
    read = READERS.get(getattr(type(inner), "name", ""))
    said = None if read is None else read(inner, label)
    return f"Player {player} {said}" if said else f"Player {player} moves, and “{label}” stands for all it knows here"


def how_to_read(rules: Any) -> str:
    """A sentence about the labels of a game."""
    inner = getattr(rules, "game", rules)
    name = getattr(type(inner), "name", "")
    return SUITED_KUHN if name == "kuhn" and inner.suits > 1 else LEGENDS.get(name, LEGENDS[""])


def _kuhn(rules: Any, label: str) -> str | None:
    card, _, line = label.partition(":")
    rank, suit = card[:1], card[1:]
    if rank not in CARDS or suit not in ("", *SUITS):
        return None
    return f"holds {CARDS[rank]}{' of ' + SUITS[suit] if suit else ''}; {_line_so_far(_kuhn_moves(line))}"


def _kuhn_moves(line: str) -> list[str]:
    return [{"c": "check", "b": "bet"}.get(letter, letter) for letter in line]


def _poker(rules: Any, label: str) -> str | None:
    """card:line, and in the second round /public:line."""
    first, _, second = label.partition("/")
    card, _, line = first.partition(":")
    if not second:
        return f"holds {_card(rules, card)}; {_line_so_far(_moves(line))}"
    public, _, later = second.partition(":")
    before, after = ", ".join(_moves(line)), _line_so_far(_moves(later), "the second round so far")
    return f"holds {_card(rules, card)}; the first round: {before}; the public card is {_card(rules, public)}; {after}"


def _card(rules: Any, card: str) -> str:
    if card.upper() in CARDS:
        second = " of the second suit" if card.islower() else " of the first suit" if rules.suits else ""
        return CARDS[card.upper()] + second
    rank, copy = re.fullmatch(r"(\d+)([a-z]?)", card).groups()  # type: ignore[union-attr]
    return f"a card of rank {rank}" + (f" (copy {copy})" if copy else "")


def _moves(line: str) -> list[str]:
    """c is a check or a call, r a bet or a raise: which of them depends on whether a bet stands."""
    said, facing = [], False
    for letter, size in BET.findall(line):
        word = {"c": "call" if facing else "check", "r": "raise" if facing else "bet"}.get(letter, MOVES.get(letter))
        facing = letter in "ra"
        said.append(f"{word or letter} {size}".strip())
    return said


def _preflop(rules: Any, label: str) -> str | None:
    """The big blind is a bet already: a first c calls it, and one after that checks."""
    hand, _, line = label.partition(":")
    said: list[str] = []
    for letter, size in BET.findall(line):
        word = {"c": "call" if not said or said[-1] != "call" else "check", "r": "raise"}.get(letter, MOVES.get(letter))
        said.append(f"{word or letter} {'to ' + size if size else ''}".strip())
    return f"holds {hand}; {_line_so_far(said)}"


def _goofspiel(rules: Any, label: str) -> str | None:
    _, _, seen = label.partition(":")
    rounds = [f"{bid} ({OUTCOMES[outcome]})" for bid, outcome in ROUND.findall(seen)]
    return f"has bid {', '.join(rounds)}" if rounds else "has not bid yet"


def _bluff(rules: Any, label: str) -> str | None:
    found = BLUFF.match(label)
    if not found:
        return None
    rounds = label.count("/")
    before = f"; {rounds} earlier round{'s' if rounds > 1 else ''}" if rounds else ""
    said = [_bid(bid) for bid in found[2].split(",") if bid]
    return f"has rolled {', '.join(found[1])}{before}; {_line_so_far(said, 'the bids so far')}"


def _bid(bid: str) -> str:
    quantity, _, face = bid.partition("-")
    return f"{quantity} × face {face}"


def _matrix(rules: Any, label: str) -> str | None:
    return f"chooses a {label}" if label in ("row", "column") else None


def _rock_paper_scissors(rules: Any, label: str) -> str | None:
    return "chooses, without seeing the other's choice"


def _line_so_far(moves: list[str], words: str = "the line so far") -> str:
    return f"{words}: {', '.join(moves)}" if moves else "nothing has been said yet" if "bids" in words else FIRST[words]


FIRST = {"the line so far": "nobody has moved yet", "the second round so far": "nobody has moved in the second round"}
READERS: dict[str, Callable[[Any, str], str | None]] = {
    "kuhn": _kuhn,
    "leduc": _poker,
    "gp": _poker,
    "nlph": _preflop,
    "goofspiel": _goofspiel,
    "bluff": _bluff,
    "rps": _rock_paper_scissors,
    "matrix": _matrix,
}
SUITED_KUHN = (
    "How to read a label: first the player's own card, a rank (J, Q or K) and a suit (clubs, spades, hearts or "
    "diamonds by their first letter), then the moves so far: c is a check, b a bet. Qs:cb is the queen of spades after "
    "a check and a bet."
)
POKER = "first the player's own card, then the moves: c is a check or a call, r a bet or a raise"
LEGENDS = {
    "": "A label stands for everything its player knows at that point of the game.",
    "kuhn": "How to read a label: first the player's own card (J, Q or K), then the moves so far: c is a check, b a "
    "bet. Q:cb is a queen after a check and a bet.",
    "leduc": f"How to read a label: {POKER}. After the slash come the public card and the moves of the second round.",
    "gp": f"How to read a label: {POKER}. After the slash come the public card and the moves of the second round.",
    "nlph": "How to read a label: first the hand (s: one suit, o: two suits), then the moves: f is a fold, c a check "
    "or a call, r a raise and a all-in.",
    "goofspiel": "How to read a label: the player's number, then each of its bids with w (won), l (lost) or t (tied).",
    "bluff": "How to read a label: the player's own dice, then the bids so far; 2-5 says that two dice show a five.",
    "rps": "Each player has one infoset: both choose without seeing the other's choice.",
    "matrix": "Each player has one infoset: both choose without seeing the other's choice.",
}
