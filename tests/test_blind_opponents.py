"""benchmarks/blind_opponents.py against best responses with every card: two ways that share only hand strengths."""

import sys
from pathlib import Path

import pytest
import response_examples as examples

import mccfr

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))

from blind_opponents import Deck, best_responses

pytestmark = pytest.mark.slow  # some seconds of compiling


@pytest.mark.parametrize(("ranks", "suits", "flop"), [(4, 3, 2), (3, 4, 1)])
def test_both_ways_agree(ranks, suits, flop):
    tree = mccfr.compile(f"holdem(limit, ehs2(1), ranks={ranks}, suits={suits}, board='{flop} 1 1')")
    known = {
        "fold": examples.always(tree, "f"),
        "call": examples.always(tree, "c"),
        "uniform": mccfr.uniform(tree),
    }
    found = best_responses(Deck(ranks, suits, flop), list(known))
    for (dealer, blind), strategy in zip(found, known.values()):
        assert mccfr.real_exploitability(strategy).best_response == pytest.approx((blind, dealer), rel=1e-12)
