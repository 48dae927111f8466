"""Mistakes in dealing, rows, showdowns, blocks of tables, baselines and play, planted into the package.

The twin of `bucket_walk_examples` notices each. This file is also the program that tries them.
"""

import bucket_walk_examples as examples
import equity_examples
import pytest
from planting import catching, one_each, try_bugs

pytestmark = pytest.mark.slow  # some seconds for each bug, since nothing is compiled

BUGS = {
    "a card comes twice": ("card_dealing:draw_card", "held[at] <= card:", "held[at] < card:"),
    "cards that were dealt are out of order": (
        "card_dealing:draw_card",
        "    held[at] = card\n",
        "    held[dealt] = card\n",
    ),
    "the last card never comes": (
        "card_dealing:draw_card",
        "below(dice, cards - dealt)",
        "below(dice, cards - dealt - U1)",
    ),
    "a card is drawn from the whole pack": (
        "card_dealing:draw_card",
        "below(dice, cards - dealt)",
        "below(dice, cards)",
    ),
    "player 1 has no board": ("card_dealing:draw_cards", "        held[CARDS + SEVEN + U2 + j] = card\n", ""),
    "both players have the same first card": (
        "card_dealing:draw_cards",
        "SEVEN * (j >> U1) + (j & U1)",
        "SEVEN * (j >> U1) + (j >> U1)",
    ),
    "the second walk takes other cards": ("card_dealing:deal(BucketWalkTree)", "held[KEPT] = U1 - i", "held[KEPT] = i"),
    "ties are won": ("card_dealing:look_at_cards", "U2 if mine > other", "U2 if mine >= other"),
    "the worse hand wins": ("card_dealing:look_at_cards", "U2 if mine > other", "U2 if mine < other"),
    "the last card of the board does not count": (
        "card_dealing:strength_of",
        "range(cards.board + U2)",
        "range(cards.board + U1)",
    ),
    "both hands are player 0's at the showdown": (
        "card_dealing:look_at_cards",
        "strength_of(cards, held, U1)",
        "strength_of(cards, held, U0)",
    ),
    "player 1's rows are not looked up": (
        "card_dealing:look_at_cards",
        "    see_all(cards.look, cards.streets, held, U1)\n",
        "",
    ),
    "the last street is not looked up": (
        "card_dealing:look_at_cards",
        "see_all(cards.look, cards.streets, held, U1)",
        "see_all(cards.look, cards.streets - U1, held, U1)",
    ),
    "rows are those of the first street": (
        "card_dealing:row(BucketWalkTree)",
        "held[((m & BYTE) << U2) + (where & BYTE)]",
        "held[(m & BYTE) << U2]",
    ),
    "rows are the other player's": (
        "card_dealing:row(BucketWalkTree)",
        "held[((m & BYTE) << U2) +",
        "held[((U1 - (m & BYTE)) << U2) +",
    ),
    "rows are as far apart as one decision is wide": (
        "card_dealing:row(BucketWalkTree)",
        "* (where >> U8)",
        "* (m >> U8)",
    ),
    "who wins does not matter": (
        "card_dealing:worth(BucketWalkTree)",
        "tree.signs[u64(tree.nodes[h << U2]) + held[WINNER]]",
        "tree.signs[u64(tree.nodes[h << U2])]",
    ),
    "baselines forget the street": (
        "card_dealing:edge_into(BucketInfoset)",
        "held[(i << U2) + (u64(tree.nodes[(h << U2) + U2]) & BYTE)]",
        "held[i << U2]",
    ),
    "baselines are the other player's rows": (
        "card_dealing:edge_into(BucketInfoset)",
        "estimator.first[h] + held[(i << U2)",
        "estimator.first[h] + held[((U1 - i) << U2)",
    ),
    "players share a baseline": ("card_dealing:edge_into(BucketInfoset)", "& BYTE)]) << U1) + i", "& BYTE)]) << U1)"),
    "always-call forgets who wins": (
        "card_dealing:place(BucketWalkTree)",
        "h * OUTCOMES + held[WINNER]",
        "h * OUTCOMES + U1",
    ),
    "deals are looked at without player 1's second card": (
        "card_dealing:look_at_deals",
        "dealt[j, p + p + U1]",
        "dealt[j, U1]",
    ),
    "deals are looked at without the end of the board": (
        "card_dealing:look_at_deals",
        "dealt[j, U4 + c]",
        "dealt[j, U4]",
    ),
    "both players see player 0's cards": (
        "bucket_rows:hand_number",
        "make_keys(tables, held, CARDS + SEVEN * p,",
        "make_keys(tables, held, CARDS,",
    ),
    "rows of player 1 overwrite player 0's": ("bucket_rows:see_all(IndexedRows)", "    o = p << U2\n", "    o = U0\n"),
    "the flop is seen as the first street": (
        "bucket_rows:see_all(IndexedRows)",
        "= hand_number(look.numbering[1]",
        "= hand_number(look.numbering[0]",
    ),
    "the turn is not seen": ("bucket_rows:see_all(IndexedRows)", "    if streets > U2:\n", "    if streets > U3:\n"),
    "rows of the turn are the flop's": (
        "bucket_rows:see_all(HandRows)",
        "look.row[2][hand_number(look.numbering[2]",
        "look.row[1][hand_number(look.numbering[1]",
    ),
    "regrets below 0 count": (
        "play:from_regrets",
        "positive = max(f64(table.regret[o + a]), 0.0)",
        "positive = abs(f64(table.regret[o + a]))",
    ),
    "small regrets are none": ("play:from_regrets", "if total > LEAST", "if total > 1.5"),
    "no regret plays nothing": ("play:from_regrets", "real[g + a] = 1.0 / f64(k)", "real[g + a] = 0.0"),
    "strategies are not normalised": ("play:from_regrets", "real[g + a] *= share", "real[g + a] *= 1.0"),
    "the strategy is read from the first frame": (
        "play:from_regrets",
        "return real, g",
        "return real, g * 0",
    ),
    "players share blocks": ("tree/bucket_build:blocks_of", "before = int(block.max(initial=-1)) + 1", "before = 0"),
    "who folds wins": ("tree/bucket_build:lay_out", "3 * (1 + FOLD_BY_0 -", "3 * (2 - FOLD_BY_0 +"),
    "folds pay by the showdown": (
        "tree/bucket_build:lay_out",
        "words[folded, layout.CHILD] = 3 *",
        "words[folded, layout.CHILD] = 0 *",
    ),
    "stakes are numbered as they come": (
        "tree/bucket_build:lay_out",
        "= number[ends]",
        "= np.arange(len(number))[ends] % len(stakes)",
    ),
    "lines are not shared": ("tree/bucket_build:blocks_of", "first.setdefault(key, h) if shared else h", "h"),
    "decisions of a street are shared": (
        "tree/bucket_build:blocks_of",
        "first.setdefault(key, h) if shared else h",
        "first.setdefault(key, h)",
    ),
    "nodes do not know how far rows are apart": (
        "tree/bucket_build:lay_out",
        "infosets.node_stride << STRIDE_AT",
        "betting.arity << STRIDE_AT",
    ),
    "decisions of a block begin at their place": (
        "tree/bucket_infosets:BucketInfosets.__init__",
        "offset=offset[leader_of])",
        "offset=place[leader_of])",
    ),
    "blocks begin by the number of infosets": (
        "tree/bucket_infosets:BucketInfosets.block_entry",
        "np.cumsum(self.block_rows * self.block_stride)",
        "np.cumsum(self.block_rows * np.diff(self.start))",
    ),
    "rows of a block are as far apart as one infoset": (
        "tree/bucket_infosets:BucketInfosets.number",
        "+ row * width + int(self.place",
        "+ row + int(self.place",
    ),
    "blocks have the rows of the first street": (
        "tree/bucket_infosets:BucketInfosets.__init__",
        "[betting.street[order[start]]]",
        "[0 * betting.street[order[start]]]",
    ),
    "cards of a line are not read": (
        "tree/bucket_infosets:_without_cards",
        '" ".join(_DEALT.findall(line))',
        '" ".join(_DEALT.findall(line)[:1])',
    ),
    "ties pay": ("tree/bucket_tree:SIGNS", "SIGNS = np.array([-1.0, 0.0, 1.0,", "SIGNS = np.array([-1.0, 1.0, 1.0,"),
    "always-call forgets what is owed": (
        "tree/bucket_tree:BucketTree.calling_values",
        "self.betting.stakes.max(axis=1)",
        "self.betting.stakes.min(axis=1)",
    ),
    "always-call pays folds as if called": (
        "tree/bucket_tree:BucketTree.calling_values",
        "np.where(folded, self.betting.stake, matched)",
        "matched",
    ),
    "always-call calls after folds": (
        "tree/bucket_tree:BucketTree.calling_values",
        "np.where(folded, FOLD_BY_0 - self.betting.kind + 1, 0)",
        "0 * self.betting.kind",
    ),
    "baselines of all streets have the rows of the first": (
        "tree/bucket_tree:BucketTree.infoset_baseline",
        "np.array(self.fit.rows)[self.betting.street]\n        ends",
        "np.array(self.fit.rows)[0 * self.betting.street]\n        ends",
    ),
    "cards stay in the pack when deals are listed": (
        "tree/bucket_tree:_every_deal",
        "if card not in chosen]",
        "if card not in chosen[:1]]",
    ),
    "all deals are listed once": (
        "tree/bucket_tree:BucketTree.joint_deals",
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
    try_bugs(look)
