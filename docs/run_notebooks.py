"""Runs the notebooks and compares what they print with what is stored in them.

    python docs/run_notebooks.py              # which notebooks are not current
    python docs/run_notebooks.py --write      # store what was printed and drawn

The site shows the stored outputs, so that building it runs nothing. Text is compared; of figures only that there are
some, for their bytes depend on the version of Matplotlib.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
TIMEOUT = 120  # seconds for a cell, compilation included


def notebooks() -> list[Path]:
    """The notebooks of the site."""
    return sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def read(path: Path) -> Any:
    """A notebook as it is stored."""
    return nbformat.read(path, as_version=4)


def rerun(path: Path) -> Any:
    """The notebook with the outputs of today, run in a folder of its own."""
    notebook = read(path)
    with tempfile.TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        client = NotebookClient(notebook, timeout=TIMEOUT, kernel_name="python3", resources=resources)
        client.execute(env={**os.environ, "PYTHONPATH": str(ROOT)})
    for cell in notebook.cells:
        cell.metadata.clear()  # when it was run
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                output.data.pop("text/plain", None)
    return notebook


def printed(notebook: Any) -> list[str]:
    """What each code cell prints, and where it draws."""
    return ["".join(map(_text, cell.outputs)) for cell in notebook.cells if cell.cell_type == "code"]


def _text(output: Any) -> str:
    data = output.get("data", {})
    return output.text if "text" in output else "a figure\n" if "image/png" in data else f"{data}\n"


def difference(stored: Any, today: Any) -> str:
    """The first code cell that does not show what it prints today, or nothing."""
    for number, (said, found) in enumerate(zip(printed(stored), printed(today), strict=True), 1):
        if said != found:
            return f"code cell {number} shows {said!r}, and prints {found!r} today"
    return ""


def main(write: bool) -> int:
    stale = 0
    for path in notebooks():
        today = rerun(path)
        if problem := difference(read(path), today):
            stale += 1
            sys.stdout.write(f"{path.relative_to(ROOT)}: {problem}\n")
        if write:
            nbformat.write(today, path)
    return 1 if stale and not write else 0


if __name__ == "__main__":
    sys.exit(main("--write" in sys.argv))
