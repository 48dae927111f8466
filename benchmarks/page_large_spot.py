"""How long the page of `mccfr watch` takes to show a large solved spot: from the address to the grid.

    python benchmarks/page_large_spot.py                 a file of about 100 MB
    python benchmarks/page_large_spot.py --keep FOLDER   the file is kept there, and used again the next time

A turn with wide ranges and many sizes is solved for a few iterations, in float32, and saved. `mccfr watch FILE` is then
started as a user would start it, and a browser opens its address: a first time, and once more with a fresh browser.
Prints the size of the file, how long the server took to start, and the seconds from the address to the first grid and
to the grid after the next move. Kernels are compiled once beforehand (`warm`), as on a machine that has been used.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import mccfr

WIDE = "22+,A2s+,K2s+,Q2s+,J5s+,T6s+,96s+,86s+,75s+,64s+,54s,A2o+,K7o+,Q8o+,J8o+,T8o+,98o"
SIZES = {"bet": "25%,50%,75%,150%,a", "raise_": "2.5x,a"}
ITERATIONS = 3
PATIENCE = 120_000  # milliseconds


def solved(folder: Path) -> Path:
    """The file, made if it is not there yet."""
    file = folder / "large_turn.mccfr"
    if not file.exists():
        spot = mccfr.spot("Qs Jh 2h 8c", pot=180, stack=910, oop=WIDE, ip=WIDE, **SIZES)
        mccfr.solve(spot, "dcfr", iterations=ITERATIONS).strategy().save(file)
    return file


def warm(file: Path) -> None:
    """Compile what a view needs: kernels are kept on disk."""
    mccfr.view(mccfr.load(file))


def main() -> None:
    """Make the file, start the server, and look."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, help="a folder for the file")
    folder = parser.parse_args().keep
    with tempfile.TemporaryDirectory() as scratch:
        file = solved(folder or Path(scratch))
        warm(file)
        print(f"file            {file.stat().st_size / 1e6:.0f} MB")
        measure(file)


def measure(file: Path) -> None:
    """Start the server with the file and open its page twice."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "mccfr", "watch", str(file), "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found is not None, "the server did not start"
            print(f"server          {time.perf_counter() - began:.2f} s until it listens")
            look(found[0])
        finally:
            server.terminate()


def look(address: str) -> None:
    """Open the page in a fresh browser, twice, and make a move."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    for name in ("first", "second"):
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            began = time.perf_counter()
            page.goto(address)
            page.wait_for_selector("[data-testid=grid] .cell .column", timeout=PATIENCE)
            drawn = time.perf_counter()
            page.get_by_test_id("move-k").click()
            page.wait_for_selector("[data-testid=crumbs] :nth-child(2)", timeout=PATIENCE)
            moved = time.perf_counter()
            print(f"{name:<15} {drawn - began:.2f} s to the grid, {moved - drawn:.2f} s to the next node")
            browser.close()


if __name__ == "__main__":
    main()
