"""Beyond Davis, Schmid, Bowling 2019, section 7: continual re-solving with other starts, minimisers and games."""

from typing import Any

from mccfr.papers import curves
from mccfr.papers.curves import Runs
from mccfr.papers.davis import SOURCE
from mccfr.papers.davis_public import PUBLIC, public_method
from mccfr.papers.davis_resolving import COLUMNS, CR_PLUS, budgeted_jobs, by_curve
from mccfr.papers.figure import NO_CLAIM, Claim, Done, Figure, Job, Report, Rows, Scale

PUBLISHED = "history, as published"
HISTORY, PREDICTIVE = PUBLIC["history"], PUBLIC["predictive"]
SMART = "public_outcome(start=values)"
CURVES: dict[str, dict[str, Any]] = {
    PUBLISHED: {"method": public_method(HISTORY), "values": "best"},
    "history, start=values": {"method": public_method(HISTORY, SMART), "values": "best"},
    "predictive, start=values": {"method": public_method(PREDICTIVE, SMART), "values": "best"},
    "history, PRM+": {"method": public_method(HISTORY, rest="prm_plus+linear"), "values": "best"},
    "history, average values": {"method": public_method(HISTORY), "values": "average"},
    CR_PLUS: {"method": "cfr_plus", "values": "best"},
    "CR, PCFR+": {"method": "pcfr_plus", "values": "best"},
    "CR, CFR+, average values": {"method": "cfr_plus", "values": "average"},
}
HOLDEM = "dealt:holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)"


def _variants(game: str) -> dict[str, dict[str, Any]]:
    return {name: {"game": game, **curve} for name, curve in CURVES.items()}


def _jobs(scale: Scale) -> list[Job]:
    """Game by game, so that a process compiles few; the largest first."""
    return [job for game in scale.games[::-1] for job in budgeted_jobs(list(_variants(game).values()), scale)]


def _report(scale: Scale, done: list[Done]) -> Report:
    found = {game: by_curve(done, _variants(game)) for game in scale.games}
    rows = [(game, *row) for game, by in found.items() for row in curves.rows(by)]
    claims = [_against_published(game, by, name) for game, by in found.items() for name in CURVES if name != PUBLISHED]
    return Report(("game", *COLUMNS[1:]), rows, claims)


def _against_published(game: str, found: dict[str, Runs], name: str) -> Claim:
    """Exploitability over that of the published setting at the largest budget, paired by seed."""
    end = float(curves.shared(found[name] + found[PUBLISHED])[-1])
    text = f"{game}: {name} over {PUBLISHED}, exploitability"
    return Claim(
        "D+", text, "nothing is said", f"{curves.compared(found, name, PUBLISHED, end)} at {end:,.0f}", NO_CLAIM
    )


def _draw(rows: Rows, axes: Any) -> None:
    """The first game, Leduc."""
    mine = [row for row in rows if row["game"] == rows[0]["game"]]
    curves.draw(mine, axes, "evaluations", "evaluations for a decision, public states counted")


FIGURE = Figure(
    "davis2019-fig5-beyond",
    "Monte Carlo continual re-solving, beyond the paper",
    f"ours, after {SOURCE}, section 7",
    Scale("3 minutes", 3, 316, ("leduc", HOLDEM)),
    Scale("15 minutes on 16 cores", 10, 3_162, ("leduc", HOLDEM, "gp(6,4,4,1)")),
    _jobs,
    _report,
    "As davis2019-fig5, public states counted, with the history baseline of rate 0.5 as published. Every other curve "
    "changes what its name says: baselines that start with the values of the uniform strategy, for which all leaves "
    "are evaluated once, within the budget (endings for nothing); the predictive baseline with the same start; "
    "predictive RM+ [Farina, Kroer, Sandholm 2021] instead of RM+; what the opponent's hands get when both play "
    "their average strategies, instead of the best they can do. CR sweeps the look-ahead, by CFR+ and by PCFR+, which "
    "has quadratic averages. The hold'em has eight cards, two hole cards each and a board of three, with one bet a "
    "street. The plot shows Leduc.",
    _draw,
)
