"""The one string form of games and methods, read and written."""

import dataclasses
import keyword
import string
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import mccfr
from mccfr.errors import GameError, MccfrError, nearest
from mccfr.games import registry
from mccfr.games.kuhn import Kuhn
from mccfr.games.parameters import require_part, require_whole
from mccfr.grammar import Call, GrammarError, Named, parse_call, parse_sum

NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True).filter(lambda name: not keyword.iskeyword(name))
WORDS = st.one_of(
    NAMES, st.sampled_from(["true", "false", "inf", "-inf", "True", "None", "if", "lambda", "ﬁ", "1", ""])
)
SCALARS = st.one_of(
    st.integers(-(10**6), 10**6),
    st.floats(allow_nan=False),
    st.booleans(),
    st.text(string.printable, max_size=8),
    WORDS,
)
VALUES = st.one_of(SCALARS, st.lists(SCALARS.filter(lambda v: v not in (float("inf"), float("-inf"))), max_size=3))


def calls(values):
    return st.builds(Call, NAMES, st.lists(values, max_size=3).map(tuple), st.dictionaries(NAMES, values, max_size=3))


CALLS = calls(st.recursive(VALUES, calls, max_leaves=6))


@settings(max_examples=400)
@given(CALLS)
def test_calls_are_read_as_they_were_written(call):
    again = parse_call(str(call))
    assert again == call
    assert hash(again) == hash(call)
    assert [type(v) for v in again.args if isinstance(v, bool | str)] == [
        type(v) for v in call.args if isinstance(v, bool | str)
    ]


@pytest.mark.slow
@settings(max_examples=100)
@given(st.lists(CALLS, min_size=1, max_size=4))
def test_sums_are_read_as_they_were_written(calls):
    assert parse_sum("+".join(map(str, calls))) == calls


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("kuhn", Call("kuhn")),
        ("kuhn()", Call("kuhn")),
        ("gp(6,4,4,1)", Call("gp", (6, 4, 4, 1))),
        ("leduc(suits=False, shift=100)", Call("leduc", (), {"suits": False, "shift": 100})),
        ("leduc(suits=false)", Call("leduc", (), {"suits": False})),
        ("bluff(1,1,rounds=one)", Call("bluff", (1, 1), {"rounds": "one"})),
        ('bluff(1,1,rounds="one")', Call("bluff", (1, 1), {"rounds": "one"})),
        ("dcfr(-1.5, inf, -inf)", Call("dcfr", (-1.5, float("inf"), float("-inf")))),
        ("matrix([[1, -2], [0, 3.5]])", Call("matrix", ([[1, -2], [0, 3.5]],))),
        (" kuhn ", Call("kuhn")),
        ("a(b(1), c=d(e(k=[2])))", Call("a", (Call("b", (1,)),), {"c": Call("d", (Call("e", (), {"k": [2]}),))})),
        ("a(b(), b)", Call("a", (Call("b"), "b"))),
    ],
)
def test_what_people_type(text, call):
    assert parse_call(text) == call


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "(",
            "a(",
            "a)",
            "1",
            "'a'",
            "a.b",
            "a.b(1)",
            "a(b.c(1))",
            "a([b(1)])",
            "a(1+1)",
            "a(*b)",
            "a(**b)",
            "a[1]",
            "a; b",
        ),
        *(
            "lambda: 0",
            "a(x=1, x=2)",
            "a b",
            "a(b.c)",
            "\x00",
            "(" * 5000,
            "a(" * 5000 + ")" * 5000,
            "a(" + "[" * 5000 + "]" * 5000 + ")",
        ),
    ],
    ids=lambda text: repr(text[:12]),
)
def test_what_is_not_of_the_form(text):
    with pytest.raises(GrammarError, match="cannot read") as error:
        parse_call(text)
    assert "\n" not in str(error.value)
    assert isinstance(error.value, MccfrError)


@pytest.mark.parametrize("text", ["a-b", "a+1", "+a", "a++b", "a+(b+c)"])
def test_what_is_no_sum(text):
    with pytest.raises(GrammarError, match="cannot read"):
        parse_sum(text)


def test_messages_say_where():
    with pytest.raises(GrammarError, match=r"cannot read 'leduc\(suits==1\)' at character 13|in 'leduc\(suits==1\)'"):
        parse_call("leduc(suits==1)")
    with pytest.raises(
        GrammarError,
        match=r"cannot read the value '1 \+ 1' in 'leduc\(suits=f\(1\+1\)\)': use a number, a word, a list or",
    ):
        parse_call("leduc(suits=f(1+1))")
    with pytest.raises(GrammarError, match=r"cannot read 'g.h\(1\)' in 'f\(k=g.h\(1\)\)': expected name or name\("):
        parse_call("f(k=g.h(1))")
    with pytest.raises(GrammarError, match=r"a parameter is given twice|repeated"):
        parse_call("leduc(shift=1, shift=2)")


def test_calls_nest_as_deep_as_brackets_may():
    text = "a(" * 150 + "1" + ")" * 150
    assert str(parse_call(text)) == text


# Calls inside the strings of games ------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Limit(Named):
    name = "limit"

    small: int = 1

    def __post_init__(self):
        require_whole(self.name, "small", self.small, 1, 9)


@dataclasses.dataclass(frozen=True)
class Twice(Named):
    name = "twice"

    of: Any

    def __post_init__(self):
        object.__setattr__(self, "of", require_part(self.name, "of", self.of, (Limit, Twice)))

    @property
    def small(self):
        return 2 * self.of.small


@dataclasses.dataclass(frozen=True)
class Staked(Kuhn):
    """Kuhn poker for other stakes."""

    name = "staked"

    stakes: Any = Limit()

    def __post_init__(self):
        object.__setattr__(self, "stakes", require_part(self.name, "stakes", self.stakes, (Limit, Twice)))

    def payoff(self, s):
        return tuple(self.stakes.small * x for x in super().payoff(s))


@pytest.fixture
def staked(monkeypatch):
    monkeypatch.setitem(registry.NAMED, "staked", Staked)


@pytest.mark.parametrize(
    ("text", "written", "stake"),
    [
        ("staked", "staked", 1),
        ("staked(limit)", "staked", 1),
        ("staked(limit())", "staked", 1),
        ("staked(limit(3))", "staked(stakes=limit(small=3))", 3),
        ("staked(stakes=twice(limit(small=3)))", "staked(stakes=twice(of=limit(small=3)))", 6),
        ("staked(twice(twice(limit)))", "staked(stakes=twice(of=twice(of=limit())))", 4),
    ],
)
def test_a_game_may_take_calls(staked, text, written, stake):
    game = registry.make_game(text)
    assert str(game) == written
    assert registry.make_game(written) == game
    assert hash(registry.make_game(written)) == hash(game)
    assert eval(repr(game)) == game
    assert mccfr.expected_value(mccfr.solve(text, "lp").strategy()) == pytest.approx(-stake / 18)
    dealt = registry.make_game(f"dealt:{text}")
    assert (dealt.game, str(dealt)) == (game, f"dealt:{written}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("staked(limit(small=0))", "limit: small must be a whole number from 1 to 9, got 0"),
        ("staked(limit(smal=2))",
         "staked: stakes: limit(smal=2): got an unexpected keyword argument 'smal'; limit takes (small=1)"),
        ("staked(limti(2))", "staked: stakes has no 'limti'; did you mean limit?"),
        ("staked(twice(limti))", "twice: of has no 'limti'; did you mean limit?"),
        ("staked(2)", "staked: stakes must be one of limit, twice, got 2"),
        ("staked([limit(2)])",
         "game: cannot read the value '[limit(2)]' in 'staked([limit(2)])': use a number, a word, a list or a call"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_told_in_one_line(staked, text, message):
    with pytest.raises(GameError) as error:
        registry.make_game(text)
    assert str(error.value) == message


PARAMETERS = [
    (name, field.name)
    for name, rules in registry.NAMED.items()
    for field in fields(rules)
    if field.init and field.name not in ("betting", "buckets")  # which are calls
]
NEEDED = {  # other parameters that must be given
    "matrix": {"payoffs": "[[1]]"},
    "holdem": {"betting": "limit"},
    "spot": {"board": "'Qs Jh 2h'", "pot": "1", "stack": "1", "oop": "all", "ip": "all", "bet": "a", "raise_": "a"},
}


@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_games_that_take_no_calls_refuse_them(name, parameter):
    others = "".join(f"{key}={value}, " for key, value in NEEDED.get(name, {}).items() if key != parameter)
    with pytest.raises(GameError) as error:
        registry.make_game(f"{name}({others}{parameter}=limit(small=1))")
    line = str(error.value)
    assert "\n" not in line
    assert line.startswith(f"{name}: {parameter} ")
    assert line.endswith("got limit(small=1)")


def test_a_class_in_a_file_is_given_the_call(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from mccfr.games.kuhn import Kuhn\n"
        "class Mine(Kuhn):\n"
        "    def __init__(self, call, plain=None):\n"
        "        object.__setattr__(self, 'given', (call, plain))\n"
    )
    game = registry.make_game(f"{file}:Mine(limit(small=1), plain=limit)")
    assert game.given == (Call("limit", (), {"small": 1}), "limit")


# Near words -----------------------------------------------------------------------------------------------------------


def test_nearest():
    known = ["cfr", "cfr_plus", "lcfr", "dcfr", "linear"]
    assert nearest("cfrplus", known).startswith("did you mean cfr_plus")
    assert nearest("zzz", known) == "known: cfr, cfr_plus, dcfr, lcfr, linear"
    assert nearest("LINEAR", known) == "did you mean linear?"


def test_nearest_does_not_mind_capitals():
    assert nearest("k:cb", ["K:cb", "Q:c"]) == "did you mean K:cb?"
    assert nearest("K:r", ["K:r/", "k:r/", "zzz"]) == "did you mean K:r/ or k:r/?"
