"""Hold'em with every card as a tree: a betting tree, the boards, and for each board the hands that can be held.

The third kind of tree. A public node is a betting node on a board, but only the two lists are kept, and nothing is kept
for pairs of hands: what an ending pays follows from the order of strength on its board and from the cards that hands
share (`mccfr.kernel.streets`). Full-width methods and evaluation work on it directly. Methods that walk histories take
`laid_out`, the dealt form of the same game, without exchanges of suits; it is for small games.
"""

import dataclasses
import functools
import hashlib
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.betting.flat_tree import BettingTree, build_tree
from mccfr.cards.evaluator import rank_deck
from mccfr.cards.ranges import deck_of
from mccfr.errors import GameError, StrategyError, TreeError, quoted
from mccfr.games.base import game_text
from mccfr.games.dealt import DealtForm
from mccfr.games.streets import Lock, StreetGame, Streets
from mccfr.kernel.columns import WIDTH
from mccfr.kernel.street_layout import (
    CARDS,
    PLACES,
    REACH_AT,
    SCALARS,
    STRIDE,
    VALUE_AT,
    Free,
    Lines,
    Locked,
    StreetTable,
    StreetWork,
)
from mccfr.kernel.street_rows import to_lanes
from mccfr.tree.budget import memory_limit, require, size_text
from mccfr.tree.street_boards import (
    Cards,
    Exchange,
    HandDeck,
    LaidBoards,
    deal_chances,
    hand_deck,
    lay_boards,
    list_boards,
)
from mccfr.tree.street_infosets import StreetInfosets
from mccfr.tree.street_lines import LaidLines, lay_lines
from mccfr.tree.tree import Floats, Tree

HAND_BYTES = 24  # of a hand on a board, while boards are laid out
SMALL = 2**22  # entries: up to here tables are float64, beyond float32
MOST_BOARDS = 2_000_000
TIE = 4.0  # units of rounding of the largest sum
_DEALT = re.compile(r"/([^/:]*):")
_LAST_CARDS = re.compile(r"(/\s*(?:[2-9TJQKA][cdhs]\s*)+)$", re.I)  # without the colon that follows cards


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class StreetTree(Tree):
    """Hold'em with every card: betting lines, boards and hands. The module's docstring describes it.

    Spots (`spot(...)`) and whole hands (`holdem(...)`) are compiled to this form.

    Attributes:
        game: The string that names the game.
        given: The rules, as `mccfr.spot` or `mccfr.game` makes them.
        rules: Cards and betting: the deck, the board, both ranges, the betting, what is locked.
        betting: The betting tree.
        laid: Betting lines, street by street.
        boards: Boards and the hands that can be held on each.
        infosets: Which table entries belong to which infoset, and what people call them.
        pairs: The pairs of hands that can be dealt, each with its weight, summed.
        locks: Where strategies are locked.
        given_strategy: The locked strategies, in lanes, and -1 everywhere else; None if nothing is locked.
        players: Always 2.
        constant: Always 0: payoffs are counted from half of the pot.
        limit: The most bytes that the tree and what is made for it may take; 0 for the usual limit.
    """

    game: str
    given: Any
    rules: Streets
    betting: BettingTree
    laid: LaidLines
    boards: LaidBoards
    pairs: float
    locks: Free | Locked
    given_strategy: Any  # float64[entries] in lanes, where something is locked
    players: int = 2
    constant: float = 0.0
    limit: int = 0

    def __repr__(self) -> str:
        sizes = " x ".join(str(len(self.boards.members[p])) for p in (0, 1))
        counts = f"{len(self):,} public nodes, {len(self.boards.listed):,} boards, {sizes} hands"
        return f"<StreetTree of {self.game}: {counts}, {len(self.infosets):,} infosets>"

    @property
    def streets(self) -> "StreetTree":
        """The tree itself."""
        return self

    @functools.cached_property
    def infosets(self) -> StreetInfosets:  # type: ignore[override]
        return StreetInfosets(self)

    @functools.cached_property
    def laid_out(self) -> Tree:
        """The dealt form of the same game, for methods that walk histories; refused where it is too large."""
        from mccfr.tree.dealt_tree import deal_out

        return deal_out(DealtForm(self.given), self.limit or None)

    @property
    def nodes(self) -> npt.NDArray[np.uint32]:  # type: ignore[override]
        """Those of the dealt form."""
        return self.laid_out.nodes

    def walk_view(self) -> Any:
        """Return what a walk sees: the dealt form's view.

        Returns:
            The arrays of the dealt form.
        """
        return self.laid_out.walk_view()

    def deals(self) -> Iterator[tuple[float, tuple[int, ...]]]:
        """List every pair of hands that can be dealt.

        Yields:
            The probability of a pair, and three words, as the dealt form has them.
        """
        yield from self.laid_out.deals()

    @functools.cached_property
    def written(self) -> Any:
        """The dealt form with every history written out."""
        return self.laid_out.written

    @functools.cached_property
    def _nodes_by_street(self) -> list[int]:
        """Betting nodes of each street; where cards are dealt counts with the street it ends."""
        return [len(self.laid.nodes_of(street)) for street in range(self.laid.streets)]

    def __len__(self) -> int:
        return int(sum(self._nodes_by_street[street] for street in self.boards.street.tolist()))

    @functools.cached_property
    def counts(self) -> dict[str, int]:
        """Sizes by name: nodes, terminals, chance, decision, infosets, infoset_actions, and some more."""
        kind = self.laid.kind
        by_street = [
            np.bincount(kind[r.start : r.stop], minlength=5) for r in map(self.laid.nodes_of, range(self.laid.streets))
        ]
        total = np.array(by_street)[self.boards.street].sum(axis=0)
        return {
            "nodes": int(total.sum()),
            "terminals": int(total[2] + total[3]),
            "chance": int(total[4]),
            "decision": int(total[0] + total[1]),
            "infosets": len(self.infosets),
            "infoset_actions": self.infosets.entries,
            "largest_infoset": self.largest_infoset,
            "boards": len(self.boards.listed),
            "memory": self.memory,
        }

    @property
    def memory(self) -> int:
        """Bytes that a full-width method needs for boards and tables, as forecast before they are made."""
        hands = sum(len(self.boards.members[p]) for p in (0, 1))
        return _need(len(self.boards.listed), hands, self.infosets.entries)

    @property
    def largest_infoset(self) -> int:
        """The most hands of the other player."""
        return max(len(self.boards.members[p]) for p in (0, 1))

    @functools.cached_property
    def largest_payoff(self) -> float:
        """The most chips that can change hands."""
        ends = self.betting.kind < 0
        return float(self.betting.stake[ends].max(initial=0.0))

    @functools.cached_property
    def deal_count(self) -> int:
        """How many pairs of hands can be dealt."""
        held = [np.asarray(weights > 0, np.float64) for weights in self._free_ranges]
        return round(_pair_sum(self.boards.deck, held[0], held[1]))

    @property
    def _free_ranges(self) -> list[Floats]:
        free = ~self.boards.deck.blocked(self.rules.board)
        return [weights * free for weights in self.rules.ranges]

    @functools.cached_property
    def depth(self) -> int:
        """The most moves and deals before a node."""
        deep = np.zeros(len(self.betting.kind), np.int64)
        for node in range(1, len(deep)):
            above = int(self.betting.parent[node])
            deep[node] = deep[above] + 1 + int(self.betting.street[node] > self.betting.street[above])
        return int(deep.max(initial=0))

    @property
    def extent(self) -> int:
        """Public nodes times the hands of the player who has more."""
        return len(self) * self.largest_infoset

    @property
    def pot(self) -> float:
        """The pot at the start, of which targets may be a percentage."""
        return self.rules.pot

    @functools.cached_property
    def fingerprint(self) -> str:
        """A hash of everything that makes two games the same."""
        rules = self.rules
        content = hashlib.sha256(repr((rules.ranks, rules.suits, rules.board, rules.deals)).encode())
        for weights in rules.ranges:
            content.update(np.ascontiguousarray(weights).tobytes())
        tree = self.betting
        for array in (
            tree.kind,
            tree.street,
            tree.first_child,
            tree.arity,
            tree.move_kind,
            tree.move_amount,
            tree.stake,
        ):
            content.update(np.ascontiguousarray(array).tobytes())
        for lock in rules.locks:
            content.update(repr((lock.line, lock.cards)).encode() + np.ascontiguousarray(lock.strategy).tobytes())
        return content.hexdigest()

    # ---- lines and boards for people

    def line(self, node: int, board: int) -> str:
        """Write the line that leads to a node on a board: `kb59c/3d:k`.

        Args:
            node: The number of a node.
            board: The number of a board of the same street.

        Returns:
            The moves, with the cards that were dealt where a street begins.
        """
        deck = deck_of(self.rules.ranks, self.rules.suits)
        text = self.betting.line(int(self.laid.origin[node]))
        cards, parts = self._dealt(board), text.split("/")
        named = ["".join(_card_name(deck, card) for card in street) for street in cards]
        while len(parts) <= len(named):
            parts.append("")
        return parts[0] + "".join(f"/{cards}:{part}" for cards, part in zip(named, parts[1:]))

    def _dealt(self, board: int) -> list[Cards]:
        """The cards of a board that were dealt, street by street."""
        listed = self.boards.listed[board]
        found, at = [], len(self.rules.board)
        for count in self.rules.deals[: listed.street]:
            found.append(listed.cards[at : at + count])
            at += count
        return found

    def locate(self, line: str, dealing: bool = False) -> tuple[int, int, Exchange]:
        """Find the node and the board that a line leads to.

        Args:
            line: Moves, with the cards that were dealt where a street begins: `kb59c/3d:k`.
            dealing: Whether the line may also end where cards are dealt, as `kk/` does.

        Returns:
            The node, the board that stands for these cards, and the exchange of suits that makes these cards of it.

        Raises:
            BettingError: If a move is not offered.
            StrategyError: If cards are missing, too many, or seen twice.
        """
        line = _LAST_CARDS.sub(r"\1:", line)
        texts = _DEALT.findall(line)
        moves = "/".join(_DEALT.split(line)[::2])
        moves = moves.rstrip("/") if "a" in moves else moves  # all-in: streets without moves
        betting = self.betting.find(moves)
        dealt = self._read_cards(line, texts)
        street = int(self.betting.street[betting]) - int(self.betting.street[0])
        if len(dealt) < street - int(dealing) or len(dealt) > self.laid.streets - 1:
            raise StrategyError(
                f"line {quoted(line)} has {len(dealt)} deals, expected {street}: write them as in kk/3d:k"
            )
        board, turned = self.boards.find(dealt)
        nodes = self.laid.nodes_of(len(dealt))
        here = np.flatnonzero(self.laid.origin[nodes.start : nodes.stop] == betting)
        if not len(here):
            raise StrategyError(f"line {quoted(line)}: the street ends here, so cards must follow, as in kk/3d:")
        return nodes.start + int(here[0]), board, turned

    def _read_cards(self, line: str, texts: list[str]) -> list[Cards]:
        deck = deck_of(self.rules.ranks, self.rules.suits)
        seen, found = set(self.rules.board), []
        for text, count in zip(texts, (*self.rules.deals, *[0] * len(texts))):
            letters = "".join(text.split())
            cards = tuple(deck.card(letters[j : j + 2]) for j in range(0, len(letters), 2))
            if len(cards) != count or len(set(cards)) < count or seen & set(cards):
                raise StrategyError(f"line {quoted(line)}: expected {count} new cards in {text!r}")
            seen |= set(cards)
            found.append(cards)
        return found

    # ---- what a method needs

    def lines_view(self, dtype: npt.DTypeLike = np.float64) -> Lines:
        """Return the betting as the kernel of a sweep sees it.

        Args:
            dtype: The precision of what endings are worth.

        Returns:
            The arrays of the betting lines.
        """
        return self.laid.lines._replace(worth=self.laid.lines.worth.astype(dtype))

    def street_table(self, dtype: npt.DTypeLike | None = None) -> StreetTable:
        """Make the tables of a full-width method, in lanes: see `mccfr.kernel.streets`.

        Args:
            dtype: Their precision; by default float64, or float32 beyond some million entries.

        Returns:
            No regrets, no average, and a uniform current strategy, or the given one where it is locked.

        Raises:
            TreeError: If the tables would need more memory than allowed.
        """
        entries = self.infosets.entries
        kind = np.dtype(dtype or (np.float64 if entries <= SMALL else np.float32))
        self.require(3 * entries * kind.itemsize, f"the tables of {entries:,} entries")
        current = np.zeros(entries, kind)
        to_lanes(self.laid.lines, self.boards.boards, self.infosets.uniform(kind), current)
        regret, average = np.zeros((2, entries), kind)
        return StreetTable(self.lock_lanes(current), regret, average, self.ties(kind), self.locks)

    def lock_lanes(self, lanes: Any) -> Any:
        """Put the strategies that are given into lanes."""
        if self.given_strategy is not None:
            fixed = self.given_strategy >= 0
            lanes[fixed] = self.given_strategy[fixed]
        return lanes

    def ties(self, kind: np.dtype[Any]) -> Floats:
        """[2] Up to which sum the regrets of a player's hand are rounding."""
        reach = [weights.sum() / self.pairs for weights in reversed(self._free_ranges)]
        return np.array([TIE * np.finfo(kind).eps * self.largest_payoff * x for x in reach]).astype(kind)

    def street_work(self, dtype: npt.DTypeLike = np.float64) -> StreetWork:
        """Make the memory that one sweep needs.

        Args:
            dtype: Its precision.

        Returns:
            Vectors of hands for every street, with both players' ranges at the start.
        """
        laid, stride = self.laid, self.largest_infoset
        reach_at = stride * np.concatenate(([0], np.cumsum(laid.slots.reshape(-1))))
        value_at = stride * np.concatenate(([0], np.cumsum(laid.widest)))
        cards = self.rules.ranks * self.rules.suits
        reach = np.zeros(int(reach_at[-1]), dtype)
        for p in (0, 1):
            mine = self.boards.members[p]
            reach[reach_at[p] : reach_at[p] + len(mine)] = self.rules.ranges[p][mine]
        place = np.zeros(PLACES, np.uint64)
        place[int(REACH_AT) : int(REACH_AT) + 2 * laid.streets] = reach_at[:-1]
        place[int(VALUE_AT) : int(VALUE_AT) + laid.streets] = value_at[:-1]
        place[[int(STRIDE), int(CARDS)]] = stride, cards
        return StreetWork(
            reach, np.zeros(int(value_at[-1]), dtype), np.zeros(stride * WIDTH, dtype), np.zeros(stride * WIDTH, dtype),
            np.zeros((cards + 1) * WIDTH, dtype), np.zeros(stride, dtype), np.zeros(SCALARS, dtype), place,
        )  # fmt: skip

    @functools.cached_property
    def hand_weights(self) -> Floats:
        """How often the hands of both players are dealt, player 0's first."""
        return np.concatenate([self.rules.ranges[p][self.boards.members[p]] for p in (0, 1)])


def _card_name(deck: Any, card: int) -> str:
    from mccfr.cards.deck import RANKS, SUITS

    return RANKS[card // deck.suits] + SUITS[card % deck.suits]


def lay_out_streets(game: StreetGame, limit: str | float | None = None) -> StreetTree:
    """The street tree of a game; refused before it is built where it needs too much memory."""
    rules, text = game.streets(), game_text(game)
    most = memory_limit(limit)
    deck = hand_deck(rules.ranks, rules.suits)
    betting = build_tree(rules.betting)
    free = ~deck.blocked(rules.board)
    weights = [np.where(free, given, 0.0) for given in rules.ranges]
    pairs = _pair_sum(deck, weights[0], weights[1])
    if not pairs > 0:
        raise GameError(f"{text}: no two hands of these ranges can be held at the same time")
    chances = deal_chances(deck.count, len(rules.board), rules.deals) / pairs
    laid = lay_lines(betting, chances)
    held = [_may_hold(deck, weights[p], weights[1 - p]) for p in (0, 1)]
    listed = list_boards(deck, rules.board, rules.deals, _kept(deck, rules, betting), MOST_BOARDS)
    boards = listed if isinstance(listed, int) else len(listed)
    _forecast(text, boards, listed, laid, held, most)
    assert not isinstance(listed, int)
    strengths = functools.partial(rank_deck, ranks=rules.ranks, suits=rules.suits)
    laid_boards = lay_boards(deck, listed, (held[0], held[1]), laid.entries, lambda cards: strengths(cards))
    locks, given = _lay_locks(rules, betting, laid, laid_boards)
    return StreetTree(text, game, rules, betting, laid, laid_boards, pairs, locks, given, limit=most if limit else 0)


def _forecast(
    text: str, boards: int, listed: Any, laid: LaidLines, held: list[npt.NDArray[np.bool_]], most: int
) -> None:
    """Refuse a game whose boards and tables need more memory than allowed."""
    hands = [int(mine.sum()) for mine in held]
    street = (
        np.array([board.street for board in listed]) if isinstance(listed, list) else np.full(boards, laid.streets - 1)
    )
    entries = int((laid.entries[street] * hands).sum())
    need = _need(boards, sum(hands), entries)
    require(
        need, most,
        f"{text} has {boards:,} boards and about {entries:,} table entries and would need about {size_text(need)}",
    )  # fmt: skip


def _need(boards: int, hands: int, entries: int) -> int:
    """Bytes of so many boards, with the hands of both players on each, and of three tables."""
    return boards * hands * HAND_BYTES + 3 * entries * (8 if entries <= SMALL else 4)


def _pair_sum(deck: HandDeck, first: Floats, second: Floats) -> float:
    """The weights of all pairs of hands that share no card, summed."""
    by_card = np.bincount(deck.low, second, deck.count) + np.bincount(deck.high, second, deck.count)
    return float((first * (second.sum() - by_card[deck.low] - by_card[deck.high] + second)).sum())


def _may_hold(deck: HandDeck, mine: Floats, other: Floats) -> npt.NDArray[np.bool_]:
    """The hands of a player that some hand of the other one leaves possible."""
    by_card = np.bincount(deck.low, other, deck.count) + np.bincount(deck.high, other, deck.count)
    against = other.sum() - by_card[deck.low] - by_card[deck.high] + other
    return np.asarray((mine > 0) & (against > 1e-12 * other.sum()))


def _kept(deck: HandDeck, rules: Streets, betting: BettingTree) -> tuple[Exchange, ...]:
    """The exchanges of suits that leave ranges and locks as they are."""

    def keeps(one: Exchange) -> bool:
        same = all(np.array_equal(weights[one.hands], weights) for weights in rules.ranges)
        return same and all(
            lock.cards is None and np.array_equal(lock.strategy[one.hands], lock.strategy) for lock in rules.locks
        )

    first, *others = deck.exchanges()
    return (first, *(one for one in others if keeps(one)))


def _lay_locks(rules: Streets, betting: BettingTree, laid: LaidLines, boards: LaidBoards) -> tuple[Free | Locked, Any]:
    """Which nodes are locked on which boards, and the strategies there, in lanes; -1 where nothing is given."""
    if not rules.locks:
        return Free(), None
    streets = boards.street
    sizes = np.array([len(laid.nodes_of(street)) for street in range(laid.streets)])[streets]
    start = np.concatenate(([0], np.cumsum(sizes)))
    mark = np.zeros(int(start[-1]), np.uint8)
    counts = np.diff(boards.boards.start.astype(np.int64)).reshape(-1, 2) * laid.entries[streets]
    given = np.full(int(counts.sum()), -1.0)
    for lock in rules.locks:
        node = betting.find(lock.line)
        street = int(betting.street[node]) - int(betting.street[0])
        nodes = laid.nodes_of(street)
        at = nodes.start + int(np.flatnonzero(laid.origin[nodes.start : nodes.stop] == node)[0])
        for board in _boards_of(lock, rules, boards, street):
            mark[start[board] + at - nodes.start] = 1
            _give(given, lock, laid, boards, board, at)
    return Locked(start[:-1].astype(np.uint32), mark), given


def _boards_of(lock: Lock, rules: Streets, boards: LaidBoards, street: int) -> Iterator[int]:
    """The boards on which a lock holds."""
    for number, board in enumerate(boards.listed):
        dealt = board.cards[len(rules.board) :]
        if board.street == street and (lock.cards is None or set(lock.cards) == set(dealt)):
            yield number


def _give(given: Floats, lock: Lock, laid: LaidLines, boards: LaidBoards, board: int, at: int) -> None:
    player = int(laid.kind[at])
    hands = boards.members[2 * board + player]
    base = int(boards.boards.base[2 * board + player]) + int(laid.entry[at]) * len(hands)
    block = lock.strategy[hands].T
    if block.shape[0] != int(laid.arity[at]):
        raise TreeError(f"the lock at {quoted(lock.line)} has {block.shape[0]} actions, expected {int(laid.arity[at])}")
    given[base : base + block.size] = block.reshape(-1)
