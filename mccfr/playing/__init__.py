"""Agents and what they do at a table: strategies and people, matches, AIVAT, local best response, off-tree bets."""
