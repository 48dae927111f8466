"""What happens in a run, told to a listener and kept in `events.jsonl`, one JSON object a line."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

Listener = Callable[..., None]  # on_event(kind, **facts)


class Events:
    """A log that is only added to. What cannot be written (a full disk) is told all the same."""

    def __init__(self, path: Path, listener: Listener | None) -> None:
        self.path, self.listener = path, listener
        self._mend()

    def tell(self, kind: str, **facts: Any) -> None:
        """Log an event and tell the listener; facts are JSON values."""
        time = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"time": time, "event": kind, **facts}, ensure_ascii=False) + "\n"
        try:
            with self.path.open("ab") as file:
                file.write(line.encode())
        except OSError:
            self._mend()
        if self.listener is not None:
            self.listener(kind, **facts)

    def _mend(self) -> None:
        """Drop a last line that was cut short."""
        try:
            content = self.path.read_bytes()
            if content and not content.endswith(b"\n"):
                with self.path.open("r+b") as file:
                    file.truncate(content.rfind(b"\n") + 1)
        except OSError:
            pass


def read_events(path: Path) -> list[dict[str, Any]]:
    """All events so far; a line cut short by a crash is left out."""
    found = []
    for line in path.read_bytes().splitlines() if path.exists() else ():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return [event for event in found if isinstance(event, dict)]
