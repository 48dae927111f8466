"""Answers that come late, and readers who are quick: what was chosen last is what the page shows and remembers."""

import pytest
from held import Held
from test_page import at_iteration, browser, expect, folder, get, server, visit  # noqa: F401  fixtures by name


def test_figures_of_a_run_that_come_late_do_not_hide_the_strategy_chosen_meanwhile(visit):
    page = visit("view=watch")
    held = Held(page, "**/api/runs/0")
    get(page, "tab-runs").click()
    held.wait()
    get(page, "run-list").get_by_text("hands.mccfr").click()
    cells = get(page, "grid").get_by_role("gridcell")
    expect(cells).to_have_count(169)
    held.let_go()
    assert cells.count() == 169
    assert get(page, "run-table").is_hidden()


@pytest.mark.slow
def test_a_list_that_comes_late_does_not_replace_a_newer_one(visit):
    page = visit("view=runs")
    expect(get(page, "run-table")).to_contain_text("2,000")
    held = Held(page, "**/api/runs")
    held.wait()  # the list is read again every second
    row = get(page, "run-list").get_by_text("kuhn/strategy.mccfr")
    row.click()
    rows = get(page, "strategy").locator("tbody tr")
    expect(rows).to_have_count(12)
    page.evaluate("window.mccfrPage.views.runs.hidden()")  # no further lists, which would hide an old one's harm
    held.let_go(json={"runs": [], "strategies": []})
    assert row.is_visible()
    assert rows.count() == 12


NO_TOGGLE = "addEventListener('toggle', (event) => event.stopImmediatePropagation(), true)"


def test_folded_rules_stay_folded_however_soon_the_page_is_loaded_again(visit):
    """A page that is loaded again at once may be gone before its event "toggle" comes: here it never does."""
    page = visit("game=kuhn", script=NO_TOGGLE)
    for folded in (True, False):
        expect(page.locator("#rules-of")).to_contain_text("kuhn")
        assert get(page, "rules-text").is_visible() == folded
        page.locator("#rules summary").press("Enter")
        page.reload()
        at_iteration(page, 0)
        assert get(page, "rules-text").is_hidden() == folded


def test_what_was_measured_of_one_game_is_not_shown_for_another(visit):
    page = visit("view=converge&game=kuhn&method=external&iteration=50")
    at_iteration(page, 50)
    get(page, "noise-run").click()
    noise = get(page, "noise").locator("tbody tr")
    expect(noise).to_have_count(2)
    get(page, "tab-explain").click()
    get(page, "clairvoyant").click()
    expect(get(page, "clairvoyance-honest")).to_be_visible()
    expect(get(page, "brute-0")).to_be_visible()
    get(page, "game").select_option("goofspiel(3)")
    expect(get(page, "clairvoyance")).to_be_empty()
    expect(get(page, "brute-force")).to_be_empty()
    get(page, "tab-converge").click()
    expect(noise).to_have_count(0)
    expect(get(page, "noise")).to_contain_text("freezes the current strategy")
    get(page, "noise-run").click()
    expect(noise).to_have_count(2)  # what is asked afterwards is shown
