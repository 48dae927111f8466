"""One child: takes pieces of work from its stdin, runs cases, and tells what it found on its stdout, as JSON lines.

What it is doing at any moment is in a small shared file, so that its parent knows the case under which it died.
"""

import faulthandler
import importlib
import json
import mmap
import os
import random
import resource
import signal
import struct
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from fuzz.judge import TooLong, Verdict, judged, watched
from fuzz.kinds import KINDS
from fuzz.shrink import Case, shrunk, size

CASE_SECONDS = 5.0  # of processor time, which other programs on the machine do not take away
CASE_BYTES = 2**30  # above what is loaded
HARD_BYTES = 4 * 2**30  # of address space, above what is loaded
TRAPS = ("evil.py", "kuhn(1).py", "kuhn(1)", "evil.efg", "zero", "evil.mccfr", "evil.toml")
DEADLY = "os:_exit="
EVIL = 'raise RuntimeError("a file was run that nobody asked for")\n'


class Progress(NamedTuple):
    """What the shared file holds."""

    number: int = -1  # of the case under way, -1 for none
    began: float = 0.0
    spent: float = 0.0  # seconds of processor time before it
    cases: int = 0
    accepted: int = 0
    refused: int = 0
    slowest: float = 0.0
    slowest_number: int = -1
    peak: int = 0  # bytes
    base: int = 0  # bytes that are there before any case


LAYOUT = struct.Struct("<qddqqqdqqq")


def fresh_dice(kind: str, seed: int, number: int) -> random.Random:
    """Dice that are the same for the same case, wherever it is drawn."""
    return random.Random(f"{kind}/{seed}/{number}")


def make_kind(name: str, folder: Path) -> Any:
    """The fuzzer of a kind, ready to run in a folder of its own."""
    kind = importlib.import_module(f"fuzz.kinds.{name}").Kind()
    kind.set_up(folder)
    return kind


class Child:
    """Runs cases of all kinds."""

    def __init__(self, folder: Path, plants: list[str]) -> None:
        self.folder, self.plants = folder, plants
        self.kinds: dict[str, Any] = {}
        self.known: set[str] = set()
        self.out = os.fdopen(os.dup(1), "w", buffering=1)
        os.dup2(2, 1)  # what games and commands print does not get between our lines
        file = (folder / "progress").open("r+b")
        self.memory = mmap.mmap(file.fileno(), LAYOUT.size)
        self.case_file = os.open(folder / "case", os.O_RDWR | os.O_CREAT)
        self.progress = Progress()
        for name in TRAPS:
            (folder / name).write_text(EVIL)
        os.chdir(folder)
        watched.install(folder, TRAPS)
        signal.signal(signal.SIGPROF, _give_up)
        faulthandler.enable((folder / "stacks").open("w"))
        faulthandler.register(signal.SIGUSR1, (folder / "stacks").open("w"))

    def kind(self, name: str) -> Any:
        """The fuzzer of a kind, made when first needed; planted faults come after."""
        if name not in self.kinds:
            for one in KINDS if len(self.plants) > 1 else (name,):  # a fault of one must not keep another from starting
                self.kinds[one] = make_kind(one, self.folder)
            for plant in self.plants:
                _plant(plant)
            self.limit_memory()
        return self.kinds[name]

    def limit_memory(self) -> None:
        """The system refuses far too much; what is merely too much is noticed after the case."""
        size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + HARD_BYTES, resource.RLIM_INFINITY))

    def work(self) -> None:
        """Until there is no more."""
        for line in sys.stdin:
            asked = json.loads(line)
            kind = self.kind(asked["kind"])
            forget_peak()
            self.progress = Progress(base=peak_bytes(), peak=peak_bytes())
            if "case" in asked:
                verdict = self.run(kind, asked["case"], 0)
                self.tell({"verdict": verdict._asdict()})
                if getattr(kind, "spoiled", False):
                    return
                continue
            self.known |= set(asked.get("known", ()))
            for number in range(asked["start"], asked["stop"]):
                case = kind.draw(fresh_dice(asked["kind"], asked["seed"], number))
                self.case(kind, asked, number, case)
                if getattr(kind, "spoiled", False):  # something goes on in this process that nothing can end
                    self.tell({"leave": number})
                    return
            self.tell({"done": self.progress._asdict()})

    def case(self, kind: Any, asked: dict[str, Any], number: int, case: Case) -> None:
        """One case; a finding of a new kind is made smaller and told."""
        verdict = self.run(kind, case, number)
        weight = kind.weight(case)
        was = self.progress
        self.note(
            cases=was.cases + weight,
            accepted=was.accepted + weight * (verdict.outcome == "accepted"),
            refused=was.refused + weight * (verdict.outcome == "refused"),
        )
        if verdict.outcome != "found":
            return
        if verdict.signature not in self.known:
            self.known.add(verdict.signature)
            if not verdict.signature.startswith(("too long", "memory", "no answer", "no end")):
                case = shrunk(case, lambda smaller: self.run(kind, smaller, number).signature == verdict.signature)
        self.tell(
            {
                "found": {
                    "kind": asked["kind"], "seed": asked["seed"], "number": number, "signature": verdict.signature,
                    "what": " ".join(verdict.what.split()), "size": size(case), "case": case,
                }
            }
        )  # fmt: skip

    def run(self, kind: Any, case: Case, number: int) -> Verdict:
        """One case within its limits."""
        began = time.monotonic()
        text = json.dumps(case).encode()
        os.pwrite(self.case_file, text, 0)
        os.ftruncate(self.case_file, len(text))
        self.note(number=number, began=began, spent=time.process_time())
        signal.setitimer(signal.ITIMER_PROF, CASE_SECONDS)
        try:
            verdict = judged(lambda: kind.run(case))
        except TooLong:  # between two things of ours
            verdict = Verdict("found", "too long", "takes more than it may")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        took, peak = time.monotonic() - began, peak_bytes()
        if peak > self.progress.base + CASE_BYTES and verdict.outcome != "found":
            verdict = Verdict("found", f"memory in {kind.about(case)}", f"{peak / 2**30:.1f} GB")
        if peak > self.progress.base + CASE_BYTES:
            forget_peak()
        slower = {"slowest": took, "slowest_number": number} if took > self.progress.slowest else {}
        self.note(number=-1, peak=max(peak, self.progress.peak), **slower)
        return verdict

    def note(self, **facts: Any) -> None:
        self.progress = self.progress._replace(**facts)
        LAYOUT.pack_into(self.memory, 0, *self.progress)

    def tell(self, message: dict[str, Any]) -> None:
        self.out.write(json.dumps(message) + "\n")


def peak_bytes() -> int:
    """The most memory that this process has used since the peak was last forgotten."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def forget_peak() -> None:
    """Begin anew with the peak, where the system can."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        pass


def _give_up(*_: Any) -> None:
    raise TooLong


def _plant(place: str) -> None:
    """Make a function of the package fail, or with `os:_exit=` before it end the process, to see that it is noticed."""
    deadly, place = place.startswith(DEADLY), place.removeprefix(DEADLY)
    module, _, name = place.partition(":")
    target: Any = importlib.import_module(module)
    *owners, last = name.split(".")
    for owner in owners:
        target = getattr(target, owner)

    def fail(*_: Any, **__: Any) -> Any:
        if deadly:
            os._exit(7)
        raise ZeroDivisionError("planted")

    assert callable(getattr(target, last)), f"{place} is not there to fail"
    setattr(target, last, fail)


def main() -> None:
    """Started by the parent with a folder, and what to plant."""
    folder, *plants = sys.argv[1:]
    Child(Path(folder), plants).work()


if __name__ == "__main__":
    main()
