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

from mccfr.betting.flat_tree import BettingTree
from mccfr.cards.ranges import deck_of
from mccfr.errors import StrategyError, TreeError, quoted
from mccfr.games.dealt import DealtForm
from mccfr.games.streets import Streets
from mccfr.kernel.columns import WIDTH
from mccfr.kernel.street_layout import (
    CARDS,
    GATE_REACH,
    GATE_VALUE,
    PLACES,
    REACH_AT,
    SCALARS,
    STRIDE,
    VALUE_AT,
    Free,
    Lines,
    Locked,
    Open,
    PackedTable,
    StreetTable,
    StreetWork,
)
from mccfr.kernel.street_rows import to_lanes
from mccfr.kernel.street_tables import LARGEST_AVERAGE
from mccfr.tree.gate_rows import GATE_VECTORS, AnyGate, GateRows, gate_memory, in_precision, rows_of_gate
from mccfr.tree.street_boards import (
    Cards,
    Exchange,
    HandDeck,
    LaidBoards,
    deal_chances,
)
from mccfr.tree.street_infosets import StreetInfosets
from mccfr.tree.street_lines import LaidLines
from mccfr.tree.ties import ROUNDING
from mccfr.tree.tree import Floats, Tree

AUTO = "auto"
HAND_BYTES = 40  # of a hand on a board, while boards are laid out
SMALL = 2**22  # entries: up to here tables are float64, beyond float32
# By bytes of a number: which share of the largest sum is rounding. Of float32 one unit: with 2^-17 small regrets were
# lost, and a flop went from 0.67 to 1.27 % of the pot between two measurements; with 2^-40 small games got worse.
TIE = {8: ROUNDING, 4: 2.0**-23}
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
        gate: What one player may do before the first board; `mccfr.tree.street_gates.gated` puts it there.
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
    gate: AnyGate = Open()

    def __repr__(self) -> str:
        sizes = " x ".join(str(len(self.boards.members[p])) for p in (0, 1))
        counts = f"{len(self):,} public nodes, {len(self.boards.listed):,} boards, {sizes} hands"
        return f"<StreetTree of {self.game}: {counts}, {len(self.infosets):,} infosets>"

    @property
    def streets(self) -> "StreetTree":
        """The tree itself."""
        return self

    @functools.cached_property
    def gate_rows(self) -> GateRows:
        """Where the infosets and table entries of the gate are."""
        return rows_of_gate(self.gate)

    @functools.cached_property
    def infosets(self) -> StreetInfosets:  # type: ignore[override]
        return StreetInfosets(self)

    @functools.cached_property
    def laid_out(self) -> Tree:
        """The dealt form of the same game, for methods that walk histories; refused where it is too large."""
        from mccfr.tree.dealt_tree import deal_out

        if self.gate_rows.rows:
            raise TreeError(f"{self.game} has no histories to walk: a position behind a gate takes full-width methods")
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
        return need(len(self.boards.listed), hands, self.infosets.entries)

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
        return round(pair_sum(self.boards.deck, held[0], held[1]))

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
        for part in self.gate:
            content.update(type(self.gate).__name__.encode() + np.ascontiguousarray(part).tobytes())
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
        named = ["".join(deck.card_name(card) for card in street) for street in cards]
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

    def precision(self, tables: str = AUTO) -> npt.DTypeLike:
        """Say in which numbers a sweep calculates.

        Args:
            tables: How tables are kept: float64, float32, int16 (which is calculated in float32), or auto for
                float64 up to four million entries and float32 beyond.

        Returns:
            float64 or float32.
        """
        if tables == AUTO:
            return np.float64 if self.infosets.entries <= SMALL else np.float32
        return np.float64 if tables == "float64" else np.float32

    def street_table(self, tables: str = AUTO) -> StreetTable | PackedTable:
        """Make the tables of a full-width method, in lanes: see `mccfr.kernel.streets`.

        Args:
            tables: How they are kept: float64, float32, int16 or auto.

        Returns:
            No regrets, no average, and a uniform current strategy, or the given one where it is locked.

        Raises:
            TreeError: If the tables would need more memory than allowed.
        """
        entries, kind = self.infosets.entries, np.dtype(self.precision(tables))
        packed = tables == "int16"
        smaller = "" if packed else " (+int16 in the method takes less)"
        self.require(3 * entries * (2 if packed else kind.itemsize), f"the tables of {entries:,} entries{smaller}")
        current = np.zeros(entries, kind)
        uniform = self.infosets.uniform(kind)
        to_lanes(self.laid.lines, self.boards.boards, uniform, current)
        self.gate_rows.rows_to_lanes(uniform, current)
        self.lock_lanes(current)
        gate = in_precision(self.gate, kind, TIE[kind.itemsize])
        if not packed:
            regret, average = np.zeros((2, entries), kind)
            return StreetTable(current, regret, average, self.ties(kind), self.locks, gate)
        lanes = int(self.laid.entries[self.boards.street].sum()) + self.gate_rows.lanes
        small = (current * int(LARGEST_AVERAGE) + 0.5).astype(np.uint16)
        regrets, averages = np.zeros(entries, np.int16), np.zeros(entries, np.uint16)
        units = np.zeros((2, lanes), np.float32)
        return PackedTable(small, regrets, averages, units[0], units[1], self.ties(kind), self.locks, gate)

    def lock_lanes(self, lanes: Any) -> Any:
        """Put the strategies that are given into lanes."""
        if self.given_strategy is not None:
            fixed = self.given_strategy >= 0
            lanes[fixed] = self.given_strategy[fixed]
        return lanes

    def ties(self, kind: np.dtype[Any]) -> Floats:
        """[2 streets] Up to which sum the regrets of a player's hand are rounding, player 1's after player 0's.

        What can be won on a street is multiplied by the chance of its board, so sums are as much smaller there.
        """
        reach = [weights.sum() / self.pairs for weights in reversed(self._free_ranges)]
        chances = deal_chances(self.boards.deck.count, len(self.rules.board), self.rules.deals)
        return np.asarray(TIE[kind.itemsize] * self.largest_payoff * np.outer(chances, reach)).reshape(-1).astype(kind)

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
        place[[int(GATE_REACH), int(GATE_VALUE)]] = reach_at[-1], value_at[-1]
        before = gate_memory(self.gate, reach[reach_at[self.gate_rows.owner] :][:stride], stride, dtype)
        reach, value = np.concatenate((reach, before)), np.zeros(int(value_at[-1]) + GATE_VECTORS * stride, dtype)
        columns = [np.zeros(count * WIDTH, dtype) for count in (stride, stride, cards + 1)]
        total, scalar = np.zeros(stride, dtype), np.zeros(SCALARS, dtype)
        return StreetWork(reach, value, columns[0], columns[1], columns[2], total, scalar, self._one_node(dtype), place)

    def _one_node(self, dtype: npt.DTypeLike) -> StreetTable:
        """Room for the lanes of a node, should tables be packed."""
        room = np.zeros((3, self.largest_infoset * max(int(self.laid.arity.max(initial=0)), 2)), dtype)
        return StreetTable(room[0], room[1], room[2], np.zeros(2, dtype), Free())

    @functools.cached_property
    def hand_weights(self) -> Floats:
        """How often the hands of both players are dealt, player 0's first."""
        return np.concatenate([self.rules.ranges[p][self.boards.members[p]] for p in (0, 1)])


def pair_sum(deck: HandDeck, first: Floats, second: Floats) -> float:
    """The weights of all pairs of hands that share no card, summed."""
    by_card = np.bincount(deck.low, second, deck.count) + np.bincount(deck.high, second, deck.count)
    return float((first * (second.sum() - by_card[deck.low] - by_card[deck.high] + second)).sum())


def need(boards: int, hands: int, entries: int, least: bool = False) -> int:
    """Bytes of so many boards, with the hands of both players on each, and of three tables; `least`: in 16 bits."""
    number = 2 if least else 8 if entries <= SMALL else 4
    return boards * hands * HAND_BYTES + 3 * entries * number
