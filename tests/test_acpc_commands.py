"""`mccfr acpc`, `acpc-script` and `acpc-dealer`: whole matches, also with programs in other processes, and mistakes."""

import json
import os
import stat
import subprocess
import sys
import warnings
from pathlib import Path

import jsonschema
import pokerkit
import pytest
from acpc_peers import TABLES, InThread
from click.testing import CliRunner

import mccfr
from mccfr.cli.main import cli
from mccfr.playing.agents import make_agent
from mccfr.playing.table import table_of
from mccfr.protocols import acpc_players
from mccfr.protocols.acpc_agent import RemoteAgent
from mccfr.protocols.acpc_client import play_over_acpc
from mccfr.protocols.acpc_dealer import Plan, deal_match
from mccfr.protocols.acpc_log import read_log
from mccfr.protocols.acpc_text import AcpcError
from mccfr.protocols.acpc_wire import Listener

ROOT = Path(__file__).parent.parent
SCHEMA = json.loads((ROOT / "docs" / "json-schema.json").read_text())
RANDOM_CLIENT = ROOT / "benchmarks" / "acpc_random_client.py"
LIMIT = "holdem(limit(bets='10 10 20', blinds='5 10'))"
NOLIMIT = "holdem(nolimit(stack=20000, blinds='50 100', bet='a'))"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # for programs that are started
    return tmp_path


def run(*words, code=0):
    result = CliRunner().invoke(cli, [str(word) for word in words])
    assert result.exit_code == code, result.output
    return result


def document(*words, code=0):
    found = json.loads(run(*words, "--json", code=code).stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    return found


def executable(path, text):
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def random_client(folder, game):
    """A program of two words that only knows the protocol and a game definition."""
    mccfr.write_gamedef(game, folder / "game.game")
    words = f'{sys.executable} {RANDOM_CLIENT} "$1" "$2" {folder}/game.game 3'
    return executable(folder / "client.sh", f"#!/bin/sh\nexec {words}\n")


def test_two_agents_of_ours(folder):
    words = ("acpc-dealer", LIMIT, "ann=always_call", "bob=random", "--hands", 30, "--seed", 4)
    result = run(*words, "--log", "a.log")
    lines = Path("a.log").read_text().splitlines()
    assert result.stdout == f"0 0\n{lines[-1]}\n"
    assert lines[:4] == [
        f"# name/game/hands/seed a {LIMIT.replace(' ', '')} 30 4",
        *("#--t_response 600000", "#--t_hand 600000", "#--t_per_hand 7000"),
    ]
    assert [line.rpartition(":")[2] for line in lines[4:7]] == ["ann|bob", "bob|ann", "ann|bob"]
    assert len(lines) == 35
    run(*words, "--log", "b.log")
    assert Path("b.log").read_text().replace(" b ", " a ", 1) == Path("a.log").read_text()
    run(*words[:-1], 5, "--log", "c.log")
    assert Path("c.log").read_text().splitlines()[4:] != lines[4:]
    log = read_log(TABLES["limit"], "a.log")
    found = document(*words)
    assert [player["chips"] for player in found["players"]] == list(log.score.chips)


def test_the_same_seed_gives_the_same_cards_to_other_players(folder):
    for name, agent in (("a", "always_call"), ("b", "random")):
        run("acpc-dealer", LIMIT, f"ann={agent}", "bob=always_call", "--hands", 10, "--seed", 1, "--log", f"{name}.log")
    one, other = (read_log(TABLES["limit"], f"{name}.log").hands for name in "ab")
    assert [hand.holes for hand in one] == [hand.holes for hand in other]
    for a, b in zip(one, other):
        assert a.board[: len(b.board)] == b.board


@pytest.mark.parametrize("hands", [6, 8])
def test_a_duplicate_match_exchanges_seats(folder, hands):
    run("acpc-dealer", LIMIT, "ann=always_call", "bob=always_call", "--hands", hands, "--duplicate", "--log", "a.log")
    log = read_log(TABLES["limit"], "a.log")
    assert log.score.chips == (0.0, 0.0)
    half = hands // 2
    for first, again in zip(log.hands[:half], log.hands[half:]):
        assert (first.holes, first.board, first.names) == (again.holes, again.board, again.names[::-1])
    assert [hand.names[0] for hand in log.hands[:half]] == (["ann", "bob"] * half)[:half]
    assert len({hand.holes for hand in log.hands}) == half


@pytest.mark.parametrize("kind", ["limit", "nolimit"])
def test_a_client_that_only_knows_the_protocol(folder, kind):
    """200 hands in another process: no illegal action, and pokerkit gives the chips of every hand of the log."""
    client = random_client(folder, {"limit": LIMIT, "nolimit": NOLIMIT}[kind])
    words = ("acpc-dealer", "gamedef:game.game", "bot=random", f"other=exe:{client}", "--hands", 200, "--log", "a.log")
    found = document(*words, "--seed", 2)
    assert (found["hands"], found["ended"]) == (200, None)
    assert all(player[fault] == 0 for player in found["players"] for fault in ("invalid", "resized", "ignored"))
    log = read_log(TABLES[kind], "a.log")
    assert list(log.score.chips) == [player["chips"] for player in found["players"]]
    if kind == "limit":
        game = pokerkit.FixedLimitTexasHoldem((), True, 0, (5, 10), 10, 20)
    else:
        game = pokerkit.NoLimitTexasHoldem((), True, 0, (50, 100), 100)
    won = {"bot": 0, "other": 0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = Path("a.log").read_text()
        for record, history in zip(
            log.hands, pokerkit.HandHistory.from_acpc_protocol(game, 20000, text, error_status=True), strict=True
        ):
            *_, last = history
            chips = [stack - 20000 for stack in last.stacks]
            assert chips == list(record.chips)
            for name, more in zip(history.players, chips):
                won[name] += more
    assert (won["bot"], won["other"]) == log.score.chips


def test_two_programs_connect_to_the_ports_that_are_printed(folder):
    mccfr.write_gamedef(NOLIMIT, "game.game")
    words = [
        "acpc-dealer",
        "gamedef:game.game",
        "ann",
        "bob",
        "--hands",
        "20",
        "--log",
        "a.log",
        "--start-limit",
        "120",
    ]
    with subprocess.Popen([sys.executable, "-m", "mccfr", *words], stdout=subprocess.PIPE, text=True) as dealer:
        ports = dealer.stdout.readline().split()
        clients = [
            subprocess.Popen([sys.executable, str(RANDOM_CLIENT), "127.0.0.1", port, "game.game", str(seed)])
            for seed, port in enumerate(ports)
        ]
        assert dealer.stdout.readline().startswith("SCORE:")
        assert [each.wait(120) for each in (*clients, dealer)] == [0, 0, 0]
    assert len(read_log(TABLES["nolimit"], "a.log").hands) == 20


def test_the_blueprint_over_tcp_in_other_chips(folder):
    """Our client on one side, our dealer on the other; stacks of 100 big blinds in chips of ten."""
    table = table_of("holdem(nolimit(stack=2000, blinds='10 20', bet='a'))")
    listener = Listener()
    remote = RemoteAgent("bot", listener, hands=12)
    client = InThread(
        lambda: play_over_acpc(make_agent("blueprint:nolimit", table), table, "127.0.0.1", listener.port, seed=1)
    )
    found = deal_match(table, [remote, make_agent("random", table)], ("bot", "random"), Plan(12, 3))
    remote.close()
    assert (found.hands, found.ended) == (12, "")
    sat = client.result()
    assert (sat.hands, sat.chips, sat.ended) == (12, found.chips[0], "")
    assert (remote.faults.invalid, remote.faults.resized, remote.faults.ignored) == (0, 0, 0)


def test_the_script_that_dealers_call(folder):
    """In a folder with spaces and quotes; the script works from anywhere."""
    odd = folder / "it's a $HOME folder"
    odd.mkdir()
    os.chdir(odd)
    mccfr.write_gamedef(LIMIT, "my game.game")
    words = ("acpc-script", "always_call", "bot.sh", "--game", "gamedef:my game.game", "--seed", 3)
    assert document(*words)["file"] == "bot.sh"
    assert run(*words).stdout.startswith("wrote bot.sh: always_call at <Table: limit, blinds 5 10")
    os.chdir(folder)
    done = subprocess.run([odd / "bot.sh", "onlyhost"], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("usage: ")
    assert "HOST PORT" in done.stderr
    words = ("acpc-dealer", LIMIT, f"bot=exe:{odd}/bot.sh", "other=random", "--hands", 10, "--log", "a.log")
    found = document(*words)
    assert (found["hands"], found["ended"]) == (10, None)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ann", "ann"), "both players are called ann"),
        (("a b", "bob"), "player 'a b': expected NAME, NAME=AGENT or NAME=exe:PATH"),
        (("a|b", "bob"), "player 'a|b': expected NAME"),
        (("ann=", "bob"), "expected an agent or exe:PATH after '='"),
        (("ann=exe:", "bob"), "expected an agent or exe:PATH after '='"),
        (("ann=nobody", "bob"), "no agent 'nobody'"),
        (("ann=blueprint:nolimit", "bob"), "which is not <Table: limit"),
        (("ann=exe:./none", "bob"), "cannot start ./none: it is not a file that may be executed"),
        (("ann", "bob", "--hands", "3", "--duplicate"), "an even number in a duplicate match"),
        (("ann", "bob", "--ports", "1"), "'1' is not two ports, as 5000,5001"),
        (("ann", "bob", "--ports", "1,99999"), "is not two ports"),
        (("ann", "bob", "--log", "none/a.log"), "there is no folder none"),
        (("ann", "bob", "--host", "no.such.host.invalid"), "cannot wait for a client at no.such.host.invalid"),
        (("ann", "bob", "--response-limit", "0"), "too short"),
    ],
)
def test_mistakes_at_the_dealer(folder, words, said):
    result = run("acpc-dealer", LIMIT, *words[:2], "--hands", "2", *words[2:], code=2)
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.output


def test_a_program_that_fails(folder):
    executable(folder / "bad.sh", "#!/bin/sh\nexit 7\n")
    words = ("acpc-dealer", LIMIT, "bad=exe:./bad.sh", "bob=always_call", "--hands", "2", "--log", "a.log")
    result = run(*words, code=2)
    assert "mccfr: error: bad: ./bad.sh ended with exit code 7 without playing\n" in result.stderr
    assert result.stdout.count("\n") == 1  # the ports; no score
    assert Path("a.log").read_text().splitlines()[-1].startswith("# ended after 0 of 2 hands: bad")
    found = document(*words, code=2)
    assert found["ended"].startswith("bad: ./bad.sh ended")
    assert found["hands"] == 0


def test_a_program_that_is_slow_to_speak(folder):
    """It connects at once and says its version later: only programs that have not connected are looked at."""
    text = (
        f"#!{sys.executable}\nimport socket, sys, time\n"
        "c = socket.create_connection((sys.argv[1], int(sys.argv[2])))\n"
        "time.sleep(0.7)\nc.sendall(b'VERSION:2.0.0\\r\\n')\n"
        "for line in c.makefile():\n    c.sendall((line.strip() + ':c\\r\\n').encode())\n"
    )
    executable(folder / "slow.py", text)
    found = document("acpc-dealer", LIMIT, "slow=exe:./slow.py", "bob=always_call", "--hands", "2")
    assert (found["hands"], found["ended"]) == (2, None)
    assert found["players"][0]["ignored"] > 0  # it answers where nothing was asked


def test_a_program_that_does_not_end_is_ended(folder, monkeypatch):
    monkeypatch.setattr(acpc_players, "FAREWELL", 0.3)
    text = f'#!/bin/sh\n{sys.executable} {RANDOM_CLIENT} "$1" "$2" game.game\nexec sleep 600\n'
    executable(folder / "slow.sh", text)
    mccfr.write_gamedef(LIMIT, "game.game")
    run("acpc-dealer", LIMIT, "slow=exe:./slow.sh", "bob=always_call", "--hands", "2")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("always_call", "127.0.0.1", "1"), "always_call plays at any table: say at which, as in --game"),
        (("always_call", "127.0.0.1", "1", "--game", "kuhn"), "is not whole hold'em"),
        (("always_call", "127.0.0.1", "0", "--game", LIMIT), "0 is not in the range"),
        (("nobody", "127.0.0.1", "1", "--game", LIMIT), "no agent 'nobody'"),
        (("always_call", "127.0.0.1", "1", "--game", LIMIT), "cannot connect to 127.0.0.1, port 1: Connection refused"),
        (("always_call", "127.0.0.1", "1", "--game", "gamedef:none.game"), "none.game"),
    ],
)
def test_mistakes_at_the_client(folder, words, said):
    result = run("acpc", *words, code=2)
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_what_the_client_reports(folder):
    listener = Listener()
    remote = RemoteAgent("bot", listener, hands=5)
    dealt = InThread(
        lambda: deal_match(TABLES["limit"], [remote, make_agent("random", TABLES["limit"])], ("bot", "r"), Plan(5, 1))
    )
    closing = InThread(lambda: (dealt.join(20), remote.close()))
    found = document("acpc", "always_call", "127.0.0.1", listener.port, "--game", LIMIT)
    closing.result()
    assert (found["hands"], found["ended"], found["chips"]) == (5, None, dealt.result().chips[0])


def test_a_dealer_that_goes_away_is_an_error_with_what_was_played(folder):
    listener = Listener()
    remote = RemoteAgent("bot", listener, hands=5)

    def three_hands():
        found = deal_match(TABLES["limit"], [remote, make_agent("random", TABLES["limit"])], ("bot", "r"), Plan(3, 1))
        remote.wire.send("MATCHSTATE:0:3::Kd6s|")
        remote.close()
        return found

    dealer = InThread(three_hands)
    result = run("acpc", "always_call", "127.0.0.1", listener.port, "--game", LIMIT, code=2)
    dealer.result()
    assert "hands  3 in " in result.stdout
    assert "has closed the connection in the middle of a hand, after 3 others" in result.stderr


def test_a_plan_of_no_hands():
    with pytest.raises(AcpcError, match="a match of 0 hands: expected 1 or more"):
        Plan(0, 1)
