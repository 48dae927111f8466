"""Lines read from a person or a pipe: any text will do, and none is too long."""

import io
import sys

import click

LONGEST = 1000  # characters of a line; what follows is dropped


class Lines:
    """Answers, line by line. In a pipe they are echoed, so that what is printed can be read as a whole."""

    def __init__(self) -> None:
        """Look at stdin; what is no text becomes question marks."""
        self.terminal = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")

    def read(self, prompt: str) -> str | None:
        """The next line, or None where there is none."""
        if self.terminal:
            try:
                return input(prompt)[:LONGEST]
            except EOFError:
                click.echo()
                return None
        click.echo(prompt, nl=False)
        found = sys.stdin.readline(LONGEST)
        rest = found
        while len(rest) == LONGEST and not rest.endswith("\n"):
            rest = sys.stdin.readline(LONGEST)
        if not found:
            click.echo()
            return None
        line = found.rstrip("\n")
        click.echo("".join(c if c.isprintable() else "?" for c in line[:80]))
        return line
