"""A user's own Python file: run once, and the classes it defines. Called only for files that the user himself names."""

import importlib.util
import inspect
import sys
from pathlib import Path

from mccfr.errors import FileError, MccfrError, printable, quoted, told


def classes_in(file: Path, problem: type[MccfrError]) -> dict[str, type]:
    """The classes that a Python file defines, by name. Runs the file; `problem` is raised if that fails."""
    try:
        there = file.is_file()
    except OSError as error:  # a name that no file can have
        raise FileError(f"cannot read {quoted(str(file))}: {error.strerror}") from None
    if not there:
        raise FileError(f"cannot read {printable(str(file))}: no such file")
    name = f"mccfr_user_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise FileError(f"cannot read {printable(str(file))}: it is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickling look their module up
    try:
        spec.loader.exec_module(module)
        return {n: c for n, c in vars(module).items() if inspect.isclass(c) and c.__module__ == name}
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever the file does, SystemExit too
        raise problem(f"{file} cannot be imported: {told(error)}") from error
