"""`mccfr evaluate` of hold'em through buckets: what takes seconds, and the names of what takes longer."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import mccfr
from mccfr.cli.evaluate_abstract import NOT_MEASURED, about
from mccfr.cli.evaluate_litmus import litmus_findings, litmus_summary
from mccfr.cli.output import print_json, print_lines
from mccfr.cli.progress import Meter

if TYPE_CHECKING:
    from mccfr import Strategy
    from mccfr.playing.litmus import Finding

OPPONENTS = ("fold", "call", "random")
HANDS = 100_000


def tell_quick(name: str, strategy: "Strategy", as_json: bool) -> None:
    """Print the size of a strategy, litmus checks, results against simple opponents, and how to measure more."""
    with Meter(not as_json, clock=True) as meter:
        meter.phase("litmus checks")
        litmus = litmus_findings(name, strategy)
        meter.phase("simple opponents")
        played = _played(strategy)
    unknown = dict.fromkeys(("exploitability", "nash_conv", "best_response", "value", "against", "abstract"))
    document = {
        **about(name, strategy),
        **unknown,
        "visited": 1.0 - strategy.unvisited / len(strategy),
        "played": played,
        "litmus": [each.to_dict() for each in litmus],
    }
    print_json(document) if as_json else print_lines(_report(document, litmus))


def _played(strategy: "Strategy") -> list[dict[str, Any]]:
    """What it wins against simple opponents, if the large tables need not be made first."""
    from mccfr.buckets.store import tables_kept

    tree = strategy.tree.buckets
    if tree is None or (tree.whole_deck and not tables_kept(tree.fit)):
        return []
    found = [(who, mccfr.play_out(strategy, who, HANDS)) for who in OPPONENTS]
    return [{"strategy": who, **result._asdict()} for who, result in found]


def _report(document: dict[str, Any], litmus: "list[Finding]") -> Iterator[tuple[str, str]]:
    made = document["method"] + (f", {document['iterations']:,} iterations" if document["iterations"] > 1 else "")
    yield "strategy", f"{document['game']} by {made}"
    yield "size", f"{document['infosets']:,} infosets, of which {document['visited']:.1%} were visited"
    for each in document["played"]:
        scale = each["mbb"] / each["mean"] if each["mean"] else 0.0
        interval = f"95 % interval {each['low'] * scale:.0f} to {each['high'] * scale:.0f}"
        yield f"against {each['strategy']}", f"wins {each['mbb']:.0f} mbb/g, {interval}, {each['hands']:,} hands"
    if not document["played"]:
        yield "against others", "not played: the large tables are not in the cache folder; --against makes them"
    yield "litmus", litmus_summary(litmus)
    for finding in litmus:
        if not finding.passed:
            yield "  FAILS", f"{finding.check.name} ({finding.numbers})"
    yield "exploitability", NOT_MEASURED
    for command in document["measure"]:
        yield "next", command
