"""The view Methods and the glossary in a real browser: texts, figures against the library, words that explain."""

import pytest
from test_page import at_iteration, browser, expect, folder, get, number, server, visit  # noqa: F401  fixtures by name

import mccfr
from mccfr.web.glossary import TERMS
from mccfr.web.method_pages import method_pages
from mccfr.web.resolved import GADGETS, POSITIONS

PAGES = method_pages()["pages"]
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
NO_SERVER = (
    "window.WebSocket = class extends EventTarget { static CONNECTING = 0; readyState = 0; send() {} close() {} }"
)


def linked(page, host):
    """Keys of the words that are linked inside a part of the page."""
    return set(
        page.evaluate("(host) => [...document.querySelectorAll(`${host} .term`)].map((w) => w.dataset.term)", host)
    )


@pytest.mark.slow
def test_every_page_is_there_and_every_word_leads_to_its_entry(visit):
    page = visit("view=methods", NO_SERVER)
    for one in PAGES:
        expect(get(page, f"method-{one['key']}")).to_have_text(one["title"])
    found = linked(page, "#view-methods")
    get(page, "method-cfr").click()
    for n, one in enumerate(PAGES):
        article = get(page, f"page-{one['key']}")
        expect(article.get_by_role("heading", level=2)).to_have_text(one["title"])
        expect(get(page, f"menu-{one['key']}")).to_have_attribute("aria-current", "page")
        expect(get(page, "method-formula")).to_have_text(one["formula"], use_inner_text=True)
        for words in (*one["what"], *one["why"], *one["price"], *(source["text"] for source in one["sources"])):
            expect(article).to_contain_text(words.replace("`", ""))
        assert get(page, "figure").count() == (one["key"] != "deep")
        page.wait_for_function("(key) => location.hash.includes(`about=${key}`)", arg=one["key"])
        for row in one["costs"]:
            cells = get(page, f"cost-{row['method']}").locator("td")
            assert float(cells.nth(0).get_attribute("data-value")) == row["games"][0]["nodes"]
            assert float(cells.nth(4).get_attribute("data-value")) == row["games"][0]["variance"]
        found |= linked(page, ".method-page")
        if n < len(PAGES) - 1:
            get(page, "method-after").click()
    get(page, "tab-explain").click()
    found |= linked(page, "#view-explain")
    keys = {term.key for term in TERMS}
    assert found == keys  # every entry can be reached from a text, and every linked word has an entry
    assert page.evaluate("[...document.querySelectorAll('#glossary dt')].map((dt) => dt.id)") == [
        f"term-{term.key}" for term in TERMS
    ]


def test_a_figure_shows_the_librarys_numbers(visit):
    page = visit("view=methods&about=cfr&seed=3")
    get(page, "figure-length").select_option("1000")
    for method in ("cfr", "cfr_plus", "external"):
        row = get(page, f"figure-row-{method}")
        expect(row.get_by_test_id("figure-iterations")).to_have_attribute("data-value", "1000")
        solver = mccfr.Solver("kuhn", method, 3).run(1000)
        shown = float(row.get_by_test_id("figure-exploitability").get_attribute("data-value"))
        assert shown == pytest.approx(mccfr.exploitability(solver.strategy()), rel=1e-12)
        assert int(row.get_by_test_id("figure-touched").get_attribute("data-value")) == solver.touched
    expect(get(page, "figure-stop")).to_be_disabled()
    for axis, title in (("iteration", "iterations"), ("touched", "nodes touched")):
        chart = get(page, f"chart-{axis}")
        expect(chart.locator(".scatterlayer .trace")).to_have_count(3)
        expect(chart.locator(".xtitle")).to_have_text(title)
        title_at, *ticks = chart.evaluate(
            """(chart) => [chart.querySelector(".ytitle"), ...chart.querySelectorAll(".yaxislayer-above text")].map(
                (text) => text.getBoundingClientRect().toJSON())"""
        )
        assert ticks
        assert all(title_at["right"] <= tick["left"] for tick in ticks)


def test_a_figure_can_be_stopped_and_stops_when_it_is_left(visit):
    page = visit("view=methods&about=cfr")
    get(page, "figure-game").select_option("leduc")
    get(page, "figure-length").select_option("100000")
    expect(get(page, "figure-stop")).to_be_enabled()
    get(page, "figure-stop").click()
    expect(get(page, "figure-says")).to_contain_text("Stopped")
    assert not page.evaluate("mccfrPage.views.methods.figure.running")
    get(page, "figure-run").click()
    assert page.evaluate("mccfrPage.views.methods.figure.running")
    get(page, "watch-it").click()
    expect(page.locator("#view-watch")).to_be_visible()
    assert not page.evaluate("mccfrPage.views.methods.figure.running")


def test_watching_a_method_and_copying_its_command(visit):
    page = visit("view=methods&about=cfr_plus", permissions=["clipboard-read", "clipboard-write"])
    get(page, "copy").click()
    expect(get(page, "copied")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == "mccfr solve leduc --method cfr_plus --iterations 1000"
    get(page, "watch-it").click()
    expect(page.locator("#view-watch")).to_be_visible()
    expect(get(page, "method")).to_have_value("cfr_plus")
    at_iteration(page, 0)


def test_gadgets_are_computed_when_asked(visit):
    page = visit("view=methods&about=resolving")
    expect(get(page, "figure-says")).to_contain_text("Press Compute")
    get(page, "figure-run").click()
    expect(get(page, "gadgets")).to_have_attribute("data-done", "true")
    strategy = mccfr.solve("dealt:kuhn", "cfr_plus", iterations=2000).strategy()
    assert number(page, "gadget-0-before") == pytest.approx(mccfr.exploitability(strategy), rel=1e-9)
    for gadget in GADGETS:
        after = mccfr.exploitability(mccfr.refine(strategy, POSITIONS["kuhn"], gadget, "lp", 1).strategy)
        assert number(page, f"gadget-0-{gadget}") == pytest.approx(after, abs=1e-9)
    expect(get(page, "gadget-0-unsafe")).to_contain_text("▲")
    expect(get(page, "gadget-0-resolve")).not_to_contain_text("▲")
    expect(get(page, "figure-says")).to_contain_text("chips per game")


def test_a_word_is_explained_in_place(visit):
    page = visit("view=methods&about=external", NO_SERVER)
    word = page.locator(".method-page .term").first
    meaning = {term.key: term.meaning for term in TERMS}[word.get_attribute("data-term")]
    word.focus()
    page.keyboard.press("Enter")
    expect(get(page, "term-box")).to_contain_text(meaning)
    expect(get(page, "term-entry")).to_be_focused()
    page.keyboard.press("Escape")
    expect(get(page, "term-box")).to_be_hidden()
    expect(word).to_be_focused()
    page.keyboard.press("Space")
    expect(get(page, "term-box")).to_be_visible()
    page.mouse.click(5, 500)
    expect(get(page, "term-box")).to_be_hidden()
    word.click()
    get(page, "term-entry").click()
    expect(page.locator("#view-explain")).to_be_visible()
    entry = page.locator(f"#term-{word.get_attribute('data-term')}")
    expect(entry).to_be_focused()
    expect(entry).to_be_in_viewport()


@pytest.mark.slow
def test_words_are_explained_on_a_phone(visit):
    page = visit("view=methods&about=average", NO_SERVER, **PHONE)
    expect(get(page, "page-average")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    words = page.locator(".method-page .term")
    for n in range(words.count()):
        words.nth(n).tap()
        box = get(page, "term-box").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        page.keyboard.press("Escape")
    last = page.locator("#tab-play").bounding_box()
    assert last["x"] + last["width"] <= 390  # all tabs are in sight


def test_a_wrong_address_gets_a_sentence(visit):
    page = visit("view=methods&about=nonsense", NO_SERVER)
    expect(get(page, "methods-unknown")).to_contain_text("There is no page about “nonsense”")
    expect(get(page, "methods-index")).to_be_visible()


def test_a_recording_says_that_pages_need_a_server(visit, tmp_path):
    from mccfr.web.admit import Given
    from mccfr.web.messages import Open
    from mccfr.web.recording import record, write_recording

    file = tmp_path / "kuhn.html"
    write_recording(file, record(Open(type="open", game="kuhn", method="external", seed=1), 2, Given()))
    page = visit("", address=file.as_uri(), offline=True)
    get(page, "tab-methods").click()
    expect(get(page, "methods-note")).to_contain_text("run `mccfr watch`")
    get(page, "tab-explain").click()
    page.locator("#view-explain .term").first.click()
    expect(get(page, "term-box")).to_be_visible()  # the glossary is in the recording
