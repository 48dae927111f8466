"""A hand as the page's player sees it, as plain data and in words: with the agent's cards only when it is over."""

from typing import Any

from mccfr.betting.lines import NOBODY, OVER, State
from mccfr.betting.structures import Limit
from mccfr.cards.evaluator import category, strength
from mccfr.cards.strengths import CATEGORIES
from mccfr.playing.played_hand import whole_deck_card
from mccfr.playing.table import Table
from mccfr.web.hand_review import Advice
from mccfr.web.move_words import offered_bets, size_words, spoken, told_move
from mccfr.web.page_hand import PageHand

STREETS = ("before the flop", "flop", "turn", "river")


def rules_of(table: Table) -> dict[str, Any]:
    """What a table is, for a line above it."""
    rules = table.betting
    small, big = rules.posted
    title = f"{'Limit' if isinstance(rules, Limit) else 'No-limit'}, blinds {small}/{big}"
    title += f", bets {rules.bets}" if isinstance(rules, Limit) else f", {rules.stack / big:g} big blinds each"
    return {"title": title, "big_blind": big, "stack": rules.most, "limit": isinstance(rules, Limit)}


def hand_view(hand: PageHand, advice: Advice | None) -> dict[str, Any]:
    """All that the page may know now."""
    s = hand.state
    return {
        "number": hand.number,
        "dealer": hand.table.betting.dealer == hand.seat,
        "street": s.street,
        "line": s.line,
        "turn": None if hand.over else "you" if s.mover == hand.seat else "agent",
        "board": _names(hand.table, hand.board),
        "pot": 2 * min(s.stakes) if hand.over else sum(s.stakes),
        "you": _side(hand, hand.seat, shown=True),
        "agent": _side(hand, 1 - hand.seat, shown=hand.over),
        "moves": _buttons(hand, advice),
        "bounds": hand.table.legal(s).bounds,
        "verb": "Bet" if max(s.stakes) == s.opened else "Raise to",
        "log": told_hand(hand),
        "result": _result(hand) if hand.over else None,
    }


def _side(hand: PageHand, seat: int, shown: bool) -> dict[str, Any]:
    """One player: cards if they are shown, chips left, chips bet on this street."""
    s, most = hand.state, hand.table.betting.most
    change = hand.record.chips[seat] if hand.over else -s.stakes[seat]
    return {
        "cards": _names(hand.table, hand.holes[seat]) if shown else None,
        "stack": None if most is None else most + change,
        "bet": 0 if hand.over else s.stakes[seat] - s.opened,
        "folded": s.folded == seat,
        "holds": _holds(hand, seat) if shown else None,
    }


def _holds(hand: PageHand, seat: int) -> str | None:
    """The best five cards in words, from the flop on."""
    cards = (*hand.holes[seat], *hand.board)
    return category(strength([whole_deck_card(hand.table, card) for card in cards])) if len(cards) >= 5 else None


def _names(table: Table, cards: tuple[int, ...]) -> list[str]:
    return [table.deck.card_name(card) for card in cards]


def _buttons(hand: PageHand, advice: Advice | None) -> list[dict[str, Any]]:
    """The legal moves that have a button: fold, check or call, and some sizes."""
    s = hand.state
    if s.mover != hand.seat:
        return []
    tree = [] if advice is None else list(advice.odds)
    moves = [*hand.table.legal(s).moves, *offered_bets(hand.table, s, tree)]
    return [{"move": one.text, "label": spoken(s, one), "size": size_words(hand.table, s, one)} for one in moves]


# ---- the hand in words


def told_hand(hand: PageHand) -> list[dict[str, Any]]:
    """What has happened, a sentence for each move and street: who, and what."""
    table, s = hand.table, hand.table.start
    lines = [_line("start", _blinds(hand))]
    for move in hand.moves:
        you = s.mover == hand.seat
        lines.append(_line("you" if you else "agent", f"{_who(hand, you)} {told_move(s, move, you)}."))
        after = table.play(s, move)
        lines += [_street(hand, street, after) for street in range(s.street + 1, _last_street(hand, after) + 1)]
        s = after
    return lines + ([_line("end", _ending(hand))] if hand.over else [])


def _line(who: str, text: str) -> dict[str, Any]:
    return {"who": who, "text": text}


def _who(hand: PageHand, you: bool) -> str:
    return "You" if you else "The agent"


def _blinds(hand: PageHand) -> str:
    small, big = hand.table.betting.posted
    if hand.table.betting.dealer == hand.seat:
        return f"Hand {hand.number}: you deal and post {small}, the agent posts {big}."
    return f"Hand {hand.number}: the agent deals and posts {small}, you post {big}."


def _last_street(hand: PageHand, after: State) -> int:
    """The street whose cards lie on the table after a move."""
    return hand.table.streets - 1 if after.mover == OVER and after.folded == NOBODY else after.street


def _street(hand: PageHand, street: int, s: State) -> dict[str, Any]:
    before, now = hand.table.board_size(street - 1), hand.table.board_size(street)
    cards = " ".join(_names(hand.table, hand.board[before:now]))
    return _line("board", f"{STREETS[street].capitalize()}: {cards}. The pot is {sum(s.stakes)}.")


def _ending(hand: PageHand) -> str:
    """Who won how much, and with what."""
    won = hand.won
    if hand.state.folded != NOBODY:
        return f"You win {_chips(won)}." if won > 0 else f"The agent wins {_chips(-won)}."
    mine, theirs = (_holds(hand, seat) for seat in (hand.seat, 1 - hand.seat))
    shown = f"Showdown: you have {_article(mine)}, the agent has {_article(theirs)}."
    if won == 0:
        return f"{shown} The pot is split."
    return f"{shown} {'You win' if won > 0 else 'The agent wins'} {_chips(abs(won))}."


def _article(hand: str | None) -> str:
    """A hand with its article: `a pair`, `two pair`."""
    alone = ("two pair", "three of a kind", "four of a kind", None)
    return str(hand) if hand in alone else f"{'only ' if hand == CATEGORIES[0] else ''}a {hand}"


def _chips(amount: float) -> str:
    return f"{amount:g} chip{'' if amount == 1 else 's'}"


def _result(hand: PageHand) -> dict[str, Any]:
    return {"chips": hand.won, "showdown": hand.state.folded == NOBODY, "text": _ending(hand)}
