"""Small examples of re-solving with answers by other ways; each returns nothing, or says what is wrong.

Everything is imported inside, since these are also tried on copies of the package with mistakes in them.
"""

import numpy as np


def noisy_kuhn(seed=1):
    import mccfr

    tree = mccfr.compile("dealt:kuhn")
    weights = np.random.default_rng(seed).gamma(0.7, size=tree.infosets.entries)
    probabilities = tree.infosets.normalised(weights)[0]
    return mccfr.Strategy(tree.infosets, probabilities, mccfr.uniform(tree).origin, tree=tree)


LINES = ("check", "bet", "check bet")


def value_of(position):
    """To the opponent, by linear programming."""
    import mccfr

    value = mccfr.expected_value(mccfr.solve(mccfr.compile(position).written, "lp").strategy())
    return value if position.opponent == 0 else -value


def resolve_is_worth_what_the_opponent_had():
    """It may stop with every hand; against the strategy so far it had no better choice. Kuhn's cards by hand."""
    import mccfr

    strategy = noisy_kuhn()
    for line in LINES:
        position = mccfr.position(strategy, line)
        seat, opponent = position.seat, position.opponent
        own, theirs = (strategy.tree.hands[player] for player in (seat, opponent))
        weights = np.array([[float(a != b) for b in theirs] for a in own])
        mine = np.array([hand_reach(strategy, line, seat, hand) for hand in own])
        others = mine @ weights / 6.0
        if not np.allclose(position.range, mine) or not np.allclose(position.others, others):
            return "ranges"
        had = others @ position.alternatives / others.sum()
        best = mccfr.best_response(strategy, opponent)
        if abs(value_of(position) - had) > 1e-9 or best.value is None:
            return "value"
    return None


def hand_reach(strategy, line, seat, hand):
    found, mover, letters = 1.0, 0, ""
    for action in line.split():
        if mover == seat:
            found *= strategy[f"{hand}:{letters}"][action]
        letters += action[0]
        mover = 1 - mover
    return found


def alternatives_are_best_responses():
    """alt(j) of the opponent after a bet, from the rules of Kuhn poker."""
    import mccfr

    strategy = noisy_kuhn(2)
    position = mccfr.position(strategy, "bet", values="best")
    for j, hand in enumerate("JQK"):
        expected = 0.0
        for other in {"J", "Q", "K"} - {hand}:
            wins = "JQK".index(hand) > "JQK".index(other)
            answer = strategy[f"{other}:b"]
            expected += (answer["fold"] + answer["call"] * (2.0 if wins else -2.0)) / 2
        if abs(position.alternatives[j] - expected) > 1e-12:
            return f"{hand}: {position.alternatives[j]} instead of {expected}"
    return None


def safe_gadgets_are_safe():
    import mccfr

    for seed in (1, 2, 3):
        strategy = noisy_kuhn(seed)
        for gadget in ("resolve", "maxmargin", "reach"):
            for lines in (("check", "bet"), ("check bet", "bet")):
                refined = mccfr.refine(strategy, lines, gadget, "lp", 1)
                if max(refined.bounds) > 1e-9:
                    return f"{gadget}: bounds {refined.bounds}"
                for player in (0, 1):
                    before = mccfr.best_response(strategy, player).value
                    if mccfr.best_response(refined.strategy, player).value > before + 1e-9:
                        return f"{gadget}: a best response gained"
    return None


def margins_are_those_of_their_definition():
    """The game of maxmargin is worth the least margin, and its solution has none that is smaller."""
    import mccfr
    from mccfr.resolving.budgets import Budget
    from mccfr.resolving.solution import solve_position

    strategy = noisy_kuhn(4)
    for line in LINES:
        position = mccfr.position(strategy, line, "maxmargin")
        solved = solve_position(position, "lp", Budget(iterations=1))
        if abs(solved.margins.min() + value_of(position)) > 1e-9:
            return f"{line}: margin {solved.margins.min()}, value {-value_of(position)}"
        if solved.margins.min() < -1e-9:
            return "a margin below nothing"
        patched = mccfr.refine(strategy, [line], "maxmargin", "lp", 1).strategy
        now = mccfr.position(patched, line, "resolve", player=position.seat).alternatives
        if np.abs((position.alternatives - now) - solved.margins).max() > 1e-9:
            return "margins are not what best responses lost"
    return None


def unsafe_trusts_the_ranges():
    import mccfr

    strategy = mccfr.solve("dealt:kuhn", "cfr_plus", iterations=150).strategy()
    position = mccfr.position(strategy, "bet", "unsafe")
    mine = np.array([hand_reach(strategy, "bet", 0, hand) for hand in "JQK"])
    weight = float(np.sum((np.ones((3, 3)) - np.eye(3)) / 6.0 * mine[:, None]))
    if abs(position.weight - weight) > 1e-12:
        return f"weight {position.weight}, not {weight}"
    bad = mccfr.refine(strategy, ["check", "bet"], "unsafe", "lp", 1)
    if mccfr.exploitability(bad.strategy) < mccfr.exploitability(strategy) + 0.05 or sum(bad.bounds) < 0.05:
        return "unsafe does no harm"
    return None


def continual_resolving_is_exact():
    import mccfr

    for gadget in ("resolve", "maxmargin", "reach"):
        player = mccfr.Resolver("kuhn", "lp", gadget=gadget)
        found = mccfr.exploitability(player.strategy())
        if found > 1e-9 or max(player.bounds) > 1e-9:
            return f"{gadget}: {found}, bounds {player.bounds}"
    return None


def averages_are_played():
    """The strategy of a few CFR iterations is their average, and the value below follows from it."""
    import mccfr
    from mccfr.resolving.budgets import Budget
    from mccfr.resolving.solution import solve_position

    strategy = noisy_kuhn(5)
    position = mccfr.position(strategy, "bet")
    solved = solve_position(position, "cfr", Budget(iterations=7))
    average = mccfr.solve(position, "cfr", iterations=7).strategy().probabilities
    if np.abs(solved.probabilities - average).max() > 1e-12:
        return "not the average"
    return None


def rough_leduc():
    import mccfr

    tree = mccfr.compile("dealt:leduc(suits=False)")
    weights = np.random.default_rng(0).gamma(0.7, size=tree.infosets.entries)
    return mccfr.Strategy(tree.infosets, tree.infosets.normalised(weights)[0], mccfr.uniform(tree).origin, tree=tree)


def told_leaves():
    """Leaves that are asked again and again but always say the same, and the same leaves told once."""
    import mccfr
    from mccfr.resolving.budgets import Budget
    from mccfr.resolving.leaves import Continued, Leaves
    from mccfr.resolving.public_places import place_of
    from mccfr.resolving.public_values import PublicValues
    from mccfr.resolving.solution import solve_position

    class Same(Leaves):
        by_ranges = True

        def worth(self, leaf, ranges, choice=""):
            tree = leaf.position.tree
            if not all(np.all(each <= 1.0) for each in ranges):
                raise AssertionError("ranges")
            pairs = PublicValues(tree, tree.infosets.uniform()).pairs(place_of(tree, leaf.line).node)
            return np.divide(pairs, leaf.chance, out=np.zeros_like(pairs), where=leaf.chance > 0.0)

    rough = rough_leduc()
    even = mccfr.uniform(rough.tree)
    for method in ("cfr", "cfr_plus", "lcfr"):
        found = [
            solve_position(mccfr.position(rough, "check bet", depth=2, leaves=each), method, Budget(iterations=3))
            for each in (Same(), Continued(even))
        ]
        if np.abs(found[0].probabilities - found[1].probabilities).max() > 1e-9:
            return f"{method}: strategies"
        for player in (0, 1):
            for node in range(len(found[0].tree)):
                for what in ("value", "best"):
                    a, b = (getattr(each.values, what)(player, node) for each in found)
                    if player == found[0].position.opponent and np.abs(a - b).max() > 1e-9:
                        return f"{method}: {what} at node {node}"
    return None


def changing_leaves_are_averaged():
    """Leaves that never say the same twice, and for each player what they said, summed up as it is defined."""
    import mccfr
    from mccfr.resolving.budgets import Budget
    from mccfr.resolving.leaf_engines import Endings
    from mccfr.resolving.leaves import Leaves
    from mccfr.resolving.solution import solve_position

    class Changing(Leaves):
        by_ranges = True

        def __init__(self):
            self.asked, self.count = {}, 0

        def worth(self, leaf, ranges, choice=""):
            self.count += 1
            said = np.cos(self.count + np.arange(leaf.chance.size).reshape(leaf.chance.shape))
            self.asked.setdefault(leaf.line, []).append((said, [each.copy() for each in ranges]))
            return said

    rough = rough_leduc()
    for method, weights in (("lcfr", (1, 2, 3, 4)), ("dcfr_restarts", (0, 1, 8, 27))):  # which restarts after one
        leaves = Changing()
        position = mccfr.position(rough, "check bet", depth=2, leaves=leaves)
        found = solve_position(position, method, Budget(iterations=4))
        endings = Endings(found.tree)
        for node, s in endings.changing.items():
            asked = leaves.asked[endings.rules.leaf(s).line]
            for player, tree in enumerate(found.values.trees):
                mean = leaf_mean(asked[1 - player :: 2], weights, player)  # before the other player's sweeps
                paid = np.where(s.chance > 0.0, s.chance * mean * endings.rules.share, 0.0)
                if np.abs(tree.matrices[int(tree.nodes[4 * node])] - paid).max() > 1e-12:
                    return f"{method}: a leaf of player {player}"
    return None


def leaf_mean(asked, weights, player):
    """sum_t w_t reach^t u^t / sum_t w_t reach^t, with the other player's reach; asked: (u^t, both reaches) by t.

    Where the other player never came, reaches do not count.
    """
    total, below, plain = 0.0, 0.0, 0.0
    for (said, ranges), weight in zip(asked, weights, strict=True):
        other = weight * (ranges[1][None, :] if player == 0 else ranges[0][:, None])
        total, below, plain = total + other * said, below + other, plain + weight * said
    return np.divide(total, below, out=plain / sum(weights), where=below > 0.0)


def the_next_position():
    """Range and alternatives below a solution, against those of the whole strategy with the solution in it."""
    import mccfr
    from mccfr.resolving.budgets import Budget
    from mccfr.resolving.public_places import place_of
    from mccfr.resolving.public_values import PublicValues
    from mccfr.resolving.refining import _put
    from mccfr.resolving.solution import solve_position

    strategy = noisy_kuhn(6)
    position = mccfr.position(strategy, "check", player=0)
    solved = solve_position(position, "cfr", Budget(iterations=4))
    patched = strategy.probabilities.copy()
    _put(solved, position.place, 0, patched)
    whole, place = PublicValues(strategy.tree, patched), place_of(strategy.tree, "check bet")
    below = solved.below(place, position.gadget, "best", None, None)
    mine = whole.reach(0)[place.node]
    alternatives = whole.best(1, place.node) / (mine @ place.chance)
    if np.abs(below.range - mine).max() > 1e-12:
        return "range"
    if np.abs(below.alternatives - alternatives).max() > 1e-9:
        return "alternatives"
    return None


def gifts_are_given_once():
    """A player who bets a jack that it should check has given the difference away, whatever follows."""
    import mccfr
    from mccfr.resolving.position import gifts
    from mccfr.resolving.public_places import place_of
    from mccfr.resolving.public_values import PublicValues

    tree = mccfr.compile("dealt:kuhn")
    table = {f"{hand}:": {"check": 0.5, "bet": 0.5} for hand in "JQK"}
    table |= {f"{hand}:c": {"check": 1.0, "bet": 0.0} for hand in "JQK"}
    table |= {f"{hand}:{line}": {"fold": 0.0, "call": 1.0} for hand in "JQK" for line in ("b", "cb")}
    strategy = mccfr.from_dict(tree, table)
    found = gifts(PublicValues(tree, strategy.probabilities), place_of(tree, "bet"), 0)
    # checking is checked: J -1, Q 0, K +1; betting is called: J -2, Q 0, K +2
    return None if np.abs(found - [1.0, 0.0, 0.0]).max() < 1e-12 else f"gifts {found}"


def the_gate_is_passed_and_paid():
    """Public outcome sampling: stopping has its exact worth, following that of the line over its probability."""
    import mccfr
    from mccfr.resolving.leaf_engines import LeafLines
    from mccfr.resolving.public_places import decision_at
    from mccfr.resolving.public_values import PublicValues
    from mccfr.solvers.method import Method
    from mccfr.tree.dealt_tree import deal_out

    position = mccfr.position(noisy_kuhn(7), "bet")
    tree = deal_out(position)
    gate, even = decision_at(tree, 0), PublicValues(tree, tree.infosets.uniform())
    for baseline in ("plain", "predictive", "history(rate=0.5)"):
        for seed in range(6):
            engine = LeafLines(tree, Method.parse(f"public_outcome+{baseline}+rm+linear"), seed)
            engine._lines(1, 3)
            if int(engine.work.frame[1]) != 1:
                return "the gate was not followed"
            drawn = int(tree.nodes[4 * 2]) + int(engine.work.frame[3])  # below the position, one of two actions
            worth = np.array([even.value(position.opponent, 1), 2.0 * even.value(position.opponent, drawn)])
            exact = (worth - worth.mean(axis=0))[:, gate.members].T
            if np.abs(gate.rows(engine.table.regret) - exact).max() > 1e-9:
                return f"{baseline}: regrets of the gate"
    return None


def cards_are_dealt():
    """Leduc: after a jack on the board nobody holds it, and each pair of other cards is as likely."""
    import mccfr
    from mccfr.resolving.public_places import place_of

    tree = mccfr.compile("dealt:leduc")
    chance = place_of(tree, "check check J").chance
    same = np.array([[a != b and "J" not in (a, b) for b in "JjQqKk"] for a in "JjQqKk"])
    return None if np.abs(chance - same / 120.0).max() < 1e-15 else "chances of pairs and a card"


EXAMPLES = (
    resolve_is_worth_what_the_opponent_had,
    alternatives_are_best_responses,
    safe_gadgets_are_safe,
    margins_are_those_of_their_definition,
    unsafe_trusts_the_ranges,
    continual_resolving_is_exact,
    averages_are_played,
    told_leaves,
    changing_leaves_are_averaged,
    the_next_position,
    gifts_are_given_once,
    the_gate_is_passed_and_paid,
    cards_are_dealt,
)


def first_mistake():
    """The first example that notices something, with what it says; an error counts."""
    for example in EXAMPLES:
        try:
            said = example()
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
        if said:
            return f"{example.__name__}: {said}"
    return None
