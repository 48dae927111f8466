"""Charts and menus of Converge, Compare and Methods at both widths: no label meets another, no menu is a sliver."""

import pytest
from test_page import at_iteration, browser, expect, folder, get, server, visit  # noqa: F401  fixtures by name

SIZES = {"desk": {"viewport": {"width": 1280, "height": 900}}, "phone": {"viewport": {"width": 390, "height": 844}}}
NARROWEST = 90  # pixels of a menu that can still be read
MEETING = """(chart) => {
    const all = [...chart.querySelectorAll(".xtick text, .ytick text, .xtitle, .ytitle, .legendtext")];
    const words = all.map((text) => [text.textContent, text.getBoundingClientRect()]).filter(([, at]) => at.width > 0);
    const edge = chart.getBoundingClientRect();
    const apart = (a, b) => a.right <= b.left + 1 || a.bottom <= b.top + 1;
    const meet = ([, a], [, b]) => !apart(a, b) && !apart(b, a);
    const inside = ([, at]) => at.left >= edge.left - 1 && at.right <= edge.right + 1 && at.bottom <= edge.bottom + 1;
    const meeting = words.flatMap((one, i) => words.slice(i + 1).filter((other) => meet(one, other))
        .map((other) => `${one[0]} meets ${other[0]}`));
    const cut = words.filter((one) => !inside(one)).map(([text]) => `${text} is cut off`);
    return [...meeting, ...cut, ...(words.length > 5 ? [] : ["no labels"])];
}"""


def narrow(page):
    """Menus that are in sight and too narrow."""
    return page.evaluate(
        """(least) => [...document.querySelectorAll("select")]
            .filter((menu) => menu.offsetParent && menu.offsetWidth < least)
            .map((menu) => `${menu.dataset.testid} ${menu.offsetWidth}`)""",
        NARROWEST,
    )


@pytest.mark.slow_cases("phone")
@pytest.mark.parametrize("size", SIZES)
def test_converge(visit, size):
    page = visit("view=converge&curves=external|cfr", **SIZES[size])
    get(page, "curve-length").select_option("10000")
    get(page, "curve-run").click()
    expect(get(page, "curve-row-cfr").locator("td").first).to_have_attribute("data-value", "10000")
    page.wait_for_selector("#curve-chart .scatterlayer .trace")
    assert get(page, "curve-chart").evaluate(MEETING) == []
    assert narrow(page) == []


SLOW_ANSWER = """(() => {  // the page's first socket hears every message two seconds late
    let first = true;
    const Quick = window.WebSocket;
    window.WebSocket = class extends Quick {
        constructor(...of) { super(...of); this.late = first ? 2000 : 0; first = false; }
        addEventListener(type, act) {
            super.addEventListener(type, type === "message" ? (event) => setTimeout(() => act(event), this.late) : act);
        }
    };
})()"""


def test_a_run_started_before_the_game_is_there_goes_on(visit):
    page = visit("view=converge&curves=external", SLOW_ANSWER)
    get(page, "curve-length").select_option("10000")
    get(page, "curve-run").click()
    page.wait_for_timeout(3000)  # by now the answer has come
    row = get(page, "curve-row-external").locator("td").first
    expect(row).to_have_attribute("data-value", "10000")


@pytest.mark.slow_cases("phone")
@pytest.mark.parametrize("size", SIZES)
def test_compare(visit, size):
    page = visit("view=compare&method=external&other=cfr&iteration=300", **SIZES[size])
    at_iteration(page, 300, "lane-1")
    page.wait_for_selector("#compare-chart .legendtext")
    assert get(page, "compare-chart").evaluate(MEETING) == []
    assert narrow(page) == []


@pytest.mark.slow_cases("phone")
@pytest.mark.parametrize("size", SIZES)
def test_methods(visit, size):
    page = visit("view=methods&about=cfr", **SIZES[size])
    expect(get(page, "figure-row-cfr").locator("td").first).to_have_attribute("data-value", "10000")
    page.wait_for_selector("[data-testid=chart-touched] .scatterlayer .trace")
    for axis in ("iteration", "touched"):
        assert get(page, f"chart-{axis}").evaluate(MEETING) == []
    assert [menu for menu in narrow(page) if not menu.startswith("figure-game")] == []
