"""Columns of every kind go in; a frame of fixed shape comes out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from each import each
from phone_samples import hostile_texts, mixed_column, mutated_numbers

from dashboard.errors import CountryError
from dashboard.phones import clean_phones, column, first_country, kernel

TEXTS = ["020 7946 0991", None, "+33 1 23 45 67 89", "n/a", "+٤٤ ٢٠ ٧٩٤٦ ٠٩٩١", "07400 12345"]
PHONES = ["+442079460991", None, "+33123456789", None, "+442079460991", "+44740012345"]


def phones_of(texts: pd.Series, country: str | pd.Series | None = "GB") -> list[str | None]:
    found = clean_phones(texts, country)["phone"]
    return found.astype(object).where(found.notna(), None).tolist()


def test_the_frame_has_the_promised_columns() -> None:
    frame = clean_phones(pd.Series(TEXTS), "GB")
    assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == {
        "phone": "str",
        "valid": "bool",
        "country": "category",
        "line_type": "category",
        "problem": "category",
    }
    assert frame["valid"].tolist() == [True, False, True, False, True, False]
    assert frame["country"].astype(object).fillna("").tolist() == ["GB", "", "FR", "", "GB", ""]
    problems = ["", "NOT_A_NUMBER", "", "NOT_A_NUMBER", "", "INVALID"]
    assert frame["problem"].astype(object).fillna("").tolist() == problems
    assert frame["line_type"].tolist()[:2] == ["FIXED_LINE", "UNKNOWN"]


@each(
    "dtype",
    [
        *("str", "object", "string", "category", pd.StringDtype("python")),
        *(pd.ArrowDtype(pa.string()), pd.ArrowDtype(pa.large_string())),
        pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string())),
    ],
)
def test_any_kind_of_text_column_and_its_slices(dtype: object) -> None:
    texts = pd.Series(TEXTS, dtype=dtype)
    for cut in (slice(None), slice(0, 0), slice(1, 4), slice(5, None), slice(None, None, -2)):
        assert phones_of(texts[cut]) == PHONES[cut]


def test_numbers_and_mixed_objects_are_read_as_text() -> None:
    texts = pd.Series([442079460991, "020 7946 0991", 447400123456.0, None, np.nan, pd.NA], dtype=object)
    assert phones_of(texts) == ["+442079460991", "+442079460991", "+4474001234560", None, None, None]
    assert phones_of(pd.Series([442079460991])) == ["+442079460991"]
    assert phones_of(pd.Series([], dtype="float64")) == []


@each(
    "index",
    [
        *(pd.Index([7, 7, 3, 3, -1, 0]), pd.Index(list("abcdef")), pd.date_range("2026-01-01", periods=6)),
        pd.MultiIndex.from_product([["x", "y"], [1, 2, 3]]),
    ],
)
def test_the_index_is_kept(index: pd.Index) -> None:
    frame = clean_phones(pd.Series(TEXTS, index=index), pd.Series("GB", index=index))
    assert frame.index.equals(index)
    assert frame["phone"].iloc[0] == PHONES[0]


def test_columns_of_several_arrow_chunks_with_missing_bits_anywhere() -> None:
    texts = [text for text, _ in mixed_column(300, seed=1)]
    whole = phones_of(pd.Series(texts, dtype="str"))
    for width in (1, 7, 64, 299):
        chunks = pa.chunked_array([pa.array(texts, pa.string())[i : i + width] for i in range(0, 300, width)])
        assert phones_of(pd.Series(chunks, dtype=pd.ArrowDtype(pa.string()))) == whole


def test_many_chunks_give_what_one_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    texts, countries = zip(*mixed_column(5_000, seed=2), strict=True)
    column_of_texts, homes = pd.Series(texts, dtype="str"), pd.Series(countries)
    whole = clean_phones(column_of_texts, homes)
    monkeypatch.setattr(column, "CHUNK_ROWS", 113)
    pd.testing.assert_frame_equal(clean_phones(column_of_texts, homes), whole)


def test_the_first_country_is_the_one_that_would_be_found_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [text for many in (mixed_column, hostile_texts, mutated_numbers) for text, _ in many(300, seed=3)]
    left = [None, "", "\U0001d7ce79 11 123456", "0151 23456789;phone-context=+49", "6" * 201]
    column_of_texts = pd.Series([*texts, *left], dtype="str")
    countries, kinds = ["US", "FR", "DE", "GB", "AR", "IT"], {"MOBILE", "FIXED_LINE_OR_MOBILE"}
    found = np.full(len(column_of_texts), -1)
    for place in reversed(range(len(countries))):
        judged = clean_phones(column_of_texts, countries[place])
        found[judged["line_type"].isin(kinds) & judged["valid"]] = place
    assert set(found) == {-1, *range(len(countries))}
    monkeypatch.setattr(column, "CHUNK_ROWS", 113)
    assert first_country(column_of_texts, countries, kinds).tolist() == found.tolist()


def test_half_a_surrogate_pair_is_only_a_strange_character() -> None:
    texts = pd.Series(["\ud83d+44 20 7946 0991\udcde", "\ud800", None], dtype=object)
    assert phones_of(texts) == ["+442079460991", None, None]


def test_each_row_can_have_its_country() -> None:
    texts = pd.Series(["01 23 45 67 89", "020 7946 0991", "020 7946 0991"])
    for dtype in ("str", "object", "category"):
        countries = pd.Series(["FR", "GB", None], dtype=dtype)
        assert phones_of(texts, countries) == ["+33123456789", "+442079460991", None]
    unused = pd.Series("GB", index=texts.index, dtype=pd.CategoricalDtype(["GB", "elsewhere"]))
    assert phones_of(texts, unused)[1] == "+442079460991"


@each("country", ["gb", "UK", "XX", "001", "", "GBR", " GB", "Ann Example"])
def test_an_unknown_country_is_refused_and_not_shown(country: str) -> None:
    for countries in (country, pd.Series(["GB", country] * 3)):
        with pytest.raises(CountryError, match="upper case") as refused:
            clean_phones(pd.Series(TEXTS), countries)
        assert "Ann" not in str(refused.value)


def test_countries_out_of_step_are_refused() -> None:
    with pytest.raises(CountryError, match="same index"):
        clean_phones(pd.Series(["a", "b"]), pd.Series(["GB", "GB"], index=[1, 0]))


def test_the_result_takes_at_most_40_bytes_a_row() -> None:
    texts = pd.Series([text for text, _ in mixed_column(20_000, seed=3)], dtype="str")
    frame = clean_phones(texts, "US")
    assert frame.memory_usage(deep=True, index=False).sum() / len(frame) <= 40


@pytest.mark.skipif(not kernel.COMPILED, reason="only a compiled kernel has signatures")
def test_the_kernel_is_compiled_once_for_all_kinds_of_columns() -> None:
    for dtype in ("str", "object", "category", pd.ArrowDtype(pa.string())):
        for texts in (pd.Series(TEXTS, dtype=dtype), pd.Series([], dtype=dtype), pd.Series(TEXTS)[1:]):
            for country in ("GB", None, pd.Series("GB", index=texts.index, dtype="str")):
                clean_phones(texts, country)
    assert len(kernel.clean_rows.signatures) == 1
