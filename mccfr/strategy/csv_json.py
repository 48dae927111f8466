"""Strategies as plain text for other programs: one row per infoset and action, in CSV or JSON."""

import csv
import dataclasses
import io
import json
import os
from collections.abc import Iterator
from typing import Any

from mccfr.files.container import atomic
from mccfr.strategy.strategy import Strategy, require_names

COLUMNS = ("player", "infoset", "action", "probability", "visited")


def export_csv(strategy: Strategy, path: str | os.PathLike[str]) -> None:
    """Write a strategy as CSV; see `mccfr.export_csv`."""
    with atomic(path) as stream:
        text = io.TextIOWrapper(stream, "utf-8", newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        for entry in _infosets(strategy):
            seen = "true" if entry["visited"] else "false"
            for action, probability in entry["actions"].items():
                writer.writerow((entry["player"], entry["infoset"], action, repr(probability), seen))
        text.detach()


def export_json(strategy: Strategy, path: str | os.PathLike[str]) -> None:
    """Write a strategy as JSON; see `mccfr.export_json`."""
    document = {**dataclasses.asdict(strategy.origin), "infosets": list(_infosets(strategy))}
    with atomic(path) as stream:
        stream.write(json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n")


def _infosets(strategy: Strategy) -> Iterator[dict[str, Any]]:
    require_names(strategy, "exported")
    infosets, visited = strategy.infosets, strategy.visited.tolist()
    for player in range(len(infosets.first) - 1):
        for j in infosets.of(player):
            row = {"player": player, "infoset": infosets.labels[j]}
            yield {**row, "actions": strategy.at(j), "visited": visited[j]}
