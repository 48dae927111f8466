"""Walks on a GPU, without one: the kernels in numba's CUDA simulator, and what is said where there is no GPU."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import walk_checks

import mccfr
from mccfr.errors import DeviceError, MethodError
from mccfr.gpu import device
from mccfr.gpu.device import Gpu, require_room
from mccfr.solvers import device_engine
from mccfr.solvers.device_engine import place_iterations, walks_in_flight
from mccfr.solvers.method import Method

TESTS = Path(__file__).parent
H200 = Gpu("NVIDIA H200", 132, 140 * 2**30, 141 * 2**30)


def in_the_simulator(names):
    """What went wrong in each check, in the simulator."""
    paths = os.pathsep.join(map(str, (TESTS.parent, TESTS)))
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": paths}
    command = [sys.executable, TESTS / "walk_checks.py", json.dumps(names)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


QUICK = {name for name in walk_checks.CHECKS if name.startswith("alone: ") and "buckets" not in name} | {
    *("means: external", "changes device", "counting nodes", "shared memory"),
}


def test_in_the_simulator():
    assert len(QUICK) >= 18
    assert in_the_simulator(sorted(QUICK)) == dict.fromkeys(QUICK, "")


@pytest.mark.slow  # simulated threads wait for each other most of a minute
def test_the_rest_in_the_simulator():
    names = [name for name in walk_checks.CHECKS if name not in QUICK]
    assert in_the_simulator(names) == dict.fromkeys(names, "")


def test_without_a_gpu_one_line_says_so(tmp_path):
    with pytest.raises(DeviceError, match=r"needs an NVIDIA GPU, and none can be used here .*take --device cpu"):
        mccfr.Solver("kuhn", "external", device="gpu")
    words = ["solve", "kuhn", "-m", "external", "-n", "10", "--device", "gpu", "--out", str(tmp_path / "a")]
    done = subprocess.run([sys.executable, "-m", "mccfr", *words], capture_output=True, text=True, cwd=TESTS.parent)
    assert done.returncode == 2
    assert done.stderr.startswith("mccfr: error: --device gpu needs an NVIDIA GPU")
    assert not (tmp_path / "a").exists()
    found = mccfr.Solver("kuhn", "external", device="auto")
    assert (found.device, found.placement) == ("cpu", "no GPU can be used here")


def test_without_the_package_it_says_how_to_install_it(monkeypatch):
    def missing():
        raise ImportError

    monkeypatch.setattr(device, "cuda", missing)
    with pytest.raises(mccfr.MccfrError, match=r"--device gpu needs numba-cuda, .* install 'mccfr\[gpu\]'"):
        mccfr.Solver("kuhn", "external", device="gpu")


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("lp", "a GPU makes walks with one pair of hands, and sweeps"),
        ("chance", "freezes its strategy"),
        ("external+batch(4)", "freezes its strategy"),
        ("external+discounted", "does more than add"),
        ("external+prm_plus", "does more than add"),
        ("outcome+predictive+rm_plus", "predictive baselines"),
        ("outcome+optimistic", "optimistic averages"),
        ("external+common", "common random numbers"),
    ],
)
def test_a_method_without_a_form_for_gpus_is_refused(method, words):
    with pytest.raises(MethodError, match=f"{words}.*: take --device cpu"):
        mccfr.Solver("kuhn", method, device="gpu")
    found = mccfr.Solver("kuhn", method, device="auto")
    assert found.device == "cpu"
    assert words in found.placement


def test_workers_and_unknown_devices_are_refused():
    with pytest.raises(MethodError, match="leave workers and parallel out"):
        mccfr.Solver("kuhn", "external", workers=2, device="gpu")
    with pytest.raises(MethodError, match="unknown device 'gpuu'; did you mean gpu"):
        mccfr.Solver("kuhn", "external", device="gpuu")
    with pytest.raises(MethodError, match="unknown device 7"):
        mccfr.solve("kuhn", "external", device=7)


def test_auto_takes_the_gpu_where_it_pays(monkeypatch):
    monkeypatch.setattr(device_engine, "find_gpu", lambda purpose: H200)
    external, small, large = Method.parse("external"), mccfr.compile("kuhn"), mccfr.compile("holdem(limit, ehs2(10))")
    assert (
        "a GPU pays from about 1,000,000 table entries, here there are 24"
        in place_iterations(small, external, "auto")[1]
    )
    assert large.infosets.entries > 1_000_000
    assert place_iterations(large, external, "auto") == ("gpu", "")


def test_walks_in_flight_follow_from_the_table_and_from_what_they_visit():
    assert walks_in_flight(H200, 10**8, 125.0) == 132 * 4 * 128
    assert walks_in_flight(H200, 2184, 22.4) == 3104  # Leduc, external: 32 visits to an entry
    assert walks_in_flight(H200, 2184, 7.7) == 9056
    assert walks_in_flight(H200, 74_076, 2113.5) == 1120  # Goofspiel(6)
    assert walks_in_flight(H200, 5, 10.0) == 32


def test_tables_that_do_not_fit_are_refused_before_they_are_copied():
    little = H200._replace(free=2**30, total=2**31)
    with pytest.raises(DeviceError, match=r"tables would need about 4.00 GiB on the GPU, and NVIDIA H200 has 0.50 of"):
        require_room(little, 2**32, "tables")
    require_room(H200, 2**32, "tables")


def test_what_a_driver_raises_becomes_one_line():
    class CudaAPIError(Exception):
        pass

    told = r"the GPU failed during iterations of kuhn \(.*719.*\): what was saved is safe"
    with pytest.raises(DeviceError, match=told), device.guarded("iterations of kuhn"):
        raise CudaAPIError("[719] Call to cuCtxSynchronize results in CUDA_ERROR_LAUNCH_FAILED")
    with pytest.raises(ZeroDivisionError), device.guarded("iterations of kuhn"):
        _ = 1 / 0


def test_a_gpu_that_is_lost_costs_nothing_that_was_saved(tmp_path):
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": str(TESTS.parent)}
    done = subprocess.run(
        [sys.executable, TESTS / "lost_device.py", tmp_path / "run"],
        env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 2
    assert "mccfr: error: the GPU failed during iterations of kuhn" in done.stderr
    assert "Traceback" not in done.stderr
    saved = int(mccfr.Run(tmp_path / "run").checkpoints()[0].stem)
    assert saved > 0
    run = mccfr.Run(tmp_path / "run").train(iterations=saved + 100, device="cpu")
    assert run.status.iterations == saved + 100
    assert any("continues on the cpu after the gpu" in str(event.get("message")) for event in run.events())
    assert run.record.resolved["device"] == "cpu"
