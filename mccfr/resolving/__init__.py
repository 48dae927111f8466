"""Re-solving: a position of a game solved again while it is played."""
