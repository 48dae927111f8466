"""Takes the pictures of the Watch view and its tour: python docs/take_screenshots.py (half a minute; needs Chromium).

Each is taken at 1280 and at 390 pixels, light and dark, and stored in docs/images in few colours, below 150 KB.
"""

import io
import shutil
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

import uvicorn
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from mccfr.web.server import make_app

IMAGES = Path(__file__).parent / "images"
SIZES = {1280: 900, 390: 844}
FLAGS = ["--no-sandbox", "--disable-gpu"]
COLOURS = 256  # enough for the page, and files stay small


class Picture(NamedTuple):
    """A name, what follows the # of the address, and what to do before the picture is taken."""

    name: str
    state: str
    act: Callable[[Page], None]


def at_rest(page: Page) -> None:
    """The first visit, before any step."""
    page.get_by_test_id("tree-drawing").wait_for()


def inside(page: Page) -> None:
    """A step of a walk."""
    page.get_by_test_id("tour-decline").click()
    page.locator("#rules summary").click()
    page.get_by_test_id("event-12").wait_for()
    page.evaluate("window.scrollTo(0, 0)")


def learned(page: Page) -> None:
    """The learning panel after many iterations."""
    page.wait_for_function("Number(document.querySelector('[data-testid=stat-iteration]').dataset.value) === 20000")
    page.locator("#learning").scroll_into_view_if_needed()
    page.evaluate("window.scrollTo(0, document.getElementById('learning').offsetTop - 90)")


def toured(page: Page) -> None:
    """The step of the tour about regret."""
    page.wait_for_selector("#tour[data-step='6']", timeout=60_000)


PICTURES = (
    Picture("watch-first", "game=kuhn&method=external&seed=1", at_rest),
    Picture("watch-watch", "game=kuhn&method=external&seed=1&iteration=3&step=12", inside),
    Picture("watch-learning", "game=kuhn&method=external&seed=1&iteration=20000", learned),
    Picture("watch-tour", "tour=6", toured),
)


@contextmanager
def serving() -> Iterator[str]:
    """A server on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(make_app(), "127.0.0.1", port, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}/"
    server.should_exit = True
    thread.join(10)


def take(browser: Browser, address: str, picture: Picture, width: int, scheme: Any) -> bytes:
    """One picture as PNG."""
    context = browser.new_context(
        viewport={"width": width, "height": SIZES[width]}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(f"{address}#{picture.state}")
    picture.act(page)
    page.wait_for_timeout(800)
    taken = page.screenshot()
    context.close()
    return taken


def store(taken: bytes, name: str) -> None:
    """In few colours."""
    Image.open(io.BytesIO(taken)).convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE).save(
        IMAGES / f"{name}.png", optimize=True
    )


def file_name(picture: Picture, width: int, scheme: str) -> str:
    """The wide light one has the plain name."""
    narrow, dark = width < 600, scheme == "dark"
    return picture.name + "-phone" * narrow + "-dark" * dark


def main() -> None:
    """All of them."""
    with serving() as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for picture in PICTURES:
            for width in SIZES:
                for scheme in ("light", "dark"):
                    store(take(browser, address, picture, width, scheme), file_name(picture, width, scheme))
        browser.close()


if __name__ == "__main__":
    main()
