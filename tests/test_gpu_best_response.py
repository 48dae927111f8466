"""Best responses with every card on a GPU, against the processor: `make test-gpu`."""

import numpy as np
import pytest
import real_examples
import response_examples as examples

import mccfr
from mccfr.errors import MccfrError
from mccfr.evaluate.response_machines import Graphics, Launch, Processor
from mccfr.gpu.device import find_gpu


def reason():
    """Why there is no GPU, or nothing."""
    try:
        return "" if find_gpu("a test").name != "simulator" else "kernels are interpreted"
    except MccfrError as error:
        return str(error)


pytestmark = [pytest.mark.gpu, pytest.mark.skipif(bool(reason()), reason=reason() or "there is a GPU")]


@pytest.mark.parametrize("name", real_examples.GAMES)
@pytest.mark.parametrize("launch", [Launch(), Launch(lanes=32, workers=8), Launch(lanes=8, workers=32, flops=3)])
def test_flops_are_worth_the_same(name, launch):
    strategy = real_examples.random_strategy(real_examples.bucket_tree(name))
    made = examples.responses(strategy, Graphics(launch))
    kinds = list(range(len(made.trees.copies)))
    want = examples.values(examples.responses(strategy, Processor()), kinds)
    got = examples.values(made, kinds)
    assert np.abs(got - want).max() <= 1e-5 * np.abs(want).max()


@pytest.mark.parametrize("game", [examples.game_of(*each) for each in examples.GAMES])
def test_any_betting_deck_and_bucketing(game):
    strategy = real_examples.random_strategy(mccfr.compile(game))
    found = mccfr.real_exploitability(strategy, device="gpu")
    assert found.best_response == pytest.approx(mccfr.real_exploitability(strategy).best_response, rel=1e-5)
    assert found.device != "cpu"


def test_sums_that_do_not_fit_into_fast_memory(monkeypatch):
    from mccfr.evaluate import response_machines

    strategy = real_examples.random_strategy(real_examples.bucket_tree("all-in before the flop"))
    monkeypatch.setattr(response_machines, "MOST_FAST", 0)
    found = examples.best(strategy, Graphics())
    assert found.best_response == pytest.approx(real_examples.expected("all-in before the flop"), rel=1e-5)


def test_more_fast_memory_than_usual():
    """More than 48 KB a block must be asked for: a large bet menu on a small deck needs that much."""
    game = "holdem(nolimit(stack=40, bet='50%,100%,a', raise_='50%,100%,a'), ehs2(2), ranks=5, suits=2, board='3')"
    strategy = real_examples.random_strategy(mccfr.compile(game))
    machine = Graphics(Launch(lanes=32))
    made = examples.responses(strategy, machine)
    assert made.sizes[0].fast(32) * 4 > 48 * 1024
    assert examples.best(strategy, machine).best_response == pytest.approx(
        mccfr.real_exploitability(strategy).best_response, rel=1e-5
    )


@pytest.mark.slow
def test_who_always_folds_loses_750_thousandths_of_a_big_blind():
    """On the full deck, a few minutes."""
    strategy = examples.always(mccfr.compile("holdem(limit, lin)"), "f")
    assert mccfr.real_exploitability(strategy, device="gpu").mbb == pytest.approx(750.0, rel=1e-5)
