"""Campaigns that are over are counted in few rows, and nothing that can be read of them changes."""

from __future__ import annotations

import pandas as pd
from fixtures_ledger import Clock, accepted, claim, report, running, taken
from pandas.testing import assert_frame_equal
from sqlalchemy import func, select

from dashboard.ledger import Ledger
from dashboard.ledger.outbox.settle import Settlement
from dashboard.ledger.tallies.tables import ROLLED_UP, course, tally

AT = "2026-11-20T09:00:05Z"


def read(ledger: Ledger, campaign: str) -> list[pd.DataFrame]:
    """What is added up of a campaign, in an order of its own."""
    frames = (ledger.counts(campaign), ledger.course(campaign), ledger.campaigns(), ledger.batches())
    return [frame.sort_values(list(frame.columns)).reset_index(drop=True) for frame in frames]


def rows(ledger: Ledger) -> int:
    with ledger.database.read() as connection:
        tables = (select(func.count()).select_from(table) for table in (tally, course))
        return sum(connection.execute(query).scalar_one() for query in tables)


def test_a_campaign_that_is_over_has_few_rows_and_the_same_figures(ledger: Ledger, clock: Clock) -> None:
    campaign = running(ledger, 12, batch_size=2)
    for _batch in range(5):
        taken(ledger, campaign, credits_used=1, sent_at=AT)
    lost = claim(ledger, campaign)
    ledger.outbox.settle(lost, Settlement("unknown", "unknown", None, "timeout"))
    uuids = ledger.messages(campaign)["uuid"].tolist()
    ledger.record_reports([report(one, failure_reason="blocked") for one in uuids[:2]])
    ledger.outbox.finish()
    clock.advance(86_400)
    assert ledger.roll_up() == 0, "over for a day, and no more"
    clock.advance(1)
    before, many = read(ledger, campaign), rows(ledger)
    assert ledger.roll_up() == 1
    for one, other in zip(before, read(ledger, campaign), strict=True):
        assert_frame_equal(one, other)
    assert rows(ledger) < many / 2
    assert (ledger.recount(campaign), ledger.roll_up()) == ([], 0)


def test_what_comes_later_is_added_to_what_was_rolled_up(ledger: Ledger, clock: Clock) -> None:
    """Such as a batch that was taken in part, which a person has sent again: it is refused, and halved."""
    campaign = running(ledger, 10, batch_size=4)
    got, lost = (claim(ledger, campaign) for _batch in range(2))
    ledger.outbox.settle(got, accepted(got))
    ledger.outbox.settle(lost, accepted(lost, only=slice(1), credits_used=2))
    taken(ledger, campaign)
    ledger.outbox.finish()
    clock.advance(90_000)
    ledger.roll_up()
    ledger.record_reports([report(ledger.messages(campaign)["uuid"][0], delivered_at=AT, credits_used=2)])
    ledger.decide(lost.batch_id, "ready", "Ann", "why")
    again = claim(ledger, campaign)
    ledger.outbox.settle(again, Settlement("too large", "split", 413))
    batches = ledger.batches(campaign)
    of_both = batches[(batches["batch"] == lost.batch_id) | (batches["parent"] == lost.batch_id)]
    figures = of_both.sort_values("batch")[["state", "accepted", "credits_billed"]].to_numpy().tolist()
    assert figures == [["split", 1, 0], ["ready", 1, 2], ["ready", 0, 0]], "only the halves have the bill"
    for _half in range(2):
        taken(ledger, campaign)
    ledger.outbox.finish()
    clock.advance(90_000)
    for _rolled_up in (False, True):
        found = ledger.counts(campaign).groupby("stage", observed=True)["messages"].sum().to_dict()
        assert found == {"accepted": 9, "delivered": 1}
        assert (ledger.course(campaign)["messages"].tolist(), ledger.recount(campaign)) == ([1, 1], [])
        ledger.roll_up()
    with ledger.database.read() as connection:
        kept = connection.execute(select(tally.c.batch_id, func.sum(tally.c.messages)).group_by("batch_id"))
    assert [tuple(row) for row in kept] == [(ROLLED_UP, 10)]
