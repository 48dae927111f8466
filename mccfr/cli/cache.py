"""`mccfr cache`: what is kept in the cache folder, and the compiled kernels out of it."""

import click

from mccfr.cli.output import json_option, memory_text, print_json, print_lines
from mccfr.files.cache import Kept, cache_folder, kept_files

KINDS = {  # what is kept, and where
    "compiled kernels": "kernels/*.code",
    "trees": "*.tree",
    "buckets": "buckets/*",
    "deals": "*.deals",
    "equities": "*.equity",
}


@click.command()
@click.option("--clear", is_flag=True, help="Remove the compiled kernels; they are compiled again when needed.")
@json_option
def command(clear: bool, as_json: bool) -> None:
    """Show what is kept in the cache folder, which MCCFR_CACHE names, and how large it is.

    Everything there can be made again. Compiled kernels are shared by all installations and never take more than 1 GB:
    those not used for longest go first. --clear removes them; programs that are running go on.
    """
    folder = cache_folder()
    removed = _clear() if clear else None
    found = {name: kept_files(folder, pattern) for name, pattern in KINDS.items()}
    if as_json:
        kept = {name: {"files": len(files), "bytes": _bytes(files)} for name, files in found.items()}
        place = None if folder is None else str(folder)
        print_json({"command": "cache", "folder": place, "kept": kept, "removed": removed})
        return
    lines = [("folder", str(folder or "none, because MCCFR_CACHE says so"))]
    lines += [
        (name, f"{len(files):,}, {memory_text(_bytes(files))}" if files else "none") for name, files in found.items()
    ]
    print_lines([*lines, *([("removed", f"{removed:,} compiled kernels")] if clear else [])])


def _clear() -> int:
    """Remove the compiled kernels; how many there were."""
    folder = cache_folder()
    kernels = kept_files(folder, KINDS["compiled kernels"])
    for each in kernels:
        each.path.unlink(missing_ok=True)
    return len(kernels)


def _bytes(files: list[Kept]) -> int:
    return sum(each.size for each in files)
