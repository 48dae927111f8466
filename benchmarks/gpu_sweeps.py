"""Full-width sweeps on a GPU beside one core and sixteen: iterations of CFR+ and exploitability of written-out games.

python benchmarks/gpu_sweeps.py                    all of it: correctness first, then the games, then variants
python benchmarks/gpu_sweeps.py "goofspiel(6)"     other games
python benchmarks/gpu_sweeps.py --no-variants      without other numbers of threads and registers

Sixteen cores are sixteen processes that share the tree and have tables of their own, all at once: the most that sweeps
could get from them. GB/s counts every number once that an iteration must read or write, without the gathers from plans.
"""

import argparse
import multiprocessing
import os
import subprocess
import sys
import time
from typing import Any

import numpy as np
from timing import print_table

import mccfr
from mccfr.evaluate.exact import Evaluator
from mccfr.gpu.sweeps import DeviceSweeps
from mccfr.kernel.levels import level_side
from mccfr.kernel.sequence_form import plan_for
from mccfr.solvers.engines import SweepEngine
from mccfr.solvers.gpu_sweep_engine import GpuSweepEngine
from mccfr.solvers.method import Method

GAMES = ("goofspiel(6)", "goofspiel(7)", "bluff(2,1,rounds=one)")  # bluff(2,2) has 14.8 billion nodes
CHECKED = ("goofspiel(5)", "leduc", "bluff(1,1)")
BANDWIDTH = 4.3e12  # bytes/s that copies reach on an H200
CORES = 16
PIECE = 1.0  # seconds of a measurement
VARIANTS = (  # threads of a block, registers of a thread
    *((256, 64), (256, None), (256, 48), (256, 40)),
    *((128, 64), (512, 64), (1024, 64)),
)


def rate(run: Any, piece: float = PIECE) -> float:
    """Calls of run(1) per second, by run(n); what it compiles is not counted."""
    run(0)
    run(1)
    n, took = 1, 0.0
    while took < piece / 2:
        began = time.perf_counter()
        run(n)
        took = time.perf_counter() - began
        n = n if took >= piece / 2 else max(2 * n, int(n * piece / max(took, 1e-6) / 2))
    return n / took


# Correctness ----------------------------------------------------------------------------------------------------------


def largest_difference(engine: Any, twin: Any) -> str:
    parts = [
        f"{name} {np.abs(engine.arrays[name] - array).max() / np.abs(array).max():.1e}"
        for name, array in twin.arrays.items()
    ]
    return ", ".join(parts[:-1])


def check() -> bool:
    """Tables against those of the CPU after 50 iterations: bit for bit without fused multiply-add, and with it."""
    from mccfr.kernel.cuda_sweeps import without_fusing

    right = True
    with without_fusing() as kernels:
        for game in CHECKED:
            tree, method = mccfr.compile(game).written, Method.parse("cfr_plus")
            plain = DeviceSweeps(tree.sequence_form, tree.infosets.entries, game, kernels)
            exact, twin = GpuSweepEngine(tree, method, plain), SweepEngine(tree, method)
            exact.run(50)
            twin.run(50)
            same = all((exact.arrays[name] == array).all() for name, array in twin.arrays.items())
            measured, wanted = exact.nash_conv(), Evaluator(tree).nash_conv(twin.weights())
            print(f"{game}: 50 iterations without fusing: same bits {same}, NashConv same bits {measured == wanted}")
            right = right and same and measured == wanted
    for game in CHECKED:
        tree, method = mccfr.compile(game).written, Method.parse("cfr_plus")
        fused, twin = GpuSweepEngine(tree, method), SweepEngine(tree, method)
        for n in (3, 47):
            fused.run(n)
            twin.run(n)
            print(f"{game}: {int(twin.clock[0])} iterations, fused: largest relative {largest_difference(fused, twin)}")
        found, wanted = fused.nash_conv(), Evaluator(tree).nash_conv(twin.weights())
        print(f"{game}: NashConv {found:.9g}, on the CPU {wanted:.9g}", flush=True)
        right = right and abs(found - wanted) < 1e-6 * wanted
    print("correct" if right else "WRONG", flush=True)
    return right


# One core and sixteen -------------------------------------------------------------------------------------------------


def cpu_rates(tree: Any) -> tuple[float, float]:
    """Iterations and measurements per second of one core."""
    engine, evaluator = SweepEngine(tree, Method.parse("cfr_plus")), Evaluator(tree)

    def measure(n: int) -> None:
        for _ in range(n):
            evaluator.nash_conv(engine.weights())

    return rate(engine.run), rate(measure)


def one_of_many(tree: Any, core: int, barrier: Any, results: Any) -> None:
    if hasattr(os, "sched_setaffinity"):
        allowed = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {allowed[core % len(allowed)]})
    engine, evaluator = SweepEngine(tree, Method.parse("cfr_plus")), Evaluator(tree)
    engine.run(2)
    weights, found = engine.weights().copy(), []
    for run in (engine.run, lambda n: evaluator.nash_conv(weights)):
        barrier.wait()
        began, n = time.perf_counter(), 0
        while time.perf_counter() - began < 2 * PIECE:
            run(1)
            n += 1
        found.append(n / (time.perf_counter() - began))
    results.put(found)


def many_rates(tree: Any, cores: int) -> tuple[float, float]:
    """The same of so many processes at once, summed."""
    context = multiprocessing.get_context("fork")  # the tree is shared
    barrier, results = context.Barrier(cores), context.Queue()
    workers = [context.Process(target=one_of_many, args=(tree, core, barrier, results)) for core in range(cores)]
    for worker in workers:
        worker.start()
    found = np.sum([results.get() for _ in workers], axis=0)
    for worker in workers:
        worker.join()
    return float(found[0]), float(found[1])


# The GPU --------------------------------------------------------------------------------------------------------------


def traffic(tree: Any) -> tuple[int, int]:
    """Bytes that an iteration and a measurement must read or write, gathers from plans not counted."""
    iteration = measurement = 0
    for side in map(level_side, tree.sequence_form):
        sequences, infosets = len(plan_for(side)), len(side.parent)
        endings = 12 * len(side.worth) + 16 * len(side.piece)
        gathering = sequences * (4 + 4 + 8 + 8) + infosets * (4 + 4 + 8 + 8)
        places = infosets * (4 + 4 + 4)
        iteration += endings + gathering + sequences * (3 * 16 + 8 + 8) + 2 * places + 8 * infosets
        measurement += endings + gathering + sequences * (8 + 8) + 2 * places
    return iteration, measurement


def gpu_rates(sweeps: DeviceSweeps, tree: Any) -> tuple[float, float]:
    """Iterations and measurements per second, the tables having learned a little."""
    engine = GpuSweepEngine(tree, Method.parse("cfr_plus"), sweeps)
    engine.run(20)

    def measure(n: int) -> None:
        for _ in range(n):
            engine.nash_conv()

    return rate(engine.run), rate(measure)


def device_sweeps(tree: Any, threads: int = 256, registers: int | None = 64) -> DeviceSweeps:
    from mccfr.kernel.cuda_sweeps import sweep_kernels

    kernels = sweep_kernels(**({} if registers is None else {"max_registers": registers}))
    return DeviceSweeps(tree.sequence_form, tree.infosets.entries, tree.game, kernels, threads)


def steps(sweeps: DeviceSweeps) -> dict[str, float]:
    """Seconds that parts of an iteration take: the terminals of both players, and one wait of all threads."""
    from mccfr.kernel.cuda_sweeps import Grid, cuda
    from mccfr.kernel.layout import u64
    from mccfr.kernel.level_sweeps import add_endings, wait

    def endings(n, first, second, work0, work1):
        cuda.cg.this_grid()
        crowd = Grid(u64(cuda.grid(1)), u64(cuda.gridsize(1)))
        for _ in range(n):
            add_endings(crowd, first, work1.plan, work0.sums)
            wait(crowd)
            add_endings(crowd, second, work0.plan, work1.sums)
            wait(crowd)

    def waits(n):
        cuda.cg.this_grid()
        crowd = Grid(u64(cuda.grid(1)), u64(cuda.gridsize(1)))
        for _ in range(n):
            wait(crowd)

    def seconds(kernel: Any, n: int, *given: Any) -> float:
        sweeps._launch(kernel, 1, *given)
        cuda.synchronize()
        began = time.perf_counter()
        sweeps._launch(kernel, n, *given)
        cuda.synchronize()
        return (time.perf_counter() - began) / n

    options = {"max_registers": 64}
    return {
        "terminals of both players": seconds(cuda.jit(endings, **options), 200, *sweeps.sides, *sweeps.works),
        "a wait": seconds(cuda.jit(waits, **options), 2000),
    }


def on_cpus(game: str, cores: int) -> tuple[Any, tuple[float, float], tuple[float, float]]:
    """A game, and its rates on one core and on several. All games come here before anything touches the GPU."""
    began = time.perf_counter()
    tree = mccfr.compile(game).written
    tree.sequence_form  # noqa: B018
    built = time.perf_counter() - began
    one, many = cpu_rates(tree), many_rates(tree, cores)
    print(
        f"{game}: {len(tree):,} nodes, {len(tree.sequence_form.first.worth):,} payoffs, built in {built:.1f} s; "
        f"one core {one[0]:.4g} it/s, {one[1]:.4g} measurements/s; {cores} cores {many[0]:.4g}, {many[1]:.4g}",
        flush=True,
    )
    return tree, one, many


def report(game: str, tree: Any, one: Any, many: Any, sweeps: DeviceSweeps) -> list[list[str]]:
    found, moved = gpu_rates(sweeps, tree), traffic(tree)
    return [
        [
            *(game, what, f"{one[j]:.4g}", f"{many[j]:.4g}", f"{found[j]:.4g}"),
            *(f"{found[j] / one[j]:.1f}", f"{found[j] / many[j]:.1f}"),
            *(f"{moved[j] * found[j] / 1e9:.0f}", f"{100 * moved[j] * found[j] / BANDWIDTH:.0f} %"),
        ]
        for j, what in enumerate(("CFR+ iterations/s", "measurements/s"))
    ]


def vary(game: str, tree: Any) -> None:
    for threads, registers in VARIANTS:
        began = time.perf_counter()
        found = gpu_rates(device_sweeps(tree, threads, registers), tree)
        took = time.perf_counter() - began
        print(
            f"{game}: {threads} threads, {registers or 'any'} registers: {found[0]:.4g} it/s, {found[1]:.4g} "
            f"measurements/s ({took:.1f} s with compiling)",
            flush=True,
        )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("games", nargs="*", default=GAMES, help="written-out games")
    options.add_argument("--cores", type=int, default=CORES, help="processes that stand for as many cores")
    options.add_argument("--check", action="store_true", help="correctness only")
    options.add_argument("--no-variants", action="store_true", help="no other numbers of threads and registers")
    given = options.parse_args()
    if given.check:
        sys.exit(0 if check() else 1)
    print(find_name(), flush=True)
    checked = subprocess.run([sys.executable, __file__, "--check"])  # CUDA would not outlive the forks below
    measured = {game: on_cpus(game, given.cores) for game in given.games}
    head = [
        "game",
        "what",
        "one core",
        f"{given.cores} cores",
        "GPU",
        "/ one",
        f"/ {given.cores}",
        "GB/s",
        "of 4.3 TB/s",
    ]
    rows = []
    for game, (tree, one, many) in measured.items():
        sweeps = device_sweeps(tree)
        rows += report(game, tree, one, many, sweeps)
        parts = ", ".join(f"{name} {1e6 * value:.1f} us" for name, value in steps(sweeps).items())
        levels = [len(side.first) - 1 for side in sweeps.sides]
        print(f"{game}: {parts}; {2 * sum(levels) + 2} waits an iteration", flush=True)
    print_table(head, rows, 2)
    if not given.no_variants:
        for game in [game for game in measured if game == "goofspiel(7)"] or list(measured)[-1:]:
            vary(game, measured[game][0])
    sys.exit(checked.returncode)


def find_name() -> str:
    """The GPU's name, asked for in another process: see above."""
    asked = "from mccfr.gpu.device import find_gpu; print(find_gpu('this benchmark'))"
    found = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True)
    return found.stdout.strip() or sys.exit(found.stderr.strip().splitlines()[-1])


if __name__ == "__main__":
    main()
