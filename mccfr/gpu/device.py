"""The GPU of this machine: found, measured, and given back to its user in one line when it fails."""

import contextlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from mccfr.errors import DeviceError, MethodError, MissingExtra, nearest, one_line, quoted
from mccfr.kernel.cuda_target import cuda, simulated

DEVICES = ("cpu", "gpu", "auto")
SPARE = 2**29  # bytes of the GPU's memory that drivers and kernels take for themselves
SIMULATED_MEMORY = 2**32


class Gpu(NamedTuple):
    """A GPU as the driver describes it."""

    name: str
    multiprocessors: int
    free: int  # bytes
    total: int  # bytes


def checked_device(device: Any) -> str:
    """One of `DEVICES`, or an error."""
    if device in DEVICES:
        return str(device)
    raise MethodError(f"unknown device {quoted(device)}; {nearest(str(device), DEVICES)}")


def find_gpu(purpose: str) -> Gpu:
    """The GPU, or an error that says why there is none. purpose: what it is for, as an error begins."""
    try:
        target = cuda()
    except ImportError:
        raise MissingExtra("numba-cuda", "gpu", purpose) from None
    if simulated():
        return Gpu("simulator", 1, SIMULATED_MEMORY, SIMULATED_MEMORY)
    try:
        found = target.get_current_device()
        free, total = target.current_context().get_memory_info()
        name = found.name.decode() if isinstance(found.name, bytes) else str(found.name)
        return Gpu(name, int(found.MULTIPROCESSOR_COUNT), int(free), int(total))
    except Exception as error:  # whatever a driver, or the lack of one, can answer
        raise DeviceError(
            f"{purpose} needs an NVIDIA GPU, and none can be used here ({why(error)}): take --device cpu"
        ) from None


def why(error: BaseException) -> str:
    """The part of a driver's error that says something."""
    lines = [line.strip(" :") for line in str(error).splitlines() if line.strip(" :")]
    return one_line(lines[1] if len(lines) > 1 and lines[0].startswith("Error at driver init") else " ".join(lines))


def require_room(gpu: Gpu, need: int, what: str) -> None:
    """Refuse what does not fit into the GPU's free memory. what: as in 'the tables of 5 entries'."""
    if need + SPARE > gpu.free:
        raise DeviceError(
            f"{what} would need about {need / 2**30:.2f} GiB on the GPU, and {gpu.name} has "
            f"{max(gpu.free - SPARE, 0) / 2**30:.2f} of {gpu.total / 2**30:.2f} GiB free: take --device cpu"
        )


@contextlib.contextmanager
def guarded(doing: str) -> Iterator[None]:
    """What a driver raises inside becomes one line. doing: what was going on, as in 'iterations of leduc'."""
    try:
        yield
    except Exception as error:
        if not from_driver(error):
            raise
        raise DeviceError(
            f"the GPU failed during {doing} ({why(error)}): what was saved is safe; "
            "go on with mccfr resume FOLDER, on a machine without a GPU with --device cpu"
        ) from None


def from_driver(error: BaseException) -> bool:
    """Whether the CUDA driver says so."""
    return type(error).__name__ in ("CudaAPIError", "CudaDriverError", "CUDAError", "CudaSupportError", "NvvmError")


def on_device(value: Any, seen: dict[int, Any] | None = None) -> Any:
    """The same NamedTuples with all arrays copied to the GPU; arrays that share their memory share it there too.

    Words become 0: they are for whoever made the NamedTuples, and a GPU has no strings.
    """
    seen = {} if seen is None else seen
    if isinstance(value, str):
        return 0
    if isinstance(value, np.ndarray):
        return _copied(value, seen)
    if isinstance(value, tuple):
        parts = [on_device(part, seen) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def _copied(array: np.ndarray, seen: dict[int, Any]) -> Any:
    if array.size == 0:  # nothing is read of it, but kernels want an address
        return cuda().to_device(np.zeros([max(n, 1) for n in array.shape], array.dtype))
    place = array.__array_interface__["data"][0]
    if place not in seen:
        seen[place] = cuda().to_device(np.ascontiguousarray(array)), array.nbytes
    found, size = seen[place]
    if size == array.nbytes and found.dtype != array.dtype:
        return found.view(array.dtype)
    if size != array.nbytes or found.shape != array.shape:
        return cuda().to_device(np.ascontiguousarray(array))
    return found


def bytes_of(value: Any) -> int:
    """What the arrays among these NamedTuples take."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    return sum(map(bytes_of, value)) if isinstance(value, tuple) else 0
