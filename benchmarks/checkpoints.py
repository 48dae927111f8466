"""Checkpoints: how fast a large state is saved and loaded, and how much training time is lost to them.

    python benchmarks/checkpoints.py                       # 3 x 150 million entries: 3.6 GB, needs 8 GB of memory
    python benchmarks/checkpoints.py --entries 10_000_000 --seconds 20

Saving is compared with the disk's own speed: the same bytes written and synced by nothing but write() and fsync().
"""

import argparse
import os
import tempfile
import time
from pathlib import Path

import numpy as np

import mccfr
from mccfr.files import container
from mccfr.runs import training
from mccfr.runs.checkpoints import FORMAT, Checkpoints

TABLES = ("current", "regret", "average")
LOSS_ALLOWED = 0.02
NO_METRICS = {"iterations": np.zeros(0, np.int64)}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--entries", type=int, default=150_000_000)
    options.add_argument("--seconds", type=float, default=60.0, help="of training, with and without checkpoints")
    options.add_argument("--game", default="goofspiel(n=6)")
    options.add_argument("--every", type=float, default=5.0)
    options.add_argument("--folder", help="on the disk to measure")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="mccfr-benchmark-", dir=asked.folder) as folder:
        if asked.entries:
            measure_files(Path(folder), asked.entries)
        if asked.seconds:
            measure_loss(Path(folder), asked.game, asked.seconds, asked.every)


def measure_files(folder: Path, entries: int) -> None:
    dice = np.random.default_rng(1)
    state = {"iterations": 10**9, "seconds": 1.0, "seed": 1, **{name: dice.random(entries) for name in TABLES}}
    size = sum(array.nbytes for array in state.values() if isinstance(array, np.ndarray))
    print(f"state: {len(TABLES)} x {entries:,} float64, {size / 1e9:.2f} GB")

    measure_copies(state, size)
    checkpoints = Checkpoints(folder, {})
    for _ in range(2):  # in turns, since disks are moody
        _, took = timed(lambda: write_plainly(folder / "plain", [state[name] for name in TABLES]))
        print(f"write and fsync     {rate(size, took)}   the disk's own speed")
        (folder / "plain").unlink()
        burnt = time.process_time()
        path, took = timed(lambda: checkpoints.write(state, NO_METRICS))
        print(f"save                {rate(size, took)}   {time.process_time() - burnt:.2f} s of processor time")

    sums = [bits(state[name]) for name in TABLES]
    for name in TABLES:
        state[name].fill(0.0)
    drop_from_cache(path)
    _, took = timed(lambda: read_plainly(path, state[TABLES[0]]))
    print(f"read                {rate(size, took)}   the disk's own speed")
    drop_from_cache(path)
    for where in ("load from disk", "load from cache"):
        _, took = timed(lambda: container.load(path, FORMAT, "a checkpoint", {name: state[name] for name in TABLES}))
        print(f"{where:<19} {rate(size, took)}")
    assert [bits(state[name]) for name in TABLES] == sums, "not what was saved"
    path.unlink()


def measure_copies(state: dict, size: int) -> None:
    tables = [state[name] for name in TABLES]
    copies = [np.empty_like(table) for table in tables]
    _, took = timed(lambda: [copy.fill(0.0) for copy in copies])
    print(f"first touch         {rate(size, took)}   of the memory for a copy, beside the training")
    _, took = timed(lambda: [np.copyto(copy, table) for copy, table in zip(copies, tables)])
    print(f"copy                {rate(size, took)}   what training waits for")


def measure_loss(folder: Path, game: str, seconds: float, every: float) -> None:
    """Time in pauses (checkpoints, metrics, status) and processor time of writing, of solving and pauses together.

    Measuring exploitability is no part of it. `--every 0` asks for as many checkpoints as their pace allows.
    """
    tree = mccfr.compile(game)
    mccfr.Solver(tree, "external").run(10)  # compiled
    print(f"training {game}, {tree.infosets.entries:,} entries, {seconds:g} s, a checkpoint every {every:g} s at most")
    for name, pause in (("without", 1e9), ("with", every), ("without", 1e9), ("with", every)):
        spent = [0.0]
        timing(training.Training, "_pause", spent)
        home = Path(tempfile.mkdtemp(dir=folder))
        run = mccfr.train(home, tree, "external", seconds=seconds, seed=1, checkpoint_every=pause)
        costs = [event["cost"] for event in run.events() if event["event"] == "checkpointed"][:-1]
        status, total = run.status, run.status.seconds + spent[0]
        print(
            f"  {name:<8} {status.iterations / status.seconds:>9,.0f} iterations/s, {len(costs)} checkpoints; "
            f"in pauses {spent[0] / total:.2%}, for checkpoints (writing in the background included) "
            f"{sum(costs) / total:.2%} of the time"
        )
    print(f"  allowed: {LOSS_ALLOWED:.0%}")


def timing(owner: type, name: str, spent: list[float]) -> None:
    """Have a method add the time it takes to `spent`."""
    original = getattr(getattr(owner, name), "original", getattr(owner, name))

    def timed_call(self) -> None:
        began = time.perf_counter()
        try:
            original(self)
        finally:
            spent[0] += time.perf_counter() - began

    timed_call.original = original
    setattr(owner, name, timed_call)


def timed(work):
    began = time.perf_counter()
    result = work()
    return result, time.perf_counter() - began


def rate(size: int, took: float) -> str:
    return f"{took:6.2f} s, {size / took / 1e6:8,.0f} MB/s"


def write_plainly(path: Path, arrays: list[np.ndarray]) -> None:
    with path.open("wb", buffering=0) as file:
        for array in arrays:
            for piece in container._pieces(array):
                file.write(piece)
        os.fsync(file.fileno())


def read_plainly(path: Path, buffer: np.ndarray) -> None:
    with path.open("rb", buffering=0) as file:
        while file.readinto(buffer):
            pass


def drop_from_cache(path: Path) -> None:
    with path.open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def bits(array: np.ndarray) -> int:
    """A checksum that notices every bit."""
    return int(np.bitwise_xor.reduce(array.view(np.uint64)))


if __name__ == "__main__":
    main()
