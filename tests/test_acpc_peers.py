"""ACPC over TCP: recorded matches byte by byte on both sides, and peers that misbehave."""

import random
import socket
import sys
import time
import types
from pathlib import Path

import pytest
from acpc_peers import TABLES, InThread, Scripted, accepted, receive, server, transcript
from pokerkit import StandardHighHand

from mccfr.betting.lines import OVER
from mccfr.playing.agent import AgentError
from mccfr.playing.agents import make_agent
from mccfr.playing.played_hand import deal_cards, play_hand
from mccfr.protocols import acpc_agent, acpc_dealer
from mccfr.protocols.acpc_agent import RemoteAgent, TimeLimits
from mccfr.protocols.acpc_client import play_over_acpc
from mccfr.protocols.acpc_dealer import Plan, deal_match
from mccfr.protocols.acpc_text import LONGEST, AcpcError, read_state
from mccfr.protocols.acpc_wire import Listener, PeerError, Wire

LIMIT, NOLIMIT = TABLES["limit"], TABLES["nolimit"]
VERSION = b"VERSION:2.0.0\r\n"
PATIENT = TimeLimits(response=20.0, hand=60.0, average=60.0, start=20.0)
QUICK = TimeLimits(response=0.4, hand=60.0, average=60.0, start=1.5)


def replay(connection, said, own):
    """Say our lines of a recorded match and compare what the other side says, byte for byte."""
    for who, line in said:
        if who == own:
            connection.sendall(line)
        else:
            assert receive(connection, len(line)) == line
    if own == "<-":
        connection.close()
    return True


@pytest.mark.parametrize("kind", TABLES)
def test_our_client_in_a_recorded_match(kind):
    listening, port = server()
    dealer = InThread(lambda: replay(accepted(listening), transcript(kind), "<-"))
    found = play_over_acpc(make_agent("always_call", TABLES[kind]), TABLES[kind], "127.0.0.1", port, patience=10)
    assert dealer.result()
    assert (found.hands, found.ended) == (2, "")
    assert found.chips == sum(pokerkits_chips(state, TABLES[kind]) for state in last_states(kind))


def pokerkits_chips(state, table):
    """What the player who is told wins at this showdown, by pokerkit's order of hands."""
    name = table.deck.card_name
    board = "".join(map(name, state.board))
    hands = [StandardHighHand.from_game("".join(map(name, hole)), board) for hole in state.holes]
    mine, other = hands[state.position], hands[1 - state.position]
    return ((mine > other) - (mine < other)) * min(state.betting.state.stakes)


def last_states(kind):
    states = [read_state(TABLES[kind], line.decode().strip()) for who, line in transcript(kind) if who == "<-"]
    return [state for state in states if state.over]


@pytest.mark.parametrize("kind", TABLES)
def test_our_dealer_in_a_recorded_match(kind):
    """The recorded client is the second player; the first one and the cards are taken from the last states."""
    table, listener = TABLES[kind], Listener()
    remote = RemoteAgent("recorded", listener)

    def client():
        with socket.create_connection(("127.0.0.1", listener.port), 10) as connection:
            return replay(connection, transcript(kind), "->") and connection.recv(1)

    peer = InThread(client)
    for number, last in enumerate(last_states(kind)):
        moves, s = [], table.start
        for move in last.betting.moves:
            moves += [move] if s.mover != last.position else []
            s = table.play(s, move)
        seats = [Scripted(moves), Scripted(moves)]
        seats[last.position] = remote
        record = play_hand(table, seats, (*last.holes[0], *last.holes[1], *last.board), [random.Random()] * 2, number)
        assert record.moves == last.betting.moves
    remote.close()
    assert peer.result() == b""  # nothing after the last state
    assert (remote.faults.invalid, remote.faults.resized, remote.faults.ignored) == (0, 0, 0)


class Peer:
    """A client of our dealer that does as it is told, line by line."""

    def __init__(self, port):
        self.connection = socket.create_connection(("127.0.0.1", port), 10)
        self.lines = self.connection.makefile("rb")

    def states(self, table, answer, hands):
        """Answer every state of ours with what `answer(state)` gives until so many hands are over."""
        over = 0
        while over < hands:
            line = self.lines.readline()
            if not line:
                return
            state = read_state(table, line.decode().strip())
            over += state.over
            if state.betting.state.mover == state.position:
                for each in answer(state):
                    self.connection.sendall(
                        each if isinstance(each, bytes) else line.strip() + b":" + each.encode() + b"\r\n"
                    )


def dealt_with(table, behave, hands=4, limits=PATIENT, other="always_call", log=None):
    """A match of our dealer against a client in a thread."""
    listener = Listener()
    remote = RemoteAgent("bob", listener, limits, hands)

    def run():
        peer = Peer(listener.port)
        try:
            behave(peer)
        except OSError:
            pass  # the dealer has had enough
        finally:
            peer.lines.close()
            peer.connection.close()

    thread = InThread(run)
    lines = [] if log is None else log
    began = time.monotonic()
    try:
        found = deal_match(table, [make_agent(other, table), remote], ("alice", "bob"), Plan(hands, 1), lines.append)
    finally:
        remote.close()
    thread.result()
    assert time.monotonic() - began < 20
    return found, remote.faults, lines


def answering(table, answer, hands=4):
    def behave(peer):
        peer.connection.sendall(VERSION)
        peer.states(table, answer, hands)

    return behave


@pytest.mark.parametrize(
    ("kind", "action", "counted"),
    [
        ("limit", "c", set()),
        ("limit", "r20", set()),  # as the C dealer: a number is not looked at
        ("limit", "", {"invalid"}),
        ("limit", "x", {"invalid"}),
        ("limit", "f", {"invalid"}),  # illegal where it is free
        ("nolimit", "r", {"invalid"}),
        ("nolimit", "k", {"invalid"}),
        ("nolimit", "r1", {"resized"}),
        ("nolimit", "r" + "9" * 3000, {"resized"}),
        ("nolimit", "r20000", set()),
    ],
)
def test_illegal_actions_become_legal_ones(kind, action, counted):
    found, faults, lines = dealt_with(TABLES[kind], answering(TABLES[kind], lambda state: [action]))
    assert (found.ended, found.hands) == ("", 4)
    assert {name for name, count in vars(faults).items() if count} == counted
    assert len([line for line in lines if line.startswith("# hand ")]) == faults.invalid + faults.resized
    assert sum(found.chips) == 0.0
    if counted == {"invalid"}:
        betting = [line.split(":")[2] for line in lines if line.startswith("STATE")]
        assert all(set(each) <= {"c", "/", action} for each in betting)
    if action == "r" + "9" * 3000:
        assert all("r20000" in line for line in lines if line.startswith("STATE"))
        assert all(len(line) < 300 for line in lines)


def test_a_raise_of_a_wrong_size_becomes_the_nearest():
    def answer(state):
        return ["r150" if not state.betting.moves else "c"]

    _, faults, lines = dealt_with(NOLIMIT, answering(NOLIMIT, answer, 2), hands=2)
    assert faults.resized == 1
    assert any(line.startswith("STATE:0:r200c/") for line in lines)
    assert any("'r150' of bob is not legal, changed to r200" in line for line in lines)


def test_a_round_has_at_most_64_actions():
    """Both raise by the least for ever: as in the C dealer there must be room for the call."""

    class Raiser(Scripted):
        def move(self, seen):
            legal = seen.legal
            return seen.table.raise_to(seen.state, legal.bounds[0]) if legal.bounds else legal.moves[-1]

    listener = Listener()
    remote = RemoteAgent("bob", listener, PATIENT, 1)
    peer = InThread(lambda: answering(NOLIMIT, lambda state: ["r1"], 1)(Peer(listener.port)))
    record = play_hand(NOLIMIT, [Raiser([]), remote], deal_cards(NOLIMIT, random.Random(1)), [random.Random()] * 2)
    remote.close()
    peer.result()
    actions = record.line.split("/")[0].count("r") + 1
    assert 62 <= actions <= 65  # an agent of ours is not held to it, and may have raised once more
    assert remote.faults.invalid >= 1


def test_other_lines_are_ignored_and_comments_are_nothing():
    def answer(state):
        return [b"# thinking\r\n", b"; still\r\n", b"\r\n", b"MATCHSTATE:0:99::AsAd|:c\r\n", b"hello\n", "c"]

    found, faults, _ = dealt_with(LIMIT, answering(LIMIT, answer, 1), hands=1)
    assert (found.ended, found.hands, faults.invalid) == ("", 1, 0)
    assert faults.ignored > 0
    assert faults.ignored % 2 == 0


def silent(peer):
    peer.lines.read(1)


def begins(first, then=lambda peer: peer.lines.read()):
    def behave(peer):
        peer.connection.sendall(first)
        then(peer)

    return behave


def ten_megabytes(peer):
    peer.connection.sendall(VERSION)
    for _ in range(160):
        peer.connection.sendall(b"x" * 2**16)


def drip(peer):
    peer.connection.sendall(VERSION)
    for _ in range(100):
        peer.connection.sendall(b"M")
        time.sleep(0.03)


def comments_for_ever(peer):
    peer.connection.sendall(VERSION)
    for _ in range(100):
        peer.connection.sendall(b"# wait\r\n")
        time.sleep(0.03)


MISBEHAVIOUR = {
    "another version": (begins(b"VERSION:1.0.0\r\n"), "bob begins with 'VERSION:1.0.0': expected VERSION:2.0.0"),
    "a later minor version": (begins(b"VERSION:2.1.0\r\n"), "bob begins with 'VERSION:2.1.0': expected VERSION:2.0.0"),
    "no version": (begins(b"GET / HTTP/1.1\r\n"), "bob begins with 'GET / HTTP/1.1': expected VERSION:2.0.0"),
    "nothing at all": (silent, "bob sent nothing for"),
    "nothing after the version": (begins(VERSION), "bob sent nothing for"),
    "half a line": (begins(VERSION + b"MATCHST"), "bob sent nothing but half a line, b'MATCHST' for"),
    "half a line and gone": (
        begins(VERSION + b"MATCHST", lambda peer: peer.connection.shutdown(socket.SHUT_WR) or peer.lines.read()),
        "bob closed the connection in the middle of a line, b'MATCHST'",
    ),
    "gone at once": (begins(b"", lambda peer: None), "bob has closed the connection"),
    "gone after the version": (begins(VERSION, lambda peer: None), "bob has closed the connection"),
    "ten megabytes without an end of line": (ten_megabytes, "bob sent more than 4,096 bytes without an end of line"),
    "garbage": (begins(VERSION + b"\xff\xfe\x00\n"), "bob sent what is not text: b'\\xff\\xfe\\x00'"),
    "a letter now and then": (drip, "bob sent nothing but half a line"),
    "comments for ever": (comments_for_ever, "the limit for an answer, 0.4 s (hand 0)"),
}


@pytest.mark.parametrize("how", MISBEHAVIOUR)
def test_a_client_that_misbehaves_ends_the_match_with_a_line(how):
    behave, said = MISBEHAVIOUR[how]
    found, _, lines = dealt_with(LIMIT, behave, limits=QUICK)
    assert said in found.ended
    assert found.hands == 0
    assert "\n" not in found.ended
    assert len(found.ended) < 300
    assert lines == [f"# ended after 0 of 4 hands: {found.ended}"]


def test_what_was_played_before_a_disconnect_is_kept():
    found, _, lines = dealt_with(LIMIT, answering(LIMIT, lambda state: ["c"], 2), hands=4)
    assert found.hands == 2
    assert "bob has closed the connection" in found.ended
    assert [line.split(":")[:2] for line in lines[:2]] == [["STATE", "0"], ["STATE", "1"]]
    assert lines[2].startswith("# ended after 2 of 4 hands: bob")
    assert len(lines) == 3


LIMITS = [
    (TimeLimits(response=5, hand=0.3, average=5), "the limit for all answers of a hand, 0.3 s"),
    (TimeLimits(response=5, hand=5, average=0.1), "the limit for the whole match, 0.1 s a hand"),
    (TimeLimits(response=0.05, hand=5, average=5), "the limit for an answer, 0.05 s"),
]


@pytest.mark.parametrize(("limits", "said"), LIMITS)
def test_each_limit_of_time(limits, said):
    def slow(state):
        time.sleep(0.12)
        return ["c"]

    found, _, _ = dealt_with(LIMIT, answering(LIMIT, slow), limits=limits)
    assert said in found.ended


def test_a_client_that_never_reads_is_given_up():
    """Its buffers fill, and then it has as long as for an answer."""
    listening, port = server()
    with socket.create_connection(("127.0.0.1", port)):
        wire = Wire(accepted(listening), "bob")

        def send_for_ever():
            while True:
                wire.send("x" * 4000, time.monotonic() + 0.2)

        with pytest.raises(PeerError, match="bob does not read what it is sent"):
            send_for_ever()
        wire.close()


def dealer_that(behave):
    """A dealer in a thread that does as it is told with its one client."""
    listening, port = server()

    def run():
        connection = accepted(listening)
        try:
            assert receive(connection, len(VERSION)) == VERSION
            return behave(connection)
        except OSError:
            return None
        finally:
            connection.close()

    return InThread(run), port


STATE = b"MATCHSTATE:0:0::Kd6s|\r\n"
WRONG_DEALERS = {
    "gone at once": (lambda c: None, "has closed the connection before any hand"),
    "gone in a hand": (lambda c: c.sendall(STATE), "has closed the connection in the middle of a hand, after 0 others"),
    "garbage": (lambda c: c.sendall(b"\xff\xff\n"), "sent what is not text"),
    "another protocol": (lambda c: c.sendall(b"HTTP/1.1 400 Bad\r\n"), "line 1: expected MATCHSTATE:position:hand:"),
    "half a line": (lambda c: c.sendall(b"MATCH"), "closed the connection in the middle of a line, b'MATCH'"),
    "silence": (lambda c: time.sleep(0.8), "sent nothing for 0."),
    "megabytes": (lambda c: c.sendall(b"x" * 10**7), "sent more than 4,096 bytes without an end of line"),
    "another game": (lambda c: c.sendall(b"MATCHSTATE:0:0:r300:Kd6s|\r\n"), "a raise of limit has no number, got r300"),
    "impossible cards": (lambda c: c.sendall(b"MATCHSTATE:0:0::KdKd|\r\n"), "Kd is there twice"),
    "a long line": (lambda c: c.sendall(b"#" + b"x" * LONGEST + b"\n"), "4,096 bytes"),
}


@pytest.mark.parametrize("how", WRONG_DEALERS)
def test_a_dealer_that_misbehaves_ends_the_game_with_a_line(how):
    behave, said = WRONG_DEALERS[how]
    thread, port = dealer_that(behave)
    found = play_over_acpc(make_agent("always_call", LIMIT), LIMIT, "127.0.0.1", port, patience=0.4)
    thread.result()
    assert said in found.ended
    assert f"127.0.0.1, port {port}" in found.ended
    assert found.hands == 0
    assert "\n" not in found.ended


def test_no_dealer():
    listening, port = server()
    listening.close()
    with pytest.raises(PeerError, match=f"cannot connect to 127.0.0.1, port {port}: Connection refused"):
        play_over_acpc(make_agent("always_call", LIMIT), LIMIT, "127.0.0.1", port)


def test_comments_repeated_states_and_hand_numbers_that_start_again():
    """The same state again gets the same answer; the same number again may be another hand."""
    hand = [b"MATCHSTATE:1:0::|6dQc\r\n", b"MATCHSTATE:1:0:f:|6dQc\r\n"]
    other = [b"MATCHSTATE:1:0::|6dQs\r\n", b"MATCHSTATE:1:0:f:|6dQs\r\n"]

    def behave(connection):
        lines = connection.makefile("rb")
        for first, last in (hand, hand, other):
            connection.sendall(b"# a comment\r\n;another\r\n\r\n" + first)
            answer = lines.readline()
            assert answer == first.strip() + b":f\r\n"
            connection.sendall(first)
            assert lines.readline() == answer
            connection.sendall(last.replace(b"\r", b""))
        return True

    class Folder(Scripted):
        started = asked = ended = 0

        def start(self, seen, dice):
            super().start(seen, dice)
            self.started += 1

        def move(self, seen):
            self.asked += 1
            return seen.legal.moves[0]

        def end(self, seen, result):
            self.ended += 1
            assert result.chips == -5.0
            assert result.holes[0] == ()

    agent = Folder([])
    thread, port = dealer_that(behave)
    found = play_over_acpc(agent, LIMIT, "127.0.0.1", port, patience=5)
    assert thread.result()
    assert (found.ended, found.hands, found.chips) == ("", 3, -15.0)
    assert (agent.started, agent.asked, agent.ended) == (3, 3, 3)


def test_the_same_seed_throws_the_same_dice():
    def moves(seed):
        sent = []

        def behave(connection):
            lines = connection.makefile("rb")
            for number in range(30):
                connection.sendall(f"MATCHSTATE:1:{number}::|6dQc\r\n".encode())
                sent.append(lines.readline().decode().strip().rpartition(":")[2])
                end = {"f": "f", "c": "crf", "r": "rf"}[sent[-1]]
                if sent[-1] == "c":
                    connection.sendall(f"MATCHSTATE:1:{number}:cr:|6dQc\r\n".encode())
                    action = lines.readline().decode().strip().rpartition(":")[2]
                    end = "crf" if action == "f" else "crrf" if action == "r" else "crc/"
                    sent.append(action)
                if end != "crc/":
                    connection.sendall(f"MATCHSTATE:1:{number}:{end}:|6dQc\r\n".encode())
                else:
                    connection.sendall(f"MATCHSTATE:1:{number}:crc/rf:|6dQc/2c3c4c\r\n".encode())

        thread, port = dealer_that(behave)
        play_over_acpc(make_agent("random", LIMIT), LIMIT, "127.0.0.1", port, seed, patience=5)
        thread.result()
        return sent

    assert moves(1) == moves(1) != moves(2)


def test_an_acpc_program_is_an_agent_by_name():
    agent = make_agent("acpc(0)", LIMIT)
    assert isinstance(agent, RemoteAgent)
    peer = InThread(lambda: play_over_acpc(make_agent("always_call", LIMIT), LIMIT, "127.0.0.1", agent.listener.port))
    for number in range(3):
        seats = [agent, make_agent("random", LIMIT)][:: 1 if number % 2 else -1]
        dice = [random.Random(number), random.Random(number)]
        record = play_hand(LIMIT, seats, deal_cards(LIMIT, random.Random(number)), dice, number)
        assert record.state.mover == OVER
    agent.close()
    found = peer.result()
    assert (found.hands, found.ended) == (3, "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("acpc", "acpc takes (port"),
        ("acpc(70000)", "expected the number of a port, from 0 (any) to 65535"),
        ("acpc('x')", "expected the number of a port"),
        ("acpc(0, host=3)", "expected a text such as '127.0.0.1'"),
    ],
)
def test_wrong_words_for_it(text, said):
    with pytest.raises(AgentError) as error:
        make_agent(text, LIMIT)
    assert said in str(error.value)


def test_it_needs_a_table_and_a_free_port():
    with pytest.raises(AgentError, match="say at which"):
        make_agent("acpc(0)")
    listening, port = server()
    with listening, pytest.raises(AcpcError, match=f"cannot wait for a client at 127.0.0.1, port {port}"):
        make_agent(f"acpc({port})", LIMIT)


def test_nobody_connects():
    agent = RemoteAgent("bob", Listener(), QUICK)
    with pytest.raises(PeerError, match=r"bob did not connect to 127.0.0.1, port \d+ in time"):
        agent.connect()
    agent.close()


class Wrong(Scripted):
    """Makes a move that is not legal."""

    def move(self, seen):
        return seen.table.raise_to(seen.state, 1)


def test_an_agent_of_ours_that_makes_an_illegal_move():
    thread, port = dealer_that(lambda connection: connection.sendall(b"MATCHSTATE:1:0::|6dQc\r\n"))
    found = play_over_acpc(Wrong([]), NOLIMIT, "127.0.0.1", port, patience=5)
    thread.result()
    assert found.ended.startswith("scripted made an illegal move")


BUGS = {
    "none": ("self._number += 1", "self._number += 1"),
    "the last state is sent twice": ("if seen.state.mover != OVER:", "if True:"),
    "cards are not shown at the end": (
        "holes = (seen.hole, other) if seen.seat == 0 else (other, seen.hole)",
        "holes = (seen.hole, ()) if seen.seat == 0 else ((), seen.hole)",
    ),
    "the hands are exchanged": (
        "if seen.seat == 0 else (other, seen.hole)",
        "if seen.seat == 1 else (other, seen.hole)",
    ),
    "all hands have one number": ("self._number += 1", "self._number = 0"),
    "raises are by street": ("table.nearest(s, size - s.opened)", "table.nearest(s, size)"),
    "a wrong size becomes a call": (
        "return self._sized_raise(table, s, found[1]) if found[1] else None",
        "return None",
    ),
    "folding is always legal": ("FOLD if CALL in legal.moves else None", "FOLD"),
    "an illegal action becomes a fold or check": (
        "return table.legal(s).moves[-1]\n        return move",
        "return table.legal(s).moves[0]\n        return move",
    ),
    "any line is an answer": ('if line.startswith(f"{self._told}:"):', "if True:"),
    "time of a hand is not added up": ("self._used_in_hand += took", "self._used_in_hand += 0"),
    "time of a match is not added up": ("self.used += took", "self.used += 0"),
    "a version is not looked at": ("if found is None or int(found[1]) != 2", "if found is None and int(found[1]) != 2"),
    "rounds have no most": ("return len(this_round) > MOST_ACTIONS", "return False and len(this_round) > MOST_ACTIONS"),
    "faults are not noted": ("self.note(f", "str(f"),
}


@pytest.mark.parametrize("bug", BUGS)
def test_planted_mistakes_are_noticed(bug, monkeypatch):
    old, new = BUGS[bug]
    source = Path(acpc_agent.__file__).read_text()
    assert old in source, f"nothing to change: {old!r}"
    mutant = types.ModuleType("mccfr.protocols.acpc_agent_mutant")
    monkeypatch.setitem(sys.modules, mutant.__name__, mutant)
    exec(compile(source.replace(old, new, 1), "mutant", "exec"), mutant.__dict__)
    monkeypatch.setattr(f"{__name__}.RemoteAgent", mutant.RemoteAgent)
    monkeypatch.setattr(acpc_dealer, "RemoteAgent", mutant.RemoteAgent)
    assert any(noticed(check) for check in CHECKS) == (bug != "none")


def noticed(check):
    try:
        check()
    except BaseException:
        return True
    return False


def bets_and_a_fold():
    """The client bets the turn after a call before the flop, and the other hand is folded: nothing may be shown."""
    answers = {"": "c", "cc/c": "c", "cc/cc/c": "r500", "cc/cc/": "r500", "cc/": "c"}

    def answer(state):
        assert not all(state.holes)
        return [answers.get(state.betting.text, "c")]

    seen = []

    def behave(peer):
        peer.connection.sendall(VERSION)
        while line := peer.lines.readline():
            seen.append(line)
            state = read_state(NOLIMIT, line.decode().strip())
            if state.over:
                return
            if state.betting.state.mover == state.position:
                peer.connection.sendall(line.strip() + b":" + answer(state)[0].encode() + b"\r\n")

    found, _, lines = dealt_with(NOLIMIT, behave, hands=1, other="always_fold")
    assert found.ended == ""
    assert lines[0].startswith("STATE:0:cc/cc/cr500f:")
    assert seen[-1].count(b"|") == 1
    assert b":|" in seen[-1] or b"|/" in seen[-1]


def test_a_fold_shows_nothing():
    bets_and_a_fold()


CHECKS = (
    lambda: test_our_dealer_in_a_recorded_match("limit"),
    lambda: test_our_dealer_in_a_recorded_match("nolimit"),
    bets_and_a_fold,
    test_a_raise_of_a_wrong_size_becomes_the_nearest,
    lambda: test_illegal_actions_become_legal_ones("limit", "f", {"invalid"}),
    lambda: test_illegal_actions_become_legal_ones("nolimit", "k", {"invalid"}),
    test_other_lines_are_ignored_and_comments_are_nothing,
    lambda: test_each_limit_of_time(*LIMITS[0]),
    lambda: test_each_limit_of_time(*LIMITS[1]),
    lambda: test_a_client_that_misbehaves_ends_the_match_with_a_line("another version"),
    test_a_round_has_at_most_64_actions,
)
