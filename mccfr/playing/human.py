"""A person at the table: what is offered, and what a typed answer means. Who prints and reads is given as a `Screen`.

    f            fold                    c, k       call or check
    1, 2, ...    one of the sizes offered           b40, r40, 40   bet or raise to 40 chips on this street
    50%          that share of the pot after a call a          all-in

A bare number that is one of the keys is that key; `b2` is always two chips.
"""

import random
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple, Protocol

from mccfr.betting.lines import ALL_IN, BETS, CALLS, FOLDS, RAISES, Move
from mccfr.betting.structures import Limit
from mccfr.errors import MccfrError, quoted
from mccfr.playing.agent import Agent, AgentError
from mccfr.playing.policy import Policy
from mccfr.playing.seen import Result, Seen
from mccfr.playing.tree_moves import tree_moves

AMOUNT = re.compile(r"(?:(?:bet|raise|b|r)\s*(?:to\s*)?)?(\d{1,9})")
SHARE = re.compile(r"(\d{1,5})\s*%")
WORDS = {"f": "fold", "c": "call", "k": "check", "a": "all-in", "allin": "all-in", "all in": "all-in"}
PASSIVE = ("call", "check")
WORD_OF_KIND = {BETS: "bet", RAISES: "raise to"}
SHARES = (Fraction(1, 2), Fraction(1))  # of the pot, that are offered where no strategy says which


class Unclear(MccfrError, ValueError):
    """An answer that is no legal move; the message says what would be."""


class LeftTheTable(AgentError):
    """The person has gone, or nothing more can be read from it."""


class Offer(NamedTuple):
    """A key to press, the move it makes, and its text."""

    key: str
    move: Move
    text: str


class Screen(Protocol):
    """What shows the table to a person and reads its answers."""

    def begin(self, seen: Seen) -> None:
        """Show that a hand begins."""
        ...

    def show(self, seen: Seen) -> None:
        """Show that somebody has moved."""
        ...

    def ask(self, seen: Seen, offered: Sequence[Offer]) -> str:
        """Return what was typed; raises LeftTheTable where nothing comes any more."""
        ...

    def hint(self, text: str) -> None:
        """Say why an answer was not understood."""
        ...

    def finish(self, seen: Seen, result: Result) -> None:
        """Show how a hand ended."""
        ...


class Human(Agent):
    """A person, asked through a screen. Without a screen, whoever runs the match has to give it one."""

    name = "human"

    def __init__(self, screen: Screen | None = None, solution: Policy | None = None) -> None:
        """Remember the screen, and the strategy whose bet sizes are offered."""
        self.screen, self.solution = screen, solution

    @property
    def shown(self) -> Screen:
        """The screen, which must have been given."""
        if self.screen is None:
            raise AgentError("human plays where somebody can be asked: in mccfr play and mccfr match")
        return self.screen

    def start(self, seen: Seen, dice: random.Random) -> None:
        super().start(seen, dice)
        self.shown.begin(seen)

    def see(self, seen: Seen) -> None:
        self.shown.show(seen)

    def move(self, seen: Seen) -> Move:
        offered = offers(seen, self.solution)
        while True:
            try:
                return read_move(self.shown.ask(seen, offered), seen, offered)
            except Unclear as unclear:
                self.shown.hint(str(unclear))

    def end(self, seen: Seen, result: Result) -> None:
        self.shown.finish(seen, result)


def seat_people(agents: Sequence[Agent], make_screen: Callable[[], Screen]) -> None:
    """Give every person among the agents a screen, if it has none."""
    for agent in agents:
        if isinstance(agent, Human) and agent.screen is None:
            agent.screen = make_screen()


def offers(seen: Seen, solution: Policy | None = None) -> tuple[Offer, ...]:
    """What a person may press: f and c, and the sizes of a strategy, or half the pot, the pot and all-in."""
    plain = [Offer("f" if move.kind == FOLDS else "c", move, plain_text(seen, move)) for move in seen.legal.moves]
    sizes = [
        Offer(str(number + 1), move, size_text(seen, move)) for number, move in enumerate(sizes_for(seen, solution))
    ]
    bounds = seen.legal.bounds
    most = None if bounds is None or bounds[0] == bounds[1] else seen.table.raise_to(seen.state, bounds[1])
    beyond = [] if most is None or any(offer.move == most for offer in sizes) else [Offer("a", most, most.label)]
    return (*plain, *sizes, *beyond)


def sizes_for(seen: Seen, solution: Policy | None) -> list[Move]:
    """Bets and raises to offer, rising."""
    if seen.legal.bounds is None:
        return []
    found = [] if solution is None else [move for move in tree_moves(solution, seen) if move.kind >= BETS]
    if solution is None:
        found = [seen.table.nearest(seen.state, amount_of_share(seen, share)) for share in SHARES]
        found.append(seen.table.raise_to(seen.state, seen.legal.bounds[1]))
    return sorted(set(found), key=lambda move: move.amount)


def amount_of_share(seen: Seen, share: Fraction) -> int:
    """What to put in on this street for a raise of a share of the pot after a call."""
    theirs = seen.state.stakes[1 - seen.seat]
    return round(theirs - seen.state.opened + share * 2 * theirs)


def plain_text(seen: Seen, move: Move) -> str:
    """A fold, check or call in words."""
    return f"call {seen.asked}" if move.kind == CALLS else move.label


def size_text(seen: Seen, move: Move) -> str:
    """A bet or raise in words, with its share of the pot."""
    if move.kind == ALL_IN:
        return move.label
    if isinstance(seen.table.betting, Limit):
        return f"{WORD_OF_KIND[move.kind]} {move.amount}"
    theirs = seen.state.stakes[1 - seen.seat]
    share = Fraction(seen.state.opened + move.amount - theirs, 2 * theirs)
    named = {Fraction(1, 2): "half pot", Fraction(1): "pot"}.get(share, f"{float(share):.0%} of the pot")
    return f"{WORD_OF_KIND[move.kind]} {move.amount} ({named})"


def read_move(text: str, seen: Seen, offered: Sequence[Offer]) -> Move:
    """The move that was typed; raises Unclear, which says what can be typed."""
    typed = " ".join(text.lower().split())
    keys = {offer.key: offer.move for offer in offered}
    if typed in keys:
        return keys[typed]
    word = WORDS.get(typed, typed)
    plain = {move.label: move for move in seen.legal.moves}
    if word in ("fold", *PASSIVE):
        found = plain.get(word) or (seen.legal.moves[-1] if word in PASSIVE else None)
        if found is None:
            raise Unclear("there is nothing to fold to: c checks")
        return found
    if word == "all-in" and seen.legal.bounds is not None:
        return _to_amount(seen, seen.legal.bounds[1])
    if found_share := SHARE.fullmatch(typed):
        return _to_amount(seen, amount_of_share(seen, Fraction(int(found_share[1]), 100)))
    if found_amount := AMOUNT.fullmatch(typed):
        return _to_amount(seen, int(found_amount[1]))
    raise Unclear(f"{quoted(text.strip(), 30)} is no move: {keys_text(seen, offered)}")


def _to_amount(seen: Seen, amount: int) -> Move:
    """A bet or raise to an amount, if that is legal."""
    bounds = seen.legal.bounds
    if bounds is None:
        raise Unclear(f"no raise is possible now: {' or '.join(move.label for move in seen.legal.moves)}")
    if not bounds[0] <= amount <= bounds[1]:
        span = f"{bounds[0]}" if bounds[0] == bounds[1] else f"{bounds[0]} to {bounds[1]}"
        raise Unclear(f"{amount} chips is no legal amount: {span} (what you put in on this street in all)")
    return seen.table.raise_to(seen.state, amount)


def keys_text(seen: Seen, offered: Sequence[Offer]) -> str:
    """What can be typed, in a line."""
    keys = ", ".join(offer.key for offer in offered)
    amount = "" if seen.legal.bounds is None else f", an amount such as b{seen.legal.bounds[0]}"
    return f"type {keys}{amount}, ? for help, q to quit"
