"""Trains in a folder, in the simulator, until the GPU is lost after some launches: for `test_device_walks.py`."""

import sys
import warnings

from mccfr.cli.main import run
from mccfr.solvers.device_engine import DeviceWalkEngine


class CudaAPIError(Exception):
    """As the driver's."""


launch, left = DeviceWalkEngine._launch, [30]


def lost(self, n):
    left[0] -= 1
    if left[0] < 0:
        raise CudaAPIError("[999] Call to cuLaunchKernel results in CUDA_ERROR_UNKNOWN")
    launch(self, n)


warnings.simplefilter("ignore")
DeviceWalkEngine._launch = lost
words = ["mccfr", "solve", "kuhn", "-m", "external", "-n", "100000", "--device", "gpu", "--checkpoint-every", "0.01"]
sys.argv = [*words, "--out", sys.argv[1]]
sys.exit(run())
