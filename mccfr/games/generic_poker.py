"""Generic poker GP(T, C, R, B) (Lisy, Lanctot and Bowling 2015): Leduc hold'em with any deck and any cap on raises.

The betting does not depend on the cards, so its lines are written out once (`betting_lines`) and a state is just the
line so far and the cards dealt. The Leduc of `leduc.py` is this class with other names for the cards.
"""

import dataclasses
import functools
from functools import cached_property
from typing import ClassVar, NamedTuple

from mccfr.errors import GameError, TreeError
from mccfr.games.base import CHANCE, TERMINAL, RuleBook
from mccfr.games.dealt_poker import DealtPoker
from mccfr.games.parameters import require_flag, require_number, require_whole

ANTE = 1
MOST_LINES = 5_000_000  # of play: a kilobyte each
SMALLEST_BET = (2, 4)  # in round 1 and round 2; further sizes are its multiples

State = tuple[str, tuple[str, ...]]  # the line of play; the cards dealt: player 0's, player 1's, the public one


class Spot(NamedTuple):
    """What the rules say after one line of play, whatever the cards."""

    player: int
    actions: tuple[str, ...] = ()
    following: dict[str, str] = {}  # noqa: RUF012  action -> line; never mutated
    dealt: str = ""  # the line after a card has been dealt, at chance spots
    before: str = ""  # an infoset is: private card + before, and in round 2 also + public card + after
    after: str = ""
    stakes: tuple[float, float, float] = (0, 0, 0)  # what player 0 gets at a terminal when behind, level or ahead


def betting_lines(raises: int, sizes: int) -> dict[str, Spot]:
    """Every line of play with its spot. Lines look like infosets without the cards: `:crc/:r`."""
    lines = {"deal 0": Spot(CHANCE, dealt="deal 1"), "deal 1": Spot(CHANCE, dealt=":")}

    def bet(line: str, mover: int, chips: tuple[int, int], made: int) -> None:
        """Write out what may follow `line`, where `made` bets and raises have been made in this round."""
        second_round = "/" in line
        facing = chips[0] != chips[1]
        following: dict[str, str] = {}
        if facing:
            following["fold"] = line + "f"
            lost = -chips[0] if mover == 0 else chips[1]
            lines[line + "f"] = Spot(TERMINAL, stakes=(lost, lost, lost))

        level = max(chips)
        if not facing and mover == 0:
            following["check"] = line + "c"
            bet(line + "c", 1, chips, made)
        elif second_round:
            following["call" if facing else "check"] = line + "c"
            lines[line + "c"] = Spot(TERMINAL, stakes=(-level, 0, level))
        else:
            following["call" if facing else "check"] = line + "c/"
            lines[line + "c/"] = Spot(CHANCE, dealt=line + "c/:")
            bet(line + "c/:", 0, (level, level), 0)

        for multiple in range(1, sizes + 1 if made < raises else 1):
            size = multiple * SMALLEST_BET[second_round]
            suffix = f"r{size}" if sizes > 1 else "r"
            word = "raise" if facing else "bet"
            following[f"{word} {size}" if sizes > 1 else word] = line + suffix
            raised = (level + size, chips[1]) if mover == 0 else (chips[0], level + size)
            bet(line + suffix, 1 - mover, raised, made + 1)

        first, slash, second = line.partition("/")
        lines[line] = Spot(mover, tuple(following), following, before=first + slash, after=second)

    bet(":", 0, (ANTE, ANTE), 0)
    return lines


def count_lines(raises: int, sizes: int) -> int:
    """How many lines `betting_lines` would write out."""

    @functools.cache
    def below(second_round: bool, facing: bool, opens: bool, made: int) -> int:
        """From a spot on, itself included; `opens`: player 0 moves first in a round."""
        count = 1 + facing
        if opens:
            count += below(second_round, False, False, made)
        else:
            count += 1 if second_round else 1 + below(True, False, True, 0)
        return count + (sizes * below(second_round, True, False, made + 1) if made < raises else 0)

    return 2 + below(False, False, True, 0)


@dataclasses.dataclass(frozen=True)
class GenericPoker(RuleBook):
    """Leduc with any deck: a private card each, betting, a public card, betting; ante 1, player 0 acts first.

    There are `types` ranks with `copies` cards each, and at most `raises` bets and raises per round, including the
    opening bet. A bet or raise adds 2, 4, ... up to 2 * `sizes` in round 1 and twice that in round 2. A private card
    that matches the public card beats one that does not; otherwise the higher rank wins, and equal ranks split the pot.
    `suits=False` deals ranks instead of single cards, which is strategically the same game. `shift` is paid by player 1
    to player 0 at the end of every game (Davis, Schmid and Bowling 2019, section 5).

    The authors' library gtlib2 counts only the raises after the opening bet, but the sizes published for GP(6,4,4,1)
    and GP(13,4,4,1) fit the total used here. An infoset is card:line/public:line, with f, c (check or call) and r (bet
    or raise) or, with several sizes, r2, r4, ...: `3b:crc/1a:r`.
    """

    name: ClassVar[str] = "gp"

    types: int = 3
    copies: int = 2
    raises: int = 2
    sizes: int = 1
    suits: bool = True
    shift: float = 0

    def __post_init__(self) -> None:
        require_whole(self.name, "types", self.types, 1, 99)
        require_whole(self.name, "copies", self.copies, 1, 26)
        require_whole(self.name, "raises", self.raises, 0, 9)
        require_whole(self.name, "sizes", self.sizes, 1, 9)
        require_flag(self.name, "suits", self.suits)
        require_number(self.name, "shift", self.shift)
        if self.types * self.copies < 3:
            raise GameError(f"{self.name}: types * copies must be at least 3 cards, got {self.types * self.copies}")

    def card_name(self, rank: int, copy: int) -> str:
        """How the card is written; the copy is left out when suits do not matter."""
        return f"{rank + 1}{chr(ord('a') + copy)}" if self.suits else f"{rank + 1}"

    def root(self) -> State:
        return ("deal 0", ())

    def player(self, s: State) -> int:
        return self._spots[s[0]].player

    def actions(self, s: State) -> tuple[str, ...]:
        return self._spots[s[0]].actions

    def chances(self, s: State) -> tuple[tuple[str, float], ...]:
        dealt = s[1]
        if dealt not in self._deals:
            self._deals[dealt] = self._remaining(dealt)
        return self._deals[dealt]

    def step(self, s: State, a: str) -> State:
        line, cards = s
        spot = self._spots[line]
        if spot.player == CHANCE:
            return (spot.dealt, (*cards, a))
        return (spot.following[a], cards)

    def infoset(self, s: State) -> str:
        line, cards = s
        spot = self._spots[line]
        label = cards[spot.player] + spot.before
        return label + cards[2] + spot.after if spot.after else label

    def payoff(self, s: State) -> tuple[float, float]:
        line, cards = s
        behind, level, ahead = self._spots[line].stakes
        if behind == ahead:  # somebody folded
            player0 = level + self.shift
        else:
            player0 = (level, ahead, behind)[self._comparison(cards)] + self.shift
        return (player0, -player0)

    def dealt(self) -> DealtPoker:
        """This game by public states and hands."""
        return DealtPoker(self)

    def _comparison(self, cards: tuple[str, ...]) -> int:
        """1 when player 0 wins the showdown, -1 when player 1 does, 0 when they split."""
        rank0, rank1, public = map(self._ranks.__getitem__, cards)
        if rank0 == rank1:
            return 0
        return 1 if rank0 == public or (rank1 != public and rank0 > rank1) else -1

    def _remaining(self, dealt: tuple[str, ...]) -> tuple[tuple[str, float], ...]:
        """The cards that are left, with their chances."""
        left = {card: count - dealt.count(card) for card, count in self._deck.items()}
        total = sum(left.values())
        return tuple((card, count / total) for card, count in left.items() if count)

    @cached_property
    def _spots(self) -> dict[str, Spot]:
        if (count := count_lines(self.raises, self.sizes)) > MOST_LINES:
            raise TreeError(f"{self} has {count:,} lines of play: too many to write out, the limit is {MOST_LINES:,}")
        return betting_lines(self.raises, self.sizes)

    @cached_property
    def _deals(self) -> dict[tuple[str, ...], tuple[tuple[str, float], ...]]:
        return {}

    @cached_property
    def _ranks(self) -> dict[str, int]:
        return {self.card_name(rank, copy): rank for rank in range(self.types) for copy in range(self.copies)}

    @cached_property
    def _deck(self) -> dict[str, int]:
        """How many cards of each name there are, from the lowest rank to the highest."""
        return dict.fromkeys(self._ranks, 1 if self.suits else self.copies)
