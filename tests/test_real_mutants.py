"""Mistakes in giving a strategy with buckets to the real game, planted into the package: twins notice each.

This file is also the program that tries them.
"""

import numpy as np
import pytest
import real_examples
import street_examples
from planting import catching, one_each, try_bugs

GAME = "two cards, then one"

pytestmark = pytest.mark.slow  # a few seconds for each bug, since nothing is compiled

BUGS = {
    "rows of the street before": (
        "evaluate/board_rows:look_up_rows",
        "return found[:, street]",
        "return found[:, street - 1]",
    ),
    "boards in order of their cards": (
        "evaluate/board_rows:_cards",
        "np.tile(came,",
        "np.tile(sorted(came, reverse=True),",
    ),
    "every board has the rows of the first": (
        "evaluate/board_rows:rows_on",
        "_cards(boards, board) for board",
        "_cards(boards, some[0]) for board",
    ),
    "player 1 has the rows of no hand": (
        "evaluate/board_rows:rows_on",
        "found[start[2 * board + 1] : start[2 * board + 2]] = mine",
        "pass",
    ),
    "decisions are those of the laid-out numbers": (
        "evaluate/board_rows:entries_of",
        "infosets.node_entry[laid.origin]",
        "infosets.node_entry[np.arange(len(laid.origin)) % len(infosets.node_entry)]",
    ),
    "rows are as wide as those of one decision": (
        "street_tables:play_down(RowTable)",
        "u64(table.row[mine + h]) * step",
        "u64(table.row[mine + h]) * k",
    ),
    "every move is as likely as the first": (
        "street_tables:play_down(RowTable)",
        "work.reach[at + h] * table.current[x + a]",
        "work.reach[at + h] * table.current[x]",
    ),
    "rows of the hands of the first board": (
        "street_tables:play_down(RowTable)",
        "u64(table.row[mine + h])",
        "u64(table.row[h])",
    ),
    "the other player's strategy is skipped": (
        "streets:unread",
        "return U2 if plays(actor) else i",
        "return U2 if plays(actor) else U1 - i",
    ),
    "every kind of flop has one copy": (
        "tree/flop_trees:FlopTrees.copies",
        "len(board.images) for board",
        "1 for board",
    ),
    "flops of one suit pattern stand for themselves": (
        "tree/flop_trees:FlopTrees.tree",
        "self._listed[1 + kind]]",
        "self._listed[1 + kind]._replace(images=self._listed[1 + kind].images[:1])]",
    ),
    "flops count as if all kinds were equally likely": (
        "evaluate/real_flops:respond_by_flops",
        "(copies.sum() / copies[drawn])",
        "np.full(len(drawn), len(copies))",
    ),
    "folds count with every flop": (
        "evaluate/real_flops:respond_by_flops",
        "laid.kind[: shape[1]] == DEAL] *=",
        "laid.kind[: shape[1]] >= 2] *=",
    ),
    "folds are added up by flops": (
        "evaluate/real_flops:gather",
        "deals = laid.kind[: kept.values.shape[2]] == DEAL",
        "deals = laid.kind[: kept.values.shape[2]] >= 2",
    ),
    "choices are valued by the flops that made them": (
        "evaluate/real_flops:valued_by_halves",
        "respond(laid, other.mean(axis=0), player)",
        "respond(laid, mine.mean(axis=0), player)",
    ),
    "the other player chooses too": (
        "evaluate/real_flops:respond",
        "values[node] = below.sum(axis=0)",
        "values[node] = below.max(axis=0)",
    ),
    "one half is valued only": (
        "evaluate/real_flops:valued_by_halves",
        "for mine, other in (halves, halves[::-1])",
        "for mine, other in (halves, halves)",
    ),
    "the interval is that of a normal law": (
        "evaluate/real_flops:half_width",
        "stdtrit(len(values) - 1,",
        "stdtrit(10**6,",
    ),
    "the deviation is that of a population": (
        "evaluate/real_flops:half_width",
        "values.std(ddof=1)",
        "values.std(ddof=0)",
    ),
}


caught = catching(__file__, one_each(BUGS))


def test_the_package_as_it_is_has_everything_right(caught):
    assert caught[None] == []


@pytest.mark.parametrize("bug", BUGS)
def test_a_twin_notices(caught, bug):
    assert caught[bug]


# ---- the program

EXPECTED = []  # what the package as it is says by its dealt form and in plain arithmetic, once


def look():
    """What comes out wrong."""
    street_examples.rank_plainly()
    try:
        return [what for what, right in checks() if not right]
    except Exception as error:  # a planted bug may break anything
        return [f"{type(error).__name__}: {error}"]


def checks():
    from mccfr.evaluate.real_flops import valued_by_halves
    from mccfr.evaluate.real_game import real_exploitability, without_buckets
    from mccfr.tree.flop_trees import FlopTrees

    strategy = real_examples.random_strategy(real_examples.bucket_tree(GAME))
    if not EXPECTED:
        EXPECTED.extend((real_examples.expected(GAME), real_examples.sampled(strategy, 1, 4)))
    whole, got = EXPECTED
    laid = FlopTrees(without_buckets(strategy.tree)).plan.laid
    noise = np.random.default_rng(1).normal(size=(6, len(laid.nodes_of(0)), 10))  # halves agree in nothing
    halves = [np.allclose(valued_by_halves(laid, noise, p), real_examples.by_halves(laid, noise, p)) for p in (0, 1)]
    yield "halves", all(halves)
    yield "at once", np.allclose(real_exploitability(strategy, workers=1).best_response, whole, atol=1e-9)
    yield "all flops", np.allclose(real_exploitability(strategy, 1000, workers=1).best_response, whole, atol=1e-9)
    found = real_exploitability(strategy, 4, workers=1, seed=1)
    yield "some flops", np.allclose(found.best_response, got.mean(axis=0), atol=1e-9)
    margin = 3.182446305284263 * np.std(got.mean(axis=1), ddof=1) / 2  # Student's 97.5 % with three degrees of freedom
    yield "margin", np.isclose(found.margin, margin, rtol=1e-9)


if __name__ == "__main__":
    try_bugs(look)
