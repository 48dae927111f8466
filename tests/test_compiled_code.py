"""One key for compiled code: every entry point finds what another has compiled."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from numba import njit
from numba.core.codegen import JITCodeLibrary
from numba.core.errors import TypingError

from mccfr.kernel import compile_once
from mccfr.kernel.dispatch import LEAN, entry, inlined, outlined

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
KEY = "from mccfr.kernel.dispatch import key_for; print(key_for(()))"
DOORS = [  # what different people import first
    "import mccfr.solvers.solver",
    "import mccfr.web.server",
    "import mccfr.auditing.auditor",
    "import mccfr.papers.catalogue",
    "import mccfr.runs.run, mccfr.experiments.library",
    "import mccfr.cards.evaluator",
    "import mccfr.cli.main",
    "from mccfr.solvers import public_outcome, vector_sampling, vector_engine",
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
    return printed(KEY)


@pytest.mark.parametrize("door", DOORS)
def test_every_entry_point_has_the_same_key(door, key):
    assert printed(f"{door}\n{KEY}") == key


def test_commands_share_what_is_compiled(tmp_path, key):
    """A later command compiles nothing that an earlier one has, whatever else it imports."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "code"), "PYTHONPATH": str(ROOT)}
    seen = {}
    for name, command in COMMANDS.items():
        run = [sys.executable, "-m", "mccfr", *map(str, command)]
        subprocess.run(run, cwd=tmp_path, env=environment, capture_output=True, check=True)
        kept = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "code").rglob("*.nb?")}
        again = [file for file, when in kept.items() if file in seen and seen[file] != when]
        walks = [file for file in kept if file.startswith("iterations.run_walks") and file.endswith(".nbc")]
        assert (name, again, len(walks)) == (name, [], 1)
        assert {file.partition("_walks_")[2][:16] for file in walks} == {key}
        seen = kept


CHANGES = {  # of a part of one's own: which keys follow
    "its body": ("hedge.py", "minimiser.eta / math.sqrt(t)", "minimiser.eta / math.sqrt(t + 1.0)", True),
    "nothing": ("hedge.py", "", "", False),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_users_file_counts_only_where_its_classes_are_used(tmp_path, change, key):
    file, old, new, other = CHANGES[change]
    text = (EXAMPLES / file).read_text()
    assert old in text
    folders = [tmp_path / name for name in ("before", "after")]
    for folder, written in zip(folders, (text, text.replace(old, new) if old else text)):
        folder.mkdir()
        (folder / "rule.py").write_text(written)
    code = (
        "import mccfr; mccfr.use({!r}); from mccfr.kernel.dispatch import key_for; "
        "m = mccfr.Method.parse('external+hedge(eta=3)'); print(key_for((m.minimiser,)), key_for((m.sampler,)))"
    )
    (mine, plain), (edited, still) = (printed(code.format(str(folder / "rule.py"))).split() for folder in folders)
    assert plain == still == key
    assert key not in (mine, edited)
    assert (mine != edited) == other


def test_a_helper_in_another_file_counts_too(tmp_path):
    (tmp_path / "helper.py").write_text(
        "from mccfr.kernel.dispatch import inlined\n@inlined\ndef twice(x):\n    return 2.0 * x\n"
    )
    (tmp_path / "rule.py").write_text(
        "from typing import NamedTuple\nimport helper\nfrom mccfr.kernel.minimisers import renew\n"
        "class Mine(NamedTuple):\n    pass\n"
        "renew.register(Mine)(lambda minimiser, old, r, scales: (helper.twice(old), r))\n"
    )
    asked = KEY.replace("key_for(())", "key_for((rule.Mine(),))")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import rule; {asked}"
    before = printed(code)
    (tmp_path / "helper.py").write_text((tmp_path / "helper.py").read_text().replace("2.0", "3.0"))
    assert printed(code) != before


def test_a_foreign_answer_for_our_own_class_changes_every_key(tmp_path, key):
    (tmp_path / "rule.py").write_text(
        "from mccfr.kernel.minimisers import RM, renew\n"
        "renew.register(RM)(lambda minimiser, old, r, scales: (old, r))\n"
    )
    assert printed(f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import rule; {KEY}") != key


TYPED = """
from typing import NamedTuple
from mccfr.kernel import samplers
from mccfr.kernel.dispatch import key_for

LEAST = {least}


def least():
    return {helper}


class Mine(NamedTuple):
    pass


samplers.law.register(Mine)(lambda sampler, n, table, sigma, x: {law})
print(key_for((Mine(),)))
"""


def test_what_is_typed_into_a_notebook_is_known_by_its_code(key):
    """There it has no file. A changed law, or what it names, must not find the old machine code."""
    usual = {"least": 0.5, "helper": "0.5", "law": "max(LEAST, least())"}
    changes = [{}, {"least": 0.4}, {"helper": "0.4"}, {"law": "min(LEAST, least())"}]
    keys = [printed(TYPED.format(**{**usual, **change})) for change in changes]
    assert len({key, *keys}) == 5
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
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "code"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(file)]
    moment = str(time.time() + 3.0)  # when all will have been started
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
