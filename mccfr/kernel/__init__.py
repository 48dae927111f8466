"""Compiled code. Knows arrays only: no game, file, name or string. The only room that imports Numba."""
