"""Damage to bytes and to JSON documents, as small operations that can be written down, repeated and left out."""

import json
import random
from typing import Any

from fuzz.values import GAMES, expanded, json_text, pick

Op = list[Any]
HOLE = "@@here@@"


def draw_bytes(dice: random.Random) -> Op:
    """Damage to bytes; places are parts of a million of the length."""
    at, to = (int(dice.random() * 10**6) for _ in range(2))
    kind = pick(dice, ("flip", "flip", "flip", "byte", "cut", "twice", "out", "noise", "swap"))
    return [kind, at, to, dice.randrange(256)]


def damaged(data: bytes, op: Op) -> bytes:
    """Bytes after one operation."""
    kind, at, to, byte = op
    if not data:
        return bytes([byte])
    i, j = (int(len(data) * part / 10**6) for part in (at, to))
    low, high = min(i, j), max(i, j)
    if kind == "flip":
        return data[:i] + bytes([data[i] ^ (1 << byte % 8)]) + data[i + 1 :]
    if kind == "byte":
        return data[:i] + bytes([byte]) + data[i + 1 :]
    if kind == "cut":
        return data[:i]
    if kind == "twice":
        return data[:high] + data[low:high] + data[high:]
    if kind == "out":
        return data[:low] + data[high:]
    if kind == "noise":
        length = 1 + byte % 16
        return data[:i] + random.Random(byte).randbytes(length) + data[i + length :]
    return data[high:] + data[low:high] + data[:low]  # swap


def paths_in(document: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value of a JSON document, at most a few of a long list."""
    found = [path]
    if isinstance(document, dict):
        for key, value in document.items():
            found += paths_in(value, (*path, key))
    elif isinstance(document, list):
        for j, value in enumerate(document[:3]):
            found += paths_in(value, (*path, j))
    return found


def draw_json(dice: random.Random, paths: list[tuple[Any, ...]]) -> Op:
    """Another value somewhere in a document, or none, or a key more."""
    path = list(pick(dice, paths))
    luck = dice.random()
    if luck < 0.12:
        return [path, "@drop"]
    if luck < 0.2:
        return [[*path, pick(dice, ("strange", "named"))], json_text(dice)]
    if path and path[-1] == "game" and luck < 0.8:
        return [path, json.dumps(pick(dice, GAMES))]
    return [path, json_text(dice)]


def json_with(text: bytes, op: Op) -> bytes:
    """A JSON document with one value changed; the new one is a text, which need not be JSON."""
    path, new = op
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not path:
        return b"" if new == "@drop" else expanded(new).encode()
    inside = document
    for key in path[:-1]:
        try:
            inside = inside[key]
        except (KeyError, IndexError, TypeError):
            return text
    try:
        if new == "@drop":
            del inside[path[-1]]
        else:
            inside[path[-1]] = HOLE
    except (KeyError, IndexError, TypeError):
        return text
    whole = json.dumps(document)
    if new != "@drop":
        whole = whole.replace(json.dumps(HOLE), expanded(new))
    return whole.encode("utf-8", "surrogatepass")
