"""Requests of a page that are kept waiting, so that answers come late when a test wants them to."""

from typing import Any

from playwright.sync_api import Page, Route


class Held:
    """All requests for an address, until they are let go."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.routes, self.free = page, [], False
        page.route(address, self._came)

    def _came(self, route: Route) -> None:
        if self.free:
            route.continue_()
        else:
            self.routes.append(route)

    def wait(self) -> None:
        """Until there is one; later ones are not held."""
        while not self.routes:
            self.page.wait_for_timeout(20)
        self.free = True

    def let_go(self, **answer: Any) -> None:
        """To the server, or with an answer of the test's own; and until the page has seen it."""
        for route in self.routes:
            with self.page.expect_response(route.request.url):
                route.fulfill(**answer) if answer else route.continue_()
        self.page.wait_for_timeout(200)
