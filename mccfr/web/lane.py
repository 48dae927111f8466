"""One solver on the page: advanced compiled, one iteration told in full, and looked at between iterations."""

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.errors import MethodError
from mccfr.evaluate.exact import evaluator_for
from mccfr.kernel.minimisers import Discounted
from mccfr.kernel.witness import Visits
from mccfr.solvers.method import Method
from mccfr.solvers.solver import Solver, measuring_points
from mccfr.strategy.strategy import normalised
from mccfr.web.equilibria import nearest
from mccfr.web.narrator import Narrator
from mccfr.web.scene import DRAWN, Scene
from mccfr.web.sweep_trace import trace_sweep
from mccfr.web.trace import MOST_EVENTS, TooLong, trace_walks

CHEAP = 0.02  # seconds: an exploitability that takes no longer is measured for every frame
SHARE = 0.1  # of the time spent solving may go into measuring, after
FREE = 2.0  # seconds of it
MOST_CARDS = 200
FURTHEST = 2_000_000  # iterations of a method that keeps a number for each
GROWTH = 1.05  # from one point of the curve to the next: finer than in a run, for people watch it

Floats = npt.NDArray[np.float64]


class Lane:
    """A method at work on a game from a seed."""

    def __init__(self, scene: Scene, method: Method, seed: int) -> None:
        self.scene, self.method, self.seed = scene, method, seed
        self.narrator = Narrator(method)
        self.restart()

    def restart(self) -> None:
        """Back to iteration 0."""
        self.solver = Solver(self.scene.tree, self.method, self.seed)
        self.engine = self.solver.engine
        self.visits = self._count_visits()
        self.evaluator = evaluator_for(self.scene.tree)
        self.curve: list[tuple[int, int, float, float]] = []
        self.averages: list[list[float]] = []  # iteration and average strategy, where the curve has its points
        self.trace: dict[str, Any] | None = None
        self.before: dict[str, Any] | None = None  # the state from which the traced iteration began
        self.updated: set[int] = set()
        self.expected: dict[int, Any] = {}  # player: mean of what the told iteration might have added
        self._measuring, self._costs = 0.0, 0.0
        self._points = measuring_points(0, float("inf"), GROWTH)
        self._next = next(self._points)
        self._sent = 0
        self._last: tuple[int, float] | None = None
        self._traced_cost = 0.0
        self.untold = self._why_untold()
        self.engine.run(0)  # compiles
        self.exploitability()
        self.exploitability()  # now that it is compiled: what does measuring cost?
        self._measuring = 0.0

    @property
    def iterations(self) -> int:
        """Iterations done."""
        return self.solver.iterations

    def within(self, seconds: float) -> int:
        """How many iterations fit into so much time, going by those done: at least one, at most twice as many."""
        n, took = self.iterations, self.solver.seconds
        return max(1, min(int(seconds * n / took), n)) if n and took > 0.0 else 1

    def advance(self, goal: int) -> None:
        """On to iteration `goal`; measures where the curve has its points."""
        self._require_near(goal)
        self.trace, self.updated = None, set()
        while self.iterations < goal:
            self.solver.run(min(goal, self._next) - self.iterations)
            self._measure_if_due()

    def tell(self) -> None:
        """One iteration more, with everything it does written down; the arrays are those of a compiled one."""
        self._require_near(self.iterations + 1)
        began = time.perf_counter()
        self.expected = {}
        earlier = self.figures()
        self.before = {n: np.copy(v) if isinstance(v, np.ndarray) else v for n, v in self.solver.state.items()}
        self.trace = self._told() if self.untold is None else None
        if self.trace is None:
            self.solver.run(1)
            self.trace = {"iteration": self.iterations, "walks": [], "note": self.untold}
        self.updated = self.trace.pop("updated", set())
        self.trace["earlier"] = earlier
        self._traced_cost = time.perf_counter() - began
        self._measure_if_due()

    def _require_near(self, goal: int) -> None:
        """Refuse what memory would not suffice for."""
        if goal > FURTHEST and self.method.samples and isinstance(self.method.minimiser, Discounted):
            raise MethodError(
                f"{self.method} stores numbers for every iteration, so the page goes up to {FURTHEST:,}, "
                "and further with weighted instead of discounted"
            )

    def _told(self) -> dict[str, Any] | None:
        """The next iteration; none, and nothing changed, if it turns out too long to tell."""
        assert self.before is not None
        if self.engine.full_width:
            self.solver.run(1)
            return trace_sweep(self.scene, self.engine, self.before)
        assert self.visits is not None
        counted = [array.copy() for array in self.visits]
        try:
            return trace_walks(self.scene, self.engine, self.visits, self.narrator)
        except TooLong:
            self.solver.restore(self.before)
            for array, kept in zip(self.visits, counted):
                array[:] = kept
            self.untold = f"An iteration of {self.method} takes more than {MOST_EVENTS:,} steps here: too many to show."
            return None

    @property
    def quick_to_tell(self) -> bool:
        """Whether an iteration can be told for every frame while playing."""
        return self._traced_cost < CHEAP

    def _measure_if_due(self) -> None:
        if self.iterations < self._next:
            return
        if self._measuring < FREE + SHARE * self.solver.seconds:
            self.curve.append((self.iterations, self.solver.touched, self.solver.seconds, self.exploitability()))
            if self.scene.charts is not None:
                self.averages.append([self.iterations, *self.average().tolist()])
        while self._next <= self.iterations:
            self._next = next(self._points)

    def exploitability(self) -> float:
        """Of the average strategy now."""
        began = time.perf_counter()
        found = self.evaluator.nash_conv(self.engine.weights()) / 2
        self._costs = time.perf_counter() - began
        self._measuring += self._costs
        self._last = self.iterations, found
        return found

    def measured(self) -> tuple[int, float]:
        """The newest exploitability and its iteration; measured now if that is cheap."""
        if self._last is None or (self._last[0] != self.iterations and self._costs < CHEAP):
            self.exploitability()
        assert self._last is not None
        return self._last

    def average(self) -> Floats:
        """The average strategy."""
        return normalised(self.scene.tree.infosets, self.engine.weights())[0]

    def frame(self, view: "Any", whole: bool) -> dict[str, Any]:
        """What the page is told about this lane; the curve's new points, or all."""
        average = self.average()
        news = slice(0 if whole else self._sent, None)
        self._sent = len(self.curve)
        return {
            "iteration": self.iterations,
            **self.figures(),
            "seconds": self.solver.seconds,
            "expected_value": float(self.evaluator.value(average)) + self.scene.tree.constant / 2,
            "curve": [list(point) for point in self.curve[news]],
            "averages": None if self.scene.charts is None else self.averages[news],
            "average": None if self.scene.charts is None else average.tolist(),
            "cards": self.cards(view, average),
            "equilibrium": nearest(self.scene.tree.infosets, average)._asdict() if self.scene.family else None,
            "trace": self.trace,
        }

    def figures(self) -> dict[str, Any]:
        """What is counted and measured: of the moment, and kept beside a told iteration as of its beginning."""
        at, exploitability = self.measured()
        seen, deals = self._seen()
        return {
            "walks": 2 * self.iterations,
            "touched": self.solver.touched,
            "infosets_seen": seen,
            "deals_seen": deals,
            "exploitability": exploitability,
            "exploitability_at": at,
            "nash_conv": 2 * exploitability,
        }

    def _seen(self) -> tuple[int | None, int | None]:
        """How many infosets and deals have been met."""
        if self.visits is None:
            if self.engine.full_width and self.scene.walks:
                everything = self.iterations > 0
                return len(self.scene.tree.infosets) * everything, self.scene.tree.deal_count * everything
            return None, None
        infosets, tree = int(np.count_nonzero(self.visits.rows)), self.scene.tree
        return infosets, int(np.count_nonzero(self.visits.nodes[tree.written.openings])) if self.scene.walks else None

    def cards(self, view: "Any", average: Floats) -> dict[str, Any]:
        """The infosets of a view."""
        if view.group is not None and self.scene.atlas.groups:
            return self.grid(view, average)
        chosen = self.chosen(view)
        end = view.offset + min(view.limit, MOST_CARDS)
        return {
            "total": len(chosen),
            "offset": view.offset,
            "items": [self.card(j, average) for j in chosen[view.offset : end]],
        }

    def grid(self, view: "Any", average: Floats) -> dict[str, Any]:
        """The infosets of a group, or those that are searched for, with their rows and columns."""
        atlas = self.scene.atlas
        known = atlas.groups[min(view.group, len(atlas.groups) - 1)]
        group = atlas.matching(view.filter, view.player) if view.filter else known
        return {
            "total": len(group.cells) if view.filter else len(self.scene.tree.infosets),
            "offset": 0,
            "items": [{**self.card(j, average), "row": row, "column": column} for j, row, column in group.cells],
            "layout": {"title": group.title, "rows": group.rows, "columns": group.columns},
        }

    def chosen(self, view: "Any") -> list[int]:
        """Numbers of the infosets that a view asks for."""
        infosets = self.scene.tree.infosets
        mine = range(len(infosets)) if view.player is None else infosets.of(view.player)
        wanted = view.filter.lower()
        return [j for j in self.scene.order if j in mine and (not wanted or wanted in infosets.labels[j].lower())]

    def card(self, j: int, average: Floats) -> dict[str, Any]:
        """One infoset."""
        infosets = self.scene.tree.infosets
        entries = slice(int(infosets.row[j]), int(infosets.row[j + 1]))
        return {
            "player": infosets.owner(j),
            "label": infosets.labels[j],
            "reads": self.scene.reading(j),
            "actions": list(infosets.actions(j)),
            "regret": self.engine.regrets()[entries].tolist(),
            "current": self.engine.current()[entries].tolist(),
            "average": average[entries].tolist(),
            "visits": self._visited(entries.start),
            "updated": j in self.updated,
        }

    def _visited(self, row: int) -> int | None:
        if self.visits is not None:
            return int(self.visits.rows[row])
        return self.iterations if self.engine.full_width and self.scene.walks else None

    def _count_visits(self) -> Visits | None:
        """Let walks count; full-width methods visit everything, and vector forms have no walk."""
        tree = self.scene.tree
        counts = Visits(np.zeros(len(tree), np.uint64), np.zeros(tree.infosets.entries, np.uint64))
        return counts if self.engine.attend(counts) else None

    def _why_untold(self) -> str | None:
        """Why iterations cannot be told, if they cannot."""
        if not self.scene.walks:
            return "There is no view of a walk here: in a dealt game one public node stands for all hands at once."
        nodes = len(self.scene.tree)
        if self.engine.full_width and nodes > DRAWN:
            return f"A full-width iteration visits all {nodes:,} nodes: too many to show; the cards are exact."
        return None
