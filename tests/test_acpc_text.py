"""ACPC as text: recorded hands, lines of a dealer's logs, a second set of rules, pokerkit, planted mistakes."""

import random
import re
import sys
import types
import warnings
from pathlib import Path

import pokerkit
import pytest
from acpc_peers import TABLES, transcript

from mccfr.betting.lines import NOBODY, OVER
from mccfr.errors import FileError
from mccfr.playing.played_hand import HandRecord, deal_cards
from mccfr.playing.table import table_of
from mccfr.protocols import acpc_log, acpc_text
from mccfr.protocols.acpc_log import hand_line, read_hand, read_log, score_line
from mccfr.protocols.acpc_text import AcpcError, betting_text, read_betting, read_cards, read_state

sys.path.append(str(Path(__file__).parent.parent / "benchmarks"))
from acpc_random_client import Hand

LIMIT, NOLIMIT = TABLES["limit"], TABLES["nolimit"]
SMALL = table_of("holdem(nolimit(stack=40, bet='a'), ranks=6, suits=2, board='1 1 1')")
DEALERS_LINES = [  # from logs of project_acpc_server's dealer, 2p.limit.h1000.r0, as acpc_poker_types has them
    "STATE:0:crrrc/rrc/rf:3s5d|Td2s/4d5c4s/Kd:60|-60:p1|p2",
    "STATE:1:rc/crrrrc/rrc/rc:7d5s|Kh9c/As3hTs/Jh/Js:-120|120:p2|p1",
]
VECTORS = [  # (table, ACPC, our line): the first is a hand of Slumbot's, g5-poker-bot issue 6
    (NOLIMIT, "r250c/cr583c/cc/r1500f", "r250c/kb333c/kk/b917f"),
    (NOLIMIT, "r9215r19106r20000c///", "r9215r19106a20000c"),
    (NOLIMIT, "cc/r20000c//", "ck/a19900c"),
    (NOLIMIT, "cc/cc/cc/cr20000c", "ck/kk/kk/ka19900c"),
    (NOLIMIT, "cc/", "ck/"),
    (NOLIMIT, "f", "f"),
    (LIMIT, "crrrc/rrc/rf", "cr20r30r40c/b10r20c/b20f"),
    (LIMIT, "", ""),
]


def random_hand(table, dice):
    """A hand of random legal moves."""
    s, moves, cards = table.start, [], deal_cards(table, dice)
    while s.mover != OVER:
        legal = table.legal(s)
        choices = list(legal.moves)
        if legal.bounds is not None:
            low, high = legal.bounds
            sizes = {
                low,
                dice.randint(low, high),
                dice.randint(low, min(high, 3 * low)),
                *([high] * (not dice.randrange(4))),
            }
            choices += [table.raise_to(s, size) for size in sorted(sizes)]
        moves.append(dice.choice(choices))
        s = table.play(s, moves[-1])
    street = s.street if s.folded != NOBODY else table.streets - 1
    board = cards[4 : 4 + table.board_size(street)]
    return HandRecord(table, (cards[:2], cards[2:4]), board, tuple(moves), ("alice", "bob"), dice.randrange(10**6))


def check_vectors(text):
    for table, acpc, line in VECTORS:
        state, moves = table.at(line)
        assert text.betting_text(table, moves) == acpc
        found = text.read_betting(table, acpc)
        assert (found.state, found.moves) == (state, moves)


def check_recorded(text):
    """Every line that the recorded dealer sent can be read, and written from what was read."""
    for kind, table in TABLES.items():
        known = None
        for who, line in transcript(kind):
            sent = line.decode().removesuffix("\r\n")
            if who == "<-":
                state = text.read_state(table, sent, known)
                known = state.betting
                again = text.betting_text(table, state.betting.moves)
                cards = text.cards_text(table, state.holes, state.board)
                assert text.state_text(state.position, state.number, again, cards) == sent
                assert state.over == (sent.count("|") == 1 and bool(re.search(r":\w{4}\|\w{4}", sent)))


def check_round_trips(text):
    dice = random.Random(1)
    for table in (LIMIT, NOLIMIT, SMALL):
        for _ in range(150):
            record = random_hand(table, dice)
            acpc = text.betting_text(table, record.moves)
            found = text.read_betting(table, acpc)
            assert (found.state, found.moves) == (record.state, record.moves)
            cards = text.cards_text(table, record.holes, record.board)
            assert text.read_cards(table, cards, acpc.count("/")) == (record.holes, record.board)


def check_refusals(text):
    for table, acpc, _ in WRONG_BETTING:
        with pytest.raises(acpc_text.AcpcError if text is acpc_text else text.AcpcError):
            text.read_betting(table, acpc)


WRONG_BETTING = [
    (LIMIT, "x", "character 1: expected f or c or r"),
    (LIMIT, "r20", "a raise of limit has no number, got r20"),
    (LIMIT, "rrrr", "nobody may raise here, expected f or c"),
    (LIMIT, "cf", "nobody may fold where checking is free"),
    (LIMIT, "cccc", "expected '/', since a round has ended"),
    (LIMIT, "fc", "expected nothing: the hand is over"),
    (NOLIMIT, "r", "a raise of no-limit has a number, as in r200"),
    (
        NOLIMIT,
        "r199",
        "r199 is not legal at <Table: nolimit, blinds 50 100, stacks of 20000, 52 cards>, expected r200 to",
    ),
    (NOLIMIT, "r20001", "expected r200 to r20000"),
    (NOLIMIT, "r500r899", "expected r900 to r20000"),
    (NOLIMIT, "r20000r20000", "nobody may raise here"),
    (NOLIMIT, "r20000c", "expected '///', since the hand has ended before its last rounds"),
    (NOLIMIT, "r20000c//", "expected '///'"),
    (NOLIMIT, "r20000c////", "expected nothing: the hand is over"),
    (NOLIMIT, "r" + "9" * 4000, "character 1"),
    (NOLIMIT, "cc//", "character 4: expected c or r and a number"),
]
WRONG_STATES = [
    ("", "expected MATCHSTATE:position:hand:betting:cards, got ''"),
    ("VERSION:2.0.0", "expected MATCHSTATE"),
    ("HTTP/1.1 400 Bad Request", "expected MATCHSTATE"),
    ("MATCHSTATE:2:0::|6dQc", "position 2 is not one of two players"),
    ("MATCHSTATE:0:0::|6dQc", "the cards of position 0, whom it tells, are missing"),
    ("MATCHSTATE:1:0::6dQc", "expected the hands of two players with '|' between"),
    ("MATCHSTATE:1:0::|6d", "expected 2 cards in a hand"),
    ("MATCHSTATE:1:0::|6d6d", "6d is there twice"),
    ("MATCHSTATE:1:0::6d7d|6dQc", "6d is there twice"),
    ("MATCHSTATE:1:0::|6dQx", "'Qx' is not a card of this deck"),
    ("MATCHSTATE:1:0::|6dQc/AhKhQh", "expected no cards of the board"),
    ("MATCHSTATE:1:0:cc/:|6dQc", "expected 3 cards of the board"),
    ("MATCHSTATE:1:0:cc/:|6dQc/AhKh", "expected 3 cards of the board"),
    ("MATCHSTATE:1:0:cc/:|6dQc/Ah6dQh", "6d is there twice"),
    ("MATCHSTATE:1:0:cc/cc/cc/cc:|6dQc/Ah4s6h/Ts/Ac", "a showdown shows both hands"),
    ("MATCHSTATE:1:99999999999::|6dQc", "expected MATCHSTATE"),
    ("MATCHSTATE:1:-1::|6dQc", "expected MATCHSTATE"),
]


def test_vectors_both_ways():
    check_vectors(acpc_text)


def test_recorded_states_both_ways():
    check_recorded(acpc_text)


def test_random_hands_both_ways():
    check_round_trips(acpc_text)


@pytest.mark.parametrize(("table", "text", "said"), WRONG_BETTING)
def test_wrong_betting_is_refused_in_a_line(table, text, said):
    with pytest.raises(AcpcError) as error:
        read_betting(table, text)
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(("line", "said"), WRONG_STATES)
def test_wrong_states_are_refused_in_a_line(line, said):
    with pytest.raises(AcpcError) as error:
        read_state(LIMIT, line)
    assert said in str(error.value)


def test_betting_that_goes_on_is_read_from_where_it_was():
    known = read_betting(NOLIMIT, "r250c/cr583")
    assert read_betting(NOLIMIT, "r250c/cr583c/", known) == read_betting(NOLIMIT, "r250c/cr583c/")
    assert read_betting(NOLIMIT, "cc/", known) == read_betting(NOLIMIT, "cc/")  # another hand
    with pytest.raises(AcpcError):
        read_betting(NOLIMIT, "r250c/cr5830000", known)


def test_a_number_is_not_cut_in_two_by_what_is_known():
    """r58 is the beginning of r583, but no betting that goes on to it."""
    known = read_betting(NOLIMIT, "r250")
    assert read_betting(NOLIMIT, "r2500", known).moves == read_betting(NOLIMIT, "r2500").moves


@pytest.mark.parametrize("kind", TABLES)
def test_a_second_set_of_rules_agrees(kind):
    """The client of benchmarks/ has rules of its own: whose turn, what has been put in, what may be raised to."""
    table, dice = TABLES[kind], random.Random(2)
    game = {"limit": kind == "limit", "blind": [10, 5] if kind == "limit" else [100, 50], "firstplayer": [2, 1, 1, 1]}
    game |= {"numrounds": [4], "maxraises": [3, 4, 4, 4] if kind == "limit" else [255] * 4}
    game |= {"raisesize": [10, 10, 20, 20], "stack": [20000, 20000]}
    for _ in range(150):
        s = table.start
        record = random_hand(table, dice)
        for j, move in enumerate((*record.moves, None)):
            twin = Hand(game, betting_text(table, record.moves[:j]))
            assert twin.over == (s.mover == OVER)
            if move is None:
                break
            assert (twin.turn, tuple(twin.spent), twin.round) == (s.mover, s.stakes, s.street)
            offered, legal = twin.actions(dice), table.legal(s)
            assert ("f" in offered) == (len(legal.moves) == 2)
            assert any(action[0] == "r" for action in offered) == (legal.bounds is not None)
            if legal.bounds is not None and kind == "nolimit":
                numbers = [int(action[1:]) for action in offered if action[0] == "r"]
                assert (min(numbers), max(numbers)) == (s.opened + legal.bounds[0], s.opened + legal.bounds[1])
            s = table.play(s, move)


@pytest.mark.parametrize("line", DEALERS_LINES)
def test_lines_of_a_dealers_log_both_ways(line):
    assert hand_line(read_hand(LIMIT, line)) == line


@pytest.mark.parametrize("kind", TABLES)
def test_pokerkit_reads_our_logs(kind):
    table, dice = TABLES[kind], random.Random(3)
    records = [random_hand(table, dice)._replace(number=number) for number in range(60)]
    text = "".join(f"{hand_line(record)}\n" for record in records)
    if kind == "limit":
        game = pokerkit.FixedLimitTexasHoldem((), True, 0, (5, 10), 10, 20)
    else:
        game = pokerkit.NoLimitTexasHoldem((), True, 0, (50, 100), 100)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = list(pokerkit.HandHistory.from_acpc_protocol(game, 20000, text, error_status=True))
        ends = [list(history)[-1] for history in found]
    assert len(ends) == len(records)
    for record, end in zip(records, ends):
        assert [stack - 20000 for stack in end.stacks] == list(record.chips)


def some_log(folder, *changes):
    records = [random_hand(NOLIMIT, random.Random(number))._replace(number=number) for number in range(6)]
    records = [r._replace(names=("bob", "alice")) if r.number % 2 else r for r in records]
    won = acpc_log.totals(records, ("alice", "bob"))
    lines = ["# name/game/hands/seed x y 6 0", *map(hand_line, records), score_line(won, ("alice", "bob"))]
    text = "\n".join(lines) + "\n"
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path = folder / "match.log"
    path.write_text(text)
    return path, records


def test_a_log_is_read_again(tmp_path):
    path, records = some_log(tmp_path)
    log = read_log(NOLIMIT, path)
    assert log.hands == tuple(records)
    assert log.score == (acpc_log.totals(records, ("alice", "bob")), ("alice", "bob"))
    assert log.comments == ("# name/game/hands/seed x y 6 0",)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("SCORE:-", "SCORE:-1", "line 8: the score is wrong: the hands before it give"),
        ("STATE:0:", "STATE:0:c", "line 2: "),
        ("STATE:1:", "STALE:1:", "line 3: expected STATE:hand:betting:cards"),
        ("|bob\nSTATE:1", "|eve\nSTATE:1", "line 8: hand 0: no player 'eve', expected alice or bob"),
        ("# name", "x" * 5000, "line 1: longer than 4,096 bytes"),
        ("SCORE", "SCORE:0|0:alice|bob\nSCORE", "line 8: the score is wrong"),
    ],
)
def test_a_wrong_log_is_refused_with_its_line(tmp_path, old, new, said):
    path, _ = some_log(tmp_path, (old, new))
    with pytest.raises(AcpcError) as error:
        read_log(NOLIMIT, path)
    assert said in str(error.value)


def test_values_must_follow_from_the_cards():
    with pytest.raises(AcpcError, match=r"values 120\|-120 are wrong, cards and betting give -120\|120"):
        read_hand(LIMIT, DEALERS_LINES[1].replace("-120|120", "120|-120"))
    with pytest.raises(AcpcError, match="does not end the hand"):
        read_hand(LIMIT, "STATE:0:crrrc/rrc/r:3s5d|Td2s/4d5c4s/Kd:60|-60:p1|p2")
    with pytest.raises(AcpcError, match="a log has the cards of both players"):
        read_hand(LIMIT, "STATE:0:crrrc/rrc/rf:3s5d|/4d5c4s/Kd:60|-60:p1|p2")


def test_a_missing_log_and_a_binary_one(tmp_path):
    with pytest.raises(FileError, match="cannot read"):
        read_log(LIMIT, tmp_path / "none.log")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00\n")
    with pytest.raises(AcpcError, match="line 1: it is not text"):
        read_log(LIMIT, tmp_path / "binary")


def test_chips_are_printed_as_the_dealer_does():
    assert [acpc_log.chips_text(x) for x in (0.0, -0.0, 60.0, -2.5, 1000.0, 1 / 3)] == [
        *("0", "0", "60", "-2.5", "1000", "0.333333")
    ]


def test_cards_of_a_small_deck():
    assert read_cards(SMALL, "2c3d|4c5c/6c/7d", 2) == (((0, 3), (4, 6)), (8, 11))
    with pytest.raises(AcpcError, match="'8c' is not a card of this deck"):
        read_cards(SMALL, "8c3d|", 0)


BUGS = {
    "raises are by street": ('f"r{s.opened + move.amount}"', 'f"r{move.amount}"'),
    "raises are read by street": ("table.raise_to(s, int(text[1:]) - s.opened)", "table.raise_to(s, int(text[1:]))"),
    "no empty rounds after an all-in": ("return table.streets - 1 if s.mover", "return s.street if s.mover"),
    "empty rounds after a fold": ("s.mover == OVER and s.folded == NOBODY else", "s.mover == OVER else"),
    "an empty round too many": (
        '"/" * (street_shown(table, after) - s.street)',
        '"/" * (street_shown(table, after) - s.street + (after.mover == OVER))',
    ),
    "limit raises have numbers": ('return "r" if is_limit(table) else', "return"),
    "the hands of both positions are exchanged": ("for hole in holes)", "for hole in reversed(holes))"),
    "the board lacks its last round": ("for size in table.deals:", "for size in table.deals[:-1]:"),
    "a check is a fold": (
        '        return legal.moves[-1]\n    if text == "f":',
        '        return legal.moves[0]\n    if text == "f":',
    ),
    "the least raise is not checked": ("if not low <= int", "if not int"),
    "the most raise is not checked": ("<= int(text[1:]) <= high", "<= int(text[1:])"),
    "folding is always legal": ("if FOLD not in legal.moves:", "if False:"),
    "ends of rounds are not asked for": ("if text[place : place + len(ends)] != ends:", "if False:"),
    "betting goes on after the end": ("if step is None or s.mover == OVER:", "if step is None:"),
}


@pytest.mark.parametrize("bug", BUGS)
def test_planted_mistakes_are_noticed(bug):
    old, new = BUGS[bug]
    source = Path(acpc_text.__file__).read_text()
    assert old in source, f"nothing to change: {old!r}"
    mutant = types.ModuleType("mccfr.protocols.acpc_text_mutant")
    sys.modules[mutant.__name__] = mutant
    try:
        exec(compile(source.replace(old, new, 1), "mutant", "exec"), mutant.__dict__)
        assert any(
            noticed(check, mutant) for check in (check_vectors, check_recorded, check_round_trips, check_refusals)
        )
    finally:
        del sys.modules[mutant.__name__]


def noticed(check, text):
    try:
        check(text)
    except (Exception, pytest.fail.Exception):
        return True
    return False


def test_without_a_mistake_nothing_is_noticed():
    assert not any(noticed(c, acpc_text) for c in (check_vectors, check_recorded, check_round_trips, check_refusals))
