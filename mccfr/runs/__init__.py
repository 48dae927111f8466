"""Runs: a solver on disk, with its configuration, metrics and checkpoints, that survives being stopped anywhere."""
