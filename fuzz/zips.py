"""ZIP archives written by hand, so that every field of them can lie."""

import functools
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.values import expanded

LOCAL, CENTRAL, END = struct.Struct("<4s5H3L2H"), struct.Struct("<4s6H3L5H2L"), struct.Struct("<4s4H2LH")
END64, LOCATOR = struct.Struct("<4sQ2H2L4Q"), struct.Struct("<4sLQL")
MEGABYTE = 2**20
Members = dict[str, bytes]


def members_of(path: Path) -> Members:
    """The contents of a real archive."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def deflated(data: bytes, level: int = 1) -> bytes:
    """As in a ZIP, without a head."""
    press = zlib.compressobj(level, zlib.DEFLATED, -15)
    return press.compress(data) + press.flush()


@functools.lru_cache(maxsize=4)
def bomb(megabytes: int) -> tuple[bytes, int]:
    """So many megabytes of spaces, deflated, and their CRC; made by repeating one of them."""
    press, one = zlib.compressobj(9, zlib.DEFLATED, -15), b" " * MEGABYTE
    block = press.compress(one) + press.flush(zlib.Z_FULL_FLUSH)
    crc = 0
    for _ in range(megabytes):
        crc = zlib.crc32(one, crc)
    return block * megabytes + press.flush(), crc


class Entry:
    """A member, with what the archive says about it in both places."""

    def __init__(self, name: str, data: bytes, method: int = 0) -> None:
        self.name, self.raw = name.encode("utf-8", "surrogatepass"), data if method == 0 else deflated(data)
        self.fields: dict[str, Any] = {
            "method": method, "flags": 0, "crc": zlib.crc32(data), "packed": len(self.raw), "size": len(data),
            "extra": b"", "offset": 0,
        }  # fmt: skip
        self.local: dict[str, Any] = {}  # what the local header says otherwise

    @classmethod
    def of_bomb(cls, name: str, megabytes: int) -> "Entry":
        entry = cls(name, b"")
        entry.raw, crc = bomb(megabytes)
        entry.fields |= {"method": 8, "crc": crc, "packed": len(entry.raw), "size": megabytes * MEGABYTE}
        return entry

    def compress(self, data: bytes, method: int) -> None:
        """By another method."""
        import bz2
        import lzma

        pack = {8: deflated, 12: bz2.compress, 14: lambda d: b"\x09\x04\x05\x00" + lzma.compress(d)[5:], 0: bytes}
        self.raw = pack.get(method, bytes)(data)
        self.fields |= {"method": method, "packed": len(self.raw)}


def write(entries: list[Entry], end: dict[str, Any] | None = None) -> bytes:
    """An archive of these entries. `end`: what the end record says otherwise, a prefix, a comment, or zip64."""
    end = end or {}
    out = bytearray(end.get("prefix", 0) * b"#")
    directory = bytearray()
    for entry in entries:
        f = {**entry.fields, "name": entry.name}
        g = {**f, **entry.local}
        offset = len(out) + f["offset"]
        out += LOCAL.pack(
            b"PK\x03\x04", 20, g["flags"] & 0xFFFF, g["method"] & 0xFFFF, 0, 33, g["crc"] & 0xFFFFFFFF,
            g["packed"] & 0xFFFFFFFF, g["size"] & 0xFFFFFFFF, len(g["name"]) & 0xFFFF, len(g["extra"]),
        ) + g["name"] + g["extra"] + entry.raw  # fmt: skip
        directory += CENTRAL.pack(
            b"PK\x01\x02", 20, f.get("needs", 20) & 0xFFFF, f["flags"] & 0xFFFF, f["method"] & 0xFFFF, 0, 33,
            f["crc"] & 0xFFFFFFFF, f["packed"] & 0xFFFFFFFF, f["size"] & 0xFFFFFFFF, len(f["name"]) & 0xFFFF,
            len(f["extra"]), 0, f.get("disk", 0) & 0xFFFF, 0, 0, offset & 0xFFFFFFFF,
        ) + f["name"] + f["extra"]  # fmt: skip
    start = end.get("offset", len(out))
    out += directory
    count, length = end.get("count", len(entries)), end.get("length", len(directory))
    if end.get("zip64"):
        at = len(out)
        out += END64.pack(b"PK\x06\x06", 44, 45, 45, 0, 0, count % 2**64, count % 2**64, length % 2**64, start % 2**64)
        out += LOCATOR.pack(b"PK\x06\x07", 0, at, 1)
    comment = b"c" * (end.get("comment", 0) & 0xFFFF)
    out += END.pack(
        b"PK\x05\x06", 0, 0, count & 0xFFFF, count & 0xFFFF, length & 0xFFFFFFFF, start & 0xFFFFFFFF, len(comment)
    )
    return bytes(out + comment)


# ---- arrays as members


def npy(array: np.ndarray) -> bytes:
    """An array as an .npy."""
    import io

    stream = io.BytesIO()
    np.lib.format.write_array(stream, array)
    return stream.getvalue()


def npy_with_header(data: bytes, header: str) -> bytes:
    """The contents of an .npy under another header."""
    head = expanded(header).encode("latin-1", "replace") + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head) % 65536) + head + data
