"""Figures of the papers, run again: jobs, what to make of them, and a verdict on every claim."""
