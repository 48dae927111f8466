"""Chips and lines: bet sizes as people write them, limit and no-limit betting, betting trees. Knows no cards."""
