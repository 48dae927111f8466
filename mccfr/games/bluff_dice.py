"""The dice of Bluff: hands and their probabilities, bids and what counts for them."""

import math
from collections import Counter
from functools import cache
from itertools import combinations_with_replacement

LIAR = "liar"


@cache
def hands(dice: int, faces: int) -> tuple[tuple[str, float], ...]:
    """Every roll as a sorted hand, `136`, with its multinomial probability."""
    rolls = []
    for hand in combinations_with_replacement("123456789"[:faces], dice):
        ways = math.factorial(dice) // math.prod(map(math.factorial, Counter(hand).values()))
        rolls.append(("".join(hand), ways / faces**dice))
    return tuple(rolls)


@cache
def support(hand: str, faces: int) -> tuple[int, ...]:
    """How many dice of the hand count for a bid on each face: the top face is wild, and alone counts for itself."""
    wild = hand.count(str(faces))
    return (*(hand.count(str(face)) + wild for face in range(1, faces)), wild)


@cache
def bids(dice: int, faces: int) -> tuple[str, ...]:
    """All bids on this many dice, `quantity-face`, from the lowest to the highest."""
    return tuple(f"{quantity}-{face}" for quantity in range(1, dice + 1) for face in range(1, faces + 1))


@cache
def menus(dice: int, faces: int) -> tuple[tuple[str, ...], ...]:
    """What may be said before the first bid, after the lowest bid, after the second lowest, ..."""
    names = bids(dice, faces)
    return (names, *((*names[last + 1 :], LIAR) for last in range(len(names))))
