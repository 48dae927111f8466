"""The table of the page in a real browser: hands by keys and by clicks, on a phone, in both themes."""

import json

import pytest
from test_page import browser, contrast, expect, folder, get, server, visit  # noqa: F401  fixtures are found by name
from test_web_table import no_words

from mccfr.cards.deck import card
from mccfr.playing.played_hand import deal_cards
from mccfr.web import hands_to_download, table_game

PHONE = {"viewport": {"width": 375, "height": 740}, "is_mobile": True, "has_touch": True}


@pytest.fixture
def table(visit):
    """A page at the table of an agent, before the first hand."""

    def open_table(agent="blueprint:limit", **context):
        page = visit(f"view=play&agent={agent}", **context)
        expect(get(page, "play-deal")).to_have_text("DealEnter")
        return page

    return open_table


@pytest.fixture
def known_cards(monkeypatch):
    """Every hand is the same: the big blind has 7c 2d, the dealer As Ah, and the board helps nobody."""
    cards = tuple(card(name) for name in ("7c", "2d", "As", "Ah", "Ks", "Qd", "9h", "4c", "3s"))
    monkeypatch.setattr(table_game, "deal_cards", lambda table, dice: cards)
    return cards


def number_of(page):
    return page.evaluate("mccfrPage.views.play.table.hand.number")


def line_of(page):
    return page.evaluate("mccfrPage.views.play.table.hand?.line ?? null")


def idle(page):
    page.wait_for_function("!mccfrPage.views.play.busy")


def test_a_hand_by_keys(table, known_cards):
    page = table()
    press = page.keyboard.press
    press("Enter")
    expect(get(page, "cards-you").get_by_role("img").first).to_have_accessible_name("ace of spades")
    expect(get(page, "cards-agent").get_by_role("img").first).to_have_accessible_name("a hidden card")
    expect(get(page, "play-says")).to_contain_text("you deal and post 1")
    expect(get(page, "pot")).to_have_text("Pot 3")
    press("1")  # the only raise in limit
    page.wait_for_function("mccfrPage.views.play.table.hand.line !== ''")
    assert line_of(page).startswith("r4")
    for _ in range(12):
        if get(page, "play-deal").count():
            break
        before = line_of(page)
        press("c")
        page.wait_for_function("(line) => mccfrPage.views.play.table.hand.line !== line", arg=before)
        idle(page)
    expect(get(page, "play-deal")).to_have_text("Next handEnter")
    expect(get(page, "cards-agent").get_by_role("img").first).to_have_accessible_name("7 of clubs")
    expect(get(page, "play-hands")).to_have_text("1")
    expect(get(page, "play-log")).to_contain_text("You raise to 4.")
    expect(get(page, "range")).to_be_visible(timeout=60_000)  # what takes luck out is compiled for the first hand
    expect(get(page, "range-grid").get_by_role("button")).to_have_count(169)
    expect(get(page, "range-grid").locator(".marked")).to_have_attribute("data-testid", "hand-72o")
    expect(get(page, "decision").first).to_contain_text("Before the flop: pot 3, 1 to call. You: Raise to 4")
    press("Enter")
    page.wait_for_function("mccfrPage.views.play.table.hand.number === 2")
    expect(get(page, "play-review")).to_be_hidden()
    expect(get(page, "seat-agent")).to_contain_text("D")


def test_a_fold_by_keys_and_help(table):
    page = table()
    page.keyboard.press("?")
    expect(get(page, "help-dialog")).to_contain_text("deal the next hand")
    page.keyboard.press("Escape")
    expect(get(page, "help-dialog")).to_be_hidden()
    page.keyboard.press("9")  # no view, no bet: nothing happens
    expect(page.locator("#view-play")).to_be_visible()
    page.keyboard.press("Enter")
    expect(get(page, "move-f")).to_be_visible()
    page.keyboard.press("f")
    expect(get(page, "play-chips")).to_have_text("−1")
    expect(get(page, "play-says")).to_have_text("The agent wins 1 chip.")
    expect(get(page, "cards-agent").locator(".back")).to_have_count(0)  # shown also after a fold
    page.keyboard.press("Escape")
    expect(get(page, "tab-play")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#view-runs")).to_be_visible()
    page.keyboard.press("1")
    expect(page.locator("#view-watch")).to_be_visible()


def test_a_key_right_after_the_help_was_closed(table):
    """Before the browser draws again the focus is still inside the closed dialog, on a button."""
    page = table()
    inside = page.evaluate("""() => {
        const help = document.getElementById("help");
        help.showModal();
        const button = help.querySelector("button");
        button.focus();
        help.close();
        button.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
        return button.matches("dialog button");
    }""")
    assert inside
    expect(get(page, "move-f")).to_be_visible()


def test_a_hand_by_clicks_with_any_amount(table, known_cards, monkeypatch):
    monkeypatch.setattr(hands_to_download, "phhs_text", no_words)
    page = table("blueprint:nolimit")
    get(page, "play-deal").click()
    expect(get(page, "move-a200")).to_be_visible()
    assert get(page, "move-r6").get_attribute("aria-label") == "Raise to 6, pot"
    page.keyboard.press("b")
    expect(get(page, "amount")).to_be_focused()
    get(page, "amount").fill("7")
    expect(get(page, "bet-amount")).to_have_text("Raise to 7")
    assert get(page, "amount-slider").input_value() == "7"
    get(page, "amount-slider").fill("9")
    expect(get(page, "bet-amount")).to_have_text("Raise to 9")
    get(page, "bet-amount").click()
    page.wait_for_function("mccfrPage.views.play.table.hand.line.startsWith('r9')")
    idle(page)
    while not get(page, "play-deal").count():
        before = line_of(page)
        get(page, "play-moves").get_by_role("button", name="Check").or_(
            get(page, "play-moves").get_by_role("button", name="Call")
        ).first.click()
        page.wait_for_function("(line) => mccfrPage.views.play.table.hand.line !== line", arg=before)
        idle(page)
    expect(get(page, "decision").first).to_contain_text("You: Raise to 9 (not one of its moves)")
    cell = get(page, "range-grid").locator("button", has=page.locator(".level")).first
    cell.click()
    expect(get(page, "range-details")).to_contain_text("of its range")
    with page.expect_download() as kept:
        get(page, "play-download").click()
    hands = [json.loads(text) for text in kept.value.path().read_text().splitlines()]
    assert [hand["hand"] for hand in hands] == [1]
    assert hands[0]["line"].startswith("r9")


def test_the_slider_obeys_the_rules(table):
    page = table("blueprint:nolimit")
    get(page, "play-deal").click()
    get(page, "amount").fill("3")
    get(page, "bet-amount").click()  # the browser itself refuses what is out of bounds
    assert line_of(page) == ""
    page.evaluate("mccfrPage.views.play.act('b3')")
    expect(get(page, "notice")).to_contain_text("cannot raise 3 now: expected fold, call, 4 to 200 chips")
    expect(get(page, "move-f")).to_be_visible()
    idle(page)
    page.keyboard.press("f")
    expect(get(page, "play-chips")).to_have_text("−1")
    expect(get(page, "notice")).to_be_hidden()


def test_an_agent_chosen_while_another_sits_down_takes_its_place(table):
    page = table("blueprint:nolimit")
    for first, last in (("limit", "nolimit"), ("nolimit", "limit")):
        page.evaluate(
            """(names) => names.forEach((name) => {
                const menu = document.querySelector("[data-testid=play-agent]");
                menu.value = name;
                menu.dispatchEvent(new Event("change"));
            })""",
            [f"blueprint:{name}" for name in (first, last, first, last)],
        )
        idle(page)
        expect(get(page, "play-agent")).to_have_value(f"blueprint:{last}")
        expect(get(page, "seat-agent")).to_contain_text(f"blueprint:{last}")
    get(page, "play-deal").click()
    expect(get(page, "pot")).to_have_text("Pot 3")


def test_a_reload_and_a_lost_connection_keep_the_hand(table):
    page = table()
    get(page, "play-deal").click()
    expect(get(page, "move-f")).to_be_visible()
    cards = page.evaluate("mccfrPage.views.play.table.hand.you.cards")
    page.reload()
    expect(get(page, "move-f")).to_be_visible()
    assert page.evaluate("mccfrPage.views.play.table.hand.you.cards") == cards
    page.evaluate("mccfrPage.views.play.session.close()")
    page.wait_for_function("mccfrPage.views.play.session === null")
    page.keyboard.press("f")
    expect(get(page, "play-hands")).to_have_text("1")
    get(page, "play-agent").select_option("blueprint:nolimit")
    expect(get(page, "play-rules")).to_contain_text("No-limit, blinds 1/2, 100 big blinds each")
    expect(get(page, "play-hands")).to_have_text("0")
    page.wait_for_function("location.hash.includes('agent=blueprint:nolimit')")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone(table, scheme):
    page = table("blueprint:nolimit", color_scheme=scheme, **PHONE)
    get(page, "play-deal").tap()
    expect(get(page, "move-a200")).to_be_in_viewport()
    while not get(page, "play-deal").count():
        assert page.evaluate("document.documentElement.scrollWidth") <= 375
        small = page.evaluate(
            """[...document.querySelectorAll("#play-moves .move-buttons button")].filter((one) =>
                one.getBoundingClientRect().height < 44).length"""
        )
        assert small == 0  # large enough for a finger
        before = line_of(page)
        get(page, "play-moves").get_by_role("button").nth(1 if get(page, "move-f").count() else 0).tap()
        page.wait_for_function("(line) => mccfrPage.views.play.table.hand.line !== line", arg=before)
        idle(page)
    expect(get(page, "range")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    assert worst_contrast(page) >= 4.5


def worst_contrast(page):
    """The least contrast of text at the table with what it stands on, grounds being mixed as the browser does."""
    pairs = page.evaluate(
        """() => {
            const hex = (text) => { const c = document.createElement("canvas").getContext("2d");
                c.fillStyle = text; c.fillRect(0, 0, 1, 1); return "#" + [...c.getImageData(0, 0, 1, 1).data]
                .slice(0, 3).map((x) => x.toString(16).padStart(2, "0")).join(""); };
            const ground = (one) => { const at = getComputedStyle(one).backgroundColor;
                return /, 0\\)$/.test(at) && one.parentElement ? ground(one.parentElement) : at; };
            return [...document.querySelectorAll("#view-play *")].filter((one) => one.offsetParent &&
                [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
                .map((one) => [hex(getComputedStyle(one).color), hex(ground(one)), one.textContent]);
        }"""
    )
    assert len(pairs) > 20
    return min(contrast(text, ground) for text, ground, _ in pairs)


def test_everything_has_a_name_and_an_order(table):
    page = table()
    get(page, "play-deal").click()
    expect(get(page, "move-f")).to_be_visible()
    nameless = page.evaluate(
        """[...document.querySelectorAll("#view-play :is(button, input, select, [role=img])")].filter((one) =>
            !(one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.length)).length"""
    )
    assert nameless == 0
    assert get(page, "play-says").get_attribute("aria-live") == "polite"
    page.locator("#play-moves").focus()
    order = []
    for _ in range(3):
        page.keyboard.press("Tab")
        order.append(page.evaluate("document.activeElement.dataset.testid"))
    assert order == ["move-f", "move-c", "move-r4"]
    page.keyboard.press("Enter")  # the button that has the focus, and not a deal
    page.wait_for_function("mccfrPage.views.play.table.hand.line.startsWith('r4')")


def test_a_recording_says_that_playing_needs_a_server(visit, tmp_path):
    from mccfr.web.admit import NOTHING
    from mccfr.web.messages import Open
    from mccfr.web.recording import record, write_recording

    write_recording(tmp_path / "kuhn.html", record(Open(type="open"), 3, NOTHING))
    page = visit("", address=f"file://{tmp_path}/kuhn.html")
    get(page, "tab-play").click()
    expect(get(page, "play-says")).to_have_text("Playing needs a server: run `mccfr watch`.")
    page.locator("#main-anchor").focus()
    for key in ("Enter", "c", "1"):
        page.keyboard.press(key)
    page.wait_for_timeout(200)
    expect(page.locator("#view-play")).to_be_visible()
    expect(get(page, "play-moves")).to_be_empty()


def test_cards_are_dealt_as_everywhere():
    """What the fixture above replaces is what deals."""
    assert table_game.deal_cards is deal_cards
