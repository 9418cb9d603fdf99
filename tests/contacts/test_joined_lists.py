"""Several lists as one: what a list says of a person holds in all of them."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import draws

from dashboard.contacts import ContactList, clean_contacts, correct_phones, join_contacts, read_sheet
from dashboard.errors import OptionError

PHONES = [f"+4474001{place * 7919 % 100_000:05d}" for place in range(5)]
NOT_VALID = "07400 1"  # not a word: five times "nope" below "Mobile" are answers, and no phones
HEADERS = (("Mobile", "SMS opt out", "First name"), ("Handy", "Unsubscribed", "Vorname"))
ROW = st.tuples(st.sampled_from([*PHONES, NOT_VALID]), st.sampled_from(["", "", "yes"]), st.just("Ann"))
LISTS = st.lists(
    st.tuples(st.sampled_from(HEADERS), st.lists(ROW, min_size=1, max_size=5)), min_size=1, max_size=3
)


def cleaned(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> ContactList:
    return clean_contacts(pd.DataFrame(rows, columns=list(header), dtype="str"), country="GB")


@settings(max_examples=draws(50, 4))
@given(LISTS)
def test_nobody_who_refused_in_any_list_is_texted_and_nobody_twice(
    lists: list[tuple[tuple[str, ...], list[tuple[str, ...]]]],
) -> None:
    parts = {f"List {place}": cleaned(*one) for place, one in enumerate(lists)}
    contacts = join_contacts(parts)
    everybody = [row for _header, rows in lists for row in rows]
    refused = {phone for phone, no, _name in everybody if no}
    assert sorted(contacts.sendable["phone"]) == sorted({row[0] for row in everybody} - {NOT_VALID} - refused)
    assert len(contacts.rows) == len(everybody)
    assert contacts.rows["row"].is_unique
    origin = [(name, str(row)) for name, one in parts.items() for row in one.rows["row"]]
    assert list(contacts.fields[["list", "row in list"]].itertuples(index=False, name=None)) == origin


def test_columns_that_mean_the_same_become_one_and_what_is_called_like_ours_is_kept() -> None:
    fair, shop = (
        cleaned(HEADERS[place], [(PHONES[place], "", name)]) for place, name in enumerate(["Ann", "Ben"])
    )
    contacts = join_contacts({"Fair": fair, "Shop": shop})
    assert contacts.how.columns.phones == ("Mobile",)
    assert contacts.sendable["First name"].tolist() == ["Ann", "Ben"]
    ours = ["list", "row in list"]
    assert list(contacts.fields) == ["Mobile", "SMS opt out", "First name", "Unsubscribed", *ours]
    own = clean_contacts(pd.DataFrame({"mobile": PHONES[:1], "list": ["A"]}), country="GB")
    assert join_contacts({"One": own}).fields[["list", "list#2"]].to_numpy().tolist() == [["A", "One"]]


def test_whoever_is_on_the_opt_outs_of_one_list_is_texted_from_none() -> None:
    sheet = pd.DataFrame({"mobile": PHONES[:3]})
    fair, shop = (clean_contacts(sheet, country="GB", opt_outs=[phone]) for phone in PHONES[:2])
    parts = {"Fair": fair, "Shop": shop}
    assert join_contacts(parts).sendable["phone"].tolist() == PHONES[2:3]


def test_a_list_without_a_consent_column_is_not_asked_for_consent() -> None:
    asked = clean_contacts(pd.DataFrame({"mobile": PHONES[:2], "sms consent": ["yes", "no"]}), country="GB")
    silent = clean_contacts(pd.DataFrame({"mobile": [PHONES[1], PHONES[2]]}), country="GB")
    contacts = join_contacts({"Asked": asked, "Silent": silent})
    assert contacts.rows["status"].tolist() == ["ok", "opted_out", "opted_out", "ok"]


def test_what_a_files_name_or_headings_say_stays_with_its_list() -> None:
    held = read_sheet(f"Do not text:,\nName,Mobile\nAnn,{PHONES[0]}\n".encode())
    free = read_sheet(f"Name,Mobile\nBen,{PHONES[1]}\nAnn,{PHONES[0]}\n".encode())
    parts = {name: clean_contacts(sheet, country="GB") for name, sheet in (("Old", held), ("New", free))}
    assert join_contacts(parts).sendable["phone"].tolist() == [PHONES[1]]
    assert join_contacts(dict(reversed(parts.items()))).sendable["phone"].tolist() == [PHONES[1]]


def test_a_row_is_corrected_in_its_own_list() -> None:
    parts = {
        "Fair": cleaned(HEADERS[0], [("07400 1", "", "Ann"), (PHONES[1], "yes", "Ben")]),
        "Shop": cleaned(HEADERS[1], [("07400 1", "", "Cy"), ("07400 2", "", "Di")]),
    }
    fixed = correct_phones(join_contacts(parts), {10_000_002: PHONES[3], 10_000_003: PHONES[1], 2: PHONES[3]})
    assert fixed.rows["status"].tolist() == ["ok", "opted_out", "duplicate", "opted_out"]
    assert fixed.rows["duplicate_of"].tolist()[2] == 2


def test_what_cannot_be_joined_is_refused() -> None:
    one = cleaned(HEADERS[0], [(PHONES[0], "", "Ann")])
    for lists in ({}, {"Twice": join_contacts({"One": one})}):
        with pytest.raises(OptionError, match="clean_contacts"):
            join_contacts(lists)
    long = replace(one, judged=one.judged.assign(row=10_000_000))
    with pytest.raises(OptionError, match="9,999,999"):
        join_contacts({"Long": long})
