"""One file format for everything that is kept: a ZIP of `header.json`, lists as `.json` and arrays as `.npy`.

Anything that reads ZIP and NumPy's .npy can read it; nothing in it is ever executed. Each member carries the ZIP's CRC,
so a truncated or damaged file is noticed. Writing goes to a temporary name in the same folder and is then renamed: a
reader sees the old file or the new one, never half of one.
"""

import contextlib
import json
import math
import os
import re
import secrets
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from mccfr.errors import FileError, MccfrError, quoted
from mccfr.files.bounded import MOST, open_plain, parse_json

LARGE = 2**24  # arrays from this many bytes are stored as they are; smaller ones are deflated
PIECE = 2**20  # bytes that are summed up and written, or read and summed up, while they are in the processor's cache
HEAD = 2**12  # bytes in which an array's own header ends
READERS = 4  # members read at the same time
DENSEST = 100  # a list from LARGE bytes is deflated to no less than this part of itself
HEADER = "header.json"
LOCAL_HEADER = struct.Struct("<4s2B4HL2L2H")  # of a ZIP; its last two fields are the lengths of the name and the extras
DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, KeyError, ValueError, TypeError, IndexError),
    *(NotImplementedError, RuntimeError, OverflowError, MemoryError),
)

NUMBERS = tuple(map(np.dtype, ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")))
ARRAY_HEADER = re.compile(
    rb"\x93NUMPY\x01\x00(..)\{'descr': '([^'\n]{1,20})', 'fortran_order': (True|False), "
    rb"'shape': \(((?:[0-9]{1,18}(?:, |,)?){0,8})\), \} *\n",
    re.DOTALL,
)

Types = Sequence[Any]  # of arrays, that a reader expects
Shape = tuple[int | None, ...] | None


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
        archive.writestr(HEADER, json.dumps({"format": kind, **header}, indent=1))
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


class Container:
    """A container opened for reading. Members are read when asked for, others are left alone.

    What reading takes is bounded by what is asked for, by the file's own length, and by LARGE for what is deflated.
    """

    def __init__(self, file: IO[bytes], archive: zipfile.ZipFile, header: dict[str, Any]) -> None:
        self._file, self._archive, self.header = file, archive, header

    @property
    def names(self) -> list[str]:
        """All members but the header, by the names of their files."""
        return [name for name in self._archive.namelist() if name != HEADER]

    def json(self, name: str) -> Any:
        """A list or dict."""
        member = self._member(f"{name}.json")
        return parse_json(self._content(member, max(LARGE, DENSEST * member.compress_size)))

    def array(self, name: str, dtypes: Types, shape: Shape, target: np.ndarray | None = None) -> np.ndarray:
        """An array of one of these types; None in its shape stands for any length. Read into `target` if that fits."""
        return self._array(self._member(f"{name}.npy"), dtypes, shape, target)

    def arrays(self, wanted: Mapping[str, tuple[Types, Shape]], into: Mapping[str, np.ndarray]) -> dict[str, Any]:
        """Several arrays, large ones at the same time. Those with a name in `into` are read into its memory."""

        def read(name: str) -> np.ndarray:
            return self.array(name, *wanted[name], into.get(name))

        if sum(self._member(f"{name}.npy").file_size for name in wanted) < LARGE:
            return {name: read(name) for name in wanted}
        with ThreadPoolExecutor(READERS) as pool:  # reading and summing up let other threads go on
            return dict(zip(wanted, pool.map(read, wanted)))

    def _member(self, name: str) -> zipfile.ZipInfo:
        try:
            return self._archive.getinfo(name)
        except KeyError:
            raise KeyError(name.rpartition(".")[0]) from None

    def _content(self, member: zipfile.ZipInfo, most: int) -> bytes:
        """The bytes of a member, of at most so many: what goes on beyond them is not even inflated."""
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"{member.filename} is compressed in an unknown way")
        if member.file_size > most:
            raise ValueError(f"{member.filename} has {member.file_size:,} bytes, expected at most {most:,}")
        with self._archive.open(member) as stream:
            content = stream.read(member.file_size)
        if len(content) != member.file_size:
            raise EOFError(f"{member.filename} ends too early")
        return content

    def _array(self, member: zipfile.ZipInfo, dtypes: Types, shape: Shape, target: np.ndarray | None) -> np.ndarray:
        if member.compress_type == zipfile.ZIP_STORED and member.file_size > PIECE:
            return self._stored(member, dtypes, shape, target)
        content = self._content(member, LARGE + HEAD)
        kind = _array_header(member, content[:HEAD], dtypes, shape)
        return np.frombuffer(content, kind.dtype, offset=kind.length).reshape(kind.shape).copy()

    def _stored(self, member: zipfile.ZipInfo, dtypes: Types, shape: Shape, target: np.ndarray | None) -> np.ndarray:
        """An array straight from the file into its memory, with its checksum."""
        file, start = self._file, _begin(self._file, member)
        if start + member.file_size > os.fstat(file.fileno()).st_size:
            raise EOFError(f"{member.filename} extends beyond the end of the file")
        head = bytearray(min(member.file_size, HEAD))
        _read_at(file, memoryview(head), start)
        kind = _array_header(member, head, dtypes, shape)
        if target is None or (target.shape, target.dtype) != (kind.shape, kind.dtype) or not target.flags.c_contiguous:
            target = np.empty(kind.shape, kind.dtype)
        checksum, at = zlib.crc32(head[: kind.length]), start + kind.length
        for piece in _pieces(target):
            _read_at(file, piece, at)
            checksum, at = zlib.crc32(piece, checksum), at + len(piece)
        if checksum != member.CRC:
            raise ValueError(f"{member.filename} does not match its checksum")
        return target


@contextlib.contextmanager
def opened(path: str | os.PathLike[str], kind: str, what: str) -> Iterator[Container]:
    """A container of this kind to read from. `what` is how an error calls it ("a strategy").

    Whatever is found to be wrong with it inside the block is told in one line.
    """
    with _damage_told(path, what), open_plain(path) as file, zipfile.ZipFile(file) as archive:
        found = Container(file, archive, {})
        header = parse_json(found._content(archive.getinfo(HEADER), MOST))
        if not isinstance(header, dict) or header.get("format") != kind:
            told = quoted(header.get("format")) if isinstance(header, dict) else None
            raise FileError(f"{path} is not {what}: its format is {told}, expected {kind!r}")
        found.header = header
        yield found


def load(
    path: str | os.PathLike[str], kind: str, what: str, into: Mapping[str, np.ndarray] | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Everything in a container of this kind: header and members. For files of one's own; others are `opened`.

    Members that have the name, type and size of an array in `into` are read into its memory. If an error is raised,
    these arrays may have changed.
    """
    with opened(path, kind, what) as found:
        stems = {name: name.rpartition(".")[0] for name in found.names}
        lists = {stem: found.json(stem) for name, stem in stems.items() if name.endswith(".json")}
        wanted = {stem: (NUMBERS, None) for name, stem in stems.items() if name.endswith(".npy")}
        members = {**lists, **found.arrays(wanted, into or {})}
        return found.header, {stem: members[stem] for stem in stems.values() if stem in members}


@contextlib.contextmanager
def _damage_told(path: str | os.PathLike[str], what: str) -> Iterator[None]:
    """Whatever is wrong with a file, in one line."""
    try:
        yield
    except MccfrError:
        raise
    except FileNotFoundError:
        raise FileError(f"cannot read {path}: no such file") from None
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror or error}") from None
    except DAMAGE as error:
        why = " ".join(str(error).split())[:150]
        raise FileError(f"{path} is not {what}, or is damaged or cut short ({why})") from None


class _ArrayKind(NamedTuple):
    """What the header of an .npy says."""

    shape: tuple[int, ...]
    dtype: np.dtype
    length: int  # of the header itself


def _array_header(member: zipfile.ZipInfo, head: bytes | bytearray, dtypes: Types, shape: Shape) -> _ArrayKind:
    """What the header of an .npy says, if that is what is expected and the member is as long as it says."""
    said = ARRAY_HEADER.match(head)
    if not said or said.end() != 10 + int.from_bytes(said[1], "little"):
        raise ValueError(f"{member.filename} is not an array as NumPy writes it")
    kinds = {np.dtype(kind).str.encode(): np.dtype(kind) for kind in dtypes}
    dtype, fortran = kinds.get(said[2]), said[3] == b"True"
    found = tuple(int(length) for length in said[4].replace(b",", b" ").split())
    if dtype is None or (fortran and len(found) > 1):
        expected, order = " or ".join(kind.str for kind in kinds.values()), " in Fortran's order" if fortran else ""
        raise ValueError(f"{member.filename} is an array of {quoted(said[2].decode())}{order}, expected {expected}")
    if shape is not None and not _fits(found, shape):
        raise ValueError(f"{member.filename} has the shape {quoted(found)}, expected {_shape_text(shape)}")
    if member.file_size != said.end() + dtype.itemsize * math.prod(found):
        raise ValueError(f"{member.filename} does not have the size it states")
    return _ArrayKind(found, dtype, said.end())


def _fits(found: tuple[int, ...], shape: tuple[int | None, ...]) -> bool:
    return len(found) == len(shape) and all(b in (None, a) for a, b in zip(found, shape))


def _shape_text(shape: tuple[int | None, ...]) -> str:
    return f"({', '.join('any' if length is None else str(length) for length in shape)})"


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
