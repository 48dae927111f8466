"""Notes of slumbot2019: a hold'em of 20 cards, its rivers and turns solved again, and how exploitable that is exactly.

The game, which the notes call ms3f1t1r1h5, is small enough that best responses with every card are exact; see
docs/resolving-holdem.md.
"""

import contextlib
import functools
import hashlib
from pathlib import Path
from typing import Any, NamedTuple

import mccfr
from mccfr.errors import FileError, MethodError
from mccfr.files.cache import cache_folder
from mccfr.jobs import plot_style
from mccfr.papers.figure import NO_CLAIM, NOT, PARTLY, REPRODUCED, Claim, Done, Figure, Job, Report, Rows, Scale
from mccfr.resolving.resolve_street import BEST, PROFILE, ZERO_SUM, Resolved, StreetResolver
from mccfr.strategy.file import load_strategy, save_strategy
from mccfr.strategy.strategy import Strategy

SOURCE = "github.com/ericgjackson/slumbot2019, notes/ms3f1t1r1h5_results and runs/go.test.solve_all_subgames"
GAME = "holdem(nolimit(stack=162, blinds='1 2', bet='100%', raise_='100%', cap=1), {}, ranks=5, suits=4, board='1 1 1')"
ALL, RECALLED = "hs(66)", "hs_recall(5)"  # a bucket for every strength: nhs3 and nxhs3 of the notes
OTHERS = ("hs(20)", "hs(10)", "ehs2(5)", "emd(100)")
METHOD = "external+weighted+linear"
SAFE = ("resolve", "maxmargin", "reach")
NOTED = {  # by buckets, street, gadget and values: mbb/g
    (ALL, "", "", ""): 1157.08,
    (ALL, "river", "unsafe", BEST): 744.59,
    (ALL, "river", "resolve", ZERO_SUM): 407.53,
    (RECALLED, "", "", ""): 189.58,
    (RECALLED, "river", "unsafe", BEST): 137.45,
    (RECALLED, "river", "resolve", ZERO_SUM): 106.91,
    (RECALLED, "turn", "unsafe", BEST): 79.43,
    (RECALLED, "turn", "resolve", ZERO_SUM): 64.60,
}
NEAR = 1.25  # by which factor a number may differ from a published one
COLUMNS = ("buckets", "street", "gadget", "values", "exploitability", "before", "bound", "positions", "published")
Way = tuple[str, str, str]  # street, gadget, values

EVERY_WAY: tuple[Way, ...] = tuple(
    (street, gadget, values)
    for street in ("river", "turn")
    for gadget, values in (
        *(("unsafe", BEST), ("resolve", BEST), ("resolve", ZERO_SUM), ("resolve", PROFILE)),
        *(("maxmargin", BEST), ("maxmargin", PROFILE), ("reach", BEST), ("reach", PROFILE)),
    )
)


def ways(buckets: str) -> list[Way]:
    """What is tried with a bucketing: everything with that of the notes, less with the others."""
    if ALL in buckets:
        return list(EVERY_WAY)
    if RECALLED in buckets:
        few = [("unsafe", BEST), ("resolve", BEST), ("resolve", ZERO_SUM), ("reach", BEST)]
    elif "hs(" in buckets:
        return [("river", "unsafe", BEST), ("river", "resolve", BEST), ("river", "resolve", ZERO_SUM)]
    else:
        few = [("unsafe", BEST), ("resolve", BEST), ("reach", BEST)]
    return [(street, gadget, values) for street in ("river", "turn") for gadget, values in few]


class Blueprint(NamedTuple):
    """A strategy through buckets that is re-solved, trained for so many iterations."""

    game: str
    iterations: int
    seed: int

    @property
    def path(self) -> Path:
        """Where it is kept."""
        folder = cache_folder()
        if folder is None:
            raise MethodError("blueprints are kept in the cache folder: set MCCFR_CACHE to one, instead of off")
        name = hashlib.sha256(repr((*self, METHOD)).encode()).hexdigest()[:32]
        return folder / "blueprints" / f"{name}.mccfr"


def train_blueprint(game: str, iterations: int, seed: int) -> dict[str, Any]:
    """Train a blueprint and keep it, unless it is kept already."""
    one = Blueprint(game, iterations, seed)
    with contextlib.suppress(FileError):  # none yet, or damaged: it is trained again
        return {"iterations": _read(one).origin.iterations}
    solver = mccfr.solve(game, METHOD, iterations=iterations, seed=seed)
    one.path.parent.mkdir(parents=True, exist_ok=True)
    save_strategy(solver.strategy(), one.path)
    return {"iterations": solver.iterations}


def _read(one: Blueprint) -> Strategy:
    if not one.path.is_file():
        raise FileError(f"no {one.path}")
    return load_strategy(one.path, lambda name, most: mccfr.compile(one.game))


@functools.lru_cache(maxsize=1)
def resolver(one: Blueprint) -> StreetResolver:
    """A blueprint to be re-solved; jobs of one process share it."""
    train_blueprint(**one._asdict())
    return StreetResolver(_read(one))


def resolve_all(
    game: str, trained: int, seed: int, street: str, gadget: str, values: str, iterations: int
) -> dict[str, Any]:
    """Exploitability in mbb/g before and after every position of a street is solved again, and the bound."""
    found: Resolved = resolver(Blueprint(game, trained, seed)).resolve(street, gadget, values, iterations=iterations)
    big_blind = float(mccfr.game(game).betting.posted[1])  # type: ignore[attr-defined]
    chips = {"before": found.exploitability(after=False), "after": found.exploitability(), "bound": found.bound}
    return {**{name: 1000 * value / big_blind for name, value in chips.items()}, "positions": found.positions}


def _first(scale: Scale) -> list[list[Job]]:
    return [
        [
            Job(train_blueprint, {"game": game, "iterations": scale.samples, "seed": seed})
            for seed in range(scale.seeds)
            for game in scale.games
        ]
    ]


def _kept(scale: Scale) -> list[Path]:
    return [Blueprint(game, scale.samples, seed).path for seed in range(scale.seeds) for game in scale.games]


def _jobs(scale: Scale) -> list[Job]:
    return [
        Job(resolve_all, {"game": game, "trained": scale.samples, "seed": seed, "street": street, "gadget": gadget,
                          "values": values, "iterations": scale.iterations})
        for seed in range(scale.seeds) for game in scale.games for street, gadget, values in ways(game)
    ]  # fmt: skip


def buckets_of(game: str) -> str:
    """What stands for the game in tables: its bucketing, as short as it is typed."""
    return next((name for name in (ALL, RECALLED, *OTHERS) if GAME.format(name) == game), game)


def _report(scale: Scale, done: list[Done]) -> Report:
    found: dict[tuple[str, Way], list[dict[str, Any]]] = {}
    for job in done:
        if job.arguments.get("gadget"):
            way = job.arguments["street"], job.arguments["gadget"], job.arguments["values"]
            found.setdefault((buckets_of(job.arguments["game"]), way), []).append(job.result)
    means = {key: {name: sum(r[name] for r in rs) / len(rs) for name in rs[0]} for key, rs in found.items()}
    rows = [_row(buckets, way, result) for (buckets, way), result in means.items()]
    claims = [*_orders(means), *_numbers(means), _safety(means)]
    return Report(COLUMNS, rows, claims)


def _row(buckets: str, way: Way, result: dict[str, Any]) -> tuple[Any, ...]:
    numbers = [f"{result[name]:.2f}" for name in ("after", "before", "bound")]
    return buckets, *way, *numbers, round(result["positions"]), NOTED.get((buckets, *way), "")


Means = dict[tuple[str, Way], dict[str, Any]]


def _orders(means: Means) -> list[Claim]:
    """Re-solving lowers exploitability, and CFR-D's gadget lowers it more than none."""
    claims = []
    for buckets, street in dict.fromkeys((buckets, way[0]) for buckets, way in means):
        unsafe, safe = (means.get((buckets, (street, *way))) for way in (("unsafe", BEST), ("resolve", ZERO_SUM)))
        if unsafe is None or safe is None:
            continue
        order = unsafe["before"], unsafe["after"], safe["after"]
        ours = ", ".join(f"{value:.0f}" for value in order)
        verdict = REPRODUCED if order[0] > order[1] > order[2] else PARTLY if order[0] > order[2] else NOT
        text = f"{buckets}, {street}: mbb/g of the blueprint, unsafe, and CFR-D with their values"
        noted = [
            NOTED.get((buckets, *way))
            for way in (("", "", ""), (street, "unsafe", BEST), (street, "resolve", ZERO_SUM))
        ]
        paper = ", ".join(f"{value:.0f}" for value in noted if value) if all(noted) else "falls from left to right"
        claims.append(Claim("S1", text, paper, ours, verdict))
    return claims


def _numbers(means: Means) -> list[Claim]:
    """Published numbers beside ours."""
    claims = []
    for (buckets, way), result in means.items():
        if noted := NOTED.get((buckets, *way)):
            ratio = result["after"] / noted
            verdict = REPRODUCED if 1 / NEAR <= ratio <= NEAR else PARTLY if ratio < 1 else NOT
            text = f"{buckets}, {' '.join(way)}: mbb/g"
            claims.append(Claim("S2", text, f"{noted:.0f}", f"{result['after']:.0f}", verdict))
    return claims


def _safety(means: Means) -> Claim:
    """Ours: with best response values, the exploitability after is below the bound, for every safe gadget."""
    safe = [result for (_, way), result in means.items() if way[1] in SAFE and way[2] == BEST]
    kept = sum(result["after"] <= result["bound"] for result in safe)
    solver = max(result["bound"] - result["before"] for result in safe)
    ours = f"{kept} of {len(safe)} below it; the bound allows at most {solver:.2f} mbb/g for the solver's error"
    return Claim("S3", "safe gadgets stay below the computed bound", "nothing is said", ours, NO_CLAIM)


def _draw(rows: Rows, axes: Any) -> None:
    """A line for each bucketing and street, from the blueprint over the gadgets."""
    names = list(dict.fromkeys(f"{row['gadget']}\n{row['values']}" for row in rows))
    games = list(dict.fromkeys(row["buckets"] for row in rows))
    for buckets, street in dict.fromkeys((row["buckets"], row["street"]) for row in rows):
        mine = [row for row in rows if (row["buckets"], row["street"]) == (buckets, street)]
        places = [0, *(1 + names.index(f"{row['gadget']}\n{row['values']}") for row in mine)]
        heights = [float(mine[0]["before"]), *(float(row["exploitability"]) for row in mine)]
        style = {"linestyle": ":", "marker": "o"} if street == "river" else {"linestyle": "--", "marker": "s"}
        colour = plot_style.COLOURS[games.index(buckets) % len(plot_style.COLOURS)]
        axes.plot(places, heights, label=f"{buckets}, {street}", color=colour, **style)
    axes.set_xticks(range(len(names) + 1), ["blueprint", *names], fontsize=6)
    axes.set(yscale="log", ylabel="real-game exploitability, mbb/g")


FIGURE = Figure(
    "resolving-ms3",
    "A small hold'em, its rivers and turns solved again",
    SOURCE,
    Scale("6 minutes", 1, 50, (GAME.format(ALL),), 3_000_000),
    Scale("40 minutes", 1, 100, tuple(GAME.format(name) for name in (ALL, RECALLED, *OTHERS)), 10_000_000),
    _jobs,
    _report,
    "20 cards, board 1 + 1 + 1, blinds 1 and 2, stacks 162, bets of the pot, one bet or raise a street; exploitability "
    "is (BR0 + BR1) / 2 with every card, exactly, in mbb/g. The notes train by targeted sampling for two billion "
    "iterations (seven billion with recall) and solve positions by 200 iterations of their CFR+; here blueprints are "
    f"trained by {METHOD}, and positions are solved by 100 iterations of cfr_plus. Their CFR-D is our `resolve` "
    "with the values `zero_sum`. Their combined method (331 and 54 after rivers) mixes the opponent's range with a "
    "gate and an even range, by weights found by trying; it is not among our gadgets.",
    _draw,
    _first,
    _kept,
)
