"""`mccfr play`: whole hands through pipes and terminals, with answers of every kind."""

import functools
import json
import os
import random
import re
import select
import sys
import time
from pathlib import Path

import jsonschema
import move_value_examples as slow
import numpy as np
import pytest
from click.testing import CliRunner

import mccfr
from mccfr.betting.lines import ALL_IN, CALL, CHECK, FOLD, Move
from mccfr.cli import play_screen
from mccfr.cli.main import cli
from mccfr.playing import running_result
from mccfr.playing.agent import AgentError
from mccfr.playing.agents import KINDS, make_agent
from mccfr.playing.human import Human, LeftTheTable, Unclear, offers, read_move, seat_people
from mccfr.playing.played_hand import HandRecord, deal_cards, play_hand
from mccfr.playing.policy import StrategyPolicy
from mccfr.playing.policy_agent import PolicyAgent
from mccfr.playing.running_result import RunningResult
from mccfr.playing.seen import Seen
from mccfr.playing.shown_range import shown_range
from mccfr.playing.simple_policies import PotOdds
from mccfr.playing.solution import solution_for
from mccfr.playing.table import table_of

SCHEMA = json.loads((Path(__file__).parent.parent / "docs" / "json-schema.json").read_text())
SMALL = "holdem(limit(cap=2, bets=2), exact, ranks=4, suits=2, board=3)"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("small") / "small.mccfr"
    mccfr.solve(SMALL, "external", iterations=500).strategy().save(path)
    return str(path)


def play(*given, typed="", code=0, columns=None):
    env = {} if columns is None else {"COLUMNS": str(columns)}
    result = CliRunner().invoke(cli, ["play", *given], input=typed, env=env)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result


CALLS = "c\n" * 60


# ---- whole hands


@pytest.mark.slow
def test_a_hand_with_the_blueprint_from_the_deal_to_the_range():
    out = play("--seed", "5", "--hands", "1", typed=CALLS).stdout
    assert re.search(r"^--- Hand 1: you are the dealer, small blind \(1\)$", out, re.M)
    assert "Your cards: Ad 5h" in out
    assert re.search(r"^Flop: .* \(pot \d+\)$", out, re.M)
    assert re.search(r"^You \w+ \d+ chips\. You had Ad 5h, blueprint:nolimit had .. .., board .{14}\.$", out, re.M)
    assert re.search(
        r"What blueprint:nolimit does in your place:\n  preflop, Ad 5h: .*\d %.* \(you: call\)$", out, re.M
    )
    assert "Hands with which blueprint:nolimit plays so" in out
    assert len(re.findall(r"^[AKQJT2-9] +\d", out, re.M)) == 13  # the rows of the grid
    assert "Against blueprint:nolimit, seed 5:" in out


def test_sizes_of_the_tree_are_offered_with_keys():
    out = play("--seed", "5", "--hands", "1", typed="1\n" + CALLS).stdout
    assert "[f] fold  [c] call 1  [1] raise to 6 (pot)  [2] all-in 200  [?] help" in out
    assert "You raise to 6" in out


def test_a_seed_gives_the_same_hands_and_another_does_not(small):
    first, again = (play(small, "--seed", "3", "--hands", "5", typed=CALLS).stdout for _ in range(2))
    assert first == again
    assert play(small, "--seed", "4", "--hands", "5", typed=CALLS).stdout != first


def test_chips_in_the_document_are_those_of_the_lines(small):
    result = play(small, "--seed", "3", "--hands", "6", "--json", typed=CALLS)
    found = json.loads(result.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert found["hands"] == len(found["played"]) == 6
    table = table_of(SMALL)
    mine = []
    for hand in found["played"]:
        holes = tuple(table.deck.read_cards(text) for text in hand["hands"])
        record = HandRecord(table, holes, table.deck.read_cards(hand["board"]), table.at(hand["line"])[1])
        assert list(record.chips) == hand["chips"]
        mine.append(hand["chips"][hand["names"].index("human")])
    assert found["chips"] == sum(mine)
    assert found["bb_per_100"]["mean"] == pytest.approx(100 * sum(mine) / 6 / table.big_blind)
    assert "Hand 6" in result.stderr


@pytest.mark.parametrize(("seat", "seats"), [("0", [0, 0]), ("1", [1, 1]), ("alternate", [1, 0])])
def test_seats(small, seat, seats):
    found = json.loads(play(small, "--seat", seat, "--hands", "2", "--json", typed=CALLS).stdout)
    assert [hand["names"].index("human") for hand in found["played"]] == seats


def test_an_agent_without_a_strategy_is_judged_by_the_blueprint():
    out = play("always_call", "--game", "holdem(limit)", "--hands", "1", "--seat", "1", typed="f\n").stdout
    assert "What blueprint:limit does in your place:" in out
    assert "[1] raise to 4  [?]" in out  # no shares of the pot in limit


def test_a_table_without_a_blueprint_offers_shares_of_the_pot():
    game = "holdem(nolimit(stack=60, bet='100%'), exact)"
    out = play("pot_odds", "--game", game, "--hands", "1", "--seat", "1", typed="f\n").stdout
    assert "raise to 4 (half pot)  [2] raise to 6 (pot)  [3] all-in 60" in out
    assert "does in your place" not in out


# ---- what may be typed

GARBAGE = [
    "zzz",
    "b",
    "b0",
    "b99999",
    "-1",
    "1e9",
    "nan",
    "%",
    "300000%",
    "9" * 50,
    "é" * 500,
    "\x00\x07",
    "f f",
    "9",
    ";",
]


@pytest.mark.parametrize("text", GARBAGE)
def test_garbage_gets_one_line_and_is_asked_again(small, text):
    plain = play(small, "--seed", "3", "--hands", "1", typed=CALLS).stdout.splitlines()
    found = play(small, "--seed", "3", "--hands", "1", typed=f"{text}\n{CALLS}").stdout.splitlines()
    place = next(j for j, line in enumerate(plain) if line.startswith("> "))
    assert found[place].startswith("> ")
    assert re.search(r"no move: type|legal amount|no raise is possible|nothing to fold", found[place + 1])
    assert len(found[place + 1]) < 200
    assert found[:place] + found[place + 2 :] == plain


def test_bytes_that_are_no_text_and_lines_without_end(small):
    typed = b"\xff\xfe\x00garbage\n" + b"x" * 3_000_000 + b"\nc\n"
    result = CliRunner().invoke(cli, ["play", small, "--seed", "3", "--hands", "1"], input=typed + CALLS.encode())
    assert result.exit_code == 0
    assert result.stdout.count("is no move") == 2
    assert max(map(len, result.stdout.splitlines())) < 400


def test_help_and_empty_lines(small):
    out = play(small, "--seed", "3", "--hands", "1", typed="?\n\n" + CALLS).stdout
    assert out.count("all-in\n") == 1
    assert out.count("type f, c, 1") == 1


@pytest.mark.parametrize("typed", ["", "q\n", "c\nQuit\n", "c\n"])
def test_leaving_ends_with_the_summary(small, typed):
    out = play(small, "--seed", "3", "--seat", "1", typed=typed).stdout
    assert "You have left the table" in out
    assert out.rstrip().endswith("No hand was finished.")


def test_finished_hands_count_after_leaving(small):
    out = play(small, "--seed", "3", "--seat", "1", typed="f\nq\n").stdout
    assert "\n1 hand: -1 chips, -50.0 bb/100\nBy AIVAT: " in out


def test_ctrl_c_ends_with_the_summary(small, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(play_screen.TableScreen, "ask", interrupted)
    out = play(small, "--seed", "3").stdout
    assert out.rstrip().endswith("No hand was finished.")


LIMIT, NO_LIMIT = table_of("holdem(limit)"), table_of("holdem(nolimit(stack=200, bet='a'))")


@functools.cache
def no_limit_solution():
    return solution_for(NO_LIMIT)


def seen_at(table, line):
    s, moves = table.at(line)
    return Seen(table, s.mover, (0, 5), tuple(range(20, 20 + table.board_size(s.street))), s, moves)


TYPED = [
    (NO_LIMIT, "", "f", FOLD),
    (NO_LIMIT, "", "FOLD", FOLD),
    (NO_LIMIT, "", "c", CALL),
    (NO_LIMIT, "", "k", CALL),
    (NO_LIMIT, "c", "c", CHECK),
    (NO_LIMIT, "c", "call", CHECK),
    (NO_LIMIT, "", "a", Move(ALL_IN, 200)),
    (NO_LIMIT, "", "all in", Move(ALL_IN, 200)),
    (NO_LIMIT, "", "200", Move(ALL_IN, 200)),
    (NO_LIMIT, "", "r7", Move(4, 7)),
    (NO_LIMIT, "", " raise  to 7 ", Move(4, 7)),
    (NO_LIMIT, "", "7", Move(4, 7)),
    (NO_LIMIT, "r6", "100%", Move(4, 18)),
    (NO_LIMIT, "r6c/", "50%", Move(3, 6)),
    (NO_LIMIT, "r6c/", "2", Move(3, 12)),  # the key of the pot
    (NO_LIMIT, "r6c/", "b2", Move(3, 2)),
    (LIMIT, "", "1", Move(4, 4)),
    (LIMIT, "", "4", Move(4, 4)),
]


@pytest.mark.parametrize(("table", "line", "typed", "move"), TYPED)
def test_what_was_typed(table, line, typed, move):
    seen = seen_at(table, line)
    assert read_move(typed, seen, offers(seen)) == move


@pytest.mark.parametrize(
    ("table", "line", "typed", "words"),
    [
        (NO_LIMIT, "c", "f", "nothing to fold to"),
        (NO_LIMIT, "", "3 chips", "no move: type f, c, 1, 2, 3, an amount such as b4"),
        (NO_LIMIT, "", "b3", "3 chips is no legal amount: 4 to 200"),
        (NO_LIMIT, "a200", "r300", "no raise is possible now: fold or call"),
        (NO_LIMIT, "a200", "a", "no move: type f, c, ?"),
        (LIMIT, "", "5", "5 chips is no legal amount: 4 "),
    ],
)
def test_what_was_typed_wrongly(table, line, typed, words):
    seen = seen_at(table, line)
    with pytest.raises(Unclear, match=re.escape(words)):
        read_move(typed, seen, offers(seen))


@pytest.mark.parametrize("line", ["", "c", "r6", "r6c/", "r6c/kb6", "r6c/kb7r20", "a200", "r6c/kk/b12"])
def test_every_key_and_every_amount_can_be_typed(line):
    solution = no_limit_solution()
    seen = seen_at(NO_LIMIT, line)
    for offered in (offers(seen), offers(seen, solution)):
        assert len({offer.key for offer in offered}) == len(offered)
        for offer in offered:
            assert read_move(offer.key, seen, offered) == offer.move
            assert not seen.table.problem(seen.state, offer.move)
        low, high = seen.legal.bounds or (1, 0)
        for amount in range(low, high + 1):
            assert read_move(f"b{amount}", seen, offered) == seen.table.raise_to(seen.state, amount)


# ---- a person as an agent


class Script:
    """A screen with answers that are known beforehand."""

    def __init__(self, *answers):
        self.answers, self.hints, self.seen = list(answers), [], []

    def begin(self, seen):
        self.seen.append(seen)

    def show(self, seen):
        self.seen.append(seen)

    def ask(self, seen, offered):
        if not self.answers:
            raise LeftTheTable("gone")
        return self.answers.pop(0)

    def hint(self, text):
        self.hints.append(text)

    def finish(self, seen, result):
        self.result = result


def test_a_person_is_an_agent_by_name():
    assert isinstance(make_agent("human", LIMIT), Human)
    assert "human" in KINDS
    person = make_agent("human")
    with pytest.raises(AgentError, match="human plays where somebody can be asked"):
        person.move(seen_at(LIMIT, ""))
    screens = []
    seat_people([person, make_agent("always_call", LIMIT)], lambda: screens.append(Script("x", "c")) or screens[-1])
    assert person.move(seen_at(LIMIT, "")) == CALL
    assert len(screens) == 1
    assert len(screens[0].hints) == 1


def test_a_person_plays_a_hand_and_leaves_the_next():
    screen = Script("c", "c", "c", "c")
    agents = [make_agent("always_call", LIMIT), Human(screen)]
    cards = deal_cards(LIMIT, random.Random(1))
    record = play_hand(LIMIT, agents, cards, [random.Random(1), random.Random(2)])
    assert record.line == "ck/kk/kk/kk"
    assert screen.result.chips == record.chips[1]
    assert len(screen.seen) == 1 + len(record.moves)
    with pytest.raises(LeftTheTable):
        play_hand(LIMIT, agents, cards, [random.Random(1), random.Random(2)])


def test_the_screen_says_how_a_hand_ended_where_nobody_else_does(capsys):
    class Answers:
        terminal = False

        def read(self, prompt):
            return "c"

    screen = play_screen.TableScreen(Answers(), "always_call")
    play_hand(
        LIMIT,
        [make_agent("always_call", LIMIT), Human(screen)],
        deal_cards(LIMIT, random.Random(1)),
        [random.Random()] * 2,
    )
    assert re.search(r"^You (win|lose) 2 chips; always_call had .. ..\.$", capsys.readouterr().out, re.M)


# ---- terminals


def test_a_narrow_pipe_gets_no_grid():
    out = play("--seed", "5", "--hands", "1", typed=CALLS, columns=40).stdout
    assert re.search(r"^blueprint:nolimit may have had: \w+ \d+ %, ", out, re.M)
    assert "upper right" not in out


class Terminal:
    """Answers as a terminal gives them."""

    terminal = True

    def read(self, prompt):
        return "c"


@pytest.mark.parametrize(("columns", "drawn"), [(100, True), (44, True), (43, False), (20, False)])
def test_cards_are_drawn_where_there_is_room(monkeypatch, capsys, columns, drawn):
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(play_screen, "can_draw", lambda: True)
    screen = play_screen.TableScreen(Terminal(), "bot")
    seen = seen_at(NO_LIMIT, "r6c/b6")
    screen.begin(seen)
    screen.ask(seen, offers(seen))
    out = capsys.readouterr().out
    assert ("│7♣ │ │7♦ │ │7♥ │ ┆   ┆ ┆   ┆" in out) == drawn
    assert ("2c 3d on 7c 7d 7h; pot 18, to call 6; you have 194, bot 188" in " ".join(out.split())) != drawn
    if drawn:
        assert max(map(len, out.splitlines()[1:-1])) <= columns
        assert "bot: 6 in, 188 left" in out


def test_without_the_characters_nothing_is_drawn(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(play_screen, "can_draw", lambda: False)
    seen = seen_at(NO_LIMIT, "")
    play_screen.TableScreen(Terminal(), "bot").draw(seen)
    assert capsys.readouterr().out.isascii()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_real_terminal_and_ctrl_c(small):
    import pty

    child, terminal = pty.fork()
    if not child:
        os.environ |= {"COLUMNS": "90", "TERM": "dumb", "PYTHONPATH": str(Path(__file__).parent.parent)}
        os.execv(sys.executable, [sys.executable, "-m", "mccfr", "play", small, "--seed", "3", "--seat", "1"])
    shown = _typed(terminal, [b"f\n", b"\x03"])
    assert "┌───┐" in shown
    assert "1 hand: -1 chips" in shown.partition("You have left the table")[2]
    assert os.waitpid(child, 0)[1] == 0


def _typed(terminal, answers):
    """What a program shows, given an answer at each of its prompts.

    Ctrl-C is pressed again after a while, as people do: Python's readline loses one that comes between its prompt and
    its waiting for input.
    """
    shown, end, answered, pressed = b"", time.monotonic() + 120, 0, float("inf")
    while time.monotonic() < end:
        if select.select([terminal], [], [], 1.0)[0]:
            try:
                shown += os.read(terminal, 65536)
            except OSError:  # it has ended
                break
        if answers and shown.endswith(b"> ") and len(shown) > answered:  # a prompt of its own for each answer
            answered = len(shown)
            pressed = time.monotonic() if answers[0] == b"\x03" else pressed
            os.write(terminal, answers.pop(0))
        elif time.monotonic() > pressed + 5.0:
            pressed = time.monotonic()
            os.write(terminal, b"\x03")
    return shown.decode()


# ---- mistakes on the command line


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["blueprint:nolimt"], "no blueprint 'nolimt'"),
        (["alway_call", "--game", "holdem(limit)"], "did you mean always_call"),
        (["always_call"], "say at which, as in --game 'holdem(limit)'"),
        (["--game", "leduc"], "is not whole hold'em"),
        (["--game", "holdem(limit)"], "blueprint:nolimit is for"),
        (["--seat", "2"], "'2' is not one of"),
        (["--hands", "0"], "give a whole number from 1"),
        (["--spots", "rivver"], "did you mean river"),
        (["--spots", "flop:AhAh2c"], "there already"),
        (["--spots", "flop:Ah7d"], "has 2 cards, expected"),
        (["--spots", "hands:XX"], "no range of hands"),
        (["--spots", "hands:"], "no hands; expected a range"),
        (["--spots", " ; "], "no kind of spots"),
        (["--spots", "river", "--out", "x.phhs"], "spots are not played to their end"),
        (["--out", "x.txt"], "saved as .phhs"),
        (["human", "--game", "holdem(limit)", "--spots", "river"], "spots are dealt by a strategy"),
    ],
)
def test_mistakes_get_one_line(given, words):
    result = play(*given, code=2)
    assert words in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


# ---- results


def test_the_running_result_counts_the_players_seat(monkeypatch):
    record = HandRecord(LIMIT, ((0, 1), (2, 3)), (), LIMIT.at("f")[1])
    monkeypatch.setattr(running_result, "fair_chips", lambda record, policies: 0.25)
    result = RunningResult(2)
    result.add(record, 1, (None, None))
    result.add(record, 0, (None, None))
    assert result.chips == [-1.0, 1.0]
    assert result.fair == [-0.25, 0.25]
    assert result.per_hundred(result.chips[:1]).mean == -50.0
    low, high = result.per_hundred(result.chips)[1:]
    assert high == pytest.approx(-low)
    assert high == pytest.approx(100 / 2 * 12.706204736)  # t with one degree of freedom, standard error 1


@pytest.mark.parametrize("line", ["", "c", "r4", "r4c/k", "r4c/kb2"])
def test_the_range_shown_is_that_of_the_moves(small, line):
    """Against the slow twin, hand by hand."""
    policy = StrategyPolicy(mccfr.load(small))
    table = policy.table
    s, moves = table.at(line)
    board = (7, 4, 1)[: table.board_size(s.street)]
    record = HandRecord(table, ((0, 5), (2, 3)), board, moves)
    found = shown_range(policy, record, 1)
    seen = Seen(table, 0, record.holes[0], board, s, moves)
    for hand, cards in enumerate(table.deck.hand_cards.tolist()):
        blocked = {*cards} & {*record.holes[0], *board}
        assert found.weights[hand] == pytest.approx(0.0 if blocked else slow.probability(policy, seen, tuple(cards)))
    assert sum(share for _, share in found.likeliest) == pytest.approx(1.0)


def test_the_grid_is_a_mean_over_the_hands_of_a_class():
    policy = PotOdds(LIMIT)
    board = LIMIT.deck.read_cards("Ah 7d 2c")
    record = HandRecord(
        LIMIT, (LIMIT.deck.read_cards("As Ks"), LIMIT.deck.read_cards("7c 7s")), board, LIMIT.at("r4c/kb2")[1]
    )
    found = shown_range(policy, record, 1)
    assert np.nanmax(found.grid) == 100.0
    cards = LIMIT.deck.hand_cards
    aces = [j for j in range(len(cards)) if set(cards[j] // 4) == {12} and not {*cards[j]} & {50, 51}]
    assert found.grid[0] == pytest.approx(100.0 * np.mean(found.weights[aces]) / found.weights.max())
    assert found.table("title") is not None


def test_solutions_fit_their_table(small):
    agent = PolicyAgent(StrategyPolicy(mccfr.load(small)))
    assert solution_for(agent.policy.table, agent) is agent.policy
    assert solution_for(LIMIT).name == "blueprint:limit"
    assert solution_for(table_of("holdem(nolimit(stack=1000, blinds='5 10', bet='a'))")).name == "blueprint:nolimit"
    assert solution_for(table_of("holdem(nolimit(stack=60, bet='a'))")) is None
    assert solution_for(table_of(SMALL)) is None


def test_hands_are_saved_after_each_of_them(small, tmp_path):
    pytest.importorskip("mccfr.protocols.phh_files")
    file = tmp_path / "hands.phhs"
    out = play("--seed", "3", "--seat", "1", "--out", str(file), typed="f\nf\nq\n").stdout
    assert f"saved {file}" in out
    from mccfr.cli.hand_files import read_history

    assert [record.line for record in read_history(str(file))] == ["f", "f"]
