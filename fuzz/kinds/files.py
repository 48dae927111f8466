"""Files: strategies, trees, the cache of trees, checkpoints, run folders and sweep files, damaged and rewritten."""

import io
import json
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
from click.testing import CliRunner

import mccfr
from fuzz.damage import Op, damaged, draw_bytes, draw_json, json_with, paths_in
from fuzz.judge import LONGEST, Found, refuse_lines, watched
from fuzz.kinds.archive_changes import changed, draw_change
from fuzz.shrink import Case
from fuzz.values import GAMES, LABELS, NUMBERS, json_text, pick
from fuzz.zips import members_of
from mccfr.cli.main import cli
from mccfr.cli.runs import describe
from mccfr.cli.watch_run import view
from mccfr.errors import MccfrError
from mccfr.experiments.sweep_file import read_sweep
from mccfr.runs.checkpoints import Checkpoints
from mccfr.runs.training import identity
from mccfr.solvers.prepare import compile as compile_game
from mccfr.tree import store
from mccfr.tree.history_tree import HistoryTree
from mccfr.tree.infosets import Infosets

TARGETS = (
    *("strategy",) * 6, *("tree",) * 4, *("cache",) * 2, *("checkpoint",) * 4, *("run.json",) * 3,
    *("status.json",) * 2, "events.jsonl", "metrics.parquet", "metrics", *("sweep.toml",) * 2, "sweep.yaml", "value",
)  # fmt: skip
SWEEP_TOML = """games = ["kuhn", "leduc"]
methods = ["cfr_plus", "external+linear"]
seeds = [1, 2, 3]
iterations = 100
out = "there"
parallel = "auto"
checkpoint_every = 10.5

[[override]]
games = ["leduc"]
target = 0.5
"""
SWEEP_YAML = """games: [kuhn, leduc]
methods: [cfr_plus, "external+linear"]
seeds: 5
iterations: 100
override:
  - games: [leduc]
    target: 0.5
"""
TOML_VALUES = (
    *("true", "1", "-1", "0", "1.5", "nan", "inf", "1e400", '"x"', '""', "[]", "[[]]", "{}", "{a = 1}", "[1, 2]"),
    *(
        '["kuhn"]',
        '["kuhn", "kuhn"]',
        '["kuhn", "kuhn()"]',
        '["cfr"]',
        '[1, "a"]',
        "1979-05-27",
        "99999999999999999999",
    ),
    *("[" * 2000 + "]" * 2000, '"' + "x" * 500 + '"', '"""a\nb"""', "9" * 5000, '["nosuch"]', '["' + "y" * 400 + '"]'),
)
YAML_VALUES = (
    *("true", "1", "-1", "1.5", ".nan", ".inf", "1e-3", "x", "''", "[]", "{}", "{a: 1}", "[1, 2]", "&a [*a]", "*a"),
    *(
        "!!python/object/apply:os.system [echo]",
        "!!binary aGk=",
        "2001-12-14",
        "[" * 500 + "]" * 500,
        "~",
        "|\n  a\n  b",
    ),
    *("{? [a] : b}", "!!set {a}", "<<: {a: 1}", "9" * 5000, "&a [&b [*b, *b], *b]"),
)


class Kind:
    """All files."""

    def set_up(self, folder: Path) -> None:
        """Real files to begin with."""
        self.folder, self.runner = folder, CliRunner()
        self.path = folder / "f"
        strategy = mccfr.solve("kuhn", "cfr", iterations=3).strategy()
        strategy.save(folder / "kuhn.mccfr")
        self.tree = compile_game("kuhn")
        mccfr.save_tree(self.tree, folder / "kuhn.tree")
        self.run_folder = folder / "run"
        mccfr.train(self.run_folder, "kuhn", "external", iterations=8)
        self.run_files = {path: path.read_bytes() for path in sorted(self.run_folder.rglob("*")) if path.is_file()}
        self.checkpoint = next(path for path in self.run_files if path.suffix == ".ckpt")
        self.members = {
            "strategy": members_of(folder / "kuhn.mccfr"),
            "tree": members_of(folder / "kuhn.tree"),
            "checkpoint": members_of(self.checkpoint),
            "value": {"header.json": b'{"format": "mccfr-value", "game": "kuhn", "low": -0.06, "high": -0.05}'},
        }
        self.members["cache"] = self.members["tree"]
        self.documents = {
            name: json.loads(self.run_files[self.run_folder / name]) for name in ("run.json", "status.json")
        }
        self.cache = folder / "cache"
        self.cache.mkdir(exist_ok=True)
        self.rules = mccfr.game("kuhn")
        self.cache_file = self.cache / f"{store.rules_hash(self.rules)}.tree"

    def weight(self, case: Case) -> int:
        return 1

    def about(self, case: Case) -> str:
        """What a case is, in a word or two."""
        return f"{case['target']} {' '.join(str(op[0]) for op in case['ops'] if isinstance(op, list))}"

    # ---- drawing

    def draw(self, dice: random.Random) -> Case:
        """A file and what is done to it."""
        target = pick(dice, TARGETS)
        count = pick(dice, (1, 1, 1, 2, 3))
        case: Case = {"target": target, "ops": [self._op(dice, target) for _ in range(count)]}
        if target in ("tree", "cache") and dice.random() < 0.5:
            case["signed"] = True
        case["read"] = pick(dice, READINGS.get(target, READINGS["run"] if target in RUN_TARGETS else ("load",)))
        return case

    def _op(self, dice: random.Random, target: str) -> Op:
        if target in self.members:
            return draw_change(dice, self.members[target])
        if dice.random() < 0.3 and target != "metrics":
            return ["bytes", *draw_bytes(dice)]
        if target in self.documents:
            return ["json", *draw_json(dice, paths_in(self.documents[target]))]
        if target == "events.jsonl":
            return ["line", json_text(dice)]
        if target == "metrics":
            return ["column", pick(dice, METRICS), pick(dice, COLUMNS)]
        if target.startswith("sweep"):
            values = TOML_VALUES if target == "sweep.toml" else YAML_VALUES
            names = [json.dumps([pick(dice, (*GAMES[:8], *LABELS, *NUMBERS))]) for _ in range(2)]
            return ["key", pick(dice, SWEEP_KEYS), pick(dice, (*values, *names))]
        return ["bytes", *draw_bytes(dice)]

    # ---- running

    def run(self, case: Case) -> None:
        """Make the file and read it."""
        target, ops = case["target"], case["ops"]
        if target in ("strategy", "tree", "cache", "value"):
            data = changed(self.members[target], ops)
            if case.get("signed") and not any(op[0] == "bomb" for op in ops):
                data = self._signed(data)
            getattr(self, f"_read_{target}")(data, case)
        elif target.startswith("sweep"):
            self._read_sweep(target, ops)
        else:
            self._read_run(target, ops, case["read"])

    def _read_strategy(self, data: bytes, case: Case) -> None:
        self.path.write_bytes(data)
        if case["read"] != "load":
            self.command(case["read"].split()[0], str(self.path), *case["read"].split()[1:])
            return
        strategy = mccfr.load(self.path)
        for player in (0, 1):
            for j in strategy.infosets.of(player):
                strategy[player, strategy.infosets.labels[j]]
        repr(strategy)
        require_sane(mccfr.exploitability(strategy), "exploitability of a strategy")
        mccfr.export_json(strategy, self.folder / "out.json")

    def _read_tree(self, data: bytes, case: Case) -> None:
        self.path.write_bytes(data)
        found = mccfr.load_tree(self.path)
        if not case.get("signed"):
            require_same(found, self.tree)
        self._use(found)

    def _use(self, tree: Any) -> None:
        """An accepted tree must be one that can be used."""
        repr(tree), tree.counts, tree.depth
        require_sane(mccfr.exploitability(mccfr.uniform(tree)), "exploitability of a tree")
        for method in ("external", "cfr"):
            solver = mccfr.Solver(tree, method).run(2)
            if not all(np.isfinite(a).all() for a in solver.engine.arrays.values() if a.dtype.kind == "f"):
                raise Found("not finite", f"tables of {method} on an accepted tree")

    def _read_cache(self, data: bytes, case: Case) -> None:
        """Whatever the cache holds, the game is the game."""
        self.cache_file.write_bytes(data)
        found = store.cached(self.rules, lambda: self.tree, self.cache)
        if found is not self.tree:
            require_same(found, self.tree, exactly=not case.get("signed"))
            self._use(found)

    def _read_value(self, data: bytes, case: Case) -> None:
        folder = Path(self.folder / "c")
        folder.mkdir(exist_ok=True)
        (folder / f"{store.rules_hash(self.rules)}.value").write_bytes(data)
        low, high = store.cached_bracket(self.rules, lambda: (-0.06, -0.05))
        if not low <= high or not math.isfinite(low) or not math.isfinite(high):
            raise Found("believed", f"a bracket of {low} and {high}")

    def _signed(self, data: bytes) -> bytes:
        """The same tree as the package itself would save it, with the fingerprint that its contents have."""
        self.path.write_bytes(data)
        try:
            members = members_of(self.path)
            header = json.loads(members["header.json"])
            names = ("nodes", "odds", "payoffs", "row", "menu", "parent")
            nodes, odds, payoffs, row, menu, parent = (np.load(io.BytesIO(members[f"{name}.npy"])) for name in names)
            if any(array.itemsize == 0 for array in (nodes, odds, payoffs, row, menu, parent)):
                return data  # numbers without bytes: billions of them fit into no time
            labels, menus = (json.loads(members[f"{name}.json"]) for name in ("labels", "menus"))
            infosets = Infosets(tuple(header["first"]), row, parent, labels, [tuple(one) for one in menus], menu)
            tree = HistoryTree(
                header["game"], header["players"], nodes, odds, payoffs, infosets, header["constant"]
            )  # fmt: skip
            mccfr.save_tree(tree, self.path)
            return self.path.read_bytes()
        except Exception:  # whatever it is, it cannot be signed
            return data

    def _read_sweep(self, target: str, ops: list[Op]) -> None:
        text = SWEEP_TOML if target == "sweep.toml" else SWEEP_YAML
        data = text.encode()
        for op in ops:
            if op[0] == "bytes":
                data = damaged(data, op[1:])
            else:
                between = " = " if target == "sweep.toml" else ": "
                lines = data.decode("utf-8", "replace").splitlines()
                kept = [line for line in lines if not line.startswith((f"{op[1]} ", f"{op[1]}:"))]
                data = "\n".join([f"{op[1]}{between}{op[2]}", *kept]).encode("utf-8", "replace")
        path = self.folder / target
        path.write_bytes(data)
        try:
            with watched.free():  # the user's own file may name games of the user's own
                read_sweep(path)
        except MccfrError as error:
            refuse_lines(str(error))
            raise type(error)(str(error).splitlines()[0] if str(error) else "") from None

    def _read_run(self, target: str, ops: list[Op], reading: str) -> None:
        name = "metrics.parquet" if target == "metrics" else target
        path = self.checkpoint if target == "checkpoint" else self.run_folder / name
        try:
            if target == "checkpoint":
                (self.run_folder / "strategy.mccfr").unlink(missing_ok=True)
            path.write_bytes(self._run_file(target, self.run_files[path], ops))
            self._look_at_run(reading)
        finally:
            with watched.free():
                self._restore_run(path, reading)

    def _run_file(self, target: str, data: bytes, ops: list[Op]) -> bytes:
        if target == "checkpoint":
            return changed(self.members["checkpoint"], ops)
        for op in ops:
            if op[0] == "bytes":
                data = damaged(data, op[1:])
            elif op[0] == "json":
                data = json_with(data, op[1:])
            elif op[0] == "line":
                data += json.dumps({"time": "2026-01-01T00:00:00+00:00", "event": "x"}).encode()[:-1]
                data += b', "facts": ' + _raw(op[1]) + b"}\n" + _raw(op[1]) + b"\n"
            elif op[0] == "column":
                data = _metrics_with(op[1], op[2])
        return data

    def _look_at_run(self, reading: str) -> None:
        if reading == "all":
            run = mccfr.Run(self.run_folder)
            repr(run), run.config, run.status, run.checkpoints()
            told = describe(self.run_folder)
            if "problem" in told:
                raise MccfrError(told["problem"])
            run.metrics(), run.events(), view(run)
            require_sane(mccfr.exploitability(run.strategy()), "exploitability of a run")
        elif reading == "restore":
            self._restore_solver()
        elif reading == "describe":
            told = describe(self.run_folder)
            if "problem" in told:
                raise MccfrError(told["problem"])
        else:
            word, *more = reading.split()
            self.command(word, str(self.run_folder), *more)

    def _restore_solver(self) -> None:
        """A solver that takes over a checkpoint is one that can go on."""
        record = mccfr.Run(self.run_folder).record
        solver = mccfr.Solver(self.tree, "external", record.given.seed)
        Checkpoints(self.run_folder / "checkpoints", identity(record)).restore(solver)
        for when in ("restored", "going on"):
            if not 0 <= solver.iterations < 2**62 or not math.isfinite(solver.seconds):
                raise Found("believed", f"{solver.iterations} iterations, {solver.seconds} s, {when}")
            for name, array in solver.engine.arrays.items():
                if array.dtype.kind == "f" and not np.isfinite(array).all():
                    raise Found(f"not finite when {when}", name)
            solver.run(2)
        require_sane(solver.exploitability(), "exploitability of a restored solver")

    def _restore_run(self, changed_path: Path, reading: str) -> None:
        if reading.startswith("resume"):
            for path in self.run_folder.rglob("*"):
                if path.is_file() and path not in self.run_files:
                    path.unlink()
            for path, data in self.run_files.items():
                path.write_bytes(data)
        else:
            for path in {changed_path, self.run_folder / "strategy.mccfr"}:
                path.write_bytes(self.run_files[path])

    def command(self, *words: str) -> None:
        """A command of ours: exit code 0, or 2 with lines that are fit for it."""
        result = self.runner.invoke(cli, list(words))
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        if result.exit_code not in (0, 2):
            raise Found(f"exit code {result.exit_code} of {words[0]}", result.output[-300:])
        if result.exit_code == 2:
            line = result.stderr.strip()
            if len(line) > LONGEST + len("mccfr: error: "):
                raise Found(f"long line of {words[0]}", line[:500])
            raise MccfrError(line.removeprefix("mccfr: error: ") or "?")
        if "Traceback" in result.output:
            raise Found(f"traceback of {words[0]}", result.output[-500:])


RUN_TARGETS = ("checkpoint", "run.json", "status.json", "events.jsonl", "metrics.parquet", "metrics")
READINGS = {
    "strategy": ("load",) * 9 + ("show", "evaluate", "evaluate --json", "show --json"),
    "run": ("all",) * 6 + ("describe",) * 3 + ("runs", "runs --json", "watch-run --once", "show", "evaluate --json"),
    "checkpoint": ("all",) * 4 + ("restore",) * 6 + ("show", "resume -n 9", "evaluate --json"),
}
METRICS = ("iterations", "walks", "touched", "seconds", "wall", "exploitability")
COLUMNS = ("text", "null", "nan", "inf", "negative", "huge", "bool", "list", "empty", "missing", "bytes", "time")
SWEEP_KEYS = (
    *("games", "methods", "seeds", "iterations", "seconds", "target", "workers", "parallel", "checkpoint_every", "out"),
    *("tensorboard", "override", "use", "strange", '"a b"', "override.games"),
)


def _raw(text: str) -> bytes:
    from fuzz.values import expanded

    return expanded(text).encode("utf-8", "surrogatepass")


def _metrics_with(name: str, how: str) -> bytes:
    """A metrics file with another column."""
    import pyarrow
    import pyarrow.parquet

    columns: dict[str, Any] = {n: [1, 2, 3] for n in METRICS}
    new: dict[str, Any] = {
        "text": ["a", "b\n", "c"], "null": [None, 1, None], "nan": [math.nan] * 3, "inf": [math.inf, 1.0, -math.inf],
        "negative": [-1, -2, -3], "huge": [2**63 - 1] * 3, "bool": [True, False, True], "list": [[1], [2], []],
        "bytes": [b"a", b"\xff", b""], "time": pyarrow.array([0, 1, 2], pyarrow.timestamp("s")),
    }  # fmt: skip
    if how == "missing":
        del columns[name]
    elif how == "empty":
        columns = {key: [] for key in columns}
    else:
        columns[name] = new[how]
    stream = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), stream)
    return stream.getvalue()


def require_sane(exploitability: float, what: str) -> None:
    """Finite, and not negative but for rounding."""
    if not math.isfinite(exploitability) or exploitability < -1e-6:
        raise Found("not sane", f"{what} is {exploitability}")


def require_same(found: Any, true: Any, exactly: bool = True) -> None:
    """A tree that was read must be the one that was written; one with a right fingerprint at least of its types."""
    for name in ("game", "players", "constant") if exactly else ("game", "players"):
        if getattr(found, name) != getattr(true, name) or type(getattr(found, name)) is not type(getattr(true, name)):
            raise Found(f"believed {name}", f"{getattr(found, name)!r} in place of {getattr(true, name)!r}")
    pairs = [(getattr(found, n), getattr(true, n), n) for n in ("nodes", "odds", "payoffs")]
    pairs += [(getattr(found.infosets, n), getattr(true.infosets, n), n) for n in ("row", "parent", "menu")]
    for one, other, name in pairs:
        same = one.shape == other.shape and one.tobytes() == other.tobytes()
        if one.dtype != other.dtype or (exactly and not same):
            raise Found(f"believed {name}", f"{one.dtype} {one.shape} in place of {other.dtype} {other.shape}")
    for name in ("first", "labels", "menus") if exactly else ():
        if list(getattr(found.infosets, name)) != list(getattr(true.infosets, name)):
            raise Found(f"believed {name}", str(getattr(found.infosets, name))[:200])
