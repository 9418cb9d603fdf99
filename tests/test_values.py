"""Values of a frame are read and sent as a person would write them, whatever dtype pandas gave them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.campaigns import preview, write_messages
from dashboard.contacts import ColumnMap, clean_contacts
from dashboard.contacts.read.isolated.child import number_text
from dashboard.errors import OptOutError
from dashboard.values import as_text, as_texts

WHOLE = ["float64", "float32", "Float64", "float64[pyarrow]", "object", "category", "Int64", "int64"]
PHONE = "07400 123456"
PEOPLE = pd.DataFrame({"phone": [PHONE]})


def texts_of(columns: list[pd.Series]) -> list[set[str]]:
    """The texts with the first value of each column, through each door."""
    values = pd.DataFrame({f"c{place}": column for place, column in enumerate(columns)})
    people = values.assign(phone=[PHONE] * len(values))
    template = "|".join(f"{{{{ {name} }}}} points" for name in values)
    written = [
        write_messages(contacts, template, campaign="Spring")["body"].iloc[0]
        for contacts in (
            clean_contacts(people, country="GB", columns=ColumnMap(phones=("phone",))),
            people.assign(phone="+447400123456"),
        )
    ]
    written.append(preview(template, {str(name): values[name].iloc[0] for name in values}))
    return [{*texts} for texts in zip(*(text.split("|") for text in written), strict=True)]


def test_a_whole_number_is_sent_as_one() -> None:
    found = texts_of([pd.Series([12, 12], dtype=dtype) for dtype in WHOLE])
    assert found == [{"12 points"}] * len(WHOLE)
    for dtype in {*WHOLE} - {"int64"}:
        assert as_texts(pd.Series([12, None], dtype=dtype)).tolist()[0] == "12"


OTHERS = [
    (2.5, "2.5"),
    (-0.0, "0"),
    (1e22, "1e+22"),
    (Decimal("12.00"), "12.00"),
    (Decimal("12.5000"), "12.50"),
    (Decimal("0.0450000000"), "0.045"),
    (Decimal("1E-999999"), "1E-999999"),
    (Decimal("0E-18"), "0"),
    (Decimal("1E+3"), "1000"),
    (pd.Timestamp("2026-11-22"), "2026-11-22"),
    (pd.Timestamp("2026-11-22 09:30"), "2026-11-22 09:30:00"),
    (date(2026, 11, 22), "2026-11-22"),
    ("12.0", "12.0"),
    (b"12", "12"),
]


def test_other_values() -> None:
    expected = [{f"{text} points"} for _, text in OTHERS]
    assert texts_of([pd.Series([value]) for value, _ in OTHERS]) == expected
    assert texts_of([pd.Series([value, "many"], dtype=object) for value, _ in OTHERS]) == expected


@pytest.mark.parametrize("dtype", ["float32", "Float32", "float[pyarrow]", "Sparse[float32]"])
def test_nobody_is_texted_at_digits_that_a_short_float_has_lost(dtype: str) -> None:
    phones = pd.Series([447400123456.0, 447911123457.0, None, 0.5]).astype("float32").astype(dtype)
    assert as_texts(phones).tolist()[0] == as_text(np.float32(phones[0])) == "4.474001e+11"
    contacts = clean_contacts(pd.DataFrame({"phone": phones}), country="GB")
    assert contacts.rows["problem"].tolist() == ["digits_lost"] * 2 + ["no_number", "decimal"]
    with pytest.raises(OptOutError, match="2 entries"):
        clean_contacts(PEOPLE, country="GB", opt_outs=phones[:2])


@given(st.lists(st.none() | st.floats(), min_size=1))
def test_any_float_reads_back_as_the_same_number(values: list[float | None]) -> None:
    column = pd.Series(values, dtype="float64")
    texts = as_texts(column)
    assert np.array_equal(texts.astype("float64").to_numpy(), column.to_numpy(), equal_nan=True)
    assert not texts.dropna().str.endswith(".0").where(column.abs() < 2**53, other=False).any()


decimals = st.integers(0, 18).flatmap(lambda places: st.decimals(-(10**18), 10**18, places=places))


@given(st.floats(allow_nan=False) | decimals)
def test_the_reader_of_files_writes_a_number_in_the_same_way(value: float | Decimal) -> None:
    """It has a rule of its own, since it loads nothing of the package."""
    assert number_text(value) == as_text(value)


@pytest.mark.parametrize("dtype", ["object", "string[python]"])
def test_half_a_character_is_shown_as_lost_and_not_sent(dtype: str) -> None:
    people = pd.DataFrame({"phone": [PHONE, "07400 123457"], "name": ["Ann", "\ud83dBob"]}, dtype=dtype)
    contacts = clean_contacts(people, country="GB")
    messages = write_messages(contacts, "Hi {{ name }}", campaign="Spring")
    assert messages["body"].tolist() == ["Hi Ann", "Hi \ufffdBob"]
    assert messages["problem"].astype("str").tolist()[1] == "lost_character"
    assert messages["problem"].isna().tolist() == [True, False]
    assert messages["credits_high"].tolist() == [1, 0]
