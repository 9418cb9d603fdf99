"""Every page, empty and filled, through main.py as a person opens it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from app_seeds import sent_campaign, started_campaign, unknown_campaign
from each import each
from page_reading import Open, button, go, words
from streamlit.testing.v1 import AppTest

from dashboard.app import runtime
from dashboard.app.runtime import Runtime
from dashboard.service import SmsService


@each(
    "view, title, invites",
    [
        ("overview", "Overview", "appear here once the first campaign is on its way"),
        ("campaigns", "Campaigns", "Campaigns appear here once you send one"),
        ("new", "New campaign", "Nothing is sent before the last step"),
        ("contacts", "Contacts", "Lists appear here once you save one"),
        ("optouts", "Opt-outs", "Numbers appear here once somebody opts out"),
        ("person", "Find a person", "It stays out of the page's address"),
        ("check", "Check a number", "live-number validation"),
        ("reports", "Delivery reports", "/webhooks/delivery-reports"),
        ("settings", "Settings", "Nobody has changed a setting yet"),
        ("texts", "Texts", "choose “Save to library”"),
    ],
)
def test_an_empty_page_says_what_will_appear(open_page: Open, view: str, title: str, invites: str) -> None:
    page = open_page(view)
    assert page.title[0].value == title
    assert invites in words(page)
    assert "no message leaves this machine" in words(page)


def listed(page: AppTest) -> list[str]:
    """The campaigns that are shown, without those of the menu beside them."""
    return [link.value for link in page.main.get("page_link") if "sale" in link.label]


def test_campaigns_are_found_by_name_and_state(open_page: Open, wired: Runtime) -> None:
    for name in ("Spring sale", "Autumn (sale)"):
        sent_campaign(wired.ledger, name)
    wired.ledger.cancel(sent_campaign(wired.ledger, "Winter sale"))
    page = open_page("campaigns")
    assert listed(page) == ["Winter sale", "Autumn (sale)", "Spring sale"]
    page.pills(key="campaigns-state").set_value(["cancelled"]).run()
    assert listed(page) == ["Winter sale"]
    page.text_input(key="campaigns-find").set_value("autumn (SALE").run()
    assert "No campaign matches" in words(page)
    page.pills(key="campaigns-state").set_value([]).run()
    assert listed(page) == ["Autumn (sale)"]


def test_what_is_unknown_is_said_in_the_list_of_campaigns(open_page: Open, wired: Runtime) -> None:
    unknown_campaign(wired.ledger, 3)
    assert "3 messages · 3 unknown" in words(open_page("campaigns"))


def test_a_campaigns_address_chooses_a_status_that_a_message_has(open_page: Open, wired: Runtime) -> None:
    campaign = sent_campaign(wired.ledger, delivered=8, failed=1, on_the_way=1)
    page = open_page("campaign", id=campaign, **{f"recipients-stage-{campaign}": "Cancelled"})
    assert page.title[0].value == "Spring sale"
    table = page.dataframe[0].value
    assert table["Status"].value_counts().to_dict() == {"Delivered": 8, "Failed": 1, "Sent": 1}
    page = open_page("campaign", id=campaign, **{f"recipients-stage-{campaign}": "Failed"})
    assert page.dataframe[-1].value["Status"].tolist() == ["Failed"]


def test_a_campaign_is_paused_and_resumed_and_cancelled_after_a_question(
    open_page: Open, wired: Runtime
) -> None:
    campaign = started_campaign(wired.ledger, "Spring sale", 4)
    page = open_page("campaign", id=campaign)
    button(page, "Pause").click().run()
    assert wired.ledger.campaign(campaign).state == "paused"
    assert "Paused by local." in words(page)
    assert "to look at" not in words(open_page("overview")), "whoever paused it knows"
    button(page, "Resume").click().run()
    button(page, "Cancel…").click().run()
    assert "4 messages** not yet handed over will never be sent" in words(page)
    assert wired.ledger.campaign(campaign).state == "running"
    page.button(key="confirm-cancel").click().run()
    assert wired.ledger.campaign(campaign).state == "cancelled"
    assert "Cancelled by local." in words(page)


def test_an_unknown_campaign_leads_back(open_page: Open) -> None:
    page = open_page("campaign", id="nonsense")
    assert page.title[0].value == "Campaign not found"
    assert "All campaigns" in [link.value for link in page.page_link]


def test_an_unknown_batch_asks_for_a_decision_with_a_reason(open_page: Open, wired: Runtime) -> None:
    campaign = unknown_campaign(wired.ledger)
    page = open_page("campaign", id=campaign)
    assert "can be sent again from" in words(page)
    found = {one.label: one.disabled for one in page.button}
    asked = {"They were sent": False, "Send them again": True, "Leave them": False}
    assert found | asked == found
    page.button(key=f"abandoned-all-{campaign}").click().run()
    assert page.button(key="confirm-decision").disabled


def test_a_number_is_read_by_us_and_by_the_service(open_page: Open) -> None:
    page = open_page("check")
    button(page, "Check").click().run()
    assert page.warning[0].value == "Enter a phone number."
    for typed, phone, kind, country in (
        ("07911 123456", "+447911123456", "Mobile", "Guernsey (GG)"),
        ("020 7946 0000", "+442079460000", "Landline", "United Kingdom (GB)"),
    ):
        page.text_input[0].set_value(typed)
        button(page, "Check").click().run()
        said = words(page)
        assert said.count(kind) == said.count(country) == 2
        assert phone in said
        assert ("Usually not" in said) == (kind == "Landline")
        assert not page.warning


def test_the_connection_test_tells_that_the_service_answers_or_that_the_key_is_wrong(
    open_page: Open, wired: Runtime
) -> None:
    page = open_page("settings")
    button(page, "Test the connection").click().run()
    assert "answers and accepts the key" in page.success[0].value
    assert wired.sandbox is not None
    with SmsService(wired.sandbox.base_url, "wrong") as refused:
        runtime.use(replace(wired, service=refused))
        button(page, "Test the connection").click().run()
    assert "Check the key" in page.error[0].value


def test_delivery_reports_are_taken_from_a_file(open_page: Open, wired: Runtime) -> None:
    campaign = sent_campaign(wired.ledger, delivered=0, failed=0, on_the_way=2)
    uuid = wired.ledger.messages(campaign)["uuid"].iloc[0]
    page = open_page("reports")
    at = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"
    line = f'{{"uuid": "{uuid}", "status": "delivered", "delivered_at": "{at}"}}'
    page.file_uploader[0].upload("reports.jsonl", line.encode()).run()
    assert "1 report added something new" in page.success[0].value
    assert not page.dataframe
    stranger = b'{"uuid": "00000000-0000-4000-8000-000000000001", "status": "sent"}'
    page.file_uploader[0].upload("reports.jsonl", stranger).run()
    assert page.dataframe[0].value["uuid"].tolist() == ["00000000-0000-4000-8000-000000000001"]
    assert wired.ledger.campaign(campaign).delivered == 1
    page.file_uploader[0].upload("reports.csv", b"name,phone\nAnn,1\n").run()
    assert "no column uuid" in page.error[0].value
    assert not page.success
    unread = f"uuid,status,credits_used,delivered_at\n{uuid},failed,9,20/11/2026 10:30\n"
    page.file_uploader[0].upload("reports.csv", unread.encode()).run()
    assert "1 report was not taken" in page.warning[0].value
    assert "20/11/2026 10:30" in page.warning[0].value
    assert "added nothing new" not in words(page)
    assert wired.ledger.messages(campaign).set_index("uuid").loc[uuid, "credits_billed"] != 9


def test_what_was_just_done_is_not_said_of_the_next_look_at_a_page(open_page: Open, wired: Runtime) -> None:
    page = open_page("reports")
    stranger = b'{"uuid": "00000000-0000-4000-8000-000000000001", "status": "sent"}'
    for leave in (page.run, partial(go, page, "texts")):
        page = go(page, "reports")
        page.file_uploader[0].upload("reports.jsonl", stranger).run()
        assert page.success
        leave()
        assert not go(page, "reports").success


def test_opt_outs_are_added_by_hand_listed_and_found(open_page: Open, wired: Runtime) -> None:
    wired.ledger.add_opt_outs(["+447911000001"], reason="STOP", source="Imported list")
    page = open_page("optouts")
    button(page, "Add numbers").click().run()
    button(page, "Add numbers").click()
    page.text_area[0].set_value("07911 123456\nnope").run()
    button(page, "Add numbers").click()
    button(page, "Add").click().run()
    assert sorted(wired.ledger.opt_outs()["phone"]) == ["+447911000001", "+447911123456"]
    assert "No valid number in 1 line: 2" in page.success[0].value
    page.text_input(key="optouts-find").set_value("123456").run()
    assert page.dataframe[0].value["phone"].tolist() == ["+447911123456"]
