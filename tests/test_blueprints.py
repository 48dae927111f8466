"""The strategies that come with the package: small enough, readable at once, and better than simple opponents."""

import numpy as np
import pytest
from click.testing import CliRunner

import mccfr
from mccfr.blueprints import BLUEPRINTS, blueprint_file
from mccfr.buckets.bucketing import CardRules
from mccfr.buckets.registry import make_bucketing
from mccfr.buckets.store import FITS, load_fit, shipped_file
from mccfr.cards.deck import CLASS_NAMES
from mccfr.cli.main import cli

MOST_BYTES = 20_000_000
NAMES = tuple(BLUEPRINTS)


@pytest.fixture(scope="module", params=NAMES)
def blueprint(request):
    return mccfr.load(f"blueprint:{request.param}")


@pytest.mark.parametrize("name", NAMES)
def test_files_are_small(name):
    assert blueprint_file(name).stat().st_size <= MOST_BYTES


def test_they_are_of_the_game_and_method_they_say(blueprint):
    made = next(each for each in BLUEPRINTS.values() if str(mccfr.game(each.game)) == blueprint.game)
    assert blueprint.origin.method == str(mccfr.Method.parse(made.method))
    assert blueprint.origin.iterations > 10_000_000


def test_real_cards_are_looked_up_without_the_tables_of_training(blueprint, tmp_path, monkeypatch):
    monkeypatch.setenv("MCCFR_CACHE", str(tmp_path))
    first = blueprint.at("", "AsAh")
    assert sum(first.values()) == pytest.approx(1.0, abs=1e-5)
    assert first.get("f", 0.0) < 0.01  # nobody folds aces
    worst = blueprint.at("", "7s2h")
    raises = [move for move in first if move[0] in "ra"]
    assert sum(first[m] for m in raises) > sum(worst[m] for m in raises)
    river = blueprint.at("ck/2c7dJs:kk/Kh:kk/3s:", "AhAd")
    assert sum(river.values()) == pytest.approx(1.0, abs=1e-5)
    assert not any(path.stat().st_size > 10_000_000 for path in tmp_path.rglob("*") if path.is_file())


def test_grids_have_every_class(blueprint):
    grids = blueprint.grids()
    assert sum(grids.values()) == pytest.approx(np.ones(len(CLASS_NAMES)), abs=1e-5)


def test_show_prints_grids():
    found = CliRunner().invoke(cli, ["show", "blueprint:limit"])
    assert found.exit_code == 0, found.output
    assert "upper right: suited" in found.output
    unknown = CliRunner().invoke(cli, ["show", "blueprint:limid"])
    assert unknown.exit_code == 2
    assert "did you mean limit" in unknown.output


@pytest.mark.parametrize("path", sorted(FITS.glob("*.mccfr")), ids=lambda path: path.stem)
def test_fits_that_come_along_are_of_the_whole_deck_and_named_after_what_they_are(path):
    fit = load_fit(path)
    assert fit.cards == CardRules()
    assert shipped_file(make_bucketing(str(fit.bucketing))) == path


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["fold", "call", "uniform"])
@pytest.mark.parametrize("name", NAMES)
def test_they_beat_simple_opponents(name, opponent):
    blueprint = mccfr.load(f"blueprint:{name}")
    found = mccfr.play_out(blueprint, opponent, hands=400_000)
    untrained = mccfr.play_out(mccfr.uniform(blueprint.tree), opponent, hands=400_000)
    assert found.low > max(0.0, untrained.high), (found, untrained)
