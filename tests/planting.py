"""Bugs planted into the package in memory: one interpreted process, a test file run as a program, looks at all.

A bug is one or more changes (place, old, new). A place is a file and what is in it, as in `samplers:law(Outcome)` for a
body of a verb, `walk:Parts`, `tree/store:cached_tree`, or a file alone; a file is one of the kernel, or `room/file`.
`old` stands there once. So bugs survive what happens elsewhere in the file, and one whose place is gone is an error.

A test file says what its bugs are, and what to look at:

    caught = catching(__file__, one_each(BUGS))    a fixture: what was found, by bug

    if __name__ == "__main__":
        try_bugs(look)                             the same file as a program

`test_planting.py` checks for all these files that what bugs replace is there; that takes no time.
"""

import ast
import contextlib
import functools
import importlib
import importlib.abc
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent / "mccfr"
PLANTED = {}  # by test file: the changes of each bug, (place, old, new)


def catching(program, bugs, during=contextlib.nullcontext):
    """A fixture of a test file: what it finds as a program with each bug in the package, by bug.

    bugs: {name: changes}. `during` makes the block in which bugs are tried, of pytest's factory of folders.
    """
    PLANTED[Path(program).stem] = bugs

    @pytest.fixture(scope="module")
    def found(tmp_path_factory):
        with during(tmp_path_factory):
            return hunt(program, bugs, tmp_path_factory)

    return found


def one_each(bugs):
    """The changes of bugs that are one (place, old, new) each; None is the package as it is, with nothing changed."""
    return {None: (), **{bug: (change,) for bug, change in bugs.items()}}


def hunt(program, bugs, tmp_path_factory):
    """What a program finds, by bug, looked for once in a run of the tests, however many processes share it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    kept = shared / f"{Path(program).stem}.json"
    with FileLock(kept.with_suffix(".lock")):
        if not kept.exists():
            kept.write_text(json.dumps(look_for(program, bugs)))
    return dict(zip(bugs, json.loads(kept.read_text())))


def look_for(program, bugs, *words):
    """What a program finds: it is given the changes of each bug, and calls `try_bugs`."""
    paths = os.pathsep.join([str(TESTS), str(PACKAGE.parent)])
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths, "PYTHONWARNINGS": "ignore"}
    asked = json.dumps(list(bugs.values()))
    done = subprocess.run(
        [sys.executable, program, *words], env=environment, input=asked, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def try_bugs(looks):
    """What a test file does as a program: look at each bug in its own way, or at all of them in the same."""
    bugs = json.load(sys.stdin)
    if callable(looks):
        looks = [looks] * len(bugs)
    assert len(looks) == len(bugs)
    print(json.dumps([look_at(changes, look) for changes, look in zip(bugs, looks)]))


def look_at(changes, look):
    """What is found while these changes are in the package."""
    planted = {}
    for change in changes:
        file = file_of(change[0])
        planted[file] = replaced(planted.get(file, file.read_text()), change)
    for name in [name for name in sys.modules if name.partition(".")[0] == "mccfr"]:
        del sys.modules[name]
    finder = PlantedFinder({name_of(file): (file, text) for file, text in planted.items()})
    sys.meta_path.insert(0, finder)
    try:
        found = look()
    finally:
        sys.meta_path.remove(finder)
    assert finder.taken == finder.planted.keys(), f"nobody imported {finder.planted.keys() - finder.taken}"
    return found


class PlantedFinder(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Loads some modules from texts given here; the others are found as ever, with their code kept by Python."""

    def __init__(self, planted):
        self.planted, self.taken = planted, set()

    def find_spec(self, name, path=None, target=None):
        if name not in self.planted:
            return None
        file, _ = self.planted[name]
        package = file.name == "__init__.py"
        places = [str(file.parent)] if package else None
        return importlib.util.spec_from_file_location(name, file, loader=self, submodule_search_locations=places)

    def get_source(self, name):
        return self.planted[name][1]

    def get_code(self, name):
        self.taken.add(name)
        file, text = self.planted[name]
        return compile(text, str(file), "exec", dont_inherit=True)


def name_of(file):
    """The module of a file of the package."""
    inside = file.relative_to(PACKAGE.parent).with_suffix("")
    return ".".join(inside.parts).removesuffix(".__init__")


def file_of(place):
    """The file that a place is in."""
    name = place.partition(":")[0]
    return PACKAGE / (f"{name}.py" if "/" in name else f"kernel/{name}.py")


def replaced(text, change):
    """The text of a file with a change in it."""
    place, old, new = change
    begin, end = span_of(text, place)
    times = text.count(old, begin, end)
    assert times == 1, f"nothing to mutate: {old!r} is in {place} {times} times"
    at = text.index(old, begin, end)
    return text[:at] + new + text[at + len(old) :]


def span_of(text, place):
    """From where to where a place reaches in the text of its file."""
    _, _, what = place.partition(":")
    if not what:
        return 0, len(text)
    spans = [span for name, *span in places_in(text) if name == what]
    assert len(spans) == 1, f"{place} is there {len(spans)} times"
    return spans[0]


@functools.lru_cache(maxsize=64)
def places_in(text):
    """(name, begin, end) of all functions, classes, methods, assignments and bodies of verbs in a module."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []

    def take(nodes, prefix):
        for node in nodes:
            first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
            found.extend((prefix + name, starts[first - 1], starts[node.end_lineno]) for name in names_of(node))
            if isinstance(node, ast.ClassDef):
                take(node.body, f"{prefix}{node.name}.")

    take(ast.parse(text).body, "")
    return found


def names_of(node):
    """How a statement is called, if it can be."""
    match node:
        case ast.FunctionDef(name="_", decorator_list=[decorator]):
            return [registered(decorator)]
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case ast.Expr(value=ast.Call(func=called)):
            return [registered(called)]
    return []


def registered(decorator):
    """`verb(Class, Other)` of `verb.register(Class, Other)`, `verb(otherwise)` of `verb.otherwise`."""
    match decorator:
        case ast.Call(func=ast.Attribute(value=verb, attr="register"), args=args):
            return f"{ast.unparse(verb)}({', '.join(map(ast.unparse, args))})"
        case ast.Attribute(value=verb, attr="otherwise"):
            return f"{ast.unparse(verb)}(otherwise)"
    return ast.unparse(decorator)
