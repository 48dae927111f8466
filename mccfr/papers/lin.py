"""What the figures of Lin 2024 share."""

SOURCE = "Lin 2024"
UNTIL = 40_000  # games, from which on there is no floor
