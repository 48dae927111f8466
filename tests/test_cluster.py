"""Batches on a Ray cluster: the result of one machine, also when a node dies on the way."""

import threading
import time

import numpy as np
import pytest
from click.testing import CliRunner

import mccfr
from mccfr.cli.main import cli
from mccfr.jobs.ray_pool import connected
from mccfr.runs.cluster import RayCrew, writable

pytest.importorskip("ray")

METHOD = "external+batch(64)"


@pytest.fixture(scope="module")
def cluster():
    """Three nodes on this machine: one that only leads, two that work."""
    from ray.cluster_utils import Cluster

    told_soon = {"health_check_period_ms": 500, "health_check_timeout_ms": 1000, "health_check_failure_threshold": 2}
    head = {"num_cpus": 0, "include_dashboard": False, "_system_config": told_soon}
    made = Cluster(initialize_head=True, head_node_args=head)
    made.workers = [made.add_node(num_cpus=1) for _ in range(2)]
    yield made
    made.shutdown()


def assert_same(one, other):
    assert one.keys() == other.keys()
    for name in one.keys() - {"seconds"}:
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)


@pytest.mark.slow
def test_a_cluster_that_loses_a_node_comes_to_the_result_of_one_machine(cluster, tmp_path):
    with connected(cluster.address) as ray:
        solver = mccfr.Solver("leduc", METHOD, 3, parallel="batch", crew=lambda engine: RayCrew(ray, engine))
        solver.run(64)
        before = len([node for node in ray.nodes() if node["Alive"]])
        killing = threading.Timer(0.2, cluster.remove_node, [cluster.workers.pop()], {"allow_graceful": False})
        killing.start()
        while killing.is_alive() or len([node for node in ray.nodes() if node["Alive"]]) == before:
            solver.run(64)
            time.sleep(0.01)
        solver.run(640)
    local = mccfr.solve("leduc", METHOD, iterations=solver.iterations, seed=3, workers=2, parallel="batch")
    assert_same(solver.state, local.state)
    assert np.abs(local.state["regret"]).max() > 0


@pytest.mark.slow
def test_a_run_goes_on_with_or_without_its_cluster(cluster, tmp_path):
    folder, twin = tmp_path / "a", tmp_path / "twin"
    asked = ["solve", "kuhn", "-m", METHOD, "--out", str(folder)]
    assert CliRunner().invoke(cli, [*asked, "-n", "640", "--ray", cluster.address]).exit_code == 0
    assert CliRunner().invoke(cli, ["resume", str(folder), "-n", "1280"]).exit_code == 0
    assert CliRunner().invoke(cli, ["resume", str(folder), "-n", "1920", "--ray", cluster.address]).exit_code == 0
    mccfr.train(twin, "kuhn", METHOD, iterations=1920, parallel="batch", workers=2)
    done, same = (mccfr.Run(path).strategy() for path in (folder, twin))
    np.testing.assert_array_equal(done.probabilities, same.probabilities)
    np.testing.assert_array_equal(mccfr.Run(folder).metrics()["touched"][-1], mccfr.Run(twin).metrics()["touched"][-1])


def test_a_cluster_that_is_not_there_is_told_in_one_line(tmp_path):
    result = CliRunner().invoke(
        cli, ["solve", "kuhn", "-n", "9", "-m", METHOD, "--out", str(tmp_path / "a"), "--ray", "127.0.0.1:1"]
    )
    assert result.exit_code == 2
    assert result.stderr.startswith("mccfr: error: no Ray cluster answers at 127.0.0.1:1: ")
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "a").exists()


def test_shared_memory_is_read_as_it_is():
    array = np.arange(5.0)
    array.flags.writeable = False
    seen = writable((array, mccfr.Progress(1, 2.0, None)))
    assert seen[0].flags.writeable
    assert np.shares_memory(seen[0], array)
    assert seen[1] == mccfr.Progress(1, 2.0, None)
