"""Bugs planted into copies of the package: one interpreted process, a test file run as a program, looks at all.

A test file says which texts its bugs replace, and what to look at:

    caught = catching(__file__, one_each(BUGS))    a fixture: what was found, by bug

    if __name__ == "__main__":
        try_copies(look)                           the same file as a program

`test_planting.py` checks for all these files that what bugs replace is there; that takes no time.
"""

import contextlib
import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent / "mccfr"
PLANTED = {}  # by test file: the changes of each bug, (file, old, new)


def catching(program, bugs, during=contextlib.nullcontext):
    """A fixture of a test file: what it finds as a program in copies of the package, by bug.

    bugs: {name: changes}. `during` makes the block in which copies are tried, of pytest's factory of folders.
    """
    PLANTED[Path(program).stem] = bugs

    @pytest.fixture(scope="module")
    def found(tmp_path_factory):
        with during(tmp_path_factory):
            return hunt(program, bugs, tmp_path_factory)

    return found


def one_each(bugs):
    """The changes of bugs that are one (file, old, new) each; None is the package as it is, with nothing changed."""
    return {None: (), **{bug: (change,) for bug, change in bugs.items()}}


def try_copies(looks):
    """What a test file does as a program: look at each copy in its own way, or at all of them in the same."""
    folder = Path(sys.argv[1])
    look_at_all([looks] * len(list(folder.iterdir())) if callable(looks) else looks, folder)


def plant(changes, folder):
    """A copy of the package, the first `old` replaced by `new` for every (file, old, new).

    A file is one of the kernel, or `room/file`.
    """
    shutil.copytree(
        PACKAGE, folder / "mccfr", ignore=shutil.ignore_patterns("__pycache__", "cli", "papers", "web", "*limit.mccfr")
    )
    for change in changes:
        file = place_of(change, folder / "mccfr")
        file.write_text(replaced(file.read_text(), change))


def place_of(change, package=PACKAGE):
    """The file that a change is made in."""
    name, *_ = change
    return package / (f"{name}.py" if "/" in name else f"kernel/{name}.py")


def replaced(text, change):
    """The text of a file with a change in it."""
    name, old, new = change
    assert old in text, f"nothing to mutate: {old!r} is not in {name}"
    return text.replace(old, new, 1)


def hunt(program, bugs, tmp_path_factory):
    """What a program finds, by bug, looked for once in a run of the tests, however many processes share it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    kept = shared / f"{Path(program).stem}.json"
    with FileLock(kept.with_suffix(".lock")):
        if not kept.exists():
            kept.write_text(json.dumps(look_for(program, bugs, tmp_path_factory.mktemp("mutants"))))
    return dict(zip(bugs, json.loads(kept.read_text())))


def look_for(program, bugs, folder):
    """What a program finds: it is given a folder of copies with these changes, and calls `look_at_all`."""
    for number, changes in enumerate(bugs.values()):
        plant(changes, folder / str(number))
    paths = os.pathsep.join([str(TESTS), str(PACKAGE.parent)])
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths, "PYTHONWARNINGS": "ignore"}
    done = subprocess.run([sys.executable, program, str(folder)], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def look_at_all(looks, folder):
    """Print what each look finds in the copy of its number."""
    sys.dont_write_bytecode = True
    print(json.dumps([look_at(folder / str(number), look) for number, look in enumerate(looks)]))


def look_at(folder, look):
    """What is found while the package in this folder is the one to import."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "mccfr"]:
        del sys.modules[name]
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        assert str(folder) in importlib.import_module("mccfr").__file__
        return look()
    finally:
        sys.path.remove(str(folder))
