"""Columns of every kind go in; a frame of fixed shape comes out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from phone_samples import mixed_column

from dashboard.contacts.phones import clean_phones, column, kernel, words
from dashboard.contacts.phones.build import plans
from dashboard.errors import CountryError

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
    assert frame["problem"].astype(object).fillna("").tolist() == [
        "",
        "NOT_A_NUMBER",
        "",
        "NOT_A_NUMBER",
        "",
        "INVALID",
    ]
    assert frame["line_type"].tolist()[:2] == ["FIXED_LINE", "UNKNOWN"]


def test_the_words_are_the_kernels_codes() -> None:
    assert words.LINE_TYPES[kernel.UNKNOWN] == "UNKNOWN"
    assert [getattr(kernel, problem) for problem in words.PROBLEMS] == list(range(len(words.PROBLEMS)))
    assert len(words.LINE_TYPES) == 15


@pytest.mark.parametrize(
    "dtype",
    [
        "str",
        "object",
        "string",
        "category",
        pd.StringDtype("python"),
        pd.ArrowDtype(pa.string()),
        pd.ArrowDtype(pa.large_string()),
        pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string())),
    ],
    ids=str,
)
def test_any_kind_of_text_column(dtype: object) -> None:
    assert phones_of(pd.Series(TEXTS, dtype=dtype)) == PHONES


def test_numbers_and_mixed_objects_are_read_as_text() -> None:
    texts = pd.Series([442079460991, "020 7946 0991", 447400123456.0, None, np.nan, pd.NA], dtype=object)
    assert phones_of(texts) == ["+442079460991", "+442079460991", "+4474001234560", None, None, None]
    assert phones_of(pd.Series([442079460991])) == ["+442079460991"]


@pytest.mark.parametrize(
    "index",
    [
        pd.Index([7, 7, 3, 3, -1, 0]),
        pd.Index(list("abcdef")),
        pd.date_range("2026-01-01", periods=6),
        pd.MultiIndex.from_product([["x", "y"], [1, 2, 3]]),
    ],
    ids=["repeated", "letters", "dates", "two levels"],
)
def test_the_index_is_kept(index: pd.Index) -> None:
    frame = clean_phones(pd.Series(TEXTS, index=index), pd.Series("GB", index=index))
    assert frame.index.equals(index)
    assert frame["phone"].iloc[0] == PHONES[0]


def test_the_texts_are_left_alone() -> None:
    texts = pd.Series(TEXTS)
    before = texts.copy()
    clean_phones(texts, "GB")
    pd.testing.assert_series_equal(texts, before)


@pytest.mark.parametrize("cut", [slice(0, 0), slice(1, 4), slice(5, None), slice(None, None, -2)])
def test_slices_of_a_column(cut: slice) -> None:
    for dtype in ("str", pd.ArrowDtype(pa.string()), "object"):
        assert phones_of(pd.Series(TEXTS, dtype=dtype)[cut]) == PHONES[cut]


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


def test_an_empty_column() -> None:
    for dtype in ("str", "object", "float64"):
        frame = clean_phones(pd.Series([], dtype=dtype), "GB")
        assert len(frame) == 0
        assert str(frame["phone"].dtype) == "str"


def test_half_a_surrogate_pair_is_only_a_strange_character() -> None:
    assert phones_of(pd.Series(["\ud83d+44 20 7946 0991\udcde", "\ud800", None], dtype=object)) == [
        "+442079460991",
        None,
        None,
    ]


def test_without_a_country_only_international_numbers_count() -> None:
    assert phones_of(pd.Series(TEXTS[:3]), None) == [None, None, "+33123456789"]


def test_each_row_can_have_its_country() -> None:
    texts = pd.Series(["01 23 45 67 89", "020 7946 0991", "020 7946 0991"])
    for dtype in ("str", "object", "category"):
        countries = pd.Series(["FR", "GB", None], dtype=dtype)
        assert phones_of(texts, countries) == ["+33123456789", "+442079460991", None]


def test_categories_that_no_row_uses_are_no_mistake() -> None:
    countries = pd.Series(["GB"], dtype=pd.CategoricalDtype(["GB", "elsewhere"]))
    assert phones_of(pd.Series(["020 7946 0991"]), countries) == ["+442079460991"]


@pytest.mark.parametrize("country", ["gb", "UK", "XX", "001", "", "GBR", " GB"])
def test_an_unknown_country_is_refused(country: str) -> None:
    with pytest.raises(CountryError, match="upper case"):
        clean_phones(pd.Series(TEXTS), country)
    with pytest.raises(CountryError, match="upper case"):
        clean_phones(pd.Series(TEXTS), pd.Series(["GB", country] * 3))


def test_the_message_about_a_country_holds_no_data() -> None:
    with pytest.raises(CountryError) as refused:
        clean_phones(pd.Series(["a"]), pd.Series(["Ann Example"]))
    assert "Ann" not in str(refused.value)


def test_countries_out_of_step_are_refused() -> None:
    with pytest.raises(CountryError, match="same index"):
        clean_phones(pd.Series(["a", "b"]), pd.Series(["GB", "GB"], index=[1, 0]))


def test_the_result_takes_at_most_40_bytes_a_row() -> None:
    texts = pd.Series([text for text, _ in mixed_column(20_000, seed=3)], dtype="str")
    frame = clean_phones(texts, "US")
    assert frame.memory_usage(deep=True, index=False).sum() / len(frame) <= 40


def test_every_country_of_the_library_is_known() -> None:
    assert plans.country_names()[-1] == plans.WORLD
    assert len(plans.country_names()) > 240


@pytest.mark.skipif(not kernel.COMPILED, reason="only a compiled kernel has signatures")
def test_the_kernel_is_compiled_once_for_all_kinds_of_columns() -> None:
    for dtype in ("str", "object", "category", pd.ArrowDtype(pa.string())):
        for texts in (
            pd.Series(TEXTS, dtype=dtype),
            pd.Series([], dtype=dtype),
            pd.Series(TEXTS[:1] * 3)[1:],
        ):
            for country in ("GB", None, pd.Series("GB", index=texts.index, dtype="str")):
                clean_phones(texts, country)
    assert len(kernel.clean_rows.signatures) == 1
