"""A mistake in measuring: a best response that may see the other player's cards.

An honest best response chooses one action for all histories of an infoset. One that chooses in every history for itself
cheats, and finds something to win even against an equilibrium: 5/18 of a chip in Kuhn poker, at every equilibrium.
"""

from typing import Any

from mccfr.auditing.truth import histories_under
from mccfr.errors import TreeError
from mccfr.evaluate.exact import Evaluator
from mccfr.web.frozen import EXACT_NODES
from mccfr.web.lane import Lane
from mccfr.web.pure_strategies import by_brute_force

NOTE = (
    "An honest best response plays one action in all histories that look alike. The cheating one sees the other "
    "player's cards first. Its gain never falls to 0: against any equilibrium of Kuhn poker it is 5/18 of a chip."
)


def clairvoyant(lane: Lane) -> dict[str, Any]:
    """Both kinds of best response against the average strategy, and in a tiny game all pure strategies."""
    if not lane.scene.walks or len(lane.scene.tree) > EXACT_NODES:
        raise TreeError(f"cheating best responses are computed for written-out games of up to {EXACT_NODES:,} nodes")
    average, tree = lane.average(), lane.scene.tree
    evaluator = Evaluator(tree.written)
    evaluator.load(average)
    honest = [evaluator.best_response(i) for i in (0, 1)]
    cheating = [cheating_value(lane, average, i) for i in (0, 1)]
    brute = by_brute_force(tree.written, average)
    return {
        "type": "clairvoyant",
        "iteration": lane.iterations,
        "honest": honest,
        "cheating": cheating,
        "honest_exploitability": sum(honest) / 2,
        "cheating_exploitability": sum(cheating) / 2,
        "brute": brute,
        "brute_exploitability": None if brute is None else sum(player["best"] for player in brute) / 2,
        "floor": 5 / 18 if tree.game == "kuhn" else None,
        "note": NOTE,
    }


def cheating_value(lane: Lane, average: Any, i: int) -> float:
    """What player i gets who chooses in every history for itself."""
    scene = lane.scene
    law, _, worth = histories_under(scene.tree.written, average)
    sign = 1 - 2 * i
    best = [sign * x for x in worth]
    for h in reversed(range(len(scene.tree))):
        if law[h]:
            below = best[scene.child(h) : scene.child(h) + len(law[h])]
            best[h] = max(below) if scene.kind[h] == i else sum(p * x for p, x in zip(law[h], below))
    return best[0]
