"""A user's own Python file: run once, and the classes it defines. Called only for files that the user himself names."""

import importlib.machinery
import importlib.util
import inspect
import sys
import types
from pathlib import Path

from mccfr.errors import FileError, MccfrError, printable, quoted, told


class FreshLoader(importlib.machinery.SourceFileLoader):
    """Compiles a file whenever it is loaded, and keeps no byte code, which is told apart by second and size only."""

    def get_code(self, fullname: str) -> types.CodeType:
        """The code of the text that is there now."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def run_file(name: str, file: Path) -> types.ModuleType:
    """The module of this name that a file makes, as it is now."""
    loader = FreshLoader(name, str(file))
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickling look their module up
    loader.exec_module(module)
    return module


def classes_in(file: Path, problem: type[MccfrError]) -> dict[str, type]:
    """The classes that a Python file defines, by name. Runs the file; `problem` is raised if that fails."""
    try:
        there = file.is_file()
    except OSError as error:  # a name that no file can have
        raise FileError(f"cannot read {quoted(str(file))}: {error.strerror}") from None
    if not there:
        raise FileError(f"cannot read {printable(str(file))}: no such file")
    if file.suffix != ".py":
        raise FileError(f"cannot read {printable(str(file))}: it is not a Python file")
    name = f"mccfr_user_{file.stem}"
    try:
        module = run_file(name, file)
        return {n: c for n, c in vars(module).items() if inspect.isclass(c) and c.__module__ == name}
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever the file does, SystemExit too
        raise problem(f"{file} cannot be imported: {told(error)}") from error
