"""The exact methods side by side: exploitability after equal numbers of iterations, which cost the same for all.

python benchmarks/methods.py                            a table, about a minute; full_width.py has more methods
python benchmarks/methods.py --plot docs/convergence.svg     the README's picture (needs matplotlib)
"""

import argparse

import mccfr
from mccfr.jobs import plot_style

METHODS = ["cfr", "lcfr", "cfr_plus", "dcfr", "pcfr_plus"]
GAMES = {
    "leduc": 3000,
    "goofspiel(n=5)": 3000,
    "goofspiel(n=6)": 1000,
    "bluff(1,1)": 2000,
    "gp(6,4,4,1,suits=False)": 3000,
    "gp(13,4,4,1,suits=False)": 500,
}


def table() -> None:
    print(f"{'game':26} {'iterations':>10}  " + "  ".join(f"{method:>9}" for method in METHODS))
    for game, iterations in GAMES.items():
        tree = mccfr.compile(game)
        reached = [mccfr.solve(tree, method, iterations).exploitability() for method in METHODS]
        best = min(reached)
        cells = "  ".join(f"{e:>8.1e}{'*' if e == best else ' '}" for e in reached)
        print(f"{game:26} {iterations:>10,}  {cells}", flush=True)


def plot(path: str, game: str = "leduc", iterations: int = 10_000) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    import matplotlib.pyplot as plt

    mpl.rcParams["svg.hashsalt"] = "mccfr"  # the same picture gives the same file
    tree = mccfr.compile(game)
    figure, axes = plt.subplots(figsize=(7, 3.9), layout="constrained")
    for number, method in enumerate(METHODS):
        solver = mccfr.Solver(tree, method)
        solver.run(iterations, watch=lambda progress: None)
        history = solver.history
        xs, ys = zip(*((p.iterations, p.exploitability) for p in history))
        axes.loglog(xs, ys, label=method, **plot_style.line(number))
    axes.set(xlabel="iterations", ylabel="exploitability, chips")
    plot_style.tidy(axes)
    plot_style.add_legend(figure, *axes.get_legend_handles_labels(), columns=len(METHODS))
    figure.suptitle(f"{game}: how close to an equilibrium", fontsize=plot_style.TITLE)
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
    print(f"wrote {path}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--plot", metavar="FILE", help="draw Leduc's convergence instead")
    given = options.parse_args()
    plot(given.plot) if given.plot else table()


if __name__ == "__main__":
    main()
