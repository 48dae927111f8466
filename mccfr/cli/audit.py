"""`mccfr audit`: is a method unbiased, how much does it vary, what does it cost?"""

import click

import mccfr
from mccfr.cli.completing import GameText, MethodText
from mccfr.cli.output import json_option, print_json
from mccfr.cli.progress import Meter
from mccfr.cli.typed import SEED, Count


@click.command()
@click.argument("game", type=GameText())
@click.option(
    "-m",
    "--method",
    "methods",
    metavar="METHOD",
    type=MethodText(),
    multiple=True,
    help="As outcome+history; again for more.",
)
@click.option("--exact/--sampled", default=None, help="Enumerate all outcomes, or test batches. [default: what fits]")
@click.option("-n", "--iterations", metavar="N", type=Count(), default=400_000, show_default=True)
@click.option("-s", "--seed", metavar="N", type=SEED, default=0, show_default=True)
@json_option
def command(game: str, methods: tuple[str, ...], exact: bool | None, iterations: int, seed: int, as_json: bool) -> None:
    """Compare what sampled METHODs add on average with exact numbers, on GAME.

    Without --method, every sampler with every estimator (of a dealt game: vector and semi-vector forms, public outcome
    sampling), and exhibits, which are known to be biased. A random strategy is frozen; all outcomes of the random
    choices are enumerated if there are not too many, else so many --iterations are made and every mean gets a z-score.
    Variance: of a regret, per iteration, mean over all infoset-actions.
    """
    with Meter(wanted=not as_json) as meter:
        report = mccfr.audit(
            game, methods or None, seed, exact, iterations, watch=lambda method: meter.phase(f"auditing {method}")
        )
    if as_json:
        print_json({"command": "audit", **report.to_dict()})
    else:
        click.echo(report)
