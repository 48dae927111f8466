"""Best responses with every card by lines side by side, against the sweeps of street trees and what is known."""

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import real_examples
import response_examples as examples
from click.testing import CliRunner

import mccfr
from mccfr.cards.isomorphism import HandIndex
from mccfr.cli.main import cli
from mccfr.errors import DeviceError, FileError, StrategyError
from mccfr.evaluate import real_flops, response_machines
from mccfr.evaluate.flop_boards import boards_of_flops, exchanges_of
from mccfr.evaluate.kept_flops import KeptFlops
from mccfr.evaluate.line_shapes import ADD, BEGIN, LARGER, POP, SOURCES, Step, Steps, shape_of, steps_of
from mccfr.evaluate.lines_met import SHOWN, merge_alike
from mccfr.evaluate.response_machines import Processor
from mccfr.kernel.street_layout import FOLD
from mccfr.tree.street_boards import boards_after

FOLDED = SOURCES[int(FOLD)]


@pytest.fixture(scope="module")
def tree():
    """Three streets, three suits, and rows that depend on the cards as little as anything: no fit is compiled."""
    return real_examples.bucket_tree("two cards, then one")


@pytest.mark.slow_cases(
    "one card a street", "two cards, then one", "one street more", "all-in before the flop", "three chunks of hands"
)
@pytest.mark.parametrize("name", [*real_examples.GAMES, *real_examples.LARGER])
def test_every_flop_is_worth_what_its_street_tree_says(name):
    strategy = real_examples.random_strategy(real_examples.bucket_tree(name))
    trees, want = real_examples.flop_values(strategy)
    got = examples.values(examples.responses(strategy, Processor(lanes=3)), list(range(len(want))))
    ends = trees.plan.laid.kind[: want.shape[2]] >= 2
    assert got[:, :, ends] == pytest.approx(want[:, :, ends], rel=1e-10, abs=1e-16)


@pytest.mark.slow_cases("one card a street")
@pytest.mark.parametrize("name", real_examples.GAMES)
def test_best_responses_are_those_of_the_dealt_form(name):
    strategy = real_examples.random_strategy(real_examples.bucket_tree(name))
    assert examples.best(strategy, Processor()).best_response == pytest.approx(real_examples.expected(name), abs=1e-10)


@pytest.mark.slow  # each bucketing compiles kernels
@pytest.mark.parametrize("game", [examples.game_of(*each) for each in examples.GAMES])
@pytest.mark.parametrize("seed", [1, 2])
def test_any_betting_deck_and_bucketing(game, seed):
    strategy = real_examples.random_strategy(mccfr.compile(game), seed)
    want = mccfr.real_exploitability(strategy).best_response
    assert examples.best(strategy, Processor()).best_response == pytest.approx(want, rel=1e-10)
    single = examples.best(strategy, Processor(lanes=8, precision=np.float32, flops=5)).best_response
    assert single == pytest.approx(want, rel=1e-5)


@pytest.mark.slow
def test_with_exact_buckets_the_real_game_is_the_game():
    strategy = mccfr.solve(examples.EXACT, "external", iterations=3000).strategy()
    found = examples.best(strategy, Processor()).best_response
    assert sum(found) / 2 == pytest.approx(mccfr.exploitability(strategy), abs=1e-10)


def test_who_always_folds_loses_both_blinds(tree):
    """Half of a big blind before the flop as dealer, a whole one as big blind: 750 thousandths on average."""
    strategy = examples.always(tree, "f")
    assert examples.best(strategy, Processor()).best_response == pytest.approx((1.0, 2.0), rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("made", [lambda tree: examples.always(tree, "c"), mccfr.uniform])
def test_simple_strategies_lose_what_the_other_form_says(made, tree):
    strategy = made(tree)
    want = mccfr.real_exploitability(strategy, 10**6).best_response
    assert examples.best(strategy, Processor()).best_response == pytest.approx(want, rel=1e-10)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_a_strategy_leaves_out_is_worth_nothing(seed):
    """Lines it never plays are skipped, and one sequence stands for those that are multiples of it."""
    strategy = examples.careless(real_examples.bucket_tree("two cards, then one"), seed)
    found = mccfr.real_exploitability(strategy, 10**6).best_response
    assert examples.best(strategy, Processor(lanes=3)).best_response == pytest.approx(found, rel=1e-10)


def test_simple_strategies_leave_out_nearly_everything(tree):
    """Sequences at showdowns (in pairs) and folds, and groups with something to compute, on the last street."""
    whole = examples.responses(real_examples.random_strategy(tree), Processor(lanes=1)).sizes[-1]
    uniform = examples.responses(mccfr.uniform(tree), Processor(lanes=1)).sizes[-1]
    assert (uniform.shows, uniform.folds) == (2, 1)
    assert whole.shows > 2
    assert whole.folds > 1
    assert examples.responses(examples.always(tree, "c"), Processor(lanes=1)).sizes[-1].crews < uniform.crews
    folder = examples.responses(examples.always(tree, "f"), Processor(lanes=1))
    assert folder.sizes[-1].crews == 1  # who calls before the flop and then checks


def test_sequences_that_differ_in_one_row_do_not_stand_for_each_other():
    weights = np.ones((3, 20, 2))
    weights[1], weights[2] = 0.5, 0.25
    weights[2, 19, 1] = 0.26
    made = merge_alike(
        Steps([(), (), ()], [0, 1], [2], [Step(BEGIN, SHOWN, 1, 4), Step(ADD, FOLDED, 0, 5)], 1), weights
    )
    assert made.steps == Steps([(), ()], [0], [1], [Step(BEGIN, SHOWN, 0, 4), Step(ADD, FOLDED, 0, 5)], 1)
    assert np.array_equal(made.weights, weights[[0, 2]])
    assert [times.tolist() for times in made.times] == [[0.5, 0.5], [1.0, 1.0]]


def test_a_sample_of_flops_is_the_same_sample():
    strategy = real_examples.random_strategy(real_examples.bucket_tree("two cards, then one"))
    want = mccfr.real_exploitability(strategy, 4, seed=3)
    got = examples.best(strategy, Processor(), 4, seed=3)
    assert got.best_response == pytest.approx(want.best_response, rel=1e-10)
    assert got.margin == pytest.approx(want.margin, rel=1e-9)


@pytest.mark.slow_cases("1-1")
@pytest.mark.parametrize(("lanes", "flops"), [(1, 1), (2, 3), (5, 9)])
def test_it_does_not_matter_how_many_lines_and_flops_are_done_together(lanes, flops):
    strategy = real_examples.random_strategy(real_examples.bucket_tree("all-in before the flop"))
    found = examples.best(strategy, Processor(lanes=lanes, flops=flops)).best_response
    assert found == pytest.approx(real_examples.expected("all-in before the flop"), abs=1e-10)


# ---- boards and steps


@pytest.mark.parametrize(
    ("ranks", "suits", "deals"), [(4, 2, (1, 1, 1)), (3, 3, (2, 1)), (3, 4, (1, 2)), (5, 4, (3, 1))]
)
def test_boards_are_those_of_street_trees(ranks, suits, deals):
    trees = examples.parts_of(mccfr.uniform(f"holdem(limit(cap=0), hs(2), ranks={ranks}, suits={suits}, board='"
                                            f"{' '.join(map(str, deals))}')"))[1]  # fmt: skip
    exchanges = exchanges_of(ranks, suits)
    count = 0
    for kind, flop in enumerate(trees.flops):
        old = boards_after(trees.plan.deck, [trees._listed[0], trees._listed[1 + kind]], deals, 10**6)
        new = boards_of_flops(exchanges, flop[None], deals)
        assert [tuple(cards) for street in new for cards in street.cards.tolist()] == [each.cards for each in old[1:]]
        images = np.concatenate([np.diff(street.image) for street in new])
        assert images.tolist() == [len(each.images) for each in old[1:]]
        count += len(new[-1].cards)
        for street, boards in enumerate(new):
            fresh = boards.cards[:, sum(deals[:street]) :]
            for board, (begin, end) in enumerate(itertools.pairwise(boards.image)):
                turned = exchanges.cards[boards.exchanged[begin:end]][:, fresh[board]]
                assert len({tuple(sorted(cards)) for cards in turned.tolist()}) == end - begin
    assert count == HandIndex(deals, ranks, suits).size


def test_limit_holdem_has_as_many_endings_on_the_river_as_are_counted():
    """Of each responder 9 showdowns, 4 folds of the other player, and 4 of its own, which meet showdown sequences."""
    laid = examples.parts_of(mccfr.uniform("holdem(limit, lin)"))[1].plan.laid
    from mccfr.evaluate.line_groups import lines_of

    lines = lines_of(laid, 3, 16)
    assert len(lines.lines) == 567
    assert len(set(lines.kinds)) == 1
    for responder in (0, 1):
        steps = steps_of(lines.kinds[0], responder)
        assert (len(steps.sequences), len(steps.shows), len(steps.folds)) == (13, 9, 8)
        assert len([step for step in steps.steps if step.source != POP]) == 17
        assert steps.deepest == 2


def test_steps_do_what_the_tree_says():
    """A shape drawn at random, with a number at each ending: the largest at own nodes, the sum at the other's."""
    dice = np.random.default_rng(4)
    for _ in range(50):
        kinds = random_shape(dice)
        shape, worth = shape_of(kinds), dice.normal(size=len(kinds))
        for responder in (0, 1):
            assert walked(steps_of(kinds, responder), worth) == pytest.approx(valued(shape, worth, responder, 0))


def random_shape(dice, depth=0):
    if depth == 4 or dice.random() < 0.3 * (depth > 0):
        return (int(dice.integers(2, 5)),)
    arity = int(dice.integers(1, 4))
    below = [random_shape(dice, depth + 1) for _ in range(arity)]
    return (int(dice.integers(2)) + (arity << 3), *itertools.chain.from_iterable(below))


def valued(shape, worth, responder, node):
    if not shape.children[node]:
        return worth[node]
    below = [valued(shape, worth, responder, child) for child in shape.children[node]]
    return max(below) if shape.kinds[node] & 7 == responder else sum(below)


def walked(steps, worth):
    value, aside = 0.0, []
    for step in steps.steps:
        x = worth[step.node]
        if step.source == POP:
            value, x = aside.pop(), value
        if step.move == BEGIN:
            aside.append(value)
        value = {BEGIN: lambda a, b: b, LARGER: max, ADD: lambda a, b: a + b}[step.move](value, x)
    assert len(aside) == 1
    return value


# ---- what is kept, and what is refused


class Stopping(Processor):
    """Stops when it has answered for so many flops."""

    def __init__(self, after):
        super().__init__(flops=1)
        self.after = after

    def get(self, array):
        self.after -= 1
        if self.after < 0:
            raise KeyboardInterrupt
        return super().get(array)


@pytest.mark.slow
@pytest.mark.parametrize("flops", [10**6, 6])
def test_what_is_done_is_kept(flops, tree, tmp_path):
    strategy, file = mccfr.uniform(tree), tmp_path / "flops"
    want = examples.best(strategy, Processor(), flops)
    with pytest.raises(KeyboardInterrupt):
        examples.best(strategy, Stopping(3), flops, file)
    with pytest.raises(KeyboardInterrupt):
        examples.best(strategy, Stopping(1), flops, file)
    rest = Stopping(100)
    assert examples.best(strategy, rest, flops, file).best_response == pytest.approx(want.best_response, rel=1e-14)
    kinds = len(examples.parts_of(strategy)[1].copies)
    assert 100 - rest.after <= kinds - 4
    assert examples.best(strategy, Stopping(0), flops, file).best_response == pytest.approx(want.best_response)


def test_a_foreign_or_damaged_file_is_refused(tree, tmp_path):
    file = tmp_path / "flops"
    examples.best(mccfr.uniform(tree), Processor(), keep=file)
    with pytest.raises(FileError, match="another strategy, other flops or another device"):
        examples.best(examples.always(tree, "c"), Processor(), keep=file)
    with pytest.raises(FileError, match="another strategy, other flops or another device"):
        examples.best(mccfr.uniform(tree), Processor(), 4, keep=file)
    content = file.read_bytes()
    for damaged in (content[:-30], b"", b"PK" + content[2:200], content[:300] + b"\0" * 40 + content[340:]):
        file.write_bytes(damaged)
        with pytest.raises(FileError, match=r"damaged|not what"):
            examples.best(mccfr.uniform(tree), Processor(), keep=file)
    wrong = KeptFlops(file.with_name("other"), "", [0, 1], (2, 3, 4), each=True)
    wrong.add([1], np.full((1, 2, 3, 4), np.nan))
    wrong.save()
    with pytest.raises(FileError, match="finite"):
        KeptFlops(wrong.path, "", [0, 1], (2, 3, 4), each=True)


def test_no_gpu_is_one_line(tree):
    with pytest.raises(DeviceError, match=r"--device gpu needs an NVIDIA GPU.*take --device cpu"):
        mccfr.real_exploitability(mccfr.uniform(tree), device="gpu")
    said = CliRunner().invoke(cli, ["evaluate", f"uniform:{examples.EXACT}", "--real", "--device", "gpu"])
    assert said.exit_code != 0


def test_too_little_memory_is_refused_before_anything_is_computed(tree):
    from mccfr.gpu.device import Gpu, require_room

    class Small(Processor):
        def admit(self, need, what):
            require_room(Gpu("a small one", 1, 2**29 + 1000, 2**30), need, what)

        def see(self, *args):
            raise AssertionError

    with pytest.raises(
        DeviceError, match=r"the best responses to .* would need about .* GiB on the GPU, and a small one"
    ):
        examples.best(mccfr.uniform(tree), Small())


@pytest.mark.slow
def test_auto_says_what_it_takes(tree):
    said = []
    small = mccfr.real_exploitability(mccfr.uniform(tree), device="auto", tell=said.append)
    assert said == ["on the processor: the deck is small"]
    assert small.device == "cpu"
    with pytest.raises(StrategyError, match=r"kinds of boards.*--flops 20.*--device gpu"):
        mccfr.real_exploitability(mccfr.uniform("holdem(limit(cap=0), lin)"), device="auto", tell=said.append)
    assert said[-1].startswith("on the processor: --device auto needs an NVIDIA GPU")


def test_options_that_make_no_sense_are_refused(tmp_path):
    for more, line in (
        (["--device", "gpu"], "--device needs --real"),
        (["--keep", "f"], "--keep needs --real"),
        (["--real", "--device", "tpu"], "'tpu' is not one of"),
    ):
        said = CliRunner().invoke(cli, ["evaluate", f"uniform:{examples.EXACT}", *more])
        assert said.exit_code == 2
        assert line in said.output
    with pytest.raises(StrategyError, match="keep is for flops one by one"):
        mccfr.real_exploitability(mccfr.uniform(examples.EXACT), keep=tmp_path / "f")


@pytest.mark.slow
def test_the_old_form_keeps_flops_too(tree, tmp_path, monkeypatch):
    strategy, file = mccfr.uniform(tree), tmp_path / "flops"
    want = mccfr.real_exploitability(strategy, 10**6, keep=file)
    monkeypatch.setattr(real_flops, "values_of_flop", None)
    assert mccfr.real_exploitability(strategy, 10**6, keep=file) == want


def test_lines_are_side_by_side_as_fast_memory_allows():
    """Three blocks of limit hold'em on a multiprocessor of an H200, of 228 KiB, each of which takes one more."""
    limit = response_machines.Sizes(9, 8, 47, 1081)
    assert limit.fast(16) == (18 * 47 + 10 + 2 * 10 * 15) * 16
    assert 3 * (limit.fast(16) * 4 + 1024) <= 228 * 1024
    for lanes in (32, 16, 8):
        assert limit.slow(lanes) == 1081 * lanes


# ---- in the simulator of CUDA

PROGRAM = """
import json, sys
import numpy as np
import mccfr, real_examples, response_examples as examples
from mccfr.evaluate.response_machines import Graphics, Launch

strategy = real_examples.random_strategy(real_examples.bucket_tree("one street more"))
found = {"sampled": mccfr.real_exploitability(strategy, 4, device="gpu", tell=lambda text: None)}
made = examples.responses(strategy, Graphics(Launch(lanes=2, workers=3, flops=2)))
found["values"] = examples.values(made, [0, 3, 5]).tolist()
strategy = real_examples.random_strategy(real_examples.bucket_tree("two cards, then one"))
made = examples.responses(strategy, Graphics(Launch(lanes=2, workers=2, flops=1)))
found["later"] = examples.values(made, [5]).tolist()
print(json.dumps(found))
"""


@pytest.mark.slow
def test_the_same_text_runs_in_the_simulator():
    paths = os.pathsep.join([str(Path(__file__).parent), str(Path(__file__).parent.parent)])
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    strategy = real_examples.random_strategy(real_examples.bucket_tree("one street more"))
    want = mccfr.real_exploitability(strategy, 4)
    assert found["sampled"][0] == pytest.approx(want.best_response, rel=1e-5)
    assert found["sampled"][-1] == "simulator"
    same = examples.values(examples.responses(strategy, Processor()), [0, 3, 5])
    assert np.array(found["values"]) == pytest.approx(same, rel=1e-5, abs=1e-8)
    strategy = real_examples.random_strategy(real_examples.bucket_tree("two cards, then one"))
    same = examples.values(examples.responses(strategy, Processor()), [5])
    assert np.array(found["later"]) == pytest.approx(same, rel=1e-5, abs=1e-8)
