"""What the page is told about an iteration is what the engine did: same arrays, numbers that follow from each other."""

import numpy as np
import pytest

import mccfr
from mccfr.kernel.witness import Told, Visits
from mccfr.solvers import vector_engine as vector
from mccfr.solvers.engines import WalkEngine
from mccfr.solvers.method import PARTS, RECIPES, WORDS, Method
from mccfr.web import explain
from mccfr.web.admit import scene_of
from mccfr.web.explain import about_method
from mccfr.web.frozen import bench_for, enumerated, met_by, noise
from mccfr.web.lane import Lane
from mccfr.web.mathematics import mathematics
from mccfr.web.narrator import Narrator
from mccfr.web.trace import Listener

TOLD = (
    "external",
    "outcome",
    "outcome+history",
    "outcome+infoset",
    "outcome+predictive",
    "robust(1)+probe",
    "average_strategy(0.1, 10, 1.5)",
    "external+page_rule",
    "external+batch(4)",
)
OTHERS = (
    "chance",
    "everything",
    "uniform+history",
    "uniform",
    "opponent_on_policy",
    "include(0.5)",
    "robust(1)",
    "external+static(uniform)",
    "outcome+own_average",
    "external+rm_plus",
    "outcome+discounted",
    "outcome(explore=counts)",
    "outcome(explore=counts, others=True)",
    "outcome(explore=counts, others=True)+history",
    "external+optimistic",
    "external+floor",
    "external+common",
)
COUNTED = "outcome(explore=counts, others=True)"
FULL = ("cfr", "cfr_plus", "dcfr", "pcfr_plus", "cfr+simultaneous", "hs_dcfr", "dcfr_restarts", "pdcfr_plus")


def lane_at(method, iterations, game="kuhn", seed=1):
    """A lane whose last iteration was told."""
    scene = scene_of(game)
    lane = Lane(scene, Method.parse(method), seed)
    lane.advance(iterations - 1)
    lane.tell()
    return lane


def events(lane, what=None):
    return [e for walk in lane.trace["walks"] for e in walk["events"] if what in (None, e["what"])]


def own(lane, player):
    """The player's own entries, and the root's value after all entries."""
    infosets = lane.scene.tree.infosets
    first, end = (infosets.row[infosets.first[p]] for p in (player, player + 1))
    return [*range(first, end), infosets.entries]


# ---- the same arrays


@pytest.mark.slow_cases(
    "robust*", "outcome+history", "average_strategy*", "outcome+predictive", "external+page_rule", "outcome+infoset"
)
@pytest.mark.parametrize("method", TOLD)
def test_told_iterations_leave_the_arrays_of_compiled_ones(method):
    scene, parsed = scene_of("kuhn"), Method.parse(method)
    plain, told = (WalkEngine(scene.tree, parsed, 5) for _ in range(2))
    plain.run(1000)
    counts = Visits(np.zeros(len(scene.tree), np.uint64), np.zeros(scene.tree.infosets.entries, np.uint64))
    heard = 0
    while told.clock[0] < 1000:
        told.run(min(6, 1000 - int(told.clock[0])))
        if told.clock[0] < 1000:
            listener = Listener(scene, told.parts, told.table, counts, Narrator(parsed))
            told.run_told(lambda parts, table, listener=listener: Told(listener))
            heard += len(listener.walks)
    assert heard == 2 * 142
    for name, array in plain.arrays.items():
        assert np.array_equal(array, told.arrays[name]), name


def test_counting_changes_nothing_and_counts_what_is_told():
    lane, plain = Lane(scene_of("kuhn"), Method.parse("external"), 3), mccfr.Solver("kuhn", "external", 3)
    for _ in range(50):
        lane.advance(lane.iterations + 6)
        lane.tell()
    plain.run(350)
    for name, array in plain.state.items():
        if name != "seconds":
            assert np.array_equal(array, lane.solver.state[name]), name
    told = np.zeros(lane.scene.tree.infosets.entries, np.uint64)
    before = lane.visits.rows.copy()
    lane.tell()
    for event in events(lane, "update"):
        told[lane.scene.tree.infosets.row[lane.scene.tree.infosets.find(event["infoset"], event["player"])]] += (
            np.uint64(1)
        )
    assert told.any()
    assert np.array_equal(lane.visits.rows - before, told)


def test_an_iteration_too_long_to_tell_is_left_out_unharmed(uncompiled, monkeypatch):
    monkeypatch.setattr("mccfr.web.trace.MOST_EVENTS", 20)
    lane, plain = Lane(scene_of("kuhn"), Method.parse("external"), 3), mccfr.Solver("kuhn", "external", 3)
    lane.tell()
    lane.tell()
    plain.run(2)
    assert lane.trace["walks"] == []
    assert "too many to show" in lane.trace["note"]
    assert np.array_equal(lane.engine.table.regret, plain.state["regret"])
    assert lane.solver.touched == plain.touched == lane.visits.nodes.sum()


def test_rollouts_too_long_to_tell_are_left_out_unharmed(uncompiled, monkeypatch):
    monkeypatch.setattr("mccfr.web.trace.MOST_STROLLED", 30)
    lane, plain = (
        Lane(scene_of("kuhn"), Method.parse("outcome+probe(50)"), 3),
        mccfr.Solver("kuhn", "outcome+probe(50)", 3),
    )
    lane.tell()
    plain.run(1)
    assert "too many to show" in lane.trace["note"]
    assert np.array_equal(lane.engine.table.regret, plain.state["regret"])


def test_a_method_that_keeps_numbers_for_iterations_has_an_end(uncompiled, monkeypatch):
    monkeypatch.setattr("mccfr.web.lane.FURTHEST", 5)
    lane = Lane(scene_of("kuhn"), Method.parse("external+discounted"), 1)
    lane.advance(5)
    for further in (lane.tell, lambda: lane.advance(6)):
        with pytest.raises(mccfr.MccfrError, match="up to 5"):
            further()
    assert lane.iterations == 5
    endless = Lane(scene_of("kuhn"), Method.parse("external+weighted"), 1)
    endless.advance(6)
    assert endless.iterations == 6


# ---- numbers that follow from each other


@pytest.mark.parametrize("method", TOLD + OTHERS)
def test_every_event_is_explained_and_consistent(method, uncompiled):
    lane = lane_at(method, 40)
    before, table = lane.before, lane.engine.table
    for event in events(lane):
        sentence = event["sentence"]
        assert sentence[0].isupper() or sentence[0] in "-0123456789" or sentence.split()[0] in event["actions"]
        assert sentence.endswith(".")
        assert "nan" not in sentence
        assert "None" not in sentence
    updates = events(lane, "update")
    assert updates
    for event in updates:
        value = sum(p * v for p, v in zip(event["strategy"], event["values"]))
        assert event["value"] == pytest.approx(value, abs=1e-12)
        assert event["increment"] == [event["weight"] * (v - event["value"]) for v in event["values"]]
    for walk in lane.trace["walks"]:
        assert walk["events"][0]["node"] == 0
        assert walk["value"] is not None
    estimate = lane.engine.clock[1] - before["clock"][1]
    assert lane.trace["walks"][0]["value"] == pytest.approx(estimate, abs=1e-9)
    if Method.parse(method).batch == 1 and method in ("external", "outcome", "robust(1)", "uniform"):
        total = before["regret"].copy()
        infosets = lane.scene.tree.infosets
        for event in updates:
            row = infosets.row[infosets.find(event["infoset"], event["player"])]
            total[row : row + len(event["increment"])] += event["increment"]
        assert np.array_equal(total, table.regret)


@pytest.mark.parametrize("method", ["outcome", "robust(1)", "average_strategy(0.1, 10, 1.5)", "uniform", COUNTED])
def test_weights_are_products_of_what_was_drawn(method, uncompiled):
    lane = lane_at(method, 60)
    strays = method in ("uniform", COUNTED)
    for walk in lane.trace["walks"]:
        weight, chosen = {0: 1.0}, {}
        for event in walk["events"]:
            if event["what"] == "choose":
                chosen[event["node"]] = event
            if event["what"] == "arrive" and event["parent"] is not None:
                draw, a = chosen[event["parent"]], event["node"] - lane.scene.child(event["parent"])
                assert a in draw["chosen"]
                own = draw["player"] == walk["walker"]
                ratio = 1.0 if own else draw["law"][a] if strays else draw["q"][a]
                weight[event["node"]] = weight[event["parent"]] * ratio / draw["q"][a]
                assert event["weight"] == pytest.approx(weight[event["node"]], rel=1e-12)


def test_what_is_drawn_is_said():
    """Enumerated, sampled, probed and skipped are told apart."""
    assert {how for e in events(lane_at("external", 30), "choose") for how in e["how"]} == {
        "enumerated",
        "sampled",
        "skipped",
    }


def test_probes_are_told(uncompiled):
    lane = lane_at("robust(1)+probe", 60)
    probes = events(lane, "probe")
    assert probes
    for event in probes:
        assert event["path"][0] == event["child"]
        last = event["path"][-1]
        worth = lane.scene.tree.reals[2 * last] * (1 - 2 * event["player"])
        assert lane.scene.arity[last] == 0
        assert event["value"] == worth


def test_probes_that_a_coin_decides_against_are_told_as_skipped(uncompiled):
    lane = lane_at("robust(1)+probe(share=0.5, epsilon=0.5, terminals=2)", 60)
    found = set()
    for _ in range(10):
        for walk in lane.trace["walks"]:
            probed = {(e["node"], e["action_index"]) for e in walk["events"] if e["what"] == "probe"}
            for event in walk["events"]:
                if event["what"] == "update":
                    found |= set(event["how"])
                    told = {(event["node"], a) for a, how in enumerate(event["how"]) if how == "probed"}
                    assert told == {place for place in probed if place[0] == event["node"]}
        lane.tell()
    assert found == {"sampled", "probed", "skipped"}
    said = " ".join(event["sentence"] for event in events(lane))
    assert "if a coin says so" in said
    assert "neither tried nor probed" in said


@pytest.mark.parametrize("method", FULL)
def test_sweeps_are_accounted_for_by_the_definitions(method):
    lane = lane_at(method, 12)
    infosets, before = lane.scene.tree.infosets, lane.before
    increment = np.zeros(infosets.entries)
    for event in events(lane, "update"):
        row = infosets.row[infosets.find(event["infoset"], event["player"])]
        increment[row : row + len(event["increment"])] += event["increment"]
    if method in ("cfr", "cfr+simultaneous"):
        assert np.allclose(before["regret"] + increment, lane.engine.table.regret, atol=1e-12)
    if method == "cfr_plus":
        assert np.allclose(np.maximum(before["regret"] + increment, 0), lane.engine.table.regret, atol=1e-12)
    assert np.abs(increment).max() > 1e-3
    assert "definitions" in lane.trace["note"]


def test_nodes_stand_for_the_states_of_the_rules():
    scene = scene_of("leduc")
    for h in range(0, len(scene.tree), 37):
        if scene.label(h) is not None:
            assert scene.rules.infoset(scene.state(h)) == scene.label(h)
        elif scene.arity[h] == 0:
            assert scene.rules.payoff(scene.state(h))[0] == scene.tree.reals[2 * h]
    assert scene.tree.deal_count == 30


# ---- mathematics and noise


@pytest.mark.parametrize(
    "method", ["external", "outcome+history", "robust(1)+probe", "chance", "external+batch(3)", COUNTED]
)
def test_sampled_regrets_are_true_on_average(method, uncompiled):
    lane = lane_at(method, 50)
    for player in (0, 1):
        found = enumerated(bench_for(lane, met_by(lane, player), lane.before), player)
        assert np.allclose(found.mean[own(lane, player)], found.truth[own(lane, player)], atol=1e-12)
        assert abs(found.truth[own(lane, player)][:-1]).max() > 0.01
    j = sorted(lane.updated)[0]
    infosets = lane.scene.tree.infosets
    said = mathematics(lane, infosets.owner(j), infosets.labels[j])
    assert said["expected_sampled"] == pytest.approx(said["true"]["regret"], abs=1e-12)
    value = sum(p * v for p, v in zip(said["before"]["current"], said["true"]["values"]))
    assert said["true"]["value"] == pytest.approx(value, abs=1e-12)


def test_the_rule_of_the_page_is_wrong_on_average(uncompiled):
    lane = lane_at("external+page_rule", 501)
    found = [enumerated(bench_for(lane, met_by(lane, player), lane.before), player) for player in (0, 1)]
    assert max(np.abs(e.mean - e.truth)[own(lane, i)].max() for i, e in enumerate(found)) > 0.01


def test_formulas_have_the_numbers_of_the_update(uncompiled):
    lane = lane_at("external", 30)
    event = events(lane, "update")[0]
    said = mathematics(lane, event["player"], event["infoset"])
    assert said["visits"][0]["increment"] == event["increment"]
    values, regrets, strategy = (step["formula"] for step in said["steps"])
    assert f"= {event['value']:.6g}".replace("-", "−") in values
    assert f"{event['increment'][0]:.6g}".replace("-", "−") in regrets
    assert f"{said['after']['current'][0]:.6g}" in strategy


def test_a_learned_baseline_takes_noise_away(uncompiled):
    plain, learned = (noise(lane_at(method, 1500), 100, (0, "K:")) for method in ("outcome", "outcome+history"))
    for said in (plain, learned):
        assert said["exact"]
        for root in said["root"]:
            assert root["mean"] == pytest.approx(root["true"], abs=1e-12)
    assert learned["root"][0]["variance"] < 0.5 * plain["root"][0]["variance"]


# ---- words


@pytest.mark.parametrize("policy", [policy for policy in WORDS if policy.__module__.startswith("mccfr.")])
def test_every_part_that_has_a_word_has_its_sentences(policy):
    known = {**explain.SAMPLERS, **explain.ESTIMATORS, **explain.MINIMISERS, **explain.AVERAGES}
    if policy.__name__ in ("LinearProgramme", "Floor"):  # nothing to watch; told with the average
        return
    assert known[policy].what.endswith(".")
    assert known[policy].what[0].isupper()


@pytest.mark.parametrize("word", [word for word in RECIPES if word != "lp"])
def test_every_recipe_has_a_title_and_an_explanation(word):
    said = about_method(RECIPES[word]())
    assert said["title"][0].isupper()
    assert len(said["about"]) > 60


@pytest.mark.parametrize("word", ["probe", "page_rule", "static", "history", "infoset", "predictive"])
def test_every_estimator_changes_the_title(word):
    assert word in PARTS
    titles = {about_method(Method.parse(text))["title"] for text in ("outcome", f"outcome+{word}")}
    assert len(titles) == 2


@pytest.mark.parametrize("method", ["dcfr", "public_outcome", "public_outcome(alternating=True)"])
def test_updates_of_dealt_games_are_told_for_both_players(method, uncompiled, monkeypatch):
    monkeypatch.setattr(vector, "vector_sweep", vector.vector_sweep.interpreted)
    lane = lane_at(method, 3, "dealt:kuhn")
    infosets = lane.scene.tree.infosets
    middle = int(infosets.row[infosets.first[1]])
    while np.array_equal(lane.before["current"][:middle], lane.engine.table.current[:middle]):
        lane.tell()  # until an iteration changes what player 0 plays
    for player in (0, 1):
        assert mathematics(lane, player, infosets.name(int(infosets.first[player])))["player"] == player
    at_once = method == "public_outcome"  # both answer the old strategies, rather than player 1 the new ones
    assert np.array_equal(met_by(lane, 1), lane.before["current"]) == at_once
