"""Values of the smaller rounds of Bluff that are too large for a linear programme, from the view of player 0.

Each lies between what player 0 can guarantee and what player 1 cannot prevent, by best responses to the average
strategy of `dcfr` in vector form: `python benchmarks/game_values.py --parts -n 2000` prints this table.
"""

BRACKETS: dict[str, tuple[float, float]] = {
    "bluff(dice0=2)": (0.5950964906358314, 0.5951552039387977),
    "bluff(dice0=2, opener=winner)": (0.6164843619225104, 0.6165771602246647),
    "bluff(dice0=2, opener=alternate)": (0.6164843619225104, 0.6165771602246647),
    "bluff(dice1=2)": (-0.57013256510616, -0.5701190323486997),
    "bluff(dice1=2, opener=winner)": (-0.592843373154375, -0.592829357008292),
    "bluff(dice1=2, opener=alternate)": (-0.57013256510616, -0.5701190323486997),
}  # 2,000 iterations; `alternate` is the same game as one of the others: only one of its rounds is followed by another


def known_value(game: str) -> float | None:
    """The middle of the bracket of a game, if it has one here."""
    return sum(BRACKETS[game]) / 2 if game in BRACKETS else None
