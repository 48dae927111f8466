"""The game as one linear programme over realisation plans. [Koller, Megiddo, von Stengel 1996]

    maximise  f'q      subject to   E x = e,  F'q <= A'x,  x >= 0

x: player 0's realisation plan; q: the value of each infoset of player 1 (the first entry: of the game).
The optimal plan of player 1 is the dual of the inequality.

HiGHS has absolute tolerances, so it gets the game in units in which about 1 is at stake. What comes back is measured.
Where a tolerance shows, the programme is solved again for the difference, magnified.
[Gleixner, Steffy, Wolter 2016] Where that does not help, CFR+ is tried, and somebody told.
"""

import dataclasses
import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import linprog

from mccfr.evaluate.exact import Evaluator
from mccfr.kernel import layout
from mccfr.kernel.histories import trace_chance
from mccfr.kernel.layout import Side
from mccfr.solvers.engines import SweepEngine
from mccfr.solvers.full_width_words import cfr_plus
from mccfr.strategy.strategy import normalised, uniform_probabilities
from mccfr.tree.history_tree import HistoryTree
from mccfr.tree.sequences import SequenceForm

Floats = npt.NDArray[np.float64]

INTERIOR_POINT_FROM = 20_000  # payoffs; above, the interior point method with crossover is several times faster
LOOSE, TIGHT = 1e-7, 1e-10  # tolerances: the usual one, and the tightest that HiGHS takes
EXACT = 1e-9  # exploitability, of what is at stake, that is passed on without a word
REFINED = 1e-11  # what is better than this is not refined
REFINEMENTS = 4
SWEEPS = 2**14  # of CFR+, if all else fails


class Profile(NamedTuple):
    """Probabilities of every entry, and its exploitability as a share of what is at stake."""

    probabilities: Floats
    gap: float


def solve_lp(tree: HistoryTree, tell: Callable[[str], None] = warnings.warn) -> Floats:
    """An equilibrium, as probabilities of every entry; infosets a plan never reaches play uniformly.

    tell: hears one line if the linear programme was not exact.
    """
    unit = in_its_own_units(tree)
    if unit is None:
        return uniform_probabilities(tree.infosets)
    found = _solve(unit)
    if found.gap > EXACT:
        swept = _sweep(unit, SWEEPS)
        tell(f"{_blame(found)}; cfr_plus left {swept.gap:.2g} after up to {SWEEPS:,} iterations; the better was taken")
        found = min(found, swept, key=lambda profile: profile.gap)
    return found.probabilities


def _blame(found: Profile) -> str:
    if found.gap == np.inf:
        return "the linear programme was not solved"
    return f"the linear programme was not exact: it left an exploitability of {found.gap:.2g} of what is at stake"


def in_its_own_units(tree: HistoryTree) -> HistoryTree | None:
    """The same game with other payoffs, in which about 1 is at stake; None if nothing is.

    What is at stake is judged by sizes of payoffs, with their chances: a billion that comes once in a billion games
    counts 1. Payoffs that all have one sign are first shifted, which changes no strategy. The scale is a power of 2,
    which changes no digit.
    """
    ends = np.flatnonzero(tree.nodes[layout.KIND :: 4] == int(layout.TERMINAL))
    reach = np.empty(len(tree))
    trace_chance(tree.nodes, tree.odds, reach)
    ends = ends[reach[ends] > 0.0]
    paid = tree.reals[::2][ends]
    low, high = paid.min(), paid.max()
    if low == high:
        return None
    if low > 0.0 or high < 0.0:
        paid = paid - (low / 2 + high / 2)
    tree = _with_payoffs(tree, ends, _about_one(paid, np.abs(paid).max()))
    stake, _ = _at_stake(tree)
    return _with_payoffs(tree, ends, _about_one(tree.reals[::2][ends], stake))


def _about_one(values: Floats, size: float) -> Floats:
    return np.asarray(np.ldexp(values, -np.frexp(size)[1]))


def _with_payoffs(tree: HistoryTree, ends: npt.NDArray[np.int64], paid: Floats) -> HistoryTree:
    """The tree with these payoffs at these endings; the others, which chance never lets happen, pay 0."""
    nodes = tree.nodes.copy()
    values = nodes.view(np.float64)
    values[2 * np.flatnonzero(nodes[layout.KIND :: 4] == int(layout.TERMINAL))] = 0.0
    values[2 * ends] = paid
    return dataclasses.replace(tree, nodes=nodes)


def _at_stake(tree: HistoryTree) -> tuple[float, list[Floats]]:
    """The most that payoffs could come to, all taken as positive, for a player whose opponent plays uniformly.

    Also for each player what every sequence adds to that, with the best that can follow it.
    """
    evaluator = Evaluator(tree)
    evaluator.form = SequenceForm(*(side._replace(worth=np.abs(side.worth)) for side in tree.sequence_form))
    evaluator.load(uniform_probabilities(tree.infosets))
    return max(evaluator.best_response(player) for player in (0, 1)), evaluator.gains


class _Programme:
    """The linear programme of a game in its own units, with the slack of F'q <= A'x written out.

    fine: rows, values and slacks of an infoset are in units of what is at stake there. Rare events of chance make small
    numbers, and HiGHS takes entries below 1e-9 for 0. That and a tight tolerance can take three times as long.
    """

    def __init__(self, tree: HistoryTree, fine: bool) -> None:
        self.tree, self.form, self.evaluator = tree, tree.sequence_form, Evaluator(tree)
        payoffs = self.form.payoffs
        E, F = _constraints(self.form.first), _constraints(self.form.second)
        self.x, self.q, self.slack = payoffs.shape[0], F.shape[0], payoffs.shape[1]
        rows = sparse.block_array([[E, None, None], [-payoffs.T, F.T, sparse.eye_array(self.slack)]], format="csr")
        self.tolerance = TIGHT if fine else LOOSE
        value, slack = (
            _units(self.form.second, _at_stake(tree)[1][1]) if fine else (np.ones(self.q), np.ones(self.slack))
        )
        self.units = np.concatenate((np.ones(self.x), value, slack))
        self.row_units = np.concatenate((np.ones(E.shape[0]), 1.0 / slack))
        self.rows = sparse.diags_array(self.row_units) @ rows @ sparse.diags_array(self.units)
        self.plan_rows = E.shape[0]

    def solve(self, method: str) -> Profile | None:
        """What HiGHS finds by this method, if it finds anything."""
        cost = np.zeros(self.x + self.q + self.slack)
        cost[self.x] = -1.0
        right = np.zeros(self.rows.shape[0])
        right[0] = 1.0
        found = self._optimum(method, cost, np.zeros(self.x), np.zeros(self.slack), right)
        return None if found is None else self._profile(*found)

    def refine(self, method: str, found: Profile) -> Profile | None:
        """Solve for the difference to the optimum, seen under a magnifying glass.

        Both plans and both players' best values are feasible; what is left is that plans use sequences that are worse
        than the best (slack). In terms of the differences d and s of x and its slack, both magnified:

            minimise  slack_0 d + y s   subject to  E d = 0,  F'p - A'd + s = 0,  d >= -x,  s >= -slack_1
        """
        zoom = 1.0 / found.gap
        self.evaluator.load(found.probabilities)
        slack = []
        for player, side in enumerate(self.form):
            self.evaluator.best_response(player)
            slack.append(_short_of_best(side, self.evaluator.gains[player]))
        x, y = self.evaluator.plans
        cost = zoom * np.concatenate((slack[0], np.zeros(self.q), y))
        step = self._optimum(method, cost, -zoom * x, -zoom * slack[1], np.zeros(self.rows.shape[0]))
        return None if step is None else self._profile(x + step[0] / zoom, y + step[1] / zoom)

    def _optimum(
        self, method: str, cost: Floats, x: Floats, slack: Floats, right: Floats
    ) -> tuple[Floats, Floats] | None:
        """The plan of player 0 and of player 1, or None if HiGHS found none; x and slack: their lower bounds."""
        low = np.concatenate((x, np.full(self.q, -np.inf), slack)) / self.units
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what it has to say about numbers is measured afterwards
            result = linprog(
                self.units * cost,
                A_eq=self.rows,
                b_eq=self.row_units * right,
                bounds=np.column_stack((low, np.full(len(low), np.inf))),
                method=method,
                options=dict.fromkeys(("primal_feasibility_tolerance", "dual_feasibility_tolerance"), self.tolerance),
            )
        if result.x is None or result.eqlin.marginals is None:
            return None
        plans = self.units * result.x, -self.row_units * result.eqlin.marginals
        return plans[0][: self.x], plans[1][self.plan_rows :]

    def _profile(self, first: Floats, second: Floats) -> Profile:
        probabilities = uniform_probabilities(self.tree.infosets)
        for side, plan in zip(self.form, (first, second)):
            _behave(side, np.clip(np.nan_to_num(plan), 0, None), probabilities)
        return self._measured(probabilities)

    def _measured(self, probabilities: Floats) -> Profile:
        return Profile(probabilities, self.evaluator.nash_conv(probabilities) / 2)


def _solve(tree: HistoryTree) -> Profile:
    """The best that linear programmes find; the quick one is nearly always exact."""
    one, other = "highs-ds", "highs-ipm"
    if len(tree.sequence_form.first.worth) >= INTERIOR_POINT_FROM:
        one, other = other, one
    best = Profile(uniform_probabilities(tree.infosets), np.inf)
    for fine, method in ((False, one), (True, one), (True, other)):
        best = _better(best, _Programme(tree, fine).solve(method))
        for _ in range(REFINEMENTS):
            if best.gap <= REFINED:
                return best
            if best.gap == np.inf:
                break
            before, best = best, _better(best, _Programme(tree, True).refine(method, best))
            if best.gap > before.gap / 2:
                break
        if fine and best.gap <= EXACT:
            break
    return best


def _better(one: Profile, other: Profile | None) -> Profile:
    return one if other is None or not other.gap < one.gap else other


def _sweep(tree: HistoryTree, most: int) -> Profile:
    """CFR+ until it is exact, for so many iterations at most."""
    engine, evaluator = SweepEngine(tree, cfr_plus()), Evaluator(tree)
    gap, n = np.inf, 128
    while gap > EXACT and n <= most:
        engine.run(n - int(engine.clock[0]))
        gap, n = evaluator.nash_conv(engine.weights()) / 2, 2 * n
    return Profile(normalised(tree.infosets, engine.weights())[0], gap)


def _units(side: Side, stake: Floats) -> tuple[Floats, Floats]:
    """Powers of 2 near what is at stake at every infoset (the game first), and at the infoset of every sequence."""
    row = side.row.astype(np.int64)
    most = np.maximum.reduceat(stake, row[:-1]) if len(row) > 1 else np.empty(0)
    units = np.exp2(np.rint(np.log2(np.where(most > 0.0, most, 1.0))))
    return np.concatenate(([1.0], units)), np.concatenate(([1.0], np.repeat(units, np.diff(row))))


def _short_of_best(side: Side, gain: Floats) -> Floats:
    """How much less each sequence is worth than the best of its infoset; the empty one is the best of its own."""
    row = side.row.astype(np.int64)
    short = np.zeros(len(gain))
    if len(row) > 1:
        short[1:] = np.repeat(np.maximum.reduceat(gain, row[:-1]), np.diff(row)) - gain[1:]
    return short


def _constraints(side: Side) -> sparse.csr_array:
    """E: the empty sequence has probability 1, and the sequences of an infoset sum to the one before it."""
    infosets, sequences = len(side.parent), int(side.row[-1])
    arity = side.row[1:].astype(np.int64) - side.row[:-1]
    rows: npt.NDArray[np.int64] = np.concatenate(
        ([0], 1 + np.arange(infosets), 1 + np.repeat(np.arange(infosets), arity))
    )
    columns = np.concatenate(([0], side.parent, np.arange(1, sequences)))
    signs = np.concatenate(([1.0], -np.ones(infosets), np.ones(sequences - 1)))
    return sparse.csr_array((signs, (rows, columns)), shape=(infosets + 1, sequences))


def _behave(side: Side, plan: Floats, probabilities: Floats) -> None:
    """Realisation plan to behaviour: each infoset's sequences divided by their sum, where that is not negligible."""
    base = int(side.base)
    row = side.row.astype(np.int64)
    for j in range(len(side.parent)):
        mine = plan[row[j] : row[j + 1]]
        total = mine.sum()
        if total > 1e-12:
            probabilities[base + row[j] - 1 : base + row[j + 1] - 1] = mine / total
