"""`python -m mccfr`: the command line."""

from mccfr.cli.main import run

run()
