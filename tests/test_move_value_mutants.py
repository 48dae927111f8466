"""Mistakes in values of moves and in reviews, planted of four files: the slow twin notices each."""

import functools
import importlib
import random
import sys
import types
from pathlib import Path

import move_value_examples as slow
import numpy as np
import pytest
from planting import replaced
from test_move_values import policy, seen_after

from mccfr.playing.played_hand import HandRecord
from mccfr.playing.policy_agent import PolicyAgent
from mccfr.playing.seen import Seen
from mccfr.playing.simple_policies import PotOdds

PLAYING = Path(__file__).parent.parent / "mccfr" / "playing"
FILES = ("draw_moves", "hands_on_boards", "rollouts_from", "judging")  # each imports only earlier ones of them
ROLL, BOARDS, DRAW, JUDGE = "rollouts_from", "hands_on_boards", "draw_moves", "judging"

BUGS = {
    "folded chips are not given back": (
        "playing/rollouts_from:_Pairs._won",
        "betting.payoffs(s)[seat] + staked",
        "betting.payoffs(s)[seat]",
    ),
    "the other's chips are won": (
        "playing/rollouts_from:_Pairs._won",
        "betting.payoffs(s)[seat]",
        "betting.payoffs(s)[1 - seat]",
    ),
    "ties are won": (
        "playing/rollouts_from:_Pairs._won",
        "np.sign(mine.astype(np.int64) - theirs)",
        "np.where(mine >= theirs, 1, -1)",
    ),
    "the better hand loses": (
        "playing/rollouts_from:_Pairs._won",
        "np.sign(mine.astype(np.int64) - theirs)",
        "np.sign(theirs - mine.astype(np.int64))",
    ),
    "stakes of now are won at the end": (
        "playing/rollouts_from:_Pairs._won",
        "betting.stake(s) + staked",
        "betting.stake(self.seen.state) + staked",
    ),
    "all hands of the other are alike": (
        "playing/rollouts_from:_Pairs.__init__",
        "weight if self.believed else np.ones",
        "np.ones",
    ),
    "the player's cards block nothing": (
        "playing/rollouts_from:possible",
        "taken[:, list(seen.hole)] = True",
        "taken[:, list(seen.hole)] |= False",
    ),
    "the board blocks nothing": (
        "playing/rollouts_from:possible",
        "boards.astype(np.int64), True, axis=1)",
        "boards.astype(np.int64), False, axis=1)",
    ),
    "the policies are exchanged": (
        "playing/rollouts_from:move_values",
        "(own, other) if seen.seat == 0",
        "(own, other) if seen.seat == 1",
    ),
    "the hands are exchanged": (
        "playing/rollouts_from:_Pairs.__init__",
        "hands if seen.seat == 0 else hands[::-1]",
        "hands[::-1] if seen.seat == 0 else hands",
    ),
    "reach of the wrong seat": (
        "playing/rollouts_from:_Pairs._reach",
        "believe(theirs, hands, self.seen.moves, 1 - self.seen.seat)",
        "believe(theirs, hands, self.seen.moves, self.seen.seat)",
    ),
    "later moves have no probability": (
        "playing/rollouts_from:_Pairs._divided",
        "part.weight * p[p > 0.0]",
        "part.weight",
    ),
    "only the first later move is made": (
        "playing/rollouts_from:_Pairs._divided",
        "for move, p in odds.items():\n                part",
        "for move, p in list(odds.items())[:1]:\n                part",
    ),
    "the move itself is forgotten": (
        "playing/rollouts_from:_Pairs.value_after",
        "_after(s, move, group), totals)",
        "_after(s, move, group), totals) if s.street else None",
    ),
    "a loss is a gain": (
        "playing/rollouts_from:MoveValues.loss",
        "self._mixed(odds) - self.sums[done]",
        "self.sums[done] - self._mixed(odds)",
    ),
    "odds do not count in the mixture": (
        "playing/rollouts_from:MoveValues._mixed",
        "p * self.sums[move] for",
        "self.sums[move] for",
    ),
    "boards miss cards of the other player": (
        "playing/rollouts_from:boards_to_come",
        "not in (*seen.hole, *seen.board)]",
        "not in (*seen.hole, *seen.board, 0)]",
    ),
    "drawn boards hold the player's cards": (
        "playing/rollouts_from:boards_to_come",
        "*dice.sample(rest, sum(deals))",
        "*dice.sample([c for c in range(table.ranks * table.suits) if c not in seen.board], sum(deals))",
    ),
    "hands are drawn without weight": (
        "playing/rollouts_from:drawn_by_weight",
        "ends = np.cumsum(weight[here])",
        "ends = np.cumsum(np.ones(len(here)))",
    ),
    "drawn hands have no weight of their board": (
        "playing/rollouts_from:drawn_by_weight",
        "totals[chosen] / HANDS_A_BOARD",
        "np.ones(len(chosen)) / HANDS_A_BOARD",
    ),
    "the first move is drawn too often": (
        "playing/draw_moves:move_groups",
        "dice.random(up_to.shape[1])",
        "dice.random(up_to.shape[1]) ** 2",
    ),
    "strengths of another board": (
        "playing/hands_on_boards:HandsOnBoards.strength",
        "found[which[self.board], self.hand]",
        "found[0, self.hand]",
    ),
    "later cards are seen": (
        "playing/judging:decisions_of",
        "record.board[: table.board_size(s.street)]",
        "record.board",
    ),
    "the move is part of what was seen": (
        "playing/judging:decisions_of",
        "record.moves[:number])",
        "record.moves[: number + 1])",
    ),
    "the other's decisions are judged": ("playing/judging:decisions_of", "if s.mover == seat:", "if s.mover != seat:"),
    "the other's name is meant": (
        "playing/judging:seat_of",
        "record.names.index(hero)",
        "1 - record.names.index(hero)",
    ),
    "losses are sorted from the smallest": ("playing/judging:costliest_first", "-each.loss.mean", "each.loss.mean"),
}


def planted(monkeypatch, change=None):
    """The four files as modules of their own, with a change in one of them."""
    for name in FILES:
        text = (PLAYING / f"{name}.py").read_text()
        if change is not None and change[0].startswith(f"playing/{name}:"):
            text = replaced(text, change)
        module = types.ModuleType(f"mccfr.playing.{name}")
        monkeypatch.setitem(sys.modules, module.__name__, module)
        exec(compile(text, f"{name}.py", "exec"), module.__dict__)
    return [importlib.import_module(f"mccfr.playing.{name}") for name in FILES[2:]]


def test_the_files_as_they_are_have_all_comparisons_right(monkeypatch):
    assert wrong(*planted(monkeypatch)) == []


@pytest.mark.parametrize("bug", BUGS)
def test_comparisons_notice(monkeypatch, bug):
    assert wrong(*planted(monkeypatch, BUGS[bug]))


SITUATIONS = [
    ("", "5c4d", ""),
    ("r4", "5c2d", ""),
    ("c", "3c3d", ""),
    ("r4c/k", "3c3d", "5c4d2c"),
    ("ck/b2", "4c5d", "3c4d2c"),
]


def wrong(rollouts, judging):
    """What fails first; an error counts too."""
    for compare in (_review, _values, _by_strength, _hands_drawn, _drawn):
        try:
            found = list(compare(rollouts, judging))
        except Exception as error:
            found = [type(error).__name__]
        if found:
            return found
    return []


def players():
    """Two strategies."""
    return policy(slow.LIMIT), policy(slow.LIMIT, 5)


@functools.cache
def slow_value(seen, move):
    """The slow twin's value, worked out once."""
    return slow.value(seen, move, *players())


def _values(rollouts, judging):
    """Exact values of all moves."""
    for situation in SITUATIONS:
        seen = seen_after(players()[0].table, *situation)
        moves = seen.legal.moves
        found = rollouts.move_values(seen, moves, *players(), random.Random(1), boards=1000)
        for move in moves:
            if not found.exact or abs(found.value(move).mean - slow_value(seen, move)) > 1e-9:
                yield f"{situation} {move.label}"
        odds = {moves[0]: 0.25, moves[-1]: 0.75} if len(moves) > 1 else {moves[0]: 1.0}
        loss = sum(p * slow_value(seen, move) for move, p in odds.items()) - slow_value(seen, moves[0])
        if abs(found.loss(odds, moves[0]).mean - loss) > 1e-9:
            yield f"{situation} loss"


def _by_strength(rollouts, judging):
    """Exact values of players who go by the strength of their hands."""
    seen = seen_after(players()[0].table, "", "5c4d", "")
    rule = PotOdds(seen.table)
    found = rollouts.move_values(seen, seen.legal.moves, rule, rule, random.Random(1), boards=1000)
    for move in seen.legal.moves:
        if abs(found.value(move).mean - slow_value_by_strength(seen, move)) > 1e-9:
            yield move.label


@functools.cache
def slow_value_by_strength(seen, move):
    """The slow twin's value of such players."""
    return slow.value(seen, move, PotOdds(seen.table), PotOdds(seen.table))


def _hands_drawn(rollouts, judging):
    """A hand is drawn as often as its weight says, up to one time."""
    board, hand = np.array([0, 0, 0, 1, 1]), np.array([10, 11, 12, 10, 13])
    weight, totals = np.array([1.0, 3.0, 0.5, 2.0, 0.1]), np.array([4.5, 2.1])
    boards, hands, weights = rollouts.drawn_by_weight(board, hand, weight, totals, np.random.default_rng(1))
    for each in range(5):
        drawn = weights[(boards == board[each]) & (hands == hand[each])].sum()
        if abs(drawn - weight[each]) > totals[board[each]] / rollouts.HANDS_A_BOARD + 1e-9:
            yield f"hand {each}"


def _drawn(rollouts, judging):
    """The mean of many estimates lies within four standard errors of the exact value."""
    for line, hole in (("r4", "5c2d"), ("", "4c4d")):
        seen = seen_after(players()[0].table, line, hole, "")
        call = seen.legal.moves[1]
        found = [
            rollouts.move_values(seen, [call], *players(), random.Random(seed), boards=15).value(call).mean
            for seed in range(100)
        ]
        mean = sum(found) / 100
        error = (sum((each - mean) ** 2 for each in found) / 100 / 99) ** 0.5
        if abs(mean - slow_value(seen, call)) > 4 * error:
            yield f"{mean} not {slow_value(seen, call)}"


def _review(rollouts, judging):
    """Decisions of a player in two hands, the costliest first."""
    own, other = players()
    table = own.table
    lines = (("r4c/kk", ((0, 5), (6, 3)), (7, 4, 1)), ("ck/b2f", ((7, 2), (0, 1)), (3, 4, 5)))
    records = [
        HandRecord(table, holes, board, table.at(line)[1], ("Ann", "Bob"), number)
        for number, (line, holes, board) in enumerate(lines)
    ]
    found = judging.costliest_first(judging.judge_all(records, "Bob", own, other, boards=1000))
    expected = sorted((each for record in records for each in _losses(record, own)), key=lambda each: -each[0])
    for judgement, (loss, number, seen) in zip(found, expected, strict=True):
        if abs(judgement.loss.mean - loss) > 1e-9 or (judgement.number, judgement.seen) != (number, seen):
            yield f"{number} {seen.state.line}"


def _losses(record, own):
    """What each decision of the dealer has cost, with the number of the hand and what was seen."""
    s = record.table.start
    for number, move in enumerate(record.moves):
        if s.mover == 1:
            board = record.board[: record.table.board_size(s.street)]
            seen = Seen(record.table, 1, record.holes[1], board, s, record.moves[:number])
            odds = PolicyAgent(own).odds(seen)
            mix = sum(p * slow_value(seen, each) for each, p in odds.items())
            yield mix - slow_value(seen, move), record.number, seen
        s = record.table.play(s, move)
