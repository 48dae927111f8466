"""Mistakes in dealing, rows, showdowns, blocks of tables, baselines and play, planted into copies of the package.

The twin of `bucket_walk_examples` notices each. This file is also the program that tries the copies.
"""

import bucket_walk_examples as examples
import equity_examples
import pytest
from planting import catching, one_each, try_copies

DEALING, ROWS, PLAY = "card_dealing", "bucket_rows", "play"
BUILD, INFOSETS, TREE = "tree/bucket_build", "tree/bucket_infosets", "tree/bucket_tree"

pytestmark = pytest.mark.slow  # some seconds for each bug, since nothing is compiled

BUGS = {
    "a card comes twice": (DEALING, "held[at] <= card:", "held[at] < card:"),
    "cards that were dealt are out of order": (DEALING, "    held[at] = card\n", "    held[dealt] = card\n"),
    "the last card never comes": (DEALING, "below(dice, cards - dealt)", "below(dice, cards - dealt - U1)"),
    "a card is drawn from the whole pack": (DEALING, "below(dice, cards - dealt)", "below(dice, cards)"),
    "player 1 has no board": (DEALING, "        held[CARDS + SEVEN + U2 + j] = card\n", ""),
    "both players have the same first card": (DEALING, "SEVEN * (j >> U1) + (j & U1)", "SEVEN * (j >> U1) + (j >> U1)"),
    "the second walk takes other cards": (DEALING, "held[KEPT] = U1 - i", "held[KEPT] = i"),
    "ties are won": (DEALING, "U2 if mine > other", "U2 if mine >= other"),
    "the worse hand wins": (DEALING, "U2 if mine > other", "U2 if mine < other"),
    "the last card of the board does not count": (DEALING, "range(cards.board + U2)", "range(cards.board + U1)"),
    "both hands are player 0's at the showdown": (
        DEALING,
        "strength_of(cards, held, U1)",
        "strength_of(cards, held, U0)",
    ),
    "player 1's rows are not looked up": (DEALING, "    see_all(cards.look, cards.streets, held, U1)\n", ""),
    "the last street is not looked up": (
        DEALING,
        "see_all(cards.look, cards.streets, held, U1)",
        "see_all(cards.look, cards.streets - U1, held, U1)",
    ),
    "rows are those of the first street": (
        DEALING,
        "held[((m & BYTE) << U2) + (where & BYTE)]",
        "held[(m & BYTE) << U2]",
    ),
    "rows are the other player's": (DEALING, "held[((m & BYTE) << U2) +", "held[((U1 - (m & BYTE)) << U2) +"),
    "rows are as far apart as one decision is wide": (DEALING, "* (where >> U8)", "* (m >> U8)"),
    "who wins does not matter": (
        DEALING,
        "tree.signs[u64(tree.nodes[h << U2]) + held[WINNER]]",
        "tree.signs[u64(tree.nodes[h << U2])]",
    ),
    "baselines forget the street": (
        DEALING,
        "held[(i << U2) + (u64(tree.nodes[(h << U2) + U2]) & BYTE)]",
        "held[i << U2]",
    ),
    "baselines are the other player's rows": (
        DEALING,
        "estimator.first[h] + held[(i << U2)",
        "estimator.first[h] + held[((U1 - i) << U2)",
    ),
    "players share a baseline": (DEALING, "& BYTE)]) << U1) + i", "& BYTE)]) << U1)"),
    "always-call forgets who wins": (DEALING, "h * OUTCOMES + held[WINNER]", "h * OUTCOMES + U1"),
    "deals are looked at without player 1's second card": (DEALING, "dealt[j, p + p + U1]", "dealt[j, U1]"),
    "deals are looked at without the end of the board": (DEALING, "dealt[j, U4 + c]", "dealt[j, U4]"),
    "both players see player 0's cards": (
        ROWS,
        "make_keys(tables, held, CARDS + SEVEN * p,",
        "make_keys(tables, held, CARDS,",
    ),
    "rows of player 1 overwrite player 0's": (ROWS, "    o = p << U2\n", "    o = U0\n"),
    "the flop is seen as the first street": (
        ROWS,
        "= hand_number(look.numbering[1]",
        "= hand_number(look.numbering[0]",
    ),
    "the turn is not seen": (ROWS, "    if streets > U2:\n", "    if streets > U3:\n"),
    "rows of the turn are the flop's": (
        ROWS,
        "look.row[2][hand_number(look.numbering[2]",
        "look.row[1][hand_number(look.numbering[1]",
    ),
    "regrets below 0 count": (
        PLAY,
        "positive = max(f64(table.regret[o + a]), 0.0)",
        "positive = abs(f64(table.regret[o + a]))",
    ),
    "small regrets are none": (PLAY, "if total > LEAST", "if total > 1.5"),
    "no regret plays nothing": (PLAY, "real[g + a] = 1.0 / f64(k)", "real[g + a] = 0.0"),
    "strategies are not normalised": (PLAY, "real[g + a] *= share", "real[g + a] *= 1.0"),
    "the strategy is read from the first frame": (
        PLAY,
        "    return real, g\n\n\n@entry",
        "    return real, g * 0\n\n\n@entry",
    ),
    "players share blocks": (BUILD, "before = int(block.max(initial=-1)) + 1", "before = 0"),
    "who folds wins": (BUILD, "3 * (1 + FOLD_BY_0 -", "3 * (2 - FOLD_BY_0 +"),
    "folds pay by the showdown": (BUILD, "words[folded, layout.CHILD] = 3 *", "words[folded, layout.CHILD] = 0 *"),
    "stakes are numbered as they come": (BUILD, "= number[ends]", "= np.arange(len(number))[ends] % len(stakes)"),
    "lines are not shared": (BUILD, "first.setdefault(key, h) if shared else h", "h"),
    "decisions of a street are shared": (
        BUILD,
        "first.setdefault(key, h) if shared else h",
        "first.setdefault(key, h)",
    ),
    "nodes do not know how far rows are apart": (
        BUILD,
        "infosets.node_stride << STRIDE_AT",
        "betting.arity << STRIDE_AT",
    ),
    "decisions of a block begin at their place": (INFOSETS, "offset=offset[leader_of])", "offset=place[leader_of])"),
    "blocks begin by the number of infosets": (
        INFOSETS,
        "np.cumsum(self.block_rows * self.block_stride)",
        "np.cumsum(self.block_rows * np.diff(self.start))",
    ),
    "rows of a block are as far apart as one infoset": (
        INFOSETS,
        "+ row * width + int(self.place",
        "+ row + int(self.place",
    ),
    "blocks have the rows of the first street": (
        INFOSETS,
        "[betting.street[order[start]]]",
        "[0 * betting.street[order[start]]]",
    ),
    "cards of a line are not read": (INFOSETS, '" ".join(_DEALT.findall(line))', '" ".join(_DEALT.findall(line)[:1])'),
    "ties pay": (TREE, "SIGNS = np.array([-1.0, 0.0, 1.0,", "SIGNS = np.array([-1.0, 1.0, 1.0,"),
    "always-call forgets what is owed": (TREE, "self.betting.stakes.max(axis=1)", "self.betting.stakes.min(axis=1)"),
    "always-call pays folds as if called": (TREE, "np.where(folded, self.betting.stake, matched)", "matched"),
    "always-call calls after folds": (
        TREE,
        "np.where(folded, FOLD_BY_0 - self.betting.kind + 1, 0)",
        "0 * self.betting.kind",
    ),
    "baselines of all streets have the rows of the first": (
        TREE,
        "np.array(self.fit.rows)[self.betting.street]\n        ends",
        "np.array(self.fit.rows)[0 * self.betting.street]\n        ends",
    ),
    "cards stay in the pack when deals are listed": (TREE, "if card not in chosen]", "if card not in chosen[:1]]"),
    "all deals are listed once": (
        TREE,
        "found, counts = np.unique(out, axis=0, return_counts=True)",
        "found = np.unique(out, axis=0); counts = np.ones(len(found), np.int64)",
    ),
}


caught = catching(__file__, one_each(BUGS), equity_examples.without_cache)


def test_the_package_as_it_is_walks_as_the_twin(caught):
    assert caught[None] == []


@pytest.mark.parametrize("bug", BUGS)
def test_the_twin_notices(caught, bug):
    assert caught[bug]


# ---- the program

WALKS = [
    ("exact, all-ins", "external"),
    ("rows by hand", "outcome+infoset"),
    ("exact", "outcome+static(call)"),
    ("forgetful rows by hand", "external"),
]
EXPECTED = {}  # deals counted by the twin, once


def look():
    """The first difference from the twin, or what was raised."""
    equity_examples.use_tables()
    try:
        for name, method in WALKS:
            tree = examples.compiled(name)
            if found := examples.differences(tree, method) or examples.calling_faults(tree) or deal_faults(name, tree):
                return [f"{name}, {method}: {found[0]}"]
    except Exception as error:  # a planted bug may raise anything
        return [f"{type(error).__name__}: {error}"]
    return []


def deal_faults(name, tree):
    """Whether the deals that are listed are not those of the twin."""
    if name != "rows by hand":
        return []
    if not EXPECTED:
        EXPECTED.update(examples.deals_of(tree))
    return ["deals"] * ({examples.told(words, tree): count for words, count in tree.joint_deals} != EXPECTED)


if __name__ == "__main__":
    try_copies(look)
