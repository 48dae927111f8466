"""Experiments as data: sweeps, races, comparisons and plots over run folders."""
