"""An approval answers what was asked about a row: what is asked later is asked, through the page's doors."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from itertools import product

import pytest
import xlsxwriter
from page_reading import Open, button, on_page, words
from streamlit.testing.v1 import AppTest
from tiers import only_deep
from wizard_steps import draft_of, figures, onward, started, stored

from dashboard.app import drafting
from dashboard.app.drafts import Columns, Draft
from dashboard.app.gathered import contacts_of
from dashboard.app.runtime import Runtime
from dashboard.contacts import ContactList
from dashboard.contacts.row_numbers import BLOCK

Save = Callable[..., Draft]
Choices = dict[str, object]
SHEET = b"""First name,Mobile,Work,Remarks,May we?
Ann,07911 123451 ext 12,07911 123461,,perhaps
Ben,07911 123452,07911 123462,may want to opt out,yes
Cy,07911 123453 ext 7,07911 123463,may want to opt out,yes
Dev,07911 123454,07911 123464,,yes
Eve,07911 123454,07911 123465,,yes
Fay,06 12 34 56 78 ext 5,06 12 34 56 79,,yes
"""
ONLY_MOBILE = Columns(phones=("Mobile",))
STATES: dict[str, list[Choices]] = {
    "columns": [
        {"columns": ONLY_MOBILE},
        {"columns": Columns(phones=("Mobile",), roles={"May we?": "consent"})},
        {"columns": Columns(phones=("Work", "Mobile"))},
    ],
    "country": [{}, {"country": "FR"}, {"country": "NL"}],
    "keep": [{}, {"keep": "warn"}],
    "fixes": [{}, {"fixes": {2: "07911 123451 ext 13", 3: "07911 123454"}}, {"fixes": {5: "07911 123452"}}],
}
BEGUN = {key: some[0] for key, some in STATES.items()}
ONE_CHANGED = [[BEGUN, BEGUN | {key: other}] for key, some in STATES.items() for other in some[1:]]
EVERY = [dict(zip(STATES, each, strict=True)) for each in product(*STATES.values())][::5]
TWIN = b"First name,Mobile,Remarks\nAnna,07911 123451,may want to opt out\nGus,07911 123471,\n"


def asked(contacts: ContactList) -> dict[int, tuple[object, ...]]:
    """What is asked about each row in review, in words: which number, all problems, where to look."""
    why = contacts.reasons().str.replace(r" The number is in the column “\w+”\.", "", regex=True)
    rows = contacts.rows.assign(why=why)
    rows = rows[rows["status"] == "review"]
    told = rows[["phone", "raw_phone", "problems", "why"]].astype("str").itertuples(index=False, name=None)
    return dict(zip(rows["row"], told, strict=True))


def held_and_asked(
    drafts: list[Draft],
) -> list[tuple[dict[int, str], dict[int, tuple[object, ...]], set[int]]]:
    """Of each draft: approvals of all rows in review, what is asked about them, and which rows are ready."""
    found = []
    for draft in drafts:
        contacts = contacts_of(draft)
        ready = set(contacts.sendable["row"])
        found.append((contacts.approvals(contacts.rows["row"]), asked(contacts), ready))
    return found


def ready_when(draft: Draft, approved: Mapping[int, str]) -> set[int]:
    return set(contacts_of(draft.model_copy(update={"approved": approved})).sendable["row"])


@pytest.mark.parametrize("states", [*ONE_CHANGED, *only_deep(EVERY)])
def test_an_approval_holds_for_what_was_asked_and_for_nothing_that_is_asked_later(
    save_draft: Save, states: list[dict[str, Choices]]
) -> None:
    """Columns, country, what is kept of duplicates and corrected phones, from each state to each other."""
    drafts = [
        save_draft(SHEET, **{name: value for one in state.values() for name, value in one.items()})
        for state in states
    ]

    def look() -> None:
        found = held_and_asked(drafts)
        for (approved, before, _ready), (draft, (_own, after, ready)) in product(
            found, zip(drafts, found, strict=True)
        ):
            same = {row for row, question in after.items() if before.get(row) == question}
            now = ready_when(draft, approved)
            assert now <= ready | same, (before, after)
            if before == after:
                assert now == ready | same

    on_page(look)


MIXED = b"""First name,Mobile,Remarks
Dev,07911 123454 ext 12,
Ann,07911 123451,says zork may opt out
Ben,07911 123452 ext 7,says zork may opt out
Cy,07911 123453 ext 9,
"""


def tick(page: AppTest, place: int) -> AppTest:
    """Tick a row of the table, which is not checked by that."""
    edits = {"edited_rows": {place: {"Approve": True}}, "added_rows": [], "deleted_rows": []}
    page.session_state[str(page.data_editor[0].key)] = edits
    return page.run()


def test_approve_all_answers_no_question_and_each_is_ticked_in_its_row(
    open_draft: Open, wired: Runtime
) -> None:
    page = open_draft(MIXED, step=3)
    assert page.data_editor[0].value.index.tolist() == [3, 4, 2, 5]
    assert "Nobody is ready yet." in words(page)
    assert "Choose among them" not in [one.label for one in page.expander]
    assert "Whether somebody may be texted is answered above, or approved row by row." in words(page)
    button(page, "Approve all 2").click().run()
    assert figures(page)["Ready to send"] == "2"
    assert "Choose among them" in [one.label for one in page.expander]
    assert "2 rows approved here" in words(page)
    assert draft_of(wired).approved.keys() == {2, 5}
    assert page.data_editor[0].value.index.tolist() == [3, 4]
    assert not [one for one in page.button if one.label.startswith("Approve all")]
    button(tick(page, 1), "Check these again").click().run()
    assert draft_of(wired).approved.keys() == {2, 4, 5}
    assert figures(page)["Ready to send"] == "3"


def test_continue_counts_what_was_typed_and_ticked(open_draft: Open, wired: Runtime) -> None:
    page = open_draft(MIXED + b"Eve,07400 123450,\nFay,nope,\n", step=3)
    draft = draft_of(wired)
    wired.drafts.change(draft.id, "local", typed={7: "07400 123451"})
    button(tick(page.run(), 0), "Continue").click().run()
    draft = draft_of(wired)
    assert (draft.step, draft.approved.keys(), draft.ticked, draft.typed) == (4, {3}, {}, {})
    assert on_page(lambda: contacts_of(draft)).count("ok") == 3


def test_whoever_must_not_be_texted_is_approved_no_longer(open_draft: Open, wired: Runtime) -> None:
    page = open_draft(MIXED, step=3)
    draft = draft_of(wired)
    approved = on_page(lambda: contacts_of(draft).approvals([2, 3]))
    wired.drafts.change(draft.id, "local", approved=approved)
    (question,) = [one for one in page.run().segmented_control if "question-" in str(one.key)]
    question.set_value("must_not").run()
    assert figures(page)["Opted out"] == "2"
    button(page, "Ask again").click().run()
    assert figures(page)["Ready to send"] == "1"
    assert stored(wired, draft).approved.keys() == {2}


def test_a_row_ticked_and_asked_something_else_before_the_click_is_not_approved(
    open_draft: Open, wired: Runtime
) -> None:
    page = open_draft(MIXED, step=3)
    draft = draft_of(wired)
    change = wired.drafts.change
    ticked = {2: "an earlier question", **on_page(lambda: contacts_of(draft).approvals([3]))}
    change(draft.id, "local", ticked=ticked)
    assert page.run().data_editor[0].value["Approve"].tolist() == [True, False, False, False]
    assert "1 correction is not checked yet." in words(page)
    button(page, "Check these again").click().run()
    assert draft_of(wired).approved == {3: ticked[3]}
    assert draft_of(wired).ticked == {}
    change(draft.id, "local", columns=Columns(phones=("Mobile",), roles={"First name": "consent"}))
    assert figures(page.run())["Ready to send"] == "0"
    assert "approved here" not in words(page)


def test_a_row_is_found_under_each_of_its_problems(open_draft: Open, wired: Runtime) -> None:
    page = open_draft(MIXED, step=3)
    problem = next(one for one in page.selectbox if "-problem-" in str(one.key))
    assert [option.rsplit(" ", 1)[1] for option in problem.options] == ["(3)", "(2)"]
    problem.set_value("extension_dropped").run()
    assert page.data_editor[0].value.index.tolist() == [4, 2, 5]
    of_ben = page.data_editor[0].value["What is wrong"].iloc[0]
    assert "may mean no texts" in of_ben
    assert "Look in “Remarks”." in of_ben
    assert "extension" in of_ben


def test_a_later_no_or_question_of_another_list_is_not_answered_by_an_approval(
    save_draft: Save, wired: Runtime
) -> None:
    draft = save_draft(SHEET, step=5, name="Spring", template="Hi!", columns=ONLY_MOBILE, approved={2, 3, 4})

    def texted() -> list[int]:
        return list(on_page(lambda: contacts_of(stored(wired, draft)).sendable["row"]))

    before = texted()
    assert {2, 3, 4} <= set(before)
    drafting.add_list(draft.id, "fair.csv", io.BytesIO(TWIN), leaves_out=False)
    assert texted() == [row for row in [*before, BLOCK + 3] if row != 2]
    wired.ledger.add_opt_outs(["+447911123452"])
    assert texted() == [row for row in [*before, BLOCK + 3] if row not in {2, 3}]
    wired.drafts.remove_list(draft, stored(wired, draft).lists[0])
    sent = wired.ledger.messages(started(stored(wired, draft)))["to"].tolist()
    assert "+447911123451" in sent
    assert "+447911123452" not in sent


def test_a_refusal_in_a_hidden_row_counts_whether_hidden_rows_are_used_or_not(
    open_page: Open, wired: Runtime
) -> None:
    content = io.BytesIO()
    with xlsxwriter.Workbook(content) as book:
        sheet = book.add_worksheet()
        rows = [
            ["Mobile", "Notes"],
            ["07911 123451", "do not text"],
            ["07911 123451", ""],
            ["07911 123452", ""],
        ]
        for place, cells in enumerate(rows):
            sheet.write_row(place, 0, cells)
        sheet.set_row(1, None, None, {"hidden": True})
    page = open_page("new")
    page.file_uploader[0].upload("contacts.xlsx", content.getvalue()).run()
    assert "Whoever refuses texts in a hidden row is not texted in either case." in words(page)
    page.checkbox[0].uncheck().run()
    assert not draft_of(wired).hidden_rows
    counts = figures(onward(onward(page)))
    assert (counts["Ready to send"], counts["Opted out"]) == ("1", "1")
