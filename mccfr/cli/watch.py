"""`mccfr watch`: see a solver learn in the browser; run folders and strategies too."""

import importlib.util
import socket
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

import click

import mccfr
from mccfr.cli.output import OK, json_option, print_json
from mccfr.cli.sources import BLUEPRINT, STRATEGY_SUFFIX, require_writable
from mccfr.errors import FileError, GameError, MissingExtra

if TYPE_CHECKING:
    from mccfr.web.admit import Given
    from mccfr.web.messages import Open

PAGE_PACKAGES = ("fastapi", "uvicorn", "websockets", "plotly")
PORT, LOOPBACK = 8765, "127.0.0.1"
RECORDED = 10_000  # iterations of a recording, unless told


@click.command()
@click.argument("what", nargs=-1, metavar="[GAME | FOLDER... | FILE.mccfr... | blueprint:NAME...]")
@click.option("--method", metavar="M", default="external", show_default=True, help="The method to watch.")
@click.option("--other", metavar="M", help="A second method, shown beside it with the same seed.")
@click.option("--seed", metavar="S", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True)
@click.option(
    "--port", metavar="P", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0 takes any free port."
)
@click.option("--host", metavar="H", default=LOOPBACK, show_default=True, help="Address to listen on.")
@click.option(
    "--agent", "agents", metavar="A", multiple=True,
    help="An agent to play hold'em against; the page then opens at the table.",
)  # fmt: skip
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option(
    "--export", "file", metavar="FILE.html", help="Write a recording that replays without a server, and exit."
)
@click.option(
    "--iterations", metavar="N", type=click.IntRange(1), help=f"Length of the recording. [default: {RECORDED:,}]"
)
@json_option
def command(
    what: tuple[str, ...], method: str, other: str | None, seed: int, port: int, host: str, agents: tuple[str, ...],
    no_browser: bool, file: str | None, iterations: int | None, as_json: bool,
) -> int:  # fmt: skip
    """Watch a method learn a small game (default: kuhn), browse run folders and strategies, or play hold'em.

    \b
    mccfr watch
    mccfr watch leduc --method outcome+history --other cfr
    mccfr watch runs/
    mccfr watch turn.mccfr blueprint:nolimit
    mccfr watch --agent blueprint:nolimit
    mccfr watch kuhn --export kuhn.html
    """
    _require_packages()
    from mccfr.web.admit import Given, method_of, scene_of
    from mccfr.web.messages import Open

    games, paths = _sorted(what)
    if iterations is not None and file is None:
        raise click.UsageError("--iterations goes with --export; on the page, press j to jump")
    if agents and file is not None:
        raise click.UsageError("--agent needs a server: a recording cannot play")
    _require_agents(agents)
    game = games[0] if games else "kuhn"
    given = Given((game,), tuple(text for text in (method, other) if text is not None), agents)
    scene = scene_of(game, given)
    with scene.first_look():
        for text in given.methods:  # whatever is wrong with one is told before serving
            mccfr.Solver(scene.tree, method_of(text, scene.tree, given), seed)
    wish = Open(type="open", game=game, method=method, other=other, seed=seed)
    if file is not None:
        return _export(file, wish, iterations or RECORDED, given, as_json)
    return _serve(wish, given, paths, (host, port), no_browser, as_json)


def _require_packages() -> None:
    """Refuse at once if what the page needs is not installed."""
    for package in PAGE_PACKAGES:
        if importlib.util.find_spec(package) is None:
            raise MissingExtra(package, "web", "mccfr watch")


def _require_agents(agents: tuple[str, ...]) -> None:
    """Refuse agents that cannot play, before anything is served."""
    from mccfr.web.opponents import seated

    for name in agents:
        seated(name)[0].close()


def _sorted(what: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Games, and paths of runs and strategies."""
    paths = [text for text in what if Path(text).is_dir() or text.endswith(STRATEGY_SUFFIX) or _is_blueprint(text)]
    games = [text for text in what if text not in paths]
    for text in paths:
        if not Path(text).exists() and not _is_blueprint(text):
            raise FileError(f"cannot read {text}: no such file")
    for text in games:
        if "/" in text and not text.partition("(")[0].partition(":")[2] and not text.endswith((".efg", ".py")):
            raise FileError(f"cannot read {text}: no such folder")
    if len(games) > 1:
        raise GameError(f"watch takes one game, not {' and '.join(games)}; a second method is --other M")
    return games, paths


def _is_blueprint(text: str) -> bool:
    return text.startswith(BLUEPRINT)


def _export(file: str, wish: "Open", iterations: int, given: "Given", as_json: bool) -> int:
    if not file.endswith((".html", ".htm")):
        raise FileError(f"a recording is a web page: give --export a name that ends in .html, not {file}")
    require_writable(file)
    from mccfr.web.recording import record, write_recording

    write_recording(file, record(wish, iterations, given))
    size = Path(file).stat().st_size
    facts = {"out": file, "game": wish.game, "method": wish.method, "seed": wish.seed, "iterations": iterations}
    if as_json:
        print_json({"command": "watch", **facts, "bytes": size})
    else:
        what = f"{iterations:,} iterations of {wish.method} on {wish.game}"
        click.echo(f"{file}: {what}, {size / 2**20:.1f} MB; open it in a browser")
    return OK


def _serve(wish: "Open", given: "Given", paths: list[str], at: tuple[str, int], no_browser: bool, as_json: bool) -> int:
    from mccfr.web.runs_view import find_sources, warm_up
    from mccfr.web.serving import address, listening, serve

    sources = find_sources(tuple(paths))
    host, port = at
    listener: socket.socket = listening(host, port)
    state = {
        "view": "play" if given.agents else "runs" if paths else "compare" if wish.other else "watch",
        "game": wish.game,
        "method": wish.method,
    }
    where = address(
        host,
        listener.getsockname()[1],
        {**state, "other": wish.other, "seed": wish.seed, "agent": given.agents[0] if given.agents else None},
    )
    if not _is_loopback(host):
        click.echo(f"warning: listening on {host}: others on the network can use this page", err=True)

    def ready() -> None:
        threading.Thread(target=warm_up, args=(sources,), daemon=True).start()
        if as_json:
            found = {"runs": len(sources.runs), "strategies": len(sources.strategies)}
            print_json({"command": "watch", "address": where, **found})
        else:
            click.echo(f"watch at {where} (Ctrl-C ends)")
        if not no_browser:
            webbrowser.open(where)

    serve(listener, host, given, sources, ready)
    return OK


def _is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")
