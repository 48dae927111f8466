"""Streets of hold'em re-solved: against linear programmes, the reader of nodes, and what must not rise."""

import itertools

import pytest
from street_resolving_examples import GADGETS, ONE, TWO, few, misgiven, misread, noisy, shortfall

import mccfr
from mccfr.errors import MethodError
from mccfr.evaluate import real_game
from mccfr.resolving.gadgets import ResolvingError
from mccfr.resolving.resolve_street import StreetResolver, resolve_street
from mccfr.resolving.trunk import Trunk

GAMES = {"one street": (ONE, 1), "two streets": (TWO, 1), "the last of two": (TWO, 2)}


@pytest.fixture(scope="module")
def resolvers():
    return {game: StreetResolver(noisy(game)) for game in (ONE, TWO)}


@pytest.fixture(scope="module")
def balanced():
    """An equilibrium, but for a thousandth of a chip."""
    return StreetResolver(mccfr.solve(ONE, "cfr_plus", iterations=500).strategy())


# ---- positions


@pytest.mark.slow_cases("one street")
@pytest.mark.parametrize("name", GAMES)
def test_ranges_and_values_are_those_that_a_reader_of_nodes_sees(name, resolvers):
    game, street = GAMES[name]
    assert misread(resolvers[game], noisy(game), street, few(6)) < 1e-9


@pytest.mark.slow_cases("*maxmargin*", "*reach*")
@pytest.mark.parametrize(("name", "gadget"), list(itertools.product(GAMES, GADGETS)))
def test_positions_are_solved_as_well_as_linear_programmes_solve_them(name, gadget, resolvers):
    game, street = GAMES[name]
    resolver = resolvers[game]
    found = resolver.resolve(street, gadget, iterations=1000)
    for player in (0, 1):
        short = shortfall(resolver, found.strategy, street, gadget, player, few(4))
        assert len(short) > 1
        assert min(short) > -1e-6
        assert max(short) < 0.02  # chips


def test_gifts_are_what_other_actions_would_have_won(resolvers):
    assert misgiven(resolvers[ONE], noisy(ONE)) < 1e-9


# ---- what must not rise, and what may


@pytest.mark.slow_cases("*maxmargin*", "*reach*")
@pytest.mark.parametrize(("name", "gadget"), list(itertools.product(GAMES, GADGETS)))
def test_safe_gadgets_do_not_raise_exploitability_beyond_the_bound(name, gadget, resolvers):
    game, street = GAMES[name]
    found = resolvers[game].resolve(street, gadget, iterations=300)
    assert found.after[0] <= found.before[0] + found.error[0] + 1e-9
    assert found.after[1] <= found.before[1] + found.error[1] + 1e-9
    assert found.exploitability() < found.exploitability(after=False)
    assert sum(found.error) < 0.01
    assert mccfr.exploitability(found.strategy) == pytest.approx(found.exploitability(), abs=1e-9)


def test_an_equilibrium_stays_one_behind_safe_gadgets_and_unsafe_loses_it(balanced):
    before = sum(balanced.before) / 2
    assert before < 0.002
    for gadget in GADGETS:
        found = balanced.resolve("flop", gadget, iterations=500)
        assert found.exploitability() <= found.bound + 1e-9
        assert found.bound < before + 0.01
    assert balanced.resolve("flop", "unsafe", iterations=500).exploitability() > 10 * before


def test_gifts_that_are_too_large_break_the_bound(balanced, monkeypatch):
    usual = Trunk.gifts

    def tenfold(trunk, opponent, way):
        return {board: 10 * given for board, given in usual(trunk, opponent, way).items()}

    monkeypatch.setattr(Trunk, "gifts", tenfold)
    found = balanced.resolve("flop", "reach", iterations=500)
    assert any(found.after[p] > found.before[p] + found.error[p] + 1e-3 for p in (0, 1))


@pytest.mark.slow
def test_maxmargin_does_not_care_by_how_many_chips_all_hands_are_shifted(resolvers):
    one, other = (resolvers[ONE].resolve(1, "maxmargin", values, iterations=50) for values in ("best", "zero_sum"))
    assert one.exploitability() == pytest.approx(other.exploitability(), abs=1e-4)


def test_buckets_are_played_with_every_card():
    game = ONE.replace("ranks=4", "ehs2(2), ranks=4")
    blueprint = mccfr.uniform(game)
    resolver = StreetResolver(blueprint)
    real = mccfr.real_exploitability(blueprint)
    assert resolver.before == pytest.approx(real.best_response, abs=1e-12)
    found = resolver.resolve("flop", "resolve", "profile", iterations=100)
    assert found.exploitability() < real.exploitability


def test_any_number_of_workers_finds_the_same():
    one, two = (resolve_street(noisy(TWO), "flop", "reach", iterations=20, workers=w) for w in (1, 2))
    assert (one.strategy.probabilities == two.strategy.probabilities).all()


def test_rivers_of_a_spot_are_re_solved():
    bets = {"pot": 10, "stack": 10, "bet": "a", "raise_": "a", "ranks": 5, "suits": 2}
    spot = mccfr.spot(board="2c 3d 4c 5d", oop="all", ip="66,55,44,6c3c", **bets)
    found = resolve_street(noisy(spot), "river", "resolve", iterations=200)
    assert found.exploitability() <= found.bound
    assert found.exploitability() < found.exploitability(after=False)


# ---- what is refused


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("preflop",), "street 'preflop' cannot be re-solved: expected flop (or 1 to 1)"),
        (("river",), "street 'river' cannot be re-solved: expected flop (or 1 to 1)"),
        ((0,), "street 0 cannot be re-solved"),
        (("flop", "resolv"), "'resolv' is no gadget; did you mean resolve?"),
        (("flop", "resolve", "worst"), "values 'worst': expected one of best, profile, zero_sum"),
        (("flop", "resolve", "best", "cfr_plus", 0), "iterations must be a whole number from 1, got 0"),
    ],
)
def test_wrong_questions_are_answered_in_one_line(arguments, told, resolvers):
    with pytest.raises(ResolvingError) as error:
        resolvers[ONE].resolve(*arguments)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("method", ["external", "dcfr_restarts"])
def test_methods_that_do_not_fit_are_refused(method, resolvers):
    with pytest.raises(MethodError, match="cannot solve positions: expected a full-width method"):
        resolvers[ONE].resolve(1, "resolve", method=method)


def test_strategies_that_have_no_streets_are_refused(monkeypatch):
    with pytest.raises(ResolvingError, match="kuhn has no streets to re-solve"):
        resolve_street(mccfr.uniform("kuhn"), 1)
    monkeypatch.setattr(real_game, "MANY_BOARDS", 1)
    with pytest.raises(ResolvingError, match="too many to solve all positions of a street, choose a smaller deck"):
        resolve_street(mccfr.uniform(ONE.replace("ranks=4", "ehs2(2), ranks=4")), 1)
