"""What a figure is: independent jobs to run, and what to make of their results."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

REPRODUCED, PARTLY, NOT, NO_CLAIM = "reproduced", "partly", "not reproduced", "no claim"  # verdicts


class Scale(NamedTuple):
    """How much to run; a figure uses the fields that mean something to it."""

    time: str  # how long it takes, in words
    seeds: int
    iterations: int = 0
    games: tuple[str, ...] = ()
    samples: int = 0  # walks per measurement
    seconds: float = 0.0  # CPU time of each run


class Job(NamedTuple):
    """A call that depends on nothing but its arguments: `work` is a function of a module, so any process can do it."""

    work: Callable[..., dict[str, Any]]
    arguments: dict[str, Any]

    @property
    def key(self) -> str:
        """What it is found again by."""
        return f"{self.work.__name__} {json.dumps(self.arguments, sort_keys=True)}"

    @property
    def workers(self) -> int:
        """How many processors it keeps busy."""
        return 1

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        return f"{self.work.__name__}({', '.join(f'{name}={value}' for name, value in self.arguments.items())})"

    def do(self) -> "Done":
        """Make the call."""
        began = time.perf_counter()
        result = self.work(**self.arguments)
        return Done(self.arguments, result, time.perf_counter() - began)


class Done(NamedTuple):
    """A finished job."""

    arguments: dict[str, Any]
    result: dict[str, Any]
    seconds: float = 0.0  # that it took


class Claim(NamedTuple):
    """What a paper says and what was found; intervals are 95 %.

    Attributes:
        id: A short name of the claim.
        claim: What it is about.
        paper: What the paper says.
        ours: What was found.
        verdict: `"reproduced"`, `"partly"`, `"not reproduced"` or `"no claim"`.
    """

    id: str
    claim: str
    paper: str
    ours: str
    verdict: str


class Report(NamedTuple):
    """What the results come to."""

    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]  # of data.csv
    claims: Sequence[Claim]


Rows = Sequence[Mapping[str, str]]  # of data.csv, read again
Draw = Callable[[Rows, Any], None]  # the rows onto the axes of matplotlib


def no_stages(scale: Scale) -> list[list[Job]]:
    """No job needs another."""
    return []


def no_files(scale: Scale) -> list[Path]:
    """Jobs keep nothing but their results."""
    return []


class Figure(NamedTuple):
    """A figure or a claim of a paper.

    Jobs do not depend on each other, except on those of earlier stages: what these leave in files is found there.
    """

    name: str
    title: str
    source: str
    quick: Scale
    full: Scale
    jobs: Callable[[Scale], list[Job]]
    report: Callable[[Scale, list[Done]], Report]
    remarks: str  # how it was done, and what differs from the paper
    draw: Draw
    first: Callable[[Scale], list[list[Job]]] = no_stages  # jobs that all others need, stage after stage
    kept: Callable[[Scale], list[Path]] = no_files  # what those leave in the cache folder


def seeded_jobs(work: Callable[..., dict[str, Any]], seeds: int, variants: Sequence[dict[str, Any]]) -> list[Job]:
    """Every variant with every seed, seed by seed, so that a stopped run has whole repetitions."""
    return [Job(work, {**variant, "seed": seed}) for seed in range(seeds) for variant in variants]
