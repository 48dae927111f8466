"""Mistakes in AIVAT and all-in equity, planted into copies of the package: a few hands of tiny decks notice each.

What the hands are worth comes from the twin, once, without any mistake. This file is also the program that tries the
copies.
"""

import itertools
import random
import sys
from pathlib import Path

import aivat_examples as examples
import naive_aivat
import pytest
from planting import hunt, look_at_all

AIVAT, ALL_IN, EDGES = "playing/aivat", "playing/all_in", "showdown_edges"

BUGS = {
    "the reach of the wrong seat": (
        AIVAT,
        "weight * made[0] if event.before.mover == self.seat else weight",
        "weight * made[0] if event.before.mover != self.seat else weight",
    ),
    "reach does not matter": (
        AIVAT,
        "weight * made[0] if event.before.mover == self.seat else weight",
        "weight",
    ),
    "the reach after the move, not before": (
        AIVAT,
        "total += view.expected(event, weight)\n                weight = view.after(event, weight)",
        "weight = view.after(event, weight)\n                total += view.expected(event, weight)",
    ),
    "the real hand of the other player blocks nothing": (ALL_IN, "holds[cards[:, 0]] | holds[cards[:, 1]] | ", ""),
    "the board blocks nothing": (ALL_IN, " | holds[list(board)].any(axis=0)", ""),
    "hands that the board rules out stay": (AIVAT, "weight = weight * view.possible(street)", "pass"),
    "hands that the river rules out count before": (
        AIVAT,
        "return self.record.board[: self.record.table.board_size(street)]",
        "return self.record.board",
    ),
    "a fold pays the other": (AIVAT, "payoffs(s)[0], 0.0)", "payoffs(s)[1], 0.0)"),
    "a showdown pays the pot": (AIVAT, "Worth(0.0, self.table.betting.stake(s))", "Worth(0.0, 2 * min(s.stakes))"),
    "the deal is not corrected": (AIVAT, "= start.a - view.mean(weight, start, 0), start, 0", "= 0.0, start, 0"),
    "the deal forgets a": (AIVAT, "= start.a - view.mean(", "= -view.mean("),
    "cards are corrected the wrong way": (
        AIVAT,
        "total += view.mean(weight, last, street)\n                street",
        "total -= view.mean(weight, last, street)\n                street",
    ),
    "cards of the board are not corrected": (AIVAT, "if event.after.street > street:", "if False:"),
    "moves are not corrected": (
        AIVAT,
        "total -= view.mean(weight, last, street)\n            if",
        "if True:\n                pass\n            if",
    ),
    "the dealer's edge is the big blind's": (AIVAT, "over_other if self.seat == 0 else -over_other", "over_other"),
    "the edge over the own hand": (AIVAT, "self.hands)[1 - self.seat]", "self.hands)[self.seat]"),
    "the other player moves by the wrong hand": (
        AIVAT,
        "float(choice.odds[self.other]) * self.mean",
        "float(choice.odds[self.hands[self.seat]]) * self.mean",
    ),
    "moves of the other player are as likely as each other": (
        AIVAT,
        "float(choice.odds[self.other]) * self.mean",
        "1.0 / len(event.choices) * self.mean",
    ),
    "averages are sums": (AIVAT, " / float(weight.sum()) if worth.b", " if worth.b"),
    "what is expected has the edge of all moves": (AIVAT, "choice.worth.b * choice.odds", "choice.worth.b"),
    "one seat is enough": (AIVAT, "float(np.mean(sides))", "float(sides[0])"),
    "both seats are added": (AIVAT, "float(np.mean(sides))", "float(np.sum(sides))"),
    "moves are corrected on the first street only": (
        AIVAT,
        "() if odds is None else",
        "() if odds is None or s.street else",
    ),
    "imaginary hands of a player who is not known": (
        AIVAT,
        "events, 0, imaginary=False)",
        "events, 0, imaginary=True)",
    ),
    "edges of a board are those of other hands": (AIVAT, "key = board, hands\n", "key = board\n"),
    "hands of the last board": (
        AIVAT,
        "if self._hands is None or self._hands.board[: len(board)] != board:",
        "if self._hands is None:",
    ),
    "boards that both hands rule out are counted": (
        ALL_IN,
        "table.deck.cards - HOLE_CARDS_OF_BOTH - known",
        "table.deck.cards - 2 - known",
    ),
    "all-in equity sees the next card": (
        ALL_IN,
        "board = cards[4 : 4 + record.table.board_size(s.street)]",
        "board = cards[4 : 4 + record.table.board_size(s.street + 1)]",
    ),
    "every all-in is a coin flip": (ALL_IN, "stake(s) * float(edge[0])", "stake(s) * 0.0"),
    "the all-in of the dealer": (ALL_IN, "stake(s) * float(edge[0])", "stake(s) * -float(edge[0])"),
    "ties are lost": (EDGES, "np.int32(other < own)", "np.int32(other <= own)"),
    "hands that the board rules out lose": (EDGES, "np.int32(other >= 0) * ", ""),
    "a deal's ties are won": (EDGES, "int(one > other)", "int(one >= other)"),
    "the last set of cards never comes": (EDGES, "next_set(chosen, size, count)", "next_set(chosen, size, count - U1)"),
    "cards of a deal come twice": (EDGES, "if not dealt & hands.bit[card]:", "if True:"),
}

GAMES = (examples.LIMIT, examples.NO_LIMIT)


def cases():
    """(game, who is known, holes, board, line, estimate, all-in equity) of some hands, by the twin."""
    found = []
    for text in GAMES:
        game, table, policies = examples.setting(text)
        law = examples.law_of(game, policies)
        from mccfr.playing.aivat import Aivat

        value = examples.naive_value(game, Aivat(table, examples.PlainValues()).worth)
        ends = random.Random(8).sample(naive_aivat.terminals(game, law), 10)
        for known in examples.KNOWN:
            twins = examples.twins(game, law, examples.KNOWN[known], value)
            for z in ends:
                record = examples.record_of(game, table, z)
                estimate = sum(twin.estimate(z) for twin in twins) / len(twins)
                found.append((text, known, record.holes, record.board, record.line, estimate, equity(game, z, value)))
    return found


def equity(game, z, value):
    """What all-in equity should say: the mean payoff over the boards that may follow the betting."""
    from mccfr.betting.lines import NOBODY

    s = z.state.betting
    if s.folded != NOBODY:
        return game.payoff(z.state)[0]
    came = z.state.cards[: game._deals.arrivals[s.street]]
    return value(z._replace(state=z.state._replace(cards=came)))


def look(expected):
    """The first hand whose numbers are wrong in the package that is imported now, or nothing."""
    from mccfr.playing.aivat import Aivat
    from mccfr.playing.all_in import all_in_equity
    from mccfr.playing.played_hand import HandRecord

    examples.setting.cache_clear()
    for text, those in itertools.groupby(expected, key=lambda case: case[0]):
        _, table, policies = examples.setting(text)
        ours = Aivat(table, examples.PlainValues())
        for _, known, holes, board, line, estimate, all_in in those:
            record = HandRecord(table, holes, board, table.at(line)[1])
            given = tuple(policies[seat] if seat in examples.KNOWN[known] else None for seat in (0, 1))
            try:
                wrong = abs(ours.estimate(record, given) - estimate) + abs(all_in_equity(record) - all_in)
            except Exception as error:
                return f"{line}: {type(error).__name__}"
            if not wrong < 1e-9:
                return f"{text} {known} {line}: off by {wrong:.3g}"
    return ""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    changes = {"nothing is wrong": [], **{name: [bug] for name, bug in BUGS.items()}}
    return hunt(__file__, changes, tmp_path_factory)


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_mistake_is_noticed(bug, found):
    assert found[bug]


def test_without_a_mistake_nothing_is_noticed(found):
    assert found["nothing is wrong"] == ""


if __name__ == "__main__":
    expected = cases()
    look_at_all([lambda: look(expected)] * (1 + len(BUGS)), Path(sys.argv[1]))
