"""Spots and whole hold'em as games: strings, betting trees, and a line for everything that can be wrong."""

import re
from pathlib import Path

import numpy as np
import pytest

import mccfr
from mccfr.betting.flat_tree import build_tree
from mccfr.betting.tree_size import tree_size
from mccfr.cards.ranges import Range, deck_of
from mccfr.errors import FileError, GameError
from mccfr.games.registry import make_game, received_game
from mccfr.games.spot import Spot
from mccfr.games.streets import StreetGame

SPOTS = Path(__file__).parent / "data" / "spots"
RIVER = {"board": "Qs Jh 2h 8c 3d", "pot": 180, "stack": 910, "oop": "QQ,AhKh", "ip": "JJ:0.5,KQs"}
SIZES = {"bet": "33%,75%,a", "raise_": "2.5x,a", "force_allin": 0.15}
MS3 = "holdem(nolimit(stack=162, blinds='1 2', bet='100%', raise_='100%', cap=1), ranks=5, suits=4, board='1 1 1')"


def spot(**changed):
    return mccfr.spot(**{**RIVER, **SIZES, **changed})


def read_spot(name):
    """A spot of tests/data, whose keys are ours but for `raise`."""
    pairs = dict(line.split("=", 1) for line in (SPOTS / f"{name}.spot").read_text().splitlines())
    pairs["raise_"] = pairs.pop("raise")
    numbers = {key: float(pairs.pop(key)) for key in ("add_allin", "force_allin", "merge")}
    return mccfr.spot(**{**pairs, **numbers, "pot": int(pairs["pot"]), "stack": int(pairs["stack"])})


# ---- strings and trees


@pytest.mark.parametrize("name", ["river_std", "turn_pa"])
def test_trees_are_those_of_another_solver(name):
    game = read_spot(name)
    assert "\n".join(build_tree(game.streets().betting).rows()) + "\n" == (SPOTS / f"{name}.tree").read_text()
    assert received_game(str(game)) == game


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"board": "QsJh2h", "oop": "all", "turn": {"bet": "50%", "oop": {"bet": "25%"}}, "bets": {"ip": {"bet": "a"}}},
        {"donk_": "", "cap": "2 3", "merge": 0.1, "add_allin": 1.5, "min_bet": 10},
        {"board": "2c 3d 4c", "oop": "55+", "ip": "all:0.5", "ranks": 5, "suits": 2},
        {"lock": {"line": "k", "b59": "JJ,KQs:0.25", "k": "rest"}},
        {
            "board": "Qs Jh 2h 8c",
            "lock": [{"line": "kk/", "board": "3d", "k": 1}, {"line": "kk", "k": 0.5, "a910": 0.5}],
        },
    ],
)
def test_strings_rebuild_spots(changed):
    game = spot(**changed)
    again = make_game(str(game))
    assert (again, str(again), hash(again)) == (game, str(game), hash(game))
    assert eval(repr(game), {"Spot": Spot}) == game


def test_equal_spots_have_equal_strings():
    other = spot(board="qsJH2h8c3d", oop="AhKh, QdQc,QsQc,QsQh,QdQh,QhQc,QsQd", bet="a, 75%,33 %".replace(" %", "%"))
    assert str(other) == str(spot())
    assert spot(oop=Range.parse("QQ,AhKh")) == spot()


def test_what_a_spot_tells_trees():
    streets = spot(board="Qs Jh 2h 8c").streets()
    assert isinstance(spot(), StreetGame)
    assert (streets.ranks, streets.suits, streets.deals, len(streets.board)) == (13, 4, (1,), 4)
    deck = deck_of(13, 4)
    held = [{deck.hand_name(h): w for h, w in enumerate(weights) if w} for weights in streets.ranges]
    assert held[0] == dict.fromkeys(("AhKh", "QdQc", "QhQc", "QhQd"), 1.0)  # the queen of spades is on the board
    assert set(held[1]) == {"JdJc", "JsJc", "JsJd", "KcQc", "KdQd", "KhQh"}
    assert held[1]["JdJc"] == 0.5


def test_tables_change_sizes_where_they_say():
    game = spot(board="Qs Jh 2h 8c", turn={"oop": {"bet": "50%"}}, bets={"ip": {"bet": "100c"}})
    betting = game.streets().betting
    assert [str(move) for move in betting.moves(betting.at(""))] == ["Check", "Bet(90)"]
    assert [str(move) for move in betting.moves(betting.at("k"))] == ["Check", "Bet(100)"]
    assert [str(move) for move in betting.moves(betting.at("kk/"))] == ["Check", "Bet(59)", "Bet(135)", "AllIn(910)"]


def test_whole_hands_have_the_tree_of_the_anchor():
    game = make_game(MS3)
    streets = game.streets()
    assert tree_size(streets.betting).decisions == (4, 12, 36, 108)
    assert (streets.board, streets.deals, streets.betting.dealer) == ((), (1, 1, 1), 1)
    assert [weights.sum() for weights in streets.ranges] == [190, 190]
    assert make_game(str(game)) == received_game(str(game)) == game
    assert str(make_game("holdem(limit)")) == "holdem(betting=limit())"
    assert tree_size(make_game("holdem(limit)").streets().betting).decisions == (8, 70, 630, 5670)


def test_the_board_decides_how_many_streets_there_are():
    game = make_game("holdem(limit(cap=1), ranks=4, suits=2, board=3)")
    assert str(game) == "holdem(betting=limit(cap=1, streets=2), ranks=4, suits=2, board='3')"
    assert make_game(str(game)) == game


# ---- locks


def test_locks_by_range_and_by_frequency():
    lock = [{"line": "k", "b59": "JJ,KhQh:0.25", "k": "rest"}, {"line": "b59", "f": 0.25, "c": 0.75}]
    by_range, by_frequency = spot(lock=lock).streets().locks
    deck = deck_of(13, 4)
    assert (by_range.line, by_range.cards, by_range.strategy.shape) == ("k", None, (1326, 4))
    row = {deck.hand_name(h): by_range.strategy[h].tolist() for h in range(1326)}
    assert row["JsJd"] == [0, 1, 0, 0]
    assert row["KhQh"] == [0.75, 0.25, 0, 0]
    assert row["KdQd"] == [1, 0, 0, 0]
    assert (by_frequency.strategy == [0.25, 0.75, 0, 0]).all()
    assert np.allclose(by_range.strategy.sum(axis=1), 1)


def test_moves_of_locks_may_be_in_words():
    words = {"line": "k", "bet 59": "JJ", "check": "rest"}
    assert spot(lock=words) == spot(lock={"line": "k", "b59": "JJ", "k": "rest"})


def test_locks_for_certain_cards_override_those_for_all():
    turn = {"board": "Qs Jh 2h 8c"}
    locks = [{"line": "kk/", "board": "3d", "k": 1}, {"line": "kk/", "k": "AhKh", "a910": "rest"}]
    first, last = spot(**turn, lock=locks).streets().locks
    assert (first.cards, last.cards) == (None, (deck_of(13, 4).card("3d"),))


def test_hands_that_cannot_be_held_need_not_sum_to_one():
    (lock,) = spot(lock={"line": "", "k": "QQ", "b59": "AhKh,AA"}).streets().locks
    assert np.allclose(lock.strategy.sum(axis=1), 1)


# ---- files

FILE = """# a turn
board = "Qs Jh 2h 8c"
pot = 100
stack = 200
oop = "QQ,AhKh"
ip = "JJ,KQs"
bet = "50%,a"
raise_ = "a"

[turn.oop]
bet = "50%"

[river]
ip = {bet = "33%"}

[bets.ip]
raise_ = "3x"

[[lock]]
line = "k"
k = 0.5
b50 = "rest"

[[lock]]
line = "kk/"
board = "3d"
k = "QQ"
a200 = "rest"
"""


def test_a_file_is_the_spot_it_describes(tmp_path):
    file = tmp_path / "turn.toml"
    file.write_text(FILE)
    game = mccfr.game(file)
    lock = [{"line": "k", "k": 0.5, "b50": "rest"}, {"line": "kk/", "board": "3d", "k": "QQ", "a200": "rest"}]
    tables = {"turn": {"oop": {"bet": "50%"}}, "river": {"ip": {"bet": "33%"}}, "bets": {"ip": {"raise_": "3x"}}}
    sizes = {"bet": "50%,a", "raise_": "a", "force_allin": 0}
    assert game == spot(board="Qs Jh 2h 8c", pot=100, stack=200, ip="JJ,KQs", **sizes, **tables, lock=lock)
    assert str(mccfr.game(f"dealt:{file}")) == f"dealt:{game}"


SHORT = """board = "Qs Jh 2h 8c 3d"\npot = 100\nstack = 200\noop = "QQ"\nip = "JJ"\nbet = "a"\nraise_ = ""\n"""


def test_what_is_solved_from_a_file_needs_it_no_more(tmp_path):
    file = tmp_path / "river.toml"
    file.write_text(SHORT)
    mccfr.solve(f"dealt:{file}", "cfr_plus", iterations=5).strategy().save(tmp_path / "river.mccfr")
    run = mccfr.train(tmp_path / "run", f"dealt:{file}", "cfr_plus", iterations=5)
    definition = f"dealt:{mccfr.game(str(file))}"
    assert run.config.game == definition
    file.unlink()
    assert mccfr.load(tmp_path / "river.mccfr").tree.game == definition
    assert mccfr.train(tmp_path / "run", definition, "cfr_plus", iterations=10).status.iterations == 10


def test_the_spot_of_the_page_in_a_file_and_in_python(tmp_path):
    page = (Path(__file__).parent.parent / "docs" / "spots.md").read_text()
    file = tmp_path / "river.toml"
    file.write_text(re.search(r"```toml\n(.*?)```", page, re.DOTALL)[1])
    code = re.search(r"```python\n(.*?)```", page, re.DOTALL)[1]
    found = {}
    exec(code.partition("print(")[0], found)
    assert mccfr.game(file) == found["river"]


def test_a_received_file_does_not_lead_to_a_spot_of_mine(tmp_path):
    with pytest.raises(GameError, match="is a file of yours: it is built only if you name it yourself"):
        received_game(str(tmp_path / "river.toml"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("pot = 100", "pto = 100", "line 3: a spot has no key 'pto'; did you mean pot?"),
        ("pot = 100", "pot = 0", "line 3: pot must be a whole number from 1 to 1,000,000,000, got 0"),
        (
            'bet = "50%"\n',
            'bet = "50"\n',
            "line 11: turn.oop.bet='50': '50' at character 1 is no size: write 75% (of the pot), 2.5x (times the bet "
            "faced), 100c (chips), 2e or 3e200% (geometric) or a (all-in)",
        ),
        ("[turn.oop]", "[turn.opp]", "line 10: turn has no 'opp': did you mean oop?"),
        ('{bet = "33%"}', '{bte = "33%"}', "line 14: river.ip has no 'bte': did you mean bet?"),
        (
            'raise_ = "3x"',
            'raise_ = "1x"',
            "line 17: bets.ip.raise_='1x': '1x' at character 1 is no raise: write more than 1x",
        ),
        (
            'a200 = "rest"',
            "a200 = 0.5",
            "line 25: lock 2: the moves of AhKh sum to 0.5, expected 1 (one move may be 'rest')",
        ),
        (
            'a200 = "rest"',
            'a201 = "rest"',
            "line 28: lock 2: 'a201' is not offered after line 'kk/'; did you mean a200?",
        ),
        (
            'line = "kk/"',
            'line = "kx/"',
            "line 25: lock 2: line 'kx/': 'x' at character 2 is not offered, expected one of k (Check), b50 (Bet(50)), "
            "a200 (AllIn(200))",
        ),
        ("stack = 200", 'stack = "200"', "line 4: stack must be a whole number from 1 to 1,000,000,000, got '200'"),
        ('"50%,a"', '"50%,a', "line 7: illegal character '\\n'"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_line(tmp_path, old, new, message):
    assert old in FILE
    file = tmp_path / "turn.toml"
    file.write_text(FILE.replace(old, new, 1))
    with pytest.raises(FileError) as told:
        make_game(str(file))
    assert str(told.value) == f"{file}, {message}"


def test_files_that_are_no_spots(tmp_path):
    file = tmp_path / "turn.toml"
    file.write_text(FILE.replace("pot = 100\n", ""))
    with pytest.raises(FileError) as told:
        make_game(str(file))
    assert str(told.value) == f"{file}: pot must be given; a spot needs board, pot, stack, oop, ip, bet, raise_"
    with pytest.raises(FileError, match=r"^cannot read .*missing.toml: no such file$"):
        make_game(str(tmp_path / "missing.toml"))


# ---- what can be wrong

NO_SIZE = (
    "is no size: write 75% (of the pot), 2.5x (times the bet faced), 100c (chips), 2e or 3e200% (geometric) or a "
    "(all-in)"
)
WRONG = [
    ({"board": "Qs Jh Qs"}, "spot: board 'Qs Jh Qs': Qs is there twice"),
    ({"board": "Qs Jh"}, "spot: board must have 3, 4 or 5 cards, got 2: 'Qs Jh'"),
    ({"board": ""}, "spot: board must have 3, 4 or 5 cards, got 0: ''"),
    ({"board": 7}, "spot: board must be cards such as 'Qs Jh 2h', got 7"),
    (
        {"board": "Qs Jh 1h"},
        "spot: board 'Qs Jh 1h': '1h' is not a card of this deck: expected a rank of 23456789TJQKA and a suit of cdhs",
    ),
    ({"oop": ""}, "spot: oop is an empty range: write hands such as 'QQ+,AKs', or all"),
    ({"ip": "AA:0"}, "spot: ip is an empty range: write hands such as 'QQ+,AKs', or all"),
    ({"oop": "QsQh"}, "spot: oop has no hand left: the board Qs Jh 2h 8c 3d blocks all of 'QsQh'"),
    (
        {"oop": "AsAh", "ip": "AsKs,AhKh"},
        "spot: ip has no hand left: every hand of oop shares a card with every hand of ip",
    ),
    ({"oop": 3}, "spot: oop must be a range such as 'QQ+,AKs' or all, got 3"),
    (
        {"ip": "QQ,AKx"},
        "spot: ip: range 'QQ,AKx': 'AKx' at character 4 is no range of hands: write QQ, QQ+, 55-22, AKs, A5s+, "
        "A5s-A2s, AKo, AK, AsKh or all",
    ),
    ({"bet": "33%,75%%"}, f"spot: bet='33%,75%%': '75%%' at character 5 {NO_SIZE}"),
    ({"turn": {"ip": {"raise_": "2.5"}}}, f"spot: turn.ip.raise_='2.5': '2.5' at character 1 {NO_SIZE}"),
    ({"bets": {"oop": {"bet": "1z"}}}, f"spot: bets.oop.bet='1z': '1z' at character 1 {NO_SIZE}"),
    ({"turn": {"opp": {}}}, "spot: turn has no 'opp': did you mean oop?"),
    (
        {"bets": {"opp": {}}},
        "spot: bets must be tables for oop and ip such as {'oop': {'bet': '33%'}}, got {'opp': {}}",
    ),
    ({"pot": 0}, "spot: pot must be a whole number from 1 to 1,000,000,000, got 0"),
    ({"stack": 9, "min_bet": 10}, "spot: stack 9 is below the smallest bet of 10 (min_bet): nothing can be bet"),
    ({"stack": 0}, "spot: stack must be a whole number from 1 to 1,000,000,000, got 0"),
    ({"cap": -1}, "spot: cap must be one to 4 whole numbers of 0 or more, as in '1 2', got -1"),
    ({"force_allin": "x"}, "spot: force_allin must be a share of the pot, 0 or more, got 'x'"),
    (
        {"board": "2c 3d 4c", "oop": "all", "ip": "all", "ranks": 4, "suits": 2},
        "spot: ranks x suits are 8 cards, but two hands and five cards of the board need 9",
    ),
    ({"lock": 3}, "spot: lock must be a list of tables such as {'line': 'k', 'k': 0.4, 'b59': 'rest'}, got 3"),
    (
        {"lock": [{"k": 1}]},
        "spot: lock 1: expected a table with a line, such as {'line': 'k', 'k': 0.4, 'b59': 'rest'}, got {'k': 1}",
    ),
    (
        {"lock": {"line": "k", "k": 0.5, "b59": "JJ:0.4,KQs:0.5"}},
        "spot: lock 1: the moves of JsJd sum to 0.9, expected 1 (one move may be 'rest')",
    ),
    (
        {"lock": {"line": "k", "k": "rest", "b59": 0.7, "b135": "KhQh:0.5"}},
        "spot: lock 1: the moves of KhQh sum to 1.2, which leaves nothing for k; expected at most 1",
    ),
    (
        {"lock": [{"line": "", "k": 1}, {"line": "kb60", "f": 1}]},
        "spot: lock 2: line 'kb60': 'b60' at character 2 is not offered, expected one of k (Check), b59 (Bet(59)), "
        "b135 (Bet(135)), a910 (AllIn(910))",
    ),
    ({"lock": {"line": "kk", "k": 1}}, "spot: lock 1: line 'kk' is the end of the hand: nobody moves there"),
    (
        {"lock": {"line": "k", "b60": 1}},
        "spot: lock 1: 'b60' is not offered after line 'k'; known: a910, b135, b59, board, k, line",
    ),
    ({"lock": {"line": "k", "k": 2}}, "spot: lock 1: k must be a frequency from 0 to 1, a range or 'rest', got 2"),
    ({"lock": {"line": "k", "k": "rest", "b59": "rest"}}, "spot: lock 1: only one move can be 'rest', got k and b59"),
    ({"lock": [{"line": "k", "k": 1}] * 2}, "spot: lock 2: 'k' is locked already"),
    (
        {"lock": {"line": "k", "board": "5d", "k": 1}},
        "spot: lock 1: board has 1 cards, but 0 have come to the board after line 'k'",
    ),
    (
        {"board": "Qs Jh 2h 8c", "lock": {"line": "kk/", "board": "8c", "k": 1}},
        "spot: lock 1: board has 8c, which is on the board of the spot already",
    ),
]


@pytest.mark.parametrize(("changed", "message"), WRONG, ids=lambda given: str(given)[:30])
def test_a_wrong_spot_is_told_in_one_line(changed, message):
    with pytest.raises(GameError) as told:
        spot(**changed)
    assert str(told.value) == message


def test_an_unknown_parameter_is_told_in_one_line():
    with pytest.raises(GameError) as told:
        spot(forced_allin=0.15)
    assert str(told.value) == "a spot has no 'forced_allin'; did you mean force_allin or add_allin?"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "holdem(limit, board='3 1 1 1')",
            "holdem: board must say how many cards come before each later street, three to five in all, as in '3 1 1', "
            "got '3 1 1 1'",
        ),
        (
            "holdem(limit, board=6)",
            "holdem: board must say how many cards come before each later street, three to five in all, as in '3 1 1', "
            "got 6",
        ),
        (
            "holdem(limit, ranks=2, suits=4)",
            "holdem: ranks x suits are 8 cards, but two hands and a board of 5 need 9",
        ),
        (
            "holdem(limit(streets=2), board='3 1')",
            "holdem: betting has 2 streets, but board '3 1' makes 3",
        ),
        (
            "holdem(limit(bets=0))",
            "holdem: betting: limit: bets must be one to 4 whole numbers of 1 or more, as in '1 2', got 0",
        ),
        ("holdem(nolimt(stack=10))", "holdem: betting has no 'nolimt'; did you mean nolimit or limit?"),
    ],
)
def test_a_wrong_whole_game_is_told_in_one_line(text, message):
    with pytest.raises(GameError) as told:
        make_game(text)
    assert str(told.value) == message
