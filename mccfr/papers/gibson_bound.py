"""Gibson et al. 2012, after theorem 2: sqrt(Var) <= sqrt(2) max(Delta~, Delta) in MCCFR."""

from typing import Any

import numpy as np

import mccfr
from mccfr.jobs import plot_style
from mccfr.papers import curves
from mccfr.papers.figure import NOT, REPRODUCED, Claim, Done, Figure, Job, Report, Rows, Scale, seeded_jobs
from mccfr.papers.gibson_variance import SCHEME

# Samplers, with the least probability of visiting one own action out of k.
SAMPLERS = {
    "external": lambda k: 1.0,
    "outcome(epsilon=0.6)": lambda k: 0.6 / k,
    "robust(k=1)": lambda k: 1.0 / k,
    SCHEME: lambda k: 0.5 if k > 2 else 1.0,
}
TRAINED = (0, 100)  # iterations of CFR behind the strategy
COLUMNS = ("game", "sampler", "trained", "deviation", "delta", "delta_sampled", "share_of_bound")


def deviations(game: str, method: str, trained: int, walks: int, seed: int) -> dict[str, Any]:
    """The largest standard deviation of a sampled regret over infosets and actions, and what bounds it."""
    from mccfr.papers.frozen_walks import FrozenWalks

    solver = mccfr.Solver(game, "cfr").run(trained)
    recorder = FrozenWalks(solver.tree, method, solver.state["current"], seed)
    largest = max(float(recorder.regrets(walks, player)[1].max()) for player in (0, 1))
    delta = float(np.ptp(_payoffs(solver.tree)))
    return {"deviation": largest**0.5, "delta": delta, "delta_sampled": delta / _least_reach(solver.tree, method)}


def _payoffs(tree: mccfr.Tree) -> Any:
    from mccfr.kernel.layout import KIND, TERMINAL

    return tree.written.reals[::2][tree.nodes[KIND::4] == int(TERMINAL)]


def _least_reach(tree: mccfr.Tree, method: str) -> float:
    """The least probability with which own sampling lets a walk come anywhere: min q_i(z)."""
    infosets = tree.infosets
    reach = np.ones(infosets.entries + 1)  # of every entry; the last is for "nothing played yet", entry -1
    for j in range(len(infosets)):
        row = slice(infosets.row[j], infosets.row[j + 1])
        reach[row] = reach[infosets.parent[j]] * SAMPLERS[method](int(infosets.arity[j]))
    return float(reach.min())


def _jobs(scale: Scale) -> list[Job]:
    variants = [
        {"game": game, "method": method, "trained": trained, "walks": scale.samples}
        for game in scale.games
        for method in SAMPLERS
        for trained in TRAINED
    ]
    return seeded_jobs(deviations, scale.seeds, variants)


def _share(result: dict[str, Any]) -> float:
    """sqrt(Var) as a share of its bound."""
    return float(result["deviation"] / (2**0.5 * max(result["delta_sampled"], result["delta"])))


def _report(scale: Scale, done: list[Done]) -> Report:
    rows = [
        (*(a[key] for key in ("game", "method", "trained")), *(f"{x:.6g}" for x in (*result.values(), _share(result))))
        for a, result, _ in done
    ]
    claims = []
    for game in scale.games:
        shares = [_share(result) for arguments, result, _ in done if arguments["game"] == game]
        text = f"sqrt(Var) <= sqrt(2) max(Delta~, Delta) in {game}: sqrt(Var) over its bound, {len(shares)} cases"
        verdict = REPRODUCED if max(shares) <= 1.0 else NOT
        claims.append(Claim("G6", text, "at most 1", f"{min(shares):.3g} to {max(shares):.3g}", verdict))
    return Report(COLUMNS, rows, claims)


def _draw(rows: Rows, axes: Any) -> None:
    for number, name in enumerate(dict.fromkeys(row["sampler"] for row in rows)):
        mine = [row for row in rows if row["sampler"] == name]
        deviations, whole, sampled = curves.columns_of(mine, "deviation", "delta", "delta_sampled")
        axes.scatter(2**0.5 * np.maximum(whole, sampled), deviations, label=name, color=plot_style.COLOURS[number])
    axes.axline((10.0, 10.0), (100.0, 100.0), color="black", linewidth=0.8)
    axes.set(xscale="log", yscale="log", xlabel="bound: sqrt(2) max(Delta~, Delta)", ylabel="sqrt(Var)")


FIGURE = Figure(
    "gibson2012-g6",
    "Variance of sampled regrets and its bound",
    "Gibson et al. 2012, below theorem 2",
    Scale("1 minute", 1, games=("kuhn", "leduc", "goofspiel(n=4)"), samples=300_000),
    Scale("1 minute", 3, games=("kuhn", "leduc", "goofspiel(n=4)"), samples=3_000_000),
    _jobs,
    _report,
    "Var is the largest sample variance of a regret over both players' infosets and actions, under the uniform "
    "strategy and under one of 100 iterations of CFR. Delta is the range of payoffs and Delta~ = Delta / min "
    "q_i(z), computed from the samplers' laws and not from the samples, so a walk that divided by a wrong number "
    "would be noticed.",
    _draw,
)
