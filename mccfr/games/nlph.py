"""No-limit preflop hold'em, NLPH (Li et al. 2020): one betting round, then all five cards."""

import dataclasses
import functools
import math
import re
from fractions import Fraction
from typing import Any, ClassVar

from mccfr.betting.flat_tree import build_tree
from mccfr.betting.sizes import MOST, parse_sizes, sizes_text
from mccfr.betting.tree_size import tree_size
from mccfr.cards.deck import CLASSES, HANDS
from mccfr.errors import BettingError, GameError, TreeError
from mccfr.games.base import RuleBook
from mccfr.games.dealt_nlph import DealtNlph, PreflopBetting
from mccfr.games.parameters import require_flag, require_whole

MOST_RAISES = 1000  # that `cap` can say; more is no cap at all
LARGEST_SCALE = 1000  # by which fractions of a chip are multiplied in advice
_DECIMAL = re.compile(r"\d{1,9}(\.\d{1,9})?", re.ASCII)


@dataclasses.dataclass(frozen=True)
class Nlph(RuleBook):
    """No-limit hold'em before the flop, by default with 20,000 chips and blinds of 50 and 100.

    Player 0 has the small blind and moves first. Players fold, call, raise by the pot as it is after calling, or go
    all-in; `raise_` offers other sizes, such as '2.5x,a' for two and a half times the bet faced, and `sb` and `bb` give
    each player its own. A raise is at least the legal minimum, and one beyond the stack is all-in. With `raise_='a'`
    and `limp=False` the small blind pushes or folds. Chips are whole numbers, and payoffs are in chips.

    Betting that ends without a fold pays the stake times P(win) - P(lose) over all boards, so the board is never dealt.
    `classes=True` plays the 169 classes of hands (AA, AKs, AKo, ...), which loses nothing, since suits do not matter
    before the flop; `classes=False` plays the 1326 hands. Only the dealt form exists.

    An infoset is hand:line, with f, c (check or call), r and a (all-in): `AKs:rr`. Where several raises are offered, r
    is followed by the chips that the player has then put in, blind included and ante not: `AKs:r250`.
    """

    name: ClassVar[str] = "nlph"
    dealt_only: ClassVar[bool] = True

    classes: bool = True
    _: dataclasses.KW_ONLY
    stack: int = 20_000  # of each player before antes and blinds
    blinds: str = "50 100"
    ante: int = 0  # of each player
    raise_: str = "100%,a"
    sb: str | None = None  # sizes of the small blind in place of `raise_`
    bb: str | None = None
    limp: bool = True
    cap: int | None = None
    add_allin: float = 0
    force_allin: float = 0
    merge: float = 0

    def __post_init__(self) -> None:
        require_flag(self.name, "classes", self.classes)
        require_flag(self.name, "limp", self.limp)
        if self.cap is not None:
            require_whole(self.name, "cap", self.cap, 0, MOST_RAISES)
        _require_whole_chips(self.stack, self.blinds, self.ante)
        try:
            made = self._canonical()
        except BettingError as error:
            raise GameError(f"{self.name}: {str(error).removeprefix(f'{PreflopBetting.name}: ')}") from None
        if not self.limp:
            _require_choice(made)

    def _canonical(self) -> PreflopBetting:
        """The betting, after sizes and blinds have been given the one form in which strings have them."""
        for sizes in ("raise_", "sb", "bb"):
            text = getattr(self, sizes)
            if sizes == "raise_" or text is not None:
                object.__setattr__(self, sizes, sizes_text(parse_sizes(text, True, sizes)))
        object.__setattr__(self, "blinds", self.betting.blinds)
        return self.betting

    @functools.cached_property
    def betting(self) -> PreflopBetting:
        """The rules of betting."""
        return PreflopBetting(
            stack=self.stack,
            blinds=self.blinds,
            ante=self.ante,
            raise_=self.raise_,
            ip=None if self.sb is None else {"raise_": self.sb},
            oop=None if self.bb is None else {"raise_": self.bb},
            cap=self.cap,
            add_allin=self.add_allin,
            force_allin=self.force_allin,
            merge=self.merge,
            limp=self.limp,
        )

    @property
    def big_blind(self) -> int:
        """The chips of the big blind."""
        return self.betting.smallest

    def dealt_size(self, most_entries: int | None = None) -> tuple[int, int]:
        """Public nodes and table entries of the dealt form; a tree with more entries is refused, sooner than counted.

        Every node but the root follows from an action, and every hand has an entry for it.
        """
        hands = CLASSES if self.classes else HANDS
        try:
            if most_entries is None:
                nodes = tree_size(self.betting).nodes
            else:
                nodes = build_tree(self.betting, 1 + most_entries // hands).size.nodes
        except BettingError as error:
            raise TreeError(f"{self}: {error}") from None
        return nodes, (nodes - 1) * hands

    def dealt(self) -> DealtNlph:
        """The game by public states and hands."""
        return DealtNlph(self.betting, self.classes)


def _require_whole_chips(stack: Any, blinds: Any, ante: Any) -> None:
    """Refuse fractions of a chip, and say which whole numbers make the same game."""
    words = [_short(stack), *_short(blinds).split(), _short(ante)]
    if len(words) != 4 or not all(map(_DECIMAL.fullmatch, words)):
        return  # whatever is wrong there is found by the betting
    numbers = [Fraction(word) for word in words]
    scale = math.lcm(*(number.denominator for number in numbers))
    if scale == 1:
        return
    right = "multiply all of them"
    if scale <= LARGEST_SCALE:
        deep, small, big, dead = (int(number * scale) for number in numbers)
        right = f"times {scale} that is stack={deep}, blinds='{small} {big}'" + (f", ante={dead}" if dead else "")
    given = f"stack={words[0]}, blinds='{words[1]} {words[2]}'" + (f", ante={words[3]}" if numbers[3] else "")
    raise GameError(f"nlph: chips are whole numbers, got {given}; {right}")


def _require_choice(betting: PreflopBetting) -> None:
    """Refuse limp=False where it leaves the small blind a single move."""
    small, big = betting.posted
    if small == big:
        raise GameError(f"nlph: limp=False needs a small blind below the big one, got blinds={betting.blinds!r}")
    if len(betting.moves(betting.root())) == 1:
        raise GameError("nlph: limp=False and no raise leave the small blind only a fold; offer one, as in raise_='a'")


def _short(value: Any) -> str:
    """A value as text; nothing for a whole number with more digits than chips have."""
    return "" if isinstance(value, int) and abs(value) > MOST else str(value)
