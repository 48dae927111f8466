"""Measure which method solves which game best, and write docs/data/atlas.parquet: `python tools/atlas.py`.

Every method runs shortly on every game; those that the rule of `mccfr/papers/atlas_runs.py` leaves in the race run
longer and with more seeds; and the surprises of `mccfr/papers/atlas_findings.py` run once more with other seeds.
Finished runs are kept in papers/atlas/jobs.jsonl: after Ctrl-C the same command continues where it stopped.
`python docs/generate_atlas.py` then writes the tables and figures of docs/choosing-a-method.md.
"""

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from mccfr.cli.progress import Meter
from mccfr.errors import MccfrError
from mccfr.jobs.runner import Watch
from mccfr.machine import processors
from mccfr.papers.atlas_data import AGAIN, LONG, SHORT, Curves, Traced, write_atlas
from mccfr.papers.atlas_findings import SURPRISES
from mccfr.papers.atlas_games import GAMES, AtlasGame, Entry, entries
from mccfr.papers.atlas_runs import Stage, always, jobs_of, shortlist
from mccfr.papers.kept_jobs import do_or_recall
from mccfr.papers.writing import machine, versions
from mccfr.signals import sigterm_as_ctrl_c

ROOT = Path(__file__).resolve().parent.parent
EVERY = 10.0  # seconds between two lines of progress, where there is no terminal


class Runner:
    """Does the runs of a stage that are not done yet, and gathers all of them."""

    def __init__(self, folder: Path, workers: int, watch: Watch) -> None:
        self.folder, self.workers, self.watch = folder, workers, watch
        self.traced: list[Traced] = []

    def curves(self, name: str, found: list[Entry], stage: Stage) -> Curves:
        """The runs of these methods."""
        jobs, curves = jobs_of(found, stage), Curves()
        for entry, done in zip(jobs.values(), do_or_recall([*jobs], self.folder, self.workers, False, self.watch)):
            points = np.array(done.result["points"])
            curves.setdefault(entry, []).append(points)
            self.traced.append(Traced(name, entry, done.arguments["seed"], points))
        return curves


def main() -> int:
    """Exit code of the program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", metavar="A B ...", nargs="+", default=[game.name for game in GAMES])
    parser.add_argument("--seconds", type=positive, default=3.0, help="CPU seconds of a long run")
    parser.add_argument("--seeds", type=count, default=5, help="long runs of each method")
    parser.add_argument("--first-seed", type=count, default=10, help="of the long runs")
    parser.add_argument("--second-seed", type=count, default=100, help="first one of the runs that check surprises")
    parser.add_argument("--short-seconds", type=positive, default=0.25, help="CPU seconds of a short run")
    parser.add_argument("--short-seeds", type=count, default=2, help="short runs of a random method")
    parser.add_argument("--workers", type=count, default=processors(), help="runs at a time")
    parser.add_argument("--kept", type=Path, default=ROOT / "papers" / "atlas", help="folder of finished runs")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "data" / "atlas.parquet")
    given = parser.parse_args()
    known = {game.name: game for game in GAMES}
    if wrong := [name for name in given.games if name not in known]:
        parser.error(f"no game {wrong[0]!r} in the atlas; there are {', '.join(known)}")
    given.kept, given.out = given.kept.absolute(), given.out.absolute()
    os.chdir(ROOT)  # games are given relative to it
    meter = Meter(True, clock=True, every=EVERY)
    try:
        with sigterm_as_ctrl_c(), meter:
            measure(given, [known[name] for name in given.games], meter.count)
    except KeyboardInterrupt:
        return meter.stopped(as_json=False)
    except MccfrError as error:
        parser.error(str(error))
    print(f"wrote {given.out}, {given.out.stat().st_size:,} bytes")
    return 0


def measure(given: argparse.Namespace, games: list[AtlasGame], watch: Watch) -> None:
    """All stages, then the file."""
    given.kept.mkdir(parents=True, exist_ok=True)
    runner = Runner(given.kept, given.workers, watch)
    stages = {
        SHORT: Stage(given.short_seconds, given.short_seeds, 0),
        LONG: Stage(given.seconds, given.seeds, given.first_seed, sweeps_too=True),
        AGAIN: Stage(given.seconds, given.seeds, given.second_seed),
    }
    short = runner.curves(SHORT, [entry for game in games for entry in entries(game)], stages[SHORT])
    named = [entry for surprise in SURPRISES for entry in surprise.entries() if entry in short]
    kept = {*shortlist(short, given.short_seconds), *named, *(entry for game in games for entry in always(game))}
    runner.curves(LONG, [*(e for e in short if e in kept), *sorted(kept - short.keys())], stages[LONG])
    runner.curves(AGAIN, [*dict.fromkeys(named)], stages[AGAIN])
    write_atlas(given.out, runner.traced, stages, f"{machine()}; {versions()}")


def positive(text: str) -> float:
    """A number above 0."""
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a number above 0")
    return value


def count(text: str) -> int:
    """A whole number from 1."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number from 1")
    return value


if __name__ == "__main__":
    raise SystemExit(main())
