"""The atlas's measurements in one Parquet file: a row for each checkpoint of each run, and how they were made."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mccfr.errors import FileError
from mccfr.jobs.statistics import Floats
from mccfr.papers.atlas_games import Entry
from mccfr.papers.atlas_runs import Stage
from mccfr.papers.curves import SECONDS, Runs

SHORT, LONG, AGAIN = "short", "long", "again"  # stages: everything, the shortlist, surprises with other seeds
LATE = 0.01  # of a short run, what comes before this share of its time is not kept
SETTINGS = b"atlas"  # where the file says how it was made
NAMES = ("stage", "game", "form", "method")
NUMBERS = ("iterations", "nodes", "seconds", "exploitability")

Curves = dict[Entry, Runs]


class Atlas(NamedTuple):
    """Everything that was measured: the runs of each stage in the order of seeds, and what the stages were."""

    stages: dict[str, Stage]
    curves: dict[str, Curves]
    made: str  # machine and versions

    def long_seconds(self) -> float:
        """CPU seconds of the long runs."""
        return self.stages[LONG].seconds


class Traced(NamedTuple):
    """One finished run."""

    stage: str
    entry: Entry
    seed: int
    points: Floats


def write_atlas(path: Path, runs: Iterable[Traced], stages: Mapping[str, Stage], made: str) -> None:
    """All runs as one table, small enough to be kept with the sources."""
    import pyarrow
    import pyarrow.parquet

    rows: list[dict[str, Any]] = []
    for stage, entry, seed, points in runs:
        kept = points[points[:, SECONDS] >= LATE * points[-1, SECONDS]] if stage == SHORT else points
        same = {**dict(zip(NAMES, (stage, *entry))), "seed": seed}
        rows += [{**same, **_numbers(point)} for point in kept]
    settings = {"stages": {name: stage._asdict() for name, stage in stages.items()}, "made": made}
    schema = pyarrow.schema(
        [
            *((name, pyarrow.dictionary(pyarrow.int16(), pyarrow.string())) for name in NAMES),
            *((name, pyarrow.int64()) for name in ("seed", "iterations", "nodes")),
            *((name, pyarrow.float32()) for name in ("seconds", "exploitability")),
        ],
        {SETTINGS: json.dumps(settings).encode()},
    )
    table = pyarrow.Table.from_pylist(rows, schema)
    words = [field.name for field in schema if pyarrow.types.is_dictionary(field.type)]  # numbers repeat too little
    pyarrow.parquet.write_table(table, path, compression="zstd", compression_level=19, use_dictionary=words)


def _numbers(point: Floats) -> dict[str, float]:
    iterations, nodes, seconds, exploitability = point.tolist()
    return dict(zip(NUMBERS, (int(iterations), int(nodes), seconds, exploitability)))


def read_atlas(path: Path) -> Atlas:
    """What `write_atlas` wrote."""
    import pyarrow.parquet

    if not path.is_file():
        raise FileError(f"no {path}: python tools/atlas.py measures and writes it")
    table = pyarrow.parquet.read_table(path)
    settings = json.loads((table.schema.metadata or {}).get(SETTINGS, b"{}"))
    if not settings:
        raise FileError(f"{path} is not an atlas: python tools/atlas.py writes one")
    found: dict[str, dict[Entry, dict[int, list[tuple[float, ...]]]]] = {}
    columns = [table.column(name).to_pylist() for name in (*NAMES, "seed", *NUMBERS)]
    for stage, game, form, method, seed, *numbers in zip(*columns):
        runs = found.setdefault(stage, {}).setdefault(Entry(game, form, method), {})
        runs.setdefault(seed, []).append(tuple(numbers))
    curves = {stage: {entry: _ordered(runs) for entry, runs in some.items()} for stage, some in found.items()}
    stages = {name: Stage(**stage) for name, stage in settings["stages"].items()}
    return Atlas(stages, curves, settings["made"])


def _ordered(runs: Mapping[int, list[tuple[float, ...]]]) -> Runs:
    return [np.array(runs[seed], dtype=np.float64) for seed in sorted(runs)]
