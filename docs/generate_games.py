"""Writes docs/games.md: python docs/generate_games.py > docs/games.md (about half a minute, for the large games).

Sizes and values are computed here; the words about each game are below.
"""

import dataclasses
import sys
import textwrap
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

import mccfr
from mccfr.games.streets import StreetGame
from mccfr.tree.compile import compile_tree


class Row(NamedTuple):
    """A game in the table. `value_of`: the game whose value it shares; empty for a value that is known to be 0."""

    game: str
    value_of: str | None = None
    large: bool = False
    written_out: bool = True


class Chapter(NamedTuple):
    """One family of games."""

    name: str
    title: str
    rules: str
    parameters: dict[str, str]
    infoset: tuple[str, str, str]  # a game, a label of it, what the label says
    rows: tuple[Row, ...]
    source: str
    differences: str


SPOT = "spot(board='Qs Jh 2h 8c 3d', pot=100, stack=200, oop='QQ,AhKh', ip='JJ,KQs', bet='50%,a', raise_=a)"
HOLDEM = "holdem(limit(cap=1), ranks=4, suits=2, board=3)"
CHAPTERS = (
    Chapter(
        "kuhn",
        "Kuhn poker",
        "There are three cards, J < Q < K. Both players put in 1 and get a card. Player 0 checks or bets 1; after a "
        "check, player 1 may bet. A player who faces a bet folds or calls. The higher card wins the pot. Player 0 has "
        "a line of equilibria, which `examples/kuhn_equilibria.py` shows. With several suits there are as many cards "
        "of each rank, `Jc`, `Js` and so on, and equal ranks share the pot.",
        {"suits": "cards of each rank, 1 to 4: clubs, spades, hearts, diamonds; 1 leaves the suit out of the labels"},
        ("kuhn", "K:cb", "I hold the king, I checked (c), the other player bet (b)"),
        (Row("kuhn"), Row("kuhn(suits=2)"), Row("dealt:kuhn(suits=2)", "kuhn(suits=2)")),
        "[Kuhn 1950]; `suits=2` is the example of [Li et al. 2020, figure 1]",
        "The rules and the order of actions are those of OpenSpiel's `kuhn_poker`, which says Pass for both check and "
        "fold, and with suits those of its `universal_poker` with three ranks, one round and one bet. Nodes of the "
        "[dealt form](dealt.md) are public: the 24 infosets are four vectors of six.",
    ),
    Chapter(
        "leduc",
        "Leduc hold'em",
        "There are six cards: J, Q, K in two suits. Both players ante 1 and get a private card. After a round of "
        "betting comes a public card, and then another round of betting. A bet or raise is 2 in the first round and 4 "
        "in the second, with at most two per round; player 0 starts both rounds. A pair with the public card wins, "
        "otherwise the higher rank. Equal ranks split the pot.",
        {
            "suits": "False deals ranks instead of cards: strategically the same game, with a fifth of the nodes",
            "shift": "paid by player 1 to player 0 at the end of every game",
        },
        ("leduc", "K:crc/q:r", "I hold K; check, bet, call; the public card is q; and now I face a bet (r)"),
        (Row("leduc"), Row("leduc(suits=False)"), Row("leduc(shift=100)")),
        "[Southey et al. 2005]; `shift` is from [Davis, Schmid, Bowling 2019, section 5]",
        "With suits, the tree is that of OpenSpiel's `leduc_poker`, node by node. Papers that give 9,450 histories "
        "leave out the 7 nodes of the private deal. Capital letters are the first suit and small letters the second.",
    ),
    Chapter(
        "gp",
        "Generic poker GP(T, C, R, B)",
        "This is Leduc with any deck: `types` ranks with `copies` cards each, at most `raises` bets and raises per "
        "round, and `sizes` different bets (2, 4, ... in round one, 4, 8, ... in round two). `gp(3,2,2,1)` is Leduc.",
        {
            "types": "ranks, 1 to 99",
            "copies": "cards of each rank, 1 to 26",
            "raises": "bets and raises in one round, including the opening bet, 0 to 9",
            "sizes": "different bet sizes, 1 to 9",
            "suits": "False deals ranks instead of cards",
            "shift": "paid by player 1 to player 0 at the end of every game",
        },
        ("gp(3,2,2,2)", "2a:cr4", "I hold the first card of rank 2; I checked, the other player bet 4"),
        (
            Row("gp(4,2,2,1)"),
            Row("gp(3,2,2,2)"),
            Row("gp(6,4,4,1,suits=False)"),
            Row("gp(6,4,4,1)", "gp(6,4,4,1,suits=False)", large=True),
        ),
        "[Lisy, Lanctot, Bowling 2015]",
        "The authors' library counts only the raises after the opening bet. The sizes published for GP(6,4,4,1) by "
        "[Davis, Schmid, Bowling 2019] fit the total, which is what we count. "
        "We computed its value without suits.",
    ),
    Chapter(
        "goofspiel",
        "Goofspiel",
        "Both players hold the bids 1 to n. Round k is worth n - k + 1 points: the higher bid takes them, and nobody "
        "gets them after a tie. Bids stay secret; the players learn only who won. The player with more points at the "
        "end wins 1.",
        {"n": "cards of each player, 2 to 10", "collapse": "True counts the forced last round without playing it"},
        ("goofspiel(n=5)", "0:5w3l", "I am player 0; my 5 won the first round and my 3 lost the second"),
        (
            Row("goofspiel(n=3)"),
            Row("goofspiel(n=4)"),
            Row("goofspiel(n=4, collapse=False)"),
            Row("goofspiel(n=5)"),
            Row("goofspiel(n=6)", "", large=True),
            Row("goofspiel(n=7)", "", written_out=False),
        ),
        "[Gibson et al. 2012]; the value is 0 by symmetry",
        "OpenSpiel: `goofspiel(imp_info=True,num_cards=n,points_order=descending,returns_type=win_loss)`. [Lisy, "
        "Lanctot, Bowling 2015] have ascending prizes and cards from 0. Counts differ between papers, depending on "
        "whether they include the forced last round: see `collapse`.",
    ),
    Chapter(
        "bluff",
        "Bluff, a liar's dice",
        "The players roll their dice in secret. Then they take turns to bid how many dice of a face are on the table, "
        "until one says liar. A new bid must be higher, by quantity and then by face. The top face is wild; a bid on "
        "it counts only that face. The caller wins if the last bid is false. The loser of a round removes a die, and "
        "both roll again. A player without dice has lost 1.",
        {
            "dice0": "dice of player 0, who opens the first round",
            "dice1": "dice of player 1",
            "rounds": '"one": one round for 1; "all": later rounds pay their value; "literal": all written out',
            "opener": 'who opens the next round: the "loser", the "winner" or "alternate"',
            "faces": "faces of a die, 2 to 9; the last one is wild",
        },
        ("bluff(2,1,faces=3)", "13:1-2,2-1", "my dice show 1 and 3; I bid one 2, the other player bid two 1s"),
        (
            Row("bluff(1,1,faces=3)"),
            Row("bluff(2,1,faces=3)"),
            Row("bluff(1,1,rounds=one)", large=True),
            Row("bluff(2,1)", written_out=False),
            Row("bluff(2,2)", written_out=False),
        ),
        "[Gibson et al. 2012], who do not say who opens the next round",
        "`bluff(1,1,rounds=one)` is OpenSpiel's `liars_dice` node by node. In other rules, ones are wild, or a bid "
        "on a higher face may lower the quantity: those are other games, with other values.",
    ),
    Chapter(
        "rps",
        "Rock, paper, scissors",
        "Both players choose at the same time, and the winner gets 1.",
        {},
        ("rps", "row", "player 0's only infoset; player 1's is `column`"),
        (Row("rps"),),
        "folklore",
        "OpenSpiel: `matrix_rps`.",
    ),
    Chapter(
        "matrix",
        "Matrix games",
        "Player 0 picks a row, player 1 picks a column without seeing it, and player 0 wins that entry of the table.",
        {
            "payoffs": "the table, for example [[3, -1], [-2, 4]]",
            "rows": "names of player 0's actions; r0, r1, ... by default",
            "columns": "names of player 1's actions; c0, c1, ... by default",
        },
        ("matrix([[3,-1],[-2,4]])", "column", "player 1's only infoset; player 0's is `row`"),
        (Row("matrix([[3,-1],[-2,4]])"),),
        "[von Neumann 1928]",
        "Matrix games must be zero-sum.",
    ),
    Chapter(
        "spot",
        "A spot of hold'em",
        "A board of three to five cards, a pot, two ranges and equal stacks; the betting goes on from there, with the "
        "sizes you offer, and the missing cards of the board come street by street. Player 0 is out of position. "
        "Payoffs are chips won beyond half of the pot. [Spots](spots.md) explains every parameter and spots in files.",
        {
            "board": "the cards that lie face up, such as `Qs Jh 2h`",
            "pot": "chips in the pot",
            "stack": "chips that each player has left",
            "oop": "the range out of position, such as `QQ+,AKs`, or `all`",
            "ip": "the range in position",
            "bet": "sizes of bets, such as `33%,75%,a`",
            "raise_": "sizes of raises, such as `2.5x,a`",
            "donk_": "sizes of donk bets; like other bets by default",
            "add_allin": "all-in is also offered if it is at most so many times the pot",
            "force_allin": "a size becomes all-in if after a call at most so many times the pot is left",
            "merge": "sizes that are closer than this share of the pot become one",
            "cap": "the most bets and raises of a street",
            "min_bet": "the smallest bet",
            "flop": "a table of sizes for the flop",
            "turn": "a table of sizes for the turn",
            "river": "a table of sizes for the river",
            "bets": "tables of sizes for oop and ip",
            "ranks": "ranks of the deck, from the deuce on",
            "suits": "suits of the deck, of cdhs",
            "lock": "strategies that are given",
        },
        (SPOT, "QdQc:kb50", "I hold these queens, I checked (k), the other player bet 50"),
        (Row(SPOT),),
        "Texas hold'em",
        "The rules for sizes are those of postflop-solver, whose trees ours equal action by action.",
    ),
    Chapter(
        "holdem",
        "Whole hold'em",
        "Two players get two cards each and bet; cards come to the board before every later street. Player 1 deals, "
        "has the small blind, moves first before the flop and last after it. The best five of all cards win. The deck "
        "may be smaller than usual. Payoffs are in chips. A deck of 52 needs [buckets](buckets.md).",
        {
            "betting": "`limit(...)` or `nolimit(stack=..., bet=..., raise_=...)`",
            "buckets": "how players see their cards: `ehs2(10)`, `emd(200)`, `exact`, `lin`, for small decks "
            "`hs(100)` or `hs_recall(10)`, or a class of your own; None for every card",
            "ranks": "ranks of the deck, from the deuce on",
            "suits": "suits of the deck, of cdhs",
            "board": "how many cards come before each later street",
        },
        (HOLDEM, "3c2c:cr4", "I hold these cards, called the small blind (c), the other player raised to 4"),
        (Row(HOLDEM),),
        "Texas hold'em",
        "OpenSpiel: `universal_poker`.",
    ),
    Chapter(
        "nlph",
        "No-limit preflop hold'em",
        "There is one betting round, in the paper with stacks of 20,000 chips and blinds of 50 and 100. Players fold, "
        "call, raise by the pot (as it is after calling), or go all-in. Five cards would follow, but no board is "
        "dealt: the payoff is the average over all boards. Player 0 has the small blind and moves first. The game "
        "exists only in [dealt form](dealt.md): nodes below are public nodes, and the largest infoset is counted in "
        "hands. Other stacks, blinds, antes and sizes are parameters; see [push or fold and preflop "
        "charts](command-line.md#push-or-fold-and-preflop-charts).",
        {
            "classes": "True: the 169 classes of hands, without loss; False: the 1326 hands",
            "stack": "chips of each player before antes and blinds, a whole number",
            "blinds": "the small and the big blind, whole numbers",
            "ante": "chips that each player puts in besides the blind",
            "raise_": "sizes of raises: `75%` of the pot as it is after calling, `2.5x` the bet faced, `100c` more "
            "chips, `a` for all-in. Less than the legal minimum becomes that, more than the stack all-in",
            "sb": "sizes of the small blind in place of `raise_`; `''` for no raises",
            "bb": "sizes of the big blind in place of `raise_`",
            "limp": "False: the small blind cannot call the big blind, only raise or fold",
            "cap": "the most raises; None for as many as there are chips",
            "add_allin": "all-in is also offered where it is at most this share of the pot",
            "force_allin": "a raise becomes all-in if what is then left is at most this share of the pot after a call",
            "merge": "of sizes that are this close to each other, as a share of the pot, only the larger is offered",
        },
        ("nlph", "AKs:rr", "I hold ace and king of one suit; there was a raise and another raise"),
        (Row("nlph"), Row("nlph(stack=20, blinds='1 2', raise_=a, limp=False)")),
        "[Li et al. 2020]",
        "The paper counts terminals among the infosets: 59 public nodes with fold legal everywhere, times 1326 hands, "
        "give its 7.8e4. There are 20 public decisions. Values are in chips. The worth of hands against each other is "
        "[counted exactly](cards.md). Where several raises are offered, labels have the chips that the player has then "
        "put in, with the blind and without the ante: action `raise 250`, infoset `AKs:r250`.",
    ),
)
INTRODUCTION = """# The built-in games

`docs/generate_games.py` generates this page: it compiles each game for the sizes and computes values by linear
programming (`lp`). `mccfr games NAME` prints the same for any game string. If the game you need is missing, [write
it](your-own-game.md) or [import it](importing.md).

*Nodes* are all histories, including terminals and chance, also of games that are usually not written out.
*Infoset-actions* is the number of actions summed over all infosets: the length of every table a solver fills. *Largest*
is the number of nodes in the largest infoset. *Value* is what player 0 wins per game when both players play an
equilibrium. Keys in brackets refer to the [bibliography](bibliography.md).
"""
HEAD = """| game | nodes | terminals | infosets | infoset-actions | largest | value |
|---|--:|--:|--:|--:|--:|--:|"""
LARGE = [f"| `{row.game}` |" for chapter in CHAPTERS for row in chapter.rows if row.large]


def page(large: bool = True) -> str:
    """The whole page, with or without the rows of the large games."""
    assert [chapter.name for chapter in CHAPTERS] == [*mccfr.BUILT_IN, *mccfr.DEALT_ONLY]
    return "\n".join([INTRODUCTION, *(line for chapter in CHAPTERS for line in _lines(chapter, large))])


def _lines(chapter: Chapter, large: bool) -> Iterator[str]:
    yield from (f"## {chapter.title}: `{chapter.name}`", "", _wrapped(chapter.rules), "")
    parameters = _parameters(chapter)
    if parameters:
        yield from ("| parameter | default | meaning |", "|---|---|---|", *parameters, "")
    game, label, meaning = chapter.infoset
    choice = ", ".join(mccfr.uniform(game)[label])
    yield from (_wrapped(f"Infoset `{label}` of `{game}`: {meaning}. Actions: {choice}."), "", HEAD)
    yield from (_row(row) for row in chapter.rows if large or not row.large)
    yield from ("", _wrapped(f"Source: {chapter.source}. {chapter.differences}"), "")


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def _parameters(chapter: Chapter) -> list[str]:
    fields = {
        f.name: f for f in dataclasses.fields({**mccfr.BUILT_IN, **mccfr.DEALT_ONLY}[chapter.name]) if f.init and f.repr
    }
    assert fields.keys() == chapter.parameters.keys(), f"{chapter.name} has the parameters {list(fields)}"
    lines = []
    for name, meaning in chapter.parameters.items():
        default = "must be given" if fields[name].default is dataclasses.MISSING else f"`{fields[name].default!r}`"
        lines.append(f"| `{name}` | {default} | {meaning} |")
    return lines


def _row(row: Row) -> str:
    if not row.written_out:
        return f"| `{row.game}` | {mccfr.game(row.game).nodes():,} | | | | | |"
    rules = mccfr.game(row.game)
    tree = compile_tree(rules) if isinstance(rules, StreetGame) else mccfr.compile_game(row.game)
    names = ("nodes", "terminals", "infosets", "infoset_actions", "largest_infoset")
    sizes = " | ".join(f"{tree.counts[name]:,}" for name in names)
    return f"| `{row.game}` | {sizes} | {_value(tree if row.value_of is None else row.value_of)} |"


def _value(game: "str | mccfr.Tree") -> str:
    """The value by linear programming, with the simple fraction that it is, if it is one; dealt, between two bounds."""
    if game and not isinstance(game, mccfr.Tree):
        game = mccfr.compile_game(game)
    if game and game.public is not None:
        strategy = mccfr.solve(game, "dcfr", iterations=10_000).strategy()
        low, high = -mccfr.best_response(strategy, 1).value, mccfr.best_response(strategy, 0).value
        return f"{low:.4f} to {high:.4f}"
    value = mccfr.expected_value(mccfr.solve(game, "lp").strategy()) if game else 0.0
    fraction = Fraction(value).limit_denominator(1000)
    if abs(value - fraction) > 1e-12:
        return f"{value:.9f}"
    return str(fraction) if fraction.denominator == 1 else f"{value:.9f} = {fraction}"


if __name__ == "__main__":
    sys.stdout.write(page())
