"""`mccfr resume`: go on with a run that was stopped."""

import functools

import click

import mccfr
from mccfr.cli.completing import RunText
from mccfr.cli.folder_training import Telling, train_and_tell
from mccfr.cli.output import game_option, json_option, log_option, quiet_option, ray_option
from mccfr.cli.progress import Limits
from mccfr.cli.typed import Count, Seconds
from mccfr.signals import sigterm_as_ctrl_c


@click.command()
@click.argument("folder", type=RunText())
@click.option("-n", "--iterations", metavar="TOTAL", type=Count(), help="End here, counted from the start.")
@click.option("--seconds", metavar="TOTAL", type=Seconds(), help="End after this time in all.")
@click.option("-t", "--target", metavar="E", type=float, help="End once exploitability (NashConv / 2) is this low.")
@game_option
@ray_option
@quiet_option
@log_option
@json_option
def command(
    folder: str, iterations: int | None, seconds: float | None, target: float | None, game: str | None,
    ray: str | None, quiet: bool, log_json: bool, as_json: bool,
) -> int:  # fmt: skip
    """Go on with the run in FOLDER from its newest good checkpoint.

    It ends where it was meant to end, or where you say now: all limits count from the start of the run. Whatever
    stopped it, it ends with the numbers of a run that was never stopped.

    \b
    mccfr resume runs/a
        goes on after Ctrl-C, a crash or a power cut
    mccfr resume runs/a -n 2000000
        goes on with a run that had finished, up to 2,000,000 iterations in all

    Programs that the run was begun with are used again if you began it on this machine. Those of a folder from
    elsewhere are used only if you name them: by --game, and by mccfr --use FILE resume.
    """
    run = mccfr.Run(folder)
    config = run.config.limited_to(iterations, seconds, target)
    limits = Limits(config.iterations, config.seconds)
    with sigterm_as_ctrl_c():
        return train_and_tell(
            "resume",
            folder,
            limits,
            functools.partial(run.train, iterations, seconds, target, ray=ray, game=game),
            Telling(quiet, as_json, log_json),
        )
