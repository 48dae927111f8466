"""What spots and whole hold'em share."""

import abc
import dataclasses

from mccfr.games.base import RuleBook
from mccfr.games.streets import Streets


@dataclasses.dataclass(frozen=True)
class StreetRules(RuleBook, abc.ABC):
    """A game that is made of cards and betting."""

    @abc.abstractmethod
    def streets(self) -> Streets:
        """The cards and the betting."""
