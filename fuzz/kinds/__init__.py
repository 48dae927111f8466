"""The kinds of inputs. Each file has a `Kind` that sets itself up in a folder, draws cases from dice, and runs them."""

KINDS = {  # cases for each one asked for, and cases in a piece of work
    "files": (1.0, 1000),
    "archives": (1.0, 1000),
    "efg": (0.25, 500),
    "strings": (1.0, 10_000),
    "games": (0.05, 100),
    "spots": (0.2, 500),
    "pages": (0.045, 100),  # each of some 25 messages, which are what is counted
}
