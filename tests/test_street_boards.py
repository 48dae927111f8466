"""Boards of street trees: counted with their images, found again one by one, with the right hands on each."""

import itertools
import math

import numpy as np
import pytest
import street_trees
from street_trees import exchanges, street_game, street_tree, turned

from mccfr.cards.deck import RANKS
from mccfr.cards.isomorphism import HandIndex
from mccfr.tree.street_boards import deal_chances, hand_deck, list_boards

GAMES = ["turn", "turn of two suits", "turn of one suit", "flop of two suits", "flop with a pair", *street_trees.WHOLE]


def deals_of(rules):
    """All real boards, street by street, as tuples of sets of cards; and all that come before their last street."""
    found = [()]
    for count in rules.deals:
        longer = []
        for dealt in found:
            seen = set(rules.board).union(*dealt)
            left = [card for card in range(rules.ranks * rules.suits) if card not in seen]
            longer += [(*dealt, frozenset(new)) for new in itertools.combinations(left, count)]
        yield longer
        found = longer


def copies(laid, b):
    """How many real boards a board stands for: itself and all before it through all their images."""
    return math.prod(len(laid.listed[a].images) for a in line_of(laid, b))


def line_of(laid, b):
    while b >= 0:
        yield b
        b = laid.listed[b].parent


def dealt_sets(laid, b):
    """The cards of a board by street, without those of the first board."""
    found, cards = [], laid.listed[b].cards
    for a in line_of(laid, b):
        before = laid.listed[a].parent
        if before >= 0:
            found.insert(0, cards[len(laid.listed[before].cards) : len(laid.listed[a].cards)])
    return found


@pytest.mark.parametrize("name", GAMES)
def test_images_are_all_real_boards(name):
    tree = street_tree(name)
    laid = tree.boards
    for street, real in enumerate(deals_of(tree.rules), start=1):
        assert sum(copies(laid, b) for b in np.flatnonzero(laid.street == street).tolist()) == len(real)


@pytest.mark.parametrize("name", GAMES)
def test_every_real_board_is_found_with_its_hands(name):
    """What makes a real board of the one that stands for it moves the cards of every street and all hands rightly."""
    tree = street_tree(name)
    laid, deck, rules = tree.boards, tree.boards.deck, tree.rules
    held = [weights > 0 for weights in rules.ranges]
    for real in deals_of(rules):
        for dealt in real:
            b, turn = laid.find([tuple(cards) for cards in dealt])
            assert [frozenset(turn.cards[list(cards)].tolist()) for cards in dealt_sets(laid, b)] == list(dealt)
            assert set(turn.cards[list(rules.board)].tolist()) == set(rules.board)
            free = ~deck.blocked((*rules.board, *itertools.chain(*dealt)))
            for p in (0, 1):
                moved = set(turn.hands[laid.members[2 * b + p]].tolist())
                can = set(np.flatnonzero(held[p] & free).tolist())
                assert moved == can if tree.deal_count > 500 else moved <= can  # some never meet a hand of the other


@pytest.mark.parametrize("name", GAMES)
def test_hands_that_share_a_strategy_are_those_that_exchanges_make_of_each_other(name):
    """Exchanges are tried on text: those that leave the game and the cards of every street as they are."""
    tree = street_tree(name)
    laid, turns = tree.boards, exchanges(street_game(name))
    names = [RANKS[card // tree.rules.suits] + "cdhs"[card % tree.rules.suits] for card in range(laid.deck.count)]
    leaders = laid.boards.hands.reshape(-1, 6)[:, 5]
    uneven = 0
    for b in range(len(laid.listed)):
        streets = [{names[card] for card in cards} for cards in dealt_sets(laid, b)]
        keeps = [turn for turn in turns if all({turned(x, turn) for x in cards} == cards for cards in streets)]
        for p in (0, 1):
            start = int(laid.boards.start[2 * b + p])
            hands = [frozenset(names[card] for card in laid.deck.cards[h]) for h in laid.members[2 * b + p]]
            orbits = [{frozenset(turned(card, turn) for card in hand) for turn in keeps} for hand in hands]
            expected = [min(hands.index(other) for other in orbit) for orbit in orbits]
            assert leaders[start : start + len(hands)].tolist() == expected
            uneven += expected != list(range(len(hands)))
    assert (uneven > 0) == (len(turns) > 1)


@pytest.mark.parametrize("name", GAMES)
def test_chances_of_boards_sum_to_one(name):
    """Over all boards of a street and all pairs of hands that can be held on them."""
    tree = street_tree(name)
    laid, deck, rules = tree.boards, tree.boards.deck, tree.rules
    chances = deal_chances(deck.count, len(rules.board), rules.deals) / tree.pairs
    holds = np.zeros((len(deck.cards), deck.count))
    holds[np.arange(len(deck.cards))[:, None], deck.cards] = 1
    for street in range(1, len(rules.deals) + 1):
        total = 0.0
        for b in np.flatnonzero(laid.street == street).tolist():
            one, other = laid.members[2 * b], laid.members[2 * b + 1]
            apart = holds[one] @ holds[other].T == 0
            total += copies(laid, b) * (rules.ranges[0][one] @ apart @ rules.ranges[1][other])
        assert total * chances[street] == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("name", GAMES)
def test_the_places_of_hands_lead_to_the_same_hands(name):
    """Through image after image of every board, `up` has the place of the exchanged hand on the board before."""
    laid = street_tree(name).boards
    words = laid.boards.boards.reshape(-1, 6)
    for b, board in enumerate(laid.listed):
        assert words[b, 5] - words[b, 4] == (len(board.images) if b else 0)
        for image, turn in zip(range(words[b, 4], words[b, 5]), board.images):
            for p in (0, 1):
                begin, end = laid.boards.up_start[2 * image + p : 2 * image + p + 2].astype(int)
                above = laid.members[2 * board.parent + p][laid.boards.up[begin:end]]
                assert above.tolist() == turn.hands[laid.members[2 * b + p]].tolist()


@pytest.mark.parametrize(
    ("ranks", "suits", "deals"), [(4, 4, (3, 1)), (5, 3, (1, 1, 1)), (6, 2, (2, 1)), (3, 4, (1, 2))]
)
def test_boards_of_smaller_decks_are_as_many_as_the_index_counts(ranks, suits, deals):
    deck = hand_deck(ranks, suits)
    listed = list_boards(deck, (), deals, tuple(deck.exchanges()), 10**6)
    for street in range(1, len(deals) + 1):
        assert sum(board.street == street for board in listed) == HandIndex(deals[:street], ranks, suits).size


def test_there_are_1755_flops():
    deck = hand_deck(13, 4)
    listed = list_boards(deck, (), (3,), tuple(deck.exchanges()), 10**6)
    assert len(listed) == 1 + 1755
    assert sum(len(board.images) for board in listed[1:]) == math.comb(52, 3)


def test_a_count_is_given_where_there_are_too_many():
    deck = hand_deck(13, 4)
    found = list_boards(deck, (), (3, 1), tuple(deck.exchanges()), 2000)
    assert isinstance(found, int)
    assert 10_000 < found < 10**6
