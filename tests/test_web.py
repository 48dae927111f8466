"""The server of the page: what pages are told, that they do not disturb each other, and what it refuses."""

import json
import re
import shutil
import socket
import sys
import threading
import time
from fractions import Fraction
from pathlib import Path

import httpx
import numpy as np
import pytest
from click.testing import CliRunner
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

import mccfr
from mccfr.cli.main import cli
from mccfr.web import connection, frozen, measure, serving, sockets, stock
from mccfr.web.admit import NOTHING, Given, method_of, scene_of
from mccfr.web.clairvoyant import clairvoyant
from mccfr.web.equilibria import BETS, nearest
from mccfr.web.lane import Lane
from mccfr.web.pool import Busy, Pool, Share
from mccfr.web.recording import page_with, record
from mccfr.web.runs_view import find_sources
from mccfr.web.session import Session
from mccfr.web.stock import SharedError, Stock, kernel_of
from mccfr.web.visitors import KnownHosts

PATIENCE = 60  # seconds: kernels may have to be compiled first


class Page:
    """A page as far as the server can tell: it says something and hears answers."""

    def __init__(self, port, **options):
        self.context = connect(f"ws://127.0.0.1:{port}/ws", max_size=None, **options)
        self.socket = self.context.__enter__()
        self.number, self.compiled = 0, False

    def say(self, kind, **facts):
        self.number += 1
        self.socket.send(json.dumps({"type": kind, "id": self.number, **facts}))
        return self.number

    def hear(self, timeout=PATIENCE):
        """What the server says next; that kernels are compiled may come at any time and is left out."""
        while (message := json.loads(self.socket.recv(timeout=timeout)))["type"] == "compiled":
            self.compiled = True
        return message

    def ask(self, kind, **facts):
        """The answer to a message; frames on the way are drawn."""
        number = self.say(kind, **facts)
        while True:
            answer = self.hear()
            if answer["type"] == "frame":
                self.draw(answer)
            if answer.get("id") == number and answer["type"] != "progress":
                return answer

    def draw(self, frame):
        self.socket.send(json.dumps({"type": "ack", "frame": frame["frame"]}))

    def open(self, **wish):
        opened = self.ask("open", **{"game": "kuhn", "method": "external", "seed": 1, **wish})
        assert opened["type"] == "opened", opened
        frame = self.hear()
        self.draw(frame)
        return opened, frame

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()


def start(given=NOTHING, sources=None):
    """A server in a thread of its own, and its port."""
    listener = serving.listening("127.0.0.1", 0)
    ready = threading.Event()
    arguments = (listener, "127.0.0.1", given, sources or find_sources(()), ready.set)
    threading.Thread(target=serving.serve, args=arguments, daemon=True).start()
    assert ready.wait(PATIENCE)
    return listener.getsockname()[1]


@pytest.fixture(scope="module")
def port():
    return start()


@pytest.fixture
def page(port):
    with Page(port) as page:
        yield page


def row(solver, name, player, label):
    infosets = solver.tree.infosets
    j = infosets.find(label, player)
    return solver.state[name][infosets.row[j] : infosets.row[j + 1]].tolist()


# ---- the numbers are the library's


@pytest.mark.parametrize("method", ["external", "cfr"])
def test_frames_have_the_numbers_of_a_solver(page, method):
    page.open(method=method, seed=7)
    for iteration in (1, 10, 1000):
        lane = page.ask("jump", iteration=iteration)["lanes"][0]
        solver = mccfr.solve("kuhn", method, iterations=iteration, seed=7)
        assert lane["iteration"] == iteration
        assert lane["exploitability"] == solver.exploitability()
        assert lane["touched"] == solver.touched
        assert lane["expected_value"] == mccfr.expected_value(solver.strategy())
        for card in lane["cards"]["items"]:
            for name in ("regret", "current"):
                assert card[name] == row(solver, name, card["player"], card["label"])
            assert card["average"] == list(solver.strategy()[card["player"], card["label"]].values())
        assert lane["trace"]["iteration"] == iteration
        assert len(lane["trace"]["walks"]) == 2


def test_stepping_jumping_and_playing_lead_to_the_same_place(page):
    page.open()
    there = page.ask("jump", iteration=500)["lanes"][0]
    back = page.ask("jump", iteration=20)
    assert back["whole"]
    assert back["lanes"][0]["iteration"] == 20
    page.say("play", rate=300)
    while True:
        frame = page.hear()
        page.draw(frame)
        if frame["lanes"][0]["iteration"] > 100:
            break
    assert page.ask("pause")["playing"] is False
    again = page.ask("jump", iteration=500)["lanes"][0]
    assert again["cards"] == there["cards"]
    assert again["trace"] == there["trace"]
    assert [point[0] for point in there["curve"]][:22] == [*range(1, 21), 21, 22]


def test_two_lanes_share_seed_and_iteration(page):
    opened, _ = page.open(method="external", other="cfr")
    assert [lane["title"] for lane in opened["lanes"]] == ["External sampling", "Vanilla CFR"]
    frame = page.ask("step", count=300)
    assert [lane["iteration"] for lane in frame["lanes"]] == [300, 300]
    assert frame["lanes"][1]["exploitability"] == mccfr.solve("kuhn", "cfr", iterations=300).exploitability()


def test_views_choose_cards(page):
    page.open(game="leduc")
    whole = page.ask("view", limit=200)["lanes"][0]["cards"]
    assert (whole["total"], len(whole["items"])) == (936, 200)
    kings = page.ask("view", filter="k:r", player=1, offset=1, limit=2)["lanes"][0]["cards"]
    expected = [label for label in mccfr.uniform("leduc") if "k:r" in label.lower()]
    assert 0 < kings["total"] < len(expected)
    assert len(kings["items"]) == 2
    assert all(card["player"] == 1 and "k:r" in card["label"].lower() for card in kings["items"])
    trace = page.ask("step", count=3)["lanes"][0]["trace"]
    assert trace["walks"][0]["events"][0]["children"] == [1, 2, 3, 4, 5, 6]


def test_an_infoset_is_explained(page):
    page.open()
    trace = page.ask("step", count=40)["lanes"][0]["trace"]
    update = next(e for e in trace["walks"][0]["events"] if e["what"] == "update")
    said = page.ask("infoset", player=0, label=update["infoset"])
    assert said["visits"][0]["values"] == update["values"]
    assert said["expected_sampled"] == pytest.approx(said["true"]["regret"], abs=1e-12)
    assert [step["title"] for step in said["steps"]] == ["Action values", "Regret update", "Regret matching"]
    assert page.ask("infoset", player=0, label="nosuch")["type"] == "error"


def test_the_races_are_run(page, monkeypatch):
    monkeypatch.setattr(measure, "RACES", (("kuhn", 0.05),))
    number = page.say("measure")
    answers = [page.hear()]
    while not answers[-1].get("done"):
        answers.append(page.hear())
    assert {answer["type"] for answer in answers} == {"measured"}
    assert answers[-1]["id"] == number
    rows = answers[-1]["rows"]
    assert [(row["method"], row["kind"], row["reached"]) for row in rows] == [
        ("cfr", "full", True),
        ("external", "sampled", True),
    ]
    solver = mccfr.solve("kuhn", "cfr", target=0.05, iterations=10**6)
    assert rows[0]["iterations"] == solver.iterations
    assert rows[0]["touched"] == solver.touched


@pytest.mark.slow_cases("dealt:leduc-vector")
@pytest.mark.parametrize(("game", "method"), [("dealt:leduc", "vector"), ("dealt:leduc", "cfr")])
def test_dealt_games_play_without_a_walk(page, game, method):
    opened, _ = page.open(game=game, method=method)
    assert opened["game"]["tree"] is None
    lane = page.ask("step", count=5)["lanes"][0]
    assert lane["iteration"] == 5
    assert lane["trace"]["walks"] == []
    assert "no view" in lane["trace"]["note"]
    assert lane["exploitability"] == mccfr.solve(game, method, iterations=5, seed=1).exploitability()
    assert page.ask("noise")["type"] == "error"
    node = page.ask("public", node=1)
    assert (node["iteration"], node["counts"]["histories"], node["form"]) == (5, 9450, "vector")
    assert "there is no node 465" in page.ask("public", node=465)["message"]


# ---- equilibria, and a mistake in measuring them


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 6), Fraction(1, 3)])
def test_the_family_of_equilibria(alpha):
    given = {}
    for label, (start, slope) in BETS.items():
        p = min(1.0, start + slope * float(alpha))
        given[label] = dict(zip(("fold", "call") if label.endswith("b") else ("check", "bet"), (1.0 - p, p)))
    strategy = mccfr.from_dict("kuhn", given)
    assert mccfr.exploitability(strategy) == pytest.approx(0, abs=1e-12)
    found = nearest(strategy.infosets, strategy.probabilities)
    assert found.alpha == pytest.approx(float(alpha), abs=1e-12)
    assert found.distance == pytest.approx(0, abs=1e-12)
    lane = Lane(scene_of("kuhn"), mccfr.Method.parse("cfr"), 1)
    lane.engine.table.average[:] = strategy.probabilities
    said = clairvoyant(lane)
    assert said["cheating_exploitability"] == pytest.approx(5 / 18, abs=1e-12)
    assert said["honest_exploitability"] == pytest.approx(0, abs=1e-12)


def test_a_strategy_off_the_family_is_at_a_distance():
    strategy = mccfr.uniform("kuhn")
    assert nearest(strategy.infosets, strategy.probabilities).distance == pytest.approx(0.5)


# ---- pages and their pace


def test_a_frame_waits_for_the_last_one_to_be_drawn(page):
    page.open()
    page.say("play")
    first = page.hear()
    with pytest.raises(TimeoutError):
        page.hear(timeout=0.6)
    page.draw(first)
    second = page.hear(timeout=5)
    assert second["frame"] == first["frame"] + 1
    with pytest.raises(TimeoutError):
        page.hear(timeout=0.3)


def test_playing_as_fast_as_possible(page):
    page.open()
    page.say("play")
    began, frames, frame = time.monotonic(), 0, None
    while time.monotonic() - began < 1.5:
        frame = page.hear()
        page.draw(frame)
        frames += 1
    assert frame["lanes"][0]["iteration"] > 15_000
    assert 5 <= frames <= 35


def test_a_rate_is_kept(page):
    page.open()
    page.say("play", rate=20)
    began, seen = time.monotonic(), []
    while time.monotonic() - began < 1.5:
        frame = page.hear()
        page.draw(frame)
        seen.append(frame["lanes"][0]["iteration"])
    assert 15 <= seen[-1] <= 35
    assert seen == sorted(seen)


def test_a_long_way_can_be_cut_short(page):
    page.open()
    number = page.say("step", count=10**12)
    progress = page.hear()
    assert (progress["type"], progress["id"], progress["goal"]) == ("progress", number, 10**12)
    began = time.monotonic()
    page.say("pause")
    while (frame := page.hear())["type"] != "frame":
        pass
    assert time.monotonic() - began < 3
    assert frame["interrupted"]
    assert frame["id"] == number
    page.hear()
    assert page.ask("jump", iteration=3)["lanes"][0]["iteration"] == 3


def test_fifty_pages_do_not_disturb_each_other(port):
    pages = [Page(port) for _ in range(50)]
    for one in pages:
        one.open()
    dead, playing, stepping = pages[0], pages[1:6], pages[6:]
    dead.say("play")  # and never says that it has drawn anything
    for one in playing:
        one.say("play")
    stop = threading.Event()

    def draw(one):
        while not stop.is_set():
            try:
                one.draw(one.hear(timeout=0.2))
            except TimeoutError:
                pass

    threads = [threading.Thread(target=draw, args=(one,)) for one in playing]
    for thread in threads:
        thread.start()
    waits = []
    for one in stepping:
        began = time.monotonic()
        assert one.ask("step", count=10)["lanes"][0]["iteration"] == 10
        waits.append(time.monotonic() - began)
    stop.set()
    for thread in threads:
        thread.join()
    assert np.median(waits) < 0.5
    assert max(waits) < 3.0
    solver = mccfr.solve("kuhn", "external", iterations=10, seed=1)
    frame = stepping[-1].ask("view")
    assert frame["lanes"][0]["exploitability"] == solver.exploitability()
    for one in pages:
        one.socket.close()


def test_curves_stay_short():
    lane = Lane(scene_of("kuhn"), mccfr.Method.parse("external"), 1)
    lane.advance(300_000)
    assert 150 < len(lane.curve) < 300
    assert lane.curve[-1][3] < 0.01


# ---- pages that misbehave

sys.path.append(str(Path(__file__).parent.parent / "benchmarks"))
from page_under_attack import KINDS, Lonely, misbehave  # noqa: E402


def test_a_page_is_answered_while_others_misbehave(port, monkeypatch):
    """Short, and without those that have kernels compiled; benchmarks/page_under_attack.py is the whole."""
    named = ("small_messages", "large_messages", "pings", "endless_ways", "bad_frames")
    monkeypatch.setattr("page_under_attack.KINDS", tuple(kind for kind in KINDS if kind.__name__ in named))
    lonely = Lonely(port)
    lonely.ask("open", game="kuhn", method="external", seed=1)
    others = threading.Thread(target=misbehave, args=(port, 5, 2.5, 1))
    others.start()
    lonely.go_on(2.5)
    others.join()
    waits = [wait for kind in lonely.waits.values() for wait in kind]
    assert len(waits) > 10
    assert np.median(waits) < 0.5
    assert max(waits) < 2.0
    lonely.page.close()


def test_a_page_is_read_no_faster_than_pages_speak(page):
    """10,000 messages of 24 bytes: those that fit into what is let in at once, and some a second."""
    page.open()
    texts = [json.dumps({"type": "nosuch"})] * 10_000
    sending = threading.Thread(target=lambda: [page.socket.send(text) for text in texts], daemon=True)
    began, heard = time.monotonic(), 0
    sending.start()
    while (left := began + 1.0 - time.monotonic()) > 0:
        try:
            page.hear(timeout=left)
            heard += 1
        except TimeoutError:
            break
    assert 100 < heard <= (64 + 2 * 8) * 1024 / 24
    page.socket.socket.shutdown(socket.SHUT_RDWR)
    sending.join(5)


def test_work_for_a_page_that_has_gone_ends(port, monkeypatch):
    slices, advance = [], Session.advance
    monkeypatch.setattr(Session, "advance", lambda self, goal: (slices.append(goal), advance(self, goal)))
    with Page(port) as page:
        page.open()
        page.say("step", count=10**12 - 1)
        page.hear()
    time.sleep(0.3)
    count = slices.count(10**12 - 2)
    assert count > 1
    time.sleep(0.3)
    assert slices.count(10**12 - 2) == count


def test_what_goes_wrong_while_playing_is_said_once(page, monkeypatch):
    page.open()

    def refuse(self, goal):
        raise mccfr.MccfrError("no further")

    monkeypatch.setattr(Lane, "_require_near", refuse)
    page.say("play")
    page.draw(page.hear())
    assert page.hear(timeout=5)["message"] == "no further"
    with pytest.raises(TimeoutError):
        page.hear(timeout=0.3)


def test_silent_connections_are_closed(port, monkeypatch):
    monkeypatch.setattr(sockets, "SILENCE", 0.1)
    for said in (b"", b"GET / HT", b"GET /api/about HTTP/1.1\r\nHost: localhost\r\n\r\nGET"):
        with socket.create_connection(("127.0.0.1", port), timeout=5) as plain:
            plain.sendall(said)
            while plain.recv(4096):
                pass


def test_one_connection_too_many_is_cut_off(port, monkeypatch):
    at = f"http://127.0.0.1:{port}/api/about"
    assert httpx.get(at).status_code == 200
    monkeypatch.setattr(sockets, "MOST_CONNECTIONS", 0)
    with pytest.raises(httpx.TransportError):
        httpx.get(at)


def test_laws_inside_laws():
    tree = scene_of("dealt:leduc").tree
    for method in ("vector(own=epsilon_greedy(was(both), 0.1))", "semi_vector(own=outcome)", "public_outcome(0.6)"):
        assert method_of(method, tree).public


def test_so_many_pages_and_no_more(monkeypatch):
    monkeypatch.setattr("mccfr.web.server.MOST_PAGES", 2)
    port = start()
    with Page(port), Page(port) as second:
        with Page(port) as third, pytest.raises(ConnectionClosed, match="2 pages are open"):
            third.hear()
        second.open()
    time.sleep(0.1)
    with Page(port) as again:
        again.open()


def test_threads_go_to_who_has_used_them_least():
    pool, done, wait = Pool(2, spare=1), [], threading.Event()
    greedy, modest = Share(), Share()
    greedy.charge(10.0)
    jobs = [pool.submit(greedy, wait.wait) for _ in range(3)]  # one runs; the other thread is left for the modest
    assert pool.submit(modest, lambda: 5).result(2) == 5
    jobs += [pool.submit(greedy, done.append, "greedy"), pool.submit(modest, done.append, "modest")]
    jobs[-1].result(2)
    assert done == ["modest"]
    wait.set()
    for job in jobs:
        job.result(2)
    assert done == ["modest", "greedy"]
    assert modest.used() < 1.0 < 9.0 < greedy.used()
    pool.end()


def test_only_so_much_may_wait():
    pool, wait = Pool(1, most=2), threading.Event()
    running = pool.submit(Share(), wait.wait)
    while not running.running():
        time.sleep(0.001)
    waiting = [pool.submit(Share(), int) for _ in range(2)]
    with pytest.raises(Busy, match="2 pages are already waiting"):
        pool.submit(Share(), int)
    waiting[0].cancel()  # its page has gone
    assert pool.submit(Share(), int).done() is False
    wait.set()
    pool.end()


def test_memory_is_shared(monkeypatch):
    tables, kuhn, leduc = Stock(), scene_of("kuhn"), scene_of("leduc")
    monkeypatch.setattr(stock, "LITTLE", stock.lane_bytes(kuhn.tree))
    monkeypatch.setattr(stock, "SCENES", {leduc})
    monkeypatch.setattr(stock, "MEMORY", stock.scene_bytes(leduc.tree) + int(2.5 * stock.lane_bytes(leduc.tree)))
    one, other = Session(stock=tables), Session(stock=tables)
    tables.hold(one, leduc, 2)
    with pytest.raises(SharedError, match="leduc needs"):
        tables.hold(other, leduc, 1)
    tables.hold(other, kuhn, 1)
    tables.hold(one, leduc, 2)  # in place of what it had
    tables.release(one)
    tables.hold(other, leduc, 2)


def test_kinds_of_kernels_are_counted(monkeypatch):
    monkeypatch.setattr(stock, "MOST_KERNELS", 2)
    tables, tree = Stock(), scene_of("kuhn").tree

    def use(text):
        with tables.compiling({kernel_of(mccfr.Method.parse(text), tree)}):
            pass

    for text in ("outcome(0.1)", "external", "outcome(0.7)", "outcome"):
        use(text)
    with pytest.raises(SharedError, match="2 kinds"):
        use("outcome+rm_plus")
    assert tables.compiled({kernel_of(mccfr.Method.parse("outcome(0.3)"), tree)})
    assert not tables.compiled({kernel_of(mccfr.Method.parse("outcome"), scene_of("dealt:leduc").tree)})


def test_games_are_forgotten_when_others_come(monkeypatch):
    from mccfr.web import admit

    monkeypatch.setattr(admit, "_SCENES", type(admit._SCENES)())
    monkeypatch.setattr(admit, "KEPT", 2 * stock.scene_bytes(scene_of("kuhn").tree))
    for shift in range(20):
        scene_of(f"matrix([[{shift},2],[3,4]])")
    scene_of("kuhn")
    assert admit.is_built("kuhn")
    assert 1 <= len(admit._SCENES) < 10
    assert scene_of("kuhn") is scene_of(" kuhn ")


class Drawn:
    """As much of a bench as statistics need: walks whose regrets are drawn."""

    def __init__(self):
        self.entries, self.truth = 2, np.array([1.0, 2.0, 0.0, 0.0, 3.0, 4.0])
        self.made = np.random.default_rng(1).normal(size=(100, 6))
        self.next = iter(self.made)

    def batch(self, i, n):
        return next(self.next)


def test_walks_are_made_while_there_is_time(monkeypatch):
    bench = Drawn()
    found = frozen.sampled(bench, 1, 100)
    assert found.samples == 100
    assert found.mean == pytest.approx(bench.made[:, [0, 1, 5]].mean(0))
    assert found.variance == pytest.approx(bench.made[:, [0, 1, 5]].var(0, ddof=1))
    monkeypatch.setattr(frozen, "LONG", 0.0)
    assert frozen.sampled(Drawn(), 1, 100).samples == 2


def test_complaints_are_short(page):
    assert len(page.ask("open", game="kuhn(" + "x" * 290 + ")")["message"]) <= connection.LONGEST_LINE


# ---- what is refused


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "JSON"),
        ("[1, 2]", "message"),
        ("null", "message"),
        ('{"type": "nosuch"}', "nosuch"),
        ('{"type": "step", "count": -1}', "count"),
        ('{"type": "step", "count": 1.5}', "count"),
        ('{"type": "step", "count": true}', "count"),
        ('{"type": "step", "count": 1e400}', "count"),
        ('{"type": "step", "count": "5"}', "count"),
        ('{"type": "step", "count": NaN}', "count"),
        ('{"type": "play", "rate": NaN}', "rate"),
        ('{"type": "play", "rate": 0}', "rate"),
        ('{"type": "jump", "iteration": -3}', "iteration"),
        ('{"type": "jump"}', "iteration"),
        ('{"type": "view", "limit": 100000}', "limit"),
        ('{"type": "noise", "walks": 1000000000}', "walks"),
        ('{"type": "infoset", "player": 3, "label": "K:"}', "player"),
        ('{"type": "infoset", "player": 0, "label": "K:", "lane": 1}', "lane"),
        ('{"type": "public", "node": -1}', "node"),
        ('{"type": "public", "walker": 2}', "walker"),
        ('{"type": "public", "deal": 0.5}', "deal"),
        ('{"type": "public"}', "public trees are shown of dealt games"),
        ('{"type": "step", "count": 1, "surprise": 2}', "surprise"),
        ('{"type": "open", "game": "kuhn", "method": "external", "seed": -1}', "seed"),
        ('{"type": "open", "game": "kuhn", "method": "external", "seed": 9223372036854775808}', "seed"),
        ('{"type": "open", "game": "nosuch"}', "unknown game"),
        ('{"type": "open", "game": 5}', "game"),
        ('{"type": "open", "game": "kuhn(3)"}', "kuhn"),
        ('{"type": "open", "game": "dealt:kuhn(suits=5)"}', "kuhn: suits must be a whole number from 1 to 4, got 5"),
        ('{"type": "open", "method": "nosuch"}', "unknown method"),
        ('{"type": "open", "method": "external+nosuch"}', "nosuch"),
        ('{"type": "open", "method": "lp"}', "cfr_plus"),
        ('{"type": "open", "method": "vector"}', "dealt:kuhn"),
        ('{"type": "open", "game": "goofspiel(8)"}', "too large for the page"),
        ('{"type": "open", "game": "goofspiel(7)", "method": "cfr"}', "too large for the page"),
        ('{"type": "open", "game": "efg:/etc/passwd"}', "built-in"),
        ('{"type": "open", "game": "tests/data/myerson.efg"}', "built-in"),
        ('{"type": "open", "game": "openspiel:kuhn_poker"}', "built-in"),
        ('{"type": "open", "method": "external+static(strategy=\'/etc/passwd\')"}', "call or uniform"),
        ("x" * 2000, "JSON"),
        ("[" * 5000 + "]" * 5000, "JSON"),
        ('{"type": "' + "x" * 9000 + '"}', "tag"),
        ('{"type": "step", "count": ' + "9" * 5000 + "}", "number out of range"),
        ('{"type": "pause", "id": ' + "9" * 5000 + "}", "id"),
        ('{"type": "pause", "id": "' + "x" * 5000 + '"}', "id"),
        ('{"type": "pause", "id": true}', "id"),
        ('{"type": "jump", "iteration": 1000000000000000000}', "iteration"),
        ('{"type": "jump", "iteration": 1e309}', "iteration"),
        ('{"type": "view", "offset": 1000000000000000000}', "offset"),
        ('{"type": "ack", "frame": -1}', "frame"),
        ('{"type": "open", "game": "\\ud800"}', "JSON"),
        ('{"type": "open", "method": "robust(99999999999999999999999)"}', "23 digits"),
        ('{"type": "open", "method": "outcome+probe(1000000000000)"}', "rollouts on kuhn"),
        ('{"type": "open", "method": "outcome+probe(10000, terminals=10000)"}', "rollouts on kuhn, got 100,000,000:"),
        ('{"type": "open", "method": "semi_vector(own=robust(99999999999999999999999))"}', "23 digits"),
        ('{"type": "open", "game": "gp(3,2,9,9)"}', "too large for the page"),
        (
            '{"type": "open", "game": "dealt:leduc", "method": "vector(own=counts(counts(counts(mcs))))"}',
            "at most 2 laws",
        ),
        ('{"type": "open", "game": "dealt:gp(13,4,4,4)"}', "too large for the page"),
        ('{"type": "open", "game": "gp(13,2,2,1)"}', "too large for the page"),
        ('{"type": "open", "game": "nlph(classes=False)"}', "half a minute"),
        ('{"type": "open", "game": "matrix([[1,2],[3,4]],rows=[\'x.py\',\'b\'])"}', "built-in"),
    ],
)
def test_bad_messages_get_one_line_and_the_session_goes_on(page, text, said):
    page.open()
    page.socket.send(text)
    answer = page.hear()
    assert answer["type"] == "error"
    assert said in answer["message"]
    assert "\n" not in answer["message"]
    assert len(answer["message"]) <= 300
    assert len(str(answer.get("id", ""))) <= 100
    assert page.ask("step")["lanes"][0]["iteration"] == 1


def test_a_message_never_runs_a_program(page, tmp_path):
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')\nclass Game: pass\n")
    for game in (f"{trap}:Game", f"{trap}", f"dealt:{trap}:Game"):
        assert page.ask("open", game=game)["type"] == "error"
    assert not (tmp_path / "sprung").exists()


def test_nothing_can_be_asked_before_a_game_is_open(page):
    for kind, facts in (("step", {}), ("play", {}), ("jump", {"iteration": 4}), ("clairvoyant", {}), ("view", {})):
        assert "open" in page.ask(kind, **facts)["message"]


def test_binary_and_oversized_messages(page, port):
    page.open()
    page.socket.send(b"\x00\x01")
    assert "text" in page.hear()["message"]
    assert page.ask("step")["lanes"][0]["iteration"] == 1
    page.socket.send(" " * 70_000)
    with pytest.raises(ConnectionClosed):
        page.hear()
    with Page(port) as other:
        other.open()


def test_other_sites_are_not_answered(port):
    """A page of another site, and one that has pointed its own name at this machine (DNS rebinding)."""
    with pytest.raises(InvalidStatus):
        Page(port, origin="http://evil.example")
    with pytest.raises(InvalidStatus):
        Page(port, additional_headers={"Host": f"evil.example:{port}"}, origin=f"http://evil.example:{port}")
    with pytest.raises(InvalidStatus):
        Page(port, origin=f"http://localhost:{port + 1}")
    with Page(port, origin=f"http://127.0.0.1:{port}") as ours:
        ours.open()
    at = f"http://127.0.0.1:{port}/api/about"
    assert httpx.get(at).status_code == 200
    assert httpx.get(at, headers={"Host": "evil.example"}).status_code == 403
    assert httpx.get(at, headers={"Origin": "http://evil.example"}).status_code == 403


@pytest.mark.parametrize(
    ("served", "host", "origin", "admitted"),
    [
        ("127.0.0.1", "localhost:1", None, True),
        ("127.0.0.1", "[::1]:1", "http://[::1]:1", True),
        ("127.0.0.1", "192.168.0.7:1", None, False),
        ("127.0.0.1", "", None, False),
        ("127.0.0.1", "localhost.evil.example:1", None, False),
        ("127.0.0.1", "localhost:1", "null", False),
        ("127.0.0.1", "localhost:1", "https://localhost:1", False),
        ("192.168.0.7", "192.168.0.7:1", "http://192.168.0.7:1", True),
        ("192.168.0.7", "192.168.0.8:1", None, False),
        ("0.0.0.0", "192.168.0.7:1", "http://192.168.0.7:1", True),
        ("0.0.0.0", "evil.example:1", "http://evil.example:1", False),
        ("0.0.0.0", "192.168.0.7:1", "http://192.168.0.8:1", False),
        ("127.0.0.1", "LocalHost:65535", None, True),
        ("127.0.0.1", "[::1]", None, True),
        ("::", "[fe80::1]:1", None, True),
        *(
            ("0.0.0.0", host, None, False)
            for host in (
                *("[", "]", "[]", "[::1", "::1", "[::1]1", "[::1%25lo]:1", "[::g]:1", "[127.0.0.1", "localhost:", ":1"),
                *(
                    "localhost:x",
                    "localhost:1:1",
                    "localhost:999999",
                    "me@localhost",
                    "localhost/a",
                    "localhost#",
                    "%6c",
                ),
                *(
                    "localhost ",
                    " localhost",
                    "localhost\t",
                    "localhost,localhost",
                    "\u217bocalhost",
                    "l\u00f6calhost",
                    "\0",
                ),
                *("1" * 400, "2130706433x", "1.2.3", "http://localhost"),
            )
        ),
        ("127.0.0.1", "localhost:1", "http://[", False),
        ("127.0.0.1", "localhost:1", "http://localhost:1/", False),
        ("127.0.0.1", "localhost:1", "http://me@localhost:1", False),
        ("127.0.0.1", "localhost:1", " http://localhost:1", False),
    ],
)
def test_who_is_admitted(served, host, origin, admitted):
    headers = [(b"host", host.encode())] + ([(b"origin", origin.encode())] if origin else [])
    assert KnownHosts(None, serving.names_for(served)).admits(headers) is admitted


def test_a_host_said_twice_is_not_believed():
    for twice in (b"host", b"origin"):
        headers = [(b"host", b"localhost:1"), (b"origin", b"http://localhost:1")]
        assert KnownHosts(None).admits(headers)
        assert not KnownHosts(None).admits([*headers, (twice, dict(headers)[twice])])
    assert not KnownHosts(None).admits([])


@pytest.mark.parametrize("host", ["[", "[::1", "a@b", "", "\xff"])
@pytest.mark.parametrize("upgrade", [False, True])
def test_a_broken_host_is_refused_in_one_line(port, host, upgrade):
    key = (
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
        + "A" * 22
        + "=="
    )
    more = f"{key}\r\n" if upgrade else ""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as plain:
        plain.sendall(f"GET /ws HTTP/1.1\r\nHost: {host}\r\n{more}\r\n".encode("latin-1"))
        assert plain.recv(4096).split()[1] in (b"400", b"403")


@pytest.mark.parametrize(
    "path", ["/static/../server.py", "/static/%2e%2e/server.py", "/static//etc/passwd", "/etc/passwd"]
)
def test_no_other_file_is_served(port, path):
    assert httpx.get(f"http://127.0.0.1:{port}{path}").status_code in (404, 405)


def test_everything_comes_from_this_machine(port):
    at = f"http://127.0.0.1:{port}"
    page = httpx.get(at).text
    for name in re.findall(r'(?:src|href)="(static/[^"]+)"', page):
        assert httpx.get(f"{at}/{name}").status_code == 200
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)
    assert len(httpx.get(f"{at}/plotly.js").content) > 1_000_000
    about = httpx.get(f"{at}/api/about").json()
    assert about["version"] == mccfr.__version__
    assert "external+page_rule" in about["exhibits"]
    for game in about["games"]:
        scene_of(game["name"])


# ---- run folders and strategies


@pytest.fixture(scope="module")
def gallery(tmp_path_factory):
    """A server that was given runs, one of them broken, and a strategy."""
    folder = tmp_path_factory.mktemp("runs")
    mccfr.train(folder / "one", "kuhn", "cfr", iterations=300)
    mccfr.train(folder / "two", "kuhn", "cfr", iterations=10)
    (folder / "two" / "run.json").write_text("{broken")
    mccfr.uniform("nlph").save(folder / "hold.mccfr")
    sources = find_sources((str(folder), str(folder / "hold.mccfr")))
    return f"http://127.0.0.1:{start(sources=sources)}", folder


def test_runs_are_shown_also_beside_broken_ones(gallery):
    at, folder = gallery
    one, two = httpx.get(f"{at}/api/runs").json()["runs"]
    assert (one["game"], one["method"], one["status"], one["iterations"]) == ("kuhn", "cfr", "done", 300)
    assert "run.json" in two["error"]
    shown = httpx.get(f"{at}/api/runs/0").json()
    columns = mccfr.Run(folder / "one").metrics()
    assert shown["columns"] == list(columns)
    assert shown["rows"] == [list(values) for values in zip(*(column.tolist() for column in columns.values()))]
    broken = httpx.get(f"{at}/api/runs/1")
    assert broken.status_code == 422
    assert "\n" not in broken.json()["message"]
    for number in (-1, 7, "x", "..%2f..%2fetc"):
        assert httpx.get(f"{at}/api/runs/{number}").status_code in (404, 422)


def test_a_run_is_shown_while_it_goes_on(gallery):
    at, folder = gallery
    before = len(httpx.get(f"{at}/api/runs/0").json()["rows"])
    mccfr.Run(folder / "one").train(iterations=600)
    assert len(httpx.get(f"{at}/api/runs/0").json()["rows"]) > before


def test_strategies_as_table_and_grid(gallery):
    at, folder = gallery
    hold, kuhn, _ = httpx.get(f"{at}/api/runs").json()["strategies"]
    assert (hold["grid"], kuhn["grid"]) == (True, False)
    solved = mccfr.load(folder / "one" / "strategy.mccfr")
    table = httpx.get(f"{at}/api/strategies/{kuhn['id']}", params={"filter": "k:", "player": 0}).json()
    assert [item["label"] for item in table["items"]] == ["K:", "K:cb"]
    assert table["items"][0]["probabilities"] == list(solved["K:"].values())
    grid = httpx.get(f"{at}/api/strategies/{hold['id']}/node").json()
    cells = {cell["hand"]: (cell["row"], cell["column"], cell["possible"]) for cell in grid["cells"]}
    assert len(cells) == 169
    assert cells["AA"] == (0, 0, 6)
    assert cells["AKs"] == (0, 1, 4)
    assert cells["AKo"] == (1, 0, 12)
    assert all(sum(cell["frequency"]) == pytest.approx(1) for cell in grid["cells"])
    assert "has no grid" in httpx.get(f"{at}/api/strategies/{kuhn['id']}/node").json()["refused"]
    assert "nosuch" in httpx.get(f"{at}/api/strategies/0/node", params={"line": "nosuch"}).json()["refused"]


# ---- recordings and the command


def test_a_recording_holds_what_a_solver_does(tmp_path):
    file = tmp_path / "kuhn.html"
    done = CliRunner().invoke(cli, ["watch", "kuhn", "--export", str(file), "--iterations", "200", "--seed", "3"])
    assert done.exit_code == 0, done.output
    page = file.read_text()
    found = re.search(r'<script type="application/json" id="recording">(.*?)</script>', page, re.DOTALL)
    recording = json.loads(found[1].replace("<\\/", "</"))
    last = recording["frames"][-1]["lanes"][0]
    assert last["iteration"] == 200
    assert last["exploitability"] == mccfr.solve("kuhn", "external", iterations=200, seed=3).exploitability()
    assert [frame["lanes"][0]["iteration"] for frame in recording["frames"][:31]] == list(range(31))
    assert any(key.startswith("1/0/") for key in recording["mathematics"])
    assert 'src="/' not in page
    assert '<link rel="stylesheet"' not in page
    assert "data:text/javascript;base64," in page


@pytest.mark.parametrize("label", ["</script><b>", "<!--<script>", "]]>&lt;\u2028\u2029", "<!--"])
def test_a_recording_cannot_end_its_script(label):
    page = page_with({"about": label})
    assert label not in page
    found = re.search(r'id="recording">(.*?)</script>', page, re.DOTALL)
    assert not set("<>&\u2028\u2029") & set(found[1])
    assert json.loads(found[1]) == {"about": label}


def test_every_frame_of_a_recording_is_told():
    from mccfr.web.messages import Open

    recording = record(Open(type="open", method="cfr"), 40, Given())
    assert all(len(frame["lanes"][0]["trace"]["walks"]) == 2 for frame in recording["frames"][1:])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nosuch"], "unknown game"),
        (["kuhn", "leduc"], "one game"),
        (["kuhn", "--method", "nosuch"], "unknown method"),
        (["kuhn", "--other", "lp"], "cfr_plus"),
        (["kuhn", "--method", "external+static('/nosuch.mccfr')"], "/nosuch.mccfr"),
        (["goofspiel(7)"], "too large for the page"),
        (["nosuch.mccfr"], "no such file"),
        (["/nosuch/folder"], "no such folder"),
        (["kuhn", "--export", "x.txt"], ".html"),
        (["kuhn", "--export", "/nosuch/x.html"], "no folder"),
        (["kuhn", "--iterations", "5"], "--export"),
        (["kuhn", "--host", "nosuch.invalid"], "cannot serve"),
        (["kuhn", "--seed", "-1"], "seed"),
    ],
)
def test_the_command_refuses_in_one_line(arguments, said):
    done = CliRunner().invoke(cli, ["watch", "--no-browser", "--port", "0", *arguments])
    assert done.exit_code == 2
    assert said in done.output
    assert done.output.count("\n") == 1


def test_an_empty_folder_is_no_run(tmp_path):
    done = CliRunner().invoke(cli, ["watch", "--no-browser", str(tmp_path)])
    assert (done.exit_code, "contains no run" in done.output) == (2, True)


def test_a_used_port_is_refused_with_a_free_one(port):
    done = CliRunner().invoke(cli, ["watch", "kuhn", "--no-browser", "--port", str(port)])
    assert done.exit_code == 2
    assert re.search(rf"cannot serve at 127.0.0.1:{port}: address already in use; port \d+ is free", done.output)


def test_the_extra_is_asked_for(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "fastapi", None)
    done = CliRunner().invoke(cli, ["watch", "kuhn", "--no-browser"])
    assert done.exit_code == 2
    assert "mccfr[web]" in done.output


def test_what_the_command_line_named_may_be_opened(tmp_path):
    file = tmp_path / "strategy.mccfr"
    mccfr.uniform("kuhn").save(file)
    method = f"external+static('{file}')"
    given, tree = Given((), (method,)), scene_of("kuhn").tree
    assert method_of(method, tree, given).estimator.strategy == str(file)
    with pytest.raises(mccfr.MccfrError, match="call or uniform"):
        method_of(f"outcome+static('{file}')", tree, given)
    shutil.copy(Path(__file__).parent / "data" / "myerson.efg", tmp_path)
    assert len(scene_of(f"{tmp_path}/myerson.efg", Given((f"{tmp_path}/myerson.efg",))).opened["tree"]) > 5
