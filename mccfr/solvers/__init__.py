"""Solving: methods and their strings, solvers, the choice of a method. No disk, no printing."""
