"""The table of `mccfr play`: in a terminal with cards drawn, in a pipe as plain lines."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from mccfr.cli.asking import Lines
from mccfr.cli.card_drawing import can_draw, drawn_cards
from mccfr.cli.output import console
from mccfr.playing.hand_words import YOU, cards_text, hand_title, result_text, stacks_left, street_text, told_move
from mccfr.playing.human import LeftTheTable, Offer, keys_text

if TYPE_CHECKING:
    from mccfr.playing.seen import Result, Seen

NARROW = 44  # columns below which cards are not drawn
PROMPT = "> "
HELP = """\
  f            fold
  c or k       call or check
  1, 2, ...    one of the sizes offered
  b40 or r40   bet or raise to 40 chips: what you have put in on this street in all; 40 alone does it too
  75%          bet or raise by 75 % of the pot (as it is after a call)
  a            all-in
  ?            this help
  q            quit; Ctrl-C and the end of the input do it too"""


class TableScreen:
    """Shows a hand to a person, and reads its answers."""

    def __init__(self, lines: Lines, bot: str, tells_end: bool = True) -> None:
        """Remember where answers come from, what the other player is called, and whether to say how hands end."""
        self.lines, self.bot, self.tells_end = lines, bot, tells_end
        self.number = 0
        self._unclear = False

    def begin(self, seen: "Seen") -> None:
        """Show that a hand begins."""
        self.number += 1
        self._before = seen.state
        self._street = 0
        self.rule(f"Hand {self.number}: you are the {hand_title(seen.table, seen.seat)}")
        if not self.fancy:
            click.echo(f"Your cards: {cards_text(seen.table, seen.hole)}")

    def show(self, seen: "Seen") -> None:
        """Say what was done last, and show cards that came."""
        s = self._before
        click.echo(told_move(YOU if s.mover == seen.seat else self.bot, s, seen.moves[-1]))
        self._before = seen.state
        street = len([size for size in self._sizes(seen) if size <= len(seen.board)]) - 1
        if street > self._street:
            self._street = street
            click.echo(f"{street_text(street).capitalize()}: {self._cards(seen, seen.board)} (pot {seen.pot})")

    def ask(self, seen: "Seen", offered: Sequence[Offer]) -> str:
        """What was typed; `?` and `q` are answered here."""
        if not self._unclear:
            self.draw(seen)
            click.echo("  ".join(f"[{offer.key}] {offer.text}" for offer in offered) + "  [?] help")
        self._unclear = False
        while True:
            found = self.lines.read(PROMPT)
            typed = None if found is None else found.strip().lower()
            if typed is None or typed in ("q", "quit", "exit"):
                raise LeftTheTable("left the table")
            if typed in ("?", "h", "help"):
                click.echo(HELP)
            elif typed:
                return found or ""
            else:
                click.echo(keys_text(seen, offered))

    def hint(self, text: str) -> None:
        """Say why an answer was not understood; the question is not printed again."""
        click.echo(text)
        self._unclear = True

    def finish(self, seen: "Seen", result: "Result") -> None:
        """Say how a hand ended, with the other player's cards if they were shown."""
        if self.tells_end:
            theirs = result.holes[1 - seen.seat]
            shown = f"; {self.bot} had {cards_text(seen.table, theirs)}" if theirs else ""
            click.echo(f"You {result_text(result.chips)}{shown}.")

    @property
    def fancy(self) -> bool:
        """Whether cards are drawn."""
        return self.lines.terminal and can_draw() and console().width >= NARROW

    def rule(self, title: str) -> None:
        """A line with a title."""
        if self.fancy:
            console().rule(title, align="left")
        else:
            click.echo(f"--- {title}")

    def draw(self, seen: "Seen") -> None:
        """The table before a decision."""
        self._draw_boxes(seen) if self.fancy else click.echo(self._in_a_line(seen))

    def _in_a_line(self, seen: "Seen") -> str:
        left = stacks_left(seen.table, seen.state)
        on = f" on {cards_text(seen.table, seen.board)}" if seen.board else ""
        stacks = "" if left is None else f"; you have {left[seen.seat]}, {self.bot} {left[1 - seen.seat]}"
        cards = f"{cards_text(seen.table, seen.hole)}{on}"
        return f"Your turn, {street_text(seen.state.street)}: {cards}; pot {seen.pot}, to call {seen.asked}{stacks}"

    def _draw_boxes(self, seen: "Seen") -> None:
        out, missing = console(), sum(seen.table.deals) - len(seen.board)
        out.print(f"[dim]{self.bot}{self._chips(seen, 1 - seen.seat)}[/dim]")
        out.print(drawn_cards(seen.table, seen.board, missing))
        out.print(f"pot [bold]{seen.pot}[/bold], to call [bold]{seen.asked}[/bold]")
        out.print(drawn_cards(seen.table, seen.hole))
        out.print(f"[bold]you[/bold]{self._chips(seen, seen.seat)}")

    def _chips(self, seen: "Seen", seat: int) -> str:
        """What a player has put in on this street, and has left."""
        left, bet = stacks_left(seen.table, seen.state), seen.state.stakes[seat] - seen.state.opened
        told = [f"{bet} in"] if bet else []
        told += [] if left is None else [f"{left[seat]} left"]
        return f": {', '.join(told)}" if told else ""

    def _cards(self, seen: "Seen", cards: Sequence[int]) -> str:
        return cards_text(seen.table, cards, symbols=self.fancy)

    def _sizes(self, seen: "Seen") -> list[int]:
        return [seen.table.board_size(street) for street in range(seen.table.streets)]
