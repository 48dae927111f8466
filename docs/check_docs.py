"""Runs the code blocks of the pages and compares what they print with what the pages say.

    python docs/check_docs.py              # which pages are not current
    python docs/check_docs.py --write      # put what was printed into docs/*.md

The blocks of a page run in order, in a temporary folder of their own and with one set of variables. A `python` block is
followed by what it prints in a `text` block, and is saved as `game.py` if the paragraph before it ends in "`game.py`:".
A `console` block has commands after `$` and below each what it prints, stdout before stderr; there numbers and spaces
are not compared. Lines about time (VOLATILE) never are, and a line `...` stands for any number of lines.
"""

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VOLATILE = re.compile(r"seconds?\b|/s\b|\d s\b|\b20\d\d-\d\d-\d\d\b")
FILE_BEFORE = re.compile(r"`(\w+\.py)`:\s*```python\n$")
NUMBER = re.compile(r"-?\d[\d,.]*(?:e[+-]?\d+)?")
WIDTH = "100"  # columns of tables
SHELL = f'mccfr() {{ "{sys.executable}" -m mccfr "$@"; }}; python() {{ "{sys.executable}" "$@"; }}; '
RUNS = re.compile(r"mccfr |python examples/")  # other commands are for the reader


def pages() -> list[Path]:
    """README.md and every page of docs/."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def rerun(page: str, folder: Path) -> str:
    """The page with the output of its blocks as it is today."""
    variables: dict[str, Any] = {"__name__": "docs_page"}
    (folder / "examples").symlink_to(ROOT / "examples")
    parts, at, printed, printed_at = [], 0, "", -1
    with _inside(folder):
        for block in FENCE.finditer(page):
            body = block[2]
            if block[1] == "python":
                if file := FILE_BEFORE.search(page[: block.start(2)]):
                    Path(file[1]).write_text(body)
                printed, printed_at = _run_python(body, variables, page.count("\n", 0, block.start(2))), block.end()
            elif block[1] == "text" and printed_at >= 0 and not page[printed_at : block.start()].strip():
                body = printed
            elif block[1] == "console":
                body = _run_console(body)
            parts += [page[at : block.start(2)], body]
            at = block.end(2)
    return "".join([*parts, page[at:]])


def _run_python(code: str, variables: dict[str, Any], line: int) -> str:
    """What the code prints; a traceback counts lines as the page does."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile("\n" * line + code, "page", "exec"), variables)
    return _tidy(out.getvalue())


def _run_console(text: str) -> str:
    """The commands of a block, each followed by what it prints now; output the page leaves out stays out."""
    parts = []
    for session in re.split(r"^(?=\$ )", text, flags=re.MULTILINE):
        command, end, shown = session.partition("\n")
        if RUNS.match(command.removeprefix("$ ")):
            printed = _run_command(command.removeprefix("$ "), 2 if "mccfr: error:" in shown else 0)
            shown = printed if shown else ""
        parts += [command, end, shown]
    return "".join(parts)


def _run_command(command: str, expected: int) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", SHELL + command], capture_output=True, text=True, env=environment)
    if done.returncode != expected:
        raise AssertionError(f"$ {command}: exit code {done.returncode}, expected {expected}\n{done.stderr}")
    return _tidy(done.stdout + done.stderr)


def _tidy(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    kept = {name: os.environ.get(name) for name in ("COLUMNS", "NO_COLOR")}
    os.environ.update(COLUMNS=WIDTH, NO_COLOR="1")
    try:
        with contextlib.chdir(folder):
            yield
    finally:
        for name, value in kept.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def difference(page: str, today: str) -> str:
    """The first line of the page that is not what is printed today, or nothing."""
    said, found = _comparable(page).splitlines(), _comparable(today).splitlines()
    while said:
        line = said.pop(0)
        if line == "...":
            while found and said and not _same(said[0], found[0]):
                found.pop(0)
        elif not found or not _same(line, found.pop(0)):
            return f"the page says {line!r}, not so today"
    return f"the page ends before {found[0]!r}" if found else ""


def _comparable(page: str) -> str:
    """The page with numbers and spaces of its console blocks made the same."""

    def masked(block: re.Match[str]) -> str:
        return re.sub(r"[ ─]+", " ", NUMBER.sub("#", block[0])) if block[1] == "console" else block[0]

    return FENCE.sub(masked, page)


def _same(said: str, found: str) -> bool:
    return said == found or bool(VOLATILE.search(said) and VOLATILE.search(found))


def main(write: bool) -> int:
    stale = 0
    for path in pages():
        page = path.read_text()
        with tempfile.TemporaryDirectory() as folder:
            today = rerun(page, Path(folder))
        if problem := difference(page, today):
            stale += 1
            sys.stdout.write(f"{path.relative_to(ROOT)}: {problem}\n")
            if write and path.parent.name == "docs":
                path.write_text(today)
    return 1 if stale and not write else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main("--write" in sys.argv))
