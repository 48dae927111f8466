"""Numbers at every scale: payoffs from 1e-310 to 1e306, rare chances, offsets; and what is not finite is noticed."""

import dataclasses
import json
import random
import warnings

import numpy as np
import pytest
from click.testing import CliRunner
from random_games import Node, TreeGame, random_game

import mccfr
from mccfr.cli.main import cli
from mccfr.errors import GameError, MethodError, RangeError
from mccfr.evaluate.exact import Evaluator
from mccfr.games.base import CHANCE, TERMINAL
from mccfr.kernel.averaging import Average
from mccfr.kernel.minimisers import Discounted
from mccfr.kernel.samplers import AverageStrategy
from mccfr.solvers import lp
from mccfr.solvers.engines import log_factors
from mccfr.solvers.method import Method
from mccfr.tree.history_tree import HistoryTree

LEDUC = -0.0856064240780  # value to player 0, as in test_exact_methods
INF, NAN = float("inf"), float("nan")


@dataclasses.dataclass(frozen=True)
class Scaled:
    """A game whose payoffs are multiplied, and shifted towards player 0."""

    game: str
    by: float
    shift: float = 0.0
    players = 2

    def __getattr__(self, name):
        return getattr(mccfr.game(self.game), name)

    def root(self):
        return mccfr.game(self.game).root()

    def payoff(self, s):
        first, second = mccfr.game(self.game).payoff(s)
        return first * self.by + self.shift, second * self.by - self.shift


def scaled(tree, by):
    """A tree with its payoffs multiplied: compiling once serves all scales."""
    nodes = tree.nodes.copy()
    ends = np.flatnonzero(nodes[3::4] == 255)
    nodes.view(np.float64)[2 * ends] *= by
    return dataclasses.replace(tree, nodes=nodes)


def solved(game):
    """Value and exploitability of what lp finds, and that it had nothing to say."""
    solver = mccfr.solve(game, "lp")
    assert solver.note == ""
    return mccfr.expected_value(solver.strategy()), solver.exploitability()


# lp -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("power", range(-12, 13, 3))
@pytest.mark.parametrize(("name", "value"), [("kuhn", -1 / 18), ("leduc", LEDUC)])
def test_lp_at_every_scale(name, value, power):
    scale = 10.0**power
    tree = scaled(mccfr.compile(name), scale)
    found, gap = solved(tree)
    assert tree.largest_payoff == pytest.approx(scale * {"kuhn": 2, "leduc": 13}[name])
    assert found == pytest.approx(value * scale, abs=1e-12 * scale)
    assert abs(gap) <= 1e-12 * scale


@pytest.mark.parametrize("by", [1e-310, 1e-300, 1e-9, 1e19, 1e300])
def test_lp_on_a_user_s_game_with_extreme_payoffs(by):
    value, gap = solved(Scaled("kuhn", by))
    assert value / by == pytest.approx(-1 / 18, abs=1e-11)
    assert abs(gap / by) <= 1e-11


@pytest.mark.slow_cases("*-leduc-*")
@pytest.mark.parametrize(("name", "value"), [("kuhn", -1 / 18), ("leduc", LEDUC)])
@pytest.mark.parametrize("shift", [1e3, -1e8])
def test_lp_where_all_payoffs_have_one_sign(name, value, shift):
    """The strategy is as good as without the shift; in the value, digits below the payoffs' precision are nobody's."""
    tree = mccfr.compile(Scaled(name, 1.0, shift))
    assert solved(tree)[0] - shift == pytest.approx(value, abs=4e-16 * abs(shift))
    assert Evaluator(mccfr.compile(name)).nash_conv(lp.solve_lp(tree)) <= 1e-12


@pytest.mark.parametrize(
    ("payoffs", "value"),
    [
        ([[3e-10, -1e-10], [-2e-10, 4e-10]], 1e-10),
        ([[3e19, -1e19], [-2e19, 4e19]], 1e19),
        ([[1e9, -1e9, 1e-9], [-1e9, 1e9, -1e-9], [1e-9, -1e-9, 1]], 0),
        ([[0, 0], [0, 0]], 0),
        ([[5e-12, 5e-12]], 5e-12),
        ([[-1e300]], -1e300),
        ([[1e-9, 1e9]], 1e-9),
    ],
)
def test_lp_on_matrices(payoffs, value):
    size = np.abs(payoffs).max()
    found, gap = solved(f"matrix({payoffs})")
    assert found == pytest.approx(value, rel=1e-12, abs=1e-16 * size)
    assert abs(gap) <= 1e-16 * size


def two_kuhns(chance, by):
    """With this chance Kuhn poker for stakes so many times as high, else for the usual ones: everybody knows which."""
    game = mccfr.game("kuhn")
    nodes = [Node(CHANCE, ("high", "low"), (1, 1), (chance, 1.0 - chance))]

    def write(state, kind, factor):
        place, mover = len(nodes), game.player(state)
        nodes.append(None)
        if mover == TERMINAL:
            nodes[place] = Node(TERMINAL, payoff=tuple(factor * x for x in game.payoff(state)))
            return place
        moves = list(game.chances(state)) if mover == CHANCE else [(a, 0.0) for a in game.actions(state)]
        below = tuple(write(game.step(state, a), kind, factor) for a, _ in moves)
        infoset = "" if mover == CHANCE else f"{kind} {game.infoset(state)}"
        nodes[place] = Node(mover, tuple(a for a, _ in moves), below, tuple(p for _, p in moves), infoset)
        return place

    places = write(game.root(), "high", by), write(game.root(), "low", 1.0)
    nodes[0] = dataclasses.replace(nodes[0], children=places)
    return TreeGame(2, nodes, "two kuhns")


@pytest.mark.parametrize(("chance", "by"), [(1e-10, 1), (1e-10, 1e10), (1e-14, 1e14), (0.5, 1e9), (0.5, 1e-9)])
def test_lp_solves_the_rare_and_the_small_as_well(chance, by):
    """Below HiGHS's tolerances, and so only right by their own units or by refinement."""
    game = two_kuhns(chance, by)
    stake = chance * by + 1.0 - chance
    value, gap = solved(game)
    assert value == pytest.approx(-stake / 18, abs=1e-15 * stake)
    assert abs(gap) <= 1e-15 * stake


def wild(seed):
    """A random game with payoffs over 18 orders of magnitude, chances over 8, and now and then an offset."""
    game, draw = random_game(seed, 6), random.Random(seed)
    span, offset = draw.choice([3, 6, 9]), draw.choice([0, 0, 1e8])
    for j, node in enumerate(game.nodes):
        if node.player == TERMINAL:
            x = draw.choice([-1, 1]) * 10 ** draw.uniform(-span, span) + offset
            game.nodes[j] = dataclasses.replace(node, payoff=(x, -x))
        elif node.player == CHANCE:
            weights = [10 ** draw.uniform(-8, 0) for _ in node.odds]
            game.nodes[j] = dataclasses.replace(node, odds=tuple(w / sum(weights) for w in weights))
    return mccfr.compile(game)


@pytest.mark.parametrize("seed", range(60))
def test_lp_on_wild_games(seed):
    tree = wild(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = lp.solve_lp(tree)
    unit = lp.in_its_own_units(tree)
    assert unit is None or Evaluator(unit).nash_conv(found) / 2 <= 1e-11


def test_games_in_their_own_units():
    """About 1 is at stake; endings that chance never lets happen do not count."""
    impossible = [
        Node(CHANCE, ("never", "always"), (1, 2), (0.0, 1.0)),
        Node(TERMINAL, payoff=(1e200, -1e200)),
        Node(0, ("a", "b"), (3, 4), infoset="x"),
        Node(TERMINAL, payoff=(1e-20, -1e-20)),
        Node(TERMINAL, payoff=(-3e-20, 3e-20)),
    ]
    unit = lp.in_its_own_units(mccfr.compile(TreeGame(2, impossible)))
    assert 0.5 <= unit.largest_payoff < 1
    assert lp.in_its_own_units(mccfr.compile("matrix([[7, 7]])")) is None


# When linear programming fails ----------------------------------------------------------------------------------------


class Failed:
    """What linprog returns when it fails."""

    x = None


@pytest.fixture
def failing(monkeypatch):
    monkeypatch.setattr(lp, "linprog", lambda *args, **keys: Failed)


NOTE = r"^the linear programme was not solved; cfr_plus left 0\.0\d+ after up to 256 iterations; the better was taken$"


def test_another_method_goes_on_and_says_so(failing, monkeypatch):
    monkeypatch.setattr(lp, "SWEEPS", 256)
    tree = mccfr.compile("kuhn")
    with pytest.warns(UserWarning, match=NOTE):
        found = lp.solve_lp(tree)
    swept = mccfr.solve(tree, "cfr_plus", iterations=256).strategy()
    assert found == pytest.approx(swept.probabilities)


def test_the_note_reaches_python_the_terminal_and_the_run(failing, monkeypatch, tmp_path):
    monkeypatch.setattr(lp, "SWEEPS", 256)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it is an attribute here, and no warning
        note = mccfr.solve("kuhn").note
    assert note.startswith("the linear programme was not solved")
    told = CliRunner().invoke(cli, ["solve", "kuhn"])
    assert (told.exit_code, f"note            {note}" in told.output.splitlines()) == (0, True)
    told = CliRunner().invoke(cli, ["solve", "kuhn", "--json"])
    assert json.loads(told.stdout)["note"] == note
    assert mccfr.train(tmp_path / "run", "kuhn", "lp").status.note == note


def test_a_solution_that_is_not_exact_is_refined(monkeypatch):
    """HiGHS with a tolerance of a thousandth; wherever it stops, the differences are solved for."""
    monkeypatch.setattr(lp, "LOOSE", 1e-3)
    monkeypatch.setattr(lp, "TIGHT", 1e-3)
    tree = mccfr.compile("leduc")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Evaluator(tree).nash_conv(lp.solve_lp(tree)) <= 1e-8


# Sums of payoffs ------------------------------------------------------------------------------------------------------


def one_choice(*payoffs):
    players = len(payoffs[0])
    ends = [Node(TERMINAL, payoff=paid) for paid in payoffs]
    return TreeGame(
        players, [Node(0, tuple("abcdef"[: len(ends)]), tuple(range(1, 1 + len(ends))), infoset="x"), *ends]
    )


@pytest.mark.parametrize("size", [1e-200, 1e-11, 1.0, 1e11])
@pytest.mark.parametrize("do", [mccfr.compile, mccfr.check_game])
def test_sums_that_differ_are_seen_at_every_scale(do, size):
    with pytest.raises(GameError, match=r"after b: payoffs \[.*\] sum to .*, but elsewhere to 0"):
        do(one_choice((size, -size), (size, size)))


@pytest.mark.parametrize("do", [mccfr.compile, mccfr.check_game])
def test_rounding_does_not_count_as_a_sum(do):
    dust = 0.1 + 0.2 - 0.3
    do(one_choice((dust, 0.0), (1.0, -1.0)))
    assert mccfr.check_game(one_choice((dust, 0.0), (1.0, -1.0))).notes == ()


@pytest.mark.parametrize("do", [mccfr.compile, mccfr.check_game])
def test_payoffs_too_large_to_add(do):
    with pytest.raises(GameError, match=r"expected numbers from -1e\+306 to 1e\+306$"):
        do(one_choice((1e307, -1e307), (0.0, 0.0)))


@pytest.mark.parametrize(("players", "text"), [(1, "1 player"), (3, "3 players")])
def test_notes_on_other_numbers_of_players(players, text):
    """Their payoffs may sum to anything, and nothing is taken from anybody."""
    report = mccfr.check_game(one_choice((5.0,) * players, (2.0,) * players))
    assert report.notes == (f"{text}: it compiles, but methods and evaluation take two-player games only",)
    assert report.constant is None
    assert f": {text}, 1 infosets" in str(report)


def test_small_numbers_are_told():
    """A hundredth of a billionth is not 0 where payoffs are as small."""
    told = CliRunner().invoke(cli, ["solve", "matrix([[3e-16, -1e-16], [-2e-16, 4e-16]])"])
    assert "value           1e-16 for player 0" in told.output.splitlines()
    assert "exploitability  0 (NashConv / 2, in the game's payoffs)" in told.output.splitlines()


@pytest.mark.parametrize("by", [1e-12, 1e12])
def test_audits_at_every_scale(by):
    """Tolerances are relative to payoffs: a bias is found in small ones, and rounding is none in large ones."""
    tree = scaled(mccfr.compile("kuhn"), by)
    (sound,) = mccfr.audit(tree, "external", exact=True, warm_up=0).rows
    (biased,) = mccfr.audit(tree, "external+page_rule", exact=True, warm_up=0).rows
    assert sound.biased == ()
    assert "regrets" in biased.biased


# Numbers that are not finite ------------------------------------------------------------------------------------------

REFUSED = {
    "dcfr(nan)": "dcfr: alpha must be a number, got",
    "everything+discounted(0, nan)": "discounted: beta must be a number, got",
    "average_strategy(0.1, inf)": r"average_strategy: beta must be a number from 0 to 1e\+300, got inf",
    "average_strategy(0.1, 1, inf)": r"average_strategy: tau must be a number from 0 to 1e\+300, got inf",
    "average_strategy(0.1, -inf)": "average_strategy: beta must be a number from 0",
    "external+weighted(inf)": "weighted: power must be a number from 0 to 20, got inf",
    "external+power(inf)": "power: weight must be a number from 0 to 20, got inf",
    "external+floor(inf)": "floor: start must be a number from 0 to 1, got inf",
    "external+floor(0.1, -inf)": "floor: until must be a number from 1, got -inf",
    "outcome(inf)": "outcome: epsilon must be a number from 0 to 1, got inf",
    "include(inf)": "include: p must be a number from 1e-09 to 1, got inf",
    "external+history(inf)": "history: rate must be a number from 0 to 1, got inf",
    "public_outcome(inf)": "public_outcome: epsilon must be a number from 0 to 1, got inf",
    "vector(own=counts(mcs, inf))": "counts: gamma must be a number from 0 to 10, got inf",
    "vector(own=epsilon_greedy(mcs, inf))": "epsilon_greedy: epsilon must be a number from 0 to 1, got inf",
    f"average_strategy(0.1, 1{'0' * 310})": "average_strategy: beta must be a number from 0",
}


@pytest.mark.parametrize("text", REFUSED)
def test_parameters_that_cannot_be_right(text):
    with pytest.raises(MethodError, match=f"^{REFUSED[text]}"):
        Method.parse(text)


@pytest.mark.parametrize(
    "part",
    [
        {"minimiser": Discounted(NAN, 0.0)},
        {"averaging": Average(INF)},
        {"averaging": Average(NAN)},
        {"sampler": AverageStrategy(0.1, INF, 1.0)},
    ],
)
def test_parts_that_cannot_be_right(part):
    with pytest.raises(MethodError, match=r"^Method: \w+ \w+ has \w+=(nan|inf): expected a finite number$"):
        Method(**part)


@pytest.mark.slow
def test_infinite_exponents_of_walks_are_those_of_sweeps():
    """Brown and Sandholm's limits: alpha = inf keeps positive regrets, beta = -inf forgets negative ones."""
    for alpha, beta in ((INF, -INF), (-INF, 0.0), (-INF, -INF), (0.0, INF), (-1e300, 1e300)):
        walked = mccfr.solve("kuhn", f"everything+discounted({alpha}, {beta})", iterations=5)
        swept = mccfr.solve("kuhn", f"dcfr({alpha}, {beta}, 0)+simultaneous", iterations=5)
        assert walked.state["regret"] == pytest.approx(swept.state["regret"], abs=1e-12)


@pytest.mark.slow
def test_regrets_that_have_nearly_vanished_are_none():
    """Below 1e-308 one over their sum would be infinite."""
    mccfr.solve("kuhn", "everything+discounted(-20, 0)", iterations=100).check_finite()
    strategy = mccfr.solve(scaled(mccfr.compile("kuhn"), 1e-310), "cfr", iterations=10).strategy()
    assert strategy.probabilities == pytest.approx(mccfr.uniform("kuhn").probabilities)


def test_logarithms_of_factors_stay_finite():
    for exponent in (INF, -INF, 1e300, -1e300, 0.0, 1.5):
        keep = log_factors(50, exponent, exponent)
        assert np.isfinite(keep).all()
        assert (np.diff(keep[::2]) <= 0).all()
    assert np.exp(np.diff(log_factors(5, -INF, INF)[::2])).tolist() == [0.0] * 5
    assert log_factors(5, -INF, INF)[1::2].tolist() == [0.0] * 6


@pytest.mark.parametrize("method", ["external", "cfr_plus"])
@pytest.mark.parametrize("number", [INF, -INF, NAN])
@pytest.mark.parametrize("table", ["regret", "average"])
def test_a_planted_infinity_is_noticed(method, number, table):
    solver = mccfr.solve("kuhn", method, iterations=10)
    solver.state[table][3] = number
    line = rf"^kuhn by {method}: after \d+ iterations (regret|current|average) holds numbers that are not finite\. "
    for do in (solver.exploitability, solver.strategy, solver.current, lambda: solver.run(0)):
        with pytest.raises(RangeError, match=line) as error:
            do()
        assert len(str(error.value)) < 300


def test_payoffs_that_are_too_large_for_many_iterations():
    game = "matrix([[1e306], [-1e306]])"
    assert mccfr.solve(game, "cfr", iterations=10).exploitability() < 1e306
    with pytest.raises(RangeError, match=r"by cfr: after 1,000 iterations regret holds numbers that are not finite"):
        mccfr.solve(game, "cfr", iterations=1000)


def test_the_last_good_checkpoint_stays(tmp_path):
    """An infinity comes up between two checkpoints: the run dies with one line, and goes on from the good one."""
    run = mccfr.train(tmp_path / "run", "kuhn", "cfr", iterations=20)
    good = run.checkpoints()
    bytes_before = [path.read_bytes() for path in good]

    def plant(reached):
        if reached.iterations >= 25:
            solvers[0].state["regret"][3] = INF

    solvers = []
    keep = mccfr.Solver.advance

    def remember(self, *args, **keys):
        solvers.append(self)
        return keep(self, *args, **keys)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mccfr.Solver, "advance", remember)
        with pytest.raises(RangeError, match="kuhn by cfr: after"):
            mccfr.train(tmp_path / "run", "kuhn", "cfr", iterations=50, watch=plant)
    assert mccfr.Run(tmp_path / "run").status.state == "died"
    assert "RangeError: kuhn by cfr" in mccfr.Run(tmp_path / "run").status.note
    assert [path.read_bytes() for path in good] == bytes_before
    assert mccfr.Run(tmp_path / "run").checkpoints() == good
    again = mccfr.train(tmp_path / "run", "kuhn", "cfr", iterations=50)
    assert again.status.exploitability == pytest.approx(mccfr.solve("kuhn", "cfr", iterations=50).exploitability())


def test_a_solver_looks_at_all_its_tables():
    """Those of estimators too: a baseline is a table."""
    solver = mccfr.Solver("kuhn", "outcome+history")
    solver.state["estimator.table"][0] = NAN
    with pytest.raises(RangeError, match=r"estimator\.table holds numbers"):
        solver.strategy()


def test_scaled_trees_are_trees():
    assert isinstance(scaled(mccfr.compile("kuhn"), 2.0), HistoryTree)
    assert solved(scaled(mccfr.compile("kuhn"), 2.0))[0] == pytest.approx(-1 / 9)
