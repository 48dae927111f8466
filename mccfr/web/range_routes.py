"""Where pages ask for nodes of hold'em strategies: a node, single hands of it, and how two nodes differ.

Lines and ranges are typed by people, so that one which makes no sense is an answer like any other, with `refused` in
it: a browser writes every answer that is an error to its console.
"""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import FastAPI, Query

from mccfr.errors import MccfrError
from mccfr.web.node_differences import difference_page
from mccfr.web.range_nodes import check_made, exploitability_page, hands_page, node_page, runouts_page
from mccfr.web.runs_view import Sources

Line = Annotated[str, Query(max_length=300)]
Chosen = Annotated[str, Query(max_length=2000)]  # a range
Player = Annotated[int | None, Query(ge=0, le=1)]
Made = Annotated[str, Query(max_length=20)]


def or_refused(answer: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """An answer, or one line that says why there is none."""
    try:
        return answer()
    except MccfrError as error:
        return {"refused": " ".join(str(error).split())}


def add_ranges(app: FastAPI, sources: Sources) -> None:
    """Add the routes to an application."""

    @app.get("/api/strategies/{number}/node")
    def one_node(
        number: int, line: Line = "", player: Player = None, filter: Chosen = "", made: Made = ""
    ) -> dict[str, Any]:
        return or_refused(lambda: node_page(sources.book(number), line, player, filter, check_made(made)))

    @app.get("/api/strategies/{number}/hands")
    def some_hands(
        number: int, hand: Chosen, line: Line = "", player: Player = None, made: Made = ""
    ) -> dict[str, Any]:
        return or_refused(lambda: hands_page(sources.book(number), line, player, hand, check_made(made)))

    @app.get("/api/strategies/{number}/runouts")
    def all_runouts(number: int, line: Line = "") -> dict[str, Any]:
        return or_refused(lambda: runouts_page(sources.book(number), line))

    @app.get("/api/strategies/{number}/exploitability")
    def how_exploitable(number: int) -> dict[str, Any]:
        return or_refused(lambda: exploitability_page(sources.book(number)))

    @app.get("/api/strategies/{number}/difference")
    def one_difference(
        number: int,
        other: int,
        line: Line = "",
        player: Player = None,
        other_line: Line = "",
        other_player: Player = None,
        filter: Chosen = "",
    ) -> dict[str, Any]:
        def answer() -> dict[str, Any]:
            first, second = sources.book(number), sources.book(other)
            return difference_page(first, line, player, second, other_line, other_player, filter)

        return or_refused(answer)
