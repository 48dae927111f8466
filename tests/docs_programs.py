"""The programs of docs/, which are not part of the package, as modules."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parent.parent


def program(name):
    """A program of docs/ by its name."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made
