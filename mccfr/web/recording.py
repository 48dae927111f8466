"""A recording: the page in one file with what the engine did inside, which replays without a server."""

import base64
import json
import os
import re
from collections.abc import Callable
from typing import Any

from mccfr.files.container import atomic
from mccfr.web.about import about
from mccfr.web.admit import Given
from mccfr.web.mathematics import mathematics
from mccfr.web.messages import Open, View
from mccfr.web.server import STATIC, plotly_file
from mccfr.web.session import Session

EACH = 30  # iterations at the beginning that are recorded one by one
APART = 1.15  # afterwards each is so many times further than the last
MOST_CARDS = 200  # infosets in every frame
FORMULAS = 60  # iterations whose updates are recorded as formulas too
IMPORTS = re.compile(r'<script type="importmap">.*?</script>', re.DOTALL)
SHEET = re.compile(r'<link rel="stylesheet" href="static/([\w.-]+)">')


def record(wish: Open, iterations: int, given: Given, watch: Callable[[int], None] | None = None) -> dict[str, Any]:
    """What happened up to an iteration: every one at first, then ever further apart, each told in full."""
    session = Session(given)
    opened = session.open(wish)
    opened["game"] = {**opened["game"], "groups": []}  # grids are laid out by a server
    session.look(View(limit=MOST_CARDS))
    frames = [session.frame(False)]
    formulas: dict[str, Any] = {}
    for stop in _stops(iterations):
        while session.iteration < stop - 1:
            session.advance(stop - 1)
        session.tell()
        frames.append(session.frame(False))
        if stop <= FORMULAS:
            formulas |= _formulas(session)
        if watch is not None:
            watch(session.iteration)
    return {"about": about(given), "opened": opened, "frames": frames, "mathematics": formulas}


def _stops(iterations: int) -> list[int]:
    found, at = [], 0
    while at < iterations:
        at = min(iterations, at + 1 if at < EACH else int(at * APART))
        found.append(at)
    return found


def _formulas(session: Session) -> dict[str, Any]:
    """The mathematics of all infosets that the told iteration updated, of the first lane."""
    lane = session.lanes[0]
    infosets = lane.scene.tree.infosets
    named = [(infosets.owner(j), infosets.labels[j]) for j in sorted(lane.updated)[:MOST_CARDS]]
    return {
        f"{lane.iterations}/{player}/{label}": {**mathematics(lane, player, label), "lane": 0}
        for player, label in named
    }


def write_recording(path: str | os.PathLike[str], recording: dict[str, Any]) -> None:
    """The page with its style, programs, charts and a recording, in one file."""
    with atomic(path) as stream:
        stream.write(page_with(recording).encode())


def page_with(recording: dict[str, Any]) -> str:
    """The text of such a file."""
    page = (STATIC / "index.html").read_text()
    page = SHEET.sub(lambda found: f"<style>\n{(STATIC / found[1]).read_text()}</style>", page)
    modules = {f"page/{file.name}": _as_address(file.read_text()) for file in sorted(STATIC.glob("*.js"))}
    inside = "\n".join(
        (
            f"<script>{_program(plotly_file().read_text())}</script>",
            f'<script type="application/json" id="recording">{_json(recording)}</script>',
            f'<script type="importmap">{_json({"imports": modules})}</script>',
        )
    )
    page, found = IMPORTS.subn(lambda _: inside, page)
    assert found == 1, "the page must have one import map"
    return page.replace('<script src="plotly.js"></script>', "").replace('<script src="/plotly.js"></script>', "")


def _json(value: Any) -> str:
    """JSON as it may stand in a page: nothing in it can end the script it is in, or begin a comment or another one."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))  # ASCII, so with no U+2028 in it
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _program(text: str) -> str:
    """A program that cannot end the script it is in, nor begin a comment; in its strings backslashes add nothing."""
    return text.replace("</", "<\\/").replace("<!--", "<\\!--")


def _as_address(program: str) -> str:
    return f"data:text/javascript;base64,{base64.b64encode(program.encode()).decode()}"
