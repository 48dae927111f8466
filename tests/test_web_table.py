"""The table of the page, on the server: hands by messages, what is refused, and that no hidden card is ever sent."""

import inspect
import io
import itertools
import json
import random
import re
import sys
import threading
import time
import types

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats
from test_web import Page, start

from mccfr.betting.lines import ALL_IN, BETS, Move
from mccfr.cards.deck import CLASS_NAMES, CLASS_OF_HAND
from mccfr.cli.main import cli
from mccfr.errors import MccfrError
from mccfr.playing.agent import Agent
from mccfr.playing.played_hand import deal_cards, play_hand
from mccfr.playing.policy_agent import PolicyAgent
from mccfr.playing.seen import Seen
from mccfr.playing.simple_policies import SIMPLE
from mccfr.playing.table import TableError, table_of
from mccfr.web import hand_review, hands_to_download, move_words, page_hand, seats, table_game, table_view, tally
from mccfr.web.admit import Given
from mccfr.web.opponents import Opponent, Opponents
from mccfr.web.page_hand import PageHand
from mccfr.web.seats import Games, Seat
from mccfr.web.stock import SharedError
from mccfr.web.table_game import Game

NOLIMIT, LIMIT = table_of("holdem(nolimit(stack=200, bet=a))"), table_of("holdem(limit)")
CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")


def simple(name, table=NOLIMIT):
    return SIMPLE[name](table)


def no_words(records):
    """In the place of what writes PHHS: a table for which it has no words."""
    raise TableError("no words for this table")


def against(name, table=NOLIMIT):
    return Opponent(name, table, simple(name, table))


def planted(module, old, new):
    """A copy of a module with a bug in it."""
    text = inspect.getsource(module)
    assert old in text, f"nothing to change: {old!r}"
    copy = types.ModuleType(module.__name__)
    sys.modules[module.__name__] = copy  # where its classes look for their module
    try:
        exec(compile(text.replace(old, new, 1), module.__file__, "exec"), copy.__dict__)
    finally:
        sys.modules[module.__name__] = module
    return copy


# ---- a hand in steps is the hand that agents play


class Spy(PolicyAgent):
    """Writes down what it is told."""

    def __init__(self, policy):
        super().__init__(policy)
        self.heard = []

    def start(self, seen, dice):
        self.heard.append(("start", seen))
        super().start(seen, dice)

    def see(self, seen):
        self.heard.append(("see", seen))

    def end(self, seen, result):
        self.heard.append(("end", seen, result))


def by_steps(make, table, seat, cards, seed):
    """A hand in which the page's moves come one by one; its record, and what the agent heard."""
    agent, you = Spy(simple("random", table)), PolicyAgent(simple("random", table))
    hand = make(table, agent, seat, cards, random.Random(f"{seed} agent"), 1)
    you.start(hand.seen_by(seat), random.Random(f"{seed} you"))
    hand.let_agent_move()
    while not hand.over:
        hand.play(you.move(hand.seen_by(seat)))
        hand.let_agent_move()
    return hand.record, agent.heard


def by_agents(table, seat, cards, seed):
    agent, you = Spy(simple("random", table)), PolicyAgent(simple("random", table))
    agent_dice, your_dice = random.Random(f"{seed} agent"), random.Random(f"{seed} you")
    order = ((you, your_dice), (agent, agent_dice)) if seat == 0 else ((agent, agent_dice), (you, your_dice))
    record = play_hand(table, [one for one, _ in order], cards, [dice for _, dice in order], 1)
    return record, agent.heard


def differing_hands(make, hands=60):
    """Hands that steps play otherwise than agents do."""
    found = 0
    for seed, table, seat in itertools.product(range(hands // 4), (NOLIMIT, LIMIT), (0, 1)):
        cards = deal_cards(table, random.Random(seed))
        one, heard = by_steps(make, table, seat, cards, seed)
        other, also = by_agents(table, seat, cards, seed)
        same = (one.holes, one.board, one.moves, one.chips) == (other.holes, other.board, other.moves, other.chips)
        found += not (same and heard == also)
    return found


def test_a_hand_in_steps_is_the_hand_of_agents():
    assert differing_hands(PageHand) == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("showdown = self.over and self.state.folded == NOBODY", "showdown = self.over"),
        ("shown = self.holes if self.state.folded == NOBODY else", "shown = self.holes if self.over else"),
        ("while self.state.mover == 1 - self.seat", "if self.state.mover == 1 - self.seat and not self.moves"),
        ("self.record.chips[agents]", "self.record.chips[self.seat]"),
        ("self.agent.see(self.seen_by(1 - self.seat))", "self.agent.see(self.seen_by(self.seat))"),
    ],
)
def test_bugs_in_steps_are_caught(old, new):
    make = planted(page_hand, old, new).PageHand
    try:
        assert differing_hands(make) > 0
    except (TableError, AttributeError, KeyError, IndexError):
        pass  # it did not even get to the end


# ---- a hand by messages


@pytest.fixture(scope="module")
def port():
    return start(Given(agents=("always_call", "pot_odds", "random")))


@pytest.fixture
def page(port):
    with Page(port) as page:
        yield page


def sit(page, agent="always_call", **more):
    found = page.ask("sit", agent=agent, **more)
    assert found["type"] == "table", found
    return found


def move(page, table, text):
    return page.ask("act", hand=table["hand"]["number"], line=table["hand"]["line"], move=text)


def play_on(page, table, choose):
    """To the end of a hand; `choose` picks one of the buttons."""
    while table["hand"]["turn"] == "you":
        table = move(page, table, choose(table["hand"])["move"])
        assert table["type"] == "table", table
    return table


def passive(hand):
    return next(one for one in hand["moves"] if one["move"] in "kc")


@pytest.mark.slow
def test_a_whole_hand_by_messages(page):
    assert sit(page)["hand"] is None
    table = page.ask("deal")
    hand = table["hand"]
    assert (hand["number"], hand["dealer"], hand["turn"], hand["pot"]) == (1, True, "you", 3)
    assert (hand["you"]["bet"], hand["agent"]["bet"], hand["you"]["stack"]) == (1, 2, 199)
    assert [one["move"] for one in hand["moves"]] == ["f", "c", "r4", "r6", "a200"]
    table = move(page, table, "r6")
    assert table["hand"]["line"] == "r6c/k"
    assert (table["hand"]["pot"], len(table["hand"]["board"]), table["hand"]["verb"]) == (12, 3, "Bet")
    table = move(page, table, "b7")  # any legal amount, whatever the buttons say
    assert table["hand"]["line"] == "r6c/kb7c/k"
    table = play_on(page, table, passive)
    hand = table["hand"]
    assert hand["result"]["showdown"]
    assert abs(hand["result"]["chips"]) in (0, 13)
    assert hand["you"]["stack"] == 200 + hand["result"]["chips"]
    assert hand["log"][0]["text"] == "Hand 1: you deal and post 1, the agent posts 2."
    assert [line["text"] for line in hand["log"] if line["who"] == "you"][:2] == ["You raise to 6.", "You bet 7."]
    assert len(hand["agent"]["cards"]) == 2
    assert table["score"]["plain"]["hands"] == 1
    review = page.ask("review")
    assert [one["made"] for one in review["decisions"]] == ["Raise to 6", "Bet 7", "Check", "Check"]
    assert review["decisions"][0]["probability"] is None  # it would have called
    assert sum(cell["share"] for cell in review["range"]["cells"]) == pytest.approx(1.0)
    table = page.ask("deal")
    assert (table["hand"]["number"], table["hand"]["dealer"]) == (2, False)


def test_a_fold_ends_a_hand_and_the_score_adds_up(page, monkeypatch):
    sit(page)
    total = 0
    for number in range(1, 6):
        table = page.ask("deal")
        if number % 2 == 0:  # it called in the small blind, and nothing has to be called
            table = move(page, table, "a200")
        else:
            table = move(page, table, "f")
        hand = table["hand"]
        assert hand["result"]["showdown"] is (number % 2 == 0)
        total += hand["result"]["chips"]
        assert (table["score"]["plain"]["hands"], table["score"]["plain"]["chips"]) == (number, total)
        assert table["score"]["plain"]["bb100"] == pytest.approx(100 * total / 2 / number)
        assert table["score"]["plain"]["within"] is None
    assert total % 100 == 97 or total in (-3, 397, -403)
    monkeypatch.setattr(hands_to_download, "phhs_text", no_words)
    lines = page.ask("history")
    assert lines["name"] == "hands.jsonl"
    hands = [json.loads(line) for line in lines["text"].splitlines()]
    assert [hand["hand"] for hand in hands] == [1, 2, 3, 4, 5]
    assert hands[0]["players"] == ["always_call", "you"]
    assert hands[0]["chips"] == [1.0, -1.0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("k", "cannot check now: expected fold, call, 4 to 200 chips"),
        ("r3", "cannot raise 3 now: expected fold, call, 4 to 200 chips"),
        ("b201", "cannot raise 201 now"),
        ("a999999999", "cannot raise 999999999 now"),
        ("r0", "cannot raise 0 now"),
        ("x", "message: move: String should match pattern"),
        ("r", "message: move: String should match pattern"),
        ("r6c", "message: move: String should match pattern"),
        ("r1234567890", "message: move: String should match pattern"),
        ("r٣", "message: move: String should match pattern"),
        ("f\n", "message: move: String should match pattern"),
    ],
)
def test_illegal_moves_are_refused_in_one_line(page, text, said):
    sit(page)
    table = page.ask("deal")
    refused = move(page, table, text)
    assert refused["type"] == "error"
    assert said in refused["message"]
    assert "\n" not in refused["message"]
    assert sit(page, game=table["game"])["hand"] == table["hand"]  # nothing has changed
    assert move(page, table, "f")["hand"]["result"]["chips"] == -1


def test_moves_at_the_wrong_time_are_refused(page):
    assert "nobody sits at the table" in page.ask("deal")["message"]
    table = sit(page)
    for kind in ({"kind": "act", "hand": 1, "line": "", "move": "f"}, {"kind": "review"}):
        assert page.ask(**kind)["type"] == "error"
    table = page.ask("deal")
    assert "hand 1 is not over" in page.ask("deal")["message"]
    assert "is reviewed when it is over" in page.ask("review")["message"]
    after = move(page, table, "r6")
    assert "for another moment" in move(page, table, "r6")["message"]  # a second click
    assert "for another moment" in page.ask("act", hand=2, line=after["hand"]["line"], move="k")["message"]
    assert page.ask("history")["text"] == ""
    table = play_on(page, after, passive)
    assert "no hand is being played" in move(page, table, "k")["message"]


@pytest.mark.parametrize("name", ["nosuch", "blueprint:../x", "/etc/passwd", "uniform:leduc", "human", ""])
def test_a_page_names_no_other_agent(page, name):
    refused = page.ask("sit", agent=name)
    assert refused["type"] == "error"
    assert "expected one of always_call, pot_odds, random, blueprint:nolimit, blueprint:limit" in refused["message"]


@pytest.mark.parametrize(
    "facts",
    [{}, {"agent": 3}, {"agent": "always_call", "game": 5}, {"agent": "x" * 301}, {"agent": "random", "seed": 1}],
)
def test_bad_messages_to_the_table(page, facts):
    refused = page.ask("sit", **facts)
    assert refused["type"] == "error"
    assert "\n" not in refused["message"]


# ---- pages


def test_two_pages_play_two_games(port):
    with Page(port) as one, Page(port) as other:
        sit(one, "random"), sit(other, "random")
        tables = {page: page.ask("deal") for page in (one, other)}
        assert tables[one]["game"] != tables[other]["game"]
        done = move(one, tables[one], "f")
        assert done["hand"]["result"]["chips"] == -1
        assert sit(other, "random", game=tables[other]["game"])["hand"] == tables[other]["hand"]
        assert move(other, tables[other], "f")["score"]["plain"]["hands"] == 1


def test_a_page_that_closes_mid_hand_finds_its_game_again(port):
    with Page(port) as page:
        sit(page)
        before = move(page, page.ask("deal"), "r6")
    with Page(port) as page:
        after = sit(page, game=before["game"])
        assert after == {**before, "id": after["id"]}
        assert move(page, after, "k")["type"] == "table"
        assert sit(page, "pot_odds", game=before["game"])["hand"] is None  # another agent: another game
    with Page(port) as page:
        assert sit(page, game=before["game"])["hand"] is None  # that one is over
        assert sit(page, game="nosuch")["hand"] is None


def test_a_game_goes_on_in_one_page_only(port):
    with Page(port) as old, Page(port) as new:
        token = sit(old)["game"]
        old.ask("deal")
        taken = sit(new, game=token)
        assert taken["hand"]["number"] == 1
        assert "goes on in another page" in move(old, taken, "f")["message"]
        assert move(new, taken, "f")["type"] == "table"


def test_watching_goes_on_beside_a_table(page):
    page.open()
    sit(page)
    hand = page.ask("deal")
    assert page.ask("step", count=3)["lanes"][0]["iteration"] == 3
    assert move(page, hand, "f")["hand"]["result"]["chips"] == -1


# ---- hidden cards


class Overheard(Page):
    """A page that keeps every text it was sent."""

    def __init__(self, port):
        super().__init__(port)
        receive, self.texts = self.socket.recv, []
        self.socket.recv = lambda **options: self.texts.append(receive(**options)) or self.texts[-1]


def names_in(texts):
    return {name for text in texts for name in CARD.findall(text)}


@pytest.mark.parametrize("agent", ["random", "pot_odds", "blueprint:limit"])
def test_hidden_cards_are_never_sent_before_the_end(port, monkeypatch, agent):
    dealt = []
    monkeypatch.setattr(table_game, "deal_cards", lambda *given: dealt.append(deal_cards(*given)) or dealt[-1])
    dice, ends = random.Random(3), 0
    with Overheard(port) as page:
        table = sit(page, agent)
        deck = Opponents().find("blueprint:limit").table.deck
        for number in range(1, 9):
            page.texts.clear()
            table = page.ask("deal")
            names = [deck.card_name(card) for card in dealt[-1]]
            seat = 1 if number % 2 else 0
            own, hidden, board = names[2 * seat :][:2], names[2 - 2 * seat :][:2], names[4:]
            while table["hand"]["turn"] == "you":
                for kind in ("review", "deal", "history"):
                    page.ask(kind)
                page.texts[-1] = ""  # the history shows the hands before this one
                move(page, table, "b999999999")
                assert names_in(page.texts) <= {*own, *board[: len(table["hand"]["board"])]}
                assert table["hand"]["agent"]["cards"] is None
                assert not names_in([json.dumps(table["hand"])]) & {*hidden, *board[len(table["hand"]["board"]) :]}
                table = move(page, table, dice.choice(table["hand"]["moves"])["move"])
            assert table["hand"]["agent"]["cards"] == hidden
            assert set(hidden) <= names_in(page.texts)  # so the test would have seen them
            ends += 1
    assert ends == 8


def test_a_leak_would_be_seen():
    bug = planted(table_view, "shown=hand.over)", "shown=True)")
    hand = PageHand(
        NOLIMIT, PolicyAgent(simple("random")), 1, deal_cards(NOLIMIT, random.Random(1)), random.Random(1), 1
    )
    hidden = {NOLIMIT.deck.card_name(card) for card in hand.holes[0]}
    assert not hidden & names_in([json.dumps(table_view.hand_view(hand, None))])
    assert hidden <= names_in([json.dumps(bug.hand_view(hand, None))])


def test_cards_cannot_be_guessed_from_those_before():
    games = [Game(against("always_fold")) for _ in range(2)]
    seen = []
    for game in games:
        game.deal()
        seen.append(game.hand.holes)
    assert seen[0] != seen[1]
    assert len({game.token for game in games}) == 2


# ---- words and sizes


def test_half_pot_pot_and_all_in():
    after, _ = NOLIMIT.at("r6c/kb8")
    found = move_words.offered_bets(NOLIMIT, after, [])
    # the pot after calling 8 is 28: half of it more is 22, all of it more is 36
    assert found == [Move(4, 22), Move(4, 36), Move(ALL_IN, 194)]
    assert [move_words.size_words(NOLIMIT, after, one) for one in found] == ["½ pot", "pot", ""]
    assert [move_words.spoken(after, one) for one in found] == ["Raise to 22", "Raise to 36", "All-in 194"]
    first, _ = NOLIMIT.at("r6c/")
    assert [one.text for one in move_words.offered_bets(NOLIMIT, first, [Move(BETS, 9)])] == ["b6", "b9", "b12", "a194"]
    assert move_words.size_words(NOLIMIT, first, Move(BETS, 9)) == "75% pot"
    short, _ = NOLIMIT.at("r66c/b120")
    assert [one.text for one in move_words.offered_bets(NOLIMIT, short, [])] == ["a134"]
    assert move_words.offered_bets(NOLIMIT, NOLIMIT.at("a200")[0], []) == []
    limit, _ = LIMIT.at("r4c/b2")
    assert [one.text for one in move_words.offered_bets(LIMIT, limit, [])] == ["r4"]


def test_sentences_say_what_happened():
    game = Game(against("always_call"), seeds=lambda: 7)
    game.deal()
    for text in ("a200",):
        game.act(1, game.hand.state.line, text)
    told = [line["text"] for line in game.view()["hand"]["log"]]
    assert told[1:3] == ["You go all-in with 200.", "The agent calls 198."]
    assert [text.partition(":")[0] for text in told[3:6]] == ["Flop", "Turn", "River"]
    assert told[5].endswith("The pot is 400.")
    assert told[6].startswith("Showdown: you have ")
    assert len(told) == 7


# ---- after the hand


def played(seed):
    """A game against the pot-odds player after its first hand, in which the page checks and calls."""
    game = Game(against("pot_odds"), seeds=lambda: seed)
    game.deal()
    while not game.hand.over:
        game.act(game.number, game.hand.state.line, game.hand.seen_by(game.hand.seat).legal.moves[-1].text)
    return game


PLAYED = [played(seed) for seed in (6, 10, 22)]  # the agent bets in these


def slow_weights(policy, record, seat):
    """P(moves of the seat | hand) for every hand that is possible, one hand and one move at a time."""
    found, agent = {}, PolicyAgent(policy)
    gone = {*record.board, *record.holes[1 - seat]}
    for number, hole in enumerate(policy.table.deck.hand_cards.tolist()):
        if gone & set(hole):
            continue
        s, weight = policy.table.start, 1.0
        for j, made in enumerate(record.moves):
            if s.mover == seat and weight:
                board = record.board[: policy.table.board_size(s.street)]
                weight *= agent.odds(Seen(policy.table, seat, tuple(hole), board, s, record.moves[:j])).get(made, 0.0)
            s = policy.table.play(s, made)
        found[number] = weight
    return found


def range_differs(module, game):
    """How far the cells of a range are from what the slow way says."""
    record, seat = game.hand.record, 1 - game.hand.seat
    slow = slow_weights(game.policy, record, seat)
    found = module.agents_range(game.policy, record, seat)
    total, off = sum(slow.values()), 0.0
    for cell in found["cells"]:
        number = CLASS_NAMES.index(cell["hand"])
        hands = [weight for hand, weight in slow.items() if CLASS_OF_HAND[hand] == number]
        assert (cell["row"], cell["column"]) == divmod(number, 13)
        off = max(off, abs(cell["weight"] - np.mean(hands)), abs(cell["share"] - sum(hands) / total))
    return off


@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.hand.record.line)
def test_the_range_is_what_the_strategy_does_hand_by_hand(game):
    assert range_differs(hand_review, game) < 1e-12
    shown = hand_review.agents_range(game.policy, game.hand.record, 1 - game.hand.seat)
    held = CLASS_NAMES[
        CLASS_OF_HAND[NOLIMIT.deck.hand_cards.tolist().index(sorted(game.hand.holes[1 - game.hand.seat]))]
    ]
    assert next(cell["weight"] for cell in shown["cells"] if cell["hand"] == held) > 0
    assert max(cell["height"] for cell in shown["cells"]) == 1.0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(*record.board, *record.holes[1 - seat])", "record.board"),
        ("(*record.board, *record.holes[1 - seat])", "(*record.board, *record.holes[seat])"),
        ("record.moves, seat)", "record.moves, 1 - seat)"),
    ],
)
def test_bugs_in_the_range_are_caught(old, new):
    assert max(range_differs(planted(hand_review, old, new), game) for game in PLAYED) > 1e-6


def test_a_small_deck_has_no_grid():
    small = table_of("holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)")
    game = Game(against("always_call", small), seeds=lambda: 1)
    game.deal()
    while not game.hand.over:
        game.act(game.number, game.hand.state.line, game.hand.seen_by(game.hand.seat).legal.moves[-1].text)
    assert game.review()["range"] is None


@pytest.mark.slow
def test_advice_is_what_the_strategy_does_with_the_same_cards():
    game = Game(Opponents().find("blueprint:limit"), seeds=lambda: 11)
    game.deal()
    while not game.hand.over:
        seen = game.hand.seen_by(game.hand.seat)
        expected = PolicyAgent(game.policy).odds(seen)
        found = game.decisions[-1].odds
        assert {one: p for one, p in found.items() if p > 0.0} == expected
        assert sum(found.values()) == pytest.approx(1.0)
        game.act(game.number, game.hand.state.line, seen.legal.moves[-1].text)
    told = game.review()["decisions"]
    assert [one["made"] for one in told] == [move_words.spoken(one.state, one.made) for one in game.decisions]
    assert all(one["probability"] == each.odds[each.made] for one, each in zip(told, game.decisions))


def test_agents_without_a_strategy_can_be_played():
    class Caller(Agent):
        name = "caller"

        def move(self, seen):
            return seen.legal.moves[-1]

    class Own(Opponent):
        def agent(self):
            return Caller()

    game = Game(Own("caller", NOLIMIT, None))
    game.deal()
    game.act(1, "", "a200")
    review = game.review()
    assert (review["range"], review["decisions"], review["score"]["aivat"]) == (None, [], None)


def test_a_hand_that_the_agent_cannot_play_does_not_count():
    class Broken(Agent):
        name = "broken"

        def move(self, seen):
            return Move(BETS, 10**6)

    class Own(Opponent):
        def agent(self):
            return Broken()

    game = Game(Own("broken", NOLIMIT, None))
    game.deal()
    with pytest.raises(MccfrError, match="broken made an illegal move"):
        game.act(1, "", "r6")
    assert game.view()["hand"] is None
    assert game.plain.hands == 0
    with pytest.raises(MccfrError):
        game.deal()  # it moves first now
    game.deal()
    assert game.hand.number == 3


# ---- the score


def test_the_interval_is_students():
    values = np.random.default_rng(5).normal(0.3, 9.0, 40)
    count = tally.Tally()
    for number, value in enumerate(values, 1):
        count.add(float(value))
        told = count.told(big_blind=2)
        if number < tally.ENOUGH:
            assert told["within"] is None
            continue
        so_far = values[:number]
        low, high = stats.t.interval(0.95, number - 1, so_far.mean(), stats.sem(so_far))
        assert told["bb100"] == pytest.approx(50 * so_far.mean(), rel=1e-12)
        assert told["within"] == pytest.approx(50 * (high - low) / 2, rel=1e-12)
        assert told["chips"] == pytest.approx(so_far.sum())
    assert tally.Tally().told(2)["bb100"] is None


@pytest.fixture
def stand_in(monkeypatch):
    """A module in the place of AIVAT: the big blind wins 3 chips by it in every hand."""
    asked = []

    def aivat(record, policies):
        asked.append((record, policies))
        return 3.0

    monkeypatch.setattr(tally, "aivat", aivat)
    return asked


def test_luck_is_taken_out_for_the_right_seat(stand_in):
    game = Game(against("always_fold"))
    for number in (1, 2, 3):
        game.deal()
        game.act(number, game.hand.state.line, "r6") if not game.hand.over else None
        if number != 2:
            game.review()
    # hands 1 and 3 were the dealer's; in hand 2 the agent folded its small blind, and nobody asked about it at once
    assert [policies for _, policies in stand_in] == [(game.policy, None), (None, game.policy), (game.policy, None)]
    assert game.score()["aivat"]["chips"] == -3.0
    assert game.score()["aivat"]["hands"] == game.score()["plain"]["hands"] == 3


def test_no_figure_without_luck_for_some_of_the_hands(stand_in, monkeypatch):
    game = Game(against("always_fold"))
    answers = iter([1.0, TableError("no value"), 1.0])

    def aivat(record, policies):
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(tally, "aivat", aivat)
    told = []
    for number in (1, 2, 3):
        game.deal()
        game.act(number, game.hand.state.line, "r6") if not game.hand.over else None
        told.append(game.review()["score"]["aivat"])
    assert told[0]["chips"] == -1.0
    assert told[1:] == [None, None]


def test_luck_stays_where_it_cannot_be_told():
    game = played(1)
    assert tally.without_luck(game.hand.record, 0, None) is None


# ---- what all pages share


def test_games_are_bounded(monkeypatch):
    monkeypatch.setattr(seats, "MOST_GAMES", 2)
    now = [0.0]
    games, opponents = Games(lambda: now[0]), Opponents(("always_call",))
    opponents._known["always_call"] = against("always_call")
    pages = [Seat(opponents, games) for _ in range(3)]
    wish = seats.Sit(type="sit", agent="always_call")
    tokens = []
    for page in pages[:2]:
        tokens.append(page.answer(wish)["game"])
        now[0] += 1.0
    with pytest.raises(SharedError, match="2 games are being played"):
        pages[2].answer(wish)
    pages[0].leave()
    pages[2].answer(wish)  # in the place of the game that nobody plays
    assert len(games) == 2
    assert games.take(tokens[0], "always_call", pages[0]) is None
    now[0] += seats.FORGOTTEN + 1
    pages[2].answer(seats.Sit(type="sit", agent="always_call", game="x"))
    assert len(games) == 1
    with pytest.raises(TableError, match="for an hour"):
        pages[1].answer(seats.Deal(type="deal"))


def test_a_page_has_one_game():
    games, opponents = Games(), Opponents(("always_call", "random"))
    opponents._known |= {name: against(name) for name in ("always_call", "random")}
    page = Seat(opponents, games)
    for name in ("always_call", "random", "always_call", "always_call"):
        page.answer(seats.Sit(type="sit", agent=name))
        assert len(games) == 1


def test_history_is_bounded(monkeypatch):
    monkeypatch.setattr(table_game, "MOST_HANDS", 4)
    monkeypatch.setattr(hands_to_download, "phhs_text", no_words)
    game = Game(against("always_fold"))
    for _ in range(9):
        game.deal()
        if not game.hand.over:
            game.act(game.number, game.hand.state.line, "f")
    assert [json.loads(line)["hand"] for line in game.history()["text"].splitlines()] == [6, 7, 8, 9]
    assert game.score()["plain"]["hands"] == 9


@pytest.mark.parametrize("table", [NOLIMIT, LIMIT], ids=["nolimit", "limit"])
def test_hands_are_downloaded_as_others_read_them(table):
    notation = pytest.importorskip("pokerkit.notation")
    game = Game(against("random", table), seeds=itertools.count(5).__next__)
    for _ in range(3):
        game.deal()
        while not game.hand.over:
            game.act(game.number, game.hand.state.line, game.hand.seen_by(game.hand.seat).legal.moves[-1].text)
    found = game.history()
    assert found["name"] == "hands.phhs"
    hands = list(notation.HandHistory.load_all(io.BytesIO(found["text"].encode())))
    assert len(hands) == 3
    for hand, record in zip(hands, game.records):
        *_, last = hand
        assert tuple(last.payoffs) == record.chips


def test_an_agent_is_loaded_once_for_all_pages(monkeypatch):
    loaded = []

    def load(name):
        loaded.append(name)
        time.sleep(0.05)
        return against("always_call")

    monkeypatch.setattr("mccfr.web.opponents.load_opponent", load)
    opponents = Opponents()
    threads = [threading.Thread(target=opponents.find, args=("blueprint:limit",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert loaded == ["blueprint:limit"]
    assert opponents.at_hand("blueprint:limit")
    assert not opponents.at_hand("blueprint:nolimit")


@pytest.mark.slow
def test_pages_may_play_one_strategy_at_once():
    opponent = Opponents().find("blueprint:limit")

    def play(found):
        game = Game(opponent, seeds=lambda: 21)
        for _ in range(3):
            game.deal()
            while not game.hand.over:
                game.act(game.number, game.hand.state.line, game.hand.seen_by(game.hand.seat).legal.moves[-1].text)
        found.append((game.history()["text"], json.dumps(game.review())))

    found = []
    play(found)
    threads = [threading.Thread(target=play, args=(found,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 5
    assert len(set(found)) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--agent", "nosuch"], "no agent 'nosuch'; known: acpc, always_call"),
        (["--agent", "human"], "human is you"),
        (["--agent", "blueprint:nosuch"], "no blueprint 'nosuch'"),
        (["--agent", "uniform:leduc"], "cannot sit at a table"),
        (["--agent", "always_call", "--export", "x.html"], "--agent needs a server"),
    ],
)
def test_the_command_refuses_agents_in_one_line(arguments, said):
    found = CliRunner().invoke(cli, ["watch", "--no-browser", *arguments])
    assert found.exit_code == 2
    assert said in found.output
    assert "Traceback" not in found.output
