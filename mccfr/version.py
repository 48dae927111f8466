"""The version of this package. It stands here and nowhere else: pyproject.toml reads it from this line."""

__version__ = "0.2.0"
