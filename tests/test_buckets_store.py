"""Bucketings from strings, fits in files, tables in the cache folder: found again, refused, or made again."""

import dataclasses
import textwrap
import zipfile

import numpy as np
import pytest
from test_buckets_values import some_hands

from mccfr.buckets.bucketing import Bucketing, CardRules, Fit
from mccfr.buckets.canonical import Exact
from mccfr.buckets.percentiles import Percentiles
from mccfr.buckets.registry import make_bucketing
from mccfr.buckets.store import fitted, load_fit, look_up, save_fit, tables_kept
from mccfr.errors import BucketError, FileError
from mccfr.files.container import save
from mccfr.grammar import Call
from mccfr.kernel.bucket_rows import HELD, HandRows, rows_of_hands

CARDS = CardRules(4, 2, (3, 1))


@dataclasses.dataclass(frozen=True)
class HighCard(Bucketing):
    """The rank of the higher hole card; on later streets whether it pairs the board too."""

    name = "high_card"
    calls = []  # noqa: RUF012

    def rows(self, cards):
        return tuple(cards.ranks * (1 + (street > 0)) for street in range(cards.streets))

    def assign(self, fit, street, hands):
        HighCard.calls.append((street, len(hands)))
        ranks = hands // fit.cards.suits
        high = ranks[:, :2].max(axis=1).astype(np.int64)
        return high * 2 + (ranks[:, 2:] == high[:, None]).any(axis=1) if street else high


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MCCFR_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "buckets"


def rows_in_kernels(fit, look, hands):
    out = np.zeros((len(hands), fit.cards.streets), np.int64)
    rows_of_hands(look, np.uint64(fit.cards.streets), hands, np.zeros(HELD, np.uint64), out)
    return out


@pytest.mark.parametrize("given", ["ehs2(3)", Call("ehs2", (3,)), Percentiles(3), "ehs2(buckets=3)", " ehs2( '3 3' ) "])
def test_strings_calls_and_values_name_the_same(given):
    assert make_bucketing(given) == Percentiles(3)
    assert make_bucketing("exact") == make_bucketing(Exact) == Exact()


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("esh2(3)", r"unknown buckets 'esh2'; did you mean ehs2\? \(or PATH.py:Class\)"),
        ("ehs2(3", "buckets: cannot read"),
        ("ehs2(3, 4)", r"ehs2 takes \(buckets=10\)"),
        ("ehs2(size=3)", "unexpected keyword argument 'size'.*buckets=10"),
        (7, "buckets are a string such as 'ehs2.10.' or a Bucketing, got 7"),
        ("evil.py:Own(1)", "are a program of yours: it is run only if you name it yourself"),
    ],
)
def test_a_wrong_name_is_told_in_a_line(given, problem):
    with pytest.raises(BucketError, match=problem):
        make_bucketing(given)


OWN = """
import dataclasses
from mccfr.buckets.bucketing import Bucketing

@dataclasses.dataclass(frozen=True)
class Halves(Bucketing):
    parts: int = 2

    def rows(self, cards):
        return (self.parts,) * cards.streets

    def assign(self, fit, street, hands):
        return hands[:, :2].astype(int).sum(axis=1) % self.parts
"""


def test_a_class_in_a_file_is_a_bucketing_whose_string_rebuilds_it(tmp_path, cache):
    file = tmp_path / "own.py"
    file.write_text(OWN)
    made = make_bucketing(f"{file}:Halves(3)", own=True)
    assert str(made) == f"{file}:Halves(parts=3)"
    fit = fitted(made, CARDS)
    hands = some_hands(CARDS, 2, 50)
    assert (rows_in_kernels(fit, look_up(fit), hands) == hands[:, :2].astype(int).sum(axis=1)[:, None] % 3).any()
    kept = set(cache.iterdir())
    assert len(kept) == 1
    file.write_text(OWN.replace("% self.parts", "% self.parts * 0"))
    changed = fitted(f"{file}:Halves(3)", CARDS)
    assert not rows_in_kernels(changed, look_up(changed), hands).any()
    assert len(set(cache.iterdir()) - kept) == 1


@pytest.mark.parametrize(
    ("text", "call", "problem"),
    [
        ("import nothing_such", "", "cannot be imported: ModuleNotFoundError"),
        ("x = 1", "", "expected one class derived from mccfr.buckets.bucketing.Bucketing; found none"),
        (OWN, ":Halfs", "has no class of buckets 'Halfs'; did you mean Halves"),
        (OWN, ":Halves(", "cannot read"),
        (OWN.replace("parts: int = 2", "parts: int = 1 / 0"), "", "ZeroDivisionError"),
    ],
)
def test_a_wrong_file_is_told_in_a_line(tmp_path, text, call, problem):
    file = tmp_path / "own.py"
    file.write_text(textwrap.dedent(text))
    with pytest.raises(BucketError, match=problem):
        make_bucketing(f"{file}{call}", own=True)
    with pytest.raises(FileError, match="no such file"):
        make_bucketing("missing.py", own=True)


def test_rows_by_hand_are_those_of_assign_and_are_kept(cache):
    fit = fitted(HighCard(), CARDS)
    HighCard.calls.clear()
    look = look_up(fit, workers=2)
    assert isinstance(look, HandRows)
    assert len(look.row) == len(look.numbering) == 4
    assert {row.dtype for row in look.row} == {np.dtype(np.uint8)}
    assert sum(count for street, count in HighCard.calls if street == 2) == CARDS.seen(2).size
    hands = some_hands(CARDS, 2, 300)
    expected = np.stack([fit.rows_of(s, hands[:, : 2 + CARDS.board(s)]) for s in range(3)], axis=1)
    assert (rows_in_kernels(fit, look, hands) == expected).all()
    HighCard.calls.clear()
    assert (rows_in_kernels(fit, look_up(fit), hands) == expected).all()
    assert not HighCard.calls


@pytest.mark.parametrize("bucketing", [HighCard(), "ehs2(3)"])
def test_it_is_known_whether_tables_are_there(cache, bucketing):
    """Percentiles keep no rows but the values that rows are found from."""
    fit = fitted(bucketing, CARDS)
    assert not tables_kept(fit)
    look_up(fit)
    assert tables_kept(fit)


@pytest.mark.parametrize("how", ["cut", "flip", "range", "other"])
def test_damaged_tables_are_made_again(cache, how):
    fit = fitted(HighCard(), CARDS)
    look = look_up(fit)
    (file,) = (path for path in cache.iterdir() if path.name.startswith("rows"))
    content = bytearray(file.read_bytes())
    if how == "cut":
        file.write_bytes(content[: len(content) // 2])
    elif how == "flip":
        with zipfile.ZipFile(file) as archive:
            member = archive.getinfo("row2.npy")
        content[member.header_offset + len(member.filename) + 50 + member.compress_size // 2] ^= 1
        file.write_bytes(content)
    else:
        rows = {f"row{s}": look.row[s].copy() for s in range(3)}
        rows["row1"][5] = 8 + (how == "other")
        save(file, "mccfr-bucket-tables", {"key": fit.checksum if how == "range" else "another"}, rows)
    HighCard.calls.clear()
    again = look_up(fit)
    assert HighCard.calls
    assert all((a == b).all() for a, b in zip(look.row, again.row))
    assert file.read_bytes() != content[: len(content) // 2]
    HighCard.calls.clear()
    look_up(fit)
    assert not HighCard.calls


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (lambda hands: np.full(len(hands), 99), "gives row 99 on street 1, which has 4 rows"),
        (lambda hands: np.full(len(hands), -1), "gives row -1 on street 1"),
        (lambda hands: np.zeros(len(hands)), "must return .* whole numbers, got an array of float64"),
        (lambda hands: np.zeros(1, np.int64), "must return .* whole numbers"),
        (lambda hands: hands.nothing, "assign fails on street 1: AttributeError"),
    ],
)
def test_rows_that_do_not_exist_never_reach_a_kernel(monkeypatch, answer, problem):
    monkeypatch.setattr(HighCard, "assign", lambda self, fit, street, hands: answer(hands))
    with pytest.raises(BucketError, match=problem):
        look_up(fitted(HighCard(), CARDS))


def test_tables_that_are_too_large_are_refused():
    class Ordered(HighCard):
        remembers_order = True

    with pytest.raises(BucketError, match=r"street 4 of 13 x 4 cards.* has 2,428,287,420 different hands, at most"):
        look_up(Fit(Ordered(), CardRules(), {}))


def test_a_fit_is_made_once_and_found_again(cache, monkeypatch):
    first = fitted("ehs2(3)", CARDS)
    monkeypatch.setattr(Percentiles, "fit", lambda *args: pytest.fail("made again"))
    again = fitted("ehs2(3)", CARDS)
    assert again.checksum == first.checksum
    assert {path.name.partition("-")[0] for path in cache.iterdir()} == {"fit", "values"}
    with pytest.raises(BaseException, match="made again"):
        fitted("ehs2(4)", CARDS)


def test_values_are_worked_out_once_for_all_counts(monkeypatch):
    look_up(fitted("ehs2(3)", CARDS))
    import mccfr.buckets.kept_values as kept_values

    for name in ("first_values", "later_values"):
        monkeypatch.setattr(kept_values, name, lambda *args: pytest.fail("worked out again"))
    look_up(fitted("ehs2(2)", CARDS))


def test_nothing_is_kept_if_the_user_says_so(monkeypatch, cache):
    monkeypatch.setenv("MCCFR_CACHE", "off")
    fit = fitted("ehs2(2)", CARDS)
    look_up(fit)
    assert not cache.exists()


def test_a_fit_is_saved_and_loaded(tmp_path):
    fit = fitted("ehs2('3 2')", CARDS)
    save_fit(tmp_path / "three.mccfr", fit)
    found = load_fit(tmp_path / "three.mccfr")
    assert (found.bucketing, found.cards, found.checksum) == (fit.bucketing, fit.cards, fit.checksum)


def changed(fit, header=None, **arrays):
    """The members of a fit's file, with changes, and a checksum that fits unless another is given."""
    members = {name: array for name, array in {**fit.arrays, **arrays}.items() if array is not None}
    deck = {"ranks": fit.cards.ranks, "suits": fit.cards.suits, "deals": list(fit.cards.deals)}
    right = Fit(fit.bucketing, fit.cards, members).checksum
    return {"buckets": str(fit.bucketing), **deck, "checksum": right, **(header or {})}, members


FIT = Percentiles(3)


@pytest.mark.parametrize(
    ("header", "arrays", "problem"),
    [
        ({"buckets": "esh2"}, {}, "unknown buckets 'esh2'"),
        ({"buckets": "own.py:Mine"}, {}, "a program of yours"),
        ({"buckets": 5}, {}, "got 5"),
        ({"buckets": "ehs2(4)"}, {}, r"cut1 is uint64\[3, 2\], expected uint64\[4, 3\]|cut0 is uint64"),
        ({"ranks": 14}, {}, "ranks 14, suits 2, deals .* are no deck"),
        ({"ranks": True}, {}, "are no deck"),
        ({"deals": [3, 1, 1, 1]}, {}, "are no deck"),
        ({"deals": [1, 1]}, {}, "a board has three to five cards"),
        ({"deals": []}, {}, "are no deck"),
        ({"checksum": "0" * 64}, {}, "does not have the content that its checksum says"),
        ({}, {"cut1": None}, "the arrays are .* expected cut0, cut1, cut2, value0"),
        ({}, {"more": np.zeros(3)}, r"the arrays are .*\(more differs\)"),
        ({}, {"cut1": np.zeros((3, 3), np.uint64)}, r"cut1 is uint64\[3, 3\], expected uint64\[3, 2\]"),
        ({}, {"cut1": np.zeros((3, 2), np.int64)}, r"cut1 is int64\[3, 2\], expected uint64"),
        ({}, {"cut2": np.array([[2, 1]] * 9, np.uint64)}, "the cuts of the turn do not rise"),
        ({}, {"value0": np.zeros(3, np.uint64)}, r"value0 is uint64\[3\]"),
    ],
)
def test_a_wrong_file_of_buckets_is_refused_with_its_name(tmp_path, header, arrays, problem):
    fit = Fit(FIT, CARDS, FIT.fit(CARDS))
    file = tmp_path / "given.mccfr"
    save(file, "mccfr-buckets", *changed(fit, header, **arrays))
    with pytest.raises(FileError, match=problem) as caught:
        load_fit(file)
    assert str(file)[:30] in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_cut_short_or_something_else_is_refused(tmp_path):
    file = tmp_path / "three.mccfr"
    save_fit(file, fitted(FIT, CARDS))
    content = file.read_bytes()
    for wrong in (content[:-20], content[: len(content) // 2], b"", b"PK\x03\x04 nothing"):
        file.write_bytes(wrong)
        with pytest.raises(FileError, match=r"three.mccfr is not a file of buckets, or is damaged or cut short"):
            load_fit(file)
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("header.json", '{"format": "mccfr-strategy"}')
    with pytest.raises(FileError, match="is not a file of buckets: its format is 'mccfr-strategy'"):
        load_fit(file)
    with pytest.raises(FileError, match="no such file"):
        load_fit(tmp_path / "missing.mccfr")


def test_another_bucketing_or_deck_than_expected_is_refused(tmp_path):
    file = tmp_path / "three.mccfr"
    save_fit(file, fitted(FIT, CARDS))
    with pytest.raises(FileError, match=r"has buckets 'ehs2\(buckets=3\)', expected ehs2\(buckets=4\)"):
        load_fit(file, Percentiles(4))
    with pytest.raises(FileError, match=r"has buckets for 4 x 2 cards, board 3 \+ 1, expected 13 x 4 cards"):
        load_fit(file, FIT, CardRules())
