"""What happens in a run, told to a listener and kept in `events.jsonl`, one JSON object a line."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mccfr.errors import FileError
from mccfr.files.bounded import open_beside, parse_json, read_plain

MOST = 2**28  # bytes of a log that is still read
LONGEST = 2**20  # bytes of a line

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
            with open_beside(self.path, "ab") as file:
                file.write(line.encode())
        except OSError:
            self._mend()
        if self.listener is not None:
            self.listener(kind, **facts)

    def _mend(self) -> None:
        """Drop a last line that was cut short."""
        try:
            with open_beside(self.path, "r+b") as file:
                start = max(0, file.seek(0, 2) - LONGEST)
                file.seek(start)
                tail = file.read()
                if tail and not tail.endswith(b"\n"):
                    file.truncate(start + tail.rfind(b"\n") + 1)
        except OSError:
            pass


def read_events(path: Path) -> list[dict[str, Any]]:
    """All events so far; a line that is none, such as one cut short by a crash, is left out."""
    try:
        lines = read_plain(path, MOST).splitlines()
    except FileNotFoundError:
        return []
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror or error}") from None
    found = []
    for line in lines:
        try:
            found.append(parse_json(line))
        except ValueError:
            continue
    return [event for event in found if isinstance(event, dict) and _is_dated(event)]


def _is_dated(event: dict[str, Any]) -> bool:
    """Whether it says what happened and when."""
    try:
        datetime.fromisoformat(event["time"]).astimezone()
    except (KeyError, TypeError, ValueError, OverflowError, OSError):
        return False
    return isinstance(event.get("event"), str)
