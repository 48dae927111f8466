"""How good decisions were: what the solution does in the same place, and what the move made has cost.

The loss of a move is what the solution's own mixture of moves is worth less what the move is worth, if both players
go on by their policies (`mccfr.playing.rollouts_from`). It is linear in the values, so that its interval is honest; a
loss against the best of several estimates would be too large on average. Against a solution that is not exact, a move
may also gain: its loss is negative.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mccfr.betting.lines import BETS, NOBODY, Move
from mccfr.buckets.store import tables_kept
from mccfr.errors import nearest, quoted
from mccfr.jobs.statistics import Interval
from mccfr.playing.agent import AgentError
from mccfr.playing.many_hands import tables_loaded
from mccfr.playing.played_hand import HandRecord
from mccfr.playing.policy import Policy, StrategyPolicy
from mccfr.playing.rollouts_from import BOARDS, MoveValues, move_values
from mccfr.playing.seen import Seen
from mccfr.playing.tree_moves import tree_moves

MORE_BOARDS = 4 * BOARDS  # where a board costs little: after the flop, or with tables in memory
OFTEN_ENOUGH = 0.1  # the probability of a move in the solution from which on it counts as right
SIMILAR = 1.5  # how many times as large another amount may be


class Judgement(NamedTuple):
    """A decision: what was seen, what was done, what the solution does, and what moves are worth.

    Attributes:
        seen: The situation.
        done: The move that was made.
        odds: The solution's moves with their probabilities, also those that it never makes with this hand.
        values: What they and the move made are worth; None where the solution has one move and that was made.
        number: Number of the hand.
    """

    seen: Seen
    done: Move
    odds: dict[Move, float]
    values: MoveValues | None
    number: int = 0

    @property
    def loss(self) -> Interval:
        """Chips that the move has cost, against the solution's mixture."""
        if self.values is None:
            return Interval(0.0, 0.0, 0.0)
        return self.values.loss(self.odds, self.done)

    @property
    def right(self) -> bool:
        """Whether the solution makes the move often enough; for an amount that it does not know, the nearest."""
        return self.odds.get(similar_move(self.odds, self.done), 0.0) >= OFTEN_ENOUGH


def similar_move(odds: dict[Move, float], done: Move) -> Move:
    """The move itself, or for a bet of another size the nearest one, if that is not much larger or smaller."""
    bets = [move for move in odds if move.kind >= BETS]
    if done in odds or done.kind < BETS or not bets:
        return done
    found = min(bets, key=lambda move: abs(move.amount - done.amount))
    small, large = sorted((found.amount, done.amount))
    return found if large <= SIMILAR * small else done


def judged(
    seen: Seen, done: Move, own: Policy, other: Policy, dice: random.Random, boards: int | None = None
) -> Judgement:
    """A decision of the player who sees this, judged by its solution `own` against `other`."""
    odds = tree_moves(own, seen)
    if odds.get(done, 0.0) >= 1.0 - 1e-9:
        return Judgement(seen, done, odds, None)
    moves = [*odds, *([] if done in odds else [done])]
    count = boards_worth(seen, own, other) if boards is None else boards
    return Judgement(seen, done, odds, move_values(seen, moves, own, other, dice, count))


def boards_worth(seen: Seen, *policies: Policy) -> int:
    """How many boards to look at: before the flop each costs much without large tables."""
    slow = any(isinstance(policy, StrategyPolicy) and not tables_loaded(policy.tree) for policy in policies)
    return BOARDS if slow and not seen.board else MORE_BOARDS


def load_kept_tables(*policies: Policy) -> None:
    """Load the large tables of strategies where they lie in the cache folder; they are not made."""
    for policy in policies:
        if isinstance(policy, StrategyPolicy) and tables_kept(policy.tree.fit):
            _ = policy.tree.look


def decisions_of(record: HandRecord, seat: int) -> list[tuple[Seen, Move]]:
    """What a seat saw and did at each of its decisions."""
    table, s, found = record.table, record.table.start, list[tuple[Seen, Move]]()
    for number, move in enumerate(record.moves):
        if s.mover == seat:
            board = record.board[: table.board_size(s.street)]
            found.append((Seen(table, seat, record.holes[seat], board, s, record.moves[:number]), move))
        s = table.play(s, move)
    return found


def seat_of(record: HandRecord, hero: str) -> int:
    """The seat of a player, by name or number; NOBODY if it did not play this hand."""
    if hero in record.names:
        return record.names.index(hero)
    return int(hero) if hero in ("0", "1") else NOBODY


def judge_all(
    records: Sequence[HandRecord], hero: str, own: Policy, other: Policy, seed: int = 0, boards: int | None = None
) -> Iterator[Judgement]:
    """Judge every decision of a player whose cards are known, in order.

    Args:
        records: Hands that were played, at the table of the policies.
        hero: A name, or `0` or `1` for a seat.
        own: The solution by which the player's decisions are judged.
        other: What the other player does.
        seed: Of the rollouts: every decision has dice of its own.
        boards: How many boards are drawn for each decision; as many as are worth it if left out.

    Yields:
        Each decision with what it has cost.
    """
    for place, record in enumerate(records):
        seat = seat_of(record, hero)
        if seat == NOBODY or len(record.holes[seat]) != 2:
            continue
        for step, (seen, done) in enumerate(decisions_of(record, seat)):
            dice = random.Random(f"{seed}/{place}/{step}")
            yield judged(seen, done, own, other, dice, boards)._replace(number=record.number)


def costliest_first(judgements: Iterable[Judgement]) -> list[Judgement]:
    """The largest mean loss first, in big blinds."""
    return sorted(judgements, key=lambda each: -each.loss.mean / each.seen.table.big_blind)


def require_player(records: Sequence[HandRecord], hero: str) -> None:
    """Refuse a player who is in none of the hands."""
    names = {name for record in records for name in record.names}
    if hero not in {*names, "0", "1"}:
        raise AgentError(f"{quoted(hero)} plays in none of the hands; {nearest(hero, {*names, '0', '1'})}")
