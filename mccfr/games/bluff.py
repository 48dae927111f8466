"""Bluff(D0, D1), a liar's dice for two players, as in Gibson et al. (2012)."""

import dataclasses
import math
from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar, NamedTuple

from mccfr.errors import GameError
from mccfr.games.base import CHANCE, TERMINAL, Level, RuleBook
from mccfr.games.bluff_dice import LIAR, bids, hands, menus, support
from mccfr.games.bluff_levels import Round, bluff_levels, count_endings, unpack
from mccfr.games.dealt_dice import DealtBluff
from mccfr.games.parameters import require_number, require_whole, require_word

ROUNDS = ("one", "literal", "all")
OPENERS = ("loser", "winner", "alternate")


class Table(NamedTuple):
    """What a round begins with."""

    dice: tuple[int, int]
    opener: int = 0
    seen: tuple[str, str] = ("", "")  # earlier rounds as each player saw them


# Mover, index of the last bid (-1 before the first), the bids as text, the hands rolled, the table;
# at a terminal the mover is TERMINAL and the second entry the player who lost the round.
State = tuple[int, int, str, tuple[str, ...], Table]


@dataclasses.dataclass(frozen=True)
class Bluff(RuleBook):
    """Players roll dice in secret and take turns to bid how many dice of a face there are, until one says liar.

    Each bid must be higher, by quantity and then by face. The top face is wild: it counts for every face, and a bid on
    it counts only that face. The caller wins the round if the last bid is false. The loser of a round removes one die,
    both players roll again, and a player without dice has lost 1. Player 0 opens the first round; `opener` says who
    opens the next: the loser of the last round, its winner, or each in turn.

    `rounds`: "one" plays a single round for 1 (OpenSpiel's liars_dice, for one die each); "literal" writes out the
    whole game; "all" is the same game in parts: a round that leaves both with dice pays the value of the smaller game
    that follows. `subgames` names those games and `with_values` takes their values. Nothing is lost by this, because
    dice are rolled again and only their numbers and the opener carry over.

    With several dice, a roll is a sorted hand with its multinomial probability. After a round only its winner is
    announced. An infoset is dice:bids, `3:1-5,2-3`, after the earlier rounds, `24:1-5,2-3=1/3:1-2` (=1: player 1 won).
    """

    name: ClassVar[str] = "bluff"

    dice0: int = 1
    dice1: int = 1
    rounds: str = "all"
    opener: str = "loser"
    faces: int = 6
    values: tuple[tuple[str, float], ...] = dataclasses.field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        require_whole(self.name, "dice0", self.dice0, 1, 9)
        require_whole(self.name, "dice1", self.dice1, 1, 9)
        require_word(self.name, "rounds", self.rounds, ROUNDS)
        require_word(self.name, "opener", self.opener, OPENERS)
        require_whole(self.name, "faces", self.faces, 2, 9)
        if type(self.values) is not tuple:
            raise GameError(f"{self.name}: values are pairs that with_values gives, got {self.values!r}")

    def root(self) -> State:
        return (CHANCE, -1, "", (), self._table)

    def player(self, s: State) -> int:
        return s[0]

    def actions(self, s: State) -> tuple[str, ...]:
        dice0, dice1 = s[4].dice
        return menus(dice0 + dice1, self.faces)[s[1] + 1]

    def chances(self, s: State) -> tuple[tuple[str, float], ...]:
        return hands(s[4].dice[len(s[3])], self.faces)

    def step(self, s: State, a: str) -> State:
        mover, _, said, rolled, table = s
        if mover == CHANCE:
            return (table.opener if rolled else CHANCE, -1, "", (*rolled, a), table)
        if a == LIAR:
            return self._end_of_round(s)
        return (1 - mover, self._order[a], f"{said},{a}" if said else a, rolled, table)

    def infoset(self, s: State) -> str:
        mover, _, said, rolled, table = s
        return f"{table.seen[mover]}{rolled[mover]}:{said}"

    def payoff(self, s: State) -> tuple[float, float]:
        return self._payoffs[s[1]]

    def subgames(self) -> dict[str, "Bluff"]:
        """The smaller games that may follow this round. Their player 0 opens them, whoever that is here."""
        games = {}
        for loser in (0, 1) if self.rounds == "all" else ():
            dice, opener = self._after(self._table, loser)
            if all(dice):
                key = f"{dice[opener]}-{dice[1 - opener]}"
                games[key] = dataclasses.replace(self, dice0=dice[opener], dice1=dice[1 - opener], values=())
        return games

    def with_values(self, values: dict[str, float]) -> "Bluff":
        """A copy that pays these values, each from the view of its subgame's player 0."""
        if values.keys() != self.subgames().keys():
            raise GameError(f"{self}: values needed for {sorted(self.subgames())}, got them for {sorted(values)}")
        for key, value in values.items():
            require_number(str(self), f"the value of {key}", value)
        return dataclasses.replace(self, values=tuple(sorted(values.items())))

    def dealt_size(self) -> tuple[int, int]:
        """Public nodes and table entries of the dealt form: half of all actions are player 0's."""
        actions = 2 ** (self.faces * (self.dice0 + self.dice1) + 1) - 2
        return actions + 1, actions // 2 * sum(math.comb(n + self.faces - 1, n) for n in (self.dice0, self.dice1))

    def dealt(self) -> DealtBluff:
        """The round by public states and hands."""
        return DealtBluff(self)

    def nodes(self) -> int:
        return self._count(self._table)

    def levels(self) -> Iterator[Level] | None:
        if self.rounds == "literal":
            return None
        return bluff_levels(self._round(self._table), (self._payoffs[0][0], self._payoffs[1][0]))

    def describe(self, player: int, code: int) -> tuple[str, tuple[str, ...]]:
        dice = (self.dice0, self.dice1)
        names = bids(sum(dice), self.faces)
        hand, said = unpack(code, len(names))
        label = f"{hands(dice[player], self.faces)[hand][0]}:{','.join(names[bid] for bid in said)}"
        return label, menus(sum(dice), self.faces)[said[-1] + 1 if said else 0]

    def _end_of_round(self, s: State) -> State:
        """The last bidder loses when the dice do not bear out the bid, otherwise the caller does."""
        caller, last, said, rolled, table = s
        quantity, face = divmod(last, self.faces)
        count = support(rolled[0], self.faces)[face] + support(rolled[1], self.faces)[face]
        loser = caller if count > quantity else 1 - caller
        if self.rounds == "literal":
            dice, opener = self._after(table, loser)
            if all(dice):
                seen0, seen1 = (f"{old}{hand}:{said}={1 - loser}/" for old, hand in zip(table.seen, rolled))
                return (CHANCE, -1, "", (), Table(dice, opener, (seen0, seen1)))
        return (TERMINAL, loser, said, rolled, table)

    def _after(self, table: Table, loser: int) -> tuple[tuple[int, int], int]:
        """The dice and the opener of the round that follows."""
        dice = (table.dice[0] - (loser == 0), table.dice[1] - (loser == 1))
        return dice, {"loser": loser, "winner": 1 - loser, "alternate": 1 - table.opener}[self.opener]

    def _worth(self, loser: int) -> float:
        """What player 0 gets when the game ends with the round lost by this player."""
        dice, opener = self._after(self._table, loser)
        if self.rounds != "all" or not all(dice):
            return -1.0 if loser == 0 else 1.0
        key, values = f"{dice[opener]}-{dice[1 - opener]}", dict(self.values)
        if key not in values:
            raise GameError(f"{self}: payoff needs the value of the smaller game {key}, see subgames and with_values")
        return -values[key] if opener else values[key]

    def _round(self, table: Table) -> Round:
        """The round in arrays, seen from its opener."""
        rolls = [hands(table.dice[player], self.faces) for player in (table.opener, 1 - table.opener)]
        supports = [[support(hand, self.faces) for hand, _ in roll] for roll in rolls]
        odds = [[chance for _, chance in roll] for roll in rolls]
        return Round.of(supports, odds, sum(table.dice))

    def _count(self, table: Table) -> int:
        """The nodes from the first roll of a round on."""
        first, second = (len(hands(dice, self.faces)) for dice in table.dice)
        nodes = 1 + first + first * second * 2 ** (sum(table.dice) * self.faces)
        opener_loses, other_loses = count_endings(self._round(table))
        for loser, endings in ((table.opener, opener_loses), (1 - table.opener, other_loses)):
            dice, opener = self._after(table, loser)
            goes_on = self.rounds == "literal" and all(dice)
            nodes += endings * (self._count(Table(dice, opener)) if goes_on else 1)
        return nodes

    @cached_property
    def _table(self) -> Table:
        return Table((self.dice0, self.dice1))

    @cached_property
    def _order(self) -> dict[str, int]:
        return {bid: index for index, bid in enumerate(bids(self.dice0 + self.dice1, self.faces))}

    @cached_property
    def _payoffs(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """What a terminal pays when player 0 and when player 1 has lost the round."""
        worth0, worth1 = self._worth(0), self._worth(1)
        return ((worth0, -worth0), (worth1, -worth1))
