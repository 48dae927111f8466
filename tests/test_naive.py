"""The naive twin against published numbers, identities and OpenSpiel: the bottom of the chain of trust."""

import json
import math
from fractions import Fraction
from pathlib import Path

import naive
import pytest
from hypothesis import assume, given, settings, strategies as st
from naive_kuhn import Kuhn, kuhn_equilibrium
from random_games import (
    Node,
    TreeGame,
    differing_actions_game,
    games,
    imperfect_recall_game,
    random_game,
    random_strategy,
)

from mccfr.games.base import CHANCE, TERMINAL

KUHN = Kuhn()
ORACLES = json.loads((Path(__file__).parent / "data" / "oracles.json").read_text())["kuhn"]
SEEDS = st.integers(0, 10**6)
ALPHAS = [Fraction(0), Fraction(1, 7), Fraction(1, 4), Fraction(1, 3)]

few = settings(max_examples=40, deadline=None, derandomize=True)


def flat(table):
    return [x for key in sorted(table) for x in table[key]]


def close(a, b, tolerance=1e-12):
    return flat(a) == pytest.approx(flat(b), rel=tolerance, abs=tolerance)


# Kuhn poker: numbers of the literature and of the oracle file ---------------------------------------------------------


def test_kuhn_counts_are_those_of_openspiel():
    found, oracle = naive.counts(KUHN), ORACLES["counts"]
    assert (found.nodes, found.terminals) == (oracle["histories_total"], oracle["terminal"])
    assert (found.chance, found.decision, found.depth) == (oracle["chance"], oracle["decision"], oracle["max_depth"])
    assert found.infosets == (oracle["infosets_p0"], oracle["infosets_p1"])
    assert found.infoset_actions == (oracle["info_actions_p0"], oracle["info_actions_p1"])
    assert found.largest_infoset == 2


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
def test_kuhn_1950_equilibria_exactly(alpha):
    game, profile = Kuhn(Fraction(1)), kuhn_equilibrium(alpha)
    assert naive.expected_values(game, profile) == [Fraction(-1, 18), Fraction(1, 18)]
    assert naive.exploitability(game, profile) == 0
    assert sum(naive.clairvoyant_best_response(game, profile, i) for i in (0, 1)) / 2 == Fraction(5, 18)


def test_kuhn_1950_alpha_outside_its_range_is_exploitable():
    betting_too_much = kuhn_equilibrium(Fraction(1, 3)) | {(0, "J"): [Fraction(1, 2), Fraction(1, 2)]}
    assert naive.exploitability(Kuhn(Fraction(1)), betting_too_much) > Fraction(1, 100)


def test_kuhn_uniform_numbers():
    profile, oracle = naive.uniform(KUHN), ORACLES["uniform"]
    assert naive.expected_value(KUHN, profile) == pytest.approx(oracle["value_p0"], abs=1e-15)
    assert naive.best_response(KUHN, profile, 0)[0] == pytest.approx(1 / 2, abs=1e-15)
    assert naive.best_response(KUHN, profile, 1)[0] == pytest.approx(5 / 12, abs=1e-15)
    assert naive.exploitability(KUHN, profile) == pytest.approx(oracle["exploitability"], abs=1e-15)


REGRESSIONS = {
    "cpp_CFRSolver_alternating": {},
    "own_flat_CFR_simultaneous": {"simultaneous": True},
    "py_CFR_simultaneous": {"simultaneous": True},
    "cpp_CFRPlusSolver_alternating_linear_avg": {"minimiser": naive.rm_plus, "power": 1},
    "own_flat_CFRplus_simultaneous_linear_avg": {"minimiser": naive.rm_plus, "power": 1, "simultaneous": True},
    "own_flat_CFR_alternating_linear_avg": {"power": 1},
}


@pytest.mark.parametrize("iterations", [10, 100])
@pytest.mark.parametrize("name", REGRESSIONS)
def test_kuhn_regression_numbers(name, iterations):
    oracle = ORACLES["cfr_average_exploitability"][name][str(iterations)]
    average = naive.cfr(KUHN, iterations, **REGRESSIONS[name]).average
    assert naive.exploitability(KUHN, average) == pytest.approx(oracle["exploitability"], abs=1e-12)
    assert naive.expected_value(KUHN, average) == pytest.approx(oracle["value_p0"], abs=1e-12)


# OpenSpiel's own solvers ----------------------------------------------------------------------------------------------


def openspiel_names(state, h=None):
    """{our infoset: OpenSpiel's information state string}, by walking both Kuhn trees side by side."""
    h = h or naive.History(KUHN.root())
    who = KUHN.player(h.state)
    assert (who == TERMINAL, who == CHANCE) == (state.is_terminal(), state.is_chance_node())
    if who == TERMINAL:
        assert list(KUHN.payoff(h.state)) == state.returns()
        return {}
    names = {} if who == CHANCE else {(who, KUHN.infoset(h.state)): state.information_state_string()}
    for action, child in zip(state.legal_actions(), naive.children(KUHN, h), strict=True):
        names |= openspiel_names(state.child(action), child)
    return names


OPENSPIEL = {
    "cfr.CFRSolver": {},
    "cfr.CFRPlusSolver": {"minimiser": naive.rm_plus, "power": 1},
    "discounted_cfr.DCFRSolver": {"minimiser": naive.discounted(1.5, 0, "after"), "power": 2},
    "discounted_cfr.LCFRSolver": {"minimiser": naive.discounted(1, 1, "after"), "power": 1},
}


@pytest.mark.parametrize("name", OPENSPIEL)
def test_openspiel_solvers_agree(name):
    pyspiel = pytest.importorskip("pyspiel")
    module, solver = name.split(".")
    algorithms = pytest.importorskip(f"open_spiel.python.algorithms.{module}")
    game = pyspiel.load_game("kuhn_poker")
    theirs = getattr(algorithms, solver)(game)
    for _ in range(30):
        theirs.evaluate_and_update_policy()
    ours = naive.cfr(KUHN, 30, **OPENSPIEL[name])
    names = openspiel_names(game.new_initial_state())
    assert len(names) == 12
    for key, text in names.items():
        assert ours.average[key] == pytest.approx(list(theirs.average_policy().policy_for_key(text)), abs=1e-10)
        assert ours.current[key] == pytest.approx(list(theirs.current_policy().policy_for_key(text)), abs=1e-10)
        table = theirs._info_state_nodes[text].cumulative_regret
        assert ours.regrets[key] == pytest.approx([table[0], table[1]], abs=1e-10)


# Papers without an oracle: the update of the paper on a matrix game ---------------------------------------------------

MATRIX = [[3.0, -1.0, 0.5], [-2.0, 2.0, 0.25], [0.0, 1.0, -3.0]]  # what the row player gets; no pure equilibrium


def matrix_game():
    """Rock-paper-scissors with other payoffs: the column player moves second and sees nothing."""
    leaves = [Node(TERMINAL, payoff=(u, -u)) for row in MATRIX for u in row]
    columns = [Node(1, ("a", "b", "c"), tuple(4 + 3 * i + j for j in range(3)), infoset="column") for i in range(3)]
    return TreeGame(2, [Node(0, ("a", "b", "c"), (1, 2, 3), infoset="row"), *columns, *leaves])


def play_matrix(iterations, strategy_of, observe):
    """Simultaneous play of two learners given in the form of a paper: strategies of the last iteration."""
    learners = [{"z": [0.0] * 3, "x": [1 / 3] * 3, "loss": [0.0] * 3} for _ in range(2)]
    for t in range(1, iterations + 1):
        row, column = (strategy_of(learner) for learner in learners)
        losses = (
            [-sum(MATRIX[i][j] * column[j] for j in range(3)) for i in range(3)],
            [sum(MATRIX[i][j] * row[i] for i in range(3)) for j in range(3)],
        )
        for learner, x, loss in zip(learners, (row, column), losses):
            learner |= {"z": observe(learner["z"], x, loss, t), "x": x, "loss": loss}
    return [strategy_of(learner) for learner in learners]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def test_farina_kroer_sandholm_2021_predictive_rm_plus():
    def strategy_of(learner):  # [z + <m, x> 1 - m]^+ with the last loss as the prediction m
        z, x, m = learner["z"], learner["x"], learner["loss"]
        theta = [max(zj + dot(m, x) - mj, 0) for zj, mj in zip(z, m)]
        return [th / sum(theta) for th in theta] if sum(theta) else [1 / 3] * 3

    def observe(z, x, loss, t):
        return [max(zj + dot(loss, x) - lj, 0) for zj, lj in zip(z, loss)]

    row, column = play_matrix(25, strategy_of, observe)
    ours = naive.cfr(matrix_game(), 25, naive.predictive_rm_plus, simultaneous=True)
    assert close(ours.current, {(0, "row"): row, (1, "column"): column}, 1e-10)
    assert not close(ours.current, naive.cfr(matrix_game(), 25, naive.rm_plus, simultaneous=True).current, 1e-2)


def test_xu_et_al_2024_minimises_weighted_regret():
    """Regrets of iteration t + 1 have (t^alpha + 1) / t^alpha times the weight of those of t: no discounts at all."""

    def strategy_of(learner):
        *z, w = learner["z"] if len(learner["z"]) == 4 else (*learner["z"], 1.0)
        gain = dot(learner["loss"], learner["x"])
        theta = [max(zj + w * (gain - lj), 0) for zj, lj in zip(z, learner["loss"])]
        return [th / sum(theta) for th in theta] if sum(theta) else [1 / 3] * 3

    def observe(z, x, loss, t):
        *z, w = z if len(z) == 4 else (*z, 1.0)
        return [*(max(zj + w * (dot(loss, x) - lj), 0) for zj, lj in zip(z, loss)), w * (t**2.3 + 1) / t**2.3]

    row, column = play_matrix(25, strategy_of, observe)
    ours = naive.cfr(matrix_game(), 25, naive.predictive_discounted(2.3), simultaneous=True)
    assert close(ours.current, {(0, "row"): row, (1, "column"): column}, 1e-10)
    assert not close(
        ours.current, naive.cfr(matrix_game(), 25, naive.predictive_rm_plus, simultaneous=True).current, 1e-2
    )


def test_meng_et_al_2025_trust_a_third_of_the_forecast():
    def strategy_of(learner):
        z, x, m = learner["z"], learner["x"], [loss / 3 for loss in learner["loss"]]
        theta = [max(zj + dot(m, x) - mj, 0) for zj, mj in zip(z, m)]
        return [th / sum(theta) for th in theta] if sum(theta) else [1 / 3] * 3

    def observe(z, x, loss, t):
        return [max(zj + dot(loss, x) - lj, 0) for zj, lj in zip(z, loss)]

    row, column = play_matrix(25, strategy_of, observe)
    ours = naive.cfr(matrix_game(), 25, naive.asymmetric_rm_plus(), simultaneous=True)
    assert close(ours.current, {(0, "row"): row, (1, "column"): column}, 1e-10)


def strategies_over_time(minimiser, iterations):
    """What was played in each iteration on the matrix game, both players at once."""
    played = [naive.cfr(matrix_game(), t, minimiser, simultaneous=True).current for t in range(1, iterations)]
    return [naive.uniform(matrix_game()), *played]


def test_zhang_mcaleer_sandholm_2026_weights_are_products_of_what_faded():
    played = strategies_over_time(naive.scheduled(20), 25)
    weights = [math.prod((s / (s + 1)) ** (30 - min(s, 20) / 4) for s in range(t, 25)) for t in range(1, 26)]
    solution = naive.cfr(matrix_game(), 25, naive.scheduled(20), fade=naive.fading_by(30, 20), simultaneous=True)
    for key, sums in solution.sums.items():
        assert sums == pytest.approx([dot(weights, [one[key][a] for one in played]) for a in range(3)], abs=1e-12)


def test_restarts_forget_all_before_and_count_cubes_from_there():
    played = strategies_over_time(naive.discounted(1.5, 0), 25)
    weights = [max(t - 16, 0) ** 3 / 9**3 for t in range(1, 26)]
    solution = naive.cfr(matrix_game(), 25, naive.discounted(1.5, 0), fade=naive.restarting(), simultaneous=True)
    for key, sums in solution.sums.items():
        assert sums == pytest.approx([dot(weights, [one[key][a] for one in played]) for a in range(3)], abs=1e-12)


def test_brown_sandholm_2019_discounts_the_old_regrets():
    def strategy_of(learner):
        theta = [max(zj, 0) for zj in learner["z"]]
        return [th / sum(theta) for th in theta] if sum(theta) else [1 / 3] * 3

    def observe(z, x, loss, t):
        s = t - 1
        kept = [zj * (s**1.5 / (s**1.5 + 1) if zj > 0 else 1 / 2) for zj in z]
        return [zj + dot(loss, x) - lj for zj, lj in zip(kept, loss)]

    row, column = play_matrix(25, strategy_of, observe)
    ours = naive.cfr(matrix_game(), 25, naive.discounted(1.5, 0), simultaneous=True)
    assert close(ours.current, {(0, "row"): row, (1, "column"): column}, 1e-10)


@few
@given(games(depth=5), st.booleans())
def test_the_two_orders_of_discounting_play_alike(game, simultaneous):
    before, after = (
        naive.cfr(game, 6, naive.discounted(1.5, 0, order), power=2, simultaneous=simultaneous)
        for order in ("before", "after")
    )
    scaled = {key: [x * (6**1.5 / (6**1.5 + 1) if x > 0 else 1 / 2) for x in r] for key, r in before.regrets.items()}
    assert close(after.regrets, scaled, 1e-9)
    assert close(before.sums, after.sums, 1e-9)


def kuhn_exploitability(*options):
    return naive.exploitability(KUHN, naive.cfr(KUHN, 100, *options).average)


def test_discounting_and_prediction_beat_their_parents_on_kuhn():
    assert kuhn_exploitability(naive.discounted(1.5, 0), 2) < kuhn_exploitability(naive.rm) / 3
    assert kuhn_exploitability(naive.predictive_rm_plus, 2) < kuhn_exploitability(naive.rm_plus, 1) / 10


def test_unknown_order_is_refused():
    with pytest.raises(ValueError, match="expected before or after"):
        naive.discounted(1, 1, "during")


# Identities of the theory on random games -----------------------------------------------------------------------------


@few
@given(games(totals=(0.0, 5.0)), SEEDS)
def test_identity_13_payoffs_sum_to_a_constant(game, seed):
    total = sum(game.payoff(next(s for s, node in enumerate(game.nodes) if node.player == TERMINAL)))
    assert sum(naive.expected_values(game, random_strategy(game, seed))) == pytest.approx(total, abs=1e-12)


@few
@given(games(), SEEDS)
def test_value_is_the_reach_weighted_sum_of_payoffs(game, seed):
    strategy = random_strategy(game, seed)
    ends = [h for h in naive.histories(game) if game.player(h.state) == TERMINAL]
    weights = [naive.reach(h, strategy, 0) * naive.reach_of_others(h, strategy, 0) for h in ends]
    assert sum(weights) == pytest.approx(1, abs=1e-12)
    value = sum(w * game.payoff(h.state)[0] for w, h in zip(weights, ends))
    assert naive.expected_value(game, strategy) == pytest.approx(value, abs=1e-12)


@few
@given(games(), SEEDS)
def test_identity_14_regrets_average_to_zero(game, seed):
    strategy = random_strategy(game, seed)
    for player in (0, 1):
        for key, r in naive.regrets(game, strategy, player).items():
            assert dot(strategy[key], r) == pytest.approx(0, abs=1e-12)


@few
@given(games(), SEEDS)
def test_identity_15_best_responses_are_never_worse(game, seed):
    strategy = random_strategy(game, seed)
    for player in (0, 1):
        value = naive.best_response(game, strategy, player)[0]
        assert value >= naive.expected_values(game, strategy)[player] - 1e-12
        assert value <= naive.clairvoyant_best_response(game, strategy, player) + 1e-12
    assert naive.exploitability(game, strategy) >= -1e-12


@few
@given(games(depth=5), SEEDS)
def test_best_response_equals_enumeration_of_pure_strategies(game, seed):
    strategy = random_strategy(game, seed)
    for player in (0, 1):
        assume(pure_strategies(game, player) <= 600)
        value, answer = naive.best_response(game, strategy, player)
        assert value == pytest.approx(naive.best_response_by_enumeration(game, strategy, player), abs=1e-12)
        assert all(sorted(p)[-1] == sum(p) == 1 for p in answer.values())


@few
@given(games(depth=4, players=3), SEEDS)
def test_best_response_of_three_players_equals_enumeration(game, seed):
    strategy = random_strategy(game, seed)
    for player in range(3):
        assume(pure_strategies(game, player) <= 600)
        value, _ = naive.best_response(game, strategy, player)
        assert value == pytest.approx(naive.best_response_by_enumeration(game, strategy, player), abs=1e-12)


def pure_strategies(game, player):
    return math.prod(naive.arity(game, hs) for key, hs in naive.infosets(game).items() if key[0] == player)


def test_best_response_where_the_deepest_history_is_a_dead_end():
    """Infoset "first" lies at depths 1 and 3, "second" only at depth 2, below the shallow one.

    Whoever decides infosets by their deepest history settles "first" before it knows what "second" is worth.
    """
    nodes = [
        Node(CHANCE, ("a", "b"), (1, 2), odds=(0.5, 0.5)),
        Node(0, ("a", "b"), (3, 4), infoset="first"),
        Node(1, ("a",), (5,), infoset="wait"),
        Node(TERMINAL, payoff=(0.5, -0.5)),
        Node(0, ("a", "b"), (6, 7), infoset="second"),
        Node(1, ("a",), (8,), infoset="wait longer"),
        Node(TERMINAL, payoff=(-9.0, 9.0)),
        Node(TERMINAL, payoff=(1.0, -1.0)),
        Node(0, ("a", "b"), (9, 10), infoset="first"),
        Node(TERMINAL, payoff=(0.0, 0.0)),
        Node(TERMINAL, payoff=(0.0, 0.0)),
    ]
    game = TreeGame(2, nodes)
    assert naive.best_response(game, naive.uniform(game), 0) == (0.5, {(0, "first"): [0, 1], (0, "second"): [0, 1]})


def test_kuhn_best_response_equals_all_64_pure_strategies():
    strategy = random_strategy(KUHN, 3)
    for player in (0, 1):
        assert pure_strategies(KUHN, player) == 64
        value, _ = naive.best_response(KUHN, strategy, player)
        assert value == pytest.approx(naive.best_response_by_enumeration(KUHN, strategy, player), abs=1e-12)


def test_ties_go_to_the_lowest_action():
    game = TreeGame(2, [Node(0, ("a", "b"), (1, 2)), Node(TERMINAL, payoff=(1, -1)), Node(TERMINAL, payoff=(1, -1))])
    assert naive.best_response(game, naive.uniform(game), 0) == (1, {(0, ""): [1, 0]})


@few
@given(games(depth=5), st.booleans())
def test_identity_16_linear_cfr_weights_iteration_t_by_t(game, simultaneous):
    weighted = naive.Minimiser(lambda old, r, t: [o + t * x for o, x in zip(old, r)])
    direct = naive.cfr(game, 6, weighted, power=1, simultaneous=simultaneous)
    for order, factor in (("before", 6), ("after", 7)):  # t R_t and (t + 1) R_t are the weighted sum
        linear = naive.cfr(game, 6, naive.discounted(1, 1, order), power=1, simultaneous=simultaneous)
        assert close(direct.regrets, {key: [factor * x for x in r] for key, r in linear.regrets.items()}, 1e-9)
        assert close(direct.sums, linear.sums, 1e-9)


@few
@given(games(depth=5))
def test_identity_16_rm_plus_is_never_negative_and_is_the_limit_of_discounting(game):
    plus = naive.cfr(game, 5, naive.rm_plus, power=1)
    assert min(flat(plus.regrets), default=0) >= 0
    limit = naive.cfr(game, 5, naive.discounted(math.inf, -math.inf), power=1)
    assert close(plus.regrets, {key: [max(x, 0) for x in r] for key, r in limit.regrets.items()})
    assert close(plus.average, limit.average)


@few
@given(games(depth=5))
def test_identity_20_regrets_bound_exploitability(game):
    solution = naive.cfr(game, 8, simultaneous=True)
    bound = sum(max(0, *r) for r in solution.regrets.values()) / 8
    assert 2 * naive.exploitability(game, solution.average) <= bound + 1e-12


@few
@given(games(depth=5), st.booleans())
def test_skipping_leaves_regrets_alone_and_early_iterations_out(game, simultaneous):
    options = {"power": 2, "simultaneous": simultaneous}
    whole, head = naive.cfr(game, 5, **options), naive.cfr(game, 3, **options)
    tail = naive.cfr(game, 5, skip=3, **options)
    assert tail.regrets == whole.regrets
    assert close({key: [a + b for a, b in zip(head.sums[key], tail.sums[key])] for key in tail.sums}, whole.sums)


def test_random_games_are_solved():
    for seed in range(5):
        game = random_game(seed, depth=5)
        start = naive.exploitability(game, naive.uniform(game))
        assert naive.exploitability(game, naive.cfr(game, 60, naive.rm_plus, power=1).average) < 0.1 * start + 1e-9


# The generator keeps its promises -------------------------------------------------------------------------------------


def test_random_games_have_perfect_recall_and_one_set_of_actions_per_infoset():
    for seed in range(100):
        game = random_game(seed)
        assert naive.has_perfect_recall(game)
        assert len(game.nodes) == naive.counts(game).nodes <= 400
        for members in naive.infosets(game).values():
            assert len({game.actions(h.state) for h in members}) == 1


def test_random_games_are_awkward_often_enough():
    drawn = [random_game(seed) for seed in range(100)]
    sets = [naive.infosets(game).values() for game in drawn]
    assert sum(any(len(members) > 1 for members in s) for s in sets) > 70
    assert sum(any(len({len(h.moves) for h in members}) > 1 for members in s) for s in sets) > 50
    assert sum(any(node.player >= 0 and len(node.labels) == 1 for node in game.nodes) for game in drawn) > 50
    assert sum(any(0 in node.odds for node in game.nodes) for game in drawn) > 30


@pytest.mark.parametrize("seed", range(5))
def test_broken_games_are_broken(seed):
    assert not naive.has_perfect_recall(imperfect_recall_game(seed))
    for count_too in (False, True):
        game = differing_actions_game(seed, count_too)
        kinds = [{game.actions(h.state) for h in members} for members in naive.infosets(game).values()]
        assert max(len(kind) for kind in kinds) == 2
