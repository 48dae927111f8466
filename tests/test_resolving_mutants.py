"""Mistakes in re-solving, planted into the package: examples notice each.

This file is also the program that tries them.
"""

import pytest
import resolving_examples
from planting import catching, one_each, try_bugs

RESOLVER, REFINED, STEPS = "resolving/resolver", "resolving/refining", "resolving/public_places"

BUGS = {
    "ranges are not normalised": (
        "resolving/position_rules:PositionRules.__init__",
        "np.outer(*position.ranges) / position.weight",
        "np.outer(*position.ranges)",
    ),
    "values are not divided by reach": (
        "resolving/position:conditional",
        "return np.divide(values, others, out=np.zeros_like(values), where=others > 0.0)",
        "return values",
    ),
    "stopping pays the wrong player": (
        "resolving/position_rules:PositionRules._stops",
        "== 0 else -paid[None, :]",
        "== 0 else paid[None, :]",
    ),
    "the player itself may stop": (
        "resolving/position_rules:PositionRules.player",
        "if s == GATE:\n            return self.position.opponent",
        "if s == GATE:\n            return self.position.seat",
    ),
    "the current strategy is played": (
        "resolving/solution:_run",
        "normalised(engine.weights())",
        "normalised(engine.current())",
    ),
    "the opponent's range is trusted": (
        "resolving/position:Position.ranges",
        "if isinstance(self.gadget, Unsafe) else np.ones",
        "if True else np.ones",
    ),
    "unsafe does not know the opponent's range": (
        "resolving/position:Position.ranges",
        "self.opponent_range if isinstance(self.gadget, Unsafe)",
        "self.opponent_range if False",
    ),
    "alternatives are those of the profile": (
        "resolving/position:position_from",
        'if values == "best" else',
        'if values != "best" else',
    ),
    "ranges are exchanged": (
        "resolving/position:Position.ranges",
        "if self.seat == 0 else (theirs, self.range)",
        "if self.seat == 1 else (theirs, self.range)",
    ),
    "the opponent's own reach is in its values": (
        "resolving/position:position_from",
        "mine, theirs = found.reach(seat)[at.node], found.reach(opponent)[at.node]",
        "mine, theirs = found.reach(opponent)[at.node], found.reach(opponent)[at.node]",
    ),
    "gifts are not divided by reach": (
        "resolving/position:gifts",
        "total += conditional(np.maximum(given, 0.0), others)",
        "total += np.maximum(given, 0.0)",
    ),
    "gifts are what is kept": (
        "resolving/position:gifts",
        "found.best(opponent, before.node) - found.best(opponent, after.node)",
        "found.best(opponent, after.node)",
    ),
    "gifts of the other player": (
        "resolving/position:gifts",
        "if mover_at(found.tree, before) == opponent:\n            given = found",
        "if mover_at(found.tree, before) != opponent:\n            given = found",
    ),
    "best responses take the mean": ("resolving/public_values:best_values", "below.max(axis=0)", "below.mean(axis=0)"),
    "best responses choose for the other": (
        "resolving/public_values:best_values",
        "if kind & 255 == player else below.sum(axis=0)",
        "if kind & 255 != player else below.sum(axis=0)",
    ),
    "reach forgets the last action": (
        "resolving/public_values:reaches",
        "mover[n, decision.members] * decision.rows(probabilities).T",
        "mover[n, decision.members] * np.ones_like(decision.rows(probabilities).T)",
    ),
    "chosen hands are paid their alternative": (
        "resolving/chosen_hand:ChosenHandPosition.payoff",
        "paid += self.alternatives[s.hands[1]]",
        "paid -= self.alternatives[s.hands[1]]",
    ),
    "chosen hands of player 0 are": (
        "resolving/chosen_hand:ChosenHandPosition.payoff",
        "else -self.alternatives[s.hands[0]]",
        "else self.alternatives[s.hands[0]]",
    ),
    "the player's hand does not depend on the chosen one": (
        "resolving/chosen_hand:ChosenHandPosition.chances",
        "given = self._deal[:, s] / self._deal[:, s].sum()",
        "given = np.where(self._deal[:, s] > 0, 1.0, 0.0) / np.count_nonzero(self._deal[:, s])",
    ),
    "the own range stays as it was": (
        "resolving/solution:Solution.below",
        "seat, old.range * mine, alternatives",
        "seat, old.range, alternatives",
    ),
    "values below are not divided by reach": (
        "resolving/solution:Solution.below",
        "alternatives = conditional(worth, others_reach(place.chance * self.share, mine, opponent))",
        "alternatives = worth",
    ),
    "values below are those of the player": (
        "resolving/solution:Solution.below",
        "else self.values.best(opponent, node)",
        "else -self.values.best(opponent, node)",
    ),
    "margins have the wrong sign": (
        "resolving/solution:Solution.margins",
        "position.alternatives - conditional(best, others)",
        "conditional(best, others) - position.alternatives",
    ),
    "bounds forget how likely hands are": (
        "resolving/solution:Solution.bound",
        "np.sum(self.position.others * np.maximum(-self.margins, 0.0))",
        "np.sum(0.0 * np.maximum(-self.margins, 0.0))",
    ),
    "the other player's part is put in place": ("resolving/refining:_put", "if mover == seat:", "if mover != seat:"),
    "leaves are remembered for the learner": (
        "resolving/leaf_engines:LeafSweeps.run",
        "weight, (1 - player,))",
        "weight, (player,))",
    ),
    "leaves are remembered without their weight": (
        "resolving/leaf_means:LeafMeans.note",
        "self.reach[player][:] += weight * other",
        "self.reach[player][:] += other",
    ),
    "leaves are worth the mean over hands": (
        "resolving/leaf_means:LeafMeans.mean",
        "where=below > 0.0)",
        "where=below > 9.0)",
    ),
    "leaves do not know who came": (
        "resolving/leaf_engines:Endings._paid",
        "s.chance * worth * self.rules.share)",
        "s.chance * worth)",
    ),
    "what leaves were does not fade": (
        "resolving/leaf_engines:LeafSweeps.run",
        "self.endings.fade(less)",
        "self.endings.fade(1.0)",
    ),
    "the gate's other end is not paid": (
        "public_line:mix",
        "if corrects(estimator) or paid:",
        "if corrects(estimator):",
    ),
    "the gate's other end has a baseline": (
        "public_line:mix",
        "if paid:\n                        pay_line",
        "if False:\n                        pay_line",
    ),
    "the gate is drawn": (
        "public_line:settled(PastGate)",
        "settled.register(PastGate)(lambda law, h: h == U0)",
        "settled.register(PastGate)(lambda law, h: False)",
    ),
    "a card's law is forgotten": (
        "resolving/public_places:step",
        "if mover == CHANCE else at.chance",
        "if False else at.chance",
    ),
}


found = catching(__file__, one_each(BUGS))


@pytest.mark.slow
def test_the_examples_hold(found):
    assert found[None] is None


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_a_mistake_is_noticed(found, bug):
    assert found[bug] is not None


@pytest.mark.slow
def test_examples():
    assert resolving_examples.first_mistake() is None


if __name__ == "__main__":
    try_bugs(resolving_examples.first_mistake)
