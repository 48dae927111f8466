"""A run: a solver on disk. `train` makes or continues one, `Run` reads it, also while it goes on."""

import contextlib
import dataclasses
import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from mccfr.amounts import MOST, target_text, whole_count
from mccfr.errors import FileError, MethodError, StrategyError, TargetNotReached, as_path, one_line
from mccfr.games.base import Game, game_text
from mccfr.games.registry import as_game, defined, outside, received_game
from mccfr.gpu.device import checked_device
from mccfr.notebook import html_facts
from mccfr.runs.checkpoints import Checkpoints
from mccfr.runs.cluster import ray_crew
from mccfr.runs.config import Config, Record, read_record, record_of
from mccfr.runs.events import Listener, read_events
from mccfr.runs.folder import Folder
from mccfr.runs.metrics import Columns, read_metrics
from mccfr.runs.seal import is_sealed, named_files, require_named, seal_of
from mccfr.runs.status import Status, read_status
from mccfr.runs.strategy_checksums import files_of, require_same_strategies
from mccfr.runs.tensorboard import require_tensorboard
from mccfr.runs.training import Training, Watch, identity
from mccfr.solvers.extend import use as use_file
from mccfr.solvers.method import LinearProgramme, Method
from mccfr.solvers.parallel import BatchEngine, Crew
from mccfr.solvers.prepare import load
from mccfr.solvers.solver import Solver
from mccfr.strategy.file import require_buckets
from mccfr.strategy.strategy import Strategy
from mccfr.tree.tree import Tree

AnyGame = str | Game | Tree
NewCrew = Callable[[BatchEngine], Crew]


class Run:
    """A run folder, opened for reading: a solver on disk with its measurements and checkpoints.

    It can be read while another process trains in it. Reading executes nothing; `train` goes on with the run.
    `mccfr.train` makes a run folder.

    Args:
        folder: The run folder.

    Attributes:
        folder: The run folder.
        record: Everything in `run.json`: what was asked for, what it was resolved to, versions and sizes.

    Raises:
        FileError: If the folder is not a run, or its `run.json` is damaged.

    Examples:
        >>> import mccfr
        >>> written = mccfr.train("runs/kuhn", "kuhn", "external", iterations=1000, seed=1)
        >>> run = mccfr.Run("runs/kuhn")
        >>> run
        <Run runs/kuhn: kuhn by external, seed 1: 1,000 iterations, done>
        >>> run.strategy()
        <Strategy for kuhn by external, 1,000 iterations: 12 infosets>
        >>> print(f"{run.metrics()['exploitability'][-1]:.4f}")
        0.0299
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._files = Folder(as_path(folder, "a run folder"))
        self.folder: Path = self._files.path
        self.record: Record = read_record(self.folder)
        self._tree: Tree | None = None

    def __fspath__(self) -> str:
        return str(self.folder)

    def __repr__(self) -> str:
        return f"<Run {self.folder}: {self.record}: {self.status.iterations:,} iterations, {self.status.state}>"

    def _repr_html_(self) -> str:
        """For notebooks: what its files say."""
        found, resolved = self.status, self.record.resolved
        facts = (("game", resolved["game"]), ("method", resolved["method"]), ("seed", self.config.seed))
        reached = None if self.reached is None else "yes" if self.reached else "no"
        return html_facts(
            f"Run {self.folder}",
            (*facts, ("state", found.state), ("iterations", found.iterations), ("seconds", round(found.seconds, 3)),
             ("exploitability", found.exploitability), ("target reached", reached), ("note", found.note or None)),
        )  # fmt: skip

    @property
    def config(self) -> Config:
        """What was asked for: the arguments of `mccfr.train`."""
        return self.record.given

    @property
    def status(self) -> Status:
        """How the run is doing now: its state, iterations, seconds, exploitability and more.

        The state is `"new"`, `"running"`, `"done"`, `"stopped"` (cleanly, before its end), `"died"` or `"damaged"`.
        """
        return read_status(self._files.status, self._files.lock)

    @property
    def reached(self) -> bool | None:
        """Whether it has come to its target; None if it has none or has not been measured yet."""
        target, found = self.config.goal(self.record.pot), self.status.exploitability
        if target is None or found is None:
            return None
        exact = self.record.resolved["method"] == "lp" and not self.status.note
        return exact or found <= target

    def metrics(self) -> Columns:
        """Read the measurements so far.

        Returns:
            The columns iterations, walks, touched, seconds, wall and exploitability, one entry per measurement.

        Raises:
            FileError: If the file of measurements is damaged.
        """
        return read_metrics(self._files.metrics)

    def events(self) -> list[dict[str, Any]]:
        """Read what has happened so far.

        Returns:
            The events that `on_event` was called with, each with its time.

        Raises:
            FileError: If the file of events cannot be read.
        """
        return read_events(self._files.events)

    def checkpoints(self) -> list[Path]:
        """List the checkpoints that are kept.

        Returns:
            Their paths, from the newest to the oldest.
        """
        return Checkpoints(self._files.checkpoints, {}).paths()

    def strategy(self, game: AnyGame | None = None) -> Strategy:
        """Read the average strategy: the final one, or that of the newest readable checkpoint if it has come further.

        Args:
            game: The game of the run. Needed only if it is a class or a file of your own, which reading does not run;
                for a method of your own, call `mccfr.use` first.

        Returns:
            The strategy.

        Raises:
            FileError: If there is no strategy yet, or no file of it can be read.
            StrategyError: If the game is needed and was not given, or is another one.
        """
        game = self._tree if game is None else game
        newest = next(iter(self.checkpoints()), None)
        if self._files.strategy.exists():
            try:
                final = load(self._files.strategy, game)
                if newest is None or final.origin.iterations >= int(newest.stem):
                    return final
            except FileError:
                if newest is None:
                    raise
        if newest is None:
            raise FileError(f"{self.folder} has no strategy yet: no checkpoint has been written")
        return self._from_checkpoint(game)

    def _from_checkpoint(self, game: AnyGame | None) -> Strategy:
        if game is None and (why := outside(self.config.game)):
            name = one_line(self.config.game)
            raise StrategyError(f"{self.folder} is of the game {name}, which is {why}: give it with game= (or --game)")
        for file in files_of(self.record.resolved["method"]):
            raise StrategyError(
                f"{self.folder} has no newer strategy.mccfr, and its checkpoints need the strategy {one_line(file)}, "
                f"which looking does not read: mccfr resume {self.folder} ends the run and writes one"
            )
        solver = _solver(self._files, self.record, received_game(self.config.game) if game is None else game)
        Checkpoints(self._files.checkpoints, identity(self.record)).restore(solver)
        return solver.strategy()

    def train(
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        target: float | str | None = None,
        watch: Watch | None = None,
        on_event: Listener | None = None,
        ray: str | None = None,
        game: AnyGame | None = None,
        device: str | None = None,
    ) -> "Run":
        """Go on with the run up to the given totals, by default to the end that was asked for before.

        This runs the files that the run was begun with (the game's, and those given with `use`) if you began it
        yourself on this machine. For a folder from elsewhere they must be named again: with `game`, and by calling
        `mccfr.use`.

        Args:
            iterations: The total number of iterations at which the run ends.
            seconds: The total seconds of solving after which the run ends.
            target: The exploitability at which the run ends, in the game's units or, as `"0.5%"`, of the pot.
            watch: Called with the `Progress` of every measurement.
            on_event: Called with the kind of every event, and its facts as keyword arguments.
            ray: The address of a Ray cluster that does the batches, or `"local"`.
            game: The game, if it is a class, or if the folder comes from elsewhere and names a file.
            device: Where to go on: `"cpu"`, `"gpu"` or `"auto"`; by default where it was begun. Nothing is lost by a
                change, but the result is then no longer the one that the first device would have come to.

        Returns:
            The run after training.

        Raises:
            FileError: If another process trains in the folder, or the rules of the game have changed.
            StrategyError: If the folder comes from elsewhere and its files have not been named again.
            KeyboardInterrupt: After Ctrl-C or SIGTERM, once everything is saved.

        Examples:
            >>> import mccfr
            >>> run = mccfr.train("runs/longer", "kuhn", "external", iterations=500, seed=1)
            >>> run.train(iterations=1000)
            <Run runs/longer: kuhn by external, seed 1: 1,000 iterations, done>
        """
        game = self._tree if game is None else game
        require_named(self.record, self.folder, game is not None)
        config = self.config.limited_to(_count(iterations), seconds, target)
        if device is not None:
            config = dataclasses.replace(config, device=checked_device(device))
        for file in config.use:
            use_file(file)
        game = config.game if game is None else as_game(game)
        return _warned(_train(self._files, config, game, watch, on_event, ray))


def train(
    folder: str | os.PathLike[str],
    game: AnyGame,
    method: str | Method = "auto",
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    target: float | str | None = None,
    seed: int = 0,
    workers: int = 1,
    parallel: str = "auto",
    memory_limit: str | float | None = None,
    checkpoint_every: float = 60.0,
    keep: int = 3,
    tensorboard: bool = False,
    watch: Watch | None = None,
    on_event: Listener | None = None,
    use: tuple[str | os.PathLike[str], ...] = (),
    ray: str | None = None,
    device: str = "cpu",
) -> Run:
    """Train a method on a game in a run folder, which is made, or continued if it holds this game, method and seed.

    `iterations`, `seconds` and `target` are totals; the first one reached ends the run, and a run that has ended goes
    on when asked for more. Ctrl-C and SIGTERM end it cleanly. After a crash it goes on from its newest checkpoint, to
    the very same result.

    Args:
        folder: The run folder.
        game: A game string, a `Game`, or a `Tree`.
        method: A method string or a `Method`. `"auto"` picks one for the game's size.
        iterations: The total number of iterations at which the run ends.
        seconds: The total seconds of solving after which the run ends.
        target: The exploitability at which the run ends, in the game's units or, as `"0.5%"`, of the pot.
        seed: Seed of the random numbers.
        workers: Threads that share the walks of a sampled method; 0 takes one per core.
        parallel: How workers share the walks: `"replicas"`, `"batch"`, `"shared"`, `"locked"` or `"auto"`.
        memory_limit: The most memory that compiling the game may take, as bytes or as `"8GB"`.
        checkpoint_every: Seconds between two checkpoints; more where writing one takes long.
        keep: How many checkpoints to keep.
        tensorboard: Whether to write the measurements for TensorBoard as well.
        watch: Called with the `Progress` of every measurement.
        on_event: Called with the kind of every event, and its facts as keyword arguments.
        use: Python files with methods or parts of your own, run beforehand as by `mccfr.use`.
        ray: The address of a Ray cluster that does the batches, or `"local"`; the result is that of
            `parallel="batch"` here.
        device: Where iterations are made: `"cpu"`, `"gpu"`, or `"auto"` for the GPU where it pays.

    Returns:
        The run after training.

    Raises:
        MethodError: If an argument is wrong, or nothing would end the run.
        FileError: If the folder holds another run, is in use by another process, or cannot be written.
        GameError: If the game string or the game itself is wrong.
        KeyboardInterrupt: After Ctrl-C or SIGTERM, once everything is saved.

    Examples:
        >>> import mccfr
        >>> mccfr.train("runs/first", "kuhn", "external", iterations=1000, seed=1)
        <Run runs/first: kuhn by external, seed 1: 1,000 iterations, done>
    """
    used = tuple(str(Path(file).resolve()) for file in ([use] if isinstance(use, str | os.PathLike) else use))
    for file in used:
        use_file(file)
    game = defined(game) if isinstance(game, str) else as_game(game)
    config = Config(
        game if isinstance(game, str) else _name(game),
        Method.spelled(method),
        whole_count("seed", seed, 0, MOST),
        _count(iterations),
        seconds,
        target,
        workers,
        "batch" if ray and parallel == "auto" else parallel,
        checkpoint_every,
        whole_count("keep", keep, 1),
        tensorboard,
        used,
        memory_limit,
        checked_device(device),
    )
    return _warned(_train(Folder(as_path(folder, "a run folder")), config, game, watch, on_event, ray))


def _count(iterations: int | None) -> int | None:
    return None if iterations is None else whole_count("iterations", iterations)


def _warned(run: Run) -> Run:
    """The run; with a warning to whoever called our caller if it has ended above its target."""
    if run.reached is False:
        found, target = run.status, run.config.target
        assert target is not None
        text = f"{run.folder}: target {target_text(target)} not reached, exploitability is {found.exploitability:.6g}"
        warnings.warn(f"{text} after {found.iterations:,} iterations", TargetNotReached, stacklevel=3)
    return run


def _train(
    files: Folder,
    config: Config,
    game: AnyGame,
    watch: Watch | None,
    on_event: Listener | None,
    ray: str | None,
) -> Run:
    new = not files.is_run
    if config.tensorboard:
        require_tensorboard()
    if new:
        files.require_free()
        _require_an_end(config, None if config.method == "auto" else Method.parse(config.method))
    elif _is_done(files, _continued(files, config, game)):
        return Run(files.path)
    with _crew(ray) as crew, files.locked():
        try:
            record, solver, came_from = _prepared(files, config, game, crew)
        except BaseException:
            if new:
                files.give_up()
            raise
        Training(files, record, solver, watch, on_event, came_from).go()
    run = Run(files.path)
    run._tree = solver.tree
    return run


def _is_done(files: Folder, record: Record) -> bool:
    """Whether nothing is left to do. A status that makes no sense does not count."""
    status = read_status(files.status, files.lock)
    if status.state != "done" or not isinstance(status.iterations, int) or not isinstance(status.seconds, float):
        return False
    solved = record.resolved["method"] == "lp"
    return solved or record.given.reached(status.iterations, status.seconds, status.exploitability, record.pot)


@contextlib.contextmanager
def _crew(ray: str | None) -> Iterator[NewCrew | None]:
    """Who does the batches, if not threads of this process."""
    if ray is None:
        yield None
    else:
        with ray_crew(ray) as crew:
            yield crew


def _prepared(files: Folder, config: Config, game: AnyGame, crew: NewCrew | None) -> tuple[Record, Solver, str]:
    """The record and the solver of a run whose lock we have, both new or fitting together; and the device it leaves."""
    came_from = ""
    if not files.is_run:
        solver = Solver(
            game, config.method, config.seed, config.memory_limit, config.workers, config.parallel, crew, config.device
        )
        _require_an_end(config, solver.method)
        config.goal(solver.tree.pot)  # refuses a percentage of a pot that there is not
        record = record_of(config, solver)
    else:
        record = _continued(files, config, game)
        solver = _solver(files, record, game, crew, record.given.device)
        if (before := record.resolved.get("device", "cpu")) != solver.device:
            found, came_from = {"device": solver.device, "reproducible": False, "placement": solver.placement}, before
            record = dataclasses.replace(record, resolved={**record.resolved, **found})
    record = dataclasses.replace(record, seal=seal_of(record.given))
    record.write(files.record)
    return record, solver, came_from


def _require_an_end(config: Config, method: Method | None) -> None:
    if method is not None and not config.limited and not isinstance(method.sampler, LinearProgramme):
        raise MethodError("this run has no limit: give iterations, seconds or a target")


def _solver(files: Folder, record: Record, game: AnyGame, crew: NewCrew | None = None, device: str = "cpu") -> Solver:
    """A solver as the record says, with a device for those who mean to go on; the game must be the one it was made for.

    Checkpoints are the same whichever device wrote them, so a strategy is read without a GPU.
    """
    given, found = record.given, record.resolved
    mode = found["parallel"] or "auto"
    require_same_strategies(found["method"], found.get("strategies"), files.path)
    solver = Solver(game, found["method"], given.seed, given.memory_limit, found["workers"], mode, crew, device)
    require_buckets(solver.tree, found.get("buckets"), files.path)
    if solver.tree.fingerprint != record.fingerprint:
        name = one_line(given.game)
        raise FileError(f"{files.path} was made for another version of {name}: the rules have changed since")
    return solver


def _continued(files: Folder, asked: Config, game: AnyGame) -> Record:
    """The record of a run that is asked to go on, with limits and options as asked; another run is refused."""
    record = read_record(files.path)
    differences = list(_differences(record, asked, game))
    if differences:
        raise FileError(f"{files.path} holds {record}; asked for {', '.join(differences)}: choose another folder")
    held, found = _trusted(record, asked), record.resolved
    workers = asked.workers if found["parallel"] == "batch" else found["workers"]
    kept = {name: getattr(held, name) for name in ("game", "method", "parallel")}
    given = dataclasses.replace(asked, **kept, workers=workers, use=asked.use or held.use)
    if not asked.limited:
        given = given.limited_to(held.iterations, held.seconds, held.target)
    return dataclasses.replace(record, given=given, resolved={**found, "workers": workers})


def _trusted(record: Record, asked: Config) -> Config:
    """What the record says was given; without files that nobody has named here."""
    if not named_files(record.given) or is_sealed(record):
        return record.given
    game = asked.game if outside(record.given.game) else record.given.game
    return dataclasses.replace(record.given, game=game, method=asked.method, use=asked.use)


def _differences(record: Record, asked: Config, game: AnyGame) -> Iterator[str]:
    """What was asked for that is not what the record holds. Batches come out the same with any number of workers."""
    held, found = record.given, record.resolved
    if game != held.game and _name(game) != found["game"]:
        yield _name(game)
    if asked.method != held.method and (asked.method == "auto" or str(Method.parse(asked.method)) != found["method"]):
        yield f"method {asked.method}"
    if asked.seed != held.seed:
        yield f"seed {asked.seed}"
    if asked.workers not in (held.workers, found["workers"]) and found["parallel"] != "batch":
        yield f"{asked.workers} workers"
    if asked.parallel not in (held.parallel, found["parallel"]):
        yield f"parallel {asked.parallel}"


def _name(game: AnyGame) -> str:
    """What a game is called."""
    if isinstance(game, Tree):
        return game.game
    return game_text(as_game(game))
