"""The key of machine code changes whenever what is compiled does: random edits of the kernel, made in memory.

What Numba reads while it compiles is noted once: the code of functions, and the numbers that they name. An edit that
changes any of it must change the key. This file is also the programs that note it, and that make the edits.
"""

import ast
import dis
import functools
import json
import os
import random
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest
from planting import PACKAGE, file_of, look_for, try_bugs

METHODS = ("outcome+history+linear", "external", "cfr_plus")
TWINS = {
    "+": "-",
    "<=": "<",
    "-": "+",
    "*": "/",
    "<": "<=",
    ">": ">=",
    "==": "!=",
    "min": "max",
    "max": "min",
    "U0": "U1",
}
PLACE = re.compile(r"(?<![\w\"'.])(\d+\.\d+|\d+|U0|min|max|<=?|>=?|==|[-+*])(?![\w\"'=.>*])")


# ---- what Numba reads, noted by a program


def note_reads(method):
    """Print the functions that Numba translates for a method, and the names of numbers that these read."""
    from numba.core import bytecode
    from numba.core.bytecode import FunctionIdentity

    import mccfr
    from mccfr.kernel import dispatch

    read = set()
    begin, constant = bytecode.ByteCode.__init__, dispatch._constant

    def note(function):
        code = function.__code__
        if str(PACKAGE) in code.co_filename:
            read.add(("code", function.__module__, code.co_qualname, code.co_firstlineno))
            for step in dis.get_instructions(code):
                value = function.__globals__.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
                if isinstance(value, int | float | tuple) or hasattr(value, "dtype"):
                    read.add(("number", function.__module__, step.argval, 0))

    def translate(self, func_id):
        assert isinstance(func_id, FunctionIdentity)
        note(func_id.func)
        begin(self, func_id)

    def answer(body):
        found = constant(body)
        if found is not dispatch.NOT_CONSTANT:
            note(body)
        return found

    bytecode.ByteCode.__init__, dispatch._constant = translate, answer
    mccfr.Solver("kuhn", method).run(1)
    print(json.dumps(sorted(read)))


# ---- keys and what was read, of an edited kernel


def look(reads):
    """For each method, the key and a text of all that Numba would read; what else is imported is as it was."""
    try:
        return {method: [key_of(method), [now(*each) for each in reads[method]]] for method in reads}
    except Exception as error:  # an edit may break anything
        return f"{type(error).__name__}: {error}"


class Asked(Exception):
    pass


def key_of(method):
    """The key of the kernel that iterates."""
    from numba import typeof

    import mccfr
    from mccfr.kernel import iterations, sequence_form
    from mccfr.kernel.code_key import code_key
    from mccfr.kernel.dispatch import LEAN
    from mccfr.solvers import engines

    def ask(function, *given):
        raise Asked(code_key(function.interpreted, [typeof(x) for x in given], LEAN, ""))

    engines.run_walks = functools.partial(ask, iterations.run_walks)
    engines.sweep = functools.partial(ask, sequence_form.sweep)
    try:
        mccfr.Solver("kuhn", method).run(1)
    except Asked as asked:
        return str(asked)
    raise AssertionError("nothing was run")


def now(kind, module, name, line):
    """What a noted function or number is like in the package that is imported right now."""
    if kind == "number":
        return repr(getattr(sys.modules[module], name))
    before = codes_of(name_to_file(module).read_text(), name)
    after = codes_of(sys.modules[module].__loader__.get_source(module), name)
    return instructions(after[[code.co_firstlineno for code in before].index(line)])


def name_to_file(module):
    return PACKAGE.parent.joinpath(*module.split(".")).with_suffix(".py")


@functools.lru_cache(maxsize=512)
def codes_of(text, name):
    """The code objects of this name in a text, in their order."""
    waiting, found = [compile(text, name, "exec")], []
    while waiting:
        code = waiting.pop()
        found.append(code)
        waiting += [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return sorted((code for code in found if code.co_qualname == name), key=lambda code: code.co_firstlineno)


def instructions(code):
    steps = [(step.opname, repr(step.argval)) for step in dis.get_instructions(code)]
    return re.sub(r"<code object .*?>", "", repr([code.co_varnames, steps]))


# ---- the edits


def random_edits(number, seed, codes):
    """(whether it can matter, file, text, edited text): numbers, operators, names; or comments, docstrings.

    codes: functions that are compiled, which half of the edits are in; the others are anywhere in their files.
    """
    dice, found = random.Random(seed), []
    while len(found) < number:
        _, module, _, line = dice.choice(codes)
        name = module.rpartition(".")[2]
        text = file_of(name).read_text()
        if dice.random() < 0.2:
            found.append((False, name, text, dice.choice((comment, docstring, blank))(text, dice)))
            continue
        begin = len("".join(text.splitlines(keepends=True)[: line - 1])) if dice.random() < 0.6 else 0
        end = text.find("\n\n", begin) if begin else len(text)
        places = [each for each in PLACE.finditer(text, begin, end) if in_code(text, each.start())]
        if places:
            place = dice.choice(places)
            old = place.group()
            new = TWINS.get(old) or str((float if "." in old else int)(old) + 1)
            edited = text[: place.start()] + new + text[place.end() :]
            if parses(edited):
                found.append((True, name, text, edited))
    return found


def comment(text, dice):
    lines = text.splitlines(keepends=True)
    at = dice.choice([k for k, line in enumerate(lines) if line.startswith("def ")])
    return "".join([*lines[:at], lines[at].rstrip("\n") + "  # why not\n", *lines[at + 1 :]])


def blank(text, dice):
    return text.replace("\n\n\n", "\n\n# ---- here\n", 1) + "\n"


def docstring(text, dice):
    nodes = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef) and ast.get_docstring(n)]
    old = ast.get_source_segment(text, dice.choice(nodes).body[0]) if nodes else '"""'
    return text.replace(old, '"""Something else."""' if nodes else '"""Else: ', 1)


def in_code(text, at):
    """Not in a comment or a string, and in a function or a number with a name."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return "#" not in line and text.count('"""', 0, at) % 2 == 0 and line.count('"') % 2 == 0 and "import" not in line


def parses(text):
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


# ---- the tests


def reads_of(method):
    """What Numba reads for a method, in a process that has not compiled anything else."""
    environment = {**os.environ, "MCCFR_CACHE": "off"}
    done = subprocess.run([sys.executable, __file__, "note", method], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def try_edits(methods, tmp_path, number, seed):
    """How many kernels changed, with their keys; how many kept both; how many edits broke the package."""
    reads = {method: reads_of(method) for method in methods}
    (tmp_path / "reads.json").write_text(json.dumps(reads))
    edits = random_edits(number, seed, [each for each in reads[METHODS[0]] if each[0] == "code"])
    bugs = {"as it is": (), **{k: ((name, old, new),) for k, (_, name, old, new) in enumerate(edits)}}
    program = str(Path(__file__))
    as_it_is, *edited = look_for(program, bugs, str(tmp_path / "reads.json"))
    changed = kept = broken = 0
    for (can_matter, name, old, new), found in zip(edits, edited):
        if isinstance(found, str):
            broken += 1
            continue
        for method in methods:
            (key, read), (edited_key, edited_read) = as_it_is[method], found[method]
            if edited_read != read:
                changed += 1
                assert edited_key != key, difference(name, old, new)
            else:
                kept += edited_key == key
            if not can_matter:
                assert edited_key == key, difference(name, old, new)
    return changed, kept, broken


def difference(name, old, new):
    return name, [pair for pair in zip(old.splitlines(), new.splitlines()) if pair[0] != pair[1]][:2]


def test_a_few_edits(tmp_path):
    changed, kept, broken = try_edits(METHODS[:1], tmp_path, 10, 1)
    assert changed >= 2
    assert kept >= 2
    assert broken <= 6


@pytest.mark.slow
def test_two_hundred_edits(tmp_path):
    changed, kept, broken = try_edits(METHODS, tmp_path, 200, 2)
    print(f"{changed} kernels changed and their keys too, {kept} kept both, {broken} of 200 edits broke the package")
    assert changed >= 100
    assert kept >= 150
    assert broken <= 60


if __name__ == "__main__":
    if sys.argv[1] == "note":
        note_reads(sys.argv[2])
    else:
        given = json.loads(Path(sys.argv[1]).read_text())
        try_bugs(functools.partial(look, given))
