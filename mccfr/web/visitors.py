"""Who may talk to the server: pages that it served itself, under an address of this machine.

A browser sends along which host it believes to be talking to and which site's script is talking. Another web site can
make a browser knock here, also by giving its own name this machine's address; but it cannot hide its name.
"""

import ipaddress
from typing import Any
from urllib.parse import urlsplit

LOCALHOST, ANY_ADDRESS = "localhost", "0.0.0.0"
FORBIDDEN = b"mccfr watch answers only pages of its own, at the address that it was started with"


class KnownHosts:
    """ASGI middleware: 403 for a Host that is not ours, or an Origin that is not the Host."""

    def __init__(self, app: Any, names: tuple[str, ...] = (LOCALHOST,)) -> None:
        self.app, self.names = app, {name.lower() for name in names}
        self.anywhere = ANY_ADDRESS in self.names

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass on or refuse."""
        if scope["type"] not in ("http", "websocket") or self.admits(dict(scope["headers"])):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": FORBIDDEN.decode()})
        else:
            headers = [(b"content-type", b"text/plain"), (b"content-length", str(len(FORBIDDEN)).encode())]
            await send({"type": "http.response.start", "status": 403, "headers": headers})
            await send({"type": "http.response.body", "body": FORBIDDEN})

    def admits(self, headers: dict[bytes, bytes]) -> bool:
        """Whether a request comes from a page of ours, or from a program on this machine."""
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if not self._known(urlsplit(f"//{host}").hostname or ""):
            return False
        origin = headers.get(b"origin")
        return origin is None or origin.decode("latin-1").lower() == f"http://{host}"

    def _known(self, name: str) -> bool:
        """A loopback address, or one of the names; any address, where all are served: only names can be forged."""
        if name in self.names:
            return True
        try:
            return ipaddress.ip_address(name).is_loopback or self.anywhere
        except ValueError:
            return False
