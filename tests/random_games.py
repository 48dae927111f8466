"""Small random games: zero-sum or constant-sum, perfect recall by construction, with everything that is awkward.

A random tree of events is grown. Every event is seen by its actor and by a random subset of the others, and the infoset
of a player is the sequence of what it saw and did; so histories of different lengths meet in one infoset, and nobody
forgets. The number of actions is drawn once per infoset. There are one-action nodes, chance outcomes of probability 0,
payoffs of 0, players who never move, and infosets of two players with one label.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import naive
from hypothesis import strategies as st

from mccfr.games.base import CHANCE, TERMINAL

LABELS = ("a", "b", "c")


@dataclass(frozen=True)
class Node:
    """One node of a written-out tree, with what the seven methods answer there."""

    player: int
    labels: tuple[str, ...] = ()  # of the actions or outcomes
    children: tuple[int, ...] = ()
    odds: tuple[float, ...] = ()
    infoset: str = ""
    payoff: tuple[float, ...] = ()


@dataclass
class TreeGame:
    """A game given by its nodes; states are positions in the list and the root is the first."""

    players: int
    nodes: list[Node] = field(repr=False)
    name: str = ""  # how to make it again, for the message of a failing test

    def root(self) -> int:
        return 0

    def player(self, s: int) -> int:
        return self.nodes[s].player

    def actions(self, s: int) -> tuple[str, ...]:
        return self.nodes[s].labels

    def chances(self, s: int) -> list[tuple[str, float]]:
        return list(zip(self.nodes[s].labels, self.nodes[s].odds))

    def step(self, s: int, a: str) -> int:
        return self.nodes[s].children[self.nodes[s].labels.index(a)]

    def infoset(self, s: int) -> str:
        return self.nodes[s].infoset

    def payoff(self, s: int) -> tuple[float, ...]:
        return self.nodes[s].payoff


@dataclass
class Grower:
    """Grows one tree. `views[i]` is what player i has seen and done so far, as a string."""

    draw: random.Random
    depth: int
    players: int
    total: float  # what the payoffs of all players sum to
    nodes: list[Node | None] = field(default_factory=list)
    arities: dict[tuple[int, str], int] = field(default_factory=dict)

    def grow(self, depth: int, views: tuple[str, ...]) -> int:
        """Grows a subtree and returns the position of its root."""
        place = len(self.nodes)
        self.nodes.append(None)  # keeps the place: the root comes first
        if depth >= self.depth or (depth and self.draw.random() < 0.15):
            self.nodes[place] = Node(TERMINAL, payoff=self.payoff())
        elif self.draw.random() < 0.3:
            self.nodes[place] = self.chance(depth, views)
        else:
            self.nodes[place] = self.decision(depth, views)
        return place

    def chance(self, depth: int, views: tuple[str, ...]) -> Node:
        weights = [self.draw.choice((0, 1, 1, 2, 3)) for _ in range(self.draw.randint(1, 3))]
        weights[self.draw.randrange(len(weights))] += 1  # at least one outcome can happen
        odds = tuple(w / sum(weights) for w in weights)
        labels = LABELS[: len(weights)]
        return Node(CHANCE, labels, self.branches(depth, views, CHANCE, len(weights)), odds)

    def decision(self, depth: int, views: tuple[str, ...]) -> Node:
        who = self.draw.randrange(self.players)
        k = self.arities.setdefault((who, views[who]), self.draw.choice((1, 2, 2, 2, 3)))
        return Node(who, LABELS[:k], self.branches(depth, views, who, k), infoset=views[who])

    def branches(self, depth: int, views: tuple[str, ...], actor: int, k: int) -> tuple[int, ...]:
        """The subtrees below an event with k outcomes, which the actor and a random subset of the others see."""
        seen = [self.draw.random() < 0.25 for _ in views]
        return tuple(
            self.grow(depth + 1, tuple(extended(view, a, i == actor, seen[i]) for i, view in enumerate(views)))
            for a in range(k)
        )

    def payoff(self) -> tuple[float, ...]:
        """Zeros and small whole numbers make ties, fractions make none."""
        kinds = [(0.0, float(self.draw.randint(-3, 3)), self.draw.uniform(-3, 3)) for _ in range(self.players - 1)]
        draws = [self.draw.choice(kind) for kind in kinds]
        return (*draws, self.total - sum(draws))


def extended(view: str, a: int, acted: bool, seen: bool) -> str:
    """What a player knows after an event: own actions as capitals, seen ones as small letters."""
    return view + (LABELS[a].upper() if acted else LABELS[a] if seen else "")


def random_game(seed: int, depth: int = 6, players: int = 2, total: float = 0.0, most: int = 400) -> TreeGame:
    """The game of a seed: at most `depth` moves deep and `most` nodes large (by growing again until it is)."""
    draw = random.Random(seed)
    while True:
        grower = Grower(draw, depth, players, total)
        grower.grow(0, ("",) * players)
        if len(grower.nodes) <= most:
            nodes = [node for node in grower.nodes if node]
            return TreeGame(players, nodes, f"random_game({seed}, {depth}, {players}, {total}, {most})")


def games(depth: int = 6, players: int = 2, totals: Sequence[float] = (0.0,), most: int = 400) -> st.SearchStrategy:
    """Hypothesis strategy of random games; failing examples shrink to shallow ones."""
    seeds, depths = st.integers(0, 10**6), st.integers(1, depth)
    return st.builds(random_game, seeds, depths, st.just(players), st.sampled_from(totals), st.just(most))


def random_strategy(game: Any, seed: int) -> naive.Table:
    """A random profile; about every fifth probability is 0, so that parts of the tree are out of reach."""
    draw = random.Random(seed)
    return {
        key: naive.normalise([draw.choice((0.0, *(draw.uniform(0.1, 1) for _ in range(4)))) for _ in probabilities])
        for key, probabilities in naive.uniform(game).items()
    }


# Games that break a rule ----------------------------------------------------------------------------------------------


def imperfect_recall_game(seed: int) -> TreeGame:
    """A random game in which two infosets of one player with different pasts are given one label."""
    for game in _more_games(seed):
        sets = list(naive.infosets(game).items())
        for (i, first), (j, second) in ((x, y) for x in sets for y in sets if x[0] < y[0]):
            (a, b), who = (first[0], second[0]), i[0]
            same_kind = who == j[0] and game.actions(a.state) == game.actions(b.state)
            if same_kind and naive.own_moves(a, who) != naive.own_moves(b, who):
                return _changed(game, [h.state for h in second], infoset=game.infoset(a.state))
    raise AssertionError("there is always another game")


def differing_actions_game(seed: int, count_too: bool = False) -> TreeGame:
    """A random game in which one history of an infoset has another action label, or (`count_too`) one action less."""
    for game in _more_games(seed):
        for members in naive.infosets(game).values():
            state = members[-1].state
            labels, below = game.nodes[state].labels, game.nodes[state].children
            if len(members) > 1 and len(labels) > 1:
                if count_too:
                    return _changed(game, [state], labels=labels[:-1], children=below[:-1])
                return _changed(game, [state], labels=(*labels[:-1], "other"))
    raise AssertionError("there is always another game")


def _more_games(seed: int) -> Iterator[TreeGame]:
    return (random_game(1000 * seed + k) for k in count())


def _changed(game: TreeGame, states: Sequence[int], **fields: Any) -> TreeGame:
    """The game with other fields at some of its nodes."""
    nodes = list(game.nodes)
    for s in states:
        nodes[s] = Node(**{**vars(nodes[s]), **fields})
    return TreeGame(game.players, nodes, f"{game.name} with {fields} at {list(states)}")
