"""ACPC game definitions: read, written, refused, and read by OpenSpiel, which has the competition's own reader."""

import json
import random

import gamedef_examples as examples
import pytest
from click.testing import CliRunner
from gamedef_examples import LIMIT, NOLIMIT, READ, WRITTEN, WRONG, changed, game, read, refusal, written
from hypothesis import given, settings, strategies as st

import mccfr
from mccfr.betting.lines import BETS, CALLS, FOLDS, NOBODY, OVER, Move
from mccfr.betting.structures import Limit, NoLimit
from mccfr.cli.main import cli
from mccfr.errors import FileError, GameError
from mccfr.games.gamedef import gamedef_text, read_gamedef, write_gamedef
from mccfr.games.holdem import Holdem
from mccfr.games.registry import defined, game_file, outside, received_game


@pytest.mark.parametrize("name", READ)
def test_definitions_are_these_games(name):
    text, right = READ[name]
    assert read(text) == game(right)


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_definition_is_told_in_one_line_with_its_place(name):
    text, said = WRONG[name]
    told = refusal(text)
    assert said in told
    assert told.startswith("text, line ")
    assert "\n" not in told
    assert len(told) < 300


@pytest.mark.parametrize("name", WRITTEN)
def test_definitions_have_these_rows(name):
    text, row = WRITTEN[name]
    assert row in written(text)


BOARDS = st.sampled_from(["3", "4", "5", "3 1", "1 2", "2 2", "3 1 1", "1 1 1", "1 1 3"])
DECKS = st.sampled_from([(13, 4), (6, 4), (5, 3), (13, 1), (3, 4)])
BLINDS = st.sampled_from(["1 2", "2 5", "7 7", "50 100"])
LIMITS = st.builds(
    Limit, bets=st.sampled_from(["2 2 4", 3, "1 9"]), cap=st.sampled_from([0, 1, "3 4", 255, "1 2 3 4"]),
    blinds=BLINDS, dealer=st.integers(0, 1),
)  # fmt: skip
NOLIMITS = st.builds(
    NoLimit, stack=st.integers(100, 10**6), blinds=BLINDS, cap=st.sampled_from([None, 1, "2 3"]), bet=st.just("100%,a"),
    dealer=st.integers(0, 1),
)  # fmt: skip
GAMES = st.builds(
    lambda betting, deck, board: Holdem(betting, ranks=deck[0], suits=deck[1], board=board),
    st.one_of(LIMITS, NOLIMITS), DECKS, BOARDS,
)  # fmt: skip


@given(GAMES)
def test_what_is_written_is_read_again(rules):
    assert facts(read_gamedef(gamedef_text(rules))) == facts(rules)


def facts(rules):
    """All that a game is made of; numbers for streets that are not played do not count."""
    betting = rules.betting
    amounts = betting.by_street if isinstance(betting, Limit) else (betting.stack, betting.caps, betting.bet)
    return rules.ranks, rules.suits, rules.board, betting.posted, betting.dealer, betting.streets, amounts


@pytest.mark.parametrize("text", ["holdem(limit)", "holdem(limit, board='3 1')", "holdem(limit, ranks=6, board=3)"])
def test_usual_limit_betting_keeps_its_short_string(text):
    assert read_gamedef(gamedef_text(text)) == game(text)


@given(st.sampled_from([LIMIT, NOLIMIT]), st.data())
@settings(deadline=None)
def test_a_text_that_was_cut_or_changed_gets_one_line_or_is_a_game(text, data):
    at = data.draw(st.integers(0, len(text)))
    damaged = data.draw(st.sampled_from([text[:at], text[:at] + data.draw(st.text(max_size=5)) + text[at + 1 :]]))
    said = refusal(damaged + "\n")
    assert "\n" not in said
    assert said.startswith(("text, line ", "no error, but holdem("))


def test_every_file_that_is_cut_short_is_refused(tmp_path):
    path = tmp_path / "cut.game"
    for end in range(len(LIMIT) - 1):
        path.write_text(LIMIT[:end])
        with pytest.raises(GameError, match=rf"^{path}, line \d+: "):
            read_gamedef(path)


def test_files_that_are_no_text(tmp_path):
    path = tmp_path / "junk.game"
    path.write_bytes(LIMIT.encode() + bytes(range(256)))
    with pytest.raises(FileError, match=r"junk.game, line 15: a byte that is no text; a definition is text"):
        read_gamedef(path)
    path.write_bytes(b"\0" * 1000)
    with pytest.raises(GameError, match=r"junk.game, line 1: a definition begins with GAMEDEF, got"):
        read_gamedef(path)
    path.write_bytes(b"#" * 2**20)
    with pytest.raises(FileError, match=r"junk.game: it is longer than the 65,536 bytes that such a file may have"):
        read_gamedef(path)
    with pytest.raises(FileError, match=r"cannot read /dev/zero: it is a pipe or a device"):
        read_gamedef("/dev/zero")
    with pytest.raises(FileError, match=r"cannot read .*Is a directory"):
        read_gamedef(tmp_path)
    with pytest.raises(FileError, match=r"cannot read .*No such file"):
        read_gamedef(tmp_path / "none.game")
    with pytest.raises(FileError, match="a game definition is given by its path, as text or a Path, got 5"):
        read_gamedef(5)


def test_the_menu_of_a_no_limit_definition():
    rules = read_gamedef(NOLIMIT, bet="50%,a", flop={"bet": "33%"}, increasing=True, cap=2)
    assert rules == game(
        "holdem(nolimit(stack=20000, blinds='50 100', bet='50%,a', flop={'bet': '33%'}, increasing=True, cap=2))"
    )
    for menu, said in (
        ({"bet": "50"}, "text: bet='50': '50' at character 1 is no size"),
        (
            {"bets": "50%"},
            "bets='50%'): got an unexpected keyword argument 'bets'",
        ),
        ({"stack": 5}, "text: stack is what the definition says: it cannot be given as well"),
    ):
        with pytest.raises(GameError) as caught:
            read_gamedef(NOLIMIT, **menu)
        assert said in str(caught.value)
    with pytest.raises(GameError, match="text: a limit definition says all sizes, so bet cannot be given"):
        read_gamedef(LIMIT, bet="50%")


def test_what_a_definition_cannot_say():
    for text, said in (
        ("holdem(limit(ante=1))", "a game definition has no antes, and the ante is 1"),
        ("holdem(limit(cap=256))", "a game definition has at most 255 raises a round, cap is 256"),
        ("kuhn", "a game definition is of whole hold'em, holdem(...), got 'kuhn'"),
        ("nlph", "a game definition is of whole hold'em"),
    ):
        with pytest.raises(GameError) as caught:
            gamedef_text(text)
        assert said in str(caught.value)
    assert "# holdem(" in gamedef_text("holdem(nolimit(stack=9, bet='33%'))").splitlines()[1]


def test_a_definition_is_a_game_by_its_file(tmp_path):
    path = tmp_path / "small.game"
    small = game("holdem(limit(cap=1, bets=2), ranks=4, suits=2, board=3)")
    write_gamedef(small, path)
    for text in (f"gamedef:{path}", f" GameDef: {path}", str(path)):
        assert mccfr.game(text) == small
        assert defined(text) == str(small)
        assert outside(text) == "a file of yours"
        assert game_file(text) == path
        with pytest.raises(GameError, match="it is built only if you name it yourself"):
            received_game(text)
    assert mccfr.read_gamedef(path) == small
    assert mccfr.compile(f"gamedef:{path}").fingerprint == mccfr.compile(small).fingerprint
    with pytest.raises(FileError, match=r"cannot write .*there/small.game"):
        write_gamedef(small, tmp_path / "there" / "small.game")


def test_the_command_line_writes_and_reads_definitions(tmp_path):
    path = tmp_path / "limit.game"
    done = CliRunner().invoke(cli, ["export", "holdem(limit)", str(path), "--json"])
    assert done.exit_code == 0
    assert json.loads(done.output)["format"] == "game"
    assert read_gamedef(path) == game("holdem(limit)")
    assert CliRunner().invoke(cli, ["export", "uniform:kuhn", str(path)]).exit_code != 0
    path.write_text(changed(LIMIT, "numPlayers = 3"))
    done = CliRunner().invoke(cli, ["games", f"gamedef:{path}"])
    assert done.exit_code == 2
    assert (
        done.stderr
        == f"mccfr: error: {path}, line 3: numPlayers must be 2, got 3: only games of two players are solved\n"
    )


# ---------------------------------------------------------------------------------------------------------- OpenSpiel


def random_definition(dice):
    """A definition that OpenSpiel can play amount by amount: it knows decks of four suits only."""
    rounds = dice.randint(2, 4)
    board = {2: [3, 4, 5], 3: [(3, 1), (1, 2)], 4: [(3, 1, 1), (1, 1, 1)]}[rounds]
    cards = dice.choice(board)
    deals = " ".join(map(str, cards)) if isinstance(cards, tuple) else str(cards)
    small = dice.randint(1, 5)
    blinds, seat = f"{small} {small + dice.randint(0, 6)}", dice.randint(0, 1)
    if dice.random() < 0.5:
        bets = " ".join(str(dice.randint(1, 9)) for _ in range(rounds))
        caps = " ".join(str(dice.randint(1, 4)) for _ in range(rounds))
        betting = Limit(bets=bets, cap=caps, blinds=blinds, dealer=seat)
    else:
        cap = dice.choice([None, None, 1, "2 3"])
        betting = NoLimit(stack=dice.randint(12, 90), blinds=blinds, bet="a", cap=cap, dealer=seat)
    return Holdem(betting, ranks=dice.randint(4, 13), suits=4, board=deals)


def test_openspiel_reads_the_same_games():
    """Random hands: the same mover, the same legal amounts and the same payoffs, from the text alone."""
    pyspiel = pytest.importorskip("pyspiel")
    dice, hands = random.Random(0), 0
    for _ in range(40):
        rules = random_definition(dice)
        read_there = pyspiel.universal_poker.load_universal_poker_from_acpc_gamedef(gamedef_text(rules))
        amounts = ",bettingAbstraction=fullgame" if isinstance(rules.betting, NoLimit) else ""
        theirs = pyspiel.load_game(f"{str(read_there)[:-1]}{amounts})")
        for _ in range(10):
            play_there(rules.betting, theirs, dice)
            hands += 1
    print(f"{hands} hands compared with OpenSpiel")
    assert hands == 400


def play_there(rules, theirs, dice):
    """One hand in both programs. OpenSpiel's moves: 0 fold, 1 call, 2 a limit bet or what is raised to in all."""
    s, there = rules.root(), theirs.new_initial_state()
    while not there.is_terminal():
        if there.is_chance_node():
            there.apply_action(dice.choice(there.legal_actions()))
            continue
        assert there.current_player() == s.mover
        facing = s.stakes[s.mover] < s.stakes[1 - s.mover]
        low, high = rules.bounds(s) if may_raise(rules, s) else (1, 0)
        raises = [s.opened + amount for amount in range(low, high + 1)]
        legal = there.legal_actions()
        if isinstance(rules, Limit):
            assert legal == [0] * facing + [1] + [2] * len(raises)
        else:
            assert legal == [0] * facing + [1] + raises
        action = dice.choice([a for a in legal if a or dice.random() < 0.3] or [1])
        there.apply_action(action)
        s = rules.play(s, our_move(rules, s, action, facing, raises))
    assert s.mover == OVER
    stake = rules.stake(s)
    assert there.returns() == list(rules.payoffs(s)) if s.folded != NOBODY else True
    assert {abs(gain) for gain in there.returns()} <= {0, stake}


def may_raise(rules, s):
    """Whether a bet or raise is legal; `bounds` does not know caps of no-limit."""
    caps = rules.caps if isinstance(rules, NoLimit) else None
    capped = caps is not None and s.bets >= caps[min(s.street, len(caps) - 1)]
    return not capped and rules.bounds(s) is not None


def our_move(rules, s, action, facing, raises):
    if action == 0:
        return Move(FOLDS)
    if action == 1:
        return Move(CALLS if facing else 1)
    total = raises[0] if isinstance(rules, Limit) else action
    return Move(BETS, total - s.opened)


def test_all_examples_are_right():
    assert examples.wrong() == []
