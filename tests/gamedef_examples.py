"""ACPC game definitions and what they say, and wrong ones: what the tests look at, and what finds planted bugs."""

import importlib

LIMIT = """GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
NOLIMIT = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 20000 20000
blind = 100 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""


def changed(text, *changes):
    """A definition with some rows replaced, each told from the others by its first word."""
    rows = text.splitlines(keepends=True)
    for row in changes:
        key = row.split()[0]
        rows = [f"{row}\n" if old.split()[0] == key else old for old in rows]
    return "".join(rows)


TWO_ROUNDS = (
    "numRounds = 2", "raiseSize = 2 4", "firstPlayer = 2 1", "maxRaises = 2 3", "numBoardCards = 0 3", "blind = 2 1",
)  # fmt: skip
# definition; the game that it is
READ = {
    "limit": (LIMIT, "holdem(limit(bets='10 10 20', blinds='5 10'))"),
    "no-limit": (NOLIMIT, "holdem(nolimit(stack=20000, blinds='50 100', bet='100%,a'))"),
    "a small deck": (
        changed(LIMIT, "numRanks = 6", "numSuits = 3", *TWO_ROUNDS),
        "holdem(limit(bets='2 4', blinds='1 2', cap='2 3'), ranks=6, suits=3, board=3)",
    ),
    "other boards": (changed(LIMIT, "numBoardCards = 0 1 2 1"), "holdem(limit(bets='10 10 20', blinds='5 10'), "
        "board='1 2 1')"),
    "seats exchanged": (
        changed(NOLIMIT, "blind = 50 100", "firstPlayer = 1 2 2 2"),
        "holdem(nolimit(stack=20000, blinds='50 100', bet='100%,a', dealer=0))",
    ),
    "equal blinds": (changed(NOLIMIT, "blind = 7 7"), "holdem(nolimit(stack=20000, blinds='7 7', bet='100%,a'))"),
    "a cap": (NOLIMIT.replace("END", "maxRaises = 1 2 2 2\nEND"), "holdem(nolimit(stack=20000, blinds='50 100', "
        "bet='100%,a', cap='1 2'))"),
    "no cap by number": (NOLIMIT.replace("END", "maxRaises = 255 255 255 255\nEND"), "holdem(nolimit(stack=20000, "
        "blinds='50 100', bet='100%,a'))"),
    "some caps by number": (NOLIMIT.replace("END", "maxRaises = 3 255 255 255\nEND"), "holdem(nolimit(stack=20000, "
        "blinds='50 100', bet='100%,a', cap='3 255'))"),
    "limit without a cap": (LIMIT.replace("maxRaises = 3 4 4 4\n", ""), "holdem(limit(bets='10 10 20', blinds='5 10', "
        "cap=255))"),
    "the smaller stack": (changed(NOLIMIT, "stack = 20000 400"), "holdem(nolimit(stack=400, blinds='50 100', "
        "bet='100%,a'))"),
    "stacks that limit cannot use up": (
        LIMIT.replace("END", "stack = 240 300\nEND"), "holdem(limit(bets='10 10 20', blinds='5 10'))"),
    "any case, spaces, comments, other line ends": (
        "# a game\r\n\r\n" + LIMIT.lower().replace("\n", "  # so\r\n").replace(" = ", "="),
        "holdem(limit(bets='10 10 20', blinds='5 10'))"),
    "no equal signs": (LIMIT.replace("=", " "), "holdem(limit(bets='10 10 20', blinds='5 10'))"),
    "limit is the default": (LIMIT.replace("limit\n", ""), "holdem(limit(bets='10 10 20', blinds='5 10'))"),
    "text after its end": (LIMIT + "anything\n", "holdem(limit(bets='10 10 20', blinds='5 10'))"),
    "bets of limit that no-limit does not need": (
        NOLIMIT.replace("END", "raiseSize = 1 1 1 1\nEND"), "holdem(nolimit(stack=20000, blinds='50 100', "
        "bet='100%,a'))"),
}  # fmt: skip

# definition; what is said of it
WRONG = {
    "three players": (changed(LIMIT, "numPlayers = 3"), "line 3: numPlayers must be 2, got 3: only games of two"),
    "eleven players": (changed(LIMIT, "numPlayers = 11"), "line 3: numPlayers must have whole numbers from 2 to 10"),
    "two numbers of players": (changed(LIMIT, "numPlayers = 2 2"), "line 3: numPlayers has 2 numbers, expected 1"),
    "no players": (changed(LIMIT, "numPlayers ="), "line 3: numPlayers has 0 numbers, expected 1"),
    "no end": (LIMIT.replace("END GAMEDEF\n", ""), "line 12: END GAMEDEF is missing: the file may be cut short"),
    "no begin": (LIMIT.removeprefix("GAMEDEF\n"), "line 1: a definition begins with GAMEDEF, got 'limit'"),
    "nothing": ("\n", "line 1: a definition begins with GAMEDEF, got nothing"),
    "only comments": ("# a\n# b\n", "line 2: a definition begins with GAMEDEF, got nothing"),
    "an unknown key": (changed(LIMIT, "blind = 10 5\nblinds = 10 5"), "line 6: a definition has no 'blinds'; did you "),
    "no word": (changed(LIMIT, "limit\n= 10"), "line 3: a definition has no '= 10'; known: "),
    "a key twice": (LIMIT.replace("END", "blind = 10 5\nEND"), "line 13: blind, but line 5 says blind already"),
    "limit and no-limit": (changed(LIMIT, "limit\nnolimit"), "line 3: nolimit, but line 2 says limit already"),
    "limit twice": (changed(LIMIT, "limit\nLIMIT"), "line 3: LIMIT, but line 2 says limit already"),
    "begun twice": ("GAMEDEF\n" + LIMIT, "line 2: GAMEDEF, but line 1 says gamedef already"),
    "no blinds": (LIMIT.replace("blind = 10 5\n", ""), "line 12: blind is missing"),
    "no raise sizes": (LIMIT.replace("raiseSize = 10 10 20 20\n", ""), "line 12: raiseSize is missing"),
    "no stacks": (NOLIMIT.replace("stack = 20000 20000\n", ""), "line 11: stack is missing"),
    "no first player": (LIMIT.replace("firstPlayer = 2 1 1 1\n", ""), "line 12: firstPlayer is missing"),
    "no rounds": (LIMIT.replace("numRounds = 4\n", ""), "line 12: numRounds is missing"),
    "too few blinds": (changed(LIMIT, "blind = 10"), "line 5: blind has 1 numbers, expected 2: one for each player"),
    "too few caps": (changed(LIMIT, "maxRaises = 3 4 4"), "line 8: maxRaises has 3 numbers, expected 4: one for each "),
    "too many bets": (changed(LIMIT, "raiseSize = 1 1 1 1 1"), "line 6: raiseSize has 5 numbers, expected 4"),
    "no number": (changed(LIMIT, "blind = 10 five"), "line 5: blind must have whole numbers from 0 to 2,147,483,647, "),
    "a negative number": (changed(LIMIT, "blind = 10 -5"), "line 5: blind must have whole numbers"),
    "a huge number": (changed(LIMIT, "blind = 99999999999 5"), "line 5: blind must have whole numbers"),
    "too large for the server": (changed(LIMIT, "blind = 2147483648 5"), "line 5: blind must have whole numbers"),
    "too large for us": (changed(NOLIMIT, "stack = 1000000000 1000000000"), "line 5: stack must be from 100, the big "),
    "blinds too large for us": (changed(LIMIT, "blind = 1000000000 5"), "line 5: the dealer, player 2, must have the "),
    "bets too large for us": (changed(LIMIT, "raiseSize = 10 10 20 1000000000"), "line 6: limit: bets must be one to "),
    "too many caps": (changed(LIMIT, "maxRaises = 3 4 4 256"), "line 8: maxRaises must have whole numbers from 0 to 2"),
    "five suits": (changed(LIMIT, "numSuits = 5"), "line 9: numSuits must have whole numbers from 1 to 4, got '5'"),
    "no suits": (changed(LIMIT, "numSuits = 0"), "line 9: numSuits must have whole numbers from 1 to 4, got '0'"),
    "fourteen ranks": (changed(LIMIT, "numRanks = 14"), "line 10: numRanks must have whole numbers from 1 to 13"),
    "three hole cards": (changed(LIMIT, "numHoleCards = 3"), "line 11: numHoleCards must be 2, got 3: hold'em has two"),
    "four hole cards": (changed(LIMIT, "numHoleCards = 4"), "line 11: numHoleCards must have whole numbers from 1 to "),
    "a board at the start": (changed(LIMIT, "numBoardCards = 1 3 1 1"), "line 12: numBoardCards must have none in the"),
    "a street without cards": (changed(LIMIT, "numBoardCards = 0 3 0 1"), "line 12: numBoardCards must have none in t"),
    "six cards": (changed(LIMIT, "numBoardCards = 0 3 2 1"), "line 12: numBoardCards must have none in the first roun"),
    "two cards": (changed(LIMIT, "numBoardCards = 0 1", *TWO_ROUNDS[:4]), "line 12: numBoardCards must have none in t"),
    "too few cards": (changed(LIMIT, "numRanks = 2"), "line 10: numRanks x numSuits are 8 cards, but two hands and a "),
    "one round": (changed(LIMIT, "numRounds = 1", "raiseSize = 1", "firstPlayer = 2", "maxRaises = 3",
        "numBoardCards = 0"), "line 4: numRounds must be 2 to 4, got 1: hold'em that ends before the flop is nlph"),
    "five rounds": (changed(LIMIT, "numRounds = 5"), "line 4: numRounds must have whole numbers from 1 to 4, got '5'"),
    "no reverse blinds": (changed(LIMIT, "firstPlayer = 1 1 1 1"), "line 7: firstPlayer must be 2 1 1 1 or 1 2 2 2, g"),
    "blinds that do not fit": (changed(LIMIT, "blind = 5 10"), "line 5: the dealer, player 2, must have the small bli"),
    "no small blind": (changed(LIMIT, "blind = 10 0"), "line 5: the dealer, player 2, must have the small blind, 1 or"),
    "a stack below the blind": (changed(NOLIMIT, "stack = 20000 99"), "line 5: stack must be from 100, the big blind,"),
    "a stack that limit uses up": (LIMIT.replace("END", "stack = 239 300\nEND"), "line 13: stack must be at least 240"),
    "a long line": (LIMIT.replace("END", f"# {'x' * 5000}\nEND"), "line 13: longer than the 4096 characters"),
}  # fmt: skip

# game; some row of its definition
WRITTEN = {
    "blinds": ("holdem(limit)", "blind = 2 1"),
    "first players": ("holdem(limit)", "firstPlayer = 2 1 1 1"),
    "first players of exchanged seats": ("holdem(limit(dealer=0), board='3 1')", "firstPlayer = 1 2 2"),
    "blinds of exchanged seats": ("holdem(limit(dealer=0))", "blind = 1 2"),
    "bets": ("holdem(limit)", "raiseSize = 2 2 4 4"),
    "raises": ("holdem(limit(cap='1 2'))", "maxRaises = 1 2 2 2"),
    "raises of no-limit": ("holdem(nolimit(stack=9, bet=a, cap='1 2'))", "maxRaises = 1 2 2 2"),
    "stacks": ("holdem(nolimit(stack=9, bet=a))", "stack = 9 9"),
    "the board": ("holdem(limit, board='3 1')", "numBoardCards = 0 3 1"),
    "the ranks": ("holdem(limit, ranks=7, suits=2)", "numRanks = 7"),
    "the suits": ("holdem(limit, ranks=7, suits=2)", "numSuits = 2"),
    "the rounds": ("holdem(limit, board='3 1')", "numRounds = 3"),
}


def game(text):
    """The game that a string names."""
    return importlib.import_module("mccfr.games.registry").make_game(text)


def read(text):
    """The game that a definition is."""
    return importlib.import_module("mccfr.games.gamedef").read_gamedef(text)


def written(text):
    """The rows of a game's definition."""
    return importlib.import_module("mccfr.games.gamedef").gamedef_text(text).splitlines()


def refusal(text):
    """What is said of a definition."""
    errors = importlib.import_module("mccfr.errors")
    try:
        return f"no error, but {read(text)}"
    except errors.MccfrError as error:
        return str(error)


def wrong():
    """The names of all examples that come out wrong."""
    looks = {
        **{name: lambda text=text, right=right: read(text) == game(right) for name, (text, right) in READ.items()},
        **{name: lambda text=text, said=said: said in refusal(text) for name, (text, said) in WRONG.items()},
        **{name: lambda text=text, row=row: row in written(text) for name, (text, row) in WRITTEN.items()},
    }
    return [name for name, look in looks.items() if not holds(look)]


def holds(look):
    """Whether something is so; whatever it raises, it is not."""
    try:
        return look()
    except Exception:  # a planted bug may raise anything
        return False
