"""Moves as buttons and sentences: `Raise to 12`, `half pot`, `calls 4`; and from what a page sends back to a move."""

from fractions import Fraction

from mccfr.betting.lines import ALL_IN, BETS, CALLS, CHECKS, FOLDS, LETTERS, Move, State
from mccfr.betting.structures import Limit
from mccfr.playing.simple_policies import pot_raise
from mccfr.playing.table import Table
from mccfr.playing.translation import share_of_pot

HALF = Fraction(1, 2)
NAMED_SHARES = {Fraction(1, 4): "¼ pot", Fraction(1, 3): "⅓ pot", HALF: "½ pot", Fraction(1): "pot"}


def asked_of(s: State) -> int:
    """Chips that the mover has to put in to call."""
    return max(s.stakes[1 - s.mover] - s.stakes[s.mover], 0)


def spoken(s: State, move: Move) -> str:
    """A move as a button says it: `Call 4`, `Raise to 12`, `All-in 200`."""
    if move.kind == CALLS:
        return f"Call {asked_of(s)}"
    if move.kind < BETS:
        return move.label.capitalize()
    words = {ALL_IN: "All-in"}.get(move.kind, "Bet" if s.stakes[1 - s.mover] == s.opened else "Raise to")
    return f"{words} {move.amount}"


def told_move(s: State, move: Move, you: bool) -> str:
    """A move in a sentence of which the player is the subject: `raise to 12`, `raises to 12`."""
    word = "" if you else "s"
    raising = "bet" if s.stakes[1 - s.mover] == s.opened else "raise"
    return {
        FOLDS: f"fold{word}",
        CHECKS: f"check{word}",
        CALLS: f"call{word} {asked_of(s)}",
        ALL_IN: f"{'go' if you else 'goes'} all-in with {move.amount}",
    }.get(move.kind, f"{raising}{word} {'to ' if raising == 'raise' else ''}{move.amount}")


def size_words(table: Table, s: State, move: Move) -> str:
    """A bet or raise as a share of the pot after calling, where there is a choice; nothing for all the chips."""
    if move.kind < BETS or move.kind == ALL_IN or isinstance(table.betting, Limit):
        return ""
    share = share_of_pot(move.amount, s.stakes[1 - s.mover], s.opened)
    return NAMED_SHARES.get(share, f"{float(share):.0%} pot")


def offered_bets(table: Table, s: State, tree: list[Move]) -> list[Move]:
    """Bets and raises that have a button, from small to large: half pot, pot, all-in, and the sizes of a tree."""
    bounds = table.legal(s).bounds
    if bounds is None:
        return []
    found = {move for move in tree if move.kind >= BETS and not table.problem(s, move)}
    if not isinstance(table.betting, Limit):
        found.add(half_pot(table, s))
        found.add(table.raise_to(s, bounds[1]))
    found.add(pot_raise(table, s))
    return sorted(found, key=lambda move: move.amount)


def half_pot(table: Table, s: State) -> Move:
    """A bet or raise of half the pot as it is after calling, or the nearest that is legal."""
    theirs = s.stakes[1 - s.mover]
    return table.nearest(s, 2 * theirs - s.opened)


def read_move(table: Table, s: State, text: str) -> Move:
    """The move that a page sends: `f`, `k`, `c`, or a letter of a bet with the chips on this street. Not yet checked.

    The letter of a bet does not matter: whether it is a bet, a raise or all the chips follows from the state.
    """
    kind = LETTERS.index(text[0])
    return table.raise_to(s, int(text[1:])) if kind >= BETS else Move(kind)
