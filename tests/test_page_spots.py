"""Hold'em strategies, runs and larger games in a real browser: every number against the library's."""

import threading

import pytest
from held import Held
from test_page import at_iteration, browser, contrast, expect, get, number, visit  # noqa: F401  fixtures by name
from test_web import start

import mccfr
from mccfr.web.runs_view import find_sources

PHONE = {"viewport": {"width": 390, "height": 800}, "is_mobile": True, "has_touch": True}
TURN = {"board": "Qs Jh 2h 8c", "pot": 180, "stack": 910, "bet": "100%,a", "raise_": "a"}
RANGES = {"oop": "QQ+,AKs,KQs:0.5", "ip": "JJ-TT,AQs,KQs"}
GRID = "view=runs&run=strategy/0"


@pytest.fixture(scope="module")
def turn():
    return mccfr.solve(mccfr.spot(**TURN, **RANGES), "dcfr", iterations=30).strategy()


@pytest.fixture(scope="module")
def files(tmp_path_factory, turn):
    folder = tmp_path_factory.mktemp("page_spots")
    turn.save(folder / "turn.mccfr")
    mccfr.uniform(turn.tree).save(folder / "uniform.mccfr")
    mccfr.train(folder / "runs" / "a", "kuhn", "external", iterations=2000, seed=1)
    mccfr.train(folder / "runs" / "b", mccfr.spot(**TURN, **RANGES), "dcfr", iterations=10)
    (folder / "runs" / "c").mkdir()
    (folder / "runs" / "c" / "run.json").write_text("{broken")
    return folder


@pytest.fixture(scope="module")
def server(files):
    names = (files / "turn.mccfr", files / "uniform.mccfr", "blueprint:limit", files / "runs")
    return f"http://127.0.0.1:{start(sources=find_sources(tuple(map(str, names))))}/"


def shown(page, mark=""):
    """Waits for the grid."""
    expect(get(page, f"grid{mark}").get_by_role("gridcell").first).to_be_visible()
    return page


def heights(page, hand):
    """The parts of a cell, in hundredths of its height."""
    return page.evaluate(
        """(hand) => [...document.querySelectorAll(`[data-testid="grid"] [data-testid="hand-${hand}"] .column i`)].map(
            (part) => parseFloat(part.style.height))""",
        hand,
    )


# ---- runs


def test_runs_are_listed_with_what_they_have_reached(visit, files):
    page = visit("view=runs")
    row = get(page, "run-row-1")
    for words in ("spot Qs Jh 2h 8c, pot 180, stack 910", "dcfr(1.5, 0, 2)", "done", "10", "% of the pot"):
        expect(row).to_contain_text(words)
    run = mccfr.Run(files / "runs" / "a")
    shown = get(page, "run-exploitability-0")
    expect(shown).to_have_attribute("title", str(run.status.exploitability))
    expect(get(page, "run-list")).to_contain_text("run.json is damaged")
    expect(get(page, "run-row-0")).to_contain_text("ago")
    get(page, "strategy-of-1").click()
    found = mccfr.view(mccfr.Run(files / "runs" / "b")).frequencies()
    expect(get(page, "move-k")).to_have_attribute("data-value", str(found["k"]))


@pytest.mark.slow
def test_links_to_what_is_not_there_say_so(visit):
    for state, words in (("run=strategy/77", "no strategy 77"), ("run=run/9", "no run 9"), ("run=nonsense", "no run")):
        page = visit(f"view=runs&{state}")
        expect(get(page, "run-problem")).to_contain_text(words)
    expect(get(visit(f"{GRID}&line={'k' * 400}"), "node-problem")).to_contain_text("too long")
    page = visit(f"{GRID}&line=kkk")
    expect(get(page, "node-problem")).to_contain_text("kkk")
    get(page, "node-problem").get_by_role("button").click()
    shown(page)
    expect(get(page, "node-problem")).to_be_hidden()


# ---- a spot


def test_a_spot_is_browsed_by_moves_and_cards(visit, turn):
    page = shown(visit(GRID))
    for move, p in mccfr.view(turn).frequencies().items():
        assert number(page, f"move-{move}") == p
    loses = mccfr.exploitability(turn)
    expect(get(page, "node-facts")).to_contain_text(f"exploitability {loses:.3g}, {100 * loses / 180:.2g} % of the pot")
    get(page, "move-k").focus()
    page.keyboard.press("Enter")
    expect(get(page, "crumbs")).to_have_text("Startcheck")
    expect(get(page, "move-k")).to_be_focused()
    page.keyboard.press("Enter")
    expect(get(page, "card-picker").get_by_role("button", disabled=True)).to_have_count(4)
    get(page, "show-runouts").click()
    expect(get(page, "runouts").locator("tbody tr")).to_have_count(48)
    for row in mccfr.runouts(turn, "kk/")[:3]:
        shown_evs = get(page, f"runout-{row.cards}").locator("td").nth(1)
        expect(shown_evs).to_have_attribute("data-value", str(row.ev[0]))
    get(page, "card-3d").click()
    view = mccfr.view(turn, "kk/3d:")
    expect(get(page, "node-facts")).to_contain_text("Q♠ J♥ 2♥ 8♣ 3♦")
    expect(get(page, "ev-0")).to_have_attribute("data-value", str(view.mean_ev(0)))
    assert number(page, "equity-1") == view.mean_equity(1)
    assert number(page, "combos-0") == view.combos(0)
    page.wait_for_function("location.hash.includes('line=kk%2F3d:')")
    get(page, "player-1").click()
    expect(get(page, "player-1")).to_have_attribute("aria-pressed", "true")
    found = view.classes(1)["JJ"]
    words = f"JJ: {found.combos:.3g} of 3 combos, EV {found.ev:.4g}, equity {100 * found.equity:.0f}%"
    expect(get(page, "hand-JJ")).to_have_attribute("aria-label", words)
    get(page, "crumbs").get_by_role("button").nth(1).click()
    expect(get(page, "crumbs")).to_have_text("Startcheck")


def test_bars_are_as_high_as_frequencies_times_reach(visit, turn):
    page = shown(visit(GRID))
    found = mccfr.view(turn).classes(0)
    for name, possible in (("QQ", 3), ("AKs", 4), ("KQs", 3)):
        fill = found[name].combos / possible
        assert heights(page, name) == pytest.approx([100 * p * fill for p in found[name].frequency.values()], abs=1e-3)
    assert sum(heights(page, "KQs")) == pytest.approx(50, abs=1e-3)  # half of these hands are in the range
    assert heights(page, "72o") == []
    colours = page.evaluate(
        """[...document.querySelectorAll('[data-testid="moves"] .swatch')].map((one) => one.style.background)"""
    )
    assert len(set(colours)) == len(colours) == 3


def test_hands_on_hover_and_by_keys(visit, turn):
    page = shown(visit(f"{GRID}&line=b180"))
    rows = {row.hand: row for row in mccfr.view(turn, "b180").hands(1, "JJ")}
    get(page, "hand-JJ").hover()
    for name, row in rows.items():
        combo = get(page, f"combo-{name}")
        expect(combo.get_by_test_id("combo-ev")).to_have_attribute("data-value", str(row.ev))
        expect(combo.get_by_test_id("combo-equity")).to_have_attribute("data-value", str(row.equity))
        expect(combo.get_by_test_id("combo-weight")).to_have_attribute("data-value", str(int(row.reach)))
    expect(get(page, "grid-details")).to_contain_text("three of a kind")
    page.locator("[data-testid=grid] [tabindex='0']").focus()
    for key in ("ArrowDown", "ArrowRight", "End", "Home", "ArrowUp", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.locator(":focus")).to_have_attribute("data-testid", "hand-AQs")
    expect(get(page, "grid-details").locator("h3")).to_have_text("AQs")
    page.keyboard.press("Enter")
    expect(get(page, "hand-AQs")).to_have_attribute("aria-selected", "true")
    assert page.locator("[data-testid=grid] [tabindex='0']").count() == 1
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert page.evaluate("mccfrPage.state.view") == "runs"  # the page's own keys stay out of it


def test_evs_equities_and_filters(visit, turn):
    page = shown(visit(GRID))
    view = mccfr.view(turn)
    get(page, "shows-ev").click()
    expect(get(page, "hand-AA").locator(".figure")).to_have_text(f"{view.classes(0)['AA'].ev:.0f}")
    get(page, "shows-equity").click()
    expect(get(page, "hand-AA").locator(".figure")).to_have_text(f"{100 * view.classes(0)['AA'].equity:.0f}")
    get(page, "range-filter").fill("QQ+")
    get(page, "range-filter").press("Enter")
    expect(page.locator("[data-testid=grid] .cell:not(.void)")).to_have_count(3)
    assert number(page, "combos-0") == 15
    get(page, "made-filter").select_option("three of a kind")
    expect(page.locator("[data-testid=grid] .cell:not(.void)")).to_have_count(1)
    get(page, "range-filter").fill("no such")
    get(page, "range-filter").press("Enter")
    expect(get(page, "node-problem")).to_contain_text("is no range of hands")


@pytest.mark.slow
def test_two_strategies_and_two_lines_side_by_side(visit, turn):
    page = shown(visit(GRID))
    get(page, "compare-open").click()
    get(page, "compare-strategy").select_option("1")
    get(page, "difference-what").select_option("0")
    found = mccfr.view(turn).classes(0)["AA"].frequency["k"]
    gap = 100 * (1 / 3 - found)
    words = f"{'+' if gap >= 0 else chr(0x2212)}{abs(gap):.{0 if abs(gap) >= 10 else 1}f}"
    cell = get(page, "difference").get_by_test_id("hand-AA")
    expect(cell.locator(".figure")).to_have_text(words)
    get(page, "move-b180-b").click()
    expect(get(page, "crumbs-b")).to_have_text("Startbet 180")
    expect(get(page, "difference-says")).to_contain_text("points")
    page.wait_for_function("location.hash.includes('versus=1+b180')")
    again = shown(visit(page.url.partition("#")[2]), "-b")
    expect(get(again, "crumbs-b")).to_have_text("Startbet 180")
    get(again, "compare-close").click()
    expect(get(again, "grid-b")).to_have_count(0)


def test_hands_that_come_late_are_those_of_their_own_strategy(visit):
    page = shown(visit(f"{GRID}&versus=0+"), "-b")
    held = Held(page, "**/api/strategies/0/hands?**")
    details, queens = get(page, "grid-details-b"), get(page, "grid-b").get_by_test_id("hand-QQ")
    queens.click()
    held.wait()
    with page.expect_response("**/api/strategies/1/hands?**"):
        get(page, "compare-strategy").select_option("1")
    expect(details).to_contain_text("33%")
    words = details.inner_text()
    held.let_go()
    assert details.inner_text() == words
    get(page, "grid-b").get_by_test_id("hand-AA").click()
    expect(details).to_contain_text("AA")
    queens.click()
    expect(details).to_contain_text("QQ")
    assert details.inner_text() == words


def test_a_comparison_that_fails_late_leaves_the_newer_one(visit):
    page = shown(visit(GRID))
    held = Held(page, "**/api/strategies/0/difference?**")
    get(page, "compare-open").click()
    held.wait()
    get(page, "compare-strategy").select_option("1")
    cells = get(page, "difference").get_by_role("gridcell")
    expect(cells).to_have_count(169)
    held.let_go(json={"refused": "nothing to compare"})
    assert cells.count() == 169
    expect(get(page, "difference-says")).not_to_contain_text("nothing")


@pytest.mark.slow
def test_a_blueprint_says_why_it_has_no_evs(visit):
    page = shown(visit("view=runs&run=strategy/2"))
    expect(get(page, "shows-ev")).to_be_disabled()
    expect(get(page, "shows-ev")).to_have_attribute("title", "EVs are not computed for strategies through buckets: "
                                                    "they would need every later street card by card.")  # fmt: skip
    grids = mccfr.load("blueprint:limit").grids()
    fold = grids["f"][-1]
    assert heights(page, "22")[0] == pytest.approx(100 * fold, abs=1e-3)
    get(page, "move-c").click()
    expect(get(page, "crumbs")).to_have_text("Startcall")
    get(page, "move-k").click()
    for name in ("2h", "Jh", "Qs"):
        get(page, f"card-{name}").click()
    expect(get(page, "node-facts")).to_contain_text("2♥ J♥ Q♠")


def test_a_solve_in_progress_is_looked_at_again(browser, tmp_path):
    """The grid of a run follows its checkpoints."""
    game = mccfr.spot(**TURN, **RANGES)
    mccfr.train(tmp_path / "run", game, "dcfr", iterations=5)
    port = start(sources=find_sources((str(tmp_path),)))
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{port}/#{GRID}")
    expect(get(page, "node-facts")).to_contain_text("5 iterations")
    training = threading.Thread(target=lambda: mccfr.Run(tmp_path / "run").train(iterations=25))
    training.start()
    expect(get(page, "node-facts")).to_contain_text("25 iterations")
    training.join()
    found = mccfr.view(mccfr.Run(tmp_path / "run"))
    expect(get(page, "move-k")).to_have_attribute("data-value", str(found.frequencies()["k"]))
    page.close()


# ---- larger games


@pytest.mark.slow
def test_leduc_is_a_grid_of_hands_and_lines(visit):
    page = visit("game=leduc&method=external&seed=1&iteration=30")
    at_iteration(page, 30)
    strategy = mccfr.Solver("leduc", "external", 1).run(30).strategy()
    expect(page.locator("#brain .brain-cell")).to_have_count(18)
    get(page, "brain-group").select_option(label="player 1 · public card K")
    expect(page.locator("#brain .brain-cell")).to_have_count(75)
    cells = page.evaluate(
        """Object.fromEntries([...document.querySelectorAll(".brain-cell")].map((one) =>
            [one.dataset.testid.slice(7), one.dataset.average.split(" ").map(Number)]))"""
    )
    for label, average in cells.items():
        assert "/K:" in label
        assert average == pytest.approx(list(strategy[1, label].values()), abs=1e-12)
    first = page.locator("#brain .brain-cell").first
    first.focus()
    expect(get(page, "brain-says")).to_contain_text("regret")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#brain-card .card")).to_have_count(1)
    get(page, "step").click()
    at_iteration(page, 31)
    expect(page.locator("#brain-card .card")).to_have_count(1)
    get(page, "search").fill("k:cc/q")
    found = [label for label in strategy.infosets.labels if "k:cc/q" in label.lower()]
    expect(page.locator("#brain .brain-cell")).to_have_count(len(found))
    get(page, "search").fill("nowhere")
    expect(get(page, "brain")).to_contain_text("No infoset")


@pytest.mark.parametrize(
    ("game", "group"), [("goofspiel(4)", "player 0 · after 2 moves"), ("gp", "player 0 · public card 2b")]
)
def test_other_games_have_groups_too(visit, game, group):
    page = visit(f"game={game}&iteration=5")
    at_iteration(page, 5)
    get(page, "brain-group").select_option(label=group)
    expect(page.locator("#brain .brain-grid caption")).to_have_text(group)
    assert page.locator("#brain .brain-cell").count() > 20


# ---- phones, and eyes


@pytest.mark.slow_cases("dark")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_has_room_for_the_grid(visit, scheme):
    page = shown(visit(GRID, **PHONE, color_scheme=scheme))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    box = get(page, "grid").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    clipped = page.evaluate(
        """[...document.querySelectorAll(".range-grid .cell .hand")].filter((one) =>
            one.getBoundingClientRect().right > one.parentElement.getBoundingClientRect().right + 0.5).length"""
    )
    assert clipped == 0
    get(page, "hand-KK").tap()
    expect(get(page, "combo-KsKh")).to_be_visible()
    get(page, "shows-ev").tap()
    wide = page.evaluate(
        """[...document.querySelectorAll(".range-grid .cell .figure")].filter((one) =>
            one.getBoundingClientRect().left < one.parentElement.getBoundingClientRect().left - 0.5).length"""
    )
    assert wide == 0
    get(page, "shows-moves").tap()
    get(page, "move-k").tap()
    expect(get(page, "crumbs")).to_have_text("Startcheck")
    get(page, "move-k").tap()
    get(page, "card-3d").tap()
    expect(get(page, "node-facts")).to_contain_text("3♦")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_larger_games_fit_a_phone(visit):
    page = visit("game=leduc&iteration=5", **PHONE)
    at_iteration(page, 5)
    get(page, "brain-group").select_option("1")
    expect(page.locator("#brain .brain-cell")).to_have_count(75)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
