"""Searches for numbers: people are found however a sheet may have spelt theirs, and by a part of it."""

from __future__ import annotations

import pandas as pd
import pytest
from app_seeds import sent_campaign
from page_reading import Open
from tiers import only_deep
from vector_files import vectors

from dashboard.app.runtime import Runtime
from dashboard.app.sheets.fix_table import choose_rows
from dashboard.app.sheets.phone_lists import search
from dashboard.app.standing.number_search import are_wanted, numbers_wanted
from dashboard.contacts import clean_contacts, read_sheet

OTHERS = pd.Series(["+447911987654", "+4915112987654", pd.NA], dtype="str")


@pytest.mark.parametrize("first", [0, *only_deep(1)])
def test_a_number_is_found_in_every_spelling_and_by_a_part_but_not_by_whoever_sees_none(first: int) -> None:
    """Each search reads a cell by itself, 25 ms: every other spelling with every change."""
    for case in vectors("number_search.csv")[first::2]:
        phones = pd.concat([OTHERS, pd.Series([case["number"]], dtype="str")], ignore_index=True)
        numbers = numbers_wanted(case["typed"]) or []
        whole = numbers_wanted(case["typed"], whole=True) or []
        for wanted, finds in ((numbers, True), (whole, case["is_whole"] == "yes")):
            assert are_wanted(phones, wanted).tolist() == [False] * 3 + [finds], case
    ends = pd.Series(["+14155550044", "+33612345144", "+442079460000"], dtype="str")
    for typed, finds in (
        *(("+44", [False, False, True]), ("+50044", [False] * 3), ("0044", [True, False, True])),
        *(("+1 (", [True, False, False]), ("0033", [False, True, False]), ("5144", [False, True, False])),
    ):
        assert are_wanted(ends, numbers_wanted(typed) or []).tolist() == finds, typed
    assert numbers_wanted("0044 7400 123456", whole=True) == ["+447400123456"]
    assert not any(numbers_wanted(part, whole=True) for part in ("0044 7400", "+44", "0044"))


def test_what_holds_no_digit_finds_nobody_and_nothing_finds_everybody() -> None:
    for typed in ("Zoë", "Ana*", "%", "+", "()"):
        assert numbers_wanted(typed) == [], typed
    assert numbers_wanted(" ") is None


def test_every_search_for_a_number_finds_it(open_page: Open, wired: Runtime) -> None:
    campaign = sent_campaign(wired.ledger, "Spring sale")
    sheet = read_sheet(b"Mobile,Name\n07911 000004,Ann\n07911 000004,Bob\n07911 0000,Cy\n")
    rows = clean_contacts(sheet, country="GB")
    listed = pd.DataFrame({"phone": ["+447911000004"], "reason": ["Asked"], "source": ["By phone"]})
    page = open_page("campaign", id=campaign)
    for typed in ("0044 7911 000-004", "(0)7911 000004", "44-7911-0000-04", "000004"):
        assert len(search(listed, typed)) == 1, typed
        assert choose_rows(rows, ("Mobile",), "duplicate", words=typed)["row"].tolist() == [3], typed
        page.text_input(key=f"recipients-find-{campaign}").set_value(typed).run()
        assert page.dataframe[-1].value["Number"].tolist() == ["+447911000004"], typed
    assert choose_rows(rows, ("Mobile",), "invalid", words="07911-0000")["row"].tolist() == [4]
    page.text_input(key=f"recipients-find-{campaign}").set_value("Zoë").run()
    assert "No recipient matches." in "\n".join(caption.value for caption in page.caption)
