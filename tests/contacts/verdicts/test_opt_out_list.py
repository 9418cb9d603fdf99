"""The opt-out list: who stands on it is not texted, however the list came and however it was written."""

from __future__ import annotations

import csv
from collections.abc import Callable
from decimal import Decimal
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet
import pytest
from each import each
from tiers import only_deep, together

from dashboard.contacts import clean_contacts, clean_csv_stream, read_opt_outs
from dashboard.errors import OptOutError

VECTORS = Path(__file__).parents[2] / "vectors"
NATIONAL = [f"74001{place * 77_773 % 100_000:05d}" for place in range(1, 401)]
SPELLINGS: list[Callable[[str], object]] = [
    lambda n: f"+44{n}",
    lambda n: f"0{n}",
    lambda n: f"44{n}",
    lambda n: n,
    lambda n: f"0044{n}",
    lambda n: f"+44 (0){n[:4]} {n[4:]}",
    lambda n: f"'+44{n}",
    lambda n: f'="+44{n}"',
    lambda n: f"44{n}.0",
    lambda n: f"4.4{n}E+11",
    lambda n: f"4.4{n}e11",
    lambda n: f"tel:+44-{n}",
    lambda n: f"\u202a+44{n}\u202c",
    lambda n: f"\ufeff+44\u00a0{n[:4]}\u00a0{n[4:]}",
    lambda n: "".join(chr(ord(digit) + 0xFEE0) for digit in f"0{n}"),
    lambda n: f"mobile: 0{n}",
    lambda n: f"0{n} ext 4",
    lambda n: f"0{n} (asked by mail)",
    lambda n: f"https://wa.me/44{n}",
    lambda n: f"+440{n}",
    lambda n: int(f"44{n}"),
    lambda n: float(f"44{n}"),
    lambda n: np.float64(f"44{n}"),
    lambda n: np.int64(f"44{n}"),
    lambda n: Decimal(f"44{n}.0"),
    lambda n: f"+44{n}".encode(),
]
LISTS: list[Callable[[list[object]], object]] = [
    list,
    tuple,
    iter,
    lambda entries: dict.fromkeys(entries, "asked"),
    lambda entries: pd.Series([*entries, None, float("nan"), ""], dtype="object"),
    lambda entries: pd.DataFrame({"phone": entries, "why": "asked"})["phone"],
    lambda entries: pd.DataFrame({"phone": entries, "why": "asked"}),
    lambda entries: pd.DataFrame({"whatever": entries}),
    lambda entries: pd.Index(entries, dtype="object"),
    lambda entries: np.array(entries, dtype=object),
]


@pytest.mark.parametrize("as_list", [None, *only_deep(*LISTS)])
@pytest.mark.parametrize("spellings", together(*SPELLINGS))
def test_who_is_on_the_list_is_not_texted_however_it_is_written(
    spellings: list[Callable[[str], object]],
    as_list: Callable[[list[object]], object] | None,
    tmp_path: Path,
) -> None:
    listed, others = NATIONAL[:200], NATIONAL[200:]
    entries = [spelled(number) for spelled, number in zip(cycle(spellings), listed, strict=False)]
    sheet = tmp_path / "contacts.csv"
    sheet.write_text("phone\n" + "".join(f"+44{number}\n" for number in [*listed, *others]))
    contacts = clean_contacts(
        pd.DataFrame({"phone": [f"0{number}" for number in [*listed, *others]]}),
        country="GB",
        opt_outs=as_list(entries) if as_list else entries,  # type: ignore[arg-type]
    )
    assert contacts.rows["problem"].tolist()[:200] == ["on_opt_out_list"] * 200
    assert contacts.count("ok") == 200
    clean_csv_stream(sheet, tmp_path / "out.parquet", country="GB", opt_outs=entries)
    streamed = pyarrow.parquet.read_table(tmp_path / "out.parquet").to_pandas()
    assert (streamed["status"] == ["opted_out"] * 200 + ["ok"] * 200).all()


@pytest.mark.parametrize("as_list", range(len(LISTS)))
def test_any_collection_is_a_list(as_list: int) -> None:
    entries: list[object] = [f"+44{number}" for number in NATIONAL[:3]]
    read = read_opt_outs(LISTS[as_list](entries), "GB")  # type: ignore[arg-type]
    assert {f"+{number}" for number in read.numbers} == set(entries)
    assert read.unread == ()


def test_one_text_is_a_list_of_its_lines() -> None:
    read = read_opt_outs("07400 123456\n\n07400 123457; +44 7400 123458\r\n", "GB")
    assert read.numbers.tolist() == [447400123456, 447400123457, 447400123458]


def test_digits_that_can_be_read_at_home_and_abroad_refuse_both() -> None:
    """In Germany 0447911123456 may be a landline of Oldenburg, and +447911123456 is a British mobile."""
    assert 447911123456 in read_opt_outs(["447911123456"], "DE").numbers


def test_a_landline_is_refused_as_well() -> None:
    frame = pd.DataFrame({"phone": ["020 7946 0991"]})
    rows = clean_contacts(frame, country="GB", opt_outs="+44 20 7946 0991").rows
    assert rows[["status", "problem"]].to_numpy().tolist() == [["opted_out", "on_opt_out_list"]]


UNREADABLE = [
    "4.47911E+11",
    "07911 12345",
    "Ann",
    "O7911 123456",
    "07911 123456 / 0791112",
    "2026-01-05",
    "0.7911123456",
    True,
    447911.5,
    float("inf"),
    "#REF!",
]


@pytest.mark.parametrize("entry", UNREADABLE, ids=str)
def test_what_cannot_be_read_is_told_by_its_place_and_never_shown(entry: object) -> None:
    entries = ["+447400123456", None, entry, "n/a", "+447400123457"]
    assert read_opt_outs(entries, "GB").unread == (3,)
    with pytest.raises(OptOutError, match="entry 3") as raised:
        clean_contacts(pd.DataFrame({"phone": ["07400 123456"]}), country="GB", opt_outs=entries)
    assert str(entry) not in str(raised.value)


@pytest.mark.parametrize(
    "heading",
    [
        "Opt-outs as of 3 May",
        "phone",
        "Opt-outs 03/05/2026",
        "Abmeldungen, Stand 2026-05-03",
        "退订名单",
        "STOP list 2",
        "Recipients",
        "Mobile numbers",
        "Customers who opted out in May",
        "Hull branch:",
    ],
)
def test_a_heading_and_a_day_beside_a_number_are_no_numbers(heading: str) -> None:
    read = read_opt_outs(f"{heading}\n07400 123456 2026-01-05\n03/05/2026, 07400 123457\n", "GB")
    assert (read.numbers.tolist(), read.unread) == ([447400123456, 447400123457], ())


@each(
    "first", [*map(str, UNREADABLE), "Ann Example", "王小明", "Иван", "Ann Stop", "May", "Ann (do not text)"]
)
def test_what_is_no_heading_is_told_in_the_first_place_too(first: str) -> None:
    assert read_opt_outs([first, "+447400123456"], "GB").unread == (1,)


def test_a_name_is_told_wherever_it_stands() -> None:
    assert read_opt_outs(["Ann"], "GB").unread == (1,)
    assert read_opt_outs(["+447400123456", "Ann"], "GB").unread == (2,)


@pytest.mark.parametrize("step", [16, *only_deep(1)])
def test_every_heading_of_refusals_is_known_as_one(step: int) -> None:
    with (VECTORS / "refusing_headings.csv").open(encoding="utf-8", newline="") as file:
        headings = [line["heading"] for line in csv.DictReader(file)][::step]
    assert [text for text in headings if read_opt_outs([text, "+447400123456"], "GB").unread] == []


def test_national_numbers_of_no_country_are_not_lost() -> None:
    with pytest.raises(OptOutError, match="entry 1"):
        clean_contacts(pd.DataFrame({"phone": ["+447400123456"]}), country=None, opt_outs=["07400 123456"])


def test_what_is_kept_in_e164_counts_even_if_no_country_has_it_any_more() -> None:
    assert read_opt_outs(["+447700900123"], None).unread == ()
    assert read_opt_outs(["+447700900123"], None, trusts_e164=False).unread == (1,)


def test_a_frame_without_a_phone_column_is_refused() -> None:
    with pytest.raises(OptOutError, match="no column phone"):
        read_opt_outs(pd.DataFrame({"a": ["1"], "b": ["2"]}), None)


ONE = [447400123456]
AS_CELLS: dict[str, Any] = {
    "a number": 447400123456,
    "a float": 447400123456.0,
    "a float that lost its zero": 7400123456.0,
    "NumPy's": np.float64(447400123456),
    "bytes": b"07400 123456\n",
    "a text": "07400 123456",
    "bytes in a list": [b"07400 123456"],
    "a column that pandas made floats": pd.Series([447400123456, None]),
    "a frame that pandas made floats": pd.DataFrame({"phone": [447400123456, None], "why": ["a", "b"]}),
    "any missing value": [None, float("nan"), pd.NA, pd.NaT, 447400123456],
    "the keys of a dict": {447400123456: "said stop"},
    "a list in a list": [["07400 123456"]],
    "a generator": (number for number in [447400123456]),
}


@pytest.mark.parametrize("given", AS_CELLS)
def test_entries_of_any_type_are_read_as_cells_are(given: str) -> None:
    assert read_opt_outs(AS_CELLS[given], "GB").numbers.tolist() == ONE


@pytest.mark.parametrize("given", [None, float("nan"), pd.NA, pd.NaT, object(), Path("opt-outs.csv")])
def test_what_is_no_list_is_said_and_never_taken_for_an_empty_one(given: Any) -> None:
    with pytest.raises(OptOutError, match="not a collection of phone numbers"):
        clean_contacts(pd.DataFrame({"mobile": ["07400 123456"]}), country="GB", opt_outs=given)


@pytest.mark.parametrize("given", [True, 4.5, "opt-outs.csv", {"phone": ["07400 123456"]}, ["a\ud83d"]])
def test_what_cannot_be_read_is_said(given: Any) -> None:
    with pytest.raises(OptOutError, match="cannot be read as a phone number: entry 1"):
        clean_contacts(pd.DataFrame({"mobile": ["07400 123456"]}), country="GB", opt_outs=given)
