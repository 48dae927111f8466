"""Hands, replies and questions with what they come to, looked at in whichever copy of the package is imported."""

import importlib
import itertools
import json

from history_texts import GOOD, REPLY

ENDED = '"p1 f"]'
SHOWN = '"p1 cc", "d db 9h", "p1 cc", "p2 cc", "d db 8h", "p1 cc", "p2 cc", "p1 sm AsKs", "p2 sm QdQc"]'
ALL_IN = '"p2 cbr 192", "p1 cc", "d db 9h", "d db 8h"]'
HISTORIES = {  # a change of GOOD, and the line and chips of the hand, or what the error says
    "a fold": ((), ("r6c/kb8f", (-6.0, 6.0))),
    "a showdown": (((ENDED, SHOWN),), ("r6c/kb8c/kk/kk", (-14.0, 14.0))),
    "an all-in": (
        (('"p2 cbr 8", "p1 f"]', '"p2 cbr 194", "p1 cc", "d db 9h", "d db 8h"]'),),
        ("r6c/ka194c", (-200.0, 200.0)),
    ),
    "a better hand": (
        ((ENDED, SHOWN), ("QdQc", "QdJc"), ("QdQc", "QdJc"), ("8h", "Kh")),
        ("r6c/kb8c/kk/kk", (14.0, -14.0)),
    ),
    "an ante": ((("[0, 0]", "[3, 3]"),), ("r6c/kb8f", (-9.0, 9.0))),
    "unequal stacks": ((("[200, 200]", "[50, 200]"), ("cbr 8", "cbr 100")), ("r6c/ka44f", (-6.0, 6.0))),
    "cents": ((("[1, 2]", "[0.5, 1]"), ("min_bet = 2", "min_bet = 1")), ("r60c/kb80f", (-60.0, 60.0))),
    "a card twice": ((("QdQc", "AsQc"),), "there twice"),
    "a card on the board twice": ((("2c3c4c", "2c3cQd"),), "there twice"),
    "out of turn": ((("p2 cbr 6", "p1 cbr 6"),), "the turn of p2"),
    "no flop": ((('"d db 2c3c4c", ', ""),), "flop has not come"),
    "a long flop": ((("2c3c4c", "2c3c4c5c"),), "at most 3"),
    "too small a raise": ((("cbr 6", "cbr 3"),), "cannot raise 3"),
    "not over": (((', "p1 f"', ""),), "not over"),
    "no river": ((('"p2 cbr 8", "p1 f"]', '"p2 cbr 194", "p1 cc", "d db 9h"]'),), "the board has 4 cards, expected 5"),
    "a hundred thousandth": ((("cbr 8", "cbr 8.00001"),), "a bet must be a number of chips"),
    "after the end": (((ENDED, '"p1 f", "p2 cc"]'),), "is over"),
    "three players": ((("[200, 200]", "[200, 200, 200]"),), "3 players"),
    "antes that differ": ((("[0, 0]", "[0, 2]"),), "antes"),
    "blinds the wrong way round": ((("[1, 2]", "[2, 1]"),), "blinds_or_straddles"),
    "another smallest bet": ((("min_bet = 2", "min_bet = 4"),), "min_bet"),
    "cards that were not dealt": (((ENDED, '"p1 f", "p1 sm 2d2h"]'),), "p1 holds AsKs"),
    "stacks that do not agree": ((("hand = 7", "finishing_stacks = [206, 194]"),), "finishing_stacks"),
    "a hand given up": (
        ((ENDED, SHOWN), ("d dh p1 AsKs", "d dh p1 ????"), ("p1 sm AsKs", "p1 sm")),
        ("r6c/kb8c/kk/kk", (-14.0, 14.0)),
    ),
    "the better hand given up": (((ENDED, SHOWN), ("p2 sm QdQc", "p2 sm")), "gives up the better"),
}
BETTING = {  # Slumbot's, and ACPC's or what the error says
    "b250c/kb333c/kk/b917f": "r250c/cr583c/cc/r1500f",
    "b20000c///": "r20000c///",
    "b200c/kb19800c//": "r200c/cr20000c//",
    "ck/kk/": "cc/cc/",
    "b199": "cannot raise",
    "c/k": "expected 'ck/'",
    "ck/k/": "expected 'ck/k'",
    "fc": "is over",
}
REPLIES = {  # a change of a reply, and the winnings or what the error says
    "as it was": ({}, -800),
    "other winnings": ({"winnings": 800}, "come to -800"),
    "no winnings": ({"winnings": None}, "no winnings"),
    "winnings too early": ({"action": "b400c/kk/b200b400c/k"}, "nobody has won"),
    "a card of the bot": ({"hole_cards": ["Qc", "2s"]}, "there twice"),
    "too few cards": ({"board": ["Th", "9c", "4s", "8c"]}, "4 cards on the board"),
    "another seat": ({"client_pos": 0}, -800),
}
QUESTIONS = {  # and the seat and drawn move of always_call, or what the error says
    "the start": ({"hole": "AsKs"}, (1, "c", "c")),
    "the flop": ({"hole": "AsKs", "line": "r6c/", "board": "2c3c4c"}, (0, "k", "c")),
    "in ACPC's words": ({"hole": "AsKs", "acpc": "r6c/cr16", "board": "2c3c4c"}, (0, "c", "c")),
    "a state of ACPC": ({"matchstate": "MATCHSTATE:0:3:r6c/:AsKs|/2c3c4c"}, (0, "k", "c")),
    "the other hand": ({"matchstate": "MATCHSTATE:1:3:r6c/:AsKs|/2c3c4c"}, "0 cards"),
    "not its turn": ({"hole": "AsKs", "seat": 0}, "seat 1 is to move"),
    "no board": ({"hole": "AsKs", "line": "r6c/"}, "0 cards, expected 3"),
    "a card twice": ({"hole": "AsKs", "line": "r6c/", "board": "2c3cAs"}, "there twice"),
}


def module(name):
    return importlib.import_module(f"mccfr.{name}")


def history(changes, folder):
    text = GOOD
    for old, new in changes:
        text = text.replace(old, new)
    (folder / "hand.phh").write_text(text)
    (found,) = module("protocols.phh_files").read_hands(folder / "hand.phh").hands
    again = module("protocols.phh_writing").phh_text(found.hand) if found.chips and all(found.hand.holes) else ""
    if again:
        (folder / "again.phh").write_text(again)
        (second,) = module("protocols.phh_files").read_hands(folder / "again.phh").hands
        if (
            second != found
            or f"finishing_stacks = [{found.hand.table.betting.stack + int(found.chips[0])}" not in again
        ):
            return "it is not written as it was"
    return found.hand.line, found.chips


def betting(text):
    strings, table = module("protocols.slumbot_betting"), module("protocols.slumbot_reply").SLUMBOT_TABLE
    moves = strings.read_slumbot(table, text)
    acpc = module("protocols.acpc_text")
    written = acpc.betting_text(table, moves)
    same = strings.slumbot_text(table, moves) == text and acpc.read_betting(table, written).moves == moves
    return written if same else "it is not written as it was"


def winnings(change):
    return module("protocols.slumbot_reply").read_reply({**json.loads(REPLY), **change}).winnings


def answered(question):
    table = module("playing.table").table_of("holdem(nolimit(stack=200, bet=a))")
    agent = module("playing.agents").make_agent("always_call", table)
    answer = module("protocols.service").AgentService(agent, "1").answer(question)
    return answer["seat"], answer["move"]["move"], answer["move"]["acpc"]


def plain_strength(cards):
    """The strength of the best five of seven cards, by the plain rules: ours is slow where nothing is compiled."""
    return max(five_cards(hand) for hand in itertools.combinations(cards, 5))


def five_cards(hand):
    ranks = sorted((card // 4 for card in hand), reverse=True)
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    flush = len({card % 4 for card in hand}) == 1
    straight = 3 if ranks == [12, 3, 2, 1, 0] else ranks[0] if ranks[0] - ranks[4] == 4 and len(groups) == 5 else None
    shape = [count for count, _ in groups]
    kinds = [[1] * 5, [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], "straight", "flush", [3, 2], [4, 1]]
    kind = 5 if flush else kinds.index(shape)
    if straight is not None:
        return (8 if flush else 4, straight)
    return (kind, *(rank for _, rank in groups))


def comes_to(look, *given):
    """What a look comes to; an error as its message."""
    try:
        return look(*given)
    except Exception as error:
        return str(error)


def wrong(folder):
    """The names of all examples that come out wrong."""
    module("playing.played_hand").strength = plain_strength
    checks = {
        **{name: (history, (changes, folder), right) for name, (changes, right) in HISTORIES.items()},
        **{text: (betting, (text,), right) for text, right in BETTING.items()},
        **{f"reply: {name}": (winnings, (change,), right) for name, (change, right) in REPLIES.items()},
        **{f"question: {name}": (answered, (asked,), right) for name, (asked, right) in QUESTIONS.items()},
    }
    found = {name: comes_to(look, *given) for name, (look, given, _) in checks.items()}
    return [name for name, (_, _, right) in checks.items() if not _fits(found[name], right)]


def _fits(found, right):
    return right in found if isinstance(right, str) and isinstance(found, str) else found == right
