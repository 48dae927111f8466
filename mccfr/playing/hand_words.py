"""Cards, moves and situations of a hand in words."""

from collections.abc import Iterable, Mapping

from mccfr.betting.lines import ALL_IN, BETS, CALLS, CHECKS, FOLDS, RAISES, Move, State
from mccfr.playing.seen import Seen
from mccfr.playing.table import Table

STREETS = ("preflop", "flop", "turn", "river")
SYMBOLS = dict(zip("cdhs", "♣♦♥♠"))
SEATS = ("big blind", "dealer, small blind")
YOU = "You"
VERBS = {
    FOLDS: ("fold", "folds"),
    CHECKS: ("check", "checks"),
    CALLS: ("call", "calls"),
    BETS: ("bet", "bets"),
    RAISES: ("raise to", "raises to"),
    ALL_IN: ("go all-in with", "goes all-in with"),
}


def cards_text(table: Table, cards: Iterable[int], symbols: bool = False) -> str:
    """Cards as text, `As Kh`, or with symbols."""
    names = [table.deck.card_name(card) for card in cards]
    return " ".join(name[0] + SYMBOLS[name[1]] if symbols else name for name in names)


def street_text(street: int) -> str:
    """The name of a street."""
    return STREETS[street]


def told_move(who: str, s: State, move: Move) -> str:
    """A move made in state s, as a sentence: `You call 4`, `blueprint:limit raises to 8`."""
    verb = VERBS[move.kind][who != YOU]
    amount = s.stakes[1 - s.mover] - s.stakes[s.mover] if move.kind == CALLS else move.amount
    return f"{who} {verb} {amount}" if move.kind >= CALLS else f"{who} {verb}"


def odds_text(odds: Mapping[Move, float]) -> str:
    """What a strategy does, in percent; moves below half a percent are left out."""
    return ", ".join(f"{move.label} {100 * p:.0f} %" for move, p in odds.items() if p >= 0.005)


def situation_text(seen: Seen) -> str:
    """Street, cards and line of a decision, in a few words."""
    board = f" on {cards_text(seen.table, seen.board)}" if seen.board else ""
    line = f" after {seen.state.line}" if seen.state.line else ""
    return f"{street_text(seen.state.street)}, {cards_text(seen.table, seen.hole)}{board}{line}"


def stacks_left(table: Table, s: State) -> tuple[int, int] | None:
    """Chips that both still have, or None where stacks do not matter."""
    most = table.betting.most
    return None if most is None else (most - s.stakes[0], most - s.stakes[1])


def hand_title(table: Table, seat: int) -> str:
    """The seat of a player, in words."""
    blinds = table.betting.posted
    return f"{SEATS[seat]} ({blinds[1 - seat]})"


def result_text(chips: float) -> str:
    """`win 4 chips`."""
    if chips == 0:
        return "neither win nor lose"
    amount = f"{abs(chips):g} chip{'s' * (abs(chips) != 1)}"
    return f"{'win' if chips > 0 else 'lose'} {amount}"
