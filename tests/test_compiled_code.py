"""Machine code on disk: its key, who finds it, who compiles it, and what happens to what is damaged."""

import errno
import os
import subprocess
import sys
import time
import types
from pathlib import Path

import pytest
from click.testing import CliRunner
from numba import njit, typeof
from numba.core.codegen import JITCodeLibrary
from numba.core.errors import TypingError

from mccfr.cli.main import cli
from mccfr.kernel import compile_once
from mccfr.kernel.code_key import code_key
from mccfr.kernel.compile_once import KeptCode
from mccfr.kernel.dispatch import LEAN, entry, inlined, kept_on_disk, outlined, verb
from mccfr.kernel.minimisers import RM, RMPlus

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
KEY = """
import mccfr
from numba import typeof
from mccfr.kernel import dispatch, iterations
from mccfr.kernel.code_key import code_key
from mccfr.solvers import engines

class Asked(Exception):
    pass

def ask(*given):
    raise Asked(code_key(iterations.run_walks.interpreted, [typeof(x) for x in given], dispatch.LEAN, ""))

def key_of(method, game="kuhn"):
    engines.run_walks = ask
    try:
        with dispatch.uncompiled():
            mccfr.Solver(game, method).run(1)
    except Asked as asked:
        return str(asked)
"""
DOORS = [  # what different people import first
    "import mccfr.web.server",
    "import mccfr.papers.catalogue",
    "import mccfr.cli.main",
    f"import mccfr; mccfr.use({str(EXAMPLES / 'hedge.py')!r})",
]
COMMANDS = {
    "solve": ["solve", "kuhn", "-m", "external", "-n", "100", "-q", "--out", "run"],
    "resume": ["resume", "run", "-n", "200", "-q"],
    "with a part of one's own": ["--use", EXAMPLES / "hedge.py", "solve", "kuhn", "-m", "external", "-n", "100", "-q"],
}


def printed(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.strip()


@pytest.fixture(scope="module")
def key():
    return printed(f"{KEY}\nprint(key_of('external'))")


def test_every_entry_point_has_the_same_key(key):
    assert len(key) == 32
    for door in DOORS:
        assert printed(f"{door}\n{KEY}\nprint(key_of('external'))") == key, door


def test_commands_share_what_is_compiled(tmp_path):
    """A later command compiles nothing that an earlier one has, whatever else it imports."""
    environment = {**os.environ, "MCCFR_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT)}
    seen = {}
    for name, command in COMMANDS.items():
        run = [sys.executable, "-m", "mccfr", *map(str, command)]
        subprocess.run(run, cwd=tmp_path, env=environment, capture_output=True, check=True)
        kept = {path.name: path.stat().st_ino for path in (tmp_path / "cache" / "kernels").iterdir()}
        assert kept.items() >= seen.items(), name
        assert len([file for file in kept if file.startswith("run_walks-")]) == 1, name
        seen = kept


CHANGES = {  # of a part of one's own: which keys follow
    "its body": ("minimiser.eta / math.sqrt(t)", "minimiser.eta / math.sqrt(t + 1.0)", True),
    "a comment": ("import math\n", "# a comment\nimport math\n", False),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_users_file_counts_only_where_its_classes_are_used(tmp_path, change, key):
    old, new, other = CHANGES[change]
    text = (EXAMPLES / "hedge.py").read_text()
    assert old in text
    folders = [tmp_path / name for name in ("before", "after")]
    for folder, written in zip(folders, (text, text.replace(old, new))):
        folder.mkdir()
        (folder / "rule.py").write_text(written)
    code = "import mccfr; mccfr.use({!r})\n{}\nprint(key_of('external+hedge(eta=3)'), key_of('external'))"
    (mine, plain), (edited, still) = (printed(code.format(str(f / "rule.py"), KEY)).split() for f in folders)
    assert plain == still == key
    assert key not in (mine, edited)
    assert (mine != edited) == other


def test_a_helper_in_another_file_counts_too(tmp_path):
    (tmp_path / "helper.py").write_text(
        "from mccfr.kernel.dispatch import inlined\n@inlined\ndef twice(x):\n    return 2.0 * x\n"
    )
    (tmp_path / "rule.py").write_text(
        "import helper\nfrom mccfr.kernel.minimisers import RM, renew\n"
        "renew.register(RM)(lambda minimiser, old, r, scales: (helper.twice(old), r))\n"
    )
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import rule\n{KEY}\nprint(key_of('external'))"
    before = printed(code)
    (tmp_path / "helper.py").write_text((tmp_path / "helper.py").read_text().replace("2.0", "3.0"))
    assert printed(code) != before


def test_a_foreign_answer_for_our_own_class_changes_its_key(tmp_path, key):
    rule = (
        "from mccfr.kernel.minimisers import RM, renew; renew.register(RM)(lambda minimiser, old, r, scales: (old, r))"
    )
    assert printed(f"{rule}\n{KEY}\nprint(key_of('external'))") != key
    assert printed(f"{rule}\n{KEY}\nprint(key_of('external+rm_plus') == key_of('external+rm_plus'))") == "True"


TYPED = """
from typing import NamedTuple
from mccfr.kernel.dispatch import LEAN, entry
from mccfr.kernel.code_key import code_key
from mccfr.kernel.samplers import law
from numba import typeof

LEAST = {least}


def least():
    return {helper}


class Mine(NamedTuple):
    pass


law.register(Mine)(lambda sampler, n, table, sigma, x: {law})


def ask(sampler):
    return law(sampler, 1, 2, 3, 4)


print(code_key(ask, [typeof(Mine())], LEAN, ""))
"""


def test_what_is_typed_into_a_notebook_is_known_by_its_code():
    """There it has no file. A changed law, or what it names, must not find the old machine code."""
    usual = {"least": 0.5, "helper": "0.5", "law": "max(LEAST, least())"}
    changes = [{}, {"least": 0.4}, {"helper": "0.4"}, {"law": "min(LEAST, least())"}]
    keys = [printed(TYPED.format(**{**usual, **change})) for change in changes]
    assert len(set(keys)) == 4
    assert printed(TYPED.format(**usual)) == keys[0]


BLAS = """
import sys
import numba, numpy as np
import mccfr
mccfr.solve("kuhn", "external", iterations=10)
print("scipy.linalg" in sys.modules)
dot = numba.njit(lambda a, b: np.dot(a, b))
inverse = numba.njit(lambda a: np.linalg.inv(a))
print(dot(np.eye(2), np.full((2, 2), 3.0))[1, 0], inverse(2.0 * np.eye(2))[0, 0])
import scipy.linalg
print(scipy.linalg.inv(4.0 * np.eye(2))[0, 0], scipy.linalg.blas.ddot([1.0, 2.0], [3.0, 4.0]))
print(mccfr.solve("kuhn", "lp").exploitability() < 1e-12)
"""


def test_a_quick_start_takes_nothing_away():
    """Walks leave most of SciPy asleep, and yet BLAS is there for other people's compiled code, and SciPy for all."""
    assert printed(BLAS).split() == ["False", "3.0", "0.5", "0.25", "11.0", "True"]


# ---- several processes at once

KERNEL = """
import sys, time
from mccfr.kernel.dispatch import kept_on_disk

def count(n, step):
    total = step
    for j in range(n):
        total = total * step + j % 7
        if total > 1000:
            total -= 999
    return total

kernel = kept_on_disk(count)
while time.time() < float(sys.argv[2]):
    pass
kernel(3, {"whole": 2, "real": 2.0, "truth": True}[sys.argv[1]])
print(sum(kernel.stats.cache_misses.values()), sum(kernel.stats.cache_hits.values()))
"""


def run_at_once(folder, kinds):
    """[misses, hits] of processes that call the same function at the same time, with arguments of these kinds."""
    file = folder / "kernel.py"
    if not file.exists():
        file.write_text(KERNEL)
    environment = {**os.environ, "MCCFR_CACHE": str(folder / "code"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(file)]
    moment = str(time.time() + 2.0)  # when all will have been started
    children = [subprocess.Popen([*command, kind, moment], env=environment, stdout=subprocess.PIPE) for kind in kinds]
    return [list(map(int, child.communicate()[0].split())) for child in children]


def test_a_kernel_is_compiled_by_one_process_and_waited_for_by_others(tmp_path):
    told = run_at_once(tmp_path, ["whole"] * 4)
    assert sorted(told) == [[0, 1], [0, 1], [0, 1], [1, 0]]
    assert not list(tmp_path.rglob("*.lock"))


def test_kernels_compiled_at_the_same_time_are_all_kept(tmp_path):
    assert run_at_once(tmp_path, ["whole", "real", "truth"]) == [[1, 0]] * 3
    assert run_at_once(tmp_path, ["whole", "real", "truth"]) == [[0, 1]] * 3


def test_nobody_waits_for_a_kernel_that_cannot_be_compiled(tmp_path, monkeypatch):
    monkeypatch.setattr(compile_once, "PATIENCE", 30.0)

    def broken(n):
        return n + undefined_name  # noqa: F821

    kernel = entry(broken)
    for _ in range(2):
        with pytest.raises(TypingError):
            kernel(1)
    assert not list(Path(__file__).parent.rglob("*.lock"))


@inlined
def twice(x):
    return x + x


@outlined
def four_times(x):
    return twice(twice(x))


def test_only_entries_become_machine_code(monkeypatch):
    """Functions inside a kernel are not optimised and translated on their own."""
    made, optimised = [], []
    finish, optimise = JITCodeLibrary._finalize_specific, JITCodeLibrary._optimize_final_module
    monkeypatch.setattr(JITCodeLibrary, "_finalize_specific", lambda self: (made.append(self.name), finish(self)))
    monkeypatch.setattr(
        JITCodeLibrary, "_optimize_final_module", lambda self: (optimised.append(self.name), optimise(self))
    )
    kernel = njit(**LEAN)(lambda x: four_times(x) + twice(x))  # not kept on disk, where it might be found
    assert kernel(3.5) == 21.0
    for names in (made, optimised):
        assert len([name for name in names if name != "nrt"]) == 1  # and what Numba needs once in every process


# ---- what is in the folder


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of one's own for machine code."""
    monkeypatch.setattr(compile_once, "_ROOT", tmp_path)
    monkeypatch.setenv("MCCFR_CACHE", str(tmp_path))
    return tmp_path / "kernels"


def kernel(factor=3.0):
    """A small kernel, and as if by another process at each call; other code for each factor."""
    made = {}
    exec(f"def scaled(x):\n    return {factor} * x\n", made)
    made["scaled"].__module__ = __name__
    return kept_on_disk(made["scaled"])


def compiled(function):
    """How often a function was compiled so far, and read from the disk."""
    return sum(function.stats.cache_misses.values()), sum(function.stats.cache_hits.values())


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:-1],
        lambda content: content[:1000] + b"?" + content[1001:],
        lambda content: content.replace(b"machine code 1", b"machine code 0"),
        lambda content: os.urandom(len(content)),
    ],
    ids=["empty", "cut", "a byte", "another version", "noise"],
)
def test_what_is_damaged_is_compiled_again(folder, damage):
    assert kernel()(2.0) == 6.0
    (file,) = folder.iterdir()
    sound = file.read_bytes()
    file.write_bytes(damage(sound))
    again, read = kernel(), kernel()
    assert again(2.0) == read(2.0) == 6.0
    assert (compiled(again), compiled(read)) == ((1, 0), (0, 1))
    assert file.read_bytes()[:21] == sound[:21]


def test_machine_code_of_another_user_is_not_run(folder, monkeypatch):
    assert kernel()(2.0) == 6.0
    (file,) = folder.iterdir()
    before = file.read_bytes()
    monkeypatch.setattr(compile_once, "USER", compile_once.USER + 1)
    again = kernel()
    assert again(2.0) == 6.0
    assert compiled(again) == (1, 0)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert len(before) > 1000


def test_a_full_disk_costs_only_the_next_process_time(folder, monkeypatch):
    def full(*given, **named):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(compile_once.tempfile, "mkstemp", full)
    assert kernel()(2.0) == 6.0
    assert list(folder.iterdir()) == []
    monkeypatch.undo()


def test_a_disk_that_fills_up_while_writing_leaves_nothing_behind(folder, monkeypatch):
    monkeypatch.setattr(compile_once, "_head", lambda content: b"x" * (1 << 20))
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, before[1]))  # as full as a disk can be
    try:
        assert kernel()(2.0) == 6.0
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_made_or_is_off_costs_nothing_else(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    for root in (tmp_path / "file", None):
        monkeypatch.setattr(compile_once, "_ROOT", root)
        assert kernel()(2.0) == 6.0


def test_what_was_not_used_for_longest_goes_first(folder, monkeypatch):
    assert [kernel(factor)(1.0) for factor in (1.0, 2.0, 3.0)] == [1.0, 2.0, 3.0]
    files = sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime_ns)
    for number, file in enumerate(files):
        os.utime(file, (number, number))
    assert kernel(1.0)(1.0) == 1.0  # used again
    monkeypatch.setattr(compile_once, "MOST", sum(file.stat().st_size for file in files) - 1)
    assert kernel(4.0)(1.0) == 4.0
    assert [file.exists() for file in files] == [True, False, False]


def test_what_a_killed_process_left_behind_goes_after_an_hour(folder):
    folder.mkdir()
    for name, age in (("old", 4000), ("new", 0)):
        (folder / f"{name}.part").write_text("")
        os.utime(folder / f"{name}.part", (time.time() - age,) * 2)
    kernel()(2.0)
    assert [file.name for file in folder.glob("*.part")] == ["new.part"]


def test_the_command_shows_and_clears(folder):
    kernel()(2.0)
    assert "compiled kernels  1, 0." in CliRunner().invoke(cli, ["cache"]).stdout
    cleared = CliRunner().invoke(cli, ["cache", "--clear"]).stdout
    assert "compiled kernels  none" in cleared
    assert "removed           1 compiled kernels" in cleared
    assert list(folder.iterdir()) == []


# ---- bodies that are exchanged


def test_a_body_exchanged_after_compiling_is_compiled_in():
    """As by somebody at a prompt; machine code that has taken the old one must not be run any more."""

    @verb
    def grown(policy, x):
        """A number, grown."""

    grown.register(RM)(lambda policy, x: x + 1.0)
    grown.otherwise(lambda policy, x: x + 2.0)
    made = {"grown": grown, "__name__": __name__}
    exec("def caller(policy, x):\n    return grown(policy, x)\n", made)
    kernel = entry(made["caller"])
    assert (kernel(RM(), 1.0), kernel(RMPlus(), 1.0)) == (2.0, 3.0)
    grown.register(RM)(lambda policy, x: x + 10.0)
    assert (kernel(RM(), 1.0), kernel(RMPlus(), 1.0)) == (11.0, 3.0)
    grown.otherwise(lambda policy, x: 7.0)
    assert (kernel(RM(), 1.0), kernel(RMPlus(), 1.0)) == (11.0, 7.0)


def test_what_cannot_be_traced_is_not_kept(folder):
    class Unknown:
        pass

    def asks(x):
        return x if UNKNOWN else 0.0  # noqa: F821

    traced = types.FunctionType(asks.__code__, {"UNKNOWN": Unknown()}, "asks")
    traced.__module__ = __name__
    assert code_key(traced, [typeof(1.0)], LEAN, "") is None
    assert KeptCode(traced, LEAN)._path((typeof(1.0),), njit(**LEAN)(traced).targetctx) is None
