"""Methods as values and as strings: each is rebuilt by its own string, and a wrong one says what would be right."""

import dataclasses

import pytest
from hypothesis import given, settings, strategies as st

import mccfr
from mccfr.errors import MethodError
from mccfr.kernel.averaging import Average, RestartedAverage, ScheduledAverage
from mccfr.kernel.minimisers import (
    RM,
    AsymmetricRMPlus,
    Discounted,
    DiscountedAfter,
    PredictiveDiscounted,
    PredictiveRMPlus,
    RMPlus,
    Scheduled,
)
from mccfr.solvers.auto import LP_UP_TO, choose_method
from mccfr.solvers.method import PARTS, RECIPES, FullWidth, LinearProgramme, Method

NUMBERS = st.one_of(st.integers(-3, 5), st.floats(-5, 5), st.sampled_from([float("inf"), float("-inf")]))
MINIMISERS = st.one_of(
    st.sampled_from([RM(), RMPlus(), PredictiveRMPlus()]),
    st.builds(Discounted, NUMBERS.map(float), NUMBERS.map(float)),
    st.builds(DiscountedAfter, NUMBERS.map(float), NUMBERS.map(float)),
    st.builds(PredictiveDiscounted, NUMBERS.map(float)),
    st.builds(AsymmetricRMPlus, st.sampled_from([2.0, 0.0, 1 / 3])),
    st.builds(Scheduled, st.sampled_from([1, 1000])),
)
POWERS = st.one_of(st.sampled_from([0.0, 1.0, 2.0, 3.0, 5.0]), st.floats(0, 20))
SKIPS = st.sampled_from([0, 1, 1000])
AVERAGES = st.one_of(
    st.builds(Average, POWERS, SKIPS, st.just(True)),
    st.builds(RestartedAverage, POWERS, SKIPS, st.sampled_from([2, 4])),
    st.builds(ScheduledAverage, st.sampled_from([30.0, 15.0, 2.0]), SKIPS, st.sampled_from([1, 1000])),
)
METHODS = st.one_of(
    st.just(Method(LinearProgramme())), st.builds(Method, st.builds(FullWidth, st.booleans()), MINIMISERS, AVERAGES)
)


def parts(method):
    """The parts with their types: a Discounted and a DiscountedAfter are equal as tuples."""
    return [(type(part), part) for part in (method.sampler, method.minimiser, method.averaging)]


@settings(max_examples=500)
@given(METHODS)
def test_a_method_is_rebuilt_by_its_string(method):
    again = Method.parse(str(method))
    assert str(again) == str(method)
    assert again == method
    if not isinstance(method.sampler, LinearProgramme):
        assert parts(again) == parts(method)


@settings(max_examples=300)
@given(METHODS, METHODS)
def test_methods_are_equal_exactly_when_their_parts_are(one, other):
    if LinearProgramme in (type(one.sampler), type(other.sampler)):
        assert (one == other) == (type(one.sampler) is type(other.sampler))
    else:
        assert (one == other) == (parts(one) == parts(other))
    assert one != str(one)
    assert one != other or hash(one) == hash(other)


def test_the_two_orders_of_dcfr_are_different_methods():
    assert Method.parse("dcfr(1.5, 0, 2)") != Method.parse("dcfr(1.5, 0, 2, order=after)")


RECIPES_OF_THE_LITERATURE = {
    "lp": Method(LinearProgramme()),
    "cfr": Method(FullWidth(), RM(), Average(0.0)),
    "cfr_plus": Method(FullWidth(), RMPlus(), Average(1.0)),
    "lcfr": Method(FullWidth(), Discounted(1.0, 1.0), Average(1.0)),
    "dcfr": Method(FullWidth(), Discounted(1.5, 0.0), Average(2.0)),
    "dcfr(1.5,0,2)": Method(FullWidth(), Discounted(1.5, 0.0), Average(2.0)),
    "dcfr(inf, -inf, 2)": Method(FullWidth(), Discounted(float("inf"), float("-inf")), Average(2.0)),
    "dcfr(1, 1, 1, order=after)": Method(FullWidth(), DiscountedAfter(1.0, 1.0), Average(1.0)),
    "pcfr_plus": Method(FullWidth(), PredictiveRMPlus(), Average(2.0)),
    "cfr+rm_plus+quadratic": Method(FullWidth(), RMPlus(), Average(2.0)),
    " cfr + rm_plus + linear ": Method(FullWidth(), RMPlus(), Average(1.0)),
    "cfr_plus+skip(1000)": Method(FullWidth(), RMPlus(), Average(1.0, 1000)),
    "cfr+power(0.5)+simultaneous": Method(FullWidth(True), RM(), Average(0.5)),
    "cfr+simultaneous+alternating": Method(FullWidth(), RM(), Average(0.0)),
    "pcfr_plus+rm+constant": Method(FullWidth(), RM(), Average(0.0)),
    "dcfr_plus": Method(FullWidth(), Discounted(1.5, float("-inf")), Average(4.0)),
    "pdcfr_plus": Method(FullWidth(), PredictiveDiscounted(2.3), Average(5.0)),
    "sapcfr_plus": Method(FullWidth(), AsymmetricRMPlus(2.0), Average(2.0)),
    "hs_dcfr": Method(FullWidth(), Scheduled(1000), ScheduledAverage(30.0, 0, 1000)),
    "hs_dcfr(15, 500)": Method(FullWidth(), Scheduled(500), ScheduledAverage(15.0, 0, 500)),
    "hs_dcfr+linear": Method(FullWidth(), Scheduled(1000), Average(1.0)),
    "hs_pcfr_plus": Method(FullWidth(), PredictiveRMPlus(), ScheduledAverage(30.0, 0, 1000)),
    "dcfr_restarts": Method(FullWidth(), Discounted(1.5, 0.0), RestartedAverage(3.0, 0, 4)),
    "dcfr_restarts+linear": Method(FullWidth(), Discounted(1.5, 0.0), RestartedAverage(1.0, 0, 4)),
    "lcfr+skip(3)+restarts(2)": Method(FullWidth(), Discounted(1.0, 1.0), RestartedAverage(1.0, 3, 2)),
    "cfr+discounted(alpha=2, beta=1)": Method(FullWidth(), Discounted(2.0, 1.0), Average(0.0)),
}


@pytest.mark.parametrize("text", RECIPES_OF_THE_LITERATURE)
def test_strings(text):
    assert parts(Method.parse(text)) == parts(RECIPES_OF_THE_LITERATURE[text])
    assert parts(Method.parse(str(Method.parse(text)))) == parts(RECIPES_OF_THE_LITERATURE[text])
    assert mccfr.Solver("kuhn", text).method == RECIPES_OF_THE_LITERATURE[text]


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("cfr+rm_plus+linear", "cfr_plus"),
        ("dcfr(1, 1, 1)", "lcfr"),
        ("cfr+prm_plus+quadratic", "pcfr_plus"),
        ("dcfr", "dcfr(1.5, 0, 2)"),
        ("cfr+prm_plus+scheduled_average", "hs_pcfr_plus(30, 1000)"),
        ("cfr+scheduled+scheduled_average(30)", "hs_dcfr(30, 1000)"),
        ("dcfr+restarts(4)+power(3)", "dcfr_restarts(1.5, 0, 3, 4)"),
        ("cfr+saprm_plus+quadratic", "sapcfr_plus(2)"),
        ("cfr+pdrm_plus+power(5)", "pdcfr_plus(2.3, 5)"),
    ],
)
def test_strings_are_as_short_as_they_can_be(text, short):
    assert str(Method.parse(text)) == short


def test_a_method_is_its_own_parse():
    method = Method.parse("cfr_plus")
    assert Method.parse(method) is method
    assert mccfr.solve("kuhn", method, iterations=2).strategy().origin.method == "cfr_plus"


def test_methods_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Method.parse("cfr").minimiser = RMPlus()


@pytest.mark.parametrize("name", [*RECIPES, *PARTS])
def test_every_recipe_and_part_says_what_it_is(name):
    assert ({**RECIPES, **PARTS}[name].__doc__ or "").strip()


WRONG = {
    "cfr_pluss": "unknown method 'cfr_pluss'; did you mean cfr_plus",
    "CFRR": "unknown method 'CFRR'; did you mean cfr",
    "zzz": "unknown method 'zzz'; known: alternating, average_strategy, batch, cfr, cfr_plus, ",
    "cfr+linaer": "unknown method part 'linaer'; did you mean linear?",
    "cfr+quadratik": "unknown method part 'quadratik'; did you mean quadratic?",
    "linear": r"method 'linear' must start with a recipe \(lp, cfr_plus, .*, external, .* lists all\), not with linear",
    "cfr+cfr_plus": r"method 'cfr\+cfr_plus' has two recipes: cfr and cfr_plus",
    "lp+linear": r"method 'lp\+linear': lp is exact and takes no parts",
    "cfr(1)": r"cfr\(1\): too many positional arguments; cfr takes \(\)",
    "dcfr(1, 2, 3, before, 5)": r"dcfr\(1, 2, 3, before, 5\): too many positional arguments; dcfr takes \(alpha=1.5, ",
    "dcfr(gama=2)": r"dcfr\(gama=2\): got an unexpected keyword argument 'gama'; dcfr takes \(alpha=1.5,",
    "dcfr(one)": "dcfr: alpha must be a number, got 'one'",
    "dcfr(true)": "dcfr: alpha must be a number, got True",
    "dcfr(1, 1, -1)": "dcfr: gamma must be a number from 0 to 20, got -1",
    "dcfr(order=during)": "dcfr: order must be before or after, got 'during'",
    "dcfr_restarts(base=1)": "dcfr_restarts: base must be a whole number from 2, got 1",
    "cfr+restarts(1.5)": "restarts: base must be a whole number from 2, got 1.5",
    "hs_dcfr+restarts": r"restarts: an average by a schedule has no power of t to restart: write power\(3\)\+restarts",
    "hs_dcfr(iterations=0)": "hs_dcfr: iterations must be a whole number from 1, got 0",
    "hs_dcfr(1000)": "hs_dcfr: gamma must be a number from 0 to 40, got 1000",
    "sapcfr_plus(-1)": "sapcfr_plus: asymmetry must be a number from 0 to 1e",
    "pdcfr_plus(gamma=30)": "pdcfr_plus: gamma must be a number from 0 to 20, got 30",
    "dcfr_plus(one)": "dcfr_plus: alpha must be a number, got 'one'",
    "external+restarts": "restarts is for full-width methods: it changes all averages at once; sampled methods take",
    "external+scheduled_average": "scheduled_average is for full-width methods: it changes all averages at once",
    "external+pdrm_plus": "pdrm_plus is for full-width methods: it discounts all regrets in every iteration; sampled",
    "vector(robust)+scheduled": "scheduled is for full-width methods: it discounts all regrets in every iteration",
    "cfr+power": "power: missing a required argument: 'weight'; power takes",
    "cfr+power(-1)": "power: weight must be a number from 0 to 20, got -1",
    "cfr+power(200)": "power: weight must be a number from 0 to 20, got 200",
    "cfr+skip(1.5)": "skip: skip must be a whole number from 0, got 1.5",
    "cfr+skip(-1)": "skip: skip must be a whole number from 0, got -1",
    "robust(99999999999999999999999)": "robust: k must be a whole number from 1 to 9007199254740992, got one of 23",
    f"cfr+skip({2**53 + 1})": "skip: skip must be a whole number from 0 to 9007199254740992, got one of 16 digits$",
    "outcome+probe(99999999999999999999999)": "probe: rollouts must be a whole number from 1 to 9007199254740992",
    "external+batch(99999999999999999999999)": "batch: size must be a whole number from 1 to 9007199254740992",
    "vector(own=robust(99999999999999999999999))": "robust: k must be a whole number from 1 to 9007199254740992",
    "linear+": r"method 'linear\+': there is no 'linear\+'; a part follows a \+",
    "": "method: cannot read ''",
    "cfr*2": r"method: cannot read 'cfr \* 2' in 'cfr\*2': expected name",
    "cfr_plus(": r"method: cannot read 'cfr_plus\('",
    "__import__('os').system('true')": "method: cannot read",
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong_strings(text):
    with pytest.raises(MethodError, match=f"^{WRONG[text]}") as error:
        mccfr.Solver("kuhn", text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("part", "told"),
    [
        (
            {"averaging": RestartedAverage(3.0, 0, 1)},
            "averaging RestartedAverage has base=1: expected a whole number from 2",
        ),
        (
            {"averaging": RestartedAverage(3.0, 0, 2.5)},
            "averaging RestartedAverage has base=2.5: expected a whole number",
        ),
        ({"averaging": ScheduledAverage(30.0, 0, 0)}, "averaging ScheduledAverage has iterations=0: expected a whole"),
        ({"minimiser": Scheduled(0)}, "minimiser Scheduled has iterations=0: expected a whole number from 1"),
    ],
)
def test_parts_with_wrong_counts(part, told):
    with pytest.raises(MethodError, match=f"^Method: {told}"):
        Method(**part)


@pytest.mark.parametrize("method", [5, None, ["cfr"], RM()])
def test_what_is_no_method(method):
    with pytest.raises(MethodError, match=r"^a method is a string or a Method, not "):
        mccfr.Solver("kuhn", method)


def test_a_wrong_method_costs_no_compiling(monkeypatch):
    from mccfr.solvers import solver

    monkeypatch.setattr(solver, "compile_game", lambda *args: pytest.fail("compiled"))
    with pytest.raises(MethodError, match="did you mean cfr"):
        mccfr.solve("leduc", "cfrr")


@pytest.mark.parametrize("power", [20.0, 3.5])
def test_large_weights_do_not_overflow(power):
    strategy = mccfr.solve("rps", f"cfr_plus+power({power})", iterations=20_000).strategy()
    assert strategy.probabilities == pytest.approx([1 / 3] * 6)


# auto -----------------------------------------------------------------------------------------------------------------


def test_auto_solves_small_games_exactly():
    solver = mccfr.solve("leduc(suits=False)")
    assert solver.method == Method.parse("lp")
    payoffs = len(solver.tree.sequence_form.first.worth)
    assert payoffs <= LP_UP_TO
    assert solver.reason == f"{payoffs:,} payoffs: a linear programme is exact and takes about a second"
    assert solver.exploitability() < 1e-12


def test_auto_sweeps_larger_games(monkeypatch):
    from mccfr.solvers import auto

    monkeypatch.setattr(auto, "LP_UP_TO", 10)
    method, reason = choose_method(mccfr.compile("kuhn"))
    assert isinstance(method.sampler, FullWidth)
    assert "too many for a quick linear programme" in reason
    assert mccfr.solve("kuhn", method, iterations=300).exploitability() < 0.005


@pytest.mark.parametrize(
    ("game", "word"),
    [
        ("goofspiel(n=3)", "sapcfr_plus"),
        ("matrix([[1, -1], [-1, 1]])", "sapcfr_plus"),
        ("kuhn", "dcfr"),
        ("leduc(suits=False)", "dcfr"),  # where chances are not even
        ("dealt:kuhn", "dcfr"),
    ],
)
def test_auto_forecasts_where_there_is_no_chance(monkeypatch, game, word):
    """On Goofspiel(6) `sapcfr_plus` is five times ahead of `dcfr`: docs/choosing-a-method.md."""
    from mccfr.solvers import auto

    monkeypatch.setattr(auto, "LP_UP_TO", 0)
    method, reason = choose_method(mccfr.compile(game))
    assert method == Method.parse(word)
    assert ("without chance" in reason) == (word == "sapcfr_plus")


def test_no_reason_where_nothing_was_chosen():
    assert mccfr.Solver("kuhn", "cfr").reason == ""
