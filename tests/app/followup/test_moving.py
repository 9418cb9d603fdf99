"""A campaign's page looks again by itself as long as anything can change, and shows one moment of it."""

from __future__ import annotations

import re
from dataclasses import replace

from app_seeds import started_campaign, unknown_campaign
from fixtures_ledger import ON_BOTH_DATABASES, accepted, claim, report, running
from page_reading import Open, words
from sqlalchemy import event

from dashboard.app import runtime
from dashboard.app.followup.head import is_moving
from dashboard.app.runtime import Runtime
from dashboard.ledger import Ledger
from dashboard.ledger.outbox.settle import Settlement

PEOPLE = 10
"""One batch."""

MANY = 30
"""More than the statements of a page that add up."""


def delivered(ledger: Ledger, campaign: str) -> None:
    at = "2026-03-01T10:00:00.000Z"
    report = {"status": "delivered", "credits_used": 1, "created_at": at, "sent_at": at, "delivered_at": at}
    ledger.record_reports([{"uuid": uuid, **report} for uuid in ledger.messages(campaign)["uuid"]])


def test_a_cancelled_campaign_moves_until_its_last_request_is_answered_and_reported(wired: Runtime) -> None:
    ledger = wired.ledger
    campaign = started_campaign(ledger, "Spring", PEOPLE)
    claimed = claim(ledger, campaign, ledger.outbox.register(1))
    ledger.cancel(campaign, "Stopped.")
    stopped = ledger.campaign(campaign)
    assert (stopped.sending, stopped.accepted) == (PEOPLE, 0)
    assert is_moving(stopped)
    delivered(ledger, campaign)
    assert ledger.campaign(campaign).sending == 0
    assert not is_moving(ledger.campaign(campaign))
    ledger.outbox.settle(claimed, Settlement("accepted", "accepted"))
    assert not is_moving(ledger.campaign(campaign))


def test_an_unknown_batch_may_be_settled_by_a_report(wired: Runtime) -> None:
    ledger = wired.ledger
    campaign = unknown_campaign(ledger)
    ledger.cancel(campaign, "Stopped.")
    assert ledger.campaign(campaign).unknown
    assert is_moving(ledger.campaign(campaign))
    delivered(ledger, campaign)
    assert not is_moving(ledger.campaign(campaign))


def test_a_campaign_that_waits_or_was_stopped_before_its_start_is_told_apart(wired: Runtime) -> None:
    campaign = started_campaign(wired.ledger, "Spring", PEOPLE)
    assert is_moving(wired.ledger.campaign(campaign))
    wired.ledger.pause(campaign, "Stopped.")
    assert is_moving(wired.ledger.campaign(campaign))
    wired.ledger.cancel(campaign, "Stopped.")
    assert not is_moving(wired.ledger.campaign(campaign))


@ON_BOTH_DATABASES
def test_what_a_page_shows_of_a_campaign_is_read_once_in_one_moment_whatever_is_written_meanwhile(
    wired: Runtime, ledger: Ledger, open_page: Open
) -> None:
    campaign = running(ledger, MANY, batch_size=MANY)
    got = claim(ledger, campaign, ledger.outbox.register(1))
    ledger.outbox.settle(got, accepted(got))
    coming = (report(uuid, delivered_at="2026-11-20T10:00:00Z") for uuid in ledger.messages(campaign)["uuid"])
    ledger.record_reports([next(coming)])
    runtime.use(replace(wired, ledger=ledger))
    asked = []

    def deliver(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if "tally" in statement:
            asked.append(statement)
            other.record_reports([next(coming)])

    page = open_page("campaign", id=campaign)
    with Ledger.open(ledger.database.url) as other:
        event.listen(ledger.database.engine, "after_cursor_execute", deliver)
        said = words(page.run())
        event.remove(ledger.database.engine, "after_cursor_execute", deliver)
    head, funnel = re.findall(r"Delivered\b.*?<b>(\d+)</b>", said)
    assert head == funnel == "1"
    assert 1 < ledger.campaign(campaign).delivered < MANY
    assert len(asked) == len(set(asked))
