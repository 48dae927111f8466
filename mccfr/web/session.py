"""What one page is watching: one or two lanes on the same seed, and which infosets it wants to see."""

from typing import Any

from mccfr.errors import MccfrError
from mccfr.web.admit import NOTHING, Given, is_built, method_of, scene_of
from mccfr.web.clairvoyant import clairvoyant
from mccfr.web.explain import about_method
from mccfr.web.frozen import noise
from mccfr.web.lane import Lane
from mccfr.web.mathematics import mathematics
from mccfr.web.messages import Clairvoyant, Infoset, Noise, Open, View
from mccfr.web.stock import Stock, kernel_of

SLICE = 0.01  # seconds of compiled work between two looks at what the page wants


class SessionError(MccfrError, ValueError):
    """Something asked for at the wrong time."""


class Session:
    """Lanes and the page's view of them. Used by one thread at a time."""

    def __init__(self, given: Given = NOTHING, stock: Stock | None = None) -> None:
        self.given, self.stock = given, stock or Stock()
        self.lanes: list[Lane] = []
        self.views: list[View] = []
        self.frames = 0
        self._whole = True

    def open(self, wish: Open) -> dict[str, Any]:
        """Begin; what was open before stays if this is refused."""
        scene = scene_of(wish.game, self.given)
        texts = [wish.method] if wish.other is None else [wish.method, wish.other]
        methods = [method_of(text, scene.tree, self.given) for text in texts]
        with self.stock.compiling({kernel_of(method, scene.tree) for method in methods}):
            self.stock.hold(self, scene, len(methods))
            self.lanes = [Lane(scene, method, wish.seed) for method in methods]
        self.views = [View() for _ in self.lanes]
        self._whole = True
        return {
            "type": "opened",
            "seed": wish.seed,
            "lanes": [about_method(method) for method in methods],
            "game": scene.opened,
            "equilibrium": scene.family,
        }

    def quick_to_open(self, wish: Open) -> bool:
        """Whether game and kernels are at hand."""
        if not is_built(wish.game):
            return False
        tree = scene_of(wish.game, self.given).tree
        texts = [wish.method] if wish.other is None else [wish.method, wish.other]
        return self.stock.compiled({kernel_of(method_of(text, tree, self.given), tree) for text in texts})

    def quick_to_answer(self, question: Infoset | Noise | Clairvoyant) -> bool:
        """Whether the kernel that a question needs is at hand."""
        lane = self.lane(question.lane)
        return not isinstance(question, Noise) or self.stock.compiled({_sampling(lane)})

    @property
    def iteration(self) -> int:
        """How far the lanes are: always equally far."""
        return self.lanes[0].iterations if self.lanes else 0

    def require_open(self) -> None:
        """Refuse what needs a game."""
        if not self.lanes:
            raise SessionError("nothing is open: send an open message first")

    def lane(self, number: int) -> Lane:
        """A lane by its number."""
        self.require_open()
        if number >= len(self.lanes):
            raise SessionError(f"there is no lane {number}: one method is open")
        return self.lanes[number]

    def advance(self, goal: int) -> None:
        """A slice of compiled work towards an iteration; lanes stay together."""
        share = SLICE / len(self.lanes)
        stop = min(goal, self.iteration + min(lane.within(share) for lane in self.lanes))
        for lane in self.lanes:
            lane.advance(stop)

    def go(self, goal: int) -> bool:
        """A slice on the way to an iteration, the last one told; whether it is reached."""
        if self.iteration < goal - 1:
            self.advance(goal - 1)
        if self.iteration == goal - 1:
            self.tell()
        return self.iteration >= goal

    def advance_one(self) -> None:
        """One iteration of every lane, compiled."""
        for lane in self.lanes:
            lane.advance(lane.iterations + 1)

    @property
    def quick_to_tell(self) -> bool:
        """Whether iterations can be told without keeping anybody waiting."""
        return all(lane.quick_to_tell for lane in self.lanes)

    def answer(self, question: Infoset | Noise | Clairvoyant) -> dict[str, Any]:
        """The answer to a question about a lane."""
        lane = self.lane(question.lane)
        match question:
            case Infoset():
                found = mathematics(lane, question.player, question.label)
            case Noise():
                named = question.player is not None and question.label is not None
                with self.stock.compiling({_sampling(lane)}):
                    found = noise(lane, question.walks, (question.player, question.label) if named else None)  # type: ignore[arg-type]
            case Clairvoyant():
                found = clairvoyant(lane)
        return {**found, "lane": question.lane}

    def tell(self) -> None:
        """The next iteration of every lane, written down."""
        for lane in self.lanes:
            lane.tell()

    def restart(self) -> None:
        """Back to iteration 0."""
        for lane in self.lanes:
            lane.restart()
        self._whole = True

    def look(self, view: View) -> None:
        """The page wants to see other infosets."""
        self.require_open()
        for number in range(len(self.lanes)) if view.lane is None else [view.lane]:
            self.lane(number)
            self.views[number] = view

    def frame(self, playing: bool) -> dict[str, Any]:
        """Everything the page shows, as of now."""
        self.require_open()
        self.frames += 1
        lanes = [lane.frame(view, self._whole) for lane, view in zip(self.lanes, self.views)]
        whole, self._whole = self._whole, False
        return {"type": "frame", "frame": self.frames, "playing": playing, "whole": whole, "lanes": lanes}


def _sampling(lane: Lane) -> Any:
    """The kernel that makes a lane's walks for statistics."""
    return "walks", kernel_of(lane.method, lane.scene.tree)
