"""What commands take and give: strategies by file, run or name, run folders, and files that must be writable."""

import contextlib
import os
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mccfr
from mccfr.errors import FileError, MccfrError, nearest

if TYPE_CHECKING:
    from mccfr import Run, Strategy
    from mccfr.runs.status import Status

UNIFORM = "uniform:"
BLUEPRINT = "blueprint:"
STRATEGY_SUFFIX = ".mccfr"
EXPORTED = (".csv", ".json")  # what `mccfr export` writes of strategies
FILE_SUFFIXES = (  # that nobody gives to a folder
    *(*EXPORTED, ".txt", ".tsv", ".md", ".html", ".yaml", ".yml", ".toml", ".xml", ".log", ".py", ".efg", ".mcfr"),
    *(".parquet", ".pkl", ".pickle", ".npy", ".npz", ".h5", ".zip", ".gz", ".pt", ".png", ".svg", ".pdf", ".xlsx"),
)
RUN_FILES = {"run.json", "status.json"}  # a folder with one of these is, or was, a run


def read_strategy(text: str, game: str | None = None) -> "Strategy":
    """A strategy from a .mccfr file or a run folder (of `game`, if given), `uniform:leduc`, or `blueprint:limit`."""
    if text.startswith(UNIFORM):
        return mccfr.uniform(text.removeprefix(UNIFORM))
    if text.startswith(BLUEPRINT):
        return mccfr.load(text)
    if Path(text).is_dir():
        return mccfr.Run(text).strategy(game)
    if not os.path.exists(text):  # noqa: PTH110  which never raises
        raise FileError(_no_strategy(text))
    return mccfr.load(text, game)


def _no_strategy(text: str) -> str:
    """What to say where a strategy should be: a file with nearly this name, or how to get one of a game."""
    folder = Path(text).parent
    with contextlib.suppress(OSError, ValueError):
        near = nearest(Path(text).name, [path.name for path in folder.glob(f"*{STRATEGY_SUFFIX}")])
        if near.startswith("did"):
            return f"cannot read {text}: no such file; {near}"
    with contextlib.suppress(MccfrError):
        if ":" in text or named_by_user(text):
            raise FileError  # to see whether it is a game would run a program
        name = str(mccfr.game(text))
        saved = f"{name.partition('(')[0]}{STRATEGY_SUFFIX}"
        return (
            f"{text} is a game, not a strategy: mccfr solve {shlex.quote(text)} --out {saved} makes one, "
            f"{UNIFORM}{name} is the uniform one"
        )
    return f"cannot read {text}: no such file; a strategy is a .mccfr file, a run folder or {UNIFORM}GAME"


def is_run(folder: str | Path) -> bool:
    """Whether there is a run in a folder, readable or not."""
    try:
        return any((Path(folder) / name).is_file() for name in RUN_FILES)
    except PermissionError:
        return False


def find_runs(places: Iterable[str | Path]) -> Iterator[Path]:
    """The run folders among and below these folders, in order of name. Runs are not looked into."""
    for place in places:
        if not Path(place).is_dir():
            raise FileError(
                f"cannot look for runs in {place}: {'it is a file' if Path(place).exists() else 'no such folder'}"
            )
        for folder, inner, files in os.walk(place):
            inner.sort()
            if RUN_FILES & set(files):
                inner.clear()
                yield Path(folder)


def run_document(run: "Run") -> dict[str, Any]:
    """What there is to say about a run and how far it is."""
    config, resolved, status = run.config, run.record.resolved, run.status
    _require_sound(run.folder / "status.json", status)
    return {
        "folder": str(run.folder),
        "game": config.game,
        "method": resolved["method"],
        "seed": config.seed,
        "workers": resolved["workers"],
        "parallel": resolved["parallel"] or None,
        "device": resolved.get("device", "cpu"),
        "placement": resolved.get("placement") or None,
        "reproducible": resolved.get("reproducible", True),
        "state": status.state,
        "iterations": status.iterations,
        "seconds": status.seconds,
        "touched": status.touched,
        "rate": status.rate,
        "left": status.left,
        "exploitability": status.exploitability,
        "pot": run.record.pot,
        "limits": {"iterations": config.iterations, "seconds": config.seconds, "target": config.goal(run.record.pot)},
        "pid": status.pid or None,
        "host": status.host or None,
        "updated": status.updated or None,
        "note": status.note or None,
    }


def _require_sound(path: Path, status: "Status") -> None:
    """Refuse a status that the run cannot have written."""
    from mccfr.runs.status import DAMAGED  # and with it NumPy

    if status.state == DAMAGED:
        raise FileError(f"{path} is damaged: delete it, and the next mccfr resume will write it again")


def named_by_user(game: str) -> bool:
    """Whether a game is a file or a program of the user's: strategies of such a game are read only with --game."""
    return game.startswith("efg:") or game.endswith(".efg") or ".py" in game


def require_folder_name(path: str) -> None:
    """Refuse a name for a run folder that is one of a file: somebody wants another format, or a typo was made."""
    kind = Path(path).suffix.lower()
    if kind not in FILE_SUFFIXES or Path(path).is_dir():
        return
    saved = f"{Path(path).with_suffix(STRATEGY_SUFFIX)}"
    export = f", then mccfr export {saved} {path}" if kind in EXPORTED else ""
    raise FileError(
        f"--out {path}: a strategy is saved as {STRATEGY_SUFFIX} and a run in a folder, not as {kind}: "
        f"take --out {saved}{export}"
    )


def require_writable(path: str) -> None:
    """Refuse a file that could not be written later, when the work is done."""
    target = Path(path)
    folder = target.parent
    if target.is_dir():
        raise FileError(
            f"cannot write {target}: it is a folder; give a file in it, such as {target / 'strategy.mccfr'}"
        )
    if not folder.is_dir():
        raise FileError(f"cannot write {target}: there is no folder {folder}; make it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise FileError(f"cannot write {target}: no permission to write in the folder {folder}; choose another")
