"""What the ledger sums up by itself is what reports compute from its messages."""

from __future__ import annotations

from datetime import timedelta

from fixtures_ledger import ON_BOTH_DATABASES, Clock, accepted, claim, report, running
from pandas.testing import assert_frame_equal

from dashboard.ledger import Ledger
from dashboard.reports.measures.course import course

BORDERS = (timedelta(hours=1), timedelta(days=1))
AROUND = [border + timedelta(seconds=second) for border in BORDERS for second in range(-20, 21)]


@ON_BOTH_DATABASES
def test_the_course_has_the_same_spans_around_the_end_of_the_first_hour_and_day(
    ledger: Ledger, clock: Clock
) -> None:
    for seconds in (0, 7.3, 4 * 60 + 8.5):
        started = clock.advance(seconds)
        campaign = running(ledger, len(AROUND), batch_size=len(AROUND))
        got = claim(ledger, campaign, ledger.outbox.register(0))
        ledger.outbox.settle(got, accepted(got))
        moments = [(started + since).isoformat() for since in AROUND]
        ledger.record_reports(
            [report(one.uuid or "", sent_at=at) for one, at in zip(got.messages, moments, strict=True)]
        )
        computed = course(ledger.messages(campaign), campaigns=ledger.campaigns())
        summed = ledger.course(campaign).astype({"campaign": "str", "event": "str"})
        assert_frame_equal(computed, summed)
