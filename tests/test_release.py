"""What is released: the archives, the package installed from them, its version, and the papers that go with it."""

import contextlib
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
LARGEST_WHEEL, LARGEST_SOURCE = 1_000_000, 5_000_000  # bytes
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
    made = re.compile(r"(__pycache__|\.venv|\.\w+_cache|\.hypothesis|build|dist|[\w.]*\.egg-info)/|PKG-INFO$|setup\.cfg$")
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


def test_installed_commands(installed):
    assert output_of(installed("mccfr", "--version")) == f"mccfr {mccfr.__version__}\n"
    solved = json.loads(output_of(installed("mccfr", "solve", "kuhn", "--json")))
    assert math.isclose(solved["value"], -1 / 18, abs_tol=1e-9)
    demo = output_of(installed("mccfr", "demo"))
    assert "-0.0856" in demo  # the value of Leduc, as others have published it


def test_the_page_from_an_installed_wheel(installed):
    process = installed("mccfr", "watch", "--port", "0", "--no-browser")
    try:
        line = process.stdout.readline()
        address = re.search(r"http://[\w.]+:\d+/", line)[0].replace("localhost", "127.0.0.1")
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
