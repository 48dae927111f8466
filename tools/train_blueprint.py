"""Train one of the strategies that come with the package: `python tools/train_blueprint.py limit --minutes 10`.

The file is written to mccfr/blueprints, with probabilities in steps of 1/255. Several threads write to one table, so
two trainings give strategies of the same strength, but not the same file.
"""

import argparse
import time
from pathlib import Path

import mccfr
from mccfr.blueprints import BLUEPRINTS, FOLDER
from mccfr.buckets.store import save_fit, shipped_file
from mccfr.strategy.file import save_strategy


def main() -> None:
    """Train, tell how far it is now and then, and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=BLUEPRINTS)
    parser.add_argument("--minutes", type=float, default=10.0, help="of training, without preparations")
    parser.add_argument("--workers", type=int, default=0, help="threads; 0 for one per core")
    parser.add_argument("--out", default=str(FOLDER), help="folder to write to")
    given = parser.parse_args()
    made = BLUEPRINTS[given.name]
    began = time.perf_counter()
    solver = mccfr.Solver(made.game, made.method, seed=1, workers=given.workers, parallel="shared")
    print(f"{time.perf_counter() - began:.0f} s: {solver.tree}", flush=True)
    left = 60.0 * given.minutes
    while left > 0:
        solver.run(seconds=min(left, 60.0))
        left -= 60.0
        print(f"{max(left, 0):.0f} s left: {2 * solver.iterations:,} walks, {solver.touched:,} nodes", flush=True)
    folder = Path(given.out)
    folder.mkdir(parents=True, exist_ok=True)
    save_strategy(solver.strategy(), folder / f"{given.name}.mccfr", compact=True)
    fit = solver.tree.buckets.fit
    save_fit(shipped_file(fit.bucketing), fit)
    print(f"saved; buckets {fit.checksum}", flush=True)


if __name__ == "__main__":
    main()
