"""The `mccfr` command. Each command's file is loaded when it is called, so that `--help` answers at once."""

import contextlib
import importlib
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem

import mccfr
from mccfr.cli.output import BAD_INPUT, BROKEN_PIPE, INTERRUPTED, OK, kept_for_documents, make_printable, print_json
from mccfr.errors import MccfrError, TargetNotReached, nearest, printable, quoted, shortened, told

COMMANDS = {
    "demo": "Start here: solve Leduc poker and watch it converge.",
    "games": "List the built-in games, or describe one.",
    "methods": "List the methods and their parts, or explain one.",
    "check": "Check a game you wrote and report what is wrong with it.",
    "solve": "Compute an equilibrium and save it, or train in a run folder.",
    "resume": "Continue a run that was stopped.",
    "runs": "List run folders and their progress.",
    "watch": "Watch a method learn in the browser, look at runs, or play.",
    "watch-run": "Follow a run from another terminal.",
    "evaluate": "Measure a strategy exactly, alone or against another.",
    "match": "Play agents against each other, with intervals.",
    "show": "Print a strategy, or one infoset of it.",
    "play": "Play hold'em against a strategy, or train with chosen spots.",
    "review": "Find the costliest decisions in hands that were played.",
    "resolve": "Solve one position again, and show what every hand does.",
    "equity": "Print what hands or ranges are worth against each other.",
    "buckets": "Sort hands of hold'em into buckets, or show one of them.",
    "audit": "Test whether a sampled method is unbiased, and its variance.",
    "bench": "Check the results and the speed of this installation.",
    "hands": "Read, check and convert hand histories.",
    "slumbot": "Play an agent against Slumbot over the network.",
    "serve": "Let programs ask an agent for moves, as JSON over HTTP.",
    "export": "Write a strategy as CSV or JSON, or a game as .efg or .game.",
    "plot": "Plot how runs converge, with bands over seeds.",
    "compare": "Test whether one group of runs is better than another.",
    "race": "Run several methods for the same time and rank them.",
    "sweep": "Run every combination of games, methods and seeds from a file.",
    "paper": "Reproduce a figure of a paper and test its claims.",
    "acpc": "Play over the ACPC protocol, as a client of a dealer.",
    "acpc-script": "Write the program that ACPC dealers call with HOST PORT.",
    "acpc-dealer": "Deal a match between two ACPC players and write its log.",
    "cache": "Show what is kept in the cache folder, or clear it of kernels.",
    "completion": "Let your shell complete commands, games and methods.",
}
COMPLETE = "_MCCFR_COMPLETE"  # the variable by which a shell asks what may follow
USERS = ("mccfr_user_", "mccfr_use_")  # how the modules of users' files are called
SYNONYMS = {  # what other programs call our commands
    **{
        "train": "solve",
        "run": "solve",
        "list": "games or runs",
        "ls": "runs",
        "info": "games",
        "algorithms": "methods",
    },
    **{
        "continue": "resume",
        "draw": "plot",
        "verify": "check",
        "validate": "check",
        "eval": "evaluate",
        "view": "show",
    },
}
OPTIONS = {  # and our options
    **{"--time": "--seconds", "--iters": "--iterations", "--steps": "--iterations", "--output": "--out"},
    **{"--algorithm": "--method", "--algo": "--method", "--threads": "--workers", "--epsilon": "--target"},
}
FILES = {
    "bench": "bench_command",
    "slumbot": "slumbot_command",
    "play": "play_command",
    "acpc-dealer": "acpc_dealer_command",
}  # where the name of a command is that of another file of ours


class Commands(click.Group):
    """A group that knows its commands by name only, and turns every error into one line and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            if ctx.resilient_parsing:  # a tab after a typo
                return None
            near = f"did you mean {SYNONYMS[name.lower()]}?" if name.lower() in SYNONYMS else nearest(name, COMMANDS)
            raise click.UsageError(f"no command {quoted(name)}; {near}", ctx)
        file = FILES.get(name, name.replace("-", "_"))
        command: click.Command = importlib.import_module(f"mccfr.cli.{file}").command
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Commands from their list, so that a tab loads none of them; else options."""
        found = [CompletionItem(n, help=text) for n, text in COMMANDS.items() if n.startswith(incomplete)]
        return click.Command.shell_complete(self, ctx, incomplete) if incomplete.startswith("-") else found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(self, args: Sequence[str] | None = None, *_: Any, **extra: Any) -> NoReturn:
        given = _as_option(list(sys.argv[1:] if args is None else args))
        extra |= {"prog_name": "mccfr", "standalone_mode": False}
        if COMPLETE in os.environ:
            importlib.import_module("mccfr.cli.completing")  # bash needs more than click gives it
        run_command = super().main
        sys.exit(guarded(lambda: run_command(given, **extra), "--json" in given))


def guarded(run_command: Callable[[], Any], as_json: bool) -> int:
    """Exit code of a command; what a user can cause is told in a line each, anything else is a bug of ours."""
    try:
        make_printable()
        with kept_for_documents(as_json), warnings.catch_warnings():
            warnings.simplefilter("ignore", TargetNotReached)  # commands say so in a line of their own
            code = run_command()
        sys.stdout.flush()
    except MccfrError as error:
        return complain(type(error).__name__, str(error).splitlines(), as_json)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "mccfr"
        return complain("UsageError", [f"{_one_line(_advised(error))} (see {command} --help)"], as_json)
    except click.Abort:
        return complain("Interrupted", ["stopped before there was anything to save"], as_json, INTERRUPTED)
    except BrokenPipeError:  # the reader has gone
        _drop_output()
        return BROKEN_PIPE
    except OSError as error:  # a full disk, stdout that nobody can write to: what is asked for by name is a FileError
        where = f" {quoted(str(error.filename))}" if error.filename else ""
        code = complain("FileError", [f"cannot read or write{where}: {error.strerror or told(error)}"], as_json)
        _drop_output()
        return code
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if (place := _in_a_users_file(error)) is None:
            raise
        return complain("GameError", [f"{place}: {told(error)}"], as_json)
    return code if isinstance(code, int) else OK


def _as_option(given: list[str]) -> list[str]:
    """`mccfr help solve` and `mccfr version` as the options they are."""
    if given[:1] == ["help"]:
        return [*given[1:], "--help"]
    return ["--version"] if given == ["version"] else given


def _advised(error: click.UsageError) -> str:
    """What is wrong with a command line, with what is known about such mistakes."""
    text = error.format_message()
    if isinstance(error, click.NoSuchOption) and error.option_name in OPTIONS:
        meant = OPTIONS[error.option_name]
        if error.ctx is not None and any(meant in param.opts for param in error.ctx.command.params):
            return f"No such option '{error.option_name}'. Did you mean '{meant}'?"
    options = () if error.ctx is None else error.ctx.command.params
    if "unexpected extra argument" in text and any("--method" in param.opts for param in options):
        return f"{text}: a method is given with --method, a game with its values in one, as 'goofspiel(n=5)'"
    return text


def _drop_output() -> None:
    """What is still in the buffer must not complain at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _in_a_users_file(error: BaseException) -> str | None:
    """The line of a user's own file that raised it, if one did: games and parts are programs and may raise anything."""
    places = [
        f"{frame.f_code.co_filename}, line {line}"
        for frame, line in traceback.walk_tb(error.__traceback__)
        if str(frame.f_globals.get("__name__")).startswith(USERS)
    ]
    return places[-1] if places else None


def complain(kind: str, lines: list[str], as_json: bool, code: int = BAD_INPUT) -> int:
    """Tell an error on stderr, with --json on stdout as well."""
    if os.environ.get("MCCFR_DEBUG"):
        traceback.print_exc()
    lines = [shortened(printable(line)) for line in lines]
    with contextlib.suppress(OSError, ValueError):  # where nobody can be told, the exit code tells
        for line in lines:
            click.echo(f"mccfr: error: {line}", err=True)
        if as_json:
            print_json({"error": {"type": kind, "messages": lines}})
    return code


def _one_line(text: str) -> str:
    return " ".join(text.split())


@click.group(cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(mccfr.__version__, prog_name="mccfr", message="%(prog)s %(version)s")
@click.option(
    "--use",
    "files",
    metavar="FILE",
    type=click.Path(),
    multiple=True,
    help="Run this Python file first, to add your own samplers and minimisers.",
)
@click.pass_context
def cli(ctx: click.Context, files: tuple[str, ...]) -> None:
    """Solve games of hidden information by counterfactual regret minimisation.

    Start with `mccfr demo`, then `mccfr solve leduc --out leduc.mccfr`.
    """
    for file in files:
        mccfr.use(file)
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def run() -> NoReturn:
    """Entry point of `mccfr` and of `python -m mccfr`."""
    _open_closed_streams()
    cli.main()


def _open_closed_streams() -> None:
    """Who closed stdin, stdout or stderr wants none: without this the next file opened would take its number."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
