"""The rules of the built-in games for a reader who has never seen them: players, cards or dice, moves, payoffs."""

from collections.abc import Callable
from typing import Any

OPENERS = {
    "loser": "and opens the next",
    "winner": "and the winner opens the next",
    "alternate": "and players take turns to open",
}


def rules_in_words(rules: Any) -> str:
    """Two to five sentences about a game; nothing for a game that is not built in."""
    inner = getattr(rules, "game", rules)  # a dealt form has the rules of its game
    write = WRITERS.get(getattr(type(inner), "name", ""))
    return "" if write is None else write(inner)


def _kuhn(rules: Any) -> str:
    three = "three: a jack, a queen and a king"
    deck = three if rules.suits == 1 else f"{3 * rules.suits}: jacks, queens and kings of {rules.suits} suits"
    ties = "" if rules.suits == 1 else "; equal ranks share it"
    return (
        f"Two players put 1 chip each into the pot and get one card each from a deck of {deck}. Nobody sees the "
        "other's card. Player 0 checks or bets 1 chip. After a check player 1 may still bet; whoever faces a bet calls "
        "it with 1 chip or folds. After a fold the other takes the pot, otherwise the higher card does: king over "
        f"queen over jack{ties}."
    )


def _leduc(rules: Any) -> str:
    rest = " Player 1 also pays player 0 a fixed amount in every game." if rules.shift else ""
    return (
        "Two players put 1 chip each into the pot and get one card each from a deck of six: two jacks, two queens and "
        "two kings. They bet, then one public card is turned up, and they bet again. Bets and raises are 2 chips in "
        "the first round and 4 in the second, with at most two in a round. Whoever folds loses the pot. At the end a "
        f"card that pairs the public card wins; otherwise the higher card does, and equal cards share.{rest}"
    )


def _generic_poker(rules: Any) -> str:
    cards = f"{rules.types} ranks with {_many(rules.copies, 'card')} each"
    chips = " or ".join(str(2 * size) for size in range(1, rules.sizes + 1))
    most = _many(rules.raises, "bet or raise", "bets and raises")
    return (
        f"Two players put 1 chip each into the pot and get one card each from a deck of {cards}. They bet, then one "
        f"public card is turned up, and they bet again. A bet or raise is {chips} chips in the first round and twice "
        f"that in the second, with at most {most} in a round. Whoever folds loses the pot. At the end a card that "
        "pairs the public card wins; otherwise the higher rank does, and equal ranks share."
    )


def _goofspiel(rules: Any) -> str:
    return (
        f"Two players hold the same {rules.n} cards, numbered 1 to {rules.n}. In every round both bid one of their "
        f"cards in secret. The first prize is worth {rules.n} points, the next one less, and so on; the higher bid "
        "takes it, and after a tie nobody does. Players learn who won a round, never what the other bid. Whoever has "
        "more points at the end wins 1."
    )


def _bluff(rules: Any) -> str:
    dice = f"Player 0 has {_many(rules.dice0, 'die', 'dice')} and player 1 has {_many(rules.dice1, 'die', 'dice')}"
    ends = (
        "The loser of the round pays 1."
        if rules.rounds == "one"
        else f"The loser of a round removes a die {OPENERS[rules.opener]}; a player without dice pays 1."
    )
    return (
        f"{dice}, with faces 1 to {rules.faces}. Both roll in secret and take turns to bid how many dice of a face "
        "there are on the table, player 0 first and each bid higher than the last, until somebody says liar. "
        f"The face {rules.faces} is wild and counts for every face. If the last bid was true, the player who said liar "
        f"loses the round, otherwise the bidder does. {ends}"
    )


def _rock_paper_scissors(rules: Any) -> str:
    return (
        "Two players choose rock, paper or scissors at the same time. Rock beats scissors, scissors beat paper, and "
        "paper beats rock. The winner gets 1 point from the loser; equal choices pay nothing."
    )


def _matrix(rules: Any) -> str:
    return (
        f"Player 0 chooses one of {len(rules.payoffs)} rows and player 1, at the same time, one of "
        f"{len(rules.payoffs[0])} columns. Player 1 pays player 0 the number that stands where they meet."
    )


def _nlph(rules: Any) -> str:
    return (
        f"Two players with {rules.stack:,} chips each post blinds of {rules.blinds.replace(' ', ' and ')} and get two "
        "cards each. Player 0 has the small blind and moves first: fold, call, raise or go all-in. There is one round "
        "of betting. After it five cards are turned up, and the better hand of poker takes the pot."
    )


def _spot(rules: Any) -> str:
    return (
        f"Two players are in the middle of a hand of hold'em: the board is {rules.board}, the pot has {rules.pot:,} "
        f"chips and each player has {rules.stack:,} behind. Each holds two cards out of a known range. Player 0 moves "
        "first on every street. Whoever folds loses the pot; at the end the better hand of poker takes it."
    )


def _holdem(rules: Any) -> str:
    streets = len(str(rules.board).split()) + 1
    return (
        f"Two players post blinds and get two cards each from a deck of {rules.ranks * rules.suits}. There are "
        f"{_many(streets, 'round')} of betting, with new cards on the board before each but the first. Player 1 deals "
        "and moves first before the flop, player 0 afterwards. Whoever folds loses the pot; at the end the better hand "
        "of poker takes it."
    )


def _many(count: int, one: str, several: str | None = None) -> str:
    return f"{count} {one if count == 1 else several or one + 's'}"


WRITERS: dict[str, Callable[[Any], str]] = {
    "kuhn": _kuhn,
    "leduc": _leduc,
    "gp": _generic_poker,
    "goofspiel": _goofspiel,
    "bluff": _bluff,
    "rps": _rock_paper_scissors,
    "matrix": _matrix,
    "nlph": _nlph,
    "spot": _spot,
    "holdem": _holdem,
}
