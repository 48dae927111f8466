"""Mistakes in values of moves and in reviews, planted into copies of the package: comparisons with the slow twin notice.

This file is also the program that tries the copies.
"""

import importlib
import random
import sys
from pathlib import Path

import pytest
from planting import hunt, look_at_all

ROLL, BOARDS, DRAW, JUDGE = "playing/rollouts_from", "playing/hands_on_boards", "playing/draw_moves", "playing/judging"

BUGS = {
    "folded chips are not given back": (ROLL, "betting.payoffs(s)[seat] + staked", "betting.payoffs(s)[seat]"),
    "the other's chips are won": (ROLL, "betting.payoffs(s)[seat]", "betting.payoffs(s)[1 - seat]"),
    "ties are won": (ROLL, "np.sign(mine.astype(np.int64) - theirs)", "np.where(mine >= theirs, 1, -1)"),
    "the better hand loses": (
        ROLL,
        "np.sign(mine.astype(np.int64) - theirs)",
        "np.sign(theirs - mine.astype(np.int64))",
    ),
    "stakes of now are won at the end": (ROLL, "betting.stake(s) + staked", "betting.stake(self.seen.state) + staked"),
    "all hands of the other are alike": (ROLL, "weight if self.believed else np.ones", "np.ones"),
    "the player's cards block nothing": (
        ROLL,
        "taken[:, list(seen.hole)] = True",
        "taken[:, list(seen.hole)] |= False",
    ),
    "the board blocks nothing": (
        ROLL,
        "boards.astype(np.int64), True, axis=1)",
        "boards.astype(np.int64), False, axis=1)",
    ),
    "the policies are exchanged": (ROLL, "(own, other) if seen.seat == 0", "(own, other) if seen.seat == 1"),
    "the hands are exchanged": (
        ROLL,
        "hands if seen.seat == 0 else hands[::-1]",
        "hands[::-1] if seen.seat == 0 else hands",
    ),
    "reach of the wrong seat": (
        ROLL,
        "believe(theirs, hands, self.seen.moves, 1 - self.seen.seat)",
        "believe(theirs, hands, self.seen.moves, self.seen.seat)",
    ),
    "later moves have no probability": (ROLL, "part.weight * p[p > 0.0]", "part.weight"),
    "only the first later move is made": (
        ROLL,
        "for move, p in odds.items():\n                part",
        "for move, p in list(odds.items())[:1]:\n                part",
    ),
    "the move itself is forgotten": (
        ROLL,
        "_after(s, move, group), totals)",
        "_after(s, move, group), totals) if s.street else None",
    ),
    "a loss is a gain": (ROLL, "self._mixed(odds) - self.sums[done]", "self.sums[done] - self._mixed(odds)"),
    "odds do not count in the mixture": (ROLL, "p * self.sums[move] for", "self.sums[move] for"),
    "boards miss cards of the other player": (
        ROLL,
        "not in (*seen.hole, *seen.board)]",
        "not in (*seen.hole, *seen.board, 0)]",
    ),
    "drawn boards hold the player's cards": (
        ROLL,
        "*dice.sample(rest, sum(deals))",
        "*dice.sample([c for c in range(table.ranks * table.suits) if c not in seen.board], sum(deals))",
    ),
    "hands are drawn without weight": (ROLL, "ends = np.cumsum(weight[here])", "ends = np.cumsum(np.ones(len(here)))"),
    "drawn hands have no weight of their board": (
        ROLL,
        "totals[chosen] / HANDS_A_BOARD",
        "np.ones(len(chosen)) / HANDS_A_BOARD",
    ),
    "the first move is drawn too often": (DRAW, "dice.random(up_to.shape[1])", "dice.random(up_to.shape[1]) ** 2"),
    "strengths of another board": (BOARDS, "found[which[self.board], self.hand]", "found[0, self.hand]"),
    "later cards are seen": (JUDGE, "record.board[: table.board_size(s.street)]", "record.board"),
    "the move is part of what was seen": (JUDGE, "record.moves[:number])", "record.moves[: number + 1])"),
    "the other's decisions are judged": (JUDGE, "if s.mover == seat:", "if s.mover != seat:"),
    "the other's name is meant": (JUDGE, "record.names.index(hero)", "1 - record.names.index(hero)"),
    "losses are sorted from the smallest": (JUDGE, "-each.loss.mean", "each.loss.mean"),
}


@pytest.fixture(scope="module")
def caught(tmp_path_factory):
    """The comparisons that failed, by bug; None is the package as it is."""
    return hunt(__file__, {None: (), **{bug: (change,) for bug, change in BUGS.items()}}, tmp_path_factory)


def test_the_package_as_it_is_has_all_comparisons_right(caught):
    assert caught[None] == []


@pytest.mark.parametrize("bug", BUGS)
def test_comparisons_notice(caught, bug):
    assert caught[bug]


class Package:
    """The package that is imported at this moment, and the slow twin that uses it."""

    def __init__(self):
        for name in ("table", "policy_agent", "simple_policies", "rollouts_from", "seen", "judging", "played_hand"):
            setattr(self, name, importlib.import_module(f"mccfr.playing.{name}"))
        sys.modules.pop("move_value_examples", None)
        self.slow = importlib.import_module("move_value_examples")
        self.table_of = self.table.table_of


SITUATIONS = [
    ("", "5c4d", ""),
    ("r4", "5c2d", ""),
    ("c", "3c3d", ""),
    ("r4c/k", "3c3d", "5c4d2c"),
    ("ck/b2", "4c5d", "3c4d2c"),
]


def wrong():
    """Which comparisons fail; an error counts as one."""
    found = []
    for name, compare in (("values", _values), ("drawn", _drawn), ("review", _review)):
        try:
            found += [f"{name}: {each}" for each in compare(Package())]
        except Exception as error:
            found.append(f"{name}: {type(error).__name__}")
    return found


def _seen(package, table, line, hole, board):
    s, moves = table.at(line)
    return package.seen.Seen(table, s.mover, table.deck.read_cards(hole), table.deck.read_cards(board), s, moves)


def _values(package):
    """Exact values of all moves, of two players who go by their hands."""
    table = package.table_of(package.slow.LIMIT)
    own, other = package.simple_policies.PotOdds(table), package.simple_policies.RandomMoves(table)
    for one, two in ((own, own), (own, other), (other, own)):
        for situation in SITUATIONS:
            seen = _seen(package, table, *situation)
            moves = seen.legal.moves
            found = package.rollouts_from.move_values(seen, moves, one, two, random.Random(1), boards=1000)
            for move in moves:
                value = package.slow.value(seen, move, one, two)
                if not found.exact or abs(found.value(move).mean - value) > 1e-9:
                    yield f"{situation} {move.label}"
            odds = {moves[0]: 0.25, moves[-1]: 0.75} if len(moves) > 1 else {moves[0]: 1.0}
            loss = sum(p * package.slow.value(seen, move, one, two) for move, p in odds.items())
            if abs(found.loss(odds, moves[0]).mean - loss + package.slow.value(seen, moves[0], one, two)) > 1e-9:
                yield f"{situation} loss"


def _drawn(package):
    """The mean of many estimates lies within four standard errors of the exact value."""
    table = package.table_of(package.slow.LIMIT)
    own, other = package.simple_policies.RandomMoves(table), package.simple_policies.PotOdds(table)
    seen = _seen(package, table, "r4", "5c2d", "")
    call = seen.legal.moves[1]
    exact = package.slow.value(seen, call, own, other)
    found = [
        package.rollouts_from.move_values(seen, [call], own, other, random.Random(seed), boards=12).value(call)
        for seed in range(30)
    ]
    mean = sum(each.mean for each in found) / 30
    error = (sum((each.mean - mean) ** 2 for each in found) / 30 / 29) ** 0.5
    if abs(mean - exact) > 4 * error + 1e-9:
        yield f"{mean} not {exact}"


def _review(package):
    """Decisions of a player in two hands, the costliest first."""
    table = package.table_of(package.slow.LIMIT)
    own, other = package.simple_policies.PotOdds(table), package.simple_policies.RandomMoves(table)
    lines = (("r4c/kk", ((0, 5), (6, 3)), (7, 4, 1)), ("ck/b2f", ((7, 2), (0, 1)), (3, 4, 5)))
    records = [
        package.played_hand.HandRecord(table, holes, board, table.at(line)[1], ("Ann", "Bob"), number)
        for number, (line, holes, board) in enumerate(lines)
    ]
    found = package.judging.costliest_first(package.judging.judge_all(records, "Bob", own, other, boards=1000))
    expected = []
    for record in records:
        s = table.start
        for number, move in enumerate(record.moves):
            if s.mover == 1:
                board = record.board[: table.board_size(s.street)]
                seen = package.seen.Seen(table, 1, record.holes[1], board, s, record.moves[:number])
                odds = package.policy_agent.PolicyAgent(own).odds(seen)
                mix = sum(p * package.slow.value(seen, each, own, other) for each, p in odds.items())
                expected.append((mix - package.slow.value(seen, move, own, other), record.number, s.line))
            s = table.play(s, move)
    expected.sort(reverse=True)
    for judgement, (loss, number, line) in zip(found, expected, strict=True):
        same = abs(judgement.loss.mean - loss) < 1e-9
        if not same or (loss > 1e-9 and (judgement.number, judgement.seen.state.line) != (number, line)):
            yield f"{number} {line}"


if __name__ == "__main__":
    look_at_all([wrong] * (1 + len(BUGS)), Path(sys.argv[1]))
