"""The five steps of a new campaign, from the sheet to the button that names the number of messages."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from editor_reading import editor, type_text
from openpyxl import Workbook
from page_reading import button, words
from streamlit.testing.v1 import AppTest

from dashboard.app import runtime
from dashboard.app.drafts import Draft
from dashboard.app.runtime import Runtime

Open = Callable[..., AppTest]

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
def new(open_page: Open) -> Callable[..., AppTest]:
    def open_(name: str, content: bytes) -> AppTest:
        page = open_page("new")
        page.file_uploader[0].upload(name, content).run()
        assert not page.exception, page.exception
        return page

    return open_


def draft_of(page: AppTest, wired: Runtime) -> Draft:
    draft = wired.drafts.find(str(page.query_params["draft"]), "local")
    assert draft is not None
    return draft


def onward(page: AppTest) -> AppTest:
    button(page, "Continue").click().run()
    assert not page.exception, page.exception
    return page


def write(page: AppTest, wired: Runtime) -> AppTest:
    page.text_input(key=f"name-{draft_of(page, wired).id}").set_value("Spring sale").run()
    type_text(page, TEXT)
    assert not page.exception, page.exception
    return page


@pytest.fixture
def at_step(open_draft: Open) -> Callable[..., AppTest]:
    """The wizard at a step of a draft that has everything."""

    def open_(step: int, sheet: bytes = SHEET, **choices: object) -> AppTest:
        return open_draft(sheet, **{"step": step, "name": "Spring sale", "template": TEXT} | choices)

    return open_


def test_the_whole_way_ends_at_a_button_that_says_how_many(new: Open, wired: Runtime) -> None:
    page = new("contacts.csv", SHEET)
    assert "6 rows and 3 columns" in words(page)
    onward(page)
    assert page.multiselect[0].value == ["Mobile"]
    assert page.dataframe[0].value["Read as"].tolist() == ["First name", "Phone", ""]
    onward(page)
    verdicts = {metric.label: metric.value for metric in page.metric}
    assert verdicts["Ready to send"] == "3"
    assert verdicts["To fix"] == "2"
    assert verdicts["Duplicates"] == "1"
    write(onward(page), wired)
    assert "Hi Ann!" in words(page)
    assert "7 characters of 1,024 · 1 credit" in words(page)
    assert "€0.14" in words(page)
    onward(page)
    assert "Send 3 messages" in [one.label for one in page.button]
    assert "3 rows left out" in words(page)


def test_a_refusal_without_a_number_is_told_before_the_list_is_texted(at_step: Open) -> None:
    sheet = b"First name,Mobile,Notes\nAnn,07911 12,do not text\nBen,07911 123457,\n"
    note = "1 row refuses texts but has no readable number."
    assert note in words(at_step(3, sheet))
    assert note in words(at_step(5, sheet))


def test_a_corrected_phone_is_checked_again(new: Open, wired: Runtime) -> None:
    page = onward(onward(new("contacts.csv", SHEET)))
    draft = draft_of(page, wired)
    key = next(str(one.key) for one in page.data_editor)
    page.session_state[key] = {
        "edited_rows": {0: {"Phone": "07911 123454"}},
        "added_rows": [],
        "deleted_rows": [],
    }
    page.run()
    button(page, "Check these again").click().run()
    assert draft_of(page, wired).fixes == {5: "07911 123454"}
    assert {metric.label: metric.value for metric in page.metric}["Ready to send"] == "4"
    button(page, "Undo").click().run()
    assert draft_of(page, wired).fixes == {}
    assert draft.id == draft_of(page, wired).id


def test_of_every_table_to_edit_only_what_a_person_decides_can_be_edited(new: Open, wired: Runtime) -> None:
    sheet = (
        b"Name,Mobile,Approve\nAnn,07911 123456 ext 12,yes\nBen,nope,yes\nCleo,,yes\nDev,07911 123457,no\n"
    )
    page = onward(onward(new("contacts.csv", sheet)))
    for status, row in (("review", 2), ("invalid", 3), ("empty", 4)):
        page.segmented_control(key=f"fix-tab-{draft_of(page, wired).id}").set_value(status).run()
        (table,) = page.data_editor
        assert table.editing_mode == "fixed"
        settings = json.loads(table.proto.columns)
        editable = {
            name for name in ["_index", *table.value.columns] if not settings.get(name, {}).get("disabled")
        }
        assert editable == ({"Phone", "Approve"} if status == "review" else {"Phone"})
        # What an older page of this program may still send: a number of a row, a cell of the sheet.
        page.session_state[str(table.key)] = {
            "edited_rows": {0: {"_index": 99, "Name": "Eve", "Phone": f"07911 12345{row}"}},
            "added_rows": [],
            "deleted_rows": [],
        }
        page.run()
        assert not page.exception, page.exception
        button(page, "Check these again").click().run()
        assert draft_of(page, wired).fixes[row] == f"07911 12345{row}"


def test_an_edit_is_of_the_row_that_was_shown_whatever_is_looked_for(new: Open, wired: Runtime) -> None:
    sheet = b"Name,Mobile\nAnn,nope\nBen XY,nope\nCleo Y,nope\nDev X,nope\n"
    page = onward(onward(new("contacts.csv", sheet)))
    find = f"fix-find-invalid-{draft_of(page, wired).id}"
    keys = []
    for wanted, rows in (("x", [3, 5]), ("y", [3, 4]), ("", [2, 3, 4, 5])):
        page.text_input(key=find).set_value(wanted).run()
        assert page.data_editor[0].value.index.tolist() == rows
        keys.append(page.data_editor[0].key)
    assert len(set(keys)) == len(keys)


def test_a_list_from_another_country_is_put_right_by_one_click(new: Open, wired: Runtime) -> None:
    french = "Mobile\n" + "".join(f"06 12 34 5{n} 78\n" for n in range(9))
    page = onward(onward(new("clients.csv", french.encode())))
    assert "9 rows would be valid in France" in page.warning[0].value
    button(page, "Use France").click().run()
    assert not page.exception, page.exception
    assert {metric.label: metric.value for metric in page.metric}["Ready to send"] == "9"
    assert draft_of(page, wired).country == "FR"


def test_numbers_brought_from_one_other_country_are_put_right_by_one_click(new: Open, wired: Runtime) -> None:
    french = "".join(f"Fr{n},06 12 34 5{n} 78\n" for n in range(9))
    home = "".join(f"En{n},07911 123{n * 37 + 100}\n" for n in range(12))
    page = onward(onward(new("clients.csv", f"Name,Mobile\n{french}{home}Typo,07911 12\n".encode())))
    assert not page.warning  # most are from here
    button(page, "9 of these are valid in France: use them").click().run()
    assert not page.exception, page.exception
    assert draft_of(page, wired).fixes[2] == "+33612345078"
    assert draft_of(page, wired).country == "GB"
    assert {metric.label: metric.value for metric in page.metric}["Ready to send"] == "21"
    button(page, "Undo").click().run()
    assert draft_of(page, wired).fixes == {}


def test_the_ready_are_listed_with_the_message_of_each(new: Open, wired: Runtime) -> None:
    page = onward(onward(new("contacts.csv", SHEET)))
    tab = f"fix-tab-{draft_of(page, wired).id}"
    page.segmented_control(key=tab).set_value("ok").run()
    assert not page.exception, page.exception
    shown = page.dataframe[0].value
    assert "Message" not in shown
    assert "appears here once it is written" in words(page)
    draft = draft_of(page, wired)
    wired.drafts.save(draft.model_copy(update={"name": "Spring", "template": "Hi {{ First name | there }}!"}))
    page.run()
    with_texts = page.dataframe[0].value
    assert with_texts.index.tolist() == shown.index.tolist()
    assert with_texts["Number"].str.startswith("+44").all()
    assert with_texts["Message"].str.fullmatch(r"Hi [A-Z]\w+!").all()
    page.text_input(key=f"fix-find-ok-{draft.id}").set_value("ben").run()
    assert page.dataframe[0].value["Message"].tolist() == ["Hi Ben!"]


def test_whether_people_may_be_texted_is_asked_before_their_phones(new: Open, wired: Runtime) -> None:
    sheet = (
        b"Name,Mobile,SMS consent\nAnn,07911 123451 ext 12,yes\nBen,07911 123452,perhaps\n"
        b"Cy,nope,yes\nDev,07911 123453,perhaps\n"
    )
    page = onward(onward(new("contacts.csv", sheet)))
    assert page.segmented_control(key=f"fix-tab-{draft_of(page, wired).id}").value == "review"
    assert page.data_editor[0].value.index.tolist() == [3, 5, 2]


def test_rows_that_speak_of_refusing_are_left_to_a_person_with_the_column_to_read(
    new: Open, wired: Runtime
) -> None:
    sheet = (
        b"First name,Mobile,Remarks,Preferred contact\n"
        b"Ann,07911 123451,says zork may opt out,SMS\nBen,07911 123452,,Email\nCy,07911 123453,,SMS\n"
    )
    page = onward(onward(new("contacts.csv", sheet)))
    page.segmented_control(key=f"fix-tab-{draft_of(page, wired).id}").set_value("review").run()
    (table,) = page.data_editor
    wrong = table.value["What is wrong"].tolist()
    assert len(wrong) == len(["Ann", "Ben"])
    assert "mentions refusing texts" in wrong[0]
    assert wrong[0].endswith("Look in “Remarks”.")
    assert "prefers something other than texts" in wrong[1]
    button(page, "Approve all 2").click().run()
    assert {metric.label: metric.value for metric in page.metric}["Ready to send"] == "3"


def test_rows_left_out_are_filtered(new: Open) -> None:
    page = onward(onward(new("contacts.csv", SHEET)))
    keys = {str(one.key).split("-")[1]: one for one in (*page.text_input, *page.selectbox)}
    keys["problem"].set_value("landline").run()
    assert page.data_editor[0].value.index.tolist() == [6]
    keys["find"].set_value("Dev").run()
    assert "No row matches" in words(page)


def test_a_row_to_look_at_is_approved(new: Open, wired: Runtime) -> None:
    page = onward(onward(new("contacts.csv", b"Mobile\n07911 123456 ext 12\n")))
    assert {metric.label: metric.value for metric in page.metric}["To look at"] == "1"
    button(page, "Approve all 1").click().run()
    assert {metric.label: metric.value for metric in page.metric}["Ready to send"] == "1"
    assert draft_of(page, wired).approved == frozenset({2})


def test_a_reload_goes_on_where_it_was(new: Open, open_page: Open, wired: Runtime) -> None:
    first = write(onward(onward(onward(new("contacts.csv", SHEET)))), wired)
    draft = draft_of(first, wired)
    again = open_page("new", draft=draft.id)
    assert again.text_input(key=f"name-{draft.id}").value == "Spring sale"
    assert editor(again)["text"] == "Hi {{ First name | there }}!"
    assert "Hi Ann!" in words(again)
    assert "Message" in words(open_page("new"))  # listed under "Continue a draft", at this step


def test_a_draft_taken_up_from_the_list_is_named_by_the_address(wired: Runtime, open_page: Open) -> None:
    for name in ("Spring", "Autumn"):
        begun = wired.drafts.begin("local", "contacts.csv", io.BytesIO(SHEET))
        wired.drafts.save(begun.model_copy(update={"name": name, "step": 3, "country": "GB"}))
    page = open_page("new")
    button(page, "Spring").click().run()
    spring = draft_of(page, wired)
    assert spring.name == "Spring"
    onward(page)
    assert page.text_input(key=f"name-{spring.id}").value == "Spring"
    button(page, "Start another").click().run()
    assert "draft" not in page.query_params
    button(page, "Autumn").click().run()
    assert draft_of(page, wired).name == "Autumn"


def test_somebody_elses_draft_is_not_opened(open_page: Open, wired: Runtime) -> None:
    theirs = wired.drafts.begin("eve@example.com", "contacts.csv", io.BytesIO(SHEET))
    page = open_page("new", draft=theirs.id)
    assert "belongs to somebody else" in words(page)
    assert len(page.file_uploader) == 1


def send(page: AppTest) -> str:
    """Click Send and then the dialog's own button; returns the id of the campaign whose page follows."""
    page.button(key="send").click().run()
    page.button(key="send").click()
    page.button(key="confirm-send").click().run()
    assert not page.exception, page.exception
    assert page.title[0].value == "Spring sale"
    return str(page.query_params["id"])


def test_sending_leads_to_the_campaign_and_deletes_the_sheet(
    at_step: Open, open_page: Open, wired: Runtime
) -> None:
    page = at_step(5)
    draft = draft_of(page, wired)
    campaign = wired.ledger.campaign(send(page))
    assert (campaign.state, campaign.recipients, campaign.source) == ("running", 3, "contacts.csv")
    assert not wired.drafts.sheet(draft).exists()
    assert "Nothing is sent twice" in words(open_page("new", draft=draft.id))


def test_two_tabs_start_one_campaign(at_step: Open, open_page: Open, wired: Runtime) -> None:
    one = at_step(5)
    other = open_page("new", draft=draft_of(one, wired).id)
    other.button(key="send").click().run()
    campaign = send(one)
    other.button(key="send").click()
    other.button(key="confirm-send").click().run()
    assert "Nothing is sent twice" in words(other)
    assert wired.ledger.campaigns()["campaign"].tolist() == [campaign]


def test_after_a_crash_before_the_start_the_same_campaign_goes_on(
    at_step: Open, open_page: Open, wired: Runtime
) -> None:
    page = at_step(5)
    draft = draft_of(page, wired)
    campaign = send(page)
    wired.drafts.save(draft)  # as if the process had died before the draft was marked
    wired.drafts.sheet(draft).write_bytes(SHEET)
    assert send(open_page("new", draft=draft.id)) == campaign
    assert len(wired.ledger.campaigns()) == 1


def test_a_scheduled_campaign_waits_here(at_step: Open, wired: Runtime) -> None:
    page = at_step(5)
    page.segmented_control(key=f"when-{draft_of(page, wired).id}").set_value("later").run()
    assert not page.exception, page.exception
    assert "Schedule 3 messages" in [one.label for one in page.button]
    assert "UTC" in words(page)
    campaign = wired.ledger.campaign(send(page))
    assert campaign.state == "scheduled"
    assert wired.ledger.messages(campaign.campaign)["scheduled_at"].isna().all()


def test_the_editor_offers_every_column_and_counts_with_the_person_in_the_preview(
    at_step: Open,
) -> None:
    page = at_step(4, template="Hello from {{ City }}")
    assert "City" in editor(page)["fields"]
    assert editor(page)["cells"]["City"] == "Leeds"
    assert "Hello from Leeds" in words(page)
    page.number_input[0].set_value(2).run()
    assert f"Hello from {editor(page)['cells']['City']}" in words(page)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("photo.csv", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8, "photo.csv: "),
        ("empty.csv", b"", "empty"),
        ("blank.xlsx", None, "empty"),
        ("broken.xlsx", b"PK\x03\x04 not really", "broken.xlsx: "),
    ],
)
def test_a_file_that_is_no_sheet_is_refused_in_place(
    new: Open, name: str, content: bytes | None, sentence: str
) -> None:
    page = new(name, _blank_workbook() if content is None else content)
    assert sentence in page.error[0].value
    assert len(page.file_uploader) == 1  # and another one can be uploaded at once


def _blank_workbook() -> bytes:
    target = io.BytesIO()
    Workbook().save(target)
    return target.getvalue()


def test_without_a_phone_column_the_next_step_stays_shut(new: Open) -> None:
    page = onward(new("people.csv", b"Name,City\nAnn,Leeds\nBen,York\n"))
    assert "No column looks like phone numbers" in page.warning[0].value
    assert button(page, "Continue").disabled


def test_a_line_that_may_be_somebody_elses_is_named_and_not_chosen(new: Open) -> None:
    page = onward(new("pupils.csv", b"Pupil,Mobile - Mum\nAnn,07400 123456\nBen,07400 123457\n"))
    assert "“Mobile - Mum” looks like phone numbers, but may be somebody else’s." in page.warning[0].value
    assert button(page, "Continue").disabled


def test_with_nobody_to_send_to_the_next_step_stays_shut(new: Open) -> None:
    page = onward(onward(new("contacts.csv", b"Mobile\nnope\n020 7946 0000\n")))
    assert button(page, "Continue").disabled
    assert "No row can be texted" in words(page)


@pytest.mark.parametrize(
    ("text", "sentence", "why_not"),
    [
        ("Hi {{ Frist name }}!", "Did you mean {{ First name }}", "Correct the message."),
        ("Hi {{ First name", "not closed", "Correct the message."),
        ("Hi *|FNAME|*", "{{", "Correct the message."),
        ("x" * 1025, "longer than 1024 characters", "No message can be sent as written."),
    ],
)
def test_a_mistake_in_the_message_is_explained_beside_it(
    at_step: Open, wired: Runtime, text: str, sentence: str, why_not: str
) -> None:
    page = at_step(4, template=text)
    assert sentence in page.error[0].value
    assert draft_of(page, wired).template == text
    button(page, "Continue").click().run()
    assert draft_of(page, wired).step == 4
    assert why_not in page.error[-1].value


def test_the_same_text_for_the_same_people_is_warned_about(at_step: Open) -> None:
    send(at_step(5))
    again = at_step(5, file_name="other name.csv")
    assert "3 of these 3 people got, or will get, the same text" in words(again)
    assert any("“Spring sale”" in one.value for one in again.warning)
    changed = at_step(5, template="Something else")
    assert not [one for one in changed.warning if "same text" in one.value]


def test_a_campaign_above_a_cap_is_not_started(at_step: Open, wired: Runtime) -> None:
    runtime.use(replace(wired, given=wired.settings.model_copy(update={"credits_per_campaign": 2})))
    page = at_step(5)
    page.button(key="send").click().run()
    page.button(key="send").click()
    page.button(key="confirm-send").click().run()
    assert "a campaign may cost at most 2" in page.error[0].value
    assert wired.ledger.campaigns().empty


def test_the_columns_chosen_by_hand_are_what_fields_mean(new: Open, wired: Runtime) -> None:
    page = onward(new("contacts.csv", b"Mobile,A,B\n07911123451,Ann,Smith\n"))
    draft = draft_of(page, wired)
    page.selectbox(key=f"column-first_name-{draft.id}").set_value("A").run()
    onward(page)
    onward(page)
    type_text(page, "Hi {{ first name }}")
    assert "Hi Ann" in words(page)


def test_a_draft_is_deleted_after_a_question(wired: Runtime, open_page: Callable[..., AppTest]) -> None:
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


def test_the_columns_that_refuse_and_those_that_are_not_used_are_named(new: Open, wired: Runtime) -> None:
    sheet = (
        b"Mobile,Ring,SmsOptOut,Do not call,Newsletter\n"
        b"07911 123451,07911 123452,no,no,yes\n07911 123453,07911 123454,no,yes,yes\n"
        b"07911 123455,07911 123456,yes,no,no\n"
    )
    page = onward(new("contacts.csv", sheet))
    fields = {field.label: field.value for field in page.multiselect}
    assert fields["Phone columns"] == ["Mobile"]
    assert fields["Columns that say who opted out"] == ["SmsOptOut", "Do not call"]
    assert "Ring looks like phone numbers too, but may be somebody else’s, so it is not used." in words(page)
    assert "Newsletter says nothing about texts." in words(page)
    page.multiselect[0].set_value(["Mobile", "Ring"]).run()
    assert "looks like phone numbers too" not in words(page)
    assert draft_of(page, wired).columns is not None
    verdicts = {metric.label: metric.value for metric in onward(page).metric}
    assert verdicts["Ready to send"] == "1"


def test_columns_with_answers_that_are_questions_or_nothing_are_named(new: Open) -> None:
    sheet = b"Mobile,Refused,Paid,Joined\n07911 123451,,yes,2024-05-01\n07911 123453,yes,no,2024-05-02\n"
    page = onward(new("contacts.csv", sheet))
    assert "Refused was checked too: anyone who seems to refuse there waits for review" in words(page)
    assert "Paid, Joined hold yes and no, or dates, but nobody is left out because of them." in words(page)
    verdicts = {metric.label: metric.value for metric in onward(page).metric}
    assert (verdicts["Ready to send"], verdicts["To look at"]) == ("1", "1")
