"""The five steps of a new campaign, from the sheet to the button that names the number of messages."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest
from each import each
from editor_reading import editor, type_text
from openpyxl import Workbook
from page_reading import Open, button, words
from streamlit.testing.v1 import AppTest
from wizard_steps import ask_to_send, draft_of, figures, labelled, onward, started, stored

from dashboard.app.drafts import Draft
from dashboard.app.runtime import Runtime

SHEET = b"""First name,Mobile,City
Ann,07911 123451,Leeds
Ben,+44 7911 123452,York
Cleo,07911 123453,
Dev,nope,Hull
Eva,020 7946 0000,Hull
Ann again,07911123451,Leeds
,,
"""
TEXT = "Hi {{ First name | there }}!"


@pytest.fixture
def at_step(open_draft: Open) -> Open:
    """The wizard at a step of a draft that has everything."""

    def open_(step: int, sheet: bytes = SHEET, **choices: object) -> AppTest:
        return open_draft(sheet, **{"step": step, "name": "Spring sale", "template": TEXT} | choices)

    return open_


def show_tab(page: AppTest, wired: Runtime, status: str) -> None:
    page.segmented_control(key=f"fix-tab-{draft_of(wired).id}").set_value(status).run()


def edit_first_row(page: AppTest, **cells: object) -> None:
    """Type into the table's first row, and have it checked."""
    edits = {"edited_rows": {0: cells}, "added_rows": [], "deleted_rows": []}
    page.session_state[str(page.data_editor[0].key)] = edits
    page.run()
    button(page, "Check these again").click().run()


def test_the_whole_way_ends_at_a_button_that_says_how_many_and_a_reload_goes_on_where_it_was(
    open_page: Open, wired: Runtime
) -> None:
    page = open_page("new")
    page.file_uploader[0].upload("contacts.csv", SHEET).run()
    assert "6 rows and 3 columns" in words(page)
    onward(page)
    assert page.multiselect[0].value == ["Mobile"]
    assert page.dataframe[0].value["Read as"].tolist() == ["First name", "Phone", ""]
    verdicts = figures(onward(page))
    assert [verdicts[name] for name in ("Ready to send", "To fix", "Duplicates")] == ["3", "2", "1"]
    onward(page)
    draft = draft_of(wired)
    page.text_input(key=f"name-{draft.id}").set_value("Spring sale").run()
    type_text(page, TEXT)
    assert "7 characters of 1,024 · 1 credit" in words(page)
    assert "€0.14" in words(page)
    again = open_page("new", draft=draft.id)
    assert again.text_input(key=f"name-{draft.id}").value == "Spring sale"
    assert editor(again)["text"] == TEXT
    assert "Hi Ann!" in words(again)
    onward(again)
    assert "Send 3 messages" in [one.label for one in again.button]
    assert "3 rows left out" in words(again)


def test_a_refusal_without_a_number_is_told_before_the_list_is_texted(at_step: Open) -> None:
    sheet = b"First name,Mobile,Notes\nAnn,07911 12,do not text\nBen,07911 123457,\n"
    note = "1 row refuses texts but has no readable number."
    assert note in words(at_step(3, sheet))
    assert note in words(at_step(5, sheet))


def test_only_what_a_person_decides_can_be_edited_and_is_checked_again(at_step: Open, wired: Runtime) -> None:
    people = ("Ann,07911 123456 ext 12,a", "Ben,nope,b", "Cleo,,c", "Dev,07911 123457,d")
    page = at_step(3, "\n".join(["Name,Mobile,Approve", *people]).encode())
    for status, row in (("review", 2), ("invalid", 3), ("empty", 4)):
        show_tab(page, wired, status)
        (table,) = page.data_editor
        assert table.editing_mode == "fixed"
        settings = json.loads(table.proto.columns)
        editable = {
            name for name in ["_index", *table.value.columns] if not settings.get(name, {}).get("disabled")
        }
        assert editable == ({"Phone", "Approve"} if status == "review" else {"Phone"})
        # What an older page of this program may still send: a number of a row, a cell of the sheet.
        edit_first_row(page, _index=99, Name="Eve", Phone=f"07911 12345{row}")
        assert draft_of(wired).fixes[row] == f"07911 12345{row}"
    assert figures(page)["Ready to send"] == "4"
    button(page, "Undo").click().run()
    assert draft_of(wired).fixes == {}


def test_an_edit_is_of_the_row_that_was_shown_whatever_is_looked_for(at_step: Open, wired: Runtime) -> None:
    page = at_step(3, b"Name,Mobile\nAnn,nope\nBen XY,nope\nCleo Y,nope\nDev X,020 7946 0000\n")
    draft, keys = draft_of(wired), []
    for wanted, rows in (("x", [3, 5]), ("y", [3, 4]), ("", [2, 3, 4, 5])):
        page.text_input(key=f"fix-find-invalid-{draft.id}").set_value(wanted).run()
        assert page.data_editor[0].value.index.tolist() == rows
        keys.append(page.data_editor[0].key)
    assert len(set(keys)) == len(keys)
    next(one for one in page.selectbox if "-problem-" in str(one.key)).set_value("landline").run()
    assert page.data_editor[0].value.index.tolist() == [5]
    page.text_input(key=f"fix-find-invalid-{draft.id}").set_value("y").run()
    assert "No row matches" in words(page)


FRENCH = ["Name,Mobile", *(f"Fr{n},06 12 34 5{n} 78" for n in range(9))]


def test_numbers_from_another_country_are_put_right_by_one_click(at_step: Open, wired: Runtime) -> None:
    page = at_step(3, "\n".join(FRENCH).encode())
    assert "9 rows would be valid in France" in page.warning[0].value
    button(page, "Use France").click().run()
    assert figures(page)["Ready to send"] == "9"
    assert draft_of(wired).country == "FR"
    home = (f"En{n},07911 123{n * 37 + 100}" for n in range(12))
    page = at_step(3, "\n".join([*FRENCH, *home, "Typo,07911 12"]).encode())
    assert not page.warning  # most are from here
    button(page, "9 of these are valid in France: use them").click().run()
    assert figures(page)["Ready to send"] == "21"
    assert draft_of(wired).fixes[2] == "+33612345078"
    assert draft_of(wired).country == "GB"


def test_the_ready_are_listed_with_the_message_of_each(at_step: Open, wired: Runtime) -> None:
    page = at_step(3, template="")
    show_tab(page, wired, "ok")
    shown = page.dataframe[0].value
    assert "Message" not in shown
    assert "appears here once it is written" in words(page)
    wired.drafts.change(draft_of(wired).id, "local", template=TEXT)
    page.run()
    with_texts = page.dataframe[0].value
    assert with_texts.index.tolist() == shown.index.tolist()
    assert with_texts["Message"].tolist() == ["Hi Ann!", "Hi Ben!", "Hi Cleo!"]
    page.text_input(key=f"fix-find-ok-{draft_of(wired).id}").set_value("ben").run()
    assert page.dataframe[0].value["Message"].tolist() == ["Hi Ben!"]


def test_rows_that_speak_of_refusing_are_left_to_a_person_first_with_the_column_to_read(
    at_step: Open, wired: Runtime
) -> None:
    sheet = (
        b"First name,Mobile,Remarks,Preferred contact\nDev,07911 123454 ext 12,,SMS\n"
        b"Ann,07911 123451,says zork may opt out,SMS\nBen,07911 123452,,Email\nCy,nope,,SMS\n"
    )
    page = at_step(3, sheet)
    assert page.segmented_control(key=f"fix-tab-{draft_of(wired).id}").value == "review"
    table = page.data_editor[0].value
    assert table.index.tolist() == [3, 4, 2]  # whether they may be texted comes before their phones
    of_ann, of_ben, _of_dev = table["What is wrong"]
    assert "may mean no texts" in of_ann
    assert of_ann.endswith("Look in “Remarks”.")
    assert "prefers something other than texts" in of_ben
    assert button(page, "Approve all 1")


def test_a_draft_taken_up_from_the_list_is_named_by_the_address(
    wired: Runtime, save_draft: Callable[..., Draft], open_page: Open
) -> None:
    drafts = {name: save_draft(SHEET, name=name, step=4) for name in ("Spring", "Autumn")}
    theirs = wired.drafts.begin("eve@example.com", "contacts.csv", io.BytesIO(SHEET))
    page = open_page("new", draft=theirs.id)
    assert "belongs to somebody else" in words(page)
    assert len(page.file_uploader) == 1
    assert "Message" in words(page)  # the step of each draft in the list
    for name, draft in drafts.items():
        button(page, name).click().run()
        assert page.query_params["draft"] == draft.id
        assert page.text_input(key=f"name-{draft.id}").value == name
        button(page, "Start another").click().run()
        assert "draft" not in page.query_params


def test_a_draft_is_deleted_after_a_question(wired: Runtime, open_page: Open) -> None:
    for number in range(7):
        begun = wired.drafts.begin("local", f"sheet-{number}.csv", io.BytesIO(b"phone\n07911 068204\n"))
    page = open_page("new")
    assert "2 older drafts" in [one.label for one in page.expander]
    page.button(key=f"discard-{begun.id}").click().run()
    assert wired.drafts.find(begun.id, "local") is not None
    page.button(key=f"discard-{begun.id}").click()
    page.button(key="confirm-discard").click().run()
    assert wired.drafts.find(begun.id, "local") is None
    assert not wired.drafts.sheet(begun).exists()


def test_a_draft_becomes_one_campaign_whatever_is_clicked_in_another_tab_and_after_a_crash(
    at_step: Open, open_page: Open, wired: Runtime
) -> None:
    page = at_step(5)
    draft = draft_of(wired)
    other = open_page("new", draft=draft.id)
    other.button(key="send").click().run()
    ask_to_send(page)
    assert page.title[0].value == "Spring sale"
    campaign = wired.ledger.campaign(str(page.query_params["id"]))
    assert (campaign.state, campaign.recipients, campaign.source) == ("running", 3, "contacts.csv")
    assert not wired.drafts.sheet(draft).exists()
    other.button(key="send").click()
    other.button(key="confirm-send").click().run()
    assert "Nothing is sent twice" in words(other)
    wired.drafts.save(draft)  # as if the process had died before the draft was marked
    wired.drafts.sheet(draft).write_bytes(SHEET)
    assert "Nothing was sent twice" in started(draft)
    assert stored(wired, draft).campaign == campaign.campaign
    assert wired.ledger.campaigns()["campaign"].tolist() == [campaign.campaign]


def test_the_editor_offers_every_column_and_counts_with_the_person_in_the_preview(at_step: Open) -> None:
    page = at_step(4, template="Hello from {{ City }}")
    assert "City" in editor(page)["fields"]
    assert editor(page)["cells"]["City"] == "Leeds"
    assert "Hello from Leeds" in words(page)
    page.number_input[0].set_value(2).run()
    assert editor(page)["cells"]["City"] == "York"
    assert "Hello from York" in words(page)


def test_a_file_that_is_no_sheet_is_refused_in_place(open_page: Open) -> None:
    blank = io.BytesIO()
    Workbook().save(blank)
    page = open_page("new")
    for name, content, sentence in (
        ("photo.csv", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8, "photo.csv: "),
        ("empty.csv", b"", "empty"),
        ("blank.xlsx", blank.getvalue(), "empty"),
        ("broken.xlsx", b"PK\x03\x04 not really", "broken.xlsx: "),
    ):
        page.file_uploader[0].upload(name, content).run()
        assert sentence in page.error[0].value


@each(
    "step, sheet, said",
    [
        (2, b"Name,City\nAnn,Leeds\nBen,York\n", "No column looks like phone numbers"),
        (
            2,
            b"Pupil,Mobile - Mum\nAnn,07400 123456\nBen,07400 123457\n",
            "“Mobile - Mum” looks like phone numbers, but may be somebody else’s.",
        ),
        (3, b"Mobile\nnope\n020 7946 0000\n", "No row can be texted"),
    ],
)
def test_with_nobody_to_send_to_the_next_step_stays_shut(
    at_step: Open, step: int, sheet: bytes, said: str
) -> None:
    page = at_step(step, sheet)
    assert button(page, "Continue").disabled
    assert said in words(page)


def test_no_step_is_opened_before_those_that_lead_to_it(at_step: Open) -> None:
    page = at_step(2)
    for asked in ("review", "nowhere", ""):
        page.query_params["step"] = asked
        assert "What is in the columns" in words(page.run())
        assert [one.label for one in page.button if str(one.key).startswith("step-")] == ["Upload"]


def test_each_line_of_the_review_leads_back_to_where_it_was_decided(at_step: Open) -> None:
    page = at_step(5)
    for line, step in (
        *(("Change name", "message"), ("Change sheet", "upload"), ("Change recipients", "rows")),
        *(("Change sender", "message"), ("Change links", "message"), ("Change text", "message")),
    ):
        page.query_params["step"] = "review"
        button(page.run(), line).click().run()
        assert page.query_params["step"] in (step, [step]), line


def test_a_mistake_in_the_message_is_explained_beside_it(at_step: Open, wired: Runtime) -> None:
    page = at_step(4)
    for text, sentence, why_not in (
        ("Hi {{ Frist name }}!", "Did you mean {{ First name }}", "Correct the message."),
        ("Hi {{ First name", "not closed", "Correct the message."),
        ("Hi *|FNAME|*", "{{", "Correct the message."),
        ("x" * 1025, "longer than 1024 characters", "No message can be sent as written."),
    ):
        type_text(page, text)
        assert sentence in page.error[0].value
        assert draft_of(wired).template == text
        onward(page)
        assert draft_of(wired).step == 4
        assert why_not in page.error[-1].value


def test_the_same_text_for_the_same_people_is_warned_about(
    at_step: Open, save_draft: Callable[..., Draft], wired: Runtime
) -> None:
    started(save_draft(SHEET, name="Spring sale", template=TEXT))
    again = at_step(5, file_name="other name.csv")
    assert "3 of these 3 people got, or will get, the same text" in words(again)
    assert any("“Spring sale”" in one.value for one in again.warning)
    wired.drafts.change(draft_of(wired).id, "local", template="Something else")
    assert not [one for one in again.run().warning if "same text" in one.value]


def test_the_columns_chosen_by_hand_are_what_fields_mean(at_step: Open, wired: Runtime) -> None:
    page = at_step(2, b"Mobile,A,B\n07911123451,Ann,Smith\n", template="Hi {{ first name }}")
    page.selectbox(key=f"column-first_name-{draft_of(wired).id}").set_value("A").run()
    assert "Hi Ann" in words(onward(onward(page)))


def test_the_columns_that_refuse_and_those_that_are_not_used_are_named(at_step: Open) -> None:
    sheet = (
        b"Mobile,Ring,SmsOptOut,Do not call,Newsletter\n"
        b"07911 123451,07911 123452,no,no,yes\n07911 123453,07911 123454,no,yes,yes\n"
        b"07911 123455,07911 123456,yes,no,no\n"
    )
    page = at_step(2, sheet)
    fields = {field.label: field.value for field in page.multiselect}
    assert fields["Phone columns"] == ["Mobile"]
    roles = {name: labelled(page.selectbox, name).value for name in ("SmsOptOut", "Do not call")}
    assert roles == {"SmsOptOut": "refusal", "Do not call": "refusal"}
    assert "Ring looks like phone numbers too, but may be somebody else’s, so it is not used." in words(page)
    assert labelled(labelled(page.expander, "1 column says nothing").selectbox, "Newsletter").value
    page.multiselect[0].set_value(["Mobile", "Ring"]).run()
    assert "looks like phone numbers too" not in words(page)
    assert figures(onward(page))["Ready to send"] == "1"


def test_columns_that_ask_about_some_or_about_everyone_are_named(at_step: Open) -> None:
    page = at_step(2, b"Mobile,Refused,Paid,Joined\n07911 123451,,yes,2024-05-01\n07911 123453,yes,no,\n")
    assert labelled(page.selectbox, "Refused").value == "doubt"
    assert "2 columns may say who must not be texted." in words(page)
    verdicts = figures(onward(page))
    assert (verdicts["Ready to send"], verdicts["To look at"]) == ("0", "2")
