"""Every view of the page under axe-core: at two widths and in both themes nothing serious, and a silent console."""

from pathlib import Path

import pytest
from test_page import at_iteration, browser, expect, folder, get, server, visit  # noqa: F401  fixtures by name

SIZES = {"desk": {"viewport": {"width": 1280, "height": 900}}, "phone": {"viewport": {"width": 390, "height": 844}}}
FOUND = """async () => (await axe.run({ resultTypes: ["violations"] })).violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.any[0]?.message ?? ""}`))"""


def axe() -> str:
    """The program of axe-core, as a package for Playwright carries it."""
    package = pytest.importorskip("axe_playwright_python", reason="no axe-playwright-python: pip install '.[dev]'")
    return (Path(package.__file__).parent / "axe.min.js").read_text()


def watch(page):
    at_iteration(page, 3)
    get(page, "inside").click()
    at_iteration(page, 4)
    get(page, "card-0:Q:").click()
    expect(get(page, "math-title")).to_contain_text("Q:")
    page.locator("#setup summary").first.click()


def converge(page):
    get(page, "curve-length").select_option("10000")
    for method in ("cfr", "outcome", "outcome+history"):
        get(page, f"curve-remove-{method}").click()
    get(page, "curve-run").click()
    for method in ("external", "external+page_rule"):
        done = get(page, f"curve-row-{method}").locator("td").first
        expect(done).to_have_attribute("data-value", "10000")
    page.wait_for_selector("#curve-chart .scatterlayer .trace")


def compare(page):
    expect(get(page, "lane-1").locator(".card").first).to_be_visible(timeout=60_000)
    get(page, "compare-step").click()
    expect(get(page, "compare-says")).to_contain_text("After")


def explain(page):
    get(page, "clairvoyant").click()
    expect(get(page, "clairvoyance-honest")).to_be_visible()
    get(page, "brute-0").locator("summary").click()
    page.locator("#view-explain .term").first.click()
    expect(get(page, "term-box")).to_be_visible()


def methods(page):
    page.keyboard.press("Escape")
    expect(get(page, "methods-index")).to_be_visible()


def a_method(page):
    get(page, "method-cfr").click()
    page.wait_for_selector(".method-page .scatterlayer .trace")
    get(page, "figure-stop").evaluate("(button) => button.click()")  # if it has not come to its end
    expect(get(page, "figure-stop")).to_be_disabled()


def runs(page):
    expect(get(page, "run-table")).to_contain_text("2,000")
    page.wait_for_selector("#run-chart .scatterlayer .trace")


def a_strategy(page):
    get(page, "run-list").get_by_text("hands.mccfr").click()
    expect(get(page, "grid").get_by_role("gridcell")).to_have_count(169)


def play(page):
    expect(get(page, "play-deal")).to_be_visible(timeout=60_000)
    get(page, "play-deal").click()
    expect(get(page, "cards-you").get_by_role("img").first).to_be_visible()


VIEWS = [
    *(("watch", watch), ("converge", converge), ("compare", compare), ("explain", explain), ("methods", methods)),
    *((None, a_method), ("runs", runs), (None, a_strategy), ("play", play)),
]


@pytest.mark.slow_cases("desk-light")
@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        ("desk", "light"),
        ("phone", "dark"),
        pytest.param("desk", "dark", marks=pytest.mark.slow),
        pytest.param("phone", "light", marks=pytest.mark.slow),
    ],
)
def test_nothing_serious_in_any_view(visit, size, scheme):
    page = visit("view=watch&iteration=3&agent=blueprint:limit", color_scheme=scheme, **SIZES[size])
    page.evaluate(axe())
    found = {}
    for view, prepare in VIEWS:
        if view:
            get(page, f"tab-{view}").click()
        prepare(page)
        found[prepare.__name__] = page.evaluate(FOUND)
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["viewport"]["width"], prepare
    assert found == {prepare.__name__: [] for _, prepare in VIEWS}


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        ("phone", "dark"),
        pytest.param("desk", "light", marks=pytest.mark.slow),
        pytest.param("desk", "dark", marks=pytest.mark.slow),
        pytest.param("phone", "light", marks=pytest.mark.slow),
    ],
)
def test_nothing_serious_in_the_public_tree(visit, size, scheme):
    page = visit("view=watch&game=dealt:kuhn(suits=2)&method=cfr&iteration=20", color_scheme=scheme, **SIZES[size])
    at_iteration(page, 20)
    get(page, "public-node-2").locator("button").click()
    expect(get(page, "hand-Kc:b")).to_be_visible()
    get(page, "form-semi_vector").check()
    page.evaluate(axe())
    assert page.evaluate(FOUND.replace("axe.run(", "axe.run('#public', ")) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["viewport"]["width"]


def test_the_checks_can_fail(visit):
    page = visit("view=watch")
    at_iteration(page, 0)
    page.evaluate(
        """() => { const text = document.createElement("p"); text.textContent = "grey on grey";
            text.style.color = "#999"; text.style.background = "#aaa"; document.querySelector("main").append(text) }"""
    )
    page.evaluate(axe())
    assert any("color-contrast" in one for one in page.evaluate(FOUND))
