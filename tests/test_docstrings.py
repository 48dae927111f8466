"""The docstrings of public names, as `help` and the API reference show them: they are complete, and their examples run.

Read with griffe, which reads them for the reference too: what it does not understand here is not shown there.
"""

import ast
import doctest
import importlib
import inspect
import logging
import sys
from pathlib import Path

import griffe
import pytest

import mccfr
from mccfr.solvers.method import PARTS, RECIPES

ROOT = Path(__file__).parent.parent
POLICIES = ("samplers", "estimators", "minimisers", "averaging")
IMPLICIT = {"self", "cls"}  # parameters that nobody passes
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)
WITH_EXAMPLES = sorted(file for file in (ROOT / "mccfr").rglob("*.py") if ">>> " in file.read_text())


# ---- what a full docstring is


def sections(thing):
    """What the docstring of a name says, by the kind of its sections."""
    found = {}
    for section in thing.docstring.parse("google", warnings=False):
        found.setdefault(section.kind.value, []).append(section.value)
    return found


def described(said, kind):
    """The names that a section explains."""
    return {item.name.lstrip("*") for items in said.get(kind, ()) for item in items if item.description.strip()}


def parameters(function):
    return {parameter.name for parameter in function.parameters} - IMPLICIT


def lacks_of_text(thing):
    """What a docstring lacks whatever it is about: a first line that is a sentence."""
    if thing.docstring is None or not thing.docstring.value.strip():
        return ["has no docstring"]
    first = thing.docstring.value.strip().splitlines()[0]
    return [] if first.endswith((".", "]")) else ["has a first line that is no sentence"]  # or one with its source


def lacks_of_function(function, example):
    """What the docstring of a function or a method lacks."""
    if lacks := lacks_of_text(function):
        return lacks
    said = sections(function)
    explained = described(said, "parameters")
    lacks = [f"does not explain {name}" for name in sorted(parameters(function) - explained)]
    lacks += [f"explains {name}, which is not there" for name in sorted(explained - parameters(function))]
    if str(function.returns or "None") != "None" and not {"returns", "yields"} & said.keys():
        lacks.append("does not say what it returns")
    return lacks + ([] if not example or shows_code(said) else ["has no example"])


def shows_code(said):
    """Whether there is an example with code in it."""
    return any(kind.value == "examples" for items in said.get("examples", ()) for kind, _ in items)


def lacks_of_class(kind, example):
    """What the docstring of a class lacks, with those of its public methods, properties and fields."""
    if lacks := lacks_of_text(kind):
        return {kind.path: lacks}
    said = sections(kind)
    explained = described(said, "attributes")
    fields = {name for name, member in kind.members.items() if member.is_attribute and "property" not in member.labels}
    made_of = parameters(kind["__init__"]) if "__init__" in kind.members else set()
    wanted = {name for name in fields if not name.startswith("_")} | made_of
    lacks = [f"does not explain {name}" for name in sorted(wanted - explained - described(said, "parameters"))]
    lacks += [f"explains {name}, which is not there" for name in sorted(described(said, "parameters") - made_of)]
    found = {kind.path: lacks + ([] if not example or shows_code(said) else ["has no example"])}
    for name, member in kind.members.items():
        if not name.startswith("_") and member.is_function:
            found[member.path] = lacks_of_function(member, example=False)
        elif not name.startswith("_") and "property" in member.labels:
            found[member.path] = lacks_of_text(member)
    return found


def lacks_of(thing, example=True):
    """What is missing in the docstring of a name and of what it shows, by name."""
    if thing.is_class:
        found = lacks_of_class(thing, example)
    else:
        found = {thing.path: lacks_of_function(thing, example) if thing.is_function else lacks_of_text(thing)}
    return {path: lacks for path, lacks in found.items() if lacks}


GOOD = '''
from typing import NamedTuple

def solve(game: str, *seeds: int) -> float:
    """Solve a game.

    Args:
        game: Its name.
        *seeds: As many as you like.

    Returns:
        What it is worth.

    Examples:
        >>> 1 + 1
        2
    """

def write(path: str) -> None:
    """Write a file.

    Args:
        path: Where.

    Examples:
        >>> 1 + 1
        2
    """

class Point(NamedTuple):
    """A place.

    Attributes:
        x: To the right.

    Examples:
        >>> 1 + 1
        2
    """

    x: int = 0

class Line:
    """A line.

    Args:
        end: Where it ends.

    Attributes:
        size: How long it is.

    Examples:
        >>> 1 + 1
        2
    """

    def __init__(self, end: int) -> None:
        self.size = self._end = end

    @property
    def long(self) -> bool:
        """Whether it is long."""

    def cut(self, at: int) -> int:
        """Cut it.

        Args:
            at: Where.

        Returns:
            What is left.
        """

LEAST = 1
"""The least number."""
'''
UNENDED, UNDOCUMENTED = "has a first line that is no sentence", "has no docstring"
BAD = [  # a name of GOOD, what of its docstring is changed, and what is then missing where
    ("solve", '"""Solve a game.', '"""Solve a game', {"m.solve": [UNENDED]}),
    ("solve", "        game: Its name.\n", "", {"m.solve": ["does not explain game"]}),
    ("solve", "game: Its name.", "game:", {"m.solve": ["does not explain game"]}),
    ("solve", "*seeds: As", "*seed: As", {"m.solve": ["does not explain seeds", "explains seed, which is not there"]}),
    ("solve", "    Returns:\n        What it is worth.\n", "", {"m.solve": ["does not say what it returns"]}),
    ("solve", "        >>> 1 + 1\n        2\n", "        Two.\n", {"m.solve": ["has no example"]}),
    ("write", '"""Write a file.\n', '"""', {"m.write": [UNENDED]}),
    ("Point", "        x: To the right.", "        y: Upwards.", {"m.Point": ["does not explain x"]}),
    (
        "Line",
        "    end: Where",
        "    at: Where",
        {"m.Line": ["does not explain end", "explains at, which is not there"]},
    ),
    ("Line", "        size: How long it is.", "        length: How long.", {"m.Line": ["does not explain size"]}),
    ("Line", '"""Whether it is long."""', "return True", {"m.Line.long": [UNDOCUMENTED]}),
    ("cut", "at: Where.", "to: There.", {"m.Line.cut": ["does not explain at", "explains to, which is not there"]}),
    ("Line", '"""A line.\n', '"""\n', {"m.Line": [UNENDED]}),
    ("LEAST", '"""The least number."""', "", {"m.LEAST": [UNDOCUMENTED]}),
]


def lacks_in(code, name):
    with griffe.temporary_visited_module(code, module_name="m") as module:
        return lacks_of(module[name])


@pytest.mark.parametrize("name", ["solve", "write", "Point", "Line", "LEAST"])
def test_a_full_docstring_lacks_nothing(name):
    assert lacks_in(GOOD, name) == {}


@pytest.mark.parametrize(("name", "old", "new", "lacks"), BAD)
def test_what_a_docstring_lacks_is_noticed(name, old, new, lacks):
    begin = GOOD.index(name)
    assert old in GOOD[begin:]
    worse = GOOD[:begin] + GOOD[begin:].replace(old, new, 1)
    assert lacks_in(worse, "Line" if name == "cut" else name) == lacks


# ---- the docstrings of the package


@pytest.fixture(scope="module")
def package():
    found = griffe.load("mccfr", search_paths=[ROOT], try_relative_path=False, allow_inspection=False)
    assert found.filepath == Path(mccfr.__file__)
    return found


def public(package):
    """Everything that users name: the front door, the policies, and the errors to catch."""
    front = {name: package[name].final_target for name in mccfr.__all__}
    classes = [
        member
        for module in (*(front[name] for name in POLICIES), package["errors"])
        for name, member in module.members.items()
        if not member.is_alias and member.is_class and not name.startswith("_")
    ]
    return [*front.values(), *classes]


INSIDE = {
    "PackedList",
    "DealtInfoset",
    "BucketInfoset",
    "LazilyDiscounted",
    "Deferred",
}  # made by solvers, not by users
UNSHOWN = {*INSIDE, "RangeError", "JobError"}  # what raises these takes more than an example


def test_every_public_name_has_a_full_docstring(package):
    found = {}
    for thing in public(package):
        found |= lacks_of(thing, example=thing.name not in UNSHOWN)
    assert found == {}


def test_the_names_looked_at_are_those_of_the_package(package):
    looked_at = {thing.path for thing in public(package)}
    for name in ("solvers.solver.solve", "kernel.samplers.Outcome", "kernel.averaging.Average", "errors.FileError"):
        assert f"mccfr.{name}" in looked_at
    assert len(looked_at) > 80
    for name in POLICIES:
        classes = inspect.getmembers(getattr(mccfr, name), inspect.isclass)
        own = {f"{kind.__module__}.{kind.__name__}" for _, kind in classes if kind.__module__ == f"mccfr.kernel.{name}"}
        assert own <= looked_at
        assert own


def test_fields_that_only_instances_have_are_explained(package, tmp_path):
    run = mccfr.train(tmp_path / "run", "kuhn", "cfr_plus", iterations=10)
    solver = mccfr.Solver("kuhn", "cfr_plus")
    for thing in (run, solver, solver.strategy(), solver.tree, mccfr.compile("dealt:kuhn"), mccfr.Method()):
        said = sections(package[type(thing).__module__.removeprefix("mccfr.")][type(thing).__name__])
        shown = {name for name in vars(thing) if not name.startswith("_") and not hasattr(type(thing), name)}
        assert shown - described(said, "attributes") == set(), type(thing).__name__


def complaints(things, caplog):
    """What griffe warns of: parameters that there are not, items that it cannot read."""
    caplog.clear()
    for thing in things:
        for member in (thing, *(thing.members.values() if thing.is_class else ())):
            if not member.is_alias and member.docstring is not None:
                member.docstring.parse("google")
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def test_the_reference_has_nothing_to_complain_about(package, caplog):
    assert complaints(public(package), caplog) == []
    with griffe.temporary_visited_module(GOOD.replace("game: Its", "gmae: Its"), module_name="m") as module:
        assert len(complaints([module["solve"]], caplog)) >= 1


# ---- examples


@pytest.fixture
def words():
    """Examples may add words and use files, which other tests must not meet."""
    mccfr.Method.parse("cfr")  # the words of the package are there from now on
    tables = (RECIPES, PARTS, sys.modules)
    known = [set(table) for table in tables]
    yield
    for table, before in zip(tables, known):
        for name in [name for name in table if name not in before and (table is not sys.modules or is_used(name))]:
            del table[name]


def is_used(module):
    """Whether a module is a file of the user's."""
    return module.startswith(("mccfr_use_", "mccfr_user_"))


def with_examples(file):
    """The docstrings in a file that have examples, whatever they belong to."""
    nodes = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, DOCUMENTED)]
    return {text for node in nodes if ">>> " in (text := ast.get_docstring(node, clean=False) or "")}


@pytest.mark.slow_cases(
    "resolving/quick_solve.py",
    "resolving/resolve_street.py",
    "experiments/library.py",
    "papers/catalogue.py",
    "evaluate/node_view.py",
    "evaluate/street_counterfactuals.py",
    "runs/any_strategy.py",
)
@pytest.mark.parametrize("file", WITH_EXAMPLES, ids=lambda file: str(file.relative_to(ROOT / "mccfr")))
def test_examples_print_what_they_say(file, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
    module, said = importlib.import_module(name), []
    found = [test for test in doctest.DocTestFinder().find(module) if test.examples]
    assert {test.docstring for test in found} == with_examples(file)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in found:
        runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)


def test_a_wrong_example_is_noticed():
    example = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, 0)
    said = []
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=said.append).failed == 1
    assert "Expected:\n    3\nGot:\n    2\n" in "".join(said)
