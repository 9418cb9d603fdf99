"""What the rows leave open is asked once, above them, and an answer counts for all rows that wait for it."""

from __future__ import annotations

import io
from collections.abc import Iterable

import pytest
from one_sheet import phones
from page_reading import Open, button, on_page, words
from streamlit.testing.v1 import AppTest
from wizard_steps import draft_of, figures, stored

from dashboard.app import drafting
from dashboard.app.audience import DraftAudience
from dashboard.app.drafts import Draft
from dashboard.app.gathered import checked_of
from dashboard.app.runtime import Runtime

PHONES = phones(60)


def sheet(notes: Iterable[str], phones: Iterable[str] = PHONES) -> bytes:
    rows = [f"Ann,{phone},{note}" for phone, note in zip(phones, notes, strict=False)]
    return "\n".join(["First name,Mobile,Notes", *rows]).encode()


REMARKS = sheet([*(f"customer {number} may want to opt out" for number in range(40)), "VIP"])


@pytest.fixture
def at_rows(open_draft: Open) -> Open:
    """The wizard at the step in which rows are checked."""

    def open_(content: bytes, **choices: object) -> AppTest:
        return open_draft(content, **{"step": 3, "name": "Spring", "template": "Hi"} | choices)

    return open_


def asked(page: AppTest) -> dict[str, str | None]:
    """The questions on the page, each with its answer."""
    return {one.label: one.value for one in page.segmented_control if "question-" in str(one.key)}


def answer(page: AppTest, meaning: str | None, place: int = 0) -> AppTest:
    widgets = [one for one in page.segmented_control if "question-" in str(one.key)]
    widgets[place].set_value(meaning).run()
    return page


def counted(page: AppTest) -> dict[str, str]:
    """What the tiles count of rows that are ready, to look at and opted out."""
    shown = figures(page)
    return {name: shown[name] for name in ("Ready to send", "To look at", "Opted out")}


def toasts(page: AppTest) -> list[str]:
    return [one.value for one in page.toast]


def add(draft: Draft, name: str, content: bytes) -> None:
    on_page(lambda: drafting.add_list(draft.id, name, io.BytesIO(content), leaves_out=False))


def test_forty_remarks_are_one_question_and_its_answer_counts_for_all(
    at_rows: Open, open_page: Open, wired: Runtime
) -> None:
    page = at_rows(REMARKS)
    question = "“opt out” in “Notes”, as in “customer 0 may want to opt out”"
    assert asked(page) == {f"{question}: 40 rows wait": None}
    assert f"{question}: 40 rows wait" in words(page)
    assert button(page, "Ask again").disabled
    answer(page, "may")
    assert counted(page) == {"Ready to send": "41", "To look at": "0", "Opted out": "0"}
    assert toasts(page) == ["40 more rows are ready."]
    draft = draft_of(wired)
    assert asked(open_page("new", draft=draft.id)) == {question: "may"}  # after a reload
    assert toasts(page.run()) == []
    answer(page, "must_not")
    assert counted(page) == {"Ready to send": "1", "To look at": "0", "Opted out": "40"}
    assert toasts(page) == ["40 more rows are left out."]
    button(page, "Ask again").click().run()
    assert asked(page) == {f"{question}: 40 rows wait": None}
    assert counted(page) == {"Ready to send": "1", "To look at": "40", "Opted out": "0"}
    assert stored(wired, draft).answers == {}
    answer(answer(page, "may"), None)
    assert stored(wired, draft).answers == {}


def test_what_must_not_be_texted_is_left_out_in_every_list(at_rows: Open, wired: Runtime) -> None:
    page = at_rows(sheet(["may want to opt out", "VIP"]))
    draft = draft_of(wired)
    more = sheet(["VIP", "perhaps opt out?", ""], [PHONES[0], PHONES[2], PHONES[3]])
    add(draft, "fair.csv", more)
    shop, fair = asked(page.run())
    assert (shop, fair) == (
        "“opt out” in “Notes” of contacts.csv, as in “may want to opt out”: 1 row waits",
        "“opt out” in “Notes” of fair.csv, as in “perhaps opt out?”: 1 row waits",
    )
    answer(page, "must_not")
    assert counted(page) == {"Ready to send": "2", "To look at": "1", "Opted out": "2"}
    assert toasts(page) == ["2 more rows are left out."]
    answer(page, "may")
    assert counted(page) == {"Ready to send": "3", "To look at": "1", "Opted out": "0"}
    assert [*asked(page).values()] == ["may", None]  # each list is asked about by itself


LINE = b"First name,Mobile\nx = do not text,\n" + "".join(f"Ann,{one}\n" for one in PHONES[:3]).encode()


def test_a_line_is_asked_about_in_the_list_in_which_it_stands(at_rows: Open, wired: Runtime) -> None:
    page = at_rows(LINE)
    assert asked(page) == {"Row 2 says “x = do not text” of the rows below it: 3 rows wait": None}
    add(draft_of(wired), "fair.csv", LINE.replace(b"+4474", b"+4475"))
    first, second = asked(page.run())
    question = "Row 2 of fair.csv says “x = do not text” of the rows below it"
    assert second == f"{question}: 3 rows wait"
    answer(page, "may", 1)
    assert asked(page) == {first: None, question: "may"}
    assert counted(page) == {"Ready to send": "3", "To look at": "3", "Opted out": "0"}


def test_a_file_named_like_a_list_of_refusals_is_one_click(open_page: Open, wired: Runtime) -> None:
    begun = wired.drafts.begin("local", "opt-outs.csv", io.BytesIO(sheet([""] * 3)))
    draft = wired.drafts.save(begun.model_copy(update={"country": "GB", "step": 3}))
    page = open_page("new", draft=draft.id)
    question = "“opt-outs” (the file’s name or a title) may mean that people refused texts: 3 rows wait"
    assert asked(page) == {question: None}
    answer(page, "may")
    assert counted(page) == {"Ready to send": "3", "To look at": "0", "Opted out": "0"}


def test_where_nothing_is_asked_nothing_is_drawn(at_rows: Open) -> None:
    assert "Questions" not in words(at_rows(sheet(["VIP", ""])))


def test_six_questions_are_on_a_page_most_rows_first(at_rows: Open, wired: Runtime) -> None:
    answers = [f"zork{place}" for place in range(7) for _row in range(place + 1)]
    rows = [f"{one},{said}" for one, said in zip(PHONES, answers, strict=False)]
    page = at_rows("\n".join(["Mobile,SMS consent", *rows]).encode())
    questions = [f"“zork{place}” in “SMS consent”: {place + 1} rows wait" for place in (6, 5, 4, 3, 2, 1)]
    assert list(asked(page)) == questions
    page.session_state[f"questions-page-{draft_of(wired).id}"] = 2
    assert list(asked(page.run())) == ["“zork0” in “SMS consent”: 1 row waits"]


def test_an_answered_question_keeps_its_place_and_says_no_number(at_rows: Open) -> None:
    """Of rows with the same number only one waits."""
    numbers = [PHONES[0]] * 3 + PHONES[1:5]
    rows = [f"{one},{said}" for one, said in zip(numbers, ["zork"] * 4 + ["flub"] * 3, strict=True)]
    page = at_rows("\n".join(["Mobile,SMS consent", *rows]).encode())
    zork, flub = "“zork” in “SMS consent”", "“flub” in “SMS consent”"
    assert [*asked(page)] == [f"{zork}: 2 rows wait", f"{flub}: 3 rows wait"]
    assert [*asked(answer(page, "may", 0))] == [zork, f"{flub}: 3 rows wait"]
    assert asked(answer(page, "must_not", 1)) == {zork: "may", flub: "must_not"}


def test_blanks_and_dates_are_said_in_words(at_rows: Open) -> None:
    cells = ("yes", "", "zork", "2026-01-02", "2026-01-03")
    rows = [f"{one},{said}" for one, said in zip(PHONES, cells, strict=False)]
    found = list(asked(at_rows("\n".join(["Mobile,SMS consent", *rows]).encode())))
    assert found == [
        "“(a date)” in “SMS consent”, as in “2026-01-02”: 2 rows wait",
        "“(empty)” in “SMS consent”: 1 row waits",
        "“zork” in “SMS consent”: 1 row waits",
    ]


def test_the_toast_counts_rows_whoever_is_chosen_and_says_nothing_of_what_is_not_stored(
    at_rows: Open, wired: Runtime
) -> None:
    notes = [*(["may want to opt out"] * 5), *(["VIP"] * 5)]
    page = at_rows(sheet(notes), audience=DraftAudience(sample=3))
    answer(page, "may")
    assert toasts(page) == ["5 more rows are ready."]
    wired.drafts.change(draft_of(wired).id, "local", header_row=1)
    wired.drafts.change(draft_of(wired).id, "local", step=3)
    answer(page, "must_not")
    assert stored(wired, draft_of(wired)).answers == {}
    assert toasts(page) == []


def test_rows_of_which_something_else_is_said_are_not_released(at_rows: Open) -> None:
    page = at_rows(sheet(["may want to opt out"], ["07400 123456 ext 5"]))
    answer(page, "may")
    assert toasts(page) == ["No more rows are ready: something else is said of these."]
    assert counted(page) == {"Ready to send": "0", "To look at": "1", "Opted out": "0"}


def test_what_a_duplicate_says_is_asked_about_the_row_that_stays(at_rows: Open) -> None:
    page = at_rows(sheet(["", "may want to opt out"], PHONES[:1] * 2))
    assert list(asked(page)) == ["“opt out” in “Notes”, as in “may want to opt out”: 1 row waits"]
    assert counted(answer(page, "may"))["Ready to send"] == "1"
    assert counted(answer(page, "must_not"))["Opted out"] == "2"


def test_a_saved_list_keeps_its_answers_and_a_list_added_later_is_asked_about(
    at_rows: Open, wired: Runtime
) -> None:
    page = at_rows(sheet(["may want to opt out", "VIP"]))
    draft = draft_of(wired)
    approved = on_page(lambda: checked_of(draft).approvals([2]))
    answer(page, "must_not")
    wired.drafts.change(draft.id, "local", approved=approved)
    on_page(lambda: drafting.save_list(stored(wired, draft), "Shop"))
    (saved,) = wired.ledger.lists.all()["list"]
    assert wired.ledger.lists.contacts(saved).rows["status"].tolist() == ["opted_out", "ok"]
    other = at_rows(sheet(["perhaps opt out?"], PHONES[4:]))
    answer(other, "may")
    begun = draft_of(wired)
    on_page(lambda: drafting.add_saved_list(begun.id, saved, leaves_out=False))
    add(begun, "fair.csv", sheet(["may want to opt out"], PHONES[5:]))
    assert list(asked(other.run()).values()) == ["may", "must_not", None]
    assert counted(other) == {"Ready to send": "2", "To look at": "1", "Opted out": "1"}
