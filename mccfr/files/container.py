"""One file format for everything that is kept: a ZIP of `header.json`, lists as `.json` and arrays as `.npy`.

Anything that reads ZIP and NumPy's .npy can read it; nothing in it is ever executed. Each member carries the ZIP's CRC,
so a truncated or damaged file is noticed. Writing goes to a temporary name in the same folder and is then renamed: a
reader sees the old file or the new one, never half of one.
"""

import contextlib
import io
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from mccfr.errors import FileError

LARGE = 2**24  # arrays from this many bytes are stored as they are; smaller ones are deflated


@contextlib.contextmanager
def atomic(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write to that becomes `path` when the block ends well, and vanishes when it does not."""
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise FileError(f"cannot write {target}: {error.strerror}: {target.parent}") from None
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(target)
    except OSError as error:
        raise FileError(f"cannot write {target}: {error.strerror or error}") from None
    finally:
        Path(name).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def save(path: str | os.PathLike[str], kind: str, header: dict[str, Any], members: dict[str, Any]) -> None:
    """Write a container. Members are arrays (stored as .npy) or lists and dicts (stored as .json)."""
    with atomic(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("header.json", json.dumps({"format": kind, **header}, indent=1))
        for name, member in members.items():
            if isinstance(member, np.ndarray):
                _write_array(archive, name, member)
            else:
                archive.writestr(f"{name}.json", json.dumps(member, ensure_ascii=False, separators=(",", ":")))


def _write_array(archive: zipfile.ZipFile, name: str, array: np.ndarray) -> None:
    member = zipfile.ZipInfo(f"{name}.npy")
    member.compress_type = zipfile.ZIP_STORED if array.nbytes >= LARGE else zipfile.ZIP_DEFLATED
    with archive.open(member, "w", force_zip64=True) as stream:
        np.lib.format.write_array(stream, np.ascontiguousarray(array), allow_pickle=False)


def load(path: str | os.PathLike[str], kind: str, what: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read a container of this kind: header and members. `what` is how an error calls it ("a strategy")."""
    try:
        with zipfile.ZipFile(path) as archive:
            header = _header(path, archive, kind, what)
            names = [name for name in archive.namelist() if name != "header.json"]
            return header, {name.rpartition(".")[0]: _read(archive, name) for name in names}
    except FileError:
        raise
    except FileNotFoundError:
        raise FileError(f"cannot read {path}: no such file") from None
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror or error}") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, NotImplementedError, RuntimeError) as error:
        raise FileError(f"{path} is not {what}, or is damaged or cut short ({error})") from None


def _header(path: str | os.PathLike[str], archive: zipfile.ZipFile, kind: str, what: str) -> dict[str, Any]:
    header = json.loads(archive.read("header.json"))
    if not isinstance(header, dict) or header.get("format") != kind:
        found = header.get("format") if isinstance(header, dict) else None
        raise FileError(f"{path} is not {what}: its format is {found!r}, expected {kind!r}")
    return header


def _read(archive: zipfile.ZipFile, name: str) -> Any:
    if name.endswith(".json"):
        return json.loads(archive.read(name))
    return np.load(io.BytesIO(archive.read(name)), allow_pickle=False)
