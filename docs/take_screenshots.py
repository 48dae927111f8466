"""Takes the pictures of the Watch view and its tour: python docs/take_screenshots.py (half a minute; needs Chromium).

Each is taken at 1280 and at 390 pixels, light and dark, and stored in docs/images in few colours, below 150 KB. Names
after the command, such as watch-public, take only those.
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
ALL = tuple((width, scheme) for width in SIZES for scheme in ("light", "dark"))


class Picture(NamedTuple):
    """A name, what follows the # of the address, what to do before the picture is taken, and at which sizes."""

    name: str
    state: str
    act: Callable[[Page], None]
    kinds: tuple[tuple[int, str], ...] = ALL


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


def public_node(page: Page) -> None:
    """A node of a public tree, and what a walk in semi-vector form touches of it."""
    page.get_by_test_id("tour-decline").click()
    page.get_by_test_id("public-node-1").locator("button").click()
    page.get_by_test_id("form-semi_vector").check()
    page.evaluate("window.scrollTo(0, document.getElementById('public').offsetTop - 70)")


def brute_force(page: Page) -> None:
    """All pure strategies of player 0 beside the best responses."""
    page.wait_for_function("Number(document.querySelector('[data-testid=stat-iteration]').dataset.value) === 1000")
    page.get_by_test_id("clairvoyant").click()
    page.get_by_test_id("brute-0").locator("summary").click()
    page.evaluate("window.scrollTo(0, document.getElementById('clairvoyance').offsetTop - 330)")


PUBLIC = "game=dealt:kuhn(suits=2)&method=vector&seed=1&iteration=200"
PICTURES = (
    Picture("watch-first", "game=kuhn&method=external&seed=1", at_rest),
    Picture("watch-watch", "game=kuhn&method=external&seed=1&iteration=3&step=12", inside),
    Picture("watch-learning", "game=kuhn&method=external&seed=1&iteration=20000", learned),
    Picture("watch-tour", "tour=6", toured),
    Picture("watch-public", PUBLIC, public_node, ((1280, "light"),)),
    Picture(
        "watch-brute-force", "view=explain&game=kuhn&method=external&iteration=1000", brute_force, ((1280, "light"),)
    ),
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
            for width, scheme in picture.kinds if not sys.argv[1:] or picture.name in sys.argv[1:] else ():
                store(take(browser, address, picture, width, scheme), file_name(picture, width, scheme))
        browser.close()


if __name__ == "__main__":
    main()
