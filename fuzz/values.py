"""Strange values: JSON texts, numbers, words and labels that have broken programs before."""

import random
from typing import Any

NUMBERS = (
    *("0", "1", "-1", "2", "3", "7", "0.5", "-0.5", "1.5", "-0.0", "1e-9", "1e-320", "1e308", "1e400", "-1e400", "nan"),
    *("inf", "-inf", "NaN", "Infinity", "1e12", "1000000000000", "2147483648", "4294967296", "9223372036854775807"),
    *(
        "9223372036854775808",
        "18446744073709551616",
        "-9223372036854775809",
        "99999999999999999999999",
        "1_000",
        "0x10",
    ),
    *("1j", "1e5", "0b1", "1/2", "1e", ".5", "5.", "--1", "+1", "True", "False", "None", "٣", "²"),
)
JSON = (
    *("null", "true", "false", "0", "-1", "1", "2", "12", "1.5", "-0.0", "1e400", "-1e400", "NaN", "Infinity"),
    *("-Infinity", "9223372036854775807", "9223372036854775808", "18446744073709551616", "-9223372036854775809"),
    *("1e308", "@digits 30", "@digits 400", "@digits 5000", '""', '"\\ud800"', '"\\u0000"', '"a\\nb"', '"nan"', '"1"'),
    *("[]", "{}", "[[]]", "[null]", "[1,2]", "[0,0,0]", "[0,6,12]", '[""]', '{"a":1}', '{"":null}', "@nest 60"),
    *("@nest 100000", "@objects 50000", "@long 400", "@long 100000", '"\\u001b[2J"', '"\\u2028x"', '"<!--<script>"'),
    *('"2026-01-01T00:00:00+00:00"', '"1970"', '"done"', '"running"', '"lp"', '"external"', '"cfr_plus"', '"batch"'),
)
GAMES = (
    *("kuhn", "leduc", "rps", "dealt:kuhn", "goofspiel(3)", "matrix([[1,2],[3,4]])", "bluff(1,1,rounds=one)", "nlph"),
    *("goofspiel(9)", "gp(13,4,4,1)", "bluff(2,2)", "x.py:Evil", "evil.py:Evil", "evil.py", "kuhn(1).py:Evil"),
    *("efg:evil.efg", "evil.efg", "efg:/dev/zero", "efg:/etc/passwd", "dealt:evil.py:Evil", "dealt:efg:/dev/zero"),
    *(
        "efg:../evil.efg",
        " evil.py",
        "kuhn(1)",
        "kuhn(\n1)",
        "KUHN",
        "",
        " ",
        "\x00",
        "kuhn\x00.py",
        "matrix([[1e400]])",
    ),
    *("openspiel:nosuch(", "kuhn(shift=1e400)", "leduc(1)", "matrix(rows=[1])"),
)
DTYPES = (
    *("<f8", ">f8", "<f4", "<f2", "<c16", "<i8", "<i4", ">i8", "<u8", "<u4", "|u1", "|i1", "|b1", "<U4", "|S3"),
    *("<M8[s]", "<m8[s]", "|V8", "|O"),
)
DESCRIPTIONS = (
    *(
        "'<f8'",
        "'|O'",
        "'<c16'",
        "[('a', '<f8')]",
        "[('a', '<f8', (2,))]",
        "'<U1000000000'",
        "'|V0'",
        "'|S0'",
        "'nosuch'",
    ),
    *("'<f16'", "('<f8', (2,))", "None", "{'names': ['a'], 'formats': ['<f8']}", "'<f8' * 3", "__import__('os')"),
)
SHAPES = (
    *(
        "(12,)",
        "(24,)",
        "(1,)",
        "(0,)",
        "()",
        "(-1,)",
        "(12, 1)",
        "(1, 24)",
        "(99999999999,)",
        "(2**62, 4)",
        "12",
        "None",
    ),
    *("(True,)", "(1e3,)", "(9223372036854775807, 9223372036854775807)", "(0, 9223372036854775807)", "('a',)"),
)
LABELS = (
    *(
        "",
        "a",
        "a b",
        '"',
        "\\",
        "{",
        "}",
        "\n",
        "\x00",
        "\x1b[31m",
        "é",
        "♠",
        "😀",
        "\u202e",
        "\u2028",
        "<!--<script>",
    ),
    *("</script>", "&amp;", "a" * 70, "a" * 1000, "K:cb", "1.1", "0", "-1", "nan", "'", "%s", "{0}", "\ud800"),
)


def pick(dice: random.Random, among: Any) -> Any:
    """One of them, quickly."""
    return among[int(dice.random() * len(among))]


def json_text(dice: random.Random) -> str:
    """A JSON text, or nearly."""
    return pick(dice, JSON)


def expanded(text: str) -> str:
    """The text that a short form stands for, so that cases stay small."""
    word, _, number = text.partition(" ")
    if word not in SHORT or not number.isdecimal():
        return text
    return SHORT[word](int(number))


SHORT = {
    "@digits": lambda n: "9" * n,
    "@nest": lambda n: "[" * n + "]" * n,
    "@objects": lambda n: '{"a":' * n + "1" + "}" * n,
    "@long": lambda n: '"' + "x" * n + '"',
}
