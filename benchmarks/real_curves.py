"""Real-game exploitability of hold'em through buckets over walks: does more training make the real game worse?

python benchmarks/real_curves.py --buckets 'ehs2(10)' --walks 100m 1g 10g --out curves.jsonl        one curve, on a GPU
python benchmarks/real_curves.py --draw curves.jsonl --plot docs/images/real-curves.png             a picture of curves

Walks and best responses with every card are made on the GPU. Best responses are exact, or with --flops N lower bounds
from so many flops, the same ones for all points. With perfect recall, exploitability inside the abstraction is measured
at the same time on the CPU, in two tables of sampled deals: a best response found in one is tried in the other, so the
truth is between the two numbers. A line of JSON for each point is added to the file as soon as it is known.
"""

import argparse
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import mccfr
from mccfr.amounts import read_count
from mccfr.evaluate.abstract_values import AbstractEvaluator
from mccfr.evaluate.real_game import big_blind
from mccfr.jobs import plot_style
from mccfr.machine import processors
from mccfr.solvers.solver import Solver
from mccfr.strategy.file import save_strategy
from mccfr.tree.abstract_table import abstract_table

MILLI = 1000.0
Floats = npt.NDArray[np.float64]


def abstract_judge(solver: Solver, deals: int) -> AbstractEvaluator | None:
    """What measures inside the abstraction, where that can be done."""
    tree = solver.tree.buckets
    if not deals or tree is None or not tree.recalls:
        return None
    return AbstractEvaluator(tree, *(abstract_table(tree, deals, seed, processors()) for seed in (1, 2)))


def inside(judge: AbstractEvaluator, weights: Floats, big_blind: float) -> dict[str, Any]:
    """Exploitability inside the abstraction, mbb/g."""
    began, found = time.perf_counter(), judge.measure(weights)
    scale = MILLI / big_blind / 2
    numbers = {"abstract": float(found.nash_conv.mean()), "abstract_elsewhere": float(found.untried.mean())}
    return {key: scale * x for key, x in numbers.items()} | {"abstract_seconds": time.perf_counter() - began}


def point(solver: Solver, judge: AbstractEvaluator | None, given: argparse.Namespace) -> dict[str, Any]:
    """What is known of the average strategy now; the CPU measures while the GPU does."""
    tree = solver.tree.buckets
    assert tree is not None
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(inside, judge, solver.engine.weights(), big_blind(tree)) if judge is not None else None
        began = time.perf_counter()
        real = mccfr.real_exploitability(solver.strategy(), given.flops, device=given.device, seed=given.seed)
        found = {"real": real.mbb, "margin": real.mbb_margin, "flops": real.flops or "all"}
        found |= {"best_response": real.best_response, "real_seconds": time.perf_counter() - began}
        return found | (coming.result() if coming is not None else {})


def train(given: argparse.Namespace) -> None:
    """One curve, point by point."""
    game = f"holdem({given.betting}, {given.buckets}{given.deck})"
    solver = Solver(game, given.method, given.seed, memory_limit="100GB", device=given.device)
    judge = abstract_judge(solver, given.deals)
    for walks in sorted(map(read_count, given.walks)):
        solver.advance(walks // 2 - solver.iterations)
        facts = {"game": game, "buckets": given.buckets, "method": given.method, "seed": given.seed, "walks": walks}
        facts |= {"seconds": solver.seconds, "device": solver.placement or solver.device}
        if given.save:
            save_strategy(solver.strategy(), given.save, compact=True)
        line = json.dumps(facts | point(solver, judge, given))
        print(line, flush=True)
        if given.out:
            with Path(given.out).open("a", encoding="utf-8") as file:
                file.write(line + "\n")


def draw(files: list[str], plot: str) -> None:
    """Real (solid) and abstract (dashed) exploitability of all curves."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    lines = [json.loads(line) for file in files for line in Path(file).read_text(encoding="utf-8").splitlines()]
    curves = list(dict.fromkeys((line["buckets"], line["method"]) for line in lines))
    figure, axes = pyplot.subplots(figsize=(7.5, 6.2), dpi=150, layout="constrained")
    for number, curve in enumerate(curves):
        mine = sorted((x for x in lines if (x["buckets"], x["method"]) == curve), key=lambda x: x["walks"])
        sampled = [x for x in mine if x["flops"] != "all"]
        name, colour = ", ".join(curve), f"C{number}"
        if sampled:
            at, real, margins = ([x[key] for x in sampled] for key in ("walks", "real", "margin"))
            axes.errorbar(at, real, margins, fmt="o-", capsize=3, color=colour, label=f"{name}: every card, some flops")
        if exact := [x for x in mine if x["flops"] == "all"]:
            label = f"{name}: every card, exactly"
            axes.plot([x["walks"] for x in exact], [x["real"] for x in exact], "D", color=colour, mfc="w", label=label)
        if known := [x for x in mine if "abstract" in x]:
            label = f"{name}: inside the abstraction"
            axes.plot([x["walks"] for x in known], [x["abstract"] for x in known], "s--", color=colour, label=label)
    axes.set(xscale="log", yscale="log", xlabel="walks", ylabel="exploitability, mbb/g")
    figure.legend(loc="outside lower center", ncols=1, frameon=False, fontsize=8)
    plot_style.save_small(figure, Path(plot))


def main() -> None:
    """Train, or draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--betting", default="limit")
    parser.add_argument("--buckets", default="ehs2(10)")
    parser.add_argument("--deck", default="", help="further parts of the game, such as ', ranks=4, suits=2, board=3'")
    parser.add_argument("--method", default="external")
    parser.add_argument("--walks", nargs="+", default=["10m", "100m", "1g", "10g"])
    parser.add_argument("--flops", type=int, help="of a lower bound; all, and exact, if it is not given")
    parser.add_argument("--deals", type=read_count, default="100m", help="of each table of the abstract game; 0: none")
    parser.add_argument("--save", default="", help="a file for the last strategy, in steps of 1/255")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="gpu")
    parser.add_argument("--out", default="")
    parser.add_argument("--draw", nargs="+", default=[])
    parser.add_argument("--plot", default="real-curves.png")
    given = parser.parse_args()
    draw(given.draw, given.plot) if given.draw else train(given)


if __name__ == "__main__":
    main()
