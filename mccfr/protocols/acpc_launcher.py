"""A program for dealers that call a bot with two words, HOST and PORT: a shell script that runs our client."""

import os
import shlex
import stat
import sys
from pathlib import Path

from mccfr.errors import FileError
from mccfr.files.container import atomic

_EXECUTABLE = stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH


def script_text(words: list[str], folder: Path, interpreter: str = sys.executable) -> str:
    """A script that takes HOST and PORT and plays in a folder: relative paths mean what they mean there."""
    command = shlex.join([interpreter, "-m", "mccfr", "acpc", *words])
    return (
        "#!/bin/sh\n"
        "# Plays poker over ACPC: give it the host and the port of a dealer.\n"
        'if [ "$#" -ne 2 ]; then\n'
        '    echo "usage: $0 HOST PORT" >&2\n'
        "    exit 2\n"
        "fi\n"
        f"cd {shlex.quote(str(folder))} || exit 2\n"
        f'exec {command} -- "$1" "$2"\n'
    )


def write_script(path: str | Path, words: list[str]) -> None:
    """Write such a script and make it executable. The file appears complete or not at all."""
    text = script_text(words, Path.cwd())
    if "\0" in text:
        raise FileError("a script cannot contain a zero byte")
    with atomic(path) as file:
        file.write(text.encode())
        if os.name != "nt":
            os.fchmod(file.fileno(), os.fstat(file.fileno()).st_mode | _EXECUTABLE)
