"""News of messages that comes while people decide, cancel, opt out, restore or forget.

Every count stays right, and nothing of the forgotten is brought back, in whatever order.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import product
from uuid import uuid4

import pytest
from fixtures_ledger import Clock, accepted, claim, messages_frame, report, running
from interleaved import at_every_point

from dashboard.errors import DashboardError
from dashboard.ledger import Ledger
from dashboard.ledger.outbox.settle import Settlement

Step = Callable[[], object]
SIZE = 4
SAID = {"body": "Hello Ann", "contact": {"uuid": "c1"}, "colour": "blue"}
DELIVERED = "2026-11-20T09:30:00.000000Z"
PERSONAL = ["sent_body", "contact_uuid", "extra"]
OTHERS = [one for one in product([False, True], repeat=3) if one != (False, False, True)]

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
def test_whatever_comes_between_counts_are_right(ledger: Ledger, clock: Clock, act: str, news: str) -> None:
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


def ended(ledger: Ledger, clock: Clock, number: int, *, late: bool) -> tuple[str, str, Step]:
    """A campaign that is over, a number of it, and news of all its messages.

    With `late` these are the answer to a request that was given up, else a report.
    """
    campaign = running(ledger, messages_frame(3, first=10 * number), batch_size=3)
    got = claim(ledger, campaign, ledger.outbox.register(1))
    if late:
        ledger.outbox.settle(got, Settlement("unknown", "unknown"))
        ledger.decide_all(campaign, "abandoned", "Ann", "too late")
    else:
        ledger.outbox.settle(got, accepted(got, **SAID))
    ledger.outbox.finish()
    assert ledger.campaign(campaign).state == "done"
    clock.advance(60)
    uuids = [message.uuid or "" for message in got.messages]

    def news() -> object:
        if late:
            return ledger.outbox.settle(got, accepted(got, **SAID, delivered_at=DELIVERED))
        return ledger.record_reports([report(uuid, delivered_at=DELIVERED, **SAID) for uuid in uuids])

    return campaign, got.messages[1].to, news


@pytest.mark.parametrize("news_first", [True, False])
def test_a_report_about_an_unknown_message_to_who_is_being_forgotten_is_not_kept(
    ledger: Ledger, news_first: bool
) -> None:
    def prepared(number: int) -> tuple[Step, Step]:
        phone = f"+4474009{number:05}"
        news: Step = lambda: ledger.record_reports([report(str(uuid4()), to=phone)])  # noqa: E731 - one of two
        forget: Step = lambda: ledger.forget_person(phone)  # noqa: E731 - the other
        return (news, forget) if news_first else (forget, news)

    left = [len(ledger.stray_reports()) for _point in at_every_point(ledger, prepared)]
    assert (len(left) > 4, any(left)) == (True, False)


@pytest.mark.parametrize(
    ("person", "late", "news_first"),
    [(False, False, True), *(pytest.param(*one, marks=pytest.mark.deep) for one in OTHERS)],
)
def test_news_that_come_while_somebody_is_forgotten_bring_nothing_back(
    ledger: Ledger, clock: Clock, person: bool, late: bool, news_first: bool
) -> None:
    campaigns = list[str]()

    def prepared(number: int) -> tuple[Step, Step]:
        campaign, phone, news = ended(ledger, clock, number, late=late)
        campaigns.append(campaign)
        everybody = lambda: ledger.forget(before=clock())  # noqa: E731 - one of two
        forget = (lambda: ledger.forget_person(phone)) if person else everybody
        return (news, forget) if news_first else (forget, news)

    points = list(at_every_point(ledger, prepared))
    assert len(points) > 5
    for campaign in campaigns[:-1]:  # in the last, the first step ended before the second could begin
        messages = ledger.messages(campaign)
        gone = messages[messages["to"].eq("")]
        assert len(gone) == (1 if person else 3)
        assert gone[PERSONAL].isna().all(axis=None)
        assert gone["body"].eq("").all()
        assert messages["delivered_at"].notna().all()
