"""Slumbot's protocol: strings both ways, replies as two clients saw them, and hands against a local stand-in."""

import json
import random
import socket
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from history_examples import random_hands
from slumbot_standin import SlumbotStandin, served

from mccfr.cli.main import cli
from mccfr.playing.agent import Agent, AgentError
from mccfr.playing.agents import make_agent
from mccfr.playing.table import TableError, table_of
from mccfr.protocols.acpc_text import AcpcError, betting_text as acpc_text, read_betting
from mccfr.protocols.phh_files import read_hands
from mccfr.protocols.slumbot import Slumbot, play_slumbot
from mccfr.protocols.slumbot_betting import read_slumbot, slumbot_text
from mccfr.protocols.slumbot_reply import SLUMBOT_TABLE as TABLE, SlumbotError, read_reply, record_of

SCHEMA = json.loads((Path(__file__).parent.parent / "docs" / "json-schema.json").read_text())
SHOWDOWN = json.loads(
    '{"old_action":"b400c/kk/b200b400c/k","action":"b400c/kk/b200b400c/kk","client_pos":1,"hole_cards":["7c","2s"],'
    '"board":["Th","9c","4s","8c","9d"],"bot_hole_cards":["Qc","Tc"],"winnings":-800,"won_pot":-1600,'
    '"session_num_hands":2,"baseline_winnings":-750,"session_total":-1200,"session_baseline_total":-750}'
)
FOLD = json.loads(
    '{"old_action":"b200c/kb200c/","action":"b200c/kb200c/b400f","client_pos":0,"hole_cards":["Ac","8d"],'
    '"board":["Ks","Ts","4h","6d"],"bot_hole_cards":["Jc","3s"],"winnings":400,"won_pot":1200,'
    '"session_num_hands":13,"baseline_winnings":800,"session_total":-800,"session_baseline_total":600}'
)


def test_the_hand_that_is_known_in_both_notations():
    slumbot, acpc = "b250c/kb333c/kk/b917f", "r250c/cr583c/cc/r1500f"
    moves = read_slumbot(TABLE, slumbot)
    assert acpc_text(TABLE, moves) == acpc
    assert read_betting(TABLE, acpc).moves == moves
    assert slumbot_text(TABLE, moves) == slumbot


@pytest.mark.parametrize(
    "text", ["b20000c///", "b20000c", "b200c/kb19800c//", "ck/kk/kk/b19900c", "", "ck/", "ck", "f"]
)
def test_all_ins_and_unfinished_streets(text):
    moves = read_slumbot(TABLE, text)
    written = slumbot_text(TABLE, moves)
    assert written.rstrip("/") == text.rstrip("/")
    assert read_slumbot(TABLE, written) == moves
    assert read_betting(TABLE, acpc_text(TABLE, moves)).moves == moves


@pytest.mark.parametrize(
    "text",
    [
        "k",
        "b100c",
        "b199",
        "b20001",
        "cc",
        "ckk",
        "c/k",
        "b200c//k",
        "/",
        "fc",
        "b200c/k/",
        "b",
        "x",
        "b20000c////",
        "f/",
    ],
)
def test_betting_that_cannot_be(text):
    with pytest.raises(TableError, match="betting"):
        read_slumbot(TABLE, text)


@pytest.mark.parametrize("text", ["r100c", "r20001", "ccc", "r250c/fr", "r250c/r300", "r", "k"])
def test_betting_of_acpc_that_cannot_be(text):
    with pytest.raises(AcpcError, match="betting"):
        read_betting(TABLE, text)


@pytest.mark.parametrize("limit", [True, False])
def test_every_hand_goes_both_ways(limit):
    for hand in random_hands(3, 150, limit):
        assert read_betting(hand.table, acpc_text(hand.table, hand.moves)).moves == hand.moves
        if not limit:
            assert read_slumbot(hand.table, slumbot_text(hand.table, hand.moves)) == hand.moves


def test_betting_on_the_wire_of_acpc():
    """Strings that the dealer of the annual competition sent: a limit hand, a no-limit hand, an all-in."""
    limit = table_of("holdem(limit(blinds='5 10', bets='10 10 20'))")
    assert acpc_text(limit, limit.at("r20c/kb10c/kk/kb20c")[1]) == "rc/crc/cc/crc"
    assert acpc_text(TABLE, TABLE.at("r8523c/kb464c/kk/kk")[1]) == "r8523c/cr8987c/cc/cc"
    assert acpc_text(TABLE, TABLE.at("r9215r19106a20000c")[1]) == "r9215r19106r20000c///"


@pytest.mark.parametrize(("given", "chips"), [(SHOWDOWN, -800), (FOLD, 400)])
def test_replies_as_they_were_seen(given, chips):
    reply = read_reply(given)
    assert (reply.winnings, reply.baseline) == (chips, given["baseline_winnings"])
    record = record_of(reply, ("us", "bot"))
    assert record.chips[reply.seat] == chips
    assert record.names[reply.seat] == "us"
    assert slumbot_text(TABLE, reply.moves) == given["action"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"winnings": 800}, r"winnings are \+800, but betting and cards come to -800"),
        ({"winnings": None}, "no winnings, but the hand is over"),
        ({"winnings": "many"}, "winnings must be a whole number"),
        ({"winnings": True}, "winnings must be a whole number"),
        ({"action": "b400c/kk/b200b400c/k"}, "there are winnings, but nobody has won"),
        ({"action": "b400c/kk/b200b300c/kk"}, "character 14: cannot raise 300 now: expected fold, call, 400 to 19600"),
        ({"action": "b400c/kk/"}, "5 cards on the board after 'b400c/kk/', expected 4"),
        ({"action": 7}, "action must be text"),
        ({"action": "b" * 9999}, "expected at most 600"),
        ({"client_pos": 2}, "client_pos must be 0 or 1"),
        ({"hole_cards": ["7c"]}, "hole_cards has 1 cards, expected 2"),
        ({"hole_cards": ["7c", "Th"]}, "Th is there twice"),
        ({"hole_cards": ["7c", "1s"]}, "'1s' is not a card"),
        ({"hole_cards": 5}, "hole_cards must be cards"),
        ({"bot_hole_cards": ["7d"]}, "bot_hole_cards has 1 cards"),
        ({"board": ["Th", "9c", "4s"]}, "3 cards on the board"),
        ({"error_msg": "Illegal bet\nsize"}, r"the server says: Illegal bet\\nsize"),
    ],
)
def test_replies_that_cannot_be_right(change, said):
    with pytest.raises(SlumbotError, match=said):
        read_reply({**SHOWDOWN, **change})


def test_hands_against_the_standin():
    """Every result, both seats, tokens that change, and a bot that raises anything and folds at once."""
    standin = SlumbotStandin(seed=4)
    with served(standin) as url:
        played = list(play_slumbot(make_agent("random", TABLE), Slumbot(url), 120, seed=2))
    assert [hand.winnings for hand in played] == standin.results
    assert [hand.baseline for hand in played] == [won // 2 for won in standin.results]
    assert {hand.seat for hand in played} == {0, 1}
    assert len({hand.hand.line for hand in played}) > 60
    assert all(hand.hand.chips[hand.seat] == hand.winnings for hand in played)
    tokens = [document.get("token") for _, document in standin.asked]
    assert tokens == [None, *(f"token-{number}" for number in range(1, len(tokens)))]


def test_an_agent_sees_every_move_in_order():
    class Listener(Agent):
        name = "listener"

        def __init__(self):
            self.lines, self.ends = [], []

        def start(self, seen, dice):
            assert seen.state == TABLE.start
            self.lines.append([])

        def see(self, seen):
            assert len(seen.board) >= TABLE.board_size(seen.state.street)
            self.lines[-1].append(seen.state.line)

        def move(self, seen):
            return seen.legal.moves[-1]

        def end(self, seen, result):
            self.ends.append((seen.moves, result))

    agent, standin = Listener(), SlumbotStandin(seed=9)
    with served(standin) as url:
        played = list(play_slumbot(agent, Slumbot(url), 20))
    for hand, lines, (moves, result) in zip(played, agent.lines, agent.ends, strict=True):
        assert [TABLE.at(line)[1] for line in lines] == [hand.hand.moves[:count] for count in range(1, len(moves) + 1)]
        assert result.chips == hand.winnings
        assert bool(result.holes[1 - hand.seat]) == ("f" not in hand.hand.line)


def test_replies_replayed_by_the_standin():
    begin = {"action": "", "client_pos": 1, "hole_cards": ["7c", "2s"], "board": [], "token": "t1"}
    middle = {**begin, "action": "b400c/k", "board": ["Th", "9c", "4s"], "token": "t2"}
    with served(standin := SlumbotStandin(scripts=[begin, middle, SHOWDOWN])) as url:
        server = Slumbot(url)
        first = server.new_hand()
        second = server.act(first, TABLE.raise_to(first.state, 400))
        moves = read_slumbot(TABLE, SHOWDOWN["action"])
        third = server.act(second, moves[3])
        assert (third.winnings, server.token) == (-800, "t2")
    assert [document.get("incr") for _, document in standin.asked] == [None, "b400", "k"]


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ({"hole_cards": ["7c", "3s"]}, "our seat or cards have changed"),
        ({"action": "b500c/k"}, "do not go on where they were"),
        ({"action": "b400"}, "0 cards|3 cards on the board"),
        ({"action": "b400c/", "board": ["Th", "9c", "4s"]}, "it is the bot's own turn"),
        ([], "expected a JSON object"),
        (b"<html>", "the reply is not JSON"),
        (b"[" * 60000, "the reply is not JSON"),
        (b" " * 70000, "more than 65,536 bytes"),
        ({"token": 5}, "token must be text"),
        ({"error_msg": "no such token"}, "the server says: no such token"),
    ],
)
def test_what_does_not_follow_is_refused(after, said):
    begin = {"action": "", "client_pos": 1, "hole_cards": ["7c", "2s"], "board": [], "token": "t1"}
    middle = {**begin, "action": "b400c/k", "board": ["Th", "9c", "4s"], "token": "t2"}
    reply = {**middle, **after} if isinstance(after, dict) else after
    with served(standin := SlumbotStandin(scripts=[begin, reply])) as url:
        server = Slumbot(url)
        first = server.new_hand()
        with pytest.raises(SlumbotError, match=said) as caught:
            server.act(first, TABLE.raise_to(first.state, 400))
    assert len(standin.asked) == 2, "act is never sent again"
    assert "\n" not in str(caught.value)


def test_a_lost_connection():
    """new_hand is tried three times where nobody listens, act once."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{free.getsockname()[1]}"
    server = Slumbot(nobody, pause=0.0)
    with pytest.raises(SlumbotError, match=r"new_hand: no connection to http.*refused"):
        server.new_hand()
    asked, begin = [], {"action": "", "client_pos": 1, "hole_cards": ["7c", "2s"], "board": [], "token": "t1"}
    server._post = lambda name, document: asked.append(name) or begin if len(asked) > 1 else _lost(asked, name)
    first = server.new_hand()
    assert asked == ["new_hand"] * 3
    server._post = lambda name, document: _lost(asked, name)
    with pytest.raises(SlumbotError, match="act: gone"):
        server.act(first, TABLE.raise_to(first.state, 400))
    assert asked == ["new_hand"] * 3 + ["act"]


def _lost(asked, name):
    from mccfr.protocols.slumbot import _NotConnected

    asked.append(name)
    raise _NotConnected("gone")


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x", "slumbot.com", "http://"])
def test_other_addresses_are_refused(url):
    with pytest.raises(SlumbotError, match="is no address of a server"):
        Slumbot(url)


def test_the_command(tmp_path):
    standin = SlumbotStandin(seed=6)
    (tmp_path / "password").write_text("secret\n")
    out = tmp_path / "hands.phhs"
    words = ["slumbot", "always_call", "--hands", "30", "--user", "ann", "--password-file", str(tmp_path / "password")]
    with served(standin) as url:
        done = CliRunner().invoke(cli, [*words, "--url", url, "--out", str(out), "--json"])
        document = json.loads(done.stdout)
        assert done.exit_code == 0
        jsonschema.validate(document, SCHEMA)
        assert document["winnings"]["chips"] == sum(standin.results)
        beyond = sum(won - won // 2 for won in standin.results)
        assert document["beyond_baseline"]["chips"] == beyond
        assert document["winnings"]["mbb_mean"] == pytest.approx(10 * sum(standin.results) / 30)
        assert len(read_hands(out).hands) == 30
        shown = CliRunner().invoke(cli, ["slumbot", "always_fold", "--hands", "5", "--url", url])
        assert "beyond baseline" in shown.stdout
        wrong = CliRunner().invoke(cli, [*words[:-1], __file__, "--url", url])
        assert wrong.exit_code == 2


def test_a_server_that_fails_loses_no_hand(tmp_path):
    begun = []

    def fail_in_the_fourth_hand(name, reply):
        begun.append(name)
        return {"error_msg": "out of order"} if begun.count("new_hand") == 4 else reply

    out = tmp_path / "hands.phhs"
    with served(SlumbotStandin(seed=6, spoil=fail_in_the_fourth_hand)) as url:
        words = ["slumbot", "always_call", "--hands", "9", "--url", url, "--out", str(out), "--json"]
        done = CliRunner().invoke(cli, words)
    document = json.loads(done.stdout)
    jsonschema.validate(document, SCHEMA)
    assert (done.exit_code, document["hands"], len(read_hands(out).hands)) == (2, 3, 3)
    assert document["error"] == "new_hand: the server says: out of order"
    assert "out of order" in done.stderr


def test_an_agent_of_other_stacks_is_refused():
    with pytest.raises(AgentError, match="which is not"):
        make_agent("blueprint:nolimit", TABLE)
    done = CliRunner().invoke(cli, ["slumbot", "blueprint:nolimit", "--url", "http://127.0.0.1:1"])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)


def test_spoilt_replies_are_read_or_refused():
    """Whatever of a reply is deleted or exchanged: a reply or one line."""
    dice = random.Random(8)
    junk = [None, 0, -1, 1e9, "", "AsAs", "b200", [], ["As"], {}, True, "k" * 50]
    for _ in range(500):
        given = dict(dice.choice([SHOWDOWN, FOLD]))
        for _ in range(dice.randint(1, 3)):
            given[dice.choice(list(given))] = dice.choice(junk)
        try:
            read_reply(given)
        except SlumbotError as error:
            message = str(error)
            assert "\n" not in message
