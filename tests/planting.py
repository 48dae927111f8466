"""Bugs planted into copies of the package: one interpreted process, a test file run as a program, looks at all."""

import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from filelock import FileLock

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent / "mccfr"


def plant(changes, folder):
    """A copy of the package, the first `old` replaced by `new` for every (file, old, new).

    A file is one of the kernel, or `room/file`.
    """
    shutil.copytree(
        PACKAGE, folder / "mccfr", ignore=shutil.ignore_patterns("__pycache__", "cli", "papers", "web", "*limit.mccfr")
    )
    for name, old, new in changes:
        file = folder / "mccfr" / (f"{name}.py" if "/" in name else f"kernel/{name}.py")
        text = file.read_text()
        assert old in text, f"nothing to mutate: {old!r} is not in {file.name}"
        file.write_text(text.replace(old, new, 1))


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
