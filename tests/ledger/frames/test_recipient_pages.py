"""A campaign's people page by page, and hours counted in the database: the same as from the whole frame."""

from __future__ import annotations

from datetime import timedelta

import pandas as pd
import pytest
from fixtures_ledger import Clock, claim, messages_frame, report, running, taken

from dashboard.ledger import Ledger
from dashboard.reports.measures.stages import stages


@pytest.fixture(scope="module")
def lived(lasting: tuple[Ledger, Clock]) -> tuple[Ledger, Clock, str]:
    """Twenty messages in batches of five, of every stage that they come to by themselves."""
    ledger, clock = lasting
    ledger.add_opt_outs(["+447400900002"])
    frame = messages_frame(20)
    frame.loc[[1, 18], "scheduled_at"] = clock() + timedelta(days=1)
    made = running(ledger, frame, batch_size=5)
    owner = ledger.outbox.register(1)
    got = taken(ledger, made, owner, credits_used=1)
    sent, failed, delivered, *_ = (message.uuid for message in got.messages if message.scheduled_at is None)
    ledger.record_reports(
        [
            report(sent, sent_at="2026-11-20T09:10:00.000000Z"),
            report(failed, sent_at="2026-11-20T09:14:59.999999Z", failure_reason="gone"),
            report(
                delivered, sent_at="2026-11-20T09:15:00.000000Z", delivered_at="2026-11-20T10:00:00.000000Z"
            ),
        ]
    )
    claim(ledger, made, owner)
    ledger.outbox.retire([1])
    ledger.add_opt_outs(["+447400900017"])
    return ledger, clock, made


def test_pages_one_after_the_other_are_all_messages(lived: tuple[Ledger, Clock, str]) -> None:
    ledger, _, campaign = lived
    whole, after, pages = ledger.messages(campaign), 0, []
    while len(page := ledger.recipients(campaign, after=after, limit=7)):
        pages += page[["to", "state"]].astype("str").to_numpy().tolist()
        after = page["place"].iloc[-1]
    assert pages == whole[["to", "state"]].astype("str").to_numpy().tolist()


def test_a_number_is_found_whole_or_by_its_digits(lived: tuple[Ledger, Clock, str]) -> None:
    ledger, _, campaign = lived
    assert ledger.recipients(campaign, numbers=["900013"])["to"].tolist() == ["+447400900013"]
    assert ledger.recipients(campaign, numbers=["900013"], stages=["delivered"]).empty
    several = ledger.recipients(campaign, numbers=["+447400900012", "+44740090001", "900013"])
    assert several["to"].tolist() == ["+447400900012", "+447400900013"]
    assert len(ledger.recipients(campaign, numbers=["+4474*"])) == 20
    for none in (["%"], ["+74*"], ["+900013*"], []):
        assert ledger.recipients(campaign, numbers=none).empty


def test_stages_are_chosen_as_they_are_told_everywhere(lived: tuple[Ledger, Clock, str]) -> None:
    ledger, clock, campaign = lived
    whole = ledger.messages(campaign)
    told = stages(whole, now=clock()).astype("str")
    wanted = {"not sent yet", "scheduled", "accepted", "sent", "failed", "delivered", "unknown", "dropped"}
    assert set(told) == wanted
    for asked in (*([stage] for stage in wanted), ["failed", "unknown"], pd.Series(["sent", "failed"])):
        found = ledger.recipients(campaign, stages=asked)["to"].tolist()
        assert found == whole["to"][told.isin(asked)].tolist(), asked
