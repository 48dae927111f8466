"""Public outcome sampling: its mean is exact, predictive baselines end its variance, and it learns."""

import functools

import numpy as np
import pytest

import mccfr
from mccfr.auditing.every_outcome import EveryOutcome
from mccfr.auditing.truth import exact_values
from mccfr.errors import MethodError
from mccfr.kernel import layout
from mccfr.kernel.iterations import run_walks
from mccfr.kernel.public_line import drawn
from mccfr.kernel.recorded_walks import Recorder
from mccfr.solvers.public_outcome import PublicOutcomeEngine
from mccfr.strategy.strategy import Origin, Strategy, normalised
from mccfr.tree.compile import compile_tree
from mccfr.tree.dealt_tree import deal_out

ESTIMATORS = ["plain", "static", "history(rate=0.5)", "history", "infoset(rate=0.5)", "infoset", "predictive"]
dealt = functools.cache(lambda game: deal_out(mccfr.game(game)))
flat = functools.cache(lambda game: compile_tree(mccfr.game(game)))


@functools.cache
def entries_in_flat(game):
    """Which entry of the written-out tree an entry of the dealt one is."""
    one, other = dealt(game).infosets, flat(game).infosets
    number = {(i, other.labels[j]): j for i in (0, 1) for j in other.of(i)}
    rows = [other.row[number[i, one.labels[j]]] + np.arange(one.arity[j]) for i in (0, 1) for j in one.of(i)]
    return np.concatenate(rows)


def random_strategy(game, seed=0):
    """Random, with one infoset that plays its first action for certain."""
    row = dealt(game).infosets.row
    weights = np.random.default_rng(seed).random(row[-1])
    weights[row[1] : row[2]] = np.arange(row[2] - row[1]) == 0
    return weights / np.repeat(np.add.reduceat(weights, row[:-1]), np.diff(row))


def truth(game, played):
    """Regrets, and pi_i(I) sigma(I, a), by definition and on the written-out tree."""
    place, infosets = entries_in_flat(game), dealt(game).infosets
    there = np.empty_like(played)
    there[place] = played
    plan = np.empty_like(played)
    for j in range(len(infosets)):
        own = slice(infosets.row[j], infosets.row[j + 1])
        plan[own] = played[own] * (1.0 if infosets.parent[j] < 0 else plan[infosets.parent[j]])
    exact = exact_values(flat(game), there)
    return exact.regret[place], plan, exact.value[0]


def exploitability(game, weights):
    there = np.empty_like(weights)
    there[entries_in_flat(game)] = weights
    tree = flat(game)
    return mccfr.exploitability(Strategy(tree.infosets, normalised(tree.infosets, there)[0], Origin(game), tree=tree))


def outcomes(engine):
    """Probability, regret and average increments and root estimate of every line of public events, from one state."""
    state = {name: array.copy() for name, array in engine.arrays.items() if name != "dice"}
    dice = EveryOutcome()
    work = engine.work._replace(dice=dice)
    parts = engine.parts._replace(minimiser=Recorder())
    while True:
        with np.errstate(over="ignore"):
            run_walks.interpreted(1, engine.clock, parts, engine.tree, engine.table, work)
        yield dice.probability, engine.table.regret.copy(), engine.table.average.copy(), engine.clock[1]
        for name, array in state.items():
            engine.arrays[name][:] = array
        if not dice.turn():
            return


def scramble(engine, seed=1):
    """Random numbers as baselines."""
    if hasattr(engine.parts.estimator, "table"):
        engine.parts.estimator.table[:] = np.random.default_rng(seed).normal(size=len(engine.parts.estimator.table))


def assert_unbiased(game, method, sharp=False, **options):
    """From random regrets, averages and counts; sharp: in most infosets the last action is out of the question."""
    played, draw = random_strategy(game), np.random.default_rng(5)
    engine = PublicOutcomeEngine(dealt(game), method, 0, strategy=played, **options)
    scramble(engine)
    table, law = engine.table, engine.parts.sampler
    table.regret[:], table.average[:] = draw.normal(size=len(played)), draw.random(len(played))
    if hasattr(law, "counts"):
        law.counts[:] = draw.integers(0, 3, len(law.counts))
    if sharp:
        last = dealt(game).infosets.row[1:] - 1
        played[last] = table.current[last] = table.average[last] = 0.0
        played[last - 1] = table.current[last - 1] = 1.0
        table.regret[last] = -1.0
    before = table.regret.copy(), table.average.copy()
    seen, regret, average, value = 0.0, 0.0, 0.0, 0.0
    for p, r, s, x in outcomes(engine):
        seen, value = seen + p, value + p * x
        regret, average = regret + p * (r - before[0]), average + p * (s - before[1])
    assert seen == pytest.approx(1.0, abs=1e-12)
    for found, exact in zip((regret, average, value), truth(game, played)):
        np.testing.assert_allclose(found, exact, rtol=0, atol=1e-12)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("sampler", ["uniform", "outcome(epsilon=0.3)"])
def test_every_baseline_is_unbiased_in_kuhn(sampler, estimator):
    assert_unbiased("kuhn", f"{sampler}+{estimator}")


@pytest.mark.slow_cases("infoset", "predictive")
@pytest.mark.parametrize("estimator", ["plain", "history", "infoset", "predictive"])
def test_every_baseline_is_unbiased_in_leduc(estimator):
    assert_unbiased("leduc", f"outcome(epsilon=0.3)+{estimator}")


LAWS = [
    "epsilon_greedy(by_regret, 0.2)",
    "counts(by_regret)",
    "counts(mas)",
    "counts(rcs)",
    "counts(was(own), gamma=1)",
    "counts(was(both), new_first=True)",
    "epsilon_greedy(wcs(other))",
    "epsilon_greedy(wcs(both), 0.1)",
]


@pytest.mark.parametrize("law", LAWS)
def test_every_law_is_unbiased_in_kuhn(law):
    assert_unbiased("kuhn", f"public_outcome(law={law})+history")


@pytest.mark.slow_cases("counts(was(both))")
@pytest.mark.parametrize("law", ["epsilon_greedy(by_regret, 0.2)", "counts(was(both))"])
def test_laws_are_unbiased_in_leduc(law):
    assert_unbiased("leduc", f"public_outcome(law={law})+predictive")


@pytest.mark.parametrize("law", ["mcs", "by_regret", "was(both)"])
def test_laws_that_do_not_explore_are_biased(law):
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        assert_unbiased("kuhn", f"public_outcome(law={law}, exhibit=True)+history", sharp=True)


def test_laws_see_the_ranges_of_the_line():
    """By both players' ranges, at the second node of Kuhn: against sums over the hands."""
    tree, played = dealt("kuhn"), random_strategy("kuhn")
    engine = PublicOutcomeEngine(tree, "public_outcome(law=epsilon_greedy(wcs(both), 0.1))", 1, strategy=played)
    work, table, public = engine.work, engine.table, engine.tree
    child, o, _, _ = tree.nodes[:4].tolist()
    bets = played[o : o + 6].reshape(3, 2)[:, 1]
    h = child + 1  # after a bet
    fill, (_, o, _, _) = np.ones(6), tree.nodes[4 * h : 4 * h + 4].tolist()
    work.reach[6:12] = np.concatenate((bets, fill[:3]))
    with np.errstate(over="ignore"):
        drawn(engine.parts.sampler, 5.0, np.uint64(h), np.uint64(1), public, table, work._replace(dice=EveryOutcome()))
    law = (bets @ tree.deal) @ played[o : o + 6].reshape(3, 2)
    np.testing.assert_allclose(work.laws[:2], 0.9 * law / law.sum() + 0.05, rtol=1e-12)


@pytest.mark.parametrize("estimator", ["infoset", "predictive"])
def test_alternating_updates_are_unbiased(estimator):
    """Player 1's walk comes after player 0's; the recorded regrets change nothing, so its mean is the same."""
    assert_unbiased("kuhn", f"uniform+{estimator}", simultaneous=False)


# ---- line by line


class NaiveLearner:
    """Learned baselines as their definitions have them, for one player's eyes, with a strategy that stands still."""

    def __init__(self, tree, played, view, table, of_hands, rate):
        self.tree, self.played, self.view, self.of_hands, self.rate = tree, played, view, of_hands, rate
        self.b, self.visits, self.regret = table.copy(), np.zeros(len(tree)), np.zeros_like(played)
        key, law = tree.chance_reach
        self.law = law[key]

    def sigma(self, h):
        """[hands, actions] of the mover at a node; 0 for hands that are not possible."""
        _, row, which, kind = self.tree.nodes[4 * h : 4 * h + 4].tolist()
        hands = self.tree.members[self.tree.start[which] : self.tree.start[which + 1]]
        found = np.zeros((len(self.tree.hands[0]), kind >> 8))
        found[hands] = self.played[row : row + len(hands) * (kind >> 8)].reshape(len(hands), -1)
        return found, slice(row, row + len(hands) * (kind >> 8)), hands

    def baseline(self, e):
        if not self.of_hands:
            return self.b[e]
        return self.law[e] * (self.b[e][:, None] if self.view == 0 else self.b[e][None, :])

    def learn(self, e, x, reach):
        target = x
        if self.of_hands:
            weigh = (lambda m: m @ reach[1]) if self.view == 0 else (lambda m: reach[0] @ m)
            target = np.divide(weigh(x), weigh(self.law[e]), where=weigh(self.law[e]) > 0, out=self.b[e].copy())
        self.visits[e] += 1
        self.b[e] += (self.rate or 1 / self.visits[e]) * (target - self.b[e])

    def take(self, line, chances, x):
        """One line of (node, action), drawn with these chances, that ends in x."""
        reach, q, on_the_way = [np.ones(len(hands)) for hands in self.tree.hands], 1.0, []
        for (h, a), p in zip(line, chances):
            on_the_way.append((h, a, p, q, list(reach)))
            mover = self.tree.nodes[4 * h + 3] & 255
            if mover < 2:
                reach[mover] = reach[mover] * self.sigma(h)[0][:, a]
            q *= p
        for h, a, p, q, reach in reversed(on_the_way):
            child, _, _, kind = self.tree.nodes[4 * h : 4 * h + 4].tolist()
            v = np.array([self.baseline(child + j) for j in range(kind >> 8)])
            self.learn(child + a, x, reach)
            v[a] += (x - v[a]) / p
            x = v.sum(0)
            if kind & 255 == 0:
                x = self.mix(h, np.einsum("aij,j->ia", v, reach[1]), q, v, "ia,aij->ij")
            elif kind & 255 == 1:
                x = self.mix(h, -np.einsum("aij,i->ja", v, reach[0]), q, v, "ja,aij->ij")

    def mix(self, h, gain, q, v, how):
        sigma, own, hands = self.sigma(h)
        if self.view in (self.tree.nodes[4 * h + 3] & 255, 2):
            self.regret[own] += ((gain - (sigma * gain).sum(1, keepdims=True)) / q)[hands].reshape(-1)
        return np.einsum(how, sigma, v)


@pytest.mark.parametrize("rate", [0.0, 0.3])
@pytest.mark.parametrize("word", ["history", "infoset"])
def test_learned_baselines_learn_what_they_should(word, rate):
    tree, played = dealt("leduc"), random_strategy("leduc")
    engine = PublicOutcomeEngine(tree, f"uniform+{word}(rate={rate})", 11, strategy=played)
    scramble(engine)
    table = engine.parts.estimator.table.reshape(len(tree), -1, 6)
    if word == "history":
        learners = [NaiveLearner(tree, played, 2, table, False, rate)]
    else:
        learners = [NaiveLearner(tree, played, view, table[:, view], True, rate) for view in (0, 1)]
    parts = engine.parts._replace(minimiser=Recorder())
    for _ in range(20):
        with np.errstate(over="ignore"):
            run_walks.interpreted(1, engine.clock, parts, engine.tree, engine.table, engine.work)
        line, chances = [], []
        for (h, a), (q, _) in zip(engine.work.frame.reshape(-1, 2).tolist(), engine.work.real.reshape(-1, 2)):
            line, chances = [*line, (h, a)], [*chances, q]
            matrix, stake, _, kind = tree.nodes[4 * (tree.nodes[4 * h] + a) :][:4].tolist()
            if kind & 255 == int(layout.TERMINAL):
                break
        for learner in learners:
            learner.take(line, chances, tree.stakes[stake] * tree.matrices[matrix])
    np.testing.assert_allclose(engine.table.regret, sum(learner.regret for learner in learners), rtol=0, atol=1e-9)
    for view, learner in enumerate(learners):
        found = table[:, view] if word == "infoset" else table
        np.testing.assert_allclose(found, learner.b, rtol=0, atol=1e-9)


# ---- theorem 3


def largest_error(engine, tree):
    """max |b - u| over all edges and pairs of Leduc, under the current strategy, or a little more: B = pi_c b."""
    exact = tree.pair_values(engine.current())
    least = 1 / 120  # pi_c with a public card
    return np.abs(engine.parts.estimator.table - exact)[tree.deal.size :].max() / least  # no edge leads to the root


def root_errors(engine, tree, iterations):
    """By how much each iteration's estimate of the root misses the value of the strategy it met."""
    missed = []
    for _ in range(iterations):
        exact, before = tree.pair_values(engine.current())[: tree.deal.size].sum(), engine.clock[1]
        engine.run(1)
        missed.append(engine.clock[1] - before - exact)
    return np.array(missed)


def covered(engine, tree):
    """Whether every ending has been met."""
    endings = tree.nodes[layout.KIND :: 4] & 255 == int(layout.TERMINAL)
    exact = tree.pair_values(engine.current()).reshape(len(tree), -1)
    return np.array_equal(engine.parts.estimator.table.reshape(len(tree), -1)[endings], exact[endings])


@pytest.mark.slow_cases(
    "uniform+rm_plus+linear-True", "outcome*", "uniform+discounted*", "uniform+rm_plus+linear-False"
)
@pytest.mark.parametrize(
    ("method", "simultaneous"),
    [
        ("uniform+rm_plus+linear", True),
        ("uniform+rm_plus+linear", False),
        ("outcome(epsilon=0.5)+prm_plus+quadratic", True),
        ("uniform+discounted(alpha=1.5, beta=0.5)", True),
    ],
)
def test_predictive_baselines_end_the_variance_once_everything_was_met(method, simultaneous):
    tree = dealt("leduc")
    engine = PublicOutcomeEngine(tree, f"{method}+predictive", 3, simultaneous=simultaneous)
    engine.run(100)
    assert not covered(engine, tree)
    assert largest_error(engine, tree) > 0.01
    assert np.std(root_errors(engine, tree, 50)) > 0.1
    while not covered(engine, tree):
        engine.run(2_000)
    assert largest_error(engine, tree) < 1e-12
    assert np.abs(root_errors(engine, tree, 200)).max() < 1e-11
    engine.run(10_000)
    assert largest_error(engine, tree) < 1e-12


@pytest.mark.slow
def test_learned_baselines_keep_some_variance():
    tree = dealt("leduc")
    engine = PublicOutcomeEngine(tree, "uniform+rm_plus+linear+history(rate=0.5)", 3)
    engine.run(20_000)
    assert largest_error(engine, tree) > 1e-6
    assert np.std(root_errors(engine, tree, 100)) > 1e-6


@pytest.mark.slow_cases("*-values-0")
@pytest.mark.parametrize(("start", "before"), [("values", 0), ("walk", 1)])
@pytest.mark.parametrize("simultaneous", [True, False])
def test_a_smart_start_has_no_variance_from_the_first_iteration(start, before, simultaneous):
    tree = dealt("leduc")
    method = "uniform+rm_plus+linear+predictive"
    engine = PublicOutcomeEngine(tree, method, 3, start=start, simultaneous=simultaneous)
    assert engine.clock[0] == before
    assert np.abs(root_errors(engine, tree, 300)).max() < 1e-12
    assert largest_error(engine, tree) < 1e-12


def test_a_smart_start_from_a_strategy_of_ones_own():
    tree, played = dealt("leduc"), random_strategy("leduc")
    engine = PublicOutcomeEngine(tree, "uniform+rm_plus+predictive", 3, start="values", strategy=played)
    assert np.abs(root_errors(engine, tree, 50)).max() < 1e-12


@pytest.mark.slow
def test_exact_values_of_pairs():
    """Summed over pairs they are the game's; a static baseline of the strategy in play leaves no variance either."""
    tree, played = dealt("leduc"), random_strategy("leduc")
    values = tree.pair_values(played)
    assert values[: tree.deal.size].sum() == pytest.approx(truth("leduc", played)[2], abs=1e-14)
    engine = PublicOutcomeEngine(tree, "uniform+rm_plus+static(strategy=uniform)", 3)
    assert abs(root_errors(engine, tree, 1)[0]) < 1e-14
    assert np.std(root_errors(engine, tree, 20)) > 0.01


# ---- learning


def after(game, method, iterations, seed=1, **options):
    engine = PublicOutcomeEngine(dealt(game), method, seed, **options)
    engine.run(iterations)
    return exploitability(game, engine.weights())


@pytest.mark.slow_cases("True")
@pytest.mark.parametrize("simultaneous", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_it_learns_leduc(simultaneous):
    """In the order of Davis et al., figure 2; uniform play loses 2.37."""
    found = {
        name: after("leduc", f"uniform+rm_plus+linear+{name}", 100_000, simultaneous=simultaneous)
        for name in ("plain", "static", "history(rate=0.5)", "infoset(rate=0.5)", "predictive")
    }
    assert max(found.values()) < 0.6
    assert found["predictive"] < found["history(rate=0.5)"] < found["infoset(rate=0.5)"] < found["plain"]
    assert found["static"] < 0.5 * found["plain"]
    assert found["predictive"] < 0.04


@pytest.mark.slow_cases("epsilon_greedy(by_regret, 0.5)")
@pytest.mark.parametrize(
    "law", ["epsilon_greedy(by_regret, 0.5)", pytest.param("counts(was(both))", marks=pytest.mark.slow)]
)
def test_other_laws_learn_too(law):
    assert after("leduc", f"public_outcome(law={law})+rm_plus+linear+predictive", 100_000) < 0.04


@pytest.mark.slow
def test_other_minimisers_learn_too():
    assert after("leduc", "outcome(epsilon=0.6)+prm_plus+quadratic+predictive", 100_000) < 0.05
    assert after("leduc", "uniform+discounted+quadratic+predictive", 100_000) < 0.05


# ---- the machine


def prepared(game, method, **options):
    engine = PublicOutcomeEngine(dealt(game), method, 5, **options)
    engine._reach_ahead(100)
    return engine


def assert_same(one, other):
    assert one.keys() == other.keys()
    for name, array in one.items():
        np.testing.assert_array_equal(array, other[name], err_msg=name)


@pytest.mark.slow_cases(
    "uniform+rm_plus+linear+infoset(rate=0.5)",
    "uniform+rm_plus+linear+infoset",
    "outcome(epsilon=0.5)+prm_plus*",
    "uniform+rm_plus+linear+static",
    "uniform+rm_plus+linear+history*",
    "uniform+rm_plus+linear+predictive",
    "outcome*",
)
@pytest.mark.parametrize(
    "method",
    [*(f"uniform+rm_plus+linear+{name}" for name in ESTIMATORS), "outcome(epsilon=0.5)+prm_plus+quadratic+predictive"],
)
def test_compiled_is_interpreted_bit_for_bit(method):
    simultaneous = "rate" not in method
    compiled, slow = (prepared("leduc", method, simultaneous=simultaneous) for _ in range(2))
    compiled.run(30)
    with np.errstate(over="ignore"):
        run_walks.interpreted(30, slow.clock, slow.parts, slow.tree, slow.table, slow.work)
    assert_same(compiled.arrays, slow.arrays)


@pytest.mark.slow_cases("infoset*", "static*", "history*", "predictive*")
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_restored_engine_goes_on_as_if_nothing_had_happened(estimator):
    method = f"uniform+rm_plus+linear+{estimator}"
    whole, part, resumed = (prepared("leduc", method) for _ in range(3))
    whole.run(500)
    part.run(200)
    for name, array in part.arrays.items():
        resumed.arrays[name][:] = array
    resumed.refresh()
    resumed.run(300)
    assert_same(whole.arrays, resumed.arrays)
    assert resumed.touched == whole.touched > 500 * 3


def test_seeds_and_keys_decide():
    method = "uniform+rm_plus+predictive"
    tree = dealt("leduc")
    engines = [PublicOutcomeEngine(tree, method, *keys) for keys in ((1,), (1,), (2,), (1, 1))]
    for engine in engines:
        engine.run(50)
    one, same, other, worker = (engine.weights() for engine in engines)
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)
    assert not np.array_equal(one, worker)


@pytest.mark.parametrize(
    ("method", "options", "words"),
    [
        ("external", {}, "draws one action"),
        ("cfr", {}, "draws one action"),
        ("uniform+probe", {}, "plain, static, history, infoset or predictive"),
        ("uniform+batch(3)", {}, "batch"),
        ("uniform+floor", {}, "floor"),
        ("uniform+optimistic", {}, "optimistic"),
        ("uniform+own_average(others=False)", {}, "leave others=False out"),
        ("uniform", {"start": "walk"}, "only history and predictive"),
        ("uniform+predictive", {"start": "well"}, "nothing, uniform, call, walk or a strategy file: no file"),
    ],
)
def test_what_does_not_fit_is_refused(method, options, words):
    with pytest.raises(MethodError, match=words):
        PublicOutcomeEngine(dealt("kuhn"), method, 0, **options)
