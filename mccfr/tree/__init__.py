"""Compiling a game: the rules of a human become the flat arrays of a machine."""
