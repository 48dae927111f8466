"""What a position is put behind before it is solved again, so that the rest of the game keeps its worth.

A position is a public state with the range of the player who re-solves, and for each hand j of the other player, the
opponent, what reaching it was worth: the counterfactual value v(j) divided by the reach of everybody else, w(j), which
we call alt(j). The opponent may have chosen other lines before, and so would not stay with a range that does badly
here: a gadget gives it that choice back.

    unsafe      both ranges are dealt as they are. No gadget, and no guarantee
    resolve     the opponent, knowing its hand, either stops and is paid alt(j), or follows [Burch et al. 2014]
    maxmargin   the opponent chooses its hand and is paid alt(j) less: the player maximises the least margin by which
                every hand does worse than before [Moravcik et al. 2016]
    reach       as maxmargin, with alt(j) raised by what the opponent gave away on the way here, which it cannot have
                back [Brown and Sandholm 2017]

With alt(j) from best responses to the strategy so far, the last three never raise the exploitability of the player, but
for the error of the solver.
"""

import dataclasses
from typing import ClassVar

from mccfr.errors import MccfrError, nearest, quoted
from mccfr.grammar import GrammarError, Named, parse_call


class ResolvingError(MccfrError, ValueError):
    """A position that cannot be solved again, or not like that."""


@dataclasses.dataclass(frozen=True)
class Gadget(Named):
    """The base of all gadgets.

    Attributes:
        about: What the opponent may do before the position, in a sentence.
        safe: Whether exploitability cannot rise, but for the error of the solver.
        chooses_hand: Whether the opponent chooses its hand instead of being dealt one.
        counts_gifts: Whether what the opponent gave away on the way is added to alt(j).
    """

    about: ClassVar[str]
    safe: ClassVar[bool] = True
    chooses_hand: ClassVar[bool] = False
    counts_gifts: ClassVar[bool] = False


@dataclasses.dataclass(frozen=True)
class Unsafe(Gadget):
    """Both ranges are dealt as they are."""

    name: ClassVar[str] = "unsafe"
    about: ClassVar[str] = "nothing: both ranges are taken for granted"
    safe: ClassVar[bool] = False


@dataclasses.dataclass(frozen=True)
class Resolve(Gadget):
    """The opponent may stop and be paid what reaching the position was worth. [Burch et al. 2014]"""

    name: ClassVar[str] = "resolve"
    about: ClassVar[str] = "stop and be paid what the hand was worth, or follow"


@dataclasses.dataclass(frozen=True)
class MaxMargin(Gadget):
    """The opponent chooses its hand and is paid what it was worth less. [Moravcik et al. 2016]"""

    name: ClassVar[str] = "maxmargin"
    about: ClassVar[str] = "choose its hand, for what that was worth"
    chooses_hand: ClassVar[bool] = True


@dataclasses.dataclass(frozen=True)
class Reach(Gadget):
    """As `maxmargin`, where a hand may win back what the opponent gave away with it. [Brown and Sandholm 2017]"""

    name: ClassVar[str] = "reach"
    about: ClassVar[str] = "choose its hand, for what that was worth and what was given away on the way"
    chooses_hand: ClassVar[bool] = True
    counts_gifts: ClassVar[bool] = True


GADGETS: dict[str, type[Gadget]] = {kind.name: kind for kind in (Unsafe, Resolve, MaxMargin, Reach)}


def read_gadget(given: "Gadget | str") -> Gadget:
    """A gadget by its name, or itself."""
    if isinstance(given, Gadget):
        return given
    if not isinstance(given, str):
        raise ResolvingError(f"{quoted(given)} is no gadget: expected one of {', '.join(GADGETS)}")
    try:
        call = parse_call(given)
    except GrammarError:
        raise ResolvingError(f"{quoted(given)} is no gadget: expected one of {', '.join(GADGETS)}") from None
    if call.name not in GADGETS or call.args or call.keys:
        raise ResolvingError(f"{quoted(given)} is no gadget; {nearest(call.name, GADGETS)}")
    return GADGETS[call.name]()
