"""The Watch view as a lesson: rules, labels, honest steps, learning as it happens, the tour, phones and bad links.

Numbers are compared with the library's for the same seed.
"""

import os
import re
import time
from typing import Any

import pytest
from test_page import (  # noqa: F401  fixtures are found by name
    VIEWS,
    Page,
    at_iteration,
    browser,
    cards,
    expect,
    folder,
    get,
    jump,
    library_cards,
    number,
    server,
    visit,
)

import mccfr
from mccfr.solvers.method import Method
from mccfr.web.admit import scene_of
from mccfr.web.lane import Lane
from mccfr.web.rows import row_at, steps_of

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def labels(page: Page) -> list[str]:
    return page.locator("#brain .card-head b").all_inner_texts()


# ---- what the game is


def test_rules_are_in_sight_until_they_are_folded(visit):
    page = visit("game=kuhn")
    expect(get(page, "rules-text")).to_contain_text("a jack, a queen and a king")
    expect(get(page, "rules-text")).to_be_visible()
    page.locator("#rules summary").press("Enter")
    expect(get(page, "rules-text")).to_be_hidden()
    page.reload()
    at_iteration(page, 0)
    expect(get(page, "rules-text")).to_be_hidden()
    page.locator("#rules summary").click()
    get(page, "game").select_option("goofspiel(3)")
    expect(get(page, "rules-text")).to_contain_text("numbered 1 to 3")


def test_labels_are_explained_where_they_stand(visit):
    page = visit("game=kuhn&seed=1&iteration=1&step=3&infoset=0:Q:cb")
    at_iteration(page, 1)
    words = "Player 0 holds the queen; the line so far: check, bet"
    card = get(page, "card-0:Q:cb")
    expect(card.get_by_test_id("reads")).to_have_text("Holds the queen; the line so far: check, bet")
    expect(card).to_have_attribute("title", words)
    expect(get(page, "math-reads")).to_have_text(f"{words}.")
    expect(get(page, "legend-labels")).to_contain_text("Q:cb is a queen after a check and a bet")
    titles = page.locator("#tree .node title").all_text_contents()
    assert any(words in title for title in titles)


def test_the_tree_has_its_cards_before_the_first_step(visit):
    page = visit("game=kuhn&seed=1")
    at_iteration(page, 0)
    dealt = page.evaluate(
        """[...document.querySelectorAll("#tree .branch-text.far")].filter((one) => "JQK".includes(one.textContent))
            .map((one) => [one.textContent, Number(one.getAttribute("x")), Number(one.getAttribute("y"))])"""
    )
    first = min(x for _, x, _ in dealt)
    down = sorted(dealt, key=lambda one: one[2])
    assert [card for card, x, _ in down if x == first] == ["J", "Q", "K"]  # to player 0
    assert [card for card, x, _ in down if x != first] == ["Q", "K", "J", "K", "J", "Q"]  # and to player 1 after each
    assert set(page.locator("#tree .node-name").all_text_contents()) == set(labels(page))
    assert labels(page) == [f"{card}:{line}" for line in ("", "cb", "c", "b") for card in "JQK"]


# ---- steps as they were


def shown_rows(page: Page) -> dict[str, Any]:
    rows = cards(page)
    visits = page.evaluate(
        """Object.fromEntries([...document.querySelectorAll("#brain .card")].map((card) => [
            card.dataset.testid.slice(5), card.querySelector("[data-testid=visits]").textContent]))"""
    )
    return {key: {**row, "visits": visits[key]} for key, row in rows.items()}


def test_a_step_shows_the_tables_of_that_step(visit):
    lane = Lane(scene_of("kuhn"), Method.parse("external"), 2)
    lane.advance(5)
    lane.tell()
    steps = steps_of(lane.trace)
    update = next(n for n, step in enumerate(steps) if step["what"] == "update")
    page = visit(f"game=kuhn&method=external&seed=2&iteration=6&step={update - 1}")
    expect(get(page, f"event-{update - 1}")).to_have_attribute("aria-current", "true")
    before = mccfr.Solver("kuhn", "external", 2).run(5)
    assert number(page, "stat-exploitability") == pytest.approx(mccfr.exploitability(before.strategy()), rel=1e-12)
    assert number(page, "stat-touched") == before.touched

    def same_as(step: int) -> None:
        for key, row in shown_rows(page).items():
            told = row_at(lane.trace, key, step) or library_cards(before)[key]
            assert row["regret"] == told["regret"], (step, key)
            assert row["current"] == told["current"], (step, key)
            assert row["average"] == told["average"], (step, key)

    same_as(update - 1)
    hidden = page.locator(f"[data-testid=event-{update + 1}] .result")
    assert hidden.evaluate("(one) => getComputedStyle(one).visibility") == "hidden"
    get(page, "inside").click()
    expect(get(page, f"event-{update}")).to_have_attribute("aria-current", "true")
    same_as(update)
    changed = f"{steps[update]['player']}:{steps[update]['infoset']}"
    expect(get(page, f"card-{changed}")).to_have_class(re.compile("updated"))
    expect(get(page, "math-title")).to_contain_text(steps[update]["infoset"])
    after = [float(cell.get_attribute("data-value")) for cell in get(page, "math-after").all()]
    assert after == steps[update]["regret_after"]
    get(page, "back").click()
    expect(get(page, f"event-{update - 1}")).to_have_attribute("aria-current", "true")
    same_as(update - 1)
    get(page, f"event-{len(steps) - 1}").click()
    expect(get(page, f"event-{len(steps) - 1}")).to_have_attribute("aria-current", "true")
    assert cards(page) == library_cards(mccfr.Solver("kuhn", "external", 2).run(6))
    visits = [text for text in page.locator("[data-testid=visits]").all_inner_texts() if re.search(r"\b1 visit", text)]
    assert visits
    assert not [text for text in visits if "1 visits" in text]


def test_a_sweep_goes_infoset_by_infoset(visit):
    page = visit("game=kuhn&method=cfr&seed=1&iteration=3&step=4")
    at_iteration(page, 3)
    expect(page.locator("#events button")).to_have_count(14)
    where = page.evaluate(
        "(() => { const e = mccfrPage.views.watch.walk.current; return `${e.player}:${e.infoset}` })()"
    )
    after = library_cards(mccfr.Solver("kuhn", "cfr", 1).run(3))
    before = library_cards(mccfr.Solver("kuhn", "cfr", 1).run(2))
    expect(get(page, "fact-regret_after")).to_have_attribute("title", re.compile(".+"))
    told = [float(x) for x in get(page, "fact-regret_after").get_attribute("title").split(", ")]
    assert told == after[where]["regret"]
    rows = cards(page)
    assert rows[where] == after[where]
    assert rows["1:K:b"] == before["1:K:b"]
    assert page.locator(".node.current").count() == 2  # the histories of the infoset
    expect(get(page, "math-step-1")).to_contain_text("history")


# ---- learning


def test_learning_is_drawn_while_it_happens(visit):
    page = visit("game=kuhn&seed=3")
    at_iteration(page, 0)
    jump(page, 2000)
    solver = mccfr.Solver("kuhn", "external", 3).run(2000)
    exploitability = mccfr.exploitability(solver.strategy())
    assert number(page, "learning-exploitability") == pytest.approx(exploitability, rel=1e-12)
    points = page.locator('#learning-curve [data-curve="watched"]').get_attribute("points").split(" ")
    assert len(points) > 80
    assert page.locator("#learning-averages figure").count() == 12
    expect(get(page, "average-0:Q:cb")).to_contain_text(f"{100 * library_cards(solver)['0:Q:cb']['average'][1]:.0f}%")
    targets = (
        get(page, "average-0:Q:cb")
        .locator(".target-line")
        .evaluate_all("(all) => all.map((one) => Number(one.dataset.target))")
    )
    assert targets == pytest.approx([1 / 3, 2 / 3])
    line = get(page, "average-0:J:").locator(".target-line").first
    assert line.evaluate("(one) => getComputedStyle(one).strokeDasharray") != "none"
    kept = page.evaluate("mccfrPage.source.averages[0].at(-1)")
    assert kept[1:] == mccfr.Solver("kuhn", "external", 3).run(kept[0]).strategy().probabilities.tolist()
    get(page, "step").click()
    at_iteration(page, 2001)
    get(page, "event-2").click()
    page.wait_for_function("mccfrPage.views.watch.learning.last === 2000")  # nothing of the iteration it is inside


def test_targets_of_other_games_are_an_equilibrium_or_missing(visit):
    page = visit("game=rps&method=cfr&seed=1&iteration=5")
    at_iteration(page, 5)
    expect(page.locator("#learning-note")).to_contain_text("one equilibrium")
    lines = page.locator("#learning-averages .target-line").evaluate_all(
        "(all) => all.map((one) => Number(one.dataset.target))"
    )
    assert lines == pytest.approx([1 / 3] * 4, abs=1e-9)
    get(page, "game").select_option("leduc")
    expect(page.locator("#learning-note")).to_contain_text("936 infosets: too many")


@pytest.mark.slow
def test_the_exhibit_is_seen_to_fail(visit):
    page = visit("game=kuhn&method=external%2Bpage_rule&seed=3")
    at_iteration(page, 0)
    get(page, "seed").fill("2")
    get(page, "seed").press("Enter")  # what ran ahead for the other seed is left without a word
    expect(get(page, "failure")).to_contain_text("Run ahead to iteration 1,000,000")
    expect(get(page, "failure")).to_contain_text("becomes flat")
    wrong, right = page.evaluate(
        "(() => { const f = mccfrPage.views.watch.learning.failure; return [f.wrong.at(-1)[1], f.right.at(-1)[1]]; })()"
    )
    for method, found in (("external+page_rule", wrong), ("external", right)):
        assert found == mccfr.exploitability(mccfr.Solver("kuhn", method, 2).run(1_000_000).strategy())
    assert wrong > 5 * right
    assert len(page.locator('#learning-curve [data-curve="reference"]').get_attribute("points")) > 500


def busy() -> bool:
    """Whether so much else runs here that a page waits for the processor."""
    return os.getloadavg()[0] > 1.5 * (os.cpu_count() or 1)


def play_at_full_speed(page: Page) -> None:
    at_iteration(page, 0)
    get(page, "speed").fill("8")
    get(page, "play").click()
    page.wait_for_timeout(800)


@pytest.mark.slow
def test_drawing_a_frame_at_full_speed_takes_less_than_a_thirtieth_of_a_second(visit):
    page = visit("seed=1")
    at_iteration(page, 0)
    page.evaluate(
        """(() => { const { source } = mccfrPage, receive = source.receive.bind(source); window.took = [];
            source.receive = (message) => { const began = performance.now(); receive(message);
                if (message.type === "frame") took.push(performance.now() - began); }; })()"""
    )
    play_at_full_speed(page)
    page.wait_for_timeout(2000)
    took = sorted(page.evaluate("took"))
    points = page.locator('#learning-curve [data-curve="watched"]').get_attribute("points")
    get(page, "play").click()
    expect(get(page, "play")).to_have_text("Play")
    print(f"{len(took)} frames, 95 % drawn within {took[int(0.95 * len(took))]:.1f} ms")
    assert len(took) > 10
    assert took[len(took) // 2] < 16
    assert took[int(0.95 * len(took))] < 33 or busy()
    assert len(points.split(" ")) > 100


@pytest.mark.slow  # it measures the machine as well: the best of three visits
def test_the_first_picture_comes_within_three_seconds(visit):
    took = []
    for _ in range(3):
        began = time.perf_counter()
        page = visit("game=kuhn&seed=1")
        page.wait_for_selector("#tree .node-name")
        took.append(time.perf_counter() - began)
    print("seconds to the first picture:", took)
    assert min(took) < 3


@pytest.mark.slow  # it measures the machine as well: the best of six looks
def test_playing_at_full_speed_keeps_95_percent_of_frames_within_33_ms(visit):
    page = visit("seed=1")
    play_at_full_speed(page)
    shares: list[float] = []
    while len(shares) < 6 and max(shares, default=0) < 0.95:
        page.evaluate("mccfrPage.clock.gaps.length = 0")
        page.wait_for_timeout(2000)
        gaps = page.evaluate("mccfrPage.clock.gaps")
        shares.append(sum(gap <= 33.5 for gap in gaps) / len(gaps))
    print("frames within 33 ms:", shares)
    if max(shares) < 0.95 and busy():
        pytest.skip("the machine is busy with other work: its frames cannot be judged")
    assert max(shares) >= 0.95


# ---- the tour


def facts(page: Page, step: int) -> dict[str, float]:
    """The numbers of a step by name; there are no others in its words."""
    page.wait_for_selector(f"#tour[data-step='{step}']")
    rest = page.evaluate(
        """(() => { const copy = document.getElementById("tour-body").cloneNode(true);
            copy.querySelectorAll("data").forEach((one) => one.remove()); return copy.textContent; })()"""
    )
    assert not re.search(r"\d", re.sub(r"[Pp]layer [01]", "", rest)), rest
    return {
        one.get_attribute("data-fact"): float(one.get_attribute("value"))
        for one in page.locator("#tour-body data").all()
    }


def shown(page: Page, name: str) -> str:
    return page.locator(f'#tour-body data[data-fact="{name}"]').inner_text()


def test_every_number_of_the_tour_is_the_librarys(visit):
    page = visit("", reduced_motion="reduce")
    expect(get(page, "tour-offer")).to_be_visible()
    get(page, "tour-accept").click()
    tree = mccfr.compile("kuhn")
    start, one, many, last = (mccfr.Solver("kuhn", "external", 1).run(n) for n in (0, 1, 1000, 100_000))
    tables = {n: library_cards(solver) for n, solver in ((0, start), (1, one), (1000, many), (100_000, last))}
    gains = [mccfr.exploitability(solver.strategy()) for solver in (start, one, many, last)]
    exploitability = dict(zip((0, 1, 1000, 100_000), gains))

    assert facts(page, 1) == {"deals": tree.deal_count, "nodes": len(tree)}
    expect(page.locator("#rules")).to_have_class(re.compile("tour-target"))
    page.keyboard.press("Enter")  # Next has the focus
    assert facts(page, 2) == {"infosets": len(tree.infosets)}
    expect(get(page, "tour-body")).to_contain_text("Player 0 holds the queen; the line so far: check, bet")
    get(page, "tour-next").click()
    assert facts(page, 3) == {
        "start-check": tables[0]["0:K:"]["current"][0],
        "start-bet": tables[0]["0:K:"]["current"][1],
        "start-exploitability": pytest.approx(exploitability[0], rel=1e-12),
    }
    get(page, "tour-next").click()
    walk = told_walk()
    assert facts(page, 4) == {
        "draw-0": walk["draws"][0],
        "draw-1": walk["draws"][1],
        "walk-step": walk["choice"] + 1,
        "walk-steps": walk["steps"],
    }
    at_iteration(page, 1)
    get(page, "tour-next").click()
    update = walk["update"]
    assert list(facts(page, 5).values()) == update["values"]
    get(page, "tour-next").click()
    key, k = f"{update['player']}:{update['infoset']}", len(update["values"])
    assert facts(page, 6) == {
        **{f"mix-{i}": tables[0][key]["current"][i] for i in range(k)},
        **{f"worth-{i}": update["values"][i] for i in range(k)},
        "mixed": sum(p * v for p, v in zip(tables[0][key]["current"], update["values"])),
        **{f"regret-{i}": tables[1][key]["regret"][i] for i in range(k)},
    }
    get(page, "tour-next").click()
    assert facts(page, 7) == {f"next-{i}": tables[1][key]["current"][i] for i in range(k)}
    expect(get(page, f"card-{key}")).to_have_class(re.compile("tour-target"))
    get(page, "tour-next").click()
    assert facts(page, 8) == {
        "many-iterations": 1000,
        "many-walks": 2000,
        "many-touched": many.touched,
        "first-exploitability": pytest.approx(exploitability[1], rel=1e-12),
        "many-exploitability": pytest.approx(exploitability[1000], rel=1e-12),
    }
    get(page, "tour-next").click()
    assert facts(page, 9) == {
        "many-current": tables[1000]["0:Q:cb"]["current"][1],
        "many-average": tables[1000]["0:Q:cb"]["average"][1],
        "target-low": pytest.approx(1 / 3),
        "target-high": pytest.approx(2 / 3),
    }
    get(page, "tour-next").click()
    assert facts(page, 10) == {
        "last-iterations": 100_000,
        "last-exploitability": pytest.approx(exploitability[100_000], rel=1e-12),
        "last-bluff": tables[100_000]["0:J:"]["average"][1],
        "last-value": pytest.approx(mccfr.expected_value(last.strategy()), rel=1e-9),
        "game-value": pytest.approx(-1 / 18),
    }
    assert shown(page, "game-value") == "−0.05556"
    get(page, "tour-next").click()
    expect(get(page, "tour")).to_be_hidden()
    assert page.locator(".tour-target").count() == 0
    expect(get(page, "tour-open")).to_have_text("Tour")


def told_walk() -> dict[str, Any]:
    """The first iteration as the engine tells it: chance's draws, the walker's choice, the last update of the walk."""
    lane = Lane(scene_of("kuhn"), Method.parse("external"), 1)
    lane.tell()
    walk = lane.trace["walks"][0]["events"]
    chosen = [event for event in walk if event["what"] == "choose"]
    return {
        "draws": [event["q"][event["chosen"][0]] for event in chosen if event["kind"] == "chance"],
        "choice": next(event["n"] for event in chosen if event["player"] == 0),
        "steps": len(steps_of(lane.trace)),
        "update": [event for event in walk if event["what"] == "update"][-1],
    }


@pytest.mark.slow
def test_the_tour_can_be_left_and_resumed(visit):
    page = visit("game=leduc&method=outcome&seed=4", **PHONE, reduced_motion="reduce")
    at_iteration(page, 0)
    get(page, "tour-open").click()
    facts(page, 1)
    page.keyboard.press("ArrowRight")
    facts(page, 2)
    page.keyboard.press("ArrowRight")
    facts(page, 3)
    box = get(page, "tour").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert box["y"] + box["height"] <= 844
    target = page.locator(".tour-target").bounding_box()
    assert target["y"] < box["y"]  # in sight, above the panel
    page.keyboard.press("Escape")
    expect(get(page, "tour")).to_be_hidden()
    expect(get(page, "tour-open")).to_have_text("Tour 3/10")
    page.wait_for_function("!location.hash.includes('tour=')")
    page.reload()
    at_iteration(page, 0)
    expect(get(page, "tour-offer")).to_be_hidden()
    get(page, "tour-open").click()
    facts(page, 3)
    page.wait_for_function("location.hash.includes('tour=3')")
    page.reload()  # in the middle of it: the address has the step
    facts(page, 3)
    page.evaluate("location.hash = 'tour=7'")  # a link followed in an open page
    facts(page, 7)
    page.evaluate("location.hash = 'tour=3'")
    facts(page, 3)
    get(page, "tour-back").click()
    facts(page, 2)
    get(page, "tour-leave").click()
    expect(get(page, "tour")).to_be_hidden()


def test_the_tour_is_offered_once_and_never_forced(visit):
    page = visit("game=kuhn&seed=1")
    expect(get(page, "tour-offer")).to_be_visible()
    expect(get(page, "tour")).to_be_hidden()
    get(page, "tour-decline").click()
    expect(get(page, "tour-offer")).to_be_hidden()
    page.reload()
    at_iteration(page, 0)
    expect(get(page, "tour-offer")).to_be_hidden()


# ---- hands and eyes


@pytest.mark.slow
def test_a_phone_shows_the_tree_and_no_slivers(visit):
    page = visit("game=kuhn&seed=1", **PHONE)
    at_iteration(page, 0)
    tree = get(page, "tree").bounding_box()
    assert tree["y"] < 844 - 200
    assert page.locator("#tree .node-name").first.is_visible()
    for view in VIEWS:
        get(page, f"tab-{view}").click()
        page.wait_for_timeout(150)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, view
        narrow = page.evaluate(
            """[...document.querySelectorAll("select")].filter((one) => one.offsetParent !== null)
                .map((one) => [one.dataset.testid, one.getBoundingClientRect().width])
                .filter(([, width]) => width < 100)"""
        )
        assert narrow == [], view
    get(page, "tab-watch").click()
    clipped = page.evaluate(
        """[...document.querySelectorAll(
            "#status .stat span, #status .stat b, #setup label, #controls button, .top button")].filter(
            (one) => one.offsetParent !== null && one.scrollWidth > one.clientWidth + 1
                && getComputedStyle(one).overflowX !== "visible").map((one) => one.textContent)"""
    )
    assert clipped == []


def test_explaining_the_method_leaves_no_hole(visit):
    page = visit("game=kuhn&seed=1")
    at_iteration(page, 0)
    before = get(page, "game").bounding_box()
    page.locator("#setup summary").click()
    expect(page.locator("#setup details p").first).to_be_visible()
    after = get(page, "game").bounding_box()
    about = get(page, "about").bounding_box()
    assert after == before
    assert 0 <= about["y"] - (after["y"] + after["height"]) < 30
    assert get(page, "status").bounding_box()["y"] - (about["y"] + about["height"]) < 30


@pytest.mark.slow_cases("compare", "converge")
@pytest.mark.parametrize("view", ["converge", "compare"])
def test_titles_of_axes_do_not_touch_their_ticks(visit, view):
    page = visit(f"view={view}&seed=1&curves=cfr")
    if view == "converge":
        at_iteration(page, 0)
        get(page, "curve-length").select_option("10000")
        get(page, "curve-run").click()
    else:
        get(page, "compare-jump-to").fill("100")
        get(page, "compare-jump").click()
    chart = f"#{'curve' if view == 'converge' else 'compare'}-chart"
    page.wait_for_selector(f"{chart} .scatterlayer .trace")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(600)
        touching, ticks, titles = page.evaluate(
            """(chart) => { const box = (one) => one.getBoundingClientRect(), found = [];
                const ticks = [...document.querySelectorAll(`${chart} .xtick text, ${chart} .ytick text`)];
                const names = [".xtitle", ".ytitle", ".legendtext"].map((name) => `${chart} ${name}`).join();
                const titles = [...document.querySelectorAll(names)];
                for (const title of titles) for (const tick of ticks) {
                    const a = box(title), b = box(tick);
                    if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
                        found.push([title.textContent, tick.textContent]); }
                return [found, ticks.length, titles.length]; }""",
            chart,
        )
        assert touching == [], width
        assert ticks > 3
        assert titles >= 2


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ("game=chess&seed=1", "unknown game 'chess'"),
        ("game=kuhn&method=magic", "magic on kuhn"),
        ("seed=abc", "The link's seed “abc” is not a whole number"),
        ("iteration=-3", "The link's iteration “-3” is not a whole number"),
        ("view=nowhere", "There is no view called “nowhere”"),
        ("iteration=2&step=9999", "so step 9999 does not exist"),
        ("infoset=banana", "The link's infoset “banana”"),
    ],
)
def test_a_bad_link_gives_a_sentence_and_a_page_that_works(visit, link, says):
    page = visit(link)
    expect(get(page, "link-notice")).to_contain_text(says)
    expect(get(page, "tree-drawing")).to_be_visible()
    jump(page, 4)
    assert cards(page) == library_cards(mccfr.Solver("kuhn", "external", 1).run(4))
    get(page, "seed").fill("2")
    get(page, "seed").press("Enter")
    expect(get(page, "link-notice")).to_be_hidden()


def test_a_recording_is_honest_about_its_steps_too(visit, tmp_path):
    from mccfr.web.admit import NOTHING
    from mccfr.web.messages import Open
    from mccfr.web.recording import record, write_recording

    file = tmp_path / "kuhn.html"
    write_recording(file, record(Open(type="open", game="kuhn", method="external", seed=6), 12, NOTHING))
    page = visit("", address=file.as_uri(), offline=True)
    at_iteration(page, 0)
    expect(get(page, "rules-text")).to_be_visible()
    expect(get(page, "tour-offer")).to_be_hidden()
    expect(get(page, "tour-open")).to_be_disabled()
    jump(page, 9)
    assert cards(page) == library_cards(mccfr.Solver("kuhn", "external", 6).run(9))
    get(page, "event-0").click()
    expect(get(page, "event-0")).to_have_attribute("aria-current", "true")
    assert cards(page) == library_cards(mccfr.Solver("kuhn", "external", 6).run(8))
    updated = page.evaluate("mccfrPage.views.watch.walk.events.find((event) => event.what === 'update').infoset")
    get(page, f"card-0:{updated}").click()
    expect(get(page, "mathematics")).to_contain_text("has not been updated yet")
    points = page.locator('#learning-curve [data-curve="watched"]').get_attribute("points")
    assert len(points.split(" ")) == 8
