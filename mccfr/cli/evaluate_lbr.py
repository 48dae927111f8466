"""`mccfr evaluate --lbr`: what local best response wins, a lower bound on exploitability, beside published values."""

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

import mccfr
from mccfr.cli.output import duration, print_json, print_lines
from mccfr.cli.progress import Meter
from mccfr.cli.sources import read_strategy

if TYPE_CHECKING:
    from mccfr import Strategy
    from mccfr.playing.lbr_report import LbrReport
    from mccfr.playing.policy import Policy

HANDS = 2000
ALL = "all"
SOURCE = "as published, secondary source; mbb/g at 200 big blinds"
PUBLISHED = {  # in the order of mccfr.playing.lbr_settings.PUBLISHED
    "Slumbot 2016": (522, 4020, 3763, 1227),
    "Act1": (407, 2597, 3302, 847),
    "Hyperborean 2014": (721, 3852, 4675, 983),
    "always-fold": (250, 750, 750, 750),
    "DeepStack": (-428, -383, -775, -602),
}
OTHER_WAYS = ("abstract", "real", "deals", "tables", "flops", "litmus")
Function = Callable[..., Any]


def lbr_options(function: Function) -> Function:
    """The option of local best response."""
    return click.option(
        "--lbr",
        metavar="[SETTING|all]",
        is_flag=False,
        flag_value=ALL,
        help="Play local best response against hold'em with buckets: a lower bound. Takes --hands, --seed, --workers.",
    )(function)


def asked_for_lbr(given: dict[str, Any], against: str | None) -> bool:
    """Whether local best response is wanted; other ways to measure cannot be combined with it."""
    if given["lbr"] is None:
        return False
    for name, value in {**given, "against": against}.items():
        if name in (*OTHER_WAYS, "against") and value:
            raise click.UsageError(f"--{name} cannot be combined with --lbr", click.get_current_context())
    return True


def subject_of(text: str, game: str | None, asked: bool) -> "Strategy":
    """A strategy, or the one that an agent re-solves from: what such an agent plays itself only --lbr can measure."""
    if "resolve" not in text:
        return read_strategy(text, game)
    from mccfr.playing.agents import is_resolving_text, known_policy

    if not is_resolving_text(text):
        return read_strategy(text, game)
    if not asked:
        problem = "solves positions while it plays, so only --lbr measures it"
        raise click.UsageError(f"{text} {problem}, and mccfr match plays it", click.get_current_context())
    found: Strategy = known_policy(text).blueprint.strategy  # type: ignore[attr-defined]
    return found


def tell_lbr(name: str, strategy: "Strategy", given: dict[str, Any], as_json: bool) -> None:
    """Play local best response in one setting or all, and print what it wins."""
    from mccfr.playing.agents import is_resolving_text, known_policy
    from mccfr.playing.lbr_settings import make_setting, setting_names
    from mccfr.playing.policy import StrategyPolicy

    policy = known_policy(name) if is_resolving_text(name) else StrategyPolicy(strategy, name=name)
    names = setting_names(policy.table) if given["lbr"] == ALL else (str(make_setting(given["lbr"], policy.table)),)
    began = time.monotonic()
    with Meter(not as_json, clock=True) as meter:
        reports = [_report(name, policy, each, given, meter) for each in names]
    document = _document(name, strategy, policy, reports, time.monotonic() - began)
    print_json(document) if as_json else print_lines(_lines(document))


def _report(name: str, policy: "Policy", setting: str, given: dict[str, Any], meter: Meter) -> "LbrReport":
    from mccfr.playing.lbr_report import local_best_response, small_deck

    hands = None if given["hands"] is None and small_deck(policy.table) else given["hands"] or HANDS
    meter.phase(f"{setting}: loading tables")

    def tell(done: int, of: int) -> None:
        meter.phase(f"{setting}: {2 * done:,} of {2 * of:,} hands")

    workers = given["workers"] or 1
    by_name = workers > 1 and click.get_current_context().params["game"] is None
    opponent = name if by_name else policy  # a name is sent to processes faster than a strategy
    return local_best_response(opponent, setting, hands, given["seed"] or 0, workers, watch=tell)


def _document(
    name: str, strategy: "Strategy", policy: "Policy", reports: "list[LbrReport]", seconds: float
) -> dict[str, Any]:
    from mccfr.playing.lbr_report import small_deck
    from mccfr.playing.lbr_settings import SETTINGS

    told = [{**report.to_dict(), "about": SETTINGS[report.setting].about} for report in reports]
    own = getattr(policy, "strategy", None)  # an agent that re-solves plays another one than it starts from
    exact = mccfr.real_exploitability(strategy).mbb if own is not None and small_deck(policy.table) else None
    return {
        **{"command": "evaluate", "strategy": name, "game": strategy.game, "method": strategy.origin.method},
        **{"iterations": strategy.origin.iterations, "infosets": len(strategy), "unvisited": strategy.unvisited},
        "lbr": {"bound": "lower", "unit": "mbb/g", "settings": told, "exact": exact, "seconds": seconds},
        "published": {"source": SOURCE, **{who: list(values) for who, values in PUBLISHED.items()}},
    }


def _lines(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    lbr = document["lbr"]
    yield "strategy", f"{document['game']}: {document['infosets']:,} infosets"
    yield (
        "exploitability",
        "at least what local best response wins (a lower bound; small values say nothing), in mbb/g:",
    )
    for each in lbr["settings"]:
        yield f"  {each['setting']}", _told(each)
        seats = " and ".join(f"{seat['mean']:.0f}" for seat in each["by_seat"])
        yield "", f"{seats} as big blind and as dealer; {each['about']}"
    if lbr["exact"] is not None:
        yield "exactly", f"{lbr['exact']:.1f} mbb/g is what a best response with every card wins"
    if len(lbr["settings"]) == len(PUBLISHED["Act1"]):
        yield "published", f"{SOURCE}; the same four settings"
        for who, values in PUBLISHED.items():
            yield f"  {who}", " / ".join(map(str, values))
    yield "time", duration(lbr["seconds"])


def _told(each: dict[str, Any]) -> str:
    if each["hands"] == "all":
        return f"at least {each['mean']:.1f}, by all deals"
    if each["low"] is None:
        return f"at least {each['mean']:.0f}, {each['hands']:,} hands, all alike"
    return (
        f"at least {each['mean']:.0f}, 95 % interval {each['low']:.0f} to {each['high']:.0f}, {each['hands']:,} hands"
    )
