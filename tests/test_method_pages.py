"""The texts of the view Methods and of the glossary: what they name exists, and their numbers are the library's."""

import re
import shlex
from html.parser import HTMLParser
from pathlib import Path

import pytest
from docs_programs import program

import mccfr
from mccfr.web.admit import method_of, scene_of
from mccfr.web.glossary import TERMS
from mccfr.web.measure import Interrupted
from mccfr.web.messages import MessageError, read_message
from mccfr.web.method_pages import costs, method_pages, texts, wanted_costs
from mccfr.web.resolved import GADGETS, POSITIONS, gadget_rows

ROOT = Path(__file__).parent.parent
PAGES = method_pages()["pages"]
BY_KEY = {page["key"]: page for page in PAGES}


generate = program("generate_method_costs")


def test_there_is_a_page_for_every_family():
    assert list(BY_KEY) == [
        *("cfr", "cfr_plus", "dcfr", "predictive", "external", "outcome", "robust", "average", "probing", "baselines"),
        *("vector", "public", "resolving", "deep"),
    ]
    groups = [group["key"] for group in method_pages()["groups"]]
    assert [group for group in groups if any(page["group"] == group for page in PAGES)] == groups


@pytest.mark.parametrize("page", PAGES, ids=BY_KEY)
def test_a_page_says_everything(page):
    for part in ("title", "summary", "formula"):
        assert page[part].strip() == page[part] != ""
    assert all(len(words) > 30 for part in ("what", "why", "price") for words in page[part])
    assert 2 <= len(page["what"][0].split(". ")) <= 6
    assert page["sources"]
    if page["key"] == "deep":
        assert "not" in page["summary"]
        assert not page["curves"]
        assert not page["command"]
    else:
        assert page["gadgets"] or len(page["curves"]) >= 3
        assert page["command"].startswith("mccfr ")


@pytest.mark.parametrize("page", [page for page in PAGES if page["curves"]], ids=lambda page: page["key"])
def test_the_page_can_run_what_its_figure_names(page):
    for game in page["games"]:
        tree = scene_of(game).tree
        for method in page["curves"]:
            method_of(method, tree)
    assert page["titles"].keys() == set(page["curves"])


@pytest.mark.parametrize("page", [page for page in PAGES if page["curves"]], ids=lambda page: page["key"])
def test_commands_are_right(page):
    name, verb, game, option, method, *rest = shlex.split(page["command"])
    assert (name, verb, option, rest[0]) == ("mccfr", "solve", "--method", "--iterations")
    method_of(method, scene_of(game).tree)
    assert int(rest[1]) > 0


def test_sources_are_in_the_bibliography():
    rows = (ROOT / "docs" / "bibliography.md").read_text()
    known = {
        key + (more or ""): re.sub(r"\[(.*?)\]\(.*?\)", r"\1", text)
        for key, more, text in re.findall(r"^\| \*\*(.+?)\*\*(, [^|]+?)? \| (.+?) \| .*? \|$", rows, re.MULTILINE)
    }
    named = {source["key"] for page in PAGES for source in page["sources"]}
    assert named == set(texts()["sources"])
    for key in named:
        assert texts()["sources"][key]["text"] == known[key]
        assert texts()["sources"][key]["url"] in ("", *re.findall(r"\]\((.*?)\)", rows))


def test_costs_are_those_of_the_methods_that_are_named():
    assert sorted((game, method) for game, of in costs().items() for method in of) == wanted_costs()


@pytest.mark.parametrize("method", ["cfr", "outcome"])
def test_costs_are_the_librarys(method):
    assert generate.cost("kuhn", method) == costs()["kuhn"][method]


@pytest.mark.slow
def test_all_costs_are_the_librarys():
    assert generate.all_costs() == costs()


def test_what_texts_say_about_variance_is_so():
    kuhn = costs()["kuhn"]
    assert kuhn["outcome+probe"]["variance"] < kuhn["outcome"]["variance"] / 2
    assert kuhn["external"]["variance"] < kuhn["outcome"]["variance"]
    for baseline in ("static(uniform)", "infoset", "history", "predictive"):
        assert kuhn[f"outcome+{baseline}"]["variance"] < kuhn["outcome"]["variance"] / 2


# ---- the figure about re-solving


def test_gadgets_are_the_librarys():
    told = []
    found = gadget_rows("kuhn", lambda: False, told.append)
    assert (found["type"], found["done"]) == ("gadgets", True)
    assert len(told) == 2 * len(GADGETS)
    assert not any(one["done"] for one in told)
    before = mccfr.solve("dealt:kuhn", "cfr_plus", iterations=2000).strategy()
    good, uniform = found["rows"]
    assert good["before"] == mccfr.exploitability(before)
    for gadget in GADGETS:
        after = mccfr.refine(before, POSITIONS["kuhn"], gadget, "lp", 1).strategy
        assert good["after"][gadget] == pytest.approx(mccfr.exploitability(after), abs=1e-12)
    assert good["after"]["unsafe"] > 0.05  # what was nearly an equilibrium is so no longer
    assert all(good["after"][gadget] <= good["before"] + 1e-9 for gadget in GADGETS[1:])
    assert uniform["before"] == pytest.approx(11 / 24)
    assert all(after < uniform["before"] for after in uniform["after"].values())


def test_the_figure_can_be_stopped():
    calls = iter([False, True])
    with pytest.raises(Interrupted):
        gadget_rows("kuhn", lambda: next(calls), lambda _: None)


def test_positions_of_leduc_are_those_after_the_card():
    assert len(set(POSITIONS["leduc"])) == 30


def test_other_games_are_refused():
    assert read_message('{"type": "gadgets", "game": "leduc"}').game == "leduc"
    with pytest.raises(MessageError, match="game: Input should be 'kuhn' or 'leduc'"):
        read_message('{"type": "gadgets", "game": "nlph"}')


# ---- the glossary


class Prose(HTMLParser):
    """The text of the page, without formulas."""

    def __init__(self):
        super().__init__()
        self.words, self.silent = [], 0

    def handle_starttag(self, tag, attributes):
        self.silent += tag in ("pre", "code", "script")

    def handle_endtag(self, tag):
        self.silent -= tag in ("pre", "code", "script")

    def handle_data(self, data):
        if not self.silent:
            self.words.append(data)


def test_the_glossary_is_in_order():
    titles = [re.sub(r" [bRqwσ]$|-", "", term.title).lower() for term in TERMS]
    assert titles == sorted(titles)
    assert len({term.key for term in TERMS}) == len(TERMS)
    forms = [form.lower() for term in TERMS for form in term.forms]
    assert len(set(forms)) == len(forms)
    assert all(re.fullmatch(r"[a-z-]+", term.key) for term in TERMS)
    assert all(term.meaning.endswith(".") for term in TERMS)


def test_every_entry_is_used_somewhere():
    prose = Prose()
    prose.feed((ROOT / "mccfr" / "web" / "static" / "index.html").read_text())
    written = [*prose.words, *(words for page in PAGES for part in ("what", "why", "price") for words in page[part])]
    text = " ".join(" ".join(written).split()).lower()
    unused = [
        term.key
        for term in TERMS
        if not any(re.search(rf"(?<![\w-]){re.escape(form.lower())}(?![\w-])", text) for form in term.forms)
    ]
    assert unused == []
