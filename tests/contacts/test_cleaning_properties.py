"""What holds of every sheet, whatever stands in it."""

from __future__ import annotations

import string
from typing import Any

import pandas as pd
import phonenumbers
from hypothesis import given, settings
from hypothesis import strategies as st
from phone_samples import HOSTILE
from tiers import draws

from dashboard.contacts import (
    TEXTABLE,
    ColumnMap,
    Problem,
    Status,
    clean_contacts,
    explain,
    guess_columns,
    read_sheet,
)
from dashboard.errors import ColumnError

COUNTRIES = st.sampled_from([None, "GB", "US", "DE", "FR", "IT", "AR", "BR", "IN", "CN"])
KINDS = ["+44 {}", "0{}", "{}", "44{}.0", "'+44{}", '="+44{}"', "tel:{}", "0{} ext 4", "(0{})", "{}/{}"]
KINDS += ["4.47{}E+11", "\uff10\uff17{}", "\u0660\u0667{}", "mob 07{} or 07{}", "+1 202 {}", "00 44 7{}"]
KINDS += ["+33 6 {}", "\u202a+447{}\u202c", "O7{}"]
DIGITS = st.text(string.digits, min_size=4, max_size=11)
TYPED = st.builds(lambda kind, digits: kind.replace("{}", digits), st.sampled_from(KINDS), DIGITS)
TEXTS = st.one_of(
    st.text(max_size=30),
    TYPED,
    st.text(string.digits + " +-().,;/xeEoOlI'\"", max_size=24),
    st.text("０１٢३-\u200b\n /", max_size=12),
    st.from_regex(r"(\+|00)?(44|49|33|1|39)? ?\(?0?\)?7?\d{8,10}", fullmatch=True),
    st.sampled_from(HOSTILE),
)
WORDS = st.sampled_from(
    ["", "yes", "no", "ja", "nein", "oui", "?", "2026-01-05", "да", "GB", "Deutschland", "+33", "Atlantis"]
)
BLANK = st.just("")
ODD = st.none() | st.integers(-(10**15), 10**15) | st.floats() | st.booleans() | st.dates()
HEADERS = ["phone", "Mobile", "Handy", "country", "Land", "consent", "opt out", "name", "row", "status"]
NAMES = st.text(max_size=12) | st.sampled_from([*HEADERS, "number"]) | st.integers(0, 5)


@st.composite
def frames(draw: st.DrawFn) -> pd.DataFrame:
    names = draw(st.lists(NAMES, min_size=1, max_size=6))
    rows = draw(st.lists(st.lists(TEXTS | WORDS | ODD, min_size=len(names), max_size=len(names)), max_size=8))
    frame = pd.DataFrame(rows, dtype="object").reindex(columns=range(len(names)))
    index = draw(st.sampled_from([None, "reversed", "repeated"]))
    if index == "reversed":
        frame = frame.set_axis(range(len(frame))[::-1])
    elif index == "repeated":
        frame = frame.set_axis([7] * len(frame))
    return frame.set_axis(pd.Index(names, dtype="object"), axis=1)


@settings(max_examples=draws(50, 5))
@given(frames(), COUNTRIES, st.sampled_from(["first", "last", "warn"]))
def test_rows_out_are_rows_in(frame: pd.DataFrame, country: str | None, keep: Any) -> None:
    before = frame.copy()
    try:
        contacts = clean_contacts(frame, country=country, keep=keep)
    except ColumnError:  # nothing looks like phones
        assert not guess_columns(frame).phones
        return
    assert contacts.rows["row"].tolist() == list(range(2, len(frame) + 2))
    assert len(contacts.fields) == len(frame)
    assert sum(contacts.counts().values()) == contacts.summary()["rows"].sum() == len(frame)
    pd.testing.assert_frame_equal(frame, before)


@settings(max_examples=draws(60, 6))
@given(
    st.lists(st.tuples(TEXTS, TEXTS, BLANK | WORDS, st.just("yes") | WORDS, BLANK | WORDS), max_size=16),
    COUNTRIES,
    st.sampled_from(["first", "last", "warn"]),
)
def test_every_verdict_holds_together_and_every_number_is_one_for_the_library(
    cells: list[tuple[str, ...]], country: str | None, keep: Any
) -> None:
    names = ["one", "two", "three", "four", "five"]
    frame = pd.DataFrame(cells, columns=names, dtype="str")
    columns = ColumnMap(phones=("two", "one"), country="three", consents=("four",), opt_outs=("five",))
    contacts = clean_contacts(frame, country=country, columns=columns, keep=keep, opt_outs=["+447911123456"])
    rows = contacts.rows
    assert rows["row"].tolist() == list(range(2, len(cells) + 2))
    read = read_sheet(frame).frame[["one", "two"]].to_numpy().tolist()  # ="0740…" is what it shows
    assert all(raw in cell for raw, cell in zip(rows["raw_phone"], read, strict=True))
    assert len(contacts.fields) == sum(contacts.counts().values()) == len(cells)
    for phone in rows["phone"].dropna():
        number = phonenumbers.parse(phone)
        assert phonenumbers.is_valid_number(number)
        assert phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164) == phone
    ok = rows["status"] == Status.OK
    assert (rows["problem"].isna() == ok).all()
    assert all(explain(Problem(problem)) for problem in rows["problem"].dropna())
    assert rows.loc[ok, "phone"].notna().all()
    assert rows.loc[ok, "line_type"].isin(TEXTABLE).all()
    assert keep == "warn" or contacts.sendable["phone"].is_unique
    assert not (rows["phone"] == "+447911123456")[rows["status"] != Status.OPTED_OUT].any()
    assert not (frame["five"].isin(["yes", "ja", "oui", "да"]) & rows["status"].isin(["ok", "review"])).any()
    assert not (frame["five"].eq("?") & ok).any()
    repeats = rows[rows["duplicate_of"].notna()]
    originals = rows.set_index("row").loc[repeats["duplicate_of"], "phone"]
    assert originals.tolist() == repeats["phone"].tolist()
