"""The opt-out list: who stands on it is not texted, however the list came and however it was written."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet
import pytest
from each import each
from tiers import draws
from vector_files import vectors

from dashboard.contacts import clean_contacts, clean_csv_stream, read_opt_outs, read_sheet
from dashboard.errors import OptOutError

NATIONAL = [f"74001{place * 77_773 % 100_000:05d}" for place in range(1, 401)]
TEXTS = ["+44{n}", "0{n}", "44{n}", "{n}", "0044{n}", "+44 (0){a} {b}", "'+44{n}", '="+44{n}"', "44{n}.0"]
TEXTS += ["4.4{n}E+11", "4.4{n}e11", "tel:+44-{n}", "\u202a+44{n}\u202c", "\ufeff+44\u00a0{a}\u00a0{b}"]
TEXTS += ["mobile: 0{n}", "0{n} ext 4", "0{n} (asked by mail)", "https://wa.me/44{n}", "+440{n}"]
TYPES: list[Callable[[str], object]] = [
    *(int, float, np.float64, np.int64, lambda digits: Decimal(f"{digits}.0"), str.encode),
    lambda digits: "".join(chr(ord(digit) + 0xFEE0) for digit in digits),
]


def spelled(number: str, place: int) -> object:
    """A British mobile number in one of all ways and types, in turn."""
    place %= len(TEXTS) + len(TYPES)
    if place < len(TEXTS):
        return TEXTS[place].format(n=number, a=number[:4], b=number[4:])
    return TYPES[place - len(TEXTS)](f"44{number}")


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


def test_who_is_on_the_list_is_not_texted_however_it_is_written(tmp_path: Path) -> None:
    listed, others = NATIONAL[:200], NATIONAL[200:]
    entries = [spelled(number, place) for place, number in enumerate(listed)]
    sheet = tmp_path / "contacts.csv"
    sheet.write_text("phone\n" + "".join(f"+44{number}\n" for number in [*listed, *others]))
    people = pd.DataFrame({"phone": [f"0{number}" for number in [*listed, *others]]})
    contacts = clean_contacts(people, country="GB", opt_outs=entries)  # type: ignore[arg-type]
    assert contacts.rows["problem"].tolist()[:200] == ["on_opt_out_list"] * 200
    assert contacts.count("ok") == 200
    clean_csv_stream(sheet, tmp_path / "out.parquet", country="GB", opt_outs=entries)
    streamed = pyarrow.parquet.read_table(tmp_path / "out.parquet").to_pandas()
    assert (streamed["status"] == ["opted_out"] * 200 + ["ok"] * 200).all()


def test_digits_that_can_be_read_at_home_and_abroad_refuse_both() -> None:
    """In Germany 0447911123456 may be a landline of Oldenburg, and +447911123456 is a British mobile."""
    assert 447911123456 in read_opt_outs(["447911123456"], "DE").numbers


def test_a_landline_is_refused_as_well() -> None:
    frame = pd.DataFrame({"phone": ["020 7946 0991"]})
    rows = clean_contacts(frame, country="GB", opt_outs="+44 20 7946 0991").rows
    assert rows[["status", "problem"]].to_numpy().tolist() == [["opted_out", "on_opt_out_list"]]


UNREADABLE = ["4.47911E+11", "07911 12345", "Ann", "O7911 123456", "07911 123456 / 0791112", "2026-01-05"]
UNREADABLE += ["0.7911123456", True, 447911.5, float("inf"), "#REF!"]


def test_what_cannot_be_read_is_told_by_its_place_and_never_shown() -> None:
    between = ["+447400123456", None, "n/a"]
    entries = [entry for unreadable in UNREADABLE for entry in (*between, unreadable)] + ["+447400123457"]
    assert read_opt_outs(entries, "GB").unread == tuple(range(4, len(entries), 4))
    with pytest.raises(OptOutError, match="entries 4, 8, 12") as raised:
        clean_contacts(pd.DataFrame({"phone": ["07400 123456"]}), country="GB", opt_outs=entries)
    assert [entry for entry in UNREADABLE if str(entry) in str(raised.value)] == []


HEADINGS = ["Opt-outs as of 3 May", "phone", "Opt-outs 03/05/2026", "Abmeldungen, Stand 2026-05-03"]
HEADINGS += ["STOP list 2", "Recipients", "Mobile numbers", "Customers who opted out in May", "Hull branch:"]
HEADINGS += [line["heading"] for line in vectors("refusing_headings.csv")][:: draws(1, 32)]


@each("heading", HEADINGS)
def test_a_heading_and_a_day_beside_a_number_are_no_numbers(heading: str) -> None:
    read = read_opt_outs(f"{heading}\n07400 123456 2026-01-05\n03/05/2026, 07400 123457\n", "GB")
    assert (read.numbers.tolist(), read.unread) == ([447400123456, 447400123457], ())


@each("first", ["07911 12345", "Ann Example", "王小明", "Ann Stop", "May", "Ann (do not text)"])
def test_what_is_no_heading_is_told_in_the_first_place_too(first: str) -> None:
    assert read_opt_outs([first, "+447400123456"], "GB").unread == (1,)


def test_national_numbers_of_no_country_are_not_lost() -> None:
    with pytest.raises(OptOutError, match="entry 1"):
        clean_contacts(pd.DataFrame({"phone": ["+447400123456"]}), country=None, opt_outs=["07400 123456"])


def test_what_is_kept_in_e164_counts_even_if_no_country_has_it_any_more() -> None:
    assert read_opt_outs(["+447700900123"], None).unread == ()
    assert read_opt_outs(["+447700900123"], None, trusts_e164=False).unread == (1,)


def test_a_frame_without_a_phone_column_is_refused() -> None:
    with pytest.raises(OptOutError, match="no column phone"):
        read_opt_outs(pd.DataFrame({"a": ["1"], "b": ["2"]}), None)


ONE, TWO = 447400123456, 447400123457
GIVEN: list[tuple[list[int], Any]] = [
    ([ONE], ONE),
    ([ONE], 7400123456.0),  # a float that lost its zero
    ([ONE], b"07400 123456\n"),
    ([ONE, TWO], "07400 123456\n\n07400 123457; 07400 123456\r\n"),
    ([ONE], pd.Series([ONE, None])),  # pandas made it floats
    ([ONE], pd.DataFrame({"phone": [ONE, None], "why": ["a", "b"]})),
    ([ONE], [None, float("nan"), pd.NA, pd.NaT, ONE]),
    ([ONE], [["07400 123456"]]),
    *(([ONE, TWO], as_list([f"+{ONE}", f"+{TWO}"])) for as_list in LISTS),
]


@each("numbers, given", GIVEN)
def test_any_collection_and_a_single_entry_are_a_list(numbers: list[int], given: Any) -> None:
    read = read_opt_outs(given, "GB")
    assert (read.numbers.tolist(), read.unread) == (numbers, ())


@each("given", [None, float("nan"), pd.NA, pd.NaT, object()])
def test_what_is_no_list_is_said_and_never_taken_for_an_empty_one(given: Any) -> None:
    with pytest.raises(OptOutError, match="not a collection of phone numbers"):
        clean_contacts(pd.DataFrame({"mobile": ["07400 123456"]}), country="GB", opt_outs=given)


FILES = [
    "opt-outs.csv",
    "my stop list.XLSX",
    "C:\\lists\\stop.ods",
    Path("opt-outs.csv"),
    read_sheet(b"phone\n1\n"),
]


@each("given", FILES)
def test_a_file_or_a_sheet_is_to_be_read_first(given: Any) -> None:
    with pytest.raises(OptOutError, match="Read it with read_opt_outs first"):
        clean_contacts(pd.DataFrame({"mobile": ["07400 123456"]}), country="GB", opt_outs=given)


@each("given", [True, 4.5, "0740", {"phone": ["07400 123456"]}, ["a\ud83d"]])
def test_what_cannot_be_read_is_said(given: Any) -> None:
    with pytest.raises(OptOutError, match="cannot be read as a phone number: entry 1"):
        clean_contacts(pd.DataFrame({"mobile": ["07400 123456"]}), country="GB", opt_outs=given)
