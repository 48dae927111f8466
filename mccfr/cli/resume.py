"""`mccfr resume`: go on with a run that was stopped."""

import functools

import click

import mccfr
from mccfr.cli.completing import RunText
from mccfr.cli.folder_training import Telling, train_and_tell
from mccfr.cli.output import device_option, game_option, json_option, log_option, quiet_option, ray_option
from mccfr.cli.progress import Limits
from mccfr.cli.typed import Count, Seconds, Target
from mccfr.signals import sigterm_as_ctrl_c


@click.command()
@click.argument("folder", type=RunText())
@click.option("-n", "--iterations", metavar="TOTAL", type=Count(), help="Stop after this many iterations in total.")
@click.option(
    "--seconds", metavar="TOTAL", type=Seconds(), help="Stop after this much time of solving in total, such as 1h30m."
)
@click.option(
    "-t",
    "--target",
    metavar="E",
    type=Target(),
    help="Stop once exploitability (NashConv / 2) is this low: in payoffs, or of the pot if it ends in %.",
)
@game_option
@device_option(None)
@ray_option
@quiet_option
@log_option
@json_option
def command(
    folder: str, iterations: int | None, seconds: float | None, target: float | str | None, game: str | None,
    device: str | None, ray: str | None, quiet: bool, log_json: bool, as_json: bool,
) -> int:  # fmt: skip
    """Continue the run in FOLDER from its newest intact checkpoint.

    The run keeps its limits unless you set new ones; all limits count from the start of the run. Whatever stopped it,
    it ends with the same numbers as a run that was never stopped.

    \b
    mccfr resume runs/a
        continues after Ctrl-C, a crash or a power cut
    mccfr resume runs/a -n 2000000
        extends a finished run to 2,000,000 iterations in total
    mccfr resume runs/a --device gpu
        continues on another device; the result is then no longer the same bit for bit

    If you started the run on this machine, the programs it was started with are used again. Programs of a folder from
    elsewhere are used only if you name them, with --game and with mccfr --use FILE resume.
    """
    run = mccfr.Run(folder)
    config = run.config.limited_to(iterations, seconds, target)
    limits = Limits(config.iterations, config.seconds)
    with sigterm_as_ctrl_c():
        return train_and_tell(
            "resume",
            folder,
            limits,
            functools.partial(run.train, iterations, seconds, target, ray=ray, game=game, device=device),
            Telling(quiet, as_json, log_json),
        )
