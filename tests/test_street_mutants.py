"""Mistakes in blockers, chances, showdowns and locks, planted into the package: examples notice each.

This file is also the program that tries them.
"""

import pytest
import street_examples
from planting import catching, try_bugs

QUICK = [*street_examples.SPOTS]

pytestmark = pytest.mark.slow
BUGS = {
    "hands of both players may share a card": (
        "games/street_deals:StreetDeals.deal",
        "np.outer(first, second) * self._apart",
        "np.outer(first, second) * 1 # ",
    ),
    "hands share cards if they share both": (
        "games/street_deals:StreetDeals._apart",
        "holds[second].T == 0",
        "holds[second].T < 2",
    ),
    "the board blocks only hands of two of its cards": (
        "games/street_deals:hands_without",
        "list(cards)).any(axis=1)",
        "list(cards)).all(axis=1)",
    ),
    "weights of hands do not count": (
        "games/street_deals:StreetDeals.deal",
        "(w[hands] for w, hands",
        "(w[hands] > 0 for w, hands",
    ),
    "the hands of players are unseen cards": (
        "games/street_deals:StreetDeals.unseen",
        "self.deck.cards - 4 - len",
        "self.deck.cards - len",
    ),
    "cards of the board come twice": (
        "games/street_deals:StreetDeals.card_sets",
        "seen = {*self.streets.board, *cards,",
        "seen = {*cards,",
    ),
    "cards that came come again": (
        "games/street_deals:StreetDeals.card_sets",
        "seen = {*self.streets.board, *cards,",
        "seen = {*self.streets.board,",
    ),
    "cards that are held come": (
        "games/street_deals:StreetDeals.card_sets",
        "*(card for hand in held for",
        "*(card for hand in held[:1] for",
    ),
    "an all-in is shown down without the rest of the board": (
        "games/street_deals:StreetDeals.due",
        "s.mover == OVER and s.folded == NOBODY",
        "False",
    ),
    "the weaker hand wins": ("games/street_deals:StreetDeals.winner", "int(theirs > mine)", "int(theirs < mine)"),
    "ties are won by player 0": (
        "games/street_deals:StreetDeals.winner",
        "NOBODY if mine == theirs else",
        "0 if mine == theirs else",
    ),
    "locks for certain cards hold for all": (
        "games/street_deals:StreetDeals.lock_at",
        "self.streets.locks[j].cards in (None, cards)",
        "True",
    ),
    "locks for all cards override": (
        "games/street_deals:StreetDeals.lock_at",
        "return found[-1] if found",
        "return found[0] if found",
    ),
    "locks for certain cards come first": (
        "games/locks:LockReader.read_all",
        "one.lock.cards is not None)",
        "one.lock.cards is None)",
    ),
    "hands outside a range play a move too": (
        "games/locks:LockReader._strategy",
        "strategy[:, moves.index(move)] = weights",
        "strategy[:, moves.index(move)] = weights.max()",
    ),
    "what is left goes to the first move": (
        "games/locks:LockReader._strategy",
        "strategy[:, moves.index(rest[0])] =",
        "strategy[:, 0] =",
    ),
    "all moves are what is left": ("games/locks:LockReader._strategy", "(1 - sums).clip(0)", "1.0"),
    "frequencies count twice": (
        "games/locks:LockReader._frequency",
        "np.full(hands, float(value))",
        "np.full(hands, float(value) ** 2)",
    ),
    "locks are those of the other player's hand": (
        "games/street_rules:StreetRules._locked",
        "strategy[s.hands[s.betting.mover]]",
        "strategy[s.hands[1 - s.betting.mover]]",
    ),
    "locked nodes are still decisions": (
        "games/street_rules:StreetRules.player",
        "is None else CHANCE",
        "is None else s.betting.mover",
    ),
    "the second hand does not depend on the first": (
        "games/street_rules:StreetRules._hands",
        "deals.deal[int((deals.hands[0] == dealt[0]).argmax())]",
        "deals.deal.sum(axis=0)",
    ),
    "the first hand does not depend on blockers": (
        "games/street_rules:StreetRules._hands",
        "law = deals.deal.sum(axis=1)",
        "law = (deals.deal > 0).any(axis=1)",
    ),
    "public cards do not block hands": (
        "games/dealt_streets:DealtStreets._joint",
        "~self.deals.blocked(hands, cards) for hands",
        "self.deals.blocked(hands, ()) == 0 for hands",
    ),
    "the chance of public cards is forgotten": (
        "games/dealt_streets:DealtStreets._joint",
        "if end <= len(cards):",
        "if end < len(cards):",
    ),
    "endings forget locked moves": (
        "games/dealt_streets:DealtStreets._joint",
        "found = found * self._move_law(lock, move)",
        "pass",
    ),
    "endings of players are exchanged": (
        "games/dealt_streets:DealtStreets.ending",
        "-stake if s.betting.folded == 0 else stake",
        "stake if s.betting.folded == 0 else -stake",
    ),
    "showdowns are turned over": (
        "games/dealt_streets:DealtStreets.matrix",
        "np.subtract.outer(first, second)",
        "np.subtract.outer(first, second) * -1",
    ),
    "locks of the dealt form are the other's": (
        "games/dealt_streets:DealtStreets._move_law",
        "law[:, None] if mover == 0",
        "law[:, None] if mover == 2",
    ),
    "cards are as likely as all of the deck": (
        "games/dealt_streets:DealtStreets._cards_law",
        ".astype(float) * self.deals.chance(s.cards)",
        ".astype(float) / self.deals.deck.cards",
    ),
}
CHANGES = {bug: (change,) for bug, change in BUGS.items()} | {
    "the board does not block hands": (  # a spot takes them out, and what chance does makes sure of it
        ("games/street_deals:StreetDeals.hands", "np.where(self._clear(self.streets.board), w, 0.0)", "w"),
        (
            "games/spot:Spot.ranges",
            "self._read_range(position).without(self.board_cards)",
            "self._read_range(position)",
        ),
    ),
}


caught = catching(__file__, {None: (), **CHANGES})


def test_the_package_as_it_is_has_all_examples_right(caught):
    assert caught[None] == []


@pytest.mark.parametrize("bug", CHANGES)
def test_examples_notice(caught, bug):
    assert caught[bug]


def look():
    """The spots that come out wrong."""
    return street_examples.wrong(QUICK)


if __name__ == "__main__":
    try_bugs(look)
