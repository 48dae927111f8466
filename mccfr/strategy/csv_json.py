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
    """Write a strategy to a CSV file, one row per infoset and action.

    The columns are player, infoset, action, probability and visited (true or false). Probabilities are written with
    all their digits, so that they read back unchanged.

    Args:
        strategy: The strategy.
        path: The file to write.

    Raises:
        FileError: If the file cannot be written.
        StrategyError: If the game has too many infosets to name them all.

    Examples:
        >>> import pathlib
        >>> import mccfr
        >>> mccfr.export_csv(mccfr.uniform("kuhn"), "kuhn.csv")
        >>> pathlib.Path("kuhn.csv").read_text().splitlines()[:2]
        ['player,infoset,action,probability,visited', '0,J:,check,0.5,true']
    """
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
    """Write a strategy to a JSON file.

    The file holds one object: the origin (game, method, seed, iterations, version, created) and a list of infosets,
    each with player, infoset, actions and visited.

    Args:
        strategy: The strategy.
        path: The file to write.

    Raises:
        FileError: If the file cannot be written.
        StrategyError: If the game has too many infosets to name them all.

    Examples:
        >>> import json
        >>> import pathlib
        >>> import mccfr
        >>> mccfr.export_json(mccfr.uniform("kuhn"), "kuhn.json")
        >>> json.loads(pathlib.Path("kuhn.json").read_text())["infosets"][0]
        {'player': 0, 'infoset': 'J:', 'actions': {'check': 0.5, 'bet': 0.5}, 'visited': True}
    """
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
