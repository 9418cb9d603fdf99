"""Everything that is said against texting a row is kept, with where it stands; no reason hides another."""

from __future__ import annotations

import pandas as pd
import pytest
from each import each
from hypothesis import given, settings
from hypothesis import strategies as st
from one_sheet import phones
from tiers import draws, only_deep

from dashboard.contacts import (
    ContactList,
    answer_questions,
    clean_contacts,
    correct_phones,
    guess_columns,
    join_contacts,
)
from dashboard.contacts.problems import QUESTIONS
from dashboard.contacts.read.sheet import Sheet, sheet_of_frame
from dashboard.errors import OptionError

DOUBTED = ["07400 123456 ext 5", "4.47400123456E+11", "07400 123456 (Ann)"]
ASKED = {
    "Notes": "may want to opt out",
    "SMS consent": "zork",
    "Wrong number": "yes",
    "Preferred contact": "email",
}
SAID = {"Notes": "do not text", "SMS consent": "no", "SMS opt out": "yes"}
SILENT = {
    "Notes": "",
    "SMS consent": "yes",
    "Wrong number": "",
    "Preferred contact": "SMS",
    "SMS opt out": "",
}
TWIN = "+44 7400 123456"


def people(*rows: dict[str, str]) -> pd.DataFrame:
    return pd.DataFrame([{"Mobile": "07400 223457", **SILENT, **row} for row in rows], dtype="str")


def cleaned(*rows: dict[str, str]) -> ContactList:
    return clean_contacts(people(*rows), country="GB")


@pytest.mark.parametrize("phone", [DOUBTED[0], *only_deep(*DOUBTED[1:])])
@each("column", ASKED)
def test_a_doubt_about_the_number_hides_no_question(phone: str, column: str) -> None:
    contacts = cleaned({"Mobile": phone, column: ASKED[column]}, {"Mobile": "07400 323458 ext 5"})
    question, doubt = contacts.rows["problems"][0].split("; ")
    assert contacts.rows["problem"][0] == question
    assert question in QUESTIONS
    assert doubt not in QUESTIONS
    assert f"“{column}”" in contacts.reasons()[0]
    assert contacts.approve().rows["status"].tolist() == ["review", "ok"]
    assert contacts.approve([2]).rows["status"].tolist() == ["ok", "review"]


ENTRIES = st.lists(
    st.fixed_dictionaries(
        {
            "Mobile": st.sampled_from(
                [*DOUBTED, TWIN, "07400 223457", "07400 223457 / 07400 123456", "n/a", "07400"]
            )
        },
        optional={name: st.sampled_from([*{ASKED.get(name, ""), SAID.get(name, "")}]) for name in SILENT},
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=draws(150, 12))
@given(ENTRIES, st.sampled_from(["first", "warn"]))
def test_the_status_follows_from_the_evidence(rows: list[dict[str, str]], keep: str) -> None:
    contacts = clean_contacts(people(*rows), country="GB", opt_outs=["07400 323458"], keep=keep)  # type: ignore[arg-type]
    evidence = contacts.evidence
    for row, status, problem, problems in contacts.rows[["row", "status", "problem", "problems"]].itertuples(
        index=False
    ):
        told = evidence[evidence["row"] == row]
        assert set(told["problem"]) == set(filter(None, problems.split("; ")))
        kinds = set(told["kind"])
        assert (status == "opted_out") == ("said" in kinds and status != "empty")
        assert (status == "ok") == (not kinds)
        assert problem in set(told["problem"]) or pd.isna(problem)
    for entry in evidence[evidence["column"] != ""].itertuples():
        assert entry.words == people(*rows)[entry.column][entry.source_row - 2]


@pytest.mark.parametrize("column", ["Notes", *only_deep("SMS consent", "SMS opt out")])
@each("door", ["corrected", "joined", "here"])
def test_a_refusal_is_an_entry_of_every_row_with_the_number(column: str, door: str) -> None:
    refuser, twin = {"Mobile": "07400 123456", column: SAID[column]}, {"Mobile": TWIN}
    if door == "joined":
        contacts = join_contacts({"A": cleaned(refuser), "B": cleaned(twin)})
    else:
        contacts = cleaned(refuser, twin)
    if door == "corrected":
        contacts = correct_phones(cleaned(refuser, {"Mobile": "07400 12"}), {3: TWIN})
    entries = contacts.evidence
    assert entries[["kind", "column", "words"]].drop_duplicates().to_numpy().tolist() == [
        ["said", column, SAID[column]]
    ]
    assert entries["row"].tolist() == contacts.rows["row"].tolist()
    assert entries["source_row"].tolist() == [2, 2]
    assert "of row 2" in contacts.reasons().tolist()[1]


@each("words", ["STOP", "do not text", "may want to opt out"])
def test_a_refusal_stays_when_its_cell_is_corrected(words: str) -> None:
    contacts = cleaned({"Mobile": f"07400 123456 {words}"}, {"Mobile": TWIN})
    before = contacts.rows["status"].tolist()
    assert "ok" not in before[:1]
    corrected = correct_phones(correct_phones(contacts, {2: "07400 323458"}), {2: "07400 423459"})
    assert corrected.rows["status"].tolist()[0] in {"review", "opted_out"}
    assert f"07400 123456 {words}" in set(corrected.evidence["words"])


def test_an_approval_answers_what_it_was_given_for() -> None:
    row = {"Mobile": "07400 123456 ext 5", "Notes": "may want to opt out"}
    contacts = cleaned(row)
    given_for = contacts.approvals([2])
    assert contacts.approve(given_for).count("ok") == 1
    later = [
        cleaned({**row, "Notes": "may want to opt out soon"}),
        cleaned({**row, "SMS consent": "zork"}),
        cleaned({**row, "Mobile": "07400 123456 ext 6"}),
        cleaned({**row, "Notes": ""}),
        cleaned(row, {"Mobile": TWIN, "Wrong number": "yes"}),
        clean_contacts(people({**row, "Zork": "?"}), country="GB", opt_outs=[TWIN]),
        correct_phones(contacts, {2: "07400 223457 ext 5"}),
    ]
    for changed in later:
        assert "ok" not in changed.approve(given_for).rows["status"].tolist()
        approved = changed.approve(changed.approvals(changed.rows["row"]))
        assert approved.count("review") == 0
    assert cleaned(row, {"Notes": "VIP"}).approve(given_for).count("ok") == 2
    assert contacts.approve({2: ""}).count("review") == contacts.approve([]).count("review") == 1


def hidden(frame: pd.DataFrame, *rows: int) -> Sheet:
    sheet = sheet_of_frame(frame)
    sheet = Sheet(name="", frame=sheet.frame, rows=sheet.rows, hidden_rows=frozenset(rows))
    return sheet.without_hidden_rows()


@each("column", [*SAID, *ASKED])
def test_rows_that_are_left_out_take_no_refusal_with_them(column: str) -> None:
    told = SAID.get(column) or ASKED[column]
    sheet = hidden(people({"Mobile": "07400 123456", column: told}, {"Mobile": TWIN}, {}), 2)
    contacts = clean_contacts(sheet, country="GB")
    assert contacts.rows["row"].tolist() == [3, 4]
    assert contacts.rows["status"].tolist() == ["opted_out" if column in SAID else "review", "ok"]
    assert contacts.evidence[["row", "source_row", "words"]].to_numpy().tolist() == [[3, 2, told]]
    joined = join_contacts({"A": clean_contacts(people({}), country="GB"), "B": contacts})
    assert joined.rows["status"].tolist()[1:] == [contacts.rows["status"][0], "duplicate"]
    again = correct_phones(contacts, {4: "07400 323458", 3: TWIN})
    assert again.rows["status"].tolist() == contacts.rows["status"].tolist()


def test_a_hidden_line_speaks_for_the_rows_below_it() -> None:
    frame = pd.DataFrame(
        {"Name": ["Ann", "Do not text:", "Bob"], "Mobile": ["07400 123456", "", "07400 223457"]}
    )
    contacts = clean_contacts(hidden(frame, 3), country="GB")
    assert contacts.rows["status"].tolist() == ["ok", "opted_out"]
    assert contacts.reasons()[1].endswith("Look in “Name” of row 3.")
    assert guess_columns(hidden(frame, 3)).full_name == "Name"


def test_a_question_is_asked_once_and_its_answer_holds_for_all() -> None:
    notes = [f"customer {place} may want to opt out" for place in range(40)] + ["VIP", "opted out perhaps?"]
    rows = [{"Mobile": phone, "Notes": note} for phone, note in zip(phones(42), notes, strict=True)]
    contacts = cleaned(*rows, {"SMS consent": "zork"})
    asked = contacts.questions.set_index("question")
    assert asked["rows"].to_dict() == {
        "refusal_noted | Notes | opt out": 40,
        "refusal_noted | Notes | opted out": 1,
        "consent_unclear | SMS consent | zork": 1,
    }
    first, second, third = asked.index
    may = answer_questions(contacts, {first: "may", "of another sheet": "may"})
    assert may.counts() | {"ok": 41, "review": 2} == may.counts()
    assert may.questions["question"].tolist() == [second, third]
    refused = answer_questions(may, {first: "must_not", third: "may"})
    assert refused.counts() | {"ok": 2, "review": 1, "opted_out": 40} == refused.counts()
    assert correct_phones(refused, {44: "07400 223458"}).counts() == refused.counts()
    twin = clean_contacts(people({"Mobile": rows[0]["Mobile"]}), country="GB")
    assert join_contacts({"A": refused, "B": twin}).count("opted_out") == 41
    joined = join_contacts({"A": contacts, "B": twin})
    assert answer_questions(joined, {first: "must_not"}).count("opted_out") == 0
    assert answer_questions(joined, {f"A | {first}": "must_not"}).count("opted_out") == 41
    with pytest.raises(OptionError, match="must_not"):
        answer_questions(contacts, {first: "yes"})


def test_a_line_and_a_file_are_asked_about_once() -> None:
    rows = [
        {"Name": "x = do not text", "Mobile": ""},
        *({"Name": "Ann", "Mobile": one} for one in phones(3)),
    ]
    contacts = clean_contacts(pd.DataFrame(rows), country="GB")
    assert contacts.questions["rows"].tolist() == [3]
    assert answer_questions(contacts, {contacts.questions["question"][0]: "may"}).count("ok") == 3
    named = Sheet(name="opt-outs.csv", frame=pd.DataFrame(rows[1:]), rows=pd.Series([2, 3, 4]))
    contacts = clean_contacts(named, country="GB")
    assert contacts.questions["rows"].tolist() == [3]
    assert answer_questions(contacts, {contacts.questions["question"][0]: "may"}).count("ok") == 3


def test_lists_are_asked_about_each_by_itself() -> None:
    """Also where the same row of both says the same, and a "may" of one list releases nobody of another."""
    line, found = {"Name": "x = do not text", "Mobile": ""}, phones(4)
    below = [[{"Name": "Ann", "Mobile": one} for one in some] for some in (found[:2], found[2:])]
    frames = zip("AB", (pd.DataFrame([line, *some]) for some in below), strict=True)
    lists = {name: clean_contacts(frame, country="GB") for name, frame in frames}
    joined = join_contacts(lists)
    asked = joined.questions
    assert (asked["line"].tolist(), asked["rows"].tolist()) == ([2, 2], [2, 2])
    once = answer_questions(joined, {asked["question"][1]: "may"})
    assert once.rows["status"].tolist() == ["empty", "review", "review", "empty", "ok", "ok"]
    assert answer_questions(once, dict.fromkeys(once.questions["question"], "may")).count("ok") == 4


@each("is_hidden", [False, True])
def test_what_a_row_waits_for_is_asked_wherever_it_stands(is_hidden: bool) -> None:
    """In a row that repeats the number, and in one that is left out."""
    frame = people({"Mobile": TWIN}, {"Mobile": TWIN, "Notes": "may want to opt out"})
    contacts = clean_contacts(hidden(frame, 3) if is_hidden else frame, country="GB")
    assert contacts.rows["status"].tolist()[0] == "review"
    assert len(contacts.questions) == 1
    assert answer_questions(contacts, {contacts.questions["question"][0]: "may"}).count("ok") == 1


def test_a_question_shows_what_it_releases() -> None:
    """A date is a value whichever day it was, and a sign or a figure is another one."""
    cells = ["2024-01-05", "2024-02-06", "1", "?"]
    frame = pd.DataFrame({"Mobile": phones(5), "Refused": [*cells, ""]})
    asked = clean_contacts(frame, country="GB").questions
    assert asked["rows"].tolist() == [2, 1, 1]
    released = answer_questions(clean_contacts(frame, country="GB"), {asked["question"][0]: "may"})
    assert released.rows["status"].tolist() == ["ok", "ok", "review", "review", "ok"]


def test_an_approval_moves_with_its_rows() -> None:
    row = {"Mobile": "07400 123456 ext 5", "Notes": "may want to opt out"}
    lists = {"A": cleaned({}), "B": cleaned(row), "C": cleaned({"Mobile": "07400 323458"})}
    given = join_contacts(lists).approvals([10_000_002])
    moved = join_contacts({"B": lists["B"], "C": lists["C"]}).approve({2: given[10_000_002]})
    assert moved.count("review") == 0


def test_a_value_that_only_a_hidden_row_has_is_asked_about_too() -> None:
    frame = pd.DataFrame({"Mobile": [TWIN, *phones(3), TWIN], "Zork": ["y", "n", "y", "n", "maybe"]})
    sheet = hidden(frame, 6)
    (question,) = guess_columns(sheet).questions
    assert question.counted == "y (2), n (2), maybe (1)"


def test_one_answer_or_approval_releases_nobody_of_whom_something_else_is_said() -> None:
    """Of one number, in hidden rows and in shown ones, and in a cell that is typed anew."""
    two = [{"Mobile": TWIN, "Notes": words} for words in ("may want to opt out", "dead?")]
    for contacts in (
        clean_contacts(hidden(people({"Mobile": TWIN}, *two), 3, 4), country="GB"),
        cleaned(*two),
    ):
        asked = contacts.questions["question"].tolist()
        assert len(asked) == 2
        assert all(answer_questions(contacts, {one: "may"}).count("ok") == 0 for one in asked)
        assert answer_questions(contacts, dict.fromkeys(asked, "may")).count("ok") == 1
    one = cleaned({"Mobile": TWIN}, two[0], {"Mobile": TWIN, "Notes": "VIP"})
    other = cleaned({"Mobile": TWIN}, two[0], {"Mobile": TWIN, "Notes": "dead?"})
    assert other.approve(one.approvals([2])).count("ok") == 0
    first = cleaned({"Mobile": "07400 123456 removed?"})
    answered = answer_questions(first, dict.fromkeys(first.questions["question"], "may"))
    assert correct_phones(answered, {2: "07400 223457 wrong number?"}).approve().count("ok") == 0


def test_a_question_says_how_many_rows_wait_for_it() -> None:
    """Those that have a number of the row that says so, as well."""
    many = [{"Mobile": one} for one in phones(20)]
    behind = [{"Mobile": one, "Notes": "may want to opt out"} for one in phones(20)]
    contacts = clean_contacts(hidden(people(*many, *behind), *range(22, 42)), country="GB")
    assert contacts.questions["rows"].tolist() == [20]
    frame = pd.DataFrame({"Mobile": ["020 7946 0018", TWIN], "Phone 2": ["", "020 7946 0018"]})
    contacts = clean_contacts(frame.assign(Notes=["may want to opt out", ""]), country="GB")
    assert contacts.rows["status"].tolist()[1] == "review"
    assert contacts.questions["rows"].tolist() == [1]


def test_a_preference_is_asked_once_whether_as_an_answer_or_as_a_remark() -> None:
    cells = [("07400 223457", "letter only"), ("07400 323458", "SMS (letter only)")]
    contacts = cleaned(*({"Mobile": phone, "Preferred contact": said} for phone, said in cells))
    assert contacts.rows["problems"].tolist() == ["other_channel_preferred", "refusal_noted"]
    assert len(contacts.questions) == len(cells)


def test_whoever_refuses_by_an_answer_and_reaches_nobody_is_counted() -> None:
    contacts = cleaned({"Mobile": "07400 18", "Notes": "may want to opt out"})
    refused = answer_questions(contacts, dict.fromkeys([*_all_questions(contacts)], "must_not"))
    assert (contacts.unreached, refused.unreached) == (0, 1)
    assert correct_phones(refused, {2: "07400 323458"}).unreached == 0
    hiding = clean_contacts(hidden(people({"Mobile": "n/a", "Notes": "STOP"}, {}), 2), country="GB")
    assert correct_phones(answer_questions(hiding, {}), {3: "07400 323458"}).unreached == 1


def _all_questions(contacts: ContactList) -> list[str]:
    """Also those for which no row waits, as its number is wrong."""
    return clean_contacts(contacts.fields.assign(Mobile=TWIN), country="GB").questions["question"].tolist()


def test_evidence_is_what_keeps_a_row_from_being_texted() -> None:
    contacts = cleaned({"Mobile": "07400 123456 ext 5"}, {"Mobile": "07400 323458 ext 5"})
    assert contacts.approve([2]).evidence["row"].tolist() == [3]
    own = pd.DataFrame({"Mobile": [TWIN], "Emergency contact phone": [TWIN], "SMS opt out": ["yes"]})
    refused = clean_contacts(own, country="GB")
    assert refused.rows["problems"].tolist() == ["opted_out"]
    with pytest.raises(OptionError, match="as a list"):
        contacts.approve(2)  # type: ignore[arg-type]
