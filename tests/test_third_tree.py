"""A form of tree that the package does not know: solved, audited, kept on disk and shown without a change elsewhere.

`examples/king_kuhn.py` is the form. The authority is the same game by its rules, written out as any other: Kuhn poker
in which the knave and the queen look alike.
"""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

import mccfr
from mccfr.evaluate.exact import Evaluator
from mccfr.games.kuhn import Kuhn
from mccfr.solvers.lp import solve_lp
from mccfr.web.admit import Given, scene_of
from mccfr.web.lane import Lane
from mccfr.web.messages import View

EXAMPLES = Path(__file__).parent.parent / "examples"
sys.path.insert(0, str(EXAMPLES))
from king_kuhn import KingKuhn  # noqa: E402

FORM = EXAMPLES / "king_kuhn.py"
LINES = {"": "", "c": "p", "b": "b", "cb": "pb"}


class AlikeKuhn(Kuhn):
    """Kuhn poker for players who see only whether they hold the king."""

    def infoset(self, s):
        card, line = super().infoset(s).split(":")
        return f"{'king' if card == 'K' else 'other'}:{LINES[line]}"


def by_rules(tree, probabilities):
    """A strategy of the third form for the rules."""
    rules = mccfr.compile(AlikeKuhn())
    found = np.empty_like(probabilities)
    for j, label in enumerate(rules.infosets.labels):
        mine, theirs = (infosets.entry(infosets.find(label)) for infosets in (rules.infosets, tree.infosets))
        assert label == rules.infosets.labels[j]
        found[mine : mine + 2] = probabilities[theirs : theirs + 2]
    return rules, found


def test_it_is_short():
    form, _, _ = FORM.read_text().partition("if __name__")
    assert len(form.rstrip().splitlines()) < 60


def test_written_out_it_is_the_game_by_its_rules():
    tree = KingKuhn()
    assert tree.written.counts["nodes"] == 55  # 1 + 6 * 9; Kuhn deals card after card and has 58
    assert tree.counts == {**tree.counts, "nodes": 9, "terminals": 5, "infosets": 8, "largest_infoset": 4}
    for seed in range(5):
        strategy = np.random.default_rng(seed).dirichlet((1.0, 1.0), 8).reshape(-1)
        rules, same = by_rules(tree, strategy)
        for ask in ("value", "nash_conv"):
            ours, theirs = (getattr(Evaluator(t), ask)(p) for t, p in ((tree.written, strategy), (rules, same)))
            assert ours == pytest.approx(theirs, abs=1e-14)
        assert tree.history_values(strategy)[0] == pytest.approx(Evaluator(rules).value(same), abs=1e-14)


@pytest.mark.parametrize("game", ["dealt:kuhn", "dealt:leduc"])
def test_dealt_trees_can_be_written_out_too(game):
    tree, rules = mccfr.compile(game), mccfr.compile(game.removeprefix("dealt:"))
    strategy = mccfr.solve(game, "cfr_plus", iterations=5).strategy()
    assert Evaluator(tree.written).nash_conv(strategy.probabilities) == pytest.approx(
        mccfr.nash_conv(strategy), abs=1e-13
    )
    assert tree.written.counts["terminals"] == rules.counts["terminals"]
    assert tree.written.counts["largest_infoset"] == rules.counts["largest_infoset"]
    assert Evaluator(tree.written).value(solve_lp(tree.written)) == pytest.approx(
        Evaluator(rules).value(solve_lp(rules)), abs=1e-9
    )


@pytest.mark.slow_cases("outcome+infoset*", "external")
@pytest.mark.parametrize("method", ["external", "outcome+infoset", "cfr_plus", "lp", "auto"])
def test_it_is_solved(method):
    solver = mccfr.solve(KingKuhn(), method, iterations=300 if method == "cfr_plus" else 20_000, seed=1)
    rules, same = by_rules(solver.tree, solver.strategy().probabilities)
    assert Evaluator(rules).nash_conv(same) / 2 == pytest.approx(solver.exploitability(), abs=1e-12)
    assert solver.exploitability() < 0.02  # uniform: 0.375
    assert mccfr.exploitability(mccfr.uniform(KingKuhn())) == pytest.approx(0.375)


@pytest.mark.slow
def test_every_method_is_audited():
    report = mccfr.audit(KingKuhn())
    assert len(report.rows) > 40
    assert all(row.exact for row in report.rows)
    assert all(row.unbiased != row.exhibit for row in report.rows)


def test_deals_that_a_walk_does_not_make_are_found_by_the_audit(monkeypatch):
    """Its truth is the tree written out: by `deals`, which the walk does not ask, but by the same `row` and `worth`.

    So a wrong row is not for the audit to find; the game by its rules is the authority on those, above.
    """
    tree = KingKuhn()
    monkeypatch.setattr(tree, "deals", lambda: iter([(0.5, (0, 1)), (0.5, (2, 1))]))
    assert not mccfr.audit(tree, "external").rows[0].unbiased


@pytest.mark.slow
def test_it_is_kept_on_disk_and_resumed(tmp_path):
    shutil.copy(FORM, tmp_path / "king.py")
    game = f"{tmp_path / 'king.py'}:KingKuhn"
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    mccfr.train(whole, game, "outcome+predictive", iterations=400, seed=2)
    mccfr.train(halves, game, "outcome+predictive", iterations=200, seed=2)
    mccfr.train(halves, game, "outcome+predictive", iterations=400, seed=2)
    one, other = (mccfr.Run(folder).strategy(game) for folder in (whole, halves))
    np.testing.assert_array_equal(one.probabilities, other.probabilities)
    one.save(tmp_path / "king.mccfr")
    again = mccfr.load(tmp_path / "king.mccfr", game=game)
    assert mccfr.exploitability(again) == mccfr.exploitability(one)
    assert again["king:"] == one["king:"]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["external", "cfr_plus"])
def test_it_is_shown_on_the_page(method):
    game = f"{FORM}:KingKuhn"
    scene = scene_of(game, Given(games=(game,)))
    assert (scene.opened["deals"], scene.opened["walks"], scene.opened["infosets"]) == (6, False, 8)
    assert scene.opened["exact_value"] == pytest.approx(mccfr.expected_value(mccfr.solve(KingKuhn(), "lp").strategy()))
    lane = Lane(scene, mccfr.Method.parse(method), 1)
    lane.advance(100)
    lane.tell()
    frame = lane.frame(View(), True)
    json.dumps(frame)
    assert frame["iteration"] == 101
    assert [card["label"] for card in frame["cards"]["items"]] == list(KingKuhn().infosets.labels)


@pytest.mark.parametrize("change", ["row", "worth"])
def test_the_rules_find_a_wrong_row_or_ending(change, monkeypatch):
    """What the audit cannot see: the comparison with the game by its rules would."""
    import king_kuhn

    right = getattr(king_kuhn, change).body(king_kuhn.KingView)
    wrong = {"row": lambda tree, h, m, held: right(tree, h, m, held[::-1]), "worth": lambda *args: -right(*args)}
    tree, strategy = KingKuhn(), np.random.default_rng(0).dirichlet((1.0, 1.0), 8).reshape(-1)
    rules, same = by_rules(tree, strategy)
    getattr(king_kuhn, change).register(king_kuhn.KingView)(wrong[change])
    try:
        assert abs(Evaluator(tree.written).value(strategy) - Evaluator(rules).value(same)) > 1e-3
    finally:
        getattr(king_kuhn, change).register(king_kuhn.KingView)(right)
