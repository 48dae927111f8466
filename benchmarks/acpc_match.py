"""Long matches over TCP through our dealer against a client that only knows the protocol, read again by pokerkit.

    python benchmarks/acpc_match.py [HANDS]

For limit and no-limit: `mccfr acpc-dealer` plays the blueprint against `acpc_random_client.py`, which runs in a process
of its own. Then every hand of the log is parsed by mccfr and by pokerkit, and chips are compared hand by hand and in
sum.
"""

import json
import stat
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import pokerkit

import mccfr
from mccfr.playing.table import table_of
from mccfr.protocols.acpc_log import read_log

HERE = Path(__file__).parent
GAMES = {
    "limit": "holdem(limit(bets='10 10 20', blinds='5 10'))",
    "nolimit": "holdem(nolimit(stack=10000, blinds='50 100', bet='a'))",
}


def match(kind, hands, folder):
    """Play a match; its document and its log."""
    definition, script, log = folder / f"{kind}.game", folder / f"{kind}.sh", folder / f"{kind}.log"
    mccfr.write_gamedef(GAMES[kind], definition)
    script.write_text(f'#!/bin/sh\nexec {sys.executable} {HERE}/acpc_random_client.py "$1" "$2" {definition} 7\n')
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    words = [f"gamedef:{definition}", f"bot=blueprint:{kind}", f"rand=exe:{script}", "--hands", str(hands)]
    command = [sys.executable, "-m", "mccfr", "acpc-dealer", *words, "--seed", "1", "--log", str(log), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    print(f"{kind}: exit code {done.returncode}; {' '.join(done.stderr.split())}")
    return json.loads(done.stdout), log


def pokerkit_chips(kind, log):
    """What pokerkit says both players won, hand by hand."""
    if kind == "limit":
        game = pokerkit.FixedLimitTexasHoldem((), True, 0, (5, 10), 10, 20)
    else:
        game = pokerkit.NoLimitTexasHoldem((), True, 0, (50, 100), 100)
    stack = 10_000
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about cards that were burnt, which nobody sees
        for history in pokerkit.HandHistory.from_acpc_protocol(game, stack, log.read_text(), error_status=True):
            *_, last = history  # states from the deal to the end
            yield history.players, [after - stack for after in last.stacks]


def main(hands=20_000):
    with tempfile.TemporaryDirectory() as folder:
        for kind in GAMES:
            document, log = match(kind, hands, Path(folder))
            rate = document["hands"] / document["seconds"]
            print(f"{kind}: {document['hands']:,} hands, {rate:,.0f} a second; {json.dumps(document['players'])}")
            began = time.monotonic()
            ours = read_log(table_of(mccfr.read_gamedef(Path(folder) / f"{kind}.game")), log)
            print(f"{kind}: read by mccfr in {time.monotonic() - began:.0f} s: {len(ours.hands):,} hands, {ours.score}")
            won, count = {"bot": 0, "rand": 0}, 0
            for record, (names, chips) in zip(ours.hands, pokerkit_chips(kind, log), strict=True):
                assert [list(record.names), list(record.chips)] == [names, chips], record
                for name, more in zip(names, chips):
                    won[name] += more
                count += 1
            assert (won["bot"], won["rand"]) == ours.score.chips
            print(f"{kind}: pokerkit parsed {count:,} hands, every one with our chips, and the same score: {won}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
