"""Where things are kept that took long to make and can be made again."""

import os
from pathlib import Path


def cache_folder() -> Path | None:
    """MCCFR_CACHE ("off" for nowhere), else a folder in the user's cache folder."""
    given = os.environ.get("MCCFR_CACHE")
    if given is not None and given.lower() in ("off", "0", ""):
        return None
    if given:
        return Path(given)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mccfr"
    except RuntimeError:  # nobody has a home here
        return None
