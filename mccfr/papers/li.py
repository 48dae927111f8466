"""What the figures of Li et al. 2020 share: sampling in no-limit preflop hold'em, in vector and other forms."""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from mccfr.jobs import plot_style
from mccfr.papers import curves
from mccfr.papers.curves import Runs
from mccfr.papers.figure import Claim, Done, Figure, Job, Report, Rows, Scale, seeded_jobs

SOURCE = "Li et al. 2020"
BIG_BLIND = 100  # chips
SETTING = (
    "The game is `nlph`: 169 classes of hands, which loses nothing. In means, a class counts as many times as it "
    "has hands. An iteration is one walk for each player. Exploitability is in chips per game, half the sum of what "
    "both players could gain: 1 chip is 10 mbb/g. Nodes are public nodes, however many hands are evaluated there; "
    "for walks with one pair of hands they are the nodes of those walks. Seconds are CPU time of one thread. Means "
    "are geometric."
)

Claims = Callable[[dict[str, Runs]], list[Claim]]
Style = Callable[[str], dict[str, Any]]


def explored(law: str, how: str) -> str:
    """A law without exploration, epsilon-greedy (with alpha_t, or 0.1), or by counts."""
    return {
        "none": law,
        "epsilon": f"epsilon_greedy({law})",
        "epsilon 0.1": f"epsilon_greedy({law}, 0.1)",
        "counts": f"counts({law})",
    }[how]


def vector(own: str, other: str, *, exhibit: bool = False) -> str:
    """A vector method by the policies at both players' nodes; `exhibit`: one that is biased for want of exploring."""
    return f"vector(own={own}, other={other}{', exhibit=True' if exhibit else ''})"


def in_chips(value: float) -> str:
    """A loss in both units."""
    return f"{value:.3g} chips ({value * 1000 / BIG_BLIND:.3g} mbb/g)"


class Plan(NamedTuple):
    """A figure of curves by their names. again: those to run on the second game of a scale, too, for its seconds."""

    name: str
    title: str
    methods: dict[str, str]
    claims: Claims
    style: Style
    remarks: str
    quick: Scale
    full: Scale
    again: dict[str, str] = {}  # noqa: RUF012  never changed

    @property
    def source(self) -> str:
        """Where the paper has it."""
        return f"{SOURCE}, figure {self.name.removeprefix('fig')}"


def figure(plan: Plan) -> Figure:
    """The figure of a plan."""

    def jobs(scale: Scale) -> list[Job]:
        return jobs_of(scale, [*plan.methods.values()], [*plan.again.values()])

    def report(scale: Scale, done: list[Done]) -> Report:
        names = {(scale.games[0], method): curve for curve, method in plan.methods.items()}
        names |= {(game, method): curve for game in scale.games[1:] for curve, method in plan.again.items()}
        found = curves.gather(done, lambda a: names[a["game"], a["method"]])
        return Report(curves.COLUMNS, curves.rows(found), plan.claims(found))

    name, setting = f"li2020-{plan.name}", f"{SETTING} {plan.remarks}"
    draw = functools.partial(draw_curves, plan.style)
    return Figure(name, plan.title, plan.source, plan.quick, plan.full, jobs, report, setting, draw)


def jobs_of(scale: Scale, methods: list[str], again: list[str]) -> list[Job]:
    """Runs of all methods on the first game, after those of some on the others, which end by the clock."""
    common = {"iterations": scale.iterations, "start": 10}
    first, *second = scale.games
    timed = [{"game": game, "method": m, "seconds": scale.seconds, **common} for game in second for m in again]
    usual = [{"game": first, "method": m, **common} for m in methods]
    return [job for some in (timed, usual) for job in seeded_jobs(curves.converge, scale.seeds, some)]


def draw_curves(style: Style, rows: Rows, axes: Any) -> None:
    """Means over seeds, without bands, which would hide each other; chips on the left, mbb/g on the right."""
    draw_means(style, rows, axes)
    axes.set(ylabel="exploitability, chips per game")
    add_mbb(axes)


def draw_means(style: Style, rows: Rows, axes: Any) -> None:
    """A line for each curve."""
    for number, name in enumerate(dict.fromkeys(row["curve"] for row in rows)):
        xs, means = curves.columns_of([row for row in rows if row["curve"] == name], "iterations", "exploitability")
        axes.plot(xs, means, **{"label": name, **plot_style.line(number), "linewidth": 1.3, **style(name)})
    axes.set(xscale="log", yscale="log", xlabel="iterations")


def add_mbb(axes: Any) -> None:
    """A second axis, on the right, in the other unit."""
    per_chip = 1000 / BIG_BLIND
    right = axes.secondary_yaxis("right", functions=(lambda y: y * per_chip, lambda y: y / per_chip))
    right.set_ylabel("mbb/g")
