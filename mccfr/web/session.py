"""What one page is watching: one or two lanes on the same seed, and which infosets it wants to see."""

import contextlib
from typing import Any

from mccfr.errors import MccfrError
from mccfr.kernel.dispatch import uncompiled
from mccfr.solvers.method import Method
from mccfr.web.admit import NOTHING, Given, is_built, method_of, quick_uncompiled, scene_of
from mccfr.web.clairvoyant import clairvoyant
from mccfr.web.explain import about_method
from mccfr.web.frozen import noise
from mccfr.web.lane import Lane
from mccfr.web.mathematics import mathematics
from mccfr.web.messages import Clairvoyant, Infoset, Noise, Open, Public, View
from mccfr.web.public_nodes import public_node
from mccfr.web.scene import Scene
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
        self.compiled = True  # whether the kernels of what is open are ready
        self._whole = True

    def open(self, wish: Open, at_once: bool = False) -> dict[str, Any]:
        """Begin; what was open before stays if this is refused. at_once: `compile` is to follow."""
        scene, methods = self._wanted(wish)
        kernels = {kernel_of(method, scene.tree) for method in methods}
        self.stock.require_room(kernels)
        self.stock.hold(self, scene, len(methods))
        with uncompiled() if at_once else self.stock.compiling(kernels):
            self.lanes = [Lane(scene, method, wish.seed) for method in methods]
        self.compiled = not at_once
        self.views = [View() for _ in self.lanes]
        self._whole = True
        return {
            "type": "opened",
            "seed": wish.seed,
            "lanes": [about_method(method) for method in methods],
            "game": scene.opened_at_once if at_once else scene.opened,
            "equilibrium": scene.family,
            "compiling": at_once,
        }

    def _wanted(self, wish: Open) -> tuple[Scene, list[Method]]:
        scene = scene_of(wish.game, self.given)
        texts = [wish.method] if wish.other is None else [wish.method, wish.other]
        return scene, [method_of(text, scene.tree, self.given) for text in texts]

    def build(self, wish: Open) -> None:
        """Have the game at hand."""
        scene_of(wish.game, self.given)

    def can_open_at_once(self, wish: Open) -> bool:
        """Whether the page can begin without kernels: with a small game and one method."""
        scene, methods = self._wanted(wish)
        return wish.other is None and scene.small and quick_uncompiled(methods[0], scene.tree)

    def compile(self) -> dict[str, Any]:
        """Make the kernels ready, with lanes of its own: the page may go on by single steps meanwhile."""
        opened = self.lanes
        with self.stock.compiling({kernel_of(lane.method, lane.scene.tree) for lane in opened}):
            for lane in opened:
                Lane(lane.scene, lane.method, lane.seed).frame(View(limit=0), True)
        scene = opened[0].scene
        answer = {"type": "compiled", "exact_value": scene.exact_value, "targets": scene.targets}
        if self.lanes is opened:
            self.compiled = True
        return answer

    def _meanwhile(self) -> contextlib.AbstractContextManager[None]:
        """Inside the block nothing is compiled, as long as the kernels are not ready."""
        return contextlib.nullcontext() if self.compiled else uncompiled()

    def needs_kernels(self, goal: int) -> bool:
        """Whether an iteration cannot be reached before kernels are ready: only walks can be told without."""
        walks = all(lane.visits is not None and lane.untold is None for lane in self.lanes)
        return not self.compiled and (goal > self.iteration + 1 or not walks)

    def quick_to_open(self, wish: Open) -> bool:
        """Whether game and kernels are at hand."""
        if not is_built(wish.game):
            return False
        scene, methods = self._wanted(wish)
        return self.stock.compiled({kernel_of(method, scene.tree) for method in methods})

    def quick_to_answer(self, question: Infoset | Noise | Clairvoyant | Public) -> bool:
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

    def answer(self, question: Infoset | Noise | Clairvoyant | Public) -> dict[str, Any]:
        """The answer to a question about a lane."""
        lane = self.lane(question.lane)
        match question:
            case Infoset():
                with self._meanwhile():
                    found = mathematics(lane, question.player, question.label, question.step)
            case Noise():
                named = question.player is not None and question.label is not None
                with self.stock.compiling({_sampling(lane)}):
                    found = noise(lane, question.walks, (question.player, question.label) if named else None)  # type: ignore[arg-type]
            case Clairvoyant():
                with self._meanwhile():
                    found = clairvoyant(lane)
            case Public():
                found = public_node(lane, question)
        return {**found, "lane": question.lane}

    def tell(self) -> None:
        """The next iteration of every lane, written down."""
        with self._meanwhile():
            for lane in self.lanes:
                lane.tell()

    def restart(self) -> None:
        """Back to iteration 0."""
        with self._meanwhile():
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
        with self._meanwhile():
            lanes = [lane.frame(view, self._whole) for lane, view in zip(self.lanes, self.views)]
        whole, self._whole = self._whole, False
        return {"type": "frame", "frame": self.frames, "playing": playing, "whole": whole, "lanes": lanes}


def _sampling(lane: Lane) -> Any:
    """The kernel that makes a lane's walks for statistics."""
    return "walks", kernel_of(lane.method, lane.scene.tree)
