"""Full sweeps and exact evaluation beside OpenSpiel and LiteEFG, one thread, in one run.

    python benchmarks/peers.py             about two minutes
    python benchmarks/peers.py --quick     without the slowest row (OpenSpiel's evaluation of Goofspiel(6))

Machines are shared and noisy: the ratios within a run are the result, the absolute rates are not. `limit` is the rate
of a kernel written by hand for that one algorithm, measured once on a Zen 4 server (CPU time, an idle core).
"""

import argparse
import contextlib
import io
import os
import time
from collections.abc import Callable
from typing import NamedTuple

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import mccfr  # noqa: E402  after the number of threads is set

GOOFSPIEL = (
    "turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards={n},points_order=descending,"
    "returns_type=win_loss))"
)


class Case(NamedTuple):
    """A game under our name and OpenSpiel's, with the limits measured for it: sweeps/s and evaluations/s."""

    ours: str
    theirs: str
    sweep_limit: float
    evaluation_limit: float


CASES = [
    Case("kuhn", "kuhn_poker", 5.9e6, 1 / 3e-6),
    Case("leduc", "leduc_poker", 61e3, 1 / 0.025e-3),
    Case("goofspiel(n=5)", GOOFSPIEL.format(n=5), 26e3, 1 / 0.055e-3),
    Case("goofspiel(n=6)", GOOFSPIEL.format(n=6), 608, 1 / 3.6e-3),
]


def rate(work: Callable[[int], object], seconds: float = 1.0, rounds: int = 5) -> float:
    """Calls per second of CPU time: the best of several rounds, each long enough to be measured."""
    count, best = 1, 0.0
    work(1)
    while True:
        began = time.process_time()
        work(count)
        took = time.process_time() - began
        best = max(best, count / took if took > 0 else 0.0)
        if took >= seconds / rounds:
            break
        count = max(count + 1, min(count * 10, int(count * seconds / rounds / max(took, 1e-6)) + 1))
    for _ in range(rounds - 1 if best * seconds > rounds else 0):  # one round is enough where a call takes seconds
        began = time.process_time()
        work(count)
        best = max(best, count / (time.process_time() - began))
    return best


def repeat(call: Callable[[], object]) -> Callable[[int], None]:
    def work(count: int) -> None:
        for _ in range(count):
            call()

    return work


def our_sweeps(game: str) -> float:
    solver = mccfr.Solver(game, "cfr_plus")
    return rate(solver.run)


def our_evaluations(game: str) -> float:
    solver = mccfr.Solver(game, "cfr_plus").run(10)
    return rate(repeat(solver.exploitability))


def spiel_sweeps(name: str) -> float:
    import pyspiel

    solver = pyspiel.CFRPlusSolver(pyspiel.load_game(name))
    return rate(repeat(solver.evaluate_and_update_policy))


def spiel_evaluations(name: str) -> float:
    import pyspiel

    game = pyspiel.load_game(name)
    policy = pyspiel.CFRPlusSolver(game).tabular_average_policy()
    return rate(repeat(lambda: pyspiel.nash_conv(game, policy)))


def lite_rates(name: str) -> tuple[float, float]:
    """LiteEFG's CFR+ sweeps and exploitability evaluations per second."""
    import LiteEFG
    import pyspiel
    from LiteEFG.baselines import CFRplus

    with contextlib.redirect_stdout(io.StringIO()):  # it greets
        graph = CFRplus.graph()
        environment = LiteEFG.OpenSpielEnv(pyspiel.load_game(name), traverse_type="Enumerate")
    environment.set_graph(graph)
    sweeps = rate(repeat(lambda: graph.update_graph(environment)))
    return sweeps, rate(repeat(lambda: environment.exploitability(graph.current_strategy(), "default")))


def attempt(measure: Callable[[], object]) -> object:
    """The result, or None where the peer is missing or cannot do it."""
    try:
        return measure()
    except Exception as error:
        print(f"  (not measured: {type(error).__name__}: {str(error).splitlines()[0][:90]})")
        return None


def number(value: object) -> str:
    if not isinstance(value, float):
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:,.3g}"


def ratio(ours: float, other: object) -> str:
    return f"{ours / other:,.0f}x" if isinstance(other, float) else "-"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="leave out OpenSpiel's evaluation of Goofspiel(6)")
    quick = options.parse_args().quick
    rows = []
    for case in CASES:
        print(f"measuring {case.ours} ...", flush=True)
        lite = attempt(lambda case=case: lite_rates(case.theirs))
        lite_sweeps, lite_evaluations = lite if isinstance(lite, tuple) else (None, None)
        slow = quick and case.ours == "goofspiel(n=6)"
        ours, evaluations = our_sweeps(case.ours), our_evaluations(case.ours)
        spiel = attempt(lambda case=case: spiel_sweeps(case.theirs))
        spiel_checks = None if slow else attempt(lambda case=case: spiel_evaluations(case.theirs))
        rows.append((case.ours, "CFR+ iterations/s", ours, spiel, lite_sweeps, case.sweep_limit))
        rows.append(
            (case.ours, "exploitabilities/s", evaluations, spiel_checks, lite_evaluations, case.evaluation_limit)
        )
    print_table(rows)


def print_table(rows: list[tuple[str, str, float, object, object, float]]) -> None:
    head = ("game", "what", "mccfr", "OpenSpiel C++", "ratio", "LiteEFG", "ratio", "of the limit")
    lines = [head]
    for game, what, ours, spiel, lite, limit in rows:
        lines.append(
            (
                game,
                what,
                number(ours),
                number(spiel),
                ratio(ours, spiel),
                number(lite),
                ratio(ours, lite),
                f"{ours / limit:.2f}",
            )
        )
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    for index, line in enumerate(lines):
        cells = [line[c].ljust(widths[c]) if c < 2 else line[c].rjust(widths[c]) for c in range(len(head))]
        print("| " + " | ".join(cells) + " |")
        if index == 0:
            print("|" + "|".join("-" * (w + 2) for w in widths) + "|")


if __name__ == "__main__":
    main()
