"""The documentation site: it builds, its links hold, it loads nothing from the network, its notebooks are true."""

import functools
import http.server
import importlib.util
import os
import re
import shutil
import threading
from pathlib import Path

import pytest
from docs_programs import program
from filelock import FileLock

import mccfr

ROOT = Path(__file__).parent.parent
NEEDED = "MCCFR_NEED_DOCS"  # set where a missing package is a failure and not a reason to skip
PACKAGES = ("mkdocs", "material", "mkdocstrings", "pymdownx", "latex2mathml", "nbformat", "nbclient", "ipykernel")
MISSING = [name for name in PACKAGES if importlib.util.find_spec(name) is None]

if MISSING:
    WHY = f"no {', '.join(MISSING)}: pip install '.[docs]'"
    if os.environ.get(NEEDED):
        pytest.fail(WHY, pytrace=False)
    pytest.skip(WHY, allow_module_level=True)


build_site, run_notebooks = program("build_site"), program("run_notebooks")


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The site, built once for all processes that run tests."""
    parallel = "PYTEST_XDIST_WORKER" in os.environ
    folder = tmp_path_factory.getbasetemp().parent if parallel else tmp_path_factory.mktemp("docs")
    with FileLock(folder / "site.lock"):
        if not (folder / "site" / "done").exists():
            build_site.build(folder / "site")
            (folder / "site" / "done").touch()
    return folder / "site"


# ---- the built pages


@pytest.mark.slow
def test_links_lead_somewhere_and_nothing_is_loaded_from_elsewhere(site):
    assert len(list(site.rglob("*.html"))) > 50
    assert build_site.problems(site) == []


@pytest.mark.parametrize(
    ("page", "problem"),
    [
        ('<a href="b.html#here">b</a><img src="data:image/png;base64,AA">', None),
        ('<a href="https://example.org/x">elsewhere</a><link rel="canonical" href="https://example.org">', None),
        ('<a href="c.html">c</a>', "a.html links to c.html, which does not exist"),
        ('<a href="b.html#there">b</a>', "a.html links to b.html#there, which has no such anchor"),
        ('<a href="#me">me</a>', "a.html links to #me, which has no such anchor"),
        ('<script src="https://cdn.example.org/x.js"></script>', "a.html loads https://cdn.example.org/x.js"),
        ('<img src="//example.org/x.png">', "a.html loads //example.org/x.png"),
        ('<link rel="stylesheet" href="http://fonts.example.org/x">', "a.html loads http://fonts.example.org/x"),
        ('<img src="x.png">', "a.html links to x.png, which does not exist"),
    ],
)
def test_a_wrong_link_would_be_noticed(tmp_path, page, problem):
    (tmp_path / "a.html").write_text(page)
    (tmp_path / "b.html").write_text('<h1 id="here">b</h1>')
    assert build_site.problems(tmp_path) == ([problem] if problem else [])


def test_a_style_that_loads_fonts_would_be_noticed(tmp_path):
    (tmp_path / "a.css").write_text("@font-face { src: url('https://fonts.example.org/a.woff2') }")
    assert build_site.problems(tmp_path) == ["a.css loads https://fonts.example.org/a.woff2"]


@pytest.mark.slow
def test_every_public_name_is_in_the_reference(site):
    pages = [build_site.PageParts(path.read_text()) for path in (site / "api").glob("*.html")]
    anchors = set().union(*(page.anchors for page in pages))
    assert {name for name in mccfr.__all__ if f"mccfr.{name}" not in anchors} == set()


@pytest.mark.slow
def test_formulas_are_drawn_by_the_browser_alone(site):
    """Every one is MathML without a LaTeX command in it, and no page has one that was left as it is."""
    formulas = 0
    for path in site.rglob("*.html"):
        text = path.read_text()
        found = re.findall(r"<math.*?</math>", text, re.DOTALL)
        assert [formula for formula in found if "\\" in formula] == [], path.name
        assert "arithmatex" not in text, path.name
        assert not re.search(r"\$\\?\w[^$<]*\\\w+[^$<]*\$", re.sub(r"<pre.*?</pre>", "", text, flags=re.DOTALL)), (
            path.name
        )
        formulas += len(found)
    assert formulas > 150


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("changelog.html", "0.1.0"),
        ("papers/davis2019-fig1a/index.html", "plot.png"),
        ("theory.html", 'href="bibliography.html#zinkevich-et-al-2007"'),
        ("notebooks/regret-to-equilibrium.html", "regret of betting 1/8"),
    ],
)
def test_what_comes_from_elsewhere_in_the_repository_is_there(site, page, text):
    assert text in (site / page).read_text()


# ---- in a browser

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
VIEWED = ("index.html", "theory.html", "sampling.html", "api/solving.html", "notebooks/build-a-bot.html", "games.html")


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None and not os.environ.get("MCCFR_NEED_BROWSER"):
        pytest.skip("no browser: install Debian's chromium (apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield running
        running.close()


@pytest.mark.slow
def test_pages_fit_a_telephone_and_complain_about_nothing(browser, site):
    """Read as files, without a server; no page is wider than the screen, and formulas have a size."""
    page = browser.new_page(viewport={"width": 390, "height": 800})
    seen = []
    page.on("console", lambda message: seen.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: seen.append(request.url) if request.url.startswith("http") else None)
    for name in VIEWED:
        page.goto((site / name).as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
    page.goto((site / "theory.html").as_uri())
    assert page.locator("math").first.bounding_box()["width"] > 3
    page.close()
    assert seen == []


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server that says nothing."""

    def log_message(self, *args):
        pass


@pytest.fixture(params=["opened as a file", "served"])
def home(request, site):
    """The address of the first page."""
    if request.param == "opened as a file":
        yield (site / "index.html").as_uri()
        return
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/index.html"
        server.shutdown()


@pytest.mark.slow
def test_search_finds_pages(browser, home):
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(home)
    page.get_by_placeholder("Search").press_sequentially("clairvoyant")  # keys, as the theme listens to them
    page.locator(".md-search-result__link").first.wait_for(timeout=15_000)
    found = page.locator(".md-search-result__link").evaluate_all("links => links.map(link => link.pathname)")
    page.close()
    assert any(path.endswith("/theory.html") for path in found)


# ---- notebooks

NOTEBOOKS = run_notebooks.notebooks()


@pytest.mark.slow_cases("build-a-bot", "compare-samplers", "regret-to-equilibrium")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_print_what_they_show(path):
    assert run_notebooks.difference(run_notebooks.read(path), run_notebooks.rerun(path)) == ""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_have_one_figure_and_no_traces_of_a_run(path):
    """Neither times nor paths are stored: two people who store the same outputs store the same file."""
    notebook = run_notebooks.read(path)
    cells = notebook.cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    assert sum("image/png" in output.get("data", {}) for output in outputs) == 1
    assert {output.output_type for output in outputs} <= {"stream", "display_data"}
    assert [cell.metadata for cell in cells if cell.metadata] == []
    assert [text for text in run_notebooks.printed(notebook) if re.search(r"/tmp|/home|/Users", text)] == []


def test_a_stale_notebook_would_be_noticed():
    stored, other_text, no_figure = (run_notebooks.read(NOTEBOOKS[-1]) for _ in range(3))
    for cell in other_text.cells:
        for output in cell.get("outputs", []):
            if "text" in output:
                output.text = output.text.replace("1/8", "1/9")
    for cell in no_figure.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if "data" not in output]
    assert run_notebooks.difference(stored, stored) == ""
    for today in (other_text, no_figure):
        assert run_notebooks.difference(stored, today).startswith("code cell")
