"""The page of `mccfr watch` in a real browser: every control, and its numbers against the library's."""

import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import mccfr

NEEDED = "MCCFR_NEED_BROWSER"  # set where a missing browser is a failure and not a reason to skip
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]
VIEWS = ("watch", "converge", "compare", "explain", "methods", "runs", "play")


def _missing() -> str | None:
    """What to install, in one line."""
    if not (shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")):
        return "no browser: install Debian's chromium (apt-get install chromium)"
    for package in ("playwright", "fastapi", "uvicorn", "websockets", "plotly"):
        try:
            __import__(package)
        except ImportError:
            return f"no {package}: pip install '.[dev]'"
    return None


if (WHY := _missing()) is not None:
    if os.environ.get(NEEDED):
        pytest.fail(WHY, pytrace=False)
    pytest.skip(WHY, allow_module_level=True)

from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402

PATIENCE = 60_000  # milliseconds: a machine may do other things meanwhile
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A finished run and a strategy of starting hands."""
    folder = tmp_path_factory.mktemp("page")
    mccfr.train(folder / "runs" / "kuhn", "kuhn", "external", iterations=2000, seed=1)
    mccfr.uniform(mccfr.compile("nlph")).save(folder / "hands.mccfr")
    return folder


@pytest.fixture(scope="module")
def server(folder) -> Iterator[str]:
    """One server for all tests, on a free port."""
    import uvicorn

    from mccfr.web.admit import Given
    from mccfr.web.runs_view import find_sources
    from mccfr.web.server import make_app

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    sources = find_sources((str(folder / "runs"), str(folder / "hands.mccfr")))
    config = uvicorn.Config(make_app(Given(), sources), "127.0.0.1", port, log_level="error")
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    while not running.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}/"
    running.should_exit = True
    thread.join(10)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=path, args=FLAGS)
        yield running
        running.close()


@contextmanager
def visiting(browser, server) -> Iterator[Callable[..., Page]]:
    """Opens pages by what follows the # of their address; anything at all on the console fails the test."""
    said: list[str] = []
    contexts = []

    def open_page(state: str = "", script: str | None = None, address: str | None = None, **context: Any) -> Page:
        contexts.append(browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **context}))
        contexts[-1].set_default_timeout(PATIENCE)
        page = contexts[-1].new_page()
        page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: said.append(str(error)))
        if script:
            page.add_init_script(script)
        page.goto(f"{address or server}#{state}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert said == []


@pytest.fixture
def visit(browser, server):
    """Opens pages of the server."""
    with visiting(browser, server) as open_page:
        yield open_page


# ---- what the page says, and what the library says


def get(page: Page, name: str) -> Any:
    return page.get_by_test_id(name)


def number(page: Page, name: str) -> float:
    return float(get(page, name).get_attribute("data-value"))


def at_iteration(page: Page, n: int, stat: str = "stat") -> None:
    expect(get(page, f"{stat}-iteration")).to_have_attribute("data-value", str(n))


def jump(page: Page, n: int) -> None:
    get(page, "jump-to").fill(str(n))
    get(page, "jump").click()
    at_iteration(page, n)


def cards(page: Page, inside: str = "brain") -> dict[str, dict[str, list[float]]]:
    """The numbers of all cards, by player and label."""
    return page.evaluate(
        """(host) => Object.fromEntries([...document.querySelectorAll(`[data-testid="${host}"] .card`)].map((card) => [
            card.dataset.testid.slice(5),
            Object.fromEntries(["regret", "current", "average"].map((name) => [name,
                [...card.querySelectorAll(`[data-testid="${name}"]`)].map((one) => Number(one.dataset.value))]))]))""",
        inside,
    )


def library_cards(solver: mccfr.Solver) -> dict[str, dict[str, list[float]]]:
    """The same, from the library."""
    infosets, state, strategy = solver.tree.infosets, solver.state, solver.strategy()
    found = {}
    for j, label in enumerate(infosets.labels):
        row = slice(int(infosets.row[j]), int(infosets.row[j + 1]))
        found[f"{infosets.owner(j)}:{label}"] = {
            "regret": state["regret"][row].tolist(),
            "current": state["current"][row].tolist(),
            "average": list(strategy.at(j).values()),
        }
    return found


def same(found: dict[str, Any], solver: mccfr.Solver) -> None:
    expected = library_cards(solver)
    assert found.keys() <= expected.keys()
    assert len(found) >= min(12, len(expected))
    for key, card in found.items():
        assert card == expected[key], key


@pytest.mark.slow_cases("outcome+history")
@pytest.mark.parametrize("method", ["external", "outcome+history", "cfr_plus"])
def test_numbers_are_the_librarys(visit, method):
    page = visit(f"game=kuhn&method={method.replace('+', '%2B')}&seed=3")
    solver = mccfr.Solver("kuhn", method, 3)
    for n in (1, 10, 1000):
        jump(page, n)
        solver.run(n - solver.iterations)
        same(cards(page), solver)
        exploitability = mccfr.exploitability(solver.strategy())
        assert number(page, "stat-exploitability") == pytest.approx(exploitability, rel=1e-12)
        assert number(page, "stat-touched") == solver.touched
        assert number(page, "stat-walks") == 2 * n
    said = get(page, "stat-exploitability").inner_text()
    assert "chips/game" in said
    assert "mbb/g" in said


def test_jumping_back_restarts_from_the_seed(visit):
    page = visit("game=kuhn&method=outcome&seed=5")
    jump(page, 700)
    jump(page, 20)
    same(cards(page), mccfr.Solver("kuhn", "outcome", 5).run(20))


def test_every_control(visit):
    page = visit("seed=1")
    at_iteration(page, 0)
    get(page, "play").click()
    expect(get(page, "play")).to_have_text("Pause")
    page.wait_for_function("Number(document.querySelector('[data-testid=stat-iteration]').dataset.value) > 3")
    get(page, "play").click()
    expect(get(page, "play")).to_have_text("Play")
    page.wait_for_timeout(150)
    stopped = int(number(page, "stat-iteration"))
    get(page, "step").click()
    at_iteration(page, stopped + 1)
    for place, words in ((0, "1 / s"), (8, "maximum"), (4, "30 / s")):
        get(page, "speed").fill(str(place))
        expect(get(page, "speed-text")).to_have_text(words)
    get(page, "restart").click()
    at_iteration(page, 0)
    get(page, "seed").fill("7")
    get(page, "seed").press("Enter")
    jump(page, 4)
    same(cards(page), mccfr.Solver("kuhn", "external", 7).run(4))
    get(page, "method").select_option("outcome")
    at_iteration(page, 0)
    jump(page, 4)
    same(cards(page), mccfr.Solver("kuhn", "outcome", 7).run(4))
    get(page, "method").select_option(label="write your own…")
    get(page, "method-own").fill("outcome(0.4)")
    get(page, "method-own").press("Enter")
    at_iteration(page, 0)
    jump(page, 9)
    same(cards(page), mccfr.Solver("kuhn", "outcome(0.4)", 7).run(9))
    get(page, "game").select_option("goofspiel(3)")
    expect(get(page, "brain-count")).to_have_text(f"{len(mccfr.compile('goofspiel(3)').infosets)} infosets")
    get(page, "fit").click()
    expect(get(page, "fit")).to_have_attribute("aria-pressed", "true")
    for view in VIEWS:
        get(page, f"tab-{view}").click()
        expect(page.locator(f"#view-{view}")).to_be_visible()
    get(page, "theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    get(page, "help").click()
    expect(get(page, "help-dialog")).to_be_visible()
    get(page, "help-close").click()
    expect(get(page, "help-dialog")).to_be_hidden()


def test_stepping_inside_tells_the_whole_iteration(visit):
    page = visit("game=kuhn&method=external&seed=2&iteration=4")
    at_iteration(page, 4)
    get(page, "inside").click()
    at_iteration(page, 5)
    events = get(page, "events").get_by_role("button")
    expect(get(page, "event-0")).to_have_attribute("aria-current", "true")
    after: dict[str, list[float]] = {}
    sentences = set()
    for n in range(events.count()):
        expect(get(page, f"event-{n}")).to_have_attribute("aria-current", "true")
        sentences.add(get(page, "sentence").inner_text())
        if "update" in get(page, f"event-{n}").inner_text():
            where = page.evaluate(
                "(() => { const e = mccfrPage.views.watch.walk.current; return `${e.player}:${e.infoset}` })()"
            )
            after[where] = [float(x) for x in get(page, "fact-regret_after").get_attribute("title").split(", ")]
        if n < events.count() - 1:
            get(page, "inside").click()
    solver = mccfr.Solver("kuhn", "external", 2).run(5)
    expected = library_cards(solver)
    assert after
    assert all(expected[key]["regret"] == regret for key, regret in after.items())
    assert all(len(sentence) > 20 for sentence in sentences)
    assert len(sentences) > 6
    how = page.evaluate("[...new Set([...document.querySelectorAll('.branch[data-how]')].map((b) => b.dataset.how))]")
    assert {"enumerated", "sampled", "skipped"} <= set(how)
    assert page.locator(".die").count() > 1
    assert page.locator(".node-numbers").count() > 3
    get(page, "back").click()
    expect(get(page, f"event-{events.count() - 2}")).to_have_attribute("aria-current", "true")
    get(page, "event-3").click()
    expect(get(page, "event-3")).to_have_attribute("aria-current", "true")


@pytest.mark.slow
def test_probed_branches_are_dotted(visit):
    page = visit("method=robust(1)%2Bprobe&iteration=6")
    at_iteration(page, 6)
    expect(page.locator(".tree .branch.probed").first).to_be_attached()
    dashes = page.locator(".tree .branch.probed").first.evaluate("(line) => getComputedStyle(line).strokeDasharray")
    assert dashes != "none"


def test_an_address_restores_the_view(visit):
    page = visit("method=outcome&seed=9&iteration=12&step=6&infoset=0:Q:")
    at_iteration(page, 12)
    expect(get(page, "event-6")).to_have_attribute("aria-current", "true")
    expect(get(page, "math-title")).to_contain_text("player 0 at Q:")
    get(page, "inside").click()
    page.wait_for_function("location.hash.includes('step=7')")
    again = visit(page.url.partition("#")[2])
    at_iteration(again, 12)
    expect(get(again, "event-7")).to_have_attribute("aria-current", "true")
    expect(get(again, "sentence")).to_have_text(get(page, "sentence").inner_text())
    expect(get(again, "card-0:Q:")).to_have_attribute("aria-pressed", "true")
    assert cards(page) == cards(again)
    again.evaluate("location.hash = 'game=kuhn&method=external&seed=9&iteration=3'")  # a link followed in an open page
    at_iteration(again, 3)
    same(cards(again), mccfr.Solver("kuhn", "external", 9).run(3))


def test_mathematics_tells_noise_from_bias(visit):
    page = visit("method=external&iteration=3")
    at_iteration(page, 3)
    updated = page.locator(".card.updated").first.get_attribute("data-testid").removeprefix("card-")
    get(page, f"card-{updated}").click()
    expect(get(page, "math-title")).to_have_text(f"player {updated[0]} at {updated[2:]}")
    expect(get(page, "math-step-3")).to_be_visible()
    expect(get(page, "verdict")).to_contain_text("Right on average")
    solver = mccfr.Solver("kuhn", "external", 1).run(3)
    after = [float(cell.get_attribute("data-value")) for cell in get(page, "math-after").all()]
    assert after == library_cards(solver)[updated]["regret"]
    before = [float(cell.get_attribute("data-value")) for cell in get(page, "math-before").all()]
    assert before == library_cards(mccfr.Solver("kuhn", "external", 1).run(2))[updated]["regret"]
    mean = [float(cell.get_attribute("data-value")) for cell in get(page, "math-mean").all()]
    true = [float(cell.get_attribute("data-value")) for cell in get(page, "math-true").all()]
    assert mean == pytest.approx(true, abs=1e-12)


def test_the_exhibit_is_labelled_and_biased(visit):
    page = visit("method=external%2Bpage_rule&seed=2&iteration=4")
    at_iteration(page, 4)
    expect(get(page, "about")).to_contain_text("Exhibit, biased on purpose")
    verdicts = []
    for card in page.locator(".card.updated").all():
        card.click()
        expect(get(page, "math-title")).to_contain_text(card.get_attribute("data-testid").partition(":")[2])
        page.wait_for_timeout(150)
        verdicts.append(get(page, "verdict").inner_text())
    assert any("Biased" in verdict for verdict in verdicts)


def test_curves_and_the_exhibit_that_fails(visit):
    page = visit("view=converge&seed=2&curves=external|external%2Bpage_rule|cfr")
    expect(get(page, "curve-external+page_rule")).to_contain_text("exhibit: biased")
    get(page, "curve-remove-cfr").click()
    get(page, "curve-add").select_option("cfr_plus")
    expect(get(page, "curve-cfr_plus")).to_be_visible()
    get(page, "curve-length").select_option("100000")
    get(page, "curve-run").click()
    shown = {}
    for method in ("external", "external+page_rule", "cfr_plus"):
        row = get(page, f"curve-row-{method}")
        expect(row.locator("td").first).to_have_attribute("data-value", "100000")
        shown[method] = float(row.get_by_test_id("curve-exploitability").get_attribute("data-value"))
        solver = mccfr.Solver("kuhn", method, 2).run(100_000)
        assert shown[method] == pytest.approx(mccfr.exploitability(solver.strategy()), rel=1e-9)
    assert shown["external+page_rule"] > 5 * shown["external"]
    page.wait_for_selector("#curve-chart .scatterlayer .trace")
    assert page.locator("#curve-chart .scatterlayer .trace").count() == 3
    expect(page.locator("#curve-chart .annotation")).to_contain_text("does not converge")
    get(page, "axis").select_option("touched")
    expect(page.locator("#curve-chart .xtitle")).to_have_text("nodes touched")
    get(page, "curve-stop").click()


def test_the_family_of_equilibria_and_noise(visit):
    page = visit("view=converge&method=cfr_plus&iteration=1000")
    expect(get(page, "family-K:")).to_be_visible()
    assert 0 <= number(page, "alpha") <= 1 / 3
    page.wait_for_function("Number(document.querySelector('[data-testid=distance]').dataset.value) < 0.03")
    get(page, "tab-watch").click()
    get(page, "method").select_option("external")
    jump(page, 50)
    get(page, "card-0:K:").click()
    get(page, "tab-converge").click()
    get(page, "noise-run").click()
    rows = get(page, "noise").locator("tbody tr")
    expect(rows).to_have_count(4)
    for n, row in enumerate(rows.all()):
        mean, true, deviation = (float(row.locator("td").nth(i).get_attribute("data-value")) for i in range(3))
        assert mean == pytest.approx(true, abs=1e-9)
        assert n > 1 or deviation > 0.1


def test_an_address_restores_two_lanes(visit):
    page = visit("view=compare&method=external&other=dcfr&seed=4&iteration=50")
    for lane in ("lane-0", "lane-1"):
        at_iteration(page, 50, lane)
    same(cards(page, "lane-1"), mccfr.Solver("kuhn", "dcfr", 4).run(50))
    get(page, "compare-step").click()
    page.wait_for_function("location.hash.includes('iteration=51')")
    page.evaluate("location.hash = 'view=compare&game=kuhn&method=external&other=dcfr&seed=4&iteration=20'")
    for lane in ("lane-0", "lane-1"):
        at_iteration(page, 20, lane)


@pytest.mark.slow
def test_two_lanes_on_one_seed(visit):
    page = visit("view=compare&method=external&other=outcome&seed=4")
    at_iteration(page, 0, "lane-0")
    get(page, "compare-right").select_option("dcfr")
    expect(get(page, "lane-1")).to_contain_text("dcfr")
    get(page, "compare-step").click()
    at_iteration(page, 1, "lane-1")
    get(page, "compare-jump-to").fill("300")
    get(page, "compare-jump").click()
    for lane, method in enumerate(("external", "dcfr")):
        at_iteration(page, 300, f"lane-{lane}")
        solver = mccfr.Solver("kuhn", method, 4).run(300)
        same(cards(page, f"lane-{lane}"), solver)
        assert number(page, f"lane-{lane}-exploitability") == pytest.approx(
            mccfr.exploitability(solver.strategy()), rel=1e-9
        )
        assert number(page, f"lane-{lane}-touched") == solver.touched
    get(page, "time-base").select_option("touched")
    expect(get(page, "compare-says")).to_contain_text("nodes touched")
    get(page, "compare-speed").fill("8")
    get(page, "compare-play").click()
    page.wait_for_function("Number(document.querySelector('[data-testid=lane-1-iteration]').dataset.value) > 1000")
    get(page, "compare-play").click()
    expect(get(page, "compare-play")).to_have_text("Play")
    get(page, "compare-restart").click()
    at_iteration(page, 0, "lane-1")
    expect(get(page, "compare-says")).to_contain_text("Press play")  # the old curves are gone


def test_explanations_are_measured(visit):
    page = visit("view=explain&method=cfr_plus&iteration=3000")
    at_iteration(page, 3000)
    get(page, "clairvoyant").click()
    expect(get(page, "clairvoyance-cheating")).to_be_visible()
    assert number(page, "clairvoyance-cheating") == pytest.approx(5 / 18, abs=2e-3)
    assert number(page, "clairvoyance-honest") == pytest.approx(number(page, "stat-exploitability"), rel=1e-9)
    assert number(page, "clairvoyance-brute") == pytest.approx(number(page, "clairvoyance-honest"), abs=1e-12)
    get(page, "brute-1").locator("summary").click()
    expect(get(page, "brute-1").locator("tbody tr")).to_have_count(64)
    expect(get(page, "brute-1").locator("tbody tr").first).to_have_class("best")
    best = float(get(page, "brute-1").locator("tbody [data-value]").first.get_attribute("data-value"))
    response = mccfr.best_response(mccfr.solve("kuhn", "cfr_plus", iterations=3000).strategy(), 1)
    assert best == pytest.approx(response.value, abs=1e-12)
    get(page, "measure").click()
    expect(get(page, "measured").locator("tbody tr")).to_have_count(6)
    assert get(page, "measured").locator(".win").count() >= 6
    get(page, "show-exhibit").click()
    expect(get(page, "curve-row-external+page_rule")).to_be_visible()


@pytest.mark.slow
def test_runs_and_strategies(visit, folder):
    page = visit("view=runs")
    expect(get(page, "run-table")).to_contain_text("2,000")
    page.wait_for_selector("#run-chart .scatterlayer .trace")
    get(page, "run-list").get_by_text("kuhn/strategy.mccfr").click()
    get(page, "strategy-filter").fill("K:c")
    strategy = mccfr.load(folder / "runs" / "kuhn" / "strategy.mccfr")
    bet = 100 * strategy["K:c"]["bet"]
    expect(get(page, "strategy-1:K:c")).to_contain_text(f"bet {bet:.0f}%" if 10 <= bet < 99.95 else "bet")
    expect(get(page, "strategy").locator("tbody tr")).to_have_count(2)
    get(page, "strategy-player").select_option("0")
    expect(get(page, "strategy").locator("tbody tr")).to_have_count(1)
    get(page, "run-list").get_by_text("hands.mccfr").click()
    cells = get(page, "grid").get_by_role("gridcell")
    expect(cells).to_have_count(169)
    names = cells.all_inner_texts()
    assert [names[0], names[1], names[13], names[168]] == ["AA", "AKs", "AKo", "22"]
    get(page, "hand-AKs").click()
    expect(get(page, "grid-details")).to_contain_text("AKs")
    get(page, "as-table").click()
    expect(get(page, "strategy").locator("tbody tr")).to_have_count(50)


def test_labels_that_look_like_markup_do_not_break_a_recording(visit, tmp_path):
    from mccfr.web.admit import Given
    from mccfr.web.messages import Open
    from mccfr.web.recording import record, write_recording

    file, game, name = (
        tmp_path / "odd.html",
        tmp_path / "odd.efg",
        "<!--<script>&\u2028</script><img src=x onerror=a()>",
    )
    game.write_text(
        f'EFG 2 R "odd" {{ "a" "b" }}\np "" 1 1 "{name}" {{ "{name}" "r" }} 0\n'
        't "" 1 "w" { 1 -1 }\nt "" 2 "l" { -1 1 }\n'
    )
    wish = Open(type="open", game=str(game), method="external", seed=1)
    write_recording(file, record(wish, 5, Given((str(game),))))
    page = visit("", address=file.as_uri(), offline=True)
    at_iteration(page, 0)
    get(page, "step").click()
    at_iteration(page, 1)
    expect(page.locator("#brain")).to_contain_text("<!--<script>")
    assert page.locator("img[src=x]").count() == 0


@pytest.mark.slow
def test_a_recording_replays_without_a_server(visit, tmp_path):
    from mccfr.web.admit import Given
    from mccfr.web.messages import Open
    from mccfr.web.recording import record, write_recording

    file = tmp_path / "kuhn.html"
    write_recording(file, record(Open(type="open", game="kuhn", method="external", seed=6), 200, Given()))
    page = visit("", address=file.as_uri(), offline=True)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    at_iteration(page, 0)
    expect(get(page, "notice")).to_contain_text("recording")
    expect(get(page, "method")).to_be_disabled()
    for n in (1, 2, 3):
        get(page, "step").click()
        at_iteration(page, n)
        same(cards(page), mccfr.Solver("kuhn", "external", 6).run(n))
    expect(get(page, "math-step-1")).to_be_visible()
    get(page, "inside").click()
    expect(get(page, "event-0")).to_have_attribute("aria-current", "true")
    jump(page, 200)
    exploitability = mccfr.exploitability(mccfr.Solver("kuhn", "external", 6).run(200).strategy())
    assert number(page, "stat-exploitability") == pytest.approx(exploitability, rel=1e-12)
    get(page, "search").fill("K:")
    expect(page.locator("#brain .card")).to_have_count(4)
    get(page, "restart").click()
    at_iteration(page, 0)
    get(page, "speed").fill("8")
    get(page, "play").click()
    page.wait_for_function("Number(document.querySelector('[data-testid=stat-iteration]').dataset.value) > 10")
    get(page, "play").click()
    for view in VIEWS:
        get(page, f"tab-{view}").click()
    get(page, "tab-converge").click()
    page.wait_for_selector("#curve-chart .scatterlayer .trace")
    assert not [url for url in requests if url.startswith(("http", "ws"))]


@pytest.mark.slow
def test_leduc_stays_usable(visit):
    page = visit("game=leduc&method=external&seed=1&iteration=30")
    at_iteration(page, 30)
    expect(get(page, "brain-count")).to_have_text("936 infosets")
    get(page, "brain-as").click()
    expect(page.locator("#brain .card")).to_have_count(60)
    get(page, "cards-next").click()
    expect(get(page, "cards-place")).to_have_text("61–120 of 936")
    get(page, "cards-previous").click()
    get(page, "search").fill("K:cc/Q")
    found = [label for label in mccfr.compile("leduc").infosets.labels if "k:cc/q" in label.lower()]
    expect(get(page, "brain-count")).to_have_text(f"{len(found)} infosets")
    get(page, "player").select_option("1")
    page.wait_for_function("document.querySelectorAll('#brain .card.player0').length === 0")
    same(cards(page), mccfr.Solver("leduc", "external", 1).run(30))
    assert page.locator(".node.stub").count() > 0
    assert page.locator(".node.seen").count() > 10
    get(page, "search").fill("nowhere")
    expect(get(page, "brain")).to_contain_text("No infoset")


def test_what_is_refused_is_said_in_a_line(visit):
    page = visit("seed=1&iteration=3")
    at_iteration(page, 3)
    get(page, "method").select_option(label="write your own…")
    get(page, "method-own").fill("nonsense")
    get(page, "method-own").press("Enter")
    expect(get(page, "notice")).to_contain_text("nonsense")
    assert "\n" not in get(page, "notice").inner_text()
    get(page, "method").select_option("cfr")
    jump(page, 2)
    expect(get(page, "notice")).to_be_hidden()


def test_the_page_is_open_before_kernels_are_compiled(visit, monkeypatch):
    from mccfr.web.session import Session

    may_end, compile_kernels = threading.Event(), Session.compile
    monkeypatch.setattr(Session, "quick_to_open", lambda *_: False)
    monkeypatch.setattr(Session, "compile", lambda session: may_end.wait(30) and compile_kernels(session))
    page = visit("game=kuhn&method=external&seed=5")
    expect(get(page, "tree-drawing")).to_be_visible()
    expect(get(page, "notice")).to_contain_text("is being compiled, the first time only: 1 s so far")
    get(page, "step").click()
    at_iteration(page, 1)
    expect(get(page, "notice")).to_be_visible()
    get(page, "jump-to").fill("500")
    get(page, "jump").click()
    may_end.set()
    at_iteration(page, 500)
    expect(get(page, "notice")).to_be_hidden()
    solver = mccfr.solve("kuhn", "external", iterations=500, seed=5)
    assert cards(page) == library_cards(solver)
    assert number(page, "stat-exploitability") == solver.exploitability()


def test_a_phone_needs_no_sideways_scrolling(visit):
    page = visit("iteration=5", viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    at_iteration(page, 5)
    for view in VIEWS:
        get(page, f"tab-{view}").click()
        page.wait_for_timeout(250)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, view
    get(page, "tab-watch").click()
    page.mouse.wheel(0, 1500)
    expect(get(page, "stat-exploitability")).to_be_in_viewport()


PAIRS = [
    (text, ground)
    for ground in ("paper", "ground", "sunk", "now")
    for text in ("ink", "soft", "accent", "player0", "player1", "chance", "good", "bad")
    if ground != "now" or text == "ink"
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_themes_have_contrast(visit, scheme):
    page = visit("", color_scheme=scheme)
    expect(page.locator("html")).to_have_attribute("data-theme", scheme)
    colours = page.evaluate(
        """(names) => Object.fromEntries(names.map((name) => [name,
            getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()]))""",
        sorted({name for pair in [*PAIRS, ("on-accent", "accent")] for name in pair}),
    )
    for text, ground in [*PAIRS, ("on-accent", "accent")]:
        assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two #rrggbb colours, as WCAG 2 defines it."""

    def luminance(colour: str) -> float:
        channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
        linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_keys_do_everything(visit):
    page = visit("seed=1", reduced_motion="reduce")
    at_iteration(page, 0)
    press = page.keyboard.press
    press("Shift+ArrowRight")
    at_iteration(page, 1)
    press("ArrowRight")
    at_iteration(page, 2)
    expect(get(page, "event-0")).to_have_attribute("aria-current", "true")
    press("ArrowRight")
    expect(get(page, "event-1")).to_have_attribute("aria-current", "true")
    press("ArrowLeft")
    expect(get(page, "event-0")).to_have_attribute("aria-current", "true")
    press("j")
    page.keyboard.type("25")
    press("Enter")
    at_iteration(page, 25)
    press("Escape")
    press("Space")
    expect(get(page, "play")).to_have_text("Pause")
    press("Space")
    expect(get(page, "play")).to_have_text("Play")
    press("r")
    at_iteration(page, 0)
    press("/")
    page.keyboard.type("Q:c")
    expect(page.locator("#brain .card")).to_have_count(2)
    press("Escape")
    press("?")
    expect(get(page, "help-dialog")).to_be_visible()
    press("Escape")
    expect(get(page, "help-dialog")).to_be_hidden()
    for key, view in enumerate(VIEWS, 1):
        press(str(key))
        expect(page.locator(f"#view-{view}")).to_be_visible()
    page.locator("#tab-runs").focus()
    press("ArrowLeft")
    expect(page.locator("#view-methods")).to_be_visible()
    nameless = page.evaluate(
        """[...document.querySelectorAll("button, input, select, [role=img]")].filter((one) =>
            !(one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.length || one.title)).length"""
    )
    assert nameless == 0


@pytest.mark.slow
def test_playing_as_fast_as_possible_stays_smooth(visit):
    page = visit("seed=1")
    at_iteration(page, 0)
    get(page, "speed").fill("8")
    get(page, "play").click()
    page.wait_for_timeout(1000)
    page.evaluate("mccfrPage.clock.gaps.length = 0")
    began, first = time.perf_counter(), number(page, "stat-iteration")
    page.wait_for_timeout(2000)
    rate = (number(page, "stat-iteration") - first) / (time.perf_counter() - began)
    median, slow = page.evaluate("[mccfrPage.clock.quantile(0.5), mccfrPage.clock.quantile(0.95)]")
    get(page, "play").click()
    expect(get(page, "play")).to_have_text("Play")
    print(f"{rate:,.0f} iterations/s, {median:.1f} ms between frames (95% within {slow:.1f} ms)")
    assert rate > 10_000
    assert median < 50


# ---- the public tree of dealt games


PUBLIC = "view=watch&game=dealt:kuhn(suits=2)&method=cfr&iteration=20"


def vector(page):
    """Range and strategy of each hand of the player who moves, on average."""
    return page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('[data-testid^="hand-"]')].map((row) => [
            row.dataset.testid.slice(5),
            [...row.querySelectorAll("[data-average]")].map((one) => Number(one.dataset.average))]))"""
    )


def touched(page, player):
    """The hands of a player that the chosen form of walk touches."""
    return get(page, f"vector-{player}").locator("tr.touched th").all_inner_texts()


def test_the_public_tree(visit):
    """A node by keys, the library's numbers, the forms of walks, and a game without such a tree."""
    page = visit(PUBLIC)
    at_iteration(page, 20)
    expect(get(page, "public-count")).to_have_text("270 histories, 24 infosets, 9 public nodes")
    expect(get(page, "public-nodes").locator("li")).to_have_count(9)
    get(page, "public-node-1").locator("button").focus()
    page.keyboard.press("Enter")
    expect(get(page, "public-title")).to_have_text("After check: player 1 moves")
    get(page, "public-node-4").locator("button").click()
    expect(get(page, "hand-Jc:cb")).to_be_visible()

    strategy = mccfr.solve("dealt:kuhn(suits=2)", "cfr", iterations=20).strategy()
    found = vector(page)
    assert list(found) == [f"{card}:cb" for card in ("Jc", "Js", "Qc", "Qs", "Kc", "Ks")]
    for label, (reach, *play) in found.items():
        assert reach == pytest.approx(strategy[label[:3]]["check"], abs=1e-12)
        assert play == pytest.approx(list(strategy[label].values()), abs=1e-12)

    expect(get(page, "form-vector")).to_be_checked()  # a sweep carries all hands
    assert (len(touched(page, 0)), len(touched(page, 1))) == (6, 6)
    get(page, "form-vector").focus()
    page.keyboard.press("ArrowUp")
    expect(get(page, "form-semi_vector")).to_be_checked()
    (theirs,) = touched(page, 1)
    assert theirs not in touched(page, 0)
    assert len(touched(page, 0)) == 5
    expect(get(page, "histories-semi_vector")).to_have_text("5")
    get(page, "public-walker").select_option("1")
    expect(get(page, "infosets-semi_vector")).to_have_text("1")  # player 0, who moves here, has been dealt one hand
    before = get(page, "hands-value").inner_text()
    get(page, "public-deal").click()
    expect(get(page, "hands-value")).not_to_have_text(before)

    jump(page, 21)
    expect(get(page, "hand-Jc:cb")).to_be_visible()
    average = get(page, "hand-Qc:cb").locator("[data-average]").first
    expect(average).not_to_have_attribute("data-average", str(found["Qc:cb"][0]))  # it has gone on with the solver
    page.evaluate("location.hash = 'view=watch&game=kuhn&method=cfr'")
    expect(get(page, "card-0:Q:")).to_be_visible()
    expect(get(page, "public")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["dealt:leduc", "nlph"])
def test_larger_public_trees_open_on_the_way(visit, game):
    """Only the nodes on the way are listed, and going down keeps the focus."""
    page = visit(f"view=watch&game={game}&method=cfr&iteration=2")
    at_iteration(page, 2)
    root = get(page, "public-nodes").locator("li")
    expect(root.first).to_contain_text("player 0 moves")
    first = root.count()
    button = get(page, "public-node-1").locator("button") if game == "dealt:leduc" else root.locator("button").nth(1)
    button.focus()
    page.keyboard.press("Enter")
    expect(get(page, "public-title")).to_contain_text("After")
    assert root.count() > first
    assert page.evaluate("document.activeElement.getAttribute('aria-current')") == "true"
