"""Whether whoever uses this machine named the files of a run: programs and strategies that going on with it would use.

`run.json` names them, and may come from anybody. So it carries a seal: a hash of the names, of where they lead, and of
a key that lies in the user's cache folder and goes nowhere. Where the seal is missing or wrong, these files are used
only if they are named again.
"""

import contextlib
import hashlib
import hmac
import json
import os
import secrets
from pathlib import Path

from mccfr.errors import StrategyError, one_line
from mccfr.files.bounded import read_plain
from mccfr.files.cache import cache_folder
from mccfr.games.registry import game_file, outside
from mccfr.runs.config import Config, Record
from mccfr.runs.strategy_checksums import files_of
from mccfr.solvers.extend import is_used

KEY_BYTES = 32


def seal_of(config: Config) -> str:
    """The seal of a run that is being trained with these files; nothing if it names none, or if no key can be kept."""
    key = _key(make=True) if named_files(config) else None
    return "" if key is None else _seal(config, key)


def is_sealed(record: Record) -> bool:
    """Whether the files that a run names were named by whoever uses this machine, and are still the same ones."""
    key = _key(make=False)
    return key is not None and hmac.compare_digest(record.seal.encode(), _seal(record.given, key).encode())


def named_files(config: Config) -> list[str]:
    """What going on with a run would run or read besides its folder."""
    game = [f"the game {one_line(config.game)}"] if outside(config.game) else []
    strategies = [f"the strategy {one_line(file)}" for file in files_of(config.method)]
    return [*game, *strategies, *(f"the program {one_line(file)}" for file in config.use)]


def require_named(record: Record, folder: Path, game_given: bool) -> None:
    """Refuse to go on with a run that names files, unless it is sealed or they have been named again."""
    given = record.given
    left = named_files(given)
    if game_given and outside(given.game):
        left = left[1:]
    left = [text for text in left if not any(text.endswith(one_line(file)) for file in given.use if is_used(file))]
    if left and not is_sealed(record):
        raise StrategyError(
            f"{folder} names {left[0]}, but you did not start this run on this machine: name it yourself "
            "(mccfr --use FILE resume FOLDER --game GAME), or start again"
        )


def _seal(config: Config, key: bytes) -> str:
    paths = [game_file(config.game), *map(Path, config.use)]
    facts = [config.game, config.method, *config.use, *(str(path.resolve()) for path in paths if path)]
    return hmac.new(key, json.dumps(facts).encode(), hashlib.sha256).hexdigest()


def _key(make: bool) -> bytes | None:
    """The user's key; None if there is none and none can be made."""
    folder = cache_folder()
    if folder is None:
        return None
    path = folder / "key"
    with contextlib.suppress(OSError):
        if make and not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            _make_key(path)
        key = read_plain(path, KEY_BYTES)
        return key if len(key) == KEY_BYTES else None
    return None


def _make_key(path: Path) -> None:
    """A new key, whole from the moment it is there; of several processes that make one, the first one's stays."""
    mine = path.with_name(f".key.{secrets.token_hex(4)}")
    with os.fdopen(os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(secrets.token_bytes(KEY_BYTES))
    try:
        with contextlib.suppress(FileExistsError):
            os.link(mine, path)
    finally:
        mine.unlink()
