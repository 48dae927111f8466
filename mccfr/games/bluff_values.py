"""Values of the smaller rounds of Bluff that are too large for a linear programme, from the view of player 0.

Each lies between what player 0 can guarantee and what player 1 cannot prevent, by best responses to the average
strategy of `dcfr` in vector form: `python benchmarks/game_values.py --parts` prints this table.
"""

BRACKETS: dict[str, tuple[float, float]] = {
    "bluff(dice0=2, opener=winner)": (0.6164495986964544, 0.6166526319086834),
    "bluff(dice0=2, opener=alternate)": (0.6164495986964544, 0.6166526319086834),
    "bluff(dice1=2)": (-0.5701882971345877, -0.5700568018627131),
    "bluff(dice1=2, opener=alternate)": (-0.5701882971345877, -0.5700568018627131),
}  # 800 iterations; `alternate` is the same game as the line before: only one of its rounds is followed by another


def known_value(game: str) -> float | None:
    """The middle of the bracket of a game, if it has one here."""
    return sum(BRACKETS[game]) / 2 if game in BRACKETS else None
