"""A game as the page shows it: its tree with labels, its units, and what is known about its equilibria."""

import contextlib
import functools
import inspect
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.evaluate.exact import Evaluator
from mccfr.games.dealt import DealtForm
from mccfr.games.label_words import how_to_read, label_in_words
from mccfr.games.nlph import Nlph
from mccfr.games.registry import NAMED
from mccfr.games.rules_in_words import rules_in_words
from mccfr.kernel import layout
from mccfr.kernel.dispatch import uncompiled
from mccfr.tree.dealt_tree import DealtTree
from mccfr.tree.tree import Tree
from mccfr.web.atlas import Atlas
from mccfr.web.equilibria import kuhn_family
from mccfr.web.rows import key_of

DRAWN = 1000  # nodes of a tree that is sent whole
SMALL = 20_000  # nodes of a game that is evaluated in plain Python sooner than kernels are compiled: 0.3 s
CHARTED = 40  # infosets of a game whose average strategies are charted over time
SOLVED = 500  # infoset-actions of a game whose value is worked out for the page
MOST_HANDS = 200  # of a player, each of them a row where public nodes are shown
ANTE = {"kuhn": 1, "leduc": 1, "gp": 1}  # chips of games without blinds, where it counts as the big blind

KEPT = 20_000  # states of a game
MISSING = object()

Numbers = npt.NDArray[np.uint32]


class Scene:
    """A tree, the rules it was compiled from, and what follows from both."""

    def __init__(self, tree: Tree, rules: Any) -> None:
        self.tree, self.rules = tree, rules
        self.walks = tree.one_history_per_node  # whether walks can be shown: public nodes stand for all hands at once
        self.name = tree.game.removeprefix("dealt:").partition("(")[0]
        self._states: dict[int, Any] = {}
        self._words: dict[int, str] = {}

    @property
    def small(self) -> bool:
        """Whether a first look at it need not wait for kernels."""
        return self.tree.public is None and len(self.tree) <= SMALL

    def first_look(self) -> contextlib.AbstractContextManager[None]:
        """Inside the block, if the game is small, nothing is compiled."""
        return uncompiled() if self.small else contextlib.nullcontext()

    @property
    def big_blind(self) -> int | None:
        """Chips of the big blind, or of what counts as one; None if the game is no poker."""
        inner = self.rules.game if isinstance(self.rules, DealtForm) else self.rules
        return inner.big_blind if isinstance(inner, Nlph) else ANTE.get(self.name)

    @functools.cached_property
    def kind(self) -> Numbers:
        """[nodes] Who moves: 0, 1, or one of layout's CHANCE, FAIR and TERMINAL."""
        return self.tree.nodes[layout.KIND :: 4] & np.uint32(255)

    @functools.cached_property
    def arity(self) -> Numbers:
        """[nodes] How many actions."""
        return np.where(self.kind == int(layout.TERMINAL), 0, self.tree.nodes[layout.KIND :: 4] >> np.uint32(8))

    @functools.cached_property
    def parent(self) -> npt.NDArray[np.int64]:
        """[nodes] The node before; -1 before the root."""
        found = np.full(len(self.tree), -1, np.int64)
        inner = np.flatnonzero(self.arity)
        arity = self.arity[inner].astype(np.int64)
        first = self.tree.nodes[layout.CHILD :: 4][inner].astype(np.int64)
        within = np.arange(arity.sum()) - np.repeat(np.cumsum(arity) - arity, arity)
        found[np.repeat(first, arity) + within] = np.repeat(inner, arity)
        return found

    def child(self, h: int) -> int:
        """The first node after h."""
        return int(self.tree.nodes[4 * h + layout.CHILD])

    def infoset(self, h: int) -> int | None:
        """Number of the infoset of a player's node."""
        return int(self.tree.nodes[4 * h + layout.INFOSET]) if self.kind[h] < int(layout.CHANCE) else None

    def label(self, h: int) -> str | None:
        """Label of its infoset."""
        number = self.infoset(h)
        return None if number is None else self.tree.infosets.labels[number]

    def reading(self, j: int) -> str:
        """What an infoset's label says, in words. Some are kept: frames ask for the same again and again."""
        found = self._words.get(j)
        if found is None:
            found = label_in_words(self.rules, self.tree.infosets.owner(j), self.tree.infosets.labels[j])
            if len(self._words) >= KEPT:
                self._words.clear()
            self._words[j] = found
        return found

    @functools.cached_property
    def readings(self) -> dict[str, str]:
        """All labels in words, by player and label."""
        return {key_of(self.tree.infosets, j): self.reading(j) for j in range(len(self.tree.infosets))}

    @functools.cached_property
    def order(self) -> list[int]:
        """Infosets as cards stand: as in the tables, but Kuhn's by line of betting and then J, Q, K."""
        labels = self.tree.infosets.labels
        numbers = range(len(labels))
        if self.tree.game != "kuhn":
            return list(numbers)
        lines = ["", "cb", "c", "b"]
        return sorted(numbers, key=lambda j: (lines.index(labels[j][2:]), "JQK".index(labels[j][0])))

    def depth(self, h: int) -> int:
        """Moves before a node."""
        count = 0
        while h > 0:
            h, count = int(self.parent[h]), count + 1
        return count

    def kind_name(self, h: int) -> str:
        """chance, player0, player1 or terminal."""
        kind = int(self.kind[h])
        return f"player{kind}" if kind < 2 else "terminal" if kind == int(layout.TERMINAL) else "chance"

    def law(self, h: int) -> list[float]:
        """Probabilities of a chance node's outcomes."""
        k, o = int(self.arity[h]), int(self.tree.nodes[4 * h + layout.ROW])
        return [1.0 / k] * k if self.kind[h] == int(layout.FAIR) else self.tree.written.odds[o : o + k].tolist()

    def actions(self, h: int) -> list[str]:
        """Labels of what may follow a node."""
        number = self.infoset(h)
        if number is not None:
            return list(self.tree.infosets.actions(number))
        return [str(label) for label, _ in self.rules.chances(self.state(h))] if self.arity[h] else []

    def state(self, h: int) -> Any:
        """The state of the rules that node h stands for. Some are kept: many steps of a walk ask for the same."""
        found = self._states.get(h, MISSING)
        if found is MISSING:
            found = self._reached(h) if h else self.rules.root()
            if len(self._states) >= KEPT:
                self._states.clear()
            self._states[h] = found
        return found

    def _reached(self, h: int) -> Any:
        before = int(self.parent[h])
        state, at = self.state(before), h - self.child(before)
        if self.kind[before] >= int(layout.CHANCE):
            return self.rules.step(state, self.rules.chances(state)[at][0])
        return self.rules.step(state, self.rules.actions(state)[at])

    def edge(self, h: int) -> str | None:
        """Label of the action that leads to a node."""
        before = int(self.parent[h])
        return None if before < 0 else self.actions(before)[h - self.child(before)]

    def deal(self, h: int) -> list[str]:
        """What chance has dealt before a node, in order."""
        found: list[str] = []
        while h > 0:
            before = int(self.parent[h])
            if self.kind[before] >= int(layout.CHANCE):
                found.append(str(self.edge(h)))
            h = before
        return found[::-1]

    @functools.cached_property
    def opened(self) -> dict[str, Any]:
        """What a page is told about the game."""
        return {**self.opened_at_once, "exact_value": self.exact_value, "targets": self.targets}

    @functools.cached_property
    def opened_at_once(self) -> dict[str, Any]:
        """The same without the game's value, which takes long where kernels must be compiled for it."""
        tree = self.tree
        return {
            "name": tree.game,
            "title": (inspect.getdoc(NAMED[self.name]) or "").partition("\n")[0] if self.name in NAMED else tree.game,
            "units": {
                "name": "chips" if self.big_blind else "points",
                "mbb": 1000 / self.big_blind if self.big_blind else None,
                "big_blind": self.big_blind,
            },
            "nodes": len(tree),
            "infosets": len(tree.infosets),
            "deals": tree.deal_count,
            "rules": rules_in_words(self.rules),
            "how_to_read": how_to_read(self.rules),
            "readings": self.readings if self.drawn else None,
            "charts": self.charts,
            "targets": self.known_targets,
            "exact_value": None,
            "walks": self.walks,
            "vectors": self.vectors,
            "groups": [group.title for group in self.atlas.groups],
            "tree": [self._node(h) for h in range(len(tree))] if self.drawn else None,
        }

    @functools.cached_property
    def atlas(self) -> Atlas:
        """The infosets as grids, of a game with more than a few."""
        return Atlas(self.tree.infosets)

    @property
    def drawn(self) -> bool:
        """Whether the whole tree is sent."""
        return self.walks and len(self.tree) <= DRAWN

    @property
    def vectors(self) -> bool:
        """Whether the public tree is shown, with the hands at its nodes: of a dealt game, if they are not too many."""
        return isinstance(self.tree, DealtTree) and self.tree.most_hands <= MOST_HANDS

    @functools.cached_property
    def exact_value(self) -> float | None:
        """Value to player 0, of a small game, by linear programming."""
        if self._solution is None:
            return None
        tree = self.tree.written
        return Evaluator(tree).value(self._solution) + tree.constant / 2

    @functools.cached_property
    def _solution(self) -> npt.NDArray[np.float64] | None:
        """An equilibrium, of a small game."""
        if self.tree.public is not None or self.tree.infosets.entries > SOLVED:
            return None
        from mccfr.solvers.lp import solve_lp  # and with it much of SciPy

        return solve_lp(self.tree.written)

    @functools.cached_property
    def charts(self) -> list[dict[str, Any]] | None:
        """The infosets whose averages are charted, with their first entry in the tables; None if there are many."""
        infosets = self.tree.infosets
        if len(infosets) > CHARTED:
            return None
        return [
            {
                "player": infosets.owner(j),
                "label": infosets.labels[j],
                "reads": self.reading(j),
                "actions": list(infosets.actions(j)),
                "entry": int(infosets.row[j]),
            }
            for j in self.order
        ]

    @property
    def known_targets(self) -> dict[str, Any] | None:
        """Where averages of charted infosets should go, by player and label: lowest and highest of each action."""
        if self.family is None:
            return None
        points = self.family["points"]
        labels = {(chart["player"], chart["label"]) for chart in self.charts or ()}
        return {f"{player}:{label}": list(points[label].values()) for player, label in labels}

    @property
    def targets(self) -> dict[str, Any] | None:
        """The same, where it must be found: the numbers of one equilibrium."""
        if self.family is not None or self.charts is None or self._solution is None:
            return self.known_targets
        found = self._solution.tolist()
        return {
            f"{chart['player']}:{chart['label']}": [
                [found[chart["entry"] + a]] * 2 for a in range(len(chart["actions"]))
            ]
            for chart in self.charts
        }

    def _node(self, h: int) -> dict[str, Any]:
        before = int(self.parent[h])
        by_chance = before >= 0 and self.kind[before] >= int(layout.CHANCE)
        return {
            "id": h,
            "parent": None if before < 0 else before,
            "action": self.edge(h),
            "kind": self.kind_name(h),
            "infoset": self.label(h),
            "payoff": None if self.arity[h] else float(self.tree.written.reals[2 * h]) + self.tree.constant / 2,
            "p": self.law(before)[h - self.child(before)] if by_chance else None,
        }

    @property
    def family(self) -> dict[str, Any] | None:
        """All equilibria, where they are known."""
        return kuhn_family() if self.tree.game == "kuhn" else None
