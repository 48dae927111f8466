"""Davis, Schmid, Bowling 2019, section 5: for outcome sampling, plain means are the best learned baselines."""

from mccfr.papers import curves
from mccfr.papers.davis import ON_POLICY, SOURCE, UNIFORM, is_below, method
from mccfr.papers.figure import Done, Figure, Report, Scale

RATES = (0.0, 0.01, 0.1, 0.5)
CURVES = {
    f"{baseline}, {'mean' if rate == 0.0 else f'rate {rate}'}, {sampler}": method(sampler, f"{baseline}(rate={rate})")
    for sampler in (UNIFORM, ON_POLICY)
    for baseline in ("history", "infoset")
    for rate in RATES
}


def _report(scale: Scale, done: list[Done]) -> Report:
    found = curves.by_name(CURVES, done)
    claims = []
    for name in CURVES:
        baseline, weights, sampler = name.split(", ")
        if weights != "mean":
            text = f"{baseline} baseline, plain mean over {weights}, {sampler} sampling, exploitability"
            claims.append(is_below("D5", found, f"{baseline}, mean, {sampler}", name, text))
    return Report(curves.COLUMNS, curves.rows(found), claims)


FIGURE = Figure(
    "davis2019-d5",
    "Learned baselines as plain means or with a constant rate, Leduc",
    f"{SOURCE}, section 5",
    Scale("1 minute", 10, 1_000_000),
    Scale("2 minutes on 16 cores", 20, 10_000_000),
    lambda scale: curves.jobs_of(CURVES, scale, "leduc"),
    _report,
    "All curves use RM+, linear averaging and alternating walks. The paper mentions preliminary experiments and "
    "gives no rates; 0.01, 0.1 and 0.5 are ours. The plot shows only opponent on-policy sampling.",
    curves.drawing(lambda row: row["curve"].endswith(ON_POLICY)),
)
