"""The GPU: whether there is one, what is on it, and what is said when it cannot be used."""
