"""Answers about columns, remembered: where they are found again, where not, and what is never kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from each import each
from fixtures_ledger import Clock
from interleaved import at_every_point

from dashboard.contacts import DATE, Sheet, guess_columns, read_sheet
from dashboard.contacts.columns.questions import OTHERS
from dashboard.ledger import Ledger

Answers = dict[str, str]
Cells = tuple[str, ...]
PHONES = [f"0740012{number:04d}" for number in range(60)]
ANSWERS = {"Y": "must_not", "N": "may", "": "nothing"}


def sheet(title: str, cells: Cells, more: str = "Mobile") -> Sheet:
    rows = "\n".join(f"{phone},{cell}" for phone, cell in zip(PHONES, cells, strict=False))
    return read_sheet(f"{more},{title}\n{rows}\n".encode())


def remember(
    ledger: Ledger, one: Sheet, answers: Answers, who: str = "Ann", earlier: Answers | None = None
) -> None:
    columns = guess_columns(one)
    (question,) = columns.questions
    answered = columns.answered({question.column: answers})
    ledger.column_answers.remember(one, answered, who=who, earlier={question.column: earlier or {}})


def forget_all(ledger: Ledger) -> None:
    for answer in ledger.column_answers.all():
        ledger.column_answers.forget(answer.key)


def recalled(ledger: Ledger, one: Sheet) -> dict[str, Answers]:
    found = ledger.column_answers.recall(one, guess_columns(one)).answers
    return {column: dict(meanings) for column, meanings in found.items()}


@each(
    "title, cells, expected",
    [
        ("MKT_SUPP_IND", ("Y", "N", ""), ANSWERS),
        ("mkt supp ind", ("y", "Y", "n"), {"y": "must_not", "Y": "must_not", "n": "may"}),
        ("MKT_SUPP_IND", ("Y", "yes", ""), {"Y": "must_not", "": "nothing"}),
        ("MKT_SUPP_IND", ("1", "0", "-1"), {}),
        ("MKT_SUPP_FLAG", ("Y", "N", ""), {}),
        ("IND", ("Y", "N", ""), {}),
    ],
)
def test_answers_are_found_by_title_and_value(
    ledger: Ledger, title: str, cells: Cells, expected: Answers
) -> None:
    remember(ledger, sheet("MKT_SUPP_IND", ("Y", "N", "")), ANSWERS)
    one = sheet(title, cells, more="Phone")
    assert recalled(ledger, one) == ({title: expected} if expected else {})
    left = {value for question in ledger.column_answers.recall(one, guess_columns(one)).questions
            for value in question.values}  # fmt: skip
    assert left == {cell for cell in cells if cell not in expected}


@each("title", ["Code", "code2", "K", "予約", "✓", "Custom Field 1", "User Defined 3"])
def test_a_title_of_one_word_or_a_number_needs_the_same_columns(ledger: Ledger, title: str) -> None:
    one = sheet(title, ("Y", "N", ""))
    remember(ledger, one, ANSWERS)
    assert recalled(ledger, sheet(title, ("Y", "", ""))) == {title: {"Y": "must_not", "": "nothing"}}
    assert recalled(ledger, sheet(title, ("Y", "N", ""), more="Phone")) == {}
    assert all(answer.same_columns for answer in ledger.column_answers.all())


DATED = "01/05/2026"
TOLD: list[tuple[str, Cells, Answers, Answers]] = [  # and what is kept of it
    *(
        ("MKT_SUPP_IND", ("Y", "N", "Y", value), ANSWERS | more, {})  # may be somebody's
        for value in ("ann@example.com", "07400 123456", "4471234", "said on the phone that she agrees")
        for more in ({}, {value: "nothing"})
    ),
    ("Ok of 07400 123456", ("Y", "N", ""), ANSWERS, {}),
    *((title, ("Y", "N", ""), ANSWERS, {}) for title in ("", "column 2")),  # none
    (  # words that only one row has
        "Zork Flag",
        ("tak", "nie", "ja", "nej", "nie znam", "nie znam", "Ann Smith", DATED),
        {"tak": "may", "nie znam": "must_not", "Ann Smith": "must_not", DATE: "nothing"},
        {DATE: "nothing", "nie znam": "must_not", "tak": "may"},
    ),
    (  # one spelling with two answers; signs are not folded
        "Zork Flag",
        ("Ja", "JA", "nein", "1", "-1", "yes", "no", DATED),
        {"Ja": "may", "JA": "must_not", "nein": "may", "1": "may", "-1": "must_not", DATE: "nothing"},
        {DATE: "nothing", "-1": "must_not", "1": "may", "nein": "may"},
    ),
]


@each("title, cells, answers, kept", TOLD)
def test_what_may_be_personal_unclear_or_without_a_title_is_not_remembered(
    ledger: Ledger, title: str, cells: Cells, answers: Answers, kept: Answers
) -> None:
    forget_all(ledger)
    remember(ledger, sheet(title, cells), answers)
    assert {one.value: one.meaning for one in ledger.column_answers.all()} == kept


YN, ODD = ("Y", "N", ""), ("Y", "N", "ask 07400 123456")


@each(
    "before, cells, earlier, answers, expected",
    [
        ({"Y": "must_not"}, YN, {"Y": "may"}, {"Y": "may", "N": "may"}, {"Y": "must_not", "N": "may"}),
        ({"Y": "must_not"}, YN, {"Y": "may"}, {"Y": "nothing"}, {"Y": "nothing"}),
        ({"Y": "must_not"}, YN, {"Y": "must_not"}, {}, {}),
        ({"Y": "must_not"}, YN, {"Y": "may"}, {}, {"Y": "must_not"}),
        ({"Y": "must_not"}, YN, {}, {}, {"Y": "must_not"}),
        # What cannot be kept leaves no contrary answer
        ({"Y": "may", "N": "may"}, ("Y", "y", "N"), {}, {"Y": "must_not", "y": "may"}, {"N": "may"}),
        (
            *({"Y": "may", "N": "may"}, ("Y", "y", "N"), {}, {"Y": "must_not", "y": "must_not"}),
            {"Y": "must_not", "N": "may"},
        ),
        ({"Y": "may", "N": "may"}, ODD, {}, {"Y": "must_not", "N": "may"}, {"N": "may"}),
        ({"Y": "may", "N": "may"}, ODD, {}, {"Y": "may"}, {"Y": "may", "N": "may"}),
    ],
)
def test_only_what_was_said_now_counts_and_what_was_taken_back_is_forgotten(
    ledger: Ledger, before: Answers, cells: Cells, earlier: Answers, answers: Answers, expected: Answers
) -> None:
    forget_all(ledger)
    one = sheet("MKT_SUPP_IND", YN)
    remember(ledger, one, before)
    remember(ledger, sheet("MKT_SUPP_IND", cells), answers, earlier=earlier)
    assert recalled(ledger, one).get("MKT_SUPP_IND", {}) == expected


@pytest.mark.parametrize("ledger_url", ["postgresql"], indirect=True)
def test_of_two_who_answer_at_once_one_has_the_last_word_about_all_values(ledger: Ledger) -> None:
    made = list[Sheet]()

    def prepared(point: int) -> tuple[Callable[[], object], Callable[[], object]]:
        made.append(sheet(f"Zork Flag {point}", ("Y", "N", "")))
        remember(ledger, made[-1], {"Y": "may", "N": "must_not"})
        both = ("may", "must_not")
        first, second = (partial(remember, ledger, made[-1], {"Y": said, "N": said}) for said in both)
        return first, second

    assert len(list(at_every_point(ledger, prepared))) > 1
    told = [set(by.values()) for one in made for by in recalled(ledger, one).values()]
    assert len(told) == len(made)
    assert all(len(meanings) == 1 for meanings in told), told


def test_of_a_column_of_too_many_values_only_refusals_told_elsewhere_are_known(ledger: Ledger) -> None:
    cells = ("Ann", "Ann", *(f"reason {place}" for place in range(55)))
    for answers in ({"Ann": "must_not"}, {"Ann": "must_not", OTHERS: "nothing"}):
        remember(ledger, sheet("SMS opt out reason", cells), answers)
        assert ledger.column_answers.all() == []
    remember(ledger, sheet("SMS opt out reason", ("yes", "reason 9", "reason 9")), {"reason 9": "must_not"})
    assert recalled(ledger, sheet("SMS opt out reason", cells)) == {
        "SMS opt out reason": {"reason 9": "must_not"}
    }


def test_an_answer_that_a_long_question_does_not_list_is_not_taken_back(ledger: Ledger) -> None:
    """It was not drawn, so nobody changed it; one that is asked about again was."""
    cells = ("moved", "moved", *(f"reason {place}" for place in range(55)))
    before = {"reason 9": "must_not", "moved": "may"}
    for answers in ({OTHERS: "nothing"}, {"moved": "nothing", OTHERS: "nothing"}, {}):
        forget_all(ledger)
        remember(ledger, sheet("SMS opt out reason", ("yes", *["reason 9", "moved"] * 2)), before)
        remember(ledger, sheet("SMS opt out reason", cells), answers, earlier=before)
        assert recalled(ledger, sheet("SMS opt out reason", cells)) == {
            "SMS opt out reason": {"reason 9": "must_not"}
        }


def test_a_sheet_without_a_header_is_not_remembered(ledger: Ledger) -> None:
    one = read_sheet(
        "\n".join(f"{phone},{cell}" for phone, cell in zip(PHONES, "YNYN", strict=False)).encode()
    )
    assert one.header_row is None
    remember(ledger, one, ANSWERS)
    assert ledger.column_answers.all() == []


def test_it_says_who_answered_last_and_when_and_is_forgotten(ledger: Ledger, clock: Clock) -> None:
    one, then = sheet("MKT_SUPP_IND", ("Y", "N", "")), clock()
    remember(ledger, one, ANSWERS)
    clock.advance(60)
    remember(ledger, one, ANSWERS | {"Y": "nothing"}, who="Ben")
    found = {answer.value: answer for answer in ledger.column_answers.all()}
    assert {value: (a.meaning, a.who, a.at) for value, a in found.items()} == {
        "": ("nothing", "Ann", then),
        "N": ("may", "Ann", then),
        "Y": ("nothing", "Ben", clock()),
    }
    assert ledger.lists.columns_for(one) is None
    before = ledger.audit.count()
    for _twice in range(2):
        ledger.column_answers.forget(found["Y"].key)
    assert ledger.audit.count() == before + 1
    assert recalled(ledger, one) == {"MKT_SUPP_IND": {"N": "may", "": "nothing"}}


def test_only_open_questions_are_answered_from_memory(ledger: Ledger) -> None:
    one = sheet("MKT_SUPP_IND", ("Y", "N", ""))
    remember(ledger, one, ANSWERS)
    guessed = guess_columns(one)
    answered = guessed.answered({"MKT_SUPP_IND": {"Y": "may"}})
    assert ledger.column_answers.recall(one, guessed, answered).answers["MKT_SUPP_IND"]["Y"] == "may"
    chosen = guessed.answered({"MKT_SUPP_IND": "refusal"})
    assert ledger.column_answers.recall(one, guessed, chosen) == chosen


def test_who_must_not_be_texted_is_not_where_a_column_looks_like_consent(ledger: Ledger) -> None:
    dated = sheet("SMS offers", ("2024-05-01", "2024-06-02", "x", ""))
    remember(ledger, dated, {DATE: "must_not", "x": "must_not", "": "may"})
    ticked = sheet("SMS offers", ("x", "x", "", ""))
    assert guess_columns(ticked).consents == ("SMS offers",)
    assert recalled(ledger, ticked) == {"SMS offers": {"x": "must_not", "": "may"}}
    forget_all(ledger)
    remember(ledger, dated, {DATE: "may", "x": "may", "": "must_not"})
    assert recalled(ledger, sheet("SMS offers", ("x", "yes", "no"))) == {}, "nothing speaks against them"
