"""The one string form of games: built-in names, importers, and a user's own file.

`BUILT_IN` lists the built-in games that can be written out in full, `DEALT_ONLY` those that are too large for that.
"""

import os
import re
from pathlib import Path
from typing import Any

from mccfr.buckets.registry import make_bucketing
from mccfr.errors import GameError, nearest, one_line, quoted
from mccfr.games.base import METHODS, Game, RuleBook, game_text
from mccfr.games.bluff import Bluff
from mccfr.games.dealt import DEALT, DealtForm
from mccfr.games.efg import read_efg
from mccfr.games.game_names import as_written, hint
from mccfr.games.gamedef import SUFFIX as GAMEDEF_FILE, read_gamedef
from mccfr.games.generic_poker import GenericPoker
from mccfr.games.goofspiel import Goofspiel
from mccfr.games.holdem import Holdem
from mccfr.games.kuhn import Kuhn
from mccfr.games.leduc import Leduc
from mccfr.games.matrix import Matrix, RockPaperScissors
from mccfr.games.nlph import Nlph
from mccfr.games.openspiel import OpenSpielGame
from mccfr.games.parameters import construct
from mccfr.games.spot import Spot
from mccfr.games.spot_file import SUFFIX as SPOT_FILE, read_spot
from mccfr.grammar import Call, GrammarError, parse_call
from mccfr.user_file import classes_in

BUILT_IN: dict[str, type[RuleBook]] = {
    rules.name: rules
    for rules in (Kuhn, Leduc, GenericPoker, Goofspiel, Bluff, RockPaperScissors, Matrix, Spot, Holdem)
}
"""The built-in games whose whole tree can be written out: their classes by name."""
DEALT_ONLY: dict[str, type[RuleBook]] = {rules.name: rules for rules in (Nlph,)}  # too large to write out
"""The built-in games that are too large to write out and are only dealt: their classes by name."""
NAMED = {**BUILT_IN, **DEALT_ONLY}
OPENSPIEL, PROGRAM = "openspiel:", ".py"
GAME_MARKS = (
    *METHODS,
    "dealt_only",
    "streets",
    "walk_view",
)  # a game, even a broken one, a dealt form or a tree has one
SCHEMES = ("openspiel", "efg", "gamedef", "dealt")
FILE_SCHEMES, FILES = ("efg:", "gamedef:"), (".efg", GAMEDEF_FILE, SPOT_FILE)
_PARAMETER = r"(?![a-z_]*file)[a-zA-Z_]+=([a-zA-Z_]+|-?[0-9]{1,3}|[0-9]{1,3}\.[0-9]{1,17})"
PLAIN_OPENSPIEL = re.compile(rf"\s*[a-z_0-9]+(\(\s*({_PARAMETER}(\s*,\s*{_PARAMETER}){{0,15}})?\s*\))?\s*")


def make_game(text: str) -> Game:
    """The game a string names: a built-in one, `openspiel:NAME`, a file of several kinds, or `PATH.py:Class(args)`."""
    text = spelled(text)
    if not outside(text):
        return received_game(text)
    scheme, _, rest = text.partition(":")
    if text.startswith(DEALT):
        if rest.lstrip().startswith(DEALT):
            raise GameError(f"{quoted(text)} is dealt twice: write {DEALT}GAME")
        return DealtForm(make_game(rest))  # type: ignore[return-value]
    if scheme == "openspiel":
        return OpenSpielGame(rest.strip())
    if scheme == "efg" or text.endswith(".efg"):
        return read_efg(Path(rest.strip() if scheme == "efg" else text))
    if scheme == "gamedef" or text.endswith(GAMEDEF_FILE):
        return read_gamedef(Path(rest.strip() if scheme == "gamedef" else text))
    if text.endswith(SPOT_FILE):
        return read_spot(Path(text))
    if PROGRAM in text and _built_in(text) is None:
        return game_from_file(text)
    return _named_game(text, own=True)


def _named_game(text: str, own: bool = False) -> Game:
    """A built-in game, by name and parameters. own: whether the user himself gives it, so that it may name programs."""
    try:
        call = parse_call(text)
    except GrammarError as error:
        if "(" not in text and (words := hint(text)):
            raise GameError(f"unknown game {quoted(text)}; {words}") from None
        raise GameError(f"game: {error}") from None
    if call.name not in NAMED:
        near = _own_file(call.name) or hint(call.name) or nearest(call.name, NAMED)
        raise GameError(f"unknown game {quoted(call.name)}; {near} (or openspiel:NAME, PATH.efg, PATH.py:Class)")
    return construct(NAMED[call.name], _with_programs(call) if own else call)


def _built_in(text: str) -> Call | None:
    """The call of a built-in game, if a string is one."""
    try:
        call = parse_call(text)
    except (GrammarError, RecursionError):
        return None
    return call if call.name in NAMED else None


def _with_programs(call: Call) -> Call:
    """A call with the buckets of the user's own file in place of their string. Runs that file."""

    def made(value: Any) -> Any:
        return make_bucketing(value, own=True) if isinstance(value, str) and PROGRAM in value else value

    if call.name != Holdem.name:
        return call
    return Call(call.name, tuple(map(made, call.args)), {key: made(value) for key, value in call.keys.items()})


def _own_file(name: str) -> str:
    """'did you mean' a file in this folder of which only the ending is missing."""
    files = [f"{name}{ending}" for ending in (".py", *FILES)] if len(name) < 100 else []
    return next((f"did you mean {file}?" for file in files if os.path.isfile(file)), "")  # noqa: PTH113


def spelled(text: str) -> str:
    """A game string in the words we write: `Kuhn` and `kuhn_poker` are `kuhn`, `Dealt: Leduc` is `dealt:leduc`."""
    scheme, colon, rest = (part.strip() for part in text.partition(":"))
    if colon and scheme.lower() in SCHEMES:
        rest = spelled(rest) if scheme.lower() == "dealt" and not rest.lower().startswith(DEALT) else rest
        return f"{scheme.lower()}:{rest}"
    return as_written(text.strip(), NAMED)


def defined(text: str) -> str:
    """A game string in the words we write; files of spots and game definitions become the game that they describe."""
    text = spelled(text)
    inner = text.removeprefix(DEALT).strip()
    once = inner.startswith("gamedef:") or inner.endswith((GAMEDEF_FILE, SPOT_FILE))
    return game_text(make_game(text)) if once else text


def game(text: "str | os.PathLike[str] | Game | type") -> Game:
    """Make the game that a string names.

    Args:
        text: A built-in game with its parameters (`leduc(shift=100)`), its dealt form (`dealt:leduc`), an OpenSpiel
            game (`openspiel:NAME`), a Gambit file (`PATH.efg` or `efg:PATH`), a spot of hold'em (`PATH.toml`), an ACPC
            game definition (`PATH.game` or `gamedef:PATH`), or a class in a Python file (`PATH.py:Class(args)`, or
            `PATH.py` if it holds one game). A Python file is run. A class is instantiated, and a game is returned
            unchanged.

    Returns:
        The rules, ready to be compiled.

    Raises:
        GameError: If there is no such game, or its parameters are wrong.
        FileError: If the string names a file that cannot be read.
        MissingExtra: If the game is OpenSpiel's, which is not installed.

    Examples:
        >>> import mccfr
        >>> print(mccfr.game("leduc(shift=100)"))
        leduc(shift=100)
        >>> mccfr.game("khun")
        Traceback (most recent call last):
        ...
        mccfr.errors.GameError: unknown game 'khun'; did you mean kuhn? (or openspiel:NAME, PATH.efg, PATH.py:Class)
    """
    return as_game(text)


def as_game(given: Any, what: str = "a game") -> Any:
    """The game that a string, a path or a class stands for; a game or a tree as it is. Anything else is refused."""
    if isinstance(given, str | os.PathLike):
        return make_game(os.fspath(given) if isinstance(given, str) else str(given))
    if isinstance(given, type):
        if not any(hasattr(given, method) for method in METHODS):
            raise GameError(f"{what} is a string such as 'leduc', a Game or a Tree, got the class {given.__qualname__}")
        return construct(given, Call(given.__qualname__))
    if any(hasattr(type(given), name) or name in getattr(given, "__dict__", ()) for name in GAME_MARKS):
        return given
    raise GameError(f"{what} is a string such as 'leduc', a Game or a Tree, got {quoted(given)}{_instead(given)}")


def _instead(given: Any) -> str:
    """Where the game of a solver, a strategy or a run is."""
    if hasattr(given, "tree") or hasattr(given, "config"):
        return f"; its game is in .{'tree' if hasattr(given, 'tree') else 'config.game'}"
    return ""


def received_game(text: str) -> Game:
    """The game that a received file names. Makes only games that come with the package: see `outside`."""
    text = spelled(text)
    inner = text.removeprefix(DEALT).strip()
    if why := outside(text):
        raise GameError(f"the game {one_line(text)} is {why}: it is built only if you name it yourself")
    found: Any = OpenSpielGame(inner.partition(":")[2]) if inner.startswith(OPENSPIEL) else _named_game(inner)
    return DealtForm(found) if text.startswith(DEALT) else found  # type: ignore[return-value]


def outside(text: str) -> str:
    """What a game is that a received file must not lead to, since making it would run or read another file; or nothing.

    Left are built-in games, their dealt forms, and OpenSpiel's with parameters that are words and small numbers.
    """
    text = spelled(text).removeprefix(DEALT).strip()
    if text.startswith(OPENSPIEL):
        plain = PLAIN_OPENSPIEL.fullmatch(text.removeprefix(OPENSPIEL))
        return "" if plain else "an OpenSpiel game with parameters that may name files"
    if call := _built_in(text):
        return "a game with buckets of a program of yours" if PROGRAM in str(call) else ""
    file = text.startswith(FILE_SCHEMES) or text.lower().endswith(FILES)
    return "a file of yours" if file else "a program of yours"


def game_file(text: str) -> Path | None:
    """The file that a game's string names, if it does."""
    text = spelled(text).removeprefix(DEALT).strip()
    for scheme in FILE_SCHEMES:
        if text.startswith(scheme):
            return Path(text.removeprefix(scheme).strip())
    if text.endswith(FILES) and outside(text):
        return Path(text)
    if call := _built_in(text):
        programs = (v for v in (*call.args, *call.keys.values()) if isinstance(v, str) and PROGRAM in v)
        return next((_program_file(value) for value in programs), None)
    return _program_file(text) if PROGRAM in text else None


def _program_file(text: str) -> Path:
    """The file of `PATH.py:Class(args)`."""
    return Path(text.partition(PROGRAM)[0] + PROGRAM)


def game_from_file(text: str) -> Game:
    """A game class from a Python file: `PATH.py` with one game in it, or `PATH.py:Class(args)`. Runs that file."""
    path, _, wanted = text.partition(".py")
    file = Path(path + ".py")
    classes = game_classes(file)
    if not wanted:
        if len(classes) != 1:
            found = (
                f"found {', '.join(classes)}: choose one, for example {file}:{next(iter(classes))}"
                if classes
                else "found none"
            )
            raise GameError(f"{file}: expected one class with the methods {', '.join(METHODS)}; {found}")
        return construct(*next((c, Call(name)) for name, c in classes.items()))
    try:
        call = parse_call(wanted.removeprefix(":"))
    except GrammarError as error:
        raise GameError(f"{file}: {error}") from None
    if call.name not in classes:
        raise GameError(f"{file} has no game class {quoted(call.name)}; {nearest(call.name, classes)}")
    return construct(classes[call.name], call)


def game_classes(file: Path) -> dict[str, type]:
    """The classes a Python file defines that have any method of a game, or are trees already. Runs the file."""
    found = classes_in(file, GameError)
    return {n: c for n, c in found.items() if any(hasattr(c, method) for method in (*METHODS, "walk_view"))}
