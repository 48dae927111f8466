"""Kill a run again and again, at any moment, and see that it ends as if nothing had happened.

    python tests/torture.py --kills 500

Each round trains a game to its end twice: undisturbed, and in a process that is killed (SIGKILL, now and then SIGTERM)
at random moments, or as soon as a file is seen half written, and started again. After each kill every file in the
folder must be readable; at the end arrays, measurements and strategy must be those of the undisturbed run, bit for bit.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

import mccfr
from mccfr.files import container
from mccfr.runs import checkpoints
from mccfr.runs.config import read_record
from mccfr.runs.events import read_events
from mccfr.runs.metrics import read_metrics
from mccfr.solvers import solver as solving


class Round(NamedTuple):
    """What is trained."""

    game: str
    method: str
    workers: int = 1
    parallel: str = "auto"


ROUNDS = (
    Round("kuhn", "external"),
    Round("leduc", "cfr_plus"),
    Round("kuhn", "outcome+predictive+rm_plus+linear"),
    Round("leduc", "external", 2, "replicas"),
    Round("leduc", "dcfr"),
    Round("kuhn", "external+discounted"),
    Round("leduc", "external", 2, "batch"),
    Round("kuhn", "pcfr_plus"),
    Round("leduc", "robust(1)"),
    Round("leduc", "outcome+history"),
    Round("kuhn", "external+optimistic+batch(10)"),
)
KEPT = 2


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--kills", type=int, default=500)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--fresh", type=float, default=0.1, help="share of processes that start Python anew")
    options.add_argument("--solving", type=float, default=1.0, help="seconds that each round takes undisturbed")
    options.add_argument("--rounds", type=int, nargs="*", default=range(len(ROUNDS)), help="which, by number")
    options.add_argument("--train", nargs=5, help=argparse.SUPPRESS)
    asked = options.parse_args()
    if asked.train:
        return train_here(*asked.train)
    torturer = Torturer(random.Random(asked.seed), asked.fresh, asked.solving)
    number = 0
    while torturer.killed < asked.kills:
        what = ROUNDS[list(asked.rounds)[number % len(list(asked.rounds))]]
        with tempfile.TemporaryDirectory(prefix="torture-") as folder:
            torturer.torture(what, number, Path(folder), asked.kills)
        number += 1
        print(json.dumps({"round": number, **what._asdict(), **torturer.counts()}), flush=True)
    print(json.dumps({"done": True, "rounds": number, **torturer.counts()}), flush=True)
    return 0


def train(folder: Path, what: Round, seed: int, iterations: int, slow: bool) -> None:
    """Train with checkpoints as often as can be; slowly written ones are more easily caught half-way."""
    solving.CHUNK_SECONDS = 0.005
    checkpoints.SHARE = 1.0
    if slow:
        pieces, fsync = container._pieces, os.fsync
        container._pieces = lambda array: (time.sleep(0.001) or piece for piece in pieces(array))
        os.fsync = lambda handle: time.sleep(0.003) or fsync(handle)
    mccfr.train(
        folder, what.game, what.method, iterations=iterations, seed=seed, workers=what.workers, parallel=what.parallel,
        checkpoint_every=0.0, keep=KEPT,
    )  # fmt: skip


def train_here(folder: str, what: str, seed: str, iterations: str, slow: str) -> int:
    try:
        train(Path(folder), Round(*json.loads(what)), int(seed), int(iterations), slow == "1")
    except KeyboardInterrupt:
        return 130
    return 0


class Torturer:
    """Kills and counts."""

    def __init__(self, dice: random.Random, fresh: float, solving: float) -> None:
        self.dice, self.fresh, self.solving = dice, fresh, solving
        self.killed = self.writing = self.checkpoint = self.terminated = self.resumed = self.processes = 0

    def counts(self) -> dict[str, int]:
        return {
            "kills": self.killed,
            "while_writing": self.writing,
            "while_writing_a_checkpoint": self.checkpoint,
            "sigterms": self.terminated,
            "checkpoints_to_go_on_from": self.resumed,
            "processes": self.processes,
        }

    def torture(self, what: Round, seed: int, home: Path, most: int) -> None:
        iterations = undisturbed(home / "calm", what, seed, self.solving)
        folder = home / "tortured"
        while True:
            process = self.start(folder, what, seed, iterations)
            if self.killed < most:
                self.strike(process, folder)
            code = process.wait()
            self.note(folder, code)
            require_readable(folder)
            if code == 0:
                break
            expected = (-signal.SIGKILL, -signal.SIGTERM, 130)  # SIGTERM before training began is not ours
            assert code in expected, f"the process ended with {code}"
        require_same(home / "calm", folder)

    def start(self, folder: Path, what: Round, seed: int, iterations: int) -> "Fork | subprocess.Popen[bytes]":
        self.processes += 1
        slow = self.dice.random() < 0.3
        if self.dice.random() < self.fresh:
            arguments = [str(folder), json.dumps(what), str(seed), str(iterations), str(int(slow))]
            return subprocess.Popen([sys.executable, __file__, "--train", *arguments])
        return Fork(lambda: train(folder, what, seed, iterations, slow))

    def strike(self, process: "Fork | subprocess.Popen[bytes]", folder: Path) -> None:
        """Wait for a random moment, or for a file that is half written, and kill."""
        began = time.monotonic()
        slowest = 2.0 if isinstance(process, subprocess.Popen) else 0.8
        until = began + self.dice.uniform(0.0, slowest)
        lurking = self.dice.random() < 0.5
        patience = self.dice.randrange(1, 30)
        seen: set[str] = set()
        while time.monotonic() < (began + 5.0 if lurking else until) and process.poll() is None:
            if lurking:
                seen |= half_written(folder)
                if len(seen) >= patience:
                    break
            else:
                time.sleep(0.001)
        gentle = self.dice.random() < 0.1
        process.send_signal(signal.SIGTERM if gentle else signal.SIGKILL)

    def note(self, folder: Path, code: int) -> None:
        self.killed += code == -signal.SIGKILL
        self.terminated += code == 130
        left = half_written(folder) if code == -signal.SIGKILL else set()
        self.writing += bool(left)
        self.checkpoint += any(".ckpt." in name for name in left)
        self.resumed += code != 0 and any((folder / "checkpoints").glob("*.ckpt"))


class Fork:
    """A process that begins where this one is: no time for starting Python and compiling."""

    def __init__(self, work) -> None:
        self.code: int | None = None
        self.pid = os.fork()
        if not self.pid:
            code = 1
            try:
                work()
                code = 0
            except KeyboardInterrupt:
                code = 130
            except BaseException as error:
                print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
            finally:
                os._exit(code)

    def poll(self) -> int | None:
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.code = os.waitstatus_to_exitcode(status) if pid else None
        return self.code

    def wait(self) -> int:
        if self.code is None:
            self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


def undisturbed(folder: Path, what: Round, seed: int, seconds: float) -> int:
    """Train undisturbed, in a process of its own, for about so many seconds: the number of iterations."""
    solver = mccfr.Solver(what.game, what.method, seed, workers=what.workers, parallel=what.parallel)
    solver.run(1)
    solver.run(seconds=0.1)
    iterations = max(100, int(solver.iterations / solver.seconds * seconds))
    del solver  # with its threads
    assert Fork(lambda: train(folder, what, seed, iterations, False)).wait() == 0
    return iterations


def half_written(folder: Path) -> set[str]:
    """Names of temporary files."""
    found: set[str] = set()
    for place in (folder, folder / "checkpoints"):
        try:
            found |= {entry.name for entry in os.scandir(place) if entry.name.startswith(".")}
        except FileNotFoundError:
            pass
    return found


def require_readable(folder: Path) -> None:
    """Every file that is not a temporary one."""
    if not folder.exists():
        return
    for path in (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")):
        readers = {
            "run.json": lambda path: read_record(path.parent),
            "status.json": lambda path: json.loads(path.read_text()),
            "metrics.parquet": read_metrics,
            "strategy.mccfr": mccfr.load,
            "events.jsonl": read_events,
            "lock": Path.read_text,
        }
        if path.suffix == ".ckpt":
            container.load(path, checkpoints.FORMAT, "a checkpoint")
        else:
            readers[path.name](path)  # a KeyError: a file that should not be there, such as a .damaged one


def require_same(calm: Path, tortured: Path) -> None:
    """Arrays, measurements and strategies, bit for bit; nothing half written left."""
    assert mccfr.Run(calm).status.state == mccfr.Run(tortured).status.state == "done"
    left, right = final(calm), final(tortured)
    assert left.keys() == right.keys()
    for name, value in left.items():
        if name not in ("metrics.seconds", "metrics.wall"):
            assert value.dtype == right[name].dtype, name
            assert value.tobytes() == right[name].tobytes(), name
    rows, same = mccfr.Run(calm).metrics(), mccfr.Run(tortured).metrics()
    for name in ("iterations", "walks", "touched", "exploitability"):
        assert np.array_equal(rows[name], same[name]), name
        assert np.array_equal(rows[name], left[f"metrics.{name}"]), name
    assert (np.diff(same["seconds"]) >= 0).all()
    ours, theirs = mccfr.load(calm / "strategy.mccfr"), mccfr.load(tortured / "strategy.mccfr")
    assert ours.probabilities.tobytes() == theirs.probabilities.tobytes()
    assert half_written(tortured) == set()
    assert len(mccfr.Run(tortured).checkpoints()) <= KEPT


def final(folder: Path) -> dict[str, np.ndarray]:
    return container.load(mccfr.Run(folder).checkpoints()[0], checkpoints.FORMAT, "a checkpoint")[1]


if __name__ == "__main__":
    sys.exit(main())
