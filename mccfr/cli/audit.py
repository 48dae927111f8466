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
    help="For example outcome+history; may be repeated.",
)
@click.option(
    "--exact/--sampled", default=None, help="Enumerate all outcomes, or test samples. [default: exact if small enough]"
)
@click.option("-n", "--iterations", metavar="N", type=Count(), default=400_000, show_default=True)
@click.option("-s", "--seed", metavar="N", type=SEED, default=0, show_default=True)
@json_option
def command(game: str, methods: tuple[str, ...], exact: bool | None, iterations: int, seed: int, as_json: bool) -> None:
    """Compare the average updates of sampled METHODs on GAME with exact numbers.

    Without --method, audits every sampler with every estimator (on a dealt game also the vector and semi-vector forms
    and public outcome sampling), and the exhibits, which are known to be biased. The strategy is random and frozen. If
    there are few enough outcomes of the random choices, all of them are enumerated. Otherwise --iterations are sampled
    and every mean gets a z-score. The variance is that of a regret per iteration, averaged over all infoset-actions.
    """
    with Meter(wanted=not as_json) as meter:
        report = mccfr.audit(
            game, methods or None, seed, exact, iterations, watch=lambda method: meter.phase(f"auditing {method}")
        )
    if as_json:
        print_json({"command": "audit", **report.to_dict()})
    else:
        click.echo(report)
