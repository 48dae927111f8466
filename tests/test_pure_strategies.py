"""The 64 pure strategies of Kuhn poker that the page tries, beside the exact best response and the clairvoyant one."""

import naive
import numpy as np
import pytest

import mccfr
from mccfr.games.kuhn import Kuhn
from mccfr.kernel.dispatch import uncompiled
from mccfr.web import pure_strategies
from mccfr.web.admit import scene_of
from mccfr.web.clairvoyant import clairvoyant
from mccfr.web.lane import Lane
from mccfr.web.pure_strategies import by_brute_force

SEEDS = range(4)


def told(seed, game="kuhn"):
    """What the page hears about a random average strategy, and that strategy; nothing is compiled."""
    with uncompiled():
        lane = Lane(scene_of(game), mccfr.Method.parse("cfr"), 1)
        if seed is not None:
            entries = lane.scene.tree.infosets.entries
            lane.engine.table.average[:] = np.random.default_rng(seed).exponential(size=entries)
        return clairvoyant(lane), lane.average()


def naive_table(probabilities):
    """The same strategy for the slow code: rows by player and label."""
    infosets = scene_of("kuhn").tree.infosets
    return {
        (infosets.owner(j), infosets.labels[j]): probabilities[infosets.row[j] : infosets.row[j + 1]].tolist()
        for j in range(len(infosets))
    }


def assert_brute_force_is_right(seed):
    """Every value by the slow code, all 64 plans, the best of them marked and equal to both best responses."""
    said, average = told(seed)
    table = naive_table(average)
    for player, tried in enumerate(said["brute"]):
        assert len({tuple(one["actions"]) for one in tried["strategies"]}) == 64
        values = [one["value"] for one in tried["strategies"]]
        assert values == sorted(values, reverse=True)
        for one in tried["strategies"][::9]:
            plan = {
                (player, label): [
                    float(a == action) for a in ("fold call" if label.endswith("b") else "check bet").split()
                ]
                for label, action in zip(tried["infosets"], one["actions"])
            }
            assert one["value"] == pytest.approx(naive.expected_values(Kuhn(), table | plan)[player], abs=1e-12)
        assert [one["best"] for one in tried["strategies"]] == [v >= values[0] - 1e-12 for v in values]
        assert tried["best"] == values[0] == pytest.approx(said["honest"][player], abs=1e-12)
        assert said["cheating"][player] >= tried["best"] - 1e-12
        assert said["cheating"][player] == pytest.approx(
            naive.clairvoyant_best_response(Kuhn(), table, player), abs=1e-12
        )
    assert said["brute_exploitability"] == pytest.approx(said["honest_exploitability"], abs=1e-12)


@pytest.mark.parametrize("seed", [None, *SEEDS])
def test_the_best_of_64_is_the_best_response(seed):
    assert_brute_force_is_right(seed)


def test_the_clairvoyant_value_is_larger():
    """Against every one of these strategies, and for both players."""
    for seed in SEEDS:
        said, _ = told(seed)
        assert all(cheat > tried["best"] + 1e-3 for cheat, tried in zip(said["cheating"], said["brute"]))


def left_mixed(tree, strategy, i):
    """Planted: the last infoset is played as before, and not purely."""
    last = tree.infosets.of(i)[-1]
    entries = slice(int(tree.infosets.row[last]), int(tree.infosets.row[last + 1]))
    for plan, played in RIGHT(tree, strategy, i):
        played[entries] = strategy[entries]
        yield plan, played


def one_missing(tree, strategy, i):
    """Planted: the worst plan is tried twice, and the best never."""
    value = mccfr.evaluate.exact.Evaluator(tree).value
    worst_first = sorted(RIGHT(tree, strategy, i), key=lambda one: (1 - 2 * i) * value(one[1]))
    return iter([*worst_first[:-1], worst_first[0]])


def for_the_other(tree, strategy, i):
    """Planted: the other player's strategies are made pure."""
    return RIGHT(tree, strategy, 1 - i)


RIGHT = pure_strategies.pure_strategies


@pytest.mark.parametrize("wrong", [left_mixed, one_missing, for_the_other])
def test_planted_errors_are_noticed(wrong, monkeypatch):
    monkeypatch.setattr(pure_strategies, "pure_strategies", wrong)
    with pytest.raises(AssertionError):
        assert_brute_force_is_right(0)


def test_only_tiny_games_are_tried():
    with uncompiled():
        for game, many in (("rps", 3), ("kuhn(suits=2)", None), ("leduc", None)):
            tree = scene_of(game).tree
            found = by_brute_force(tree, tree.infosets.uniform())
            assert found is None if many is None else [len(one["strategies"]) for one in found] == [many, many]
    assert told(None, "kuhn(suits=2)")[0]["brute"] is None
