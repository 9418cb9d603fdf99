"""A verdict on every row: duplicates, opt-outs, several columns, countries, and rows out are rows in."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from typing import Any

import pandas as pd
import pytest
from each import each
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tiers import draws, only_deep, together

from dashboard.contacts import (
    TEXTABLE,
    ColumnMap,
    ContactList,
    Problem,
    Status,
    checked,
    clean_contacts,
    correct_phones,
    explain,
    guess_columns,
    read_sheet,
)
from dashboard.errors import ColumnError, CountryError

ANN, BOB, EVE = "07400 123456", "07400 123457", "07400 123458"
PHONE_ONLY = ColumnMap(phones=("phone",))


def clean(**columns: list[str]) -> ContactList:
    return clean_contacts(
        pd.DataFrame({name.replace("_", " "): cells for name, cells in columns.items()}), country="GB"
    )


def statuses(contacts: ContactList) -> list[str]:
    return contacts.rows["status"].tolist()


def problems(contacts: ContactList) -> list[str]:
    return contacts.rows["problem"].astype("object").fillna("").tolist()


def test_the_first_of_duplicates_is_kept() -> None:
    contacts = clean(phone=[ANN, BOB, "+447400123456", "00447400123456"])
    assert statuses(contacts) == ["ok", "ok", "duplicate", "duplicate"]
    assert contacts.rows["duplicate_of"].fillna(0).tolist() == [0, 0, 2, 2]


def test_the_last_of_duplicates_is_kept_when_asked() -> None:
    frame = pd.DataFrame({"phone": [ANN, BOB, "+447400123456"]})
    contacts = clean_contacts(frame, country="GB", keep="last")
    assert statuses(contacts) == ["duplicate", "ok", "ok"]
    assert contacts.rows["duplicate_of"].fillna(0).tolist() == [4, 0, 0]


def test_a_row_beyond_doubt_is_kept_before_one_in_review() -> None:
    contacts = clean(phone=["07400 123456 ext 5", ANN])
    assert statuses(contacts) == ["duplicate", "ok"]
    assert contacts.rows["duplicate_of"].fillna(0).tolist() == [3, 0]


def test_an_opt_out_in_the_sheet() -> None:
    contacts = clean(phone=[ANN, BOB, EVE], SMS_opt_out=["", "yes", "2026-01-05"])
    assert statuses(contacts) == ["ok", "opted_out", "opted_out"]
    assert problems(contacts) == ["", "opted_out", "opted_out"]


def test_consent_is_the_opposite_of_an_opt_out() -> None:
    contacts = clean(phone=[ANN, BOB, EVE], accepts_sms_marketing=["yes", "no", ""])
    assert statuses(contacts) == ["ok", "opted_out", "review"]
    assert problems(contacts) == ["", "no_consent", "consent_unclear"]


def test_any_opt_out_beats_consent_across_duplicates() -> None:
    contacts = clean(phone=[ANN, "+447400123456", BOB], consent=["yes", "yes", "yes"], opt_out=["", "x", ""])
    assert statuses(contacts) == ["opted_out", "opted_out", "ok"]


def test_an_opt_out_holds_for_every_number_of_the_person() -> None:
    contacts = clean(mobile=[ANN, BOB, EVE], home_phone=["", ANN, ""], opt_out=["", "yes", ""])
    assert statuses(contacts) == ["opted_out", "opted_out", "ok"]


@pytest.mark.parametrize(
    "typed", together("020 7946 0991", "07400 12345", "O7400 523456", "4.474E+11", "0900 1234567")
)
def test_a_refusal_is_judged_before_the_form_of_the_phone(typed: list[str]) -> None:
    contacts = clean(phone=[*typed, ANN], opt_out=[*("yes" for _ in typed), ""])
    assert problems(contacts) == [*("opted_out" for _ in typed), ""]
    contacts = clean(phone=[*typed, ANN], consent=[*("no" for _ in typed), "yes"])
    assert problems(contacts) == [*("no_consent" for _ in typed), ""]


def test_whoever_shares_any_number_with_a_refusal_is_left_out() -> None:
    contacts = clean(
        mobile=[ANN, BOB, "07400 123459 / 07400 123458", EVE],
        home_phone=["020 7946 0991", "020 7946 0991", "", ""],
        opt_out=["yes", "", "yes", ""],
    )
    assert statuses(contacts) == ["opted_out"] * 4


def test_a_number_of_which_one_row_is_unclear_waits_in_all_rows() -> None:
    contacts = clean(phone=[ANN, "+447400123456", BOB], consent=["yes", "perhaps", "yes"])
    assert statuses(contacts) == ["review", "duplicate", "ok"]


@pytest.mark.parametrize("listed", ["+447400123457", "07400 123457", "0044 7400 123457"])
def test_the_opt_out_list_counts_however_it_is_written(listed: str) -> None:
    frame = pd.DataFrame({"phone": [ANN, BOB]})
    contacts = clean_contacts(frame, country="GB", opt_outs=[listed])
    assert problems(contacts) == ["", "on_opt_out_list"]


def test_the_first_valid_mobile_of_several_columns_is_used() -> None:
    contacts = clean(
        Mobile=["", "n/a", ANN, "020 7946 0991", "O74"],
        Phone=[BOB, "020 7946 0991", EVE, BOB, "7"],
        Work_phone=["", EVE, "020 7946 0992", "", ""],
    )
    assert contacts.rows["raw_phone"].tolist() == [BOB, EVE, ANN, BOB, "O74"]
    assert contacts.rows["other_phones"].tolist() == [
        "",
        "+442079460991",
        "+447400123458; +442079460992",
        "+442079460991",
        "",
    ]


def test_line_types_that_are_wanted() -> None:
    frame = pd.DataFrame({"phone": [ANN, "020 7946 0991", "+1 202-555-0223"]})
    assert statuses(clean_contacts(frame, country="GB")) == ["ok", "invalid", "ok"]
    landlines = clean_contacts(frame, country="GB", line_types={"FIXED_LINE"})
    assert statuses(landlines) == ["invalid", "ok", "invalid"]
    assert problems(landlines) == ["mobile_not_wanted", "", "mobile_not_wanted"]


def test_the_rows_country_wins_over_the_lists() -> None:
    contacts = clean(phone=["0612345678", "0151 23456789", ANN], country=["France", "DE", ""])
    assert contacts.rows["phone"].tolist() == ["+33612345678", "+4915123456789", "+447400123456"]


def test_the_hint_is_a_country_that_the_list_has() -> None:
    contacts = clean(phone=["0612345678", "+31 6 1234 5679", "+31 6 1234 5670"])
    assert contacts.rows["repairs"].tolist()[0] == "valid_in_NL"


def test_approved_rows_can_be_sent() -> None:
    contacts = clean(phone=["07400 123456 ext 5", "07400 123457 ext 5", EVE], name=["Ann", "Bob", "Eve"])
    assert contacts.sendable["name"].tolist() == ["Eve"]
    assert contacts.approve([3]).sendable["name"].tolist() == ["Bob", "Eve"]
    assert contacts.approve().sendable["name"].tolist() == ["Ann", "Bob", "Eve"]
    assert contacts.count("review") == 2, "the list itself stays as it was"


def test_approval_is_for_rows_in_review_only() -> None:
    contacts = clean(phone=["020 7946 0991", ANN], opt_out=["", "yes"]).approve([2, 3])
    assert contacts.sendable.empty


def test_merge_fields_keep_the_sheets_names() -> None:
    contacts = clean(Mobile=[ANN], First_Name=["Ann"], phone=[""], country=["GB"])
    assert list(contacts.sendable) == [
        "row",
        "phone",
        "country",
        "line_type",
        "Mobile",
        "First Name",
        "phone#2",
        "country#2",
    ]


def test_the_summary_counts_every_row_once_and_says_what_is_wrong() -> None:
    summary = clean(phone=[ANN, ANN, "", "4.4E+11", "4.5E+11"]).summary()
    assert summary[["status", "rows"]].to_numpy().tolist() == [
        ["ok", 1],
        ["invalid", 2],
        ["duplicate", 1],
        ["empty", 1],
    ]
    assert summary["meaning"].tolist()[1] == explain("digits_lost")


def test_frames_may_hold_numbers_and_missing_values() -> None:
    frame = pd.DataFrame({"phone": [447400123456.0, None], 7: [1, 2]})
    contacts = clean_contacts(frame, country="GB")
    assert contacts.rows["phone"].astype("object").fillna("").tolist() == ["+447400123456", ""]
    assert contacts.rows["row"].tolist() == [2, 3]
    assert frame["phone"].dtype == "float64", "the caller's frame is not touched"


def test_a_cell_of_any_length_is_judged() -> None:
    contacts = clean(phone=["  " * 15_000 + "x" + " " * 2_000 + ";", "0" * 32_000, " " * 32_000 + "y; stop"])
    assert problems(contacts) == ["too_long", "too_long", "opted_out"]


@pytest.mark.parametrize("country", ["gb", "UK", "Britain", "", "001"])
def test_a_country_that_is_none_is_refused(country: str) -> None:
    with pytest.raises(CountryError):
        clean_contacts(pd.DataFrame({"phone": [ANN]}), country=country)


def test_a_sheet_without_phones_is_refused() -> None:
    with pytest.raises(ColumnError, match="No column looks like phone numbers"):
        clean_contacts(pd.DataFrame({"name": ["Ann"], "city": ["York"]}), country="GB")


def test_a_column_that_is_not_there_is_refused() -> None:
    with pytest.raises(ColumnError, match='no column "mobile"'):
        clean_contacts(pd.DataFrame({"phone": [ANN]}), country="GB", columns=ColumnMap(phones=("mobile",)))


@each("code", list(Problem))
def test_every_problem_has_its_own_sentence(code: Problem) -> None:
    assert explain(code).endswith(".")
    assert [other for other in Problem if explain(other) == explain(code)] == [code]


CELLS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            ANN,
            "+447400123456",
            BOB,
            "020 7946 0991",
            "",
            "n/a",
            "4.4E+11",
            "07400123456; 07400123457",
            "Total",
        ]
    ),
    st.from_regex(r"[+=']?0?0?4?4?7400[0-9]{6}(\.0)?( ext 5)?", fullmatch=True),
)
ROWS = st.lists(st.tuples(CELLS, CELLS, st.sampled_from(["", "yes", "no", "?"])), max_size=12)


@settings(deadline=None, max_examples=draws(50, 5))  # shared machines pause
@given(ROWS, st.sampled_from(["first", "last"]))
def test_rows_out_are_rows_in_and_every_verdict_holds_together(
    cells: list[tuple[str, str, str]], keep: str
) -> None:
    frame = pd.DataFrame(cells, columns=["mobile", "phone", "opt out"], dtype="str")
    columns = ColumnMap(phones=("mobile", "phone"), opt_outs=("opt out",))
    rows = clean_contacts(frame, country="GB", columns=columns, keep=keep).rows  # type: ignore[arg-type]
    assert rows["row"].tolist() == list(range(2, len(cells) + 2))
    ok = rows["status"] == Status.OK
    assert (rows["problem"].isna() == ok).all()
    assert rows.loc[ok, "phone"].is_unique
    assert rows.loc[ok, "line_type"].isin(TEXTABLE).all()
    assert not (ok & frame["opt out"].isin(["yes", "?"])).any()
    originals = rows.set_index("row").loc[rows["duplicate_of"].dropna(), "phone"]
    assert originals.tolist() == rows.loc[rows["duplicate_of"].notna(), "phone"].tolist()


@settings(deadline=None, max_examples=draws(50, 5))
@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=6))
@example([["0", ""]])  # reads as a no, so that the column is not taken for one of phones
def test_whatever_is_in_a_sheet_it_can_be_guessed_and_cleaned(cells: list[list[str]]) -> None:
    frame = pd.DataFrame(cells, columns=["phone", "SMS consent"], dtype="str")
    columns = guess_columns(frame)
    contacts = clean_contacts(
        frame, country=None, columns=replace(columns, phones=columns.phones or ("phone",))
    )
    assert len(contacts.rows) == len(frame)
    assert contacts.summary()["rows"].sum() == len(frame)


def test_the_readmes_promise_on_one_sheet() -> None:
    sheet = read_sheet(b"phone,name\n07400 123456,Ann\n,\n020 7946 0991,Eve\n")
    contacts = clean_contacts(sheet, country="GB")
    assert contacts.sendable[["row", "phone", "name"]].to_numpy().tolist() == [[2, "+447400123456", "Ann"]]


@pytest.mark.parametrize("saying", ["unsubscribed", "do not call", "sms consent", "opt in"])
def test_any_of_several_columns_may_refuse(saying: str) -> None:
    silent = {"unsubscribed": "no", "do not call": "no", "sms consent": "yes", "opt in": "yes"}
    refusing = silent | {saying: "no" if silent[saying] == "yes" else "yes"}
    columns = ColumnMap(
        phones=("phone",), opt_outs=("unsubscribed", "do not call"), consents=("sms consent", "opt in")
    )
    frame = pd.DataFrame([{"phone": ANN} | silent, {"phone": BOB} | refusing])
    rows = clean_contacts(frame, country="GB", columns=columns).rows
    assert rows["status"].tolist() == ["ok", "opted_out"]


INDEXES = [[7, 3, 5], ["c", "a", "b"], [1, 1, 1], [None, 0, 0]]


@pytest.mark.parametrize("index", [INDEXES[3], *only_deep(*INDEXES[:3])])
def test_verdicts_stand_on_the_index_of_the_frame(index: list[Any]) -> None:
    people = pd.DataFrame(
        {"Mobile": ["nope", ANN, "07400 123457"], "Note": ["", "asked us to stop texting", ""]}, index=index
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
        pd.testing.assert_frame_equal(doing(contacts).sendable, doing(same).sendable)
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
