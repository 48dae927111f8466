"""Rule books: games in plain Python, for people to read."""
