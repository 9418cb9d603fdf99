"""What a sheet asks: columns that may say who must not be texted, and what answering them does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from doors import both_doors
from each import each
from one_sheet import phones
from tiers import only_deep
from vector_files import exported_headers

from dashboard.contacts import DATE, ColumnMap, Question, clean_contacts, guess_columns, join_contacts
from dashboard.contacts.columns.questions import OTHERS, REFUSALS, value_of
from dashboard.errors import ColumnError, OptionError

PHONES = phones(12)


def sheet(**columns: list[str]) -> pd.DataFrame:
    rows = max(map(len, columns.values()))
    padded = {name: cells + [""] * (rows - len(cells)) for name, cells in columns.items()}
    return pd.DataFrame({"Mobile": PHONES[:rows], **padded})


def statuses(frame: pd.DataFrame, columns: ColumnMap | None = None) -> list[str]:
    rows = clean_contacts(frame, country="GB", columns=columns).rows
    return rows["status"].astype("str").tolist()


def asked(frame: pd.DataFrame) -> list[str]:
    return [question.column for question in guess_columns(frame).questions]


ASKED = [
    ["Y", "N", "Y"],
    ["tak", "nie", ""],
    ["x", "", ""],
    ["✓", "", ""],
    ["1", "0", "1"],
    ["1.0", "0.0", ""],
    ["-1", "0", "0"],
    ["TRUE", "FALSE", "no idea"],
    ["2024-05-01", "", ""],
    ["1 May 2024", "2024-05-01", ""],
    ["1714550400", "", ""],
    ["active", "active", "inactive"],
]
NOT_ASKED = [
    ["Hull", "", "Leeds"],
    ["", "", ""],
    ["2024-05-01", "2024-05-02", "2024-05-03"],
    ["0", "1", "2"],
    ["0.00", "12.50", "0.00"],
    ["1999", "2003", ""],
    ["10.0.0.1", "", "10.0.0.2"],
    ["74001234", "98761234", ""],
    ["7400123456", "7400123457", ""],
    ["do not text", "", ""],
    ["STOP", "", "Leeds"],
]


@pytest.mark.parametrize("header", ["Отзвук", *only_deep("MKT_SUPP_IND", "Zork", "予約", "x")])
def test_answers_ticks_and_some_dates_are_a_question_whatever_the_header(header: str) -> None:
    for cells in ASKED:
        frame = sheet(**{header: cells})
        found = guess_columns(frame)
        if header in found.columns:  # a phone or a refusal by its name
            continue
        assert [question.column for question in found.questions] == [header], cells
        assert statuses(frame) == ["review"] * 3
    for cells in NOT_ASKED:
        assert asked(sheet(**{header: cells})) == [], cells


def test_counts_and_columns_of_other_channels_are_no_question() -> None:
    assert asked(sheet(Quantity=["1", "1"], Index=["0", "1"])) == []
    frame = sheet(**{"E-mail bounced?": ["yes", "no"], "verified_email": ["true", "true"]})
    found = guess_columns(frame)
    assert (found.questions, len(found.other_channels)) == ((), 2)


def test_headers_of_documented_programs_ask_nothing_however_they_are_written() -> None:
    titles = [line["title"] for line in exported_headers()]
    frame = pd.DataFrame({"Mobile": PHONES[:3]} | {title: ["1", "0", "2024-05-01"] for title in titles})
    assert asked(frame) == []
    assert asked(frame.rename(columns=lambda title: title.upper() if title != "Mobile" else title)) == []
    assert asked(frame.rename(columns={"Tax Exempt": "Tax Exempt Zork"})) == ["Tax Exempt Zork"]


def test_a_question_counts_its_values_the_most_frequent_first() -> None:
    frame = sheet(Ridhaa=["nie", "tak ", "tak", "", "2024-05-01", "1.6.2024", "tak"])
    (question,) = guess_columns(frame).questions
    assert question == Question("Ridhaa", {"tak": 3, DATE: 2, "nie": 1, "": 1})
    assert list(question.values) == ["tak", DATE, "nie", ""]


def test_a_column_in_which_some_are_to_be_texted_asks_about_the_others() -> None:
    ways = ["SMS", "nur Brief", "wünscht keinen", "ausschl. Festnetz"]
    assert asked(sheet(Recall=ways)) == ["Recall"]
    assert asked(sheet(Recall=ways[1:])) == []
    assert asked(sheet(Type=["sms", "sms"])) == [], "it says the same of everybody"


def test_a_column_with_more_than_fifty_values_is_none_of_answers() -> None:
    words = [*(["yes", "no"] * 30), *(f"note {place}" for place in range(49))]
    frame = pd.DataFrame({"Mobile": phones(len(words)), "Zork": words})
    assert asked(frame) == []
    assert asked(frame.head(100)) == []
    assert asked(frame.head(62)) == ["Zork"]


REASONS = ["moved", "moved", "", *(f"reason {place}" for place in range(55))]
MANY = pd.DataFrame({"Mobile": phones(len(REASONS)), "SMS opt out reason": REASONS})
OF_OTHERS = [
    ({}, "review review review review"),
    ({"moved": "may", "": "nothing"}, "ok ok review review"),
    ({OTHERS: "may"}, "review review review ok"),
    ({"moved": "may", "": "nothing", "reason 0": "must_not", OTHERS: "nothing"}, "ok ok opted_out ok"),
    ({"reason 9": "must_not"}, "review review review opted_out"),
    ("refusal", "opted_out ok opted_out opted_out"),
]


def test_a_column_named_as_one_of_refusals_asks_once_however_many_values_it_has() -> None:
    (question,) = guess_columns(MANY).questions
    assert question.counted == (
        "(blank) (1), moved (2), reason 0 (1), reason 1 (1), reason 2 (1), (any other value) (52)"
    )
    assert statuses(MANY, guess_columns(MANY).answered({}, none_of_these=True)) == ["ok"] * 58


@each("said, expected", OF_OTHERS)
def test_what_is_said_of_all_other_values_holds_for_none_that_is_listed_or_blank(
    said: Any, expected: str
) -> None:
    found = statuses(MANY, guess_columns(MANY).answered({"SMS opt out reason": said}))
    assert " ".join(found[row] for row in (0, 2, 3, 12)) == expected


def test_a_column_that_is_answered_by_value_asks_once_about_all_others() -> None:
    columns = ColumnMap(phones=("Mobile",), answers={"SMS opt out reason": {"moved": "may"}})
    assert [one.counted for one in columns.asking(MANY).questions] == [
        "(blank) (1), reason 0 (1), reason 1 (1), reason 2 (1), reason 3 (1), (any other value) (51)"
    ]
    of_others = columns.answered({"SMS opt out reason": {OTHERS: "must_not"}})
    assert [one.counted for one in of_others.asking(MANY).questions] == ["(blank) (1)"]
    assert statuses(MANY, of_others) == ["ok", "ok", "review", *["opted_out"] * 55]


STAFF = [f"Ann {chr(65 + place % 26)}{chr(65 + place // 26)}" for place in range(60)]
REFUSE = ["refused", "withdrew by email", "NOT agreed", "no", "declined", "nein", "n", "2024-03-04"]
REFUSE += ["do not text", "she'd rather not get texts", "n/a", "email only", "yes"]
TAKEN_BY = "Consent taken by"


def taken_by(*cells: str) -> pd.DataFrame:
    return pd.DataFrame({"Mobile": phones(len(STAFF) + len(cells)), TAKEN_BY: [*STAFF, *cells]})


@each("more", [0, 20])
@each("said", ["may", "nothing", "must_not", "none of these"])
def test_what_may_refuse_is_freed_with_none_of_the_others(more: int, said: str) -> None:
    """Whether it is listed, one of too many to list, or comes only later."""
    frame = taken_by(*REFUSE, *(f"declined by {name}" for name in STAFF[:more]))
    columns = guess_columns(frame)
    values = dict(columns.questions[0].values)
    assert ({"refused", "nein", DATE} <= values.keys(), REFUSALS in values) == (not more, bool(more))
    if said == "none of these":
        answered = columns.answered({}, none_of_these=True).answered({}, none_of_these=True)
    else:
        answered = columns.answered({TAKEN_BY: {**dict.fromkeys(STAFF, said), OTHERS: said}})
    for one in (frame, taken_by(*REFUSE, "widersprochen", "stopped 3 May 2024")):
        found = statuses(one, answered)
        assert set(found[:60]) == {"opted_out" if said == "must_not" else "ok"}
        assert set(found[60:]) <= {"opted_out", "review"}


def test_those_that_may_refuse_are_answered_by_themselves_or_as_one_if_they_are_many() -> None:
    frame = taken_by(*(f"declined by {name}" for name in STAFF[:21]))
    columns = guess_columns(frame)
    counted = "Ann AA (1), Ann BA (1), Ann CA (1), Ann DA (1), Ann EA (1)"
    assert columns.questions[0].counted == (
        f"{counted}, (any other that may refuse) (21), (any other value) (55)"
    )
    for said, status in (("must_not", "opted_out"), ("may", "ok")):
        answered = columns.answered({TAKEN_BY: {REFUSALS: said, "declined by Ann AA": "must_not"}})
        assert statuses(frame, answered)[60:] == ["opted_out", *[status] * 20]
        assert set(statuses(frame, answered)[:60]) == {"review"}
    refused = columns.answered({TAKEN_BY: {OTHERS: "must_not"}})
    assert REFUSALS not in dict(refused.questions[0].values), "they refuse as well"


def test_others_are_counted_without_those_that_have_an_answer_of_their_own() -> None:
    columns = guess_columns(MANY).answered({"SMS opt out reason": {"reason 9": "must_not", "moved": "may"}})
    contacts = clean_contacts(MANY, country="GB", columns=columns)
    assert [one.counted for one in contacts.how.columns.questions] == [
        "(blank) (1), reason 0 (1), reason 1 (1), reason 2 (1), (any other value) (51)"
    ]


def test_some_of_the_others_are_shown_to_judge_by() -> None:
    frame = taken_by("", *(f"declined by {name}" for name in STAFF[:21]))
    (question,) = guess_columns(frame).questions
    assert question.examples(frame[TAKEN_BY], 2) == {
        REFUSALS: ["declined by Ann AA", "declined by Ann BA"],
        OTHERS: ["Ann EA", "Ann FA"],
    }


FRAME = sheet(Ridhaa=["tak", "nie", "", "tak"], VIP=["x", "", "", ""])
OF_ROLE = {
    "consent": ["ok", "opted_out", "review", "ok"],
    "refusal": ["opted_out", "ok", "ok", "opted_out"],
    "status": ["ok", "opted_out", "ok", "ok"],
    "preference": ["ok", "opted_out", "ok", "ok"],
    "doubt": ["review", "ok", "ok", "review"],
    "wrong number": ["review", "ok", "ok", "review"],
    "other channel": ["ok"] * 4,
    "nothing": ["ok"] * 4,
}


@each("role, expected", OF_ROLE.items())
def test_a_whole_column_is_answered_by_a_role(role: str, expected: list[str]) -> None:
    guessed = guess_columns(FRAME)
    columns = guessed.answered({"Ridhaa": role, "VIP": "nothing"})
    assert columns.questions == ()
    assert statuses(FRAME, columns) == expected
    assert len(guessed.questions) == 2, "unchanged"
    for before in OF_ROLE:
        columns = guessed.answered({"Ridhaa": before}).answered({"Ridhaa": role})
        assert columns.roles == ({} if role == "nothing" else {"Ridhaa": role}), f"no longer {before}"


def test_values_are_answered_one_by_one_and_the_others_stay_open() -> None:
    some = guess_columns(FRAME).answered({"VIP": "nothing", "Ridhaa": {"tak": "may", "nie": "must_not"}})
    assert some.questions == (Question("Ridhaa", {"": 1}),)
    assert statuses(FRAME, some) == ["ok", "opted_out", "review", "ok"]
    whole = some.answered({"Ridhaa": {"": "nothing"}})
    assert (whole.questions, dict(whole.answers["Ridhaa"])) == (
        (),
        {"tak": "may", "nie": "must_not", "": "nothing"},
    )
    assert statuses(FRAME, whole) == ["ok", "opted_out", "ok", "ok"]
    assert statuses(FRAME, whole.answered({"Ridhaa": "refusal"})) == OF_ROLE["refusal"], "said anew"


def test_a_column_that_is_said_to_agree_and_to_refuse_lets_nobody_through() -> None:
    both = ColumnMap(phones=("Mobile",), consents=("Ridhaa",), opt_outs=("Ridhaa",))
    assert statuses(FRAME, both) == ["review"] * 4
    frame = sheet(Ridhaa=["yes", "2024-05-01", "signed", "do not text", "no", ""])
    contacts = clean_contacts(frame, country="GB", columns=both)
    assert statuses(frame, both) == ["review"] * 3 + ["opted_out"] + ["review"] * 2
    assert set(contacts.rows["problem"]) == {"column_unanswered", "opted_out"}


def test_none_of_these_answers_what_is_still_open() -> None:
    columns = guess_columns(FRAME).answered({"Ridhaa": {"nie": "must_not"}}, none_of_these=True)
    assert columns.questions == ()
    assert statuses(FRAME, columns) == ["ok", "opted_out", "ok", "ok"]


def test_dates_are_answered_as_one() -> None:
    frame = sheet(Zork=["2024-05-01", "1 June 2024", "", ""])
    for date in (DATE, "2023-12-24"):
        columns = guess_columns(frame).answered({"Zork": {date: "must_not", "": "nothing"}})
        assert statuses(frame, columns) == ["opted_out", "opted_out", "ok", "ok"]


def test_any_column_may_be_given_another_meaning() -> None:
    frame = sheet(**{"SMS consent": ["yes", "no"], "Status": ["Gone", "Here"], "Town": ["Hull", "Leeds"]})
    guessed = guess_columns(frame)
    assert statuses(frame, guessed.answered({"SMS consent": "refusal"})) == ["opted_out", "ok"]
    by_town = guessed.answered({"SMS consent": "nothing", "Town": {"Hull": "must_not", "Leeds": "may"}})
    assert statuses(frame, by_town) == ["opted_out", "ok"]
    by_status = guessed.answered({"SMS consent": "nothing", "Status": {"Gone": "must_not"}})
    assert statuses(frame, by_status) == ["opted_out", "review"]


def test_a_refusal_counts_in_every_row_of_the_number_and_the_open_question_too() -> None:
    frame = pd.concat([sheet(Zork=["y", "n"]), sheet(Zork=["n", "n", "n"])], ignore_index=True)
    columns = guess_columns(frame).answered({"Zork": {"y": "must_not", "n": "nothing"}})
    assert statuses(frame, columns) == ["opted_out", "ok", "opted_out", "duplicate", "ok"]


def test_the_reason_names_the_column_that_asks() -> None:
    contacts = clean_contacts(FRAME, country="GB")
    assert contacts.rows["problem"].eq("column_unanswered").all()
    assert all(reason.endswith("Look in “Ridhaa”, “VIP”.") for reason in contacts.reasons())


def test_a_newsletter_is_no_question_once_somebody_said_who_may_be_texted() -> None:
    frame = sheet(Newsletter=["yes", "no"], Zork=["y", "n"])
    guessed = guess_columns(frame)
    assert statuses(frame, guessed.answered({}, none_of_these=True)) == ["review", "review"]
    said = guessed.answered({"Zork": {"y": "may", "n": "must_not"}})
    assert statuses(frame, said) == ["ok", "opted_out"]


def test_lists_that_are_joined_ask_what_each_asks_and_hold_to_what_was_answered() -> None:
    other = FRAME.rename(columns={"Ridhaa": "RIDHAA"}).assign(Mobile=phones(8)[4:], VIP="")
    shop = clean_contacts(other, country="GB")
    assert [question.column for question in shop.how.columns.questions] == ["RIDHAA"]
    fair = clean_contacts(FRAME, country="GB", columns=guess_columns(FRAME).answered({}, none_of_these=True))
    joined = join_contacts({"Fair": fair, "Shop": shop})
    assert joined.rows["status"].tolist() == ["ok"] * 4 + ["review"] * 4
    assert joined.how.columns.questions == (Question("Ridhaa", {"tak": 2, "nie": 1, "": 1}),)
    assert joined.how.columns.answers.keys() == {"Ridhaa", "VIP"}


def test_a_card_asks_first_and_says_what_to_type() -> None:
    """The line is run as it stands there."""
    columns = guess_columns(FRAME)
    contacts = clean_contacts(FRAME, country="GB")
    for shown in (columns, contacts):
        html = unescape(shown._repr_html_())
        assert "tak (2), nie (1), (blank) (1)" in html
        assert "“Ridhaa”, “VIP” may say who must not be texted." in html
        (line,) = re.findall(r"Next: <code>columns = (.*), then ", html)
        answered = eval(line)  # noqa: S307 - what a person would type
        assert [question.column for question in answered.questions] == ["VIP"]
    answered = clean_contacts(FRAME, country="GB", columns=columns.answered({}, none_of_these=True))
    assert "may say who" not in answered._repr_html_() + answered.how.columns._repr_html_()
    assert "tak" not in repr(columns), "cells stand in no log"


WRONG: list[Any] = [None, "Ridhaa", ["Ridhaa"], {"Ridhaa": "yes"}, {"Ridhaa": ["tak"]}, {"Ridhaa": 1}]
WRONG += [{"Ridhaa": {"tak": "no"}}, {"Ridhaa": {1: "may"}}, {"Ridhaa": {"tak": ["may"]}}]


@each("answers", WRONG)
def test_what_is_no_answer_is_refused_with_what_is_one(answers: Any) -> None:
    with pytest.raises(OptionError, match=r"'consent' / 'refusal' / .* / 'nothing'"):
        guess_columns(FRAME).answered(answers)


def test_an_answer_to_a_column_that_the_sheet_has_not_is_refused() -> None:
    values: Mapping[str, str] = {"yes": "may"}
    for answer in ("consent", values):
        columns = guess_columns(FRAME).answered({"Ridha": answer})
        with pytest.raises(ColumnError, match='no column "Ridha"'):
            clean_contacts(FRAME, country="GB", columns=columns)


def test_a_value_that_comes_only_further_down_a_large_file_asks(tmp_path: Path) -> None:
    rows = 12_000  # the columns of a stream are guessed from fewer
    frame = pd.DataFrame({"Mobile": phones(rows), "Zork": ["y", "n"] * (rows // 2)})
    answers = {"Zork": {"y": "may", "n": "must_not"}}
    columns = guess_columns(frame).answered(answers)
    frame.loc[rows - 1, "Zork"] = "maybe"
    frame.to_csv(tmp_path / "list.csv", index=False)
    contacts, streamed = both_doors(tmp_path / "list.csv", country="GB", columns=columns)
    assert streamed["problem"].iloc[-1] == "column_unanswered"
    assert streamed["status"].tolist() == contacts.rows["status"].astype("str").tolist()


def test_a_withdrawal_column_is_asked_about_wherever_its_dates_stand() -> None:
    """Sorted to the top of a long list, they fill its first rows."""
    dates = [f"2024-05-{row % 28 + 1:02d}" if row < 12_000 else "" for row in range(20_000)]
    frame = pd.DataFrame({"Mobile": TWENTY_THOUSAND, "Zork": dates})
    assert [one.column for one in guess_columns(frame).questions] == ["Zork"]


TWENTY_THOUSAND = [f"074{row * 4_999 % 10**8:08d}" for row in range(20_000)]


def test_a_column_of_which_some_values_are_answered_asks_about_the_others() -> None:
    frame = pd.DataFrame({"Mobile": ["07400 123456", "07400 223457"], "SMS opt out": ["no", "zork"]})
    columns = guess_columns(frame).answered({"SMS opt out": {"no": "may"}})
    contacts = clean_contacts(frame, country="GB", columns=columns)
    assert [one.counted for one in contacts.how.columns.questions] == ["zork (1)"]


def test_one_answer_of_may_does_not_answer_for_those_who_said_nothing() -> None:
    phones = ["07400 123456", "07400 223457", "07400 323458"]
    frame = pd.DataFrame({"Mobile": phones, "Newsletter": ["yes", "yes", "no"], "Zork": ["Y", "", "N"]})
    answered = guess_columns(frame).answered({"Zork": {"Y": "may", "N": "must_not", "": "nothing"}})
    status = clean_contacts(frame, country="GB", columns=answered).rows["status"].tolist()
    assert status[1:] == ["review", "opted_out"]


@each("cell", ["vip 2024", "Ann 2024", "moved away 2024", "10.0.0.1", "7400123456", "0", "1.0"])
def test_a_remark_with_a_year_and_figures_of_something_else_are_no_date(cell: str) -> None:
    assert value_of(cell) == cell
    assert value_of("5 May 2024") == value_of("2024-05-01 09:12") == value_of("1 stycznia 2024") == DATE


def test_what_stands_beside_a_date_is_answered_by_itself() -> None:
    frame = sheet(Outcome=["Agreed 03/02/2024", "Declined 05/02/2024", ""])
    (question,) = guess_columns(frame).questions
    assert list(question.values) == ["Agreed 03/02/2024", "Declined 05/02/2024", ""]
    contacts = clean_contacts(sheet(Consent=["given 1.2.2024", "taken back 1.2.2024"]), country="GB")
    assert len(contacts.questions) == 2


def test_of_two_answers_for_one_value_the_one_that_texts_fewer_counts() -> None:
    answers = {"Ridhaa": {"2024-05-01": "must_not", "1.6.2024": "may"}}
    assert guess_columns(sheet(Ridhaa=["2024-05-01", ""])).answered(answers).answers["Ridhaa"] == {
        DATE: "must_not"
    }
