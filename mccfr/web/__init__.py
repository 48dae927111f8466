"""The page: a local server that shows solvers at work, run folders and strategies. See docs/watch.md."""
