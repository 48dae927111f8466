"""Who may talk to the server: pages that it served itself, under an address of this machine.

A browser sends along which host it believes to be talking to and which site's script is talking. Another web site can
make a browser knock here, also by giving its own name this machine's address; but it cannot hide its name.
"""

import ipaddress
import re
from collections.abc import Iterable
from typing import Any

LOCALHOST, ANY_ADDRESS = "localhost", "0.0.0.0"
FORBIDDEN = b"mccfr watch answers only pages of its own, at the address that it was started with"
AUTHORITY = re.compile(r"(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,253}))(?::[0-9]{1,5})?")  # a name or address, a port


class KnownHosts:
    """ASGI middleware: 403 for a Host that is not ours, or an Origin that is not the Host."""

    def __init__(self, app: Any, names: tuple[str, ...] = (LOCALHOST,), refusal: bytes = FORBIDDEN) -> None:
        self.refusal = refusal
        self.app, self.names = app, {name.lower() for name in names}
        self.anywhere = ANY_ADDRESS in self.names

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass on or refuse."""
        if scope["type"] not in ("http", "websocket") or self.admits(scope["headers"]):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": self.refusal.decode()})
        else:
            kind = b"application/json" if self.refusal.startswith(b"{") else b"text/plain"
            headers = [(b"content-type", kind), (b"content-length", str(len(self.refusal)).encode())]
            await send({"type": "http.response.start", "status": 403, "headers": headers})
            await send({"type": "http.response.body", "body": self.refusal})

    def admits(self, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        """Whether a request comes from a page of ours, or from a program on this machine."""
        hosts, origins = (_values(headers, name) for name in (b"host", b"origin"))
        if len(hosts) != 1 or len(origins) > 1:  # which of two would be meant?
            return False
        match = AUTHORITY.fullmatch(hosts[0])
        return match is not None and self._known(match[1] or match[2]) and origins in ([], [f"http://{hosts[0]}"])

    def _known(self, name: str) -> bool:
        """A loopback address, or one of the names; any address, where all are served: only names can be forged."""
        if name in self.names:
            return True
        try:
            return ipaddress.ip_address(name).is_loopback or self.anywhere
        except ValueError:
            return False


def _values(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> list[str]:
    """What a request says under a name, as often as it says it."""
    return [value.decode("latin-1").lower() for name, value in headers if name.lower() == wanted]
