"""Planted bugs apply to the package as it is: a text that has moved is noticed here, and not after minutes."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import planting
import pytest

TEXT = """
HIGH, LOW = 2, 1


class Coin:
    def toss(self):
        return HIGH


@law.register(Coin, Die)
def _(policy, x):
    return x + 1


@law.otherwise
def _(policy, x):
    return x + 1


law.register(Card)(lambda policy, x: x + 1)
"""
PLACES = {  # and the line of the text that they begin with
    "dice:HIGH": 2,
    "dice:LOW": 2,
    "dice:Coin": 5,
    "dice:Coin.toss": 6,
    "dice:law(Coin, Die)": 10,
    "dice:law(otherwise)": 15,
    "dice:law(Card)": 20,
    "dice": 1,
}


def test_what_bugs_replace_is_there():
    for file in sorted(Path(__file__).parent.glob("test_*.py")):
        if "\nfrom planting import catching" in file.read_text():
            importlib.import_module(file.stem)
    assert len(planting.PLANTED) >= 24
    changes = [change for hunt in planting.PLANTED.values() for bug in hunt.values() for change in bug]
    assert len(changes) >= 774
    for change in changes:
        text = planting.file_of(change[0]).read_text()
        assert planting.replaced(text, change) != text


def test_places_are_functions_methods_assignments_and_bodies_of_verbs():
    for place, line in PLACES.items():
        begin, _ = planting.span_of(TEXT, place)
        assert TEXT[:begin].count("\n") + 1 == line, place


def test_a_change_is_made_in_its_place_and_survives_what_happens_elsewhere():
    change = ("dice:law(otherwise)", "x + 1", "x + 2")
    for text in (TEXT, TEXT.replace("HIGH", "UPPER").replace("class Coin", "# a coin\nclass Penny")):
        changed = planting.replaced(text, change)
        assert changed.count("x + 2") == 1
        assert changed.index("x + 2") > changed.index("law.otherwise")


@pytest.mark.parametrize("place", ["dice:law(Card)", "dice:law(Coin)", "dice:Coin.flip", "dice:nothing", "dice:_"])
def test_a_bug_whose_place_or_text_is_gone_is_an_error(place):
    with pytest.raises(AssertionError, match="times"):
        planting.replaced(TEXT, (place, "return x + 1", "return x"))


def test_a_text_that_is_there_twice_is_an_error():
    with pytest.raises(AssertionError, match="3 times"):
        planting.replaced(TEXT, ("dice", "x + 1", "x"))


def test_a_bug_that_nobody_imports_is_an_error():
    program = "import planting; planting.try_bugs({})"
    for look, wrong in (("lambda: 1", True), ("lambda: __import__('mccfr.kernel.layout') and 1", False)):
        asked = json.dumps([[["layout:BYTE", "BYTE", "BYTES"]]])
        command = [sys.executable, "-c", program.format(look)]
        done = subprocess.run(command, cwd=planting.TESTS, input=asked, capture_output=True, text=True)
        assert ("nobody imported" in done.stderr, done.returncode) == (wrong, int(wrong)), done.stderr
