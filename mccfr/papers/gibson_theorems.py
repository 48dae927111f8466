"""Gibson et al. 2012, theorems 1 and 2 and lemma 1: measured average regret beside its bounds."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import mccfr
from mccfr.jobs import plot_style, statistics
from mccfr.papers import curves
from mccfr.papers.figure import NOT, PARTLY, REPRODUCED, Claim, Done, Figure, Job, Report, Rows, Scale, seeded_jobs
from mccfr.papers.regret_bounds import Constants, lemma_1, theorem_1, theorem_2, vanilla

SWEPT = ("cfr", "cfr+simultaneous")
MCCFR = ("external", "outcome(epsilon=0.6)", "robust(k=1)")
PROBING = {f"{method}+probe": method for method in MCCFR[1:]}  # external sampling leaves nothing to probe
METHODS = (*SWEPT, *MCCFR, *PROBING)
P = 0.05  # bounds hold with probability 1 - P
REGRETS, VARIANCES, TABLE = slice(1, 3), slice(3, 5), 5  # columns of a run after the iterations
KINDS = {"enumerated": True, "tested on samples": False}  # how an audit was done, and whether that is exact
EQUAL = 1e-9  # of variances computed in two ways
DRAWN_AT_LEAST = 1e-6  # regrets may be negative, and have no place on a logarithmic axis then


class Line(NamedTuple):
    """A row of data.csv: one method and player after T iterations; nan where a bound does not apply."""

    game: str
    method: str
    player: int
    iterations: int
    infosets: int  # |I_i|
    m: float  # M_i
    actions: int  # |A_i|
    delta: float  # Delta_i
    spread: float  # Delta~ or Delta^
    variance: float  # Var: the least of all runs, so that bounds are not flattered
    bias: float  # E
    regret: float  # R_i^T / T, mean of all runs
    largest: float  # and the largest of all runs
    earlier: float  # theorem 1, or the bound of vanilla CFR
    earlier_m: float  # the same with M_i
    theorem_2: float
    lemma_1: float


def regrets(game: str, method: str, seed: int, iterations: int) -> dict[str, Any]:
    """At checkpoints: both players' exact average regrets, the largest variances so far, max R+(I, a) / T."""
    from mccfr.papers.measured_regret import RegretMeter

    solver = mccfr.Solver(game, method, seed)
    meter, points, largest = RegretMeter(solver), [], np.zeros(2)
    for stop in curves.checkpoints(1, iterations, 4):
        meter.run(stop - 1 - meter.iterations)
        largest = np.maximum(largest, _largest_variances(solver))
        meter.run(1)
        table = float(solver.engine.regrets().max()) / stop
        points.append([stop, *meter.average_regrets(), *largest.tolist(), table])
    return {"points": points, "constants": [_constants(solver, player) for player in (0, 1)]}


def _largest_variances(solver: mccfr.Solver) -> Any:
    """max over I and a of Var[r^(I, a)] under the current strategy, for each player."""
    from mccfr.auditing.regret_variance import regret_variances

    if solver.engine.full_width:
        return np.zeros(2)
    infosets = solver.tree.infosets
    found = regret_variances(solver.tree.written, solver.method, solver.engine.current())
    return [float(part.max()) for part in np.split(found, [int(infosets.row[infosets.first[1]])])]


def _constants(solver: mccfr.Solver, player: int) -> list[float]:
    from mccfr.papers.regret_bounds import estimate_range, game_constants

    constants = game_constants(solver.tree, player)
    full_width = solver.engine.full_width
    return [*constants, constants.delta if full_width else estimate_range(solver.tree, player, solver.method)]


def audited(game: str, method: str, walks: int) -> dict[str, Any]:
    """The audit of a method: bias, and its largest variance beside that of the recursion under the same strategy."""
    from mccfr.auditing.profiles import mixed_strategy
    from mccfr.auditing.regret_variance import regret_variances
    from mccfr.solvers.method import Method

    tree = mccfr.compile(game)
    row = mccfr.audit(tree, method, iterations=walks).rows[0]
    strategy = mixed_strategy(tree.infosets, np.random.default_rng(0), True)  # the one that the audit freezes
    exact = float(regret_variances(tree.written, Method.parse(method), strategy).max())
    bias = row.deviation if row.exact or row.biased else 0.0
    return {"exact": row.exact, "unbiased": row.unbiased, "bias": bias, "ratio": float(row.variances.max()) / exact}


def _jobs(scale: Scale) -> list[Job]:
    sampled = (*MCCFR, *PROBING)
    audits = [Job(audited, {"game": g, "method": m, "walks": scale.samples}) for g in scale.games for m in sampled]
    runs = {m: [{"game": g, "method": m, "iterations": scale.iterations} for g in scale.games] for m in METHODS}
    swept = seeded_jobs(regrets, 1, [variant for m in SWEPT for variant in runs[m]])
    return audits + swept + seeded_jobs(regrets, scale.seeds, [variant for m in sampled for variant in runs[m]])


Runs = dict[tuple[str, str], list[dict[str, Any]]]  # results by game and method


def _report(scale: Scale, done: list[Done]) -> Report:
    audits = {(a["game"], a["method"]): result for a, result, _ in done if "walks" in a}
    runs: Runs = {}
    for arguments, result, _ in done:
        if "seed" in arguments:
            runs.setdefault((arguments["game"], arguments["method"]), []).append(result)
    lines = []
    for name in ((game, method) for game in scale.games for method in METHODS):
        lines += _lines(*name, runs[name], audits.get(name, {}).get("bias", 0.0))
    rows = [
        tuple(f"{x:.6g}" if isinstance(x, float) else x for x in (*line, _share(line, "theorem_2"))) for line in lines
    ]
    claims = [claim for game in scale.games for claim in _claims(game, lines, runs, audits)]
    return Report((*Line._fields, "largest / theorem_2"), rows, claims)


def _lines(game: str, method: str, results: list[dict[str, Any]], bias: float) -> list[Line]:
    points = np.array([result["points"] for result in results])  # [runs, checkpoints, columns]
    lines = []
    for player in (0, 1):
        *whole, spread = results[0]["constants"][player]
        constants = Constants(*whole)
        for at in range(points.shape[1]):
            t, measured = int(points[0, at, 0]), points[:, at, REGRETS][:, player]
            variance = float(points[:, at, VARIANCES][:, player].min())
            bounds = _bounds(method, constants, spread, variance, bias, t)
            found = float(measured.mean()), float(measured.max())
            lines.append(Line(game, method, player, t, *constants, spread, variance, bias, *found, *bounds))
    return lines


def _bounds(
    method: str, constants: Constants, spread: float, variance: float, bias: float, t: int
) -> tuple[float, float, float, float]:
    if method in SWEPT:
        earlier = [vanilla(constants, t, with_m) for with_m in (False, True)]
    elif method in MCCFR:
        earlier = [theorem_1(constants, spread, P, t, with_m) for with_m in (False, True)]
    else:
        earlier = [math.nan, math.nan]
    new = theorem_2(constants, spread, variance, P, t), lemma_1(constants, spread, variance, bias, P, t)
    return earlier[0], earlier[1], *new


def _share(line: Line, bound: str) -> float:
    return float(line.largest / getattr(line, bound))


def _claims(game: str, lines: Sequence[Line], runs: Runs, audits: dict[tuple[str, str], dict[str, Any]]) -> list[Claim]:
    mine = [line for line in lines if line.game == game]
    sampled = [line for line in mine if line.method not in SWEPT]
    mccfr_lines = [line for line in mine if line.method in MCCFR]
    claims = [
        _audits(game, [audit for name, audit in audits.items() if name[0] == game]),
        bound_kept("G7", f"{game}: theorem 1, MCCFR", mccfr_lines, "earlier"),
        bound_kept("G7", f"{game}: theorem 1 with M_i for the number of infosets, MCCFR", mccfr_lines, "earlier_m"),
        bound_kept("G8", f"{game}: theorem 2, MCCFR and probing", sampled, "theorem_2"),
        bound_kept("G9", f"{game}: lemma 1 with the audited bias, MCCFR and probing", sampled, "lemma_1"),
        *(bound_kept("W6", f"{game}: C_v / sqrt(T), {name}", _of(mine, name), "earlier_m") for name in SWEPT),
        bound_kept("W6", f"{game}: C_es / sqrt(T), external", _of(mine, "external"), "earlier_m"),
        _constants_ordered(game, runs),
        _more_informative(game, mccfr_lines),
    ]
    return claims + [_probing(game, mine, runs, probing, plain) for probing, plain in PROBING.items()]


def _of(lines: Sequence[Line], method: str) -> list[Line]:
    return [line for line in lines if line.method == method]


def bound_kept(id: str, text: str, lines: Sequence[Line], bound: str) -> Claim:
    """Reproduced: no run, player or checkpoint is above the bound."""
    shares = [_share(line, bound) for line in lines]
    end = max(line.iterations for line in lines)
    last = [1.0 / _share(line, bound) for line in lines if line.iterations == end]
    ours = f"at most {max(shares):.2g}; after {end:,} iterations the bound is {_between(last)} times the regret"
    verdict = REPRODUCED if all(share <= 1.0 for share in shares) else NOT
    return Claim(id, f"{text}: largest regret over bound", "at most 1", ours, verdict)


def _between(values: Sequence[float]) -> str:
    low, high = (f"{float(f'{x:.2g}'):,.10g}" for x in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def _audits(game: str, audits: Sequence[dict[str, Any]]) -> Claim:
    """Reproduced: no bias is found, and variances that the audit enumerates are those of the recursion."""
    parts = {name: [audit for audit in audits if audit["exact"] is exact] for name, exact in KINDS.items()}
    ours = "; ".join(f"{name}: {_audited(part)}" for name, part in parts.items() if part)
    good = all(audit["unbiased"] for audit in audits)
    agree = all(abs(audit["ratio"] - 1.0) < EQUAL for audit in parts["enumerated"])
    text = f"{game}: bias of MCCFR and probing; largest variance in the audit over that of the recursion"
    return Claim("G8", text, "0; 1", ours, REPRODUCED if good and agree else NOT)


def _audited(audits: Sequence[dict[str, Any]]) -> str:
    biased = sum(not audit["unbiased"] for audit in audits)
    found = f"{biased} biased" if biased else f"none above {max(audit['bias'] for audit in audits):.1e}"
    told = found if biased or audits[0]["exact"] else "none found"
    return f"{len(audits)} methods, {told}, {_between([audit['ratio'] for audit in audits])}"


def _constants_ordered(game: str, runs: Runs) -> Claim:
    """The constants of max R+(I, a) / T, as they come out at the end."""
    sampled, swept = _table(runs[game, "external"]), _table(runs[game, SWEPT[1]])
    end = runs[game, "external"][0]["points"][-1][0]
    found = [statistics.geometric_mean(values * math.sqrt(end)) for values in (swept, sampled)]
    ratio = statistics.ratio(sampled, np.full(len(sampled), swept[0]))
    text = f"{game}: C_es over C_v, where max R+(I, a) / T = C / sqrt(T) at the end"
    ours = f"{ratio}; C_v {found[0].mean:.3g}, C_es {found[1].mean:.3g}"
    return Claim("W6", text, "above 1", ours, REPRODUCED if ratio.low > 1.0 else NOT)


def _table(results: list[dict[str, Any]]) -> Any:
    return np.array([result["points"][-1][TABLE] for result in results])


def _more_informative(game: str, lines: Sequence[Line]) -> Claim:
    ratios = [line.theorem_2 / line.earlier for line in lines]
    text = f"{game}: bound of theorem 2 over that of theorem 1, MCCFR"
    return Claim("G8", text, "at most 1", _between(ratios), REPRODUCED if max(ratios) <= 1.0 else NOT)


def _probing(game: str, lines: Sequence[Line], runs: Runs, probing: str, plain: str) -> Claim:
    """Reproduced: bound and regret are both lower. Partly: one of them is."""
    end = max(line.iterations for line in lines)
    last = [line for line in lines if line.iterations == end]
    bounds = [max(line.theorem_2 for line in _of(last, name)) for name in (probing, plain)]
    worst = [np.array([max(result["points"][-1][REGRETS]) for result in runs[game, name]]) for name in (probing, plain)]
    measured = statistics.ratio(*worst)
    lower = (bounds[0] < bounds[1]) + (measured.high < 1.0)
    text = f"{game}: {probing} over {plain} at the end: bound of theorem 2; larger regret of both players"
    verdict = (NOT, PARTLY, REPRODUCED)[lower]
    return Claim("G8", text, "below 1; below 1", f"{bounds[0] / bounds[1]:.3g}; {measured}", verdict)


def _draw(rows: Rows, axes: Any) -> None:
    """A panel for each game: regrets solid, their bounds dashed, of the player who has more of either."""
    games = list(dict.fromkeys(row["game"] for row in rows))
    for game, panel in zip(games, plot_style.panels(axes, games)):
        _draw_game([row for row in rows if row["game"] == game], panel)
        panel.set(xscale="log", yscale="log", xlabel="iterations")
    axes.set_ylabel("average regret (solid), theorem 2 (dashed)")


def _draw_game(rows: Rows, panel: Any) -> None:
    for number, name in enumerate(dict.fromkeys(row["method"] for row in rows)):
        sides = [[row for row in rows if row["method"] == name and row["player"] == player] for player in "01"]
        times = curves.columns_of(sides[0], "iterations")[0]
        measured, bounds = np.max([curves.columns_of(side, "regret", "theorem_2") for side in sides], axis=0)
        style = {"color": plot_style.COLOURS[number], "linewidth": plot_style.WIDTH}
        panel.plot(times, np.maximum(measured, DRAWN_AT_LEAST), label=name, **style)
        panel.plot(times, bounds, linestyle="--", **{**style, "linewidth": 1})


FIGURE = Figure(
    "gibson2012-theorems",
    "Average regret beside its bounds",
    "Gibson et al. 2012, theorems 1 and 2, lemma 1; web page on external sampling in Kuhn poker, 2026",
    Scale("2 minutes", 2, 3_000, ("kuhn", "leduc", "goofspiel(n=4)"), 100_000),
    Scale("6 minutes", 5, 30_000, ("kuhn", "leduc", "goofspiel(n=4)"), 400_000),
    _jobs,
    _report,
    "Regret is exact: every strategy that was played counts once, against the strategies that the player's own "
    "updates met (with alternating updates, player 1 meets the strategy that player 0 has just renewed). Bounds "
    f"are for p = {P}. Var is the exact variance of a sampled regret: the largest over infosets, actions and "
    "checkpoints up to T, and of all runs the least, so that bounds are not flattered. Delta~ and Delta^ are "
    "Delta over the least probability of own draws; draws of chance and of the other player cancel, so these are "
    "smaller than with the whole probability q(z) of an ending. Lemma 1 takes the bias that the audit enumerates, "
    "or 0 where its z-test finds none, and Cov = 0. C_v = Delta M sqrt|A| and C_es = (1 + sqrt(2 / p)) Delta M "
    "sqrt|A| are the constants of vanilla CFR and of external sampling, with Lanctot et al.'s M_i. The web page "
    "says that C_es contains 1 over a least reach probability, which belongs to outcome sampling. The plot has "
    "the mean regret of all runs, of the player with more of it.",
    _draw,
)
