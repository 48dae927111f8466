"""What a page may ask for: small built-in games and methods that read no file, or what the command line named."""

import functools
from typing import Any, NamedTuple

from mccfr.errors import GameError, MethodError, TreeError
from mccfr.games.dealt import DEALT
from mccfr.games.registry import NAMED, make_game
from mccfr.grammar import GrammarError, parse_call
from mccfr.kernel.estimators import Static
from mccfr.solvers.method import LinearProgramme, Method
from mccfr.solvers.prepare import compile as compile_game, settle
from mccfr.tree.tree import Tree
from mccfr.web.scene import Scene

MOST_NODES = 300_000  # of a game on the page
MOST_ENTRIES = 300_000  # infoset-actions
LONGEST = 300  # characters of a game's or method's text
BUILDING = "200MB"  # memory that building such a tree may take
WORDS_OF_STATIC = ("call", "uniform")


class Given(NamedTuple):
    """What the command line named, and therefore any page may open: it may be a file, or a program of the user's."""

    games: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()


NOTHING = Given()


def scene_of(text: str, given: Given = NOTHING) -> Scene:
    """The game a page asks for."""
    if len(text) > LONGEST:
        raise GameError(f"a game's name has at most {LONGEST} characters here, got {len(text):,}")
    if text not in given.games:
        _require_built_in(text)
    return _scene(text.strip())


@functools.lru_cache(maxsize=8)
def _scene(text: str) -> Scene:
    rules: Any = make_game(text)
    inner = rules.game if text.startswith(DEALT) else rules
    _require_small(text, inner.nodes() or 0 if callable(getattr(inner, "nodes", None)) else 0, MOST_NODES, "nodes")
    if not text.startswith(DEALT):
        rules = settle(rules, BUILDING)
    tree = compile_game(rules, BUILDING, cache=None)
    if tree.players != 2:
        raise TreeError(f"{tree.game} has {tree.players} players: the page shows games of two")
    _require_small(text, len(tree), MOST_NODES, "nodes")
    _require_small(text, tree.infosets.entries, MOST_ENTRIES, "infoset-actions")
    return Scene(tree, rules)


def _require_small(text: str, size: int, most: int, what: str) -> None:
    if size > most:
        raise TreeError(
            f"{text} has {size:,} {what}: too large for the page, which takes up to {most:,} (mccfr solve takes more)"
        )


def _require_built_in(text: str) -> None:
    """Refuse names that would read a file or run a program."""
    try:
        name = parse_call(text.strip().removeprefix(DEALT)).name
    except GrammarError as error:
        raise GameError(f"game: {error}; the page opens built-in games: {', '.join(NAMED)}") from None
    if name not in NAMED:
        make_known = f"the page opens built-in games: {', '.join(NAMED)}"
        raise GameError(f"unknown game {name!r}; {make_known}; any other is given to `mccfr watch`")


def method_of(text: str, tree: Tree, given: Given = NOTHING) -> Method:
    """The method a page asks for."""
    if len(text) > LONGEST:
        raise MethodError(f"a method has at most {LONGEST} characters here, got {len(text):,}")
    method = Method.parse(text)
    estimator = method.estimator
    if isinstance(estimator, Static) and estimator.strategy not in WORDS_OF_STATIC and text not in given.methods:
        raise MethodError("static: the page takes call or uniform; a strategy file is given to `mccfr watch --method`")
    if isinstance(method.sampler, LinearProgramme):
        raise MethodError("lp solves a game at once, so there is nothing to watch: try cfr_plus")
    if method.public and tree.public is None:
        raise MethodError(f"{method} walks a public tree: watch the dealt form, {DEALT}{tree.game}")
    return method
