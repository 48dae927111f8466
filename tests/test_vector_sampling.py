"""Sampled vector walks: right on average where they should be, biased where they should be, and they learn."""

import functools
import math

import numpy as np
import pytest

import mccfr
from mccfr.auditing.bench import mixed_strategy
from mccfr.auditing.every_outcome import EveryOutcome
from mccfr.auditing.truth import exact_values
from mccfr.errors import MethodError
from mccfr.kernel.averaging import Average, OptimisticAverage
from mccfr.kernel.iterations import run_walks
from mccfr.kernel.layout import U0, Table
from mccfr.kernel.minimisers import RM, Discounted, RMPlus
from mccfr.kernel.one_hand import GivenHand, OneHand
from mccfr.kernel.public_laws import MAS, MCS, RCS, WAS, WCS, ByRegret, EpsilonGreedy, Explored, Spot, lay
from mccfr.kernel.public_samplers import Full, Sampling
from mccfr.kernel.recorded_walks import Recorder
from mccfr.kernel.samplers import Everything, Outcome, Robust, Uniform
from mccfr.kernel.sequence_form import BestValue, Learn
from mccfr.kernel.vector import (
    LearnSampled,
    vector_respond,
    vector_sweep,
    vector_walk,
)
from mccfr.solvers.public_words import LI_METHODS
from mccfr.solvers.vector_sampling import SampledVectorEngine
from mccfr.strategy.strategy import normalised
from mccfr.tree.dealt_tree import deal_out

ALL = Sampling(Everything(), Everything(), Everything())
TIME = 7.0
WEIGHT = 3.0  # of the iteration in the average


@functools.cache
def dealt(game):
    return deal_out(mccfr.game(game))


def rows(tree, player, history, **probabilities):
    """Entries of Kuhn's infosets `card:history` and what to put there."""
    infosets = tree.infosets
    for card, p in probabilities.items():
        j = next(j for j in infosets.of(player) if infosets.labels[j] == f"{card}:{history}")
        yield slice(infosets.row[j], infosets.row[j + 1]), p


def hard_strategy(game):
    """Random, some infosets pure; on Kuhn chosen so that every unsound law misses something that matters."""
    tree = dealt(game)
    found = mixed_strategy(tree.infosets, np.random.default_rng(3), pure=True)
    if game == "kuhn":  # actions: check or fold first, bet or call second
        for where, p in [
            *rows(tree, 0, "", J=(0, 1), Q=(1, 0), K=(1, 0)),  # only J bets,
            *rows(tree, 1, "b", J=(0, 1), Q=(1, 0), K=(1, 0)),  # which only J, whom the bettor never meets, calls
            *rows(tree, 0, "cb", J=(1, 0), Q=(1, 0), K=(1, 0)),  # nobody calls, so MCS of own actions never does
        ]:
            found[where] = p
    return found


def averages_that_miss(game):
    """Averages without the calls that J makes in `hard_strategy`."""
    tree = dealt(game)
    found = np.random.default_rng(4).uniform(0.1, 2.0, tree.infosets.entries)
    if game == "kuhn":
        for where, p in rows(tree, 1, "b", J=(1, 0), Q=(2, 0), K=(3, 0)):
            found[where] = p
    return found


def regrets_that_miss(game):
    """Nobody regrets having checked or folded."""
    return np.where(np.arange(dealt(game).infosets.entries) % 2, 2.0, -1.0)


class Trial:
    """Walks with a frozen strategy."""

    def __init__(self, game, sampling):
        self.engine = SampledVectorEngine(dealt(game), sampling)
        self.table = Table(hard_strategy(game), regrets_that_miss(game), averages_that_miss(game))
        self.counts = [p.counts for p in self.engine.parts.sampling if isinstance(p, Explored)]
        for counts in self.counts:
            counts[:] = 1.0 + np.arange(len(counts)) % 3
        self.kept = [array.copy() for array in (*self.table, *self.counts)]

    def walk(self, i, actor, sampling, dice=None):
        """What one walk adds to regrets and averages, and its estimate of the value."""
        for array, kept in zip((*self.table, *self.counts), self.kept):
            array[:] = kept
        work = self.engine.work._replace(dice=dice)
        with np.errstate(over="ignore"):
            value = vector_walk(actor, sampling, np.uint64(i), TIME, self.engine.tree, self.table, work)
        found = self.table.regret - self.kept[1], self.table.average - self.kept[2], [value if i == 0 else -value]
        return np.concatenate(found)

    def exact(self):
        actor = Learn(Recorder(), (1.0, 1.0), WEIGHT)
        return sum(self.walk(i, actor, Full()) for i in (0, 1))

    def mean(self, power=1):
        """Over all outcomes of the random choices."""
        actor = LearnSampled(Recorder(), (1.0, 1.0), WEIGHT)
        total, outcomes = 0.0, 0
        for i in (0, 1):
            dice, going, mass = EveryOutcome(), True, 0.0
            while going:
                added = self.walk(i, actor, self.engine.parts.sampling, dice)
                total += dice.probability * added**power
                mass += dice.probability
                outcomes += 1
                going = dice.turn()
            assert mass == pytest.approx(1.0, abs=1e-12)
        assert outcomes > 2 or self.engine.parts.sampling == ALL
        return total

    def bias(self):
        return np.abs(self.mean() - self.exact()).max()


def at_others(policy):
    return Sampling(Robust(1), policy, Uniform())


SOUND = [
    at_others(MCS()),
    at_others(WCS()),
    at_others(RCS()),
    at_others(Uniform()),
    at_others(Robust(2)),
    *(at_others(Explored(p)) for p in (MAS(), WAS(), WAS(False, True), WAS(True, True), RCS())),
    *(at_others(Explored(p)) for p in (WCS(False, True), WCS(True, True), RCS(marginal=False))),
    *(at_others(EpsilonGreedy(p, 0.1)) for p in (MAS(), WAS(), WCS(False, True), WCS(True, True))),
    at_others(EpsilonGreedy(WAS())),
    Sampling(Robust(2), MCS(), Everything()),
    Sampling(Explored(MCS()), MCS(), Uniform()),
    Sampling(EpsilonGreedy(WCS(True, True)), Everything(), Uniform()),
    Sampling(Explored(RCS()), Explored(MAS()), Uniform()),
    Sampling(EpsilonGreedy(ByRegret(), 0.3), Explored(ByRegret()), Uniform()),
    *(Sampling(own, OneHand(), GivenHand()) for own in (Everything(), Robust(1), Explored(MCS()))),
    Sampling(Explored(WCS(True, True)), OneHand(), Uniform()),
    *(Sampling(*made[:3]) for made in LI_METHODS.values()),
]
BIASED = [
    at_others(RCS(marginal=False)),
    at_others(MAS()),
    at_others(WAS()),
    at_others(WAS(False, True)),
    at_others(WCS(False, True)),
    at_others(WCS(True, True)),
    Sampling(MCS(), MCS(), Uniform()),
    Sampling(MCS(), OneHand(), GivenHand()),
    Sampling(ByRegret(), MCS(), Uniform()),
]


@pytest.mark.parametrize("sampling", SOUND, ids=str)
def test_what_a_walk_learns_is_right_on_average(sampling):
    assert Trial("kuhn", sampling).bias() < 1e-12


@pytest.mark.parametrize("sampling", BIASED, ids=str)
def test_unsound_laws_are_biased(sampling):
    assert Trial("kuhn", sampling).bias() > 1e-3


WITH_CARDS = [
    at_others(MCS()),
    at_others(WCS()),
    at_others(Explored(WAS(True, True))),
    Sampling(Robust(1), OneHand(), GivenHand()),
    Sampling(Robust(1), OneHand(), Uniform()),
]


@pytest.mark.parametrize("sampling", WITH_CARDS, ids=str)
def test_also_with_public_cards(sampling):
    assert Trial("leduc", sampling).bias() < 1e-12


LAWS = [MCS(), RCS(), MAS(), *(p(*r) for p in (WCS, WAS) for r in ((True, False), (False, True), (True, True)))]


@pytest.mark.parametrize("policy", LAWS, ids=str)
@pytest.mark.parametrize("reached", [True, False])
def test_laws_are_blends_of_strategies(policy, reached):
    """Against plain sums over the hands, at every decision, for either walker."""
    tree, draw = dealt("leduc"), np.random.default_rng(1)
    engine, n = SampledVectorEngine(tree, at_others(policy)), tree.infosets.entries
    public, work = engine.tree, engine.work
    table = Table(mixed_strategy(tree.infosets, draw, True), np.zeros(n), draw.uniform(0.0, 2.0, n))
    ranges = draw.uniform(0.0, 1.0, (2, 6)) if reached else np.zeros((2, 6))
    for h, (_, o, which, meta) in enumerate(tree.nodes.reshape(-1, 4).astype(np.uint64)):
        mover, k = int(meta & np.uint64(255)), int(meta) >> 8
        for i in (0, 1) if mover < 2 else ():
            work.own[:6], work.reach[:6] = ranges[i], ranges[1 - i]
            first, end = (np.uint64(tree.start[int(which) + more]) for more in (0, 1))
            mine, theirs = (work.own, work.reach) if mover == i else (work.reach, work.own)
            place = np.uint64(h), np.uint64(mover), np.uint64(k), o, first, end - first
            at = Spot(TIME, *place, U0, mine, U0, theirs, U0)
            lay(policy, True, at, public, table, work)
            hands = tree.members[int(first) : int(end)]
            here = slice(int(o), int(o) + k * len(hands))
            learned = isinstance(policy, MAS | WAS) and (reached or isinstance(policy, MAS))
            rows = (table.average if learned else table.current)[here].reshape(-1, k)
            weights = np.ones(len(hands))
            if isinstance(policy, WCS | WAS) and reached:
                deal = tree.deal if mover == 0 else tree.deal.T
                weights = ranges[mover][hands] if policy.own else weights
                weights = weights * (deal @ ranges[1 - mover])[hands] if policy.other else weights
            law = weights @ (rows / rows.sum(1, keepdims=True)) / weights.sum()
            np.testing.assert_allclose(work.laws[:k], law, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("around", [lambda policy: policy, EpsilonGreedy, Explored])
def test_a_drawn_infoset_is_as_good_as_the_mean_of_all(around):
    one, other = (Trial("kuhn", at_others(around(policy))) for policy in (RCS(), MCS()))
    np.testing.assert_allclose(one.mean(power=2), other.mean(power=2), rtol=1e-12)


def test_by_its_own_range_the_vector_form_averages_the_drawn_hand_out():
    """Lines have the same law in both forms, and a line's estimates are the mean over the hands that play it."""
    vector, semi = (
        Trial("kuhn", made).mean(power=2) for made in (at_others(WCS()), Sampling(Robust(1), OneHand(), GivenHand()))
    )
    assert np.all(vector <= semi * (1 + 1e-12) + 1e-15)
    assert vector[:24].sum() < 0.9 * semi[:24].sum()  # regrets


def test_regrets_are_those_of_the_written_out_game():
    tree, flat = dealt("kuhn"), mccfr.compile("kuhn")
    place = {key: j for j, key in enumerate(_keys(flat.infosets))}
    entries = np.concatenate(
        [np.arange(*flat.infosets.row[place[key] : place[key] + 2]) for key in _keys(tree.infosets)]
    )
    strategy = np.empty(len(entries))
    strategy[entries] = hard_strategy("kuhn")
    found = Trial("kuhn", at_others(MCS())).mean()
    truth = exact_values(flat, strategy)
    np.testing.assert_allclose(found[: len(entries)], truth.regret[entries], atol=1e-12)
    assert found[-1] / 2 == pytest.approx(truth.value[0], abs=1e-12)


def _keys(infosets):
    return [(infosets.owner(j), label) for j, label in enumerate(infosets.labels)]


def interpreted(engine, n):
    engine._reach_ahead(int(engine.clock[0]) + n)
    with np.errstate(over="ignore"):
        run_walks.interpreted(n, engine.clock, engine.parts, engine.tree, engine.table, engine.work)


@pytest.mark.slow_cases("*leduc*")
@pytest.mark.parametrize(("game", "n"), [("kuhn", 20), ("leduc", 2)])
def test_following_everything_is_a_full_sweep(game, n):
    tree = dealt(game)
    sampled, full, later = (SampledVectorEngine(tree, ALL, RMPlus()) for _ in range(3))
    interpreted(sampled, n)
    with np.errstate(over="ignore"):
        for engine, count in ((full, n), (later, n + 1)):
            clock = np.zeros(1)
            vector_sweep.interpreted(count, clock, RMPlus(), Average(), engine.tree, engine.table, engine.work)
    np.testing.assert_array_equal(sampled.table.regret, full.table.regret)
    np.testing.assert_array_equal(sampled.table.current, full.table.current)
    assert sampled.work.touched[0] == full.work.touched[0] == 2 * n * len(tree)
    second = tree.infosets.row[tree.infosets.first[1]]
    np.testing.assert_array_equal(sampled.weights()[second:], full.weights()[second:])
    once = SampledVectorEngine(tree, ALL)  # player 0 is averaged in player 1's walk, after its own: one step ahead
    with np.errstate(over="ignore"):
        vector_sweep.interpreted(1, np.zeros(1), RMPlus(), Average(), once.tree, once.table, once.work)
    np.testing.assert_allclose(
        sampled.weights()[:second], later.weights()[:second] - once.weights()[:second], atol=1e-12
    )


def exploitability(tree, engine):
    probabilities, _ = normalised(tree.infosets, engine.weights())
    table = Table(probabilities, np.zeros(0), np.zeros(0))
    return sum(vector_respond(BestValue(), np.uint64(i), engine.tree, table, engine.work) for i in (0, 1)) / 2


@pytest.mark.slow
@pytest.mark.parametrize(("name", "goal"), [("average", 0.45), ("robust", 0.45), ("outcome", 0.45), ("external", 0.1)])
def test_named_methods_learn(name, goal):
    tree = dealt("leduc")
    engine = SampledVectorEngine(tree, name, seed=1)
    assert exploitability(tree, engine) == pytest.approx(2.373611, abs=1e-6)
    engine.run(100_000)
    assert exploitability(tree, engine) < goal
    assert engine.clock[1] / engine.clock[0] == pytest.approx(-0.0856, abs=0.1)


MIXTURE = Sampling(EpsilonGreedy(RCS()), Explored(WAS(True, True)), Robust(2))


def mixture(game, seed):
    return SampledVectorEngine(dealt(game), MIXTURE, Discounted(), Average(1.0, 3), batch=3, seed=seed)


@pytest.mark.slow_cases("*leduc*")
@pytest.mark.parametrize(
    ("game", "make"), [("kuhn", "robust"), *(("leduc", name) for name in (*LI_METHODS, "mixture"))]
)
def test_compiled_is_interpreted_bit_for_bit(game, make):
    one, other = (
        mixture(game, 5) if make == "mixture" else SampledVectorEngine(dealt(game), make, seed=5) for _ in range(2)
    )
    one.run(20)
    interpreted(other, 20)
    assert_same(one.arrays, other.arrays)


def assert_same(one, other):
    assert one.keys() == other.keys()
    for name, value in one.items():
        np.testing.assert_array_equal(value, other[name], err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize("make", [lambda seed: SampledVectorEngine(dealt("leduc"), "average", seed=seed), mixture])
def test_a_run_goes_on_from_its_arrays(make):
    make = functools.partial(make, "leduc") if make is mixture else make
    straight, first, second = make(1), make(1), make(2)
    straight.run(100)
    first.run(40)
    for name, array in first.arrays.items():
        second.arrays[name][:] = array
    second.refresh()
    second.run(60)
    assert_same(straight.arrays, second.arrays)
    assert {"current", "regret", "average", "clock", "dice", "touched", "sampling.other.counts"} <= first.arrays.keys()


def test_draws_are_counted():
    engine = SampledVectorEngine(dealt("leduc"), Sampling(Explored(MCS()), Explored(MAS()), Uniform()), seed=3)
    interpreted(engine, 30)
    own, other = engine.parts.sampling.own.counts, engine.parts.sampling.other.counts
    nodes = dealt("leduc").nodes.reshape(-1, 4)
    child, arity = int(nodes[0, 0]), int(nodes[0, 3] >> 8)
    assert own[child : child + arity].sum() == 30 == other[child : child + arity].sum()
    assert own.sum() + other.sum() < engine.work.touched[0]  # chance's draws and terminals are not in it
    drawn = own[child : child + arity]
    assert drawn.min() > 0


@pytest.mark.parametrize("new_first", [False, True])
def test_rare_actions_are_explored(new_first):
    trial = Trial("kuhn", at_others(Explored(Uniform(), new_first=new_first)))
    policy, work = trial.engine.parts.sampling.other, trial.engine.work
    child = int(dealt("kuhn").nodes[0])
    alpha, beta = 1.0 / math.log(TIME + 10.0), math.log(TIME + 10.0)
    rare = [
        (4.0, 9.0, np.array([1.0 + beta / 2.0, 1.0 + beta / 3.0]) / (2.0 + beta * 5.0 / 6.0)),
        (0.0, 5.0, (1.0, 0.0)),
        (0.0, 0.0, (0.5, 0.5)),
    ]
    if not new_first:
        rare = [
            (3.0, 8.0, rare[0][2]),
            (0.0, 3.0, np.array([1.0 + beta, 1.0 + beta / 2.0]) / (2.0 + beta * 1.5)),
            rare[2],
        ]
    for *counts, fresh in rare:
        trial.kept[3][child : child + 2] = counts
        dice = EveryOutcome()
        actor = LearnSampled(Recorder(), (1.0, 1.0), WEIGHT)
        trial.walk(1, actor, trial.engine.parts.sampling, dice)  # at the root, player 0 is the other player
        np.testing.assert_allclose(work.laws[:2], (1.0 - alpha) * 0.5 + alpha * np.array(fresh), rtol=1e-14)
        assert policy.counts[child] == counts[0] + 1.0  # these dice try the first action first
        assert policy.counts[child + 1] == counts[1]


def test_a_batch_is_learned_at_its_end():
    engine = SampledVectorEngine(dealt("kuhn"), "external", batch=4)
    interpreted(engine, 3)
    assert not engine.table.regret.any()
    interpreted(engine, 1)
    assert engine.table.regret.any()
    single = SampledVectorEngine(dealt("kuhn"), "external", RM())
    interpreted(single, 1)
    assert single.table.regret.any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("averag",), "average"),
        ((Sampling(Outcome(), MCS(), Uniform()),), "own: Outcome"),
        ((at_others(Explored(Everything())),), "other: Everything"),
        ((at_others(EpsilonGreedy(MCS(), 1.5)),), "epsilon"),
        ((at_others(Explored(MCS(), alpha=1.5)),), "alpha"),
        ((Sampling(Robust(0), MCS(), Uniform()),), "k=0"),
        ((Sampling(Uniform(), MCS(), MCS()),), "chance"),
        (("robust", RM(), OptimisticAverage()), "own_average"),
        (("robust", RM(), Average(), 0), "batch"),
    ],
)
def test_what_cannot_be_drawn_is_refused(arguments, message):
    with pytest.raises(MethodError, match=message):
        SampledVectorEngine(dealt("kuhn"), *arguments)
