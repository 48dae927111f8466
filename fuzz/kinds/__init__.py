"""The kinds of inputs. Each file has a `Kind` that sets itself up in a folder, draws cases from dice, and runs them."""
