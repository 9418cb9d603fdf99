"""What was decided about a sheet holds for how it was read then: read otherwise, it is asked again."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
import xlsxwriter
from page_reading import Open, button, words
from streamlit.testing.v1 import AppTest
from wizard_steps import approve, draft_of, figures, labelled, onward, stored

from dashboard.app import draft_store, drafting
from dashboard.app.audience import DraftAudience, DraftCondition
from dashboard.app.draft_store import Drafts
from dashboard.app.drafts import DECIDED, STEPS, Columns, Draft
from dashboard.app.runtime import Runtime
from dashboard.contacts.row_numbers import BLOCK
from dashboard.errors import OutputError

SAID = "it is asked again. The message is kept."
TEXT = "Hi {{ First name | there }}!"
JANUARY = [["First name", "Mobile", "City"], ["Ann", "nope", "Leeds"], ["Ben", "07911 123452 ext 12", "York"]]
FEBRUARY = [
    ["First name", "Mobile", "Opted out"],
    ["Cleo", "nope", "yes"],
    ["Dev", "07911 123454 ext 12", ""],
    ["Eva", "07911 123455", "yes"],
]

READINGS: dict[str, object] = {
    "worksheet": "February",
    "encoding": "cp1252",
    "delimiter": ";",
    "header_row": 3,
    "hidden_rows": False,
}
DECISIONS: dict[str, object] = {
    "columns": Columns(phones=("Mobile",)),
    "columns_since": datetime(2026, 1, 1, tzinfo=UTC),
    "recalled": {"Notes": {"y": "may"}},
    "country": "FR",
    "fixes": {17: "+447911123451"},
    "answers": {"refusal_noted | Notes | opt out": "may"},
    "approved": {17: "f880825e6986c2db"},
    "typed": {18: "07911"},
    "ticked": {18: "0679d71cd1cb1d27"},
    "keep": "warn",
    "saved_list": "a" * 32,
    "audience": DraftAudience(conditions=(DraftCondition(column="City", values=("Leeds",)),), sample=5),
    "step": 5,
}
MESSAGE: dict[str, object] = {"name": "Spring", "template": TEXT, "sender": "Shop", "says_opt_out": False}


def workbook() -> bytes:
    content = io.BytesIO()
    with xlsxwriter.Workbook(content) as book:
        for name, rows in (("January", JANUARY), ("February", FEBRUARY)):
            sheet = book.add_worksheet(name)
            for place, cells in enumerate(rows):
                sheet.write_row(place, 0, cells)
    return content.getvalue()


def decided(kept_in: Drafts, **more: object) -> Draft:
    begun = kept_in.begin("local", "contacts.xlsx", io.BytesIO(workbook()))
    return kept_in.save(begun.model_copy(update=DECISIONS | MESSAGE | {"reached": 5} | more))


def left(draft: Draft) -> dict[str, object]:
    """What is still decided about rows."""
    fresh = Draft(id=draft.id, owner=draft.owner, created_at=draft.created_at)
    decisions = {field: getattr(draft, field) for field in {*DECISIONS, "reached"} - {"audience"}}
    decisions["audience"] = draft.audience.conditions
    return {
        field: value for field, value in decisions.items() if value and value != getattr(fresh, field, None)
    }


def test_read_otherwise_nothing_that_was_decided_about_rows_is_left_and_the_message_is(
    wired: Runtime,
) -> None:
    assert DECISIONS.keys() == DECIDED
    for field, value in READINGS.items():
        draft = decided(wired.drafts)
        assert left(draft).keys() == {*DECISIONS, "reached"}
        wired.drafts.change(draft.id, "local", **{field: getattr(draft, field)})
        assert stored(wired, draft) == draft  # the same again
        wired.drafts.change(draft.id, "local", **{field: value})
        now = stored(wired, draft)
        assert left(now) == {}
        assert {name: getattr(now, name) for name in MESSAGE} == MESSAGE
        assert now.audience.sample == 5
        for drawn_before in ("fixes", "approved", "typed", "columns", "step", "audience", "country", "keep"):
            drafting.change_draft(draft, **{drawn_before: DECISIONS[drawn_before]})
        assert left(stored(wired, draft)) == {}  # clicked in a tab that still showed the rows before
        drafting.change_draft(draft, template="Hello")
        assert stored(wired, draft).template == "Hello"
        again = wired.drafts.save(now.model_copy(update=DECISIONS))
        assert left(wired.drafts.replace_sheet(again, "b.csv", io.BytesIO(b"Phone\n1\n"))) == {}


def test_a_list_read_otherwise_loses_what_was_decided_about_its_rows_and_no_other_lists(
    wired: Runtime,
) -> None:
    kept_in = wired.drafts
    draft = decided(kept_in)
    for leaves_out in (True, False, False):
        kept_in.add_list(draft, "more.xlsx", io.BytesIO(workbook()), leaves_out=leaves_out)
    lists = stored(wired, draft).lists
    rows = {place * BLOCK + 17: f"0791112345{place}" for place in range(3)}
    now = stored(wired, draft).model_copy(
        update={**dict.fromkeys(("fixes", "typed", "approved", "ticked"), rows), "step": 5}
    )
    for place, one in enumerate(lists):
        kept_in.save(now)
        kept_in.change(one, "local", columns=Columns(phones=("Mobile",)), fixes={17: "1"}, approved={17: "a"})
        kept_in.change(one, "local", worksheet="February")
        found, after = kept_in.find(one, "local"), stored(wired, draft)
        assert found is not None
        assert left(found) == {}
        kept = {row: text for row, text in rows.items() if place == 0 or row // BLOCK != place}
        assert after.fixes == after.typed == after.approved == after.ticked == kept
        assert (after.step, after.furthest, after.columns) == (1, 1, now.columns)
    kept_in.save(now)
    kept_in.change(draft.id, "local", worksheet="February")
    assert sorted(stored(wired, draft).fixes) == [BLOCK + 17, 2 * BLOCK + 17]


def test_a_click_on_rows_of_a_list_that_another_tab_removed_decides_nothing(wired: Runtime) -> None:
    draft = decided(wired.drafts)
    for _list in range(2):
        wired.drafts.add_list(draft, "more.xlsx", io.BytesIO(workbook()))
    rows = {17: "a", BLOCK + 18: "b", 2 * BLOCK + 19: "c"}
    wired.drafts.change(draft.id, "local", approved=rows)
    drawn = stored(wired, draft)
    for _click in range(2):
        wired.drafts.remove_list(drawn, drawn.lists[0])
    assert stored(wired, draft).lists == drawn.lists[1:]
    assert stored(wired, draft).approved == {17: "a", BLOCK + 19: "c"}
    drafting.change_draft(drawn, lambda now: {"approved": now.approved | {BLOCK + 17: "d"}})
    assert stored(wired, draft).approved == {17: "a", BLOCK + 19: "c"}


@pytest.fixture
def january(open_page: Open, wired: Runtime) -> AppTest:
    """The wizard at its third step, with a row of January corrected and another approved."""
    page = open_page("new")
    page.file_uploader[0].upload("contacts.xlsx", workbook()).run()
    onward(onward(page))
    draft = draft_of(wired)
    approve(wired, draft, [3])
    wired.drafts.change(draft.id, "local", fixes={2: "07911 123451"}, **MESSAGE)
    assert figures(page.run())["Ready to send"] == "2"
    return onward(onward(page))


def test_another_worksheet_asks_for_its_own_columns_and_rows_in_every_tab(
    january: AppTest, open_page: Open, wired: Runtime
) -> None:
    draft = draft_of(wired)
    assert draft.step == 5
    other = open_page("new", draft=draft.id, step="rows")
    button(january, "Upload").click().run()
    assert SAID not in words(january)
    labelled(january.selectbox, "Worksheet").set_value("February").run()
    assert SAID in words(january)
    assert SAID not in words(january.run())
    assert not {one.key for one in january.button} & {
        f"step-{name}" for name in STEPS
    }  # none of them is open
    button(other, "Undo").click().run()  # a click on rows that are no more
    assert SAID in words(other)
    assert labelled(other.selectbox, "Worksheet").value == "February"
    for page in (january, open_page("new", draft=draft.id, step="review")):  # as the browser's Back leads
        assert "Worksheet" in [one.label for one in page.selectbox]
    onward(january)
    assert labelled(january.selectbox, "Opted out").value == "refusal"
    counts = figures(onward(january))
    assert [counts[name] for name in ("Ready to send", "To look at", "To fix", "Opted out")] == [
        "0",
        "1",
        "0",
        "2",
    ]
    assert stored(wired, draft).template == TEXT


def test_a_second_sheet_is_read_by_itself_and_a_message_typed_meanwhile_stays(
    january: AppTest, open_page: Open, wired: Runtime
) -> None:
    draft = draft_of(wired)
    button(january, "Upload").click().run()
    labelled(january.selectbox, "Worksheet").set_value("February").run()
    other = open_page("new", draft=draft.id)
    wired.drafts.change(draft.id, "local", template="Typed in another tab")
    labelled(other.file_uploader, "Use another sheet").upload(
        "b.csv", b"First name,Mobile\nAnn,07911 123451\n"
    ).run()
    now = stored(wired, draft)
    assert (now.worksheet, now.file_name, now.template) == (None, "b.csv", "Typed in another tab")
    assert "1 row and 2 columns" in words(other)


def test_a_sheet_that_cannot_be_stored_is_said_in_place_and_leaves_what_was_there(
    january: AppTest, open_page: Open, wired: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = draft_of(wired)

    @contextmanager
    def full(*_: object, **__: object) -> Iterator[Path]:
        raise OutputError("/srv/drafts cannot be written")
        yield Path()

    monkeypatch.setattr(draft_store, "whole", full)
    for page, label in (
        (open_page("new"), "Contact sheet"),
        (open_page("new", draft=draft.id, step="upload"), "Use another sheet"),
        (open_page("new", draft=draft.id, step="upload"), "A sheet"),
    ):
        labelled(page.file_uploader, label).upload("b.csv", b"Mobile\n07911 123451\n").run()
        assert "disk may be full" in page.error[0].value
        assert "/srv" not in words(page)
    assert wired.drafts.open_ones("local") == [draft]
    assert figures(open_page("new", draft=draft.id, step="rows"))["Ready to send"] == "2"
