"""Positions at tables of tiny decks beside their naive twins; for tests, and for programs that look for bugs.

The blueprint's probabilities are random, so nothing is right by symmetry. The package is imported where it is used.
"""

import functools

import numpy as np
from naive_table import Twin, cards_to_come, later_boards, payoff

FOUR_STREETS = "holdem(nolimit(stack=12, bet='100%,a', cap=1), exact, ranks=4, suits=2, board='1 1 1')"
THREE_STREETS = "holdem(nolimit(stack=12, bet='100%,a', cap=1), exact, ranks=4, suits=2, board='2 1')"
TWO_STREETS = "holdem(limit(cap=1, bets=2), exact, ranks=4, suits=2, board=3)"
DEEP = "holdem(nolimit(stack=100, bet='100%,a', cap=2), exact, ranks=4, suits=2, board=3)"
CLOSE = 1e-9
STARTS = (  # what betting led to a street, and its board
    ("ck/kk/", (1, 6)),
    ("r6c/kk/", (1, 6)),
    ("ck/kb4c/kk/", (0, 3, 6)),
    ("r6c/kk/kk/", (2, 7, 4)),
)
BESIDE_TREE = ("r5c/kk/", (2, 3))  # what the blueprint lacks; every bet from here on is all-in, so nothing is rounded


def random_strategy(game, seed=0):
    """A strategy with random probabilities, none of them small."""
    import mccfr

    return _random_strategy(mccfr, game, seed)


@functools.cache
def _random_strategy(mccfr, game, seed):  # each copy of the package has its own
    from mccfr.playing.transforms import changed

    dice = np.random.default_rng(seed)
    return changed(mccfr.uniform(game), "random", lambda tree, node, p: 0.2 + dice.random(p.shape))


def blueprint_of(game, seed=0):
    """The same at its table."""
    from mccfr.playing.policy import StrategyPolicy

    return StrategyPolicy(random_strategy(game, seed))


def agent_of(game, street="river", gadget="unsafe", iterations=30, seed=0, **others):
    """A policy that re-solves from it."""
    from mccfr.resolving.resolve_words import resolve_agent

    return resolve_agent(None, 0, random_strategy(game, seed), street, gadget, iterations=iterations, **others).policy


def first_positions(starts=STARTS):
    """By how much ranges and alternatives from the blueprint differ from those by pairs of hands."""
    from mccfr.resolving.blueprint_values import first_position

    blueprint = blueprint_of(FOUR_STREETS)
    twin = Twin(blueprint)
    for line, board in starts:
        s, moves = blueprint.table.at(line)
        for player in (0, 1):
            found = first_position(blueprint, board, s, moves, player, best=False)
            for seat in (0, 1):
                yield np.abs(found.ranges[seat] - twin.range(board, line, seat)).max()
            yield np.abs(found.alternatives - twin.alternatives(board, line, player)).max()


def beside_the_tree():
    """The same after a raise that the blueprint has not, for the player who did not make it."""
    from mccfr.resolving.blueprint_values import first_position

    blueprint, (line, board) = blueprint_of(FOUR_STREETS), BESIDE_TREE
    found = first_position(blueprint, board, *blueprint.table.at(line), 0, best=False)
    twin = Twin(blueprint)
    yield np.abs(found.ranges[0] - twin.range(board, line, 0)).max()
    yield np.abs(found.alternatives - twin.alternatives(board, line, 0)).max()


class SolvedTwin:
    """What a solution gives each pair of hands, read hand by hand."""

    def __init__(self, solved):
        self.solved, self.tree, self.table = solved, solved.tree, solved.table
        self.hands = [tuple(cards) for cards in solved.table.deck.hand_cards.tolist()]

    def law(self, node, board, hole):
        """Probabilities of the moves at a node of the betting tree."""
        tree, start = self.tree, len(self.solved.position.board)
        new = [(card,) for card in board[start:]]
        number, turned = tree.boards.find(new)
        street = len(new)
        nodes = tree.laid.nodes_of(street)
        at = nodes.start + list(tree.laid.origin[nodes.start : nodes.stop]).index(node)
        player, listed = int(tree.betting.kind[node]), tree.boards.members
        held = turned.hands[listed[2 * number + player]].tolist()
        base = int(tree.boards.boards.base[4 * number + 2 * player]) + int(tree.laid.entry[at]) * len(held)
        place = held.index(self.hands.index(hole))
        return [
            float(self.solved.solved.lanes[base + a * len(held) + place]) for a in range(int(tree.betting.arity[node]))
        ]

    def reach(self, path, board, hole, player):
        """What a hand does on the way."""
        betting, node, p = self.tree.betting, 0, 1.0
        for move in path:
            child = next(child for child in betting.children(node) if betting.move(child) == move)
            if betting.kind[node] == player:
                came = board[: self.table.board_size(int(betting.street[node]))]
                p *= self.law(node, came, hole)[child - int(betting.first_child[node])]
            node = child
        return node, p

    def value(self, node, holes, board):
        """What seat 0 gets from a node on."""
        betting = self.tree.betting
        s = self.state(node)
        cards = cards_to_come(self.table, s, board)
        if cards:
            every = later_boards(self.table, holes, board, cards)
            return sum(self.value(node, holes, each) for each in every) / len(every)
        if betting.kind[node] < 0:
            return payoff(self.table, s, holes, board)
        law = self.law(node, board, holes[int(betting.kind[node])])
        return sum(p * self.value(child, holes, board) for p, child in zip(law, betting.children(node)) if p > 0.0)

    def state(self, node):
        """Whose turn it is at a node, and the stakes."""
        betting, kind = self.tree.betting, int(self.tree.betting.kind[node])
        stakes = tuple(betting.stakes[node].tolist())
        folded = {-2: 0, -3: 1}.get(kind, -1)
        start = self.solved.position.state
        return start._replace(street=int(betting.street[node]), mover=max(kind, -1), stakes=stakes, folded=folded)

    def position(self, path, board):
        """Both ranges and the alternatives of the opponent after moves and cards."""
        before = self.solved.position
        player, other = before.player, 1 - before.player
        free = [not set(hole) & set(board) for hole in self.hands]
        ranges = np.zeros((2, len(self.hands)))
        for p in (0, 1):
            for h, hole in enumerate(self.hands):
                if free[h]:
                    node, share = self.reach(path, board, hole, p)
                    ranges[p, h] = before.ranges[p][h] * share
        worth = np.zeros(len(self.hands))
        for j, theirs in enumerate(self.hands):
            pairs = [(ranges[player, h], mine) for h, mine in enumerate(self.hands)
                     if free[h] and free[j] and not set(mine) & set(theirs)]  # fmt: skip
            total = sum(w for w, _ in pairs)
            if total > 0.0:
                values = [w * self.value(node, (mine, theirs) if player == 0 else (theirs, mine), board)
                          for w, mine in pairs]  # fmt: skip
                worth[j] = (1.0 if other == 0 else -1.0) * sum(values) / total
        return ranges, worth


LATER = (  # a decision, the next one of the same player, moves from the first position's start to the next one's, board
    ("ck/kk/", "ck/kk/kb4", "k", (1, 6)),
    ("ck/kk/", "ck/kk/kk/", "kk/", (1, 6, 2)),
    ("ck/kk/k", "ck/kk/kk/k", "kk/", (1, 6, 2)),
    ("r6c/kk/k", "r6c/kk/kk/k", "kk/", (0, 3, 6)),
    ("ck/kk/b4", "ck/kk/b4c/k", "b4c/", (1, 6, 5)),
    ("ck/kk/kb3", "ck/kk/kb3c/", "b3c/", (1, 6, 7)),
)
EXCHANGED = (("ck/", "ck/kk/", "kk/", (2, 3, 7)),)  # suits can be exchanged: this card is looked at as another one


def continued(gadget="unsafe", iterations=30):
    """By how much positions after own moves differ from what the solutions before them say, pair by pair."""
    yield from _continued(agent_of(FOUR_STREETS, "turn", gadget, iterations), LATER, gadget)
    yield from _continued(agent_of(THREE_STREETS, "turn", gadget, iterations), EXCHANGED, gadget)


def _continued(policy, decisions, gadget):
    table = policy.table
    for line, later, path, board in decisions:
        s, then = table.at(line)[0], table.at(later)[0]
        before = policy.solution(board[: table.board_size(s.street)], s)
        found = policy.solution(board, then).position
        moves = table.at(before.position.state.line + path)[1][len(table.at(before.position.state.line)[1]) :]
        ranges, worth = SolvedTwin(before).position(moves, board)
        followed = (0, 1) if gadget == "unsafe" else (s.mover,)
        yield from (np.abs(found.ranges[p] - ranges[p]).max() for p in followed)
        yield np.abs(found.alternatives - worth).max()
        yield abs(found.player - then.mover)


def answered():
    """By how much odds fail to add up, over decisions of both players about the same lines, with bets of any size."""
    policy = agent_of(DEEP, iterations=3)
    lines = ("ck/k", "ck/", "ck/b37", "ck/b37r80", "ck/kb7", "r6c/b9")
    for line, board in ((line, board) for line in lines for board in ((1, 6, 2), (1, 6, 3))):
        s, _ = policy.table.at(line)
        found = policy.odds_on(board, s)
        yield abs(sum(found.values()) - 1.0).max()
        yield sum(bool(policy.table.problem(s, move)) for move in found)
        position = policy.solution(board, s).position
        yield float((position.board, position.player) != (board, s.mover))


def distances():
    """All of these, few iterations each."""
    yield from first_positions(STARTS[:3:2])
    yield from beside_the_tree()
    yield from continued(iterations=2)
    yield from answered()


def wrong():
    """What is wrong, in words; for programs that look for bugs."""
    try:
        worst = max(distances())
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]
    return [] if worst < CLOSE else [f"off by {worst:.3g}"]
