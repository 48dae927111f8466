"""The perfect index of hands: published counts, Burnside's lemma, every deal of small decks, a million random hands."""

import functools
import itertools
import math
import random
from collections import Counter

import numpy as np
import pytest
from index_examples import DECKS, canonical, faults

from mccfr.cards import boards, showdowns
from mccfr.cards.deck import CardError
from mccfr.cards.isomorphism import HandIndex

MILLION = 1_000_000
PUBLISHED = {  # hands: as the C library of Waugh 2013 counts them; then boards, as sets and as flop, turn, river
    **{(2,): 169, (2, 3): 1_286_792, (2, 4): 13_960_050, (2, 5): 123_156_254},
    **{(2, 3, 1): 55_190_538, (2, 3, 1, 1): 2_428_287_420},
    **{(3,): 1755, (5,): 134_459, (3, 1, 1): 2_554_656},
}
SMALL = {(2,): 25, (2, 1): 255, (2, 1, 1): 3185, (2, 1, 1, 1): 43_460}  # of 20 cards, as slumbot2019 counts them


@functools.cache
def index_of(rounds, ranks=13, suits=4):
    return HandIndex(rounds, ranks, suits)


def deals(count, cards, seed, deck=52):
    """[count, cards] random deals."""
    return np.random.default_rng(seed).random((count, deck), np.float32).argpartition(cards, axis=1)[:, :cards]


# ------------------------------------------------------------------------------------------------------------- counts


@pytest.mark.parametrize("rounds", PUBLISHED)
def test_there_are_as_many_kinds_as_published(rounds):
    assert index_of(rounds).size == PUBLISHED[rounds]


@pytest.mark.parametrize("rounds", SMALL)
def test_a_deck_of_twenty_cards_has_the_published_counts(rounds):
    assert index_of(rounds, 5, 4).size == SMALL[rounds]


def burnside(rounds, ranks, suits):
    """How many kinds of deals there are: the mean number of deals that a permutation of the suits leaves as they are.

    Such a deal takes the cards of a rank by cycles of the permutation; the counts of all ranks multiply as polynomials.
    """
    total = 0
    for moved in itertools.permutations(range(suits)):
        deals = Counter({(0,) * len(rounds): 1})
        for length in cycles(moved) * ranks:
            for taken, ways in list(deals.items()):
                for r in range(len(rounds)):
                    more = (*taken[:r], taken[r] + length, *taken[r + 1 :])
                    if more[r] <= rounds[r]:
                        deals[more] += ways
        total += deals[tuple(rounds)]
    return total // math.factorial(suits)


def cycles(moved):
    """The lengths of the cycles of a permutation."""
    left, found = set(range(len(moved))), []
    while left:
        at, length = min(left), 0
        while at in left:
            left.remove(at)
            at, length = moved[at], length + 1
        found.append(length)
    return found


@pytest.mark.parametrize("rounds", PUBLISHED)
def test_burnsides_lemma_agrees_on_the_whole_deck(rounds):
    assert burnside(rounds, 13, 4) == index_of(rounds).size


@pytest.mark.parametrize("suits", [1, 2, 3, 4])
@pytest.mark.parametrize("ranks", [2, 3, 5, 8, 12])
def test_burnsides_lemma_agrees_on_smaller_decks(ranks, suits):
    for rounds in [(1,), (2,), (2, 1), (2, 3), (1, 1, 1), (2, 1, 1, 1), (2, 3, 1, 1)]:
        if sum(rounds) <= ranks * suits:
            assert index_of(rounds, ranks, suits).size == burnside(rounds, ranks, suits), rounds


# ------------------------------------------------------------------------------------------------- against the twin


@pytest.mark.parametrize(("ranks", "suits", "rounds"), DECKS)
def test_every_deal_of_a_small_deck(ranks, suits, rounds):
    assert faults(ranks, suits, rounds) == []


@pytest.mark.parametrize("rounds", [(2, 3), (2, 5), (2, 3, 1, 1), (3, 1, 1), (5,)])
def test_numbers_are_equal_exactly_where_the_twin_says_so(rounds):
    """Random deals hardly ever meet, so each is dealt again with other suits and with one card changed."""
    dice, index = random.Random(len(rounds)), index_of(rounds)
    found = {}
    for deal in deals(300, sum(rounds), 5).tolist():
        moved = dice.sample(range(4), 4)
        other = [card // 4 * 4 + moved[card % 4] for card in deal]
        changed = [*other[:-1], dice.choice([card for card in range(52) if card not in other])]
        for each in (deal, other, changed):
            name, copies = canonical(each, rounds, 4)
            number = int(index.index(each)[0])
            assert found.setdefault(number, name) == name
            assert index.copies(each)[0] == copies
            assert canonical(index.unindex(number)[0].tolist(), rounds, 4)[0] == name
    assert len(found) == len(set(found.values()))


# --------------------------------------------------------------------------------------------------- a million hands


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [(2, 5), (2, 3, 1, 1)])
def test_a_million_hands_there_and_back(rounds):
    index = index_of(rounds)
    cards = deals(MILLION, 7, 1)
    numbers = index.index(cards)
    assert (index.index(index.unindex(numbers)) == numbers).all()
    drawn = np.random.default_rng(2).integers(index.size, size=MILLION)
    assert (index.index(index.unindex(drawn)) == drawn).all()


@pytest.mark.parametrize("rounds", [(2,), (2, 3), (5,)])
def test_every_number_there_and_back(rounds):
    index = index_of(rounds)
    numbers = np.arange(index.size)
    assert (index.index(index.unindex(numbers)) == numbers).all()


def test_ends_of_the_largest_index():
    index = index_of((2, 3, 1, 1))
    ends = np.concatenate([np.arange(1000), np.arange(index.size - 1000, index.size)])
    assert (index.index(index.unindex(ends)) == ends).all()


@pytest.mark.parametrize("rounds", [(2, 4), (2, 5), (2, 3, 1, 1)])
def test_exchanging_suits_or_cards_of_a_round_changes_nothing(rounds):
    index, dice = index_of(rounds), np.random.default_rng(3)
    cards = deals(20_000, sum(rounds), 4)
    numbers = index.index(cards)
    for moved in itertools.permutations(range(4)):
        assert (index.index(cards // 4 * 4 + np.array(moved)[cards % 4]) == numbers).all()
    ends = list(itertools.accumulate(rounds, initial=0))
    mixed = np.concatenate([dice.permuted(cards[:, a:b], axis=1) for a, b in itertools.pairwise(ends)], axis=1)
    assert (index.index(mixed) == numbers).all()


# --------------------------------------------------------------------------------------------------------------- boards


@pytest.mark.parametrize(
    ("rounds", "kinds", "all_of_them"),
    [
        ((3,), 1755, math.comb(52, 3)),
        ((5,), 134_459, math.comb(52, 5)),
        ((3, 1, 1), 2_554_656, math.comb(52, 3) * 49 * 48),
    ],
)
def test_boards_of_a_kind_add_up_to_all_boards(rounds, kinds, all_of_them):
    found = boards.board_kinds(rounds)
    assert found.cards.shape == (kinds, sum(rounds))
    assert found.copies.sum() == all_of_them
    assert set(found.copies.tolist()) <= {4, 12, 24}


def test_boards_of_five_are_those_of_the_showdowns():
    """Which are made by other code: the same kinds, with the same copies."""
    found, index = boards.board_kinds((5,)), index_of((5,))
    for copies, cards in showdowns.board_kinds().items():
        assert (found.copies[index.index(cards)] == copies).all()


@pytest.mark.parametrize(("ranks", "suits", "rounds"), [(5, 4, (1, 1, 1)), (6, 3, (3, 1)), (4, 2, (2, 2))])
def test_boards_of_smaller_decks_add_up(ranks, suits, rounds):
    found, left, ways = boards.board_kinds(rounds, ranks, suits), ranks * suits, 1
    for count in rounds:
        ways, left = ways * math.comb(left, count), left - count
    assert found.copies.sum() == ways


@pytest.mark.parametrize(("board", "size"), [((), 3), ((4,), 3), ((0, 7), 4), ((1, 2, 3), 3)])
def test_completions_are_all_boards_that_begin_so(board, size):
    found = boards.completions(board, size, 4, 3)
    assert (
        len({frozenset(each) for each in found.tolist()}) == len(found) == math.comb(12 - len(board), size - len(board))
    )
    assert all(len(set(each)) == size and tuple(each[: len(board)]) == board for each in found.tolist())


# --------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: HandIndex((2,), 14, 4), "1 to 13 ranks and 1 to 4 suits, not 14 and 4"),
        (lambda: HandIndex(()), "rounds of at least one card"),
        (lambda: HandIndex((2, 3), 2, 2), "at most 4 in all"),
        (lambda: index_of((2, 3)).index([1, 2, 3]), "expected 5 cards a row"),
        (lambda: index_of((2,)).index([0, 52]), "0 to 51"),
        (lambda: index_of((2,)).index([7, 7]), "twice"),
        (lambda: index_of((2,)).unindex([169]), "0 to 168, not 169 to 169"),
        (lambda: boards.board_kinds((2, 5)), "123,156,254 kinds, expected at most 50,000,000"),
        (lambda: boards.parse_board("Qs Qs 2h"), "'Qs' at character 4 is there already, at character 1"),
        (
            lambda: boards.parse_board("Qs Jx 2h"),
            "'Jx' at character 4 is no card of this deck: expected a rank of 2345",
        ),
        (lambda: boards.parse_board("QsJh2"), "'2' at character 5 is no card"),
        (lambda: boards.parse_board("7s 2c 2d", ranks=5), "'7s' at character 1 is no card of this deck: .* 23456 "),
        (lambda: boards.parse_board("Qs Jh"), "board 'Qs Jh' has 2 cards, expected 0, 3, 4 or 5"),
        (lambda: boards.parse_board([1, 2, 2]), "2h is twice"),
        (lambda: boards.parse_board([1, 2, 52]), "from 0 to 51, got 52"),
        (lambda: boards.parse_board([1, 2, 3.5]), "from 0 to 51, got 3.5"),
        (lambda: boards.parse_board(5), "a text such as 'Qs Jh 2h', or card numbers, got 5"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(call, said):
    with pytest.raises(CardError, match=said) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["Qs Jh 2h", "QsJh2h", " qS,jh, 2H ", (43, 38, 2), np.array([43, 38, 2])])
def test_boards_are_read_in_order(text):
    assert boards.parse_board(text) == (43, 38, 2)
    assert boards.board_name((43, 38, 2)) == "Qs Jh 2h"
