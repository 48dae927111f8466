"""Builds the documentation site and checks what came out.

    python docs/build_site.py              # into site/
    python docs/build_site.py FOLDER

MkDocs complains about links in Markdown; this also looks at the HTML itself: every link and anchor inside the site
leads somewhere, and no page loads a script, style, font or picture from elsewhere.
"""

import argparse
import logging
import os
import re
import sys
import time
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parent.parent
LOADS = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "link": "href",
}
NOT_LOADED = {"canonical", "prev", "next", "alternate"}  # what a <link> may be without being fetched
STYLE_LOADS = re.compile(r"(?:url\(\s*['\"]?|@import\s+['\"])((?:https?:)?//[^'\")\s]+)")


class PageParts(HTMLParser):
    """What a page links to, what it loads, and the anchors it has."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value for name, value in attrs if value is not None}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag in LOADS and LOADS[tag] in values and values.get("rel") not in NOT_LOADED:
            self.loads.append(values[LOADS[tag]])


def problems(site: Path) -> list[str]:
    """Broken links and anchors, and whatever pages and styles would fetch from the network."""
    pages = {path: PageParts(path.read_text()) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, parts in pages.items():
        name = path.relative_to(site)
        found += [f"{name} loads {address}" for address in parts.loads if _outside(address)]
        links = parts.links if path.name != "404.html" else []  # its links are absolute: no page links to it
        for address in {*links, *(load for load in parts.loads if not _outside(load))}:
            found += _broken(path, address, pages, site)
    for path in sorted(site.rglob("*.css")):
        found += [f"{path.relative_to(site)} loads {address}" for address in STYLE_LOADS.findall(path.read_text())]
    return found


def _outside(address: str) -> bool:
    return address.startswith(("http://", "https://", "//"))


def _broken(path: Path, address: str, pages: dict[Path, PageParts], site: Path) -> list[str]:
    split = urlsplit(address)
    if split.scheme or split.netloc or (address.startswith("/") and path.name == "404.html"):
        return []
    target = (path.parent / unquote(split.path)).resolve() if split.path else path
    target = target / "index.html" if target.is_dir() else target
    if not target.is_file():
        return [f"{path.relative_to(site)} links to {address}, which does not exist"]
    anchor = unquote(split.fragment)
    if anchor and target in pages and anchor not in {*pages[target].anchors, "__codelineno"}:
        return [f"{path.relative_to(site)} links to {address}, which has no such anchor"]
    return []


def build(folder: Path) -> None:
    """Build the site; a warning is an error."""
    logging.basicConfig(format="%(message)s", level=logging.WARNING)  # else nobody learns what was wrong
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    from mkdocs.commands.build import build as build_site
    from mkdocs.config import load_config

    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder), strict=True)
    config.plugins.on_startup(command="build", dirty=False)
    build_site(config)
    config.plugins.on_shutdown()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, default=ROOT / "site")
    folder = parser.parse_args().folder.resolve()
    began = time.perf_counter()
    build(folder)
    found = problems(folder)
    pages = len(list(folder.rglob("*.html")))
    sys.stdout.write("".join(f"{line}\n" for line in found))
    sys.stdout.write(f"{pages} pages in {folder}, {time.perf_counter() - began:.1f} s, {len(found)} problems\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
