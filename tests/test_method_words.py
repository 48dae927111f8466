"""`mccfr methods`: every word of the registries is there, and what is said of it is true."""

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

import mccfr
from mccfr.cli.main import cli
from mccfr.solvers import auto
from mccfr.solvers.method import PARTS, RECIPES
from mccfr.solvers.method_names import ASKED_FOR, SPOKEN
from mccfr.solvers.public_words import POLICIES

ROOT = Path(__file__).parent.parent
SCHEMA = json.loads((ROOT / "docs" / "json-schema.json").read_text())
WORDS = mccfr.methods()


def run(*args):
    result = CliRunner().invoke(cli, [str(a) for a in args])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_auto_names_the_methods_that_it_takes():
    """All that its rule can return, but for parameters."""
    result = CliRunner().invoke(cli, ["methods", "auto"])
    assert result.exit_code == 2
    source = inspect.getsource(auto.choose_method)
    taken = set(re.findall(r"return (\w+)\(", source))
    assert taken == {"lp", "dcfr", "sapcfr_plus"}
    assert all(f" {word} " in result.stderr for word in taken), result.stderr


def test_every_word_is_listed_once():
    names = [word.name for word in WORDS]
    assert len(names) == len(set(names))
    assert set(names) == {*RECIPES, *PARTS, *POLICIES}
    assert all(word.summary for word in WORDS)


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.name)
def test_examples_and_parameters_are_real(word):
    assert isinstance(mccfr.Method.parse(word.example), mccfr.Method)
    assert word.name in word.example
    build = {**POLICIES, **PARTS, **RECIPES}[word.name]
    if inspect.isfunction(build):
        taken = [*inspect.signature(build).parameters][word.name in PARTS :]
        assert [*word.parameters] == taken


KINDS = {
    "lp": "exact", "cfr": "full-width", "dcfr": "full-width", "external": "sampler", "everything": "sampler",
    "vector": "form", "public_outcome": "form", "plain": "estimator", "history": "estimator", "rm": "minimiser",
    "rm_plus": "minimiser", "prm_plus": "minimiser", "weighted": "minimiser", "constant": "averaging",
    "own_average": "averaging", "restarts": "averaging",
    "scheduled_average": "averaging", "scheduled": "minimiser", "saprm_plus": "minimiser", "pdrm_plus": "minimiser",
    "hs_dcfr": "full-width", "dcfr_restarts": "full-width",
    "reward": "other", "prune": "other", "prior": "other",
    "skip": "averaging", "floor": "other", "simultaneous": "other", "mcs": "law",
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_kinds(name):
    assert mccfr.methods(name)[0].kind == KINDS[name]


def test_spoken_names_are_of_words_and_none_is_said_twice():
    assert set(SPOKEN) <= {"auto", *RECIPES, *PARTS}
    said = [name for names in SPOKEN.values() for name in names]
    assert len(said) == len(set(said))
    assert not {*said, *ASKED_FOR} & {*RECIPES, *PARTS}


def test_one_word_or_those_of_a_method():
    assert [word.name for word in mccfr.methods("Outcome Sampling(0.4)+RM+")] == ["outcome", "rm_plus"]
    assert [word.name for word in mccfr.methods("CFR+")] == ["cfr_plus"]
    assert mccfr.methods("outcome")[0].call == "outcome(epsilon=0.6, explore=None, others=False)"
    assert mccfr.methods("power")[0].required == ("weight",)
    shown = "robust(k=1)  Robust sampling: k own actions, drawn uniformly."
    assert repr(mccfr.methods("robust")) == shown
    assert len(repr(mccfr.methods()).splitlines()) == len(WORDS)
    with pytest.raises(mccfr.MccfrError, match="no method or part 'extrnal'; did you mean external"):
        mccfr.methods("extrnal")


def test_the_list_and_its_documents():
    text = run("methods")
    assert all(word.name in text for word in WORDS)
    for args in ((), ("external",)):
        found = json.loads(run("methods", *args, "--json"))
        jsonschema.Draft202012Validator(SCHEMA).validate(found)
        jsonschema.Draft202012Validator({"$ref": "#/$defs/methods", "$defs": SCHEMA["$defs"]}).validate(found)
    assert found["words"][0]["citation"] == "Lanctot et al. 2009"


def test_words_of_ones_own():
    """In a process of its own: words stay once they are registered."""
    command = [sys.executable, "-m", "mccfr", "--use", "examples/hedge.py", "methods", "hedge", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    (word,) = json.loads(done.stdout)["words"]
    assert (word["kind"], word["call"], word["example"]) == ("minimiser", "hedge(eta=1)", "external+hedge")


def test_explanations_are_for_readers_of_method_strings():
    """Classes explain themselves to readers of Python; examples of that are left out."""
    for word in mccfr.methods():
        assert ">>>" not in word.summary + word.explanation
        assert "Attributes:" not in word.explanation
    assert "epsilon: How much to explore" in mccfr.methods("outcome")[0].explanation
