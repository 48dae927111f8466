"""The one string form of games and methods, read and written."""

import keyword
import string

import pytest
from hypothesis import given, settings, strategies as st

from mccfr.errors import MccfrError, nearest
from mccfr.grammar import Call, GrammarError, parse_call, parse_sum

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
CALLS = st.builds(Call, NAMES, st.lists(VALUES, max_size=3).map(tuple), st.dictionaries(NAMES, VALUES, max_size=3))


@settings(max_examples=400)
@given(CALLS)
def test_calls_are_read_as_they_were_written(call):
    again = parse_call(str(call))
    assert again == call
    assert [type(v) for v in again.args if isinstance(v, bool | str)] == [
        type(v) for v in call.args if isinstance(v, bool | str)
    ]


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
    ],
)
def test_what_people_type(text, call):
    assert parse_call(text) == call


@pytest.mark.parametrize(
    "text",
    [
        *("", "(", "a(", "a)", "1", "'a'", "a.b", "a.b(1)", "a(b(1))", "a(1+1)", "a(*b)", "a(**b)", "a[1]", "a; b"),
        *("lambda: 0", "a(x=1, x=2)", "a b", "a(b.c)", "\x00", "(" * 5000, "a(" + "[" * 5000 + "]" * 5000 + ")"),
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
        GrammarError, match=r"cannot read the value 'f\(1\)' in 'leduc\(suits=f\(1\)\)': use a number, a word"
    ):
        parse_call("leduc(suits=f(1))")
    with pytest.raises(GrammarError, match=r"a parameter is given twice|repeated"):
        parse_call("leduc(shift=1, shift=2)")


# Near words -----------------------------------------------------------------------------------------------------------


def test_nearest():
    known = ["cfr", "cfr_plus", "lcfr", "dcfr", "linear"]
    assert nearest("cfrplus", known).startswith("did you mean cfr_plus")
    assert nearest("zzz", known) == "known: cfr, cfr_plus, dcfr, lcfr, linear"
    assert nearest("LINEAR", known) == "did you mean linear?"


def test_nearest_does_not_mind_capitals():
    assert nearest("k:cb", ["K:cb", "Q:c"]) == "did you mean K:cb?"
    assert nearest("K:r", ["K:r/", "k:r/", "zzz"]) == "did you mean K:r/ or k:r/?"
