"""What a page may ask for: small built-in games and methods that read no file, or what the command line named."""

import collections
import contextlib
import threading
import time
from typing import Any, NamedTuple

from mccfr.errors import GameError, MethodError, TreeError
from mccfr.games.dealt import DEALT
from mccfr.games.generic_poker import GenericPoker, count_lines
from mccfr.games.nlph import Nlph
from mccfr.games.registry import NAMED, make_game
from mccfr.grammar import GrammarError, parse_call
from mccfr.kernel.dispatch import uncompiled
from mccfr.kernel.estimators import GeneralProbe, Probe, Static
from mccfr.solvers.method import LinearProgramme, Method
from mccfr.solvers.prepare import compile as compile_game, settle
from mccfr.solvers.strategy_files import strategy_files
from mccfr.tree.tree import Tree
from mccfr.web.scene import SMALL, Scene
from mccfr.web.stock import SCENES, scene_bytes

MOST_NODES = 300_000  # of a game on the page
MOST_ENTRIES = 300_000  # infoset-actions
LONGEST = 300  # characters of a game's or method's text
BUILDING = "200MB"  # memory that building such a tree may take
LONG = 10.0  # seconds that building one may take
MOST_STEPS = 500_000_000  # nodes that an iteration may touch: a tenth of a second as measured, and nothing can stop it
MOST_UNCOMPILED = 200_000  # the same of an iteration in plain Python: a few seconds at worst
MOST_NESTED = 4  # policies inside each other: each is compiled with all that it holds
KEPT = 64 * 2**20  # bytes of games that are kept for the next page
WORDS_OF_STATIC = ("call", "uniform")


class Given(NamedTuple):
    """What the command line named, and therefore any page may open: it may be a file, or a program of the user's."""

    games: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()


NOTHING = Given()


def scene_of(text: str, given: Given = NOTHING) -> Scene:
    """The game a page asks for."""
    if len(text) > LONGEST:
        raise GameError(f"a game's name has at most {LONGEST} characters here, got {len(text):,}")
    if text not in given.games:
        _require_built_in(text)
        _require_quick(text)
    return _kept(text.strip()) or _keep(text.strip(), _build(text.strip()))


def is_built(text: str) -> bool:
    """Whether a game is at hand: asking for it costs nothing."""
    return text.strip() in _SCENES


_SCENES: collections.OrderedDict[str, Scene] = collections.OrderedDict()  # the last ones asked for at the end
_LOCK = threading.Lock()


def _kept(text: str) -> Scene | None:
    with _LOCK:
        if text in _SCENES:
            _SCENES.move_to_end(text)
        return _SCENES.get(text)


def _keep(text: str, scene: Scene) -> Scene:
    """Have a game at hand, and forget those that were not asked for of late."""
    with _LOCK:
        _SCENES[text] = scene
        SCENES.add(scene)
        while len(_SCENES) > 1 and sum(scene_bytes(one.tree) for one in _SCENES.values()) > KEPT:
            _SCENES.popitem(last=False)
    return scene


def _build(text: str) -> Scene:
    rules: Any = make_game(text)
    inner = rules.game if text.startswith(DEALT) else rules
    if isinstance(inner, GenericPoker):  # every line is reached with every card
        _require_small(text, inner.types * count_lines(inner.raises, inner.sizes), MOST_NODES, "nodes or more")
    known = inner.nodes() or 0 if callable(getattr(inner, "nodes", None)) else 0
    _require_small(text, known, MOST_NODES, "nodes")
    if not text.startswith(DEALT):
        rules = settle(rules, BUILDING)
    began, small = time.monotonic(), contextlib.ExitStack()

    def watch(nodes: int) -> None:
        _require_small(text, nodes, MOST_NODES, "nodes or more")
        if nodes > SMALL:
            small.close()
        if time.monotonic() - began > LONG:
            raise TreeError(f"{text} takes more than {LONG:g} s to write out: too large for the page")

    with small:
        if not text.startswith(DEALT) and known <= SMALL:
            small.enter_context(uncompiled())  # compiling would take longer; `watch` ends it if there are many nodes
        tree = compile_game(rules, BUILDING, cache=None, watch=watch)
    if tree.players != 2:
        raise TreeError(f"{tree.game} has {tree.players} players: the page shows games of two")
    _require_small(text, len(tree), MOST_NODES, "nodes")
    _require_small(text, tree.infosets.entries, MOST_ENTRIES, "infoset-actions")
    return Scene(tree, rules)


def _require_small(text: str, size: int, most: int, what: str) -> None:
    if size > most:
        raise TreeError(
            f"{text} has {size:,} {what}: too large for the page, which accepts up to {most:,} "
            "(mccfr solve accepts more)"
        )


def _require_built_in(text: str) -> None:
    """Refuse names that would read a file or run a program."""
    try:
        name = parse_call(text.strip().removeprefix(DEALT)).name
    except GrammarError as error:
        raise GameError(f"game: {error}; the page opens built-in games: {', '.join(NAMED)}") from None
    if name not in NAMED or ".py" in text:
        make_known = f"the page opens built-in games: {', '.join(NAMED)}"
        raise GameError(f"unknown game {name!r}; {make_known}; name any other game when you start `mccfr watch`")


def _require_quick(text: str) -> None:
    """Refuse what takes long to make, whatever its size."""
    rules: Any = make_game(text)
    inner = rules.game if text.strip().startswith(DEALT) else rules
    if isinstance(inner, Nlph) and not inner.classes:
        raise GameError(
            f"{text}: computing the odds of 1,326 hands takes half a minute: name the game when you start `mccfr watch`"
        )
    if isinstance(inner, Nlph):
        inner.dealt_size(MOST_ENTRIES)  # refuses more


def method_of(text: str, tree: Tree, given: Given = NOTHING) -> Method:
    """The method a page asks for."""
    if len(text) > LONGEST:
        raise MethodError(f"a method has at most {LONGEST} characters here, got {len(text):,}")
    method = Method.parse(text)
    estimator = method.estimator
    if isinstance(estimator, Static) and estimator.strategy not in WORDS_OF_STATIC and text not in given.methods:
        raise MethodError("static: the page accepts call or uniform; give a strategy file to `mccfr watch --method`")
    if strategy_files(method) and text not in given.methods:
        raise MethodError(
            "public_outcome: the page accepts start=nothing, uniform, call or walk; give a strategy file to `mccfr "
            "watch --method`"
        )
    if isinstance(method.sampler, LinearProgramme):
        raise MethodError("lp solves a game in one step, so there is nothing to watch: try cfr_plus")
    if method.public and tree.public is None:
        raise MethodError(f"{method} walks a public tree: watch the dealt form, {DEALT}{tree.game}")
    if _nested(method.sampler) > MOST_NESTED:
        raise MethodError(
            f"{text}: the page accepts at most {MOST_NESTED - 2} laws around a law, because all of them are compiled"
        )
    _require_short(method, tree)
    return method


def _nested(policy: Any) -> int:
    """How deep a policy is: 1, and more for those inside it."""
    return 1 + max((_nested(part) for part in policy if hasattr(part, "_fields")), default=0)


def _require_short(method: Method, tree: Tree) -> None:
    """Refuse a method whose iterations may take long: compiled, nothing can stop one before its end.

    A walk goes through all nodes at most, which are few here; rollouts, each as long as the tree is deep, may be many.
    """
    made = rollouts_of(method)
    most = max(1, MOST_STEPS // longest_iteration(tree, 1))
    if made > most:
        raise MethodError(
            f"probe: the page accepts up to {most:,} rollouts on {tree.game}, got {made:,}: "
            "an iteration cannot be stopped, so it must be short (mccfr solve accepts more)"
        )


def rollouts_of(method: Method) -> int:
    """How many rollouts a method makes from an action that is not visited."""
    estimator = method.estimator
    if isinstance(estimator, GeneralProbe):
        return estimator.rollouts * estimator.terminals
    return estimator.rollouts if isinstance(estimator, Probe) else 0


def longest_iteration(tree: Tree, rollouts: int) -> int:
    """Steps that a walk can take at most: all nodes, and from each so many rollouts, if any."""
    return len(tree) * (tree.depth + 1) * rollouts if rollouts else len(tree)


def quick_uncompiled(method: Method, tree: Tree) -> bool:
    """Whether an iteration is short even as plain Python, which takes some hundred times as long."""
    return longest_iteration(tree, rollouts_of(method)) <= MOST_UNCOMPILED
