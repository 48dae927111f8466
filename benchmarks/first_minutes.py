"""How long a newcomer waits: for the package, the command's help, the demo, and the page of `mccfr watch`.

    python benchmarks/first_minutes.py [--runs 5]

Wall times of whole processes, medians over runs. "Cold" has empty cache folders, so that every kernel is compiled;
"again" is the same once more. The page is timed from starting the command until a browser that is already running shows
the tree, then one step, then until the kernels are compiled. Needs Playwright and Chromium for the page.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parent.parent
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
PATIENCE = 120_000  # milliseconds
MCCFR = [sys.executable, "-m", "mccfr"]
SHORT = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "import mccfr": [sys.executable, "-c", "import mccfr"],
    "mccfr --help": [*MCCFR, "--help"],
    "mccfr games": [*MCCFR, "games"],
}


def environment(folder: Path) -> dict[str, str]:
    """This checkout, with cache folders of its own."""
    caches = {"MCCFR_CACHE": str(folder / "mccfr")}
    return {**os.environ, "PYTHONPATH": str(HOME), **caches}


def seconds(command: list[str], folder: Path) -> float:
    """Wall time of a process."""
    began = time.perf_counter()
    subprocess.run(command, env=environment(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def report(what: str, times: list[float]) -> None:
    """One line of the table."""
    print(f"{what:<44}{statistics.median(times):8.2f} s   ({min(times):.2f} to {max(times):.2f})", flush=True)


def time_commands(runs: int) -> None:
    """Short commands, and the demo with and without compiled kernels."""
    with tempfile.TemporaryDirectory() as folder:
        for what, command in SHORT.items():
            seconds(command, Path(folder))  # its .pyc files and pages of disk
            report(what, [seconds(command, Path(folder)) for _ in range(4 * runs)])
    cold, again = [], []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            cold.append(seconds([*MCCFR, "demo"], Path(folder)))
            again.append(seconds([*MCCFR, "demo"], Path(folder)))
    report("mccfr demo, cold", cold)
    report("mccfr demo, again", again)


def time_page(browser: Any, folder: Path) -> dict[str, float]:
    """Seconds from starting `mccfr watch` until each thing is there."""
    began, reached = time.perf_counter(), {}

    def note(what: str) -> None:
        reached[what] = time.perf_counter() - began

    server = subprocess.Popen(
        [*MCCFR, "watch", "--port", "0", "--no-browser"], env=environment(folder), stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        address = server.stdout.readline().split()[2]
        note("address printed")
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(address)
        page.get_by_test_id("tree-drawing").wait_for(timeout=PATIENCE)
        note("tree shown")
        page.get_by_test_id("step").click()
        page.locator("[data-testid=stat-iteration][data-value='1']").wait_for(timeout=PATIENCE)
        note("one step taken")
        page.locator("#notice").wait_for(state="hidden", timeout=PATIENCE)
        note("kernels compiled")
        page.close()
    finally:
        server.terminate()
        server.wait()
    return reached


def time_pages(runs: int) -> None:
    """The page, cold and again."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return print("the page is not timed: pip install '.[dev]'")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        return print("the page is not timed: there is no Chromium")
    found: dict[str, list[dict[str, float]]] = {"cold": [], "again": []}
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=FLAGS)
        browser.new_page().goto("about:blank")
        for _ in range(runs):
            with tempfile.TemporaryDirectory() as folder:
                for times in found.values():
                    times.append(time_page(browser, Path(folder)))
        browser.close()
    for which, times in found.items():
        for what in times[0]:
            report(f"mccfr watch, {which}: {what}", [one[what] for one in times])
    return None


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    load = os.getloadavg()[0]
    print(
        f"median of {runs} runs (4 times as many of short ones); load {load:.1f} on {os.cpu_count()} cores at the start"
    )
    time_commands(runs)
    time_pages(runs)


if __name__ == "__main__":
    main()
