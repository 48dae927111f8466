"""Parts of a user's own: words that a file adds, by `use` and `--use`; compiled, found again, unknown elsewhere."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import mccfr
from mccfr.cli.main import cli
from mccfr.errors import FileError, MethodError
from mccfr.kernel.estimators import Plain
from mccfr.kernel.minimisers import RMPlus
from mccfr.kernel.samplers import External
from mccfr.solvers import method as methods

EXAMPLES = Path(__file__).parent.parent / "examples"
REPORT = """
import hashlib, json, sys
import mccfr
file, method, iterations, measured = sys.argv[1:]
if file:
    mccfr.use(file)
solver = mccfr.solve("kuhn", method, int(iterations), seed=1)
arrays = {name: hashlib.sha256(x.tobytes()).hexdigest() for name, x in solver.state.items() if hasattr(x, "tobytes")}
exploitability = solver.exploitability() if measured else None
print(json.dumps({"method": str(solver.method), "exploitability": exploitability, "arrays": arrays}))
"""


@pytest.fixture
def words():
    """Words and files that a test adds are unknown to the next."""
    mccfr.Method.parse("cfr")  # fills the dictionaries
    dictionaries = (methods.RECIPES, methods.PARTS, methods.WORDS)
    before = [dict(dictionary) for dictionary in dictionaries]
    yield
    for dictionary, kept in zip(dictionaries, before):
        dictionary.clear()
        dictionary.update(kept)
    for name in [name for name in sys.modules if name.startswith("mccfr_use_")]:
        del sys.modules[name]


def solved(file, method, iterations=1000, measured=True, **environment):
    """What a process of its own reports about a method; this one never hears of the user's verbs."""
    command = [sys.executable, "-c", REPORT, str(file), method, str(iterations), "yes" if measured else ""]
    path = {"PYTHONPATH": str(EXAMPLES.parent)}
    done = subprocess.run(command, env={**os.environ, **path, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# ---- words


def test_a_recipe_begins_a_method(words):
    @mccfr.recipe()
    def cautious(size: int = 3) -> mccfr.Method:
        return mccfr.Method(External(), RMPlus(), batch=size)

    assert str(mccfr.Method.parse("cautious")) == "external+rm_plus+batch(3)"
    assert str(mccfr.Method.parse("cautious(size=5)+linear")) == "external+rm_plus+linear+batch(5)"
    with pytest.raises(
        MethodError, match=r"^cautious\(1, 2\): too many positional arguments; cautious takes \(size=3\)$"
    ):
        mccfr.Method.parse("cautious(1, 2)")
    with pytest.raises(MethodError, match=r"two recipes: external and cautious"):
        mccfr.Method.parse("external+cautious")


def test_a_part_changes_a_method(words):
    @mccfr.part()
    def without_frills(method: mccfr.Method) -> mccfr.Method:
        return mccfr.Method(method.sampler)

    assert mccfr.Method.parse("outcome+history+rm_plus+without_frills").estimator == Plain()
    with pytest.raises(MethodError, match=r"must start with a recipe .*, not with without_frills$"):
        mccfr.Method.parse("without_frills")
    with pytest.raises(MethodError, match=r"unknown method part 'without_fills'; did you mean without_frills\?"):
        mccfr.Method.parse("external+without_fills")


def test_words_of_one_test_are_unknown_to_the_next():
    assert not {"cautious", "without_frills", "harmless"} & {*methods.RECIPES, *methods.PARTS}


# ---- files


def test_a_file_is_run_once(words, tmp_path):
    file = tmp_path / "harmless.py"
    file.write_text(
        "import mccfr\n"
        f"open({str(tmp_path / 'runs')!r}, 'a').write('x')\n"
        "@mccfr.recipe()\n"
        "def harmless() -> mccfr.Method:\n"
        "    return mccfr.Method.parse('cfr_plus')\n"
    )
    for given in (str(file), file):
        mccfr.use(given)
    assert (tmp_path / "runs").read_text() == "x"
    assert mccfr.solve("kuhn", "harmless", 10).strategy().origin.method == "cfr_plus"


BROKEN = {
    "nosuch.py": (None, FileError, "cannot read {}: no such file"),
    "folder.py/": (None, FileError, "cannot read {}: no such file"),
    "notes.txt": ("x = 1", FileError, "{} is not a Python file: its name must end in .py"),
    "x.py": ("x = (", MethodError, "{} cannot be used: SyntaxError: '(' was never closed (x.py, line 1)"),
    "raises.py": ("1 / 0", MethodError, "{} cannot be used: ZeroDivisionError: division by zero"),
    "imports.py": ("import nosuch", MethodError, "{} cannot be used: ModuleNotFoundError: No module named 'nosuch'"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_cannot_be_used_is_told_in_one_line(name, words, tmp_path):
    content, kind, said = BROKEN[name]
    file = tmp_path / name
    if content is None and name.endswith("/"):
        file.mkdir()
    elif content is not None:
        file.write_text(content)
    for _ in range(2):  # the second time too: a broken file is not taken for one that was run
        with pytest.raises(kind) as caught:
            mccfr.use(file)
        assert str(caught.value) == said.format(file)
    result = CliRunner().invoke(cli, ["--use", str(file), "solve", "kuhn", "--json"])
    assert result.exit_code == 2
    assert result.stderr == f"mccfr: error: {said.format(file)}\n"
    assert json.loads(result.stdout)["error"]["messages"] == [said.format(file)]


def test_a_file_can_be_mended(words, tmp_path):
    file = tmp_path / "mended.py"
    file.write_text("x = (")
    with pytest.raises(MethodError):
        mccfr.use(file)
    file.write_text("x = 1")
    mccfr.use(file)
    assert sys.modules["mccfr_use_mended"].x == 1


# ---- compiled


def kept(folder):
    """Files of machine code, and when they were written."""
    return {path.name: path.stat().st_ino for path in folder.rglob("*.code")}


@pytest.mark.slow
def test_processes_with_and_without_a_part_share_a_cache(tmp_path):
    """Machine code that needs a user's class must neither be opened nor overwritten by those who do not know it."""
    folder = {"MCCFR_CACHE": str(tmp_path), "measured": False}
    hedged = solved(EXAMPLES / "hedge.py", "external+hedge(eta=3)", **folder)
    theirs = kept(tmp_path)
    matched = solved("", "external", **folder)
    both = kept(tmp_path)
    assert both.items() > theirs.items()
    assert solved(EXAMPLES / "hedge.py", "external+hedge(eta=3)", **folder) == hedged
    assert solved("", "external", **folder) == matched
    assert kept(tmp_path) == both  # nothing was compiled again
    assert matched["arrays"]["current"] != hedged["arrays"]["current"]


@pytest.mark.slow
def test_an_edited_file_is_compiled_again(tmp_path):
    text = (EXAMPLES / "hedge.py").read_text()
    file, folder = tmp_path / "rule.py", {"MCCFR_CACHE": str(tmp_path / "cache"), "measured": False}
    file.write_text(text)
    before = solved(file, "external+hedge(eta=3)", **folder)
    file.write_text(text.replace("minimiser.eta / math.sqrt(t)", "0.5 * minimiser.eta / math.sqrt(t)"))
    after = solved(file, "external+hedge(eta=3)", **folder)
    assert after["method"] == before["method"]
    assert after["arrays"]["current"] != before["arrays"]["current"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("example", "text", "written"),
    [
        ("coin_sampler.py", "coin(p=0.3)+rm_plus+linear", "coin(p=0.3)+rm_plus+linear"),
        ("constant_baseline.py", "outcome+constant_baseline(0.5)", "outcome(epsilon=0.6)+constant_baseline(b=0.5)"),
        ("hedge.py", "external+hedge(3)", "external+hedge(eta=3)"),
        ("hedge.py", "cfr+hedge(3)", "cfr+hedge(eta=3)"),
    ],
)
def test_compiled_is_interpreted_bit_for_bit(example, text, written):
    compiled = solved(EXAMPLES / example, text)
    assert compiled["method"] == written
    assert compiled["exploitability"] < 0.1  # uniform: 0.458
    assert compiled == solved(EXAMPLES / example, text, NUMBA_DISABLE_JIT="1")


@pytest.mark.slow
def test_a_baseline_of_0_is_none():
    zero, plain = solved(EXAMPLES / "constant_baseline.py", "outcome+constant_baseline(b=0)"), solved("", "outcome")
    assert zero["arrays"]["dice"] == plain["arrays"]["dice"]
    assert zero["exploitability"] == pytest.approx(plain["exploitability"], rel=1e-9)
    other = solved(EXAMPLES / "constant_baseline.py", "outcome+constant_baseline(b=0.5)")
    assert other["exploitability"] != pytest.approx(plain["exploitability"], rel=1e-3)


def test_a_part_brings_its_own_table(tmp_path):
    """A field that defaults to None is filled by `bind`, kept in the state and left out of the string."""
    text = (EXAMPLES / "constant_baseline.py").read_text()
    text = text.replace("    b: float = 0.0\n", "    b: float = 0.0\n    table: Any = None\n\n" + BIND, 1)
    text = text.replace("import NamedTuple", "import Any, NamedTuple\n\nimport numpy as np")
    file = tmp_path / "bound.py"
    file.write_text(text)
    found = solved(file, "outcome+constant_baseline(b=0.5)", 100, measured=False, NUMBA_DISABLE_JIT="1")
    assert found["method"] == "outcome(epsilon=0.6)+constant_baseline(b=0.5)"
    assert "estimator.table" in found["arrays"]


BIND = "    def bind(self, tree):\n        return self._replace(table=np.zeros(len(tree)))\n"


# ---- the command line


def test_a_minimiser_may_be_one_formula(tmp_path):
    file = tmp_path / "clipped.py"
    file.write_text(
        "import dataclasses\n"
        "from typing import NamedTuple\n"
        "import mccfr\n"
        "from mccfr.kernel import minimisers\n"
        "class Clipped(NamedTuple):\n"
        "    pass\n"
        "minimisers.absorb.register(Clipped)(minimisers.renew_each)\n"
        "minimisers.renew.register(Clipped)(lambda minimiser, old, r, scales: (max(old + r, 0.0), max(old + r, 0.0)))\n"
        "@mccfr.part(Clipped)\n"
        "def clipped(method):\n"
        "    return dataclasses.replace(method, minimiser=Clipped())\n"
    )
    interpreted = {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    mine, theirs = (solved(file, f"external+{word}", 50, False, **interpreted) for word in ("clipped", "rm_plus"))
    assert mine["arrays"] == theirs["arrays"]
    assert mine["arrays"] != solved(file, "external", 50, False, **interpreted)["arrays"]


@pytest.mark.slow
def test_use_on_the_command_line(tmp_path):
    run = [sys.executable, "-m", "mccfr"]
    solve = ["solve", "kuhn", "--method", "external+hedge(eta=3)", "--iterations", "2000", "--seed", "1", "--json"]
    known = subprocess.run([*run, "--use", EXAMPLES / "hedge.py", *solve], capture_output=True, text=True)
    document = json.loads(known.stdout)
    assert document["method"] == "external+hedge(eta=3)"
    assert document["exploitability"] < 0.05
    unknown = subprocess.run([*run, *solve[:-1]], capture_output=True, text=True)
    assert unknown.returncode == 2
    assert unknown.stderr.startswith("mccfr: error: unknown method part 'hedge'")


def test_the_examples_are_audited():
    run = [sys.executable, "-m", "mccfr"]
    use = ["--use", EXAMPLES / "coin_sampler.py", "--use", EXAMPLES / "constant_baseline.py"]
    audit = ["audit", "kuhn", "--method", "coin(p=0.3)", "--method", "coin(p=0.3)+constant_baseline(b=0.5)", "--json"]
    rows = json.loads(subprocess.run([*run, *use, *audit], capture_output=True, text=True).stdout)["rows"]
    assert [row["unbiased"] for row in rows] == [True, True]
    assert rows[0]["variance"] != pytest.approx(rows[1]["variance"])
