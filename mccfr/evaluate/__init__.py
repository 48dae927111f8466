"""Exact evaluation: expected values, best responses, exploitability."""
