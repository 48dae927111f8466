"""What machine code costs: CPU seconds until three commands have answered, in places that have compiled before or not.

    python benchmarks/cold_start.py [REPOSITORY]

A clone of the repository; a second clone; a copy installed by pip; the first clone after an edit of one sampler, and
after an edit of a comment. All use one cache folder, which is empty at first. Each command is a process of its own.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
COMMANDS = {
    "walks": ["solve", "leduc", "--method", "outcome+history", "-n", "1000", "-q"],
    "sweeps": ["solve", "leduc", "--method", "cfr_plus", "-n", "100", "-q"],
    "a river": ["solve", "{home}/examples/river.toml", "-q"],
}
SAMPLER = ("mccfr/kernel/samplers.py", "(1.0 - sampler.epsilon) * sigma", "(1.0 - sampler.epsilon) * (sigma + 0.0)")
COMMENT = ("mccfr/kernel/samplers.py", '"""', '# Which actions are drawn.\n"""')


def cpu_seconds(command: list[str], **given: object) -> float:
    """The CPU time of a process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **given)  # type: ignore[call-overload]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(name: str, packages: Path, cache: Path) -> None:
    """Print a row: the three commands with the package in this folder."""
    environment = {**os.environ, "PYTHONPATH": str(packages), "MCCFR_CACHE": str(cache), "PYTHONDONTWRITEBYTECODE": ""}
    subprocess.run([sys.executable, "-m", "compileall", "-q", packages / "mccfr"], check=True)
    found = []
    for command in COMMANDS.values():
        words = [word.format(home=HOME) for word in command]
        found.append(cpu_seconds([sys.executable, "-m", "mccfr", *words], cwd=cache.parent, env=environment))
    print(f"| {name} | {' | '.join(f'{each:.2f}' for each in found)} | {sum(found):.2f} |")


def edit(folder: Path, change: tuple[str, str, str]) -> None:
    """Replace the first of a text in a file."""
    file, old, new = folder / change[0], change[1], change[2]
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new, 1))


def main() -> None:
    repository = Path(sys.argv[1] if len(sys.argv) > 1 else HOME).resolve()
    print(f"| {repository.name} | {' | '.join(COMMANDS)} | together |\n|---|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first, second, installed, cache = (folder / each for each in ("first", "second", "installed", "cache"))
        for clone in (first, second):
            subprocess.run(["git", "clone", "-q", repository, clone], check=True)
        pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", installed, second]
        subprocess.run(pip, check=True, stderr=subprocess.DEVNULL)
        measure("a clone", first, cache)
        measure("again", first, cache)
        measure("a second clone", second, cache)
        measure("installed by pip", installed, cache)
        edit(first, COMMENT)
        measure("an edit of a comment", first, cache)
        edit(first, SAMPLER)
        measure("an edit of one sampler", first, cache)


if __name__ == "__main__":
    main()
