"""The view "Methods": a page for each family of methods, with what its iterations cost. Texts are in a file beside."""

import functools
import json
import tomllib
from pathlib import Path
from typing import Any

from mccfr.solvers.method import Method
from mccfr.web.explain import about_method

HERE = Path(__file__).parent
TEXTS = HERE / "method_pages.toml"
COSTS = HERE / "method_costs.json"  # written by docs/generate_method_costs.py
ITERATIONS = 10_000  # that a figure runs if the page says nothing else


@functools.cache
def texts() -> dict[str, Any]:
    """Groups, pages and sources, as written."""
    return tomllib.loads(TEXTS.read_text(encoding="utf-8"))


@functools.cache
def costs() -> dict[str, dict[str, dict[str, Any]]]:
    """What iterations cost, by game and method."""
    found: dict[str, dict[str, dict[str, Any]]] = json.loads(COSTS.read_text(encoding="utf-8"))
    return found


def wanted_costs() -> list[tuple[str, str]]:
    """All games and methods whose costs the pages show."""
    found = [(game, method) for page in texts()["page"] for game in _small(page) for method in page["costs"]]
    return sorted(set(found))


def _small(page: dict[str, Any]) -> tuple[str, str]:
    """The two games that costs are shown for."""
    dealt = "dealt:" if any(game.startswith("dealt:") for game in page["games"]) else ""
    return f"{dealt}kuhn", f"{dealt}leduc"


@functools.cache
def method_pages() -> dict[str, Any]:
    """What the page is sent: every text with its sources, costs and the titles of the methods that it names."""
    known = texts()
    return {
        "groups": [{"key": key, "title": title} for key, title in known["groups"].items()],
        "pages": [_page(page, known["sources"]) for page in known["page"]],
    }


def _page(page: dict[str, Any], sources: dict[str, dict[str, str]]) -> dict[str, Any]:
    return {
        **page,
        "formula": page["formula"].strip("\n"),
        "gadgets": page.get("gadgets", False),
        "iterations": page.get("iterations", ITERATIONS),
        "costs": [_cost(method, _small(page)) for method in page["costs"]],
        "titles": {method: about_method(Method.parse(method))["title"] for method in page["curves"]},
        "sources": [{**source, **sources[source["key"]]} for source in page["sources"]],
    }


def _cost(method: str, games: tuple[str, str]) -> dict[str, Any]:
    return {"method": method, "games": [{"game": game, **costs()[game][method]} for game in games]}
