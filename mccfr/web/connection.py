"""One page and its session: messages in, frames out, work in slices so that nobody waits long for anybody.

The reader only notes what was said; one loop does it in order. While playing, a frame is sent only after the page has
drawn the one before, and work stops while it has not: a slow page gets fewer frames and a dead one costs nothing.
"""

import asyncio
import json
import logging
import time
from collections.abc import Callable
from typing import Any, Protocol

from mccfr.errors import MccfrError
from mccfr.web import messages as say
from mccfr.web.about import offered
from mccfr.web.admit import is_built
from mccfr.web.measure import races
from mccfr.web.pool import Pool, Pools, Share
from mccfr.web.resolved import gadget_rows
from mccfr.web.seats import Seat
from mccfr.web.session import Session

FRAME_EVERY = 0.05  # seconds: twenty frames a second at most
PROGRESS_EVERY = 0.25
LOOK_EVERY = 0.05  # seconds between two looks at what the page wants, while kernels are compiled
ENDING = (say.Pause, say.Open, say.Jump)  # messages that cut short what is running
LOG = logging.getLogger("mccfr.web")
WAITING = 64  # messages that may be waiting
LONGEST_LINE = 300  # characters of a complaint
UNUSUAL = 1000.0  # seconds: what the menus do not offer is built after what they do
LEISURELY = 2.0  # iterations a second up to which every one is told, whatever that costs


class Socket(Protocol):
    """Where text goes."""

    async def send_text(self, data: str) -> None: ...


class Connection:
    """The loop of one page."""

    def __init__(self, socket: Socket, session: Session, pools: Pools, seat: Seat) -> None:
        self.socket, self.session, self.pools, self.seat = socket, session, pools, seat
        self.share = Share()
        self.waiting: asyncio.Queue[say.Any_] = asyncio.Queue(WAITING)
        self.heard = asyncio.Event()  # a message or an ack has come
        self.drawn = 0
        self.stop = False
        self.playing: say.Play | None = None
        self.compiling: asyncio.Task[None] | None = (
            None  # of the kernels of what is open, while steps are taken without
        )

    # ---- the reader's side

    async def receive(self, text: str) -> None:
        """Note a message; what cannot be read is answered at once."""
        try:
            message = say.read_message(text)
        except MccfrError as error:
            await self.complain(str(error), _id_of(text))
            return
        if isinstance(message, say.Ack):
            self.drawn = max(self.drawn, message.frame)
        else:
            if isinstance(message, ENDING):
                self.stop = True
            try:
                self.waiting.put_nowait(message)
            except asyncio.QueueFull:
                await self.complain(f"{WAITING} messages are waiting: this one is dropped", message.id)
        self.heard.set()

    async def complain(self, line: str, number: Any = None) -> None:
        """Answer with an error, in one line."""
        line = " ".join(line.split())
        line = line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 4] + " ..."
        await self.send({"type": "error", "message": line}, number)

    async def send(self, answer: dict[str, Any], number: Any = None) -> None:
        """Answer a message, by its id if it had one."""
        if number is not None:
            answer = {**answer, "id": number}
        await self.socket.send_text(write(answer))

    async def do(self, work: Callable[..., Any], *args: Any, pool: Pool | None = None, later: float = 0.0) -> Any:
        """Let a thread do something with the session; nothing else touches it meanwhile."""
        pool = self.pools.slices if pool is None else pool
        return await asyncio.wrap_future(pool.submit(self.share, work, *args, later=later))

    # ---- the loop

    async def run(self) -> None:
        """Do what is asked, one after the other; play in between."""
        try:
            await self._loop()
        finally:
            self._drop_compiling()

    async def _loop(self) -> None:
        while True:
            message: Any = self.playing
            try:
                if message is not None and self.waiting.empty():
                    await self._play(message)
                    continue
                message = await self.waiting.get()
                self.stop = any(isinstance(one, ENDING) for one in self.waiting._queue)  # type: ignore[attr-defined]
                await self._answer(message)
            except MccfrError as error:
                self.playing = None
                await self.complain(str(error), message.id)
            except OSError:  # the page has gone
                return
            except Exception as error:
                self.playing = None
                LOG.exception("while answering %s", message)
                await self.complain(
                    f"a bug of ours ({type(error).__name__}): the server's terminal has the details", message.id
                )

    async def _answer(self, message: Any) -> None:
        match message:
            case say.Open():
                self.playing = None
                await self._open(message)
            case say.Step():
                self.playing = None
                await self._go(self.session.iteration + message.count, message.id)
            case say.Jump():
                self.playing = None
                await self._jump(message)
            case say.Play():
                self.session.require_open()
                self.playing = message
            case say.Pause():
                self.playing = None
                await self._frame(message.id)
            case say.View():
                self.session.look(message)
                await self._frame(message.id)
            case say.Sit() | say.Deal() | say.Act() | say.Review() | say.History():
                pool = self.pools.questions if self.seat.quick(message) else self.pools.building
                await self.send(await self.do(self.seat.answer, message, pool=pool), message.id)
            case _:
                await self._ask(message)

    async def _open(self, wish: say.Open) -> None:
        """A game and methods; what must be built or compiled for them waits its turn among such.

        A page with a small game need not wait for the kernels: it is shown, and they are compiled after.
        """
        later = 0.0 if offered(wish, self.session.given) else UNUSUAL
        quick = await self.do(self.session.quick_to_open, wish)
        if not is_built(wish.game):
            await self.do(self.session.build, wish, pool=self.pools.building, later=later)
        at_once = not quick and await self.do(self.session.can_open_at_once, wish, pool=self.pools.questions)
        pool = self.pools.questions if quick or at_once else self.pools.building
        answer = await self.do(self.session.open, wish, at_once, pool=pool, later=0.0 if quick or at_once else later)
        await self.send(answer, wish.id)
        await self._frame()
        self._drop_compiling()
        if at_once:
            self._compile(later)

    def _compile(self, later: float = 0.0) -> asyncio.Task[None]:
        """Have the kernels compiled while the page goes on, and tell it when they are."""

        async def compile() -> None:
            await self.send(await self.do(self.session.compile, pool=self.pools.building, later=later))

        self.compiling = asyncio.create_task(compile())
        self.compiling.add_done_callback(lambda task: task.cancelled() or task.exception())  # `_kernels` raises it
        return self.compiling

    def _drop_compiling(self) -> None:
        if self.compiling is not None:
            self.compiling.cancel()
        self.compiling = None

    async def _kernels(self, interrupted: Callable[[], bool]) -> None:
        """Wait for the kernels, or until the page wants something else."""
        task = self.compiling or self._compile()
        while not task.done() and not interrupted():
            await asyncio.wait({task}, timeout=LOOK_EVERY)
        if task.done():
            self.compiling = None  # where it failed, whoever needs kernels next tries again
            task.result()

    async def _ask(self, message: Any) -> None:
        """Questions, which change nothing."""
        if isinstance(message, say.Measure):
            seed = self.session.lanes[0].seed if self.session.lanes else 1
            answer = await self._long(races, seed, message.id)
        elif isinstance(message, say.Gadgets):
            answer = await self._long(gadget_rows, message.game, message.id)
        else:
            quick = self.session.quick_to_answer(message)
            pool = self.pools.questions if quick else self.pools.building
            answer = await self.do(self.session.answer, message, pool=pool, later=0.0 if quick else UNUSUAL)
        await self.send(answer, message.id)

    async def _long(self, work: Callable[..., dict[str, Any]], given: Any, number: Any) -> dict[str, Any]:
        """Races and other work of a minute, with what it tells on the way."""
        loop = asyncio.get_running_loop()
        told = 0.0

        def tell(progress: dict[str, Any]) -> None:
            nonlocal told
            if time.monotonic() - told > PROGRESS_EVERY:
                told = time.monotonic()
                asyncio.run_coroutine_threadsafe(self.send(progress, number), loop)

        answer: dict[str, Any] = await self.do(work, given, lambda: self.stop, tell, pool=self.pools.races)
        return answer

    async def _jump(self, message: say.Jump) -> None:
        self.session.require_open()
        if message.iteration < self.session.iteration:
            await self.do(self.session.restart, pool=self.pools.questions)
        await self._go(message.iteration, message.id)

    async def _go(self, goal: int, number: Any) -> None:
        """To an iteration, the last one told, unless the page says stop; now and then it hears how far."""
        self.session.require_open()
        if self.session.needs_kernels(goal):
            await self._kernels(lambda: self.stop)
        told = time.monotonic()
        while not self.stop and not await self.do(self.session.go, goal):
            if time.monotonic() - told > PROGRESS_EVERY:
                told = time.monotonic()
                await self.send({"type": "progress", "iteration": self.session.iteration, "goal": goal}, number)
        await self._frame(number, interrupted=self.session.iteration < goal)

    async def _frame(self, number: Any = None, interrupted: bool = False) -> None:
        said = ({"interrupted": True} if interrupted else {}) | ({} if number is None else {"id": number})
        await self.socket.send_text(await self.do(self._written_frame, said))

    def _written_frame(self, said: dict[str, Any]) -> str:
        """A frame as text: it may be long, so a thread writes it."""
        return write({**self.session.frame(self.playing is not None), **said})

    # ---- playing

    async def _play(self, wish: say.Play) -> None:
        """Until the page says something else."""
        await self._frame()
        if self.session.needs_kernels(self.session.iteration + 1):
            await self._kernels(lambda: not self.waiting.empty())
        began, start = time.monotonic(), self.session.iteration
        while self.waiting.empty():
            due = time.monotonic() + FRAME_EVERY
            while self.waiting.empty() and (
                time.monotonic() < due or self._goal(wish, began, start) <= self.session.iteration
            ):
                goal = self._goal(wish, began, start)
                if self.session.iteration < goal - 1 and self.session.compiled:
                    await self.do(self.session.advance, goal - 1)
                else:
                    await self._listen(max(due - time.monotonic(), self._until_next(wish, began, start), 0.001))
            while self.waiting.empty() and self.drawn < self.session.frames:
                await self._listen(None)
                began, start = time.monotonic(), self.session.iteration  # time without a reader does not count
            if self.waiting.empty():
                await self.do(self.session.tell if self._tells(wish) else self.session.advance_one)
                await self._frame()

    def _tells(self, wish: say.Play) -> bool:
        """Whether the last iteration before a frame is told in full; without kernels there are no others."""
        return (
            not self.session.compiled
            or self.session.quick_to_tell
            or (wish.rate is not None and wish.rate <= LEISURELY)
        )

    def _until_next(self, wish: say.Play, began: float, start: int) -> float:
        """Seconds until the next iteration is due."""
        if wish.rate is None:
            return 0.0
        return (self.session.iteration + 1 - start) / wish.rate - (time.monotonic() - began)

    def _goal(self, wish: say.Play, began: float, start: int) -> int:
        """The iteration that should be reached by now."""
        if wish.rate is None:
            return say.MOST_ITERATIONS
        return start + int((time.monotonic() - began) * wish.rate)

    async def _listen(self, seconds: float | None) -> None:
        """Until the page says something, or so long."""
        self.heard.clear()
        if not self.waiting.empty():
            return
        try:
            await asyncio.wait_for(self.heard.wait(), None if seconds is None else max(0.0, seconds))
        except TimeoutError:
            pass


def write(answer: dict[str, Any]) -> str:
    """An answer as JSON."""
    return json.dumps(answer, allow_nan=False)


def _id_of(text: str) -> Any:
    """The id of a message that is otherwise wrong, if there is one to be found."""
    try:
        return say.Message.model_validate({"id": json.loads(text).get("id")}).id
    except (ValueError, AttributeError, RecursionError):
        return None
