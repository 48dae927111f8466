"""Mistakes in histories, Slumbot's replies and the service, planted into copies of the package: examples notice each.

This file is also the program that tries the copies.
"""

import tempfile
from pathlib import Path

import protocol_examples
import pytest
from planting import catching, one_each, try_copies

STRINGS, CARDS, PHH = "protocols/slumbot_betting", "protocols/shown_cards", "protocols/phh"
WRITING, FILES, REPLY, SERVICE = (
    f"protocols/{name}" for name in ("phh_writing", "phh_files", "slumbot_reply", "service")
)

BUGS = {
    "empty streets are left out": (STRINGS, 'return found + "/" * unplayed', "return found"),
    "no slash between streets": (STRINGS, '"/" * (after.street - s.street)', '""'),
    "slashes do not matter": (STRINGS, 'if text.rstrip("/") != written.rstrip("/") or', "if"),
    "a slash too many": (STRINGS, "or len(text) > len(written)", ""),
    "illegal moves are read": (STRINGS, "        if problem:\n", "        if not problem:\n"),
    "cards may be there twice": (CARDS, "if card in cards[:place]:", "if card in cards[place + 1 : place]:"),
    "any number of cards": (CARDS, "if len(cards) != expected:", "if len(cards) > expected:"),
    "the blinds are exchanged": (PHH, "return antes[0], blinds[0], blinds[1]", "return antes[0], blinds[1], blinds[0]"),
    "the order of blinds does not matter": (PHH, "not 0 < blinds[0] <= blinds[1]", "0 in blinds"),
    "antes may differ": (PHH, "len(antes) != 2 or antes[0] != antes[1]", "len(antes) != 2"),
    "antes are forgotten": (PHH, "return antes[0], blinds", "return 0, blinds"),
    "the larger stack counts": (PHH, "NoLimit(stack=min(stacks)", "NoLimit(stack=max(stacks)"),
    "bets beyond the stack stay": (PHH, "amount = min(amount, bounds[1])", "amount = max(amount, bounds[0])"),
    "any player moves": (PHH, "if seat != self.s.mover:", "if seat > 1:"),
    "moves before the board": (
        PHH,
        'if len(self.board) < self._board_size():\n            raise HistoryError(f"the {STREET',
        'if False:\n            raise HistoryError(f"the {STREET',
    ),
    "the board has no end": (PHH, "if len(self.board) > most:", "if len(self.board) > 9:"),
    "a shown hand need not be the dealt one": (PHH, "not known <= set(shown)", "False"),
    "hands need not end": (PHH, "    told.require_end()\n", ""),
    "finishing stacks are not compared": (PHH, "and told != found:", "and False:"),
    "giving up wins": (PHH, "won[0 if 1 in given_up else 1]", "won[1 if 1 in given_up else 0]"),
    "the better hand may be given up": (PHH, "hand.winner not in {0, 1} - given_up", "False"),
    "decimals are cut off": (PHH, "or whole != int(whole)", ""),
    "decimals do not count": (FILES, "scale = 10 ** max(", "scale = 1 ** max("),
    "chips have the scale of stacks only": (
        PHH,
        'chips(Decimal(text), self.scale, "a bet")',
        'chips(Decimal(text), 1, "a bet")',
    ),
    "a fold is written as a call": (WRITING, '"f" if move.kind == FOLDS', '"f" if move.kind > FOLDS'),
    "amounts are written by the hand": (WRITING, 'f"cbr {move.amount}"', 'f"cbr {s.opened + move.amount}"'),
    "players are exchanged": (WRITING, 'f"p{s.mover + 1} {word}"', 'f"p{2 - s.mover} {word}"'),
    "the finishing stacks are exchanged": (WRITING, "for chips in hand.chips)", "for chips in hand.chips[::-1])"),
    "the rest of the board is left out": (
        WRITING,
        "if laid < table.board_size(street) <= len(hand.board):",
        "if False:",
    ),
    "winnings are not compared": (REPLY, "if reply.winnings not in expected:", "if reply.winnings not in possible:"),
    "winnings may lack": (REPLY, "if over != (reply.winnings is not None):", "if over < (reply.winnings is not None):"),
    "winnings may come early": (
        REPLY,
        "if over != (reply.winnings is not None):",
        "if over > (reply.winnings is not None):",
    ),
    "our cards are the bot's": (REPLY, "if reply.seat == 0:", "if reply.seat == 1:"),
    "any board will do": (REPLY, "if len(reply.board) not in sizes:", "if len(reply.board) > 5:"),
    "anybody may be asked": (SERVICE, "if seen.state.mover != seen.seat:", "if seen.state.mover == OVER:"),
    "the first hand of a state": (SERVICE, "both[seat]", "both[0]"),
    "the seat is the dealer": (SERVICE, "return max(s.mover, 0)", "return 1"),
}


caught = catching(__file__, one_each(BUGS))


@pytest.mark.slow
def test_the_package_as_it_is_has_all_examples_right(caught):
    assert caught[None] == []


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_examples_notice(caught, bug):
    assert caught[bug]


def all_wrong():
    """All examples that come out wrong."""
    with tempfile.TemporaryDirectory() as folder:
        return protocol_examples.wrong(Path(folder))


if __name__ == "__main__":
    try_copies(all_wrong)
