"""What a run is: as it was asked for, as it was resolved, and by which versions. Kept in `run.json`."""

import dataclasses
import json
import platform
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mccfr.amounts import AmountError, read_target, target_in_payoffs
from mccfr.errors import FileError, MethodError, one_line, quoted
from mccfr.files.bounded import is_count, is_finite, parse_json, read_plain
from mccfr.files.container import atomic
from mccfr.gpu.device import DEVICES
from mccfr.runs.strategy_checksums import checksums_of
from mccfr.solvers.solver import Solver
from mccfr.strategy.file import buckets_of
from mccfr.version import __version__

FORMAT, SCHEMA = "mccfr-run", 1
MOST_WORKERS = 4096


@dataclasses.dataclass(frozen=True)
class Config:
    """What was asked for: the arguments of `mccfr.train`.

    `iterations`, `seconds` (of solving) and `target` are totals; the first one reached ends the run.
    """

    game: str
    method: str = "auto"
    seed: int = 0
    iterations: int | None = None
    seconds: float | None = None
    target: float | str | None = None  # in payoffs, or a percentage of the pot
    workers: int = 1
    parallel: str = "auto"
    checkpoint_every: float = 60.0
    keep: int = 3
    tensorboard: bool = False
    use: tuple[str, ...] = ()
    memory_limit: str | float | None = None
    device: str = "cpu"

    def __post_init__(self) -> None:
        _check(self.iterations is None or _is_count(self.iterations, 0), "iterations", "a whole number from 0", self)
        _check(_is_amount(self.seconds), "seconds", "a number from 0", self)
        if self.target is not None:
            object.__setattr__(self, "target", _target(self.target))
        _check(_is_amount(self.checkpoint_every), "checkpoint_every", "a number of seconds from 0", self)
        _check(_is_count(self.keep, 1), "keep", "a whole number from 1", self)

    @property
    def limited(self) -> bool:
        """Whether anything ends this run."""
        return (self.iterations, self.seconds, self.target) != (None, None, None)

    def goal(self, pot: float | None) -> float | None:
        """The exploitability to reach, in the payoffs of a game with this pot; None if there is none."""
        return None if self.target is None else target_in_payoffs(self.target, pot, self.game)

    def reached(self, iterations: int, seconds: float, exploitability: float | None, pot: float | None = None) -> bool:
        """Whether a run that has come so far has come to its end."""
        goal = self.goal(pot)
        return (
            (self.iterations is not None and iterations >= self.iterations)
            or (self.seconds is not None and seconds >= self.seconds)
            or (goal is not None and exploitability is not None and exploitability <= goal)
        )

    def limited_to(self, iterations: int | None, seconds: float | None, target: float | str | None) -> "Config":
        """This configuration with other limits, if any are given."""
        if (iterations, seconds, target) == (None, None, None):
            return self
        return dataclasses.replace(self, iterations=iterations, seconds=seconds, target=target)


def _check(right: bool, name: str, what: str, config: Config) -> None:
    if not right:
        raise MethodError(f"{name} must be {what}, got {quoted(getattr(config, name))}")


MOST = 1e300  # seconds and the like: numbers that floats take


def _is_count(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _target(value: Any) -> float | str:
    try:
        return read_target(value)
    except AmountError as error:
        raise MethodError(str(error)) from None


def _is_amount(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < MOST)


@dataclasses.dataclass(frozen=True)
class Record:
    """Everything in `run.json`."""

    given: Config
    resolved: dict[str, Any]  # game, method, reason, workers, parallel, device, reproducible, pot, checksums
    versions: dict[str, str]
    fingerprint: str  # of the tree
    sizes: dict[str, int]
    created: str
    seal: str = ""  # that whoever uses this machine named the files in it: see `mccfr.runs.seal`

    @property
    def age(self) -> float:
        """Seconds since the run was created."""
        return max(0.0, (datetime.now(UTC) - datetime.fromisoformat(self.created)).total_seconds())

    @property
    def pot(self) -> float | None:
        """The game's pot, if it has one."""
        return self.resolved.get("pot")

    def changed_versions(self) -> str:
        """What is installed in another version than when the run was created, as 'numba 0.61, now 0.62'."""
        now = versions()
        changed = [name for name in ("mccfr", "numpy", "numba") if self.versions.get(name) != now[name]]
        return ", ".join(f"{name} {self.versions.get(name)}, now {now[name]}" for name in changed)

    def __str__(self) -> str:
        return f"{one_line(self.resolved['game'])} by {one_line(self.resolved['method'])}, seed {self.given.seed}"

    def write(self, path: Path) -> None:
        """To `run.json`."""
        with atomic(path) as stream:
            text = json.dumps({"format": FORMAT, "schema": SCHEMA, **dataclasses.asdict(self)}, indent=1)
            stream.write(text.encode() + b"\n")


def record_of(config: Config, solver: Solver) -> Record:
    """The record of a new run."""
    return Record(
        config,
        resolved(solver),
        versions(),
        solver.tree.fingerprint,
        solver.tree.counts,
        datetime.now(UTC).isoformat(timespec="milliseconds"),
    )


def resolved(solver: Solver) -> dict[str, Any]:
    """What a solver was found to be."""
    return {
        "game": solver.tree.game,
        "method": str(solver.method),
        "reason": solver.reason,
        "workers": solver.workers,
        "parallel": solver.parallel,
        "device": solver.device,
        "placement": solver.placement,
        "reproducible": solver.reproducible,
        "pot": solver.tree.pot,
        **buckets_of(solver.tree),
        **checksums_of(solver.method),
    }


def versions() -> dict[str, str]:
    """Of everything that may change a result."""
    return {
        "mccfr": __version__,
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "platform": platform.platform(),
    }


def read_record(folder: Path) -> Record:
    """`run.json` of a folder, or an error that says why it is no run."""
    path = folder / "run.json"
    try:
        found = parse_json(read_plain(path))
    except FileError:
        raise
    except (FileNotFoundError, NotADirectoryError):
        raise FileError(f"{folder} is not a run folder: it has no run.json") from None
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror or error}") from None
    except ValueError as error:
        raise FileError(f"{path} is damaged: {error}") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise FileError(f"{path} is not of a run: its format should be {FORMAT!r}")
    if not is_count(found.get("schema"), SCHEMA, SCHEMA):
        raise FileError(f"{path} has schema {quoted(found.get('schema'))}, this version of mccfr reads {SCHEMA}")
    try:
        return _record(found)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        why = " ".join(str(error).split())[:150]
        raise FileError(f"{path} is damaged: {type(error).__name__}: {why}") from None


def _record(found: dict[str, Any]) -> Record:
    given, resolved = dict(found["given"]), found["resolved"]
    _require_types("given", given, GIVEN)
    config = Config(**{**given, "use": tuple(given["use"])})
    if not isinstance(resolved, dict) or not {"game", "method", "workers", "parallel"} <= resolved.keys():
        raise ValueError("'resolved' is incomplete")
    _require_types("resolved", resolved, RESOLVED)
    _require_types("run.json", found, RECORD)
    for name in ("versions", "sizes"):
        kind = TEXT if name == "versions" else COUNT
        _require_types(name, found[name], dict.fromkeys(found[name], kind))
    if not found["sizes"].keys() >= SIZES:
        raise ValueError("'sizes' is incomplete")
    if datetime.fromisoformat(found["created"]).tzinfo is None:
        raise ValueError("'created' has no time zone")
    rest = {field.name: found[field.name] for field in dataclasses.fields(Record)[1:] if field.name in found}
    return Record(config, **rest)


def _require_types(place: str, values: dict[str, Any], kinds: Mapping[str, tuple[Callable[[Any], bool], str]]) -> None:
    """Refuse a value of another kind than is written there; what is missing is somebody else's to miss."""
    for name, (is_right, words) in kinds.items():
        if name in values and not is_right(values[name]):
            raise ValueError(f"{name} in {place} is {quoted(values[name])}, expected {words}")


def _is_pot(value: Any) -> bool:
    return value is None or (is_finite(value) and value >= 0)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _is_use(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_limit(value: Any) -> bool:
    return value is None or _is_text(value) or is_finite(value)


TEXT = (_is_text, "text")
COUNT = (is_count, "a whole number from 0")
FLAG = (lambda value: isinstance(value, bool), "true or false")
TABLE = (lambda value: isinstance(value, dict), "names and values")
WORKERS = (lambda value: is_count(value, 0, MOST_WORKERS), f"a number of workers up to {MOST_WORKERS}")
DEVICE = (lambda value: value in DEVICES, "cpu, gpu or auto")
GIVEN: dict[str, tuple[Callable[[Any], bool], str]] = {  # what is checked by nobody else
    "game": TEXT,
    "method": TEXT,
    "seed": COUNT,
    "workers": WORKERS,
    "parallel": TEXT,
    "tensorboard": FLAG,
    "use": (_is_use, "a list of files"),
    "memory_limit": (_is_limit, "an amount of memory"),
    "device": DEVICE,
}
RESOLVED = {
    "game": TEXT,
    "method": TEXT,
    "reason": TEXT,
    "workers": WORKERS,
    "parallel": TEXT,
    "device": DEVICE,
    "placement": TEXT,
    "reproducible": FLAG,
    "pot": (_is_pot, "a number from 0, or nothing"),
}
RECORD = {"versions": TABLE, "sizes": TABLE, "fingerprint": TEXT, "created": TEXT, "seal": TEXT}
SIZES = {"nodes", "infosets", "infoset_actions", "terminals"}
