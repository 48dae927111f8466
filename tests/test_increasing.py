"""Lin's rule, re-raises by later sizes only, against an enumeration of its own and examples worked out by hand."""

import random

import pytest
from betting_examples import betting, offered

from mccfr.betting.lin import LIN, LIN_ALL_IN
from mccfr.betting.lines import ALL_IN, BETS, CALL, CHECK, RAISES, Move
from mccfr.betting.structures import NoLimit
from mccfr.betting.tree_size import TreeSize, tree_size
from mccfr.errors import BettingError
from mccfr.games.registry import make_game

PREFLOP, LATER = (2, 4, 8, 16), (30, 50, 70, 100, 150, 200)


class Twin:
    """Lin's betting once more: chips of each street, the place in the list of the last size, and nothing else."""

    def __init__(self, stack, big, all_in):
        self.stack, self.big, self.all_in = stack, big, all_in
        self.decisions, self.folds, self.showdowns = [0] * 4, [0] * 4, [0] * 4

    def count(self):
        self.move(0, 0, self.big // 2, self.big, -1, self.big, False)
        return TreeSize(tuple(self.decisions), tuple(self.folds), tuple(self.showdowns))

    def move(self, street, before, mine, theirs, last, step, closing):
        """`before` chips of each were put in on earlier streets, `mine` and `theirs` on this one."""
        self.decisions[street] += 1
        if mine < theirs:
            self.folds[street] += 1
        if mine < theirs and street == 0 and theirs == self.big and last < 0:
            self.move(street, before, theirs, theirs, last, step, True)  # a call of the big blind
        elif mine == theirs and not closing:
            self.move(street, before, theirs, mine, last, step, True)
        elif before + theirs == self.stack or street == 3:
            self.showdowns[street] += 1
        else:
            self.move(street + 1, before + theirs, 0, 0, -1, self.big, False)
        for to, place in self.raises(street, before, theirs, last, step):
            self.move(street, before, theirs, to, place, max(step, to - theirs), True)

    def raises(self, street, before, theirs, last, step):
        """What can be bet or raised to, and the place of the size."""
        found, most = {}, self.stack - before
        if theirs == most:
            return []
        pot = 2 * (before + theirs)
        for place, size in enumerate(LATER if street else PREFLOP):
            exact = theirs + (pot * size * 2 + 100) // 200 if street else size * self.big
            if exact >= most or (place > last and exact > theirs and max(exact, theirs + step) >= most):
                found[most] = place
            elif place > last and exact > theirs:
                found[max(exact, theirs + step)] = place  # of equal amounts the last size stays
        if self.all_in:
            found[most] = 99
        return sorted(found.items())


@pytest.mark.parametrize("all_in", [False, True])
@pytest.mark.parametrize(("stack", "big"), [(200, 2), (60, 2), (1100, 100), (300, 10), (40, 20), (10_000, 100)])
def test_the_tree_is_that_of_an_enumeration(stack, big, all_in):
    more = ",a" if all_in else ""
    rules = NoLimit(
        stack=stack, blinds=f"{big // 2} {big}", bet="30%,50%,70%,100%,150%,200%" + more, increasing=True,
        preflop={"raise_": "2bb,4bb,8bb,16bb" + more},
    )  # fmt: skip
    assert tree_size(rules) == Twin(stack, big, all_in).count()


@pytest.mark.slow
def test_lin_s_betting_has_these_sizes():
    assert tree_size(LIN).decisions == (32, 2286, 29_390, 212_966)
    assert tree_size(LIN).nodes == 671_888
    assert tree_size(LIN_ALL_IN).decisions == (64, 2572, 31_004, 219_340)
    assert tree_size(LIN_ALL_IN).nodes == 696_806


LIST = "nolimit(stack=1000, blinds='5 10', bet='50%,100%,200%', preflop={'raise_': '2bb,4bb,8bb'}, increasing=True)"
EXAMPLES = {
    "every size before the flop": ("", "Fold, Call, Raise(20), Raise(40), Raise(80)"),
    "later ones answer": ("r20", "Fold, Call, Raise(40), Raise(80)"),
    "one is left": ("r40", "Fold, Call, Raise(80)"),
    "the last is not answered": ("r80", "Fold, Call"),
    "a call of the big blind answers nothing": ("c", "Check, Raise(20), Raise(40), Raise(80)"),
    "a new street begins anew": ("r20c/", "Check, Bet(20), Bet(40), Bet(80)"),
    "a check changes nothing": ("r20c/k", "Check, Bet(20), Bet(40), Bet(80)"),
    "a raise by a later share": ("r20c/b20", "Fold, Call, Raise(100), Raise(180)"),
    "and a later one still": ("r20c/b20r100", "Fold, Call, Raise(580)"),
    "a size that exceeds the stack is all-in, though it is no later one": (
        "r80c/b320", "Fold, Call, AllIn(920)"),
}  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
def test_these_moves_are_offered(name):
    line, right = EXAMPLES[name]
    assert offered(LIST, line) == right


def test_a_bet_between_two_sizes_counts_as_the_smaller():
    rules = betting(LIST)
    for amount, after in ((25, (40, 80)), (39, (40, 80)), (40, (80,)), (79, (80,)), (81, ()), (999, ())):
        s = rules.play(rules.root(), Move(RAISES, amount))
        raises = [move.amount for move in rules.moves(s) if move.kind >= BETS]
        assert raises == sorted({max(to, min(amount + (amount - 10), 1000)) for to in after if to > amount})


def test_amounts_that_become_one_count_as_the_last_of_them():
    rules = betting("nolimit(stack=100, blinds='1 2', bet='10%,20%,50%,100%', increasing=True)")
    s = rules.at("ck/b2")  # 10 %, 20 % and 50 % of 4 are all the smallest bet
    assert str(s.sized) == "50%"
    assert [move.amount for move in rules.moves(s)[2:]] == [10]


def test_sizes_are_forgotten_where_they_do_not_matter():
    rules = betting("nolimit(stack=100, bet='50%,100%')")
    assert rules.at("r6").sized is None


def test_without_the_rule_every_size_is_offered():
    assert offered(LIST.replace("increasing=True", "increasing=False"), "r20c/b20r100") == (
        "Fold, Call, Raise(220), Raise(340), Raise(580)"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "bet='50%,20c'",
            "increasing needs sizes of one unit a street, one of % x c bb, and a, but those of the prefl",
        ),
        ("bet='50%', flop={'raise_': '3x'}", "but those of the flop differ"),
        ("bet='e,2e'", "increasing needs sizes of one unit a street"),
        ("bet='50%', turn={'oop': {'donk_': '10c'}}", "but those of the turn differ"),
    ],
)
def test_a_list_without_an_order_is_refused(text, said):
    with pytest.raises(BettingError) as caught:
        betting(f"nolimit(stack=100, {text}, increasing=True)")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_increasing_is_true_or_false():
    with pytest.raises(BettingError, match="increasing must be True or False, got 1"):
        betting("nolimit(stack=100, bet=a, increasing=1)")


def test_strings_rebuild_it():
    assert str(LIN) == (
        "nolimit(stack=10000, blinds='50 100', bet='30%,50%,70%,100%,150%,200%', increasing=True, "
        "preflop={'raise_': '2bb,4bb,8bb,16bb'})"
    )
    assert betting(str(LIN)) == LIN
    assert make_game(f"holdem({LIN})").betting == LIN


def test_random_lines_only_ever_rise_in_the_list():
    dice = random.Random(0)
    for _ in range(300):
        s, places = LIN.root(), []
        while s.mover >= 0:
            move = dice.choice([move for move in LIN.moves(s) if move.kind >= BETS] * 2 + LIN.moves(s))
            street = s.street
            s = LIN.play(s, move)
            if s.street != street or move in (CALL, CHECK):
                places = []
            elif move.kind in (BETS, RAISES):
                places.append(s.sized.place)
            assert places == sorted(set(places)) or move.kind == ALL_IN
