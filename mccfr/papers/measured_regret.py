"""The average regret of both players, exactly: every strategy that was played counts once.

R_i^T / T = max over s of 1/T sum over t of u_i(s, sigma_-i^t) - u_i(sigma_i^t, sigma_-i^t)

Utilities are linear in the opponent's realisation plan, so the maximum is the value of a best response to the mean of
the plans. Sampled averages play no part in this.
"""

import mccfr
from mccfr.jobs.statistics import Floats
from mccfr.kernel.layout import Table
from mccfr.kernel.sequence_form import BestValue, plan_for, realise, respond


class RegretMeter:
    """Runs a solver one iteration at a time and keeps what its regrets are made of.

    Player i's regret is against the strategies that its own updates met. With alternating updates, player 1 answers the
    strategy that player 0 has just renewed, so player 1 meets sigma_0^(t+1) in iteration t; with simultaneous ones,
    sigma_0^t. The theorems hold for any sequence of opponents.
    """

    def __init__(self, solver: mccfr.Solver) -> None:
        from scipy.sparse import csr_array

        self.engine, self.form = solver.engine, solver.tree.written.sequence_form
        first, sizes = self.form.first, [len(plan_for(side)) for side in self.form]
        self.payoffs = csr_array((first.worth, first.other, first.start), shape=sizes)  # to player 0, by both sequences
        self.iterations = 0
        self.met = [plan_for(side) for side in self.form]  # sums of each player's plans, as the other one met them
        self.earned = [0.0, 0.0]  # sums of what each player got
        self.plans = self._plans()

    def run(self, iterations: int) -> None:
        """So many iterations more."""
        for _ in range(iterations):
            (own, other), (answered, later) = self.plans, self._iterate()
            self.plans = answered, later
            first = own if self.engine.changes_at_end else answered  # what player 1 met
            self.met[0] += first
            self.met[1] += other
            columns = self.payoffs @ other
            self.earned[0] += float(own @ columns)
            self.earned[1] -= float(first @ columns)
            self.iterations += 1

    def average_regrets(self) -> tuple[float, float]:
        """R_i^T / T of player 0 and of player 1."""
        return self._regret(0), self._regret(1)

    def _regret(self, player: int) -> float:
        side, nothing = self.form.side(player), plan_for(self.form.side(player))
        table = Table(self.engine.current(), *([self.engine.current()] * 2))  # only its type matters here
        best = respond(BestValue(), side, table, nothing, self.met[1 - player] / self.iterations, nothing.copy())
        return float(best) - self.earned[player] / self.iterations

    def _iterate(self) -> tuple[Floats, Floats]:
        self.engine.run(1)
        return self._plans()

    def _plans(self) -> tuple[Floats, Floats]:
        """Realisation plans of the current strategies."""
        current = self.engine.current()
        table, plans = Table(current, current, current), [plan_for(side) for side in self.form]
        for side, plan in zip(self.form, plans):
            realise(side, table, plan)
        return plans[0], plans[1]
