"""A dealt game as flat arrays: the public tree, the hands, and a matrix for every way it can end.

A node is four 32-bit words, as in a written-out tree:

    word     decision                   public chance     terminal
    0        first child                first child       number of its matrix
    1        first table entry          where its law is  number of its stake
    2        which hands are possible   0                 0
    3        player | arity << 8        CHANCE | arity    TERMINAL

The j-th possible hand at a decision owns the entries row + j arity .. row + (j + 1) arity - 1; entries follow the order
of nodes, player 0's first. The law of a public event given hands h0, h1 is the arity numbers from laws[where +
(h0 hands + h1) arity] on, `hands` being player 1's.
"""

import dataclasses
import functools
import hashlib
from collections.abc import Callable, Hashable, Iterator
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from mccfr.errors import GameError
from mccfr.games.base import CHANCE, TERMINAL, game_text
from mccfr.games.dealt import DealtForm, DealtRules, PublicArrays, dealt_rules
from mccfr.games.streets import Streets
from mccfr.kernel import layout
from mccfr.kernel.dealing import DealtWalkTree
from mccfr.kernel.endings import Matrices
from mccfr.kernel.estimators import DealtInfoset, Infoset
from mccfr.kernel.layout import Table
from mccfr.kernel.public_line import pair_values
from mccfr.kernel.vector import PublicTree, VectorWork
from mccfr.tree.budget import memory_limit
from mccfr.tree.dealt_budget import DealtBudget
from mccfr.tree.dealt_infosets import DealtInfosets
from mccfr.tree.rankings import Ranked, card_count, rank_endings
from mccfr.tree.ties import hand_ties
from mccfr.tree.tree import Floats, Tree, nearness

Numbers = npt.NDArray[np.int64]
SHARED_FROM = 2**16  # public nodes: smaller trees are not worth sharing out
SAMPLED_NAMES = 1000  # names a large game is known by


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class DealtTree(Tree):
    """A public tree with hands: nodes are what everybody sees, and hands are dealt at the start.

    The module's docstring describes the nodes. Games such as `dealt:leduc` and `nlph` are compiled to this form.

    Attributes:
        game: The string that names the game.
        hands: What each player can be dealt.
        deal: [hands 0, hands 1] The probability of each pair of hands.
        nodes: The public nodes, four 32-bit words each.
        matrices: [matrices, hands 0, hands 1] What endings pay player 0, times what chance contributes.
        stakes: By how much an ending multiplies its matrix.
        laws: The probabilities of public events, given both hands.
        members: The hands that are possible at a decision, list after list.
        start: Where each of these lists begins, and at the end where the last one ends.
        infosets: Which table entries belong to which infoset, and what people call them.
        depth: The most moves before a node.
        ranked: The endings by strength of hands, where the rules offer it; otherwise None.
        players: Always 2.
        constant: What the payoffs summed to before half of it was taken from each player.
        limit: The most bytes that the tree and what is made for it may take; 0 for the usual limit.
        held: How many words a walk keeps: both hands, and the number of their pair.

    Examples:
        >>> import mccfr
        >>> tree = mccfr.compile("dealt:kuhn")
        >>> tree
        <DealtTree of dealt:kuhn: 9 public nodes, 3 x 3 hands, 12 infosets>
        >>> tree.hands[0]
        ('J', 'Q', 'K')
        >>> tree.written
        <HistoryTree of dealt:kuhn: 55 nodes, 12 infosets>
    """

    held: ClassVar[int] = 3  # both hands, and the number of their pair

    game: str
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    deal: Floats  # [hands 0, hands 1]
    nodes: npt.NDArray[np.uint32]  # [4 * public nodes]
    matrices: Floats  # [matrices, hands 0, hands 1] for player 0
    stakes: Floats
    laws: Floats  # of public events, given both hands
    members: npt.NDArray[np.uint32]  # possible hands, list after list
    start: npt.NDArray[np.uint32]  # [lists + 1] where each list begins
    infosets: DealtInfosets
    depth: int
    ranked: Ranked | None = None  # the endings by strength, where rules offer it
    players: int = 2
    constant: float = 0.0
    limit: int = 0  # bytes that it and what is made for it may take, 0 for the usual limit

    def __repr__(self) -> str:
        sizes = " x ".join(str(len(hands)) for hands in self.hands)
        return f"<DealtTree of {self.game}: {len(self):,} public nodes, {sizes} hands, {len(self.infosets):,} infosets>"

    @property
    def public(self) -> "DealtTree":
        """The tree itself."""
        return self

    @property
    def pot(self) -> float | None:
        """The pot at the start, of hold'em in its dealt form."""
        streets = getattr(self.infosets.rules, "streets", None)
        return streets.pot if isinstance(streets, Streets) else None

    def walk_view(self) -> DealtWalkTree:
        """Return the tree as the kernel of a walk with one pair of hands sees it.

        Returns:
            The arrays of the tree, with cumulative probabilities to draw hands from.
        """
        hand = self.deal.sum(axis=1)
        reply = np.cumsum(self.deal / np.where(hand > 0.0, hand, 1.0)[:, None], axis=1)
        hands, second, pairs = map(np.uint64, (self.most_hands, self.deal.shape[1], self.deal.size))
        return DealtWalkTree(
            self.nodes, self.payoffs.reshape(-1), self.stakes, self.laws, self.index.reshape(-1), np.cumsum(hand),
            reply.reshape(-1), hands, second, pairs, nearness(self.nodes),
        )  # fmt: skip

    def deals(self) -> Iterator[tuple[float, tuple[int, ...]]]:
        """List every pair of hands that can be dealt.

        Yields:
            The probability of a pair, and three words: both hands and the number of the pair.
        """
        second = self.deal.shape[1]
        for h, g in zip(*np.nonzero(self.deal)):
            yield float(self.deal[h, g]), (int(h), int(g), int(h * second + g))

    @functools.cached_property
    def deal_count(self) -> int:
        """How many pairs of hands can be dealt."""
        return int(np.count_nonzero(self.deal))

    @property
    def largest_infoset(self) -> int:
        """The most hands of the other player that a hand can meet."""
        meets = self.deal > 0.0
        return int(max(meets.sum(axis=0).max(), meets.sum(axis=1).max()))

    def public_view(self, pairs: bool = False) -> PublicTree:
        """Return the tree as the kernel of a vector walk sees it.

        Args:
            pairs: Whether endings are matrices even where hands can be ranked by strength.

        Returns:
            The arrays of the tree.
        """
        pays: Any = self.ranked
        if pairs or pays is None:
            pays = Matrices(np.ascontiguousarray(self.matrices.transpose(0, 2, 1)), -self.matrices)
        ties = hand_ties(self.matrices, self.stakes)
        return PublicTree(self.nodes, pays, self.stakes, self.members, self.start, ties)

    def sampled_view(self, pairs: bool = False) -> PublicTree:
        """Return the public view, with what sampling laws need to know about the deal.

        Args:
            pairs: Whether endings are matrices even where hands can be ranked by strength.

        Returns:
            The arrays of the tree; `deal` holds [hands of the other, own hands] for each player.
        """
        deal = np.ascontiguousarray(self.deal.T), self.deal
        view = self.public_view(pairs)
        dealt = self.hand_probabilities
        return view._replace(deal=deal, hand_probability=dealt, index=self.index, same=self.same_hands)

    @functools.cached_property
    def hand_probabilities(self) -> Floats:
        """[players, hands] How likely each hand is dealt."""
        found = np.zeros((2, self.most_hands))
        for player in (0, 1):
            found[player, : len(self.hands[player])] = self.deal.sum(axis=1 - player)
        return found

    @functools.cached_property
    def same_hands(self) -> npt.NDArray[np.uint64]:
        """[players, hands] The place of each hand among those of the other player; `most_hands` where it is not."""
        found = np.full((2, self.most_hands), self.most_hands, np.uint64)
        for player, hands in enumerate(self.hands):
            places = {hand: place for place, hand in enumerate(self.hands[1 - player])}
            found[player, : len(hands)] = [places.get(hand, self.most_hands) for hand in hands]
        return found

    @property
    def extent(self) -> int:
        """What a walk of everything visits: public nodes times the hands of the player who has more."""
        return len(self) * self.most_hands

    @property
    def most_hands(self) -> int:
        """The number of hands of the player who has more."""
        return max(map(len, self.hands))

    @property
    def in_branches(self) -> bool:
        """Whether the tree is large enough for several workers to take a branch each."""
        return len(self) >= SHARED_FROM

    def vector_work(self) -> VectorWork:
        """Make the memory that a vector walk needs.

        Returns:
            Frames and vectors of hands for the deepest path.
        """
        hands, depth, arity = self.most_hands, self.depth + 2, max(self.infosets.widest, 1)
        vectors = [np.zeros(depth * hands) for _ in range(3)]
        return VectorWork(
            np.zeros(2 * depth, np.uint64), vectors[0], vectors[1], np.zeros(depth * hands * arity), vectors[2],
            np.zeros(hands), np.zeros(hands + 1 + card_count(self.ranked)), np.zeros(1, np.uint64), np.uint64(hands),
            np.uint64(arity),
        )  # fmt: skip

    def pair_values(self, probabilities: Floats) -> Floats:
        """Compute what every pair of hands is worth at every node when both players follow a strategy.

        Args:
            probabilities: The strategy, a probability for every table entry.

        Returns:
            [nodes, hands 0, hands 1], flat. The value for player 0, times the probability of the pair and of the public
                events so far.
        """
        values = np.zeros(self.histories)
        play = np.zeros(max(self.infosets.widest, 1) * self.most_hands)
        table = Table(probabilities, np.zeros(0), np.zeros(0))
        pair_values(self.public_view(pairs=True), table, play, np.uint64(self.most_hands), values)
        return values

    @property
    def histories(self) -> int:
        """Public nodes times pairs of hands."""
        return len(self) * self.deal.size

    def history_values(self, probabilities: Floats) -> Floats:
        """Compute what every history is worth when both players follow a strategy.

        Args:
            probabilities: The strategy, a probability for every table entry.

        Returns:
            [nodes, hands 0, hands 1], flat. u(h) for player 0; 0 where chance never leads to a history.
        """
        key, chances = self.chance_reach
        values = self.pair_values(probabilities).reshape(len(self), -1)
        chance = chances.reshape(len(chances), -1)[key]
        return np.divide(values, chance, out=values, where=chance > 0.0).reshape(-1)

    def infoset_baseline(self, policy: Infoset) -> DealtInfoset:
        """Make the tables of an infoset baseline: the walker sees an edge and its own hand.

        Args:
            policy: The baseline, without tables.

        Returns:
            The baseline with its tables.
        """
        count = 2 * len(self) * self.most_hands
        visits = np.zeros(count if policy.rate == 0.0 else 1)
        hands, second, pairs = map(np.uint64, (self.most_hands, self.deal.shape[1], self.deal.size))
        return DealtInfoset(policy.rate, hands, second, pairs, np.zeros(count), visits)

    @functools.cached_property
    def index(self) -> npt.NDArray[np.uint32]:
        """[lists, hands] The place of a hand in each list of possible hands, 0 where it is not in it."""
        found = np.zeros((len(self.start) - 1, self.most_hands), np.uint32)
        for j, (begin, end) in enumerate(pairwise(self.start.tolist())):
            found[j, self.members[begin:end]] = np.arange(end - begin)
        return found

    @functools.cached_property
    def chance_reach(self) -> tuple[npt.NDArray[np.uint32], Floats]:
        """What chance contributes to every pair of hands at every node.

        That is the probability of the pair, times that of all public events so far. [nodes] which kind each node is of,
        and [kinds, hands 0, hands 1] the numbers of each kind.
        """
        key = np.zeros(len(self), np.uint32)
        numbers, found = {self.deal.tobytes(): 0}, [self.deal]
        eventful = bool(np.any(self.nodes[layout.KIND :: 4] & 255 == layout.CHANCE))
        for h, (child, row, _, kind) in enumerate(self.nodes.reshape(-1, 4).tolist() if eventful else ()):
            k = kind >> 8
            if kind & 255 == layout.CHANCE:
                law = self.laws[row : row + self.deal.size * k].reshape(*self.deal.shape, k)
                for a in range(k):
                    after = found[key[h]] * law[:, :, a]
                    key[child + a] = numbers.setdefault(after.tobytes(), len(numbers))
                    found += [after] if len(found) < len(numbers) else []
            elif kind & 255 != layout.TERMINAL:
                key[child : child + k] = key[h]
        return key, np.array(found)

    @functools.cached_property
    def largest_payoff(self) -> float:
        """An upper bound on what an ending pays on average over all hands, in absolute value."""
        return float(np.abs(self.matrices).sum(axis=(1, 2)).max(initial=0.0) * np.abs(self.stakes).max(initial=0.0))

    @functools.cached_property
    def payoffs(self) -> Floats:
        """[matrices, hands 0, hands 1] What a stake of 1 pays player 0: the matrices without what chance contributes.

        0 for pairs of hands that cannot come there.
        """
        if not len(self.laws):
            return np.divide(self.matrices, self.deal, out=np.zeros_like(self.matrices), where=self.deal > 0.0)
        found = np.zeros_like(self.matrices)
        key, chances = self.chance_reach
        ends = np.flatnonzero(self.nodes[layout.KIND :: 4] & 255 == layout.TERMINAL)
        for matrix, first in zip(*np.unique(self.nodes[4 * ends], return_index=True)):
            chance = chances[key[ends[first]]]
            np.divide(self.matrices[matrix], chance, out=found[matrix], where=chance > 0.0)
        return found

    @functools.cached_property
    def fingerprint(self) -> str:
        """A hash of everything that makes two games the same. Infosets follow from public nodes and hands."""
        content = hashlib.sha256(repr((self.hands, self.infosets.first)).encode())
        for array in (self.nodes, self.deal, self.matrices, self.stakes, self.laws, self.members, self.start):
            content.update(np.ascontiguousarray(array).view(np.uint8).data)
        content.update("\x00".join(self._samples()).encode())
        return content.hexdigest()

    def _samples(self) -> list[str]:
        """Names that stand for all: of every infoset, or of large games of a few, with their actions."""
        infosets = self.infosets
        if infosets.written:
            return [*infosets.labels, *("\x01".join(menu) for menu in infosets.menus)]
        chosen = [len(infosets) * j // SAMPLED_NAMES for j in range(SAMPLED_NAMES)]
        return ["\x01".join((infosets.labels[j], *infosets.actions(j))) for j in chosen]


def deal_out(game: Any, limit: str | float | None = None, settle: Callable[[Any], Any] | None = None) -> DealtTree:
    """Compile the dealt form of a game; refuses one that with its tables needs more memory than `limit`.

    settle: gives a game in parts the values of its parts, once it is known not to be too large.
    """
    inner = game.game if isinstance(game, DealtForm) else game
    budget = DealtBudget(game_text(inner), memory_limit(limit))
    if hasattr(inner, "dealt_size"):
        budget.check_tree(*inner.dealt_size())
    rules = dealt_rules(settle(inner) if settle else inner)
    if hasattr(rules, "size") and not budget.known:
        budget.check_tree(*rules.size())
    if hasattr(rules, "public_tree"):
        return _assemble(game_text(game), rules, rules.public_tree(), [], _everybody(rules), budget)
    builder = _Builder(rules, budget)
    arrays = PublicArrays(np.array(builder.nodes, np.uint32), builder.endings, list(builder.stakes), builder.depth)
    return _assemble(game_text(game), rules, arrays, builder.odds, builder.members, budget)


def _everybody(rules: DealtRules) -> list[Numbers]:
    """The list of all hands, or one for each player where they have different ones."""
    sizes = dict.fromkeys(len(rules.hands(p)) for p in (0, 1))
    return [np.arange(size) for size in sizes]


def _assemble(
    game: str,
    rules: DealtRules,
    arrays: PublicArrays,
    odds: list[Floats],
    lists: list[Numbers],
    budget: DealtBudget,
) -> DealtTree:
    sizes = np.array([len(hands) for hands in lists])
    entries = _lay_rows(arrays.words, sizes)
    if entries >= 2**32:
        raise GameError(f"{game} has {entries:,} table entries; at most 2^32 are possible")
    if not budget.known:
        budget.check_tree(len(arrays.words), entries)
    members, start = np.concatenate(lists).astype(np.uint32), np.cumsum([0, *sizes]).astype(np.uint32)
    nodes = arrays.words.reshape(-1)
    matrices = [rules.matrix(key) for key in arrays.endings]
    return DealtTree(
        game,
        (tuple(rules.hands(0)), tuple(rules.hands(1))),
        rules.deal(),
        nodes,
        np.array(matrices),
        np.array(arrays.stakes, float),
        np.concatenate(odds) if odds else np.zeros(0),
        members,
        start,
        DealtInfosets(rules, nodes, members, start),
        arrays.depth,
        rank_endings(game, rules, dict(zip(arrays.endings, matrices))),
        limit=budget.limit,
    )


def _lay_rows(words: npt.NDArray[np.uint32], sizes: Numbers) -> int:
    """Give every decision its table entries, in the order of nodes, player 0's first; returns how many there are."""
    entries = 0
    kind = words[:, layout.KIND] & 255
    for player in (0, 1):
        mine = np.flatnonzero(kind == player)
        counts = (words[mine, layout.KIND] >> 8) * sizes[words[mine, layout.HANDS]]
        ends = entries + np.cumsum(counts)
        words[mine, layout.ROW] = ends - counts
        entries = int(ends[-1]) if len(ends) else entries
    return entries


class _Builder:
    """Goes through the public tree once; children lie side by side, blocks of children follow depth first."""

    def __init__(self, rules: DealtRules, budget: DealtBudget) -> None:
        self.rules, self.budget = rules, budget
        self.nodes: list[list[int]] = [[0, 0, 0, 0]]
        self.matrices: dict[Hashable, int] = {}
        self.stakes: dict[float, int] = {}
        self.laws: dict[bytes, int] = {}
        self.odds: list[Floats] = []
        self.lists: dict[bytes, int] = {}
        self.members: list[Numbers] = []
        self.depth = 0
        self._all = [np.arange(len(rules.hands(p))) for p in (0, 1)]
        self._walk()

    @property
    def endings(self) -> list[Hashable]:
        return list(self.matrices)

    def _walk(self) -> None:
        stack: list[tuple[int, Any, int]] = [(0, self.rules.root(), 0)]
        while stack:
            number, s, depth = stack.pop()
            self.depth = max(self.depth, depth)
            mover = self.rules.player(s)
            if mover == TERMINAL:
                key, stake = self.rules.ending(s)
                ending = self.matrices.setdefault(key, len(self.matrices))
                self.nodes[number] = [ending, self.stakes.setdefault(stake, len(self.stakes)), 0, int(layout.TERMINAL)]
                continue
            actions = list(self.rules.actions(s))
            child, kind = len(self.nodes), int(layout.CHANCE) if mover == CHANCE else mover
            where = (self._law(s), 0) if mover == CHANCE else (0, self._possible(s, mover))
            self.nodes[number] = [child, *where, kind | len(actions) << 8]
            self.nodes += [[0, 0, 0, 0] for _ in actions]
            self.budget.charge(len(self.nodes))
            stack += [(child + a, self.rules.step(s, actions[a]), depth + 1) for a in reversed(range(len(actions)))]

    def _law(self, s: Any) -> int:
        """Where the law of a public event is; equal ones are kept once."""
        law = np.ascontiguousarray(self.rules.law(s), np.float64)
        key = law.tobytes()
        if key not in self.laws:
            self.laws[key] = sum(map(len, self.odds))
            self.odds.append(law.reshape(-1))
        return self.laws[key]

    def _possible(self, s: Any, player: int) -> int:
        mask = self.rules.possible(s, player)
        hands = self._all[player] if mask is None else np.flatnonzero(mask)
        key = hands.tobytes()
        if key not in self.lists:
            self.lists[key] = len(self.members)
            self.members.append(hands)
        return self.lists[key]
