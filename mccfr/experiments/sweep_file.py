"""Sweep files: what they may say, checked completely before any work, each problem told with its line."""

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import mccfr
from mccfr.amounts import AmountError, read_count, read_seconds, read_target
from mccfr.errors import FileError, MccfrError, nearest, one_line, quoted
from mccfr.files.located import Located, Place, read_located
from mccfr.games import registry
from mccfr.games.base import game_text

MOST_JOBS = 1_000_000
MODES = ("auto", "replicas", "batch", "shared", "locked")


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf")


def _target(value: Any) -> bool:
    try:
        return read_target(value) is not None
    except AmountError:
        return False


LIMITS = ("iterations", "seconds", "target")
SETTINGS: dict[str, tuple[Callable[[Any], bool], str]] = {  # what a value must be, in code and in words
    "iterations": (lambda x: _whole(x) and x >= 1, 'a whole number from 1 (10000, "10k")'),
    "seconds": (lambda x: _number(x) and x > 0, 'a time above 0 (90, "2min", "1h30m")'),
    "target": (_target, "an exploitability from 0"),
    "workers": (lambda x: _whole(x) and x >= 1, "a whole number from 1"),
    "parallel": (lambda x: isinstance(x, str) and x in MODES, f"one of {', '.join(MODES)}"),
    "checkpoint_every": (lambda x: _number(x) and x > 0, "a number of seconds above 0"),
    "tensorboard": (lambda x: isinstance(x, bool), "true or false"),
}
KEYS = ("games", "methods", "seeds", "out", "use", "override", *SETTINGS)
OVERRIDE_KEYS = ("games", "methods", *SETTINGS)


class Override(NamedTuple):
    """Other settings for some games, some methods or both."""

    games: Sequence[str]
    methods: Sequence[str]
    settings: dict[str, Any]


class Sweep(NamedTuple):
    """Games x methods x seeds, where they go, and what ends each run."""

    out: Path
    games: Sequence[str]
    methods: Sequence[str]
    seeds: Sequence[int]
    settings: dict[str, Any]
    overrides: Sequence[Override]
    use: tuple[str, ...]

    def settings_of(self, game: str, method: str) -> dict[str, Any]:
        """Settings of one game and method: later overrides win."""
        found = dict(self.settings)
        for override in self.overrides:
            if game in override.games and method in override.methods:
                found |= override.settings
        return found


def read_sweep(path: Path) -> Sweep:
    """Read and check a sweep file. Paths in it are relative to its folder. A FileError has a line for each problem."""
    checker = _Checker(read_located(path))
    sweep = checker.sweep()
    if checker.problems:
        raise FileError("\n".join(text for _, text in sorted(checker.problems, key=lambda problem: problem[0])))
    return sweep


class _Checker:
    def __init__(self, file: Located) -> None:
        self.file, self.data, self.problems = file, file.data, list[tuple[int, str]]()  # each with its line
        self.folder = file.path.parent

    def sweep(self) -> Sweep:
        """What the file says; it counts only if no problems were found."""
        self._known((), self.data, KEYS)
        for key in ("games", "methods", "seeds"):
            if key not in self.data:
                self._lack(f"{key} is missing; for example {EXAMPLES[key]}")
        use = tuple(str(self.folder / name) for name in self._names("use") or ())
        self._each("use", use, mccfr.use)
        games = [spelled_game(_beside(self.folder, name)) for name in self._names("games") or ()]
        self._distinct("games", games, _game_text)
        typed = self._names("methods") or []
        self._distinct("methods", typed, _method_text)
        methods = [_spelled_method(name) for name in typed]
        seeds = self._seeds()
        out = self._out()
        settings = self._settings((), self.data)
        overrides = self._overrides(games, methods)
        if not any(name in settings for name in LIMITS):
            self._require_limits(games, methods, overrides)
        if len(games) * len(methods) * len(seeds) > MOST_JOBS:
            self._fail(("seeds",), f"more than {MOST_JOBS:,} runs in all: split the file")
        return Sweep(out, games, methods, seeds, settings, overrides, use)

    def _fail(self, place: Place, problem: str) -> None:
        line = self.file.line(place)
        self.problems.append((line, f"{self.file.path}, line {line}: {problem}"))

    def _lack(self, problem: str) -> None:
        self.problems.append((0, f"{self.file.path}: {problem}"))

    def _known(self, place: Place, table: dict[str, Any], keys: Sequence[str]) -> None:
        for key in table:
            if key not in keys:
                self._fail((*place, key), f"unknown key {str(key)!r}; {nearest(str(key), keys)}")

    def _names(self, key: str, place: Place = ()) -> list[str] | None:
        """A list of names, or one name; None if there is no such key or it is wrong."""
        table = self.data
        for step in place:
            table = table[step]  # type: ignore[index]
        if key not in table:
            return None
        value, at = table[key], (*place, key)
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list) or not names:
            self._fail(at, f"{key} must be a list of at least one name, got {quoted(value)}")
            return None
        wrong = [j for j, name in enumerate(names) if not isinstance(name, str)]
        for j in wrong:
            self._fail((*at, j), f"{key} must be names in quotes, got {quoted(names[j])}")
        return None if wrong else names

    def _each(self, key: str, names: Sequence[str], check: Callable[[str], Any]) -> None:
        for j, name in enumerate(names):
            self._try((key, j), check, name)

    def _try(self, place: Place, check: Callable[[str], Any], name: str) -> Any:
        try:
            return check(name)
        except MccfrError as error:
            self._fail(self._element(place), one_line(str(error).splitlines()[0], 250))

    def _distinct(self, key: str, names: Sequence[str], canonical: Callable[[str], str]) -> None:
        """Every name means something, and no two the same."""
        seen: dict[str, str] = {}
        for j, name in enumerate(names):
            text = self._try((key, j), canonical, name)
            if text is not None and seen.setdefault(text, name) is not name:
                self._fail(self._element((key, j)), f"{name!r} is already listed, as {seen[text]!r}")

    def _element(self, place: Place) -> Place:
        """A single name need not be in a list."""
        return place[:-1] if isinstance(self.data[str(place[0])], str) else place

    def _seeds(self) -> list[int]:
        value = self.data.get("seeds", 1)
        if _whole(value) and 1 <= value <= MOST_JOBS:
            return list(range(1, value + 1))
        if not isinstance(value, list) or not value:
            self._fail(("seeds",), f"seeds must be a number (5 means 1 to 5) or a list, got {quoted(value)}")
            return []
        for j, seed in enumerate(value):
            if not _whole(seed) or not 0 <= seed < 2**63:
                self._fail(("seeds", j), f"a seed is a whole number from 0 to 2^63 - 1, got {quoted(seed)}")
            elif seed in value[:j]:
                self._fail(("seeds", j), f"seed {seed} is listed twice")
        return value

    def _out(self) -> Path:
        value = self.data.get("out", self.file.path.stem)
        if not isinstance(value, str) or not value:
            self._fail(("out",), f"out must be the name of a folder, got {quoted(value)}")
            return self.folder
        return self.folder / value

    def _settings(self, place: Place, table: dict[str, Any]) -> dict[str, Any]:
        found = {key: _as_number(key, table[key]) for key in SETTINGS if key in table}
        for key, value in found.items():
            is_right, words = SETTINGS[key]
            if not is_right(value):
                hint = (
                    " (YAML reads 1.0e-3 as a number, 1e-3 as text)" if isinstance(value, str) and "e" in value else ""
                )
                self._fail((*place, key), f"{key} must be {words}, got {quoted(value)}{hint}")
        return found

    def _overrides(self, games: Sequence[str], methods: Sequence[str]) -> list[Override]:
        tables = self.data.get("override", [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self._fail(("override",), "override must be a list of tables, each under [[override]]")
            return []
        return [self._override(("override", j), table, games, methods) for j, table in enumerate(tables)]

    def _override(self, place: Place, table: dict[str, Any], games: Sequence[str], methods: Sequence[str]) -> Override:
        self._known(place, table, OVERRIDE_KEYS)
        if not {"games", "methods"} & table.keys():
            self._fail(place, "an override must name games, methods or both")
        if not SETTINGS.keys() & table.keys():
            self._fail(place, f"an override must change something: {', '.join(SETTINGS)}")
        chosen = []
        for key, known in (("games", games), ("methods", methods)):
            names = self._names(key, place)
            written = names and [
                _spelled_method(name) if key == "methods" else spelled_game(_beside(self.folder, name))
                for name in names
            ]
            for j, name in enumerate(written or ()):
                if name not in known:
                    self._fail((*place, key, j), f"{name!r} is not among the {key} of this sweep")
            chosen.append(known if written is None else written)
        return Override(chosen[0], chosen[1], self._settings(place, table))

    def _require_limits(self, games: Sequence[str], methods: Sequence[str], overrides: Sequence[Override]) -> None:
        """Every run must end: by what its overrides say, if the file says nothing for all."""
        sweep = Sweep(Path(), games, methods, (), {}, overrides, ())
        pairs = [(game, method) for game in games for method in methods]
        endless = [pair for pair in pairs if not set(LIMITS) & sweep.settings_of(*pair).keys()]
        if endless or not pairs:
            self._lack("the runs have no limit; give iterations, seconds or target")


EXAMPLES = {
    "games": 'games = ["kuhn", "leduc"]',
    "methods": 'methods = ["cfr_plus", "external"]',
    "seeds": "seeds = 5",
}


def _as_number(key: str, value: Any) -> Any:
    """A count or a time that is given as text or as 1e4, as its number; anything else as it is, to be judged."""
    with contextlib.suppress(AmountError):
        if key in ("iterations", "workers"):
            whole = isinstance(value, float) and value.is_integer()
            return read_count(value) if isinstance(value, str) else int(value) if whole else value
        if key in ("seconds", "checkpoint_every") and isinstance(value, str):
            return read_seconds(value)
        if key == "target":
            return read_target(value)
    return value


def spelled_game(name: str) -> str:
    """A game string in the words we write; the files of others stay as they are."""
    return registry.spelled(name)


def _spelled_method(name: str) -> str:
    """A method string in the words we write; one that cannot be read as it is."""
    with contextlib.suppress(MccfrError):
        return mccfr.Method.spelled(name)
    return name


def _game_text(name: str) -> str:
    game = mccfr.game(name)
    return name if ".py" in name else game_text(game)  # what a class of the user's calls itself need not be unique


def _method_text(name: str) -> str:
    spelled = mccfr.Method.spelled(name)
    return spelled if spelled == "auto" else str(mccfr.Method.parse(name))


def _beside(folder: Path, game: str) -> str:
    """A game whose file is beside the sweep file, or any other game as it is."""
    if game.startswith("openspiel:"):
        return game
    scheme, colon, file = game.partition(":")
    if colon and scheme in ("efg", "gamedef"):
        return f"{scheme}:{folder / file.strip()}"
    return str(folder / game) if game.endswith((".efg", ".toml", ".game")) or ".py" in game else game
