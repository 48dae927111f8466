"""Changes to containers that leave every checksum right: other headers, arrays, members."""

import ast
import io
import json
import pickle
import random
import warnings
from typing import Any

import numpy as np

from fuzz.damage import Op, damaged, draw_bytes, draw_json, json_with, paths_in
from fuzz.values import DESCRIPTIONS, DTYPES, LABELS, NUMBERS, SHAPES, pick
from fuzz.zips import Entry, Members, npy, npy_with_header, write

BOMB = 1500  # megabytes
warnings.simplefilter("ignore")  # of casts that lose something: they are meant


class Evil:
    """What opens a trap when unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (open, ("evil.py",))


def draw_change(dice: random.Random, members: Members) -> Op:
    """One change to an archive."""
    names = list(members)
    name = pick(dice, names)
    luck = dice.random()
    if luck < 0.3:
        return ["json", "header.json", *draw_json(dice, _paths(members, "header.json"))]
    if luck < 0.75:
        if name.endswith(".json"):
            return ["json", name, *draw_json(dice, _paths(members, name))]
        return ["array", name, *_draw_array(dice)]
    if luck < 0.8:
        return ["drop", name]
    if luck < 0.84:
        return ["add", pick(dice, ("extra.npy", "extra.json", "extra", "a/b.npy", ".npy", name)), pick(dice, names)]
    if luck < 0.87:
        return ["rename", name, pick(dice, ("x.npy", "x.json", "header.json", *names))]
    if luck < 0.9:
        return ["swap", name, pick(dice, names)]
    if luck < 0.902:
        return ["bomb", pick(dice, (*names, "extra.npy", "extra.json"))]
    return ["bytes", *draw_bytes(dice)]


def _paths(members: Members, name: str) -> list[tuple[Any, ...]]:
    if name not in members:
        return [()]
    try:
        return paths_in(json.loads(members[name]))
    except ValueError:
        return [()]


def _draw_array(dice: random.Random) -> Op:
    luck = dice.random()
    if luck < 0.25:
        return ["dtype", pick(dice, DTYPES)]
    if luck < 0.4:
        return ["shape", pick(dice, ("0d", "2d", "fortran", "empty", "longer", "shorter", "column", "doubled"))]
    if luck < 0.7:
        return ["set", dice.randrange(10**6), pick(dice, NUMBERS)]
    if luck < 0.8:
        return ["order", pick(dice, ("reversed", "rolled", "sorted", "constant"))]
    if luck < 0.82:
        return ["object"]
    if luck < 0.85:
        return ["structured"]
    order = pick(dice, ("False", "True", "0", "None"))
    shape, descr = pick(dice, SHAPES), pick(dice, DESCRIPTIONS)
    more = pick(dice, ("", "", "", "'x': 1, ", "@nest 100"))
    return [
        "head",
        more if more.startswith("@") else f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, {more}}}",
    ]


def changed(members: Members, ops: list[Op]) -> bytes:
    """The archive after these changes, as bytes."""
    contents: dict[str, bytes] = dict(members)
    bombs: list[str] = []
    extra: list[tuple[str, bytes]] = []
    for op in ops:
        kind, name = op[0], op[1] if len(op) > 1 else ""
        if kind == "json" and name in contents:
            contents[name] = json_with(contents[name], op[2:])
        elif kind == "array" and name in contents:
            contents[name] = _changed_array(contents[name], op[2:])
        elif kind == "drop":
            contents.pop(name, None)
        elif kind == "add":
            extra.append((name, contents.get(op[2], b"")))
        elif kind == "rename":
            contents = {op[2] if key == name else key: value for key, value in contents.items()}
        elif kind == "swap" and {name, op[2]} <= contents.keys():
            contents[name], contents[op[2]] = contents[op[2]], contents[name]
        elif kind == "bomb":
            bombs.append(name)
    entries = [Entry(name, data) for name, data in (*contents.items(), *extra) if name not in bombs]
    data = write(entries + [Entry.of_bomb(name, BOMB) for name in bombs])
    for op in ops:
        if op[0] == "bytes":
            data = damaged(data, op[1:])
    return data


def _changed_array(data: bytes, op: Op) -> bytes:
    try:
        array = np.load(io.BytesIO(data), allow_pickle=False)
    except Exception:
        return data
    kind = op[0]
    if kind == "head":
        body = data[10 + int.from_bytes(data[8:10], "little") :]
        return npy_with_header(body, op[1])
    if kind == "object":
        hostile = np.full(array.shape, None, dtype=object)
        head = f"{{'descr': '|O', 'fortran_order': False, 'shape': {array.shape!r}, }}"
        return npy_with_header(pickle.dumps([Evil(), hostile.tolist()]), head)
    if kind == "structured":
        return npy(np.zeros(array.shape, dtype=[("a", array.dtype), ("b", "<i4")]))
    try:
        return npy(_reshaped(array, op))
    except (ValueError, TypeError, OverflowError, IndexError, RuntimeError, MemoryError):
        return data


def _reshaped(array: np.ndarray, op: Op) -> np.ndarray:
    kind, what = op[:2]
    if kind == "dtype":
        return array.astype(what) if what != "|O" else array
    if kind == "order":
        flat = array.reshape(-1)
        same = np.full_like(flat, flat[0]) if len(flat) else flat
        return {"reversed": flat[::-1], "rolled": np.roll(flat, 1), "sorted": np.sort(flat), "constant": same}[what]
    if kind == "set":
        copy = array.copy()
        flat, value = copy.reshape(-1), _number(op[2])
        with np.errstate(all="ignore"):
            if isinstance(value, int) and copy.dtype.kind in "iu":
                value = np.array(value % 2**64, np.uint64).astype(copy.dtype)
            flat[int(len(flat) * what / 10**6)] = value
        return copy
    flat = array.reshape(-1)
    return {
        "0d": lambda: flat[:1].reshape(()),
        "2d": lambda: np.stack([flat, flat]),
        "fortran": lambda: np.asfortranarray(np.stack([flat, flat])),
        "empty": lambda: flat[:0],
        "longer": lambda: np.append(flat, flat[-1:]),
        "shorter": lambda: flat[:-1],
        "column": lambda: flat[:, None],
        "doubled": lambda: np.concatenate([flat, flat]),
    }[what]()


def _number(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        try:
            return float(text)
        except ValueError:
            return len(LABELS)
