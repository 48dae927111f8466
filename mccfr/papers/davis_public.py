"""Davis, Schmid, Bowling 2019, figures 2 and 4: baselines for public outcome sampling."""

from collections.abc import Callable

from mccfr.papers import curves
from mccfr.papers.curves import Runs
from mccfr.papers.davis import LEARNED, SOURCE, is_below
from mccfr.papers.figure import NOT, PARTLY, REPRODUCED, Claim, Done, Figure, Job, Report, Scale

CALL = "always call"
PUBLIC = {  # what each curve's baseline is called in a method
    "none": "plain",
    CALL: "static",
    "infoset": "infoset(rate=0.5)",
    "history": "history(rate=0.5)",
    "predictive": "predictive",
}
MEANS = {"infoset, mean": "infoset", "history, mean": "history"}  # simple averages, for D5
SETTING = (
    "All curves use public outcome sampling with uniform draws, simultaneous updates on one line, RM+, linear "
    "averaging and learned baselines with rate 0.5. Means are geometric."
)


def public_method(baseline: str, sampler: str = "public_outcome", rest: str = "rm_plus+linear") -> str:
    """The method string of one curve."""
    return f"{sampler}+{baseline}+{rest}"


def _figure(
    number: str, title: str, words: dict[str, str], claims: Callable[[dict[str, Runs]], list[Claim]],
    quick: Scale, full: Scale, remarks: str,
) -> Figure:  # fmt: skip
    methods = {name: public_method(word) for name, word in words.items()}

    def jobs(scale: Scale) -> list[Job]:
        return curves.jobs_of(methods, scale, scale.games[0])

    def report(scale: Scale, done: list[Done]) -> Report:
        found = curves.by_name(methods, done)
        return Report(curves.COLUMNS, curves.rows(found), claims(found))

    source = f"{SOURCE}, figure {number}"
    shown = curves.drawing(lambda row: row["curve"] in PUBLIC)
    return Figure(f"davis2019-fig{number}", title, source, quick, full, jobs, report, f"{SETTING} {remarks}", shown)


def _d6(found: dict[str, Runs]) -> list[Claim]:
    return [
        *(is_below("D6", found, name, "none", f"{name} baseline over no baseline, exploitability")
          for name in PUBLIC if name != "none"),
        *(is_below("D6", found, name, "infoset", f"{name} baseline over infoset baseline, exploitability")
          for name in ("history", "predictive")),
        _ahead_early(found, "predictive", "history", "small, but significant, in early iterations"),
        _tails_off(found),
        *(is_below("D5", found, name, f"{name}, mean", f"{name} baseline, rate 0.5 over plain mean, exploitability")
          for name in ("infoset", "history")),
    ]  # fmt: skip


def _d9(found: dict[str, Runs]) -> list[Claim]:
    return [
        *(is_below("D9", found, name, "none", f"{name} baseline over no baseline, exploitability")
          for name in PUBLIC if name != "none"),
        is_below("D9", found, "history", "infoset", "history baseline over infoset baseline, exploitability"),
        *(is_below("D9", found, "predictive", name, f"predictive baseline over {name}, exploitability")
          for name in (CALL, *LEARNED[:2])),
    ]  # fmt: skip


def _ahead_early(found: dict[str, Runs], one: str, other: str, paper: str) -> Claim:
    """Reproduced: ahead somewhere, and beginning in the first half of the axis, which is logarithmic."""
    xs = curves.shared(found[one] + found[other])
    stretch = curves.below_between(found, one, other)
    best = min(curves.compared(found, one, other, x) for x in xs)
    told = f"; below 1 from {stretch[0]:,.0f} to {stretch[1]:,.0f}" if stretch else ""
    ours = f"{best} at best{told}; {curves.compared(found, one, other, xs[-1])} at {xs[-1]:,.0f}"
    early = stretch is not None and stretch[0] <= (xs[0] * xs[-1]) ** 0.5
    verdict = REPRODUCED if early else PARTLY if stretch else NOT
    return Claim("D6", f"{one} baseline over {other} baseline, exploitability", f"below 1: {paper}", ours, verdict)


def _tails_off(found: dict[str, Runs]) -> Claim:
    """Always call against the history baseline. Reproduced: ahead at some time, and behind at the end."""
    xs = curves.shared(found[CALL] + found["history"])
    ratios = [curves.compared(found, CALL, "history", x) for x in xs]
    best, last = min(ratios), ratios[-1]
    verdict = NOT if last.low <= 1.0 else REPRODUCED if best.high < 1.0 else PARTLY
    ours = f"{best} at {xs[ratios.index(best)]:,.0f}, {last} at {xs[-1]:,.0f}"
    text = f"{CALL} over history baseline, exploitability"
    return Claim("D6", text, "below 1 early, above 1 later: it does not learn", ours, verdict)


LEDUC, GP6, GP13 = ("dealt:leduc",), ("dealt:gp(6,4,4,1)",), ("dealt:gp(13,4,4,1)",)
FIGURE_2 = _figure(
    "2", "Baselines for public outcome sampling in Leduc", {**PUBLIC, **MEANS}, _d6,
    Scale("1 minute", 10, 300_000, LEDUC), Scale("2 minutes on 16 cores", 20, 1_000_000, LEDUC),
    "D5 compares the two curves of plain means, which the plot leaves out.",
)  # fmt: skip
FIGURE_4A = _figure(
    "4a", "Baselines for public outcome sampling in GP(6,4,4,1)", PUBLIC, _d9,
    Scale("2 minutes", 5, 100_000, GP6), Scale("22 minutes on 16 cores", 20, 10_000_000, GP6),
    "The paper does not give bet sizes, so we use those of Leduc: ante 1, bets of 2 and then 4. We chose the number "
    "of iterations after seeing a first run, in which always call was ahead of the predictive baseline at a million "
    "iterations and equal to it at three million. We do not know where the paper's axis ends.",
)  # fmt: skip
FIGURE_4B = _figure(
    "4b", "Baselines for public outcome sampling in GP(13,4,4,1)", PUBLIC, _d9,
    Scale("2 minutes", 3, 30_000, GP13), Scale("15 minutes on 16 cores", 20, 1_000_000, GP13),
    "The paper does not give bet sizes, so we use those of Leduc: ante 1, bets of 2 and then 4. A table of the "
    "history baseline has 34 million numbers and takes 274 MB in each process.",
)  # fmt: skip
