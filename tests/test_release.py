"""What is released: the archives, the package installed from them, its version, and the papers that go with it."""

import importlib.metadata
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tomllib
import urllib.request
import venv
import zipfile
from email.parser import HeaderParser
from pathlib import Path

import numpy as np
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version
from websockets.sync.client import connect

import mccfr

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
OLD = Path(__file__).parent / "data" / "written_by_0_1_0"
PLACEHOLDER = "mccfr." + "example.org"  # in two parts, so that this file does not have it
LARGEST_WHEEL, LARGEST_SOURCE = 17_500_000, 23_500_000  # bytes, most of them of blueprints, then pictures
RELEASE = re.compile(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$", re.MULTILINE)
DEBRIS = (
    *("mccfr/kernel/__pycache__/walk.walk_0123.py311.nbi", "mccfr/web/static/__pycache__/main.js"),
    *("tests/__pycache__/test_web.cpython-311.pyc", "fuzz/found/files-1.json", "papers/li2020-fig2/jobs.jsonl"),
    *(".hypothesis/examples/1", ".venv/installed", "dist/mccfr-0.0.1.tar.gz", "leduc.mccfr"),
)


def project_files():
    """Names of all files of the project: those git knows or would add; in an unpacked archive all but debris."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode == 0:
        return {name for name in found.stdout.split("\0") if name and (ROOT / name).is_file()}
    made = re.compile(
        r"(__pycache__|\.venv|\.\w+_cache|\.hypothesis|build|dist|[\w.]*\.egg-info)/|PKG-INFO$|setup\.cfg$"
    )
    names = {str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file()}
    return {name for name in names if not made.search(name)}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A wheel and a source archive, made from a copy with debris of working in it; the wheel from the archive."""
    copy, out = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("dist")
    for name in project_files():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    for name in DEBRIS:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text("debris\n")
    wanted = Requirement(PROJECT["build-system"]["requires"][0])
    ready = wanted.specifier.contains(importlib.metadata.version("setuptools"))
    command = [sys.executable, "-m", "build", *(["--no-isolation"] if ready else []), "--outdir", out, copy]
    done = subprocess.run(command, capture_output=True, text=True, env=clean_environment(), check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,), (source,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return wheel, source


def clean_environment(**more):
    """Ours, without the path by which the tests find the package in this folder."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | more


# The archives ---------------------------------------------------------------------------------------------------------


def test_the_wheel_has_the_package_and_nothing_else(built):
    wheel, _ = built
    assert wheel.name == f"mccfr-{mccfr.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as file:
        inside = {name for name in file.namelist() if not name.startswith(f"mccfr-{mccfr.__version__}.dist-info/")}
    assert inside == {name for name in project_files() if name.startswith("mccfr/")}
    assert inside >= {f"mccfr/{name}" for name in ("py.typed", "cards/data/preflop169.equity", "web/static/main.js")}
    print(f"wheel: {wheel.stat().st_size:,} bytes")
    assert wheel.stat().st_size < LARGEST_WHEEL


def test_the_source_archive_has_every_file_of_the_project(built):
    _, source = built
    made = re.compile(r"PKG-INFO$|setup\.cfg$|mccfr\.egg-info/")  # by setuptools
    with tarfile.open(source) as file:
        names = {member.name.partition("/")[2] for member in file.getmembers() if member.isfile()}
    assert {name for name in names if not made.match(name)} == project_files()
    print(f"source archive: {source.stat().st_size:,} bytes")
    assert source.stat().st_size < LARGEST_SOURCE


def test_metadata(built):
    with zipfile.ZipFile(built[0]) as file:
        text = file.read(f"mccfr-{mccfr.__version__}.dist-info/METADATA").decode()
    found = HeaderParser().parsestr(text)
    assert (found["Name"], found["Version"]) == ("mccfr", mccfr.__version__)
    assert found["Description-Content-Type"] == "text/markdown"
    assert found.get_payload() == (ROOT / "README.md").read_text()
    assert found["License-Expression"] == "MIT"
    assert {line.partition(", ")[0] for line in found.get_all("Project-URL")} == PROJECT["project"]["urls"].keys()


# Installed ------------------------------------------------------------------------------------------------------------


def environment_with(wheel, folder, borrowed):
    """The folder of commands of an environment with this wheel.

    Borrowed: packages of other people are those of this environment, found by its path; mccfr is not, since an
    editable installation is found by a .pth file, which is not read from there. Else pip installs all of them.
    """
    venv.create(folder, with_pip=not borrowed, symlinks=True)
    pip = ["-m", "pip", "--disable-pip-version-check", "--quiet"]
    if borrowed:
        (packages,) = folder.glob("lib/python3.*/site-packages")
        paths = [path for path in sys.path if path.endswith("-packages")]
        (packages / "borrowed.pth").write_text("\n".join(paths) + "\n")
        pip = [sys.executable, *pip, "--python", folder / "bin" / "python", "install", "--no-deps", "--no-index", wheel]
    else:
        pip = [folder / "bin" / "python", *pip, "install", f"{wheel}[web]"]
    subprocess.run(pip, env=clean_environment(), check=True)
    return folder / "bin"


@pytest.fixture(scope="module", params=["borrowed", pytest.param("alone", marks=pytest.mark.slow)])
def installed(request, built, tmp_path_factory):
    """Runs a command of a fresh environment, in another folder than this one."""
    folder = tmp_path_factory.mktemp("installed")
    commands = environment_with(built[0], folder / "environment", request.param == "borrowed")
    environment = clean_environment(MCCFR_CACHE=str(folder / "cache"), COLUMNS="100")

    def start(name, *args):
        return subprocess.Popen(
            [commands / name, *args], cwd=folder, env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    return start


def output_of(process):
    """What a command prints; it must succeed and complain of nothing."""
    out, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (0, ""), err
    return out


def test_the_installed_package_is_the_wheel(installed):
    code = "import mccfr; print(mccfr.__file__); print(mccfr.__version__)"
    file, version = output_of(installed("python", "-c", code)).split()
    assert "/environment/lib/" in file
    assert version == mccfr.__version__


@pytest.mark.slow
def test_installed_commands(installed):
    assert output_of(installed("mccfr", "--version")) == f"mccfr {mccfr.__version__}\n"
    solved = json.loads(output_of(installed("mccfr", "solve", "kuhn", "--json")))
    assert math.isclose(solved["value"], -1 / 18, abs_tol=1e-9)
    demo = output_of(installed("mccfr", "demo"))
    assert "-0.0856" in demo  # the value of Leduc, as others have published it


@pytest.mark.slow
def test_the_page_from_an_installed_wheel(installed):
    process = installed("mccfr", "watch", "--port", "0", "--no-browser")
    try:
        said = re.search(r"http://[\w.]+:\d+/", process.stdout.readline())
        assert said, process.communicate(timeout=30)
        address = said[0].replace("localhost", "127.0.0.1")
        assert b"<title>" in fetched(address)
        assert json.loads(fetched(f"{address}api/about"))["version"] == mccfr.__version__
        for file in sorted((ROOT / "mccfr" / "web" / "static").iterdir()):
            assert fetched(f"{address}static/{file.name}") == file.read_bytes(), file.name
        assert b"plotly.js" in fetched(f"{address}plotly.js")[:200]
        with connect(address.replace("http", "ws") + "ws") as socket:
            socket.send(json.dumps({"type": "open", "game": "kuhn", "method": "external"}))
            opened = json.loads(socket.recv(timeout=120))
        assert (opened["type"], opened["game"]["name"]) == ("opened", "kuhn")
    finally:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")


def fetched(address):
    """What is served there."""
    with urllib.request.urlopen(address, timeout=60) as answer:
        return answer.read()


# The version ----------------------------------------------------------------------------------------------------------


def releases():
    """Versions and dates in the changelog, newest first."""
    return RELEASE.findall((ROOT / "CHANGELOG.md").read_text())


def test_the_version_stands_in_one_place():
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert "version" not in PROJECT["project"]
    written = re.compile(rf"""__version__ = ["']|["']{re.escape(mccfr.__version__)}["']""")
    files = [*(ROOT / "mccfr").rglob("*.py"), ROOT / "pyproject.toml"]
    assert [file.name for file in files if written.search(file.read_text())] == ["version.py"]


def test_strategies_and_runs_say_which_version_made_them(tmp_path):
    solver = mccfr.solve("kuhn", "cfr_plus", iterations=1)
    assert solver.strategy().origin.version == mccfr.__version__
    run = mccfr.train(tmp_path / "run", "kuhn", "cfr_plus", iterations=1)
    assert run.record.versions["mccfr"] == mccfr.__version__


def test_the_changelog_begins_with_unreleased_and_then_this_version():
    text = (ROOT / "CHANGELOG.md").read_text()
    headings = re.findall(r"^## .*$", text, re.MULTILINE)
    assert headings[0] == "## [Unreleased]"
    assert len(headings) == 1 + len(releases())
    assert releases()[0][0] == mccfr.__version__
    assert releases() == sorted(releases(), key=lambda release: Version(release[0]), reverse=True)


def test_importing_is_fast_and_asks_no_metadata():
    """Under 0.15 s; the best of three, since other tests run beside this one."""
    code = "import sys, time; t = time.perf_counter(); import mccfr; print(time.perf_counter() - t, *sys.modules)"
    command = [sys.executable, "-c", code]
    environment = clean_environment(PYTHONPATH=str(ROOT))
    runs = [subprocess.run(command, env=environment, capture_output=True, text=True, check=True) for _ in range(3)]
    assert min(float(run.stdout.split()[0]) for run in runs) < 0.15
    assert "mccfr.version" in runs[0].stdout.split()
    assert "importlib.metadata" not in runs[0].stdout.split()


# Files that 0.1.0 wrote ----------------------------------------------------------------------------------------------


def test_a_strategy_of_0_1_0_loads():
    strategy = mccfr.load(OLD / "kuhn.mccfr")
    assert (strategy.origin.version, strategy.origin.iterations) == ("0.1.0", 1000)
    assert mccfr.exploitability(strategy) == pytest.approx(0.02985547881051303, abs=1e-12)  # as 0.1.0 printed it
    assert mccfr.expected_value(strategy) == pytest.approx(-0.05138631442116948, abs=1e-12)


def test_a_tree_of_0_1_0_loads():
    assert mccfr.load_tree(OLD / "kuhn.tree").fingerprint == mccfr.compile("kuhn").fingerprint


def test_a_run_of_0_1_0_goes_on_as_0_1_0_would(tmp_path):
    """500 iterations of the one version and 500 of the other are 1000 of the first."""
    shutil.copytree(OLD / "run", tmp_path / "run")
    heard = []
    run = mccfr.Run(tmp_path / "run").train(iterations=1000, on_event=lambda kind, **facts: heard.append((kind, facts)))
    found, expected = run.strategy(), mccfr.load(OLD / "kuhn.mccfr")
    np.testing.assert_allclose(found.probabilities, expected.probabilities, rtol=0, atol=1e-12)
    assert found.origin.iterations == expected.origin.iterations == 1000
    (warning,) = [facts["message"] for kind, facts in heard if kind == "warning"]
    assert f"mccfr 0.1.0, now {mccfr.__version__}" in warning


# What goes with it ----------------------------------------------------------------------------------------------------


def requirements():
    """All packages that ours needs or can use, with their bounds."""
    extras = PROJECT["project"]["optional-dependencies"]
    lines = [*PROJECT["project"]["dependencies"], *(line for name in extras if name != "dev" for line in extras[name])]
    return {requirement.name: requirement.specifier for requirement in map(Requirement, lines)}


@pytest.mark.parametrize("name", requirements())
def test_what_is_tested_here_is_allowed_and_bounded(name):
    bounds = requirements()[name]
    assert bounds.contains(importlib.metadata.version(name))
    assert any(bound.operator == ">=" for bound in bounds)


@pytest.mark.parametrize(("name", "internals"), [("numba", "numba.core"), ("uvicorn", "uvicorn.protocols")])
def test_packages_whose_internals_we_use_are_bounded_at_a_minor_version(name, internals):
    """The bound may go when nothing of ours imports them any longer."""
    importing = re.compile(rf"^from {re.escape(internals)}\b", re.MULTILINE)
    assert any(importing.search(file.read_text()) for file in (ROOT / "mccfr").rglob("*.py"))
    installed = Version(importlib.metadata.version(name))
    assert not requirements()[name].contains(f"{installed.major}.{installed.minor + 1}.0")


def test_addresses_are_placeholders_in_one_place():
    texts = {name: (ROOT / name).read_bytes() for name in project_files()}
    assert [name for name, text in texts.items() if PLACEHOLDER.encode() in text] == ["pyproject.toml"]
    assert all(PLACEHOLDER in address for address in PROJECT["project"]["urls"].values())


def test_the_citation_is_of_this_version():
    """With the fields that the Citation File Format 1.2.0 requires."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation.keys() >= {"cff-version", "message", "title", "authors"}
    assert citation["cff-version"] == "1.2.0"
    assert all(author.get("name") or author.get("family-names") for author in citation["authors"])
    assert (str(citation["version"]), str(citation["date-released"])) == releases()[0]
    assert citation["license"] == PROJECT["project"]["license"]


def test_python_versions_are_the_same_everywhere():
    classified = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["project"]["classifiers"]))
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python"] == classified
    assert PROJECT["project"]["requires-python"] == f">={classified[0]}"
    assert PROJECT["tool"]["mypy"]["python_version"] == classified[0]
    page = (ROOT / "docs" / "releasing.md").read_text()
    assert all(f"| Python {version} |" in page for version in classified)


@pytest.mark.parametrize("name", ["ci", "release"])
def test_workflows_run_what_decides(name):
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text())
    (job,) = workflow["jobs"].values()
    commands = [step["run"] for step in job["steps"] if "run" in step]
    assert "bash .ci/run" in commands
    assert (ROOT / ".ci" / "run").is_file()


@pytest.mark.parametrize("name", ["bug", "wrong-number", "feature"])
def test_issue_forms(name):
    form = yaml.safe_load((ROOT / ".github" / "ISSUE_TEMPLATE" / f"{name}.yml").read_text())
    assert form.keys() >= {"name", "description", "body"}
    assert len({field["id"] for field in form["body"]}) == len(form["body"])
    asked = " ".join(field["attributes"]["label"] for field in form["body"] if field["validations"]["required"])
    wanted = {"bug": ("--version", "bench", "Command"), "wrong-number": ("Game", "Method", "seed", "comes from")}
    assert all(word in asked for word in wanted.get(name, ()))


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "CHANGELOG.md", "docs/releasing.md"])
def test_what_the_pages_name_exists(page):
    text = (ROOT / page).read_text()
    for target in re.findall(r"\]\((?!https?:)([^)#\s]+)", text):
        assert ((ROOT / page).parent / target).exists(), target
    for name in re.findall(r"`((?:mccfr|tests|docs|papers|fuzz|\.github|\.ci)/[\w./-]*\w)`", text):
        assert (ROOT / name).exists() or "NAME" in name, name
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"`make ([\w-]+)", text):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_tests_and_tables_that_contributing_names_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    tests = "".join(file.read_text() for file in (ROOT / "tests").glob("*.py"))
    named = re.findall(r"`(test_\w+)`", text)
    assert len(named) > 10
    assert [name for name in named if f"def {name}(" not in tests] == []
    for table, file in re.findall(r"`([A-Z_]+)`\s+in\s+`([\w/.]+\.py)`", text):
        assert re.search(rf"^{table}\b.*=", (ROOT / file).read_text(), re.MULTILINE), f"{table} in {file}"
