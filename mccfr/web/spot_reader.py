"""Nodes of a spot, or of whole hold'em with every card: what `mccfr.view` says, with the strategy loaded once."""

from mccfr.cards.ranges import deck_of
from mccfr.evaluate.node_view import NodeView, Runout
from mccfr.evaluate.street_reading import StreetReader
from mccfr.runs.any_strategy import on_streets
from mccfr.strategy.strategy import Strategy
from mccfr.tree.street_boards import compose
from mccfr.web.node_lines import Place, place_in


class SpotReader:
    """Reads one strategy of a spot."""

    seats = ("out of position", "in position")
    why_no_ev: str | None = None

    def __init__(self, strategy: Strategy) -> None:
        self.reader = StreetReader(on_streets(strategy))
        self.tree = self.reader.tree

    def place(self, line: str) -> Place:
        """Where a line leads."""
        return place_in(self.tree.betting, self.tree.rules.deals, line)

    def view(self, line: str) -> NodeView:
        """Everything about the node that a line leads to."""
        return self.reader.view(self.place(line).line)

    def runouts(self, line: str) -> list[Runout]:
        """What every card that can come next does."""
        return self.reader.runouts(self.place(line).line)

    def kinds_of_cards(self, line: str) -> list[list[str]]:
        """The cards that can come, together with those that are like them because suits can be exchanged."""
        _, board, turned = self.tree.locate(line, dealing=True)
        boards, deck = self.tree.boards, deck_of(self.tree.rules.ranks, self.tree.rules.suits)
        known, found = len(boards.listed[board].cards), []
        for below in range(*boards.follow[board].tolist()):
            new = list(boards.listed[below].cards[known:])
            images = {tuple(compose(turned, image).cards[new].tolist()) for image in boards.listed[below].images}
            found.append([deck.card_name(cards[0]) for cards in sorted(images, reverse=True) if len(cards) == 1])
        return [kind for kind in found if kind]
