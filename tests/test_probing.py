"""Probing with options: every probe against its definition, the law of its variance, and what `probe` alone stays."""

import naive
import naive_probing
import numpy as np
import pytest
from conftest import unflat
from naive_kuhn import Kuhn
from random_games import random_game

import mccfr
from mccfr.auditing.bench import Bench
from mccfr.auditing.enumeration import enumerate_outcomes
from mccfr.auditing.every_outcome import EveryOutcome
from mccfr.errors import MccfrError
from mccfr.kernel.estimators import GeneralProbe, Probe, unseen
from mccfr.kernel.iterations import run_walks
from mccfr.kernel.layout import KIND, u64
from mccfr.solvers import workers
from mccfr.solvers.method import Method

GAMES = {"kuhn": Kuhn(), "leduc": mccfr.game("leduc")}
TREES = {name: mccfr.compile(game) for name, game in GAMES.items()}
OPTIONS = {
    "probe": {},
    "probe(2)": {"number": 2},
    "probe(share=0.3)": {"share": 0.3},
    "probe(epsilon=0.4)": {"epsilon": 0.4},
    "probe(epsilon=1)": {"epsilon": 1.0},
    "probe(terminals=2)": {"terminals": 2},
    "probe(terminals=3)": {"terminals": 3},
    "probe(2, 0.7, 0.5, 2)": {"number": 2, "share": 0.7, "epsilon": 0.5, "terminals": 2},
}


def bench(name, method, pure=True):
    return Bench(TREES[name], Method.parse(method), 1, 0, pure)


def drawn(on, h, player):
    """{value: probability} of a probe from node h, by all outcomes of the kernel's dice."""
    dice, found = EveryOutcome(), {}
    work = on.work._replace(dice=dice)
    with np.errstate(over="ignore"):
        while True:
            estimator = on.parts.estimator
            x = unseen(estimator, 0.0, u64(h), u64(player), on.time, on.parts, on.nodes, on.table, work)
            key = round(float(x), 12)
            found[key] = found.get(key, 0.0) + dice.probability
            if not dice.turn():
                return found


def nodes(game, tree, steps):
    """(node, history) of all nodes with so many moves behind them, down the first deal."""
    places = [(0, naive.History(game.root()))]
    for depth in range(steps):
        below = [
            (int(tree.nodes[4 * node]) + a, child)
            for node, h in places
            for a, child in enumerate(naive.children(game, h))
            if depth >= 2 or a == 0
        ]
        assert all(len(list(naive.children(game, h))) == int(tree.nodes[4 * n + KIND]) >> 8 for n, h in below)
        places = below
    return places


def same_law(ours, theirs):
    """Equal probabilities of equal values, to rounding."""
    ours, theirs = (rounded(law) for law in (ours, theirs))
    return all(abs(ours.get(x, 0.0) - theirs.get(x, 0.0)) < 1e-9 for x in ours.keys() | theirs.keys())


def rounded(law):
    found = {}
    for x, p in law.items():
        found[round(x, 7)] = found.get(round(x, 7), 0.0) + p
    return found


CASES = [("kuhn", 3, options) for options in OPTIONS] + [("kuhn", 4, options) for options in OPTIONS]
CASES += [("leduc", 5, options) for options in [*OPTIONS][:6]]  # of the others there are too many outcomes


@pytest.mark.parametrize(("name", "steps", "options"), CASES)
def test_a_probe_as_its_naive_twin(name, steps, options):
    """From every node after the first moves of a deal. In Leduc the second card comes in between."""
    game, on = GAMES[name], bench(name, f"robust+{options}", pure=name == "kuhn")
    strategy = unflat(on.tree.infosets, on.table.current)
    places = nodes(game, on.tree, steps)
    if name == "leduc":
        places = [place for place in places if game.player(place[1].state) == mccfr.CHANCE][:1]
        assert places
    for node, h in places:
        for player in (0, 1) if name == "kuhn" else (1,):
            theirs = naive_probing.probes(game, strategy, player, h, **OPTIONS[options])
            assert same_law(drawn(on, node, player), theirs), (node, player)


def test_the_twin_is_no_copy():
    """Each option changes what a probe brings, somewhere."""
    game, tree = GAMES["kuhn"], TREES["kuhn"]
    strategy = unflat(tree.infosets, bench("kuhn", "robust", pure=False).table.current)
    laws = [
        [naive_probing.probes(game, strategy, 0, h, **options) for _, h in nodes(game, tree, 3)]
        for options in OPTIONS.values()
    ]
    for j, one in enumerate(laws):
        assert not any(all(map(same_law, one, other)) for other in laws[j + 1 :])


# ---- the law of its variance


@pytest.mark.parametrize("options", [{}, {"epsilon": 0.5}])
def test_variance_of_several_terminals_by_parts(options):
    """(Var of one - Var of the means of parts) / k: never more than that of k rollouts, and less somewhere."""
    game, on = GAMES["kuhn"], bench("kuhn", f"robust+probe(epsilon={options.get('epsilon', 0)}, terminals=4)", False)
    strategy, gained = unflat(on.tree.infosets, on.table.current), []
    for node, h in nodes(game, on.tree, 3):
        single = naive_probing.variance(naive_probing.probes(game, strategy, 0, h, **options))
        parts = [naive_probing.rollouts(game, strategy, 0, h, part=j, parts=4, **options) for j in range(4)]
        means = [sum(p * x for p, x in part) for part in parts]
        law = drawn(on, node, 0)
        assert naive_probing.mean(law) == pytest.approx(np.mean(means), abs=1e-8)
        assert naive_probing.variance(law) == pytest.approx((single - np.var(means)) / 4, abs=1e-8)
        gained.append(np.var(means))
    assert max(gained) > 0.01


def variances(method, pure=False):
    return enumerate_outcomes(bench("kuhn", method, pure)).variance


@pytest.mark.parametrize("sampler", ["outcome", "robust"])
def test_variance_of_regrets_is_affine_in_one_over_rollouts(sampler):
    """Var(n) = A + B / n, so Var(1) - Var(2) is 3/4 of Var(1) - Var(3); terminals never do worse than rollouts."""
    one, two, three = (variances(f"{sampler}+probe({n})") for n in (1, 2, 3))
    assert one - two == pytest.approx((one - three) * 0.75, abs=1e-12)
    assert (one - two).max() > 0.01
    branched = variances(f"{sampler}+probe(terminals=2)")
    assert (branched <= two + 1e-12).all()
    assert (two - branched).max() > 1e-3


@pytest.mark.parametrize("sampler", ["outcome", "robust"])
def test_a_share_lies_between_none_and_all(sampler):
    """Of what varies on the whole; the smallest share that is taken is importance sampling, to rounding."""
    least, *between = (variances(f"{sampler}+probe(share={share})") for share in (1e-9, 0.2, 0.5, 0.8))
    plain, probed = variances(sampler), variances(f"{sampler}+probe")
    assert least == pytest.approx(plain, abs=1e-6)
    falling = [x.sum() for x in (plain, *between, probed)]
    assert falling == sorted(falling, reverse=True)


# ---- what does not change


def interpreted(game, method, iterations=30):
    solver = mccfr.Solver(game, method, 5)
    engine = solver.engine
    engine._reach_ahead(iterations)
    with np.errstate(over="ignore"):
        run_walks.interpreted(iterations, engine.clock, engine.parts, engine.tree, engine.table, engine.work)
    return solver.state


def assert_same(one, other):
    for name, value in one.items():
        if name != "seconds":
            np.testing.assert_array_equal(value, other[name], err_msg=name)


@pytest.mark.parametrize("sampler", ["outcome", "robust(1)", "include(0.5)"])
def test_without_options_it_is_probing_bit_for_bit(sampler):
    """The general kernel draws the same numbers, and every weight is exactly 1."""
    general = Method(Method.parse(sampler).sampler, estimator=GeneralProbe(2))
    assert_same(interpreted("kuhn", general), interpreted("kuhn", f"{sampler}+probe(2)"))


def test_a_word_without_options_makes_the_simple_estimator():
    assert Method.parse("outcome+probe(3, share=1, epsilon=0, terminals=1)").estimator == Probe(3)
    assert type(Method.parse("outcome+probe(3)").estimator) is Probe
    assert Method.parse("outcome+probe(3, 0.5)").estimator == GeneralProbe(3, 0.5)


@pytest.mark.parametrize("options", OPTIONS)
def test_probes_with_options_are_rebuilt_by_their_string(options):
    method = Method.parse(f"outcome+{options}")
    again = Method.parse(str(method))
    assert (type(again.estimator), again.estimator) == (type(method.estimator), method.estimator)
    assert "share" in str(method) or method.estimator[1:2] in ((), (1.0,))


WRONG = {
    "outcome+probe(share=0)": "probe: share must be a number from 1e-09 to 1, got 0",
    "outcome+probe(share=2)": "probe: share must be a number from 1e-09 to 1, got 2",
    "outcome+probe(epsilon=-1)": "probe: epsilon must be a number from 0 to 1, got -1",
    "outcome+probe(terminals=0)": "probe: terminals must be a whole number from 1, got 0",
    "outcome+probe(terminal=2)": "probe(terminal=2): got an unexpected keyword argument 'terminal'; probe takes (",
    "cfr+probe(share=0.5)": "probe corrects for what sampling leaves out, but full-width methods leave nothing out",
    "public_outcome+probe(share=0.5)": "public_outcome+probe(rollouts=1, share=0.5): public outcome sampling takes ",
    "vector+probe(terminals=2)": "probe: vector and semi-vector forms take plain, static or infoset",
}


@pytest.mark.parametrize("method", WRONG)
def test_what_does_not_fit_is_refused_in_one_line(method):
    with pytest.raises(MccfrError) as error:
        mccfr.Solver("dealt:kuhn", method)
    assert str(error.value).startswith(WRONG[method])
    assert "\n" not in str(error.value)


@pytest.mark.slow  # four kernels to compile
@pytest.mark.parametrize("game", ["kuhn", "leduc", "dealt:kuhn"])
@pytest.mark.parametrize("sampler", ["outcome", "robust(2)", "include(0.5)", "uniform"])
def test_compiled_is_interpreted_bit_for_bit(game, sampler):
    method = f"{sampler}+probe(2, 0.6, 0.3, 3)"
    assert_same(mccfr.solve(game, method, iterations=30, seed=5).state, interpreted(game, method))


@pytest.mark.parametrize("game", ["dealt:kuhn", "kuhn"])
def test_dealt_games_and_common_cards_are_right_on_average(game):
    for more in ("", "+common"):
        on = Bench(mccfr.compile(game), Method.parse(f"outcome+probe(share=0.6, epsilon=0.5, terminals=2){more}"), 1, 0)
        assert np.abs(enumerate_outcomes(on).mean - on.truth).max() < 1e-12


MENUS = [
    "outcome+probe(share=0.5)",
    "robust(2)+probe(1, 0.5, 0.5, 2)",
    "average_strategy(0.1, 10, 1.5)+probe(share=0.5)",
]


@pytest.mark.parametrize("method", [*MENUS, "outcome+probe(terminals=3)", "uniform+probe(share=0.5)"])
def test_three_actions_and_uneven_chance_are_right_on_average(method):
    """Every action left out has a probability of its own."""
    on = Bench(mccfr.compile(random_game(57, 6, most=60)), Method.parse(method), 1, 0)
    assert np.abs(enumerate_outcomes(on).mean - on.truth).max() < 1e-12


def test_what_nobody_plays_ends_a_rollout():
    """Off policy, fewer nodes where strategies are pure: what a rollout stops at counts 0."""
    on = bench("kuhn", "robust+probe(epsilon=1)", pure=True)
    assert enumerate_outcomes(on).nodes < enumerate_outcomes(bench("kuhn", "robust+probe", pure=True)).nodes
    assert np.abs(enumerate_outcomes(on).mean - on.truth).max() < 1e-12


def test_workers_of_a_batch_take_them():
    """They learn nothing during walks, as probes without options."""
    workers._check(TREES["kuhn"], Method.parse("outcome+probe(share=0.5)"), 2, "batch")
    with pytest.raises(MccfrError, match=r"^batch freezes what is learned, but history learns during walks"):
        workers._check(TREES["kuhn"], Method.parse("outcome+history"), 2, "batch")
