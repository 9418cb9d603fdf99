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
)
from dashboard.errors import ColumnError

COUNTRIES = st.sampled_from([None, "GB", "US", "DE", "FR", "IT", "AR", "BR", "IN", "CN"])
KINDS = [
    *(
        "+44 {}",
        "0{}",
        "{}",
        "44{}.0",
        "'+44{}",
        '="+44{}"',
        "tel:{}",
        "0{} ext 4",
        "(0{})",
        "{}/{}",
        "4.47{}E+11",
    ),
    *(
        "\uff10\uff17{}",
        "\u0660\u0667{}",
        "mob 07{} or 07{}",
        "+1 202 {}",
        "00 44 7{}",
        "+33 6 {}",
        "\u202a+447{}\u202c",
        "O7{}",
    ),
]
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


def cleaned(texts: list[str], country: str | None) -> pd.DataFrame:
    frame = pd.DataFrame({"phone": texts}, dtype="str")
    return clean_contacts(frame, country=country, columns=ColumnMap(phones=("phone",))).rows


@settings(deadline=None, max_examples=draws(200, 10))
@given(st.lists(TEXTS, min_size=1, max_size=16), COUNTRIES)
def test_a_cell_becomes_a_number_that_the_library_calls_valid_or_has_a_problem(
    texts: list[str], country: str | None
) -> None:
    rows = cleaned(texts, country)
    assert rows["raw_phone"].tolist() == texts
    assert (rows["problem"].isna() == (rows["status"] == Status.OK)).all()
    assert all(explain(Problem(problem)) for problem in rows["problem"].dropna())
    for phone in rows["phone"].dropna():
        assert phonenumbers.is_valid_number(phonenumbers.parse(phone))
        assert (
            phonenumbers.format_number(phonenumbers.parse(phone), phonenumbers.PhoneNumberFormat.E164)
            == phone
        )
    assert rows.loc[rows["status"] == Status.OK, "phone"].notna().all()
    assert rows.loc[rows["status"] == Status.OK, "line_type"].isin(TEXTABLE).all()


CELLS = st.one_of(
    TEXTS, WORDS, st.none(), st.integers(-(10**15), 10**15), st.floats(), st.booleans(), st.dates()
)
NAMES = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            "phone",
            "Mobile",
            "Handy",
            "country",
            "Land",
            "consent",
            "opt out",
            "name",
            "row",
            "status",
            "number",
        ]
    ),
    st.integers(0, 5),
)


@st.composite
def frames(draw: st.DrawFn) -> pd.DataFrame:
    names = draw(st.lists(NAMES, min_size=1, max_size=6))
    rows = draw(st.lists(st.lists(CELLS, min_size=len(names), max_size=len(names)), max_size=8))
    frame = pd.DataFrame(rows, dtype="object").reindex(columns=range(len(names)))
    index = draw(st.sampled_from([None, "reversed", "repeated"]))
    if index == "reversed":
        frame = frame.set_axis(range(len(frame))[::-1])
    elif index == "repeated":
        frame = frame.set_axis([7] * len(frame))
    return frame.set_axis(pd.Index(names, dtype="object"), axis=1)


@settings(deadline=None, max_examples=draws(80, 8))
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


@settings(deadline=None, max_examples=draws(100, 5))
@given(
    st.lists(st.tuples(TEXTS, TEXTS, WORDS, WORDS, WORDS), max_size=8),
    COUNTRIES,
    st.sampled_from(["first", "last", "warn"]),
)
def test_rows_out_are_rows_in_with_any_columns_for_any_purpose(
    cells: list[tuple[str, ...]], country: str | None, keep: Any
) -> None:
    names = ["one", "two", "three", "four", "five"]
    frame = pd.DataFrame(cells, columns=names, dtype="str")
    columns = ColumnMap(phones=("two", "one"), country="three", consents=("four",), opt_outs=("five",))
    contacts = clean_contacts(frame, country=country, columns=columns, keep=keep, opt_outs=["+447911123456"])
    rows = contacts.rows
    assert len(contacts.fields) == sum(contacts.counts().values()) == len(cells)
    assert keep == "warn" or contacts.sendable["phone"].is_unique
    assert not (rows["phone"] == "+447911123456")[rows["status"] != Status.OPTED_OUT].any()
    repeats = rows[rows["duplicate_of"].notna()]
    originals = rows.set_index("row").loc[repeats["duplicate_of"], "phone"]
    assert originals.tolist() == repeats["phone"].tolist()
    assert rows["row"].tolist() == list(range(2, len(cells) + 2))
    assert (rows["problem"].isna() == (rows["status"] == Status.OK)).all()
    assert not (frame["five"].isin(["yes", "ja", "oui", "да"]) & rows["status"].isin(["ok", "review"])).any()
