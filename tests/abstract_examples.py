"""Small abstract games with made-up cards, whose best responses are known from a plain twin.

Rows of one street split those of the street before in no order, and some are never dealt. Nothing is compiled for them,
so that copies of the package with bugs in them can be tried too.
"""

import contextlib
import importlib
from types import SimpleNamespace

import numpy as np
from naive_abstract import best, value

ROWS = (2, 4, 9)
GAMES = {
    "limit": ("Limit", {"streets": 3, "cap": 1}),
    "all-in before the last street": (
        "NoLimit",
        {"stack": 7, "bet": "a", "raise_": "a", "streets": 3},
    ),
    "an ante": ("NoLimit", {"stack": 9, "ante": 1, "bet": "50%", "raise_": "a", "streets": 3, "cap": 1}),
}


def made_up_deals(seed):
    """Counts of deals, each as likely as the same with players exchanged; last row 4 is never dealt."""
    rng = np.random.default_rng(seed)
    before = [np.array([0, 1, 0, 1]), np.array([3, 0, 2, 1, 0, 1, 0, 2, 3])]
    found = []
    for _ in range(25):
        last = rng.choice([0, 1, 2, 3, 5, 6, 7, 8], 2)
        rows = [(before[0][before[1][row]], before[1][row], row, 0) for row in last]
        found.append((*map(int, rows[0] + rows[1]), int(rng.integers(3))))
    return sorted({words: int(rng.integers(1, 9)) for words in found}.items())


def exchanged(deals):
    """The same deals as probabilities, and with players exchanged."""
    total = 2 * sum(count for _, count in deals)
    return [(count / total, words) for words, count in deals] + [
        (count / total, (*words[4:8], *words[:4], 2 - words[8])) for words, count in deals
    ]


def made_up_tree(game, deals):
    """A tree of these rules for players who see these deals."""
    structures = importlib.import_module("mccfr.betting.structures")
    flat_tree = importlib.import_module("mccfr.betting.flat_tree")
    build = importlib.import_module("mccfr.tree.bucket_build")
    infosets = importlib.import_module("mccfr.tree.bucket_infosets")
    trees = importlib.import_module("mccfr.tree.bucket_tree")
    name, given = GAMES[game]
    betting = flat_tree.build_tree(getattr(structures, name)(**given))
    bucketing = SimpleNamespace(perfect_recall=True, shares_lines=False)
    fit = SimpleNamespace(rows=ROWS, cards=SimpleNamespace(streets=3), bucketing=bucketing, checksum="made up")
    found = infosets.BucketInfosets(betting, fit, build.blocks_of(betting, False))
    tree = trees.BucketTree(game, None, betting, fit, *build.lay_out(betting, found), found)
    tree.__dict__.update(joint_deals=deals, deal_count=sum(count for _, count in deals))
    return tree


def figures(game):
    """What the package says, and what the twin says: best responses, values, and what replies are worth."""
    table = importlib.import_module("mccfr.tree.abstract_table")
    values = importlib.import_module("mccfr.evaluate.abstract_values")
    table.STRIP = 4  # so that there is more than one
    trees = [made_up_tree(game, made_up_deals(seed)) for seed in (1, 2)]
    plain = [exchanged(made_up_deals(seed)) for seed in (1, 2)]
    tree, tables = trees[0], [table.abstract_table(tree) for tree in trees]
    weights = np.random.default_rng(3).exponential(size=tree.infosets.entries)
    weights[:6] = 0.0  # nothing is known of the first infosets: they play uniformly
    strategy, _ = tree.infosets.normalised(weights)
    evaluator = values.AbstractEvaluator(tree, *tables)
    won = evaluator.measure(weights).won
    ours, twins = [*won.reshape(-1)], []
    evaluator.load(strategy)
    for player in (0, 1):
        replies = []
        for one, deals in zip(tables, plain):
            alone = values.AbstractEvaluator(tree, one)
            alone.load(strategy)
            ours.append(alone.best_response(player))
            replies.append(alone.reply)
            twins.append(best(tree, strategy, deals, player))
        tried = [value(tree, profile, deals, player) for profile in (*replies, strategy) for deals in plain]
        assert np.allclose(won[player].reshape(-1), tried, rtol=0, atol=1e-12), "replies are worth something else"
    right = [*won.reshape(-1)]
    for player in (0, 1):
        right[6 * player], right[6 * player + 3] = twins[2 * player : 2 * player + 2]
    return ours, right + twins


def wrong(batch=None):
    """The names of the games in which anything is not as the twin says; with batches of so many numbers, if given."""
    found = []
    if batch is not None:
        importlib.import_module("mccfr.evaluate.abstract_values").BATCH = batch
    for game in GAMES:
        with contextlib.suppress(Exception):  # a bug may do anything
            ours, right = figures(game)
            if np.allclose(ours, right, rtol=0, atol=1e-12):
                continue
        found.append(game)
    return found
