"""Deals a match between two players and writes its log, as the dealer of the Annual Computer Poker Competition does.

The first player begins as the big blind, and seats alternate from hand to hand. Cards follow from the seed and the
number of the hand alone, so that the same seed gives the same cards to any players. In a duplicate match the second
half deals the cards of the first again, with seats exchanged.
"""

import dataclasses
import random
import time
from collections.abc import Callable, Sequence

from mccfr.playing.agent import Agent, AgentError
from mccfr.playing.played_hand import HandRecord, deal_cards, play_hand
from mccfr.playing.table import Table
from mccfr.protocols.acpc_agent import RemoteAgent, TimeLimits
from mccfr.protocols.acpc_log import hand_line, score_line
from mccfr.protocols.acpc_text import AcpcError

Write = Callable[[str], None]  # a line of the log


@dataclasses.dataclass
class Dealt:
    """What came of a match.

    Attributes:
        names: The players.
        hands: Hands that were played to their end.
        chips: What each player has won.
        seconds: How long the hands took.
        ended: Why the match ended too early, or nothing.
    """

    names: tuple[str, str]
    hands: int = 0
    chips: tuple[float, float] = (0.0, 0.0)
    seconds: float = 0.0
    ended: str = ""


@dataclasses.dataclass(frozen=True)
class Plan:
    """Which hands are dealt, and who sits where."""

    hands: int
    seed: int
    duplicate: bool = False

    def __post_init__(self) -> None:
        if self.hands < 1 or (self.duplicate and self.hands % 2):
            even = ", an even number in a duplicate match" if self.duplicate else ""
            raise AcpcError(f"a match of {self.hands} hands: expected 1 or more{even}")

    def deal(self, number: int) -> int:
        """Which cards a hand has: those of the first hand with this number."""
        return number % (self.hands // 2) if self.duplicate else number

    def big_blind(self, number: int) -> int:
        """Which player is the big blind, 0 or 1."""
        again = number >= self.hands // 2 if self.duplicate else False
        return (self.deal(number) + again) % 2

    def cards(self, table: Table, number: int) -> tuple[int, ...]:
        """The cards of a hand."""
        return deal_cards(table, random.Random(f"cards {self.seed} {self.deal(number)}"))

    def dice(self, number: int, player: int) -> random.Random:
        """The dice of a player in a hand."""
        return random.Random(f"dice {self.seed} {number} {player}")


def header_lines(match: str, game: str, plan: Plan, limits: TimeLimits) -> list[str]:
    """The first lines of a log; times are in milliseconds."""
    game = "".join(game.split()) or "-"  # readers take words
    times = (("response", limits.response), ("hand", limits.hand), ("per_hand", limits.average))
    return [
        f"# name/game/hands/seed {match} {game} {plan.hands} {plan.seed}",
        *(f"#--t_{name} {round(1000 * seconds)}" for name, seconds in times),
    ]


def deal_match(
    table: Table,
    players: Sequence[Agent],
    names: tuple[str, str],
    plan: Plan,
    write: Write = lambda line: None,
    tell: Callable[[Dealt], None] = lambda dealt: None,
) -> Dealt:
    """Play a match. What ends it too early is said in `ended`, beside what was played until then.

    `write` gets the lines of the log as they come, `tell` is called after every hand. Limits of time are the players'
    own; an agent that is played here has none.
    """
    dealt = Dealt(names)
    for player in players:
        if isinstance(player, RemoteAgent):
            player.note = lambda text: write(f"# {text}")
    began = time.monotonic()
    try:
        _connect(players)
        began = time.monotonic()
        for number in range(plan.hands):
            _deal(table, players, plan, number, dealt, write)
            tell(dealt)
    except (AcpcError, AgentError) as error:
        dealt.ended = str(error)
    except KeyboardInterrupt:
        dealt.ended = "stopped"
    dealt.seconds = time.monotonic() - began
    if dealt.ended:
        write(f"# ended after {dealt.hands} of {plan.hands} hands: {dealt.ended}")
    else:
        write(score_line(dealt.chips, names))
    return dealt


def _connect(players: Sequence[Agent]) -> None:
    """Wait for all clients, who share one limit of time."""
    began = time.monotonic()
    for player in players:
        if isinstance(player, RemoteAgent):
            player.connect(began + player.limits.start)


def _deal(table: Table, players: Sequence[Agent], plan: Plan, number: int, dealt: Dealt, write: Write) -> None:
    first = plan.big_blind(number)
    order = (first, 1 - first)
    seats = [players[player] for player in order]
    dice = [plan.dice(number, player) for player in order]
    record: HandRecord = play_hand(table, seats, plan.cards(table, number), dice, number)
    record = record._replace(names=(dealt.names[order[0]], dealt.names[order[1]]))
    won = record.chips
    write(hand_line(record))
    dealt.hands += 1
    dealt.chips = dealt.chips[0] + won[order[0]], dealt.chips[1] + won[order[1]]
