"""What one person may not start alone waits for another: on the pages, and whatever the pages show."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from app_seeds import british, phones
from page_reading import button, words
from streamlit.testing.v1 import AppTest
from test_audit_of_actions import run_on_page
from test_people import LOCKED, locked, seat_at, visit

from dashboard.app import actions, people, runtime
from dashboard.app.drafts import Columns, Draft
from dashboard.app.people import Person, Role
from dashboard.app.runtime import Runtime
from dashboard.campaigns import write_messages
from dashboard.errors import CampaignError, CampaignStateError, LedgerError
from dashboard.settings import load_settings

ADA, BOB, CEM, VIC = (f"{name}@example.com" for name in ("ada", "bob", "cem", "vic"))
LISTED = f"{ADA}=admin,{BOB}=sender,{CEM}=approver,{VIC}=viewer"


@pytest.fixture
def opened(wired: Runtime) -> Runtime:
    """People sign in, and nobody starts more than two messages alone."""
    settings = load_settings(**LOCKED, people=LISTED, sms_base_url=None, approve_above=2)
    return locked(wired, settings)


def act_as(monkeypatch: pytest.MonkeyPatch, who: str, role: Role = "sender") -> None:
    monkeypatch.setattr(people, "visitor", lambda: Person(who, role))


def prepared(opened: Runtime, messages: int = 3, **how: Any) -> str:
    texts = write_messages(british(phones(messages)), "Hi", campaign="Spring")
    return opened.ledger.create_campaign("Spring", texts, batch_size=1, **how)


def asked_by_bob(opened: Runtime) -> str:
    campaign = prepared(opened)
    assert not opened.ledger.approvals.start(campaign, who=BOB, above=2)
    return campaign


def page_for(opened: Runtime, campaign: str, who: str) -> AppTest:
    runtime.use(opened)
    page = visit(opened, seat=seat_at(opened, who).key)
    page.query_params["id"] = campaign
    page.switch_page("views/campaign.py").run()
    assert not page.exception, page.exception
    return page


@pytest.mark.parametrize("who", [BOB, VIC])
def test_who_may_not_approve_sees_that_it_waits(opened: Runtime, who: str) -> None:
    page = page_for(opened, asked_by_bob(opened), who)
    assert "Waits for an approval since" in words(page)
    assert "other than them can give it" in words(page)
    assert not {"Approve…", "Start…"} & {one.label for one in page.button}


@pytest.mark.parametrize("who", [ADA, CEM])
def test_somebody_else_approves_and_it_starts(opened: Runtime, who: str) -> None:
    campaign = asked_by_bob(opened)
    page = page_for(opened, campaign, who)
    button(page, "Approve…").click().run()
    assert "Asked for by bob" in words(page)
    button(page, "Approve it").click().run()
    assert opened.ledger.campaign(campaign).state in {"running", "done"}
    newest = opened.ledger.audit.entries().iloc[0]
    assert (newest["what"], newest["who"]) == ("approve", who)


def test_the_overview_names_it_to_whoever_looks(opened: Runtime) -> None:
    asked_by_bob(opened)
    for who in (BOB, CEM):
        assert "Waits for an approval." in words(visit(opened, "overview", seat=seat_at(opened, who).key))


def test_no_function_gets_round_it(opened: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a page that was drawn earlier, or a made-up message, would call."""
    runtime.use(opened)
    campaign = prepared(opened)
    for _ in range(2):
        act_as(monkeypatch, BOB)
        actions.start_prepared(campaign)
        assert opened.ledger.campaign(campaign).state == "draft"
    with pytest.raises(CampaignError):
        actions.move_campaign(campaign, datetime.now(UTC) + timedelta(seconds=30))
    with pytest.raises(CampaignStateError):
        actions.resume_campaign(campaign)
    with pytest.raises(people.NotAllowedError):
        actions.approve_campaign(campaign)
    for role in ("approver", "admin"):  # made one since
        act_as(monkeypatch, BOB, role)
        with pytest.raises(LedgerError):
            actions.approve_campaign(campaign)
    act_as(monkeypatch, VIC, "sender")
    actions.start_prepared(campaign)
    assert opened.ledger.campaign(campaign).state == "draft"
    act_as(monkeypatch, CEM, "approver")
    actions.approve_campaign(campaign)
    assert opened.ledger.campaign(campaign).state != "draft"


def draft_of_bob(opened: Runtime, **choices: object) -> Draft:
    rows = "\n".join(["Name,Mobile", *(f"A{end},+44791112{end}" for end in (3456, 8172, 5093, 9641, 2780))])
    begun = opened.drafts.begin(BOB, "five.csv", BytesIO(rows.encode()))
    fields = {
        "country": "GB",
        "step": 5,
        "name": "Spring",
        "template": "Hi",
        "columns": Columns(phones=("Mobile",)),
    }
    return opened.drafts.save(Draft.model_validate(dict(begun) | fields | choices))


def test_a_draft_becomes_a_campaign_that_waits(opened: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime.use(opened)
    act_as(monkeypatch, BOB)
    draft = draft_of_bob(opened)
    run_on_page(lambda: actions.start_campaign(draft))
    campaign = opened.ledger.campaigns()["campaign"].item()
    assert opened.ledger.campaign(campaign).state == "draft"
    assert opened.ledger.approvals.asked([campaign])[campaign].who == (BOB,)
    told = opened.ledger.audit.entries()
    assert told[["what", "who"]].to_numpy().tolist() == [["ask approval", BOB]]


def test_the_last_step_says_so_before(opened: Runtime) -> None:
    draft = draft_of_bob(opened)
    runtime.use(opened)
    page = visit(opened, seat=seat_at(opened, BOB).key)
    page.query_params["draft"] = draft.id
    page.query_params["step"] = "send"
    page.switch_page("views/new.py").run()
    assert not page.exception, page.exception
    assert "more messages than you may start alone" in words(page)


def test_test_messages_count_as_well(opened: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise everybody could be texted by tests."""
    runtime.use(opened)
    act_as(monkeypatch, BOB)
    draft = draft_of_bob(opened)
    texts = write_messages(british(["+447911000001"]), "Hi", campaign="Spring")
    for _ in range(2):
        actions.send_trial(draft, texts, 0, ["+447911000009"])
    with pytest.raises(CampaignError, match="Test messages count"):
        actions.send_trial(draft, texts, 0, ["+447911000009"])
    assert set(opened.ledger.campaigns()["state"]) <= {"running", "done", "cancelled"}
    assert (opened.ledger.campaigns()["state"] == "cancelled").sum() == 1


def test_who_works_alone_needs_nobody(wired: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    given = wired.given.model_copy(update={"approve_above": 2})
    alone = replace(wired, given=given)
    runtime.use(alone)
    act_as(monkeypatch, "local", "admin")
    campaign = prepared(alone)
    actions.start_prepared(campaign)
    assert alone.ledger.campaign(campaign).state != "draft"
