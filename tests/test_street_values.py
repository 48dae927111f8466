"""Street trees against the other forms of the same game: dealt, written out, linear programme, OpenSpiel."""

import naive
import numpy as np
import pytest
import street_trees
from conftest import unflat
from street_trees import Rows, drawn, measured, places, strategy_of, street_game, street_tree, written_tree
from test_street_forms import universal_poker

import mccfr
from mccfr.cards.ranges import deck_of
from mccfr.evaluate.exact import evaluator_for
from mccfr.tree import street_lines

SPOTS = [*street_trees.SPOTS, *street_trees.ALIKE]
GAMES = [*SPOTS, *street_trees.WHOLE]
SMALL = ["river", "locked by range", "locked first", "turn", "locked on a river", "flop", "flop with a pair, locked"]
METHODS = ["dcfr", *(pytest.param(method, marks=pytest.mark.slow) for method in ("cfr", "cfr_plus"))]


# ---- the same strategy is worth the same


@pytest.mark.slow_cases("*locked*", "no-limit, one card a street")
@pytest.mark.parametrize("name", GAMES)
def test_strategies_are_worth_as_much_as_in_dealt_form(name):
    """Values and best responses of uniform play, and of strategies that are drawn and have pure rows."""
    tree = street_tree(name)
    dealt = tree.laid_out
    for mine, theirs in ((tree.infosets.uniform(), dealt.infosets.uniform()), drawn(name)):
        assert measured(tree, mine) == pytest.approx(measured(dealt, theirs), abs=1e-9)


@pytest.mark.slow_cases("*locked*")
@pytest.mark.parametrize("name", SMALL)
def test_strategies_are_worth_as_much_written_out(name):
    tree, written = street_tree(name), written_tree(name)
    rows = Rows(tree.given, 2)
    assert measured(tree, rows.profile(tree)) == pytest.approx(measured(written, rows.profile(written)), abs=1e-9)


@pytest.mark.slow_cases("*locked*")
@pytest.mark.parametrize("name", ["river", "locked by range", "locked first"])
def test_strategies_are_worth_as_much_to_the_naive_twin(name):
    """Values and best responses by recursion over the rules, which share no code with any tree."""
    tree, written = street_tree(name), written_tree(name)
    rows = Rows(tree.given, 3)
    profile = unflat(written.infosets, rows.profile(written))
    expected = [naive.expected_value(tree.given, profile)]
    expected += [naive.best_response(tree.given, profile, player)[0] for player in (0, 1)]
    assert measured(tree, rows.profile(tree)) == pytest.approx(np.array(expected, float), abs=1e-9)


LONG = ("no-limit, three suits", "limit")  # to write out in dealt form


@pytest.mark.slow_cases("*locked*", "no-limit*")
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in GAMES])
def test_labels_of_the_dealt_form_are_found(name):
    """What is drawn for a label is what is found under it, whichever of the exchanged boards it names."""
    mine, theirs = drawn(name)
    assert (mine[places(name)] == theirs).all()


@pytest.mark.slow_cases("*locked*", "no-limit*")
@pytest.mark.parametrize("name", GAMES)
def test_best_responses_are_worth_what_they_say(name):
    """A reply is a strategy: against what it replies to it gets its value, in both forms. Locked nodes stay locked."""
    tree = street_tree(name)
    strategy = strategy_of(tree, drawn(name)[0])
    for player in (0, 1):
        value, reply = mccfr.best_response(strategy, player)
        sign = 1 - 2 * player
        assert mccfr.expected_value(reply) == pytest.approx(sign * value, abs=1e-9)
        over = evaluator_for(tree.laid_out).value(reply.probabilities[places(name)])
        assert over == pytest.approx(sign * value, abs=1e-9)


# ---- the same method learns the same


@pytest.mark.slow_cases(
    "*locked*",
    "turn of two suits*",
    "flop with a pair*",
    "no-limit, one card a street*",
    "no-limit, a flop of two*",
    "no-limit, three suits*",
)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", GAMES)
def test_methods_learn_what_they_learn_in_dealt_form(name, method):
    """Average and current strategy of every infoset. Later, rounding decides ties, and both forms may part."""
    tree = street_tree(name)
    ours, theirs = (mccfr.solve(form, method, iterations=6) for form in (tree, tree.laid_out))
    for one, other in ((ours.current(), theirs.current()), (ours.strategy(), theirs.strategy())):
        assert one.probabilities[places(name)] == pytest.approx(other.probabilities, abs=1e-9)
        assert mccfr.expected_value(one) == pytest.approx(mccfr.expected_value(other), abs=1e-9)
        assert mccfr.exploitability(one) == pytest.approx(mccfr.exploitability(other), abs=1e-9)


@pytest.mark.slow_cases("*locked*")
@pytest.mark.parametrize("name", ["river", "locked by range", "turn", "locked on a river"])
def test_solutions_of_the_linear_programme_cannot_be_exploited(name):
    """The LP of the written-out game gives the value; its solution on the street tree has no better reply."""
    tree, written = street_tree(name), written_tree(name)
    solution = mccfr.solve(written, "lp").strategy()
    value = mccfr.expected_value(solution)
    rows = {label: solution[label] for label in written.infosets.labels}
    here = strategy_of(tree, from_rows(tree, rows))
    assert mccfr.expected_value(here) == pytest.approx(value, abs=1e-9)
    assert [mccfr.best_response(here, p).value for p in (0, 1)] == pytest.approx([value, -value], abs=1e-7)


def from_rows(tree, rows):
    """A strategy by label; infosets that the other form does not carry play evenly."""
    infosets, found = tree.infosets, tree.infosets.uniform()
    for j, label in enumerate(infosets.labels):
        if label in rows:
            found[infosets.entry(j) : infosets.entry(j) + len(rows[label])] = list(rows[label].values())
    return found


@pytest.mark.slow_cases("*locked*")
@pytest.mark.parametrize("name", ["flop with a pair, locked", "turn of two suits", "flop"])
def test_the_linear_programme_lies_between_best_responses(name):
    tree = street_tree(name)
    value = mccfr.expected_value(mccfr.solve(written_tree(name), "lp").strategy())
    strategy = mccfr.solve(tree, "cfr_plus", iterations=3000).strategy()
    above, below = mccfr.best_response(strategy, 0).value, -mccfr.best_response(strategy, 1).value
    assert below - 1e-9 <= value <= above + 1e-9
    assert above - below < 2e-3 * tree.pot


# ---- another program


def test_whole_hands_are_worth_what_they_are_to_openspiel():
    mine = mccfr.compile("holdem(limit(cap='1 1', bets='2 4'), ranks=7, suits=1, board=3)")
    other = mccfr.compile(universal_poker("limit", 7, 1, "3", "raiseSize=2 4,maxRaises=1 1"))
    for measure in (mccfr.exploitability, mccfr.expected_value):
        assert measure(mccfr.uniform(mine)) == pytest.approx(measure(mccfr.uniform(other)), abs=1e-9)
    found = [mccfr.solve(tree, "dcfr", iterations=5).strategy() for tree in (mine, other)]
    assert mccfr.exploitability(found[0]) == pytest.approx(mccfr.exploitability(found[1]), abs=1e-9)


# ---- locks


@pytest.mark.slow
@pytest.mark.parametrize("name", ["locked by range", "locked first", "locked on a river", "flop with a pair, locked"])
def test_locked_strategies_are_shown_as_they_are(name):
    """After solving, the strategy at a locked node is the lock's, for every hand that can come there."""
    game, tree = street_game(name), street_tree(name)
    strategy = mccfr.solve(tree, "dcfr", iterations=6).strategy()
    seen = 0
    for j in range(len(tree.infosets)):
        law = locked_law(game, tree, j)
        if law is not None:
            seen += 1
            assert list(strategy.at(j).values()) == pytest.approx(law, abs=1e-12) or not strategy.visited[j]
    assert seen > 0


def locked_law(game, tree, j):
    """What the locks say of an infoset: the last one that fits, as those for certain cards come last."""
    _, board, node, _ = tree.infosets.place(j)
    deck, streets = tree.boards.deck, game.streets()
    hand = tree.infosets.labels[j].partition(":")[0]
    held = sorted(deck_of(deck.ranks, deck.suits).read_cards(hand))
    came = tree.boards.listed[board].cards[len(streets.board) :]
    laws = [
        lock.strategy[held[1] * (held[1] - 1) // 2 + held[0]].tolist()
        for lock in streets.locks
        if lock.line == tree.betting.line(int(tree.laid.origin[node])) and lock.cards in (None, came)
    ]
    return laws[-1] if laws else None


def test_a_lock_for_certain_cards_holds_in_their_order_only():
    """The same two cards in another order are another node."""
    tree = street_tree("flop, locked after certain cards")
    held = sum(label.endswith(":kk/2d:kk/3h:") for label in tree.infosets.labels)
    assert np.count_nonzero(tree.given_strategy >= 0) == 2 * held > 0


# ---- segments


@pytest.mark.slow_cases("*locked*")
@pytest.mark.parametrize("name", ["turn", "locked on a river", "turn of two suits", "no-limit, one card a street"])
def test_small_segments_change_nothing(name, monkeypatch):
    """The last street in many segments is the last street: the same strategies to the last bit."""
    whole = street_tree(name)
    monkeypatch.setattr(street_lines, "SEGMENT_NODES", 3)
    cut = mccfr.compile(street_game(name))
    count = [int(np.diff(tree.laid.lines.street.astype(int))[-1]) for tree in (whole, cut)]
    assert count[0] == 1 < count[1]
    ours, theirs = (mccfr.solve(tree, "dcfr", iterations=6) for tree in (whole, cut))
    assert (ours.strategy().probabilities == theirs.strategy().probabilities).all()
    profile = drawn(name)[0]
    assert (measured(whole, profile) == measured(cut, profile)).all()
