"""Best responses with every card, flop by flop, by lines that lie side by side: the form that also runs on a GPU.

For some flops at a time: their boards are listed (`flop_boards`), the hands of each board are worked out where they are
used, reaches go down street by street, and values come up. The result is that of `real_flops.values_of_flop`, which
lays out a street tree for each flop.
"""

import math
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from mccfr.cards.evaluator import deck_hands
from mccfr.errors import StrategyError
from mccfr.evaluate.board_rows import look_up_rows
from mccfr.evaluate.flop_boards import StreetBoards, boards_of_flops, exchanges_of
from mccfr.evaluate.line_groups import StrategyRows, lay_groups, lines_of, strategy_rows
from mccfr.evaluate.line_shapes import kinds_of, nodes_below, shape_of, steps_of
from mccfr.evaluate.lines_met import nodes_met
from mccfr.evaluate.response_machines import Machine, Sizes
from mccfr.gpu.device import bytes_of
from mccfr.kernel.response_layout import FOLDS, HEAD, SHOWS, BoardList, HandDeck, LineGroups
from mccfr.kernel.street_layout import FOLD
from mccfr.strategy.strategy import Strategy
from mccfr.tree.bucket_tree import BucketTree
from mccfr.tree.flop_trees import FlopTrees

Floats = npt.NDArray[np.float64]
STAGES = ("boards", "hands", "reaches", "last street", "earlier streets")
HAND_BYTES, PAIR_BYTES, DECK_BYTES = 8 + 4 + 4, 8, 2 + 4  # of a hand, of a hand and a card, of a hand of the deck


class BoardResponses:
    """A strategy, laid out once for a machine; `values` then answers for any flops."""

    def __init__(self, strategy: Strategy, buckets: BucketTree, trees: FlopTrees, machine: Machine) -> None:
        self.buckets, self.trees, self.machine = buckets, trees, machine
        self.cards, self.laid, self.deck = buckets.fit.cards, trees.plan.laid, trees.plan.deck
        if self.cards.streets < 2:
            raise StrategyError(f"{buckets.game} has no cards on a board: take --device cpu")
        self.exchanges = exchanges_of(self.cards.ranks, self.cards.suits)
        self.precision = str(machine.precision)
        self.seconds, self.timed = dict.fromkeys(STAGES, 0.0), False
        self._lay_out(np.asarray(strategy.probabilities))

    # ---- once

    def _lay_out(self, probabilities: npt.NDArray[Any]) -> None:
        """Lines and their weights, and what is known of the cards before the flop comes."""
        after, real = range(1, self.cards.streets), self.machine.precision
        self.sizes = [self._sizes(street) for street in after]
        lanes = self.machine.lanes(self.sizes)
        rows = strategy_rows(probabilities, self.buckets, self.laid)
        met = nodes_met(self.laid, rows)
        self.streets = [lines_of(self.laid, street, lanes, met) for street in after]
        free = [each.free for each in self.sizes]
        self.groups = [lay_groups(self.laid, rows, self.streets, s, free[s - 1], real, met) for s in after]
        self.sizes = [_needed(size, lines) for size, lines in zip(self.sizes, self.groups)]
        self.first_rows = look_up_rows(self.buckets, 0, self.deck.cards.astype(np.uint8)).astype(np.int64)
        down = self.groups[0].down.reshape(2, -1, self.buckets.fit.rows[0], lanes)
        self.arrived = down[:, :, self.first_rows]
        self.folds = self._folds(rows)
        self.machine.admit(self.need(), f"the best responses to {self.buckets.game}")
        self.lines = [self.machine.put(each) for each in self.groups]
        self.hands = self.machine.put(self._hand_deck())
        self.look = self.machine.put(self.buckets.look)

    def _sizes(self, street: int) -> Sizes:
        """What a crew needs on a street."""
        roots = {kinds_of(self.laid, line.nodes) for line in lines_of(self.laid, street, 1).lines}
        steps = [steps_of(kinds, responder) for kinds in roots for responder in (0, 1)]
        free = self.deck.count - self.cards.board(street)
        shows, folds = max(len(each.shows) for each in steps), max(len(each.folds) for each in steps)
        return Sizes(shows, folds, free, math.comb(free, 2))

    def _hand_deck(self) -> HandDeck:
        hands = deck_hands(sum(self.cards.deals), self.cards.ranks, self.cards.suits)
        return HandDeck(hands.low, hands.high, hands.table, hands.word, hands.bit, self.exchanges.cards.reshape(-1))

    def _folds(self, rows: StrategyRows) -> Floats:
        """[players, nodes before the flop, hands] What is won where somebody folds before the flop."""
        nodes = nodes_below(self.laid, 0)
        shape, found = shape_of(kinds_of(self.laid, nodes)), np.zeros((2, len(nodes), len(self.deck.cards)))
        for at, node in enumerate(nodes):
            if self.laid.kind[node] == FOLD:
                for player in (0, 1):
                    reach = np.ones(len(self.deck.cards))
                    for before, move in shape.moves[at][1 - player]:
                        reach = reach * rows.move(nodes[before], move, 0)[self.first_rows]
                    worth = self.laid.lines.worth[node] * (1 - 2 * player)
                    found[player, node] = worth * self._against(reach)
        return found

    def _against(self, reach: Floats) -> Floats:
        """[hands] The reaches of all hands that share no card."""
        low, high, count = self.deck.low, self.deck.high, self.deck.count
        by_card = np.bincount(low, reach, count) + np.bincount(high, reach, count)
        return np.asarray(reach.sum() - by_card[low] - by_card[high] + reach)

    # ---- sizes

    def most_boards(self) -> list[int]:
        """How many boards a flop can have on each street after the first."""
        found, left = [1], self.deck.count - self.cards.deals[0]
        for new in self.cards.deals[1:]:
            found.append(found[-1] * math.comb(left, new))
            left -= new
        return found

    def need(self) -> int:
        """Bytes on the machine: tables, lines, and the boards of as many flops as are done at a time."""
        real, lanes, hands = self.machine.precision.itemsize, int(self.groups[0].lanes), len(self.deck.cards)
        found, before = 0, 1
        for street, boards in enumerate(self.most_boards()):
            size, groups = self.sizes[street], int(self.groups[street].groups)
            above = (hands if street == 0 else self.sizes[street - 1].hands) * before * 2 * groups * lanes
            found += above * (real + 8) + before * groups * 2 * size.slow(lanes) * real
            found += boards * (size.hands * (HAND_BYTES + 2) + size.free**2 * PAIR_BYTES + hands * DECK_BYTES)
            before = boards
        return self.machine.launch.flops * found + bytes_of(tuple(self.groups)) + bytes_of(self.buckets.look)

    def line_count(self) -> int:
        """How many betting lines come to the last street."""
        return len(self.streets[-1].lines)

    # ---- flops

    def values(self, kinds: list[int]) -> Iterator[tuple[list[int], Floats]]:
        """Some flops at a time: their kinds, and [kinds, players, nodes before the flop, hands] what they are worth."""
        some = self.machine.launch.flops
        batches = [kinds[begin : begin + some] for begin in range(0, len(kinds), some)]
        flops = self.trees.flops
        with ThreadPoolExecutor(1, "mccfr") as pool:  # lists the next boards while these are computed

            def listed(number: int) -> Future[list[StreetBoards]] | None:
                if number >= len(batches):
                    return None
                return pool.submit(boards_of_flops, self.exchanges, flops[batches[number]], self.cards.deals)

            coming = listed(0)
            for number, batch in enumerate(batches):
                began = time.perf_counter()
                assert coming is not None
                boards = coming.result()
                self._tell("boards", began)
                coming = listed(number + 1)
                yield batch, self._values_of(boards)

    def _values_of(self, boards: list[StreetBoards]) -> Floats:
        """[flops, players, nodes before the flop, hands]"""
        lists = self._see(boards)
        reaches = self._carry(lists)
        first = self._answer(lists, reaches)
        flops, lines = len(boards[0].cards), self.streets[0]
        groups, lanes = lines.order.shape
        size = flops * 2 * groups * len(self.deck.cards) * lanes
        got = self.machine.get(first)[:size].reshape(flops, 2, groups, -1, lanes)
        found = np.repeat(self.folds[None], flops, axis=0)
        for node, line in lines.number.items():
            found[:, :, node] = got[:, :, line // lanes, :, line % lanes]
        return found

    def _see(self, boards: list[StreetBoards]) -> list[BoardList]:
        """The hands of all boards, street by street; the first list is what every flop follows."""
        began = time.perf_counter()
        found = [self._nothing(len(boards[0].cards))]
        for street, some in enumerate(boards, 1):
            made = self._board_list(some, street)
            last = street == len(boards)
            self.machine.see(self.look, self.hands, made, found[-1], street, last)
            found.append(made)
        self._tell("hands", began)
        return found

    def _nothing(self, flops: int) -> BoardList:
        """Empty boards, one for each flop."""
        hands = len(self.deck.cards)
        words, one, links = np.zeros(1, np.uint16), np.zeros(1, np.uint32), np.zeros(1, np.uint64)
        where = np.tile(np.arange(hands, dtype=np.uint16), flops)
        byte = np.zeros(1, np.uint8)
        return self.machine.put(
            BoardList(
                byte, np.uint64(0), np.uint64(hands), np.uint64(self.deck.count), self.groups[0].lanes, one,
                one, one, byte, links, one, one, links, where,
                words, one,
            )
        )  # fmt: skip

    def _board_list(self, some: StreetBoards, street: int) -> BoardList:
        """The boards of a street on the machine, with room for what is found out about them."""
        count, of_deck = len(some.cards), len(self.deck.cards)
        free, n = self.sizes[street - 1].free, self.sizes[street - 1].hands

        def room(name: str, size: int, kind: Any) -> Any:
            return self.machine.scratch(f"{name} {street}", size, kind)

        parent, follow, image = self.machine.put(
            tuple(np.ascontiguousarray(each, np.uint32) for each in (some.parent, some.follow, some.image))
        )
        cards, exchanged = self.machine.put((some.cards.reshape(-1).astype(np.uint8), some.exchanged))
        return BoardList(
            cards, np.uint64(some.cards.shape[1]), np.uint64(n), np.uint64(free), self.groups[0].lanes,
            parent, follow, image, exchanged,
            room("link", count * n, np.uint64), room("pair", count * n, np.uint32), room("tie", count * n, np.uint32),
            room("by card", count * free * (free - 1), np.uint64),
            room("where", count * of_deck, np.uint16), room("up", len(some.exchanged) * n, np.uint16),
            room("strength", count * of_deck, np.uint32),
        )  # fmt: skip

    def _vectors(self, lists: list[BoardList], street: int) -> int:
        """How many numbers the lines that leave the boards of a street have."""
        boards = len(lists[1].parent) if street == 0 else len(lists[street].parent)
        lines = self.groups[street]
        return boards * 2 * int(lines.groups) * int(lists[street].hands) * int(lines.lanes)

    def _carry(self, lists: list[BoardList]) -> list[Any]:
        """Reaches of the lines that leave the boards of each street but the last."""
        began, real = time.perf_counter(), self.machine.precision
        flops = len(lists[1].parent)
        found = [self.machine.put(np.tile(self.arrived.reshape(-1), flops))]
        for street in range(1, len(lists) - 1):
            left = self.machine.scratch(f"reach {street}", self._vectors(lists, street), real)
            lines = self.lines[street - 1], self.lines[street]
            self.machine.carry(*lines, lists[street - 1], lists[street], found[-1], left)
            found.append(left)
        self._tell("reaches", began)
        return found

    def _answer(self, lists: list[BoardList], reaches: list[Any]) -> Any:
        """What the lines that leave the empty boards are worth."""
        below = self.machine.scratch("nothing", 1, np.float64)
        for street in range(len(lists) - 1, 0, -1):
            began = time.perf_counter()
            above = self.machine.zeros(f"value {street - 1}", self._vectors(lists, street - 1))
            later = self.lines[min(street, len(self.lines) - 1)]
            self.machine.answer(
                self.lines[street - 1], later, lists[street - 1], lists[street], reaches[street - 1], below, above,
                self.sizes[street - 1],
            )  # fmt: skip
            below = above
            self._tell("last street" if street == len(lists) - 1 else "earlier streets", began)
        return below

    def _tell(self, stage: str, began: float) -> None:
        """Count the seconds of a stage, if somebody wants to know."""
        if self.timed:
            self.machine.finish()
            self.seconds[stage] += time.perf_counter() - began


def _needed(size: Sizes, lines: LineGroups) -> Sizes:
    """What crews need by the sequences that are left, where some stand for others."""
    head = lines.head.reshape(-1, int(HEAD))
    return size._replace(shows=int(head[:, SHOWS].max()), folds=int(head[:, FOLDS].max()), crews=len(lines.crews))
