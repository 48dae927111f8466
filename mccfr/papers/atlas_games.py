"""The atlas's games and methods: what is raced against what, put together from the words of method strings."""

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import mccfr
from mccfr.errors import MethodError
from mccfr.solvers import full_width_words
from mccfr.solvers.method import RECIPES, LinearProgramme

WRITTEN, DEALT = "written", "dealt"  # forms of a game: every history a node, or every public event
EXACT, SWEEPS, WALKS, PUBLIC = "exact", "sweeps", "walks", "public sampling"  # families of methods
HISTORIES, PUBLIC_NODES = "histories", "public nodes"  # what a method counts as nodes
NO_CHANCE = "bids, no chance"  # a kind of game
LP_PAYOFFS = 200_000  # in the sequence form; beyond, a linear programme takes minutes


class AtlasGame(NamedTuple):
    """A game of the atlas, in one form or two; the same strategies, and so the same exploitability, in both."""

    name: str
    kind: str
    written: str = ""
    dealt: str = ""

    @property
    def forms(self) -> dict[str, str]:
        """Game strings by form."""
        return {form: text for form, text in ((WRITTEN, self.written), (DEALT, self.dealt)) if text}


class Entry(NamedTuple):
    """A method on a form of a game."""

    game: str
    form: str
    method: str

    @property
    def family(self) -> str:
        """What kind of method it is."""
        return family_of(self.method)

    @property
    def unit(self) -> str:
        """What its nodes are. Walks follow one pair of hands wherever they run; the rest of a dealt game takes all."""
        return HISTORIES if self.form == WRITTEN or self.family == WALKS else PUBLIC_NODES


GAMES = (
    AtlasGame("kuhn", "poker", "kuhn", "dealt:kuhn"),
    AtlasGame("leduc", "poker", "leduc", "dealt:leduc"),
    AtlasGame("gp(6,4,4,1)", "poker", "gp(6,4,4,1,suits=False)", "dealt:gp(6,4,4,1,suits=False)"),
    AtlasGame("nlph", "poker, 169 hands", dealt="nlph"),
    AtlasGame("river", "hold'em, every card", dealt="examples/river.toml"),
    AtlasGame("bluff(1,1,rounds=one)", "dice", "bluff(1,1,rounds=one)", "dealt:bluff(1,1,rounds=one)"),
    AtlasGame("goofspiel(4)", NO_CHANCE, "goofspiel(n=4)"),
    AtlasGame("goofspiel(5)", NO_CHANCE, "goofspiel(n=5)"),
    AtlasGame("goofspiel(6)", NO_CHANCE, "goofspiel(n=6)"),
)

# Parts of method strings. What a sampler has no use for is left out: probing where all own actions are visited, and
# predictive baselines where strategies do not change within a walk, which `Method` refuses.
WALKERS = {
    "external": ("", "+infoset", "+history", "+predictive"),
    "chance": ("", "+infoset", "+history"),
    **dict.fromkeys(
        ("outcome", "robust(1)", "robust(2)", "average_strategy(0.05, 1000, 10)"),
        ("", "+probe", "+infoset", "+history", "+predictive"),
    ),
}
SCHEMES = ("", "+linear", "+rm_plus+linear", "+weighted+linear")  # minimisers with averages that suit them
FEW_WALKERS = ("external", "outcome", "robust(2)")  # where a walk has one pair of hands and a sweep all of them
FEW_SCHEMES = ("", "+rm_plus+linear", "+weighted+linear")
VECTORS = ("vector(external)", "vector(average)", "vector(own=all, other=robust(2))", "semi_vector(all)")
VECTOR_SCHEMES = ("", "+weighted+linear")
LINES = ("public_outcome", "public_outcome(0.6)")
BASELINES = ("+history", "+predictive")  # without one, lines of public events are hopeless
MORE_SWEEPS = ("dcfr(1.5, 0, 3)",)  # what `auto` takes on spots

LEFT_OUT = {  # recipes that are not raced, and why
    "include": "a family of schemes, one of which the papers on probing use",
    "uniform": "outcome sampling off policy: the highest variance of all, for experiments with baselines",
    "opponent_on_policy": "another name for outcome(epsilon=1)",
    "everything": "full sweeps, node by node",
    "public_chance": "samples boards, of which no game here has several",
}


def family_of(method: str) -> str:
    """Which family a method belongs to."""
    parsed = mccfr.Method.parse(method)
    if isinstance(parsed.sampler, LinearProgramme):
        return EXACT
    return PUBLIC if parsed.public else WALKS if parsed.samples else SWEEPS


def composed(*choices: Sequence[str]) -> Iterator[str]:
    """One of each, joined, where they fit together."""
    for words in itertools.product(*choices):
        method = "".join(words)
        try:
            mccfr.Method.parse(method)
        except MethodError:
            continue
        yield method


def sweeps() -> list[str]:
    """Every full-width recipe of the package, with its own parameters."""
    mccfr.Method.parse("cfr")  # fills the dictionary of recipes
    words = [word for word, build in RECIPES.items() if build.__module__ == full_width_words.__name__]
    return [*(word for word in words if word != "lp"), *MORE_SWEEPS]


def walks() -> list[str]:
    """Samplers by estimators by schemes."""
    return [m for word, estimators in WALKERS.items() for m in composed([word], estimators, SCHEMES)]


def few_walks() -> list[str]:
    """The walks for games that are only dealt."""
    return [*composed(FEW_WALKERS, ("", "+predictive"), FEW_SCHEMES)]


def public_sampling() -> list[str]:
    """Samplers of public trees by baselines and schemes."""
    return [*composed(VECTORS, VECTOR_SCHEMES), *composed(LINES, BASELINES, ("+rm_plus+linear",))]


def entries(game: AtlasGame) -> list[Entry]:
    """Everything that is raced on a game; walks only once, since they are the same on both forms."""
    found = [Entry(game.name, form, method) for form in game.forms for method in sweeps()]
    if game.written:
        left_out = "chance" if game.kind == NO_CHANCE else "nothing"  # it would visit everything, node by node
        found += [Entry(game.name, WRITTEN, method) for method in walks() if not method.startswith(left_out)]
    if game.dealt:
        found += [Entry(game.name, DEALT, m) for m in ([] if game.written else few_walks()) + public_sampling()]
    return found


def has_programme(game: AtlasGame) -> bool:
    """Whether a linear programme solves it in reasonable time."""
    if not game.written:
        return False
    return len(mccfr.compile(game.written).written.sequence_form.first.worth) <= LP_PAYOFFS
