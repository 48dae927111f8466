"""No-limit preflop hold'em: the game of the paper, its parameters, push-or-fold by linear programming and in print."""

import dataclasses
import json

import numpy as np
import pytest
from click.testing import CliRunner
from nlph_examples import OFFERS, PAYOFFS, PUSH, offered, paid
from scipy.optimize import linprog

import mccfr
from mccfr.cards.deck import CLASS_NAMES
from mccfr.cards.equity import BOARDS, class_equities
from mccfr.cli.main import cli
from mccfr.errors import GameError, TreeError
from mccfr.evaluate.exact import evaluator_for
from mccfr.games.base import TERMINAL
from mccfr.games.nlph import Nlph
from mccfr.tree.dealt_contract import dealt_faults

NUMBER = {name: number for number, name in enumerate(CLASS_NAMES)}


def told(*words):
    return CliRunner().invoke(cli, [str(word) for word in words])


# --------------------------------------------------------------------------------------------- the game of the paper


class Paper:
    """The rules of [Li et al. 2020] written out plainly: 20,000 chips, blinds 50 and 100, raises by the pot, all-in.

    A raise by the pot is to three times the bet faced: the bet, and a pot of twice the bet after calling.
    """

    letters = {"fold": "f", "check": "c", "call": "c", "raise": "r", "all-in": "a"}  # noqa: RUF012

    def root(self):
        return "", (50, 100), 0

    def actions(self, s):
        _, put_in, mover = s
        mine, theirs = put_in[mover], put_in[1 - mover]
        found = ["fold", "call"] if mine < theirs else ["check"]
        if theirs < 20_000:
            found += ["raise", "all-in"] if 3 * theirs < 20_000 else ["all-in"]
        return found

    def step(self, s, a):
        line, put_in, mover = s
        theirs = put_in[1 - mover]
        level = {"raise": 3 * theirs, "all-in": 20_000, "fold": put_in[mover]}.get(a, theirs)
        over = a in ("fold", "check") or (a == "call" and line != "")
        return (
            line + self.letters[a],
            (level, theirs) if mover == 0 else (theirs, level),
            TERMINAL if over else 1 - mover,
        )

    def ending(self, s):
        line, put_in, _ = s
        if not line.endswith("f"):
            return "showdown", put_in[0]
        return "fold", -put_in[0] if len(line) % 2 else put_in[1]


def test_the_defaults_are_the_game_of_the_paper():
    ours, plain = mccfr.game("nlph").dealt(), Paper()
    pending, seen = [(ours.root(), plain.root())], 0
    while pending:
        s, t = pending.pop()
        seen += 1
        assert (ours.player(s), ours.label(s, 0, NUMBER["AKs"])) == (t[2], f"AKs:{t[0]}")
        if t[2] == TERMINAL:
            assert ours.ending(s) == plain.ending(t)
        else:
            assert ours.actions(s) == plain.actions(t)
            pending += [(ours.step(s, a), plain.step(t, a)) for a in plain.actions(t)]
    assert seen == 58


def test_the_tree_has_not_changed():
    """Strategies, runs and figures that were made before there were parameters belong to this tree."""
    found = mccfr.compile("nlph").fingerprint
    assert found == "bb656f07221a526e7e4ca5ab938599cd4b240b317cabf7129387ae59fd10b318"


# -------------------------------------------------------------------------------------------------------- parameters


@pytest.mark.parametrize("name", OFFERS)
def test_these_actions_are_offered(name):
    *given, right = OFFERS[name]
    assert offered(*given) == right


@pytest.mark.parametrize("name", PAYOFFS)
def test_these_chips_are_won(name):
    *given, right = PAYOFFS[name]
    assert paid(*given) == right


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("nlph", "nlph"),
        ("nlph(classes=False)", "nlph(classes=False)"),
        ("nlph(False)", "nlph(classes=False)"),
        ("nlph(stack=20000, blinds=' 50  100', raise_='a, 100.0%')", "nlph"),
        (PUSH, "nlph(stack=20, blinds='1 2', raise_=a, limp=False)"),
        ("nlph(sb='a,2.5x', bb='')", "nlph(sb='2.5x,a', bb='')"),
        ("nlph(ante=5, cap=3, merge=0.1, add_allin=1.0)", "nlph(ante=5, cap=3, add_allin=1, merge=0.1)"),
        ("dealt:nlph(stack=400)", "dealt:nlph(stack=400)"),
        ("preflop_holdem(stack=400)", "nlph(stack=400)"),
    ],
)
def test_strings_are_written_in_one_way(typed, text):
    game = mccfr.game(typed)
    assert str(game) == text
    assert mccfr.game(text) == game
    assert hash(mccfr.game(text)) == hash(game)


ERRORS = {
    "stack=10, blinds='0.5 1'": "chips are whole numbers, got stack=10, blinds='0.5 1'; "
        "times 2 that is stack=20, blinds='1 2'",
    "stack=10.5, blinds='1 2', ante=0.25": "got stack=10.5, blinds='1 2', ante=0.25; "
        "times 4 that is stack=42, blinds='4 8', ante=1",
    "stack=9, blinds='0.0001 1'": "chips are whole numbers, got stack=9, blinds='0.0001 1'; multiply all of them",
    "stack=1, blinds='1 2'": "stack must be at least 2 for ante and big blind, got 1",
    "stack=3, blinds='1 2', ante=2": "stack must be at least 4 for ante and big blind, got 3",
    "stack=deep": "stack must be a whole number from 1 to 1,000,000,000, got 'deep'",
    "ante=-1": "ante must be a whole number from 0 to 1,000,000,000, got -1",
    "blinds='1'": "blinds must be the small and the big one, as in '1 2', got '1'",
    "blinds='2 1'": "blinds must be the small and the big one, as in '1 2', got '2 1'",
    "blinds='0 2'": "blinds must be 2 whole numbers of 1 or more, as in '1 2', got '0 2'",
    "blinds=[1, 2]": "blinds must be 2 whole numbers of 1 or more, as in '1 2', got [1, 2]",
    "raise_='100%,2y'": "raise_='100%,2y': '2y' at character 6 is no size: write 75% (of the pot)",
    "sb='3x,,a'": "sb='3x,,a': '' at character 4 is no size",
    "bb='1x'": "bb='1x': '1x' at character 1 is no raise: write more than 1x",
    "bb=3": "bb must be a text such as '33%,75%,a', got 3",
    "cap='1 2'": "cap must be a whole number from 0 to 1000, got '1 2'",
    "limp=never": "limp must be True or False, got 'never'",
    "merge=-1": "merge must be a share of the pot, 0 or more, got -1",
    "raise_='', limp=False": "limp=False and no raise leave the small blind only a fold; offer one, as in raise_='a'",
    "cap=0, limp=False": "limp=False and no raise leave the small blind only a fold",
    "blinds='2 2', limp=False": "limp=False needs a small blind below the big one, got blinds='2 2'",
}  # fmt: skip


@pytest.mark.parametrize("given", ERRORS)
def test_a_wrong_parameter_is_told_in_one_line(given):
    with pytest.raises(GameError) as caught:
        mccfr.game(f"nlph({given})")
    line = str(caught.value)
    assert line.startswith("nlph: ")
    assert ERRORS[given] in line
    assert "\n" not in line


def test_a_number_with_very_many_digits_is_refused_too():
    for parameter in ("stack", "ante"):
        with pytest.raises(GameError, match=f"^nlph: {parameter} must be "):
            Nlph(**{parameter: 10**5000})


def test_the_command_line_tells_the_same():
    for given, said in {
        "stack=1": ERRORS["stack=1, blinds='1 2'"][:22],
        "stak=9": "nlph takes (classes=True, stack=",
    }.items():
        refused = told("solve", f"nlph({given})")
        assert (refused.exit_code, refused.stdout, len(refused.stderr.splitlines())) == (2, "", 1)
        assert said in refused.stderr


def test_a_tree_that_is_too_large_is_refused_before_it_is_built():
    game = mccfr.game("nlph(raise_='33%,100%,a')")
    nodes, entries = game.dealt_size()
    tree = mccfr.compile(game)
    assert (nodes, entries) == (len(tree), tree.infosets.entries)
    assert game.dealt_size(entries) == (nodes, entries)
    with pytest.raises(TreeError, match=r"^nlph\(raise_='33%,100%,a'\): this betting tree has .* nodes"):
        game.dealt_size(entries - 1)
    with pytest.raises(TreeError, match=r"public nodes and [\d,]+ table entries and would need about"):
        mccfr.compile(game, memory_limit="1MB")


# ------------------------------------------------------------------------------------------------------ push or fold


def push_or_fold(stack, small, big):
    """The value and the strategies of the push-or-fold game by a linear programme over 169 x 169 match-ups.

    The small blind pushes hand i with probability x_i, and v_j is what the big blind leaves it when holding j: not more
    than what a fold pays, nor than what a call pays. Maximise sum_j v_j - small sum_i P(i) (1 - x_i).

    Returns:
        The value for the small blind, P(push) by hand, P(call) by hand.
    """
    table = class_equities()
    deal = table.pairs / table.pairs.sum()
    edge = (table.wins - table.wins.T) / (table.pairs * BOARDS)
    hands = len(deal)
    gain = np.concatenate([small * deal.sum(axis=1), np.ones(hands)])
    called, folded = (deal * edge * stack).T, (deal * big).T
    limits = np.block([[-called, np.eye(hands)], [-folded, np.eye(hands)]])
    bounds = [(0, 1)] * hands + [(None, None)] * hands
    found = linprog(-gain, limits, np.zeros(2 * hands), bounds=bounds, method="highs")
    calls, folds = -found.ineqlin.marginals.reshape(2, hands)
    return -found.fun - small, found.x[:hands], calls / (calls + folds)


@pytest.mark.parametrize(("stack", "small", "big", "ante"), [(20, 1, 2, 0), (61, 10, 20, 3)])
def test_push_or_fold_is_what_a_linear_programme_finds(stack, small, big, ante):
    """An ante only makes both blinds larger here, since nobody can do anything but fold or put in the whole stack."""
    value, push, call = push_or_fold(stack, small + ante, big + ante)
    tree = mccfr.compile(f"nlph(stack={stack}, blinds='{small} {big}', ante={ante}, raise_=a, limp=False)")
    assert [tree.infosets.actions(tree.infosets.find(f"AA:{line}")) for line in ("", "a")] == [
        ("fold", "all-in"),
        ("fold", "call"),
    ]
    mixed = np.concatenate([np.column_stack([1 - p, p]).reshape(-1) for p in (push, call)])
    evaluator = evaluator_for(tree)
    assert evaluator.value(mixed) == pytest.approx(value, abs=1e-9)
    assert evaluator.nash_conv(mixed) == pytest.approx(0, abs=1e-9)

    solver = mccfr.solve(tree, "cfr_plus", iterations=2000)
    assert solver.exploitability() < 1e-4
    assert mccfr.expected_value(solver.strategy()) == pytest.approx(value, abs=2e-4)


# "Using the Nash Charts", holdemresources.net, 2014: the largest stacks, in big blinds, with which three hands are
# played, and for one of them also where its gap begins and ends. The chart is in steps of 0.1 and, as its author says,
# leaves out further small gaps: 63s is folded with 6.0 and T3s with 7.6, both by a hundredth of a big blind or less.
IN_PRINT = [
    ("T3s:", "all-in", 7.7, 7.8),
    ("Q2o:a", "call", 5.6, 5.7),
    ("63s:", "all-in", 7.1, 7.2),
    ("63s:", "all-in", 5.1, 5.0),
    ("63s:", "all-in", 2.3, 2.4),
]


@pytest.mark.parametrize(("infoset", "action", "played", "folded"), IN_PRINT)
def test_push_or_fold_is_as_printed(infoset, action, played, folded):
    def probability(blinds):
        game = f"nlph(stack={round(20 * blinds)}, blinds='10 20', raise_=a, limp=False)"
        return mccfr.solve(game, "dcfr", iterations=4000).strategy()[infoset][action]

    assert probability(played) > 0.6
    assert probability(folded) < 0.01


# ---------------------------------------------------------------------------------------------------------- commands


def test_a_chart_is_one_command_after_solving(tmp_path):
    file = tmp_path / "push.mccfr"
    solved = told("solve", PUSH, "-n", 500, "--out", file)
    assert f"next            mccfr show {file} --grid ''" in solved.stdout
    chart = told("show", file, "--grid", "", "--action", "all-in").stdout
    assert "all-in at the beginning, %" in chart
    grid = json.loads(told("show", file, "--grid", "a", "--json").stdout)["grid"]
    assert list(grid) == ["fold", "call"]
    assert grid["call"][NUMBER["AA"]] == pytest.approx(1)
    assert grid["call"][NUMBER["32o"]] == pytest.approx(0, abs=1e-6)
    several = mccfr.uniform("nlph(stack=20, blinds='1 2', raise_='2x,2.5x,a')").grids("r4")
    assert list(several) == ["fold", "call", "raise 8", "raise 10", "all-in"]


def test_games_describes_the_parameters_that_were_given():
    said = told("games", PUSH).stdout
    assert "stack=20, blinds='1 2', ante=0, raise_='a', sb=None, bb=None, limp=False" in said
    assert "5 nodes, 338 infosets" in said


def test_check_takes_games_that_are_only_dealt():
    done = told("check", PUSH)
    assert (done.exit_code, done.stderr) == (0, "")
    assert f"{PUSH}: no faults in 5 nodes: 2 players, 338 infosets, 3 terminals, depth 2" in done.stdout
    assert "only the dealt form exists" in done.stdout
    assert json.loads(told("check", "dealt:nlph", "--json").stdout)["nodes"] == 58


class Faulty:
    """Preflop hold'em whose dealt rules are changed in one place."""

    players, dealt_only = 2, True

    def __init__(self, method, change):
        self.method, self.change = method, change

    def dealt(self):
        rules = mccfr.game(PUSH).dealt()
        right = getattr(rules, self.method)
        setattr(rules, self.method, lambda *given: self.change(right(*given)))
        return rules


@pytest.mark.parametrize(
    ("method", "change", "said"),
    [
        ("deal", lambda deal: 2 * deal, "deal(): the probabilities of pairs of hands sum to 2, expected 1"),
        ("matrix", lambda matrix: matrix / 0.0, "matrix(): a payoff is not a finite number"),
        ("label", lambda label: label[0], "label(): two infosets of player 0 are called 'A'"),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_check_tells_what_is_wrong_with_dealt_rules(method, change, said):
    with pytest.raises(GameError) as caught:
        mccfr.check_game(Faulty(method, change))
    assert said in str(caught.value)


def test_check_tells_of_wrong_laws():
    tree = mccfr.compile("dealt:kuhn")
    leduc = mccfr.compile("dealt:leduc")
    assert list(dealt_faults(tree)) == list(dealt_faults(leduc)) == []
    bent = dataclasses.replace(leduc, laws=leduc.laws * 1.5)
    assert list(dealt_faults(bent)) == ["law(): the probabilities of public events miss a sum of 1 by 0.5"]
    paid = dataclasses.replace(tree, matrices=tree.matrices + 1)
    assert list(dealt_faults(paid)) == ["matrix(): a pair of hands that is never dealt is paid, expected 0"]


def test_the_page_knows_blinds_and_sizes():
    from mccfr.web.admit import scene_of
    from mccfr.web.range_nodes import reader_of

    assert scene_of(PUSH).opened_at_once["units"] == {"name": "chips", "mbb": 500, "big_blind": 2}
    assert scene_of("nlph").opened_at_once["units"] == {"name": "chips", "mbb": 10, "big_blind": 100}
    steps = reader_of(mccfr.uniform(mccfr.compile("nlph"))).place("cra").steps
    assert [step.text for step in steps] == ["call", "raise", "all-in"]
    with pytest.raises(TreeError, match="this betting tree has"):
        scene_of("nlph(raise_='10%,20%,30%,40%,50%,a')")
