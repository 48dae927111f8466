"""Davis, Schmid, Bowling 2019, section 5: RM+ and linear averaging help with any baseline but none."""

from mccfr.papers import curves
from mccfr.papers.davis import BASELINES, ON_POLICY, SOURCE, is_below, method
from mccfr.papers.figure import NO_CLAIM, Claim, Done, Figure, Report, Scale

PLUS, BASE = "rm_plus+linear", "rm+constant"
RESTS = (BASE, "rm_plus+constant", "rm+linear", PLUS)
CURVES = {f"{name}, {rest}": method(ON_POLICY, word, rest) for name, word in BASELINES.items() for rest in RESTS}


def _report(scale: Scale, done: list[Done]) -> Report:
    found = curves.by_name(CURVES, done)
    claims = []
    for name in BASELINES:
        for rest, what in ((PLUS, "both"), ("rm_plus+constant", "RM+ alone"), ("rm+linear", "linear averaging alone")):
            text = f"{name} baseline: {what} over neither, exploitability"
            claim = is_below("D11", found, f"{name}, {rest}", f"{name}, {BASE}", text)
            claims.append(claim if rest == PLUS and name != "none" else _not_claimed(claim))
    return Report(curves.COLUMNS, curves.rows(found), claims)


def _not_claimed(claim: Claim) -> Claim:
    return claim._replace(paper="nothing is said", verdict=NO_CLAIM)


FIGURE = Figure(
    "davis2019-d11",
    "RM+ and linear averaging with and without baselines, Leduc",
    f"{SOURCE}, section 5",
    Scale("2 minutes", 10, 1_000_000),
    Scale("2 minutes on 16 cores", 20, 10_000_000),
    lambda scale: curves.jobs_of(CURVES, scale, "leduc"),
    _report,
    "The paper makes its claim about both changes together and about nonzero baselines. All curves use opponent "
    "on-policy sampling, alternating walks and learned baselines as plain means. The plot leaves out the curves "
    "with only one of the changes.",
    curves.drawing(lambda row: row["curve"].endswith((PLUS, BASE))),
)
