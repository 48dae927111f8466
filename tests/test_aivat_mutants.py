"""Mistakes in AIVAT and all-in equity, planted into the package: a few hands of tiny decks notice each.

What the hands are worth was found by the twin and is kept in a file. This file is also the program that tries them.
"""

import itertools
import json
import random
from pathlib import Path

import aivat_examples as examples
import naive_aivat
import pytest
from planting import catching, one_each, try_bugs

BUGS = {
    "the reach of the wrong seat": (
        "playing/aivat:View.after",
        "weight * made[0] if event.before.mover == self.seat else weight",
        "weight * made[0] if event.before.mover != self.seat else weight",
    ),
    "the reach after the move, not before": (
        "playing/aivat:Aivat._side",
        "total += view.expected(event, weight)\n                weight = view.after(event, weight)",
        "weight = view.after(event, weight)\n                total += view.expected(event, weight)",
    ),
    "one card of the other player blocks nothing": (
        "playing/all_in:apart",
        "holds[cards[:, 0]] | holds[cards[:, 1]]",
        "holds[cards[:, 0]]",
    ),
    "hands that the board rules out stay": (
        "playing/aivat:Aivat._side",
        "weight = weight * view.possible(street)",
        "pass",
    ),
    "a fold pays the other": ("playing/aivat:Aivat.worth", "payoffs(s)[0], 0.0)", "payoffs(s)[1], 0.0)"),
    "the deal is not corrected": (
        "playing/aivat:Aivat._side",
        "= start.a - view.mean(weight, start, 0), start, 0",
        "= 0.0, start, 0",
    ),
    "cards are corrected the wrong way": (
        "playing/aivat:Aivat._side",
        "total += view.mean(weight, last, street)\n                street",
        "total -= view.mean(weight, last, street)\n                street",
    ),
    "moves are not corrected": ("playing/aivat:Aivat._side", "if event.choices:", "if False:"),
    "the dealer's edge is the big blind's": (
        "playing/aivat:View.edge",
        "over_other if self.seat == 0 else -over_other",
        "over_other",
    ),
    "the other player moves by the wrong hand": (
        "playing/aivat:View.expected",
        "float(choice.odds[self.other]) * self.mean",
        "float(choice.odds[self.hands[self.seat]]) * self.mean",
    ),
    "one seat is enough": ("playing/aivat:Aivat.estimate", "float(np.mean(sides))", "float(sides[0])"),
    "edges of a board are those of other hands": ("playing/aivat:Aivat.edges", "key = board, hands\n", "key = board\n"),
    "boards that both hands rule out are counted": (
        "playing/all_in:boards_to_come",
        "table.deck.cards - HOLE_CARDS_OF_BOTH - known",
        "table.deck.cards - 2 - known",
    ),
    "ties are lost": ("showdown_edges:add_edges", "np.int32(other < own)", "np.int32(other <= own)"),
}

GAMES, HANDS = (examples.LIMIT, examples.NO_LIMIT), 6
DATA = Path(__file__).parent / "data" / "aivat_hands.json"  # what `cases` gives


def cases():
    """(game, who is known, holes, board, line, estimate, all-in equity) of some hands, by the twin."""
    from mccfr.playing.aivat import Aivat

    found = []
    for text in GAMES:
        game, table, policies = examples.setting(text)
        law = examples.law_of(game, policies)
        value = examples.naive_value(game, Aivat(table, examples.PlainValues()).worth)
        ends = random.Random(8).sample(naive_aivat.terminals(game, law), HANDS)
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
            record = HandRecord(table, tuple(map(tuple, holes)), tuple(board), table.at(line)[1])
            given = tuple(policies[seat] if seat in examples.KNOWN[known] else None for seat in (0, 1))
            try:
                wrong = abs(ours.estimate(record, given) - estimate) + abs(all_in_equity(record) - all_in)
            except Exception as error:
                return f"{line}: {type(error).__name__}"
            if not wrong < 1e-9:
                return f"{text} {known} {line}: off by {wrong:.3g}"
    return ""


found = catching(__file__, one_each(BUGS))


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_mistake_is_noticed(bug, found):
    assert found[bug]


@pytest.mark.slow
def test_without_a_mistake_nothing_is_noticed(found):
    assert found[None] == ""


@pytest.mark.slow
def test_the_numbers_that_copies_are_held_against_are_those_of_the_twin():
    kept, found = json.loads(DATA.read_text()), cases()
    assert len(kept) == len(found)
    for (*hand, estimate, all_in), (*same, by_twin, equity_by_twin) in zip(kept, found):
        assert json.loads(json.dumps(same)) == hand
        assert (estimate, all_in) == pytest.approx((by_twin, equity_by_twin), abs=1e-12)


if __name__ == "__main__":
    expected = json.loads(DATA.read_text())
    try_bugs(lambda: look(expected))
