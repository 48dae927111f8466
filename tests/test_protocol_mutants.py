"""Mistakes in histories, Slumbot's replies and the service, planted into the package: examples notice each.

This file is also the program that tries them.
"""

import tempfile
from pathlib import Path

import protocol_examples
import pytest
from planting import catching, one_each, try_bugs

WRITING, FILES, REPLY, SERVICE = (
    f"protocols/{name}" for name in ("phh_writing", "phh_files", "slumbot_reply", "service")
)

BUGS = {
    "empty streets are left out": (
        "protocols/slumbot_betting:slumbot_text",
        'return found + "/" * unplayed',
        "return found",
    ),
    "no slash between streets": ("protocols/slumbot_betting:slumbot_text", '"/" * (after.street - s.street)', '""'),
    "slashes do not matter": (
        "protocols/slumbot_betting:read_slumbot",
        'if text.rstrip("/") != written.rstrip("/") or',
        "if",
    ),
    "a slash too many": ("protocols/slumbot_betting:read_slumbot", "or len(text) > len(written)", ""),
    "illegal moves are read": (
        "protocols/slumbot_betting:read_slumbot",
        "        if problem:\n",
        "        if not problem:\n",
    ),
    "cards may be there twice": (
        "protocols/shown_cards:require_different",
        "if card in cards[:place]:",
        "if card in cards[place + 1 : place]:",
    ),
    "any number of cards": (
        "protocols/shown_cards:require_count",
        "if len(cards) != expected:",
        "if len(cards) > expected:",
    ),
    "the blinds are exchanged": (
        "protocols/phh:_forced",
        "return antes[0], blinds[0], blinds[1]",
        "return antes[0], blinds[1], blinds[0]",
    ),
    "the order of blinds does not matter": ("protocols/phh:_forced", "not 0 < blinds[0] <= blinds[1]", "0 in blinds"),
    "antes may differ": ("protocols/phh:_forced", "len(antes) != 2 or antes[0] != antes[1]", "len(antes) != 2"),
    "antes are forgotten": ("protocols/phh:_forced", "return antes[0], blinds", "return 0, blinds"),
    "the larger stack counts": ("protocols/phh:read_table", "NoLimit(stack=min(stacks)", "NoLimit(stack=max(stacks)"),
    "bets beyond the stack stay": (
        "protocols/phh:_Telling._raise",
        "amount = min(amount, bounds[1])",
        "amount = max(amount, bounds[0])",
    ),
    "any player moves": ("protocols/phh:_Telling._move", "if seat != self.s.mover:", "if seat > 1:"),
    "moves before the board": (
        "protocols/phh:_Telling._move",
        'if len(self.board) < self._board_size():\n            raise HistoryError(f"the {STREET',
        'if False:\n            raise HistoryError(f"the {STREET',
    ),
    "the board has no end": (
        "protocols/phh:_Telling._deal_board",
        "if len(self.board) > most:",
        "if len(self.board) > 9:",
    ),
    "a shown hand need not be the dealt one": ("protocols/phh:_Telling._show", "not known <= set(shown)", "False"),
    "hands need not end": ("protocols/phh:read_hand", "    told.require_end()\n", ""),
    "finishing stacks are not compared": ("protocols/phh:_result", "and told != found:", "and False:"),
    "giving up wins": ("protocols/phh:_result", "won[0 if 1 in given_up else 1]", "won[1 if 1 in given_up else 0]"),
    "the better hand may be given up": ("protocols/phh:_result", "hand.winner not in {0, 1} - given_up", "False"),
    "decimals are cut off": ("protocols/phh:chips", "or whole != int(whole)", ""),
    "decimals do not count": ("protocols/phh_files:read_parsed", "scale = 10 ** max(", "scale = 1 ** max("),
    "chips have the scale of stacks only": (
        "protocols/phh:_Telling._raise",
        'chips(Decimal(text), self.scale, "a bet")',
        'chips(Decimal(text), 1, "a bet")',
    ),
    "a fold is written as a call": (
        "protocols/phh_writing:action_of",
        '"f" if move.kind == FOLDS',
        '"f" if move.kind > FOLDS',
    ),
    "amounts are written by the hand": (
        "protocols/phh_writing:action_of",
        'f"cbr {move.amount}"',
        'f"cbr {s.opened + move.amount}"',
    ),
    "players are exchanged": (
        "protocols/phh_writing:action_of",
        'f"p{s.mover + 1} {word}"',
        'f"p{2 - s.mover} {word}"',
    ),
    "the finishing stacks are exchanged": (
        "protocols/phh_writing:phh_text",
        "for chips in hand.chips)",
        "for chips in hand.chips[::-1])",
    ),
    "the rest of the board is left out": (
        "protocols/phh_writing:actions_of",
        "if laid < table.board_size(street) <= len(hand.board):",
        "if False:",
    ),
    "winnings are not compared": (
        "protocols/slumbot_reply:_require_winnings",
        "if reply.winnings not in expected:",
        "if reply.winnings not in possible:",
    ),
    "winnings may lack": (
        "protocols/slumbot_reply:_require_whole_reply",
        "if over != (reply.winnings is not None):",
        "if over < (reply.winnings is not None):",
    ),
    "winnings may come early": (
        "protocols/slumbot_reply:_require_whole_reply",
        "if over != (reply.winnings is not None):",
        "if over > (reply.winnings is not None):",
    ),
    "our cards are the bot's": ("protocols/slumbot_reply:record_of", "if reply.seat == 0:", "if reply.seat == 1:"),
    "any board will do": (
        "protocols/slumbot_reply:_require_whole_reply",
        "if len(reply.board) not in sizes:",
        "if len(reply.board) > 5:",
    ),
    "anybody may be asked": (
        "protocols/service:AgentService._read",
        "if seen.state.mover != seen.seat:",
        "if seen.state.mover == OVER:",
    ),
    "the first hand of a state": ("protocols/service:AgentService._matchstate", "both[seat]", "both[0]"),
    "the seat is the dealer": ("protocols/service:AgentService._mover", "return max(s.mover, 0)", "return 1"),
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
    try_bugs(all_wrong)
