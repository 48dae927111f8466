"""The pages against the package: code blocks run and print what is shown, links and names lead somewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from docs_programs import program

ROOT = Path(__file__).parent.parent
PATHS = re.compile(r"`((?:mccfr|tests|examples|docs|benchmarks)/[\w./-]*\w)(?:::(\w+))?`")
LINKS = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)")


check_docs, generate_games = program("check_docs"), program("generate_games")
PAGES = {str(path.relative_to(ROOT)): path for path in check_docs.pages()}
RUN_ELSEWHERE = {"docs/command-line.md"}  # by test_cli_docs.py, in one process


@pytest.mark.slow_cases(
    "docs/audit.md",
    "docs/buckets.md",
    "docs/dealt.md",
    "docs/experiments.md",
    "docs/holdem-real.md",
    "docs/holdem.md",
    "docs/resolving-holdem.md",
    "docs/resolving.md",
    "docs/spots.md",
    "docs/your-own-method.md",
    "docs/tour.md",
    "docs/sampling.md",
    "docs/runs.md",
    "docs/your-own-game.md",
    "docs/playing.md",
    "docs/protocols.md",
    "docs/holdem-betting.md",
    "docs/trees-and-engines.md",
    "docs/evaluation-of-bots.md",
    "docs/importing.md",
    "README.md",
    "docs/trust.md",
)
@pytest.mark.parametrize("page", sorted(PAGES.keys() - RUN_ELSEWHERE))
def test_blocks_print_what_the_page_shows(page, tmp_path):
    text = PAGES[page].read_text()
    assert check_docs.difference(text, check_docs.rerun(text, tmp_path)) == ""


@pytest.mark.parametrize(
    ("shown", "said"), [("2\n", None), ("...\n", None), ("3\n", "3"), ("2\n2\n", "2"), ("", "```"), ("2 s\n", "2 s")]
)
def test_a_wrong_output_is_noticed(shown, said, tmp_path):
    page = f"```python\nprint(1 + 1)\n```\n\n```text\n{shown}```\n"
    problem = f"the page says {said!r}, not so today" if said else ""
    assert check_docs.difference(page, check_docs.rerun(page, tmp_path)) == problem


def test_a_failing_command_is_noticed(tmp_path):
    with pytest.raises(AssertionError, match=r"mccfr games nosuchgame: exit code 2, expected 0"):
        check_docs.rerun("```console\n$ mccfr games nosuchgame\n```\n", tmp_path)


def slugs(text):
    """Anchors of a page's headings, as its readers' tools make them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(check_docs.FENCE, "", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    path = PAGES[page]
    text = re.sub(check_docs.FENCE, "", path.read_text())
    for target, anchor in LINKS.findall(text):
        file = path.parent / target if target else path
        assert file.exists(), f"{page} links to {target}"
        assert not anchor or anchor in slugs(file.read_text()), f"{page} links to {target}#{anchor}"


@pytest.mark.parametrize("page", PAGES)
def test_files_and_functions_named_exist(page):
    for name, inside in PATHS.findall(PAGES[page].read_text()):
        file = ROOT / name
        assert file.exists(), f"{page} names {name}"
        defined = re.compile(rf"^\s*(?:def|class) {inside}\b|^{inside}\b.*=", re.MULTILINE)
        assert not inside or defined.search(file.read_text()), f"{page} names {name}::{inside}"


def test_every_source_file_is_on_the_map():
    named = {name for name, _ in PATHS.findall((ROOT / "docs" / "source-map.md").read_text())}
    files = {str(f.relative_to(ROOT)) for f in (ROOT / "mccfr").rglob("*.py") if f.name != "__init__.py"}
    assert files - named == set()


def imported(file):
    """The rooms whose modules a source file imports."""
    found = re.findall(r"^\s*(?:from|import) mccfr\.(\w+)", file.read_text(), re.MULTILINE)
    return set(found) - {file.relative_to(ROOT / "mccfr").parts[0].removesuffix(".py")}


def test_imports_follow_the_rules_of_the_map():
    table = re.findall(r"^\| `(\w+)` \| (.*) \|$", (ROOT / "docs" / "source-map.md").read_text(), re.MULTILINE)
    rules = {room: set(re.findall(r"`(\w+)`", allowed)) for room, allowed in table}
    rooms = {path.name for path in (ROOT / "mccfr").iterdir() if (path / "__init__.py").exists()}
    assert rooms == rules.keys() - {"grammar"}
    for room, allowed in rules.items():
        files = [ROOT / "mccfr" / f"{room}.py"] if room == "grammar" else (ROOT / "mccfr" / room).rglob("*.py")
        for file in files:
            assert imported(file) <= allowed, f"{file.relative_to(ROOT)} imports {sorted(imported(file) - allowed)}"


def test_papers_cited_in_docstrings_are_in_the_bibliography():
    keys = set(re.findall(r"^\| \*\*(.*?)\*\*", (ROOT / "docs" / "bibliography.md").read_text(), re.MULTILINE))
    cited = set()
    for file in (ROOT / "mccfr").rglob("*.py"):
        for group in re.findall(r"\[([A-Z][^\]\[]*? \d{4}[^\]\[]*)\]", file.read_text()):
            cited |= {re.match(r"\D*\d{4}", key.strip())[0] for key in group.split(";")}
    assert len(cited) >= 8
    assert cited - keys == set()


def test_every_word_of_methods_is_explained():
    """Those a process has before any user's file adds more."""
    script = "import mccfr, mccfr.solvers.method as m; mccfr.Method.parse('cfr'); print(*m.RECIPES, *m.PARTS)"
    words = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    page = (ROOT / "docs" / "sampling.md").read_text()
    explained = set(re.findall(r"`(\w+)(?:\([^`]*\))?`", re.sub(check_docs.FENCE, "", page)))
    assert len(words.split()) > 30
    assert set(words.split()) - explained == set()


def test_the_page_of_methods_shows_the_examples():
    blocks = re.findall(
        r"`(examples/\w+\.py)`[^`]*```py\n(.*?)```", PAGES["docs/your-own-method.md"].read_text(), re.DOTALL
    )
    assert [file for file, _ in blocks] == [
        f"examples/{name}.py" for name in ("coin_sampler", "constant_baseline", "hedge")
    ]
    for file, block in blocks:
        assert block in (ROOT / file).read_text()
        assert 5 < sum(1 for line in block.splitlines() if line.strip()) < 25


@pytest.mark.slow
def test_the_page_of_games_is_current():
    """Except for the rows of large games, which `python docs/generate_games.py` computes."""
    large = tuple(generate_games.LARGE)
    page = (ROOT / "docs" / "games.md").read_text().splitlines()
    kept = [line for line in page if not line.startswith(large)]
    assert kept == generate_games.page(large=False).splitlines()
    assert len(page) - len(kept) == len(large)


@pytest.mark.slow_cases(
    "coin_sampler.py",
    "constant_baseline.py",
    "openspiel_roundtrip.py",
    "kuhn_equilibria.py",
    "compare_methods.py",
    "king_kuhn.py",
)
@pytest.mark.parametrize("example", sorted(path.name for path in (ROOT / "examples").glob("*.py")))
def test_examples_run(example, tmp_path):
    command = [sys.executable, ROOT / "examples" / example]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) >= 4
    assert (ROOT / "examples" / example).read_text().startswith('"""')
