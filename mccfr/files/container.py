"""One file format for everything that is kept: a ZIP of `header.json`, lists as `.json` and arrays as `.npy`.

Anything that reads ZIP and NumPy's .npy can read it; nothing in it is ever executed. Each member carries the ZIP's CRC,
so a truncated or damaged file is noticed. Writing goes to a temporary name in the same folder and is then renamed: a
reader sees the old file or the new one, never half of one.
"""

import contextlib
import io
import json
import math
import os
import secrets
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

import numpy as np

from mccfr.errors import FileError

LARGE = 2**24  # arrays from this many bytes are stored as they are; smaller ones are deflated
PIECE = 2**20  # bytes that are summed up and written, or read and summed up, while they are in the processor's cache
HEAD = 2**12  # bytes in which an array's own header ends
READERS = 4  # members read at the same time
LOCAL_HEADER = struct.Struct("<4s2B4HL2L2H")  # of a ZIP; its last two fields are the lengths of the name and the extras
DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, KeyError, ValueError, TypeError, IndexError),
    *(NotImplementedError, RuntimeError, OverflowError, MemoryError),
)


@contextlib.contextmanager
def atomic(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write to that becomes `path` when the block ends well, and vanishes when it does not.

    Once done it outlasts a power cut.
    """
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        stream = temporary.open("xb")
    except OSError as error:
        raise FileError(f"cannot write {target}: {error.strerror}: {target.parent}") from None
    try:
        with stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
        sync_folder(target.parent)
    except OSError as error:
        raise FileError(f"cannot write {target}: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder outlast a power cut. Windows has no such call and needs none."""
    if os.name != "nt":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def save(
    path: str | os.PathLike[str], kind: str, header: dict[str, Any], members: Mapping[str, Any], large: int = LARGE
) -> None:
    """Write a container. Members are arrays (stored as .npy) or lists and dicts (stored as .json).

    Arrays from `large` bytes are not compressed, which is fastest and leaves other threads the most time.
    """
    with atomic(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("header.json", json.dumps({"format": kind, **header}, indent=1))
        for name, member in members.items():
            if isinstance(member, np.ndarray):
                _write_array(archive, name, np.ascontiguousarray(member), member.nbytes >= large)
            else:
                archive.writestr(f"{name}.json", json.dumps(member, ensure_ascii=False, separators=(",", ":")))


def _write_array(archive: zipfile.ZipFile, name: str, array: np.ndarray, stored: bool) -> None:
    member = zipfile.ZipInfo(f"{name}.npy")
    member.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    with archive.open(member, "w", force_zip64=True) as stream:
        if not stored:
            np.lib.format.write_array(stream, array, allow_pickle=False)
            return
        np.lib.format.write_array_header_1_0(stream, np.lib.format.header_data_from_array_1_0(array))
        for piece in _pieces(array):
            stream.write(piece)


def _pieces(array: np.ndarray) -> Iterator[memoryview]:
    """The memory of an array, piece after piece."""
    content = memoryview(array.reshape(-1).view(np.uint8))  # type: ignore[arg-type]
    for start in range(0, len(content), PIECE):
        yield content[start : start + PIECE]


def load(
    path: str | os.PathLike[str], kind: str, what: str, into: Mapping[str, np.ndarray] | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read a container of this kind: header and members. `what` is how an error calls it ("a strategy").

    Members that have the name, type and size of an array in `into` are read into its memory. If an error is raised,
    these arrays may have changed.
    """
    with _damage_told(path, what), Path(path).open("rb") as file, zipfile.ZipFile(file) as archive:
        header = _header(path, archive, kind, what)
        names = [name for name in archive.namelist() if name != "header.json"]

        def read(name: str) -> Any:
            return _read(file, archive, name, into or {})

        if sum(member.file_size for member in archive.infolist()) < LARGE:
            contents = [read(name) for name in names]
        else:
            with ThreadPoolExecutor(READERS) as pool:  # reading and summing up let other threads go on
                contents = list(pool.map(read, names))
        return header, {name.rpartition(".")[0]: content for name, content in zip(names, contents)}


@contextlib.contextmanager
def _damage_told(path: str | os.PathLike[str], what: str) -> Iterator[None]:
    """Whatever is wrong with a file, in one line."""
    try:
        yield
    except FileError:
        raise
    except FileNotFoundError:
        raise FileError(f"cannot read {path}: no such file") from None
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror or error}") from None
    except DAMAGE as error:
        raise FileError(f"{path} is not {what}, or is damaged or cut short ({error})") from None


def _header(path: str | os.PathLike[str], archive: zipfile.ZipFile, kind: str, what: str) -> dict[str, Any]:
    header = json.loads(archive.read("header.json"))
    if not isinstance(header, dict) or header.get("format") != kind:
        found = header.get("format") if isinstance(header, dict) else None
        raise FileError(f"{path} is not {what}: its format is {found!r}, expected {kind!r}")
    return header


def _read(file: IO[bytes], archive: zipfile.ZipFile, name: str, into: Mapping[str, np.ndarray]) -> Any:
    if name.endswith(".json"):
        return json.loads(archive.read(name))
    member = archive.getinfo(name)
    if member.compress_type == zipfile.ZIP_STORED and member.file_size > PIECE:
        return _read_stored(file, member, into.get(name.removesuffix(".npy")))
    return np.load(io.BytesIO(archive.read(name)), allow_pickle=False)


def _read_stored(file: IO[bytes], member: zipfile.ZipInfo, target: np.ndarray | None) -> np.ndarray:
    """An array straight from the file into its memory, with its checksum."""
    start = _begin(file, member)
    head = bytearray(min(member.file_size, HEAD))
    _read_at(file, memoryview(head), start)
    shape, dtype, length = _array_header(head)
    if member.file_size != length + dtype.itemsize * math.prod(shape):
        raise ValueError(f"{member.filename} has another size than it says")
    if start + member.file_size > os.fstat(file.fileno()).st_size:
        raise EOFError(f"{member.filename} goes beyond the end of the file")
    if target is None or (target.shape, target.dtype) != (shape, dtype) or not target.flags.c_contiguous:
        target = np.empty(shape, dtype)
    checksum, at = zlib.crc32(head[:length]), start + length
    for piece in _pieces(target):
        _read_at(file, piece, at)
        checksum, at = zlib.crc32(piece, checksum), at + len(piece)
    if checksum != member.CRC:
        raise ValueError(f"{member.filename} does not match its checksum")
    return target


def _begin(file: IO[bytes], member: zipfile.ZipInfo) -> int:
    """Where a member's bytes begin."""
    name = member.orig_filename.encode()
    head = bytearray(LOCAL_HEADER.size + len(name))
    _read_at(file, memoryview(head), member.header_offset)
    magic, *_, flags, method, _, _, _, _, _, named, extra = LOCAL_HEADER.unpack(head[: LOCAL_HEADER.size])
    found = (magic, flags & 1, method, named, bytes(head[LOCAL_HEADER.size :]))
    if found != (b"PK\x03\x04", 0, zipfile.ZIP_STORED, len(name), name):
        raise ValueError(f"{member.filename} is not where the directory says")
    return member.header_offset + len(head) + int(extra)


def _array_header(head: bytearray) -> tuple[tuple[int, ...], np.dtype, int]:
    """Shape, type and length of the header of an .npy."""
    stream = io.BytesIO(head)
    try:
        if np.lib.format.read_magic(stream) != (1, 0):
            raise ValueError("an array of another version")
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(stream)
    except Exception as error:  # NumPy hands on what Python's own parsers raise
        raise ValueError(f"not an array: {' '.join(str(error).split())}") from None
    if dtype.hasobject or fortran:
        raise ValueError("an array of objects, or in another order")
    return shape, dtype, stream.tell()


def _read_at(file: IO[bytes], piece: memoryview, at: int) -> None:
    """Fill a piece of memory from a place in the file, without moving the file's own."""
    while piece:
        got = os.preadv(file.fileno(), [piece], at) if hasattr(os, "preadv") else _read_apart(file, piece, at)
        if not got:
            raise EOFError("the file ends too early")
        piece, at = piece[got:], at + got


def _read_apart(file: IO[bytes], piece: memoryview, at: int) -> int:
    with Path(file.name).open("rb", buffering=0) as own:
        own.seek(at)
        return own.readinto(piece) or 0
