"""What one person may not start alone waits for another: on the pages, and whatever the pages show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from app_seeds import british, prepared_campaign
from page_reading import button, words
from test_audit_of_actions import run_on_page
from test_people import locked, visit
from wizard_steps import started

from dashboard.app import actions, drafting, people, runtime, starting
from dashboard.app.drafts import Columns, Draft
from dashboard.app.people import Person, Role
from dashboard.app.runtime import Runtime
from dashboard.campaigns import write_messages
from dashboard.errors import CampaignError, CampaignStateError, LedgerError

ADA, BOB, CEM, VIC = (f"{name}@example.com" for name in ("ada", "bob", "cem", "vic"))
LISTED = f"{ADA}=admin,{BOB}=sender,{CEM}=approver,{VIC}=viewer"


@pytest.fixture
def opened(wired: Runtime) -> Runtime:
    """People sign in, and nobody starts more than two messages alone."""
    return locked(wired, people=LISTED, approve_above=2)


def act_as(monkeypatch: pytest.MonkeyPatch, who: str, role: Role = "sender") -> None:
    monkeypatch.setattr(people, "visitor", lambda: Person(who, role))


def test_who_may_not_approve_sees_that_it_waits_and_somebody_else_starts_it(opened: Runtime) -> None:
    campaign = prepared_campaign(opened.ledger)
    assert not opened.ledger.approvals.start(campaign, who=BOB, above=2)
    for who in (BOB, VIC):
        page = visit(opened, "campaign", who=who, query={"id": campaign})
        assert "Waiting for approval since" in words(page)
        assert "can give it, but not whoever asked for it" in words(page)
        assert not {"Approve…", "Start…"} & {one.label for one in page.button}
    for who in (BOB, CEM):
        assert "Waiting for approval." in words(visit(opened, "overview", who=who))
    page = visit(opened, "campaign", who=CEM, query={"id": campaign})
    button(page, "Approve…").click().run()
    assert "Asked for by bob" in words(page)
    button(page, "Approve it").click().run()
    assert opened.ledger.campaign(campaign).state in {"running", "done"}
    newest = opened.ledger.audit.entries().iloc[0]
    assert (newest["what"], newest["who"]) == ("approve", CEM)


def test_no_function_gets_round_it(opened: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a page that was drawn earlier, or a made-up message, would call."""
    runtime.use(opened)
    campaign = prepared_campaign(opened.ledger)
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


def test_whichever_way_it_starts_nobody_is_texted_more_often_than_the_cap_allows(
    wired: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = locked(wired, people=LISTED, approve_above=2, texts_per_person=1)
    runtime.use(opened)
    other, campaign = (prepared_campaign(opened.ledger) for _ in range(2))
    opened.ledger.start(other)
    opened.ledger.approvals.start(campaign, who=BOB, above=2)
    act_as(monkeypatch, CEM, "approver")
    for start in (actions.start_prepared, actions.approve_campaign):
        with pytest.raises(CampaignError, match="more texts than the cap"):
            start(campaign)
    now = datetime.now(UTC)
    opened.ledger.schedule(campaign, now + timedelta(days=60))
    with pytest.raises(CampaignError, match="more texts than the cap"):
        actions.move_campaign(campaign, now + timedelta(hours=1))


@pytest.fixture
def draft_of_bob(save_draft: Callable[..., Draft]) -> Draft:
    ends = (3456, 8172, 5093, 9641, 2780)
    rows = "\n".join(["Name,Mobile", *(f"A{end},+44791112{end}" for end in ends)])
    columns = Columns(phones=("Mobile",))
    return save_draft(rows.encode(), owner=BOB, step=5, name="Spring", template="Hi", columns=columns)


def test_a_draft_becomes_a_campaign_that_waits_and_the_last_step_says_so_before(
    opened: Runtime, draft_of_bob: Draft, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit(opened, "new", who=BOB, query={"draft": draft_of_bob.id, "step": "send"})
    assert "more messages than you may start alone" in words(page)
    act_as(monkeypatch, BOB)
    run_on_page(lambda: starting.start_campaign(draft_of_bob))
    campaign = opened.ledger.campaigns()["campaign"].item()
    assert opened.ledger.campaign(campaign).state == "draft"
    assert opened.ledger.approvals.asked([campaign])[campaign].who == (BOB,)
    told = opened.ledger.audit.entries()
    assert told.loc[told["about"] == campaign, ["what", "who"]].values.tolist() == [["ask approval", BOB]]
    page = visit(opened, "campaign", who=BOB, query={"id": campaign})
    assert "To change it, cancel it" in words(page)
    button(page, "Cancel…").click().run()
    page.button(key="confirm-cancel").click().run()
    assert opened.ledger.campaign(campaign).state == "cancelled"
    assert button(page, "Use again")
    run_on_page(lambda: drafting.use_texts(campaign))
    (anew,) = opened.drafts.open_ones(BOB)
    assert (anew.name, anew.template) == ("Spring", "Hi")
    assert "Nothing was sent twice" in started(draft_of_bob)


def test_test_messages_count_as_well(
    opened: Runtime, draft_of_bob: Draft, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise everybody could be texted by tests."""
    runtime.use(opened)
    act_as(monkeypatch, BOB)
    texts = write_messages(british(["+447911000001"]), "Hi", campaign="Spring")
    for _ in range(2):
        starting.send_trial(draft_of_bob, texts, 0, ["+447911000009"])
    with pytest.raises(CampaignError, match="Test messages count"):
        starting.send_trial(draft_of_bob, texts, 0, ["+447911000009"])
    assert set(opened.ledger.campaigns()["state"]) <= {"running", "done"}
    assert len(opened.ledger.campaigns()) == 2


def test_who_works_alone_needs_nobody(wired: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    given = wired.given.model_copy(update={"approve_above": 2})
    alone = replace(wired, given=given)
    runtime.use(alone)
    act_as(monkeypatch, "local", "admin")
    campaign = prepared_campaign(alone.ledger)
    actions.start_prepared(campaign)
    assert alone.ledger.campaign(campaign).state != "draft"
