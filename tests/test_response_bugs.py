"""Mistakes in best responses by lines side by side, planted into the package: known values notice each.

This file is also the program that tries them.
"""

import functools

import numpy as np
import pytest
import real_examples
import response_examples
import street_examples
from planting import catching, try_bugs

MET = "evaluate/lines_met"
ONE, TWO, ALL_IN = "one street more", "two cards, then one", "all-in before the flop"
CARELESS, CALLS = f"{TWO}, of which much is left out", f"{TWO}, always called"
SIMPLE = {  # strategies that test_board_responses.py compares with other forms
    CARELESS: response_examples.careless,
    CALLS: lambda tree: response_examples.always(tree, "c"),
}
FLOPS_OF = {
    ONE: [0, 1],
    TWO: [5, 8],
    ALL_IN: [0, 1],
    CARELESS: [5, 8],
    CALLS: [5, 8],
}  # some that leave suits to exchange, with long ties

pytestmark = pytest.mark.slow  # some seconds for each bug, since nothing is compiled

SMALL_CHUNKS = ("response_layout:CHUNK", "CHUNK = 15", "CHUNK = 3")  # no mistake; small decks have few hands
BUGS = {
    "images do not exchange hands": (
        TWO,
        "board_hands:lay_hand",
        "twin = hand_of(u64(deck.exchange[turned + low])",
        "twin = hand_of(low",
    ),
    "an image exchanges the wrong suits": (
        TWO,
        "board_hands:lay_hand",
        "u64(boards.exchanged[image]) * cards",
        "U1 * cards",
    ),
    "copies of a board are forgotten": (
        ONE,
        "evaluate/flop_boards:_images",
        "images.append(kept[np.unique(column, return_index=True)[1]])",
        "images.append(kept[:1])",
    ),
    "only the first image counts": (
        TWO,
        "line_values:answer_board",
        "for other in range(image + U1, images):",
        "for other in range(U0):",
    ),
    "ties count as wins": (
        ONE,
        "line_values:show_chunk",
        "x, y = take_in(group, board, since, stop,",
        "x, y = take_in(group, board, j, stop, reach, weights, others, fast, sums, second, x, y)\n"
        "            x, y = take_in(group, board, j, stop,",
    ),
    "weaker hands are added once": (
        ONE,
        "line_values:show_chunk",
        "since = u32(board.tie[j - N1] & LOW) if j > N0 else j",
        "since = j",
    ),
    "a tie is added again where a chunk begins": (
        TWO,
        "line_values:show_chunk",
        "if u32(tie & LOW) == j:",
        "if u32(tie & LOW) == j or j == u32(begin):",
        SMALL_CHUNKS,
    ),
    "the last hands of a tie, fewer than four, are not added": (
        ONE,
        "line_values:take_in",
        "add_hand(group, fast, sums, second, u32(j + N1) < end, b_now)",
        "add_hand(group, fast, sums, second, u32(j + N4) <= end, b_now)",
    ),
    "the last hand of a tie is added again": (
        ONE,
        "line_values:take_in",
        "add_hand(group, fast, sums, second, u32(j + N3) < end, d_now)",
        "add_hand(group, fast, sums, second, True, d_now)",
    ),
    "of two hands only one has results": (
        ONE,
        "line_values:put_results",
        "        if after > j:",
        "        if after < j:",
    ),
    "two sequences have the weights of one": (
        ONE,
        "line_values:ask",
        "return reach[place], first_weights[row], second_weights[row]",
        "return reach[place], first_weights[row], first_weights[row]",
    ),
    "two hands get what one gets": (ONE, "hands_up:take_up_item", "t1, old1, v1, above", "t1, old1, v0, above"),
    "folds have the weights of the first sequence": (
        ONE,
        "hands_up:fold_weights",
        "return w[u32(at + a.row)]",
        "return w[a.row]",
    ),
    "folds have their own weights one fold late": (
        ONE,
        "evaluate/line_groups:_Groups._add",
        "folds = folds[1:] if",
        "folds = folds if",
    ),
    "sums by card take the last hand too often": (
        TWO,
        "line_values:add_hands",
        "rd, d = come(links[l3], lane, reach, k + N3 <= last, zero)",
        "rd, d = come(links[l3], lane, reach, True, zero)",
    ),
    "the own hand is not put back at folds": (ONE, "hands_up:fold", " + hand.reach * weight", ""),
    "own cards are not removed at showdowns": (
        ONE,
        "line_values:rest",
        "return total - fast[u32(sums + u32(pair & LOW))] - fast[u32(sums + u32(pair >> HIGH))]",
        "return total - fast[u32(sums + u32(pair & LOW))]",
    ),
    "sums do not end at nothing": (
        ONE,
        "line_values:settle_sums",
        "+ group.lane] = -total",
        "+ group.lane] = -half * total",
    ),
    "reach of the wrong player": (
        ONE,
        "line_values:answer_board",
        "arrived[hand_at(lines, before, t, U1 - i, g)",
        "arrived[hand_at(lines, before, t, i, g)",
    ),
    "values of the wrong player": (
        TWO,
        "hands_up:take_up",
        "after = hand_at(later, boards, b, i, line // lanes)",
        "after = hand_at(later, boards, b, U1 - i, line // lanes)",
    ),
    "the board before is the first": (
        TWO,
        "line_values:answer_board",
        "crew.lane, lines.lanes, boards.hands, u64(boards.parent[b])",
        "crew.lane, lines.lanes, boards.hands, U0",
    ),
    "the best move is the last": (
        ONE,
        "hands_up:take_up",
        "v0, v1, v2, v3 = max(v0, x0), max(v1, x1), max(v2, x2), max(v3, x3)",
        "v0, v1, v2, v3 = x0, x1, x2, x3",
    ),
    "a fold pays the wrong player": (
        ONE,
        "evaluate/line_groups:_Groups._ending",
        "== FOLD and responder == 1",
        "== FOLD and responder == 0",
    ),
    "a fold pays the stake of another line": (
        ONE,
        "evaluate/line_groups:_Groups._ending",
        "sign * self.laid.lines.worth[at]",
        "sign * self.laid.lines.worth[self.here.lines[0].nodes[node]]",
    ),
    "lines lead to the wrong line": (
        ALL_IN,
        "evaluate/line_groups:_Groups._ending",
        "exits[lane] = self.later.get(at, 0)",
        "exits[lane] = 0",
    ),
    "lines come from the wrong line": (
        ALL_IN,
        "evaluate/line_groups:_Groups._sources",
        "number[each[0].dealt] for each",
        "0 for each",
    ),
    "moves before the street are forgotten": (
        ALL_IN,
        "reach_down:carry_down",
        "left[target + j * lanes] = reach * weight",
        "left[target + j * lanes] = reach",
    ),
    "moves of the other player": (
        TWO,
        "evaluate/line_groups:_Groups._down",
        "self._together(line.nodes, moves[player],",
        "self._together(line.nodes, moves[1 - player],",
    ),
    "rows of the street before": (TWO, "board_hands:row_on", "return held[streets - U1]", "return held[streets - U2]"),
    "boards in order of their cards": (
        TWO,
        "board_hands:row_on",
        "held[CARDS + U2 + k] = u64(boards.cards[b * boards.size + k])",
        "held[CARDS + U2 + k] = u64(boards.cards[b * boards.size + boards.size - U1 - k])",
    ),
    "hands are numbered with the board's cards": (
        ONE,
        "board_hands:free_number",
        "    return card - below",
        "    return card - below * U0",
    ),
    "equal hands share a place": (ONE, "board_hands:see_board", "j = weaker + earlier", "j = weaker"),
    "sequences of the responder": (
        ONE,
        "evaluate/line_shapes:_Writer._ending",
        "self.shape.moves[node][1 - self.responder]",
        "self.shape.moves[node][self.responder]",
    ),
    "both players choose": (ONE, "evaluate/line_shapes:_Writer._write", "LARGER if mine else ADD", "LARGER"),
    "a value that was put aside is lost": (
        ALL_IN,
        "evaluate/line_shapes:_Writer._write",
        "Step(move, POP, 0, -1)",
        "Step(ADD, POP, 0, -1)",
    ),
    "folds before the flop pay nothing": (
        ONE,
        "evaluate/board_responses:BoardResponses._folds",
        "found[player, node] = worth",
        "found[player, node] = 0 * worth",
    ),
    "folds count with every flop": (ONE, "evaluate/real_flops:gather", "values[1:, :, ~deals] = 0.0", "pass"),
    "boards that are alike are all there": (
        TWO,
        "evaluate/flop_boards:_images",
        "codes[0] == codes.min(axis=0)",
        "codes[0] >= 0",
    ),
    "lines that the responder never plays are left out": (
        CALLS,
        "evaluate/line_groups:_Groups._crews",
        "met[1 - i, nodes].any()",
        "met[i, nodes].any()",
    ),
    "lines with a move that one row never makes are left out": (
        CARELESS,
        "evaluate/lines_met:nodes_met",
        "strategy.move(node, move, street).any()",
        "strategy.move(node, move, street).all() and node % 3",
    ),
    "sequences that stand for others count once": (
        CARELESS,
        "evaluate/line_groups:_Groups._ending",
        "times[lane] * sign",
        "sign",
    ),
    "sequences alike in their first rows are one": (
        CARELESS,
        "evaluate/lines_met:_multiple",
        "    return bool(np.abs(one - other)[:, lanes].max(initial=0.0) <= SAME)",
        "    return True",
        ("evaluate/lines_met:_multiple", "few = slice(0, 8)", "few = slice(0, 1)"),
    ),
    "the turn forgets which suits are left": (
        ALL_IN,
        "evaluate/flop_boards:_images",
        "keeps.append(kept[column == column[0]])",
        "keeps.append(kept)",
    ),
}


caught = catching(
    __file__,
    {
        None: (),
        **{bug: (change[1:4], *change[4:]) for bug, change in BUGS.items()},
        "small chunks": (SMALL_CHUNKS,),
    },
)


def test_the_package_as_it_is_has_everything_right(caught):
    assert caught[None] == []
    assert caught["small chunks"] == []


@pytest.mark.parametrize("bug", BUGS)
def test_known_values_notice(caught, bug):
    assert caught[bug]


# ---- the program


def look(names):
    """What comes out wrong."""
    from mccfr.games import street_deals
    from mccfr.tree import street_build

    street_deals.deck_strengths = street_examples.strengths_of  # the evaluator is slow where nothing is compiled
    street_build.rank_deck = lambda board, ranks, suits: street_examples.strengths_of(
        tuple(sorted(board)), ranks, suits
    )
    try:
        return [name for name in names if not right(name)]
    except Exception as error:  # a planted bug may break anything
        return [f"{type(error).__name__}: {error}"]


def right(name):
    """The first time by the dealt form, with all flops; later, where there are streets more, by some flops."""
    from mccfr.evaluate.response_machines import Processor

    tree = real_examples.bucket_tree(TWO if name in SIMPLE else name)
    strategy = SIMPLE.get(name, real_examples.random_strategy)(tree)
    with np.errstate(over="ignore"):
        if name not in KNOWN:
            KNOWN[name] = some_flops(strategy, name)
            if name in SIMPLE:
                return True
        elif name != ONE:
            return np.allclose(some_flops(strategy, name), KNOWN[name], rtol=0, atol=1e-12)
        found = response_examples.best(strategy, Processor(lanes=2, flops=4)).best_response
    return np.allclose(found, real_examples.expected(name), rtol=0, atol=1e-9)


def some_flops(strategy, name):
    """What some flops are worth, to both players, by all lines."""
    from mccfr.evaluate.response_machines import Processor

    made = response_examples.responses(strategy, Processor(lanes=2))
    return response_examples.values(made, FLOPS_OF[name])


KNOWN = {}  # what the package as it is says, once the dealt form has agreed with it


if __name__ == "__main__":
    games = [(ONE, TWO, ALL_IN, *SIMPLE), *((change[0],) for change in BUGS.values()), (ONE, TWO, ALL_IN)]
    try_bugs([functools.partial(look, names) for names in games])
