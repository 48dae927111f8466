"""Small tables for notebooks: whatever is shown is escaped."""

import html
from collections.abc import Iterable, Sequence
from typing import Any

_LEFT = "text-align:left"
_RIGHT = "text-align:right"


def html_table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table with a caption. Numbers stand to the right; None is an empty cell."""
    head = "".join(f"<th style='{_LEFT}'>{html.escape(name)}</th>" for name in heads)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    top = f"<thead><tr>{head}</tr></thead>" if heads else ""
    return f"<table><caption style='{_LEFT}'>{html.escape(caption)}</caption>{top}<tbody>{body}</tbody></table>"


def html_facts(caption: str, facts: Iterable[tuple[str, Any]]) -> str:
    """Names and what they are, as a table of two columns; what is None is left out."""
    return html_table(caption, (), [(name, value) for name, value in facts if value is not None])


def _cell(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"<td style='{_LEFT}'>{html.escape('' if value is None else str(value))}</td>"
    text = f"{value:,}" if isinstance(value, int) else f"{value:.6g}"
    return f"<td style='{_RIGHT}'>{text}</td>"
