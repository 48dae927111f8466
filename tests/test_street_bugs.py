"""Mistakes in blockers, images, exchanges of suits, ties, chances, locks and sharing, planted into street trees.

What every small game is worth is computed once in dealt form, by the package as it is. This file is also the program
that tries them.
"""

import functools

import pytest
import street_examples
import street_trees
from planting import catching, one_each, try_bugs

pytestmark = pytest.mark.slow  # half a minute each

BOARDS, LINES, TREE, BUILD = (f"tree/street_{file}" for file in ("boards", "lines", "tree", "build"))
RIVER, TURN, FLOP = "locked by range", "locked on a river", "flop, locked after certain cards"
SUITED, TWO, BY_SUIT = (f"turn of one suit{more}" for more in ("", ", two of the others alike", ", locked by suit"))
BUGS = {
    "the other's hand of the same cards is taken off twice": (
        TURN,
        "street_endings:folds_in_columns",
        "if twin < others:",
        "if twin > others + 99999:",
    ),
    "only the low card of a hand blocks": (
        RIVER,
        "street_endings:take_in",
        "card_sums(boards, hand, HIGH)",
        "card_sums(boards, hand, LOW)",
    ),
    "ties are lost": (TURN, "street_endings:shows_in_columns", "while met < upto:", "while met < weaker:"),
    "ties end before the last": (
        TURN,
        "tree/street_boards:_HandLists.add",
        'ranks[mine], "right"',
        'ranks[mine], "left"',
    ),
    "folds pay player 0, whoever sweeps": (
        RIVER,
        "street_endings:endings",
        "work.scalar[SIGN + i]",
        "work.scalar[SIGN]",
    ),
    "whoever folds wins": (
        RIVER,
        "tree/street_lines:_Layout.finish",
        "== FOLD_BY_0, -stake, stake)",
        "== FOLD_BY_0, stake, -stake)",
    ),
    "all-ins are shown down before the board is complete": (
        FLOP,
        "tree/street_lines:_Layout._lay_from",
        "(mover == ENDS and street < self.streets - 1)",
        "(mover == ENDS and street < 0)",
    ),
    "a board stands for itself only": (
        SUITED,
        "tree/street_boards:_following",
        "tuple(images.values())",
        "tuple(images.values())[:1]",
    ),
    "values go up through one image": (
        SUITED,
        "street_actors:follow(AllBoards)",
        "= u64(boards.boards[below * BOARD_WORDS + IMAGE_END])",
        "= u64(boards.boards[below * BOARD_WORDS + IMAGE]) + U1",
    ),
    "workers bring values up through one image": (
        SUITED,
        "streets:join",
        "= u64(boards.boards[b * BOARD_WORDS + IMAGE_END])",
        "= u64(boards.boards[b * BOARD_WORDS + IMAGE]) + U1",
    ),
    "hands are not exchanged with the board": (
        SUITED,
        "tree/street_boards:_HandLists.add",
        "above[p][one.hands[",
        "above[p][board.images[0].hands[",
    ),
    "the strategy of other hands of an orbit counts": (
        SUITED,
        "street_rows:strategy_lanes",
        "at = o + u64(boards.hands[(first + h) * HAND_WORDS + LEADER]) * k",
        "at = o + h * k",
    ),
    "hands of an orbit drift apart": (SUITED, "streets:ascend", "if shared:", "if False:"),
    "exchanges need not keep ranges": (TWO, "tree/street_build:_kept", "same = all(", "same = True or all("),
    "exchanges need not keep locks": (
        BY_SUIT,
        "tree/street_build:_kept",
        "return same and all(",
        "return same or all(",
    ),
    "exchanges need not keep the cards before": (
        TWO,
        "tree/street_boards:_following",
        "_keeping(new, before.keeps))",
        "before.keeps)",
    ),
    "the hands of players are unseen cards": (
        TURN,
        "tree/street_boards:deal_chances",
        "deck_cards - board - 4",
        "deck_cards - board - 2",
    ),
    "cards that came can come again, for chances": (
        FLOP,
        "tree/street_boards:deal_chances",
        "left -= count",
        "left -= 0",
    ),
    "pairs that share cards count in the deal": (
        RIVER,
        "tree/street_tree:pair_sum",
        "by_card[deck.high] + second)).sum())",
        "0 + second)).sum())",
    ),
    "cards of the board are held": (
        FLOP,
        "tree/street_boards:lay_boards",
        "np.flatnonzero(mine & free)",
        "np.flatnonzero(mine)",
    ),
    "hands are dealt alike": (
        RIVER,
        "gates:root_value",
        "weight[start + h] * work.value[here + h]",
        "work.value[here + h]",
    ),
    "best responses ignore locks": (
        RIVER,
        "street_actors:judge(Judging)",
        "actor.way == FOLLOW_STRATEGY or given:",
        "actor.way == FOLLOW_STRATEGY:",
    ),
    "locked strategies are learned": (RIVER, "street_actors:judge(Learning)", "if not given:", "if True:"),
    "locks are put nowhere": (
        RIVER,
        "tree/street_tree:StreetTree.lock_lanes",
        "lanes[fixed] = self.given_strategy[fixed]",
        "pass",
    ),
    "locks hold for any cards": (
        FLOP,
        "tree/street_build:_boards_of",
        "lock.cards is None or lock.cards == dealt",
        "True",
    ),
    "locks hold for cards in any order": (
        FLOP,
        "tree/street_build:_boards_of",
        "lock.cards == dealt)",
        "set(lock.cards) == set(dealt))",
    ),
    "locks hold for no cards but their own": (
        TURN,
        "tree/street_build:_boards_of",
        "lock.cards is None or lock.cards == dealt",
        "lock.cards == dealt",
    ),
    "roots of all segments come down": (
        TURN,
        "streets:bring_down",
        "u64(lines.segments[(g + U1) * SEGMENT_WORDS + ROOTS])\n    for p in range(U2):",
        "u64(lines.segments[u64(lines.street[s + U1]) * SEGMENT_WORDS + ROOTS])\n    for p in range(U2):",
    ),
    "what is known of exits stays from board to board": (
        TURN,
        "streets:clear_exits",
        "work.value[to + h] = 0.0",
        "work.value[to + h] += 0.0",
    ),
    "averages do not fade": (RIVER, "streets:sweep_streets", "fade_old(actor, table, t)", "pass"),
    "averages of workers do not fade": (
        TWO,
        "evaluate/street_sweeps:StreetSweeps.run",
        "fade_averages(actor.averaging, table,",
        "str((",
    ),
    "averages forget the reach": (
        RIVER,
        "street_actors:judge(Learning)",
        "weight * work.reach[own + h] * table",
        "weight * table",
    ),
    "all workers begin at the first board": (
        FLOP,
        "streets:arrive",
        "work.place[NEXT] += skip",
        "work.place[NEXT] += U0",
    ),
    "boards of workers are added up under others": (
        FLOP,
        "streets:kept_place",
        "return (b - u64(boards.boards[FOLLOW])) *",
        "return (u64(boards.boards[FOLLOW_END]) - U1 - b) * U0 + (b & U1) *",
    ),
}
GAMES = sorted({game for game, *_ in BUGS.values()})
EXPECTED = {}  # of every game, once: the drawn strategies and what they are worth


caught = catching(__file__, one_each({bug: change for bug, (_, *change) in BUGS.items()}))


def test_the_package_as_it_is_has_everything_right(caught):
    assert caught[None] == []


@pytest.mark.parametrize("bug", BUGS)
def test_a_game_notices(caught, bug):
    assert caught[bug]


# ---- the program


def looks():
    """The first is at the package as it is, and at all games."""
    return [functools.partial(look, games) for games in (GAMES, *([game] for game, *_ in BUGS.values()))]


def look(games):
    """What comes out wrong."""
    from mccfr.tree import street_lines

    street_examples.rank_plainly()
    street_lines.SEGMENT_NODES = 4
    found = []
    for name in games:
        try:
            found += [f"{name}: {what}" for what, right in checks(name) if not right]
        except Exception as error:  # a planted bug may break anything
            found.append(f"{name}: {type(error).__name__}: {error}")
    return found


def checks(name):
    """What a game's values are compared with, one after the other."""
    import mccfr

    tree = mccfr.compile(street_trees.street_game.__wrapped__(name))
    if name not in EXPECTED:
        EXPECTED[name] = expected(tree)
    rows, values, learned = EXPECTED[name]
    profile = rows.profile(tree)
    spoil_followers(tree, profile)
    yield "values", close(street_trees.measured(tree, profile, workers=1), values)
    yield "values by workers", close(street_trees.measured(tree, profile, workers=2), values)
    for workers in (1, 2):
        solver = mccfr.Solver(tree, "dcfr_restarts", workers=workers).run(6)
        ours = [solver.exploitability(), mccfr.expected_value(solver.current())]
        yield f"learning by {workers}", close(ours, learned)
    yield "orbits", orbits_are_one(tree, solver.current().probabilities)


def expected(tree):
    """Drawn rows, and numbers of the dealt form."""
    import mccfr

    rows = street_trees.Rows(tree.given, 1)
    values = street_trees.measured(tree.laid_out, rows.profile(tree.laid_out))
    solver = mccfr.Solver(tree.laid_out, "dcfr_restarts").run(6)
    return rows, values, [solver.exploitability(), mccfr.expected_value(solver.current())]


def close(ours, theirs):
    return all(abs(x - y) < 1e-9 for x, y in zip(ours, theirs, strict=True))


def followers(tree):
    """Pairs of infosets of which the first follows the second."""
    infosets, boards = tree.infosets, tree.boards.boards
    for j in range(len(infosets)):
        player, board, node, hand = infosets.place(j)
        leader = int(boards.hands[6 * (int(boards.start[2 * board + player]) + hand) + 5])
        if leader != hand:
            yield j, infosets.number(player, board, node, leader)


def spoil_followers(tree, profile):
    """Hands that follow another get a row that must not count."""
    for j, _ in followers(tree):
        at, arity = tree.infosets.entry(j), len(tree.infosets.actions(j))
        profile[at : at + arity] = [1.0] + [0.0] * (arity - 1)


def orbits_are_one(tree, current):
    """To the last bit."""
    for j, other in followers(tree):
        arity, at, there = len(tree.infosets.actions(j)), tree.infosets.entry(j), tree.infosets.entry(other)
        if (current[at : at + arity] != current[there : there + arity]).any():
            return False
    return True


if __name__ == "__main__":
    try_bugs(looks())
