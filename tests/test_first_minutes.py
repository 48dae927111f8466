"""A newcomer's first minutes: `make` on bare machines, what the demo proposes to type, and what the page waits for."""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from test_web import Page, start

import mccfr
from mccfr.cli import demo
from mccfr.errors import MissingExtra
from mccfr.kernel import dispatch
from mccfr.web.messages import Open
from mccfr.web.scene import Scene
from mccfr.web.session import Session
from mccfr.web.stock import SharedError

ROOT = Path(mccfr.__file__).parent.parent
TOOLS = ("sh", "make", "mkdir", "ln", "touch", "cat", "rm", "env", "sleep", "chmod", "cp")
HEAVY = {
    "numpy",
    "numba",
    "scipy",
    "pyarrow",
    "rich",
    "pandas",
    "fastapi",
    "uvicorn",
    "plotly",
    "pyspiel",
    "matplotlib",
}

# Python as it is where python3-venv is missing, if the file `no-venv` is there: the folder is made, and then it fails.
# Where it works, the environment has a Python that writes down what pip is asked for and installs a command.
FAKE_PYTHON = """#!/bin/sh
here={here}
case "$1 $2" in
"-m venv")
    for folder; do :; done
    mkdir -p "$folder/bin" "$folder/lib/python3/site-packages"
    if [ -e "$here/no-venv" ]; then
        ln -s {python} "$folder/bin/python"
        echo "The virtual environment was not created successfully because ensurepip is not available."
        exit 1
    fi
    mkdir "$folder/lib/python3/site-packages/pip-23.0.dist-info"
    cp "$here/environment-python" "$folder/bin/python" ;;
"-m virtualenv" | "-m pip") exit 1 ;;
*) exec {python} "$@" ;;
esac
"""
ENVIRONMENT_PYTHON = """#!/bin/sh
here={here}
case "$1 $2" in
"-c import pip") exit 0 ;;
"-m pip")
    echo "$@" >> "$here/asked"
    if [ -e "$here/slow" ]; then touch "$here/started"; sleep 30; fi
    if [ -e "$here/offline" ]; then
        echo "WARNING: Retrying after connection broken by 'NewConnectionError(...)': /simple/setuptools/" >&2
        echo "ERROR: Could not find a version that satisfies the requirement setuptools>=77 (from versions: none)" >&2
        exit 1
    fi
    if [ -e "$here/full" ]; then echo "ERROR: [Errno 28] No space left on device" >&2; exit 1; fi
    mkdir -p "$here/.venv/lib/python3/site-packages/numpy-2.0.dist-info"
    printf '#!/bin/sh\\necho "mccfr $*"\\n' > "$here/.venv/bin/mccfr"
    chmod +x "$here/.venv/bin/mccfr" ;;
*) exec {python} "$@" ;;
esac
"""


class Machine:
    """A clone in a folder of its own, and only the programs that a newcomer has."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.programs = folder, folder / "programs"
        self.programs.mkdir()
        (folder / "tools").mkdir()
        for name in ("Makefile", "pyproject.toml", "tools/environment.py"):
            shutil.copy(ROOT / name, folder / name)
        for name in TOOLS:
            (self.programs / name).symlink_to(str(shutil.which(name)))
        self.write("python3", FAKE_PYTHON)
        self.write("../environment-python", ENVIRONMENT_PYTHON)

    def write(self, name: str, text: str) -> None:
        """A program."""
        file = self.programs / name
        file.write_text(text.replace("{here}", str(self.folder)).replace("{python}", sys.executable))
        file.chmod(0o755)

    def has(self, *marks: str) -> None:
        """Switches of the programs above; all others are off."""
        for name in ("no-venv", "offline", "full", "slow", "started"):
            (self.folder / name).unlink(missing_ok=True)
        for name in marks:
            (self.folder / name).touch()

    def start(self, *words: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            ["make", *words], cwd=self.folder, env={"PATH": str(self.programs), "HOME": str(self.folder)},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip

    def make(self, *words: str) -> tuple[int, str, str]:
        """Exit code, stdout, stderr without make's own line."""
        process = self.start(*words)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, "".join(line for line in err.splitlines(True) if not line.startswith("make:"))

    @property
    def installs(self) -> list[str]:
        """What pip was asked for."""
        asked = self.folder / "asked"
        return asked.read_text().splitlines() if asked.exists() else []


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


INSTALLING = "Installing mccfr in .venv: a minute, the first time.\n"
ANEW = ".venv is empty or half made: making it anew\n"


# ---- make


def test_make_demo_sets_up_once(machine):
    assert machine.make("demo") == (0, "mccfr demo\n", INSTALLING)
    assert machine.make("demo") == (0, "mccfr demo\n", "")
    assert len(machine.installs) == 1
    with (machine.folder / "pyproject.toml").open("a") as file:
        file.write("\n# something else is needed now\n")
    assert machine.make("demo") == (0, "mccfr demo\n", INSTALLING)
    assert len(machine.installs) == 2


def test_make_watch_installs_what_the_page_needs(machine):
    machine.make("demo")
    code, out, err = machine.make("watch")
    assert (code, out) == (0, "mccfr watch\n")
    assert "with its extra 'web'" in err
    assert machine.installs[-1].endswith(f"-e {machine.folder}[web]")
    assert machine.make("demo") == machine.make("demo") == (0, "mccfr demo\n", "")


def test_without_python3_venv_there_is_a_line_to_type_and_nothing_is_left(machine):
    machine.has("no-venv")
    code, out, err = machine.make("demo")
    assert (code, out) == (2, "")
    assert "python3 cannot make environments" in err
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    wanted = f"apt install {version}-venv" if Path("/etc/debian_version").exists() else "install uv or virtualenv"
    assert wanted in err
    assert not (machine.folder / ".venv").exists()
    machine.has()  # as typed
    assert machine.make("demo") == (0, "mccfr demo\n", INSTALLING)


def test_what_an_older_version_left_half_made_is_made_anew(machine):
    machine.has("no-venv")
    subprocess.run([machine.programs / "python3", "-m", "venv", machine.folder / ".venv"], check=False)
    assert (machine.folder / ".venv" / "bin" / "python").exists()
    machine.has()
    assert machine.make("demo") == (0, "mccfr demo\n", ANEW + INSTALLING)


def test_uv_does_where_venv_does_not(machine):
    machine.has("no-venv")
    machine.write("uv", '#!/bin/sh\nrm {here}/no-venv\nfor folder; do :; done\nexec python3 -m venv "$folder"\n')
    assert machine.make("demo") == (0, "mccfr demo\n", INSTALLING)


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        ("offline", "pip could not fetch what mccfr needs: is this machine online?"),
        ("full", "pip could not install mccfr: [Errno 28] No space left on device"),
    ],
)
def test_an_installation_that_failed_does_not_count(machine, trouble, said):
    machine.has(trouble)
    log = " (all that pip said: .venv/unfinished.log); the same command tries again\n"
    assert machine.make("demo") == (2, "", INSTALLING + said + log)
    assert "ERROR: " in (machine.folder / ".venv/unfinished.log").read_text()
    machine.has()
    assert machine.make("demo") == (0, "mccfr demo\n", ANEW + INSTALLING)
    assert machine.make("demo") == (0, "mccfr demo\n", "")


def test_an_update_that_failed_keeps_the_environment_and_is_tried_again(machine):
    machine.make("demo")
    machine.has("offline")
    code, out, err = machine.make("watch")
    assert (code, out) == (2, "")
    assert ".venv/failed-install.log" in err
    assert machine.make("demo") == (0, "mccfr demo\n", "")
    machine.has()
    assert machine.make("watch")[:2] == (0, "mccfr watch\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_installation_breaks_nothing(machine, number):
    machine.has("slow")
    process = machine.start("demo")
    for _ in range(1000):
        if (machine.folder / "started").exists():
            break
        time.sleep(0.02)
    os.killpg(process.pid, number)  # as Ctrl-C does: make and all that it has started
    _, err = process.communicate(timeout=30)
    assert process.returncode != 0
    if number != signal.SIGKILL:
        assert "stopped; the same command starts again" in err
        assert not (machine.folder / ".venv").exists()
    machine.has()
    assert machine.make("demo") == (0, "mccfr demo\n", (ANEW if number == signal.SIGKILL else "") + INSTALLING)


def test_somebodys_own_environment_is_not_removed(machine):
    own = machine.folder / ".venv"
    (own / "bin").mkdir(parents=True)
    (own / "bin" / "python").write_text(f'#!/bin/sh\n[ "$2" = "import pip" ] && exit 1\nexec {sys.executable} "$@"\n')
    (own / "bin" / "python").chmod(0o755)
    (own / "lib/python3/site-packages/torch-2.0.dist-info").mkdir(parents=True)
    said = ".venv has packages but no pip: add pip, or remove it (rm -r .venv), and try again\n"
    assert machine.make("demo") == (2, "", said)
    assert (own / "lib/python3/site-packages/torch-2.0.dist-info").exists()


@pytest.mark.parametrize("python", ["programs/old", "programs/none"])
def test_an_old_python_or_none_is_told_in_a_line(machine, python):
    machine.write("old", "#!/bin/sh\nexit 1\n")
    said = "mccfr needs Python 3.11 or later; say which with: make PYTHON=/path/to/python3.11\n"
    assert machine.make("demo", f"PYTHON={machine.folder / python}") == (2, "", said)


def test_another_python_need_be_named_only_once(machine):
    (machine.programs / "python3").rename(machine.programs / "other")
    assert machine.make("demo", "PYTHON=other")[0] == 0
    assert machine.make("demo") == (0, "mccfr demo\n", "")


def test_the_makefile_works_with_the_make_of_macos():
    """GNU make 3.81 knows none of these, and macOS has neither nproc nor a sed -i like GNU's."""
    newer = (
        r"^\.(?:ONESHELL|RECIPEPREFIX|EXTRA_PREREQS)|!=|:::?=|&:|\$\((?:file|guile|let|intcmp) |^undefine|--output-sync"
    )
    text = (ROOT / "Makefile").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert [line for line in lines if re.search(newer + r"|\bnproc\b|sed -i", line)] == []
    assert re.search(newer, "A != date")


# ---- what the demo proposes


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A folder with an environment in it that has the command."""
    monkeypatch.chdir(tmp_path)
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("mccfr", "python", "pip"):
        (programs / name).touch(mode=0o755)
    monkeypatch.setattr(sys, "argv", [str(programs / "mccfr"), "demo"])
    monkeypatch.setattr(sys, "executable", str(programs / "python"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / ".venv"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return programs


def test_the_command_is_named_as_the_shell_finds_it(installed, monkeypatch, tmp_path):
    assert demo.own_name() == ".venv/bin/mccfr"
    monkeypatch.setenv("PATH", f"{installed}:/usr/bin")
    assert demo.own_name() == "mccfr"
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "mccfr").touch(mode=0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/a b:{installed}")  # another installation comes first
    monkeypatch.chdir(tmp_path / "a b")
    assert demo.own_name() == f"{installed}/mccfr"
    monkeypatch.chdir(installed)
    assert demo.own_name() == "./mccfr"
    monkeypatch.setattr(sys, "argv", [f"{tmp_path}/a b/mccfr", "demo"])
    monkeypatch.setenv("PATH", "/usr/bin")
    assert demo.own_name() == f"'{tmp_path}/a b/mccfr'"
    monkeypatch.setattr(sys, "argv", [f"{ROOT}/mccfr/__main__.py", "demo"])
    (installed / "mccfr").unlink()
    monkeypatch.chdir(tmp_path / "a b")
    assert demo.own_name() == f"{installed}/python -m mccfr"


def test_the_demo_says_how_to_type_less(installed, monkeypatch, tmp_path):
    assert demo.closing_words() == "All commands: .venv/bin/mccfr --help"
    (installed / "activate").touch()
    (tmp_path / "Makefile").touch()
    assert demo.closing_words().splitlines() == [
        "Read README.md, then docs/tour.md.",
        "To type mccfr alone: source .venv/bin/activate (in fish: source .venv/bin/activate.fish)",
    ]
    monkeypatch.setenv("PATH", f"{installed}:/usr/bin")
    assert demo.closing_words() == "Read README.md, then docs/tour.md."


def test_the_page_is_proposed_so_that_it_opens(installed, monkeypatch, tmp_path):
    def page():
        return next(line for line, purpose in demo.next_steps() if "browser" in purpose)

    assert page() == ".venv/bin/mccfr watch"
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert page() == f"{installed}/python -m pip install 'mccfr[web]' && .venv/bin/mccfr watch"
    assert str(MissingExtra("plotly", "web", "the page")).endswith(f": {installed}/python -m pip install 'mccfr[web]'")
    monkeypatch.setenv("PATH", f"{installed}:/usr/bin")
    assert page() == "pip install 'mccfr[web]' && mccfr watch"
    (tmp_path / "Makefile").touch()
    assert page() == "make watch"


def test_what_the_demo_proposes_works_as_typed(tmp_path, monkeypatch):
    """Every command but the page, in a shell that does not know where the environment is."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    proposed = [line for line, _ in demo.next_steps()]
    words = [line.partition("mccfr ")[2].split()[0] for line in proposed]
    assert words == ["games", "solve", "show", "evaluate", "play", "watch", "check"]
    for line in (line for line, word in zip(proposed, words) if word != "watch"):
        done = subprocess.run(["sh", "-c", line], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), line


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_what_to_type_is_on_a_line_of_its_own_in_narrow_terminals(columns, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(columns))
    demo._print_beside([("mccfr games", "what else can be solved"), ("mccfr show leduc.mccfr K:", "look into it")])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= columns
    assert len(lines) == (4 if columns == 40 else 2)


# ---- what is imported


def imported_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint('imported:', *sys.modules)"],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(done.stdout.rpartition("imported:")[2].split())


@pytest.mark.parametrize(
    "code",
    [
        "import mccfr",
        "from mccfr.cli.main import cli\ntry: cli.main(['--help'])\nexcept SystemExit: pass",
        "from mccfr.cli.main import cli\ntry: cli.main(['watch', '--help'])\nexcept SystemExit: pass",
        "from mccfr.cli.main import cli\ntry: cli.main(['demo', '--help'])\nexcept SystemExit: pass",
    ],
)
def test_looking_around_imports_nothing_heavy(code):
    assert imported_by(code) & HEAVY == set()


def test_the_page_comes_up_without_what_it_needs_later():
    found = imported_by("import mccfr.cli.watch, mccfr.web.serving, mccfr.web.admit as a; a.scene_of('kuhn')")
    assert "fastapi" in found
    assert found & {"scipy.optimize", "plotly", "pyarrow", "pandas", "matplotlib", "rich", "ray"} == set()


# ---- the page opens before kernels are compiled

WISH = Open(type="open", game="kuhn", method="external", seed=3)


def without_times(frame):
    return [
        {**lane, "seconds": None, "curve": [point[:2] + point[3:] for point in lane["curve"]]}
        for lane in frame["lanes"]
    ]


@pytest.mark.parametrize("game", ["kuhn", "leduc", "rps", "goofspiel(3)"])
def test_what_is_shown_without_kernels_is_what_they_compute(game, monkeypatch):
    wish = WISH.model_copy(update={"game": game})
    early, late = Session(), Session()
    late.open(wish)
    expected = [late.frame(False)]
    late.tell()
    expected.append(late.frame(False))
    late.restart()
    expected.append(late.frame(False))
    with monkeypatch.context() as broken:
        broken.setattr(dispatch, "_era", {})  # a KeyError for whoever asks for a kernel
        assert early.can_open_at_once(wish)
        opened = early.open(wish, at_once=True)
        shown = [early.frame(False)]
        early.tell()
        shown.append(early.frame(False))
        early.restart()
        shown.append(early.frame(False))
    assert opened["compiling"]
    computed = late.lanes[0].scene.opened
    targets = computed["targets"] if game == "kuhn" else None  # those of Kuhn are known without kernels
    assert opened["game"] == {**computed, "exact_value": None, "targets": targets}
    assert (targets is not None) == (game == "kuhn")
    assert [without_times(frame) for frame in shown] == [without_times(frame) for frame in expected]


def test_kernels_are_compiled_after():
    session = Session()
    session.open(WISH, at_once=True)
    assert [session.needs_kernels(goal) for goal in (1, 2, 1000)] == [False, True, True]
    session.tell()
    found = session.compile()
    targets = session.lanes[0].scene.opened["targets"]
    assert found == {"type": "compiled", "exact_value": pytest.approx(-1 / 18), "targets": targets}
    assert targets["0:J:"] == [[pytest.approx(2 / 3), 1.0], [0.0, pytest.approx(1 / 3)]]  # bets with up to a third
    assert session.iteration == 1  # what is open was not touched
    assert not session.needs_kernels(1000)
    session.go(2)
    assert session.lanes[0].exploitability() == mccfr.solve("kuhn", "external", iterations=2, seed=3).exploitability()


@pytest.fixture
def held(monkeypatch):
    """Kernels are not ready before this is set."""
    ready, compile_kernels = threading.Event(), Session.compile
    monkeypatch.setattr(Session, "compile", lambda session: ready.wait(30) and compile_kernels(session))
    yield ready
    ready.set()


def test_a_page_plays_told_iterations_until_kernels_are_ready(held):
    with Page(start()) as page:
        opened, frame = page.open(seed=7)
        assert opened["compiling"]
        assert frame["lanes"][0]["iteration"] == 0
        page.say("play", rate=None)
        for _ in range(5):
            frame = page.hear()
            page.draw(frame)
        assert frame["lanes"][0]["iteration"] <= 5
        held.set()
        while (message := page.hear())["lanes"][0]["iteration"] < 1000:
            page.draw(message)
        assert page.compiled
        page.ask("pause")
        lane = page.ask("jump", iteration=2000)["lanes"][0]
        assert lane["exploitability"] == mccfr.solve("kuhn", "external", iterations=2000, seed=7).exploitability()


def test_who_waits_for_kernels_can_think_better_of_it(held):
    with Page(start()) as page:
        page.open(seed=7)
        page.say("jump", iteration=1000)
        assert page.ask("pause")["lanes"][0]["iteration"] == 0
        assert page.ask("step")["lanes"][0]["iteration"] == 1
        page.say("jump", iteration=1000)
        opened, _ = page.open(method="outcome")
        assert opened["lanes"][0]["method"] == "outcome(epsilon=0.6)"
        assert page.ask("step")["lanes"][0]["iteration"] == 1


def test_kernels_that_cannot_be_compiled_are_told_of_when_needed(monkeypatch):
    def refuse(session):
        raise SharedError("no more kernels")

    with monkeypatch.context() as broken:
        broken.setattr(Session, "compile", refuse)
        page = Page(start())
        page.open(seed=7)
        assert page.ask("step")["lanes"][0]["iteration"] == 1
        assert page.ask("jump", iteration=50)["message"] == "no more kernels"
    with page:
        assert page.ask("jump", iteration=50)["lanes"][0]["iteration"] == 50


def test_full_width_methods_wait_and_so_do_large_games():
    session = Session()
    session.open(WISH.model_copy(update={"method": "cfr"}), at_once=True)
    assert session.needs_kernels(1)
    assert not session.can_open_at_once(WISH.model_copy(update={"other": "cfr"}))
    assert not session.can_open_at_once(WISH.model_copy(update={"game": "dealt:leduc", "method": "cfr"}))
    assert not session.can_open_at_once(WISH.model_copy(update={"game": "goofspiel(5)"}))
    assert session.can_open_at_once(WISH.model_copy(update={"method": "outcome+probe(100)"}))
    assert not session.can_open_at_once(WISH.model_copy(update={"method": "outcome+probe(100000)"}))  # 2 s in Python
    assert not session.can_open_at_once(WISH.model_copy(update={"method": "outcome+probe(100, terminals=1000)"}))
    assert not Scene(mccfr.compile("goofspiel(5)"), mccfr.game("goofspiel(5)")).small


def test_only_the_thread_that_asked_runs_uncompiled():
    elsewhere = []
    with dispatch.uncompiled():
        thread = threading.Thread(target=lambda: elsewhere.append(getattr(dispatch._here, "uncompiled", 0)))
        thread.start()
        thread.join()
        with dispatch.uncompiled():
            pass
        assert dispatch._here.uncompiled == 1
    assert elsewhere == [0]
    assert dispatch._here.uncompiled == 0
