"""Gibson et al. 2012, figure 3c: probing converges faster in limit hold'em through ten buckets a street."""

from typing import Any

from mccfr.papers import curves
from mccfr.papers.curves import Runs
from mccfr.papers.figure import Claim, Done, Figure, Job, Report, Rows, Scale, seeded_jobs
from mccfr.papers.gibson_probing import UNLIMITED, Published, claims

SCHEME = "include(0.5,always='fold bet raise')"
HOLDEM = Published("G4", 0.18, True, {"MCCFR": SCHEME, "probing": f"{SCHEME}+probe"}, {"start": 10_000})
BIG_BLIND = 2  # chips


def _jobs(scale: Scale) -> list[Job]:
    limits = {"iterations": scale.iterations or UNLIMITED, "seconds": scale.seconds, **HOLDEM.points}
    limits["per_decade"] = 4 if len(scale.games) > 1 else 2  # a measurement with ten buckets takes a minute
    variants = [{"game": g, "method": m, **limits} for g in scale.games for m in HOLDEM.methods.values()]
    return seeded_jobs(curves.converge, scale.seeds, variants)


def _report(scale: Scale, done: list[Done]) -> Report:
    names = {method: name for name, method in HOLDEM.methods.items()}
    rows: list[tuple[Any, ...]] = []
    found: list[Claim] = []
    for game in scale.games:
        mine = [each for each in done if each.arguments["game"] == game]
        runs = curves.gather(mine, lambda arguments: names[arguments["method"]])
        found += claims(HOLDEM, game, runs)
        rows += curves.rows(_named(game, runs) if len(scale.games) > 1 else runs)
    return Report(curves.COLUMNS, rows, found)


def _named(game: str, runs: dict[str, Runs]) -> dict[str, Runs]:
    """Curves with their number of buckets."""
    buckets = game.partition("ehs2(")[2].partition(")")[0]
    return {f"{name}, {buckets} buckets": each for name, each in runs.items()}


def _draw(rows: Rows, axes: Any) -> None:
    curves.draw(rows, axes, "seconds", "CPU seconds")


FIGURE_3C = Figure(
    "gibson2012-fig3c",
    "MCCFR and probing over time, limit hold'em through buckets",
    "Gibson et al. 2012, figure 3c",
    Scale("8 minutes", 5, games=tuple(f"holdem(limit, ehs2({n}))" for n in (2, 3, 5)), seconds=8),
    Scale("10 minutes on 10 cores with 50 GB; --hours for longer", 5, games=("holdem(limit, ehs2(10))",), seconds=240),
    _jobs,
    _report,
    "Fold, bets and raises are always sampled, check and call with probability 1/2: the paper has no checks. "
    "Exploitability is that inside the abstraction, in chips (a big blind is two), for a table of sampled deals: the "
    "same for all runs. Time is the CPU time of one thread, without compilation and evaluation. Buckets are nested "
    "percentiles of E[HS^2]; the paper's ten are made in the same way from cards it does not describe further.",
    _draw,
)
