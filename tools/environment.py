"""Makes the environment that `make` uses and installs mccfr into it; does nothing where that is done already.

    python3 tools/environment.py .venv --python python3 --extra web

What cannot be done is said in a line or two, with exit code 2. A failed or interrupted try never counts as done: while
mccfr is being installed, the environment has a file `unfinished.log`. An environment with that file is made anew, and
so is one without any packages, such as Debian's python3 leaves behind where python3-venv is missing.
Uses the standard library only, since nothing else is there yet.
"""

import argparse
import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)
BAD, INTERRUPTED = 2, 130  # exit codes
UNFINISHED, INSTALLED = "unfinished.log", "installed.json"
ALWAYS_THERE = {"pip", "setuptools", "wheel"}  # in new environments
EVERYTHING = "dev"  # the extra that contains all others
OFFLINE = (
    *("NewConnectionError", "NameResolutionError", "ConnectTimeoutError", "ReadTimeoutError", "ProxyError"),
    *("name resolution", "Network is unreachable", "Connection refused", "from versions: none"),
)


class CannotError(Exception):
    """The environment cannot be made or filled; says why, and what to type."""


def main() -> int:
    """Exit code of the program."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", default="python3", help="the interpreter that makes the environment")
    parser.add_argument("--extra", default="", help="one of the optional dependencies in pyproject.toml")
    asked = parser.parse_args()
    try:
        with interruptible():
            prepare(asked.folder, asked.python, asked.extra)
    except CannotError as error:
        say(str(error))
        return BAD
    except KeyboardInterrupt:
        say("stopped; the same command starts again")
        return INTERRUPTED
    return 0


def say(text: str) -> None:
    """Tell the user."""
    sys.stderr.write(f"{text}\n")


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Inside the block, being asked to end is like Ctrl-C, so that what is half made is removed."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    yield


def prepare(folder: Path, python: str, extra: str) -> None:
    """Have an environment with mccfr and an extra in it."""
    if folder.exists() and not usable(folder):
        say(f"{folder} is empty or half made: making it anew")
        shutil.rmtree(folder)
    if is_installed(folder, extra):
        return
    made_now = not folder.exists()
    try:
        if made_now:
            make(folder, python)
            (folder / UNFINISHED).touch()
        say(f"Installing mccfr{f' with its extra {extra!r}' if extra else ''} in {folder}: a minute, the first time.")
        install(folder, extra)
    except KeyboardInterrupt:
        if made_now:
            shutil.rmtree(folder, ignore_errors=True)
        raise


# ---- what is there


def usable(folder: Path) -> bool:
    """Whether an environment is whole. One that somebody has put packages in is never removed."""
    if (folder / UNFINISHED).exists() or not works(folder, "import sys"):
        return False
    packages = {found.name.partition("-")[0] for found in folder.glob("lib/python*/site-packages/*.dist-info")}
    if not packages - ALWAYS_THERE:
        return False
    if not works(folder, "import pip"):
        raise CannotError(f"{folder} has packages but no pip: add pip, or remove it (rm -r {folder}), and try again")
    return True


def works(folder: Path, statement: str) -> bool:
    """Whether the environment's Python can do something."""
    try:
        return silent(interpreter(folder), "-c", statement).returncode == 0
    except OSError:  # there is none, or its base has been removed
        return False


def interpreter(folder: Path) -> str:
    """The Python of an environment."""
    return str(folder / "bin" / "python")


def silent(*command: str) -> "subprocess.CompletedProcess[str]":
    """Run something; its output is kept."""
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


def state(folder: Path) -> str:
    """What an installation depends on: where it is, since scripts name their interpreter, and what it was made from."""
    content = str(folder.resolve()).encode() + (ROOT / "pyproject.toml").read_bytes()
    return hashlib.sha256(content).hexdigest()


def installed_extras(folder: Path) -> list[str]:
    """The extras that have been installed as pyproject.toml has them now; "" is mccfr alone."""
    try:
        noted = json.loads((folder / INSTALLED).read_text())
        return list(noted["extras"]) if noted["state"] == state(folder) else []
    except (OSError, ValueError, KeyError, TypeError):
        return []


def is_installed(folder: Path, extra: str) -> bool:
    """Whether there is nothing to do."""
    done = installed_extras(folder)
    return EVERYTHING in done or extra in done


# ---- making it


def make(folder: Path, python: str) -> None:
    """An environment with pip in it, by the first way that works here."""
    require_recent(python)
    for way in (by_venv, by_uv, by_virtualenv, by_pip):
        if way(folder, python) and works(folder, "import pip"):
            return
        shutil.rmtree(folder, ignore_errors=True)
    raise CannotError(how_to_get_venv(python))


def require_recent(python: str) -> None:
    """Refuse an interpreter that is too old, or none."""
    try:
        if silent(python, "-c", f"import sys; sys.exit(sys.version_info < {OLDEST})").returncode == 0:
            return
    except OSError:
        pass
    raise CannotError(
        f"mccfr needs Python {'.'.join(map(str, OLDEST))} or later; say which with: make PYTHON=/path/to/python3"
    )


def by_venv(folder: Path, python: str) -> bool:
    """As Python itself does; Debian's and Ubuntu's has this in a package of its own."""
    return silent(python, "-m", "venv", str(folder)).returncode == 0


def by_uv(folder: Path, python: str) -> bool:
    """With uv, where it is installed."""
    return bool(shutil.which("uv")) and silent("uv", "venv", "--seed", "--python", python, str(folder)).returncode == 0


def by_virtualenv(folder: Path, python: str) -> bool:
    """With virtualenv, where it is installed."""
    if silent(python, "-m", "virtualenv", str(folder)).returncode == 0:
        return True
    found = shutil.which("virtualenv")
    return found is not None and silent(found, "--python", python, str(folder)).returncode == 0


def by_pip(folder: Path, python: str) -> bool:
    """With a pip from outside, which may be there although venv is not: it can install pip in the environment."""
    if (
        silent(python, "-m", "pip", "--version").returncode
        or silent(python, "-m", "venv", "--without-pip", str(folder)).returncode
    ):
        return False
    return silent(python, "-m", "pip", "--python", interpreter(folder), "install", "pip").returncode == 0


def how_to_get_venv(python: str) -> str:
    """What to type where no way works."""
    version = silent(python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])").stdout.strip()
    without_root = "install uv or virtualenv, neither of which needs root (docs/install.md)"
    if not Path("/etc/debian_version").exists():
        return (
            f"{python} cannot make environments, since its venv module is not complete: {without_root}, and try again."
        )
    line = f"{'' if os.geteuid() == 0 else 'sudo '}apt install python{version}-venv"
    why = f"{python} cannot make environments: Debian and Ubuntu have that in a package of its own"
    return f"{why}. Type\n\n    {line}\n\nand try again; or {without_root}."


# ---- filling it


def install(folder: Path, extra: str) -> None:
    """mccfr, editable, with an extra. What was installed before is noted only when all is done."""
    what = f"{ROOT}[{extra}]" if extra else str(ROOT)
    done = install_by_uv(folder, what) if extra == EVERYTHING else None
    if done is None or done.returncode:
        done = silent(interpreter(folder), "-m", "pip", "install", "--disable-pip-version-check", "-e", what)
    if done.returncode:
        log = folder / (UNFINISHED if (folder / UNFINISHED).exists() else "failed-install.log")
        log.write_text(done.stdout)
        raise CannotError(f"{why_pip_failed(done.stdout)} (all that pip said: {log}); the same command tries again")
    extras = sorted({*installed_extras(folder), "", extra})
    (folder / INSTALLED).write_text(json.dumps({"state": state(folder), "extras": extras}))
    (folder / UNFINISHED).unlink(missing_ok=True)


def install_by_uv(folder: Path, what: str) -> "subprocess.CompletedProcess[str]":
    """With uv, which needs a sixth of pip's time; it does not know pip's settings, so pip tries after it."""
    found = silent(interpreter(folder), "-m", "pip", "install", "--disable-pip-version-check", "uv")
    if found.returncode:
        return found
    command = str(folder / "bin" / "uv"), "pip", "install", "--no-cache", "--python", interpreter(folder), "-e", what
    return silent(*command)


def why_pip_failed(output: str) -> str:
    """In a line."""
    if any(sign in output for sign in OFFLINE):
        return "pip could not fetch what mccfr needs: is this machine online?"
    errors = [line.strip() for line in output.splitlines() if line.strip().lower().startswith("error:")]
    return f"pip could not install mccfr: {errors[-1][len('error:') :].strip() if errors else 'it did not say why'}"


if __name__ == "__main__":
    sys.exit(main())
