"""Hold'em through buckets as a tree: a betting tree whose cards are dealt at the start of a walk.

A node is four 32-bit words, as in other trees:

    word     decision                 terminal
    0        first child              0 at a showdown, 3 (1 + p) where player p has folded
    1        first table entry        number of its stake
    2        street | stride << 8     street
    3        player | arity << 8      TERMINAL

A player sees its cards on a street as a row (`mccfr.buckets`); row j of a decision owns `arity` entries from first +
j stride on. `mccfr.tree.bucket_infosets` says in which order entries are; player 0's are first. Where a bucketing
forgets how earlier streets were bet, decisions that look alike own the same entries (`mccfr.betting.line_classes`).
There are no chance nodes: a walk draws all cards first, and the showdown with them (`mccfr.kernel.card_dealing`).
"""

import dataclasses
import functools
import hashlib
import itertools
import math
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from mccfr.betting.flat_tree import FOLD_BY_0, FOLD_BY_1, BettingTree
from mccfr.betting.rules_of_thumb import prior_weights
from mccfr.buckets.bucketing import Fit
from mccfr.buckets.store import look_up
from mccfr.cards.evaluator import deck_hands
from mccfr.errors import MethodError, TreeError
from mccfr.kernel.bucket_rows import HELD
from mccfr.kernel.card_dealing import BucketWalkTree, DealtCards, ListedDeals, look_at_deals
from mccfr.kernel.estimators import BucketInfoset, Infoset
from mccfr.kernel.layout import FarRows, LeanTable, Near
from mccfr.tree.bucket_infosets import BucketInfosets
from mccfr.tree.showdown_rates import showdown_counts, win_rates
from mccfr.tree.tree import Floats, Tree

Words = npt.NDArray[np.uint32]
SIGNS = np.array([-1.0, 0.0, 1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0])  # showdown, player 0 folds, player 1 folds
NEAR_ENTRIES = 2**19  # tables up to this stay in a core's cache
MOST_DEALS = 4_000_000  # are listed one by one
QUICK_WORK = 2**35  # multiplications of a best response that takes seconds
OUTCOMES, WORDS = 3, 9
REGRETS = {"auto": np.float32, "float32": np.float32, "float64": np.float64}


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class BucketTree(Tree):
    """Hold'em through buckets: a betting tree, and rows for what players see of their cards.

    `holdem(limit, ehs2(10))` is compiled to this form. The module's docstring describes the nodes.

    Attributes:
        game: The string that names the game.
        given: The rules, as `mccfr.game` makes them.
        betting: The betting tree.
        fit: The bucketing, fitted to the deck; its checksum is part of the tree's fingerprint.
        nodes: The betting nodes, four 32-bit words each.
        stakes: What endings pay, by number.
        infosets: Which table entries belong to which infoset, and what people call them.
        players: Always 2.
        constant: Always 0.
        limit: The most bytes that the tree and what is made for it may take; 0 for the usual limit.
        held: How many words a walk keeps: rows, the winner, cards, and room to number them.
    """

    game: str
    given: Any
    betting: BettingTree
    fit: Fit
    nodes: Words
    stakes: Floats
    infosets: BucketInfosets
    players: int = 2
    constant: float = 0.0
    limit: int = 0

    held: ClassVar[int] = HELD

    def __repr__(self) -> str:
        rows = "/".join(f"{rows:,}" for rows in self.fit.rows)
        return f"<BucketTree of {self.game}: {len(self):,} betting nodes, {rows} rows, {len(self.infosets):,} infosets>"

    @property
    def buckets(self) -> "BucketTree":
        """The tree itself."""
        return self

    @functools.cached_property
    def look(self) -> Any:
        """What rows are looked up in; made, or found in the cache folder, when first asked for."""
        return look_up(self.fit)

    @property
    def whole_deck(self) -> bool:
        """Whether it is played with 52 cards."""
        return (self.fit.cards.ranks, self.fit.cards.suits) == (13, 4)

    @functools.cached_property
    def cards(self) -> DealtCards:
        """The deck and the rows of hands as walks see them; made when the first walk asks."""
        rules = self.fit.cards
        hands = deck_hands(sum(rules.deals), rules.ranks, rules.suits)
        streets, board = np.uint64(rules.streets), np.uint64(sum(rules.deals))
        return DealtCards(self.look, hands.table, hands.word, hands.bit, streets, board)

    def walk_view(self) -> BucketWalkTree:
        """Return the betting tree with its cards.

        Returns:
            The arrays that a walk reads.
        """
        memory = FarRows() if self.infosets.entries > NEAR_ENTRIES else Near()
        return BucketWalkTree(self.nodes, self.stakes, SIGNS, np.zeros(0), self.cards, memory)

    def outcome_view(self) -> BucketWalkTree:
        """Return the betting tree with a list of all ways to see the cards, where the deck is small.

        Returns:
            The arrays that a walk reads.
        """
        if self.deal_count > MOST_DEALS:
            return self.walk_view()
        words = np.array([words for words, _ in self.joint_deals], np.uint64)
        rising = np.cumsum([count for _, count in self.joint_deals]) / self.deal_count
        return self.walk_view()._replace(cards=ListedDeals(words, rising))

    @functools.cached_property
    def deal_count(self) -> int:
        """How many ways there are to deal both hands and the board, street by street."""
        rules = self.fit.cards
        left = rules.ranks * rules.suits
        ways = 1
        for count in (2, 2, *rules.deals):
            ways *= math.comb(left, count)
            left -= count
        return ways

    @property
    def recalls(self) -> bool:
        """Whether players forget nothing of what they saw and did, which a best response over rows needs."""
        return self.fit.bucketing.perfect_recall and not self.fit.bucketing.shares_lines

    @property
    def quickly_measured(self) -> bool:
        """Whether a table of all deals is made and multiplied in seconds: on small decks."""
        work = self.fit.rows[-1] ** 2 * self.counts["terminals"]
        return self.recalls and self.deal_count <= MOST_DEALS and work <= QUICK_WORK

    def deals(self) -> Iterator[tuple[float, tuple[int, ...]]]:
        """List every way in which both players can see the cards, for small decks.

        Yields:
            How likely it is, and the rows of both players on every street and who wins.
        """
        for words, count in self.joint_deals:
            yield count / self.deal_count, words

    @property
    def listed_deals(self) -> int:
        """Deals that players see alike count once."""
        return len(self.joint_deals)

    @functools.cached_property
    def joint_deals(self) -> list[tuple[tuple[int, ...], int]]:
        """The different sets of words that a deal can come to, and how many deals each has."""
        if self.deal_count > MOST_DEALS:
            raise TreeError(
                f"{self.game}: there are {self.deal_count:,} ways to deal, at most {MOST_DEALS:,} are listed: "
                "take fewer ranks or suits, or evaluate with --abstract or --real"
            )
        rules = self.fit.cards
        cards = np.array(list(_every_deal(range(rules.ranks * rules.suits), (2, 2, *rules.deals))), np.uint8)
        out = np.zeros((len(cards), WORDS), np.uint64)
        look_at_deals(self.cards, cards, np.zeros(HELD, np.uint64), out)
        found, counts = np.unique(out, axis=0, return_counts=True)
        return list(zip(map(tuple, found.tolist()), counts.tolist()))

    @functools.cached_property
    def counts(self) -> dict[str, int]:
        """Sizes by name: nodes, terminals, chance, decision, infosets and infoset_actions."""
        terminals = int(np.count_nonzero(self.betting.kind < 0))
        return {
            "nodes": len(self),
            "terminals": terminals,
            "chance": 0,
            "decision": len(self) - terminals,
            "infosets": len(self.infosets),
            "infoset_actions": self.infosets.entries,
            "memory": self.table_bytes("auto"),
        }

    def table_bytes(self, precision: str) -> int:
        """Bytes that the tables of a sampled method take: regrets, and averages in float64."""
        return self.infosets.entries * (np.dtype(REGRETS[precision]).itemsize + 8)

    @property
    def largest_payoff(self) -> float:
        """The most chips that can change hands."""
        return float(self.stakes.max(initial=0.0))

    @functools.cached_property
    def fingerprint(self) -> str:
        """A hash of the betting, the stakes and the bucketing's checksum."""
        content = hashlib.sha256(f"{type(self).__name__} {self.fit.checksum} {self.infosets.first}".encode())
        for array in (self.nodes, self.stakes):
            content.update(np.ascontiguousarray(array).tobytes())
        content.update("\x00".join(map("\x01".join, self.infosets.menus)).encode())
        return content.hexdigest()

    # ---- what a method needs

    def tables(self, precision: str = "auto") -> LeanTable:  # type: ignore[override]
        """Make the tables of a method: no regrets, and no average.

        Args:
            precision: Of regrets: `float32`, `float64`, or `auto` for float32. Averages are float64 always: sums of
                float32 stop growing.

        Returns:
            Tables without a current strategy: walks work it out from the regrets.

        Raises:
            MethodError: If there are no tables of this precision.
            TreeError: If the tables would need more memory than allowed.
        """
        if precision not in REGRETS:
            raise MethodError(f"{precision} is for spots and hold'em with every card: take float32 or float64")
        entries = self.infosets.entries
        self.require(self.table_bytes(precision), f"the tables of {entries:,} entries")
        return LeanTable(np.zeros(entries, REGRETS[precision]), np.zeros(entries))

    def prior(self, kappa: float) -> Floats:
        """Make first regrets by rules of thumb: kappa times a strategy that goes by the win rate of each row.

        Args:
            kappa: How much the first strategy counts, in chips.

        Returns:
            A regret for every table entry.
        """
        rates = [win_rates(counts) for counts in showdown_counts(self.fit, self.cards)]
        regrets = np.zeros(self.infosets.entries)
        for node, (part,) in self.infosets.each_part(regrets):
            part[:] = kappa * prior_weights(rates[int(self.betting.street[node])], self.betting.moves(node))
        return regrets

    @property
    def histories(self) -> int:
        """A number for each betting node and each outcome of the showdown."""
        return OUTCOMES * len(self)

    def history_values(self, probabilities: Floats) -> Floats:
        """Refuse: what a history is worth depends on all cards.

        Args:
            probabilities: Not used.

        Returns:
            Nothing.

        Raises:
            MethodError: Always; says which baselines there are.
        """
        raise MethodError(no_history_baselines(self.game))

    @functools.cached_property
    def calling_values(self) -> Floats:
        """What a betting node is worth to player 0 for each outcome of the showdown if both check and call from there.

        After a fold that is what it pays. Otherwise the stake is what the player with more chips in has put in.
        """
        matched = self.betting.betting.dead / 2 + self.betting.stakes.max(axis=1)
        folded = np.isin(self.betting.kind, (FOLD_BY_0, FOLD_BY_1))
        sign = SIGNS.reshape(3, 3)[np.where(folded, FOLD_BY_0 - self.betting.kind + 1, 0)]
        return (np.where(folded, self.betting.stake, matched)[:, None] * sign).reshape(-1)

    def infoset_baseline(self, policy: Infoset) -> BucketInfoset:
        """Make the tables of an infoset baseline: a number for each betting node and row, for each player.

        Args:
            policy: The baseline, without tables.

        Returns:
            The baseline with its tables.
        """
        rows = np.array(self.fit.rows)[self.betting.street]
        ends = np.cumsum(rows)
        count = 2 * int(ends[-1])
        self.require((16 if policy.rate == 0.0 else 8) * count, f"a baseline of {count:,} numbers")
        visits = np.zeros(count if policy.rate == 0.0 else 1)
        return BucketInfoset(policy.rate, (ends - rows).astype(np.uint64), np.zeros(count), visits)


def no_history_baselines(game: str) -> str:
    """Which baselines fit a betting tree with buckets."""
    return (
        f"{game} deals its cards at the start of a walk and keeps nothing for single histories: "
        "take infoset or static(call)"
    )


def _every_deal(deck: Any, counts: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every way to deal so many cards at a time; the cards of one time have no order."""
    if not counts:
        yield ()
        return
    for chosen in itertools.combinations(deck, counts[0]):
        left = [card for card in deck if card not in chosen]
        for rest in _every_deal(left, counts[1:]):
            yield (*chosen, *rest)
