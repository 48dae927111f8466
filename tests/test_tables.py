"""Tables: what may be bet, checked against pokerkit with any legal amounts; records of hands and their payoffs."""

import random

import pytest

import mccfr
from mccfr.betting.lines import CALL, CHECK, FOLD, NOBODY, OVER, Move
from mccfr.playing.agents import make_agent
from mccfr.playing.played_hand import HandRecord, deal_cards, play_hand
from mccfr.playing.table import TableError, table_of

NO_LIMIT = mccfr.table("holdem(nolimit(stack=200, bet='50%'))")
LIMIT = mccfr.table("holdem(limit)")


def random_hand(table, dice):
    """A hand of random legal moves, any amounts."""
    s, moves = table.start, []
    while s.mover != OVER:
        legal = table.legal(s)
        options = list(legal.moves)
        if legal.bounds is not None:
            low, high = legal.bounds
            options += [table.raise_to(s, dice.choice((low, high, dice.randint(low, high))))] * 2
        move = dice.choice(options)
        s = table.play(s, move)
        moves.append(move)
    return s, tuple(moves)


def by_pokerkit(table, cards, moves):
    """The payoffs of both seats after these moves, by pokerkit; refuses what its rules refuse."""
    pokerkit = pytest.importorskip("pokerkit")
    rules = table.betting
    automatic = tuple(
        each
        for each in pokerkit.Automation
        if each.name not in ("HOLE_DEALING", "BOARD_DEALING", "RUNOUT_COUNT_SELECTION")
    )
    small, big = rules.posted
    if rules.name == "limit":
        state = pokerkit.FixedLimitTexasHoldem.create_state(
            automatic, True, rules.ante, (small, big), rules.by_street[0][0], rules.by_street[2][0], (10_000,) * 2, 2
        )
    else:
        state = pokerkit.NoLimitTexasHoldem.create_state(
            automatic, True, rules.ante, (small, big), big, (rules.stack,) * 2, 2
        )
    before = list(state.starting_stacks)
    names = [table.deck.card_name(card) for card in cards]
    state.deal_hole("".join(names[:2]))
    state.deal_hole("".join(names[2:4]))
    board, left = names[4:], list(moves)
    while state.status:
        if state.can_deal_board() and not state.can_check_or_call():
            if state.can_burn_card():
                state.burn_card("??")
            count = 3 if len(board) == 5 else 1
            state.deal_board("".join(board[:count]))
            board = board[count:]
        elif left[0] == FOLD:
            state.fold()
            left.pop(0)
        elif left[0] in (CHECK, CALL):
            state.check_or_call()
            left.pop(0)
        else:
            amount = left.pop(0).amount
            assert state.can_complete_bet_or_raise_to(amount)
            state.complete_bet_or_raise_to(amount)
    return [after - start for after, start in zip(state.stacks, before)]


@pytest.mark.filterwarnings("ignore:A card being dealt")
@pytest.mark.parametrize("game", ["holdem(limit)", "holdem(nolimit(stack=200, bet='a'))",
                                  "holdem(nolimit(stack=37, blinds='2 5', ante=0, bet='a'))"])  # fmt: skip
def test_payoffs_and_legal_amounts_are_pokerkits(game):
    table, dice = table_of(game), random.Random(7)
    ends = set()
    for number in range(150):
        cards = deal_cards(table, dice)
        s, moves = random_hand(table, dice)
        record = HandRecord(table, (cards[:2], cards[2:4]), cards[4:], moves)
        assert list(record.chips) == by_pokerkit(table, cards, moves), (number, record.line)
        ends.add((s.street, s.folded == NOBODY))
    assert len(ends) >= 5


def test_least_and_largest_raises_are_pokerkits():
    pokerkit = pytest.importorskip("pokerkit")
    state = pokerkit.NoLimitTexasHoldem.create_state(
        (pokerkit.Automation.BLIND_OR_STRADDLE_POSTING, pokerkit.Automation.ANTE_POSTING),
        True,
        0,
        (1, 2),
        2,
        (200, 200),
        2,
    )
    for hole in ("AcAd", "KcKd"):
        state.deal_hole(hole)
    s = NO_LIMIT.start
    for amount in (4, 9, 14, 30):
        low, high = NO_LIMIT.legal(s).bounds
        assert low == state.min_completion_betting_or_raising_to_amount
        assert high == state.max_completion_betting_or_raising_to_amount
        s = NO_LIMIT.play(s, NO_LIMIT.raise_to(s, amount))
        state.complete_bet_or_raise_to(amount)


def test_lines_are_read_as_they_are_written():
    dice = random.Random(3)
    for table in (LIMIT, NO_LIMIT):
        for _ in range(50):
            s, moves = random_hand(table, dice)
            assert table.at(s.line) == (s, moves)


@pytest.mark.parametrize(("line", "told"), [
    ("r3", "expected fold, call, 4 to 200 chips"), ("k", "cannot check"), ("r6c/kb1", "2 to 194 chips"),
    ("cx", "character 2"), ("fk", "the hand is over"), ("c/", "character 2"), ("ck//", "character 4"),
    ("r9999999999", "cannot"), ("ckf", "cannot fold"),
])  # fmt: skip
def test_wrong_lines_are_refused_in_a_line(line, told):
    with pytest.raises(TableError, match=r"^[^\n]*$") as error:
        NO_LIMIT.at(line)
    assert told in str(error.value)


def test_a_menu_is_no_part_of_the_table():
    assert mccfr.table("holdem(nolimit(stack=200, bet='33%,a', cap=2), emd(500))") == NO_LIMIT
    assert mccfr.table("holdem(nolimit(stack=400, bet='50%'))") != NO_LIMIT
    with pytest.raises(TableError, match="not whole hold'em"):
        mccfr.table("leduc")


def test_both_players_see_what_they_may_and_nothing_else():
    table, seen = LIMIT, {0: [], 1: []}

    class Spy(mccfr.Agent):
        def __init__(self, seat):
            self.seat = seat

        def see(self, view):
            seen[self.seat].append(view)

        def move(self, view):
            seen[self.seat].append(view)
            return view.legal.moves[-1]

        def end(self, view, result):
            seen[self.seat].append(result)

    cards = deal_cards(table, random.Random(1))
    record = play_hand(table, (Spy(0), Spy(1)), cards, (random.Random(1), random.Random(2)))
    for seat in (0, 1):
        views = seen[seat][:-1]
        assert {view.hole for view in views} == {cards[2 * seat : 2 * seat + 2]}
        for view in views:
            assert view.seat == seat
            assert view.board == cards[4 : 4 + len(view.board)]
            expected = table.board_size(view.state.street)
            assert len(view.board) == expected
        assert seen[seat][-1].chips == record.chips[seat]
        assert seen[seat][-1].holes == (cards[:2], cards[2:4])


def test_cards_are_not_shown_after_a_fold():
    shown = []

    class Folder(mccfr.Agent):
        def move(self, view):
            return view.legal.moves[0]

        def end(self, view, result):
            shown.append(result.holes)

    cards = deal_cards(LIMIT, random.Random(1))
    play_hand(LIMIT, (Folder(), Folder()), cards, (random.Random(1), random.Random(2)))
    assert shown == [(cards[:2], ()), ((), cards[2:4])]


@pytest.mark.parametrize("name", ["always_fold", "always_call", "random", "pot_odds"])
def test_simple_players_only_make_legal_moves(name):
    for table in (LIMIT, NO_LIMIT, mccfr.table("holdem(nolimit(stack=20, bet='a'), ranks=6, suits=2, board='1 1 1')")):
        agent = make_agent(name, table)
        for number in range(20):
            dice = random.Random(number)
            cards = deal_cards(table, dice)
            s, moves, board = table.start, [], cards[4:]
            while s.mover != OVER:
                from mccfr.playing.seen import Seen

                seat = s.mover
                view = Seen(
                    table, seat, cards[2 * seat : 2 * seat + 2], board[: table.board_size(s.street)], s, tuple(moves)
                )
                odds = agent.odds(view)
                assert abs(sum(odds.values()) - 1) < 1e-12
                assert not any(table.problem(s, move) for move in odds)
                legal = table.legal(s)
                options = [*legal.moves, *([table.raise_to(s, legal.bounds[0])] if legal.bounds else [])]
                move = dice.choice(options)
                s = table.play(s, move)
                moves.append(move)


def test_moves_name_what_was_wrong():
    s = NO_LIMIT.at("r6")[0]
    assert NO_LIMIT.problem(s, Move(1)) == "cannot check now: expected fold, call, 10 to 200 chips"
    assert NO_LIMIT.problem(s, Move(3, 20)) == "bet 20 is raise 20"
    assert NO_LIMIT.problem(s, Move(4, 20)) == ""
    assert str(NO_LIMIT.legal(NO_LIMIT.at("a200")[0])) == "fold, call"
