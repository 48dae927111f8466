"""Hand histories: what we write, pokerkit replays with the same result, and we read what it writes."""

import contextlib
import io
import random
from decimal import Decimal

import pytest
from history_examples import random_hands
from history_texts import GOOD

from mccfr.betting.lines import NOBODY
from mccfr.errors import FileError, MccfrError
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.table import table_of
from mccfr.protocols.hand_json import hand_document
from mccfr.protocols.phh import HistoryError
from mccfr.protocols.phh_files import read_hands, write_hands
from mccfr.protocols.phh_writing import phh_text, phhs_text, toml_text

HANDS = 500


@pytest.fixture(scope="module")
def pokerkit():
    return pytest.importorskip("pokerkit")


def read_text(tmp_path, text, name="hand.phh", skip=False):
    (tmp_path / name).write_text(text)
    return read_hands(tmp_path / name, skip)


@pytest.mark.parametrize("limit", [True, False])
def test_pokerkit_replays_our_hands(pokerkit, limit):
    hands = random_hands(17 + limit, HANDS, limit)
    kinds = {"folds": 0, "ties": 0, "all-ins": 0, "antes": 0, "showdowns": 0}
    text = "".join(phhs_text(hands))
    for hand, theirs in zip(hands, pokerkit.HandHistory.load_all(io.BytesIO(text.encode())), strict=True):
        steps = list(theirs.state_actions)
        assert len(steps) == 1 + len(theirs.actions), "pokerkit had to repair it"
        state = steps[-1][0]
        assert not state.status
        assert tuple(state.payoffs) == hand.chips, theirs
        assert [int(chips) for chips in state.stacks] == theirs.finishing_stacks
        kinds["folds"] += hand.state.folded != NOBODY
        kinds["showdowns"] += hand.state.folded == NOBODY
        kinds["ties"] += hand.chips == (0.0, 0.0)
        kinds["all-ins"] += "a" in hand.line
        kinds["antes"] += hand.table.betting.ante > 0
    assert all(count > 10 for kind, count in kinds.items() if kind != "all-ins" or not limit), kinds


@pytest.mark.parametrize("limit", [True, False])
def test_what_we_write_we_read(tmp_path, limit):
    hands = random_hands(23 + limit, 200, limit)
    write_hands(tmp_path / "hands.phhs", hands)
    found = read_hands(tmp_path / "hands.phhs")
    assert [each.hand for each in found.hands] == hands
    assert [each.chips for each in found.hands] == [hand.chips for hand in hands]
    assert (found.refused, found.chip) == ([], 1)
    write_hands(tmp_path / "one.phh", hands[5:6])
    assert read_hands(tmp_path / "one.phh").hands[0].hand == hands[5]


@pytest.mark.parametrize("limit", [True, False])
def test_we_read_what_pokerkit_writes(pokerkit, tmp_path, limit):
    """Both forms that it writes: what it loaded, and what it makes of the state of a hand that was played."""
    hands = random_hands(29 + limit, 100, limit)
    theirs = list(pokerkit.HandHistory.loads_all("".join(phhs_text(hands))))
    played = [
        pokerkit.HandHistory.from_game_state(
            each.create_game(),
            list(each)[-1],
            compression_status=bool(number % 2),
            hand=each.hand,
            players=each.players,
        )
        for number, each in enumerate(theirs)
    ]
    for each, ours in zip(played, hands):
        each.user_defined_fields["_cap"] = str(ours.table.betting.cap) if limit else None
    for dumped in (theirs, played):
        with (tmp_path / "theirs.phhs").open("wb") as file:
            pokerkit.HandHistory.dump_all(dumped, file)
        found = read_hands(tmp_path / "theirs.phhs").hands
        assert [each.chips for each in found] == [hand.chips for hand in hands]
        assert [each.hand for each in found] == hands


def test_hands_that_were_not_shown(tmp_path):
    table = table_of("holdem(nolimit(stack=200, bet=a))")
    _, moves = table.at("r6c/kb8f")
    hand = HandRecord(table, ((), (40, 41)), (0, 1, 2), moves, ("x", "y"), 3)
    (found,) = read_text(tmp_path, phh_text(hand)).hands
    assert found == (hand, (-6.0, 6.0))
    _, moves = table.at("r6c/kk/kk/kk")
    hand = HandRecord(table, ((), (40, 41)), (0, 1, 2, 5, 9), moves)
    (found,) = read_text(tmp_path, phh_text(hand)).hands
    assert found == (hand, None)
    assert "finishing_stacks" not in phh_text(hand)
    assert hand_document(hand)["chips"] is None
    told = phh_text(hand) + "finishing_stacks = [194, 206]\n"
    assert read_text(tmp_path, told).hands[0].chips == (-6.0, 6.0)
    given_up = phh_text(hand).replace('"]\nplayers', '", "p1 sm"]\nplayers')
    assert read_text(tmp_path, given_up).hands[0].chips == (-6.0, 6.0)
    shown = phh_text(hand).replace('"]\nplayers', '", "p1 sm AcAd"]\nplayers')
    assert read_text(tmp_path, shown).hands[0] == (hand._replace(holes=((48, 49), (40, 41))), (6.0, -6.0))


def test_parts_of_a_unit_become_chips(tmp_path):
    """Of a whole file at once, so that all its hands have the same table; more decimals than four are refused."""
    cents = GOOD.replace("[1, 2]", "[0.50, 1.00]").replace("min_bet = 2", "min_bet = 1").replace("cbr 8", "cbr 8.25")
    whole = GOOD.replace("min_bet = 2", "min_bet = 1").replace("[1, 2]", "[0.5, 1]")
    found = read_text(tmp_path, f"[1]\n{whole}\n[2]\n{cents}", "cents.phhs")
    assert found.chip == Decimal("0.01")
    assert [each.hand.line for each in found.hands] == ["r600c/kb800f", "r600c/kb825f"]
    assert {each.hand.table.betting.stack for each in found.hands} == {20000}
    with pytest.raises(HistoryError, match=r"8\.00001"):
        read_text(tmp_path, GOOD.replace("cbr 8", "cbr 8.00001"))


def test_of_unequal_stacks_the_smaller_counts(pokerkit, tmp_path):
    actions = '"p2 cbr 900", "p1 cc", "d db 2c3c4c", "d db 5d", "d db 7h", "p1 sm AsKs", "p2 sm QdQc"]'
    text = GOOD.replace("[200, 200]", "[200, 900]").replace(
        '"p2 cbr 6"' + GOOD.partition('"p2 cbr 6"')[2].partition("]")[0] + "]", actions
    )
    (found,) = read_text(tmp_path, text).hands
    assert (found.hand.line, found.chips) == ("a200c", (200.0, -200.0))
    assert list(pokerkit.HandHistory.loads(text))[-1].payoffs == [200, -200]
    assert read_text(tmp_path, GOOD.replace("[200, 200]", "[inf, 200]")).hands[0].chips == (-6.0, 6.0)


def test_names_and_comments_survive(tmp_path):
    table = table_of("holdem(limit)")
    _, moves = table.at("f")
    names = 'a "quoted" \\ name', "[2]\n\u001b[31m\u00e9\U0001f600"
    hand = HandRecord(table, ((), ()), (), moves, names)
    (found,) = read_text(tmp_path, "".join(phhs_text([hand])), "hands.phhs").hands
    assert found.hand == hand
    assert toml_text("\ud800") == '"?"'
    commented = GOOD.replace("p2 cbr 6", "p2 cbr 6 # a comment p1 f").replace('"p1 cc", "d', '"p1 cc", "# so far", "d')
    assert read_text(tmp_path, commented).hands[0].chips == (-6.0, 6.0)


WRONG = [
    ("QdQc", "AsQc", r"action 2, 'd dh p2 AsQc': hands and board: As is there twice"),
    ("QdQc", "QdQx", r"action 2.*'Qx' is not a card"),
    ("2c3c4c", "2c3cKs", r"action 5.*Ks is there twice"),
    ("2c3c4c", "2c3c", r"action 6.*the flop has not come yet"),
    ("2c3c4c", "2c3c4c5c", r"action 5.*the board has 4 cards now, expected at most 3"),
    ("AsKs", "AsKsQs", r"p1 has 3 cards, expected 2"),
    ("AsKs", "As", r"one card of p1 is not known"),
    ("p2 cbr 6", "p1 cbr 6", r"action 3, 'p1 cbr 6': it is the turn of p2"),
    ("p2 cbr 6", "p2 cbr 3", r"cannot raise 3 now: expected fold, call, 4 to 200 chips"),
    ("p2 cbr 6", "p2 cbr -6", r"'-6' is no amount"),
    ("p2 cbr 6", "p3 cbr 6", r"'p3' is no player"),
    ("p2 cbr 6", "p2 dance", r"action 3.*expected d dh"),
    ("p1 f", "p1 cc", r"the hand is not over: p1 is to move"),
    ('"p1 f"', '"p1 f", "p2 cc"', r"action 9.*the hand is over"),
    ('"p1 f"', '"p1 f", "d dh p1 2d2h"', r"dealt before the first move"),
    ('"p1 f"', '"p1 f", "p1 sm 2d2h"', r"p1 holds AsKs"),
    ("[200, 200]", "[200, 200, 200]", r"3 players: expected a hand between two"),
    ("[200, 200]", "[200, 1]", r"stack must be at least"),
    ("[200, 200]", "[-200, 200]", r"a stack must be a number of chips"),
    ("[200, 200]", "[2e99, 200]", r"a stack must be a number of chips"),
    ("[200, 200]", "[true, 200]", r"stack"),
    ("[200, 200]", "[nan, 200]", r"stack"),
    ("[200, 200]", '"many"', r"starting_stacks must be a list"),
    ("[0, 0]", "[0, 2]", r"antes \[0, 2\]: expected the same"),
    ("[1, 2]", "[1, 2, 4]", r"blinds_or_straddles \[1, 2, 4\]"),
    ("[1, 2]", "[2, 1]", r"blinds_or_straddles \[2, 1\]"),
    ("min_bet = 2", "min_bet = 4", r"min_bet is 4, expected the big blind, 2"),
    ("min_bet = 2", "", r"min_bet is missing"),
    ('"NT"', '"PO"', r"variant 'PO' is not hold'em"),
    ('"NT"', "[[[]]]", r"variant"),
    ('"Bob"', "7", r"players must be names"),
    ("hand = 7", "finishing_stacks = [206, 194]", r"finishing_stacks tell \+6 for p1, but cards and moves -6"),
    ("hand = 7", "hand = ", r"it is not TOML"),
    ("hand = 7", "hand = " + "[" * 20000, r"it is not TOML"),
    ("hand = 7", "hand = " + "9" * 9000, r"it is not TOML"),
    ("hand = 7", "# " + "x" * 70000, r"a hand of 70,\d+ characters, expected at most 65,536"),
]


@pytest.mark.parametrize(("old", "new", "said"), WRONG, ids=range(len(WRONG)))
def test_wrong_histories_are_refused_in_a_line(tmp_path, old, new, said):
    assert old in GOOD
    text = f"[1]\n{GOOD}\n[2]\n{GOOD.replace(old, new)}"
    with pytest.raises(HistoryError, match=said) as caught:
        read_text(tmp_path, text, "hands.phhs")
    assert str(caught.value).startswith(f"{tmp_path / 'hands.phhs'}, hand 2: ")
    assert "\n" not in str(caught.value)
    kept = read_text(tmp_path, text, "hands.phhs", skip=True)
    assert (len(kept.hands), len(kept.refused)) == (1, 1)


def test_wrong_files_are_refused_in_a_line(tmp_path):
    for text, said in [
        ("x = 1\n[1]\n" + GOOD, "fields before"),
        (f"[1]\n{GOOD}[1]\n{GOOD}", "hand 1: there is another"),
    ]:
        with pytest.raises(HistoryError, match=said):
            read_text(tmp_path, text, "hands.phhs")
    (tmp_path / "large.phhs").touch()
    with (tmp_path / "large.phhs").open("r+b") as file:
        file.truncate(100 * 2**20)
    with pytest.raises(FileError, match="longer than"):
        read_hands(tmp_path / "large.phhs")
    (tmp_path / "bytes.phh").write_bytes(b"\xff")
    with pytest.raises(FileError, match="UTF-8"):
        read_hands(tmp_path / "bytes.phh")
    with pytest.raises(FileError, match="no such file"):
        read_hands(tmp_path / "missing.phh")


def test_what_phh_cannot_say_is_not_written(tmp_path):
    small = table_of("holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)")
    with pytest.raises(HistoryError, match="PHH has no word for"):
        phh_text(HandRecord(small, ((), ()), (), small.at("f")[1]))
    odd = table_of("holdem(limit(bets='2 3 4 5'))")
    with pytest.raises(HistoryError, match="a small and a big bet"):
        phh_text(HandRecord(odd, ((), ()), (), odd.at("f")[1]))
    table = table_of("holdem(limit)")
    with pytest.raises(HistoryError, match="not over"):
        phh_text(HandRecord(table, ((), ()), (), table.at("c")[1]))
    with pytest.raises(FileError, match=r"\.phhs"):
        write_hands(tmp_path / "two.phh", random_hands(1, 2, True))
    with pytest.raises(FileError, match=r"\.phh"):
        write_hands(tmp_path / "two.txt", [])


def test_random_spoilt_texts_are_read_or_refused(tmp_path):
    """Whatever is deleted, doubled or exchanged: a result or one line, nothing else."""
    dice = random.Random(5)
    for _ in range(300):
        text = list(GOOD)
        for _ in range(dice.randint(1, 4)):
            place = dice.randrange(len(text))
            text[place : place + dice.randint(0, 2)] = dice.choice(["", "?", "[", '"', "9", "A", "p1", text[place] * 2])
        with contextlib.suppress(MccfrError):
            read_text(tmp_path, "".join(text))
