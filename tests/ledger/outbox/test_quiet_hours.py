"""Quiet hours hold at the moment of the claim, however slow, paused or asleep the sending was."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from itertools import product
from random import Random
from uuid import uuid4
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from each import each
from fixtures_ledger import Clock, accepted, messages_frame
from tiers import only_deep

from dashboard.campaigns import Handover, Hours, Schedule, TextingHours, write_messages
from dashboard.errors import CampaignError
from dashboard.ledger import Ledger
from dashboard.ledger.outbox.claims import Claim, Lane
from dashboard.ledger.outbox.settle import Settlement
from dashboard.sending.sender import CLAIM_LIFE_S

PLACES = {  # numbers kept for fiction, each certainly in one zone
    "America/New_York": ("US", "+1212555{:04}", range(100, 200)),
    "Europe/Berlin": ("DE", "+49306987{:04}", range(100, 200)),
    "Australia/Sydney": ("AU", "+6125550{:04}", range(100, 200)),
}


def people(random: Random, count: int) -> pd.DataFrame:
    chosen = [random.choice([*PLACES]) for _ in range(count)]
    numbers = {zone: iter(PLACES[zone][2]) for zone in PLACES}
    return pd.DataFrame(
        {
            "phone": [PLACES[zone][1].format(next(numbers[zone])) for zone in chosen],
            "country": pd.Categorical([PLACES[zone][0] for zone in chosen]),
            "zone": chosen,
        }
    )


def texting_hours(random: Random) -> TextingHours:
    def hours() -> Hours:
        start, length = random.randrange(20), random.randint(2, 12)
        days = frozenset(random.sample(range(7), random.randint(4, 7)))
        return Hours(time(start, random.choice((0, 30))), time(min(start + length, 23)), days)

    return TextingHours(hours(), {"US": hours()} if random.random() < 0.5 else {})


def claim(ledger: Ledger, campaign: str, owner: str) -> Claim | None:
    got = ledger.outbox.claim(Lane(campaign, 0, 1), owner=owner, ticket=str(uuid4()))
    return got if isinstance(got, Claim) else None


@pytest.mark.parametrize("seed", [0, 1, *only_deep(2, 3, 4, 5)])
def test_nobody_is_texted_in_quiet_hours_and_everybody_is_at_last(
    ledger: Ledger, clock: Clock, seed: int
) -> None:
    random = Random(seed)  # noqa: S311 - repeatable on purpose
    contacts, hours = people(random, 24), texting_hours(random)
    handover = random.choice([*Handover])
    schedule = Schedule(hours=hours, handover=handover)
    frame = write_messages(contacts[["phone", "country"]], "Hi", campaign="Spring", schedule=schedule)
    if random.random() < 0.5:
        frame["scheduled_at"] = pd.Series(pd.NaT, frame.index, dtype="datetime64[us, UTC]")
    campaign = ledger.create_campaign("Spring", frame, batch_size=random.randint(1, 5))
    ledger.start(campaign)
    owner = ledger.outbox.register(0)
    zone_of = dict(zip(contacts["phone"], contacts["zone"], strict=True))
    country_of = dict(zip(contacts["phone"], contacts["country"], strict=True))
    sent = 0
    for _ in range(500):
        clock.advance(random.choice((1, 45, 2400, 2400, 5000)))
        if ledger.campaign(campaign).state == "paused":  # a time was missed: a person looks and agrees
            ledger.resume(campaign)
        got = claim(ledger, campaign, owner)
        if got is None:
            continue
        for message, held_up in product(got.messages, (0, CLAIM_LIFE_S)):
            goes = message.scheduled_at or clock() + timedelta(seconds=held_up)
            at = goes.astimezone(ZoneInfo(zone_of[message.to]))
            allowed = hours.of(country_of[message.to])
            assert allowed.start <= at.time() < allowed.end
            assert at.weekday() in allowed.days
        if random.random() < 0.2:
            ledger.outbox.settle(got, Settlement("rejected", "split" if len(got.messages) > 1 else "ready"))
            continue
        ledger.outbox.settle(got, accepted(got))
        sent += len(got.messages)
        if sent == len(contacts):
            break
    assert sent == len(contacts)


def test_a_slow_campaign_stops_for_the_night_says_why_and_goes_on_in_the_morning(
    ledger: Ledger, clock: Clock
) -> None:
    frame = messages_frame(6, texting_hours="09:00:00-20:00:00 1234567 Europe/London")
    campaign = ledger.create_campaign("Spring", frame, batch_size=2)
    ledger.start(campaign)
    owner = ledger.outbox.register(0)
    assert claim(ledger, campaign, owner) is not None
    clock.time = datetime(2026, 11, 20, 20, 0, tzinfo=ZoneInfo("Europe/London"))
    assert claim(ledger, campaign, owner) is None
    assert ledger.outbox.to_send() == [], "all of it waits, not only the batch that was asked for"
    assert ledger.waiting_reasons(campaign) == ["It is not an hour in which these people may be texted."]
    clock.advance(13 * 3600 - 1)
    assert claim(ledger, campaign, owner) is None
    clock.advance(1)
    assert ledger.outbox.to_send() == [campaign]
    assert [len(got.messages) for _ in range(2) if (got := claim(ledger, campaign, owner))] == [2, 2]


@pytest.mark.parametrize("seconds", [1, 60, *only_deep(30)])
def test_a_request_that_is_held_up_after_its_claim_still_leaves_within_the_hours(
    ledger: Ledger, clock: Clock, seconds: int
) -> None:
    end = datetime(2026, 11, 20, 20, tzinfo=ZoneInfo("Europe/London"))
    clock.time = end - timedelta(seconds=seconds)
    frame = messages_frame(2, texting_hours="09:00:00-20:00:00 1234567 Europe/London")
    campaign = ledger.create_campaign("Spring", frame, batch_size=2)
    ledger.start(campaign)
    owner = ledger.outbox.register(0)
    assert claim(ledger, campaign, owner) is None
    clock.time = end + timedelta(hours=13)
    got = claim(ledger, campaign, owner)
    assert got is not None
    assert len(got.messages) == 2


@pytest.mark.parametrize("due_in", [10, *only_deep(50, 90)])
@pytest.mark.parametrize("before", [119, 179, *only_deep(150, 200)])
def test_a_claim_that_is_asked_for_again_is_not_handed_over_for_quiet_hours(
    ledger: Ledger, clock: Clock, due_in: int, before: int
) -> None:
    """What is due soon is handed over for in two minutes: two minutes from when it was asked for last."""
    end = datetime(2026, 11, 20, 20, tzinfo=ZoneInfo("Europe/London"))
    clock.time = end - timedelta(seconds=before)
    frame = messages_frame(1, texting_hours="09:00:00-20:00:00 1234567 Europe/London")
    frame["scheduled_at"] = pd.Series([clock() + timedelta(seconds=due_in)], dtype="datetime64[us, UTC]")
    campaign = ledger.create_campaign("Spring", frame, batch_size=1)
    ledger.start(campaign)
    owner = ledger.outbox.register(0)
    for _ in range(7):
        got = ledger.outbox.claim(Lane(campaign, 0, 1), owner=owner, ticket="the same")
        if isinstance(got, Claim):
            assert (got.messages[0].scheduled_at or clock()) < end
        clock.advance(CLAIM_LIFE_S / 6)


def test_what_the_service_waits_for_is_handed_over_at_any_hour(ledger: Ledger, clock: Clock) -> None:
    clock.time = datetime(2026, 11, 20, 23, tzinfo=ZoneInfo("Europe/London"))
    frame = messages_frame(2, texting_hours="09:00:00-20:00:00 1234567 Europe/London")
    frame["scheduled_at"] = pd.Series([clock() + timedelta(hours=11)] * 2, dtype="datetime64[us, UTC]")
    campaign = ledger.create_campaign("Spring", frame, batch_size=2)
    ledger.start(campaign)
    got = claim(ledger, campaign, ledger.outbox.register(0))
    assert got is not None
    assert {message.scheduled_at for message in got.messages} == {clock() + timedelta(hours=11)}


def test_of_a_batch_whose_times_differ_all_are_held_and_none_goes_early(ledger: Ledger, clock: Clock) -> None:
    london = ZoneInfo("Europe/London")
    clock.time = datetime(2026, 11, 20, 19, tzinfo=london)
    frame = messages_frame(2, texting_hours="09:00:00-20:00:00 1234567 Europe/London")
    late = clock() + timedelta(hours=15)
    frame["scheduled_at"] = pd.Series([pd.NaT, late], dtype="datetime64[us, UTC]")
    campaign = ledger.create_campaign("Spring", frame, batch_size=2)
    ledger.start(campaign)
    owner = ledger.outbox.register(0)
    clock.advance(3 * 3600)
    assert claim(ledger, campaign, owner) is None
    assert ledger.outbox.to_send() == []
    clock.time = datetime(2026, 11, 21, 9, tzinfo=london)
    got = claim(ledger, campaign, owner)
    assert got is not None
    assert [message.scheduled_at for message in got.messages] == [None, late]


def test_a_time_that_is_moved_on_does_not_end_up_in_quiet_hours(ledger: Ledger, clock: Clock) -> None:
    clock.time = datetime(2026, 11, 20, 19, 59, 40, tzinfo=ZoneInfo("Europe/London"))
    frame = messages_frame(1, texting_hours="09:00:00-20:00:00 1234567 Europe/London")
    frame["scheduled_at"] = pd.Series([clock() + timedelta(seconds=10)], dtype="datetime64[us, UTC]")
    campaign = ledger.create_campaign("Spring", frame, batch_size=2)
    ledger.start(campaign)
    assert claim(ledger, campaign, ledger.outbox.register(0)) is None


@each(
    "hours",
    [
        "09:00-20:00",
        "20:00:00-09:00:00 1 Europe/London",
        "09:00:00-20:00:00 8 Europe/London",
        "09:00:00-20:00:00 1 Mars/Phobos",
        "09:00:00-10:00:00 1 Europe/London Pacific/Auckland",
        "always",
        None,
        9,
    ],
)
def test_hours_that_nobody_can_keep_are_refused(ledger: Ledger, hours: object) -> None:
    with pytest.raises(CampaignError, match="texting_hours"):
        ledger.create_campaign("Spring", messages_frame(2).assign(texting_hours=hours), batch_size=2)
