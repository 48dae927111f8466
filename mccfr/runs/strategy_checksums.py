"""Whether the strategy files that the method of a run reads are those that it was started with."""

import hashlib
from pathlib import Path
from typing import Any, cast

from mccfr.blueprints import PREFIX
from mccfr.errors import FileError, MccfrError, StrategyError, one_line
from mccfr.files.bounded import open_plain
from mccfr.solvers.method import Method
from mccfr.solvers.strategy_files import strategy_files


def files_of(method: str) -> list[str]:
    """The strategy files that a method reads; of one that cannot be parsed, itself if it may name some."""
    try:
        return [] if method == "auto" else strategy_files(Method.parse(method))
    except MccfrError:  # with parts of a program that has not been run yet
        return [method] if "static" in method or ("public_outcome" in method and "start" in method) else []


def checksums_of(method: Method) -> dict[str, dict[str, str]]:
    """What `run.json` says about the strategy files of a method; nothing if it reads none."""
    found = {file: _checksum(file) for file in strategy_files(method) if not file.startswith(PREFIX)}
    return {"strategies": found} if found else {}


def require_same_strategies(method: str, recorded: Any, folder: Path) -> None:
    """Refuse to go on with files that have changed. Runs of earlier versions recorded no checksums."""
    for file in files_of(method) if isinstance(recorded, dict) else []:
        told = recorded.get(file)
        if not file.startswith(PREFIX) and told != _checksum(file):
            raise StrategyError(
                f"{folder} was started with another strategy in {one_line(file)}: the file has changed since; put the "
                "old one back, or start a new run"
            )


def _checksum(file: str) -> str:
    try:
        with open_plain(file) as stream:
            return hashlib.file_digest(cast(Any, stream), "sha256").hexdigest()
    except OSError as error:
        raise FileError(f"cannot read {one_line(file)}: {(error.strerror or str(error)).lower()}") from None
