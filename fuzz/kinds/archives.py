"""The container itself: archives whose directory, names, sizes, methods and records lie."""

import random
import struct
from pathlib import Path
from typing import Any

import mccfr
from fuzz.damage import Op, damaged, draw_bytes
from fuzz.shrink import Case
from fuzz.values import pick
from fuzz.zips import Entry, members_of, write
from mccfr.files import container

NAMES = (
    *("", "/", "..", "../evil.py", "/etc/passwd", "header.json", "header.json/", "a/b/c.npy", "x", "x.npy", "x.txt"),
    *(".npy", ".json", "x.json", "\x00", "a\x00.npy", "é.npy", "\ud800.npy", "C:\\x.npy", "x" * 300, "x" * 60000),
    *("probabilities.npy", "labels.json", "probabilities", "HEADER.JSON", "visited.npy ", "\n.npy"),
)
SIZES = (0, 1, 2, 100, 2**16, 2**20, 2**24, 2**31, 2**32 - 1, 2**32 - 2)
METHODS = (0, 8, 8, 12, 14, 9, 1, 93, 95, 99, 65535)
FLAGS = (0, 1, 8, 2048, 64, 8192, 65535, 32)
FIELDS = ("method", "flags", "crc", "packed", "size", "offset", "disk", "needs")


class Kind:
    """Archives."""

    def set_up(self, folder: Path) -> None:
        self.path = folder / "a"
        mccfr.uniform("kuhn").save(folder / "plain.mccfr")
        self.members = members_of(folder / "plain.mccfr")

    def weight(self, case: Case) -> int:
        return 1

    def about(self, case: Case) -> str:
        return " ".join(str(op[0]) for op in case["ops"] if isinstance(op, list))

    def draw(self, dice: random.Random) -> Case:
        """Lies about an archive."""
        method = pick(dice, (0, 0, 8))
        return {"ops": [self._op(dice) for _ in range(pick(dice, (1, 1, 2, 3, 4)))], "method": method}

    def _op(self, dice: random.Random) -> Op:
        at = dice.randrange(len(self.members))
        luck = dice.random()
        if luck < 0.25:
            return ["entry", at, pick(dice, FIELDS), self._value(dice)]
        if luck < 0.5:
            return ["local", at, pick(dice, FIELDS[:5]), self._value(dice)]
        if luck < 0.6:
            return [pick(dice, ("name", "local name")), at, pick(dice, NAMES)]
        if luck < 0.68:
            return [
                "end",
                pick(dice, ("count", "length", "offset", "comment", "prefix")),
                pick(dice, (*SIZES[:7], 65535)),
            ]
        if luck < 0.72:
            return ["zip64", pick(dice, (0, 1, 2**32, 2**63, 2**64 - 1)), pick(dice, ("count", "length", "offset", ""))]
        if luck < 0.77:
            return ["pack", at, pick(dice, METHODS)]
        if luck < 0.82:
            return ["again", at]
        if luck < 0.86:
            return [
                "extra",
                at,
                dice.choice((1, 10, 21589, 28789, 0xFFFF)),
                dice.choice((0, 1, 8, 24, 28, 60000)),
                dice.randrange(256),
            ]
        if luck < 0.861:
            return ["bomb", pick(dice, ("header.json", "probabilities.npy", "x.npy", "x.json", "x"))]
        if luck < 0.863:
            return ["many", pick(dice, (1000, 20_000))]
        if luck < 0.88:
            return ["cat", pick(dice, ("before", "after"))]
        return ["bytes", *draw_bytes(dice)]

    def _value(self, dice: random.Random) -> int:
        return pick(dice, (*SIZES, *METHODS, *FLAGS, dice.randrange(2**16), dice.randrange(2**32)))

    def run(self, case: Case) -> None:
        """Read it as a strategy, and as a bare container."""
        self.path.write_bytes(self._archive(case))
        container.load(self.path, "mccfr-strategy", "a strategy file")
        strategy = mccfr.load(self.path)
        repr(strategy), strategy.visited

    def _archive(self, case: Case) -> bytes:
        entries = [Entry(name, data, case.get("method", 0)) for name, data in self.members.items()]
        end: dict[str, Any] = {}
        for op in case["ops"]:
            self._apply(entries, end, op)
        data = write(entries, end)
        for op in case["ops"]:
            if op[0] == "bytes":
                data = damaged(data, op[1:])
            elif op[0] == "cat":
                plain = write([Entry(name, data) for name, data in self.members.items()])
                data = plain + data if op[1] == "before" else data + plain
        return data

    def _apply(self, entries: list[Entry], end: dict[str, Any], op: Op) -> None:
        kind = op[0]
        if kind == "entry":
            entries[op[1]].fields[op[2]] = op[3]
        elif kind == "local":
            entries[op[1]].local[op[2]] = op[3]
        elif kind == "name":
            entries[op[1]].name = op[2].encode("utf-8", "surrogatepass")
        elif kind == "local name":
            entries[op[1]].local["name"] = op[2].encode("utf-8", "surrogatepass")
        elif kind == "end":
            end[op[1]] = op[2]
        elif kind == "zip64":
            end |= {"zip64": True} | ({op[2]: op[1]} if op[2] else {})
        elif kind == "pack":
            name = list(self.members)[op[1]]
            entries[op[1]].compress(self.members[name], op[2])
        elif kind == "again":
            entries.append(entries[op[1]])
        elif kind == "extra":
            entries[op[1]].fields["extra"] = struct.pack("<HH", op[2], op[3]) + bytes([op[4]]) * min(op[3], 100)
        elif kind == "bomb":
            bomb = Entry.of_bomb(op[1], 1500)
            entries[:] = [entry for entry in entries if entry.name != bomb.name] + [bomb]
        elif kind == "many":
            entries += [Entry(f"m{j}.json", b"[]") for j in range(op[1])]
