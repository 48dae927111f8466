"""Whole hold'em from and to ACPC game definitions: `gamedef:FILE` is a game.

Two players with reverse blinds, two hole cards and two to four rounds. A limit definition is `holdem(limit(...))`,
exactly. A no-limit one does not say which of all amounts are offered: a menu of sizes is added, pot and all-in unless
another is given. ACPC's first player is our player 0, the big blind.
"""

import dataclasses
from pathlib import Path
from typing import Any

from mccfr.betting.sizes import MOST
from mccfr.betting.structures import Limit, NoLimit
from mccfr.errors import BettingError, GameError, as_path, quoted
from mccfr.files.container import atomic
from mccfr.games.gamedef_text import MOST_RAISES, Definition, check_counts, parse, read_text
from mccfr.games.holdem import HOLE_CARDS, LEAST_CARDS, MOST_CARDS, Holdem
from mccfr.games.parameters import construct
from mccfr.grammar import Call

SUFFIX, SCHEME = ".game", "gamedef"
BET = "100%,a"
PLAYERS = 2
MOST_CHIPS = MOST - 1


def read_gamedef(source: str | Path, bet: str | None = None, buckets: Any = None, **menu: Any) -> Holdem:
    """Read whole hold'em for two players from an ACPC game definition.

    Args:
        source: The path of the file, or its text: a string with more than one line.
        bet: The sizes of bets and raises of a no-limit definition, which does not say any; pot and all-in if not given.
        buckets: How hands are put together, if they are; see `holdem`.
        menu: Other parameters of `nolimit` that say what is offered, such as `raise_`, `flop` or `increasing`.

    Returns:
        The game. Its string says all that the definition says, so that the file is not needed again.

    Raises:
        FileError: If the file cannot be read, or is too large to be a definition.
        GameError: If the text is no definition of such a game; the message names the line.

    Examples:
        >>> import mccfr
        >>> text = '''GAMEDEF
        ... nolimit
        ... numPlayers = 2
        ... numRounds = 4
        ... stack = 20000 20000
        ... blind = 100 50
        ... firstPlayer = 2 1 1 1
        ... numSuits = 4
        ... numRanks = 13
        ... numHoleCards = 2
        ... numBoardCards = 0 3 1 1
        ... END GAMEDEF
        ... '''
        >>> print(mccfr.read_gamedef(text).betting)
        nolimit(stack=20000, blinds='50 100', bet='100%,a')
        >>> print(mccfr.read_gamedef(text, bet="50%,a", cap=3).betting)
        nolimit(stack=20000, blinds='50 100', bet='50%,a', cap=3)
        >>> mccfr.read_gamedef(text.replace("numPlayers = 2", "numPlayers = 3"))
        Traceback (most recent call last):
        ...
        mccfr.errors.GameError: text, line 3: numPlayers must be 2, got 3: only games of two players are solved
    """
    if isinstance(source, str) and "\n" in source:
        name, text = "text", source
    else:
        path = as_path(source, "a game definition")
        name, text = str(path), read_text(path)
    d = parse(name, text)
    board = _board(d)
    given = menu if bet is None else {"bet": bet, **menu}
    betting = _limit(d, given) if d.limit else _nolimit(d, given)
    more = {} if buckets is None else {"buckets": buckets}
    return Holdem(betting, **more, ranks=d.one("numRanks"), suits=d.one("numSuits"), board=_text(board))


def write_gamedef(game: Any, path: str | Path) -> None:
    """Write the ACPC game definition of whole hold'em. The file appears complete or not at all.

    What a definition cannot say is left out: which sizes a no-limit game offers, and buckets. A comment has the whole
    string of the game.

    Args:
        game: The game, or its string: `holdem(...)`.
        path: The file to write.

    Raises:
        GameError: If the game is not whole hold'em, or has antes, which definitions cannot say.
        FileError: If the file cannot be written.

    Examples:
        >>> import mccfr
        >>> mccfr.write_gamedef("holdem(limit, ranks=6)", "small.game")
        >>> mccfr.game("gamedef:small.game") == mccfr.game("holdem(limit, ranks=6)")
        True
    """
    text = gamedef_text(game)
    with atomic(as_path(path, "a game definition")) as file:
        file.write(text.encode())


def gamedef_text(game: Any) -> str:
    """The ACPC game definition of whole hold'em, as text."""
    from mccfr.games.registry import as_game  # which knows this file

    found = as_game(game)
    if not isinstance(found, Holdem):
        raise GameError(f"a game definition is of whole hold'em, holdem(...), got {quoted(game)}")
    betting: Limit | NoLimit = found.betting
    if betting.ante:
        raise GameError(f"{found}: a game definition has no antes, and the ante is {betting.ante}")
    small, big = betting.posted
    reverse = betting.dealer == 1
    rounds = betting.streets
    rows = {
        "numPlayers": [PLAYERS],
        "numRounds": [rounds],
        **(_limit_rows(betting) if isinstance(betting, Limit) else _nolimit_rows(betting)),
        "blind": [big, small] if reverse else [small, big],
        "firstPlayer": _first_players(betting.dealer, rounds),
        "numSuits": [found.suits],
        "numRanks": [found.ranks],
        "numHoleCards": [HOLE_CARDS],
        "numBoardCards": [0, *map(int, found.board.split())],
    }
    return "\n".join(
        ["GAMEDEF", f"# {found}", betting.name]
        + [f"{key} = {' '.join(map(str, numbers))}" for key, numbers in rows.items()]
        + ["END GAMEDEF", ""]
    )


def _limit_rows(betting: Limit) -> dict[str, list[int]]:
    sizes, caps = zip(*betting.by_street)
    return {"raiseSize": [*sizes], **_max_raises(betting, [*caps])}


def _nolimit_rows(betting: NoLimit) -> dict[str, list[int]]:
    caps = betting.caps
    by_round = [] if caps is None else [caps[min(street, len(caps) - 1)] for street in range(betting.streets)]
    return {"stack": [betting.stack] * PLAYERS, **_max_raises(betting, by_round)}


def _max_raises(betting: Limit | NoLimit, caps: list[int]) -> dict[str, list[int]]:
    if max(caps, default=0) > MOST_RAISES:
        raise GameError(f"{betting}: a game definition has at most {MOST_RAISES} raises a round, cap is {betting.cap}")
    return {"maxRaises": caps} if caps else {}


def _first_players(dealer: int, rounds: int) -> list[int]:
    """Who moves first in each round, counted from 1: the dealer, and later the other."""
    return [dealer + 1] + [2 - dealer] * (rounds - 1)


def _board(d: Definition) -> list[int]:
    """How many cards come before each later round, after checking players, rounds and cards."""
    if d.count("numPlayers") != PLAYERS:
        why = "only games of two players are solved"
        d.refuse("numPlayers", f"numPlayers must be 2, got {d.one('numPlayers')}: {why}")
    check_counts(d)
    if d.one("numRounds") == 1:
        d.refuse("numRounds", "numRounds must be 2 to 4, got 1: hold'em that ends before the flop is nlph")
    if d.one("numHoleCards") != HOLE_CARDS:
        d.refuse("numHoleCards", f"numHoleCards must be 2, got {d.one('numHoleCards')}: hold'em has two hole cards")
    first, *later = d.all("numBoardCards")
    total = HOLE_CARDS + sum(later)
    if first or 0 in later or not LEAST_CARDS <= total <= MOST_CARDS:
        what = "none in the first round and some in each later one, three to five in all, as in 0 3 1 1"
        d.refuse("numBoardCards", f"numBoardCards must have {what}, got {_text(d.all('numBoardCards'))}")
    deck, needed = d.one("numRanks") * d.one("numSuits"), HOLE_CARDS + total
    if deck < needed:
        have = f"numRanks x numSuits are {deck} cards"
        d.refuse("numRanks", f"{have}, but two hands and a board of {sum(later)} need {needed}")
    return later


def _limit(d: Definition, menu: dict[str, Any]) -> Limit:
    if menu:
        raise GameError(f"{d.name}: a limit definition says all sizes, so {', '.join(menu)} cannot be given")
    blinds, dealer = _blinds(d)
    sizes, caps = d.all("raiseSize"), _caps(d) or [MOST_RAISES] * d.one("numRounds")
    most = max(d.all("blind")) + sum(size * cap for size, cap in zip(sizes, caps))
    if "stack" in d and min(d.all("stack")) < most:
        d.refuse("stack", f"stack must be at least {most:,}, which limit betting can put in, or left out")
    usual = Limit(streets=d.one("numRounds"))
    try:
        found = dataclasses.replace(usual, bets=_text(sizes), cap=_text(caps), blinds=blinds, dealer=dealer)
    except BettingError as error:
        d.refuse("raiseSize", str(error))
    if found.by_street == usual.by_street:  # the short form of the same, with numbers for rounds that are not played
        return dataclasses.replace(found, bets=usual.bets, cap=usual.cap)
    return found


def _nolimit(d: Definition, menu: dict[str, Any]) -> NoLimit:
    blinds, dealer = _blinds(d)
    stack, big = min(d.all("stack")), max(d.all("blind"))  # chips beyond the smaller stack cannot be won
    if not big <= stack <= MOST_CHIPS:
        right = f"from {big:,}, the big blind, to {MOST_CHIPS:,}"
        d.refuse("stack", f"stack must be {right}, got {_text(d.all('stack'))}")
    said = {"stack": stack, "blinds": blinds, "dealer": dealer, "streets": d.one("numRounds")}
    if twice := [key for key in said if key in menu]:
        raise GameError(f"{d.name}: {twice[0]} is what the definition says: it cannot be given as well")
    caps = _caps(d)
    offered = {"bet": BET, "cap": _text(caps) if caps else None, **menu}
    try:
        return construct(NoLimit, Call(NoLimit.name, (), {**said, **offered}), f"{d.name}: ")
    except BettingError as error:
        raise GameError(f"{d.name}: {error}") from None


def _blinds(d: Definition) -> tuple[str, int]:
    """The small and the big blind, and the dealer, who has the small one and moves first only before the flop."""
    first, posted = d.all("firstPlayer"), d.all("blind")
    seats = {tuple(_first_players(dealer, len(first))): dealer for dealer in (1, 0)}
    dealer = seats.get(tuple(first))
    if dealer is None:
        right = " or ".join(_text([*seat]) for seat in seats)
        why = "with two players the dealer moves first before the flop and last after it"
        d.refuse("firstPlayer", f"firstPlayer must be {right}, got {_text(first)}: {why}")
    small, big = posted[dealer], posted[1 - dealer]
    if not 1 <= small <= big <= MOST_CHIPS:
        what = f"the dealer, player {dealer + 1}, must have the small blind, 1 or more, and the other the big one"
        d.refuse("blind", f"{what}, got {_text(posted)}")
    return f"{small} {big}", dealer


def _caps(d: Definition) -> list[int] | None:
    """The most raises of each round, or None if no definition could notice them."""
    caps = d.all("maxRaises") if "maxRaises" in d else None
    return caps if caps and min(caps) < MOST_RAISES else None


def _text(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))
