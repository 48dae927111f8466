"""A node of no-limit preflop hold'em (nlph), class by class: both ranges, frequencies, equities and EVs, all exact.

Suits do not matter before the flop, so what is the same for all hands of a class is worked out once for it. The EV of a
hand is what it gets out of the pot in the end less what it still puts in from the node on, as in spots.
"""

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mccfr.betting.lines import NOBODY, OVER, State
from mccfr.cards.deck import CLASS_NAMES, CLASS_OF_HAND, CLASSES, HANDS, hand_name
from mccfr.cards.equity import class_equities
from mccfr.errors import StrategyError, quoted
from mccfr.evaluate.node_view import NodeView
from mccfr.games.dealt import DealtForm
from mccfr.games.dealt_nlph import Menu, action_menu
from mccfr.games.nlph import Nlph
from mccfr.games.registry import received_game
from mccfr.strategy.strategy import Strategy
from mccfr.web.bucket_reader import ranges_against
from mccfr.web.node_lines import Choice, Place, kind_of, steps_of

Floats = npt.NDArray[np.float64]


MOST_NODES = 2000  # of a betting tree whose EVs are worked out: two seconds


def _why_no_ev(game: Nlph) -> str | None:
    if not game.classes:
        return "EVs are computed for nlph by classes, not for its 1326 hands."
    nodes = game.dealt_size()[0]
    return None if nodes <= MOST_NODES else f"EVs are not computed for betting trees of {nodes:,} nodes."


class Node(NamedTuple):
    """A state of the chips, the line that leads there and both players' reaches."""

    line: str
    chips: State
    reach: Floats  # [2, hands of the strategy: 169 or 1326]


class PreflopReader:
    """Reads one strategy of nlph."""

    seats = ("small blind", "big blind")

    def __init__(self, strategy: Strategy) -> None:
        game: Any = received_game(strategy.game)
        game = game.game if isinstance(game, DealtForm) else game
        if not isinstance(game, Nlph):
            raise StrategyError(f"{strategy.game} is not hold'em before the flop")
        self.strategy, self.betting = strategy, game.betting
        self.names = CLASS_NAMES if game.classes else tuple(hand_name(number) for number in range(HANDS))
        self.class_of = np.arange(CLASSES) if game.classes else CLASS_OF_HAND
        self.why_no_ev = _why_no_ev(game)
        self.played = functools.lru_cache(MOST_NODES)(self._played)

    def place(self, line: str) -> Place:
        """Where a line leads."""
        chips = self._at(line).chips
        if chips.mover == OVER:
            return Place(line, steps_of(line), [], 0, "showdown" if chips.folded == NOBODY else "fold")
        choices = []
        for words, (letters, move) in self._menu(chips).items():
            over = self.betting.play(chips, move).mover == OVER
            choices.append(Choice(letters, words, kind_of(letters), line + letters, over))
        return Place(line, steps_of(line), choices, 0, None)

    def kinds_of_cards(self, line: str) -> list[list[str]]:
        """None: the board is never dealt."""
        return []

    def view(self, line: str) -> NodeView:
        """Everything about the node that a line leads to."""
        node, hands = self._at(line), self._of_hand
        mover = None if node.chips.mover == OVER else node.chips.mover
        actions = tuple(choice.action for choice in self.place(line).choices)
        frequency = np.full((len(actions), HANDS), np.nan)
        action_ev, ev = frequency.copy(), np.full((2, HANDS), np.nan)
        if mover is not None:
            frequency[:] = self.played(line, mover)[:, hands]
        if self.why_no_ev is None:
            ev = np.array([self._worth(node, node, player) for player in (0, 1)])[:, hands]
            for j, after in enumerate(self._after(node)):
                action_ev[j] = self._worth(after._replace(reach=node.reach), node, node.chips.mover)[hands]
        equity, weight = ranges_against(node.reach[:, hands], (), 13, 4, 5)
        pot = float(self.betting.dead + sum(node.chips.stakes))
        return NodeView(
            self.strategy.game, line, "", pot, mover, actions, 13, 4, node.reach[:, hands], weight, ev, equity,
            frequency, action_ev,
        )  # fmt: skip

    @property
    def _of_hand(self) -> npt.NDArray[np.int64]:
        """[1326] the number of each hand among those of the strategy."""
        return CLASS_OF_HAND if len(self.names) == CLASSES else np.arange(HANDS)

    def _menu(self, chips: State) -> Menu:
        return action_menu(self.betting, chips)

    def _at(self, line: str) -> Node:
        node = Node("", self.betting.root()._replace(line=""), np.ones((2, len(self.names))))
        while node.line != line:
            following = [each for each in self._after(node) if line.startswith(each.line)]
            if not following:
                offered = ", ".join(each.line.removeprefix(node.line) for each in self._after(node))
                told = f"after {node.line!r} there is {offered or 'no more move'}"
                raise StrategyError(f"no line {quoted(line)} in {self.strategy.game}: {told}")
            node = max(following, key=lambda each: len(each.line))
        return node

    def _after(self, node: Node) -> list[Node]:
        """The nodes after each move."""
        if node.chips.mover == OVER:
            return []
        law, found = self.played(node.line, node.chips.mover), []
        for p, (letters, move) in zip(law, self._menu(node.chips).values()):
            reach = node.reach.copy()
            reach[node.chips.mover] *= p
            found.append(Node(node.line + letters, self.betting.play(node.chips, move)._replace(line=""), reach))
        return found

    def _played(self, line: str, player: int) -> Floats:
        """[moves, hands] what hands do after a line."""
        infosets, p = self.strategy.infosets, self.strategy.probabilities
        numbers = [infosets.find(f"{name}:{line}", player) for name in self.names]
        first, count = np.array([infosets.entry(j) for j in numbers]), len(infosets.actions(numbers[0]))
        return np.asarray(p[first[:, None] + np.arange(count)], np.float64).T

    # ---- EVs

    def _worth(self, node: Node, seen_from: Node, player: int) -> Floats:
        """[169] a player's EV of each class from a node on, counted from another one before it."""
        table, put = class_equities(), seen_from.chips.stakes[player]
        met = table.pairs @ seen_from.reach[1 - player]
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(met > 0, self._gains(node, seen_from.reach[1 - player], player, put) / met, np.nan)

    def _gains(self, node: Node, other: Floats, player: int, put: int) -> Floats:
        """[169] what a class gets less what it puts in, summed over the hands of the other range that it can meet."""
        table, chips = class_equities(), node.chips
        if chips.mover == OVER:
            pot = self.betting.dead + sum(chips.stakes)
            won = table.win + table.tie / 2 if chips.folded == NOBODY else float(chips.folded != player)
            gain: Floats = (table.pairs * (won * pot - (chips.stakes[player] - put))) @ other
            return gain
        law = self.played(node.line, chips.mover)
        total = np.zeros(CLASSES)
        for p, after in zip(law, self._after(node)):
            if chips.mover == player:
                total += p * self._gains(after, other, player, put)
            else:
                total += self._gains(after, other * p, player, put)
        return total
