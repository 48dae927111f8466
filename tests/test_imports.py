"""The rooms of the house and the doors between them: what each may import, who may print, what stays asleep."""

import ast
import functools
import os
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "mccfr"
MODULES = sorted(PACKAGE.rglob("*.py"))

# What a room may import besides the standard library and itself; names in LAZY only inside functions.
ABOVE = {
    *("numpy", "scipy", "mccfr.evaluate", "mccfr.strategy", "mccfr.tree", "mccfr.kernel", "mccfr.files"),
    *("mccfr.games", "mccfr.grammar", "mccfr.errors", "mccfr.signals", "mccfr.machine", "mccfr.version"),
    *("mccfr.amounts", "mccfr.notebook"),
}
DOORS = {
    "errors": set(),
    "signals": set(),
    "machine": set(),
    "version": set(),
    "amounts": {"mccfr.errors"},
    "notebook": set(),
    "grammar": {"mccfr.errors"},
    "user_file": {"mccfr.errors"},
    "games": {
        "numpy",
        "mccfr.errors",
        "mccfr.grammar",
        "mccfr.user_file",
        "mccfr.cards",
        "mccfr.betting",
        "mccfr.buckets",
        "mccfr.files",
        "mccfr.amounts",
    },
    "cards": {"numpy", "mccfr.kernel", "mccfr.files", "mccfr.errors"},
    "betting": {"numpy", "mccfr.grammar", "mccfr.errors"},
    "buckets": {
        "numpy",
        "mccfr.cards",
        "mccfr.kernel",
        "mccfr.files",
        "mccfr.grammar",
        "mccfr.user_file",
        "mccfr.errors",
        "mccfr.machine",
    },
    "blueprints": {"mccfr.errors"},
    "files": {"numpy", "mccfr.errors"},
    "kernel": {"numpy", "numba", "llvmlite", "mccfr.files"},
    "gpu": {"numpy", "mccfr.kernel", "mccfr.errors"},
    "tree": {
        "numpy",
        "scipy",
        "mccfr.games",
        "mccfr.cards",
        "mccfr.betting",
        "mccfr.buckets",
        "mccfr.kernel",
        "mccfr.files",
        "mccfr.errors",
        "mccfr.amounts",
    },
    "strategy": {
        "numpy",
        "mccfr.tree",
        "mccfr.games",
        "mccfr.cards",
        "mccfr.kernel.layout",
        "mccfr.files",
        "mccfr.grammar",
        "mccfr.errors",
        "mccfr.amounts",
    },
    "evaluate": {
        "numpy",
        "scipy",
        "mccfr.cards",
        "mccfr.betting",
        "mccfr.kernel",
        "mccfr.tree",
        "mccfr.strategy",
        "mccfr.files",
        "mccfr.errors",
        "mccfr.machine",
        "mccfr.gpu",
    },
    "solvers": {*ABOVE, "mccfr.user_file", "mccfr.betting", "mccfr.blueprints", "mccfr.gpu"},
    "auditing": {*ABOVE, "mccfr.solvers"},
    "jobs": {"numpy", "mccfr.errors", "mccfr.signals"},
    "playing": {
        *ABOVE,
        "mccfr",
        "mccfr.user_file",
        "mccfr.cards",
        "mccfr.betting",
        "mccfr.buckets",
        "mccfr.jobs",
    },
    "resolving": {
        *ABOVE,
        "mccfr",
        "mccfr.cards",
        "mccfr.betting",
        "mccfr.buckets",
        "mccfr.jobs",
        "mccfr.solvers",
        "mccfr.playing",
    },
    "protocols": {
        "numpy",
        "mccfr",
        "mccfr.errors",
        "mccfr.amounts",
        "mccfr.signals",
        "mccfr.files",
        "mccfr.cards",
        "mccfr.betting",
        "mccfr.games",
        "mccfr.playing",
    },
    "papers": {
        *ABOVE,
        "mccfr",
        "mccfr.resolving",
        "mccfr.playing",
        "mccfr.betting",
        "mccfr.blueprints",
        "mccfr.buckets",
        "mccfr.solvers",
        "mccfr.auditing",
        "mccfr.jobs",
    },
    "runs": {*ABOVE, "mccfr.solvers", "mccfr.jobs", "mccfr.blueprints", "mccfr.gpu"},
    "experiments": {
        "numpy",
        "scipy",
        "mccfr",
        "mccfr.runs",
        "mccfr.solvers",
        "mccfr.files",
        "mccfr.errors",
        "mccfr.machine",
        "mccfr.amounts",
        "mccfr.notebook",
        "mccfr.jobs",
    },
    "web": {
        *ABOVE,
        "mccfr.solvers",
        "mccfr.auditing",
        "mccfr.runs",
        "mccfr.cards",
        "mccfr.betting",
        "mccfr.playing",
        "mccfr.protocols",
        "fastapi",
        "pydantic",
        "uvicorn",
        "anyio",
    },
    "cli": {
        "click",
        "rich",
        "mccfr.amounts",
        "mccfr.errors",
        "mccfr.signals",
        "mccfr.jobs",
        "mccfr.buckets",
        "mccfr.files",
        "mccfr.papers",
        "mccfr.runs",
        "mccfr.experiments",
        "mccfr.playing",
        "mccfr.resolving",
        "mccfr.protocols",
        "mccfr.web",
    },
    "__init__": {"mccfr.version"},
    "__main__": {"mccfr.cli"},
}
LAZY = {
    "kernel": {"numba_cuda"},
    "games": {"pyspiel"},
    "jobs": {"scipy", "ray", "PIL"},
    "cards": {"rich", "matplotlib"},
    "strategy": {"rich", "pandas", "open_spiel", "pyspiel"},
    "papers": {"matplotlib", "pyarrow"},
    "runs": {"pyarrow", "tensorboardX", "ray"},
    "experiments": {"matplotlib", "pyarrow"},
    "files": {"yaml"},
    "web": {"plotly"},
    "protocols": {"pokerkit", "fastapi", "pydantic", "uvicorn"},
}
PRINTERS = {"strategy/display.py", "cli"}


def room(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@functools.cache
def trees():
    return {path: ast.parse(path.read_text()) for path in MODULES}


def name(path):
    return str(path.relative_to(PACKAGE))


class Imports(ast.NodeVisitor):
    """Imported modules of a file: at its top, inside functions, and for type checkers only."""

    def __init__(self, path):
        self.top, self.inside, self.depth = set(), set(), 0
        self.visit(ast.parse(path.read_text()))

    def _add(self, module):
        (self.inside if self.depth else self.top).add(module)

    def visit_Import(self, node):
        for alias in node.names:
            self._add(alias.name)

    def visit_ImportFrom(self, node):
        assert node.level == 0, "imports are absolute"
        folder = PACKAGE.parent.joinpath(*node.module.split("."))
        for alias in node.names:
            inner = (folder / alias.name).is_dir() or (folder / f"{alias.name}.py").is_file()
            self._add(f"{node.module}.{alias.name}" if inner else node.module)

    def visit_FunctionDef(self, node):
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1

    def visit_If(self, node):
        if ast.unparse(node.test) != "TYPE_CHECKING":
            self.generic_visit(node)


def stranger(module, own, allowed):
    """Whether a module is neither standard, nor of this room, nor allowed to it."""
    if module == "mccfr" and own in ("mccfr.cli", "mccfr.web"):  # the front door, never a room behind it
        return False
    if module.partition(".")[0] in sys.stdlib_module_names:
        return False
    return not any(module == door or module.startswith(f"{door}.") for door in {own, *allowed})


def test_every_room_has_its_rules():
    assert {room(path) for path in MODULES} == DOORS.keys() | ({"__main__"} & {room(path) for path in MODULES})


def test_imports_keep_to_the_doors():
    wrong = []
    for path in MODULES:
        found, here = Imports(path), room(path)
        top = {m for m in found.top if stranger(m, f"mccfr.{here}", DOORS[here])}
        inside = {m for m in found.inside if stranger(m, f"mccfr.{here}", DOORS[here] | LAZY.get(here, set()))}
        wrong += [f"{name(path)} imports {module}" for module in sorted(top | inside)]
    assert wrong == []


def test_a_forbidden_import_would_be_noticed(tmp_path):
    (tmp_path / "bad.py").write_text(
        "import numpy\nfrom mccfr.solvers.lp import solve_lp\ndef f():\n    import click\n"
    )
    found = Imports(tmp_path / "bad.py")
    assert {m for m in found.top if stranger(m, "mccfr.kernel", DOORS["kernel"])} == {"mccfr.solvers.lp"}
    assert found.inside == {"click"}
    assert stranger("mccfr.solvers.lp", "mccfr.cli", DOORS["cli"])
    assert stranger("mccfr.cli.output", "mccfr.web", DOORS["web"])
    assert stranger("mccfr.papers.curves", "mccfr.web", DOORS["web"])
    assert stranger("click", "mccfr.kernel", DOORS["kernel"])
    assert stranger("mccfr.kernel.sequence_form", "mccfr.strategy", DOORS["strategy"])
    assert not stranger("mccfr.kernel.layout", "mccfr.strategy", DOORS["strategy"])


def test_only_show_and_the_command_line_print():
    forbidden = {"print", "input", "Console", "sys.stdout.write", "sys.stderr.write"}
    names = {each.rpartition(".")[2] for each in forbidden}
    wrong = []
    for path, tree in trees().items():
        if name(path) in PRINTERS or room(path) in PRINTERS:
            continue
        called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
        calls = [ast.unparse(each) for each in called if getattr(each, "id", getattr(each, "attr", "")) in names]
        prints = forbidden.intersection(calls)
        wrong += [f"{name(path)} calls {call}" for call in sorted(prints)]
    assert wrong == []


def docstring_lines(tree):
    """How many lines of a module, class or function are docstrings, its own and those inside it."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    found = [node.body[0] for node in ast.walk(tree) if isinstance(node, documented) and ast.get_docstring(node)]
    return sum(text.end_lineno - text.lineno + 1 for text in found)


def test_files_and_functions_are_short():
    """Docstrings do not count: those of public names explain every parameter, and have examples."""
    wrong = []
    for path, tree in trees().items():
        if len(path.read_text().splitlines()) - docstring_lines(tree) >= 400:
            wrong.append(f"{name(path)} is too long")
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        long = [f.name for f in functions if f.end_lineno - f.lineno - docstring_lines(f) >= 60]
        wrong += [f"{name(path)}: {function} is too long" for function in long]
        if not ast.get_docstring(tree):
            wrong.append(f"{name(path)} has no docstring")
    assert wrong == []


def test_only_docstrings_do_not_count():
    code = '"""One\nand two."""\n\ndef f():\n    """Three."""\n    return """four\nlines"""\n'
    assert docstring_lines(ast.parse(code)) == 3


def modules_after(statement):
    """What a fresh process has imported after a statement."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {statement}; print(*sys.modules)"],
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    return {module.partition(".")[0] for module in done.stdout.split()}


def test_the_front_door_costs_nothing():
    heavy = {"numpy", "numba", "scipy", "rich", "click", "pandas", "pyspiel", "open_spiel"}
    assert modules_after("import mccfr") & heavy == set()
    assert modules_after("import mccfr; dir(mccfr); mccfr.__version__") & heavy == set()


def test_games_can_be_made_without_the_compiler():
    assert modules_after("import mccfr; mccfr.game('kuhn')") & {"numba", "scipy", "rich", "pyspiel"} == set()


def test_solving_needs_no_extras():
    extras = {"pandas", "pyspiel", "open_spiel", "click", "fastapi", "uvicorn", "plotly"}
    assert modules_after("import mccfr; mccfr.solve('kuhn', 'lp').strategy()") & extras == set()
