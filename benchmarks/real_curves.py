"""Real-game exploitability of hold'em through buckets over walks: does more training make the real game worse?

python benchmarks/real_curves.py --buckets 'ehs2(10)' --walks 100m 1g 10g --out curves.jsonl        one curve, on a GPU
python benchmarks/real_curves.py --draw curves.jsonl --plot docs/images/real-curves.png             a picture of curves

Walks and best responses with every card are made on the GPU, exactly and for both seats. With perfect recall,
exploitability inside the abstraction is measured beside it on the CPU, in two tables of sampled deals: a best response
found in one is tried in the other, so the truth is between the two numbers. A line of JSON for each point is added to
the file as soon as it is known.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import mccfr
from mccfr.amounts import read_count
from mccfr.evaluate.abstract_values import AbstractEvaluator
from mccfr.machine import processors
from mccfr.solvers.solver import Solver
from mccfr.tree.abstract_table import abstract_table

MILLI = 1000.0


def abstract_judge(solver: Solver, deals: int) -> AbstractEvaluator | None:
    """What measures inside the abstraction, where that can be done."""
    tree = solver.tree.buckets
    if not deals or tree is None or not tree.recalls:
        return None
    return AbstractEvaluator(tree, *(abstract_table(tree, deals, seed, processors()) for seed in (1, 2)))


def point(solver: Solver, judge: AbstractEvaluator | None, given: argparse.Namespace) -> dict[str, Any]:
    """What is known of the average strategy now."""
    began = time.perf_counter()
    real = mccfr.real_exploitability(solver.strategy(), device=given.device)
    found = {"real": real.mbb, "best_response": real.best_response, "real_seconds": time.perf_counter() - began}
    if judge is not None:
        scale, inside = MILLI / real.big_blind, judge.measure(solver.engine.weights())
        found["abstract"] = scale * float(inside.nash_conv.mean()) / 2
        found["abstract_elsewhere"] = scale * float(inside.untried.mean()) / 2
    return found


def train(given: argparse.Namespace) -> None:
    """One curve, point by point."""
    game = f"holdem({given.betting}, {given.buckets}{given.deck})"
    solver = Solver(game, given.method, given.seed, memory_limit="100GB", device=given.device)
    judge = abstract_judge(solver, read_count(given.deals))
    for walks in sorted(map(read_count, given.walks)):
        solver.advance(walks // 2 - solver.iterations)
        facts = {"game": game, "buckets": given.buckets, "method": given.method, "seed": given.seed, "walks": walks}
        facts |= {"seconds": solver.seconds, "device": solver.placement or solver.device}
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
    figure, axes = pyplot.subplots(figsize=(7.5, 4.8), layout="constrained")
    for number, curve in enumerate(curves):
        mine = sorted((x for x in lines if (x["buckets"], x["method"]) == curve), key=lambda x: x["walks"])
        for key, style in (("real", "o-"), ("abstract", "s--")):
            known = [x for x in mine if key in x]
            name = f"{', '.join(curve)}: {'every card' if key == 'real' else 'inside the abstraction'}"
            axes.plot([x["walks"] for x in known], [x[key] for x in known], style, color=f"C{number}", label=name)
    axes.set(xscale="log", yscale="log", xlabel="walks", ylabel="exploitability, mbb/g")
    axes.legend(frameon=False)
    figure.savefig(plot, dpi=150)


def main() -> None:
    """Train, or draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--betting", default="limit")
    parser.add_argument("--buckets", default="ehs2(10)")
    parser.add_argument("--deck", default="", help="further parts of the game, such as ', ranks=4, suits=2, board=3'")
    parser.add_argument("--method", default="external")
    parser.add_argument("--walks", nargs="+", default=["10m", "100m", "1g", "10g"])
    parser.add_argument("--deals", default="200m", help="of each table of the abstract game; 0 for none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="gpu")
    parser.add_argument("--out", default="")
    parser.add_argument("--draw", nargs="+", default=[])
    parser.add_argument("--plot", default="real-curves.png")
    given = parser.parse_args()
    draw(given.draw, given.plot) if given.draw else train(given)


if __name__ == "__main__":
    main()
