"""News of messages that comes while people decide, cancel, opt out or restore: every count stays right."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from fixtures_ledger import Clock, accepted, claim, messages_frame, report, running
from interleaved import at_every_point

from dashboard.errors import DashboardError
from dashboard.ledger import Ledger
from dashboard.ledger.outbox.settle import Settlement

Step = Callable[[], object]
SIZE = 4

MEANWHILE: dict[str, Callable[[Ledger, str, str], object]] = {
    "an opt-out": lambda ledger, _campaign, phone: ledger.add_opt_outs([phone]),
    "sent again": lambda ledger, campaign, _: ledger.decide_all(campaign, "ready", "Ann", "no trace"),
    "given up": lambda ledger, campaign, _: ledger.decide_all(campaign, "abandoned", "Ann", "too late"),
    "cancelled": lambda ledger, campaign, _: ledger.cancel(campaign),
    "an older copy": lambda ledger, _campaign, _phone: ledger.distrust(opt_outs_kept=True),
    "a person forgotten": lambda ledger, _campaign, phone: ledger.forget_person(phone),
}


@pytest.fixture
def ledger_url(postgresql_url: str) -> str:
    """SQLite's writers take turns."""
    return postgresql_url


@pytest.mark.deep
@pytest.mark.parametrize("news", ["reports", "a late answer", "an answer", "not sent"])
@pytest.mark.parametrize("act", MEANWHILE)
def test_whatever_comes_between_every_count_is_right(
    ledger: Ledger, clock: Clock, act: str, news: str
) -> None:
    campaigns = list[str]()

    def prepared(number: int) -> tuple[Step, Step]:
        campaign = running(ledger, messages_frame(3 * SIZE, first=3 * SIZE * number), batch_size=SIZE)
        lost, away = (claim(ledger, campaign) for _ in range(2))
        ledger.outbox.settle(lost, Settlement("unknown", "unknown"))
        clock.advance(600)
        phone = (away if news in {"an answer", "not sent"} else lost).messages[1].to
        campaigns.append(campaign)
        uuids = [message.uuid or "" for message in lost.messages[:2]]
        steps: dict[str, Step] = {
            "reports": lambda: ledger.record_reports([report(uuid) for uuid in uuids]),
            "a late answer": lambda: ledger.outbox.settle(lost, accepted(lost, only=slice(0, 2))),
            "an answer": lambda: ledger.outbox.settle(away, accepted(away, only=slice(0, 2))),
            "not sent": lambda: ledger.outbox.settle(away, Settlement("not sent", "ready")),
        }
        return steps[news], lambda: _unless_refused(lambda: MEANWHILE[act](ledger, campaign, phone))

    points = list(at_every_point(ledger, prepared))
    assert len(points) > 4
    for campaign in campaigns:
        assert ledger.recount(campaign) == []
        ready = ledger.messages(campaign, states=["ready"])["to"].tolist()
        listed = set(ledger.opt_outs()["phone"])
        assert not listed.intersection(ready)


def _unless_refused(act: Step) -> None:
    with suppress(DashboardError):
        act()
