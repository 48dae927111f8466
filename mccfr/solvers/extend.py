"""Parts of your own: a Python file that registers them, loaded by name."""

import os
import sys
from pathlib import Path

import mccfr.solvers.words  # noqa: F401  the built-in words come first, so that theirs cannot be taken
from mccfr.errors import FileError, MethodError, as_path, one_line, told
from mccfr.user_file import run_file


def is_used(path: str | os.PathLike[str]) -> bool:
    """Whether this file has been run by `use` in this process."""
    module = sys.modules.get(f"mccfr_use_{Path(path).stem}")
    return module is not None and Path(str(module.__file__)).resolve() == Path(path).resolve()


def use(path: str | os.PathLike[str]) -> None:
    r"""Run a Python file that registers methods or parts of your own; `mccfr --use FILE` does the same.

    The file typically calls `mccfr.recipe` and `mccfr.part`. It becomes a module named after it, so that compiled
    kernels with its parts are found again next time. A file that has been used already is not run again.

    Args:
        path: The file; its name must end in .py, and differ from those of other files in use.

    Raises:
        FileError: If the file cannot be read, is not a Python file, or has the name of another file in use.
        MethodError: If running the file raises an exception.

    Examples:
        >>> import pathlib
        >>> import mccfr
        >>> lines = [
        ...     "import mccfr",
        ...     "@mccfr.recipe()",
        ...     "def careful(): return mccfr.Method.parse('external+floor(0.001)')",
        ... ]
        >>> written = pathlib.Path("careful.py").write_text("\n".join(lines))
        >>> mccfr.use("careful.py")
        >>> print(mccfr.Method.parse("careful+linear"))
        external+linear+floor(start=0.001, until=40000)
    """
    file = as_path(path, "a Python file")
    try:
        there = file.is_file()
    except (OSError, ValueError) as error:  # a name that no file can have
        raise FileError(f"cannot read {one_line(str(file))}: {told(error)}") from None
    if not there:
        raise FileError(f"cannot read {one_line(str(file))}: no such file")
    name = f"mccfr_use_{file.stem}"
    if name in sys.modules:
        if Path(str(sys.modules[name].__file__)).resolve() != file.resolve():
            raise FileError(f"{file} cannot be used together with {sys.modules[name].__file__}: rename one of them")
        return
    if file.suffix != ".py":
        raise FileError(f"{file} is not a Python file: its name must end in .py")
    try:
        run_file(name, file)
    except Exception as error:
        del sys.modules[name]
        raise MethodError(f"{file} cannot be used: {told(error)}") from error
