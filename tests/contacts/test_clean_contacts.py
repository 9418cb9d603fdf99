"""A verdict on every row: duplicates, opt-outs, several columns, countries, and rows out are rows in."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pandas as pd
import pytest
from each import each
from tiers import only_deep

from dashboard.contacts import (
    ColumnMap,
    ContactList,
    Problem,
    checked,
    clean_contacts,
    correct_phones,
    explain,
    read_sheet,
)
from dashboard.errors import ColumnError, CountryError

ANN, BOB, EVE = "07400 123456", "07400 123457", "07400 123458"


def clean(**columns: list[str]) -> ContactList:
    return clean_contacts(
        pd.DataFrame({name.replace("_", " "): cells for name, cells in columns.items()}), country="GB"
    )


def statuses(contacts: ContactList) -> list[str]:
    return contacts.rows["status"].tolist()


def problems(contacts: ContactList) -> list[str]:
    return contacts.rows["problem"].astype("object").fillna("").tolist()


# What a rule is, then its rows: Mobile, Home phone, SMS opt-out, accepts SMS marketing; and their verdicts.
RULES: list[tuple[str, list[tuple[str, str, str, str]], list[str]]] = [
    (
        "an opt-out refuses, whatever says so",
        [("07400 110456", "", "", "yes"), ("07400 220457", "", "yes", "yes"), (EVE, "", "2026-01-05", "yes")],
        ["ok", "opted_out", "opted_out"],
    ),
    (
        "consent is the opposite of an opt-out, and nothing is neither",
        [("07400 310456", "", "", "yes"), ("07400 320459", "", "", "no"), ("07400 330451", "", "", "")],
        ["ok", "no_consent", "consent_unclear"],
    ),
    (
        "any opt-out beats consent across duplicates",
        [("07400 410456", "", "", "yes"), ("+447400410456", "", "x", "yes")],
        ["opted_out", "opted_out"],
    ),
    (
        "an opt-out holds for every number of the person",
        [("07400 510456", "", "", "yes"), ("07400 520457", "07400 510456", "yes", "yes")],
        ["opted_out", "opted_out"],
    ),
    (
        "a landline that is shared with somebody who refuses counts as well, and so does each of two numbers",
        [
            *(("07400 610456", "020 7946 0991", "yes", "yes"), ("07400 620457", "020 7946 0991", "", "yes")),
            *(("07400 630459 / 07400 640458", "", "yes", "yes"), ("07400 640458", "", "", "yes")),
        ],
        ["opted_out"] * 4,
    ),
    (
        "a number of which one row is unclear waits in all rows",
        [("07400 710456", "", "", "yes"), ("+447400710456", "", "", "perhaps")],
        ["consent_unclear", "duplicate"],
    ),
    (
        "a row beyond doubt is kept before one in review",
        [("07400 810456 ext 5", "", "", "yes"), ("07400 810456", "", "", "yes")],
        ["duplicate", "ok"],
    ),
    *(
        (
            "a refusal is judged before the form of the phone",
            [(phone, "", "yes", "yes"), (phone.replace("1", "2", 1), "", "", "no")],
            ["opted_out", "no_consent"],
        )
        for phone in ("020 7946 0141", "07400 12345", "O7400 513451", "4.414E+11", "0900 1234561")
    ),
]


def test_rules_about_refusals_and_shared_numbers() -> None:
    names = ["Mobile", "Home phone", "SMS opt-out", "accepts SMS marketing"]
    frame = pd.DataFrame([row for _, rows, _ in RULES for row in rows], columns=names)
    found = iter(problems(clean_contacts(frame, country="GB")))
    judged = [(rule, rows, [next(found) or "ok" for _ in rows]) for rule, rows, _ in RULES]
    assert judged == RULES


def test_the_first_valid_mobile_of_several_columns_is_used() -> None:
    contacts = clean(
        Mobile=["", "n/a", ANN, "020 7946 0991", "O74"],
        Phone=[BOB, "020 7946 0991", EVE, BOB, "7"],
        Work_phone=["", EVE, "020 7946 0992", "", ""],
    )
    assert contacts.rows["raw_phone"].tolist() == [BOB, EVE, ANN, BOB, "O74"]
    others = ["", "+442079460991", "+447400123458; +442079460992", "+442079460991", ""]
    assert contacts.rows["other_phones"].tolist() == others


def test_line_types_that_are_wanted() -> None:
    frame = pd.DataFrame({"phone": [ANN, "020 7946 0991", "+1 202-555-0223"]})
    assert statuses(clean_contacts(frame, country="GB")) == ["ok", "invalid", "ok"]
    landlines = clean_contacts(frame, country="GB", line_types={"FIXED_LINE"})
    assert statuses(landlines) == ["invalid", "ok", "invalid"]
    assert problems(landlines) == ["mobile_not_wanted", "", "mobile_not_wanted"]


def test_the_hint_is_a_country_that_the_list_has() -> None:
    contacts = clean(phone=["0612345678", "+31 6 1234 5679", "+31 6 1234 5670"])
    assert contacts.rows["repairs"].tolist()[0] == "valid_in_NL"


def test_approved_rows_in_review_can_be_sent_and_no_others() -> None:
    phone = ["07400 123456 ext 5", "07400 123457 ext 5", EVE, "020 7946 0991", "07400 123450"]
    contacts = clean(phone=phone, name=["Ann", "Bob", "Eve", "Cy", "Dee"], opt_out=["", "", "", "", "yes"])
    assert contacts.sendable["name"].tolist() == ["Eve"]
    assert contacts.approve([3, 5, 6]).sendable["name"].tolist() == ["Bob", "Eve"]
    assert contacts.approve().sendable["name"].tolist() == ["Ann", "Bob", "Eve"]
    assert contacts.count("review") == 2, "the list itself stays as it was"


def test_merge_fields_keep_the_sheets_names() -> None:
    contacts = clean(Mobile=[ANN], First_Name=["Ann"], phone=[""], country=["GB"])
    verdict = ["row", "phone", "country", "line_type"]
    assert list(contacts.sendable) == [*verdict, "Mobile", "First Name", "phone#2", "country#2"]


def test_the_summary_counts_every_row_once_and_says_what_is_wrong() -> None:
    summary = clean(phone=[ANN, ANN, "", "4.4E+11", "4.5E+11"]).summary()
    counted = [["ok", 1], ["invalid", 2], ["duplicate", 1], ["empty", 1]]
    assert summary[["status", "rows"]].to_numpy().tolist() == counted
    assert summary["meaning"].tolist()[1] == explain("digits_lost")


def test_a_cell_of_any_length_is_judged() -> None:
    contacts = clean(phone=["  " * 15_000 + "x" + " " * 2_000 + ";", "0" * 32_000, " " * 32_000 + "y; stop"])
    assert problems(contacts) == ["too_long", "too_long", "opted_out"]


def test_a_country_and_columns_that_are_none_are_refused() -> None:
    frame = pd.DataFrame({"phone": [ANN]})
    for country in ("gb", "UK", "Britain", "", "001"):
        with pytest.raises(CountryError):
            clean_contacts(frame, country=country)
    with pytest.raises(ColumnError, match='no column "mobile"'):
        clean_contacts(frame, country="GB", columns=ColumnMap(phones=("mobile",)))
    with pytest.raises(ColumnError, match="No column looks like phone numbers"):
        clean_contacts(pd.DataFrame({"name": ["Ann"], "city": ["York"]}), country="GB")


@each("code", list(Problem))
def test_every_problem_has_its_own_sentence(code: Problem) -> None:
    assert explain(code).endswith(".")
    assert [other for other in Problem if explain(other) == explain(code)] == [code]


INDEXES = [[7, 3, 5], ["c", "a", "b"], [1, 1, 1], [None, 0, 0]]


@pytest.mark.parametrize("index", [INDEXES[3], *only_deep(*INDEXES[:3])])
def test_verdicts_stand_on_the_index_of_the_frame(index: list[Any]) -> None:
    people = pd.DataFrame(
        {"Mobile": ["nope", ANN, "07400 123457"], "Note": ["VIP", "asked us to stop texting", ""]},
        index=index,
    )
    contacts = clean_contacts(people, country="GB")
    same = clean_contacts(people.reset_index(drop=True), country="GB")
    for kept in (contacts, correct_phones(contacts, {3: ANN}), contacts.approve()):
        assert kept.rows.index.equals(people.index)
        assert kept.fields.index.equals(people.index)
        assert kept.reasons().index.equals(people.index)
        assert kept.rows["row"].tolist() == [2, 3, 4]
    assert people.assign(status=contacts.rows["status"])["status"].tolist() == same.rows["status"].tolist()
    assert contacts.reasons().tolist()[:2] == same.reasons().tolist()[:2]
    for doing in (lambda c: c.approve(), lambda c: correct_phones(c, {2: "07400 123458"})):
        pd.testing.assert_frame_equal(doing(contacts).sendable[[*same.sendable]], doing(same).sendable)
    pd.testing.assert_frame_equal(checked(contacts, read_sheet(people)), checked(same, read_sheet(people)))


def test_changing_a_frame_that_was_handed_out_changes_no_verdict() -> None:
    contacts = clean_contacts(
        pd.DataFrame({"Mobile": [ANN, "nope"], "SMS consent": ["no", "yes"]}), country="GB"
    )
    before = contacts.rows
    handed = (contacts.rows, contacts.fields, contacts.judged)
    with pytest.warns(pd.errors.ChainedAssignmentError, match="on a copy"):  # pandas says it as well
        contacts.rows["status"] = "ok"
    for frame in handed:
        frame.iloc[1, 0] = frame.iloc[0, 0]
        frame["status"] = "ok"
    pd.testing.assert_frame_equal(contacts.rows, before)
    assert contacts.sendable.empty
    assert contacts.counts()["opted_out"] == 1
    assert correct_phones(contacts, {3: "07400 123457"}).sendable["phone"].tolist() == ["+447400123457"]
    with pytest.raises(FrozenInstanceError):
        contacts.rows = before  # type: ignore[misc]
    assert repr(contacts) == "<ContactList: 1 invalid, 1 opted_out>"


@each("country", ["AE", "SA", "IL", "TM", "GB", "US"])
def test_digits_that_are_more_than_any_number_has_are_no_number(country: str) -> None:
    """A card's or an order's, which some country's rules make longer than 64 bits hold."""
    cells = ["5500000000000004", "4111 1111 1111 1111", "+38595395300777981925", "9" * 40]
    rows = clean_contacts(pd.DataFrame({"phone": cells}), country=country).rows
    assert "ok" not in rows["status"].tolist()
